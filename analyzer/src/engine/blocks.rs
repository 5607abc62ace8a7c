//! Collective operations on blocks of different lengths (MPI-4.1 sections 6.5 to 6.8): what the list of one process says of another
//! one's data is what that process says itself, and blocks that are received do not overlap.
//!
//! Lists are known where the number of processes is: it is fixed, or the program insists on it.

use frontend::mpi::CollectiveOp;
use lattice::{Linear, Ranks};

use super::Engine;
use super::agreement::{Amount, Difference, Said, difference};
use super::mpi::Call;
use super::state::{Entered, ProcessSet, State};
use super::value::Value;
use crate::rules::Rule;

/// Blocks of one buffer that are followed.
const BLOCKS: i64 = 64;

/// The blocks of a buffer, one for each process.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Blocks {
    /// How many elements each has, the same on all callers.
    counts: Vec<Linear>,
    /// Where they begin, in elements.
    starts: Option<Vec<Linear>>,
    datatype: Value,
}

/// The blocks that a call sends and those that it receives.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lists {
    gives: Option<Blocks>,
    takes: Option<Blocks>,
}

impl Engine<'_> {
    /// What the lists of a call say, as far as that is known.
    pub(crate) fn lists(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) -> Lists {
        let mut lists = Lists::default();
        let size = self.communicator(call).ok().and_then(|communicator| communicator.group.size());
        let size =
            size.and_then(|size| state.facts.constant(&size)).filter(|size| (1..=BLOCKS).contains(size));
        let Some(size) = size.and_then(|size| usize::try_from(size).ok()) else { return lists };
        for buffer in call.mpi.buffers() {
            let is_ints = |index: Option<usize>| {
                let param = index.and_then(|index| call.mpi.params.get(index));
                param.is_some_and(|param| param.is_array() && param.ctype.starts_with("const int"))
            };
            let is_list = |index: Option<usize>| {
                index.and_then(|index| call.mpi.params.get(index)).is_some_and(|param| param.is_array())
            };
            let in_place = call.at(Some(buffer.param)).and_then(Value::as_name) == Some("MPI_IN_PLACE");
            if in_place || !is_ints(buffer.count) || is_list(buffer.datatype) {
                continue;
            }
            let mut numbers = |index: Option<usize>| {
                let numbers = self.integers(state, set, call.at(index), size)?;
                numbers.iter().all(Linear::is_uniform).then_some(numbers)
            };
            let (Some(counts), Some(datatype)) = (numbers(buffer.count), call.at(buffer.datatype)) else {
                continue;
            };
            let starts = if is_ints(buffer.displacements) { numbers(buffer.displacements) } else { None };
            let blocks = Some(Blocks { counts, starts, datatype: datatype.clone() });
            if buffer.direction.writes() {
                lists.takes = blocks;
            } else {
                lists.gives = blocks;
            }
        }
        lists
    }

    /// Reports callers of one collective whose lists do not say of others what these say, and blocks that overlap where they are
    /// received.
    pub(crate) fn check_lists(
        &mut self,
        state: &State,
        entries: &[Entered],
        operation: CollectiveOp,
        root: Option<&Linear>,
    ) {
        use CollectiveOp::{Allgatherv, Alltoallv, Gatherv, Scatterv};
        if !matches!(operation, Allgatherv | Alltoallv | Gatherv | Scatterv) {
            return;
        }
        let has = |entered: &Entered, rank: &Linear| {
            Ranks::from(lattice::Range::single(rank.clone())).within(&entered.members, &state.facts)
        };
        let speaks = |entered: &&Entered| match operation {
            Gatherv | Scatterv => root.is_some_and(|root| has(entered, root)),
            _ => true,
        };
        let group = &entries[0].call.communicator.group;
        // Whom each of the callers is, by rank in the communicator.
        let caller = |index: usize| {
            let rank = Linear::from(i64::try_from(index).ok()?);
            let rank = group.to_world(&rank, &state.facts)?;
            entries.iter().find(|entered| has(entered, &rank))
        };
        for speaker in entries.iter().filter(speaks) {
            let lists = &speaker.call.terms.lists;
            if matches!(operation, Allgatherv | Alltoallv | Gatherv)
                && let Some(blocks) = &lists.takes
                && let Some((one, other)) = overlap(blocks, state)
            {
                let message = format!(
                    "the blocks of `{}` for what comes from ranks {one} and {other} overlap",
                    speaker.call.operation
                );
                let place = self.site_place(speaker.call.site);
                self.report(Rule::BufferAlias, state, &speaker.members, place, message, Vec::new());
            }
            let listed = if operation == Scatterv { &lists.gives } else { &lists.takes };
            let Some(listed) = listed else { continue };
            for (index, count) in listed.counts.iter().enumerate() {
                let Some(other) = caller(index) else { continue };
                let terms = &other.call.terms;
                let own = match operation {
                    Scatterv => terms.takes.clone(),
                    // What goes to the speaker, where that is one process.
                    Alltoallv => {
                        let is_speaker = |at: usize| caller(at).is_some_and(|one| std::ptr::eq(one, speaker));
                        let here: Vec<usize> =
                            (0..listed.counts.len()).filter(|&at| is_speaker(at)).collect();
                        match (&terms.lists.gives, &here[..]) {
                            (Some(given), &[here]) => given.counts.get(here).map(|count| Amount {
                                count: count.clone(),
                                datatype: given.datatype.clone(),
                            }),
                            _ => None,
                        }
                    }
                    _ => terms.gives.clone(),
                };
                let Some(own) = own else { continue };
                let listed = Amount { count: count.clone(), datatype: listed.datatype.clone() };
                if self.check_block(state, (speaker, &listed), (other, &own), index) {
                    return;
                }
            }
        }
    }

    /// Reports what a list says of the data of a process against what that process says; whether they differ.
    fn check_block(
        &mut self,
        state: &State,
        (speaker, listed): (&Entered, &Amount),
        (other, own): (&Entered, &Amount),
        rank: usize,
    ) -> bool {
        let (a, b) = (Said::new(listed, speaker), Said::new(own, other));
        let found = difference(&a, &b, |datatype| self.signature(datatype), &state.facts);
        let rule = match found {
            Some(Difference::Types) => Rule::DatatypeMismatch,
            Some(Difference::Counts) => Rule::CountMismatch,
            None => return false,
        };
        let text = |amount: &Amount| {
            let count = self.symbols.display(&amount.count).unwrap_or_else(|| "some".to_owned());
            format!("{count} {}", amount.datatype.name_text())
        };
        let (x, y) =
            (format!("{} listed for rank {rank}", text(listed)), format!("{} at that rank", text(own)));
        let operation = &speaker.call.operation;
        let (message, related) = self.words(operation, (speaker.call.site, &x), (other.call.site, &y));
        let place = self.site_place(other.call.site);
        self.report(rule, state, &other.members, place, message, related);
        true
    }
}

/// Two blocks that share an element, of which both have some.
fn overlap(blocks: &Blocks, state: &State) -> Option<(usize, usize)> {
    let facts = &state.facts;
    let starts = blocks.starts.as_ref()?;
    let number = |number: &Linear| facts.constant(number);
    let ranges: Option<Vec<(i64, i64)>> = (starts.iter().zip(&blocks.counts))
        .map(|(start, count)| Some((number(start)?, number(start)?.checked_add(number(count)?)?)))
        .collect();
    let ranges = ranges?;
    // Elements of a predefined datatype are apart, those of others need not be where they seem.
    frontend::mpi::constant(blocks.datatype.as_name()?)?.datatype()?;
    (1..ranges.len()).find_map(|other| {
        let (begin, end) = ranges[other];
        let shares = |&one: &usize| {
            let (start, stop) = ranges[one];
            start < stop && begin < end && begin < stop && start < end
        };
        (0..other).find(shares).map(|one| (one, other))
    })
}
