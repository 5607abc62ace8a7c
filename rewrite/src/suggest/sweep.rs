//! A loop that does nothing but one call, once for each value of a variable.

use tree_sitter::Node;

use super::scope::{Scope, Variable, names};
use crate::text::{Call, statements};

/// A call in a loop over one variable.
pub(super) struct Sweep<'t> {
    /// The loop.
    pub(super) region: Node<'t>,
    /// The name of the variable.
    pub(super) variable: &'t str,
    /// What the loop and conditions around the call compute.
    pub(super) header: Vec<Node<'t>>,
    /// The statement of the loop that the call is, or is in.
    pub(super) first: Node<'t>,
    /// What follows it in the loop.
    pub(super) rest: Vec<Node<'t>>,
}

impl<'t> Sweep<'t> {
    /// The loop around a call; `None` where there is something else before the call, or the value of its variable may be used later.
    pub(super) fn around(scope: &Scope<'t>, call: &Call<'t>) -> Option<Self> {
        let inner = call.statement.named_child(0)?;
        if inner != call.node
            && (inner.kind() != "assignment_expression"
                || inner.child_by_field_name("right") != Some(call.node))
        {
            return None;
        }
        let (mut node, mut header, mut rest) = (call.statement, Vec::new(), Vec::new());
        let mut first = node;
        let region = loop {
            let parent = node.parent()?;
            match parent.kind() {
                "compound_statement" => {
                    let all = statements(parent)?;
                    if all.first() != Some(&node) || !rest.is_empty() {
                        return None;
                    }
                    rest.extend(&all[1..]);
                    first = node;
                    if !rest.is_empty() && parent.parent()?.kind() != "for_statement" {
                        return None;
                    }
                }
                "if_statement" if parent.child_by_field_name("alternative").is_none() => {
                    header.push(parent.child_by_field_name("condition")?);
                }
                "for_statement" => break parent,
                _ => return None,
            }
            node = parent;
        };
        let update = region.child_by_field_name("update")?;
        let variable = match update.kind() {
            "update_expression" => update.child_by_field_name("argument")?,
            "assignment_expression" => {
                header.push(update.child_by_field_name("right")?);
                update.child_by_field_name("left")?
            }
            _ => return None,
        };
        let variable = (variable.kind() == "identifier").then(|| scope.text(variable))?;
        header.push(region.child_by_field_name("condition")?);
        let initializer = region.child_by_field_name("initializer")?;
        header.push(start_of(scope, initializer, variable)?);
        let sweep = Self { region, variable, header, first, rest };
        let pure = sweep.header.iter().all(|&node| scope.is_pure(node));
        (pure && sweep.ends_with_loop(scope, initializer)).then_some(sweep)
    }

    /// Whether the value that the variable has after the loop is used nowhere.
    fn ends_with_loop(&self, scope: &Scope<'t>, initializer: Node<'t>) -> bool {
        if initializer.kind() == "declaration" {
            return true;
        }
        let Some(variable) = scope.variable(self.region, self.variable) else { return false };
        if scope.is_in_macro(self.variable) {
            return false;
        }
        scope
            .uses(&variable)
            .is_some_and(|uses| uses.into_iter().all(|node| starts_anew(scope, node, self.variable)))
    }

    /// Whether an expression depends on the variable.
    pub(super) fn moves(&self, scope: &Scope<'t>, expression: Node<'t>) -> bool {
        names(scope.file, expression).contains(&self.variable)
    }

    /// Whether the loop is the same each time it is come to: all that it depends on has one value for good.
    pub(super) fn is_settled(&self, scope: &Scope<'t>) -> bool {
        let settled = |name: &str| {
            name == self.variable
                || scope
                    .variable(self.region, name)
                    .is_none_or(|variable: Variable<'t>| scope.is_settled(&variable))
        };
        self.header.iter().all(|&node| names(scope.file, node).into_iter().all(settled))
    }
}

/// The first value that a loop gives its variable.
pub(super) fn start_of<'t>(scope: &Scope<'_>, initializer: Node<'t>, variable: &str) -> Option<Node<'t>> {
    let (name, value) = match initializer.kind() {
        "assignment_expression" => {
            (initializer.child_by_field_name("left")?, initializer.child_by_field_name("right")?)
        }
        "declaration" => {
            let mut cursor = initializer.walk();
            let mut all = initializer.children_by_field_name("declarator", &mut cursor);
            let only = all.next().filter(|_| all.next().is_none())?;
            (only.child_by_field_name("declarator")?, only.child_by_field_name("value")?)
        }
        _ => return None,
    };
    (scope.text(name) == variable).then_some(value)
}

/// Whether a use of a variable is in a loop that gives it its first value.
pub(super) fn starts_anew(scope: &Scope<'_>, name: Node<'_>, variable: &str) -> bool {
    let mut node = name;
    while let Some(parent) = node.parent() {
        let begins = parent.kind() == "for_statement"
            && parent.child_by_field_name("initializer").is_some_and(|initializer| {
                initializer.kind() == "assignment_expression"
                    && start_of(scope, initializer, variable)
                        .is_some_and(|value| !names(scope.file, value).contains(&variable))
            });
        if begins {
            return true;
        }
        node = parent;
    }
    false
}
