//! Partitioned communication (MPI-4.1 chapter 4): which partitions of an operation were made ready since it was started.

use std::collections::BTreeSet;
use std::rc::Rc;

use frontend::mpi::{Class, Object, PartitionSet, Role};
use lattice::{Linear, Truth};

use super::super::At;
use super::lives::{Life, Lives, Slot, Stage};
use super::{Lifecycles, operation};
use crate::engine::eval::Location;
use crate::engine::mpi::Call;
use crate::engine::value::Value;
use crate::rules::Rule;

/// Partitions of one call that are followed one by one.
const LISTED: i64 = 256;

/// The partitions of an operation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Partitions {
    pub(super) sends: bool,
    /// How many there are, where that is a number.
    pub(super) count: Option<i64>,
    /// Those that were made ready since the operation was started; `None` where that is not known.
    pub(super) ready: Option<Rc<BTreeSet<i64>>>,
}

impl Partitions {
    /// Those of the operation that a call describes; `None` for one that has none.
    pub(super) fn of(at: &At<'_, '_, '_>, call: &Call<'_>) -> Option<Self> {
        let number = call.value(Role::PartitionCount)?;
        let count = number.as_int().and_then(|number| at.scope.facts.constant(number));
        let sends = matches!(call.mpi.class, Class::Send { .. });
        Some(Self { sends, count, ready: Some(Rc::default()) })
    }

    /// What is known where one of two may be the case.
    pub(super) fn either(a: Option<&Self>, b: Option<&Self>) -> Option<Self> {
        let (a, b) = (a?, b?);
        let ready = if a.ready == b.ready { a.ready.clone() } else { None };
        Some(Self { sends: a.sends, count: a.count.filter(|_| a.count == b.count), ready })
    }
}

/// What a call names as partitions.
struct Named {
    /// The numbers, where all are known.
    numbers: Option<Vec<i64>>,
    /// The least and the greatest.
    ends: Vec<Linear>,
}

impl Lifecycles {
    /// Makes partitions ready.
    pub(super) fn make_ready(
        &mut self,
        at: &mut At<'_, '_, '_>,
        lives: &mut Lives,
        call: &Call<'_>,
        which: PartitionSet,
    ) {
        let Some(place) = request(at, call) else { return lose_ready(lives) };
        let named = named(at, call, which);
        let mut is_misused = false;
        let known: Vec<Life> = lives.iter().filter(|life| is_at(life, place)).cloned().collect();
        for life in &known {
            let message = match (&life.partitions, life.stage) {
                (None, _) => Some(format!("the request of `{}` has no partitions", operation(at, life.made))),
                (Some(Partitions { sends: false, .. }), _) => Some(format!(
                    "the request of `{}` receives; only partitions of a send are made ready",
                    operation(at, life.made)
                )),
                (Some(_), Stage::Inactive { .. }) => Some(format!(
                    "a partition is made ready before the operation of `{}` is started",
                    operation(at, life.made)
                )),
                (Some(partitions), _) => beyond(at, partitions, &named).or_else(|| again(partitions, &named)),
            };
            is_misused |= message.is_some();
            self.misuse(at, life, call, message);
        }
        if is_misused {
            // What is missing for that is told already.
            return lose_ready(lives);
        }
        for life in lives.iter_mut().filter(|life| is_at(life, place)) {
            let is_active = matches!(life.stage, Stage::Active { .. });
            let Some(partitions) = life.partitions.as_mut().filter(|_| is_active) else { continue };
            partitions.ready = match (&named.numbers, partitions.ready.take()) {
                (Some(numbers), Some(mut ready)) => {
                    Rc::make_mut(&mut ready).extend(numbers);
                    Some(ready)
                }
                _ => None,
            };
        }
    }

    /// Asks whether a partition has come.
    pub(super) fn ask_arrival(&mut self, at: &mut At<'_, '_, '_>, lives: &Lives, call: &Call<'_>) {
        let Some(place) = request(at, call) else { return };
        let named = named(at, call, PartitionSet::One);
        let known: Vec<Life> = lives.iter().filter(|life| is_at(life, place)).cloned().collect();
        for life in &known {
            let name = operation(at, life.made);
            let message = match &life.partitions {
                None => Some(format!("the request of `{name}` has no partitions")),
                Some(Partitions { sends: true, .. }) => {
                    Some(format!("the request of `{name}` sends; partitions arrive at a receive"))
                }
                Some(partitions) => beyond(at, partitions, &named),
            };
            self.misuse(at, life, call, message);
        }
    }

