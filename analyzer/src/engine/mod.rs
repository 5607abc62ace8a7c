//! The parallel dataflow engine (paper sections IV to VII; design section 6).
//!
//! A `state::State` is a node of the parallel CFG with its dataflow state. `explore` walks over the states: it runs each process set
//! until it waits (`exec`, `mpi`), matches what waits (`communicate`, `relation`), and joins and widens states of equal shape
//! (`generalise`, `join`). Questions that decide how to go on, such as whether a range of ranks is empty, are settled by case distinctions
//! (`need`), so that a match is always exact. What cannot be settled ends the path with a reason.
//!
//! One engine serves both regimes: with `np` symbolic, and with `np` fixed, where every process is a set of its own and each
//! question has one answer.
//!
//! Architecture invariant: `answer`, `topology`, `instance` and `findings` make what users read; the other files only give reasons for giving up.

mod abandoned;
mod ablation;
mod agreement;
mod aliasing;
mod alike;
mod answer;
mod arguments;
mod arithmetic;
mod arrays;
mod asking;
mod band;
mod bitfields;
mod blocks;
mod boxes;
mod built;
mod bytes;
pub(crate) mod cartesian;
mod changes;
mod channels;
mod clients;
mod collective;
mod communicate;
mod communicators;
mod conditions;
mod contents;
mod contributions;
mod coverage;
mod cross_check;
mod datatypes;
mod deciding;
mod delivery;
mod determinism;
mod digit_layout;
mod effects;
mod environment;
mod eval;
mod exec;
mod exploration;
mod explore;
mod extent;
mod files;
mod filling;
mod findings;
mod formulas;
mod functions;
mod generalise;
mod groundwork;
mod group;
mod instance;
mod intercommunicators;
mod join;
mod lengths;
mod library;
mod link;
mod listed;
mod lists;
mod memory;
mod merge;
mod mixed;
mod modelled;
mod mpi;
mod need;
mod neighbours;
mod orders;
mod overlaps;
mod pages;
mod partial;
mod partner;
mod permutation;
mod pointees;
mod possible_np;
mod powers;
mod process_counts;
mod quotients;
mod races;
mod rank_formulas;
mod ready;
mod reals;
mod record;
mod relation;
mod requests;
mod requests_stored;
mod room;
mod roots;
mod rounds;
mod rounds_ahead;
mod series;
mod state;
mod terms;
mod topology;
mod unbuffered;
mod undividing;
mod unrolling;
mod unset;
mod uses;
mod value;
mod vanishing;
mod waiting;
mod windows;
mod witness;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

use effort::{Budget, Limits};
use frontend::ir::{BlockId, Cfg, GlobalId, Initializer, LocalId, Span, Terminator};
use frontend::program::{FunctionRef, Program};
use lattice::{Constraints, Linear, Symbol, SymbolKind, Symbols};
use rustc_hash::{FxHashMap, FxHashSet};

use self::changes::Changes;
use self::clients::Clients;
use self::contents::Reach;
use self::datatypes::Signatures;
use self::deciding::Deciding;
use self::exploration::{Exploration, asked, explore, explore_symbolically, explore_with};
use self::explore::Walk;
use self::findings::Found;
use self::functions::FunctionFacts;
use self::groundwork::Groundwork;
use self::lengths::OpenLengths;
use self::memory::{Background, Content, Memory, ObjectId, ObjectKind, Objects};
use self::overlaps::Entries;
use self::room::Sizes;
use self::state::{SiteId, State};
use self::unbuffered::unsafe_sends;
use self::value::Value;
use self::vanishing::Exits;
use crate::results::{Lengths, ProgramReport, Site, SourceRange, Verdict, VerdictKind};
use crate::rules::Rule;

/// Numbers of processes to answer for.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum NpChoice {
    /// Any number, symbolically; 2 to 5 are explored where that gives up.
    #[default]
    Any,
    /// Only these.
    Fixed(Vec<u64>),
}

