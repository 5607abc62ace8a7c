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

/// A C type. Qualifiers are not part of it: no analysis of ours depends on `const`, and `volatile` objects are marked
/// on their declaration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// An integer type.
    Int(IntKind),
    /// A floating type by size in bytes: `float` 4, `double` 8, `long double` 16.
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
    /// `enum`; represented as `int` (or wider where a value needs it).
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Which of the two.
    pub kind: RecordKind,
    /// Tag, or the typedef's name for an anonymous record.
    pub name: Option<Arc<str>>,
    /// Members in order; `None` for an incomplete type. Members of anonymous inner records are reached through an
    /// unnamed field.
    pub fields: Option<Vec<Field>>,
    /// Size in bytes with trailing padding; 0 while incomplete or when a member's size is unknown.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Whether size and offsets are known.
    pub layout_known: bool,
}

/// A member of a [`Record`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name; `None` for an anonymous inner record or unnamed bit-field.
    pub name: Option<Arc<str>>,
    /// Declared type.
    pub ty: TypeId,
    /// Offset in bytes (of the storage unit for a bit-field).
    pub offset: u64,
    /// For a bit-field: first bit within the storage unit and width in bits.
    pub bits: Option<(u32, u32)>,
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
        match self.get(id) {
            Type::Int(kind) | Type::Enum(_, kind) => Some((kind.size(), kind.size())),
            Type::Float(size) => Some((u64::from(*size), u64::from(*size))),
            Type::Complex(size) => Some((u64::from(*size), u64::from(*size) / 2)),
            Type::Pointer(_) => Some((8, 8)),
            Type::Array(..) => {
                // Without recursion: a chain of typedefs may be as long as a hostile file.
                let mut count = 1_u64;
                let mut at = id;
                while let Type::Array(element, length) = self.get(at) {
                    count = count.checked_mul((*length)?)?;
                    at = *element;
                }
                let (size, align) = self.size_align(at)?;
                Some((size.checked_mul(count)?, align))
            }
            Type::Record(record) => {
                let record = self.record(*record);
                (record.layout_known && record.fields.is_some()).then_some((record.size, record.align))
            }
            // GNU C: sizeof(void) is 1; pointer arithmetic on void * depends on it.
            Type::Void => Some((1, 1)),
            Type::Function(_) | Type::Named(_) | Type::Unknown => None,
        }
    }

    /// Size in bytes, see [`Self::size_align`].
    #[must_use]
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.size_align(id).map(|(size, _)| size)
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
