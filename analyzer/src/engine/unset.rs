//! Handles that a call is given on some member of a set although nobody has set them there, and null or predefined ones that it is to
//! free (MPI-4.1 sections 2.5.1 and 7.4.3). Where that is so on every path, the rules about single calls know it as well.

use frontend::ir::{ExprKind, Type, TypeId, TypeTable};
use frontend::mpi::{Direction, Object, Param, Role};
use lattice::Linear;

use super::Engine;
use super::eval::Location;
use super::memory::{Background, Content, ObjectId, ObjectKind};
use super::mpi::Call;
use super::state::{HANDLE, ProcessSet, State, address, target};
use super::value::Value;
use crate::rules::{Given, Rule, handle_noun, handle_rule, objection_to_free};

/// Size of an `MPI_Status` in the engine's memory.
const STATUS: u64 = 32;

/// Handles of one call that are looked at.
const LISTED: i64 = 256;

impl Engine<'_> {
    /// Begins the life of a variable. One that holds handles or a status is there from the beginning: who stores something nobody knows where may
    /// store it there.
    pub(crate) fn declare(&self, set: &mut ProcessSet, object: ObjectId) {
        set.memory.remove(object);
        if let ObjectKind::Local(_, function, local) = self.objects.kind(object)
            && holds_handle(
                &self.program.units[function.unit].types,
                self.program.function(*function).local(*local).ty,
            )
        {
            set.memory.insert(object, Content::new(Background::Undefined));
        }
    }

    /// Whether a call is given such a handle; reports it.
    pub(crate) fn has_bad_handle(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> bool {
        for (index, param) in call.mpi.params.iter().enumerate() {
            if param.role == Role::Status {
                if param.direction.writes() {
                    self.touch_statuses(state, set, call, index);
                } else if !param.is_array() {
                    self.check_status(state, set, call, index);
                }
            }
            let Some(kind) = param.role.object() else { continue };
            let Some(rule) = handle_rule(kind).filter(|_| param.direction != Direction::Out) else {
                continue;
            };
            if self.is_ignored(state, set, call, index) {
                continue;
            }
            let Some(arg) = call.args.get(index) else { continue };
            let place = (set.frame().function, arg.span);
            for (number, location) in self.places(state, set, call, (index, param)).into_iter().enumerate() {
                if self.scope(state, set).is_unset(&location) {
                    let noun = handle_noun(kind);
                    let what = if param.is_array() {
                        format!("{noun} number {number} of the array")
                    } else {
                        noun.to_owned()
                    };
                    let message = format!("the {what} of {} is never set", call.mpi.name);
                    self.report(rule, state, &set.ranks, place, message, Vec::new());
                    return true;
                }
                // What lists hold is judged by those who look at the lists.
                if param.is_pointer()
                    && !param.is_array()
                    && let Some(message) = self.objection_behind(state, set, call, (index, param), &location)
                {
                    self.report(rule, state, &set.ranks, place, message, Vec::new());
                    return call.mpi.class.communicates();
                }
            }
        }
        false
    }

    /// Keeps in mind that a call fills statuses, whatever it leaves there and when.
    fn touch_statuses(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>, index: usize) {
        let Some(Location { object, offset }) = call.at(Some(index)).and_then(target) else { return };
        let is_array = call.mpi.params[index].is_array();
        let mut scope = self.scope(state, set);
        let location = Location { object, offset };
        if is_array || location.offset.is_none() {
            if scope.memory.get(object).is_some_and(|content| content.is_untouched()) {
                scope.memory.content(object).forget();
            }
        } else if scope.is_undefined(&location, STATUS) {
            scope.write(&location, Some(STATUS), Value::Unknown);
        }
    }

    /// Reports a call that asks a status which nothing has filled.
    fn check_status(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>, index: usize) {
        let Some((object, offset)) = call.at(Some(index)).and_then(address) else { return };
        let location = Location { object, offset: Some(offset.clone()) };
        let mut scope = self.scope(state, set);
        let is_one = scope.memory.get(object).is_some_and(|content| !content.summary);
        if is_one && scope.is_undefined(&location, STATUS) {
            let span = call.args.get(index).map_or(call.span, |arg| arg.span);
            let message = format!("the status that {} asks is not set by any call before", call.mpi.name);
            let place = (set.frame().function, span);
            self.report(Rule::InvalidCount, state, &set.ranks, place, message, Vec::new());
        }
    }

    /// What the standard says against the constant behind an address that a call is given.
    fn objection_behind(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        (index, param): (usize, &Param),
        location: &Location,
    ) -> Option<String> {
        let handle = self.scope(state, set).read_sized(location, HANDLE.unsigned_abs());
        let constant = frontend::mpi::constant(handle.as_name()?)?;
        // What a probe that found nothing leaves of a message depends on its answer.
        let kind = param.role.object().filter(|kind| *kind != Object::Message)?;
        if call.mpi.destroyed() == Some((index, kind))
            && let Some(reason) = objection_to_free(constant)
        {
            return Some(format!("the {} of {} {reason}", handle_noun(kind), call.mpi.name));
        }
        // Where it is null because what it stood for has been freed, that is told already.
        let offset = location.offset.as_ref().and_then(|offset| state.facts.constant(offset))?;
        if set.known.lives.has_freed(kind, (location.object, offset)) {
            return None;
        }
        self.objection_to(call, param, Given::Constant(constant)).map(|(_, message)| message)
    }

    /// Where the handles are that a call is given, as far as that is known.
    fn places(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        (index, param): (usize, &Param),
    ) -> Vec<Location> {
        if !param.is_pointer() {
            let Some(ExprKind::Load(place)) = call.args.get(index).map(|arg| &arg.strip_casts().kind) else {
                return Vec::new();
            };
            return self.scope(state, set).locate(place).ok().flatten().into_iter().collect();
        }
        let number = if !param.is_array() {
            Some(1)
        } else if param.role == Role::Request {
            let length = call.at(call.mpi.param_with_role(Role::ArrayLength)).and_then(Value::as_int);
            length.and_then(|length| state.facts.constant(length))
        } else {
            None
        };
        let Some((object, offset)) = call.at(Some(index)).and_then(address) else { return Vec::new() };
        let number = number.filter(|number| (0..=LISTED).contains(number)).unwrap_or(0);
        // What is behind the end of the list is told by those who look at how long it is.
        let size = self.size(object).and_then(|size| state.facts.constant(&size));
        let fits = |offset: &Linear| {
            let end = state.facts.constant(offset).map(|offset| offset.saturating_add(HANDLE));
            size.zip(end).is_none_or(|(size, end)| end <= size)
        };
        let offsets = (0..number).filter_map(|i| offset.offset(i * HANDLE)).filter(fits);
        offsets.map(|offset| Location { object, offset: Some(offset) }).collect()
    }
}

/// Whether a type is that of a handle or of a status, or has members of it.
fn holds_handle(types: &TypeTable, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Named(name) => {
            Object::ALL.iter().any(|object| handle_rule(*object).is_some() && *object.ctype() == **name)
        }
        Type::Array(element, _) => holds_handle(types, *element),
        Type::Record(record) if types.record(*record).name.as_deref() == Some("MPI_Status") => true,
        Type::Record(record) => {
            types.record(*record).fields.iter().flatten().any(|field| holds_handle(types, field.ty))
        }
        _ => false,
    }
}
