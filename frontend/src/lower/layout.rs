//! Members, sizes and offsets of structures and unions under the System V ABI for LP64.

use crate::ir::{Field, Record, RecordId, RecordKind, Type, TypeId, TypeTable};

use super::alignment::{Alignment, Placement};
use super::containment::Held;
use super::rewrite::{Attribute, Mark, Special};
use super::syntax::{Kind, NodeId};
use super::unit::UnitLowerer;

/// Lays out members one after the other.
#[derive(Debug)]
struct Layout {
    union: bool,
    packed: bool,
    /// First free bit.
    bits: u64,
    size: u64,
    align: u64,
    /// Whether this is the true layout.
    known: bool,
    /// Whether this is a layout at all; if it is not the true one, that of the model.
    model: bool,
    /// Whether an array of unknown length is already there: nothing can follow it.
    open_end: bool,
    /// What the members so far hold by value.
    held: Held,
}

impl Layout {
    fn new(union: bool, packed: bool) -> Self {
        Self {
            union,
            packed,
            bits: 0,
            size: 0,
            align: 1,
            known: true,
            model: true,
            open_end: false,
            held: Held::default(),
        }
    }

    /// A member that cannot be placed.
    fn lose(&mut self) {
        self.known = false;
        self.model = false;
    }

    /// Size and alignment of a member's type, true or of the model; `None` where it has neither.
    fn measure(&mut self, types: &TypeTable, ty: TypeId) -> Option<(u64, u64)> {
        let size_align = types.size_align(ty).or_else(|| {
            self.known = false;
            types.model_size_align(ty)
        });
        if size_align.is_none() || self.open_end && !self.union {
            self.lose();
        }
        size_align
    }

    /// What the layout says about a record whose members are all placed; a record has at least the given alignment.
    fn finish(self, record: &mut Record, fields: Vec<Field>, aligned: u64) {
        record.fields = Some(fields);
        record.align = self.align.max(aligned);
        record.layout_known = self.known;
        record.model_layout = self.model;
        record.size = if self.model { self.size.next_multiple_of(record.align) } else { 0 };
    }

    /// Places a member; the result is its offset in bytes.
    fn member(&mut self, size: u64, align: u64) -> u64 {
        self.align = self.align.max(align);
        if self.union {
            self.size = self.size.max(size);
            return 0;
        }
        let offset = self.bits.div_ceil(8).next_multiple_of(align.max(1));
        match offset.checked_add(size).filter(|end| *end < u64::MAX / 16) {
            Some(end) => {
                self.bits = end * 8;
                self.size = end;
            }
            None => self.lose(),
        }
        offset
    }

    /// Places a bit-field; the result is the offset of its storage unit and its first bit in it.
    fn bit_field(&mut self, width: u32, size: u64, align: u64, packed: bool, named: bool) -> (u64, u32) {
        let unit = size * 8;
        if width == 0 {
            self.bits = self.bits.next_multiple_of(unit.max(1));
            return (self.bits / 8, 0);
        }
        if named {
            self.align = self.align.max(align);
        }
        if self.union {
            self.size = self.size.max(u64::from(width).div_ceil(8));
            return (0, 0);
        }
        if !packed && self.bits / unit != (self.bits + u64::from(width) - 1) / unit {
            self.bits = self.bits.next_multiple_of(unit);
        }
        let offset = self.bits / unit * size;
        let first = (self.bits - offset * 8) as u32;
        self.bits += u64::from(width);
        self.size = self.bits.div_ceil(8);
        (offset, first)
    }
}

impl<'t> UnitLowerer<'t> {
    /// A structure without bit-fields or attributes.
    pub(super) fn plain_record(
        &mut self,
        tag: Option<&'static str>,
        members: Vec<(&'static str, TypeId)>,
    ) -> TypeId {
        let mut layout = Layout::new(false, false);
        let mut fields = Vec::new();
        for (name, ty) in members {
            let offset =
                layout.measure(&self.types, ty).map_or(0, |(size, align)| layout.member(size, align));
            fields.push(Field { name: Some(self.name(name)), ty, offset, bits: None });
        }
        let name = tag.map(|t| self.name(t));
        let mut record = Record::incomplete(RecordKind::Struct, name);
        layout.finish(&mut record, fields, 1);
        let id = self.types.add_record(record);
        self.types.intern(Type::Record(id))
    }

    /// Completes a record from its member list.
    pub(super) fn record_body(&mut self, id: RecordId, specifier: NodeId, body: NodeId) {
        let union = self.types.record(id).kind == RecordKind::Union;
        let on_record: Vec<Attribute> = self.attributes_of(specifier, body).collect();
        let packed = on_record.contains(&Attribute::Packed);
        let mut layout = Layout::new(union, packed);
        let asked = on_record
            .into_iter()
            .fold(Alignment::OfType, |greatest, attribute| greatest.greater(self.asked_alignment(attribute)));
        layout.known = asked != Alignment::Unknown;
        let mut fields = Vec::new();
        let members: Vec<NodeId> =
            self.syntax.children(body).filter(|&n| self.syntax.kind(n) == Kind::FieldDeclaration).collect();
        // Specifiers of alignment and attributes in front of a member are gone from the tree: what stands behind the member before
        // belongs to this one.
        let mut from = self.span(body).start;
        for member in members {
            self.field_declaration(id, member, from, &mut layout, &mut fields);
            from = self.span(member).end;
        }
        let aligned = if let Alignment::Chosen(value) = asked { value } else { 1 };
        self.containment.complete(id, layout.held);
        layout.finish(self.types.record_mut(id), fields, aligned);
    }

    /// The attributes of a record or an enumeration that is defined: `} __attribute__((packed))`, or before the name.
    pub(super) fn attributes_of(
        &self,
        specifier: NodeId,
        body: NodeId,
    ) -> impl Iterator<Item = Attribute> + '_ {
        let (whole, inner) = (self.span(specifier), self.span(body));
        let on_it = move |m: &&Mark| m.after == whole.end || (m.at >= whole.start && m.at < inner.start);
        self.marks.iter().filter(on_it).map(|mark| mark.attribute)
    }

