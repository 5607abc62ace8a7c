//! What the definitions say, for one choice of the parameters: instances one by one, messages one by one.
//!
//! Nothing of how [`Program::matching`](crate::Program::matching) and [`Program::clock`](crate::Program::clock) decide is used here.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use presburger::{Instance, Relation};

use crate::error::Result;
use crate::operation::{Kind, Operation, Program};

/// Instances, and pairs of an instance and a place, of one operation, at most.
const MOST: usize = 20_000;

/// Coordinates of a process, a position, or a tag.
type Place = Vec<i64>;

/// What a run does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Which send has met which receive.
    pub met: BTreeSet<(Instance, Instance)>,
    /// Sends that have started and met no receive.
    pub sends_left: BTreeSet<Instance>,
    /// Receives that have started and met no send.
    pub receives_left: BTreeSet<Instance>,
    /// Whether every process has come to its end.
    pub ends: bool,
    /// Whether processes have called different collective operations, or with different roots, where the standard wants the same.
    pub differs: bool,
}

/// An instance, with all that the standard looks at.
struct Call {
    instance: Instance,
    kind: Kind,
    communicator: usize,
    process: Place,
    partners: BTreeSet<Place>,
    tags: BTreeSet<Place>,
    /// The receive whose sender it goes to.
    answers: Option<Instance>,
}

/// What a process does next: start a call, or wait for its end.
#[derive(Clone, Copy)]
enum Event {
    Start(usize),
    End(usize),
}

/// A message or a receive that waits for the other side.
#[derive(Default)]
struct Waiting(VecDeque<usize>);

/// Runs a program for these values of its parameters. Where `is_unbuffered`, no send ends before its receive has started. Receives that can
/// take several messages take the one that comes first, processes in the order of their coordinates: one of the possible runs.
///
/// # Errors
///
/// Those of integer sets: above all, that there are too many instances.
pub fn run(program: &Program, values: &BTreeMap<String, i64>, is_unbuffered: bool) -> Result<Run> {
    let mut calls: Vec<Call> = Vec::new();
    let mut events: BTreeMap<Place, Vec<(Place, u8, Event)>> = BTreeMap::new();
    for operation in program.operations() {
        add(program, operation, values, &mut calls, &mut events)?;
    }
    let mut scripts: Vec<VecDeque<Event>> = Vec::new();
    for (_, mut of_process) in events {
        of_process.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        scripts.push(of_process.into_iter().map(|(_, _, event)| event).collect());
    }
    // The processes that share a communicator with a process.
    let mut members: BTreeMap<(usize, Place), Vec<Place>> = BTreeMap::new();
    for (&communicator, mates) in &program.mates {
        for pair in mates.fix_parameters(values)?.pairs(MOST)? {
            let of_process = members.entry((communicator, pair.from.coordinates)).or_default();
            of_process.push(pair.to.coordinates);
        }
    }
    let mut met: Vec<Option<usize>> = vec![None; calls.len()];
    // Collective calls of each process on each communicator, and which of them each is.
    let mut begun: BTreeMap<(usize, Place), Vec<usize>> = BTreeMap::new();
    let mut number: Vec<usize> = vec![0; calls.len()];
    let mut started = Waiting::default();
    loop {
        let mut goes_on = false;
        for script in &mut scripts {
            while let Some(&event) = script.front() {
                match event {
                    Event::Start(at) if matches!(calls[at].kind, Kind::Collective(_)) => {
                        let Call { communicator, process, .. } = &calls[at];
                        let begun = begun.entry((*communicator, process.clone())).or_default();
                        number[at] = begun.len();
                        begun.push(at);
                    }
                    Event::Start(at) => {
                        if let Some(receive) = &calls[at].answers {
                            let receive = calls.iter().position(|call| call.instance == *receive);
                            let sender = receive.and_then(|receive| met[receive]);
                            calls[at].partners =
                                sender.map(|sender| calls[sender].process.clone()).into_iter().collect();
                        }
                        let other = started.take(|other| can_meet(&calls[at], &calls[other]));
                        met[at] = other;
                        match other {
                            Some(other) => met[other] = Some(at),
                            None => started.0.push_back(at),
                        }
                    }
                    Event::End(at) => {
                        let call = &calls[at];
                        let waits = match call.kind {
                            Kind::Send { is_synchronous } => {
                                (is_synchronous || is_unbuffered) && met[at].is_none()
                            }
                            Kind::Receive => met[at].is_none(),
                            Kind::Collective(_) => members
                                .get(&(call.communicator, call.process.clone()))
                                .is_some_and(|members| {
                                    members.iter().any(|member| {
                                        let of_member = begun.get(&(call.communicator, member.clone()));
                                        of_member.is_none_or(|of_member| of_member.len() <= number[at])
                                    })
                                }),
                        };
                        if waits {
                            break;
                        }
                    }
                }
                script.pop_front();
                goes_on = true;
            }
        }
        if !goes_on {
            break;
        }
    }
    let mut outcome = Run { ends: scripts.iter().all(VecDeque::is_empty), ..Run::default() };
    for at in started.0 {
        let left = if calls[at].is_send() { &mut outcome.sends_left } else { &mut outcome.receives_left };
        left.insert(calls[at].instance.clone());
    }
    for (at, other) in met.iter().enumerate().filter(|(at, _)| calls[*at].is_send()) {
        if let Some(other) = other {
            outcome.met.insert((calls[at].instance.clone(), calls[*other].instance.clone()));
        }
    }
    let mut same: BTreeMap<_, BTreeSet<(usize, &BTreeSet<Place>)>> = BTreeMap::new();
    for ((communicator, process), of_process) in &begun {
        let class = members.get(&(*communicator, process.clone())).and_then(|members| members.iter().min());
        for &at in of_process {
            if let Kind::Collective(operation) = calls[at].kind {
                let key = (*communicator, class, number[at]);
                same.entry(key).or_default().insert((operation, &calls[at].partners));
            }
        }
    }
    outcome.differs = same.values().any(|calls| calls.len() > 1);
    Ok(outcome)
}

