//! A topology's instance against the trace of a real run.

use std::collections::BTreeMap;
use std::fmt;

use analyzer::results::{Instance, Message};

use crate::mpi_run::mpi_trace::Trace;

/// Messages that look alike.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    from: u64,
    to: u64,
    send_line: u32,
    recv_line: u32,
    tag: i64,
    count: i64,
    bytes: i64,
    communicator: String,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} -> {}, line {} -> line {}, tag {}, {} elements of {} bytes in all, {}",
            self.from,
            self.to,
            self.send_line,
            self.recv_line,
            self.tag,
            self.count,
            self.bytes,
            self.communicator
        )
    }
}

/// Whether an answer says of the messages and collectives of an exploration what they are. A number that it leaves open agrees with
/// any.
pub fn is_answered_by(found: &Instance, answer: &Instance) -> bool {
    let open = |a: Option<i64>, b: Option<i64>| a.is_none() || a == b;
    let mut left = found.messages.clone();
    let mut messages = true;
    for m in known_first(&answer.messages) {
        let fits = |e: &Message| {
            (m.from, m.to, m.send_line, m.recv_line) == (e.from, e.to, e.send_line, e.recv_line)
                && m.communicator == e.communicator
                && m.datatype == e.datatype
                && (open(m.tag, e.tag) && open(m.count, e.count))
        };
        let taken: Vec<Message> = left.extract_if(.., |e| fits(e)).collect();
        let number = taken.iter().try_fold(0, |sum: i64, e| Some(sum + e.repeat?));
        messages &= !taken.is_empty() && open(m.repeat, number);
    }
    let mut collectives = found.collectives.clone();
    let gathered = answer.collectives.iter().all(|c| {
        let place = collectives.iter().position(|e| {
            (&c.operation, c.line, &c.ranks, c.root) == (&e.operation, e.line, &e.ranks, e.root)
                && open(c.repeat, e.repeat)
        });
        place.map(|index| collectives.remove(index)).is_some()
    });
    messages && left.is_empty() && gathered && collectives.is_empty()
}

/// Whether a number in an instance depends on input.
pub fn depends_on_input(instance: Option<&Instance>) -> bool {
    instance.is_some_and(|instance| {
        instance.messages.iter().any(|m| m.repeat.is_none() || m.count.is_none() || m.tag.is_none())
            || instance.collectives.iter().any(|collective| collective.repeat.is_none())
    })
}

/// What differs, one line each. Where the instance says that a number depends on input, the run may have any.
pub fn compare(instance: &Instance, trace: &Trace) -> Vec<String> {
    let mut differences = Vec::new();
    for (what, events) in
        [("sent and never received", &trace.unmatched_sends), ("never served", &trace.unmatched_receives)]
    {
        for event in events {
            differences.push(format!(
                "{what}: {} of rank {} in line {}",
                event.operation, event.rank, event.site.line
            ));
        }
    }
    let mut seen: BTreeMap<Kind, i64> = BTreeMap::new();
    for message in &trace.messages {
        let kind = Kind {
            from: message.from as u64,
            to: message.to as u64,
            send_line: message.send_line,
            recv_line: message.recv_line,
            tag: message.tag,
            count: message.count,
            bytes: message.count * message.type_size,
            communicator: message.communicator.clone(),
        };
        *seen.entry(kind).or_default() += 1;
    }
    for predicted in known_first(&in_any_communicator(&instance.messages)) {
        let mut number = 0;
        seen.retain(|kind, repeat| {
            let same = agree(predicted, kind);
            number += if same { *repeat } else { 0 };
            !same
        });
        // How often may depend on the input, and be never.
        if predicted.repeat.is_some_and(|repeat| repeat != number) {
            differences.push(format!("predicted {predicted:?}, the run had {number} of them"));
        }
    }
    differences.extend(seen.iter().map(|(kind, repeat)| format!("not predicted: {repeat} times {kind}")));
    differences.extend(collectives(instance, trace));
    differences
}

/// Messages in an order in which each may take all that it stands for: one with an open tag or count would take what belongs to one
/// that is known.
fn known_first(messages: &[Message]) -> Vec<&Message> {
    let mut sorted: Vec<&Message> = messages.iter().collect();
    sorted.sort_by_key(|message| message.tag.is_none() || message.count.is_none());
    sorted
}

