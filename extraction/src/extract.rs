//! Following one symbolic process through the program.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use frontend::ir::{BlockId, Callee, Cfg, Function, Inst, InstKind, LocalId, Span, Terminator, Type};
use frontend::program::{FunctionRef, Program, Resolution};
use model::{Kind, Optional};
use presburger::{Context, Set};
use rustc_hash::FxHashMap;

use crate::after_loops::Watched;
use crate::arrays::Stores;
use crate::assumption::Assumption;
use crate::branches::Branch;
use crate::chosen::Meeting;
use crate::communicators::Communicator;
use crate::completion::Asked;
use crate::derived::Origins;
use crate::error::{GivenUp, Result};
use crate::event::{CallSite, Event, What};
use crate::exponents::Exponent;
use crate::flow::Flow;
use crate::form::{Atom, Bound, Form};
use crate::memory::{Cell, Memory, Object, Place, Step, Value};
use crate::parameters::{Kind as ParameterKind, Path};
use crate::parts::{Creation, PartOf};
use crate::powers::Power;
use crate::region::{Condition, Parameters, Region, Said};
use crate::state::{Doubt, Probed, State};
use crate::widths::Wanted;

/// Calls that are open at a time, at most.
const DEPTH: usize = 40;

/// The parameter that is the number of processes, where these have no digits.
pub(crate) const NP: usize = 0;

/// What the program calls a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// It is in a variable of this name.
    Variable(String),
    /// It is what this expression says, or something that has no expression.
    Expression(String),
    /// It is a digit of the number of processes: the highest is the first.
    Digit(usize),
}

/// A place in the text of `main`: the calls on the way, and where the call of MPI or the loop stands.
pub(crate) type Text = (Vec<Span>, Span);

/// Where a path goes on after a block.
#[derive(Debug, Default)]
pub(crate) struct Next {
    pub(crate) ways: Vec<(BlockId, State)>,
    /// The branch at its end, if there is one.
    branched: Option<Branched>,
}

/// A branch when it is come to.
#[derive(Clone, Debug)]
pub(crate) struct Branched {
    /// Who comes to its block, and to it: with what the block reads, and what is known of that.
    pub(crate) regions: [Region; 2],
    /// Branches that it depends on, of which it is not known which way they go.
    pub(crate) doubts: BTreeSet<Doubt>,
    /// [`Extractor::seen`], [`Extractor::omitted`] and [`Extractor::ended`] there.
    pub(crate) counts: [usize; 3],
}

impl Branched {
    /// Who comes to it, with these coordinates, if they were there: as little is said of the others as can be.
    pub(crate) fn with_all(&self, coordinates: &[u32]) -> &Region {
        let [first, region] = &self.regions;
        if coordinates.iter().all(|at| first.coordinates.contains(at)) { first } else { region }
    }
}

/// A call of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) function: FunctionRef,
    pub(crate) number: u32,
}

impl Frame {
    pub(crate) fn unit(&self) -> usize {
        self.function.unit
    }
}

/// The blocks of a function that are followed: all, or those of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) frame: Frame,
    pub(crate) body: &'a Cfg,
    pub(crate) flow: &'a Flow,
    /// The loop, by its index.
    pub(crate) within: Option<usize>,
}

impl Part<'_> {
    /// Whether a block is one of them.
    pub(crate) fn has(&self, block: BlockId) -> bool {
        self.within.is_none_or(|within| self.body.loops[within].blocks.binary_search(&block).is_ok())
    }

    /// The head of the loop, or the first block of the function.
    pub(crate) fn header(&self) -> BlockId {
        self.within.map_or(self.body.entry, |within| self.body.loops[within].header)
    }

    /// The block at which all ways out of the loop come together; `None` where that is the end of the function.
    pub(crate) fn end(&self) -> Option<BlockId> {
        let mut end = Some(self.header());
        while let Some(block) = end.filter(|block| self.has(*block)) {
            end = self.flow.together.get(&block).copied().flatten();
        }
        end
    }

    /// Where a block begins.
    pub(crate) fn span(&self, block: BlockId) -> Span {
        let of = &self.body.graph[block];
        match (of.insts.first(), &of.terminator) {
            (Some(inst), _) => inst.span,
            (None, Terminator::Branch { condition, .. }) => condition.span,
            (None, Terminator::Switch { value, .. }) => value.span,
            _ => Span::default(),
        }
    }

    /// Where the loop begins: no other one of the function begins there.
    pub(crate) fn place(&self) -> Span {
        let own = self.span(self.header());
        if own != Span::default() {
            return own;
        }
        let blocks = self.within.map_or(&[][..], |within| &self.body.loops[within].blocks);
        let spans = blocks.iter().map(|&block| self.span(block)).filter(|span| *span != Span::default());
        spans.min_by_key(|span| span.start).unwrap_or_default()
    }
}

