//! From the partner that a send or a receive names to who is paired with whom.
//!
//! The partner is an expression over the rank, or over its digits. As a rule each digit of it is one of the rank's, and something that
//! is the same for all; where that fails, the digits may be in another order, be more than those of the rank, or fewer.

use lattice::{Constraints, Linear, Range, Ranks, Symbol, Truth};

use super::boxes::divide;
use super::digit_layout::Layout;
use super::link::{Link, Pairing, or_overflow};
use super::need::{Need, decide_le};
use super::relation::Relation;

/// Greatest number that a partner is a multiple of, if it is a prime number.
const STRETCH: u64 = 31;

impl Relation {
    /// The pairs of a send by `senders` to `dest`, an expression over the sender's rank.
    pub(crate) fn of_send(senders: &Ranks, dest: &Linear, facts: &Constraints) -> Result<Self, Need> {
        if let Some(only) = senders.as_single(facts) {
            let dest = senders.settle(dest, facts);
            return Ok(Link::of_send(&Range::single(only), Symbol::RANK, &dest, facts)?.into());
        }
        let straight = || {
            let digits = digits_of(dest, senders, facts)?;
            let link = |(position, digit): (usize, &Linear)| {
                Link::of_send(&senders.digits()[position], senders.symbol(position), digit, facts)
            };
            let links = digits.iter().enumerate().map(link).collect::<Result<_, _>>()?;
            Ok(Self::of_links(Layout::straight(senders.radices().to_vec()), links))
        };
        match straight() {
            Err(Need::GiveUp(reason)) => {
                for other in [Self::stretched, Self::with_digits_moved, Self::of_rows] {
                    match other(senders, dest, facts) {
                        Ok(Some(relation)) => return Ok(relation),
                        Ok(None) | Err(Need::GiveUp(_)) => {}
                        Err(need) => return Err(need),
                    }
                }
                Err(Need::GiveUp(reason))
            }
            known => known,
        }
    }

    /// The pairs of a send to a multiple of a number, and a rest: the rest is a digit that the sender does not have. `None` where it is of
    /// another kind.
    fn stretched(senders: &Ranks, dest: &Linear, facts: &Constraints) -> Result<Option<Self>, Need> {
        let Some(dest) = senders.in_digits(&senders.settle(dest, facts)) else { return Ok(None) };
        let (own, uniform) = dest.split_own();
        let content = own.content();
        let prime = (2..=STRETCH).find(|prime| content.is_multiple_of(*prime));
        let Some(factor) = prime.filter(|_| own != Linear::zero()).and_then(|f| i64::try_from(f).ok()) else {
            return Ok(None);
        };
        let (above, rest) = divide(&uniform, &factor.into(), facts)?;
        let Some(rows) = own.divide_exactly(factor).and_then(|rows| rows.add(&above)) else {
            return Ok(None);
        };
        let inner = Self::of_send(senders, &rows, facts)?;
        let low = Link::new(Range::single(Linear::zero()), Range::single(rest), Pairing::Single);
        Ok(inner.above(low, 1.into(), factor.into()))
    }

    /// The pairs of a send by ranks whose least significant digit is the same, to what the others tell: the receiver does not have that
    /// digit. `None` where it is of another kind.
    fn of_rows(senders: &Ranks, dest: &Linear, facts: &Constraints) -> Result<Option<Self>, Need> {
        let (Some(radix), Some(low)) = (senders.radices().first(), senders.digits()[0].as_single(facts))
        else {
            return Ok(None);
        };
        let rows = Ranks::new(senders.radices()[1..].to_vec(), senders.digits()[1..].to_vec());
        let Some(dest) = senders.in_digits(&senders.settle(dest, facts)) else { return Ok(None) };
        let place = |symbol| (0..rows.digits().len()).find(|&place| senders.symbol(place + 1) == symbol);
        let Some(seen) = dest.map_symbols(|symbol| place(symbol).map(|place| rows.symbol(place).into()))
        else {
            return Ok(None);
        };
        let inner = Self::of_send(&rows, &seen, facts).map_err(|need| match need {
            Need::Split(place, threshold) => Need::Split(place + 1, threshold),
            need => need,
        })?;
        let low = Link::new(Range::single(low.clone()), Range::single(Linear::zero()), Pairing::Single);
        Ok(inner.above(low, radix.clone(), 1.into()))
    }

