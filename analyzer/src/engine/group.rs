//! Communicators and groups: who is in them, and ranks in them against ranks in `MPI_COMM_WORLD`.

use std::sync::Arc;

use lattice::{Constraints, Linear, Range, Ranks, Truth};

use super::need::Need;
use super::state::Communicator;

/// Name of the communicator of all processes.
pub(crate) const WORLD: &str = "MPI_COMM_WORLD";
/// Name of the communicator that each process has for itself.
pub(crate) const OWN: &str = "MPI_COMM_SELF";

/// Processes by their ranks in `MPI_COMM_WORLD`, in the order of their ranks in a communicator.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Group {
    /// The first, and from there on at equal distances.
    Progression(Progression),
    /// Listed one by one.
    List(Arc<[i64]>),
    /// The members of one, then those of the other.
    Joined(Arc<[Group; 2]>),
    /// The two groups of an intercommunicator, see [`super::intercommunicators`].
    Sides(Arc<[Group; 2]>),
}

/// The ranks `first + i * step` for `i` in `[0..count-1]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Progression {
    pub(crate) first: Linear,
    /// One term, not zero: a number, or the width of a mesh.
    pub(crate) step: Linear,
    pub(crate) count: Linear,
}

impl Communicator {
    /// One without a topology.
    pub(crate) fn new(name: Arc<str>, group: Group) -> Self {
        Self { name, group, grid: None, graph: None }
    }

    /// `MPI_COMM_WORLD`.
    pub(crate) fn world() -> Self {
        let all = Progression { first: Linear::zero(), step: 1.into(), count: Linear::np() };
        Self::new(WORLD.into(), Group::Progression(all))
    }

    /// `MPI_COMM_SELF`, of each process its own: its group is the process that holds it, whatever its rank.
    pub(crate) fn own() -> Self {
        let alone = Progression { first: Linear::rank(), step: 1.into(), count: 1.into() };
        Self::new(OWN.into(), Group::Progression(alone))
    }

    /// The predefined communicator of this name.
    pub(crate) fn predefined(name: &str) -> Option<Self> {
        match name {
            WORLD => Some(Self::world()),
            OWN => Some(Self::own()),
            _ => None,
        }
    }

    /// Whether each process is alone in it.
    pub(crate) fn is_own(&self) -> bool {
        matches!(&self.group, Group::Progression(all) if all.first == Linear::rank())
    }
}

/// How many times one number is another one; `None` where it is none of its multiples.
fn multiple(number: i64, unit: i64) -> Option<i64> {
    if number.checked_rem(unit)? == 0 { number.checked_div(unit) } else { None }
}

impl Progression {
    /// The last rank.
    pub(crate) fn last(&self) -> Option<Linear> {
        self.first.add(&self.count.offset(-1)?.times(&self.step)?)
    }

    /// The ranks from the lowest to the highest, for a step of one either way.
    pub(crate) fn as_range(&self) -> Option<Range> {
        match self.step.as_constant()? {
            1 => Some(Range { lo: self.first.clone(), hi: self.last()? }),
            -1 => Some(Range { lo: self.last()?, hi: self.first.clone() }),
            _ => None,
        }
    }

    /// Whether the members ascend. (The width of a mesh is positive.)
    pub(crate) fn ascends(&self) -> bool {
        self.step.constant() > 0 || self.step.terms().any(|(_, coefficient)| coefficient > 0)
    }

    /// How far each of some processes is from the first, over their digits.
    fn distance(&self, ranks: &Ranks, facts: &Constraints) -> Option<Linear> {
        Some(ranks.settle(&Linear::rank().sub(&self.first)?, facts))
    }

    /// Which member each rank of some processes is, over their digits; `None` where not all are at the distance of members, or where
    /// that is open. Whether it is within the count is another question.
    fn index(&self, ranks: &Ranks, facts: &Constraints) -> Option<Linear> {
        let distance = self.distance(ranks, facts)?;
        match distance.divide_by_term(&self.step) {
            Some(index) => Some(index),
            None => multiple(facts.constant(&distance)?, facts.constant(&self.step)?).map(Linear::from),
        }
    }

