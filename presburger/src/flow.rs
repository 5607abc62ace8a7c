//! Last writers: dataflow analysis of arrays, exact.

use crate::error::{Error, Result};
use crate::handle::Owned;
use crate::relation::Relation;
use crate::sys;

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
    /// The method is that of Feautrier, *Dataflow analysis of array and scalar references* (1991), as isl has it.
    ///
    /// # Errors
    ///
    /// [`Error::Tuples`] where positions have different names or lengths; [`Error::Contexts`], [`Error::Budget`], [`Error::Memory`] and
    /// [`Error::Refused`] as for any operation.
    pub fn flow(&self) -> Result<Flow> {
        let context = self.reads.context();
        let others = [Some(&self.writes), self.possible_writes.as_ref(), Some(&self.schedule)];
        if others.into_iter().flatten().any(|other| !other.context().is_same(context)) {
            return Err(Error::Contexts);
        }
        self.schedule.same_positions(&self.schedule)?;
        // SAFETY: every argument is taken and of this context, and every result given.
        let flow = unsafe {
            let mut access = context.give(|| sys::isl_union_access_info_from_sink(self.reads.0.take()))?;
            access = context.give(|| {
                sys::isl_union_access_info_set_must_source(access.give_away(), self.writes.0.take())
            })?;
            if let Some(possible) = &self.possible_writes {
                access = context.give(|| {
                    sys::isl_union_access_info_set_may_source(access.give_away(), possible.0.take())
                })?;
            }
            access = context.give(|| {
                sys::isl_union_access_info_set_schedule_map(access.give_away(), self.schedule.0.take())
            })?;
            context.give(|| sys::isl_union_access_info_compute_flow(access.give_away()))?
        };
        // SAFETY: each of them keeps the flow and gives its result.
        unsafe {
            Ok(Flow {
                writers: part(&flow, sys::isl_union_flow_get_full_must_dependence)?.by_read()?,
                possible_writers: part(&flow, sys::isl_union_flow_get_full_may_dependence)?.by_read()?,
                unwritten: part(&flow, sys::isl_union_flow_get_must_no_source)?,
                possibly_unwritten: part(&flow, sys::isl_union_flow_get_may_no_source)?,
            })
        }
    }
}

/// # Safety
///
/// The function keeps its argument and gives its result.
unsafe fn part(
    flow: &Owned<sys::isl_union_flow>,
    function: unsafe extern "C" fn(*mut sys::isl_union_flow) -> *mut sys::isl_union_map,
) -> Result<Relation> {
    // SAFETY: kept and given, as the caller says.
    unsafe { flow.context().give(|| function(flow.keep())) }.map(Relation)
}

impl Relation {
    /// isl says `write -> [read -> location]`.
    fn by_read(&self) -> Result<Self> {
        self.inverse()
    }
}
