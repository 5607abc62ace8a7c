//! Passing over code that does not communicate: what it may change is forgotten, the rest stays known.

use frontend::ir::{
    BlockId, Callee, Cfg, Expr, ExprKind, Inst, InstKind, LocalId, Place, PlaceBase, Span, Terminator,
};
use frontend::mpi::{AddressOp, Class};
use frontend::program::{FunctionRef, Program, Resolution};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::Engine;
use super::aliasing::Stored;
use super::changes::Changes;
use super::clients::Step;
use super::determinism::Passed;
use super::environment::{self, Model};
use super::eval::Scope;
use super::exec::{Progress, Returned};
use super::functions::{FunctionFacts, is_excluded, is_silent, postdominators_where, visit};
use super::library;
use super::memory::{Memory, ObjectId, ObjectKind};
use super::need::Need;
use super::pointees::Pointees;
use super::state::{Phase, ProcessSet, State};
use super::value::Value;
use super::windows::{concerns_window, lets_others_write};

impl<'p> Engine<'p> {
    /// Passes over the part of a function between a branch and the place where its arms meet again, when nothing in it communicates.
    /// `forked`: the outcome may differ from rank to rank.
    pub(crate) fn skip_region(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        cfg: &Cfg,
        branch: Span,
        forked: bool,
    ) -> Result<Progress, Need> {
        let function = set.frame().function;
        let facts = std::rc::Rc::clone(self.facts_of(function));
        let start = set.frame().block;
        let mut end = facts.postdominator[start.index()];
        let mut region = region_of(cfg, start, end, &facts.dead_end);
        let mut spoken = self.first_communication(function, cfg, &region);
        if spoken.is_some() {
            // What the processes of this set know may keep them from it.
            let (decided, open) = self.scope(state, set).decided(cfg, &region);
            end = postdominators_where(cfg, &facts.order, &facts.dead_end, &decided)[start.index()];
            region = region_where(cfg, start, end, &facts.dead_end, &decided);
            spoken = self.first_communication(function, cfg, &region);
            if spoken.is_some()
                && let Some(need) = open
            {
                // In one of the cases it may not be reached.
                return Err(need);
            }
        }
        if let Some((what, there)) = spoken {
            return Err(Need::give_up(format!(
                "whether `{what}` in line {there} is reached depends on data that may differ between ranks"
            )));
        }
        self.observe(state, set, &Step::Skip { cfg, branch: start, blocks: &region.blocks });
        let code =
            Passed { cfg, start, blocks: &region.blocks, live: live_at_arms(cfg, start, &facts), forked };
        // Nothing that decides is stored where it does not matter which way is taken.
        let fills = !forked && !self.deciding().is_idle(function, start) && !self.is_threaded(set);
        let filled = match end {
            Some(end) if fills => self.scope(state, set).filled(&code, end),
            _ => None,
        };
        let (result, exits) = match self.scope(state, set).pass_over(&code) {
            Some(passed) => passed,
            None => {
                let modified = reassigned(cfg, &region.blocks);
                let mut scope = self.scope(state, set);
                scope.forget_rounds_of(|scope| {
                    for inst in region.blocks.iter().flat_map(|&block| &cfg.graph[block].insts) {
                        scope.forget_effects(inst, &modified);
                    }
                });
                (Value::Unknown, false)
            }
        };
        if let Some(filled) = filled {
            self.scope(state, set).fill_in(filled);
        }
        self.note_assumptions(function.unit, cfg, &region.blocks);
        if (region.exits || exits) && set.phase != Phase::Finalized {
            let place = self.line_of(function.unit, branch);
            self.assume(format!("{place}: the exit of the program is not taken"));
        }
        match end {
            Some(end) => Ok(self.enter_block(set, end)),
            None => {
                self.leave(state, set, Returned::Scalar(result))?;
                Ok(Progress::Continue)
            }
        }
    }

