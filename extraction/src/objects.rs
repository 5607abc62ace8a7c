//! What is read from objects, written to them, and forgotten of them.

use std::collections::BTreeSet;

use frontend::ir::{Expr, FunctionId, Initializer, LocalId, Projection, RecordKind, Type, TypeId};
use frontend::program::FunctionRef;

use crate::error::Result;
use crate::extract::{Extractor, Frame};
use crate::form::{Bound, Form};
use crate::memory::{Cell, Object, Place, Step, Value};
use crate::region::Region;
use crate::state::State;

impl Extractor<'_> {
    /// What static variables hold before `main`.
    pub(crate) fn initialise_globals(&mut self, state: &mut State) -> Result<()> {
        for (unit, of) in self.program.units.iter().enumerate() {
            for (at, global) in of.globals.iter().enumerate() {
                let id = frontend::ir::GlobalId(u32::try_from(at).unwrap_or(u32::MAX));
                if global.defined && !global.unstable && self.program.resolve_global(unit, id) == (unit, id) {
                    let place = Place::of(Object::Global(unit, id));
                    self.initialise(unit, state, &place, global.ty, global.init.as_ref())?;
                }
            }
            for (at, function) in of.functions.iter().enumerate() {
                let at = u32::try_from(at).unwrap_or(u32::MAX);
                for (local, of) in function.locals.iter().enumerate() {
                    if let Some(init) = &of.static_init {
                        let local = LocalId(u32::try_from(local).unwrap_or(u32::MAX));
                        let place = Place::of(Object::Static(unit, at, local));
                        self.initialise(unit, state, &place, of.ty, init.as_ref())?;
                    }
                }
            }
        }
        Ok(())
    }

    fn initialise(
        &mut self,
        unit: usize,
        state: &mut State,
        place: &Place,
        ty: TypeId,
        init: Option<&Initializer>,
    ) -> Result<()> {
        /// Elements of an array that are written down, at most.
        const MOST: u64 = 64;
        let types = &self.program.units[unit].types;
        let value = match (types.get(ty), init) {
            (Type::Array(element, Some(length)), init) if *length <= MOST => {
                let element = *element;
                for at in 0..*length {
                    let part = match init {
                        Some(Initializer::Aggregate(parts)) => {
                            parts.iter().find(|(index, _)| *index == at).map(|(_, part)| part)
                        }
                        Some(_) => return Ok(()),
                        None => None,
                    };
                    let index = Form::number(i64::try_from(at).unwrap_or(i64::MAX));
                    self.initialise(unit, state, &place.with(Step::At(index)), element, part)?;
                }
                return Ok(());
            }
            (Type::Record(record), init) => {
                let record = types.record(*record);
                if record.kind == RecordKind::Union {
                    return Ok(());
                }
                let fields: Vec<TypeId> = record.fields.iter().flatten().map(|field| field.ty).collect();
                for (at, ty) in fields.into_iter().enumerate() {
                    let part = match init {
                        Some(Initializer::Aggregate(parts)) => {
                            parts.iter().find(|(index, _)| *index == at as u64).map(|(_, part)| part)
                        }
                        Some(_) => return Ok(()),
                        None => None,
                    };
                    let field = Step::Field(u32::try_from(at).unwrap_or(u32::MAX));
                    self.initialise(unit, state, &place.with(field), ty, part)?;
                }
                return Ok(());
            }
            (Type::Int(_) | Type::Enum(..), None) => Value::Number(Form::number(0)),
            (_, Some(Initializer::Scalar(expr))) => {
                let function = FunctionId(0);
                let frame = Frame { function: FunctionRef { unit, function }, number: u32::MAX };
                self.evaluate(&frame, state, expr)?
            }
            _ => Value::Same(0),
        };
        if let Some(cell) = place.cell() {
            let value = self.numbered(value);
            state.memory.write(cell, value);
        }
        Ok(())
    }

    /// The type that a part of an object was declared with: the unit of its types, too. `None` for memory on the heap.
    pub(crate) fn declared(&self, place: &Place) -> Option<(usize, TypeId)> {
        let (unit, mut ty) = match place.object {
            Object::Local(number, local) => {
                let function = *self.frames.get(number as usize)?;
                (function.unit, self.program.function(function).local(local).ty)
            }
            Object::Static(unit, function, local) => {
                let function = self.program.units[unit].function(FunctionId(function));
                (unit, function.local(local).ty)
            }
            Object::Global(unit, global) => (unit, self.program.units[unit].global(global).ty),
            Object::Heap(_) | Object::Size(_) => return None,
        };
        let types = &self.program.units[unit].types;
        for step in &place.steps {
            ty = match (step, types.get(ty)) {
                (Step::At(_), Type::Array(element, _)) => *element,
                (Step::Field(field), Type::Record(record)) => {
                    types.record(*record).fields.as_ref()?.get(*field as usize)?.ty
                }
                _ => return None,
            };
        }
        Some((unit, ty))
    }

    /// Whether memory on the heap has elements of so many bytes, as it is first used.
    pub(crate) fn is_element(&mut self, heap: u32, size: u64) -> bool {
        *self.elements.entry(heap).or_insert(size) == size
    }

    /// Whether what is at a place has so many bytes.
    pub(crate) fn has_bytes(&mut self, place: &Place, size: u64) -> bool {
        if let Object::Heap(heap) = place.object {
            return place.steps.len() <= 1 && self.is_element(heap, size);
        }
        self.declared(place)
            .is_some_and(|(unit, ty)| self.program.units[unit].types.model_size(ty) == Some(size))
    }

    /// Whether the elements of an array, or of memory on the heap, have so many bytes.
    pub(crate) fn has_elements(&mut self, array: &Cell, size: u64) -> bool {
        if let Object::Heap(heap) = array.object {
            return array.path.is_empty() && self.is_element(heap, size);
        }
        if !array.path.is_empty() {
            return false;
        }
        let element = Place::of(array.object).with(Step::At(Form::number(0)));
        self.declared(&element)
            .is_some_and(|(unit, ty)| self.program.units[unit].types.model_size(ty) == Some(size))
    }

    /// Whether what is read or written as a type has that type: else it is seen as something else.
    fn has_type(&mut self, frame: &Frame, place: &Place, ty: TypeId) -> bool {
        let types = &self.program.units[frame.unit()].types;
        let size = types.model_size(ty);
        if let Object::Heap(heap) = place.object {
            return place.steps.len() > 1 || size.is_some_and(|size| self.is_element(heap, size));
        }
        match self.declared(place) {
            Some((unit, declared)) => {
                let own = &self.program.units[unit].types;
                own.model_size(declared) == size
                    && std::mem::discriminant(own.get(declared)) == std::mem::discriminant(types.get(ty))
            }
            None => false,
        }
    }

    pub(crate) fn load(
        &mut self,
        frame: &Frame,
        state: &mut State,
        place: &Place,
        ty: TypeId,
    ) -> Result<Value> {
        let is_stable = match place.object {
            Object::Local(number, local) if number == frame.number => {
                !self.program.function(frame.function).local(local).unstable
            }
            _ => true,
        };
        if !is_stable || self.shared.contains(&place.object) || !self.has_type(frame, place, ty) {
            return Ok(Value::Open);
        }
        let value = match place.cell() {
            Some(cell) => match state.memory.read(&cell) {
                Some(Value::Elements(_)) => Value::Open,
                Some(value) => value.clone(),
                None => self.read_element(state, place)?,
            },
            None => match self.read_element(state, place)? {
                Value::Open => self.chosen(state, place)?,
                value => value,
            },
        };
        if let (Value::Number(form), false) = (&value, self.facts_of.is_empty()) {
            state.region = self.with_facts_of(&state.region, form)?;
        }
        Ok(value)
    }

    /// One of several elements, whichever an index says.
    fn chosen(&mut self, state: &mut State, place: &Place) -> Result<Value> {
        /// Elements that are looked at, at most.
        const MOST: usize = 64;
        let whole = Cell { object: place.object, path: Vec::new() };
        if place.steps.iter().any(|step| matches!(step, Step::At(index) if !index.is_linear())) {
            return Ok(Value::Open);
        }
        let mut elements: Vec<(Vec<Bound>, Value)> = Vec::new();
        for (cell, value) in state.memory.below(&whole) {
            if cell.path.len() != place.steps.len() {
                continue;
            }
            let mut bounds = Some(Vec::new());
            for (step, &at) in place.steps.iter().zip(&cell.path) {
                let is_there = match step {
                    Step::Field(field) => Some((i64::from(*field) == at).then(Vec::new)),
                    Step::At(index) => match index.as_number() {
                        Some(number) => Some((number == at).then(Vec::new)),
                        None => Bound::equal(index, &Form::number(at)).map(|bound| Some(vec![bound])),
                    },
                };
                let Some(is_there) = is_there else { return Ok(Value::Open) };
                bounds = bounds.zip(is_there).map(|(bounds, more)| [bounds, more].concat());
            }
            if let Some(bounds) = bounds {
                elements.push((bounds, value.clone()));
            }
        }
        if elements.len() > MOST {
            return Ok(Value::Open);
        }
        // Where it is none of them, and that is evaluated.
        let mut outside = state.region.clone();
        let mut used = Vec::new();
        for (bounds, value) in elements {
            let part = state.region.bounded(&bounds, &self.parameters)?;
            if !part.is_empty()? {
                outside.set = outside.set.subtract(&part.set)?;
                used.push((part, value));
            }
        }
        if used.is_empty() || self.is_evaluated_in(&outside)? {
            return Ok(Value::Open);
        }
        if used.iter().all(|(_, value)| *value == used[0].1) {
            return Ok(used.swap_remove(0).1);
        }
        let mut cases = Vec::new();
        for (part, element) in used {
            let Value::Number(form) = element else { return Ok(Value::Open) };
            cases.push((part, form));
        }
        // Where it is not evaluated it is 0.
        if !outside.is_empty()? {
            cases.push((outside, Form::default()));
        }
        // In a loop of few rounds each round has one of them.
        let is_indexed = |counter: &&u32| {
            place.steps.iter().any(|step| match step {
                Step::At(index) => index.coordinates().any(|at| at == **counter),
                Step::Field(_) => false,
            })
        };
        if cases.len() > 2
            && self.has_digits()
            && !cases.iter().all(|(_, form)| form.is_linear())
            && let Some(&counter) = self.counters.first().filter(is_indexed)
            && !self.in_any_round.contains(&counter)
        {
            self.one_by_one.insert(counter);
            return Ok(Value::Open);
        }
        Ok(match self.in_cases(&state.region.coordinates, &cases)? {
            Some((region, value)) => {
                state.region = region;
                Value::Number(value)
            }
            None => Value::Open,
        })
    }

    /// Whether an operand is evaluated somewhere in a region, by what holds where it stands.
    pub(crate) fn is_evaluated_in(&self, region: &Region) -> Result<bool> {
        let all =
            self.guards.iter().try_fold(region.clone(), |all, guard| all.meet(guard, &self.parameters))?;
        Ok(!all.is_empty()?)
    }

    /// Writes a value at a place, which may be an element of which is not known which one.
    pub(crate) fn put(&mut self, state: &mut State, place: &Place, value: Value) -> Result<()> {
        match place.element() {
            Some((array, index))
                if index.as_number().is_none()
                    || matches!(state.memory.read(&array), Some(Value::Elements(_))) =>
            {
                self.write_element(state, (array, index), &value)?;
            }
            _ => self.write(state, place, value),
        }
        Ok(())
    }

    pub(crate) fn store(
        &mut self,
        frame: &Frame,
        state: &mut State,
        place: &frontend::ir::Place,
        value: Value,
    ) -> Result<()> {
        self.last_object = None;
        match self.place(frame, state, place)? {
            Ok(of) if self.has_type(frame, &of, place.ty) => self.put(state, &of, value)?,
            Ok(of) => self.forget(state, of.object),
            Err(Value::Number(_)) => self.nothing_there(frame, place.span, ())?,
            Err(_) => match self.last_object {
                Some(object) => self.forget(state, object),
                None => {
                    // Numbers of other types are not written through a pointer to floating-point numbers (C17 section 6.5).
                    let types = &self.program.units[frame.unit()].types;
                    if !matches!(types.get(place.ty), Type::Float(_) | Type::Complex(_)) {
                        self.forget_exposed(state);
                    }
                }
            },
        }
        Ok(())
    }

    pub(crate) fn write(&mut self, state: &mut State, place: &Place, value: Value) {
        let value = self.numbered(value);
        self.name_parameter(place, &value);
        match place.cell() {
            Some(cell) => {
                for log in &mut self.written {
                    log.insert(cell.clone());
                    log.extend(state.memory.below(&cell).map(|(inner, _)| inner.clone()));
                }
                self.stores.spoil(Some(cell.object));
                self.watch_write(state, &cell, &value);
                // What it is in is written, too.
                state.memory.write(cell, value);
            }
            None => self.forget(state, place.object),
        }
    }

    /// A value that is the same for all gets a number, by which it is known again.
    pub(crate) fn numbered(&mut self, value: Value) -> Value {
        if value != Value::Same(0) {
            return value;
        }
        let is_constant = self.counters.is_empty();
        self.new_value(is_constant, false)
    }

    /// A value that is the same for all: whether it is the same in all rounds of loops, and whether it points into the command line.
    pub(crate) fn new_value(&mut self, is_constant: bool, is_argument: bool) -> Value {
        self.values += 1;
        self.constants.extend(is_constant.then_some(self.values));
        self.command_line.extend(is_argument.then_some(self.values));
        Value::Same(self.values)
    }

    /// Whether a value is the same for all processes and in all rounds of loops.
    pub(crate) fn is_constant(&self, value: &Value) -> bool {
        match value {
            Value::Same(number) => self.constants.contains(number),
            Value::Number(form) => form.coordinates().next().is_none(),
            Value::Real(real) => real.coordinates().is_empty(),
            Value::NoCommunicator | Value::World => true,
            _ => false,
        }
    }

    fn is_of_command_line(&self, value: &Value) -> bool {
        matches!(value, Value::Same(number) if self.command_line.contains(number))
    }

    /// What is not known, out of these.
    pub(crate) fn unknown(&mut self, of: &[&Value]) -> Value {
        if of.iter().all(|value| self.is_constant(value)) {
            // What the command line points to stays as it is.
            let is_argument = of.iter().any(|value| self.is_of_command_line(value));
            return self.new_value(true, is_argument);
        }
        let counter = self.counters.last().copied();
        let is_repeated = |value: &&Value| match value {
            Value::Same(number) if self.repeated.contains(&(*number, counter)) => true,
            Value::Number(form) => form.coordinates().all(|at| Some(at) == counter),
            value => self.is_constant(value),
        };
        if of.iter().all(is_repeated) {
            let value = self.new_value(false, false);
            self.repeated.insert((self.values, counter));
            return value;
        }
        if of.iter().all(|value| self.is_same(value)) { Value::Same(0) } else { Value::Open }
    }

    /// What a pointer that is no known address points to, with indices behind it.
    pub(crate) fn behind(
        &mut self,
        frame: &Frame,
        state: &mut State,
        pointer: &Value,
        steps: &[Projection],
    ) -> Result<Value> {
        if !self.is_of_command_line(pointer) {
            return Ok(Value::Same(0));
        }
        for step in steps {
            let Projection::Index(index) = step else { return Ok(Value::Same(0)) };
            let index = self.evaluate(frame, state, index)?;
            if !self.is_constant(&index) {
                return Ok(self.unknown(&[pointer, &index]));
            }
        }
        Ok(self.new_value(true, true))
    }

    pub(crate) fn forget(&mut self, state: &mut State, object: Object) {
        self.stores.spoil(Some(object));
        self.watch_spoiled(Some(object));
        let whole = Cell { object, path: Vec::new() };
        for log in &mut self.written {
            log.insert(whole.clone());
            log.extend(state.memory.below(&whole).map(|(inner, _)| inner.clone()));
        }
        state.memory.forget(object);
    }

    /// Nothing is known any more of what can be reached from an object: of itself, and of what pointers in it point to.
    pub(crate) fn forget_reached(&mut self, state: &mut State, object: Object) {
        let mut reached = BTreeSet::from([object]);
        let mut left = vec![object];
        while let Some(object) = left.pop() {
            let whole = Cell { object, path: Vec::new() };
            for (_, value) in state.memory.below(&whole) {
                if let Value::Address(place) = value
                    && reached.insert(place.object)
                {
                    left.push(place.object);
                }
            }
        }
        for object in reached {
            self.forget(state, object);
        }
    }

    /// Whether a pointer may point to an object.
    pub(crate) fn is_exposed(&self, object: Object) -> bool {
        match object {
            Object::Local(number, local) => self
                .frames
                .get(number as usize)
                .is_none_or(|&function| self.program.function(function).local(local).address_taken),
            Object::Size(_) => false,
            Object::Static(..) | Object::Global(..) | Object::Heap(_) => true,
        }
    }

    /// Nothing is known any more of what a pointer may point to.
    pub(crate) fn forget_exposed(&mut self, state: &mut State) {
        self.stores.spoil(None);
        self.watch_spoiled(None);
        let pointed: BTreeSet<Object> = state
            .memory
            .cells()
            .map(|(cell, _)| cell.object)
            .filter(|&object| self.is_exposed(object))
            .collect();
        for object in pointed {
            self.forget(state, object);
        }
    }

    /// Copies a structure or an array.
    pub(crate) fn copy(
        &mut self,
        frame: &Frame,
        state: &mut State,
        place: &frontend::ir::Place,
        value: &Expr,
    ) -> Result<()> {
        let to = self.place(frame, state, place)?;
        if let Err(Value::Number(_)) = to {
            self.nothing_there(frame, place.span, ())?;
        }
        let Ok(to) = to else {
            self.forget_exposed(state);
            return Ok(());
        };
        let Some(target) = to.cell() else {
            self.forget(state, to.object);
            return Ok(());
        };
        let from = match &value.kind {
            frontend::ir::ExprKind::Load(from) => {
                let of = self.place(frame, state, from)?;
                if let Err(Value::Number(_)) = of {
                    self.nothing_there(frame, from.span, ())?;
                }
                of.ok().and_then(|of| of.cell())
            }
            _ => None,
        };
        let parts: Vec<(Cell, Value)> = match &from {
            // What others may have written is not known.
            Some(from) if self.shared.contains(&from.object) => Vec::new(),
            Some(from) => (state.memory.below(from))
                .map(|(cell, value)| {
                    let path = target.path.iter().chain(&cell.path[from.path.len()..]).copied().collect();
                    (Cell { object: target.object, path }, value.clone())
                })
                .collect(),
            None => Vec::new(),
        };
        let is_zero = matches!(value.kind, frontend::ir::ExprKind::Int(0));
        self.write(state, &to, Value::Open);
        if is_zero {
            self.initialise(frame.unit(), state, &to, place.ty, None)?;
            let whole: Vec<Cell> = state.memory.below(&target).map(|(cell, _)| cell.clone()).collect();
            for log in &mut self.written {
                log.extend(whole.iter().cloned());
            }
        }
        for (cell, value) in parts {
            for log in &mut self.written {
                log.insert(cell.clone());
            }
            self.watch_write(state, &cell, &value);
            state.memory.write(cell, value);
        }
        Ok(())
    }
}
