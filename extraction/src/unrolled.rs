//! Loops of few rounds that are followed one after the other: `for (int i = 0; i < 4; i++) MPI_Isend(.., neighbour[i], ..)`.
//!
//! Where ranks have digits, what a round takes out of an array may have a form of its own in each round, and no form for any round. So has
//! the number of what was done in rounds before.

use frontend::ir::Span;

use crate::error::Result;
use crate::extract::{Extractor, Leaving, Part};
use crate::form::Form;
use crate::state::State;

/// Rounds that are followed one after the other, at most.
const ROUNDS: u32 = 8;

impl Extractor<'_> {
    /// Follows the rounds of a loop, which is in no loop whose rounds are counted, one after the other. `None` where there may be more than a few, or rounds ask whether something has
    /// happened.
    pub(crate) fn unrolled(
        &mut self,
        part: Part<'_>,
        entry: &State,
        position: Vec<Form>,
    ) -> Result<Option<Leaving>> {
        let outer = std::mem::replace(&mut self.prefix, position);
        let asked = self.asked.len();
        let mut leaving = Leaving::default();
        let mut next = Some(entry.clone());
        for round in 0..=ROUNDS {
            let Some(head) = next.take() else { break };
            self.prefix.push(Form::number(round.into()));
            self.next_text.push(0);
            // What nobody knows may differ by round: it is found in another place.
            self.calls.push(Span { start: u32::MAX, end: round });
            self.unrolled_loops += 1;
            let left = self.walk(part, part.header(), head);
            self.unrolled_loops -= 1;
            self.calls.pop();
            self.next_text.pop();
            self.prefix.pop();
            let left = left?;
            for (at, (block, state)) in left.out {
                let mut joined = leaving.out.remove(&at).map(|(_, known)| known);
                self.join_into(&mut joined, state, Some((part.frame.number, block)))?;
                leaving.out.extend(joined.map(|state| (at, (block, state))));
            }
            if let Some(state) = left.returned {
                self.join_into(&mut leaving.returned, state, None)?;
            }
            next = left.back;
        }
        self.prefix = outer;
        Ok(Some(leaving).filter(|_| next.is_none() && self.asked.len() == asked))
    }
}
