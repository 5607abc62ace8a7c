//! Last writers: dataflow analysis of arrays, exact.

use crate::error::Result;
use crate::relation::Relation;

/// Accesses to memory, and when they take place.
#[derive(Clone, Debug)]
pub struct Accesses {
    /// Which locations each instance reads: `{ use[i] -> A[i] }`.
    pub reads: Relation,
    /// Which locations each instance certainly writes.
    pub writes: Relation,
    /// Which locations each instance may write, where that is not certain.
    pub possible_writes: Option<Relation>,
    /// The position of each instance that reads or writes, by one tuple: `{ use[i] -> [i, 1]; set[i] -> [i, 0] }`.
    ///
    /// What an instance reads it reads before it writes. Instances of different statements at one position are in no order: neither is the
    /// other's writer.
    pub schedule: Relation,
}

/// Who has written what is read.
#[derive(Clone, Debug)]
pub struct Flow {
    /// From each read with its location to the last instance before it that certainly writes there, if no possible write comes between:
    /// `{ [use[i] -> A[i]] -> set[i] }`.
    pub writers: Relation,
    /// From each read with its location to each instance that may have written what is read: the last certain write before it, and the
    /// possible writes after that. Where no write is a mere possibility it is the same as `writers`.
    pub possible_writers: Relation,
    /// Reads that no write comes before, neither certain nor possible, with their locations: what was there in the beginning.
    pub unwritten: Relation,
    /// Reads that no certain write comes before, with their locations.
    pub possibly_unwritten: Relation,
}

impl Accesses {
    /// Finds the last writers.
    ///
    /// This is the dataflow analysis of Feautrier, *Dataflow analysis of array and scalar references* (1991): of the writes to the
    /// location that are at an earlier position, the one at the lexicographically greatest. It is computed by the operations on relations,
    /// and not by the function that isl has for it: with a schedule that is a relation, isl 0.25 takes a write for the last one that is
    /// not (`tests/all/flow.rs` has the example).
    ///
    /// # Errors
    ///
    /// [`Error::Tuples`](crate::Error::Tuples) where positions have different names or lengths; those of any operation.
    pub fn flow(&self) -> Result<Flow> {
        self.schedule.same_positions(&self.schedule)?;
        let empty = Relation::empty(self.reads.context())?;
        let mut flow = Flow {
            writers: empty.clone(),
            possible_writers: empty.clone(),
            unwritten: empty.clone(),
            possibly_unwritten: empty.clone(),
        };
        // Array by array: what is at other locations need not be compared.
        for (_, array) in self.reads.range()?.parts()? {
            let of_array = |accesses: &Relation| accesses.intersect_range(&array);
            let possible = self.possible_writes.as_ref().unwrap_or(&empty);
            let part =
                self.of_array(&of_array(&self.reads)?, &of_array(&self.writes)?, &of_array(possible)?)?;
            flow = Flow {
                writers: flow.writers.union(&part.writers)?,
                possible_writers: flow.possible_writers.union(&part.possible_writers)?,
                unwritten: flow.unwritten.union(&part.unwritten)?,
                possibly_unwritten: flow.possibly_unwritten.union(&part.possibly_unwritten)?,
            };
        }
        Ok(flow)
    }

    fn of_array(&self, reads: &Relation, writes: &Relation, possible: &Relation) -> Result<Flow> {
        // Of each read, `[use[i] -> A[x]]`: where it is, and when.
        let location = reads.second_of_pair()?;
        let time = reads.first_of_pair()?.apply_range(&self.schedule)?;
        let earlier = |writes: &Relation| -> Result<Relation> {
            let times = self.schedule.intersect_domain(&writes.domain()?)?;
            location.apply_range(&writes.inverse()?)?.intersect(&times.lex_lt(&time)?.inverse()?)
        };
        // The last certain write, and the possible ones after it.
        let certain = earlier(writes)?;
        let last_time = certain.apply_range(&self.schedule)?.lexicographic_maximum()?;
        let last = certain.intersect(&last_time.apply_range(&self.schedule.inverse()?)?)?;
        let later = {
            let times = self.schedule.intersect_domain(&possible.domain()?)?;
            let overwritten = times.lex_le(&last_time)?.inverse()?;
            earlier(possible)?.subtract(&overwritten)?
        };
        let all = reads.wrap()?;
        let possibly_unwritten = all.subtract(&last.domain()?)?;
        Ok(Flow {
            writers: last.subtract_domain(&later.domain()?)?.coalesce()?,
            possible_writers: last.union(&later)?.coalesce()?,
            unwritten: possibly_unwritten.subtract(&later.domain()?)?.unwrap_pairs()?.coalesce()?,
            possibly_unwritten: possibly_unwritten.unwrap_pairs()?.coalesce()?,
        })
    }
}