    /// Whether some processes are proved to be no members by their distance from the first.
    fn misses(&self, ranks: &Ranks, facts: &Constraints) -> bool {
        let Some(distance) = self.distance(ranks, facts) else { return false };
        let Some(step) = facts.constant(&self.step) else { return false };
        if let Some(distance) = facts.constant(&distance) {
            return multiple(distance, step).is_none();
        }
        let whole = distance.offset(-distance.constant()).and_then(|d| d.divide_exactly(step)).is_some();
        whole && distance.constant() % step != 0
    }
}

impl Group {
    /// Whether the order in it is that of the ranks in `MPI_COMM_WORLD` (`true`), or the opposite one; `None` where it is neither.
    pub(crate) fn ascends(&self) -> Option<bool> {
        match self {
            Self::Progression(all) => Some(all.ascends()),
            Self::List(ranks) if ranks.is_sorted() => Some(true),
            Self::List(ranks) => ranks.is_sorted_by(|a, b| b <= a).then_some(false),
            Self::Joined(_) | Self::Sides(_) => None,
        }
    }

    /// A number that tells where in it a member is, in the order of its ranks; of an intercommunicator, in the order of each side.
    pub(crate) fn place(&self, rank: i64, facts: &Constraints) -> Option<i64> {
        match self {
            Self::Progression(all) => {
                if all.ascends() {
                    Some(rank)
                } else {
                    rank.checked_neg()
                }
            }
            Self::List(_) | Self::Joined(_) | Self::Sides(_) => {
                i64::try_from(self.listed(facts)?.iter().position(|&r| r == rank)?).ok()
            }
        }
    }

    /// The ranks of a range.
    pub(crate) fn range(range: &Range) -> Option<Self> {
        Some(Self::Progression(Progression {
            first: range.lo.clone(),
            step: 1.into(),
            count: range.count()?,
        }))
    }

    /// The ranks of a box of which no more than one digit varies, ascending.
    pub(crate) fn of_ranks(ranks: &Ranks) -> Option<Self> {
        let mut step = Linear::from(1);
        let mut varying = None;
        for (position, digit) in ranks.digits().iter().enumerate() {
            if digit.lo != digit.hi && varying.replace((step.clone(), digit.count()?)).is_some() {
                return None;
            }
            if let Some(radix) = ranks.radices().get(position).filter(|_| varying.is_none()) {
                step = step.times(radix)?;
            }
        }
        let (step, count) = varying.unwrap_or((1.into(), 1.into()));
        let first = ranks.hull()?.lo;
        // The step is one term.
        step.multiples_of(&step)?;
        Some(Self::Progression(Progression { first, step, count }))
    }

    /// A group by ranks that are listed one by one.
    pub(crate) fn of(ranks: Vec<i64>) -> Self {
        let distances: Vec<i64> = ranks.windows(2).map(|w| w[1] - w[0]).collect();
        match (&ranks[..], &distances[..]) {
            ([only], _) => {
                Self::Progression(Progression { first: (*only).into(), step: 1.into(), count: 1.into() })
            }
            ([first, ..], [step, rest @ ..]) if *step != 0 && rest.iter().all(|d| d == step) => {
                let count = i64::try_from(ranks.len()).unwrap_or(i64::MAX).into();
                Self::Progression(Progression { first: (*first).into(), step: (*step).into(), count })
            }
            _ => Self::List(ranks.into()),
        }
    }

    /// The ranks from the lowest to the highest, where these are all.
    pub(crate) fn as_range(&self) -> Option<Range> {
        match self {
            Self::Progression(all) => all.as_range(),
            Self::List(_) | Self::Joined(_) | Self::Sides(_) => None,
        }
    }

