//! The constraint graph: a conjunction of inequalities `x - y <= c` over symbols (paper section VII.A).
//!
//! Vertices are symbols and a zero; the weight of the edge from `x` to `y` is the least known `c` with `x - y <= c`. The graph
//! is transitively closed at all times, so that a query is a look-up. Closure is incremental: one new inequality costs the
//! product of the numbers of vertices that get nearer to its two ends; nothing else computes one, but for the rows that a
//! widening has torn. Over the integers a closed, satisfiable system of differences is also **tight**: every bound it states
//! is attained by a solution (the shortest distances to a vertex are themselves a solution, and integers if the bounds are).
//!
//! Storage is sparse.
//!
//! * Symbols that are equal up to a constant form a class, the *equal-expression set* of the paper: one of them, the least,
//!   represents it, and the others are its name and an offset. Constants are the class of zero. Two hundred variables of which
//!   all but ten are constants or copies cost ten vertices.
//! * Bounds over zero, that is ranges, are kept with the vertex, and a pair has an edge only if that says more than the two
//!   ranges do: the split normal form of Gange, Navas, Schachte, Søndergaard and Stuckey, *Exploiting sparsity in
//!   difference-bound matrices* (SAS 2016). Symbols that are unrelated have no edges.
//! * A copy shares everything with its original until one of them learns something, and then all but the rows that change.
//!
//! What is no difference is kept beside the graph, in a list of its own.
//!
//! A *namespace* of the paper is a set of symbols: each process set has symbols of its own, and when one splits,
//! [`Constraints::duplicate`] says of the new names what is known of the old.

mod balance;
mod bounds;
mod closure;
mod combine;
mod draft;
mod graph;
mod products;
mod repair;
mod sums;
mod update;

use std::sync::Arc;

use effort::spend;

use crate::unify::Combine;
use crate::{Linear, Symbol};
use bounds::{difference, difference_of, tightened};
pub(crate) use combine::{End, combine};
use graph::{Entry, Graph, Way};
use sums::Sums;

/// A satisfiable conjunction of difference constraints, and of a few other linear inequalities. Symbols it does not mention are
/// unconstrained.
///
/// A bound that would leave 64 bits is not kept: the description gets weaker, and stays sound. Answers about differences are
/// exact as long as there are differences only; other inequalities make some answers better, but not all that follow from them.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// Closed.
    graph: Arc<Graph>,
    /// After a widening what it kept, not closed; the next widening starts from this, see [`combine`].
    kept: Option<Arc<Graph>>,
    /// What is no difference.
    sums: Arc<Sums>,
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

/// What a graph stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Symbols mentioned.
    pub symbols: usize,
    /// Representatives: classes of symbols that are equal up to a constant, without the class of the constants.
    pub vertices: usize,
    /// Ordered pairs of representatives with a bound of their own.
    pub edges: usize,
}

/// Equal when the same differences follow, and the other inequalities are the same.
impl PartialEq for Constraints {
    fn eq(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.graph, &other.graph) || self.graph == other.graph) && self.sums == other.sums
    }
}

impl Eq for Constraints {}

