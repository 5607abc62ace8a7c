//! Mutants with arguments that no call may have, or that do not fit each other.

use analyzer::rules::Rule;
use frontend::mpi::{Direction, Role};

use crate::calls::Call;
use crate::mutants::{Lines, Made};

impl Made<'_> {
    /// Arguments that no call may have.
    pub(crate) fn arguments(&mut self, call: &Call) {
        let here = self.here(call);
        for (index, param) in call.mpi.params.iter().enumerate() {
            if param.is_array() {
                continue;
            }
            let literal = self.is_number(call, index).is_some();
            let (operator, new, rule) = match param.role {
                Role::SendTag | Role::RecvTag if literal => ("a negative tag", "-5", Rule::InvalidTag),
                Role::Count if literal => ("a negative count", "-1", Rule::InvalidCount),
                Role::Dest | Role::Source if self.source.arg(call, index) != "MPI_PROC_NULL" => {
                    ("a rank that cannot be", "-7", Rule::InvalidRank)
                }
                Role::Root => ("a root that cannot be", "-3", Rule::InvalidRoot),
                Role::Op => ("no operation", "MPI_OP_NULL", Rule::InvalidOp),
                Role::Communicator if param.direction == Direction::In => {
                    ("no communicator", "MPI_COMM_NULL", Rule::InvalidCommunicator)
                }
                Role::Datatype => ("no datatype", "MPI_DATATYPE_NULL", Rule::InvalidDatatype),
                _ => continue,
            };
            self.replace(operator, call, index, new, &[(rule, here.clone())]);
        }
        for buffer in call.mpi.buffers() {
            let count = buffer.count.and_then(|count| self.is_number(call, count));
            let is_address = self.source.arg(call, buffer.param).starts_with('&');
            if !buffer.root_only && is_address && count.is_some_and(|count| count > 0) {
                self.replace("no buffer", call, buffer.param, "NULL", &[(Rule::InvalidBuffer, here.clone())]);
            }
        }
        self.types(call);
    }

    /// Datatypes and counts that do not fit their buffers.
    fn types(&mut self, call: &Call) {
        let here = self.here(call);
        for buffer in call.mpi.buffers() {
            let Some(datatype) = buffer.datatype else { continue };
            if buffer.root_only
                || call.mpi.params[datatype].is_array()
                || self.source.arg(call, buffer.param) == "NULL"
            {
                continue;
            }
            // Of no elements any type is as good as another.
            if buffer.count.is_some_and(|count| self.is_number(call, count) == Some(0)) {
                continue;
            }
            let new = match self.source.arg(call, datatype) {
                "MPI_INT" => "MPI_DOUBLE",
                "MPI_DOUBLE" => "MPI_FLOAT",
                "MPI_FLOAT" => "MPI_INT",
                "MPI_LONG" => "MPI_INT",
                _ => continue,
            };
            let sender_has = Lines::Any;
            self.replace(
                "another datatype",
                call,
                datatype,
                new,
                &[
                    (Rule::BufferType, here.clone()),
                    (Rule::BufferOverflow, here.clone()),
                    (Rule::DatatypeMismatch, sender_has),
                ],
            );
            let Some(count) = buffer.count.filter(|&count| !call.mpi.params[count].is_array()) else {
                continue;
            };
            if let Some(number) = self.is_number(call, count)
                && self.source.arg(call, buffer.param).starts_with('&')
                && !self.source.arg(call, buffer.param).contains('[')
            {
                let more = (number + 4096).to_string();
                self.replace(
                    "more than the buffer holds",
                    call,
                    count,
                    &more,
                    &[(Rule::BufferOverflow, here.clone())],
                );
            }
        }
    }

    /// Arrays of which a call takes all.
    pub(crate) fn arrays(&mut self) {
        let source = self.source;
        for array in source.arrays.iter().filter(|array| array.elements >= 2) {
            let takes_all = |call: &&Call| {
                call.mpi.class.communicates()
                    && call.mpi.buffers().any(|buffer| {
                        !buffer.root_only
                            && source.arg(call, buffer.param) == array.name
                            && buffer
                                .count
                                .is_some_and(|count| self.is_number(call, count) == Some(array.elements))
                    })
            };
            let uses: Vec<&Call> = source.calls.iter().filter(takes_all).collect();
            let twice = source.arrays.iter().filter(|other| other.name == array.name).count() > 1;
            if let Some(first) = uses.first().filter(|_| !twice) {
                let lines = Lines::These(uses.iter().map(|call| call.line).collect());
                let shorter = (array.elements / 2).to_string();
                self.add(
                    "a buffer that is too short",
                    first,
                    &[(array.length.clone(), shorter)],
                    &[(Rule::BufferOverflow, lines)],
                );
            }
        }
    }
}
