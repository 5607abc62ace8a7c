//! Accesses of different processes to one place of a window, between two calls by which all processes meet (MPI-4.1 section 12.7), and
//! accesses beyond what the target has given to the window.
//!
//! What is reported is shown by a witness: two members whose accesses are proved to meet. What each of them has done since they last
//! met is kept with its set; what happened in an order that a message or data read by it may have made is not compared.

use std::rc::Rc;

use frontend::mpi::{Class, Object, lookup};
use lattice::{Constraints, Linear, Ranks, Symbol, Truth};

use super::accesses::{Access, Detail, Home, Mode, NO_OP};
use super::assertions::Promise;
use super::epochs::conflict;
use super::lives::{Kind, Life, Stage};
use super::{Note, Unless};
use crate::engine::Engine;
use crate::engine::datatypes::Signature;
use crate::engine::group::{Group, united};
use crate::engine::state::{Communicator, Entered, SiteId, State, Ticket};
use crate::engine::value::Value;
use crate::rules::Rule;

/// Numbers of processes from which on a witness is looked for.
pub(super) const LEAST_NP: [i64; 4] = [1, 2, 3, 4];

/// An access with those who have made it.
pub(super) struct Made<'a> {
    pub(super) members: Ranks,
    pub(super) site: SiteId,
    pub(super) handle: &'a Value,
    pub(super) access: &'a Access,
}

/// The memory that some processes have given to a window.
pub(super) struct Given<'a> {
    pub(super) members: Ranks,
    pub(super) handle: &'a Value,
    pub(super) home: &'a Home,
}

/// Some members of a set, by rank in `MPI_COMM_WORLD`: the first and last ones.
pub(super) fn samples(members: &Ranks, facts: &Constraints) -> Vec<Linear> {
    let digits = |from: fn(&lattice::Range) -> &Linear| -> Vec<Linear> {
        members.digits().iter().map(|digit| from(digit).clone()).collect()
    };
    let (first, last) = (digits(|digit| &digit.lo), digits(|digit| &digit.hi));
    let mut found = vec![first.clone(), last.clone()];
    for (position, digit) in members.digits().iter().enumerate() {
        let Some((next, before)) = digit.lo.offset(1).zip(digit.hi.offset(-1)) else { continue };
        if facts.le(&next, &digit.hi) == Truth::Yes {
            let with = |mut digits: Vec<Linear>, value: Linear| {
                digits[position] = value;
                digits
            };
            found.extend([with(first.clone(), next), with(last.clone(), before)]);
        }
    }
    found.iter().filter_map(|digits| members.rank_of(digits)).collect()
}

/// An expression as a member sees it.
pub(super) fn seen_at(expression: &Linear, rank: &Linear) -> Option<Linear> {
    let value = expression.substitute(Symbol::RANK, rank)?;
    value.is_uniform().then_some(value)
}

/// Whether a rank is proved to be one of a set.
pub(super) fn is_member(rank: &Linear, members: &Ranks, facts: &Constraints) -> bool {
    Ranks::single(rank.clone()).within(members, facts)
}

/// The member whose target that is, where the set is a range.
fn whose_target(made: &Made<'_>, target: &Linear, facts: &Constraints) -> Option<Linear> {
    let slope = made.access.target.coefficient(Symbol::RANK);
    if slope.abs() != 1 {
        return None;
    }
    let rest = made.access.target.add_scaled(&Symbol::RANK.into(), -slope)?;
    let rank = target.sub(&rest)?.scale(slope)?;
    (rank.is_uniform() && is_member(&rank, &made.members, facts)).then_some(rank)
}

/// Whether it matters in which order two accesses of different processes are made, and why.
fn contradiction(a: &Access, b: &Access) -> Option<&'static str> {
    if !(a.writes || b.writes) {
        return None;
    }
    let (Some(x), Some(y)) = (a.how, b.how) else { return Some("") };
    if !(x.is_atomic() && y.is_atomic()) {
        return Some("");
    }
    let ((first, one), (second, other)) = a.combines.as_ref().zip(b.combines.as_ref())?;
    if first != second && ![first, second].iter().any(|op| &***op == NO_OP) {
        return Some(", with another operation");
    }
    let types = Signature::predefined(one).zip(Signature::predefined(other));
    let differ = types.is_some_and(|(one, other)| one.differs(1, &other, 1));
    differ.then_some(", with another datatype")
}

