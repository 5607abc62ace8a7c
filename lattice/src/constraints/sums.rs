//! Inequalities that are no differences, such as `2q <= np` and `np <= 2q + 1` of `q = np / 2`.
//!
//! The graph cannot hold them. They are kept beside it as a short list, each as an expression that is at most zero, and help
//! where the graph does not know an answer: `p * e = q * f + rest` with positive `p` and `q` and a known `f <= 0` bounds `e` by
//! the bound of the rest. No more than [`DEPTH`] of them are combined for one answer; what needs more stays open, which is
//! sound.

use effort::spend;
use smallvec::SmallVec;

use super::bounds::tightened;
use super::graph::Graph;
use crate::linear::greatest_common_divisor;
use crate::{Linear, Symbol};

/// Inequalities kept; more are not learned.
const LIMIT: usize = 12;

/// Inequalities combined for one bound.
const DEPTH: u32 = 2;

/// Expressions that are at most zero, each of them no difference when it was learned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums(Vec<Linear>);

impl Sums {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= LIMIT
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Linear> {
        self.0.iter()
    }

    /// Adds `expression <= 0`; `false` when there is no room.
    pub(super) fn add(&mut self, expression: &Linear) -> bool {
        let expression = tightened(expression).unwrap_or_else(|| expression.clone());
        if self.0.contains(&expression) {
            return true;
        }
        if self.is_full() {
            return false;
        }
        self.0.push(expression);
        true
    }

    pub(super) fn remove(&mut self, index: usize) {
        self.0.remove(index);
    }

    /// Rewrites every expression; those for which there is no other form are dropped.
    pub(super) fn rewrite(&mut self, form: impl FnMut(&Linear) -> Option<Linear>) {
        self.0 = self.0.iter().filter_map(form).collect();
    }

    /// What `wanted` finds in another form of an expression, by one of the equations among these: where `np == 2q`, then `2x < np` says
    /// `x < q`.
    pub(super) fn rewritten<T>(
        &self,
        graph: &Graph,
        expression: &Linear,
        wanted: impl Fn(&Linear) -> Option<T>,
    ) -> Option<T> {
        let equations = self.0.iter().enumerate().filter(|(index, sum)| {
            sum.scale(-1).is_some_and(|opposite| self.0[index + 1..].contains(&opposite))
        });
        equations.map(|(_, sum)| graph.simplified(sum)).find_map(|equation| {
            // Where the symbol is alone on one side, nothing is multiplied.
            let alone = equation.terms().filter(|(_, k)| k.abs() == 1);
            alone.into_iter().find_map(|(symbol, sign)| {
                let times = expression.coefficient(symbol).checked_mul(sign)?.checked_neg()?;
                if times == 0 {
                    return None;
                }
                wanted(&expression.add_scaled(&equation, times)?)
            })
        })
    }

    /// The symbols that as many inequalities as are combined may bring together with one.
    pub(super) fn beside(&self, graph: &Graph, symbol: Symbol) -> Vec<Symbol> {
        let Some(base) = graph.term(symbol).base else { return Vec::new() };
        let known: Vec<Linear> = self.0.iter().map(|sum| graph.simplified(sum)).collect();
        let mut found = vec![base];
        for _ in 0..DEPTH {
            let met = |sum: &&Linear| sum.symbols().any(|symbol| found.contains(&symbol));
            let mut more: Vec<Symbol> = known.iter().filter(met).flat_map(Linear::symbols).collect();
            more.sort_unstable();
            more.dedup();
            found = more;
        }
        found
    }

    /// An upper bound of an expression that the graph alone does not give; the least one that is found, or one that is `enough`.
    pub(super) fn upper_bound(&self, graph: &Graph, expression: &Linear, enough: Option<i64>) -> Option<i64> {
        let expression = graph.simplified(expression);
        let concerned =
            |symbol: Symbol| graph.term(symbol).base.is_some_and(|base| expression.coefficient(base) != 0);
        if !self.0.iter().any(|f| f.symbols().any(concerned)) {
            return None;
        }
        let known: Vec<Linear> = self.0.iter().map(|f| graph.simplified(f)).collect();
        let mut used = vec![false; known.len()];
        combined(graph, &known, &mut used, &expression, enough, DEPTH)
    }
}

/// The least bound of an expression that follows with up to `depth` of the unused inequalities, or one that is `enough`.
fn combined(
    graph: &Graph,
    known: &[Linear],
    used: &mut [bool],
    e: &Linear,
    enough: Option<i64>,
    depth: u32,
) -> Option<i64> {
    let mut least: Option<i64> = None;
    let suffices = |bound: Option<i64>| bound.zip(enough).is_some_and(|(bound, enough)| bound <= enough);
    for index in 0..known.len() {
        if used[index] {
            continue;
        }
        used[index] = true;
        spend(1);
        for (p, q) in ratios(e, &known[index]) {
            let less = |e: &Linear| e.add_scaled(&known[index], -q);
            let Some(rest) = (if p == 1 { less(e) } else { e.scale(p).as_ref().and_then(less) }) else {
                continue;
            };
            // p * e <= rest, and e is an integer.
            let of_rest = |bound: Option<i64>| bound.and_then(|bound| bound.checked_div_euclid(p));
            let direct = of_rest(graph.upper_bound_of_simple(&rest));
            least = least.into_iter().chain(direct).min();
            if depth > 1 && !suffices(least) {
                // p * enough + p - 1 is the greatest rest of which that is so.
                let wanted = enough.and_then(|enough| enough.checked_add(1)?.checked_mul(p)?.checked_sub(1));
                let further = of_rest(combined(graph, known, used, &rest, wanted, depth - 1));
                least = least.into_iter().chain(further).min();
            }
            if suffices(least) {
                used[index] = false;
                return least;
            }
        }
        used[index] = false;
    }
    least
}

/// All `(p, q)`, positive and in lowest terms, with `p * e = q * f + rest` where the rest lacks a symbol that `e` and `f` have, or
/// where its coefficients sum to zero, as those of differences do.
fn ratios(e: &Linear, f: &Linear) -> SmallVec<[(i64, i64); 4]> {
    let weight = |e: &Linear| e.terms().try_fold(0_i64, |sum, (_, k)| sum.checked_add(k));
    let shared = f.terms().map(|(symbol, theirs)| (e.coefficient(symbol), theirs));
    let mut found = SmallVec::new();
    for (ours, theirs) in shared.chain(weight(e).zip(weight(f))) {
        if ours == 0 || theirs == 0 || (ours > 0) != (theirs > 0) {
            continue;
        }
        let ratio = || {
            let common = greatest_common_divisor(ours.unsigned_abs(), theirs.unsigned_abs());
            let divisor = i64::try_from(common).ok()?;
            Some((theirs.checked_abs()? / divisor, ours.checked_abs()? / divisor))
        };
        found.extend(ratio().filter(|new| !found.contains(new)));
    }
    found
}

/// An expression over other symbols, if there is one for each of its own.
pub(super) fn renamed(expression: &Linear, name: impl Fn(Symbol) -> Option<Linear>) -> Option<Linear> {
    let mut result = Linear::from(expression.constant());
    for (symbol, coefficient) in expression.terms() {
        result = result.add_scaled(&name(symbol)?, coefficient)?;
    }
    Some(result)
}
