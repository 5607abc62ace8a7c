//! Code that is passed over and does the same on all ranks: what it writes is not known, but equal where its inputs are.
//!
//! A flow-insensitive analysis of the code between a branch and the place where its arms meet, with the functions of the program that
//! it calls: which of what it writes depends on data that may differ between ranks, by value, by the place that is written to, or
//! because such data decides whether it is written. The rest is a function of everything that the code reads, whatever its
//! loops compute; that function of those inputs is the new value.
//!
//! Pointers are followed to the objects that they may point to; what is read through a pointer of unknown target may differ, and
//! what is written through one may be in every exposed object.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::{
    BlockId, Callee, Cfg, Expr, ExprKind, Inst, InstKind, LocalId, Place, PlaceBase, Projection, Terminator,
    Type, TypeId,
};
use frontend::program::{FunctionRef, Resolution};
use lattice::{Linear, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::contents::{TEXT, may_be_text};
use super::effects::region;
use super::environment::{self, Model, Resource, Returns, Use};
use super::eval::Scope;
use super::library::{self, Effect};
use super::memory::{Background, Content, ContextId, LARGEST_CELL, LARGEST_SCALAR, ObjectId, ObjectKind};
use super::value::Value;

/// The function that a piece of code computes begins with this.
pub(crate) const CODE: &str = "code at ";

/// Instructions looked at before the analysis gives up.
const BUDGET: u32 = 100_000;
/// Inputs that are put into a symbol.
const INPUT_LIMIT: usize = 400;
/// Places in one object that are told apart.
const ENTRY_LIMIT: usize = 24;

/// How much ranks agree on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Level {
    /// There is no value yet.
    #[default]
    Bottom,
    /// Equal.
    Uniform,
    /// Perhaps different.
    Varying,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Abstract {
    level: Level,
    /// Objects that it may point to, with the byte offset if that is a number.
    targets: BTreeMap<ObjectId, Option<i64>>,
    /// Whether it may point into a string outside of the program's objects, or be a literal.
    text: bool,
    /// Whether it may point to anything else.
    wild: bool,
    /// Whether it may be anything but one of the addresses.
    plain: bool,
}

impl Abstract {
    fn of(level: Level) -> Self {
        Self { level, plain: true, ..Self::default() }
    }

    /// What may be anything.
    fn varying() -> Self {
        Self { wild: true, ..Self::of(Level::Varying) }
    }

    /// A string outside of the program's objects.
    fn text(level: Level) -> Self {
        Self { text: true, ..Self::of(level) }
    }

    /// A pointer of which only that ranks agree is known.
    fn opaque(level: Level) -> Self {
        Self { wild: true, ..Self::of(level) }
    }

    /// Whether ranks agree on it, and it is null or points into a string outside of the program's objects.
    fn is_text(&self) -> bool {
        self.level == Level::Uniform && self.targets.is_empty() && !self.wild
    }

    fn address(object: ObjectId, offset: Option<i64>) -> Self {
        Self { level: Level::Uniform, targets: BTreeMap::from([(object, offset)]), ..Self::default() }
    }

    fn join(&mut self, other: &Self) {
        self.level = self.level.max(other.level);
        self.text |= other.text;
        self.wild |= other.wild;
        self.plain |= other.plain;
        for (&object, &offset) in &other.targets {
            let known = self.targets.entry(object).or_insert(offset);
            if *known != offset {
                *known = None;
            }
        }
    }

    fn at_least(mut self, level: Level) -> Self {
        self.level = self.level.max(level);
        self
    }
}

/// A range of bytes.
type Bytes = (i64, u64);

/// A scalar or aggregate that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    value: Abstract,
    shape: Shape,
}

/// As what something is read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// As a type of a unit.
    Typed(usize, TypeId),
    /// As a number.
    Integer,
    /// As a pointer, or by the analysis alone.
    Opaque,
}

/// What the code may write to an object.
#[derive(Clone, Debug, Default)]
struct Written {
    /// At these places, which do not overlap.
    entries: BTreeMap<Bytes, Entry>,
    /// Somewhere.
    anywhere: Option<Abstract>,
}

/// Where a place may be.
#[derive(Clone, Debug, Default)]
struct Targets {
    objects: BTreeMap<ObjectId, Option<i64>>,
    /// In any exposed object.
    wild: bool,
    /// In a string outside of the program's objects.
    text: bool,
    /// How much ranks agree on the place.
    level: Level,
}

/// One function on its way through the analysis.
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
    activations: BTreeMap<FunctionRef, Activation>,
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
    changed: bool,
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
            changed: true,
            budget: BUDGET,
        };
        let activation = Activation { blocks: code.blocks.to_vec(), ..Activation::default() };
        analysis.activations.insert(home, activation);
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

impl<'p> Analysis<'_, '_, 'p> {
    fn run(&mut self) -> Result<(), Beyond> {
        while std::mem::take(&mut self.changed) {
            let functions: Vec<FunctionRef> = self.activations.keys().copied().collect();
            for function in functions {
                self.pass(function)?;
            }
        }
        Ok(())
    }

