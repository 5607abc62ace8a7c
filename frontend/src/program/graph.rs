//! The functions a program reaches, and who calls whom.

use std::collections::BTreeMap;

use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use super::FunctionRef;
use super::compatible::may_call;
use super::summary::Summary;
use crate::ir::Unit;

/// A growing set of functions with the calls among them.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// In the order they were reached.
    order: Vec<FunctionRef>,
    position: FxHashMap<FunctionRef, usize>,
    /// How many of `order` have been visited.
    visited: usize,
    edges: Vec<(FunctionRef, FunctionRef)>,
    addressed: Vec<FunctionRef>,
    targets: BTreeMap<FunctionRef, Vec<FunctionRef>>,
}

impl Reached {
    pub(super) fn add(&mut self, function: FunctionRef) {
        if !self.position.contains_key(&function) {
            self.position.insert(function, self.order.len());
            self.order.push(function);
        }
    }

    /// The next function that was not yet visited.
    pub(super) fn next(&mut self) -> Option<FunctionRef> {
        let next = self.order.get(self.visited).copied();
        self.visited += usize::from(next.is_some());
        next
    }

    pub(super) fn functions(&self) -> &[FunctionRef] {
        &self.order
    }

    pub(super) fn call(&mut self, from: FunctionRef, to: FunctionRef) {
        self.add(to);
        self.edges.push((from, to));
    }

    /// `from` gives the address of `to` to a function we do not see, which may call it.
    pub(super) fn callback(&mut self, from: FunctionRef, to: FunctionRef) {
        self.add(to);
        self.target(from, to);
    }

    pub(super) fn address_taken(&mut self, function: FunctionRef) {
        if !self.addressed.contains(&function) {
            self.addressed.push(function);
        }
    }

    fn target(&mut self, from: FunctionRef, to: FunctionRef) -> bool {
        let targets = self.targets.entry(from).or_default();
        if targets.contains(&to) {
            return false;
        }
        targets.push(to);
        self.edges.push((from, to));
        true
    }

    /// Adds the functions that calls through pointers may reach; says whether there was a new one.
    pub(super) fn follow_pointers<'s>(
        &mut self,
        units: &[&Unit],
        summary: impl Fn(FunctionRef) -> &'s Summary,
    ) -> bool {
        let mut new = false;
        for index in 0..self.visited {
            let caller = self.order[index];
            for &(pointer, args) in &summary(caller).indirect {
                for candidate in 0..self.addressed.len() {
                    let target = self.addressed[candidate];
                    let ty = units[target.unit].function(target.function).ty;
                    if may_call(units[caller.unit], pointer, args, units[target.unit], ty) {
                        self.add(target);
                        new |= self.target(caller, target);
                    }
                }
            }
        }
        new
    }

    /// The call graph, and for each function what its pointers may reach.
    pub(super) fn graph(self) -> (DiGraph<FunctionRef, ()>, FxHashMap<FunctionRef, Vec<FunctionRef>>) {
        let mut graph = DiGraph::with_capacity(self.order.len(), self.edges.len());
        for function in &self.order {
            graph.add_node(*function);
        }
        let node = |function: &FunctionRef| self.position.get(function).map(|&p| NodeIndex::new(p));
        for (from, to) in &self.edges {
            if let (Some(from), Some(to)) = (node(from), node(to)) {
                graph.add_edge(from, to, ());
            }
        }
        (graph, self.targets.into_iter().collect())
    }
}
