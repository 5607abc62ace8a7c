//! What an instruction changes.

use frontend::ir::{BinaryOp, Callee, Expr, Inst, InstKind, LocalId, Place, Span};
use frontend::mpi::{
    self, AddressOp, Class, CommConstructor, Completion, Direction, Length, Query, Role, TypeConstructor,
};

use super::domain::{Atom, Interval, Object, Value};
use super::eval::{Evaluator, address_sum};
use super::library::{self, Effect};
use super::state::{Fill, State};

/// An array of more elements than this is forgotten as a whole.
const MAX_ELEMENTS: i128 = 32;

/// Applies one instruction to a state.
pub(in crate::rules) fn apply(eval: &Evaluator<'_>, state: &mut State, inst: &Inst) {
    match &inst.kind {
        InstKind::Assign(place, expr) => {
            let value = eval.value(state, expr);
            store(eval, state, place, value, Some(inst.span));
        }
        InstKind::Declare(local) => declare(eval, state, *local),
        InstKind::Opaque { writes: None, .. } => forget_reachable(eval, state),
        InstKind::Opaque { writes: Some(places), .. } => {
            for place in places {
                store(eval, state, place, Value::ANY, None);
            }
        }
        InstKind::Call { dest, callee, args } => {
            let values: Vec<Value> = args.iter().map(|arg| eval.value(state, arg)).collect();
            let result = match callee {
                Callee::Direct { mpi: Some(function), .. } => {
                    mpi_call(eval, state, function, args, &values, inst.span);
                    // The standard's number for success is 0 (MPI-4.1 section 9.4).
                    if function.ret == "int" { Value::int(0) } else { address_result(function, &values) }
                }
                Callee::Direct { name, mpi: None } => match library::effect(name) {
                    Some(effect) => library_call(eval, state, effect, args, &values, inst.span),
                    None => unknown_call(eval, state, &values),
                },
                Callee::Indirect(_) => unknown_call(eval, state, &values),
            };
            if let Some(place) = dest {
                store(eval, state, place, result, Some(inst.span));
            }
        }
    }
}

fn declare(eval: &Evaluator<'_>, state: &mut State, local: LocalId) {
    let object = Object::Local(local);
    state.begin(&object, Some(Fill::Uninitialized));
    let declared = eval.function.local(local);
    if declared.vla.is_empty() {
        return;
    }
    let mut element = declared.ty;
    for _ in &declared.vla {
        match eval.layout.types().pointee(element) {
            Some(inner) => element = inner,
            None => return,
        }
    }
    let Some(size) = eval.layout.exact_size(element) else { return };
    let bytes = declared.vla.iter().fold(Interval::exactly(i128::from(size)), |bytes, length| {
        bytes.times(eval.value(state, length).range_or_all())
    });
    state.set_size(&object, bytes);
}

fn store(eval: &Evaluator<'_>, state: &mut State, place: &Place, value: Value, origin: Option<Span>) {
    let private = place.as_local().is_some_and(|local| !eval.is_shared(&Object::Local(local)));
    if !private {
        let held: Vec<Object> = value.objects().cloned().collect();
        for object in held {
            state.escape(&object);
        }
    }
    let Some(targets) = eval.address(state, place) else {
        forget_reachable(eval, state);
        return;
    };
    let Some(size) = eval.layout.cell_size(place.ty) else {
        for (object, _) in targets {
            state.forget(&object);
        }
        return;
    };
    if let [(object, offset)] = targets.as_slice() {
        state.write(object, *offset, size, value, origin);
        return;
    }
    for (object, offset) in targets {
        let either = state.read(&object, offset, size).join(&value);
        state.write(&object, offset, size, either, None);
    }
}

/// A write through a pointer that may point anywhere, or a callee that may do anything: what nobody else can reach
/// stays as it is.
fn forget_reachable(eval: &Evaluator<'_>, state: &mut State) {
    state.forget_escaped();
    state.forget_all(|object| eval.is_shared(object));
}

fn unknown_call(eval: &Evaluator<'_>, state: &mut State, values: &[Value]) -> Value {
    for object in values.iter().flat_map(Value::objects) {
        state.escape(object);
    }
    forget_reachable(eval, state);
    Value::ANY
}

fn forget_targets(state: &mut State, value: &Value) {
    for object in value.objects() {
        state.forget(object);
    }
}