impl Call {
    fn is_send(&self) -> bool {
        matches!(self.kind, Kind::Send { .. })
    }
}

impl Waiting {
    /// The first one that fits, which waits no longer. Messages of one sender, and receives of one process, wait in their order.
    fn take(&mut self, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let at = self.0.iter().position(|&call| fits(call))?;
        self.0.remove(at)
    }
}

fn can_meet(a: &Call, b: &Call) -> bool {
    let (send, receive) = if a.is_send() { (a, b) } else { (b, a) };
    send.is_send()
        && receive.kind == Kind::Receive
        && send.communicator == receive.communicator
        && send.partners.contains(&receive.process)
        && receive.partners.contains(&send.process)
        && !send.tags.is_disjoint(&receive.tags)
}

fn add(
    program: &Program,
    operation: &Operation,
    values: &BTreeMap<String, i64>,
    calls: &mut Vec<Call>,
    events: &mut BTreeMap<Place, Vec<(Place, u8, Event)>>,
) -> Result<()> {
    let at = |relation: &Relation| -> Result<BTreeMap<Instance, BTreeSet<Place>>> {
        let possible =
            relation.intersect_domain(&operation.domain()?)?.intersect_parameters(program.known())?;
        let fixed = possible.fix_parameters(values)?;
        let mut places: BTreeMap<Instance, BTreeSet<Place>> = BTreeMap::new();
        for pair in fixed.pairs(MOST)? {
            places.entry(pair.from).or_default().insert(pair.to.coordinates);
        }
        Ok(places)
    };
    let one = |places: &BTreeMap<Instance, BTreeSet<Place>>, instance: &Instance| {
        places.get(instance).and_then(BTreeSet::first).cloned().unwrap_or_default()
    };
    let (partners, tags) = (at(&operation.partner)?, at(&operation.tag)?);
    let (starts, ends) = (at(&operation.position)?, at(operation.end())?);
    let mut answered: BTreeMap<Instance, Instance> = BTreeMap::new();
    if let Some(answers) = &operation.answers {
        let pairs = answers.fix_parameters(values)?.pairs(MOST)?;
        answered.extend(pairs.into_iter().map(|pair| (pair.from, pair.to)));
    }
    for (instance, process) in at(&operation.process)? {
        let process = process.first().cloned().unwrap_or_default();
        let own = events.entry(process.clone()).or_default();
        own.push((one(&starts, &instance), 0, Event::Start(calls.len())));
        own.push((one(&ends, &instance), 1, Event::End(calls.len())));
        calls.push(Call {
            kind: operation.kind,
            communicator: operation.communicator,
            process,
            partners: partners.get(&instance).cloned().unwrap_or_default(),
            tags: tags.get(&instance).cloned().unwrap_or_default(),
            answers: answered.get(&instance).cloned(),
            instance,
        });
    }
    Ok(())
}
