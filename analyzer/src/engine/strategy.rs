//! How the symbolic analysis goes about a program. Every way is right where it comes to an end, and each comes to an end where others do
//! not; so where the usual one does not, those that what was met on it suggests are tried.

use std::rc::Rc;
use std::time::Instant;

use super::explore::Pause;
use super::groundwork::Groundwork;
use super::{Engine, Exploration, Options, asked, cross_check, explore_with, go_on};

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

/// Weight of the states of the usual way, from which on other ways are tried before it goes on: there are programs on which it would go
/// on as long as it may, where others soon come to an end.
const FIRST: usize = 40_000;

/// Parts of the time of an analysis: those at which the usual way is put aside, each of the others gets more, and the symbolic attempts
/// have to be at an end. Some of it is for comparing them; there is something to fall back on.
const SHARES: u32 = 48;
const PAUSE: u32 = 8;
const MORE: u32 = 2;
const END: u32 = 26;

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
    let at = |share: u32| start + options.time_limit * share / SHARES;
    let checked = |mut symbolic: Exploration<'p>| {
        if symbolic.complete_from().is_some() {
            cross_check(ground, &mut symbolic, at(SHARES * 3 / 4));
        }
        symbolic
    };
    let attempt = |strategy: Strategy, pause: Option<Pause>, share: u32| {
        let engine = Engine { strategy, pause, ..asked(ground, None, options) };
        checked(explore_with(engine, at(share)))
    };
    let mut best = attempt(Strategy::USUAL, Some(Pause { time: at(PAUSE), weight: FIRST }), END);
    if best.engine.divided && best.left_open() != Some(0) {
        // Digits that decide nothing but a tag keep apart what would be one.
        let undivided = attempt(Strategy { divides: false, ..Strategy::USUAL }, None, PAUSE + MORE);
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
    let others = others.into_iter().filter(|strategy| *strategy != usual);
    for (strategy, share) in others.zip((PAUSE + 2 * MORE..).step_by(MORE as usize)) {
        if best.is_complete() {
            break;
        }
        let other = attempt(strategy, None, share.min(END));
        // With fewer process counts left out.
        let first = |e: &Exploration<'_>| e.complete_from().unwrap_or(i64::MAX);
        if first(&other) < first(&best) {
            best = other;
        }
    }
    if best.engine.pause.is_some() { checked(go_on(best, at(END))) } else { best }
}