fn library_call(
    eval: &Evaluator<'_>,
    state: &mut State,
    effect: Effect,
    args: &[Expr],
    values: &[Value],
    site: Span,
) -> Value {
    match effect {
        Effect::ReadsArguments => Value::ANY,
        Effect::WritesArguments => {
            values.iter().for_each(|value| forget_targets(state, value));
            Value::ANY
        }
        Effect::Allocates { factors, zeroed } => {
            let size = factors.iter().try_fold(Interval::exactly(1), |size, &factor| {
                Some(size.times(values.get(factor)?.range_or_all()))
            });
            allocate(state, size, if zeroed { Fill::Zero } else { Fill::Uninitialized }, site)
        }
        Effect::AllocatesThrough(factor) => {
            let block =
                allocate(state, values.get(factor).map(Value::range_or_all), Fill::Uninitialized, site);
            if let (Some(arg), Some(value)) = (args.first(), values.first()) {
                write_through(eval, state, arg, value, block, site);
            }
            Value::ANY
        }
    }
}

/// A new block; the one that this call made before, in an earlier turn of a loop, is no longer told apart.
fn allocate(state: &mut State, size: Option<Interval>, fill: Fill, site: Span) -> Value {
    let block = Object::Heap(site);
    state.retire(&block);
    state.begin(&block, Some(fill));
    if let Some(size) = size {
        state.set_size(&block, size);
    }
    Value::of(Atom::Address(block, Interval::exactly(0)))
}

/// Stores a value where an argument points to.
fn write_through(
    eval: &Evaluator<'_>,
    state: &mut State,
    arg: &Expr,
    pointer: &Value,
    value: Value,
    origin: Span,
) {
    let pointee = eval.layout.types().pointee(arg.strip_casts().ty).or(eval.layout.types().pointee(arg.ty));
    let size = pointee.and_then(|ty| eval.layout.cell_size(ty));
    match (pointer.as_address(), size) {
        (Some((object, offset)), Some(size)) => {
            state.write(&object.clone(), offset, size, value, Some(origin));
        }
        _ => forget_targets(state, pointer),
    }
}

fn mpi_call(
    eval: &Evaluator<'_>,
    state: &mut State,
    function: &mpi::Function,
    args: &[Expr],
    values: &[Value],
    site: Span,
) {
    // Operations under way may have delivered by now.
    state.forget_escaped();
    let is_pending = !matches!(function.class.completion(), None | Some(Completion::Blocking))
        || matches!(function.class, Class::Rma { .. });
    for (index, param) in function.params.iter().enumerate() {
        let (Some(arg), Some(value)) = (args.get(index), values.get(index)) else { break };
        if param.role.is_typed_buffer() {
            if param.direction.writes() {
                forget_targets(state, value);
            }
            if is_pending {
                escape_targets(state, value);
            }
            continue;
        }
        match param.role {
            Role::Address if matches!(function.class, Class::Address(AddressOp::Get)) => {
                let location = function.param_with_role(Role::Location).and_then(|index| args.get(index));
                let address = location.map_or(Value::ANY, |location| eval.location(state, location));
                write_through(eval, state, arg, value, address, site);
            }
            // Memory and values that MPI keeps, or hands to a callback later.
            Role::WindowMemory
            | Role::AttachedBuffer
            | Role::ExtraState
            | Role::Varargs
            | Role::Argc
            | Role::Argv => {
                forget_targets(state, value);
                escape_targets(state, value);
            }
            Role::AllocatedMemory if param.direction.writes() => {
                let size = param.bytes.and_then(|bytes| values.get(bytes)).map(Value::range_or_all);
                let block = allocate(state, size, Fill::Uninitialized, site);
                escape_targets(state, &block);
                write_through(eval, state, arg, value, block, site);
            }
            Role::Position if param.direction == Direction::InOut => {
                let position = moved_position(eval, state, (function, args), index, values);
                write_through(eval, state, arg, value, position, site);
            }
            _ if !param.direction.writes() => {}
            _ if param.is_array() => {
                let length = match param.length {
                    Some(Length::Param(length)) => {
                        values.get(length).map_or(Interval::ALL, Value::range_or_all)
                    }
                    _ => Interval::ALL,
                };
                forget_elements(eval, state, arg, value, length);
            }
            // Committing a datatype or starting a window's epoch leaves the handle as it is.
            role if role.object().is_some()
                && role != Role::Request
                && param.direction == Direction::InOut
                && function.destroyed().is_none_or(|(destroyed, _)| destroyed != index) => {}
            // A null request stays null (MPI-4.1 section 3.7.3).
            Role::Request
                if param.direction == Direction::InOut && is_null_handle(eval, state, arg, value) => {}
            _ => {
                let result = result(function, index, param.direction, site);
                write_through(eval, state, arg, value, result, site);
            }
        }
    }
}

