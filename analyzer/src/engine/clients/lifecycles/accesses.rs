//! Accesses to memory of windows, by one-sided operations and by the program itself: kept until all processes have met, to be compared
//! with those of other processes ([`super::conflicts`]).

use std::rc::Rc;
use std::sync::Arc;

use frontend::ir::{BinaryOp, ExprKind, Place, PlaceBase, Span};
use frontend::mpi::{
    Class, Completion, FilePhase, Function, Object, RmaOp, RmaSync, Role, Scope, WinConstructor,
};
use lattice::{Constraints, Linear, Ranks, Symbol, Truth};

use super::super::{At, Step};
use super::Lifecycles;
use super::buffers::Area;
use super::epochs::{Far, same};
use super::exposures::Partners;
use super::lent::Lent;
use super::lives::{Kind, Life, Lives, Stage};
use crate::engine::eval::Location;
use crate::engine::functions::is_silent;
use crate::engine::join::Join;
use crate::engine::memory::{ObjectId, ObjectKind};
use crate::engine::mpi::{Call, Partner, type_size};
use crate::engine::state::{SiteId, address};
use crate::engine::value::Value;
use crate::engine::windows::{is_memory_name, memory_name};

/// Accesses of the program itself that are kept of one set.
const LOCALS: usize = 16;

/// What is known of a life besides its stage.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Detail {
    /// Of a window.
    Window(Home),
    /// Of an operation, or of what the program does itself.
    Access(Access),
    /// Of an epoch with partners.
    Partners(Partners),
    /// Of memory for buffered sends.
    Lent(Lent),
}

/// A window as the processes that give memory to it have made it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Home {
    /// How much there is, over the member's rank.
    pub(super) bytes: Option<Linear>,
    /// Unit of displacements.
    pub(super) unit: Option<Linear>,
    /// Calls of `MPI_Win_start` since all processes met; 2 for more than one.
    pub(super) starts: u8,
    /// The same of `MPI_Win_post`.
    pub(super) posts: u8,
    /// There may have been others than those that are known.
    pub(super) partial: bool,
}

/// In which epoch memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// By an operation between two fences.
    Fence,
    /// By an operation between a start and a complete.
    Start,
    /// Under a lock that others may hold too.
    Shared,
    /// Under a lock that nobody else holds.
    Exclusive,
    /// By the program, between a post and a wait.
    Posted,
    /// By the program, in no epoch of its own.
    Plain,
}

/// An access to a window's memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Access {
    /// `None`: by the program itself, or by a call for which this is mere memory.
    pub(super) how: Option<RmaOp>,
    pub(super) writes: bool,
    pub(super) mode: Mode,
    /// Rank in `MPI_COMM_WORLD` of whom the memory belongs to. This and what follows is over the member's rank.
    pub(super) target: Linear,
    /// In units of the window; of the program's accesses, in bytes.
    pub(super) displacement: Linear,
    /// How many, at least; only where they lie side by side.
    pub(super) bytes: Option<Linear>,
    /// One past the last one, from the displacement on.
    pub(super) reach: Option<Linear>,
    /// The operation and the basic type of an accumulate.
    pub(super) combines: Option<(Arc<str>, Arc<str>)>,
    /// Something that others have done may have come before it.
    pub(super) ordered: bool,
    /// Others may know that it is over.
    pub(super) spent: bool,
    /// The process has synchronised the window since then; of accesses of the program itself.
    pub(super) synchronised: bool,
}

/// An access of the program as it is met.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) area: Area,
    pub(super) span: Span,
    pub(super) who: String,
}

