//! The least cost of a schedule of few messages, by trying all.

use redistribution::{Grid, Message};

/// The least total cost of all schedules of at most `steps` steps; `None` if more than `limit` places of messages would have to be tried.
///
/// Messages are placed longest first, so only the first one of a step costs anything. Steps that are empty are all alike.
pub(crate) fn least_cost(grid: &Grid, steps: usize, limit: u64) -> Option<u64> {
    let mut messages = grid.messages().to_vec();
    messages.sort_by_key(|message| std::cmp::Reverse(message.length));
    let mut search = Search {
        messages,
        sends: vec![0; steps],
        receives: vec![0; steps],
        open: 0,
        least: u64::MAX,
        left: limit,
    };
    assert!(grid.senders() <= 64 && grid.receivers() <= 64, "processes are bits");
    search.place(0, 0)?;
    Some(search.least)
}

struct Search {
    messages: Vec<Message>,
    /// Which processes send in each step, as bits.
    sends: Vec<u64>,
    receives: Vec<u64>,
    open: usize,
    least: u64,
    left: u64,
}

impl Search {
    fn place(&mut self, index: usize, cost: u64) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        if cost >= self.least {
            return Some(());
        }
        let Some(Message { from, to, length }) = self.messages.get(index).copied() else {
            self.least = cost;
            return Some(());
        };
        let (from, to) = (1 << from, 1 << to);
        for step in 0..(self.open + 1).min(self.sends.len()) {
            if self.sends[step] & from != 0 || self.receives[step] & to != 0 {
                continue;
            }
            let opens = step == self.open;
            self.open += usize::from(opens);
            self.sends[step] |= from;
            self.receives[step] |= to;
            self.place(index + 1, if opens { cost + length } else { cost })?;
            self.sends[step] &= !from;
            self.receives[step] &= !to;
            self.open -= usize::from(opens);
        }
        Some(())
    }
}
