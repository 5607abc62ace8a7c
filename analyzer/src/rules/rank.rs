//! `invalid-rank` and `invalid-root`: ranks that no communicator has.
//!
//! The MPI table says which parameters are ranks and of what kind; the standard allows `MPI_PROC_NULL` as partner and
//! target, `MPI_ANY_SOURCE` as source, `MPI_ROOT` and `MPI_PROC_NULL` as root on intercommunicators. A rank that is too
//! large is for the engine to find, which knows how many processes there are.

use frontend::mpi::{Class, Direction, Plain, Role};

use super::call::{Argument, Call, constant_of};
use super::values::Atom;
use super::{Rule, is_for_leader, rank_rule};
use crate::results::Finding;

pub(super) fn check(call: &Call<'_>, findings: &mut Vec<Finding>) {
    if matches!(call.mpi.class, Class::GroupConstructor(_)) && !call.is_wrapper {
        findings.extend(call.arguments().find_map(|(_, argument)| in_list(call, argument)));
    }
    for (index, argument) in call.arguments() {
        let param = argument.param;
        if call.is_wrapper
            || is_for_leader(call.mpi, index)
            || !param.role.is_rank()
            || param.is_pointer()
            || param.direction != Direction::In
        {
            continue;
        }
        let on_known_communicator = is_intracommunicator(call);
        let problem = |atom: &Atom| problem(atom, param.role, on_known_communicator);
        if !argument.value.all(|atom| problem(atom).is_some()) {
            continue;
        }
        let Some(reason) = argument.value.atoms().into_iter().flatten().find_map(problem) else { continue };
        findings.push(report(call, rank_rule(param.role), argument, &reason));
    }
}

/// What is wrong with the list of ranks that a group is made from: each is one of the old group's, and none is there twice (MPI-4.1 section
/// 7.3.2).
fn in_list(call: &Call<'_>, argument: Argument<'_>) -> Option<Finding> {
    if argument.param.role != Role::Rank || !argument.param.is_array() {
        return None;
    }
    let element = call.eval.layout.types().pointee(argument.expr.strip_casts().ty)?;
    let length = call.array_length(argument)?;
    let ranks = call.elements(argument, length, call.eval.layout.exact_size(element)?);
    let problem = |atom: &Atom| problem(atom, Role::Rank, true);
    let bad = ranks.iter().find_map(|(index, value)| {
        let reason = value.atoms().into_iter().flatten().find_map(problem);
        reason.filter(|_| value.all(|atom| problem(atom).is_some())).map(|reason| (index, reason))
    });
    if let Some((index, reason)) = bad {
        let message = format!("rank number {index} of the array of {} is {reason}", call.mpi.name);
        return Some(call.finding(Rule::InvalidRank, argument.expr, message));
    }
    let mut seen = Vec::new();
    let twice = ranks.iter().filter_map(|(_, value)| value.as_range()?.single()).find(|rank| {
        let known = seen.contains(rank);
        seen.push(*rank);
        known
    })?;
    let message = format!("rank {twice} is twice in the array of {}", call.mpi.name);
    Some(call.finding(Rule::InvalidRank, argument.expr, message))
}

fn report(call: &Call<'_>, rule: Rule, argument: Argument<'_>, reason: &str) -> Finding {
    let message = format!("the {} of {} is {reason}", noun(argument.param.role), call.mpi.name);
    let mut finding = call.finding(rule, argument.expr, message);
    finding.related = call.origin(argument.expr, "it gets this value here");
    finding
}

pub(super) fn noun(role: Role) -> &'static str {
    match role {
        Role::Dest => "destination",
        Role::Source => "source",
        Role::Target => "target rank",
        Role::Root => "root",
        Role::Leader => "leader",
        _ => "rank",
    }
}

/// Whether the call's communicator is known not to be an intercommunicator.
fn is_intracommunicator(call: &Call<'_>) -> bool {
    call.arguments().any(|(_, argument)| {
        argument.param.role == Role::Communicator
            && argument.value.all(|atom| constant_of(atom).is_some_and(|c| c.is(Plain::Communicator)))
    })
}

/// Why an alternative cannot be such a rank.
pub(super) fn problem(atom: &Atom, role: Role, on_intracommunicator: bool) -> Option<String> {
    match atom {
        // A range without lower end comes from a test such as `rank < 0`, which MPI_PROC_NULL passes too.
        Atom::Int(range) if range.lo.is_some() && range.hi.is_some_and(|hi| hi < 0) => {
            Some(match range.single() {
                Some(n) => format!("{n}; a rank is not negative{}", hint(role)),
                None => format!("negative; a rank is not{}", hint(role)),
            })
        }
        Atom::Int(_) | Atom::Uninitialized | Atom::Made(..) => None,
        Atom::Address(..) | Atom::Function(_) => Some("an address, not a rank".to_owned()),
        Atom::Constant(name) => {
            let constant = constant_of(atom)?;
            let is = |kind| constant.is(kind);
            let explanation = if is(Plain::ProcNull) {
                match role {
                    Role::Root if !on_intracommunicator => return None,
                    Role::Root => "which only intercommunicators allow as root",
                    Role::Rank | Role::Leader => "which is no rank of a process",
                    _ => return None,
                }
            } else if is(Plain::AnySource) {
                match role {
                    Role::Source => return None,
                    Role::Root => "which is no rank: a root is one process",
                    _ => "which only a receive may use as its source",
                }
            } else if is(Plain::Root) {
                match role {
                    Role::Root if !on_intracommunicator => return None,
                    Role::Root => "which only intercommunicators allow as root",
                    _ => "which is no rank but a root of intercommunicators",
                }
            } else if is(Plain::Undefined) {
                "which is no rank"
            } else if is(Plain::AnyTag) {
                "which is a tag, not a rank"
            } else if constant.object().is_some() {
                "which is a handle, not a rank"
            } else {
                return None;
            };
            Some(format!("{name}, {explanation}"))
        }
    }
}

fn hint(role: Role) -> &'static str {
    match role {
        Role::Dest | Role::Source | Role::Target => " (MPI_PROC_NULL stands for no process)",
        _ => "",
    }
}