    /// What communicates first in a region, and in which line.
    fn first_communication(
        &self,
        function: FunctionRef,
        cfg: &Cfg,
        region: &Region,
    ) -> Option<(String, u32)> {
        let mut insts = region.blocks.iter().flat_map(|&block| &cfg.graph[block].insts);
        insts.find_map(|inst| {
            let what = communication(self.program, &self.ground.communicating, function, inst)?;
            Some((what, self.program.units[function.unit].locate(inst.span).line))
        })
    }

    /// Forgets what is stored through a pointer of unknown target, in every object that it may point to.
    pub(crate) fn forget_exposed(&mut self, memory: &mut Memory, stored: Stored) {
        self.forget_exposed_of(memory, stored, None);
    }

    /// The same where the pointer is known to point to one of some objects (`None`: any).
    pub(crate) fn forget_exposed_of(
        &mut self,
        memory: &mut Memory,
        stored: Stored,
        pointees: Option<&Pointees>,
    ) {
        let stored = self.stored_somewhere(stored);
        for object in self.exposed(memory) {
            if !self.may_be_in(object, pointees) {
                continue;
            }
            if stored != Stored::ANYTHING {
                self.ensure(memory, object);
            }
            self.forget_stored(memory, object, stored);
        }
    }

    /// Every object that a pointer of unknown target may point to.
    pub(crate) fn exposed(&self, memory: &Memory) -> BTreeSet<ObjectId> {
        let there = memory.objects().map(|(object, _)| object).filter(|&object| self.is_exposed(object));
        // Objects not touched so far must not come up with their initial values later.
        there.chain(self.exposed_globals.iter().copied()).collect()
    }

    /// Whether an object may be one of those that a pointer points to (`None`: any).
    pub(crate) fn may_be_in(&self, object: ObjectId, pointees: Option<&Pointees>) -> bool {
        let Some((pointees, points_to)) = pointees.zip(self.ground.points_to()) else { return true };
        points_to.may_be(&self.objects, self.objects.kind(object), pointees)
    }

    /// What an expression of a function may point to, whatever path is taken; `None`: anything.
    pub(crate) fn pointees(&self, function: FunctionRef, pointer: &Expr) -> Option<Rc<Pointees>> {
        self.ground.points_to()?.of(self.program, function, pointer)
    }

    pub(crate) fn is_exposed(&self, object: ObjectId) -> bool {
        match self.objects.kind(object) {
            ObjectKind::Local(_, function, local) | ObjectKind::Static(function, local) => {
                self.escaping.get(function).is_some_and(|locals| locals.contains(local))
            }
            ObjectKind::Global(..) => self.exposed_globals.contains(&object),
            ObjectKind::Heap(..) => true,
            ObjectKind::Literal(_)
            | ObjectKind::CommandLine
            | ObjectKind::Environment
            | ObjectKind::Library(_)
            | ObjectKind::Neighbours(_) => false,
        }
    }
}

impl Scope<'_, '_> {
    /// Where branches of a region go that ask for nothing but what is known before and not changed in it; and what would tell where
    /// another one of these goes, on which all agree.
    fn decided(&mut self, cfg: &Cfg, region: &Region) -> (FxHashMap<BlockId, BlockId>, Option<Need>) {
        let touched = touched(cfg, region);
        let escaping = self.engine.escaping.get(&self.function).cloned().unwrap_or_default();
        let mut decided = FxHashMap::default();
        let mut open = None;
        for &block in &region.blocks {
            let Terminator::Branch { condition, then, otherwise } = &cfg.graph[block].terminator else {
                continue;
            };
            let mut stable = true;
            visit(condition, &mut |place| {
                stable &= matches!(place.base, PlaceBase::Local(local)
                    if !touched.contains(&local) && !escaping.contains(&local));
            });
            if !stable {
                continue;
            }
            match self.eval(condition).and_then(|value| self.truth(&value)) {
                Ok(Some(truth)) => {
                    decided.insert(block, if truth { *then } else { *otherwise });
                }
                Err(need @ Need::Decide(_)) => open = open.or(Some(need)),
                Ok(None) | Err(_) => {}
            }
        }
        (decided, open)
    }

