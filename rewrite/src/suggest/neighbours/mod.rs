//! Exchanges with all neighbours in a grid or a graph, message by message, that one collective call does.
//!
//! Who a neighbour is comes from the calls of `MPI_Cart_create` and `MPI_Cart_shift`, or from the lists that
//! `MPI_Dist_graph_create_adjacent` is given (`grid.rs`), which statements are one exchange from the text (`exchange.rs`), who receives
//! what is sent from the topology. All messages of a collective call travel at once. So no message
//! may send what another one has brought: what each has is compared (`memory.rs`), except where both are under way together as it is
//! written, as memory that they shared would be an error then. Where two neighbours are one process, what goes to the smaller coordinate is
//! received from the greater one (MPI-4.1 section 8.6); as not all MPI libraries do that, there is advice only. In a graph what goes to the
//! first of them is received from the first (MPI-4.1 section 8.5.4), which is what the messages do if they are in that order too.

mod call;
mod exchange;
mod grid;
mod made;
mod memory;

use std::collections::BTreeMap;

use analyzer::results::{Edit, Fix, Gain, ProgramReport, Related, SourceRange, Suggestion};
use analyzer::rules::Rule;
use frontend::mpi::{self, Class, Completion};
use tree_sitter::Node;

use super::scope::{Scope, Shape, names};
use super::sum::Sum;
use super::unused::{Needless, leftovers};
use super::{call_at, has_finding};
use call::Instead;
use exchange::{End, Exchange};
use grid::{Grid, sum};
use memory::{Common, Elements, Region};

/// The exchange that a channel is part of.
pub(super) fn exchanged(
    report: &ProgramReport,
    index: usize,
    scopes: &BTreeMap<&str, Scope<'_>>,
) -> Option<Suggestion> {
    let (scope, call) = call_at(scopes, &report.topology.channels[index].send)?;
    // Most programs make none.
    let makes = |operation: &str| {
        let class = mpi::lookup(operation).map(|function| function.class);
        matches!(class, Some(Class::CommConstructor(_)))
    };
    if !report.topology.collectives.iter().any(|collective| makes(&collective.operation)) {
        return None;
    }
    let only = Grid::only(report, scopes);
    let exchange = Exchange::around(scope, only.as_ref(), &call)?;
    let place = |end: &End<'_>| scope.file.range(end.call.node);
    let places: Vec<SourceRange> = exchange.ends().map(place).collect();
    if has_finding(report, &places.iter().collect::<Vec<_>>()) || !exchange.is_closed(report, scope) {
        return None;
    }
    let instead = call::instead(scope, &exchange)?;
    let obstacle = exchange.is_at_once(scope)?;
    let obstacle = obstacle
        .and_then(|()| exchange.sends_first())
        .and_then(|()| exchange.has_tags(scope))
        .and_then(|()| exchange.is_in_order(scope))
        .and_then(|()| exchange.is_alike_everywhere(instead.name))
        .and_then(|()| exchange.has_lengths(scope));
    let name = instead.name;
    let (first, last) = (places.iter().min()?.clone(), places.iter().max()?);
    let mut related = Vec::new();
    if first != *last {
        related.push(Related { range: last.clone(), message: "the last of its calls".to_owned() });
    }
    let kind = if exchange.grid.is_graph() { "graph" } else { "grid" };
    related.push(Related { range: exchange.grid.range.clone(), message: format!("the {kind}") });
    for range in exchange.datatypes(scope) {
        related.push(Related { range, message: "what is exchanged".to_owned() });
    }
    Some(Suggestion {
        rule: Rule::UseNeighborCollective,
        message: format!(
            "an exchange with all neighbours in a {kind}, message by message: `{name}` is one call for it"
        ),
        range: first,
        related,
        np: report.verdict.np.clone(),
        gain: Gain { model: Gain::CALLS, before: cost(exchange.calls, exchange.waits), after: cost(1, 1) },
        edit: obstacle.and_then(|()| exchange.edit(scope, &instead)),
    })
}

