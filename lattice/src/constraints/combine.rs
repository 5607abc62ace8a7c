//! Join and widening of two graphs over the same names, or over names that stand for one expression in each.
//!
//! Both keep, for each pair of names, a bound that holds on both sides. The classes of the result are found by sorting: names
//! whose expressions differ by the same constant on both sides. Between classes only those pairs are looked at that may get
//! an edge. A pair without an edge on either side is bounded by `upper(x) - lower(y)` on both; that is tighter than what the
//! bounds of the result give only when `x` and `y` moved the same way, as a counter and the ranks it has served do.
//!
//! **Join** takes the weaker of both bounds. The pointwise maximum of closed graphs is closed:
//! `max(a(x,z), b(x,z)) <= max(a(x,y) + a(y,z), b(x,y) + b(y,z)) <= max(a(x,y), b(x,y)) + max(a(y,z), b(y,z))`.
//!
//! **Widening** keeps the bounds of the old side that hold on the new side, and drops the others. What is dropped may follow
//! from what is kept, in a weaker form: when `x` grows beyond its bound, `x - y <= 1` and the bound of `y` still give one. A
//! state must know that, for queries; but if the next widening started from it, then `x` and `y`, growing in turn, would
//! renew each other's bounds for ever. So a widened system is a pair: the *kept* inequalities, not closed, and the closed
//! graph. The next widening
//!
//! 1. drops from the kept ones what the new side violates. If that is anything, the closed graph is treated likewise and the
//!    rows that lost an edge are closed again;
//! 2. otherwise, if the new side violates the closed graph alone, replaces that by the closure of the kept inequalities.
//!
//! A step that changes something is thus of the first kind or of the second, never of the second kind twice in a row (after
//! it, all that holds of the kept holds of the closed), and no inequality ever comes back to the kept ones. With names that
//! stand for expressions classes may split, so that one old inequality becomes several; there are finitely many names to
//! split. Hence every chain is finite.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Constraints;
use super::graph::{Entry, Graph, Term, Vertex, Way, plus, tighter};
use crate::unify::Combine;
use crate::{Linear, Symbol};

/// A name of the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End<'a> {
    pub(crate) symbol: Symbol,
    /// What it stands for on the old and on the new side; itself, when nothing is given.
    pub(crate) meaning: Option<(&'a Linear, &'a Linear)>,
}

