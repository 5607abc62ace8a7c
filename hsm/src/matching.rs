//! Which senders match which receivers.

use std::rc::Rc;

use crate::cell::Cell;
use crate::digit_box::DigitBox;
use crate::evaluate::evaluate;
use crate::expr::{Fact, Relation, Symbol, Term};
use crate::judge::Judge;
use crate::obstacle::Stop;
use crate::partition::{by_membership, by_relation};
use crate::polynomial::Polynomial;
use crate::proof::{Proof, Rule, Step};
use crate::reasoner::{Answered, Exact, Failure, Piece, Reasoner, boxes, in_order, maps};

/// One side of a communication: the ranks that take part, and with whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The ranks.
    pub ranks: DigitBox,
    /// The rank of the partner, a term over the own rank and uniform symbols.
    pub partner: Term,
}

/// Senders and receivers that match one to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// All of these send ...
    pub senders: DigitBox,
    /// ... and all of these receive.
    pub receivers: DigitBox,
    /// The senders, and to whom each of them sends. `None` where that has no digits, as in `(column - row + n) % n`: then the
    /// partner's term tells.
    pub pairs: Option<Piece>,
}

/// The pairs of a sender and a receiver of which each names the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    /// Together, all such pairs. Disjoint in their senders and in their receivers.
    pub matched: Vec<Matched>,
    /// The senders that are in no pair.
    pub unmatched_senders: Vec<DigitBox>,
    /// The receivers that are in no pair.
    pub unmatched_receivers: Vec<DigitBox>,
}

impl Matching {
    /// Whether nobody is left over (among ranks that there certainly are).
    pub fn is_complete(&self) -> bool {
        self.unmatched_senders.is_empty() && self.unmatched_receivers.is_empty()
    }
}

impl Reasoner<'_> {
    /// Who of the senders matches whom of the receivers: all pairs `(s, r)` of a sender and a receiver with
    /// `sends.partner` at `s` equal to `r` and `receives.partner` at `r` equal to `s`. In both terms, `rank` is the own rank.
    ///
    /// Let f be the partner of a sender and g that of a receiver. The senders in a pair are those with f(s) among the
    /// receivers and g(f(s)) = s: the largest part on which the composition is the identity. It makes f injective there, so
    /// that counting shows whether all receivers are hit.
    pub fn matching(&self, sends: &Endpoint, receives: &Endpoint, rank: &Symbol) -> Answered<Matching> {
        let failure = match self.ask(|judge| match_algebraically(judge, sends, receives, rank)) {
            Err(failure) => failure,
            exact => return exact,
        };
        self.match_all(sends, receives, rank, failure)
    }

    /// All match all, if the composition is shown to be the identity as a whole, without digits, and there are as many
    /// senders as receivers.
    fn match_all(
        &self,
        sends: &Endpoint,
        receives: &Endpoint,
        rank: &Symbol,
        mut failure: Box<Failure>,
    ) -> Answered<Matching> {
        // With as few digits as possible: what is not told digit by digit is easier to prove.
        let plain = |judge: &Rc<Judge<'_>>, ranks: &DigitBox| {
            let mut cell = ranks.cell(judge)?;
            cell.merge(judge)?;
            DigitBox::of_sequence(judge, &cell.sequence(0))
        };
        let sides = self.under(failure.assumptions.clone()).ask(|judge| {
            let sides = (plain(judge, &sends.ranks)?, plain(judge, &receives.ranks)?);
            let as_many = judge.equal(&sides.0.cardinality()?, &sides.1.cardinality()?)?;
            Ok(as_many.then_some(sides))
        });
        let Ok(Exact { value: Some((senders, receivers)), .. }) = sides else { return Err(failure) };
        // The composition is the identity, on the set that it begins in, and goes through the other one.
        let undoes = |there: &Term, through: &DigitBox, back: &Term| {
            let composed = back.substitute(rank, there).ok()?;
            Some(Fact::all([through.membership(there), Fact::eq(composed, rank.clone())]))
        };
        // As many: each of two maps undoes the other if one does.
        let way =
            |ranks: &DigitBox, goal: Option<Fact>| Some((ranks.membership(&rank.clone().into()), goal?));
        let there = way(&senders, undoes(&sends.partner, &receivers, &receives.partner));
        let back = way(&receivers, undoes(&receives.partner, &senders, &sends.partner));
        let ways: Vec<(Fact, Fact)> = there.into_iter().chain(back).collect();
        let Some((means, goal)) = self.settle(&ways, &mut failure) else { return Err(failure) };
        let steps = vec![
            Step::Query { claim: goal, means },
            Step::Rule { rule: Rule::Counting, by: None, value: receives.ranks.ranks() },
        ];
        let all = Matched { senders: sends.ranks.clone(), receivers: receives.ranks.clone(), pairs: None };
        let value =
            Matching { matched: vec![all], unmatched_senders: Vec::new(), unmatched_receivers: Vec::new() };
        let Failure { assumptions, statistics, .. } = *failure;
        Ok(Exact { value, assumptions, proof: Proof(steps), statistics })
    }
}

