//! Whether what one path exchanges is what the formulas of another say, where the numbers are those of the first: the messages of a mesh
//! with one column are those of any mesh, seen there.

use lattice::{Constraints, Linear, Range, Truth};

use super::clients::topology::Exchanged;
use super::formulas::agree_on;
use super::need::Need;
use super::relation::Relation;

/// Whether formulas and entries are the same messages, as often and with the same tags and counts, as far as it is proved.
pub(crate) fn covers(formulas: &[&Exchanged], entries: &[&Exchanged], facts: &Constraints) -> bool {
    let seen = |all: &[&Exchanged]| -> Option<Vec<(Exchanged, Relation)>> {
        let mut seen = Vec::new();
        for entry in all {
            if let Some(relation) = at(&entry.relation, facts)? {
                seen.push(((*entry).clone(), relation));
            }
        }
        Some(seen)
    };
    let (Some(formulas), Some(entries)) = (seen(formulas), seen(entries)) else { return false };
    let agree = |(a, x): &(Exchanged, Relation), (b, y): &(Exchanged, Relation)| {
        let number = |a: &Option<Linear>, b: &Option<Linear>| match (a, b) {
            (Some(a), Some(b)) => agree_on(a, b, y, facts),
            _ => false,
        };
        let same_communicator = a.communicator.name == b.communicator.name
            && a.communicator.group.same(&b.communicator.group, facts);
        x.disjoint(y, facts)
            || same_communicator
                && a.datatype == b.datatype
                && number(&a.tag, &b.tag)
                && number(&a.count, &b.count)
                && a.repeat.as_ref().zip(b.repeat.as_ref()).is_some_and(|(a, b)| facts.eq(a, b) == Truth::Yes)
    };
    // Where two formulas have a message in common, they would say it twice.
    let apart = |all: &[(Exchanged, Relation)]| {
        all.iter().enumerate().all(|(index, (_, x))| {
            all[..index].iter().all(|(_, y)| x.disjoint(y, facts) || x.intersect(y, facts) == Ok(None))
        })
    };
    apart(&formulas)
        && apart(&entries)
        && formulas.iter().all(|formula| entries.iter().all(|entry| agree(formula, entry)))
        && rest(&entries, &formulas, facts).is_ok_and(|rest| rest.is_empty())
        && rest(&formulas, &entries, facts).is_ok_and(|rest| rest.is_empty())
}

/// What of some relations is in none of others.
fn rest(
    all: &[(Exchanged, Relation)],
    parts: &[(Exchanged, Relation)],
    facts: &Constraints,
) -> Result<Vec<Relation>, Need> {
    let mut rest: Vec<Relation> = all.iter().map(|(_, relation)| relation.clone()).collect();
    for (_, part) in parts {
        let mut left = Vec::new();
        for relation in rest {
            left.extend(relation.without(part, facts)?);
        }
        rest = left;
    }
    Ok(rest)
}

/// A relation with numbers where the numbers are known, and without digits that can only be zero: `Some(None)` if it is empty, `None` if
/// that is open.
fn at(relation: &Relation, facts: &Constraints) -> Option<Option<Relation>> {
    let known = |bound: &Linear| {
        let value = facts.with_known_factors(bound).unwrap_or_else(|| bound.clone());
        facts.constant(&value).map_or(value, Linear::from)
    };
    let seen = relation.map_bounds(known).without_single_digits();
    let mut open = false;
    for link in seen.links() {
        for range in [&link.senders, &link.receivers] {
            match Range::nonempty(range, facts) {
                Truth::No => return Some(None),
                Truth::Open => open = true,
                Truth::Yes => {}
            }
        }
    }
    (!open).then_some(Some(seen))
}
