//! Inequalities that are no differences, such as `2q <= np` and `np <= 2q + 1` of `q = np / 2`.
//!
//! The graph cannot hold them. They are kept beside it as a short list, each as an expression that is at most zero, and help
//! where the graph does not know an answer: `p * e = q * f + rest` with positive `p` and `q` and a known `f <= 0` bounds `e` by
//! the bound of the rest. No more than [`DEPTH`] of them are combined for one answer; what needs more stays open, which is
//! sound.

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

    /// An upper bound of an expression that the graph alone does not give.
    pub(super) fn upper_bound(&self, graph: &Graph, expression: &Linear) -> Option<i64> {
        let expression = graph.simplified(expression);
        let concerned =
            |symbol: Symbol| graph.term(symbol).base.is_some_and(|base| expression.coefficient(base) != 0);
        if !self.0.iter().any(|f| f.symbols().any(concerned)) {
            return None;
        }
        let known: Vec<Linear> = self.0.iter().map(|f| graph.simplified(f)).collect();
        let mut used = vec![false; known.len()];
        combined(graph, &known, &mut used, &expression, DEPTH)
    }
}

/// The least bound of an expression that follows with up to `depth` of the unused inequalities.
fn combined(graph: &Graph, known: &[Linear], used: &mut [bool], e: &Linear, depth: u32) -> Option<i64> {
    let mut least: Option<i64> = None;
    for index in 0..known.len() {
        if used[index] {
            continue;
        }
        used[index] = true;
        for (p, rest) in eliminations(e, &known[index]) {
            let direct = graph.upper_bound(&rest);
            let further = if depth > 1 { combined(graph, known, used, &rest, depth - 1) } else { None };
            // p * e <= rest, and e is an integer.
            let bound = [direct, further].into_iter().flatten().min().and_then(|b| b.checked_div_euclid(p));
            least = match (least, bound) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        used[index] = false;
    }
    least
}

/// All `(p, rest)` with `p * e = q * f + rest`, `p` and `q` positive, where the rest lacks a symbol that `e` and `f` have, or where
/// its coefficients sum to zero, as those of differences do.
fn eliminations(e: &Linear, f: &Linear) -> Vec<(i64, Linear)> {
    let weight = |e: &Linear| e.terms().try_fold(0_i64, |sum, (_, k)| sum.checked_add(k));
    let shared = f.terms().map(|(symbol, theirs)| (e.coefficient(symbol), theirs));
    let mut found: Vec<(i64, Linear)> = Vec::new();
    for (ours, theirs) in shared.chain(weight(e).zip(weight(f))) {
        if ours == 0 || theirs == 0 || (ours > 0) != (theirs > 0) {
            continue;
        }
        let elimination = || {
            let (p, q) = (theirs.checked_abs()?, ours.checked_abs()?);
            let common = greatest_common_divisor(p.unsigned_abs(), q.unsigned_abs());
            let divisor = i64::try_from(common).ok()?;
            let (p, q) = (p / divisor, q / divisor);
            Some((p, e.scale(p)?.add_scaled(f, q.checked_neg()?)?))
        };
        found.extend(elimination().filter(|new| !found.contains(new)));
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
