//! How long scheduling takes, against the paper's method and against a loop of maximum matchings, in the same run.
//!
//! The grids are full: every process has something for every other one, in classes of two lengths. The peers take them as any bipartite graph,
//! as the paper does; they are left out where they would take minutes. Ratios are what counts, not times.

use std::hint::black_box;
use std::time::{Duration, Instant};

use redistribution::bounds::bounds;
use redistribution::schedule::{best, stepwise};
use redistribution::{Grid, Message, Redistribution};

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

fn main() {
    println!("processes  messages   steps  best [ms]  per message [ns]  paper / best  matchings / best");
    for exponent in 6..=14_u32 {
        let p = 1_u64 << exponent;
        // r + s - 1 >= g = P: a full grid up to 4096, as many messages as memory has room for beyond.
        let s = if exponent <= 12 { p + 1 } else { 1023 };
        let grid =
            Redistribution::cyclic(p, 2, p, s).expect("numbers are small").grid().expect("there is room");
        let ours = time(|| {
            black_box(best(black_box(&grid)));
        });
        let schedule = best(&grid);
        schedule.check(&grid).expect("it is a schedule");
        assert_eq!(schedule.number_of_steps(), bounds(&grid).number_of_steps);
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
        println!(
            "{p:9} {:9} {:7} {:10.1} {:17.1} {:>13} {:>17}",
            grid.messages().len(),
            schedule.number_of_steps(),
            ours.as_secs_f64() * 1e3,
            ours.as_secs_f64() * 1e9 / grid.messages().len() as f64,
            ratio(paper),
            ratio(matchings)
        );
    }
}
