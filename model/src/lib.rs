//! Communication as integer sets: who meets whom, and whether anybody waits for ever, for any number of processes.
//!
//! All processes run the same text. So one process is looked at, with its coordinates as symbols, and its communication is written down as
//! [`Operation`]s: one MPI call at one place in one calling context, with an iteration domain (which processes execute it, in which
//! rounds), a partner, a tag, and a position in the order of the program. On these questions are decided:
//!
//! * [`Program::matching`]: which receive each send meets, and what is left over on either side;
//! * [`Program::collectives`]: whether all processes call the same collective operations in the same order;
//! * [`Program::clock`]: whether there is a clock, an expression that grows along every dependence: then nobody waits for ever;
//! * [`Matching::volume`]: how many messages that are.
//!
//! The crate knows neither C nor a parser; nor does it know any pattern by name. [`check`] knows only the definitions, MPI-4.1 section 3.5:
//! it runs the instances of a program for one choice of the parameters, and is what the tests compare answers with.
//!
//! ```
//! use model::{Clock, Operation, Program};
//! use presburger::{Context, Relation, Set};
//!
//! # fn main() -> Result<(), model::Error> {
//! let context = Context::with_budget(1_000_000)?;
//! let relation = |text: &str| Relation::parse(&context, &format!("[np] -> {{ {text} }}"));
//! let mut program = Program::new(Set::parse(&context, "[np] -> { : np >= 2 }")?);
//! // Every rank but the last sends to the right, then every rank but the first receives from the left.
//! program.add(Operation::send(
//!     relation("S[r] -> [r] : 0 <= r < np - 1")?,
//!     relation("S[r] -> [r + 1]")?,
//!     relation("S[r] -> [0]")?,
//!     relation("S[r] -> [0]")?,
//! ));
//! program.add(Operation::receive(
//!     relation("R[r] -> [r] : 0 < r < np")?,
//!     relation("R[r] -> [r - 1]")?,
//!     relation("R[r] -> [0]")?,
//!     relation("R[r] -> [1]")?,
//! ));
//! let matching = program.matching()?;
//! assert!(matching.is_whole()?);
//! assert_eq!(matching.volume(&program)?.unwrap().to_string(), "np - 1");
//! let together = Relation::parse(&context, "{ }")?;
//! assert_eq!(program.clock(&matching, &together, false)?, Some(Clock::Text));
//! # Ok(())
//! # }
//! ```

mod collectives;
mod digits;
mod error;
mod exchange;
mod gathering;
mod guess;
mod lengths;
mod matching;
mod operation;
mod order;
mod scheduled;
mod teller;
mod volume;

pub mod check;

pub use digits::Digits;
pub use error::{Error, Result};
pub use exchange::Exchange;
pub use gathering::Gathering;
pub use lengths::{Fit, Room};
pub use matching::{How, Matching};
pub use operation::{Kind, Operation, Optional, Program};
pub use order::{Clock, Turn, TurnsAt};
