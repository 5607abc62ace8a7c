//! What is known of quotients and other functions of numbers beyond differences: bounds that follow from those of their operands.

use lattice::{Constraints, Linear, Symbol, Symbols};
use rustc_hash::FxHashSet;

use super::cartesian::{dimension_value, parse_dimension};
use super::roots::{is_root, root_value};

/// Tightens the bounds of quotients by constants, and of what is divided, to each other, and those of factors to their products;
/// `None` when that contradicts what is known.
pub(crate) fn refine(symbols: &Symbols, facts: &mut Constraints) -> Option<()> {
    facts.settle_products()?;
    bound_factors(facts)?;
    // Bounds may have told factors.
    facts.settle_products()?;
    for (symbol, function, arguments) in symbols.applications() {
        let [dividend, divisor] = arguments else { continue };
        let Some(divisor @ 1..) = divisor.as_constant() else { continue };
        if function != "/" || !facts.symbols().any(|s| s == symbol) {
            continue;
        }
        let quotient = Linear::from(symbol);
        if 1 < divisor {
            bound_by_distance(dividend, divisor, &quotient, facts)?;
        }
        // C rounds towards zero, which is down only where nothing is negative.
        let Some(least @ 0..) = facts.lower_bound(dividend) else { continue };
        let _ = facts.assume_le(&(least / divisor).into(), &quotient)?;
        if let Some(most) = facts.upper_bound(dividend) {
            let _ = facts.assume_le(&quotient, &(most / divisor).into())?;
        }
        if let Some(least) = facts.lower_bound(&quotient).and_then(|q| q.checked_mul(divisor)) {
            let _ = facts.assume_le(&least.into(), dividend)?;
        }
        let most =
            facts.upper_bound(&quotient).and_then(|q| q.checked_mul(divisor)?.checked_add(divisor - 1));
        if let Some(most) = most {
            let _ = facts.assume_le(dividend, &most.into())?;
        }
    }
    Some(())
}

/// Bounds the factors of products of positive numbers.
fn bound_factors(facts: &mut Constraints) -> Option<()> {
    for product in facts.products() {
        let Some(most) = facts.upper_bound(&product.into()) else { continue };
        let least: Option<Vec<i64>> =
            product.factors().map(|f| facts.lower_bound(&f.into()).filter(|&least| 0 < least)).collect();
        let Some(least) = least else { continue };
        for (index, factor) in product.factors().enumerate() {
            let others = least.iter().enumerate().filter(|&(i, _)| i != index);
            if let Some(others) = others.map(|(_, &least)| least).try_fold(1_i64, i64::checked_mul) {
                let _ = facts.assume_le(&factor.into(), &most.div_euclid(others).into())?;
            }
        }
    }
    Some(())
}

/// Bounds a quotient by how far it is known to be from what is divided: `dividend - quotient` is `(divisor - 1) * quotient` and the
/// remainder.
fn bound_by_distance(
    dividend: &Linear,
    divisor: i64,
    quotient: &Linear,
    facts: &mut Constraints,
) -> Option<()> {
    let (Some(distance), Some(remainder)) =
        (dividend.sub(quotient), divisor.checked_neg().and_then(|d| dividend.add_scaled(quotient, d)))
    else {
        return Some(());
    };
    let by = divisor - 1;
    let most = facts.upper_bound(&distance).zip(facts.lower_bound(&remainder));
    if let Some(most) = most.and_then(|(distance, remainder)| distance.checked_sub(remainder)) {
        let _ = facts.assume_le(quotient, &most.div_euclid(by).into())?;
    }
    let least = facts.lower_bound(&distance).zip(facts.upper_bound(&remainder));
    if let Some(least) = least.and_then(|(distance, remainder)| remainder.checked_sub(distance)) {
        // Rounded up.
        let _ = facts.assume_le(&(-least.div_euclid(by)).into(), quotient)?;
    }
    Some(())
}

/// Learns the value of each function of numbers that are known; `None` when one contradicts what is known.
pub(crate) fn fold(symbols: &Symbols, facts: &mut Constraints) -> Option<()> {
    fold_some(symbols.applications(), facts)
}

/// Numbers that a factor is tried as.
const FACTORS: i64 = 256;
/// Cases of all factors together that are looked at.
const CASES: usize = 4096;

/// What is known in each case of what the factors of products with known bounds may be; what contradicts itself is left out. `None`
/// when there are too many.
pub(crate) fn cases_of_factors(symbols: &Symbols, facts: &Constraints) -> Option<Vec<Constraints>> {
    let mut cases = Vec::new();
    let mut left = vec![facts.clone()];
    let mut tried = 0;
    while let Some(mut case) = left.pop() {
        tried += 1;
        if tried > CASES {
            return None;
        }
        // Factors tell products, and these what is computed from them.
        if fold(symbols, &mut case).is_none()
            || refine(symbols, &mut case).is_none()
            || fold(symbols, &mut case).is_none()
        {
            continue;
        }
        let few = |factor: &Symbol| {
            let factor = (*factor).into();
            let (least, most) = (case.lower_bound(&factor)?, case.upper_bound(&factor)?);
            (least < most && most.checked_sub(least)? <= FACTORS).then_some((least, most))
        };
        let factors = case.products().into_iter().flat_map(Symbol::factors);
        let open = factors.filter_map(|factor| few(&factor).map(|ends| (factor, ends))).min_by_key(|f| f.1.1);
        match open {
            None => cases.push(case),
            // The last is the first to be looked at.
            Some((factor, (least, most))) => left.extend((least..=most).rev().filter_map(|value| {
                let mut one = case.clone();
                one.assume_eq(&factor.into(), &value.into()).map(|_| one)
            })),
        }
    }
    Some(cases)
}