/// Where a path may go on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaving {
    /// At the head of the loop that is followed.
    pub(crate) back: Option<State>,
    /// At blocks outside.
    pub(crate) out: BTreeMap<usize, (BlockId, State)>,
    /// At the caller.
    pub(crate) returned: Option<State>,
}

/// Everything that is known while a program is followed.
pub(crate) struct Extractor<'p> {
    pub(crate) program: &'p Program,
    pub(crate) context: Context,
    pub(crate) parameters: Parameters,
    /// The coordinates of a process: its rank, or the digits of that.
    pub(crate) process: Vec<u32>,
    /// The number of processes, or the digits of that.
    pub(crate) count: Vec<Form>,
    /// Counters of loops that are compared with what has digits.
    pub(crate) unclear: Vec<u32>,
    /// Counters of loops whose rounds each take another element of an array, with a form of its own.
    pub(crate) one_by_one: BTreeSet<u32>,
    /// Those of loops that have many rounds.
    pub(crate) in_any_round: BTreeSet<u32>,
    /// Loops around what is followed whose rounds are followed one after the other: they are outside of those whose rounds are counted.
    pub(crate) unrolled_loops: usize,
    /// How many digits the counter of each loop around has.
    pub(crate) innermost: Vec<usize>,
    /// How much less than the parameter is what it stands for.
    pub(crate) less: FxHashMap<usize, i64>,
    /// Numbers of rounds after which the loop that is followed may be left.
    pub(crate) rounds_left: Vec<Form>,
    /// Where loops of a number of rounds that is a parameter are left, and where that can be, as sets of parameters.
    pub(crate) facts: Vec<(Set, Set)>,
    /// Coordinates that follow from parameters and counters alone.
    pub(crate) uniform: BTreeSet<u32>,
    /// Parameters that stand for numbers of rounds, or for more.
    pub(crate) not_negative: BTreeSet<usize>,
    /// Numbers that loops multiply, by their parameters.
    pub(crate) powers: BTreeMap<usize, Power>,
    /// Exponents of such numbers.
    pub(crate) exponents: Vec<Exponent>,
    /// Coordinates that something is shifted by, each with what is added to it at least.
    pub(crate) shifted: BTreeMap<u32, i64>,
    /// Loops that multiply a number and are followed like others.
    pub(crate) ordinary: BTreeSet<Text>,
    /// The parts of the program that are followed for any round of such a loop: each with its number.
    pub(crate) parts_of_powers: BTreeMap<usize, usize>,
    /// The numbers after such loops, each with that in a round.
    pub(crate) last_powers: BTreeMap<usize, usize>,
    /// Those of them that are no widths, and others that all have, with the digits that they are written with.
    pub(crate) numbers_with_digits: BTreeMap<usize, Vec<Form>>,
    /// What is known of such numbers: for these values of the parameters, and which are possible then.
    pub(crate) facts_of: BTreeMap<usize, (Set, Set)>,
    /// What is known of the numbers after such loops on each way out, where processes have no digits.
    pub(crate) known_of_last: BTreeMap<usize, Vec<Vec<Bound>>>,
    /// Parameters that only the number of processes decides about.
    pub(crate) determined: BTreeSet<usize>,
    /// Parts of the program that are followed for any round, and that all execute in the same rounds.
    pub(crate) together: Vec<Optional>,
    /// The places of the numbers of the text of `main`, and the place that is followed.
    pub(crate) texts: BTreeMap<i64, Text>,
    pub(crate) here: Span,
    /// The processes that are followed in place of all, if these are others.
    pub(crate) part: Option<PartOf>,
    /// Whether nothing is known of the communicators of parts of the processes.
    pub(crate) parts_are_open: bool,
    /// Calls that make communicators of parts of the processes.
    pub(crate) creations: Vec<Creation>,
    /// Whether some expression has named `MPI_UNDEFINED`.
    pub(crate) names_undefined: bool,
    /// Whether some call has buffers that are not looked at.
    pub(crate) has_other_buffers: bool,
    /// Whether what is not followed is left out, as far as it is known what follows it.
    pub(crate) may_leave_out: bool,
    /// Texts of `main` that are looked at in another way: what is communicated there is left out.
    pub(crate) skipped: BTreeSet<Text>,
    /// Numbers of the text of `main` at which something is left out, each with why.
    pub(crate) left_out: BTreeMap<i64, GivenUp>,
    /// What is looked at alone, of all processes and parameters.
    pub(crate) alone: Vec<Bound>,
    /// Whether tags are written with the digits of processes.
    pub(crate) tags_have_digits: bool,
    /// Widths of digits with which more would be linear.
    pub(crate) wanted: Vec<Wanted>,
    /// What the program calls them, where it does.
    pub(crate) parameter_names: Vec<Named>,
    pub(crate) known_parameters: FxHashMap<Path, usize>,
    /// Numbers that all compute out of parameters, with what they come from: each has a number.
    pub(crate) origins_of_numbers: Origins,
    /// The parameters for these.
    pub(crate) derived_numbers: BTreeSet<usize>,
    /// Parameters that may be multiplied with ranks where processes have no digits.
    pub(crate) scales: BTreeSet<usize>,
    /// Parameters that are one of two numbers.
    pub(crate) ones_of_two: BTreeSet<usize>,
    /// Variables in which a number is one of two, where ways come together: each with its number.
    pub(crate) meetings: FxHashMap<Meeting, usize>,
    pub(crate) next_coordinate: u32,
    /// The functions that are called, by the number of the call.
    pub(crate) frames: Vec<FunctionRef>,
    /// Bytes of an element of memory on the heap, as it is first used.
    pub(crate) elements: FxHashMap<u32, u64>,
    known_heaps: FxHashMap<(Vec<Span>, Span), u32>,
    /// Calls that others notice, whether they are kept or not.
    pub(crate) seen: usize,
    /// Those of them that are left out.
    pub(crate) omitted: usize,
    /// Ways on which processes end.
    pub(crate) ended: usize,
    pub(crate) branches: Vec<Branch>,
    flows: FxHashMap<FunctionRef, Rc<Flow>>,
    /// Calls on the way.
    pub(crate) calls: Vec<Span>,
    /// Position of what is followed: text and counters.
    pub(crate) prefix: Vec<Form>,
    /// For each loop around the number of the next text in it.
    pub(crate) next_text: Vec<i64>,
    /// Counters of the loops around, the outermost first.
    pub(crate) counters: Vec<u32>,
    /// Coordinates that what is claimed of a loop depends on.
    pub(crate) pinned: Vec<u32>,
    /// Whether events are kept.
    pub(crate) is_recording: bool,
    /// What holds where an operand is evaluated.
    pub(crate) guards: Vec<Condition>,
    /// How often something was divided by what may be zero or less.
    pub(crate) missed: usize,
    pub(crate) events: Vec<Event>,
    /// What is asked for in a loop that is tried.
    pub(crate) asked: Vec<Asked>,
    /// What is done in the rounds of the loops that are followed, the innermost last.
    pub(crate) watched: Vec<Watched>,
    /// How many blocks have been followed.
    pub(crate) blocks: usize,
    /// Elements of arrays that are written in loops.
    pub(crate) stores: Stores,
    /// Cells written since the innermost trial of a loop began.
    pub(crate) written: Vec<BTreeSet<Cell>>,
    /// The object that an index was of which no number is known.
    pub(crate) last_object: Option<Object>,
    /// The numbers of communicators, by the calls that make them.
    pub(crate) known_communicators: FxHashMap<(Vec<Span>, Span), usize>,
    /// Numbers of values that are the same for all.
    pub(crate) values: u32,
    /// Those of them that depend on the counter of a loop alone, and on what is the same in all rounds of loops: each with this counter.
    pub(crate) repeated: BTreeSet<(u32, Option<u32>)>,
    /// Those of them that are the same in all rounds of loops.
    pub(crate) constants: BTreeSet<u32>,
    /// Those of them that point into the command line, which nobody changes.
    pub(crate) command_line: BTreeSet<u32>,
    /// Objects that other processes read and write at any time.
    pub(crate) shared: BTreeSet<Object>,
    /// Communicators by their numbers: that of all first.
    pub(crate) made: Vec<Communicator>,
    /// Objects of which the steps of pointers into them are not all as long as the elements.
    pub(crate) recast: BTreeSet<Object>,
    /// Numbers of processes of communicators, as far as they are parameters: each as a set of one number.
    pub(crate) sizes: Vec<Set>,
    /// Those of partitioned operations, by those that they are of.
    pub(crate) partitioned: BTreeMap<usize, usize>,
    pub(crate) assumptions: Vec<Assumption>,
    /// The least number of processes that the program is for.
    pub(crate) least: std::cell::Cell<i64>,
    /// Whether all processes end the program before `main` returns, if they come that far.
    pub(crate) ends_for_all: bool,
}

