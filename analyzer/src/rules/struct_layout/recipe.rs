//! What a call that makes a datatype puts together, read off its arguments.

use frontend::ir::visit::{Part, walk_inst};
use frontend::ir::{
    Callee, Cfg, Expr, ExprKind, FunctionId, GlobalId, Initializer, InstKind, LocalId, PlaceBase, Span, Unit,
};
use frontend::mpi::{Class, Role, TypeConstructor};

use super::super::call::Call;
use super::super::values::{Interval, Object, State, Value};
use super::handles::{Handle, handle_of, handle_of_value};
use super::typemap::Typemap;

/// Where a block lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Bytes(i64),
    /// In extents of the old datatype.
    Extents(i64),
}

/// The parts of a datatype.
#[derive(Clone, Debug)]
pub(super) enum Recipe {
    /// Elements of datatypes, each block a number of them at a place.
    Blocks(Vec<(u64, At, Handle)>),
    Resized {
        lower: i64,
        extent: i64,
        old: Handle,
    },
    /// A block, how often, and how far apart.
    Spaced {
        times: u64,
        length: u64,
        stride: At,
        old: Handle,
    },
    /// The displacements are addresses: nothing says in which struct. Lengths and datatypes of the blocks; none
    /// where they are not known.
    Absolute(Vec<(u64, Handle)>),
}

/// Blocks of a call that are looked at.
const BLOCKS: u64 = 256;

/// What a constructor makes; `None` where an argument is not known.
pub(super) fn recipe(call: &Call<'_>, id: FunctionId) -> Option<Recipe> {
    use TypeConstructor::{
        Contiguous, Dup, Hindexed, HindexedBlock, Hvector, Indexed, IndexedBlock, Resized, Struct, Vector,
    };
    let Class::TypeConstructor(how) = call.mpi.class else { return None };
    let index = |role| call.mpi.param_with_role(role);
    let number = |role| count_of(call.argument(index(role)?)?.value);
    let old = || {
        let argument = call.argument(index(Role::Datatype)?)?;
        Some(handle(call, id, argument.expr, argument.value))
    };
    match how {
        Struct | Hindexed | HindexedBlock | Indexed | IndexedBlock => {
            let blocks = number(Role::ArrayLength).filter(|&blocks| blocks <= BLOCKS)?;
            let has_lengths = !matches!(how, HindexedBlock | IndexedBlock);
            let lengths = Elements::new(call, index(Role::BlockLength)?);
            let places = Elements::new(call, index(Role::Displacements)?)?;
            let types = Elements::new(call, index(Role::Datatype)?);
            let part = |block: u64| {
                let length = if has_lengths {
                    count_of(&lengths.as_ref()?.get(block))?
                } else {
                    number(Role::BlockLength)?
                };
                if how != Struct {
                    return Some((length, old()?));
                }
                let types = types.as_ref()?;
                let old = match handle_of_value(&types.get(block)) {
                    Handle::Unknown => types
                        .written(block)
                        .map_or(Handle::Unknown, |expr| handle_of(id, call.function, &expr)),
                    handle => handle,
                };
                Some((length, old))
            };
            let mut parts = Vec::new();
            for block in 0..blocks {
                let place = places.get(block);
                if place.as_address().is_some() {
                    return Some(Recipe::Absolute(
                        (0..blocks).map(part).collect::<Option<_>>().unwrap_or_default(),
                    ));
                }
                let (length, old) = part(block)?;
                let place = integer(&place)?;
                let place = if how.displaces_in_bytes() { At::Bytes(place) } else { At::Extents(place) };
                parts.push((length, place, old));
            }
            Some(Recipe::Blocks(parts))
        }
        Contiguous => Some(Recipe::Blocks(vec![(number(Role::Repetitions)?, At::Bytes(0), old()?)])),
        Dup => Some(Recipe::Blocks(vec![(1, At::Bytes(0), old()?)])),
        Vector | Hvector => {
            let stride = integer(call.argument(index(Role::Stride)?)?.value)?;
            Some(Recipe::Spaced {
                times: number(Role::Repetitions)?,
                length: number(Role::BlockLength)?,
                stride: if how == Hvector { At::Bytes(stride) } else { At::Extents(stride) },
                old: old()?,
            })
        }
        Resized => {
            let named = |name| integer(call.argument(call.mpi.param_named(name)?)?.value);
            Some(Recipe::Resized { lower: named("lb")?, extent: named("extent")?, old: old()? })
        }
        _ => None,
    }
}

impl Recipe {
    /// The typemap, given those of the datatypes that it is made of. `None` where one is not known or too large.
    pub(super) fn typemap(&self, mut of: impl FnMut(&Handle) -> Option<Typemap>) -> Option<Typemap> {
        let mut result = Typemap::default();
        match self {
            Self::Blocks(blocks) => {
                for (length, at, old) in blocks {
                    let old = of(old)?;
                    result.append(&old, bytes(*at, &old)?, *length)?;
                }
            }
            Self::Resized { lower, extent, old } => return of(old)?.resized(*lower, *extent),
            Self::Spaced { times, length, stride, old } => {
                let old = of(old)?;
                let stride = bytes(*stride, &old)?;
                // Blocks that touch are one.
                if stride == old.extent().checked_mul(i64::try_from(*length).ok()?)? {
                    result.append(&old, 0, times.checked_mul(*length)?)?;
                    return Some(result);
                }
                if *length == 0 {
                    return Some(result);
                }
                // Nothing, repeated, is nothing but the bounds that it may set, which programs do not do.
                if old.runs.is_empty() {
                    return (old == Typemap::default()).then_some(result);
                }
                for index in 0..*times {
                    let at = stride.checked_mul(i64::try_from(index).ok()?)?;
                    result.append(&old, at, *length)?;
                }
            }
            Self::Absolute(_) => return None,
        }
        Some(result)
    }

