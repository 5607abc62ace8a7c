//! C structs as crate `layout` takes them in, to write code that builds their datatypes.

use std::collections::BTreeMap;

use frontend::ir::{Field, RecordId as Defined, RecordKind, Type, TypeId};
use layout::c_struct::{Description, Kind, Link, Member, Record, RecordId};

use super::super::values::Layout;
use crate::c_types::basic;

/// Structs nested deeper than this are not described.
const MAX_DEPTH: u32 = 16;
/// A struct with more members than this, with those of structs in it, is not described.
const MOST_MEMBERS: usize = 512;

/// A struct and those in it, the struct itself selected. Pointers are left out. `None` if anything in it has an unknown layout, or is
/// such that nothing tells how to send it: a union with pointers in it.
pub(super) fn describe(layout: &Layout<'_>, id: Defined) -> Option<Description> {
    let mut reader =
        Reader { layout, description: Description::default(), known: BTreeMap::new(), members: 0 };
    let selected = reader.record(id, "record", 0)?;
    reader.description.selected.push(selected);
    Some(reader.description)
}

struct Reader<'l, 'a> {
    layout: &'l Layout<'a>,
    description: Description,
    known: BTreeMap<Defined, RecordId>,
    members: usize,
}

impl Reader<'_, '_> {
    fn record(&mut self, id: Defined, hint: &str, depth: u32) -> Option<RecordId> {
        if let Some(&known) = self.known.get(&id) {
            return Some(known);
        }
        let record = self.layout.types().record(id);
        if MAX_DEPTH < depth || record.kind != RecordKind::Struct || !record.layout_known {
            return None;
        }
        let name = self.fresh(record.name.as_deref().unwrap_or(hint));
        let c_type = record.name.as_ref().map(|name| match record.tagged {
            true => format!("struct {name}"),
            false => name.to_string(),
        });
        let mut members: Vec<Member> = Vec::new();
        let mut bits_before = false;
        for field in record.fields.as_ref()? {
            self.members += 1;
            if MOST_MEMBERS < self.members {
                return None;
            }
            if let Some((first, width)) = field.bits {
                // Those without a name are padding.
                if field.name.is_some() {
                    let first = field.offset * 8 + u64::from(first);
                    Member::add_bits(&mut members, bits_before, first, width.into());
                    bits_before = true;
                }
                continue;
            }
            bits_before = false;
            if let Some(member) = self.member(field, &name, depth)? {
                members.push(member);
            }
        }
        self.description.records.push(Record { name, c_type, size: record.size, fixed: true, members });
        let id_in_description = RecordId(self.description.records.len() - 1);
        self.known.insert(id, id_in_description);
        Some(id_in_description)
    }

    /// A member; `None` within for one that has no bytes.
    fn member(&mut self, field: &Field, around: &str, depth: u32) -> Option<Option<Member>> {
        let types = self.layout.types();
        let mut dimensions = Vec::new();
        let mut element = field.ty;
        while let Type::Array(of, length) = types.get(element) {
            // What a flexible member points behind the struct to is not part of it.
            let Some(length) = *length else { return Some(None) };
            dimensions.push(length);
            element = *of;
        }
        if dimensions.contains(&0) {
            return Some(None);
        }
        let size = self.layout.exact_size(field.ty)?;
        let kind = self.kind(element, field, around, depth)?;
        let name = field.name.as_deref().map(str::to_owned);
        let member = Member { name, offset: field.offset, size, dimensions, kind };
        Some((0 < size).then_some(member))
    }

    fn kind(&mut self, element: TypeId, field: &Field, around: &str, depth: u32) -> Option<Kind> {
        let types = self.layout.types();
        let ty = types.get(element);
        if let Some(basic) = basic(ty) {
            return Some(Kind::Basic(basic));
        }
        match ty {
            Type::Pointer(_) => Some(Kind::Link(Link::Opaque)),
            Type::Int(_) => Some(Kind::Bytes),
            Type::Record(id) if types.record(*id).kind == RecordKind::Union => {
                (types.record(*id).layout_known && !self.points(element, 0)).then_some(Kind::Bytes)
            }
            Type::Record(id) => {
                let hint = format!("{around}_{}", field.name.as_deref().unwrap_or("inner"));
                self.record(*id, &hint, depth + 1).map(Kind::Record)
            }
            _ => None,
        }
    }

    /// Whether there may be a pointer in an object of a type.
    fn points(&self, ty: TypeId, depth: u32) -> bool {
        let types = self.layout.types();
        match types.get(ty) {
            Type::Array(of, _) => self.points(*of, depth),
            Type::Record(id) => {
                let fields = types.record(*id).fields.as_deref();
                MAX_DEPTH < depth
                    || fields.is_none_or(|all| all.iter().any(|field| self.points(field.ty, depth + 1)))
            }
            ty => basic(ty).is_none() && !matches!(ty, Type::Int(_)),
        }
    }

    /// A name for code that no other struct of the description has.
    fn fresh(&self, name: &str) -> String {
        let mut all = std::iter::once(name.to_owned()).chain((2..).map(|number| format!("{name}_{number}")));
        all.find(|name| self.description.records.iter().all(|record| record.name != *name))
            .expect("numbers have no end")
    }
}
