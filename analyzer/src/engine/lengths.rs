//! Lengths that are not proved to fit: how much is sent against how much there is room for, what the callers of a collective operation
//! name against each other, buffers against what calls do with them.
//!
//! A verdict is about who talks to whom; beside it stands whether all lengths were compared. Where a comparison has no outcome for any
//! number of processes, it mostly has one for each number, so that numbers at which the lengths may change are explored (`cross_check`).

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::{Span, Type, TypeId};
use frontend::mpi::{Class, CollectiveOp};
use frontend::program::{FunctionRef, Program};
use lattice::{Constraints, Linear, Range, Ranks, Symbol, Truth};

use super::Engine;
use super::findings::mentions_input;
use super::possible_np::possible_np;
use super::relation::Relation;
use super::state::State;
use crate::results::{Finding, Lengths};
use crate::rules::Rule;

/// Numbers of processes below which all are explored where lengths are open.
const SMALL: i64 = 12;

/// The greatest number of processes that is explored for the sake of lengths.
pub(super) const MOST: i64 = 64;

/// Pairs of processes in all that are explored for the sake of lengths: what an exploration costs grows at least with these.
const PAIRS: i64 = 12_000;

/// Where lengths were not compared, and why.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenLengths {
    all: BTreeMap<(FunctionRef, Span), String>,
}

impl OpenLengths {
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds what is open for other numbers of processes.
    pub(crate) fn add(&mut self, others: Self) {
        for (place, why) in others.all {
            self.all.entry(place).or_insert(why);
        }
    }

    /// Whether some place is here that is not in any of the others.
    pub(crate) fn has_more_than<'o>(&self, others: impl Iterator<Item = &'o Self> + Clone) -> bool {
        self.all.keys().any(|place| !others.clone().any(|other| other.all.contains_key(place)))
    }
}

/// How two amounts of bytes compare on a set of processes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fit {
    /// The first is at most the second, on all of them.
    Fits,
    /// The first is greater on these, where the constraints hold.
    TooLong(Ranks, Box<Constraints>),
    Open,
}

impl Engine<'_> {
    /// Notes that lengths at a place are not compared.
    pub(crate) fn leave_length_open(&mut self, state: &State, place: (FunctionRef, Span), why: String) {
        // A place that no path reaches needs no comparison.
        if !self.open_lengths.all.contains_key(&place) && possible_np(self, state).is_some() {
            self.open_lengths.all.insert(place, why);
        }
    }

    /// Whether one number is at most another on all of some processes.
    pub(crate) fn fit(&self, members: &Ranks, facts: &Constraints, one: &Linear, other: &Linear) -> Fit {
        let Some(gap) = one.sub(other).map(|gap| members.settle(&gap, facts)) else { return Fit::Open };
        let (least, most) = (members.minimise(&gap, facts), members.maximise(&gap, facts));
        if least.is_some_and(|least| facts.le(&1.into(), &least) == Truth::Yes) {
            return Fit::TooLong(members.clone(), Box::new(facts.clone()));
        }
        let Some(most) = most else { return Fit::Open };
        match facts.le(&1.into(), &most) {
            Truth::No => return Fit::Fits,
            Truth::Yes => {}
            // The number of processes decides: what is wrong is so for some of them.
            Truth::Open if most.terms().all(|(symbol, _)| symbol == Symbol::NP) => {}
            Truth::Open if self.is_left_open_by_checks(facts, &most) => {}
            Truth::Open => return Fit::Open,
        }
        let mut shown = facts.clone();
        if shown.assume_le(&1.into(), &most).is_none() || shown.le(&1.into(), &most) != Truth::Yes {
            return Fit::Open;
        }
        Fit::TooLong(part_above(members, &gap, &shown), Box::new(shown))
    }

    /// Whether a number is one input of the program, up to a factor and a constant, that the program has compared with constants alone,
    /// and these comparisons let it be greater than zero: then nothing else keeps it from being so.
    fn is_left_open_by_checks(&self, facts: &Constraints, number: &Linear) -> bool {
        let mut terms = number.terms();
        let (Some((symbol, _)), None) = (terms.next(), terms.next()) else { return false };
        !symbol.is_product()
            && self.symbols.is_input(symbol)
            && mentions_input(&self.symbols, number)
            && facts.beside(symbol).iter().all(|&other| other == symbol)
            && facts.upper_bound(number).is_some_and(|most| 0 < most)
    }

    /// What of a verdict's lengths is open, and what was found.
    pub(crate) fn lengths(&self, findings: &[Finding]) -> Lengths {
        self.lengths_of(&self.open_lengths, findings)
    }

    /// The same where this is open.
    pub(crate) fn lengths_of(&self, open: &OpenLengths, findings: &[Finding]) -> Lengths {
        // What was found says more than what is not known.
        let mut reasons: BTreeMap<(String, u32), String> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| is_about_length(finding.rule)) {
            let range = &finding.range;
            let entry = &self.program.units[self.program.entry.unit];
            let place = if *range.file == entry.path.to_string_lossy() {
                format!("line {}", range.line)
            } else {
                format!("{}:{}", range.file, range.line)
            };
            let reason = format!("{place}: {}", finding.rule.id());
            reasons.entry((range.file.clone(), range.line)).or_insert(reason);
        }
        for (&(function, span), why) in &open.all {
            let range = self.range_of(function.unit, span);
            let reason = format!("{}: {why}", self.line_of(function.unit, span));
            reasons.entry((range.file, range.line)).or_insert(reason);
        }
        if reasons.is_empty() { Lengths::Proved } else { Lengths::NotProved(reasons.into_values().collect()) }
    }

    /// Numbers of processes at which lengths may be others than at those that have been explored: small ones, and those near the numbers
    /// that the program names; ascending.
    pub(crate) fn telling_numbers(&self) -> Vec<u64> {
        let named = self.ground.thresholds.iter().flat_map(|&near| [Some(near), near.checked_add(1)]);
        let arrays = array_lengths(self.program, &self.ground.reachable);
        let arrays = arrays.into_iter().flat_map(|length| [-1, 0, 1, 2].map(|step| length.checked_add(step)));
        let mut numbers: Vec<i64> = (1..=SMALL).chain(named.flatten()).chain(arrays.flatten()).collect();
        numbers.retain(|np| (1..=MOST).contains(np));
        numbers.sort_unstable();
        numbers.dedup();
        let mut pairs = 0;
        let is_affordable = |np: &i64| {
            pairs += np * np;
            pairs <= PAIRS
        };
        numbers.into_iter().take_while(is_affordable).filter_map(|np| u64::try_from(np).ok()).collect()
    }
}

