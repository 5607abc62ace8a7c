//! Whether the program looks at a variable after some statements.

use std::ops::Range;

use tree_sitter::Node;

use super::super::aliases::is_private;
use super::super::scope::{Scope, Shape, Variable};
use super::code::Identity;
use super::identity::Origins;
use super::lower::inside;
use crate::text::{descendants, function_of};

/// Who looks at a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Live {
    /// Nobody.
    Nobody,
    /// The process of one rank.
    Only(i64),
    /// Perhaps all.
    All,
}

/// Statements of one block, from the first to the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch<'t> {
    pub(super) first: Node<'t>,
    pub(super) last: Node<'t>,
}

impl<'t> Stretch<'t> {
    pub(super) fn contains(&self, node: Node<'_>) -> bool {
        self.first.start_byte() <= node.start_byte() && node.end_byte() <= self.last.end_byte()
    }

    fn is_before(&self, node: Node<'_>) -> bool {
        self.last.end_byte() <= node.start_byte()
    }
}

/// Who looks at a variable, or at what a pointer points to, after some statements.
pub(super) fn live<'t>(
    scope: &Scope<'t>,
    origins: &Origins<'_, 't>,
    stretch: Stretch<'t>,
    variable: &Variable<'t>,
    is_variable: bool,
) -> Live {
    let name = scope.text(variable.name);
    let is_static = scope.has_storage(variable.declaration, "static");
    let Some(uses) = scope.uses(variable).filter(|_| !is_static && !scope.is_in_macro(name)) else {
        return Live::All;
    };
    // By another name somebody may look at it at any time.
    let is_alone = match is_variable && variable.shape == Shape::Pointer {
        true => uses.iter().all(|node| !is_address(scope, *node)),
        false => is_private(scope, variable),
    };
    if !is_alone || jumps(stretch.first) {
        return Live::All;
    }
    let block = stretch.first.parent();
    let around = loop_around(stretch, variable);
    let within = |node: &Node<'_>| {
        around.is_some_and(|outer: Node<'_>| {
            outer.start_byte() <= node.start_byte() && node.end_byte() <= outer.end_byte()
        })
    };
    let outside: Vec<Node<'t>> = uses.into_iter().filter(|node| !stretch.contains(*node)).collect();
    let later: Vec<Node<'t>> = outside.iter().copied().filter(|node| stretch.is_before(*node)).collect();
    let again: Vec<Node<'t>> =
        outside.iter().copied().filter(|n| !stretch.is_before(*n) && within(n)).collect();
    let is_new = |node: &Node<'t>| is_overwritten(scope, *node, block);
    // Unless something in between leads elsewhere.
    let is_come_to =
        |node: &&Node<'t>| !leaves(stretch.first.parent(), stretch.last.end_byte()..node.start_byte());
    if later.iter().min_by_key(|node| node.start_byte()).filter(is_come_to).is_some_and(is_new) {
        return Live::Nobody;
    }
    let again = if again.iter().min_by_key(|node| node.start_byte()).is_some_and(is_new) {
        Vec::new()
    } else {
        again
    };
    let mut who = Live::Nobody;
    for node in later.into_iter().chain(again) {
        if starts_loop(scope, node) || is_freed(scope, node) {
            continue;
        }
        who = match (who, guard(scope, origins, node)) {
            (Live::Nobody, Some(rank)) => Live::Only(rank),
            (Live::Only(one), Some(rank)) if one == rank => Live::Only(one),
            _ => return Live::All,
        };
    }
    who
}

/// The outermost loop around statements that comes back to them with a variable that is declared outside of it.
fn loop_around<'t>(stretch: Stretch<'t>, variable: &Variable<'t>) -> Option<Node<'t>> {
    let mut around = None;
    let mut node = stretch.first;
    while let Some(parent) = node.parent() {
        if parent.byte_range().contains(&variable.name.start_byte()) {
            break;
        }
        if matches!(parent.kind(), "for_statement" | "while_statement" | "do_statement") {
            around = Some(parent);
        }
        node = parent;
    }
    around
}

