//! Programs as texts, and the comparison of what is said of them with runs.

use std::collections::{BTreeMap, BTreeSet};

use model::check::{self, Run};
use model::{Clock, Error, How, Kind, Matching, Operation, Program};
use presburger::{Context, Instance, Relation, Set};

/// Operations of isl for a question about one program: many times as many as any of them needs.
const BUDGET: u64 = 20_000_000;

/// A program under construction.
pub(crate) struct Text {
    parameters: &'static str,
    program: Program,
}

/// An operation as a text: its instances with their condition, then functions of them.
pub(crate) struct Call<'a> {
    /// As `S[r, t]`.
    pub(crate) instance: &'a str,
    pub(crate) domain: &'a str,
    pub(crate) process: &'a str,
    pub(crate) partner: &'a str,
    pub(crate) tag: &'a str,
    pub(crate) position: &'a str,
}

impl Text {
    pub(crate) fn new(parameters: &'static str, known: &str) -> Self {
        let context = Context::with_budget(BUDGET).expect("there is memory");
        let known = Set::parse(&context, &format!("[{parameters}] -> {{ : {known} }}")).expect("a set");
        Self { parameters, program: Program::new(known) }
    }

    pub(crate) fn relation(&self, call: &Call<'_>, value: &str) -> Relation {
        let text = format!("[{}] -> {{ {} -> [{value}] : {} }}", self.parameters, call.instance, call.domain);
        Relation::parse(self.program.known().context(), &text)
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn operation(&self, call: &Call<'_>) -> Operation {
        let [process, partner, tag, position] = [call.process, call.partner, call.tag, call.position];
        Operation::send(
            self.relation(call, process),
            self.relation(call, partner),
            self.relation(call, tag),
            self.relation(call, position),
        )
    }

    pub(crate) fn send(mut self, call: &Call<'_>) -> Self {
        self.program.add(self.operation(call));
        self
    }

    pub(crate) fn receive(mut self, call: &Call<'_>) -> Self {
        let send = self.operation(call);
        self.program.add(Operation::receive(send.process, send.partner, send.tag, send.position));
        self
    }

    /// A receive from any source among `sources`: a condition on `s`.
    pub(crate) fn receive_any(mut self, call: &Call<'_>, sources: &str) -> Self {
        let one = self.operation(call);
        let any = Call { domain: &format!("{} and {sources}", call.domain), ..*call };
        let partner = self.relation(&any, "s");
        self.program.add(Operation::receive(one.process, partner, one.tag, one.position));
        self
    }

    /// A send that waits for its receive in any case.
    pub(crate) fn ssend(mut self, call: &Call<'_>) -> Self {
        let kind = Kind::Send { is_synchronous: true };
        self.program.add(Operation { kind, ..self.operation(call) });
        self
    }

    /// A receive of any of the tags 0 to 9.
    pub(crate) fn receive_tagged(mut self, call: &Call<'_>) -> Self {
        let one = self.operation(call);
        let any = Call { domain: &format!("{} and 0 <= g <= 9", call.domain), ..*call };
        let tag = self.relation(&any, "g");
        self.program.add(Operation::receive(one.process, one.partner, tag, one.position));
        self
    }

    /// A nonblocking send that is waited for at a position.
    pub(crate) fn isend(mut self, call: &Call<'_>, wait: &str) -> Self {
        let wait = self.relation(call, wait);
        self.program.add(self.operation(call).completed_at(wait));
        self
    }

    /// A nonblocking receive that is waited for at a position.
    pub(crate) fn irecv(mut self, call: &Call<'_>, wait: &str) -> Self {
        let wait = self.relation(call, wait);
        let send = self.operation(call);
        let receive = Operation::receive(send.process, send.partner, send.tag, send.position);
        self.program.add(receive.completed_at(wait));
        self
    }

    /// A collective operation, the one with this number, with `partner` as its root.
    pub(crate) fn collective(mut self, number: usize, call: &Call<'_>) -> Self {
        let one = self.operation(call);
        self.program.add(Operation::collective(number, one.process, one.partner, one.tag, one.position));
        self
    }

    /// Who shares the communicator of all: a condition on `r` and `s`.
    pub(crate) fn mates(mut self, condition: &str) -> Self {
        let text = format!("[{}] -> {{ [r] -> [s] : {condition} }}", self.parameters);
        let mates = Relation::parse(self.program.known().context(), &text).expect("a relation");
        self.program.set_mates(0, mates);
        self
    }

    /// The last operation is on another communicator.
    pub(crate) fn on(mut self, communicator: usize) -> Self {
        let operations: Vec<Operation> = self.program.operations().to_vec();
        let mut program = Program::new(self.program.known().clone());
        let last = operations.len() - 1;
        for (at, operation) in operations.into_iter().enumerate() {
            program.add(if at == last { operation.on(communicator) } else { operation });
        }
        self.program = program;
        self
    }

    pub(crate) fn done(self) -> Program {
        self.program
    }
}

/// What is said of a program, after it was compared with runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) how: How,
    /// The smallest send or receive that is left over.
    pub(crate) left: Option<String>,
    /// Whether all call the same collective operations.
    pub(crate) agrees: bool,
    pub(crate) buffered: Option<Clock>,
    pub(crate) unbuffered: Option<Clock>,
}

