//! Vertices of few edges taken together, so that tables of vertices times steps are no larger than the list of edges.

use super::lifted::Lifted;
use crate::bounds::{Level, threshold_degrees};
use crate::grid::Message;

/// The graph of a redistribution in which some vertices may be one. Its colourings are colourings of the original.
pub(super) struct Merged {
    pub(super) senders: usize,
    pub(super) receivers: usize,
    pub(super) edges: Vec<Message>,
    pub(super) levels: Vec<Level>,
}

impl Merged {
    /// Merges vertices of a side, as long as they have at most `steps` edges together, if there are many of few edges.
    pub(super) fn new(lifted: &Lifted<'_>, steps: usize) -> Self {
        /// Tables may have so many entries for each edge.
        const SPARSE: usize = 8;
        let side = |count: u32, end: fn(&Message) -> u32| -> (Vec<u32>, usize) {
            if count as usize <= SPARSE * lifted.edges.len() / steps + 64 {
                return ((0..count).collect(), count as usize);
            }
            let mut degrees = vec![0; count as usize];
            lifted.edges.iter().for_each(|edge| degrees[end(edge) as usize] += 1);
            let (mut group, mut used) = (0, 0);
            let mut group_of = vec![0; count as usize];
            for (vertex, degree) in degrees.into_iter().enumerate() {
                if used + degree > steps {
                    group += 1;
                    used = 0;
                }
                used += degree;
                group_of[vertex] = group;
            }
            (group_of, group as usize + 1)
        };
        let (sender_of, senders) = side(lifted.senders, |edge| edge.from);
        let (receiver_of, receivers) = side(lifted.receivers, |edge| edge.to);
        let edges: Vec<Message> = (lifted.edges.iter())
            .map(|edge| Message {
                from: sender_of[edge.from as usize],
                to: receiver_of[edge.to as usize],
                length: edge.length,
            })
            .collect();
        let levels = threshold_degrees(senders as u32, receivers as u32, &edges);
        Self { senders, receivers, edges, levels }
    }
}
