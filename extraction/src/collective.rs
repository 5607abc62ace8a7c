//! Collective operations: what they exchange.

use frontend::ir::{Expr, Span};
use frontend::mpi::{CollectiveOp, Completion as Way, Direction, Role, constant};

use crate::arrays::array_of;
use crate::calls::{bytes, input, is_integer};
use crate::error::Result;
use crate::event::{CallSite, What};
use crate::extract::{Extractor, Frame, Named};
use crate::form::{Bound, Form, atoms};
use crate::memory::{Place, Value};
use crate::parameters;
use crate::region::Condition;
use crate::state::State;

/// Elements of a buffer whose values are followed one by one, at most.
const ELEMENTS: i64 = 16;

impl Extractor<'_> {
    pub(crate) fn collective(
        &mut self,
        frame: &Frame,
        state: &mut State,
        site: &CallSite,
        args: &[Expr],
        (operation, way): (CollectiveOp, Way),
    ) -> Result<()> {
        let communicator = self.communicator(frame, state, site, args)?.unwrap_or(0);
        let root = match site.mpi.param_with_role(Role::Root) {
            Some(at) => self.number(frame, state, (site, args.get(at)), "the root")?,
            None => None,
        };
        let position = self.position();
        let completion = self.completion(frame, state, way, site, args)?;
        let synchronizes = self.synchronizes(frame, state, (site, args), operation)?;
        let (amounts, is_in_buffers) =
            self.amounts(frame, state, (site, args), (operation, communicator, root.as_ref()))?;
        let root_of = root.clone();
        let what = What::Collective {
            communicator,
            root: root_of,
            synchronizes,
            completion,
            amounts,
            is_in_buffers,
        };
        self.record(frame, state, site, position, what)?;
        if way != Way::Blocking {
            return self.forget_outputs(frame, state, site, args);
        }
        let exchanged = match operation {
            CollectiveOp::Alltoall => self.exchanged_elements(frame, state, (site, args), communicator)?,
            _ => None,
        };
        for buffer in site.mpi.buffers() {
            if !buffer.direction.writes() {
                continue;
            }
            let Some(argument) = args.get(buffer.param) else { continue };
            // Another part of a communicator is told something else.
            let is_same = self.of_number(communicator).has_all
                && matches!(operation, CollectiveOp::Bcast | CollectiveOp::Allreduce);
            let part = |at: Option<usize>| at.and_then(|at| args.get(at));
            let count = match part(buffer.count) {
                Some(count) => match self.evaluate(frame, state, count)? {
                    Value::Number(form) => form.as_number(),
                    _ => None,
                },
                None => None,
            };
            let datatype = part(buffer.datatype).and_then(Expr::constant_name);
            let pointer = self.evaluate(frame, state, argument)?;
            // Elements of the buffer, and not parts of them or several at once.
            let is_whole = match (&pointer, datatype.and_then(bytes)) {
                (Value::Address(place), Some(size)) => self.has_bytes(place, size),
                _ => false,
            };
            let is_integer = is_whole && datatype.is_some_and(is_integer);
            // Ranks of another communicator are not those of the text around.
            let names_root = operation == CollectiveOp::Bcast && self.of_number(communicator).is_all;
            let of_part = root.as_ref().filter(|_| operation == CollectiveOp::Bcast && !names_root);
            let root = root.as_ref().filter(|_| names_root);
            match (pointer, count) {
                (Value::Address(place), Some(count))
                    if (is_same || of_part.is_some()) && is_integer && count <= ELEMENTS =>
                {
                    for at in 0..count {
                        let Some(place) = place.moved(&Form::number(at)) else {
                            self.forget(state, place.object);
                            break;
                        };
                        let of_class = match of_part {
                            Some(root) => self.told_in_part(state, &place, root, communicator)?,
                            None => None,
                        };
                        let value = match of_class {
                            Some(value) => value,
                            None if is_same => self.told(state, &place, root, site.span, at)?,
                            None => Value::Open,
                        };
                        self.write(state, &place, value);
                    }
                }
                (Value::Address(place), Some(1)) if is_integer && exchanged.is_some() => {
                    self.forget(state, place.object);
                    let size = part(buffer.datatype).and_then(Expr::constant_name).and_then(bytes);
                    if let (Some(array), Some(value), Some(size)) = (array_of(&place), &exchanged, size)
                        && self.has_elements(&array, size)
                    {
                        self.watch_spoiled(Some(array.object));
                        state.memory.write(array, value.clone());
                    }
                }
                (Value::Address(place), _) => {
                    let single = place.steps.is_empty() && is_same;
                    self.forget(state, place.object);
                    if single {
                        self.write(state, &place, Value::Same(0));
                    }
                }
                (Value::Open, _) => self.forget_exposed(state),
                _ => {}
            }
        }
        Ok(())
    }

    /// What each has got after a call that gives each one integer from each.
    fn exchanged_elements(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        communicator: usize,
    ) -> Result<Option<Value>> {
        let Some(sent) = site.mpi.buffers().find(|buffer| buffer.direction == Direction::In) else {
            return Ok(None);
        };
        let part = |at: Option<usize>| at.and_then(|at| args.get(at));
        let datatype = part(sent.datatype).and_then(Expr::constant_name).filter(|name| is_integer(name));
        let (Some(count), Some(buffer), Some(size)) =
            (part(sent.count), args.get(sent.param), datatype.and_then(bytes))
        else {
            return Ok(None);
        };
        let count = self.evaluate(frame, state, count)?;
        match self.evaluate(frame, state, buffer)? {
            Value::Address(place) if count == Value::Number(Form::number(1)) => match array_of(&place) {
                Some(array) if self.has_elements(&array, size) => self.exchanged(state, &array, communicator),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Whether a collective operation ends for nobody before all have begun it: a barrier, or what gives each something from each.
    fn synchronizes(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        operation: CollectiveOp,
    ) -> Result<bool> {
        match operation {
            CollectiveOp::Barrier => return Ok(true),
            CollectiveOp::Allreduce | CollectiveOp::Allgather | CollectiveOp::Alltoall => {}
            _ => return Ok(false),
        }
        let sent = site.mpi.buffers().find(|buffer| buffer.direction == Direction::In);
        let counted = sent.and_then(|buffer| buffer.count).or_else(|| site.mpi.param_with_role(Role::Count));
        let datatype = sent.and_then(|buffer| buffer.datatype).and_then(|at| args.get(at));
        let is_something = datatype.and_then(Expr::constant_name).and_then(constant).is_some();
        let Some(count) = counted.filter(|_| is_something).and_then(|at| args.get(at)) else {
            return Ok(false);
        };
        let Value::Number(count) = self.evaluate(frame, state, count)? else { return Ok(false) };
        state.region.implies(Bound::at_most(&Form::number(1), &count), &self.parameters)
    }

    /// What all have after a collective operation that tells all the same number: that of the root, if there is one.
    fn told(
        &mut self,
        state: &mut State,
        place: &Place,
        root: Option<&Form>,
        span: Span,
        at: i64,
    ) -> Result<Value> {
        if let Some(root) = root
            && !self.shared.contains(&place.object)
            && let Some(cell) = place.cell()
            && let Some(value @ Value::Number(form)) = state.memory.read(&cell)
        {
            let rank = self.rank();
            let is_root = Condition::is(Bound::equal(&rank, root));
            let (value, form) = (value.clone(), form.clone());
            let of_root = State { region: state.region.meet(&is_root, &self.parameters)?, ..state.clone() };
            // The root may make another call.
            let here = state.region.set.parameter_domain()?;
            let is_here = here.is_subset(&of_root.region.set.parameter_domain()?)?;
            if is_here && self.is_same(&value) {
                return Ok(value);
            }
            if is_here && let Some(number) = self.constant_of(&of_root, &form)? {
                return Ok(Value::Number(Form::number(number)));
            }
            // What it is for the root, as a number that all have.
            let parts = self.parts(&form).filter(|_| state.doubts.is_empty());
            if let (true, Some(parts)) = (is_here, parts) {
                let counters = self.counters.clone();
                let of_all = of_root.region.relation("", &counters, &parts, &self.parameters)?;
                if of_all.is_single_valued()? {
                    let at: Vec<u32> = parts.iter().map(|_| self.new_coordinate()).collect();
                    let rounds = atoms(&counters);
                    state.region = state.region.extended_by(&at, &rounds, &of_all, &self.parameters)?;
                    let number = self.parameters.number_with(&at);
                    self.uniform.extend(at);
                    return Ok(Value::Number(number));
                }
            }
        }
        let named = Named::Expression(self.variable_name(place).unwrap_or_else(input));
        let kind = parameters::Kind::Written(usize::try_from(at).unwrap_or(0));
        Ok(self.parameter(span, kind, named, &[]).unwrap_or(Value::Same(0)))
    }

    /// What all of a part have after the root has told them: what it is for the root of each part. `None` where that is not known.
    fn told_in_part(
        &mut self,
        state: &mut State,
        place: &Place,
        root: &Form,
        communicator: usize,
    ) -> Result<Option<Value>> {
        let known = place.cell().filter(|cell| !self.shared.contains(&cell.object));
        let Some(Value::Number(form)) = known.and_then(|cell| state.memory.read(&cell)).cloned() else {
            return Ok(None);
        };
        let Some(parts) = self.parts(&form).filter(|_| state.doubts.is_empty()) else { return Ok(None) };
        let mut of_root = state.clone();
        let rank = self.in_communicator(&mut of_root, communicator, false)?;
        let is_root = Bound::equal(&rank, root);
        let linear = match is_root {
            Some(is_root) => of_root.region.linear(&is_root, &self.parameters)?,
            None => None,
        };
        let Some(is_root) = linear else { return Ok(None) };
        let of_root = of_root.region.meet(&is_root, &self.parameters)?;
        let values = of_root.relation("", &self.kept(), &parts, &self.parameters)?;
        if !values.is_single_valued()? {
            return Ok(None);
        }
        // From each process to the root of its part, then to what it has in the same round.
        let roots = of_root.projected(&self.process)?.set;
        let of_process = self.of_number(communicator).mates()?.intersect_range(&roots)?;
        let (at_root, at) =
            (self.new_digits(), parts.iter().map(|_| self.new_coordinate()).collect::<Vec<u32>>());
        let told = state.region.extended_by(&at_root, &self.process(), &of_process, &self.parameters)?;
        let of = [atoms(&at_root), atoms(&self.counters)].concat();
        let told = told.extended_by(&at, &of, &values, &self.parameters)?;
        let told = told.projected(&[&state.region.coordinates[..], &at].concat())?;
        if !state.region.set.is_subset(&told.projected(&state.region.coordinates)?.set)? {
            return Ok(None);
        }
        state.region = told;
        Ok(Some(Value::Number(self.parameters.number_with(&at))))
    }
}
