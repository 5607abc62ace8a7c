//! What pointers may point to whatever path is taken: an analysis of the whole program by inclusion, without regard to the order in
//! which it does things (Andersen 1994).
//!
//! Where the engine has lost sight of a pointer, as of one that comes out of a pool, this says which objects it cannot be into:
//! those whose address never gets there. An object is a variable, or what one call allocates: where functions only pass on what they
//! have just allocated, the call of the outermost of them. An object is one place: what is stored in it may be read anywhere in it,
//! so pieces of addresses count as addresses, and types do not matter.
//!
//! Why a pointer points to nothing else: it can only be used for the object that it is derived from. A pointer that has an integer
//! added points into the object that it pointed into (C11 6.5.6 paragraph 8), and an integer leads to an object if it has been made of
//! its address (6.3.2.3 paragraphs 5 and 6, the provenance of DR 260), by whatever arithmetic; not if it has only been compared with it,
//! or is its distance from another. Addresses are followed through whatever may hold them: variables, memory, arguments that are no
//! parameters, messages, and files.
//!
//! Functions without source are assumed to know of nothing but what they have been given, directly or behind that, as everywhere in the
//! engine ([`super::library`]): they store it wherever they get to, return it, and call functions of the program with it. What comes
//! from anywhere else, such as a construct without a model, may point anywhere; where that is stored nobody knows where, or where the
//! program is too large, nothing is said.

mod addresses;
mod allocations;
mod collecting;
mod library;
mod sets;
mod solving;

use std::collections::BTreeSet;
use std::rc::Rc;

use frontend::ir::{Expr, GlobalId, LocalId, PlaceBase, Span};
use frontend::program::{FunctionRef, Program};
use rustc_hash::FxHashMap;

pub(crate) use sets::Pointees;

use self::addresses::{AddressPart, addresses_in};
use self::allocations::Allocation;
use self::sets::Bit;
use self::solving::Solver;
use super::memory::{ContextId, ObjectKind, Objects};

/// A set of addresses: what an object holds, or what is known by some other name. An object is its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(u32);

impl Node {
    /// Any object: an address that comes from anywhere.
    const ANYTHING: Self = Self(0);
    /// What functions without source have been given, and what they find there; their own memory.
    const OUTSIDE: Self = Self(1);
    /// What messages hold.
    const MESSAGES: Self = Self(2);
    /// Addresses that MPI has been asked for, or has been told as numbers or strings.
    const TOLD: Self = Self(3);
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
    /// What files hold, and the environment.
    const FILES: Self = Self(9);
    /// The command line.
    const COMMAND_LINE: Self = Self(10);
    const NAMED: u32 = 11;
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

impl PointsTo {
    fn nothing() -> Self {
        Self {
            names: FxHashMap::default(),
            objects: vec![Node::ANYTHING],
            bits: FxHashMap::from_iter([(Node::ANYTHING, Pointees::ANYTHING)]),
            sets: Vec::new(),
            allocations: FxHashMap::default(),
            passed_on: FxHashMap::default(),
        }
    }

    /// What pointers may point to; `None` where that is not found out.
    pub(crate) fn new(program: &Program, functions: &[FunctionRef]) -> Option<Self> {
        let mut solver = Solver::new(program);
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
            | ObjectKind::Neighbours(_)
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
