//! Members of structs, by the definitions in the same file.

use tree_sitter::Node;

use super::scope::{Scope, Variable};
use crate::text::descendants;

/// A member of the struct that a variable is, or that its elements are.
#[derive(Clone)]
pub(super) struct Member<'t> {
    /// What leads to it from the struct: `.x` or `->x`.
    pub(super) path: &'t str,
    /// Its type as it is written.
    pub(super) c_type: &'t str,
    /// The type of the struct as the variable is declared.
    pub(super) owner: String,
}

impl<'t> Member<'t> {
    /// The member that an expression names, with the expression of the struct.
    pub(super) fn of(scope: &Scope<'t>, node: Node<'t>) -> Option<(Node<'t>, &'t str, &'t str)> {
        let (owner, field) = (node.child_by_field_name("argument")?, node.child_by_field_name("field")?);
        let path = scope.file.text().get(owner.end_byte()..node.end_byte())?;
        let name = scope.text(field);
        let is_plain = [format!(".{name}"), format!("->{name}")].iter().any(|written| path == written);
        (node.kind() == "field_expression" && is_plain && !scope.is_macro(name))
            .then_some((owner, path, name))
    }

    /// The member of the struct of a variable, if that is defined at the top of the file and has no layout of its own.
    pub(super) fn in_variable(
        scope: &Scope<'t>,
        variable: &Variable<'t>,
        (path, name): (&'t str, &str),
    ) -> Option<Self> {
        let owner = scope.type_of(variable)?;
        let has_layout = ["__attribute__", "pragma pack", "_Pragma", "_Alignas", "alignas"];
        if has_layout.iter().any(|word| scope.file.text().contains(word)) {
            return None;
        }
        let body = body_of(scope, &owner)?;
        let mut cursor = body.walk();
        let fields = body.named_children(&mut cursor).filter(|node| node.kind() == "field_declaration");
        for field in fields {
            let mut cursor = field.walk();
            let mut declared = field.children_by_field_name("declarator", &mut cursor);
            let is_it = |node: Node<'t>| node.kind() == "field_identifier" && scope.text(node) == name;
            if declared.any(is_it) {
                let text = scope.text(field);
                let c_type = scope.text(field.child_by_field_name("type")?);
                let is_plain = !text.contains(':') && !text.contains("volatile");
                return is_plain.then_some(Self { path, c_type, owner });
            }
        }
        None
    }
}

/// The members of a struct that is defined at the top of a file, by its tag or by a name of its type.
fn body_of<'t>(scope: &Scope<'t>, named: &str) -> Option<Node<'t>> {
    let is_outermost =
        |node: &Node<'t>| node.parent().is_some_and(|parent| parent.kind() == "translation_unit");
    let mut all = descendants(scope.file.root()).into_iter().filter_map(|node| {
        let body = || node.child_by_field_name("body");
        match (node.kind(), named.strip_prefix("struct ")) {
            ("struct_specifier", Some(tag)) => {
                let is_it = node.child_by_field_name("name").is_some_and(|name| scope.text(name) == tag);
                let around = node.parent()?;
                (is_it && (is_outermost(&node) || is_outermost(&around))).then(body)?
            }
            ("type_definition", None) if is_outermost(&node) => {
                let is_it =
                    node.child_by_field_name("declarator").is_some_and(|name| scope.text(name) == named);
                let defined =
                    node.child_by_field_name("type").filter(|ty| ty.kind() == "struct_specifier")?;
                is_it.then(|| defined.child_by_field_name("body"))?
            }
            _ => None,
        }
    });
    let found = all.next()?;
    (all.next().is_none() && !scope.is_macro(named)).then_some(found)
}