/// Learning and asking.
impl Constraints {
    /// No constraint at all.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The symbols about which something is known: those of differences in order, then those of other inequalities alone.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        let mut others: Vec<Symbol> =
            self.sums.iter().flat_map(Linear::symbols).filter(|&symbol| !self.mentions(symbol)).collect();
        others.sort_unstable();
        others.dedup();
        self.graph.entries().iter().map(|e| e.0).chain(others)
    }

    /// The symbols that inequalities which are no differences may bring together with one, itself among them; none where there are no
    /// such inequalities.
    #[must_use]
    pub fn beside(&self, symbol: Symbol) -> Vec<Symbol> {
        self.sums.beside(&self.graph, symbol)
    }

    /// Whether a difference from a symbol is known.
    #[must_use]
    pub fn mentions(&self, symbol: Symbol) -> bool {
        self.graph.entry(symbol).is_some()
    }

    /// What is stored.
    #[must_use]
    pub fn size(&self) -> Size {
        let mut size = Size { symbols: self.graph.entries().len(), vertices: 0, edges: 0 };
        for (_, entry) in self.graph.entries() {
            if let Entry::Vertex(vertex) = entry {
                size.vertices += 1;
                size.edges += vertex.edges(Way::Out).len();
            }
        }
        size
    }

    /// Adds `expression <= 0`. Returns `None` when the system becomes unsatisfiable, as far as can be told, and `Some(false)`
    /// when the expression has no form `k * (x - y) + c` for what is known and there is no room for others: then the system is
    /// unchanged (a sound, weaker description).
    ///
    /// Symbols are integers: `2x - 2y + 1 <= 0` is learned as `x - y + 1 <= 0`. The rank belongs to a set of processes and not to
    /// what holds for all: nothing is learned about it.
    #[must_use]
    pub fn assume_nonpositive(&mut self, expression: &Linear) -> Option<bool> {
        if !expression.is_uniform() {
            return Some(false);
        }
        if let Some(plain) = self.with_known_factors(expression).filter(|plain| plain != expression) {
            return self.assume_nonpositive(&plain);
        }
        match self.product_is_nonpositive(expression) {
            Truth::Yes => return Some(true),
            Truth::No => return None,
            Truth::Open => {}
        }
        if let Some(form) = difference(expression) {
            return self.assume_form(form);
        }
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
        let simple = self.graph.simplified(expression);
        let form = |e: &Linear| difference(tightened(e).as_ref().unwrap_or(e));
        match form(&simple).or_else(|| self.sums.rewritten(&self.graph, &simple, form)) {
            Some(form) => self.assume_form(form),
            None => Some(Arc::make_mut(&mut self.sums).add(&simple)),
        }
    }

    /// Adds `x - y + c <= 0`.
    fn assume_form(&mut self, (x, y, constant): (Option<Symbol>, Option<Symbol>, i64)) -> Option<bool> {
        constant.checked_neg().map_or(Some(false), |bound| self.assume_difference(x, y, bound))
    }

    /// Moves what has become a difference into the graph; `None` when some inequality beside the graph is known to fail.
    fn settle_sums(&mut self) -> Option<()> {
        let settled = |constraints: &Self| {
            let form = |sum: &Linear| {
                let simple = constraints.graph.simplified(sum);
                difference(tightened(&simple).as_ref().unwrap_or(&simple))
            };
            constraints.sums.iter().enumerate().find_map(|(index, sum)| Some((index, form(sum)?)))
        };
        if let Some((index, form)) = settled(self) {
            Arc::make_mut(&mut self.sums).remove(index);
            // What is learned now settles the others in turn.
            self.assume_form(form)?;
            return self.settle_sums();
        }
        let fails = |sum: &Linear| sum.scale(-1).is_some_and(|opposite| self.is_at_most(&opposite, -1));
        (!self.sums.iter().any(fails)).then_some(())
    }

    /// Adds `x - y <= bound`, where no symbol is zero; see [`Self::assume_nonpositive`].
    #[must_use]
    pub fn assume_difference(&mut self, x: Option<Symbol>, y: Option<Symbol>, bound: i64) -> Option<bool> {
        assert!(
            ![x, y].into_iter().flatten().any(Symbol::is_own),
            "the rank belongs to a set, not to the state"
        );
        let (x, y) = (self.graph.resolved(x), self.graph.resolved(y));
        let bound = i128::from(bound) - i128::from(x.offset) + i128::from(y.offset);
        let Ok(bound) = i64::try_from(bound) else { return Some(false) };
        if self.graph.would_learn(x.base, y.base, bound)? {
            self.change().learn(x.base, y.base, bound);
            self.settle_sums()?;
        }
        Some(true)
    }

    /// The graph, to be changed. What it says then was not kept by a widening.
    fn change(&mut self) -> &mut Graph {
        self.kept = None;
        Arc::make_mut(&mut self.graph)
    }

    /// Whether inequalities are known that are no differences.
    #[must_use]
    pub fn has_sums(&self) -> bool {
        !self.sums.is_empty()
    }

    /// Whether an inequality `expression <= 0` can be learned: it has the form `k * (x - y) + c`, or there is room for it.
    #[must_use]
    pub fn can_express(&self, expression: &Linear) -> bool {
        expression.is_uniform()
            && (difference(expression).is_some()
                || tightened(expression).is_some_and(|e| difference(&e).is_some())
                || !self.sums.is_full())
    }

    /// Adds `left <= right`, see [`Self::assume_nonpositive`].
    #[must_use]
    pub fn assume_le(&mut self, left: &Linear, right: &Linear) -> Option<bool> {
        match difference_of(left, right) {
            Some(form @ (x, y, _)) if ![x, y].into_iter().flatten().any(|s| s.is_own() || s.is_product()) => {
                return self.assume_form(form);
            }
            _ => {}
        }
        match left.sub(right) {
            Some(difference) => self.assume_nonpositive(&difference),
            None => Some(false),
        }
    }

    /// Adds `left <= right` where that follows from what both sides are. A contradiction then says that nothing is described, which
    /// was not found out before; whatever else is said of nothing is not wrong.
    pub fn learn(&mut self, left: &Linear, right: &Linear) {
        let _ = self.assume_le(left, right);
    }

    /// Adds `left == right`, see [`Self::assume_nonpositive`].
    #[must_use]
    pub fn assume_eq(&mut self, left: &Linear, right: &Linear) -> Option<bool> {
        if self.differ_by_divisor(left, right) {
            return None;
        }
        Some(self.assume_le(left, right)? & self.assume_le(right, left)?)
    }

    /// The least known bound of `x - y`, where no symbol is zero: a look-up.
    #[must_use]
    pub fn difference_bound(&self, x: Option<Symbol>, y: Option<Symbol>) -> Option<i64> {
        self.graph.bound(x, y)
    }

    /// An upper bound of an expression; `None` when none is known. It is the least one for expressions `k * (x - y) + c`.
    #[must_use]
    pub fn upper_bound(&self, expression: &Linear) -> Option<i64> {
        self.bound_by(expression, None)
    }

    /// An upper bound of an expression; not the least one that is known where one is `enough`.
    fn bound_by(&self, expression: &Linear, enough: Option<i64>) -> Option<i64> {
        if let Some(plain) = self.with_known_factors(expression).filter(|plain| plain != expression) {
            return self.bound_by(&plain, enough);
        }
        let bound = self.graph.upper_bound(expression);
        if self.sums.is_empty() || bound.zip(enough).is_some_and(|(bound, enough)| bound <= enough) {
            return bound;
        }
        let other = self.sums.upper_bound(&self.graph, expression, enough);
        bound.into_iter().chain(other).min()
    }

    /// Whether an expression is at most a bound, as far as differences and sums tell.
    fn is_at_most(&self, expression: &Linear, bound: i64) -> bool {
        self.bound_by(expression, Some(bound)).is_some_and(|upper| upper <= bound)
    }

    /// A lower bound of an expression, see [`Self::upper_bound`].
    #[must_use]
    pub fn lower_bound(&self, expression: &Linear) -> Option<i64> {
        self.upper_bound(&expression.scale(-1)?)?.checked_neg()
    }

    /// Whether `left <= right`.
    #[must_use]
    pub fn le(&self, left: &Linear, right: &Linear) -> Truth {
        match self.le_by_differences(left, right) {
            Truth::Open => left.sub(right).map_or(Truth::Open, |e| self.product_is_nonpositive(&e)),
            known => known,
        }
    }

    fn le_by_differences(&self, left: &Linear, right: &Linear) -> Truth {
        spend(1);
        if left.has_products() || right.has_products() {
            let plain = |e: &Linear| self.with_known_factors(e).unwrap_or_else(|| e.clone());
            let (a, b) = (plain(left), plain(right));
            if a != *left || b != *right {
                return self.le_by_differences(&a, &b);
            }
        }
        if let Some((x, y, constant)) = difference_of(left, right) {
            let upper = self.graph.bound(x, y).and_then(|bound| bound.checked_add(constant));
            let lower = || self.graph.bound(y, x).and_then(|bound| constant.checked_sub(bound));
            if upper.is_some_and(|upper| upper <= 0) {
                return Truth::Yes;
            } else if lower().is_some_and(|lower| lower > 0) {
                return Truth::No;
            } else if self.sums.is_empty() {
                return Truth::Open;
            }
        }
        let at_most = |a: &Linear, b: &Linear, most| a.sub(b).is_some_and(|e| self.is_at_most(&e, most));
        if at_most(left, right, 0) {
            Truth::Yes
        } else if at_most(right, left, -1) {
            Truth::No
        } else {
            Truth::Open
        }
    }

    /// Whether `left == right`. `2x` and `2y + 1` never are.
    #[must_use]
    pub fn eq(&self, left: &Linear, right: &Linear) -> Truth {
        match (self.le(left, right), self.le(right, left)) {
            (Truth::Yes, Truth::Yes) => Truth::Yes,
            (Truth::No, _) | (_, Truth::No) => Truth::No,
            _ if self.differ_by_divisor(left, right) => Truth::No,
            _ => Truth::Open,
        }
    }

    /// Whether all coefficients of the difference have a divisor that its constant has not.
    fn differ_by_divisor(&self, left: &Linear, right: &Linear) -> bool {
        if difference_of(left, right).is_some() {
            return false;
        }
        let Some(difference) = left.sub(right) else { return false };
        let simple = self.graph.simplified(&difference);
        let divisor = simple.content();
        divisor > 1 && !simple.constant().unsigned_abs().is_multiple_of(divisor)
    }

    /// The constant value of an expression, if it has only one.
    #[must_use]
    pub fn constant(&self, expression: &Linear) -> Option<i64> {
        if let Some(constant) = expression.as_constant() {
            return Some(constant);
        }
        if let Some((symbol, offset)) = expression.as_offset()
            && !symbol.is_product()
        {
            let term = self.graph.term(symbol);
            if term.base.is_none() {
                return term.offset.checked_add(offset);
            }
            if self.sums.is_empty() {
                return None;
            }
        }
        let upper = self.upper_bound(expression)?;
        (self.lower_bound(expression)? == upper).then_some(upper)
    }

    /// An expression equal to `symbol` over symbols that `wanted` accepts, `wanted + c` or a constant.
    #[must_use]
    pub fn equal_offset(&self, symbol: Symbol, wanted: impl Fn(Symbol) -> bool) -> Option<Linear> {
        let term = self.graph.term(symbol);
        if term.base.is_none() {
            return Some(term.offset.into());
        }
        self.class(term.base)
            .filter(|&(other, _)| other != symbol && wanted(other))
            .find_map(|(other, offset)| Linear::from(other).offset(term.offset.checked_sub(offset)?))
    }

    /// All expressions `symbol + c`, and the constant if there is one, that are proved equal to an expression of this form:
    /// the equal-expression set that the bound of a process set is in the paper (VII.B). Itself is one of them. Empty for
    /// expressions of other forms.
    #[must_use]
    pub fn equal_expressions(&self, expression: &Linear) -> Vec<Linear> {
        let Some((symbol, _, constant)) = difference_of(expression, &Linear::zero()) else {
            return Vec::new();
        };
        let term = self.graph.resolved(symbol);
        let Some(offset) = term.offset.checked_add(constant) else { return vec![expression.clone()] };
        if term.base.is_some_and(|base| self.graph.entry(base).is_none()) {
            return vec![expression.clone()];
        }
        let value = term.base.is_none().then(|| offset.into());
        let others = self
            .class(term.base)
            .filter_map(|(other, its)| Linear::from(other).offset(offset.checked_sub(its)?));
        value.into_iter().chain(others).collect()
    }

    /// The members of a class by symbol, with their distance from the representative.
    fn class(&self, base: Option<Symbol>) -> impl Iterator<Item = (Symbol, i64)> + '_ {
        self.graph.entries().iter().filter_map(move |&(symbol, ref entry)| match *entry {
            Entry::Constant(value) if base.is_none() => Some((symbol, value)),
            Entry::Copy { of, offset } if base == Some(of) => Some((symbol, offset)),
            Entry::Vertex(_) if base == Some(symbol) => Some((symbol, 0)),
            _ => None,
        })
    }

    /// Whether both say the same, whatever the order in which it was learned.
    #[must_use]
    pub fn equivalent(&self, other: &Self) -> bool {
        self == other || (self.implies(other) && other.implies(self))
    }

    /// Whether every inequality of `other` holds here, as far as can be told. Looks only at what `other` stores.
    #[must_use]
    pub fn implies(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.graph, &other.graph) || self.graph.implies(&other.graph))
            && other.sums.iter().all(|sum| self.holds(sum))
    }

    /// Whether an expression is at most zero.
    fn holds(&self, expression: &Linear) -> bool {
        self.le(expression, &Linear::zero()) == Truth::Yes
    }

    /// Expressions of three terms and more, or with factors, of which it is known that they are not positive.
    pub fn sums(&self) -> impl Iterator<Item = &Linear> {
        self.sums.iter()
    }

    /// All known inequalities `x - y <= bound`; `None` is zero. They are many more than what is stored: for tests and for
    /// people, not for the hot path.
    pub fn inequalities(&self) -> impl Iterator<Item = (Option<Symbol>, Option<Symbol>, i64)> + '_ {
        let ends = || std::iter::once(None).chain(self.symbols().map(Some));
        ends().flat_map(move |x| {
            ends().filter(move |&y| x != y).filter_map(move |y| Some((x, y, self.graph.bound(x, y)?)))
        })
    }
}

