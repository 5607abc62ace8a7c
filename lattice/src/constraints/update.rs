//! Operations that rename, move, drop or duplicate symbols. None of them needs a closure: each maps a closed graph to a closed
//! graph.

use std::collections::BTreeMap;
use std::sync::Arc;

use effort::spend_on;

use super::graph::{Entry, Graph, Term, Vertex, Way, plus, tighter};
use crate::Symbol;

impl Graph {
    /// Drops what is said about a symbol. The graph is closed, so what followed from it about others is there.
    pub(super) fn forget(&mut self, symbol: Symbol) {
        match self.entry(symbol) {
            None => {}
            Some(Entry::Constant(_)) => {
                self.remove_entry(symbol);
            }
            Some(&Entry::Copy { of, .. }) => {
                self.remove_entry(symbol);
                self.tidy(of);
            }
            Some(Entry::Vertex(_)) => {
                let heir = self.copies(symbol).next();
                if let Some((next, offset)) = heir {
                    self.rebase(symbol, next, offset.checked_neg(), false);
                    self.tidy(next);
                    return;
                }
                let vertex = self.unlink(symbol);
                self.remove_entry(symbol);
                for way in Way::BOTH {
                    for &(other, _) in vertex.edges(way) {
                        self.tidy(other);
                    }
                }
            }
        }
    }

    /// Drops what is said about symbols that `keep` rejects.
    pub(super) fn retain(&mut self, keep: impl Fn(Symbol) -> bool) {
        spend_on(self.entries().len());
        let gone: Vec<Symbol> = self.entries().iter().map(|e| e.0).filter(|&s| !keep(s)).collect();
        if gone.is_empty() {
            return;
        }
        // Names go at once; rows one by one.
        let mut bases: Vec<Symbol> = Vec::new();
        self.entries_mut().retain(|(symbol, entry)| {
            let named = match entry {
                Entry::Vertex(_) => return true,
                Entry::Constant(_) => None,
                Entry::Copy { of, .. } => Some(*of),
            };
            let stays = gone.binary_search(symbol).is_err();
            if !stays {
                bases.extend(named);
            }
            stays
        });
        for symbol in gone {
            self.forget(symbol);
        }
        for base in bases {
            self.tidy(base);
        }
    }

    /// Adds a symbol of which nothing is known as another name of a term.
    pub(super) fn add_copy(&mut self, symbol: Symbol, term: Term) {
        self.set_entry(symbol, term.into());
        if let Some(base) = term.base {
            self.ensure_vertex(base);
            // The least symbol represents the class.
            if symbol < base {
                self.rebase(base, symbol, term.offset.checked_neg(), true);
            }
        }
    }

    /// Makes `x` what `x + by` was: the transfer function of `x = x + by`.
    pub(super) fn shift(&mut self, symbol: Symbol, by: i64) {
        let moved = match self.entry(symbol) {
            None => return,
            Some(Entry::Vertex(_)) => return self.rebase(symbol, symbol, by.checked_neg(), false),
            Some(&Entry::Constant(value)) => value.checked_add(by).map(Entry::Constant),
            Some(&Entry::Copy { of, offset }) => {
                offset.checked_add(by).map(|offset| Entry::Copy { of, offset })
            }
        };
        match moved {
            Some(entry) => self.set_entry(symbol, entry),
            None => self.forget(symbol),
        }
    }

    /// Makes `new` the representative of the class of `old`, where `old = new + shift`; `old` stays as a copy or goes. The two
    /// may be one symbol, that moves. What is not representable afterwards is dropped.
    fn rebase(&mut self, old: Symbol, new: Symbol, shift: Option<i64>, keep: bool) {
        let vertex = self.unlink(old);
        let Some(shift) = shift else {
            self.entries_mut().retain(|(symbol, entry)| {
                *symbol != old && !matches!(entry, Entry::Copy { of, .. } if *of == old)
            });
            return;
        };
        // Bounds of old - other become bounds of new - other.
        let shifted = |way: Way, bound: i64| match way {
            Way::Out => bound.checked_sub(shift),
            Way::Into => bound.checked_add(shift),
        };
        let mut moved = Vertex::default();
        for way in Way::BOTH {
            moved.set_zero(way, vertex.zero(way).and_then(|bound| shifted(way, bound)));
            for &(other, bound) in vertex.edges(way) {
                if let Some(bound) = shifted(way, bound) {
                    moved.edges_mut(way).push((other, bound));
                    self.vertex_mut(other).set_edge(way.back(), new, Some(bound));
                }
            }
        }
        spend_on(self.entries().len());
        self.entries_mut().retain_mut(|(symbol, entry)| {
            let offset = match *entry {
                _ if *symbol == new => return true,
                Entry::Copy { of, offset } if of == old => offset.checked_add(shift),
                Entry::Vertex(_) if *symbol == old => Some(shift).filter(|_| keep),
                _ => return true,
            };
            if let Some(offset) = offset {
                *entry = Entry::Copy { of: new, offset };
            }
            offset.is_some()
        });
        self.set_entry(new, Entry::Vertex(Arc::new(moved)));
    }