    /// One declaration of members of `record`; `from` is where the text about it begins.
    fn field_declaration(
        &mut self,
        record: RecordId,
        node: NodeId,
        from: u32,
        layout: &mut Layout,
        fields: &mut Vec<Field>,
    ) {
        let (_, base) = self.specifiers(node);
        let declarators = self.declarators(node);
        let carried = self.specifier_alignment(node);
        let placements = self.placements(node, from, &declarators);
        for (&n, &placement) in declarators.iter().zip(&placements) {
            let unnamed = self.syntax.get(n).special == Some(Special::Unnamed);
            let (name, ty) = if unnamed {
                (None, base)
            } else {
                let declared = self.declarator(n, base);
                // Of a length that is written but not known: unlike a flexible array it takes room.
                if !declared.lengths.is_empty() {
                    layout.lose();
                }
                (declared.name.map(|(name, _)| self.name(name)), declared.ty)
            };
            let ty = self.member_type(record, ty, &mut layout.held, self.span(n));
            let width = self
                .syntax
                .next(n)
                .filter(|&b| self.syntax.kind(b) == Kind::Bitfield)
                .and_then(|b| self.syntax.first(b));
            // The clause's first child is the `:`, left in as an unknown token, or the width itself.
            let width = width.map(|w| self.syntax.next(w).unwrap_or(w));
            let carried = self.declared_alignment(Some(n), carried);
            self.add_field(
                Field { name, ty, offset: 0, bits: None },
                width,
                carried,
                placement,
                layout,
                fields,
            );
        }
        // An anonymous record; a tag declaration alone declares no member.
        if declarators.is_empty()
            && let Type::Record(id) = *self.types.get(base)
            && (self.types.record(id).name.is_none() || self.types.record(id).fields.is_some())
        {
            let ty = self.member_type(record, base, &mut layout.held, self.span(node));
            let member = Field { name: None, ty, offset: 0, bits: None };
            self.add_field(member, None, carried, placements[0], layout, fields);
        }
    }

    /// Places a member; `carried` is the alignment of its type.
    fn add_field(
        &mut self,
        mut field: Field,
        width: Option<NodeId>,
        carried: Alignment,
        placement: Placement,
        layout: &mut Layout,
        fields: &mut Vec<Field>,
    ) {
        // A flexible array member takes no room.
        let size_align = match *self.types.get(field.ty) {
            Type::Array(element, None) => {
                let size_align = layout.measure(&self.types, element).map(|(_, align)| (0, align));
                layout.open_end = true;
                size_align
            }
            _ => layout.measure(&self.types, field.ty),
        };
        let Some((size, mut align)) = size_align else {
            fields.push(field);
            return;
        };
        match carried {
            Alignment::OfType => {}
            // How compilers place bit-fields of such types differs.
            Alignment::Chosen(_) if width.is_some() => layout.known = false,
            Alignment::Chosen(value) => align = value,
            Alignment::Unknown => layout.known = false,
        }
        let packed = layout.packed || placement.packed;
        if packed {
            align = 1;
        }
        match placement.aligned {
            Alignment::OfType => {}
            Alignment::Chosen(value) => {
                align = align.max(value);
                if width.is_some() {
                    layout.bits = layout.bits.next_multiple_of(value * 8);
                }
            }
            Alignment::Unknown => layout.known = false,
        }
        if let Some(width) = width {
            let Some(width) =
                self.constant_value(width).and_then(|w| u32::try_from(w).ok()).filter(|w| *w <= 128)
            else {
                layout.lose();
                fields.push(Field { bits: Some((0, 0)), ..field });
                return;
            };
            let (offset, first) = layout.bit_field(width, size.max(1), align, packed, field.name.is_some());
            fields.push(Field { offset, bits: Some((first, width)), ..field });
            return;
        }
        field.offset = layout.member(size, align);
        fields.push(field);
    }

    /// The fields to step through from a record to a member, which may be inside anonymous ones.
    pub(super) fn find_field(&self, record: RecordId, name: &str) -> Option<Vec<(RecordId, u32, TypeId)>> {
        self.find_field_within(record, name, &mut 1000)
    }

    fn find_field_within(
        &self,
        record: RecordId,
        name: &str,
        fuel: &mut u32,
    ) -> Option<Vec<(RecordId, u32, TypeId)>> {
        *fuel = fuel.checked_sub(1)?;
        let fields = self.types.record(record).fields.as_ref()?;
        for (index, field) in fields.iter().enumerate() {
            let index = u32::try_from(index).ok()?;
            if field.name.as_deref() == Some(name) {
                return Some(vec![(record, index, field.ty)]);
            }
            if field.name.is_none()
                && let Type::Record(inner) = *self.types.get(field.ty)
                && inner != record
                && let Some(mut path) = self.find_field_within(inner, name, fuel)
            {
                path.insert(0, (record, index, field.ty));
                return Some(path);
            }
        }
        None
    }
}
