//! Sizes and offsets in bytes, with handles.
//!
//! An MPI handle is an `int` in one MPI library and a pointer in another, so a type that contains one has no size that
//! may be claimed. To tell memory cells apart a size is needed all the same: [`Layout::cell_size`] and
//! [`Layout::field_offset`] give every handle 8 bytes, [`Layout::exact_size`] gives none.

use std::cell::RefCell;

use frontend::ir::{RecordId, RecordKind, Type, TypeId, TypeTable};
use rustc_hash::FxHashMap;

/// Sizes and offsets of one unit's types.
pub struct Layout<'a> {
    types: &'a TypeTable,
    records: RefCell<FxHashMap<RecordId, Option<RecordLayout>>>,
}

#[derive(Clone, Debug)]
struct RecordLayout {
    size: u64,
    align: u64,
    offsets: Vec<u64>,
}

/// Records nested deeper than this have no size.
const MAX_DEPTH: u32 = 32;
/// Bytes of an opaque type whose size no header tells.
const OPAQUE_SIZE: u64 = 8;

impl<'a> Layout<'a> {
    /// For the types of one unit.
    #[must_use]
    pub fn new(types: &'a TypeTable) -> Self {
        Self { types, records: RefCell::default() }
    }

    /// The types it measures.
    #[must_use]
    pub fn types(&self) -> &'a TypeTable {
        self.types
    }

    /// Bytes a value takes, handles counted as 8.
    #[must_use]
    pub fn cell_size(&self, ty: TypeId) -> Option<u64> {
        self.size_align(ty, 0).map(|(size, _)| size)
    }

    /// Bytes a value takes; `None` if it is not known or depends on the MPI library.
    #[must_use]
    pub fn exact_size(&self, ty: TypeId) -> Option<u64> {
        (!self.has_handle(ty, 0)).then(|| self.types.size(ty)).flatten()
    }

    /// Offset of a field, handles counted as 8.
    #[must_use]
    pub fn field_offset(&self, record: RecordId, field: u32) -> Option<u64> {
        self.record(record, 0)?.offsets.get(field as usize).copied()
    }

    /// The kind of MPI object a type is a handle of.
    #[must_use]
    pub fn handle(&self, ty: TypeId) -> Option<frontend::mpi::Object> {
        use frontend::mpi::Object;
        let name = match self.types.get(ty) {
            Type::Named(name) => name.clone(),
            Type::Pointer(to) => match self.types.get(*to) {
                Type::Record(record) => self.types.record(*record).name.clone()?,
                _ => return None,
            },
            _ => return None,
        };
        let word = name.strip_prefix("anyrank_mpi_").and_then(|rest| rest.strip_suffix('_'));
        Object::ALL.iter().copied().find(|object| {
            let ctype = object.ctype();
            *name == *ctype
                || word.is_some_and(|word| {
                    ctype.strip_prefix("MPI_").is_some_and(|c| c.eq_ignore_ascii_case(word))
                })
        })
    }

    fn has_handle(&self, ty: TypeId, depth: u32) -> bool {
        if MAX_DEPTH < depth || self.handle(ty).is_some() {
            return true;
        }
        match self.types.get(ty) {
            Type::Array(element, _) => self.has_handle(*element, depth + 1),
            Type::Record(record) => {
                let fields = self.types.record(*record).fields.as_deref().unwrap_or_default();
                fields.iter().any(|field| self.has_handle(field.ty, depth + 1))
            }
            _ => false,
        }
    }

    fn size_align(&self, ty: TypeId, depth: u32) -> Option<(u64, u64)> {
        if MAX_DEPTH < depth {
            return None;
        }
        match self.types.get(ty) {
            Type::Named(_) => Some((OPAQUE_SIZE, OPAQUE_SIZE)),
            Type::Array(element, length) => {
                let (size, align) = self.size_align(*element, depth + 1)?;
                Some((size.checked_mul((*length)?)?, align))
            }
            Type::Record(record) => self.record(*record, depth + 1).map(|layout| (layout.size, layout.align)),
            _ => self.types.size_align(ty),
        }
    }

    fn record(&self, id: RecordId, depth: u32) -> Option<RecordLayout> {
        if let Some(known) = self.records.borrow().get(&id) {
            return known.clone();
        }
        let layout = self.lay_out(id, depth);
        self.records.borrow_mut().insert(id, layout.clone());
        layout
    }

    fn lay_out(&self, id: RecordId, depth: u32) -> Option<RecordLayout> {
        let record = self.types.record(id);
        let fields = record.fields.as_ref()?;
        if record.layout_known {
            let offsets = fields.iter().map(|field| field.offset).collect();
            return Some(RecordLayout { size: record.size, align: record.align, offsets });
        }
        let mut layout = RecordLayout { size: 0, align: 1, offsets: Vec::with_capacity(fields.len()) };
        for (index, field) in fields.iter().enumerate() {
            // Bit-fields beside handles: too rare to lay out a second time.
            if field.bits.is_some() {
                return None;
            }
            let is_last = index + 1 == fields.len();
            let flexible = is_last && matches!(self.types.get(field.ty), Type::Array(_, None));
            let (size, align) = if flexible { (0, 1) } else { self.size_align(field.ty, depth)? };
            layout.align = layout.align.max(align);
            let offset = if record.kind == RecordKind::Union {
                0
            } else {
                layout.size.checked_next_multiple_of(align.max(1))?
            };
            layout.offsets.push(offset);
            layout.size = layout.size.max(offset.checked_add(size)?);
        }
        layout.size = layout.size.checked_next_multiple_of(layout.align.max(1))?;
        Some(layout)
    }
}
