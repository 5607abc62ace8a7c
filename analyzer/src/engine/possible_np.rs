//! For which numbers of processes a path is possible.
//!
//! What is known of a path are linear conditions on `np`, and on quotients, remainders and bits of it. Where all of these repeat
//! themselves with some period, each is linear in `t` for `np = period * t + rest`, so that each rest has an interval of numbers: the
//! ends of these are found by trying. Where there is no such period, only some of the numbers are known.

use lattice::{Constraints, Linear, Symbol, Symbols};
use rustc_hash::FxHashMap;

use super::Engine;
use super::arithmetic::{self, Application};
use super::cartesian::parse_dimension;
use super::process_counts::{Class, Counts, PROCESSES};
use super::roots::is_root;
use super::state::State;

/// Longest period that is looked at.
const PERIOD: i64 = 240;
/// Numbers tried where there is no period; steps of one period tried for the first member between two numbers that are none.
const TRIED: i64 = 64;
/// Parts of a set that are told apart.
const PARTS: usize = 64;

/// Whether a path is possible for numbers of processes that are certain products.
pub(crate) fn has_products(state: &State) -> bool {
    !state.facts.products().is_empty()
}

/// The numbers of processes for which a path is possible; `None` when there are none. What a quotient is, only its operands tell.
///
/// Roots and the extents of grids are left open: what holds of them for some numbers need not come again for greater ones.
pub(crate) fn possible_np(engine: &Engine<'_>, state: &State) -> Option<Counts> {
    possible(&engine.symbols, &state.facts)
}

/// Whether a path is possible, as far as it is known, for one number of processes.
pub(crate) fn is_possible_at(engine: &Engine<'_>, state: &State, np: i64) -> bool {
    let mut facts = state.facts.clone();
    let functions = arithmetic::known_functions(&engine.symbols, &state.facts);
    facts.assume_eq(&Linear::np(), &np.into()).is_some()
        && arithmetic::fold_some(functions, &mut facts).is_some()
        && arithmetic::cases_of_factors(&engine.symbols, &facts).is_none_or(|cases| !cases.is_empty())
}

fn possible(symbols: &Symbols, facts: &Constraints) -> Option<Counts> {
    let all = Counts::of(facts);
    let mut functions = arithmetic::known_functions(symbols, facts);
    functions.retain(|(_, function, _)| parse_dimension(function).is_none() && !is_root(function));
    if functions.is_empty() {
        return Some(all);
    }
    let path = Path { facts, functions: &functions, all: &all };
    let found = path.listed().or_else(|| path.repeating()).unwrap_or_else(|| path.tried());
    found.least().map(|_| found)
}

/// What is known of a path.
struct Path<'a> {
    facts: &'a Constraints,
    functions: &'a [Application<'a>],
    /// The numbers that ranges and multiples leave.
    all: &'a Counts,
}

