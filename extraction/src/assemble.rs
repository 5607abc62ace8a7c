//! From calls of one process to the communication of all.

use std::collections::{BTreeMap, BTreeSet};

use model::{Digits, Kind, Operation, Program};
use presburger::{Relation, Set};

use crate::assumption::Assumption;
use crate::error::{GivenUp, Result};
use crate::event::{Amount, Completion, Envelope, Event, What};
use crate::extract::{Extractor, Named, Text};
use crate::extracted::{Extracted, Multiples};
use crate::form::{Atom, Bound, Form, atoms};
use crate::memory::{Object, Place, Step};
use crate::partitioned::{are_apart, are_in_order};
use crate::payload::{Carried, Count, Payload};
use crate::powers::Power;
use crate::region::{Condition, Region};

/// Numbers of processes that a program need not be for.
const FEW: i64 = 3;

/// Special ranks and tags, as our own header has them: `MPI_PROC_NULL`, `MPI_ANY_SOURCE`, `MPI_ANY_TAG`.
pub(crate) fn special(name: &str) -> i64 {
    frontend::mpi::constant(name).and_then(|constant| constant.value).unwrap_or(i64::MIN)
}

/// What is the same for all events.
pub(crate) struct Calls<'a> {
    pub(crate) events: &'a [Event],
    /// The length of a position.
    depth: usize,
}

impl Calls<'_> {
    pub(crate) fn position(&self, event: &Event) -> Vec<Form> {
        padded(&event.position, self.depth)
    }
}

/// Instances of a call with what they are about: relations from its instances.
pub(crate) struct Started {
    process: Relation,
    pub(crate) position: Relation,
    /// To process and index of a request.
    pub(crate) request: Relation,
}