/// What to analyse and how long to try.
#[derive(Clone, Debug)]
pub struct Options {
    /// Numbers of processes.
    pub np: NpChoice,
    /// What the analysis of one entry point may take.
    pub limits: Limits,
    /// Number of processes to instantiate the topology at.
    pub instance: Option<u64>,
    /// Numbers of processes whose messages are listed besides as far as the answer holds for them, ascending; within
    /// `limits` once more.
    pub instances: Vec<u64>,
    /// Between which parts of the program information flow is looked for.
    pub flow: FlowQuery,
    /// Whether to say what is equal on all ranks.
    pub uniformity: bool,
    /// Whether to prove matches once more, to be shown.
    pub proofs: bool,
    /// Whether the formulas of the topology are compared with the messages of small numbers of processes: a contradiction is a panic. For
    /// tests.
    pub is_checked: bool,
    /// What to do without, to see what it is good for.
    pub without: Option<Without>,
}

/// A part of how matches are proved that an analysis can do without, and decides less then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// Questions that algebra leaves open stay open.
    Z3,
    /// Sequences in crate `hsm` stay as they come out.
    CanonicalForms,
    /// The ranks of a set are not taken apart by what the program divides them by.
    DigitBoxes,
}

/// Sources and sinks of information: functions, or variables (`name`, or `function:name`). Nothing is looked for unless there are
/// both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowQuery {
    /// Where data comes from.
    pub sources: Vec<String>,
    /// Where it must not go unseen.
    pub sinks: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            np: NpChoice::Any,
            limits: Limits::default(),
            instance: None,
            instances: Vec::new(),
            flow: FlowQuery::default(),
            uniformity: false,
            proofs: false,
            is_checked: false,
            without: None,
        }
    }
}

/// Process counts that are explored one by one where the symbolic analysis gives up.
const EXPLORED: std::ops::RangeInclusive<u64> = 2..=5;

/// Those that are explored besides where a defect shows at some of these and not at greater ones: what it depends on shows at these.
const FURTHER: std::ops::RangeInclusive<u64> = 6..=8;

/// A call site that takes part in communication or is reported on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SiteInfo {
    function: FunctionRef,
    span: Span,
    operation: String,
}

/// Everything that is known about one program while it is analysed in one regime.
pub(crate) struct Engine<'p> {
    program: &'p Program,
    /// The number of processes, in the fixed regime.
    fixed: Option<u64>,
    /// Whether a standard send may complete before it is received.
    buffering: bool,
    /// Whether of several messages that could be received next only one is followed, to find out what happens in some order.
    one_order: bool,
    /// Whether of the processes that can go on the last ones do so first.
    last_first: bool,
    /// Whether processes that ask whether something has happened are followed one by one, and whether that would have told more.
    asks_one_by_one: bool,
    answers_differ: bool,
    /// Whether a path ended with a call that must not be made so.
    erroneous: bool,
    without: Option<Without>,
    /// Whether the program divides a number that a loop counts.
    has_phases: bool,
    symbols: Symbols,
    /// What the number of a round is called in what is shown, see `rounds`.
    round: Symbol,
    objects: Objects,
    /// The first parameter of `main`.
    argument_count: Option<ObjectId>,
    /// What it holds at first.
    words: Option<Symbol>,
    signatures: Signatures,
    entries: Entries,
    sizes: Sizes,
    /// How many bytes types have in the engine's memory of which the program cannot know it: those with handles.
    model_sizes: FxHashMap<Symbol, i64>,
    /// Defects that are no findings unless they show for any number of processes, too.
    suspected: FxHashSet<(Rule, FunctionRef, Span)>,
    /// Lists of numbers that are right for some number of processes, see `lists`.
    right_lists: FxHashSet<(Rule, FunctionRef, Span)>,
    sites: Vec<SiteInfo>,
    site_index: FxHashMap<SiteInfo, SiteId>,
    functions: FxHashMap<FunctionRef, Rc<FunctionFacts>>,
    ground: Rc<Groundwork<'p>>,
    escaping: FxHashMap<FunctionRef, FxHashSet<LocalId>>,
    exposed_globals: BTreeSet<ObjectId>,
    changes: FxHashMap<FunctionRef, Changes>,
    /// Where pointers may point to, by the symbol that they are.
    pointers: FxHashMap<lattice::Symbol, Reach>,
    /// Functions without source that were called, those of the C library aside.
    external: BTreeSet<String>,
    assumptions: BTreeSet<String>,
    /// Whether a case was left out that only more processes have than there are on any machine.
    leaves_out_vast: bool,
    reasons: Vec<String>,
    /// Reasons for which a path was left that only few process counts take.
    few: Vec<String>,
    /// Cases that have been told apart for what is only shown.
    idle_cases: usize,
    /// Whether it was asked since the last assignment for which processes a divisor is zero.
    open_divisor: bool,
    /// States kept before the walk is cut.
    state_limit: usize,
    found: Vec<Found>,
    /// Where lengths were not compared.
    open_lengths: OpenLengths,
    exits: Exits,
    /// Places where cases are told apart by what the program computes from the number of processes alone, and that is not followed: which
    /// of the cases exist for which numbers is not known.
    unfollowed: BTreeSet<String>,
    /// Lengths that do not fit for numbers of processes that nobody asked for.
    found_elsewhere: Vec<Found>,
    /// What is not reached because the program always ends before, see `vanishing`.
    vanished: Option<String>,
    /// The number that each call sends, where it is always the same.
    sent: FxHashMap<SiteId, Option<i64>>,
    /// Where data matters that receives from any source get.
    matters: races::Matters,
    /// Partners that were asked to be permutations.
    asked: permutation::Asked,
    clients: Clients,
    /// Where the walk ends whatever is left to do.
    budget: Option<Budget>,
    /// Where the engine is: the place that a reason names.
    here: Option<(FunctionRef, Span)>,
}

