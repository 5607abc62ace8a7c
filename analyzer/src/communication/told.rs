//! The answer of the model in the words of the results.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use extraction::{Assumption, CallSite, Count, Section};
use frontend::ir::Span;
use frontend::mpi::{Class, CommConstructor};
use frontend::program::{FunctionRef, Program};
use model::{Exchange, Gathering};

use super::{Choice, Decided, MESSAGES, NP, Part};
use crate::results::{
    Channel, Collective, CollectiveInstance, Instance, Message, Pairing, Pattern, Site, SourceRange, Topology,
};

const UNKNOWN: &str = "unknown";
/// What the number of processes of a communicator is called, where ranks are those in it.
const SIZE: &str = "size";

impl Decided<'_> {
    /// Who talks to whom, without an instance. `None` where that takes more than the budget.
    #[must_use]
    pub fn topology(&self) -> Option<Topology> {
        self.counted(|| self.told())
    }

    fn told(&self) -> Option<Topology> {
        let mut told: Vec<(Channel, Option<&'static str>)> = Vec::new();
        let mut collectives = Vec::new();
        for part in self.parts() {
            let Section { found, matching, together, .. } = part.section;
            for exchange in matching.exchanges(&found.program).ok()? {
                told.push((part.channel(&exchange)?, pattern(&exchange)));
            }
            let gatherings = found.program.gatherings(together).ok()?;
            collectives.extend(gatherings.iter().map(|gathering| part.collective(gathering)));
        }
        told.sort_by(|(a, _), (b, _)| (&a.send.range, &a.recv.range).cmp(&(&b.send.range, &b.recv.range)));
        let patterns = told.iter().enumerate().filter_map(|(at, (_, pattern))| {
            Some(Pattern { name: (*pattern)?.to_owned(), channels: vec![at] })
        });
        let patterns = patterns.collect();
        let channels = told.into_iter().map(|(channel, _)| channel).collect();
        Some(Topology { channels, collectives, patterns, instance: None })
    }

    /// Who talks to whom at one number of processes. `None` where that depends on input, or is too much to list.
    #[must_use]
    pub fn instance(&self, np: u64) -> Option<Instance> {
        if np < self.least() {
            return None;
        }
        self.counted(|| self.listed(np))
    }

    fn listed(&self, np: u64) -> Option<Instance> {
        let mut repeats: BTreeMap<Message, i64> = BTreeMap::new();
        let mut collectives = Vec::new();
        for part in self.parts() {
            let choices = part.choices(np)?;
            part.list_messages(&choices, &mut repeats)?;
            part.list_collectives(&choices, &mut collectives)?;
        }
        let messages = repeats
            .into_iter()
            .map(|(message, repeat)| Message { repeat: Some(repeat), ..message })
            .collect();
        Some(Instance { np, messages, collectives })
    }
}

