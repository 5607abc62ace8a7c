//! C types under the LP64 ABI, interned per unit.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// Index of a [`Type`] in its unit's [`TypeTable`]. Equal ids are equal types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// Index of a [`Record`] in its unit's [`TypeTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// The integer types. `char` is signed, as on every LP64 target that MPI codes run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    /// `_Bool`
    Bool,
    /// `char`, kept apart from the two below because C does.
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`
    Int,
    /// `unsigned int`
    UInt,
    /// `long`
    Long,
    /// `unsigned long`
    ULong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    ULongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UInt128,
}

impl IntKind {
    /// Size in bytes under LP64.
    #[must_use]
    pub fn size(self) -> u64 {
        match self {
            Self::Bool | Self::Char | Self::SChar | Self::UChar => 1,
            Self::Short | Self::UShort => 2,
            Self::Int | Self::UInt => 4,
            Self::Long | Self::ULong | Self::LongLong | Self::ULongLong => 8,
            Self::Int128 | Self::UInt128 => 16,
        }
    }

    /// Whether negative values are representable.
    #[must_use]
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Self::Char | Self::SChar | Self::Short | Self::Int | Self::Long | Self::LongLong | Self::Int128
        )
    }
}

/// In [`Type::Float`], what stands for `_Float128` and `__float128`: 16 bytes as `long double` has, but another format. A complex
/// number of two of them is twice this.
pub const FLOAT128: u8 = 17;

/// Bytes of a floating type, or twice that of a complex one, from the number that stands for it.
fn float_bytes(number: u8) -> u64 {
    u64::from(if number.is_multiple_of(FLOAT128) { number / FLOAT128 * 16 } else { number })
}

/// A C type. Qualifiers are not part of it: no analysis of ours depends on `const`, and `volatile` objects are marked
/// on their declaration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// An integer type.
    Int(IntKind),
    /// A floating type by size in bytes: `float` 4, `double` 8, `long double` 16; [`FLOAT128`] is no size.
    Float(u8),
    /// A complex type by the size in bytes of the whole: `float _Complex` 8, `double _Complex` 16, `long double _Complex` 32.
    Complex(u8),
    /// `T *`
    Pointer(TypeId),
    /// `T [n]`; `None` where the length is not a constant (VLA, incomplete, flexible member).
    Array(TypeId, Option<u64>),
    /// A function type.
    Function(FunctionType),
    /// `struct` or `union`.
    Record(RecordId),
    /// `enum`, with the type that it is represented as: `unsigned int` where no constant is negative, else `int`, or wider where a
    /// value needs it; the smallest one if it is packed. Its constants are `int` where that holds them all.
    Enum(Option<Arc<str>>, IntKind),
    /// An opaque type known by name only: an MPI handle (`MPI_Comm`), `FILE`, a typedef of a header that was not found.
    Named(Arc<str>),
    /// A type that could not be determined (an undeclared function's result, exotic `typeof`).
    Unknown,
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// Result type.
    pub result: TypeId,
    /// Parameter types; `None` for `()` of old C, which says nothing about parameters.
    pub params: Option<Vec<TypeId>>,
    /// Whether the list ends in `...`.
    pub variadic: bool,
}

/// Kind of a [`Record`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// A `struct` or `union`.
///
/// # True layout and model layout
///
/// The size of an MPI handle, of `MPI_Status` and of a type known by name only differs between implementations or is not
/// known at all, and so is the layout of every record with such a member. An analysis must still tell the members of
/// one object apart. So a record has up to two layouts:
///
/// - the *true* one, that of every LP64 compiler, if [`layout_known`](Self::layout_known): `sizeof`, `offsetof` and
///   whatever is reported to the user use this one only;
/// - a *model* one, if [`model_layout`](Self::model_layout): what the true layout would be if every type of unknown
///   size had [`MODEL_SIZE`] bytes. It is for the objects of an analysis' own memory: members of a structure do not
///   overlap and lie in their order, members of a union are at 0. Nothing else may be concluded from it: a real program that
///   reaches a member by adding bytes to the address of another one finds it elsewhere.
///
/// Where the true layout is known it is the model layout too: [`TypeTable::model_size`] equals [`TypeTable::size`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Which of the two.
    pub kind: RecordKind,
    /// Tag, or the typedef's name for an anonymous record.
    pub name: Option<Arc<str>>,
    /// Whether the name is a tag, to be written after `struct` or `union`.
    pub tagged: bool,
    /// Members in order; `None` for an incomplete type. Members of anonymous inner records are reached through an
    /// unnamed field.
    pub fields: Option<Vec<Field>>,
    /// Size in bytes with trailing padding: the true one if `layout_known`, else that of the model if `model_layout`,
    /// else 0.
    pub size: u64,
    /// Alignment in bytes, true or of the model like `size`.
    pub align: u64,
    /// Whether size and offsets are those of every LP64 compiler.
    pub layout_known: bool,
    /// Whether size and offsets are at least those of the model. Follows from `layout_known`. False while the record is
    /// incomplete, for a record of which only the members in use are known, and where a length or width is unknown.
    pub model_layout: bool,
}

impl Record {
    /// A record of which only the tag is known.
    #[must_use]
    pub fn incomplete(kind: RecordKind, name: Option<Arc<str>>) -> Self {
        let tagged = name.is_some();
        Self { kind, name, tagged, fields: None, size: 0, align: 1, layout_known: false, model_layout: false }
    }
}

/// Size and alignment in bytes of a scalar type of unknown size in a [model layout](Record#true-layout-and-model-layout).
pub const MODEL_SIZE: u64 = 8;

/// Size in bytes of `MPI_Status` in a [model layout](Record#true-layout-and-model-layout), where `MPI_SOURCE` is at 0,
/// `MPI_TAG` at 4 and `MPI_ERROR` at 8; the rest stands for what implementations keep beside them.
pub const MODEL_STATUS_SIZE: u64 = 32;

/// A member of a [`Record`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name; `None` for an anonymous inner record or unnamed bit-field.
    pub name: Option<Arc<str>>,
    /// Declared type.
    pub ty: TypeId,
    /// Offset in bytes (of the storage unit for a bit-field): the true one if [`Record::layout_known`], else that of the
    /// model if [`Record::model_layout`], else meaningless. Two bit-fields may share a storage unit.
    pub offset: u64,
    /// For a bit-field: first bit within the storage unit and width in bits.
    pub bits: Option<(u32, u32)>,
}

/// Which layout is asked for, see [`Record`].
#[derive(Clone, Copy, Debug)]
enum Layout {
    True,
    Model,
}

/// Interns types; owns records.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    types: Vec<Type>,
    index: FxHashMap<Type, TypeId>,
    records: Vec<Record>,
}

impl TypeTable {
    /// The id of `ty`, adding it when new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = TypeId(u32::try_from(self.types.len()).expect("fewer than 2^32 types per unit"));
        self.types.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// Adds a record and returns its id; never merges two records.
    pub fn add_record(&mut self, record: Record) -> RecordId {
        let id = RecordId(u32::try_from(self.records.len()).expect("fewer than 2^32 records per unit"));
        self.records.push(record);
        id
    }

    /// The type behind an id.
    #[must_use]
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// The record behind an id.
    #[must_use]
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// The record behind an id, to complete it.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    /// The first record with this tag (or typedef name, if it has no tag).
    #[must_use]
    pub fn record_named(&self, name: &str) -> Option<RecordId> {
        let index = self.records.iter().position(|r| r.name.as_deref() == Some(name))?;
        u32::try_from(index).ok().map(RecordId)
    }

    /// `(size, alignment)` in bytes, or `None` where it is not a constant or not known.
    #[must_use]
    pub fn size_align(&self, id: TypeId) -> Option<(u64, u64)> {
        self.measure(id, Layout::True)
    }

    /// `(size, alignment)` in bytes in the [model layout](Record#true-layout-and-model-layout): the true ones where they are
    /// known, else those that follow from [`MODEL_SIZE`]. `None` for functions, incomplete records and arrays of
    /// unknown length, and where a record has no model layout.
    #[must_use]
    pub fn model_size_align(&self, id: TypeId) -> Option<(u64, u64)> {
        self.measure(id, Layout::Model)
    }

    fn measure(&self, id: TypeId, layout: Layout) -> Option<(u64, u64)> {
        match self.get(id) {
            Type::Int(kind) | Type::Enum(_, kind) => Some((kind.size(), kind.size())),
            Type::Float(size) => Some((float_bytes(*size), float_bytes(*size))),
            Type::Complex(size) => Some((float_bytes(*size), float_bytes(*size) / 2)),
            Type::Pointer(_) => Some((8, 8)),
            Type::Array(..) => {
                // Without recursion: a chain of typedefs may be as long as a hostile file.
                let mut count = 1_u64;
                let mut at = id;
                while let Type::Array(element, length) = self.get(at) {
                    count = count.checked_mul((*length)?)?;
                    at = *element;
                }
                let (size, align) = self.measure(at, layout)?;
                Some((size.checked_mul(count)?, align))
            }
            Type::Record(record) => {
                let record = self.record(*record);
                let known = match layout {
                    Layout::True => record.layout_known,
                    Layout::Model => record.model_layout,
                };
                (known && record.fields.is_some()).then_some((record.size, record.align))
            }
            // GNU C: sizeof(void) is 1; pointer arithmetic on void * depends on it.
            Type::Void => Some((1, 1)),
            Type::Named(_) | Type::Unknown => match layout {
                Layout::True => None,
                Layout::Model => Some((MODEL_SIZE, MODEL_SIZE)),
            },
            Type::Function(_) => None,
        }
    }

    /// Size in bytes, see [`Self::size_align`].
    #[must_use]
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.size_align(id).map(|(size, _)| size)
    }

    /// Size in bytes in the model layout, see [`Self::model_size_align`]: the distance of array elements, the step of
    /// pointer arithmetic and the extent of an object in an analysis' own memory. Not for `sizeof`.
    #[must_use]
    pub fn model_size(&self, id: TypeId) -> Option<u64> {
        self.model_size_align(id).map(|(size, _)| size)
    }

    /// Where the n-th member of a record is in the [model layout](Record#true-layout-and-model-layout), in bytes; `None` if
    /// there is no such member or no such layout. For a bit-field, where its storage unit is.
    #[must_use]
    pub fn model_offset(&self, id: RecordId, field: u32) -> Option<u64> {
        let record = self.record(id);
        let field = record.fields.as_ref()?.get(field as usize)?;
        record.model_layout.then_some(field.offset)
    }

    /// What a pointer points to or an array holds.
    #[must_use]
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(to) | Type::Array(to, _) => Some(*to),
            _ => None,
        }
    }
}
