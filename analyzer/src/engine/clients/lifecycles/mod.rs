//! Lifecycles: requests, datatypes, communicators, groups, operations, windows and files, from the call that makes them to the one that
//! gives them up (MPI-4.1 sections 2.5.1, 3.7, 3.9, 5.1.9, 7.3.3, 7.4.3).
//!
//! What is known of a set says which of its members have made what, and how far it is; a call of a member moves it on, and what is
//! wrong with that is noted. What becomes of an object in code that is not followed is not known: it is forgotten, and nothing is
//! said of it.

mod accesses;
mod assertions;
mod buffers;
mod conflicts;
mod epochs;
mod exposures;
mod handles;
mod lent;
mod lives;
mod partitions;
mod requests;
mod splits;

use std::collections::BTreeSet;
use std::rc::Rc;

use frontend::ir::{Callee, Inst, InstKind, Span, Type};
use frontend::mpi::{Access, Class, Completion, FilePhase, Object, Role, Which};
use frontend::program::FunctionRef;
use lattice::Ranks;

use super::{At, Client, Step};
use crate::engine::Engine;
use crate::engine::arrays::INT;
use crate::engine::effects::leads_to;
use crate::engine::eval::Location;
use crate::engine::findings::Found;
use crate::engine::functions::{is_silent, owns};
use crate::engine::group::OWN;
use crate::engine::join::Join;
use crate::engine::library;
use crate::engine::memory::{ObjectId, ObjectKind};
use crate::engine::mpi::{Call, null_name};
use crate::engine::requests_stored::holds_request;
use crate::engine::state::{HANDLE, SiteId, target};
use crate::engine::value::Value;
use crate::results::Severity;
use crate::rules::Rule;

pub(crate) use assertions::asserted_by_all;
pub(crate) use lives::Lives;
use lives::{Kind, Life, Slot, Stage};

/// The client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lifecycles {
    /// What was noted in the step at hand.
    pub(crate) noted: Vec<Note>,
    /// Defects, with what would show that they are none.
    found: Vec<Candidate>,
    /// Calls that made persistent requests which some path starts.
    started: BTreeSet<SiteId>,
    /// Whether a request was started of which is not known which it is.
    starts_any: bool,
    /// Waits that some set needs.
    needed: BTreeSet<SiteId>,
    /// Calls that made requests for which some test asks.
    asked: BTreeSet<SiteId>,
    /// Whether `MPI_COMM_SELF` has attributes: what deletes them is called first thing in `MPI_Finalize`, and may free anything.
    cleans_up: bool,
    /// Whether some path calls `MPI_Init`: objects need not belong to a session then.
    has_world: bool,
    /// Whether memory for buffered sends is lent for the messages of a communicator or a session only.
    lends_apart: bool,
    /// Accesses to memory of windows in the step at hand.
    seen: Vec<accesses::Seen>,
}

/// A defect, unless another path shows that it is none.
#[derive(Clone, Debug)]
struct Candidate {
    found: Found,
    unless: Unless,
}

/// A defect as it is met.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) rule: Rule,
    pub(crate) place: (FunctionRef, Span),
    pub(crate) message: String,
    pub(crate) ranks: Ranks,
    pub(crate) related: Vec<(SiteId, String)>,
    pub(crate) unless: Unless,
    /// It needs as many processes.
    pub(crate) from_np: Option<i64>,
    /// Where it is less than the rule's own.
    pub(crate) severity: Option<Severity>,
}

/// What another path may show that makes a defect none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unless {
    Never,
    /// Some path starts what this call made.
    Started(SiteId),
    /// Some set needs this wait.
    Needed(SiteId),
    /// Some path leaves it to `MPI_Finalize` to call what frees objects.
    CleanedUp,
    /// Some test asks for the operation of the request that this call made.
    Asked(SiteId),
    /// None does.
    NotAsked(SiteId),
}

impl Lifecycles {
    /// Takes in a defect that is possible on the path where it was noted.
    fn take_in(&mut self, found: Found, unless: Unless) {
        let known = self.found.iter_mut().find(|c| c.found.key == found.key && c.unless == unless);
        match known {
            Some(known) => known.found.add(found),
            None => self.found.push(Candidate { found, unless }),
        }
    }

