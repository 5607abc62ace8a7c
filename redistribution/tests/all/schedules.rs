//! Schedules are schedules, take as few steps as possible, and cost little.

use arbtest::arbitrary::{self, Unstructured};
use arbtest::arbtest;
use redistribution::bounds::{Bounds, bounds};
use redistribution::schedule::{best, best_of_steps, caterpillar, class_by_class, greedy, pareto, stepwise};
use redistribution::{Dimension, Grid, Message, Processes, Redistribution, Schedule};

use crate::exact;

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The bounds by definition: the most messages of at least each length.
fn bounds_by_definition(grid: &Grid) -> Bounds {
    let degree = |length: u64| {
        let long = || grid.messages().iter().filter(move |message| message.length >= length);
        let sent = (0..grid.senders()).map(|p| long().filter(|message| message.from == p).count());
        let received = (0..grid.receivers()).map(|q| long().filter(|message| message.to == q).count());
        sent.chain(received).max().unwrap_or(0)
    };
    let longest = grid.messages().iter().map(|message| message.length).max().unwrap_or(0);
    Bounds { number_of_steps: degree(1), total_cost: (1..=longest).map(|length| degree(length) as u64).sum() }
}

/// Everything that holds for all schedules of a grid.
fn check_all(grid: &Grid) {
    let bounds = bounds(grid);
    assert_eq!(bounds, bounds_by_definition(grid));
    let check = |schedule: &Schedule| {
        schedule.check(grid).unwrap();
        assert!(schedule.number_of_steps() >= bounds.number_of_steps);
        assert!(schedule.total_cost() >= bounds.total_cost);
    };
    check(&caterpillar(grid));
    check(&greedy(grid));
    let paper = stepwise(grid);
    check(&paper);
    assert_eq!(paper.number_of_steps(), bounds.number_of_steps);
    let ours = best(grid);
    check(&ours);
    assert_eq!(ours.number_of_steps(), bounds.number_of_steps);
    assert!(ours.total_cost() <= paper.total_cost(), "{ours:?}");
    if let Some(schedule) = class_by_class(grid) {
        check(&schedule);
        assert_eq!(schedule.number_of_steps(), bounds.number_of_steps, "Proposition 4");
        assert_eq!(schedule.total_cost(), bounds.total_cost, "Proposition 4");
    }
    let solutions = pareto(grid);
    assert!(!solutions.is_empty());
    for solution in &solutions {
        check(&solution.schedule);
        assert!(solution.lower_bound <= solution.schedule.total_cost());
        assert!(solution.lower_bound >= bounds.total_cost);
    }
    for pair in solutions.windows(2) {
        assert!(pair[0].schedule.number_of_steps() < pair[1].schedule.number_of_steps());
        assert!(pair[0].schedule.total_cost() > pair[1].schedule.total_cost());
    }
}

#[test]
fn small_parameters_reach_the_bounds_nearly_always() {
    let (mut instances, mut at_bound, mut ratios, mut proved) = (0, 0, 0.0, 0);
    let (mut compared, mut not_optimal) = (0, 0);
    for p in 2..=12 {
        for q in 2..=12 {
            for r in 1..=9 {
                for s in (1..=9).filter(|s| gcd(r, *s) == 1) {
                    let grid = Redistribution::cyclic(p, r, q, s).unwrap().grid().unwrap();
                    let bounds = bounds(&grid);
                    let solutions = pareto(&grid);
                    let first = &solutions[0];
                    for solution in &solutions {
                        solution.schedule.check(&grid).unwrap();
                        let (steps, cost) =
                            (solution.schedule.number_of_steps(), solution.schedule.total_cost());
                        assert!(solution.lower_bound <= cost, "{p},{r} to {q},{s}");
                        // The exact optimum, where that is soon found.
                        if grid.messages().len() <= 30
                            && let Some(least) = exact::least_cost(&grid, steps, 20_000)
                        {
                            assert!(
                                solution.lower_bound <= least,
                                "{p},{r} to {q},{s}: a bound that is wrong"
                            );
                            not_optimal += usize::from(cost != least);
                            compared += 1;
                        }
                    }
                    let cost = first.schedule.total_cost();
                    assert_eq!(first.schedule.number_of_steps(), bounds.number_of_steps);
                    assert!(cost <= stepwise(&grid).total_cost(), "{p},{r} to {q},{s}: stepwise is better");
                    instances += 1;
                    at_bound += usize::from(cost == bounds.total_cost);
                    proved += usize::from(cost == first.lower_bound);
                    ratios += cost as f64 / bounds.total_cost as f64;
                }
            }
        }
    }
    let mean = ratios / f64::from(instances);
    println!(
        "{instances} instances: {at_bound} at the threshold bound, mean {mean:.5}, {proved} proved optimal, {compared} compared, {not_optimal} not optimal"
    );
    assert_eq!(instances, 6655);
    assert!(at_bound * 100 >= 96 * instances as usize, "{at_bound}");
    assert!(mean <= 1.005, "{mean}");
    assert!(compared > 1000, "{compared}");
    assert!(not_optimal <= 2, "{not_optimal}");
}

