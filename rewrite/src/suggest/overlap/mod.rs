//! Exchanges that are complete before something is computed that does not need them.
//!
//! Blocking calls of one exchange become nonblocking ones in the same order, and the wait for them goes behind the statements that leave
//! alone what is received and do not change what is sent. Which those are is found out by `memory.rs`.

mod group;
mod memory;

use std::collections::BTreeMap;

use analyzer::results::{Gain, ProgramReport, Related, Suggestion};
use analyzer::rules::Rule;
use tree_sitter::Node;

use super::scope::Scope;
use super::{call_at, has_finding};
use crate::text::{Call, statements};
use group::Group;
use memory::Conflict;

/// The computation that could go on during the exchange in which a channel ends.
pub(super) fn computation(
    report: &ProgramReport,
    index: usize,
    scopes: &BTreeMap<&str, Scope<'_>>,
) -> Option<Suggestion> {
    let (scope, call) = call_at(scopes, &report.topology.channels[index].recv)?;
    let group = Group::around(scope, &call)?;
    let places: Vec<_> = group.calls.iter().map(|call| scope.file.range(call.node)).collect();
    if has_finding(report, &places.iter().collect::<Vec<_>>()) {
        return None;
    }
    let (free, aliased) = independent(scope, &group)?;
    let wild = ["MPI_ANY_SOURCE", "MPI_ANY_TAG", "robe("];
    let is_wild = scopes.values().any(|scope| wild.iter().any(|word| scope.file.text().contains(word)));
    let edit = match aliased {
        Some(why) => Err(why),
        None if is_wild => Err("another process may take the messages in another order".to_owned()),
        None => group.edit(scope, *free.last()?),
    };
    let (first, last) = (scope.file.range(*free.first()?), scope.file.range(*free.last()?));
    let mut related =
        vec![Related { range: first.clone(), message: "does not need what is received".to_owned() }];
    if first != last {
        related.push(Related { range: last, message: "nor does this".to_owned() });
    }
    let messages = group.receives();
    let time = if messages == 1 { "a + m*b".to_owned() } else { format!("{messages} (a + m*b)") };
    Some(Suggestion {
        rule: Rule::OverlapCommunication,
        message: "waits for an exchange before it computes what does not need it: nonblocking calls, and a wait after that, let both go on at once"
            .to_owned(),
        range: places.first()?.clone(),
        related,
        np: report.verdict.np.clone(),
        gain: Gain {
            model: Gain::OVERLAP,
            before: format!("{time} + w"),
            after: format!("max({time}, w)"),
        },
        edit,
    })
}

/// The statements after an exchange up to the last that takes time without needing it, and why that is so only if pointers lead to
/// different memory.
fn independent<'t>(scope: &Scope<'t>, group: &Group<'t>) -> Option<(Vec<Node<'t>>, Option<String>)> {
    let block = group.last().parent()?;
    let all = statements(block)?;
    let after = all.iter().position(|node| *node == group.last())? + 1;
    let (sent, received) = (&group.sent, &group.received);
    let mut free = Vec::new();
    let mut aliased: Option<String> = group.aliased.clone();
    let (mut kept, mut why) = (0, None);
    for &statement in &all[after..] {
        match memory::is_independent(scope, statement, sent, received) {
            Err(Conflict::Touched) => break,
            Err(Conflict::Alias(reason)) => aliased = aliased.or(Some(reason)),
            Ok(()) => {}
        }
        free.push(statement);
        if memory::takes_time(scope, statement) {
            (kept, why) = (free.len(), aliased.clone());
        }
    }
    free.truncate(kept);
    (kept > 0).then_some((free, why))
}

/// Whether a statement is one call of MPI and nothing else.
fn call_of<'t>(scope: &Scope<'t>, statement: Node<'t>) -> Option<Call<'t>> {
    let inner = (statement.kind() == "expression_statement").then(|| statement.named_child(0))??;
    let call = Call::around_loosely(scope.file, inner)?;
    (call.node == inner && !scope.is_macro(call.mpi.name)).then_some(call)
}
