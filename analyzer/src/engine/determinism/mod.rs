//! Code that is passed over and does the same on all ranks: what it writes is not known, but equal where its inputs are.
//!
//! A flow-insensitive analysis of the code between a branch and the place where its arms meet, with the functions of the program that
//! it calls: which of what it writes depends on data that may differ between ranks, by value, by the place that is written to, or
//! because such data decides whether it is written. The rest is a function of everything that the code reads, whatever its
//! loops compute; that function of those inputs is the new value.
//!
//! Pointers are followed to the objects that they may point to; what is read through a pointer of unknown target may differ, and
//! what is written through one may be in every exposed object.

mod agreement;
mod calls;
mod outcome;
mod points_to;

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::{BlockId, Callee, Cfg, Expr, Inst, InstKind, LocalId, Terminator};
use frontend::program::{FunctionRef, Resolution};
use rustc_hash::{FxHashMap, FxHashSet};

use self::agreement::{Abstract, Level};
use self::points_to::{Bytes, Shape, Written};
use super::aliasing::Stored;
use super::changes::stored_in;
use super::effects::region_of;
use super::environment::{self, Resource};
use super::eval::Scope;
use super::files::concerns_file;
use super::functions::is_excluded;
use super::library::{self, Effect};
use super::memory::{ContextId, ObjectId};
use super::value::Value;
use super::windows::{concerns_window, lets_others_write};

/// The function that a piece of code computes begins with this.
pub(crate) const CODE: &str = "code at ";

/// Instructions looked at before the analysis gives up.
const BUDGET: u32 = 100_000;

/// Code that is executed: that which is passed over, or a function that is called there, however often. These may be one function
/// where it calls itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Code {
    function: FunctionRef,
    /// Whether it is the code that is passed over.
    is_home: bool,
}

/// What code looks at and other code may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Item {
    Memory(ObjectId),
    /// Whether some ranks only may execute a block.
    Contended(Code, BlockId),
    /// Whether some ranks only may execute any of it.
    AllContended(Code),
    ResultOf(Code),
    Files,
    Addressed,
}

/// The last look at a block.
#[derive(Debug, Default)]
struct Look {
    /// Number of changes before it.
    changes: u64,
    items: FxHashSet<Item>,
}

/// Some code on its way through the analysis.
#[derive(Clone, Debug, Default)]
struct Activation {
    blocks: Vec<BlockId>,
    /// Blocks that some ranks may execute and others not.
    contended: FxHashSet<BlockId>,
    /// All of it may be executed by some ranks only.
    all_contended: bool,
    result: Abstract,
}

/// The analysis of one piece of code.
struct Analysis<'s, 'e, 'p> {
    scope: &'s mut Scope<'e, 'p>,
    /// The function that the code is in, and where the code ends.
    home: FunctionRef,
    start: BlockId,
    /// Whether ranks may take different ways at the branch.
    forked: bool,
    activations: BTreeMap<Code, Activation>,
    written: BTreeMap<ObjectId, Written>,
    /// What of the initial memory is read; `None`: all of the object.
    read: BTreeSet<(ObjectId, Option<Bytes>)>,
    /// Locals of the function that have no value that the code could read.
    fresh: FxHashSet<LocalId>,
    /// Memory that the code allocates; `true`: several times.
    allocated: BTreeMap<ObjectId, bool>,
    resources: Vec<Resource>,
    /// How much ranks agree on what the code reads from files; [`Level::Bottom`]: it reads none.
    files: Level,
    catches_signals: bool,
    /// Whether a function that is called may end the program.
    exits: bool,
    /// Objects whose address is taken.
    addressed: BTreeSet<ObjectId>,
    exposed: BTreeSet<ObjectId>,
    initial: FxHashMap<(ObjectId, Option<Bytes>), Abstract>,
    /// Number of changes so far, and which of them was the last of an item: what looked at nothing that has changed since then needs
    /// no second look.
    changes: u64,
    last_change: FxHashMap<Item, u64>,
    /// What the block that is being looked at has looked at.
    looked_at: FxHashSet<Item>,
    looks: FxHashMap<(Code, BlockId), Look>,
    budget: u32,
}

