//! Flows as the user reads them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::labels::{HopId, Label, SourceId};
use super::{Flow, Found, Hop, SinkId, Spot};
use crate::engine::Engine;
use crate::results::{self, FlowEnd, FlowHop};

impl Flow {
    /// What was found, by place of the source, then of the sink; `None` if nobody has asked.
    pub(crate) fn report(&self, engine: &Engine<'_>) -> Option<Vec<results::Flow>> {
        self.wanted.as_ref()?;
        // What is known by the data itself needs not be said again for the decisions that it makes.
        let explicit: BTreeSet<(Label, SinkId)> =
            self.found.keys().filter(|(label, _)| !label.implicit).copied().collect();
        let mut merged: BTreeMap<(SourceId, Vec<HopId>, SinkId, bool), Found> = BTreeMap::new();
        for (&(label, sink), found) in &self.found {
            if label.implicit && explicit.contains(&(Label { implicit: false, ..label }, sink)) {
                continue;
            }
            let path = self.path(label);
            let entry = merged.entry((label.source, path, sink, label.implicit)).or_default();
            entry.from.add_ranks(&found.from);
            entry.to.add_ranks(&found.to);
        }
        let end = |spot: &Spot, ranks: String| FlowEnd {
            name: spot.name.to_string(),
            range: engine.range_of(spot.function.unit, spot.span),
            function: engine.program.function(spot.function).name.to_string(),
            ranks,
        };
        let mut flows: Vec<results::Flow> = merged
            .into_iter()
            .map(|((source, path, sink, implicit), found)| results::Flow {
                source: end(&self.sources[source.0 as usize], found.from.text(engine)),
                path: path.iter().map(|hop| self.hop(engine, *hop)).collect(),
                sink: end(&self.sinks[sink.0 as usize], found.to.text(engine)),
                implicit,
            })
            .collect();
        flows.sort();
        flows.dedup();
        Some(flows)
    }

    /// A shortest chain of messages over which data of a label may have come, the first message first.
    fn path(&self, label: Label) -> Vec<HopId> {
        let Some(last) = label.hop else { return Vec::new() };
        // Backwards from the last message; each remembers the one after it.
        let mut after: BTreeMap<HopId, Option<HopId>> = BTreeMap::from([(last, None)]);
        let mut work = VecDeque::from([last]);
        while let Some(hop) = work.pop_front() {
            let before = self.came.get(&(label.source, hop)).into_iter().flatten();
            for earlier in before {
                let Some(earlier) = *earlier else {
                    let chain = std::iter::successors(Some(hop), |hop| after[hop]);
                    return chain.collect();
                };
                if let std::collections::btree_map::Entry::Vacant(entry) = after.entry(earlier) {
                    entry.insert(Some(hop));
                    work.push_back(earlier);
                }
            }
        }
        vec![last]
    }

    fn hop(&self, engine: &Engine<'_>, hop: HopId) -> FlowHop {
        match &self.hops[hop.0 as usize] {
            Hop::Channel { send, recv } => {
                FlowHop::Channel { send: engine.site_result(*send), recv: engine.site_result(*recv) }
            }
            Hop::Collective { operation, sites } => FlowHop::Collective {
                operation: operation.to_string(),
                sites: sites.iter().map(|site| engine.site_result(*site)).collect(),
            },
        }
    }
}
