//! Parallel files (MPI-4.1 chapter 14).
//!
//! The handle of an open file is a communicator of the processes that share it: opening, closing and collective access are collective
//! calls of all of them, in one order for each file. What is in files is not known, and errors are taken not to happen, which the
//! verdict says: they would be returned, other than those of communication.

use frontend::mpi::{Class, Completion, FilePhase, Scope as CallScope};

use super::Engine;
use super::exec::Progress;
use super::mpi::Call;
use super::need::Need;
use super::state::{Creation, Handle, Partition, ProcessSet, State, address};
use super::value::Value;

/// Whether a call of this class concerns a file and may have to wait for other processes.
pub(crate) fn concerns_file(class: Class) -> bool {
    use frontend::mpi::Object::File;
    matches!(
        class,
        Class::FileOpen
            | Class::FileClose
            | Class::FileData { .. }
            | Class::FileManage(_)
            | Class::SetInfo(File)
    )
}

impl Engine<'_> {
    /// Notes that no call on a file is taken to fail.
    pub(crate) fn assume_files_work(&mut self) {
        self.assume("the calls on files succeed".to_owned());
    }

    /// A call for which [`concerns_file`].
    pub(crate) fn file_call(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<Progress, Need> {
        let completion = match call.mpi.class {
            Class::FileData { phase: FilePhase::Nonblocking, .. } => Completion::Nonblocking,
            _ => Completion::Blocking,
        };
        let ticket = self.new_ticket(state, set, call, completion)?;
        let operation = self.over_shared(state, set, call)?;
        self.assume_files_work();
        if call.mpi.class == Class::FileOpen {
            if matches!(operation, Handle::Collective(_)) {
                self.forget_outputs(state, set, call);
            }
        } else if call.mpi.class == Class::FileClose {
            self.null_handle(state, set, call);
        } else {
            self.forget_outputs(state, set, call);
        }
        self.begin(state, set, call, completion, operation, ticket)
    }

    /// The operation of a call on what a communicator's processes share, a file or a window; it may make it.
    pub(crate) fn over_shared(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<Handle, Need> {
        let CallScope::Over(index) = call.mpi.scope else { return Ok(Handle::Nothing) };
        let values = self.with_handle(state, set, call, index);
        let own = Call { values: &values, ..*call };
        if self.communicator(&own).is_ok_and(|shared| shared.is_own()) {
            self.gather_alone(state, set, &own)?;
            self.open_own(state, set, &own)?;
            return Ok(Handle::Nothing);
        }
        let mut entered = self.collective_call(state, set, &own)?;
        entered.creates = call.mpi.created().map(|(index, _)| Creation {
            handle: call.at(Some(index)).cloned().unwrap_or(Value::Unknown),
            how: Partition::Same,
        });
        Ok(Handle::Collective(entered))
    }

    /// The arguments of a call, with the handle itself where its address is given.
    fn with_handle(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        index: usize,
    ) -> Vec<Value> {
        let mut values = call.values.to_vec();
        if call.mpi.params.get(index).is_some_and(|param| param.is_pointer())
            && let Some(value) = values.get_mut(index)
        {
            let place = super::state::target(value);
            *value = place.map_or(Value::Unknown, |place| self.scope(state, set).read_sized(&place, 8));
        }
        values
    }

    /// Makes a file or a window that the process has for itself.
    fn open_own(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) -> Result<(), Need> {
        let Some((index, _)) = call.mpi.created() else { return Ok(()) };
        if let Some((object, offset)) = call.at(Some(index)).and_then(address) {
            let file = Value::Comm(self.communicator(call)?);
            let location = super::eval::Location { object, offset: Some(offset.clone()) };
            self.scope(state, set).write(&location, Some(8), file);
        }
        Ok(())
    }
}
