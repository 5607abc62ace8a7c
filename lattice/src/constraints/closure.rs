//! Incremental closure: what follows from one new inequality.
//!
//! Write `d(x, y)` for the least known bound of `x - y`. In a closed graph `d(i, j) <= d(i, k) + d(k, j)` for all `k`, zero
//! included. A new inequality `p - q <= c` with `d(q, p) + c >= 0` keeps the system satisfiable, and every new shortest path
//! uses the new edge once: `d'(i, j) = min(d(i, j), d(i, p) + c + d(q, j))` (Cotton and Maler 2006). It improves on the old
//! one only where `i` gets nearer to `q` and `j` to `p`, so only those rows are looked at.
//!
//! Paths over zero are not stored as edges (the split normal form of Gange et al. 2016): `d(x, y)` is the edge of the pair
//! or the sum of the two bounds, whichever is tighter. That form is kept: if `d(i, p)` is the way over zero, the new path
//! `i, 0, p, q, j` is the old bound of `i` followed by the new bound of `j`, which is recorded as such.

use effort::spend_on;

use super::graph::{Edges, Entry, Graph, Term, Way, plus};
use crate::Symbol;

/// A vertex from which the new edge is reached, or that is reached by it.
struct Reach {
    symbol: Symbol,
    /// Distance to the near end of the new edge.
    distance: i64,
    /// Its bound over zero, in the direction of the new edge, after the change.
    zero: Option<i64>,
}

impl Graph {
    /// Whether `x - y <= bound` is news; `None` when it contradicts what is known. Both are representatives.
    pub(super) fn would_learn(&self, x: Option<Symbol>, y: Option<Symbol>, bound: i64) -> Option<bool> {
        if self.distance(x, y).is_some_and(|known| known <= bound) {
            return Some(false);
        }
        match self.distance(y, x) {
            // In 128 bits the sum is exact.
            Some(back) if i128::from(back) + i128::from(bound) < 0 => None,
            _ => Some(true),
        }
    }

    /// Learns `x - y <= bound` about representatives, which [`Self::would_learn`] said is news.
    pub(super) fn learn(&mut self, x: Option<Symbol>, y: Option<Symbol>, bound: i64) {
        let class = self.cycle(x, y, bound);
        self.insert(x, y, bound);
        if !class.is_empty() {
            self.collapse(&class);
        }
    }

    fn insert(&mut self, p: Option<Symbol>, q: Option<Symbol>, bound: i64) {
        let mut sources = self.reach(p, q, Way::Into, bound);
        let mut targets = self.reach(q, p, Way::Out, bound);
        self.lower_zero(&mut sources, q, Way::Into, bound);
        self.lower_zero(&mut targets, p, Way::Out, bound);
        spend_on(2 * sources.len() * targets.len());
        let mut better: Edges = Vec::with_capacity(sources.len().max(targets.len()));
        for (from, to, way) in [(&sources, &targets, Way::Out), (&targets, &sources, Way::Into)] {
            for one in from {
                let vertex = self.vertex(one.symbol);
                let through = i128::from(one.distance) + i128::from(bound);
                better.extend(to.iter().filter_map(|other| {
                    // In 128 bits both passes see the same sum.
                    let path = i64::try_from(through + i128::from(other.distance)).ok()?;
                    let follows = plus(one.zero, other.zero).is_some_and(|implied| implied <= path);
                    let known = vertex.and_then(|v| v.edge(way, other.symbol));
                    let news =
                        one.symbol != other.symbol && !follows && known.is_none_or(|known| path < known);
                    news.then_some((other.symbol, path))
                }));
                self.lower(one.symbol, way, &better);
                better.clear();
            }
        }
    }

    /// The vertices that get nearer to the far end of the new edge, by symbol. `way` leads away from the near end.
    fn reach(&self, near: Option<Symbol>, far: Option<Symbol>, way: Way, bound: i64) -> Vec<Reach> {
        let Some(near) = near else { return Vec::new() };
        let gains = |&(symbol, distance): &(Symbol, i64)| {
            let now = self.along(way, far, Some(symbol));
            distance.checked_add(bound).is_some_and(|path| now.is_none_or(|now| path < now))
        };
        let edges: &[_] = self.vertex(near).map_or(&[], |v| v.edges(way));
        spend_on(1 + edges.len());
        let (before, after) = edges.split_at(edges.partition_point(|e| e.0 < near));
        let all = before.iter().copied().chain([(near, 0)]).chain(after.iter().copied());
        all.filter(gains).map(|(symbol, distance)| Reach { symbol, distance, zero: None }).collect()
    }

