//! `buffer-overflow`: calls that touch memory past the end of their buffer.
//!
//! What a call touches at least is compared with what is left of the object at most. The last element counts with its
//! size, the others with their extent (MPI-4.1 section 3.2.2). Objects are whole variables and heap blocks: a message
//! may run through the rows of an array or the members of a struct.

use frontend::mpi::{Class, Length, Role};

use super::Rule;
use super::call::{BufferArgument, Call, predefined};
use super::values::{Interval, Object};
use crate::results::{Finding, Severity};

pub(super) fn check(call: &Call<'_>, findings: &mut Vec<Finding>) {
    for buffer in call.buffers() {
        if buffer.buffer.root_only || call.is_untouched(buffer.buffer) || call.partner_is_null(buffer.buffer)
        {
            continue;
        }
        let Some((needed, how)) = touched(&buffer) else { continue };
        // Memory that a receive only may fill is wrongly described all the same, but nothing happens yet.
        let may_stay_unused = call.mpi.class.receives() && buffer.buffer.source.is_some();
        let severity = if may_stay_unused { Severity::Warning } else { Severity::Error };
        let verb = if buffer.buffer.direction.writes() { "writes" } else { "reads" };
        let action = format!("{} {verb} {needed} bytes ({how})", call.mpi.name);
        findings.extend(judge(call, buffer.argument, needed, &action, severity));
    }
    for (index, bytes) in call.mpi.memory() {
        let (Some(argument), Some(size)) =
            (call.argument(index), bytes.and_then(|bytes| call.argument(bytes)))
        else {
            continue;
        };
        let Some(needed) = size.value.as_range().and_then(|range| range.lo).filter(|&least| 0 < least) else {
            continue;
        };
        if argument.param.role == Role::AllocatedMemory {
            continue;
        }
        let action = format!("{} is told that there are {needed} bytes", call.mpi.name);
        findings.extend(judge(call, argument, needed, &action, Severity::Error));
    }
    for index in 0..call.mpi.params.len() {
        findings.extend(list(call, index));
    }
    findings.extend(packed(call));
}

/// A list of numbers that is shorter than the call is told.
fn list(call: &Call<'_>, index: usize) -> Option<Finding> {
    let param = call.mpi.params.get(index)?;
    // What a call may write is often less than there is room for.
    let is_read = param.is_array() && param.direction.reads() && !param.root_only;
    let (length, times) = match param.length.filter(|_| is_read)? {
        Length::Param(length) => (length, 1),
        Length::Times(length, times) => (length, i128::from(times)),
        _ => return None,
    };
    let mut words = param.ctype.split(|c: char| !c.is_alphanumeric() && c != '_');
    let size = words.find_map(|word| match word {
        "int" => Some(4),
        "MPI_Aint" | "MPI_Offset" | "MPI_Count" => Some(8),
        _ => None,
    })?;
    let numbers = call.argument(length)?.value.as_range()?.lo.filter(|&least| 0 < least)?;
    let numbers = numbers.checked_mul(times)?;
    let action = format!("{} reads {numbers} numbers of {size} bytes", call.mpi.name);
    judge(call, call.argument(index)?, numbers.checked_mul(size)?, &action, Severity::Error)
}

/// A call that packs more than there is room for after what is packed already, or unpacks more than there is (MPI-4.1 section 5.2).
/// Packed in the library's own way, elements take their size at least.
fn packed(call: &Call<'_>) -> Option<Finding> {
    let Class::Pack { unpack, external: false } = call.mpi.class else { return None };
    let (bytes, how) = touched(&call.buffers().next()?)?;
    let of = |role| call.mpi.param_with_role(role).and_then(|index| call.argument(index));
    let position = of(Role::Position)?;
    let width =
        call.eval.layout.exact_size(call.eval.layout.types().pointee(position.expr.strip_casts().ty)?)?;
    let (_, at) = call.elements(position, 1, width).pop()?;
    let at = at.as_range()?.lo.filter(|at| 0 <= *at)?;
    let room = of(Role::ByteSize)?;
    let most = room.value.as_range()?.hi.filter(|most| 0 <= *most)?;
    if at.checked_add(bytes)? <= most {
        return None;
    }
    let (verb, what) = if unpack { ("unpacks", "are packed") } else { ("packs", "have room") };
    let message =
        format!("{} {verb} {bytes} bytes ({how}) from byte {at} on, but {most} bytes {what}", call.mpi.name);
    Some(call.finding(Rule::BufferOverflow, room.expr, message))
}

/// Bytes from the start of the buffer to the end of its last element, at least.
pub(super) fn touched(buffer: &BufferArgument<'_>) -> Option<(i128, String)> {
    let (constant, datatype) = predefined(buffer.datatype?)?;
    let count = buffer.count.lo.filter(|&least| 0 < least)?;
    let needed =
        (count - 1).checked_mul(i128::from(datatype.extent))?.checked_add(i128::from(datatype.size))?;
    Some((needed, format!("{count} x {}", constant.name)))
}

fn judge(
    call: &Call<'_>,
    argument: super::call::Argument<'_>,
    needed: i128,
    action: &str,
    severity: Severity,
) -> Option<Finding> {
    let (object, offset) = argument.value.as_address()?;
    let size = call.object_size(object)?.hi?;
    let start = offset.lo?;
    let left = size.checked_sub(start)?;
    if needed <= left || offset.hi.is_none() && start < 0 {
        return None;
    }
    let place = place(call, object, offset, left);
    let mut finding =
        call.finding_as(Rule::BufferOverflow, severity, argument.expr, format!("{action}, but {place}"));
    finding.related = call.declaration(object).into_iter().collect();
    Some(finding)
}

fn place(call: &Call<'_>, object: &Object, offset: Interval, left: i128) -> String {
    let name = call.object_name(object);
    match offset.single() {
        Some(0) => format!("{name} has {left}"),
        Some(at) => format!("{name} has {} from byte {at} on", left.max(0)),
        None => format!("{name} has at most {} there", left.max(0)),
    }
}
