//! Decides signs of polynomials: by algebra, else by a prover within limits.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use effort::spent;
use rustc_hash::FxHashMap;

use crate::assumptions::Assumptions;
use crate::euclid::{Parts, euclid};
use crate::expr::Fact;
use crate::hsm::Hsm;
use crate::obstacle::{Obstacle, Stop};
use crate::polynomial::{Overflow, Polynomial};
use crate::proof::{Means, Rule, Step};
use crate::prove::{Answer, Prover};

/// Whether something is known to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds in every case that the assumptions allow.
    Yes,
    /// It holds in none.
    No,
    /// Neither is proved.
    Open,
}

/// How often which means settled a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Claims proved by algebra.
    pub by_algebra: u64,
    /// Claims proved by the prover.
    pub by_prover: u64,
    /// Claims refuted by a small instance, without asking further.
    pub refuted: u64,
    /// Claims that nothing settled.
    pub open: u64,
    /// Units of work done by the prover.
    pub prover_work: u64,
}

/// Claims that may be looked into in one question; a question about a pattern takes some dozens.
const MAX_CLAIMS: u64 = 2_000;

/// What all judges of one question share.
pub(crate) struct Bench<'a> {
    pub(crate) prover: Option<&'a dyn Prover>,
    /// Units of work for one claim.
    pub(crate) limit: u64,
    /// For all claims of the question.
    pub(crate) total: u64,
    /// Whether sequences are brought into their canonical forms.
    pub(crate) canonical: bool,
    pub(crate) log: RefCell<Vec<Step>>,
    pub(crate) statistics: Cell<Statistics>,
}

impl Bench<'_> {
    pub(crate) fn note(&self, step: Step) {
        self.log.borrow_mut().push(step);
    }

    pub(crate) fn note_rule(&self, rule: Rule, by: Option<&Polynomial>, value: Hsm) {
        self.note(Step::Rule { rule, by: by.cloned(), value });
    }

    pub(crate) fn count(&self, change: impl FnOnce(&mut Statistics)) {
        let mut statistics = self.statistics.get();
        change(&mut statistics);
        self.statistics.set(statistics);
    }

    /// Stops a question that has taken too much work. Counted, not timed: the answer is the same on any machine.
    pub(crate) fn check_effort(&self) -> Result<(), Obstacle> {
        let Statistics { by_algebra, by_prover, refuted, open, .. } = self.statistics.get();
        if by_algebra + by_prover + refuted + open > MAX_CLAIMS { Err(Obstacle::TooMuchWork) } else { Ok(()) }
    }
}