    /// The datatypes that it is made of.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Handle> {
        let (blocks, one) = match self {
            Self::Blocks(blocks) => (blocks.as_slice(), None),
            Self::Resized { old, .. } | Self::Spaced { old, .. } => (&[][..], Some(old)),
            Self::Absolute(_) => (&[][..], None),
        };
        blocks.iter().map(|(_, _, old)| old).chain(one)
    }
}

fn bytes(at: At, old: &Typemap) -> Option<i64> {
    match at {
        At::Bytes(bytes) => Some(bytes),
        At::Extents(number) => old.extent().checked_mul(number),
    }
}

/// The datatype of an argument: by its value, or by where it is stored.
pub(super) fn handle(call: &Call<'_>, id: FunctionId, expr: &Expr, value: &Value) -> Handle {
    match handle_of_value(value) {
        Handle::Unknown => handle_of(id, call.function, expr),
        handle => handle,
    }
}

fn integer(value: &Value) -> Option<i64> {
    i64::try_from(value.as_range()?.single()?).ok()
}

fn count_of(value: &Value) -> Option<u64> {
    u64::try_from(integer(value)?).ok()
}

/// The elements of an array that a call is given.
pub(super) struct Elements<'c> {
    call: &'c Call<'c>,
    state: &'c State,
    object: &'c Object,
    offset: i128,
    size: u64,
    /// What the array holds from the beginning of the program on.
    initial: Option<&'c Initializer>,
}

impl<'c> Elements<'c> {
    pub(super) fn new(call: &'c Call<'c>, index: usize) -> Option<Self> {
        let argument = call.argument(index)?;
        let (object, offset) = argument.value.as_address()?;
        let element = call.eval.layout.types().pointee(argument.expr.strip_casts().ty)?;
        let size = call.eval.layout.cell_size(element)?;
        let initial = initial(call, object);
        Some(Self { call, state: call.state, object, offset: offset.single()?, size, initial })
    }

    fn offset_of(&self, index: u64) -> i128 {
        self.offset + i128::from(index) * i128::from(self.size)
    }

    /// The one assignment that stored an element.
    pub(super) fn origin(&self, index: u64) -> Option<Span> {
        self.state.origin(self.object, self.offset_of(index))
    }

    fn get(&self, index: u64) -> Value {
        let value = self.state.read(self.object, Interval::exactly(self.offset_of(index)), self.size);
        if !value.is_any() {
            return value;
        }
        match self.initial {
            None => Value::ANY,
            Some(_) => match self.written(index) {
                Some(expr) => self.call.eval.value(&State::default(), &expr),
                None => Value::int(0),
            },
        }
    }

    /// The initial value of an element, as it is written.
    fn written(&self, index: u64) -> Option<Expr> {
        let Initializer::Aggregate(elements) = self.initial? else { return None };
        let first = u64::try_from(self.offset).ok()? / self.size;
        match elements.iter().find(|(at, _)| *at == first + index)? {
            (_, Initializer::Scalar(expr)) => Some(expr.clone()),
            _ => None,
        }
    }
}

/// The initialiser of an array that keeps its contents: nothing stores there, and only calls that make datatypes are given its
/// address.
fn initial<'c>(call: &'c Call<'c>, object: &Object) -> Option<&'c Initializer> {
    let initial = match object {
        Object::Local(local) => call.function.local(*local).static_init.as_ref()?.as_ref()?,
        Object::Global(global) => {
            let global = call.unit.global(*global);
            global.init.as_ref().filter(|_| global.is_static && global.defined && !global.unstable)?
        }
        _ => return None,
    };
    if !matches!(initial, Initializer::Aggregate(_)) {
        return None;
    }
    let base = match object {
        Object::Local(local) => Base::Local(*local),
        Object::Global(global) => Base::Global(*global),
        _ => return None,
    };
    keeps_contents(call.unit, call.function.body.as_ref().map(std::slice::from_ref)?, base).then_some(initial)
}

#[derive(Clone, Copy)]
enum Base {
    Local(LocalId),
    Global(GlobalId),
}

fn keeps_contents(unit: &Unit, own: &[Cfg], base: Base) -> bool {
    let is_it = |place: &PlaceBase| match (place, base) {
        (PlaceBase::Local(local), Base::Local(wanted)) => *local == wanted,
        (PlaceBase::Global(global), Base::Global(wanted)) => *global == wanted,
        _ => false,
    };
    let bodies: Vec<&Cfg> = match base {
        Base::Local(_) => own.iter().collect(),
        Base::Global(_) => unit.functions.iter().filter_map(|function| function.body.as_ref()).collect(),
    };
    bodies.into_iter().flat_map(|cfg| cfg.graph.node_weights()).flat_map(|block| &block.insts).all(|inst| {
        let makes_type = matches!(
            &inst.kind,
            InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. }
                if matches!(mpi.class, Class::TypeConstructor(_))
        );
        let stored = match &inst.kind {
            InstKind::Assign(place, _) | InstKind::Call { dest: Some(place), .. } => is_it(&place.base),
            InstKind::Opaque { writes, .. } => {
                writes.as_ref().is_none_or(|places| places.iter().any(|place| is_it(&place.base)))
            }
            _ => false,
        };
        let mut shared = false;
        walk_inst(inst, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::AddressOf(place), .. }) = part {
                shared |= is_it(&place.base);
            }
        });
        !stored && (makes_type || !shared)
    })
}
