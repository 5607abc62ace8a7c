//! What the analysis knows of a value: how much ranks agree on it, and what it may point to.

use std::collections::BTreeMap;

use crate::engine::memory::ObjectId;

/// How much ranks agree on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Level {
    /// There is no value yet.
    #[default]
    Bottom,
    /// Equal.
    Uniform,
    /// Perhaps different.
    Varying,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Abstract {
    pub(super) level: Level,
    /// Objects that it may point to, with the byte offset if that is a number.
    pub(super) targets: BTreeMap<ObjectId, Option<i64>>,
    /// Whether it may point into a string outside of the program's objects, or be a literal.
    pub(super) text: bool,
    /// Whether it may point to anything else.
    pub(super) wild: bool,
    /// Whether it may be anything but one of the addresses.
    pub(super) plain: bool,
    /// Whether it may be anything but one of the addresses and zero.
    pub(super) number: bool,
}

impl Abstract {
    /// A number.
    pub(super) fn of(level: Level) -> Self {
        Self { level, plain: true, number: true, ..Self::default() }
    }

    /// Zero, or a null pointer.
    pub(super) fn zero() -> Self {
        Self { number: false, ..Self::of(Level::Uniform) }
    }

    /// What may be anything.
    pub(super) fn varying() -> Self {
        Self { wild: true, ..Self::of(Level::Varying) }
    }

    /// A string outside of the program's objects.
    pub(super) fn text(level: Level) -> Self {
        Self { text: true, ..Self::of(level) }
    }

    /// A pointer of which only that ranks agree is known.
    pub(super) fn opaque(level: Level) -> Self {
        Self { wild: true, ..Self::of(level) }
    }

    /// Whether ranks agree on it, and it is null or points into a string outside of the program's objects.
    pub(super) fn is_text(&self) -> bool {
        self.level == Level::Uniform && self.targets.is_empty() && !self.wild
    }

    /// The address of some byte of an object, on which ranks agree.
    pub(super) fn address(object: ObjectId, offset: Option<i64>) -> Self {
        Self { level: Level::Uniform, targets: BTreeMap::from([(object, offset)]), ..Self::default() }
    }

    /// Makes it describe what another describes, too.
    pub(super) fn join(&mut self, other: &Self) {
        self.level = self.level.max(other.level);
        self.text |= other.text;
        self.wild |= other.wild;
        self.plain |= other.plain;
        self.number |= other.number;
        for (&object, &offset) in &other.targets {
            let known = self.targets.entry(object).or_insert(offset);
            if *known != offset {
                *known = None;
            }
        }
    }

    /// The same where ranks agree on it no more than so much.
    pub(super) fn at_least(mut self, level: Level) -> Self {
        self.level = self.level.max(level);
        self
    }
}
