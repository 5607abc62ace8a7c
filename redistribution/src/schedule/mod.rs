//! Schedules: messages in steps (section 4.3.1).

mod best;
mod caterpillar;
mod classes;
mod coloring;
mod lifted;
mod matching;
mod merge;
mod peel;
mod random;

pub use best::{Solution, best, best_of_steps, pareto};
pub use caterpillar::caterpillar;
pub use classes::class_by_class;
pub(crate) use lifted::Lifted;
pub use peel::{greedy, matching_work, stepwise};

use serde::Serialize;
use thiserror::Error;

use crate::grid::{Grid, Message};

/// Messages that are under way at the same time: each process sends at most one and receives at most one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The messages, by sender.
    pub messages: Vec<Message>,
}

impl Step {
    /// The longest message, in elements; 0 if there is none.
    pub fn cost(&self) -> u64 {
        self.messages.iter().map(|message| message.length).max().unwrap_or(0)
    }
}

/// All messages of a grid, each in one step. Local copies are in none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The steps in the order in which they are taken.
    pub steps: Vec<Step>,
}

impl Schedule {
    /// NS: how many steps.
    pub fn number_of_steps(&self) -> usize {
        self.steps.len()
    }

    /// TC: the sum of the costs of the steps, in elements.
    ///
    /// It is at most the sum of all lengths, so it fits where the grid belongs to an array.
    pub fn total_cost(&self) -> u64 {
        self.steps.iter().map(Step::cost).sum()
    }

    /// `alpha * NS + beta * TC`: the time it takes where a message of n elements takes `alpha + beta * n`.
    pub fn time(&self, alpha: f64, beta: f64) -> f64 {
        alpha * self.number_of_steps() as f64 + beta * self.total_cost() as f64
    }

    /// Checks by definition that this is a schedule of that grid.
    ///
    /// # Errors
    ///
    /// What is wrong first.
    pub fn check(&self, grid: &Grid) -> Result<(), Violation> {
        let mut all: Vec<Message> = Vec::with_capacity(grid.messages().len());
        let mut last_sent = vec![usize::MAX; grid.senders() as usize];
        let mut last_received = vec![usize::MAX; grid.receivers() as usize];
        for (number, step) in self.steps.iter().enumerate() {
            for message in &step.messages {
                let (from, to) = (message.from as usize, message.to as usize);
                if from >= last_sent.len() || to >= last_received.len() {
                    return Err(Violation::NotTheMessages);
                }
                if std::mem::replace(&mut last_sent[from], number) == number {
                    return Err(Violation::SendsTwice { step: number, process: message.from });
                }
                if std::mem::replace(&mut last_received[to], number) == number {
                    return Err(Violation::ReceivesTwice { step: number, process: message.to });
                }
            }
            all.extend(&step.messages);
        }
        all.sort_unstable();
        if all == grid.messages() { Ok(()) } else { Err(Violation::NotTheMessages) }
    }
}

/// Why something is no schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Violation {
    /// One process sends two messages in one step.
    #[error("process {process} sends twice in step {step}")]
    SendsTwice {
        /// Which step, from 0.
        step: usize,
        /// Which sender.
        process: u32,
    },
    /// One process receives two messages in one step.
    #[error("process {process} receives twice in step {step}")]
    ReceivesTwice {
        /// Which step, from 0.
        step: usize,
        /// Which receiver.
        process: u32,
    },
    /// A message is missing, comes twice, or is none of the grid.
    #[error("the messages of the steps are not those of the grid, each once")]
    NotTheMessages,
}
