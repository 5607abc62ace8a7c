//! The bounds that a combination keeps, on their way to a graph.

use std::sync::Arc;

use effort::spend_on;

use super::combine::{Classes, End, Key, Operand, Side};
use super::graph::{Entry, Graph, Vertex, Way, plus, tighter};
use super::repair::{Rows, repair};
use crate::Symbol;
use crate::unify::Combine;

/// A result in the making, over the indices of its classes, which are in the order of their representatives.
#[derive(Debug)]
pub(super) struct Draft {
    classes: Classes,
    rows: Rows,
    /// Bounds of expressions that are no differences. They are sound, not tight, and closing needs all of them.
    sums: Vec<(Option<usize>, Option<usize>, i64)>,
    /// Whether the old side described already what the new one does.
    pub(super) covered: bool,
}

/// The bound that a combination keeps, and whether the one of the old side, if any, holds on the new side.
fn kept(before: Option<i64>, after: Option<i64>, how: Combine) -> (Option<i64>, bool) {
    match (before, after) {
        (None, _) => (None, true),
        (Some(before), Some(after)) if after <= before => (Some(before), true),
        (Some(_), Some(after)) if how == Combine::Join => (Some(after), false),
        _ => (None, false),
    }
}

impl Draft {
    pub(super) fn new(old: &Graph, new: &Graph, ends: &[End<'_>], how: Combine) -> Self {
        let graphs = [old, new];
        let classes = Classes::new(graphs, ends);
        let (rows, covered) = (Rows::new(classes.classes.len()), classes.complete);
        let mut draft = Self { classes, rows, sums: Vec::new(), covered };
        let zero = draft.keep_ranges(graphs, how);
        draft.keep_edges(graphs, &zero, how);
        draft.keep_sums(graphs, how);
        draft
    }

    /// Keeps bounds over zero; returns those of both sides, by side, way and class.
    fn keep_ranges(&mut self, graphs: [&Graph; 2], how: Combine) -> [[Vec<Option<i64>>; 2]; 2] {
        let count = self.classes.classes.len();
        let mut all = [(); 2].map(|()| [(); 2].map(|()| vec![None; count]));
        for (index, class) in self.classes.classes.iter().enumerate().filter(|(_, class)| !class.is_sum()) {
            for way in Way::BOTH {
                let [before, after] = Side::BOTH.map(|side| {
                    let (graph, operand) = (graphs[side as usize], class.operand(side));
                    let (x, y) = match way {
                        Way::Out => (operand, Operand::ZERO),
                        Way::Into => (Operand::ZERO, operand),
                    };
                    let bound = self.classes.between(side, graph, x, y);
                    all[side as usize][way as usize][index] = bound;
                    bound
                });
                let (bound, holds) = kept(before, after, how);
                self.rows.zero[way as usize][index] = bound;
                self.rows.lost_zero[way as usize][index] = !holds;
                self.covered &= holds;
            }
        }
        all
    }

    /// Keeps bounds of pairs, as far as they are tighter than what the kept bounds over zero give.
    fn keep_edges(&mut self, graphs: [&Graph; 2], zero: &[[Vec<Option<i64>>; 2]; 2], how: Combine) {
        let classes = &self.classes.classes;
        let bases = Side::BOTH.map(|side| Bases::new(&self.classes, side));
        // Where a bound over zero moved: up or down.
        let moved = |way: Way, index: usize| {
            let [before, after] = Side::BOTH.map(|side| zero[side as usize][way as usize][index]);
            let (before, after) = (before?, after?);
            (before != after).then_some((way == Way::Out) == (before < after))
        };
        let all_moved: Vec<(usize, bool)> =
            (0..classes.len()).filter_map(|i| Some((i, moved(Way::Into, i)?))).collect();
        let mut direct = [(); 2].map(|()| vec![None; classes.len()]);
        let mut pairs: Vec<usize> = Vec::new();
        for x in (0..classes.len()).filter(|&x| !classes[x].is_sum()) {
            for side in Side::BOTH {
                let operand = classes[x].operand(side);
                let direct = &mut direct[side as usize];
                bases[side as usize].row(graphs[side as usize], operand, |y, bound| {
                    let shift = operand.offset.checked_sub(classes[y].operand(side).offset);
                    direct[y] = plus(Some(bound), shift);
                    pairs.push(y);
                });
            }
            // upper(x) - lower(y), where both moved up or both moved down.
            if let Some(up) = moved(Way::Out, x) {
                pairs.extend(all_moved.iter().filter(|m| m.1 == up).map(|m| m.0));
            }
            // Mostly one or two runs in order, which this sort finds.
            pairs.sort();
            pairs.dedup();
            spend_on(1 + 2 * pairs.len());
            for y in pairs.drain(..) {
                let [before, after] = Side::BOTH.map(|side| {
                    let [out, into] = &zero[side as usize];
                    tighter(direct[side as usize][y].take(), plus(out[x], into[y]))
                });
                if x == y {
                    continue;
                }
                let (bound, holds) = kept(before, after, how);
                self.covered &= holds;
                if !holds && how == Combine::Widen {
                    self.rows.lost_edges.push((x, y));
                }
                if let Some(bound) = bound {
                    self.rows.add(x, y, bound);
                }
            }
        }
    }

    /// Keeps bounds that involve other expressions than differences: all pairs with one of them.
    fn keep_sums(&mut self, graphs: [&Graph; 2], how: Combine) {
        let classes = &self.classes.classes;
        let operand = |index: Option<usize>, side| index.map_or(Operand::ZERO, |i| classes[i].operand(side));
        for sum in (0..classes.len()).filter(|&i| classes[i].is_sum()) {
            for other in std::iter::once(None).chain((0..classes.len()).map(Some)) {
                // A pair of sums is met from both.
                let both = other.is_some_and(|other| classes[other].is_sum());
                let pairs = [(Some(sum), other), (other, Some(sum))];
                for (x, y) in pairs.into_iter().take(if both { 1 } else { 2 }).filter(|(x, y)| x != y) {
                    let [before, after] = Side::BOTH.map(|side| {
                        let graph = graphs[side as usize];
                        self.classes.between(side, graph, operand(x, side), operand(y, side))
                    });
                    let (bound, holds) = kept(before, after, how);
                    self.covered &= holds;
                    self.sums.extend(bound.map(|bound| (x, y, bound)));
                }
            }
        }
    }

    /// The same, as if something had been dropped everywhere.
    pub(super) fn all_lost(mut self) -> Self {
        for rows in &mut self.rows.lost_zero {
            rows.fill(true);
        }
        self
    }

    /// Finds again what follows from the bounds that stayed.
    pub(super) fn repaired(mut self) -> Self {
        repair(&mut self.rows);
        self
    }

    /// The graph of a closed draft.
    pub(super) fn closed(&self) -> Graph {
        let mut graph = self.graph(&self.rows);
        for &(x, y, bound) in &self.sums {
            let symbol = |index: Option<usize>| index.map(|i| self.classes.classes[i].symbol);
            let (x, y) = (graph.resolved(symbol(x)), graph.resolved(symbol(y)));
            // Both sides are satisfiable, so what holds on both does not contradict itself.
            if let Some(bound) = y.offset.checked_sub(x.offset).and_then(|shift| bound.checked_add(shift))
                && graph.would_learn(x.base, y.base, bound) == Some(true)
            {
                graph.learn(x.base, y.base, bound);
            }
        }
        graph
    }

    /// The inequalities as they are.
    pub(super) fn unclosed(&self) -> Graph {
        if self.sums.is_empty() {
            return self.graph(&self.rows);
        }
        let mut rows = self.rows.clone();
        for &(x, y, bound) in &self.sums {
            match (x, y) {
                (Some(x), Some(y)) => rows.add_more([(x, y, bound)]),
                (Some(x), None) => rows.add_zero(Way::Out, x, bound),
                (None, Some(y)) => rows.add_zero(Way::Into, y, bound),
                (None, None) => {}
            }
        }
        self.graph(&rows)
    }

    /// Makes the graph, without the edges that follow from bounds over zero.
    fn graph(&self, rows: &Rows) -> Graph {
        let names = &self.classes.names;
        let mut entries: Vec<(Symbol, Entry)> = Vec::with_capacity(names.len() + self.classes.classes.len());
        entries.extend(names.iter().map(|&(symbol, term)| (symbol, term.into())));
        let mut used: Vec<Symbol> = names.iter().filter_map(|(_, term)| term.base).collect();
        used.sort_unstable();
        for (index, class) in self.classes.classes.iter().enumerate() {
            let mut vertex = Vertex::default();
            for way in Way::BOTH {
                vertex.set_zero(way, rows.zero[way as usize][index]);
                let symbol = |&(other, bound): &(usize, i64)| (self.classes.classes[other].symbol, bound);
                *vertex.edges_mut(way) = rows.pruned(way, index).iter().map(symbol).collect();
            }
            if !vertex.is_free() || used.binary_search(&class.symbol).is_ok() {
                entries.push((class.symbol, Entry::Vertex(Arc::new(vertex))));
            }
        }
        Graph::from_entries(entries)
    }
}

/// The classes whose value depends on a representative, by representative.
struct Bases(Vec<(Symbol, usize)>);

impl Bases {
    fn new(classes: &Classes, side: Side) -> Self {
        let base = |(index, class): (usize, &super::combine::Class)| match class.operand(side).key {
            Key::Base(Some(base)) if !class.is_sum() => Some((base, index)),
            _ => None,
        };
        let mut all: Vec<(Symbol, usize)> = classes.classes.iter().enumerate().filter_map(base).collect();
        all.sort_unstable();
        Self(all)
    }

    /// Calls `found` for each class that has an edge from the base of an operand, or the same base, with the bound of the
    /// difference of both bases.
    fn row(&self, graph: &Graph, operand: Operand, mut found: impl FnMut(usize, i64)) {
        let Key::Base(Some(base)) = operand.key else { return };
        let edges: &[_] = graph.vertex(base).map_or(&[], |v| v.edges(Way::Out));
        let mut rest = &self.0[..];
        // The base itself is met out of order: it comes first, and the search starts again.
        for (step, (other, bound)) in std::iter::once((base, 0)).chain(edges.iter().copied()).enumerate() {
            if step <= 1 {
                rest = &self.0;
            }
            // In a dense row the next base is the next one here.
            if rest.first().is_some_and(|next| next.0 < other) {
                rest = &rest[rest.partition_point(|b| b.0 < other)..];
            }
            while let Some((&(_, class), after)) = rest.split_first().filter(|(next, _)| next.0 == other) {
                found(class, bound);
                rest = after;
            }
        }
    }
}
