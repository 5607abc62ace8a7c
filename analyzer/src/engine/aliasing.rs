//! What a store through a pointer of unknown target may change: an object is accessed as what it is (C11 6.5 paragraphs 6 and 7).
//!
//! A value stays where it is when something of another type is stored somewhere, and is found again only by who reads it as what it is:
//! memory that has been given another type meanwhile holds nothing that is known. Members of unions that lie in allocated memory are
//! taken to be accessed through the union, as compilers take them to be.

use frontend::ir::{
    Expr, ExprKind, IntKind, Place, Projection, RecordId, RecordKind, Type, TypeId, TypeTable,
};
use frontend::mpi::TypeGroup;

use super::memory::{Background, Content, Memory, ObjectId, ObjectKind};
use super::value::Value;

/// Types of scalars, as far as what is stored as one of them is never read as another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stored(u16);

impl Stored {
    pub(crate) const NOTHING: Self = Self(0);
    /// Integers of one byte that are members of records, or no characters.
    const MEMBERS: Self = Self(1);
    /// Integers of two bytes.
    const SHORTS: Self = Self(1 << 1);
    /// Integers of four bytes.
    pub(crate) const INTS: Self = Self(1 << 2);
    /// Integers of eight bytes.
    pub(crate) const LONGS: Self = Self(1 << 3);
    const FLOATS: Self = Self(1 << 4);
    const DOUBLES: Self = Self(1 << 8);
    const POINTERS: Self = Self(1 << 5);
    /// Handles of MPI.
    pub(crate) const HANDLES: Self = Self(1 << 6);
    pub(crate) const CHARACTERS: Self = Self(1 << 7);
    pub(crate) const ANYTHING: Self = Self(u16::MAX);
    const ALL_BUT_HANDLES: Self = Self(!Self::HANDLES.0);

    /// What a scalar of a type is, or what is in an object of the type.
    pub(crate) fn of(types: &TypeTable, ty: TypeId) -> Self {
        match types.get(ty) {
            Type::Int(IntKind::Bool) => Self::MEMBERS,
            Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar) => Self::CHARACTERS,
            Type::Int(kind) | Type::Enum(_, kind) => match kind.size() {
                2 => Self::SHORTS,
                4 => Self::INTS,
                8 => Self::LONGS,
                _ => Self::ANYTHING,
            },
            Type::Float(4) => Self::FLOATS,
            Type::Float(8) => Self::DOUBLES,
            Type::Float(_) | Type::Complex(_) => Self::FLOATS.union(Self::DOUBLES),
            Type::Pointer(_) => Self::POINTERS,
            Type::Array(element, _) => Self::of(types, *element),
            Type::Named(name) if name.starts_with("MPI_") && &**name != "MPI_Status" => Self::HANDLES,
            Type::Record(record) => Self::of_record(types, *record),
            Type::Void | Type::Function(_) | Type::Named(_) | Type::Unknown => Self::ANYTHING,
        }
    }

    fn of_record(types: &TypeTable, record: RecordId) -> Self {
        // What is stored in one member of a union changes all of them.
        match &types.record(record).fields {
            Some(fields) => {
                let all = fields.iter().map(|f| Self::of(types, f.ty)).fold(Self::NOTHING, Self::union);
                // They may also be accessed one by one as what they are.
                if all.meets(Self::CHARACTERS) { all.union(Self::MEMBERS) } else { all }
            }
            None => Self::ANYTHING,
        }
    }

    /// The same where characters are known to be members of records.
    const fn in_record(self) -> Self {
        match self {
            Self::ANYTHING => self,
            _ if self.meets(Self::CHARACTERS) => Self((self.0 & !Self::CHARACTERS.0) | Self::MEMBERS.0),
            _ => self,
        }
    }

    /// What a place holds that something is stored to.
    pub(crate) fn of_place(types: &TypeTable, place: &Place) -> Self {
        let in_union = |projection: &Projection| match projection {
            Projection::Field(record, _) if types.record(*record).kind == RecordKind::Union => {
                Some(Self::of_record(types, *record))
            }
            _ => None,
        };
        let own = Self::of(types, place.ty);
        let all = place.projections.iter().filter_map(in_union).fold(own, Self::union);
        let is_member = place.projections.iter().any(|p| matches!(p, Projection::Field(..)));
        let is_record = matches!(types.get(place.ty), Type::Record(_));
        if is_member || is_record { all.in_record() } else { all }
    }

    /// What a function of a library stores where an argument points to: where it copies bytes, these may be part of anything.
    pub(crate) fn behind(types: &TypeTable, arg: &Expr, copies_bytes: bool) -> Self {
        let arg = arg.strip_casts();
        let stored = match (&arg.kind, types.pointee(arg.ty)) {
            // More of the string that the call before was given.
            (ExprKind::Int(0), _) => Self::CHARACTERS,
            (_, pointee) => pointee.map_or(Self::ANYTHING, |ty| Self::of(types, ty)),
        };
        if copies_bytes { stored.anywhere() } else { stored }
    }

    /// The same where characters may be parts of whatever there is, as the language has it.
    pub(crate) const fn anywhere(self) -> Self {
        if self.meets(Self::CHARACTERS) { Self::ANYTHING } else { self }
    }

    /// What an element of a predefined MPI datatype is.
    pub(crate) fn of_datatype(datatype: &Value) -> Self {
        let known = datatype.as_name().and_then(frontend::mpi::constant).and_then(|c| c.datatype());
        match known {
            Some(d) if matches!(d.group, TypeGroup::CInteger) => match d.size {
                2 => Self::SHORTS,
                4 => Self::INTS,
                8 => Self::LONGS,
                _ => Self::ANYTHING,
            },
            Some(d) if matches!(d.group, TypeGroup::FloatingPoint) => Self::FLOATS.union(Self::DOUBLES),
            _ => Self::ANYTHING,
        }
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether one may get from it to other objects.
    pub(crate) fn may_lead_on(self) -> bool {
        self.meets(Self::POINTERS)
    }

    /// Whether part of it may be part of a string outside of the program's objects, or an element of `argv`: these are characters and
    /// pointers.
    pub(crate) fn may_be_text(self) -> bool {
        self.meets(Self::POINTERS.union(Self::CHARACTERS))
    }

    /// Whether a value of so many bytes may have been stored as one of these.
    pub(crate) fn may_be(self, size: u64, value: &Value) -> bool {
        let pointers = Self::POINTERS.union(Self::HANDLES);
        let (integers, others) = match size {
            1 => (Self::MEMBERS.union(Self::CHARACTERS), Self::NOTHING),
            2 => (Self::SHORTS, Self::NOTHING),
            4 => (Self::INTS, Self::FLOATS),
            8 => (Self::LONGS, Self::DOUBLES.union(pointers)),
            _ => return true,
        };
        let wide = size == 8;
        self.meets(match value {
            // Null pointers and other numbers are integers where all bytes are zero.
            Value::Int(number) => match number.as_constant() {
                Some(0) => integers.union(others),
                Some(_) => integers,
                None if wide => integers.union(pointers),
                None => integers,
            },
            Value::Mixed(_) if wide => integers.union(pointers),
            Value::Mixed(_) => integers,
            Value::Same(_) => integers.union(others),
            // A request is known by where it was first stored.
            Value::Address(..) | Value::Within(_) | Value::Function(..) => pointers,
            Value::Comm(_) | Value::Group(_) => Self::HANDLES,
            Value::Name(name) if wide => match frontend::mpi::constant(name) {
                Some(constant) if constant.object().is_some() => Self::HANDLES,
                _ => pointers,
            },
            Value::Name(_) => integers,
            Value::Unknown => return true,
        })
    }
}