    /// What was found on all paths.
    pub(crate) fn found(&self) -> Vec<Found> {
        let holds = |unless: Unless| match unless {
            Unless::Never => true,
            Unless::Started(made) => !self.starts_any && !self.started.contains(&made),
            Unless::Needed(wait) => !self.needed.contains(&wait),
            Unless::CleanedUp => !self.cleans_up,
            Unless::Asked(made) => !self.asked.contains(&made),
            Unless::NotAsked(made) => self.asked.contains(&made),
        };
        let mut all: Vec<Found> = Vec::new();
        for Candidate { found, .. } in self.found.iter().filter(|candidate| holds(candidate.unless)) {
            match all.iter_mut().find(|known| known.key == found.key) {
                Some(known) => known.add(found.clone()),
                None => all.push(found.clone()),
            }
        }
        all
    }

    /// Whether an argument is known to be a handle of what has been freed.
    pub(crate) fn is_freed(&self, (function, span): (FunctionRef, Span)) -> bool {
        let rules = [Rule::UseAfterFree, Rule::DoubleFree];
        self.found.iter().any(|c| rules.iter().any(|&rule| c.found.key == (rule, function, span)))
    }

    /// Replaces what was found.
    pub(crate) fn settle(&mut self, found: Vec<Found>) {
        let settled = |found| Candidate { found, unless: Unless::Never };
        self.found = found.into_iter().map(settled).collect();
    }

    fn note(
        &mut self,
        at: &At<'_, '_, '_>,
        rule: Rule,
        span: Span,
        ranks: &Ranks,
        message: String,
    ) -> &mut Note {
        self.noted.push(Note {
            rule,
            place: (at.scope.function, span),
            message,
            ranks: ranks.clone(),
            related: Vec::new(),
            unless: Unless::Never,
            from_np: None,
            severity: None,
        });
        self.noted.last_mut().expect("one was pushed")
    }

    /// A defect at a call that was made before.
    fn note_at(
        &mut self,
        at: &At<'_, '_, '_>,
        rule: Rule,
        site: SiteId,
        ranks: &Ranks,
        message: String,
    ) -> &mut Note {
        let place = at.scope.engine.site_place(site);
        let note = self.note(at, rule, place.1, ranks, message);
        note.place = place;
        note
    }

    fn call(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>, site: SiteId) {
        self.uses_freed(at, lives, call);
        self.uses(at, lives, call);
        self.uses_unmade(at, lives, call);
        match call.mpi.class {
            Class::Init { .. } => self.has_world = true,
            Class::Finalize => self.end(at, lives, site),
            Class::RequestStatus(_) => self.ask_status(at, lives, call),
            Class::SessionFinalize => {
                self.free(at, lives, call, site);
                // Whether others belong to it is not known where it is not the only one.
                if !self.has_world && !lives.has_session() {
                    self.end(at, lives, site);
                }
            }
            Class::Wait(which) => {
                self.given_freed(at, lives, call);
                self.wait(at, lives, call, site, which);
            }
            Class::Test(Which::One | Which::All) => self.ask(at, lives, call, site),
            Class::Test(which) => self.ask_for_some(at, lives, call, site, which),
            Class::Start(_) => {
                self.given_freed(at, lives, call);
                self.start(at, lives, call, site);
            }
            Class::RequestFree => {
                self.given_freed(at, lives, call);
                self.free_request(at, lives, call, site);
            }
            Class::PartitionReady(which) => self.make_ready(at, lives, call, which),
            Class::PartitionArrived => self.ask_arrival(at, lives, call),
            Class::SendBuffer(how) => self.lend(at, lives, call, site, how),
            _ if lent::is_buffered_send(call) => self.take_lent(at, lives, call),
            Class::TypeCommit => commit(at, lives, call),
            Class::Collective { completion: Completion::Persistent, .. } => {
                match at.scope.engine.communicator(call) {
                    Ok(communicator) => lives.prepare(&communicator.name),
                    Err(_) => lives.lose_prepared(),
                }
            }
            Class::FileData { phase: FilePhase::SplitBegin, .. } => self.begin_split(at, lives, call, site),
            Class::FileData { phase: FilePhase::SplitEnd, .. } => self.end_split(at, lives, call),
            Class::Rma { .. } | Class::RmaSync(_) => self.window(at, lives, call, site),
            Class::Attribute { access: Access::Set, object: Object::Communicator } => {
                // One that is not known may be it.
                self.cleans_up |= match call.value(Role::Communicator) {
                    Some(Value::Comm(_)) => false,
                    Some(value) => value.as_name().is_none_or(|name| name == OWN),
                    None => true,
                };
            }
            _ if call.mpi.destroyed().is_some() => self.free(at, lives, call, site),
            _ => {}
        }
        if call.mpi.request_made().is_some() && !matches!(call.mpi.class, Class::RequestFree) {
            self.make_request(at, lives, call, site);
        }
        self.make(at, lives, call, site);
    }