/// Decides under one set of assumptions.
pub(crate) struct Judge<'a> {
    assumptions: Assumptions,
    bench: &'a Bench<'a>,
    memory: RefCell<FxHashMap<Polynomial, bool>>,
    /// Judges for boxes that are not empty, by the counts that are assumed positive.
    children: RefCell<FxHashMap<Vec<Polynomial>, Option<Rc<Judge<'a>>>>>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(assumptions: Assumptions, bench: &'a Bench<'a>) -> Rc<Self> {
        Rc::new(Self { assumptions, bench, memory: RefCell::default(), children: RefCell::default() })
    }

    pub(crate) fn bench(&self) -> &'a Bench<'a> {
        self.bench
    }

    pub(crate) fn normal(&self, p: &Polynomial) -> Result<Polynomial, Overflow> {
        self.assumptions.normal(p)
    }

    /// The same value in fewer monomials, where a symbol that is given by others stands for some of them.
    pub(crate) fn shortest(&self, p: &Polynomial) -> Polynomial {
        self.assumptions.shortest(p)
    }

    /// Whether `0 <= p` is proved.
    pub(crate) fn nonnegative(&self, p: &Polynomial) -> bool {
        let Ok(p) = self.normal(p) else { return false };
        if let Some(value) = p.as_constant() {
            return value >= 0;
        }
        if let Some(known) = self.memory.borrow().get(&p) {
            return *known;
        }
        let proved = self.prove(&p);
        self.memory.borrow_mut().insert(p, proved);
        proved
    }

    fn prove(&self, p: &Polynomial) -> bool {
        if self.bench.check_effort().is_err() {
            return false;
        }
        if self.assumptions.is_refuted(p) {
            self.bench.count(|statistics| statistics.refuted += 1);
            return false;
        }
        if self.assumptions.proves_nonnegative(p) {
            self.bench.count(|statistics| statistics.by_algebra += 1);
            self.bench.note(Step::Query { claim: Fact::le(0, p.to_term()), means: Means::Algebra });
            return true;
        }
        let Some(prover) = self.bench.prover else {
            self.bench.count(|statistics| statistics.open += 1);
            return false;
        };
        // The last claim may go beyond it: with another limit it would be another question, and not be remembered.
        if self.bench.total <= self.bench.statistics.get().prover_work {
            return false;
        }
        let (before, goal) = (spent(), Fact::le(0, p.to_term()));
        let proved = prover.prove(&self.assumptions.facts(), &goal, self.bench.limit) == Answer::Proved;
        self.bench.count(|statistics| {
            statistics.prover_work += spent() - before;
            *(if proved { &mut statistics.by_prover } else { &mut statistics.open }) += 1;
        });
        if proved {
            self.bench.note(Step::Query { claim: goal, means: Means::Prover });
        }
        proved
    }

    /// Whether `0 <= p`, and if neither that nor the contrary is proved, that it must be decided first.
    pub(crate) fn decide(&self, p: &Polynomial) -> Result<bool, Stop> {
        if self.nonnegative(p) {
            Ok(true)
        } else if self.negative(p)? {
            Ok(false)
        } else {
            Err(Obstacle::Undecided(self.normal(p)?).into())
        }
    }

    /// Whether `p < 0` is proved.
    pub(crate) fn negative(&self, p: &Polynomial) -> Result<bool, Overflow> {
        Ok(self.nonnegative(&p.neg()?.plus(-1)?))
    }

    /// Whether `left <= right` is proved.
    pub(crate) fn at_most(&self, left: &Polynomial, right: &Polynomial) -> Result<bool, Overflow> {
        Ok(self.nonnegative(&right.sub(left)?))
    }

    /// Whether both are the same number; only by their normal forms.
    pub(crate) fn equal(&self, left: &Polynomial, right: &Polynomial) -> Result<bool, Overflow> {
        Ok(self.normal(&left.sub(right)?)?.is_zero())
    }

    /// Quotient and remainder; see [`euclid`].
    pub(crate) fn euclid(
        &self,
        dividend: &Polynomial,
        divisor: &Polynomial,
    ) -> Result<Option<Parts>, Overflow> {
        let (dividend, divisor) = (self.normal(dividend)?, self.normal(divisor)?);
        euclid(&self.assumptions, &dividend, &divisor, &|p| self.nonnegative(p))
    }

    /// As [`Self::euclid`], or the request to give the results names.
    pub(crate) fn euclid_or_define(
        &self,
        dividend: &Polynomial,
        divisor: &Polynomial,
    ) -> Result<Parts, Stop> {
        self.euclid(dividend, divisor)?
            .ok_or_else(|| Stop::Define { dividend: dividend.clone(), divisor: divisor.clone() })
    }

    /// The judge for a box with these counts that is not empty; `None` when it is empty.
    pub(crate) fn within(self: &Rc<Self>, counts: &[Polynomial]) -> Result<Option<Rc<Self>>, Overflow> {
        let mut open = Vec::new();
        for count in counts {
            if self.nonnegative(&count.neg()?) {
                return Ok(None);
            }
            if !self.nonnegative(&count.plus(-1)?) {
                open.push(self.normal(count)?);
            }
        }
        if open.is_empty() {
            return Ok(Some(self.clone()));
        }
        if let Some(child) = self.children.borrow().get(&open) {
            return Ok(child.clone());
        }
        let mut assumptions = self.assumptions.clone();
        for count in &open {
            // No new names: what is found in here is said to those who do not know them.
            assumptions.restrict(&Fact::le(1, count.to_term()));
        }
        let empty = assumptions.is_contradictory();
        let child = (!empty).then(|| Self::new(assumptions, self.bench));
        self.children.borrow_mut().insert(open, child.clone());
        Ok(child)
    }
}