/// Whether statements may find in a variable what they have left there when they were come to before.
pub(super) fn is_carried<'t>(scope: &Scope<'t>, stretch: Stretch<'t>, variable: &Variable<'t>) -> bool {
    let Some(around) = loop_around(stretch, variable) else { return false };
    let uses = scope.uses(variable).unwrap_or_default();
    let first = uses
        .into_iter()
        .filter(|node| around.byte_range().contains(&node.start_byte()))
        .min_by_key(|node| node.start_byte());
    first.is_none_or(|node| !is_overwritten(scope, node, stretch.first.parent()) && !starts_loop(scope, node))
}

/// Whether a function has jumps to a label.
pub(super) fn jumps(node: Node<'_>) -> bool {
    let function = function_of(node);
    function.is_none_or(|function| descendants(function).iter().any(|node| node.kind() == "goto_statement"))
}

/// Whether some statement of a block, between two places, leads out of a loop or to its next round.
fn leaves(block: Option<Node<'_>>, between: Range<usize>) -> bool {
    let Some(block) = block else { return true };
    descendants(block).iter().any(|node| {
        matches!(node.kind(), "break_statement" | "continue_statement")
            && between.contains(&node.start_byte())
    })
}

/// Whether a use is the address of the variable.
fn is_address(scope: &Scope<'_>, name: Node<'_>) -> bool {
    name.parent()
        .is_some_and(|parent| parent.kind() == "pointer_expression" && scope.text(parent).starts_with('&'))
}

/// Whether a use is the target of an assignment that is made whenever the block is come to.
fn is_overwritten(scope: &Scope<'_>, name: Node<'_>, block: Option<Node<'_>>) -> bool {
    let Some(assignment) = name.parent().filter(|parent| parent.kind() == "assignment_expression") else {
        return false;
    };
    let operator = assignment.child_by_field_name("operator").map(|operator| scope.text(operator));
    let statement = assignment.parent().filter(|parent| parent.kind() == "expression_statement");
    assignment.child_by_field_name("left") == Some(name)
        && operator == Some("=")
        && statement.is_some_and(|statement| statement.parent() == block)
        && assignment
            .child_by_field_name("right")
            .is_some_and(|right| !super::super::scope::names(scope.file, right).contains(&scope.text(name)))
}

/// Whether a use is in a loop that gives the variable its first value.
fn starts_loop(scope: &Scope<'_>, name: Node<'_>) -> bool {
    super::super::sweep::starts_anew(scope, name, scope.text(name))
}

fn is_freed(scope: &Scope<'_>, name: Node<'_>) -> bool {
    let call = name.parent().and_then(|list| list.parent()).filter(|call| call.kind() == "call_expression");
    call.and_then(|call| call.child_by_field_name("function"))
        .is_some_and(|function| scope.text(function) == "free")
}

/// The rank of the only process that comes to a place, by a branch around it.
fn guard<'t>(scope: &Scope<'t>, origins: &Origins<'_, 't>, node: Node<'t>) -> Option<i64> {
    let mut node = node;
    while let Some(parent) = node.parent() {
        if parent.kind() == "if_statement" && parent.child_by_field_name("consequence") == Some(node) {
            let condition = inside(parent.child_by_field_name("condition")?);
            if condition.kind() == "binary_expression"
                && condition
                    .child_by_field_name("operator")
                    .is_some_and(|operator| scope.text(operator) == "==")
            {
                let sides = [condition.child_by_field_name("left")?, condition.child_by_field_name("right")?];
                let number = sides.iter().find_map(|side| super::super::scope::decimal(scope.text(*side)));
                let name = sides.iter().find(|side| side.kind() == "identifier");
                let variable = name.and_then(|name| scope.variable(*name, scope.text(*name)));
                if let (Some(number), Some(variable)) = (number, variable)
                    && origins.is_settled(&variable)
                    && origins.identity(&variable) == Some(Identity::Rank)
                {
                    return Some(number);
                }
            }
        }
        if parent.kind() == "function_definition" {
            return None;
        }
        node = parent;
    }
    None
}
