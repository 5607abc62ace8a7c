//! Order: whether anybody waits for ever.
//!
//! An operation has a start and an end. A process does one thing after the other; a receive does not end before its send has started; a send
//! that is not buffered does not end before its receive has started; a nonblocking operation ends where it is waited for. Nobody waits for
//! ever if and only if these dependences have no circle. A *clock* gives each start and each end a time, such that time grows along every
//! dependence: then there is no circle.
//!
//! A time is the position in the text, then 0 for a start or 1 for an end; program order holds by itself then, and only messages are
//! compared. A number may stand in the position, behind its first part: the same for all that a process does but for collective operations,
//! which have a first part of their own then.

use presburger::{Constraint, Names, Relation, Set};

use crate::error::Result;
use crate::matching::Matching;
use crate::operation::{Kind, Operation, Program};

/// Coordinates of processes of which sums are tried, at most.
const COORDINATES: usize = 3;

/// A clock: what stands in front of the position in the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// Nothing.
    Text,
    /// A sum of the coordinates of the process, with these factors, behind so many numbers of the position: what is upstream comes first.
    Process(Vec<i64>, usize),
    /// A number for the start of each operation and one for its end, in the order of the operations.
    Phases(Vec<(i64, i64)>),
}

/// Times of the starts of sends, and of the starts and ends of receives and of collective operations.
struct Times {
    sends: Relation,
    receives: (Relation, Relation),
    collectives: (Relation, Relation),
    /// Ends of those sends alone that have to wait for their receive.
    waiting: Relation,
}

