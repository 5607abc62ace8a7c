//! Partitioned communication (MPI-4.1 chapter 4): which partitions of an operation were made ready since it was started.

use std::collections::BTreeSet;
use std::rc::Rc;

use frontend::mpi::{Class, Object, PartitionSet, Role};
use lattice::{Linear, Truth};

use super::super::At;
use super::buffers::Area;
use super::lives::{Life, Lives, Slot, Stage};
use super::{Lifecycles, operation, read_flag, slot};
use crate::engine::eval::Location;
use crate::engine::mpi::{Call, type_size};
use crate::engine::state::address;
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
    /// Those that were made ready since the operation was started, or of a receive those that were asked for; `None` where that is not
    /// known.
    pub(super) ready: Option<Rc<BTreeSet<i64>>>,
    /// Those that were asked for last, and the flag that says whether they have come.
    asked: Option<(Slot, Rc<[i64]>)>,
    /// The first one, where it is known.
    first: Option<Area>,
}

impl Partitions {
    /// Those of the operation that a call describes; `None` for one that has none.
    pub(super) fn of(at: &At<'_, '_, '_>, call: &Call<'_>) -> Option<Self> {
        let number = call.value(Role::PartitionCount)?;
        let count = number.as_int().and_then(|number| at.scope.facts.constant(number));
        let sends = matches!(call.mpi.class, Class::Send { .. });
        let first = || {
            let buffer = call.mpi.buffers().next()?;
            let (object, offset) = address(call.at(Some(buffer.param))?)?;
            let size = type_size(call.at(buffer.datatype)?).and_then(|size| i64::try_from(size).ok())?;
            let bytes = call.at(buffer.count)?.as_int()?.scale(size)?;
            Some(Area { object, offset: offset.clone(), bytes, writes: !sends })
        };
        Some(Self { sends, count, ready: Some(Rc::default()), asked: None, first: first() })
    }

    /// What is known where one of two may be the case.
    pub(super) fn either(a: Option<&Self>, b: Option<&Self>) -> Option<Self> {
        let (a, b) = (a?, b?);
        let is_same = a.ready == b.ready && a.asked == b.asked;
        let ready = if is_same { a.ready.clone() } else { None };
        let asked = a.asked.clone().filter(|_| is_same);
        let first = a.first.clone().filter(|_| a.first == b.first);
        Some(Self { sends: a.sends, count: a.count.filter(|_| a.count == b.count), ready, asked, first })
    }

    /// Whether it is to be found out what a flag says.
    pub(super) fn is_open(&self) -> bool {
        self.asked.is_some()
    }

    /// What the operation may access: of a send what is ready, of a receive what nobody has asked for.
    fn areas(&self) -> Option<Vec<Area>> {
        let (first, ready) = (self.first.as_ref()?, self.ready.as_ref()?);
        let numbers: Vec<i64> = if self.sends {
            ready.iter().copied().collect()
        } else {
            (0..self.count.filter(|&count| count <= LISTED)?)
                .filter(|number| !ready.contains(number))
                .collect()
        };
        numbers
            .into_iter()
            .map(|number| {
                let offset = first.offset.add(&first.bytes.scale(number)?)?;
                Some(Area { offset, ..first.clone() })
            })
            .collect()
    }
}

/// What a call names as partitions.
struct Named {
    /// The numbers, where all are known.
    numbers: Option<Vec<i64>>,
    /// The least and the greatest.
    ends: Vec<Linear>,
}

impl Life {
    /// A partitioned operation is started.
    pub(super) fn begin_partitions(&mut self) {
        if let Some(partitions) = &mut self.partitions {
            partitions.ready = Some(Rc::default());
            self.touch_partitions();
        }
    }

    /// Finds out what a partitioned operation may access.
    fn touch_partitions(&mut self) {
        if let Some(partitions) = &self.partitions {
            self.areas = partitions.areas().unwrap_or_default().into();
        }
    }
}

/// Finds out whether partitions have come that were asked for: those may be used from then on, and those of which that is not known.
pub(super) fn settle(at: &mut At<'_, '_, '_>, lives: &mut Lives) {
    let is_open = |life: &Life| life.partitions.as_ref().is_some_and(Partitions::is_open);
    if !lives.iter().any(is_open) {
        return;
    }
    for life in lives.iter_mut().filter(|life| is_open(life)) {
        let Some(partitions) = &mut life.partitions else { continue };
        let Some((flag, numbers)) = partitions.asked.take() else { continue };
        if read_flag(at, flag) == Some(false) {
            continue;
        }
        if let Some(ready) = &mut partitions.ready {
            Rc::make_mut(ready).extend(numbers.iter());
        }
        life.touch_partitions();
    }
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
            life.touch_partitions();
        }
    }

    /// Asks whether a partition has come.
    pub(super) fn ask_arrival(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>) {
        let Some(place) = request(at, call) else { return lose_ready(lives) };
        let named = named(at, call, PartitionSet::One);
        let flag = slot(at, call, call.mpi.param_with_role(Role::Flag));
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
        for life in lives.iter_mut().filter(|life| is_at(life, place)) {
            let Some(partitions) = life.partitions.as_mut().filter(|partitions| !partitions.sends) else {
                continue;
            };
            match (&named.numbers, flag) {
                (Some(numbers), Some(flag)) => partitions.asked = Some((flag, numbers.as_slice().into())),
                _ => partitions.ready = None,
            }
            life.touch_partitions();
        }
    }

    /// A wait for an operation all partitions of which must have been made ready.
    pub(super) fn wait_for_partitions(&mut self, at: &mut At<'_, '_, '_>, life: &Life, call: &Call<'_>) {
        let Some(Partitions { sends: true, count: Some(count), ready: Some(ready), .. }) = &life.partitions
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
    for life in lives.iter_mut().filter(|life| life.partitions.is_some()) {
        if let Some(partitions) = &mut life.partitions {
            partitions.ready = None;
        }
        life.touch_partitions();
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
