//! Arguments that are wrong for some member of a set: what the rules about single calls say of values that only the engine knows, and
//! ranks that a communicator does not have.

use std::sync::Arc;

use frontend::ir::{Callee, InstKind};
use frontend::mpi::{Class, Direction, Param, Role};
use lattice::{Constraints, Linear, Truth};

use super::Engine;
use super::group::Group;
use super::mpi::Call;
use super::need::Need;
use super::state::{Communicator, ProcessSet, State};
use super::value::Value;
use crate::rules::{Given, Rule, allows_sides, is_for_leader, objection, rank_rule, wants_sides};

impl Engine<'_> {
    /// Whether the standard forbids an argument of a call on some member of the set; reports it. Partners of messages are left to
    /// those who look for the other side.
    pub(crate) fn has_bad_argument(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<bool, Need> {
        if self.calls_wrapper(set, call) {
            return Ok(false);
        }
        // Before its operation is completed here, no test of a generalized request says yes: where the handle is null no run comes.
        if matches!(call.mpi.class, Class::GeneralizedRequest(_)) {
            return Ok(false);
        }
        if self.has_bad_handle(state, set, call) {
            return Ok(true);
        }
        for index in 0..call.mpi.params.len() {
            let param = &call.mpi.params[index];
            if param.direction != Direction::In
                || param.is_pointer()
                || self.is_ignored(state, set, call, index)
            {
                continue;
            }
            let Some(value) = call.values.get(index) else { continue };
            let found = match value {
                Value::Name(name) => frontend::mpi::constant(name)
                    .and_then(|constant| self.objection_to(call, param, Given::Constant(constant))),
                Value::Int(number) if matches!(param.role, Role::Root | Role::Target) => {
                    match self.those_meant(call, param.role) {
                        Some(communicator) if communicator.group.size().is_some() => {
                            let number = number.clone();
                            if self.is_bad_partner(state, set, &communicator, &number, call, Some(index))? {
                                return Ok(true);
                            }
                        }
                        _ => {}
                    }
                    None
                }
                Value::Int(number) => self.negative(state, set, call, param, number),
                _ => None,
            };
            if let Some((rule, message)) = found {
                let place = call.args.get(index).map(|arg| (set.frame().function, arg.span));
                // A handle is null where what it stood for has been freed: that is told already.
                if let Some(place) = place.filter(|&place| !self.clients.lifecycles.is_freed(place)) {
                    self.report(rule, state, &set.ranks, place, message, Vec::new());
                }
                return Ok(true);
            }
        }
        self.check_list(state, set, call);
        Ok(self.is_of_other_sides(state, set, call))
    }

    /// Whether a call is given an intercommunicator that must not be one, or the other way round; reports it.
    fn is_of_other_sides(&mut self, state: &State, set: &ProcessSet, call: &Call<'_>) -> bool {
        let Ok(communicator) = self.communicator(call) else { return false };
        let has_sides = matches!(communicator.group, Group::Sides(..));
        let is_wrong = if has_sides { !allows_sides(call.mpi.class) } else { wants_sides(call.mpi.class) };
        let index = call.mpi.param_with(Role::Communicator, Direction::In);
        let Some(arg) = index.and_then(|index| call.args.get(index)).filter(|_| is_wrong) else {
            return false;
        };
        let kind = if has_sides { "an intercommunicator" } else { "no intercommunicator" };
        let message =
            format!("the communicator of {} is {}, which is {kind}", call.mpi.name, communicator.name);
        let place = (set.frame().function, arg.span);
        self.report(Rule::InvalidCommunicator, state, &set.ranks, place, message, Vec::new());
        true
    }

    /// Among whose ranks a root or a target is one.
    fn those_meant(&self, call: &Call<'_>, role: Role) -> Option<Arc<Communicator>> {
        if role == Role::Root {
            return self.communicator(call).ok();
        }
        match call.at(call.mpi.param_with_role(Role::Window))? {
            Value::Comm(window) => Some(Arc::clone(window)),
            _ => None,
        }
    }

    /// Whether the program calls a function of its own that stands for one of MPI: it may have its own numbers for ranks and handles.
    fn calls_wrapper(&self, set: &ProcessSet, call: &Call<'_>) -> bool {
        let frame = set.frame();
        let block = self.program.function(frame.function).body.as_ref().map(|cfg| &cfg.graph[frame.block]);
        let inst = block.and_then(|block| block.insts.get(frame.inst)).map(|inst| &inst.kind);
        let Some(InstKind::Call { callee: Callee::Direct { name, .. }, .. }) = inst else { return false };
        call.mpi.is_wrapped_by(name)
    }

    /// Whether a call does not look at an argument: what only the root or a leader gives, what belongs to a buffer for which `MPI_IN_PLACE`
    /// stands, and what belongs to the origin of an operation that does nothing with it.
    pub(crate) fn is_ignored(&self, state: &State, set: &ProcessSet, call: &Call<'_>, index: usize) -> bool {
        if is_for_leader(call.mpi, index)
            || (call.mpi.params[index].root_only && !self.is_root(state, set, call))
        {
            return true;
        }
        let mut described = call
            .mpi
            .buffers()
            .filter(|b| [b.count, b.datatype, b.displacements].contains(&Some(index)))
            .peekable();
        let is = |index: usize, name: &str| call.at(Some(index)).and_then(Value::as_name) == Some(name);
        // With `MPI_NO_OP` nothing of the origin is looked at (MPI-4.1 section 12.3.4).
        let does_nothing = matches!(call.mpi.class, Class::Rma { .. })
            && call.mpi.param_with_role(Role::Op).is_some_and(|op| is(op, "MPI_NO_OP"));
        described.peek().is_some()
            && described.all(|buffer| {
                is(buffer.param, "MPI_IN_PLACE") || does_nothing && buffer.direction == Direction::In
            })
    }

    /// Whether the members of a set are the one root of a call among all processes.
    pub(crate) fn is_root(&self, state: &State, set: &ProcessSet, call: &Call<'_>) -> bool {
        let own = set.ranks.as_single(&state.facts);
        self.root_of_all(call).zip(own).is_some_and(|(root, own)| state.facts.eq(root, &own) == Truth::Yes)
    }

    pub(crate) fn objection_to(
        &self,
        call: &Call<'_>,
        param: &Param,
        given: Given,
    ) -> Option<(Rule, String)> {
        let is_within = self.communicator(call).is_ok_and(|c| !matches!(c.group, Group::Sides(..)));
        let is_idle = call.mpi.buffers().any(|buffer| {
            let is_its_type = buffer.datatype.is_some_and(|i| call.mpi.params[i].name == param.name);
            is_its_type
                && call.at(buffer.count).is_none_or(|count| count.as_constant().is_none_or(|n| n == 0))
        });
        objection(call.mpi, param, given, is_within, is_idle)
    }

    /// Says that a number is below zero where it must not be, on some member.
    fn negative(
        &self,
        state: &State,
        set: &ProcessSet,
        call: &Call<'_>,
        param: &Param,
        number: &Linear,
    ) -> Option<(Rule, String)> {
        if let Some(constant) = state.facts.constant(number) {
            return self.objection_to(call, param, Given::Int(constant));
        }
        let below = set.ranks.minimise(number, &state.facts)?.offset(1)?; // smallest <= -1
        if state.facts.le(&below, &Linear::zero()) != Truth::Yes {
            return None;
        }
        let (rule, _) = self.objection_to(call, param, Given::Int(-1))?;
        let text = self.symbols.display(number)?;
        Some((rule, format!("`{}` of {} is {text}, which is negative here", param.name, call.mpi.name)))
    }

    /// Whether a partner is no rank of the communicator on some member of the set; reports it.
    ///
    /// Where the number of processes decides, the path is forked. Where the input does, the partner is assumed to be a rank: a
    /// program that takes its root from the command line is not wrong for it.
    pub(crate) fn is_bad_partner(
        &mut self,
        state: &mut State,
        set: &ProcessSet,
        communicator: &Communicator,
        partner: &Linear,
        call: &Call<'_>,
        index: Option<usize>,
    ) -> Result<bool, Need> {
        let overflow = || Need::give_up("a rank expression exceeds 64 bits");
        let role = index.and_then(|i| call.mpi.params.get(i)).map_or(Role::Dest, |param| param.role);
        let noun = match role {
            Role::Root => "root",
            Role::Target => "target",
            _ => "partner",
        };
        let largest = set.ranks.maximise(partner, &state.facts).ok_or_else(overflow)?;
        let smallest = set.ranks.minimise(partner, &state.facts).ok_or_else(overflow)?;
        let below = smallest.offset(1).ok_or_else(overflow)?; // smallest <= -1
        communicator.group.know_place(&set.ranks, &state.facts)?;
        let partners = communicator.group.other_side(&set.ranks, &state.facts);
        let size = partners.and_then(|group| group.size()).ok_or_else(overflow)?;
        let beyond = size.sub(&largest).ok_or_else(overflow)?; // size <= largest
        for (violation, is_below) in [(below, true), (beyond, false)] {
            let known = state.facts.le(&violation, &Linear::zero());
            let truth = if known == Truth::Open { self.by_words(&violation, &state.facts) } else { known };
            match truth {
                Truth::No if known == Truth::Open => state.facts.learn(&1.into(), &violation),
                Truth::No => {}
                Truth::Yes => {
                    if let Some(arg) = index.and_then(|i| call.args.get(i)) {
                        let text = self.symbols.display(partner);
                        let text =
                            text.map_or_else(|| format!("the {noun}"), |text| format!("{noun} {text}"));
                        let message = if is_below {
                            format!("{text} is negative")
                        } else {
                            format!("{text} is not below the number of processes")
                        };
                        let place = (set.frame().function, arg.span);
                        self.report(rank_rule(role), state, &set.ranks, place, message, Vec::new());
                    }
                    return Ok(true);
                }
                Truth::Open
                    if super::findings::mentions_input(&self.symbols, &violation)
                        || !state.facts.can_express(&violation) =>
                {
                    let place = self.line_of(set.frame().function.unit, call.span);
                    self.assume(format!("{place}: the {noun} is a rank of the communicator"));
                    if state.facts.assume_le(&1.into(), &violation).is_none() {
                        return Ok(true);
                    }
                }
                Truth::Open => return Err(Need::Decide(violation)),
            }
        }
        Ok(false)
    }

    /// Whether a number is at most zero, since the number of words of the command line is not negative (C11 section 5.1.2.2.1). That is no
    /// fact of all paths: a path with facts about the input is one that only some inputs lead to.
    fn by_words(&self, number: &Linear, facts: &Constraints) -> Truth {
        let Some(words) = self.words.filter(|&words| number.has(words)) else { return Truth::Open };
        let mut facts = facts.clone();
        facts.learn(&Linear::zero(), &words.into());
        facts.le(number, &Linear::zero())
    }
}
