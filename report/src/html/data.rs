//! What the page's script knows: messages of each number of processes, in few bytes.
//!
//! Messages that differ only in their ends are one kind; the ends of a kind are runs `[from, to, length, step of from,
//! step of to]`. A ring of any length is two runs, a broadcast one.

use std::collections::BTreeMap;

use serde::Serialize;

use analyzer::results::{Instance, Message};

use super::program::{Shown, ends, ends_of};
use crate::text::place_in;

/// Messages that a page can carry in all, and at one number of processes.
const MESSAGES: usize = 3_000_000;
const MESSAGES_OF_ONE: usize = 1_200_000;

/// Keeps the page at a size that browsers open.
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn new() -> Self {
        Self(MESSAGES)
    }

    /// Whether there is room for this one; then it is taken.
    pub(super) fn admits(&mut self, instance: &Instance) -> bool {
        let size = instance.messages.len();
        let fits = size <= MESSAGES_OF_ONE.min(self.0);
        if fits {
            self.0 -= size;
        }
        fits
    }
}

#[derive(Serialize)]
struct ProgramData<'a> {
    /// Where calls are, in words.
    places: Vec<String>,
    /// Place of the send, place of the receive, and the numbers of the channels between them.
    channels: Vec<(usize, usize, Vec<usize>)>,
    instances: Vec<InstanceData<'a>>,
}

#[derive(Serialize)]
struct InstanceData<'a> {
    np: u64,
    kinds: Vec<Kind<'a>>,
    /// Number of the kind, first pair, length, and steps.
    runs: Vec<(usize, u64, u64, u64, i64, i64)>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Kind<'a> {
    /// Which of the places.
    send: usize,
    recv: usize,
    communicator: &'a str,
    tag: Option<i64>,
    count: Option<i64>,
    datatype: &'a str,
    bytes: Option<i64>,
    repeat: Option<i64>,
}

/// JSON that may stand in a `<script>`.
pub(super) fn script_data(programs: &[Shown<'_>]) -> serde_json::Result<String> {
    let data: Vec<ProgramData<'_>> = programs.iter().map(program).collect();
    // Neither the end of the element nor a comment can be in it.
    Ok(serde_json::to_string(&data)?.replace('<', "\\u003c"))
}

fn program<'a>(shown: &Shown<'a>) -> ProgramData<'a> {
    let mut channels: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (index, channel) in shown.program.topology.channels.iter().enumerate() {
        let (send, recv) = ends(channel);
        channels.entry((shown.number_of(send), shown.number_of(recv))).or_default().push(index + 1);
    }
    let entry = &shown.program.entry;
    ProgramData {
        places: shown.places.iter().map(|&(file, line)| place_in(file, line, entry)).collect(),
        channels: channels.into_iter().map(|((send, recv), numbers)| (send, recv, numbers)).collect(),
        instances: shown.instances.iter().map(|instance| self::instance(shown, instance)).collect(),
    }
}

fn instance<'a>(shown: &Shown<'a>, instance: &'a Instance) -> InstanceData<'a> {
    let mut kinds: BTreeMap<Kind<'_>, Vec<(u64, u64)>> = BTreeMap::new();
    for message in &instance.messages {
        kinds.entry(kind(shown, message)).or_default().push((message.from, message.to));
    }
    let mut runs = Vec::new();
    let mut named = Vec::new();
    for (kind, mut pairs) in kinds {
        pairs.sort_unstable();
        for run in self::runs(&pairs) {
            runs.push((named.len(), run.0, run.1, run.2, run.3, run.4));
        }
        named.push(kind);
    }
    InstanceData { np: instance.np, kinds: named, runs }
}

fn kind<'a>(shown: &Shown<'_>, message: &'a Message) -> Kind<'a> {
    let (send, recv) = ends_of(message);
    Kind {
        send: shown.number_of(send),
        recv: shown.number_of(recv),
        communicator: &message.communicator,
        tag: message.tag,
        count: message.count,
        datatype: &message.datatype,
        bytes: message.bytes,
        repeat: message.repeat,
    }
}

/// Pairs in runs of equal steps, each as long as possible from where the one before ends.
fn runs(pairs: &[(u64, u64)]) -> Vec<(u64, u64, u64, i64, i64)> {
    let step = |a: (u64, u64), b: (u64, u64)| {
        let between = |a: u64, b: u64| i64::try_from(i128::from(b) - i128::from(a)).ok();
        between(a.0, b.0).zip(between(a.1, b.1))
    };
    let mut runs = Vec::new();
    let mut rest = pairs;
    while let [first, more @ ..] = rest {
        let by = more.first().and_then(|next| step(*first, *next));
        let steps = rest.windows(2).take_while(|two| by.is_some() && step(two[0], two[1]) == by).count();
        let (x, y) = by.filter(|_| 0 < steps).unwrap_or((0, 0));
        runs.push((first.0, first.1, steps as u64 + 1, x, y));
        rest = &rest[steps + 1..];
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpack(runs: &[(u64, u64, u64, i64, i64)]) -> Vec<(u64, u64)> {
        let at = |start: u64, step: i64, k: u64| start.checked_add_signed(step * k as i64).expect("a rank");
        runs.iter().flat_map(|&(a, b, n, x, y)| (0..n).map(move |k| (at(a, x, k), at(b, y, k)))).collect()
    }

    #[test]
    fn runs_say_the_same_in_fewer_words() {
        let ring: Vec<(u64, u64)> = (0..1000).map(|rank| (rank, (rank + 1) % 1000)).collect();
        let fan: Vec<(u64, u64)> = (1..1000).map(|rank| (0, rank)).collect();
        let all: Vec<(u64, u64)> = (0..30).flat_map(|a| (0..30).map(move |b| (a, b))).collect();
        for (pairs, most) in [(ring, 2), (fan, 1), (all, 59), (vec![], 0), (vec![(3, 4)], 1)] {
            let runs = runs(&pairs);
            assert_eq!(unpack(&runs), pairs);
            assert!(runs.len() <= most, "{runs:?}");
        }
    }
}