    /// Says of the symbols `to` what is said of the symbols `from`; pairs are sorted by `from`, and nothing is known of any `to`.
    ///
    /// With `C` the graph, the result is `C and C[from := to]`. Each of the two is closed; a path between them passes over
    /// symbols outside of `from`, and in a shortest one over a single one.
    pub(super) fn duplicate(&mut self, names: &[(Symbol, Symbol)]) {
        let inside = |s: Symbol| names.binary_search_by_key(&s, |n| n.0).is_ok();
        // Classes that `from` covers as a whole get a twin; others get new members.
        let mut twins: BTreeMap<Symbol, Vec<(Symbol, i64)>> = BTreeMap::new();
        let mut members: Vec<(Symbol, Term)> = Vec::new();
        for &(from, to) in names {
            let term = self.term(from);
            match term.base {
                Some(_) if self.entry(from).is_none() => {}
                Some(base) if inside(base) && self.copies(base).all(|c| inside(c.0)) => {
                    twins.entry(base).or_default().push((to, term.offset));
                }
                _ => members.push((to, term)),
            }
        }
        // The twin of a base is `twin - shift`; what cannot be represented is not said.
        let twins: BTreeMap<Symbol, (Symbol, i64)> = twins
            .into_iter()
            .filter_map(|(base, mut class)| {
                class.sort_unstable();
                let &(twin, shift) = class.first()?;
                let rest = class.iter().skip(1);
                members.extend(rest.filter_map(|&(to, offset)| {
                    Some((to, Term { base: Some(twin), offset: offset.checked_sub(shift)? }))
                }));
                Some((base, (twin, shift)))
            })
            .collect();
        let mut vertices: Vec<(Symbol, Vertex)> = Vec::new();
        let mut edges: BTreeMap<(Symbol, Symbol), i64> = BTreeMap::new();
        let mut learn = |x: Symbol, y: Symbol, bound: Option<i64>| {
            if let Some(bound) = bound {
                let known = edges.entry((x, y)).or_insert(bound);
                *known = bound.min(*known);
            }
        };
        for (&x, &(x_twin, x_shift)) in &twins {
            let Some(vertex) = self.vertex(x) else { continue };
            let mut twin = Vertex::default();
            twin.set_zero(Way::Out, plus(vertex.zero(Way::Out), Some(x_shift)));
            twin.set_zero(Way::Into, vertex.zero(Way::Into).and_then(|bound| bound.checked_sub(x_shift)));
            vertices.push((x_twin, twin));
            for &(y, bound) in vertex.edges(Way::Out) {
                let from_twin = bound.checked_add(x_shift);
                if let Some(&(y_twin, y_shift)) = twins.get(&y) {
                    learn(x_twin, y_twin, from_twin.and_then(|b| b.checked_sub(y_shift)));
                    continue;
                }
                learn(x_twin, y, from_twin);
                // On to what is inside: the one is the original and the other the twin.
                for &(z, rest) in self.vertex(y).map_or(&[][..], |y| y.edges(Way::Out)) {
                    if let Some(&(z_twin, z_shift)) = twins.get(&z) {
                        let path = bound.checked_add(rest);
                        learn(x, z_twin, path.and_then(|path| path.checked_sub(z_shift)));
                        learn(x_twin, z, path.and_then(|path| path.checked_add(x_shift)));
                    }
                }
            }
            for &(y, bound) in vertex.edges(Way::Into) {
                if !twins.contains_key(&y) {
                    learn(y, x_twin, bound.checked_sub(x_shift));
                }
            }
        }
        for (twin, vertex) in vertices {
            self.set_entry(twin, Entry::Vertex(Arc::new(vertex)));
        }
        for (to, term) in members {
            // A name before this one may represent the class now.
            let base = self.resolved(term.base);
            if let Some(offset) = base.offset.checked_add(term.offset) {
                self.add_copy(to, Term { offset, ..base });
            }
        }
        self.put_edges(edges);
    }

    /// Records bounds between representatives as they are, except those that follow from bounds over zero.
    fn put_edges(&mut self, edges: BTreeMap<(Symbol, Symbol), i64>) {
        for ((x, y), bound) in edges {
            // A member that is less than its class may have become its representative.
            let (x, y) = (self.term(x), self.term(y));
            let (Some(from), Some(to)) = (x.base, y.base) else { continue };
            if from == to {
                continue;
            }
            let shift = y.offset.checked_sub(x.offset);
            let Some(bound) = plus(Some(bound), shift) else { continue };
            let zero = |s: Symbol, way| self.vertex(s).and_then(|v| v.zero(way));
            let implied = plus(zero(from, Way::Out), zero(to, Way::Into));
            let known = self.vertex(from).and_then(|v| v.edge(Way::Out, to));
            if tighter(implied, known).is_none_or(|known| bound < known) {
                self.vertex_mut(from).set_edge(Way::Out, to, Some(bound));
                self.vertex_mut(to).set_edge(Way::Into, from, Some(bound));
            }
        }
    }
}
