//! Datatypes with entries that share bytes: who receives with one, reads a file with it or writes a window of another process with it,
//! asks for several values at one place (MPI-4.1 sections 5.1.11, 12.3 and 14.4). Sending with one is right.
//!
//! Only datatypes all of whose arguments are constants of the program are looked at.

use std::collections::BTreeMap;
use std::sync::Arc;

use frontend::mpi::{Buffer, Class, Role, TypeConstructor};
use lattice::{Linear, Range, Ranks, Symbol, Truth};
use layout::datatype::Order;
use layout::layout::DEEPEST;
use layout::{Basic, Bounds, Constructor, Datatype, Element, Layout, Typemap};

use super::Engine;
use super::mpi::Call;
use super::state::{Communicator, ProcessSet, SiteId, State};
use super::value::Value;
use crate::results::Related;
use crate::rules::Rule;

/// Elements of a datatype that are looked at one by one; whether longer ones overlap is not known.
const LISTED: usize = 1 << 14;

/// A datatype that a call has made.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(super) datatype: Datatype,
    pub(super) layout: Layout,
    /// Constructors within each other.
    levels: usize,
    /// Its entries; `None` for those that are too many.
    map: Option<Map>,
    pub(super) made: SiteId,
}

/// What a constructor is given: the datatype that it makes, with the layouts of those that it makes it of.
struct Built {
    datatype: Datatype,
    children: Vec<Layout>,
    /// Constructors within each other.
    levels: usize,
}

/// Its entries.
#[derive(Clone, Debug)]
struct Map {
    elements: Arc<[Element]>,
    bounds: Bounds,
    /// Two of one copy that share a byte.
    overlap: Option<(Element, Element)>,
}

/// The datatypes that calls make, by the names of their handles; `None` where one name stands for several.
pub(crate) type Entries = BTreeMap<Arc<str>, Option<Made>>;

impl Map {
    fn of(layout: &Layout) -> Option<Self> {
        if layout.bounds.elements > LISTED {
            return None;
        }
        let map = Typemap::of_layout(layout);
        let overlap = map.overlap();
        Some(Self { elements: map.elements.into(), bounds: layout.bounds, overlap })
    }

    /// Whether two of so many copies, one extent apart each, share a byte although none does within one copy; `false` also where they
    /// are too many to be looked at.
    fn copies_overlap(&self, copies: i64) -> bool {
        let (extent, width) = (self.bounds.extent(), self.bounds.true_extent());
        if copies < 2 || self.elements.is_empty() || width <= extent.abs() {
            return false;
        }
        // Copies that are further from each other than they are wide do not meet.
        let meeting = if extent == 0 { 2 } else { copies.min(width / extent.abs() + 2) };
        if usize::try_from(meeting).is_ok_and(|meeting| meeting.saturating_mul(self.elements.len()) > LISTED)
        {
            return false;
        }
        let copy = |index: i64| {
            self.elements
                .iter()
                .map(move |element| Element::new(element.displacement + index * extent, element.basic))
        };
        Typemap::new((0..meeting).flat_map(copy).collect()).overlap().is_some()
    }

    /// What is wrong with writing so many copies, if that is known; the number of a message that is counted otherwise is `None`.
    fn problem(&self, copies: Option<i64>) -> Option<String> {
        if copies.is_some_and(|copies| copies <= 0) {
            return None;
        }
        if let Some((first, second)) = self.overlap {
            let [a, b] = [first, second].map(|element| element.basic.name());
            let (at, and) = (first.displacement, second.displacement);
            return Some(if at == and {
                format!("has two entries at byte {at}: {a} and {b}")
            } else {
                format!("has entries that overlap: {a} at byte {at} and {b} at byte {and}")
            });
        }
        let copies = copies.filter(|&copies| self.copies_overlap(copies))?;
        Some(format!(
            "overlaps itself where {copies} follow each other: its extent is {}, its data take up {} bytes",
            self.bounds.extent(),
            self.bounds.true_extent()
        ))
    }
}

