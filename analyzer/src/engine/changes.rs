//! What functions of the program may change besides their own locals.

use frontend::ir::{Callee, Expr, ExprKind, Inst, InstKind, Place, PlaceBase, Type, TypeId};
use frontend::mpi::{Function, Param};
use frontend::program::{FunctionRef, Resolution};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Engine;
use super::aliasing::Stored;
use super::environment::{self, Model, Resource};
use super::library;
use super::memory::{ObjectId, ObjectKind};

/// What a call of a function of the program may change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    pub(crate) globals: FxHashSet<ObjectId>,
    /// What it may store to where pointers point to.
    pub(crate) through_pointers: Stored,
}

impl Engine<'_> {
    /// What a function may change, with all that it calls.
    pub(crate) fn changes_of(&mut self, target: FunctionRef) -> Changes {
        if self.changes.is_empty() {
            self.changes = self.all_changes();
        }
        self.changes.get(&target).cloned().unwrap_or_default()
    }

    fn all_changes(&mut self) -> FxHashMap<FunctionRef, Changes> {
        let mut all: FxHashMap<FunctionRef, Changes> = FxHashMap::default();
        // Functions that call each other change the same.
        for component in self.program.bottom_up() {
            let mut changes = Changes::default();
            for &function in &component {
                let Some(cfg) = &self.program.function(function).body else { continue };
                for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
                    self.note_changes(function, inst, &all, &mut changes);
                }
            }
            all.extend(component.into_iter().map(|function| (function, changes.clone())));
        }
        all
    }

    /// Adds what an instruction of a function may change.
    fn note_changes(
        &mut self,
        function: FunctionRef,
        inst: &Inst,
        all: &FxHashMap<FunctionRef, Changes>,
        changes: &mut Changes,
    ) {
        match &inst.kind {
            InstKind::Assign(place, _) => self.note_store(function, place, changes),
            InstKind::Call { dest, callee, args } => {
                if let Some(dest) = dest {
                    self.note_store(function, dest, changes);
                }
                let inner = |target: &FunctionRef, changes: &mut Changes| {
                    if let Some(inner) = all.get(target) {
                        changes.globals.extend(&inner.globals);
                        changes.through_pointers = changes.through_pointers.union(inner.through_pointers);
                    }
                };
                match callee {
                    Callee::Direct { mpi: Some(mpi), .. } => {
                        self.note_mpi(function, mpi, args, changes);
                    }
                    Callee::Direct { name, mpi: None } => match self.program.resolve(function.unit, name) {
                        Resolution::Defined(target) => inner(&target, changes),
                        Resolution::External => self.note_library(function, name, args, changes),
                    },
                    Callee::Indirect(pointer) => {
                        self.program
                            .call_targets(function, pointer, args.len())
                            .iter()
                            .for_each(|target| inner(target, changes));
                        // It may be a function of a library.
                        self.note_arguments(function, args, changes);
                    }
                }
            }
            InstKind::Opaque { writes: None, .. } => changes.through_pointers = Stored::ANYTHING,
            InstKind::Opaque { writes: Some(places), .. } => {
                places.iter().for_each(|place| self.note_store(function, place, changes));
            }
            InstKind::Declare(_) => {}
        }
    }

    fn note_store(&mut self, function: FunctionRef, place: &Place, changes: &mut Changes) {
        match &place.base {
            PlaceBase::Local(local) => {
                if self.program.function(function).local(*local).static_init.is_some() {
                    changes.globals.insert(self.objects.object(ObjectKind::Static(function, *local)));
                }
            }
            PlaceBase::Global(global) => {
                changes.globals.insert(self.global_object(function.unit, *global));
            }
            PlaceBase::Deref(_) => {
                let stored = Stored::of_place(&self.program.units[function.unit].types, place);
                changes.through_pointers = changes.through_pointers.union(stored);
            }
        }
    }

    fn note_library(&mut self, function: FunctionRef, name: &str, args: &[Expr], changes: &mut Changes) {
        if let Some(model) = environment::model(name) {
            changes.globals.extend(self.left_by(&model));
            if matches!(model.resource, Some((_, true))) {
                changes.globals.insert(self.environment());
            }
        }
        if !library::leaves_memory_alone(name) {
            self.note_arguments(function, args, changes);
        }
    }

    /// A function of which nothing is known stores something where its arguments point to, or where one can get from there.
    fn note_arguments(&self, function: FunctionRef, args: &[Expr], changes: &mut Changes) {
        let types = &self.program.units[function.unit].types;
        let stays = |arg: &Expr| match &arg.strip_casts().kind {
            ExprKind::Str(_) => true,
            _ => self.own_local(function, arg).is_some_and(|ty| !Stored::of(types, ty).may_lead_on()),
        };
        let leads_out = |arg: &Expr| matches!(types.get(arg.ty), Type::Pointer(_)) && !stays(arg);
        if args.iter().any(leads_out) {
            changes.through_pointers = Stored::ANYTHING;
        }
    }

    /// A function of MPI stores something where its output arguments point to.
    fn note_mpi(&self, function: FunctionRef, mpi: &Function, args: &[Expr], changes: &mut Changes) {
        for (param, arg) in mpi.params.iter().zip(args) {
            if param.direction.writes() && param.is_pointer() && self.own_local(function, arg).is_none() {
                changes.through_pointers = changes.through_pointers.union(stored_in(param));
            }
        }
    }

    /// The type of the local whose address, or that of a part of which, an argument is; it ends with the call.
    fn own_local(&self, function: FunctionRef, arg: &Expr) -> Option<TypeId> {
        let ExprKind::AddressOf(place) = &arg.strip_casts().kind else { return None };
        let PlaceBase::Local(local) = &place.base else { return None };
        let local = self.program.function(function).local(*local);
        local.static_init.is_none().then_some(local.ty)
    }

    /// Variables of the library that a call changes besides the memory that it is given.
    pub(crate) fn left_by(&mut self, model: &Model) -> Vec<ObjectId> {
        let names: &[&'static str] = match model.resource {
            Some((Resource::Options, _)) => &["optarg", "optind", "optopt"],
            Some((Resource::Tokens, _)) => &["strtok"],
            _ => &[],
        };
        names.iter().map(|name| self.objects.object(ObjectKind::Library(name))).collect()
    }
}

/// What is stored where an output argument points to.
pub(crate) fn stored_in(param: &Param) -> Stored {
    match param.ctype.trim_end_matches('*').trim_end() {
        "int" => Stored::INTS,
        "MPI_Aint" | "MPI_Count" | "MPI_Offset" => Stored::LONGS,
        "void" | "MPI_Status" => Stored::ANYTHING,
        handle if handle.starts_with("MPI_") => Stored::HANDLES,
        _ => Stored::ANYTHING,
    }
}