    /// A test of one operation, or of all of several: it shows in the handles afterwards whether they are complete, unless these stay.
    fn ask(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>, site: SiteId) {
        let Some(given) = requests::given(at, call) else {
            lives.retain(|life| life.kind != Object::Request);
            return;
        };
        requests::forget_asked_by_copies(at, lives, call);
        let is_given = |life: &Life| life.kind == Object::Request && given.contains(&life.slot);
        let flag = slot(at, call, call.mpi.param_with_role(Role::Flag));
        for life in lives.iter_mut().filter(|life| is_given(life)) {
            self.asked.insert(life.made);
            life.stage = match life.stage {
                Stage::Active { since, stays: false } => Stage::Asked { since, by: site },
                Stage::Active { since, stays: true } => Stage::Tested(flag.map(|flag| (since, flag))),
                Stage::Inactive { started, .. } => Stage::Inactive { started, awaited: true },
                stage => stage,
            };
        }
    }

    /// A test of any of several operations, or of some: what becomes of them is known of the former only.
    fn ask_for_some(
        &mut self,
        at: &mut At<'_, '_, '_>,
        lives: &mut Lives,
        call: &Call<'_>,
        site: SiteId,
        which: Which,
    ) {
        requests::forget_asked_by_copies(at, lives, call);
        match requests::given(at, call) {
            Some(given) if which == Which::Any => {
                let is_given = |life: &&Life| life.kind == Object::Request && given.contains(&life.slot);
                self.asked.extend(lives.iter().filter(is_given).map(|life| life.made));
                requests::ask_for_any(at, lives, &given, site);
            }
            Some(given) => lives.retain(|life| life.kind != Object::Request || !given.contains(&life.slot)),
            None => lives.retain(|life| life.kind != Object::Request),
        }
    }

    /// What is left when the program ends MPI.
    fn end(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, site: SiteId) {
        for life in lives.iter().filter(|life| !is_session(life)) {
            let Some(members) = life.members(at.scope.ranks, at.scope.facts) else { continue };
            if is_out_of_sight(at, life) {
                continue;
            }
            let operation = operation(at, life.made);
            let note = match life.stage {
                Stage::Active { since, .. } => {
                    let message = format!(
                        "the request of `{operation}` is never completed where no test tells that it is complete"
                    );
                    let note = self.note_at(at, Rule::RequestMissingWait, since, &members, message);
                    // It depends on timing.
                    note.severity = Some(Severity::Warning);
                    note.unless = Unless::NotAsked(life.made);
                    note.related.push((site, "MPI ends here".to_owned()));
                    let message = format!("the request of `{operation}` is never completed");
                    let note = self.note_at(at, Rule::RequestMissingWait, since, &members, message);
                    note.unless = Unless::Asked(life.made);
                    note
                }
                Stage::Inactive { .. } | Stage::Tested(_) => {
                    if life.stage == (Stage::Inactive { started: false, awaited: false }) {
                        let message = format!("the operation of `{operation}` is never started");
                        let note = self.note_at(at, Rule::PersistentNotStarted, life.made, &members, message);
                        note.unless = Unless::Started(life.made);
                    }
                    let message = format!("the request of `{operation}` is never freed");
                    self.note_at(at, Rule::RequestLeak, life.made, &members, message)
                }
                Stage::Uncommitted | Stage::Live | Stage::Window(_) => {
                    self.window_ends(at, lives, life, site);
                    let Some(rule) = life.object().and_then(leak_rule) else { continue };
                    let message = format!("the {} that `{operation}` makes is never freed", life.keyword());
                    let note = self.note_at(at, rule, life.made, &members, message);
                    note.unless = Unless::CleanedUp;
                    note
                }
                Stage::Asked { .. } | Stage::Completed(_) | Stage::Freed(_) | Stage::Done | Stage::Alike => {
                    continue;
                }
            };
            note.related.push((site, "MPI ends here".to_owned()));
        }
        lives.retain(is_session);
    }

