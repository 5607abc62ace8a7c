//! Inclusions between sets of objects, and the least sets that satisfy them.

use std::collections::VecDeque;

use frontend::ir::LocalId;
use frontend::program::{FunctionRef, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use super::sets::{Bit, Pointees};
use super::{Named, Node, PointsTo};

/// Inclusions between sets, and members of sets, before the analysis gives up.
const EDGE_LIMIT: usize = 2_000_000;
const WORK_LIMIT: usize = 40_000_000;

/// Where addresses come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Address(Node),
    Content(Node),
}

/// What a function is called with.
#[derive(Clone, Debug)]
pub(super) enum Passed {
    Each(Vec<Node>),
    /// Any argument may hold this.
    Any(Node),
}

/// A call of functions that are found while sets grow.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) passed: Passed,
    pub(super) result: Node,
}

/// What has to be included in what, and how far that has been done.
pub(super) struct Solver<'p> {
    pub(super) program: &'p Program,
    pub(super) found: PointsTo,
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
    pub(super) functions: FxHashMap<Node, FunctionRef>,
    /// Functions that are reached.
    pub(super) reachable: FxHashSet<FunctionRef>,
    /// How the functions are called that each set has.
    calls: Vec<Vec<Call>>,
    /// Calls through pointers, with what is passed and where results go, and whether these may point to functions without source.
    pub(super) indirect: Vec<(Vec<Node>, Node)>,
    pub(super) foreign: bool,
}

impl<'p> Solver<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut solver = Self {
            program,
            found: PointsTo::nothing(),
            copies: Vec::new(),
            loads: Vec::new(),
            stores: Vec::new(),
            edges: FxHashSet::default(),
            pending: Vec::new(),
            work: VecDeque::new(),
            effort: 0,
            functions: FxHashMap::default(),
            reachable: FxHashSet::default(),
            calls: Vec::new(),
            indirect: Vec::new(),
            foreign: false,
        };
        (0..Node::NAMED).for_each(|_| {
            solver.node();
        });
        for own in [Node::ANYTHING, Node::OUTSIDE, Node::COMMAND_LINE] {
            solver.include(Source::Address(own), own);
        }
        let call = Call { passed: Passed::Any(Node::OUTSIDE), result: Node::OUTSIDE };
        solver.call_all(Node::OUTSIDE, call);
        solver.same(Node::FILES, Node::OUTSIDE);
        solver
    }

    pub(super) fn is_too_large(&self) -> bool {
        self.edges.len() > EDGE_LIMIT || self.effort > WORK_LIMIT
    }

    pub(super) fn node(&mut self) -> Node {
        let node =
            Node(u32::try_from(self.found.sets.len()).expect("a program has fewer than 2^32 variables"));
        self.found.sets.push(Pointees::default());
        self.pending.push(Pointees::default());
        self.copies.push(Vec::new());
        self.loads.push(Vec::new());
        self.stores.push(Vec::new());
        self.calls.push(Vec::new());
        node
    }

    pub(super) fn named(&mut self, name: Named) -> Node {
        if let Some(&node) = self.found.names.get(&name) {
            return node;
        }
        let node = self.node();
        self.found.names.insert(name, node);
        node
    }

    pub(super) fn include(&mut self, source: Source, target: Node) {
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
        self.effort += more.words();
        if !fresh.is_empty() {
            let pending = &mut self.pending[node.0 as usize];
            if pending.is_empty() {
                self.work.push_back(node);
            }
            pending.extend(&fresh);
        }
    }

    /// What one holds another may hold.
    pub(super) fn copy(&mut self, from: Node, to: Node) {
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
    pub(super) fn load(&mut self, pointer: Node) -> Node {
        let target = self.node();
        for object in self.objects_in(pointer) {
            self.copy(object, target);
        }
        self.loads[pointer.0 as usize].push(target);
        target
    }

    /// What one holds is stored where another points to.
    pub(super) fn store(&mut self, pointer: Node, value: Node) {
        for object in self.objects_in(pointer) {
            self.copy(value, object);
        }
        self.stores[pointer.0 as usize].push(value);
    }

    pub(super) fn solve(&mut self) -> Option<()> {
        while let Some(node) = self.work.pop_front() {
            let fresh = std::mem::take(&mut self.pending[node.0 as usize]);
            if self.is_too_large() {
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
                }
                if let Some(&function) = self.functions.get(&object) {
                    for call in self.calls[node.0 as usize].clone() {
                        self.bind(function, &call);
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

    /// All functions that something points to are called.
    pub(super) fn call_all(&mut self, pointer: Node, call: Call) {
        for object in self.objects_in(pointer) {
            if let Some(&function) = self.functions.get(&object) {
                self.bind(function, &call);
            }
        }
        self.calls[pointer.0 as usize].push(call);
    }

    fn bind(&mut self, function: FunctionRef, call: &Call) {
        match &call.passed {
            Passed::Each(values) => self.pass(function, values),
            &Passed::Any(value) => {
                let params = (0..self.program.function(function).params).map(LocalId);
                for param in params.map(|param| Named::Local(function, param)).collect::<Vec<_>>() {
                    let param = self.named(param);
                    self.copy(value, param);
                }
                self.copy(value, Node::VARIADIC);
            }
        }
        let result = self.named(Named::Result(function));
        self.copy(result, call.result);
    }

    /// Arguments become parameters.
    pub(super) fn pass(&mut self, function: FunctionRef, values: &[Node]) {
        let params = self.program.function(function).params;
        for (index, &value) in (0..).zip(values) {
            let param = match index < params {
                true => self.named(Named::Local(function, LocalId(index))),
                false => Node::VARIADIC,
            };
            self.copy(value, param);
        }
    }
}
