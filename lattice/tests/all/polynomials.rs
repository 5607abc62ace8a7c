//! Products of symbols against their values: the arithmetic of polynomials, and what constraints answer about them.

use lattice::{Constraints, Linear, Symbol, Truth};
use proptest::prelude::*;

const COUNT: usize = 3;

fn symbol(index: usize) -> Symbol {
    Symbol::of(20 + index as u32)
}

/// The value of the symbol of an index.
fn value_of(values: &[i64]) -> impl Fn(Symbol) -> Option<i64> + '_ {
    |s| (0..values.len()).find(|&i| symbol(i) == s).map(|i| values[i])
}

/// Polynomials of few terms and factors.
fn polynomials(factors: usize) -> impl Strategy<Value = Linear> {
    let term = (-3..=3_i64, prop::collection::vec(0..COUNT, 0..=factors));
    prop::collection::vec(term, 0..4).prop_map(|terms| {
        terms.into_iter().fold(Linear::zero(), |sum, (coefficient, factors)| {
            let one = Linear::from(coefficient);
            let product = factors.iter().try_fold(one, |product, &i| product.times(&symbol(i).into()));
            sum.add(&product.expect("few factors")).expect("small")
        })
    })
}

fn evaluate(polynomial: &Linear, values: &[i64]) -> i64 {
    polynomial.evaluate(value_of(values)).expect("all symbols have values")
}

proptest! {
    #[test]
    fn arithmetic_is_that_of_values(
        a in polynomials(1), b in polynomials(2), values in prop::collection::vec(-5..=5_i64, COUNT), index in 0..COUNT,
    ) {
        let (x, y) = (evaluate(&a, &values), evaluate(&b, &values));
        prop_assert_eq!(evaluate(&a.times(&b).expect("three factors"), &values), x * y);
        prop_assert_eq!(evaluate(&a.add_scaled(&b, 2).expect("small"), &values), x + 2 * y);
        // a of b is the same as a where the symbol has the value of b
        let mut changed = values.clone();
        changed[index] = y;
        let composed = a.substitute(symbol(index), &b).expect("two factors");
        prop_assert_eq!(evaluate(&composed, &values), evaluate(&a, &changed));
        let composed = b.substitute(symbol(index), &a).expect("two factors");
        changed[index] = x;
        prop_assert_eq!(evaluate(&composed, &values), evaluate(&b, &changed));
        let mapped = b.map_symbols(|s| (s == symbol(index)).then(|| a.clone())).expect("two factors");
        prop_assert_eq!(evaluate(&mapped, &values), evaluate(&b, &changed));
    }

    #[test]
    fn polynomials_are_taken_apart(p in polynomials(3), values in prop::collection::vec(-5..=5_i64, COUNT), index in 0..COUNT) {
        let all = evaluate(&p, &values);
        if let Some((factor, rest)) = p.by_symbol(symbol(index)) {
            prop_assert!(!factor.has(symbol(index)) && !rest.has(symbol(index)));
            prop_assert_eq!(evaluate(&factor, &values) * values[index] + evaluate(&rest, &values), all);
        }
        for divisor in [symbol(index).into(), Linear::from(2), Linear::from(symbol(index)).scale(2).expect("small")] {
            let (quotient, rest) = p.multiples_of(&divisor).expect("one term");
            prop_assert_eq!(
                evaluate(&quotient, &values) * evaluate(&divisor, &values) + evaluate(&rest, &values), all
            );
            prop_assert_eq!(quotient.times(&divisor).expect("as before").add(&rest), Some(p.clone()));
        }
    }

    /// What is learned of polynomials that hold excludes no values of theirs, and what is answered is so.
    #[test]
    fn answers_hold_for_all_values(
        values in prop::collection::vec(-2..=4_i64, COUNT),
        known in prop::collection::vec(polynomials(2), 0..5),
        asked in prop::collection::vec(polynomials(2), 1..5),
        floor in prop::collection::vec(any::<bool>(), COUNT),
    ) {
        let mut facts = Constraints::new();
        for (index, &value) in values.iter().enumerate() {
            if floor[index] {
                prop_assert!(facts.assume_le(&value.min(1).into(), &symbol(index).into()).is_some());
            }
        }
        for p in &known {
            // p <= its value
            let bound = evaluate(p, &values);
            prop_assert!(facts.assume_le(p, &bound.into()).is_some(), "{p:?} <= {bound} contradicts nothing");
        }
        let mut settled = facts.clone();
        prop_assert!(settled.settle_products().is_some());
        for facts in [&facts, &settled] {
            for p in &asked {
                let value = evaluate(p, &values);
                match facts.le(p, &Linear::zero()) {
                    Truth::Yes => prop_assert!(value <= 0),
                    Truth::No => prop_assert!(value > 0),
                    Truth::Open => {}
                }
                prop_assert!(facts.upper_bound(p).is_none_or(|most| value <= most));
                prop_assert!(facts.constant(p).is_none_or(|only| value == only));
            }
        }
    }

    /// Names and values change, and with them those of products.
    #[test]
    fn products_follow_their_factors(
        values in prop::collection::vec(0..=4_i64, COUNT),
        known in prop::collection::vec(polynomials(2), 0..5),
        asked in prop::collection::vec(polynomials(2), 1..4),
        from in 0..COUNT, shift in -2..=2_i64, how in 0..4,
    ) {
        let mut facts = Constraints::new();
        for p in &known {
            prop_assert!(facts.assume_le(p, &evaluate(p, &values).into()).is_some());
        }
        let mut after = values.clone();
        let other = symbol(COUNT);
        match how {
            0 => {
                after.push(values[from]);
                facts.rename(symbol(from), other);
            }
            1 => {
                after[from] += shift;
                facts.assign(symbol(from), &Linear::from(symbol(from)).offset(shift).expect("small"));
            }
            2 => {
                after.push(values[from]);
                facts.duplicate(&[(symbol(from), other)]);
            }
            _ => {
                after[from] = 17;
                facts.forget(symbol(from));
            }
        }
        // After a renaming anything may have the old name.
        if how == 0 {
            after[from] = -7;
        }
        let renamed = |p: &Linear| p.map_symbols(|s| (s == symbol(from)).then(|| other.into())).expect("as before");
        for p in asked.iter().flat_map(|p| if how % 2 == 0 { vec![p.clone(), renamed(p)] } else { vec![p.clone()] }) {
            let value = evaluate(&p, &after);
            match facts.le(&p, &Linear::zero()) {
                Truth::Yes => prop_assert!(value <= 0, "{p:?}"),
                Truth::No => prop_assert!(value > 0, "{p:?}"),
                Truth::Open => {}
            }
        }
    }
}