/// The code cannot be analysed.
struct Beyond;

/// The code that is passed over.
pub(crate) struct Passed<'c> {
    pub(crate) cfg: &'c Cfg,
    /// The block that ends with the branch.
    pub(crate) start: BlockId,
    pub(crate) blocks: &'c [BlockId],
    /// Locals that are live where the code begins.
    pub(crate) live: FxHashSet<LocalId>,
    /// Whether ranks may take different ways at the branch.
    pub(crate) forked: bool,
}

impl Scope<'_, '_> {
    /// Passes over code that does not communicate and changes memory as it does. Returns the result of the function, for
    /// code that returns, and whether a function that is called may end the program; `None`, and nothing is changed: it is beyond the
    /// analysis.
    pub(crate) fn pass_over(&mut self, code: &Passed<'_>) -> Option<(Value, bool)> {
        let (home, exposed) = (self.function, self.engine.exposed(self.memory));
        let mut fresh: FxHashSet<LocalId> = declared(code.cfg, code.blocks);
        let locals = &self.engine.program.function(home).locals;
        fresh.extend(
            (0..locals.len())
                .filter_map(|index| u32::try_from(index).ok().map(LocalId))
                .filter(|id| !code.live.contains(id) && locals[id.0 as usize].static_init.is_none()),
        );
        let mut analysis = Analysis {
            scope: self,
            home,
            start: code.start,
            forked: code.forked,
            activations: BTreeMap::new(),
            written: BTreeMap::new(),
            read: BTreeSet::new(),
            fresh,
            allocated: BTreeMap::new(),
            resources: Vec::new(),
            files: Level::Bottom,
            catches_signals: false,
            exits: false,
            addressed: BTreeSet::new(),
            exposed,
            initial: FxHashMap::default(),
            changes: 0,
            last_change: FxHashMap::default(),
            looked_at: FxHashSet::default(),
            looks: FxHashMap::default(),
            budget: BUDGET,
        };
        let activation = Activation { blocks: code.blocks.to_vec(), ..Activation::default() };
        analysis.activations.insert(Code { function: home, is_home: true }, activation);
        analysis.run().ok()?;
        analysis.finish()
    }
}

/// Locals whose storage begins in some blocks.
fn declared(cfg: &Cfg, blocks: &[BlockId]) -> FxHashSet<LocalId> {
    let insts = blocks.iter().flat_map(|&block| &cfg.graph[block].insts);
    insts
        .filter_map(|inst| match inst.kind {
            InstKind::Declare(local) => Some(local),
            _ => None,
        })
        .collect()
}

