//! What variables and lists hold where a call is given them, as far as it stands in the text.

use frontend::mpi::{self, Direction};
use tree_sitter::Node;

use super::scope::{Scope, Shape, Variable, decimal};
use crate::text::{Call, descendants, function_of};

/// Characters of an expression that is worth the while.
const LONG_EXPRESSION: usize = 200;
/// Variables that get their values from one another.
const DEEPEST: usize = 4;

/// The value of an expression of numbers; `of_name` says what names of variables stand for.
pub(super) fn number_with<'t>(
    scope: &Scope<'t>,
    node: Node<'t>,
    of_name: &impl Fn(Node<'t>) -> Option<i64>,
) -> Option<i64> {
    if scope.text(node).len() > LONG_EXPRESSION {
        return None;
    }
    let inner = |node| number_with(scope, node, of_name);
    match node.kind() {
        "number_literal" => decimal(scope.text(node)),
        "identifier" => scope.number(scope.text(node)).or_else(|| of_name(node)),
        "parenthesized_expression" => inner(node.named_child(0)?),
        "unary_expression" if scope.text(node).starts_with('-') => {
            inner(node.child_by_field_name("argument")?)?.checked_neg()
        }
        "binary_expression" => {
            let left = inner(node.child_by_field_name("left")?)?;
            let right = inner(node.child_by_field_name("right")?)?;
            match node.child_by_field_name("operator")?.kind() {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The value of an expression of numbers and of variables that hold such.
pub(super) fn number<'t>(scope: &Scope<'t>, node: Node<'t>) -> Option<i64> {
    word(scope, node, DEEPEST)?.parse().ok()
}

/// What the elements of an array are where it is given to a call, by its name or as the address of a variable; each a number or a
/// constant of MPI.
pub(super) fn words<'t>(scope: &Scope<'t>, given: Node<'t>) -> Option<Vec<String>> {
    let is_address = given.kind() == "pointer_expression" && scope.text(given).starts_with('&');
    let name = if is_address { given.child_by_field_name("argument")? } else { given };
    let variable = (name.kind() == "identifier").then(|| scope.variable(name, scope.text(name)))??;
    (is_address == (variable.shape == Shape::Plain)).then(|| held(scope, &variable, name, DEEPEST))?
}

/// An expression as a number or a constant of MPI.
fn word<'t>(scope: &Scope<'t>, node: Node<'t>, depth: usize) -> Option<String> {
    if node.kind() == "identifier" && mpi::constant(scope.text(node)).is_some() {
        return Some(scope.text(node).to_owned());
    }
    let of_name = |name: Node<'t>| {
        let variable = scope.variable(name, scope.text(name)).filter(|v| v.shape == Shape::Plain)?;
        held(scope, &variable, name, depth.checked_sub(1)?)?.first()?.parse().ok()
    };
    number_with(scope, node, &of_name).map(|value| value.to_string())
}

/// What a variable holds at a place: its initial values, and what statements of the same block have put in their place before. Every
/// other use has to leave it alone.
fn held<'t>(
    scope: &Scope<'t>,
    variable: &Variable<'t>,
    place: Node<'t>,
    depth: usize,
) -> Option<Vec<String>> {
    let name = scope.text(variable.name);
    let block = variable.declaration.parent().filter(|block| block.kind() == "compound_statement")?;
    let jumps = descendants(function_of(block)?).into_iter().any(|node| node.kind() == "labeled_statement");
    let is_kept = ["static", "extern"].iter().any(|class| scope.has_storage(variable.declaration, class));
    let length = length(scope, variable)?;
    if jumps || is_kept || scope.is_in_macro(name) || scope.text(variable.declaration).contains("volatile") {
        return None;
    }
    let mut elements: Vec<Option<String>> = match variable.declarator.child_by_field_name("value") {
        Some(value) => initial(scope, value, length, depth)?,
        None => vec![None; length?],
    };
    let mut uses = scope.uses(variable)?;
    uses.sort_unstable_by_key(Node::start_byte);
    for found in uses {
        match Assigned::of(scope, variable, found) {
            Some(assigned) if assigned.statement.parent() == Some(block) => {
                if assigned.statement.end_byte() <= place.start_byte() {
                    *elements.get_mut(assigned.index)? = Some(word(scope, assigned.value, depth)?);
                }
            }
            Some(_) => return None,
            None if is_read(scope, variable, found) => {}
            None => return None,
        }
    }
    elements.into_iter().collect()
}

