//! What an analysis may do without, to see what it is good for.

use hsm::{Assumptions, Reasoner, Standard};

use super::{Engine, Without};

impl Engine<'_> {
    /// Whether the rank is taken apart by what the program divides it by.
    pub(crate) fn divides(&self) -> bool {
        self.without != Some(Without::DigitBoxes)
    }

    /// Who answers questions of crate `hsm`, with so much work for one claim and for all of a question.
    pub(crate) fn reasoner(&self, assumptions: Assumptions, limits: (u64, u64)) -> Reasoner<'static> {
        let reasoner = Reasoner::new(assumptions);
        match self.without {
            Some(Without::Z3) => reasoner,
            Some(Without::CanonicalForms) => {
                reasoner.with_prover(&Standard, limits.0, limits.1).without_canonical_forms()
            }
            _ => reasoner.with_prover(&Standard, limits.0, limits.1),
        }
    }
}