/// Analyses one entry point: symbolically, and where that gives up or specific process counts are wanted, one count at a time.
#[must_use]
pub fn analyze_program(program: &Program, options: &Options) -> ProgramReport {
    let start = Instant::now();
    let budget = Budget::begin(options.limits);
    let ground = Rc::new(Groundwork::new(program));
    let mut symbolic = explore_symbolically(&ground, budget, options);
    let wanted = match &options.np {
        NpChoice::Any => options.instance,
        NpChoice::Fixed(counts) => counts.iter().copied().chain(options.instance).min(),
    };
    let answered = |first: &i64| wanted.is_none_or(|np| i64::try_from(np).is_ok_and(|np| *first <= np));
    // Process counts that were explored to their ends, where the answer is for these.
    let mut complete: Option<Vec<u64>> = None;
    // Work for messages that are only listed: it has budgets of its own.
    let mut apart = 0;
    let mut report = if let Some(first) = symbolic.complete_from().filter(answered) {
        symbolic.add_findings_below(first, budget);
        if let NpChoice::Fixed(counts) = &options.np {
            symbolic.compare_lengths_at(counts, budget);
        }
        let mut report = answer::symbolic_report(&symbolic, first, options);
        if report.verdict.kind == VerdictKind::Exact {
            let listing = Budget::begin(options.limits);
            if let Some(np) = options.instance {
                let general = report.topology.instance.take();
                report.topology.instance = listed::completed(&ground, general, np, options, listing);
                if report.topology.instance.is_some() {
                    report.verdict.reasons.retain(|reason| !reason.starts_with("who communicates at np = "));
                }
            }
            report.instances = listed::symbolic(&ground, &symbolic, first, options, listing);
            apart += listing.used();
        }
        report
    } else {
        let counts: Vec<u64> = match &options.np {
            NpChoice::Any => {
                let wanted = options.instance.filter(|n| !EXPLORED.contains(n));
                EXPLORED.chain(wanted).collect()
            }
            NpChoice::Fixed(counts) => counts.clone(),
        };
        let mut explored = Vec::new();
        for &np in &counts {
            explored.push((np, explore_with(asked(&ground, Some(np), options), budget)));
        }
        if options.np == NpChoice::Any && answer::comes_and_goes(&explored) {
            // What is not followed to its end says nothing besides.
            let further = FURTHER.map(|np| (np, explore_with(asked(&ground, Some(np), options), budget)));
            explored.extend(further.into_iter().filter(|(_, run)| run.is_complete()));
        }
        if !explored.iter().any(|(_, run)| run.is_complete()) {
            // Nothing else will show it.
            symbolic.engine.take_back_uncertain();
        }
        complete = Some(explored.iter().filter(|(_, run)| run.is_complete()).map(|(np, _)| *np).collect());
        let mut report = answer::bounded_report(&symbolic, &explored, options);
        if report.verdict.kind == VerdictKind::Bounded {
            let listing = Budget::begin(options.limits);
            report.instances = listed::bounded(&ground, &explored, options, listing);
            apart += listing.used();
        }
        let modelled = Budget::begin(options.limits);
        let runs = explored.iter().filter(|(_, run)| run.is_complete());
        let explored: Vec<_> = runs.filter_map(|(np, run)| instance::instance(run, *np)).collect();
        modelled::improve(program, &mut report, &explored, options, modelled);
        apart += modelled.used();
        report
    };
    let budget = budget.without(apart);
    if report.verdict.kind != VerdictKind::Unknown {
        let found = unsafe_sends(&ground, &report, options, complete.as_deref(), budget);
        if found.is_empty() && !report.topology.channels.is_empty() && budget.is_spent() {
            report.verdict.reasons.push(format!("whether sends rely on buffers: {}", over(budget)));
        }
        report.findings.extend(found);
        report.findings.sort_by(|a, b| (&a.range, a.rule).cmp(&(&b.range, b.rule)));
    }
    if budget.is_cut() && !report.verdict.reasons.iter().any(|reason| reason.contains(CUT)) {
        report.verdict.reasons.push(CUT.to_owned());
    }
    report.work = budget.used();
    report.questions = ground.questions.get();
    report.seconds = start.elapsed().as_secs_f64();
    report
}