/// How many elements a variable has; `Some(None)` for an array that is as long as the list of its initial values.
#[expect(clippy::option_option, reason = "an unknown length, and one that the list gives, are different")]
fn length<'t>(scope: &Scope<'t>, variable: &Variable<'t>) -> Option<Option<usize>> {
    match &variable.shape {
        Shape::Plain => Some(Some(1)),
        Shape::Array(lengths) => match lengths.as_slice() {
            [None] => Some(None),
            [Some(length)] => {
                let length = number_with(scope, *length, &|_| None)?;
                usize::try_from(length).ok().filter(|&length| length <= super::simplify::LONGEST).map(Some)
            }
            _ => None,
        },
        Shape::Pointer | Shape::Other => None,
    }
}

fn initial<'t>(
    scope: &Scope<'t>,
    value: Node<'t>,
    length: Option<usize>,
    depth: usize,
) -> Option<Vec<Option<String>>> {
    if value.kind() != "initializer_list" {
        return (length == Some(1)).then(|| vec![word(scope, value, depth)]);
    }
    let mut cursor = value.walk();
    let mut all: Vec<Option<String>> = value
        .named_children(&mut cursor)
        .filter(|node| node.kind() != "comment")
        .map(|node| word(scope, node, depth).map(Some))
        .collect::<Option<_>>()?;
    // What a list leaves out is zero.
    let length = length.unwrap_or(all.len());
    let fits = all.len() <= length && length <= super::simplify::LONGEST;
    all.resize(length, Some("0".to_owned()));
    fits.then_some(all)
}

/// `name = value;` or `name[index] = value;`.
struct Assigned<'t> {
    statement: Node<'t>,
    index: usize,
    value: Node<'t>,
}

impl<'t> Assigned<'t> {
    fn of(scope: &Scope<'t>, variable: &Variable<'t>, name: Node<'t>) -> Option<Self> {
        let (target, index) = if variable.shape == Shape::Plain {
            (name, 0)
        } else {
            let element = name.parent().filter(|parent| {
                parent.kind() == "subscript_expression"
                    && parent.child_by_field_name("argument") == Some(name)
            })?;
            let index = number_with(scope, element.child_by_field_name("index")?, &|_| None)?;
            (element, usize::try_from(index).ok()?)
        };
        let assignment = target.parent().filter(|parent| parent.kind() == "assignment_expression")?;
        let sets = assignment.child_by_field_name("left") == Some(target)
            && assignment.child_by_field_name("operator")?.kind() == "=";
        let statement = assignment.parent().filter(|parent| parent.kind() == "expression_statement")?;
        let value = assignment.child_by_field_name("right")?;
        sets.then_some(Self { statement, index, value })
    }
}

/// Whether a use leaves a variable as it is.
fn is_read<'t>(scope: &Scope<'t>, variable: &Variable<'t>, name: Node<'t>) -> bool {
    let mut node = name;
    let is_array = variable.shape != Shape::Plain;
    if is_array
        && let Some(element) = name.parent().filter(|parent| parent.kind() == "subscript_expression")
        && element.child_by_field_name("argument") == Some(name)
    {
        node = element;
    }
    let Some(parent) = node.parent() else { return false };
    if is_array && node == name {
        return is_only_input(scope, node);
    }
    match parent.kind() {
        "update_expression" | "field_expression" => false,
        "assignment_expression" => parent.child_by_field_name("left") != Some(node),
        "pointer_expression" => !scope.text(parent).starts_with('&') || is_only_input(scope, parent),
        _ => true,
    }
}

/// Whether an address is given to a function that only reads what is there.
fn is_only_input<'t>(scope: &Scope<'t>, address: Node<'t>) -> bool {
    let call = address.parent().filter(|list| list.kind() == "argument_list").and_then(|list| list.parent());
    let Some(call) = call.and_then(|call| Call::around_loosely(scope.file, call).filter(|c| c.node == call))
    else {
        return super::cyclic::is_read_by_scalapack(scope, address);
    };
    let at = call.arguments().and_then(|all| all.iter().position(|argument| *argument == address));
    at.is_some_and(|at| call.mpi.params[at].direction == Direction::In) && !scope.is_macro(call.mpi.name)
}
