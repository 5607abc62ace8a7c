//! Sets of numbers of processes: for which of them something holds.

use std::fmt::{self, Write as _};

use lattice::linear::greatest_common_divisor;
use lattice::{Constraints, Linear};

/// The numbers `least..=most` that leave `remainder` when divided by `period`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    /// A member.
    least: i64,
    /// A member; `None`: there is no last one.
    most: Option<i64>,
    /// At least 1.
    period: i64,
    remainder: i64,
}

/// Numbers that are listed one by one, where more are told by the first ones and the last one.
const SHORT: usize = 4;
/// Ranges that are listed one by one, where of more only the first ones and the last one are.
const MANY: usize = 8;
/// Exponents up to which a power is written as a number.
const WRITTEN: u32 = 9;

/// A number, and what it is when it is multiplied by another one again and again, up to a last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Multiples {
    pub(crate) first: i64,
    /// At least 2.
    pub(crate) factor: i64,
    pub(crate) last: i64,
}

impl fmt::Display for Multiples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, factor, last } = *self;
        let all = std::iter::successors(Some(first), |m| m.checked_mul(factor));
        let mut all: Vec<String> = all.take_while(|&m| m <= last).map(|m| m.to_string()).collect();
        if all.len() > SHORT {
            all.truncate(SHORT - 1);
            let power = last.checked_ilog(factor).filter(|&power| factor.checked_pow(power) == Some(last));
            all.push("...".to_owned());
            all.push(match power {
                Some(power) if WRITTEN < power => format!("{factor}^{power}"),
                _ => last.to_string(),
            });
        }
        f.write_str(&all.join(", "))
    }
}

/// The numbers that leave `remainder` when divided by `period`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Every {
    period: i64,
    remainder: i64,
}

impl Every {
    /// What is said of them before `np`, and after the ends.
    pub(crate) fn words(self) -> (&'static str, String) {
        match (self.period, self.remainder) {
            (1, _) => ("", String::new()),
            (2, 0) => ("even ", String::new()),
            (2, _) => ("odd ", String::new()),
            (period, rest) => ("", format!(" with np % {period} = {rest}")),
        }
    }
}

/// A set of numbers of processes, or what is known of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Its members, as far as they are known. Ascending, none in another.
    parts: Vec<Part>,
    /// What else may be a member.
    perhaps: Vec<Part>,
    /// Numbers among these that are none.
    except: Vec<i64>,
}

/// No machine has more processes: greater numbers are left out, and the verdict says so where that matters. A loop of rounds that double
/// would go on beyond what an `int` holds.
pub(crate) const PROCESSES: i64 = 1 << 30;
/// Periods that are looked for.
const PERIODS: std::ops::RangeInclusive<i64> = 2..=8;
/// Numbers before those that come again and again are looked at one by one.
const BEFORE: i64 = 2048;
/// Largest common period of several.
const COMMON: i64 = 840;

impl Part {
    fn new(least: i64, most: Option<i64>, period: i64, remainder: i64) -> Option<Self> {
        let least = least.checked_add((remainder - least).rem_euclid(period))?;
        let most = most.map(|most| most - (most - remainder).rem_euclid(period));
        let period = if most == Some(least) { 1 } else { period };
        let part = Self { least, most, period, remainder: remainder.rem_euclid(period) };
        most.is_none_or(|most| least <= most).then_some(part)
    }

    fn contains(self, np: i64) -> bool {
        self.least <= np
            && self.most.is_none_or(|most| np <= most)
            && np.rem_euclid(self.period) == self.remainder
    }

    /// Whether all of another are in it.
    fn covers(self, other: Self) -> bool {
        let period = other.period % self.period == 0 || other.most == Some(other.least);
        let end = match (self.most, other.most) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(mine), Some(theirs)) => theirs <= mine,
        };
        period && end && self.contains(other.least)
    }

    /// What is left without the last ones, where these are in another.
    fn before(self, next: Self) -> Option<Self> {
        let end = next.least.checked_sub(1)?;
        let last = Self { least: next.least, ..self };
        let meets = self.most.is_none_or(|most| next.least <= most);
        let is_rest = self.least < next.least
            && meets
            && Self::new(last.least, last.most, last.period, last.remainder)
                .is_some_and(|last| next.covers(last));
        if is_rest { Self::new(self.least, Some(end), self.period, self.remainder) } else { None }
    }

    /// The union of two that go on in each other.
    fn joined(self, next: Self) -> Option<Self> {
        if self.covers(next) {
            return Some(self);
        }
        let one = |part: Self| part.most == Some(part.least);
        let (period, remainder) = match (one(self), one(next)) {
            (true, true) => (1, 0),
            (true, false) => (next.period, next.remainder),
            _ => (self.period, self.remainder),
        };
        let fits = |part: Self| {
            if one(part) {
                part.least.rem_euclid(period) == remainder
            } else {
                (part.period, part.remainder) == (period, remainder)
            }
        };
        let goes_on = self.least <= next.least && next.least <= self.most?.checked_add(period)?;
        let most = self.most.zip(next.most).map(|(a, b)| a.max(b));
        (fits(self) && fits(next) && goes_on).then_some(Self { least: self.least, most, period, remainder })
    }
}

