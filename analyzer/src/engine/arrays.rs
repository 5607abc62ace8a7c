//! Arrays of C integers that calls of MPI read and write: ranks, extents, indices, flags.

use lattice::Linear;

use super::Engine;
use super::eval::Location;
use super::state::{ProcessSet, State, address};
use super::value::Value;

/// Size of an `int`.
pub(crate) const INT: u64 = 4;

impl Engine<'_> {
    /// So many integers of an array; `None` unless all are known.
    pub(crate) fn integers(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        array: Option<&Value>,
        number: usize,
    ) -> Option<Vec<Linear>> {
        let (object, offset) = address(array?)?;
        let offset = offset.clone();
        let mut scope = self.scope(state, set);
        let read = |index| {
            let location = Location { object, offset: place(&offset, index) };
            scope.read_sized(&location, INT).as_int().cloned()
        };
        (0..number).map(read).collect()
    }

    /// Stores integers in an array, or one in a variable; nothing where no array is given.
    pub(crate) fn store_integers(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        array: Option<&Value>,
        values: &[Value],
    ) {
        let Some((object, offset)) = array.and_then(address) else { return };
        for (index, value) in values.iter().enumerate() {
            let location = Location { object, offset: place(offset, index) };
            self.scope(state, set).write(&location, Some(INT), value.clone());
        }
    }
}

/// Where an element of an array lies.
fn place(start: &Linear, index: usize) -> Option<Linear> {
    start.offset(i64::try_from(index).ok()?.checked_mul(INT.cast_signed())?)
}
