//! What is known about memory at one point of a function.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use frontend::ir::Span;

use super::domain::{Atom, Interval, Object, Value};

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

/// What one object holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Contents {
    /// By offset in bytes.
    cells: BTreeMap<i128, Cell>,
    fill: Option<Fill>,
    /// Bytes, where the types do not tell: heap blocks and variable-length arrays.
    size: Option<Interval>,
}

/// Memory: for each object, values at known offsets.
///
/// Invariant: what no cell and no fill describes may be anything. Cells of different extent that overlap hold anything:
/// a read must fit a cell exactly.
///
/// States are copied at every block, and most differ little: what is equal is shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    objects: Arc<Objects>,
    /// Objects whose address somebody else may hold: a callee, a global, an MPI operation under way.
    escaped: Arc<BTreeSet<Object>>,
}

/// What each object holds, sorted by object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Objects(Vec<(Object, Arc<Contents>)>);

/// An object with more cells than this forgets them: tables filled element by element are of no use to any rule.
const MAX_CELLS: usize = 64;

/// From this number of heap blocks on it pays to look for those that nobody holds.
const MANY_BLOCKS: usize = 8;

impl Contents {
    fn read(&self, offset: Interval, size: u64) -> Value {
        let Some(at) = offset.single() else {
            return if self.cells.is_empty() { self.filled() } else { Value::ANY };
        };
        let mut overlapping = self.overlapping(at, size);
        match (overlapping.next(), overlapping.next()) {
            (None, _) => self.filled(),
            (Some((&start, cell)), None) if start == at && cell.size == size => cell.value.clone(),
            _ => Value::ANY,
        }
    }

    fn write(&mut self, at: i128, cell: Cell) {
        let stale: Vec<i128> = self.overlapping(at, cell.size).map(|(&start, _)| start).collect();
        for start in stale {
            let Some(old) = self.cells.remove(&start) else { continue };
            // What is left of a cell that was overwritten in part holds anything.
            if start < at || at + i128::from(cell.size) < start + i128::from(old.size) {
                self.fill = None;
            }
        }
        if cell.value.is_any() && self.fill.is_none() {
            return;
        }
        self.cells.insert(at, cell);
        if MAX_CELLS < self.cells.len() {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.cells.clear();
        self.fill = None;
    }

    fn filled(&self) -> Value {
        match self.fill {
            Some(Fill::Uninitialized) => Value::of(Atom::Uninitialized),
            Some(Fill::Zero) => Value::int(0),
            None => Value::ANY,
        }
    }

    /// The cells that share a byte with the given range.
    fn overlapping(&self, at: i128, size: u64) -> impl Iterator<Item = (&i128, &Cell)> {
        let end = at.saturating_add(i128::from(size));
        self.cells.range(..end).filter(move |(start, cell)| at < start.saturating_add(i128::from(cell.size)))
    }

    fn held(&self) -> impl Iterator<Item = &Object> {
        self.cells.values().flat_map(|cell| cell.value.objects())
    }

    /// Covers both; adds to `lost` the objects whose addresses are no longer tracked.
    fn combine(
        &self,
        other: &Self,
        values: &impl Fn(&Value, &Value) -> Value,
        lost: &mut Vec<Object>,
    ) -> Self {
        let mut result = Self {
            cells: BTreeMap::new(),
            fill: self.fill.filter(|_| self.fill == other.fill),
            size: self.size.zip(other.size).map(|(a, b)| a.hull(b)),
        };
        for &at in self.cells.keys().chain(other.cells.keys()) {
            if result.cells.contains_key(&at) {
                continue;
            }
            let (mine, theirs) = (self.cells.get(&at), other.cells.get(&at));
            let size = mine.map(|c| c.size).max(theirs.map(|c| c.size)).unwrap_or(0);
            let (a, b) = (self.read(Interval::exactly(at), size), other.read(Interval::exactly(at), size));
            let value = values(&a, &b);
            if value.is_any() {
                lost.extend(a.objects().chain(b.objects()).cloned());
                if result.fill.is_none() {
                    continue;
                }
            }
            let origin = match (mine, theirs) {
                (Some(mine), Some(theirs)) if mine.origin == theirs.origin => mine.origin,
                _ => None,
            };
            result.cells.insert(at, Cell { size, value, origin });
        }
        result
    }
}

impl Objects {
    fn get(&self, object: &Object) -> Option<&Arc<Contents>> {
        self.0.binary_search_by(|(key, _)| key.cmp(object)).ok().map(|at| &self.0[at].1)
    }

