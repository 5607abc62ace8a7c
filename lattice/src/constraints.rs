//! The constraint graph: a conjunction of inequalities `x - y <= c` over symbols (paper section VII.A).
//!
//! Vertices are symbols and a zero; the weight of the edge `y -> x` is the least known `c` with `x - y <= c`. The graph is
//! kept transitively closed at all times by incremental closure, O(n²) for one new inequality, so that a query is one look-up.
//! Over the integers a closed, consistent system of differences is also tight: every bound it states is attained.

use std::collections::BTreeMap;

use crate::{Linear, Symbol};

/// A satisfiable conjunction of difference constraints. Symbols it does not mention are unconstrained.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Constraints {
    /// Vertex of each symbol; vertex 0 is the zero.
    vertices: BTreeMap<Symbol, usize>,
    /// `bounds[x][y]`: least known upper bound of `x - y`.
    bounds: Vec<Vec<Option<i64>>>,
}

/// What is known about a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds in every state described.
    Yes,
    /// It fails in every state described.
    No,
    /// Neither is proved.
    Open,
}

impl Constraints {
    /// No constraint at all.
    #[must_use]
    pub fn new() -> Self {
        Self { vertices: BTreeMap::new(), bounds: vec![vec![Some(0)]] }
    }

    /// The symbols mentioned, in order.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.vertices.keys().copied()
    }

    /// Adds `expression <= 0`. Returns `None` when the system becomes unsatisfiable, and `Some(false)` when the expression
    /// has no form `x - y + c` and the system is unchanged (a sound, weaker description).
    #[must_use]
    pub fn assume_nonpositive(&mut self, expression: &Linear) -> Option<bool> {
        if let Some(upper) = self.upper_bound(expression)
            && upper <= 0
        {
            return Some(true);
        }
        if let Some(lower) = self.lower_bound(expression)
            && lower > 0
        {
            return None;
        }
        let Some((x, y, constant)) = difference(expression) else { return Some(false) };
        let (x, y) = (self.vertex(x), self.vertex(y));
        // x - y <= -constant
        let Some(bound) = constant.checked_neg() else { return Some(false) };
        self.tighten(x, y, bound)
    }

    /// Whether an inequality `expression <= 0` has the form that the graph can hold: `x - y + c`.
    #[must_use]
    pub fn can_express(expression: &Linear) -> bool {
        difference(expression).is_some()
    }

    /// Adds `left <= right`, see [`Self::assume_nonpositive`].
    #[must_use]
    pub fn assume_le(&mut self, left: &Linear, right: &Linear) -> Option<bool> {
        match left.sub(right) {
            Some(difference) => self.assume_nonpositive(&difference),
            None => Some(false),
        }
    }

    /// Adds `left == right`, see [`Self::assume_nonpositive`].
    #[must_use]
    pub fn assume_eq(&mut self, left: &Linear, right: &Linear) -> Option<bool> {
        Some(self.assume_le(left, right)? & self.assume_le(right, left)?)
    }

    /// An upper bound of an expression; `None` when none is known. It is the least one for expressions `x - y + c`.
    #[must_use]
    pub fn upper_bound(&self, expression: &Linear) -> Option<i64> {
        if let Some((x, y, constant)) = difference(expression) {
            return self.difference_bound(x, y)?.checked_add(constant);
        }
        // Pair terms of opposite sign greedily; each unit of a positive coefficient meets the first negative one that has
        // a bound, and what is left over meets zero. Any pairing gives a sound bound.
        let mut negative: Vec<(Symbol, i64)> = expression
            .terms()
            .filter(|t| t.1 < 0)
            .map(|(s, k)| Some((s, k.checked_neg()?)))
            .collect::<Option<_>>()?;
        let mut sum = expression.constant();
        for (symbol, mut amount) in expression.terms().filter(|t| t.1 > 0) {
            for (other, available) in &mut negative {
                let share = amount.min(*available);
                if share == 0 {
                    continue;
                }
                if let Some(bound) = self.difference_bound(Some(symbol), Some(*other)) {
                    sum = sum.checked_add(bound.checked_mul(share)?)?;
                    amount -= share;
                    *available -= share;
                }
            }
            if amount > 0 {
                sum = sum.checked_add(self.difference_bound(Some(symbol), None)?.checked_mul(amount)?)?;
            }
        }
        for (symbol, amount) in negative {
            if amount > 0 {
                sum = sum.checked_add(self.difference_bound(None, Some(symbol))?.checked_mul(amount)?)?;
            }
        }
        Some(sum)
    }

    /// A lower bound of an expression, see [`Self::upper_bound`].
    #[must_use]
    pub fn lower_bound(&self, expression: &Linear) -> Option<i64> {
        self.upper_bound(&expression.scale(-1)?)?.checked_neg()
    }

    /// Whether `left <= right`.
    #[must_use]
    pub fn le(&self, left: &Linear, right: &Linear) -> Truth {
        let Some(difference) = left.sub(right) else { return Truth::Open };
        if self.upper_bound(&difference).is_some_and(|upper| upper <= 0) {
            Truth::Yes
        } else if self.lower_bound(&difference).is_some_and(|lower| lower > 0) {
            Truth::No
        } else {
            Truth::Open
        }
    }

    /// Whether `left == right`.
    #[must_use]
    pub fn eq(&self, left: &Linear, right: &Linear) -> Truth {
        match (self.le(left, right), self.le(right, left)) {
            (Truth::Yes, Truth::Yes) => Truth::Yes,
            (Truth::No, _) | (_, Truth::No) => Truth::No,
            _ => Truth::Open,
        }
    }

    /// The constant value of an expression, if it has only one.
    #[must_use]
    pub fn constant(&self, expression: &Linear) -> Option<i64> {
        if let Some(constant) = expression.as_constant() {
            return Some(constant);
        }
        let upper = self.upper_bound(expression)?;
        (self.lower_bound(expression)? == upper).then_some(upper)
    }

    /// An expression equal to `symbol` over symbols that `wanted` accepts, `wanted + c` or a constant.
    #[must_use]
    pub fn equal_offset(&self, symbol: Symbol, wanted: impl Fn(Symbol) -> bool) -> Option<Linear> {
        let x = *self.vertices.get(&symbol)?;
        let exact = |y: usize| {
            let upper = self.bounds[x][y]?;
            (self.bounds[y][x]?.checked_neg()? == upper).then_some(upper)
        };
        if let Some(constant) = exact(0) {
            return Some(constant.into());
        }
        self.vertices
            .iter()
            .filter(|&(&other, _)| other != symbol && wanted(other))
            .find_map(|(&other, &y)| Linear::from(other).offset(exact(y)?))
    }

    /// Drops everything said about a symbol; what followed from it about others stays.
    pub fn forget(&mut self, symbol: Symbol) {
        let Some(gone) = self.vertices.remove(&symbol) else { return };
        self.bounds.swap_remove(gone);
        for row in &mut self.bounds {
            row.swap_remove(gone);
        }
        // The last vertex took the place of the one that went.
        let moved = self.bounds.len();
        for vertex in self.vertices.values_mut() {
            if *vertex == moved {
                *vertex = gone;
            }
        }
    }

    /// Drops everything about symbols that `keep` rejects.
    pub fn retain(&mut self, keep: impl Fn(Symbol) -> bool) {
        let gone: Vec<Symbol> = self.symbols().filter(|&s| !keep(s)).collect();
        for symbol in gone {
            self.forget(symbol);
        }
    }

    /// Whether both say the same, whatever the order in which it was learned.
    #[must_use]
    pub fn equivalent(&self, other: &Self) -> bool {
        self.implies(other) && other.implies(self)
    }

    /// Whether every inequality of `other` holds here.
    #[must_use]
    pub fn implies(&self, other: &Self) -> bool {
        other
            .inequalities()
            .all(|(x, y, bound)| x == y || self.difference_bound(x, y).is_some_and(|here| here <= bound))
    }

    /// All known inequalities `x - y <= bound`; `None` is zero.
    pub fn inequalities(&self) -> impl Iterator<Item = (Option<Symbol>, Option<Symbol>, i64)> + '_ {
        let ends = || std::iter::once((None, 0)).chain(self.vertices.iter().map(|(&s, &v)| (Some(s), v)));
        ends().flat_map(move |(x, vx)| {
            ends().filter_map(move |(y, vy)| (vx != vy).then(|| self.bounds[vx][vy].map(|b| (x, y, b)))?)
        })
    }

    fn difference_bound(&self, x: Option<Symbol>, y: Option<Symbol>) -> Option<i64> {
        if x == y {
            return Some(0);
        }
        let vertex = |s: Option<Symbol>| s.map_or(Some(0), |s| self.vertices.get(&s).copied());
        self.bounds[vertex(x)?][vertex(y)?]
    }

    fn vertex(&mut self, symbol: Option<Symbol>) -> usize {
        let Some(symbol) = symbol else { return 0 };
        debug_assert_ne!(symbol, Symbol::RANK, "the rank belongs to a set, not to the state");
        if let Some(&vertex) = self.vertices.get(&symbol) {
            return vertex;
        }
        let vertex = self.bounds.len();
        for row in &mut self.bounds {
            row.push(None);
        }
        self.bounds.push(vec![None; vertex + 1]);
        self.bounds[vertex][vertex] = Some(0);
        self.vertices.insert(symbol, vertex);
        vertex
    }

    /// Learns `x - y <= bound` and closes; `None` when that contradicts what is known.
    fn tighten(&mut self, x: usize, y: usize, bound: i64) -> Option<bool> {
        if x == y {
            return (0 <= bound).then_some(true);
        }
        if self.bounds[x][y].is_some_and(|known| known <= bound) {
            return Some(true);
        }
        if let Some(back) = self.bounds[y][x]
            && back.checked_add(bound).is_some_and(|cycle| cycle < 0)
        {
            return None;
        }
        let n = self.bounds.len();
        let from_y: Vec<Option<i64>> = self.bounds[y].clone();
        for i in 0..n {
            let Some(to_x) = self.bounds[i][x] else { continue };
            let Some(through) = to_x.checked_add(bound) else { continue };
            for (j, tail) in from_y.iter().enumerate() {
                let Some(path) = tail.and_then(|tail| through.checked_add(tail)) else { continue };
                let known = &mut self.bounds[i][j];
                if known.is_none_or(|k| path < k) {
                    *known = Some(path);
                }
            }
        }
        Some(true)
    }
}

/// `(x, y, c)` of an expression `x - y + c` where either symbol may be missing.
fn difference(expression: &Linear) -> Option<(Option<Symbol>, Option<Symbol>, i64)> {
    let mut terms = expression.terms();
    let constant = expression.constant();
    match (terms.next(), terms.next(), terms.next()) {
        (None, ..) => Some((None, None, constant)),
        (Some((x, 1)), None, _) => Some((Some(x), None, constant)),
        (Some((y, -1)), None, _) => Some((None, Some(y), constant)),
        (Some((x, 1)), Some((y, -1)), None) | (Some((y, -1)), Some((x, 1)), None) => {
            Some((Some(x), Some(y), constant))
        }
        _ => None,
    }
}
