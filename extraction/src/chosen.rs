//! Numbers that are one of two, and the same for all: `argc > 1 ? atoi(argv[1]) : 10`.
//!
//! Such a number is a parameter, like one that is read. Which of both it is, is a fact about the parameters; what follows is one path, and not
//! two. So it may be the width of digits, too.

use std::collections::BTreeMap;

use frontend::ir::{BlockId, Span};
use presburger::Set;

use crate::error::Result;
use crate::extract::{Extractor, Named};
use crate::form::{Atom, Bound, Form};
use crate::memory::{Cell, Object, Place, Value};
use crate::parameters::{Kind, Path, everywhere};
use crate::powers::MOVING;
use crate::region::Region;
use crate::state::State;

/// A variable in which a number is where ways come together: the calls on the way, the block, and the variable, whichever call of its function
/// it belongs to.
pub(crate) type Meeting = (Vec<Span>, BlockId, Cell);

impl Extractor<'_> {
    /// The parameter for a number that has a value on each of these ways. `None` where it is not the same for all, or is no sum of parameters.
    pub(crate) fn one_of(
        &mut self,
        path: Path,
        named: Named,
        ways: &[(Region, Form)],
    ) -> Result<Option<Form>> {
        let is_of_all = |form: &Form| form.is_linear() && form.coordinates().next().is_none();
        // In loops around it is the same number in each round: parameters alone decide about it.
        let kept = self.kept();
        let has_all = |region: &Region| kept.iter().all(|at| region.coordinates.contains(at));
        if !ways.iter().all(|(region, form)| is_of_all(form) && has_all(region)) {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for (region, form) in ways {
            parts.push((region.projected(&kept)?.set, form));
        }
        let mut all = parts[0].0.clone();
        for (part, _) in &parts[1..] {
            all = all.union(part)?;
        }
        // Parameters alone say which way it is, and it is one of them.
        let mut said: Vec<Set> = Vec::new();
        for (part, _) in &parts {
            let here = part.parameter_domain()?;
            if !all.intersect_parameters(&here)?.is_subset(part)? {
                return Ok(None);
            }
            for other in &said {
                if !other.is_disjoint(&here)? {
                    return Ok(None);
                }
            }
            said.push(here);
        }
        let chosen = self.parameter_on(path, named);
        self.ones_of_two.extend(chosen.parameters());
        if self.is_recording {
            for (part, form) in &parts {
                let here = part.parameter_domain()?;
                let equal: Vec<Bound> = Bound::equal(&chosen, form).into_iter().collect();
                let of_it = Region::of(&self.context, Vec::new())?.bounded(&equal, &self.parameters)?;
                self.facts.push((here.clone(), here.intersect(&of_it.set.parameter_domain()?)?));
            }
        }
        Ok(Some(chosen))
    }

    /// The number of a variable at a block.
    pub(crate) fn meeting(&mut self, block: BlockId, cell: &Cell) -> Option<usize> {
        let object = match cell.object {
            Object::Local(number, local) => {
                let function = self.frames.get(number as usize)?;
                Object::Static(function.unit, function.function.0, local)
            }
            other => other,
        };
        let meeting = (self.calls.clone(), block, Cell { object, path: cell.path.clone() });
        let count = self.meetings.len();
        Some(*self.meetings.entry(meeting).or_insert(count))
    }

    /// The same for a variable, where ways come together.
    pub(crate) fn one_of_in(
        &mut self,
        (block, cell): (BlockId, &Cell),
        ways: &[(Region, Form)],
    ) -> Result<Option<Form>> {
        let Some(number) = self.meeting(block, cell) else { return Ok(None) };
        let name = self.variable_name(&Place::of(cell.object)).filter(|_| cell.path.is_empty());
        let named = name.map_or_else(|| Named::Expression("number".to_owned()), Named::Variable);
        let path = everywhere(Kind::OneOfIn(number));
        self.one_of(path, named, ways)
    }

    /// The variables that hold other numbers on two ways that come together at a block, with the parameters for these.
    pub(crate) fn ones_of(
        &mut self,
        block: BlockId,
        one: &State,
        other: &State,
    ) -> Result<BTreeMap<Cell, Form>> {
        let mut found = BTreeMap::new();
        if !one.doubts.is_empty() || !other.doubts.is_empty() {
            return Ok(found);
        }
        for (cell, value) in one.memory.cells() {
            if let (Value::Number(a), Some(Value::Number(b))) = (value, other.memory.read(cell))
                && a != b
            {
                let ways = [(one.region.clone(), a.clone()), (other.region.clone(), b.clone())];
                if let Some(chosen) = self.one_of_in((block, cell), &ways)? {
                    found.insert(cell.clone(), chosen);
                }
            }
        }
        Ok(found)
    }

    /// The same for an expression.
    pub(crate) fn one_of_at(&mut self, span: Span, ways: &[(Region, Form)]) -> Result<Option<Form>> {
        let path = (self.calls.clone(), span, Kind::OneOf);
        self.one_of(path, Named::Expression("number".to_owned()), ways)
    }

    /// A number that parameters alone decide about, as one of these, and so the same in each round. `None` where it differs between processes
    /// or rounds.
    pub(crate) fn same_in_rounds(
        &mut self,
        state: &mut State,
        form: &Form,
        path: Path,
    ) -> Result<Option<Form>> {
        if form.coordinates().next().is_none() {
            return Ok(Some(form.clone()));
        }
        if !form.is_linear() {
            return Ok(None);
        }
        let own = |number: &Form| -> Vec<Bound> {
            Bound::equal(&Form::atom(Atom::Coordinate(MOVING)), number).into_iter().collect()
        };
        let values = state.region.extended(MOVING, &[own(form)], &self.parameters)?.projected(&[MOVING])?;
        if !values.set.lexicographic_minimum()?.is_equal(&values.set)? {
            return Ok(None);
        }
        let here = values.set.parameter_domain()?;
        let of_np = self.of_np();
        let is_determined = |name: &String| {
            of_np.contains(name) || self.determined.iter().any(|at| self.parameters.names[*at] == *name)
        };
        let is_of_np = values.set.parameters()?.iter().all(is_determined);
        let number = self.parameter_on(path, Named::Expression("number".to_owned()));
        self.determined.extend(number.parameters().into_iter().filter(|_| is_of_np));
        let possible = values.bounded(&own(&number), &self.parameters)?.set.parameter_domain()?;
        if self.is_recording {
            self.facts.push((here, possible.clone()));
        }
        state.region.set = state.region.set.intersect_parameters(&possible)?;
        Ok(Some(number))
    }
}