    /// A wait for an operation all partitions of which must have been made ready.
    pub(super) fn wait_for_partitions(&mut self, at: &mut At<'_, '_, '_>, life: &Life, call: &Call<'_>) {
        let Some(Partitions { sends: true, count: Some(count), ready: Some(ready) }) = &life.partitions
        else {
            return;
        };
        let missing = (0..*count).find(|number| !ready.contains(number));
        let message = missing.filter(|_| matches!(life.stage, Stage::Active { .. })).map(|number| {
            let name = operation(at, life.made);
            format!("waits for the operation of `{name}`, of which partition {number} is never made ready")
        });
        self.misuse(at, life, call, message);
    }

    fn misuse(&mut self, at: &At<'_, '_, '_>, life: &Life, call: &Call<'_>, message: Option<String>) {
        let Some((message, members)) = message.zip(life.members(at.scope.ranks, at.scope.facts)) else {
            return;
        };
        let note = self.note(at, Rule::PartitionedMisuse, call.span, &members, message);
        note.related.push((life.made, "the request is made here".to_owned()));
    }
}

/// Which partitions are ready is not known any more.
fn lose_ready(lives: &mut Lives) {
    for partitions in lives.iter_mut().filter_map(|life| life.partitions.as_mut()) {
        partitions.ready = None;
    }
}

fn is_at(life: &Life, place: Slot) -> bool {
    life.kind == Object::Request
        && life.slot == place
        && matches!(life.stage, Stage::Active { .. } | Stage::Inactive { .. })
}

/// The request that a call is given by value.
fn request(at: &At<'_, '_, '_>, call: &Call<'_>) -> Option<Slot> {
    match call.at(call.mpi.param_with_role(Role::Request))? {
        Value::Address(object, offset) => Some((*object, at.scope.facts.constant(offset)?)),
        _ => None,
    }
}

fn named(at: &mut At<'_, '_, '_>, call: &Call<'_>, which: PartitionSet) -> Named {
    let given: Vec<Value> = match which {
        PartitionSet::One | PartitionSet::Range => {
            let given = call.mpi.params_with_role(Role::Partition);
            given.map(|(index, _)| call.at(Some(index)).cloned().unwrap_or(Value::Unknown)).collect()
        }
        PartitionSet::List => listed(at, call),
    };
    let ends: Vec<Linear> = given.iter().filter_map(Value::as_int).cloned().collect();
    let numbers: Option<Vec<i64>> =
        given.iter().map(|value| value.as_int().and_then(|number| at.scope.facts.constant(number))).collect();
    let numbers = match (which, numbers) {
        (PartitionSet::Range, Some(ends)) => match ends[..] {
            [low, high] if high.saturating_sub(low) < LISTED => Some((low..=high).collect()),
            _ => None,
        },
        (_, numbers) => numbers,
    };
    Named { numbers, ends }
}

/// The elements of the array that a call is given; one that is not known where they are not.
fn listed(at: &mut At<'_, '_, '_>, call: &Call<'_>) -> Vec<Value> {
    let unknown = vec![Value::Unknown];
    let length = call.at(call.mpi.param_with_role(Role::ArrayLength)).and_then(Value::as_int);
    let length = length.and_then(|length| at.scope.facts.constant(length));
    let array = call.at(call.mpi.param_with_role(Role::Partition)).and_then(crate::engine::state::address);
    let (Some(length), Some((object, offset))) = (length.filter(|&n| n <= LISTED), array) else {
        return unknown;
    };
    let Some(first) = at.scope.facts.constant(offset) else { return unknown };
    (0..length)
        .map(|index| {
            let offset = first.checked_add(4 * index).map(Linear::from);
            at.scope.read_sized(&Location { object, offset }, 4)
        })
        .collect()
}

/// Says that there is no such partition.
fn beyond(at: &At<'_, '_, '_>, partitions: &Partitions, named: &Named) -> Option<String> {
    let count = partitions.count?;
    let facts = &at.scope.facts;
    let holds = |violation: Option<Linear>| {
        violation.is_some_and(|violation| facts.le(&violation, &Linear::zero()) == Truth::Yes)
    };
    named.ends.iter().find_map(|number| {
        let most = at.scope.ranks.maximise(number, facts)?;
        let least = at.scope.ranks.minimise(number, facts)?;
        let is_beyond = holds(Linear::from(count).sub(&most)) || holds(least.offset(1));
        let text = at.scope.engine.symbols.display(number)?;
        is_beyond.then(|| format!("there is no partition {text}: there are {count}, numbered from 0"))
    })
}

/// Says that a partition is ready already.
fn again(partitions: &Partitions, named: &Named) -> Option<String> {
    let ready = partitions.ready.as_ref()?;
    let number = named.numbers.as_ref()?.iter().find(|number| ready.contains(number))?;
    Some(format!("partition {number} is made ready a second time"))
}
