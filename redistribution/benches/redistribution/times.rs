//! How long scheduling takes, against the paper's method and against a loop of maximum matchings, in the same run.
//!
//! The grids are full: every process has something for every other one, in classes of two lengths. The peers take them as any bipartite graph,
//! as the paper does; they are left out where they would take minutes. Ratios are what counts, not times.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use redistribution::bounds::bounds;
use redistribution::schedule::{best, stepwise};
use redistribution::{Dimension, Grid, Message, Redistribution, Schedule};

/// The shortest of a few times.
fn time(mut run: impl FnMut()) -> Duration {
    let mut shortest = Duration::MAX;
    let begin = Instant::now();
    for _ in 0..3 {
        let start = Instant::now();
        run();
        shortest = shortest.min(start.elapsed());
        if begin.elapsed() > Duration::from_secs(2) {
            break;
        }
    }
    shortest
}

/// The same messages without what is known of their classes.
fn plain(grid: &Grid) -> Grid {
    Grid::new(grid.senders(), grid.receivers(), grid.messages().iter().copied())
}

/// Takes maximum matchings (Hopcroft and Karp) until nothing is left; returns how many. In a regular graph each is perfect.
fn maximum_matchings(grid: &Grid) -> usize {
    let mut neighbours = vec![Vec::new(); grid.senders() as usize];
    for Message { from, to, .. } in grid.messages() {
        neighbours[*from as usize].push(*to as usize);
    }
    let mut steps = 0;
    while neighbours.iter().any(|list| !list.is_empty()) {
        let partner = hopcroft_karp(&neighbours, grid.receivers() as usize);
        for (list, to) in neighbours.iter_mut().zip(partner) {
            list.retain(|other| *other != to);
        }
        steps += 1;
    }
    steps
}

const NONE: usize = usize::MAX;

fn hopcroft_karp(neighbours: &[Vec<usize>], receivers: usize) -> Vec<usize> {
    let mut partner = vec![NONE; neighbours.len()];
    let mut taken = vec![NONE; receivers];
    loop {
        // Distances along alternating paths from senders without a partner.
        let mut distance = vec![NONE; neighbours.len()];
        let mut queue: Vec<usize> = (0..neighbours.len()).filter(|from| partner[*from] == NONE).collect();
        queue.iter().for_each(|from| distance[*from] = 0);
        let (mut next, mut found) = (0, false);
        while next < queue.len() {
            let from = queue[next];
            next += 1;
            for to in &neighbours[from] {
                match taken[*to] {
                    NONE => found = true,
                    other if distance[other] == NONE => {
                        distance[other] = distance[from] + 1;
                        queue.push(other);
                    }
                    _ => {}
                }
            }
        }
        if !found {
            return partner;
        }
        for from in 0..neighbours.len() {
            if partner[from] == NONE {
                augment(from, neighbours, &mut partner, &mut taken, &mut distance);
            }
        }
    }
}

fn augment(
    from: usize,
    neighbours: &[Vec<usize>],
    partner: &mut [usize],
    taken: &mut [usize],
    distance: &mut [usize],
) -> bool {
    for &to in &neighbours[from] {
        let other = taken[to];
        let reached = other == NONE
            || (distance[other] == distance[from] + 1
                && augment(other, neighbours, partner, taken, distance));
        if reached {
            partner[from] = to;
            taken[to] = from;
            return true;
        }
    }
    distance[from] = NONE;
    false
}

/// Which redistributions are scheduled, by their number of processes.
struct Family {
    title: &'static str,
    /// Binary logarithms of the numbers of processes.
    exponents: std::ops::RangeInclusive<u32>,
    of: fn(u64) -> Redistribution,
}

/// A full grid for up to 4096 processes, as many messages as with those beyond.
const fn target_block(p: u64) -> u64 {
    if p <= 4096 { p + 1 } else { (1 << 24) / p - 1 }
}

const FAMILIES: [Family; 2] = [
    Family {
        title: "whole periods: CYCLIC(2) on P processes to CYCLIC(s) on P",
        exponents: 6..=14,
        of: |p| Redistribution::cyclic(p, 2, p, target_block(p)).expect("numbers are small"),
    },
    Family {
        title: "an array that ends within a period, so that no two processes are alike: CYCLIC(7) on P processes to CYCLIC(P + 3) on P",
        exponents: 6..=11,
        of: |p| {
            let dimension = Dimension::cyclic(p, 7, p, p + 3).expect("numbers are small");
            let dimension = dimension.with_length(5 * p * p + 1).expect("it is not long");
            Redistribution::new(vec![dimension]).expect("it is not long")
        },
    },
];

/// The tables as Markdown.
pub(crate) fn tables() -> String {
    let mut text = String::from(
        "## Schedules\n\n\
         How long `best` takes, which finds as few steps as possible. \
         *paper* is the time of the paper's stepwise method against that, *matchings* the time of a loop of maximum matchings (Hopcroft and Karp), which \
         finds as few steps whatever they cost; both take the grid as any bipartite graph, and are left out where they would take minutes.\n",
    );
    for family in FAMILIES {
        let _ = write!(
            text,
            "\n### {}\n\n| P | messages | steps | cost / bound | best [ms] | ns per message | paper | matchings |\n|{}\n",
            family.title,
            "--:|".repeat(8)
        );
        for exponent in family.exponents {
            let p = 1_u64 << exponent;
            let grid = (family.of)(p).grid().expect("there is room");
            let mut schedule = Schedule::default();
            let ours = time(|| schedule = best(black_box(&grid)));
            schedule.check(&grid).expect("it is a schedule");
            let bounds = bounds(&grid);
            assert_eq!(schedule.number_of_steps(), bounds.number_of_steps);
            let ratio = |peer: Option<Duration>| {
                peer.map_or_else(
                    || "-".to_owned(),
                    |peer| format!("{:.1}", peer.as_secs_f64() / ours.as_secs_f64()),
                )
            };
            let any = plain(&grid);
            let paper = (exponent <= 7).then(|| {
                time(|| {
                    black_box(stepwise(black_box(&any)));
                })
            });
            let matchings = (exponent <= 9).then(|| {
                time(|| {
                    black_box(maximum_matchings(black_box(&any)));
                })
            });
            let _ = writeln!(
                text,
                "| {p} | {} | {} | {:.4} | {:.1} | {:.1} | {} | {} |",
                grid.messages().len(),
                schedule.number_of_steps(),
                schedule.total_cost() as f64 / bounds.total_cost as f64,
                ours.as_secs_f64() * 1e3,
                ours.as_secs_f64() * 1e9 / grid.messages().len() as f64,
                ratio(paper),
                ratio(matchings)
            );
        }
    }
    text += "\n";
    text
}
