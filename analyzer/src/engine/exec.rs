//! One step of one process set: instructions, branches, calls and returns.

use frontend::ir::{BlockId, Callee, Cfg, Expr, ExprKind, InstKind, Place, PlaceBase, Span, Terminator};
use frontend::program::{FunctionRef, Resolution};

use super::Engine;
use super::aliasing::Stored;
use super::clients::Step;
use super::eval::{Location, Scope};
use super::functions::is_excluded;
use super::library;
use super::memory::{Background, Content, ContextId};
use super::need::Need;
use super::state::{Frame, Phase, ProcessSet, State, Status};
use super::value::Value;

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The set goes on.
    Continue,
    /// The set arrived at a block where paths meet; `cut` when every cycle of the function passes such a block, `quiet` at the head
    /// of a loop that does not communicate.
    Arrived { cut: bool, quiet: bool },
    /// The call is an error on some member, which ends the program (`MPI_ERRORS_ARE_FATAL` is the default).
    Erroneous,
    /// The whole program ended: `MPI_Abort`, `exit` with an error, an assertion.
    Aborted,
}

/// What a function returns.
pub(crate) enum Returned {
    Scalar(Value),
    /// A record, with its members from offset 0.
    Aggregate(Content),
}

/// Activations of one function on one call chain before the engine gives up on recursion.
const RECURSION_LIMIT: usize = 8;
/// Rounds of loops that do not communicate before they are passed over, and of those of which nothing depends that matters.
const QUIET_ROUNDS: u32 = 200;
const IDLE_ROUNDS: u32 = 8;
/// Rounds that are followed where it is known that there are more than these, for what shows in single rounds.
const FOLLOWED_ROUNDS: u32 = 1;
/// Case distinctions on the input of the program before code that does not communicate is passed over instead.
const INPUT_CASES: usize = 6;
/// Functions in a table that are told apart.
const TABLE_LIMIT: usize = 64;
/// Case distinctions at branches of which nothing depends but what is shown, before code is passed over instead.
const IDLE_CASES: usize = 8;
/// Length of a call chain.
const DEPTH_LIMIT: usize = 64;

impl<'p> Engine<'p> {
    /// Takes one step of the `index`-th set. On `Err` the set is as before.
    pub(crate) fn step(&mut self, state: &mut State, index: usize) -> Result<Progress, Need> {
        let mut set = state.sets[index].clone();
        let progress = self.follow(state, &mut set, Self::step_set)?;
        state.sets[index] = set;
        Ok(progress)
    }

    fn step_set(&mut self, state: &mut State, set: &mut ProcessSet) -> Result<Progress, Need> {
        let frame = set.frame();
        let program = self.program;
        let function = program.function(frame.function);
        let Some(cfg) = &function.body else {
            return Err(Need::give_up(format!("`{}` has a syntax error", function.name)));
        };
        if frame.inst == 0 && self.facts_of(frame.function).endless[frame.block.index()] {
            if let Some(inst) = cfg.graph[frame.block].insts.first() {
                self.here = Some((frame.function, inst.span));
            }
            return Err(Need::give_up("a loop without end and without a call is reached"));
        }
        let block = &cfg.graph[frame.block];
        let Some(inst) = block.insts.get(frame.inst) else {
            return self.terminate(state, set, cfg, &block.terminator);
        };
        self.here = Some((frame.function, inst.span));
        match &inst.kind {
            InstKind::Assign(place, value) => {
                let mut scope = self.scope(state, set);
                if let ExprKind::Load(from) = &value.kind
                    && scope.is_aggregate(place.ty)
                {
                    self.observe(state, set, &Step::Assign { place, value });
                    if self.is_contended(set, place) {
                        self.scope(state, set).assign(place, Value::Unknown)?;
                    } else {
                        self.scope(state, set).copy(from, place)?;
                    }
                } else if matches!(value.kind, ExprKind::Int(0)) && scope.is_aggregate(place.ty) {
                    // What an initialiser leaves out is zero.
                    self.observe(state, set, &Step::Assign { place, value });
                    let background =
                        if self.is_contended(set, place) { Background::Unknown } else { Background::Zero };
                    self.scope(state, set).assign_aggregate(place, Content::new(background))?;
                } else {
                    let mut result = scope.eval_data(place, value)?;
                    self.observe(state, set, &Step::Assign { place, value });
                    if self.is_contended(set, place) {
                        result = Value::Unknown;
                    }
                    self.scope(state, set).assign(place, result)?;
                }
            }
            InstKind::Declare(local) => {
                let frame = set.frame();
                let object = self.local_object(frame.function, frame.context, *local);
                self.declare(set, object);
            }
            InstKind::Opaque { writes, .. } => {
                self.observe(state, set, &Step::Opaque);
                let mut scope = self.scope(state, set);
                match writes {
                    Some(places) => {
                        for place in places {
                            scope.assign(place, Value::Unknown)?;
                        }
                    }
                    None => {
                        scope.forget_texts();
                        scope.engine.forget_exposed(scope.memory, Stored::ANYTHING);
                    }
                }
            }
            InstKind::Call { dest, callee, args } => {
                return self.call(state, set, dest.as_ref(), callee, args, inst.span);
            }
        }
        set.frame_mut().inst += 1;
        Ok(Progress::Continue)
    }

