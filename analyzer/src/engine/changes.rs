//! What functions of the program may change besides their own locals.

use frontend::ir::{
    BinaryOp, Callee, Expr, ExprKind, Inst, InstKind, LocalId, Place, PlaceBase, Type, TypeId,
};
use frontend::mpi::{Function, Param};
use frontend::program::{FunctionRef, Resolution, Together};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Engine;
use super::aliasing::Stored;
use super::environment::{self, Model, Resource, Use};
use super::library::{self, Effect};
use super::memory::{ObjectId, ObjectKind};
use super::pointees::Pointees;
use super::windows::lets_others_write;

/// What a call of a function of the program may change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) globals: FxHashSet<ObjectId>,
    /// What it may store to where pointers point to, other than its parameters.
    pub(crate) through_pointers: Stored,
    /// Where these pointers may point to.
    pub(crate) there: Reached,
    /// What it may store to where each of its parameters points to.
    pub(crate) through_parameters: Vec<Stored>,
}

/// Where some pointers may point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    Objects(Pointees),
    Anything,
}

impl Default for Reached {
    fn default() -> Self {
        Self::Objects(Pointees::default())
    }
}

impl Reached {
    /// The objects; `None`: any.
    pub(crate) fn objects(&self) -> Option<&Pointees> {
        match self {
            Self::Objects(objects) => Some(objects),
            Self::Anything => None,
        }
    }

    pub(crate) fn add(&mut self, more: Option<&Pointees>) {
        match (&mut *self, more) {
            (Self::Objects(objects), Some(more)) => {
                objects.extend(more);
            }
            _ => *self = Self::Anything,
        }
    }
}

/// Where a pointer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// It is the address of a local, which ends with the call, or points into it.
    OwnLocal,
    /// It is a parameter of this index, or points as many elements further on.
    Parameter(usize),
    Anywhere,
}

impl Changes {
    /// Something is stored through a pointer, which may point to some objects (`None`: any).
    fn store_through(&mut self, origin: Origin, stored: Stored, there: Option<&Pointees>) {
        if stored == Stored::NOTHING {
            return;
        }
        match origin {
            Origin::OwnLocal => {}
            Origin::Parameter(index) => {
                if self.through_parameters.len() <= index {
                    self.through_parameters.resize(index + 1, Stored::NOTHING);
                }
                self.through_parameters[index] = self.through_parameters[index].union(stored);
            }
            Origin::Anywhere => {
                self.through_pointers = self.through_pointers.union(stored);
                self.there.add(there);
            }
        }
    }

    fn store_anywhere(&mut self) {
        self.through_pointers = Stored::ANYTHING;
        self.there = Reached::Anything;
    }

