//! The walk over the parallel CFG: which state is advanced next, where states are joined and widened, how case distinctions
//! fork them, and when to stop.

use std::collections::BTreeMap;

use effort::{Budget, spend};
use lattice::unify::Combine;
use lattice::{Constraints, Linear, Range, Ranks, Symbol, Truth};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Engine;
use super::clients::{self, Client, Clients, Known};
use super::communicate::Communication;
use super::exec::Progress;
use super::findings::is_unevaluated;
use super::generalise::General;
use super::memory::{ContextId, Memory};
use super::need::Need;
use super::process_counts::PROCESSES;
use super::state::{Frame, Lineage, Phase, ProcessSet, Shape, State, Status};
use super::{arithmetic, boxes, over, powers, record};

/// How a path ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// All processes returned from `main`.
    Finished,
    /// Some wait forever.
    Stuck,
    /// The program aborts.
    Aborted,
    /// The engine could not go on.
    Open,
}

/// The end of a path, or of several that were joined.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) ending: Ending,
    pub(crate) state: State,
}

/// Positions of all sets in reverse postorder: states that lag behind go first, so that paths meet before they go on.
type Position = Vec<Vec<(u32, usize)>>;

/// A state at a cut point.
struct Stored {
    /// Ascending with time.
    id: u32,
    state: State,
    /// How often it was generalised.
    visits: u32,
    /// What tells it at a glance from others of its shape, where there are many.
    print: u64,
}

/// States stored at cut points, and states to advance.
#[derive(Default)]
pub(crate) struct Walk {
    stored: FxHashMap<Shape, Vec<Stored>>,
    /// Number of states stored so far.
    kept: u32,
    /// The sum of their weights.
    weight: usize,
    /// How many of them have many kinds of processes and messages at few places.
    crowds: usize,
    pending: BTreeMap<(Position, Shape), Vec<State>>,
    ready: Vec<State>,
    pub(crate) outcomes: Vec<Outcome>,
    /// Of the states in which some processes ask for what does not come, and nobody goes on, one in which as much as in any other was
    /// communicated before.
    pub(crate) in_vain: Option<State>,
    /// Instructions and branches executed.
    pub(super) steps: u64,
}

/// Steps before the walk is cut, whatever the budget: keeps memory bounded too.
const STEP_LIMIT: u64 = 4_000_000;
/// Units of work for one step of one set, besides what is counted elsewhere.
const STEP: u64 = 60;
/// Steps for which the other processes go on after an error.
const OTHERS: u32 = 20_000;
/// States kept at one time.
pub(super) const STATE_LIMIT: usize = 10_000;
/// Weight of all states that were kept: about a gigabyte, with those that are still to be advanced.
const WEIGHT_LIMIT: usize = 3_000_000;
/// States at one place before its states are widened instead of joined.
const JOINS: u32 = 3;
/// Waits since the head of a loop before a path is stored where all wait.
const WAITS: u8 = 3;
/// States of one shape that are kept apart before they are generalised whatever is lost.
const ALTERNATIVES: usize = 16;
/// The same where each order of messages is followed.
const ORDERS: usize = 400;
/// Process sets and operations of a state, and how many times the places at which the sets stand, from which on it is crowded.
const CROWD: (usize, usize) = (24, 4);
/// Crowded states that are stored.
const CROWDS: usize = 40;
/// Process sets in one state.
const SET_LIMIT: usize = 80;
/// Relations in one state.
const RELATION_LIMIT: usize = 400;

impl Walk {
    /// Remembers a state in which some processes ask for what does not come. Those who are told "no" go on on other paths.
    fn note_in_vain(&mut self, state: State) {
        let exchanged = |state: &State| state.clients.topology.exchanged.len();
        if self.in_vain.as_ref().is_none_or(|best| exchanged(best) < exchanged(&state)) {
            self.in_vain = Some(state);
        }
    }