impl<'p> Extractor<'p> {
    pub(crate) fn new(program: &'p Program, context: Context) -> Result<Self> {
        let mut new = Self {
            program,
            made: Vec::new(),
            context,
            parameters: Parameters { names: vec!["np".to_owned()], ..Parameters::default() },
            process: vec![0],
            count: vec![Form::atom(Atom::Parameter(NP))],
            unclear: Vec::new(),
            one_by_one: BTreeSet::new(),
            in_any_round: BTreeSet::new(),
            unrolled_loops: 0,
            innermost: Vec::new(),
            less: FxHashMap::default(),
            rounds_left: Vec::new(),
            facts: Vec::new(),
            uniform: BTreeSet::new(),
            not_negative: BTreeSet::new(),
            powers: BTreeMap::new(),
            exponents: Vec::new(),
            shifted: BTreeMap::new(),
            ordinary: BTreeSet::new(),
            parts_of_powers: BTreeMap::new(),
            last_powers: BTreeMap::new(),
            numbers_with_digits: BTreeMap::new(),
            facts_of: BTreeMap::new(),
            known_of_last: BTreeMap::new(),
            determined: BTreeSet::new(),
            together: Vec::new(),
            texts: BTreeMap::new(),
            here: Span::default(),
            part: None,
            parts_are_open: false,
            creations: Vec::new(),
            names_undefined: false,
            has_other_buffers: false,
            may_leave_out: false,
            skipped: BTreeSet::new(),
            left_out: BTreeMap::new(),
            alone: Vec::new(),
            tags_have_digits: false,
            wanted: Vec::new(),
            parameter_names: vec![Named::Variable("np".to_owned())],
            known_parameters: FxHashMap::default(),
            origins_of_numbers: Origins::new(),
            derived_numbers: BTreeSet::new(),
            scales: BTreeSet::new(),
            ones_of_two: BTreeSet::new(),
            meetings: FxHashMap::default(),
            next_coordinate: 1,
            frames: Vec::new(),
            elements: FxHashMap::default(),
            known_heaps: FxHashMap::default(),
            seen: 0,
            omitted: 0,
            ended: 0,
            branches: Vec::new(),
            flows: FxHashMap::default(),
            calls: Vec::new(),
            prefix: Vec::new(),
            next_text: vec![0],
            counters: Vec::new(),
            pinned: Vec::new(),
            is_recording: true,
            guards: Vec::new(),
            missed: 0,
            events: Vec::new(),
            asked: Vec::new(),
            watched: Vec::new(),
            blocks: 0,
            stores: Stores::default(),
            written: Vec::new(),
            last_object: None,
            known_communicators: FxHashMap::default(),
            values: 0,
            repeated: BTreeSet::new(),
            constants: BTreeSet::new(),
            command_line: BTreeSet::new(),
            shared: BTreeSet::new(),
            sizes: Vec::new(),
            recast: BTreeSet::new(),
            partitioned: BTreeMap::new(),
            assumptions: Vec::new(),
            least: std::cell::Cell::new(1),
            ends_for_all: false,
        };
        new.made.push(new.of_all()?);
        Ok(new)
    }

