//! Functions that are given to MPI or to a library, which calls them when it likes.

use std::collections::BTreeSet;

use frontend::ir::visit::{Part, walk_expr};
use frontend::ir::{Callee, Expr, ExprKind, InstKind, LocalId, Place, PlaceBase, Type};
use frontend::library::{Effect, effect};
use frontend::lower::is_library_function;
use frontend::mpi::Class;
use frontend::program::{FunctionRef, Resolution};

use crate::error::Result;
use crate::extract::{Extractor, Frame};

/// The variables of a function that an expression reads; `None` for others.
fn places(expr: &Expr) -> impl Iterator<Item = Option<LocalId>> {
    let mut found = Vec::new();
    walk_expr(expr, &mut |part| {
        if let Part::Place(Place { base, .. }) = part {
            match base {
                PlaceBase::Local(local) => found.push(Some(*local)),
                PlaceBase::Global(_) => found.push(None),
                PlaceBase::Deref(_) => {}
            }
        }
    });
    found.into_iter()
}

impl Extractor<'_> {
    /// Gives up where a call is given a function that may change what is followed, or communicate.
    pub(crate) fn check_callbacks(
        &self,
        frame: &Frame,
        span: frontend::ir::Span,
        args: &[Expr],
    ) -> Result<()> {
        for argument in args {
            let argument = argument.strip_casts();
            let called = match &argument.kind {
                ExprKind::FunctionAddress(name) => match self.program.resolve(frame.unit(), name) {
                    Resolution::Defined(function) => {
                        Some((name.to_string(), self.is_harmless(function, &mut Vec::new())))
                    }
                    Resolution::External => None,
                },
                ExprKind::Int(_) | ExprKind::Constant { .. } => None,
                _ if self.points_to_function(frame, argument) => Some(("a function".to_owned(), false)),
                _ => None,
            };
            if let Some((name, false)) = called {
                return self.give_up(
                    frame,
                    span,
                    format!("`{name}` may be called at any time, and change what is followed"),
                );
            }
        }
        Ok(())
    }

    fn points_to_function(&self, frame: &Frame, expr: &Expr) -> bool {
        let types = &self.program.units[frame.unit()].types;
        matches!(types.get(expr.ty), Type::Pointer(to) if matches!(types.get(*to), Type::Function(_)))
    }

    /// Parameters, and variables that hold nothing but what is computed from them and from each other.
    fn given(&self, function: FunctionRef) -> BTreeSet<LocalId> {
        let of = self.program.function(function);
        let is_static = |local: LocalId| of.local(local).static_init.is_some();
        let count = u32::try_from(of.locals.len()).unwrap_or(0);
        let mut given: BTreeSet<LocalId> =
            (0..count).map(LocalId).filter(|&local| !is_static(local)).collect();
        let insts =
            || of.body.iter().flat_map(|body| body.graph.node_weights()).flat_map(|block| &block.insts);
        loop {
            let before = given.len();
            for inst in insts() {
                let (written, from) = match &inst.kind {
                    InstKind::Assign(place, value) => (place.as_local(), Some(value)),
                    InstKind::Call { dest: Some(place), .. } => (place.as_local(), None),
                    _ => continue,
                };
                let Some(written) = written.filter(|local| given.contains(local)) else { continue };
                let is_computed = |value: &Expr| {
                    !matches!(value.kind, ExprKind::AddressOf(_))
                        && places(value).all(|local| local.is_some_and(|local| given.contains(&local)))
                };
                if !from.is_some_and(is_computed) {
                    given.remove(&written);
                }
            }
            if given.len() == before {
                return given;
            }
        }
    }

    /// Whether a function neither communicates nor writes anything but its own variables and what it is given.
    fn is_harmless(&self, function: FunctionRef, open: &mut Vec<FunctionRef>) -> bool {
        if open.contains(&function) {
            return true;
        }
        let of = self.program.function(function);
        let Some(body) = &of.body else { return false };
        open.push(function);
        let given = self.given(function);
        let is_given =
            |expr: &Expr| places(expr).all(|local| local.is_some_and(|local| given.contains(&local)));
        let is_own = |place: &Place| match &place.base {
            PlaceBase::Local(local) => of.local(*local).static_init.is_none(),
            PlaceBase::Global(_) => false,
            PlaceBase::Deref(pointer) => is_given(pointer),
        };
        body.graph.node_weights().flat_map(|block| &block.insts).all(|inst| match &inst.kind {
            InstKind::Assign(place, _) => is_own(place),
            InstKind::Declare(_) => true,
            InstKind::Opaque { writes, .. } => {
                writes.as_ref().is_some_and(|places| places.iter().all(is_own))
            }
            InstKind::Call { dest, callee, .. } => {
                dest.as_ref().is_none_or(is_own)
                    && match callee {
                        Callee::Direct { mpi: Some(mpi), .. } => {
                            matches!(mpi.class, Class::Query(_) | Class::Abort | Class::Name { .. })
                        }
                        Callee::Direct { name, mpi: None } => match self.program.resolve(function.unit, name)
                        {
                            Resolution::Defined(called) => self.is_harmless(called, open),
                            Resolution::External => match effect(name) {
                                Some(effect) => !matches!(effect, Effect::Marks | Effect::Jumps),
                                None => is_library_function(name),
                            },
                        },
                        Callee::Indirect(_) => false,
                    }
            }
        })
    }
}
