//! The total exchange that ScaLAPACK uses (Prylli and Tourancheau 1996), as a baseline (sections 3.2 and 5).

use super::{Schedule, Step};
use crate::grid::Grid;

/// The most steps that are worth their memory: callers ask for no caterpillar of more processes.
pub const LONGEST_CATERPILLAR: u32 = 1 << 22;

/// In step d, each process p sends to `(p - d) mod max(P, Q)`, if it has something to send and there is such a process.
///
/// Steps in which nobody sends are steps all the same, as in Table 19: there are max(P, Q) of them, and each takes memory (see [`LONGEST_CATERPILLAR`]).
pub fn caterpillar(grid: &Grid) -> Schedule {
    let processes = grid.senders().max(grid.receivers());
    let mut steps = vec![Step::default(); if grid.messages().is_empty() { 0 } else { processes as usize }];
    for message in grid.messages() {
        let number = (message.from + processes - message.to) % processes;
        steps[number as usize].messages.push(*message);
    }
    Schedule { steps }
}