    /// What it may store to where its parameters point to.
    pub(crate) fn through_any_parameter(&self) -> Stored {
        self.through_parameters.iter().copied().fold(Stored::NOTHING, Stored::union)
    }
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
        for Together { functions, recursive } in self.program.bottom_up() {
            // Functions that call each other: what one of them changes is known when all are.
            loop {
                let mut grown = false;
                for &function in &functions {
                    let mut changes = Changes::default();
                    let Some(cfg) = &self.program.function(function).body else { continue };
                    for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
                        self.note_changes(function, inst, &all, &mut changes);
                    }
                    grown |= all.get(&function) != Some(&changes);
                    all.insert(function, changes);
                }
                if !grown || !recursive {
                    break;
                }
            }
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
                        changes.store_through(
                            Origin::Anywhere,
                            inner.through_pointers,
                            inner.there.objects(),
                        );
                        for (&stored, arg) in inner.through_parameters.iter().zip(args) {
                            let there = self.pointees(function, arg);
                            changes.store_through(self.origin(function, arg), stored, there.as_deref());
                        }
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
            InstKind::Opaque { writes: None, .. } => changes.store_anywhere(),
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
            PlaceBase::Deref(pointer) => {
                let stored = Stored::of_place(&self.program.units[function.unit].types, place);
                let there = self.pointees(function, pointer);
                changes.store_through(self.origin(function, pointer), stored, there.as_deref());
            }
        }
    }

    fn origin(&self, function: FunctionRef, pointer: &Expr) -> Origin {
        let body = self.program.function(function);
        match &pointer.kind {
            ExprKind::Cast(inner) => self.origin(function, inner),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, base, _)
                if matches!(self.program.units[function.unit].types.get(base.ty), Type::Pointer(_)) =>
            {
                self.origin(function, base)
            }
            ExprKind::AddressOf(place) => match &place.base {
                PlaceBase::Local(local) if body.local(*local).static_init.is_none() => Origin::OwnLocal,
                PlaceBase::Deref(base) => self.origin(function, base),
                _ => Origin::Anywhere,
            },
            ExprKind::Load(place) => match place.as_local() {
                Some(local) if local.0 < body.params && self.stays(function, local) => {
                    Origin::Parameter(local.0 as usize)
                }
                _ => Origin::Anywhere,
            },
            _ => Origin::Anywhere,
        }
    }

    /// Whether a parameter points to where it pointed at first all the time, or so many elements further on.
    fn stays(&self, function: FunctionRef, parameter: LocalId) -> bool {
        let body = self.program.function(function);
        let Some(cfg) = &body.body else { return false };
        let is_it = |place: &Place| place.as_local() == Some(parameter);
        let moves = |value: &Expr| match &value.kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, base, _) => {
                matches!(&base.kind, ExprKind::Load(from) if is_it(from))
            }
            _ => false,
        };
        !body.local(parameter).address_taken
            && cfg.graph.node_weights().flat_map(|block| &block.insts).all(|inst| match &inst.kind {
                InstKind::Assign(place, value) => !is_it(place) || moves(value),
                InstKind::Call { dest, .. } => !dest.as_ref().is_some_and(is_it),
                InstKind::Opaque { writes, .. } => !writes.iter().flatten().any(is_it),
                InstKind::Declare(_) => true,
            })
    }

    fn note_library(&mut self, function: FunctionRef, name: &str, args: &[Expr], changes: &mut Changes) {
        if let Some(model) = environment::model(name) {
            changes.globals.extend(self.left_by(&model));
            if matches!(model.resource, Some((_, true))) {
                changes.globals.insert(self.environment());
            }
        }
        if library::leaves_memory_alone(name) {
            return;
        }
        match (environment::model(name), library::effect(name)) {
            (Some(model), _) => {
                let written =
                    |(index, _): &(usize, &Expr)| matches!(model.uses(*index), Use::Write | Use::Update);
                for (_, arg) in args.iter().enumerate().filter(written) {
                    let stored =
                        Stored::behind(&self.program.units[function.unit].types, arg, model.copies_bytes);
                    // A null pointer: it goes on where the call before has stopped.
                    let goes_on = matches!(arg.strip_casts().kind, ExprKind::Int(_));
                    let there = if goes_on { None } else { self.pointees(function, arg) };
                    changes.store_through(self.origin(function, arg), stored, there.as_deref());
                }
            }
            // What they return is nothing that there was before.
            (_, Some(Effect::Allocates { .. } | Effect::Reallocates | Effect::Copies)) => {}
            _ => self.note_arguments(function, args, changes),
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
            changes.store_anywhere();
        }
    }

    /// A function of MPI stores something where its output arguments point to.
    fn note_mpi(&self, function: FunctionRef, mpi: &Function, args: &[Expr], changes: &mut Changes) {
        if lets_others_write(mpi)
            && let Some(windows) = self.ground.window_memory()
        {
            changes.store_through(Origin::Anywhere, Stored::ANYTHING, windows.objects());
        }
        for (param, arg) in mpi.params.iter().zip(args) {
            if param.direction.writes() && param.is_pointer() && self.own_local(function, arg).is_none() {
                let there = self.pointees(function, arg);
                changes.store_through(Origin::Anywhere, stored_in(param), there.as_deref());
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
