//! Bits of ranks, as arithmetic.

use crate::expr::Term;

impl Term {
    /// The bit that a mask selects, as 0 or 1: `(self & mask) != 0` in C, where `mask` is a power of two and the term is not
    /// negative.
    pub fn bit(&self, mask: impl Into<Self>) -> Self {
        self.floor_div(mask) % 2
    }

    /// The term with the bit that a mask selects changed: `self ^ mask` in C, where `mask` is a power of two and the term is
    /// not negative.
    pub fn flip(&self, mask: impl Into<Self>) -> Self {
        let mask = mask.into();
        self + &mask - self.bit(&mask) * mask * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_processor() {
        let term = Term::symbol("x");
        for x in 0..40_i128 {
            for mask in [1, 2, 4, 8, 16, 32] {
                let value = |term: Term| term.evaluate(|_| Some(x));
                assert_eq!(value(term.bit(mask)), Ok(i128::from(x & mask != 0)));
                assert_eq!(value(term.flip(mask)), Ok(x ^ mask));
            }
        }
    }
}
