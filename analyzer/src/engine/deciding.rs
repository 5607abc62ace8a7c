//! Which variables decide what processes do, and which only hold data: for data no cases are told apart.

use frontend::ir::{
    BlockId, Callee, Cfg, Expr, ExprKind, GlobalId, Inst, InstKind, LocalId, Place, PlaceBase, Terminator,
    Type,
};
use frontend::mpi::Role;
use frontend::program::{FunctionRef, Program, Resolution};
use rustc_hash::FxHashSet;

use super::functions::{address_of, orders, postdominators, visit, visit_place};
use super::library::{self, Effect};

/// Variables whose values matter to what processes do next.
#[derive(Debug, Default)]
pub(crate) struct Deciding {
    locals: FxHashSet<(FunctionRef, LocalId)>,
    globals: FxHashSet<(usize, GlobalId)>,
    /// Functions whose result matters.
    results: FxHashSet<FunctionRef>,
    /// Whether something that matters is received.
    pub(crate) sent: bool,
}

/// The variables that occur in a condition on which something that matters depends, in a call or in a result that matters, and those from which they are
/// computed: other variables only hold what is computed. Which part of a message buffer is passed does not matter; what is sent,
/// where something that matters is received.
pub(crate) fn deciding(program: &Program, functions: &[FunctionRef]) -> Deciding {
    let mut branches: Vec<Vec<Conditional<'_>>> = functions
        .iter()
        .map(|&f| program.function(f).body.as_ref().map_or_else(Vec::new, conditionals))
        .collect();
    // Who calls through a pointer, and what for, is not followed.
    let results = functions.iter().flat_map(|&function| program.indirect_targets(function)).collect();
    let mut found = Deciding { results, ..Deciding::default() };
    let size =
        |found: &Deciding| (found.locals.len() + found.globals.len() + found.results.len(), found.sent);
    loop {
        let before = size(&found);
        for (&function, branches) in functions.iter().zip(&mut branches) {
            let Some(cfg) = &program.function(function).body else { continue };
            // Those that do not matter as far as is known.
            branches.retain(|branch| {
                let matters = branch.blocks.as_ref().is_none_or(|blocks| {
                    let mut insts = blocks.iter().flat_map(|&block| &cfg.graph[block].insts);
                    insts.any(|inst| found.is_affected(program, function, inst))
                });
                if matters {
                    found.note(function, branch.condition);
                }
                !matters
            });
            for block in cfg.graph.node_weights() {
                if let Terminator::Return(Some(value), _) = &block.terminator
                    && found.results.contains(&function)
                {
                    found.note(function, value);
                }
                for inst in &block.insts {
                    found.follow(program, function, inst);
                }
            }
        }
        if size(&found) == before {
            return found;
        }
    }
}

impl Deciding {
    /// Whether what is stored in a place matters. Behind a pointer there may be anything but a floating-point number for an integer.
    pub(crate) fn contains(&self, program: &Program, function: FunctionRef, place: &Place) -> bool {
        match &place.base {
            PlaceBase::Local(local) => self.holds_local(function, *local),
            PlaceBase::Global(global) => self.holds_global(function.unit, *global),
            PlaceBase::Deref(_) => {
                let types = &program.units[function.unit].types;
                !matches!(types.get(place.ty), Type::Float(_) | Type::Complex(_))
            }
        }
    }

    pub(crate) fn holds_local(&self, function: FunctionRef, local: LocalId) -> bool {
        self.locals.contains(&(function, local))
    }

    pub(crate) fn holds_global(&self, unit: usize, global: GlobalId) -> bool {
        self.globals.contains(&(unit, global))
    }

    /// Whether it matters that an instruction is executed or not.
    fn is_affected(&self, program: &Program, function: FunctionRef, inst: &Inst) -> bool {
        match &inst.kind {
            InstKind::Assign(place, _) => self.contains(program, function, place),
            InstKind::Declare(_) => false,
            InstKind::Opaque { writes, .. } => writes
                .as_ref()
                .is_none_or(|places| places.iter().any(|place| self.contains(program, function, place))),
            InstKind::Call { callee: Callee::Direct { mpi: Some(_), .. } | Callee::Indirect(_), .. } => true,
            InstKind::Call { dest, callee: Callee::Direct { name, mpi: None }, args } => {
                match program.resolve(function.unit, name) {
                    Resolution::Defined(_) => true,
                    _ => {
                        library::effect(name) == Some(Effect::Exits)
                            || self.is_written(program, function, dest.as_ref(), name, args)
                    }
                }
            }
        }
    }

