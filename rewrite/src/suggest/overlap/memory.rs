//! Parts of memory that calls send and receive, and whether statements leave them alone.

use frontend::mpi;
use tree_sitter::Node;

use super::super::aliases::are_apart;
use super::super::counted::Counted;
use super::super::places::{Place, Range};
use super::super::scope::{Scope, Shape, Variable};
use super::super::sum::Sum;
use crate::text::descendants;

/// What a buffer is.
pub(super) struct Part<'t> {
    pub(super) variable: Variable<'t>,
    /// The elements in each dimension; all of the variable where there is none.
    ranges: Option<Vec<Option<Range>>>,
}

/// Why two things may be the same memory.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// They are, or may be for all that is known.
    Touched,
    /// Only if pointers lead to the same memory, which the text does not tell.
    Alias(String),
}

/// Functions of the C library that compute a number from numbers.
const COMPUTES: [&str; 18] = [
    "sqrt", "fabs", "exp", "log", "pow", "sin", "cos", "tan", "atan", "atan2", "floor", "ceil", "fmax",
    "fmin", "fmod", "cbrt", "tanh", "abs",
];

/// Statements that may go elsewhere than to the next one, or do what is not seen.
const LEAVES: [&str; 9] = [
    "return_statement",
    "goto_statement",
    "break_statement",
    "continue_statement",
    "labeled_statement",
    "switch_statement",
    "gnu_asm_expression",
    "ERROR",
    "preproc_call",
];

impl<'t> Part<'t> {
    /// The buffer of a call, its elements counted by the arguments at two places; `None` where it is no variable with a name.
    pub(super) fn of_buffer(
        scope: &Scope<'t>,
        buffer: Node<'t>,
        count: Node<'t>,
        datatype: Node<'t>,
    ) -> Option<Self> {
        let is_address = buffer.kind() == "pointer_expression" && scope.text(buffer).starts_with('&');
        let inner = if is_address { buffer.child_by_field_name("argument")? } else { buffer };
        let mut base = inner;
        while base.kind() == "subscript_expression" {
            base = base.child_by_field_name("argument")?;
        }
        let variable = (base.kind() == "identifier").then(|| scope.variable(base, scope.text(base)))??;
        // A derived datatype may lead from one variable to another.
        let is_predefined = mpi::constant(scope.text(datatype)).is_some();
        if !is_predefined || variable.shape == Shape::Other || (variable.shape == Shape::Plain && !is_address)
        {
            return None;
        }
        // An element of an array of pointers is somewhere else.
        let depth = usize::from(!is_address) + descents(inner);
        let dimensions = variable.dimensions();
        if dimensions < depth {
            return None;
        }
        let is_element = is_address || depth == dimensions;
        let ranges =
            is_element.then(|| Self::ranges(scope, &variable, inner, count, scope.text(datatype))).flatten();
        Some(Self { variable, ranges })
    }

    /// The elements from `first` on.
    fn ranges(
        scope: &Scope<'t>,
        variable: &Variable<'t>,
        first: Node<'t>,
        count: Node<'t>,
        datatype: &str,
    ) -> Option<Vec<Option<Range>>> {
        let place = Place::start(scope, first)?;
        let count = Sum::of(scope, count)?;
        let row = scope.has_elements(variable, datatype).then(|| place.row(scope, &count))??;
        settled(scope, first, row)
    }

    /// Whether two buffers may have memory in common.
    pub(super) fn meets(&self, scope: &Scope<'t>, other: &Self) -> Result<(), Conflict> {
        if self.variable.name == other.variable.name {
            let beside = match (&self.ranges, &other.ranges) {
                (Some(a), Some(b)) => Place::are_beside(scope, a, b),
                _ => false,
            };
            return if beside { Ok(()) } else { Err(Conflict::Touched) };
        }
        are_apart(scope, &self.variable, &other.variable).map_err(Conflict::Alias)
    }
}

fn descents(mut node: Node<'_>) -> usize {
    let mut depth = 0;
    while node.kind() == "subscript_expression"
        && let Some(inner) = node.child_by_field_name("argument")
    {
        depth += 1;
        node = inner;
    }
    depth
}

