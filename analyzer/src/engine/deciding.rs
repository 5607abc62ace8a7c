//! Which variables decide what processes do, and which only hold data: for data no cases are told apart.

use effort::spend_on;
use frontend::ir::visit::{Part, walk_inst, walk_terminator};
use frontend::ir::{
    BlockId, Callee, Cfg, Expr, ExprKind, GlobalId, Inst, InstKind, LocalId, Place, PlaceBase, Terminator,
    Type,
};
use frontend::mpi::{Class, CollectiveOp, Role};
use frontend::program::{FunctionRef, Program, Resolution};
use rustc_hash::{FxHashMap, FxHashSet};

use super::environment::{self, Use};
use super::functions::{address_of, dead_ends, ends_program, orders, postdominators, visit, visit_place};
use super::library::{self, Effect};

/// Variables whose values matter to what processes do next.
#[derive(Debug, Default)]
pub(crate) struct Deciding {
    locals: FxHashSet<(FunctionRef, LocalId)>,
    globals: FxHashSet<(usize, GlobalId)>,
    /// Functions whose result matters.
    results: FxHashSet<FunctionRef>,
    /// Functions of which it matters that they are called: they communicate, end the program, or store something that matters.
    acting: FxHashSet<FunctionRef>,
    /// Branches of which it does not matter which way is taken, by the blocks that end with them.
    idle: FxHashSet<(FunctionRef, BlockId)>,
    /// On which ways something that matters is received.
    received: FxHashSet<Way>,
}

/// How data comes from one process to another: what is sent on one way is not received on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Way {
    /// In messages from one process to another.
    Messages,
    /// In a collective operation.
    Collective(CollectiveOp),
    /// Files and windows.
    Other,
}

impl Way {
    fn of(class: Class) -> Self {
        match class {
            Class::Send { .. } | Class::Receive { .. } | Class::SendReceive { .. } => Self::Messages,
            Class::Collective { operation, .. } => Self::Collective(operation),
            _ => Self::Other,
        }
    }
}

/// The variables that occur in a condition on which something that matters depends, in a call or in a result that matters, and those from which they are
/// computed: other variables only hold what is computed. Which part of a message buffer is passed does not matter; what is sent,
/// where something that matters is received.
pub(crate) fn deciding(
    program: &Program,
    functions: &[FunctionRef],
    never_returning: &FxHashSet<FunctionRef>,
) -> Deciding {
    let bodies: Vec<Body<'_>> =
        functions.iter().filter_map(|&f| Body::new(program, f, never_returning)).collect();
    // Those that do not matter as far as is known.
    let mut branches: Vec<Vec<&Conditional<'_>>> =
        bodies.iter().map(|body| body.branches.iter().collect()).collect();
    // Who calls through a pointer, and what for, is not followed.
    let results = functions.iter().flat_map(|&function| program.indirect_targets(function)).collect();
    let mut found = Deciding { results, ..Deciding::default() };
    let size = |found: &Deciding| {
        let variables = found.locals.len() + found.globals.len();
        variables + found.results.len() + found.acting.len() + found.received.len()
    };
    loop {
        let before = size(&found);
        for (body, branches) in bodies.iter().zip(&mut branches) {
            let function = body.function;
            branches.retain(|branch| {
                let matters = branch.ends || found.is_branch_affected(program, body, branch);
                if matters {
                    found.note(function, branch.condition);
                }
                !matters
            });
            if !found.acting.contains(&function) && found.acts(program, body) {
                found.acting.insert(function);
            }
            for block in body.cfg.graph.node_weights() {
                if let Terminator::Return(Some(value), _) = &block.terminator
                    && found.results.contains(&function)
                {
                    found.note(function, value);
                }
                for inst in &block.insts {
                    found.follow(program, function, inst);
                }
            }
        }
        if size(&found) == before {
            let left = bodies.iter().zip(&branches);
            found.idle =
                left.flat_map(|(body, left)| left.iter().map(|b| (body.function, b.block))).collect();
            return found;
        }
    }
}

impl Deciding {
    /// Whether something that matters is received in messages from one process to another.
    pub(crate) fn messages_matter(&self) -> bool {
        self.received.contains(&Way::Messages)
    }

    /// Whether what is stored in a place matters. Behind a pointer there may be anything but a floating-point number for an integer.
    pub(crate) fn contains(&self, program: &Program, function: FunctionRef, place: &Place) -> bool {
        match &place.base {
            PlaceBase::Local(local) => self.holds_local(function, *local),
            PlaceBase::Global(global) => self.holds_global(function.unit, *global),
            PlaceBase::Deref(_) => {
                let types = &program.units[function.unit].types;
                !matches!(types.get(place.ty), Type::Float(_) | Type::Complex(_))
            }
        }
    }

