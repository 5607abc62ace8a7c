//! Calls that ask whether something has happened (`MPI_Test*`, `MPI_Iprobe`, `MPI_Request_get_status`), and probes that wait for it.
//!
//! Both answers are followed, each on a path of its own. Several processes are followed with the same answer; where those that got
//! another one would communicate otherwise, that is said, and a given number of them is followed again one by one.

use frontend::ir::{BlockId, Callee, Cfg, InstKind, LocalId, NaturalLoop, Span};
use frontend::mpi::{Class, Direction, Function, Role, Which};
use lattice::{Constraints, Linear, Truth};

use super::Engine;
use super::effects::reassigned;
use super::exec::Progress;
use super::functions::is_silent;
use super::group::stand_alone;
use super::mpi::{Call, NO_MESSAGE, Partner};
use super::need::Need;
use super::state::{Filter, Frame, HANDLE, Handle, Probe, ProcessSet, Question, State, Status, target};
use super::value::Value;

impl Engine<'_> {
    pub(crate) fn probe(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        blocking: bool,
        matched: bool,
    ) -> Result<Progress, Need> {
        if !blocking && !self.succeeds(state, set, call)? {
            return Ok(Progress::Continue);
        }
        let filter = self.filter(set, call, call.mpi.param_with_role(Role::RecvTag))?;
        let source_index = call.mpi.param_with_role(Role::Source);
        let source = match call.partner(source_index)? {
            Partner::Nobody => {
                self.clear_status(state, set, call);
                let message = call.at(call.mpi.param_with_role(Role::Message)).and_then(target);
                if let Some(location) = message.filter(|_| matched && blocking) {
                    let none = Value::Name(NO_MESSAGE.into());
                    self.scope(state, set).write(&location, Some(HANDLE.unsigned_abs()), none);
                }
                set.frame_mut().inst += 1;
                return Ok(Progress::Continue);
            }
            Partner::Anybody => None,
            Partner::Mixed(_) => {
                return Err(Need::give_up(format!(
                    "the partner of `{}` mixes digits of the rank",
                    call.mpi.name
                )));
            }
            Partner::Rank(rank) => {
                if self.is_bad_partner(state, set, &filter.communicator, &rank, call, source_index)? {
                    return Ok(Progress::Erroneous);
                }
                Some(self.world_rank(state, set, &filter.communicator, &rank)?)
            }
        };
        leaves_what_was_found(set, &filter, source.as_ref(), &state.facts)?;
        let status = call.mpi.param_with_role(Role::Status).and_then(|i| call.values.get(i)).cloned();
        if let Some(status) = &status {
            self.forget_status(state, set, status);
        }
        let message = call.mpi.param_with_role(Role::Message).filter(|_| matched);
        set.status = Status::Probing(Probe {
            filter,
            source,
            status: status.unwrap_or(Value::int(0)),
            message: message.and_then(|i| call.values.get(i)).cloned(),
            optional: !blocking,
        });
        Ok(Progress::Continue)
    }

    /// `MPI_Parrived`. Where it tells that the partition is there, so is the operation's message: which partitions were made ready is not
    /// followed here.
    pub(crate) fn partition_arrives(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<Progress, Need> {
        if self.are_idle(state, set, call)? {
            let flag = call.mpi.param_with_role(Role::Flag);
            self.store_integers(state, set, call.at(flag), &[Value::int(1)]);
            set.frame_mut().inst += 1;
        } else if self.succeeds(state, set, call)? {
            self.wait_for_arrival(state, set, call)?;
        }
        Ok(Progress::Continue)
    }

    /// Gives up where several processes have asked whether something has happened, and those that got one answer communicate otherwise
    /// than those that got the other: all are followed with the same answer. That is no loss where they ask again until it has happened.
    pub(crate) fn goes_on_alike(
        &mut self,
        state: &State,
        set: &mut ProcessSet,
        mpi: &Function,
        span: Span,
    ) -> Result<(), Need> {
        let Some(asked) = set.asking else { return Ok(()) };
        let again = asks(mpi) && self.question(set, mpi, span) == asked;
        if is_silent(mpi) || mpi.class == Class::Abort || again {
            return Ok(());
        }
        if set.ranks.as_single(&state.facts).is_some() {
            set.asking = None;
            return Ok(());
        }
        self.answers_differ = true;
        let (line, call) = (self.site_line(asked.site), &self.sites[asked.site.0 as usize].operation);
        Err(Need::give_up(format!(
            "which of several processes `{call}` in {line} tells that it is done is open"
        )))
    }

    /// For a call that asks whether something has happened: whether it has. Both answers are followed, each on a path of its own;
    /// on the path of "yes" the call waits for it. Where several processes ask, see [`Self::goes_on_alike`].
    pub(crate) fn succeeds(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<bool, Need> {
        // A flag, or how many of several operations are complete.
        let is_outcome = |role, direction: Direction| {
            role == Role::Flag || role == Role::ArrayLength && direction == Direction::Out
        };
        let outcome = call.mpi.params.iter().position(|p| is_outcome(p.role, p.direction));
        let matters = call.at(outcome).and_then(target).is_none_or(|at| self.decides(at.object));
        let several = matters && set.ranks.as_single(&state.facts).is_none();
        if several && self.asks_one_by_one {
            stand_alone(&set.ranks, &state.facts)?;
        }
        let place = self.line_of(set.frame().function.unit, call.span);
        // One question for each set and visit.
        let who = set.ranks.digits().iter().flat_map(|d| [d.lo.clone(), d.hi.clone()]).collect();
        let symbol = self.symbols.apply(&format!("success of {} in {place}", call.mpi.name), who);
        let truth: Linear = symbol.into();
        state.facts.learn(&Linear::zero(), &truth);
        state.facts.learn(&truth, &1.into());
        let Some(answer) = state.facts.constant(&truth) else { return Err(Need::Decide(truth)) };
        state.facts.forget(symbol);
        let value = match (answer, outcome.map(|index| call.mpi.params[index].role)) {
            (1, Some(Role::ArrayLength)) => Value::Unknown,
            _ => Value::int(answer),
        };
        if answer == 1 && set.asking.take().is_some() && several {
            self.forget_rounds(state, set)?;
            self.asks_the_same(state, set, call)?;
        }
        self.store_integers(state, set, call.at(outcome), &[value]);
        set.asking = None;
        if answer == 0 {
            set.asking = several.then(|| self.question(set, call.mpi, call.span));
            set.frame_mut().inst += 1;
        }
        Ok(answer == 1)
    }

    /// The question that a set asks with the call at hand.
    fn question(&mut self, set: &ProcessSet, mpi: &Function, span: Span) -> Question {
        let frame = set.frame();
        Question { site: self.site(frame.function, span, mpi.name), context: frame.context }
    }

    /// Forgets what the loop around the call at hand changes, for processes that have gone round it each as often as it had to. Where
    /// the call is in a function that asks once, the loop is that of a caller, and what the function computes in each round is
    /// forgotten as well.
    fn forget_rounds(&mut self, state: &mut State, set: &mut ProcessSet) -> Result<(), Need> {
        let program = self.program;
        let body = |frame: &Frame| program.function(frame.function).body.as_ref();
        let frames = set.frames.clone();
        let around = |frame: &Frame| body(frame).map_or(Vec::new(), |cfg| around(cfg, frame.block));
        let Some(depth) = frames.iter().rposition(|frame| !around(frame).is_empty()) else {
            self.answers_differ = true;
            return Err(Need::give_up(
                "how often several processes ask whether something has happened is open",
            ));
        };
        let mut there = set.clone();
        for (index, frame) in frames.iter().enumerate().skip(depth) {
            let Some(cfg) = body(frame) else { continue };
            if index > depth {
                self.forget_other_arguments(state, &mut there, frame);
            }
            there.frames = frames[..=index].to_vec();
            let blocks = if index == depth { around(frame) } else { cfg.graph.node_indices().collect() };
            let modified = reassigned(cfg, &blocks);
            let calls_next =
                |block, inst| index + 1 < frames.len() && (block, inst) == (frame.block, frame.inst);
            let mut scope = self.scope(state, &mut there);
            scope.forget_rounds_of(|scope| {
                for &block in &blocks {
                    for (at, inst) in cfg.graph[block].insts.iter().enumerate() {
                        match &inst.kind {
                            // What calls of MPI tell is told when they are followed.
                            InstKind::Call { callee: Callee::Direct { mpi: Some(_), .. }, .. } => {}
                            // What the function does that is called here comes next.
                            InstKind::Call { dest, .. } if calls_next(block, at) => {
                                dest.iter().for_each(|place| scope.forget_place(place, &modified));
                            }
                            _ => scope.forget_effects(inst, &modified),
                        }
                    }
                }
            });
        }
        set.memory = there.memory;
        Ok(())
    }

    /// Forgets those arguments of an activation that its caller would not give it again.
    fn forget_other_arguments(&mut self, state: &mut State, caller: &mut ProcessSet, callee: &Frame) {
        let program = self.program;
        let place = caller.frame();
        let cfg = program.function(place.function).body.as_ref();
        let inst = cfg.and_then(|cfg| cfg.graph[place.block].insts.get(place.inst));
        let Some(InstKind::Call { args, .. }) = inst.map(|inst| &inst.kind) else { return };
        for (parameter, arg) in (0..program.function(callee.function).params).zip(args) {
            let object = self.local_object(callee.function, callee.context, LocalId(parameter));
            let given = self.scope(state, caller).eval(arg).unwrap_or(Value::Unknown);
            let known = caller.memory.get(object).and_then(|content| content.cells.get(&0));
            if known.is_none_or(|(_, value)| *value != given) {
                caller.memory.content(object).forget();
            }
        }
    }

    /// Gives up where a call does not ask for the same in all rounds: each process would wait for what it has asked for in its own
    /// last round. What the rounds change has been forgotten.
    fn asks_the_same(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<(), Need> {
        let mut scope = self.scope(state, set);
        let mut given = call.args.iter().zip(call.values);
        if given.all(|(arg, value)| scope.eval(arg).is_ok_and(|again| again == *value)) {
            return Ok(());
        }
        Err(self.asks_for_another())
    }

    /// Why a path ends on which processes do not ask for the same in each round.
    pub(crate) fn asks_for_another(&mut self) -> Need {
        self.answers_differ = true;
        Need::give_up("what several processes ask for differs from round to round")
    }
}

/// Gives up where a receive, or another probe, may ask for a message that a matched probe has found: nobody else can have it any more
/// (MPI-4.1 section 3.8.2), but here it stays among those that are on their way until it is received.
pub(crate) fn leaves_what_was_found(
    set: &ProcessSet,
    filter: &Filter,
    source: Option<&Linear>,
    facts: &Constraints,
) -> Result<(), Need> {
    let differ = |a: Option<&Linear>, b: Option<&Linear>| matches!((a, b), (Some(a), Some(b)) if facts.eq(a, b) == Truth::No);
    let may_be_meant = |handle: &Handle| {
        let Handle::Message(sender, tag, communicator) = handle else { return false };
        **communicator == *filter.communicator
            && !differ(source, Some(sender))
            && !differ(filter.tag.as_ref().and_then(Value::as_int), tag.as_int())
    };
    match set.handles.values().any(may_be_meant) {
        true => Err(Need::give_up("a message that a matched probe has found may be asked for once more")),
        false => Ok(()),
    }
}

/// Whether a call asks whether something has happened.
fn asks(mpi: &Function) -> bool {
    matches!(
        mpi.class,
        Class::Test(_)
            | Class::RequestStatus(Which::One)
            | Class::PartitionArrived
            | Class::Probe { blocking: false, .. }
    )
}

/// The blocks of the innermost loop that a block is in, and of those around it in which nothing is done but asking; none if it is in
/// no loop.
fn around(cfg: &Cfg, block: BlockId) -> Vec<BlockId> {
    let mut loops: Vec<&NaturalLoop> = cfg.loops.iter().filter(|l| l.blocks.contains(&block)).collect();
    loops.sort_by_key(|natural| natural.blocks.len());
    let asks_only = |natural: &&&NaturalLoop| {
        natural.blocks.iter().flat_map(|&block| &cfg.graph[block].insts).all(|inst| match &inst.kind {
            InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. } => {
                is_silent(mpi) || asks(mpi)
            }
            _ => true,
        })
    };
    let all = loops.first().into_iter().chain(loops.iter().skip(1).take_while(asks_only));
    let mut blocks: Vec<BlockId> = all.flat_map(|natural| natural.blocks.iter().copied()).collect();
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}
