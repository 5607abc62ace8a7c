//! Names in scope: variables, functions, typedefs, enumerators, and the tags of records and enums.

use rustc_hash::FxHashMap;

use crate::ir::{GlobalId, LocalId, RecordId, TypeId};

use super::alignment::Alignment;

/// What an ordinary identifier means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// A typedef name, with the alignment that it carries.
    Type(TypeId, Alignment),
    /// A parameter or local variable.
    Local(LocalId),
    /// A variable of file scope.
    Global(GlobalId),
    /// A function, by its type.
    Function(TypeId),
    /// An enumerator.
    Enumerator(i128, TypeId),
}

/// What a tag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// `struct` or `union`.
    Record(RecordId),
    /// `enum`.
    Enum(TypeId),
}

/// One name space with nested scopes.
#[derive(Debug)]
struct Space<'t, T> {
    names: FxHashMap<&'t str, Vec<(u32, T)>>,
    /// Names declared in each open scope, innermost last; file scope is not among them.
    opened: Vec<Vec<&'t str>>,
}

impl<'t, T: Copy> Space<'t, T> {
    fn depth(&self) -> u32 {
        self.opened.len() as u32
    }

    fn get(&self, name: &str) -> Option<T> {
        self.names.get(name)?.last().map(|&(_, value)| value)
    }

    fn here(&self, name: &str) -> Option<T> {
        let depth = self.depth();
        self.names.get(name)?.last().filter(|&&(d, _)| d == depth).map(|&(_, value)| value)
    }

    fn set(&mut self, name: &'t str, value: T) {
        let depth = self.depth();
        let entries = self.names.entry(name).or_default();
        match entries.last_mut() {
            Some((d, old)) if *d == depth => *old = value,
            _ => {
                entries.push((depth, value));
                if let Some(scope) = self.opened.last_mut() {
                    scope.push(name);
                }
            }
        }
    }

    fn close(&mut self) {
        for name in self.opened.pop().unwrap_or_default() {
            if let Some(entries) = self.names.get_mut(name) {
                entries.pop();
            }
        }
    }
}

/// All scopes open at a point of the text.
#[derive(Debug)]
pub(super) struct Scopes<'t> {
    symbols: Space<'t, Symbol>,
    tags: Space<'t, Tag>,
    /// Whether a typedef with an alignment of its own was declared so far.
    has_alignments: bool,
}

impl Default for Scopes<'_> {
    fn default() -> Self {
        Self {
            symbols: Space { names: FxHashMap::default(), opened: Vec::new() },
            tags: Space { names: FxHashMap::default(), opened: Vec::new() },
            has_alignments: false,
        }
    }
}

impl<'t> Scopes<'t> {
    /// Opens a block.
    pub(super) fn open(&mut self) {
        self.symbols.opened.push(Vec::new());
        self.tags.opened.push(Vec::new());
    }

    /// Closes the innermost block.
    pub(super) fn close(&mut self) {
        self.symbols.close();
        self.tags.close();
    }

    /// The meaning of a name.
    pub(super) fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name)
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, name: &'t str, symbol: Symbol) {
        self.has_alignments |= matches!(symbol, Symbol::Type(_, Alignment::Chosen(_) | Alignment::Unknown));
        self.symbols.set(name, symbol);
    }

    /// Whether there may be objects with an alignment that their type does not have by itself.
    pub(super) fn has_alignments(&self) -> bool {
        self.has_alignments
    }

    /// The meaning of a tag.
    pub(super) fn tag(&self, name: &str) -> Option<Tag> {
        self.tags.get(name)
    }

    /// The meaning of a tag declared in the innermost scope.
    pub(super) fn tag_here(&self, name: &str) -> Option<Tag> {
        self.tags.here(name)
    }

    /// Declares a tag in the innermost scope.
    pub(super) fn declare_tag(&mut self, name: &'t str, tag: Tag) {
        self.tags.set(name, tag);
    }
}