/// Whether a statement leaves alone what is received, does not change what is sent, and goes on to the next statement.
pub(super) fn is_independent<'t>(
    scope: &Scope<'t>,
    statement: Node<'t>,
    sent: &[Part<'t>],
    received: &[Part<'t>],
) -> Result<(), Conflict> {
    let mut aliased = None;
    for node in descendants(statement) {
        let checked = match node.kind() {
            "identifier" => access(scope, node, statement, sent, received),
            "call_expression" => computes(scope, node),
            "update_expression" | "assignment_expression" => sets(scope, node),
            "pointer_expression" if scope.text(node).starts_with('&') => Err(Conflict::Touched),
            kind if LEAVES.contains(&kind) || kind.starts_with("preproc") => Err(Conflict::Touched),
            _ => Ok(()),
        };
        match checked {
            Err(Conflict::Alias(why)) => aliased = aliased.or(Some(why)),
            other => other?,
        }
    }
    aliased.map_or(Ok(()), |why| Err(Conflict::Alias(why)))
}

/// A call may only compute.
fn computes(scope: &Scope<'_>, call: Node<'_>) -> Result<(), Conflict> {
    let function = call.child_by_field_name("function").map(|function| scope.text(function));
    let fine = function.is_some_and(|name| COMPUTES.contains(&name) && !scope.is_macro(name));
    if fine { Ok(()) } else { Err(Conflict::Touched) }
}

/// Pointers keep their values.
fn sets<'t>(scope: &Scope<'t>, change: Node<'t>) -> Result<(), Conflict> {
    let target = change.child_by_field_name("left").or_else(|| change.child_by_field_name("argument"));
    let Some(target) = target else { return Err(Conflict::Touched) };
    let fine = target.kind() != "identifier"
        || scope.variable(target, scope.text(target)).is_some_and(|variable| variable.shape == Shape::Plain);
    if fine { Ok(()) } else { Err(Conflict::Touched) }
}

/// A name in a statement against all buffers.
fn access<'t>(
    scope: &Scope<'t>,
    name: Node<'t>,
    statement: Node<'t>,
    sent: &[Part<'t>],
    received: &[Part<'t>],
) -> Result<(), Conflict> {
    let text = scope.text(name);
    let is_function = name.parent().is_some_and(|parent| {
        parent.kind() == "call_expression" && parent.child_by_field_name("function") == Some(name)
    });
    if is_function || scope.number(text).is_some() {
        return Ok(());
    }
    let Some(variable) = scope.variable(name, text) else { return Err(Conflict::Touched) };
    if scope.text(variable.declaration).contains("volatile") {
        return Err(Conflict::Touched);
    }
    // What is declared here is new.
    if variable.name == name {
        return if variable.shape == Shape::Plain { Ok(()) } else { Err(Conflict::Touched) };
    }
    let mut element = name;
    while let Some(parent) = element.parent()
        && parent.kind() == "subscript_expression"
        && parent.child_by_field_name("argument") == Some(element)
    {
        element = parent;
    }
    let is_followed = element.parent().is_some_and(|parent| parent.kind() == "pointer_expression");
    let is_first = variable.shape == Shape::Pointer && element == name && is_followed;
    // Neither an element nor a number: an address that leads elsewhere, or pointers by another name.
    if descents(element) != variable.dimensions() && !is_first
        || variable.shape == Shape::Plain && is_followed
    {
        return Err(Conflict::Touched);
    }
    let changes = is_changed(element);
    let buffers = received.iter().chain(sent.iter().filter(|_| changes));
    let mut aliased = None;
    for buffer in buffers {
        if buffer.variable.name == variable.name {
            let ranges = Place::of(scope, element)
                .and_then(|place| Some(place.ranges(&loops_around(scope, element, statement)?)))
                .and_then(|ranges| settled(scope, element, ranges));
            let beside = match (&ranges, &buffer.ranges) {
                (Some(a), Some(b)) => Place::are_beside(scope, a, b),
                _ => false,
            };
            if !beside {
                return Err(Conflict::Touched);
            }
            continue;
        }
        if let Err(why) = are_apart(scope, &variable, &buffer.variable) {
            aliased = Some(why);
        }
    }
    // Members that are pointers lead anywhere.
    let in_member = element.parent().is_some_and(|parent| parent.kind() == "field_expression");
    if in_member || (variable.shape == Shape::Other) {
        return Err(Conflict::Touched);
    }
    aliased.map_or(Ok(()), |why| Err(Conflict::Alias(why)))
}

fn is_changed(element: Node<'_>) -> bool {
    let mut node = element;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "assignment_expression" => return parent.child_by_field_name("left") == Some(node),
            "update_expression" => return true,
            "parenthesized_expression" | "pointer_expression" | "field_expression" => node = parent,
            _ => return false,
        }
    }
    false
}