/// All small values of the parameters that are possible.
fn values(program: &Program) -> Vec<BTreeMap<String, i64>> {
    let parameters = program.known().parameters().expect("small");
    let most = if parameters.len() < 2 { 7 } else { 3 };
    let mut all = vec![BTreeMap::new()];
    for name in parameters {
        let with = |values: &BTreeMap<String, i64>, value: i64| {
            let mut values = values.clone();
            values.insert(name.clone(), value);
            values
        };
        all = all.iter().flat_map(|values| (0..=most).map(move |value| with(values, value))).collect();
    }
    let is_possible = |values: &BTreeMap<String, i64>| {
        let fixed = program.known().fix_parameters(values);
        !fixed.and_then(|set| set.is_empty()).expect("small")
    };
    all.retain(is_possible);
    all
}

fn at(relation: &Relation, values: &BTreeMap<String, i64>) -> BTreeSet<(Instance, Instance)> {
    let fixed = relation.fix_parameters(values);
    let pairs = fixed.and_then(|relation| relation.pairs(10_000)).expect("small");
    pairs.into_iter().map(|pair| (pair.from, pair.to)).collect()
}

fn points(set: &Set, values: &BTreeMap<String, i64>) -> BTreeSet<Instance> {
    let fixed = set.fix_parameters(values);
    let points = fixed.and_then(|set| set.points(10_000)).expect("small");
    points.into_iter().map(|point| point.instance).collect()
}

/// What is said agrees with a run.
fn agrees(matching: &Matching, clock: Option<&Clock>, run: &Run, values: &BTreeMap<String, i64>) {
    let (meets, candidates) = (at(&matching.meets, values), at(&matching.candidates, values));
    let (sends, receives) = (points(&matching.sends_left, values), points(&matching.receives_left, values));
    let context = format!("at {values:?}: {matching:#?}\n{clock:?}\n{run:#?}");
    assert!(run.met.is_subset(&candidates), "{context}");
    if clock.is_some() && receives.is_empty() && sends.is_empty() {
        assert!(run.ends, "it hangs {context}");
    }
    if matching.how != How::AnyOrder {
        assert!(run.met.is_subset(&meets), "{context}");
    }
    if run.ends {
        assert_eq!(run.met.len(), meets.len(), "{context}");
        assert!(run.receives_left.is_empty() && run.sends_left == sends, "{context}");
    }
}

/// What is said of a program: it agrees with runs for small values of its parameters.
pub(crate) fn said(program: &Program) -> Result<Said, Error> {
    let matching = program.matching()?;
    let together = program.collectives()?;
    let [buffered, unbuffered] = [false, true].map(|is_unbuffered| match &together {
        Some(together) => program.clock(&matching, together, is_unbuffered),
        None => Ok(None),
    });
    let (buffered, unbuffered) = (buffered?, unbuffered?);
    for values in values(program) {
        for (is_unbuffered, clock) in [(false, &buffered), (true, &unbuffered)] {
            let run = check::run(program, &values, is_unbuffered)?;
            assert!(together.is_none() || !run.differs, "at {values:?}: {together:?}\n{run:#?}");
            agrees(&matching, clock.as_ref(), &run, &values);
        }
    }
    let left = matching.witness(&["np"])?.map(|point| point.to_string());
    Ok(Said { how: matching.how, left, agrees: together.is_some(), buffered, unbuffered })
}