/// Explores one process count exactly, without the symbolic engine: the oracle it is compared with.
#[must_use]
pub fn explore_at(program: &Program, np: u64, limits: Limits) -> ProgramReport {
    let start = Instant::now();
    let ground = Rc::new(Groundwork::new(program));
    let budget = Budget::begin(limits);
    let explored = explore(&ground, Some(np), budget);
    let options = Options { np: NpChoice::Fixed(vec![np]), limits, instance: Some(np), ..Options::default() };
    let none = Exploration { engine: Engine::new(&ground, None), walk: Walk::default() };
    let mut report = answer::bounded_report(&none, &[(np, explored)], &options);
    report.work = budget.used();
    report.questions = ground.questions.get();
    report.seconds = start.elapsed().as_secs_f64();
    report
}

/// What is said of an answer that is not the same on every machine.
const CUT: &str = "the time limit was reached, so this answer depends on the machine";

/// What ended where a budget is spent, in words.
fn over(budget: Budget) -> &'static str {
    if budget.is_cut() { CUT } else { "the limit on work was reached" }
}

impl<'p> Engine<'p> {
    fn new(ground: &Rc<Groundwork<'p>>, fixed: Option<u64>) -> Self {
        let mut symbols = Symbols::default();
        let round = symbols.fresh(SymbolKind::Input("m".into()));
        let mut engine = Self {
            program: ground.program,
            fixed,
            buffering: true,
            one_order: false,
            last_first: false,
            asks_one_by_one: false,
            answers_differ: false,
            erroneous: false,
            without: None,
            has_phases: false,
            symbols,
            round,
            objects: Objects::default(),
            argument_count: None,
            words: None,
            signatures: Signatures::default(),
            entries: Entries::default(),
            sizes: Sizes::default(),
            model_sizes: FxHashMap::default(),
            suspected: FxHashSet::default(),
            right_lists: FxHashSet::default(),
            sites: Vec::new(),
            site_index: FxHashMap::default(),
            functions: FxHashMap::default(),
            ground: Rc::clone(ground),
            escaping: FxHashMap::default(),
            exposed_globals: BTreeSet::new(),
            changes: FxHashMap::default(),
            pointers: FxHashMap::default(),
            external: BTreeSet::new(),
            assumptions: BTreeSet::new(),
            leaves_out_vast: false,
            reasons: Vec::new(),
            few: Vec::new(),
            idle_cases: 0,
            open_divisor: false,
            state_limit: explore::STATE_LIMIT,
            found: Vec::new(),
            open_lengths: OpenLengths::default(),
            exits: Exits::default(),
            unfollowed: BTreeSet::new(),
            found_elsewhere: Vec::new(),
            vanished: None,
            sent: FxHashMap::default(),
            matters: races::Matters::new(),
            asked: permutation::Asked::default(),
            clients: Clients::default(),
            budget: None,
            here: None,
        };
        let (escaping, globals) = effects::escaping(&mut engine, &ground.reachable);
        engine.escaping = escaping;
        engine.exposed_globals = globals.into_iter().collect();
        engine
    }