/// The loops around an element in a statement, all of which count; `None` where something else changes what one of them counts with.
fn loops_around<'t>(scope: &Scope<'t>, element: Node<'t>, statement: Node<'t>) -> Option<Vec<Counted<'t>>> {
    let mut loops: Vec<Counted<'t>> = Vec::new();
    let mut node = element;
    while node != statement {
        let parent = node.parent()?;
        match parent.kind() {
            "for_statement" if parent.child_by_field_name("body") == Some(node) => {
                let one = Counted::of(scope, parent)?;
                if changes(scope, node, one.variable) || loops.iter().any(|l| l.variable == one.variable) {
                    return None;
                }
                loops.insert(0, one);
            }
            "while_statement" | "do_statement" | "for_statement" => return None,
            _ => {}
        }
        node = parent;
    }
    Some(loops)
}

/// Whether a statement gives a variable another value, or the name to another variable.
fn changes<'t>(scope: &Scope<'t>, statement: Node<'t>, name: &str) -> bool {
    descendants(statement).into_iter().any(|change| {
        let is_name = change.kind() == "identifier" && scope.text(change) == name;
        if is_name && scope.variable(change, name).is_some_and(|variable| variable.name == change) {
            return true;
        }
        let target = match change.kind() {
            "assignment_expression" => change.child_by_field_name("left"),
            "update_expression" => change.child_by_field_name("argument"),
            _ => None,
        };
        target.is_some_and(|target| scope.text(target) == name)
    })
}

/// Ranges of indices, if all that they are computed from is the same throughout the function.
fn settled<'t>(scope: &Scope<'t>, at: Node<'t>, ranges: Vec<Option<Range>>) -> Option<Vec<Option<Range>>> {
    let is_settled = |name: &str| {
        scope.number(name).is_some()
            || scope.variable(at, name).is_some_and(|variable| scope.is_settled(&variable))
    };
    let names = ranges.iter().flatten().flat_map(|(low, high)| low.names().chain(high.names()));
    let all_settled = names.into_iter().all(is_settled);
    all_settled.then_some(ranges)
}

/// Whether the arguments of a call are computed from numbers that no message changes.
pub(super) fn is_fixed<'t>(scope: &Scope<'t>, expression: Node<'t>, received: &[Part<'t>]) -> bool {
    let reads_memory = |node: Node<'t>| {
        matches!(node.kind(), "subscript_expression" | "field_expression")
            || (node.kind() == "pointer_expression" && scope.text(node).starts_with('*'))
    };
    scope.is_pure(expression)
        && descendants(expression).into_iter().all(|node| {
            !reads_memory(node)
                && (node.kind() != "identifier"
                    || received.iter().all(|part| {
                        scope
                            .variable(node, scope.text(node))
                            .is_none_or(|variable| variable.name != part.variable.name)
                    }))
        })
}

/// Rounds of a loop that are worth the while.
const ROUNDS: i64 = 16;

/// Whether a statement computes something in a loop, so that it takes time.
pub(super) fn takes_time<'t>(scope: &Scope<'t>, statement: Node<'t>) -> bool {
    rounds(scope, statement).is_none_or(|rounds| ROUNDS <= rounds)
}

/// How often the innermost loops of a statement assign something; `None` where that is not known.
fn rounds<'t>(scope: &Scope<'t>, node: Node<'t>) -> Option<i64> {
    if node.kind() == "for_statement" {
        let body = node.child_by_field_name("body")?;
        let assigns = descendants(body).into_iter().any(|inner| inner.kind() == "assignment_expression");
        if !assigns {
            return Some(0);
        }
        let count = Counted::of(scope, node)?.count.value(scope)?;
        return count.checked_mul(rounds(scope, body)?.max(1));
    }
    let mut cursor = node.walk();
    let all: Vec<_> = node.named_children(&mut cursor).collect();
    all.into_iter().try_fold(0, |most: i64, child| Some(most.max(rounds(scope, child)?)))
}