/// Changing names and values.
impl Constraints {
    /// Drops everything said about a symbol; what followed from it about others stays.
    pub fn forget(&mut self, symbol: Symbol) {
        self.retain(|other| other != symbol);
    }

    /// Drops everything about symbols that `keep` rejects, and products of them.
    pub fn retain(&mut self, keep: impl Fn(Symbol) -> bool) {
        let keep = |symbol: Symbol| symbol.factors().all(&keep);
        if self.sums.iter().any(|sum| sum.symbols().any(|s| !keep(s))) {
            let name = |s: Symbol| if keep(s) { Some(s.into()) } else { self.equal_offset(s, keep) };
            let mut sums = (*self.sums).clone();
            sums.rewrite(|sum| sums::renamed(sum, name));
            self.sums = Arc::new(sums);
        }
        for graph in [Some(&mut self.graph), self.kept.as_mut()].into_iter().flatten() {
            if graph.entries().iter().any(|e| !keep(e.0)) {
                Arc::make_mut(graph).retain(keep);
            }
        }
    }

    /// Drops everything about products that `keep` rejects.
    pub(crate) fn retain_products(&mut self, keep: impl Fn(Symbol) -> bool) {
        let stays = |symbol: Symbol| !symbol.is_product() || keep(symbol);
        if self.sums.iter().any(|sum| !sum.symbols().all(stays)) {
            Arc::make_mut(&mut self.sums).rewrite(|sum| sum.symbols().all(stays).then(|| sum.clone()));
        }
        for graph in [Some(&mut self.graph), self.kept.as_mut()].into_iter().flatten() {
            if graph.entries().iter().any(|e| !stays(e.0)) {
                Arc::make_mut(graph).retain(stays);
            }
        }
    }