fn agree(predicted: &Message, kind: &Kind) -> bool {
    let free_or = |number: Option<i64>, seen: i64| number.is_none_or(|number| number == seen);
    predicted.from == kind.from
        && predicted.to == kind.to
        && predicted.send_line == kind.send_line
        && predicted.recv_line == kind.recv_line
        && is_same_communicator(&predicted.communicator, &kind.communicator)
        && free_or(predicted.tag, kind.tag)
        && free_or(predicted.count, kind.count)
        && free_or(predicted.bytes, kind.bytes)
}

/// Whether a communicator that an answer describes may be the one that a trace names. A trace numbers the communicators that the
/// program makes (`MPI_COMM_WORLD/1@0`), an answer says how they were made.
fn is_same_communicator(described: &str, traced: &str) -> bool {
    described == traced || (is_made(described) && traced.contains('/'))
}

/// Whether an answer describes a communicator that the program makes.
fn is_made(described: &str) -> bool {
    described.contains(" of ")
}

/// Messages that differ only in the communicator added up, where the program makes the communicators: which of them it is a trace does
/// not tell.
fn in_any_communicator(messages: &[Message]) -> Vec<Message> {
    let mut sums: Vec<Message> = Vec::new();
    for message in messages {
        let alike = |sum: &Message| {
            let (a, b) = (&sum.communicator, &message.communicator);
            let same = a == b || (is_made(a) && is_made(b));
            let other = Message { repeat: sum.repeat, communicator: a.clone(), ..message.clone() };
            same && *sum == Message { datatype: sum.datatype.clone(), ..other }
        };
        match sums.iter_mut().find(|sum| alike(sum)) {
            Some(sum) => sum.repeat = sum.repeat.zip(message.repeat).map(|(a, b)| a + b),
            None => sums.push(message.clone()),
        }
    }
    sums
}

/// Operation, ranks, root.
type CollectiveKind = (String, Vec<u64>, Option<u64>);

fn collectives(instance: &Instance, trace: &Trace) -> Vec<String> {
    let mut seen: BTreeMap<CollectiveKind, i64> = BTreeMap::new();
    for collective in &trace.collectives {
        let ranks = collective.calls.iter().map(|call| call.rank as u64).collect();
        if let Some(call) = collective.calls.first() {
            let kind = (call.operation.clone(), ranks, call.root.map(|root| root as u64));
            *seen.entry(kind).or_default() += 1;
        }
    }
    let mut predicted: BTreeMap<CollectiveKind, Option<i64>> = BTreeMap::new();
    for collective in &instance.collectives {
        // A trace lists them by their ranks in MPI_COMM_WORLD, an answer in the order of the communicator.
        let mut ranks = collective.ranks.clone();
        ranks.sort_unstable();
        let kind = (collective.operation.clone(), ranks, collective.root);
        let number = predicted.entry(kind).or_insert(Some(0));
        *number = number.zip(collective.repeat).map(|(number, repeat)| number + repeat);
    }
    let mut differences = Vec::new();
    // Known roots first: what is left over is of those that the answer leaves open.
    for (kind, number) in predicted.iter().rev() {
        let (operation, ranks, root) = kind;
        // A trace does not tell the root of a call on an intercommunicator.
        let mut of_root: Vec<&mut i64> = seen
            .iter_mut()
            .filter(|(other, _)| other.0 == *operation && other.1 == *ranks)
            .filter(|(other, _)| root.is_none() || other.2.is_none() || other.2 == *root)
            .map(|(_, number)| number)
            .collect();
        let run: i64 = of_root.iter().map(|number| **number).sum();
        let mut left = number.unwrap_or(run);
        if run < left {
            differences.push(format!("predicted {number:?} times {kind:?}, the run had {run}"));
        }
        // Those of this root before those of an unknown one.
        for number in of_root.iter_mut().rev() {
            let taken = left.min(**number);
            **number -= taken;
            left -= taken;
        }
    }
    seen.retain(|_, number| *number > 0);
    differences.extend(seen.iter().map(|(kind, number)| format!("not predicted: {number} times {kind:?}")));
    differences
}
