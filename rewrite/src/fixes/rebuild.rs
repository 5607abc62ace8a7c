//! A datatype that is put together by hand, built by a function of AutoMap instead.
//!
//! The function is written by crate `layout` and put before the one that needs it. What only prepared the old calls goes away with them;
//! where something would be left that the compiler complains about, there is no edit.

use analyzer::results::{Edit, Finding, Fix};
use frontend::mpi::Class;
use layout::c_struct::{Description, builder};
use tree_sitter::Node;

use super::sequence::Sequence;
use crate::suggest::scope::Scope;
use crate::text::{Call, SourceFile, descendants, function_of};

/// A function that is there already is looked for under so many names.
const MOST_ALIKE: u32 = 4;

/// The edit that has the datatype of a finding built by AutoMap.
pub(super) fn datatype(finding: &Finding, file: &SourceFile) -> Option<Vec<Fix>> {
    let rebuild = finding.rebuild.as_deref()?;
    let &[id] = rebuild.structs.selected.as_slice() else { return None };
    let call = Call::around_loosely(file, file.node_at(&rebuild.call)?)?;
    if !matches!(call.mpi.class, Class::TypeConstructor(_)) {
        return None;
    }
    let scope = Scope::new(file);
    let function = function_of(call.statement)?;
    if rebuild.structs.records.iter().filter_map(|record| record.c_type.as_deref()).any(|name| {
        is_defined_in(file, function, name) || scope.is_macro(name.rsplit(' ').next().unwrap_or(name))
    }) {
        return None;
    }
    let arguments = call.arguments()?;
    let (made, given) = arguments.split_last()?;
    let with_names = |names: &dyn Fn(&str) -> String| builder(&rebuild.structs, id, names).ok().flatten();
    // Another datatype of this struct may have been built so before.
    let before = &file.text()[..function.start_byte()];
    let mut known = (1..=MOST_ALIKE).filter_map(|number| {
        with_names(&|name| if number == 1 { name.to_owned() } else { format!("{name}{number}") })
    });
    let there = known.find(|known| before.contains(&file.with_line_ends(&known.text)));
    let is_there = there.is_some();
    let new = there.or_else(|| with_names(&|name| scope.fresh(name)))?;
    let sequence = Sequence::before(&scope, &call, given, *made)?;

    let mut edits = vec![file.replace(call.node.byte_range(), format!("{}({})", new.name, file.of(*made)))];
    edits.extend(sequence.edits(&scope));
    if !is_there {
        edits.push(definition(file, function, &new.text));
        edits.extend(include(file, function));
    }
    edits.sort_by(|a, b| a.range.cmp(&b.range));
    let description = format!("build the datatype of `{}` by AutoMap", title(&rebuild.structs));
    Some(vec![super::fix(description, edits)])
}

/// How many places of a hand-built datatype are mended in an edit that leaves it hand-built.
pub(super) fn mended(fix: &Fix) -> usize {
    fix.edits.iter().filter(|edit| !edit.text.starts_with("#include")).count()
}

fn title(structs: &Description) -> &str {
    let record = structs.selected.first().map(|&id| structs.record(id));
    record.map_or("", |record| record.c_type.as_deref().unwrap_or(&record.name))
}

/// Whether a function defines a type of this name, which is not known before it.
fn is_defined_in(file: &SourceFile, function: Node<'_>, c_type: &str) -> bool {
    let tag = c_type.rsplit(' ').next().unwrap_or(c_type);
    descendants(function).into_iter().any(|node| match node.kind() {
        "struct_specifier" => {
            node.child_by_field_name("body").is_some()
                && node.child_by_field_name("name").is_some_and(|name| file.of(name) == tag)
        }
        "type_definition" => descendants(node).into_iter().any(|name| file.of(name) == tag),
        _ => false,
    })
}

/// The new function, before the one that calls it and before what is remarked on that one.
fn definition(file: &SourceFile, function: Node<'_>, text: &str) -> Edit {
    let mut first = function;
    while let Some(before) = first.prev_sibling()
        && before.kind() == "comment"
        && before.end_position().row + 1 == first.start_position().row
        && before.prev_sibling().is_none_or(|other| other.end_position().row < before.start_position().row)
    {
        first = before;
    }
    let at = first.start_byte();
    file.replace(at..at, file.with_line_ends(&format!("{text}\n")))
}

/// `offsetof` for the new function, where the file does not have it.
fn include(file: &SourceFile, function: Node<'_>) -> Option<Edit> {
    let mut cursor = file.root().walk();
    let includes: Vec<_> =
        file.root().children(&mut cursor).filter(|node| node.kind() == "preproc_include").collect();
    let before = |node: &&Node<'_>| node.end_byte() <= function.start_byte();
    if includes.iter().filter(before).any(|node| file.of(*node).contains("<stddef.h>")) {
        return None;
    }
    let at = includes.first().filter(before).map_or(0, Node::start_byte);
    Some(file.replace(at..at, file.with_line_ends("#include <stddef.h>\n")))
}
