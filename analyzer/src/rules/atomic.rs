//! `invalid-datatype`: datatypes of one-sided operations on a single element.
//!
//! MPI-4.1 sections 12.3.4: `MPI_Fetch_and_op` takes predefined datatypes only, `MPI_Compare_and_swap` those of whole numbers, truth
//! values, addresses and offsets, and bytes.

use frontend::mpi::{Class, Object as Kind, RmaOp, Role, TypeGroup};

use super::Rule;
use super::call::{Call, predefined, range};
use super::op::group;
use super::values::Atom;
use crate::results::{Finding, Related};

pub(super) fn check(call: &Call<'_>, findings: &mut Vec<Finding>) {
    let Class::Rma { operation: operation @ (RmaOp::FetchAndOp | RmaOp::CompareAndSwap), .. } =
        call.mpi.class
    else {
        return;
    };
    let Some(argument) = call.mpi.param_with_role(Role::Datatype).and_then(|index| call.argument(index))
    else {
        return;
    };
    let name = call.mpi.name;
    if let Some(Atom::Made(Kind::Datatype, made)) = argument.value.single() {
        let message = format!("{name} takes predefined datatypes only");
        let mut finding = call.finding(Rule::InvalidDatatype, argument.expr, message);
        let message = "the datatype is made here".to_owned();
        finding.related.push(Related { range: range(call.unit, *made), message });
        findings.push(finding);
    } else if operation == RmaOp::CompareAndSwap
        && let Some((datatype, facts)) = predefined(argument.value)
        && !is_comparable(facts.group)
    {
        let message = format!("{name} does not compare {} ({})", datatype.name, group(facts.group));
        findings.push(call.finding(Rule::InvalidDatatype, argument.expr, message));
    }
}

fn is_comparable(group: TypeGroup) -> bool {
    use TypeGroup::{Byte, CInteger, FortranInteger, Logical, MultiLanguage};
    matches!(group, CInteger | FortranInteger | Logical | MultiLanguage | Byte)
}
