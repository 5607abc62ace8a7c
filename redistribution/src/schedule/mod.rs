//! Schedules: messages in steps (section 4.3.1).

mod best;
mod caterpillar;
mod classes;
mod coloring;
mod lifted;
mod matching;
mod peel;
mod random;
mod table;

pub use best::{Solution, best, best_of_steps, pareto};
pub use caterpillar::{LONGEST_CATERPILLAR, caterpillar};
pub use classes::class_by_class;
pub(crate) use lifted::Lifted;
pub use peel::{greedy, matching_work, stepwise};

use serde::Serialize;
use thiserror::Error;

use crate::grid::{Grid, Message};
use crate::numbering::Numbering;

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
        let mut all: Vec<Message> = self.steps.iter().flat_map(|step| &step.messages).copied().collect();
        all.sort_unstable();
        if all != grid.messages() {
            return Err(Violation::NotTheMessages);
        }
        let senders = Numbering::of(all.iter().map(|message| message.from), grid.senders());
        let receivers = Numbering::of(all.iter().map(|message| message.to), grid.receivers());
        let mut last_sent = vec![usize::MAX; senders.count() as usize];
        let mut last_received = vec![usize::MAX; receivers.count() as usize];
        for (number, step) in self.steps.iter().enumerate() {
            for message in &step.messages {
                let sent = &mut last_sent[senders.number(message.from) as usize];
                if std::mem::replace(sent, number) == number {
                    return Err(Violation::SendsTwice { step: number, process: message.from });
                }
                let received = &mut last_received[receivers.number(message.to) as usize];
                if std::mem::replace(received, number) == number {
                    return Err(Violation::ReceivesTwice { step: number, process: message.to });
                }
            }
        }
        Ok(())
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
