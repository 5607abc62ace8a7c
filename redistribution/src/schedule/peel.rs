//! Schedules step by step, each a matching of maximum weight in what is left (section 4.5).

use super::Schedule;
use super::lifted::Lifted;
use super::matching::assign;
use crate::grid::Grid;

/// What the weight of a matching rewards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reward {
    /// The lengths of messages.
    Length,
    /// First that all processes with the most messages left are busy, then lengths.
    Busy,
    /// First that, then the same for messages of at least the second shortest length, and so on, then lengths.
    Thresholds,
    /// First that, then the same for the longest messages, then for shorter ones.
    Longest,
}

/// The paper's stepwise strategy: as few steps as possible, each of as much weight as possible.
pub fn stepwise(grid: &Grid) -> Schedule {
    let lifted = Lifted::new(grid);
    lifted.schedule(&peel(&lifted, Reward::Busy))
}

/// The paper's greedy strategy: in each step as much weight as possible.
pub fn greedy(grid: &Grid) -> Schedule {
    let lifted = Lifted::new(grid);
    lifted.schedule(&peel(&lifted, Reward::Length))
}

/// About how many operations [`stepwise`] and [`greedy`] take.
pub fn matching_work(grid: &Grid) -> u128 {
    let lifted = Lifted::new(grid);
    work(&lifted, lifted.degree())
}

/// The same for a number of steps; in each, all pairs of vertices are looked at once for each vertex of the smaller side.
pub(super) fn work(lifted: &Lifted<'_>, steps: usize) -> u128 {
    let (small, large) = (lifted.senders.min(lifted.receivers), lifted.senders.max(lifted.receivers));
    u128::from(small).pow(2) * u128::from(large) * steps as u128
}

/// The step of each edge.
pub(super) fn peel(lifted: &Lifted<'_>, reward: Reward) -> Vec<u32> {
    let mut colors = vec![u32::MAX; lifted.edges.len()];
    let mut left = Remaining::new(lifted);
    for step in 0.. {
        let matching = left.matching(lifted, reward);
        if matching.is_empty() {
            break;
        }
        for edge in matching {
            colors[edge] = step;
            left.remove(lifted, edge);
        }
    }
    colors
}

/// What is not in a step yet.
struct Remaining {
    /// For each pair its edges, longest last.
    cells: Vec<Vec<u32>>,
    columns: usize,
    /// Whether rows are receivers, because there are more senders.
    turned: bool,
    /// How many messages of at least each length, in the order of the levels, each vertex has.
    row_degrees: Vec<Vec<u32>>,
    column_degrees: Vec<Vec<u32>>,
}

impl Remaining {
    fn new(lifted: &Lifted<'_>) -> Self {
        let turned = lifted.senders > lifted.receivers;
        let (rows, columns) =
            if turned { (lifted.receivers, lifted.senders) } else { (lifted.senders, lifted.receivers) };
        let levels = lifted.levels.len();
        let mut left = Self {
            cells: vec![Vec::new(); rows as usize * columns as usize],
            columns: columns as usize,
            turned,
            row_degrees: vec![vec![0; levels]; rows as usize],
            column_degrees: vec![vec![0; levels]; columns as usize],
        };
        for edge in (0..lifted.edges.len()).rev() {
            let (row, column) = left.place(lifted, edge);
            left.cells[row * left.columns + column].push(edge as u32);
            left.count(lifted, edge, |degree| *degree += 1);
        }
        left
    }

    fn place(&self, lifted: &Lifted<'_>, edge: usize) -> (usize, usize) {
        let edge = lifted.edges[edge];
        let (from, to) = (edge.from as usize, edge.to as usize);
        if self.turned { (to, from) } else { (from, to) }
    }

    fn count(&mut self, lifted: &Lifted<'_>, edge: usize, act: impl Fn(&mut u32)) {
        let (row, column) = self.place(lifted, edge);
        let level = level_of(lifted, edge);
        self.row_degrees[row][level..].iter_mut().for_each(&act);
        self.column_degrees[column][level..].iter_mut().for_each(&act);
    }

    fn remove(&mut self, lifted: &Lifted<'_>, edge: usize) {
        let (row, column) = self.place(lifted, edge);
        let removed = self.cells[row * self.columns + column].pop();
        debug_assert_eq!(removed, Some(edge as u32), "the longest of a pair is taken");
        self.count(lifted, edge, |degree| *degree -= 1);
    }

    fn matching(&self, lifted: &Lifted<'_>, reward: Reward) -> Vec<usize> {
        if lifted.edges.is_empty() {
            return Vec::new();
        }
        let levels = lifted.levels.len();
        let most: Vec<u32> = (0..levels)
            .map(|level| {
                let all = self.row_degrees.iter().chain(&self.column_degrees);
                all.map(|degrees| degrees[level]).max().unwrap_or(0)
            })
            .collect();
        let order: Vec<usize> = match reward {
            Reward::Length => Vec::new(),
            Reward::Busy => vec![levels - 1],
            Reward::Thresholds => (0..levels).rev().collect(),
            Reward::Longest => std::iter::once(levels - 1).chain(0..levels - 1).collect(),
        };
        // A reward is worth more than all that come after it together.
        let longest = lifted.levels.first().map_or(1, |level| i128::from(level.length));
        let rows = self.row_degrees.len();
        let base = (rows + self.columns + 1) as i128;
        let mut worth = Vec::new();
        let mut unit = longest * rows as i128 + 1;
        // Where there are more lengths than fit into the number, those that come last are left out.
        let fitting = order.iter().scan(unit, |size, _| {
            *size = size.checked_mul(base).filter(|size| *size < i128::MAX / (8 * base))?;
            Some(())
        });
        let kept = fitting.count();
        for level in order[..kept].iter().rev() {
            worth.push((*level, unit));
            unit *= base;
        }
        let bonus = |degrees: &[u32], level: usize| -> i128 {
            let earned =
                worth.iter().filter(|(of, _)| *of >= level && most[*of] > 0 && degrees[*of] == most[*of]);
            earned.map(|(_, unit)| *unit).sum()
        };
        // What an edge of each level earns at each vertex.
        let table = |all: &[Vec<u32>]| -> Vec<Vec<i128>> {
            all.iter().map(|degrees| (0..levels).map(|level| bonus(degrees, level)).collect()).collect()
        };
        let (row_bonus, column_bonus) = (table(&self.row_degrees), table(&self.column_degrees));
        let weights: Vec<i128> = (self.cells.iter().enumerate())
            .map(|(cell, edges)| {
                edges.last().map_or(0, |edge| {
                    let level = level_of(lifted, *edge as usize);
                    let length = i128::from(lifted.edges[*edge as usize].length);
                    length + row_bonus[cell / self.columns][level] + column_bonus[cell % self.columns][level]
                })
            })
            .collect();
        let columns = assign(rows, self.columns, |row, column| weights[row * self.columns + column]);
        (columns.iter().enumerate())
            .filter_map(|(row, column)| {
                self.cells[row * self.columns + column].last().map(|edge| *edge as usize)
            })
            .collect()
    }
}

/// Which of the lengths an edge has.
fn level_of(lifted: &Lifted<'_>, edge: usize) -> usize {
    let length = lifted.edges[edge].length;
    lifted.levels.partition_point(|level| level.length > length)
}
