//! `buffer-alias`: one memory for two buffers of a call.
//!
//! MPI-4.1 section 2.3 forbids aliased arguments when one of them is written, and the calls with two buffers say so
//! again (sections 3.10, 6.2, 12.3). Reported is what is known to overlap: the same expression, or ranges of bytes of
//! one object. A buffer that only the root looks at is judged where every process that gets into the function makes the
//! call, so that the root is among them.

use super::Rule;
use super::buffer_overflow::touched;
use super::call::{BufferArgument, Call, constant_of, same_expr};
use super::control::Control;
use crate::results::Finding;

pub(super) fn check(call: &Call<'_>, control: &Control<'_>, findings: &mut Vec<Finding>) {
    let buffers: Vec<_> = call.buffers().collect();
    for (index, first) in buffers.iter().enumerate() {
        for second in &buffers[index + 1..] {
            if !(first.buffer.direction.writes() || second.buffer.direction.writes()) {
                continue;
            }
            let is_idle = |buffer: &BufferArgument<'_>| {
                buffer.count.single() == Some(0)
                    || call.is_untouched(buffer.buffer)
                    || call.partner_is_null(buffer.buffer)
                    || buffer.buffer.root_only && !control.is_unconditional(call.block)
            };
            if !overlap(first, second)
                || has_other_places(call, first, second)
                || is_idle(first)
                || is_idle(second)
            {
                continue;
            }
            let allows_in_place = [first, second].iter().any(|buffer| buffer.buffer.in_place.is_some());
            let hint = if allows_in_place { "; MPI_IN_PLACE is for that" } else { "" };
            let message = format!(
                "{} gets the same memory for {} and {}{hint}",
                call.mpi.name,
                name(first),
                name(second)
            );
            let mut finding = call.finding(Rule::BufferAlias, second.argument.expr, message);
            let object = second.argument.value.as_address().map(|(object, _)| object);
            finding.related = object.and_then(|object| call.declaration(object)).into_iter().collect();
            findings.push(finding);
        }
    }
}

fn name<'c>(buffer: &BufferArgument<'c>) -> &'c str {
    buffer.argument.param.name
}

/// Whether lists say where the blocks of both buffers are, each its own: they may lie beside each other in one array.
fn has_other_places(call: &Call<'_>, first: &BufferArgument<'_>, second: &BufferArgument<'_>) -> bool {
    let places = |buffer: &BufferArgument<'_>| call.argument(buffer.buffer.displacements?);
    matches!((places(first), places(second)), (Some(a), Some(b)) if !same_expr(a.expr, b.expr))
}

fn overlap(first: &BufferArgument<'_>, second: &BufferArgument<'_>) -> bool {
    let (a, b) = (first.argument, second.argument);
    // Constants such as MPI_IN_PLACE and MPI_BOTTOM, and null pointers, are no memory.
    let may_be_none = |value: &super::values::Value| {
        !value.is_any()
            && value.may(|atom| constant_of(atom).is_some() || matches!(atom, super::values::Atom::Int(_)))
    };
    if may_be_none(a.value) || may_be_none(b.value) {
        return false;
    }
    if same_expr(a.expr, b.expr) {
        return true;
    }
    let (Some((object, x)), Some((other, y))) = (a.value.as_address(), b.value.as_address()) else {
        return false;
    };
    let (Some(x), Some(y)) = (x.single(), y.single()) else { return false };
    if object != other {
        return false;
    }
    // What is not known to be larger is at least one byte at its start.
    let bytes = |buffer: &BufferArgument<'_>| touched(buffer).map_or(1, |(bytes, _)| bytes);
    x < y + bytes(second) && y < x + bytes(first)
}
