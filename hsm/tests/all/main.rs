//! The reasoner from the outside: what it answers, and what it leaves open.
//!
//! One program for all of them: it is linked once, and they run side by side.

mod algebra;
mod matching;
mod paper;
mod proofs;
mod soundness;
mod topologies;
mod worlds;
