//! The simulator from the outside: what programs do in it, and the programs that it makes.

mod changes;
mod generated;
mod semantics;
