//! Buffers of operations under way: whoever touches one before the operation is complete races with it (MPI-4.1 section 3.7.2: what is
//! sent may be read, what is received may not be accessed at all).

use std::rc::Rc;

use frontend::ir::{Expr, ExprKind, Place, PlaceBase, Projection, Span};
use frontend::mpi::{Class, CollectiveOp, Direction, Role, Scale};
use lattice::{Constraints, Linear, Ranks, Truth};

use super::super::{At, Step};
use super::accesses::{Seen, place_in_allocated, start_of};
use super::lives::{Kind, Life, Lives, Stage};
use super::{Lifecycles, operation};
use crate::engine::environment::{self, Use};
use crate::engine::join::Join;
use crate::engine::library;
use crate::engine::memory::{ObjectId, ObjectKind};
use crate::engine::mpi::{Call, type_size};
use crate::engine::state::address;
use crate::engine::value::Value;
use crate::rules::Rule;

/// Bytes of an object that an operation or the program accesses, on each member of a set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) object: ObjectId,
    /// Over the member's rank.
    pub(super) offset: Linear,
    /// How many, at least.
    pub(super) bytes: Linear,
    pub(super) writes: bool,
}

impl Area {
    /// Whether another one begins in it on all members of a set.
    pub(super) fn holds(&self, other: &Self, ranks: &Ranks, facts: &Constraints) -> bool {
        let ends = || {
            let from = other.offset.sub(&self.offset)?;
            let (least, most) = (ranks.minimise(&from, facts)?, ranks.maximise(&from, facts)?);
            let room = ranks.minimise(&self.bytes, facts)?;
            let inside = facts.le(&Linear::zero(), &least) == Truth::Yes
                && facts.le(&most.offset(1)?, &room) == Truth::Yes;
            inside.then_some(())
        };
        self.object == other.object && ends().is_some()
    }

    /// Whether two share a byte on all members of a set.
    fn meets(&self, other: &Self, ranks: &Ranks, facts: &Constraints) -> bool {
        // Whether `a` is at most `b` on all of them.
        let at_most = |a: Option<Linear>, b: &Linear| {
            let difference = a.and_then(|a| a.sub(b));
            let most = difference.and_then(|difference| ranks.maximise(&difference, facts));
            most.is_some_and(|most| facts.le(&most, &Linear::zero()) == Truth::Yes)
        };
        let last = |area: &Self| area.offset.add(&area.bytes)?.offset(-1);
        let begins_in = |one: &Self, other: &Self| {
            last(other).is_some_and(|last| {
                at_most(Some(other.offset.clone()), &one.offset) && at_most(Some(one.offset.clone()), &last)
            })
        };
        self.object == other.object && (begins_in(self, other) || begins_in(other, self))
    }

    pub(super) fn generalise(a: &[Self], b: &[Self], join: &mut Join<'_>) -> Rc<[Self]> {
        let both = a.iter().zip(b).map(|(x, y)| {
            let same = x.object == y.object && x.writes == y.writes;
            let (offset, bytes) = (join.linear(&x.offset, &y.offset)?, join.linear(&x.bytes, &y.bytes)?);
            same.then_some(Self { offset, bytes, ..*x })
        });
        let both: Option<Vec<Self>> = both.collect();
        both.filter(|_| a.len() == b.len()).unwrap_or_default().into()
    }
}

/// What a call accesses for certain: of a collective, what the caller's part in it is.
pub(super) fn areas(at: &mut At<'_, '_, '_>, call: &Call<'_>) -> Vec<Area> {
    let mut areas = Vec::new();
    for buffer in call.mpi.buffers() {
        let start = call.at(Some(buffer.param)).and_then(|value| start_of(at, value));
        let Some((object, offset)) = start else { continue };
        let is_list = |index: Option<usize>| {
            index.and_then(|index| call.mpi.params.get(index)).is_some_and(frontend::mpi::Param::is_array)
        };
        if is_list(buffer.datatype) || is_list(buffer.count) {
            continue;
        }
        let count = match (buffer.scale, call.at(buffer.count)) {
            (Scale::Count | Scale::PerProcess, Some(Value::Int(count))) => count.clone(),
            (Scale::One, _) => 1.into(),
            (Scale::PerInNeighbor | Scale::PerOutNeighbor, Some(Value::Int(count))) => {
                match neighbours(at, call).and_then(|number| count.scale(number)) {
                    Some(count) => count,
                    None => continue,
                }
            }
            _ => continue,
        };
        let Some((first, bytes)) =
            call.at(buffer.datatype).and_then(|datatype| extent_of(at, datatype, &count))
        else {
            continue;
        };
        let root = is_root(at, call);
        if buffer.root_only && root != Some(true) {
            continue;
        }
        let is_broadcast = matches!(call.mpi.class, Class::Collective { operation: CollectiveOp::Bcast, .. });
        let writes = match buffer.direction {
            Direction::In => false,
            Direction::Out => true,
            // The root reads it; who is none writes it.
            Direction::InOut => !is_broadcast || root == Some(false),
        };
        let Some(offset) = offset.offset(first) else { continue };
        areas.push(Area { object, offset, bytes, writes });
    }
    areas
}

