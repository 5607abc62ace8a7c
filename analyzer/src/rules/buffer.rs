//! `invalid-buffer`: arguments that are no place for a message.
//!
//! `NULL` is reported only with a count that is positive and a predefined datatype: with an absolute derived datatype it
//! may be `MPI_BOTTOM` in disguise (MPI-4.1 section 5.1.12), and at `MPI_PROC_NULL` nothing is touched. `MPI_IN_PLACE`
//! follows section 6.2: the MPI table knows the buffers it may stand for.

use frontend::mpi::Plain;

use super::Rule;
use super::call::{BufferArgument, Call, constant_of, predefined};
use super::values::{Atom, Object};
use crate::results::Finding;

pub(super) fn check(call: &Call<'_>, findings: &mut Vec<Finding>) {
    for buffer in call.buffers() {
        if buffer.buffer.root_only || call.is_untouched(buffer.buffer) {
            continue;
        }
        let problem = |atom: &Atom| problem(call, &buffer, atom);
        if !buffer.argument.value.all(|atom| problem(atom).is_some()) {
            continue;
        }
        let Some(reason) = buffer.argument.value.atoms().into_iter().flatten().find_map(problem) else {
            continue;
        };
        let kind = match buffer.buffer.direction {
            frontend::mpi::Direction::In => "send buffer",
            frontend::mpi::Direction::Out => "receive buffer",
            frontend::mpi::Direction::InOut => "buffer",
        };
        let message = format!("the {kind} of {} is {reason}", call.mpi.name);
        let mut finding = call.finding(Rule::InvalidBuffer, buffer.argument.expr, message);
        finding.related = call.origin(buffer.argument.expr, "it gets this value here");
        findings.push(finding);
    }
}

/// Why an alternative cannot be this buffer.
fn problem(call: &Call<'_>, buffer: &BufferArgument<'_>, atom: &Atom) -> Option<String> {
    let is_used = buffer.count.lo.is_some_and(|least| 0 < least) && !call.partner_is_null(buffer.buffer);
    let has_predefined_type = buffer.datatype.is_some_and(|datatype| predefined(datatype).is_some());
    let amount = || match buffer.count.single() {
        Some(1) => "1 element".to_owned(),
        Some(n) => format!("{n} elements"),
        None => "a positive count".to_owned(),
    };
    match atom {
        Atom::Int(range) if range.single() == Some(0) => {
            (is_used && has_predefined_type).then(|| format!("NULL, with {}", amount()))
        }
        Atom::Uninitialized => is_used.then(|| "a pointer that is never set".to_owned()),
        Atom::Address(Object::Literal(..), _) => (is_used && buffer.buffer.direction.writes())
            .then(|| "a string literal, which must not be written".to_owned()),
        Atom::Function(name) => is_used.then(|| format!("the function `{name}`")),
        Atom::Int(_) | Atom::Made(..) | Atom::Address(..) => None,
        Atom::Constant(name) => {
            let constant = constant_of(atom)?;
            if constant.is(Plain::InPlace) {
                let forbidden = buffer.buffer.in_place.is_none();
                forbidden.then(|| format!("{name}, which {} does not allow there", call.mpi.name))
            } else if constant.is(Plain::Bottom) {
                (is_used && has_predefined_type).then(|| {
                    format!("{name} with a predefined datatype, which describes memory at address 0")
                })
            } else if constant.is(Plain::BufferAutomatic) {
                None
            } else {
                is_used.then(|| format!("{name}, which is no buffer"))
            }
        }
    }
}