impl Analysis<'_, '_, '_> {
    fn run(&mut self) -> Result<(), Beyond> {
        let mut before = None;
        while before != Some((self.changes, self.activations.len())) {
            before = Some((self.changes, self.activations.len()));
            for code in self.activations.keys().copied().collect::<Vec<Code>>() {
                self.pass(code)?;
            }
        }
        Ok(())
    }

    fn has_changed(&mut self, item: Item) {
        self.changes += 1;
        self.last_change.insert(item, self.changes);
    }

    fn look_at(&mut self, item: Item) {
        self.looked_at.insert(item);
    }

    /// Whether a look at a block could find anything new; begins it if so.
    fn begin_look(&mut self, code: Code, block: BlockId) -> bool {
        let look = self.looks.entry((code, block));
        if let std::collections::hash_map::Entry::Occupied(look) = &look {
            let look = look.get();
            let is_old = |item| self.last_change.get(item).is_none_or(|&change| change <= look.changes);
            if look.items.iter().all(is_old) {
                return false;
            }
        }
        let look = look.or_default();
        look.changes = self.changes;
        self.looked_at = std::mem::take(&mut look.items);
        true
    }

    fn end_look(&mut self, code: Code, block: BlockId) {
        let items = std::mem::take(&mut self.looked_at);
        self.looks.entry((code, block)).or_default().items = items;
    }

    /// Whether some ranks only may execute a block.
    fn is_contended(&mut self, code: Code, block: BlockId) -> bool {
        self.look_at(Item::Contended(code, block));
        self.look_at(Item::AllContended(code));
        let activation = &self.activations[&code];
        activation.all_contended || activation.contended.contains(&block)
    }

    /// Looks at each block of a function for which there is anything new.
    fn pass(&mut self, code: Code) -> Result<(), Beyond> {
        let program = self.scope.engine.program;
        let Some(cfg) = &program.function(code.function).body else { return Err(Beyond) };
        if code.is_home
            && !self.activations[&code].blocks.contains(&self.start)
            && self.begin_look(code, self.start)
        {
            self.terminator(code, cfg, self.start)?;
            self.end_look(code, self.start);
        }
        for block in self.activations[&code].blocks.clone() {
            if !self.begin_look(code, block) {
                continue;
            }
            for inst in &cfg.graph[block].insts {
                if self.scope.engine.is_late() {
                    return Err(Beyond);
                }
                self.budget = self.budget.checked_sub(1).ok_or(Beyond)?;
                let contended = self.is_contended(code, block)
                    || program.function(code.function).executed_by_several_threads(inst.span);
                self.inst(code, cfg, block, inst, contended)?;
            }
            self.terminator(code, cfg, block)?;
            self.end_look(code, block);
        }
        Ok(())
    }

    fn terminator(&mut self, code: Code, cfg: &Cfg, block: BlockId) -> Result<(), Beyond> {
        let level = match &cfg.graph[block].terminator {
            Terminator::Goto(_) | Terminator::Unreachable => return Ok(()),
            Terminator::IndirectGoto(_) => Level::Varying,
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                self.eval(code, value)?.level
            }
            Terminator::Return(value, _) => {
                let mut result = match value {
                    Some(value) => self.eval(code, value)?,
                    None => Abstract::default(),
                };
                if self.is_contended(code, block) {
                    result.level = Level::Varying;
                }
                self.give_back(code, &result);
                return Ok(());
            }
        };
        let forks = level == Level::Varying || (code.is_home && block == self.start && self.forked);
        if !forks {
            return Ok(());
        }
        let facts = std::rc::Rc::clone(self.scope.engine.facts_of(code.function));
        let arms = region_of(cfg, block, facts.postdominator[block.index()], &facts.dead_end);
        let contended = &mut self.activations.entry(code).or_default().contended;
        let new: Vec<BlockId> = arms.blocks.into_iter().filter(|&block| contended.insert(block)).collect();
        new.into_iter().for_each(|block| self.has_changed(Item::Contended(code, block)));
        Ok(())
    }

    /// Some code may return this.
    fn give_back(&mut self, code: Code, result: &Abstract) {
        let known = &mut self.activations.entry(code).or_default().result;
        let before = known.clone();
        known.join(result);
        if *known != before {
            self.has_changed(Item::ResultOf(code));
        }
    }

    fn inst(
        &mut self,
        code: Code,
        cfg: &Cfg,
        block: BlockId,
        inst: &Inst,
        contended: bool,
    ) -> Result<(), Beyond> {
        match &inst.kind {
            InstKind::Declare(_) => Ok(()),
            InstKind::Assign(place, value) => {
                let value = self.eval(code, value)?;
                self.store(code, place, value, contended)
            }
            InstKind::Opaque { writes: Some(places), .. } => {
                places.iter().try_for_each(|place| self.store(code, place, Abstract::varying(), true))
            }
            InstKind::Opaque { writes: None, .. } => {
                self.store_wild(Stored::ANYTHING, true, &Abstract::varying(), None);
                Ok(())
            }
            InstKind::Call { dest, callee, args } => {
                let once = code.is_home && !cfg.loops.iter().any(|l| l.blocks.contains(&block));
                let result = self.call(code, callee, args, inst, contended, once)?;
                match dest {
                    Some(dest) => self.store(code, dest, result, contended),
                    None => Ok(()),
                }
            }
        }
    }

    fn call(
        &mut self,
        code: Code,
        callee: &Callee,
        args: &[Expr],
        inst: &Inst,
        contended: bool,
        once: bool,
    ) -> Result<Abstract, Beyond> {
        let program = self.scope.engine.program;
        let values = args.iter().map(|arg| self.eval(code, arg)).collect::<Result<Vec<_>, _>>()?;
        let name = match callee {
            Callee::Direct { mpi: Some(mpi), .. } => {
                if concerns_file(mpi.class) {
                    self.scope.engine.assume_files_work();
                }
                if concerns_window(mpi.class) {
                    self.scope.engine.assume_epochs_fit();
                }
                if lets_others_write(mpi) {
                    let ground = std::rc::Rc::clone(&self.scope.engine.ground);
                    if let Some(windows) = ground.window_memory() {
                        self.store_wild(Stored::ANYTHING, false, &Abstract::varying(), windows.objects());
                    }
                }
                for ((param, arg), value) in mpi.params.iter().zip(args).zip(&values) {
                    if param.direction.writes() && param.is_pointer() {
                        let stored = (&Abstract::varying(), stored_in(param));
                        self.store_behind(code, arg, value, None, stored);
                    }
                }
                let level = if mpi.ret == "int" { Level::Uniform } else { Level::Varying };
                return Ok(Abstract::of(level));
            }
            Callee::Direct { name, mpi: None } => name,
            Callee::Indirect(pointer) => {
                let value = self.eval(code, pointer)?;
                if !value.number && !value.wild {
                    // It is null: whoever is here does not call it.
                    return Ok(Abstract::default());
                }
                let level = value.level;
                let targets = program.call_targets(code.function, pointer, args.len());
                if targets.is_empty() {
                    // None of the program, if it is called at all.
                    return self.unknown_function(code, args, &values);
                }
                let mut result = Abstract::default();
                for target in targets {
                    result.join(&self.enter(target, &values, contended || level == Level::Varying)?);
                }
                return Ok(result.at_least(level));
            }
        };
        match program.resolve(code.function.unit, name) {
            Resolution::Defined(target) => self.enter(target, &values, contended),
            Resolution::External => match (environment::model(name), library::effect(name)) {
                (Some(model), _) => self.modelled(code, &model, args, values, contended),
                (None, Some(effect)) if effect != Effect::Writes && effect != Effect::Line => {
                    Ok(self.effect(code, effect, args, &values, inst, contended, once))
                }
                _ => self.unknown_function(code, args, &values),
            },
        }
    }

    /// A function of the program: its locals are told from those of the activation that the code is in.
    fn enter(
        &mut self,
        target: FunctionRef,
        values: &[Abstract],
        contended: bool,
    ) -> Result<Abstract, Beyond> {
        let program = self.scope.engine.program;
        let function = program.function(target);
        let Some(cfg) = &function.body else { return Err(Beyond) };
        let code = Code { function: target, is_home: false };
        if !self.activations.contains_key(&code) {
            let facts = std::rc::Rc::clone(self.scope.engine.facts_of(target));
            let blocks = cfg.graph.node_indices().filter(|block| !facts.dead_end[block.index()]).collect();
            let leaves = |block: BlockId| facts.dead_end[block.index()] && !is_excluded(cfg, block);
            self.exits |= cfg.graph.node_indices().any(leaves);
            self.activations.insert(code, Activation { blocks, ..Activation::default() });
        }
        let all_contended = &mut self.activations.entry(code).or_default().all_contended;
        if contended && !std::mem::replace(all_contended, true) {
            self.has_changed(Item::AllContended(code));
        }
        for (index, value) in (0..function.params).zip(values) {
            let object = self.local(code, LocalId(index));
            let ty = function.local(LocalId(index)).ty;
            let size = program.units[target.unit].types.model_size(ty);
            self.store_at(object, size.map(|size| (0, size)), value, Shape::Typed(target.unit, ty));
        }
        self.look_at(Item::ResultOf(code));
        Ok(self.activations[&code].result.clone())
    }

    fn local(&mut self, code: Code, local: LocalId) -> ObjectId {
        let context = self.context(code);
        self.scope.engine.local_object(code.function, context, local)
    }

    /// The calls that lead to some code.
    fn context(&self, code: Code) -> ContextId {
        if code.is_home { self.scope.context } else { ContextId::PASSED }
    }
}
