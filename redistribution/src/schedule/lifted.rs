//! The graph that is coloured: one message of each orbit (see `symmetry`), and the way back to all messages.

use super::{Schedule, Step};
use crate::bounds::{Level, threshold_degrees};
use crate::grid::{Grid, Message};
use crate::numbering::Numbering;

/// A bipartite multigraph whose colourings are schedules of a grid.
pub(crate) struct Lifted<'a> {
    grid: &'a Grid,
    pub(crate) senders: u32,
    pub(crate) receivers: u32,
    /// Longest first; several may join the same two vertices.
    pub(crate) edges: Vec<Message>,
    pub(crate) levels: Vec<Level>,
    /// Which message an edge stands for, with its orbit.
    represents: Vec<Message>,
}

impl<'a> Lifted<'a> {
    pub(super) fn new(grid: &'a Grid) -> Self {
        if grid.symmetry().is_trivial() {
            return Self::of_all(grid);
        }
        let [(sender_orbits, senders), (receiver_orbits, receivers)] =
            grid.symmetry().orbits(grid.senders(), grid.receivers());
        // The first sender of each orbit represents it: orbits are numbered in the order of their first members.
        let mut seen = 0;
        let mut represents = Vec::new();
        for of_one in grid.messages().chunk_by(|one, other| one.from == other.from) {
            // An orbit without a message is passed over.
            let orbit = sender_orbits[of_one[0].from as usize];
            if orbit >= seen {
                seen = orbit + 1;
                represents.extend_from_slice(of_one);
            }
        }
        let orbit = |orbit_of: Vec<u32>| move |rank: u32| orbit_of[rank as usize];
        Self::of(grid, represents, [senders, receivers], orbit(sender_orbits), orbit(receiver_orbits))
    }

    /// The graph of all messages.
    fn of_all(grid: &'a Grid) -> Self {
        let messages = grid.messages();
        let senders = Numbering::of(messages.iter().map(|message| message.from), grid.senders());
        let receivers = Numbering::of(messages.iter().map(|message| message.to), grid.receivers());
        let counts = [senders.count(), receivers.count()];
        Self::of(grid, messages.to_vec(), counts, |rank| senders.number(rank), |rank| receivers.number(rank))
    }

    fn of(
        grid: &'a Grid,
        mut represents: Vec<Message>,
        [senders, receivers]: [u32; 2],
        sender_of: impl Fn(u32) -> u32,
        receiver_of: impl Fn(u32) -> u32,
    ) -> Self {
        represents.sort_by_key(|message| std::cmp::Reverse(message.length));
        let edges: Vec<Message> = (represents.iter())
            .map(|message| Message {
                from: sender_of(message.from),
                to: receiver_of(message.to),
                length: message.length,
            })
            .collect();
        let levels = threshold_degrees(senders, receivers, &edges);
        Self { grid, senders, receivers, edges, levels, represents }
    }

    /// The grid whose schedules these are.
    pub(super) const fn grid(&self) -> &'a Grid {
        self.grid
    }

    /// The most messages at one process.
    pub(super) fn degree(&self) -> usize {
        self.levels.last().map_or(0, |level| level.degree)
    }

    /// The schedule in which the colour of an edge is the step of the messages that it stands for; most expensive steps first.
    pub(super) fn schedule(&self, colors: &[u32]) -> Schedule {
        let count = colors.iter().max().map_or(0, |most| *most as usize + 1);
        let mut costs = vec![0; count];
        for (color, edge) in colors.iter().zip(&self.edges) {
            costs[*color as usize] = edge.length.max(costs[*color as usize]);
        }
        let mut order: Vec<usize> = (0..count).filter(|color| costs[*color] > 0).collect();
        order.sort_by_key(|color| std::cmp::Reverse(costs[*color]));
        let mut number_of = vec![0; count];
        for (number, color) in order.iter().enumerate() {
            number_of[*color] = number;
        }
        let mut steps = vec![Step::default(); order.len()];
        for (color, message) in colors.iter().zip(&self.represents) {
            let step = &mut steps[number_of[*color as usize]].messages;
            for (from, to) in self.grid.symmetry().pairs(message.from, message.to) {
                step.push(Message { from, to, length: message.length });
            }
        }
        for step in &mut steps {
            step.messages.sort_unstable();
        }
        Schedule { steps }
    }
}