impl Counts {
    /// The numbers for which what is known may hold.
    pub(crate) fn of(facts: &Constraints) -> Self {
        let np = Linear::np();
        let least = facts.lower_bound(&np).unwrap_or(1);
        let most = facts.upper_bound(&np).filter(|&most| most < PROCESSES);
        let (mut period, mut remainder) = (1, 0);
        if most != Some(least) && facts.has_sums() {
            for symbol in facts.symbols() {
                for divisor in PERIODS {
                    let rest = np.add_scaled(&symbol.into(), -divisor).and_then(|rest| facts.constant(&rest));
                    if let Some(rest) = rest
                        && let Some(both) = common((period, remainder), (divisor, rest.rem_euclid(divisor)))
                    {
                        (period, remainder) = both;
                    }
                }
            }
        }
        Self::known(Part::new(least, most, period, remainder).into_iter().collect())
    }

    fn known(parts: Vec<Part>) -> Self {
        Self { parts, perhaps: Vec::new(), except: Vec::new() }
    }

    /// All from one on.
    pub(crate) fn from(least: i64) -> Option<Self> {
        Some(Self::known(vec![Part::new(least, None, 1, 0)?]))
    }

    /// These numbers, ascending.
    pub(crate) fn listed(numbers: &[i64]) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        for &np in numbers {
            match parts.last_mut() {
                Some(last) if last.most.and_then(|most| most.checked_add(1)) == Some(np) => {
                    last.most = Some(np)
                }
                _ => parts.extend(Part::new(np, Some(np), 1, 0)),
            }
        }
        let mut counts = Self::known(parts);
        counts.join();
        counts
    }

    /// Numbers that are the same period apart from each other in several classes, each from one number to another if there is a last one.
    /// `None`: they do not go together for the most part.
    pub(crate) fn of_classes(classes: &[Class], period: i64) -> Option<Self> {
        let (endless, ended): (Vec<Class>, Vec<Class>) = classes.iter().partition(|class| class.1.is_none());
        let mut counts = Self::known([bundled(&endless, period)?, bundled(&ended, period)?].concat());
        counts.join();
        Some(counts)
    }

    /// These numbers, ascending, and perhaps others of a set, except for some.
    pub(crate) fn some(numbers: &[i64], all: &Self, except: Vec<i64>) -> Self {
        Self { perhaps: all.possible().copied().collect(), except, ..Self::listed(numbers) }
    }

    /// Whether a number may be a member.
    fn allows(&self, np: i64) -> bool {
        let contains = |parts: &[Part]| parts.iter().any(|part| part.contains(np));
        contains(&self.parts) || contains(&self.perhaps) && !self.except.contains(&np)
    }

    /// Those that are known to be members.
    pub(crate) fn certain(&self) -> Self {
        Self::known(self.parts.clone())
    }

    /// All that may be members.
    pub(crate) fn widest(self) -> Self {
        Self::known(self.parts).union(Self::known(self.perhaps))
    }

    /// All that may be members, in words.
    pub(crate) fn widest_text(&self) -> String {
        let widest = self.clone().widest();
        let except: Vec<i64> = self.except.iter().copied().filter(|&np| widest.contains(np)).collect();
        match except[..] {
            [] => widest.to_string(),
            _ => format!("{widest} except {}", Self::listed(&except)),
        }
    }

    /// Those of them from one on.
    pub(crate) fn starting(&self, first: i64) -> Self {
        let later = |part: &Part| Part::new(part.least.max(first), part.most, part.period, part.remainder);
        Self {
            parts: self.parts.iter().filter_map(later).collect(),
            perhaps: self.perhaps.iter().filter_map(later).collect(),
            except: self.except.clone(),
        }
    }

    /// Whether some numbers are not known to be members, nor to be none.
    pub(crate) fn is_vague(&self) -> bool {
        !self.perhaps.is_empty()
    }

    /// How many pieces it is made of.
    pub(crate) fn pieces(&self) -> usize {
        self.parts.len() + self.perhaps.len()
    }

    /// What may be a member.
    fn possible(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().chain(&self.perhaps)
    }

    /// The least common multiple of the periods of all pieces.
    pub(crate) fn period(&self) -> Option<i64> {
        self.possible().try_fold(1, |period, part| Some(common((period, 0), (part.period, 0))?.0))
    }

    /// The members, where each is the one before multiplied by the same number; `None` where they are not, or are few.
    fn multiples(&self) -> Option<Multiples> {
        let mut all = Vec::new();
        for part in &self.parts {
            // Of those beyond the greatest there is none.
            let most = part.most.or((part.least == PROCESSES).then_some(PROCESSES))?;
            if part.period != 1 || most - part.least > 1 {
                return None;
            }
            all.extend(part.least..=most);
        }
        let [first, second, .., last] = all[..] else { return None };
        let factor = second.checked_div(first).filter(|&factor| factor > 1)?;
        let goes_on = all.windows(2).all(|pair| pair[0].checked_mul(factor) == Some(pair[1]));
        (goes_on && all.len() > SHORT).then_some(Multiples { first, factor, last })
    }

    /// Those of both.
    pub(crate) fn union(self, other: Self) -> Self {
        Self::union_of(&[self, other])
    }

    /// Whether the members of another are known to be members.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        self.clone().union(other.clone()) == *self
    }

    /// Those of all.
    pub(crate) fn union_of(all: &[Self]) -> Self {
        let mut none: Vec<i64> = all.iter().flat_map(|counts| &counts.except).copied().collect();
        none.sort_unstable();
        none.dedup();
        none.retain(|&np| !all.iter().any(|counts| counts.allows(np)));
        let mut counts = Self {
            parts: all.iter().flat_map(|counts| &counts.parts).copied().collect(),
            perhaps: all.iter().flat_map(|counts| &counts.perhaps).copied().collect(),
            except: none,
        };
        counts.perhaps.sort_unstable();
        counts.perhaps.dedup();
        counts.join();
        counts.fill();
        counts
    }

    /// One part for those that go on in each other.
    fn join(&mut self) {
        loop {
            self.join_alike();
            self.join_single();
            if !self.join_others() {
                return;
            }
        }
    }

    /// The same for numbers that follow each other at equal distances.
    fn join_single(&mut self) {
        let is_single = |part: &Part| part.most == Some(part.least);
        let (single, mut parts): (Vec<Part>, Vec<Part>) = self.parts.iter().partition(|part| is_single(part));
        let mut left = &single[..];
        while let Some(first) = left.first() {
            let distance = left.get(1).map_or(0, |next| next.least - first.least);
            let steps = left.windows(2).take_while(|pair| pair[1].least - pair[0].least == distance).count();
            let length = if PERIODS.contains(&distance) && SHORT <= steps { steps + 1 } else { 1 };
            let (run, rest) = left.split_at(length);
            parts.extend(
                run.last().and_then(|last| Part::new(first.least, last.most, distance.max(1), first.least)),
            );
            left = rest;
        }
        parts.sort_unstable();
        self.parts = parts;
    }

    /// The same among those with one period and remainder, of which there may be many.
    fn join_alike(&mut self) {
        self.parts.sort_unstable_by_key(|part| (part.period, part.remainder, part.least));
        let mut joined: Vec<Part> = Vec::new();
        for &part in &self.parts {
            match joined.last_mut().and_then(|last| Some((last.joined(part)?, last))) {
                Some((both, last)) => *last = both,
                None => joined.push(part),
            }
        }
        joined.sort_unstable();
        self.parts = joined;
    }

    /// The same where one of two does not have all numbers between its ends, or has no end; whether there were any.
    fn join_others(&mut self) -> bool {
        let mut any = false;
        let mut parts: Vec<Option<Part>> = self.parts.iter().copied().map(Some).collect();
        let wide = |part: Part| 1 < part.period || part.most.is_none();
        for index in (0..parts.len()).filter(|&index| wide(self.parts[index])) {
            for other in (0..parts.len()).filter(|&other| other != index) {
                let (Some(mine), Some(theirs)) = (parts[index], parts[other]) else { continue };
                if let Some(both) = mine.joined(theirs).or_else(|| theirs.joined(mine)) {
                    (parts[index], parts[other], any) = (Some(both), None, true);
                } else if let Some(rest) = theirs.before(mine) {
                    (parts[other], any) = (Some(rest), true);
                }
            }
        }
        self.parts = parts.into_iter().flatten().collect();
        self.parts.sort_unstable();
        any
    }

    /// As few parts as there can be for those that have no last number.
    fn fill(&mut self) {
        let endless = self.parts.iter().filter(|part| part.most.is_none());
        let period = endless.clone().try_fold(1, |all, part| Some(common((all, 0), (part.period, 0))?.0));
        let Some(period) = period.filter(|_| 1 < self.parts.len() && endless.clone().count() > 0) else {
            return;
        };
        // From there on there are no others.
        let from = self.parts.iter().map(|part| part.most.map_or(part.least, |most| most + 1)).max();
        let least = self.parts.iter().map(|part| part.least).min();
        let Some((from, least)) = from.zip(least).filter(|(from, least)| from - least <= BEFORE) else {
            return;
        };
        let members = (from..from + period).filter(|&np| self.contains(np));
        let first = |np: i64| {
            let earlier = std::iter::successors(Some(np), |np| np.checked_sub(period));
            earlier.take_while(|&np| least <= np && self.contains(np)).last().unwrap_or(np)
        };
        let classes: Vec<Class> = members.map(|np| (first(np), None)).collect();
        let Some(mut parts) = bundled(&classes, period) else { return };
        let single = |np: i64| self.contains(np) && !parts.iter().any(|part| part.contains(np));
        let single: Vec<i64> = (least..from).filter(|&np| single(np)).collect();
        parts.extend(single.into_iter().filter_map(|np| Part::new(np, Some(np), 1, 0)));
        self.parts = parts;
        self.join();
    }

    /// Whether a number is known to be a member.
    pub(crate) fn contains(&self, np: i64) -> bool {
        self.parts.iter().any(|part| part.contains(np))
    }

    /// Whether some number may be in both.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let meet = |a: &Part, b: &Part| {
            let in_time =
                a.most.is_none_or(|most| b.least <= most) && b.most.is_none_or(|most| a.least <= most);
            let divisor = greatest_common_divisor(a.period.unsigned_abs(), b.period.unsigned_abs());
            in_time && (a.remainder - b.remainder).unsigned_abs().is_multiple_of(divisor)
        };
        let few = |counts: &Self| -> Option<Vec<i64>> {
            let one = |part: &Part| (part.most == Some(part.least)).then_some(part.least);
            counts.possible().map(one).collect()
        };
        match (few(self), few(other)) {
            (Some(all), _) => all.into_iter().any(|np| self.allows(np) && other.allows(np)),
            (_, Some(all)) => all.into_iter().any(|np| self.allows(np) && other.allows(np)),
            _ => self.possible().any(|a| other.possible().any(|b| meet(a, b))),
        }
    }

    /// The smallest that may be a member.
    pub(crate) fn least(&self) -> Option<i64> {
        self.possible().map(|part| part.least).min()
    }

    /// The largest that may be a member; `None` where there is none.
    pub(crate) fn most(&self) -> Option<i64> {
        self.possible().map(|part| part.most).try_fold(0, |most, part| Some(part?.max(most)))
    }

    /// The first and the last, where all between with one remainder are in it, and no others: there may be no last one.
    pub(crate) fn as_range(&self) -> Option<(i64, Option<i64>, Every)> {
        match self.parts[..] {
            [Part { least, most, period, remainder }] if !self.is_vague() => {
                Some((least, most, Every { period, remainder }))
            }
            _ => None,
        }
    }

    /// Whether every number from `first` on, or only that one, is in one of several sets.
    pub(crate) fn cover(all: &[Self], first: i64, only: bool) -> bool {
        let parts = || all.iter().flat_map(Self::possible);
        let Some(period) = parts().try_fold(1, |period, part| Some(common((period, 0), (part.period, 0))?.0))
        else {
            return false;
        };
        let contained = |np: i64| parts().any(|part| part.contains(np));
        if only {
            return contained(first);
        }
        // From one end of a part to the next everything repeats itself.
        let ends =
            parts().flat_map(|part| [Some(part.least), part.most.and_then(|most| most.checked_add(1))]);
        let mut starts: Vec<i64> = ends.flatten().filter(|&end| first < end).chain([first]).collect();
        starts.sort_unstable();
        starts.dedup();
        let nexts = starts[1..].iter().copied().chain([i64::MAX]);
        starts
            .iter()
            .zip(nexts)
            .all(|(&start, next)| (start..next.min(start.saturating_add(period))).all(contained))
    }
}

