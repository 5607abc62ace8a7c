//! Communication as integer sets: answers about programs, each compared with runs of the definition.

mod exchanges;
mod programs;
mod random;
mod said;
