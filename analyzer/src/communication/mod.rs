//! What the communication model says of a program, for any number of processes (crates `extraction` and `model`).
//!
//! It is asked where the engine of this crate has no answer for any number of processes. What it answers is compared with each
//! exploration of a fixed number that there is.

mod compare;
mod told;

use std::collections::BTreeMap;

use effort::Budget;
use extraction::{CallSite, Extracted, extract};
use frontend::program::Program;
use model::{How, Matching};
use presburger::{Context, Instance as Point, Relation};

use crate::engine::cartesian::dimension_value;
use crate::results::{Instance, SourceRange};

/// Units of work that an operation of integer sets counts as.
const UNITS: u64 = 10;
/// Operations of integer sets for following a program, at most.
const EXTRACTION: u64 = 5_000_000;
/// Operations for each question about it, at most.
const OPERATIONS: u64 = 10_000_000;
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
    found: Extracted,
    matching: Matching,
    /// Collective calls that are made together.
    together: Relation,
    /// Whether it is shown that no send has to be buffered.
    is_unbuffered: bool,
    context: Context,
}

/// The answer of the model, if it has one.
#[must_use]
pub fn decided<'p>(program: &'p Program, budget: Budget) -> Option<Decided<'p>> {
    let context = Context::with_budget(EXTRACTION.min(budget.left() / UNITS)).ok()?;
    let found = extract(program, &context);
    let spent = context.operations();
    effort::spend(spent.saturating_mul(UNITS));
    context.set_budget(Some(OPERATIONS.min(budget.left() / UNITS)));
    let answer = answer(program, &context, found.ok()?);
    effort::spend(context.operations().saturating_sub(spent).saturating_mul(UNITS));
    answer
}

fn answer<'p>(program: &'p Program, context: &Context, found: Extracted) -> Option<Decided<'p>> {
    let of_program = &found.program;
    let matching = of_program.matching().ok()?;
    let together = of_program.collectives().ok()??;
    if !matching.is_whole().ok()? || !is_told_by_calls(&matching).ok()? {
        return None;
    }
    of_program.clock(&matching, &together, false).ok()??;
    // That it is not shown in time says nothing.
    let is_unbuffered = matches!(of_program.clock(&matching, &together, true), Ok(Some(_)));
    Some(Decided { program, found, matching, together, is_unbuffered, context: context.clone() })
}

/// Whether it is certain which calls exchange messages: where any order of receives is possible, the sends can meet one call only.
fn is_told_by_calls(matching: &Matching) -> model::Result<bool> {
    if matching.how != How::AnyOrder {
        return Ok(true);
    }
    let mut taken: Vec<(presburger::Set, String)> = Vec::new();
    for (_, to, meets) in matching.candidates.parts()? {
        let sends = meets.domain()?;
        for (others, receive) in &taken {
            if *receive != to.name && !others.is_disjoint(&sends)? {
                return Ok(false);
            }
        }
        taken.push((sends, to.name));
    }
    Ok(true)
}

impl<'p> Decided<'p> {
    /// Whether it is shown that no send has to be buffered (MPI-4.1 section 3.4).
    #[must_use]
    pub fn is_unbuffered(&self) -> bool {
        self.is_unbuffered
    }

    /// The least number of processes that the answer is for.
    #[must_use]
    pub fn least(&self) -> u64 {
        u64::try_from(self.found.least).unwrap_or(1)
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
        self.context.set_budget(Some(OPERATIONS));
        let done = act();
        effort::spend(self.context.operations().saturating_sub(before).saturating_mul(UNITS));
        done
    }

    /// The parameters at this number of processes. `None` where others are possible, too: where they depend on input.
    fn values(&self, np: u64) -> Option<BTreeMap<String, i64>> {
        let program = &self.found.program;
        let np = i64::try_from(np).ok()?;
        if program.has_options() {
            return None;
        }
        let mut others = BTreeMap::new();
        let mut open: Option<String> = None;
        let digits = self.found.digits.as_ref();
        for parameter in program.known().parameters().ok()? {
            let is_count = match digits {
                Some(digits) => digits.count.contains(&parameter),
                None => parameter == NP,
            };
            if is_count {
                continue;
            }
            let name = self.found.names.get(&parameter)?;
            if let Some(value) = name.strip_suffix("(np)").and_then(|name| dimension_value(name, np)) {
                others.insert(parameter, value);
            } else if open.replace(parameter).is_some() {
                return None;
            }
        }
        let is_possible = |others: &BTreeMap<String, i64>| -> Option<bool> {
            let values = self.found.values(np, others);
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
        is_possible(&others)?.then(|| self.found.values(np, &others))
    }

    fn rank(&self, process: &Point, values: &BTreeMap<String, i64>) -> Option<u64> {
        u64::try_from(self.found.rank(&process.coordinates, values)?).ok()
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
