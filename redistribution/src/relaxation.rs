//! A bound for the cost of schedules of a given number of steps, by a linear program.
//!
//! A schedule gives each message a step. Group the steps by what they cost: N_c steps cost c, and a process sends and receives at most N_c
//! messages in those. (Conversely, messages in which nobody takes part more than N_c times are N_c steps, by König's theorem: so the least cost
//! is that of the best way to give each message a cost c that is at least its length.) Allowing fractions gives a linear program. Each
//! solution of its dual is a bound; the solver only proposes one, and what it proves is computed with whole numbers.

use std::cell::Cell;
use std::time::{Duration, Instant};

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use crate::bounds::cost_of;
use crate::dimension::gcd;
use crate::schedule::Lifted;

/// What is known of the costs of all schedules of a graph.
pub(crate) struct Relaxation {
    threshold: u64,
    /// `None` where the program would be large; the threshold bound holds anyway.
    kinds: Option<Kinds>,
    /// What the solver may still take for all numbers of steps together. Far more than programs of this size take; once it is used up,
    /// there are threshold bounds only.
    left: Cell<Duration>,
}

impl Relaxation {
    pub(crate) fn new(lifted: &Lifted<'_>) -> Self {
        /// Finding out which edges are alike takes long beyond this.
        const MANY: usize = 1 << 20;
        /// Larger programs are left alone.
        const LARGEST: usize = 3000;
        let kinds = (lifted.edges.len() <= MANY)
            .then(|| Kinds::new(lifted))
            .filter(|kinds| !kinds.edges.is_empty() && kinds.edges.len() * lifted.levels.len() <= LARGEST);
        Self { threshold: cost_of(&lifted.levels), kinds, left: Cell::new(Duration::from_secs(20)) }
    }

    /// What all schedules of at most `steps` steps cost at least.
    pub(crate) fn lower_bound(&self, steps: usize) -> u64 {
        let left = self.left.get();
        let begin = Instant::now();
        let bound =
            self.kinds.as_ref().filter(|_| !left.is_zero()).and_then(|kinds| kinds.bound(steps, left));
        self.left.set(left.saturating_sub(begin.elapsed()));
        bound.map_or(self.threshold, |bound| bound.max(self.threshold))
    }
}

/// Vertices with the same neighbours are of one kind: the average of a solution over them is a solution, too.
struct Kinds {
    /// The lengths that occur, longest first, divided by `unit`.
    costs: Vec<u64>,
    /// What all lengths are multiples of; so are all costs.
    unit: u64,
    senders: usize,
    receivers: usize,
    edges: Vec<Kind>,
}

/// The edges of one length between two kinds of vertices.
struct Kind {
    sender: usize,
    receiver: usize,
    /// Which of the lengths it has.
    level: usize,
    /// How many there are in all, at each sender, and at each receiver.
    count: u64,
    at_sender: u64,
    at_receiver: u64,
}

/// Dual variables are multiples of 1 / this.
const SCALE: i128 = 1 << 24;

impl Kinds {
    fn new(lifted: &Lifted<'_>) -> Self {
        let unit = lifted.levels.iter().fold(0, |unit, level| gcd(unit, level.length)).max(1);
        let costs = lifted.levels.iter().map(|level| level.length / unit).collect();
        let level_of = |length: u64| lifted.levels.partition_point(|level| level.length > length);
        let edges: Vec<(usize, usize, usize)> = (lifted.edges.iter())
            .map(|edge| (edge.from as usize, edge.to as usize, level_of(edge.length)))
            .collect();
        let (sender_kind, senders) =
            kinds(lifted.senders, edges.iter().map(|(from, to, level)| (*from, *to, *level)));
        let (receiver_kind, receivers) =
            kinds(lifted.receivers, edges.iter().map(|(from, to, level)| (*to, *from, *level)));
        let sizes = |kind_of: &[usize], kinds: usize| {
            let mut sizes = vec![0_u64; kinds];
            kind_of.iter().for_each(|kind| sizes[*kind] += 1);
            sizes
        };
        let (sender_sizes, receiver_sizes) = (sizes(&sender_kind, senders), sizes(&receiver_kind, receivers));
        let mut all: Vec<(usize, usize, usize)> =
            edges.iter().map(|(from, to, level)| (sender_kind[*from], receiver_kind[*to], *level)).collect();
        all.sort_unstable();
        let edges = (all.chunk_by(|a, b| a == b))
            .map(|same| {
                let (sender, receiver, level) = same[0];
                let count = same.len() as u64;
                let (at_sender, at_receiver) =
                    (count / sender_sizes[sender], count / receiver_sizes[receiver]);
                Kind { sender, receiver, level, count, at_sender, at_receiver }
            })
            .collect();
        Self { costs, unit, senders, receivers, edges }
    }

