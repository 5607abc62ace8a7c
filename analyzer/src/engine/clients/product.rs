//! All clients as one, and what the engine calls.

use frontend::ir::Expr;
use lattice::{Constraints, Ranks};

use super::{After, At, Client, Completed, Delivery, Knowledge, Match, Step};
use super::{constants, flow, lifecycles, proofs, topology, uniformity};
use crate::engine::join::Join;
use crate::engine::memory::Write;
use crate::engine::mpi::Call;
use crate::engine::need::Need;
use crate::engine::state::{Arrived, CollectiveCall, Handle, ProcessSet, State, Wait};
use crate::engine::value::Value;
use crate::engine::{Engine, Options};

/// All clients.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clients {
    pub(crate) topology: topology::Topology,
    pub(crate) constants: constants::Constants,
    pub(crate) uniformity: uniformity::Uniformity,
    pub(crate) flow: flow::Flow,
    pub(crate) lifecycles: lifecycles::Lifecycles,
    pub(crate) proofs: proofs::Proofs,
}

/// What all clients know of a process set.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known {
    pub(crate) flow: <flow::Flow as Client>::Set,
    pub(crate) lives: lifecycles::Lives,
}

impl Knowledge for Known {
    fn merge((a, ours): (&Self, &Ranks), (b, theirs): (&Self, &Ranks), facts: &Constraints) -> Option<Self> {
        Some(Self {
            flow: Knowledge::merge((&a.flow, ours), (&b.flow, theirs), facts)?,
            lives: Knowledge::merge((&a.lives, ours), (&b.lives, theirs), facts)?,
        })
    }

    fn generalise(a: &Self, b: &Self, join: &mut Join<'_>) -> Option<Self> {
        Some(Self {
            flow: Knowledge::generalise(&a.flow, &b.flow, join)?,
            lives: Knowledge::generalise(&a.lives, &b.lives, join)?,
        })
    }
}

/// What all clients know of data under way.
pub(crate) type Cargo = <flow::Flow as Client>::Cargo;

/// What all clients know of a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    pub(crate) topology: <topology::Topology as Client>::Path,
}

impl Clients {
    /// Those that are asked for.
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            flow: flow::Flow::new(&options.flow),
            uniformity: uniformity::Uniformity::new(options.uniformity),
            proofs: proofs::Proofs::new(options.proofs),
            ..Self::default()
        }
    }

    /// What each entry of a collective gets from all.
    pub(crate) fn all_gathered(&mut self, completed: &Completed<'_>) -> Vec<Cargo> {
        (0..completed.entries.len()).map(|entry| self.gathered(completed, entry)).collect()
    }

    /// Whether a client wants to know of steps of this kind.
    fn want(&self, step: &Step<'_>, known: &Known) -> bool {
        if known.lives.are_at_work() {
            return true;
        }
        match step {
            Step::Library { .. } | Step::Skip { .. } | Step::Passed { .. } => true,
            Step::Mpi { .. } => true,
            Step::Return { .. } => self.follow_memory() || known.lives.has_session(),
            Step::Branch { .. } => self.uniformity.is_wanted() || self.follow_memory(),
            _ => self.follow_memory(),
        }
    }

    /// Whether a client follows data through memory.
    pub(crate) fn follow_memory(&self) -> bool {
        self.flow.is_wanted()
    }
}

/// The product of the clients.
impl Client for Clients {
    type Set = Known;
    type Cargo = Cargo;
    type Path = Path;
    type Shape = <topology::Topology as Client>::Shape;

    fn transfer(&mut self, at: &mut At<'_, '_, '_>, known: &mut Known, step: &Step<'_>) {
        self.constants.transfer(at, &mut (), step);
        self.uniformity.transfer(at, &mut (), step);
        self.flow.transfer(at, &mut known.flow, step);
        self.lifecycles.transfer(at, &mut known.lives, step);
    }

    fn written(&mut self, after: &After<'_, '_>, known: &mut Known, writes: &[Write]) {
        self.flow.written(after, &mut known.flow, writes);
    }

    fn load(&mut self, at: &mut At<'_, '_, '_>, known: &Known, call: &Call<'_>) -> Cargo {
        self.flow.load(at, &known.flow, call)
    }

    fn reload(&mut self, known: &Known, cargo: &Cargo, facts: &Constraints) -> Cargo {
        self.flow.reload(&known.flow, cargo, facts)
    }

    fn matched(&mut self, path: &mut Path, cargo: &Cargo, matched: &Match<'_>) -> Cargo {
        self.topology.matched(&mut path.topology, &(), matched);
        self.proofs.matched(&mut (), &(), matched);
        self.flow.matched(&mut (), cargo, matched)
    }

    fn completed(&mut self, path: &mut Path, completed: &Completed<'_>) {
        self.topology.completed(&mut path.topology, completed);
    }

    fn gathered(&mut self, completed: &Completed<'_>, entry: usize) -> Cargo {
        self.flow.gathered(completed, entry)
    }

    fn delivered(
        &mut self,
        after: &After<'_, '_>,
        known: &mut Known,
        cargo: &Cargo,
        delivery: &Delivery<'_>,
    ) {
        self.flow.delivered(after, &mut known.flow, cargo, delivery);
    }

    fn generalise(&mut self, old: &Path, new: &Path, join: &mut Join<'_>) -> Option<Path> {
        Some(Path { topology: self.topology.generalise(&old.topology, &new.topology, join)? })
    }

    fn shape(path: &Path) -> Self::Shape {
        topology::Topology::shape(&path.topology)
    }

    fn size(path: &Path) -> usize {
        topology::Topology::size(&path.topology)
    }
}

