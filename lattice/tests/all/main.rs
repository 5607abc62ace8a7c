//! The domains of values from the outside: laws and enumeration.
//!
//! One program for all of them: it is linked once, and they run side by side.

mod balance;
mod closure;
mod laws;
mod limits;
mod points;
mod polynomials;
mod sums;
mod widening;