    fn next(&mut self) -> Option<State> {
        if let Some(state) = self.ready.pop() {
            return Some(state);
        }
        let mut entry = self.pending.first_entry()?;
        let state = entry.get_mut().pop();
        if entry.get().is_empty() {
            entry.remove();
        }
        state.or_else(|| self.next())
    }
}

impl Engine<'_> {
    /// Explores the program from its entry point.
    pub(crate) fn explore(&mut self, budget: Budget) -> Walk {
        let mut walk = Walk::default();
        match self.initial_state() {
            Some(state) => walk.ready.push(state),
            None => self.unexplored("`main` has a syntax error".to_owned()),
        }
        let late = self.program.after_main.iter().find(|late| self.ground.communicating.contains(late));
        if let Some(&late) = late {
            let name = &self.program.function(late).name;
            self.unexplored(format!("`{name}` runs after `main` and communicates"));
        }
        self.explore_on(&mut walk, budget);
        walk
    }

    /// Goes on with a walk.
    pub(crate) fn explore_on(&mut self, walk: &mut Walk, budget: Budget) {
        while let Some(state) = walk.next() {
            self.advance(walk, state, budget);
            let kept = walk.kept as usize + walk.pending.len() + walk.ready.len() + walk.outcomes.len();
            let many = kept > self.state_limit || walk.weight > WEIGHT_LIMIT;
            if self.has_phases && self.fixed.is_none() {
                // Such a walk seldom has another end.
                self.give_up("what happens in a round of a loop depends on a remainder of its number");
                break;
            }
            if walk.crowds > CROWDS {
                // Such a walk has no end.
                self.give_up("there are ever more kinds of processes or messages");
                break;
            }
            if walk.steps > STEP_LIMIT || many || budget.is_spent() {
                let what = match (walk.steps > STEP_LIMIT, many) {
                    (true, _) => "the step limit was reached",
                    (_, true) => "the limit on states was reached",
                    _ => over(budget),
                };
                self.unexplored(what.to_owned());
                break;
            }
        }
        self.settle_doubts(walk);
    }

    fn initial_state(&mut self) -> Option<State> {
        let main = self.program.entry;
        let function = self.program.function(main);
        let entry = function.body.as_ref()?.entry;
        let mut facts = Constraints::new();
        let np = Linear::np();
        let world = Ranks::world();
        let ranges = match self.fixed {
            Some(n) => {
                let n = i64::try_from(n).ok()?;
                facts.assume_eq(&np, &n.into())?;
                (0..n).map(|rank| Ranks::single(rank.into())).collect()
            }
            None => {
                facts.assume_le(&1.into(), &np)?;
                vec![world]
            }
        };
        let mut memory = Memory::default();
        self.bind_command_line(&mut memory);
        let frame = Frame { function: main, context: ContextId::MAIN, block: entry, inst: 0, result: None };
        let mut frames = vec![frame];
        // What runs before `main` lies on top of it, the first one last.
        for &first in self.program.before_main.iter().rev() {
            let block = self.program.function(first).body.as_ref()?.entry;
            let context = self.startup_context(first);
            frames.push(Frame { function: first, context, block, inst: 0, result: None });
        }
        let sets = ranges
            .into_iter()
            .map(|ranks| ProcessSet {
                ranks,
                frames: frames.clone(),
                status: Status::Ready,
                paused: None,
                phase: Phase::Before,
                memory: memory.clone(),
                handles: BTreeMap::new(),
                asking: None,
                known: Known::default(),
            })
            .collect();
        let state = State {
            facts,
            sets,
            in_flight: Vec::new(),
            posted: Vec::new(),
            arrived: Vec::new(),
            entered: Vec::new(),
            alike: Vec::new(),
            guises: Vec::new(),
            clients: clients::Path::default(),
            forked: false,
            branched: false,
            guessed: false,
            deciding: false,
            quiet: 0,
            unstored: 0,
            waits: None,
            blurred: false,
            vague: Vec::new(),
            lineage: Lineage::default(),
        };
        Some(state)
    }

    /// Advances a state until it ends, forks or reaches a place where it may meet others.
    fn advance(&mut self, walk: &mut Walk, mut state: State, budget: Budget) {
        loop {
            walk.steps += 1;
            spend(STEP);
            if walk.steps > STEP_LIMIT || budget.is_spent() {
                walk.outcomes.push(Outcome { ending: Ending::Open, state });
                return;
            }
            let can_go_on = |set: &ProcessSet| matches!(set.status, Status::Ready) && set.paused.is_none();
            let mut sets = state.sets.iter();
            let ready = if self.last_first { sets.rposition(can_go_on) } else { sets.position(can_go_on) };
            if let Some(index) = ready {
                match self.step(&mut state, index) {
                    Ok(Progress::Continue) => {}
                    Ok(Progress::Arrived { quiet: true, .. }) if !state.forked => state.quiet += 1,
                    // Where the last ones go first, they go as far as they can.
                    Ok(Progress::Arrived { cut: false, .. }) if self.last_first => {}
                    // States are compared when all sets have come to such a place: then they are in the same round of a loop.
                    Ok(Progress::Arrived { cut, .. }) => state.sets[index].paused = Some(cut),
                    Ok(Progress::Erroneous) => {
                        self.erroneous = true;
                        self.let_others_err(state.clone(), index);
                        // An error that only some process counts meet leaves the answer for the others alone.
                        let everywhere =
                            state.facts.upper_bound(&Linear::np()).is_none() || self.fixed.is_some();
                        let ending = if everywhere { Ending::Stuck } else { Ending::Aborted };
                        walk.outcomes.push(Outcome { ending, state });
                        return;
                    }
                    Ok(Progress::Aborted) => {
                        self.note_abort(&state, index);
                        walk.outcomes.push(Outcome { ending: Ending::Aborted, state });
                        return;
                    }
                    Err(need) => return self.settle(walk, state, Some(index), need),
                }
                continue;
            }
            if state.sets.iter().any(|set| set.paused.is_some()) {
                let cut = state.sets.iter().any(|set| set.paused == Some(true));
                for set in &mut state.sets {
                    set.paused = None;
                }
                if cut {
                    self.merge_sets(&mut state);
                    if self.fixed.is_none() && self.undivide(&mut state) {
                        self.merge_sets(&mut state);
                    }
                    self.release_alike(&mut state);
                }
                if self.is_driven_by_choices(&state) {
                    state.unstored += u32::from(cut);
                    continue;
                }
                match self.arrive(walk, state, cut) {
                    Some(same) => state = same,
                    None => return,
                }
                continue;
            }
            self.merge_sets(&mut state);
            self.release_alike(&mut state);
            if self.fixed.is_none() {
                record::compact(&mut state);
            }
            if let Err(need) = is_bounded(&state) {
                return self.settle(walk, state, None, need);
            }
            // A case distinction is of use only once the step that asked for it has been taken.
            if !state.deciding && !self.is_driven_by_choices(&state) {
                match self.arrive(walk, state, true) {
                    Some(same) => state = same,
                    None => return,
                }
            }
            match self.communicate(&mut state) {
                Ok(Communication::Moved) => state.deciding = false,
                Ok(Communication::Choice(mut choices)) => {
                    if !state.deciding
                        && self.is_driven_by_choices(&state)
                        && self.arrive(walk, state, true).is_none()
                    {
                        return;
                    }
                    if self.one_order {
                        choices.truncate(1);
                    }
                    let several = choices.len() > 1;
                    for mut choice in choices.into_iter().rev() {
                        choice.deciding = false;
                        choice.forked |= several;
                        choice.branched |= several;
                        // A message taken may let a set go on only after the next look.
                        walk.ready.push(choice);
                    }
                    return;
                }
                Ok(Communication::Finished) => {
                    self.report_unreceived(&state, |_| false);
                    return self.finish(walk, state, Ending::Finished);
                }
                Ok(Communication::Stuck) if state.sets.iter().any(is_optional) => {
                    return walk.note_in_vain(state);
                }
                Ok(Communication::Stuck) => {
                    let ending = if self.report_stuck(&state) { Ending::Stuck } else { Ending::Open };
                    return self.finish(walk, state, ending);
                }
                Err(need) => return self.settle(walk, state, None, need),
            }
        }
    }

    /// Lets the other processes go on after one has made a call that must not be made so, as far as they come without a decision: they
    /// may be about to do the same, and which of them is followed first says nothing.
    fn let_others_err(&mut self, mut state: State, index: usize) {
        let known = (self.reasons.clone(), self.few.clone());
        state.sets[index].status = Status::Done;
        let mut steps = 0;
        'rounds: loop {
            for other in 0..state.sets.len() {
                while matches!(state.sets[other].status, Status::Ready) {
                    steps += 1;
                    state.sets[other].paused = None;
                    match self.step(&mut state, other) {
                        Ok(Progress::Continue | Progress::Arrived { .. }) if steps < OTHERS => {}
                        Ok(Progress::Erroneous) => state.sets[other].status = Status::Done,
                        _ => break 'rounds,
                    }
                }
            }
            if !matches!(self.communicate(&mut state), Ok(Communication::Moved)) {
                break;
            }
        }
        // What ends this is no reason to doubt what was found before.
        (self.reasons, self.few) = known;
    }

    /// Ends a path.
    fn finish(&mut self, walk: &mut Walk, mut state: State, ending: Ending) {
        let State { alike, facts, clients, .. } = &mut state;
        if clients.topology.close(alike, facts, self.clients.topology.one_by_one).is_none() {
            self.give_up("which of several processes communicate depends on who comes first");
        } else if ending == Ending::Finished && !self.tells_processes(clients, facts) {
            self.give_up("which processes communicate has no form");
        }
        walk.outcomes.push(Outcome { ending, state });
    }

    /// Whether the processes at both ends of all messages are told by what means something outside of a state.
    fn tells_processes(&self, path: &clients::Path, facts: &Constraints) -> bool {
        let is_told = |bound: &Linear| {
            self.presentable(bound, facts).symbols().all(|symbol| self.symbols.is_stable(symbol))
        };
        let ranges = path.topology.exchanged.iter().flat_map(|entry| entry.relation.links());
        let mut ranges = ranges.flat_map(|link| [&link.senders, &link.receivers]);
        let mut permutations =
            path.topology.exchanged.iter().filter_map(|entry| entry.relation.permutation());
        ranges.all(|range| is_told(&range.lo) && is_told(&range.hi))
            && permutations.all(|permutation| permutation.numbers().iter().all(is_told))
    }

    /// Lets a state pass, or stores and queues it where it may meet others.
    fn arrive(&mut self, walk: &mut Walk, mut state: State, cut: bool) -> Option<State> {
        if cut {
            state.unstored += 1;
        }
        let limit = if self.fixed.is_some() { 400 } else { 120 };
        let saturated = state.unstored > limit;
        let at_head = cut && state.sets.iter().any(|set| matches!(set.status, Status::Ready));
        if at_head {
            // However often the path has been stored since where all sets waited: the fewest kinds of processes are here.
            state.forked |= state.branched;
            state.branched = false;
        }
        if !state.forked && !saturated {
            return Some(state);
        }
        // In a loop that all go through together, paths meet again at its head, where there are the fewest kinds of processes. Where
        // any may come first there are too many paths until then.
        let together = self.fixed.is_none() && !self.ground.wildcards;
        if at_head {
            state.waits = together.then_some(0);
        } else if cut && let Some(waits) = &mut state.waits {
            *waits = waits.saturating_add(1);
            if *waits <= WAITS && !saturated {
                return Some(state);
            }
        }
        // A path that only repeats itself is generalised from now on.
        state.forked = saturated;
        state.unstored = 0;
        // Where all sets wait, a state that is taken up again must move before it is compared with others, itself among them.
        state.deciding = state.sets.iter().all(|set| !matches!(set.status, Status::Ready));
        let orders = self.follows_orders();
        let shape = if orders { state.shape().without_clients() } else { state.shape() };
        let print = if orders { self.print(&state) } else { 0 };
        let key = (self.position(&state), shape.clone());
        state.forked = true;
        if !cut {
            // Paths meet; what they do not have in common keeps them apart.
            let waiting = walk.pending.entry(key).or_default();
            for other in waiting.iter_mut() {
                if let Some(general) = self.general(other, &state, Combine::Join, false)
                    && (general.lossless || general.covered)
                {
                    if !general.covered {
                        *other = State { forked: true, branched: true, ..general.state };
                    }
                    return None;
                }
            }
            waiting.push(state);
            if waiting.len() > ALTERNATIVES {
                walk.ready.append(waiting);
            }
            return None;
        }
        state.forked = saturated;
        let known = walk.stored.entry(shape).or_default();
        // A path that comes back to where it was is generalised; others are followed on their own unless nothing is lost.
        // A loop that nothing but messages drives ends by itself.
        let alternatives = if orders { ORDERS } else { ALTERNATIVES };
        let exact = orders && !state.guessed && known.len() < alternatives;
        let room = known.len() < ALTERNATIVES;
        let ancestor = known.iter().rposition(|stored| {
            let is_own = !exact && state.lineage.contains(stored.id);
            is_own && !self.in_multiplied_rounds(&stored.state, &state)
        });
        // The rounds of a short loop are kept apart as long as there is room.
        let ancestor = ancestor.filter(|&index| !(room && self.in_other_rounds(&known[index].state, &state)));
        if let Some(index) = ancestor {
            let stored = &mut known[index];
            let combine = if stored.visits < JOINS { Combine::Join } else { Combine::Widen };
            if let Some(general) = self.general(&stored.state, &state, combine, true) {
                if !general.covered {
                    // What was stored before goes on to cover what it did: the more general state is a new one of this path.
                    let next = State {
                        forked: saturated,
                        branched: state.branched,
                        deciding: state.deciding,
                        ..general.state
                    };
                    stored.state = next.clone();
                    stored.visits += 1;
                    let lineage = state.lineage.clone();
                    walk.pending.entry(key).or_default().push(State { lineage, ..next });
                }
                return None;
            }
        }
        let crowded = known.len() >= alternatives;
        for (index, stored) in known.iter_mut().enumerate() {
            if Some(index) == ancestor || (print != stored.print && !crowded) {
                continue;
            }
            let combine = if stored.visits < JOINS { Combine::Join } else { Combine::Widen };
            let own = crowded;
            let Some(general) = self.general(&stored.state, &state, combine, own) else { continue };
            if general.covered {
                return None;
            }
            if crowded || general.lossless {
                let next = State {
                    forked: saturated,
                    branched: state.branched,
                    deciding: state.deciding,
                    ..general.state
                };
                stored.state = next.clone();
                stored.visits += 1;
                let lineage = next.lineage.clone().after(stored.id);
                let waiting = walk.pending.entry(key).or_default();
                // What still waits there is described by it.
                waiting.retain(|other| !other.lineage.starts_with(stored.id));
                waiting.push(State { lineage, ..next });
                return None;
            }
        }
        if known.len() > alternatives + 3 * ALTERNATIVES {
            let reason = "states that have no common description pile up";
            self.settle(walk, state, None, Need::give_up(reason));
            return None;
        }
        let pairs = self.fixed.and_then(|n| usize::try_from(n.saturating_mul(n)).ok());
        // Each round of a tree makes kinds of its own, and there are not many rounds.
        let is_crowded = is_crowded(&state, &key.0, pairs.unwrap_or(0))
            && state.sets.iter().all(|set| self.multiplied_rounds(set).is_empty());
        walk.crowds += usize::from(is_crowded);
        walk.kept += 1;
        walk.weight += state.weight();
        let id = walk.kept;
        known.push(Stored { id, state: state.clone(), visits: 1, print });
        let lineage = state.lineage.clone().after(id);
        walk.pending.entry(key).or_default().push(State { lineage, guessed: false, ..state });
        None
    }

    /// A description of two states, of which it is known as well that no process set is empty: bounds that were joined one by one may
    /// have lost that.
    fn general(&mut self, old: &State, new: &State, combine: Combine, own: bool) -> Option<General> {
        let mut general = self.generalise(old, new, combine, own)?;
        has_members(&mut general.state).then_some(general)
    }

    fn position(&mut self, state: &State) -> Position {
        state
            .sets
            .iter()
            .map(|set| {
                set.frames
                    .iter()
                    .map(|frame| (self.facts_of(frame.function).order[frame.block.index()], frame.inst))
                    .collect()
            })
            .collect()
    }

    /// Makes the case distinction that a step needs.
    fn settle(&mut self, walk: &mut Walk, state: State, set: Option<usize>, need: Need) {
        if need == Need::Wrong {
            walk.outcomes.push(Outcome { ending: Ending::Stuck, state });
            return;
        }
        let taken_for_alike = |set: usize| {
            state.alike.iter().any(|range| !range.disjoint(&state.sets[set].ranks, &state.facts))
        };
        let need = match (need, set) {
            (Need::Split(..) | Need::Refine(_), Some(set)) if taken_for_alike(set) => {
                Need::give_up("processes of which any may have come first differ by rank")
            }
            (Need::Decide(expression), _) if self.is_in_guise(&state.guises, &expression) => {
                Need::give_up("what happens next depends on who of several came first")
            }
            (need, _) => need,
        };
        if let Need::Decide(number) = &need
            && self.fixed.is_none()
            && is_unevaluated(&self.symbols, number)
            && self.symbols.is_made_from(number, |symbol| symbol == Symbol::NP)
        {
            // One of the cases need not exist.
            let place = self.placed("what happens depends on np by a computation that is not followed");
            self.unfollowed.insert(place);
        }
        let cases = match (&need, set) {
            (Need::Split(digit, threshold), Some(set)) => self.split(&state, set, *digit, threshold),
            // Where any may come first, each is followed by itself.
            (Need::Refine(_), Some(set)) if self.fixed.is_some() && self.ground.wildcards => {
                one_by_one(&state, set)
            }
            (Need::Refine(radix), Some(set)) => {
                let ranks = match boxes::refine(&state.sets[set].ranks, radix, &state.facts) {
                    Ok(ranks) => ranks,
                    Err(need) => return self.settle(walk, state, Some(set), need),
                };
                let parts = ranks.into_iter().map(|ranks| ProcessSet { ranks, ..state.sets[set].clone() });
                let parts: Vec<ProcessSet> = parts.collect();
                let mut finer = state.clone();
                finer.sets.splice(set..=set, parts);
                Some(vec![finer])
            }
            (Need::Divide(symbol, divisor), _) => {
                self.has_phases |= !self.symbols.is_stable(*symbol);
                self.divide(&state, *symbol, *divisor)
            }
            (Need::Decide(expression), _) => decide(&state, expression),
            _ => None,
        };
        // A distinction that adds nothing would be asked for again and again.
        let settled = |case: &State| case.facts != state.facts || case.sets.len() != state.sets.len();
        match cases.filter(|cases| matches!(need, Need::Refine(_)) || cases.iter().all(settled)) {
            Some(mut cases) => {
                cases.retain_mut(|case| {
                    arithmetic::refine(&self.symbols, &mut case.facts).is_some()
                        && powers::note(&mut self.symbols, self.round, &mut case.facts).is_some()
                        && has_members(case)
                });
                let known = cases.len();
                cases.retain(|case| {
                    case.facts.lower_bound(&Linear::np()).is_none_or(|least| least <= PROCESSES)
                });
                self.leaves_out_vast |= cases.len() < known;
                let several = cases.len() > 1;
                let vague = several && self.is_vague(&state, &need);
                for case in &mut cases {
                    case.blurred |= vague;
                    case.deciding = set.is_none();
                    case.forked |= several;
                    case.branched |= several;
                    case.guessed |= several;
                }
                // The first case is advanced first.
                cases.reverse();
                walk.ready.extend(cases);
            }
            None => {
                let reason = match need {
                    Need::GiveUp(reason) => reason,
                    Need::Wrong | Need::Split(..) | Need::Decide(_) => {
                        "a comparison of ranks has no simple form".to_owned()
                    }
                    Need::Refine(_) | Need::Divide(..) => "a quotient of ranks has no simple form".to_owned(),
                };
                self.report_abandoned(&state);
                let few = self.fixed.is_none() && state.facts.upper_bound(&Linear::np()).is_some();
                if few {
                    self.give_up_few(&reason)
                } else {
                    self.give_up(&reason)
                }
                walk.outcomes.push(Outcome { ending: Ending::Open, state });
            }
        }
    }

    /// Whether a distinction is by a number that may be more than it was.
    fn is_vague(&self, state: &State, need: &Need) -> bool {
        let number = match need {
            Need::Decide(number) | Need::Split(_, number) | Need::Refine(number) => number,
            Need::Divide(symbol, _) => &Linear::from(*symbol),
            Need::Wrong | Need::GiveUp(_) => return false,
        };
        !state.vague.is_empty() && self.symbols.is_made_from(number, |symbol| state.vague.contains(&symbol))
    }

    /// Tells the members whose digit is at most `threshold` from the others; `None` when the graph cannot hold the outcome.
    fn split(&self, state: &State, index: usize, digit: usize, threshold: &Linear) -> Option<Vec<State>> {
        let ranks = &state.sets[index].ranks;
        let Range { lo, hi } = ranks.digits()[digit].clone();
        let after = threshold.offset(1)?;
        let mut cases = Vec::new();
        // All members on one side.
        for (left, right) in [(&hi, threshold), (&after, &lo)] {
            if state.facts.le(left, right) == Truth::No {
                continue;
            }
            let mut case = state.clone();
            if case.facts.assume_le(left, right).is_some() {
                if case.facts.le(left, right) != Truth::Yes {
                    return None;
                }
                cases.push(case);
            }
        }
        let mut both = state.clone();
        let split =
            both.facts.assume_le(&lo, threshold).is_some() && both.facts.assume_le(&after, &hi).is_some();
        if split {
            if both.facts.le(&lo, threshold) != Truth::Yes || both.facts.le(&after, &hi) != Truth::Yes {
                return None;
            }
            let upper = ranks.with_digit(digit, Range { lo: after, hi });
            let upper = ProcessSet { ranks: upper, ..both.sets[index].clone() };
            both.sets[index].ranks = ranks.with_digit(digit, Range { lo, hi: threshold.clone() });
            both.sets.insert(index + 1, upper);
            cases.push(both);
        }
        Some(cases)
    }

    /// Forks on the remainder of a number that is not negative; `None` when the graph cannot hold the outcome.
    fn divide(&mut self, state: &State, symbol: Symbol, divisor: i64) -> Option<Vec<State>> {
        let value = Linear::from(symbol);
        let nonnegative = state.facts.le(&Linear::zero(), &value) == Truth::Yes;
        if !nonnegative {
            return None;
        }
        let quotient = Linear::from(self.symbols.apply("/", vec![value.clone(), divisor.into()]));
        let mut cases = Vec::new();
        for remainder in 0..divisor {
            let whole = quotient.scale(divisor)?.offset(remainder)?;
            let mut case = state.clone();
            let possible = case.facts.assume_le(&Linear::zero(), &quotient).is_some()
                && case.facts.assume_le(&value, &whole).is_some()
                && case.facts.assume_le(&whole, &value).is_some();
            if possible {
                if case.facts.constant(&value.sub(&whole)?) != Some(0) {
                    return None;
                }
                cases.push(case);
            }
        }
        Some(cases)
    }
}