impl Detail {
    pub(super) fn generalise(
        a: Option<&Rc<Self>>,
        b: Option<&Rc<Self>>,
        join: &mut Join<'_>,
    ) -> Option<Rc<Self>> {
        let (a, b) = (&**a?, &**b?);
        if let (Self::Lent(x), Self::Lent(y)) = (a, b) {
            return Lent::generalise(x, y, join).map(Self::Lent).map(Rc::new);
        }
        let mut optional = |x: &Option<Linear>, y: &Option<Linear>| join.linear(x.as_ref()?, y.as_ref()?);
        let both = match (a, b) {
            (Self::Window(x), Self::Window(y)) => Self::Window(Home {
                bytes: optional(&x.bytes, &y.bytes),
                unit: optional(&x.unit, &y.unit),
                starts: if x.starts == y.starts { x.starts } else { 2 },
                posts: if x.posts == y.posts { x.posts } else { 2 },
                partial: x.partial || y.partial,
            }),
            (Self::Access(x), Self::Access(y)) => {
                let alike = x.how == y.how
                    && x.writes == y.writes
                    && x.mode == y.mode
                    && x.combines == y.combines
                    && x.bytes.is_some() == y.bytes.is_some();
                if !alike {
                    return None;
                }
                let (bytes, reach) = (optional(&x.bytes, &y.bytes), optional(&x.reach, &y.reach));
                let target = join.linear(&x.target, &y.target)?;
                let displacement = join.linear(&x.displacement, &y.displacement)?;
                let (ordered, spent) = (x.ordered || y.ordered, x.spent || y.spent);
                let synchronised = x.synchronised || y.synchronised;
                Self::Access(Access {
                    target,
                    displacement,
                    bytes,
                    reach,
                    ordered,
                    spent,
                    synchronised,
                    ..x.clone()
                })
            }
            (x @ Self::Partners(_), y) if x == y => x.clone(),
            _ => return None,
        };
        Some(Rc::new(both))
    }
}

impl Life {
    pub(super) fn access(&self) -> Option<&Access> {
        match self.detail.as_deref()? {
            Detail::Access(access) => Some(access),
            _ => None,
        }
    }

    pub(super) fn home(&self) -> Option<&Home> {
        match self.detail.as_deref()? {
            Detail::Window(home) => Some(home),
            _ => None,
        }
    }

    /// Changes what is known of a window.
    pub(super) fn change_home(&mut self, change: impl FnOnce(&mut Home)) {
        if let Some(Detail::Window(home)) = self.detail.as_mut().map(Rc::make_mut) {
            change(home);
        }
    }
}

impl Lives {
    /// Others may learn now that what is over is over.
    fn spend(&mut self) {
        let is_over = |life: &Life| {
            life.stage == Stage::Done
                && life.access().is_some_and(|a| !a.spent && !matches!(a.mode, Mode::Start | Mode::Posted))
        };
        if !self.iter().any(is_over) {
            return;
        }
        for life in self.iter_mut().filter(|life| is_over(life)) {
            if let Some(Detail::Access(access)) = life.detail.as_mut().map(Rc::make_mut) {
                access.spent = true;
            }
        }
    }

    fn has_windows(&self) -> bool {
        self.iter().any(|life| life.kind == Object::Window)
    }
}

/// An expression over the member's rank alone; `None` where it has another digit of the rank in it.
pub(super) fn over_rank(ranks: &Ranks, facts: &Constraints, expression: &Linear) -> Option<Linear> {
    let value = ranks.over_rank(expression, facts)?;
    let is_over_rank = value.symbols().all(|symbol| symbol == Symbol::RANK || !symbol.is_own());
    is_over_rank.then_some(value)
}

/// What a call that makes a window says of the memory that the caller gives: where it is, and how it is addressed.
pub(super) fn given_memory(at: &mut At<'_, '_, '_>, call: &Call<'_>, site: SiteId) -> (Option<Area>, Home) {
    let (ranks, facts) = (at.scope.ranks, &at.scope.facts);
    let number = |role: Role| over_rank(ranks, facts, call.value(role)?.as_int()?);
    let (bytes, unit) = (number(Role::ByteSize), number(Role::DisplacementUnit));
    let base = call.at(call.mpi.param_with_role(Role::WindowMemory)).and_then(address);
    let base = base.map(|(object, offset)| (object, offset.clone()));
    let base = match call.mpi.class {
        Class::WinConstructor(WinConstructor::Allocate) => Some((allocated(at, memory_name(site)), 0.into())),
        _ => base,
    };
    let area = base.zip(bytes.clone());
    let area = area.map(|((object, offset), bytes)| Area { object, offset, bytes, writes: true });
    (area, Home { bytes, unit, starts: 0, posts: 0, partial: false })
}