impl Program {
    /// A clock, if one is found: then nobody waits for ever but for what no other side meets (`sends_left`, `receives_left`).
    ///
    /// `together` is what [`Program::collectives`] says: no collective operation is taken to be complete before all have begun it, though
    /// the standard only allows that.
    ///
    /// Where `is_unbuffered`, no send ends before its receive has started, as is allowed by the standard (MPI-4.1 section 3.4); else only
    /// those that are synchronous wait for that.
    ///
    /// `None` where none of those that are tried is a clock, which is no proof that somebody waits.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn clock(
        &self,
        matching: &Matching,
        together: &Relation,
        is_unbuffered: bool,
    ) -> Result<Option<Clock>> {
        if !self.ends_come_after_starts()? {
            return Ok(None);
        }
        let text = self.times(is_unbuffered, &|_, relation| Ok(relation.clone()))?;
        if text.grow_along(matching, together)? {
            return Ok(Some(Clock::Text));
        }
        let length = self.length()?;
        let mut depths = Vec::new();
        for depth in 0..length {
            if self.are_alone(depth)? {
                depths.push(depth);
            }
        }
        for factors in leads(self.coordinates()?) {
            for &depth in depths.iter().rev() {
                let lead = |operation: &Operation, position: &Relation| -> Result<Relation> {
                    let factors = if operation.is_collective() { &vec![0; factors.len()] } else { &factors };
                    let lead = operation.process.apply_range(&self.sum(factors)?)?;
                    let first = position.project_out_range(depth..length)?;
                    let last = position.project_out_range(0..depth)?;
                    Ok(first.flat_range_product(&lead)?.flat_range_product(&last)?)
                };
                if self.times(is_unbuffered, &lead)?.grow_along(matching, together)? {
                    return Ok(Some(Clock::Process(factors, depth)));
                }
            }
        }
        self.phases(matching, together, is_unbuffered)
    }

    fn ends_come_after_starts(&self) -> Result<bool> {
        for operation in self.operations.iter().filter(|operation| operation.completion.is_some()) {
            let of_it = [operation];
            let start = self.all(of_it, |operation| Ok(operation.position.clone()))?;
            let end = self.all(of_it, |operation| Ok(operation.end().clone()))?;
            let itself = start.domain()?.identity()?;
            if !start.domain()?.is_subset(&end.domain()?)? || !itself.is_subset(&start.lex_le(&end)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many numbers a position has.
    fn length(&self) -> Result<usize> {
        let Some(first) = self.operations.first() else { return Ok(0) };
        Ok(first.position.parts()?.first().map_or(0, |(_, to, _)| to.length))
    }

    /// Whether a process has nothing else at the first so many numbers of the position of a collective operation: neither the start nor the
    /// end of anything.
    fn are_alone(&self, depth: usize) -> Result<bool> {
        let first = |chosen: &dyn Fn(&Operation) -> bool| -> Result<Set> {
            let mut all = Set::empty(self.known.context())?;
            for place in [Operation::start, Operation::end] {
                let chosen = self.operations.iter().filter(|operation| chosen(operation));
                let places = self.all(chosen, |operation| {
                    let place = place(operation);
                    let length = place.parts()?.first().map_or(0, |(_, to, _)| to.length);
                    Ok(operation
                        .process
                        .flat_range_product(&place.project_out_range(depth.min(length)..length)?)?)
                })?;
                all = all.union(&places.range()?)?;
            }
            Ok(all)
        };
        Ok(first(&Operation::is_collective)?.is_disjoint(&first(&|operation| !operation.is_collective())?)?)
    }

    /// How many coordinates a process has.
    fn coordinates(&self) -> Result<usize> {
        let Some(first) = self.operations.first() else { return Ok(0) };
        Ok(first.process.parts()?.first().map_or(0, |(_, to, _)| to.length))
    }

    /// From a process to a sum of its coordinates.
    fn sum(&self, factors: &[i64]) -> Result<Relation> {
        let names: Vec<String> = (0..factors.len()).map(|at| format!("p{at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let process = Names { tuple: "", coordinates: &names };
        let sum = Names { tuple: "", coordinates: &["sum"] };
        let factors = factors.iter().copied().chain([-1]).collect();
        let equation = Constraint { is_equation: true, factors, constant: 0 };
        Ok(Relation::of(self.known.context(), &[], &process, &sum, 0, &[equation])?)
    }

    fn times(
        &self,
        is_unbuffered: bool,
        time: &dyn Fn(&Operation, &Relation) -> Result<Relation>,
    ) -> Result<Times> {
        let of = |chosen: &dyn Fn(&Operation) -> bool, is_end: bool| {
            let chosen = self.operations.iter().filter(|operation| chosen(operation));
            self.all(chosen, |operation| {
                time(operation, if is_end { operation.end() } else { &operation.position })
            })
        };
        let (is_receive, is_collective) = (Operation::is_receive, Operation::is_collective);
        let waits = |operation: &Operation| waits(operation, is_unbuffered);
        Ok(Times {
            sends: of(&Operation::is_send, false)?,
            receives: (of(&is_receive, false)?, of(&is_receive, true)?),
            collectives: (of(&is_collective, false)?, of(&is_collective, true)?),
            waiting: of(&waits, true)?,
        })
    }

    /// Numbers for starts and ends, such that time grows: the least ones, if there are any.
    fn phases(&self, matching: &Matching, together: &Relation, is_unbuffered: bool) -> Result<Option<Clock>> {
        let count = self.operations.len();
        // Starts, then ends: from each instance to its process, and to its place.
        let mut moments: Vec<(Relation, Relation)> = Vec::new();
        for place in [Operation::start, Operation::end] {
            for operation in &self.operations {
                let process = self.all([operation], |operation| Ok(operation.process.clone()))?;
                moments.push((process, self.all([operation], |operation| Ok(place(operation).clone()))?));
            }
        }
        let mut least: Vec<(usize, usize, i64)> = (0..count).map(|start| (start, start + count, 0)).collect();
        for (x, (process, place)) in moments.iter().enumerate() {
            for (y, (other_process, other_place)) in moments.iter().enumerate() {
                let same = process.apply_range(&other_process.inverse()?)?;
                if !place.lex_lt(other_place)?.is_disjoint(&same)? {
                    least.push((x, y, 0));
                }
            }
        }
        let is_by_text = |pairs: &Relation, start: usize, end: usize| -> Result<bool> {
            Ok(pairs.is_subset(&moments[start].1.lex_le(&moments[end].1)?)?)
        };
        let operations = || self.operations.iter().enumerate();
        for (s, send) in operations().filter(|(_, operation)| operation.is_send()) {
            let of_send = matching.candidates.intersect_domain(&send.domain()?)?;
            for (r, receive) in operations().filter(|(_, operation)| operation.is_receive()) {
                let met = of_send.intersect_range(&receive.domain()?)?;
                if met.is_empty()? {
                    continue;
                }
                least.push((s, r + count, i64::from(!is_by_text(&met, s, r + count)?)));
                if waits(send, is_unbuffered) {
                    least.push((r, s + count, i64::from(!is_by_text(&met.inverse()?, r, s + count)?)));
                }
            }
        }
        for (s, first) in operations().filter(|(_, operation)| operation.is_collective()) {
            let of_first = together.intersect_domain(&first.domain()?)?;
            for (r, second) in operations().filter(|(_, operation)| operation.is_collective()) {
                let pairs = of_first.intersect_range(&second.domain()?)?;
                if !pairs.is_empty()? {
                    least.push((s, r + count, i64::from(!is_by_text(&pairs, s, r + count)?)));
                }
            }
        }
        let mut phases = vec![0_i64; 2 * count];
        for _ in 0..=2 * count {
            let mut is_done = true;
            for &(x, y, more) in &least {
                if phases[y] < phases[x] + more {
                    phases[y] = phases[x] + more;
                    is_done = false;
                }
            }
            if is_done {
                let (starts, ends) = phases.split_at(count);
                return Ok(Some(Clock::Phases(starts.iter().copied().zip(ends.iter().copied()).collect())));
            }
        }
        Ok(None)
    }
}

fn waits(operation: &Operation, is_unbuffered: bool) -> bool {
    match operation.kind {
        Kind::Send { is_synchronous } => is_synchronous || is_unbuffered,
        Kind::Receive | Kind::Collective(_) => false,
    }
}

impl Times {
    fn grow_along(&self, matching: &Matching, together: &Relation) -> Result<bool> {
        let candidates = &matching.candidates;
        if !together.is_subset(&self.collectives.0.lex_le(&self.collectives.1)?)? {
            return Ok(false);
        }
        if !candidates.is_subset(&self.sends.lex_le(&self.receives.1)?)? {
            return Ok(false);
        }
        let waiting = candidates.intersect_domain(&self.waiting.domain()?)?.inverse()?;
        Ok(waiting.is_subset(&self.receives.0.lex_le(&self.waiting)?)?)
    }
}

/// Factors that are tried: single coordinates first, then sums of several.
fn leads(length: usize) -> Vec<Vec<i64>> {
    let mut leads = vec![Vec::new()];
    for _ in 0..length {
        leads = leads.into_iter().flat_map(|lead| [0, 1, -1].map(|k| [&lead[..], &[k]].concat())).collect();
        if COORDINATES < length {
            leads.retain(|lead| lead.iter().filter(|k| **k != 0).count() <= 1);
        }
    }
    leads.retain(|lead| lead.iter().any(|k| *k != 0));
    leads.sort_by_key(|lead| lead.iter().filter(|k| **k != 0).count());
    leads
}
