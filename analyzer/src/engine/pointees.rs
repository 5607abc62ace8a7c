//! What pointers may point to whatever path is taken: an analysis of the whole program by inclusion, without regard to the order in
//! which it does things (Andersen 1994).
//!
//! Where the engine has lost sight of a pointer, as of one that comes out of a pool, this says which objects it cannot be into:
//! those whose address never gets there. An object is a variable, or what one call allocates: where functions only pass on what they
//! have just allocated, the call of the outermost of them. An object is one place: what is stored in it may be read anywhere in it.
//!
//! Addresses are followed through whatever may hold them or part of them. An integer that has not been made of an address points
//! nowhere; a pointer that has an integer added points into the object that it pointed into (C11 6.5.6 paragraph 8). Functions without source store what they have been given, and return it. What comes
//! from anywhere else, such as a construct without a model, may point anywhere.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use frontend::ir::{
    BinaryOp, Callee, Cfg, Expr, ExprKind, GlobalId, Initializer, Inst, InstKind, LocalId, Place, PlaceBase,
    Span, Terminator, Type, TypeId, TypeTable, UnaryOp,
};
use frontend::mpi::{Function as MpiFunction, Role};
use frontend::program::{FunctionRef, Program, Resolution};
use rustc_hash::{FxHashMap, FxHashSet};

use super::aliasing::Stored;
use super::bytes::returns_new;
use super::environment::{self, Resource, Returns, Use};
use super::library::{self, Effect};
use super::memory::{ContextId, ObjectKind, Objects};

/// Inclusions between sets, and members of sets, before the analysis gives up.
const EDGE_LIMIT: usize = 2_000_000;
const WORK_LIMIT: usize = 40_000_000;

/// What a pointer may point to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pointees(Vec<u64>);

/// An object in a set of [`Pointees`].
type Bit = u32;

impl Pointees {
    /// Any object: the address comes from anywhere.
    const ANYTHING: Bit = 0;

    fn insert(&mut self, bit: Bit) {
        let word = bit as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (bit % 64);
    }

    fn contains(&self, bit: Bit) -> bool {
        self.0.get(bit as usize / 64).is_some_and(|word| word & 1 << (bit % 64) != 0)
    }

    /// Adds what another has, and says what of that is new.
    fn extend(&mut self, other: &Self) -> Self {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let add = |(own, more): (&mut u64, &u64)| {
            let fresh = more & !*own;
            *own |= more;
            fresh
        };
        Self(self.0.iter_mut().zip(&other.0).map(add).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn iter(&self) -> impl Iterator<Item = Bit> + '_ {
        self.0.iter().zip(0..).filter(|&(&word, _)| word != 0).flat_map(|(&word, index): (_, Bit)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * index + bit)
        })
    }
}

/// A set of addresses: what an object holds, or what is known by some other name. An object is its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(u32);

impl Node {
    /// Any object: an address that comes from anywhere.
    const ANYTHING: Self = Self(0);
    /// What functions without source have been given, and what they find there.
    const OUTSIDE: Self = Self(1);
    /// What messages hold.
    const MESSAGES: Self = Self(2);
    /// Addresses that MPI has been asked for.
    const LOCATIONS: Self = Self(3);
    /// What arguments hold that are no parameters.
    const VARIADIC: Self = Self(4);
    /// Strings that have been given to `strtok`.
    const TOKENS: Self = Self(5);
    /// Elements of the command line.
    const OPTIONS: Self = Self(6);
    /// What is stored nobody knows where.
    const ASTRAY: Self = Self(7);
    /// Buffers of messages.
    const BUFFERS: Self = Self(8);
    const NAMED: u32 = 9;
}

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Named {
    Local(FunctionRef, LocalId),
    Global(usize, GlobalId),
    /// What a call allocates.
    Heap(usize, Span),
    Result(FunctionRef),
    Function(FunctionRef),
}

/// A call that allocates, or that passes on what has just been allocated.
#[derive(Clone, Debug, Default)]
struct Allocation {
    object: Option<Node>,
    /// The function that passes it on, in its turn.
    within: Option<FunctionRef>,
}

