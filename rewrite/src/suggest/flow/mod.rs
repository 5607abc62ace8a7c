//! Collective operations by what they do to the memory of all processes.
//!
//! Statements around messages are followed on all processes at once, with names in place of what the memory holds at the start. What a
//! name has become a part of, and where it has gone, says which collective operation would have done the same, whatever the statements
//! look like: a ring, a tree, a loop over all others. That is done for some numbers of processes up to 17, and with two choices of all
//! numbers in the text that are greater than 2, and where those of variables are 1: what the statements compare ranks with is made of ranks, of the number of processes and of
//! numbers up to 2, and would show at one of these.
//!
//! Which messages there are for every number of processes is known from the topology. The statements are entered by all processes equally
//! often, though they do not say so: all messages of their calls stay between them, none is lost, and when they are followed, each
//! process exchanges messages with others that lead to all of them.

mod calls;
mod code;
mod counts;
mod edit;
mod gain;
mod identity;
mod live;
mod lower;
mod machine;
mod meaning;
mod messages;
mod run;
mod term;

use std::collections::BTreeMap;

use analyzer::results::{ProgramReport, Related, SourceRange, Suggestion};
use analyzer::rules::Rule;
use frontend::mpi::Class;
use tree_sitter::Node;

use super::scope::Scope;
use super::{call_at, has_finding};
use crate::text::{Call, descendants, function_of, statements};
use code::{Amount, Code, Expr, Stmt};
use identity::Origins;
use live::{Live, Stretch, is_carried, live};
use lower::Lowering;
use meaning::{Meaning, Operation};
use run::{Outcome, Setting, run};

/// The number of processes that is tried first: neither a power of two, nor so small that many things are the same.
const FIRST: [usize; 2] = [5, 4];
/// Those that must agree.
const OTHERS: [usize; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17];
/// As many of more than two processes at least.
const ENOUGH: usize = 3;
/// Steps for all statements of a program.
const BUDGET: usize = 6_000_000;
/// Steps for one number of processes.
const STEPS: usize = 1_000_000;
/// Statements before the first message that are followed.
const BEFORE: usize = 40;
/// Statements of a block that are looked at together.
const WIDEST: usize = 12;

/// A suggestion, with the channels that it is about.
pub(super) struct Found {
    pub(super) suggestion: Suggestion,
    pub(super) channels: Vec<usize>,
    /// Whether a loop over all processes may be told better as what it is.
    pub(super) is_rooted: bool,
}

/// A channel whose two calls are in the text.
struct Line<'t> {
    index: usize,
    send: Node<'t>,
    receive: Node<'t>,
}

/// Statements that mean a collective operation.
struct Core<'t> {
    stretch: Stretch<'t>,
    channels: Vec<usize>,
    meaning: Meaning,
    suggestion: Suggestion,
}

/// What the messages of a program do together.
pub(super) fn collectives(report: &ProgramReport, scopes: &BTreeMap<&str, Scope<'_>>) -> Vec<Found> {
    let mut all = Vec::new();
    let mut budget = BUDGET;
    for (name, scope) in scopes {
        let mut lines: Vec<Line<'_>> = Vec::new();
        for (index, channel) in report.topology.channels.iter().enumerate() {
            if [&channel.send, &channel.recv].iter().any(|site| site.range.file != *name) {
                continue;
            }
            let ends = [call_at(scopes, &channel.send), call_at(scopes, &channel.recv)];
            let [Some((_, send)), Some((_, receive))] = ends else { continue };
            lines.push(Line { index, send: send.node, receive: receive.node });
        }
        let mut functions: Vec<Node<'_>> = lines.iter().filter_map(|line| function_of(line.send)).collect();
        functions.sort_by_key(Node::start_byte);
        functions.dedup();
        for function in functions {
            let search = Search { report, scope, lines: &lines, is_whole: scopes.len() == 1 };
            all.extend(search.in_function(function, &mut budget));
        }
    }
    all
}

struct Search<'s, 't> {
    report: &'s ProgramReport,
    scope: &'s Scope<'t>,
    lines: &'s [Line<'t>],
    is_whole: bool,
}

