//! `invalid-communicator`, `invalid-datatype`, `invalid-request`, `invalid-window`, `invalid-file`, and the part of
//! `invalid-op` that judges an operation by itself: handles that are null, never set, or of another kind.
//!
//! A handle passed by address is judged by what the address points to. In an array of known length one bad element is
//! enough.

use frontend::ir::{Callee, InstKind, Span, Type};
use frontend::mpi::{
    self, Access, Class, CollectiveOp, CommConstructor, Constant, ConstantKind, Direction, GroupConstructor,
    Object as Kind, Param, Plain, Query, Role,
};

use super::Rule;
use super::call::{Argument, Call, constant_of, range};
use super::values::{Atom, Interval, Object, Value};
use crate::results::{Finding, Related};

pub(super) fn check(call: &Call<'_>, findings: &mut Vec<Finding>) {
    for (_, argument) in call.arguments() {
        let Some(kind) = argument.param.role.object() else { continue };
        if argument.param.direction == Direction::Out {
            continue;
        }
        let values = if !argument.param.is_pointer() {
            vec![(None, argument.value.clone())]
        } else if argument.param.is_array() {
            elements(call, argument, kind)
        } else {
            pointee(call, argument).map(|value| (None, value)).into_iter().collect()
        };
        for (index, value) in values {
            let problem = |atom: &Atom| problem(call, argument, kind, atom);
            if !value.all(|atom| problem(atom).is_some()) {
                continue;
            }
            let Some(reason) = value.atoms().into_iter().flatten().find_map(problem) else { continue };
            let what = match index {
                Some(index) => format!("{} number {index} of the array", noun(kind)),
                None => noun(kind).to_owned(),
            };
            let stored = index.is_none().then(|| stored_at(call, argument)).flatten();
            let freed = stored.filter(|&stored| gives_up(call, stored, kind));
            let finding = match (freed, rule(kind)) {
                (Some(freed), _) if kind != Kind::Message => {
                    let again = call.mpi.destroyed().is_some_and(|(_, destroyed)| destroyed == kind);
                    let (rule, message) = if again {
                        (Rule::DoubleFree, format!("the {what} is freed a second time"))
                    } else {
                        (Rule::UseAfterFree, format!("the {what} of {} is freed already", call.mpi.name))
                    };
                    let mut finding = call.finding(rule, argument.expr, message);
                    finding.related.push(Related {
                        range: range(call.unit, freed),
                        message: "it is freed here".to_owned(),
                    });
                    finding
                }
                (_, None) => continue,
                (_, Some(rule)) => {
                    let message = format!("the {what} of {} {reason}", call.mpi.name);
                    let mut finding = call.finding(rule, argument.expr, message);
                    finding.related = related(call, argument);
                    finding
                }
            };
            findings.push(finding);
            break;
        }
    }
}

/// The rule that judges handles of a kind.
pub(crate) fn rule(kind: Kind) -> Option<Rule> {
    Some(match kind {
        Kind::Communicator => Rule::InvalidCommunicator,
        Kind::Datatype => Rule::InvalidDatatype,
        // MPI has one class of errors for both (MPI-4.1 section 9.4).
        Kind::Request | Kind::Message => Rule::InvalidRequest,
        Kind::Window => Rule::InvalidWindow,
        Kind::File => Rule::InvalidFile,
        Kind::Op => Rule::InvalidOp,
        _ => return None,
    })
}

/// What a handle of a kind is called.
pub(crate) fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Op => "operation",
        kind => kind.keyword(),
    }
}

/// The handle behind an address.
fn pointee(call: &Call<'_>, argument: Argument<'_>) -> Option<Value> {
    let (object, offset) = argument.value.as_address()?;
    let pointee = call.eval.layout.types().pointee(argument.expr.strip_casts().ty)?;
    call.eval.layout.handle(pointee)?;
    Some(call.state.read(object, offset, call.eval.layout.cell_size(pointee)?))
}

