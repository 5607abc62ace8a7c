//! Cartesian communicators (MPI-4.1 section 8.5): grids of processes, coordinates, neighbours.
//!
//! The members of a grid are in row-major order. Coordinates are digits of the rank in it, the last one the least significant: asking
//! for them divides the process set, and what lies next in some direction is the rank and a stride.

use frontend::ir::BinaryOp;
use frontend::mpi::Query;
use lattice::{Constraints, Linear, Truth};

use super::Engine;
use super::eval::Scope;
use super::group::{Group, Progression};
use super::mpi::Call;
use super::need::{Need, decide_eq, decide_le};
use super::state::{Communicator, ProcessSet, State};
use super::value::Value;
use crate::rules::Rule;

/// Most dimensions of a grid that is followed.
const DIMENSIONS: i64 = 4;

/// What a Cartesian communicator knows of its grid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    /// Processes in each direction, the slowest first.
    pub(crate) dims: Vec<Linear>,
    /// Whether the last one in a direction is next to the first.
    pub(crate) periods: Vec<bool>,
}

impl Grid {
    /// Distance in rank between neighbours in a direction.
    fn stride(&self, direction: usize) -> Option<Linear> {
        self.dims[direction + 1..].iter().try_fold(Linear::from(1), |stride, dim| stride.times(dim))
    }

    /// Number of processes.
    fn size(&self) -> Option<Linear> {
        self.dims.iter().try_fold(Linear::from(1), |size, dim| size.times(dim))
    }

    /// Whether both are proved equal.
    pub(crate) fn same(&self, other: &Self, facts: &Constraints) -> bool {
        self.periods == other.periods
            && self.dims.len() == other.dims.len()
            && self.dims.iter().zip(&other.dims).all(|(a, b)| facts.eq(a, b) == Truth::Yes)
    }
}

/// Processes in each direction for a positive number of processes: as close to each other as possible, in descending order (MPI-4.1
/// section 8.5.2).
pub(crate) fn balanced(processes: i32, directions: usize) -> Vec<i64> {
    /// `divisors` are those of the number, ascending, that are not greater than the dimension chosen last.
    fn search(
        left: i64,
        directions: usize,
        divisors: &[i64],
        chosen: &mut Vec<i64>,
        best: &mut Option<Vec<i64>>,
    ) {
        if directions == 0 {
            // The least first one, then the greatest last one.
            if left == 1
                && best.as_ref().is_none_or(|best| {
                    (chosen[0], std::cmp::Reverse(chosen.last())) < (best[0], std::cmp::Reverse(best.last()))
                })
            {
                *best = Some(chosen.clone());
            }
            return;
        }
        for (index, &dim) in divisors.iter().enumerate().filter(|(_, dim)| left % **dim == 0) {
            chosen.push(dim);
            search(left / dim, directions - 1, &divisors[..=index], chosen, best);
            chosen.pop();
        }
    }
    let processes = i64::from(processes);
    let small = (1..=processes.isqrt()).filter(|dim| processes % dim == 0);
    let mut divisors: Vec<i64> = small.flat_map(|dim| [dim, processes / dim]).collect();
    divisors.sort_unstable();
    divisors.dedup();
    let mut best = None;
    search(processes, directions, &divisors, &mut Vec::new(), &mut best);
    best.unwrap_or_default()
}

/// What the function of a number of processes is called that gives the extent of a direction.
fn dimension(index: usize, directions: usize) -> String {
    format!("dim_{index}_of_{directions}")
}

/// The direction and their number of a function of that name.
pub(crate) fn parse_dimension(function: &str) -> Option<(usize, usize)> {
    let (index, directions) = function.strip_prefix("dim_")?.split_once("_of_")?;
    Some((index.parse().ok()?, directions.parse().ok()?))
}

/// The value of a function of that name for a number of processes that MPI can count.
pub(crate) fn dimension_value(function: &str, processes: i64) -> Option<i64> {
    let (index, directions) = parse_dimension(function)?;
    let processes = i32::try_from(processes).ok().filter(|&processes| processes > 0)?;
    balanced(processes, directions).get(index).copied()
}

