//! Which labels the data has that an expression or a call reads.

use std::collections::BTreeSet;

use frontend::ir::visit::{Part, walk_expr};
use frontend::ir::{Expr, ExprKind, LocalId, Place, PlaceBase, Projection, Type};
use frontend::mpi::Role;
use rustc_hash::FxHashSet;

use super::labels::Labels;
use super::tags::{Bytes, Tags};
use super::{Cargo, Flow, Known};
use crate::engine::clients::At;
use crate::engine::eval::{Location, Scope};
use crate::engine::memory::{ObjectId, ObjectKind};
use crate::engine::mpi::{Call, type_size};
use crate::engine::value::Value;

impl Flow {
    /// The labels of some bytes of an object; of all without a range.
    pub(super) fn of_object(
        &mut self,
        scope: &Scope<'_, '_>,
        known: &Known,
        object: ObjectId,
        bytes: Option<Bytes>,
    ) -> Labels {
        match known.objects.get(&object) {
            Some(tags) => tags.read(bytes, scope.facts),
            None => self.initial(scope, object),
        }
    }

    /// The tags of an object, to be written to.
    pub(super) fn tags_of(&mut self, scope: &Scope<'_, '_>, known: &Known, object: ObjectId) -> Tags {
        match known.objects.get(&object) {
            Some(tags) => tags.clone(),
            None => Tags::all(self.initial(scope, object)),
        }
    }

    /// The labels of a variable that has an initialiser and has never been written.
    fn initial(&mut self, scope: &Scope<'_, '_>, object: ObjectId) -> Labels {
        let engine = &*scope.engine;
        let Some(name) = self.is_source_variable(engine, object) else { return Labels::default() };
        let (function, span) = match engine.objects.kind(object) {
            ObjectKind::Static(function, local) => {
                let local = engine.program.function(*function).local(*local);
                if !matches!(local.static_init, Some(Some(_))) {
                    return Labels::default();
                }
                (*function, local.span)
            }
            ObjectKind::Global(unit, global) => {
                let global = engine.program.units[*unit].global(*global);
                if global.init.is_none() {
                    return Labels::default();
                }
                (frontend::program::FunctionRef { unit: *unit, ..engine.program.entry }, global.span)
            }
            _ => return Labels::default(),
        };
        Labels::fresh(self.source(&name, function, span))
    }

    /// The labels of an expression: of the data that it is computed from, the addresses at which that is found included.
    pub(super) fn of_expr(&mut self, scope: &mut Scope<'_, '_>, known: &Known, expr: &Expr) -> Labels {
        let mut labels = Labels::default();
        match &expr.kind {
            ExprKind::Load(place) => labels = self.of_place(scope, known, place),
            ExprKind::AddressOf(place) => labels = self.of_address(scope, known, place),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => labels = self.of_expr(scope, known, a),
            ExprKind::Binary(_, a, b) => {
                labels = self.of_expr(scope, known, a);
                labels.add(&self.of_expr(scope, known, b), scope.facts);
            }
            ExprKind::Conditional(a, b, c) => {
                for part in [a, b, c] {
                    labels.add(&self.of_expr(scope, known, part), scope.facts);
                }
            }
            ExprKind::SizeofVla(lengths) => {
                for length in lengths {
                    labels.add(&self.of_expr(scope, known, length), scope.facts);
                }
            }
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::Constant { .. }
            | ExprKind::FunctionAddress(_)
            | ExprKind::Sizeof(_)
            | ExprKind::Unknown(_) => {}
        }
        labels
    }

    fn of_place(&mut self, scope: &mut Scope<'_, '_>, known: &Known, place: &Place) -> Labels {
        let mut labels = self.of_address(scope, known, place);
        let content = match scope.locate(place) {
            Ok(Some(location)) => {
                let bytes = bytes_at(scope, &location, scope.size_of(place.ty));
                self.of_object(scope, known, location.object, bytes)
            }
            // A place that the engine did not need to know, or does not: any that may have been meant.
            _ => self.of_exposed(scope, known),
        };
        labels.add(&content, scope.facts);
        labels
    }

    /// The labels of what says where a place is.
    fn of_address(&mut self, scope: &mut Scope<'_, '_>, known: &Known, place: &Place) -> Labels {
        let mut labels = match &place.base {
            PlaceBase::Deref(pointer) => self.of_expr(scope, known, pointer),
            PlaceBase::Local(_) | PlaceBase::Global(_) => Labels::default(),
        };
        for projection in &place.projections {
            if let Projection::Index(index) = projection {
                labels.add(&self.of_expr(scope, known, index), scope.facts);
            }
        }
        labels
    }

    /// The labels of everything that a pointer of unknown target may point to.
    fn of_exposed(&mut self, scope: &Scope<'_, '_>, known: &Known) -> Labels {
        let mut labels = Labels::default();
        for object in known.objects.keys().filter(|&&object| scope.engine.is_exposed(object)) {
            labels.add(&self.of_object(scope, known, *object, None), scope.facts);
        }
        labels
    }

    /// The labels of all that a set knows.
    pub(super) fn of_everything(&mut self, scope: &Scope<'_, '_>, known: &Known) -> Labels {
        let mut labels = Labels::default();
        known.objects.values().for_each(|tags| labels.add(&tags.read(None, scope.facts), scope.facts));
        labels
    }

