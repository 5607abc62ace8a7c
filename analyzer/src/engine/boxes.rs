//! Boxes of ranks against one another: refinement by a further radix, intersection and difference. Always exact: where something is
//! open, the caller is asked to settle it by a case distinction and to try again.

use lattice::{Constraints, DIGITS, Linear, Range, Ranks, Truth};

use super::link::{self, or_overflow};
use super::need::{Need, decide_eq, decide_le};

/// Largest number by whose remainders a path is forked.
const REMAINDERS: i64 = 8;

/// Multiples of a divisor by which a remainder may be known.
const MULTIPLES: i64 = 8;

/// Quotient and remainder of a number by a positive radix, rounded down: the remainder is in `[0..radix-1]`.
///
/// By a constant, what is known of each symbol decides: `np - 2 * half == 1` says that np is odd. Where nothing is known, it is asked
/// for.
pub(crate) fn divide(value: &Linear, radix: &Linear, facts: &Constraints) -> Result<(Linear, Linear), Need> {
    let radix = match facts.constant(radix) {
        Some(radix @ 1..) => radix,
        Some(_) => return Err(Need::give_up("a rank is divided by a number that is not positive")),
        None => return divide_by_symbol(value, radix, facts),
    };
    if let Some(constant) = facts.constant(value) {
        return Ok((constant.div_euclid(radix).into(), constant.rem_euclid(radix).into()));
    }
    let written = facts.with_numbers(&facts.in_products(value));
    let value =
        if written.terms().all(|(_, k)| k % radix == 0) { written } else { facts.with_numbers(value) };
    let mut quotient = Linear::zero();
    let mut rest = value.constant();
    for (symbol, coefficient) in value.terms() {
        if coefficient % radix == 0 {
            quotient = or_overflow(quotient.add_scaled(&symbol.into(), coefficient / radix))?;
            continue;
        }
        // What is known of the remainder by a multiple of the radix tells that by the radix.
        let others = facts.beside(symbol);
        let witness = (1..=MULTIPLES).find_map(|multiple| {
            let divisor = radix.checked_mul(multiple)?.checked_neg()?;
            others.iter().find_map(|&q| {
                let rest = Linear::from(symbol).add_scaled(&q.into(), divisor)?;
                Some((Linear::from(q).scale(multiple)?, facts.constant(&rest)?))
            })
        });
        let Some((part, left)) = witness else {
            return Err(if radix <= REMAINDERS {
                Need::Divide(symbol, radix)
            } else {
                Need::give_up("what a number leaves when it is divided is not known")
            });
        };
        quotient = or_overflow(quotient.add_scaled(&part, coefficient))?;
        rest = or_overflow(coefficient.checked_mul(left).and_then(|left| rest.checked_add(left)))?;
    }
    Ok((or_overflow(quotient.offset(rest.div_euclid(radix)))?, rest.rem_euclid(radix).into()))
}

/// The same by a radix that is not a number: the value must be a multiple of it, as far as that can be seen, and a remainder that is
/// proved to be one.
fn divide_by_symbol(value: &Linear, radix: &Linear, facts: &Constraints) -> Result<(Linear, Linear), Need> {
    let value = &facts.in_products(value);
    let (whole, rest) = value.multiples_of(radix).unwrap_or_else(|| (Linear::zero(), value.clone()));
    let lead = radix.terms().next().map(|(symbol, k)| (rest.coefficient(symbol), k));
    let guess = lead.and_then(|(have, one)| have.checked_div_euclid(one)).unwrap_or(0);
    for more in [Some(guess), guess.checked_sub(1), guess.checked_add(1)].into_iter().flatten() {
        let rest = or_overflow(more.checked_neg().and_then(|less| rest.add_scaled(radix, less)))?;
        let fits = facts.le(&Linear::zero(), &rest) == Truth::Yes
            && rest.offset(1).is_some_and(|next| facts.le(&next, radix) == Truth::Yes);
        if fits {
            return Ok((or_overflow(whole.offset(more))?, rest));
        }
    }
    Err(Need::give_up("a rank has no quotient by the width of a mesh that is known"))
}

/// A box with its most significant digit in two: boxes that together are the same ranks, ascending.
pub(crate) fn refine(ranks: &Ranks, radix: &Linear, facts: &Constraints) -> Result<Vec<Ranks>, Need> {
    let Some((top, lower)) = ranks.digits().split_last() else { return Ok(Vec::new()) };
    if DIGITS <= ranks.digits().len() {
        return Err(Need::give_up("the rank is divided too often"));
    }
    let radices: Vec<Linear> = ranks.radices().iter().chain([radix]).cloned().collect();
    let part = |low: Range, high: Range| {
        let digits = lower.iter().cloned().chain([low, high]).collect();
        Ranks::new(radices.clone(), digits)
    };
    Ok(rows(top, radix, facts)?.into_iter().map(|(low, high)| part(low, high)).collect())
}