    /// The members of one group, then those of another.
    pub(crate) fn joined(first: Self, second: Self, facts: &Constraints) -> Self {
        if let (Some(a), Some(b)) = (first.listed(facts), second.listed(facts)) {
            return Self::of([a, b].concat());
        }
        if let (Self::Progression(a), Self::Progression(b)) = (&first, &second)
            && let Some(next) = a.count.times(&a.step).and_then(|far| a.first.add(&far))
            && a.step == b.step
            && facts.eq(&next, &b.first) == Truth::Yes
            && let Some(count) = a.count.add(&b.count)
        {
            return Self::Progression(Progression { first: a.first.clone(), step: a.step.clone(), count });
        }
        Self::Joined([first, second].into())
    }

    /// The members of these ranks in the group.
    pub(crate) fn selected(&self, ranks: &Progression) -> Option<Self> {
        let Self::Progression(all) = self else { return None };
        Some(Self::Progression(Progression {
            first: all.first.add(&ranks.first.times(&all.step)?)?,
            step: all.step.times(&ranks.step)?,
            count: ranks.count.clone(),
        }))
    }

    /// The members but those of these ranks in the group, where these are the first or the last ones, or every other one.
    pub(crate) fn without(&self, ranks: &Progression, facts: &Constraints) -> Option<Self> {
        let Self::Progression(all) = self else { return None };
        if facts.constant(&ranks.step) == Some(2) {
            // The next one of them would be beyond the end: what is left are the others of the two parities.
            let next = ranks.last()?.offset(2)?;
            let start = facts.constant(&ranks.first).filter(|start| (0..=1).contains(start))?;
            return (facts.le(&all.count, &next) == Truth::Yes).then_some(Self::Progression(Progression {
                first: all.first.add_scaled(&all.step, 1 - start)?,
                step: all.step.scale(2)?,
                count: all.count.sub(&ranks.count)?,
            }));
        }
        let Range { lo, hi } = ranks.as_range()?;
        let end = hi.offset(1)?;
        let kept = if facts.eq(&lo, &Linear::zero()) == Truth::Yes {
            let first = all.first.add(&end.times(&all.step)?)?;
            Progression { first, step: all.step.clone(), count: all.count.sub(&end)? }
        } else if facts.eq(&end, &all.count) == Truth::Yes {
            Progression { count: lo, ..all.clone() }
        } else {
            return None;
        };
        Some(Self::Progression(kept))
    }

    /// Asks to tell members and others apart: at the ends of the group, where members are at distances by digits of the rank, and where
    /// they are listed one by one.
    pub(crate) fn tell_apart(&self, ranks: &Ranks, facts: &Constraints) -> Result<(), Need> {
        let all = match self {
            Self::Progression(all) => all,
            Self::List(_) if self.holds(ranks, facts).is_some() => return Ok(()),
            Self::List(_) => return stand_alone(ranks, facts),
            Self::Joined(parts) | Self::Sides(parts) => {
                return parts.iter().try_for_each(|part| part.tell_apart(ranks, facts));
            }
        };
        if let (None, Some(range), Some(own)) = (self.holds(ranks, facts), self.as_range(), ranks.as_range())
        {
            let before = range.lo.offset(-1).ok_or_else(|| Need::give_up("a rank exceeds 64 bits"))?;
            let cuts_low = facts.le(&range.lo, &own.lo) != Truth::Yes;
            return Err(Need::Split(0, if cuts_low { before } else { range.hi }));
        }
        let radix = if all.ascends() { Some(all.step.clone()) } else { all.step.scale(-1) };
        let Some(radix) = radix.filter(|step| *step != 1.into() && all.first.is_uniform()) else {
            return Ok(());
        };
        if self.holds(ranks, facts).is_some() {
            return Ok(());
        }
        if ranks.radices().is_empty() {
            return Err(Need::Refine(radix));
        }
        let digit = &ranks.digits()[0];
        if ranks.radices()[0] != radix || digit.as_single(facts).is_none() {
            return Err(Need::Split(0, digit.lo.clone()));
        }
        // Rows from the first member to the last.
        let (Some(index), 1) = (all.index(ranks, facts), ranks.radices().len()) else { return Ok(()) };
        let row = Linear::from(ranks.symbol(1));
        let Some(before) = index.sub(&row).filter(Linear::is_uniform) else { return Ok(()) };
        // index = row + before, and members have an index in [0..count-1].
        let low = before.scale(-1).and_then(|first| first.offset(-1));
        let high = before.scale(-1).and_then(|first| first.add(&all.count)?.offset(-1));
        let (Some(low), Some(high)) = (low, high) else { return Ok(()) };
        let cuts_low =
            low.offset(1).is_none_or(|first| facts.le(&first, &ranks.digits()[1].lo) != Truth::Yes);
        Err(Need::Split(1, if cuts_low { low } else { high }))
    }