    /// The bound that the dual solution proves which the solver finds within a time.
    fn bound(&self, steps: usize, limit: Duration) -> Option<u64> {
        let levels = self.costs.len();
        let infinity = f64::INFINITY;
        let longest = self.costs[0] as f64;
        // Vertices have a price for each cost c; all prices for c together are at most c and a discount. An edge is worth the least that its two
        // ends ask for a cost that it may have. The bound is what all edges are worth, without a discount for each step.
        // Numbers are relative to the longest message.
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        problem.set_time_limit(limit);
        let mut prices = |vertices: usize| -> Vec<Vec<Variable>> {
            (0..vertices)
                .map(|_| (0..levels).map(|_| problem.add_var(0.0, (0.0, infinity))).collect())
                .collect()
        };
        let (at_senders, at_receivers) = (prices(self.senders), prices(self.receivers));
        let discount = problem.add_var(-(steps as f64), (0.0, infinity));
        let worths: Vec<Variable> =
            self.edges.iter().map(|kind| problem.add_var(kind.count as f64, (0.0, infinity))).collect();
        for level in 0..levels {
            let mut sum: Vec<(Variable, f64)> =
                at_senders.iter().chain(&at_receivers).map(|prices| (prices[level], 1.0)).collect();
            sum.push((discount, -1.0));
            problem.add_constraint(sum, ComparisonOp::Le, self.costs[level] as f64 / longest);
        }
        for (kind, worth) in self.edges.iter().zip(&worths) {
            for level in 0..=kind.level {
                let terms = [
                    (*worth, 1.0),
                    (at_senders[kind.sender][level], -(kind.at_sender as f64) / kind.count as f64),
                    (at_receivers[kind.receiver][level], -(kind.at_receiver as f64) / kind.count as f64),
                ];
                problem.add_constraint(terms, ComparisonOp::Le, 0.0);
            }
        }
        let solution = problem.solve().ok()?.into_solution().ok()?;
        let exact = |prices: &[Vec<Variable>]| -> Vec<Vec<i128>> {
            let value =
                |price: &Variable| (solution.var_value(*price).max(0.0) * longest * SCALE as f64) as i128;
            prices.iter().map(|prices| prices.iter().map(value).collect()).collect()
        };
        self.proved(steps, &exact(&at_senders), &exact(&at_receivers))
    }

    /// What any prices prove, by weak duality; `None` if numbers become too large.
    fn proved(&self, steps: usize, at_senders: &[Vec<i128>], at_receivers: &[Vec<i128>]) -> Option<u64> {
        let charged = |level: usize| -> i128 {
            at_senders.iter().chain(at_receivers).map(|prices| prices[level]).sum()
        };
        let discount = (0..self.costs.len())
            .map(|level| charged(level).checked_sub(i128::from(self.costs[level]).checked_mul(SCALE)?))
            .try_fold(0, |most, excess| Some(i128::max(most, excess?)))?;
        let mut sum = discount.checked_mul(steps as i128)?.checked_neg()?;
        for kind in &self.edges {
            let mut worth = (0..=kind.level).map(|level| {
                let at_sender = at_senders[kind.sender][level].checked_mul(kind.at_sender.into())?;
                at_sender
                    .checked_add(at_receivers[kind.receiver][level].checked_mul(kind.at_receiver.into())?)
            });
            sum = sum.checked_add(worth.try_fold(i128::MAX, |least, worth| Some(least.min(worth?)))?)?;
        }
        // A cost is a multiple of the unit; so the bound can be rounded up.
        u64::try_from(sum.checked_add(SCALE - 1)?.div_euclid(SCALE)).ok()?.checked_mul(self.unit)
    }
}

/// Numbers the vertices of a side such that those with the same edges have the same number.
fn kinds(vertices: u32, edges: impl Iterator<Item = (usize, usize, usize)>) -> (Vec<usize>, usize) {
    let mut neighbours = vec![Vec::new(); vertices as usize];
    for (vertex, neighbour, level) in edges {
        neighbours[vertex].push((neighbour, level));
    }
    neighbours.iter_mut().for_each(|list| list.sort_unstable());
    let mut order: Vec<usize> = (0..neighbours.len()).collect();
    order.sort_by(|a, b| neighbours[*a].cmp(&neighbours[*b]));
    let mut kind_of = vec![0; neighbours.len()];
    let mut kinds = 0;
    for (index, vertex) in order.iter().enumerate() {
        if index > 0 && neighbours[order[index - 1]] != neighbours[*vertex] {
            kinds += 1;
        }
        kind_of[*vertex] = kinds;
    }
    (kind_of, kinds + 1)
}
