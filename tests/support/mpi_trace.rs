//! Reads what the PMPI tracer (`runtime/trace`, whose `trace.h` describes the format) logged, finds the source lines, and
//! pairs sends with receives.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Where in the source a call stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Site {
    /// As the compiler was given it; empty if unknown.
    pub(crate) file: String,
    /// 1-based; 0 if unknown.
    pub(crate) line: u32,
}

/// One line of a trace.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// In MPI_COMM_WORLD.
    pub(crate) rank: usize,
    /// Place in the order in which this rank's operations started.
    pub(crate) seq: u64,
    /// `send`, `recv`, `pending`, `collective` or `end`.
    pub(crate) kind: String,
    /// The MPI function that described the operation.
    pub(crate) operation: String,
    /// The tracer's name of the communicator.
    pub(crate) communicator: String,
    /// The other rank, in MPI_COMM_WORLD; of a `pending` receive from any source `None`.
    pub(crate) peer: Option<usize>,
    /// The tag; of a collective, and of a `pending` receive of any tag, `None`.
    pub(crate) tag: Option<i64>,
    /// Elements sent, or arrived; of a collective what this rank contributes, where that is one number.
    pub(crate) count: Option<i64>,
    /// Elements there was room for.
    pub(crate) posted_count: Option<i64>,
    /// Bytes of one element.
    pub(crate) type_size: Option<i64>,
    /// The predefined datatype.
    pub(crate) datatype: Option<String>,
    /// Of a receive: whether it asked for any source.
    pub(crate) any_source: bool,
    /// Of a receive: whether it asked for any tag.
    pub(crate) any_tag: bool,
    /// Of a collective with a root: its rank in MPI_COMM_WORLD.
    pub(crate) root: Option<usize>,
    /// Of a persistent collective: its place among those that were described on its communicator.
    pub(crate) prepared: Option<i64>,
    /// Of the call that described the operation.
    pub(crate) site: Site,
    /// Of MPI_Start or MPI_Startall, for a persistent operation.
    pub(crate) start: Option<Site>,
}

/// A message that arrived: a send and the receive that got it.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// Sender in MPI_COMM_WORLD.
    pub(crate) from: usize,
    /// Receiver in MPI_COMM_WORLD.
    pub(crate) to: usize,
    /// The tag it carried.
    pub(crate) tag: i64,
    /// Elements sent.
    pub(crate) count: i64,
    /// Bytes of one element, as the sender sees it.
    pub(crate) type_size: i64,
    /// The sender's datatype if predefined.
    pub(crate) datatype: Option<String>,
    /// The tracer's name of the communicator.
    pub(crate) communicator: String,
    /// Line of the send.
    pub(crate) send_line: u32,
    /// Line of the receive.
    pub(crate) recv_line: u32,
    /// All that was logged about the send.
    pub(crate) send: Event,
    /// All that was logged about the receive.
    pub(crate) recv: Event,
}

/// A collective operation with all ranks that called it.
#[derive(Clone, Debug)]
pub(crate) struct Collective {
    /// The tracer's name of the communicator.
    pub(crate) communicator: String,
    /// One per participating rank, by rank. Their operations agree in a correct program.
    pub(crate) calls: Vec<Event>,
}

/// Communicator, place among those that were described before they are started, number, and the process where each has a communicator
/// of this name.
type CollectiveKey = (String, Option<i64>, usize, Option<usize>);

/// What a run communicated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    /// By sender and the order of its sends.
    pub(crate) messages: Vec<Message>,
    /// Sends that no logged receive got.
    pub(crate) unmatched_sends: Vec<Event>,
    /// Receives that completed without a logged send (none in a trace of our own making), and those never completed.
    pub(crate) unmatched_receives: Vec<Event>,
    /// By communicator and order. The k-th calls of all ranks on a communicator are one collective (MPI-4.1 section 6.1), and the k-th
    /// starts of a persistent one that all described in the same order, whatever else they start in between (section 6.13).
    pub(crate) collectives: Vec<Collective>,
    /// How many processes came to MPI_Finalize: when it is all, nothing is missing, whatever the program returned.
    pub(crate) finalized: usize,
}

impl Trace {
    /// Reads `PREFIX.RANK.jsonl` for all ranks; a missing file is a rank that did not get to MPI_Init.
    pub(crate) fn read(prefix: &Path, np: usize) -> Result<Self, String> {
        let mut lines: Vec<Value> = Vec::new();
        for rank in 0..np {
            let path = PathBuf::from(format!("{}.{rank}.jsonl", prefix.display()));
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let complete = text.rfind('\n').map_or("", |end| &text[..end]);
            for line in complete.lines() {
                let value = serde_json::from_str(line)
                    .map_err(|error| format!("{}: {error}: {line}", path.display()))?;
                lines.push(value);
            }
        }
        let sites = resolve(&lines)?;
        let events = lines.iter().map(|line| event(line, &sites)).collect::<Option<Vec<_>>>();
        Ok(Self::pair(events.ok_or("a line of the trace lacks a field")?))
    }

