//! Variables of functions that nothing reads, about which a compiler complains.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::scope::Scope;
use super::unused::is_target;
use crate::text::{SourceFile, descendants, function_of};

/// The names of local variables of a file that nothing reads. Where edits that were made for themselves are made together, there may be
/// more than before: a variable that each of them leaves to the others.
#[must_use]
pub fn idle_variables(file: &SourceFile) -> BTreeSet<String> {
    let scope = Scope::new(file);
    let declarations = descendants(file.root()).into_iter().filter(|node| node.kind() == "declaration");
    declarations
        .filter(|declaration| function_of(*declaration).is_some())
        .flat_map(|declaration| {
            let mut cursor = declaration.walk();
            declaration.children_by_field_name("declarator", &mut cursor).collect::<Vec<_>>()
        })
        .filter_map(innermost)
        .filter(|&name| {
            let variable = scope.variable(name, scope.text(name)).filter(|found| found.name == name);
            variable.and_then(|variable| scope.uses(&variable)).is_some_and(|uses| uses.iter().all(is_target))
        })
        .map(|name| scope.text(name).to_owned())
        .collect()
}

/// The name that a declarator declares.
fn innermost(mut declarator: Node<'_>) -> Option<Node<'_>> {
    while declarator.kind() != "identifier" {
        declarator = declarator.child_by_field_name("declarator").or_else(|| declarator.named_child(0))?;
    }
    Some(declarator)
}