    pub(crate) fn holds_local(&self, function: FunctionRef, local: LocalId) -> bool {
        self.locals.contains(&(function, local))
    }

    pub(crate) fn holds_global(&self, unit: usize, global: GlobalId) -> bool {
        self.globals.contains(&(unit, global))
    }

    /// Whether it does not matter which way is taken at the end of a block.
    pub(crate) fn is_idle(&self, function: FunctionRef, block: BlockId) -> bool {
        self.idle.contains(&(function, block))
    }

    /// Whether something that matters depends on a branch besides whether the program ends there.
    fn is_branch_affected(&self, program: &Program, body: &Body<'_>, branch: &Conditional<'_>) -> bool {
        spend_on(branch.blocks.len());
        let mut insts = branch.blocks.iter().flat_map(|&block| body.insts(block));
        // What is used on the arms only does not matter after they have met.
        let is_inner = |place: &Place| place.as_local().is_some_and(|local| body.stays_in(local, branch));
        (branch.returns && self.results.contains(&body.function))
            || insts.any(|inst| self.is_affected(program, body.function, inst, &is_inner))
    }

    /// Whether it matters to its callers that a function is called. Its own variables do not, nor that it may end the program: it is
    /// assumed that it does not.
    fn acts(&self, program: &Program, body: &Body<'_>) -> bool {
        let code = program.function(body.function);
        let is_own = |place: &Place| matches!(place.base, PlaceBase::Local(local) if code.local(local).static_init.is_none());
        let mut insts = body.cfg.graph.node_indices().flat_map(|block| body.insts(block));
        insts.any(|inst| self.is_affected(program, body.function, inst, &is_own))
    }

    /// Whether it matters that an instruction is executed or not, where what is stored in some places does not.
    fn is_affected(
        &self,
        program: &Program,
        function: FunctionRef,
        inst: &Inst,
        besides: &dyn Fn(&Place) -> bool,
    ) -> bool {
        let matters = |place: &Place| !besides(place) && self.contains(program, function, place);
        match &inst.kind {
            InstKind::Assign(place, _) => matters(place),
            InstKind::Declare(_) => false,
            InstKind::Opaque { writes, .. } => {
                writes.as_ref().is_none_or(|places| places.iter().any(matters))
            }
            InstKind::Call { callee: Callee::Direct { mpi: Some(_), .. }, .. } => true,
            InstKind::Call { dest, callee: Callee::Indirect(pointer), args } => {
                let mut targets = program.call_targets(function, pointer, args.len()).into_iter();
                targets.any(|target| self.acting.contains(&target)) || dest.as_ref().is_some_and(matters)
            }
            InstKind::Call { dest, callee: Callee::Direct { name, mpi: None }, args } => {
                match program.resolve(function.unit, name) {
                    Resolution::Defined(target) => {
                        self.acting.contains(&target) || dest.as_ref().is_some_and(matters)
                    }
                    _ => {
                        matches!(library::effect(name), Some(Effect::Exits | Effect::Jumps | Effect::Marks))
                            || self.is_written_but(program, function, dest.as_ref(), name, args, &matters)
                    }
                }
            }
        }
    }

    /// Whether a library function stores something that matters in its destination, or where an argument points to.
    fn is_written(
        &self,
        program: &Program,
        function: FunctionRef,
        dest: Option<&Place>,
        name: &str,
        args: &[Expr],
    ) -> bool {
        let matters = |place: &Place| self.contains(program, function, place);
        self.is_written_but(program, function, dest, name, args, &matters)
    }

    fn is_written_but(
        &self,
        program: &Program,
        function: FunctionRef,
        dest: Option<&Place>,
        name: &str,
        args: &[Expr],
        matters: &dyn Fn(&Place) -> bool,
    ) -> bool {
        if dest.is_some_and(matters) {
            return true;
        }
        let types = &program.units[function.unit].types;
        let model = environment::model(name);
        let is_given = |&(index, _): &(usize, &Expr)| {
            model.is_none_or(|model| matches!(model.uses(index), Use::Write | Use::Update))
        };
        !library::leaves_memory_alone(name)
            && args.iter().enumerate().filter(is_given).any(|(_, arg)| match address_of(arg) {
                Some(place) => matters(place),
                // Behind a pointer there may be anything.
                None => {
                    matches!(types.get(arg.ty), Type::Pointer(_))
                        && !matches!(arg.strip_casts().kind, ExprKind::Str(_))
                }
            })
    }

