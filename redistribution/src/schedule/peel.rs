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
    let (small, large) = (u128::from(small), u128::from(large));
    (small * small * large + MOST_REWARDS as u128 * (small + large)) * steps as u128
}

/// The step of each edge.
pub(super) fn peel(lifted: &Lifted<'_>, reward: Reward) -> Vec<u32> {
    let mut colors = vec![u32::MAX; lifted.edges.len()];
    let mut left = Remaining::new(lifted, reward);
    for step in 0.. {
        let matching = left.matching(lifted);
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
    /// What is rewarded, by level: messages of at least that length at a vertex that has the most of them. Each reward is worth more than all
    /// that come after it together.
    rewards: Vec<(usize, i128)>,
    /// For each reward, how many messages of that length each vertex has.
    row_degrees: Vec<Vec<u32>>,
    column_degrees: Vec<Vec<u32>>,
}

impl Remaining {
    fn new(lifted: &Lifted<'_>, reward: Reward) -> Self {
        let turned = lifted.senders > lifted.receivers;
        let (rows, columns) =
            if turned { (lifted.receivers, lifted.senders) } else { (lifted.senders, lifted.receivers) };
        let (rows, columns) = (rows as usize, columns as usize);
        let rewards = rewards(lifted, reward, rows, columns);
        let mut left = Self {
            cells: vec![Vec::new(); rows * columns],
            columns,
            turned,
            row_degrees: vec![vec![0; rewards.len()]; rows],
            column_degrees: vec![vec![0; rewards.len()]; columns],
            rewards,
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
        let first = self.first_reward(level_of(lifted, edge));
        self.row_degrees[row][first..].iter_mut().for_each(&act);
        self.column_degrees[column][first..].iter_mut().for_each(&act);
    }

    fn remove(&mut self, lifted: &Lifted<'_>, edge: usize) {
        let (row, column) = self.place(lifted, edge);
        let removed = self.cells[row * self.columns + column].pop();
        assert_eq!(removed, Some(edge as u32), "the longest of a pair is taken");
        self.count(lifted, edge, |degree| *degree -= 1);
    }

    /// The first of the rewards that edges of this level can earn; they can earn all that come after it, too.
    fn first_reward(&self, level: usize) -> usize {
        self.rewards.partition_point(|(of, _)| *of < level)
    }

    fn matching(&self, lifted: &Lifted<'_>) -> Vec<usize> {
        if lifted.edges.is_empty() {
            return Vec::new();
        }
        let most: Vec<u32> = (0..self.rewards.len())
            .map(|reward| {
                let all = self.row_degrees.iter().chain(&self.column_degrees);
                all.map(|degrees| degrees[reward]).max().unwrap_or(0)
            })
            .collect();
        // What an edge earns at each vertex from each reward on.
        let stride = self.rewards.len() + 1;
        let table = |all: &[Vec<u32>]| -> Vec<i128> {
            let mut table = vec![0; all.len() * stride];
            for (degrees, earned) in all.iter().zip(table.chunks_exact_mut(stride)) {
                for (reward, (_, worth)) in self.rewards.iter().enumerate().rev() {
                    let is_earned = most[reward] > 0 && degrees[reward] == most[reward];
                    earned[reward] = earned[reward + 1] + if is_earned { *worth } else { 0 };
                }
            }
            table
        };
        let (row_bonus, column_bonus) = (table(&self.row_degrees), table(&self.column_degrees));
        let weights: Vec<i128> = (self.cells.iter().enumerate())
            .map(|(cell, edges)| {
                edges.last().map_or(0, |edge| {
                    let first = self.first_reward(level_of(lifted, *edge as usize));
                    let length = i128::from(lifted.edges[*edge as usize].length);
                    let (row, column) = (cell / self.columns, cell % self.columns);
                    length + row_bonus[row * stride + first] + column_bonus[column * stride + first]
                })
            })
            .collect();
        let rows = self.row_degrees.len();
        let columns = assign(rows, self.columns, |row, column| weights[row * self.columns + column]);
        (columns.iter().enumerate())
            .filter_map(|(row, column)| {
                self.cells[row * self.columns + column].last().map(|edge| *edge as usize)
            })
            .collect()
    }
}

/// Each is worth more than twice what the next one is, in numbers of 128 bits.
const MOST_REWARDS: usize = 64;

/// The levels that are rewarded, in ascending order, and what each is worth.
fn rewards(lifted: &Lifted<'_>, reward: Reward, rows: usize, columns: usize) -> Vec<(usize, i128)> {
    let Some(last) = lifted.levels.len().checked_sub(1) else { return Vec::new() };
    // What comes first is worth most.
    let order: Box<dyn Iterator<Item = usize>> = match reward {
        Reward::Length => Box::new(std::iter::empty()),
        Reward::Busy => Box::new(std::iter::once(last)),
        Reward::Thresholds => Box::new((0..=last).rev()),
        Reward::Longest => Box::new(std::iter::once(last).chain(0..last)),
    };
    let longest = lifted.levels.first().map_or(1, |level| i128::from(level.length));
    let base = (rows + columns + 1) as i128;
    let least = longest * rows as i128 + 1;
    // Where there are more lengths than fit into the number, those that come last are left out.
    let mut size = least;
    let kept: Vec<usize> = order
        .take_while(|_| match size.checked_mul(base).filter(|larger| *larger < i128::MAX / (8 * base)) {
            Some(larger) => {
                size = larger;
                true
            }
            None => false,
        })
        .collect();
    let mut worth = least;
    let mut rewards: Vec<(usize, i128)> = Vec::with_capacity(kept.len());
    for level in kept.into_iter().rev() {
        rewards.push((level, worth));
        worth *= base;
    }
    rewards.sort_unstable();
    rewards
}

/// Which of the lengths an edge has.
fn level_of(lifted: &Lifted<'_>, edge: usize) -> usize {
    let length = lifted.edges[edge].length;
    lifted.levels.partition_point(|level| level.length > length)
}