/// A function of numbers: the symbol of its value, its name, its arguments.
pub(crate) type Application<'a> = (Symbol, &'a str, &'a [Linear]);

/// The functions of numbers that something is known of, and those that they are functions of, in an order for [`fold_some`].
pub(crate) fn known_functions<'a>(symbols: &'a Symbols, facts: &Constraints) -> Vec<Application<'a>> {
    known_among(symbols, facts, |function| {
        is_operator(function) || is_root(function) || parse_dimension(function).is_some()
    })
}

/// The same for the functions that `wanted` names.
pub(crate) fn known_among<'a>(
    symbols: &'a Symbols,
    facts: &Constraints,
    wanted: impl Fn(&str) -> bool,
) -> Vec<Application<'a>> {
    let parts = |symbol: Symbol| std::iter::once(symbol).chain(symbol.factors());
    let mut named: FxHashSet<Symbol> = facts.symbols().chain(facts.products()).flat_map(parts).collect();
    let all: Vec<_> = symbols.applications().filter(|(_, function, _)| wanted(function)).collect();
    let mut known = Vec::new();
    for application in all.into_iter().rev() {
        let (symbol, _, arguments) = application;
        if named.contains(&symbol) {
            named.extend(arguments.iter().flat_map(Linear::symbols).flat_map(parts));
            known.push(application);
        }
    }
    known.reverse();
    known
}

/// Whether a function is an operator of C; most are not.
pub(crate) fn is_operator(function: &str) -> bool {
    !function.bytes().any(|byte| byte.is_ascii_alphanumeric())
}

/// Does what [`fold`] does for some functions, of which those in the arguments of others come first.
pub(crate) fn fold_some<'a>(
    applications: impl IntoIterator<Item = Application<'a>>,
    facts: &mut Constraints,
) -> Option<()> {
    for (symbol, function, arguments) in applications {
        if let [number] = arguments
            && let Some(number @ 1..) = facts.constant(number)
            && let Some(value) = dimension_value(function, number).or_else(|| root_value(function, number))
        {
            let _ = facts.assume_eq(&symbol.into(), &value.into())?;
        }
        let [a, b] = arguments else { continue };
        // There are many, and this is asked often.
        if !is_operator(function) {
            continue;
        }
        let number = |of: &Linear| {
            if of.has_products() { facts.constant(&facts.with_numbers(of)) } else { facts.constant(of) }
        };
        let (Some(a), Some(b)) = (number(a), number(b)) else { continue };
        if let Some(value) = apply(function, a, b) {
            let _ = facts.assume_eq(&symbol.into(), &value.into())?;
        }
    }
    Some(())
}

/// The value of an operator of C for two numbers; `None` where it has none, or is not known.
pub(crate) fn apply(operator: &str, a: i64, b: i64) -> Option<i64> {
    match operator {
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "*" => a.checked_mul(b),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "<<" if a >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_mul(2_i64.checked_pow(b)?)),
        ">>" if a >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_shr(b)),
        "<" => Some(i64::from(a < b)),
        "<=" => Some(i64::from(a <= b)),
        ">" => Some(i64::from(a > b)),
        ">=" => Some(i64::from(a >= b)),
        "==" => Some(i64::from(a == b)),
        "!=" => Some(i64::from(a != b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// n - n / 2 == 1 where n is odd says that n is 1.
    #[test]
    fn quotients_are_bounded_by_their_distance() {
        let mut symbols = Symbols::default();
        let np = Linear::np();
        let half: Linear = symbols.apply("/", vec![np.clone(), 2.into()]).into();
        for (odd, distance, expected) in [(1, 1, 0), (0, 1, 1), (1, 3, 2), (0, 3, 3)] {
            let mut facts = Constraints::new();
            let whole = half.scale(2).and_then(|whole| whole.offset(odd)).expect("small");
            assert!(facts.assume_le(&Linear::zero(), &half).is_some());
            assert!(facts.assume_eq(&np, &whole).is_some());
            assert!(facts.assume_eq(&np, &half.offset(distance).expect("small")).is_some());
            assert_eq!(refine(&symbols, &mut facts), Some(()));
            assert_eq!(facts.constant(&half), Some(expected));
        }
    }

    /// For every n and divisor, exactly the right quotient is left, and no bound excludes it before.
    #[test]
    fn quotients_are_bounded_by_what_is_divided() {
        for divisor in 1..5_i64 {
            for n in 0..12_i64 {
                let mut symbols = Symbols::default();
                let np = Linear::np();
                let quotient = symbols.apply("/", vec![np.clone(), divisor.into()]);
                let mut facts = Constraints::new();
                assert!(facts.assume_le(&Linear::zero(), &np).is_some());
                assert!(facts.assume_le(&Linear::zero(), &quotient.into()).is_some());
                assert_eq!(refine(&symbols, &mut facts), Some(()));
                assert!(facts.assume_eq(&np, &n.into()).is_some());
                assert_eq!(refine(&symbols, &mut facts), Some(()));
                assert_eq!(facts.constant(&quotient.into()), Some(n / divisor));
                assert_eq!(fold(&symbols, &mut facts), Some(()));
                // A quotient that it is not.
                let mut wrong = Constraints::new();
                assert!(wrong.assume_eq(&np, &n.into()).is_some());
                assert!(wrong.assume_eq(&quotient.into(), &(n / divisor + 1).into()).is_some());
                assert_eq!(fold(&symbols, &mut wrong.clone()), None);
                assert_eq!(refine(&symbols, &mut wrong), None);
            }
        }
    }
}
