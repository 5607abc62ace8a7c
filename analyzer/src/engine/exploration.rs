//! One exploration of a program: how it is begun and ended, and how far it got.

use std::rc::Rc;

use effort::Budget;
use lattice::Linear;

use super::clients::Clients;
use super::cross_check::{CHECKED_STATES, cross_check};
use super::explore::{Ending, Outcome, Walk};
use super::formulas::Formulas;
use super::groundwork::Groundwork;
use super::lengths::{self, OpenLengths, is_about_length};
use super::process_counts::Counts;
use super::state::State;
use super::{Engine, Options};

/// One exploration and what it collected.
pub(super) struct Exploration<'p> {
    pub(super) engine: Engine<'p>,
    pub(super) walk: Walk,
}

impl Exploration<'_> {
    /// Whether every path was followed to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.complete_from() == Some(1)
    }

    /// The number of processes from which on every path was followed to its end: what is special with two processes may be open. `None`
    /// where there is no such number, or only a great one.
    pub(super) fn complete_from(&self) -> Option<i64> {
        if !self.engine.reasons.is_empty() {
            return None;
        }
        // With few processes the program may well end early.
        if self.engine.fixed.is_none() && self.engine.vanished.is_some() {
            return None;
        }
        let mut open = self.walk.outcomes.iter().filter(|o| o.ending == Ending::Open);
        open.try_fold(1, |first, outcome| {
            let most = outcome.state.facts.upper_bound(&Linear::np()).filter(|&most| most <= FEW)?;
            Some(first.max(most + 1))
        })
    }

    /// Whether no process has to do with another, and nothing went wrong.
    pub(super) fn is_alone(&self) -> bool {
        let quiet = |state: &State| {
            let topology = &state.clients.topology;
            topology.exchanged.is_empty() && topology.gathered.is_empty()
        };
        self.engine.found.is_empty() && self.walk.outcomes.iter().all(|outcome| quiet(&outcome.state))
    }

    /// Looks at the process counts below one by one, for what goes wrong there.
    pub(super) fn add_findings_below(&mut self, first: i64, budget: Budget) {
        for np in (1..first).filter_map(|np| u64::try_from(np).ok()) {
            for found in explore(&Rc::clone(&self.engine.ground), Some(np), budget).engine.found {
                self.engine.add_found(found);
            }
        }
    }

    /// Compares the lengths that are open for so many processes as are asked for, where these are numbers.
    pub(super) fn compare_lengths_at(&mut self, counts: &[u64], budget: Budget) {
        let fits = |np: &u64| i64::try_from(*np).is_ok_and(|np| np <= lengths::MOST);
        if self.engine.open_lengths.is_empty() || !counts.iter().all(fits) {
            return;
        }
        let mut open = OpenLengths::default();
        let mut all = true;
        for &np in counts {
            let run = explore(&Rc::clone(&self.engine.ground), Some(np), budget);
            all &= run.is_complete();
            for found in run.engine.found.into_iter().filter(|found| is_about_length(found.key.0)) {
                self.engine.add_found(found);
            }
            open.add(run.engine.open_lengths);
        }
        if all {
            self.engine.open_lengths = open;
        }
    }

    /// Whether some channel or collective operation is on some paths and not on others, or different numbers of times.
    fn has_open_cases(&self) -> bool {
        let topology = Formulas::new(&self.engine, &self.ends()).topology();
        topology.channels.iter().any(|channel| channel.repeat == "unknown")
            || topology.collectives.iter().any(|collective| collective.repeat == "unknown")
    }

    /// The states at the ends of the paths on which the processes finish or hang.
    pub(super) fn ends(&self) -> Vec<&State> {
        let at_end = |o: &&Outcome| matches!(o.ending, Ending::Finished | Ending::Stuck);
        let first = self.complete_from().unwrap_or(1);
        let ends = self.walk.outcomes.iter().filter(at_end).map(|o| &o.state);
        ends.filter(|state| state.facts.upper_bound(&Linear::np()).is_none_or(|most| first <= most)).collect()
    }
}

/// Entries of the topologies of all paths that are compared with each other: with more of them that takes longer than the walk.
const ENTRIES: usize = 12_000;

/// Process counts that may be left out of an answer for all greater ones.
const FEW: i64 = 4;