/// What pointers of a program may point to.
#[derive(Debug)]
pub(crate) struct PointsTo {
    names: FxHashMap<Named, Node>,
    /// The objects whose address is somewhere, by their bits.
    objects: Vec<Node>,
    bits: FxHashMap<Node, Bit>,
    sets: Vec<Pointees>,
    allocations: FxHashMap<(usize, Span), Allocation>,
    /// All that is allocated by calls of each function that passes it on.
    passed_on: FxHashMap<FunctionRef, BTreeSet<Node>>,
}

/// Where addresses come from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Address(Node),
    Content(Node),
}

/// What has to be included in what, and how far that has been done.
struct Solver<'p> {
    program: &'p Program,
    found: PointsTo,
    /// Which sets include each of them.
    copies: Vec<Vec<Node>>,
    loads: Vec<Vec<Node>>,
    stores: Vec<Vec<Node>>,
    edges: FxHashSet<(Node, Node)>,
    /// What of each set has not been handed on yet.
    pending: Vec<Pointees>,
    work: VecDeque<Node>,
    effort: usize,
    /// Functions whose address is taken.
    functions: FxHashMap<Node, FunctionRef>,
    /// Calls through pointers, with what is passed and where results go, and whether these may point to functions without source.
    indirect: Vec<(Vec<Node>, Node)>,
    foreign: bool,
}

impl PointsTo {
    /// What pointers may point to; `None` where that is not found out.
    pub(crate) fn new(program: &Program, functions: &[FunctionRef]) -> Option<Self> {
        let found = Self {
            names: FxHashMap::default(),
            objects: vec![Node::ANYTHING],
            bits: FxHashMap::from_iter([(Node::ANYTHING, Pointees::ANYTHING)]),
            sets: Vec::new(),
            allocations: FxHashMap::default(),
            passed_on: FxHashMap::default(),
        };
        let mut solver = Solver {
            program,
            found,
            copies: Vec::new(),
            loads: Vec::new(),
            stores: Vec::new(),
            edges: FxHashSet::default(),
            pending: Vec::new(),
            work: VecDeque::new(),
            effort: 0,
            functions: FxHashMap::default(),
            indirect: Vec::new(),
            foreign: false,
        };
        (0..Node::NAMED).for_each(|_| {
            solver.node();
        });
        solver.collect(functions)?;
        solver.solve()?;
        Some(solver.found)
    }

    /// What an expression of a function may point to; `None` where that may be anything.
    pub(crate) fn of(
        &self,
        program: &Program,
        function: FunctionRef,
        pointer: &Expr,
    ) -> Option<Rc<Pointees>> {
        let mut all = Pointees::default();
        self.add(program, function, pointer, &mut all)?;
        (!all.contains(Pointees::ANYTHING)).then(|| Rc::new(all))
    }

    fn add(&self, program: &Program, function: FunctionRef, expr: &Expr, all: &mut Pointees) -> Option<()> {
        let mut known = true;
        addresses_in(program, function, expr, &mut |part| match part {
            AddressPart::Variable(base) => match self.variable(program, function, base) {
                Some(node) => match self.bits.get(&node) {
                    Some(&bit) => all.insert(bit),
                    None => known = false,
                },
                None => known = false,
            },
            AddressPart::Held(place) => match &place.base {
                PlaceBase::Deref(pointer) => {
                    let mut held = Pointees::default();
                    if self.add(program, function, pointer, &mut held).is_none() {
                        known = false;
                    }
                    for bit in held.iter() {
                        all.extend(self.held_by(bit));
                    }
                }
                base => match self.variable(program, function, base) {
                    Some(node) => {
                        all.extend(&self.sets[node.0 as usize]);
                    }
                    None => known = false,
                },
            },
            AddressPart::Function(_) => {}
            AddressPart::Anywhere => known = false,
        });
        known.then_some(())
    }

    fn held_by(&self, bit: Bit) -> &Pointees {
        &self.sets[self.objects[bit as usize].0 as usize]
    }

    fn has(&self, pointees: &Pointees, node: Node) -> bool {
        self.bits.get(&node).is_some_and(|&bit| pointees.contains(bit))
    }