/// Time of calls and waits.
fn cost(calls: usize, waits: usize) -> String {
    let product = |number: usize, name: &str| match number {
        1 => name.to_owned(),
        _ => format!("{number}*{name}"),
    };
    format!("{} + {}", product(calls, "c"), product(waits, "w"))
}

impl<'t> Exchange<'t> {
    /// Whether the messages of its calls are all for one another, each for the neighbour's receive from this side.
    fn is_closed(&self, report: &ProgramReport, scope: &Scope<'t>) -> bool {
        let place = |end: &End<'t>| scope.file.range(end.call.node);
        let pairs: Vec<[SourceRange; 2]> =
            self.messages().map(|(send, receive)| [place(send), place(receive)]).collect();
        let is_at = |end: usize, range: &SourceRange| pairs.iter().any(|pair| pair[end] == *range);
        // The only communicator with neighbours is that of the messages if theirs has any.
        let kind = if self.grid.is_graph() { "graph of " } else { "grid of " };
        let is_there = |communicator: &str| !self.grid.is_only() || communicator.starts_with(kind);
        report.topology.channels.iter().all(|channel| {
            let (send, receive) = (&channel.send.range, &channel.recv.range);
            let is_ours = is_at(0, send) || is_at(1, receive);
            let is_pair = || pairs.iter().any(|pair| pair[0] == *send && pair[1] == *receive);
            !is_ours || is_there(&channel.communicator) && is_pair()
        })
    }

    /// Each send with the receive that its message is for at the neighbour.
    fn messages(&self) -> impl Iterator<Item = (&End<'t>, &End<'t>)> {
        self.sends.iter().map(|send| (send, &self.receives[self.grid.counterpart(send.slot)]))
    }

    /// Whether all messages can be under way at once: none has what another one brings. An error says that only pointers are in the way of
    /// knowing; `None` where more is.
    fn is_at_once(&self, scope: &Scope<'t>) -> Option<Result<(), String>> {
        let regions: Vec<Option<Region<'t>>> = self.ends().map(|end| Region::of(scope, end)).collect();
        let all: Vec<(&End<'t>, &Option<Region<'t>>)> = self.ends().zip(&regions).collect();
        let known: Vec<Sum> = regions.iter().flatten().flat_map(|region| region.numbers(scope)).collect();
        let mut doubt = Ok(());
        for (place, (receive, into)) in all.iter().enumerate().filter(|(_, (end, _))| !end.sends) {
            for (other_place, (other, what)) in all.iter().enumerate() {
                let is_known = other.sends || place < other_place;
                if place == other_place || !is_known || receive.meets(other) {
                    continue;
                }
                let (into, what) = (into.as_ref()?, what.as_ref()?);
                match Region::common(scope, into, what, &known) {
                    Common::Nothing => {}
                    Common::Something => return None,
                    Common::Alias(why) => doubt = doubt.and(Err(why)),
                }
                // What is received must not say what is sent later.
                if into.variable.shape == Shape::Plain
                    && other.names(scope).any(|name| name == into.variable.name)
                {
                    return None;
                }
            }
        }
        Some(doubt)
    }

