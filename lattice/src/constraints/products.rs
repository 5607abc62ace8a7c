//! Comparisons of polynomials: of expressions whose symbols are products.
//!
//! The graph knows a product as one more symbol, such as the equal of the number of processes. What it does not know may follow from
//! what is known of the factors: `n * r <= n * m - n` says no more than `r <= m - 1`, where `n` is positive. And where every symbol is
//! written as its lower bound and what it is more, a polynomial without a positive coefficient is not positive.

use std::sync::Arc;

use super::{Constraints, Truth};
use crate::{Linear, Symbol};

/// Common factors that are taken out, one in the other.
const FACTORS: u32 = 3;

impl Constraints {
    /// Whether something is known of a product.
    fn knows_products(&self) -> bool {
        self.graph.entries().last().is_some_and(|entry| entry.0.is_product())
            || self.sums.iter().any(Linear::has_products)
    }

    /// The products of which something is known.
    #[must_use]
    pub fn products(&self) -> Vec<Symbol> {
        let beside = self.sums.iter().flat_map(Linear::symbols).filter(|symbol| symbol.is_product());
        let mut all: Vec<Symbol> =
            self.symbols().filter(|symbol| symbol.is_product()).chain(beside).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The expression with numbers for all symbols that are known, factors of products too.
    #[must_use]
    pub fn with_numbers(&self, expression: &Linear) -> Linear {
        let number = |symbol: Symbol| {
            let term = self.graph.term(symbol);
            (term.base.is_none() && !symbol.is_product()).then(|| term.offset.into())
        };
        expression.map_symbols(number).unwrap_or_else(|| expression.clone())
    }

    /// The expression with numbers for factors that are known, and one name for those that are equal up to a number; `None` where it has
    /// no products.
    #[must_use]
    pub fn with_known_factors(&self, expression: &Linear) -> Option<Linear> {
        expression.has_products().then(|| {
            let known = |symbol: Symbol| {
                let term = self.graph.term(symbol);
                match term.base {
                    _ if symbol.is_product() => None,
                    None => Some(term.offset.into()),
                    Some(base) if base == symbol || base.is_product() => None,
                    Some(base) => Linear::from(base).offset(term.offset),
                }
            };
            expression.map_symbols(known).unwrap_or_else(|| expression.clone())
        })
    }

    /// Says of what is left of a product, when some of its factors have become known, what is known of the product: its bounds and what
    /// it equals. `None` when that contradicts what is known.
    #[must_use]
    pub fn settle_products(&mut self) -> Option<()> {
        let told = |sum: &&Linear| self.with_known_factors(sum).is_some_and(|plain| plain != **sum);
        let sums: Vec<Linear> = self.sums.iter().filter(told).cloned().collect();
        if !sums.is_empty() {
            Arc::make_mut(&mut self.sums).rewrite(|sum| (!sums.contains(sum)).then(|| sum.clone()));
            for sum in &sums {
                // What is known of the factors is taken into account.
                let _ = self.assume_nonpositive(sum)?;
            }
        }
        let products: Vec<Symbol> = self.symbols().filter(|symbol| symbol.is_product()).collect();
        for product in products {
            let Some(plain) =
                self.with_known_factors(&product.into()).filter(|plain| *plain != product.into())
            else {
                continue;
            };
            let same = self.equal_offset(product, |symbol| !symbol.is_product());
            let (most, least) =
                (self.graph.bound(Some(product), None), self.graph.bound(None, Some(product)));
            self.retain_products(|symbol| symbol != product);
            if let Some(same) = same {
                let _ = self.assume_eq(&plain, &same)?;
            }
            if let Some(most) = most {
                let _ = self.assume_le(&plain, &most.into())?;
            }
            if let Some(least) = least.and_then(i64::checked_neg) {
                let _ = self.assume_le(&least.into(), &plain)?;
            }
        }
        Some(())
    }

    /// Whether `expression <= 0`, by what is known of factors.
    pub(super) fn product_is_nonpositive(&self, expression: &Linear) -> Truth {
        if !expression.is_uniform() || !(expression.has_products() || self.knows_products()) {
            return Truth::Open;
        }
        let plain = self.with_known_factors(expression);
        let expression = self.in_products(plain.as_ref().unwrap_or(expression));
        if !expression.has_products() {
            return Truth::Open;
        }
        if self.is_nonpositive(&expression, FACTORS) {
            return Truth::Yes;
        }
        let positive = expression.scale(-1).and_then(|e| e.offset(1));
        if positive.is_some_and(|e| self.is_nonpositive(&e, FACTORS)) { Truth::No } else { Truth::Open }
    }

    /// The expression with the products that its symbols are proved to be.
    #[must_use]
    pub fn in_products(&self, expression: &Linear) -> Linear {
        if !self.knows_products() {
            return expression.clone();
        }
        let product = |symbol: Symbol| {
            if symbol.is_product() {
                return None;
            }
            let equal = self.equal_offset(symbol, Symbol::is_product).filter(Linear::has_products);
            equal.or_else(|| self.equal_sum(symbol))
        };
        let written = expression.map_symbols(product);
        written.unwrap_or_else(|| expression.clone())
    }

    /// What a symbol is proved to be by an equation with products that is no difference.
    fn equal_sum(&self, symbol: Symbol) -> Option<Linear> {
        let equations = self.sums.iter().filter(|sum| sum.has_products() && sum.coefficient(symbol) == 1);
        equations
            .filter(|sum| sum.scale(-1).is_some_and(|back| self.sums.iter().any(|other| *other == back)))
            .find_map(|sum| Linear::from(symbol).sub(sum).filter(|value| !value.has(symbol)))
    }

    fn is_nonpositive(&self, expression: &Linear, depth: u32) -> bool {
        if let Some(constant) = expression.as_constant() {
            return constant <= 0;
        }
        if self.upper_bound(expression).is_some_and(|most| most <= 0) {
            return true;
        }
        if !expression.has_products() {
            return false;
        }
        if self.is_nonpositive_from_bounds(expression) {
            return true;
        }
        // A common factor that is not negative does not matter.
        let Some(first) = expression.symbols().next().filter(|_| depth > 0 && expression.constant() == 0)
        else {
            return false;
        };
        first.factors().any(|factor| {
            let common = Linear::from(factor);
            expression.divide_by_term(&common).is_some_and(|rest| {
                self.lower_bound(&common).is_some_and(|least| least >= 0)
                    && self.is_nonpositive(&rest, depth - 1)
            })
        })
    }

    /// Whether no coefficient is positive where every symbol is written as its lower bound and what it is more.
    fn is_nonpositive_from_bounds(&self, expression: &Linear) -> bool {
        let mut factors: Vec<Symbol> = expression.symbols().flat_map(Symbol::factors).collect();
        factors.sort_unstable();
        factors.dedup();
        let mut moved = expression.clone();
        for factor in factors {
            let least = self.lower_bound(&factor.into());
            let Some(shifted) = least.and_then(|least| Linear::from(factor).offset(least)) else {
                return false;
            };
            match moved.substitute(factor, &shifted) {
                Some(next) => moved = next,
                None => return false,
            }
        }
        moved.constant() <= 0 && moved.terms().all(|(_, coefficient)| coefficient <= 0)
    }
}