    /// Whether the loop that begins where a set stands is never left: each branch that would leave it asks for nothing that changes in
    /// it, and goes on.
    ///
    /// # Errors
    /// That may be so for some of the members: they have to be told from the others.
    pub(crate) fn is_never_left(&mut self, cfg: &Cfg, block: BlockId) -> Result<bool, Need> {
        let inner = cfg.loops.iter().filter(|l| l.blocks.contains(&block)).min_by_key(|l| l.blocks.len());
        let Some(inner) = inner else { return Ok(false) };
        let insts = || inner.blocks.iter().flat_map(|&block| &cfg.graph[block].insts);
        // What is stored through pointers, and what is called, may change anything.
        let is_plain = |inst: &Inst| match &inst.kind {
            InstKind::Assign(place, _) => !matches!(place.base, PlaceBase::Deref(_)),
            InstKind::Declare(_) => true,
            InstKind::Call { callee: Callee::Direct { name, mpi: None }, .. } => {
                library::leaves_memory_alone(name)
            }
            InstKind::Call { .. } | InstKind::Opaque { .. } => false,
        };
        if !insts().all(is_plain) {
            return Ok(false);
        }
        let program = self.engine.program;
        let (function, unit) = (program.function(self.function), self.function.unit);
        let is_stable = |place: &Place| match place.base {
            PlaceBase::Local(local) => !function.local(local).unstable,
            PlaceBase::Global(global) => {
                let (unit, global) = program.resolve_global(unit, global);
                let global = program.global(unit, global);
                global.defined && !global.unstable
            }
            PlaceBase::Deref(_) => true,
        };
        // Whatever the rounds have made of what changes in them.
        let before = self.memory.clone();
        let none = FxHashSet::default();
        for inst in insts() {
            match &inst.kind {
                InstKind::Assign(place, _) | InstKind::Call { dest: Some(place), .. } => {
                    self.forget_place(place, &none);
                }
                InstKind::Declare(local) => {
                    let object = self.engine.local_object(self.function, self.context, *local);
                    self.memory.content(object).forget();
                }
                InstKind::Call { .. } | InstKind::Opaque { .. } => {}
            }
        }
        let (mut never, mut split) = (true, None);
        for &block in &inner.blocks {
            let terminator = &cfg.graph[block].terminator;
            if !terminator.targets().iter().any(|target| !inner.blocks.contains(target)) {
                continue;
            }
            let Terminator::Branch { condition, then, .. } = terminator else {
                never = false;
                break;
            };
            let mut stable = true;
            visit(condition, &mut |place| stable &= is_stable(place));
            let truth = self.eval(condition).and_then(|value| self.truth(&value));
            never &= stable
                && match truth {
                    Ok(Some(truth)) => truth == inner.blocks.contains(then),
                    Err(need @ Need::Split(..)) => {
                        split = Some(need);
                        true
                    }
                    Ok(None) | Err(_) => false,
                };
        }
        *self.memory = before;
        match split {
            Some(need) if never => Err(need),
            _ => Ok(never),
        }
    }

    /// Forgets what some code may write that may be executed more than once: what is forgotten of pointers, the next round does not know
    /// where they point to.
    pub(crate) fn forget_rounds_of(&mut self, mut forget: impl FnMut(&mut Self)) {
        loop {
            let before = self.memory.clone();
            forget(self);
            if *self.memory == before {
                break;
            }
        }
    }

