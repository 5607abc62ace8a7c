//! The way into the algebra: questions under assumptions, within limits.

use std::cell::{Cell as Counter, RefCell};
use std::fmt;
use std::rc::Rc;

use effort::spent;

use crate::assumptions::Assumptions;
use crate::digit_box::DigitBox;
use crate::evaluate::evaluate;
use crate::expr::{Fact, Symbol, Term};
use crate::hsm::Hsm;
use crate::judge::{Bench, Judge, Statistics, Truth};
use crate::obstacle::{Obstacle, Stop};
use crate::partition::{Parts, by_membership, by_relation};
use crate::polynomial::Polynomial;
use crate::proof::{Means, Proof, Step};
use crate::prove::{Answer, Prover};
use crate::{algebra, cell, sequences};

/// Answers questions about sequences, sets of ranks and maps between them, by algebra first and a prover second.
///
/// Every answer is exact: what holds for all values of the symbols that the assumptions allow. Where none is found, the
/// [`Failure`] says why, and often which case distinction would help.
#[derive(Clone)]
pub struct Reasoner<'a> {
    assumptions: Assumptions,
    prover: Option<&'a dyn Prover>,
    limit: u64,
    total: u64,
    canonical: bool,
}

/// An answer with what led to it.
#[derive(Clone, Debug)]
pub struct Exact<T> {
    /// The answer.
    pub value: T,
    /// The assumptions, with the meaning of the names that quotients and remainders in the answer have got.
    pub assumptions: Assumptions,
    /// How it was found.
    pub proof: Proof,
    /// How often which means was used.
    pub statistics: Statistics,
}

/// Why there is no exact answer.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The first thing that stood in the way.
    pub obstacle: Obstacle,
    /// The assumptions, with the meaning of the names that the obstacle may speak of. Case distinctions go on from these.
    pub assumptions: Assumptions,
    /// What was tried.
    pub proof: Proof,
    /// How often which means was used.
    pub statistics: Statistics,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.obstacle.fmt(f)
    }
}

impl std::error::Error for Failure {}

/// What a question is answered with.
pub type Answered<T> = Result<Exact<T>, Box<Failure>>;

/// A set of ranks divided by a condition into disjoint boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Where it holds.
    pub inside: Vec<DigitBox>,
    /// Where not.
    pub outside: Vec<DigitBox>,
}

/// A part of a map: the ranks of a box with the value for each, in the same order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The ranks.
    pub ranks: Hsm,
    /// The value for each.
    pub values: Hsm,
}

/// How often division results may get names in one question.
const MAX_DEFINITIONS: usize = 8;

impl<'a> Reasoner<'a> {
    /// Algebra alone.
    pub fn new(assumptions: Assumptions) -> Self {
        Self { assumptions, prover: None, limit: 0, total: 0, canonical: true }
    }

    /// Asks a prover about what algebra leaves open, with at most `limit` units of work for each claim and `total`
    /// for all of a question.
    pub fn with_prover(self, prover: &'a dyn Prover, limit: u64, total: u64) -> Self {
        Self { prover: Some(prover), limit, total, ..self }
    }

    /// Leaves sequences as they come out, with as many levels as that makes: to see what canonical forms are good for.
    pub fn without_canonical_forms(self) -> Self {
        Self { canonical: false, ..self }
    }

    /// The same with other assumptions.
    pub fn under(&self, assumptions: Assumptions) -> Self {
        Self { assumptions, ..self.clone() }
    }

    /// What is assumed.
    pub fn assumptions(&self) -> &Assumptions {
        &self.assumptions
    }

    /// By which means one of some goals follows from what is given for it, if one does, and which: what is asked where the rank
    /// has no digits. The failure that led here has the assumptions and keeps the count.
    pub(crate) fn settle(&self, ways: &[(Fact, Fact)], failure: &mut Failure) -> Option<(Means, Fact)> {
        let assumptions = &failure.assumptions;
        let follows = |(given, goal): &&(Fact, Fact)| {
            let weaker = || assumptions.with_small_bounds();
            algebra::follows(assumptions, given, goal)
                || weaker().is_some_and(|weaker| algebra::follows(&weaker, given, goal))
        };
        if let Some((_, goal)) = ways.iter().find(follows) {
            failure.statistics.by_algebra += 1;
            return Some((Means::Algebra, goal.clone()));
        }
        let before = spent();
        let proved = self.prover.and_then(|prover| {
            ways.iter().find(|(given, goal)| {
                let mut facts = failure.assumptions.facts();
                facts.push(given.clone());
                prover.prove(&facts, goal, self.limit) == Answer::Proved
            })
        });
        failure.statistics.prover_work += spent() - before;
        let count =
            if proved.is_some() { &mut failure.statistics.by_prover } else { &mut failure.statistics.open };
        *count += 1;
        proved.map(|(_, goal)| (Means::Prover, goal.clone()))
    }