impl Extractor<'_> {
    /// The calls at some places of the text of `main` in one, or all calls.
    pub(crate) fn assemble(&mut self, chosen: Option<&BTreeSet<Text>>) -> Result<Extracted> {
        let events = self.chosen_events(chosen)?;
        let depth = events.iter().map(|event| event.position.len()).max().unwrap_or(0);
        let calls = Calls { events: &events, depth };
        self.tags_have_digits = events.iter().any(|event| match &event.what {
            What::Message { envelope, .. } | What::Template { envelope, .. } => !envelope.tag.is_linear(),
            _ => false,
        });
        let (mut sites, mut payloads, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        let mut in_buffers = Vec::new();
        // The collective operations by their numbers.
        let mut operations: Vec<&str> = Vec::new();
        let mut parts: Vec<Operation> = Vec::new();
        let mut used: BTreeSet<usize> = BTreeSet::new();
        // The operation of each event.
        let mut of_event: Vec<usize> = Vec::new();
        for event in &events {
            let made = parts.len();
            of_event.push(made);
            match &event.what {
                What::Message { envelope, kind, completion, carried } => {
                    let name = name_of(*kind, made);
                    let position = self.relation(event, &name, &calls.position(event))?;
                    let message = self.envelopes(event, &name, *kind, envelope);
                    let message =
                        message.map_err(|error| error.placed(event.site.function, event.site.span))?;
                    let within = message.process.domain()?;
                    let position = position.intersect_domain(&within)?;
                    let completion = self.end(&calls, event, &name, completion, &position)?;
                    payloads.push(self.payload(event, &name, carried)?);
                    lengths.push(self.length(event, &name, carried.length.as_ref())?);
                    in_buffers.push(carried.is_in_buffer);
                    let options = event.options.clone();
                    let answers = match envelope.answers {
                        Some(receive) => {
                            let (other, number) = (&events[receive], of_event[receive]);
                            let round = |event: &Event, name: &str| {
                                let kept = atoms(&event.instance);
                                self.relation(event, name, &kept)
                            };
                            let received = round(other, &name_of(Kind::Receive, number))?;
                            Some(round(event, &name)?.apply_range(&received.inverse()?)?)
                        }
                        None => None,
                    };
                    parts.push(Operation { position, completion, options, answers, ..message });
                }
                What::Template { envelope, kind, request, carried, partitions } => {
                    if partitions.is_some() && !are_apart(&events) {
                        return Err(not_known(event, "which partitioned operations meet each other"));
                    }
                    let all = self.started(&calls, event, (*kind, envelope), request, (made, *partitions))?;
                    for started in all {
                        let name = name_of(*kind, parts.len());
                        let process = started.process.clone();
                        let constant = carried.count.as_ref().and_then(Form::as_number);
                        let mut payload =
                            self.payload(event, &name, &Carried { count: None, ..carried.clone() })?;
                        if let Some(count) = constant {
                            payload.count = Count::Of(constant_on(&process.domain()?, count)?);
                        }
                        payloads.push(payload);
                        let length = carried.length.as_ref().and_then(Form::as_number);
                        let length = length.map(|length| constant_on(&process.domain()?, length));
                        lengths.push(length.transpose()?);
                        in_buffers.push(carried.is_in_buffer);
                        parts.push(started);
                    }
                }
                What::Wait { .. } | What::Start { .. } | What::Ready { .. } => {}
                What::Collective { communicator, root, synchronizes, completion, amounts, is_in_buffers } => {
                    let name = format!("C{made}");
                    let number = operations.iter().position(|&known| known == event.site.mpi.name);
                    let number = number.unwrap_or_else(|| {
                        operations.push(event.site.mpi.name);
                        operations.len() - 1
                    });
                    let nothing = Relation::empty(&self.context)?;
                    let of = self.of_number(*communicator).clone();
                    let root = match root {
                        Some(root) => match self.as_rank(&event.region, root, &of)? {
                            Some((region, root)) => {
                                region.relation(&name, &event.instance, &root, &self.parameters)?
                            }
                            None => return Err(not_known(event, "which rank is the root")),
                        },
                        None => nothing.clone(),
                    };
                    let position = self.relation(event, &name, &calls.position(event))?;
                    let process = self.process_of(event, &name)?;
                    let root = if root.is_empty()? || of.is_all {
                        root
                    } else {
                        // The process that has this rank.
                        let ranks = process.apply_range(&of.classes()?)?.flat_range_product(&root)?;
                        ranks.apply_range(&of.places.inverse()?)?
                    };
                    let completion = self.end(&calls, event, &name, completion, &position)?;
                    used.insert(*communicator);
                    in_buffers.push(*is_in_buffers);
                    lengths.push(match amounts {
                        Some(amounts) => Some(self.amounts_of(event, &name, amounts, (&process, &root))?),
                        None => None,
                    });
                    payloads.push(Payload {
                        count: Count::Unknown,
                        datatype: "unknown".to_owned(),
                        bytes: None,
                    });
                    let operation = Operation::collective(number, process, root, nothing, position);
                    let options = event.options.clone();
                    let synchronizes = *synchronizes && completion.is_none();
                    let operation = operation.on(*communicator);
                    parts.push(Operation { completion, options, synchronizes, ..operation });
                }
            }
            sites.extend((made..parts.len()).map(|_| event.site.clone()));
        }
        let mut known = self.with_at_least(self.least.get())?;
        let facts_of = self.facts_of_used(&parts)?;
        for (left, possible) in self.facts.iter().chain(facts_of) {
            known = known.intersect(&possible.union(&known.subtract(left)?)?)?.coalesce()?;
        }
        let not_negative: Vec<Bound> = (self.not_negative.iter())
            .map(|at| Bound::not_negative(Form::atom(Atom::Parameter(*at))))
            .collect();
        let nothing = Region::of(&self.context, Vec::new())?.bounded(&not_negative, &self.parameters)?;
        known = known.intersect(&nothing.set.parameter_domain()?)?;
        // What nothing depends on says nothing, nor does a number of which no more is said than what is known of it.
        let mut parameters: BTreeSet<String> = self.with_at_least(1)?.parameters()?.into_iter().collect();
        let numbers: Vec<String> = known.parameters()?;
        let of_number = |name: &String| numbers.contains(name).then_some(&known);
        // Numbers of processes and widths of digits stay.
        let essential = parameters.clone();
        for operation in &mut parts {
            let Operation { process, partner, tag, position, completion, answers, .. } = operation;
            let relations = [process, partner, tag, position].into_iter().chain(completion).chain(answers);
            for relation in relations {
                for name in relation.parameters()? {
                    if !essential.contains(&name) && !is_free_of(relation, &name, of_number(&name))? {
                        parameters.insert(name);
                    }
                }
            }
        }
        let counts = payloads.iter_mut().filter_map(|payload| match &mut payload.count {
            Count::Of(count) => Some(count),
            Count::Named(_) | Count::Unknown => None,
        });
        for count in counts.chain(lengths.iter_mut().flatten()) {
            for name in count.parameters()?.into_iter().filter(|name| !essential.contains(name)) {
                is_free_of(count, &name, of_number(&name))?;
            }
        }
        let called = self.called_digits(&known, &parameters)?;
        let least = self.least.get();
        let names: Vec<String> = parameters.iter().cloned().collect();
        let all = Set::parse(&self.context, &format!("[{}] -> {{ : }}", names.join(", ")))?;
        for name in known.parameters()?.into_iter().filter(|name| !parameters.contains(name)) {
            known = known.project_out_parameter(&name)?;
        }
        let known = all.intersect(&known)?.coalesce()?;
        let mut program = Program::new(known);
        for communicator in used {
            program.set_mates(communicator, self.of_number(communicator).mates()?);
        }
        let communicators: BTreeSet<usize> = parts.iter().map(|operation| operation.communicator).collect();
        for communicator in communicators {
            program.set_rounds(communicator, self.of_number(communicator).rounds);
            if !self.of_number(communicator).is_all {
                program.set_ranks(communicator, self.of_number(communicator).ranks()?);
            }
        }
        for operation in parts {
            program.add(operation);
        }
        // Whatever differs between runs is given by arguments, if not by the number of processes.
        let mut determined = self.of_np();
        determined.extend(self.determined.iter().map(|&at| self.parameters.names[at].clone()));
        let is_of_rounds = |operation: &Operation| {
            operation.options.iter().all(|option| self.parts_of_powers.contains_key(&option.part))
        };
        if !parameters.is_subset(&determined) || !program.operations().iter().all(is_of_rounds) {
            self.assume(Assumption::CommandLine);
        }
        let assumptions = self.assumptions.clone();
        let communicators = self.origins();
        let digits = self.digits();
        if let Some(digits) = &digits {
            program.set_digits(digits.clone());
        }
        let mut names = self.names(&parameters);
        for (digit, variable) in called {
            if let Some(name) = names.remove(&variable) {
                names.insert(digit, name);
            }
        }
        let name = |at: usize| self.parameters.names[at].clone();
        let multiples = |at: usize, power: &Power, part: Option<usize>| Multiples {
            parameter: name(at),
            first: power.first,
            factor: power.factor,
            rounds: part.map(|part| (part, name(power.rounds))),
        };
        let in_rounds = self
            .parts_of_powers
            .iter()
            .filter_map(|(&part, at)| Some(multiples(*at, self.powers.get(at)?, Some(part))));
        let after =
            self.last_powers.iter().filter_map(|(&at, of)| Some(multiples(at, self.powers.get(of)?, None)));
        let multiplied = in_rounds.chain(after).collect();
        let written = (self.numbers_with_digits.iter())
            .map(|(&at, digits)| (name(at), digits.iter().flat_map(Form::parameters).map(name).collect()))
            .collect();
        Ok(Extracted {
            program,
            sites,
            payloads,
            lengths,
            in_buffers,
            has_other_buffers: self.has_other_buffers,
            communicators,
            least,
            assumptions,
            names,
            digits,
            multiplied,
            written,
        })
    }

    /// The digits of the number of processes that variables hold which nothing else depends on, each with the variable.
    fn called_digits(&self, known: &Set, used: &BTreeSet<String>) -> Result<BTreeMap<String, String>> {
        let mut called = BTreeMap::new();
        let digits: Vec<String> = self.digits().map(|digits| digits.count).unwrap_or_default();
        for name in known.parameters()?.into_iter().filter(|name| !used.contains(name)) {
            let at = self.parameters.names.iter().position(|other| *other == name);
            if !at.is_some_and(|at| matches!(self.parameter_names[at], Named::Variable(_))) {
                continue;
            }
            for digit in digits.iter().filter(|digit| !called.contains_key(*digit)).collect::<Vec<_>>() {
                let same = format!("[{name}, {digit}] -> {{ : {name} = {digit} }}");
                if known.is_subset(&Set::parse(&self.context, &same)?)? {
                    called.insert(digit.clone(), name.clone());
                    break;
                }
            }
        }
        Ok(called)
    }

    /// What is known of the numbers that loops multiply and that operations depend on.
    fn facts_of_used(&self, operations: &[Operation]) -> Result<Vec<&(Set, Set)>> {
        let mut used: BTreeSet<String> = BTreeSet::new();
        for operation in operations {
            let Operation { process, partner, tag, position, completion, .. } = operation;
            for relation in [process, partner, tag, position].into_iter().chain(completion) {
                used.extend(relation.parameters()?);
            }
        }
        let mut facts = Vec::new();
        // A number may be known by those of loops before.
        for (&parameter, of) in self.facts_of.iter().rev() {
            if self.names_of(parameter).iter().any(|name| used.contains(name)) {
                used.extend(of.0.parameters()?);
                used.extend(of.1.parameters()?);
                facts.push(of);
            }
        }
        Ok(facts)
    }

    /// The calls at these places, with all that belongs to them: what is started is made there, and what is answered is received there.
    fn chosen_events(&self, chosen: Option<&BTreeSet<Text>>) -> Result<Vec<Event>> {
        let is_chosen = |event: &Event| {
            chosen.is_none_or(|chosen| self.text_of(event).is_some_and(|text| chosen.contains(text)))
        };
        // Requests that are made at one place and started at another one.
        let mut lists: BTreeMap<Object, bool> = BTreeMap::new();
        // The numbers of receives that are answered are others then.
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut events = Vec::new();
        for (number, event) in self.events.iter().enumerate() {
            let is_chosen = is_chosen(event);
            if let What::Template { request, .. }
            | What::Start { first: request, .. }
            | What::Ready { request, .. } = &event.what
                && *lists.entry(request.object).or_insert(is_chosen) != is_chosen
            {
                return Err(not_known(event, "what is started in another part of the program"));
            }
            if !is_chosen {
                continue;
            }
            numbers.insert(number, events.len());
            let mut event = event.clone();
            if let What::Message { envelope, .. } | What::Template { envelope, .. } = &mut event.what
                && let Some(answers) = envelope.answers
            {
                let Some(&number) = numbers.get(&answers) else {
                    return Err(not_known(&event, "what is answered here"));
                };
                envelope.answers = Some(number);
            }
            events.push(event);
        }
        Ok(events)
    }

    /// What the program calls the parameters: each another name. Those that are used have the better ones.
    pub(crate) fn names(&self, used: &BTreeSet<String>) -> BTreeMap<String, String> {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut order: Vec<usize> = (0..self.parameters.names.len()).collect();
        // A variable is what comes out of a choice, and not what it held before.
        order.sort_by_key(|at| (!used.contains(&self.parameters.names[*at]), !self.ones_of_two.contains(at)));
        for at in order {
            let (parameter, named) = (&self.parameters.names[at], &self.parameter_names[at]);
            let (Named::Variable(name) | Named::Expression(name)) = named else { continue };
            let others = names.values().filter(|other| *other == name || is_numbered(other, name)).count();
            let name = if others == 0 { name.clone() } else { format!("{name}_{}", others + 1) };
            names.insert(parameter.clone(), name);
        }
        for (parameter, named) in self.parameters.names.iter().zip(&self.parameter_names) {
            if let Named::Digit(at) = named
                && let Some(text) = self.digit(*at, &names)
            {
                names.insert(parameter.clone(), text);
            }
        }
        for (&number, digits) in &self.numbers_with_digits {
            let (Some(Digits { widths, count }), Some(number)) =
                (self.digits(), names.get(&self.parameters.names[number]).cloned())
            else {
                continue;
            };
            let Some(widths) = widths.iter().map(|width| names.get(width).cloned()).collect() else {
                continue;
            };
            let written = Digits { widths, count };
            for (at, digit) in digits.iter().flat_map(Form::parameters).enumerate() {
                names.insert(self.parameters.names[digit].clone(), written.digit(&number, at));
            }
        }
        names
    }

    fn payload(&self, event: &Event, name: &str, carried: &Carried) -> Result<Payload> {
        let count = match (&carried.count, &carried.named) {
            (Some(form), _) => Count::Of(self.relation(event, name, std::slice::from_ref(form))?),
            (None, Some(named)) => Count::Named(named.clone()),
            (None, None) => Count::Unknown,
        };
        Ok(Payload { count, datatype: carried.datatype.clone(), bytes: carried.bytes })
    }

    /// The bytes of a message.
    fn length(&self, event: &Event, name: &str, length: Option<&Form>) -> Result<Option<Relation>> {
        length.map(|form| self.relation(event, name, std::slice::from_ref(form))).transpose()
    }

    /// From each instance of a collective call to all numbers of bytes that it names and that have a meaning.
    fn amounts_of(
        &self,
        event: &Event,
        name: &str,
        amounts: &[Amount],
        (process, root): (&Relation, &Relation),
    ) -> Result<Relation> {
        let mut all = Relation::empty(&self.context)?;
        for Amount { bytes, is_of_root } in amounts {
            let mut named = self.relation(event, name, std::slice::from_ref(bytes))?;
            if *is_of_root {
                named = named.intersect_domain(&process.intersect(root)?.domain()?)?;
            }
            all = all.union(&named)?;
        }
        Ok(all)
    }

    /// Whether something is wrong with a few processes only: then the program is not for so few.
    fn is_only_for_few(&self, wrong: &Set) -> Result<bool> {
        for least in 1..=FEW + 1 {
            let from = self.with_at_least(least)?;
            if wrong.intersect_parameters(&from)?.is_empty()? {
                self.least.set(self.least.get().max(least));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// From the instances of a call to the values of forms.
    pub(crate) fn relation(&self, event: &Event, name: &str, forms: &[Form]) -> Result<Relation> {
        event.region.relation(name, &event.instance, forms, &self.parameters)
    }

    fn process_of(&self, event: &Event, name: &str) -> Result<Relation> {
        self.relation(event, name, &self.process())
    }

    /// A send or a receive without its place in the order of the program: where its other side is nobody, nothing happens.
    fn envelopes(&mut self, event: &Event, name: &str, kind: Kind, envelope: &Envelope) -> Result<Operation> {
        let parameters = &self.parameters.clone();
        let null = Form::number(special("MPI_PROC_NULL"));
        let any_source = Form::number(special("MPI_ANY_SOURCE"));
        let any_tag = Form::number(special("MPI_ANY_TAG"));
        let is = |a: &Form, b: &Form| Condition::is(Bound::equal(a, b));
        let region = event.region.meet(&is(&envelope.partner, &null).negated(), parameters)?;
        let is_receive = kind == Kind::Receive;
        let process_of_it = self.process();
        let of = |region: &Region, forms: &[Form]| region.relation(name, &event.instance, forms, parameters);
        let give_up = |reason: &str| GivenUp::Program {
            reason: reason.to_owned(),
            place: Some((event.site.function, event.site.span)),
        };
        let anybody = region.meet(&is(&envelope.partner, &any_source), parameters)?;
        let communicator = self.of_number(envelope.communicator).clone();
        let process = of(&region, &process_of_it)?;
        let mut named = region.clone();
        let mut partner = Relation::empty(&self.context)?;
        if envelope.answers.is_some() {
            named = region.meet(&Condition::Holds(false), parameters)?;
            partner = process.apply_range(&communicator.mates()?)?;
        } else if is_receive && !anybody.is_empty()? {
            named = region.meet(&is(&envelope.partner, &any_source).negated(), parameters)?;
            partner = of(&anybody, &process_of_it)?.apply_range(&communicator.mates()?)?;
        }
        // Ranks of the communicator are those of its members: class, then number.
        let written = self.as_rank(&named, &envelope.partner, &communicator)?;
        let Some((named, rank)) = written else {
            return Err(give_up("the rank at the other side is not known"));
        };
        let to = of(&named, &rank)?;
        let classes = of(&named, &process_of_it)?.apply_range(&communicator.classes()?)?;
        let to = classes.flat_range_product(&to)?.apply_range(&communicator.places.inverse()?)?;
        let strangers = process.domain()?.subtract(&to.domain()?.union(&partner.domain()?)?)?;
        if !self.is_only_for_few(&strangers.parameter_domain()?)? {
            return Err(give_up("it is not shown that the other side is a rank of the communicator"));
        }
        partner = partner.union(&to)?;
        let tag = if is_receive && envelope.tag == any_tag {
            let mut region = region.clone();
            let mut tag = Vec::new();
            for _ in 0..if self.tags_have_digits { self.process.len() } else { 1 } {
                let at = self.new_coordinate();
                let digit = Form::atom(Atom::Coordinate(at));
                region = region.extended(at, &[vec![Bound::not_negative(digit.clone())]], parameters)?;
                tag.push(digit);
            }
            of(&region, &tag)?
        } else if self.tags_have_digits {
            match self.as_process(&region, &envelope.tag)? {
                Some((region, tag)) => of(&region, &tag)?,
                None => return Err(give_up("the tag is not known")),
            }
        } else {
            if is_receive && !region.meet(&is(&envelope.tag, &any_tag), parameters)?.is_empty()? {
                return Err(give_up("some receives take any tag, and others do not"));
            }
            of(&region, std::slice::from_ref(&envelope.tag))?
        };
        let position = Relation::empty(&self.context)?;
        let communicator = envelope.communicator;
        Ok(Operation {
            kind,
            process,
            partner,
            tag,
            position,
            completion: None,
            communicator,
            options: Vec::new(),
            synchronizes: false,
            answers: None,
        })
    }

    /// Where a call is complete, if not where it begins.
    fn end(
        &self,
        calls: &Calls<'_>,
        event: &Event,
        name: &str,
        completion: &Completion,
        position: &Relation,
    ) -> Result<Option<Relation>> {
        match completion {
            Completion::Here => Ok(None),
            Completion::At(end) => {
                let end = self.relation(event, name, &padded(end, calls.depth))?;
                Ok(Some(end.intersect_domain(&position.domain()?)?))
            }
            Completion::Request(request) => {
                let Some((object, steps, index)) = key(request) else {
                    return Err(not_known(event, "where the request of this call is"));
                };
                let owner = [self.process(), vec![index]].concat();
                let request = self.relation(event, name, &owner)?.intersect_domain(&position.domain()?)?;
                let process = self.process_of(event, name)?;
                let started = Started { process, position: position.clone(), request };
                Ok(Some(self.first_wait(calls, event, &started, (object, &steps))?))
            }
        }
    }

    /// From the requests of a call that names several, under a name, to process, index and position.
    fn of_requests(
        &self,
        calls: &Calls<'_>,
        event: &Event,
        name: &str,
        (first, count): (&Form, Option<&Form>),
    ) -> Result<Started> {
        let parameters = &self.parameters;
        let at = u32::MAX - 2;
        let one = Form::atom(Atom::Coordinate(at));
        let end = first.plus(count.unwrap_or(&Form::number(1)), 1);
        let bounds = [Bound::at_most(first, &one), end.and_then(|end| Bound::below(&one, &end))];
        let bounds: Vec<Bound> = bounds.into_iter().flatten().collect();
        let all = event.region.extended(at, &[bounds], parameters)?;
        let mut instance = event.instance.clone();
        instance.push(at);
        let of = |forms: &[Form]| all.relation(name, &instance, forms, parameters);
        Ok(Started {
            process: of(&self.process())?,
            position: of(&calls.position(event))?,
            request: of(&[self.process(), vec![one]].concat())?,
        })
    }

    /// From each instance of a call that starts something to the position of the first wait for its request that comes later.
    fn first_wait(
        &self,
        calls: &Calls<'_>,
        event: &Event,
        started: &Started,
        (object, steps): (Object, &[Step]),
    ) -> Result<Relation> {
        let mut waits: Vec<(&Event, Started)> = Vec::new();
        for wait in calls.events {
            let What::Wait { first, count } = &wait.what else { continue };
            let Some(from) = same_list(first, (object, steps))
                .map_err(|()| not_known(wait, "which requests are waited for"))?
            else {
                continue;
            };
            // What is started in some rounds is waited for where it is started, or in any case.
            if !wait.options.iter().all(|option| event.options.contains(option)) {
                return Err(not_known(wait, "whether this wait is executed"));
            }
            waits.push((wait, self.of_requests(calls, wait, "", (&from, count.as_ref()))?));
        }
        let of_rounds = waits.iter().flat_map(|(wait, _)| &wait.options);
        let rounds = of_rounds.map(|option| option.rounds).max().unwrap_or(0);
        let here = &started.position;
        let first = match self.wait_in_same_round(calls, event, started, &waits)? {
            Some(first) if here.domain()?.is_subset(&first.domain()?)? => first,
            _ => {
                // From process and request to the positions of the waits.
                let mut waited = Relation::empty(&self.context)?;
                for (_, wait) in &waits {
                    waited = waited.union(&wait.request.inverse()?.apply_range(&wait.position)?)?;
                }
                let candidates = started.request.apply_range(&waited)?;
                // Waits before the call are for an earlier one.
                let later = here.apply_range(&here.range()?.lex_lt(&candidates.range()?)?)?;
                candidates.intersect(&later)?.lexicographic_minimum()?
            }
        };
        if !here.domain()?.is_subset(&first.domain()?)? {
            return Err(not_known(event, "where the request of this call is waited for"));
        }
        let round = |positions: &Relation| positions.project_out_range(rounds.min(calls.depth)..calls.depth);
        if rounds > 0 && !round(here)?.is_equal(&round(&first)?)? {
            return Err(not_known(event, "whether the request of this call is waited for in the same round"));
        }
        Ok(first.coalesce()?)
    }

    /// The same, as far as that is in the same round of the loops around both. `None` where the text does not tell the order of a wait and
    /// the call.
    fn wait_in_same_round(
        &self,
        calls: &Calls<'_>,
        event: &Event,
        started: &Started,
        waits: &[(&Event, Started)],
    ) -> Result<Option<Relation>> {
        let here = calls.position(event);
        let mut first = Relation::empty(&self.context)?;
        for (wait, of_wait) in waits {
            let Some((is_later, rounds)) = order_in_text(&here, &calls.position(wait)) else {
                return Ok(None);
            };
            // Before the call, it is for an earlier one, or comes in a later round.
            if !is_later {
                continue;
            }
            let waited = of_wait.request.inverse()?.apply_range(&of_wait.position)?;
            let mut found = started.request.apply_range(&waited)?;
            if !rounds.is_empty() {
                let coordinates = |of: char| {
                    let names: Vec<String> = (0..calls.depth).map(|at| format!("{of}{at}")).collect();
                    names.join(", ")
                };
                let same: Vec<String> = rounds.iter().map(|at| format!("a{at} = b{at}")).collect();
                let text = format!(
                    "{{ [{}] -> [{}] : {} }}",
                    coordinates('a'),
                    coordinates('b'),
                    same.join(" and ")
                );
                let same = Relation::parse(&self.context, &text)?;
                found = found.intersect(&started.position.apply_range(&same)?)?;
            }
            first = first.union(&found)?;
        }
        Ok(Some(first.lexicographic_minimum()?))
    }

    /// The operations of a persistent call, as they are started.
    fn started(
        &mut self,
        calls: &Calls<'_>,
        event: &Event,
        (kind, envelope): (Kind, &Envelope),
        request: &Place,
        (made, partitions): (usize, Option<i64>),
    ) -> Result<Vec<Operation>> {
        let Some((object, steps, _)) = key(request) else {
            return Err(not_known(event, "where the request of this call is"));
        };
        if !event.options.is_empty() {
            return Err(not_known(event, "in which rounds this request is made"));
        }
        // Process, request and position of all calls that make a request in this list.
        let mut templates = Relation::empty(&self.context)?;
        let mut own = Relation::empty(&self.context)?;
        for template in calls.events {
            let What::Template { request, .. } = &template.what else { continue };
            let Some(from) = same_list(request, (object, &steps))
                .map_err(|()| not_known(template, "which request this is"))?
            else {
                continue;
            };
            let requests = self.relation(template, "P", &[self.process(), vec![from]].concat())?;
            let positions = self.relation(template, "P", &calls.position(template))?;
            let part = requests.inverse()?.apply_range(&positions)?;
            if std::ptr::eq(template, event) {
                own = part.clone();
            }
            templates = templates.union(&part)?;
        }
        // What one of its instances is about.
        let message = self.envelopes(event, "P", kind, envelope)?;
        let by_position = self.process_of(event, "P")?.flat_range_product(&self.relation(
            event,
            "P",
            &calls.position(event),
        )?)?;
        let mut all = Vec::new();
        for start in calls.events {
            let What::Start { first, count } = &start.what else { continue };
            let Some(from) = same_list(first, (object, &steps))
                .map_err(|()| not_known(start, "which requests are started"))?
            else {
                continue;
            };
            let name = name_of(kind, made + all.len());
            let started = self.of_requests(calls, start, &name, (&from, count.as_ref()))?;
            // The last one before the start.
            let candidates = started.request.apply_range(&templates)?;
            let here = &started.position;
            let earlier = here.apply_range(&candidates.range()?.lex_lt(&here.range()?)?.inverse()?)?;
            let last = candidates.intersect(&earlier)?.lexicographic_maximum()?;
            if !here.domain()?.is_subset(&last.domain()?)? {
                return Err(not_known(start, "what is started here"));
            }
            let last = last.intersect(&started.request.apply_range(&own)?)?;
            let template = started.process.flat_range_product(&last)?.apply_range(&by_position.inverse()?)?;
            let of = |relation: &Relation| template.apply_range(relation);
            let process = of(&message.process)?;
            if process.is_empty()? {
                continue;
            }
            let within = process.domain()?;
            if partitions.is_some() && event.position.len() > 1 {
                let made = started.process.flat_range_product(&last)?.intersect_domain(&within)?;
                let at = started.process.flat_range_product(&started.position)?.intersect_domain(&within)?;
                let is_each_once = all.is_empty()
                    && template.is_injective()?
                    && message.process.domain()?.is_subset(&template.range()?)?;
                if !is_each_once || !are_in_order(&process, &made, &at)? {
                    return Err(not_known(start, "which partitioned operations meet each other"));
                }
            }
            let started = Started {
                process: process.clone(),
                position: started.position.intersect_domain(&within)?,
                request: started.request.intersect_domain(&within)?,
            };
            let completion = self.first_wait(calls, start, &started, (object, &steps))?;
            let position = match partitions {
                Some(count) if kind != Kind::Receive => {
                    self.ready(calls, start, (&started, &completion), (object, &steps), count)?
                }
                _ => started.position.clone(),
            };
            all.push(Operation {
                kind,
                process,
                partner: of(&message.partner)?,
                tag: of(&message.tag)?,
                position,
                completion: Some(completion),
                communicator: message.communicator,
                options: start.options.clone(),
                synchronizes: false,
                answers: None,
            });
        }
        Ok(all)
    }
}

/// Whether a name is another one with a number behind it.
fn is_numbered(name: &str, of: &str) -> bool {
    name.strip_prefix(of)
        .and_then(|rest| rest.strip_prefix('_'))
        .is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

/// Whether a relation does not depend on a parameter, for what is known of all: then it has it no more.
fn is_free_of(relation: &mut Relation, name: &str, known: Option<&Set>) -> Result<bool> {
    let without = relation.project_out_parameter(name)?;
    let is_free = without.is_equal(relation)?
        || match known {
            Some(known) => {
                without.intersect_parameters(known)?.is_equal(&relation.intersect_parameters(known)?)?
            }
            None => false,
        };
    if is_free {
        *relation = without.coalesce()?;
    }
    Ok(is_free)
}

/// The same number for all instances.
fn constant_on(domain: &Set, number: i64) -> Result<Relation> {
    let number = Set::parse(domain.context(), &format!("{{ [{number}] }}"))?;
    Ok(domain.cross(&number)?)
}

pub(crate) fn not_known(event: &Event, what: &str) -> GivenUp {
    GivenUp::Program {
        reason: format!("it is not known {what}"),
        place: Some((event.site.function, event.site.span)),
    }
}

fn name_of(kind: Kind, number: usize) -> String {
    format!("{}{number}", if kind == Kind::Receive { 'R' } else { 'S' })
}

/// A request: the object it is in, steps to a list of requests, and its index in that.
fn key(place: &Place) -> Option<(Object, Vec<Step>, Form)> {
    Some(match place.steps.split_last() {
        Some((Step::At(at), before)) => (place.object, before.to_vec(), at.clone()),
        _ => (place.object, place.steps.clone(), Form::default()),
    })
}

/// The index of a request in a list, if it is in it; an error where that is not known.
pub(crate) fn same_list(
    place: &Place,
    (object, steps): (Object, &[Step]),
) -> std::result::Result<Option<Form>, ()> {
    let Some((of, before, index)) = key(place) else { return Err(()) };
    if of != object {
        return Ok(None);
    }
    if before == steps {
        return Ok(Some(index));
    }
    // Different members.
    let are_members = before.iter().chain(steps).all(|step| matches!(step, Step::Field(_)));
    if are_members && before.len() == steps.len() { Ok(None) } else { Err(()) }
}

/// A position with all its numbers: what is in fewer loops has -1 behind, which no text has.
fn padded(position: &[Form], depth: usize) -> Vec<Form> {
    let rest = std::iter::repeat_n(Form::number(-1), depth.saturating_sub(position.len()));
    position.iter().cloned().chain(rest).collect()
}

/// Whether a call comes later than another one in the same round of the loops around both, with the coordinates of the positions that are
/// these rounds. `None` where their positions do not tell.
fn order_in_text(here: &[Form], there: &[Form]) -> Option<(bool, Vec<usize>)> {
    let mut rounds = Vec::new();
    for (at, (here, there)) in here.iter().zip(there).enumerate() {
        match (here.as_number(), there.as_number()) {
            (Some(here), Some(there)) if here == there => {}
            (Some(here), Some(there)) => return Some((here < there, rounds)),
            _ if here == there => rounds.push(at),
            _ => return None,
        }
    }
    None
}