    /// Calls `from` what is called `to` from now on. What was said about `to` is dropped, and nothing is said about `from`.
    pub fn rename(&mut self, from: Symbol, to: Symbol) {
        if from == to {
            return;
        }
        self.forget(to);
        let products: Vec<Symbol> = self.symbols().filter(|s| s.is_product() && s.has(from)).collect();
        if self.sums.iter().any(|sum| sum.has(from)) {
            let sums = Arc::make_mut(&mut self.sums);
            sums.rewrite(|sum| sum.substitute(from, &to.into()));
        }
        for graph in [Some(&mut self.graph), self.kept.as_mut()].into_iter().flatten() {
            for &old in products.iter().chain([&from]) {
                let renamed = Linear::from(old).substitute(from, &to.into()).and_then(|e| e.as_offset());
                if graph.entry(old).is_some() {
                    let graph = Arc::make_mut(graph);
                    if let Some((new, 0)) = renamed {
                        graph.add_copy(new, graph.term(old));
                    }
                    graph.forget(old);
                }
            }
        }
    }

    /// The assignment `symbol = value`, where the value is what it was before and may use `symbol`. True when the graph
    /// says all about the result: for a constant and for `y + c`, also `symbol + c`. Of any other value it keeps the bounds
    /// of the result and of its differences with the symbols of the value.
    pub fn assign(&mut self, symbol: Symbol, value: &Linear) -> bool {
        // What was known of products of it was known of what it has been.
        self.retain_products(|product| !product.has(symbol));
        if let Some((from, _, offset)) = difference_of(value, &Linear::zero()) {
            if from == Some(symbol) {
                if offset != 0 && self.mentions(symbol) {
                    self.change().shift(symbol, offset);
                }
                if self.sums.iter().any(|sum| sum.has(symbol)) {
                    let before = offset.checked_neg().and_then(|back| Linear::from(symbol).offset(back));
                    let sums = Arc::make_mut(&mut self.sums);
                    sums.rewrite(|sum| sum.substitute(symbol, before.as_ref()?));
                }
                return true;
            }
            self.forget(symbol);
            // Only now: the old value of the symbol may have been what represented the source.
            let term = self.graph.resolved(from);
            let sum = term.offset.checked_add(offset);
            if let Some(offset) = sum {
                self.change().add_copy(symbol, graph::Term { offset, ..term });
            }
            return sum.is_some();
        }
        let others = std::iter::once(None).chain(value.symbols().filter(|s| !s.has(symbol)).map(Some));
        let bounds: Vec<(Option<Symbol>, Option<i64>, Option<i64>)> = others
            .map(|other| {
                let difference = other.map_or(Some(value.clone()), |other| value.sub(&other.into()));
                let bound = |e: Option<&Linear>| e.and_then(|e| self.upper_bound(e));
                let back = difference.as_ref().and_then(|d| d.scale(-1));
                (other, bound(difference.as_ref()), bound(back.as_ref()))
            })
            .collect();
        self.forget(symbol);
        for (other, upper, back) in bounds {
            for (x, y, bound) in [(Some(symbol), other, upper), (other, Some(symbol), back)] {
                if let Some(bound) = bound {
                    let outcome = self.assume_difference(x, y, bound);
                    assert!(outcome.is_some(), "the value that was assigned has these bounds");
                }
            }
        }
        false
    }

