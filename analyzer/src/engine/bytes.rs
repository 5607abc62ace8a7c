//! Whether a program looks at its objects as bytes: the language lets any object be changed through a pointer to characters
//! (C11 6.5 paragraph 7). Most programs keep nothing but strings behind such pointers.

use frontend::ir::{
    Callee, Cfg, Expr, ExprKind, Inst, InstKind, IntKind, LocalId, Place, PlaceBase, Projection, RecordKind,
    Terminator, Type, TypeId, TypeTable,
};
use frontend::program::{FunctionRef, Program, Resolution};

use super::library;

/// How many allocating functions that call each other are looked through.
const WRAPPERS: u32 = 4;

/// Whether a pointer to something else than characters may become a pointer to characters that something is stored through. What
/// functions of libraries do with arguments is theirs.
pub(crate) fn looks_at_bytes(program: &Program, functions: &[FunctionRef]) -> bool {
    functions.iter().any(|&function| {
        let Some(cfg) = &program.function(function).body else { return false };
        let body = Body { program, function, types: &program.units[function.unit].types, cfg };
        let result = match program.units[function.unit].types.get(program.function(function).ty) {
            Type::Function(ty) => ty.result,
            _ => return false,
        };
        cfg.graph.node_weights().any(|block| {
            let returned = match &block.terminator {
                Terminator::Return(Some(value), _) => body.is_view(value, result),
                _ => false,
            };
            returned || block.insts.iter().any(|inst| body.makes_view(inst))
        })
    })
}

struct Body<'a> {
    program: &'a Program,
    function: FunctionRef,
    types: &'a TypeTable,
    cfg: &'a Cfg,
}

