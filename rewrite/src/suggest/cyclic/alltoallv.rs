//! Redistributions whose messages are counted by hand.
//!
//! Element `i` of an array that is dealt out in blocks of `r` to `P` processes belongs to process `(i / r) % P`. A loop that counts, for
//! each element of its own, that of another such distribution, prepares the `MPI_Alltoallv` of a redistribution.

use analyzer::results::Related;
use frontend::mpi::{Class, CollectiveOp, Completion, Role};
use redistribution::Order;
use tree_sitter::Node;

use super::super::counted::Counted;
use super::super::scope::Scope;
use super::super::sum::Sum;
use super::{Change, Dealt, Found, Today, is_own_rank};
use crate::text::{Call, descendants, function_of};

/// A loop that counts elements.
struct Count<'t> {
    statement: Node<'t>,
    from: Dealt,
    to: Dealt,
    /// How many elements the array has.
    length: Option<i64>,
}

/// All calls of a file that redistribute.
pub(super) fn redistributions(scope: &Scope<'_>) -> Vec<Found> {
    let calls = descendants(scope.file.root()).into_iter().filter(|node| node.kind() == "call_expression");
    calls
        .filter_map(|node| {
            let call = Call::around_loosely(scope.file, node).filter(|call| call.node == node)?;
            let exchanges = matches!(
                call.mpi.class,
                Class::Collective {
                    operation: CollectiveOp::Alltoallv,
                    completion: Completion::Blocking,
                    neighbor: false
                }
            );
            exchanges.then(|| found(scope, &call))?
        })
        .collect()
}

fn found<'t>(scope: &Scope<'t>, call: &Call<'t>) -> Option<Found> {
    let counts = call.argument(Role::Count)?;
    let counts = (counts.kind() == "identifier").then(|| scope.text(counts))?;
    let function = function_of(call.node)?;
    let loops = descendants(function)
        .into_iter()
        .filter(|node| node.kind() == "for_statement" && node.end_byte() <= call.node.start_byte());
    let all: Vec<Count<'t>> = loops.filter_map(|node| counted(scope, node, counts)).collect();
    let [only] = all.as_slice() else { return None };
    Some(Found {
        today: Today::Messages,
        change: Change {
            dimensions: vec![[only.from, only.to]],
            lengths: only.length.map(|length| vec![length]),
            orders: [Order::RowMajor; 2],
            storage: Order::RowMajor,
        },
        range: scope.file.range(call.node),
        related: vec![Related {
            range: scope.file.range(only.statement),
            message: "the elements of each message are counted here".to_owned(),
        }],
        replaced: "the call and of what fills and empties its buffers",
    })
}

/// The distributions of a loop that does nothing but count elements by their new owners, if the old owner is this process.
fn counted<'t>(scope: &Scope<'t>, statement: Node<'t>, counts: &str) -> Option<Count<'t>> {
    let (loops, body) = Counted::nest(scope, statement)?;
    let [one] = loops.as_slice() else { return None };
    let [branch] = body.as_slice() else { return None };
    if branch.kind() != "if_statement" || branch.child_by_field_name("alternative").is_some() {
        return None;
    }
    let from = owned_here(scope, branch.child_by_field_name("condition")?.named_child(0)?, one.variable)?;
    let mut step = branch.child_by_field_name("consequence")?;
    if step.kind() == "compound_statement" {
        step = crate::text::statements(step)?.first().copied().filter(|_| step.named_child_count() == 1)?;
    }
    let inner = (step.kind() == "expression_statement").then(|| step.named_child(0))??;
    let counts_one = match inner.kind() {
        "update_expression" => scope.text(inner).contains("++"),
        "assignment_expression" => {
            inner.child_by_field_name("operator")?.kind() == "+="
                && scope.text(inner.child_by_field_name("right")?) == "1"
        }
        _ => false,
    };
    let element = inner.child_by_field_name("argument").or_else(|| inner.child_by_field_name("left"))?;
    let is_count = counts_one
        && element.kind() == "subscript_expression"
        && scope.text(element.child_by_field_name("argument")?) == counts;
    let to = dealt(scope, element.child_by_field_name("index")?, one.variable).filter(|_| is_count)?;
    let starts_at_first = one.first == Sum::default();
    let length = one.count.value(scope);
    (from != to && starts_at_first).then_some(Count { statement, from, to, length })
}

/// The distribution of `(i / r) % P == rank`.
fn owned_here<'t>(scope: &Scope<'t>, condition: Node<'t>, index: &str) -> Option<Dealt> {
    if condition.child_by_field_name("operator")?.kind() != "==" {
        return None;
    }
    let sides = [condition.child_by_field_name("left")?, condition.child_by_field_name("right")?];
    let [left, right] = sides;
    match (is_own_rank(scope, left), is_own_rank(scope, right)) {
        (false, true) => dealt(scope, left, index),
        (true, false) => dealt(scope, right, index),
        _ => None,
    }
}

/// The distribution of `(i / r) % P`, or of `i % P`, which has blocks of one element.
fn dealt<'t>(scope: &Scope<'t>, owner: Node<'t>, index: &str) -> Option<Dealt> {
    let owner = bare(owner);
    if owner.child_by_field_name("operator")?.kind() != "%" {
        return None;
    }
    let (block_of, processes) =
        (bare(owner.child_by_field_name("left")?), owner.child_by_field_name("right")?);
    let number = |node: Node<'t>| Sum::of(scope, node)?.value(scope).filter(|&number| 0 < number);
    let processes = number(processes)?;
    if scope.text(block_of) == index {
        return Some(Dealt { processes, block: 1 });
    }
    let divides = block_of.child_by_field_name("operator")?.kind() == "/"
        && scope.text(block_of.child_by_field_name("left")?) == index;
    let block = number(block_of.child_by_field_name("right")?).filter(|_| divides)?;
    Some(Dealt { processes, block })
}

fn bare(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "parenthesized_expression"
        && let Some(inner) = node.named_child(0)
    {
        node = inner;
    }
    node
}