    /// Passes the bound of the far end on to the vertices that reach it now.
    fn lower_zero(&mut self, reached: &mut [Reach], far: Option<Symbol>, way: Way, bound: i64) {
        let beyond = plus(self.along(way.back(), far, None), Some(bound));
        for one in reached {
            let known = self.vertex(one.symbol).and_then(|v| v.zero(way.back()));
            let path = plus(beyond, Some(one.distance));
            one.zero = known;
            if let Some(path) = path
                && known.is_none_or(|known| path < known)
            {
                one.zero = Some(path);
                self.vertex_mut(one.symbol).set_zero(way.back(), Some(path));
                self.prune(one.symbol, way.back());
            }
        }
    }

    /// Puts better bounds into a row.
    fn lower(&mut self, symbol: Symbol, way: Way, better: &[(Symbol, i64)]) {
        match better {
            [] => {}
            &[(other, bound)] => self.vertex_mut(symbol).set_edge(way, other, Some(bound)),
            _ => {
                let row = self.vertex_mut(symbol).edges_mut(way);
                let mut merged: Edges = Vec::with_capacity(row.len() + better.len());
                let mut old = row.iter().copied().peekable();
                for &(other, bound) in better {
                    while let Some(edge) = old.next_if(|e| e.0 < other) {
                        merged.push(edge);
                    }
                    old.next_if(|e| e.0 == other);
                    merged.push((other, bound));
                }
                merged.extend(old);
                *row = merged;
            }
        }
    }

    /// The symbols that a new edge makes equal up to a constant, by symbol, each with the term that it becomes (or nothing,
    /// when its offset is not representable): those on a cycle of weight zero through the edge. A system without such cycles
    /// gets them only through the edge itself.
    fn cycle(&self, p: Option<Symbol>, q: Option<Symbol>, bound: i64) -> Vec<(Symbol, Option<Term>)> {
        let Some(back) = self.distance(q, p) else { return Vec::new() };
        if plus(Some(back), Some(bound)) != Some(0) {
            return Vec::new();
        }
        // On a way from q to p over zero nothing but p, q and zero is new: what comes between has an edge to p or from q.
        let edges = |end: Option<Symbol>, way| {
            let vertex = end.and_then(|s| self.vertex(s));
            vertex.into_iter().flat_map(move |v| v.edges(way)).map(|e| Some(e.0))
        };
        let mut on_cycle: Vec<(Option<Symbol>, i64)> = [p, q, None]
            .into_iter()
            .chain(edges(q, Way::Out))
            .chain(edges(p, Way::Into))
            .filter_map(|v| {
                let there = self.distance(q, v)?;
                (plus(Some(there), self.distance(v, p)) == Some(back)).then_some((v, there))
            })
            .collect();
        on_cycle.sort_unstable();
        on_cycle.dedup();
        // The first is zero or the least symbol. q - v = d(q, v) for all of them.
        let Some(&(base, first)) = on_cycle.first() else { return Vec::new() };
        on_cycle
            .into_iter()
            .filter_map(|(v, there)| {
                let term = first.checked_sub(there).map(|offset| Term { base, offset });
                Some((v?, term))
            })
            .collect()
    }

    /// Makes one class of symbols whose distances are exact already: all but the representative give up their rows.
    fn collapse(&mut self, class: &[(Symbol, Option<Term>)]) {
        let joins = |symbol: Symbol| class.binary_search_by_key(&symbol, |c| c.0).ok().map(|i| class[i].1);
        let stays = |symbol: Symbol| joins(symbol).flatten().is_some_and(|term| term.base == Some(symbol));
        for &(symbol, _) in class {
            if !stays(symbol) {
                self.unlink(symbol);
            }
        }
        spend_on(self.entries().len());
        self.entries_mut().retain_mut(|(symbol, entry)| {
            let (of, offset) = match *entry {
                Entry::Constant(_) => return true,
                Entry::Copy { of, offset } => (of, offset),
                Entry::Vertex(_) => (*symbol, 0),
            };
            let Some(term) = joins(of) else { return true };
            if stays(of) {
                return true;
            }
            let offset = plus(term.map(|t| t.offset), Some(offset));
            let term = term.zip(offset).map(|(term, offset)| Term { offset, ..term });
            if let Some(term) = term {
                *entry = term.into();
            }
            term.is_some()
        });
    }
}