    fn iter(&self) -> impl Iterator<Item = (&Object, &Arc<Contents>)> {
        self.0.iter().map(|(object, contents)| (object, contents))
    }
}

impl State {
    /// What `size` bytes at `offset` of an object hold.
    #[must_use]
    pub fn read(&self, object: &Object, offset: Interval, size: u64) -> Value {
        self.objects.get(object).map_or(Value::ANY, |contents| contents.read(offset, size))
    }

    /// The one assignment that stored what is there.
    #[must_use]
    pub fn origin(&self, object: &Object, offset: i128) -> Option<Span> {
        self.objects.get(object)?.cells.get(&offset)?.origin
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
        match offset.single() {
            Some(at) => self.change(object, |contents| contents.write(at, Cell { size, value, origin })),
            None => self.forget(object),
        }
    }

    /// The object may hold anything from now on.
    pub fn forget(&mut self, object: &Object) {
        if self.objects.get(object).is_some() {
            self.change(object, Contents::forget);
        }
    }

    /// The object comes to life, holding `fill`.
    pub fn begin(&mut self, object: &Object, fill: Option<Fill>) {
        if self.escaped.contains(object) {
            Arc::make_mut(&mut self.escaped).remove(object);
        }
        self.change(object, |contents| *contents = Contents { fill, ..Contents::default() });
    }

    /// Every value that is an address of this object becomes anything: the object is about to be another one.
    pub fn retire(&mut self, object: &Object) {
        let holders: Vec<Object> = self
            .objects
            .iter()
            .filter(|(_, contents)| contents.held().any(|held| held == object))
            .map(|(holder, _)| holder.clone())
            .collect();
        for holder in holders {
            self.change(&holder, |contents| {
                for cell in contents.cells.values_mut() {
                    if cell.value.objects().any(|held| held == object) {
                        cell.value = Value::ANY;
                    }
                }
            });
        }
    }

    /// Sets the size of a heap block or variable-length array in bytes.
    pub fn set_size(&mut self, object: &Object, size: Interval) {
        self.change(object, |contents| contents.size = Some(size));
    }

    /// The size of a heap block or variable-length array in bytes, as far as it is known.
    #[must_use]
    pub fn size(&self, object: &Object) -> Option<Interval> {
        self.objects.get(object)?.size
    }

    /// Somebody else may hold the address of the object from now on, and of everything it points to. String literals
    /// stay as they are: nobody may change them.
    pub fn escape(&mut self, object: &Object) {
        let mut pending = vec![object.clone()];
        while let Some(next) = pending.pop() {
            if matches!(next, Object::Literal(..)) || self.escaped.contains(&next) {
                continue;
            }
            pending.extend(self.objects.get(&next).into_iter().flat_map(|contents| contents.held()).cloned());
            Arc::make_mut(&mut self.escaped).insert(next);
        }
    }

    /// All escaped objects hold anything: somebody else has run.
    pub fn forget_escaped(&mut self) {
        let stale: Vec<Object> = self
            .objects
            .iter()
            .map(|(object, _)| object)
            .filter(|o| self.escaped.contains(*o))
            .cloned()
            .collect();
        for object in stale {
            self.forget(&object);
        }
    }

    /// All objects that `test` picks hold anything.
    pub fn forget_all(&mut self, test: impl Fn(&Object) -> bool) {
        let stale: Vec<Object> =
            self.objects.iter().map(|(object, _)| object).filter(|object| test(object)).cloned().collect();
        for object in stale {
            self.forget(&object);
        }
    }

