//! What two versions of a program have in common: their verdicts, their messages, and collectives in the place of messages.

use std::collections::BTreeMap;

use analyzer::results::{
    Agreement, Channel, Collective, CollectiveInstance, Edit, Fix, Instance, Message, Pairing, ProgramReport,
    SourceRange, Suggestion, Verdict, VerdictKind,
};
use frontend::mpi::Class;

/// Whether a verdict says as much as an earlier one, of as many numbers of processes and assuming no more.
pub(super) fn is_as_well_known(old: &Verdict, new: &Verdict) -> bool {
    // Where a line is has changed.
    let words = |assumption: &String| match assumption.split_once(": ") {
        Some((place, words)) if place.contains("line ") => words.to_owned(),
        _ => assumption.clone(),
    };
    let before: Vec<String> = old.assumptions.iter().map(words).collect();
    let assumed = new.assumptions.iter().map(words).all(|assumption| before.contains(&assumption));
    new.kind == VerdictKind::Exact && assumed && (new.np == old.np || new.np == "any np >= 1")
}

/// Calls that an edit takes away, and the one that it brings in.
pub(super) struct Exchange<'a> {
    calls: Vec<&'a SourceRange>,
    operation: &'a str,
    /// Where the new call is, first character and behind the last.
    place: Option<(&'a str, [(u32, u32); 2])>,
}

