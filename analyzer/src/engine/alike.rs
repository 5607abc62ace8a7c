//! Processes that stand alike, of which any may be first to be served.
//!
//! Where a receive from any source finds messages of several processes that nothing tells from each other, one path follows them
//! all: the one on which the first of them is taken. The argument:
//!
//! 1. *Alike* are some ranks if the state is the same after any permutation of them: they are in one set, and every operation under
//!    way concerns all of them or none (`pieces` sees to it). Their memory may hold their rank; to permute them is to rename
//!    it there too.
//! 2. Let `r` be the one whose message is taken in some run. The permutation that swaps `r` with the first turns that run into one
//!    in which the first is taken, step by step, as long as no step asks for a rank itself. So from then on the ranks of that range
//!    in the state are *names*: a permutation of the true ones that is not known. What the path records of a name is possible for each
//!    of the true ranks, so the records are closed under permutation ([`Engine::release_alike`]).
//! 3. Names do not leave their processes. Where data tells who somebody is (the source in a status, a payload computed from the
//!    rank), it holds a symbol, a *guise*, of which only the range of the true ranks is known; the state keeps whose it is. As a
//!    partner a guise stands for the process itself. Whatever is decided by it otherwise, alone or in an expression, is decided only if
//!    the answer is the same for all of the range.
//! 4. A process of the range that asks for its own rank gets the answer that all of the range would get, or none: conditions are
//!    evaluated over the range as a whole (`Engine::scope`), and what is known of processes by their names is never told by
//!    their ranks (`merge::Merge`).
//! 5. A partner that is given as a rank, not by a guise, has no known name: a path on which that is asked ends with the reason.
//! 6. When the state is the same again under all permutations and no guise is left, names are as good as true ranks, and the range
//!    is released.

use lattice::{Constraints, Linear, Range, Ranks, SymbolKind, Truth};

use super::Engine;
use super::boxes;
use super::link::Pairing;
use super::need::Need;
use super::permutation::Target;
use super::relation::{Counterpart, Relation};
use super::state::{Guise, Handle, Outgoing, ProcessSet, State, Status, Wanted};
use super::value::Value;