impl<'p> Engine<'p> {
    /// Tells the clients of the step that a set is about to take.
    pub(crate) fn observe(&mut self, state: &mut State, set: &mut ProcessSet, step: &Step<'_>) {
        if !self.clients.want(step, &set.known) {
            return;
        }
        let mut clients = std::mem::take(&mut self.clients);
        self.at(state, set, |at, known| clients.transfer(at, known, step));
        self.clients = clients;
        self.take_in_noted(state);
    }

    /// Tells the clients of a branch or switch.
    pub(crate) fn observe_branch(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        condition: &Expr,
        value: &Value,
    ) {
        let (function, block) = (set.frame().function, set.frame().block);
        let meet = self.facts_of(function).postdominator[block.index()];
        self.observe(state, set, &Step::Branch { condition, value, meet });
    }

    /// A persistent operation that is started, with what travels with its data now.
    pub(crate) fn reloaded(&mut self, state: &State, set: &ProcessSet, operation: Handle) -> Handle {
        match operation {
            Handle::Send(mut send) => {
                send.envelope.cargo = self.clients.reload(&set.known, &send.envelope.cargo, &state.facts);
                Handle::Send(send)
            }
            Handle::Collective(mut call) => {
                call.cargo = self.clients.reload(&set.known, &call.cargo, &state.facts);
                Handle::Collective(call)
            }
            Handle::Several(all) => {
                Handle::Several(all.into_iter().map(|one| self.reloaded(state, set, one)).collect())
            }
            other => other,
        }
    }

    /// What travels with the data that a call sends or contributes.
    pub(crate) fn load(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) -> Cargo {
        let mut clients = std::mem::take(&mut self.clients);
        let cargo = self.at(state, set, |at, known| clients.load(at, known, call));
        self.clients = clients;
        cargo
    }

    fn at<T>(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        work: impl FnOnce(&mut At<'_, '_, 'p>, &mut Known) -> T,
    ) -> T {
        let span = self.here.map(|(_, span)| span).unwrap_or_default();
        let mut known = std::mem::take(&mut set.known);
        let frames = std::mem::take(&mut set.frames);
        let innermost = frames.last().expect("a set that takes a step has a frame");
        let mut scope = crate::engine::eval::Scope {
            engine: self,
            facts: &mut state.facts,
            ranks: &set.ranks,
            memory: &mut set.memory,
            function: innermost.function,
            context: innermost.context,
        };
        let result = work(&mut At { scope: &mut scope, frames: &frames, span }, &mut known);
        set.known = known;
        set.frames = frames;
        result
    }

    /// Takes a step of a set, and tells the clients what it has written.
    pub(crate) fn follow<T>(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        step: impl FnOnce(&mut Self, &mut State, &mut ProcessSet) -> Result<T, Need>,
    ) -> Result<T, Need> {
        if !self.clients.follow_memory() {
            return step(self, state, set);
        }
        set.memory.watch();
        let result = step(self, state, set)?;
        let writes = set.memory.watched();
        self.after(state, set, |clients, after, known| clients.written(after, known, &writes));
        Ok(result)
    }

    /// Tells the clients of data that a set has received.
    pub(crate) fn deliver_cargo(
        &mut self,
        state: &State,
        set: &mut ProcessSet,
        cargo: &Cargo,
        delivery: &Delivery<'_>,
    ) {
        if self.clients.follow_memory() {
            self.after(state, set, |clients, after, known| clients.delivered(after, known, cargo, delivery));
        }
    }

    /// Tells the clients what a set receives that has waited for it.
    pub(crate) fn deliver_arrived(
        &mut self,
        state: &State,
        set: &mut ProcessSet,
        taken: &[Arrived],
        wait: &Wait,
    ) {
        for arrived in taken {
            let meets = |ticket| crate::engine::waiting::tickets_meet(&arrived.ticket, ticket, &state.facts);
            let statuses: Vec<_> =
                wait.awaited.iter().filter(|a| meets(&a.ticket)).map(|a| &a.status).collect();
            let incoming = &arrived.incoming;
            let delivery = Delivery {
                site: incoming.filter.site,
                buffer: &incoming.buffer,
                count: &arrived.count,
                datatype: &incoming.datatype,
                statuses: &statuses,
            };
            self.deliver_cargo(state, set, &arrived.cargo, &delivery);
        }
    }

    /// Tells the clients what the members of one entry of a collective get.
    pub(crate) fn deliver_collected(
        &mut self,
        state: &State,
        set: &mut ProcessSet,
        cargo: &Cargo,
        call: &CollectiveCall,
    ) {
        let delivery = Delivery {
            site: call.site,
            buffer: &call.result,
            count: &call.count,
            datatype: &call.datatype,
            statuses: &[],
        };
        self.deliver_cargo(state, set, cargo, &delivery);
    }

    fn after(
        &mut self,
        state: &State,
        set: &mut ProcessSet,
        work: impl FnOnce(&mut Clients, &After<'_, 'p>, &mut Known),
    ) {
        let mut clients = std::mem::take(&mut self.clients);
        let mut known = std::mem::take(&mut set.known);
        let place = self.here.unwrap_or((self.program.entry, frontend::ir::Span::default()));
        let after = After {
            engine: self,
            facts: &state.facts,
            ranks: &set.ranks,
            memory: &set.memory,
            frames: &set.frames,
            place,
        };
        work(&mut clients, &after, &mut known);
        set.known = known;
        self.clients = clients;
    }
}

/// What is known of a part of what is under way, put together again.
pub(crate) fn merged_cargo(a: (&Cargo, &Ranks), b: (&Cargo, &Ranks), facts: &Constraints) -> Cargo {
    Cargo::merge(a, b, facts).unwrap_or_default()
}
