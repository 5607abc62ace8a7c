//! Calls that must not be made a second time.

use analyzer::results::{Finding, Fix};
use analyzer::rules::Rule;
use frontend::mpi::Direction;

use super::fix;
use crate::text::{Call, SourceFile};

/// Takes the call away, or the earlier one where this one also says something.
pub(super) fn remove(finding: &Finding, file: &SourceFile) -> Option<Vec<Fix>> {
    let earlier = finding.related.iter().map(|related| &related.range);
    let calls = std::iter::once(&finding.range).chain(earlier).filter_map(|range| {
        let call = Call::around(file, file.node_at(range)?)?;
        (call.stands_alone() && !says_something(&call)).then_some(call)
    });
    let is_again = finding.rule == Rule::DoubleFree;
    // Of two calls that free, the later one is too much.
    let calls = calls.take(if is_again { 1 } else { usize::MAX });
    let edits = calls.map(|call| (call.mpi.name, file.remove(call.statement)));
    Some(edits.map(|(name, edit)| fix(format!("remove this call of `{name}`"), vec![edit])).collect())
}

/// Whether a call gives the program something besides its effect on MPI.
fn says_something(call: &Call<'_>) -> bool {
    call.mpi.params.iter().any(|param| param.direction == Direction::Out)
}
