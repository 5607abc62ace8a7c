//! Series: elements of an array at equal distances whose values are at equal distances too.
//!
//! An array that a loop has filled up to a bound that is no number has no cell for each of its elements. A series says what all of
//! them are, and lies above what cells and background say of the same bytes.

use lattice::{Constraints, Linear, Ranks, Truth};

/// Element `k` of `[0..count-1]` is at byte `start + k * stride` and has the value `base + k * step`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    /// The same on all members.
    pub(crate) start: Linear,
    /// At least the size.
    pub(crate) stride: i64,
    /// Bytes of an element.
    pub(crate) size: i64,
    /// The same on all members. There are no elements where it is not positive.
    pub(crate) count: Linear,
    /// May hold the rank.
    pub(crate) base: Linear,
    pub(crate) step: i64,
}

/// Where some bytes are, seen from a series.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// They are the element of this index.
    Element(Linear),
    /// They share no byte with any element.
    Apart,
    /// That is not known, or they share some bytes.
    Open,
}

impl Series {
    /// The value of an element.
    pub(crate) fn value(&self, index: &Linear) -> Option<Linear> {
        self.base.add_scaled(index, self.step)
    }

    /// Elements and values that lie alike but for where they begin, how many they are and what the first is.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        (self.stride, self.size, self.step) == (other.stride, other.size, other.step)
    }

    /// The first `count` values and the distance between them, for elements that begin at an offset and lie one after another;
    /// `None` where not all of them are proved to be elements.
    pub(crate) fn values_from(
        &self,
        offset: &Linear,
        size: i64,
        count: &Linear,
        facts: &Constraints,
    ) -> Option<(Linear, i64)> {
        if (self.stride, self.size) != (size, size) {
            return None;
        }
        let index = self.index(offset, facts)?;
        let end = index.add(count)?;
        let inside =
            facts.le(&Linear::zero(), &index) == Truth::Yes && facts.le(&end, &self.count) == Truth::Yes;
        Some((self.value(&index).filter(|_| inside)?, self.step))
    }

    /// The same for all elements from there on, with how many they are; `None` where that is none.
    pub(crate) fn values_to_end(
        &self,
        offset: &Linear,
        size: i64,
        facts: &Constraints,
    ) -> Option<(Linear, i64, Linear)> {
        let count = self.count.sub(&self.index(offset, facts)?)?;
        let (first, step) = self.values_from(offset, size, &count, facts)?;
        (count != Linear::zero()).then_some((first, step, count))
    }

    /// Where so many bytes at an offset are, which may differ between some processes.
    pub(crate) fn place(&self, offset: &Linear, size: i64, ranks: &Ranks, facts: &Constraints) -> Place {
        self.placed(offset, size, ranks, facts).unwrap_or(Place::Open)
    }

    fn placed(&self, offset: &Linear, size: i64, ranks: &Ranks, facts: &Constraints) -> Option<Place> {
        let at_most = |a: &Linear, b: &Linear| {
            let most =
                b.sub(a).and_then(|difference| ranks.minimise(&ranks.settle(&difference, facts), facts));
            most.is_some_and(|least| facts.le(&Linear::zero(), &least) == Truth::Yes)
        };
        if size == self.size
            && let Some(index) = self.index(offset, facts)
            && at_most(&Linear::zero(), &index)
            && index.offset(1).is_some_and(|next| at_most(&next, &self.count))
        {
            return Some(Place::Element(index));
        }
        // One past the last element with the gap behind it, without that gap.
        let gap = self.stride.checked_sub(self.size)?;
        let end = self.start.add_scaled(&self.count, self.stride)?.offset(gap.checked_neg()?)?;
        if at_most(&offset.offset(size)?, &self.start) || at_most(&end, offset) {
            return Some(Place::Apart);
        }
        let distance = offset.sub(&self.start)?;
        self.falls_between(&distance, size).then_some(Place::Apart)
    }

    /// The index of the element that begins at an offset, behind the last: not positive where it is an element. `None` where there is no
    /// such index, or it may lie before the first.
    pub(crate) fn excess(
        &self,
        offset: &Linear,
        size: i64,
        ranks: &Ranks,
        facts: &Constraints,
    ) -> Option<Linear> {
        let index = self.index(offset, facts).filter(|_| size == self.size)?;
        let inside = facts.le(&Linear::zero(), &ranks.minimise(&index, facts)?) == Truth::Yes;
        index.sub(&self.count)?.offset(1).filter(|_| inside)
    }

    /// Whether bytes at this distance from the start of the series lie between two of its elements, wherever they are.
    fn falls_between(&self, distance: &Linear, size: i64) -> bool {
        let whole = distance.offset(-distance.constant()).and_then(|d| d.divide_exactly(self.stride));
        let phase = distance.constant().rem_euclid(self.stride);
        whole.is_some() && self.size <= phase && phase.checked_add(size).is_some_and(|end| end <= self.stride)
    }

    /// The index of the element that begins at an offset, if there is one.
    fn index(&self, offset: &Linear, facts: &Constraints) -> Option<Linear> {
        let distance = offset.sub(&self.start)?;
        distance.divide_exactly(self.stride).or_else(|| {
            let distance = Some(&distance).filter(|d| d.is_uniform()).and_then(|d| facts.constant(d))?;
            (distance.checked_rem(self.stride)? == 0).then_some((distance / self.stride).into())
        })
    }

    /// Whether no element shares a byte with one of another series.
    pub(crate) fn is_apart(&self, other: &Self, facts: &Constraints) -> bool {
        let between = self.stride == other.stride
            && other.start.sub(&self.start).is_some_and(|d| self.falls_between(&d, other.size));
        let before = |a: &Self, b: &Self| {
            let end = a.start.add_scaled(&a.count, a.stride);
            // Where there are no elements the end is at the start or before it.
            end.is_some_and(|end| facts.le(&end, &b.start) == Truth::Yes)
        };
        between || before(self, other) || before(other, self)
    }

    /// Whether each element of another series is one of this one in size and place.
    pub(crate) fn covers(&self, other: &Self, facts: &Constraints) -> bool {
        (self.stride, self.size) == (other.stride, other.size)
            && facts.eq(&self.start, &other.start) == Truth::Yes
            && facts.le(&other.count, &self.count) == Truth::Yes
    }

    /// The series with one more element before the first; `None` where it may lack more than one element.
    pub(crate) fn preceded(&self, facts: &Constraints) -> Option<Self> {
        (facts.le(&Linear::zero(), &self.count) == Truth::Yes).then_some(())?;
        Some(Self {
            start: self.start.offset(self.stride.checked_neg()?)?,
            count: self.count.offset(1)?,
            base: self.base.offset(self.step.checked_neg()?)?,
            ..self.clone()
        })
    }

    /// What is left of the series where one of its elements is replaced by the only one of another series; `None` where that is not
    /// what the other one does.
    pub(crate) fn around(&self, other: &Self, facts: &Constraints) -> Option<Vec<Self>> {
        if (other.size, other.count.as_constant()) != (self.size, Some(1)) {
            return None;
        }
        let index = self.index(&other.start, facts)?;
        let next = index.offset(1)?;
        // Where there is no element, nothing is left of them before the last.
        let is_last = facts.eq(&next, &self.count) == Truth::Yes;
        let inside =
            || facts.le(&Linear::zero(), &index) == Truth::Yes && facts.le(&next, &self.count) == Truth::Yes;
        if !is_last && !inside() {
            return None;
        }
        let before = Self { count: index.clone(), ..self.clone() };
        let behind = Self {
            start: self.start.add_scaled(&next, self.stride)?,
            count: self.count.sub(&next)?,
            base: self.value(&next)?,
            ..self.clone()
        };
        let parts = [before, behind].into_iter().filter(|part| part.count != Linear::zero());
        Some(parts.collect())
    }

    /// One element.
    pub(crate) fn single(start: Linear, size: i64, value: Linear) -> Self {
        Self { start, stride: size, size, count: 1.into(), base: value, step: 0 }
    }

    /// The series with the only element of another one, which lies right before the first or behind the last and fits.
    pub(crate) fn joined(&self, other: &Self, facts: &Constraints) -> Option<Self> {
        if (other.size, other.count.as_constant()) != (self.size, Some(1)) {
            return None;
        }
        let longer = Self { count: self.count.offset(1)?, ..self.clone() };
        let fits =
            |at: &Linear, value: &Linear| facts.eq(at, &other.start) == Truth::Yes && *value == other.base;
        let before = self.preceded(facts)?;
        if fits(&before.start, &before.base) {
            return Some(before);
        }
        let end = self.start.add_scaled(&self.count, self.stride)?;
        fits(&end, &self.value(&self.count)?).then_some(longer)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lattice::Symbol;
    use proptest::prelude::*;

    use super::*;

    /// `constant + times * np`
    fn over_np((constant, times): (i64, i64)) -> Linear {
        Linear::from(constant).add_scaled(&Linear::np(), times).expect("small")
    }

    fn at(value: &Linear, np: i64, rank: i64) -> i64 {
        let known = [(Symbol::NP, np), (Symbol::RANK, rank)];
        let value = value.map_symbols(|s| known.iter().find(|(symbol, _)| *symbol == s).map(|k| k.1.into()));
        value.and_then(|value| value.as_constant()).expect("no other symbols")
    }

    /// The values of the elements by offset.
    fn elements(series: &Series, np: i64, rank: i64) -> BTreeMap<i64, i64> {
        let value = |e: &Linear| at(e, np, rank);
        let element = |k| (value(&series.start) + k * series.stride, value(&series.base) + k * series.step);
        (0..value(&series.count)).map(element).collect()
    }

    fn bytes(offset: i64, size: i64) -> std::ops::Range<i64> {
        offset..offset + size
    }

    fn overlap(a: &std::ops::Range<i64>, b: &std::ops::Range<i64>) -> bool {
        a.start < b.end && b.start < a.end
    }

    fn series() -> impl Strategy<Value = Series> {
        let number = || (-3_i64..6, -1_i64..3);
        (number(), 1_i64..4, 0_i64..3, number(), number(), 0_i64..2, -2_i64..3).prop_map(
            |(start, size, gap, count, base, own, step)| Series {
                start: over_np(start),
                stride: size + gap,
                size,
                count: over_np(count),
                base: over_np(base).add_scaled(&Linear::rank(), own).expect("small"),
                step,
            },
        )
    }

    fn facts() -> Constraints {
        let mut facts = Constraints::new();
        facts.learn(&1.into(), &Linear::np());
        facts
    }

    fn everybody() -> impl Iterator<Item = (i64, i64)> {
        (1..7).flat_map(|np| (0..np).map(move |rank| (np, rank)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// What is called an element is one, with its value; what is called apart shares no byte with any.
        #[test]
        fn places_are_true(
            series in series(), offset in (-3_i64..9, -1_i64..4), own in 0_i64..4, size in 1_i64..4,
        ) {
            let offset = over_np(offset).add_scaled(&Linear::rank(), own).expect("small");
            let place = series.place(&offset, size, &Ranks::world(), &facts());
            for (np, rank) in everybody() {
                let (all, there) = (elements(&series, np, rank), at(&offset, np, rank));
                match &place {
                    Place::Element(index) => {
                        let value = series.value(index).expect("small");
                        prop_assert_eq!(all.get(&there), Some(&at(&value, np, rank)), "np {}", np);
                        prop_assert_eq!(size, series.size);
                    }
                    Place::Apart => {
                        let hit = all.keys().any(|&e| overlap(&bytes(e, series.size), &bytes(there, size)));
                        prop_assert!(!hit, "np {} rank {}", np, rank);
                    }
                    Place::Open => {}
                }
            }
        }

        /// What two series are to each other, and what they are together.
        #[test]
        fn relations_are_true(
            a in series(), b in series(), near in any::<bool>(), alone in any::<bool>(),
            inside in proptest::option::of((-1_i64..4, any::<bool>())),
        ) {
            let mut b = if near { Series { stride: a.stride, size: a.size, start: b.start, ..b } } else { b };
            if let Some((index, from_end)) = inside {
                // One of the elements of the other one.
                let index = if from_end { a.count.offset(-1 - index).expect("small") } else { index.into() };
                let start = a.start.add_scaled(&index, a.stride).expect("small");
                b = Series { start, size: a.size, count: 1.into(), ..b };
            }
            if alone {
                // Right behind the other one.
                let start = a.start.add_scaled(&a.count, a.stride).expect("small");
                b = Series { start, base: a.value(&a.count).expect("small"), count: 1.into(), ..b };
            }
            let facts = facts();
            for (np, rank) in everybody() {
                let (x, y) = (elements(&a, np, rank), elements(&b, np, rank));
                if a.is_apart(&b, &facts) {
                    let pairs = x.keys().flat_map(|p| y.keys().map(move |q| (*p, *q)));
                    for (p, q) in pairs {
                        prop_assert!(!overlap(&bytes(p, a.size), &bytes(q, b.size)), "np {}", np);
                    }
                }
                if a.covers(&b, &facts) {
                    prop_assert!(y.keys().all(|offset| x.contains_key(offset)) && a.size == b.size);
                }
                if let Some(parts) = a.around(&b, &facts) {
                    let mut all = x.clone();
                    all.extend(&y);
                    let mut left: BTreeMap<i64, i64> = y.clone();
                    for part in &parts {
                        for (offset, value) in elements(part, np, rank) {
                            prop_assert_eq!(left.insert(offset, value), None, "np {}", np);
                        }
                    }
                    prop_assert_eq!(left, all, "np {}", np);
                }
                if let Some(both) = a.joined(&b, &facts) {
                    let mut all = x.clone();
                    all.extend(&y);
                    prop_assert_eq!(elements(&both, np, rank), all, "np {}", np);
                }
            }
        }

        /// The values from some element on.
        #[test]
        fn values_are_those_of_elements(series in series(), skipped in 0_i64..3, count in (0_i64..3, 0_i64..2)) {
            let series = Series { stride: series.size, ..series };
            let offset = series.start.offset(skipped * series.size).expect("small");
            let count = over_np(count);
            let Some((first, step)) = series.values_from(&offset, series.size, &count, &facts()) else {
                return Ok(());
            };
            for (np, rank) in everybody() {
                let all = elements(&series, np, rank);
                for k in 0..at(&count, np, rank) {
                    let there = at(&offset, np, rank) + k * series.size;
                    prop_assert_eq!(all.get(&there), Some(&(at(&first, np, rank) + k * step)), "np {}", np);
                }
            }
        }
    }
}