    /// `MPI_Request_get_status`: the request stays, but where it tells that the operation is complete the buffer is the program's again.
    fn ask_status(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>) {
        let given = call.value(Role::Request);
        let slot = match given {
            Some(Value::Address(object, offset)) => {
                at.scope.facts.constant(offset).map(|offset| (*object, offset))
            }
            _ => None,
        };
        let is_given =
            |life: &Life| life.kind == Object::Request && slot.is_none_or(|slot| life.slot == slot);
        for life in lives.iter_mut().filter(|life| is_given(life)) {
            life.areas = Rc::default();
        }
    }

    /// What is left when the program returns from `main`: sessions may be finalised after `MPI_Finalize` (MPI-4.1 section 11.3.1).
    fn leave_main(&mut self, at: &At<'_, '_, '_>, lives: &Lives) {
        for life in lives.iter().filter(|life| is_session(life) && life.stage == Stage::Live) {
            let Some(members) = life.members(at.scope.ranks, at.scope.facts) else { continue };
            let message = format!("the session that `{}` makes is never finalised", operation(at, life.made));
            self.note_at(at, Rule::MissingFinalize, life.made, &members, message);
        }
    }
}

fn is_session(life: &Life) -> bool {
    life.kind == Object::Session
}

/// The rule that an object breaks which is never given up.
fn leak_rule(kind: Object) -> Option<Rule> {
    Some(match kind {
        Object::Datatype => Rule::DatatypeLeak,
        Object::Communicator => Rule::CommunicatorLeak,
        Object::Group => Rule::GroupLeak,
        Object::Op => Rule::OpLeak,
        Object::Window => Rule::WindowLeak,
        Object::File => Rule::FileLeak,
        Object::Session => Rule::MissingFinalize,
        _ => return None,
    })
}

/// The name of the function that was called.
fn operation(at: &At<'_, '_, '_>, site: SiteId) -> String {
    at.scope.engine.sites[site.0 as usize].operation.clone()
}

/// Finds out what handles have become since the last call, and forgets what is none of the set's.
fn settle(at: &mut At<'_, '_, '_>, lives: &mut Lives) {
    if lives.is_empty() {
        return;
    }
    let (ranks, facts) = (at.scope.ranks, at.scope.facts.clone());
    lives.retain(|life| life.who.as_ref().is_none_or(|who| !who.disjoint(ranks, &facts)));
    settle_asked(at, lives);
    if !lives.iter().any(Life::is_new) {
        return;
    }
    let mut null: Vec<Slot> = Vec::new();
    let mut named: Vec<(Kind, Value)> = Vec::new();
    for life in lives.iter_mut() {
        if life.is_new() {
            match read(at, life.slot) {
                // What is named with a capital is predefined: nothing was made.
                Value::Name(name) if name.starts_with("MPI_") => null.push(life.slot),
                handle @ (Value::Name(_) | Value::Comm(_) | Value::Group(_)) => {
                    named.push((life.kind, handle.clone()));
                    life.handle = Some(handle);
                }
                _ => {}
            }
        }
    }
    lives.retain(|life| life.handle.is_some() || !null.contains(&life.slot));
    // The name of one that was freed is that of a new one now.
    let is_renamed = |life: &Life| {
        let is_it =
            |(kind, handle): &(Kind, Value)| *kind == life.kind && life.handle.as_ref() == Some(handle);
        matches!(life.stage, Stage::Freed(_)) && named.iter().any(is_it)
    };
    lives.retain(|life| !is_renamed(life));
    // One that was in the same slot before, and is known by another variable now, cannot be told from one with the same name.
    let is_same = |a: &Life, b: &Life| {
        let same_handle = a.object().is_some() && a.handle.is_some() && a.handle == b.handle;
        same_handle && a.kind == b.kind && a.slot == b.slot && a.who == b.who
    };
    let all: Vec<Life> = lives.iter().cloned().collect();
    let number = |life: &Life| all.iter().filter(|other| is_same(life, other)).count();
    lives.retain(|life| number(life) < 2);
    for life in all.iter().filter(|life| number(life) >= 2) {
        // What stands for all of them stays, so that the next one is not taken for the only one.
        if !lives.iter().any(|other| is_same(life, other)) {
            let alike = Life::new(life.kind, life.slot, life.made, Stage::Alike);
            lives.add(Life { handle: life.handle.clone(), who: life.who.clone(), ..alike });
        }
    }
}

