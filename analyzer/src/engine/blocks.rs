//! Blocks of collective calls that say for each process how many elements it gives or takes (MPI-4.1 sections 6.5 to 6.8): none is negative, no
//! two that are received share an element, and each is as long as the other side says.
//!
//! Judged where the lists are numbers, for so many processes as these are.

use frontend::mpi::{Buffer, Class, CollectiveOp, Scale};
use lattice::{Constraints, Linear, Range, Ranks, Symbol};

use super::Engine;
use super::agreement::{Amount, Terms};
use super::mpi::Call;
use super::state::{Entered, ProcessSet, State};
use super::value::Value;
use crate::results::Related;
use crate::rules::Rule;

/// Largest number of processes for which lists are compared.
const PROCESSES: i64 = 64;

/// How many elements of a datatype go to, or come from, each process of a communicator, in the order of its ranks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Blocks {
    counts: Vec<i64>,
    datatype: Value,
}

/// How many elements one process gives another one, or takes from it, as one side says.
struct Share<'a> {
    count: i64,
    datatype: &'a Value,
    entry: &'a Entered,
    is_listed: bool,
}

impl Engine<'_> {
    /// Adds what a call says block by block, and the numbers that it contributes.
    pub(crate) fn add_blocks(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        terms: &mut Terms,
    ) {
        for buffer in call.mpi.buffers() {
            let blocks = self.blocks(state, set, call, buffer);
            *(if buffer.direction.writes() { &mut terms.takes_each } else { &mut terms.gives_each }) = blocks;
        }
    }

    /// The blocks of a buffer, where all are known that the call looks at.
    fn blocks(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        buffer: &Buffer,
    ) -> Option<Blocks> {
        let given = call.at(Some(buffer.param))?;
        let is_list = matches!(call.mpi.class, Class::Collective { neighbor: false, .. })
            && buffer.scale == Scale::Sum
            && given.as_name() != Some("MPI_IN_PLACE");
        if !is_list || (buffer.root_only && !self.is_root_among(state, set, call)) {
            return None;
        }
        let datatype = call.at(buffer.datatype)?.clone();
        let counts = self.numbers(state, set, call, buffer.count)?;
        Some(Blocks { counts, datatype })
    }

    /// Where the last of the blocks of a buffer ends, in elements, where all are known that the call looks at.
    pub(crate) fn end_of_blocks(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        buffer: &Buffer,
    ) -> Option<i64> {
        let Blocks { counts, .. } = self.blocks(state, set, call, buffer)?;
        let starts = match buffer.displacements {
            Some(_) => self.numbers(state, set, call, buffer.displacements)?,
            None => {
                let mut end = 0_i64;
                let next = |count: &i64| {
                    let start = end;
                    end = end.saturating_add(*count);
                    start
                };
                counts.iter().map(next).collect()
            }
        };
        let ends = counts.iter().zip(&starts).filter(|(count, _)| 0 < **count);
        Some(ends.filter_map(|(count, start)| start.checked_add(*count)).max().unwrap_or(0))
    }

    /// One number for each process, from an array.
    pub(crate) fn numbers(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        index: Option<usize>,
    ) -> Option<Vec<i64>> {
        let size = state.facts.constant(&self.communicator(call).ok()?.group.size()?)?;
        let size = usize::try_from(size).ok().filter(|_| size <= PROCESSES)?;
        let list = self.integers(state, set, call.at(index), size)?;
        list.iter().map(|number| state.facts.constant(number)).collect()
    }

    /// Whether the root of a collective is in a set.
    pub(crate) fn is_root_among(&self, state: &State, set: &ProcessSet, call: &Call<'_>) -> bool {
        let root = self.root_of_all(call).map(|root| Ranks::from(Range::single(root.clone())));
        root.is_some_and(|root| root.within(&set.ranks, &state.facts))
    }

    /// Reports blocks that are negative, and two that are received and share an element.
    pub(crate) fn check_blocks(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        for buffer in call.mpi.buffers() {
            let Some(blocks) = self.blocks(state, set, call, buffer) else { continue };
            let place = |index: Option<usize>| {
                let span = index.and_then(|index| call.args.get(index)).map_or(call.span, |arg| arg.span);
                (set.frame().function, span)
            };
            let name = call.mpi.name;
            if let Some(at) = blocks.counts.iter().position(|&count| count < 0) {
                let count = blocks.counts[at];
                let message =
                    format!("count number {at} of the array of {name} is {count}; it must not be negative");
                let place = place(buffer.count);
                self.report(Rule::InvalidCount, state, &set.ranks, place, message, Vec::new());
                continue;
            }
            if !buffer.direction.writes() {
                continue;
            }
            let place = place(Some(buffer.param));
            // Blocks without elements share none, and datatypes of which each process has its own may be such.
            let has_elements = |datatype| self.bounds(datatype).is_none_or(|bounds| 0 < bounds.size);
            if blocks.datatype.as_name().is_none() || !has_elements(&blocks.datatype) {
                continue;
            }
            let Some(starts) = self.numbers(state, set, call, buffer.displacements) else { continue };
            if let Some((first, second, shared)) = overlap(&starts, &blocks.counts) {
                let message = format!(
                    "{name} receives {shared} {} of the buffer twice, from rank {first} and from rank {second}",
                    blocks.datatype.name_text()
                );
                self.report(Rule::BufferAlias, state, &set.ranks, place, message, Vec::new());
            }
        }
    }

    /// Reports a block that is not as long as the other side says. `root` is its rank in `MPI_COMM_WORLD`.
    pub(crate) fn check_block_lengths(
        &mut self,
        state: &State,
        entries: &[Entered],
        operation: CollectiveOp,
        root: Option<&Linear>,
    ) {
        use CollectiveOp::{Allgatherv, Alltoallv, Alltoallw, Gatherv, ReduceScatter, Scatterv};
        let compared = match operation {
            Allgatherv | Alltoallv | Gatherv | Scatterv => {
                self.compare_blocks(state, entries, operation, root)
            }
            ReduceScatter => self.compare_lists(state, entries),
            Alltoallw => false,
            _ => return,
        };
        if !compared && let Some(place) = entries.iter().map(|entry| self.site_place(entry.call.site)).min() {
            let why = format!("not all lengths in the lists of `{}` are compared", entries[0].call.operation);
            self.leave_length_open(state, place, why);
        }
    }

    /// Whether all callers of a reduction name the same blocks of its result, or it is told that they do not.
    fn compare_lists(&mut self, state: &State, entries: &[Entered]) -> bool {
        let lists: Option<Vec<&Blocks>> =
            entries.iter().map(|entry| entry.call.terms.gives_each.as_ref()).collect();
        let Some([first, others @ ..]) = lists.as_deref() else { return false };
        let Some(other) = others.iter().position(|other| other != first) else { return true };
        let entry = &entries[other + 1];
        let name = &entry.call.operation;
        let message = format!("the ranks call `{name}` with different lists of blocks");
        let place = self.site_place(entry.call.site);
        self.report(Rule::CountMismatch, state, &entry.members, place, message, Vec::new());
        true
    }

    /// Whether all blocks are compared, or one is told of that differs.
    fn compare_blocks(
        &mut self,
        state: &State,
        entries: &[Entered],
        operation: CollectiveOp,
        root: Option<&Linear>,
    ) -> bool {
        use CollectiveOp::{Allgatherv, Alltoallv, Gatherv, Scatterv};
        let facts = &state.facts;
        let group = &entries[0].call.communicator.group;
        let Some(size) = group.size().and_then(|size| facts.constant(&size)) else { return false };
        if PROCESSES < size || (matches!(operation, Gatherv | Scatterv) && root.is_none()) {
            return false;
        }
        let world = |rank: i64| group.to_world(&rank.into(), facts);
        let Some(ranks) = (0..size).map(world).collect::<Option<Vec<_>>>() else { return false };
        let of = |rank: &Linear| {
            let single = Ranks::from(Range::single(rank.clone()));
            entries.iter().find(|entry| single.within(&entry.members, facts))
        };
        let Some(callers) = ranks.iter().map(of).collect::<Option<Vec<_>>>() else { return false };
        let is_root =
            |rank: usize| root.is_some_and(|root| facts.eq(root, &ranks[rank]) == lattice::Truth::Yes);
        let mut all = true;
        for giver in 0..callers.len() {
            for taker in 0..callers.len() {
                let meet = match operation {
                    Gatherv => is_root(taker),
                    Scatterv => is_root(giver),
                    _ => true,
                };
                let (one, other) = (callers[giver], callers[taker]);
                let (terms, others) = (&one.call.terms, &other.call.terms);
                // What the root has in place already is not moved.
                if !meet || (giver == taker && terms.in_place && root.is_some()) {
                    continue;
                }
                let at = |rank: usize| &ranks[rank];
                let given = match operation {
                    // What is in place lies where it will be.
                    Allgatherv if terms.in_place => {
                        share(one, terms.takes_each.as_ref(), None, giver, at(giver), facts)
                    }
                    Alltoallv if terms.in_place => {
                        share(one, terms.takes_each.as_ref(), None, taker, at(giver), facts)
                    }
                    _ => share(one, terms.gives_each.as_ref(), terms.gives.as_ref(), taker, at(giver), facts),
                };
                let taken =
                    share(other, others.takes_each.as_ref(), others.takes.as_ref(), giver, at(taker), facts);
                let (Some(given), Some(taken)) = (given, taken) else {
                    all = false;
                    continue;
                };
                match self.are_as_long(&given, &taken) {
                    Some(true) => continue,
                    Some(false) => {}
                    None => {
                        all = false;
                        continue;
                    }
                }
                let name = &one.call.operation;
                let message = format!(
                    "rank {giver} gives {} {} to rank {taker} by `{name}`, which takes {} {}",
                    given.count,
                    given.datatype.name_text(),
                    taken.count,
                    taken.datatype.name_text()
                );
                let (at, elsewhere) = if taken.is_listed { (&taken, &given) } else { (&given, &taken) };
                let (site, second) = (at.entry.call.site, elsewhere.entry.call.site);
                let related = (site != second).then(|| Related {
                    range: self.site_range(second),
                    message: "the other side is here".to_owned(),
                });
                let related = related.into_iter().collect();
                let place = self.site_place(site);
                self.report(Rule::CountMismatch, state, &at.entry.members, place, message, related);
                return true;
            }
        }
        all
    }

    /// Whether two sides say the same; `None` where their datatypes are not known to be of one basic type.
    fn are_as_long(&self, given: &Share<'_>, taken: &Share<'_>) -> Option<bool> {
        if given.datatype == taken.datatype && *given.datatype != Value::Unknown {
            return Some(given.count == taken.count);
        }
        let (one, other) = (self.signature(given.datatype)?, self.signature(taken.datatype)?);
        let some = |count: i64| u64::try_from(count).unwrap_or(0);
        if one.differs(some(given.count), &other, some(taken.count)) {
            return None;
        }
        let total = |count: i64, size: u64| count.checked_mul(i64::try_from(size).ok()?);
        Some(total(given.count, one.size())? == total(taken.count, other.size())?)
    }
}

