//! The predefined datatypes and other names of MPI, as numbers.

use std::ffi::c_int;

use layout::Basic;
use layout::datatype::{Distribution, Order};

use crate::status::Failure;
use crate::status::anyrank_status::ANYRANK_ERR_ARGUMENT;

/// Predefined datatypes, with the sizes that they have where `int` has 4 bytes, and `long` and pointers 8.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum anyrank_basic {
    /// `MPI_BYTE`.
    ANYRANK_BYTE = 0,
    /// `MPI_CHAR`.
    ANYRANK_CHAR = 1,
    /// `MPI_SIGNED_CHAR`.
    ANYRANK_SIGNED_CHAR = 2,
    /// `MPI_UNSIGNED_CHAR`.
    ANYRANK_UNSIGNED_CHAR = 3,
    /// `MPI_SHORT`.
    ANYRANK_SHORT = 4,
    /// `MPI_UNSIGNED_SHORT`.
    ANYRANK_UNSIGNED_SHORT = 5,
    /// `MPI_INT`.
    ANYRANK_INT = 6,
    /// `MPI_UNSIGNED`.
    ANYRANK_UNSIGNED = 7,
    /// `MPI_LONG`.
    ANYRANK_LONG = 8,
    /// `MPI_UNSIGNED_LONG`.
    ANYRANK_UNSIGNED_LONG = 9,
    /// `MPI_LONG_LONG`.
    ANYRANK_LONG_LONG = 10,
    /// `MPI_UNSIGNED_LONG_LONG`.
    ANYRANK_UNSIGNED_LONG_LONG = 11,
    /// `MPI_FLOAT`.
    ANYRANK_FLOAT = 12,
    /// `MPI_DOUBLE`.
    ANYRANK_DOUBLE = 13,
    /// `MPI_LONG_DOUBLE`.
    ANYRANK_LONG_DOUBLE = 14,
    /// `MPI_WCHAR`.
    ANYRANK_WCHAR = 15,
    /// `MPI_C_BOOL`.
    ANYRANK_C_BOOL = 16,
    /// `MPI_INT8_T`.
    ANYRANK_INT8_T = 17,
    /// `MPI_INT16_T`.
    ANYRANK_INT16_T = 18,
    /// `MPI_INT32_T`.
    ANYRANK_INT32_T = 19,
    /// `MPI_INT64_T`.
    ANYRANK_INT64_T = 20,
    /// `MPI_UINT8_T`.
    ANYRANK_UINT8_T = 21,
    /// `MPI_UINT16_T`.
    ANYRANK_UINT16_T = 22,
    /// `MPI_UINT32_T`.
    ANYRANK_UINT32_T = 23,
    /// `MPI_UINT64_T`.
    ANYRANK_UINT64_T = 24,
    /// `MPI_C_FLOAT_COMPLEX`.
    ANYRANK_C_FLOAT_COMPLEX = 25,
    /// `MPI_C_DOUBLE_COMPLEX`.
    ANYRANK_C_DOUBLE_COMPLEX = 26,
    /// `MPI_C_LONG_DOUBLE_COMPLEX`.
    ANYRANK_C_LONG_DOUBLE_COMPLEX = 27,
    /// `MPI_AINT`.
    ANYRANK_AINT = 28,
    /// `MPI_COUNT`.
    ANYRANK_COUNT = 29,
    /// `MPI_OFFSET`.
    ANYRANK_OFFSET = 30,
}

/// Which dimension of an array is contiguous.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum anyrank_order {
    /// The last one, as in C.
    ANYRANK_ORDER_C = 0,
    /// The first one, as in Fortran.
    ANYRANK_ORDER_FORTRAN = 1,
}

/// How a dimension of an array is distributed over processes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum anyrank_distribution {
    /// One block for each process.
    ANYRANK_DISTRIBUTE_BLOCK = 0,
    /// Blocks dealt in turn.
    ANYRANK_DISTRIBUTE_CYCLIC = 1,
    /// All of it on each process.
    ANYRANK_DISTRIBUTE_NONE = 2,
}

/// The block size that `MPI_DISTRIBUTE_DFLT_DARG` stands for.
pub const ANYRANK_DISTRIBUTE_DEFAULT: i64 = -1;

fn wrong(what: &str, number: c_int) -> Failure {
    Failure::new(ANYRANK_ERR_ARGUMENT, format!("{number} is no {what}"))
}

/// The predefined datatype of that number.
pub(crate) fn basic(number: c_int) -> Result<Basic, Failure> {
    // The numbers are the places in the table of the library, which a test checks.
    let place = usize::try_from(number).ok();
    place.and_then(|place| Basic::all().nth(place)).ok_or_else(|| wrong("predefined datatype", number))
}

/// The order of that number.
pub(crate) fn order(number: c_int) -> Result<Order, Failure> {
    match number {
        n if n == anyrank_order::ANYRANK_ORDER_C as c_int => Ok(Order::C),
        n if n == anyrank_order::ANYRANK_ORDER_FORTRAN as c_int => Ok(Order::Fortran),
        _ => Err(wrong("order", number)),
    }
}

/// The distribution of that number.
pub(crate) fn distribution(number: c_int) -> Result<Distribution, Failure> {
    match number {
        n if n == anyrank_distribution::ANYRANK_DISTRIBUTE_BLOCK as c_int => Ok(Distribution::Block),
        n if n == anyrank_distribution::ANYRANK_DISTRIBUTE_CYCLIC as c_int => Ok(Distribution::Cyclic),
        n if n == anyrank_distribution::ANYRANK_DISTRIBUTE_NONE as c_int => Ok(Distribution::None),
        _ => Err(wrong("distribution", number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places_in_the_table() {
        let number = |name: &str| {
            let found = Basic::all().position(|basic| format!("{basic:?}") == name);
            found.expect("there is one of that name") as c_int
        };
        assert_eq!(number("Byte"), anyrank_basic::ANYRANK_BYTE as c_int);
        // Each name of MPI against the name of the number.
        for (place, of) in Basic::all().enumerate() {
            let name = of.name().replace("MPI_", "ANYRANK_");
            let header = include_str!("../include/anyrank_layout.h");
            assert!(header.contains(&format!("  {name} = {place},")), "{name}");
        }
        assert!(basic(Basic::all().len() as c_int).is_err() && basic(-1).is_err());
    }
}
