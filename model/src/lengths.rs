//! Whether messages fit into their receives, and whether all that make a collective call name the same amount of data.
//!
//! A receive may have more room than its message needs, and not less (MPI-4.1 section 3.2.4). What a process sends to another one in a
//! collective operation is as much as that one receives from it (sections 6.4 to 6.11).

use std::collections::BTreeSet;

use presburger::Relation;

use crate::error::Result;
use crate::matching::Matching;
use crate::operation::Program;

/// What is known of the lengths of messages of one send and one receive.
#[derive(Clone, Debug)]
pub enum Fit {
    /// Each message fits.
    Shown,
    /// Some do not: from each of these sends to the receives that it may meet.
    TooLong(Relation),
    /// One of the lengths is not known.
    Open,
}

/// A send and a receive that meet, by their indices in [`Program::operations`], and whether the messages fit.
#[derive(Clone, Debug)]
pub struct Room {
    /// The send.
    pub send: usize,
    /// The receive.
    pub receive: usize,
    /// Whether its messages fit.
    pub fit: Fit,
}

impl Matching {
    /// Whether each message fits into each receive that it may meet. `lengths`: from each instance of an operation to the length of its
    /// message, in the order of [`Program::operations`]; nothing where it is not known.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn rooms(&self, program: &Program, lengths: &[Option<Relation>]) -> Result<Vec<Room>> {
        let named = program.by_name()?;
        let mut all = Vec::new();
        for (from, to, meets) in self.candidates.parts()? {
            let (Some(&send), Some(&receive)) = (named.get(&from.name), named.get(&to.name)) else {
                continue;
            };
            let fit = match (&lengths[send], &lengths[receive]) {
                (Some(sent), Some(room)) => {
                    let meets = meets.intersect_parameters(&program.known)?;
                    // What has no length is not known.
                    let is_known = meets.domain()?.is_subset(&sent.domain()?)?
                        && meets.range()?.is_subset(&room.domain()?)?;
                    let too_long = meets.intersect(&room.lex_lt(sent)?.inverse()?)?;
                    match (is_known, too_long.is_empty()?) {
                        (false, _) => Fit::Open,
                        (true, true) => Fit::Shown,
                        (true, false) => Fit::TooLong(too_long),
                    }
                }
                _ => Fit::Open,
            };
            all.push(Room { send, receive, fit });
        }
        all.sort_by_key(|room| (room.send, room.receive));
        Ok(all)
    }
}

impl Program {
    /// The collective operations of which it is not shown that all that make a call name the same amounts. `together` is as in
    /// [`Self::collectives`]; `amounts`: from each instance of an operation to all that it names, in the order of [`Self::operations`];
    /// nothing where they are not known.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn with_open_amounts(
        &self,
        together: &Relation,
        amounts: &[Option<Relation>],
    ) -> Result<BTreeSet<usize>> {
        let named = self.by_name()?;
        let mut open: BTreeSet<usize> = BTreeSet::new();
        let mut all = Relation::empty(self.known.context())?;
        for amount in amounts.iter().flatten() {
            all = all.union(amount)?;
        }
        let all = all.intersect_parameters(&self.known)?;
        for (from, to, pairs) in together.parts()? {
            let (Some(&one), Some(&other)) = (named.get(&from.name), named.get(&to.name)) else {
                continue;
            };
            if amounts[one].is_none() || amounts[other].is_none() {
                open.insert(one);
                continue;
            }
            let (of_one, of_other) = (&all.intersect_domain(&pairs.domain()?)?, pairs.apply_range(&all)?);
            if !of_one.union(&of_other)?.is_single_valued()? {
                open.insert(one);
            }
        }
        Ok(open)
    }
}