/// The handles of an array with a known number of elements.
fn elements(call: &Call<'_>, argument: Argument<'_>, kind: Kind) -> Vec<(Option<i128>, Value)> {
    let element = call.eval.layout.types().pointee(argument.expr.strip_casts().ty);
    let Some(element) = element.filter(|&ty| call.eval.layout.handle(ty) == Some(kind)) else {
        return Vec::new();
    };
    let (Some(count), Some(size)) = (call.array_length(argument), call.eval.layout.cell_size(element)) else {
        return Vec::new();
    };
    let elements = call.elements(argument, count, size).into_iter();
    elements.map(|(index, value)| (Some(index), value)).collect()
}

/// Why an alternative cannot be a handle of this kind here.
fn problem(call: &Call<'_>, argument: Argument<'_>, kind: Kind, atom: &Atom) -> Option<String> {
    match atom {
        Atom::Uninitialized => Some("is never set".to_owned()),
        Atom::Constant(_) => {
            let constant = constant_of(atom)?;
            if frees(call, argument, kind)
                && let Some(reason) = objection_to_free(constant)
            {
                return Some(reason);
            }
            if constant.is(Plain::Communicator) && wants_sides(call.mpi.class) {
                return Some(format!("is {}, which is no intercommunicator", constant.name));
            }
            let is_idle = || kind == Kind::Datatype && describes_nothing(call, argument);
            constant_problem(constant, kind, || is_idle() || allows_null(call.mpi, argument.param, kind))
        }
        Atom::Made(object, _) => (*object != kind).then(|| format!("is a {}", object.keyword())),
        // A number where a handle belongs. Null pointers are left alone: in some libraries handles are pointers.
        Atom::Int(range) => {
            let n = range.single().filter(|&n| n != 0 && !call.is_wrapper)?;
            let is_number =
                matches!(call.eval.layout.types().get(argument.expr.strip_casts().ty), Type::Int(_));
            is_number.then(|| format!("is the number {n}"))
        }
        Atom::Address(..) | Atom::Function(_) => None,
    }
}

/// Why a constant cannot be a handle of this kind; `allows_null` tells whether a null handle has a meaning here.
pub(super) fn constant_problem(
    constant: &Constant,
    kind: Kind,
    allows_null: impl FnOnce() -> bool,
) -> Option<String> {
    let name = constant.name;
    match constant.object() {
        Some(object) if object != kind => Some(format!("is {name}, a handle of another kind")),
        Some(_) if matches!(constant.kind, ConstantKind::Null(_)) => {
            (!allows_null()).then(|| format!("is {name}"))
        }
        Some(_) => None,
        None => Some(format!("is {name}, which is no handle")),
    }
}

/// Whether a call is for intercommunicators only (MPI-4.1 section 7.6).
pub(crate) fn wants_sides(class: Class) -> bool {
    matches!(
        class,
        Class::Query(Query::CommRemoteSize)
            | Class::GroupConstructor(GroupConstructor::Remote)
            | Class::CommConstructor(CommConstructor::IntercommMerge)
    )
}

/// Whether a call may be made on an intercommunicator: topologies (MPI-4.1 section 8.5), prefix reductions (section 6.11), windows
/// (section 12.2), files (section 14.2.1) and one side of a new intercommunicator (section 7.6.2) are of one group.
pub(crate) fn allows_sides(class: Class) -> bool {
    !matches!(
        class,
        Class::CommConstructor(
            CommConstructor::CartCreate
                | CommConstructor::GraphCreate
                | CommConstructor::DistGraphCreate
                | CommConstructor::DistGraphCreateAdjacent
                | CommConstructor::CreateGroup
                | CommConstructor::IntercommCreate
        ) | Class::Collective { operation: CollectiveOp::Scan | CollectiveOp::Exscan, .. }
            | Class::WinConstructor(_)
            | Class::FileOpen
    )
}

