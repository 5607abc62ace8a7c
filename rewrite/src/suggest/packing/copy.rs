//! Loops that copy elements of an array into a list in order, or out of it.

use tree_sitter::Node;

use super::super::counted::Counted;
use super::super::places::Place;
use super::super::scope::{Scope, Shape, Variable};
use super::super::sum::Sum;
use super::datatype::Described;
use crate::text::{descendants, function_of};

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

/// A copy that goes on where an earlier one has ended.
pub(super) struct Part<'t> {
    pub(super) copy: Copy<'t>,
    pub(super) start: Start<'t>,
}

/// Where a copy begins in its list.
#[derive(Clone)]
pub(super) enum Start<'t> {
    At(Sum),
    /// Where the counter is, of which this is the name in the loop.
    Counter(Node<'t>),
}

/// Which side of an assignment is the list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Elements are copied into the list.
    Pack,
    /// Elements are copied out of the list.
    Unpack,
}

impl<'t> Part<'t> {
    /// What a statement copies: a loop that does nothing else, or an assignment.
    pub(super) fn of(scope: &Scope<'t>, statement: Node<'t>, way: Way) -> Option<Self> {
        let (loops, body) = match statement.kind() {
            "expression_statement" => (Vec::new(), vec![statement]),
            _ => Counted::nest(scope, statement)?,
        };
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
        let place = Place::of_any(scope, place)?;
        let array = list.child_by_field_name("argument").filter(|_| list.kind() == "subscript_expression")?;
        let index = list.child_by_field_name("index")?;
        let variable = (array.kind() == "identifier").then(|| scope.variable(array, scope.text(array)))??;
        if variable.name == place.variable.name || place.list().is_some_and(|l| l.name == variable.name) {
            return None;
        }
        if place.is_scalar() && !loops.is_empty() {
            return None;
        }
        let mut total = Sum::number(1);
        for one in &loops {
            total = total.times(&one.count)?;
        }
        let copy = Copy { region: statement, loops, list: variable, place, total, reset: None };
        let start = match counter(index) {
            Some(name) => Start::Counter(name),
            None => Start::At(copy.start(scope, index)?),
        };
        Some(Self { copy, start })
    }
}

impl<'t> Copy<'t> {
    /// The loop that a statement is, if it does nothing but copy to the list from its beginning, or from there.
    pub(super) fn of(scope: &Scope<'t>, statement: Node<'t>, way: Way) -> Option<Self> {
        let Part { mut copy, start } = Part::of(scope, statement, way)?;
        match start {
            Start::Counter(name) => {
                copy.reset = Some(counts_from_zero(scope, name, std::slice::from_ref(&copy), None)?)
            }
            Start::At(start) if start.equals(scope, &Sum::default()) => {}
            Start::At(_) => return None,
        }
        (!copy.loops.is_empty()).then_some(copy)
    }

    /// Where its first element is, as an expression of C.
    pub(super) fn address(&self, scope: &Scope<'t>) -> Result<String, String> {
        let first = self.place.first(&self.loops).ok_or("the first element has no short name")?;
        Ok(first.address(scope))
    }

    /// The elements as a datatype, with new names that begin with `name`.
    pub(super) fn described(&self, scope: &Scope<'t>, datatype: &str, name: &str) -> Option<Described> {
        let c_type = scope.type_of(&self.list)?;
        let basic = (datatype, c_type.as_str());
        match self.place.walk(scope, &self.loops) {
            Some(walk) => walk.described(scope, basic, name),
            None => self.place.list_walk(scope, &self.loops)?.described(scope, basic, name),
        }
    }

    /// Where an index begins that runs upwards, one after the other.
    fn start(&self, scope: &Scope<'t>, index: Node<'t>) -> Option<Sum> {
        let mut step = Sum::number(1);
        let mut rest = Sum::of(scope, index)?;
        for one in self.loops.iter().rev() {
            let (factor, _) = rest.split(one.variable)?;
            if !factor.equals(scope, &step) {
                return None;
            }
            (step, rest) = (step.times(&one.count)?, rest.with(one.variable, &one.first)?);
        }
        Some(rest)
    }
}

/// The statement that sets a counter to 0 before copies that follow one another, each of which uses it once. What else uses it, but an
/// argument that it is given as, sets it to 0 first.
pub(super) fn counts_from_zero<'t>(
    scope: &Scope<'t>,
    name: Node<'t>,
    copies: &[Copy<'t>],
    argument: Option<Node<'t>>,
) -> Option<Node<'t>> {
    let (region, last) = (copies.first()?.region, copies.last()?.region);
    let variable = scope.variable(name, scope.text(name))?;
    let before = previous(region).filter(|before| is_reset(scope, *before, scope.text(name)));
    let reset = before.unwrap_or(variable.declaration);
    let after = next(last);
    let is_zero = || {
        let value = variable.declarator.child_by_field_name("value");
        value.is_some_and(|value| scope.text(value) == "0")
            && !scope.has_storage(variable.declaration, "static")
            && is_done_once(region, variable.declaration)
    };
    let own = |node: &Node<'t>| {
        let mut regions = copies.iter().map(|copy| copy.region).chain([reset]).chain(argument);
        let is_behind = after.is_some_and(|after| contains(after, *node));
        regions.any(|region| contains(region, *node))
            || (before.is_some() && !is_behind && counts_anew(scope, *node))
    };
    let is_once = copies.iter().all(|copy| {
        let all = descendants(copy.region).into_iter();
        all.filter(|node| node.kind() == "identifier" && scope.text(*node) == scope.text(name)).count() == 1
    });
    let is_own = variable.shape == Shape::Plain
        && is_once
        && (before.is_some() || is_zero())
        && scope.uses(&variable)?.iter().all(own);
    is_own.then_some(reset)
}

/// Whether a statement is come to at most once after a declaration in a block around it: there are only branches between.
fn is_done_once(statement: Node<'_>, declaration: Node<'_>) -> bool {
    let mut node = statement;
    while let Some(parent) = node.parent() {
        if Some(parent) == declaration.parent() {
            let function = function_of(declaration);
            return function.is_some_and(|function| {
                descendants(function).into_iter().all(|node| node.kind() != "labeled_statement")
            });
        }
        if !matches!(parent.kind(), "compound_statement" | "if_statement" | "else_clause") {
            return false;
        }
        node = parent;
    }
    false
}

/// Whether a use of a counter sets it to 0, or is in copies that do so before, or in the call behind such copies.
fn counts_anew<'t>(scope: &Scope<'t>, name: Node<'t>) -> bool {
    let text = scope.text(name);
    let is_counted = |statement: Node<'t>| {
        let part = Part::of(scope, statement, Way::Pack).or_else(|| Part::of(scope, statement, Way::Unpack));
        part.is_some_and(|part| matches!(part.start, Start::Counter(name) if scope.text(name) == text))
    };
    let around: Vec<Node<'t>> = std::iter::successors(Some(name), Node::parent).collect();
    let counted = around.iter().rfind(|node| is_counted(**node));
    let Some(&statement) =
        counted.or_else(|| around.iter().find(|node| node.kind() == "expression_statement"))
    else {
        return false;
    };
    let mut first = Some(statement);
    while let Some(node) = first {
        if is_reset(scope, node, text) {
            return true;
        }
        if node != statement && !is_counted(node) {
            return false;
        }
        first = previous(node);
    }
    false
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
