//! What comes out of a program: its communication, and what it says at one number of processes.

use std::collections::BTreeMap;

use model::{Digits, Matching, Program};
use presburger::{Instance, Relation};

use crate::assumption::Assumption;
use crate::digits::with_np;
use crate::error::Result;
use crate::event::CallSite;
use crate::payload::{Count, Payload};

/// The communication of a program.
#[derive(Debug)]
pub struct Extracted {
    /// Messages, for any number of processes: the parameter `np`.
    pub program: Program,
    /// The calls of the operations of the program, in their order.
    pub sites: Vec<CallSite>,
    /// What the calls carry, in the same order.
    pub payloads: Vec<Payload>,
    /// From each instance of an operation to the bytes of its message, or to all numbers of bytes that have to be the same for all that
    /// make a collective call; in the same order. `None` where they are not known.
    pub lengths: Vec<Option<Relation>>,
    /// Whether it is shown that the buffers of an operation are as long as it says; in the same order.
    pub in_buffers: Vec<bool>,
    /// Whether there are calls besides, with buffers of their own.
    pub has_other_buffers: bool,
    /// Communicators by their numbers in the program: that of all first, each other one with the communicator that it was made of and the
    /// call that made it.
    pub communicators: Vec<Option<(usize, CallSite)>>,
    /// The least number of processes that the program is for: with less, some other side of a message is no rank.
    pub least: i64,
    /// What is assumed.
    pub assumptions: Vec<Assumption>,
    /// What the program calls the parameters of [`Self::program`].
    pub names: BTreeMap<String, String>,
    /// How ranks are written, where processes have several coordinates.
    pub digits: Option<Digits>,
    /// Parameters that loops multiply.
    pub multiplied: Vec<Multiples>,
    /// Parameters that are written with digits, by the names of the numbers.
    pub written: BTreeMap<String, Vec<String>>,
}

/// A parameter that is one of the numbers that a loop comes to by multiplication: after the loop, or in any of its rounds.
#[derive(Clone, Debug)]
pub struct Multiples {
    /// The parameter.
    pub parameter: String,
    /// The first of the numbers.
    pub first: i64,
    /// By how much each of them is multiplied.
    pub factor: i64,
    /// The part of the program that is described for any round, as [`model::Optional`] has it, and the parameter that is the number of the
    /// round; nothing after the loop.
    pub rounds: Option<(usize, String)>,
}

/// A message for one choice of the parameters.
#[derive(Clone, Debug)]
pub struct Message<'a> {
    /// The rank that sends.
    pub from: i64,
    /// The rank that receives.
    pub to: i64,
    /// The call that sends.
    pub send: &'a CallSite,
    /// The call that receives.
    pub receive: &'a CallSite,
    /// The send, by its index in [`Extracted::sites`].
    pub number: usize,
    /// Its tag.
    pub tag: Option<i64>,
    /// How many elements it has.
    pub count: Option<i64>,
}

impl Extracted {
    /// Values of the parameters with so many processes, given those of the others: of all inputs and of the widths of digits.
    #[must_use]
    pub fn values(&self, np: i64, others: &BTreeMap<String, i64>) -> BTreeMap<String, i64> {
        let mut values = others.clone();
        with_np(self.digits.as_ref(), np, &mut values);
        for (number, digits) in &self.written {
            if let (Some(&number), Some(Digits { widths, .. })) = (values.get(number), &self.digits) {
                let written = Digits { widths: widths.clone(), count: digits.clone() };
                with_np(Some(&written), number, &mut values);
            }
        }
        values
    }

    /// The rank of a process with these coordinates. `None` where the width of a digit is not known, or the number is too large.
    #[must_use]
    pub fn rank(&self, coordinates: &[i64], values: &BTreeMap<String, i64>) -> Option<i64> {
        let (&first, others) = coordinates.split_first()?;
        let widths = self.digits.as_ref().map_or(&[][..], |digits| &digits.widths);
        others.iter().zip(widths).try_fold(first, |number, (digit, width)| {
            number.checked_mul(*values.get(width)?)?.checked_add(*digit)
        })
    }

    /// The messages of a matching for these values of the parameters, `most` of them at most.
    ///
    /// # Errors
    ///
    /// Those of integer sets: above all, that there are more messages.
    pub fn messages(
        &self,
        matching: &Matching,
        values: &BTreeMap<String, i64>,
        most: usize,
    ) -> Result<Vec<Message<'_>>> {
        let nothing = || Relation::empty(self.program.known().context());
        let (mut processes, mut tags, mut counts) = (nothing()?, nothing()?, nothing()?);
        for (operation, payload) in self.program.operations().iter().zip(&self.payloads) {
            processes = processes.union(&operation.process)?;
            if operation.is_send() {
                tags = tags.union(&operation.tag)?;
                if let Count::Of(count) = &payload.count
                    && count.parameters()?.iter().all(|name| values.contains_key(name))
                {
                    counts = counts.union(count)?;
                }
            }
        }
        let numbers = |relation: &Relation| -> Result<BTreeMap<Instance, i64>> {
            let pairs = relation.fix_parameters(values)?.pairs(most)?.into_iter();
            Ok(pairs.filter_map(|pair| Some((pair.from, self.rank(&pair.to.coordinates, values)?))).collect())
        };
        let (processes, tags, counts) = (numbers(&processes)?, numbers(&tags)?, numbers(&counts)?);
        let end = |instance: &Instance| {
            let number = instance.name.get(1..)?.parse::<usize>().ok()?;
            Some((*processes.get(instance)?, number, self.sites.get(number)?))
        };
        let pairs = matching.meets.fix_parameters(values)?.pairs(most)?;
        Ok(pairs
            .iter()
            .filter_map(|pair| {
                let ((from, number, send), (to, _, receive)) = (end(&pair.from)?, end(&pair.to)?);
                let [tag, count] = [&tags, &counts].map(|of| of.get(&pair.from).copied());
                Some(Message { from, to, send, receive, number, tag, count })
            })
            .collect())
    }
}
