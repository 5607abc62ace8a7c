//! What the communication model says of a program, for any number of processes (crates `extraction` and `model`).
//!
//! It is asked where the engine of this crate has no answer for any number of processes. What it answers is compared with each
//! exploration of a fixed number that there is.

mod compare;
mod lengths;
mod told;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use lengths::TooLong;

use effort::Budget;
use extraction::{CallSite, Multiples, Section, decide};
use frontend::program::Program;
use presburger::{Context, Instance as Point, Relation};

use crate::engine::cartesian::dimension_value;
use crate::results::{Instance, SourceRange};

/// Units of work that an operation of integer sets counts as.
const UNITS: u64 = 10;
/// Operations of integer sets for following a program, at most.
const FOLLOWING: u64 = 5_000_000;
/// Operations for following it in other ways, where ranks have digits, at most.
const FOLLOWING_AGAIN: u64 = 10_000_000;
/// Operations for questions about it, at most.
const QUESTIONS: u64 = 10_000_000;
/// Messages that are listed, at most.
const MESSAGES: usize = 20_000;
/// Widths of digits that are tried, at most.
const WIDEST: i64 = 2_000;
/// The parameter that is the number of processes.
const NP: &str = "np";

/// A program that the model has an answer for: every send meets one receive, all agree on collective operations, and nobody waits for
/// ever.
pub struct Decided<'p> {
    program: &'p Program,
    /// Its parts, one after the other.
    sections: Vec<Section>,
    context: Context,
}

/// A part of a program, with what is asked about it.
#[derive(Clone, Copy)]
struct Part<'a> {
    program: &'a Program,
    section: &'a Section,
}

/// The answer of the model, if it has one.
#[must_use]
pub fn decided<'p>(program: &'p Program, budget: Budget) -> Option<Decided<'p>> {
    let context = Context::with_budget(FOLLOWING.min(budget.left() / UNITS)).ok()?;
    let left = budget.left() / UNITS;
    let sections = decide(program, &context, FOLLOWING_AGAIN.min(left), QUESTIONS.min(left));
    effort::spend(context.operations().saturating_mul(UNITS));
    Some(Decided { program, sections: sections.ok()?, context })
}

impl<'p> Decided<'p> {
    /// Whether it is shown that no send has to be buffered (MPI-4.1 section 3.4).
    #[must_use]
    pub fn is_unbuffered(&self) -> bool {
        self.sections.iter().all(|section| section.is_unbuffered)
    }

    /// The least number of processes that the answer is for.
    #[must_use]
    pub fn least(&self) -> u64 {
        let least = self.sections.iter().map(|section| section.found.least).max().unwrap_or(1);
        u64::try_from(least).unwrap_or(1)
    }

    /// Where this contradicts an exploration of a fixed number of processes: both, as text.
    ///
    /// # Errors
    ///
    /// The contradiction.
    pub fn compare(&self, explored: &Instance) -> Result<(), String> {
        match (self.instance(explored.np), self.topology()) {
            (Some(said), _) => compare::instances(&said, explored),
            (None, Some(topology)) => compare::sites(&topology, explored),
            (None, None) => Ok(()),
        }
    }

    /// Does something with integer sets that has a budget of its own; what it takes counts as work.
    fn counted<T>(&self, act: impl FnOnce() -> Option<T>) -> Option<T> {
        let before = self.context.operations();
        self.context.set_budget(Some(QUESTIONS));
        let done = act();
        effort::spend(self.context.operations().saturating_sub(before).saturating_mul(UNITS));
        done
    }

    fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.sections.iter().map(|section| Part { program: self.program, section })
    }
}

