//! Loops that count upwards, and loops within them.

use tree_sitter::Node;

use super::scope::{Scope, names};
use super::sum::Sum;
use super::sweep::{start_of, starts_anew};
use crate::text::statements;

/// A loop over the values `first`, `first + 1`, ... of a variable.
#[derive(Clone)]
pub(super) struct Counted<'t> {
    /// The name of the variable.
    pub(super) variable: &'t str,
    /// Its first value.
    pub(super) first: Sum,
    /// How many values there are. Where it is negative there are none.
    pub(super) count: Sum,
    /// What is done for each value.
    pub(super) body: Node<'t>,
}

impl<'t> Counted<'t> {
    /// The loop that a statement is; `None` too where the value that the variable has after the loop may be used. That the body leaves
    /// variable and bounds alone is for the caller to see.
    pub(super) fn of(scope: &Scope<'t>, statement: Node<'t>) -> Option<Self> {
        if statement.kind() != "for_statement" {
            return None;
        }
        let update = statement.child_by_field_name("update")?;
        let (target, counts) = match update.kind() {
            "update_expression" => {
                (update.child_by_field_name("argument")?, scope.text(update).contains("++"))
            }
            "assignment_expression" => (
                update.child_by_field_name("left")?,
                update.child_by_field_name("operator")?.kind() == "+="
                    && scope.text(update.child_by_field_name("right")?) == "1",
            ),
            _ => return None,
        };
        let variable = (counts && target.kind() == "identifier").then(|| scope.text(target))?;
        let initializer = statement.child_by_field_name("initializer")?;
        let first = Sum::of(scope, start_of(scope, initializer, variable)?)?;
        let condition = statement.child_by_field_name("condition")?;
        if scope.text(condition.child_by_field_name("left")?) != variable {
            return None;
        }
        let bound = condition.child_by_field_name("right")?;
        let beyond = match condition.child_by_field_name("operator")?.kind() {
            "<" => Sum::of(scope, bound)?,
            "<=" => Sum::of(scope, bound)?.plus(&Sum::number(1))?,
            _ => return None,
        };
        if names(scope.file, bound).contains(&variable) {
            return None;
        }
        let found = scope.variable(target, variable)?;
        let ends_here = initializer.kind() == "declaration"
            || !scope.is_in_macro(variable)
                && scope.uses(&found)?.into_iter().all(|node| starts_anew(scope, node, variable));
        let body = only_statement(statement.child_by_field_name("body")?)?;
        let count = beyond.minus(&first)?;
        ends_here.then_some(Self { variable, first, count, body })
    }

    /// Loops that consist of one another, the outermost first, and the statements of the innermost.
    pub(super) fn nest(scope: &Scope<'t>, statement: Node<'t>) -> Option<(Vec<Self>, Vec<Node<'t>>)> {
        let mut all: Vec<Self> = Vec::new();
        let mut next = statement;
        loop {
            let one = Self::of(scope, next)?;
            // The inner bounds must be the same each time.
            let moves = |outer: &Self| {
                let mut names = one.first.names().chain(one.count.names());
                outer.variable == one.variable
                    || names.any(|name| super::scope::has_word(name, outer.variable))
            };
            if all.iter().any(moves) {
                return None;
            }
            let body = one.body;
            all.push(one);
            let inner = match body.kind() {
                "compound_statement" => statements(body)?,
                _ => vec![body],
            };
            match inner.as_slice() {
                [only] if only.kind() == "for_statement" => next = *only,
                _ => return Some((all, inner)),
            }
        }
    }
}

/// The statement that a block consists of; the block itself where it has another number of statements.
fn only_statement(body: Node<'_>) -> Option<Node<'_>> {
    if body.kind() != "compound_statement" {
        return Some(body);
    }
    Some(match statements(body)?.as_slice() {
        [only] if only.kind() != "declaration" => *only,
        _ => body,
    })
}
