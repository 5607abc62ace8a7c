//! Partners that mix the digits of the rank, as in the alignment of Cannon's algorithm, where each row is moved by its number.
//!
//! Such a partner f of a send has no inverse that could be computed. But who receives names whom from, and if that partner g undoes f
//! (g after f is the identity on the set, and f does not leave it), f permutes the set, because it is finite: then both sides have the
//! same pairs. Whether it does, crate `hsm` is asked: by algebra first, and Z3 for what is left.

use std::cell::RefCell;
use std::sync::Arc;

use hsm::{Endpoint, Overflow};
use lattice::{Constraints, Linear, Ranks};

use super::Engine;
use super::mixed::Mixed;
use super::need::Need;
use super::relation::Relation;
use super::state::ProcessSet;
use super::terms::Terms;
use super::value::Value;

/// Numbers that are tried as the inverse of a partner.
const CANDIDATES: usize = 8;
/// Cases that are told apart in a proof.
const CASES: usize = 4;
/// Units of work for one claim, and for all of a proof.
const LIMITS: (u64, u64) = (10_000_000, 40_000_000);
/// Answers that are kept.
const KEPT: usize = 64;

/// Two maps of a set of ranks to itself of which each undoes the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Permutation {
    /// From senders to receivers.
    pub(crate) there: Arc<Mixed>,
    pub(crate) back: Arc<Mixed>,
}

impl Permutation {
    /// With senders and receivers exchanged.
    pub(crate) fn reversed(&self) -> Self {
        Self { there: Arc::clone(&self.back), back: Arc::clone(&self.there) }
    }

    /// The expressions in the maps.
    pub(crate) fn numbers(&self) -> Vec<Linear> {
        [self.there.numbers(), self.back.numbers()].concat()
    }

    /// The maps with each expression in them replaced by an equal one.
    pub(crate) fn map(&self, map: &impl Fn(&Linear) -> Linear) -> Self {
        Self { there: self.there.map(map).into(), back: self.back.map(map).into() }
    }
}

/// The partner of a point-to-point operation in `MPI_COMM_WORLD`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    /// An expression over the rank of those who name it.
    Rank(Linear),
    /// A permutation of these ranks.
    Permuted(Ranks, Permutation),
}

impl Target {
    /// The pairs of a send to it.
    pub(crate) fn of_send(&self, senders: &Ranks, facts: &Constraints) -> Result<Relation, Need> {
        match self {
            Self::Rank(dest) => Relation::of_send(senders, dest, facts),
            Self::Permuted(ranks, permutation) if ranks == senders => {
                Ok(Relation::of_permutation(ranks, permutation.clone()))
            }
            Self::Permuted(..) => {
                Err(Need::give_up("some of the ranks that a partner permutes are elsewhere"))
            }
        }
    }

    /// The pairs of a receive from it.
    pub(crate) fn of_receive(&self, receivers: &Ranks, facts: &Constraints) -> Result<Relation, Need> {
        match self {
            Self::Rank(source) => Relation::of_receive(receivers, source, facts),
            Self::Permuted(..) => Ok(self.of_send(receivers, facts)?.reversed()),
        }
    }
}

/// What has been asked, with the answers.
#[derive(Debug, Default)]
pub(crate) struct Asked(RefCell<Vec<(Ranks, Permutation, Constraints, bool)>>);

impl Engine<'_> {
    /// The permutation that a partner is of the ranks of a set; its inverse is itself, or one of the numbers in a call or in memory.
    pub(crate) fn permuted(
        &self,
        set: &ProcessSet,
        partner: &Arc<Mixed>,
        given: &[Value],
        facts: &Constraints,
    ) -> Option<Target> {
        let held =
            set.memory.objects().flat_map(|(_, content)| content.cells.values().map(|(_, value)| value));
        let mut candidates: Vec<&Arc<Mixed>> = vec![partner];
        for value in given.iter().chain(held) {
            if let Value::Mixed(mixed) = value
                && !candidates.contains(&mixed)
                && candidates.len() < CANDIDATES
            {
                candidates.push(mixed);
            }
        }
        candidates.into_iter().find_map(|back| {
            let permutation = Permutation { there: Arc::clone(partner), back: Arc::clone(back) };
            let proved = self.is_permutation(&set.ranks, &permutation, facts);
            proved.then(|| Target::Permuted(set.ranks.clone(), permutation))
        })
    }

    fn is_permutation(&self, ranks: &Ranks, permutation: &Permutation, facts: &Constraints) -> bool {
        let mut asked = self.asked.0.borrow_mut();
        let known = asked.iter().find(|(r, p, f, _)| r == ranks && p == permutation && f == facts);
        if let Some((.., proved)) = known {
            return *proved;
        }
        let proved = self.proves(ranks, permutation, facts).unwrap_or(false);
        if asked.len() == KEPT {
            asked.remove(0);
        }
        asked.push((ranks.clone(), permutation.clone(), facts.clone(), proved));
        proved
    }

    fn proves(
        &self,
        ranks: &Ranks,
        permutation: &Permutation,
        facts: &Constraints,
    ) -> Result<bool, Overflow> {
        self.ground.questions.update(|questions| questions + 1);
        let mut terms = Terms::new(&self.symbols);
        let members = terms.ranks(ranks)?;
        let mut side = |partner: &Mixed| {
            Ok(Endpoint { ranks: members.clone(), partner: terms.mixed(partner, ranks.radices())? })
        };
        let (sends, receives) = (side(&permutation.there)?, side(&permutation.back)?);
        let reasoner = self.reasoner(terms.assumptions(facts)?, LIMITS);
        let answers = reasoner.by_cases(CASES, |case| case.matching(&sends, &receives, &Terms::rank()));
        Ok(!answers.is_empty()
            && answers.iter().all(|answer| answer.as_ref().is_ok_and(|exact| exact.value.is_complete())))
    }
}
