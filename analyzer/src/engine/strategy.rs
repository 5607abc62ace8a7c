//! How the symbolic analysis goes about a program. Every way is right where it comes to an end, and each comes to an end where others do
//! not; so where the usual one does not, those that what was met on it suggests are tried.

use std::rc::Rc;
use std::time::Instant;

use super::explore::WEIGHT_LIMIT;
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
    /// Whether processes that wait in a receive from lower or from higher ranks go on as if it were complete, see `waves`.
    pub(crate) waves: bool,
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

/// Weight of the states of the usual way, more than which other ways are tried before: there are programs on which it would go on as
/// long as it may, where others soon come to an end.
const FIRST: usize = 40_000;

/// Parts of the time for symbolic attempts, of which the usual way has so many before others are tried.
const SHARES: u32 = 12;
const FIRST_SHARES: u32 = 5;

impl Strategy {
    /// The one that is tried first.
    pub(crate) const USUAL: Self =
        Self { divides: true, together: false, waves: false, period: None, brief: true, lengths: true };
}

/// The symbolic exploration of a program, on the way that tells most about it.
pub(crate) fn explore_symbolically<'p>(
    ground: &Rc<Groundwork<'p>>,
    start: Instant,
    options: &Options,
) -> Exploration<'p> {
    // Some of the time is for symbolic attempts, some for comparing them; there is something to fall back on.
    let attempt = |strategy: Strategy, share: u32, weight_limit: usize| {
        let engine = Engine { strategy, weight_limit, ..asked(ground, None, options) };
        let mut symbolic = explore_with(engine, start + options.time_limit * share / (2 * SHARES));
        if symbolic.complete_from().is_some() {
            cross_check(ground, &mut symbolic, start + options.time_limit * 3 / 4);
        }
        symbolic
    };
    let mut best = attempt(Strategy::USUAL, FIRST_SHARES, FIRST);
    if best.engine.divided && best.left_open() != Some(0) {
        // Digits that decide nothing but a tag keep apart what would be one.
        let undivided =
            attempt(Strategy { divides: false, ..Strategy::USUAL }, FIRST_SHARES + 1, WEIGHT_LIMIT);
        let open = |e: &Exploration<'_>| e.left_open().unwrap_or(usize::MAX);
        if open(&undivided) < open(&best) {
            best = undivided;
        }
    }
    let period = best.engine.phases;
    let usual = Strategy::USUAL;
    let waves = !ground.wildcards && !best.engine.clients.follow_memory();
    // What comes with a message is not known on the way, nor who came first.
    let waves = Strategy { together: waves, waves, period, ..usual };
    let mut others = [
        waves,
        Strategy { together: true, period, ..usual },
        Strategy { period, ..usual },
        Strategy { brief: !best.engine.was_brief, ..usual },
        Strategy {
            lengths: !ground.deciding.has_more_than(&ground.deciding_besides_lengths),
            period,
            ..usual
        },
    ];
    if period.is_some() {
        // Phases tell more.
        others.swap(0, 1);
    }
    let new = others.into_iter().filter(|strategy| *strategy != usual).zip((FIRST_SHARES + 2..).step_by(2));
    // What was cut may come to an end where all else is of no use.
    for (strategy, share) in new.chain(best.engine.was_cut.then_some((usual, SHARES))) {
        if best.is_complete() {
            break;
        }
        let other = attempt(strategy, SHARES.min(share), WEIGHT_LIMIT);
        // With fewer process counts left out.
        let first = |e: &Exploration<'_>| e.complete_from().unwrap_or(i64::MAX);
        if first(&other) < first(&best) {
            best = other;
        }
    }
    best
}