/// A set told apart into its members, of which there are several; `None` where their number is not known.
fn one_by_one(state: &State, set: usize) -> Option<Vec<State>> {
    let range = state.sets[set].ranks.as_range()?;
    let (first, last) = (state.facts.constant(&range.lo)?, state.facts.constant(&range.hi)?);
    let member = |rank: i64| ProcessSet { ranks: Ranks::single(rank.into()), ..state.sets[set].clone() };
    let members: Vec<ProcessSet> = (first..=last).map(member).collect();
    let mut apart = state.clone();
    apart.sets.splice(set..=set, members);
    (first < last).then(|| vec![apart])
}

/// Whether each set may have members, which is learned: what holds after a distinction may contradict what was lost in a join.
fn has_members(state: &mut State) -> bool {
    let State { sets, arrived, entered, facts, .. } = state;
    let ranks = sets.iter().map(|set| &set.ranks);
    let ranks = ranks.chain(arrived.iter().map(|a| &a.receivers)).chain(entered.iter().map(|e| &e.members));
    ranks.flat_map(Ranks::digits).all(|digit| {
        facts.le(&digit.lo, &digit.hi) == Truth::Yes || facts.assume_le(&digit.lo, &digit.hi).is_some()
    })
}

/// Whether a state has many parts but processes at few places only; where so many pairs of processes are known, something may be on
/// its way between all of them.
fn is_crowded(state: &State, position: &Position, pairs: usize) -> bool {
    let parts = state.sets.len() + state.in_flight.len() + state.posted.len() + state.arrived.len();
    let places: FxHashSet<&Vec<(u32, usize)>> = position.iter().collect();
    parts > CROWD.0 + pairs && parts > CROWD.1 * places.len()
}

