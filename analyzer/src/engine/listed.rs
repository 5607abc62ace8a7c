//! The messages at several numbers of processes, out of one analysis: what a picture for each of them is drawn from.

use std::rc::Rc;

use effort::Budget;

use super::exploration::{asked, explore_with};
use super::groundwork::Groundwork;
use super::instance::instance;
use super::{Exploration, NpChoice, Options};
use crate::results::Instance;

/// Beyond this, no number of processes is explored only to list its messages.
const LARGEST_EXPLORED: u64 = 8;

/// One exploration that only lists messages has this part of what is left of the budget: a picture is not worth more.
const PART: u64 = 16;

/// Largest number of processes that is explored for numbers that the general answer leaves open, where it is asked for alone.
const LARGEST_COMPLETED: u64 = 16;

/// An instance of a general answer, or that of an exploration of its number of processes where this knows numbers which the general one
/// leaves open.
pub(super) fn completed(
    ground: &Rc<Groundwork<'_>>,
    general: Option<Instance>,
    np: u64,
    options: &Options,
    budget: Budget,
) -> Option<Instance> {
    if LARGEST_COMPLETED < np || budget.is_spent() {
        return general;
    }
    more_complete(general, || {
        let run = explore_with(asked(ground, Some(np), options), budget);
        run.is_complete().then(|| instance(&run, np)).flatten()
    })
}

/// The general instance, or what an exploration gives where that leaves less open.
fn more_complete(general: Option<Instance>, explore: impl FnOnce() -> Option<Instance>) -> Option<Instance> {
    let open = general.as_ref().map_or(usize::MAX, Instance::open);
    let explored = if open == 0 { None } else { explore() };
    explored.filter(|explored| explored.open() < open).or(general)
}

/// Explorations that only list messages: where one does not come to its end, none of more processes is begun.
struct Explorer<'a, 'p> {
    ground: &'a Rc<Groundwork<'p>>,
    options: &'a Options,
    budget: Budget,
    /// From so many processes on no exploration comes to its end.
    too_many: u64,
}

impl Explorer<'_, '_> {
    /// The messages at a number of processes.
    fn instance(&mut self, np: u64) -> Option<Instance> {
        if self.too_many <= np || self.budget.is_spent() {
            return None;
        }
        let part = self.budget.at_most(self.budget.left() / PART);
        let run = explore_with(asked(self.ground, Some(np), self.options), part);
        if !run.is_complete() {
            self.too_many = np;
            return None;
        }
        instance(&run, np)
    }
}

/// Those of an answer that holds from `first` processes on.
pub(super) fn symbolic(
    ground: &Rc<Groundwork<'_>>,
    exploration: &Exploration<'_>,
    first: i64,
    options: &Options,
    budget: Budget,
) -> Vec<Instance> {
    let mut explorer = Explorer { ground, options, budget, too_many: LARGEST_EXPLORED + 1 };
    let holds = |np: &&u64| i64::try_from(**np).is_ok_and(|np| first <= np);
    let in_time = |_: &&u64| !budget.is_spent();
    let numbers = options.instances.iter().filter(holds).take_while(in_time);
    let listed = |&np: &u64| {
        let general = instance(exploration, np)?;
        more_complete(Some(general), || explorer.instance(np))
    };
    numbers.filter_map(listed).collect()
}

/// Those of numbers of processes that have been explored to their ends, and of small ones that are explored for it.
pub(super) fn bounded(
    ground: &Rc<Groundwork<'_>>,
    explored: &[(u64, Exploration<'_>)],
    options: &Options,
    budget: Budget,
) -> Vec<Instance> {
    let cut = explored.iter().filter(|(_, run)| !run.is_complete()).map(|(np, _)| *np).min();
    let most = if options.np == NpChoice::Any { LARGEST_EXPLORED } else { 0 };
    let too_many = cut.map_or(most + 1, |cut| cut.min(most + 1));
    let mut explorer = Explorer { ground, options, budget, too_many };
    let listed = |&np: &u64| match explored.iter().find(|(n, _)| *n == np) {
        Some((_, run)) => run.is_complete().then(|| instance(run, np)).flatten(),
        None => explorer.instance(np),
    };
    options.instances.iter().filter_map(listed).collect()
}
