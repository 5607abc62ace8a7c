//! What is known about memory at one point of a function.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::Span;

use super::domain::{Interval, Object, Value};

/// What an object holds where no cell says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Nothing has been stored since it came to life.
    Uninitialized,
    /// All bytes are zero.
    Zero,
}

/// A stored value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell {
    /// Bytes it takes.
    size: u64,
    value: Value,
    /// The assignment that stored it, when there is only one.
    origin: Option<Span>,
}

/// Memory: for each object, values at known offsets.
///
/// Invariant: what no cell and no fill describes may be anything. Cells of different extent that overlap hold anything:
/// a read must fit a cell exactly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    cells: BTreeMap<(Object, i128), Cell>,
    fills: BTreeMap<Object, Fill>,
    /// Bytes of objects whose size the types do not tell: heap blocks and variable-length arrays.
    sizes: BTreeMap<Object, Interval>,
    /// Objects whose address somebody else may hold: a callee, a global, an MPI operation under way.
    escaped: BTreeSet<Object>,
}

/// An object with more cells than this forgets them: tables filled element by element are of no use to any rule.
const MAX_CELLS: usize = 64;

impl State {
    /// What `size` bytes at `offset` of an object hold.
    #[must_use]
    pub fn read(&self, object: &Object, offset: Interval, size: u64) -> Value {
        let Some(at) = offset.single() else {
            let untouched = self.cells_of(object).next().is_none();
            return if untouched { self.filled(object) } else { Value::ANY };
        };
        match self.cells.get(&(object.clone(), at)) {
            Some(cell) if cell.size == size => {
                if self.overlapping(object, at, size).nth(1).is_some() {
                    Value::ANY
                } else {
                    cell.value.clone()
                }
            }
            Some(_) => Value::ANY,
            None if self.overlapping(object, at, size).next().is_some() => Value::ANY,
            None => self.filled(object),
        }
    }

    /// The one assignment that stored what is there.
    #[must_use]
    pub fn origin(&self, object: &Object, offset: i128) -> Option<Span> {
        self.cells.get(&(object.clone(), offset)).and_then(|cell| cell.origin)
    }

    /// Stores a value. An offset that is not exact makes the object hold anything.
    pub fn write(
        &mut self,
        object: &Object,
        offset: Interval,
        size: u64,
        value: Value,
        origin: Option<Span>,
    ) {
        let Some(at) = offset.single() else {
            self.forget(object);
            return;
        };
        let stale: Vec<i128> = self.overlapping(object, at, size).collect();
        for start in stale {
            let cell = self.cells.remove(&(object.clone(), start));
            // What is left of a cell that was overwritten in part holds anything.
            if let Some(cell) = cell.filter(|_| self.fills.contains_key(object))
                && (start < at || at + i128::from(size) < start + i128::from(cell.size))
            {
                self.fills.remove(object);
            }
        }
        if value.is_any() && !self.fills.contains_key(object) {
            return;
        }
        self.cells.insert((object.clone(), at), Cell { size, value, origin });
        if MAX_CELLS < self.cells_of(object).count() {
            self.forget(object);
        }
    }

    /// The object may hold anything from now on.
    pub fn forget(&mut self, object: &Object) {
        let keys: Vec<_> = self.cells_of(object).map(|(key, _)| key.clone()).collect();
        for key in keys {
            self.cells.remove(&key);
        }
        self.fills.remove(object);
    }

    /// The object comes to life: no cells, holding `fill`.
    pub fn begin(&mut self, object: &Object, fill: Option<Fill>) {
        self.forget(object);
        self.escaped.remove(object);
        if let Some(fill) = fill {
            self.fills.insert(object.clone(), fill);
        }
    }

    /// Every value that is an address of this object becomes anything: the object is about to be another one.
    pub fn retire(&mut self, object: &Object) {
        for cell in self.cells.values_mut() {
            if cell.value.objects().any(|held| held == object) {
                cell.value = Value::ANY;
            }
        }
        self.sizes.remove(object);
    }

    /// Sets the size of a heap block or variable-length array in bytes.
    pub fn set_size(&mut self, object: &Object, size: Interval) {
        self.sizes.insert(object.clone(), size);
    }