    /// Asks for sets that know their place in the group: those of different parts of it are divided, and where members are listed each
    /// stands alone.
    pub(crate) fn know_place(&self, ranks: &Ranks, facts: &Constraints) -> Result<(), Need> {
        match self {
            Self::Progression(_) => Ok(()),
            Self::List(_) => stand_alone(ranks, facts),
            Self::Joined(parts) | Self::Sides(parts) => parts.iter().try_for_each(|part| {
                part.tell_apart(ranks, facts)?;
                part.know_place(ranks, facts)
            }),
        }
    }

    /// The same processes in the opposite order.
    pub(crate) fn reversed(&self) -> Option<Self> {
        Some(match self {
            Self::Progression(all) => {
                let (first, step) = (all.last()?, all.step.scale(-1)?);
                Self::Progression(Progression { first, step, count: all.count.clone() })
            }
            Self::List(ranks) => Self::List(ranks.iter().rev().copied().collect()),
            Self::Joined(parts) => {
                let [first, second] = &**parts;
                Self::Joined([second.reversed()?, first.reversed()?].into())
            }
            Self::Sides(_) => return None,
        })
    }

    /// The same with its first member and its number of members written another way.
    pub(crate) fn map(&self, write: &impl Fn(&Linear) -> Linear) -> Self {
        match self {
            Self::Progression(all) => {
                let (first, count) = (write(&all.first), write(&all.count));
                Self::Progression(Progression { first, step: write(&all.step), count })
            }
            Self::List(_) => self.clone(),
            Self::Joined(parts) => Self::Joined([parts[0].map(write), parts[1].map(write)].into()),
            Self::Sides(parts) => Self::Sides([parts[0].map(write), parts[1].map(write)].into()),
        }
    }

    /// Number of processes.
    pub(crate) fn size(&self) -> Option<Linear> {
        match self {
            Self::Progression(all) => Some(all.count.clone()),
            Self::List(ranks) => i64::try_from(ranks.len()).ok().map(Linear::from),
            Self::Joined(parts) | Self::Sides(parts) => parts[0].size()?.add(&parts[1].size()?),
        }
    }

    /// The rank in `MPI_COMM_WORLD` of a rank in the group; `None` where that has no form, or there is no such rank.
    pub(crate) fn to_world(&self, rank: &Linear, facts: &Constraints) -> Option<Linear> {
        match self {
            Self::Progression(all) => all.first.add(&rank.times(&all.step)?),
            Self::List(ranks) => {
                let index = usize::try_from(facts.constant(rank)?).ok()?;
                ranks.get(index).map(|&r| r.into())
            }
            Self::Joined(parts) | Self::Sides(parts) => {
                let before = parts[0].size()?;
                match facts.le(&before, rank) {
                    Truth::Yes => parts[1].to_world(&rank.sub(&before)?, facts),
                    Truth::No => parts[0].to_world(rank, facts),
                    Truth::Open => None,
                }
            }
        }
    }