fn match_algebraically(
    judge: &Rc<Judge<'_>>,
    sends: &Endpoint,
    receives: &Endpoint,
    rank: &Symbol,
) -> Result<Matching, Stop> {
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    receives.ranks.cell(judge)?;
    for mut cell in evaluate(judge, sends.ranks.cell(judge)?, &sends.partner, rank, 0)? {
        cell.merge(judge)?;
        judge.bench().note(maps(&sends.partner, &piece(&cell, 0, 1)));
        let receiver = cell.top().clone();
        cell.push(receiver);
        let parts = by_membership(judge, cell, &receives.ranks)?;
        outside.extend(parts.outside);
        for mut cell in parts.inside {
            cell.merge(judge)?;
            for mut cell in evaluate(judge, cell, &receives.partner, rank, 1)? {
                cell.merge(judge)?;
                judge.bench().note(maps(&receives.partner, &piece(&cell, 1, 2)));
                let difference = cell.pop().sub(&cell.values[0])?;
                cell.push(difference);
                let parts = by_relation(judge, cell, Relation::Equal)?;
                inside.extend(parts.inside);
                outside.extend(parts.outside);
            }
        }
    }
    let mut matched = Vec::new();
    for mut cell in inside {
        if judge.within(&cell.counts)?.is_none() {
            continue;
        }
        cell.merge(judge)?;
        let pairs = piece(&cell, 0, 1);
        let senders = DigitBox::of_sequence(judge, &pairs.ranks)?;
        let receivers = DigitBox::of_sequence(judge, &pairs.values)?;
        judge
            .bench()
            .note(Step::Conclusion(format!("{senders} match {receivers}: the composition is the identity")));
        matched.push(Matched { senders, receivers, pairs: Some(pairs) });
    }
    let matched = in_order(judge, matched, |pairs: &Matched| &pairs.senders)?;
    let unmatched_receivers = left_over(judge, &receives.ranks, &matched)?;
    Ok(Matching { matched, unmatched_senders: boxes(judge, &outside)?, unmatched_receivers })
}

fn piece(cell: &Cell, ranks: usize, values: usize) -> Piece {
    Piece { ranks: cell.sequence(ranks), values: cell.sequence(values) }
}

/// The receivers that are in no pair.
fn left_over(
    judge: &Rc<Judge<'_>>,
    receivers: &DigitBox,
    matched: &[Matched],
) -> Result<Vec<DigitBox>, Stop> {
    let count = |sum: Polynomial, pairs: &Matched| sum.add(&pairs.senders.cardinality()?);
    let sum = matched.iter().try_fold(Polynomial::zero(), count)?;
    if judge.equal(&sum, &receivers.cardinality()?)? {
        // The receivers of all pairs are different: each has its own sender.
        judge.bench().note_rule(Rule::Counting, None, receivers.ranks());
        return Ok(Vec::new());
    }
    let mut open = vec![receivers.cell(judge)?];
    for pairs in matched {
        let mut rest = Vec::new();
        for mut cell in open {
            let rank = cell.top().clone();
            cell.push(rank);
            rest.extend(by_membership(judge, cell, &pairs.receivers)?.outside);
        }
        open = rest;
    }
    boxes(judge, &open)
}