/// Two sides combined over some names, and whether the old side described already what the new one does.
pub(crate) fn combine(
    old: &Constraints,
    new: &Constraints,
    ends: &[End<'_>],
    how: Combine,
) -> (Constraints, bool) {
    let draft = Draft::new(&old.graph, &new.graph, ends, how);
    let covered = draft.covered;
    let (graph, kept) = match (how, &old.kept) {
        (Combine::Join, _) => (draft.closed(), None),
        (Combine::Widen, None) if covered => (draft.closed(), None),
        (Combine::Widen, None) => (draft.repaired().closed(), Some(draft.unclosed())),
        (Combine::Widen, Some(kept)) => {
            let kept = Draft::new(kept, &new.graph, ends, how);
            let graph = if covered {
                draft.closed()
            } else if kept.covered {
                kept.all_lost().repaired().closed()
            } else {
                draft.repaired().closed()
            };
            (graph, Some(kept.unclosed()))
        }
    };
    (Constraints { graph: Arc::new(graph), kept: kept.map(Arc::new) }, covered)
}

/// What a name stands for on one side: `key + offset`.
#[derive(Clone, Debug)]
struct Operand {
    key: Key,
    offset: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A representative or zero.
    Base(Option<Symbol>),
    /// Any other expression, without constant part.
    Sum(Linear),
}

impl Key {
    fn expression(&self) -> Linear {
        match self {
            Self::Base(base) => base.map_or(Linear::zero(), Linear::from),
            Self::Sum(sum) => sum.clone(),
        }
    }
}

impl Graph {
    fn operand(&self, symbol: Symbol, meaning: Option<&Linear>) -> Option<Operand> {
        let Some(meaning) = meaning else {
            let Term { base, offset } = self.term(symbol);
            return Some(Operand { key: Key::Base(base), offset });
        };
        let simple = self.simplified(meaning);
        let constant = simple.constant();
        let key = match (simple.as_constant(), simple.as_offset()) {
            (Some(_), _) => Key::Base(None),
            (_, Some((base, _))) => Key::Base(Some(base)),
            _ => Key::Sum(simple.offset(constant.checked_neg()?)?),
        };
        Some(Operand { key, offset: constant })
    }

    /// The least known bound of `x - y`.
    fn between(&self, x: &Operand, y: &Operand) -> Option<i64> {
        let keys = match (&x.key, &y.key) {
            (Key::Base(x), Key::Base(y)) => self.distance(*x, *y),
            (x, y) => self.upper_bound(&x.expression().sub(&y.expression())?),
        };
        keys?.checked_add(x.offset.checked_sub(y.offset)?)
    }
}

/// A class of the result: names that move together on both sides.
#[derive(Clone, Debug)]
struct Class {
    /// The least name.
    symbol: Symbol,
    old: Operand,
    new: Operand,
}

impl Class {
    fn base(&self, side: Side) -> Option<Symbol> {
        match &self.operand(side).key {
            Key::Base(base) => *base,
            Key::Sum(_) => None,
        }
    }

    fn operand(&self, side: Side) -> &Operand {
        match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        }
    }

    fn is_sum(&self) -> bool {
        [&self.old, &self.new].iter().any(|o| matches!(o.key, Key::Sum(_)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Old,
    New,
}

/// A result in the making, over the indices of its classes, which are in the order of their representatives.
#[derive(Clone, Debug, Default)]
struct Draft {
    classes: Vec<Class>,
    /// Names that are constants or not their own representative.
    names: Vec<(Symbol, Term)>,
    /// Bounds over zero, as in [`Vertex`].
    zero: [Vec<Option<i64>>; 2],
    /// Edges, as in [`Vertex`]; not closed and not pruned.
    edges: [Vec<Vec<(usize, i64)>>; 2],
    /// Bounds of expressions that are no differences. They are sound, not tight, and closing needs all of them.
    sums: Vec<(Option<usize>, Option<usize>, i64)>,
    /// Rows out of which, or into which, something was dropped.
    lost: [Vec<bool>; 2],
    covered: bool,
}

impl Draft {
    fn new(old: &Graph, new: &Graph, ends: &[End<'_>], how: Combine) -> Self {
        let mut draft = Self { covered: true, ..Self::default() };
        draft.classify(old, new, ends);
        let count = draft.classes.len();
        draft.zero = [vec![None; count], vec![None; count]];
        draft.edges = [vec![Vec::new(); count], vec![Vec::new(); count]];
        draft.lost = [vec![false; count], vec![false; count]];
        // A name moves on a side of its range: (class, up or down).
        let mut moved: [Vec<(usize, bool)>; 2] = [Vec::new(), Vec::new()];
        let zero = Operand { key: Key::Base(None), offset: 0 };
        for index in 0..count {
            let class = &draft.classes[index];
            if class.is_sum() {
                continue;
            }
            for way in Way::BOTH {
                let bound = |graph: &Graph, operand| match way {
                    Way::Out => graph.between(operand, &zero),
                    Way::Into => graph.between(&zero, operand),
                };
                let (before, after) = (bound(old, &class.old), bound(new, &class.new));
                let (bound, holds) = kept(before, after, how);
                draft.zero[way as usize][index] = bound;
                draft.lost[way as usize][index] |= !holds;
                draft.covered &= holds;
                if let (Some(before), Some(after)) = (before, after)
                    && before != after
                {
                    moved[way as usize].push((index, (way == Way::Out) == (before < after)));
                }
            }
        }
        for (x, y) in draft.candidates(old, new, &moved) {
            let (from, to) = (&draft.classes[x], &draft.classes[y]);
            let (before, after) = (old.between(&from.old, &to.old), new.between(&from.new, &to.new));
            let (bound, holds) = kept(before, after, how);
            draft.covered &= holds;
            draft.lost[Way::Out as usize][x] |= !holds;
            if let Some(bound) = bound {
                draft.edges[Way::Out as usize][x].push((y, bound));
                draft.edges[Way::Into as usize][y].push((x, bound));
            }
        }
        draft.add_sums(old, new, how);
        draft
    }

    /// Finds the classes of the result.
    fn classify(&mut self, old: &Graph, new: &Graph, ends: &[End<'_>]) {
        let mut named: Vec<Class> = Vec::with_capacity(ends.len());
        for end in ends {
            let symbol = end.symbol;
            let sides = [end.meaning.map(|m| m.0), end.meaning.map(|m| m.1)];
            let (Some(old), Some(new)) = (old.operand(symbol, sides[0]), new.operand(symbol, sides[1]))
            else {
                self.covered = false;
                continue;
            };
            match (&old.key, &new.key) {
                (Key::Base(None), Key::Base(None)) if old.offset == new.offset => {
                    self.names.push((symbol, Term { base: None, offset: old.offset }));
                }
                _ => named.push(Class { symbol, old, new }),
            }
        }
        let gap = |c: &Class| i128::from(c.old.offset) - i128::from(c.new.offset);
        let together =
            |a: &Class, b: &Class| (&a.old.key, &a.new.key, gap(a)).cmp(&(&b.old.key, &b.new.key, gap(b)));
        named.sort_by(|a, b| together(a, b).then(a.symbol.cmp(&b.symbol)));
        let mut classes: Vec<Class> = Vec::new();
        for name in named {
            match classes.last() {
                Some(class) if together(class, &name).is_eq() => {
                    match name.old.offset.checked_sub(class.old.offset) {
                        Some(offset) => {
                            self.names.push((name.symbol, Term { base: Some(class.symbol), offset }))
                        }
                        None => self.covered = false,
                    }
                }
                _ => classes.push(name),
            }
        }
        classes.sort_unstable_by_key(|class| class.symbol);
        self.classes = classes;
    }

    /// The pairs whose bound may be tighter than the bounds of both over zero are.
    fn candidates(&self, old: &Graph, new: &Graph, moved: &[Vec<(usize, bool)>; 2]) -> Vec<(usize, usize)> {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (side, graph) in [(Side::Old, old), (Side::New, new)] {
            let mut by_base: Vec<(Symbol, usize)> = Vec::new();
            for (index, class) in self.classes.iter().enumerate() {
                if let Some(base) = class.base(side)
                    && !class.is_sum()
                {
                    by_base.push((base, index));
                }
            }
            by_base.sort_unstable();
            let all = |base: Symbol| {
                let start = by_base.partition_point(|b| b.0 < base);
                by_base[start..].iter().take_while(move |b| b.0 == base).map(|b| b.1)
            };
            for &(base, x) in &by_base {
                let edges = graph.vertex(base).into_iter().flat_map(|v| v.edges(Way::Out)).map(|e| e.0);
                pairs.extend(std::iter::once(base).chain(edges).flat_map(all).map(|y| (x, y)));
            }
        }
        // upper(x) - lower(y), where both moved up or both moved down.
        for &(x, up) in &moved[Way::Out as usize] {
            pairs.extend(moved[Way::Into as usize].iter().filter(|m| m.1 == up).map(|&(y, _)| (x, y)));
        }
        pairs.retain(|(x, y)| x != y);
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Bounds that involve other expressions than differences.
    fn add_sums(&mut self, old: &Graph, new: &Graph, how: Combine) {
        let zero = Operand { key: Key::Base(None), offset: 0 };
        let sums: Vec<usize> = (0..self.classes.len()).filter(|&i| self.classes[i].is_sum()).collect();
        let everything = || std::iter::once(None).chain((0..self.classes.len()).map(Some));
        let operand = |index: Option<usize>, side| index.map_or(&zero, |i| self.classes[i].operand(side));
        let mut found = Vec::new();
        let mut covered = true;
        for &sum in &sums {
            for other in everything().filter(|&other| other != Some(sum)) {
                // A pair of sums is met from both.
                let both = other.is_some_and(|other| self.classes[other].is_sum());
                let pairs = [(Some(sum), other), (other, Some(sum))];
                for (x, y) in pairs.into_iter().take(if both { 1 } else { 2 }) {
                    let before = old.between(operand(x, Side::Old), operand(y, Side::Old));
                    let after = new.between(operand(x, Side::New), operand(y, Side::New));
                    let (bound, holds) = kept(before, after, how);
                    covered &= holds;
                    found.extend(bound.map(|bound| (x, y, bound)));
                }
            }
        }
        self.covered &= covered;
        self.sums = found;
    }

    /// The same, as if something had been dropped everywhere.
    fn all_lost(&self) -> Self {
        let lost = [vec![true; self.classes.len()], vec![true; self.classes.len()]];
        Self { lost, ..self.clone() }
    }

    /// Finds again what follows from the bounds that stayed, for the rows that lost one. The distance of a pair is exact
    /// unless its own bound was dropped; so each row needs a search only if it lost an edge or the vertex lost a bound.
    fn repaired(&self) -> Self {
        let mut search = Search::new(self.classes.len());
        let mut repaired = self.clone();
        for way in Way::BOTH {
            for start in (0..self.classes.len()).filter(|&i| self.lost[way as usize][i]) {
                for &(other, distance) in search.run(&self.edges[way as usize], start) {
                    repaired.edges[way as usize][start].push((other, distance));
                    repaired.edges[way.back() as usize][other].push((start, distance));
                    let beyond = plus(Some(distance), self.zero[way as usize][other]);
                    let zero = &mut repaired.zero[way as usize][start];
                    *zero = tighter(*zero, beyond);
                }
            }
        }
        repaired
    }

    /// The graph of a closed draft.
    fn closed(&self) -> Graph {
        let mut graph = self.unpruned(&self.zero, &self.edges);
        for &(x, y, bound) in &self.sums {
            let symbol = |index: Option<usize>| index.map(|i| self.classes[i].symbol);
            // Both sides are satisfiable, so what holds on both does not contradict itself.
            let (x, y) = (graph.resolved(symbol(x)), graph.resolved(symbol(y)));
            if let Some(bound) = y.offset.checked_sub(x.offset).and_then(|shift| bound.checked_add(shift))
                && graph.would_learn(x.base, y.base, bound) == Some(true)
            {
                graph.learn(x.base, y.base, bound);
            }
        }
        graph
    }

    /// The inequalities as they are.
    fn unclosed(&self) -> Graph {
        let (mut zero, mut edges) = (self.zero.clone(), self.edges.clone());
        for &(x, y, bound) in &self.sums {
            let put = |known: &mut Option<i64>| *known = tighter(*known, Some(bound));
            match (x, y) {
                (Some(x), Some(y)) => {
                    edges[Way::Out as usize][x].push((y, bound));
                    edges[Way::Into as usize][y].push((x, bound));
                }
                (Some(x), None) => put(&mut zero[Way::Out as usize][x]),
                (None, Some(y)) => put(&mut zero[Way::Into as usize][y]),
                (None, None) => {}
            }
        }
        self.unpruned(&zero, &edges)
    }

    /// Makes the graph, without the edges that follow from bounds over zero.
    fn unpruned(&self, zero: &[Vec<Option<i64>>; 2], edges: &[Vec<Vec<(usize, i64)>>; 2]) -> Graph {
        let mut entries: Vec<(Symbol, Entry)> =
            self.names.iter().map(|&(s, term)| (s, term.into())).collect();
        let mut used: Vec<Symbol> = self.names.iter().filter_map(|(_, term)| term.base).collect();
        used.sort_unstable();
        for (index, class) in self.classes.iter().enumerate() {
            let mut vertex = Vertex::default();
            for way in Way::BOTH {
                let own = zero[way as usize][index];
                vertex.set_zero(way, own);
                let mut row = edges[way as usize][index].clone();
                row.sort_unstable();
                // Of several bounds of one pair the first is the least.
                row.dedup_by_key(|edge| edge.0);
                row.retain(|&(other, bound)| {
                    plus(own, zero[way.back() as usize][other]).is_none_or(|implied| bound < implied)
                });
                let symbol = |index: usize| self.classes[index].symbol;
                vertex.edges_mut(way).extend(row.into_iter().map(|(other, bound)| (symbol(other), bound)));
            }
            if !vertex.is_free() || used.binary_search(&class.symbol).is_ok() {
                entries.push((class.symbol, Entry::Vertex(Arc::new(vertex))));
            }
        }
        Graph::from_entries(entries)
    }
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

/// Shortest paths from one vertex by correcting labels (Bellman and Ford), in memory that is used again.
struct Search {
    distance: Vec<Option<i64>>,
    waiting: Vec<bool>,
    visits: Vec<usize>,
    found: Vec<(usize, i64)>,
}

impl Search {
    fn new(count: usize) -> Self {
        Self {
            distance: vec![None; count],
            waiting: vec![false; count],
            visits: vec![0; count],
            found: Vec::new(),
        }
    }

    /// All other vertices reached, with their distances.
    fn run(&mut self, edges: &[Vec<(usize, i64)>], start: usize) -> &[(usize, i64)] {
        self.found.clear();
        if edges[start].is_empty() {
            return &self.found;
        }
        let mut queue = VecDeque::from([start]);
        let mut reached = vec![start];
        self.distance[start] = Some(0);
        while let Some(vertex) = queue.pop_front() {
            self.waiting[vertex] = false;
            self.visits[vertex] += 1;
            // There is no negative cycle in a satisfiable system; one that was missed because a bound was not representable
            // must not keep us here. Any path is a sound bound.
            if self.visits[vertex] > edges.len() {
                continue;
            }
            for &(next, bound) in &edges[vertex] {
                let Some(path) = plus(self.distance[vertex], Some(bound)) else { continue };
                if self.distance[next].is_some_and(|known| known <= path) {
                    continue;
                }
                if self.distance[next].replace(path).is_none() {
                    reached.push(next);
                }
                if !std::mem::replace(&mut self.waiting[next], true) {
                    queue.push_back(next);
                }
            }
        }
        for vertex in reached {
            let distance = self.distance[vertex].take();
            (self.waiting[vertex], self.visits[vertex]) = (false, 0);
            if vertex != start {
                self.found.extend(distance.map(|distance| (vertex, distance)));
            }
        }
        &self.found
    }
}