    pub(crate) fn new_coordinate(&mut self) -> u32 {
        self.next_coordinate += 1;
        self.next_coordinate - 1
    }

    /// The coordinates of an instance: those of the process and the counters, which all others follow from.
    pub(crate) fn kept(&self) -> Vec<u32> {
        self.process.iter().chain(&self.counters).copied().collect()
    }

    /// Whether a coordinate is the same for all processes in the same round.
    pub(crate) fn counts(&self, coordinate: u32) -> bool {
        self.counters.contains(&coordinate) || self.uniform.contains(&coordinate)
    }

    pub(crate) fn give_up<T>(&self, frame: &Frame, span: Span, reason: impl Into<String>) -> Result<T> {
        Err(GivenUp::Program { reason: reason.into(), place: Some((frame.function, span)) })
    }

    pub(crate) fn local(&self, frame: &Frame, local: LocalId) -> Object {
        let function = self.program.function(frame.function);
        if function.local(local).static_init.is_some() {
            Object::Static(frame.unit(), frame.function.function.0, local)
        } else {
            Object::Local(frame.number, local)
        }
    }

    /// Follows the whole program.
    pub(crate) fn run(&mut self) -> Result<()> {
        let is_left = self.follow_main()?;
        let entry = self.program.entry;
        let left = self.assumptions.iter().find_map(|assumption| match assumption {
            Assumption::NotEnded(function, span) => Some((*function, *span)),
            _ => None,
        });
        // Where all end the job before they communicate, nothing is said of what follows.
        if self.ends_for_all && self.events.is_empty() && self.part.is_none() {
            let frame = Frame { function: entry, number: 0 };
            let span = self.program.function(entry).name_span;
            return self.give_up(&frame, span, "all end the program before they communicate");
        }
        let is_followed = (is_left || self.ends_for_all) && (!self.events.is_empty() || self.part.is_some());
        if let (false, Some((function, span))) = (is_followed, left) {
            let frame = Frame { function, number: 0 };
            return self.give_up(&frame, span, "what follows this end of the program is not reached");
        }
        Ok(())
    }

