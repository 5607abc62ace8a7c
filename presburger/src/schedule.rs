//! Times for events, out of what has to come before what.

use crate::error::{Error, Result};
use crate::relation::Relation;
use crate::set::Set;
use crate::sys;

impl Relation {
    /// A schedule for the points of `events`: to each a position in time, such that positions are to grow lexicographically along each pair
    /// of this relation (P. Feautrier, *Some efficient solutions to the affine scheduling problem*, 1992). Nothing where isl finds none.
    ///
    /// It is worth a check with [`Relation::lex_lt`]: points that no pair orders may have the same position, and whether all pairs are in
    /// order is isl's word only.
    ///
    /// # Errors
    ///
    /// Those of any operation, but for [`Error::Refused`].
    pub fn schedule(&self, events: &Set) -> Result<Option<Self>> {
        let context = self.context();
        if !context.is_same(events.context()) {
            return Err(Error::Contexts);
        }
        // SAFETY: taken, each; given, each. The last one is kept. Both are of this context.
        let found = unsafe {
            context
                .give(|| sys::isl_schedule_constraints_on_domain(events.0.take()))
                .and_then(|constraints| {
                    context.give(|| {
                        sys::isl_schedule_constraints_set_validity(constraints.give_away(), self.0.take())
                    })
                })
                .and_then(|constraints| {
                    context.give(|| sys::isl_schedule_constraints_compute_schedule(constraints.give_away()))
                })
                .and_then(|schedule| context.give(|| sys::isl_schedule_get_map(schedule.keep())))
        };
        match found {
            Ok(schedule) => Ok(Some(Self(schedule))),
            Err(Error::Refused(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