    /// Whether several OpenMP threads write to a place: which of them is last is not known, nor how the work is shared.
    fn is_contended(&self, set: &ProcessSet, place: &Place) -> bool {
        if !self.is_threaded(set) {
            return false;
        }
        let PlaceBase::Local(local) = place.base else { return true };
        let function = self.program.function(set.frame().function);
        let local = function.local(local);
        // What is declared where one thread was is shared by those that it starts.
        let here = place.span;
        local.static_init.is_some()
            || (function.executed_by_several_threads(here)
                && !function.executed_by_several_threads(local.span))
    }

    pub(crate) fn scope<'e>(&'e mut self, state: &'e mut State, set: &'e mut ProcessSet) -> Scope<'e, 'p> {
        let (function, context) = (set.frame().function, set.frame().context);
        // One of several that stand alike gets the answers that all of them would get.
        let alike = state.alike.iter().find(|range| set.ranks.within(range, &state.facts));
        Scope {
            engine: self,
            facts: &mut state.facts,
            ranks: alike.unwrap_or(&set.ranks),
            memory: &mut set.memory,
            function,
            context,
        }
    }

    fn terminate(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        cfg: &Cfg,
        terminator: &Terminator,
    ) -> Result<Progress, Need> {
        let function = set.frame().function;
        match terminator {
            Terminator::Goto(target) => Ok(self.enter_block(set, *target)),
            Terminator::Branch { condition, then, otherwise } => {
                self.here = Some((function, condition.span));
                self.note_assumption(function.unit, condition.span);
                let mut scope = self.scope(state, set);
                let value = scope.eval(condition);
                let truth = value.clone().and_then(|value| scope.truth(&value));
                // A loop that only computes is not worth a case distinction, nor many rounds.
                let open = matches!(&truth, Err(need) if need.is_case());
                let forked = !matches!(truth, Ok(Some(_)) | Err(Need::Decide(_)));
                let idle = self.deciding().is_idle(function, set.frame().block);
                let most = if idle { IDLE_ROUNDS } else { QUIET_ROUNDS };
                let many = most < state.quiet
                    || (FOLLOWED_ROUNDS < state.quiet && self.has_ahead(state, set, cfg, most));
                let passes = (open || many) && self.leaves_quiet_loop(set, cfg);
                let block = set.frame().block;
                if passes && self.scope(state, set).is_never_left(cfg, block)? && many {
                    return Err(Need::give_up("the loop has no end, as nothing that it asks for changes"));
                }
                if (passes || self.is_one_input_more(state, &truth))
                    && let Ok(passed) = self.skip_region(state, set, cfg, condition.span, forked)
                {
                    state.quiet = 0;
                    return Ok(passed);
                }
                // Nor is one of which nothing depends that matters: none on the input of the program, and of others not many.
                if idle && open {
                    let on_input = matches!(&truth, Err(Need::Decide(test)) if super::findings::mentions_input(&self.symbols, test));
                    self.idle_cases += usize::from(!on_input);
                    if (on_input || IDLE_CASES < self.idle_cases)
                        && let Ok(passed) = self.skip_region(state, set, cfg, condition.span, forked)
                    {
                        return Ok(passed);
                    }
                }
                // Neither are cases of data within such a loop.
                if let Err(Need::Decide(test)) = &truth
                    && test.symbols().any(|s| !self.symbols.is_quantity(s))
                    && self.is_in_quiet_loop(set, cfg)
                    && let Ok(passed) = self.skip_region(state, set, cfg, condition.span, forked)
                {
                    return Ok(passed);
                }
                let truth = truth?;
                self.observe_branch(state, set, condition, &value?);
                match truth {
                    Some(true) => Ok(self.enter_block(set, *then)),
                    Some(false) => Ok(self.enter_block(set, *otherwise)),
                    None if then == otherwise => Ok(self.enter_block(set, *then)),
                    None => {
                        let dead_end = &self.facts_of(function).dead_end;
                        match (dead_end[then.index()], dead_end[otherwise.index()]) {
                            (true, false) if is_excluded(cfg, *then) => Ok(self.enter_block(set, *otherwise)),
                            (false, true) if is_excluded(cfg, *otherwise) => Ok(self.enter_block(set, *then)),
                            (true, false) => self.assume_exit_not_taken(set, condition.span, *otherwise),
                            (false, true) => self.assume_exit_not_taken(set, condition.span, *then),
                            _ => self.skip_region(state, set, cfg, condition.span, true),
                        }
                    }
                }
            }
            Terminator::Switch { value, cases, default } => {
                self.here = Some((function, value.span));
                let mut scope = self.scope(state, set);
                let selector = scope.eval(value)?;
                for &(low, high, target) in cases {
                    match scope.in_case(&selector, low, high)? {
                        Some(true) => {
                            self.observe_branch(state, set, value, &selector);
                            return Ok(self.enter_block(set, target));
                        }
                        Some(false) => {}
                        None => {
                            self.observe_branch(state, set, value, &selector);
                            return self.skip_region(state, set, cfg, value.span, true);
                        }
                    }
                }
                self.observe_branch(state, set, value, &selector);
                Ok(self.enter_block(set, *default))
            }
            Terminator::IndirectGoto(_) => {
                let span = cfg.graph[set.frame().block].insts.last().map_or(Span::default(), |i| i.span);
                self.skip_region(state, set, cfg, span, true)
            }
            Terminator::Return(value, span) => {
                self.here = Some((function, *span));
                self.return_from(state, set, value.as_ref())?;
                Ok(Progress::Continue)
            }
            Terminator::Unreachable => Ok(Progress::Aborted),
        }
    }

    /// Whether a case distinction would be one more on the input of the program, after several of them: the cases multiply, while the
    /// code that they decide about may have the same outcome on all ranks without one.
    fn is_one_input_more(&self, state: &State, truth: &Result<Option<bool>, Need>) -> bool {
        let Err(Need::Decide(expression)) = truth else { return false };
        super::findings::mentions_input(&self.symbols, expression)
            && state.facts.symbols().filter(|&symbol| self.symbols.is_input(symbol)).count() > INPUT_CASES
    }

    /// Whether a loop that begins where a set stands is known to have more rounds before it than these.
    fn has_ahead(&mut self, state: &mut State, set: &mut ProcessSet, cfg: &Cfg, most: u32) -> bool {
        let (function, block) = (set.frame().function, set.frame().block);
        let facts = std::rc::Rc::clone(self.facts_of(function));
        facts.quiet[block.index()]
            && self.scope(state, set).rounds_ahead(cfg, &facts, block).is_some_and(|n| i64::from(most) < n)
    }

    /// Whether the branch at which a set stands leaves a loop that does not communicate.
    fn leaves_quiet_loop(&mut self, set: &ProcessSet, cfg: &Cfg) -> bool {
        let (function, block) = (set.frame().function, set.frame().block);
        let facts = self.facts_of(function);
        cfg.loops.iter().any(|l| {
            facts.quiet[l.header.index()]
                && l.blocks.contains(&block)
                && cfg.graph[block].terminator.targets().iter().any(|t| !l.blocks.contains(t))
        })
    }

    /// Whether a set stands in a loop that does not communicate.
    fn is_in_quiet_loop(&mut self, set: &ProcessSet, cfg: &Cfg) -> bool {
        let (function, block) = (set.frame().function, set.frame().block);
        let facts = self.facts_of(function);
        cfg.loops.iter().any(|l| facts.quiet[l.header.index()] && l.blocks.contains(&block))
    }

    fn assume_exit_not_taken(
        &mut self,
        set: &mut ProcessSet,
        span: Span,
        other: BlockId,
    ) -> Result<Progress, Need> {
        // After `MPI_Finalize` it ends this process only, which has nothing left to tell.
        if set.phase != Phase::Finalized {
            let place = self.line_of(set.frame().function.unit, span);
            self.assume(format!("{place}: the exit of the program is not taken"));
        }
        Ok(self.enter_block(set, other))
    }

    pub(crate) fn enter_block(&mut self, set: &mut ProcessSet, target: BlockId) -> Progress {
        let function = set.frame().function;
        let frame = set.frame_mut();
        frame.block = target;
        frame.inst = 0;
        self.exits.enter(function, target);
        let facts = self.facts_of(function);
        let (cut, join) = (facts.header[target.index()], facts.join[target.index()]);
        let quiet = facts.quiet[target.index()];
        if cut || join {
            self.drop_dead_locals(set);
            Progress::Arrived { cut, quiet }
        } else {
            Progress::Continue
        }
    }

    fn drop_dead_locals(&mut self, set: &mut ProcessSet) {
        let (function, context, block) = (set.frame().function, set.frame().context, set.frame().block);
        let facts = std::rc::Rc::clone(self.facts_of(function));
        let live = facts.live_at(block);
        for (index, local) in self.program.function(function).locals.iter().enumerate() {
            let Ok(index) = u32::try_from(index) else { break };
            let id = frontend::ir::LocalId(index);
            if local.static_init.is_none() && !live.contains(&id) {
                let object = self.local_object(function, context, id);
                set.memory.remove(object);
            }
        }
    }

    fn return_from(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        value: Option<&Expr>,
    ) -> Result<(), Need> {
        let mut scope = self.scope(state, set);
        let result = match value {
            Some(Expr { kind: ExprKind::Load(place), ty, .. }) if scope.is_aggregate(*ty) => {
                Returned::Aggregate(scope.aggregate(place)?)
            }
            Some(value) => Returned::Scalar(scope.eval(value)?),
            None => Returned::Scalar(Value::Unknown),
        };
        self.observe(state, set, &Step::Return { value });
        self.leave(state, set, result)
    }

    /// Ends the innermost activation with a result.
    pub(crate) fn leave(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        value: Returned,
    ) -> Result<(), Need> {
        let frame = set.frames.pop().expect("a set that is not done has a frame");
        if set.frames.is_empty() {
            set.memory = super::memory::Memory::default();
            set.status = Status::Done;
            return Ok(());
        }
        if let Some(place) = &frame.result {
            let mut scope = self.scope(state, set);
            match value {
                Returned::Scalar(value) => scope.assign(place, value)?,
                Returned::Aggregate(content) => scope.assign_aggregate(place, content)?,
            }
        }
        self.drop_locals(set, frame.function, frame.context);
        // Nobody has called what runs before `main`.
        if frame.context != self.startup_context(frame.function) {
            set.frame_mut().inst += 1;
        }
        Ok(())
    }

    /// The chain of calls, without any, that leads to a function that runs before `main`.
    pub(crate) fn startup_context(&mut self, function: FunctionRef) -> ContextId {
        let name = self.program.function(function).name_span;
        self.objects.context(ContextId::MAIN, function.unit, name)
    }

    fn drop_locals(&mut self, set: &mut ProcessSet, function: FunctionRef, context: ContextId) {
        for (index, local) in self.program.function(function).locals.iter().enumerate() {
            if let (None, Ok(index)) = (&local.static_init, u32::try_from(index)) {
                let object = self.local_object(function, context, frontend::ir::LocalId(index));
                set.memory.remove(object);
            }
        }
    }

    fn call(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        dest: Option<&Place>,
        callee: &Callee,
        args: &[Expr],
        span: Span,
    ) -> Result<Progress, Need> {
        let unit = set.frame().function.unit;
        let (unit, name) = match callee {
            Callee::Direct { mpi: Some(mpi), .. } => return self.mpi_call(state, set, dest, mpi, args, span),
            Callee::Direct { name, mpi: None } => (unit, name.clone()),
            Callee::Indirect(pointer) => match self.scope(state, set).eval_callee(pointer)? {
                Value::Function(unit, name) => (unit, name),
                _ => {
                    let targets = self.program.call_targets(set.frame().function, pointer, args.len());
                    return self.call_unknown(state, set, dest, args, targets);
                }
            },
        };
        match self.program.resolve(unit, &name) {
            Resolution::Defined(target) => self.enter(state, set, dest, target, args, span),
            Resolution::External => match frontend::mpi::lookup(&name) {
                Some(mpi) => self.mpi_call(state, set, dest, mpi, args, span),
                None => library::call(self, state, set, dest, &name, args, span),
            },
        }
    }

    /// A call through a pointer that is not known: harmless as long as no possible target communicates.
    fn call_unknown(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        dest: Option<&Place>,
        args: &[Expr],
        targets: Vec<FunctionRef>,
    ) -> Result<Progress, Need> {
        if let Some(target) = targets.iter().find(|t| self.ground.communicating.contains(t)) {
            let name = &self.program.function(*target).name;
            return Err(Need::give_up(format!(
                "a call through a pointer may reach `{name}`, which communicates"
            )));
        }
        let mut scope = self.scope(state, set);
        let values = args.iter().map(|arg| scope.eval(arg)).collect::<Result<Vec<_>, _>>()?;
        self.observe(state, set, &Step::Passed { targets: targets.clone(), args, values: &values });
        let mut scope = self.scope(state, set);
        scope.forget_reachable(&values, Stored::ANYTHING);
        for target in targets {
            scope.forget_changes(target);
        }
        if let Some(dest) = dest {
            scope.assign(dest, Value::Unknown)?;
        }
        set.frame_mut().inst += 1;
        Ok(Progress::Continue)
    }

    fn enter(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        dest: Option<&Place>,
        target: FunctionRef,
        args: &[Expr],
        span: Span,
    ) -> Result<Progress, Need> {
        let program = self.program;
        let function = program.function(target);
        let Some(cfg) = &function.body else {
            return Err(Need::give_up(format!("`{}` has a syntax error", function.name)));
        };
        let depth = set.frames.iter().filter(|f| f.function == target).count();
        if depth >= RECURSION_LIMIT || set.frames.len() >= DEPTH_LIMIT {
            if self.ground.communicating.contains(&target) {
                return Err(Need::give_up(format!(
                    "`{}` communicates in a recursion deeper than {depth}",
                    function.name
                )));
            }
            return self.call_unknown(state, set, dest, args, vec![target]);
        }
        let caller = set.frame();
        let context = self.objects.context(caller.context, caller.function.unit, span);
        self.drop_locals(set, target, context);
        let mut scope = self.scope(state, set);
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let content = match &arg.kind {
                ExprKind::Load(place) if scope.is_aggregate(arg.ty) => Some(scope.aggregate(place)?),
                _ => None,
            };
            values.push((scope.eval(arg)?, content));
        }
        let arguments: Vec<Value> = values.iter().map(|(value, _)| value.clone()).collect();
        let entered = Step::Enter { function: target, context, args, values: &arguments };
        self.observe(state, set, &entered);
        for (index, (value, content)) in (0..function.params).zip(values) {
            let local = frontend::ir::LocalId(index);
            let object = self.local_object(target, context, local);
            match content {
                Some(content) => set.memory.insert(object, content),
                None => {
                    let size =
                        program.units[target.unit].types.model_size(function.local(local).ty).unwrap_or(8);
                    let mut content = Content::new(Background::Unknown);
                    if size <= 32 {
                        content.write(0, size, value);
                    }
                    set.memory.insert(object, content);
                }
            }
        }
        set.frames.push(Frame {
            function: target,
            context,
            block: cfg.entry,
            inst: 0,
            result: dest.cloned(),
        });
        Ok(Progress::Continue)
    }
}

