//! MPI calls with everybody they communicate with, out of topologies.

use std::collections::BTreeMap;
use std::path::Path;

use analyzer::results::{Agreement, BuiltDatatype, Channel, Collective, ProgramReport, Site, SourceRange};

use super::view::{Call, Partner, Place};

/// The operation that stands for the condition of a branch in what is equal on all ranks.
pub(super) const BRANCH: &str = "branch";

/// All calls of all programs, by place.
pub(super) fn calls(root: &Path, programs: &[ProgramReport]) -> Vec<Call> {
    let mut calls = Calls { root, found: BTreeMap::new() };
    for program in programs {
        let told = |name: &str| program.datatypes.iter().find(|datatype| datatype.name == name).map(datatype);
        for made in &program.datatypes {
            calls.at(&made.site.range, &made.site.operation).tell(datatype(made));
        }
        for uniform in program.uniformity.iter().flatten().filter(|uniform| uniform.operation != BRANCH) {
            let call = calls.at(&uniform.range, &uniform.operation);
            call.ranks = Some(uniform.ranks.clone());
            let known = match &uniform.agreement {
                Agreement::Same(Some(value)) => format!("`{value}` on all ranks"),
                Agreement::Same(None) => "the same on all ranks".to_owned(),
                Agreement::Differs => "not the same on all ranks".to_owned(),
                Agreement::Unknown => continue,
            };
            let argument = (uniform.argument.clone(), known);
            if !call.arguments.contains(&argument) {
                call.arguments.push(argument);
            }
            if let Agreement::Same(Some(value)) = &uniform.agreement {
                told(value).into_iter().for_each(|told| call.tell(told));
            }
        }
        for channel in &program.topology.channels {
            calls.channel(channel);
            // What is sent, where senders do not agree on their arguments.
            let send = calls.at(&channel.send.range, &channel.send.operation);
            told(&channel.datatype).into_iter().for_each(|told| send.tell(told));
        }
        for collective in &program.topology.collectives {
            calls.collective(collective);
        }
    }
    calls.found.into_values().collect()
}

struct Calls<'a> {
    root: &'a Path,
    found: BTreeMap<(Place, String), Call>,
}

impl Calls<'_> {
    fn at(&mut self, range: &SourceRange, operation: &str) -> &mut Call {
        let place = Place::new(self.root, range);
        self.found.entry((place.clone(), operation.to_owned())).or_insert_with(|| Call {
            place,
            operation: operation.to_owned(),
            ranks: None,
            arguments: Vec::new(),
            datatypes: Vec::new(),
            partners: Vec::new(),
        })
    }

    fn partner(&mut self, site: &Site, partner: Partner) {
        let call = self.at(&site.range, &site.operation);
        if !call.partners.contains(&partner) {
            call.partners.push(partner);
        }
    }

    fn channel(&mut self, channel: &Channel) {
        let Channel { senders, partner, receivers, source, .. } = channel;
        let what = message(channel);
        let (send, recv) = (&channel.send, &channel.recv);
        let place = |site: &Site| vec![Place::new(self.root, &site.range)];
        let (sends, receives) = (place(send), place(recv));
        self.partner(
            send,
            Partner {
                short: format!("{senders} \u{2192} {partner}"),
                long: format!(
                    "ranks `{senders}` send to `{partner}`, received by `{}` on `{receivers}`: {what}",
                    recv.operation
                ),
                places: receives,
            },
        );
        self.partner(
            recv,
            Partner {
                short: format!("{receivers} \u{2190} {source}"),
                long: format!(
                    "ranks `{receivers}` receive from `{source}`, sent by `{}` on `{senders}`: {what}",
                    send.operation
                ),
                places: sends,
            },
        );
    }

    fn collective(&mut self, collective: &Collective) {
        let Collective { ranks, communicator, .. } = collective;
        let root = collective.root.as_ref().map_or_else(String::new, |root| format!(", root {root}"));
        let repeat = repeat(&collective.repeat);
        for site in &collective.sites {
            let others = collective.sites.iter().filter(|other| other.range != site.range);
            let places: Vec<_> = others.map(|other| Place::new(self.root, &other.range)).collect();
            self.partner(
                site,
                Partner {
                    short: format!("with {ranks}{root}"),
                    long: format!("a collective of ranks `{ranks}` of `{communicator}`{root}{repeat}"),
                    places,
                },
            );
        }
    }
}

impl Call {
    /// Adds what a datatype consists of, once.
    fn tell(&mut self, datatype: String) {
        if !self.datatypes.contains(&datatype) {
            self.datatypes.push(datatype);
        }
    }
}

/// What a datatype consists of, and what that costs.
fn datatype(datatype: &BuiltDatatype) -> String {
    let BuiltDatatype { name, constructors, tree, elements, size, extent, .. } = datatype;
    let elements = if *elements == 1 { "1 element".to_owned() } else { format!("{elements} elements") };
    let cost = datatype.cost.map_or_else(String::new, |cost| format!(", cost {cost}"));
    format!(
        "`{name}`: {elements}, {size} bytes of data, extent {extent} bytes{cost}\n```text\n{constructors}\n{tree}\n```"
    )
}

/// What is in the messages of a channel.
fn message(channel: &Channel) -> String {
    let Channel { tag, count, datatype, communicator, .. } = channel;
    format!("{count} \u{d7} `{datatype}`, tag `{tag}`, on `{communicator}`{}", repeat(&channel.repeat))
}

fn repeat(repeat: &str) -> String {
    match repeat {
        "1" => String::new(),
        "unknown" => ", any number of times".to_owned(),
        times => format!(", `{times}` times"),
    }
}