impl<'t> Search<'_, 't> {
    fn in_function(&self, function: Node<'t>, budget: &mut usize) -> Vec<Found> {
        let mut stretches = Vec::new();
        for block in descendants(function).into_iter().filter(|node| node.kind() == "compound_statement") {
            stretches.extend(self.stretches(block));
        }
        stretches.sort_by_key(|stretch| stretch.last.end_byte() - stretch.first.start_byte());
        let mut cores: Vec<Core<'t>> = Vec::new();
        for stretch in stretches {
            let Some(channels) = self.channels(&stretch) else { continue };
            let Some(core) = self.core(stretch, channels, budget) else { continue };
            let parts = || cores.iter().filter(|part| core.stretch.contains(part.stretch.first));
            // Statements that have nothing to do with it are better left alone.
            let is_padded = parts().any(|part| {
                part.meaning.operation == core.meaning.operation && part.meaning.result == core.meaning.result
            });
            if !is_padded {
                cores.retain(|part| !core.stretch.contains(part.stretch.first));
                cores.push(core);
            }
        }
        let found = |core: Core<'t>| Found {
            is_rooted: core.meaning.operation.has_root(),
            suggestion: core.suggestion,
            channels: core.channels,
        };
        cores.into_iter().map(found).collect()
    }

    /// Stretches of a block that begin and end with messages, or with a wait for some.
    fn stretches(&self, block: Node<'t>) -> Vec<Stretch<'t>> {
        let Some(all) = statements(block) else { return Vec::new() };
        let has_message = |statement: &Node<'t>| {
            let within = |node: Node<'t>| {
                statement.start_byte() <= node.start_byte() && node.end_byte() <= statement.end_byte()
            };
            self.lines.iter().any(|line| within(line.send) || within(line.receive))
        };
        let waits = |statement: &Node<'t>| {
            descendants(*statement).into_iter().filter(|node| node.kind() == "call_expression").any(|node| {
                let call = Call::around_loosely(self.scope.file, node);
                call.is_some_and(|call| matches!(call.mpi.class, Class::Wait(_)))
            })
        };
        let firsts: Vec<usize> = (0..all.len()).filter(|&at| has_message(&all[at])).collect();
        let mut found = Vec::new();
        for &first in &firsts {
            let most = all.len().min(first + WIDEST);
            let lasts = (first..most).filter(|&at| firsts.contains(&at) || waits(&all[at]));
            found.extend(lasts.map(|last| Stretch { first: all[first], last: all[last] }));
        }
        found
    }

    /// The channels of a stretch, if none has an end elsewhere, and nothing is wrong with any.
    fn channels(&self, stretch: &Stretch<'t>) -> Option<Vec<usize>> {
        let mut all = Vec::new();
        for line in self.lines {
            match (stretch.contains(line.send), stretch.contains(line.receive)) {
                (true, true) => all.push(line.index),
                (false, false) => {}
                _ => return None,
            }
        }
        // A call may have messages with one in another file.
        let ranges: Vec<&SourceRange> = all.iter().flat_map(|&index| self.ends(index)).collect();
        let mut others = (0..self.report.topology.channels.len()).filter(|index| !all.contains(index));
        let is_apart = !others.any(|index| self.ends(index).iter().any(|end| ranges.contains(end)));
        (is_apart && !all.is_empty() && !has_finding(self.report, &ranges)).then_some(all)
    }

    fn ends(&self, index: usize) -> [&SourceRange; 2] {
        let channel = &self.report.topology.channels[index];
        [&channel.send.range, &channel.recv.range]
    }

    fn core(&self, stretch: Stretch<'t>, channels: Vec<usize>, budget: &mut usize) -> Option<Core<'t>> {
        let first = &self.report.topology.channels[*channels.first()?];
        let communicator = {
            let line = self.lines.iter().find(|line| line.index == channels[0])?;
            let call = Call::around_loosely(self.scope.file, line.send)?;
            let named = call.argument(frontend::mpi::Role::Communicator)?;
            self.scope.text(Some(named).filter(|named| self.scope.means_the_same(*named, stretch.first))?)
        };
        let is_world = channels
            .iter()
            .all(|&index| self.report.topology.channels[index].communicator == "MPI_COMM_WORLD");
        let origins = Origins { scope: self.scope, communicator, is_world, is_whole: self.is_whole };
        let (mut code, before, within) = self.lowered(&stretch, origins)?;
        code.counts.retain(|(count, _)| self.scope.means_the_same(*count, stretch.first));
        if let Some(datatype) = code.datatype
            && !code.measured.iter().all(|named| Scope::is_element(named, datatype))
        {
            return None;
        }
        let trial = Trial { scope: self.scope, code: &code, before: &before, within: &within };
        let told = self.report.verdict.np.as_str();
        let includes = |np: usize| counts::includes(told, i64::try_from(np).ok()?).filter(|&fits| fits);
        let probe = FIRST.into_iter().find(|&np| includes(np).is_some())?;
        let mut outcome = trial.outcome(probe, 0, false, budget)?;
        let lives: Vec<Live> = code
            .blocks
            .iter()
            .map(|block| {
                live(self.scope, &origins, stretch, &code.objects[block.object].variable, block.is_variable)
            })
            .collect();
        let carried: Vec<bool> = code
            .blocks
            .iter()
            .map(|block| is_carried(self.scope, stretch, &code.objects[block.object].variable))
            .collect();
        let (meaning, live) = pick(&mut outcome, &code, &lives)?;
        let count = match meaning.operation {
            Operation::Barrier => None,
            _ => Some(trial.length(&outcome, meaning.length)?),
        };
        if meaning.operation != Operation::Barrier && !self.is_typed(&mut outcome, &code, &meaning) {
            return None;
        }
        let mut outcomes = Vec::new();
        let is_free = code.takes_any || code.waits_any;
        let choices: &[bool] = if is_free { &[false, true] } else { &[false] };
        let is_open = code.amounts.iter().any(|amount| matches!(amount, Amount::Variable(_)));
        let variants = if is_open { 0..3 } else { 0..2 };
        for np in OTHERS.into_iter().filter(|&np| includes(np).is_some()) {
            for (variant, &from_above) in variants.clone().flat_map(|v| choices.iter().map(move |c| (v, c))) {
                let mut outcome = trial.outcome(np, variant, from_above, budget)?;
                let length = match &count {
                    None => 0,
                    Some(count) => trial.evaluated(&outcome, &count.1)?,
                };
                if !same(&mut outcome, &code, (&lives, &carried), &Meaning { length, ..meaning }, live) {
                    return None;
                }
                if variant == 0 && !from_above {
                    outcomes.push((np, outcome.time, length));
                }
            }
        }
        if outcomes.iter().filter(|(np, ..)| *np > 2).count() < ENOUGH {
            return None;
        }
        let count = count.map(|(text, _)| text);
        let writer = edit::Writer {
            scope: self.scope,
            code: &code,
            meaning,
            count,
            stretch,
            origins,
            names: [meaning.sent, meaning.result].map(|block| run::name(&code, &outcome, block)),
        };
        let suggestion = Suggestion {
            rule: Rule::UseCollective,
            message: writer.message(),
            range: first.send.range.clone(),
            related: self.related(&channels, &first.send.range),
            np: self.report.verdict.np.clone(),
            gain: gain::gain(meaning.operation, &outcomes),
            edit: writer.edit(),
        };
        Some(Core { stretch, channels, meaning, suggestion })
    }

    /// The other calls.
    fn related(&self, channels: &[usize], first: &SourceRange) -> Vec<Related> {
        let mut all: Vec<(&SourceRange, bool)> = Vec::new();
        for &index in channels {
            let [send, receive] = self.ends(index);
            all.extend([(send, true), (receive, false)]);
        }
        all.sort();
        all.dedup_by(|a, b| a.0 == b.0);
        all.into_iter()
            .filter(|(range, _)| *range != first)
            .map(|(range, sends)| Related {
                range: range.clone(),
                message: if sends { "and sent here" } else { "received here" }.to_owned(),
            })
            .collect()
    }

    /// What is done in a stretch and before it.
    fn lowered(
        &self,
        stretch: &Stretch<'t>,
        origins: Origins<'_, 't>,
    ) -> Option<(Code<'t>, Vec<Stmt>, Vec<Stmt>)> {
        let block = stretch.first.parent()?;
        let all = statements(block)?;
        let first = all.iter().position(|node| *node == stretch.first)?;
        let last = all.iter().position(|node| *node == stretch.last)?;
        let mut lowering = Lowering::new(self.scope, origins);
        let within = all[first..=last].iter().map(|&s| lowering.statement(s)).collect::<Option<Vec<_>>>()?;
        lowering.code.within = lowering.code.amounts.len();
        let mut before = Vec::new();
        for &statement in all[..first].iter().rev().take(BEFORE) {
            let Some(lowered) = lowering.before(statement) else { break };
            before.push(lowered);
        }
        before.reverse();
        Some((lowering.code, before, within))
    }

    /// Whether all that is sent, received or combined consists of elements of the datatype.
    fn is_typed(&self, outcome: &mut Outcome, code: &Code<'t>, meaning: &Meaning) -> bool {
        let Some(datatype) = code.datatype else { return false };
        let mut blocks = vec![meaning.sent, meaning.result];
        for block in meaning::changes(outcome, code) {
            let holds_names = outcome.after.iter().any(|memory| {
                memory
                    .range((block, i64::MIN)..=(block, i64::MAX))
                    .any(|(_, value)| matches!(value, machine::Value::Data { number: None, .. }))
            });
            if holds_names {
                blocks.push(block);
            }
        }
        blocks.iter().all(|&block| {
            self.scope.has_elements(&code.objects[code.blocks[block].object].variable, datatype)
        })
    }
}

