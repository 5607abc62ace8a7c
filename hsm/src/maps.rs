//! Properties of maps from ranks to ranks.

use std::rc::Rc;

use crate::digit_box::DigitBox;
use crate::evaluate::evaluate;
use crate::expr::{Fact, Symbol, Term};
use crate::judge::{Judge, Truth};
use crate::obstacle::Stop;
use crate::partition::by_membership;
use crate::polynomial::{Overflow, Polynomial};
use crate::proof::{Proof, Rule, Step};
use crate::reasoner::{Answered, Exact, Failure, Reasoner, boxes};
use crate::sequences::canonical_set;

impl Reasoner<'_> {
    /// Whether a term gives every rank of a box itself; [`Truth::No`] where it never does so for some of them.
    pub fn is_identity(&self, ranks: &DigitBox, term: &Term, rank: &Symbol) -> Answered<Truth> {
        let mut failure = match self.ask(|judge| is_identity(judge, ranks, term, rank)) {
            Err(failure) => failure,
            exact => return exact,
        };
        let given = ranks.membership(&rank.clone().into());
        let claim = Fact::eq(term.clone(), rank.clone());
        let Some((means, claim)) = self.settle(&[(given, claim)], &mut failure) else { return Err(failure) };
        let Failure { assumptions, statistics, .. } = *failure;
        Ok(Exact {
            value: Truth::Yes,
            assumptions,
            proof: Proof(vec![Step::Query { claim, means }]),
            statistics,
        })
    }

    /// The values that a term takes on a box of ranks: boxes that together are all of them, and may overlap where the map
    /// is not injective.
    pub fn image(&self, ranks: &DigitBox, term: &Term, rank: &Symbol) -> Answered<Vec<DigitBox>> {
        self.ask(|judge| image(judge, ranks, term, rank))
    }

    /// Whether a term gives different ranks of a box different values.
    pub fn is_injective(&self, ranks: &DigitBox, term: &Term, rank: &Symbol) -> Answered<Truth> {
        self.ask(|judge| is_injective(judge, ranks, term, rank))
    }

    /// Whether the values that a term takes on a box are all ranks of `target`, and no others.
    pub fn is_onto(
        &self,
        ranks: &DigitBox,
        term: &Term,
        target: &DigitBox,
        rank: &Symbol,
    ) -> Answered<Truth> {
        self.ask(|judge| {
            let mut missed = vec![target.cell(judge)?];
            for part in image(judge, ranks, term, rank)? {
                let (_, beyond) = divided(judge, &part, target)?;
                if let Some(truth) = present(judge, &beyond)? {
                    return Ok(truth);
                }
                let mut rest = Vec::new();
                for mut cell in missed {
                    let value = cell.top().clone();
                    cell.push(value);
                    rest.extend(by_membership(judge, cell, &part)?.outside);
                }
                missed = rest;
            }
            let missed = boxes(judge, &missed)?;
            Ok(present(judge, &missed)?.unwrap_or(Truth::Yes))
        })
    }
}

fn is_identity(judge: &Rc<Judge<'_>>, ranks: &DigitBox, term: &Term, rank: &Symbol) -> Result<Truth, Stop> {
    let mut truth = Truth::Yes;
    for mut cell in evaluate(judge, ranks.cell(judge)?, term, rank, 0)? {
        let Some(inner) = judge.within(&cell.counts)? else { continue };
        let difference = cell.pop().sub(&cell.values[0])?.map(|p| inner.normal(p))?;
        if difference.as_uniform().is_some_and(Polynomial::is_zero) {
            continue;
        }
        let rank = DigitBox::of_sequence(judge, &cell.sequence(0))?;
        let bounds = cell.bounds(&inner, &difference)?;
        let differs = match bounds {
            Some((least, greatest)) => inner.nonnegative(&least.plus(-1)?) || inner.negative(&greatest)?,
            None => false,
        };
        if differs && present(judge, std::slice::from_ref(&rank))? == Some(Truth::No) {
            return Ok(Truth::No);
        }
        truth = Truth::Open;
    }
    Ok(truth)
}

fn image(judge: &Rc<Judge<'_>>, ranks: &DigitBox, term: &Term, rank: &Symbol) -> Result<Vec<DigitBox>, Stop> {
    let mut images = Vec::new();
    for cell in evaluate(judge, ranks.cell(judge)?, term, rank, 0)? {
        if judge.within(&cell.counts)?.is_some() {
            let set = canonical_set(judge, &cell.sequence(1))?;
            images.push(DigitBox::of_sequence(judge, &set)?);
        }
    }
    Ok(images)
}

fn is_injective(judge: &Rc<Judge<'_>>, ranks: &DigitBox, term: &Term, rank: &Symbol) -> Result<Truth, Stop> {
    let mut images: Vec<DigitBox> = Vec::new();
    for cell in evaluate(judge, ranks.cell(judge)?, term, rank, 0)? {
        let Some(inner) = judge.within(&cell.counts)? else { continue };
        // A digit that changes nothing maps as many ranks to one value as it has values.
        for (level, stride) in cell.top().strides.iter().enumerate() {
            if inner.normal(stride)?.is_zero()
                && !inner.nonnegative(&Polynomial::constant(1).sub(&cell.counts[level])?)
            {
                let many = inner.nonnegative(&cell.counts[level].plus(-2)?);
                let ranks = DigitBox::of_sequence(judge, &cell.sequence(0))?;
                let present = present(judge, std::slice::from_ref(&ranks))? == Some(Truth::No);
                return Ok(if many && present { Truth::No } else { Truth::Open });
            }
        }
        let part = DigitBox::of_sequence(judge, &cell.sequence(1))?;
        for other in &images {
            let (common, _) = divided(judge, &part, other)?;
            if let Some(truth) = present(judge, &common)? {
                return Ok(truth);
            }
        }
        judge.bench().note_rule(Rule::Counting, None, part.ranks());
        images.push(part);
    }
    Ok(Truth::Yes)
}

/// What of a box is in another, and what is not.
fn divided(
    judge: &Rc<Judge<'_>>,
    ranks: &DigitBox,
    other: &DigitBox,
) -> Result<(Vec<DigitBox>, Vec<DigitBox>), Stop> {
    let mut cell = ranks.cell(judge)?;
    let rank = cell.top().clone();
    cell.push(rank);
    let parts = by_membership(judge, cell, other)?;
    Ok((boxes(judge, &parts.inside)?, boxes(judge, &parts.outside)?))
}

/// `None` where none of the boxes has a rank, `No` where one certainly has, else `Open`.
fn present(judge: &Judge<'_>, boxes: &[DigitBox]) -> Result<Option<Truth>, Overflow> {
    let mut present = None;
    for ranks in boxes {
        let (mut all, mut none) = (true, false);
        for digit in ranks.digits() {
            all &= judge.nonnegative(&digit.count.plus(-1)?);
            none |= judge.negative(&digit.count.plus(-1)?)?;
        }
        if all {
            return Ok(Some(Truth::No));
        }
        if !none {
            present = Some(Truth::Open);
        }
    }
    Ok(present)
}
