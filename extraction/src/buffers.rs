//! Whether buffers are as long as calls say: what is sent from and received into them lies within the object that they are a part of.

use frontend::ir::{Expr, Type, TypeId};
use frontend::library::Effect;
use frontend::mpi::{Buffer, Scale};

use crate::error::Result;
use crate::extract::{Extractor, Frame};
use crate::form::{Bound, Form};
use crate::memory::{Cell, Object, Place, Step, Value};
use crate::state::State;

impl Extractor<'_> {
    /// Keeps how many bytes an allocation has asked for, as far as that is known.
    pub(crate) fn keep_size(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (effect, args): (Effect, &[Expr]),
        made: &Value,
    ) -> Result<()> {
        let Value::Address(Place { object: Object::Heap(heap), .. }) = made else { return Ok(()) };
        let mut size = match effect {
            Effect::Allocates { .. } => Some(Form::number(1)),
            _ => None,
        };
        // The number of elements and the size of one, or the number of bytes.
        let wanted = self.wanted.len();
        for argument in args {
            // Where it wraps around, there is no memory, or a negative number of elements.
            let factor = match self.before_wrapping(frame, state, argument.strip_casts())? {
                Some(form) => Some(form),
                None => match self.evaluate(frame, state, argument)? {
                    Value::Number(form) => Some(form),
                    _ => None,
                },
            };
            size = match (size, factor) {
                (Some(size), Some(factor)) => self.times(state, &size, &factor)?,
                _ => None,
            };
        }
        self.wanted.truncate(wanted);
        let size = size.filter(Form::is_linear).map_or(Value::Open, Value::Number);
        self.write(state, &Place::of(Object::Size(*heap)), size);
        Ok(())
    }

    /// Notes a pointer past the first element that is converted to one to something of another size, or of any size before.
    pub(crate) fn note_recast(&mut self, frame: &Frame, place: &Place, (from, to): (TypeId, TypeId)) {
        let Some(Step::At(at)) = place.steps.last() else { return };
        let types = &self.program.units[frame.unit()].types;
        let size = |ty: TypeId| match types.get(ty) {
            Type::Pointer(to) => types.size(*to),
            _ => None,
        };
        let is_void =
            |ty: TypeId| matches!(types.get(ty), Type::Pointer(to) if matches!(types.get(*to), Type::Void));
        if at.as_number() != Some(0) && !is_void(to) && (size(from).is_none() || size(from) != size(to)) {
            self.recast.insert(place.object);
        }
    }

    /// Whether the steps of a pointer are as long as the elements that it points to.
    fn is_in_elements(&mut self, frame: &Frame, pointer: &Expr, place: &Place) -> bool {
        let Some(Step::At(at)) = place.steps.last() else { return true };
        if at.as_number() == Some(0) {
            return true;
        }
        let types = &self.program.units[frame.unit()].types;
        let size = match types.get(pointer.strip_casts().ty) {
            Type::Pointer(to) => types.size(*to),
            _ => None,
        };
        !self.recast.contains(&place.object) && size.is_some_and(|size| self.has_bytes(place, size))
    }

    /// Bytes from a place to the end of the object that it is a part of. `None` where they are not known.
    fn room(&self, state: &State, place: &Place) -> Option<Form> {
        let bytes = |size: u64| i64::try_from(size).ok();
        if let Object::Heap(heap) = place.object {
            let size = state.memory.read(&Cell { object: Object::Size(heap), path: Vec::new() });
            let Some(Value::Number(size)) = size else { return None };
            return match place.steps.as_slice() {
                [] => Some(size.clone()),
                [Step::At(at)] if at.as_number() == Some(0) => Some(size.clone()),
                [Step::At(at)] => size.plus(&at.times(bytes(*self.elements.get(&heap)?)?)?, -1),
                _ => None,
            };
        }
        let (unit, mut ty) = self.declared(&Place::of(place.object))?;
        let types = &self.program.units[unit].types;
        let mut room = Form::number(bytes(types.size(ty)?)?);
        for step in &place.steps {
            let (part, offset) = match (step, types.get(ty)) {
                (Step::At(at), Type::Array(element, _)) => {
                    (*element, at.times(bytes(types.size(*element)?)?)?)
                }
                (Step::Field(field), Type::Record(record)) => {
                    let field = types.record(*record).fields.as_ref()?.get(*field as usize)?;
                    (field.ty, Form::number(bytes(field.offset)?))
                }
                // A variable as an array of one.
                (Step::At(at), _) => (ty, at.times(bytes(types.size(ty)?)?)?),
                (Step::Field(_), _) => return None,
            };
            room = room.plus(&offset, -1)?;
            ty = part;
        }
        Some(room)
    }

    /// Whether it is shown that a buffer of a call is as long as the call says: so many elements of `bytes` each, without gaps.
    pub(crate) fn is_long_enough(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (buffer, args): (Buffer, &[Expr]),
        (bytes, communicator): (&Form, Option<usize>),
    ) -> Result<bool> {
        let argument = |at: Option<usize>| at.and_then(|at| args.get(at));
        let is_plain = argument(buffer.datatype).is_some_and(|datatype| datatype.constant_name().is_some());
        let Some(pointer) = args.get(buffer.param).filter(|_| is_plain) else { return Ok(false) };
        if !self.is_recording || pointer.constant_name() == Some("MPI_IN_PLACE") {
            return Ok(true);
        }
        let needed = match (buffer.scale, communicator) {
            (Scale::Count | Scale::One, _) => Some(bytes.clone()),
            (Scale::PerProcess, Some(number)) if self.of_number(number).is_all => {
                let np = self.number_of_processes();
                self.times(state, bytes, &np)?
            }
            _ => None,
        };
        let Some(needed) = needed else { return Ok(false) };
        if needed.as_number() == Some(0) {
            return Ok(true);
        }
        let wanted = self.wanted.len();
        let value = self.evaluate(frame, state, pointer)?;
        self.wanted.truncate(wanted);
        let Value::Address(place) = value else { return Ok(false) };
        if !self.is_in_elements(frame, pointer, &place) {
            return Ok(false);
        }
        let Some(room) = self.room(state, &place) else { return Ok(false) };
        let starts = Form::number(0);
        let Some(fits) = Bound::at_most(&needed, &room) else { return Ok(false) };
        // Neither before its beginning: only numbers of elements are looked at.
        for step in &place.steps {
            if let Step::At(at) = step
                && !state.region.implies(Bound::at_most(&starts, at), &self.parameters)?
            {
                return Ok(false);
            }
        }
        state.region.implies(Some(fits), &self.parameters)
    }
}