    /// Forgets objects that nothing will ask for: those that `test` does not pick, and heap blocks whose address nobody
    /// is known to hold.
    pub(super) fn keep_only(&mut self, test: impl Fn(&Object) -> bool) {
        if !self.objects.iter().all(|(object, _)| test(object)) {
            Arc::make_mut(&mut self.objects).0.retain(|(object, _)| test(object));
        }
        let is_block = |object: &Object| matches!(object, Object::Heap(_));
        if self.objects.iter().filter(|(object, _)| is_block(object)).count() < MANY_BLOCKS {
            return;
        }
        let held: BTreeSet<Object> = self
            .objects
            .iter()
            .flat_map(|(_, contents)| contents.held())
            .filter(|o| is_block(o))
            .cloned()
            .collect();
        let is_needed = |object: &Object| !is_block(object) || held.contains(object);
        if !self.objects.iter().all(|(object, _)| is_needed(object)) {
            Arc::make_mut(&mut self.objects).0.retain(|(object, _)| is_needed(object));
        }
        if !self.escaped.iter().all(is_needed) {
            Arc::make_mut(&mut self.escaped).retain(is_needed);
        }
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
        let changed: Vec<(Object, Interval)> = self
            .objects
            .iter()
            .filter_map(|(object, contents)| {
                let (old, new) = (contents.size?, widened.size(object)?);
                (old != new).then(|| (object.clone(), old.widen(new)))
            })
            .collect();
        for (object, size) in changed {
            widened.set_size(&object, size);
        }
        widened
    }

    fn combine(&self, other: &Self, values: impl Fn(&Value, &Value) -> Value) -> Self {
        let escaped = if Arc::ptr_eq(&self.escaped, &other.escaped) || other.escaped.is_subset(&self.escaped)
        {
            self.escaped.clone()
        } else {
            Arc::new(self.escaped.union(&other.escaped).cloned().collect())
        };
        if Arc::ptr_eq(&self.objects, &other.objects) {
            return Self { objects: self.objects.clone(), escaped };
        }
        let mut lost = Vec::new();
        let mut objects = Vec::with_capacity(self.objects.0.len().min(other.objects.0.len()));
        let (mut mine, mut theirs) = (self.objects.0.iter().peekable(), other.objects.0.iter().peekable());
        while let (Some((a, x)), Some((b, y))) = (mine.peek(), theirs.peek()) {
            match a.cmp(b) {
                Ordering::Equal => {
                    let combined = if Arc::ptr_eq(x, y) || x == y {
                        x.clone()
                    } else {
                        Arc::new(x.combine(y, &values, &mut lost))
                    };
                    objects.push((a.clone(), combined));
                    mine.next();
                    theirs.next();
                }
                // An object known on one side only may be anything.
                Ordering::Less => {
                    lost.extend(x.held().cloned());
                    mine.next();
                }
                Ordering::Greater => {
                    lost.extend(y.held().cloned());
                    theirs.next();
                }
            }
        }
        lost.extend(mine.chain(theirs).flat_map(|(_, contents)| contents.held()).cloned());
        let objects = Objects(objects);
        let mut result = Self { objects: Arc::new(objects), escaped };
        // Addresses that are no longer tracked may be written through unnoticed.
        for object in lost {
            result.escape(&object);
        }
        result
    }

    fn change(&mut self, object: &Object, change: impl FnOnce(&mut Contents)) {
        let Objects(objects) = Arc::make_mut(&mut self.objects);
        let at = match objects.binary_search_by(|(key, _)| key.cmp(object)) {
            Ok(at) => at,
            Err(at) => {
                objects.insert(at, (object.clone(), Arc::default()));
                at
            }
        };
        change(Arc::make_mut(&mut objects[at].1));
        if *objects[at].1 == Contents::default() {
            objects.remove(at);
        }
    }
}
