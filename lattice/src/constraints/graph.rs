//! The stored form: classes of equal symbols, and a sparse graph over their representatives.

use std::sync::Arc;

use effort::{spend, spend_on};

use crate::Symbol;

/// `base + offset`, where the base is a representative; without one, the number `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Term {
    pub(super) base: Option<Symbol>,
    pub(super) offset: i64,
}

impl Term {
    pub(super) const ZERO: Self = Self { base: None, offset: 0 };
}

/// A direction to walk the graph in. What is said below of one way holds for the other with all edges turned round, so most
/// algorithms are written once, for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// From `x` to all `y` with a bound of `x - y`.
    Out,
    /// From `y` to all `x` with a bound of `x - y`.
    Into,
}

impl Way {
    pub(super) const BOTH: [Self; 2] = [Self::Out, Self::Into];

    pub(super) fn back(self) -> Self {
        match self {
            Self::Out => Self::Into,
            Self::Into => Self::Out,
        }
    }
}

/// The vertices at the other end, in order, each with the bound of the difference.
pub(super) type Edges = Vec<(Symbol, i64)>;

/// What is known of a representative.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Vertex {
    /// Bounds of `vertex - 0` and of `0 - vertex`.
    zero: [Option<i64>; 2],
    /// Bounds of `vertex - other` and of `other - vertex`, where they say more than the two bounds over zero do.
    edges: [Edges; 2],
}

impl Clone for Vertex {
    fn clone(&self) -> Self {
        spend_on(2 + self.edges.iter().map(Vec::len).sum::<usize>());
        Self { zero: self.zero, edges: self.edges.clone() }
    }
}

impl Vertex {
    pub(super) fn zero(&self, way: Way) -> Option<i64> {
        self.zero[way as usize]
    }

    pub(super) fn set_zero(&mut self, way: Way, bound: Option<i64>) {
        self.zero[way as usize] = bound;
    }

    pub(super) fn edges(&self, way: Way) -> &Edges {
        &self.edges[way as usize]
    }

    pub(super) fn edges_mut(&mut self, way: Way) -> &mut Edges {
        &mut self.edges[way as usize]
    }

    pub(super) fn edge(&self, way: Way, other: Symbol) -> Option<i64> {
        let edges = self.edges(way);
        edges.binary_search_by_key(&other, |e| e.0).ok().map(|i| edges[i].1)
    }

    pub(super) fn set_edge(&mut self, way: Way, other: Symbol, bound: Option<i64>) {
        let edges = self.edges_mut(way);
        match (edges.binary_search_by_key(&other, |e| e.0), bound) {
            (Ok(i), Some(bound)) => edges[i].1 = bound,
            (Err(i), Some(bound)) => edges.insert(i, (other, bound)),
            (Ok(i), None) => {
                edges.remove(i);
            }
            (Err(_), None) => {}
        }
    }

    /// Whether nothing is known of it.
    pub(super) fn is_free(&self) -> bool {
        self.zero == [None, None] && self.edges.iter().all(Vec::is_empty)
    }
}

/// What a symbol is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// A number.
    Constant(i64),
    /// A representative, which has a vertex of its own, plus an offset.
    Copy { of: Symbol, offset: i64 },
    /// Its own representative. Shared with the states that were copied from this one or that it was copied from.
    Vertex(Arc<Vertex>),
}

impl From<Term> for Entry {
    fn from(term: Term) -> Self {
        match term.base {
            None => Self::Constant(term.offset),
            Some(of) => Self::Copy { of, offset: term.offset },
        }
    }
}

/// The stored form of a system. It is a function of the inequalities that follow from the system, however they were learned:
/// the representative of a class is its least symbol, a symbol of which nothing is known has no entry, and an edge that
/// follows from the bounds of its ends is not there.
#[derive(Debug, PartialEq, Eq, Default)]
pub(super) struct Graph {
    /// By symbol.
    entries: Vec<(Symbol, Entry)>,
}

impl Clone for Graph {
    fn clone(&self) -> Self {
        spend_on(self.entries.len());
        Self { entries: self.entries.clone() }
    }
}

/// The sum, when both are known and it is representable.
pub(super) fn plus(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_add(b?)
}

