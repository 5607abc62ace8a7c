//! Partitioned communication (MPI-4.1 section 4.2): a message that is handed over in parts.
//!
//! A partitioned operation is started like a persistent one. Its message is complete at the other side when all partitions are ready: so the
//! send begins with the last of these. Partitioned operations meet each other only, in the order in which they are made; here there is one
//! for each communicator and tag, and in loops each is started once, in the same order.

use frontend::ir::{Expr, ExprKind};
use frontend::mpi::{PartitionSet, Role};
use presburger::Relation;

use crate::assemble::{Calls, Started, not_known, same_list};
use crate::error::Result;
use crate::event::{CallSite, Event, What};
use crate::extract::{Extractor, Frame};
use crate::form::{Bound, Form};
use crate::memory::{Object, Step, Value};
use crate::state::State;

/// Partitions that are looked at one by one, at most.
const PARTITIONS: i64 = 64;

impl Extractor<'_> {
    /// The communicator of partitioned operations, which meet no others.
    pub(crate) fn of_partitioned(&mut self, communicator: usize) -> usize {
        if let Some(&number) = self.partitioned.get(&communicator) {
            return number;
        }
        let copy = self.made[communicator].clone();
        self.made.push(copy);
        self.partitioned.insert(communicator, self.made.len() - 1);
        self.made.len() - 1
    }

    /// Some partitions are ready.
    pub(crate) fn partition_ready(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        set: PartitionSet,
    ) -> Result<()> {
        let position = self.position();
        let request = site.mpi.param_with_role(Role::Request).and_then(|at| args.get(at));
        let request = match request.map(|request| &request.kind) {
            Some(ExprKind::Load(place)) => self.place(frame, state, place)?.ok(),
            _ => None,
        };
        let numbers = match (set, args) {
            (PartitionSet::One, [one, ..]) => [one, one],
            (PartitionSet::Range, [low, high, ..]) => [low, high],
            _ => return self.give_up(frame, site.span, format!("`{}` is not followed", site.mpi.name)),
        };
        let [low, high] = numbers.map(|number| self.evaluate(frame, state, number));
        match (request, low?, high?) {
            (Some(request), Value::Number(low), Value::Number(high)) => {
                self.record(frame, state, site, position, What::Ready { request, low, high })
            }
            _ => self.unless_trying(frame, site, "it is not known which partitions are ready", ()),
        }
    }

    /// From the starts of a send to the positions at which all its partitions are ready.
    pub(crate) fn ready(
        &self,
        calls: &Calls<'_>,
        event: &Event,
        (started, completion): (&Started, &Relation),
        (object, steps): (Object, &[Step]),
        partitions: i64,
    ) -> Result<Relation> {
        let here = &started.position;
        let mut all = Relation::empty(&self.context)?;
        for partition in 0..partitions {
            let number = Form::number(partition);
            let mut ready = Relation::empty(&self.context)?;
            for call in calls.events {
                let What::Ready { request, low, high } = &call.what else { continue };
                let Some(index) = same_list(request, (object, steps))
                    .map_err(|()| not_known(call, "which request this is"))?
                else {
                    continue;
                };
                if !call.options.is_empty() {
                    return Err(not_known(call, "in which rounds this is done"));
                }
                ready = ready.union(&self.ready_calls(calls, call, &index, [low, high], &number)?)?;
            }
            let candidates = started.request.apply_range(&ready)?;
            let later = here.apply_range(&here.range()?.lex_lt(&candidates.range()?)?)?;
            let first = candidates.intersect(&later)?.lexicographic_minimum()?;
            let itself = here.domain()?.identity()?;
            if !itself.is_subset(&first.lex_lt(completion)?)? {
                return Err(not_known(
                    event,
                    "whether all partitions of this message are ready before it is waited for",
                ));
            }
            all = all.union(&first)?;
        }
        Ok(all.lexicographic_maximum()?.coalesce()?)
    }

    /// From process and request to the positions of a call at which a partition is ready.
    fn ready_calls(
        &self,
        calls: &Calls<'_>,
        call: &Event,
        index: &Form,
        [low, high]: [&Form; 2],
        number: &Form,
    ) -> Result<Relation> {
        let bounds: Vec<Bound> =
            [Bound::at_most(low, number), Bound::at_most(number, high)].into_iter().flatten().collect();
        let mut of = call.clone();
        of.region = call.region.bounded(&bounds, &self.parameters)?;
        let requests = self.relation(&of, "P", &[self.process(), vec![index.clone()]].concat())?;
        let positions = self.relation(&of, "P", &calls.position(call))?;
        Ok(requests.inverse()?.apply_range(&positions)?)
    }
}

/// The number of partitions, if it is one that is looked at.
pub(crate) fn count_of(partitions: &Value) -> Option<i64> {
    match partitions {
        Value::Number(form) => form.as_number().filter(|count| (1..=PARTITIONS).contains(count)),
        _ => None,
    }
}

/// Whether no two calls that make partitioned operations may be taken for each other: those of one kind, communicator and tag.
pub(crate) fn are_apart(events: &[Event]) -> bool {
    let mut seen: Vec<(model::Kind, usize, i64)> = Vec::new();
    for event in events {
        let What::Template { envelope, kind, partitions: Some(_), .. } = &event.what else { continue };
        let Some(tag) = envelope.tag.as_number() else { return false };
        let key = (*kind, envelope.communicator, tag);
        if seen.contains(&key) {
            return false;
        }
        seen.push(key);
    }
    true
}

/// Whether the operations of each process are started in the order in which they are made: relations from the starts to process, to process
/// and position where the operation is made, and to process and position of the start.
pub(crate) fn are_in_order(process: &Relation, made: &Relation, started: &Relation) -> Result<bool> {
    let same = process.apply_range(&process.inverse()?)?;
    Ok(made.lex_lt(made)?.intersect(&same)?.is_subset(&started.lex_lt(started)?)?)
}