impl Engine<'_> {
    /// Notes that ranks stand alike and that the first of them is taken for any of them.
    fn note_alike(state: &mut State, range: Ranks) -> Result<(), Need> {
        let facts = &state.facts;
        if state.alike.iter().any(|known| range.within(known, facts)) {
            return Ok(());
        }
        if !state.clients.topology.treats_alike(std::slice::from_ref(&range), facts) {
            return Err(Need::give_up("processes that may come first have communicated differently before"));
        }
        if state.alike.iter().any(|known| !known.disjoint(&range, facts)) {
            return Err(Need::give_up("processes of which any may come first are joined by others"));
        }
        state.alike.push(range);
        Ok(())
    }

    /// Takes one of a range of processes that stand alike. Who of them was seen before is forgotten.
    pub(crate) fn choose(state: &mut State, range: Ranks) -> Result<(), Need> {
        let facts = &state.facts;
        for guise in &mut state.guises {
            if !guise.is_apart(&range, facts) {
                guise.process = None;
            }
        }
        Self::note_alike(state, range)
    }

    /// How data names a process: by its rank, or by a guise where the rank in the state is a mere name.
    pub(crate) fn in_guise(
        &mut self,
        state: &mut State,
        process: &Counterpart,
        seen_by: &Ranks,
    ) -> Counterpart {
        let rank = process.rank().map(|rank| seen_by.settle(&rank, &state.facts));
        let Some(rank) = rank.filter(Linear::is_uniform) else { return process.clone() };
        let one = Ranks::single(rank.clone());
        let Some(range) = state.alike.iter().find(|range| !range.disjoint(&one, &state.facts)).cloned()
        else {
            return process.clone();
        };
        if let Some(guise) = state.guises.iter().find(|guise| guise.is_of(&rank, &state.facts)) {
            return Linear::from(guise.symbol).into();
        }
        let symbol = self.symbols.fresh(SymbolKind::Joined);
        let value = Linear::from(symbol);
        if one.within(&range, &state.facts)
            && let Some(hull) = range.hull()
        {
            state.facts.learn(&hull.lo, &value);
            state.facts.learn(&value, &hull.hi);
        }
        state.guises.push(Guise { symbol, process: Some(rank) });
        value.into()
    }

    /// The partner that some processes name, as a rank of the state.
    pub(crate) fn out_of_guise(&self, state: &State, ranks: &Ranks, partner: Linear) -> Result<Linear, Need> {
        if state.alike.is_empty() && state.guises.is_empty() {
            return Ok(partner);
        }
        if let Some(guise) = state.guises.iter().find(|guise| partner == guise.symbol.into()) {
            let again = || Need::give_up("the partner came earlier and is one of several again");
            return guise.process.clone().ok_or_else(again);
        }
        if self.is_in_guise(&state.guises, &partner) {
            return Err(Need::give_up("the partner is computed from who came first"));
        }
        let ends = ranks.minimise(&partner, &state.facts).zip(ranks.maximise(&partner, &state.facts));
        let (lo, hi) = ends.ok_or_else(|| Need::give_up("a rank expression exceeds 64 bits"))?;
        let partners = Ranks::from(Range { lo, hi });
        if state.alike.iter().any(|range| !range.disjoint(&partners, &state.facts)) {
            return Err(Need::give_up(
                "the partner is named by its rank, and any of several may have come first",
            ));
        }
        Ok(partner)
    }

    /// Whether an expression is made from a guise.
    pub(crate) fn is_in_guise(&self, guises: &[Guise], expression: &Linear) -> bool {
        let is_guise = |symbol| guises.iter().any(|guise| guise.symbol == symbol);
        !guises.is_empty() && self.symbols.is_made_from(expression, is_guise)
    }

    /// Forgets the guises that no data holds any more, and releases the ranges whose processes are the same again.
    pub(crate) fn release_alike(&mut self, state: &mut State) {
        if state.alike.is_empty() && state.guises.is_empty() {
            return;
        }
        let mut guises = std::mem::take(&mut state.guises);
        guises.retain(|guise| self.is_held(state, guise));
        state.guises = guises;
        let State { alike, guises, facts, clients, .. } = state;
        let mut kept = Vec::new();
        for range in std::mem::take(alike) {
            let free = guises.iter().all(|guise| guise.is_apart(&range, facts));
            let ranges = std::slice::from_ref(&range);
            let same = free
                && is_same(
                    &state.sets,
                    &references_of(
                        &state.in_flight,
                        &state.posted,
                        &state.arrived,
                        &state.entered,
                        &state.sets,
                    ),
                    &range,
                    facts,
                );
            if !(same && clients.topology.close(ranges, facts, self.clients.topology.one_by_one).is_some()) {
                kept.push(range);
            }
        }
        state.alike = kept;
    }

    /// Whether some data of a state is made from a guise.
    fn is_held(&self, state: &State, guise: &Guise) -> bool {
        let guises = std::slice::from_ref(guise);
        let holds = |value: &Value| match value {
            Value::Int(value) | Value::Address(_, value) => self.is_in_guise(guises, value),
            Value::Same(symbol) => self.is_in_guise(guises, &(*symbol).into()),
            _ => false,
        };
        let in_memory = |set: &ProcessSet| {
            set.memory.objects().any(|(object, content)| {
                let cells = content.cells.values().any(|(_, value)| holds(value));
                let numbers = content.series.iter().flat_map(|s| [&s.start, &s.count, &s.base]);
                let series = numbers.cloned().any(|number| holds(&Value::Int(number)));
                (cells || series) && self.decides(object)
            })
        };
        let sent = |m: &super::state::InFlight| {
            [&m.envelope.tag, &m.envelope.count, &m.envelope.payload].into_iter().any(holds)
        };
        let wanted = |p: &super::state::Posted| {
            p.incoming.filter.tag.as_ref().is_some_and(holds) || holds(&p.incoming.count)
        };
        let received =
            |a: &super::state::Arrived| [&a.source, &a.tag, &a.count, &a.payload].into_iter().any(holds);
        state.sets.iter().any(|set| in_memory(set) || !set.handles.is_empty())
            || state.in_flight.iter().any(sent)
            || state.posted.iter().any(wanted)
            || state.arrived.iter().any(received)
    }
}

impl Guise {
    fn is_of(&self, process: &Linear, facts: &Constraints) -> bool {
        self.process.as_ref().is_some_and(|known| facts.eq(known, process) == Truth::Yes)
    }

    /// Whether the process is known and not in a range.
    fn is_apart(&self, range: &Ranks, facts: &Constraints) -> bool {
        self.process.as_ref().is_none_or(|process| range.disjoint(&Ranks::single(process.clone()), facts))
    }
}

/// Whether the ranks of some processes are mere names.
pub(crate) fn is_named(alike: &[Ranks], ranks: &Ranks, facts: &Constraints) -> bool {
    alike.iter().any(|range| !range.disjoint(ranks, facts))
}

/// How something under way refers to processes.
enum Reference {
    /// To each of these in the same way.
    Each(Ranks),
    /// To each of several in its own way.
    Apart(Ranks),
    One(Linear),
}

fn of_relation(relation: &Relation) -> [Reference; 2] {
    let paired = |pairing: Pairing| {
        matches!(pairing, Pairing::Parallel | Pairing::Mirrored | Pairing::Band | Pairing::Mixed)
    };
    let sides = [relation.senders(), relation.receivers()];
    if relation.links().iter().any(|link| paired(link.pairing)) {
        sides.map(Reference::Apart)
    } else {
        sides.map(Reference::Each)
    }
}