    /// Forgets what one instruction may write, wherever in a region it stands.
    pub(crate) fn forget_effects(&mut self, inst: &Inst, modified: &FxHashSet<LocalId>) {
        match &inst.kind {
            InstKind::Assign(place, _) => self.forget_place(place, modified),
            InstKind::Declare(local) => {
                let object = self.engine.local_object(self.function, self.context, *local);
                self.memory.remove(object);
            }
            InstKind::Opaque { writes: Some(places), .. } => {
                places.iter().for_each(|place| self.forget_place(place, modified));
            }
            InstKind::Opaque { writes: None, .. } => {
                self.engine.forget_exposed(self.memory, Stored::ANYTHING)
            }
            InstKind::Call { dest, callee, args } => {
                if let Some(dest) = dest {
                    self.forget_place(dest, modified);
                }
                let stored = match callee {
                    Callee::Direct { name, mpi } => {
                        if mpi.is_some_and(lets_others_write) {
                            self.engine.forget_window_memory(self.memory);
                        }
                        match self.engine.program.resolve(self.function.unit, name) {
                            Resolution::Defined(target) if mpi.is_none() => {
                                self.forget_call(target, args, modified);
                                Stored::NOTHING
                            }
                            _ => {
                                if let Some(model) = environment::model(name) {
                                    self.forget_history(&model);
                                }
                                if library::leaves_memory_alone(name) {
                                    Stored::NOTHING
                                } else {
                                    Stored::ANYTHING
                                }
                            }
                        }
                    }
                    Callee::Indirect(pointer) => {
                        self.forget_texts();
                        for target in self.engine.program.call_targets(self.function, pointer, args.len()) {
                            self.forget_changes(target);
                        }
                        Stored::ANYTHING
                    }
                };
                if stored != Stored::NOTHING {
                    for arg in args {
                        self.forget_pointee(arg, modified, stored);
                    }
                }
            }
        }
    }

    /// Forgets what a function of the program may change, whatever it is given.
    pub(crate) fn forget_changes(&mut self, target: FunctionRef) {
        let changes = self.engine.changes_of(target);
        self.forget_globals(&changes);
        self.forget_anywhere(changes.through_pointers, changes.there.objects());
        self.forget_anywhere(changes.through_any_parameter(), None);
    }

    /// Forgets what a call of a function of the program may change.
    fn forget_call(&mut self, target: FunctionRef, args: &[Expr], modified: &FxHashSet<LocalId>) {
        let changes = self.engine.changes_of(target);
        self.forget_globals(&changes);
        self.forget_anywhere(changes.through_pointers, changes.there.objects());
        for (index, arg) in args.iter().enumerate() {
            let stored = changes.through_parameters.get(index).copied().unwrap_or_default();
            let all = stored.union(changes.through_pointers);
            if all == Stored::NOTHING || matches!(arg.strip_casts().kind, ExprKind::Int(0)) {
                continue;
            }
            let (value, known) = self.pointer_before(arg, modified);
            if let Some(value) = value {
                self.forget_in(&value, stored);
                self.forget_reachable_of(&[value], changes.through_pointers, changes.there.objects());
            }
            if !known && stored != Stored::NOTHING {
                let pointees = self.engine.pointees(self.function, arg);
                self.forget_behind(&Value::Unknown, stored, pointees.as_deref());
            }
        }
    }

    fn forget_globals(&mut self, changes: &Changes) {
        let mut globals: Vec<ObjectId> = changes.globals.iter().copied().collect();
        globals.sort_unstable();
        for object in globals {
            self.memory.content(object).forget();
        }
    }

    /// Forgets what is stored through pointers that may point to some objects (`None`: any).
    fn forget_anywhere(&mut self, stored: Stored, pointees: Option<&Pointees>) {
        if stored != Stored::NOTHING {
            self.forget_behind(&Value::Unknown, stored, pointees);
        }
    }

    /// Forgets what a call of the library leaves in the world: it may be made or not, and more than once.
    pub(crate) fn forget_history(&mut self, model: &Model) {
        if let Some((resource, true)) = model.resource {
            self.set_history(resource, None);
        }
        for object in self.engine.left_by(model) {
            self.memory.content(object).forget();
        }
    }