/// What stands for memory that MPI has allocated for a window, of which only the address has a name.
fn allocated(at: &mut At<'_, '_, '_>, name: Arc<str>) -> ObjectId {
    at.scope.engine.objects.object(ObjectKind::Literal(name))
}

/// Where the memory that a value is the address of begins.
pub(super) fn start_of(at: &mut At<'_, '_, '_>, value: &Value) -> Option<(ObjectId, Linear)> {
    match value {
        Value::Address(object, offset) => Some((*object, offset.clone())),
        Value::Name(name) if is_memory_name(name) => Some((allocated(at, Arc::clone(name)), 0.into())),
        _ => None,
    }
}

/// Where an element of such memory is, as a pointer that has the name of the address leads there.
pub(super) fn place_in_allocated(at: &mut At<'_, '_, '_>, place: &Place) -> Option<Location> {
    let PlaceBase::Deref(pointer) = &place.base else { return None };
    if !place.projections.is_empty() {
        return None;
    }
    let pointer = pointer.strip_casts();
    let (base, index) = match &pointer.kind {
        ExprKind::Binary(BinaryOp::Add, base, index) => (&**base, Some(index)),
        _ => (pointer, None),
    };
    let Ok(Value::Name(name)) = at.scope.eval(base) else { return None };
    if !is_memory_name(&name) {
        return None;
    }
    let size = i64::try_from(at.scope.size_of(place.ty)?).ok()?;
    let index = match index {
        Some(index) => at.scope.eval(index).ok()?.as_int()?.clone(),
        None => Linear::zero(),
    };
    Some(Location { object: allocated(at, name), offset: Some(index.scale(size)?) })
}

/// Whether a call may tell a process what others have done, or the other way round, other than by being one of all processes that
/// waits for all.
fn orders(mpi: &Function) -> bool {
    match mpi.class {
        Class::Rma { .. } => false,
        Class::RmaSync(how) => !matches!(
            how,
            RmaSync::Fence
                | RmaSync::Lock
                | RmaSync::LockAll
                | RmaSync::Unlock
                | RmaSync::UnlockAll
                | RmaSync::Flush
                | RmaSync::FlushAll
                | RmaSync::FlushLocal
                | RmaSync::FlushLocalAll
                | RmaSync::Sync
        ),
        Class::FileData { phase: FilePhase::Blocking, .. } if mpi.scope != Scope::Local => false,
        Class::FileData { .. } => true,
        _ if is_silent(mpi) => false,
        class => {
            mpi.scope == Scope::Local || class.completion().is_some_and(|how| how != Completion::Blocking)
        }
    }
}

/// Whether others may learn by a call what the process has done before: also by what it writes to a window, or gives to some of them
/// in a collective call before all have entered that.
fn tells(mpi: &Function) -> bool {
    let gives = mpi.is_collective() && mpi.buffers().next().is_some();
    orders(mpi) || gives || matches!(mpi.class, Class::Rma { .. })
}

impl Lifecycles {
    /// What a step tells of what others have done, before it accesses anything.
    pub(super) fn listen(&mut self, lives: &mut Lives, step: &Step<'_>) {
        if !lives.has_windows() {
            return;
        }
        let (tells, learns) = match step {
            Step::Mpi { call, .. } => (tells(call.mpi), orders(call.mpi)),
            Step::Branch { value, .. } => (false, lives.heard && !is_plain(value)),
            Step::Skip { .. } | Step::Passed { .. } | Step::Opaque => (true, true),
            _ => (false, false),
        };
        if tells {
            lives.spend();
        }
        lives.ordered |= learns;
    }

