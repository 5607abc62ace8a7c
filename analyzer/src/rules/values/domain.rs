//! What is known about one value: a small set of alternatives, each exact about its kind.

use std::sync::Arc;

use frontend::ir::{GlobalId, LocalId, Span};

/// A range of integers, both ends included; `None` is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// Least value.
    pub lo: Option<i128>,
    /// Greatest value.
    pub hi: Option<i128>,
}

/// Memory that addresses point into.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A parameter, local variable or temporary of the function.
    Local(LocalId),
    /// A variable of file scope.
    Global(GlobalId),
    /// The latest block allocated by the call at this place.
    Heap(Span),
    /// What a parameter points to that keeps its value: only places in it are compared, nothing is known of what it holds.
    Target(LocalId),
    /// The string literal there, with its length in bytes, the terminating NUL included.
    Literal(Span, u64),
}

/// One alternative of a [`Value`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// An integer, or a null pointer (0). At most one of these per value.
    Int(Interval),
    /// A named constant of MPI: `MPI_PROC_NULL`, `MPI_COMM_WORLD`, `MPI_IN_PLACE`.
    Constant(Arc<str>),
    /// An address: an object and a number of bytes into it. At most one of these per object and value.
    Address(Object, Interval),
    /// The address of a function.
    Function(Arc<str>),
    /// A handle that an MPI call at this place made; it is not null and not predefined.
    Made(frontend::mpi::Object, Span),
    /// What a variable holds before anything is stored in it.
    Uninitialized,
}

/// A set of alternatives that covers every value an expression may have, or `anything`.
///
/// Contract: a value describes at least every concrete value that occurs; it may describe more. A claim about a
/// program therefore needs *all* alternatives, see [`Value::all`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// Sorted, without duplicates, never empty; `None` is anything.
    atoms: Option<Vec<Atom>>,
}

/// More alternatives than this are forgotten.
const MAX_ATOMS: usize = 6;

impl Interval {
    /// All integers.
    pub const ALL: Self = Self { lo: None, hi: None };

    /// Just `n`.
    #[must_use]
    pub const fn exactly(n: i128) -> Self {
        Self { lo: Some(n), hi: Some(n) }
    }

    /// From `lo` on.
    #[must_use]
    pub const fn at_least(lo: i128) -> Self {
        Self { lo: Some(lo), hi: None }
    }

    /// The one integer it holds.
    #[must_use]
    pub fn single(self) -> Option<i128> {
        self.lo.filter(|_| self.lo == self.hi)
    }

    /// The least range that covers both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            lo: self.lo.zip(other.lo).map(|(a, b)| a.min(b)),
            hi: self.hi.zip(other.hi).map(|(a, b)| a.max(b)),
        }
    }

    /// What both hold; `None` if nothing.
    #[must_use]
    pub fn meet(self, other: Self) -> Option<Self> {
        let lo = self.lo.max(other.lo);
        let hi = match (self.hi, other.hi) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        (lo.zip(hi).is_none_or(|(lo, hi)| lo <= hi)).then_some(Self { lo, hi })
    }

    /// Covers `new`, which covers `self`; moving ends go to 0 or away, so that every chain is finite.
    #[must_use]
    pub fn widen(self, new: Self) -> Self {
        let lo = if self.lo == new.lo { self.lo } else { new.lo.filter(|&lo| 0 <= lo).map(|_| 0) };
        let hi = if self.hi == new.hi { self.hi } else { new.hi.filter(|&hi| hi < 0).map(|_| -1) };
        Self { lo, hi }
    }

    /// Sum; an end that leaves `i128` is no bound.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            lo: self.lo.zip(other.lo).and_then(|(a, b)| a.checked_add(b)),
            hi: self.hi.zip(other.hi).and_then(|(a, b)| a.checked_add(b)),
        }
    }

    /// Negation.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { lo: self.hi.and_then(i128::checked_neg), hi: self.lo.and_then(i128::checked_neg) }
    }

    /// Product. Exact for bounded ranges and for unbounded ones times non-negative ones; else no bounds.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        if let (Some(a), Some(b), Some(c), Some(d)) = (self.lo, self.hi, other.lo, other.hi) {
            let ends: Option<Vec<i128>> =
                [(a, c), (a, d), (b, c), (b, d)].iter().map(|(x, y)| x.checked_mul(*y)).collect();
            let Some(ends) = ends else { return Self::ALL };
            return Self { lo: ends.iter().copied().min(), hi: ends.iter().copied().max() };
        }
        match (self.lo, other.lo) {
            (Some(a), Some(b)) if 0 <= a && 0 <= b => Self { lo: a.checked_mul(b), hi: None },
            _ => Self::ALL,
        }
    }

    /// Quotient as in C, for a constant positive divisor.
    #[must_use]
    pub fn over(self, divisor: Self) -> Self {
        match divisor.single() {
            Some(d) if 0 < d => Self { lo: self.lo.map(|n| n / d), hi: self.hi.map(|n| n / d) },
            _ => match (self.lo, divisor.lo) {
                (Some(n), Some(d)) if 0 <= n && 0 < d => Self { lo: Some(0), hi: self.hi },
                _ => Self::ALL,
            },
        }
    }

    /// Remainder as in C, for a positive divisor.
    #[must_use]
    pub fn modulo(self, divisor: Self) -> Self {
        if let (Some(n), Some(d)) = (self.single(), divisor.single().filter(|&d| 0 < d)) {
            return Self::exactly(n % d);
        }
        match divisor.lo {
            Some(d) if 0 < d => {
                let most = divisor.hi.map(|d| d - 1);
                let lo = if self.lo.is_some_and(|n| 0 <= n) { Some(0) } else { most.map(|m| -m) };
                Self { lo, hi: most }
            }
            _ => Self::ALL,
        }
    }

    /// True if every member is less than every member of `other`.
    #[must_use]
    pub fn below(self, other: Self) -> bool {
        self.hi.zip(other.lo).is_some_and(|(a, b)| a < b)
    }

    /// True if every member is at most every member of `other`.
    #[must_use]
    pub fn at_most(self, other: Self) -> bool {
        self.hi.zip(other.lo).is_some_and(|(a, b)| a <= b)
    }

    /// True if `other` holds every member.
    #[must_use]
    pub fn within(self, other: Self) -> bool {
        other.lo.is_none_or(|b| self.lo.is_some_and(|a| b <= a))
            && other.hi.is_none_or(|b| self.hi.is_some_and(|a| a <= b))
    }
}

