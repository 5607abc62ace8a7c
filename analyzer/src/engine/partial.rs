//! Waits for some of several operations (`MPI_Waitany`, `MPI_Waitsome`): which of them are complete first.
//!
//! Where that decides nothing, or where the operations are not known one by one, such a call waits for all of them: this delays the
//! process, but changes no match. Otherwise it comes last, like a receive from any source: when nothing else can move, each
//! operation that is complete may be the first one, and each is a path of its own.

use frontend::mpi::Which;
use lattice::{Linear, Ranks, SymbolKind};

use super::Engine;
use super::aliasing::Stored;
use super::arrays::INT;
use super::need::{Need, decide_le};
use super::state::{
    Awaited, Guise, Partial, ProcessSet, Slot, State, Status, Ticket, Wait, address, handles_in, target,
};
use super::value::Value;
use super::waiting::{is_complete, tickets_meet, waits_for};

/// Size of an `MPI_Status` in the engine's memory.
pub(crate) const STATUS: i64 = 32;
/// Operations of one call that may be complete at once where each selection of them is followed.
const SELECTED: usize = 6;

/// Why a path ends on which that would have to be known.
pub(crate) const FIRST_UNKNOWN: &str =
    "which request a wait for any of several returns first is not followed";

impl Engine<'_> {
    /// What waits for some of several operations can return, when nothing else moves: one state for each possibility.
    ///
    /// The flag tells that these possibilities need not be mixed with what other processes could do: all operations of the process
    /// are complete, so whatever others do neither adds to them nor takes from them.
    pub(crate) fn complete_some(&mut self, state: &State) -> Result<(Vec<State>, bool), Need> {
        let mut choices = Vec::new();
        for index in 0..state.sets.len() {
            let Status::Waiting(wait) = &state.sets[index].status else { continue };
            let Some(partial) = wait.partial.as_ref().filter(|p| p.positions.len() > 1) else { continue };
            for member in self.members(state, &state.sets[index]) {
                let mut complete = Vec::new();
                for at in 0..wait.awaited.len() {
                    if is_complete(state, &member, &only(wait, partial, &[at]))? {
                        complete.push(at);
                    }
                }
                let mut own = Vec::new();
                self.here = Some(self.site_place(wait.site));
                for selection in selections(partial.which, &complete)? {
                    let mut choice = state.clone();
                    self.release(&mut choice, index, member.clone(), &only(wait, partial, &selection), true)?;
                    own.push(choice);
                }
                if partial.which == Which::Some && partial.matters && own.len() > 1 {
                    let place = self.site_line(wait.site);
                    self.assume(format!(
                        "{place}: completed operations are listed in the order of their requests"
                    ));
                }
                if complete.len() == wait.awaited.len() {
                    return Ok((own, true));
                }
                choices.extend(own);
            }
        }
        Ok((choices, false))
    }

    /// Of how many operations a process has not been told that waits for some of a range of them which is not a number, where all of them
    /// are complete; `None` where that is not known.
    ///
    /// Of a range of handles, each was filled by one receive, all of which have arrived: then nobody else has a part in what
    /// happens. How many a call tells of is open, and which ones; how many are left is known.
    pub(crate) fn untold(&self, state: &State, set: &ProcessSet, wait: &Wait) -> Option<Linear> {
        let State { facts, in_flight, posted, entered, .. } = state;
        wait.partial.as_ref().filter(|partial| partial.matters && partial.positions.is_empty())?;
        let [Awaited { ticket, .. }] = &wait.awaited[..] else { return None };
        let Ticket::Request(Slot { object, span: Some(span) }) = ticket else { return None };
        set.ranks.as_single(facts)?;
        let under_way = in_flight.iter().any(|m| tickets_meet(&m.ticket, ticket, facts))
            || posted.iter().any(|p| tickets_meet(&p.ticket, ticket, facts))
            || entered.iter().any(|e| tickets_meet(&e.ticket, ticket, facts));
        let persistent = set.handles.keys().any(|(array, _)| array == object);
        if under_way || persistent || !self.ground.requests_of_mpi_only {
            return None;
        }
        let mut arrived = state.arrived.iter().filter(|a| tickets_meet(&a.ticket, ticket, facts));
        let (all, None) = (arrived.next()?, arrived.next()) else { return None };
        let is_whole =
            matches!(&all.ticket, Ticket::Request(Slot { span: Some(known), .. }) if known.same(span, facts));
        // Written as the program has it.
        all.left
            .clone()
            .or_else(|| handles_in(span))
            .filter(|_| is_whole && all.receivers.same(&set.ranks, facts))
    }

    /// Tells a process of some of so many operations, all of which are complete.
    pub(crate) fn tell_of_many(
        &mut self,
        state: &mut State,
        index: usize,
        wait: &Wait,
        left: Linear,
    ) -> Result<(), Need> {
        let Some(partial) = &wait.partial else { return Ok(()) };
        let some = decide_le(&1.into(), &left, &state.facts)?;
        let mut set = state.sets[index].clone();
        let exceeds = || Need::give_up("a number of requests exceeds 64 bits");
        // Some number in a range.
        let symbol = self.symbols.fresh(SymbolKind::Joined);
        let number = Linear::from(symbol);
        let told = match partial.which {
            _ if !some => {
                let undefined = Value::Name("MPI_UNDEFINED".into());
                let place = if partial.which == Which::Any { &partial.indices } else { &partial.number };
                self.store_integers(state, &mut set, Some(place), &[undefined]);
                Linear::zero()
            }
            Which::Any => {
                let last = wait.awaited.iter().find_map(|a| match &a.ticket {
                    Ticket::Request(Slot { span: Some(span), .. }) => handles_in(span)?.offset(-1),
                    _ => None,
                });
                let value = match last {
                    Some(last) => {
                        state.facts.learn(&Linear::zero(), &number);
                        state.facts.learn(&number, &last);
                        // It is not told twice: whatever is decided by it has to be so for each.
                        state.guises.push(Guise { symbol, process: None });
                        Value::Int(number)
                    }
                    None => Value::Unknown,
                };
                self.store_integers(state, &mut set, Some(&partial.indices), &[value]);
                1.into()
            }
            _ => {
                // What is left afterwards is the simpler number in a loop that counts down.
                let most = left.offset(-1).unwrap_or_else(|| left.clone());
                state.facts.learn(&Linear::zero(), &number);
                state.facts.learn(&number, &most);
                let told = left.sub(&number).ok_or_else(exceeds)?;
                self.store_integers(state, &mut set, Some(&partial.number), &[Value::Int(told.clone())]);
                told
            }
        };
        let rest = left.sub(&told).ok_or_else(exceeds)?;
        let facts = state.facts.clone();
        let mut complete = Vec::new();
        for arrived in &mut state.arrived {
            if waits_for(wait, &arrived.ticket, &facts) {
                arrived.left = Some(rest.clone());
                // The same handles, written as the program has them.
                arrived.ticket = wait.awaited[0].ticket.clone();
                complete.push(arrived.clone());
            }
        }
        if some {
            self.deliver_arrived(state, &mut set, &complete, wait);
        }
        // Which handles have become null is not known.
        if let Some(Ticket::Request(slot)) = wait.awaited.first().map(|a| &a.ticket) {
            set.memory.content(slot.object).forget();
        }
        set.release();
        state.sets[index] = set;
        Ok(())
    }

    /// Whether it is for [`Engine::complete_some`] to say when some processes go on that wait for some of several operations.
    pub(crate) fn is_choice(&self, state: &State, set: &ProcessSet, wait: &Wait) -> bool {
        wait.partial.as_ref().is_some_and(|partial| partial.matters && partial.positions.len() > 1)
            && !self.members(state, set).is_empty()
    }

    /// Whether some processes wait for all of several operations where one may be enough, since it is not known which one.
    pub(crate) fn is_held_up(&self, state: &State, set: &ProcessSet) -> bool {
        let Status::Waiting(wait) = &set.status else { return false };
        let unlisted = wait.partial.as_ref().is_some_and(|partial| partial.positions.is_empty());
        wait.is_lenient() && (unlisted || self.members(state, set).is_empty())
    }

    /// The members of a set one by one; none where they are not known.
    fn members(&self, state: &State, set: &ProcessSet) -> Vec<Ranks> {
        let facts = &state.facts;
        if set.ranks.as_single(facts).is_some() {
            return vec![set.ranks.clone()];
        }
        let range = set.ranks.as_range().filter(|_| self.fixed.is_some());
        let ends = range.and_then(|range| facts.constant(&range.lo).zip(facts.constant(&range.hi)));
        ends.map_or(Vec::new(), |(lo, hi)| (lo..=hi).map(|rank| Ranks::single(rank.into())).collect())
    }

    /// Stores which operations of a list are complete, and how many.
    pub(crate) fn tell_completed(&mut self, state: &mut State, set: &mut ProcessSet, partial: &Partial) {
        let positions: Vec<Value> = partial.positions.iter().copied().map(Value::int).collect();
        self.store_integers(state, set, Some(&partial.indices), &positions);
        let number = i64::try_from(partial.positions.len()).map_or(Value::Unknown, Value::int);
        self.store_integers(state, set, Some(&partial.number), &[number]);
    }

    /// Which operations are complete, and what their statuses say, is not known any more.
    pub(crate) fn forget_results(&mut self, state: &mut State, set: &mut ProcessSet, partial: &Partial) {
        let mut scope = self.scope(state, set);
        for place in [&partial.indices, &partial.number, &partial.statuses] {
            match target(place) {
                Some(location) => {
                    scope.engine.ensure(scope.memory, location.object);
                    // An array of results has no cell worth keeping.
                    let content = scope.memory.content(location.object);
                    if content.cells.len() > 1 || !content.series.is_empty() {
                        content.forget();
                    } else {
                        scope.write(&location, Some(INT), Value::Unknown);
                    }
                }
                None if *place == Value::Unknown => {
                    scope.engine.forget_exposed(scope.memory, Stored::ANYTHING)
                }
                None => {}
            }
        }
    }
}

