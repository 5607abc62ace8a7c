//! The memory of one process set: objects, and what is known about the scalars in them.
//!
//! An object is a variable, a heap allocation or a string; a cell is a scalar at a byte offset in it. What no cell says is
//! said by the object's background. Of elements that a loop has written a series tells, see [`super::series`]. Writes at unknown
//! offsets cost the whole object, never more.

use std::collections::BTreeMap;
use std::sync::Arc;

use effort::spend_on;
use frontend::ir::{GlobalId, LocalId, Span};
use frontend::program::FunctionRef;
use lattice::Symbol;
use rustc_hash::FxHashMap;

use super::pages::Pages;
use super::series::Series;
use super::value::Value;

/// A chain of call sites; [`ContextId::MAIN`] is the entry point's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ContextId(u32);

impl ContextId {
    pub(crate) const MAIN: Self = Self(0);
    /// All chains of code that is passed over.
    pub(crate) const PASSED: Self = Self(u32::MAX);
}

/// An object of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ObjectId(u32);

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ObjectKind {
    /// A local variable of one activation.
    Local(ContextId, FunctionRef, LocalId),
    /// A local variable with static storage.
    Static(FunctionRef, LocalId),
    /// A variable of file scope.
    Global(usize, GlobalId),
    /// Memory allocated by a call.
    Heap(ContextId, usize, Span),
    /// A string literal.
    Literal(Arc<str>),
    /// The elements of `argv`.
    CommandLine,
    /// What results of library functions depend on besides their arguments, see [`super::environment`].
    Environment,
    /// Memory that the library owns, by the function that tells where it is.
    Library(&'static str),
    /// Who the neighbours of the process are in a graph communicator of this name, see [`super::neighbours`].
    Neighbours(Arc<str>),
}

impl ObjectKind {
    /// Whether the object is none of the program's: it is changed by functions that say so only.
    pub(crate) fn is_library(&self) -> bool {
        match self {
            Self::Literal(_)
            | Self::CommandLine
            | Self::Environment
            | Self::Library(_)
            | Self::Neighbours(_) => true,
            Self::Local(..) | Self::Static(..) | Self::Global(..) | Self::Heap(..) => false,
        }
    }
}

/// Gives out contexts and objects.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    kinds: Vec<ObjectKind>,
    index: FxHashMap<ObjectKind, ObjectId>,
    contexts: FxHashMap<(ContextId, usize, Span), ContextId>,
    /// The calls that contexts end with, each with that of the caller.
    calls: Vec<(ContextId, usize, Span)>,
}

impl Objects {
    pub(crate) fn object(&mut self, kind: ObjectKind) -> ObjectId {
        if let Some(&id) = self.index.get(&kind) {
            return id;
        }
        let id = ObjectId(
            u32::try_from(self.kinds.len()).expect("the step budget allows fewer than 2^32 objects"),
        );
        self.kinds.push(kind.clone());
        self.index.insert(kind, id);
        id
    }

    pub(crate) fn kind(&self, id: ObjectId) -> &ObjectKind {
        &self.kinds[id.0 as usize]
    }

    pub(crate) fn context(&mut self, caller: ContextId, unit: usize, call: Span) -> ContextId {
        let next =
            u32::try_from(self.contexts.len() + 1).expect("the step budget allows fewer than 2^32 calls");
        let calls = &mut self.calls;
        *self.contexts.entry((caller, unit, call)).or_insert_with(|| {
            calls.push((caller, unit, call));
            ContextId(next)
        })
    }

    /// The last call of a chain, and the chain that leads to it; `None`: it has none, or stands for all chains.
    pub(crate) fn caller(&self, context: ContextId) -> Option<(ContextId, usize, Span)> {
        self.calls.get(usize::try_from(context.0).ok()?.checked_sub(1)?).copied()
    }
}

/// What is known about the bytes of an object that no cell covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Background {
    /// All zero: static storage, `calloc`.
    Zero,
    /// Nothing has been written yet: a program that reads them has no defined meaning.
    Undefined,
    /// Not known, but a function of this symbol: equal symbols are equal bytes.
    Uniform(Symbol),
    /// Anything.
    Unknown,
}

