//! What is done with each message when it has been received: parts that are added up, or of which the greatest is kept.

use analyzer::results::ProgramReport;
use frontend::mpi::{self, Role, TypeGroup};
use tree_sitter::Node;

use super::forgotten::Received;
use super::scope::{Scope, Shape, names};
use super::sweep::Sweep;
use crate::text::{Call, statements};

/// Messages that are combined with what the root has.
pub(super) struct Combined<'t> {
    /// The operation, `MPI_SUM`.
    pub(super) operation: &'static str,
    /// The buffer that holds the result.
    pub(super) place: String,
    /// The variable that each message is received in.
    part: Node<'t>,
    /// The loop.
    region: Node<'t>,
}

/// What follows a receive in a loop over all processes, if it combines what was received with a variable, and does nothing else.
pub(super) fn combined<'t>(scope: &Scope<'t>, call: &Call<'t>, sweep: &Sweep<'t>) -> Option<Combined<'t>> {
    let [statement] = sweep.rest.as_slice() else { return None };
    let buffer = call.argument(Role::RecvBuffer)?;
    let count = call.argument(Role::Count)?;
    let datatype = scope.text(call.argument(Role::Datatype)?);
    if sweep.moves(scope, buffer) || sweep.moves(scope, count) || !scope.is_pure(count) {
        return None;
    }
    let (part, is_array) = match buffer.kind() {
        "pointer_expression" if scope.text(buffer).starts_with('&') => {
            (buffer.child_by_field_name("argument")?, false)
        }
        "identifier" => (buffer, true),
        _ => return None,
    };
    if part.kind() != "identifier" {
        return None;
    }
    let (operation, target, source) = match is_array {
        false => (scope.text(count) == "1").then(|| step(scope, *statement))??,
        true => elementwise(scope, *statement, scope.text(count))?,
    };
    let variable = scope.variable(part, scope.text(part))?;
    let result = scope.variable(target, scope.text(target))?;
    let is_part = scope.text(source) == scope.text(part) && result.name != variable.name;
    let shaped = match is_array {
        // A pointer may be one into the other array.
        true => {
            matches!(variable.shape, Shape::Array(_))
                && matches!(result.shape, Shape::Array(_) | Shape::Pointer)
        }
        false => [&variable, &result].iter().all(|v| v.shape == Shape::Plain),
    };
    let typed = [&variable, &result].iter().all(|v| scope.has_elements(v, datatype));
    if !is_part || !shaped || !typed || scope.text(target) == sweep.variable {
        return None;
    }
    let place = if is_array { scope.text(target).to_owned() } else { format!("&{}", scope.text(target)) };
    Some(Combined { operation, place, part, region: sweep.region })
}

impl<'t> Combined<'t> {
    /// Whether the result is the same in whatever order the parts are combined, and nobody looks at the last part; or why not.
    pub(super) fn is_exact(
        &self,
        scope: &Scope<'t>,
        report: &ProgramReport,
        count: &str,
        datatype: &str,
    ) -> Result<(), String> {
        let group = mpi::constant(datatype).and_then(|c| c.datatype()).map(|datatype| datatype.group);
        let ordered = matches!(self.operation, "MPI_MAX" | "MPI_MIN");
        if group != Some(TypeGroup::CInteger) {
            return Err(match ordered {
                true => "numbers that are not comparable (NaN) may make a difference".to_owned(),
                false => "adding in another order may round differently".to_owned(),
            });
        }
        let received = scope.variable(self.part, scope.text(self.part)).map(|variable| Received {
            scope,
            report,
            variable,
            count,
            region: self.region,
        });
        match received.is_some_and(|received| received.is_forgotten()) {
            true => Ok(()),
            false => Err(format!("`{}` holds the last part after the loop", scope.text(self.part))),
        }
    }
}