    /// Follows `main`, and says whether it returns.
    pub(crate) fn follow_main(&mut self) -> Result<bool> {
        let region = self.everybody()?.bounded(&self.alone, &self.parameters)?;
        let mut state =
            State { region, memory: Memory::default(), doubts: BTreeSet::new(), probed: Probed::Nothing };
        self.initialise_globals(&mut state)?;
        let entry = self.program.entry;
        let function = self.program.function(entry);
        let arguments: Vec<Value> = (0..function.params)
            .map(|at| match at {
                0 => {
                    let named = Named::Expression("argc".to_owned());
                    self.parameter(function.name_span, ParameterKind::Arguments, named, &[])
                        .unwrap_or(Value::Same(0))
                }
                _ => self.new_value(true, true),
            })
            .collect();
        let end = self.enter(entry, state, &arguments, function.name_span)?;
        if end.as_ref().is_some_and(|(state, _)| state.probed != Probed::Nothing) {
            let frame = Frame { function: entry, number: 0 };
            let reason = "a message that a probe finds is not received";
            return self.give_up(&frame, function.name_span, reason);
        }
        Ok(end.is_some())
    }

    /// Follows a call of a function of the program. `None` where it does not return.
    pub(crate) fn enter(
        &mut self,
        function: FunctionRef,
        mut state: State,
        arguments: &[Value],
        span: Span,
    ) -> Result<Option<(State, Value)>> {
        let of: &Function = self.program.function(function);
        let frame = Frame { function, number: u32::try_from(self.frames.len()).unwrap_or(u32::MAX) };
        let Some(body) = &of.body else {
            return self.give_up(&frame, of.span, format!("`{}` could not be read", of.name));
        };
        if self.calls.len() >= DEPTH {
            return self.give_up(
                &frame,
                of.name_span,
                format!("`{}` calls itself, or too many calls are open", of.name),
            );
        }
        self.frames.push(function);
        self.calls.push(span);
        for (at, value) in (0..of.params).zip(arguments) {
            let cell = Cell { object: Object::Local(frame.number, LocalId(at)), path: Vec::new() };
            let value = self.numbered(value.clone());
            state.memory.write(cell, value);
        }
        let flow = self.flow(function, body);
        let part = Part { frame, body, flow: &flow, within: None };
        let before = state.region.clone();
        let mut leaving = self.walk(part, part.header(), state)?;
        self.calls.pop();
        let Some(mut state) = leaving.returned.take() else { return Ok(None) };
        let branches = &self.branches;
        state.doubts.retain(|doubt| branches[*doubt as usize].frame != frame.number);
        let result = Cell { object: Object::Local(frame.number, RESULT), path: Vec::new() };
        let value = state.memory.read(&result).cloned().unwrap_or(Value::Open);
        let is_of_call =
            |object: Object| matches!(object, Object::Local(number, _) if number == frame.number);
        state.memory.retain(|object| !is_of_call(object));
        for log in &mut self.written {
            log.retain(|cell| !is_of_call(cell.object));
        }
        let needed = [self.kept(), self.pinned.clone(), value.coordinates()].concat();
        state.tidied(&needed)?;
        state.region = self.without_facts(state.region)?.simplified_to(before)?;
        Ok(Some((state, value)))
    }

    fn flow(&mut self, function: FunctionRef, body: &Cfg) -> Rc<Flow> {
        Rc::clone(self.flows.entry(function).or_insert_with(|| Rc::new(Flow::of(body))))
    }

