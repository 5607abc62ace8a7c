//! Joining states of equal shape, and merging process sets that stand at the same place with the same knowledge.

use std::sync::Arc;

use lattice::unify::Combine;
use lattice::{Constraints, Linear, Range, Symbol, Unifier};

use super::Engine;
use super::memory::{Background, Content, Memory};
use super::state::{CollectiveCall, Envelope, Incoming, Outgoing, ProcessSet, Relation, State, Status};
use super::value::Value;

impl Engine<'_> {
    /// A state that describes all that `old` and `new` describe, and whether `old` did already. Both have the same shape;
    /// `None` when they differ in something that has no common description.
    pub(crate) fn generalise(&mut self, old: &State, new: &State, combine: Combine) -> Option<(State, bool)> {
        let mut old = old.clone();
        let mut new = new.clone();
        for (a, b) in old.sets.iter_mut().zip(&mut new.sets) {
            self.align(&mut a.memory, &mut b.memory);
        }
        let unifier = Unifier::new(&mut self.symbols, &old.facts, &new.facts);
        let mut join = Join { unifier, same: true, only: (None, None) };
        let mut sets = Vec::with_capacity(old.sets.len());
        for (a, b) in old.sets.iter().zip(&new.sets) {
            join.only = (a.ranks.as_single(&old.facts), b.ranks.as_single(&new.facts));
            sets.push(ProcessSet {
                ranks: join.range(&a.ranks, &b.ranks)?,
                frames: a.frames.clone(),
                status: join.status(&a.status, &b.status)?,
                phase: a.phase,
                memory: join.memory(&a.memory, &b.memory),
            });
        }
        join.only = (None, None);
        let mut in_flight = old.in_flight.clone();
        for (message, b) in in_flight.iter_mut().zip(&new.in_flight) {
            message.relation = join.relation(&message.relation, &b.relation)?;
            message.envelope = join.envelope(&message.envelope, &b.envelope)?;
        }
        let mut exchanged = old.exchanged.clone();
        for (entry, b) in exchanged.iter_mut().zip(&new.exchanged) {
            if entry.communicator != b.communicator || entry.datatype != b.datatype {
                return None;
            }
            entry.relation = join.relation(&entry.relation, &b.relation)?;
            entry.tag = join.optional(&entry.tag, &b.tag);
            entry.count = join.optional(&entry.count, &b.count);
            entry.repeat = join.optional(&entry.repeat, &b.repeat);
        }
        let mut gathered = old.gathered.clone();
        for (entry, b) in gathered.iter_mut().zip(&new.gathered) {
            if entry.operation != b.operation || entry.communicator != b.communicator {
                return None;
            }
            entry.root = join.optional(&entry.root, &b.root);
            entry.repeat = join.optional(&entry.repeat, &b.repeat);
        }
        let Join { unifier, same, .. } = join;
        let (facts, covered) = unifier.finish(combine);
        let state = State {
            facts,
            sets,
            in_flight,
            exchanged,
            gathered,
            forked: false,
            deciding: false,
            quiet: 0,
            unstored: 0,
        };
        Some((state, covered && same))
    }

    /// Gives both memories the same objects, where possible with the content that the absent side would show on a read.
    fn align(&mut self, a: &mut Memory, b: &mut Memory) {
        let only = |x: &Memory, y: &Memory| -> Vec<_> {
            x.objects.keys().filter(|o| !y.objects.contains_key(o)).copied().collect()
        };
        for object in only(a, b) {
            self.ensure(b, object);
        }
        for object in only(b, a) {
            self.ensure(a, object);
        }
    }

    /// Merges process sets that stand at the same place, are neighbours in rank, and lose nothing by it.
    pub(crate) fn merge_sets(&mut self, state: &mut State) {
        'again: loop {
            for i in 0..state.sets.len() {
                for j in 0..state.sets.len() {
                    if i != j
                        && let Some(merged) = self.merged(state, i, j)
                    {
                        state.sets[i] = merged;
                        state.sets.remove(j);
                        continue 'again;
                    }
                }
            }
            break;
        }
        // Equal places have equal positions in all states of one shape.
        let facts = &state.facts;
        state.sets.sort_by(|a, b| {
            let place = |s: &ProcessSet| {
                s.frames.iter().map(|f| (f.function, f.context, f.block, f.inst)).collect::<Vec<_>>()
            };
            place(a).cmp(&place(b)).then_with(|| match facts.le(&a.ranks.lo, &b.ranks.lo) {
                lattice::Truth::Yes => std::cmp::Ordering::Less,
                lattice::Truth::No => std::cmp::Ordering::Greater,
                lattice::Truth::Open => std::cmp::Ordering::Equal,
            })
        });
    }

    fn merged(&mut self, state: &State, i: usize, j: usize) -> Option<ProcessSet> {
        let (a, b) = (&state.sets[i], &state.sets[j]);
        if a.frames != b.frames || a.phase != b.phase {
            return None;
        }
        let ranks = a.ranks.append(&b.ranks, &state.facts)?;
        let alike = Alike { facts: &state.facts, a: &a.ranks, b: &b.ranks };
        let status = alike.status(&a.status, &b.status)?;
        let (mut left, mut right) = (a.memory.clone(), b.memory.clone());
        self.align(&mut left, &mut right);
        let memory = alike.memory(&left, &right, self)?;
        Some(ProcessSet { ranks, frames: a.frames.clone(), status, phase: a.phase, memory })
    }
}

