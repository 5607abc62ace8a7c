//! Variables that nobody needs any more when some statements are gone.

use tree_sitter::Node;

use super::scope::{Scope, Variable, has_word};
use crate::text::descendants;
use analyzer::results::Edit;

/// Why the compiler would complain about what is left.
pub(super) struct Needless(pub(super) String);

/// Edits that remove the local variables which only `regions` use, none of which the new texts name.
pub(super) fn leftovers<'t>(
    scope: &Scope<'t>,
    regions: &[Node<'t>],
    new: &[String],
) -> Result<Vec<Edit>, Needless> {
    let mut gone: Vec<Node<'t>> = regions.to_vec();
    let mut unused: Vec<Variable<'t>> = Vec::new();
    let mut edits = Vec::new();
    let mut next = 0;
    while let Some(&region) = gone.get(next) {
        next += 1;
        for node in descendants(region).into_iter().filter(|node| node.kind() == "identifier") {
            let Some(variable) = scope.variable(node, scope.text(node)) else { continue };
            if unused.iter().any(|known| known.name == variable.name) {
                continue;
            }
            let inside = |node: &Node<'t>| gone.iter().any(|region| contains(region, node));
            if inside(&variable.name) || is_named(new, scope.text(variable.name)) {
                continue;
            }
            let Some(uses) = scope.uses(&variable) else { continue };
            if !uses.iter().all(inside) {
                let targets: Vec<Node<'t>> = uses.iter().copied().filter(|node| !inside(node)).collect();
                if !targets.iter().all(is_target) || is_static(scope, &variable) {
                    continue;
                }
                let name = scope.text(variable.name);
                let is_parameter = variable.declaration.kind() == "parameter_declaration";
                let removed: Option<Vec<Assignment<'t>>> =
                    targets.iter().map(|&target| Assignment::of(scope, target)).collect();
                let removed = removed.filter(|_| {
                    let value = variable.declarator.child_by_field_name("value");
                    !is_parameter
                        && !scope.is_in_macro(name)
                        && value.is_none_or(|value| scope.is_pure(value))
                });
                let Some(removed) = removed else {
                    return Err(Needless(format!("`{name}` would be set and never used")));
                };
                for assignment in removed {
                    gone.extend(assignment.gone);
                    edits.push(assignment.edit);
                }
                gone.extend(variable.declarator.child_by_field_name("value"));
                unused.push(variable);
                continue;
            }
            if variable.declaration.kind() == "parameter_declaration" {
                return Err(Needless(format!(
                    "the parameter `{}` would not be used",
                    scope.text(variable.name)
                )));
            }
            if scope.is_in_macro(scope.text(variable.name)) {
                return Err(Needless(format!("a macro may use `{}`", scope.text(variable.name))));
            }
            let value = variable.declarator.child_by_field_name("value");
            if value.is_some_and(|value| !scope.is_pure(value) && !scope.is_new_memory(value)) {
                return Err(Needless(format!("`{}` would not be used", scope.text(variable.name))));
            }
            gone.extend(value);
            unused.push(variable);
        }
    }
    edits.extend(undeclare(scope, &unused));
    Ok(edits)
}

/// An assignment to a variable that nobody needs.
struct Assignment<'t> {
    /// What is no longer computed.
    gone: Option<Node<'t>>,
    edit: Edit,
}

impl<'t> Assignment<'t> {
    /// The assignment that a name is the target of, if it can be left out: a statement, or one of several in a row.
    fn of(scope: &Scope<'t>, target: Node<'t>) -> Option<Self> {
        let assignment = target.parent()?;
        let right = assignment.child_by_field_name("right")?;
        if scope.text(assignment.child_by_field_name("operator")?) != "=" {
            return None;
        }
        let parent = assignment.parent()?;
        // `w = v = e`, and `v = w = e`.
        if parent.kind() == "assignment_expression" || right.kind() == "assignment_expression" {
            // The value passes through the variable, which must not change it.
            let chain = if parent.kind() == "assignment_expression" { parent } else { right };
            let other = chain.child_by_field_name("left").filter(|other| other.kind() == "identifier")?;
            let typed = |name: Node<'t>| scope.type_of(&scope.variable(name, scope.text(name))?);
            if typed(target).is_none() || typed(target) != typed(other) {
                return None;
            }
            let bytes = assignment.start_byte()..right.start_byte();
            return Some(Self { gone: None, edit: scope.file.replace(bytes, String::new()) });
        }
        let in_block = parent.parent().is_some_and(|block| block.kind() == "compound_statement");
        (parent.kind() == "expression_statement" && in_block && scope.is_pure(right))
            .then(|| Self { gone: Some(parent), edit: scope.file.remove(parent) })
    }
}

fn contains(region: &Node<'_>, node: &Node<'_>) -> bool {
    region.start_byte() <= node.start_byte() && node.end_byte() <= region.end_byte()
}

fn is_named(texts: &[String], name: &str) -> bool {
    // A member of a struct may have the name of a variable.
    texts.iter().any(|text| has_word(&without_members(text), name))
}

/// A text without the names behind `.` and `->`.
fn without_members(text: &str) -> String {
    let text = text.replace("->", ".");
    let mut pieces = text.split('.');
    let mut rest = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        rest.push('.');
        let after = |c: char| c.is_ascii_alphanumeric() || c == '_';
        rest.push_str(piece.trim_start().trim_start_matches(after));
    }
    rest
}

/// Whether a use only gives the variable a value.
pub(super) fn is_target(node: &Node<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        parent.kind() == "assignment_expression" && parent.child_by_field_name("left") == Some(*node)
    })
}

fn is_static(scope: &Scope<'_>, variable: &Variable<'_>) -> bool {
    scope.has_storage(variable.declaration, "static")
}

/// Takes variables out of their declarations, or the declarations away with them.
pub(crate) fn undeclare(scope: &Scope<'_>, variables: &[Variable<'_>]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (number, variable) in variables.iter().enumerate() {
        let declaration = variable.declaration;
        if variables[..number].iter().any(|earlier| earlier.declaration == declaration) {
            continue;
        }
        let mut cursor = declaration.walk();
        let all: Vec<_> = declaration.children_by_field_name("declarator", &mut cursor).collect();
        let is_gone = |node: &Node<'_>| variables.iter().any(|variable| variable.declarator == *node);
        match all.iter().position(|node| !is_gone(node)) {
            None => edits.push(scope.file.remove(declaration)),
            // With the comma before it, or after it where nothing is left before.
            Some(first) => {
                edits.extend(all.iter().enumerate().filter(|(_, node)| is_gone(node)).map(|(at, node)| {
                    let bytes = match at < first {
                        true => node.start_byte()..all[at + 1].start_byte(),
                        false => all[at - 1].end_byte()..node.end_byte(),
                    };
                    scope.file.replace(bytes, String::new())
                }))
            }
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_no_variables() {
        let texts = ["MPI_Send(&point[i].mass, n, q->charge);".to_owned()];
        for (name, is_there) in
            [("mass", false), ("charge", false), ("point", true), ("q", true), ("n", true)]
        {
            assert_eq!(is_named(&texts, name), is_there, "{name}");
        }
    }
}