    /// Follows all paths from a block, within a loop or a function, to where they leave it.
    pub(crate) fn walk(&mut self, part: Part<'_>, start: BlockId, state: State) -> Result<Leaving> {
        let Part { frame, body, flow, within } = part;
        let mut leaving = Leaving::default();
        let mut pending: BTreeMap<usize, (BlockId, State)> = BTreeMap::new();
        pending.insert(flow.place[&start], (start, state));
        // Where the ways of a branch come together, with the branch, and how many ways had left this part of the function.
        let mut before: BTreeMap<BlockId, (Branched, usize)> = BTreeMap::new();
        let mut gone = 0;
        while let Some((place, (block, mut state))) = pending.pop_first() {
            let branches = &self.branches;
            state.doubts.retain(|doubt| {
                let branch = &branches[*doubt as usize];
                branch.frame != frame.number || branch.together != Some(block)
            });
            if let Some((before, _)) = before.remove(&block) {
                let region = self.without_facts(state.region)?;
                let before = before.with_all(&region.coordinates).clone();
                state.region = region.simplified_to(before)?;
            }
            let inner = flow.loops.get(&block).copied().filter(|&inner| Some(inner) != within);
            let next: Vec<(BlockId, State)> = match inner {
                Some(inner) => {
                    let left = self.follow_loop(Part { within: Some(inner), ..part }, state)?;
                    if let Some(state) = left.returned {
                        self.join_into(&mut leaving.returned, state, None)?;
                    }
                    left.out.into_values().collect()
                }
                None => {
                    let Next { ways, branched } = self.follow_block(part, block, state, &mut leaving)?;
                    let together = flow.together.get(&block).copied().flatten();
                    if let (Some(together), Some(branched)) = (together, branched) {
                        before.entry(together).or_insert((branched, gone));
                    }
                    ways
                }
            };
            for (target, state) in next {
                if state.region.is_empty()? {
                    continue;
                }
                if within.is_some_and(|within| body.loops[within].header == target) {
                    gone += 1;
                    self.join_into(&mut leaving.back, state, Some((frame.number, target)))?;
                    continue;
                }
                let at = flow.place[&target];
                let is_inside = part.has(target);
                if is_inside && at <= place {
                    return self.give_up(&frame, part.span(block), "a jump into a loop is not followed");
                }
                gone += usize::from(!is_inside);
                let targets = if is_inside { &mut pending } else { &mut leaving.out };
                let mut joined = targets.remove(&at).map(|(_, known)| known);
                match (&joined, before.get(&target)) {
                    (Some(known), Some((before, others)))
                        if is_inside && *others == gone && self.is_left_out_since(before) =>
                    {
                        let kept = [self.kept(), self.pinned.clone()].concat();
                        joined = Some(known.joined_before(&state, before, &kept)?);
                    }
                    _ => self.join_into(&mut joined, state, Some((frame.number, target)))?,
                }
                targets.extend(joined.map(|state| (at, (target, state))));
            }
        }
        Ok(leaving)
    }

    /// Joins a path with what is known to come to the same place: a block of a call of a function, or its end.
    pub(crate) fn join_into(
        &mut self,
        known: &mut Option<State>,
        mut state: State,
        at: Option<(u32, BlockId)>,
    ) -> Result<()> {
        let joined = match known.take() {
            Some(mut other) => {
                let differ: Vec<Doubt> = (&state.doubts ^ &other.doubts).into_iter().collect();
                // In each round all come here on one way, or all on the other one.
                let mut is_alike = !differ.is_empty();
                for doubt in differ {
                    let branch = &self.branches[doubt as usize];
                    let ends = at.is_some_and(|(frame, block)| {
                        branch.frame == frame && branch.together == Some(block)
                    });
                    is_alike &= branch.rounds.as_ref() == Some(&self.counters) && ends;
                    if branch.rounds.is_some() && !ends {
                        // Some come here on a way on which it was not asked.
                        self.branches.push(Branch { rounds: None, ..branch.clone() });
                        let open = Doubt::try_from(self.branches.len() - 1).unwrap_or(Doubt::MAX);
                        for state in [&mut state, &mut other] {
                            if state.doubts.remove(&doubt) {
                                state.doubts.insert(open);
                            }
                        }
                    }
                }
                let alike = if is_alike { self.alike(&other, &state)? } else { Vec::new() };
                // They stay although no value needs them.
                let kept = [self.kept(), self.pinned.clone()].concat();
                let chosen = match at {
                    Some((_, block)) => self.ones_of(block, &other, &state)?,
                    None => BTreeMap::new(),
                };
                let next = &mut self.next_coordinate;
                let new = || {
                    *next += 1;
                    *next - 1
                };
                let mut joined = other.joined(&state, &kept, &self.parameters, new, &chosen)?;
                for cell in alike {
                    let value = self.numbered(Value::Same(0));
                    joined.memory.write(cell, value);
                }
                joined
            }
            None => state,
        };
        *known = Some(joined);
        Ok(())
    }

    /// The cells that hold another number on each of two ways, but the same for all processes that go the same way together: all go one of
    /// them.
    fn alike(&self, one: &State, other: &State) -> Result<Vec<Cell>> {
        let kept = self.kept();
        let regions = [one, other].map(|state| state.region.projected(&kept));
        let [first, second] = regions;
        if !first?.set.is_equal(&second?.set)? {
            return Ok(Vec::new());
        }
        let is_number = |value: &Value| matches!(value, Value::Number(_) | Value::Same(_));
        let of_all = |value: &Value| is_number(value) && self.is_same(value);
        let cells = one.memory.cells().filter(|(cell, value)| {
            other.memory.read(cell).is_some_and(|second| second != *value && of_all(second) && of_all(value))
        });
        Ok(cells.map(|(cell, _)| cell.clone()).collect())
    }

