//! Sums over the rounds of a loop, such as the number of those in which a condition holds.
//!
//! A sum is guessed, as an affine expression on each part of the rounds in which the same is added, from loops with few processes. Whoever
//! claims it checks it: after each round it is what it was before, and what the round adds.

use std::collections::{BTreeMap, BTreeSet};

use model::Digits;
use presburger::{Instance, Relation, Set};

use crate::error::Result;
use crate::extract::Extractor;
use crate::form::{Atom, Bound, Form};
use crate::state::State;

/// Numbers of processes at which sums are looked at.
const SMALL: std::ops::RangeInclusive<i64> = 1..=7;
/// The same where ranks have digits: the highest digit of the number of processes, and the width of the others.
const SHAPES: [(i64, i64); 8] = [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (2, 2), (3, 3), (4, 2)];
/// Rounds that are looked at for one number of processes, at most.
const ROUNDS: usize = 400;
/// Parts of the rounds in which the same is added, at most.
const PARTS: usize = 12;
/// What ranks and rounds are divided by in an expression, if it is not affine itself.
const DIVISORS: [i64; 3] = [1, 2, 3];

impl Extractor<'_> {
    /// From rank and counters to the sum, after a round, of what rounds add. `None` where none is found.
    pub(crate) fn summed(
        &self,
        back: &State,
        step: &Form,
        closed: &BTreeMap<u32, Form>,
    ) -> Result<Option<Relation>> {
        let mut region = back.region.clone();
        let is_known = |form: &Form| {
            form.is_linear() && form.coordinates().all(|at| back.region.coordinates.contains(&at))
        };
        for (&at, form) in closed {
            if back.region.coordinates.contains(&at) && is_known(form) {
                let equal: Vec<Bound> =
                    Bound::equal(&Form::atom(Atom::Coordinate(at)), form).into_iter().collect();
                region = region.bounded(&equal, &self.parameters)?;
            }
        }
        let kept = self.kept();
        if !is_known(step) || !kept.iter().all(|at| region.coordinates.contains(at)) {
            return Ok(None);
        }
        let steps = region.relation("", &kept, std::slice::from_ref(step), &self.parameters)?;
        if !steps.is_single_valued()? {
            return Ok(None);
        }
        let Some(Samples { sums: samples, added }) = self.samples(&steps)? else { return Ok(None) };
        let mut parts: Vec<Set> = Vec::new();
        for number in &added {
            let number = Set::parse(&self.context, &format!("{{ [{number}] }}"))?;
            parts.extend(steps.intersect_range(&number)?.domain()?.coalesce()?.conjunctions()?);
        }
        if PARTS < parts.len() {
            return Ok(None);
        }
        // Rank 0, or whoever begins with something else, may have another sum: processes at an edge have.
        let names: Vec<String> = (0..kept.len()).map(|at| format!("c{at}")).collect();
        let (all, around) = (names.join(", "), names[..kept.len() - 1].join(", "));
        let first = Relation::parse(&self.context, &format!("{{ [{all}] -> [{around}, 0] }}"))?;
        let first = first.apply_range(&steps)?;
        let by_rank =
            ["c0 <= 0", "c0 >= 1"].map(|rank| Set::parse(&self.context, &format!("{{ [{all}] : {rank} }}")));
        let by_first = added.iter().map(|number| -> Result<Set> {
            let number = Set::parse(&self.context, &format!("{{ [{number}] }}"))?;
            Ok(first.intersect_range(&number)?.domain()?)
        });
        let mut ways = vec![parts.clone()];
        for apart in [
            by_rank.into_iter().collect::<std::result::Result<Vec<Set>, _>>()?,
            by_first.collect::<Result<_>>()?,
        ] {
            let mut way = Vec::new();
            for same in &apart {
                for part in &parts {
                    way.push(part.intersect(same)?);
                }
            }
            ways.push(way);
        }
        // By the remainders of rank and round.
        for divisor in &DIVISORS[1..] {
            let mut way = Vec::new();
            for (a, b) in (0..*divisor).flat_map(|a| (0..*divisor).map(move |b| (a, b))) {
                let last = &names[names.len() - 1];
                let rest = format!("{{ [{all}] : c0 mod {divisor} = {a} and {last} mod {divisor} = {b} }}");
                way.push(Set::parse(&self.context, &rest)?);
            }
            ways.push(way);
        }
        let mut known: Vec<(i64, Vec<Relation>)> = Vec::new();
        for divisor in DIVISORS {
            known.push((divisor, self.known_sums(&samples, kept.len(), divisor)?));
        }
        for parts in &ways {
            for (divisor, known) in &known {
                let guessed = self.guessed_sum(known, parts, kept.len(), *divisor)?;
                if guessed.is_single_valued()? && steps.domain()?.is_subset(&guessed.domain()?)? {
                    return Ok(Some(guessed.intersect_domain(&steps.domain()?)?));
                }
            }
        }
        Ok(None)
    }

    /// Sums after rounds, for some choices of the parameters. `None` where there is no end of rounds.
    fn samples(&self, steps: &Relation) -> Result<Option<Samples>> {
        let mut samples = Vec::new();
        let mut added = BTreeSet::new();
        let choices: Vec<BTreeMap<String, i64>> = match self.has_digits() {
            true => self.shapes(steps)?,
            false => SMALL.map(|np| self.choice(steps, np)).collect::<Result<_>>()?,
        };
        for values in choices {
            let Ok(pairs) = steps.fix_parameters(&values)?.pairs(ROUNDS) else { return Ok(None) };
            let mut all: Vec<(Vec<i64>, i64)> = pairs
                .into_iter()
                .filter_map(|pair| Some((pair.from.coordinates, *pair.to.coordinates.first()?)))
                .collect();
            all.sort_unstable();
            let mut sums: Vec<(Instance, i64)> = Vec::new();
            let mut last: Option<(Vec<i64>, i64)> = None;
            for (round, step) in all {
                let (number, around) =
                    round.split_last().map_or((0, &[][..]), |(number, around)| (*number, around));
                let before = match &last {
                    Some((before, sum)) if number > 0 => {
                        let is_next =
                            before.split_last().is_some_and(|(n, a)| *n + 1 == number && a == around);
                        if is_next { *sum } else { return Ok(None) }
                    }
                    _ if number == 0 => 0,
                    _ => return Ok(None),
                };
                let Some(sum) = before.checked_add(step) else { return Ok(None) };
                added.insert(step);
                if PARTS < added.len() {
                    return Ok(None);
                }
                sums.push((Instance { name: String::new(), coordinates: round.clone() }, sum));
                last = Some((round, sum));
            }
            samples.push((values, sums));
        }
        Ok(Some(Samples { sums: samples, added }))
    }

    /// Values of the parameters of a relation: small widths of digits, and a small highest digit of the number of processes.
    fn shapes(&self, relation: &Relation) -> Result<Vec<BTreeMap<String, i64>>> {
        let Some(Digits { widths, count }) = self.digits() else { return Ok(Vec::new()) };
        let known: BTreeSet<String> = relation.parameters()?.into_iter().collect();
        let domain = relation.domain()?;
        let mut all = Vec::new();
        for (highest, width) in SHAPES {
            let mut values: BTreeMap<String, i64> = widths.iter().map(|name| (name.clone(), width)).collect();
            values.extend(count.first().map(|name| (name.clone(), highest)));
            values.retain(|name, _| known.contains(name));
            if let Some(point) = domain.fix_parameters(&values)?.sample()? {
                values.extend(point.parameters);
                all.push(values);
            }
        }
        Ok(all)
    }

    /// Sums after rounds with few processes: from rank and counters to the sum, and the quotients of rank and round.
    fn known_sums(&self, samples: &[Sums], length: usize, divisor: i64) -> Result<Vec<Relation>> {
        let mut known = Vec::new();
        for (values, sums) in samples {
            let to: Vec<Instance> = sums
                .iter()
                .map(|(from, sum)| {
                    let quotient = |at: usize| from.coordinates[at].div_euclid(divisor);
                    let coordinates = vec![*sum, quotient(0), quotient(length - 1)];
                    Instance { name: String::new(), coordinates }
                })
                .collect();
            let pairs = sums.iter().map(|(from, _)| from).zip(&to);
            known.push(Relation::listed(&self.context, values, pairs)?);
        }
        Ok(known)
    }

    /// Affine expressions over rank, counters, and the quotients of rank and round.
    fn guessed_sum(
        &self,
        known: &[Relation],
        parts: &[Set],
        length: usize,
        divisor: i64,
    ) -> Result<Relation> {
        let context = &self.context;
        let names: Vec<String> = (0..length).map(|at| format!("c{at}")).collect();
        let (all, round) = (names.join(", "), &names[length - 1]);
        let exact = format!("{{ [{all}] -> [s, floor(c0/{divisor}), floor({round}/{divisor})] }}");
        let exact = Relation::parse(context, &exact)?;
        let mut guessed = Relation::empty(context)?;
        for part in parts {
            let mut seen = Relation::empty(context)?;
            for some in known {
                let some = some.intersect_domain(part)?;
                if !some.is_empty()? {
                    seen = seen.union(&some)?.affine_hull()?;
                }
            }
            let of_part = seen.intersect(&exact)?.project_out_range(1..3)?;
            guessed = guessed.union(&of_part.intersect_domain(part)?)?;
        }
        Ok(guessed.coalesce()?)
    }
}

/// Loops with few processes.
struct Samples {
    sums: Vec<Sums>,
    /// What rounds add.
    added: BTreeSet<i64>,
}

/// A choice of the parameters, and sums after rounds.
type Sums = (BTreeMap<String, i64>, Vec<(Instance, i64)>);

/// From rank and counters to a sum before the round, out of what it is after each: nothing before the first one.
pub(crate) fn before_round(after: &Relation, length: usize) -> Result<Relation> {
    let names: Vec<String> = (0..length).map(|at| format!("c{at}")).collect();
    let (around, round) = (&names[..length - 1], &names[length - 1]);
    let (all, around) = (names.join(", "), around.join(", "));
    let separator = if around.is_empty() { "" } else { ", " };
    let context = after.context();
    let earlier = format!("{{ [{all}] -> [{around}{separator}{round} - 1] : {round} >= 1 }}");
    let first = format!("{{ [{around}{separator}0] -> [0] }}");
    Ok(Relation::parse(context, &earlier)?.apply_range(after)?.union(&Relation::parse(context, &first)?)?)
}