    /// Opens a namespace: says of the second symbol of each pair what is known of the first, as when a process set splits and
    /// both parts go on with variables of their own. The pairs are copied together: what relates two first symbols relates
    /// the second ones, and all relations to other symbols are copied. Nothing relates a copy to its original but what
    /// follows; for a copy of the *value*, see [`Self::assign`].
    ///
    /// What was said about the second symbols is dropped. No symbol may occur twice; later occurrences are ignored.
    pub fn duplicate(&mut self, names: &[(Symbol, Symbol)]) {
        let mut names = names.to_vec();
        names.sort_unstable();
        names.dedup_by_key(|n| n.0);
        let mut fresh: Vec<Symbol> = names.iter().map(|n| n.1).collect();
        fresh.sort_unstable();
        let taken = |s: Symbol| names.binary_search_by_key(&s, |n| n.0).is_ok();
        assert!(
            fresh.windows(2).all(|w| w[0] != w[1]) && !fresh.iter().any(|&s| taken(s)),
            "a name stands for one thing"
        );
        self.retain(|s| fresh.binary_search(&s).is_err());
        // Products of what is copied are copied with it.
        let copied = |s: Symbol| names.binary_search_by_key(&s, |n| n.0).ok().map(|found| names[found].1);
        let products: Vec<(Symbol, Symbol)> = self
            .symbols()
            .filter(|s| s.is_product() && s.factors().any(|factor| copied(factor).is_some()))
            .filter_map(|s| {
                let copy = Linear::from(s).map_symbols(|factor| copied(factor).map(Linear::from));
                copy.and_then(|e| e.as_offset()).map(|(copy, _)| (s, copy))
            })
            .collect();
        names.extend(products);
        names.sort_unstable();
        if names.iter().any(|n| self.mentions(n.0)) {
            self.change().duplicate(&names);
        }
        let name = |s: Symbol| {
            let found = names.binary_search_by_key(&s, |n| n.0).ok()?;
            Some(Linear::from(names[found].1))
        };
        let copies: Vec<Linear> = self.sums.iter().filter_map(|sum| sum.map_symbols(name)).collect();
        for copy in copies {
            // Without room for it less is known of the copies.
            Arc::make_mut(&mut self.sums).add(&copy);
        }
    }
}

/// The order of descriptions.
impl Constraints {
    /// The tightest differences that hold on both sides.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        if Arc::ptr_eq(&self.graph, &other.graph) && Arc::ptr_eq(&self.sums, &other.sums) {
            return Self { kept: None, ..self.clone() };
        }
        self.combine(other, Combine::Join).0
    }

    /// What of this holds in `newer` too; every chain `a, a.widen(b), a.widen(b).widen(c), ...` has finitely many different
    /// members, if each is the *result* of the one before, which remembers what the widening kept (so do its clones; and
    /// dropping or renaming symbols does no harm, but learning does). `newer` need not include `self`.
    #[must_use]
    pub fn widen(&self, newer: &Self) -> Self {
        if Arc::ptr_eq(&self.graph, &newer.graph) && Arc::ptr_eq(&self.sums, &newer.sums) {
            return self.clone();
        }
        self.combine(newer, Combine::Widen).0
    }

    fn combine(&self, other: &Self, how: Combine) -> (Self, bool) {
        let both = self.symbols().filter(|&symbol| other.mentions(symbol));
        let ends: Vec<End<'_>> = both.map(|symbol| End { symbol, meaning: None }).collect();
        combine(self, other, &ends, how)
    }
}
