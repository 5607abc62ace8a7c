//! Powers of two.

use super::Assumptions;
use crate::expr::{Fact, Symbol};
use crate::polynomial::Polynomial;

impl Assumptions {
    /// Adds that a symbol is a power of two, `symbol == 2^exponent` where the exponent has a name.
    pub fn assume_power_of_two(&mut self, symbol: &Symbol, exponent: Option<&Symbol>) {
        self.powers.insert(symbol.clone(), exponent.cloned());
        self.assume(&Fact::le(1, symbol.clone()));
        if let Some(exponent) = exponent {
            self.assume(&Fact::le(0, exponent.clone()));
        }
        self.changed();
        self.relate_powers();
    }

    /// Whether it is a product of powers of two.
    pub(super) fn is_power(&self, p: &Polynomial) -> bool {
        match p.monomials() {
            [(monomial, coefficient)] => {
                u128::try_from(*coefficient).is_ok_and(u128::is_power_of_two)
                    && monomial.factors().iter().all(|(symbol, _)| self.powers.contains_key(symbol))
            }
            _ => false,
        }
    }

    /// Of two powers of two, the larger is a multiple of the smaller; of different ones, of its double.
    pub(super) fn relate_powers(&mut self) {
        let given = |symbol: &&Symbol| self.rewrites.iter().all(|(known, _)| known != *symbol);
        let bases: Vec<Symbol> = self.powers.keys().filter(given).cloned().collect();
        let pairs = bases.iter().flat_map(|small| bases.iter().map(move |large| (small, large)));
        let related = pairs.filter(|(small, large)| small != large).find_map(|(small, large)| {
            let difference = |small: &Symbol, large: &Symbol| {
                Polynomial::from(large.clone()).sub(&small.clone().into()).ok()
            };
            let exponents = self.powers[small].as_ref().zip(self.powers[large].as_ref());
            let at_least = |steps: i128| {
                let by = |rise: Option<Polynomial>| {
                    rise.and_then(|rise| rise.plus(-steps).ok())
                        .is_some_and(|rise| self.proves_nonnegative(&rise))
                };
                by(difference(small, large))
                    || by(exponents.and_then(|(small, large)| difference(small, large)))
            };
            let factor = if at_least(1) {
                2
            } else if at_least(0) {
                1
            } else {
                return None;
            };
            Some((large.clone(), Polynomial::from(small.clone()).scale(factor).ok()?))
        });
        if let Some((large, divisor)) = related {
            // Where only the exponents told, the definition needs the order of the powers themselves.
            let dividend = Polynomial::from(large);
            if let Ok(rise) = dividend.sub(&divisor) {
                self.bound(rise);
            }
            if self.define(&dividend, &divisor).unwrap_or(false) {
                self.relate_powers();
            }
        }
    }
}
