//! Reports from the outside: what people and programs get to read.

mod rendering;
mod sarif;