    /// Forgets what is stored in a place, wherever in a region that is done.
    pub(crate) fn forget_place(&mut self, place: &Place, modified: &FxHashSet<LocalId>) {
        match &place.base {
            PlaceBase::Local(local) => {
                let object = self.engine.local_object(self.function, self.context, *local);
                self.memory.content(object).forget();
            }
            PlaceBase::Global(global) => {
                let object = self.engine.global_object(self.function.unit, *global);
                self.memory.content(object).forget();
            }
            PlaceBase::Deref(pointer) => {
                let stored = Stored::of_place(&self.unit().types, place);
                if !self.forget_pointee(pointer, modified, stored) {
                    let pointees = self.engine.pointees(self.function, pointer);
                    self.forget_behind(&Value::Unknown, stored, pointees.as_deref());
                }
            }
        }
    }

    /// Forgets what something may have changed that is stored where a pointer points to, or where one can get from there; `false` when
    /// that is not known.
    fn forget_pointee(&mut self, pointer: &Expr, modified: &FxHashSet<LocalId>, stored: Stored) -> bool {
        let (value, known) = self.pointer_before(pointer, modified);
        if let Some(value) = value {
            self.forget_reachable(&[value], stored);
        }
        known
    }

    /// Where a pointer points to before code is executed, and whether it does so all the time.
    fn pointer_before(&mut self, pointer: &Expr, modified: &FxHashSet<LocalId>) -> (Option<Value>, bool) {
        let mut stable = true;
        visit(pointer, &mut |place| {
            if let PlaceBase::Local(local) = place.base {
                stable &= !modified.contains(&local);
            }
        });
        match self.eval(pointer) {
            Ok(value @ (Value::Address(..) | Value::Within(_))) => (Some(value), stable),
            _ => (None, false),
        }
    }

    /// Forgets what something may have changed that is stored in the object that a pointer points to.
    fn forget_in(&mut self, pointer: &Value, stored: Stored) {
        let Some(object) = super::state::target(pointer).map(|target| target.object) else { return };
        if stored != Stored::NOTHING && !self.engine.objects.kind(object).is_library() {
            self.engine.ensure(self.memory, object);
            self.engine.forget_stored(self.memory, object, stored.anywhere());
        }
    }

    /// Forgets what something may have changed that is stored in objects that some values point to, or in those that their contents point
    /// to. Where a pointer is known to point to no string, characters that are stored there are parts of what is there.
    pub(crate) fn forget_reachable(&mut self, values: &[Value], stored: Stored) {
        self.forget_reachable_of(values, stored, None);
    }

    /// The same where only some objects may be changed (`None`: any).
    fn forget_reachable_of(&mut self, values: &[Value], stored: Stored, changed: Option<&Pointees>) {
        let stored = stored.anywhere();
        let mut work: Vec<ObjectId> =
            values.iter().filter_map(|v| super::state::target(v).map(|t| t.object)).collect();
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        while let Some(object) = work.pop() {
            if !seen.insert(object) || self.engine.objects.kind(object).is_library() {
                continue;
            }
            self.engine.ensure(self.memory, object);
            let cells = self.memory.get(object).map(|content| content.cells.values());
            work.extend(
                cells.into_iter().flatten().filter_map(|(_, v)| Some(super::state::target(v)?.object)),
            );
            if self.engine.may_be_in(object, changed) {
                self.engine.forget_stored(self.memory, object, stored);
            }
        }
    }
}

/// The communicating function that an instruction calls or may reach.
pub(crate) fn communication(
    program: &Program,
    communicating: &FxHashSet<FunctionRef>,
    function: FunctionRef,
    inst: &Inst,
) -> Option<String> {
    leads_to(program, communicating, |call| !is_silent(call), function, inst)
}