impl Engine<'_> {
    /// Keeps in mind what a constructor makes.
    pub(crate) fn know_entries(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        name: &Arc<str>,
    ) {
        let built = self.built(state, set, call);
        // One name for several is worth nothing.
        if let Some(known) = self.entries.get_mut(name) {
            if known.as_ref().map(|known| &known.datatype) != built.as_ref().map(|built| &built.datatype) {
                *known = None;
            }
            return;
        }
        let made = built.and_then(|Built { datatype, children, levels }| {
            let Datatype::Constructed(constructor) = &datatype else { return None };
            // From the layouts of the children, which are not looked at again: together they may have very many parts.
            let layout = constructor.layout(children).ok().filter(|_| levels <= DEEPEST)?;
            let made = self.site(set.frame().function, call.span, call.mpi.name);
            Some(Made { map: Map::of(&layout), datatype, layout, levels, made })
        });
        self.entries.insert(Arc::clone(name), made);
    }

    /// A datatype that is predefined or was made, with its layout, and how many constructors it has within each other.
    fn child(&self, value: &Value) -> Option<(Datatype, Layout, usize)> {
        let name = value.as_name()?;
        if let Some(basic) = Basic::named(name) {
            let datatype = Datatype::from(basic);
            let layout = datatype.layout().ok()?;
            return Some((datatype, layout, 0));
        }
        let made = self.entries.get(name)?.as_ref()?;
        Some((made.datatype.clone(), made.layout.clone(), made.levels))
    }

    /// Where the data of a datatype lie, if all that it is made of is constant.
    pub(crate) fn bounds(&self, value: &Value) -> Option<Bounds> {
        let name = value.as_name()?;
        match Basic::named(name) {
            Some(basic) => Some(Bounds::of_basic(basic)),
            None => Some(self.entries.get(name)?.as_ref()?.layout.bounds),
        }
    }

    /// The bytes of one element of a datatype from the first one on to where there is a gap: where they begin, and how many they are.
    pub(crate) fn first_run(&self, value: &Value) -> Option<(i64, i64)> {
        let made = self.entries.get(value.as_name()?)?.as_ref()?;
        let mut places: Vec<(i64, i64)> = (made.map.as_ref()?.elements.iter())
            .map(|element| (element.displacement, element.displacement + element.basic.size()))
            .collect();
        places.sort_unstable();
        let &(first, mut end) = places.first()?;
        for (begin, next) in places {
            if end < begin {
                break;
            }
            end = end.max(next);
        }
        Some((first, end - first))
    }

    /// The root that a call among all processes names.
    pub(crate) fn root_of_all<'c>(&self, call: &'c Call<'_>) -> Option<&'c Linear> {
        let is_world = self.communicator(call).is_ok_and(|c| c.group == Communicator::world().group);
        call.value(Role::Root).filter(|_| is_world)?.as_int()
    }

    /// The datatype that a constructor makes, where all that it takes is constant.
    fn built(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) -> Option<Built> {
        let Class::TypeConstructor(how) = call.mpi.class else { return None };
        let number = |role: Role| call.value(role)?.as_constant();
        let length = || u64::try_from(number(Role::ArrayLength)?).ok();
        let constants =
            |values: Vec<Value>| values.iter().map(Value::as_constant).collect::<Option<Arc<[i64]>>>();
        if how == TypeConstructor::Struct {
            let blocks = length()?;
            let types = self.array(state, set, call, Role::Datatype, blocks)?;
            let known = types.iter().map(|ty| self.child(ty)).collect::<Option<Vec<_>>>()?;
            let levels = known.iter().map(|(_, _, levels)| levels + 1).max().unwrap_or(1);
            let (datatypes, layouts): (Vec<_>, Vec<_>) = known.into_iter().map(|(d, l, _)| (d, l)).unzip();
            let blocklengths = constants(self.array(state, set, call, Role::BlockLength, blocks)?)?;
            let displacements = constants(self.array(state, set, call, Role::Displacements, blocks)?)?;
            let constructor = Constructor::Struct { blocklengths, displacements, children: datatypes.into() };
            return Some(Built { datatype: constructor.into(), children: layouts, levels });
        }
        let (child, layout, levels) = self.child(call.value(Role::Datatype)?)?;
        let mut list = |role: Role| constants(self.array(state, set, call, role, length()?)?);
        let constructor = match how {
            TypeConstructor::Dup => Constructor::Dup { child },
            TypeConstructor::Contiguous => {
                Constructor::Contiguous { count: number(Role::Repetitions)?, child }
            }
            TypeConstructor::Vector => Constructor::Vector {
                count: number(Role::Repetitions)?,
                blocklength: number(Role::BlockLength)?,
                stride: number(Role::Stride)?,
                child,
            },
            TypeConstructor::Hvector => Constructor::Hvector {
                count: number(Role::Repetitions)?,
                blocklength: number(Role::BlockLength)?,
                stride: number(Role::Stride)?,
                child,
            },
            TypeConstructor::Indexed => Constructor::Indexed {
                blocklengths: list(Role::BlockLength)?,
                displacements: list(Role::Displacements)?,
                child,
            },
            TypeConstructor::Hindexed => Constructor::Hindexed {
                blocklengths: list(Role::BlockLength)?,
                displacements: list(Role::Displacements)?,
                child,
            },
            TypeConstructor::IndexedBlock => Constructor::IndexedBlock {
                blocklength: number(Role::BlockLength)?,
                displacements: list(Role::Displacements)?,
                child,
            },
            TypeConstructor::HindexedBlock => Constructor::HindexedBlock {
                blocklength: number(Role::BlockLength)?,
                displacements: list(Role::Displacements)?,
                child,
            },
            TypeConstructor::Resized => {
                let named = |name: &str| call.at(call.mpi.param_named(name))?.as_constant();
                Constructor::Resized { lower_bound: named("lb")?, extent: named("extent")?, child }
            }
            TypeConstructor::Subarray => {
                let order = match call.value(Role::StorageOrder)?.as_name()? {
                    "MPI_ORDER_C" => Order::C,
                    "MPI_ORDER_FORTRAN" => Order::Fortran,
                    _ => return None,
                };
                let dimensions = length()?;
                let mut named = |name: &str| {
                    let index = call.mpi.param_named(name)?;
                    constants(self.elements_of(state, set, call, index, dimensions)?)
                };
                Constructor::Subarray {
                    sizes: named("array_of_sizes")?,
                    subsizes: named("array_of_subsizes")?,
                    starts: named("array_of_starts")?,
                    order,
                    child,
                }
            }
            // Parts of a distributed array never meet, and what Fortran's numbers are made of is the library's business.
            _ => return None,
        };
        Some(Built { datatype: constructor.into(), children: vec![layout], levels: levels + 1 })
    }

    /// Reports the datatypes of a call through which it writes to one place more than once.
    pub(crate) fn check_overlaps(&mut self, state: &State, set: &ProcessSet, call: &Call<'_>) {
        if self.entries.is_empty()
            || !(call.mpi.class.communicates() || matches!(call.mpi.class, Class::FileData { .. }))
        {
            return;
        }
        for buffer in call.mpi.buffers() {
            let Some(datatype) = buffer.datatype else { continue };
            let Some(ranks) = self.writers(state, set, call, buffer) else { continue };
            // The sender of a broadcast reads; with it alone there is nobody who writes.
            let is_shared = buffer.direction.reads();
            let least = if is_shared && call.mpi.is_collective() { 2 } else { 1 };
            self.check_written(state, set, (call, &ranks), datatype, buffer.count, least);
        }
        let writes_there =
            matches!(call.mpi.class, Class::Rma { operation, .. } if operation.writes_target());
        let is_nobody = |rank: usize| call.at(Some(rank)).and_then(Value::as_name) == Some("MPI_PROC_NULL");
        if let Some(target) = call.mpi.target().filter(|target| writes_there && !is_nobody(target.rank)) {
            self.check_written(state, set, (call, &set.ranks), target.datatype, target.count, 1);
        }
    }

    /// The members of a set that write a buffer, where they are known; of a broadcast, all of them if there are others than the root.
    fn writers(&self, state: &State, set: &ProcessSet, call: &Call<'_>, buffer: &Buffer) -> Option<Ranks> {
        let is =
            |index: Option<usize>, constant: &str| call.at(index).and_then(Value::as_name) == Some(constant);
        if !buffer.direction.writes()
            || is(buffer.source, "MPI_PROC_NULL")
            || is(Some(buffer.param), "MPI_IN_PLACE")
        {
            return None;
        }
        if buffer.root_only {
            let root = self.root_of_all(call)?;
            let root = Ranks::from(Range::single(set.ranks.settle(root, &state.facts)));
            return root.within(&set.ranks, &state.facts).then_some(root);
        }
        let only_reads = buffer.direction.reads() && self.is_root(state, set, call);
        (!only_reads).then(|| set.ranks.clone())
    }

    /// Reports a datatype whose elements are written, if `least` processes are needed for that.
    fn check_written(
        &mut self,
        state: &State,
        set: &ProcessSet,
        (call, ranks): (&Call<'_>, &Ranks),
        datatype: usize,
        count: Option<usize>,
        least: i64,
    ) {
        let Some(name) = call.at(Some(datatype)).and_then(Value::as_name) else { return };
        let Some(Some(Made { map: Some(map), made, .. })) = self.entries.get(name) else { return };
        // As many as there are at least.
        let copies = match count {
            None => Some(1),
            Some(index) if call.mpi.params[index].is_array() => None,
            Some(index) => match call.at(Some(index)) {
                Some(Value::Int(count)) => match state.facts.constant(count) {
                    Some(count) => Some(count),
                    None => match [2, 1].map(|n: i64| state.facts.le(&Linear::from(n), count)) {
                        [Truth::Yes, _] => Some(2),
                        [_, Truth::Yes] => Some(1),
                        _ => return,
                    },
                },
                _ => return,
            },
        };
        let Some(problem) = map.problem(copies) else { return };
        let mut shown = state.clone();
        if shown.facts.assume_le(&least.into(), &Symbol::NP.into()).is_none() {
            return;
        }
        let message = format!("the datatype by which {} writes {problem}", call.mpi.name);
        let related =
            Related { range: self.site_range(*made), message: "the datatype is made here".to_owned() };
        let span = call.args.get(datatype).map_or(call.span, |arg| arg.span);
        let place = (set.frame().function, span);
        self.report(Rule::DatatypeOverlap, &shown, ranks, place, message, vec![related]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(constructor: Constructor) -> Layout {
        Datatype::from(constructor).layout().expect("it is right")
    }

    fn column(rows: i64, stride: i64) -> Constructor {
        Constructor::Vector { count: rows, blocklength: 1, stride, child: Basic::Int.into() }
    }

    fn resized(child: Constructor, extent: i64) -> Map {
        let datatype = Constructor::Resized { lower_bound: 0, extent, child: child.into() };
        Map::of(&layout(datatype)).expect("it is short")
    }

    /// Columns of a matrix are woven into each other, until there are more than the matrix has.
    #[test]
    fn copies_that_are_woven_into_each_other_do_not_overlap() {
        let columns = resized(column(4, 8), 4);
        for copies in 0..=8 {
            assert_eq!(columns.problem(Some(copies)), None, "{copies}");
        }
        for copies in [9, 12, 1 << 40] {
            assert!(columns.problem(Some(copies)).is_some(), "{copies}");
        }
        assert_eq!(columns.problem(None), None);
    }

    #[test]
    fn copies_at_one_place_or_closer_than_they_are_wide_overlap() {
        let pair = || Constructor::Contiguous { count: 2, child: Basic::Double.into() };
        assert!(resized(pair(), 0).problem(Some(2)).is_some());
        assert!(resized(pair(), 8).problem(Some(2)).is_some());
        assert!(resized(pair(), -8).problem(Some(2)).is_some());
        assert_eq!(resized(pair(), -16).problem(Some(2)), None);
        assert_eq!(resized(pair(), 8).problem(Some(1)), None);
    }

    #[test]
    fn one_copy_that_overlaps_is_a_problem_unless_none_is_written() {
        let blocks = Constructor::Vector { count: 3, blocklength: 2, stride: 1, child: Basic::Int.into() };
        let map = Map::of(&layout(blocks)).expect("it is short");
        assert_eq!(map.problem(Some(0)), None);
        let text = "has two entries at byte 4: MPI_INT and MPI_INT";
        assert_eq!(map.problem(Some(1)).as_deref(), Some(text));
        assert_eq!(map.problem(None).as_deref(), Some(text));
    }
}
