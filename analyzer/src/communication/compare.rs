//! Two answers about one number of processes.

use std::collections::{BTreeMap, BTreeSet};

use crate::results::{CollectiveInstance, Instance, Message, Site, Topology};

/// Messages by sender, receiver, the places of their calls, tag and number of elements.
type Messages<'a> = BTreeMap<(u64, u64, [(&'a str, u32); 2], Option<i64>, Option<i64>), i64>;
/// Calls of collective operations by operation, who takes part, and root.
type Calls<'a> = BTreeMap<(&'a str, Vec<u64>, Option<u64>), i64>;

/// Whether an answer for any number of processes says the same as an exploration. Numbers that one of both leaves open agree with any.
pub(super) fn instances(said: &Instance, explored: &Instance) -> Result<(), String> {
    let both = || said.messages.iter().chain(&explored.messages);
    let has_tags = both().all(|message| message.tag.is_some());
    let has_counts = both().all(|message| message.count.is_some());
    let of = |instance: &'_ Instance| -> Option<String> {
        let mut messages = Messages::new();
        for message in &instance.messages {
            let Message { from, to, send_line, recv_line, send_file, recv_file, tag, count, repeat, .. } =
                message;
            let places = [(&**send_file, *send_line), (&**recv_file, *recv_line)];
            let key = (*from, *to, places, tag.filter(|_| has_tags), count.filter(|_| has_counts));
            *messages.entry(key).or_default() += (*repeat)?;
        }
        Some(format!("{messages:?}"))
    };
    differs(explored.np, "(from, to, places, tag, elements): number", of(said), of(explored))?;
    let both = || said.collectives.iter().chain(&explored.collectives);
    let has_roots = both().all(|collective| collective.root.is_some());
    let of = |instance: &'_ Instance| -> Option<String> {
        let mut calls = Calls::new();
        for CollectiveInstance { operation, ranks, root, repeat, .. } in &instance.collectives {
            // In whatever order they are listed.
            let mut ranks = ranks.clone();
            ranks.sort_unstable();
            *calls.entry((operation, ranks, root.filter(|_| has_roots))).or_default() += (*repeat)?;
        }
        Some(format!("{calls:?}"))
    };
    differs(explored.np, "(operation, ranks, root): number", of(said), of(explored))
}

/// Whether an answer has the calls of all messages of an exploration, where nobody knows more.
pub(super) fn sites(said: &Topology, explored: &Instance) -> Result<(), String> {
    let place = |site: &Site| (site.range.file.clone(), site.range.line);
    let pairs: BTreeSet<_> =
        said.channels.iter().map(|channel| (place(&channel.send), place(&channel.recv))).collect();
    for message in &explored.messages {
        let send = (message.send_file.to_string(), message.send_line);
        let receive = (message.recv_file.to_string(), message.recv_line);
        if !pairs.contains(&(send, receive)) {
            return Err(format!("np = {}: no channel of the model has {message:?}", explored.np));
        }
    }
    let calls: BTreeSet<&str> = said.collectives.iter().map(|call| call.operation.as_str()).collect();
    for call in &explored.collectives {
        if !calls.contains(call.operation.as_str()) {
            return Err(format!("np = {}: no collective operation of the model is {call:?}", explored.np));
        }
    }
    Ok(())
}

fn differs(np: u64, what: &str, said: Option<String>, explored: Option<String>) -> Result<(), String> {
    match (said, explored) {
        (Some(said), Some(explored)) if said != explored => {
            Err(format!("np = {np}, {what}\nmodel {said}\nexplored {explored}"))
        }
        _ => Ok(()),
    }
}