impl Value {
    /// Anything.
    pub const ANY: Self = Self { atoms: None };

    /// One alternative.
    #[must_use]
    pub fn of(atom: Atom) -> Self {
        Self { atoms: Some(vec![atom]) }
    }

    /// Just the integer `n`.
    #[must_use]
    pub fn int(n: i128) -> Self {
        Self::range(Interval::exactly(n))
    }

    /// An integer of that range.
    #[must_use]
    pub fn range(range: Interval) -> Self {
        if range == Interval::ALL { Self::ANY } else { Self::of(Atom::Int(range)) }
    }

    /// A named constant of MPI.
    #[must_use]
    pub fn constant(name: &str) -> Self {
        Self::of(Atom::Constant(name.into()))
    }

    /// Those alternatives, merged; `None` if there is none.
    #[must_use]
    pub fn from_atoms(atoms: impl IntoIterator<Item = Atom>) -> Option<Self> {
        let mut merged: Vec<Atom> = Vec::new();
        for atom in atoms {
            insert(&mut merged, atom);
        }
        if merged.is_empty() {
            return None;
        }
        merged.sort();
        let unbounded = merged.iter().any(|a| matches!(a, Atom::Int(range) if *range == Interval::ALL));
        Some(if unbounded || MAX_ATOMS < merged.len() { Self::ANY } else { Self { atoms: Some(merged) } })
    }

    /// The alternatives; `None` is anything.
    #[must_use]
    pub fn atoms(&self) -> Option<&[Atom]> {
        self.atoms.as_deref()
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.atoms.is_none()
    }

    /// Whether every alternative satisfies `test`: what a finding needs.
    #[must_use]
    pub fn all(&self, test: impl FnMut(&Atom) -> bool) -> bool {
        self.atoms.as_ref().is_some_and(|atoms| atoms.iter().all(test))
    }

    /// Whether some alternative may satisfy `test`.
    #[must_use]
    pub fn may(&self, test: impl FnMut(&Atom) -> bool) -> bool {
        self.atoms.as_ref().is_none_or(|atoms| atoms.iter().any(test))
    }

    /// The only alternative.
    #[must_use]
    pub fn single(&self) -> Option<&Atom> {
        match self.atoms.as_deref() {
            Some([atom]) => Some(atom),
            _ => None,
        }
    }

    /// The name of the MPI constant it is.
    #[must_use]
    pub fn as_constant(&self) -> Option<&str> {
        match self.single() {
            Some(Atom::Constant(name)) => Some(name),
            _ => None,
        }
    }

    /// The range of an integer; `ALL` when it may be anything, `None` when it is something else.
    #[must_use]
    pub fn as_range(&self) -> Option<Interval> {
        match self.atoms.as_deref() {
            None => Some(Interval::ALL),
            Some([Atom::Int(range)]) => Some(*range),
            Some(_) => None,
        }
    }

    /// The range of an integer, `ALL` where it is not known to be one.
    #[must_use]
    pub fn range_or_all(&self) -> Interval {
        self.as_range().unwrap_or(Interval::ALL)
    }