/// The position in a packed buffer after a call: further by the size of the elements at least.
fn moved_position(
    eval: &Evaluator<'_>,
    state: &State,
    (function, args): (&mpi::Function, &[Expr]),
    index: usize,
    values: &[Value],
) -> Value {
    let moved = || {
        let Class::Pack { external: false, .. } = function.class else { return None };
        let buffer = function.buffers().next()?;
        let size = mpi::constant(values.get(buffer.datatype?)?.as_constant()?)?.datatype()?.size;
        let count = values.get(buffer.count?)?.as_range()?.lo.filter(|least| 0 <= *least)?;
        let (object, offset) = values.get(index)?.as_address()?;
        let width = eval.layout.cell_size(eval.layout.types().pointee(args.get(index)?.strip_casts().ty)?)?;
        let before = state.read(object, offset, width).as_range()?.lo?;
        before.checked_add(count.checked_mul(i128::from(size))?)
    };
    moved().map_or(Value::ANY, |least| Value::range(Interval::at_least(least)))
}

/// The sum or difference of addresses that a call returns (MPI-4.1 section 5.1.5).
fn address_result(function: &mpi::Function, values: &[Value]) -> Value {
    let op = match function.class {
        Class::Address(AddressOp::Add) => BinaryOp::Add,
        Class::Address(AddressOp::Difference) => BinaryOp::Sub,
        _ => return Value::ANY,
    };
    match values {
        [a, b] => address_sum(op, a, b).unwrap_or(Value::ANY),
        _ => Value::ANY,
    }
}

/// The call may change the first elements of an array.
fn forget_elements(eval: &Evaluator<'_>, state: &mut State, arg: &Expr, pointer: &Value, length: Interval) {
    let element = eval.layout.types().pointee(arg.strip_casts().ty).and_then(|ty| eval.layout.cell_size(ty));
    let (Some((object, offset)), Some(size), Some(length)) = (pointer.as_address(), element, length.hi)
    else {
        forget_targets(state, pointer);
        return;
    };
    let object = object.clone();
    for index in 0..length {
        if MAX_ELEMENTS < index {
            state.forget(&object);
            return;
        }
        let at = offset.plus(Interval::exactly(index * i128::from(size)));
        state.write(&object, at, size, Value::ANY, None);
    }
}

/// Whether an argument points to a handle that is null on every path.
fn is_null_handle(eval: &Evaluator<'_>, state: &State, arg: &Expr, pointer: &Value) -> bool {
    let Some((object, offset)) = pointer.as_address() else { return false };
    let pointee = eval.layout.types().pointee(arg.strip_casts().ty);
    let Some(size) = pointee.and_then(|ty| eval.layout.cell_size(ty)) else { return false };
    state
        .read(object, offset, size)
        .as_constant()
        .and_then(mpi::constant)
        .is_some_and(|constant| matches!(constant.kind, mpi::ConstantKind::Null(_)))
}

fn escape_targets(state: &mut State, value: &Value) {
    for object in value.objects() {
        state.escape(object);
    }
}

/// What an MPI call stores through its output parameter `index`.
fn result(function: &mpi::Function, index: usize, direction: Direction, site: Span) -> Value {
    if let Some((_, object)) = function.destroyed().filter(|&(param, _)| param == index) {
        return mpi::constants()
            .find(|c| c.kind == mpi::ConstantKind::Null(object))
            .map_or(Value::ANY, |null| Value::constant(null.name));
    }
    if let Some((_, object)) = function.created().filter(|&(param, _)| param == index) {
        return if always_makes(function.class) { Value::of(Atom::Made(object, site)) } else { Value::ANY };
    }
    if let Some((param, _)) = function.request_made()
        && param == index
    {
        return Value::of(Atom::Made(mpi::Object::Request, site));
    }
    match function.class {
        Class::Query(Query::CommRank) if direction == Direction::Out => Value::range(Interval::at_least(0)),
        Class::Query(Query::CommSize) if direction == Direction::Out => Value::range(Interval::at_least(1)),
        _ => Value::ANY,
    }
}

/// Whether a constructor never yields the null handle. Communicators made from a group or a colour may be null where
/// this process is not a member; so may those that a file or a probe yields.
fn always_makes(class: Class) -> bool {
    // What a duplicate is depends on its original.
    if let Class::TypeConstructor(how) = class {
        return how != TypeConstructor::Dup;
    }
    matches!(
        class,
        Class::OpConstructor
            | Class::WinConstructor(_)
            | Class::FileOpen
            | Class::CommConstructor(
                CommConstructor::Dup | CommConstructor::DupWithInfo | CommConstructor::IntercommMerge
            )
    )
}