    /// Looks at each block of a function once.
    fn pass(&mut self, function: FunctionRef) -> Result<(), Beyond> {
        let program = self.scope.engine.program;
        let Some(cfg) = &program.function(function).body else { return Err(Beyond) };
        if function == self.home && !self.activations[&function].blocks.contains(&self.start) {
            self.terminator(function, cfg, self.start)?;
        }
        for block in self.activations[&function].blocks.clone() {
            if self.scope.engine.is_late() {
                return Err(Beyond);
            }
            for inst in &cfg.graph[block].insts {
                self.budget = self.budget.checked_sub(1).ok_or(Beyond)?;
                let activation = &self.activations[&function];
                let contended = activation.all_contended
                    || activation.contended.contains(&block)
                    || program.function(function).executed_by_several_threads(inst.span);
                self.inst(function, cfg, block, inst, contended)?;
            }
            self.terminator(function, cfg, block)?;
        }
        Ok(())
    }

    fn terminator(&mut self, function: FunctionRef, cfg: &Cfg, block: BlockId) -> Result<(), Beyond> {
        let level = match &cfg.graph[block].terminator {
            Terminator::Goto(_) | Terminator::Unreachable => return Ok(()),
            Terminator::IndirectGoto(_) => Level::Varying,
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                self.eval(function, value)?.level
            }
            Terminator::Return(value, _) => {
                let mut result = match value {
                    Some(value) => self.eval(function, value)?,
                    None => Abstract::default(),
                };
                let activation = &self.activations[&function];
                if activation.all_contended || activation.contended.contains(&block) {
                    result.level = Level::Varying;
                }
                return self.update(function, |activation| activation.result.join(&result));
            }
        };
        let forks = level == Level::Varying || (function == self.home && block == self.start && self.forked);
        if !forks {
            return Ok(());
        }
        let facts = std::rc::Rc::clone(self.scope.engine.facts_of(function));
        let arms = region(cfg, block, facts.postdominator[block.index()], &facts.dead_end);
        self.update(function, |activation| activation.contended.extend(arms.blocks))
    }

    fn update(&mut self, function: FunctionRef, change: impl FnOnce(&mut Activation)) -> Result<(), Beyond> {
        let activation = self.activations.get_mut(&function).ok_or(Beyond)?;
        let before = (activation.contended.len(), activation.all_contended, activation.result.clone());
        change(activation);
        self.changed |=
            before != (activation.contended.len(), activation.all_contended, activation.result.clone());
        Ok(())
    }

    fn inst(
        &mut self,
        function: FunctionRef,
        cfg: &Cfg,
        block: BlockId,
        inst: &Inst,
        contended: bool,
    ) -> Result<(), Beyond> {
        match &inst.kind {
            InstKind::Declare(_) => Ok(()),
            InstKind::Assign(place, value) => {
                let value = self.eval(function, value)?;
                self.store(function, place, value, contended)
            }
            InstKind::Opaque { writes: Some(places), .. } => {
                places.iter().try_for_each(|place| self.store(function, place, Abstract::varying(), true))
            }
            InstKind::Opaque { writes: None, .. } => {
                self.store_wild(true, &Abstract::varying());
                Ok(())
            }
            InstKind::Call { dest, callee, args } => {
                let once = function == self.home && !cfg.loops.iter().any(|l| l.blocks.contains(&block));
                let result = self.call(function, callee, args, inst, contended, once)?;
                match dest {
                    Some(dest) => self.store(function, dest, result, contended),
                    None => Ok(()),
                }
            }
        }
    }

    fn call(
        &mut self,
        function: FunctionRef,
        callee: &Callee,
        args: &[Expr],
        inst: &Inst,
        contended: bool,
        once: bool,
    ) -> Result<Abstract, Beyond> {
        let program = self.scope.engine.program;
        let values = args.iter().map(|arg| self.eval(function, arg)).collect::<Result<Vec<_>, _>>()?;
        let name = match callee {
            Callee::Direct { mpi: Some(mpi), .. } => {
                for (param, value) in mpi.params.iter().zip(&values) {
                    if param.direction.writes() && param.is_pointer() {
                        self.store_behind(value, None, &Abstract::varying(), true);
                    }
                }
                let level = if mpi.ret == "int" { Level::Uniform } else { Level::Varying };
                return Ok(Abstract::of(level));
            }
            Callee::Direct { name, mpi: None } => name,
            Callee::Indirect(pointer) => {
                let level = self.eval(function, pointer)?.level;
                let targets = program.indirect_targets(function);
                if targets.is_empty() {
                    return Err(Beyond);
                }
                let mut result = Abstract::default();
                for target in targets {
                    result.join(&self.enter(target, &values, contended || level == Level::Varying)?);
                }
                return Ok(result.at_least(level));
            }
        };
        match program.resolve(function.unit, name) {
            Resolution::Defined(target) => self.enter(target, &values, contended),
            Resolution::External => match (environment::model(name), library::effect(name)) {
                (Some(model), _) => self.modelled(function, &model, args, values, contended),
                (None, Some(effect)) if effect != Effect::Writes && effect != Effect::Line => {
                    Ok(self.effect(function, effect, args, &values, inst, contended, once))
                }
                _ => self.unknown_function(function, args, &values),
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
        // One more activation of the function that the code is in would have the same blocks.
        let Some(cfg) = function.body.as_ref().filter(|_| target != self.home) else { return Err(Beyond) };
        if !self.activations.contains_key(&target) {
            let facts = std::rc::Rc::clone(self.scope.engine.facts_of(target));
            let blocks = cfg.graph.node_indices().filter(|block| !facts.dead_end[block.index()]).collect();
            self.exits |= facts.dead_end.contains(&true);
            self.activations.insert(target, Activation { blocks, ..Activation::default() });
            self.changed = true;
        }
        if contended {
            self.update(target, |activation| activation.all_contended = true)?;
        }
        for (index, value) in (0..function.params).zip(values) {
            let object = self.local(target, LocalId(index));
            let ty = function.local(LocalId(index)).ty;
            let size = program.units[target.unit].types.model_size(ty);
            self.store_at(object, size.map(|size| (0, size)), value, Shape::Typed(target.unit, ty));
        }
        Ok(self.activations[&target].result.clone())
    }

    fn local(&mut self, function: FunctionRef, local: LocalId) -> ObjectId {
        let context = if function == self.home { self.scope.context } else { ContextId::PASSED };
        self.scope.engine.local_object(function, context, local)
    }

    fn modelled(
        &mut self,
        function: FunctionRef,
        model: &Model,
        args: &[Expr],
        mut values: Vec<Abstract>,
        contended: bool,
    ) -> Result<Abstract, Beyond> {
        let tokens = self.scope.engine.objects.object(ObjectKind::Library("strtok"));
        if matches!(model.resource, Some((Resource::Tokens, _)))
            && let Some(first) = values.first_mut()
        {
            // Null goes on in the string of the last call.
            self.store_at(tokens, Some((0, 8)), first, Shape::Opaque);
            first.join(&self.load_at(tokens, Some((0, 8))));
        }
        let mut level = Level::Uniform;
        for (index, value) in values.iter().enumerate() {
            match model.uses(index) {
                Use::Value => level = level.max(value.level),
                Use::Read | Use::Update => {
                    let ty = args.get(index).map(|arg| arg.strip_casts().ty);
                    level = level.max(self.level_behind(function, value, ty));
                }
                Use::Write | Use::Ignore => {}
            }
        }
        if let Some((resource, _)) = model.resource {
            level = level.max(match resource {
                Resource::Files => Level::Uniform,
                Resource::File(_) => self.open_files(),
                _ => self.history(resource),
            });
            if resource == Resource::Options {
                let taken = self.scope.engine.objects.object(ObjectKind::Library("optind"));
                level = level.max(self.load_at(taken, None).level);
            }
            if !self.resources.contains(&resource) {
                self.resources.push(resource);
            }
        }
        if contended {
            level = Level::Varying;
        }
        let result = Abstract::of(level);
        for (index, (arg, value)) in args.iter().zip(&values).enumerate() {
            if matches!(model.uses(index), Use::Write | Use::Update) {
                let scalar = self.scalar_behind(function, arg);
                self.store_behind(value, scalar, &result, may_write_text(self, function, arg));
            }
        }
        match model.resource {
            Some((Resource::File(_), true)) => self.files = self.files.max(level),
            Some((Resource::Files, _)) | Some((_, false)) | None => {}
            Some((resource, true)) => self.set_history(resource, level),
        }
        if matches!(model.resource, Some((Resource::Options, _))) {
            self.options_taken(&values, level);
        }
        let first = values.first().cloned().unwrap_or_default();
        Ok(match model.returns {
            Returns::Integer => result,
            Returns::Other => Abstract::opaque(level),
            Returns::Text => Abstract::text(level),
            Returns::Inside => {
                let targets = first.targets.keys().map(|&object| (object, None)).collect();
                Abstract { level, targets, plain: true, ..first }
            }
            Returns::First => first,
            Returns::FirstOrNull => Abstract { plain: true, ..first.at_least(level) },
        })
    }

    fn options_taken(&mut self, values: &[Abstract], level: Level) {
        let left = [
            ("optarg", 8, Abstract::text(level), Shape::Opaque),
            ("optind", 4, Abstract::of(level), Shape::Integer),
            ("optopt", 4, Abstract::of(level), Shape::Integer),
        ];
        for (name, size, value, shape) in left {
            let object = self.scope.engine.objects.object(ObjectKind::Library(name));
            self.store_at(object, Some((0, size)), &value, shape);
        }
        let flags: Vec<ObjectId> = values.get(3).map_or_else(Vec::new, |table| {
            let tables: Vec<ObjectId> = table.targets.keys().copied().collect();
            tables.into_iter().flat_map(|table| self.load_at(table, None).targets.into_keys()).collect()
        });
        for flag in flags {
            self.store_at(flag, None, &Abstract::of(level), Shape::Opaque);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "all that is known of a call")]
    fn effect(
        &mut self,
        function: FunctionRef,
        effect: Effect,
        args: &[Expr],
        values: &[Abstract],
        inst: &Inst,
        contended: bool,
        once: bool,
    ) -> Abstract {
        match effect {
            Effect::Reads | Effect::Writes | Effect::Line => Abstract::of(Level::Varying),
            Effect::Exits => Abstract::default(),
            Effect::Signal => {
                self.catches_signals = true;
                Abstract::varying()
            }
            Effect::Owns(what) => {
                let object = self.scope.engine.objects.object(ObjectKind::Library(what));
                Abstract::address(object, Some(0))
            }
            Effect::Allocates { .. } | Effect::Reallocates | Effect::Copies => {
                let context = if function == self.home { self.scope.context } else { ContextId::PASSED };
                let kind = ObjectKind::Heap(context, function.unit, inst.span);
                let object = self.scope.engine.objects.object(kind);
                let several = !once || self.scope.memory.get(object).is_some();
                self.changed |= self.allocated.insert(object, several) != Some(several);
                let content = match effect {
                    Effect::Allocates { zeroed: true } => Abstract::of(Level::Uniform),
                    Effect::Reallocates => values.first().map_or_else(Abstract::default, |old| {
                        let mut content = Abstract::default();
                        for &object in old.targets.keys() {
                            content.join(&self.load_at(object, None));
                        }
                        if old.wild || old.level == Level::Varying { Abstract::varying() } else { content }
                    }),
                    Effect::Copies => values.first().map_or_else(Abstract::varying, |old| {
                        let ty = args.first().map(|arg| arg.strip_casts().ty);
                        Abstract::of(self.level_behind(function, old, ty))
                    }),
                    _ => Abstract::default(),
                };
                if content != Abstract::default() {
                    let content = if contended { content.at_least(Level::Varying) } else { content };
                    self.store_at(object, None, &content, Shape::Opaque);
                }
                Abstract::address(object, Some(0))
            }
        }
    }

    /// A function that nobody knows may write to all that it can reach.
    fn unknown_function(
        &mut self,
        function: FunctionRef,
        args: &[Expr],
        values: &[Abstract],
    ) -> Result<Abstract, Beyond> {
        let unit = &self.scope.engine.program.units[function.unit];
        let is_function = |ty: TypeId| {
            let pointee = unit.types.pointee(ty).map(|to| unit.types.get(to));
            matches!(pointee, Some(Type::Function(_))) || matches!(unit.types.get(ty), Type::Function(_))
        };
        if args.iter().any(|arg| is_function(arg.strip_casts().ty)) {
            return Err(Beyond);
        }
        let mut work: Vec<ObjectId> = Vec::new();
        for value in values {
            work.extend(value.targets.keys());
            let is_pointer = value.wild && value.level == Level::Varying;
            if is_pointer {
                self.store_wild(false, &Abstract::varying());
            }
        }
        let mut seen: BTreeSet<ObjectId> = BTreeSet::new();
        while let Some(object) = work.pop() {
            if seen.insert(object) && !self.scope.engine.objects.kind(object).is_library() {
                work.extend(self.load_at(object, None).targets.into_keys());
                self.store_at(object, None, &Abstract::varying(), Shape::Opaque);
            }
        }
        Ok(Abstract::varying())
    }

    /// How much ranks agree on what is behind an argument, or on the argument where it is no pointer.
    fn level_behind(&mut self, function: FunctionRef, value: &Abstract, ty: Option<TypeId>) -> Level {
        let unit = &self.scope.engine.program.units[function.unit];
        let is_pointer = ty.is_none_or(|ty| unit.types.pointee(ty).is_some());
        if !is_pointer || value.level == Level::Varying || value.level == Level::Bottom {
            return value.level;
        }
        let mut level = value.level;
        for &object in value.targets.keys() {
            level = level.max(self.load_at(object, None).level);
        }
        if value.text {
            level = level.max(self.history(Resource::Texts));
        }
        if value.wild { Level::Varying } else { level }
    }

    /// The scalar whose address an argument is.
    fn scalar_behind(&self, function: FunctionRef, arg: &Expr) -> Option<(usize, TypeId)> {
        let types = &self.scope.engine.program.units[function.unit].types;
        let ExprKind::AddressOf(place) = &arg.strip_casts().kind else { return None };
        let scalar = match types.get(place.ty) {
            Type::Int(kind) => kind.size() > 1,
            Type::Enum(..) | Type::Float(_) | Type::Pointer(_) => true,
            _ => false,
        };
        let is_element = matches!(place.projections.last(), Some(Projection::Index(_)));
        (scalar && !is_element).then_some((function.unit, place.ty))
    }

    fn history(&mut self, resource: Resource) -> Level {
        let object = self.scope.engine.environment();
        self.load_at(object, Some((resource.offset(), 8))).level
    }

    /// How much ranks agree on what has been read from all open files.
    fn open_files(&mut self) -> Level {
        let object = self.scope.engine.environment();
        let mut level = self.files;
        for file in self.scope.files() {
            level = level.max(self.load_at(object, Some((file, 8))).level);
        }
        level
    }

    fn set_history(&mut self, resource: Resource, level: Level) {
        let object = self.scope.engine.environment();
        self.store_at(
            object,
            Some((resource.offset(), 8)),
            &Abstract::of(level.max(Level::Uniform)),
            Shape::Opaque,
        );
    }

    fn eval(&mut self, function: FunctionRef, expr: &Expr) -> Result<Abstract, Beyond> {
        Ok(match &expr.kind {
            ExprKind::Str(_) => Abstract::text(Level::Uniform),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Constant { .. }
            | ExprKind::FunctionAddress(_)
            | ExprKind::Sizeof(_) => Abstract::of(Level::Uniform),
            ExprKind::SizeofVla(_) | ExprKind::Unknown(_) => Abstract::varying(),
            ExprKind::Load(place) => self.load(function, place)?,
            ExprKind::AddressOf(place) => {
                let Targets { objects, wild, text, level } = self.locate(function, place)?;
                self.addressed.extend(objects.keys());
                let plain = objects.is_empty() || wild || text;
                Abstract { level: level.max(Level::Uniform), plain, targets: objects, wild, text }
            }
            ExprKind::Cast(inner) => self.eval(function, inner)?,
            ExprKind::Unary(_, operand) => {
                let value = self.eval(function, operand)?;
                self.computed(function, expr.ty, value)
            }
            ExprKind::Binary(_, left, right) => {
                let mut value = self.eval(function, left)?;
                value.join(&self.eval(function, right)?);
                self.computed(function, expr.ty, value)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let level = self.eval(function, condition)?.level;
                let mut value = self.eval(function, then)?;
                value.join(&self.eval(function, otherwise)?);
                if level == Level::Varying { value.at_least(level) } else { value }
            }
        })
    }

    /// The result of an operator on values that have this in common.
    fn computed(&self, function: FunctionRef, ty: TypeId, mut value: Abstract) -> Abstract {
        let types = &self.scope.engine.program.units[function.unit].types;
        let may_be_pointer = match types.get(ty) {
            Type::Int(kind) => kind.size() >= 8,
            Type::Pointer(_) | Type::Named(_) | Type::Unknown => true,
            _ => false,
        };
        if !may_be_pointer {
            return Abstract::of(value.level);
        }
        value.targets.values_mut().for_each(|offset| *offset = None);
        value.plain |= types.pointee(ty).is_none();
        value
    }

    fn locate(&mut self, function: FunctionRef, place: &Place) -> Result<Targets, Beyond> {
        let engine = &mut *self.scope.engine;
        let unit = &engine.program.units[function.unit];
        let mut ty;
        let mut found = match &place.base {
            PlaceBase::Local(local) => {
                ty = engine.program.function(function).local(*local).ty;
                Targets {
                    objects: BTreeMap::from([(self.local(function, *local), Some(0))]),
                    ..Targets::default()
                }
            }
            PlaceBase::Global(global) => {
                ty = unit.global(*global).ty;
                let object = engine.global_object(function.unit, *global);
                Targets { objects: BTreeMap::from([(object, Some(0))]), ..Targets::default() }
            }
            PlaceBase::Deref(pointer) => {
                ty = unit.types.pointee(pointer.ty).unwrap_or(place.ty);
                let value = self.eval(function, pointer)?;
                Targets {
                    wild: value.wild || (value.targets.is_empty() && !value.text),
                    objects: value.targets,
                    text: value.text,
                    level: value.level,
                }
            }
        };
        for projection in &place.projections {
            let step = match projection {
                Projection::Field(record, index) => {
                    let types = &unit.types;
                    let fields = types.record(*record).fields.as_ref();
                    ty = fields.and_then(|f| f.get(*index as usize)).map_or(place.ty, |f| f.ty);
                    types.model_offset(*record, *index).and_then(|step| i64::try_from(step).ok())
                }
                Projection::Index(index) => {
                    ty = unit.types.pointee(ty).unwrap_or(place.ty);
                    let level = self.eval(function, index)?.level;
                    if level == Level::Varying {
                        found.level = level;
                    }
                    let size = unit.types.model_size(ty).and_then(|size| i64::try_from(size).ok());
                    match index.kind {
                        ExprKind::Int(index) => size
                            .zip(i64::try_from(index).ok())
                            .and_then(|(size, index)| size.checked_mul(index)),
                        _ => None,
                    }
                }
            };
            for offset in found.objects.values_mut() {
                *offset = offset.zip(step).and_then(|(offset, step)| offset.checked_add(step));
            }
        }
        Ok(found)
    }

    /// Size in bytes of what a place accesses: of a bit-field, the storage unit.
    fn accessed(&self, function: FunctionRef, place: &Place) -> Option<u64> {
        let types = &self.scope.engine.program.units[function.unit].types;
        if let Some(Projection::Field(record, index)) = place.projections.last() {
            let field = types.record(*record).fields.as_ref()?.get(usize::try_from(*index).ok()?)?;
            if field.bits.is_some() {
                return types.model_size(field.ty);
            }
        }
        types.model_size(place.ty)
    }

    fn load(&mut self, function: FunctionRef, place: &Place) -> Result<Abstract, Beyond> {
        let Targets { objects, wild, text, level } = self.locate(function, place)?;
        if wild {
            return Ok(Abstract::varying());
        }
        let size = self.accessed(function, place);
        let mut value = Abstract::default();
        for (object, offset) in objects {
            value.join(&self.load_at(object, offset.zip(size)));
        }
        if text {
            value.join(&Abstract::of(self.history(Resource::Texts)));
            if size != Some(1) {
                return Ok(Abstract::varying());
            }
        }
        Ok(if level == Level::Varying { value.at_least(level) } else { value })
    }

    fn store(
        &mut self,
        function: FunctionRef,
        place: &Place,
        value: Abstract,
        contended: bool,
    ) -> Result<(), Beyond> {
        let Targets { objects, wild, text, level } = self.locate(function, place)?;
        let varies = contended || level == Level::Varying;
        let value = if varies { value.at_least(Level::Varying) } else { value };
        let size = self.accessed(function, place);
        let is_bits = self.scope.bit_field_in(function.unit, place).is_some();
        for (object, offset) in objects {
            let shape = if is_bits { Shape::Integer } else { Shape::Typed(function.unit, place.ty) };
            self.store_at(object, offset.zip(size), &value, shape);
        }
        let types = &self.scope.engine.program.units[function.unit].types;
        let may_be_text = may_be_text(types.get(place.ty));
        if wild {
            self.store_wild(may_be_text, &value);
        }
        if text && may_be_text {
            self.set_history(Resource::Texts, value.level);
        }
        Ok(())
    }

    /// A store through a pointer of which nobody knows where it points to.
    fn store_wild(&mut self, text: bool, value: &Abstract) {
        let value = value.clone().at_least(Level::Varying);
        for object in self.exposed.union(&self.addressed).copied().collect::<Vec<_>>() {
            if !self.scope.engine.objects.kind(object).is_library() {
                self.store_at(object, None, &value, Shape::Opaque);
            }
        }
        if text {
            self.set_history(Resource::Texts, Level::Varying);
            let argv = self.scope.engine.objects.object(ObjectKind::CommandLine);
            self.store_at(argv, None, &value, Shape::Opaque);
        }
    }

    /// A store by a function that is given the address.
    fn store_behind(
        &mut self,
        pointer: &Abstract,
        scalar: Option<(usize, TypeId)>,
        value: &Abstract,
        text: bool,
    ) {
        let value = if pointer.level == Level::Varying {
            value.clone().at_least(Level::Varying)
        } else {
            value.clone()
        };
        let size = scalar.and_then(|(unit, ty)| self.scope.engine.program.units[unit].types.model_size(ty));
        let shape = scalar.map_or(Shape::Opaque, |(unit, ty)| Shape::Typed(unit, ty));
        for (&object, &offset) in &pointer.targets {
            self.store_at(object, offset.zip(size), &value, shape);
        }
        if pointer.wild {
            self.store_wild(text, &value);
        }
        if pointer.text && text {
            self.set_history(Resource::Texts, value.level);
        }
    }

    fn store_at(&mut self, object: ObjectId, bytes: Option<Bytes>, value: &Abstract, shape: Shape) {
        self.budget = self.budget.saturating_sub(1 + u32::try_from(value.targets.len() / 4).unwrap_or(0));
        if matches!(self.scope.engine.objects.kind(object), ObjectKind::Literal(_)) {
            return;
        }
        let written = self.written.entry(object).or_default();
        let Some((offset, size)) = bytes else {
            let mut all = written.anywhere.clone().unwrap_or_default();
            all.join(value);
            if written.anywhere.as_ref() != Some(&all) {
                written.anywhere = Some(all);
                self.changed = true;
            }
            return;
        };
        if let Some(entry) = written.entries.get_mut(&(offset, size)) {
            let before = entry.clone();
            entry.value.join(value);
            if entry.shape != shape {
                entry.shape = Shape::Opaque;
            }
            self.changed |= *entry != before;
            return;
        }
        let overlaps = written.entries.keys().any(|&other| overlap(other, (offset, size)));
        if overlaps || written.entries.len() >= ENTRY_LIMIT {
            let mut known = value.clone();
            if let Some(all) = &written.anywhere {
                known.join(all);
            }
            self.changed |= written.anywhere.as_ref() != Some(&known);
            written.anywhere = Some(known);
            return;
        }
        written.entries.insert((offset, size), Entry { value: value.clone(), shape });
        self.changed = true;
    }

    /// What some bytes may hold, before or while the code runs.
    fn load_at(&mut self, object: ObjectId, bytes: Option<Bytes>) -> Abstract {
        let mut value = self.initial(object, bytes);
        if value.level > Level::Bottom {
            self.read.insert((object, bytes));
        }
        if let Some(written) = self.written.get(&object) {
            for (&place, entry) in &written.entries {
                if bytes.is_none_or(|bytes| overlap(place, bytes)) {
                    value.join(&entry.value);
                    // Part of a pointer is none.
                    value.wild |=
                        bytes.is_some_and(|bytes| bytes != place) && !entry.value.targets.is_empty();
                }
            }
            if let Some(all) = &written.anywhere {
                value.join(all);
            }
        }
        value
    }

    /// What some bytes hold before the code runs.
    fn initial(&mut self, object: ObjectId, bytes: Option<Bytes>) -> Abstract {
        if let Some(known) = self.initial.get(&(object, bytes)) {
            return known.clone();
        }
        let value = self.initial_value(object, bytes);
        self.initial.insert((object, bytes), value.clone());
        value
    }

    fn initial_value(&mut self, object: ObjectId, bytes: Option<Bytes>) -> Abstract {
        let engine = &mut *self.scope.engine;
        match engine.objects.kind(object) {
            ObjectKind::Local(ContextId::PASSED, ..) => return Abstract::default(),
            ObjectKind::Local(context, function, local)
                if *context == self.scope.context && *function == self.home && self.fresh.contains(local) =>
            {
                return Abstract::default();
            }
            ObjectKind::Heap(..) if self.scope.memory.get(object).is_none() => return Abstract::default(),
            ObjectKind::Global(unit, global) if engine.program.global(*unit, *global).unstable => {
                return Abstract::varying();
            }
            _ => {}
        }
        let Some(whole) = engine.whole_content(self.scope.memory, object) else { return Abstract::varying() };
        if whole.summary {
            return Abstract::varying();
        }
        let content = match bytes {
            None => whole,
            Some((offset, size)) => whole.section(offset, size),
        };
        let mut value = match content.background {
            Background::Zero => Abstract::of(Level::Uniform),
            Background::Undefined => Abstract::default(),
            Background::Uniform(_) => Abstract::opaque(Level::Uniform),
            Background::Unknown => Abstract::varying(),
        };
        // A section of uniform bytes that does not begin where they do has no background of its own.
        let part = bytes.and_then(|(offset, size)| self.scope.memory.get(object)?.part_of(offset, size));
        let is_argument = *self.scope.engine.objects.kind(object) == ObjectKind::CommandLine;
        if is_argument && (part.is_some() || matches!(content.background, Background::Uniform(_))) {
            value = Abstract::text(Level::Uniform);
        } else if part.is_some() {
            value = Abstract::opaque(Level::Uniform);
        }
        if part.is_some() {
            return value;
        }
        for (_, cell) in content.cells.values() {
            value.join(&self.of_value(cell));
        }
        value
    }

    fn of_value(&mut self, value: &Value) -> Abstract {
        if self.scope.engine.encode(value).is_none() {
            let targets = match value {
                Value::Address(object, _) | Value::Within(object) => BTreeMap::from([(*object, None)]),
                _ => BTreeMap::new(),
            };
            let wild = targets.is_empty() && matches!(value, Value::Unknown);
            return Abstract { level: Level::Varying, text: false, wild, plain: targets.is_empty(), targets };
        }
        match value {
            Value::Same(symbol) if self.scope.engine.is_text(*symbol) => Abstract::text(Level::Uniform),
            Value::Same(symbol) => match self.scope.engine.pointers.get(symbol) {
                Some(&object) => Abstract { plain: true, ..Abstract::address(object, None) },
                None => Abstract::opaque(Level::Uniform),
            },
            Value::Address(object, offset) => match self.scope.engine.objects.kind(*object) {
                ObjectKind::Literal(_) => Abstract::text(Level::Uniform),
                _ => Abstract::address(*object, offset.as_constant()),
            },
            _ => Abstract::of(Level::Uniform),
        }
    }

    /// Changes memory as the code does.
    fn finish(mut self) -> Option<(Value, bool)> {
        let inputs = self.inputs();
        if inputs.is_none() && self.read.len() > INPUT_LIMIT {
            return None;
        }
        let place = format!("{CODE}{:?} {}", self.home, self.start.index());
        let whole = inputs.map(|inputs| self.scope.engine.symbols.apply(&place, inputs));
        let mut results: Vec<Change> = Vec::new();
        for (object, written) in std::mem::take(&mut self.written) {
            let kind = self.scope.engine.objects.kind(object);
            if matches!(kind, ObjectKind::Local(ContextId::PASSED, ..)) {
                continue;
            }
            match &written.anywhere {
                Some(_) => results.push(self.whole_change(object, &written, whole)),
                None => {
                    for (bytes, entry) in written.entries {
                        results.push(self.entry_change(object, bytes, &entry, whole));
                    }
                }
            }
        }
        let result = self.activations.get(&self.home).map(|home| home.result.clone()).unwrap_or_default();
        let function = self.scope.engine.program.function(self.home);
        let shape = match self.scope.engine.program.units[self.home.unit].types.get(function.ty) {
            Type::Function(ty) => Shape::Typed(self.home.unit, ty.result),
            _ => Shape::Opaque,
        };
        let result = self.value(&result, shape, "result", whole.map(|whole| vec![whole.into()]));
        if whole.is_some() {
            for resource in std::mem::take(&mut self.resources) {
                self.scope.engine.assume_same_world(Some(resource));
            }
            let argv = self.scope.engine.objects.object(ObjectKind::CommandLine);
            if self.read.iter().any(|&(object, _)| object == argv) {
                self.scope.engine.assume_command_line();
            }
        }
        if self.catches_signals {
            self.scope.engine.assume("no signal arrives that the program catches".to_owned());
        }
        for (&object, &several) in &self.allocated {
            let mut content = Content::new(if several { Background::Unknown } else { Background::Undefined });
            content.summary = several;
            self.scope.memory.insert(object, content);
        }
        for change in results {
            change.make(self.scope);
        }
        if self.files > Level::Bottom {
            self.advance_files(whole);
        }
        Some((result, self.exits))
    }

    /// Gives all open files the history that they have when the code has read some of them.
    fn advance_files(&mut self, whole: Option<Symbol>) {
        let object = self.scope.engine.environment();
        for file in self.scope.files() {
            let bytes = Some((file, 8));
            let after = whole
                .filter(|_| self.files == Level::Uniform)
                .and_then(|whole| Some(vec![whole.into(), self.initial_symbol(object, bytes)?]))
                .map(|parts| self.scope.engine.symbols.apply("history after code", parts));
            self.scope.set_history_at(file, after);
        }
    }

    /// All that the code reads of what ranks agree on.
    fn inputs(&mut self) -> Option<Vec<Linear>> {
        if self.read.len() > INPUT_LIMIT {
            return None;
        }
        let mut inputs = Vec::new();
        for (object, bytes) in self.read.clone() {
            if self.initial(object, bytes).level < Level::Varying {
                inputs.push(self.initial_symbol(object, bytes)?);
            }
        }
        Some(inputs)
    }

    /// What some bytes are a function of before the code runs.
    fn initial_symbol(&mut self, object: ObjectId, bytes: Option<Bytes>) -> Option<Linear> {
        match bytes {
            None => self.scope.engine.content_symbol(self.scope.memory, object),
            Some((offset, size)) => {
                self.scope.engine.ensure(self.scope.memory, object);
                let content = self.scope.memory.get(object)?;
                if let Some((symbol, at)) = content.part_of(offset, size) {
                    let parts = vec![symbol.into(), at.into(), i64::try_from(size).ok()?.into()];
                    return Some(self.scope.engine.symbols.apply("bytes", parts).into());
                }
                let section = content.section(offset, size);
                self.scope.engine.symbol_of(&section)
            }
        }
    }

    /// The code as a function of its inputs and of what was there before, since it may leave that as it is.
    fn arguments(
        &mut self,
        object: ObjectId,
        bytes: Option<Bytes>,
        whole: Option<Symbol>,
    ) -> Option<Vec<Linear>> {
        let mut arguments = vec![whole?.into()];
        if self.initial(object, bytes).level > Level::Bottom {
            arguments.push(self.initial_symbol(object, bytes)?);
        }
        Some(arguments)
    }

    fn whole_change(&mut self, object: ObjectId, written: &Written, whole: Option<Symbol>) -> Change {
        let mut value = self.initial(object, None);
        if let Some(all) = &written.anywhere {
            value.join(all);
        }
        written.entries.values().for_each(|entry| value.join(&entry.value));
        let symbol = match value.level {
            Level::Varying => None,
            _ => self.arguments(object, None, whole).map(|arguments| {
                self.scope.engine.symbols.apply(&format!("content of {object:?} after code"), arguments)
            }),
        };
        Change::Content(object, symbol)
    }

    fn entry_change(
        &mut self,
        object: ObjectId,
        bytes: Bytes,
        entry: &Entry,
        whole: Option<Symbol>,
    ) -> Change {
        let mut value = self.initial(object, Some(bytes));
        value.join(&entry.value);
        let name = format!("{object:?} at {} after code", bytes.0);
        let arguments = self.arguments(object, Some(bytes), whole);
        Change::Bytes(object, bytes, self.value(&value, entry.shape, &name, arguments))
    }

    /// A value as the code leaves it.
    fn value(&mut self, value: &Abstract, shape: Shape, name: &str, arguments: Option<Vec<Linear>>) -> Value {
        if value.level != Level::Uniform {
            return Value::Unknown;
        }
        if let (false, false, 1, Some((&object, &Some(offset)))) =
            (value.plain, value.wild || value.text, value.targets.len(), value.targets.first_key_value())
        {
            return Value::Address(object, offset.into());
        }
        let Some(arguments) = arguments else { return Value::Unknown };
        let is_text = value.is_text()
            && match shape {
                Shape::Typed(unit, ty) => self.scope.engine.program.units[unit].types.pointee(ty).is_some(),
                Shape::Opaque => value.text,
                Shape::Integer => false,
            };
        if is_text {
            return Value::Same(self.scope.engine.symbols.apply(&format!("{TEXT}{name}"), arguments));
        }
        let symbol = self.scope.engine.symbols.apply(name, arguments);
        match shape {
            Shape::Typed(unit, ty) => self.scope.typed_in(unit, symbol, ty),
            Shape::Integer => Value::Int(symbol.into()),
            Shape::Opaque => Value::Same(symbol),
        }
    }
}

/// A change of memory.
enum Change {
    Content(ObjectId, Option<Symbol>),
    Bytes(ObjectId, Bytes, Value),
}

impl Change {
    fn make(self, scope: &mut Scope<'_, '_>) {
        match self {
            Self::Content(object, symbol) => scope.replace(object, symbol),
            Self::Bytes(object, (offset, size), value) => {
                scope.engine.ensure(scope.memory, object);
                let whole = offset == 0 && scope.engine.extent(object) == Some(size);
                match (size, value) {
                    (0, _) => {}
                    (1..=LARGEST_SCALAR, value) => scope.memory.write(object, offset, size, value),
                    (_, Value::Same(symbol)) if whole => scope.replace(object, Some(symbol)),
                    (..=LARGEST_CELL, value @ (Value::Same(_) | Value::Unknown)) => {
                        scope.memory.write(object, offset, size, value);
                    }
                    _ => scope.replace(object, None),
                }
            }
        }
    }
}

fn overlap(a: Bytes, b: Bytes) -> bool {
    a.0 < b.0.saturating_add_unsigned(b.1) && b.0 < a.0.saturating_add_unsigned(a.1)
}

/// Whether a function that writes through an argument may write to a string outside of the program's objects.
fn may_write_text(analysis: &Analysis<'_, '_, '_>, function: FunctionRef, arg: &Expr) -> bool {
    let types = &analysis.scope.engine.program.units[function.unit].types;
    types.pointee(arg.strip_casts().ty).is_none_or(|ty| may_be_text(types.get(ty)))
}