    /// The pairs of a send to a rank that has the digits of the sender in another order; `None` where it is of another kind.
    fn with_digits_moved(senders: &Ranks, dest: &Linear, facts: &Constraints) -> Result<Option<Self>, Need> {
        let places = senders.digits().len();
        let Some(mut rest) = senders.in_digits(&senders.settle(dest, facts)) else { return Ok(None) };
        let mut receivers = Vec::new();
        // Of each digit of the receiver, that of the sender which it comes from, and what it is.
        let mut found: Vec<(Option<usize>, Linear)> = Vec::new();
        while found.len() < places {
            let last = found.len() + 1 == places;
            // What each digit is multiplied with.
            let mut factors = Vec::new();
            for position in 0..places {
                let Some((factor, _)) = rest.by_symbol(senders.symbol(position)) else { return Ok(None) };
                if factor != Linear::zero() {
                    factors.push((position, factor));
                }
            }
            let one = Linear::from(1);
            let lowest = factors.iter().find(|(_, factor)| *factor == one).map(|(position, _)| *position);
            let (own, uniform) = rest.split_own();
            if last {
                let here = lowest.map_or_else(Linear::zero, |position| senders.symbol(position).into());
                if own != here {
                    return Ok(None);
                }
                found.push((lowest, rest));
                break;
            }
            // The radix divides all others.
            let others = || factors.iter().filter(|(position, _)| Some(*position) != lowest);
            let Some((_, radix)) =
                others().find(|(_, radix)| others().all(|(_, f)| f.divide_by_term(radix).is_some()))
            else {
                return Ok(None);
            };
            let (above, low) = divide(&uniform, radix, facts)?;
            let mut digit = low;
            let mut upper = own;
            if let Some(position) = lowest {
                let symbol = Linear::from(senders.symbol(position));
                digit = or_overflow(digit.add(&symbol))?;
                upper = or_overflow(upper.sub(&symbol))?;
            }
            let (least, most) = (senders.minimise(&digit, facts), senders.maximise(&digit, facts));
            let (Some(least), Some(most)) = (least, most) else { return Ok(None) };
            let fits = facts.le(&Linear::zero(), &least) == Truth::Yes
                && most.offset(1).is_some_and(|next| facts.le(&next, radix) == Truth::Yes);
            let Some(upper) = upper.divide_by_term(radix).filter(|_| fits) else { return Ok(None) };
            receivers.push(radix.clone());
            found.push((lowest, digit));
            rest = or_overflow(upper.add(&above))?;
        }
        // Digits that are the same on all senders are linked with those that are the same on all receivers.
        let used: Vec<usize> = found.iter().filter_map(|(position, _)| *position).collect();
        let mut fixed = (0..places).filter(|position| !used.contains(position));
        let mut from = Vec::new();
        for (position, digit) in found {
            let Some(position) = position.or_else(|| fixed.next()) else { return Ok(None) };
            from.push((position, digit));
        }
        let mut order = vec![0; places];
        let mut links = Vec::new();
        for (position, linked) in order.iter_mut().enumerate() {
            let Some(place) = from.iter().position(|(own, _)| *own == position) else { return Ok(None) };
            *linked = place;
            links.push(Link::of_send(
                &senders.digits()[position],
                senders.symbol(position),
                &from[place].1,
                facts,
            )?);
        }
        // Senders of which each has the same partner are no permutation.
        if links.iter().any(|link| link.pairing == Pairing::FanIn) {
            return Ok(None);
        }
        let layout = Layout { senders: senders.radices().to_vec(), receivers, order };
        Ok(Some(Self::of_links(layout, links)))
    }

    /// The pairs of a receive by `receivers` from `source`, an expression over the receiver's rank.
    pub(crate) fn of_receive(receivers: &Ranks, source: &Linear, facts: &Constraints) -> Result<Self, Need> {
        Ok(Self::of_send(receivers, source, facts)?.reversed())
    }
}