    /// Whether it is the null pointer on every path.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.as_range().is_some_and(|range| range.single() == Some(0))
    }

    /// The one object and offset it is the address of.
    #[must_use]
    pub fn as_address(&self) -> Option<(&Object, Interval)> {
        match self.single() {
            Some(Atom::Address(object, offset)) => Some((object, *offset)),
            _ => None,
        }
    }

    /// The objects it may be the address of, as far as it is known.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.atoms.iter().flatten().filter_map(|atom| match atom {
            Atom::Address(object, _) => Some(object),
            _ => None,
        })
    }

    /// Covers both.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        match (&self.atoms, &other.atoms) {
            (Some(a), Some(b)) if a == b => self.clone(),
            (Some(a), Some(b)) => Self::from_atoms(a.iter().chain(b).cloned()).unwrap_or(Self::ANY),
            _ => Self::ANY,
        }
    }

    /// Covers `new`, which covers `self`; every chain of these is finite.
    #[must_use]
    pub fn widen(&self, new: &Self) -> Self {
        let (Some(old_atoms), Some(new_atoms)) = (&self.atoms, &new.atoms) else { return Self::ANY };
        let widened = new_atoms.iter().map(|atom| {
            let old = old_atoms.iter().find(|old| match (old, atom) {
                (Atom::Int(_), Atom::Int(_)) => true,
                (Atom::Address(a, _), Atom::Address(b, _)) => a == b,
                _ => false,
            });
            match (old, atom) {
                (Some(Atom::Int(old)), Atom::Int(new)) => Atom::Int(old.widen(*new)),
                (Some(Atom::Address(_, old)), Atom::Address(object, new)) => {
                    Atom::Address(object.clone(), old.widen(*new))
                }
                _ => atom.clone(),
            }
        });
        Self::from_atoms(widened).unwrap_or(Self::ANY)
    }
}

fn insert(merged: &mut Vec<Atom>, atom: Atom) {
    for present in merged.iter_mut() {
        match (present, &atom) {
            (Atom::Int(a), Atom::Int(b)) => {
                *a = a.hull(*b);
                return;
            }
            (Atom::Address(o, a), Atom::Address(p, b)) if o == p => {
                *a = a.hull(*b);
                return;
            }
            (present, atom) if present == atom => return,
            _ => {}
        }
    }
    merged.push(atom);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Value> {
        let object = Object::Local(LocalId(1));
        let mut atoms = vec![
            Atom::Constant("MPI_PROC_NULL".into()),
            Atom::Address(object.clone(), Interval::exactly(8)),
            Atom::Address(object, Interval::exactly(16)),
            Atom::Uninitialized,
        ];
        atoms.extend((-2..3).map(|n| Atom::Int(Interval::exactly(n))));
        let mut values = vec![Value::ANY];
        for a in &atoms {
            for b in &atoms {
                values.extend(Value::from_atoms([a.clone(), b.clone()]));
            }
        }
        values
    }

    /// `a` describes only what `b` describes.
    fn leq(a: &Value, b: &Value) -> bool {
        let Some(b_atoms) = b.atoms() else { return true };
        a.all(|atom| {
            b_atoms.iter().any(|other| match (atom, other) {
                (Atom::Int(x), Atom::Int(y)) => x.within(*y),
                (Atom::Address(o, x), Atom::Address(p, y)) => o == p && x.within(*y),
                _ => atom == other,
            })
        })
    }

    #[test]
    fn join_and_widen_cover_and_join_is_commutative() {
        let values = samples();
        for a in &values {
            for b in &values {
                let join = a.join(b);
                assert_eq!(join, b.join(a));
                assert!(leq(a, &join) && leq(b, &join), "{a:?} {b:?}");
                assert!(leq(&join, &a.widen(&join)), "{a:?} {b:?}");
            }
            assert_eq!(a.join(a), *a);
        }
    }

    #[test]
    fn widening_chains_end() {
        let mut value = Value::int(0);
        for n in 0..1000 {
            let next = value.widen(&value.join(&Value::int(if n % 2 == 0 { n } else { -n })));
            if next == value && 4 < n {
                return;
            }
            value = next;
        }
        panic!("still moving: {value:?}");
    }

    #[test]
    fn interval_arithmetic_agrees_with_enumeration() {
        let range = |lo, hi| Interval { lo: Some(lo), hi: Some(hi) };
        for a in -4..4 {
            for b in a..4 {
                for c in -4..4 {
                    for d in c..4 {
                        let (x, y) = (range(a, b), range(c, d));
                        for m in a..=b {
                            for n in c..=d {
                                assert!(Interval::exactly(m + n).within(x.plus(y)));
                                assert!(Interval::exactly(m * n).within(x.times(y)));
                                if n != 0 {
                                    assert!(
                                        Interval::exactly(m / n).within(x.over(y)),
                                        "{m}/{n} {x:?} {y:?}"
                                    );
                                    assert!(
                                        Interval::exactly(m % n).within(x.modulo(y)),
                                        "{m}%{n} {x:?} {y:?}"
                                    );
                                }
                                assert!(m == n || !x.below(y) || m < n);
                            }
                        }
                    }
                }
            }
        }
    }
}