/// What one side, of this rank in `MPI_COMM_WORLD`, says of a process: an entry of its list, or what it says of all; nothing where that is no
/// amount.
fn share<'a>(
    entry: &'a Entered,
    blocks: Option<&'a Blocks>,
    amount: Option<&'a Amount>,
    rank: usize,
    own: &Linear,
    facts: &Constraints,
) -> Option<Share<'a>> {
    let (count, datatype) = match (blocks, amount) {
        (Some(blocks), _) => (*blocks.counts.get(rank)?, &blocks.datatype),
        (None, Some(amount)) => (at_rank(&entry.members, &amount.count, own, facts)?, &amount.datatype),
        (None, None) => return None,
    };
    (0 <= count).then_some(Share { count, datatype, entry, is_listed: blocks.is_some() })
}

/// A number that members of a set have, on the member of this rank.
pub(crate) fn at_rank(members: &Ranks, number: &Linear, rank: &Linear, facts: &Constraints) -> Option<i64> {
    let mut tails = vec![facts.constant(rank)?];
    let mut digits = Vec::new();
    for radix in members.radices() {
        let radix = facts.constant(radix).filter(|&radix| 0 < radix)?;
        let tail = *tails.last()?;
        digits.push(tail.rem_euclid(radix));
        tails.push(tail.div_euclid(radix));
    }
    let own = |symbol: Symbol| {
        let digit = digits.iter().enumerate().find(|(i, _)| symbol == Symbol::digit(*i));
        let tail = tails.iter().enumerate().find(|(i, _)| symbol == Symbol::tail(*i));
        digit.or(tail).map(|(_, &value)| Linear::from(value))
    };
    facts.constant(&number.map_symbols(own)?)
}

/// Two blocks that share elements, and how many.
fn overlap(starts: &[i64], counts: &[i64]) -> Option<(usize, usize, i64)> {
    let end = |at: usize| starts[at].checked_add(counts[at]);
    (0..starts.len()).find_map(|second| {
        (0..second).find_map(|first| {
            let shared = end(first)?.min(end(second)?) - starts[first].max(starts[second]);
            (0 < shared).then_some((first, second, shared))
        })
    })
}