/// How many neighbours each process has, where that is the same number for all: in a grid that is closed in all directions.
fn neighbours(at: &At<'_, '_, '_>, call: &Call<'_>) -> Option<i64> {
    let communicator = at.scope.engine.communicator(call).ok()?;
    let grid = communicator.grid.as_ref()?;
    let is_closed = grid.periods.iter().all(|&closed| closed);
    i64::try_from(grid.dims.len()).ok()?.checked_mul(2).filter(|_| is_closed)
}

/// Where the first bytes of so many elements are, from the beginning of the buffer on, and how many these are at least.
fn extent_of(at: &At<'_, '_, '_>, datatype: &Value, count: &Linear) -> Option<(i64, Linear)> {
    if let Some(size) = type_size(datatype) {
        return Some((0, count.scale(i64::try_from(size).ok()?)?));
    }
    let least = at.scope.ranks.minimise(count, at.scope.facts)?;
    let any = at.scope.facts.le(&1.into(), &least) == Truth::Yes;
    at.scope.engine.first_run(datatype).filter(|_| any).map(|(first, bytes)| (first, bytes.into()))
}

/// Whether all members of a set are the root of a collective, or none is.
fn is_root(at: &At<'_, '_, '_>, call: &Call<'_>) -> Option<bool> {
    let world = call.value(Role::Communicator).and_then(Value::as_name) == Some("MPI_COMM_WORLD");
    let Value::Int(root) = call.value(Role::Root).filter(|_| world)? else { return None };
    let (ranks, facts) = (at.scope.ranks, &at.scope.facts);
    let root = ranks.settle(root, facts);
    let only = Ranks::from(lattice::Range::single(root));
    if ranks.within(&only, facts) {
        Some(true)
    } else if ranks.disjoint(&only, facts) {
        Some(false)
    } else {
        None
    }
}

impl Lifecycles {
    /// What a step of the program accesses, against the operations under way.
    pub(super) fn touch(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, step: &Step<'_>) {
        match step {
            Step::Assign { place, value } => {
                self.read(at, lives, value);
                self.locate(at, lives, place, true);
            }
            Step::Branch { condition, .. } => self.read(at, lives, condition),
            Step::Enter { args, .. } | Step::Passed { args, .. } => {
                args.iter().for_each(|arg| self.read(at, lives, arg));
            }
            Step::Return { value } => {
                value.iter().for_each(|value| self.read(at, lives, value));
                self.leave(at, lives);
            }
            Step::Library { name, args, values, .. } => {
                args.iter().for_each(|arg| self.read(at, lives, arg));
                self.library(at, lives, name, args, values);
            }
            Step::Mpi { call, .. } => {
                for area in areas(at, call) {
                    self.access(at, lives, &area, call.span, &format!("`{}`", call.mpi.name));
                }
            }
            Step::Opaque | Step::Skip { .. } => {}
        }
    }

