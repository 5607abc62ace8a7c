//! `invalid-count`: amounts below zero, and extents that are not positive.
//!
//! MPI-4.1 section 3.2.2 for counts of elements; the parameters of all other calls that the MPI table calls amounts are
//! nonnegative too. The extents of arrays and of grids of processes are positive (sections 5.1.3, 5.1.4 and 8.5.1); of those that
//! `MPI_Dims_create` is to choose, zero is a question (section 8.5.2).

use frontend::mpi::{Direction, Param, Plain, Role};

use super::Rule;
use super::call::{Argument, Call, constant_of};
use super::values::Atom;
use crate::results::Finding;

pub(super) fn check(call: &Call<'_>, findings: &mut Vec<Finding>) {
    for (_, argument) in call.arguments() {
        let param = argument.param;
        let Some(least) = least(param) else { continue };
        if param.is_array() {
            findings.extend(in_array(call, argument, least));
        }
        if param.is_pointer() {
            continue;
        }
        if !argument.value.all(|atom| problem(atom, least).is_some()) {
            continue;
        }
        let mut reasons =
            argument.value.atoms().into_iter().flatten().filter_map(|atom| problem(atom, least));
        let Some(reason) = reasons.next() else { continue };
        let message = format!("the {} of {} is {reason}", noun(param.role), call.mpi.name);
        let mut finding = call.finding(Rule::InvalidCount, argument.expr, message);
        finding.related = call.origin(argument.expr, "it gets this value here");
        findings.push(finding);
    }
}

/// The first element of an array of amounts that is none.
fn in_array(call: &Call<'_>, argument: Argument<'_>, least: i128) -> Option<Finding> {
    let element = call.eval.layout.types().pointee(argument.expr.strip_casts().ty)?;
    if argument.param.root_only {
        return None;
    }
    let length = call.array_length(argument)?;
    let mut elements = call.elements(argument, length, call.eval.layout.exact_size(element)?).into_iter();
    elements.find_map(|(index, value)| {
        let reason = value.all(|atom| problem(atom, least).is_some()).then(|| {
            let mut reasons = value.atoms().into_iter().flatten().filter_map(|atom| problem(atom, least));
            reasons.next()
        })??;
        let message = format!(
            "{} number {index} of the array of {} is {reason}",
            noun(argument.param.role),
            call.mpi.name
        );
        Some(call.finding(Rule::InvalidCount, argument.expr, message))
    })
}

/// The least that an amount which a call reads may be; `None` for a parameter that is no such amount.
fn least(param: &Param) -> Option<i128> {
    match (param.role, param.direction) {
        (role, Direction::In) if role.is_amount() => Some(0),
        (Role::Dimensions, Direction::In) => Some(1),
        (Role::Dimensions, Direction::InOut) => Some(0),
        _ => None,
    }
}

pub(super) fn noun(role: Role) -> &'static str {
    match role {
        Role::Dimensions => "extent",
        Role::ByteSize | Role::FileSize => "size",
        Role::BlockLength => "block length",
        Role::DimensionCount => "number of dimensions",
        Role::Degree => "number of neighbours",
        _ => "count",
    }
}

/// Why an alternative cannot be an amount, which is at least 0 or 1.
pub(super) fn problem(atom: &Atom, least: i128) -> Option<String> {
    match atom {
        Atom::Int(range) if range.hi.is_some_and(|hi| hi < least) => Some(match range.single() {
            Some(n) if least == 0 => format!("{n}; it must not be negative"),
            Some(n) => format!("{n}; it must be positive"),
            None if least != 0 => "not positive on any path that gets here".to_owned(),
            None => "negative on every path that gets here".to_owned(),
        }),
        Atom::Constant(name) => {
            let constant = constant_of(atom)?;
            let is_special =
                [Plain::AnySource, Plain::ProcNull, Plain::Root, Plain::AnyTag, Plain::Undefined]
                    .iter()
                    .any(|&kind| constant.is(kind));
            if is_special {
                Some(format!("{name}, which is no amount"))
            } else {
                constant.object().map(|_| format!("{name}, which is a handle"))
            }
        }
        _ => None,
    }
}
