//! Which polynomials are nonnegative, by algebra alone.
//!
//! Every symbol with a known bound is written as that bound plus or minus a **slack**, a symbol that stands for some
//! nonnegative integer: from `1 <= n` and `k < n` come `k = '0` and `n = 1 + '0 + '1`. A polynomial whose coefficients over
//! slacks are all nonnegative is nonnegative. Inequalities that no such substitution can hold stay aside and are added,
//! with multipliers, by a search of small depth.

use crate::expr::Symbol;
use crate::polynomial::{Monomial, Overflow, Polynomial};

/// Symbols in terms of slacks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cone {
    /// Each bounded symbol over slacks and unbounded symbols.
    shifts: Vec<(Symbol, Polynomial)>,
    /// Further polynomials over the same that are nonnegative.
    sides: Vec<Polynomial>,
    slacks: u32,
    contradictory: bool,
}

/// How many inequalities a certificate may add up.
const DEPTH: u32 = 5;

/// How many sums of inequalities are tried for a certificate.
const MAX_TRIALS: u32 = 60;

/// Rounds in which what is aside is looked at again: each absorbs at least one inequality.
const MAX_ROUNDS: usize = 16;

fn is_slack(symbol: &Symbol) -> bool {
    symbol.name().starts_with('\'')
}

fn over_slacks(monomial: &Monomial) -> bool {
    monomial.factors().iter().all(|(symbol, _)| is_slack(symbol))
}

fn is_certain_part((monomial, coefficient): &(Monomial, i128)) -> bool {
    *coefficient > 0 && over_slacks(monomial)
}

/// Whether all coefficients are positive, over slacks alone.
fn is_certain(p: &Polynomial) -> bool {
    p.monomials().iter().all(is_certain_part)
}

impl Cone {
    /// The cone in which all the inequalities `0 <= p` hold. One whose coefficients overflow is left out.
    pub(crate) fn new(inequalities: &[Polynomial]) -> Self {
        let mut cone = Self::default();
        let mut open: Vec<&Polynomial> = inequalities.iter().collect();
        open.sort_by_key(|p| (p.symbols().len(), p.monomials().len()));
        for _ in 0..MAX_ROUNDS {
            let before = open.len();
            open.retain(|p| !cone.absorb(p).unwrap_or(true));
            if open.len() == before || cone.contradictory {
                break;
            }
        }
        cone.sides = open.into_iter().filter_map(|p| cone.express(p).ok()).collect();
        cone
    }

    /// Whether no values satisfy the inequalities. May be false although none do.
    pub(crate) fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// A polynomial in terms of slacks.
    pub(crate) fn express(&self, p: &Polynomial) -> Result<Polynomial, Overflow> {
        self.shifts.iter().try_fold(p.clone(), |p, (symbol, value)| p.substitute(symbol, value))
    }

    /// Whether `0 <= p` follows. May be false although it does.
    pub(crate) fn proves(&self, p: &Polynomial) -> bool {
        self.contradictory
            || self.express(p).is_ok_and(|p| {
                let mut trials = MAX_TRIALS;
                self.certify(&p, DEPTH, &mut trials).unwrap_or(false)
            })
    }