    /// The labels of arguments and of all memory that they lead to.
    pub(super) fn of_arguments(
        &mut self,
        scope: &mut Scope<'_, '_>,
        known: &Known,
        args: &[Expr],
        values: &[Value],
    ) -> Labels {
        let mut labels = Labels::default();
        for arg in args {
            labels.add(&self.of_expr(scope, known, arg), scope.facts);
        }
        for object in reachable(scope, values) {
            labels.add(&self.of_object(scope, known, object, None), scope.facts);
        }
        let is_lost = |(arg, value): (&Expr, &Value)| {
            *value == Value::Unknown && matches!(scope.unit().types.get(arg.ty), Type::Pointer(_))
        };
        if args.iter().zip(values).any(is_lost) {
            labels.add(&self.of_exposed(scope, known), scope.facts);
        }
        labels
    }

    /// The labels that anything in an expression may have somewhere in a region that changes some locals.
    pub(super) fn of_expr_in_region(
        &mut self,
        scope: &mut Scope<'_, '_>,
        known: &Known,
        expr: &Expr,
        changed: &FxHashSet<LocalId>,
    ) -> Labels {
        let mut places = Vec::new();
        walk_expr(expr, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Load(place), .. }) = part {
                places.push(&**place);
            }
        });
        let mut labels = Labels::default();
        for place in places {
            labels.add(&self.of_place_in_region(scope, known, place, changed), scope.facts);
        }
        labels
    }

    fn of_place_in_region(
        &mut self,
        scope: &mut Scope<'_, '_>,
        known: &Known,
        place: &Place,
        changed: &FxHashSet<LocalId>,
    ) -> Labels {
        let object = match &place.base {
            PlaceBase::Local(local) => Some(scope.engine.local_object(scope.function, scope.context, *local)),
            PlaceBase::Global(global) => Some(scope.engine.global_object(scope.function.unit, *global)),
            PlaceBase::Deref(pointer) => {
                let mut steady = true;
                walk_expr(pointer, &mut |part| {
                    if let Part::Place(Place { base: PlaceBase::Local(local), .. }) = part {
                        steady &= !changed.contains(local);
                    }
                });
                match scope.eval(pointer) {
                    Ok(Value::Address(object, _)) if steady => Some(object),
                    _ => None,
                }
            }
        };
        match object {
            Some(object) => self.of_object(scope, known, object, None),
            None => self.of_exposed(scope, known),
        }
    }

    /// The labels of what a call sends or contributes.
    pub(super) fn cargo(&mut self, at: &mut At<'_, '_, '_>, known: &Known, call: &Call<'_>) -> Cargo {
        let mut cargo = Cargo { data: known.decided(at.scope.facts), ..Cargo::default() };
        let in_place = |index: usize| {
            call.values.get(index).and_then(Value::as_name).is_some_and(|name| name == "MPI_IN_PLACE")
        };
        let replaced = call.mpi.buffers().any(|buffer| in_place(buffer.param));
        for buffer in call.mpi.buffers() {
            if !(buffer.direction.reads() || replaced) || in_place(buffer.param) {
                continue;
            }
            let (arg, value) = (&call.args[buffer.param], &call.values[buffer.param]);
            cargo.data.add(&self.of_expr(at.scope, known, arg), at.scope.facts);
            match value {
                Value::Address(object, offset) => {
                    let plain = buffer.scale == frontend::mpi::Scale::Count;
                    let length = if plain { length(at.scope, call, buffer) } else { None };
                    let location = Location { object: *object, offset: Some(offset.clone()) };
                    let bytes = length.and_then(|_| bytes_at(at.scope, &location, length));
                    cargo.data.add(&self.of_object(at.scope, known, *object, bytes), at.scope.facts);
                    cargo.areas.push((*object, bytes));
                }
                Value::Unknown => cargo.data.add(&self.of_exposed(at.scope, known), at.scope.facts),
                _ => {}
            }
        }
        for (param, arg) in call.mpi.params.iter().zip(call.args) {
            if matches!(param.role, Role::Dest | Role::SendTag | Role::Count) {
                cargo.about.add(&self.of_expr(at.scope, known, arg), at.scope.facts);
            }
        }
        cargo.about.add(&known.decided(at.scope.facts), at.scope.facts);
        cargo
    }
}

/// Number of bytes in a buffer of so many elements, where that is known.
fn length(scope: &Scope<'_, '_>, call: &Call<'_>, buffer: &frontend::mpi::Buffer) -> Option<u64> {
    let count = scope.facts.constant(call.at(buffer.count)?.as_int()?)?;
    type_size(call.at(buffer.datatype)?)?.checked_mul(u64::try_from(count).ok()?)
}

/// The bytes of a scalar or array at a location, where they are the same on all members.
pub(super) fn bytes_at(scope: &Scope<'_, '_>, location: &Location, length: Option<u64>) -> Option<Bytes> {
    let offset = location.offset.as_ref().filter(|offset| offset.is_uniform())?;
    Bytes::new(scope.facts.constant(offset)?, length?)
}

/// The objects that some values lead to.
pub(super) fn reachable(scope: &Scope<'_, '_>, values: &[Value]) -> BTreeSet<ObjectId> {
    let target = |value: &Value| match value {
        Value::Address(object, _) => Some(*object),
        _ => None,
    };
    let mut work: Vec<ObjectId> = values.iter().filter_map(target).collect();
    let mut seen = BTreeSet::new();
    while let Some(object) = work.pop() {
        if seen.insert(object)
            && let Some(content) = scope.memory.get(object)
        {
            work.extend(content.cells.values().filter_map(|(_, value)| target(value)));
        }
    }
    seen
}
