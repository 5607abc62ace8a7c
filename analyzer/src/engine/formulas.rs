//! Formulas of what is exchanged: what the ends of all paths have recorded, with equal entries of different paths as one, and for which
//! numbers of processes each holds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lattice::{Constraints, Linear, Range, Symbol, Truth};
use rustc_hash::FxHashSet;

use super::clients::topology::{Exchanged, Gathered};
use super::coverage::covers;
use super::instance::messages;
use super::link::{Link, Pairing};
use super::possible_np::{has_products, possible_np};
use super::process_counts::Counts;
use super::relation::Relation;
use super::state::{Communicator, SiteId, State};
use super::{Engine, arithmetic};

/// An entry of the topology with the paths on which it holds.
pub(crate) struct Formula {
    pub(crate) entry: Exchanged,
    pub(crate) holds_in: Vec<usize>,
}

/// The same for collective calls.
pub(crate) struct GatheredFormula {
    pub(crate) entry: Gathered,
    pub(crate) holds_in: Vec<usize>,
}

/// When an entry of the topology holds, if not always.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// On some inputs only.
    Input,
    /// For these numbers of processes only.
    Np(Counts),
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input => Ok(()),
            Self::Np(range) => write!(f, " for {}", range.to_string().replace("any ", "")),
        }
    }
}

/// What all paths have exchanged, with equal entries of different paths as one.
pub(crate) struct Formulas<'a, 'p> {
    pub(crate) engine: &'a Engine<'p>,
    ends: Vec<&'a State>,
    /// For which numbers of processes each path is possible.
    np: Vec<Counts>,
    /// Whether some path is possible for numbers of processes that are certain products.
    products: bool,
    pub(crate) exchanged: Vec<Formula>,
    pub(crate) gathered: Vec<GatheredFormula>,
}

