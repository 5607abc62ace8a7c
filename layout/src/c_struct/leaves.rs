//! The members of a struct and of the structs within it, as one list.

use super::{Description, Kind, Link, Member, RecordId};
use crate::basic::Basic;

/// A member that is no struct itself, or an array of structs.
#[derive(Clone, Debug)]
pub(super) struct Leaf<'a> {
    /// How C designates it within the outermost struct (`pos.x`); `None` for bit-fields and unions without a name.
    pub(super) designator: Option<String>,
    /// What stands before the names of its neighbours in their designators: `pos.`.
    pub(super) prefix: String,
    /// From the beginning of the outermost struct, in bytes.
    pub(super) offset: u64,
    /// The member itself.
    pub(super) member: &'a Member,
}

impl Leaf<'_> {
    /// The offset as C code for a struct of this name in C; a number where there is nothing to name.
    pub(super) fn offset_in(&self, c_type: Option<&str>) -> String {
        match (c_type, &self.designator) {
            (Some(c_type), Some(designator)) => format!("offsetof({c_type}, {designator})"),
            _ => self.offset.to_string(),
        }
    }

    /// What to call it in a message.
    pub(super) fn title(&self) -> String {
        self.designator.clone().unwrap_or_else(|| format!("at byte {}", self.offset))
    }
}

impl Description {
    /// All leaves of a struct by increasing offset.
    pub(super) fn leaves(&self, record: RecordId) -> Vec<Leaf<'_>> {
        let mut leaves = Vec::new();
        self.add_leaves(record, "", 0, &mut leaves);
        leaves
    }

    /// Adds the leaves of a struct that lies at `base` in the outermost one.
    pub(super) fn add_leaves<'a>(
        &'a self,
        record: RecordId,
        prefix: &str,
        base: u64,
        leaves: &mut Vec<Leaf<'a>>,
    ) {
        for member in &self.record(record).members {
            let designator = member.name.as_ref().map(|name| format!("{prefix}{name}"));
            let offset = base + member.offset;
            match member.kind {
                Kind::Record(inner) if member.dimensions.is_empty() => {
                    // The members of a struct without a name are designated as those of the one around it.
                    let prefix =
                        designator.map_or_else(|| prefix.to_owned(), |designator| format!("{designator}."));
                    self.add_leaves(inner, &prefix, offset, leaves);
                }
                _ => leaves.push(Leaf { designator, prefix: prefix.to_owned(), offset, member }),
            }
        }
    }

    /// The scalar of which a struct is a sequence without gaps, and their number.
    pub(super) fn uniform(&self, record: RecordId) -> Option<(Basic, u64)> {
        let mut end = 0;
        let mut all: Option<(Basic, u64)> = None;
        for leaf in self.leaves(record) {
            let (basic, count) = match leaf.member.kind {
                Kind::Basic(basic) => (basic, leaf.member.count()),
                Kind::Bytes => (Basic::Byte, leaf.member.size),
                Kind::Record(inner) => {
                    let (basic, count) = self.uniform(inner)?;
                    (basic, count.checked_mul(leaf.member.count())?)
                }
                Kind::Link(_) | Kind::LeftOut => return None,
            };
            if leaf.offset != end || all.is_some_and(|(of, _)| of != basic) {
                return None;
            }
            end += leaf.member.size;
            all = Some((basic, all.map_or(0, |(_, before)| before).checked_add(count)?));
        }
        all.filter(|_| end == self.record(record).size)
    }

    /// Whether every byte of a struct is data: neither padding nor pointers.
    pub(super) fn dense(&self, record: RecordId) -> bool {
        let mut end = 0;
        for leaf in self.leaves(record) {
            let data = match leaf.member.kind {
                Kind::Basic(_) | Kind::Bytes => true,
                Kind::Record(inner) => self.dense(inner),
                Kind::Link(_) | Kind::LeftOut => false,
            };
            if !data || leaf.offset != end {
                return false;
            }
            end += leaf.member.size;
        }
        end == self.record(record).size
    }

    /// `_Static_assert`s that a struct is laid out as described; nothing if C has no name for it, or if its layout depends on the MPI
    /// library.
    pub(super) fn assertions(&self, record: RecordId, file: &str) -> String {
        let of = self.record(record);
        let Some(c_type) = &of.c_type else { return String::new() };
        if !self.is_fixed(record) {
            return String::new();
        }
        let mut text = format!(
            "_Static_assert(sizeof({c_type}) == {}, \"{c_type} has another size than when {file} was generated\");\n",
            of.size
        );
        let moved = format!("has another offset than when {file} was generated");
        self.add_assertions(record, c_type, "", 0, &moved, &mut text);
        text
    }

    fn add_assertions(
        &self,
        record: RecordId,
        c_type: &str,
        prefix: &str,
        base: u64,
        moved: &str,
        text: &mut String,
    ) {
        let mut leaves = Vec::new();
        self.add_leaves(record, prefix, base, &mut leaves);
        for leaf in leaves {
            let Some(designator) = &leaf.designator else { continue };
            text.push_str(&format!(
                "_Static_assert(offsetof({c_type}, {designator}) == {}, \"{c_type}.{designator} {moved}\");\n",
                leaf.offset
            ));
            // What has no name of its own has nobody else to assert it.
            if let Kind::Record(inner) = leaf.member.kind
                && self.record(inner).c_type.is_none()
                && leaf.member.count() > 0
            {
                let first = format!("{designator}{}", "[0]".repeat(leaf.member.dimensions.len()));
                text.push_str(&format!(
                    "_Static_assert(sizeof((({c_type} *)0)->{first}) == {}, \"{c_type}.{first} has another size than before\");\n",
                    self.record(inner).size
                ));
                self.add_assertions(inner, c_type, &format!("{first}."), leaf.offset, moved, text);
            }
        }
    }

    /// The structs whose layout generated code relies on: those given and those within them, inner ones first.
    pub(super) fn with_inner(&self, records: impl IntoIterator<Item = RecordId>) -> Vec<RecordId> {
        let mut all = Vec::new();
        for record in records {
            self.add_inner(record, &mut all);
        }
        all
    }

    fn add_inner(&self, record: RecordId, all: &mut Vec<RecordId>) {
        if all.contains(&record) {
            return;
        }
        for member in &self.record(record).members {
            if let Kind::Record(inner) = member.kind {
                self.add_inner(inner, all);
            }
        }
        all.push(record);
    }
}

