//! Structs of C as compilers lay them out, and C code that tells MPI about them.
//!
//! * A [`Description`] has the structs of a header with sizes and offsets; who makes one has read the header.
//! * [`automap`] writes functions that build an MPI datatype for each struct; [`builder`] a single one, into code that is there.
//! * [`autolink`] writes the tables by which the library AutoLink follows pointers.
//!
//! After Goujon, Michel, Peeters, Devaney, *AutoMap & AutoLink: Tools for Communicating Complex & Dynamic
//! Data-Structures using MPI* (CANPC'98). Offsets in the code are `offsetof`, so that it says what it means; that they are
//! those of the description is asserted at compile time.

pub mod autolink;
pub mod automap;
mod builder;
mod leaves;

use thiserror::Error;

use crate::basic::Basic;
pub use builder::{Builder, builder};
pub use leaves::spelling;

/// Index in [`Description::records`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub usize);

/// Structs of one header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// How generated code includes the header: what stands between the quotes.
    pub header: String,
    /// Headers of the system that have to be included before it, such as `stddef.h`.
    pub before: Vec<String>,
    /// The structs. One that is a member of another by value comes before it.
    pub records: Vec<Record>,
    /// The structs that a datatype is asked for, in the order of the header, none twice.
    pub selected: Vec<RecordId>,
    /// What links may point to, in addition to the selected ones, in the order of the header.
    pub linked: Vec<RecordId>,
}

/// A struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What generated names end in: `Node` of `AutoMap_Node`. Structs that are selected or linked have one, each its own.
    pub name: String,
    /// How C names the type (`struct Node`, `Node`); `None` if it has no name, as within another one.
    pub c_type: Option<String>,
    /// `sizeof`, in bytes.
    pub size: u64,
    /// Whether size and offsets are the same for every MPI library. Where they are not, as in a struct with an `MPI_Comm` in it, they
    /// tell the order of the members only, and generated code takes `sizeof` and `offsetof` instead.
    pub fixed: bool,
    /// The members by increasing offset.
    pub members: Vec<Member>,
}

/// A member of a struct, or several bit-fields that share bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; `None` for bit-fields, and for an inner struct or union without a name.
    pub name: Option<String>,
    /// From the beginning of the struct, in bytes.
    pub offset: u64,
    /// Of the whole member, in bytes.
    pub size: u64,
    /// Lengths of the dimensions of an array, outermost first; empty for what is no array.
    pub dimensions: Vec<u64>,
    /// What it is, or what its elements are.
    pub kind: Kind,
}

/// What a member is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scalar.
    Basic(Basic),
    /// Bytes without a meaning to MPI: a union, bit-fields, an integer that MPI has no datatype for.
    Bytes,
    /// A struct.
    Record(RecordId),
    /// A pointer.
    Link(Link),
    /// It is not transferred: what the user says is opaque, a handle of MPI, and a flexible array, whose length is not in the type.
    LeftOut,
}

/// What is known of a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// To one element, or NULL.
    One(Target),
    /// To an array whose length is in an integer field.
    Counted {
        /// What the elements are.
        target: Target,
        /// Name of the field with the length, which is a member of the same struct.
        count: String,
    },
    /// To characters that end with `'\0'`.
    String,
    /// It is not followed.
    Opaque,
}

/// What a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A struct that is [selected](Description::selected) or [linked](Description::linked).
    Record(RecordId),
    /// A scalar.
    Basic(Basic),
    /// Bytes without a meaning to MPI, of the type with this name in C.
    Bytes(String),
    /// A pointer to one element.
    Pointer(Box<Target>),
    /// A pointer to characters that end with `'\0'`.
    String,
    /// An array of scalars or bytes with these dimensions.
    Array(Box<Target>, Vec<u64>),
}

/// Why there is no code for a description.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StructError {
    /// An array is longer than the `int` that MPI's constructors take can say.
    #[error(
        "member `{member}` of `{record}` has {count} elements, more than an int can hold, which MPI's constructors take"
    )]
    TooMany {
        /// The struct.
        record: String,
        /// The member.
        member: String,
        /// Number of elements.
        count: u64,
    },
    /// The offset of something is needed that C has no name for, in a struct whose layout depends on the MPI library.
    #[error(
        "`{record}` has handles of MPI in it, whose size depends on the MPI library, and C has no name by which `{member}` in it could be \
         found; give it one"
    )]
    Nameless {
        /// The struct.
        record: String,
        /// The member.
        member: String,
    },
    /// An array of structs with pointers or what is marked opaque in them has too many elements for a table of all of them.
    #[error(
        "member `{member}` of `{record}` is an array of structs with pointers or opaque members, {count} fields in all, too many for a \
         table (at most {MOST_ENTRIES}); point to the array instead, and mark the pointer with /*~ AutoMap_Count(field) */"
    )]
    TableTooLong {
        /// The struct.
        record: String,
        /// The member.
        member: String,
        /// Number of entries that the table would have.
        count: u64,
    },
}

/// The most entries that one array of structs gets in a table of AutoLink.
pub const MOST_ENTRIES: u64 = 4096;

impl Description {
    /// The lines that include the header, and before it what it needs.
    pub(super) fn includes(&self) -> String {
        let before: String = self.before.iter().map(|name| format!("#include <{name}>\n")).collect();
        let note = if before.is_empty() { "" } else { "\n/* The header below needs these. */\n" };
        format!("{note}{before}\n#include \"{}\"\n", self.header)
    }

    /// A struct by its index.
    ///
    /// # Panics
    ///
    /// If the index is of another description.
    #[must_use]
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0]
    }

    /// Whether size and offsets of a struct, and of those in it, are the same for every MPI library.
    #[must_use]
    pub fn is_fixed(&self, id: RecordId) -> bool {
        let record = self.record(id);
        let is_fixed = |member: &Member| match member.kind {
            Kind::Record(inner) => self.is_fixed(inner),
            _ => true,
        };
        record.fixed && record.members.iter().all(is_fixed)
    }

    /// Whether a struct has something in it, at any depth, that is not sent as its bytes: a pointer, or what is marked opaque.
    #[must_use]
    pub fn leaves_out(&self, id: RecordId) -> bool {
        self.record(id).members.iter().any(|member| match &member.kind {
            Kind::Link(_) | Kind::LeftOut => true,
            Kind::Record(inner) => self.leaves_out(*inner),
            Kind::Basic(_) | Kind::Bytes => false,
        })
    }
}

impl Member {
    /// Adds the bytes that a bit-field lies in, which begins `first` bits behind the start of the struct and has `width` bits. Where the
    /// last member is of bit-fields too (`follows_bits`), and there is no byte between them, it becomes longer instead.
    pub fn add_bits(members: &mut Vec<Self>, follows_bits: bool, first: u64, width: u64) {
        let (start, end) = (first / 8, (first + width).div_ceil(8));
        match members.last_mut() {
            Some(last) if follows_bits && start <= last.offset + last.size => {
                last.size = last.size.max(end - last.offset);
            }
            _ => members.push(Self {
                name: None,
                offset: start,
                size: end - start,
                dimensions: Vec::new(),
                kind: Kind::Bytes,
            }),
        }
    }

    /// Number of elements: 1 for what is no array.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.dimensions.iter().product()
    }
}
