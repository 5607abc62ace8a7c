//! Layouts from the outside: what is said of datatypes, and what is made of them.
//!
//! One program for all of them: it is linked once, and they run side by side.

mod c_pack;
mod dataloop;
mod datatype;
mod normalize;
mod read;
mod reconstruct;
mod support;