    /// Whether `p` is a sum of nonnegative products, up to `depth` of which are multiples of what is aside.
    fn certify(&self, p: &Polynomial, depth: u32, trials: &mut u32) -> Result<bool, Overflow> {
        let Some((monomial, coefficient)) = p.monomials().iter().find(|part| !is_certain_part(part)) else {
            return Ok(true);
        };
        if depth == 0 || *trials == 0 {
            return Ok(false);
        }
        for side in &self.sides {
            for (part, unit) in side.monomials() {
                if (*unit < 0) != (*coefficient < 0) {
                    continue;
                }
                let one = |monomial: &Monomial| Polynomial::from_monomial(monomial.clone(), 1);
                let Some(factor) = one(monomial).div_exact(&one(part))? else { continue };
                if !factor.monomials().iter().all(|(monomial, _)| over_slacks(monomial)) {
                    continue;
                }
                let times = i128::try_from(coefficient.unsigned_abs().div_ceil(unit.unsigned_abs()))
                    .map_err(|_| Overflow)?;
                let rest = p.sub(&side.mul(&factor)?.scale(times)?)?;
                *trials = trials.saturating_sub(1);
                if self.certify(&rest, depth - 1, trials)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Makes `0 <= p` hold by substitution; false where that is not possible.
    fn absorb(&mut self, p: &Polynomial) -> Result<bool, Overflow> {
        let p = self.express(p)?;
        if let Some(value) = p.as_constant() {
            self.contradictory |= value < 0;
            return Ok(true);
        }
        if is_certain(&p) {
            return Ok(true);
        }
        if p.constant_part() < 0 && p.monomials().iter().all(|(monomial, c)| *c < 0 && over_slacks(monomial))
        {
            self.contradictory = true;
            return Ok(true);
        }
        // Unbounded symbols first: giving them a bound loses nothing.
        let (slacks, free): (Vec<Symbol>, Vec<Symbol>) = p.symbols().into_iter().partition(is_slack);
        for symbol in free {
            if let Some(bound) = p.solve(&symbol)? {
                let rises =
                    p.monomials().iter().any(|(m, c)| *c == 1 && m.factors() == [(symbol.clone(), 1)]);
                let slack = self.slack();
                let value = if rises { bound.add(&slack)? } else { bound.sub(&slack)? };
                self.replace(&symbol, &value)?;
                return Ok(true);
            }
        }
        for symbol in slacks {
            if let Some(value) = self.raised(&p, &symbol)? {
                self.replace(&symbol, &value)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The value of a slack in which `0 <= p` holds, if `p` is a lower bound for it, or sets it to 0.
    fn raised(&mut self, p: &Polynomial, slack: &Symbol) -> Result<Option<Polynomial>, Overflow> {
        // a * slack + c
        if let [(monomial, a), (one, c)] = p.monomials()
            && monomial.degree() == 1
            && one.degree() == 0
        {
            // Both signs differ: else p would be certified or contradictory.
            return Ok(match (*a > 0, *c < 0) {
                (true, true) => {
                    let least = c.unsigned_abs().div_ceil(a.unsigned_abs());
                    Some(self.slack().plus(i128::try_from(least).map_err(|_| Overflow)?)?)
                }
                (false, false) if c.unsigned_abs() < a.unsigned_abs() => Some(Polynomial::zero()),
                _ => None,
            });
        }
        if let [(monomial, a)] = p.monomials()
            && monomial.degree() == 1
            && *a < 0
        {
            return Ok(Some(Polynomial::zero()));
        }
        // slack - bound, where the bound is nonnegative itself.
        let rises = p.monomials().iter().any(|(m, c)| *c == 1 && m.factors() == [(slack.clone(), 1)]);
        let bound = if rises { p.solve(slack)? } else { None };
        match bound {
            Some(bound) if is_certain(&bound) => Ok(Some(bound.add(&self.slack())?)),
            _ => Ok(None),
        }
    }

    fn slack(&mut self) -> Polynomial {
        self.slacks += 1;
        Polynomial::symbol(&format!("'{}", self.slacks))
    }

    fn replace(&mut self, symbol: &Symbol, value: &Polynomial) -> Result<(), Overflow> {
        let shifts = self.shifts.iter();
        let mut replaced: Vec<(Symbol, Polynomial)> = shifts
            .map(|(known, shift)| Ok((known.clone(), shift.substitute(symbol, value)?)))
            .collect::<Result<_, Overflow>>()?;
        if !is_slack(symbol) {
            replaced.push((symbol.clone(), value.clone()));
        }
        self.shifts = replaced;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(name: &str) -> Polynomial {
        Polynomial::symbol(name)
    }

    #[test]
    fn bounds_that_depend_on_each_other_are_absorbed() {
        let (k, n, m) = (p("k"), p("n"), p("m"));
        let less = |a: &Polynomial, b: &Polynomial| b.sub(a).unwrap().plus(-1).unwrap();
        let cone = Cone::new(&[less(&k, &n), n.plus(-1).unwrap(), k.clone(), m.plus(-2).unwrap()]);
        let area = n.mul(&m).unwrap();
        // k + 1 <= n <= n*m - n
        assert!(cone.proves(&less(&k, &area)));
        assert!(cone.proves(&area.sub(&n).unwrap().sub(&k).unwrap().plus(-1).unwrap()));
        assert!(!cone.proves(&less(&area, &k)) && !cone.proves(&less(&m, &n)));
    }

    #[test]
    fn an_upper_bound_fixes_a_slack_or_is_kept_aside() {
        let r = p("r");
        let below = |bound: i128| Polynomial::constant(bound).sub(&r).unwrap();
        let cone = Cone::new(&[r.clone(), below(1)]);
        assert!(cone.proves(&below(1)) && cone.proves(&below(5)) && !cone.proves(&below(0)));
        let zero = Cone::new(&[r.clone(), below(0)]);
        assert!(zero.proves(&below(0)) && !zero.is_contradictory());
        assert!(Cone::new(&[r.clone(), below(-1)]).is_contradictory());
    }

    #[test]
    fn a_symbol_without_bounds_proves_nothing() {
        let x = p("x");
        let cone = Cone::new(&[]);
        assert!(!cone.proves(&x) && !cone.proves(&x.mul(&x).unwrap()) && cone.proves(&Polynomial::zero()));
    }
}
