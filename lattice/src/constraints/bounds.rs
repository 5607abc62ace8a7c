//! Bounds of linear expressions.

use effort::spend;
use smallvec::SmallVec;

use super::graph::{Graph, Term};
use crate::{Linear, Symbol};

/// `(x, y, c)` of an expression `x - y + c` where either symbol may be missing.
pub(super) fn difference(expression: &Linear) -> Option<(Option<Symbol>, Option<Symbol>, i64)> {
    let mut terms = expression.terms();
    let constant = expression.constant();
    match (terms.next(), terms.next(), terms.next()) {
        (None, ..) => Some((None, None, constant)),
        (Some((x, 1)), None, _) => Some((Some(x), None, constant)),
        (Some((y, -1)), None, _) => Some((None, Some(y), constant)),
        (Some((x, 1)), Some((y, -1)), None) | (Some((y, -1)), Some((x, 1)), None) => {
            Some((Some(x), Some(y), constant))
        }
        _ => None,
    }
}

/// `left - right` as [`difference`] gives it, without making the expression, when both have the form `symbol + constant`.
pub(super) fn difference_of(left: &Linear, right: &Linear) -> Option<(Option<Symbol>, Option<Symbol>, i64)> {
    let side = |e: &Linear| match e.as_constant() {
        Some(constant) => Some((None, constant)),
        None => e.as_offset().map(|(symbol, constant)| (Some(symbol), constant)),
    };
    let ((x, c), (y, d)) = (side(left)?, side(right)?);
    Some((x, y, c.checked_sub(d)?))
}

/// The tightest expression that is at most zero over the integers exactly when this one is: `2x - 2y + 1 <= 0` says
/// `x - y + 1 <= 0`.
pub(super) fn tightened(expression: &Linear) -> Option<Linear> {
    let divisor = i64::try_from(expression.content()).ok().filter(|&d| d > 1)?;
    expression.scale(-1)?.floor_divide(divisor)?.scale(-1)
}

impl Graph {
    /// The expression over representatives; itself, when that is not representable.
    pub(super) fn simplified(&self, expression: &Linear) -> Linear {
        let known = |symbol: Symbol| match self.term(symbol) {
            Term { base: Some(base), offset: 0 } if base == symbol => None,
            Term { base: Some(base), offset } => Linear::from(base).offset(offset),
            Term { base: None, offset } => Some(offset.into()),
        };
        expression.map_symbols(known).unwrap_or_else(|| expression.clone())
    }

    /// An upper bound of an expression, see [`super::Constraints::upper_bound`].
    pub(super) fn upper_bound(&self, expression: &Linear) -> Option<i64> {
        if let Some((x, y, constant)) = difference(expression) {
            return self.bound(x, y)?.checked_add(constant);
        }
        self.upper_bound_of_simple(&self.simplified(expression))
    }

    /// The same of an expression over representatives.
    pub(super) fn upper_bound_of_simple(&self, expression: &Linear) -> Option<i64> {
        if let Some((x, y, constant)) = difference(expression) {
            return self.distance(x, y)?.checked_add(constant);
        }
        spend(2);
        // Pair terms of opposite sign greedily; each unit of a positive coefficient meets the first negative one that has
        // a bound, and what is left over meets zero. Any pairing gives a sound bound.
        let mut negative: SmallVec<[(Symbol, i64); 4]> = expression
            .terms()
            .filter(|t| t.1 < 0)
            .map(|(s, k)| Some((s, k.checked_neg()?)))
            .collect::<Option<_>>()?;
        let mut sum = expression.constant();
        let mut add = |x: Option<Symbol>, y: Option<Symbol>, times: i64| -> Option<()> {
            sum = sum.checked_add(self.distance(x, y)?.checked_mul(times)?)?;
            Some(())
        };
        for (symbol, mut amount) in expression.terms().filter(|t| t.1 > 0) {
            for (other, available) in &mut negative {
                let share = amount.min(*available);
                if share > 0 && self.distance(Some(symbol), Some(*other)).is_some() {
                    add(Some(symbol), Some(*other), share)?;
                    amount -= share;
                    *available -= share;
                }
            }
            if amount > 0 {
                add(Some(symbol), None, amount)?;
            }
        }
        for (symbol, amount) in negative {
            if amount > 0 {
                add(None, Some(symbol), amount)?;
            }
        }
        Some(sum)
    }
}
