//! C structs as what lies where in them.

use std::fmt::Write as _;

use frontend::ir::{RecordId, RecordKind, Type, TypeId};

use super::super::buffer_type::{Basic, basic_of, spell};
use super::super::values::Layout;

/// What a member holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Basic(Basic),
    /// A union or bit-fields, of which a datatype may say anything.
    Anything,
}

/// A scalar in a struct, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Bytes from the start of the struct.
    pub(super) at: u64,
    pub(super) holds: Holds,
    /// Bytes of all elements together.
    pub(super) size: u64,
    /// From the outermost struct: `pos.x`, `cells[3].n`.
    pub(super) name: String,
    /// Which member of the outermost struct it is or belongs to.
    pub(super) field: usize,
    /// C type of an element.
    pub(super) ctype: String,
}

impl Member {
    pub(super) fn end(&self) -> u64 {
        self.at + self.size
    }

    /// `int n`, `double x[3]`
    pub(super) fn text(&self) -> String {
        match self.holds {
            Holds::Basic(basic) if basic.size() < self.size => {
                format!("{} {}[{}]", self.ctype, self.name, self.size / basic.size())
            }
            _ => format!("{} {}", self.ctype, self.name),
        }
    }
}

/// A struct whose layout is known.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) id: RecordId,
    /// `struct particle`, or `Particle` where only a typedef names it.
    pub(super) name: String,
    /// In order of their places.
    pub(super) members: Vec<Member>,
    pub(super) size: u64,
}

/// What a struct without a name is called.
pub(super) const UNNAMED: &str = "the struct";

/// A struct with more members than this is not looked at.
const MEMBERS: usize = 512;
const MAX_DEPTH: u32 = 16;

impl Struct {
    /// `None` for unions, for structs of unknown layout (those with MPI handles among them) and for very large ones.
    pub(super) fn new(layout: &Layout<'_>, id: RecordId) -> Option<Self> {
        let record = layout.types().record(id);
        if record.kind != RecordKind::Struct || !record.layout_known || record.size == 0 {
            return None;
        }
        let mut members = Vec::new();
        for (index, field) in record.fields.as_ref()?.iter().enumerate() {
            let first = members.len();
            let name = field.name.as_deref().unwrap_or_default();
            if field.bits.is_some() {
                let size = layout.cell_size(field.ty)?;
                push(&mut members, field.offset, Holds::Anything, size, name, "bit-field".to_owned())?;
            } else {
                flatten(layout, field.ty, field.offset, name, &mut members, 0)?;
            }
            members[first..].iter_mut().for_each(|member| member.field = index);
        }
        members.sort_by_key(|member| member.at);
        let name = match &record.name {
            Some(name) if record.tagged => format!("struct {name}"),
            Some(name) => name.to_string(),
            None => UNNAMED.to_owned(),
        };
        Some(Self { id, name, members, size: record.size })
    }

    /// The member that a byte belongs to.
    pub(super) fn member_at(&self, byte: u64) -> Option<&Member> {
        // Bit-fields may share bytes, and any of them will do.
        self.members.iter().find(|member| member.at <= byte && byte < member.end())
    }

    /// `at 0: int id, at 8: double x[3]; 32 bytes`
    pub(super) fn text(&self) -> String {
        const TOLD: usize = 24;
        let mut text = String::new();
        for member in self.members.iter().take(TOLD) {
            let comma = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{comma}at {}: {}", member.at, member.text());
        }
        if TOLD < self.members.len() {
            let _ = write!(text, ", ... ({} more)", self.members.len() - TOLD);
        }
        let _ = write!(text, "; {} bytes", self.size);
        text
    }
}

fn push(
    members: &mut Vec<Member>,
    at: u64,
    holds: Holds,
    size: u64,
    name: &str,
    ctype: String,
) -> Option<()> {
    members.push(Member { at, holds, size, name: name.to_owned(), field: 0, ctype });
    (members.len() <= MEMBERS).then_some(())
}

fn flatten(
    layout: &Layout<'_>,
    ty: TypeId,
    at: u64,
    name: &str,
    members: &mut Vec<Member>,
    depth: u32,
) -> Option<()> {
    if MAX_DEPTH < depth || layout.handle(ty).is_some() {
        return None;
    }
    let types = layout.types();
    match types.get(ty) {
        Type::Array(_, length) => {
            let mut element = ty;
            let mut number = 1_u64;
            if length.is_none() {
                // A flexible member takes no bytes of the struct.
                return Some(());
            }
            while let Type::Array(inner, length) = types.get(element) {
                element = *inner;
                number = number.checked_mul((*length)?)?;
            }
            let size = layout.exact_size(element)?;
            if number == 0 {
                return Some(());
            }
            if let Some(basic) = basic_of(layout, element) {
                let bytes = size.checked_mul(number)?;
                return push(members, at, Holds::Basic(basic), bytes, name, c_type(layout, element, basic));
            }
            for index in 0..number {
                let start = at.checked_add(size.checked_mul(index)?)?;
                flatten(layout, element, start, &format!("{name}[{index}]"), members, depth + 1)?;
            }
            Some(())
        }
        Type::Record(id) => {
            let record = types.record(*id);
            if record.kind == RecordKind::Union {
                let size = layout.exact_size(ty)?;
                return push(members, at, Holds::Anything, size, name, "union".to_owned());
            }
            if !record.layout_known {
                return None;
            }
            for field in record.fields.as_ref()? {
                let dot = if name.is_empty() { "" } else { "." };
                let name = format!("{name}{dot}{}", field.name.as_deref().unwrap_or_default());
                let start = at.checked_add(field.offset)?;
                if field.bits.is_some() {
                    let size = layout.cell_size(field.ty)?;
                    push(members, start, Holds::Anything, size, &name, "bit-field".to_owned())?;
                } else {
                    flatten(layout, field.ty, start, &name, members, depth + 1)?;
                }
            }
            Some(())
        }
        _ => {
            let basic = basic_of(layout, ty)?;
            push(members, at, Holds::Basic(basic), basic.size(), name, c_type(layout, ty, basic))
        }
    }
}

/// A scalar type in words.
fn c_type(layout: &Layout<'_>, ty: TypeId, basic: Basic) -> String {
    if basic == Basic::Pointer { "pointer".to_owned() } else { spell(layout, ty) }
}