/// Whether nothing keeps two accesses of different processes apart, whether each of them has started one epoch and the target has let
/// others in once.
fn are_concurrent(x: &Access, y: &Access, (started, posted): ([bool; 2], bool)) -> bool {
    // Somebody may have been told of the one before the other was made.
    let may_precede = |one: &Access, other: &Access| one.spent && other.ordered;
    if may_precede(x, y) || may_precede(y, x) {
        return false;
    }
    match (x.mode, y.mode) {
        (Mode::Fence, Mode::Fence | Mode::Plain) | (Mode::Plain, Mode::Fence) => true,
        (Mode::Start, Mode::Start) => posted && started == [true; 2],
        (Mode::Start, Mode::Posted) => posted && started[0],
        (Mode::Posted, Mode::Start) => posted && started[1],
        (Mode::Shared, Mode::Shared) => true,
        (Mode::Shared | Mode::Exclusive, Mode::Plain) | (Mode::Plain, Mode::Shared | Mode::Exclusive) => {
            x.how.is_some() || y.how.is_some()
        }
        _ => false,
    }
}

/// The first byte that an access concerns in the memory of its target.
fn first_byte(access: &Access, rank: &Linear, home: Option<(&Home, &Linear)>) -> Option<Linear> {
    let displacement = seen_at(&access.displacement, rank)?;
    if access.how.is_none() || displacement == Linear::zero() {
        return Some(displacement);
    }
    let (home, target) = home?;
    displacement.times(&seen_at(home.unit.as_ref()?, target)?)
}

/// The window's memory at one process.
pub(super) fn given_by<'a>(
    given: &'a [Given<'a>],
    handle: &Value,
    rank: &Linear,
    facts: &Constraints,
) -> Option<&'a Home> {
    let its = |one: &&Given<'_>| one.handle == handle && is_member(rank, &one.members, facts);
    given.iter().find(its).map(|one| one.home)
}