impl Part<'_> {
    /// Adds the messages at one number of processes, with how often there are.
    fn list_messages(&self, choices: &[Choice], repeats: &mut BTreeMap<Message, i64>) -> Option<()> {
        let found = &self.section.found;
        let mut messages = Vec::new();
        for choice in choices {
            let all = found.messages(&self.section.matching, &choice.values, MESSAGES).ok()?;
            let own = all.into_iter().filter(|message| self.is_about(choice, message.number));
            messages.extend(own.map(|message| (choice, message)));
        }
        for (choice, message) in messages {
            let (send, receive) = (self.range(message.send), self.range(message.receive));
            let payload = &self.section.found.payloads[message.number];
            let bytes = message.count.zip(payload.bytes);
            let message = Message {
                from: choice.rank(message.from)?,
                to: choice.rank(message.to)?,
                send_line: send.line,
                recv_line: receive.line,
                send_file: Arc::from(send.file),
                recv_file: Arc::from(receive.file),
                communicator: self.communicator(message.number),
                tag: message.tag,
                count: message.count,
                datatype: payload.datatype.clone(),
                bytes: bytes.and_then(|(count, bytes)| count.checked_mul(i64::try_from(bytes).ok()?)),
                repeat: None,
            };
            *repeats.entry(message).or_default() += 1;
        }
        Some(())
    }

    /// Adds the calls of collective operations at one number of processes.
    fn list_collectives(&self, choices: &[Choice], collectives: &mut Vec<CollectiveInstance>) -> Option<()> {
        for gathering in self.section.found.program.gatherings(&self.section.together).ok()? {
            let first = *gathering.operations.first()?;
            let communicator = self.section.found.program.operations()[first].communicator;
            let mates = self.pairs(self.section.found.program.mates(communicator)?, choices)?;
            let roots: BTreeMap<u64, u64> = self.pairs(&gathering.roots, choices)?.into_iter().collect();
            // Processes of one communicator, by the lowest of them.
            let mut lowest: BTreeMap<u64, u64> = BTreeMap::new();
            for (rank, mate) in mates {
                let known = lowest.entry(rank).or_insert(mate);
                *known = mate.min(*known);
            }
            let mut groups: BTreeMap<u64, BTreeMap<u64, i64>> = BTreeMap::new();
            for (rank, repeat) in self.callers(&gathering.calls, choices)? {
                groups.entry(*lowest.get(&rank)?).or_default().insert(rank, repeat);
            }
            // With few processes, some of several places in the text may not be reached.
            let reached = self.reached(&gathering.calls, choices)?;
            for callers in groups.into_values() {
                let first = callers.keys().filter_map(|rank| reached.get(rank)).min().copied()?;
                let site = self.site(&self.section.found.sites[first]);
                let Some((&rank, &repeat)) = callers.iter().next() else { continue };
                collectives.push(CollectiveInstance {
                    operation: site.operation.clone(),
                    line: site.range.line,
                    file: Arc::from(site.range.file.as_str()),
                    root: roots.get(&rank).copied(),
                    repeat: callers.values().all(|other| *other == repeat).then_some(repeat),
                    ranks: callers.into_keys().collect(),
                });
            }
        }
        Some(())
    }

    fn channel(&self, exchange: &Exchange) -> Option<Channel> {
        let payload = &self.section.found.payloads[exchange.send];
        let count = match &payload.count {
            Count::Of(count) => exchange.formula(&self.section.found.program, count).ok()?,
            Count::Named(name) => Some(name.clone()),
            Count::Unknown => None,
        };
        let or_unknown =
            |text: Option<&str>| text.map_or_else(|| UNKNOWN.to_owned(), |text| self.named(text));
        Some(Channel {
            send: self.site(&self.section.found.sites[exchange.send]),
            recv: self.site(&self.section.found.sites[exchange.receive]),
            senders: self.named(&exchange.senders),
            partner: self.named(&exchange.partner),
            receivers: self.named(&exchange.receivers),
            source: self.named(&exchange.source),
            communicator: self.communicator(exchange.send),
            tag: or_unknown(exchange.tag.as_deref()),
            count: or_unknown(count.as_deref()),
            datatype: payload.datatype.clone(),
            repeat: or_unknown(exchange.repeat.as_deref()),
            pairing: Pairing::Other,
        })
    }

    fn collective(&self, gathering: &Gathering) -> Collective {
        let sites: Vec<Site> =
            gathering.operations.iter().map(|&at| self.site(&self.section.found.sites[at])).collect();
        let first = gathering.operations.first().copied().unwrap_or(0);
        let or_unknown =
            |text: Option<&String>| text.map_or_else(|| UNKNOWN.to_owned(), |text| self.named(text));
        Collective {
            operation: sites.first().map_or_else(String::new, |site| site.operation.clone()),
            sites,
            ranks: self.named(&gathering.ranks),
            root: gathering.root.as_ref().map(|root| or_unknown(root.as_ref())),
            communicator: self.communicator(first),
            repeat: or_unknown(gathering.repeat.as_ref()),
        }
    }

    fn site(&self, site: &CallSite) -> Site {
        Site {
            range: self.range(site),
            function: self.program.function(site.function).name.to_string(),
            operation: site.mpi.name.to_owned(),
        }
    }

    /// The communicator of an operation: `split of MPI_COMM_WORLD (line 9)`.
    fn communicator(&self, operation: usize) -> String {
        let mut told = String::new();
        let mut closing = String::new();
        let mut number = self.section.found.program.operations()[operation].communicator;
        while let Some((of, site)) = self.section.found.communicators.get(number).and_then(Option::as_ref) {
            told += kind_of(site);
            closing = format!(" ({}){closing}", line(self.program, site.function, site.span));
            number = *of;
        }
        match &self.section.part_of {
            Some(extraction::Members { site, .. }) => {
                let place = line(self.program, site.function, site.span);
                format!("{told}{}MPI_COMM_WORLD ({place}){closing}, by ranks in it", kind_of(site))
            }
            None => told + "MPI_COMM_WORLD" + &closing,
        }
    }

    /// A formula with what the program calls its parameters.
    fn named(&self, text: &str) -> String {
        let names = &self.section.found.names;
        let told = with_words(text, |word| names.get(word).map(String::as_str));
        match self.section.part_of {
            Some(_) => with_words(&told, |word| (word == NP).then_some(SIZE)),
            None => told,
        }
    }
}

/// A formula with other words in it, where there are.
fn with_words<'a>(text: &str, other: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let end = rest[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let end = end.map_or(rest.len(), |end| at + end);
        told.push_str(&rest[..at]);
        let word = &rest[at..end];
        told.push_str(other(word).unwrap_or(word));
        rest = &rest[end..];
    }
    told + rest
}

