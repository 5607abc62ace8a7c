//! MPI as data: every function with its meaning and parameters, every constant, and our own `mpi.h`.
//!
//! This is the only place that knows MPI's names. An analysis asks [`lookup`] for a [`Function`], decides by its
//! [`Class`], and finds arguments by [`Role`]; it never compares a function's name. The table covers all C bindings of
//! MPI-4.1 with their large-count forms, and marks what is deprecated, removed, or newer.
//!
//! ```
//! use frontend::mpi::{self, Class, Completion, Role};
//!
//! let isend = mpi::lookup("PMPI_Isend").expect("a profiling name finds the function");
//! assert!(matches!(isend.class, Class::Send { completion: Completion::Nonblocking, .. }));
//! let buffer = isend.buffers().next().expect("a send has a buffer");
//! assert_eq!(isend.params[buffer.datatype.expect("and it has a datatype")].role, Role::Datatype);
//! assert_eq!(buffer.dest, isend.param_with_role(Role::Dest));
//!
//! let pair = mpi::constant("MPI_DOUBLE_INT").and_then(|constant| constant.datatype()).expect("a datatype");
//! assert_eq!((pair.size, pair.extent), (12, 16));
//! assert_eq!(pair.signature, ["double", "int"]);
//! ```
//!
//! The data files say how they are made in their first lines. `tests/all/mpi_table` compares the table with the headers
//! of MPICH and Open MPI and with our own.

mod class;
mod constants;
mod keyword;
mod operation;
mod role;
mod table;

pub use class::Class;
pub use constants::{
    Constant, ConstantKind, Plain, PredefinedDatatype, PredefinedOp, TypeGroup, constant, constants,
};
pub use operation::{
    Access, AddressOp, CollectiveOp, CommConstructor, Completion, ErrorRegistry, FileOp, FilePhase,
    FilePosition, GeneralizedRequest, GroupConstructor, InfoConstructor, Naming, PartitionSet, Query, RmaOp,
    RmaSync, SendBufferOp, SendMode, StatusField, Tool, TypeConstructor, Which, WinConstructor,
};
pub use role::{Direction, Object, Role};
pub use table::{
    Buffer, Function, InPlace, Length, Param, RequestState, Scale, Scope, TargetAccess, functions, lookup,
};

/// The text of our own `mpi.h`. After preprocessing with it, MPI constants are still plain identifiers.
///
/// Defining `ANYRANK_MPI_NO_PROTOTYPES` leaves out the function prototypes, `ANYRANK_MPI_NO_PROFILING` only those of
/// the profiling interface; types and constants remain.
pub const HEADER: &str = include_str!("../../include/mpi.h");

/// Names and texts of all headers that stand in for those of an MPI library.
pub const HEADERS: &[(&str, &str)] = &[
    ("mpi.h", HEADER),
    ("mpio.h", include_str!("../../include/mpio.h")),
    ("mpi-ext.h", include_str!("../../include/mpi-ext.h")),
];