impl Background {
    /// What holds where either holds; `None` when a description of both would lose something.
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Self::Undefined | Self::Unknown, Self::Undefined | Self::Unknown) => Some(Self::Unknown),
            _ => None,
        }
    }
}

/// The name of what bytes that are all zero are a function of.
pub(crate) const ZERO_BYTES: &str = "zero bytes";

/// The name of what bytes that nobody has written are a function of.
pub(crate) const UNDEFINED_BYTES: &str = "undefined bytes";

/// Largest scalar in bytes.
pub(crate) const LARGEST_SCALAR: u64 = 32;

/// Largest cell in bytes. One that is larger than a scalar holds [`Value::Same`]: its bytes are a function of that symbol.
pub(crate) const LARGEST_CELL: u64 = 4096;

/// The content of one object.
#[derive(Debug, PartialEq)]
pub(crate) struct Content {
    pub(crate) background: Background,
    /// `(size in bytes, value)` by byte offset; cells do not overlap.
    pub(crate) cells: BTreeMap<i64, (u64, Value)>,
    /// What the bytes of some elements are, whatever cells and background say of them; no two share a byte.
    pub(crate) series: Vec<Series>,
    /// Whether the object stands for several, so that a write may miss the one that is read.
    pub(crate) summary: bool,
}

impl Clone for Content {
    fn clone(&self) -> Self {
        spend_on(2 + 2 * self.cells.len() + self.series.len());
        let (cells, series) = (self.cells.clone(), self.series.clone());
        Self { background: self.background, cells, series, summary: self.summary }
    }
}

impl Content {
    pub(crate) fn new(background: Background) -> Self {
        Self { background, cells: BTreeMap::new(), series: Vec::new(), summary: false }
    }

    fn overlapping(&self, offset: i64, size: u64) -> Vec<i64> {
        let end = end_of(offset, size);
        let first = offset.saturating_sub_unsigned(LARGEST_CELL);
        self.cells
            .range(first..end)
            .filter(|&(&start, &(length, _))| end_of(start, length) > offset)
            .map(|(&start, _)| start)
            .collect()
    }

    /// The value of so many bytes, where that is known whatever the numbers of the program are.
    pub(crate) fn read(&self, offset: i64, size: u64) -> Value {
        if self.series.is_empty() { self.read_below(offset, size) } else { Value::Unknown }
    }

    /// The value of so many bytes that no series concerns.
    pub(crate) fn read_below(&self, offset: i64, size: u64) -> Value {
        match self.overlapping(offset, size)[..] {
            [] if self.background == Background::Zero => Value::int(0),
            [start] if start == offset && self.cells[&start].0 == size => self.cells[&start].1.clone(),
            _ => Value::Unknown,
        }
    }

    /// Whether nobody has written these bytes yet.
    pub(crate) fn is_undefined(&self, offset: i64, size: u64) -> bool {
        self.background == Background::Undefined
            && self.series.is_empty()
            && self.overlapping(offset, size).is_empty()
    }

    /// Whether nobody has written any byte yet.
    pub(crate) fn is_untouched(&self) -> bool {
        self.background == Background::Undefined && self.cells.is_empty() && self.series.is_empty()
    }

