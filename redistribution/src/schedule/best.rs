//! Few steps of low cost: a colouring, made better two steps at a time.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::Schedule;
use super::classes;
use super::coloring::Coloring;
use super::lifted::Lifted;
use super::peel::{self, Reward, peel};
use super::random::Random;
use crate::bounds::cost_of;
use crate::grid::Grid;
use crate::relaxation::Relaxation;

/// A schedule, and what is known about how good it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The schedule.
    pub schedule: Schedule,
    /// No schedule of at most as many steps costs less.
    pub lower_bound: u64,
}

/// As few steps as possible, at as low a cost as is found.
pub fn best(grid: &Grid) -> Schedule {
    best_of_steps(grid, 0)
}

/// At most `steps` steps, or as few as possible if that is more, at as low a cost as is found.
pub fn best_of_steps(grid: &Grid, steps: usize) -> Schedule {
    let search = Search::new(grid);
    search.schedule_of_steps(steps.max(search.lifted.degree()), cost_of(&search.lifted.levels))
}

/// Schedules of which each has more steps and costs less than the one before; the first has as few steps as possible.
///
/// Together they have one of least `alpha * NS + beta * TC` for any alpha and beta, as far as low costs are found.
pub fn pareto(grid: &Grid) -> Vec<Solution> {
    /// Where there are more messages, fewer numbers of steps are tried.
    const MANY: usize = 1 << 18;
    let search = Search::new(grid);
    let lifted = &search.lifted;
    let (degree, least) = (lifted.degree(), cost_of(&lifted.levels));
    let relaxation = Relaxation::new(lifted);
    let mut found: Vec<Solution> = Vec::new();
    let mut more = 0;
    while more <= degree {
        let steps = degree + more;
        let known = found.last().map_or(u64::MAX, |solution| solution.schedule.total_cost());
        let bound = relaxation.lower_bound(steps);
        // More steps need not be looked at where none can cost less.
        if bound < known {
            let schedule = search.schedule_of_steps(steps, bound);
            if schedule.total_cost() < known {
                // What is found with room for more steps may leave them out, and is then better than what was found without.
                let is_dearer =
                    |solution: &Solution| solution.schedule.number_of_steps() >= schedule.number_of_steps();
                let mut lower_bound = bound;
                while let Some(dearer) = found.pop_if(|solution| is_dearer(solution)) {
                    lower_bound = lower_bound.max(dearer.lower_bound);
                }
                found.push(Solution { schedule, lower_bound });
            }
        }
        if found.last().is_some_and(|solution| solution.schedule.total_cost() <= least) {
            break;
        }
        more = if more < 4 && lifted.edges.len() <= MANY {
            more + 1
        } else {
            (2 * more).max(degree.div_ceil(4))
        };
    }
    // A bound for more steps holds for fewer, too.
    for index in (1..found.len()).rev() {
        found[index - 1].lower_bound = found[index - 1].lower_bound.max(found[index].lower_bound);
    }
    found
}

/// What is looked for in one grid, with any number of steps.
struct Search<'a> {
    lifted: Lifted<'a>,
    /// The steps by matchings, which take as few as possible; they are found when they are first asked for.
    peels: [OnceCell<Vec<u32>>; 3],
}

impl<'a> Search<'a> {
    fn new(grid: &'a Grid) -> Self {
        Self { lifted: Lifted::new(grid), peels: Default::default() }
    }

    /// The schedule of at most `steps` steps, as good as it is found; nothing is tried any more where it costs `bound`.
    fn schedule_of_steps(&self, steps: usize, bound: u64) -> Schedule {
        /// Small grids are tried without their symmetry, too: rarely, the best schedules are not symmetric.
        const SMALL: usize = 2000;
        let schedule = self.lifted.schedule(&self.of_steps(steps, bound));
        let grid = self.lifted.grid();
        if schedule.total_cost() <= bound || grid.symmetry().is_trivial() || grid.messages().len() > SMALL {
            return schedule;
        }
        let grid = grid.without_symmetry();
        let search = Search::new(&grid);
        let other = search.lifted.schedule(&search.of_steps(steps, bound));
        if other.total_cost() < schedule.total_cost() { other } else { schedule }
    }

    /// A colour for each edge, at most `steps` colours; stops where the cost is `bound`.
    fn of_steps(&self, steps: usize, bound: u64) -> Vec<u32> {
        /// How much work the improvement may take, in vertices and edges that are looked at.
        const WORK: usize = 20_000_000;
        /// How often two steps are rearranged at most.
        const ROUNDS: usize = 2000;
        /// Matchings of maximum weight are tried where they take at most so many operations.
        const MATCHING_WORK: u128 = 50_000_000;
        let lifted = &self.lifted;
        if steps == 0 {
            return Vec::new();
        }
        if let Some(colors) = classes::colors(lifted) {
            return colors;
        }
        // Colours do not tell senders from receivers; the side that has fewer vertices comes first, since components are looked for there.
        let (mut senders, mut receivers) = (lifted.senders as usize, lifted.receivers as usize);
        let mut edges = Cow::Borrowed(&lifted.edges);
        if senders > receivers {
            std::mem::swap(&mut senders, &mut receivers);
            edges.to_mut().iter_mut().for_each(|edge| std::mem::swap(&mut edge.from, &mut edge.to));
        }
        let rounds = ROUNDS.min(WORK / (senders + 1 + 2 * lifted.edges.len() / steps));
        let mut random = Random::new();
        let mut improve = |mut coloring: Coloring<'_>| {
            for _ in 0..if steps < 2 { 0 } else { rounds } {
                if coloring.total_cost() <= bound {
                    break;
                }
                let one = random.below(steps);
                let other = (one + 1 + random.below(steps - 1)) % steps;
                coloring.rearrange(one, other, || random.coin());
            }
            (coloring.total_cost(), coloring.into_colors())
        };
        let mut best = improve(Coloring::new(senders, receivers, &edges, steps, &lifted.levels));
        if peel::work(lifted, lifted.degree()) <= MATCHING_WORK {
            let rewards = [Reward::Thresholds, Reward::Longest, Reward::Busy];
            for (reward, peeled) in rewards.into_iter().zip(&self.peels) {
                if best.0 <= bound {
                    break;
                }
                let colors = peeled.get_or_init(|| peel(lifted, reward));
                let other = improve(Coloring::of(senders, receivers, &edges, steps, colors.clone()));
                best = if other.0 < best.0 { other } else { best };
            }
        }
        best.1
    }
}