/// The function that an instruction calls, if it is one of those that are wanted, or leads to one.
pub(crate) fn leads_to(
    program: &Program,
    leading: &FxHashSet<FunctionRef>,
    wanted: impl Fn(&frontend::mpi::Function) -> bool,
    function: FunctionRef,
    inst: &Inst,
) -> Option<String> {
    let InstKind::Call { callee, args, .. } = &inst.kind else { return None };
    match callee {
        Callee::Direct { mpi: Some(mpi), .. } => wanted(mpi).then(|| mpi.name.to_owned()),
        Callee::Direct { name, mpi: None } => match program.resolve(function.unit, name) {
            Resolution::Defined(target) => leading.contains(&target).then(|| name.to_string()),
            Resolution::External => None,
        },
        Callee::Indirect(pointer) => {
            let targets = program.call_targets(function, pointer, args.len());
            let target = targets.iter().find(|t| leading.contains(t))?;
            Some(program.function(*target).name.to_string())
        }
    }
}

pub(crate) struct Region {
    pub(crate) blocks: Vec<BlockId>,
    /// Whether some path in it ends the program.
    exits: bool,
}

/// Locals that are live where the arms of a branch begin.
fn live_at_arms(cfg: &Cfg, branch: BlockId, facts: &FunctionFacts) -> FxHashSet<LocalId> {
    let mut live: FxHashSet<LocalId> = FxHashSet::default();
    for target in cfg.graph[branch].terminator.targets() {
        live.extend(facts.live_at(target));
    }
    live
}

/// Locals that are written in a region or whose address is taken there.
fn touched(cfg: &Cfg, region: &Region) -> FxHashSet<LocalId> {
    let mut found = FxHashSet::default();
    let mut note = |base: &PlaceBase| {
        if let PlaceBase::Local(local) = base {
            found.insert(*local);
        }
    };
    for inst in region.blocks.iter().flat_map(|&block| &cfg.graph[block].insts) {
        match &inst.kind {
            InstKind::Assign(place, value) => {
                note(&place.base);
                addresses(value, &mut |place| note(&place.base));
            }
            InstKind::Call { dest, args, .. } => {
                dest.iter().for_each(|place| note(&place.base));
                args.iter().for_each(|arg| addresses(arg, &mut |place| note(&place.base)));
            }
            InstKind::Opaque { writes, .. } => {
                writes.iter().flatten().for_each(|place| note(&place.base));
            }
            InstKind::Declare(local) => note(&PlaceBase::Local(*local)),
        }
    }
    found
}

/// Blocks on paths from the arms of a branch to the place where they meet again, without dead ends.
pub(crate) fn region_of(cfg: &Cfg, branch: BlockId, end: Option<BlockId>, dead_end: &[bool]) -> Region {
    region_where(cfg, branch, end, dead_end, &FxHashMap::default())
}

/// The same where some blocks go on to one other only.
fn region_where(
    cfg: &Cfg,
    branch: BlockId,
    end: Option<BlockId>,
    dead_end: &[bool],
    decided: &FxHashMap<BlockId, BlockId>,
) -> Region {
    let mut blocks = Vec::new();
    let mut exits = false;
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut work = cfg.graph[branch].terminator.targets();
    while let Some(block) = work.pop() {
        if Some(block) == end {
            continue;
        }
        if dead_end[block.index()] {
            exits |= !is_excluded(cfg, block);
            continue;
        }
        if seen.insert(block) {
            blocks.push(block);
            exits |= matches!(cfg.graph[block].terminator, Terminator::Unreachable);
            match decided.get(&block) {
                Some(&only) => work.push(only),
                None => work.extend(cfg.graph[block].terminator.targets()),
            }
        }
    }
    blocks.sort_unstable();
    Region { blocks, exits }
}

/// Locals that a region gives a new value other than by moving them by a constant.
pub(crate) fn reassigned(cfg: &Cfg, blocks: &[BlockId]) -> FxHashSet<LocalId> {
    use frontend::ir::{BinaryOp, ExprKind};
    let mut locals = FxHashSet::default();
    for inst in blocks.iter().flat_map(|&b| &cfg.graph[b].insts) {
        match &inst.kind {
            InstKind::Assign(place, value) => {
                if let Some(local) = place.as_local() {
                    let moves = match &value.kind {
                        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, base, _) => {
                            matches!(&base.kind, ExprKind::Load(from) if from.as_local() == Some(local))
                        }
                        _ => false,
                    };
                    if !moves {
                        locals.insert(local);
                    }
                }
            }
            InstKind::Call { dest: Some(place), .. } => locals.extend(place.as_local()),
            _ => {}
        }
    }
    locals
}