/// Gives up on a state of too many parts.
pub(super) fn is_bounded(state: &State) -> Result<(), Need> {
    let relations =
        [state.in_flight.len(), state.posted.len(), state.arrived.len(), Clients::size(&state.clients)];
    if state.sets.len() > SET_LIMIT || relations.iter().any(|&n| n > RELATION_LIMIT) {
        return Err(Need::give_up("too many kinds of processes or messages to keep apart"));
    }
    Ok(())
}

/// Whether a set waits in a call that could as well have returned without an answer: then another path follows that.
fn is_optional(set: &ProcessSet) -> bool {
    match &set.status {
        Status::Waiting(wait) => wait.optional,
        Status::Probing(probe) => probe.optional,
        Status::Ready | Status::Done => false,
    }
}

/// Forks on `expression <= 0`; `None` when the graph cannot hold the outcome.
fn decide(state: &State, expression: &Linear) -> Option<Vec<State>> {
    let mut cases = Vec::new();
    let mut holds = state.clone();
    if holds.facts.assume_nonpositive(expression).is_some() {
        if holds.facts.le(expression, &Linear::zero()) != Truth::Yes {
            return None;
        }
        cases.push(holds);
    }
    let mut fails = state.clone();
    if fails.facts.assume_le(&1.into(), expression).is_some() {
        if fails.facts.le(&1.into(), expression) != Truth::Yes {
            return None;
        }
        cases.push(fails);
    }
    Some(cases)
}