/// Numbers from one to another, by a period apart; there may be no last one.
pub(crate) type Class = (i64, Option<i64>);

/// The numbers of classes that go together for the most part, of which all have a last one, or none has.
fn bundled(classes: &[Class], period: i64) -> Option<Vec<Part>> {
    let contains = |np: i64| {
        let is_in = |&(first, last): &Class| {
            (np - first) % period == 0 && first <= np && last.is_none_or(|last| np <= last)
        };
        classes.iter().any(is_in)
    };
    let (firsts, lasts) = (classes.iter().map(|class| class.0), classes.iter().filter_map(|class| class.1));
    let (Some(least), Some(from)) = (firsts.clone().min(), firsts.max()) else { return Some(Vec::new()) };
    let (until, most) = (lasts.clone().min(), lasts.max());
    let listed = |numbers: &mut dyn Iterator<Item = i64>| -> Vec<Part> {
        numbers.filter(|&np| contains(np)).filter_map(|np| Part::new(np, Some(np), 1, 0)).collect()
    };
    let wide = |ends: (i64, i64)| BEFORE < ends.1 - ends.0;
    if until.is_some_and(|until| until - from < 2 * period) {
        let most = most.filter(|&most| !wide((least, most)))?;
        return Some(listed(&mut (least..=most)));
    }
    if wide((least, from)) || until.zip(most).is_some_and(wide) {
        return None;
    }
    let comes = |divisor: &i64| {
        period % divisor == 0 && (from..from + period).all(|np| contains(np) == contains(np + divisor))
    };
    let shortest = (1..=period).find(comes)?;
    let mut parts: Vec<Part> = Vec::new();
    for np in (from..from + shortest).filter(|&np| contains(np)) {
        let along = |start: i64, step: i64| {
            let all = std::iter::successors(Some(start), move |np| np.checked_add(step));
            all.take_while(|&np| contains(np)).last().unwrap_or(start)
        };
        let last = until.map(|until| along(until - (until - np).rem_euclid(shortest), shortest));
        parts.extend(Part::new(along(np, -shortest), last, shortest, np.rem_euclid(shortest)));
    }
    let after = until.zip(most).into_iter().flat_map(|(until, most)| until + 1..=most);
    let rest = listed(&mut (least..from).chain(after));
    let rest: Vec<Part> =
        rest.into_iter().filter(|one| !parts.iter().any(|part| part.covers(*one))).collect();
    parts.extend(rest);
    Some(parts)
}