/// Lengths of the arrays that functions of a program declare, and of those that its units do, as far as these are small.
fn array_lengths(program: &Program, functions: &[FunctionRef]) -> BTreeSet<i64> {
    let mut lengths = BTreeSet::new();
    let mut note = |unit: usize, ty: TypeId| {
        if let Type::Array(_, Some(length)) = program.units[unit].types.get(ty)
            && let Ok(length) = i64::try_from(*length)
            && length <= MOST
        {
            lengths.insert(length);
        }
    };
    for &function in functions {
        program.function(function).locals.iter().for_each(|local| note(function.unit, local.ty));
    }
    for (index, unit) in program.units.iter().enumerate() {
        unit.globals.iter().for_each(|global| note(index, global.ty));
    }
    lengths
}

/// Whether a rule says that lengths do not fit.
pub(crate) fn is_about_length(rule: Rule) -> bool {
    matches!(rule, Rule::MessageTruncation | Rule::CountMismatch | Rule::BufferOverflow)
}

/// Whether a collective operation moves data of which the amounts have to be equal.
pub(crate) fn compares(class: Class) -> bool {
    matches!(class, Class::Collective { operation, .. } if operation != CollectiveOp::Barrier)
}

/// The members for which an expression is above zero, where they are a range of ranks of which one end moves; otherwise all of them.
fn part_above(members: &Ranks, gap: &Linear, facts: &Constraints) -> Ranks {
    let part = || {
        let Range { lo, hi } = members.as_range()?;
        let (slope, rest) = gap.by_symbol(Symbol::RANK)?;
        let (slope, rest) = (slope.as_constant()?, facts.constant(&rest)?);
        // slope * rank + rest >= 1
        let need = 1_i64.checked_sub(rest)?;
        let (lo, hi) = match slope {
            1.. => {
                let first = Linear::from(need.div_euclid(slope) + i64::from(need.rem_euclid(slope) != 0));
                let first = if facts.le(&first, lo) == Truth::Yes { lo.clone() } else { first };
                (first, hi.clone())
            }
            ..=-1 => {
                let last = Linear::from(need.checked_neg()?.div_euclid(slope.checked_neg()?));
                let last = if facts.le(hi, &last) == Truth::Yes { hi.clone() } else { last };
                (lo.clone(), last)
            }
            0 => return None,
        };
        let within = facts.le(&members.as_range()?.lo, &lo) == Truth::Yes
            && facts.le(&lo, &hi) == Truth::Yes
            && facts.le(&hi, &members.as_range()?.hi) == Truth::Yes;
        within.then(|| Ranks::from(Range { lo, hi }))
    };
    part().unwrap_or_else(|| members.clone())
}

/// Bounds of an amount that the senders of a relation name, over themselves, where a receiver has several of them.
pub(crate) fn ends_over_senders(
    relation: &Relation,
    amount: &Linear,
    facts: &Constraints,
) -> (Option<Linear>, Option<Linear>) {
    let senders = relation.senders();
    (senders.minimise(amount, facts), senders.maximise(amount, facts))
}