    /// Follows a block; where it goes on.
    pub(crate) fn follow_block(
        &mut self,
        part: Part<'_>,
        block: BlockId,
        mut state: State,
        leaving: &mut Leaving,
    ) -> Result<Next> {
        let mut branched = None;
        let first = state.region.clone();
        let frame = &part.frame;
        let of = &part.body.graph[block];
        self.blocks += 1;
        for inst in &of.insts {
            let next = self.follow(frame, state, inst);
            match next.map_err(|error| error.placed(frame.function, inst.span))? {
                Some(next) => state = next,
                None => {
                    self.ended += 1;
                    return Ok(Next::default());
                }
            }
        }
        let ways = match &of.terminator {
            Terminator::Goto(target) => vec![(*target, state)],
            Terminator::Branch { condition, then, otherwise } => {
                let holds = self.condition(frame, &mut state, condition)?;
                let regions = [first.clone(), state.region.clone()];
                let doubts = state.doubts.clone();
                branched = Some(Branched { regions, doubts, counts: self.progress() });
                let ways =
                    self.branch(part, block, state, ((condition.span, 0), holds), [*then, *otherwise])?;
                self.watch_exits(part, block, &ways);
                ways.into()
            }
            Terminator::Switch { value, cases, default } => {
                let of = self.evaluate(frame, &mut state, value)?;
                let regions = [first.clone(), state.region.clone()];
                let doubts = state.doubts.clone();
                branched = Some(Branched { regions, doubts, counts: self.progress() });
                let mut next = Vec::new();
                for (number, &(low, high, target)) in cases.iter().enumerate() {
                    let holds = match (&of, i64::try_from(low), i64::try_from(high)) {
                        (Value::Number(form), Ok(low), Ok(high)) => Condition::All(vec![
                            Condition::is(Bound::at_most(&Form::number(low), form)),
                            Condition::is(Bound::at_most(form, &Form::number(high))),
                        ]),
                        (Value::Same(_), ..) => Condition::Same(Said::default()),
                        _ => Condition::Open,
                    };
                    let [yes, no] =
                        self.branch(part, block, state, ((value.span, number), holds), [target, *default])?;
                    next.push(yes);
                    state = no.1;
                }
                next.push((*default, state));
                next
            }
            Terminator::IndirectGoto(_) => {
                return self.give_up(frame, part.span(block), "a computed jump is not followed");
            }
            Terminator::Return(value, _) => {
                let value = match value {
                    Some(value) => self.evaluate(frame, &mut state, value)?,
                    None => Value::Open,
                };
                let result = Cell { object: Object::Local(frame.number, RESULT), path: Vec::new() };
                let value = self.numbered(value);
                state.memory.write(result, value);
                self.join_into(&mut leaving.returned, state, None)?;
                Vec::new()
            }
            Terminator::Unreachable => {
                self.ended += 1;
                Vec::new()
            }
        };
        Ok(Next { ways, branched })
    }

    /// Follows an instruction. `None` where the process ends.
    fn follow(&mut self, frame: &Frame, mut state: State, inst: &Inst) -> Result<Option<State>> {
        match &inst.kind {
            InstKind::Assign(place, value) => {
                let types = &self.program.units[frame.unit()].types;
                if matches!(types.get(place.ty), Type::Record(_) | Type::Array(..)) {
                    self.copy(frame, &mut state, place, value)?;
                } else {
                    let value = self.evaluate(frame, &mut state, value)?;
                    self.store(frame, &mut state, place, value)?;
                }
            }
            InstKind::Declare(local) => {
                let object = self.local(frame, *local);
                self.forget(&mut state, object);
            }
            InstKind::Opaque { writes, .. } => match writes {
                Some(places) => {
                    for place in places {
                        self.store(frame, &mut state, place, Value::Open)?;
                    }
                }
                None => self.forget_exposed(&mut state),
            },
            InstKind::Call { dest, callee, args } => {
                let of = self.program.function(frame.function);
                if of.executed_by(inst.span).is_some() || of.executed_by_several_threads(inst.span) {
                    return self.give_up(frame, inst.span, "what threads do is not followed");
                }
                let Callee::Direct { name, mpi } = callee else {
                    return self.give_up(frame, inst.span, "a call through a pointer is not followed");
                };
                let result = match mpi {
                    Some(function) => {
                        let site = CallSite { function: frame.function, span: inst.span, mpi: function };
                        if self.prefix.is_empty() {
                            self.here = inst.span;
                        }
                        self.mpi_call_or_left_out(frame, state, (&site, args))?
                    }
                    None => match self.program.resolve(frame.unit(), name) {
                        Resolution::Defined(function) => {
                            let arguments = args
                                .iter()
                                .map(|argument| self.evaluate(frame, &mut state, argument))
                                .collect::<Result<Vec<_>>>()?;
                            self.enter(function, state, &arguments, inst.span)?
                        }
                        Resolution::External => self.library_call(frame, state, name, args, inst.span)?,
                    },
                };
                let Some((after, value)) = result else { return Ok(None) };
                state = after;
                if !self.alone.is_empty() && state.region.is_empty()? {
                    return Ok(None);
                }
                if let Some(dest) = dest {
                    self.store(frame, &mut state, dest, value)?;
                }
            }
        }
        Ok(Some(state))
    }