/// `sum += part`, or `if (part > most) most = part`: the operation, the result and the part.
fn step<'t>(scope: &Scope<'t>, statement: Node<'t>) -> Option<(&'static str, Node<'t>, Node<'t>)> {
    if statement.kind() == "if_statement" {
        return greater(scope, statement);
    }
    let assignment = only_assignment(statement)?;
    let (left, right) = (assignment.child_by_field_name("left")?, assignment.child_by_field_name("right")?);
    let operation = match assignment.child_by_field_name("operator")?.kind() {
        "+=" => "MPI_SUM",
        "*=" => "MPI_PROD",
        "&=" => "MPI_BAND",
        "|=" => "MPI_BOR",
        "^=" => "MPI_BXOR",
        "=" if right.kind() == "binary_expression" => {
            let operation = match right.child_by_field_name("operator")?.kind() {
                "+" => "MPI_SUM",
                "*" => "MPI_PROD",
                _ => return None,
            };
            let (a, b) = (right.child_by_field_name("left")?, right.child_by_field_name("right")?);
            return match scope.text(left) {
                result if result == scope.text(a) => Some((operation, left, b)),
                result if result == scope.text(b) => Some((operation, left, a)),
                _ => None,
            };
        }
        _ => return None,
    };
    Some((operation, left, right))
}

fn greater<'t>(scope: &Scope<'t>, statement: Node<'t>) -> Option<(&'static str, Node<'t>, Node<'t>)> {
    if statement.child_by_field_name("alternative").is_some() {
        return None;
    }
    let mut then = statement.child_by_field_name("consequence")?;
    if then.kind() == "compound_statement" {
        let all = statements(then)?;
        then = *all.first().filter(|_| all.len() == 1)?;
    }
    let assignment = only_assignment(then)?;
    let (left, right) = (assignment.child_by_field_name("left")?, assignment.child_by_field_name("right")?);
    let condition = statement.child_by_field_name("condition")?.named_child(0)?;
    let sides = [condition.child_by_field_name("left")?, condition.child_by_field_name("right")?];
    let greater = condition.child_by_field_name("operator")?.kind();
    let texts = sides.map(|node| scope.text(node));
    let (result, part) = (scope.text(left), scope.text(right));
    let is_assignment = assignment.child_by_field_name("operator")?.kind() == "=";
    let operation = match (greater, texts == [part, result], texts == [result, part]) {
        (">" | ">=", true, _) | ("<" | "<=", _, true) => "MPI_MAX",
        ("<" | "<=", true, _) | (">" | ">=", _, true) => "MPI_MIN",
        _ => return None,
    };
    is_assignment.then_some((operation, left, right))
}

/// `for (int k = 0; k < n; k++) sum[k] += part[k];`
fn elementwise<'t>(
    scope: &Scope<'t>,
    statement: Node<'t>,
    count: &str,
) -> Option<(&'static str, Node<'t>, Node<'t>)> {
    if statement.kind() != "for_statement" {
        return None;
    }
    let initializer = statement.child_by_field_name("initializer")?;
    let mut cursor = initializer.walk();
    let declared = initializer.children_by_field_name("declarator", &mut cursor).next()?;
    let (index, first) =
        (declared.child_by_field_name("declarator")?, declared.child_by_field_name("value")?);
    let condition = statement.child_by_field_name("condition")?;
    let update = statement.child_by_field_name("update")?;
    let index = (index.kind() == "identifier").then(|| scope.text(index))?;
    let counts = scope.text(first) == "0"
        && condition.child_by_field_name("operator")?.kind() == "<"
        && scope.text(condition.child_by_field_name("left")?) == index
        && scope.text(condition.child_by_field_name("right")?) == count
        && update.kind() == "update_expression"
        && scope.text(update).contains("++")
        && scope.text(update.child_by_field_name("argument")?) == index;
    let mut body = statement.child_by_field_name("body")?;
    if body.kind() == "compound_statement" {
        let all = statements(body)?;
        body = *all.first().filter(|_| all.len() == 1)?;
    }
    let (operation, left, right) = step(scope, body)?;
    let element = |node: Node<'t>| {
        let array = node.child_by_field_name("argument")?;
        let fits = node.kind() == "subscript_expression"
            && array.kind() == "identifier"
            && scope.text(node.child_by_field_name("index")?) == index;
        fits.then_some(array)
    };
    let (target, source) = (element(left)?, element(right)?);
    (counts && names(scope.file, condition).iter().filter(|name| **name == index).count() == 1)
        .then_some((operation, target, source))
}

fn only_assignment(statement: Node<'_>) -> Option<Node<'_>> {
    let inner = (statement.kind() == "expression_statement").then(|| statement.named_child(0))??;
    (inner.kind() == "assignment_expression").then_some(inner)
}