    fn variable(&self, program: &Program, function: FunctionRef, base: &PlaceBase) -> Option<Node> {
        let name = match base {
            PlaceBase::Local(local) => Named::Local(function, *local),
            PlaceBase::Global(global) => {
                let (unit, global) = program.resolve_global(function.unit, *global);
                Named::Global(unit, global)
            }
            PlaceBase::Deref(_) => return None,
        };
        self.names.get(&name).copied()
    }

    /// Whether an object of the engine may be one of some.
    pub(crate) fn may_be(&self, objects: &Objects, kind: &ObjectKind, pointees: &Pointees) -> bool {
        let name = match kind {
            ObjectKind::Local(_, function, local) | ObjectKind::Static(function, local) => {
                Named::Local(*function, *local)
            }
            ObjectKind::Global(unit, global) => Named::Global(*unit, *global),
            ObjectKind::Heap(context, unit, span) => {
                return self.is_allocated(objects, *context, (*unit, *span), pointees);
            }
            ObjectKind::Literal(_)
            | ObjectKind::CommandLine
            | ObjectKind::Environment
            | ObjectKind::Library(_) => return true,
        };
        self.names.get(&name).is_none_or(|&node| self.has(pointees, node))
    }

    fn is_allocated(
        &self,
        objects: &Objects,
        mut context: ContextId,
        mut call: (usize, Span),
        pointees: &Pointees,
    ) -> bool {
        loop {
            let Some(allocation) = self.allocations.get(&call) else { return true };
            if allocation.object.is_some_and(|node| self.has(pointees, node)) {
                return true;
            }
            let Some(function) = allocation.within else { return false };
            match objects.caller(context) {
                Some((outer, unit, span)) => (context, call) = (outer, (unit, span)),
                None => return self.passed_on[&function].iter().any(|&node| self.has(pointees, node)),
            }
        }
    }
}

/// Part of what an expression may point to.
enum AddressPart<'a> {
    /// A variable.
    Variable(&'a PlaceBase),
    /// What is held in a place.
    Held(&'a Place),
    Function(&'a str),
    Anywhere,
}

/// Where an expression that may hold an address has it from.
fn addresses_in<'a>(
    program: &Program,
    function: FunctionRef,
    expr: &'a Expr,
    found: &mut dyn FnMut(AddressPart<'a>),
) {
    let types = &program.units[function.unit].types;
    match &expr.kind {
        ExprKind::AddressOf(place) => match &place.base {
            PlaceBase::Deref(pointer) => addresses_in(program, function, pointer, found),
            base => found(AddressPart::Variable(base)),
        },
        ExprKind::Load(place) => found(AddressPart::Held(place)),
        ExprKind::Cast(inner) => addresses_in(program, function, inner, found),
        ExprKind::Unary(UnaryOp::Not, _) => {}
        ExprKind::Unary(_, inner) => addresses_in(program, function, inner, found),
        ExprKind::Binary(op, left, right) => {
            if op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or) {
                return;
            }
            let is_pointer = |e: &Expr| types.pointee(e.ty).is_some();
            match (is_pointer(left), is_pointer(right)) {
                // How far apart they are.
                (true, true) => {}
                (true, false) if !is_constant(left) => addresses_in(program, function, left, found),
                (false, true) if !is_constant(right) => addresses_in(program, function, right, found),
                _ => {
                    addresses_in(program, function, left, found);
                    addresses_in(program, function, right, found);
                }
            }
        }
        ExprKind::Conditional(_, then, otherwise) => {
            addresses_in(program, function, then, found);
            addresses_in(program, function, otherwise, found);
        }
        ExprKind::Constant { name, .. } if name.starts_with("MPI_") && types.pointee(expr.ty).is_some() => {
            found(AddressPart::Anywhere);
        }
        ExprKind::Unknown(_) if may_be_address(types, expr.ty) => found(AddressPart::Anywhere),
        ExprKind::Unknown(_) => {}
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::Constant { .. }
        | ExprKind::Sizeof(_)
        | ExprKind::SizeofVla(_) => {}
        ExprKind::FunctionAddress(name) => found(AddressPart::Function(name)),
    }
}

/// Whether a value of a type may be an address as a whole, or have one in it.
fn may_be_address(types: &TypeTable, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Int(kind) | Type::Enum(_, kind) => kind.size() >= 8,
        Type::Float(_) | Type::Complex(_) => false,
        _ => true,
    }
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.strip_casts().kind, ExprKind::Int(_))
}