    /// Keeps what a step has been seen to access in memory of windows.
    pub(super) fn keep_seen(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, step: &Step<'_>) {
        let seen = std::mem::take(&mut self.seen);
        if !lives.has_windows() {
            return;
        }
        let by_call = match step {
            // It may access its buffers for longer than the call takes.
            Step::Mpi { call, .. } if call.mpi.request_made().is_some() => return,
            Step::Mpi { call, .. } => !matches!(call.mpi.class, Class::Rma { .. }),
            _ => false,
        };
        for seen in seen {
            lives.heard |= !seen.area.writes;
            self.keep(at, lives, &seen, by_call);
        }
        match step {
            Step::Mpi { call, .. } if call.mpi.class.sends() => lives.spend(),
            Step::Mpi { call, .. } if matches!(call.mpi.class, Class::Rma { .. }) => lives.heard = true,
            _ => {}
        }
    }

    fn keep(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, seen: &Seen, by_call: bool) {
        let (ranks, facts) = (at.scope.ranks, at.scope.facts.clone());
        let own = Linear::from(Symbol::RANK);
        let mut kept: Vec<Life> = Vec::new();
        for window in lives.iter().filter(|life| life.kind == Object::Window) {
            let (Stage::Window(epochs), Some(memory)) = (window.stage, window.areas.first()) else {
                continue;
            };
            if epochs.unknown || window.handle.is_none() || !memory.holds(&seen.area, ranks, &facts) {
                continue;
            }
            let Some(mode) = own_mode(lives, window, ranks, &facts) else { continue };
            let from = seen.area.offset.sub(&memory.offset);
            let Some(displacement) = from.and_then(|from| over_rank(ranks, &facts, &from)) else { continue };
            let Some(bytes) = over_rank(ranks, &facts, &seen.area.bytes) else { continue };
            let access = Access {
                how: None,
                writes: seen.area.writes,
                mode,
                target: own.clone(),
                displacement,
                bytes: Some(bytes),
                reach: None,
                combines: None,
                ordered: lives.ordered || by_call,
                spent: false,
                synchronised: false,
            };
            let made = at.scope.engine.site(at.scope.function, seen.span, &seen.who);
            kept.push(Life {
                handle: window.handle.clone(),
                detail: Some(Rc::new(Detail::Access(access))),
                who: window.who.clone(),
                ..Life::new(Kind::Local, window.slot, made, Stage::Done)
            });
        }
        for life in kept {
            let is_it = |other: &Life| {
                other.kind == Kind::Local
                    && other.made == life.made
                    && other.handle == life.handle
                    && other.who == life.who
                    && other.access().map(|a| a.writes) == life.access().map(|a| a.writes)
            };
            // What is done at one place of the program is kept once.
            lives.retain(|other| !(is_it(other) && other.access().is_some_and(|access| access.spent)));
            let number = lives.iter().filter(|other| other.kind == Kind::Local).count();
            if number < LOCALS && !lives.iter().any(is_it) {
                lives.add(life);
            }
        }
    }
}

/// Whether a value depends on the numbers of ranks only.
fn is_plain(value: &Value) -> bool {
    let by_rank = |symbol: Symbol| symbol == Symbol::NP || symbol.is_own();
    value.as_int().is_some_and(|value| value.symbols().all(by_rank))
}

/// In which epoch the program accesses its own part of a window; `None`: not known, or something orders it that is not followed.
fn own_mode(lives: &Lives, window: &Life, ranks: &Ranks, facts: &Constraints) -> Option<Mode> {
    let Stage::Window(epochs) = window.stage else { return None };
    let own = Linear::from(Symbol::RANK);
    let is_own = |lock: &&Far| same(lock.target.as_ref(), Some(&own), ranks, facts) == Some(true);
    let own_lock = window.far.iter().find(is_own);
    if has_other_lock(lives, own_lock) || (own_lock.is_none() && !window.far.is_empty()) {
        return None;
    }
    Some(match own_lock {
        Some(lock) if lock.exclusive => Mode::Exclusive,
        Some(_) => Mode::Shared,
        None if epochs.all.is_some() => Mode::Shared,
        None if epochs.post.is_some() => Mode::Posted,
        None => Mode::Plain,
    })
}

