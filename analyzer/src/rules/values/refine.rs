//! What a branch condition tells about the values behind it.

use frontend::ir::{BinaryOp, Expr, ExprKind, Type, UnaryOp};

use super::domain::{Atom, Interval, Value};
use super::eval::{Evaluator, equal_atoms};
use super::state::State;

/// Conditions nested deeper than this are not taken apart.
const MAX_DEPTH: u32 = 64;

/// The state where `condition` is true (or false); `None` if it never is.
#[must_use]
pub(super) fn assume(eval: &Evaluator<'_>, state: &State, condition: &Expr, holds: bool) -> Option<State> {
    assume_at(eval, state, condition, holds, 0)
}

/// The state where a switch value is within a range of cases; `None` if it never is.
#[must_use]
pub(super) fn assume_case(
    eval: &Evaluator<'_>,
    state: &State,
    value: &Expr,
    low: i128,
    high: i128,
) -> Option<State> {
    let range = Interval { lo: Some(low), hi: Some(high) };
    if let Some(known) = eval.value(state, value).as_range() {
        known.meet(range)?;
    }
    let mut refined = state.clone();
    narrow(eval, &mut refined, value, |old| match old.as_range() {
        Some(old) => old.meet(range).map(Value::range),
        None => Some(old.clone()),
    })
    .then_some(refined)
}

fn assume_at(
    eval: &Evaluator<'_>,
    state: &State,
    condition: &Expr,
    holds: bool,
    depth: u32,
) -> Option<State> {
    if eval.truth(&eval.value(state, condition)).is_some_and(|truth| truth != holds) {
        return None;
    }
    if MAX_DEPTH < depth {
        return Some(state.clone());
    }
    match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, operand) => assume_at(eval, state, operand, !holds, depth + 1),
        ExprKind::Binary(BinaryOp::And, a, b) if holds => {
            assume_at(eval, &assume_at(eval, state, a, true, depth + 1)?, b, true, depth + 1)
        }
        ExprKind::Binary(BinaryOp::Or, a, b) if !holds => {
            assume_at(eval, &assume_at(eval, state, a, false, depth + 1)?, b, false, depth + 1)
        }
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            // `a && b` is false where a is false, or where a is true and b false; `a || b` likewise.
            let first = assume_at(eval, state, a, holds, depth + 1);
            let second = assume_at(eval, state, a, !holds, depth + 1)
                .and_then(|state| assume_at(eval, &state, b, holds, depth + 1));
            match (first, second) {
                (Some(x), Some(y)) => Some(x.join(&y)),
                (x, y) => x.or(y),
            }
        }
        ExprKind::Binary(op, a, b) if let Some(op) = relation(*op, holds) => {
            let mut refined = state.clone();
            let (left, right) = (eval.value(state, a), eval.value(state, b));
            let both = narrow(eval, &mut refined, a, |old| keep(old, op, &right))
                && narrow(eval, &mut refined, b, |old| keep(old, op.mirrored(), &left));
            both.then_some(refined)
        }
        _ => {
            let mut refined = state.clone();
            let op = if holds { BinaryOp::Ne } else { BinaryOp::Eq };
            narrow(eval, &mut refined, condition, |old| keep(old, op, &Value::int(0))).then_some(refined)
        }
    }
}

/// The relation that holds when `op` is true, or when it is false; `None` if `op` is no relation.
fn relation(op: BinaryOp, holds: bool) -> Option<BinaryOp> {
    let negated = match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        _ => return None,
    };
    Some(if holds { op } else { negated })
}

/// Replaces what is known about the place that `expr` reads by `keep` of it. False if nothing is left. An expression that
/// is no plain read of an integer, pointer or handle tells nothing.
fn narrow(
    eval: &Evaluator<'_>,
    state: &mut State,
    expr: &Expr,
    keep: impl FnOnce(&Value) -> Option<Value>,
) -> bool {
    let types = eval.layout.types();
    let mut inner = expr;
    while let ExprKind::Cast(next) = &inner.kind {
        // A cast that changes the value says nothing about what it was.
        let harmless = match (types.get(next.ty), types.get(inner.ty)) {
            (Type::Int(from) | Type::Enum(_, from), Type::Int(to) | Type::Enum(_, to)) => {
                from.size() < to.size() && (to.is_signed() || !from.is_signed())
                    || from.size() == to.size() && from.is_signed() == to.is_signed()
            }
            (Type::Pointer(_), Type::Pointer(_)) => true,
            _ => false,
        };
        if !harmless {
            return true;
        }
        inner = next;
    }
    let ExprKind::Load(place) = &inner.kind else { return true };
    if matches!(types.get(place.ty), Type::Float(_) | Type::Complex(_) | Type::Record(_)) {
        return true;
    }
    let Some(targets) = eval.address(state, place) else { return true };
    let [(object, offset)] = targets.as_slice() else { return true };
    if offset.single().is_none() || eval.is_unstable(object) {
        return true;
    }
    let Some(size) = eval.layout.cell_size(place.ty) else { return true };
    let old = state.read(object, *offset, size);
    match keep(&old) {
        None => false,
        Some(new) => {
            if new != old {
                let origin = offset.single().and_then(|at| state.origin(object, at));
                state.write(object, *offset, size, new, origin);
            }
            true
        }
    }
}