/// A range in rows of a width: pairs of columns and rows, ascending.
pub(crate) fn rows(range: &Range, width: &Linear, facts: &Constraints) -> Result<Vec<(Range, Range)>, Need> {
    let last_column = or_overflow(width.offset(-1))?;
    let (mut first, from) = divide(&range.lo, width, facts)?;
    let (mut last, to) = divide(&range.hi, width, facts)?;
    if range.as_single(facts).is_some() || decide_eq(&first, &last, facts)? {
        return Ok(vec![(Range { lo: from, hi: to }, Range::single(first))]);
    }
    let mut parts = Vec::new();
    if !decide_eq(&from, &Linear::zero(), facts)? {
        parts.push((Range { lo: from, hi: last_column.clone() }, Range::single(first.clone())));
        first = or_overflow(first.offset(1))?;
    }
    let mut end = None;
    if !decide_eq(&to, &last_column, facts)? {
        end = Some((Range { lo: Linear::zero(), hi: to }, Range::single(last.clone())));
        last = or_overflow(last.offset(-1))?;
    }
    if decide_le(&first, &last, facts)? {
        parts.push((Range { lo: Linear::zero(), hi: last_column }, Range { lo: first, hi: last }));
    }
    parts.extend(end);
    Ok(parts)
}

/// Two boxes by digits that have more in common: a number by which one is divided, in two factors where the other is divided by the
/// first of them.
pub(crate) fn aligned(a: &Ranks, b: &Ranks) -> (Ranks, Ranks) {
    let (mut a, mut b) = (a.clone(), b.clone());
    let mut place = 0;
    while let (Some(x), Some(y)) = (a.radices().get(place), b.radices().get(place)) {
        if x != y {
            let (Some(x), Some(y)) = (x.as_constant(), y.as_constant()) else { break };
            let (fine, coarse) = if x < y { (x, &mut b) } else { (y, &mut a) };
            let Some(divided) = in_factors(coarse, place, fine) else { break };
            *coarse = divided;
        }
        place += 1;
    }
    (a, b)
}

/// A box with one digit, which is a number, in two.
fn in_factors(ranks: &Ranks, place: usize, factor: i64) -> Option<Ranks> {
    let radix = ranks.radices()[place].as_constant()?;
    let digit = &ranks.digits()[place];
    let only = digit.lo.as_constant().filter(|&lo| digit.hi.as_constant() == Some(lo))?;
    if factor < 2 || radix % factor != 0 || DIGITS <= ranks.digits().len() {
        return None;
    }
    let (mut radices, mut digits) = (ranks.radices().to_vec(), ranks.digits().to_vec());
    let single = |digit: i64| Range::single(digit.into());
    radices.splice(place..=place, [factor.into(), (radix / factor).into()]);
    digits.splice(place..=place, [single(only % factor), single(only / factor)]);
    Some(Ranks::new(radices, digits))
}

/// The radices of both of two boxes.
pub(crate) fn common_radices<'a>(a: &'a [Linear], b: &'a [Linear]) -> Result<&'a [Linear], Need> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.starts_with(short) {
        Ok(long)
    } else {
        Err(Need::give_up("ranks are divided by numbers that have nothing in common"))
    }
}

/// A box in boxes of finer radices.
pub(crate) fn refined(ranks: &Ranks, radices: &[Linear], facts: &Constraints) -> Result<Vec<Ranks>, Need> {
    let mut parts = vec![ranks.clone()];
    for radix in &radices[ranks.radices().len()..] {
        let mut finer = Vec::new();
        for part in &parts {
            finer.extend(refine(part, radix, facts)?);
        }
        parts = finer;
    }
    Ok(parts)
}

/// What two boxes have in common, in disjoint boxes.
pub(crate) fn intersect(a: &Ranks, b: &Ranks, facts: &Constraints) -> Result<Vec<Ranks>, Need> {
    if apart(a, b, facts) {
        return Ok(Vec::new());
    }
    let (a, b) = aligned(a, b);
    let radices = common_radices(a.radices(), b.radices())?;
    let mut common = Vec::new();
    for x in refined(&a, radices, facts)? {
        for y in refined(&b, radices, facts)? {
            common.extend(digitwise(&x, &y, facts)?);
        }
    }
    Ok(common)
}

/// Whether two boxes of different radices are proved to share no rank without refining either.
fn apart(a: &Ranks, b: &Ranks, facts: &Constraints) -> bool {
    a.radices() != b.radices() && a.disjoint(b, facts)
}

/// The intersection of boxes with equal radices.
fn digitwise(a: &Ranks, b: &Ranks, facts: &Constraints) -> Result<Option<Ranks>, Need> {
    if 1 < a.digits().len() && a.disjoint(b, facts) {
        return Ok(None);
    }
    let mut digits = Vec::with_capacity(a.digits().len());
    for (x, y) in a.digits().iter().zip(b.digits()) {
        let Some(common) = link::intersect(x, y, facts)? else { return Ok(None) };
        digits.push(common);
    }
    Ok(Some(Ranks::new(a.radices().to_vec(), digits)))
}