impl Part<'_> {
    /// All choices of the parameters at this number of processes: one, and one for each round of loops that are described for any round.
    /// `None` where others are possible, too: where they depend on input.
    fn choices(&self, np: u64) -> Option<Vec<Choice>> {
        let Some(part) = &self.section.part_of else { return self.choices_of(np) };
        let np = BTreeMap::from([(NP.to_owned(), i64::try_from(np).ok()?)]);
        let places = part.places.as_ref()?.fix_parameters(&np).ok()?;
        // The ranks in each communicator, by the numbers that tell it.
        let mut classes: BTreeMap<Vec<i64>, BTreeMap<i64, u64>> = BTreeMap::new();
        for pair in places.pairs(MESSAGES).ok()? {
            let ([world], Some((rank, class))) =
                (&pair.from.coordinates[..], pair.to.coordinates.split_last())
            else {
                return None;
            };
            classes.entry(class.to_vec()).or_default().insert(*rank, u64::try_from(*world).ok()?);
        }
        let mut all = Vec::new();
        for ranks in classes.into_values() {
            let size = u64::try_from(ranks.len()).ok()?;
            let choices = self.choices_of(size)?;
            all.extend(choices.into_iter().map(|choice| Choice { ranks: Some(ranks.clone()), ..choice }));
        }
        Some(all)
    }

    /// The same for the processes that the section is about.
    fn choices_of(&self, np: u64) -> Option<Vec<Choice>> {
        let found = &self.section.found;
        let np = i64::try_from(np).ok()?;
        let in_rounds: Vec<&Multiples> = found.multiplied.iter().filter(|of| of.rounds.is_some()).collect();
        let of_part =
            |part: usize| in_rounds.iter().find(|of| of.rounds.as_ref().is_some_and(|(own, _)| *own == part));
        let mut used: BTreeSet<usize> = BTreeSet::new();
        for operation in found.program.operations() {
            match operation.options.as_slice() {
                [] => {}
                [option] if of_part(option.part).is_some() => {
                    used.insert(option.part);
                }
                _ => return None,
            }
        }
        let mut known: BTreeMap<String, i64> = BTreeMap::new();
        for of in &in_rounds {
            known.insert(of.parameter.clone(), of.first);
            known.extend(of.rounds.iter().map(|(_, round)| (round.clone(), 0)));
        }
        let written: BTreeSet<&String> = found.written.values().flatten().collect();
        let (mut last, mut open) = (Vec::new(), None);
        for parameter in found.program.known().parameters().ok()? {
            let is_count = match &found.digits {
                Some(digits) => digits.count.contains(&parameter),
                None => parameter == NP,
            };
            if is_count || known.contains_key(&parameter) || written.contains(&parameter) {
                continue;
            }
            if let Some(of) = found.multiplied.iter().find(|of| of.parameter == parameter) {
                last.push(of);
                continue;
            }
            let name = found.names.get(&parameter)?;
            if let Some(value) = name.strip_suffix("(np)").and_then(|name| dimension_value(name, np)) {
                known.insert(parameter, value);
            } else if open.replace(parameter).is_some() {
                return None;
            }
        }
        for of in found.multiplied.iter().filter(|of| of.rounds.is_none()) {
            if found.written.contains_key(&of.parameter)
                && !last.iter().any(|other| other.parameter == of.parameter)
            {
                last.push(of);
            }
        }
        let mut all = vec![known];
        for of in last {
            let values = |before: &BTreeMap<String, i64>| -> Vec<BTreeMap<String, i64>> {
                multiples(of, np).map(|value| with(before, &of.parameter, value)).collect()
            };
            all = all.iter().flat_map(values).collect();
        }
        if let Some(open) = open {
            let values = |before: &BTreeMap<String, i64>| -> Vec<BTreeMap<String, i64>> {
                (0..=np.min(WIDEST)).map(|value| with(before, &open, value)).collect()
            };
            all = all.iter().flat_map(values).collect();
        }
        let mut possible = None;
        for others in all {
            if self.is_possible(np, &others)? && possible.replace(others).is_some() {
                return None;
            }
        }
        let base = possible?;
        let mut choices = vec![Choice { part: None, values: found.values(np, &base), ranks: None }];
        for part in used {
            let of = of_part(part)?;
            for (round, value) in (0..).zip(multiples(of, np)) {
                let mut others = with(&base, &of.parameter, value);
                others.extend(of.rounds.iter().map(|(_, name)| (name.clone(), round)));
                if self.is_possible(np, &others)? {
                    choices.push(Choice { part: Some(part), values: found.values(np, &others), ranks: None });
                }
            }
        }
        Some(choices)
    }

    fn is_possible(&self, np: i64, others: &BTreeMap<String, i64>) -> Option<bool> {
        let found = &self.section.found;
        let values = found.values(np, others);
        Some(!found.program.known().fix_parameters(&values).ok()?.is_empty().ok()?)
    }

    /// Whether a choice of the parameters is one for this operation.
    fn is_about(&self, choice: &Choice, operation: usize) -> bool {
        let options =
            self.section.found.program.operations().get(operation).map(|operation| &operation.options);
        options.is_some_and(|options| options.first().map(|option| option.part) == choice.part)
    }

    fn rank(&self, process: &Point, choice: &Choice) -> Option<u64> {
        choice.rank(self.section.found.rank(&process.coordinates, &choice.values)?)
    }

    fn range(&self, site: &CallSite) -> SourceRange {
        SourceRange::from(self.program.units[site.function.unit].locate(site.span))
    }

    /// The ranks that make calls at this number of processes, with how often.
    fn callers(&self, calls: &Relation, choices: &[Choice]) -> Option<BTreeMap<u64, i64>> {
        let mut callers = BTreeMap::new();
        for (rank, _) in self.calls(calls, choices)? {
            *callers.entry(rank).or_default() += 1;
        }
        Some(callers)
    }

    /// The first of the calls that each rank makes at this number of processes, in the order of the text.
    fn reached(&self, calls: &Relation, choices: &[Choice]) -> Option<BTreeMap<u64, usize>> {
        let mut first: BTreeMap<u64, usize> = BTreeMap::new();
        for (rank, call) in self.calls(calls, choices)? {
            let known = first.entry(rank).or_insert(call);
            *known = call.min(*known);
        }
        Some(first)
    }

    /// Calls at this number of processes: the rank and the operation of each.
    fn calls(&self, calls: &Relation, choices: &[Choice]) -> Option<Vec<(u64, usize)>> {
        let mut all = Vec::new();
        for choice in choices {
            for pair in calls.fix_parameters(&choice.values).ok()?.pairs(MESSAGES).ok()? {
                let call: usize = pair.to.name.get(1..)?.parse().ok()?;
                if self.is_about(choice, call) {
                    all.push((self.rank(&pair.from, choice)?, call));
                }
            }
        }
        Some(all)
    }

    /// The pairs of ranks of a relation at this number of processes.
    fn pairs(&self, relation: &Relation, choices: &[Choice]) -> Option<BTreeSet<(u64, u64)>> {
        let mut all = BTreeSet::new();
        for choice in choices {
            for pair in relation.fix_parameters(&choice.values).ok()?.pairs(MESSAGES).ok()? {
                all.insert((self.rank(&pair.from, choice)?, self.rank(&pair.to, choice)?));
            }
        }
        Some(all)
    }
}

/// A choice of the parameters: for what is in no loop that is described for any round, or for a round of this one.
struct Choice {
    part: Option<usize>,
    values: BTreeMap<String, i64>,
    /// Ranks in `MPI_COMM_WORLD`, by those in one communicator, where the section is about its processes.
    ranks: Option<BTreeMap<i64, u64>>,
}

impl Choice {
    /// A rank in `MPI_COMM_WORLD`.
    fn rank(&self, rank: i64) -> Option<u64> {
        match &self.ranks {
            Some(ranks) => ranks.get(&rank).copied(),
            None => u64::try_from(rank).ok(),
        }
    }
}

fn with(values: &BTreeMap<String, i64>, parameter: &str, value: i64) -> BTreeMap<String, i64> {
    let mut values = values.clone();
    values.insert(parameter.to_owned(), value);
    values
}

/// The numbers that a loop comes to by multiplication, somewhat further than there are processes.
fn multiples(of: &Multiples, np: i64) -> impl Iterator<Item = i64> {
    let factor = of.factor;
    let next = move |value: &i64| value.checked_mul(factor);
    std::iter::successors(Some(of.first), next).take_while(move |value| *value <= 4 * np.min(1 << 30))
}