/// Whether some bytes of a type may be stored as one thing and read as another.
fn has_union(types: &TypeTable, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Array(element, _) => has_union(types, *element),
        Type::Record(record) => {
            let record = types.record(*record);
            let mut fields = record.fields.iter().flatten();
            record.kind == RecordKind::Union || fields.any(|field| has_union(types, field.ty))
        }
        _ => false,
    }
}

/// Whether a value of so many bytes is a handle of MPI.
fn is_handle(size: u64, value: &Value) -> bool {
    *value != Value::Unknown && !Stored::ALL_BUT_HANDLES.may_be(size, value)
}

impl Content {
    /// Forgets what other processes may have written: anything but handles, which mean nothing to another process.
    pub(crate) fn forget_shared(&mut self) {
        if self.summary || !self.series.is_empty() {
            return self.forget();
        }
        self.cells.retain(|_, (size, value)| is_handle(*size, value));
        self.background = Background::Unknown;
    }

    /// Whether there is nothing to [forget](Self::forget_shared).
    pub(crate) fn is_forgotten_shared(&self) -> bool {
        let holds_handles = !self.summary && self.cells.values().all(|(size, value)| is_handle(*size, value));
        self.background == Background::Unknown
            && self.series.is_empty()
            && (self.cells.is_empty() || holds_handles)
    }

    /// Forgets what something that is stored nobody knows where may have changed.
    fn forget_stored(&mut self, stored: Stored) {
        if stored == Stored::ANYTHING || !self.series.is_empty() {
            return self.forget();
        }
        self.cells.retain(|_, (size, value)| *value != Value::Unknown && !stored.may_be(*size, value));
        self.background = Background::Unknown;
    }
}

impl super::Engine<'_> {
    /// What is in an object; anything where it has no declared type.
    pub(crate) fn held_in(&self, object: ObjectId) -> Stored {
        let (unit, ty) = match self.objects.kind(object) {
            ObjectKind::Local(_, function, local) | ObjectKind::Static(function, local) => {
                (function.unit, self.program.function(*function).local(*local).ty)
            }
            ObjectKind::Global(unit, global) => (*unit, self.program.units[*unit].global(*global).ty),
            _ => return Stored::ANYTHING,
        };
        let types = &self.program.units[unit].types;
        if has_union(types, ty) { Stored::ANYTHING } else { Stored::of(types, ty) }
    }

    /// What may change where something is stored nobody knows where. Characters are assumed to go to strings unless the program looks at
    /// other things as bytes.
    pub(crate) fn stored_somewhere(&mut self, stored: Stored) -> Stored {
        if stored == Stored::ANYTHING || !stored.meets(Stored::CHARACTERS) {
            return stored;
        }
        if self.ground.bytes {
            return Stored::ANYTHING;
        }
        self.assume("characters are stored in strings only".to_owned());
        stored
    }

    /// Forgets what something that is stored somewhere may have changed in an object.
    pub(crate) fn forget_stored(&mut self, memory: &mut Memory, object: ObjectId, stored: Stored) {
        let changed = if stored == Stored::ANYTHING { stored } else { self.held_in(object) };
        let unknown =
            |content: &Content| content.cells.is_empty() && content.background == Background::Unknown;
        if memory.get(object).is_some_and(unknown) {
            return;
        }
        if !changed.meets(stored) {
            return;
        }
        if changed == Stored::ANYTHING && !matches!(self.objects.kind(object), ObjectKind::Heap(..)) {
            memory.content(object).forget();
        } else {
            memory.content(object).forget_stored(stored);
        }
    }
}
