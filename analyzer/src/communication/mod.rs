//! What the communication model says of a program, for any number of processes (crates `extraction` and `model`).
//!
//! It is asked where the engine of this crate has no answer for any number of processes. What it answers is compared with each
//! exploration of a fixed number that there is.

mod compare;
mod told;

use std::collections::BTreeMap;

use effort::Budget;
use extraction::{CallSite, Section, decide};
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
        match self.instance(explored.np) {
            Some(said) => compare::instances(&said, explored),
            None => Ok(()),
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
    /// The parameters at this number of processes. `None` where others are possible, too: where they depend on input.
    fn values(&self, np: u64) -> Option<BTreeMap<String, i64>> {
        let program = &self.section.found.program;
        let np = i64::try_from(np).ok()?;
        if program.has_options() {
            return None;
        }
        let mut others = BTreeMap::new();
        let mut open: Option<String> = None;
        let digits = self.section.found.digits.as_ref();
        for parameter in program.known().parameters().ok()? {
            let is_count = match digits {
                Some(digits) => digits.count.contains(&parameter),
                None => parameter == NP,
            };
            if is_count {
                continue;
            }
            let name = self.section.found.names.get(&parameter)?;
            if let Some(value) = name.strip_suffix("(np)").and_then(|name| dimension_value(name, np)) {
                others.insert(parameter, value);
            } else if open.replace(parameter).is_some() {
                return None;
            }
        }
        let is_possible = |others: &BTreeMap<String, i64>| -> Option<bool> {
            let values = self.section.found.values(np, others);
            Some(!program.known().fix_parameters(&values).ok()?.is_empty().ok()?)
        };
        if let Some(open) = open {
            let mut found = None;
            for value in (0..=np.min(WIDEST)).rev() {
                others.insert(open.clone(), value);
                if is_possible(&others)? && found.replace(value).is_some() {
                    return None;
                }
            }
            others.insert(open, found?);
        }
        is_possible(&others)?.then(|| self.section.found.values(np, &others))
    }

    fn rank(&self, process: &Point, values: &BTreeMap<String, i64>) -> Option<u64> {
        u64::try_from(self.section.found.rank(&process.coordinates, values)?).ok()
    }

    fn range(&self, site: &CallSite) -> SourceRange {
        SourceRange::from(self.program.units[site.function.unit].locate(site.span))
    }

    /// The ranks that make calls at this number of processes, with how often.
    fn callers(&self, calls: &Relation, np: u64) -> Option<BTreeMap<u64, i64>> {
        let mut callers = BTreeMap::new();
        let values = self.values(np)?;
        for pair in calls.fix_parameters(&values).ok()?.pairs(MESSAGES).ok()? {
            *callers.entry(self.rank(&pair.from, &values)?).or_default() += 1;
        }
        Some(callers)
    }

    /// The first of the calls that each rank makes at this number of processes, in the order of the text.
    fn reached(&self, calls: &Relation, np: u64) -> Option<BTreeMap<u64, usize>> {
        let mut first: BTreeMap<u64, usize> = BTreeMap::new();
        let values = self.values(np)?;
        for pair in calls.fix_parameters(&values).ok()?.pairs(MESSAGES).ok()? {
            let call = pair.to.name.get(1..)?.parse().ok()?;
            let known = first.entry(self.rank(&pair.from, &values)?).or_insert(call);
            *known = call.min(*known);
        }
        Some(first)
    }

    /// The pairs of ranks of a relation at this number of processes.
    fn pairs(&self, relation: &Relation, np: u64) -> Option<Vec<(u64, u64)>> {
        let values = self.values(np)?;
        let pairs = relation.fix_parameters(&values).ok()?.pairs(MESSAGES).ok()?;
        let rank = |point: &Point| self.rank(point, &values);
        pairs.into_iter().map(|pair| Some((rank(&pair.from)?, rank(&pair.to)?))).collect()
    }
}