/// The digits of a partner in the radices of the set that names it, each over one digit of the set's members. Where a carry depends
/// on the member, the set is told apart.
fn digits_of(partner: &Linear, ranks: &Ranks, facts: &Constraints) -> Result<Vec<Linear>, Need> {
    let mut rest = facts.with_known_factors(partner).unwrap_or_else(|| partner.clone());
    let mut digits = Vec::with_capacity(ranks.digits().len());
    for (below, radix) in ranks.radices().iter().enumerate() {
        let radix = &facts.constant(radix).map_or_else(|| radix.clone(), Linear::from);
        let (tail, digit) = (Symbol::tail(below), Symbol::digit(below));
        let (own, uniform) = rest.split_own();
        let (mut quotient, mut low) = divide(&uniform, radix, facts)?;
        for (symbol, coefficient) in own.terms() {
            if symbol == tail {
                let above = Symbol::tail(below + 1);
                quotient = or_overflow(quotient.add_scaled(&above.into(), coefficient))?;
                low = or_overflow(low.add_scaled(&digit.into(), coefficient))?;
            } else if symbol == digit {
                low = or_overflow(low.add_scaled(&digit.into(), coefficient))?;
            } else {
                // What is written as a multiple of the radix.
                let term = or_overflow(Linear::from(symbol).scale(coefficient))?;
                let whole = term.divide_by_term(radix);
                let whole = whole.ok_or_else(|| Need::give_up("the partner mixes digits of the rank"))?;
                quotient = or_overflow(quotient.add(&whole))?;
            }
        }
        let (low, carry) = carried(&low, radix, below, ranks, facts)?;
        digits.push(low);
        rest = or_overflow(quotient.offset(carry))?;
    }
    digits.push(rest);
    Ok(digits)
}

/// A digit within `[0..radix-1]`, and what is carried to the next.
fn carried(
    value: &Linear,
    radix: &Linear,
    position: usize,
    ranks: &Ranks,
    facts: &Constraints,
) -> Result<(Linear, i64), Need> {
    let symbol = ranks.symbol(position);
    let digit = &ranks.digits()[position];
    let value = match digit.as_single(facts) {
        Some(only) => or_overflow(value.substitute(symbol, only))?,
        None => value.clone(),
    };
    let slope = value
        .slope(symbol)
        .ok_or_else(|| Need::give_up("the partner is a multiple of a digit of the rank"))?;
    let overflow = || Need::give_up("a rank expression exceeds 64 bits");
    let known = |carry: i64| {
        let moved = value.add_scaled(radix, carry.checked_neg()?)?;
        let (most, least) = (ranks.maximise(&moved, facts)?, ranks.minimise(&moved, facts)?);
        let fits = facts.le(&most.offset(1)?, radix) == Truth::Yes
            && facts.le(&Linear::zero(), &least) == Truth::Yes;
        fits.then_some((moved, carry))
    };
    if let Some(found) = [0, 1, -1].into_iter().find_map(known) {
        return Ok(found);
    }
    // Where the value reaches zero, or the radix: the members on either side carry differently.
    for border in [Linear::zero(), radix.clone()] {
        let moved = value.sub(&border).ok_or_else(overflow)?;
        let (Some(most), Some(least)) = (ranks.maximise(&moved, facts), ranks.minimise(&moved, facts)) else {
            continue;
        };
        if facts.le(&Linear::zero(), &least) == Truth::Yes || facts.le(&most, &(-1).into()) == Truth::Yes {
            continue;
        }
        let rest = or_overflow(moved.substitute(symbol, &Linear::zero()))?;
        let threshold = match slope {
            // symbol + rest < 0
            1 => rest.scale(-1).and_then(|e| e.offset(-1)),
            // rest - symbol >= 0
            -1 => Some(rest),
            0 => {
                let _ = decide_le(&Linear::zero(), &moved, facts)?;
                continue;
            }
            _ => return Err(Need::give_up("the partner is a multiple of a digit of the rank")),
        };
        return Err(Need::Split(position, threshold.ok_or_else(overflow)?));
    }
    Err(Need::give_up("the partner is out of the row of the rank by more than one"))
}
