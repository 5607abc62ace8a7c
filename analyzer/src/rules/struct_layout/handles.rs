//! Which call makes the datatype that a variable holds, wherever in the unit that call stands.
//!
//! A handle is often made in one function and used in another: through a global variable, a member of a struct, an output
//! parameter or a result. Such a variable is taken to hold the datatype of the one call that stores one there, if it is the
//! only one in the unit and nothing else is stored.

use frontend::ir::visit::{Part, walk_inst};
use frontend::ir::{
    Callee, Expr, ExprKind, Function, FunctionId, GlobalId, InstKind, LocalId, Place, PlaceBase, Projection,
    RecordId, Span, Terminator, Unit,
};
use frontend::mpi::{Class, ConstantKind, Object, constant};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::values::{Atom, Layout, Value};

/// Something that holds a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Variable {
    Local(FunctionId, LocalId),
    Global(GlobalId),
    /// A member, of whatever object of the type.
    Member(RecordId, u32),
    /// What a parameter points to.
    Output(FunctionId, LocalId),
}

/// The datatype that an expression stands for, as far as the expression tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Handle {
    Predefined(String),
    /// The call makes it.
    Made(Span),
    In(Variable),
    Unknown,
}

impl Handle {
    /// The name of a predefined datatype.
    pub(super) fn predefined(&self) -> Option<&str> {
        match self {
            Self::Predefined(name) => Some(name),
            _ => None,
        }
    }
}

/// What is stored in a variable.
#[derive(Clone, Debug)]
enum Stored {
    Handle(Handle),
    /// By a function of the unit, through its parameter.
    Through(FunctionId, u32),
    /// The result of a function of the unit.
    Result(FunctionId),
}

/// All that is stored in variables that hold datatypes.
#[derive(Debug, Default)]
pub(super) struct Handles {
    stored: FxHashMap<Variable, Vec<Stored>>,
    /// What functions return.
    results: FxHashMap<FunctionId, Vec<Handle>>,
}

impl Handles {
    pub(super) fn new(unit: &Unit) -> Self {
        let layout = Layout::new(&unit.types);
        let mut result = Self::default();
        for (index, function) in (0..).zip(&unit.functions) {
            result.add(unit, &layout, FunctionId(index), function);
        }
        result
    }

    fn add(&mut self, unit: &Unit, layout: &Layout<'_>, id: FunctionId, function: &Function) {
        let Some(cfg) = &function.body else { return };
        let is_handle = |place: &Place| layout.handle(place.ty) == Some(Object::Datatype);
        for block in cfg.graph.node_weights() {
            for inst in &block.insts {
                // Arguments in which a call of MPI stores a handle, or that a function of the unit is given.
                let mut explained: Vec<&Place> = Vec::new();
                match &inst.kind {
                    InstKind::Assign(place, value) if is_handle(place) => {
                        let handle = handle_of(id, function, value);
                        let is_null = matches!(&handle, Handle::Predefined(name) if is_null(name));
                        if !is_null {
                            self.store(id, function, place, Stored::Handle(handle));
                        }
                    }
                    InstKind::Call { callee: Callee::Direct { name, mpi }, args, dest } => {
                        let callee = unit.by_name.get(name).copied();
                        if let Some(place) = dest.as_ref().filter(|place| is_handle(place)) {
                            let stored = callee.map_or(Stored::Handle(Handle::Unknown), Stored::Result);
                            self.store(id, function, place, stored);
                        }
                        for (index, argument) in (0..).zip(args) {
                            let stored =
                                match mpi {
                                    Some(mpi) => match mpi.params.get(index as usize) {
                                        Some(param) if param.direction.writes() => match mpi.class {
                                            Class::TypeConstructor(_) => {
                                                Some(Stored::Handle(Handle::Made(inst.span)))
                                            }
                                            // The handle stays, or becomes null.
                                            Class::TypeCommit | Class::TypeDestructor => None,
                                            _ => Some(Stored::Handle(Handle::Unknown)),
                                        },
                                        _ => None,
                                    },
                                    None => Some(callee.map_or(Stored::Handle(Handle::Unknown), |f| {
                                        Stored::Through(f, index)
                                    })),
                                };
                            let ExprKind::AddressOf(place) = &argument.strip_casts().kind else {
                                let pointer = pointed_to(id, function, argument);
                                let is_handle = layout
                                    .types()
                                    .pointee(argument.strip_casts().ty)
                                    .is_some_and(|ty| layout.handle(ty) == Some(Object::Datatype));
                                if let (Some(variable), Some(stored), true) = (pointer, stored, is_handle) {
                                    self.stored.entry(variable).or_default().push(stored);
                                }
                                continue;
                            };
                            if is_handle(place) {
                                explained.push(place);
                                if let Some(stored) = stored {
                                    self.store(id, function, place, stored);
                                }
                            }
                        }
                    }
                    _ => {}
                }
                let mut others: Vec<&Place> = Vec::new();
                walk_inst(inst, &mut |part| {
                    if let Part::Expr(Expr { kind: ExprKind::AddressOf(place), .. }) = part
                        && is_handle(place)
                        && !explained.iter().any(|known| std::ptr::eq(*known, &raw const **place))
                    {
                        others.push(place);
                    }
                });
                for place in others {
                    self.store(id, function, place, Stored::Handle(Handle::Unknown));
                }
            }
            if let Terminator::Return(Some(value), _) = &block.terminator {
                let handle = handle_of(id, function, value);
                self.results.entry(id).or_default().push(handle);
            }
        }
    }

