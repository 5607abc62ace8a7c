//! Displacements and basic types of a hand-built datatype, where they are written, in place of wrong ones.

use frontend::ir::{InstKind, Span};
use frontend::mpi::{Role, TypeConstructor, constants};

use super::super::buffer_type::Basic;
use super::super::call::{Call, range};
use super::members::{Holds, Member, Struct, UNNAMED};
use super::recipe::{At, Elements, Recipe};
use super::typemap::{Kind, Typemap};
use crate::results::{Edit, Fix, SourceRange};

/// Datatypes of more blocks are not edited.
const MAX_BLOCKS: u64 = 64;

/// The expressions that a call of `MPI_Type_create_struct` finds in its arrays, by block; `None` where there is not just one.
#[derive(Default)]
pub(super) struct Written {
    displacements: Vec<Option<SourceRange>>,
    types: Vec<Option<SourceRange>>,
    /// Whether `offsetof` is in use in the file.
    has_offsetof: bool,
}

impl Written {
    pub(super) fn new(call: &Call<'_>, how: TypeConstructor, recipe: Option<&Recipe>) -> Self {
        let (TypeConstructor::Struct, Some(Recipe::Blocks(blocks))) = (how, recipe) else {
            return Self::default();
        };
        let number = blocks.len() as u64;
        if MAX_BLOCKS < number {
            return Self::default();
        }
        let expressions = |role| {
            let elements = call.mpi.param_with_role(role).and_then(|index| Elements::new(call, index));
            let place = |index| Some(range(call.unit, assigned(call, elements.as_ref()?.origin(index)?)?));
            (0..number).map(place).collect()
        };
        Self {
            displacements: expressions(Role::Displacements),
            types: expressions(Role::Datatype),
            has_offsetof: !call.unit.offsets.is_empty(),
        }
    }

    /// Edits by which each block describes the member of the struct that comes at its turn. `None` if it is not one block for each
    /// member, of as many elements.
    pub(super) fn fix(&self, recipe: Option<&Recipe>, record: &Struct) -> Option<Fix> {
        let Some(Recipe::Blocks(blocks)) = recipe else { return None };
        if record.name == UNNAMED || blocks.len() != record.members.len() {
            return None;
        }
        let mut edits = Vec::new();
        let mut needs_offsetof = false;
        for (index, ((length, at, old), member)) in blocks.iter().zip(&record.members).enumerate() {
            let Holds::Basic(basic) = member.holds else { return None };
            if *length != member.size / basic.size() || !is_nameable(member) {
                return None;
            }
            let At::Bytes(at) = *at else { return None };
            if u64::try_from(at).ok() != Some(member.at) {
                let range = self.displacements.get(index)?.clone()?;
                edits.push(Edit { range, text: format!("offsetof({}, {})", record.name, member.name) });
                needs_offsetof = true;
            }
            let is_right = |map: &Typemap| matches!(map.runs[..], [run] if run.kind == Kind::Basic(basic));
            if !old.predefined().and_then(Typemap::predefined).is_some_and(|map| is_right(&map)) {
                let range = self.types.get(index)?.clone()?;
                edits.push(Edit { range, text: datatype(member, basic)?.to_owned() });
            }
        }
        let first = edits.first()?.range.clone();
        if needs_offsetof && !self.has_offsetof {
            let start = SourceRange { line: 1, column: 1, end_line: 1, end_column: 1, ..first };
            edits.push(Edit { range: start, text: "#include <stddef.h>\n".to_owned() });
        }
        edits.sort_by(|a, b| a.range.cmp(&b.range));
        // One expression for several blocks, in a loop, is none for each of them.
        let are_apart = edits.windows(2).all(|pair| {
            let (end, start) = (&pair[0].range, &pair[1].range);
            end.file == start.file && (end.end_line, end.end_column) <= (start.line, start.column)
        });
        let description = format!("describe the members of `{}` where they are", record.name);
        are_apart.then_some(Fix { description, edits })
    }
}

/// What is stored by the only assignment at a place of the function.
fn assigned(call: &Call<'_>, span: Span) -> Option<Span> {
    let cfg = call.function.body.as_ref()?;
    let mut stored =
        cfg.graph.node_weights().flat_map(|block| &block.insts).filter_map(|inst| match &inst.kind {
            InstKind::Assign(_, value) if inst.span == span => Some(value.span),
            _ => None,
        });
    stored.next().filter(|_| stored.next().is_none())
}

/// Whether a member has a name, with all that it is within, so that `offsetof` can be asked for it.
fn is_nameable(member: &Member) -> bool {
    !member.name.split('.').any(str::is_empty)
}

/// The datatype of a member's elements.
fn datatype(member: &Member, basic: Basic) -> Option<&'static str> {
    if basic == Basic::Int(4) && member.ctype.starts_with("enum") {
        return Some("MPI_INT");
    }
    constants()
        .find(|c| c.datatype().is_some_and(|d| d.c_types.first() == Some(&member.ctype.as_str())))
        .map(|c| c.name)
}