impl Engine<'_> {
    /// The grid and the members of the communicator that `MPI_Cart_create` makes.
    pub(crate) fn grid_made(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        old: &Group,
    ) -> Result<(Group, Grid), Need> {
        let unknown = || Need::give_up(format!("the grid of `{}` is not known", call.mpi.name));
        let directions = self.directions(state, call.at(Some(1))).ok_or_else(unknown)?;
        let mut dims = self.integers(state, set, call.at(Some(2)), directions).ok_or_else(unknown)?;
        // Directions of one extent have it in one form: what is divided by one of them is divided by the other.
        for at in 1..dims.len() {
            if let Some(first) = (0..at).find(|&first| state.facts.eq(&dims[first], &dims[at]) == Truth::Yes)
            {
                dims[at] = dims[first].clone();
            }
        }
        let flags = self.integers(state, set, call.at(Some(3)), directions).ok_or_else(unknown)?;
        let facts = &state.facts;
        for dim in &dims {
            if !dim.is_uniform() || !decide_le(&1.into(), dim, facts)? {
                return Err(unknown());
            }
        }
        let mut periods = Vec::new();
        for flag in &flags {
            if !flag.is_uniform() {
                return Err(unknown());
            }
            periods.push(!decide_eq(flag, &Linear::zero(), facts)?);
        }
        self.keeps_order(state, set, call, 4)?;
        let facts = &state.facts;
        let grid = Grid { dims, periods };
        let (count, all) = grid.size().zip(old.size()).ok_or_else(unknown)?;
        if !decide_le(&count, &all, facts)? {
            return Err(Need::give_up(format!("`{}` asks for more processes than there are", call.mpi.name)));
        }
        if decide_le(&all, &count, facts)? {
            return Ok((old.clone(), grid));
        }
        let first = Progression { first: Linear::zero(), step: 1.into(), count };
        let group = old.selected(&first).ok_or_else(unknown)?;
        // Members and others go different ways from here.
        group.tell_apart(&set.ranks, facts)?;
        Ok((group, grid))
    }

    /// The parts of a grid that `MPI_Cart_sub` makes: by the coordinates in directions that are not kept, ordered by the others.
    pub(crate) fn grid_kept(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        old: &Communicator,
    ) -> Result<(Linear, Linear, Grid), Need> {
        let unknown =
            || Need::give_up(format!("which parts of a grid `{}` makes is not known", call.mpi.name));
        let Some(grid) = &old.grid else {
            return Err(Need::give_up(format!("`{}` of a communicator that is no grid", call.mpi.name)));
        };
        let flags = self.integers(state, set, call.at(Some(1)), grid.dims.len()).ok_or_else(unknown)?;
        let mine = set.ranks.settle(&Linear::rank(), &state.facts);
        let rank = old.group.local_rank(&mine, &set.ranks, &state.facts).ok_or_else(unknown)?;
        let mut scope = self.scope(state, set);
        let own = scope.coordinates(grid, &rank)?.ok_or_else(unknown)?;
        let (mut colour, mut key) = (Linear::zero(), Linear::zero());
        let mut kept = Grid { dims: Vec::new(), periods: Vec::new() };
        for (direction, flag) in flags.iter().enumerate() {
            if !flag.is_uniform() {
                return Err(unknown());
            }
            let dim = &grid.dims[direction];
            let keeps = !decide_eq(flag, &Linear::zero(), scope.facts)?;
            let number = if keeps { &mut key } else { &mut colour };
            let above = scope.ranks.product(number, dim);
            *number = above.and_then(|above| above.add(&own[direction])).ok_or_else(unknown)?;
            if keeps {
                kept.dims.push(dim.clone());
                kept.periods.push(grid.periods[direction]);
            }
        }
        Ok((colour, key, kept))
    }

    /// How many dimensions an argument says that there are, where that is known and so many are followed.
    pub(crate) fn directions(&self, state: &State, value: Option<&Value>) -> Option<usize> {
        let number = state.facts.constant(value?.as_int()?)?;
        usize::try_from(number).ok().filter(|_| (1..=DIMENSIONS).contains(&number))
    }

    /// Inquiries about grids; `false` where the answer is not known.
    pub(crate) fn grid_query(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        query: Query,
        call: &Call<'_>,
    ) -> Result<bool, Need> {
        if query == Query::DimsCreate {
            return self.dims_create(state, set, call);
        }
        let Ok(communicator) = self.communicator(call) else { return Ok(false) };
        let Some(grid) = &communicator.grid else {
            if query == Query::TopoTest && communicator.graph.is_none() {
                let answer = Value::Name("MPI_UNDEFINED".into());
                self.store_integers(state, set, call.at(Some(1)), &[answer]);
            }
            return Ok(query == Query::TopoTest && communicator.graph.is_none());
        };
        let directions = grid.dims.len();
        let own = |state: &State, set: &ProcessSet| {
            let mine = set.ranks.settle(&Linear::rank(), &state.facts);
            communicator.group.local_rank(&mine, &set.ranks, &state.facts)
        };
        match query {
            Query::TopoTest => {
                self.store_integers(state, set, call.at(Some(1)), &[Value::Name("MPI_CART".into())]);
            }
            Query::CartdimGet => {
                let number = Value::int(i64::try_from(directions).unwrap_or_default());
                self.store_integers(state, set, call.at(Some(1)), &[number]);
            }
            Query::CartCoords => {
                let Some(rank) = call.at(Some(1)).and_then(Value::as_int).cloned() else { return Ok(false) };
                let Some(coordinates) = self.scope(state, set).coordinates(grid, &rank)? else {
                    return Ok(false);
                };
                self.store_coordinates(state, set, call, 2, 3, coordinates);
            }
            Query::CartGet => {
                let Some(rank) = own(state, set) else { return Ok(false) };
                let Some(coordinates) = self.scope(state, set).coordinates(grid, &rank)? else {
                    return Ok(false);
                };
                self.store_coordinates(state, set, call, 1, 2, grid.dims.clone());
                let flags = grid.periods.iter().map(|&periodic| i64::from(periodic).into()).collect();
                self.store_coordinates(state, set, call, 1, 3, flags);
                self.store_coordinates(state, set, call, 1, 4, coordinates);
            }
            Query::CartRank => {
                let Some(coordinates) = self.integers(state, set, call.at(Some(1)), directions) else {
                    return Ok(false);
                };
                let mut scope = self.scope(state, set);
                let mut rank = Linear::zero();
                for (direction, coordinate) in coordinates.iter().enumerate() {
                    let Some(Some(inside)) = scope.wrapped(grid, direction, coordinate)? else {
                        return Ok(false);
                    };
                    let part =
                        grid.stride(direction).and_then(|stride| scope.ranks.product(&inside, &stride));
                    let Some(sum) = part.and_then(|part| rank.add(&part)) else { return Ok(false) };
                    rank = sum;
                }
                self.store_integers(state, set, call.at(Some(2)), &[Value::Int(rank)]);
            }
            Query::CartShift => {
                let number = |index| call.at(Some(index)).and_then(Value::as_int);
                let direction = number(1).and_then(|d| state.facts.constant(d));
                let has = |d: i64| usize::try_from(d).is_ok_and(|d| d < directions);
                if let Some(direction) = direction.filter(|&d| !has(d)) {
                    self.report_direction(state, set, call, direction, directions);
                }
                let direction = direction.and_then(|d| usize::try_from(d).ok()).filter(|&d| d < directions);
                let (Some(direction), Some(by), Some(rank)) =
                    (direction, number(2).cloned(), own(state, set))
                else {
                    return Ok(false);
                };
                let mut ends = Vec::new();
                for by in [by.scale(-1), Some(by)] {
                    let Some(by) = by else { return Ok(false) };
                    let Some(end) = self.scope(state, set).shifted(grid, direction, &rank, &by)? else {
                        return Ok(false);
                    };
                    ends.push(end);
                }
                self.store_integers(state, set, call.at(Some(3)), &ends[..1]);
                self.store_integers(state, set, call.at(Some(4)), &ends[1..]);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reports a direction that a grid does not have.
    fn report_direction(
        &mut self,
        state: &State,
        set: &ProcessSet,
        call: &Call<'_>,
        direction: i64,
        directions: usize,
    ) {
        let Some(arg) = call.args.get(1) else { return };
        let most = directions.saturating_sub(1);
        let message =
            format!("the direction of {} is {direction}; those of the grid are 0 to {most}", call.mpi.name);
        let place = (set.frame().function, arg.span);
        self.report(Rule::InvalidCount, state, &set.ranks, place, message, Vec::new());
    }

    /// Stores as many of these numbers as an argument says there is room for.
    fn store_coordinates(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        room: usize,
        to: usize,
        numbers: Vec<Linear>,
    ) {
        let room = call.at(Some(room)).and_then(Value::as_int).and_then(|n| state.facts.constant(n));
        let room = room.and_then(|n| usize::try_from(n).ok()).unwrap_or(numbers.len());
        let values: Vec<Value> = numbers.into_iter().take(room).map(Value::Int).collect();
        self.store_integers(state, set, call.at(Some(to)), &values);
    }

    /// `MPI_Dims_create`: what is asked for (zero) becomes a function of the number of processes, of which it is known that the product
    /// of all is that number, and that they descend.
    fn dims_create(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<bool, Need> {
        let Some(directions) = self.directions(state, call.at(Some(1))) else { return Ok(false) };
        let (Some(Value::Int(all)), Some(given)) =
            (call.at(Some(0)).cloned(), self.integers(state, set, call.at(Some(2)), directions))
        else {
            return Ok(false);
        };
        if !all.is_uniform() || !decide_le(&1.into(), &all, &state.facts)? {
            return Ok(false);
        }
        let mut fixed = Linear::from(1);
        let mut free = Vec::new();
        for (index, dim) in given.iter().enumerate() {
            if !dim.is_uniform() {
                return Ok(false);
            }
            if decide_eq(dim, &Linear::zero(), &state.facts)? {
                free.push(index);
            } else {
                let Some(product) = fixed.times(dim) else { return Ok(false) };
                fixed = product;
            }
        }
        let Value::Int(rest) = self.scope(state, set).integer(BinaryOp::Div, &all, &fixed)? else {
            return Ok(false);
        };
        // Otherwise the call is an error.
        let whole = rest.times(&fixed);
        if !whole.is_some_and(|whole| state.facts.eq(&whole, &all) != Truth::No) {
            return Ok(false);
        }
        let mut dims = given.clone();
        for (number, &index) in free.iter().enumerate() {
            let function = dimension(number, free.len());
            dims[index] = match (&free[..], state.facts.constant(&rest)) {
                ([_], _) => rest.clone(),
                (_, Some(rest)) => match dimension_value(&function, rest) {
                    Some(dim) => dim.into(),
                    None => return Ok(false),
                },
                _ => self.symbols.apply(&function, vec![rest.clone()]).into(),
            };
        }
        let product = dims.iter().try_fold(Linear::from(1), |product, dim| product.times(dim));
        for pair in free.windows(2) {
            state.facts.learn(&dims[pair[1]], &dims[pair[0]]);
        }
        for &index in &free {
            state.facts.learn(&1.into(), &dims[index]);
        }
        if let Some(product) = product
            && state.facts.assume_eq(&product, &all).is_none()
        {
            return Ok(false);
        }
        let values: Vec<Value> = dims.into_iter().map(Value::Int).collect();
        self.store_integers(state, set, call.at(Some(2)), &values);
        Ok(true)
    }
}

impl Scope<'_, '_> {
    /// The coordinates of a rank in a grid, the slowest first.
    fn coordinates(&mut self, grid: &Grid, rank: &Linear) -> Result<Option<Vec<Linear>>, Need> {
        let mut rest = rank.clone();
        let mut coordinates = Vec::new();
        for (direction, dim) in grid.dims.iter().enumerate().rev() {
            if direction == 0 {
                coordinates.push(rest.clone());
                break;
            }
            let Value::Int(coordinate) = self.integer(BinaryOp::Rem, &rest, dim)? else { return Ok(None) };
            let Value::Int(above) = self.integer(BinaryOp::Div, &rest, dim)? else { return Ok(None) };
            coordinates.push(coordinate);
            rest = above;
        }
        coordinates.reverse();
        Ok(Some(coordinates))
    }

    /// A coordinate that may lie outside of the grid by less than its extent, in it: in periodic directions from the other end, in
    /// others `None`. Nothing where that is not known.
    fn wrapped(
        &mut self,
        grid: &Grid,
        direction: usize,
        coordinate: &Linear,
    ) -> Result<Option<Option<Linear>>, Need> {
        let dim = &grid.dims[direction];
        let parts = || {
            let negative = coordinate.offset(1)?;
            Some((negative, dim.sub(coordinate)?, coordinate.add(dim)?, coordinate.sub(dim)?))
        };
        let Some((negative, beyond, from_above, from_below)) = parts() else { return Ok(None) };
        let inside = match (self.is_nonpositive(&negative)?, self.is_nonpositive(&beyond)?) {
            (Some(true), _) => from_above,
            (_, Some(true)) => from_below,
            (Some(false), Some(false)) => return Ok(Some(Some(coordinate.clone()))),
            _ => return Ok(None),
        };
        if !grid.periods[direction] {
            return Ok(Some(None));
        }
        let ends = (self.ranks.minimise(&inside, self.facts), self.ranks.maximise(&inside, self.facts));
        let (Some(least), Some(most)) = ends else { return Ok(None) };
        let fits = self.facts.le(&Linear::zero(), &least) == Truth::Yes
            && most.offset(1).is_some_and(|next| self.facts.le(&next, dim) == Truth::Yes);
        Ok(fits.then_some(Some(inside)))
    }

    /// The process so many places further in a direction.
    pub(crate) fn shifted(
        &mut self,
        grid: &Grid,
        direction: usize,
        rank: &Linear,
        by: &Linear,
    ) -> Result<Option<Value>, Need> {
        let Some(coordinates) = self.coordinates(grid, rank)? else { return Ok(None) };
        let own = &coordinates[direction];
        let Some(moved) = own.add(by) else { return Ok(None) };
        let inside = match self.wrapped(grid, direction, &moved)? {
            None if !grid.periods[direction] => return Ok(None),
            None => {
                let Some(stride) = grid.stride(direction) else { return Ok(None) };
                return Ok(self.moved_around(rank, own, by, (&grid.dims[direction], &stride)));
            }
            Some(None) => return Ok(Some(Value::Name("MPI_PROC_NULL".into()))),
            Some(Some(inside)) => inside,
        };
        let there = || {
            let distance = inside.sub(own)?;
            rank.add(&self.ranks.product(&distance, &grid.stride(direction)?)?)
        };
        Ok(there().map(Value::Int))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of MPI-4.1 section 8.5.2, and what is said there in words for all small numbers.
    #[test]
    fn dimensions_are_balanced() {
        assert_eq!(balanced(6, 2), [3, 2]);
        assert_eq!(balanced(7, 2), [7, 1]);
        for processes in 1..200 {
            for directions in 1..=4 {
                let dims = balanced(processes, directions);
                assert_eq!(dims.len(), directions);
                assert_eq!(dims.iter().product::<i64>(), i64::from(processes));
                assert!(dims.is_sorted_by(|a, b| a >= b));
                let function = dimension(0, directions);
                assert_eq!(dimension_value(&function, i64::from(processes)), Some(dims[0]));
            }
        }
        assert_eq!(balanced(i32::MAX, 3), [i64::from(i32::MAX), 1, 1]);
        assert_eq!(balanced(2_095_133_040, 2), [46_189, 45_360]);
        assert_eq!(dimension_value("dim_0_of_2", i64::MAX), None);
    }
}