/// Generalisation of the parts of two states.
struct Join<'a> {
    unifier: Unifier<'a>,
    /// Whether nothing was lost so far that the old side knew.
    same: bool,
    /// The only member of the set at hand on either side, if it has only one: what that one calls 3 may be what the members of
    /// the other side call `rank + 1`.
    only: (Option<&'a Linear>, Option<&'a Linear>),
}

impl Join<'_> {
    fn linear(&mut self, a: &Linear, b: &Linear) -> Option<Linear> {
        let (slope, other) = (a.coefficient(Symbol::RANK), b.coefficient(Symbol::RANK));
        // value + slope * (rank - only)
        let lifted = |value: &Linear, slope: i64, only: &Linear| {
            value.add_scaled(&Linear::rank(), slope)?.add_scaled(only, slope.checked_neg()?)
        };
        match self.only {
            (Some(only), _) if slope == 0 && other != 0 => self.unifier.pair(&lifted(a, other, only)?, b),
            (_, Some(only)) if other == 0 && slope != 0 => self.unifier.pair(a, &lifted(b, slope, only)?),
            _ => self.unifier.pair(a, b),
        }
    }

    fn optional(&mut self, a: &Option<Linear>, b: &Option<Linear>) -> Option<Linear> {
        let joined = match (a, b) {
            (Some(a), Some(b)) => self.linear(a, b),
            _ => None,
        };
        self.same &= joined.is_some() || a.is_none();
        joined
    }

    fn range(&mut self, a: &Range, b: &Range) -> Option<Range> {
        Some(Range { lo: self.linear(&a.lo, &b.lo)?, hi: self.linear(&a.hi, &b.hi)? })
    }

    fn relation(&mut self, a: &Relation, b: &Relation) -> Option<Relation> {
        Some(Relation {
            senders: self.range(&a.senders, &b.senders)?,
            receivers: self.range(&a.receivers, &b.receivers)?,
            pairing: a.pairing,
        })
    }

    fn value(&mut self, a: &Value, b: &Value) -> Value {
        let joined = match (a, b) {
            (Value::Int(x), Value::Int(y)) => self.linear(x, y).map(Value::Int),
            (Value::Same(x), Value::Same(y)) => self
                .linear(&(*x).into(), &(*y).into())
                .and_then(|joined| joined.as_offset())
                .filter(|&(_, constant)| constant == 0)
                .map(|(symbol, _)| Value::Same(symbol)),
            (Value::Address(o, x), Value::Address(p, y)) if o == p => {
                self.linear(x, y).map(|x| Value::Address(*o, x))
            }
            (a, b) if a == b => Some(a.clone()),
            _ => None,
        };
        self.same &= joined.is_some() || *a == Value::Unknown;
        joined.unwrap_or(Value::Unknown)
    }

    fn memory(&mut self, a: &Memory, b: &Memory) -> Memory {
        let mut memory = Memory::default();
        for (&object, old) in a.objects.iter() {
            let Some(new) = b.objects.get(&object) else { continue };
            memory.insert(object, self.content(old, new));
        }
        memory
    }

    fn content(&mut self, a: &Content, b: &Content) -> Content {
        if a.background != b.background {
            self.same &= a.background == Background::Unknown;
            // A byte that no cell covers is zero on one side only.
            let mut content = Content::new(Background::Unknown);
            content.summary = a.summary || b.summary;
            for (&offset, (size, value)) in &a.cells {
                let joined = self.value(value, &b.read(offset, *size));
                if joined != Value::Unknown {
                    content.cells.insert(offset, (*size, joined));
                }
            }
            return content;
        }
        let mut content = Content::new(a.background);
        content.summary = a.summary || b.summary;
        self.same &= a.summary == content.summary;
        for (&offset, (size, value)) in &a.cells {
            let joined = self.value(value, &b.read(offset, *size));
            content.write(offset, *size, joined);
        }
        for (&offset, (size, value)) in &b.cells {
            if a.cells.get(&offset).is_none_or(|(s, _)| s != size) {
                let joined = self.value(&a.read(offset, *size), value);
                content.write(offset, *size, joined);
            }
        }
        content
    }

    fn envelope(&mut self, a: &Envelope, b: &Envelope) -> Option<Envelope> {
        if a.communicator != b.communicator || a.datatype != b.datatype {
            return None;
        }
        Some(Envelope {
            site: a.site,
            communicator: Arc::clone(&a.communicator),
            tag: self.value(&a.tag, &b.tag),
            count: self.value(&a.count, &b.count),
            datatype: a.datatype.clone(),
            payload: self.value(&a.payload, &b.payload),
        })
    }

    fn status(&mut self, a: &Status, b: &Status) -> Option<Status> {
        Some(match (a, b) {
            (Status::Ready, Status::Ready) => Status::Ready,
            (Status::Done, Status::Done) => Status::Done,
            (Status::Sending(a), Status::Sending(b)) => Status::Sending(Outgoing {
                envelope: self.envelope(&a.envelope, &b.envelope)?,
                dest: self.linear(&a.dest, &b.dest)?,
                synchronous: a.synchronous,
            }),
            (Status::Receiving(a), Status::Receiving(b)) => {
                if a.communicator != b.communicator || a.tag.is_some() != b.tag.is_some() || a.site != b.site
                {
                    return None;
                }
                let tag = match (&a.tag, &b.tag) {
                    (Some(x), Some(y)) => Some(self.value(x, y)),
                    _ => None,
                };
                Status::Receiving(Incoming {
                    source: self.linear(&a.source, &b.source)?,
                    tag,
                    count: self.value(&a.count, &b.count),
                    datatype: self.value(&a.datatype, &b.datatype),
                    buffer: self.value(&a.buffer, &b.buffer),
                    status: self.value(&a.status, &b.status),
                    ..a.clone()
                })
            }
            (Status::Collective(a), Status::Collective(b)) => {
                if a.site != b.site || a.operation != b.operation || a.communicator != b.communicator {
                    return None;
                }
                let root = match (&a.root, &b.root) {
                    (Some(x), Some(y)) => Some(self.linear(x, y)?),
                    _ => None,
                };
                Status::Collective(CollectiveCall {
                    root,
                    result: self.value(&a.result, &b.result),
                    count: self.value(&a.count, &b.count),
                    datatype: self.value(&a.datatype, &b.datatype),
                    new_communicator: match (&a.new_communicator, &b.new_communicator) {
                        (Some(x), Some(y)) => Some(self.value(x, y)),
                        _ => None,
                    },
                    ..a.clone()
                })
            }
            _ => return None,
        })
    }
}

