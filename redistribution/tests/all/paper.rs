//! The paper's examples, and what they cost at best (Tables 3, 6, 9, 12, 16, 18, 19).

use redistribution::bounds::bounds;
use redistribution::schedule::{best, caterpillar, class_by_class, pareto, stepwise};
use redistribution::{Grid, Redistribution};

fn grid(p: u64, r: u64, q: u64, s: u64) -> Grid {
    Redistribution::cyclic(p, r, q, s).unwrap().grid().unwrap()
}

/// The schedules to choose from, each checked, as (steps, cost, proved lower bound of the cost with so many steps).
fn choices(grid: &Grid) -> Vec<(usize, u64, u64)> {
    let solutions = pareto(grid);
    solutions.iter().for_each(|solution| solution.schedule.check(grid).unwrap());
    (solutions.iter())
        .map(|solution| {
            (solution.schedule.number_of_steps(), solution.schedule.total_cost(), solution.lower_bound)
        })
        .collect()
}

#[test]
fn example_1_takes_7_steps_and_costs_15() {
    let grid = grid(16, 3, 16, 5);
    assert_eq!(choices(&grid), [(7, 15, 15)]);
    let schedule = class_by_class(&grid).unwrap();
    schedule.check(&grid).unwrap();
    let costs: Vec<u64> = schedule.steps.iter().map(|step| step.cost()).collect();
    assert_eq!(costs, [3, 3, 3, 2, 2, 1, 1]);
    // All messages of a step are of the same length, and all processes take part.
    for step in schedule.steps {
        assert_eq!(step.messages.len(), 16);
        assert!(step.messages.iter().all(|message| message.length == step.cost()));
    }
}

#[test]
fn example_2_takes_16_steps_and_costs_77() {
    let grid = grid(16, 7, 16, 11);
    assert_eq!(choices(&grid), [(16, 77, 77)]);
    let costs: Vec<u64> = best(&grid).steps.iter().map(|step| step.cost()).collect();
    assert_eq!(costs, [7, 7, 7, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 2]);
    let baseline = caterpillar(&grid);
    assert_eq!((baseline.number_of_steps(), baseline.total_cost()), (16, 112));
}

#[test]
fn example_3_costs_25_with_10_steps_and_23_with_11() {
    // The paper has 26 with 10 steps.
    assert_eq!(choices(&grid(15, 3, 15, 5)), [(10, 25, 25), (11, 23, 23)]);
    // Lemma 1: the same, four times as long.
    assert_eq!(choices(&grid(15, 12, 15, 20)), [(10, 100, 100), (11, 92, 92)]);
}

#[test]
fn example_4_takes_4_steps_and_costs_8() {
    let grid = grid(12, 4, 8, 3);
    assert_eq!(choices(&grid), [(4, 8, 8)]);
    // Which is more than what any process receives, q = 1 among them.
    let received: u64 = grid.messages().iter().filter(|message| message.to == 1).map(|one| one.length).sum();
    assert_eq!(received, 6);
    // Table 19.
    let baseline = caterpillar(&grid);
    baseline.check(&grid).unwrap();
    let costs: Vec<u64> = baseline.steps.iter().map(|step| step.cost()).collect();
    assert_eq!(costs, [3, 0, 0, 0, 3, 3, 3, 0, 0, 0, 3, 3]);
}

#[test]
fn example_5_costs_20_with_10_steps_and_16_with_11() {
    let grid = grid(15, 2, 6, 3);
    // The paper has 18 with 12 steps.
    assert_eq!(choices(&grid), [(10, 20, 20), (11, 16, 16)]);
    let paper = stepwise(&grid);
    paper.check(&grid).unwrap();
    assert_eq!((paper.number_of_steps(), paper.total_cost()), (10, 20));
    assert_eq!(bounds(&grid).total_cost, 15);
}