impl Path<'_> {
    fn is_possible(&self, np: i64) -> bool {
        let mut facts = self.facts.clone();
        np <= PROCESSES
            && self.all.contains(np)
            && facts.assume_eq(&Linear::np(), &np.into()).is_some()
            && arithmetic::fold_some(self.functions.iter().copied(), &mut facts).is_some()
    }

    /// Functions `x & (x - 1)`, and where they are zero: where `x` is a power of two, or zero.
    fn powers(&self) -> impl Iterator<Item = (Symbol, Vec<i64>)> {
        let bits = self.functions.iter().filter(|(_, function, _)| *function == "&");
        bits.filter_map(|(symbol, _, arguments)| {
            let [a, b] = arguments else { return None };
            let whole = match a.sub(b)?.as_constant()? {
                1 => a,
                -1 => b,
                _ => return None,
            };
            let offset = whole.sub(&Linear::np())?.as_constant()?;
            let powers = (0..=PROCESSES.ilog2()).map(|k| 1_i64 << k);
            Some((*symbol, [0].into_iter().chain(powers).map(|power| power - offset).collect()))
        })
    }

    /// The numbers, where few may be possible: powers of two, or those of a short range.
    fn listed(&self) -> Option<Counts> {
        let short = || {
            let (least, most) = (self.all.least()?, self.all.most()?);
            (most.checked_sub(least)? <= TRIED).then(|| (least..=most).collect())
        };
        let zero = |symbol: Symbol| self.facts.constant(&symbol.into()) == Some(0);
        let powers = self.powers().find(|(symbol, _)| zero(*symbol)).map(|(_, powers)| powers);
        let numbers: Vec<i64> = powers.or_else(short)?;
        let possible: Vec<i64> = numbers.into_iter().filter(|&np| self.is_possible(np)).collect();
        Some(Counts::listed(&possible))
    }

    /// Where all repeats itself.
    fn repeating(&self) -> Option<Counts> {
        if !self.facts.products().is_empty() {
            return None;
        }
        let period = self.period()?;
        let least = self.all.least()?;
        let mut classes: Vec<Class> = Vec::new();
        for start in least..least.checked_add(period)? {
            if let Some(class) = self.class(start, period)? {
                classes.push(class);
            }
        }
        let counts = Counts::of_classes(&classes, period);
        counts.filter(|counts| counts.pieces() <= PARTS)
    }

    /// The numbers from `start` on, each by a period greater than the one before, for which the path is possible; `None` where these
    /// are not found out.
    fn class(&self, start: i64, period: i64) -> Option<Option<Class>> {
        let most = self.all.most().unwrap_or(PROCESSES);
        if most < start || !self.is_regular(start)? {
            return (most < start).then_some(None);
        }
        let number = |step: i64| start + period * step;
        let steps = (most - start) / period;
        let holds = |step: i64| self.is_possible(number(step));
        // The steps between two of which one is a member: the last that is like the first.
        let border = |mut low: i64, mut high: i64| {
            let like = holds(low);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if holds(middle) == like { low = middle } else { high = middle }
            }
            low
        };
        let open_end = self.all.most().is_none();
        Some(match (holds(0), holds(steps)) {
            (true, true) => Some((start, (!open_end).then(|| number(steps)))),
            (true, false) => Some((start, Some(number(border(0, steps))))),
            (false, true) => {
                let first = number(border(0, steps) + 1);
                Some((first, (!open_end).then(|| number(steps))))
            }
            (false, false) if self.is_never(start, period) => None,
            // They are between, if there are any.
            (false, false) => {
                let first = (1..steps.min(TRIED)).find(|&step| holds(step))?;
                Some((number(first), Some(number(border(first, steps)))))
            }
        })
    }

    /// Whether numbers from one on are as many times a period greater as their functions are linear: what is divided is not negative.
    fn is_regular(&self, np: i64) -> Option<bool> {
        let values = self.values(np)?;
        Some(self.functions.iter().all(|(symbol, function, arguments)| {
            !values.contains_key(symbol)
                || !matches!(*function, "/" | "%" | ">>" | "<<")
                || arguments.first().and_then(|a| evaluate(a, &values)).is_some_and(|a| 0 <= a)
        }))
    }

    /// What the functions are that depend on the number of processes alone.
    fn values(&self, np: i64) -> Option<FxHashMap<Symbol, i64>> {
        let mut values = FxHashMap::from_iter([(Symbol::NP, np)]);
        for (symbol, function, arguments) in self.functions {
            let [a, b] = arguments else { continue };
            if let (Some(a), Some(b)) = (evaluate(a, &values), evaluate(b, &values)) {
                values.insert(*symbol, arithmetic::apply(function, a, b)?);
            }
        }
        Some(values)
    }

    /// Whether the path is proved to be possible for none of the numbers from `start` on, each by a period greater than the one before.
    fn is_never(&self, start: i64, period: i64) -> bool {
        let prove = || -> Option<bool> {
            let (here, there) = (self.values(start)?, self.values(start.checked_add(period)?)?);
            let mut facts = self.facts.clone();
            for (symbol, _, _) in self.functions {
                let (Some(&value), Some(&next)) = (here.get(symbol), there.get(symbol)) else { continue };
                // period * symbol = growth * (np - start) + period * value
                let distance = Linear::np().sub(&start.into())?;
                let right = distance.scale(next.checked_sub(value)?)?.offset(value.checked_mul(period)?)?;
                let left = Linear::from(*symbol).scale(period)?;
                if facts.assume_eq(&left, &right).is_none() {
                    return Some(true);
                }
            }
            Some(facts.assume_le(&start.into(), &Linear::np()).is_none())
        };
        prove() == Some(true)
    }

    /// A period with which all functions of the number of processes repeat themselves or grow by the same.
    fn period(&self) -> Option<i64> {
        let mut period = self.all.period()?;
        loop {
            match self.growth(period) {
                Ok(()) => return Some(period),
                Err(Some(factor)) if 1 < factor => {
                    period = i64::checked_mul(period, factor).filter(|&period| period <= PERIOD)?;
                }
                Err(_) => return None,
            }
        }
    }

    /// Whether all functions of the number of processes grow by the same whenever it grows by so much; if not, how many times more it
    /// would have to be, where that would help.
    fn growth(&self, period: i64) -> Result<(), Option<i64>> {
        let mut growth = FxHashMap::from_iter([(Symbol::NP, period)]);
        for (symbol, function, arguments) in self.functions {
            let [a, b] = arguments else { continue };
            let of = |value: &Linear| {
                value
                    .terms()
                    .try_fold(0_i64, |sum, (symbol, k)| sum.checked_add(growth.get(&symbol)?.checked_mul(k)?))
            };
            // What depends on other things as well says nothing of the number of processes.
            let (Some(left), Some(right)) = (of(a), of(b)) else { continue };
            let grows = match (*function, a.as_constant(), b.as_constant()) {
                _ if left == 0 && right == 0 => 0,
                ("*", _, Some(k)) => left.checked_mul(k).ok_or(None)?,
                ("*", Some(k), _) => right.checked_mul(k).ok_or(None)?,
                ("/", _, Some(k @ 1..)) if 0 <= left => divided(left, k)?,
                ("%", _, Some(k @ 1..)) if 0 <= left => divided(left, k).map(|_| 0)?,
                (">>", _, Some(k @ 0..30)) if 0 <= left => divided(left, 1 << k)?,
                ("<<", _, Some(k @ 0..30)) if 0 <= left => left.checked_mul(1 << k).ok_or(None)?,
                ("&", _, Some(bits @ 0..PROCESSES)) => divided(left, above(bits)).map(|_| 0)?,
                ("&", Some(bits @ 0..PROCESSES), _) => divided(right, above(bits)).map(|_| 0)?,
                ("|" | "^", _, Some(bits @ 0..PROCESSES)) => divided(left, above(bits)).map(|_| left)?,
                ("|" | "^", Some(bits @ 0..PROCESSES), _) => divided(right, above(bits)).map(|_| right)?,
                _ => return Err(None),
            };
            growth.insert(*symbol, grows);
        }
        Ok(())
    }

    /// Some of the numbers, where it is not known which ones there are.
    fn tried(&self) -> Counts {
        let Some(first) = self.all.least() else { return self.all.clone() };
        let last = self.all.most().unwrap_or(PROCESSES).min(first.saturating_add(TRIED));
        let numbers: Vec<i64> = (first..=last).filter(|&np| self.is_possible(np)).collect();
        let not_zero = |symbol: Symbol| {
            let value = symbol.into();
            self.facts.lower_bound(&value).is_some_and(|least| 0 < least)
                || self.facts.upper_bound(&value).is_some_and(|most| most < 0)
        };
        let none = self.powers().find(|(symbol, _)| not_zero(*symbol)).map(|(_, powers)| powers);
        Counts::some(&numbers, self.all, none.unwrap_or_default())
    }
}

