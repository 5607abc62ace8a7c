//! Algebra as a prover of single facts.

use crate::assumptions::Assumptions;
use crate::expr::{Comparison, Fact, Relation};
use crate::polynomial::Overflow;
use crate::prove::{Answer, Prover, Reason};

/// Proves facts from the normal forms of their terms, in which quotients and remainders have names with known bounds. Never
/// refutes anything.
///
/// It knows what Z3 does not find: that `(r*n + c) % n` is `c` for `0 <= c < n`, whatever `n`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Algebra;

/// Larger questions are left alone: rewriting costs the square of their size.
const MAX_SIZE: usize = 400;

impl Prover for Algebra {
    fn prove(&self, facts: &[Fact], goal: &Fact, _limit: u64) -> Answer {
        if facts.iter().map(Fact::size).sum::<usize>() + goal.size() > MAX_SIZE {
            Answer::Unknown(Reason::TooLarge)
        } else if Assumptions::of(facts.iter().cloned()).proves(goal) {
            Answer::Proved
        } else {
            Answer::Unknown(Reason::NoSmallCounterexample)
        }
    }
}

/// Whether a goal follows from what is given. May be false although it does.
pub(crate) fn follows(assumptions: &Assumptions, given: &Fact, goal: &Fact) -> bool {
    if given.size() + goal.size() > MAX_SIZE {
        return false;
    }
    let mut assumptions = assumptions.clone();
    assumptions.assume(given);
    assumptions.proves(goal)
}

impl Assumptions {
    /// Whether a fact follows by algebra. May be false although it does.
    pub fn proves(&self, fact: &Fact) -> bool {
        // Divisions of the fact get names, which restricts nothing.
        let mut named = self.clone();
        named.is_contradictory()
            || fact.comparisons().iter().all(|c| named.proves_comparison(c).unwrap_or(false))
    }

    fn proves_comparison(&mut self, comparison: &Comparison) -> Result<bool, Overflow> {
        let Some(left) = self.value(&comparison.left)? else { return Ok(false) };
        let Some(right) = self.value(&comparison.right)? else { return Ok(false) };
        let rise = self.normal(&right.sub(&left)?)?;
        Ok(match comparison.relation {
            Relation::Less => self.proves_nonnegative(&rise.plus(-1)?),
            Relation::LessEqual => self.proves_nonnegative(&rise),
            Relation::Equal => self.proves_nonnegative(&rise) && self.proves_nonnegative(&rise.neg()?),
            Relation::NotEqual => {
                self.proves_nonnegative(&rise.plus(-1)?) || self.proves_nonnegative(&rise.neg()?.plus(-1)?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Term;

    /// The alignment of Cannon's algorithm: each row is shifted by its number, or each column.
    #[test]
    fn a_skewed_shift_is_undone() {
        let (r, n, np) = (Term::symbol("rank"), Term::symbol("n"), Term::symbol("np"));
        let (row, column) = (|r: &Term| r.floor_div(&n), |r: &Term| r % &n);
        let left = row(&r) * &n + (column(&r) - row(&r) + &n) % &n;
        let right = row(&left) * &n + (column(&left) + row(&left)) % &n;
        let up = (row(&r) - column(&r) + &n) % &n * &n + column(&r);
        let down = (row(&up) + column(&up)) % &n * &n + column(&up);
        let facts = [Fact::eq(&np, &n * &n), Fact::le(1, &n), Fact::le(0, &r), Fact::lt(&r, &np)];
        let assumptions = Assumptions::of(facts);
        for (there, back) in [(left, right), (up, down)] {
            assert!(assumptions.proves(&Fact::all([Fact::le(0, &there), Fact::lt(&there, &np)])));
            assert!(assumptions.proves(&Fact::eq(back, &r)));
            assert!(!assumptions.proves(&Fact::eq(there, &r)));
        }
    }

    #[test]
    fn division_by_what_may_be_zero_proves_nothing() {
        let (x, n) = (Term::symbol("x"), Term::symbol("n"));
        let same = Fact::eq(x.floor_div(&n), x.floor_div(&n));
        assert!(!Assumptions::new().proves(&same));
        assert!(Assumptions::of([Fact::lt(0, n)]).proves(&same));
        assert!(Assumptions::of([Fact::lt(x.clone(), 0), Fact::lt(0, x)]).proves(&same));
    }
}
