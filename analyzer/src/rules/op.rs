//! `invalid-op`: predefined operations on datatypes that they are not defined for.
//!
//! MPI-4.1 section 6.9.2: each predefined operation accepts some groups of predefined datatypes and no derived one. The
//! table of MPI constants knows the groups. One-sided calls accept derived types made of one predefined type, and two
//! more operations (section 12.3.4).

use frontend::mpi::{Class, Object as Kind, Role, TypeGroup};

use super::Rule;
use super::call::{Call, predefined, range};
use super::values::Atom;
use crate::results::{Finding, Related, Severity};

pub(super) fn check(call: &Call<'_>, findings: &mut Vec<Finding>) {
    let Some(op_argument) = call.mpi.param_with_role(Role::Op).and_then(|index| call.argument(index)) else {
        return;
    };
    let is_rma = matches!(call.mpi.class, Class::Rma { .. });
    if let Some(Atom::Made(Kind::Op, made)) = op_argument.value.single()
        && is_rma
    {
        let message = format!("{} takes predefined operations only", call.mpi.name);
        let mut finding = call.finding(Rule::InvalidOp, op_argument.expr, message);
        let message = "the operation is made here".to_owned();
        finding.related.push(Related { range: range(call.unit, *made), message });
        findings.push(finding);
        return;
    }
    let Some(name) = op_argument.value.as_constant() else { return };
    let Some(op) = frontend::mpi::constant(name).and_then(|constant| constant.op()) else { return };
    let computes = is_rma || matches!(call.mpi.class, Class::Collective { .. } | Class::ReduceLocal);
    if !computes {
        return;
    }
    if op.rma_only && !is_rma {
        let message = format!("{name} is for one-sided calls only, not for {}", call.mpi.name);
        findings.push(call.finding(Rule::InvalidOp, op_argument.expr, message));
        return;
    }
    for (_, argument) in call.arguments().filter(|(_, argument)| argument.param.role == Role::Datatype) {
        if let Some((datatype, facts)) = predefined(argument.value) {
            if !op.accepts(facts.group) {
                let message = format!("{name} is not defined for {} ({})", datatype.name, group(facts.group));
                // MPI libraries compute with characters all the same.
                let severity = match facts.group {
                    TypeGroup::Character => Severity::Warning,
                    _ => Severity::Error,
                };
                findings.push(call.finding_as(Rule::InvalidOp, severity, op_argument.expr, message));
                return;
            }
        } else if let Some(Atom::Made(Kind::Datatype, made)) = argument.value.single()
            && !is_rma
        {
            let message =
                format!("{name} is not defined for derived datatypes; make an operation with MPI_Op_create");
            let mut finding = call.finding(Rule::InvalidOp, op_argument.expr, message);
            finding.related.push(Related {
                range: range(call.unit, *made),
                message: "the datatype is made here".to_owned(),
            });
            findings.push(finding);
            return;
        }
    }
}

/// What elements of a group are.
pub(super) fn group(group: TypeGroup) -> &'static str {
    match group {
        TypeGroup::CInteger | TypeGroup::FortranInteger => "an integer",
        TypeGroup::FloatingPoint => "a floating-point type",
        TypeGroup::Logical => "a truth value",
        TypeGroup::Complex => "a complex type",
        TypeGroup::Byte => "raw bytes",
        TypeGroup::MultiLanguage => "an address or offset",
        TypeGroup::Pair => "a pair of value and index",
        TypeGroup::Character => "a character",
        TypeGroup::Packed => "packed data",
        TypeGroup::Marker => "a bound marker",
    }
}