    /// Whether no process sends after it has waited for a receive alone.
    fn sends_first(&self) -> Result<(), String> {
        let is_alone = |end: &&End<'t>| {
            matches!(end.call.mpi.class, Class::Receive { completion: Completion::Blocking, .. })
        };
        let first = self.receives.iter().filter(is_alone).map(|end| end.during.0).min();
        match first.is_some_and(|first| self.sends.iter().any(|send| first < send.during.0)) {
            true => Err("a process sends after it has received: the order may say something that is not in the messages".to_owned()),
            false => Ok(()),
        }
    }

    /// Whether both ends of each message have the same tag.
    fn has_tags(&self, scope: &Scope<'t>) -> Result<(), String> {
        let tag = |end: &End<'t>| sum(scope, end.tag, &end.round);
        self.messages().try_for_each(|(send, receive)| {
            let (mine, theirs) = tag(send).zip(tag(receive)).ok_or("nothing is known about a tag")?;
            match mine.equals(scope, &theirs) {
                true => Ok(()),
                false => Err("two ends of a message have tags that are not seen to be the same".to_owned()),
            }
        })
    }

    /// Whether messages that go from one process to one other in a graph are told apart by their tags, or sent and received in the order of
    /// the neighbours, which may all be that process.
    fn is_in_order(&self, scope: &Scope<'t>) -> Result<(), String> {
        let ascend = |ends: &[End<'t>]| ends.windows(2).all(|pair| pair[0].during.0 < pair[1].during.0);
        let mut tags: Vec<Option<i64>> =
            self.sends.iter().map(|end| sum(scope, end.tag, &end.round)?.value(scope)).collect();
        tags.sort_unstable();
        tags.dedup();
        let are_told_apart = tags.len() == self.sends.len() && tags.iter().all(Option::is_some);
        match !self.grid.is_graph() || are_told_apart || ascend(&self.sends) && ascend(&self.receives) {
            true => Ok(()),
            false => Err("where two neighbours are one process, the order of the messages says which is whose, and it is not that of the neighbours".to_owned()),
        }
    }

    /// Whether all MPI libraries put what comes from both sides where it belongs. Some mix it up where both neighbours are one process, as
    /// MPICH 4.0.2 does; what is the same for all neighbours cannot be mixed up.
    fn is_alike_everywhere(&self, name: &str) -> Result<(), String> {
        let is_closed = !self.grid.is_open() && !self.grid.is_graph();
        match is_closed && name != "MPI_Neighbor_allgather" {
            true => Err("where both neighbours in a closed direction are one process, some MPI libraries (MPICH 4.0.2) mix up what comes from the two sides".to_owned()),
            false => Ok(()),
        }
    }

    /// Whether both ends of each message are seen to have the same number of elements.
    fn has_lengths(&self, scope: &Scope<'t>) -> Result<(), String> {
        self.messages().try_for_each(|(send, receive)| memory::are_as_long(scope, [send, receive]))
    }

    /// Calls that make datatypes whose numbers are not in the text.
    fn datatypes(&self, scope: &Scope<'t>) -> Vec<SourceRange> {
        let made = self.ends().filter_map(|end| Elements::of(scope, end.datatype, end.call.statement)?.made);
        let mut all: Vec<SourceRange> = made.map(|call| scope.file.range(call.node)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn edit(&self, scope: &Scope<'t>, instead: &Instead) -> Result<Fix, String> {
        let partners: Vec<Node<'t>> = self.ends().map(|end| end.partner).collect();
        if !grid::are_ours(scope, &partners, &self.members) {
            return Err("who is a neighbour is looked at later".to_owned());
        }
        let (last, others) = self.members.split_last().ok_or("there is no call")?;
        let shifts = grid::unneeded(scope, &partners, &self.members);
        let mut gone = self.members.clone();
        gone.extend(&shifts);
        let mut edits: Vec<Edit> =
            vec![scope.file.replace(last.byte_range(), scope.file.joined(*last, &instead.lines))];
        edits.extend(others.iter().chain(&shifts).map(|statement| scope.file.remove_with_remark(*statement)));
        edits.extend(leftovers(scope, &gone, &instead.lines).map_err(|Needless(what)| what)?);
        Ok(Fix { description: format!("exchange with all neighbours by `{}`", instead.name), edits })
    }
}

impl<'t> End<'t> {
    /// Whether both are under way at the same time.
    fn meets(&self, other: &Self) -> bool {
        self.during.0 <= other.during.1 && other.during.0 <= self.during.1
    }

    /// The variables that say what is sent or received, and where it is.
    fn names<'a>(&'a self, scope: &'a Scope<'t>) -> impl Iterator<Item = Node<'t>> + 'a {
        [self.buffer, self.count, self.tag].into_iter().flat_map(move |node| {
            let is_whole = scope.text(node).starts_with('&') && node == self.buffer;
            let base = is_whole.then(|| node.child_by_field_name("argument")).flatten();
            let own = base.filter(|base| base.kind() == "identifier");
            let all = if own.is_some() { Vec::new() } else { names(scope.file, node) };
            all.into_iter().filter_map(move |name| Some(scope.variable(node, name)?.name))
        })
    }
}
