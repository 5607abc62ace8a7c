//! The C interface of crate `layout`: `include/anyrank_layout.h`, which is made of these sources.
//!
//! * [`types`]: datatypes, built as MPI builds them, and committed.
//! * [`segments`]: packing, unpacking and lists of runs, in pieces.
//!
//! Types and segments are numbers here, never pointers: what they mean is in [`handles`], so that one that was freed, or never existed, is
//! an error and not a crash. Memory that a caller passes is looked at only where the layout has data, and after all that can be checked
//! is: null and misaligned pointers, counts, bounds, overlap.
//! No panic gets out: [`status::guarded`] makes a status of it.

#![expect(
    unsafe_code,
    reason = "arguments of C functions are raw pointers, and their names must not be changed"
)]
#![expect(non_camel_case_types, reason = "the names are those of C")]

pub mod arguments;
pub mod basic;
pub mod handles;
mod recent;
pub mod segments;
pub mod status;
pub mod types;
