//! From calls of one process to the communication of all.

use std::collections::BTreeSet;

use model::{Kind, Operation, Program};
use presburger::{Relation, Set};

use crate::error::{GivenUp, Result};
use crate::event::{CallSite, Completion, Envelope, Event, What};
use crate::extract::{Extractor, RANK};
use crate::form::{Atom, Bound, Form};
use crate::memory::{Object, Place, Step};
use crate::region::{Condition, Region};

/// The communication of a program.
#[derive(Debug)]
pub struct Extracted {
    /// Messages, for any number of processes: the parameter `np`.
    pub program: Program,
    /// The calls of the operations of the program, in their order.
    pub sites: Vec<CallSite>,
    /// What is assumed, as sentences.
    pub assumptions: Vec<String>,
}

/// Special ranks and tags, as our own header has them: `MPI_PROC_NULL`, `MPI_ANY_SOURCE`, `MPI_ANY_TAG`.
fn special(name: &str) -> i64 {
    frontend::mpi::constant(name).and_then(|constant| constant.value).unwrap_or(i64::MIN)
}

impl Extractor<'_> {
    /// All events in one.
    pub(crate) fn assemble(&mut self) -> Result<Extracted> {
        let events = std::mem::take(&mut self.events);
        let depth = events.iter().map(|event| event.position.len()).max().unwrap_or(0);
        let mut positions: Vec<Vec<Form>> = Vec::new();
        for event in &events {
            positions.push(padded(&event.position, depth));
        }
        let mut parts: Vec<Operation> = Vec::new();
        let mut used: BTreeSet<usize> = BTreeSet::new();
        let mut sites = Vec::new();
        // The collective operations by their numbers.
        let mut operations: Vec<&str> = Vec::new();
        let waits: Vec<&Event> =
            events.iter().filter(|event| matches!(event.what, What::Wait { .. })).collect();
        for (at, (event, position)) in events.iter().zip(&positions).enumerate() {
            match &event.what {
                What::Send { envelope, is_synchronous, completion } => {
                    let kind = Kind::Send { is_synchronous: *is_synchronous };
                    let name = format!("S{at}");
                    parts.push(self.message((event, &name), position, kind, envelope, (completion, &waits, depth))?);
                    sites.push(event.site.clone());
                }
                What::Receive { envelope, completion } => {
                    let name = format!("R{at}");
                    let kind = Kind::Receive;
                    parts.push(self.message((event, &name), position, kind, envelope, (completion, &waits, depth))?);
                    sites.push(event.site.clone());
                }
                What::Wait { .. } => {}
                What::Collective { communicator, root } => {
                    let name = format!("C{at}");
                    let rank = Form::atom(Atom::Coordinate(RANK));
                    let of = |forms: &[Form]| event.region.relation(&name, &event.instance, forms, &self.parameters);
                    let number = operations.iter().position(|&known| known == event.site.mpi.name);
                    let number = number.unwrap_or_else(|| {
                        operations.push(event.site.mpi.name);
                        operations.len() - 1
                    });
                    let nothing = Relation::empty(&self.context)?;
                    let root = match root {
                        Some(root) => of(std::slice::from_ref(root))?,
                        None => nothing.clone(),
                    };
                    let operation = Operation::collective(number, of(&[rank])?, root, nothing, of(position)?);
                    used.insert(*communicator);
                    parts.push(operation.on(*communicator));
                    sites.push(event.site.clone());
                }
            }
        }
        // What nothing depends on says nothing.
        let mut parameters: BTreeSet<String> = BTreeSet::from(["np".to_owned()]);
        for operation in &parts {
            let relations = [&operation.process, &operation.partner, &operation.tag, &operation.position];
            for relation in relations.into_iter().chain(&operation.completion) {
                for name in relation.parameters()? {
                    if !parameters.contains(&name)
                        && !relation.project_out_parameter(&name)?.is_equal(relation)?
                    {
                        parameters.insert(name);
                    }
                }
            }
        }
        let parameters: Vec<String> = parameters.into_iter().collect();
        let known = format!("[{}] -> {{ : np >= 1 }}", parameters.join(", "));
        let mut program = Program::new(Set::parse(&self.context, &known)?);
        for communicator in used {
            program.set_mates(communicator, self.of_number(communicator).mates()?);
        }
        for operation in parts {
            program.add(operation);
        }
        Ok(Extracted { program, sites, assumptions: self.assumptions.iter().cloned().collect() })
    }

    /// A send or a receive.
    fn message(
        &self,
        (event, name): (&Event, &str),
        position: &[Form],
        kind: Kind,
        envelope: &Envelope,
        (completion, waits, depth): (&Completion, &[&Event], usize),
    ) -> Result<Operation> {
        let parameters = &self.parameters;
        let null = Form::number(special("MPI_PROC_NULL"));
        let any_source = Form::number(special("MPI_ANY_SOURCE"));
        let any_tag = Form::number(special("MPI_ANY_TAG"));
        let is = |a: &Form, b: &Form| Condition::is(Bound::equal(a, b));
        // Nothing happens where the other side is nobody.
        let region = event.region.meet(&is(&envelope.partner, &null).negated(), parameters)?;
        let is_receive = kind == Kind::Receive;
        let rank = Form::atom(Atom::Coordinate(RANK));
        let of = |region: &Region, forms: &[Form]| region.relation(name, &event.instance, forms, parameters);
        let anybody = region.meet(&is(&envelope.partner, &any_source), parameters)?;
        let communicator = self.of_number(envelope.communicator);
        let process = of(&region, &[rank.clone()])?;
        let mut named = region.clone();
        let mut partner = Relation::empty(&self.context)?;
        if is_receive && !anybody.is_empty()? {
            named = region.meet(&is(&envelope.partner, &any_source).negated(), parameters)?;
            partner = of(&anybody, &[rank.clone()])?.apply_range(&communicator.mates()?)?;
        }
        // Ranks of the communicator are those of its members: class, then number.
        let to = of(&named, std::slice::from_ref(&envelope.partner))?;
        let classes = of(&named, &[rank.clone()])?.apply_range(&communicator.classes()?)?;
        let to = classes.flat_range_product(&to)?.apply_range(&communicator.places.inverse()?)?;
        if !process.domain()?.is_subset(&to.domain()?.union(&partner.domain()?)?)? {
            return Err(GivenUp::Program {
                reason: "it is not shown that the other side is a rank of the communicator".to_owned(),
                place: Some((event.site.function, event.site.span)),
            });
        }
        partner = partner.union(&to)?;
        let tag = if is_receive && envelope.tag == any_tag {
            let at = u32::MAX - 1;
            let tag = Form::atom(Atom::Coordinate(at));
            let bounds = vec![Bound::not_negative(tag.clone())];
            of(&region.extended(at, &[bounds], parameters)?, &[tag])?
        } else {
            if is_receive && !region.meet(&is(&envelope.tag, &any_tag), parameters)?.is_empty()? {
                return Err(GivenUp::Program {
                    reason: "some receives take any tag, and others do not".to_owned(),
                    place: Some((event.site.function, event.site.span)),
                });
            }
            of(&region, std::slice::from_ref(&envelope.tag))?
        };
        let completion = match completion {
            Completion::Here => None,
            Completion::At(end) => Some(of(&region, &padded(end, depth))?),
            Completion::Request(place) => {
                Some(self.first_wait(&region, (event, name), position, place, waits, depth)?)
            }
        };
        Ok(Operation {
            kind,
            process,
            partner,
            tag,
            position: of(&region, position)?,
            completion,
            communicator: envelope.communicator,
        })
    }

    /// From each instance of a nonblocking call to the position of the first wait for its request that comes later.
    fn first_wait(
        &self,
        region: &Region,
        (event, name): (&Event, &str),
        position: &[Form],
        request: &Place,
        waits: &[&Event],
        depth: usize,
    ) -> Result<Relation> {
        let parameters = &self.parameters;
        let key = |place: &Place, index: &Form| -> Option<(Object, Vec<Step>, Form)> {
            let (last, before) = match place.steps.split_last() {
                Some((Step::At(at), before)) => (at.plus(index, 1)?, before.to_vec()),
                _ => (index.clone(), place.steps.clone()),
            };
            Some((place.object, before, last))
        };
        let give_up = |reason: &str| GivenUp::Program {
            reason: reason.to_owned(),
            place: Some((event.site.function, event.site.span)),
        };
        let rank = Form::atom(Atom::Coordinate(RANK));
        let Some((object, before, index)) = key(request, &Form::default()) else {
            return Err(give_up("it is not known where the request of this call is"));
        };
        // From an instance to process, request and position; from process and request to the positions of the waits.
        let started = region.relation(name, &event.instance, &[rank.clone(), index], parameters)?;
        let mut waited = Relation::empty(&self.context)?;
        for wait in waits {
            let What::Wait { first, count } = &wait.what else { continue };
            let Some((of, steps, from)) = key(first, &Form::default()) else {
                return Err(give_up("it is not known which requests are waited for"));
            };
            if of != object {
                continue;
            }
            if steps != before {
                if steps.iter().chain(&before).all(|step| matches!(step, Step::Field(_)))
                    && steps.len() == before.len()
                {
                    continue;
                }
                return Err(give_up("it is not known which requests are waited for"));
            }
            let at = u32::MAX - 2;
            let one = Form::atom(Atom::Coordinate(at));
            let end = match count {
                Some(count) => from.plus(count, 1),
                None => from.plus(&Form::number(1), 1),
            };
            let bounds = [Bound::at_most(&from, &one), end.and_then(|end| Bound::below(&one, &end))];
            let bounds: Vec<Bound> = bounds.into_iter().flatten().collect();
            let all = wait.region.extended(at, &[bounds], parameters)?;
            let mut instance = wait.instance.clone();
            instance.push(at);
            let requests = all.relation("", &instance, &[rank.clone(), one], parameters)?;
            let places = all.relation("", &instance, &padded(&wait.position, depth), parameters)?;
            waited = waited.union(&requests.inverse()?.apply_range(&places)?)?;
        }
        let here = region.relation(name, &event.instance, position, parameters)?;
        let candidates = started.apply_range(&waited)?;
        // Waits before the call are for an earlier one.
        let range = candidates.range()?;
        let later = here.apply_range(&here.range()?.lex_lt(&range)?)?;
        let first = candidates.intersect(&later)?.lexicographic_minimum()?;
        let all = here.domain()?;
        if !all.is_subset(&first.domain()?)? {
            return Err(give_up("it is not shown that this request is waited for"));
        }
        Ok(first.coalesce()?)
    }
}

fn padded(position: &[Form], depth: usize) -> Vec<Form> {
    let zeros = std::iter::repeat_n(Form::default(), depth.saturating_sub(position.len()));
    position.iter().cloned().chain(zeros).collect()
}