    fn store(&mut self, id: FunctionId, function: &Function, place: &Place, stored: Stored) {
        if let Some(variable) = variable(id, function, place) {
            self.stored.entry(variable).or_default().push(stored);
        }
    }

    /// The predefined datatype or the call, followed through variables; [`Handle::Unknown`] where it may be several.
    pub(super) fn resolve(&self, handle: &Handle) -> Handle {
        self.follow(handle, &mut FxHashSet::default())
    }

    fn follow(&self, handle: &Handle, seen: &mut FxHashSet<Variable>) -> Handle {
        match handle {
            Handle::In(variable) => self.held_by(*variable, seen),
            other => other.clone(),
        }
    }

    fn held_by(&self, variable: Variable, seen: &mut FxHashSet<Variable>) -> Handle {
        if !seen.insert(variable) {
            return Handle::Unknown;
        }
        let Some(all) = self.stored.get(&variable) else { return Handle::Unknown };
        let handles = all.iter().filter_map(|stored| match stored {
            Stored::Handle(handle) => Some(self.follow(handle, seen)),
            Stored::Through(function, parameter) => {
                let output = Variable::Output(*function, LocalId(*parameter));
                // A function that stores nothing there commits or frees it.
                self.stored.contains_key(&output).then(|| self.held_by(output, seen))
            }
            Stored::Result(function) => {
                let results: Vec<_> = self
                    .results
                    .get(function)
                    .into_iter()
                    .flatten()
                    .map(|handle| self.follow(handle, seen))
                    .collect();
                Some(the_one(results))
            }
        });
        the_one(handles.collect())
    }
}

fn the_one(handles: Vec<Handle>) -> Handle {
    match handles.split_first() {
        Some((first, others)) if others.iter().all(|other| other == first) => first.clone(),
        _ => Handle::Unknown,
    }
}

fn is_null(name: &str) -> bool {
    constant(name).is_some_and(|constant| matches!(constant.kind, ConstantKind::Null(_)))
}

/// The variable that a place is.
fn variable(id: FunctionId, function: &Function, place: &Place) -> Option<Variable> {
    match (place.projections.last(), &place.base) {
        (Some(Projection::Field(record, field)), _) => Some(Variable::Member(*record, *field)),
        (Some(Projection::Index(_)), _) => None,
        (None, PlaceBase::Local(local)) => Some(Variable::Local(id, *local)),
        (None, PlaceBase::Global(global)) => Some(Variable::Global(*global)),
        (None, PlaceBase::Deref(pointer)) => pointed_to(id, function, pointer),
    }
}

/// The variable that a pointer points to.
fn pointed_to(id: FunctionId, function: &Function, pointer: &Expr) -> Option<Variable> {
    match &pointer.strip_casts().kind {
        ExprKind::AddressOf(place) => variable(id, function, place),
        ExprKind::Load(place) => {
            let local = place.as_local().filter(|local| local.0 < function.params)?;
            Some(Variable::Output(id, local))
        }
        _ => None,
    }
}

/// The datatype that an expression is, by what is written.
pub(super) fn handle_of(id: FunctionId, function: &Function, expr: &Expr) -> Handle {
    match &expr.strip_casts().kind {
        ExprKind::Constant { name, .. } => Handle::Predefined(name.to_string()),
        ExprKind::Load(place) => match variable(id, function, place) {
            // What the caller passes.
            Some(Variable::Local(_, local)) if local.0 < function.params => Handle::Unknown,
            Some(variable) => Handle::In(variable),
            None => Handle::Unknown,
        },
        _ => Handle::Unknown,
    }
}

/// The datatype that a value is.
pub(super) fn handle_of_value(value: &Value) -> Handle {
    match value.single() {
        Some(Atom::Constant(name)) => Handle::Predefined(name.to_string()),
        Some(Atom::Made(Object::Datatype, span)) => Handle::Made(*span),
        _ => Handle::Unknown,
    }
}
