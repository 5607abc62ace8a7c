//! Values, places and memory of the code that is passed over: an expression is evaluated to what it may point to and how much ranks
//! agree on it; a store is noted for each object that it may reach; a load joins what was there before and what the code writes.

use std::collections::BTreeMap;

use frontend::ir::{Expr, ExprKind, Place, PlaceBase, Projection, Type, TypeId};

use super::agreement::{Abstract, Level};
use super::{Analysis, Beyond, Code, Item};
use crate::engine::aliasing::Stored;
use crate::engine::environment::Resource;
use crate::engine::memory::{Background, ContextId, ObjectId, ObjectKind};
use crate::engine::pointees::Pointees;
use crate::engine::value::Value;

/// Places in one object that are told apart.
const ENTRY_LIMIT: usize = 24;

/// A range of bytes.
pub(super) type Bytes = (i64, u64);

/// A scalar or aggregate that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) value: Abstract,
    pub(super) shape: Shape,
}

/// As what something is read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// As a type of a unit.
    Typed(usize, TypeId),
    /// As a number.
    Integer,
    /// As a pointer, or by the analysis alone.
    Opaque,
}

/// What the code may write to an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// At these places, which do not overlap.
    pub(super) entries: BTreeMap<Bytes, Entry>,
    /// Somewhere.
    pub(super) anywhere: Option<Abstract>,
    /// What of these types may be stored in it through pointers of which nobody knows where they point to.
    pub(super) wild: Stored,
}

/// Where a place may be.
#[derive(Clone, Debug, Default)]
struct Targets {
    objects: BTreeMap<ObjectId, Option<i64>>,
    /// In any exposed object.
    wild: bool,
    /// In a string outside of the program's objects.
    text: bool,
    /// How much ranks agree on the place.
    level: Level,
}