/// What is left of a box without another, in disjoint boxes.
pub(crate) fn subtract(whole: &Ranks, part: &Ranks, facts: &Constraints) -> Result<Vec<Ranks>, Need> {
    if let (Some(range), Some(other)) = (whole.as_range(), part.as_range()) {
        return Ok(match link::intersect(range, other, facts)? {
            None => vec![whole.clone()],
            Some(common) => link::subtract(range, &common, facts)?.into_iter().map(Ranks::from).collect(),
        });
    }
    if whole.disjoint(part, facts) {
        return Ok(vec![whole.clone()]);
    }
    let (whole, part) = aligned(whole, part);
    let radices = common_radices(whole.radices(), part.radices())?;
    let mut rest = refined(&whole, radices, facts)?;
    for piece in refined(&part, radices, facts)? {
        let mut left = Vec::new();
        for box_ in rest {
            match digitwise(&box_, &piece, facts)? {
                None => left.push(box_),
                Some(common) => left.extend(around(box_, &common, facts)?),
            }
        }
        rest = left;
    }
    Ok(rest)
}

/// What is left of a box around a part of it, digit by digit.
fn around(mut whole: Ranks, part: &Ranks, facts: &Constraints) -> Result<Vec<Ranks>, Need> {
    let mut rest = Vec::new();
    for (position, inner) in part.digits().iter().enumerate() {
        for outside in link::subtract(&whole.digits()[position], inner, facts)? {
            rest.push(whole.with_digit(position, outside));
        }
        whole = whole.with_digit(position, inner.clone());
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// A box with constant bounds in the radices 2 and 3, or one of them, or none; or with one remainder by 4, 6, or 2 and 2.
    fn boxes() -> impl Strategy<Value = Ranks> {
        let range = |most: i64| {
            (0..=most, 0..=most).prop_map(|(a, b)| Range { lo: a.min(b).into(), hi: a.max(b).into() })
        };
        prop_oneof![
            range(17).prop_map(Ranks::from),
            (range(1), range(8)).prop_map(|(low, high)| Ranks::new(vec![2.into()], vec![low, high])),
            (range(1), range(2), range(2)).prop_map(|(low, middle, high)| Ranks::new(
                vec![2.into(), 3.into()],
                vec![low, middle, high]
            )),
            (0_i64..4, range(4))
                .prop_map(|(low, high)| Ranks::new(vec![4.into()], vec![Range::single(low.into()), high])),
            (0_i64..6, range(2))
                .prop_map(|(low, high)| Ranks::new(vec![6.into()], vec![Range::single(low.into()), high])),
            (range(1), range(1), range(3)).prop_map(|(low, middle, high)| Ranks::new(
                vec![2.into(), 2.into()],
                vec![low, middle, high]
            )),
        ]
    }

    fn members(ranks: &Ranks) -> BTreeSet<i64> {
        let mut found: Vec<Vec<Linear>> = vec![Vec::new()];
        for digit in ranks.digits() {
            let (lo, hi) =
                (digit.lo.as_constant().expect("constant"), digit.hi.as_constant().expect("constant"));
            found = found
                .into_iter()
                .flat_map(|digits| (lo..=hi).map(move |d| digits.iter().cloned().chain([d.into()]).collect()))
                .collect();
        }
        found
            .iter()
            .map(|digits| ranks.rank_of(digits).and_then(|r| r.as_constant()).expect("constant"))
            .collect()
    }

    fn union(parts: &[Ranks]) -> BTreeSet<i64> {
        let all: Vec<i64> = parts.iter().flat_map(members).collect();
        let set: BTreeSet<i64> = all.iter().copied().collect();
        assert_eq!(all.len(), set.len(), "the parts are disjoint");
        set
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn boxes_are_sets(a in boxes(), b in boxes()) {
            let facts = Constraints::new();
            let (p, q) = (members(&a), members(&b));
            prop_assert_eq!(i64::try_from(p.len()).ok(), a.count().and_then(|c| c.as_constant()));
            prop_assert!(!a.disjoint(&b, &facts) || p.is_disjoint(&q));
            // Giving up is no wrong answer; it happens only where one is divided by what the other is not divided by.
            let (radices, others) = (a.radices(), b.radices());
            let factor = |radices: &[Linear], i: usize| radices.get(i).and_then(Linear::as_constant).unwrap_or(1);
            let differs = (0..2).any(|i| factor(radices, i) != 1 && factor(others, i) != 1 && factor(radices, i) != factor(others, i));
            let divides = factor(radices, 0) % factor(others, 0) == 0 || factor(others, 0) % factor(radices, 0) == 0;
            match (intersect(&a, &b, &facts), subtract(&a, &b, &facts)) {
                (Ok(common), Ok(rest)) => {
                    prop_assert_eq!(union(&common), &p & &q);
                    prop_assert_eq!(union(&rest), &p - &q);
                }
                _ => prop_assert!(differs && !(divides && radices.len().max(others.len()) < 2)),
            }
            let hull = a.hull().expect("constants");
            prop_assert_eq!(p.first().copied(), hull.lo.as_constant());
            prop_assert_eq!(p.last().copied(), hull.hi.as_constant());
            if p.is_disjoint(&q) && let Some(both) = a.append(&b, &facts) {
                prop_assert_eq!(members(&both), &p | &q);
            }
        }
    }
}