    /// The number of the text of `main` that is followed.
    pub(crate) fn text(&self) -> i64 {
        let outermost = self.prefix.first().and_then(Form::as_number);
        outermost.or_else(|| self.next_text.first().copied()).unwrap_or(0)
    }

    /// A new piece of memory.
    pub(crate) fn allocated(&mut self, state: &mut State, span: Span) -> Value {
        let count = u32::try_from(self.known_heaps.len()).unwrap_or(u32::MAX);
        let object = Object::Heap(*self.known_heaps.entry((self.calls.clone(), span)).or_insert(count));
        self.forget(state, object);
        Value::Address(Place::of(object).with(Step::At(Form::number(0))))
    }

    /// The position of the next call.
    pub(crate) fn position(&mut self) -> Vec<Form> {
        let mut position = self.prefix.clone();
        if let Some(next) = self.next_text.last_mut() {
            if position.is_empty() {
                self.texts.insert(*next, (self.calls.clone(), self.here));
            }
            position.push(Form::number(*next));
            *next += 1;
        }
        position
    }

    /// How many coordinates of a position say which round of so many counted loops it is in: a position is text, round, text and so on.
    pub(crate) fn depth_of(&self, counted: usize) -> usize {
        2 * (self.unrolled_loops + counted)
    }

    /// The place in the text of `main` of a call.
    pub(crate) fn text_of(&self, event: &Event) -> Option<&Text> {
        self.texts.get(&event.position.first()?.as_number()?)
    }

    /// Keeps a call.
    pub(crate) fn record(
        &mut self,
        frame: &Frame,
        state: &mut State,
        site: &CallSite,
        position: Vec<Form>,
        what: What,
    ) -> Result<()> {
        self.seen += 1;
        let is_next = match (std::mem::take(&mut state.probed), &what) {
            (Probed::Nothing, _) => true,
            (Probed::Message(found), What::Message { envelope, kind: Kind::Receive, .. }) => {
                found == *envelope
            }
            _ => false,
        };
        if self.is_recording && !state.region.is_empty()? {
            if !is_next {
                let reason = "what is done between a probe and the receive of its message is not followed";
                return self.give_up(frame, site.span, reason);
            }
            let mut options = self.together.clone();
            for &doubt in &state.doubts {
                let Branch { rounds, place: (_, span), .. } = &self.branches[doubt as usize];
                match rounds {
                    Some(rounds) if self.counters.starts_with(rounds) => {
                        options.push(Optional {
                            part: doubt as usize,
                            rounds: self.depth_of(rounds.len()),
                            is_any_round: false,
                        });
                    }
                    _ => {
                        return self.give_up(
                            frame,
                            *span,
                            "it is not known which way this branch goes, and communication depends on it",
                        );
                    }
                }
            }
            let instance = self.kept();
            // What else the path depends on has no part in it.
            let mut needed = what.coordinates();
            needed.extend(position.iter().flat_map(Form::coordinates));
            let others = state.region.coordinates.iter().copied();
            let needed: Vec<u32> = others.filter(|at| instance.contains(at) || needed.contains(at)).collect();
            let mut region = state.region.projected(&needed)?.simple()?;
            let numbers = region.set.parameters()?;
            let not_negative: Vec<Bound> = (self.not_negative.iter())
                .filter(|at| numbers.contains(&self.parameters.names[**at]))
                .map(|at| Bound::not_negative(Form::atom(Atom::Parameter(*at))))
                .collect();
            if !not_negative.is_empty() {
                region = region.bounded(&not_negative, &self.parameters)?;
                region.set = region.set.coalesce()?;
            }
            let calls = self.calls.clone();
            self.events.push(Event { what, site: site.clone(), calls, region, instance, position, options });
        }
        Ok(())
    }
}

/// The variable that holds the result of a call.
const RESULT: LocalId = LocalId(u32::MAX);
