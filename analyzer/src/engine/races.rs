//! Messages that race: a receive or probe from any source that can take one of several, where what the program does depends on which.
//!
//! It is asked where nothing else can move, so that all messages are there that the receive could take. They race if they come from
//! different processes, may differ in tag, length or data, and it matters which one came ([`super::uses`]).

use std::collections::BTreeSet;

use frontend::ir::{LocalId, Span, Type};
use frontend::program::FunctionRef;
use lattice::Ranks;

use super::Engine;
use super::clients::lifecycles::{Note, Unless};
use super::memory::{ObjectId, ObjectKind};
use super::relation::Relation;
use super::state::{Envelope, Filter, ProcessSet, SiteId, State};
use super::uses::{self, Activation, Variable};
use super::value::Value;
use crate::rules::Rule;

/// A message that could be taken: its index, who could send and receive it, and all that are like its sender.
pub(crate) type Candidate = (usize, Relation, Option<Ranks>);

impl Engine<'_> {
    /// Notes a race of the messages that a receive or probe could take next. `buffer` is where a receive puts one.
    pub(crate) fn note_race(
        &mut self,
        state: &State,
        filter: &Filter,
        receivers: &Ranks,
        buffer: Option<&Value>,
        candidates: &[Candidate],
    ) {
        let sites = self.racing(state, filter, candidates);
        let Some((sites, senders)) = sites else { return };
        let waits = |set: &&ProcessSet| !set.is_done() && !set.ranks.disjoint(receivers, &state.facts);
        let Some(set) = state.sets.iter().find(waits) else { return };
        let place = self.site_place(filter.site);
        let Some(activations) = self.activations(set, buffer) else { return };
        let known = self.matters.iter().find(|(key, _)| *key == (filter.site, buffer_of(buffer)));
        let used = match known {
            Some(&(_, used)) => used,
            None => {
                let used = uses::matters(self.program, &activations);
                self.matters.push(((filter.site, buffer_of(buffer)), used));
                used
            }
        };
        let Some((function, span)) = used else { return };
        let line = self.line_of(function.unit, span);
        let message =
            format!("which of the messages from {senders} comes first is open, and {line} depends on it");
        let mut related: Vec<(SiteId, String)> =
            sites.into_iter().map(|site| (site, "one of them is sent here".to_owned())).collect();
        related.push((self.site(function, span, "use"), "it matters here which one came".to_owned()));
        let note = Note {
            rule: Rule::MessageRace,
            place,
            message,
            ranks: receivers.clone(),
            related,
            unless: Unless::Never,
            from_np: None,
            severity: None,
        };
        self.clients.lifecycles.noted.push(note);
        self.take_in_noted(state);
    }

    /// Notes what a call sends.
    pub(crate) fn note_sent(&mut self, site: SiteId, payload: &Value) {
        let number = payload.as_constant();
        let sent = self.sent.entry(site).or_insert(number);
        if *sent != number {
            *sent = None;
        }
    }

    /// The number that a call has sent whenever it was made.
    fn always_sent(&self, site: SiteId) -> Option<i64> {
        self.sent.get(&site).copied().flatten()
    }

    /// The calls that send what may be taken, and who makes them; `None` where all is the same, or of one sender.
    fn racing(
        &self,
        state: &State,
        filter: &Filter,
        candidates: &[Candidate],
    ) -> Option<(BTreeSet<SiteId>, String)> {
        let facts = &state.facts;
        let envelopes: Vec<&Envelope> =
            candidates.iter().map(|(index, ..)| &state.in_flight[*index].envelope).collect();
        let one = |envelope: &Envelope| {
            let is_open = |value: &Value| !value.is_uniform();
            !is_empty(envelope)
                && (is_open(&envelope.payload) || is_open(&envelope.count) || is_tag_open(filter, envelope))
        };
        let several = candidates.iter().zip(&envelopes).any(|((_, _, alike), e)| alike.is_some() && one(e));
        let differ = |a: &Envelope, b: &Envelope| {
            let same = |x: &Value, y: &Value| x == y && x.is_uniform();
            let always = self.always_sent(a.site).zip(self.always_sent(b.site));
            let is_same = same(&a.payload, &b.payload) || always.is_some_and(|(a, b)| a == b);
            let same_data = is_empty(a) && is_empty(b) || is_same;
            !(same_data && same(&a.count, &b.count) && (filter.tag.is_some() || same(&a.tag, &b.tag)))
        };
        let pairs = (0..candidates.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let different = pairs.into_iter().any(|(i, j)| {
            let (a, b) = (candidates[i].1.senders(), candidates[j].1.senders());
            a.disjoint(&b, facts) && differ(envelopes[i], envelopes[j])
        });
        if !several && !different {
            return None;
        }
        let senders: Vec<String> = candidates
            .iter()
            .map(|(_, taken, alike)| self.rank_list(alike.as_ref().unwrap_or(&taken.senders()), facts))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        Some((envelopes.iter().map(|e| e.site).collect(), senders.join(" and ")))
    }

    /// The activations of a set that waits, with the variables in each that name the buffer.
    fn activations(&mut self, set: &ProcessSet, buffer: Option<&Value>) -> Option<Vec<Activation>> {
        let object = match buffer {
            None => None,
            Some(Value::Address(object, _) | Value::Within(object)) => Some(*object),
            Some(_) => return None,
        };
        let mut activations = Vec::new();
        for frame in set.frames.iter().rev() {
            let data = object.map_or_else(BTreeSet::new, |object| {
                self.names_of(set, (frame.function, frame.context), object)
            });
            let inst = frame.inst + 1;
            activations.push(Activation { function: frame.function, block: frame.block, inst, data });
        }
        Some(activations)
    }

    /// Variables of an activation that are an object, or point into it.
    fn names_of(
        &mut self,
        set: &ProcessSet,
        (function, context): (FunctionRef, super::memory::ContextId),
        object: ObjectId,
    ) -> BTreeSet<Variable> {
        let mut names = BTreeSet::new();
        match self.objects.kind(object) {
            ObjectKind::Local(own, at, local) if *own == context && *at == function => {
                names.insert(Variable::Local(*local));
            }
            ObjectKind::Static(at, local) if *at == function => {
                names.insert(Variable::Local(*local));
            }
            ObjectKind::Global(unit, global) if *unit == function.unit => {
                names.insert(Variable::Global(*global));
            }
            _ => {}
        }
        let program = self.program;
        let unit = &program.units[function.unit];
        let is_pointer = |ty| matches!(unit.types.get(ty), Type::Pointer(_));
        for (index, local) in (0..).zip(&program.function(function).locals) {
            if !is_pointer(local.ty) {
                continue;
            }
            let variable = match local.static_init {
                Some(_) => ObjectKind::Static(function, LocalId(index)),
                None => ObjectKind::Local(context, function, LocalId(index)),
            };
            if self.points_to(set, variable, object) {
                names.insert(Variable::Local(LocalId(index)));
            }
        }
        for (index, global) in (0..).zip(&unit.globals) {
            let variable = ObjectKind::Global(function.unit, frontend::ir::GlobalId(index));
            if is_pointer(global.ty) && self.points_to(set, variable, object) {
                names.insert(Variable::Global(frontend::ir::GlobalId(index)));
            }
        }
        names
    }

    fn points_to(&mut self, set: &ProcessSet, variable: ObjectKind, object: ObjectId) -> bool {
        let variable = self.objects.object(variable);
        match set.memory.get(variable).map(|content| content.read(0, 8)) {
            Some(Value::Address(target, _) | Value::Within(target)) => target == object,
            _ => false,
        }
    }
}

/// The key of what was found out about a buffer.
fn buffer_of(buffer: Option<&Value>) -> Option<ObjectId> {
    match buffer {
        Some(Value::Address(object, _) | Value::Within(object)) => Some(*object),
        _ => None,
    }
}

/// What was found out about receives and their buffers.
pub(crate) type Matters = Vec<((SiteId, Option<ObjectId>), Option<(FunctionRef, Span)>)>;

fn is_empty(envelope: &Envelope) -> bool {
    envelope.count.as_constant() == Some(0)
}

fn is_tag_open(filter: &Filter, envelope: &Envelope) -> bool {
    filter.tag.is_none() && !envelope.tag.is_uniform()
}
