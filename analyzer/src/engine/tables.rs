//! What collective operations leave in arrays of integers, where the number of processes is fixed and all that is contributed is known:
//! tables of counts and of displacements that each process puts together out of what the others have told.

use frontend::mpi::{Buffer, Class, CollectiveOp, Completion};
use lattice::{Constraints, Linear, Ranks};

use super::Engine;
use super::contents::is_integral;
use super::eval::Location;
use super::mpi::{Call, type_size};
use super::state::{CollectiveCall, Entered, ProcessSet, State, address};
use super::value::Value;

/// Elements of a table that are followed.
const ELEMENTS: usize = 512;

/// What a process contributes to a collective operation, element by element, over its rank.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contribution {
    operation: CollectiveOp,
    numbers: Vec<Linear>,
}

impl Engine<'_> {
    /// What a set contributes, where the result may be followed.
    pub(crate) fn contribution(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Option<Contribution> {
        use CollectiveOp::{Allgather, Alltoall, Gather, Scatter};
        self.fixed?;
        let Class::Collective { operation, completion, neighbor: false } = call.mpi.class else {
            return None;
        };
        // What a persistent operation works on is there when it is started.
        if completion == Completion::Persistent {
            return None;
        }
        if !matches!(operation, Allgather | Alltoall | Gather | Scatter) {
            return None;
        }
        let mut buffers = call.mpi.buffers();
        let (given, taken) = (buffers.next()?, buffers.next()?);
        if operation == Scatter && !self.is_root_among(state, set, call) {
            return Some(Contribution { operation, numbers: Vec::new() });
        }
        let in_place =
            |buffer: &Buffer| call.at(Some(buffer.param)).and_then(Value::as_name) == Some("MPI_IN_PLACE");
        // Elements that are taken as others than they were given are not followed.
        let datatype = call.at(given.datatype)?;
        let same = operation == Gather || call.at(taken.datatype) == Some(datatype);
        if in_place(given) || in_place(taken) || !same || !is_integral(datatype) {
            return None;
        }
        let each = usize::try_from(state.facts.constant(call.at(given.count)?.as_int()?)?).ok()?;
        let size = state.facts.constant(&self.communicator(call).ok()?.group.size()?)?;
        let blocks = if matches!(operation, Alltoall | Scatter) { usize::try_from(size).ok()? } else { 1 };
        let number = each.checked_mul(blocks).filter(|&number| number <= ELEMENTS)?;
        let bytes = type_size(datatype)?;
        let (object, start) = call.at(Some(given.param)).and_then(address)?;
        let start = start.clone();
        let mut scope = self.scope(state, set);
        let element = |index: usize| {
            let offset = start.offset(i64::try_from(index).ok()?.checked_mul(i64::try_from(bytes).ok()?)?)?;
            scope.read_sized(&Location { object, offset: Some(offset) }, bytes).as_int().cloned()
        };
        let numbers = (0..number).map(element).collect::<Option<Vec<_>>>()?;
        Some(Contribution { operation, numbers })
    }

    /// The numbers that the members of a set have in the buffer that a call writes, when all have come to it.
    pub(crate) fn table(
        &self,
        state: &State,
        set: &ProcessSet,
        call: &CollectiveCall,
        entries: &[Entered],
        root: Option<&Linear>,
    ) -> Option<Vec<i64>> {
        use CollectiveOp::{Allgather, Alltoall, Gather, Scatter};
        let operation = call.terms.contribution.as_ref()?.operation;
        let facts = &state.facts;
        let ranks = call.communicator.group.listed(facts)?;
        let of = |rank: i64| -> Option<Vec<i64>> {
            let entry = entries.iter().find(|entry| super::blocks::holds(&entry.members, rank, facts))?;
            let numbers = &entry.call.terms.contribution.as_ref()?.numbers;
            let at = |number: &Linear| super::blocks::at_rank(&entry.members, number, &rank.into(), facts);
            numbers.iter().map(at).collect()
        };
        let own = set.ranks.as_single(facts).and_then(|rank| facts.constant(&rank));
        let place = |rank: i64| ranks.iter().position(|&other| other == rank);
        let root = root.and_then(|root| usize::try_from(facts.constant(root)?).ok());
        let table: Vec<i64> = match operation {
            Allgather => ranks.iter().map(|&rank| of(rank)).collect::<Option<Vec<_>>>()?.concat(),
            Gather if place(own?)? == root? => {
                ranks.iter().map(|&rank| of(rank)).collect::<Option<Vec<_>>>()?.concat()
            }
            Alltoall => {
                let own = place(own?)?;
                let part = |rank: i64| part(&of(rank)?, ranks.len(), own);
                ranks.iter().map(|&rank| part(rank)).collect::<Option<Vec<_>>>()?.concat()
            }
            Scatter => part(&of(*ranks.get(root?)?)?, ranks.len(), place(own?)?)?,
            _ => return None,
        };
        (table.len() <= ELEMENTS).then_some(table)
    }

    /// Stores such numbers.
    pub(crate) fn store_table(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &CollectiveCall,
        table: &[i64],
    ) {
        let (Some((object, start)), Some(bytes)) = (address(&call.result), type_size(&call.datatype)) else {
            return;
        };
        // An element is taken as what it was given as.
        if !is_integral(&call.datatype) {
            return;
        }
        for (index, &number) in table.iter().enumerate() {
            let step =
                i64::try_from(index).ok().zip(i64::try_from(bytes).ok()).and_then(|(i, b)| i.checked_mul(b));
            let Some(offset) = step.and_then(|step| start.offset(step)) else { return };
            let location = Location { object, offset: Some(offset) };
            self.scope(state, set).write(&location, Some(bytes), Value::int(number));
        }
    }
}

/// Whether each process gets numbers of its own from calls that complete together.
pub(crate) fn tells_processes_apart(entries: &[Entered]) -> bool {
    let is_own = |entry: &Entered| {
        entry.call.terms.contribution.as_ref().is_some_and(|c| c.operation != CollectiveOp::Allgather)
    };
    entries.iter().all(is_own)
}

/// The sets with each range of ranks taken apart, where its ends are numbers.
pub(crate) fn one_by_one(sets: &[ProcessSet], facts: &Constraints) -> Vec<ProcessSet> {
    let members = |set: &ProcessSet| {
        let range = set.ranks.as_range().filter(|_| !set.is_done());
        let ends = range.and_then(|range| facts.constant(&range.lo).zip(facts.constant(&range.hi)));
        match ends {
            Some((lo, hi)) if lo < hi => {
                let member = |rank: i64| ProcessSet { ranks: Ranks::single(rank.into()), ..set.clone() };
                (lo..=hi).map(member).collect()
            }
            _ => vec![set.clone()],
        }
    };
    sets.iter().flat_map(members).collect()
}

/// One of several parts of a list that are equally long.
fn part(list: &[i64], parts: usize, which: usize) -> Option<Vec<i64>> {
    let length = list.len().checked_div(parts)?;
    list.get(which.checked_mul(length)?..).and_then(|rest| rest.get(..length)).map(<[i64]>::to_vec)
}
