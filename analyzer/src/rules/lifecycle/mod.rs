//! `missing-init`, `missing-finalize`, `call-after-finalize`, `double-init`: when which MPI function may be called.
//!
//! MPI-4.1 sections 11.2 and 11.4.1. MPI is before initialisation, between, or after finalisation: a typestate of the
//! whole program, followed along all paths from `main`. A function is analysed once per phase it is entered in; its
//! summary says in which phases it returns, and with which constant. Within a function each phase keeps its own values
//! of variables, so that `MPI_Initialized(&flag); if (!flag) MPI_Init(...)` is understood. Calls of MPI succeed: an
//! error path after a failed `MPI_Init` is none of ours.
//!
//! Reported is what holds for all paths to a place, in contexts that `main` reaches for certain. Conditions on what
//! other functions set may know MPI's state better than we do, and keep us silent (see [`guards`]). So do unseen
//! functions whose names suggest that they initialise or finalise MPI.

mod constants;
mod guards;
mod paths;
mod reach;
mod report;

use std::cell::RefCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::{BlockId, Callee, Cfg, Expr, Function, Inst, InstKind, Place, Terminator};
use frontend::mpi::{self, Class, Query, Role};
use frontend::program::{FunctionRef, Program, Resolution};

use super::entry::Entry as Facts;
use super::values::{Evaluator, Liveness, Solution, Value, apply, forget_dead, outgoing, solve};
use crate::results::Finding;
use constants::ConstantResults;
use guards::Guards;
use paths::{Paths, Phase, Way};
use reach::{Reach, Reaches, may_finalize, may_initialize};

/// A function with the phase in which it is entered.
type Context = (FunctionRef, Phase);
/// The phases in which a function may return, each with the constant that it returns then, if there is one.
type Summary = BTreeSet<(Phase, Option<i128>)>;

/// Findings about the life of MPI in one program.
pub(super) fn check(program: &Program) -> Vec<Finding> {
    let analysis = Analysis::new(program);
    let reach = analysis.reaches.get(program.entry);
    // What runs by itself before or after `main` may do what is missing there.
    let mut beside = program.before_main.iter().chain(&program.after_main);
    if !reach.uses && !reach.changes || beside.any(|&function| analysis.reaches.get(function).changes) {
        return Vec::new();
    }
    match analysis.solve() {
        Some(solved) => report::report(&analysis, &solved),
        None => Vec::new(),
    }
}

/// What does not change while contexts are solved.
struct Analysis<'p> {
    program: &'p Program,
    reaches: Reaches,
    constants: ConstantResults,
    /// Per unit.
    entries: Vec<Facts<'p>>,
}

/// All contexts that `main` may reach, solved.
struct Solved {
    summaries: BTreeMap<Context, Summary>,
    solutions: BTreeMap<Context, Solution<Paths>>,
}

/// One context while it is analysed.
struct Walk<'w> {
    analysis: &'w Analysis<'w>,
    function: FunctionRef,
    body: &'w Function,
    cfg: &'w Cfg,
    eval: Evaluator<'w>,
    guards: Guards,
    liveness: Liveness,
    summaries: &'w BTreeMap<Context, Summary>,
    /// Contexts that this one depends on.
    needs: RefCell<BTreeSet<Context>>,
}

/// Contexts are solved again when what they call changes; more often than this is not needed for any program of sense.
const MAX_ROUNDS_PER_CONTEXT: usize = 32;

impl<'p> Analysis<'p> {
    fn new(program: &'p Program) -> Self {
        let entries = program.units.iter().map(|unit| Facts::new(unit)).collect();
        Self { program, reaches: Reaches::new(program), constants: ConstantResults::new(program), entries }
    }