/// The quotient of a growth, or how many times as great it would have to be.
fn divided(growth: i64, divisor: i64) -> Result<i64, Option<i64>> {
    if growth % divisor == 0 {
        return Ok(growth / divisor);
    }
    let common = lattice::linear::greatest_common_divisor(growth.unsigned_abs(), divisor.unsigned_abs());
    Err(i64::try_from(common).ok().map(|common| divisor / common))
}

/// The least power of two above some bits.
fn above(bits: i64) -> i64 {
    bits.checked_ilog2().map_or(1, |bit| 2 << bit)
}

fn evaluate(value: &Linear, values: &FxHashMap<Symbol, i64>) -> Option<i64> {
    value.evaluate(|symbol| values.get(&symbol).copied())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An operator, what it is applied to (`np` or a function before) with an offset, and a constant.
    type Function = (&'static str, usize, i64, i64);
    /// Which function, a bound, and whether it is a lower one, an upper one, or the value.
    type Bound = (usize, i64, u8);

    fn functions() -> impl Strategy<Value = (Vec<Function>, Vec<Bound>)> {
        let operator = prop::sample::select(vec!["/", "%", "&", "|", "^", ">>", "<<", "*"]);
        let function = (operator, 0_usize..3, -2_i64..3, 1_i64..9);
        let bound = (0_usize..4, 0_i64..12, 0_u8..3);
        (prop::collection::vec(function, 1..4), prop::collection::vec(bound, 1..3))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        /// What is said of numbers of processes is what comes of each by evaluating the functions.
        #[test]
        fn numbers_are_those_that_are_possible((functions, bounds) in functions()) {
            let mut symbols = Symbols::default();
            let mut values = vec![Linear::np()];
            for &(operator, of, offset, constant) in &functions {
                let argument = values[of.min(values.len() - 1)].offset(offset).expect("small");
                values.push(symbols.apply(operator, vec![argument, constant.into()]).into());
            }
            let mut facts = Constraints::new();
            prop_assert!(facts.assume_le(&1.into(), &Linear::np()).is_some());
            let mut possible_at_all = true;
            for &(of, bound, kind) in &bounds {
                let value = &values[of.min(values.len() - 1)];
                let learnt = match kind {
                    0 => facts.assume_le(&bound.into(), value),
                    1 => facts.assume_le(value, &bound.into()),
                    _ => facts.assume_eq(value, &bound.into()),
                };
                possible_at_all &= learnt.is_some();
            }
            if !possible_at_all {
                return Ok(());
            }
            let holds = |np: i64| {
                let mut numbers = vec![np];
                for &(operator, of, offset, constant) in &functions {
                    let argument = numbers[of.min(numbers.len() - 1)] + offset;
                    numbers.push(arithmetic::apply(operator, argument, constant)?);
                }
                Some(bounds.iter().all(|&(of, bound, kind)| {
                    let value = numbers[of.min(numbers.len() - 1)];
                    match kind {
                        0 => bound <= value,
                        1 => value <= bound,
                        _ => value == bound,
                    }
                }))
            };
            let found = possible(&symbols, &facts);
            let numbers = (1..2000).chain((1..40).map(|k| 1_000_003 * k)).chain((0..30).map(|k| 1 << k));
            for (np, holds) in numbers.filter_map(|np| Some((np, holds(np)?))) {
                let Some(found) = &found else {
                    prop_assert!(!holds, "{np} is possible");
                    continue;
                };
                if found.contains(np) {
                    prop_assert!(holds, "{np} is not possible: {found}");
                } else {
                    prop_assert!(!holds || found.is_vague(), "{np} is possible: {found}");
                    prop_assert!(!holds || found.clone().widest().contains(np), "{np} is left out: {found:?}");
                }
            }
        }
    }

    /// A bit tells powers of two, where numbers without it come again after twice as many.
    #[test]
    fn powers_are_listed_and_bits_are_not() {
        let mut symbols = Symbols::default();
        let np = Linear::np();
        let before = np.offset(-1).expect("small");
        let powers: Linear = symbols.apply("&", vec![np.clone(), before]).into();
        let bit: Linear = symbols.apply("&", vec![np.clone(), 1024.into()]).into();
        let with = |value: &Linear, least: i64, most: i64| {
            let mut facts = Constraints::new();
            for (left, right) in [(1.into(), &np), (least.into(), value)] {
                let _ = facts.assume_le(&left, right);
            }
            let _ = facts.assume_le(value, &most.into());
            possible(&symbols, &facts).map(|np| np.to_string()).unwrap_or_default()
        };
        assert_eq!(with(&powers, 0, 0), "np = 1, 2, 4, ..., 2^30");
        assert!(with(&powers, 1, 1 << 20).ends_with("and perhaps others"));
        assert!(with(&bit, 1, 1024).ends_with("and perhaps others") || with(&bit, 1, 1024) == "some np");
    }
}