    /// Whether a library function stores something that matters in its destination, or where an argument points to.
    fn is_written(
        &self,
        program: &Program,
        function: FunctionRef,
        dest: Option<&Place>,
        name: &str,
        args: &[Expr],
    ) -> bool {
        let matters = |place: &Place| self.contains(program, function, place);
        if dest.is_some_and(matters) {
            return true;
        }
        let types = &program.units[function.unit].types;
        !library::leaves_memory_alone(name)
            && args.iter().any(|arg| match address_of(arg) {
                Some(place) => matters(place),
                // Behind a pointer there may be anything.
                None => {
                    matches!(types.get(arg.ty), Type::Pointer(_))
                        && !matches!(arg.strip_casts().kind, ExprKind::Str(_))
                }
            })
    }

    fn follow(&mut self, program: &Program, function: FunctionRef, inst: &Inst) {
        match &inst.kind {
            // A library function that is given nothing that matters to write to only computes.
            InstKind::Call { dest, callee: Callee::Direct { name, mpi: None }, args }
                if !matches!(program.resolve(function.unit, name), Resolution::Defined(_))
                    && !self.is_written(program, function, dest.as_ref(), name, args) => {}
            InstKind::Call { dest, callee, args } => {
                if let (Some(place), Callee::Direct { name, mpi: None }) = (dest, callee)
                    && self.contains(program, function, place)
                    && let Resolution::Defined(target) = program.resolve(function.unit, name)
                {
                    self.results.insert(target);
                }
                let params = match callee {
                    Callee::Direct { mpi: Some(mpi), .. } => mpi.params.as_slice(),
                    Callee::Direct { mpi: None, .. } => &[],
                    Callee::Indirect(pointer) => {
                        self.note(function, pointer);
                        &[]
                    }
                };
                for (index, arg) in args.iter().enumerate() {
                    let role = params.get(index).map(|p| p.role);
                    match role {
                        Some(Role::RecvBuffer | Role::InOutBuffer) => {
                            self.sent |= match address_of(arg) {
                                Some(place) => self.contains(program, function, place),
                                // Behind a pointer there may be anything.
                                None => true,
                            };
                        }
                        Some(Role::SendBuffer) => {}
                        _ => self.note(function, arg),
                    }
                    if self.sent
                        && let Some(Role::SendBuffer | Role::InOutBuffer) = role
                        && let Some(place) = address_of(arg)
                    {
                        self.add(function, &place.base);
                    }
                }
            }
            InstKind::Assign(place, value) if self.contains(program, function, place) => {
                self.note(function, value);
                visit_place(place, &mut |part| self.add(function, &part.base));
            }
            _ => {}
        }
    }

    fn note(&mut self, function: FunctionRef, expr: &Expr) {
        visit(expr, &mut |place| self.add(function, &place.base));
    }

    fn add(&mut self, function: FunctionRef, base: &PlaceBase) {
        match base {
            PlaceBase::Local(local) => {
                self.locals.insert((function, *local));
            }
            PlaceBase::Global(global) => {
                self.globals.insert((function.unit, *global));
            }
            PlaceBase::Deref(_) => {}
        }
    }
}

/// A branch or switch.
struct Conditional<'p> {
    condition: &'p Expr,
    /// The blocks between it and where its arms meet; `None`: they meet at the return only.
    blocks: Option<Vec<BlockId>>,
}

fn conditionals(cfg: &Cfg) -> Vec<Conditional<'_>> {
    let (order, _) = orders(cfg);
    let meets = postdominators(cfg, &order, &vec![false; cfg.graph.node_count()]);
    let mut found = Vec::new();
    for block in cfg.graph.node_indices() {
        let (Terminator::Branch { condition, .. } | Terminator::Switch { value: condition, .. }) =
            &cfg.graph[block].terminator
        else {
            continue;
        };
        let blocks = meets[block.index()].map(|meet| {
            let mut between: Vec<BlockId> = Vec::new();
            let mut seen = vec![false; cfg.graph.node_count()];
            seen[meet.index()] = true;
            let mut work: Vec<BlockId> = cfg.graph.neighbors(block).collect();
            while let Some(next) = work.pop() {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    between.push(next);
                    work.extend(cfg.graph.neighbors(next));
                }
            }
            between
        });
        found.push(Conditional { condition, blocks });
    }
    found
}