impl Body<'_> {
    fn makes_view(&self, inst: &Inst) -> bool {
        match &inst.kind {
            InstKind::Assign(place, value) => self.is_stored_to(place) || self.is_view(value, place.ty),
            InstKind::Call { dest, callee, args } => {
                let stored = dest.as_ref().is_some_and(|dest| self.is_stored_to(dest));
                let passed = match callee {
                    Callee::Direct { mpi: Some(_), .. } => false,
                    Callee::Direct { name, mpi: None } => {
                        match self.program.resolve(self.function.unit, name) {
                            Resolution::Defined(target) => self.is_passed(target, args),
                            Resolution::External => false,
                        }
                    }
                    Callee::Indirect(pointer) => {
                        let targets = self.program.call_targets(self.function, pointer, args.len());
                        targets.iter().any(|&target| self.is_passed(target, args))
                    }
                };
                stored || passed
            }
            InstKind::Opaque { writes, .. } => writes.iter().flatten().any(|place| self.is_stored_to(place)),
            InstKind::Declare(_) => false,
        }
    }

    /// Whether something is stored through a pointer made for that.
    fn is_stored_to(&self, place: &Place) -> bool {
        matches!(&place.base, PlaceBase::Deref(pointer) if self.is_view(pointer, pointer.ty))
    }

    /// Whether an argument becomes a pointer to characters in the function that is called.
    fn is_passed(&self, target: FunctionRef, args: &[Expr]) -> bool {
        let callee = self.program.function(target);
        let types = &self.program.units[target.unit].types;
        let params = callee.locals.iter().take(callee.params as usize);
        args.iter()
            .zip(params)
            .any(|(arg, param)| points_to_characters(types, param.ty) && self.is_converted(arg))
    }

    /// Whether a value that becomes one of a type is a pointer to something else made one to characters.
    fn is_view(&self, value: &Expr, ty: TypeId) -> bool {
        points_to_characters(self.types, ty) && self.is_converted(value)
    }

    /// Whether a value that is wanted as a pointer to characters is made from a pointer to something else.
    fn is_converted(&self, value: &Expr) -> bool {
        let is_characters = points_to_characters(self.types, value.ty);
        match &value.kind {
            ExprKind::Cast(inner) if is_characters => self.is_converted(inner),
            ExprKind::Binary(_, pointer, _) if is_characters => self.is_converted(pointer),
            ExprKind::Conditional(_, then, otherwise) => {
                self.is_converted(then) || self.is_converted(otherwise)
            }
            ExprKind::AddressOf(place) if is_characters => self.is_within_other(place),
            ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::Constant { .. } | ExprKind::Unknown(_) => false,
            _ if is_characters => false,
            _ => {
                let to_void =
                    self.types.pointee(value.ty).is_some_and(|to| *self.types.get(to) == Type::Void);
                !(to_void && self.is_new(value, WRAPPERS))
            }
        }
    }

    /// Whether characters are elements of something that is looked at as characters, or share their bytes with other members of a union.
    fn is_within_other(&self, place: &Place) -> bool {
        let is_union = |projection: &Projection| match projection {
            Projection::Field(record, _) => self.types.record(*record).kind == RecordKind::Union,
            Projection::Index(_) => false,
        };
        let is_field = |projection: &Projection| matches!(projection, Projection::Field(..));
        match &place.base {
            _ if place.projections.iter().any(is_union) => true,
            PlaceBase::Deref(pointer) if !place.projections.iter().any(is_field) => {
                self.is_view(pointer, pointer.ty)
            }
            _ => false,
        }
    }

    /// Whether a pointer is known to be to memory that has just been allocated: nothing else is stored there.
    fn is_new(&self, value: &Expr, wrappers: u32) -> bool {
        match &value.kind {
            ExprKind::Int(0) => true,
            ExprKind::Cast(inner) => self.is_new(inner, wrappers),
            ExprKind::Load(place) => place.as_local().is_some_and(|local| self.holds_new(local, wrappers)),
            _ => false,
        }
    }

    /// Whether a local never holds anything but null and results of allocations.
    fn holds_new(&self, local: LocalId, wrappers: u32) -> bool {
        let function = self.program.function(self.function);
        let declared = function.local(local);
        if local.0 < function.params || declared.static_init.is_some() || declared.address_taken {
            return false;
        }
        let allocates = |callee: &Callee| match callee {
            Callee::Direct { name, mpi: None } => match self.program.resolve(self.function.unit, name) {
                Resolution::Defined(target) => {
                    wrappers > 0 && returns_new_through(self.program, target, wrappers - 1)
                }
                Resolution::External => library::allocates(name),
            },
            _ => false,
        };
        self.cfg.graph.node_weights().flat_map(|block| &block.insts).all(|inst| match &inst.kind {
            InstKind::Assign(place, value) => place.as_local() != Some(local) || self.is_new(value, wrappers),
            InstKind::Call { dest, callee, .. } => {
                dest.as_ref().and_then(Place::as_local) != Some(local) || allocates(callee)
            }
            InstKind::Opaque { writes, .. } => {
                writes.iter().flatten().all(|place| place.as_local() != Some(local))
            }
            InstKind::Declare(_) => true,
        })
    }
}

/// Whether all that a function returns is memory that it has just allocated, or null, and there may be some.
pub(crate) fn returns_new(program: &Program, function: FunctionRef) -> bool {
    let is_pointer = |ty| program.units[function.unit].types.pointee(ty).is_some();
    let returns = match program.units[function.unit].types.get(program.function(function).ty) {
        Type::Function(ty) => is_pointer(ty.result),
        _ => false,
    };
    returns && returns_new_through(program, function, WRAPPERS)
}

/// The same where so many functions that call each other are looked through.
fn returns_new_through(program: &Program, function: FunctionRef, wrappers: u32) -> bool {
    let Some(cfg) = &program.function(function).body else { return false };
    let body = Body { program, function, types: &program.units[function.unit].types, cfg };
    cfg.graph.node_weights().all(|block| match &block.terminator {
        Terminator::Return(Some(value), _) => body.is_new(value, wrappers),
        _ => true,
    })
}

fn points_to_characters(types: &TypeTable, ty: TypeId) -> bool {
    let mut to = types.pointee(ty);
    while let Some(Type::Array(element, _)) = to.map(|to| types.get(to)) {
        to = Some(*element);
    }
    to.is_some_and(|to| matches!(types.get(to), Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)))
}
