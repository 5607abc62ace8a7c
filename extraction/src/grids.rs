//! Cartesian grids of processes (MPI-4.1 section 8.5): coordinates are the digits of ranks, with the numbers of processes in each direction
//! as widths.

use std::rc::Rc;

use frontend::ir::Expr;
use frontend::mpi::Query;

use crate::assemble::special;
use crate::assumption::Assumption;
use crate::communicators::Communicator;
use crate::error::Result;
use crate::event::CallSite;
use crate::extract::{Extractor, Frame, Named};
use crate::form::{Bound, Form};
use crate::memory::{Place, Value};
use crate::parameters::{Kind, everywhere};
use crate::region::{Condition, Region};
use crate::state::State;

/// Directions that a grid may have.
const DIRECTIONS: i64 = 4;

/// A grid of processes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    /// How many processes there are in each direction, the one whose coordinate changes slowest first.
    pub(crate) sizes: Vec<Form>,
    /// Whether the last one is followed by the first one.
    pub(crate) is_periodic: Vec<bool>,
}

impl Extractor<'_> {
    /// The elements of an array of numbers.
    fn numbers_at(&mut self, state: &mut State, array: &Value, count: i64) -> Result<Option<Vec<Form>>> {
        let Value::Address(place) = array else { return Ok(None) };
        let mut all = Vec::new();
        for at in 0..count {
            let Some(place) = element(place, at) else { return Ok(None) };
            let known = place.cell().and_then(|cell| state.memory.read(&cell).cloned());
            let value = match known {
                Some(value) => value,
                None => self.read_element(state, &place)?,
            };
            match value {
                Value::Number(form) => all.push(form),
                _ => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// How many processes the communicator of a call has, if they are in a grid.
    pub(crate) fn size_of_grid(
        &mut self,
        frame: &Frame,
        state: &mut State,
        args: &[Expr],
    ) -> Result<Option<Form>> {
        let Some(communicator) = args.first() else { return Ok(None) };
        match self.handle(frame, state, communicator)? {
            Value::Communicator { grid: Some(grid), .. } => Ok(self.volume(&grid.sizes)),
            _ => Ok(None),
        }
    }

    /// How many processes a grid of these sizes has.
    fn volume(&mut self, sizes: &[Form]) -> Option<Form> {
        let mut volume = Form::number(1);
        // The last direction changes fastest: its size is the width of the lowest digit.
        for size in sizes.iter().rev() {
            volume = self.product(&volume, size)?;
        }
        Some(volume)
    }

    /// What `MPI_Cart_create` makes. `None` where that is not followed.
    pub(crate) fn grid(
        &mut self,
        frame: &Frame,
        state: &mut State,
        number: usize,
        (site, args): (&CallSite, &[Expr]),
    ) -> Result<Option<Value>> {
        let [_, _, _, _, reorder, _] = args else { return Ok(None) };
        if !state.doubts.is_empty() {
            return Ok(None);
        }
        let Some(Grid { sizes, is_periodic }) = self.shape(frame, state, (site, args))? else {
            return Ok(None);
        };
        let is_kept = matches!(
            self.evaluate(frame, state, reorder)?,
            Value::Number(reorder) if reorder.as_number() == Some(0)
        );
        let Some(volume) = self.volume(&sizes) else { return Ok(None) };
        let size = self.in_communicator(state, number, true)?;
        let rank = self.in_communicator(state, number, false)?;
        // A grid of more processes than there are is an error.
        let mut bounds: Vec<Bound> = Bound::at_most(&volume, &size).into_iter().collect();
        bounds.extend(sizes.iter().filter_map(|size| Bound::at_most(&Form::number(1), size)));
        let mut is_fitting = true;
        for bound in &bounds {
            is_fitting &= state.region.implies(Some(bound.clone()), &self.parameters)?;
        }
        if !is_fitting {
            let is_of_all = sizes.iter().chain([&size]).flat_map(Form::coordinates).all(|at| self.counts(at));
            let fitting = state.region.where_linear(&bounds, &self.parameters)?;
            let Some(fitting) = fitting.filter(|_| is_of_all) else { return Ok(None) };
            if fitting.is_empty()? {
                return Ok(None);
            }
            self.assume(Assumption::GridFits(site.function, site.span));
            state.region = fitting;
        }
        if !is_kept {
            self.assume(Assumption::KeepsOrder(site.function, site.span));
        }
        let is_whole = state.region.implies(Bound::equal(&volume, &size), &self.parameters)?;
        let grid = Some(Rc::new(Grid { sizes, is_periodic }));
        if is_whole {
            let number = self.duplicated(number, site);
            return Ok(Some(Value::Communicator { number, colour: None, grid }));
        }
        let Some(is_member) = Bound::below(&rank, &volume) else { return Ok(None) };
        let Some(is_member) = state.region.linear(&is_member, &self.parameters)? else { return Ok(None) };
        let members = state.region.meet(&is_member, &self.parameters)?;
        let others = state.region.meet(&is_member.negated(), &self.parameters)?;
        let processes = members.projected(&self.process)?;
        let parent = self.of_number(number).clone();
        let sizes = if volume.is_linear() {
            members.relation("", &self.process, std::slice::from_ref(&volume), &self.parameters)?
        } else {
            presburger::Relation::empty(&self.context)?
        };
        let places = parent.places.intersect_domain(&processes.set)?;
        let made = Communicator {
            places,
            sizes,
            is_all: false,
            has_all: false,
            origin: Some((number, site.clone())),
            rounds: self.prefix.len(),
            ..parent
        };
        let number = self.keep(site.span, made);
        let undefined = Form::number(special("MPI_UNDEFINED"));
        let Some((region, colour)) =
            self.in_cases(&state.region.coordinates, &[(members, Form::default()), (others, undefined)])?
        else {
            return Ok(None);
        };
        state.region = region;
        Ok(Some(Value::Communicator { number, colour: Some(colour), grid }))
    }

    /// The sizes of a grid that a call makes, and in which directions it goes round. `None` where these are not known.
    fn shape(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
    ) -> Result<Option<Grid>> {
        let [_, count, sizes, periods, _, _] = args else { return Ok(None) };
        let Value::Number(count) = self.evaluate(frame, state, count)? else { return Ok(None) };
        let Some(count) = count.as_number().filter(|count| (1..=DIRECTIONS).contains(count)) else {
            return Ok(None);
        };
        let [sizes, periods] = [sizes, periods].map(|array| self.evaluate(frame, state, array));
        let (Some(mut sizes), Some(periods)) =
            (self.numbers_at(state, &sizes?, count)?, self.numbers_at(state, &periods?, count)?)
        else {
            return Ok(None);
        };
        // The same in each round of the loops around.
        if !self.counters.is_empty() {
            for (index, size) in sizes.iter_mut().enumerate() {
                let path = (self.calls.clone(), site.span, Kind::Dimension(index));
                match self.same_in_rounds(state, size, path)? {
                    Some(same) => *size = same,
                    None => return Ok(None),
                }
            }
        }
        let is_periodic: Option<Vec<bool>> =
            periods.iter().map(|period| period.as_number().map(|period| period != 0)).collect();
        Ok(is_periodic.map(|is_periodic| Grid { sizes, is_periodic }))
    }

    /// A grid of just the processes that are followed.
    pub(crate) fn grid_of_part(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
    ) -> Result<Option<Rc<Grid>>> {
        let Some(grid) = self.shape(frame, state, (site, args))? else { return Ok(None) };
        let Some(volume) = self.volume(&grid.sizes) else { return Ok(None) };
        let size = self.number_of_processes();
        let mut bounds: Vec<Bound> = Bound::equal(&volume, &size).into_iter().collect();
        bounds.extend(grid.sizes.iter().filter_map(|size| Bound::at_most(&Form::number(1), size)));
        self.assume(Assumption::GridFits(site.function, site.span));
        // With digits this is linear.
        if let Some(fitting) = state.region.where_linear(&bounds, &self.parameters)? {
            if fitting.is_empty()? {
                return Ok(None);
            }
            if self.is_recording {
                let (before, possible) =
                    (state.region.set.parameter_domain()?, fitting.set.parameter_domain()?);
                self.facts.push((before, possible));
            }
            state.region = fitting;
        }
        Ok(Some(Rc::new(grid)))
    }

    /// What `MPI_Cart_sub` makes: one communicator for all processes that agree in the other directions. `None` where that is not followed.
    pub(crate) fn part_of_grid(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (number, grid): (usize, &Grid),
        (site, args): (&CallSite, &[Expr]),
    ) -> Result<Option<Value>> {
        let [_, remains, _] = args else { return Ok(None) };
        let remains = self.evaluate(frame, state, remains)?;
        let count = i64::try_from(grid.sizes.len()).unwrap_or(0);
        let Some(remains) = self.numbers_at(state, &remains, count)? else { return Ok(None) };
        let remains: Option<Vec<bool>> =
            remains.iter().map(|remains| remains.as_number().map(|remains| remains != 0)).collect();
        let Some(remains) = remains else { return Ok(None) };
        let rank = self.in_communicator(state, number, false)?;
        let Some(coordinates) = self.coordinates(state, grid, &rank)? else { return Ok(None) };
        let mut parts = [Vec::new(), Vec::new()];
        for (at, remains) in remains.iter().enumerate() {
            parts[usize::from(*remains)].push(at);
        }
        let [colour, key] = parts.map(|directions| {
            let chosen = Grid {
                sizes: directions.iter().map(|&at| grid.sizes[at].clone()).collect(),
                is_periodic: directions.iter().map(|&at| grid.is_periodic[at]).collect(),
            };
            let of: Vec<Form> = directions.iter().map(|&at| coordinates[at].clone()).collect();
            (self.rank_at(&chosen, &of), chosen)
        });
        let ((Some(colour), _), (Some(key), grid)) = (colour, key) else { return Ok(None) };
        let (colour, key) = (Value::Number(colour), Value::Number(key));
        let made = self.split(state, number, (&colour, &key), site)?;
        Ok(made.map(|made| match made {
            Value::Communicator { number, colour, .. } => {
                let has_directions = !grid.sizes.is_empty();
                Value::Communicator { number, colour, grid: has_directions.then(|| Rc::new(grid)) }
            }
            other => other,
        }))
    }

    /// The coordinates of a rank.
    fn coordinates(&mut self, state: &mut State, grid: &Grid, rank: &Form) -> Result<Option<Vec<Form>>> {
        let mut coordinates = Vec::new();
        let mut rest = rank.clone();
        for size in grid.sizes[1..].iter().rev() {
            let (Some(quotient), Some(remainder)) = self.divided(state, &rest, size)? else {
                return Ok(None);
            };
            coordinates.push(remainder);
            rest = quotient;
        }
        coordinates.push(rest);
        coordinates.reverse();
        Ok(Some(coordinates))
    }

    /// The rank at some coordinates.
    fn rank_at(&mut self, grid: &Grid, coordinates: &[Form]) -> Option<Form> {
        let mut rank = Form::default();
        for (size, coordinate) in grid.sizes.iter().zip(coordinates) {
            rank = self.product(&rank, size)?.plus(coordinate, 1)?;
        }
        Some(rank)
    }

    /// A coordinate within a direction that goes round: the region in which it is inside is extended by it.
    fn around(&mut self, region: &Region, coordinate: &Form, size: &Form) -> Result<Option<(Region, Form)>> {
        let mut cases = Vec::new();
        let mut left = region.clone();
        for times in -1..=1 {
            let Some(moved) = coordinate.plus(size, -times) else { return Ok(None) };
            let inside = [Some(Bound::not_negative(moved.clone())), Bound::below(&moved, size)];
            let inside: Vec<Bound> = inside.into_iter().flatten().collect();
            let Some(part) = region.where_linear(&inside, &self.parameters)? else { return Ok(None) };
            if !part.is_empty()? {
                left.set = left.set.subtract(&part.set)?;
                cases.push((part, moved));
            }
        }
        if !left.is_empty()? {
            return Ok(None);
        }
        match cases.as_slice() {
            [(_, moved)] => Ok(Some((region.clone(), moved.clone()))),
            cases => self.in_cases(&region.coordinates, cases),
        }
    }

    /// The neighbour that is so far away in a direction, or nobody.
    fn neighbour(
        &mut self,
        state: &mut State,
        grid: &Grid,
        (rank, coordinates): (&Form, &[Form]),
        (direction, distance): (usize, &Form),
    ) -> Result<Option<Form>> {
        let size = &grid.sizes[direction];
        let Some(moved) = coordinates[direction].plus(distance, 1) else { return Ok(None) };
        let mut stride = Some(Form::number(1));
        for size in grid.sizes[direction + 1..].iter().rev() {
            stride = stride.and_then(|stride| self.product(&stride, size));
        }
        let Some(stride) = stride else { return Ok(None) };
        if grid.is_periodic[direction] {
            let Some((region, moved)) = self.around(&state.region, &moved, size)? else { return Ok(None) };
            let by = moved.plus(&coordinates[direction], -1);
            let neighbour = by.and_then(|by| rank.plus(&self.product(&by, &stride)?, 1));
            state.region = region;
            return Ok(neighbour);
        }
        let there = self.product(distance, &stride).and_then(|by| rank.plus(&by, 1));
        let Some(there) = there else { return Ok(None) };
        let inside = Condition::All(vec![
            Condition::is(Some(Bound::not_negative(moved.clone()))),
            Condition::is(Bound::below(&moved, size)),
        ]);
        let nobody = Form::number(special("MPI_PROC_NULL"));
        let cases = [(inside.clone(), there), (inside.negated(), nobody)]
            .map(|(condition, value)| Ok((state.region.meet(&condition, &self.parameters)?, value)));
        let cases = cases.into_iter().collect::<Result<Vec<_>>>()?;
        Ok(self.in_cases(&state.region.coordinates, &cases)?.map(|(region, value)| {
            state.region = region;
            value
        }))
    }

    /// The neighbour in a direction that may differ, such as the counter of a loop.
    fn shifted(
        &mut self,
        state: &mut State,
        grid: &Grid,
        own: (&Form, &[Form]),
        (direction, distance): (&Form, &Form),
    ) -> Result<Option<Form>> {
        if let Some(direction) = direction.as_number() {
            let direction = usize::try_from(direction).ok().filter(|direction| *direction < grid.sizes.len());
            return match direction {
                Some(direction) => self.neighbour(state, grid, own, (direction, distance)),
                None => Ok(None),
            };
        }
        let mut cases = Vec::new();
        let mut left = state.region.clone();
        for (number, at) in (0..).zip(0..grid.sizes.len()) {
            let is_it = Condition::is(Bound::equal(direction, &Form::number(number)));
            let region = state.region.meet(&is_it, &self.parameters)?;
            if region.is_empty()? {
                continue;
            }
            left.set = left.set.subtract(&region.set)?;
            let mut here = State { region, ..state.clone() };
            let Some(neighbour) = self.neighbour(&mut here, grid, own, (at, distance))? else {
                return Ok(None);
            };
            cases.push((here.region, neighbour));
        }
        if !left.is_empty()? {
            return Ok(None);
        }
        Ok(self.in_cases(&state.region.coordinates, &cases)?.map(|(region, neighbour)| {
            state.region = region;
            neighbour
        }))
    }

    /// What is asked about a grid. Nothing is known of the answer where that is not followed.
    pub(crate) fn grid_query(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        query: Query,
    ) -> Result<()> {
        let mut answers: Vec<(Option<Place>, Form)> = Vec::new();
        let handle = match args.first() {
            Some(communicator) => self.handle(frame, state, communicator)?,
            None => Value::Open,
        };
        let values = args
            .iter()
            .map(|argument| self.evaluate(frame, state, argument))
            .collect::<Result<Vec<Value>>>()?;
        let at = |value: &Value, index: i64| match value {
            Value::Address(place) => element(place, index),
            _ => None,
        };
        match (query, &handle, values.as_slice()) {
            (Query::DimsCreate, _, [Value::Number(processes), Value::Number(count), sizes]) => {
                if let Some(found) = self.balanced(state, site, (processes, count), sizes)? {
                    answers.extend((0..).zip(found).map(|(index, size)| (at(sizes, index), size)));
                }
            }
            (
                Query::CartCoords,
                Value::Communicator { grid: Some(grid), .. },
                [_, Value::Number(rank), _, to],
            ) => {
                if let Some(coordinates) = self.coordinates(state, grid, rank)? {
                    answers.extend((0..).zip(coordinates).map(|(index, form)| (at(to, index), form)));
                }
            }
            (Query::CartRank, Value::Communicator { grid: Some(grid), .. }, [_, from, to]) => {
                let count = i64::try_from(grid.sizes.len()).unwrap_or(0);
                if let Some(coordinates) = self.numbers_at(state, from, count)?
                    && let Some(coordinates) = self.inside(state, grid, coordinates)?
                    && let Some(rank) = self.rank_at(grid, &coordinates)
                {
                    answers.push((at(to, 0), rank));
                }
            }
            (
                Query::CartShift,
                Value::Communicator { number, grid: Some(grid), .. },
                [_, Value::Number(direction), Value::Number(distance), from, to],
            ) => {
                let rank = self.in_communicator(state, *number, false)?;
                if let Some(coordinates) = self.coordinates(state, grid, &rank)?
                    && let Some(back) = distance.times(-1)
                {
                    for (place, distance) in [(from, &back), (to, distance)] {
                        let own = (&rank, &coordinates[..]);
                        if let Some(neighbour) = self.shifted(state, grid, own, (direction, distance))? {
                            answers.push((at(place, 0), neighbour));
                        }
                    }
                }
            }
            (
                Query::CartGet,
                Value::Communicator { number, grid: Some(grid), .. },
                [_, _, sizes, periods, own],
            ) => {
                let rank = self.in_communicator(state, *number, false)?;
                let coordinates = self.coordinates(state, grid, &rank)?.unwrap_or_default();
                for (index, (size, is_periodic)) in (0..).zip(grid.sizes.iter().zip(&grid.is_periodic)) {
                    answers.push((at(sizes, index), size.clone()));
                    answers.push((at(periods, index), Form::number(i64::from(*is_periodic))));
                }
                answers.extend((0..).zip(coordinates).map(|(index, form)| (at(own, index), form)));
            }
            (Query::CartdimGet, Value::Communicator { grid: Some(grid), .. }, [_, count]) => {
                let directions = i64::try_from(grid.sizes.len()).unwrap_or(0);
                answers.push((at(count, 0), Form::number(directions)));
            }
            _ => {}
        }
        // What is answered is written, and nothing else.
        let expected = match query {
            Query::CartShift => 2,
            _ => 1,
        };
        if answers.len() < expected || answers.iter().any(|(place, _)| place.is_none()) {
            self.forget_outputs(frame, state, site, args)?;
        }
        for (place, form) in answers {
            if let Some(place) = place {
                self.put(state, &place, Value::Number(form))?;
            }
        }
        Ok(())
    }

    /// Coordinates in a grid, those of directions that go round within them. `None` where some may be outside.
    fn inside(
        &mut self,
        state: &mut State,
        grid: &Grid,
        coordinates: Vec<Form>,
    ) -> Result<Option<Vec<Form>>> {
        let mut inside = Vec::new();
        for ((size, is_periodic), coordinate) in grid.sizes.iter().zip(&grid.is_periodic).zip(coordinates) {
            let bounds = [Some(Bound::not_negative(coordinate.clone())), Bound::below(&coordinate, size)];
            let mut is_inside = true;
            for bound in bounds {
                is_inside &= state.region.implies(bound, &self.parameters)?;
            }
            inside.push(match (is_inside, is_periodic) {
                (true, _) => coordinate,
                (false, true) => match self.around(&state.region, &coordinate, size)? {
                    Some((region, around)) => {
                        state.region = region;
                        around
                    }
                    None => return Ok(None),
                },
                (false, false) => return Ok(None),
            });
        }
        Ok(Some(inside))
    }

    /// What `MPI_Dims_create` finds (MPI-4.1 section 8.5.2): numbers whose product is that of the processes, those that it chooses in
    /// descending order.
    fn balanced(
        &mut self,
        state: &mut State,
        site: &CallSite,
        (processes, count): (&Form, &Form),
        sizes: &Value,
    ) -> Result<Option<Vec<Form>>> {
        let Some(count) = count.as_number().filter(|count| (1..=DIRECTIONS).contains(count)) else {
            return Ok(None);
        };
        let given = self.numbers_at(state, sizes, count)?;
        let Some(given) = given.filter(|given| given.iter().all(|size| size.as_number().is_some())) else {
            return Ok(None);
        };
        if !processes.coordinates().all(|at| self.counts(at)) {
            return Ok(None);
        }
        let left = state.region.set.parameter_domain()?;
        let is_of_all =
            *processes == self.number_of_processes() && given.iter().all(|size| size.as_number() == Some(0));
        let mut found: Vec<Form> = Vec::new();
        let mut last: Option<Form> = None;
        for (index, size) in (0_usize..).zip(&given) {
            if size.as_number() != Some(0) {
                found.push(size.clone());
                continue;
            }
            let chosen = if is_of_all {
                // The same wherever it is called.
                let named = Named::Variable(format!("dim_{index}_of_{count}(np)"));
                let chosen = self.parameter_on(everywhere(Kind::DimensionOfAll(count, index)), named);
                self.determined.extend(chosen.parameters());
                chosen
            } else {
                let named = Named::Expression(format!("dim_{index}"));
                let of = Value::Number(processes.clone());
                match self.parameter(site.span, Kind::Dimension(index), named, &[&of]) {
                    Some(Value::Number(chosen)) => chosen,
                    _ => return Ok(None),
                }
            };
            let mut bounds: Vec<Bound> = Bound::at_most(&Form::number(1), &chosen).into_iter().collect();
            bounds.extend(last.as_ref().and_then(|last| Bound::at_most(&chosen, last)));
            state.region = state.region.bounded(&bounds, &self.parameters)?;
            last = Some(chosen.clone());
            found.push(chosen);
        }
        if let Some(volume) = self.volume(&found)
            && let Some(all) = Bound::equal(&volume, processes)
            && let Some(region) = state.region.where_linear(&[all], &self.parameters)?
        {
            state.region = region;
        }
        if self.is_recording {
            self.facts.push((left, state.region.set.parameter_domain()?));
        }
        Ok(Some(found))
    }
}

/// An element of an array, given by its first one.
fn element(array: &Place, at: i64) -> Option<Place> {
    match array.moved(&Form::number(at)) {
        Some(place) => Some(place),
        None => Some(array.with(crate::memory::Step::At(Form::number(at)))),
    }
}