impl Scope<'_, '_> {
    /// The value to be stored in a place. What cannot influence where the process goes or with whom it communicates is not worth
    /// telling ranks or cases apart.
    pub(crate) fn eval_data(&mut self, place: &Place, value: &Expr) -> Result<Value, Need> {
        self.engine.open_divisor = false;
        let result = self.eval(value);
        if result.is_err() && std::mem::take(&mut self.engine.open_divisor) {
            // A process may end here.
            return result;
        }
        let matters = self.engine.deciding().contains(self.engine.program, self.function, place);
        match result {
            // Of mere data what no case distinction is needed for is kept.
            Err(need) if !matters && need.is_case() => Ok(Value::Unknown),
            result => result,
        }
    }

    /// The function that a pointer points to. Which element of a table it is read from is told by a case distinction.
    fn eval_callee(&mut self, pointer: &Expr) -> Result<Value, Need> {
        let value = self.eval(pointer)?;
        let ExprKind::Load(place) = &pointer.strip_casts().kind else { return Ok(value) };
        if matches!(value, Value::Function(..)) {
            return Ok(value);
        }
        let Some(Location { object, offset: Some(offset) }) = self.locate(place)? else { return Ok(value) };
        let Some(content) = self.memory.get(object).filter(|content| content.series.is_empty()) else {
            return Ok(value);
        };
        let is_function = |(_, (_, value)): &(&i64, &(u64, Value))| matches!(value, Value::Function(..));
        let table: Vec<(i64, Value)> =
            content.cells.iter().filter(is_function).map(|(&at, (_, value))| (at, value.clone())).collect();
        if self.facts.constant(&offset).is_some() || TABLE_LIMIT < table.len() {
            return Ok(value);
        }
        for (at, function) in table {
            if self.equals(&Value::Int(offset.clone()), at)? == Some(true) {
                return Ok(function);
            }
        }
        Ok(value)
    }