    fn facts_of(&mut self, function: FunctionRef) -> &Rc<FunctionFacts> {
        self.functions.entry(function).or_insert_with(|| {
            let code = self.program.function(function);
            let cfg = code.body.as_ref().expect("only functions with a body are entered");
            let Groundwork { program, never_returning: never, communicating: talkers, .. } = &*self.ground;
            let none = FxHashSet::default();
            let escaping = self.escaping.get(&function).unwrap_or(&none);
            Rc::new(FunctionFacts::new(
                cfg,
                function == self.program.entry,
                escaping,
                |inst| functions::ends_program(program, function.unit, inst, never),
                |inst| effects::communication(program, talkers, function, inst).is_some(),
            ))
        })
    }

    fn local_object(
        &mut self,
        function: FunctionRef,
        context: memory::ContextId,
        local: LocalId,
    ) -> ObjectId {
        let kind = if self.program.function(function).local(local).static_init.is_some() {
            ObjectKind::Static(function, local)
        } else {
            ObjectKind::Local(context, function, local)
        };
        self.objects.object(kind)
    }

    fn global_object(&mut self, unit: usize, global: GlobalId) -> ObjectId {
        let (unit, global) = self.program.resolve_global(unit, global);
        let known = self.program.global(unit, global);
        if !known.defined
            && let Some((name, _)) = environment::library_variable(&known.name)
        {
            return self.objects.object(ObjectKind::Library(name));
        }
        self.objects.object(ObjectKind::Global(unit, global))
    }

    /// Makes sure that a memory holds an object, with its initial content.
    fn ensure(&mut self, memory: &mut Memory, object: ObjectId) {
        if memory.get(object).is_some() {
            return;
        }
        let content = match self.objects.kind(object).clone() {
            ObjectKind::Global(unit, global) => {
                let definition = self.program.units[unit].global(global);
                if definition.defined && !definition.unstable {
                    // No local can be named there.
                    let nowhere = FunctionRef { unit, ..self.program.entry };
                    self.initial_content(nowhere, definition.ty, definition.init.as_ref())
                } else {
                    Content::new(Background::Unknown)
                }
            }
            ObjectKind::Static(function, local) => {
                let local = self.program.function(function).local(local);
                let init = local.static_init.clone().flatten();
                self.initial_content(function, local.ty, init.as_ref())
            }
            ObjectKind::Local(..) | ObjectKind::Heap(..) => Content::new(Background::Undefined),
            ObjectKind::Neighbours(_) => Content::new(Background::Unknown),
            kind @ (ObjectKind::Literal(_)
            | ObjectKind::CommandLine
            | ObjectKind::Environment
            | ObjectKind::Library(_)) => self.library_content(&kind),
        };
        memory.initialise(object, content);
    }

    fn initial_content(
        &mut self,
        function: FunctionRef,
        ty: frontend::ir::TypeId,
        init: Option<&Initializer>,
    ) -> Content {
        let mut content = Content::new(Background::Zero);
        if let Some(init) = init
            && !self.initialize(&mut content, function, ty, init, 0)
        {
            content.forget();
        }
        content
    }