    fn follow(&mut self, program: &Program, function: FunctionRef, inst: &Inst) {
        match &inst.kind {
            // A library function that is given nothing that matters to write to only computes.
            InstKind::Call { dest, callee: Callee::Direct { name, mpi: None }, args }
                if !matches!(program.resolve(function.unit, name), Resolution::Defined(_))
                    && !self.is_written(program, function, dest.as_ref(), name, args) => {}
            // Nor does a function of the program that does nothing that matters, and whose result does not.
            InstKind::Call { dest, callee: Callee::Direct { name, mpi: None }, .. }
                if let Resolution::Defined(target) = program.resolve(function.unit, name)
                    && !self.acting.contains(&target)
                    && dest.as_ref().is_none_or(|place| !self.contains(program, function, place)) => {}
            InstKind::Call { dest, callee, args } => {
                if let (Some(place), Callee::Direct { name, mpi: None }) = (dest, callee)
                    && self.contains(program, function, place)
                    && let Resolution::Defined(target) = program.resolve(function.unit, name)
                {
                    self.results.insert(target);
                }
                let (params, way) = match callee {
                    Callee::Direct { mpi: Some(mpi), .. } => (mpi.params.as_slice(), Way::of(mpi.class)),
                    Callee::Direct { mpi: None, .. } => (&[][..], Way::Other),
                    Callee::Indirect(pointer) => {
                        self.note(function, pointer);
                        (&[][..], Way::Other)
                    }
                };
                let target = match callee {
                    Callee::Direct { name, mpi: None } => match program.resolve(function.unit, name) {
                        Resolution::Defined(target) => Some(target),
                        Resolution::External => None,
                    },
                    _ => None,
                };
                for (index, arg) in args.iter().enumerate() {
                    let role = params.get(index).map(|p| p.role);
                    match role {
                        _ if target.is_some_and(|target| {
                            self.is_mere_data(program, function, arg, target, index)
                        }) => {}
                        Some(Role::RecvBuffer | Role::InOutBuffer) => {
                            let matters = match address_of(arg) {
                                Some(place) => self.contains(program, function, place),
                                None => may_be_integers(program, function, arg),
                            };
                            if matters {
                                self.received.insert(way);
                            }
                        }
                        // How many threads may call MPI says nothing of what they call.
                        Some(Role::SendBuffer | Role::ThreadLevel) => {}
                        // What a call tells matters where it is asked for.
                        Some(Role::Flag) if address_of(arg).is_some() => {}
                        _ => self.note(function, arg),
                    }
                    if self.received.contains(&way)
                        && let Some(Role::SendBuffer | Role::InOutBuffer) = role
                        && let Some(place) = address_of(arg)
                    {
                        self.add(function, &place.base);
                    }
                }
            }
            InstKind::Assign(place, value) if self.contains(program, function, place) => {
                self.note(function, value);
                visit_place(place, &mut |part| self.add(function, &part.base));
            }
            _ => {}
        }
    }

    /// Whether a number that a function of the program is given only holds data there.
    fn is_mere_data(
        &self,
        program: &Program,
        function: FunctionRef,
        arg: &Expr,
        target: FunctionRef,
        index: usize,
    ) -> bool {
        let is_number = matches!(
            program.units[function.unit].types.get(arg.ty),
            Type::Int(_) | Type::Float(_) | Type::Complex(_) | Type::Enum(..)
        );
        let parameter = u32::try_from(index).ok().filter(|&i| i < program.function(target).params);
        is_number && parameter.is_some_and(|parameter| !self.holds_local(target, LocalId(parameter)))
    }

    fn note(&mut self, function: FunctionRef, expr: &Expr) {
        visit(expr, &mut |place| self.add(function, &place.base));
    }

    fn add(&mut self, function: FunctionRef, base: &PlaceBase) {
        match base {
            PlaceBase::Local(local) => {
                self.locals.insert((function, *local));
            }
            PlaceBase::Global(global) => {
                self.globals.insert((function.unit, *global));
            }
            PlaceBase::Deref(_) => {}
        }
    }
}

/// Whether there may be something else behind a pointer than floating-point numbers.
fn may_be_integers(program: &Program, function: FunctionRef, pointer: &Expr) -> bool {
    let types = &program.units[function.unit].types;
    match types.get(pointer.strip_casts().ty) {
        Type::Pointer(content) => !matches!(types.get(*content), Type::Float(_) | Type::Complex(_)),
        _ => true,
    }
}

