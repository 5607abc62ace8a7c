//! Which records hold others by value: none holds itself, and none so many that following them all would take too long.
//!
//! Whoever follows the members of a record relies on this: sizes, initialisers, datatypes of structs.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{RecordId, RecordKind, Span, Type, TypeId, TypeTable};

use super::unit::UnitLowerer;

/// Records nested deeper than this by value are not C that anyone wrote.
const MAX_LEVELS: u32 = 200;

/// A record holds at most so many members in all, with those of the records in it; each array counts as one element.
const MAX_MEMBERS: u64 = 1 << 16;

/// What a record holds by value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// How many records are nested in it, one in the other.
    levels: u32,
    /// Its members in all.
    members: u64,
}

/// What is known of all records of a unit.
#[derive(Debug, Default)]
pub(super) struct Containment {
    held: FxHashMap<RecordId, Held>,
    /// Records that were members of others before their own members were known.
    early: FxHashSet<RecordId>,
}

impl Containment {
    /// Takes down what a record holds, whose members are all known now.
    pub(super) fn complete(&mut self, record: RecordId, held: Held) {
        self.held.insert(record, held);
    }

    /// Whether a record was a member of another one before its own members were known. What such a one holds is never learnt: a
    /// definition that follows is of another record.
    pub(super) fn is_member(&self, record: RecordId) -> bool {
        self.early.contains(&record)
    }

    /// Whether `inner` is `outer` or holds it by value.
    fn holds(&self, types: &TypeTable, inner: RecordId, outer: RecordId) -> bool {
        if inner == outer {
            return true;
        }
        if !self.early.contains(&outer) {
            return false;
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![inner];
        while let Some(record) = open.pop() {
            if record == outer {
                return true;
            }
            if seen.insert(record) {
                let fields = types.record(record).fields.as_deref().unwrap_or_default();
                open.extend(fields.iter().filter_map(|field| record_in(types, field.ty)));
            }
        }
        false
    }
}

/// The record that an object of a type consists of, or that its elements are.
fn record_in(types: &TypeTable, ty: TypeId) -> Option<RecordId> {
    let mut at = ty;
    while let Type::Array(element, _) = types.get(at) {
        at = *element;
    }
    match *types.get(at) {
        Type::Record(record) => Some(record),
        _ => None,
    }
}

impl UnitLowerer<'_> {
    /// The type of a member of `record`, which holds `held` so far: the one declared, or an unknown one where that would be endless or
    /// too much, which is said then.
    pub(super) fn member_type(
        &mut self,
        record: RecordId,
        ty: TypeId,
        held: &mut Held,
        span: Span,
    ) -> TypeId {
        let Some(inner) = record_in(&self.types, ty) else {
            held.members += 1;
            return ty;
        };
        let kind = |record| match self.types.record(record).kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        };
        let named = |record| match &self.types.record(record).name {
            Some(name) => format!("{} `{name}`", kind(record)),
            None => format!("a {} without a name", kind(record)),
        };
        if self.containment.holds(&self.types, inner, record) {
            let message = if inner == record {
                format!("{} contains itself; only a pointer to it can be a member", named(record))
            } else {
                format!("{} contains itself, within {}", named(record), named(inner))
            };
            self.problem(span, message);
            return self.basic.unknown;
        }
        let of_inner = self.containment.held.get(&inner).copied().unwrap_or_default();
        let levels = of_inner.levels + 1;
        let members = held.members.saturating_add(of_inner.members.max(1));
        if MAX_LEVELS < levels || MAX_MEMBERS < members {
            let message = if MAX_LEVELS < levels {
                format!("{} is nested deeper than {MAX_LEVELS} levels", named(inner))
            } else {
                format!("{} has more than {MAX_MEMBERS} members in all", named(record))
            };
            self.problem(span, message);
            return self.basic.unknown;
        }
        *held = Held { levels: held.levels.max(levels), members };
        if self.types.record(inner).fields.is_none() {
            self.containment.early.insert(inner);
        }
        ty
    }
}
