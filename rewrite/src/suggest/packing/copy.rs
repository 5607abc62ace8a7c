//! Loops that copy elements of an array into a list in order, or out of it.

use tree_sitter::Node;

use super::super::counted::Counted;
use super::super::places::Place;
use super::super::scope::{Scope, Shape, Variable};
use super::super::sum::Sum;
use crate::text::descendants;

/// A loop that copies between a list, the elements of which it goes through one after the other, and another array.
pub(super) struct Copy<'t> {
    /// The loop.
    pub(super) region: Node<'t>,
    pub(super) loops: Vec<Counted<'t>>,
    /// The list.
    pub(super) list: Variable<'t>,
    /// Where an element of the list comes from, or goes to.
    pub(super) place: Place<'t>,
    /// Elements of the list.
    pub(super) total: Sum,
    /// The statement that sets the counter of the list to 0, if the loop has one.
    pub(super) reset: Option<Node<'t>>,
}

/// Which side of an assignment is the list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Elements are copied into the list.
    Pack,
    /// Elements are copied out of the list.
    Unpack,
}

impl<'t> Copy<'t> {
    /// The loop that a statement is, if it does nothing but copy.
    pub(super) fn of(scope: &Scope<'t>, statement: Node<'t>, way: Way) -> Option<Self> {
        let (loops, body) = Counted::nest(scope, statement)?;
        let [first] = body.as_slice() else { return None };
        let assignment = (first.kind() == "expression_statement").then(|| first.named_child(0))??;
        if assignment.kind() != "assignment_expression"
            || assignment.child_by_field_name("operator")?.kind() != "="
        {
            return None;
        }
        let (left, right) =
            (assignment.child_by_field_name("left")?, assignment.child_by_field_name("right")?);
        let (list, place) = if way == Way::Pack { (left, right) } else { (right, left) };
        let place = Place::of(scope, place)?;
        let array = list.child_by_field_name("argument").filter(|_| list.kind() == "subscript_expression")?;
        let index = list.child_by_field_name("index")?;
        let variable = (array.kind() == "identifier").then(|| scope.variable(array, scope.text(array)))??;
        if variable.name == place.variable.name {
            return None;
        }
        let mut total = Sum::number(1);
        for one in &loops {
            total = total.times(&one.count)?;
        }
        let mut copy = Self { region: statement, loops, list: variable, place, total, reset: None };
        match counter(index) {
            Some(name) => copy.reset = Some(copy.counts_from_zero(scope, name)?),
            None if copy.is_in_order(scope, index) => {}
            None => return None,
        }
        Some(copy)
    }

    /// Whether an index runs from 0 upwards, one after the other.
    fn is_in_order(&self, scope: &Scope<'t>, index: Node<'t>) -> bool {
        let Some(index) = Sum::of(scope, index) else { return false };
        let mut step = Sum::number(1);
        let mut rest = index;
        for one in self.loops.iter().rev() {
            let Some((factor, _)) = rest.split(one.variable) else { return false };
            let (Some(next), Some(at_first)) = (step.times(&one.count), rest.with(one.variable, &one.first))
            else {
                return false;
            };
            if !factor.equals(scope, &step) {
                return false;
            }
            (step, rest) = (next, at_first);
        }
        rest.equals(scope, &Sum::default())
    }

    /// The statement that sets a counter to 0 before the loop, if nothing else uses it.
    fn counts_from_zero(&self, scope: &Scope<'t>, name: Node<'t>) -> Option<Node<'t>> {
        let variable = scope.variable(name, scope.text(name))?;
        let before = previous(self.region)?;
        let reset = if is_reset(scope, before, scope.text(name)) { before } else { variable.declaration };
        let is_zero = || {
            let value = variable.declarator.child_by_field_name("value");
            value.is_some_and(|value| scope.text(value) == "0")
                && variable.declaration.parent() == self.region.parent()
        };
        let own = |node: &Node<'t>| [self.region, reset].iter().any(|region| contains(*region, *node));
        let in_place = descendants(self.region)
            .into_iter()
            .filter(|node| node.kind() == "identifier" && scope.text(*node) == scope.text(name))
            .count();
        let is_own = variable.shape == Shape::Plain
            && in_place == 1
            && (reset == before || is_zero())
            && scope.uses(&variable)?.iter().all(own);
        is_own.then_some(reset)
    }
}

/// The counter of `list[k++]`.
fn counter(index: Node<'_>) -> Option<Node<'_>> {
    let name = index.child_by_field_name("argument")?;
    let counts = index.kind() == "update_expression"
        && index.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "++")
        // `++k` would be the one after it.
        && index.child(0) == Some(name);
    (counts && name.kind() == "identifier").then_some(name)
}

fn is_reset(scope: &Scope<'_>, statement: Node<'_>, name: &str) -> bool {
    let inner = (statement.kind() == "expression_statement").then(|| statement.named_child(0)).flatten();
    inner.is_some_and(|inner| {
        let text = |field| inner.child_by_field_name(field).map(|node| scope.text(node));
        inner.kind() == "assignment_expression"
            && text("left") == Some(name)
            && text("operator") == Some("=")
            && text("right") == Some("0")
    })
}

/// The statement before one in its block.
pub(super) fn previous(node: Node<'_>) -> Option<Node<'_>> {
    let mut before = node.prev_named_sibling()?;
    while before.kind() == "comment" {
        before = before.prev_named_sibling()?;
    }
    Some(before)
}

/// The statement after one in its block.
pub(super) fn next(node: Node<'_>) -> Option<Node<'_>> {
    let mut after = node.next_named_sibling()?;
    while after.kind() == "comment" {
        after = after.next_named_sibling()?;
    }
    Some(after)
}

/// Whether a node is inside of another, or is it.
pub(super) fn contains(region: Node<'_>, node: Node<'_>) -> bool {
    region.start_byte() <= node.start_byte() && node.end_byte() <= region.end_byte()
}

/// The array that a buffer argument names: `list` or `&list[0]`.
pub(super) fn array_of<'t>(scope: &Scope<'t>, buffer: Node<'t>) -> Option<Variable<'t>> {
    let mut node = buffer;
    if node.kind() == "pointer_expression" && scope.text(node).starts_with('&') {
        let element = node.child_by_field_name("argument")?;
        let is_first = element.kind() == "subscript_expression"
            && scope.text(element.child_by_field_name("index")?) == "0";
        node = is_first.then(|| element.child_by_field_name("argument"))??;
    }
    (node.kind() == "identifier").then(|| scope.variable(node, scope.text(node)))?
}
