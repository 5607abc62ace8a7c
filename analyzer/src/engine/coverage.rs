//! Whether what one path exchanges is what the formulas of another say, where the numbers are those of the first: the messages of a mesh
//! with one column are those of any mesh, seen there.

use lattice::{Constraints, Linear, Range, Truth};

use super::clients::topology::Exchanged;
use super::formulas::agree_on;
use super::link::{Link, Pairing};
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
        apart(seen, facts)
    };
    let (Some(formulas), Some(entries)) = (seen(formulas), seen(entries)) else { return false };
    let agree = |(a, x): &(Exchanged, Relation), (b, y): &(Exchanged, Relation)| {
        share_nothing(x, y, facts)
            || same_message(a, b, y, facts)
                && a.repeat.as_ref().zip(b.repeat.as_ref()).is_some_and(|(a, b)| facts.eq(a, b) == Truth::Yes)
    };
    formulas.iter().all(|formula| entries.iter().all(|entry| agree(formula, entry)))
        && rest(&entries, &formulas, facts).is_ok_and(|rest| rest.is_empty())
        && rest(&formulas, &entries, facts).is_ok_and(|rest| rest.is_empty())
}

/// The same messages by entries that have none in common: what several say is said once, as often as all of them say it. `None` where
/// that is not known, or where they do not say the same of it.
fn apart(all: Vec<(Exchanged, Relation)>, facts: &Constraints) -> Option<Vec<(Exchanged, Relation)>> {
    let mut parts: Vec<(Exchanged, Relation)> = Vec::new();
    for (entry, relation) in all {
        let mut left = vec![relation.clone()];
        let mut next = Vec::new();
        for (known, part) in parts {
            let Some(common) = common(&part, &relation, facts)? else {
                next.push((known, part));
                continue;
            };
            if !same_message(&known, &entry, &common, facts) {
                return None;
            }
            let repeat = known.repeat.as_ref()?.add(entry.repeat.as_ref()?)?;
            for other in part.without(&common, facts).ok()? {
                next.push((known.clone(), other));
            }
            let mut rest = Vec::new();
            for piece in left {
                rest.extend(piece.without(&common, facts).ok()?);
            }
            left = rest;
            next.push((Exchanged { repeat: Some(repeat), ..known }, common));
        }
        next.extend(left.into_iter().map(|piece| (entry.clone(), piece)));
        parts = next;
    }
    Some(parts)
}

/// Whether messages of two entries are alike on the pairs that both have.
fn same_message(a: &Exchanged, b: &Exchanged, pairs: &Relation, facts: &Constraints) -> bool {
    let number = |a: &Option<Linear>, b: &Option<Linear>| match (a, b) {
        (Some(a), Some(b)) => agree_on(a, b, pairs, facts),
        _ => false,
    };
    a.communicator.name == b.communicator.name
        && a.communicator.group.same(&b.communicator.group, facts)
        && a.datatype == b.datatype
        && number(&a.tag, &b.tag)
        && number(&a.count, &b.count)
}

/// What two relations have in common, `Some(None)` if that is nothing.
fn common(x: &Relation, y: &Relation, facts: &Constraints) -> Option<Option<Relation>> {
    if x.disjoint(y, facts) { Some(None) } else { x.intersect(y, facts).ok() }
}

fn share_nothing(x: &Relation, y: &Relation, facts: &Constraints) -> bool {
    common(x, y, facts) == Some(None)
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

/// Whether there are proved to be as many senders as receivers.
fn has_equal_ends(link: &Link, facts: &Constraints) -> bool {
    let length = |range: &Range| range.hi.sub(&range.lo);
    let lengths = length(&link.senders).zip(length(&link.receivers));
    lengths.is_some_and(|(senders, receivers)| facts.eq(&senders, &receivers) == Truth::Yes)
}

/// A relation with numbers where the numbers are known, and without digits that can only be zero: `Some(None)` if it is empty, `None` if
/// that is open, or if it is none for what is known: a translation of which the ends are of different lengths.
fn at(relation: &Relation, facts: &Constraints) -> Option<Option<Relation>> {
    let known = |bound: &Linear| {
        let value = facts.with_numbers(bound);
        let value = facts.with_known_factors(&value).unwrap_or(value);
        facts.constant(&value).map_or(value, Linear::from)
    };
    let seen = relation.map_bounds(known);
    let seen = seen.as_pair().unwrap_or(seen);
    let mut open = false;
    for link in seen.links() {
        for range in [&link.senders, &link.receivers] {
            match Range::nonempty(range, facts) {
                Truth::No => return Some(None),
                Truth::Open => open = true,
                Truth::Yes => {}
            }
        }
        let is_bijection = matches!(link.pairing, Pairing::Parallel | Pairing::Mirrored);
        if is_bijection && !has_equal_ends(link, facts) {
            return None;
        }
    }
    (!open).then(|| Some(seen.without_single_digits()))
}