/// Whether a lock is held that nobody else can hold, besides this one: it may keep others away from more than it is of.
fn has_other_lock(lives: &Lives, this: Option<&Far>) -> bool {
    let windows = lives.iter().filter(|life| life.kind == Object::Window);
    windows.flat_map(|life| life.far.iter()).any(|lock| lock.exclusive && Some(lock) != this)
}

/// What an operation accesses at its target.
pub(super) fn access_of(
    at: &At<'_, '_, '_>,
    lives: &Lives,
    call: &Call<'_>,
    how: RmaOp,
    far: &Far,
) -> Option<Access> {
    let (ranks, facts) = (at.scope.ranks, &at.scope.facts);
    let there = call.mpi.target()?;
    let handle = call.at(Some(there.window))?;
    let Value::Comm(group) = handle else { return None };
    let mut windows =
        lives.iter().filter(|life| life.kind == Object::Window && life.handle.as_ref() == Some(handle));
    let window = windows.next()?;
    let Stage::Window(epochs) = window.stage else { return None };
    if windows.next().is_some() || epochs.unknown || window.members(ranks, facts).as_ref() != Some(ranks) {
        return None;
    }
    let Ok(Partner::Rank(rank)) = call.partner(Some(there.rank)) else { return None };
    let is_it = |lock: &&Far| same(lock.target.as_ref(), Some(&rank), ranks, facts) == Some(true);
    let lock = window.far.iter().find(is_it);
    if has_other_lock(lives, lock) || (lock.is_none() && !window.far.is_empty()) {
        return None;
    }
    let mode = match lock {
        Some(lock) if lock.exclusive => Mode::Exclusive,
        Some(_) => Mode::Shared,
        None if epochs.all.is_some() => Mode::Shared,
        None if epochs.start.is_some() => Mode::Start,
        None if epochs.is_fenced() => Mode::Fence,
        None => return None,
    };
    let count: Linear = match there.count {
        Some(index) => call.at(Some(index))?.as_int()?.clone(),
        None => 1.into(),
    };
    if facts.le(&1.into(), &ranks.minimise(&count, facts)?) != Truth::Yes {
        return None;
    }
    let datatype = call.at(Some(there.datatype))?;
    let size = type_size(datatype).and_then(|size| i64::try_from(size).ok());
    // A datatype that is not the same one on all processes may be of other bytes on each of them.
    if size.is_none() && at.scope.engine.bounds(datatype).is_none() {
        return None;
    }
    let bounds = at.scope.engine.bounds(datatype);
    let over_rank_of = |number: Option<Linear>| over_rank(ranks, facts, &number?);
    let bytes = over_rank_of(size.and_then(|size| count.scale(size)));
    let reach = bounds
        .filter(|bounds| 0 <= bounds.extent())
        .and_then(|bounds| over_rank_of(count.offset(-1)?.scale(bounds.extent())?.offset(bounds.true_upper)));
    let combines = call.value(Role::Op).and_then(Value::as_name).zip(datatype.as_name());
    let combines = combines.filter(|_| size.is_some()).map(|(op, ty)| (op.into(), ty.into()));
    let is_read = call.value(Role::Op).and_then(Value::as_name) == Some(NO_OP);
    Some(Access {
        how: Some(how),
        writes: how.writes_target() && !is_read,
        mode,
        target: over_rank(ranks, facts, &group.group.to_world(&rank, facts)?)?,
        displacement: over_rank(ranks, facts, far.displacement.as_ref()?)?,
        bytes,
        reach,
        combines,
        ordered: lives.ordered,
        spent: false,
        synchronised: false,
    })
}

/// The operation that leaves the target as it is.
pub(super) const NO_OP: &str = "MPI_NO_OP";
