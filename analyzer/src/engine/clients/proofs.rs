//! Proofs of matches that were found by the algebra of digits: each is asked for once more, of crate `hsm`, which knows nothing of how the
//! engine came to it. For those who want to see why an answer is exact.

use std::time::Instant;

use hsm::{Endpoint, Exact, Matching, Overflow, Reasoner};
use lattice::{Constraints, Ranks};

use super::{Client, Match};
use crate::engine::Engine;
use crate::engine::join::Join;
use crate::engine::mixed::Mixed;
use crate::engine::relation::Relation;
use crate::engine::state::{SiteId, Wanted};
use crate::engine::terms::Terms;
use crate::results::{MatchProof, Proved};

/// Matches that are looked at.
const MATCHES: usize = 256;
/// Cases that are told apart in one of them.
const CASES: usize = 8;
/// Units of work for one claim, and for all of a match.
const LIMITS: (u64, u64) = (800_000, 40_000_000);

/// The client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proofs {
    wanted: bool,
    matches: Vec<Noted>,
}

/// A send and a receive from a known source, and what they have in common.
#[derive(Clone, Debug)]
struct Noted {
    sites: (SiteId, SiteId),
    sent: Relation,
    received: Relation,
    taken: Relation,
    facts: Constraints,
}

impl Client for Proofs {
    type Set = ();
    type Cargo = ();
    type Path = ();
    type Shape = ();

    fn matched(&mut self, (): &mut (), (): &(), matched: &Match<'_>) {
        let Wanted::From(received) = matched.wanted else { return };
        let sites = (matched.envelope.site, matched.incoming.filter.site);
        let known = |noted: &Noted| {
            noted.sites == sites && noted.sent == *matched.sent && noted.received == *received
        };
        if !self.wanted || MATCHES <= self.matches.len() || self.matches.iter().any(known) {
            return;
        }
        self.matches.push(Noted {
            sites,
            sent: matched.sent.clone(),
            received: received.clone(),
            taken: matched.relation.clone(),
            facts: matched.facts.clone(),
        });
    }

    fn generalise(&mut self, (): &(), (): &(), _: &mut Join<'_>) -> Option<()> {
        Some(())
    }

    fn shape((): &()) {}
}

impl Proofs {
    pub(crate) fn new(wanted: bool) -> Self {
        Self { wanted, matches: Vec::new() }
    }

    /// The proofs, in the order in which the matches were found; `None` where none were asked for. Where one side has several partners
    /// for one process, as the sends of a loop together, there is no map to speak of.
    pub(crate) fn report(&self, engine: &Engine<'_>) -> Option<Vec<MatchProof>> {
        self.wanted.then(|| self.matches.iter().filter_map(|noted| noted.prove(engine)).collect())
    }
}

impl Noted {
    fn prove(&self, engine: &Engine<'_>) -> Option<MatchProof> {
        let permuted = self.sent.permutation().zip(self.received.permutation());
        let plain = self.sent.receiver_of_sender().zip(self.received.sender_of_receiver());
        if permuted.is_none() && plain.is_none() {
            return None;
        }
        let mut terms = Terms::new(&engine.symbols);
        let start = Instant::now();
        let mut ask = || -> Result<_, Overflow> {
            let (senders, receivers) = (self.sent.senders(), self.received.receivers());
            let mut mixed = |ranks: &Ranks, partner: &Mixed| {
                Ok(Endpoint { ranks: terms.ranks(ranks)?, partner: terms.mixed(partner, ranks.radices())? })
            };
            let (sends, receives) = match (&permuted, &plain) {
                (Some((sent, received)), _) => {
                    (mixed(&senders, &sent.there)?, mixed(&receivers, &received.back)?)
                }
                (_, Some((to, from))) => (terms.endpoint(&senders, to)?, terms.endpoint(&receivers, from)?),
                (None, None) => return Ok(None),
            };
            let taken = (terms.ranks(&self.taken.senders())?, terms.ranks(&self.taken.receivers())?);
            let reasoner = engine.reasoner(terms.assumptions(&self.facts)?, LIMITS);
            let answers = reasoner.by_cases(CASES, |case| case.matching(&sends, &receives, &Terms::rank()));
            Ok(Some((sends, receives, taken, reasoner, answers)))
        };
        let site = |site| engine.site_result(site);
        let proof = |proved: Proved, steps: Vec<String>| MatchProof {
            send: site(self.sites.0),
            recv: site(self.sites.1),
            proved,
            steps,
            seconds: start.elapsed().as_secs_f64(),
        };
        let Ok(asked) = ask() else {
            return Some(proof(Proved::Open("numbers exceed 128 bits".to_owned()), Vec::new()));
        };
        let (sends, receives, taken, reasoner, answers) = asked?;
        let mut steps = vec![
            format!("send:    {} to {}", sends.ranks, sends.partner),
            format!("receive: {} from {}", receives.ranks, receives.partner),
        ];
        steps.extend(reasoner.assumptions().stated().iter().map(|fact| format!("known:   {fact}")));
        // The engine may have excluded cases by what has no form here: one where they agree will do.
        let (mut by_prover, mut refuted, mut open) = (false, !answers.is_empty(), None);
        for answer in &answers {
            match answer {
                Ok(exact) => {
                    by_prover |= exact.proof.uses_prover();
                    steps.extend(exact.proof.0.iter().map(ToString::to_string));
                    steps.extend(outcome(exact));
                    refuted &= contradicts(&reasoner, exact, &taken);
                }
                Err(failure) => {
                    steps.extend(failure.proof.0.iter().map(ToString::to_string));
                    refuted = false;
                    open = Some(failure.to_string());
                }
            }
        }
        let proved = match open {
            _ if refuted => Proved::Refuted,
            Some(why) => Proved::Open(why),
            None if by_prover => Proved::ByProver,
            None => Proved::ByAlgebra,
        };
        Some(proof(proved, steps))
    }
}

/// Who matches whom, in words.
fn outcome(exact: &Exact<Matching>) -> Vec<String> {
    let Matching { matched, unmatched_senders, unmatched_receivers } = &exact.value;
    let pairs = matched.iter().map(|pairs| format!("matched: {} with {}", pairs.senders, pairs.receivers));
    let left = |what: &str, ranks: &hsm::DigitBox| format!("left over of those who {what}: {ranks}");
    let senders = unmatched_senders.iter().map(|ranks| left("send", ranks));
    let receivers = unmatched_receivers.iter().map(|ranks| left("receive", ranks));
    pairs.chain(senders).chain(receivers).collect()
}

/// Whether somebody who is matched according to the engine certainly is not.
fn contradicts(
    reasoner: &Reasoner<'_>,
    exact: &Exact<Matching>,
    taken: &(hsm::DigitBox, hsm::DigitBox),
) -> bool {
    let reasoner = reasoner.under(exact.assumptions.clone());
    let meets = |ranks: &hsm::DigitBox, left: &[hsm::DigitBox]| {
        left.iter().any(|left| {
            let common = reasoner.intersect(ranks, left);
            common
                .is_ok_and(|c| c.value.inside.iter().any(|ranks| reasoner.is_empty(ranks) == hsm::Truth::No))
        })
    };
    meets(&taken.0, &exact.value.unmatched_senders) || meets(&taken.1, &exact.value.unmatched_receivers)
}
