//! Collective operations: whether all processes of a communicator call the same ones in the same order (MPI-4.1 section 6.14).
//!
//! Each call has a *key*, such that calls with the same key are one operation. It is checked that the processes of a communicator have the
//! same keys, each once and in their order, and that calls with one key are of the same operation and name the same root. The position in the
//! text is the key that is tried first; then the number of the call among those of its process, as an affine expression that is guessed
//! from small parameters.

use std::collections::BTreeMap;

use presburger::{Instance, Relation, Set};

use crate::error::Result;
use crate::guess;
use crate::operation::{Kind, Operation, Program};

impl Program {
    /// From each collective call to all calls, of all processes, of the same operation. `None` where it is not shown that the calls of all
    /// processes are the same, which is no proof that they are not; so where nobody has said which processes a communicator has
    /// ([`Program::set_mates`]).
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn collectives(&self) -> Result<Option<Relation>> {
        let mut all = Relation::empty(self.known.context())?;
        for communicator in self.communicators() {
            let chosen: Vec<&Operation> = (self.operations.iter())
                .filter(|operation| operation.is_collective() && operation.communicator == communicator)
                .collect();
            if chosen.is_empty() {
                continue;
            }
            let of = |relation: &dyn Fn(&Operation) -> Relation| {
                self.all(chosen.iter().copied(), |operation| Ok(relation(operation)))
            };
            let positions = of(&|operation| operation.position.clone())?;
            let processes = of(&|operation| operation.process.clone())?;
            let Some(mates) = self.mates.get(&communicator) else { return Ok(None) };
            let mates = mates.intersect_parameters(&self.known)?;
            let calls = Calls { program: self, chosen, positions, processes, mates };
            let together = match calls.agree(&calls.positions)? {
                Some(together) => Some(together),
                None => calls.numbered()?,
            };
            let Some(together) = together else { return Ok(None) };
            if !self.is_together(&together)? {
                return Ok(None);
            }
            all = all.union(&together)?;
        }
        Ok(Some(all))
    }
}

/// The calls on one communicator.
struct Calls<'a> {
    program: &'a Program,
    chosen: Vec<&'a Operation>,
    positions: Relation,
    processes: Relation,
    /// From each process to all of its communicator.
    mates: Relation,
}

impl Calls<'_> {
    /// From each call to all of the same operation, if these are keys.
    fn agree(&self, keys: &Relation) -> Result<Option<Relation>> {
        let of_process = self.processes.inverse()?.apply_range(keys)?;
        // Who shares a communicator has the same keys, for the same parameters.
        if !self.mates.apply_range(&of_process)?.is_subset(&of_process)? {
            return Ok(None);
        }
        // Each once, and in their order.
        if !keys.is_single_valued()? || !self.processes.flat_range_product(keys)?.is_injective()? {
            return Ok(None);
        }
        let same_process = self.processes.apply_range(&self.processes.inverse()?)?;
        let later = self.positions.lex_lt(&self.positions)?.intersect(&same_process)?;
        if !later.is_subset(&keys.lex_lt(keys)?)? {
            return Ok(None);
        }
        let of_mates = self.processes.apply_range(&self.mates)?.apply_range(&self.processes.inverse()?)?;
        let together = keys.apply_range(&keys.inverse()?)?.intersect(&of_mates)?;
        // One operation, one root.
        let mut of_kind: BTreeMap<usize, Set> = BTreeMap::new();
        for operation in &self.chosen {
            let Kind::Collective(number) = operation.kind else { continue };
            let calls = operation.domain()?;
            let calls = match of_kind.get(&number) {
                Some(known) => known.union(&calls)?,
                None => calls,
            };
            of_kind.insert(number, calls);
        }
        for (number, calls) in &of_kind {
            let others = together.intersect_domain(calls)?.range()?;
            for (_, other) in of_kind.iter().filter(|(other, _)| *other > number) {
                if !others.is_disjoint(other)? {
                    return Ok(None);
                }
            }
        }
        let roots =
            self.program.all(self.chosen.iter().copied(), |operation| Ok(operation.partner.clone()))?;
        Ok(if together.apply_range(&roots)?.is_single_valued()? { Some(together) } else { None })
    }

    /// The number of each call among those of its process, if that is an affine expression, and a key.
    fn numbered(&self) -> Result<Option<Relation>> {
        let program = self.program;
        let mut seen = Relation::empty(program.known.context())?;
        for values in guess::samples(program)? {
            let (Ok(processes), Ok(positions)) =
                (guess::at(&self.processes, &values), guess::at(&self.positions, &values))
            else {
                continue;
            };
            let positions: BTreeMap<Instance, Vec<i64>> =
                positions.into_iter().map(|(call, place)| (call, place.coordinates)).collect();
            let mut of_process: BTreeMap<Vec<i64>, Vec<(&[i64], Instance)>> = BTreeMap::new();
            for (call, process) in processes {
                if let Some((_, place)) = positions.get_key_value(&call) {
                    of_process.entry(process.coordinates).or_default().push((place, call));
                }
            }
            let numbered = of_process.into_values().flat_map(|mut calls| {
                calls.sort();
                calls.into_iter().enumerate().map(|(at, (_, call))| (call, number(at)))
            });
            let numbered: Vec<(Instance, Instance)> = numbered.collect();
            let pairs = numbered.iter().map(|(call, number)| (call, number));
            let numbered = Relation::listed(program.known.context(), &values, pairs)?;
            seen = seen.union(&numbered)?.affine_hull()?;
        }
        let keys = seen.intersect_domain(&self.positions.domain()?)?;
        let is_for_all = self.positions.domain()?.is_subset(&keys.domain()?)?;
        if is_for_all { self.agree(&keys) } else { Ok(None) }
    }
}

/// A number as a point.
fn number(number: usize) -> Instance {
    Instance { name: String::new(), coordinates: vec![i64::try_from(number).unwrap_or(i64::MAX)] }
}