    /// Accesses of an expression, as far as it is evaluated in any case.
    fn read(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => self.locate(at, lives, place, false),
            ExprKind::AddressOf(place) => self.parts(at, lives, place),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Conditional(a, ..) => {
                self.read(at, lives, a)
            }
            ExprKind::Binary(_, a, b) => {
                self.read(at, lives, a);
                self.read(at, lives, b);
            }
            _ => {}
        }
    }

    /// What is read to find a place.
    fn parts(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, place: &Place) {
        if let PlaceBase::Deref(pointer) = &place.base {
            self.read(at, lives, pointer);
        }
        for projection in &place.projections {
            if let Projection::Index(index) = projection {
                self.read(at, lives, index);
            }
        }
    }

    /// An access to a place.
    fn locate(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, place: &Place, writes: bool) {
        self.parts(at, lives, place);
        let Ok(location) = at.scope.locate(place) else { return };
        let Some(location) = location.or_else(|| place_in_allocated(at, place)) else { return };
        let size = at.scope.size_of(place.ty).and_then(|size| i64::try_from(size).ok());
        let (Some(offset), Some(size)) = (location.offset, size) else { return };
        let area = Area { object: location.object, offset, bytes: size.into(), writes };
        let what = if writes { "this writes" } else { "this reads" };
        self.access(at, lives, &area, place.span, what);
    }

    /// What a function of the C library accesses behind its arguments.
    fn library(
        &mut self,
        at: &mut At<'_, '_, '_>,
        lives: &mut Lives,
        name: &str,
        args: &[Expr],
        values: &[Value],
    ) {
        let model = environment::model(name);
        let reads = library::leaves_memory_alone(name);
        for (index, (arg, value)) in args.iter().zip(values).enumerate() {
            let Some((object, offset)) = address(value) else { continue };
            if name == "free" {
                self.gone(at, lives, |_, ended| ended == object, arg.span, "this frees");
                continue;
            }
            let writes = match model.map(|model| model.uses(index)) {
                Some(Use::Read) => false,
                Some(Use::Write | Use::Update) => true,
                None if reads => false,
                _ => continue,
            };
            let area = Area { object, offset: offset.clone(), bytes: 1.into(), writes };
            self.access(at, lives, &area, arg.span, &format!("`{name}`"));
        }
    }

    /// The variables of a function that returns are no more.
    fn leave(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives) {
        // At the end of `main` it is told that nobody has waited for the operation.
        if at.frames.len() < 2 {
            return;
        }
        let own = (at.scope.context, at.scope.function);
        let ends = |at: &At<'_, '_, '_>, object: ObjectId| {
            let kind = at.scope.engine.objects.kind(object);
            matches!(kind, ObjectKind::Local(context, function, _) if (*context, *function) == own)
        };
        self.gone(at, lives, ends, at.span, "this return ends");
    }

    /// Objects that are no more, against the operations under way.
    fn gone(
        &mut self,
        at: &At<'_, '_, '_>,
        lives: &mut Lives,
        ends: impl Fn(&At<'_, '_, '_>, ObjectId) -> bool,
        span: Span,
        who: &str,
    ) {
        let ended = {
            let mut areas =
                lives.iter().filter(|life| life.is_under_way()).flat_map(|life| life.areas.iter());
            areas.find(|area| ends(at, area.object)).cloned()
        };
        if let Some(area) = ended {
            self.access(at, lives, &Area { writes: true, ..area }, span, who);
        }
    }

    /// Notes operations under way that an access races with.
    pub(super) fn access(
        &mut self,
        at: &At<'_, '_, '_>,
        lives: &mut Lives,
        area: &Area,
        span: Span,
        who: &str,
    ) {
        if at.scope.memory.get(area.object).is_some_and(|content| content.summary) {
            return;
        }
        let is_memory = |life: &Life| {
            matches!(life.stage, Stage::Window(_))
                && life.areas.iter().any(|memory| memory.object == area.object)
        };
        if lives.iter().any(is_memory) {
            self.seen.push(Seen { area: area.clone(), span, who: who.to_owned() });
        }
        let conflicts =
            |other: &Area| (area.writes || other.writes) && area.meets(other, at.scope.ranks, at.scope.facts);
        let met = lives.iter().filter(|life| life.is_under_way()).find_map(|life| {
            let other = life.areas.iter().find(|other| conflicts(other))?;
            let members = life.members(at.scope.ranks, at.scope.facts)?;
            Some((life.clone(), other.writes, members))
        });
        let Some((life, other_writes, members)) = met else { return };
        let (since, rule) = match life.stage {
            Stage::Active { since, .. } => (since, Rule::BufferRace),
            _ if matches!(life.kind, Kind::Split | Kind::Detached) => (life.made, Rule::BufferRace),
            _ => (life.made, Rule::RmaRace),
        };
        let name = operation(at, life.made);
        let does = if other_writes { "write" } else { "read" };
        let touches = match (who.starts_with('`'), area.writes) {
            (true, true) => format!("{who} writes"),
            (true, false) => format!("{who} reads"),
            _ => who.to_owned(),
        };
        let message = format!("{touches} a buffer that `{name}` may still {does}");
        let note = self.note(at, rule, span, &members, message);
        note.related.push((since, "the operation is started here, and not complete yet".to_owned()));
        // What comes after that has the same cause.
        lives.iter_mut().filter(|other| **other == life).for_each(|life| life.areas = Rc::default());
    }

    /// The buffers of a persistent operation that is started, against those under way.
    pub(super) fn touch_again(&mut self, at: &At<'_, '_, '_>, lives: &mut Lives, life: &Life, span: Span) {
        // Partitions are accessed one by one, later.
        for area in life.areas.iter().filter(|_| life.partitions.is_none()) {
            self.access(at, lives, area, span, &format!("`{}`", operation(at, life.made)));
        }
    }
}
