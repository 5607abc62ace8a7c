//! How the symbolic analysis goes about a program. Every way is right where it comes to an end, and each comes to an end where others do
//! not; so where the usual one does not, those that what was met on it suggests are tried.

use std::rc::Rc;
use std::time::Instant;

use super::groundwork::Groundwork;
use super::{Engine, Exploration, Options, asked, cross_check, explore_with};

/// A way to go about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strategy {
    /// Whether the rank is taken apart by what the program divides it by.
    pub(crate) divides: bool,
    /// Whether all processes are kept in the same round of a loop, as far as they can go on: a send is buffered before anything is
    /// received, and who comes to the head of a loop stays there as long as others move. Usually a sender moves together with its
    /// receivers, and whoever can goes ahead, so that a loop of sends finds its widening.
    pub(crate) together: bool,
    /// Rounds of a loop after which it is in the same phase again: those of other phases are kept apart, and what goes up by a multiple
    /// of it stays a multiple.
    pub(crate) period: Option<i64>,
    /// Whether a walk ends as soon as it asks for the phase of a loop of which it does not know the period: it seldom comes to another
    /// end.
    pub(crate) brief: bool,
    /// Whether variables are followed that say no more than how many elements a message has. Where each process has a number of its own
    /// that has no form (a share of the whole, rounded), what the processes do is the same for all, and the number is left open.
    pub(crate) lengths: bool,
}

impl Strategy {
    /// The one that is tried first.
    pub(crate) const USUAL: Self =
        Self { divides: true, together: false, period: None, brief: true, lengths: true };
}

/// The symbolic exploration of a program, on the way that tells most about it.
pub(crate) fn explore_symbolically<'p>(
    ground: &Rc<Groundwork<'p>>,
    start: Instant,
    options: &Options,
) -> Exploration<'p> {
    // Some of the time is for the symbolic attempt, some for comparing it; there is something to fall back on.
    let attempt = |strategy: Strategy| {
        let engine = Engine { strategy, ..asked(ground, None, options) };
        let mut symbolic = explore_with(engine, start + options.time_limit / 2);
        if symbolic.complete_from().is_some() {
            cross_check(ground, &mut symbolic, start + options.time_limit * 3 / 4);
        }
        symbolic
    };
    let mut best = attempt(Strategy::USUAL);
    if best.engine.divided && best.left_open() != Some(0) {
        // Digits that decide nothing but a tag keep apart what would be one.
        let undivided = attempt(Strategy { divides: false, ..Strategy::USUAL });
        let open = |e: &Exploration<'_>| e.left_open().unwrap_or(usize::MAX);
        if open(&undivided) < open(&best) {
            best = undivided;
        }
    }
    let period = best.engine.phases;
    let usual = Strategy::USUAL;
    let others = [
        Strategy { together: true, period, ..usual },
        Strategy { period, ..usual },
        Strategy { brief: !best.engine.was_brief, ..usual },
        Strategy {
            lengths: !ground.deciding.has_more_than(&ground.deciding_besides_lengths),
            period,
            ..usual
        },
    ];
    for strategy in others {
        if best.is_complete() {
            break;
        }
        if strategy == usual {
            continue;
        }
        let other = attempt(strategy);
        // With fewer process counts left out.
        let first = |e: &Exploration<'_>| e.complete_from().unwrap_or(i64::MAX);
        if first(&other) < first(&best) {
            best = other;
        }
    }
    best
}
