//! Lists of numbers that calls are given: extents of grids of processes (MPI-4.1 section 8.5), of arrays and their parts (section 5.1), and
//! ranks from which groups are made (section 7.3.2).
//!
//! A grid of four processes, or a group with rank 3 in it, is wrong where there are fewer processes, and the program is meant for more: so
//! a list is reported only where no process count has been met for which it is right.

use frontend::mpi::{Class, CommConstructor, Direction, GroupConstructor, Query, Role, TypeConstructor};
use lattice::{Constraints, Linear, Truth};

use super::Engine;
use super::mpi::Call;
use super::state::{ProcessSet, State};
use super::value::Value;
use crate::rules::Rule;

/// Ranks of a list of which it is found out whether one is there twice.
const TOLD_APART: usize = 256;

/// What is known of a list.
enum Judgement {
    /// Why it is wrong.
    Wrong(String),
    /// It is right for some number of processes.
    Right,
}

impl Engine<'_> {
    /// Reports a list that a call is given and that is wrong for any number of processes. The analysis goes on, in both regimes, since
    /// at one number of processes alone it does not show whether the list is right for others.
    pub(crate) fn check_list(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        use GroupConstructor::{Excl, Incl, RangeExcl, RangeIncl};
        let (rule, role) = match call.mpi.class {
            Class::CommConstructor(CommConstructor::CartCreate)
            | Class::Query(Query::CartMap | Query::DimsCreate) => (Rule::InvalidCount, Role::Dimensions),
            Class::TypeConstructor(TypeConstructor::Subarray) => (Rule::InvalidCount, Role::Starts),
            Class::TypeConstructor(TypeConstructor::Darray) => (Rule::InvalidCount, Role::ProcessCount),
            Class::GroupConstructor(Incl | Excl) => (Rule::InvalidRank, Role::Rank),
            Class::GroupConstructor(RangeIncl | RangeExcl) => (Rule::InvalidRank, Role::RankRanges),
            _ => return,
        };
        let Some(index) = call.mpi.param_with_role(role) else { return };
        let judgement = match role {
            Role::Dimensions => self.judge_extents(state, set, call, index),
            Role::Starts => self.judge_subarray(state, set, call),
            Role::ProcessCount => self.judge_darray(state, set, call, index),
            Role::Rank => self.judge_ranks(state, set, call, index),
            _ => self.judge_ranges(state, set, call, index),
        };
        let (Some(judgement), Some(arg)) = (judgement, call.args.get(index)) else { return };
        let key = (rule, set.frame().function, arg.span);
        let message = match judgement {
            Judgement::Wrong(message) => message,
            Judgement::Right => {
                if self.right_lists.insert(key) && self.found.iter().any(|found| found.key == key) {
                    self.found.retain(|found| found.key != key);
                    let place = self.line_of(key.1.unit, key.2);
                    self.unexplored(format!("{place}: a list of `{}` needs more processes", call.mpi.name));
                }
                return;
            }
        };
        if self.right_lists.contains(&key) {
            return;
        }
        if self.fixed.is_some() {
            self.suspected.insert(key);
            return;
        }
        self.report(rule, state, &set.ranks, (key.1, key.2), message, Vec::new());
    }

    /// The extents of a grid: they are positive, and so many processes there are. Of those that are to be chosen, which are zero, nothing
    /// else is known than that the others divide the number of processes.
    fn judge_extents(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        index: usize,
    ) -> Option<Judgement> {
        let directions = self.directions(state, call.at(call.mpi.param_with_role(Role::DimensionCount)))?;
        let extents = self.integers(state, set, call.at(Some(index)), directions)?;
        let facts = &state.facts;
        let is_asked = call.mpi.params[index].direction == Direction::InOut;
        let wrong = |extent: &Linear, what: &str| {
            Some(Judgement::Wrong(format!(
                "an extent of {} is {}, {what}",
                call.mpi.name,
                self.shown(facts, extent)?
            )))
        };
        for extent in &extents {
            let least = set.ranks.minimise(extent, facts)?;
            let (bound, what) = if is_asked {
                (least.offset(1)?, "which is negative")
            } else {
                (least, "which is not positive")
            };
            if facts.le(&bound, &Linear::zero()) == Truth::Yes {
                return wrong(extent, what);
            }
        }
        if is_asked {
            let all = facts.constant(call.value(Role::ProcessCount)?.as_int()?)?;
            let given = extents.iter().map(|extent| facts.constant(extent)).collect::<Option<Vec<_>>>()?;
            let product =
                given.iter().filter(|&&extent| extent != 0).try_fold(1i64, |p, &e| p.checked_mul(e))?;
            let is_whole = all % product == 0 && (given.contains(&0) || all == product);
            return Some(if is_whole {
                Judgement::Right
            } else {
                Judgement::Wrong(format!(
                    "{} is given extents of {product} processes, of which {all} are no multiple",
                    call.mpi.name
                ))
            });
        }
        let product = extents.iter().try_fold(Linear::from(1), |product, extent| product.times(extent))?;
        let most = self.communicator(call).ok()?.group.size()?;
        let least = set.ranks.minimise(&product, facts)?;
        Some(if facts.le(&most.offset(1)?, &least) == Truth::Yes {
            let (product, most) = (self.shown(facts, &product)?, self.shown(facts, &most)?);
            Judgement::Wrong(format!(
                "the grid of {} has {product} processes, but there are {most}",
                call.mpi.name
            ))
        } else {
            Judgement::Right
        })
    }

    /// The lists of extents that a call is given to make a datatype.
    fn extents_of_array(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        which: usize,
        role: Role,
    ) -> Option<Vec<Linear>> {
        let directions = self.directions(state, call.at(call.mpi.param_with_role(Role::ArrayLength)))?;
        let mut lists = call.mpi.params.iter().enumerate().filter(|(_, param)| param.role == role);
        let (index, param) = lists.nth(which)?;
        // Only `int`s are read.
        let is_large = param.ctype.contains("MPI_Count");
        self.integers(state, set, call.at(Some(index)).filter(|_| !is_large), directions)
    }

    /// A part of an array: in each direction it is within the array (MPI-4.1 section 5.1.3).
    fn judge_subarray(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Option<Judgement> {
        let sizes = self.extents_of_array(state, set, call, 0, Role::Dimensions)?;
        let parts = self.extents_of_array(state, set, call, 1, Role::Dimensions)?;
        let starts = self.extents_of_array(state, set, call, 0, Role::Starts)?;
        let facts = &state.facts;
        let mut is_right = true;
        for (direction, ((size, part), start)) in sizes.iter().zip(&parts).zip(&starts).enumerate() {
            let beyond = set.ranks.maximise(&start.add(part)?.sub(size)?, facts)?;
            let before = set.ranks.minimise(start, facts)?;
            let why = if facts.le(&1.into(), &beyond) == Truth::Yes {
                let (end, size) = (self.shown(facts, &start.add(part)?)?, self.shown(facts, size)?);
                format!("ends at {end} in direction {direction}, where the array has {size} elements")
            } else if facts.le(&before.offset(1)?, &Linear::zero()) == Truth::Yes {
                format!("begins at {} in direction {direction}", self.shown(facts, start)?)
            } else {
                is_right &= facts.le(&beyond, &Linear::zero()) == Truth::Yes;
                continue;
            };
            return Some(Judgement::Wrong(format!("the part of {} {why}", call.mpi.name)));
        }
        is_right.then_some(Judgement::Right)
    }

    /// An array in a grid of processes: the grid has as many as there are (MPI-4.1 section 5.1.4).
    fn judge_darray(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        index: usize,
    ) -> Option<Judgement> {
        let grid = self.extents_of_array(state, set, call, 1, Role::Dimensions)?;
        let number = call.at(Some(index))?.as_int()?.clone();
        let product = grid.iter().try_fold(Linear::from(1), |product, extent| product.times(extent))?;
        if !product.is_uniform() || !number.is_uniform() {
            return None;
        }
        match state.facts.eq(&product, &number) {
            Truth::Yes => Some(Judgement::Right),
            Truth::No => {
                let (product, number) =
                    (self.shown(&state.facts, &product)?, self.shown(&state.facts, &number)?);
                Some(Judgement::Wrong(format!(
                    "the grid of {} has {product} processes, but is said to have {number}",
                    call.mpi.name
                )))
            }
            Truth::Open => None,
        }
    }

    /// The ranks of a group: each is one of the old one, and none is there twice.
    fn judge_ranks(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        index: usize,
    ) -> Option<Judgement> {
        let size = self.size_of_old(call)?;
        let number = call.at(call.mpi.param_with_role(Role::ArrayLength)).cloned();
        let list = call.at(Some(index)).cloned();
        if let Some(pieces) = self.series_of_ranks(state, set, list.as_ref(), number.as_ref()) {
            let ends = pieces.into_iter().map(|piece| Some([piece.last()?, piece.first]));
            let ends: Vec<Linear> = ends.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
            return Some(self.judge_each(state, set, call, &ends, &size).unwrap_or(Judgement::Right));
        }
        let ranks = self.listed_ranks(state, set, list.as_ref(), number.as_ref())?;
        if let Some(wrong) = self.judge_each(state, set, call, &ranks, &size) {
            return Some(wrong);
        }
        let facts = &state.facts;
        let is_there_twice =
            |at: usize| ranks[..at].iter().any(|other| facts.eq(other, &ranks[at]) == Truth::Yes);
        Some(match (0..ranks.len().min(TOLD_APART)).find(|&at| is_there_twice(at)) {
            Some(at) => {
                let rank = self.shown(facts, &ranks[at])?;
                Judgement::Wrong(format!("rank {rank} is twice in the list of {}", call.mpi.name))
            }
            None => Judgement::Right,
        })
    }

    /// Ranges of ranks: their ends are ranks of the old group, and no step is zero.
    fn judge_ranges(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        index: usize,
    ) -> Option<Judgement> {
        let size = self.size_of_old(call)?;
        let number = call.at(call.mpi.param_with_role(Role::ArrayLength))?.as_int()?.scale(3)?;
        let list = call.at(Some(index)).cloned();
        let ranges = self.listed_ranks(state, set, list.as_ref(), Some(&Value::Int(number)))?;
        let mut ends = Vec::new();
        for range in ranges.as_chunks::<3>().0 {
            let [first, last, step] = range;
            match state.facts.constant(step) {
                Some(0) => {
                    let name = call.mpi.name;
                    return Some(Judgement::Wrong(format!("the step of a range of {name} is 0")));
                }
                // Otherwise the last one need not be reached.
                Some(1 | -1) => ends.extend([first.clone(), last.clone()]),
                _ => ends.push(first.clone()),
            }
        }
        Some(self.judge_each(state, set, call, &ends, &size).unwrap_or(Judgement::Right))
    }

    /// Why one of some ranks is none of a group.
    fn judge_each(
        &self,
        state: &State,
        set: &ProcessSet,
        call: &Call<'_>,
        ranks: &[Linear],
        size: &Linear,
    ) -> Option<Judgement> {
        let facts = &state.facts;
        ranks.iter().find_map(|rank| {
            let most = set.ranks.maximise(rank, facts)?;
            let least = set.ranks.minimise(rank, facts)?;
            let why = if facts.le(size, &most) == Truth::Yes {
                format!("is not below {}, the size of the group", self.shown(facts, size)?)
            } else if facts.le(&least.offset(1)?, &Linear::zero()) == Truth::Yes {
                "is negative".to_owned()
            } else {
                return None;
            };
            Some(Judgement::Wrong(format!(
                "rank {} in the list of {} {why}",
                self.shown(facts, rank)?,
                call.mpi.name
            )))
        })
    }

    /// How many processes are in the group from which a call makes another one.
    fn size_of_old(&self, call: &Call<'_>) -> Option<Linear> {
        match call.value(Role::Group)? {
            Value::Group(group) => group.size(),
            _ => None,
        }
    }

    /// A number in words; as a numeral where the facts leave one only.
    fn shown(&self, facts: &Constraints, number: &Linear) -> Option<String> {
        facts.constant(number).map_or_else(|| self.symbols.display(number), |known| Some(known.to_string()))
    }
}