    /// The rank in the group (of an intercommunicator: in its own side) of a rank in `MPI_COMM_WORLD`, which is that of one of these
    /// members.
    pub(crate) fn local_rank(&self, rank: &Linear, members: &Ranks, facts: &Constraints) -> Option<Linear> {
        match self {
            Self::Progression(all) => {
                let distance = rank.sub(&all.first)?;
                let constant =
                    || multiple(facts.constant(&distance)?, facts.constant(&all.step)?).map(Linear::from);
                distance.divide_by_term(&all.step).or_else(constant)
            }
            Self::List(ranks) => {
                let wanted = facts.constant(rank)?;
                let index = ranks.iter().position(|&r| r == wanted)?;
                i64::try_from(index).ok().map(Linear::from)
            }
            Self::Joined(parts) => match parts[0].holds(members, facts)? {
                true => parts[0].local_rank(rank, members, facts),
                false => parts[0].size()?.add(&parts[1].local_rank(rank, members, facts)?),
            },
            Self::Sides(_) => self.own_side(members, facts)?.local_rank(rank, members, facts),
        }
    }

    /// Whether a set of processes belongs to the group as a whole (`true`) or not at all; `None` where that is open.
    pub(crate) fn holds(&self, ranks: &Ranks, facts: &Constraints) -> Option<bool> {
        match self {
            Self::Progression(all) => {
                if all.misses(ranks, facts) {
                    return Some(false);
                }
                if let Some((range, hull)) = all.as_range().zip(ranks.hull())
                    && range.disjoint(&hull, facts)
                {
                    return Some(false);
                }
                let index = all.index(ranks, facts)?;
                let (least, most) = (ranks.minimise(&index, facts)?, ranks.maximise(&index, facts)?);
                let last = all.count.offset(-1)?;
                let zero = Linear::zero();
                if facts.le(&zero, &least) == Truth::Yes && facts.le(&most, &last) == Truth::Yes {
                    return Some(true);
                }
                (facts.le(&zero, &most) == Truth::No || facts.le(&least, &last) == Truth::No).then_some(false)
            }
            Self::Joined(parts) | Self::Sides(parts) => {
                match (parts[0].holds(ranks, facts), parts[1].holds(ranks, facts)) {
                    (Some(false), second) => second,
                    (first, Some(false)) => first,
                    // Nobody is in both.
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (None, None) => None,
                }
            }
            Self::List(_) => {
                let members = self.listed(facts)?;
                let range = ranks.hull()?;
                let (lo, hi) = (facts.constant(&range.lo)?, facts.constant(&range.hi)?);
                let own = members_of(ranks, lo, hi)?;
                let found = own.iter().filter(|r| members.contains(r)).count();
                match found {
                    0 => Some(false),
                    n if n == own.len() => Some(true),
                    _ => None,
                }
            }
        }
    }

    /// Whether each member of it has a group of its own by this description: a row or a column, seen from where it stands.
    pub(crate) fn is_slice(&self) -> bool {
        matches!(self, Self::Progression(all) if !all.first.is_uniform())
    }

    /// The group of a member of `ranks`, where each of them has a group of its own: those that have all digits in common with it but the
    /// one that is free.
    pub(crate) fn slice(ranks: &Ranks, free: usize) -> Option<Self> {
        let fixed = (0..ranks.digits().len()).filter(|&position| position != free);
        Self::of_ranks(&fixed.fold(ranks.clone(), |slice, position| {
            slice.with_digit(position, Range::single(ranks.symbol(position).into()))
        }))
    }

    /// Where each member of `all` has a group of its own by this description: the digit of which each group has all values.
    pub(crate) fn free_digit(&self, all: &Ranks, facts: &Constraints) -> Option<usize> {
        let is_this = |slice: &Self| slice.same(self, facts);
        let either_way = |slice: Self| is_this(&slice) || slice.reversed().as_ref().is_some_and(is_this);
        (0..all.digits().len()).find(|&free| Self::slice(all, free).is_some_and(either_way))
    }

    /// Whether these disjoint sets of members are all of them.
    pub(crate) fn is_covered(&self, parts: &[Ranks], facts: &Constraints) -> bool {
        if self.is_slice() {
            // All groups at once, or none.
            return united(parts, facts).is_some_and(|all| self.free_digit(&all, facts).is_some());
        }
        if let Self::Progression(all) = self
            && let Some(whole) = all.as_range()
            && let Some(ranges) = parts.iter().map(Ranks::as_range).collect::<Option<Vec<_>>>()
        {
            return cover(&whole, ranges, facts);
        }
        let count = parts.iter().try_fold(Linear::zero(), |sum, part| sum.add(&part.count()?));
        count.zip(self.size()).is_some_and(|(count, size)| facts.eq(&count, &size) == Truth::Yes)
    }