    /// The symbol that some bytes are a function of, and where in it they are, when they are nothing by themselves.
    pub(crate) fn part_of(&self, offset: i64, size: u64) -> Option<(Symbol, i64)> {
        if !self.series.is_empty() {
            return None;
        }
        match (&self.overlapping(offset, size)[..], self.background) {
            ([], Background::Uniform(symbol)) => Some((symbol, offset)),
            (&[start], _) => {
                let (length, value) = &self.cells[&start];
                let inside = start <= offset && end_of(offset, size) <= end_of(start, *length);
                match value {
                    Value::Same(symbol) if *length > LARGEST_SCALAR && inside => {
                        Some((*symbol, offset - start))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Writes so many bytes; of a content with series nothing else is known afterwards.
    pub(crate) fn write(&mut self, offset: i64, size: u64, value: Value) {
        if !self.series.is_empty() {
            self.forget();
        }
        self.write_below(offset, size, value);
    }

    /// Writes so many bytes that no series concerns.
    pub(crate) fn write_below(&mut self, offset: i64, size: u64, value: Value) {
        let end = end_of(offset, size);
        for start in self.overlapping(offset, size) {
            // What is left of a cell is neither what the cell was nor what the background says.
            if let Some((length, _)) = self.cells.remove(&start) {
                self.blot(start, offset);
                self.blot(end, end_of(start, length));
            }
        }
        let value = if self.summary { Value::Unknown } else { value };
        if value != Value::Unknown || self.background != Background::Unknown {
            self.cells.insert(offset, (size, value));
        }
    }

    /// Some bytes, moved to offset 0; of a content with series nothing is known then.
    pub(crate) fn section(&self, start: i64, size: u64) -> Self {
        if !self.series.is_empty() {
            return Self::new(Background::Unknown);
        }
        let mut copy = Self::new(match self.background {
            // Bytes at another offset are another function of the symbol.
            Background::Uniform(_) if start != 0 => Background::Unknown,
            background => background,
        });
        let end = end_of(start, size);
        for at in self.overlapping(start, size) {
            let (length, value) = &self.cells[&at];
            if start <= at && end_of(at, *length) <= end {
                copy.cells.insert(at - start, (*length, value.clone()));
            } else {
                copy.blot(at.max(start) - start, end_of(at, *length).min(end) - start);
            }
        }
        if copy.cells.values().map(|(length, _)| length).sum::<u64>() >= size {
            // Nothing shows of it.
            copy.background = Background::Undefined;
        }
        copy
    }

    /// Overwrites some bytes that no series concerns with a content that begins at offset 0; the series of that are lost.
    pub(crate) fn overwrite(&mut self, start: i64, size: u64, content: Self) {
        self.write_below(start, size, Value::Unknown);
        if !content.series.is_empty() {
            return;
        }
        let alike =
            self.background == content.background && !matches!(self.background, Background::Uniform(_));
        if alike {
            self.cells.remove(&start);
        }
        for (offset, (length, value)) in content.cells {
            self.write_below(start.saturating_add(offset), length, value);
        }
    }

    /// Makes the bytes between two offsets, which no cell covers, unknown.
    fn blot(&mut self, start: i64, end: i64) {
        if start < end && self.background != Background::Unknown {
            self.cells.insert(start, (end.abs_diff(start), Value::Unknown));
        }
    }

    pub(crate) fn forget(&mut self) {
        self.cells.clear();
        self.series.clear();
        self.background = Background::Unknown;
    }
}

/// One past the last byte of a cell.
fn end_of(offset: i64, size: u64) -> i64 {
    offset.saturating_add_unsigned(size)
}

/// The memory of one process set; cheap to clone, and cheap to write to after that: only what is written to is copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    objects: Pages<Content>,
    /// What has been written since somebody watches.
    watch: Option<Vec<Write>>,
}

/// Something written to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    /// So many bytes of an object from this offset on.
    Bytes(ObjectId, i64, u64),
    /// Something in an object.
    Some(ObjectId),
    /// A new object has taken the place of an old one.
    New(ObjectId),
    /// The object is no more.
    Gone(ObjectId),
}

impl Memory {
    /// All objects with their content.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (ObjectId, &Arc<Content>)> {
        self.objects.iter().map(|(number, content)| (ObjectId(number), content))
    }

    /// The number of objects and cells.
    pub(crate) fn weight(&self) -> usize {
        self.objects().map(|(_, content)| 1 + content.cells.len() + content.series.len()).sum()
    }

    pub(crate) fn get(&self, object: ObjectId) -> Option<&Content> {
        self.objects.get(object.0).map(Arc::as_ref)
    }

    /// Adds an object with the content that it has had all along.
    pub(crate) fn initialise(&mut self, object: ObjectId, content: impl Into<Arc<Content>>) {
        self.objects.insert(object.0, content.into());
    }

    pub(crate) fn insert(&mut self, object: ObjectId, content: impl Into<Arc<Content>>) {
        self.note(Write::New(object));
        self.initialise(object, content);
    }

    /// An object, to be written to anywhere.
    pub(crate) fn content(&mut self, object: ObjectId) -> &mut Content {
        self.note(Write::Some(object));
        self.writable(object)
    }

    /// Writes a scalar.
    pub(crate) fn write(&mut self, object: ObjectId, offset: i64, size: u64, value: Value) {
        self.note(Write::Bytes(object, offset, size));
        self.writable(object).write(offset, size, value);
    }

    /// Writes a scalar that no series of the object concerns.
    pub(crate) fn write_below(&mut self, object: ObjectId, offset: i64, size: u64, value: Value) {
        self.note(Write::Bytes(object, offset, size));
        self.writable(object).write_below(offset, size, value);
    }

    fn writable(&mut self, object: ObjectId) -> &mut Content {
        self.objects.get_mut_or(object.0, || Content::new(Background::Unknown))
    }

    pub(crate) fn remove(&mut self, object: ObjectId) {
        if self.objects.remove(object.0) {
            self.note(Write::Gone(object));
        }
    }

    /// Keeps a record of what is written from now on.
    pub(crate) fn watch(&mut self) {
        self.watch = Some(Vec::new());
    }

    /// Ends the record that [`Memory::watch`] began.
    pub(crate) fn watched(&mut self) -> Vec<Write> {
        self.watch.take().unwrap_or_default()
    }

    fn note(&mut self, write: Write) {
        if let Some(writes) = &mut self.watch {
            writes.push(write);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(symbol: u32) -> Value {
        Value::Same(Symbol::of(symbol))
    }

    /// For each place of a cell and of a byte that is written: what is left of the cell is not zero, though all else is.
    #[test]
    fn what_is_left_of_a_cell_is_unknown() {
        for start in 0..6 {
            for at in 0..12 {
                let mut content = Content::new(Background::Zero);
                content.write(start, 4, same(7));
                content.write(at, 1, Value::int(1));
                for byte in 0..12 {
                    let expected = match byte {
                        _ if byte == at => Value::int(1),
                        _ if (start..start + 4).contains(&byte) => Value::Unknown,
                        _ => Value::int(0),
                    };
                    assert_eq!(content.read(byte, 1), expected, "cell {start}, write {at}, byte {byte}");
                }
            }
        }
    }

    /// Bytes that are taken out and put back elsewhere are what they were, and those around them stay.
    #[test]
    fn bytes_can_be_moved() {
        for background in [Background::Zero, Background::Undefined, Background::Unknown] {
            let mut from = Content::new(background);
            from.write(8, 4, Value::int(3));
            from.write(12, 4, same(5));
            let mut to = Content::new(Background::Zero);
            to.write(0, 4, Value::int(1));
            to.write(20, 4, Value::int(2));
            to.overwrite(4, 16, from.section(4, 16));
            let read = |offset| to.read(offset, 4);
            assert_eq!(
                [read(0), read(8), read(12), read(20)],
                [Value::int(1), Value::int(3), same(5), Value::int(2)]
            );
            let padding = if background == Background::Zero { Value::int(0) } else { Value::Unknown };
            assert_eq!([read(4), read(16)], [padding.clone(), padding], "{background:?}");
        }
    }

    /// Bytes that are known by a symbol only are found under it, in the background and in a long cell, but not across their ends.
    #[test]
    fn uniform_bytes_are_parts_of_a_symbol() {
        let mut content = Content::new(Background::Uniform(Symbol::of(9)));
        content.write(100, LARGEST_SCALAR + 8, same(4));
        assert_eq!(content.part_of(40, 4), Some((Symbol::of(9), 40)));
        assert_eq!(content.part_of(104, 8), Some((Symbol::of(4), 4)));
        assert_eq!(content.part_of(96, 8), None);
        content.write(104, 8, Value::Unknown);
        assert_eq!(content.part_of(100, 4), None, "a long cell does not survive a write to it");
        assert_eq!(content.section(4, 8).background, Background::Unknown);
    }
}
