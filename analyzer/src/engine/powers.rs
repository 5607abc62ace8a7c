//! Powers of two: what follows for a number `n` where `n & (n - 1)` is known to be zero.
//!
//! A hypercube or a tree of `np` processes asks for that before it begins. From `2^k < n` follows then that `n` is a multiple of
//! `2^(k+1)`, which is what a round needs that takes bit `k` of the rank.

use lattice::{Constraints, Linear, Symbol, Symbols};

/// Quotients of a number that are kept, the last ones: those by smaller powers follow from them.
const KEPT: i64 = 8;

/// Notes what follows from bounds of powers of two; `None` when that contradicts what is known.
///
/// Quotients by a `round` and its double get names too: by them all rounds are told together, see `rounds`.
pub(crate) fn note(symbols: &mut Symbols, round: Symbol, facts: &mut Constraints) -> Option<()> {
    for number in known(symbols, facts) {
        let Some(least @ 1..) = facts.lower_bound(&number) else { continue };
        let least = i64::try_from(least.unsigned_abs().checked_next_power_of_two()?).ok()?;
        let _ = facts.assume_le(&least.into(), &number)?;
        if let Some(most) = facts.upper_bound(&number) {
            let most = 1_i64 << most.checked_ilog2()?;
            let _ = facts.assume_le(&number, &most.into())?;
        }
        let Some((symbol, 0)) = number.as_offset() else { continue };
        if least < 2 || facts.constant(&number).is_some() {
            continue;
        }
        let quotient = symbols.apply("/", vec![number.clone(), least.into()]);
        if !facts.mentions(quotient) {
            let _ = facts.assume_le(&1.into(), &quotient.into())?;
            let _ = facts.assume_eq(&number, &Linear::from(quotient).scale(least)?)?;
            for times in [1, 2] {
                symbols.apply("/", vec![number.clone(), Linear::from(round).scale(times)?]);
            }
            forget_quotients(symbols, symbol, least / KEPT, facts);
        }
    }
    Some(())
}

/// Numbers that are powers of two, or zero.
fn known(symbols: &Symbols, facts: &Constraints) -> Vec<Linear> {
    let applications = symbols.applications().filter_map(|(symbol, function, arguments)| {
        let [a, b] = arguments else { return None };
        if function != "&" || !facts.mentions(symbol) || facts.constant(&symbol.into()) != Some(0) {
            return None;
        }
        let number = if a.offset(-1).as_ref() == Some(b) { a } else { b };
        let other = if number == a { b } else { a };
        (number.offset(-1).as_ref() == Some(other)).then(|| number.clone())
    });
    applications.collect()
}

/// Forgets the quotients of a number by small powers of two.
fn forget_quotients(symbols: &Symbols, number: Symbol, most: i64, facts: &mut Constraints) {
    let small = symbols.applications().filter_map(|(symbol, function, arguments)| match arguments {
        [dividend, divisor] if function == "/" && dividend.as_offset() == Some((number, 0)) => {
            divisor.as_constant().filter(|&d| 1 < d && d <= most && d.count_ones() == 1).map(|_| symbol)
        }
        _ => None,
    });
    let small: Vec<Symbol> = small.filter(|&symbol| facts.mentions(symbol)).collect();
    if !small.is_empty() {
        facts.retain(|symbol| !small.contains(&symbol));
    }
}

#[cfg(test)]
mod tests {
    use lattice::SymbolKind;

    use super::*;

    /// What is said of a power of two between bounds holds for each that is between them, and nothing else is left.
    #[test]
    fn powers_are_what_is_left() {
        for least in 1..70_i64 {
            for most in least..140 {
                let mut symbols = Symbols::default();
                let round = symbols.fresh(SymbolKind::Joined);
                let np = Linear::np();
                let mut facts = Constraints::new();
                let low = symbols.apply("&", vec![np.clone(), np.offset(-1).expect("small")]);
                assert!(facts.assume_le(&least.into(), &np).is_some());
                assert!(facts.assume_le(&np, &most.into()).is_some());
                assert!(facts.assume_eq(&low.into(), &0.into()).is_some());
                let powers: Vec<i64> = (least..=most).filter(|n| n.count_ones() == 1).collect();
                let noted = note(&mut symbols, round, &mut facts);
                assert_eq!(noted.is_some(), !powers.is_empty(), "{least}..{most}");
                let (Some(first), Some(last)) = (powers.first(), powers.last()) else { continue };
                assert_eq!(facts.lower_bound(&np), Some(*first));
                assert_eq!(facts.upper_bound(&np), Some(*last));
                for power in powers {
                    let mut one = facts.clone();
                    assert!(one.assume_eq(&np, &power.into()).is_some(), "{power} in {least}..{most}");
                }
            }
        }
    }
}
