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
    let open = general.as_ref().map_or(usize::MAX, Instance::open);
    if open == 0 || LARGEST_COMPLETED < np || budget.is_spent() {
        return general;
    }
    let run = explore_with(asked(ground, Some(np), options), budget);
    let explored = run.is_complete().then(|| instance(&run, np)).flatten();
    explored.filter(|explored| explored.open() < open).or(general)
}

/// Those of an answer that holds from `first` processes on. Where an exploration does not come to its end, none of more processes is
/// begun.
pub(super) fn symbolic(
    ground: &Rc<Groundwork<'_>>,
    exploration: &Exploration<'_>,
    first: i64,
    options: &Options,
    budget: Budget,
) -> Vec<Instance> {
    let holds = |np: &&u64| i64::try_from(**np).is_ok_and(|np| first <= np);
    let mut explores = true;
    let mut listed = Vec::new();
    for &np in options.instances.iter().filter(holds) {
        if budget.is_spent() {
            break;
        }
        let Some(general) = instance(exploration, np) else { continue };
        if general.open() == 0 || LARGEST_EXPLORED < np || !explores {
            listed.push(general);
            continue;
        }
        let run = explore_with(asked(ground, Some(np), options), budget.at_most(budget.left() / PART));
        explores = run.is_complete();
        let explored = explores.then(|| instance(&run, np)).flatten();
        listed.push(explored.filter(|explored| explored.open() < general.open()).unwrap_or(general));
    }
    listed
}

/// Those of numbers of processes that have been explored to their ends, and of small ones that are explored for it, unless fewer
/// processes were too many for that.
pub(super) fn bounded(
    ground: &Rc<Groundwork<'_>>,
    explored: &[(u64, Exploration<'_>)],
    options: &Options,
    budget: Budget,
) -> Vec<Instance> {
    let cut = |(np, run): &(u64, Exploration<'_>)| (!run.is_complete()).then_some(*np);
    let mut too_many = explored.iter().filter_map(cut).min();
    let mut listed = Vec::new();
    for &np in &options.instances {
        let known = explored.iter().find(|(n, _)| *n == np);
        if let Some((_, run)) = known {
            listed.extend(run.is_complete().then(|| instance(run, np)).flatten());
        } else if options.np == NpChoice::Any
            && np <= LARGEST_EXPLORED
            && too_many.is_none_or(|many| np < many)
            && !budget.is_spent()
        {
            let run = explore_with(asked(ground, Some(np), options), budget.at_most(budget.left() / PART));
            if run.is_complete() {
                listed.extend(instance(&run, np));
            } else {
                too_many = Some(np);
            }
        }
    }
    listed
}