impl Partial {
    /// Where the status of one of the operations that a call tells of goes.
    pub(crate) fn status(&self, index: usize) -> Value {
        match self.which {
            Which::Some => element(&self.statuses, i64::try_from(index).ok(), STATUS),
            _ => self.statuses.clone(),
        }
    }
}

/// The address of an element of an array of this element size; null where it has none.
pub(crate) fn element(array: &Value, index: Option<i64>, size: i64) -> Value {
    let place = address(array).zip(index);
    let place = place.and_then(|((object, start), index)| {
        Some(Value::Address(object, start.offset(index.checked_mul(size)?)?))
    });
    place.unwrap_or(Value::int(0))
}

/// A wait for these of the operations of a call only, which tells of all of them.
fn only(wait: &Wait, partial: &Partial, selection: &[usize]) -> Wait {
    let awaited = selection.iter().map(|&at| wait.awaited[at].clone()).collect::<Vec<Awaited>>();
    let positions = selection.iter().map(|&at| partial.positions[at]).collect();
    Wait { awaited, partial: Some(Partial { positions, ..partial.clone() }), ..wait.clone() }
}

/// What a call may tell of when these operations are complete.
fn selections(which: Which, complete: &[usize]) -> Result<Vec<Vec<usize>>, Need> {
    if which == Which::Any {
        return Ok(complete.iter().map(|&at| vec![at]).collect());
    }
    if complete.len() > SELECTED {
        return Err(Need::give_up(format!("more than {SELECTED} operations may be complete at once")));
    }
    let chosen = |bits: usize| {
        let all = complete.iter().enumerate();
        all.filter(|(at, _)| bits >> at & 1 == 1).map(|(_, &at)| at).collect::<Vec<_>>()
    };
    // All at once first.
    Ok((1..1_usize << complete.len()).rev().map(chosen).collect())
}