    pub(crate) fn is_aggregate(&self, ty: frontend::ir::TypeId) -> bool {
        matches!(self.unit().types.get(ty), frontend::ir::Type::Record(_) | frontend::ir::Type::Array(..))
    }

    fn in_case(&mut self, selector: &Value, low: i128, high: i128) -> Result<Option<bool>, Need> {
        let (Ok(low), Ok(high)) = (i64::try_from(low), i64::try_from(high)) else { return Ok(None) };
        if low == high {
            return self.equals(selector, low);
        }
        match (self.at_least(selector, low)?, self.at_least(selector, high.saturating_add(1))?) {
            (Some(above), Some(beyond)) => Ok(Some(above && !beyond)),
            _ => Ok(None),
        }
    }

    /// A copy of the part of memory that an aggregate occupies, starting at offset 0.
    fn aggregate(&mut self, place: &Place) -> Result<Content, Need> {
        let unknown = Content::new(Background::Unknown);
        let (Some(location), Some(size)) = (self.locate(place)?, self.size_of(place.ty)) else {
            self.refuse_null(place)?;
            return Ok(unknown);
        };
        let Some(start) = location.offset.as_ref().and_then(|o| self.facts.constant(o)) else {
            return Ok(unknown);
        };
        Ok(self.section(location.object, start, size))
    }

    /// Assigns one aggregate to another.
    fn copy(&mut self, from: &Place, to: &Place) -> Result<(), Need> {
        let content = self.aggregate(from)?;
        self.assign_aggregate(to, content)
    }

    fn assign_aggregate(&mut self, to: &Place, content: Content) -> Result<(), Need> {
        let size = self.size_of(to.ty);
        let Some(Location { object, offset }) = self.locate(to)? else {
            return self.assign_unknown(to, &Value::Unknown);
        };
        match offset.and_then(|o| self.facts.constant(&o)).zip(size) {
            Some((start, size)) => self.paste(object, start, size, content),
            None => self.replace(object, None),
        }
        Ok(())
    }
}