    /// Writes a static initialiser of a variable of a function; `false` when it cannot be represented.
    fn initialize(
        &mut self,
        content: &mut Content,
        function: FunctionRef,
        ty: frontend::ir::TypeId,
        init: &Initializer,
        offset: i64,
    ) -> bool {
        use frontend::ir::Type;
        let types = &self.program.units[function.unit].types;
        match init {
            Initializer::Unknown => false,
            Initializer::Scalar(expr) => {
                let size = types.model_size(ty).unwrap_or(8);
                if size > 32 {
                    return false;
                }
                let mut facts = Constraints::new();
                let mut memory = Memory::default();
                let ranks = lattice::Ranks::world();
                let mut scope = eval::Scope {
                    engine: self,
                    facts: &mut facts,
                    ranks: &ranks,
                    memory: &mut memory,
                    function,
                    context: memory::ContextId::MAIN,
                };
                let value = scope.eval(expr).unwrap_or(Value::Unknown);
                content.write(offset, size, value);
                true
            }
            Initializer::Aggregate(parts) => parts.iter().all(|(index, part)| {
                let inner = match types.get(ty) {
                    Type::Array(element, _) => {
                        let size = types.model_size(*element).and_then(|s| i64::try_from(s).ok());
                        let index = i64::try_from(*index).ok();
                        size.zip(index)
                            .and_then(|(s, i)| offset.checked_add(s.checked_mul(i)?))
                            .map(|o| (*element, o))
                    }
                    Type::Record(record) => {
                        let fields = types.record(*record).fields.as_ref();
                        u32::try_from(*index).ok().and_then(|index| {
                            let step = types.model_offset(*record, index)?;
                            let field = fields?.get(usize::try_from(index).ok()?)?;
                            Some((field.ty, offset.checked_add(i64::try_from(step).ok()?)?))
                        })
                    }
                    _ => None,
                };
                inner.is_some_and(|(ty, offset)| self.initialize(content, function, ty, part, offset))
            }),
        }
    }

    /// `argc` and `argv`: inputs that are equal on all ranks.
    fn bind_command_line(&mut self, memory: &mut Memory) {
        let main = self.program.entry;
        let function = self.program.function(main);
        let argc = self.symbols.fresh(SymbolKind::Input("argc".into()));
        let argv = self.objects.object(ObjectKind::CommandLine);
        let arguments = [(Value::Int(argc.into()), 4), (Value::Address(argv, Linear::zero()), 8)];
        for (index, (value, size)) in (0..function.params.min(2)).zip(arguments) {
            let object = self.local_object(main, memory::ContextId::MAIN, LocalId(index));
            let mut content = Content::new(Background::Unknown);
            content.write(0, size, value);
            memory.insert(object, content);
            if index == 0 {
                self.argument_count = Some(object);
                self.words = Some(argc);
            }
        }
    }

    fn site(&mut self, function: FunctionRef, span: Span, operation: &str) -> SiteId {
        let info = SiteInfo { function, span, operation: operation.to_owned() };
        if let Some(&id) = self.site_index.get(&info) {
            return id;
        }
        let id = SiteId(u32::try_from(self.sites.len()).expect("a program has fewer than 2^32 call sites"));
        self.sites.push(info.clone());
        if self.is_in_multiplying_loop(function, span) {
            self.clients.topology.in_multiplying_loops.insert(id);
        }
        self.site_index.insert(info, id);
        id
    }

    fn site_place(&self, site: SiteId) -> (FunctionRef, Span) {
        let info = &self.sites[site.0 as usize];
        (info.function, info.span)
    }

    fn site_range(&self, site: SiteId) -> SourceRange {
        let (function, span) = self.site_place(site);
        self.range_of(function.unit, span)
    }

    pub(crate) fn site_result(&self, site: SiteId) -> Site {
        let info = &self.sites[site.0 as usize];
        Site {
            range: self.site_range(site),
            function: self.program.function(info.function).name.to_string(),
            operation: info.operation.clone(),
        }
    }

    fn range_of(&self, unit: usize, span: Span) -> SourceRange {
        SourceRange::from(self.program.units[unit].locate(span))
    }

    /// `line N`, with the file where it is not the entry point's.
    fn line_of(&self, unit: usize, span: Span) -> String {
        let range = self.range_of(unit, span);
        let entry = &self.program.units[self.program.entry.unit];
        if unit == self.program.entry.unit && range.file == entry.path.to_string_lossy() {
            format!("line {}", range.line)
        } else {
            format!("{}:{}", range.file, range.line)
        }
    }