    /// The groups of all of `ranks` one by one, where the numbers of a state are constants.
    pub(crate) fn listed_slices(&self, ranks: &Ranks, facts: &Constraints) -> Option<Vec<Vec<i64>>> {
        let Self::Progression(all) = self else { return None };
        let mut groups = Vec::new();
        for member in listed_members(ranks, facts)? {
            let first = seen_by(ranks, &member, &all.first)?;
            let group = Self::Progression(Progression { first, ..all.clone() }).listed(facts)?;
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        Some(groups)
    }

    /// Ranks of the group one by one, where they are constants and not too many.
    pub(crate) fn listed(&self, facts: &Constraints) -> Option<Vec<i64>> {
        match self {
            Self::Progression(all) => {
                let first = facts.constant(&all.first)?;
                let count = facts.constant(&all.count).filter(|&count| count <= MEMBERS)?;
                let step = facts.constant(&all.step)?;
                (0..count).map(|i| i.checked_mul(step)?.checked_add(first)).collect()
            }
            Self::List(ranks) => Some(ranks.to_vec()),
            Self::Joined(parts) | Self::Sides(parts) => {
                Some([parts[0].listed(facts)?, parts[1].listed(facts)?].concat())
            }
        }
    }

    /// Whether both have the same members in the same order, as far as is known.
    pub(crate) fn same(&self, other: &Self, facts: &Constraints) -> bool {
        match (self, other) {
            (Self::Progression(a), Self::Progression(b)) => {
                let equal = |a: &Linear, b: &Linear| {
                    let difference = || a.sub(b).filter(Linear::is_uniform);
                    a == b || difference().is_some_and(|d| facts.eq(&d, &Linear::zero()) == Truth::Yes)
                };
                equal(&a.first, &b.first) && equal(&a.count, &b.count) && equal(&a.step, &b.step)
            }
            (Self::Joined(a), Self::Joined(b)) | (Self::Sides(a), Self::Sides(b)) => {
                a.iter().zip(b.iter()).all(|(a, b)| a.same(b, facts))
            }
            (a, b) => a == b,
        }
    }
}

/// The union of disjoint boxes, where it is one.
pub(crate) fn united(parts: &[Ranks], facts: &Constraints) -> Option<Ranks> {
    let (first, rest) = parts.split_first()?;
    let (mut whole, mut left) = (first.clone(), rest.to_vec());
    while !left.is_empty() {
        let grown = |next: &Ranks| whole.append(next, facts).or_else(|| next.append(&whole, facts));
        let (index, both) = left.iter().enumerate().find_map(|(i, next)| Some((i, grown(next)?)))?;
        left.swap_remove(index);
        whole = both;
    }
    Some(whole)
}

/// Members of a set that are listed one by one; where there are more, as on a path of one great number of processes, they are not told.
pub(crate) const MEMBERS: i64 = 1 << 16;

/// The members of a box one by one, by their digits, where these are numbers, and not too many.
pub(crate) fn listed_members(ranks: &Ranks, facts: &Constraints) -> Option<Vec<Vec<i64>>> {
    let mut members: Vec<Vec<i64>> = vec![Vec::new()];
    for digit in ranks.digits() {
        let (lo, hi) = (facts.constant(&digit.lo)?, facts.constant(&digit.hi)?);
        let count = i64::try_from(members.len()).ok()?.checked_mul(hi.checked_sub(lo)?.checked_add(1)?);
        let _ = count.filter(|&count| count <= MEMBERS)?;
        members = members.iter().flat_map(|m| (lo..=hi).map(move |d| [&m[..], &[d]].concat())).collect();
    }
    Some(members)
}

/// An expression over the rank as the member of a box with these digits has it.
pub(crate) fn seen_by(ranks: &Ranks, digits: &[i64], expression: &Linear) -> Option<Linear> {
    let own = |symbol| (0..digits.len()).find(|&i| ranks.symbol(i) == symbol);
    ranks.in_digits(expression)?.map_symbols(|symbol| own(symbol).map(|i| digits[i].into()))
}

/// Asks for sets of one process each, where the number of processes is fixed.
pub(crate) fn stand_alone(ranks: &Ranks, facts: &Constraints) -> Result<(), Need> {
    for (position, digit) in ranks.digits().iter().enumerate() {
        if let (Some(lo), Some(hi)) = (facts.constant(&digit.lo), facts.constant(&digit.hi))
            && lo < hi
        {
            return Err(Need::Split(position, digit.lo.clone()));
        }
    }
    Ok(())
}

/// The members of a box between two ranks, where its radices and digits are numbers, and the ranks not too many.
fn members_of(ranks: &Ranks, lo: i64, hi: i64) -> Option<Vec<i64>> {
    let _ = hi.checked_sub(lo).filter(|&steps| steps < MEMBERS)?;
    let mut members = Vec::new();
    for rank in lo..=hi {
        let mut rest = rank;
        let mut inside = true;
        for (position, digit) in ranks.digits().iter().enumerate() {
            let own = match ranks.radices().get(position) {
                Some(radix) => {
                    let radix = radix.as_constant()?;
                    let own = rest.checked_rem(radix)?;
                    rest /= radix;
                    own
                }
                None => rest,
            };
            inside &= (digit.lo.as_constant()?..=digit.hi.as_constant()?).contains(&own);
        }
        if inside {
            members.push(rank);
        }
    }
    Some(members)
}

/// Whether ranges lie one after another from one end of a range to the other.
fn cover(whole: &Range, mut left: Vec<&Range>, facts: &Constraints) -> bool {
    let mut next = whole.lo.clone();
    while !left.is_empty() {
        let Some(index) = left.iter().position(|p| facts.eq(&p.lo, &next) == Truth::Yes) else {
            return false;
        };
        let part = left.swap_remove(index);
        let Some(after) = part.hi.offset(1) else { return false };
        next = after;
    }
    whole.hi.offset(1).is_some_and(|end| facts.eq(&end, &next) == Truth::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a path of one great number of processes nobody is listed; of few, all are.
    #[test]
    fn only_few_members_are_listed() {
        let facts = Constraints::new();
        let ranks = |count: i64| Ranks::from(Range { lo: 0.into(), hi: (count - 1).into() });
        let group = |count: i64| Group::range(&Range { lo: 0.into(), hi: (count - 1).into() });
        let listed = |count: i64| {
            (
                listed_members(&ranks(count), &facts).is_some(),
                group(count).and_then(|g| g.listed(&facts)).is_some(),
            )
        };
        assert_eq!(listed(5), (true, true));
        assert_eq!(listed(MEMBERS), (true, true));
        assert_eq!(listed(MEMBERS + 1), (false, false));
        assert_eq!(listed(1 << 30), (false, false));
        assert_eq!(members_of(&ranks(1 << 30), 0, (1 << 30) - 1), None);
    }

    /// Whether a rank is a member of every other one, where it is known only as a number: not where the distance is odd.
    #[test]
    fn members_are_at_multiples_of_the_step() {
        let group = Group::Progression(Progression { first: 1.into(), step: 2.into(), count: 3.into() });
        for rank in 0..9_i64 {
            let mut facts = Constraints::new();
            assert!(facts.assume_eq(&Linear::np(), &(rank + 4).into()).is_some());
            // A rank that nobody wrote down.
            let named = Linear::np().offset(-4).expect("small");
            let ranks = Ranks::single(named.clone());
            let is_member = [1, 3, 5].contains(&rank);
            assert_eq!(group.holds(&ranks, &facts), Some(is_member), "{rank}");
            let place = group.local_rank(&named, &ranks, &facts).and_then(|place| facts.constant(&place));
            assert_eq!(place.is_some(), rank % 2 == 1, "{rank}");
            assert!(!is_member || place == Some((rank - 1) / 2));
        }
    }
}