/// Finds out whether operations that have been asked for are complete.
fn settle_asked(at: &mut At<'_, '_, '_>, lives: &mut Lives) {
    partitions::settle(at, lives);
    if !lives.iter().any(|life| matches!(life.stage, Stage::Asked { .. } | Stage::Tested(Some(_)))) {
        return;
    }
    for life in lives.iter_mut() {
        if let Stage::Tested(Some((since, flag))) = life.stage {
            life.stage = match read_flag(at, flag) {
                Some(true) => Stage::Inactive { started: true, awaited: false },
                Some(false) => Stage::Active { since, stays: true },
                None => Stage::Tested(None),
            };
        }
        let Stage::Asked { since, by } = life.stage else { continue };
        let handle = read(at, life.slot);
        if handle == Value::Address(life.slot.0, life.slot.1.into()) {
            life.stage = Stage::Active { since, stays: false };
        } else if handle.as_name().is_some_and(|name| null_name(Object::Request) == Some(name)) {
            life.stage = Stage::Completed(by);
        }
    }
    lives.retain(|life| !matches!(life.stage, Stage::Asked { .. }));
}

/// What is stored in a slot.
fn read(at: &mut At<'_, '_, '_>, (object, offset): Slot) -> Value {
    let location = Location { object, offset: Some(offset.into()) };
    at.scope.read_sized(&location, HANDLE.unsigned_abs())
}

/// What the flag of a call that asked for something says, where it is known.
fn read_flag(at: &mut At<'_, '_, '_>, (object, offset): Slot) -> Option<bool> {
    let location = Location { object, offset: Some(offset.into()) };
    at.scope.read_sized(&location, INT).as_constant().map(|flag| flag != 0)
}

/// Whether code that is not known may have changed what became of an object.
fn is_out_of_sight(at: &mut At<'_, '_, '_>, life: &Life) -> bool {
    if life.kind == Object::Request {
        // A variable that nobody reads any more is not in the memory.
        let (object, offset) = life.slot;
        let Some(content) = at.scope.memory.get(object) else { return false };
        if content.is_undefined(offset, HANDLE.unsigned_abs()) {
            return false;
        }
        return read(at, life.slot) == Value::Unknown;
    }
    // Whether a communicator was made at all shows in its handle.
    matches!(life.object(), Some(Object::Communicator | Object::Group)) && life.handle.is_none()
}

/// The slot that an argument is the address of.
fn slot(at: &At<'_, '_, '_>, call: &Call<'_>, index: Option<usize>) -> Option<Slot> {
    let (object, offset) = call.at(index).and_then(crate::engine::state::address)?;
    Some((object, at.scope.facts.constant(offset)?))
}

/// Whether a handle is also stored elsewhere than in its slot.
fn is_copied(at: &At<'_, '_, '_>, handle: &Value, slot: Slot) -> bool {
    let is_handle =
        |object: ObjectId| !matches!(handle, Value::Address(..)) || !points_to_request(at, object);
    at.scope.memory.objects().filter(|(object, _)| is_handle(*object)).any(|(object, content)| {
        content.cells.iter().any(|(&offset, (_, value))| value == handle && (object, offset) != slot)
    })
}

/// Whether a variable is a pointer to a request: it holds the address of a slot, and so does a request.
fn points_to_request(at: &At<'_, '_, '_>, object: ObjectId) -> bool {
    let program = at.scope.engine.program;
    let (unit, ty) = match at.scope.engine.objects.kind(object) {
        ObjectKind::Local(_, function, local) | ObjectKind::Static(function, local) => {
            (function.unit, program.function(*function).local(*local).ty)
        }
        ObjectKind::Global(unit, global) => (*unit, program.units[*unit].global(*global).ty),
        _ => return false,
    };
    let types = &program.units[unit].types;
    matches!(types.get(ty), Type::Pointer(to) if holds_request(types, *to))
}

/// A datatype may be used from now on.
fn commit(at: &mut At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>) {
    let index = call.mpi.param_with_role(Role::Datatype);
    let place = slot(at, call, index);
    let handle = place.map(|place| read(at, place));
    let of = |life: &Life| {
        life.kind == Object::Datatype
            && (place.is_none()
                || Some(life.slot) == place
                || (life.handle.is_some() && life.handle == handle))
    };
    for life in lives.iter_mut().filter(|life| life.stage == Stage::Uncommitted && of(life)) {
        life.stage = Stage::Live;
    }
}

