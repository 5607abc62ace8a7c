//! `invalid-tag`: tags outside 0, ..., `MPI_TAG_UB`.
//!
//! MPI-4.1 section 3.2.3. `MPI_ANY_TAG` is for receives only. Above 32767, which is all the standard guarantees, a tag is
//! worth a note.

use frontend::mpi::{Plain, Role};

use super::Rule;
use super::call::{Call, constant_of};
use super::values::Atom;
use crate::results::{Finding, Severity};

/// The least value `MPI_TAG_UB` may have (MPI-4.1 section 9.1.2).
const GUARANTEED_TAG: i128 = 32767;

pub(super) fn check(call: &Call<'_>, findings: &mut Vec<Finding>) {
    for (_, argument) in call.arguments() {
        let role = argument.param.role;
        if call.is_wrapper || !(role.is_message_tag() || role == Role::ContextTag) {
            continue;
        }
        let mut report = |severity, reason: String| {
            let message = format!("the tag of {} is {reason}", call.mpi.name);
            let mut finding = call.finding_as(Rule::InvalidTag, severity, argument.expr, message);
            finding.related = call.origin(argument.expr, "it gets this value here");
            findings.push(finding);
        };
        let problem = |atom: &Atom| problem(atom, role);
        if argument.value.all(|atom| problem(atom).is_some()) {
            if let Some(reason) = argument.value.atoms().into_iter().flatten().find_map(problem) {
                report(Severity::Error, reason);
            }
        } else if let Some(tag) =
            argument.value.as_range().and_then(|range| range.lo).filter(|&t| GUARANTEED_TAG < t)
        {
            report(
                Severity::Note,
                format!("{tag}; tags above {GUARANTEED_TAG} are not supported by every MPI library"),
            );
        }
    }
}

/// Why an alternative cannot be a tag.
pub(super) fn problem(atom: &Atom, role: Role) -> Option<String> {
    match atom {
        // A range without lower end comes from a test such as `tag < 0`, which MPI_ANY_TAG passes too.
        Atom::Int(range) if range.lo.is_some() && range.hi.is_some_and(|hi| hi < 0) => {
            Some(match range.single() {
                Some(n) => format!("{n}; a tag is not negative"),
                None => "negative; a tag is not".to_owned(),
            })
        }
        Atom::Int(_) | Atom::Uninitialized | Atom::Made(..) => None,
        Atom::Address(..) | Atom::Function(_) => Some("an address, not a tag".to_owned()),
        Atom::Constant(name) => {
            let constant = constant_of(atom)?;
            if constant.is(Plain::AnyTag) {
                let explanation = "which only a receive may use";
                return (role != Role::RecvTag).then(|| format!("{name}, {explanation}"));
            }
            let is_rank =
                [Plain::AnySource, Plain::ProcNull, Plain::Root].iter().any(|&kind| constant.is(kind));
            let explanation = if is_rank {
                "which is a rank, not a tag"
            } else if constant.is(Plain::Undefined) {
                "which is no tag"
            } else if constant.object().is_some() {
                "which is a handle, not a tag"
            } else {
                return None;
            };
            Some(format!("{name}, {explanation}"))
        }
    }
}
