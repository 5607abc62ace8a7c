//! The rules. One file per rule or tight family; each file's doc comment describes it.
//!
//! [`check_unit`] runs every rule that judges one call by itself: it analyses each function once ([`values`]) and hands
//! every reached MPI call, with what is known of its arguments, to each rule. [`check_program`] runs the rules that
//! need the whole program.
//!
//! Architecture invariant: no rule names an MPI function. What a call means, what a parameter is for, and which count
//! and datatype describe which buffer comes from [`frontend::mpi`].
//!
//! Architecture invariant: a rule reports an error only for what holds on every path that reaches the call; what is not
//! known is not reported.

mod argument;
mod atomic;
mod buffer;
mod buffer_alias;
mod buffer_overflow;
mod buffer_type;
mod call;
mod catalogue;
mod control;
mod count;
mod entry;
mod handle;
mod lifecycle;
mod op;
mod rank;
mod setting;
mod struct_layout;
mod tag;
mod thread_level;
pub mod values;

use frontend::ir::{Callee, Function, FunctionId, InstKind, Unit};
use frontend::program::Program;

use crate::results::Finding;
use call::Call;
pub(crate) use call::same_expr;
use control::Control;
use values::Values;

pub(crate) use argument::{Given, is_for_leader, objection, rank_rule};
pub use catalogue::{FIX, Group, Rule, SECTIONS, UnknownRule};
pub(crate) use handle::{
    allows_sides, noun as handle_noun, objection_to_free, rule as handle_rule, wants_sides,
};
pub use struct_layout::StructType;

/// Findings of all rules that need no whole program, on every function of a unit, in source order.
#[must_use]
pub fn check_unit(unit: &Unit) -> Vec<Finding> {
    let entry = entry::Entry::new(unit);
    let mut findings = Vec::new();
    let mut types = struct_layout::Collector::new(unit);
    for (index, function) in (0..).zip(&unit.functions) {
        if calls_mpi(function) {
            check_function(unit, FunctionId(index), &entry, &mut findings, &mut types);
        }
    }
    findings.extend(struct_layout::findings(&types));
    sort(&mut findings);
    findings
}

/// The datatypes that a unit builds by hand for C structs, in source order, with what rule `struct-layout` says about them.
#[must_use]
pub fn struct_types(unit: &Unit) -> Vec<StructType> {
    let entry = entry::Entry::new(unit);
    let mut types = struct_layout::Collector::new(unit);
    for (index, function) in (0..).zip(&unit.functions) {
        if calls_mpi(function) {
            check_function(unit, FunctionId(index), &entry, &mut Vec::new(), &mut types);
        }
    }
    let mut found = struct_layout::struct_types(&types);
    found.sort_by(|a, b| a.range.cmp(&b.range));
    found.dedup_by(|a, b| a.range == b.range);
    found
}

/// Findings of the rules that follow a whole program from its `main`, in source order.
#[must_use]
pub fn check_program(program: &Program) -> Vec<Finding> {
    let mut findings = lifecycle::check(program);
    findings.extend(thread_level::check(program));
    sort(&mut findings);
    findings
}

fn check_function(
    unit: &Unit,
    id: FunctionId,
    entry: &entry::Entry<'_>,
    findings: &mut Vec<Finding>,
    types: &mut struct_layout::Collector<'_>,
) {
    let function = unit.function(id);
    let Some(cfg) = &function.body else { return };
    let Some(values) = Values::analyze(unit, function, entry.state(function)) else { return };
    let control = Control::new(cfg);
    values.visit(|block, state, inst| {
        let InstKind::Call { callee: Callee::Direct { name, mpi: Some(mpi) }, args, .. } = &inst.kind else {
            return;
        };
        // A call with another number of arguments does not compile, or is to something else of that name.
        if args.len() != mpi.params.len() && !mpi.is_variadic() {
            return;
        }
        let call = Call {
            unit,
            function,
            mpi,
            args,
            is_wrapper: mpi.is_wrapped_by(name),
            values: args.iter().map(|arg| values.eval.value(state, arg)).collect(),
            state,
            eval: &values.eval,
            block,
        };
        rank::check(&call, findings);
        tag::check(&call, findings);
        count::check(&call, findings);
        setting::check(&call, findings);
        buffer::check(&call, findings);
        handle::check(&call, findings);
        op::check(&call, findings);
        atomic::check(&call, findings);
        buffer_type::check(&call, findings);
        buffer_overflow::check(&call, findings);
        buffer_alias::check(&call, &control, findings);
        types.call(&call, id, inst.span);
    });
}

fn calls_mpi(function: &Function) -> bool {
    function.body.as_ref().is_some_and(|cfg| {
        cfg.graph.node_weights().flat_map(|block| &block.insts).any(|inst| {
            matches!(&inst.kind, InstKind::Call { callee: Callee::Direct { mpi: Some(_), .. }, .. })
        })
    })
}

/// Source order, without repetitions (a header's inline function, a block that the frontend copied).
fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| (&a.range, a.rule, &a.message).cmp(&(&b.range, b.rule, &b.message)));
    findings.dedup();
}