    /// `None` if a function is too large, or the contexts too many.
    fn solve(&self) -> Option<Solved> {
        let start = (self.program.entry, Phase::Before);
        let mut solved = Solved { summaries: BTreeMap::new(), solutions: BTreeMap::new() };
        let mut callers: BTreeMap<Context, BTreeSet<Context>> = BTreeMap::new();
        let mut pending = BTreeSet::from([start]);
        solved.summaries.insert(start, Summary::new());
        let mut rounds = 0_usize;
        while let Some(context) = pending.pop_first() {
            rounds += 1;
            if solved.summaries.len().saturating_mul(MAX_ROUNDS_PER_CONTEXT) < rounds {
                return None;
            }
            let (summary, needs) = match Walk::new(self, context.0, &solved.summaries) {
                // Not reached: `Reach` of a body lost to a syntax error says that it is not followed.
                None => (Phase::ALL.into_iter().map(|phase| (phase, None)).collect(), BTreeSet::new()),
                Some(walk) => {
                    let solution = walk.solve(context.1)?;
                    let summary = walk.summary(&solution);
                    let needs = walk.needs.into_inner();
                    solved.solutions.insert(context, solution);
                    (summary, needs)
                }
            };
            for needed in needs {
                callers.entry(needed).or_default().insert(context);
                if let Entry::Vacant(slot) = solved.summaries.entry(needed) {
                    slot.insert(Summary::new());
                    pending.insert(needed);
                }
            }
            if solved.summaries.get(&context) != Some(&summary) {
                solved.summaries.insert(context, summary);
                pending.extend(callers.get(&context).into_iter().flatten().copied());
            }
        }
        Some(solved)
    }
}

impl<'w> Walk<'w> {
    fn new(
        analysis: &'w Analysis<'w>,
        function: FunctionRef,
        summaries: &'w BTreeMap<Context, Summary>,
    ) -> Option<Self> {
        let unit = &analysis.program.units[function.unit];
        let body = analysis.program.function(function);
        let cfg = body.body.as_ref()?;
        Some(Self {
            analysis,
            function,
            body,
            cfg,
            eval: Evaluator::new(unit, body),
            guards: Guards::new(body, cfg),
            liveness: Liveness::new(body, cfg),
            summaries,
            needs: RefCell::default(),
        })
    }

    fn solve(&self, phase: Phase) -> Option<Solution<Paths>> {
        let state = self.analysis.entries[self.function.unit].state(self.body);
        solve(self.cfg, &Paths::start(phase, state), |block, paths| self.outgoing(block, paths))
    }

    fn outgoing(&self, block: BlockId, paths: &Paths) -> Vec<(BlockId, Paths)> {
        let mut paths = paths.clone();
        for inst in &self.cfg.graph[block].insts {
            paths = self.after(paths, inst);
        }
        let mut out: BTreeMap<BlockId, Paths> = BTreeMap::new();
        for (phase, way) in &paths.0 {
            let next = outgoing(&self.eval, &self.cfg.graph[block].terminator, &way.state);
            let is_open = next.iter().any(|(target, _)| *target != next[0].0);
            for (target, mut state) in next {
                forget_dead(&self.liveness, target, &mut state);
                let mut open = way.open.clone();
                if is_open {
                    open.insert(block);
                }
                open.retain(|&branch| !self.guards.is_closed_at(branch, target));
                out.entry(target).or_default().add(*phase, Way { state, open });
            }
        }
        out.into_iter().collect()
    }

    /// What is known after an instruction. Takes what was known before: of a state that nobody else has nothing is copied.
    fn after(&self, before: Paths, inst: &Inst) -> Paths {
        let mut after = Paths::default();
        for (phase, mut way) in before.0 {
            let InstKind::Call { dest, callee, args } = &inst.kind else {
                apply(&self.eval, &mut way.state, inst);
                after.add(phase, way);
                continue;
            };
            match callee {
                Callee::Direct { mpi: Some(called), .. } => {
                    if let Some((phase, way)) = self.after_mpi(called, phase, way, inst, dest.as_ref(), args)
                    {
                        after.add(phase, way);
                    }
                }
                Callee::Direct { name, mpi: None } => {
                    match self.analysis.program.resolve(self.function.unit, name) {
                        Resolution::Defined(target) => {
                            self.after_call(&mut after, target, phase, way, inst, dest.as_ref());
                        }
                        _ => {
                            let reach = Reach {
                                unseen_init: may_initialize(name),
                                unseen_finalize: may_finalize(name),
                                ..Reach::default()
                            };
                            way.for_each(reach.unseen_phases(phase), |phase, way| {
                                after.add(phase, self.returned(way, inst, dest.as_ref(), None));
                            });
                        }
                    }
                }
                Callee::Indirect(pointer) => {
                    after.add(phase, self.returned(way.clone(), inst, dest.as_ref(), None));
                    for target in self.analysis.program.call_targets(self.function, pointer, args.len()) {
                        if self.analysis.reaches.get(target).changes {
                            self.after_call(&mut after, target, phase, way.clone(), inst, dest.as_ref());
                        }
                    }
                }
            }
        }
        after
    }

