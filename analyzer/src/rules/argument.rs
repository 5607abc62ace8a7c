//! What the standard says against one argument, whoever has found out its value.

use frontend::mpi::{Constant, Function, Object, Param, Role};

use super::values::{Atom, Interval};
use super::{Rule, count, handle, rank, setting, tag};

/// The value of an argument that is known exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given {
    Int(i64),
    Constant(&'static Constant),
}

/// Why a call must not be given a value for a parameter that it reads: the rule that says so and the message.
///
/// `is_within` tells whether the call is known not to be on an intercommunicator, `is_idle` whether the parameter is the datatype of
/// no elements.
pub(crate) fn objection(
    mpi: &Function,
    param: &Param,
    given: Given,
    is_within: bool,
    is_idle: bool,
) -> Option<(Rule, String)> {
    let atom = match given {
        Given::Int(number) => Atom::Int(Interval::exactly(number.into())),
        Given::Constant(constant) => Atom::Constant(constant.name.into()),
    };
    let role = param.role;
    let is = |rule: Rule, noun: &str, reason: String| {
        Some((rule, format!("the {noun} of {} is {reason}", mpi.name)))
    };
    if role.is_message_tag() || role == Role::ContextTag {
        return is(Rule::InvalidTag, "tag", tag::problem(&atom, role)?);
    }
    if role.is_rank() {
        return is(rank_rule(role), rank::noun(role), rank::problem(&atom, role, is_within)?);
    }
    if role.is_amount() {
        return is(Rule::InvalidCount, count::noun(role), count::problem(&atom, 0)?);
    }
    if let Some((rule, noun)) = setting::rule(role) {
        return is(rule, noun, setting::problem(role, setting::is_place(mpi), &atom)?);
    }
    let (kind, Given::Constant(constant)) = (role.object()?, given) else { return None };
    let rule = handle::rule(kind)?;
    let allows_null = || (kind == Object::Datatype && is_idle) || handle::allows_null(mpi, param, kind);
    let reason = handle::constant_problem(constant, kind, allows_null)?;
    Some((rule, format!("the {} of {} {reason}", handle::noun(kind), mpi.name)))
}

/// Whether only the leader of a group looks at a parameter: the leader of the other group (MPI-4.1 section 7.6.2).
pub(crate) fn is_for_leader(mpi: &Function, index: usize) -> bool {
    let is_leader = |param: &Param| param.role == Role::Leader;
    mpi.params.get(index).is_some_and(is_leader) && mpi.params[..index].iter().any(is_leader)
}

/// The rule about ranks of a role.
pub(crate) fn rank_rule(role: Role) -> Rule {
    if role == Role::Root { Rule::InvalidRoot } else { Rule::InvalidRank }
}