/// The operation that all that is left behind comes from: one result that somebody looks at, or one that nobody looks at.
fn pick(outcome: &mut Outcome, code: &Code<'_>, lives: &[Live]) -> Option<(Meaning, Live)> {
    let changed = meaning::changes(outcome, code);
    let looked_at: Vec<usize> =
        changed.iter().copied().filter(|&block| lives[block] != Live::Nobody).collect();
    match looked_at.as_slice() {
        [only] => meaning::detect(outcome, code, *only, lives[*only]).map(|found| (found, lives[*only])),
        [] => {
            let mut found: Vec<Meaning> = changed
                .iter()
                .filter_map(|&block| meaning::detect(outcome, code, block, Live::Nobody))
                .collect();
            // All learn of all, and nothing else is learnt; or some are told to go on.
            let is_short = outcome.lengths.iter().all(|&length| length <= 1);
            let is_signal = outcome.all_have_come && is_short;
            let gives_all = |meaning: &Meaning| {
                matches!(
                    meaning.operation,
                    Operation::Allgather | Operation::Alltoall | Operation::Allreduce(_)
                )
            };
            found.sort_by_key(|meaning| !gives_all(meaning));
            match found.first() {
                Some(meaning) if gives_all(meaning) || !is_short => Some((*meaning, Live::Nobody)),
                _ if is_signal => Some((
                    Meaning {
                        operation: Operation::Barrier,
                        root: None,
                        sent: 0,
                        result: 0,
                        length: 0,
                        own: true,
                    },
                    Live::Nobody,
                )),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether an operation is what some other number of processes sees.
fn same(
    outcome: &mut Outcome,
    code: &Code<'_>,
    (lives, carried): (&[Live], &[bool]),
    meaning: &Meaning,
    live: Live,
) -> bool {
    let changed = meaning::changes(outcome, code);
    // What is sent next time must not come from this time.
    let is_operation = meaning.operation != Operation::Barrier && meaning.sent != meaning.result;
    if is_operation && carried[meaning.sent] && changed.contains(&meaning.sent) {
        return false;
    }
    let others = changed.iter().filter(|&&block| lives[block] != Live::Nobody);
    match meaning.operation {
        Operation::Barrier => others.count() == 0 && outcome.all_have_come,
        _ => {
            others.filter(|&&block| block != meaning.result).count() == 0
                && meaning.length > 0
                && meaning::holds(outcome, code, meaning, live)
        }
    }
}

/// Statements that can be followed for any number of processes.
struct Trial<'c, 't> {
    scope: &'c Scope<'t>,
    code: &'c Code<'t>,
    before: &'c [Stmt],
    within: &'c [Stmt],
}

impl Trial<'_, '_> {
    fn outcome(&self, np: usize, variant: usize, from_above: bool, budget: &mut usize) -> Option<Outcome> {
        const NUMBERS: [[i64; 6]; 2] = [[3, 2, 5, 4, 7, 6], [2, 4, 3, 6, 5, 7]];
        let number = |at: usize| match self.code.amounts[at] {
            // A variable may also be one.
            Amount::Variable(_) if variant == NUMBERS.len() => 1,
            _ => {
                let numbers = NUMBERS[variant % NUMBERS.len()];
                numbers.get(at).copied().unwrap_or_else(|| i64::try_from(at).unwrap_or(0) + 2)
            }
        };
        let amounts: Vec<i64> = (0..self.code.amounts.len()).map(number).collect();
        let mut before = self.before;
        loop {
            let mut steps = STEPS.min(*budget);
            let all = steps;
            let setting = Setting { np, amounts: &amounts, from_above };
            let outcome = run(self.code, before, self.within, setting, &mut steps);
            *budget -= all - steps;
            // What is not understood before the messages may not matter.
            match (outcome, before) {
                (Some(outcome), _) => return Some(outcome),
                (None, [_, rest @ ..]) if *budget > 0 => {
                    before = if rest.len() > 2 { &rest[rest.len() / 2..] } else { rest }
                }
                (None, _) => return None,
            }
        }
    }

    /// A length before the first message, as it is written in a call, or as a number by itself.
    fn length(&self, outcome: &Outcome, length: i64) -> Option<(String, Expr)> {
        let counts = self.code.counts.iter();
        let written = counts.map(|(count, value)| (self.scope.text(*count).to_owned(), value.clone()));
        let fixed = self.code.amounts.iter().enumerate().filter_map(|(at, amount)| match amount {
            Amount::Fixed(text) => Some((text.clone(), Expr::Amount(at))),
            Amount::Variable(_) => None,
        });
        let one = std::iter::once(("1".to_owned(), Expr::Number(1)));
        written.chain(one).chain(fixed).find(|(_, count)| self.evaluated(outcome, count) == Some(length))
    }

    /// What a number of elements is before the first message, on all processes.
    fn evaluated(&self, outcome: &Outcome, count: &Expr) -> Option<i64> {
        let mut all = (0..outcome.np).map(|rank| run::evaluate(self.code, outcome, rank, count));
        let first = all.next()??;
        all.all(|other| other == Some(first)).then_some(first)
    }
}