    /// Matches sends and receives. Messages of one sender, receiver, communicator and tag are received in the order in
    /// which they were sent, by receives in the order in which they were posted (MPI-4.1 section 3.5).
    fn pair(mut events: Vec<Event>) -> Self {
        events.sort_by_key(|event| (event.rank, event.seq));
        let mut trace = Self::default();
        let mut receives: BTreeMap<(usize, usize, String, i64), VecDeque<Event>> = BTreeMap::new();
        let mut sends = Vec::new();
        let mut collectives: BTreeMap<CollectiveKey, Vec<Event>> = BTreeMap::new();
        let mut called: BTreeMap<(String, usize, Option<i64>), usize> = BTreeMap::new();
        for event in events {
            match (event.kind.as_str(), event.peer, event.tag) {
                ("collective", ..) => {
                    let (communicator, prepared) = (event.communicator.clone(), event.prepared);
                    let number = called.entry((communicator.clone(), event.rank, prepared)).or_default();
                    // Each process has a communicator of this name.
                    let alone = (event.communicator == "MPI_COMM_SELF").then_some(event.rank);
                    collectives.entry((communicator, prepared, *number, alone)).or_default().push(event);
                    *number += 1;
                }
                // One that was never seen to complete is one whose request was freed, where the send is there.
                ("recv" | "pending", Some(from), Some(tag)) => {
                    let stream = (from, event.rank, event.communicator.clone(), tag);
                    receives.entry(stream).or_default().push_back(event);
                }
                ("send", Some(to), Some(tag)) => sends.push((to, tag, event)),
                ("end", ..) => trace.finalized += 1,
                ("send", ..) => trace.unmatched_sends.push(event),
                _ => trace.unmatched_receives.push(event),
            }
        }
        for (to, tag, send) in sends {
            let stream = (send.rank, to, send.communicator.clone(), tag);
            let Some(recv) = receives.get_mut(&stream).and_then(VecDeque::pop_front) else {
                trace.unmatched_sends.push(send);
                continue;
            };
            trace.messages.push(Message {
                from: send.rank,
                to,
                tag,
                count: send.count.unwrap_or_default(),
                type_size: send.type_size.unwrap_or_default(),
                datatype: send.datatype.clone(),
                communicator: send.communicator.clone(),
                send_line: send.site.line,
                recv_line: recv.site.line,
                send,
                recv,
            });
        }
        trace.unmatched_receives.extend(receives.into_values().flatten());
        let collective = |((communicator, _, _, _), calls)| Collective { communicator, calls };
        trace.collectives = collectives.into_iter().map(collective).collect();
        trace
    }
}

type Address = (String, String);

fn address(line: &Value, prefix: &str) -> Option<Address> {
    let field = |name: &str| Some(line.get(format!("{prefix}{name}"))?.as_str()?.to_owned());
    Some((field("module")?, field("address")?))
}

/// The source of every address, by one addr2line for each module.
fn resolve(lines: &[Value]) -> Result<BTreeMap<Address, Site>, String> {
    let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines {
        for (module, address) in ["", "start_"].into_iter().filter_map(|prefix| address(line, prefix)) {
            let addresses = modules.entry(module).or_default();
            if !addresses.contains(&address) {
                addresses.push(address);
            }
        }
    }
    let mut sites = BTreeMap::new();
    for (module, addresses) in modules {
        let output = Command::new("addr2line")
            .args(["-e", &module])
            .args(&addresses)
            .output()
            .map_err(|error| format!("addr2line: {error} (make setup-test installs it)"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        for (address, place) in addresses.into_iter().zip(text.lines()) {
            // `file:line`, `??:0`, and sometimes ` (discriminator 2)` behind it.
            let place = place.split(" (").next().unwrap_or_default();
            let (file, line) = place.rsplit_once(':').unwrap_or_default();
            let file = if file == "??" { String::new() } else { file.to_owned() };
            sites.insert((module.clone(), address), Site { file, line: line.parse().unwrap_or(0) });
        }
    }
    Ok(sites)
}

fn event(line: &Value, sites: &BTreeMap<Address, Site>) -> Option<Event> {
    let text = |name: &str| Some(line.get(name)?.as_str()?.to_owned());
    let number = |name: &str| line.get(name).and_then(Value::as_i64);
    let rank = |name: &str| number(name).and_then(|rank| usize::try_from(rank).ok());
    let flag = |name: &str| line.get(name).and_then(Value::as_bool).unwrap_or(false);
    let site = |prefix: &str| address(line, prefix).and_then(|address| sites.get(&address).cloned());
    Some(Event {
        rank: rank("rank")?,
        seq: u64::try_from(number("seq")?).ok()?,
        kind: text("kind")?,
        operation: text("op")?,
        communicator: text("comm")?,
        peer: rank("peer"),
        tag: number("tag"),
        count: number("count"),
        posted_count: number("posted_count"),
        type_size: number("type_size"),
        datatype: text("datatype"),
        any_source: flag("any_source"),
        any_tag: flag("any_tag"),
        root: rank("root"),
        prepared: number("prepared"),
        site: site("").unwrap_or_default(),
        start: site("start_"),
    })
}