fn references_of(
    in_flight: &[super::state::InFlight],
    posted: &[super::state::Posted],
    arrived: &[super::state::Arrived],
    entered: &[super::state::Entered],
    sets: &[ProcessSet],
) -> Vec<Reference> {
    let mut found: Vec<Reference> = Vec::new();
    found.extend(in_flight.iter().flat_map(|m| of_relation(&m.relation)));
    for posted in posted {
        match &posted.wanted {
            Wanted::From(relation) => found.extend(of_relation(relation)),
            Wanted::Anybody(receivers) => found.push(Reference::Each(receivers.clone())),
        }
    }
    found.extend(arrived.iter().map(|a| Reference::Each(a.receivers.clone())));
    found.extend(entered.iter().map(|e| Reference::Each(e.members.clone())));
    for set in sets {
        if let Status::Probing(probe) = &set.status {
            found.extend(probe.source.iter().cloned().map(Reference::One));
        }
        for handle in set.handles.values().flat_map(Handle::parts) {
            match handle {
                Handle::Message(partner, ..) => found.push(Reference::One(partner.clone())),
                Handle::Receive(_, Some(target)) | Handle::Send(Outgoing { dest: target, .. }) => {
                    found.push(match target {
                        Target::Rank(partner) => Reference::One(partner.clone()),
                        Target::Permuted(ranks, _) => Reference::Apart(ranks.clone()),
                    });
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether the processes of a range are in one set, and everything under way concerns all of them alike or none.
fn is_same(sets: &[ProcessSet], references: &[Reference], range: &Ranks, facts: &Constraints) -> bool {
    sets.iter().any(|set| range.within(&set.ranks, facts)) && concerned_alike(references, range, facts)
}

/// Whether everything under way concerns all of a range of processes alike, or none of them.
fn concerned_alike(references: &[Reference], range: &Ranks, facts: &Constraints) -> bool {
    references.iter().all(|reference| match reference {
        Reference::Each(some) => some.disjoint(range, facts) || range.within(some, facts),
        Reference::Apart(some) => some.disjoint(range, facts),
        Reference::One(one) => one.is_uniform() && range.disjoint(&Ranks::single(one.clone()), facts),
    })
}

/// The parts of a range of processes of one set that nothing under way tells from each other.
pub(crate) fn pieces(state: &State, range: Ranks) -> Result<Vec<Ranks>, Need> {
    let references =
        references_of(&state.in_flight, &state.posted, &state.arrived, &state.entered, &state.sets);
    told_apart(range, references, &state.facts)
}

fn told_apart(range: Ranks, references: Vec<Reference>, facts: &Constraints) -> Result<Vec<Ranks>, Need> {
    let mut pieces = vec![range];
    for reference in references {
        let some = match reference {
            Reference::Each(some) => some,
            Reference::One(process) if process.is_uniform() => Ranks::single(process),
            Reference::One(_) => continue,
            Reference::Apart(some) => {
                if pieces.iter().any(|p| p.as_single(facts).is_none() && !p.disjoint(&some, facts)) {
                    return Err(Need::give_up("processes that may come first are paired with others"));
                }
                continue;
            }
        };
        let mut finer = Vec::new();
        for piece in pieces {
            if piece.within(&some, facts) {
                finer.push(piece);
                continue;
            }
            finer.extend(boxes::subtract(&piece, &some, facts)?);
            finer.extend(boxes::intersect(&piece, &some, facts)?);
        }
        pieces = finer;
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Pairs of ranks; nobody stands where something concerns one process only.
    type Pairs = BTreeSet<(i64, i64)>;

    const NOBODY: i64 = -100;

    /// Something under way, and the pairs of processes that it concerns.
    #[derive(Clone, Debug)]
    enum Entry {
        Send { senders: (i64, i64), slope: i64, constant: i64 },
        Every { senders: (i64, i64), receivers: (i64, i64) },
        Arrived { receivers: (i64, i64), even: bool },
        Probe(i64),
    }

    fn ends() -> impl Strategy<Value = (i64, i64)> {
        (0_i64..8, 0_i64..8).prop_map(|(a, b)| (a.min(b), a.max(b)))
    }

    fn entry() -> impl Strategy<Value = Entry> {
        prop_oneof![
            3 => (ends(), -1_i64..2, 0_i64..8)
                .prop_map(|(senders, slope, constant)| Entry::Send { senders, slope, constant }),
            2 => (ends(), ends()).prop_map(|(senders, receivers)| Entry::Every { senders, receivers }),
            2 => (ends(), any::<bool>()).prop_map(|(receivers, even)| Entry::Arrived { receivers, even }),
            1 => (0_i64..8).prop_map(Entry::Probe),
        ]
    }

    fn range((lo, hi): (i64, i64)) -> Ranks {
        Range { lo: lo.into(), hi: hi.into() }.into()
    }

    impl Entry {
        fn references(&self) -> Vec<Reference> {
            let facts = Constraints::new();
            let constants = "constants decide everything";
            match *self {
                Self::Send { senders, slope, constant } => {
                    let dest = Linear::rank().scale(slope).and_then(|e| e.offset(constant)).expect("small");
                    of_relation(&Relation::of_send(&range(senders), &dest, &facts).expect(constants)).into()
                }
                Self::Every { senders, receivers } => {
                    let every = Relation::every(&range(senders), &range(receivers), &facts);
                    of_relation(&every.expect(constants)).into()
                }
                Self::Arrived { receivers: (lo, hi), even } => {
                    let half = |n: i64| Linear::from(n.div_euclid(2));
                    let pairs = Range { lo: half(lo), hi: half(hi) };
                    let low = Range { lo: 0.into(), hi: i64::from(!even).into() };
                    vec![Reference::Each(Ranks::new(vec![2.into()], vec![low, pairs]))]
                }
                Self::Probe(source) => vec![Reference::One(source.into())],
            }
        }

        fn pairs(&self) -> Pairs {
            match *self {
                Self::Send { senders: (lo, hi), slope, constant } => {
                    (lo..=hi).map(|s| (s, slope * s + constant)).collect()
                }
                Self::Every { senders, receivers } => (senders.0..=senders.1)
                    .flat_map(|s| (receivers.0..=receivers.1).map(move |r| (s, r)))
                    .collect(),
                Self::Arrived { receivers: (lo, hi), even } => (lo.div_euclid(2)..=hi.div_euclid(2))
                    .flat_map(|pair| [2 * pair, 2 * pair + 1])
                    .filter(|rank| !even || rank % 2 == 0)
                    .map(|rank| (NOBODY, rank))
                    .collect(),
                Self::Probe(source) => Pairs::from([(source, NOBODY)]),
            }
        }
    }

    fn swapped(pairs: &Pairs, a: i64, b: i64) -> Pairs {
        let swap = |rank: i64| match rank {
            rank if rank == a => b,
            rank if rank == b => a,
            rank => rank,
        };
        pairs.iter().map(|&(s, r)| (swap(s), swap(r))).collect()
    }

    /// The ranks of a box among those that occur.
    fn members(ranks: &Ranks) -> Vec<i64> {
        let facts = Constraints::new();
        let is_member = |&rank: &i64| {
            let one = Ranks::single(rank.into());
            !boxes::intersect(&one, ranks, &facts).expect("constants decide everything").is_empty()
        };
        (0..20).filter(is_member).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        /// Whoever of processes that are called alike is first: to exchange it with another changes nothing under way.
        #[test]
        fn alike_are_those_that_can_be_exchanged(entries in prop::collection::vec(entry(), 0..4), all in ends()) {
            let facts = Constraints::new();
            let references = || entries.iter().flat_map(Entry::references).collect::<Vec<_>>();
            let whole = range(all);
            let Ok(pieces) = told_apart(whole.clone(), references(), &facts) else {
                // Only what pairs each process with another one is given up.
                let paired = |r: &Reference| matches!(r, Reference::Apart(some) if !some.disjoint(&whole, &facts));
                prop_assert!(references().iter().any(paired));
                return Ok(());
            };
            let mut found: Vec<i64> = pieces.iter().flat_map(members).collect();
            found.sort_unstable();
            prop_assert_eq!(found, (all.0..=all.1).collect::<Vec<_>>());
            for piece in &pieces {
                let ranks = members(piece);
                for (a, b) in ranks.iter().flat_map(|&a| ranks.iter().map(move |&b| (a, b))) {
                    for entry in &entries {
                        prop_assert_eq!(swapped(&entry.pairs(), a, b), entry.pairs(), "{:?} by {} and {}", entry, a, b);
                    }
                }
            }
        }

        /// The same for a range that is released, whose names become ranks again.
        #[test]
        fn released_are_those_that_can_be_exchanged(entries in prop::collection::vec(entry(), 0..3), all in ends()) {
            let references: Vec<Reference> = entries.iter().flat_map(Entry::references).collect();
            if concerned_alike(&references, &range(all), &Constraints::new()) {
                for (a, b) in (all.0..=all.1).flat_map(|a| (all.0..=all.1).map(move |b| (a, b))) {
                    prop_assert!(entries.iter().all(|entry| swapped(&entry.pairs(), a, b) == entry.pairs()));
                }
            }
        }
    }
}