pub(super) fn explore<'p>(
    ground: &Rc<Groundwork<'p>>,
    fixed: Option<u64>,
    budget: Budget,
) -> Exploration<'p> {
    explore_with(Engine::new(ground, fixed), budget)
}

/// Parts of the budget of an analysis: those at which the symbolic exploration has to be at an end. Some of it is for comparing it with
/// exact ones; there is something to fall back on.
const SHARES: u32 = 48;
const END: u32 = 26;
const CHECKED: u32 = 36;

/// The symbolic exploration of a program.
pub(super) fn explore_symbolically<'p>(
    ground: &Rc<Groundwork<'p>>,
    budget: Budget,
    options: &Options,
) -> Exploration<'p> {
    let mut symbolic = explore_with(asked(ground, None, options), budget.share(END, SHARES));
    if symbolic.complete_from().is_some() {
        cross_check(ground, &mut symbolic, budget.share(CHECKED, SHARES));
    }
    symbolic
}

/// An engine with the client analyses that were asked for.
pub(super) fn asked<'p>(ground: &Rc<Groundwork<'p>>, fixed: Option<u64>, options: &Options) -> Engine<'p> {
    let clients = Clients::new(options);
    Engine { clients, without: options.without, ..Engine::new(ground, fixed) }
}

pub(super) fn explore_with(mut engine: Engine<'_>, budget: Budget) -> Exploration<'_> {
    engine.clients.topology.one_by_one = engine.fixed.is_some();
    engine.clients.topology.pairwise = engine.follows_orders();
    engine.budget = Some(budget);
    let settings = (Rc::clone(&engine.ground), engine.clients.clone());
    let walk = engine.explore(budget);
    if engine.answers_differ && engine.fixed.is_some() && !engine.asks_one_by_one {
        let (ground, clients) = settings;
        let (buffering, one_order, last_first) = (engine.buffering, engine.one_order, engine.last_first);
        let again = Engine::new(&ground, engine.fixed);
        // There are as many orders of answers as of messages.
        let state_limit = CHECKED_STATES;
        let asks_one_by_one = true;
        let engine =
            Engine { asks_one_by_one, buffering, one_order, last_first, clients, state_limit, ..again };
        return explore_with(engine, budget);
    }
    finished(Exploration { engine, walk })
}

/// Checks an exploration as a whole.
fn finished(exploration: Exploration<'_>) -> Exploration<'_> {
    let Exploration { mut engine, mut walk } = exploration;
    let in_vain = walk.in_vain.take();
    let asks = in_vain.is_some();
    let is_followed = engine.fixed.is_some() && !engine.one_order && engine.reasons.is_empty();
    let never_ends = is_followed && walk.outcomes.is_empty();
    if let Some(state) = in_vain.filter(|_| never_ends) {
        // All paths were followed, and none has an end: those who ask go on asking for ever.
        let ending = if engine.report_stuck(&state) { Ending::Stuck } else { Ending::Open };
        walk.outcomes.push(Outcome { ending, state });
    }
    let entries = walk.outcomes.iter().map(|o| o.state.clients.topology.exchanged.len()).sum::<usize>();
    if engine.fixed.is_none() && ENTRIES < entries {
        engine.unexplored("there are too many paths to tell what they have in common".to_owned());
    }
    if !covers_all(&engine, &walk) {
        let reason = if asks {
            "some processes may ask for ever for what does not come"
        } else {
            "not every number of processes was followed to an end"
        };
        engine.unexplored(reason.to_owned());
    }
    if engine.reasons.is_empty() {
        engine.vanished = engine.vanished(&walk);
    }
    let mut exploration = Exploration { engine, walk };
    if !exploration.engine.unfollowed.is_empty() && exploration.is_complete() && exploration.has_open_cases()
    {
        for place in exploration.engine.unfollowed.clone() {
            exploration.engine.unexplored(place);
        }
    }
    exploration
}

/// Whether the ends of all paths leave no number of processes out: a check on the walk itself, for a path that is lost would
/// make an answer look exact.
fn covers_all(engine: &Engine<'_>, walk: &Walk) -> bool {
    let counts: Vec<Counts> = walk.outcomes.iter().map(|o| Counts::of(&o.state.facts)).collect();
    let fixed = engine.fixed.and_then(|n| i64::try_from(n).ok());
    Counts::cover(&counts, fixed.unwrap_or(1), fixed.is_some())
}