impl<'a> Exchange<'a> {
    /// The exchange of a suggestion's edit; `brought` says where in the new text something is that an edit brings in.
    pub(super) fn new(
        suggestion: &'a Suggestion,
        fix: &'a Fix,
        brought: impl Fn(&'a Edit) -> Option<[(u32, u32); 2]>,
    ) -> Self {
        let related = suggestion.related.iter().map(|r| &r.range);
        let words = |text: &'a str| text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut named = fix.edits.iter().flat_map(|edit| words(&edit.text).map(move |word| (edit, word)));
        let call = named.find(|(_, word)| frontend::mpi::lookup(word).is_some());
        Self {
            calls: std::iter::once(&suggestion.range).chain(related).collect(),
            operation: call.map_or("", |(_, word)| word),
            place: call.and_then(|(edit, _)| Some((edit.range.file.as_str(), brought(edit)?))),
        }
    }

    fn takes(&self, channel: &Channel) -> bool {
        self.calls.contains(&&channel.send.range) || self.calls.contains(&&channel.recv.range)
    }

    /// Whether a collective consists of the new call only.
    fn is_made_by(&self, collective: &Collective) -> bool {
        let Some((file, [start, end])) = self.place else { return false };
        collective.sites.iter().all(|site| {
            let range = &site.range;
            range.file == file
                && start <= (range.line, range.column)
                && (range.end_line, range.end_column) <= end
        })
    }
}

/// Whether a program communicates as an earlier one, but for the channels of some calls, in place of which there is one collective of
/// all processes for each exchange; and whether all of these say that its blocks have the same length.
pub(super) fn are_collectives_instead(
    old: &ProgramReport,
    new: &ProgramReport,
    exchanges: &[Exchange<'_>],
) -> bool {
    let is_gone = |channel: &&Channel| exchanges.iter().any(|exchange| exchange.takes(channel));
    let left = old.topology.channels.iter().filter(|channel| !is_gone(channel)).map(channel_text);
    if sorted(left) != sorted(new.topology.channels.iter().map(channel_text)) {
        return false;
    }
    let mut added: Vec<&Collective> = new.topology.collectives.iter().collect();
    // Of several, each must have made its own.
    let mut made: Vec<Vec<&Collective>> = vec![Vec::new(); exchanges.len()];
    if 1 < exchanges.len() {
        added.retain(|collective| match exchanges.iter().position(|e| e.is_made_by(collective)) {
            Some(index) => {
                made[index].push(collective);
                false
            }
            None => true,
        });
    }
    for collective in &old.topology.collectives {
        match added.iter().position(|other| collective_text(other) == collective_text(collective)) {
            Some(at) => drop(added.remove(at)),
            None => return false,
        }
    }
    match made.as_mut_slice() {
        [] => {}
        [only] => *only = added,
        _ if !added.is_empty() => return false,
        _ => {}
    }
    exchanges.iter().zip(&made).all(|(exchange, made)| {
        let taken: Vec<&Channel> = old.topology.channels.iter().filter(|c| exchange.takes(c)).collect();
        is_instead_of(new, &taken, made, exchange.operation)
    })
}

/// Whether some collectives of a program are one operation of all processes in place of some channels.
fn is_instead_of(new: &ProgramReport, gone: &[&Channel], added: &[&Collective], operation: &str) -> bool {
    let Some(first) = gone.first() else {
        // Another program of the same file, which does not come there.
        return added.is_empty();
    };
    // Of one channel it is known how often all pairs communicate, and with whom.
    let (root, repeat) = match (gone, &first.pairing) {
        ([_], Pairing::RootToOthers(root) | Pairing::OthersToRoot(root)) => (Some(root), Some(&first.repeat)),
        // Statements that all processes come to equally often.
        _ => (None, None),
    };
    let is_meant = |collective: &&Collective| {
        collective.operation == operation
            && root.is_none_or(|root| collective.root.as_ref() == Some(root))
            && gone.iter().all(|channel| channel.communicator == collective.communicator)
            && repeat.is_none_or(|repeat| collective.repeat == *repeat)
            && (!has_counts(operation) || agrees_on_counts(new, collective))
    };
    // A process that is alone makes the call of the root only.
    let mut ranks: Vec<&str> = added.iter().map(|collective| collective.ranks.as_str()).collect();
    ranks.sort_unstable();
    let everyone: [&[&str]; 2] = [&["[0..np-1]"], &["[0..np-1] for np = 1", "[0..np-1] for np >= 2"]];
    everyone.contains(&ranks.as_slice()) && added.iter().all(is_meant)
}

/// Whether a program communicates as an earlier one, but for the collectives that edits have taken away.
pub(super) fn same_topology(old: &ProgramReport, new: &ProgramReport, edits: &[Edit]) -> bool {
    let channels = |program: &ProgramReport| sorted(program.topology.channels.iter().map(channel_text));
    let is_gone = |collective: &&Collective| {
        collective.sites.iter().all(|site| edits.iter().any(|edit| is_in(&site.range, &edit.range)))
    };
    let left = old.topology.collectives.iter().filter(|collective| !is_gone(collective));
    channels(old) == channels(new)
        && sorted(left.map(collective_text)) == sorted(new.topology.collectives.iter().map(collective_text))
}

/// Whether a place is within that of an edit.
pub(super) fn is_in(site: &SourceRange, edit: &SourceRange) -> bool {
    site.file == edit.file
        && (edit.line, edit.column) <= (site.line, site.column)
        && (site.end_line, site.end_column) <= (edit.end_line, edit.end_column)
}

/// Whether an operation is told how many elements there are.
fn has_counts(operation: &str) -> bool {
    frontend::mpi::lookup(operation)
        .is_some_and(|function| function.params.iter().any(|param| param.role == frontend::mpi::Role::Count))
}

/// Whether all calls of a collective name one number of elements for all processes.
fn agrees_on_counts(program: &ProgramReport, collective: &Collective) -> bool {
    let Some(uniform) = &program.uniformity else { return false };
    let counts = uniform.iter().filter(|argument| {
        argument.argument.ends_with("count")
            && collective.sites.iter().any(|site| site.range == argument.range)
    });
    let mut forms = Vec::new();
    for count in counts {
        match &count.agreement {
            Agreement::Same(Some(form)) => forms.push((&count.range, form)),
            _ => return false,
        }
    }
    let all_sites = collective.sites.iter().all(|site| forms.iter().any(|(range, _)| **range == site.range));
    all_sites && forms.windows(2).all(|pair| pair[0].1 == pair[1].1)
}

/// Messages and collectives without the places of the calls.
pub(super) fn messages(instance: &Instance) -> Vec<String> {
    listed(instance, |m| format!("{} {:?} {}", without_datatype(m), m.count, m.datatype))
}

/// Messages without the places of the calls and without how their bytes are described, and collectives.
pub(super) fn bytes(instance: &Instance) -> Vec<String> {
    listed(instance, without_datatype)
}

/// Whether one version's messages are those of an earlier one, whatever their tags and wherever the calls are, and its collectives too but
/// for some of one operation; how many of these there are.
pub(super) fn calls_instead(old: &Instance, new: &Instance, operation: &str) -> Option<usize> {
    let exchanged = |instance: &Instance| {
        let mut all = BTreeMap::new();
        for m in &instance.messages {
            let times = all.entry((m.from, m.to, m.count, m.bytes)).or_insert(Some(0));
            *times = times.zip(m.repeat).and_then(|(sum, more): (i64, i64)| sum.checked_add(more));
        }
        all
    };
    let calls = |instance: &Instance| -> Vec<String> { instance.collectives.iter().map(call_text).collect() };
    let mut added = calls(new);
    for call in calls(old) {
        let at = added.iter().position(|other| *other == call)?;
        added.swap_remove(at);
    }
    let is_meant = added.iter().all(|call| call.split(' ').next() == Some(operation));
    (old.np == new.np && is_meant && exchanged(old) == exchanged(new)).then_some(added.len())
}

/// Whether all processes bring the same numbers of elements to the calls of a program at some places, as far as these are named there.
pub(super) fn agree_on_numbers(program: &ProgramReport, is_there: impl Fn(&SourceRange) -> bool) -> bool {
    let Some(uniform) = &program.uniformity else { return false };
    let is_number = |name: &str| ["count", "blocklength", "stride"].iter().any(|end| name.ends_with(end));
    let has_elements = |operation: &str| {
        frontend::mpi::lookup(operation).is_some_and(|function| {
            function.buffers().next().is_some() || matches!(function.class, Class::TypeConstructor(_))
        })
    };
    let mut arguments = uniform
        .iter()
        .filter(|one| has_elements(&one.operation) && is_number(&one.argument) && is_there(&one.range));
    arguments.all(|argument| matches!(argument.agreement, Agreement::Same(_)))
}

fn call_text(c: &CollectiveInstance) -> String {
    format!("{} {:?} {:?} {:?}", c.operation, c.ranks, c.root, c.repeat)
}

fn without_datatype(m: &Message) -> String {
    format!("{} {} {} {:?} {:?} {:?}", m.from, m.to, m.communicator, m.tag, m.bytes, m.repeat)
}

fn listed(instance: &Instance, message: impl Fn(&Message) -> String) -> Vec<String> {
    sorted(instance.messages.iter().map(message).chain(instance.collectives.iter().map(call_text)))
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = texts.collect();
    all.sort_unstable();
    all
}

/// What a channel says apart from the places of its calls.
fn channel_text(c: &Channel) -> String {
    [
        &c.send.operation,
        &c.recv.operation,
        &c.senders,
        &c.partner,
        &c.receivers,
        &c.source,
        &c.communicator,
        &c.tag,
        &c.count,
        &c.datatype,
        &c.repeat,
    ]
    .map(String::as_str)
    .join("|")
}

fn collective_text(c: &Collective) -> String {
    let root = c.root.as_deref().unwrap_or("-");
    [c.operation.as_str(), &c.ranks, root, &c.communicator, &c.repeat].join("|")
}