/// Whether the standard gives a null handle a meaning in this place.
pub(super) fn allows_null(mpi: &mpi::Function, param: &Param, kind: Kind) -> bool {
    match mpi.class {
        // Null handles convert, and have names (MPI-4.1 sections 19.3.4 and 7.8).
        Class::HandleConversion(_) | Class::Name { access: Access::Get, .. } => true,
        // Section 3.7.3: a null request is complete at once. Section 4.2: so are its partitions.
        Class::Wait(_) | Class::Test(_) | Class::RequestStatus(_) | Class::PartitionArrived => {
            kind == Kind::Request
        }
        // Section 14.7: on the null file these set and get the default error handler of files.
        Class::ErrhandlerSet(_) | Class::ErrhandlerCall(_) | Class::ErrhandlerConstructor { .. } => {
            kind == Kind::File
        }
        // Only the leader's peer communicator matters (section 7.6.2).
        Class::CommConstructor(_) => {
            kind == Kind::Communicator
                && mpi.params_with_role(Role::Communicator).next().map(|(_, param)| param.name)
                    != Some(param.name)
        }
        Class::Tool(_) => true,
        _ => false,
    }
}

/// Whether a datatype describes buffers of no elements only.
fn describes_nothing(call: &Call<'_>, argument: Argument<'_>) -> bool {
    let mut described = call
        .buffers()
        .filter(|buffer| {
            buffer.buffer.datatype.is_some_and(|index| call.mpi.params[index].name == argument.param.name)
        })
        .peekable();
    described.peek().is_some() && described.all(|buffer| buffer.count.single() == Some(0))
}

/// Why a constant must not be freed: it stands for an object that exists from the beginning. What is received is not freed: the message
/// from `MPI_PROC_NULL` may be received (MPI-4.1 section 3.8.2).
pub(crate) fn objection_to_free(constant: &Constant) -> Option<String> {
    let is_object = constant.object().is_some_and(|object| object != Kind::Message);
    let is_predefined = is_object && !matches!(constant.kind, ConstantKind::Null(_));
    is_predefined.then(|| format!("is {}, which is predefined and cannot be freed", constant.name))
}

/// Whether a call gives up the object of this argument (MPI-4.1 sections 5.1.9, 6.9.5 and 7.4.3).
fn frees(call: &Call<'_>, argument: Argument<'_>, kind: Kind) -> bool {
    call.mpi.destroyed().is_some_and(|(index, destroyed)| {
        destroyed == kind && call.mpi.params[index].name == argument.param.name
    })
}

/// Whether what sets a handle is a call that gives up an object of a kind.
fn gives_up(call: &Call<'_>, stored: Span, kind: Kind) -> bool {
    let Some(cfg) = &call.function.body else { return false };
    let mut insts =
        cfg.graph.node_weights().flat_map(|block| &block.insts).filter(|inst| inst.span == stored);
    insts.any(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. } => {
            mpi.destroyed().is_some_and(|(_, destroyed)| destroyed == kind)
        }
        _ => false,
    })
}

/// Where the variable of a handle is.
fn location<'a>(call: &'a Call<'_>, argument: Argument<'a>) -> Option<(Object, Interval)> {
    if argument.param.is_pointer() {
        argument.value.as_address().map(|(object, offset)| (object.clone(), offset))
    } else {
        match &argument.expr.strip_casts().kind {
            frontend::ir::ExprKind::Load(place) => {
                call.eval.address(call.state, place).and_then(|targets| match targets.as_slice() {
                    [target] => Some(target.clone()),
                    _ => None,
                })
            }
            _ => None,
        }
    }
}

/// What set the handle.
fn stored_at(call: &Call<'_>, argument: Argument<'_>) -> Option<Span> {
    let (object, offset) = location(call, argument)?;
    call.state.origin(&object, offset.single()?)
}

/// Where the variable was declared, and where it was set.
fn related(call: &Call<'_>, argument: Argument<'_>) -> Vec<Related> {
    let Some((object, _)) = location(call, argument) else { return Vec::new() };
    match stored_at(call, argument) {
        Some(span) => {
            vec![Related { range: range(call.unit, span), message: "it gets this value here".to_owned() }]
        }
        None => call.declaration(&object).into_iter().collect(),
    }
}
