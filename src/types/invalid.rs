//! What compilers refuse and the frontend lets through: it is told here, not by a compiler about generated code.

use std::collections::BTreeSet;

use super::scan::{BodyIndex, Declarations, Declared};

/// The words of C that no member, tag or type can be called, but for those of types and declarations, with which the frontend has
/// trouble itself.
const WORDS: [&str; 13] = [
    "break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "sizeof", "switch",
    "while",
];

/// What is wrong with declarations, and where: the offset in their text.
pub(super) fn invalid(declarations: &Declarations) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let mut tags = BTreeSet::new();
    // Those without a name are looked at as a part of what they are in.
    let parts: BTreeSet<BodyIndex> =
        declarations.bodies.iter().flat_map(|body| body.anonymous.iter().copied()).collect();
    for (index, body) in declarations.bodies.iter().enumerate() {
        let kind = if body.is_union { "union" } else { "struct" };
        if let Some(tag) = &body.tag {
            if !tags.insert(tag) {
                found.push((body.open, format!("{kind} `{tag}` is defined twice")));
            }
            found.extend(is_word(tag).then(|| (body.open, called(tag))));
        }
        if parts.contains(&index) {
            continue;
        }
        let mut names = BTreeSet::new();
        for member in members(declarations, index) {
            if !names.insert(&member.name) {
                found.push((member.span.start, format!("this {kind} has two members `{}`", member.name)));
            }
            found.extend(is_word(&member.name).then(|| (member.span.start, called(&member.name))));
        }
    }
    for typedef in declarations.typedefs.iter().filter(|typedef| is_word(&typedef.name)) {
        found.push((typedef.span.start, called(&typedef.name)));
    }
    found
}

fn is_word(name: &str) -> bool {
    WORDS.contains(&name)
}

fn called(name: &str) -> String {
    format!("`{name}` is a word of the language, and nothing can be called so")
}

/// The members of a body and of those without a name within it. Bodies are in the order of their braces, so this ends.
fn members(declarations: &Declarations, index: BodyIndex) -> Vec<&Declared> {
    let body = &declarations.bodies[index];
    let inner = body.anonymous.iter().flat_map(|&inner| members(declarations, inner));
    body.members.iter().chain(inner).collect()
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::invalid;

    fn messages(text: &str) -> Vec<String> {
        invalid(&scan(text)).into_iter().map(|(_, message)| message).collect()
    }

    #[test]
    fn names_are_used_once() {
        assert_eq!(
            messages(
                "struct A { int a; struct { int b; union { int c; char a; }; }; }; struct A { int d; };"
            ),
            ["this struct has two members `a`", "struct `A` is defined twice"]
        );
        assert!(
            messages(
                "struct A { int a; struct { int a; } b; struct B { int a; } c[2]; }; union U { int a; };"
            )
            .is_empty()
        );
    }

    #[test]
    fn words_of_the_language_are_no_names() {
        assert_eq!(messages("typedef struct { int for, fork; } S;").len(), 1);
    }
}