impl Decided<'_> {
    /// What is assumed, as sentences.
    #[must_use]
    pub fn assumptions(&self) -> Vec<String> {
        let mut external: Vec<&str> = Vec::new();
        let mut told = Vec::new();
        let mut assumed: Vec<&Assumption> = Vec::new();
        for assumption in self.sections.iter().flat_map(|section| &section.found.assumptions) {
            if !assumed.contains(&assumption) {
                assumed.push(assumption);
            }
        }
        for assumption in assumed {
            told.push(match assumption {
                Assumption::CommandLine => "the command line is the same on every rank".to_owned(),
                Assumption::Files => "the calls on files succeed".to_owned(),
                Assumption::OneSided => {
                    "one-sided operations and their epochs end; what they transfer is not listed".to_owned()
                }
                Assumption::NotEnded(function, span) => {
                    format!("{}: the exit of the program is not taken", self.line(*function, *span))
                }
                Assumption::NotZero(function, span) => {
                    format!("{}: the divisor is not zero", self.line(*function, *span))
                }
                Assumption::GridFits(function, span) => {
                    let place = self.line(*function, *span);
                    format!(
                        "{place}: the grid has no more processes than there are, and some in each direction"
                    )
                }
                Assumption::KeepsOrder(function, span) => {
                    let place = self.line(*function, *span);
                    format!("{place}: the call that makes a grid leaves the ranks in their order")
                }
                Assumption::Colour(function, span) => {
                    format!("{}: the colours are not negative", self.line(*function, *span))
                }
                Assumption::Positive(name) => format!("{name} is at least 1"),
                Assumption::External(name) => {
                    external.push(name);
                    continue;
                }
            });
        }
        if !external.is_empty() {
            external.sort_unstable();
            told.push(format!("not analysed and assumed not to communicate: {}", external.join(", ")));
        }
        told
    }

    /// How ranks are meant, where they are not those in `MPI_COMM_WORLD`.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let parts: BTreeSet<String> = (self.sections.iter())
            .filter_map(|section| section.part_of.as_ref())
            .map(|part| self.line(part.site.function, part.site.span))
            .collect();
        let note = |place| {
            format!(
                "{place}: ranks on this communicator are those in it, and `{SIZE}` is its number of processes"
            )
        };
        parts.into_iter().map(note).collect()
    }

    fn line(&self, function: FunctionRef, span: Span) -> String {
        line(self.program, function, span)
    }
}

/// `line N`, with the file where it is not the entry point's.
pub(super) fn line(program: &Program, function: FunctionRef, span: Span) -> String {
    let range = SourceRange::from(program.units[function.unit].locate(span));
    let entry = &program.units[program.entry.unit];
    if function.unit == program.entry.unit && range.file == entry.path.to_string_lossy() {
        format!("line {}", range.line)
    } else {
        format!("{}:{}", range.file, range.line)
    }
}

/// What a communicator is that a call makes of another one.
fn kind_of(site: &CallSite) -> &'static str {
    match site.mpi.class {
        Class::CommConstructor(CommConstructor::Split | CommConstructor::SplitType) => "split of ",
        Class::CommConstructor(CommConstructor::CartCreate) => "grid of ",
        Class::CommConstructor(
            CommConstructor::CartSub | CommConstructor::Create | CommConstructor::CreateGroup,
        ) => "part of ",
        _ => "duplicate of ",
    }
}

/// The name of a shape.
fn pattern(exchange: &Exchange) -> Option<&'static str> {
    let Exchange { senders, partner, receivers, .. } = exchange;
    let is_one = |ranks: &str| {
        let row =
            ranks.strip_prefix('[').and_then(|row| row.split_once("..")?.1.split_once(']').map(|_| row));
        row.and_then(|row| row.split(']').next()?.split_once("..")).is_some_and(|(low, high)| low == high)
    };
    Some(match (is_one(senders), is_one(receivers)) {
        (true, true) => return None,
        (true, false) if partner.starts_with("each") => "fan-out",
        (false, true) => "gather",
        _ if partner.starts_with("(rank") && partner.ends_with("% np") => "ring",
        (false, false) if partner.starts_with("each of [0..np-1]") => "all-to-all",
        (false, false) if partner.starts_with("each") => "band",
        _ if partner.strip_prefix("rank ").is_some_and(|rest| {
            rest.split_once(' ')
                .is_some_and(|(sign, by)| matches!(sign, "+" | "-") && !by.contains([' ', '*', '/', '%']))
        }) =>
        {
            "shift"
        }
        _ => return None,
    })
}
