//! What each function and variable of a unit refers to: all that linking needs to know of their contents.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::ir::visit::{Part, walk_expr, walk_inst, walk_terminator};
use crate::ir::{Callee, ExprKind, Function, GlobalId, Initializer, InstKind, PlaceBase, TypeId, Unit};

/// References of one function or variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    /// Functions called by name, MPI's not counted.
    pub(super) calls: BTreeSet<Arc<str>>,
    /// Functions whose address is taken.
    pub(super) addresses: BTreeSet<Arc<str>>,
    /// For each call of a name that got a function's address: that name, and the function.
    pub(super) passed: BTreeSet<(Option<Arc<str>>, Arc<str>)>,
    /// Types of the pointers called through, with the number of arguments.
    pub(super) indirect: BTreeSet<(TypeId, usize)>,
    /// Variables of file scope.
    pub(super) globals: BTreeSet<GlobalId>,
}

/// Summaries of a unit, by function and by variable.
#[derive(Clone, Debug)]
pub(super) struct UnitSummary {
    pub(super) functions: Vec<Summary>,
    pub(super) globals: Vec<Summary>,
    pub(super) has_main: bool,
}

impl UnitSummary {
    pub(super) fn new(unit: &Unit) -> Self {
        Self {
            functions: unit.functions.iter().map(of_function).collect(),
            globals: unit
                .globals
                .iter()
                .map(|global| {
                    let mut summary = Summary::default();
                    if let Some(init) = &global.init {
                        summary.initializer(init);
                    }
                    summary
                })
                .collect(),
            has_main: unit.by_name.contains_key("main"),
        }
    }
}

impl Summary {
    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Expr(e) => {
                if let ExprKind::FunctionAddress(name) = &e.kind {
                    self.addresses.insert(Arc::clone(name));
                }
            }
            Part::Place(place) => {
                if let PlaceBase::Global(id) = place.base {
                    self.globals.insert(id);
                }
            }
        }
    }

    fn initializer(&mut self, init: &Initializer) {
        match init {
            Initializer::Scalar(e) => walk_expr(e, &mut |part| self.part(part)),
            Initializer::Aggregate(items) => items.iter().for_each(|(_, item)| self.initializer(item)),
            Initializer::Unknown => {}
        }
    }
}

fn of_function(function: &Function) -> Summary {
    let mut summary = Summary::default();
    for init in function.locals.iter().filter_map(|l| l.static_init.as_ref()).flatten() {
        summary.initializer(init);
    }
    let Some(cfg) = &function.body else { return summary };
    for block in cfg.graph.node_weights() {
        for inst in &block.insts {
            walk_inst(inst, &mut |part| summary.part(part));
            let InstKind::Call { callee, args, .. } = &inst.kind else { continue };
            let name = match callee {
                Callee::Direct { name, mpi } => {
                    if mpi.is_none() {
                        summary.calls.insert(Arc::clone(name));
                    }
                    mpi.is_none().then(|| Arc::clone(name))
                }
                Callee::Indirect(pointer) => {
                    summary.indirect.insert((pointer.ty, args.len()));
                    continue;
                }
            };
            for arg in args {
                if let ExprKind::FunctionAddress(passed) = &arg.strip_casts().kind {
                    summary.passed.insert((name.clone(), Arc::clone(passed)));
                }
            }
        }
        walk_terminator(&block.terminator, &mut |part| summary.part(part));
    }
    summary
}