/// Merging of two neighbouring sets of one state: what holds on the members of both.
struct Alike<'a> {
    facts: &'a Constraints,
    a: &'a Range,
    b: &'a Range,
}

impl Alike<'_> {
    /// An expression over the rank that has the value `x` on the members of `a` and `y` on those of `b`.
    fn linear(&self, x: &Linear, y: &Linear) -> Option<Linear> {
        let holds = |candidate: &Linear, value: &Linear, ranks: &Range| {
            if candidate == value {
                return true;
            }
            let Some(difference) = candidate.sub(value) else { return false };
            let difference = match ranks.as_single(self.facts) {
                Some(only) => difference.substitute(Symbol::RANK, only),
                None => Some(difference),
            };
            difference.is_some_and(|d| {
                d.coefficient(Symbol::RANK) == 0 && self.facts.eq(&d, &Linear::zero()) == lattice::Truth::Yes
            })
        };
        let relative = |value: &Linear, ranks: &Range| {
            Linear::rank()
                .add(value)?
                .sub(ranks.as_single(self.facts)?)
                .filter(|_| value.coefficient(Symbol::RANK) == 0)
        };
        [Some(x.clone()), Some(y.clone()), relative(x, self.a)]
            .into_iter()
            .flatten()
            .find(|candidate| holds(candidate, x, self.a) && holds(candidate, y, self.b))
    }

    fn value(&self, x: &Value, y: &Value) -> Option<Value> {
        match (x, y) {
            (Value::Int(x), Value::Int(y)) => self.linear(x, y).map(Value::Int),
            (Value::Address(o, x), Value::Address(p, y)) if o == p => {
                self.linear(x, y).map(|offset| Value::Address(*o, offset))
            }
            (x, y) if x == y => Some(x.clone()),
            _ => None,
        }
    }

    fn memory(&self, a: &Memory, b: &Memory, engine: &Engine<'_>) -> Option<Memory> {
        let mut memory = Memory::default();
        for (&object, x) in a.objects.iter() {
            let y = b.objects.get(&object)?;
            if x == y {
                memory.insert(object, x.clone());
                continue;
            }
            if x.background != y.background {
                return None;
            }
            let mut content = Content::new(x.background);
            content.summary = x.summary || y.summary;
            let offsets = x.cells.iter().chain(&y.cells).map(|(&offset, &(size, _))| (offset, size));
            for (offset, size) in offsets.collect::<std::collections::BTreeSet<_>>() {
                let (x, y) = (x.read(offset, size), y.read(offset, size));
                let value = match self.value(&x, &y) {
                    Some(value) => value,
                    // Data that nobody can name differs; nothing is lost by saying so.
                    None if engine.is_opaque(&x) && engine.is_opaque(&y) => Value::Unknown,
                    None => return None,
                };
                content.write(offset, size, value);
            }
            memory.insert(object, content);
        }
        Some(memory)
    }

    fn status(&self, a: &Status, b: &Status) -> Option<Status> {
        Some(match (a, b) {
            (Status::Ready, Status::Ready) => Status::Ready,
            (Status::Done, Status::Done) => Status::Done,
            (Status::Receiving(x), Status::Receiving(y)) if x.communicator == y.communicator => {
                let tag = match (&x.tag, &y.tag) {
                    (None, None) => None,
                    (Some(x), Some(y)) => Some(self.value(x, y)?),
                    _ => return None,
                };
                Status::Receiving(Incoming {
                    source: self.linear(&x.source, &y.source)?,
                    tag,
                    count: self.value(&x.count, &y.count)?,
                    datatype: self.value(&x.datatype, &y.datatype)?,
                    buffer: self.value(&x.buffer, &y.buffer)?,
                    status: self.value(&x.status, &y.status)?,
                    ..x.clone()
                })
            }
            (Status::Sending(x), Status::Sending(y))
                if x.envelope.communicator == y.envelope.communicator && x.synchronous == y.synchronous =>
            {
                let payload = self.value(&x.envelope.payload, &y.envelope.payload).unwrap_or(Value::Unknown);
                Status::Sending(Outgoing {
                    dest: self.linear(&x.dest, &y.dest)?,
                    synchronous: x.synchronous,
                    envelope: Envelope {
                        tag: self.value(&x.envelope.tag, &y.envelope.tag)?,
                        count: self.value(&x.envelope.count, &y.envelope.count)?,
                        datatype: self.value(&x.envelope.datatype, &y.envelope.datatype)?,
                        payload,
                        ..x.envelope.clone()
                    },
                })
            }
            (Status::Collective(x), Status::Collective(y)) => {
                let root = match (&x.root, &y.root) {
                    (None, None) => None,
                    (Some(x), Some(y)) => Some(self.linear(x, y)?),
                    _ => return None,
                };
                let same = x.communicator == y.communicator && x.new_communicator == y.new_communicator;
                same.then(|| {
                    Some(Status::Collective(CollectiveCall {
                        root,
                        result: self.value(&x.result, &y.result)?,
                        count: self.value(&x.count, &y.count)?,
                        datatype: self.value(&x.datatype, &y.datatype)?,
                        ..x.clone()
                    }))
                })??
            }
            _ => return None,
        })
    }
}
