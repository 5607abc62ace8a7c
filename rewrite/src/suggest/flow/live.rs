//! Whether the program looks at a variable after some statements.

use tree_sitter::Node;

use super::super::scope::{Scope, Shape, Variable};
use super::code::Identity;
use super::identity::Origins;
use super::lower::{allocates, inside};

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

/// A local pointer to memory that nothing else points to: it is given new memory, once.
pub(super) fn is_owner(scope: &Scope<'_>, variable: &Variable<'_>, uses: &[Node<'_>]) -> bool {
    if variable.shape != Shape::Pointer || variable.declaration.kind() == "parameter_declaration" {
        return false;
    }
    let mut given = Vec::from_iter(variable.declarator.child_by_field_name("value"));
    for name in uses {
        let Some(parent) = name.parent() else { return false };
        match parent.kind() {
            "assignment_expression" if parent.child_by_field_name("left") == Some(*name) => {
                given.extend(parent.child_by_field_name("right"));
            }
            // Another pointer to the same.
            "assignment_expression" | "init_declarator" | "return_statement" | "initializer_list" => {
                return false;
            }
            "pointer_expression" if scope.text(parent).starts_with('&') => return false,
            "update_expression" | "cast_expression" => return false,
            _ => {}
        }
    }
    matches!(given.as_slice(), [value] if allocates(scope, *value))
}

/// Who looks at a variable, or at what a pointer points to, after some statements.
pub(super) fn live<'t>(
    scope: &Scope<'t>,
    origins: &Origins<'_, 't>,
    stretch: Stretch<'t>,
    variable: &Variable<'t>,
    is_variable: bool,
) -> Live {
    let is_parameter = variable.declaration.kind() == "parameter_declaration";
    let is_static = scope.text(variable.declaration).starts_with("static");
    let uses = scope.uses(variable);
    let Some(uses) = uses.filter(|_| !is_static) else { return Live::All };
    let own = match variable.shape {
        Shape::Plain => true,
        Shape::Array(_) => !is_parameter,
        Shape::Pointer => is_variable || is_owner(scope, variable, &uses),
        Shape::Other => false,
    };
    if !own {
        return Live::All;
    }
    let block = stretch.first.parent();
    // A loop around the statements comes back to what is before them, for a variable that is declared outside of it.
    let mut around = None;
    let mut node = stretch.first;
    while let Some(parent) = node.parent() {
        let holds = |inner: Node<'_>| {
            parent.start_byte() <= inner.start_byte() && inner.end_byte() <= parent.end_byte()
        };
        if holds(variable.name) {
            break;
        }
        if matches!(parent.kind(), "for_statement" | "while_statement" | "do_statement") {
            around = Some(parent);
        }
        node = parent;
    }
    let within = |node: &Node<'_>| {
        around.is_some_and(|outer: Node<'_>| {
            outer.start_byte() <= node.start_byte() && node.end_byte() <= outer.end_byte()
        })
    };
    let outside: Vec<Node<'t>> = uses.into_iter().filter(|node| !stretch.contains(*node)).collect();
    // By another name somebody may look at it at any time.
    let is_array = matches!(variable.shape, Shape::Array(_));
    let is_element = |node: &Node<'t>| {
        node.parent().is_some_and(|parent| matches!(parent.kind(), "subscript_expression" | "argument_list"))
    };
    if outside.iter().any(|node| has_other_name(scope, *node) || is_array && !is_element(node)) {
        return Live::All;
    }
    let later: Vec<Node<'t>> = outside.iter().copied().filter(|node| stretch.is_before(*node)).collect();
    let again: Vec<Node<'t>> =
        outside.iter().copied().filter(|n| !stretch.is_before(*n) && within(n)).collect();
    let is_new = |node: &Node<'t>| is_overwritten(scope, *node, block);
    if later.iter().min_by_key(|node| node.start_byte()).is_some_and(is_new) {
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

/// Whether a use is the address of a variable that is kept.
fn has_other_name(scope: &Scope<'_>, name: Node<'_>) -> bool {
    let mut node = name;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "parenthesized_expression" | "cast_expression" => {}
            "pointer_expression" if scope.text(parent).starts_with('&') => {}
            "binary_expression" | "subscript_expression" => {}
            "init_declarator" | "assignment_expression" => {
                let is_target = parent.child_by_field_name("left") == Some(node)
                    || parent.child_by_field_name("declarator") == Some(node);
                let takes = node.kind() == "pointer_expression" && scope.text(node).starts_with('&');
                // An array, or a place in one.
                let target = parent
                    .child_by_field_name("declarator")
                    .is_some_and(|d| d.kind() == "pointer_declarator");
                return !is_target && (takes || target);
            }
            _ => return false,
        }
        node = parent;
    }
    false
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