/// The tighter of two bounds.
pub(super) fn tighter(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Graph {
    pub(super) fn from_entries(mut entries: Vec<(Symbol, Entry)>) -> Self {
        entries.sort_unstable_by_key(|e| e.0);
        Self { entries }
    }

    pub(super) fn entries(&self) -> &[(Symbol, Entry)] {
        &self.entries
    }

    pub(super) fn entries_mut(&mut self) -> &mut Vec<(Symbol, Entry)> {
        &mut self.entries
    }

    fn position(&self, symbol: Symbol) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&symbol, |e| e.0)
    }

    pub(super) fn entry(&self, symbol: Symbol) -> Option<&Entry> {
        self.position(symbol).ok().map(|i| &self.entries[i].1)
    }

    pub(super) fn set_entry(&mut self, symbol: Symbol, entry: Entry) {
        match self.position(symbol) {
            Ok(i) => self.entries[i].1 = entry,
            Err(i) => self.entries.insert(i, (symbol, entry)),
        }
    }

    pub(super) fn remove_entry(&mut self, symbol: Symbol) -> Option<Entry> {
        self.position(symbol).ok().map(|i| self.entries.remove(i).1)
    }

    /// The representative of a symbol, and the distance from it.
    pub(super) fn term(&self, symbol: Symbol) -> Term {
        self.look(symbol).0
    }

    pub(super) fn resolved(&self, symbol: Option<Symbol>) -> Term {
        symbol.map_or(Term::ZERO, |symbol| self.term(symbol))
    }

    fn look(&self, symbol: Symbol) -> (Term, Option<&Vertex>) {
        match self.entry(symbol) {
            None => (Term { base: Some(symbol), offset: 0 }, None),
            Some(Entry::Vertex(vertex)) => (Term { base: Some(symbol), offset: 0 }, Some(vertex)),
            Some(&Entry::Constant(value)) => (Term { base: None, offset: value }, None),
            Some(&Entry::Copy { of, offset }) => (Term { base: Some(of), offset }, self.vertex(of)),
        }
    }

    pub(super) fn vertex(&self, symbol: Symbol) -> Option<&Vertex> {
        match self.entry(symbol)? {
            Entry::Vertex(vertex) => Some(vertex),
            _ => None,
        }
    }

    /// The vertex of a representative, which gets one if nothing is known of it yet.
    pub(super) fn vertex_mut(&mut self, symbol: Symbol) -> &mut Vertex {
        let position = self.position(symbol).unwrap_or_else(|position| {
            self.entries.insert(position, (symbol, Entry::Vertex(Arc::default())));
            position
        });
        match &mut self.entries[position].1 {
            Entry::Vertex(vertex) => Arc::make_mut(vertex),
            entry => unreachable!("{symbol:?} is not a representative but {entry:?}"),
        }
    }

    /// Makes room for a representative of which nothing is known yet.
    pub(super) fn ensure_vertex(&mut self, symbol: Symbol) {
        if let Err(position) = self.position(symbol) {
            self.entries.insert(position, (symbol, Entry::Vertex(Arc::default())));
        }
    }

    /// The least known bound of `x - y`; no symbol is zero.
    pub(super) fn bound(&self, x: Option<Symbol>, y: Option<Symbol>) -> Option<i64> {
        spend(1);
        if x == y {
            return Some(0);
        }
        let look = |s: Option<Symbol>| s.map_or((Term::ZERO, None), |s| self.look(s));
        let ((x, from), (y, to)) = (look(x), look(y));
        between(x.base, from, y.base, to)?.checked_add(x.offset.checked_sub(y.offset)?)
    }

    /// The same for two representatives.
    pub(super) fn distance(&self, x: Option<Symbol>, y: Option<Symbol>) -> Option<i64> {
        let vertex = |s: Option<Symbol>| s.and_then(|s| self.vertex(s));
        between(x, vertex(x), y, vertex(y))
    }

    /// The distance of two representatives, going from the first to the second this way.
    pub(super) fn along(&self, way: Way, from: Option<Symbol>, to: Option<Symbol>) -> Option<i64> {
        match way {
            Way::Out => self.distance(from, to),
            Way::Into => self.distance(to, from),
        }
    }

    /// Whether every inequality of another graph holds here. Goes through both in step: most of what two states of one program
    /// say is the same.
    pub(super) fn implies(&self, other: &Self) -> bool {
        let holds = |x: Option<Symbol>, y: Option<Symbol>, bound: i64| {
            self.bound(x, y).is_some_and(|known| known <= bound)
        };
        let equal = |x: Symbol, y: Option<Symbol>, offset: i64| {
            holds(Some(x), y, offset) && offset.checked_neg().is_some_and(|back| holds(y, Some(x), back))
        };
        spend_on(self.entries.len() + other.entries.len());
        let mut here = self.entries.iter().peekable();
        other.entries.iter().all(|&(symbol, ref entry)| {
            while here.next_if(|e| e.0 < symbol).is_some() {}
            let own = here.next_if(|e| e.0 == symbol).map(|e| &e.1);
            match entry {
                entry if own == Some(entry) => true,
                &Entry::Constant(value) => equal(symbol, None, value),
                &Entry::Copy { of, offset } => equal(symbol, Some(of), offset),
                Entry::Vertex(vertex) => {
                    let mut row: &[(Symbol, i64)] = match own {
                        Some(Entry::Vertex(own)) => own.edges(Way::Out),
                        _ => &[],
                    };
                    vertex.zero(Way::Out).is_none_or(|bound| holds(Some(symbol), None, bound))
                        && vertex.zero(Way::Into).is_none_or(|bound| holds(None, Some(symbol), bound))
                        && vertex.edges(Way::Out).iter().all(|&(y, bound)| {
                            let passed = row.iter().take_while(|e| e.0 < y).count();
                            row = &row[passed..];
                            let known = row.first().filter(|e| e.0 == y);
                            known.is_some_and(|e| e.1 <= bound) || holds(Some(symbol), Some(y), bound)
                        })
                }
            }
        })
    }

    /// Takes a vertex out of the rows of its neighbours, and returns it.
    pub(super) fn unlink(&mut self, symbol: Symbol) -> Arc<Vertex> {
        let Ok(position) = self.position(symbol) else { return Arc::default() };
        let Entry::Vertex(vertex) = &mut self.entries[position].1 else { return Arc::default() };
        let vertex = std::mem::take(vertex);
        for way in Way::BOTH {
            for &(other, _) in vertex.edges(way) {
                self.vertex_mut(other).set_edge(way.back(), symbol, None);
            }
        }
        vertex
    }

    /// The other members of the class of a representative, with their distance from it, by symbol.
    pub(super) fn copies(&self, representative: Symbol) -> impl Iterator<Item = (Symbol, i64)> + '_ {
        self.entries.iter().filter_map(move |&(symbol, ref entry)| match *entry {
            Entry::Copy { of, offset } if of == representative => Some((symbol, offset)),
            _ => None,
        })
    }

    /// Drops a representative that stands for nothing: it has no facts and no copies.
    pub(super) fn tidy(&mut self, symbol: Symbol) {
        if self.vertex(symbol).is_some_and(Vertex::is_free) && self.copies(symbol).next().is_none() {
            self.remove_entry(symbol);
        }
    }

    /// Drops the edges of a vertex that follow from the bounds of both ends.
    pub(super) fn prune(&mut self, symbol: Symbol, way: Way) {
        let Some(vertex) = self.vertex(symbol) else { return };
        let Some(own) = vertex.zero(way) else { return };
        let follows = |&&(other, bound): &&(Symbol, i64)| {
            let rest = self.vertex(other).and_then(|other| other.zero(way.back()));
            plus(Some(own), rest).is_some_and(|implied| implied <= bound)
        };
        let gone: Vec<Symbol> = vertex.edges(way).iter().filter(follows).map(|e| e.0).collect();
        if gone.is_empty() {
            return;
        }
        self.vertex_mut(symbol).edges_mut(way).retain(|e| gone.binary_search(&e.0).is_err());
        for other in gone {
            self.vertex_mut(other).set_edge(way.back(), symbol, None);
        }
    }
}

/// The distance of two representatives, given their vertices.
fn between(x: Option<Symbol>, from: Option<&Vertex>, y: Option<Symbol>, to: Option<&Vertex>) -> Option<i64> {
    match (x, y) {
        _ if x == y => Some(0),
        (Some(_), None) => from?.zero(Way::Out),
        (None, Some(_)) => to?.zero(Way::Into),
        (Some(_), Some(y)) => {
            let (from, to) = (from?, to?);
            tighter(from.edge(Way::Out, y), plus(from.zero(Way::Out), to.zero(Way::Into)))
        }
        (None, None) => Some(0),
    }
}
