//! Handles that one call makes, and nothing else.

use tree_sitter::Node;

use super::super::scope::{Scope, Shape, Variable};
use super::grid::is_address;
use crate::text::Call;

/// What a call does with a handle whose address it is given.
pub(super) enum Part {
    /// It makes it.
    Makes,
    /// It leaves it what it is, or nothing.
    Keeps,
    /// Anything else.
    Changes,
}

/// The variable that an expression names, and the one call that makes the handle in it; `None` where it may come from anything else.
pub(super) fn made_once<'t>(
    scope: &Scope<'t>,
    handle: Node<'t>,
    part: impl Fn(&Call<'t>, usize) -> Part,
) -> Option<(Variable<'t>, Call<'t>)> {
    let name = scope.text(handle);
    let variable = (handle.kind() == "identifier").then(|| scope.variable(handle, name))??;
    if variable.shape != Shape::Plain || scope.is_in_macro(name) {
        return None;
    }
    let mut made = None;
    for name in scope.uses(&variable)? {
        let parent = name.parent()?;
        if parent.kind() == "assignment_expression" && parent.child_by_field_name("left") == Some(name) {
            return None;
        }
        if !is_address(scope, parent) {
            continue;
        }
        let call = Call::around_loosely(scope.file, parent)?;
        let place = call.arguments()?.iter().position(|argument| *argument == parent)?;
        match part(&call, place) {
            Part::Makes if made.is_none() => made = Some(call),
            Part::Keeps => {}
            Part::Makes | Part::Changes => return None,
        }
    }
    Some((variable, made?))
}