/// The part of `old` for which `old op other` may hold; `None` if there is none.
fn keep(old: &Value, op: BinaryOp, other: &Value) -> Option<Value> {
    let Some(atoms) = old.atoms() else {
        return Some(match (op, other.single()) {
            (BinaryOp::Eq, Some(Atom::Constant(_) | Atom::Int(_))) => other.clone(),
            (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, _) => {
                bound(Interval::ALL, op, other.range_or_all()).map_or(Value::ANY, Value::range)
            }
            _ => Value::ANY,
        });
    };
    let kept = atoms.iter().filter_map(|atom| match (op, atom, other.single()) {
        (BinaryOp::Eq, Atom::Int(range), Some(Atom::Int(with))) => range.meet(*with).map(Atom::Int),
        (BinaryOp::Eq, atom, Some(with)) => (equal_atoms(atom, with) != Some(false)).then(|| atom.clone()),
        (BinaryOp::Ne, Atom::Int(range), Some(Atom::Int(with))) => without(*range, *with).map(Atom::Int),
        (BinaryOp::Ne, atom, Some(with)) => (equal_atoms(atom, with) != Some(true)).then(|| atom.clone()),
        (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, Atom::Int(range), _) => {
            bound(*range, op, other.range_or_all()).map(Atom::Int)
        }
        _ => Some(atom.clone()),
    });
    Value::from_atoms(kept)
}

/// `range` without the one integer that `other` is, where that is at an end.
fn without(range: Interval, other: Interval) -> Option<Interval> {
    let Some(n) = other.single() else { return Some(range) };
    match (range.lo == Some(n), range.hi == Some(n)) {
        (true, true) => None,
        (true, false) => Some(Interval { lo: n.checked_add(1), hi: range.hi }),
        (false, true) => Some(Interval { lo: range.lo, hi: n.checked_sub(1) }),
        (false, false) => Some(range),
    }
}

/// The members of `range` that may be in relation `op` to a member of `other`.
fn bound(range: Interval, op: BinaryOp, other: Interval) -> Option<Interval> {
    let limit = match op {
        BinaryOp::Lt => Interval { lo: None, hi: other.hi.and_then(|hi| hi.checked_sub(1)) },
        BinaryOp::Le => Interval { lo: None, hi: other.hi },
        BinaryOp::Gt => Interval { lo: other.lo.and_then(|lo| lo.checked_add(1)), hi: None },
        BinaryOp::Ge => Interval { lo: other.lo, hi: None },
        _ => Interval::ALL,
    };
    range.meet(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keep_never_loses_a_value_for_which_the_relation_holds() {
        let range = |lo: i128, hi: i128| Interval { lo: Some(lo), hi: Some(hi) };
        let holds = |op, m: i128, n: i128| match op {
            BinaryOp::Lt => m < n,
            BinaryOp::Le => m <= n,
            BinaryOp::Gt => n < m,
            BinaryOp::Ge => n <= m,
            BinaryOp::Eq => m == n,
            _ => m != n,
        };
        for op in [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne] {
            for a in -3..3 {
                for b in a..3 {
                    for c in -3..3 {
                        for d in c..3 {
                            let kept = keep(&Value::range(range(a, b)), op, &Value::range(range(c, d)));
                            for m in a..=b {
                                if (c..=d).any(|n| holds(op, m, n)) {
                                    let kept = kept.as_ref().and_then(Value::as_range).unwrap_or_else(|| {
                                        panic!("{op:?} [{a},{b}] [{c},{d}] lost everything");
                                    });
                                    assert!(
                                        Interval::exactly(m).within(kept),
                                        "{op:?} [{a},{b}] [{c},{d}] lost {m}"
                                    );
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
