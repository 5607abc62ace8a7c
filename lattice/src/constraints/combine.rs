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

use std::sync::Arc;

use effort::spend_on;

use super::Constraints;
use super::draft::Draft;
use super::graph::{Graph, Term};
use super::sums::{Sums, renamed};
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
    spend_on(4 * ends.len());
    let draft = Draft::new(&old.graph, &new.graph, ends, how);
    let covered = draft.covered;
    let (graph, kept) = match (how, &old.kept) {
        (Combine::Join, _) => (draft.closed(), None),
        (Combine::Widen, None) if covered => (draft.closed(), None),
        (Combine::Widen, None) => {
            let kept = draft.unclosed();
            (draft.repaired().closed(), Some(kept))
        }
        (Combine::Widen, Some(kept)) => {
            let kept = Draft::new(kept, &new.graph, ends, how);
            let unclosed = kept.unclosed();
            let graph = if covered {
                draft.closed()
            } else if kept.covered {
                kept.all_lost().repaired().closed()
            } else {
                draft.repaired().closed()
            };
            (graph, Some(unclosed))
        }
    };
    let (sums, all) = combined_sums(old, new, ends, how);
    (Constraints { graph: Arc::new(graph), kept: kept.map(Arc::new), sums: Arc::new(sums) }, covered && all)
}

/// The inequalities beside the graphs that hold on both sides, over the names of the result; and whether all those of the old side
/// are among them. A widening looks at those of the old side only, of which there are fewer each time.
fn combined_sums(old: &Constraints, new: &Constraints, ends: &[End<'_>], how: Combine) -> (Sums, bool) {
    let mut sums = Sums::default();
    let mut all = true;
    let mut keep = |side: Side, from: &Constraints, other: &Constraints| {
        for sum in from.sums.iter() {
            let general = renamed(&from.graph.simplified(sum), |s| name_of(s, side, &from.graph, ends));
            let holds = general.as_ref().is_some_and(|general| {
                let meaning = |s: Symbol| meaning_of(s, side.other(), ends);
                renamed(general, meaning).is_some_and(|there| other.holds(&there))
            });
            let kept = holds && general.is_some_and(|general| sums.add(&general));
            all &= kept || side == Side::New;
        }
    };
    keep(Side::Old, old, new);
    if how == Combine::Join {
        keep(Side::New, new, old);
    }
    (sums, all)
}

/// A representative of one side over the names of the result.
fn name_of(symbol: Symbol, side: Side, graph: &Graph, ends: &[End<'_>]) -> Option<Linear> {
    ends.iter().find_map(|end| {
        let offset = match end.meaning {
            None => graph.term(end.symbol),
            Some(sides) => {
                let (meant, offset) = (if side == Side::Old { sides.0 } else { sides.1 }).as_offset()?;
                let Term { base, offset: own } = graph.term(meant);
                Term { base, offset: own.checked_add(offset)? }
            }
        };
        // end = symbol + offset
        if offset.base == Some(symbol) {
            Linear::from(end.symbol).offset(offset.offset.checked_neg()?)
        } else {
            None
        }
    })
}

/// What a name of the result stands for on one side.
fn meaning_of(symbol: Symbol, side: Side, ends: &[End<'_>]) -> Option<Linear> {
    let end = ends.iter().find(|end| end.symbol == symbol)?;
    Some(match end.meaning {
        None => symbol.into(),
        Some((old, new)) => if side == Side::Old { old } else { new }.clone(),
    })
}

/// One of the two graphs that are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Old, Self::New];

    fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }
}

/// What the value of a name depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// A representative or zero.
    Base(Option<Symbol>),
    /// Any other expression without constant part, by its number in [`Classes::sums`].
    Sum(usize),
}

/// What a name stands for on one side: `key + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) key: Key,
    pub(super) offset: i64,
}

impl Operand {
    pub(super) const ZERO: Self = Self { key: Key::Base(None), offset: 0 };
}

/// Names that move together on both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    /// The least name.
    pub(super) symbol: Symbol,
    /// What it stands for on each side.
    pub(super) operands: [Operand; 2],
}

impl Class {
    pub(super) fn operand(&self, side: Side) -> Operand {
        self.operands[side as usize]
    }