/// Whether two accesses of these members meet.
fn meet(
    (a, r): (&Made<'_>, &Linear),
    (b, s): (&Made<'_>, &Linear),
    given: &[Given<'_>],
    facts: &Constraints,
) -> Option<bool> {
    let below = |x: &Linear, y: &Linear| Some(facts.le(&x.offset(1)?, y) == Truth::Yes);
    let apart = below(r, s)? || below(s, r)?;
    let target = seen_at(&a.access.target, r)?;
    if !apart || facts.eq(&target, &seen_at(&b.access.target, s)?) != Truth::Yes {
        return Some(false);
    }
    let home = given_by(given, a.handle, &target, facts);
    let started = [(a, r), (b, s)]
        .map(|(made, rank)| given_by(given, made.handle, rank, facts).is_some_and(|home| home.starts == 1));
    if !are_concurrent(a.access, b.access, (started, home.is_some_and(|home| home.posts == 1))) {
        return Some(false);
    }
    let (d, e) = (seen_at(&a.access.displacement, r)?, seen_at(&b.access.displacement, s)?);
    let both_far = a.access.how.is_some() && b.access.how.is_some();
    let alike = a.access.bytes.is_some() && b.access.bytes.is_some() || a.site == b.site;
    if both_far && alike && facts.eq(&d, &e) == Truth::Yes {
        return Some(true);
    }
    let home = home.map(|home| (home, &target));
    let (d, e) = (first_byte(a.access, r, home)?, first_byte(b.access, s, home)?);
    let end = |made: &Made<'_>, rank: &Linear, first: &Linear| {
        first.add(&seen_at(made.access.bytes.as_ref()?, rank)?)
    };
    Some(below(&d, &end(b, s, &e)?)? && below(&e, &end(a, r, &d)?)?)
}

/// The members of two sets whose accesses meet.
fn witness(a: &Made<'_>, b: &Made<'_>, given: &[Given<'_>], facts: &Constraints) -> bool {
    let (first, second) = (samples(&a.members, facts), samples(&b.members, facts));
    let meets = |r: &Linear, s: &Linear| meet((a, r), (b, s), given, facts) == Some(true);
    let by_first = first.iter().any(|r| {
        let target = seen_at(&a.access.target, r);
        let other = target.and_then(|target| whose_target(b, &target, facts));
        second.iter().chain(&other).any(|s| meets(r, s))
    });
    by_first
        || second.iter().any(|s| {
            let target = seen_at(&b.access.target, s);
            target.and_then(|target| whose_target(a, &target, facts)).is_some_and(|r| meets(&r, s))
        })
}

/// The facts with at least so many processes, where that is possible.
pub(super) fn from_np(facts: &Constraints, least: i64) -> Option<Constraints> {
    let mut facts = facts.clone();
    facts.assume_le(&least.into(), &Symbol::NP.into())?;
    Some(facts)
}

impl Engine<'_> {
    /// Judges what processes have done to each other's memory until they met in a call that waits for all of them.
    pub(crate) fn judge_accesses(&mut self, state: &mut State, entries: &[Entered]) {
        let has_windows = |life: &Life| life.kind == Object::Window;
        let waits = entries.iter().all(|entered| entered.ticket == Ticket::Call);
        if !waits || !state.sets.iter().any(|set| set.known.lives.iter().any(has_windows)) {
            return;
        }
        let facts = &state.facts;
        let parts: Vec<Ranks> = entries.iter().map(|entered| entered.members.clone()).collect();
        let callers: Vec<Ranks> = united(&parts, facts).into_iter().chain(parts).collect();
        let takes_part = |ranks: &Ranks| callers.iter().any(|part| ranks.within(part, facts));
        let mut notes: Vec<Note> = Vec::new();
        let mut made: Vec<Made<'_>> = Vec::new();
        let mut given: Vec<Given<'_>> = Vec::new();
        let mut promises: Vec<Promise<'_>> = Vec::new();
        for set in state.sets.iter().filter(|set| takes_part(&set.ranks)) {
            for life in set.known.lives.iter() {
                let (Some(members), Some(handle)) = (life.members(&set.ranks, facts), &life.handle) else {
                    continue;
                };
                if let Some(home) = life.home() {
                    given.push(Given { members, handle, home });
                } else if let Some(access) = life.access() {
                    made.push(Made { members, site: life.made, handle, access });
                } else if life.kind == Kind::Promise && life.stage == Stage::Done {
                    promises.push(Promise { members, site: life.made, handle });
                }
            }
        }
        for (index, a) in made.iter().enumerate() {
            notes.extend(self.out_of_bounds(a, &given, facts));
            notes.extend(self.broken_promise(a, &promises, &given, facts));
            for b in &made[index..] {
                notes.extend(self.conflict(a, b, &given, facts));
            }
            for b in &made[index + 1..] {
                notes.extend(self.conflict_with_own(a, b, &given, facts));
            }
        }
        let frees = |entered: &Entered| {
            lookup(&entered.call.operation).is_some_and(|mpi| mpi.class == Class::WinDestructor)
        };
        let freed = entries.iter().all(frees);
        if freed {
            notes.extend(self.left_alone(state, &given, entries, &takes_part));
        }
        self.clients.lifecycles.noted.extend(notes);
        self.take_in_noted(state);
        meet_all(state, entries, freed);
    }

    /// Says that an access goes beyond the memory that its target has given.
    fn out_of_bounds(&self, made: &Made<'_>, given: &[Given<'_>], facts: &Constraints) -> Option<Note> {
        let access = made.access;
        let _ = access.how?;
        LEAST_NP.iter().find_map(|&least| {
            let facts = from_np(facts, least)?;
            samples(&made.members, &facts).iter().find_map(|rank| {
                let target = seen_at(&access.target, rank)?;
                let home = given_by(given, made.handle, &target, &facts)?;
                let room = seen_at(home.bytes.as_ref()?, &target)?;
                let first = first_byte(access, rank, Some((home, &target)))?;
                let end = first.add(&seen_at(access.reach.as_ref()?, rank)?)?;
                let is_below = facts.le(&first.offset(1)?, &Linear::zero()) == Truth::Yes;
                if !is_below && facts.le(&room.offset(1)?, &end) != Truth::Yes {
                    return None;
                }
                let name = self.name_of(made.site);
                let text = |value: &Linear| self.symbols.display(value);
                let message = if is_below {
                    format!("{name} accesses memory before the window of rank {}", text(&target)?)
                } else {
                    format!(
                        "{name} accesses the window of rank {} up to byte {}, but that has {} bytes",
                        text(&target)?,
                        text(&end)?,
                        text(&room)?
                    )
                };
                Some(self.note_of(Rule::BufferOverflow, made, message, least))
            })
        })
    }

    /// Says that two accesses of different processes meet.
    fn conflict(&self, a: &Made<'_>, b: &Made<'_>, given: &[Given<'_>], facts: &Constraints) -> Option<Note> {
        let both_local = a.access.how.is_none() && b.access.how.is_none();
        if a.handle != b.handle || both_local {
            return None;
        }
        let why = contradiction(a.access, b.access)?;
        let least = LEAST_NP
            .into_iter()
            .find(|&least| from_np(facts, least).is_some_and(|facts| witness(a, b, given, &facts)))?;
        // Told where the program itself accesses the memory, or else at the later call.
        let (here, there) = if a.access.how.is_none() || (b.access.how.is_some() && b.site < a.site) {
            (a, b)
        } else {
            (b, a)
        };
        let (name, other) = (self.name_of(here.site), self.name_of(there.site));
        let does = |made: &Made<'_>| if made.access.writes { "writes" } else { "reads" };
        let message = if here.access.how.is_none() {
            let told = if name.starts_with("this ") { name } else { format!("{name} {}", does(here)) };
            let others = does(there);
            format!(
                "{told} memory of a window that {other} of another rank {others} with nothing between them"
            )
        } else if here.site == there.site {
            let ways = if here.access.mode == Mode::Fence { "in one epoch" } else { "at a time" };
            format!("several ranks access the same memory by {name} {ways}")
        } else {
            format!("{name} accesses memory that {other} of another rank accesses at the same time{why}")
        };
        let mut note = self.note_of(Rule::RmaRace, here, message, least);
        if here.site != there.site {
            note.related.push((there.site, "the other access is here".to_owned()));
        }
        Some(note)
    }

    /// Says that two operations of one process meet, between which no epoch ends.
    fn conflict_with_own(
        &self,
        a: &Made<'_>,
        b: &Made<'_>,
        given: &[Given<'_>],
        facts: &Constraints,
    ) -> Option<Note> {
        let (one, other) = a.access.how.zip(b.access.how)?;
        let is_fenced = [a, b].iter().all(|made| made.access.mode == Mode::Fence);
        if a.handle != b.handle || !is_fenced || !conflict(one, other) {
            return None;
        }
        let meets = |rank: &Linear, facts: &Constraints| {
            let target = seen_at(&a.access.target, rank)?;
            let is_same = facts.eq(&target, &seen_at(&b.access.target, rank)?) == Truth::Yes;
            if !is_same || !is_member(rank, &a.members, facts) || !is_member(rank, &b.members, facts) {
                return None;
            }
            let home = (given_by(given, a.handle, &target, facts)?, &target);
            let ends = |made: &Made<'_>| {
                let first = first_byte(made.access, rank, Some(home))?;
                let end = first.add(&seen_at(made.access.bytes.as_ref()?, rank)?)?;
                Some((first, end))
            };
            let ((first, end), (from, to)) = (ends(a)?, ends(b)?);
            let below = |x: &Linear, y: &Linear| Some(facts.le(&x.offset(1)?, y) == Truth::Yes);
            (below(&first, &to)? && below(&from, &end)?).then_some(())
        };
        let least = LEAST_NP.into_iter().find(|&least| {
            let facts = from_np(facts, least);
            facts.is_some_and(|facts| {
                samples(&a.members, &facts).iter().any(|rank| meets(rank, &facts).is_some())
            })
        })?;
        let (here, there) = if a.site < b.site { (b, a) } else { (a, b) };
        let (name, other) = (self.name_of(here.site), self.name_of(there.site));
        let message = format!("{name} accesses memory that {other} accesses in the same epoch");
        let mut note = self.note_of(Rule::RmaRace, here, message, least);
        if here.site != there.site {
            note.related.push((there.site, "this is not complete yet".to_owned()));
        }
        Some(note)
    }

    pub(super) fn note_of(&self, rule: Rule, made: &Made<'_>, message: String, least: i64) -> Note {
        Note { from_np: (1 < least).then_some(least), ..self.noted(rule, made.site, &made.members, message) }
    }

    /// A note of a call that was made before.
    pub(super) fn noted(&self, rule: Rule, site: SiteId, members: &Ranks, message: String) -> Note {
        Note {
            rule,
            place: self.site_place(site),
            message,
            ranks: members.clone(),
            related: Vec::new(),
            unless: Unless::Never,
            from_np: None,
            severity: None,
        }
    }

    /// What made an access, as messages name it.
    pub(super) fn name_of(&self, site: SiteId) -> String {
        let name = &self.sites[site.0 as usize].operation;
        if name.starts_with("MPI_") { format!("`{name}`") } else { name.clone() }
    }
}

/// Forgets what is over by the time at which all have met, and the epochs of a window that they have freed.
fn meet_all(state: &mut State, entries: &[Entered], freed: bool) {
    let facts = &state.facts;
    let all = entries.iter().all(|e| e.call.communicator.group.same(&world(), facts));
    for set in &mut state.sets {
        let lives = &mut set.known.lives;
        if lives.is_empty() || entries.iter().all(|e| e.members.disjoint(&set.ranks, facts)) {
            continue;
        }
        let gone: Vec<Value> = lives
            .iter()
            .filter(|life| freed && life.home().is_some() && is_freed_by(life, entries))
            .filter_map(|life| life.handle.clone())
            .collect();
        lives.retain(|life| match life.kind {
            Kind::Local => false,
            Kind::Transfer | Kind::Promise => life.stage != Stage::Done,
            Kind::Partners => life.handle.as_ref().is_none_or(|handle| !gone.contains(handle)),
            _ => true,
        });
        if all {
            (lives.ordered, lives.heard) = (false, false);
            for life in lives.iter_mut() {
                if let Some(Detail::Window(home)) = life.detail.as_mut().map(Rc::make_mut) {
                    (home.starts, home.posts) = (0, 0);
                }
            }
        }
    }
}

/// Whether an object has been given up by one of these calls.
pub(super) fn is_freed_by(life: &Life, entries: &[Entered]) -> bool {
    matches!(life.stage, Stage::Freed(by) if entries.iter().any(|entered| entered.call.site == by))
}

fn world() -> Group {
    Communicator::world().group
}
