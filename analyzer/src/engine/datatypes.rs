//! What the elements of derived datatypes consist of: their type signatures (MPI-4.1 section 5.1), as far as the program's text fixes them.
//!
//! A handle is a name, and the name tells a short signature in words: equal names are equal signatures. What a type leaves out between its
//! elements plays no part here.

use std::fmt::Write as _;
use std::sync::Arc;

use frontend::mpi::{Class, Param, Role, TypeConstructor, constant};
use rustc_hash::FxHashMap;

use super::Engine;
use super::eval::Location;
use super::mpi::Call;
use super::state::{ProcessSet, State, address};
use super::value::Value;

/// Runs of a signature that are told apart; of longer ones nothing is known.
const RUNS: usize = 64;

/// Basic types that match all others.
const UNTYPED: [&str; 2] = ["byte", "packed"];

/// Runs that a name tells.
const TOLD: usize = 4;

/// Runs that are compared before a comparison is given up.
const COMPARED: usize = 10_000;

/// The basic types of one element of a datatype, in order: how many of which.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Signature {
    runs: Vec<(&'static str, u64)>,
    /// Bytes.
    size: u64,
}

impl Signature {
    /// That of a predefined datatype.
    pub(crate) fn predefined(name: &str) -> Option<Self> {
        let datatype = constant(name)?.datatype()?;
        let mut result = Self { runs: Vec::new(), size: datatype.size };
        datatype.signature.iter().for_each(|basic| result.push(basic, 1));
        Some(result)
    }

    /// That of so many bytes.
    pub(crate) fn of_bytes(size: u64) -> Self {
        Self { runs: Vec::new(), size }
    }

    fn push(&mut self, basic: &'static str, number: u64) {
        match self.runs.last_mut() {
            _ if number == 0 => {}
            Some((last, so_far)) if *last == basic => *so_far = so_far.saturating_add(number),
            _ => self.runs.push((basic, number)),
        }
    }

    /// Several of another, after what is there; `None` where that has too many parts.
    fn append(&mut self, other: &Self, times: u64) -> Option<()> {
        self.size = self.size.checked_add(other.size.checked_mul(times)?)?;
        match other.runs[..] {
            [] => {}
            [(basic, number)] => self.push(basic, number.checked_mul(times)?),
            _ => {
                for _ in 0..times {
                    other.runs.iter().for_each(|&(basic, number)| self.push(basic, number));
                    if self.runs.len() > RUNS {
                        return None;
                    }
                }
            }
        }
        (self.runs.len() <= RUNS).then_some(())
    }

    /// In bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The basic type and how many of it there are, if there is only one.
    pub(crate) fn single(&self) -> Option<(&'static str, u64)> {
        match self.runs[..] {
            [run] => Some(run),
            _ => None,
        }
    }

    /// Whether it has bytes that may be anything: `MPI_BYTE` matches anything here by custom, `MPI_PACKED` by the standard (MPI-4.1 section
    /// 3.3.1).
    fn is_untyped(&self) -> bool {
        self.runs.iter().any(|(basic, _)| UNTYPED.contains(basic))
    }

    /// Whether at least so many elements of one and so many of the other are of different basic types at some place that both have.
    pub(crate) fn differs(&self, least: u64, other: &Self, others_least: u64) -> bool {
        if self.is_untyped() || other.is_untyped() {
            return false;
        }
        if let (Some((mine, _)), Some((theirs, _))) = (self.single(), other.single()) {
            return mine != theirs && least > 0 && others_least > 0;
        }
        let repeated = |signature: &Self, times: u64| {
            let runs = signature.runs.clone();
            (0..times).flat_map(move |_| runs.clone())
        };
        let (mut mine, mut theirs) = (repeated(self, least), repeated(other, others_least));
        let (mut x, mut y) = (mine.next(), theirs.next());
        for _ in 0..COMPARED {
            let (Some((one, n)), Some((two, m))) = (x, y) else { return false };
            if one != two {
                return true;
            }
            let both = n.min(m);
            x = if n == both { mine.next() } else { Some((one, n - both)) };
            y = if m == both { theirs.next() } else { Some((two, m - both)) };
        }
        false
    }

    /// In words, if it is short.
    fn text(&self) -> Option<String> {
        if self.runs.is_empty() || self.runs.len() > TOLD {
            return None;
        }
        let mut text = String::new();
        for (basic, number) in &self.runs {
            let comma = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{comma}{number} {basic}");
        }
        Some(text)
    }
}

/// Signatures of the datatypes that calls make, by the names of their handles.
pub(crate) type Signatures = FxHashMap<Arc<str>, Option<Signature>>;

