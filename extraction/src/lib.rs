//! From C to communication as integer sets: what one symbolic process does, for any number of processes.
//!
//! All processes run the same text. So one process is followed, with its rank as a symbol, through the whole program, and its calls of MPI
//! are written down as operations of crate [`model`]. On a path there is a *region*, the set of ranks and rounds of loops that
//! take it; variables hold linear expressions over coordinates of the region and parameters. Loops are closed by their recurrences, branches
//! split the region, and where paths come together values that differ become a coordinate of their own.
//!
//! What is not known ends nothing by itself: a branch that nobody can decide is a *doubt* until its ways come together, and only a call that
//! others notice must not be in doubt. What is the same for all processes, such as the arguments of the program, is a parameter.
//!
//! [`decide`] takes a program apart into sections, one after the other, and decides each; [`extract()`] says what all of it communicates, or
//! why it does not ([`GivenUp`]).

mod after_loops;
mod after_powers;
mod arrays;
mod assemble;
mod assumption;
mod branches;
mod buffers;
mod callbacks;
mod calls;
mod chosen;
mod collective;
mod communicators;
mod completion;
mod derived;
mod digits;
mod error;
mod evaluate;
mod event;
mod exponents;
mod extract;
mod extracted;
mod flow;
mod form;
mod grids;
mod groups;
mod left_out;
mod library;
mod memory;
mod numbering;
mod objects;
mod parameters;
mod partitioned;
mod parts;
mod payload;
mod powers;
mod ranks;
mod reals;
mod region;
mod rounds;
mod sections;
mod state;
mod sums;
mod unrolled;
mod widths;
mod wrapping;

use frontend::program::Program;
use presburger::Context;

use extract::Extractor;

pub use assumption::Assumption;
pub use error::{GivenUp, Result};
pub use event::CallSite;
pub use extracted::{Extracted, Message, Multiples};
pub use payload::{Count, Payload};
pub use sections::{Members, Section, decide};

/// Ways to write ranks with digits that are tried, at most.
const WRITINGS: usize = 4;

/// What a program communicates, for any number of processes.
///
/// # Errors
///
/// [`GivenUp::Program`] where something is not followed, the others where integer sets cost more than the context allows.
pub fn extract(program: &Program, context: &Context) -> Result<Extracted> {
    let all = |extractor: &mut Extractor<'_>| {
        extractor.follow_all()?;
        extractor.assemble(None)
    };
    Ok(in_some_way(Extractor::new(program, context.clone())?, all)?.1)
}

/// What comes out of following a program in the first way in which it can be followed: without digits, or with as few as possible.
pub(crate) fn in_some_way<'p, T>(
    mut extractor: Extractor<'p>,
    follow: impl Fn(&mut Extractor<'p>) -> Result<T>,
) -> Result<(Extractor<'p>, T)> {
    let program = extractor.program;
    if !program.before_main.is_empty() || !program.after_main.is_empty() {
        let reason = "functions that run before or after `main` are not followed".to_owned();
        return Err(GivenUp::Program { reason, place: None });
    }
    // What came up last is tried first.
    let mut pending = Vec::new();
    for _ in 0..WRITINGS {
        let error = match follow(&mut extractor) {
            Ok(found) => return Ok((extractor, found)),
            Err(error) => error,
        };
        if !matches!(error, GivenUp::Program { .. }) {
            return Err(error);
        }
        pending.extend(extractor.with_more_digits()?.into_iter().rev());
        match pending.pop() {
            Some(next) => extractor = next,
            None => return Err(error),
        }
    }
    let found = follow(&mut extractor)?;
    Ok((extractor, found))
}