/// What `n % p == r` and `n % q == s` say together.
fn common((p, r): (i64, i64), (q, s): (i64, i64)) -> Option<(i64, i64)> {
    let divisor = i64::try_from(greatest_common_divisor(p.unsigned_abs(), q.unsigned_abs())).ok()?;
    let period = (p / divisor).checked_mul(q).filter(|&period| period <= COMMON)?;
    (0..period).find(|n| n % p == r && n % q == s).map(|remainder| (period, remainder))
}

impl Counts {
    /// The pieces in words, each with whether it has no last number: remainders that follow each other are one.
    fn told(&self) -> Vec<(String, bool)> {
        let mut all = Vec::new();
        let mut parts = self.parts.iter().copied().peekable();
        while let Some(first) = parts.next() {
            let mut last = first;
            let follows = |last: &Part, next: &Part| {
                (next.most, next.period) == (None, last.period)
                    && last.most.is_none()
                    && (next.least, next.remainder) == (last.least + 1, last.remainder + 1)
                    && 2 < next.period
            };
            while let Some(next) = parts.next_if(|next| follows(&last, next)) {
                last = next;
            }
            let mut text = first.to_string();
            if first != last {
                let _ = write!(text, "..{}", last.remainder);
            }
            all.push((text, first.most.is_none()));
        }
        all
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, rest) = Every { period: self.period, remainder: self.remainder }.words();
        match self.most {
            None => write!(f, "any {kind}np >= {}", self.least)?,
            Some(most) if most == self.least => write!(f, "np = {most}")?,
            Some(most) => write!(f, "{kind}np = {}..{most}", self.least)?,
        }
        f.write_str(&rest)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(multiples) = self.multiples().filter(|_| !self.is_vague()) {
            return write!(f, "np = {multiples}");
        }
        let pieces = self.told();
        let many = pieces.len() > MANY;
        for (index, (text, endless)) in pieces.iter().enumerate() {
            if many && SHORT <= index && index + 1 < pieces.len() {
                if index == SHORT {
                    f.write_str(", ...")?;
                }
                continue;
            }
            // np = 1, 3 and any np >= 5
            match (index, index + 1 == pieces.len()) {
                (0, _) => f.write_str(text)?,
                (_, true) if *endless && !self.is_vague() => write!(f, " and {text}")?,
                _ => write!(f, ", {}", text.strip_prefix("np = ").unwrap_or(text))?,
            }
        }
        match (self.is_vague(), self.parts.is_empty()) {
            (false, _) => Ok(()),
            (true, true) => f.write_str("some np"),
            (true, false) => f.write_str(" and perhaps others"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn part() -> impl Strategy<Value = Counts> {
        (1_i64..12, prop::option::of(1_i64..20), 1_i64..5, 0_i64..5).prop_map(
            |(least, more, period, remainder)| {
                let part = Part::new(least, more.map(|more| least + more), period, remainder % period);
                Counts::known(part.into_iter().collect())
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

        /// The union of several holds exactly the numbers that one of them holds, however they are put together.
        #[test]
        fn union_is_union(all in prop::collection::vec(part(), 1..6)) {
            let union = Counts::union_of(&all);
            for n in 1..200 {
                prop_assert_eq!(union.contains(n), all.iter().any(|c| c.contains(n)), "{} of {:?}", n, union);
            }
            prop_assert_eq!(union.least(), (1..200).find(|&n| union.contains(n)));
            for first in 1..4 {
                prop_assert_eq!(Counts::cover(&all, first, true), union.contains(first));
                prop_assert_eq!(Counts::cover(&all, first, false), (first..200).all(|n| union.contains(n)));
            }
        }
    }

    #[test]
    fn counts_are_told_in_words() {
        let part = |least, most, period, remainder| {
            Counts::known(Part::new(least, most, period, remainder).into_iter().collect())
        };
        let union = |a: Counts, b: Counts| a.union(b).to_string();
        assert_eq!(union(part(2, None, 2, 0), part(1, None, 2, 1)), "any np >= 1");
        assert_eq!(union(part(2, None, 2, 0), part(5, None, 2, 1)), "np = 2 and any np >= 4");
        assert_eq!(part(1, None, 2, 1).to_string(), "any odd np >= 1");
        assert_eq!(union(part(3, Some(3), 1, 0), part(5, Some(6), 1, 0)), "np = 3, 5..6");
        assert_eq!(union(part(3, None, 4, 3), part(1, None, 4, 1)), "any odd np >= 1");
        assert_eq!(union(part(3, None, 4, 3), part(5, None, 4, 1)), "any odd np >= 3");
        assert_eq!(part(1, None, 3, 1).to_string(), "any np >= 1 with np % 3 = 1");
        let powers = |last: u32| (0..=last).map(|k| part(1 << k, Some(1 << k), 1, 0)).reduce(Counts::union);
        let text = |last: u32| powers(last).map(|all| all.to_string()).unwrap_or_default();
        assert_eq!(text(2), "np = 1..2, 4");
        assert_eq!(text(4), "np = 1, 2, 4, ..., 16");
        assert_eq!(text(29), "np = 1, 2, 4, ..., 2^29");
        let every = part(1, None, 1, 0);
        let odd = Counts::some(&[3], &every, vec![4, 8]).union(Counts::some(&[7], &every, vec![2, 4]));
        assert!(!odd.meets(&Counts::listed(&[4])) && odd.meets(&Counts::listed(&[2, 4])));
        assert_eq!(
            Counts::some(&[3], &part(3, None, 1, 0), vec![2, 4]).widest_text(),
            "any np >= 3 except np = 4"
        );
        assert_eq!(Counts::listed(&[7, 8, 9]).to_string(), "np = 7..9");
        let every = part(1, None, 1, 0);
        assert_eq!(
            Counts::some(&[3, 5, 9], &every, Vec::new()).to_string(),
            "np = 3, 5, 9 and perhaps others"
        );
        assert_eq!(Counts::some(&[], &every, Vec::new()).to_string(), "some np");
    }
}