/// Nothing is said any more of objects of which a function that nobody knows is given the handle, or the address of it.
fn give_away(at: &mut At<'_, '_, '_>, lives: &mut Lives, values: &[Value]) {
    let given: Vec<ObjectId> =
        values.iter().filter_map(|value| target(value).map(|target| target.object)).collect();
    // Handles among what is behind the addresses, however many pointers lead there.
    let reached = reachable(at, &given);
    let held: Vec<Value> = reached
        .iter()
        .filter_map(|&object| at.scope.memory.get(object))
        .flat_map(|content| content.cells.values().map(|(_, value)| value.clone()))
        .chain(values.iter().cloned())
        .collect();
    lives.retain(|life| {
        let by_handle = match &life.handle {
            Some(handle) => held.contains(handle),
            None => held.contains(&Value::Address(life.slot.0, life.slot.1.into())),
        };
        life.object().is_none() || !(by_handle || reached.contains(&life.slot.0))
    });
}

/// Some objects, and those that their contents point to.
fn reachable(at: &At<'_, '_, '_>, from: &[ObjectId]) -> BTreeSet<ObjectId> {
    let mut reached: BTreeSet<ObjectId> = BTreeSet::new();
    let mut work = from.to_vec();
    while let Some(object) = work.pop() {
        if reached.insert(object)
            && let Some(content) = at.scope.memory.get(object)
        {
            let inner = content.cells.values().filter_map(|(_, value)| target(value));
            work.extend(inner.map(|target| target.object));
        }
    }
    reached
}

/// Whether an instruction is a call that accesses a window, or synchronises it, and makes no object.
fn accesses_only(inst: &Inst) -> bool {
    let InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. } = &inst.kind else {
        return false;
    };
    matches!(mpi.class, Class::Rma { request: false, .. } | Class::RmaSync(_))
}

impl Client for Lifecycles {
    type Set = Lives;
    type Cargo = ();
    type Path = ();
    type Shape = ();

    fn transfer(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, step: &Step<'_>) {
        settle(at, lives);
        self.listen(lives, step);
        if let Step::Mpi { call, .. } = step {
            // What is heard of others may tell that what was sent has arrived.
            if !is_silent(call.mpi) {
                lives.retain(|life| life.kind != Kind::Detached);
            }
            if lent::may_empty(call) {
                lives.empty_lent();
            }
        }
        if lives.are_at_work() {
            self.touch(at, lives, step);
            self.keep_seen(at, lives, step);
        }
        match step {
            Step::Mpi { call, site } => self.call(at, lives, call, *site),
            Step::Return { .. } if at.scope.function == at.scope.engine.program.entry => {
                self.leave_main(at, lives);
            }
            Step::Skip { cfg, blocks, .. } => {
                let insts = || blocks.iter().flat_map(|&block| &cfg.graph[block].insts);
                let (program, ground) = (at.scope.engine.program, &at.scope.engine.ground);
                let owns =
                    |inst: &Inst| leads_to(program, &ground.owning, owns, at.scope.function, inst).is_some();
                if insts().any(|inst| owns(inst) && !accesses_only(inst)) {
                    lives.lose_prepared();
                    lives.retain(|_| false);
                } else if insts().any(accesses_only) {
                    epochs::pass_over(lives, insts().any(epochs::changes_epochs));
                }
            }
            // A function without source may keep or free what it is given a handle of.
            Step::Library { name, values, .. } if library::is_foreign(name) => give_away(at, lives, values),
            Step::Passed { targets, .. }
                if targets.iter().any(|target| at.scope.engine.ground.owning.contains(target)) =>
            {
                lives.lose_prepared();
                lives.retain(|_| false);
            }
            _ => {}
        }
    }

    fn generalise(&mut self, (): &(), (): &(), _join: &mut Join<'_>) -> Option<()> {
        Some(())
    }

    fn shape((): &()) {}
}

impl Engine<'_> {
    /// Makes findings of what was noted in a step, where the path is possible.
    pub(crate) fn take_in_noted(&mut self, state: &crate::engine::state::State) {
        if self.clients.lifecycles.noted.is_empty() {
            return;
        }
        let mut lifecycles = std::mem::take(&mut self.clients.lifecycles);
        for note in std::mem::take(&mut lifecycles.noted) {
            match self.found_on(state, &note) {
                Some(found) => lifecycles.take_in(found, note.unless),
                // It may be there for all that this exploration tells.
                None => {
                    self.suspected.insert((note.rule, note.place.0, note.place.1));
                }
            }
        }
        self.clients.lifecycles = lifecycles;
    }
}