    /// Whether an expression is involved that is no difference.
    pub(super) fn is_sum(&self) -> bool {
        self.operands.iter().any(|o| matches!(o.key, Key::Sum(_)))
    }

    /// Names of one class agree in this.
    fn identity(&self) -> (Key, Key, i128) {
        let [old, new] = self.operands;
        (old.key, new.key, i128::from(old.offset) - i128::from(new.offset))
    }
}

/// The classes of a result.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// By symbol.
    pub(super) classes: Vec<Class>,
    /// The names that are constants or represented by another name.
    pub(super) names: Vec<(Symbol, Term)>,
    /// Expressions that are no differences, of each side.
    pub(super) sums: [Vec<Linear>; 2],
    /// Whether all names could be represented.
    pub(super) complete: bool,
}

impl Classes {
    pub(super) fn new(graphs: [&Graph; 2], ends: &[End<'_>]) -> Self {
        let mut result = Self { complete: true, ..Self::default() };
        let mut named: Vec<Class> = Vec::with_capacity(ends.len());
        for &End { symbol, meaning } in ends {
            let [old, new] = Side::BOTH.map(|side| match meaning {
                None => {
                    let Term { base, offset } = graphs[side as usize].term(symbol);
                    Some(Operand { key: Key::Base(base), offset })
                }
                Some(sides) => {
                    let meaning = if side == Side::Old { sides.0 } else { sides.1 };
                    result.operand(side, graphs[side as usize], meaning)
                }
            });
            let (Some(old), Some(new)) = (old, new) else {
                result.complete = false;
                continue;
            };
            let zero = Operand::ZERO.key;
            if old.offset == new.offset && (old.key, new.key) == (zero, zero) {
                result.names.push((symbol, Term { base: None, offset: old.offset }));
            } else {
                named.push(Class { symbol, operands: [old, new] });
            }
        }
        named.sort_unstable_by_key(|class| (class.identity(), class.symbol));
        for name in named {
            match result.classes.last() {
                Some(class) if class.identity() == name.identity() => {
                    let [from, to] = [class, &name].map(|c| c.operand(Side::Old).offset);
                    match to.checked_sub(from) {
                        Some(offset) => {
                            result.names.push((name.symbol, Term { base: Some(class.symbol), offset }));
                        }
                        None => result.complete = false,
                    }
                }
                _ => result.classes.push(name),
            }
        }
        result.classes.sort_unstable_by_key(|class| class.symbol);
        result
    }

    fn operand(&mut self, side: Side, graph: &Graph, meaning: &Linear) -> Option<Operand> {
        if let Some(offset) = meaning.as_constant() {
            return Some(Operand { key: Key::Base(None), offset });
        }
        if let Some((symbol, constant)) = meaning.as_offset()
            && let Term { base, offset } = graph.term(symbol)
            && let Some(offset) = offset.checked_add(constant)
        {
            return Some(Operand { key: Key::Base(base), offset });
        }
        let simple = graph.simplified(meaning);
        let offset = simple.constant();
        let key = match (simple.as_constant(), simple.as_offset()) {
            (Some(_), _) => Key::Base(None),
            (_, Some((base, _))) => Key::Base(Some(base)),
            _ => {
                let sum = simple.offset(offset.checked_neg()?)?;
                let sums = &mut self.sums[side as usize];
                let number = sums.iter().position(|known| *known == sum).unwrap_or(sums.len());
                if number == sums.len() {
                    sums.push(sum);
                }
                Key::Sum(number)
            }
        };
        Some(Operand { key, offset })
    }

    /// The least known bound of `x - y` on a side.
    pub(super) fn between(&self, side: Side, graph: &Graph, x: Operand, y: Operand) -> Option<i64> {
        let expression = |key: Key| match key {
            Key::Base(base) => base.map_or(Linear::zero(), Linear::from),
            Key::Sum(number) => self.sums[side as usize][number].clone(),
        };
        let keys = match (x.key, y.key) {
            (Key::Base(x), Key::Base(y)) => graph.distance(x, y),
            (x, y) => graph.upper_bound(&expression(x).sub(&expression(y))?),
        };
        keys?.checked_add(x.offset.checked_sub(y.offset)?)
    }
}