impl<'a, 'p> Formulas<'a, 'p> {
    pub(crate) fn new(engine: &'a Engine<'p>, ends: &[&'a State]) -> Self {
        Self::of(
            engine,
            ends.iter().filter_map(|&state| Some((state, possible_np(engine, state)?))).collect(),
        )
    }

    /// The same of paths that have not been followed to their ends, of which there may be many: whether each is possible is not asked.
    pub(crate) fn unfinished(engine: &'a Engine<'p>, states: &[&'a State]) -> Self {
        Self::of(engine, states.iter().map(|&state| (state, Counts::of(&state.facts))).collect())
    }

    fn of(engine: &'a Engine<'p>, mut ends: Vec<(&'a State, Counts)>) -> Self {
        // Paths that hold for more process counts come first: their formulas are the general ones.
        let products = ends.iter().any(|(state, _)| has_products(state));
        let factors: BTreeSet<Symbol> =
            ends.iter().flat_map(|(state, _)| state.facts.products()).flat_map(Symbol::factors).collect();
        ends.sort_by_key(|(state, np)| {
            let width = np.most().zip(np.least()).map_or(0, |(most, least)| most.saturating_sub(least));
            let all: BTreeSet<Symbol> = state.facts.symbols().filter(|_| products).collect();
            let limits = (limited(&factors, &state.facts), limited(&all, &state.facts));
            (np.most().is_some(), limits, std::cmp::Reverse(width), std::cmp::Reverse(np.least()))
        });
        let (ends, np) = ends.into_iter().unzip();
        let mut formulas = Self { engine, ends, np, products, exchanged: Vec::new(), gathered: Vec::new() };
        for index in 0..formulas.ends.len() {
            formulas.add(index);
        }
        formulas.exchanged.sort_by(|a, b| {
            let key = |f: &Formula| {
                (formulas.engine.site_range(f.entry.send), formulas.engine.site_range(f.entry.recv))
            };
            key(a).cmp(&key(b))
        });
        formulas
    }

    fn add(&mut self, index: usize) {
        let state = self.ends[index];
        let said = self.said_before(index);
        for entry in &state.clients.topology.exchanged {
            if said.contains(&(entry.send, entry.recv)) {
                continue;
            }
            let entry = self.presentable(entry, &state.facts);
            let known = self
                .exchanged
                .iter_mut()
                .find(|f| !f.holds_in.contains(&index) && same_channel(&f.entry, &entry, &state.facts));
            match known {
                Some(formula) => {
                    formula.holds_in.push(index);
                    formula.entry.always &= entry.always;
                    let repeat = (formula.entry.repeat.take(), &entry.repeat);
                    formula.entry.repeat = match repeat {
                        (Some(a), Some(b)) if state.facts.eq(&a, b) == Truth::Yes => Some(a),
                        _ => None,
                    };
                    for (a, b) in
                        [(&mut formula.entry.tag, &entry.tag), (&mut formula.entry.count, &entry.count)]
                    {
                        let agree = match (&*a, b) {
                            (Some(a), Some(b)) => agree_on(a, b, &entry.relation, &state.facts),
                            _ => false,
                        };
                        if !agree {
                            *a = None;
                        }
                    }
                }
                None => self.exchanged.push(Formula { entry, holds_in: vec![index] }),
            }
        }
        for entry in &state.clients.topology.gathered {
            let mut entry = entry.clone();
            let show =
                |value: &Option<Linear>| value.as_ref().map(|v| self.engine.presentable(v, &state.facts));
            (entry.root, entry.repeat) = (show(&entry.root), show(&entry.repeat));
            if entry.communicator.group != Communicator::world().group {
                let show = |bound: &Linear| self.engine.presentable(bound, &state.facts);
                let group = entry.communicator.group.map(&show);
                let name = entry.communicator.name.clone();
                entry.communicator = Arc::new(Communicator { name, group, grid: None, graph: None });
            }
            let known = self.gathered.iter_mut().find(|f| {
                f.entry.sites == entry.sites
                    && f.entry.operation == entry.operation
                    && f.entry.communicator.name == entry.communicator.name
                    && same_slices(&f.entry, &entry, &state.facts)
                    && f.entry.communicator.group.same(&entry.communicator.group, &state.facts)
            });
            match known {
                Some(formula) => {
                    formula.holds_in.push(index);
                    formula.entry.always &= entry.always;
                    for (a, b) in
                        [(&mut formula.entry.root, &entry.root), (&mut formula.entry.repeat, &entry.repeat)]
                    {
                        let agree = match (&*a, b) {
                            (Some(a), Some(b)) => state.facts.eq(a, b) == Truth::Yes,
                            (None, None) => true,
                            _ => false,
                        };
                        if !agree {
                            *a = None;
                        }
                    }
                }
                None => self.gathered.push(GatheredFormula { entry, holds_in: vec![index] }),
            }
        }
    }

    /// The pairs of calls of a path whose messages are those that the formulas of another path give for it. These are noted to hold.
    fn said_before(&mut self, index: usize) -> Vec<(SiteId, SiteId)> {
        let state = self.ends[index];
        let exchanged = &state.clients.topology.exchanged;
        // Functions in the formulas of others, of numbers that are known here.
        let mut facts = state.facts.clone();
        let np = state.facts.constant(&Linear::np()).filter(|&np| !self.products && np <= ENUMERATED);
        if let Some(np) = np {
            facts = Constraints::new();
            if facts.assume_eq(&Linear::np(), &np.into()).is_none() {
                return Vec::new();
            }
        }
        if arithmetic::fold(&self.engine.symbols, &mut facts).is_none() {
            return Vec::new();
        }
        let shown: Vec<Exchanged> = match np {
            Some(_) => Vec::new(),
            None => exchanged.iter().map(|entry| self.presentable(entry, &state.facts)).collect(),
        };
        let mut calls: Vec<(SiteId, SiteId)> = exchanged.iter().map(|e| (e.send, e.recv)).collect();
        calls.sort_unstable();
        calls.dedup();
        calls.retain(|&call| {
            let of = |entry: &&Exchanged| (entry.send, entry.recv) == call;
            let here: Vec<&Exchanged> = shown.iter().filter(of).collect();
            let messages_here = np.map(|_| messages(self.engine, exchanged.iter().filter(of), &state.facts));
            let said_by = |formulas: &[usize]| {
                let entries = || formulas.iter().map(|&f| &self.exchanged[f].entry);
                match &messages_here {
                    Some(here) => here.is_some() && messages(self.engine, entries(), &facts) == *here,
                    None => covers(&entries().collect::<Vec<_>>(), &here, &facts),
                }
            };
            let there = self.formulas_of(call).into_iter().find(|formulas| said_by(formulas));
            for &formula in there.iter().flatten() {
                self.exchanged[formula].holds_in.push(index);
            }
            there.is_some()
        });
        calls
    }

    /// The formulas of a pair of calls that hold together on the paths so far: each set once, that of the first path first.
    fn formulas_of(&self, call: (SiteId, SiteId)) -> Vec<Vec<usize>> {
        let mut on_path: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, formula) in self.exchanged.iter().enumerate() {
            if (formula.entry.send, formula.entry.recv) == call {
                formula.holds_in.iter().for_each(|&path| on_path.entry(path).or_default().push(index));
            }
        }
        let mut seen = FxHashSet::default();
        on_path.into_values().filter(|formulas| seen.insert(formulas.clone())).collect()
    }

    fn presentable(&self, entry: &Exchanged, facts: &Constraints) -> Exchanged {
        // What holds for one great number of processes is told in its terms, as for others.
        let great = facts.constant(&Linear::np()).is_some_and(|np| ENUMERATED < np);
        let is_told = |value: &Linear| {
            let symbols = &self.engine.symbols;
            value.symbols().all(|s| symbols.is_stable(s) && symbols.is_quantity(s))
        };
        let show = |value: &Linear| match value {
            told if great && is_told(told) => told.clone(),
            value => self.engine.presentable(value, facts),
        };
        let mut shown = entry.clone();
        shown.relation = entry.relation.map_bounds(show);
        shown.tag = entry.tag.as_ref().map(show);
        shown.count = entry.count.as_ref().map(show);
        let stable = |value: &Linear| value.symbols().all(|s| self.engine.symbols.is_stable(s));
        shown.repeat = entry.repeat.as_ref().map(show).filter(stable);
        shown
    }

    /// How many paths there are.
    pub(crate) fn paths(&self) -> usize {
        self.ends.len()
    }

    /// Whether a formula is proved to give no messages on a path.
    pub(crate) fn gives_none_on(&self, formula: &Formula, path: usize) -> bool {
        gives_none(formula, &self.ends[path].facts)
    }

    /// Whether something holds on all paths of the process counts for which it is said to hold, or is `empty` there.
    pub(crate) fn happens(
        &self,
        holds_in: &[usize],
        empty: impl Fn(&Constraints) -> bool,
        condition: Option<&Condition>,
    ) -> bool {
        let Some(Condition::Np(np)) = condition else { return condition.is_none() };
        (0..self.ends.len()).all(|path| {
            holds_in.contains(&path) || !np.meets(&self.np[path]) || empty(&self.ends[path].facts)
        })
    }

    /// When something holds that holds on some paths, and on others is `empty` anyway.
    pub(crate) fn holds(
        &self,
        holds_in: &[usize],
        empty: impl Fn(&Constraints) -> bool,
    ) -> Option<Condition> {
        let possible: Vec<usize> =
            (0..self.ends.len()).filter(|i| holds_in.contains(i) || !empty(&self.ends[*i].facts)).collect();
        if possible.len() == holds_in.len() { None } else { self.np_of(holds_in, &possible) }
    }

    /// For which process counts something holds that holds on these of the possible paths.
    fn np_of(&self, holds_in: &[usize], possible: &[usize]) -> Option<Condition> {
        let union = |paths: &[usize]| {
            Counts::union_of(&paths.iter().map(|&i| self.np[i].clone()).collect::<Vec<_>>())
        };
        let (np, all) = (union(holds_in), union(possible));
        // For which products there is no form, nor for some others.
        if np == all || self.products || np.is_vague() {
            return Some(Condition::Input);
        }
        // Of the numbers for which there is an answer, all from one on.
        let least = np.least()?;
        let before = |other: &Counts| other.most().is_some_and(|most| most < least);
        let from_there = (0..self.ends.len()).all(|i| holds_in.contains(&i) || before(&self.np[i]));
        Some(Condition::Np(if from_there { Counts::from(least)? } else { np }))
    }
}

/// Whether a formula is proved to give no messages: a path says the same by having none.
pub(crate) fn gives_none(formula: &Formula, facts: &Constraints) -> bool {
    let empty = |range: &Range| range.nonempty(facts) == Truth::No;
    formula.entry.relation.links().iter().any(|link| empty(&link.senders) || empty(&link.receivers))
        || is_never(&formula.entry.repeat, facts)
}

/// Whether a number of times is proved not to be positive.
pub(crate) fn is_never(repeat: &Option<Linear>, facts: &Constraints) -> bool {
    repeat.as_ref().is_some_and(|repeat| facts.le(repeat, &Linear::zero()) == Truth::Yes)
}

/// Whether the same processes see a communicator each from where they stand.
fn same_slices(a: &Gathered, b: &Gathered, facts: &Constraints) -> bool {
    match (&a.slices, &b.slices) {
        (Some(a), Some(b)) => a == b || (a.within(b, facts) && b.within(a, facts)),
        (None, None) => true,
        _ => false,
    }
}

fn same_channel(a: &Exchanged, b: &Exchanged, facts: &Constraints) -> bool {
    a.send == b.send
        && a.recv == b.recv
        && a.communicator == b.communicator
        && a.datatype == b.datatype
        && a.relation.layout() == b.relation.layout()
        && a.relation.permutation() == b.relation.permutation()
        && a.relation.links().iter().zip(b.relation.links()).all(|(a, b)| {
            a.senders.same(&b.senders, facts)
                && a.receivers.same(&b.receivers, facts)
                // On a single pair all pairings are the same.
                && (a.pairing == b.pairing && a.same_distances(b, facts) || b.pairing == Pairing::Single)
        })
}

pub(crate) fn agree_on(a: &Linear, b: &Linear, relation: &Relation, facts: &Constraints) -> bool {
    if a == b {
        return true;
    }
    let side = relation.receivers();
    let distance = relation.as_link().and_then(Link::distances);
    let distance = distance.and_then(|d| d.as_single(facts).cloned());
    let settle = |value: &Linear| {
        let told = distance.as_ref().and_then(|distance| value.substitute(Symbol::DISTANCE, distance));
        side.settle(told.as_ref().unwrap_or(value), facts)
    };
    let (a, b) = (settle(a), settle(b));
    a.sub(&b).is_some_and(|d| d.is_uniform()) && facts.eq(&a, &b) == Truth::Yes
}

/// Of how many symbols an upper bound is known.
fn limited(symbols: &BTreeSet<Symbol>, facts: &Constraints) -> usize {
    symbols.iter().filter(|&&symbol| facts.upper_bound(&symbol.into()).is_some()).count()
}

/// Greatest number of processes of which a path is compared with others message by message.
const ENUMERATED: i64 = 64;