    fn site_line(&self, site: SiteId) -> String {
        let (function, span) = self.site_place(site);
        self.line_of(function.unit, span)
    }

    /// Whether the budget is spent: what takes long looks now and then.
    fn is_late(&self) -> bool {
        self.budget.is_some_and(Budget::is_spent)
    }

    fn assume(&mut self, assumption: String) {
        self.assumptions.insert(assumption);
    }

    fn unexplored(&mut self, reason: String) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// Notes why a path could not be followed, with the place where the engine is.
    fn give_up(&mut self, reason: &str) {
        let reason = self.placed(reason);
        self.unexplored(reason);
    }

    /// The same where the path is one of few process counts.
    fn give_up_few(&mut self, reason: &str) {
        let reason = self.placed(reason);
        if !self.few.contains(&reason) {
            self.few.push(reason);
        }
    }

    /// A reason with the place where the engine is.
    fn placed(&self, reason: &str) -> String {
        match self.here {
            Some((function, span)) => format!("{}: {reason}", self.line_of(function.unit, span)),
            None => reason.to_owned(),
        }
    }

    /// Notes what a comment says if a condition comes from it.
    fn note_assumption(&mut self, unit: usize, condition: Span) {
        if let Some(assumption) = self.program.units[unit].assumption(condition) {
            self.assume(assumption.text.to_string());
        }
    }

    /// The same for all conditions in some blocks.
    fn note_assumptions(&mut self, unit: usize, cfg: &Cfg, blocks: &[BlockId]) {
        for &block in blocks {
            if let Terminator::Branch { condition, .. } = &cfg.graph[block].terminator {
                self.note_assumption(unit, condition.span);
            }
        }
    }

    fn note_abort(&mut self, state: &State, index: usize) {
        self.note_exit(state, index);
        let frame = state.sets[index].frame();
        let span = self.here.map_or(Span::default(), |(_, span)| span);
        let place = self.line_of(frame.function.unit, span);
        let body = self.program.function(frame.function).body.as_ref();
        if body.is_some_and(|cfg| functions::is_excluded(cfg, frame.block)) {
            return;
        }
        // Where the number of processes alone decides it, the verdict's np says so.
        if findings::depends_on_input(&self.symbols, &state.facts)
            || (self.fixed.is_none() && findings::rests_on_unevaluated(&self.symbols, &state.facts))
        {
            self.assume(format!("{place}: the exit of the program is not taken"));
        }
    }

    /// Which variables matter to what processes do next, as far as they are followed.
    fn deciding(&self) -> &Deciding {
        &self.ground.deciding
    }

    /// Whether the value of an object may decide what a process does next.
    fn decides(&self, object: ObjectId) -> bool {
        match self.objects.kind(object) {
            ObjectKind::Local(_, function, local) | ObjectKind::Static(function, local) => {
                self.deciding().holds_local(*function, *local)
            }
            ObjectKind::Global(unit, global) => self.deciding().holds_global(*unit, *global),
            ObjectKind::Heap(..)
            | ObjectKind::CommandLine
            | ObjectKind::Environment
            | ObjectKind::Library(_)
            | ObjectKind::Neighbours(_) => true,
            ObjectKind::Literal(_) => false,
        }
    }

    /// Whether a value is mere data: nothing in the program's structure is expressed through it.
    fn is_opaque(&self, value: &Value) -> bool {
        matches!(value, Value::Unknown | Value::Same(_))
    }

    fn verdict(&self, kind: VerdictKind, np: String) -> Verdict {
        let mut assumptions: Vec<String> = self.assumptions.iter().cloned().collect();
        if !self.external.is_empty() {
            let names: Vec<&str> = self.external.iter().map(String::as_str).collect();
            assumptions.push(format!("not analysed and assumed not to communicate: {}", names.join(", ")));
        }
        Verdict { kind, np, assumptions, reasons: Vec::new(), lengths: Lengths::NotProved(Vec::new()) }
    }
}