fn arrays(u: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let mut dimensions = Vec::new();
    for _ in 0..u.int_in_range(1..=2)? {
        let [p, r, q, s] = [5, 6, 5, 6].map(|most| u.int_in_range(1..=most));
        let dimension = Dimension::cyclic(p?, r?, q?, s?).unwrap();
        let length = u.int_in_range(0..=2 * dimension.period())?;
        let dimension = if u.arbitrary()? { dimension } else { dimension.with_length(length).unwrap() };
        dimensions.push(dimension.with_starts(u.int_in_range(0..=20)?, u.int_in_range(0..=20)?).unwrap());
    }
    let processes = if u.arbitrary()? { Processes::Same } else { Processes::Disjoint };
    let redistribution = Redistribution::new(dimensions).unwrap().with_processes(processes);
    check_all(&redistribution.grid().unwrap());
    Ok(())
}

#[test]
fn arrays_of_any_length_and_processes_that_keep_a_part() {
    arbtest(arrays).budget_ms(4000);
}

/// Found with room for more steps than it takes: it costs less than what is found without.
#[test]
fn schedules_that_leave_steps_out_replace_those_of_as_many_steps() {
    arbtest(arrays).seed(0x19b4_d954_0000_016b);
}

#[test]
fn any_messages_at_all() {
    arbtest(|u| {
        let (senders, receivers) = (u.int_in_range(1..=7)?, u.int_in_range(1..=7)?);
        let mut messages = Vec::new();
        let longest = u.int_in_range(1..=6)?;
        for from in 0..senders {
            for to in 0..receivers {
                let length = u.int_in_range(0..=longest)?;
                messages.push(Message { from, to, length: if u.ratio(1, 3)? { 0 } else { length } });
            }
        }
        let grid = Grid::new(senders, receivers, messages);
        check_all(&grid);
        if grid.messages().len() <= 14 {
            for solution in pareto(&grid) {
                let steps = solution.schedule.number_of_steps();
                if let Some(least) = exact::least_cost(&grid, steps, 1_000_000) {
                    assert!(solution.lower_bound <= least);
                    assert!(least <= solution.schedule.total_cost());
                }
            }
        }
        Ok(())
    })
    .budget_ms(4000);
}

#[test]
fn skewed_grids_take_memory_for_their_messages_only() {
    // One receiver, a million senders: tables of senders times steps would have 10^12 entries.
    let grid = Redistribution::cyclic(1_000_000, 1, 1, 1).unwrap().grid().unwrap();
    assert_eq!(best(&grid).number_of_steps(), 1_000_000);
    // Without symmetry, in both directions.
    let star = |turned: bool| {
        let messages = (0..200_000).map(|leaf| {
            let (from, to) = if turned { (leaf, 0) } else { (0, leaf) };
            Message { from, to, length: u64::from(leaf) % 7 + 1 }
        });
        if turned { Grid::new(200_000, 1, messages) } else { Grid::new(1, 200_000, messages) }
    };
    for turned in [false, true] {
        let grid = star(turned);
        let schedule = best(&grid);
        schedule.check(&grid).unwrap();
        assert_eq!(schedule.number_of_steps(), 200_000);
        assert_eq!(schedule.total_cost(), bounds(&grid).total_cost);
    }
}

#[test]
fn more_steps_than_needed_are_not_taken_for_nothing() {
    let grid = Redistribution::cyclic(15, 2, 6, 3).unwrap().grid().unwrap();
    for steps in [0, 10, 11, 12, 20, 1000] {
        let schedule = best_of_steps(&grid, steps);
        schedule.check(&grid).unwrap();
        assert!(schedule.number_of_steps() <= steps.max(10));
        assert!(schedule.total_cost() <= if steps <= 10 { 20 } else { 16 });
    }
}

#[test]
fn what_is_no_schedule_is_found_out() {
    let grid = Redistribution::cyclic(4, 1, 4, 2).unwrap().grid().unwrap();
    let right = best(&grid);
    let mut wrong = right.clone();
    let moved = wrong.steps[0].messages.pop().unwrap();
    assert!(wrong.check(&grid).unwrap_err().to_string().contains("each once"));
    wrong.steps[1].messages.push(moved);
    assert!(wrong.check(&grid).unwrap_err().to_string().contains("twice in step 1"));
    let mut twice = right.clone();
    twice.steps.push(right.steps[0].clone());
    assert!(twice.check(&grid).is_err());
}
