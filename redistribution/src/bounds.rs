//! What every schedule takes at least.

use serde::Serialize;

use crate::grid::{Grid, Message};
use crate::numbering::Numbering;

/// Lower bounds for every schedule of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bounds {
    /// The most messages that one process sends or receives. There always is a schedule of so many steps (Theorem 1, by König).
    pub number_of_steps: usize,
    /// The threshold bound: each length adds the most messages of at least that length that one process sends or receives.
    ///
    /// As many steps as that cost at least that length. It is at least what any one process sends or receives in all.
    pub total_cost: u64,
}

/// The bounds of a grid, in the time it takes to sort the messages by length.
pub fn bounds(grid: &Grid) -> Bounds {
    let mut messages = grid.messages().to_vec();
    messages.sort_unstable_by_key(|message| std::cmp::Reverse(message.length));
    let degrees = threshold_degrees(grid.senders(), grid.receivers(), &messages);
    Bounds { number_of_steps: degrees.last().map_or(0, |level| level.degree), total_cost: cost_of(&degrees) }
}

/// The maximum degree of the graph of all messages of at least this length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) length: u64,
    pub(crate) degree: usize,
}

/// A level for each length that occurs, longest first; `messages` must be in that order.
pub(crate) fn threshold_degrees(senders: u32, receivers: u32, messages: &[Message]) -> Vec<Level> {
    let senders = Numbering::of(messages.iter().map(|message| message.from), senders);
    let receivers = Numbering::of(messages.iter().map(|message| message.to), receivers);
    let mut sent = vec![0_usize; senders.count() as usize];
    let mut received = vec![0_usize; receivers.count() as usize];
    let mut degree = 0;
    let mut levels: Vec<Level> = Vec::new();
    for message in messages {
        let sent = &mut sent[senders.number(message.from) as usize];
        let received = &mut received[receivers.number(message.to) as usize];
        *sent += 1;
        *received += 1;
        degree = degree.max(*sent).max(*received);
        match levels.last_mut() {
            Some(level) if level.length == message.length => level.degree = degree,
            _ => levels.push(Level { length: message.length, degree }),
        }
    }
    levels
}

/// The sum over all lengths of the degrees: a degree counts for all lengths from the next shorter one that occurs up to its own.
pub(crate) fn cost_of(levels: &[Level]) -> u64 {
    let shorter = levels.iter().skip(1).map(|level| level.length).chain([0]);
    // At most the sum of all lengths, so it fits.
    levels.iter().zip(shorter).map(|(level, shorter)| (level.length - shorter) * level.degree as u64).sum()
}
