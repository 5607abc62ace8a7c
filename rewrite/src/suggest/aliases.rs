//! Whether two names of variables may lead to the same memory.

use frontend::mpi::{self, Class, Role};
use tree_sitter::Node;

use super::scope::{Scope, Shape, Variable};

/// Whether two variables, or what they point to, are different memory; or why that is not known.
pub(super) fn are_apart<'t>(scope: &Scope<'t>, a: &Variable<'t>, b: &Variable<'t>) -> Result<(), String> {
    let fine = (is_object(a) && is_object(b)) || is_private(scope, a) || is_private(scope, b);
    let names = [a, b].map(|variable| scope.text(variable.name));
    match fine {
        true => Ok(()),
        false => Err(format!("`{}` and `{}` may share memory", names[0], names[1])),
    }
}

/// Whether a variable is the memory itself, no pointer to it.
pub(super) fn is_object(variable: &Variable<'_>) -> bool {
    match variable.shape {
        Shape::Plain => true,
        Shape::Array(_) => variable.declaration.kind() != "parameter_declaration",
        Shape::Pointer | Shape::Other => false,
    }
}

/// Whether the memory of a variable is reached by its name only: that of an object of this function whose address is given to nobody but
/// MPI, or that which one pointer has got from `malloc`.
pub(super) fn is_private<'t>(scope: &Scope<'t>, variable: &Variable<'t>) -> bool {
    let Some(uses) = scope.uses(variable) else { return false };
    if !is_object(variable) && !has_own_memory(scope, variable, &uses) {
        return false;
    }
    uses.into_iter().all(|name| {
        let (mut node, mut depth) = (name, 0);
        while let Some(parent) = node.parent()
            && parent.kind() == "subscript_expression"
            && parent.child_by_field_name("argument") == Some(node)
        {
            (node, depth) = (parent, depth + 1);
        }
        let Some(parent) = node.parent() else { return false };
        let is_address = parent.kind() == "pointer_expression" && scope.text(parent).starts_with('&');
        let is_value = depth == variable.dimensions() && !is_address;
        let is_place =
            parent.kind() == "binary_expression" && parent.child_by_field_name("left") == Some(node);
        let given = if is_address || is_place { parent } else { node };
        is_value || is_lent(scope, given) || is_owned(scope, variable, name, parent)
    })
}

/// What only takes and frees the memory of a pointer.
fn is_owned<'t>(scope: &Scope<'t>, variable: &Variable<'t>, name: Node<'t>, parent: Node<'t>) -> bool {
    match parent.kind() {
        "argument_list" => {
            let function = parent.parent().and_then(|call| call.child_by_field_name("function"));
            function.is_some_and(|function| scope.text(function) == "free")
        }
        "assignment_expression" => {
            variable.shape == Shape::Pointer && parent.child_by_field_name("left") == Some(name)
        }
        "sizeof_expression" => true,
        "pointer_expression" => parent.parent().is_some_and(|around| around.kind() == "sizeof_expression"),
        _ => false,
    }
}

/// Whether all that a pointer ever is comes from `malloc`.
fn has_own_memory<'t>(scope: &Scope<'t>, variable: &Variable<'t>, uses: &[Node<'t>]) -> bool {
    if variable.shape != Shape::Pointer || variable.declaration.kind() == "parameter_declaration" {
        return false;
    }
    let value = variable.declarator.child_by_field_name("value");
    let assigned = uses.iter().filter_map(|name| {
        let parent = name.parent().filter(|parent| parent.kind() == "assignment_expression")?;
        (parent.child_by_field_name("left") == Some(*name)).then(|| parent.child_by_field_name("right"))?
    });
    let mut all = value.into_iter().chain(assigned).peekable();
    all.peek().is_some() && all.all(|value| scope.is_new_memory(value))
}

/// Whether an address is given to nobody but a function that forgets it.
fn is_lent(scope: &Scope<'_>, argument: Node<'_>) -> bool {
    let call = argument.parent().filter(|list| list.kind() == "argument_list").and_then(|list| list.parent());
    let function = call.and_then(|call| call.child_by_field_name("function"));
    let Some(name) = function.map(|function| scope.text(function)).filter(|name| !scope.is_macro(name))
    else {
        return false;
    };
    // What they return is the address once more.
    let is_statement = call
        .and_then(|call| call.parent())
        .is_some_and(|statement| statement.kind() == "expression_statement");
    if matches!(name, "memcpy" | "memmove" | "memset") {
        return is_statement;
    }
    mpi::lookup(name).is_some_and(|mpi| {
        // An address that is asked for, and windows, are kept.
        let forgets = mpi.class.communicates() || matches!(mpi.class, Class::Wait(_) | Class::Test(_));
        forgets && mpi.params.iter().all(|param| param.role != Role::Window)
    })
}