    /// The paths after a call of a function of the program.
    fn after_call(
        &self,
        after: &mut Paths,
        target: FunctionRef,
        phase: Phase,
        way: Way,
        inst: &Inst,
        dest: Option<&Place>,
    ) {
        let reach = self.analysis.reaches.get(target);
        let matters = reach.changes || reach.uses && phase != Phase::During;
        if !matters {
            if reach.returns {
                let constant = self.analysis.constants.get(target);
                way.for_each(reach.unseen_phases(phase), |phase, way| {
                    after.add(phase, self.returned(way, inst, dest, constant));
                });
            }
            return;
        }
        let context = (target, phase);
        self.needs.borrow_mut().insert(context);
        way.for_each(self.summaries.get(&context).into_iter().flatten(), |(returned_in, constant), way| {
            let mut returned = self.returned(way, inst, dest, *constant);
            if *returned_in != phase {
                returned.open.clear();
            }
            after.add(*returned_in, returned);
        });
    }

    /// Values after a call that returned.
    fn returned(&self, mut way: Way, inst: &Inst, dest: Option<&Place>, constant: Option<i128>) -> Way {
        apply(&self.eval, &mut way.state, inst);
        if let (Some(place), Some(n)) = (dest, constant) {
            self.set(&mut way, place, n);
        }
        way
    }

    /// The path after a call of MPI; `None` if it ends there.
    fn after_mpi(
        &self,
        called: &mpi::Function,
        phase: Phase,
        way: Way,
        inst: &Inst,
        dest: Option<&Place>,
        args: &[Expr],
    ) -> Option<(Phase, Way)> {
        let mut way = self.returned(way, inst, dest, None);
        let phase = match called.class {
            Class::Abort => return None,
            Class::Init { .. } => Phase::During,
            Class::Finalize => Phase::After,
            _ => phase,
        };
        if matches!(called.class, Class::Init { .. } | Class::Finalize) {
            way.open.clear();
        }
        let answer = match called.class {
            Class::Query(Query::Initialized) => Some(phase != Phase::Before),
            Class::Query(Query::Finalized) => Some(phase == Phase::After),
            _ => None,
        };
        if let Some(answer) = answer
            && let Some(flag) = called.param_with_role(Role::Flag).and_then(|index| args.get(index))
            && let Some((object, offset)) = self.eval.value(&way.state, flag).as_address()
        {
            let size = self.eval.layout.types().pointee(flag.strip_casts().ty);
            let size = size.and_then(|ty| self.eval.layout.cell_size(ty)).unwrap_or(4);
            way.state.write(object, offset, size, Value::int(i128::from(answer)), None);
        }
        Some((phase, way))
    }

    fn set(&self, way: &mut Way, place: &Place, n: i128) {
        let (Some(targets), Some(size)) =
            (self.eval.address(&way.state, place), self.eval.layout.cell_size(place.ty))
        else {
            return;
        };
        if let [(object, offset)] = targets.as_slice() {
            way.state.write(object, *offset, size, Value::int(n), None);
        }
    }

    /// Calls `visit` with every reached instruction and what is known before it, then with what is known at the end of
    /// each block that returns.
    fn visit(
        &self,
        solution: &Solution<Paths>,
        mut visit: impl FnMut(&Paths, &Inst),
        mut at_return: impl FnMut(&Paths, Option<&Expr>, frontend::ir::Span),
    ) {
        for &block in &solution.order {
            let Some(mut paths) = solution.entry[block.index()].clone() else { continue };
            for inst in &self.cfg.graph[block].insts {
                visit(&paths, inst);
                paths = self.after(paths, inst);
            }
            if let Terminator::Return(value, span) = &self.cfg.graph[block].terminator {
                at_return(&paths, value.as_ref(), *span);
            }
        }
    }

    /// The phases in which the function returns.
    fn summary(&self, solution: &Solution<Paths>) -> Summary {
        let mut summary = Summary::new();
        let at_return = |paths: &Paths, value: Option<&Expr>, _: frontend::ir::Span| {
            for (phase, way) in &paths.0 {
                summary.insert((*phase, value.and_then(|value| self.constant(way, value))));
            }
        };
        self.visit(solution, |_, _| {}, at_return);
        // More than a few constants say no more than none.
        if 6 < summary.len() {
            summary = summary.into_iter().map(|(phase, _)| (phase, None)).collect();
        }
        summary
    }

    /// The constant that an expression yields.
    fn constant(&self, way: &Way, expr: &Expr) -> Option<i128> {
        self.eval.value(&way.state, expr).as_range()?.single()
    }
}