impl Engine<'_> {
    /// The signature of one element of a datatype; `None` where it is not known.
    pub(crate) fn signature(&self, datatype: &Value) -> Option<Signature> {
        let name = datatype.as_name()?;
        Signature::predefined(name).or_else(|| self.signatures.get(name).cloned().flatten())
    }

    /// Bytes of one element of a datatype, without what it leaves out.
    pub(crate) fn size_of_type(&self, datatype: &Value) -> Option<u64> {
        self.signature(datatype).map(|signature| signature.size())
    }

    /// The name of a datatype that a call makes, which begins with what is given.
    pub(crate) fn name_datatype(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        name: String,
    ) -> Arc<str> {
        let signature = self.constructed(state, set, call);
        let told = signature.as_ref().and_then(Signature::text);
        let name: Arc<str> = told.map_or(name.clone(), |told| format!("{name} ({told})")).into();
        // Long ones may be several under one name.
        let known = self.signatures.entry(Arc::clone(&name)).or_insert_with(|| signature.clone());
        if *known != signature {
            *known = None;
        }
        self.know_entries(state, set, call, &name);
        name
    }

    /// The signature that a constructor makes, where all that it takes is known.
    fn constructed(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) -> Option<Signature> {
        use TypeConstructor::{
            Contiguous, Dup, Hindexed, HindexedBlock, Hvector, Indexed, IndexedBlock, Resized, Struct,
            Subarray, Vector,
        };
        let Class::TypeConstructor(how) = call.mpi.class else { return None };
        let number = |role: Role| u64::try_from(call.value(role)?.as_constant()?).ok();
        let mut result = Signature::default();
        if how == Struct {
            let blocks = number(Role::ArrayLength)?;
            let lengths = self.array(state, set, call, Role::BlockLength, blocks)?;
            let types = self.array(state, set, call, Role::Datatype, blocks)?;
            for (length, datatype) in lengths.iter().zip(&types) {
                let old = self.signature(datatype)?;
                result.append(&old, u64::try_from(length.as_constant()?).ok()?)?;
            }
            return Some(result);
        }
        let old = self.signature(call.value(Role::Datatype)?)?;
        let sum = |values: Vec<Value>| {
            let numbers = values.iter().map(|value| u64::try_from(value.as_constant()?).ok());
            numbers.into_iter().try_fold(0_u64, |sum, number| sum.checked_add(number?))
        };
        let times = match how {
            Resized | Dup => 1,
            Contiguous => number(Role::Repetitions)?,
            Vector | Hvector => number(Role::Repetitions)?.checked_mul(number(Role::BlockLength)?)?,
            IndexedBlock | HindexedBlock => {
                number(Role::ArrayLength)?.checked_mul(number(Role::BlockLength)?)?
            }
            Indexed | Hindexed => {
                let blocks = number(Role::ArrayLength)?;
                sum(self.array(state, set, call, Role::BlockLength, blocks)?)?
            }
            Subarray => {
                let dimensions = number(Role::ArrayLength)?;
                let index = call.mpi.param_named("array_of_subsizes")?;
                let sizes = self.elements_of(state, set, call, index, dimensions)?;
                let mut sizes = sizes.iter().map(|size| u64::try_from(size.as_constant()?).ok());
                sizes.try_fold(1_u64, |product, size| product.checked_mul(size?))?
            }
            _ => return None,
        };
        result.append(&old, times)?;
        Some(result)
    }

    /// So many elements of the first array with a role.
    pub(crate) fn array(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        role: Role,
        number: u64,
    ) -> Option<Vec<Value>> {
        let index = call.mpi.param_with_role(role)?;
        self.elements_of(state, set, call, index, number)
    }

    /// So many elements of the array that an argument is; `None` where they are more than are looked at.
    pub(crate) fn elements_of(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        index: usize,
        number: u64,
    ) -> Option<Vec<Value>> {
        let number = usize::try_from(number).ok().filter(|&number| number <= RUNS)?;
        let size = element_size(call.mpi.params.get(index)?);
        let (object, offset) = address(call.values.get(index)?)?;
        let offset = offset.clone();
        let mut scope = self.scope(state, set);
        let read = |element: usize| {
            let place = offset.offset(i64::try_from(element).ok()?.checked_mul(size.cast_signed())?)?;
            let location = Location { object, offset: Some(place) };
            Some(scope.read_sized(&location, size))
        };
        (0..number).map(read).collect()
    }
}

/// How many elements a count stands for at least. One that is not known stands for something: nobody writes a call that moves nothing.
pub(crate) fn least(count: &Value) -> u64 {
    count.as_constant().map_or(1, |count| u64::try_from(count).unwrap_or(0))
}

/// Bytes of an element of an array that a call is given: an `int`, or something larger.
fn element_size(param: &Param) -> u64 {
    let mut words = param.ctype.split(|c: char| !c.is_alphanumeric() && c != '_');
    if words.any(|word| word == "int") { 4 } else { 8 }
}
