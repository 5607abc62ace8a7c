//! Functions that return the same constant whichever path they take: `return 0;` everywhere, also through a variable that
//! holds nothing but results of such functions. A caller's `if (error) return error;` is never taken then.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::visit::{Part, walk_inst, walk_terminator};
use frontend::ir::{Callee, Cfg, Expr, ExprKind, Function, InstKind, LocalId, Place, PlaceBase, Terminator};
use frontend::program::{FunctionRef, Program, Resolution};

/// What a variable or a result may be, whatever path led to it; more is known from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Constant {
    /// Nothing has been seen yet.
    #[default]
    Unseen,
    /// This number only.
    Is(i128),
    /// More than one value, or one that is not followed.
    Varies,
}

impl Constant {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unseen, known) | (known, Self::Unseen) => known,
            (Self::Is(a), Self::Is(b)) if a == b => self,
            _ => Self::Varies,
        }
    }
}

/// The functions of a program that `main` reaches and that always return one and the same constant.
#[derive(Debug, Default)]
pub(super) struct ConstantResults(BTreeMap<FunctionRef, Constant>);

impl ConstantResults {
    /// A fixed point from below: a result is a constant until a `return` says otherwise, so that functions that call each other
    /// are found too. Every round raises some result, and each can be raised twice.
    pub(super) fn new(program: &Program) -> Self {
        let functions: Vec<(FunctionRef, &Cfg, BTreeSet<LocalId>)> = program
            .reachable()
            .into_iter()
            .filter_map(|function| {
                let body = program.function(function);
                let cfg = body.body.as_ref()?;
                Some((function, cfg, varying(body, cfg)))
            })
            .collect();
        let mut results = Self::default();
        loop {
            let mut changed = false;
            for (function, cfg, varying) in &functions {
                let result = results.of_body(program, *function, cfg, varying);
                let known = results.0.entry(*function).or_default();
                changed |= *known != result;
                *known = result;
            }
            if !changed {
                return results;
            }
        }
    }

    /// The constant that a function returns.
    pub(super) fn get(&self, function: FunctionRef) -> Option<i128> {
        match self.0.get(&function) {
            Some(Constant::Is(n)) => Some(*n),
            _ => None,
        }
    }

    fn of_body(
        &self,
        program: &Program,
        function: FunctionRef,
        cfg: &Cfg,
        varying: &BTreeSet<LocalId>,
    ) -> Constant {
        let returns = || {
            cfg.graph.node_weights().filter_map(|block| match &block.terminator {
                Terminator::Return(value, _) => Some(value.as_ref()),
                _ => None,
            })
        };
        // Variables matter only where one of them is returned.
        let mut locals: BTreeMap<LocalId, Constant> =
            returns().flatten().filter_map(local_of).map(|local| (local, Constant::Unseen)).collect();
        for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
            let (place, value) = match &inst.kind {
                InstKind::Assign(place, value) => (place, literal(value)),
                InstKind::Call { dest: Some(place), callee, .. } => {
                    (place, self.of_call(program, function, callee))
                }
                _ => continue,
            };
            if let Some(known) = place.as_local().and_then(|local| locals.get_mut(&local)) {
                *known = known.join(value);
            }
        }
        returns()
            .map(|value| match value {
                Some(value) => match local_of(value) {
                    Some(local) if varying.contains(&local) => Constant::Varies,
                    Some(local) => locals.get(&local).copied().unwrap_or(Constant::Varies),
                    None => literal(value),
                },
                None => Constant::Varies,
            })
            .fold(Constant::Unseen, Constant::join)
    }

    fn of_call(&self, program: &Program, function: FunctionRef, callee: &Callee) -> Constant {
        match callee {
            Callee::Direct { name, mpi: None } => match program.resolve(function.unit, name) {
                Resolution::Defined(target) if program.function(target).body.is_some() => {
                    self.0.get(&target).copied().unwrap_or_default()
                }
                _ => Constant::Varies,
            },
            _ => Constant::Varies,
        }
    }
}

/// Variables that something else than an assignment of the whole may change: parameters, static ones, those whose address is taken,
/// and what assembly or a construct without a model writes.
fn varying(function: &Function, cfg: &Cfg) -> BTreeSet<LocalId> {
    let mut varying: BTreeSet<LocalId> = (0_u32..)
        .zip(&function.locals)
        .filter(|(index, local)| *index < function.params || local.static_init.is_some())
        .map(|(index, _)| LocalId(index))
        .collect();
    let mut note = |part: Part<'_>| {
        if let Part::Expr(Expr { kind: ExprKind::AddressOf(place), .. }) = part {
            varying.extend(base(place));
        }
    };
    for block in cfg.graph.node_weights() {
        for inst in &block.insts {
            walk_inst(inst, &mut note);
        }
        walk_terminator(&block.terminator, &mut note);
    }
    for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
        match &inst.kind {
            InstKind::Opaque { writes: Some(places), .. } => varying.extend(places.iter().filter_map(base)),
            InstKind::Opaque { writes: None, .. } => {
                varying.extend((0_u32..).zip(&function.locals).map(|(index, _)| LocalId(index)));
            }
            _ => {}
        }
    }
    varying
}

fn base(place: &Place) -> Option<LocalId> {
    match place.base {
        PlaceBase::Local(local) => Some(local),
        _ => None,
    }
}

/// The variable whose value an expression is.
fn local_of(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        ExprKind::Load(place) => place.as_local(),
        _ => None,
    }
}

fn literal(expr: &Expr) -> Constant {
    match expr.kind {
        ExprKind::Int(n) => Constant::Is(n),
        _ => Constant::Varies,
    }
}
