//! Values: what a process set knows about one scalar.

use std::sync::Arc;

use lattice::{Linear, Symbol};

use super::group::Group;
use super::memory::ObjectId;
use super::mixed::Mixed;
use super::relation::Counterpart;
use super::state::Communicator;

/// The value of a scalar on every member of a process set. An expression may hold the member's own rank
/// ([`Symbol::RANK`]); all other symbols have one value for the whole set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// An integer (the null pointer too: zero).
    Int(Linear),
    /// An integer that mixes digits of the member's own rank.
    Mixed(Arc<Mixed>),
    /// A value that is not an integer, or one with no usable form, but the same on all members: equal symbols are equal values.
    Same(Symbol),
    /// A predefined MPI object or special value by name: `MPI_INT`, `MPI_ANY_SOURCE`, `MPI_COMM_NULL`; or a handle that an MPI
    /// call made, by a description that begins with a lower-case letter.
    Name(Arc<str>),
    /// A communicator that a call has made.
    Comm(Arc<Communicator>),
    /// A group of processes.
    Group(Arc<Group>),
    /// An address: object and byte offset. The handle of a request is the address at which it was first stored.
    Address(ObjectId, Linear),
    /// An address somewhere in an object; it may differ between members.
    Within(ObjectId),
    /// A function of the program.
    Function(usize, Arc<str>),
    /// Nothing is known; it may differ between members.
    Unknown,
}

impl Value {
    pub(crate) fn int(value: i64) -> Self {
        Self::Int(value.into())
    }

    pub(crate) fn as_int(&self) -> Option<&Linear> {
        match self {
            Self::Int(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.as_int()?.as_constant()
    }

    pub(crate) fn as_name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    /// What a datatype is called.
    pub(crate) fn name_text(&self) -> String {
        self.as_name().unwrap_or("unknown").to_owned()
    }

    /// Whether all members of the set have the same value.
    pub(crate) fn is_uniform(&self) -> bool {
        match self {
            Self::Int(value) => value.is_uniform(),
            Self::Same(_) | Self::Name(_) | Self::Comm(_) | Self::Group(_) | Self::Function(..) => true,
            Self::Address(_, offset) => offset.is_uniform(),
            Self::Within(_) | Self::Mixed(_) | Self::Unknown => false,
        }
    }

    /// The value as an argument of a function that is known only by its arguments.
    pub(crate) fn as_argument(&self) -> Option<Linear> {
        match self {
            Self::Int(value) if self.is_uniform() => Some(value.clone()),
            Self::Same(symbol) => Some((*symbol).into()),
            _ => None,
        }
    }

    /// The value as another process sees it: `sender` is the process that holds it; `None` when it may be one of several.
    pub(crate) fn seen_from(&self, sender: Option<&Counterpart>) -> Self {
        match self {
            Self::Int(value) => match sender {
                _ if self.is_uniform() => self.clone(),
                Some(sender) => sender.see(value).map_or(Self::Unknown, Self::Int),
                None => Self::Unknown,
            },
            Self::Same(_) | Self::Name(_) => self.clone(),
            // An address or a handle means nothing in another process.
            _ => Self::Unknown,
        }
    }
}