/// Whether a function of the C library tells where in its first argument it has stopped to read, where its second argument points to.
fn ends_in_argument(name: &str) -> bool {
    name.starts_with("strto") && environment::model(name).is_some_and(|model| model.uses(1) == Use::Write)
}

/// Locals of which the value may be returned.
fn returned_locals(cfg: &Cfg) -> FxHashSet<LocalId> {
    fn read(value: &Expr) -> Option<LocalId> {
        match &value.strip_casts().kind {
            ExprKind::Load(place) => place.as_local(),
            _ => None,
        }
    }
    let blocks = || cfg.graph.node_weights();
    let mut found: FxHashSet<LocalId> = blocks()
        .filter_map(|block| match &block.terminator {
            Terminator::Return(Some(value), _) => read(value),
            _ => None,
        })
        .collect();
    loop {
        let before = found.len();
        for inst in blocks().flat_map(|block| &block.insts) {
            if let InstKind::Assign(place, value) = &inst.kind
                && place.as_local().is_some_and(|local| found.contains(&local))
            {
                found.extend(read(value));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

impl<'p> Solver<'p> {
    fn node(&mut self) -> Node {
        let node =
            Node(u32::try_from(self.found.sets.len()).expect("a program has fewer than 2^32 variables"));
        self.found.sets.push(Pointees::default());
        self.pending.push(Pointees::default());
        self.copies.push(Vec::new());
        self.loads.push(Vec::new());
        self.stores.push(Vec::new());
        node
    }

    fn named(&mut self, name: Named) -> Node {
        if let Some(&node) = self.found.names.get(&name) {
            return node;
        }
        let node = self.node();
        self.found.names.insert(name, node);
        node
    }

    fn include(&mut self, source: Source, target: Node) {
        match source {
            Source::Address(node) => {
                let (objects, bits) = (&mut self.found.objects, &mut self.found.bits);
                let bit = *bits.entry(node).or_insert_with(|| {
                    objects.push(node);
                    Bit::try_from(objects.len() - 1).expect("a program has fewer than 2^32 objects")
                });
                let mut one = Pointees::default();
                one.insert(bit);
                self.grow(target, &one);
            }
            Source::Content(node) => self.copy(node, target),
        }
    }

    fn grow(&mut self, node: Node, more: &Pointees) {
        let fresh = self.found.sets[node.0 as usize].extend(more);
        self.effort += more.0.len();
        if !fresh.is_empty() {
            let pending = &mut self.pending[node.0 as usize];
            if pending.is_empty() {
                self.work.push_back(node);
            }
            pending.extend(&fresh);
        }
    }

    /// What one holds another may hold.
    fn copy(&mut self, from: Node, to: Node) {
        let to = if to == Node::ANYTHING { Node::ASTRAY } else { to };
        if from != to && self.edges.insert((from, to)) {
            self.copies[from.0 as usize].push(to);
            let held = self.found.sets[from.0 as usize].clone();
            self.grow(to, &held);
        }
    }

    fn objects_in(&self, node: Node) -> Vec<Node> {
        let set = &self.found.sets[node.0 as usize];
        set.iter().map(|bit| self.found.objects[bit as usize]).collect()
    }

    /// What objects hold that something points to.
    fn load(&mut self, pointer: Node) -> Node {
        let target = self.node();
        for object in self.objects_in(pointer) {
            self.copy(object, target);
        }
        self.loads[pointer.0 as usize].push(target);
        target
    }

    /// What one holds is stored where another points to.
    fn store(&mut self, pointer: Node, value: Node) {
        for object in self.objects_in(pointer) {
            self.copy(value, object);
        }
        self.stores[pointer.0 as usize].push(value);
    }

    fn solve(&mut self) -> Option<()> {
        while let Some(node) = self.work.pop_front() {
            let fresh = std::mem::take(&mut self.pending[node.0 as usize]);
            if self.edges.len() > EDGE_LIMIT || self.effort > WORK_LIMIT {
                return None;
            }
            for bit in fresh.iter() {
                let object = self.found.objects[bit as usize];
                for target in self.loads[node.0 as usize].clone() {
                    self.copy(object, target);
                }
                for value in self.stores[node.0 as usize].clone() {
                    self.copy(value, object);
                }
                if node == Node::OUTSIDE {
                    self.copy(object, Node::OUTSIDE);
                    self.copy(Node::OUTSIDE, object);
                    if let Some(&function) = self.functions.get(&object) {
                        self.call_back(function);
                    }
                }
            }
            for target in self.copies[node.0 as usize].clone() {
                self.grow(target, &fresh);
            }
        }
        // What is stored anywhere may be found anywhere.
        self.found.sets[Node::ASTRAY.0 as usize].is_empty().then_some(())
    }

    /// All that an expression may hold, as one node.
    fn value(&mut self, function: FunctionRef, expr: &Expr) -> Node {
        let mut sources = Vec::new();
        self.sources(function, expr, &mut sources);
        if let [Source::Content(node)] = sources[..] {
            return node;
        }
        let node = self.node();
        sources.into_iter().for_each(|source| self.include(source, node));
        node
    }

    fn sources(&mut self, function: FunctionRef, expr: &Expr, sources: &mut Vec<Source>) {
        let program = self.program;
        let mut parts = Vec::new();
        addresses_in(program, function, expr, &mut |part| parts.push(part));
        for part in parts {
            sources.push(match part {
                AddressPart::Variable(base) => match self.variable(function, base) {
                    Some(node) => Source::Address(node),
                    None => continue,
                },
                AddressPart::Held(place) => Source::Content(match &place.base {
                    PlaceBase::Deref(pointer) => {
                        let pointer = self.value(function, pointer);
                        self.load(pointer)
                    }
                    base => match self.variable(function, base) {
                        Some(node) => node,
                        None => continue,
                    },
                }),
                AddressPart::Function(name) => match program.resolve(function.unit, name) {
                    Resolution::Defined(target) => {
                        let node = self.named(Named::Function(target));
                        self.functions.insert(node, target);
                        Source::Address(node)
                    }
                    Resolution::External => {
                        self.foreign = true;
                        continue;
                    }
                },
                AddressPart::Anywhere => Source::Address(Node::ANYTHING),
            });
        }
    }

    fn variable(&mut self, function: FunctionRef, base: &PlaceBase) -> Option<Node> {
        Some(self.named(match base {
            PlaceBase::Local(local) => Named::Local(function, *local),
            PlaceBase::Global(global) => {
                let (unit, global) = self.program.resolve_global(function.unit, *global);
                Named::Global(unit, global)
            }
            PlaceBase::Deref(_) => return None,
        }))
    }

    /// Something is stored in a place.
    fn assign(&mut self, function: FunctionRef, place: &Place, value: Node) {
        match &place.base {
            PlaceBase::Deref(pointer) => {
                let pointer = self.value(function, pointer);
                self.store(pointer, value);
            }
            base => {
                if let Some(node) = self.variable(function, base) {
                    self.copy(value, node);
                }
            }
        }
    }

    fn collect(&mut self, functions: &[FunctionRef]) -> Option<()> {
        let program = self.program;
        self.include(Source::Address(Node::ANYTHING), Node::ANYTHING);
        self.find_allocations(functions);
        for (unit, number) in (0..program.units.len()).map(|unit| (unit, program.units[unit].globals.len())) {
            for id in (0..number).filter_map(|id| u32::try_from(id).ok()).map(GlobalId) {
                self.global(unit, id);
            }
        }
        for &function in functions {
            let code = program.function(function);
            let cfg = code.body.as_ref()?;
            for (index, local) in (0..).zip(&code.locals) {
                if let Some(Some(init)) = &local.static_init {
                    let node = self.named(Named::Local(function, LocalId(index)));
                    let ty = local.ty;
                    self.initial(function, init, ty, node);
                }
            }
            for block in cfg.graph.node_weights() {
                for inst in &block.insts {
                    self.inst(function, inst);
                }
                if let Terminator::Return(Some(value), _) = &block.terminator {
                    let (value, result) = (self.value(function, value), self.named(Named::Result(function)));
                    self.copy(value, result);
                }
            }
            if self.edges.len() > EDGE_LIMIT {
                return None;
            }
        }
        if self.foreign {
            for (values, result) in std::mem::take(&mut self.indirect) {
                self.outside(&values, result);
            }
        }
        Some(())
    }

    fn global(&mut self, unit: usize, id: GlobalId) {
        let program = self.program;
        let (home, resolved) = program.resolve_global(unit, id);
        let node = self.named(Named::Global(home, resolved));
        let global = program.global(unit, id);
        if let Some(init) = &global.init {
            self.initial(FunctionRef { unit, function: program.entry.function }, init, global.ty, node);
        }
        if &*global.name == "optarg" {
            self.copy(Node::OPTIONS, node);
        } else if !program.global(home, resolved).defined
            && environment::library_variable(&global.name).is_none()
        {
            self.include(Source::Address(node), Node::OUTSIDE);
        }
    }

    /// The initial value of a variable of a unit.
    fn initial(&mut self, within: FunctionRef, init: &Initializer, ty: TypeId, node: Node) {
        match init {
            Initializer::Scalar(value) => {
                let value = self.value(within, value);
                self.copy(value, node);
            }
            Initializer::Aggregate(parts) => {
                parts.iter().for_each(|(_, part)| self.initial(within, part, ty, node));
            }
            Initializer::Unknown => {
                if Stored::of(&self.program.units[within.unit].types, ty).may_lead_on() {
                    self.include(Source::Address(Node::ANYTHING), node);
                }
            }
        }
    }

    /// Finds the calls that allocate, and those of functions that pass on what they have just allocated.
    fn find_allocations(&mut self, functions: &[FunctionRef]) {
        let program = self.program;
        let passes_on: FxHashSet<FunctionRef> =
            functions.iter().copied().filter(|&function| returns_new(program, function)).collect();
        let mut callers: FxHashMap<FunctionRef, Vec<(usize, Span)>> = FxHashMap::default();
        for &function in functions {
            let Some(cfg) = &program.function(function).body else { continue };
            let returned = match passes_on.contains(&function) {
                true => returned_locals(cfg),
                false => FxHashSet::default(),
            };
            for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
                let InstKind::Call { dest, callee, args } = &inst.kind else { continue };
                let targets = self.targets(function, callee, args.len());
                let mut targets = targets.into_iter().filter(|target| passes_on.contains(target)).peekable();
                let allocates = match callee {
                    Callee::Direct { name, mpi: None } if targets.peek().is_none() => matches!(
                        library::effect(name),
                        Some(Effect::Allocates { .. } | Effect::Reallocates | Effect::Copies | Effect::Line)
                    ),
                    _ => false,
                };
                if !allocates && targets.peek().is_none() {
                    continue;
                }
                let call = (function.unit, inst.span);
                targets.for_each(|target| callers.entry(target).or_default().push(call));
                let object = self.named(Named::Heap(call.0, call.1));
                let is_passed_on =
                    |dest: &Place| dest.as_local().is_some_and(|local| returned.contains(&local));
                let within = dest.as_ref().is_some_and(is_passed_on).then_some(function);
                self.found.allocations.insert(call, Allocation { object: Some(object), within });
            }
        }
        for &function in functions.iter().filter(|function| passes_on.contains(function)) {
            let (mut all, mut seen, mut work) = (BTreeSet::new(), BTreeSet::new(), vec![function]);
            while let Some(function) = work.pop() {
                if !seen.insert(function) {
                    continue;
                }
                for call in callers.get(&function).into_iter().flatten() {
                    let allocation = &self.found.allocations[call];
                    all.extend(allocation.object);
                    work.extend(allocation.within);
                }
            }
            self.found.passed_on.insert(function, all);
        }
    }

    /// What may have been allocated by a call, as it is known where the call is made.
    fn allocated(&mut self, call: (usize, Span), dest: Node) -> Vec<Node> {
        let Some(allocation) = self.found.allocations.get(&call).cloned() else { return Vec::new() };
        let mut all: Vec<Node> = allocation.object.into_iter().collect();
        all.extend(allocation.within.iter().flat_map(|function| &self.found.passed_on[function]));
        for &object in &all {
            self.include(Source::Address(object), dest);
        }
        all
    }

    fn targets(&self, function: FunctionRef, callee: &Callee, args: usize) -> Vec<FunctionRef> {
        let program = self.program;
        match callee {
            Callee::Direct { mpi: Some(_), .. } => Vec::new(),
            Callee::Direct { name, mpi: None } => match program.resolve(function.unit, name) {
                Resolution::Defined(target) => vec![target],
                Resolution::External => Vec::new(),
            },
            Callee::Indirect(pointer) => program.call_targets(function, pointer, args),
        }
    }

    fn inst(&mut self, function: FunctionRef, inst: &Inst) {
        match &inst.kind {
            InstKind::Declare(_) => {}
            InstKind::Assign(place, value) => {
                let value = self.value(function, value);
                self.assign(function, place, value);
            }
            InstKind::Opaque { writes: Some(places), .. } => {
                for place in places {
                    let value = self.node();
                    if may_be_address(&self.program.units[function.unit].types, place.ty) {
                        self.include(Source::Address(Node::ANYTHING), value);
                    }
                    self.assign(function, place, value);
                }
            }
            InstKind::Opaque { writes: None, .. } => {
                // Anything may be anywhere: this is given up at the end.
                self.include(Source::Address(Node::ANYTHING), Node::ASTRAY);
            }
            InstKind::Call { dest, callee, args } => {
                let result = self.node();
                self.call(function, callee, args, (function.unit, inst.span), result);
                if let Some(dest) = dest {
                    self.assign(function, dest, result);
                }
            }
        }
    }

    fn call(
        &mut self,
        function: FunctionRef,
        callee: &Callee,
        args: &[Expr],
        call: (usize, Span),
        result: Node,
    ) {
        let program = self.program;
        let values: Vec<Node> = args.iter().map(|arg| self.value(function, arg)).collect();
        for target in self.targets(function, callee, args.len()) {
            let params = program.function(target).params;
            for (index, &value) in (0..).zip(&values) {
                let param = match index < params {
                    true => self.named(Named::Local(target, LocalId(index))),
                    false => Node::VARIADIC,
                };
                self.copy(value, param);
            }
            // What it passes on has just been allocated for this call.
            if !self.found.passed_on.contains_key(&target) {
                let returned = self.named(Named::Result(target));
                self.copy(returned, result);
            }
        }
        let allocated = self.allocated(call, result);
        match callee {
            Callee::Direct { mpi: Some(mpi), .. } => self.mpi(mpi, &values),
            Callee::Direct { name, mpi: None } => {
                if program.resolve(function.unit, name) == Resolution::External {
                    self.library(function, name, &values, &allocated, result);
                }
            }
            Callee::Indirect(_) => self.indirect.push((values, result)),
        }
    }

    /// A function without source.
    fn outside(&mut self, values: &[Node], result: Node) {
        values.iter().for_each(|&value| self.copy(value, Node::OUTSIDE));
        self.copy(Node::OUTSIDE, result);
    }

    fn library(
        &mut self,
        function: FunctionRef,
        name: &str,
        values: &[Node],
        allocated: &[Node],
        result: Node,
    ) {
        let Some(model) = environment::model(name) else {
            return match (name, library::effect(name)) {
                ("va_arg", _) => self.copy(Node::VARIADIC, result),
                ("va_start" | "va_copy" | "va_end", _) => {}
                ("qsort" | "bsearch", _) => {
                    // Elements are compared by functions of the program, and keep what they hold.
                    let compared = self.node();
                    let arrays = if name == "qsort" { 1 } else { 2 };
                    values.iter().take(arrays).for_each(|&value| self.copy(value, compared));
                    self.pass_to_all(&self.program.indirect_targets(function), compared);
                    if name == "bsearch" {
                        self.copy(compared, result);
                    }
                }
                (_, Some(Effect::Reads | Effect::Exits | Effect::Owns(_) | Effect::Signal)) => {}
                (_, Some(Effect::Allocates { .. })) => {}
                (_, Some(Effect::Reallocates | Effect::Copies)) => {
                    for &old in values.iter().take(1) {
                        let held = self.load(old);
                        allocated.iter().for_each(|&object| self.copy(held, object));
                    }
                }
                (_, Some(Effect::Line)) => {
                    let line = self.node();
                    allocated.iter().for_each(|&object| self.include(Source::Address(object), line));
                    values.iter().take(1).for_each(|&holder| self.store(holder, line));
                }
                (_, Some(Effect::Writes) | None) => self.outside(values, result),
            };
        };
        // What it stores it has found behind some argument, or it is where it has stopped to read.
        let mut stored = Vec::new();
        for (index, &value) in values.iter().enumerate() {
            if matches!(model.uses(index), Use::Read | Use::Update) {
                stored.push(self.load(value));
            }
        }
        if let Some((Resource::Options, _)) = model.resource {
            stored.iter().for_each(|&node| self.copy(node, Node::OPTIONS));
        }
        if ends_in_argument(name) {
            stored.extend(values.first());
        }
        for (index, &value) in values.iter().enumerate() {
            if matches!(model.uses(index), Use::Write | Use::Update) && name != "memset" {
                stored.iter().for_each(|&node| self.store(value, node));
            }
        }
        if let Some((Resource::Tokens, _)) = model.resource {
            values.iter().take(1).for_each(|&value| self.copy(value, Node::TOKENS));
            self.copy(Node::TOKENS, result);
        }
        if matches!(model.returns, Returns::First | Returns::FirstOrNull | Returns::Inside) {
            values.iter().take(1).for_each(|&value| self.copy(value, result));
        }
    }

    fn mpi(&mut self, mpi: &MpiFunction, values: &[Node]) {
        for (param, &value) in mpi.params.iter().zip(values) {
            let (reads, writes) = (param.direction.reads(), param.direction.writes());
            match param.role {
                Role::SendBuffer | Role::RecvBuffer | Role::InOutBuffer | Role::PackedBuffer => {
                    self.copy(value, Node::BUFFERS);
                    if reads {
                        let held = self.load(value);
                        self.copy(held, Node::MESSAGES);
                    }
                    if writes {
                        self.store(value, Node::MESSAGES);
                    }
                }
                Role::WindowMemory => {
                    let held = self.load(value);
                    self.copy(held, Node::MESSAGES);
                    self.store(value, Node::MESSAGES);
                    self.copy(value, Node::OUTSIDE);
                }
                Role::Location => self.copy(value, Node::LOCATIONS),
                Role::Address if writes => self.store(value, Node::LOCATIONS),
                _ if param.ctype.starts_with("void") || param.ctype.starts_with("const void") => {
                    self.copy(value, Node::OUTSIDE);
                }
                // It may be called with whatever MPI works on.
                _ if param.ctype.contains("function") => {
                    self.copy(value, Node::OUTSIDE);
                    self.copy(Node::BUFFERS, Node::OUTSIDE);
                }
                _ => {}
            }
        }
    }

    /// Functions without source call one that they have been given, with what else they have been given.
    fn call_back(&mut self, function: FunctionRef) {
        self.pass_to_all(&[function], Node::OUTSIDE);
        let result = self.named(Named::Result(function));
        self.copy(result, Node::OUTSIDE);
    }

    /// Functions are called with some addresses, whichever argument that is.
    fn pass_to_all(&mut self, targets: &[FunctionRef], values: Node) {
        for &target in targets {
            for index in 0..self.program.function(target).params {
                let param = self.named(Named::Local(target, LocalId(index)));
                self.copy(values, param);
            }
        }
    }
}