impl Link {
    /// Whether the pointer is followed.
    #[must_use]
    pub fn is_followed(&self) -> bool {
        !matches!(self, Self::Opaque)
    }
}

/// How C spells the type of a basic datatype.
#[must_use]
pub fn spelling(basic: Basic) -> &'static str {
    match basic {
        Basic::Byte | Basic::UnsignedChar => "unsigned char",
        Basic::Char => "char",
        Basic::SignedChar => "signed char",
        Basic::Short => "short",
        Basic::UnsignedShort => "unsigned short",
        Basic::Int => "int",
        Basic::Unsigned => "unsigned int",
        Basic::Long => "long",
        Basic::UnsignedLong => "unsigned long",
        Basic::LongLong => "long long",
        Basic::UnsignedLongLong => "unsigned long long",
        Basic::Float => "float",
        Basic::Double => "double",
        Basic::LongDouble => "long double",
        Basic::Wchar => "wchar_t",
        Basic::CBool => "_Bool",
        Basic::Int8 => "int8_t",
        Basic::Int16 => "int16_t",
        Basic::Int32 => "int32_t",
        Basic::Int64 => "int64_t",
        Basic::Uint8 => "uint8_t",
        Basic::Uint16 => "uint16_t",
        Basic::Uint32 => "uint32_t",
        Basic::Uint64 => "uint64_t",
        Basic::FloatComplex => "float _Complex",
        Basic::DoubleComplex => "double _Complex",
        Basic::LongDoubleComplex => "long double _Complex",
        Basic::Aint => "MPI_Aint",
        Basic::Count => "MPI_Count",
        Basic::Offset => "MPI_Offset",
    }
}