    /// The size of a heap block or variable-length array in bytes, as far as it is known.
    #[must_use]
    pub fn size(&self, object: &Object) -> Option<Interval> {
        self.sizes.get(object).copied()
    }

    /// Somebody else may hold the address of the object from now on, and of everything it points to.
    pub fn escape(&mut self, object: &Object) {
        let mut pending = vec![object.clone()];
        while let Some(next) = pending.pop() {
            let held: Vec<Object> =
                self.cells_of(&next).flat_map(|(_, cell)| cell.value.objects().cloned()).collect();
            if self.escaped.insert(next) {
                pending.extend(held);
            }
        }
    }

    /// All escaped objects hold anything: somebody else has run.
    pub fn forget_escaped(&mut self) {
        for object in self.escaped.clone() {
            self.forget(&object);
        }
    }

    /// All objects of which something is known.
    #[must_use]
    pub fn known_objects(&self) -> BTreeSet<Object> {
        self.cells.keys().map(|(object, _)| object.clone()).chain(self.fills.keys().cloned()).collect()
    }

    /// Covers both states.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a.join(b))
    }

    /// Covers `new`, which covers `self`; every chain of these is finite.
    #[must_use]
    pub fn widen(&self, new: &Self) -> Self {
        let mut widened = self.combine(new, |a, b| a.widen(b));
        for (object, size) in &mut widened.sizes {
            if let (Some(old), Some(new)) = (self.sizes.get(object), new.sizes.get(object)) {
                *size = old.widen(*new);
            }
        }
        widened
    }

    fn combine(&self, other: &Self, values: impl Fn(&Value, &Value) -> Value) -> Self {
        let mut result = Self {
            cells: BTreeMap::new(),
            fills: self
                .fills
                .iter()
                .filter(|(o, f)| other.fills.get(o) == Some(f))
                .map(|(o, f)| (o.clone(), *f))
                .collect(),
            sizes: BTreeMap::new(),
            escaped: self.escaped.union(&other.escaped).cloned().collect(),
        };
        for (object, size) in &self.sizes {
            if let Some(other) = other.sizes.get(object) {
                result.sizes.insert(object.clone(), size.hull(*other));
            }
        }
        let mut lost = Vec::new();
        for key in self.cells.keys().chain(other.cells.keys()) {
            if result.cells.contains_key(key) {
                continue;
            }
            let (object, at) = key;
            let (mine, theirs) = (self.cells.get(key), other.cells.get(key));
            let size = mine.map(|c| c.size).max(theirs.map(|c| c.size)).unwrap_or(0);
            let read = |state: &Self| state.read(object, Interval::exactly(*at), size);
            let (a, b) = (read(self), read(other));
            let value = values(&a, &b);
            if value.is_any() {
                lost.extend(a.objects().chain(b.objects()).cloned());
                if !result.fills.contains_key(object) {
                    continue;
                }
            }
            let origin = match (mine, theirs) {
                (Some(mine), Some(theirs)) if mine.origin == theirs.origin => mine.origin,
                _ => None,
            };
            result.cells.insert(key.clone(), Cell { size, value, origin });
        }
        // Addresses that are no longer tracked may be written through unnoticed.
        for object in lost {
            result.escape(&object);
        }
        result
    }

    fn filled(&self, object: &Object) -> Value {
        match self.fills.get(object) {
            Some(Fill::Uninitialized) => Value::of(super::domain::Atom::Uninitialized),
            Some(Fill::Zero) => Value::int(0),
            None => Value::ANY,
        }
    }

    fn cells_of<'s>(
        &'s self,
        object: &Object,
    ) -> impl Iterator<Item = (&'s (Object, i128), &'s Cell)> + use<'s> {
        let object = object.clone();
        let from = (object.clone(), i128::MIN);
        let to = (object, i128::MAX);
        self.cells.range(from..=to)
    }

    /// Offsets of the cells that share a byte with the given range.
    fn overlapping<'s>(
        &'s self,
        object: &Object,
        at: i128,
        size: u64,
    ) -> impl Iterator<Item = i128> + use<'s> {
        let end = at.saturating_add(i128::from(size));
        self.cells_of(object)
            .filter(move |((_, start), cell)| {
                *start < end && at < start.saturating_add(i128::from(cell.size))
            })
            .map(|((_, start), _)| *start)
    }
}