impl Analysis<'_, '_, '_> {
    pub(super) fn eval(&mut self, code: Code, expr: &Expr) -> Result<Abstract, Beyond> {
        Ok(match &expr.kind {
            ExprKind::Str(_) => Abstract::text(Level::Uniform),
            ExprKind::Int(0) => Abstract::zero(),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Constant { .. }
            | ExprKind::FunctionAddress(_)
            | ExprKind::Sizeof(_) => Abstract::of(Level::Uniform),
            ExprKind::SizeofVla(_) | ExprKind::Unknown(_) => Abstract::varying(),
            ExprKind::Load(place) => self.load(code, place)?,
            ExprKind::AddressOf(place) => {
                let Targets { objects, wild, text, level } = self.locate(code, place)?;
                let addressed = self.addressed.len();
                self.addressed.extend(objects.keys());
                if self.addressed.len() > addressed {
                    self.has_changed(Item::Addressed);
                }
                let plain = objects.is_empty() || wild || text;
                Abstract {
                    level: level.max(Level::Uniform),
                    plain,
                    number: plain,
                    targets: objects,
                    wild,
                    text,
                }
            }
            ExprKind::Cast(inner) => self.eval(code, inner)?,
            ExprKind::Unary(_, operand) => {
                let value = self.eval(code, operand)?;
                self.computed(code, expr.ty, value)
            }
            ExprKind::Binary(_, left, right) => {
                let (mut a, mut b) = (self.eval(code, left)?, self.eval(code, right)?);
                let types = &self.scope.engine.program.units[code.function.unit].types;
                let is_pointer = |ty: TypeId| types.pointee(ty).is_some();
                if is_pointer(expr.ty) && is_pointer(left.ty) != is_pointer(right.ty) {
                    // So many elements further on: no other object, and nowhere from nowhere.
                    if is_pointer(right.ty) {
                        std::mem::swap(&mut a, &mut b);
                    }
                    a.targets.values_mut().for_each(|offset| *offset = None);
                    return Ok(a.at_least(b.level));
                }
                a.join(&b);
                self.computed(code, expr.ty, a)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let level = self.eval(code, condition)?.level;
                let mut value = self.eval(code, then)?;
                value.join(&self.eval(code, otherwise)?);
                if level == Level::Varying { value.at_least(level) } else { value }
            }
        })
    }

    /// The result of an operator on values that have this in common.
    fn computed(&self, code: Code, ty: TypeId, mut value: Abstract) -> Abstract {
        let types = &self.scope.engine.program.units[code.function.unit].types;
        let may_be_pointer = match types.get(ty) {
            Type::Int(kind) => kind.size() >= 8,
            Type::Pointer(_) | Type::Named(_) | Type::Unknown => true,
            _ => false,
        };
        if !may_be_pointer {
            return Abstract::of(value.level);
        }
        value.targets.values_mut().for_each(|offset| *offset = None);
        value.plain |= types.pointee(ty).is_none();
        value.number |= value.plain;
        value
    }

    fn locate(&mut self, code: Code, place: &Place) -> Result<Targets, Beyond> {
        let engine = &mut *self.scope.engine;
        let unit = &engine.program.units[code.function.unit];
        let mut ty;
        let mut found = match &place.base {
            PlaceBase::Local(local) => {
                ty = engine.program.function(code.function).local(*local).ty;
                Targets {
                    objects: BTreeMap::from([(self.local(code, *local), Some(0))]),
                    ..Targets::default()
                }
            }
            PlaceBase::Global(global) => {
                ty = unit.global(*global).ty;
                let object = engine.global_object(code.function.unit, *global);
                Targets { objects: BTreeMap::from([(object, Some(0))]), ..Targets::default() }
            }
            PlaceBase::Deref(pointer) => {
                ty = unit.types.pointee(pointer.ty).unwrap_or(place.ty);
                let value = self.eval(code, pointer)?;
                // A null pointer leads nowhere, nor does one that has no value, perhaps none yet.
                Targets {
                    wild: value.wild || (value.number && value.targets.is_empty() && !value.text),
                    objects: value.targets,
                    text: value.text,
                    level: value.level,
                }
            }
        };
        for projection in &place.projections {
            let step = match projection {
                Projection::Field(record, index) => {
                    let types = &unit.types;
                    let fields = types.record(*record).fields.as_ref();
                    ty = fields.and_then(|f| f.get(*index as usize)).map_or(place.ty, |f| f.ty);
                    types.model_offset(*record, *index).and_then(|step| i64::try_from(step).ok())
                }
                Projection::Index(index) => {
                    ty = unit.types.pointee(ty).unwrap_or(place.ty);
                    let level = self.eval(code, index)?.level;
                    if level == Level::Varying {
                        found.level = level;
                    }
                    let size = unit.types.model_size(ty).and_then(|size| i64::try_from(size).ok());
                    match index.kind {
                        ExprKind::Int(index) => size
                            .zip(i64::try_from(index).ok())
                            .and_then(|(size, index)| size.checked_mul(index)),
                        _ => None,
                    }
                }
            };
            for offset in found.objects.values_mut() {
                *offset = offset.zip(step).and_then(|(offset, step)| offset.checked_add(step));
            }
        }
        Ok(found)
    }

    /// Size in bytes of what a place accesses: of a bit-field, the storage unit.
    fn accessed(&self, code: Code, place: &Place) -> Option<u64> {
        let types = &self.scope.engine.program.units[code.function.unit].types;
        if let Some(Projection::Field(record, index)) = place.projections.last() {
            let field = types.record(*record).fields.as_ref()?.get(usize::try_from(*index).ok()?)?;
            if field.bits.is_some() {
                return types.model_size(field.ty);
            }
        }
        types.model_size(place.ty)
    }

    fn load(&mut self, code: Code, place: &Place) -> Result<Abstract, Beyond> {
        let Targets { objects, wild, text, level } = self.locate(code, place)?;
        if wild {
            return Ok(Abstract::varying());
        }
        let size = self.accessed(code, place);
        let mut value = Abstract::default();
        for (object, offset) in objects {
            value.join(&self.load_at(object, offset.zip(size)));
        }
        if text {
            value.join(&Abstract::of(self.history(Resource::Texts)));
            if size != Some(1) {
                return Ok(Abstract::varying());
            }
        }
        Ok(if level == Level::Varying { value.at_least(level) } else { value })
    }

    pub(super) fn store(
        &mut self,
        code: Code,
        place: &Place,
        value: Abstract,
        contended: bool,
    ) -> Result<(), Beyond> {
        let Targets { objects, wild, text, level } = self.locate(code, place)?;
        let varies = contended || level == Level::Varying;
        let value = if varies { value.at_least(Level::Varying) } else { value };
        let size = self.accessed(code, place);
        let is_bits = self.scope.bit_field_in(code.function.unit, place).is_some();
        for (object, offset) in objects {
            let shape = if is_bits { Shape::Integer } else { Shape::Typed(code.function.unit, place.ty) };
            self.store_at(object, offset.zip(size), &value, shape);
        }
        let types = &self.scope.engine.program.units[code.function.unit].types;
        let stored = Stored::of_place(types, place);
        if wild {
            let pointees = match &place.base {
                PlaceBase::Deref(pointer) => self.scope.engine.pointees(code.function, pointer),
                _ => None,
            };
            self.store_wild(stored, stored.may_be_text(), &value, pointees.as_deref());
        }
        if text && stored.may_be_text() {
            self.set_history(Resource::Texts, value.level);
        }
        Ok(())
    }

    /// A store through a pointer of which is known at most that it points to one of some objects.
    pub(super) fn store_wild(
        &mut self,
        stored: Stored,
        text: bool,
        value: &Abstract,
        pointees: Option<&Pointees>,
    ) {
        let value = value.clone().at_least(Level::Varying);
        let stored = self.scope.engine.stored_somewhere(stored);
        self.look_at(Item::Addressed);
        for object in self.exposed.union(&self.addressed).copied().collect::<Vec<_>>() {
            let engine = &self.scope.engine;
            let (kind, held) = (engine.objects.kind(object), engine.held_in(object));
            if kind.is_library() || !held.meets(stored) || !engine.may_be_in(object, pointees) {
                continue;
            }
            // Of memory that is allocated is known what has been stored there.
            let is_typed = held != Stored::ANYTHING || matches!(kind, ObjectKind::Heap(..));
            if stored == Stored::ANYTHING || !is_typed {
                self.store_at(object, None, &value, Shape::Opaque);
                continue;
            }
            let written = self.written.entry(object).or_default();
            let all = written.wild.union(stored);
            if written.wild != all {
                written.wild = all;
                self.has_changed(Item::Memory(object));
            }
        }
        if text {
            self.set_history(Resource::Texts, Level::Varying);
            let argv = self.scope.engine.objects.object(ObjectKind::CommandLine);
            self.store_at(argv, None, &value, Shape::Opaque);
        }
    }

    /// A store by a function that is given the address.
    pub(super) fn store_behind(
        &mut self,
        code: Code,
        arg: &Expr,
        pointer: &Abstract,
        scalar: Option<(usize, TypeId)>,
        (value, stored): (&Abstract, Stored),
    ) {
        let value = if pointer.level == Level::Varying {
            value.clone().at_least(Level::Varying)
        } else {
            value.clone()
        };
        let size = scalar.and_then(|(unit, ty)| self.scope.engine.program.units[unit].types.model_size(ty));
        let shape = scalar.map_or(Shape::Opaque, |(unit, ty)| Shape::Typed(unit, ty));
        for (&object, &offset) in &pointer.targets {
            self.store_at(object, offset.zip(size), &value, shape);
        }
        if pointer.wild {
            let pointees = self.scope.engine.pointees(code.function, arg);
            self.store_wild(stored, stored.may_be_text(), &value, pointees.as_deref());
        }
        if pointer.text && stored.may_be_text() {
            self.set_history(Resource::Texts, value.level);
        }
    }

    pub(super) fn store_at(
        &mut self,
        object: ObjectId,
        bytes: Option<Bytes>,
        value: &Abstract,
        shape: Shape,
    ) {
        self.budget = self.budget.saturating_sub(1 + u32::try_from(value.targets.len() / 4).unwrap_or(0));
        if matches!(self.scope.engine.objects.kind(object), ObjectKind::Literal(_)) {
            return;
        }
        let written = self.written.entry(object).or_default();
        let Some((offset, size)) = bytes else {
            let mut all = written.anywhere.clone().unwrap_or_default();
            all.join(value);
            if written.anywhere.as_ref() != Some(&all) {
                written.anywhere = Some(all);
                self.has_changed(Item::Memory(object));
            }
            return;
        };
        if let Some(entry) = written.entries.get_mut(&(offset, size)) {
            let before = entry.clone();
            entry.value.join(value);
            if entry.shape != shape {
                entry.shape = Shape::Opaque;
            }
            if *entry != before {
                self.has_changed(Item::Memory(object));
            }
            return;
        }
        let overlaps = written.entries.keys().any(|&other| overlap(other, (offset, size)));
        if overlaps || written.entries.len() >= ENTRY_LIMIT {
            let mut known = value.clone();
            if let Some(all) = &written.anywhere {
                known.join(all);
            }
            if written.anywhere.as_ref() != Some(&known) {
                written.anywhere = Some(known);
                self.has_changed(Item::Memory(object));
            }
            return;
        }
        written.entries.insert((offset, size), Entry { value: value.clone(), shape });
        self.has_changed(Item::Memory(object));
    }

    /// What some bytes may hold, before or while the code runs.
    pub(super) fn load_at(&mut self, object: ObjectId, bytes: Option<Bytes>) -> Abstract {
        self.look_at(Item::Memory(object));
        let mut value = self.initial(object, bytes);
        if value.level > Level::Bottom {
            self.read.insert((object, bytes));
        }
        if let Some(written) = self.written.get(&object) {
            for (&place, entry) in &written.entries {
                if bytes.is_none_or(|bytes| overlap(place, bytes)) {
                    value.join(&entry.value);
                    // Part of a pointer is none.
                    value.wild |=
                        bytes.is_some_and(|bytes| bytes != place) && !entry.value.targets.is_empty();
                }
            }
            if let Some(all) = &written.anywhere {
                value.join(all);
            }
            let wild = written.wild;
            if wild != Stored::NOTHING && bytes.is_none_or(|bytes| self.may_hold(object, bytes, wild)) {
                value.join(&Abstract::varying());
            }
        }
        value
    }

    /// Whether some bytes may hold a scalar of certain types, by what was there before the code runs and by what it stores there itself.
    fn may_hold(&self, object: ObjectId, bytes: Bytes, stored: Stored) -> bool {
        let entry = self.written.get(&object).and_then(|written| written.entries.get(&bytes));
        let by_code = entry.map(|entry| match entry.shape {
            Shape::Typed(unit, ty) => {
                Stored::of(&self.scope.engine.program.units[unit].types, ty).meets(stored)
            }
            _ => true,
        });
        let content = self.scope.memory.get(object).filter(|content| content.series.is_empty());
        let cell = content.and_then(|content| content.cells.get(&bytes.0));
        let before = cell.map(|(size, value)| *size != bytes.1 || stored.may_be(*size, value));
        match (by_code, before) {
            (None, None) => true,
            (a, b) => a.unwrap_or(false) || b.unwrap_or(false),
        }
    }

    /// What some bytes hold before the code runs.
    pub(super) fn initial(&mut self, object: ObjectId, bytes: Option<Bytes>) -> Abstract {
        if let Some(known) = self.initial.get(&(object, bytes)) {
            return known.clone();
        }
        let value = self.initial_value(object, bytes);
        self.initial.insert((object, bytes), value.clone());
        value
    }

    fn initial_value(&mut self, object: ObjectId, bytes: Option<Bytes>) -> Abstract {
        let engine = &mut *self.scope.engine;
        match engine.objects.kind(object) {
            ObjectKind::Local(ContextId::PASSED, ..) => return Abstract::default(),
            ObjectKind::Local(context, function, local)
                if *context == self.scope.context && *function == self.home && self.fresh.contains(local) =>
            {
                return Abstract::default();
            }
            ObjectKind::Heap(..) if self.scope.memory.get(object).is_none() => return Abstract::default(),
            ObjectKind::Global(unit, global) if engine.program.global(*unit, *global).unstable => {
                return Abstract::varying();
            }
            _ => {}
        }
        let Some(whole) = engine.whole_content(self.scope.memory, object) else { return Abstract::varying() };
        if whole.summary {
            return Abstract::varying();
        }
        let content = match bytes {
            Some((offset, size)) if whole.series.is_empty() => whole.section(offset, size),
            _ => whole,
        };
        let mut value = match content.background {
            Background::Zero => Abstract::zero(),
            Background::Undefined => Abstract::default(),
            Background::Uniform(_) => Abstract::opaque(Level::Uniform),
            Background::Unknown => Abstract::varying(),
        };
        // A section of uniform bytes that does not begin where they do has no background of its own.
        let part = bytes.and_then(|(offset, size)| self.scope.memory.get(object)?.part_of(offset, size));
        let is_argument = *self.scope.engine.objects.kind(object) == ObjectKind::CommandLine;
        if is_argument && (part.is_some() || matches!(content.background, Background::Uniform(_))) {
            value = Abstract::text(Level::Uniform);
        } else if part.is_some() {
            value = Abstract::opaque(Level::Uniform);
        }
        if part.is_some() {
            return value;
        }
        for (_, cell) in content.cells.values() {
            value.join(&self.of_value(cell));
        }
        for series in &content.series {
            value.join(&self.of_value(&Value::Int(series.base.clone())));
        }
        value
    }

    fn of_value(&mut self, value: &Value) -> Abstract {
        if self.scope.engine.encode(value).is_none() {
            let targets = match value {
                Value::Address(object, _) | Value::Within(object) => BTreeMap::from([(*object, None)]),
                _ => BTreeMap::new(),
            };
            let wild = targets.is_empty() && matches!(value, Value::Unknown);
            let plain = targets.is_empty();
            return Abstract { level: Level::Varying, text: false, wild, plain, number: plain, targets };
        }
        match value {
            Value::Same(symbol) if self.scope.engine.is_text(*symbol) => Abstract::text(Level::Uniform),
            Value::Same(symbol) => match self.scope.engine.pointers.get(symbol) {
                Some(reach) => Abstract {
                    targets: reach.objects.iter().map(|&object| (object, None)).collect(),
                    text: reach.text,
                    ..Abstract::of(Level::Uniform)
                },
                None => Abstract::opaque(Level::Uniform),
            },
            Value::Address(object, offset) => match self.scope.engine.objects.kind(*object) {
                ObjectKind::Literal(_) => Abstract::text(Level::Uniform),
                _ => Abstract::address(*object, offset.as_constant()),
            },
            value if *value == Value::int(0) => Abstract::zero(),
            _ => Abstract::of(Level::Uniform),
        }
    }
}

fn overlap(a: Bytes, b: Bytes) -> bool {
    a.0 < b.0.saturating_add_unsigned(b.1) && b.0 < a.0.saturating_add_unsigned(a.1)
}