/// Locals of each function whose address may be kept by somebody: it is used other than as an argument of a library call, or of an
/// MPI call that is done with it when it returns. And globals likewise.
pub(crate) fn escaping(
    engine: &mut Engine<'_>,
    functions: &[FunctionRef],
) -> (FxHashMap<FunctionRef, FxHashSet<LocalId>>, FxHashSet<ObjectId>) {
    let mut locals: FxHashMap<FunctionRef, FxHashSet<LocalId>> = FxHashMap::default();
    let mut globals = FxHashSet::default();
    for &function in functions {
        let program = engine.program;
        let Some(cfg) = &program.function(function).body else { continue };
        let mut leak = |expr: &Expr, engine: &mut Engine<'_>| {
            addresses(expr, &mut |place| match place.base {
                PlaceBase::Local(local) => {
                    locals.entry(function).or_default().insert(local);
                }
                PlaceBase::Global(global) => {
                    globals.insert(engine.global_object(function.unit, global));
                }
                PlaceBase::Deref(_) => {}
            });
        };
        for block in cfg.graph.node_weights() {
            for inst in &block.insts {
                match &inst.kind {
                    InstKind::Assign(_, value) => leak(value, engine),
                    InstKind::Call { callee, args, .. } => {
                        let kept = match callee {
                            Callee::Direct { mpi: Some(mpi), .. } => {
                                let completion = mpi.class.completion();
                                let goes_on = |how| !matches!(how, frontend::mpi::Completion::Blocking);
                                // What has an address as a number may be reached from `MPI_BOTTOM`.
                                let is_told = mpi.class == Class::Address(AddressOp::Get);
                                is_told || concerns_window(mpi.class) || completion.is_some_and(goes_on)
                            }
                            Callee::Direct { name, mpi: None } => {
                                matches!(program.resolve(function.unit, name), Resolution::Defined(_))
                            }
                            Callee::Indirect(_) => true,
                        };
                        if kept {
                            args.iter().for_each(|arg| leak(arg, engine));
                        }
                    }
                    InstKind::Declare(_) | InstKind::Opaque { .. } => {}
                }
            }
            if let Terminator::Return(Some(value), _) = &block.terminator {
                leak(value, engine);
            }
        }
    }
    for unit in 0..engine.program.units.len() {
        let program = engine.program;
        for global in &program.units[unit].globals {
            if let Some(init) = &global.init {
                initializer_addresses(init, &mut |id| {
                    globals.insert(engine.global_object(unit, id));
                });
            }
        }
    }
    (locals, globals)
}

fn addresses(expr: &Expr, found: &mut impl FnMut(&Place)) {
    use frontend::ir::ExprKind;
    match &expr.kind {
        ExprKind::AddressOf(place) => found(place),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => addresses(a, found),
        ExprKind::Binary(_, a, b) => {
            addresses(a, found);
            addresses(b, found);
        }
        ExprKind::Conditional(_, b, c) => {
            addresses(b, found);
            addresses(c, found);
        }
        _ => {}
    }
}

fn initializer_addresses(init: &frontend::ir::Initializer, found: &mut impl FnMut(frontend::ir::GlobalId)) {
    match init {
        frontend::ir::Initializer::Scalar(expr) => addresses(expr, &mut |place| {
            if let PlaceBase::Global(global) = place.base {
                found(global);
            }
        }),
        frontend::ir::Initializer::Aggregate(parts) => {
            parts.iter().for_each(|(_, part)| initializer_addresses(part, found));
        }
        frontend::ir::Initializer::Unknown => {}
    }
}
