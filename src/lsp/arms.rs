//! Who comes to the arms of a branch: the ranks that come to its first call or condition.
//!
//! Results name ranks for calls and conditions, not for arms. An arm has the ranks of the first of these in it that is reached whenever the
//! arm is: one inside of a loop or of a branch of its own, or after a jump, tells nothing.

use std::collections::BTreeMap;

use tree_sitter::{Node, Parser, Point};

use super::view::Arm;

/// The arms in a text. `ranks` holds who comes to calls and conditions, by line and column from 1.
pub(super) fn arms(text: &str, ranks: &BTreeMap<(u32, u32), String>) -> Vec<Arm> {
    let mut parser = Parser::new();
    if parser.set_language(&tree_sitter_c::LANGUAGE.into()).is_err() {
        return Vec::new();
    }
    let Some(tree) = parser.parse(text, None) else { return Vec::new() };
    let mut found = Vec::new();
    // Conditions of the results lead to the branches: there are few of them, while a text can be nested deeply.
    let mut seen = Vec::new();
    for &(line, column) in ranks.keys() {
        let point = point_of(line, column);
        let mut node = tree.root_node().descendant_for_point_range(point, point);
        while let Some(inner) = node {
            node = inner.parent();
            if inner.kind() == "if_statement" && !seen.contains(&inner.id()) {
                seen.push(inner.id());
                found.extend(arms_of(inner, ranks));
            }
        }
    }
    found.sort_by_key(|arm| (arm.line, arm.column));
    found
}

fn arms_of(branch: Node, ranks: &BTreeMap<(u32, u32), String>) -> Vec<Arm> {
    let mut arms = Vec::new();
    if let (Some(condition), Some(arm)) =
        (branch.child_by_field_name("condition"), branch.child_by_field_name("consequence"))
    {
        arms.extend(hint(condition, arm, ranks));
    }
    if let Some(clause) = branch.child_by_field_name("alternative")
        && let (Some(keyword), Some(arm)) = (clause.child(0), clause.named_child(0))
    {
        arms.extend(hint(keyword, arm, ranks));
    }
    arms
}

/// The hint for an arm, after the condition or the word `else`.
fn hint(after: Node, arm: Node, ranks: &BTreeMap<(u32, u32), String>) -> Option<Arm> {
    let place = |point: Point| (point.row as u32 + 1, point.column as u32 + 1);
    let (start, end) = (place(arm.start_position()), place(arm.end_position()));
    for (&(line, column), ranks) in ranks.range(start..end) {
        let point = point_of(line, column);
        let node = arm.descendant_for_point_range(point, point)?;
        if is_reached(node, arm) {
            let (line, column) = place(after.end_position());
            return Some(Arm { line, column, ranks: ranks.clone() });
        }
    }
    None
}

/// A place from 1 as the parser counts.
fn point_of(line: u32, column: u32) -> Point {
    Point::new((line as usize).saturating_sub(1), (column as usize).saturating_sub(1))
}

/// Whether control that enters an arm comes to a node in it.
fn is_reached(node: Node, arm: Node) -> bool {
    let mut inner = node;
    while inner.id() != arm.id() {
        let Some(outer) = inner.parent() else { return false };
        let is = |field| outer.child_by_field_name(field).is_some_and(|child| child.id() == inner.id());
        let conditional = match outer.kind() {
            "if_statement" | "for_statement" | "while_statement" | "switch_statement" => {
                is("consequence") || is("alternative") || is("body") || is("update")
            }
            "conditional_expression" => is("consequence") || is("alternative"),
            "binary_expression" => is("right"),
            _ => false,
        };
        if conditional {
            return false;
        }
        // What stands before it, up to the arm, must let control pass.
        let mut before = inner.prev_named_sibling();
        while let Some(sibling) = before {
            if may_jump(sibling, DEPTH) {
                return false;
            }
            before = sibling.prev_named_sibling();
        }
        inner = outer;
    }
    true
}

/// Statements nested more deeply are taken to jump.
const DEPTH: u32 = 100;

/// Whether control may leave a statement other than by its end. A label is where others come from.
fn may_jump(node: Node, depth: u32) -> bool {
    let jumps =
        ["return_statement", "goto_statement", "break_statement", "continue_statement", "labeled_statement"];
    if depth == 0 || jumps.contains(&node.kind()) {
        return true;
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).any(|child| may_jump(child, depth - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints(text: &str, marks: &[(&str, &str)]) -> Vec<(u32, String)> {
        let ranks = marks.iter().map(|(mark, ranks)| {
            let offset = text.find(mark).expect("the mark is there");
            let line = text[..offset].matches('\n').count() as u32 + 1;
            let column = (offset - text[..offset].rfind('\n').map_or(0, |end| end + 1)) as u32 + 1;
            ((line, column), (*ranks).to_owned())
        });
        arms(text, &ranks.collect()).into_iter().map(|arm| (arm.line, arm.ranks)).collect()
    }

    #[test]
    fn an_arm_has_the_ranks_of_its_first_call() {
        let text = "void f(void) {\nif (r == 0) {\nx = 1; a();\n} else\nb();\nc();\n}\n";
        let found =
            hints(text, &[("r == 0", "all"), ("a()", "[0..0]"), ("b()", "[1..np-1]"), ("c()", "all")]);
        assert_eq!(found, [(2, "[0..0]".to_owned()), (4, "[1..np-1]".to_owned())]);
    }

    #[test]
    fn calls_that_need_not_be_reached_tell_nothing() {
        for arm in ["for (;q;) a();", "if (q) return; a();", "q && a();", "again: x(); a();"] {
            let text = format!("void f(void) {{ if (r == 0) {{ {arm} }} }}");
            assert_eq!(
                hints(&text, &[("r == 0", "all"), ("a()", "some")]).first().map(|hint| &*hint.1),
                None,
                "{arm}"
            );
        }
        assert!(hints("void f(void) { if (r", &[("r", "all")]).is_empty());
    }
}