/// The body of a function.
struct Body<'p> {
    function: FunctionRef,
    cfg: &'p Cfg,
    dead_end: Vec<bool>,
    branches: Vec<Conditional<'p>>,
    /// The blocks that name a variable; `None` where its address is taken.
    homes: FxHashMap<LocalId, Option<FxHashSet<BlockId>>>,
}

impl<'p> Body<'p> {
    fn new(
        program: &'p Program,
        function: FunctionRef,
        never_returning: &FxHashSet<FunctionRef>,
    ) -> Option<Self> {
        let cfg = program.function(function).body.as_ref()?;
        let ends = |inst: &Inst| ends_program(program, function.unit, inst, never_returning);
        let dead_end = dead_ends(cfg, function == program.entry, ends);
        let branches = conditionals(cfg, &dead_end);
        let mut homes = homes(cfg);
        for (index, local) in (0..).zip(&program.function(function).locals) {
            if local.static_init.is_some() {
                homes.insert(LocalId(index), None);
            }
        }
        Some(Self { function, cfg, dead_end, branches, homes })
    }

    /// Whether a variable is named on the arms of a branch only.
    fn stays_in(&self, local: LocalId, branch: &Conditional<'_>) -> bool {
        let homes = self.homes.get(&local).and_then(Option::as_ref);
        homes.is_some_and(|homes| homes.iter().all(|home| branch.blocks.binary_search(home).is_ok()))
    }

    /// What a block does, unless each path from there ends the program.
    fn insts(&self, block: BlockId) -> &'p [Inst] {
        if self.dead_end[block.index()] { &[] } else { &self.cfg.graph[block].insts }
    }
}

/// The blocks that name each variable; `None` for those whose address is taken.
fn homes(cfg: &Cfg) -> FxHashMap<LocalId, Option<FxHashSet<BlockId>>> {
    let mut homes: FxHashMap<LocalId, Option<FxHashSet<BlockId>>> = FxHashMap::default();
    for block in cfg.graph.node_indices() {
        let mut note = |part: Part<'_>| match part {
            Part::Place(Place { base: PlaceBase::Local(local), .. }) => {
                let known = homes.entry(*local).or_insert_with(|| Some(FxHashSet::default()));
                known.iter_mut().for_each(|blocks| {
                    blocks.insert(block);
                });
            }
            Part::Expr(Expr { kind: ExprKind::AddressOf(place), .. }) => {
                if let PlaceBase::Local(local) = place.base {
                    homes.insert(local, None);
                }
            }
            _ => {}
        };
        cfg.graph[block].insts.iter().for_each(|inst| walk_inst(inst, &mut note));
        walk_terminator(&cfg.graph[block].terminator, &mut note);
    }
    homes
}

/// A branch or switch.
struct Conditional<'p> {
    /// The block that ends with it.
    block: BlockId,
    condition: &'p Expr,
    /// The blocks between it and where its arms meet, in order.
    blocks: Vec<BlockId>,
    /// Whether they meet at the return only.
    returns: bool,
    /// Whether on one of them each path ends the program: what is asked is worth knowing.
    ends: bool,
}

fn conditionals<'p>(cfg: &'p Cfg, dead_end: &[bool]) -> Vec<Conditional<'p>> {
    let (order, _) = orders(cfg);
    let meets = postdominators(cfg, &order, &vec![false; cfg.graph.node_count()]);
    let mut found = Vec::new();
    for block in cfg.graph.node_indices() {
        let (Terminator::Branch { condition, .. } | Terminator::Switch { value: condition, .. }) =
            &cfg.graph[block].terminator
        else {
            continue;
        };
        let meet = meets[block.index()];
        let mut blocks: Vec<BlockId> = Vec::new();
        let mut seen = vec![false; cfg.graph.node_count()];
        meet.into_iter().for_each(|meet| seen[meet.index()] = true);
        let mut work: Vec<BlockId> = cfg.graph.neighbors(block).collect();
        while let Some(next) = work.pop() {
            if !std::mem::replace(&mut seen[next.index()], true) {
                blocks.push(next);
                work.extend(cfg.graph.neighbors(next));
            }
        }
        blocks.sort_unstable();
        let ends = cfg.graph.neighbors(block).any(|arm| dead_end[arm.index()]);
        found.push(Conditional { block, condition, blocks, returns: meet.is_none(), ends });
    }
    found
}