    /// Answers with what `question` returns. Where a division needs names for its results, it gets them, and the question
    /// is asked again from the beginning.
    pub(crate) fn ask<T>(&self, question: impl Fn(&Rc<Judge<'_>>) -> Result<T, Stop>) -> Answered<T> {
        let mut assumptions = self.assumptions.clone();
        let mut statistics = Statistics::default();
        for _ in 0..=MAX_DEFINITIONS {
            let bench = Bench {
                prover: self.prover,
                limit: self.limit,
                total: self.total,
                canonical: self.canonical,
                log: RefCell::default(),
                statistics: Counter::new(statistics),
            };
            let answer = question(&Judge::new(assumptions.clone(), &bench));
            statistics = bench.statistics.get();
            let proof = Proof(bench.log.into_inner());
            let obstacle = match answer {
                Ok(value) => return Ok(Exact { value, assumptions, proof, statistics }),
                Err(Stop::Obstacle(obstacle)) => obstacle,
                Err(Stop::Define { dividend, divisor }) => {
                    if assumptions.define_division(&dividend, &divisor) {
                        continue;
                    }
                    Obstacle::Indivisible(dividend, divisor)
                }
            };
            return Err(Box::new(Failure { obstacle, assumptions, proof, statistics }));
        }
        let (obstacle, proof) = (Obstacle::TooManyPieces, Proof::default());
        Err(Box::new(Failure { obstacle, assumptions, proof, statistics }))
    }

    /// Whether `0 <= p`.
    pub fn is_nonnegative(&self, p: &Polynomial) -> Truth {
        let answer = self.ask(|judge| Ok(judge.decide(p)));
        match answer.map(|exact| exact.value) {
            Ok(Ok(true)) => Truth::Yes,
            Ok(Ok(false)) => Truth::No,
            _ => Truth::Open,
        }
    }

    /// Whether a positive `divisor` divides `p`.
    pub fn divides(&self, divisor: &Polynomial, p: &Polynomial) -> Truth {
        let answer = self.ask(|judge| {
            if !judge.decide(&divisor.plus(-1)?)? {
                return Ok(Truth::Open);
            }
            Ok(match judge.euclid(p, divisor)? {
                Some(parts) if parts.exact && parts.remainder.is_zero() => Truth::Yes,
                Some(parts) if parts.exact && judge.nonnegative(&parts.remainder.plus(-1)?) => Truth::No,
                _ => Truth::Open,
            })
        });
        answer.map_or(Truth::Open, |exact| exact.value)
    }

    /// As [`Self::ask`], once it is known that no count of the sequences is negative.
    fn ask_of<T>(
        &self,
        sequences: &[&Hsm],
        question: impl Fn(&Rc<Judge<'_>>) -> Result<T, Stop>,
    ) -> Answered<T> {
        self.ask(|judge| {
            for level in sequences.iter().flat_map(|sequence| sequence.levels()) {
                if !judge.decide(&level.count)? {
                    return Err(Obstacle::NotABox.into());
                }
            }
            question(judge)
        })
    }

    /// Number by number, the sum of two sequences of one length.
    pub fn sum(&self, left: &Hsm, right: &Hsm) -> Answered<Hsm> {
        self.ask_of(&[left, right], |judge| sequences::sum(judge, left, right))
    }

    /// The quotients (rounded down) of a sequence by a positive divisor: sequences that follow one another.
    pub fn quotient(&self, dividend: &Hsm, divisor: &Polynomial) -> Answered<Vec<Hsm>> {
        self.ask_of(&[dividend], |judge| Ok(sequences::div_rem(judge, dividend, divisor)?.0))
    }

    /// The remainders of a sequence by a positive divisor: sequences that follow one another.
    pub fn remainder(&self, dividend: &Hsm, divisor: &Polynomial) -> Answered<Vec<Hsm>> {
        self.ask_of(&[dividend], |judge| Ok(sequences::div_rem(judge, dividend, divisor)?.1))
    }

    /// Whether a positive number divides all numbers of a sequence. [`Truth::No`] where it does not divide the first.
    pub fn divides_all(&self, divisor: &Polynomial, sequence: &Hsm) -> Truth {
        let parts = || {
            let strides = sequence.levels().iter().map(|level| &level.stride);
            strides.chain([sequence.offset()]).map(|p| self.divides(divisor, p))
        };
        let nonempty = sequence
            .count()
            .is_ok_and(|count| count.plus(-1).is_ok_and(|p| self.is_nonnegative(&p) == Truth::Yes));
        if parts().all(|truth| truth == Truth::Yes) {
            Truth::Yes
        } else if nonempty && self.divides(divisor, sequence.offset()) == Truth::No {
            Truth::No
        } else {
            Truth::Open
        }
    }

    /// Least and greatest number of a sequence (if it has any); `None` where the sign of a stride is open.
    pub fn bounds(&self, sequence: &Hsm) -> Answered<Option<(Polynomial, Polynomial)>> {
        self.ask_of(&[sequence], |judge| Ok(sequences::bounds(judge, sequence)?))
    }

    /// The same sequence with as few levels as possible.
    pub fn canonical_sequence(&self, sequence: &Hsm) -> Answered<Hsm> {
        self.ask_of(&[sequence], |judge| Ok(sequences::canonical_sequence(judge, sequence)?))
    }

    /// A sequence of the same members in rising order, with as few levels as was found.
    pub fn canonical_set(&self, sequence: &Hsm) -> Answered<Hsm> {
        self.ask_of(&[sequence], |judge| Ok(sequences::canonical_set(judge, sequence)?))
    }

    /// Whether two are the same sequence.
    pub fn same_sequence(&self, left: &Hsm, right: &Hsm) -> Answered<Truth> {
        self.ask_of(&[left, right], |judge| Ok(sequences::same_sequence(judge, left, right)?))
    }

    /// Whether two sequences have the same members.
    pub fn same_set(&self, left: &Hsm, right: &Hsm) -> Answered<Truth> {
        self.ask_of(&[left, right], |judge| Ok(sequences::same_set(judge, left, right)?))
    }

    /// The values of a term on all ranks of a box. In the term, `rank` stands for the rank, all other symbols for uniform
    /// values.
    pub fn map(&self, ranks: &DigitBox, term: &Term, rank: &Symbol) -> Answered<Vec<Piece>> {
        self.ask(|judge| {
            let mut pieces = Vec::new();
            for mut cell in evaluate(judge, ranks.cell(judge)?, term, rank, 0)? {
                cell.merge(judge)?;
                let piece = Piece { ranks: cell.sequence(0), values: cell.sequence(1) };
                judge.bench().note(maps(term, &piece));
                pieces.push(piece);
            }
            Ok(pieces)
        })
    }

    /// The ranks of a box for which a condition holds, and the others. In the condition, `rank` stands for the rank.
    pub fn select(&self, ranks: &DigitBox, condition: &Fact, rank: &Symbol) -> Answered<Selection> {
        self.ask(|judge| {
            let mut parts = Parts { inside: vec![ranks.cell(judge)?], outside: Vec::new() };
            for comparison in condition.comparisons() {
                for cell in std::mem::take(&mut parts.inside) {
                    let difference = comparison.left.clone() - comparison.right.clone();
                    for mut cell in evaluate(judge, cell, &difference, rank, 0)? {
                        cell.merge(judge)?;
                        let next = by_relation(judge, cell, comparison.relation)?;
                        parts.inside.extend(next.inside);
                        parts.outside.extend(next.outside);
                    }
                }
            }
            selection(judge, &parts)
        })
    }

    /// The ranks of a box that another contains, and the others.
    pub fn intersect(&self, ranks: &DigitBox, other: &DigitBox) -> Answered<Selection> {
        self.ask(|judge| {
            other.cell(judge)?;
            let mut cell = ranks.cell(judge)?;
            let rank = cell.top().clone();
            cell.push(rank);
            selection(judge, &by_membership(judge, cell, other)?)
        })
    }

    /// Whether a box has no ranks.
    pub fn is_empty(&self, ranks: &DigitBox) -> Truth {
        let count = |digit: &crate::Digit| {
            digit.count.plus(-1).map_or(Truth::Open, |beyond| self.is_nonnegative(&beyond))
        };
        let counts: Vec<Truth> = ranks.digits().iter().map(count).collect();
        if counts.contains(&Truth::No) {
            Truth::Yes
        } else if counts.contains(&Truth::Open) {
            Truth::Open
        } else {
            Truth::No
        }
    }

    /// A box by the ranges `low..high` of its digits in mixed radix, the fastest running first, where it has such: the even
    /// ranks are `0..1` and `0..np/2` in the radix 2. The last digit has no radix of its own.
    pub fn in_radices(
        &self,
        ranks: &DigitBox,
        radices: &[Polynomial],
    ) -> Answered<Option<Vec<(Polynomial, Polynomial)>>> {
        self.ask(|judge| Ok(ranks.ranges(judge, radices)?))
    }

    /// Asks under each case of what stands open, up to `cases` in all: an answer or a failure for each, under assumptions
    /// that together are those of this reasoner.
    pub fn by_cases<T>(&self, cases: usize, question: impl Fn(&Self) -> Answered<T>) -> Vec<Answered<T>> {
        let (mut open, mut answers) = (vec![self.clone()], Vec::new());
        while let Some(reasoner) = open.pop() {
            if reasoner.assumptions.is_contradictory() {
                continue;
            }
            match question(&reasoner) {
                Err(failure) if open.len() + answers.len() + 1 < cases => match &failure.obstacle {
                    Obstacle::Undecided(p) => {
                        let p = p.to_term();
                        for case in [Fact::lt(p.clone(), 0), Fact::le(0, p)] {
                            let mut assumptions = failure.assumptions.clone();
                            assumptions.assume(&case);
                            open.push(reasoner.under(assumptions));
                        }
                    }
                    _ => answers.push(Err(failure)),
                },
                answer => answers.push(answer),
            }
        }
        answers
    }
}

pub(crate) fn maps(term: &Term, piece: &Piece) -> Step {
    Step::Maps { term: term.clone(), ranks: piece.ranks.clone(), values: piece.values.clone() }
}

fn selection(judge: &Rc<Judge<'_>>, parts: &Parts) -> Result<Selection, Stop> {
    Ok(Selection { inside: boxes(judge, &parts.inside)?, outside: boxes(judge, &parts.outside)? })
}

/// The boxes of the ranks of cells, those left out that are certainly empty, and made one that continue each other.
pub(crate) fn boxes(judge: &Rc<Judge<'_>>, cells: &[cell::Cell]) -> Result<Vec<DigitBox>, Stop> {
    let mut boxes: Vec<DigitBox> = Vec::new();
    for cell in cells {
        if judge.within(&cell.counts)?.is_some() {
            boxes.push(DigitBox::of_sequence(judge, &cell.sequence(0))?);
        }
    }
    while let Some((first, second, union)) = continued(judge, &boxes)? {
        boxes[first] = union;
        boxes.remove(second);
    }
    in_order(judge, boxes, |ranks| ranks)
}

/// Things by the least ranks of their boxes, as far as those can be compared.
pub(crate) fn in_order<T>(
    judge: &Judge<'_>,
    things: Vec<T>,
    ranks: impl Fn(&T) -> &DigitBox,
) -> Result<Vec<T>, Stop> {
    let mut ordered: Vec<T> = Vec::with_capacity(things.len());
    for thing in things {
        let mut place = ordered.len();
        while place > 0 && judge.at_most(ranks(&thing).base(), ranks(&ordered[place - 1]).base())? {
            place -= 1;
        }
        ordered.insert(place, thing);
    }
    Ok(ordered)
}

fn continued(judge: &Judge<'_>, boxes: &[DigitBox]) -> Result<Option<(usize, usize, DigitBox)>, Stop> {
    for (i, first) in boxes.iter().enumerate() {
        for (j, second) in boxes.iter().enumerate().filter(|(j, _)| *j != i) {
            if let Some(union) = first.append(judge, second)? {
                return Ok(Some((i, j, union)));
            }
        }
    }
    Ok(None)
}
