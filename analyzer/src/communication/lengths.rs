//! Whether messages fit into their receives, in the words of the results.

use std::collections::{BTreeMap, BTreeSet};

use extraction::{Extracted, Section};
use model::Fit;
use presburger::{Instance as Point, Relation, Set};

use super::told::line;
use super::{Decided, MESSAGES, NP, Part};
use crate::results::SourceRange;

/// Numbers of processes, from 1 on, at which is looked for messages that are too long.
const SAMPLED: i64 = 16;
/// The greatest number of processes at which is looked for them where smaller ones have none.
const FURTHEST: i64 = 256;

/// A receive that has less room than its message needs.
pub(crate) struct TooLong {
    /// The receive.
    pub(crate) receive: SourceRange,
    /// The send.
    pub(crate) send: SourceRange,
    /// The ranks that receive it, at some numbers of processes.
    pub(crate) ranks: BTreeMap<i64, BTreeSet<i64>>,
    /// Whether it is so for all numbers of processes from the first of these on.
    pub(crate) is_from_first: bool,
    /// With the first of these numbers, for its least rank: bytes that are sent, and bytes that there is room for.
    pub(crate) bytes: (i64, i64),
}

impl Decided<'_> {
    /// Why it is not shown that all messages fit into their receives, and that all that make a collective call name the same amounts, each
    /// with its place. `None` where that takes more than the budget.
    #[must_use]
    pub fn open_lengths(&self) -> Option<Vec<String>> {
        self.counted(|| {
            let mut open = Vec::new();
            for part in self.parts() {
                open.extend(part.open_lengths()?);
            }
            open.dedup();
            Some(open)
        })
    }

    /// Whether it is shown that all buffers are as long as calls say.
    #[must_use]
    pub fn is_in_buffers(&self) -> bool {
        let of_section =
            |found: &Extracted| !found.has_other_buffers && found.in_buffers.iter().all(|is_in| *is_in);
        self.sections.iter().all(|section| of_section(&section.found))
    }

    /// Messages that do not fit into their receives, where the number of processes alone decides about that.
    pub(crate) fn too_long(&self) -> Vec<TooLong> {
        let found = self.counted(|| {
            let mut found = Vec::new();
            for part in self.parts() {
                found.extend(part.too_long()?);
            }
            Some(found)
        });
        found.unwrap_or_default()
    }
}

impl Part<'_> {
    fn open_lengths(&self) -> Option<Vec<String>> {
        let Section { found, matching, together, .. } = self.section;
        let place = |at: usize| {
            let site = &found.sites[at];
            (line(self.program, site.function, site.span), site.mpi.name)
        };
        let mut open = Vec::new();
        for room in matching.rooms(&found.program, &found.lengths).ok()? {
            let ((receive, _), (send, _)) = (place(room.receive), place(room.send));
            open.push(match room.fit {
                Fit::Shown => continue,
                Fit::Open => {
                    format!("{receive}: whether the receive has room for the message of {send} is not known")
                }
                Fit::TooLong(_) => {
                    format!("{receive}: the receive may have less room than the message of {send} needs")
                }
            });
        }
        for call in found.program.with_open_amounts(together, &found.lengths).ok()? {
            let (place, name) = place(call);
            open.push(format!("{place}: whether all ranks name the same amount in `{name}` is not known"));
        }
        Some(open)
    }

    fn too_long(&self) -> Option<Vec<TooLong>> {
        let Section { found, matching, .. } = self.section;
        let mut all = Vec::new();
        if found.digits.is_some() || !found.multiplied.is_empty() {
            return Some(all);
        }
        for room in matching.rooms(&found.program, &found.lengths).ok()? {
            let Fit::TooLong(pairs) = room.fit else { continue };
            let pairs = pairs.intersect(&matching.meets).ok()?;
            let operations = found.program.operations();
            let is_of_np = pairs.parameters().ok()?.iter().all(|name| name == NP);
            if !is_of_np || !operations[room.send].options.is_empty() {
                continue;
            }
            let mut ranks = BTreeMap::new();
            for np in 1..=FURTHEST {
                if SAMPLED < np && !ranks.is_empty() {
                    break;
                }
                let there = at(&pairs, np)?;
                if there.is_empty().ok()? {
                    continue;
                }
                let receivers = there.apply_range(&at(&operations[room.receive].process, np)?).ok()?;
                let receivers = receivers.range().ok()?.points(MESSAGES).ok()?;
                ranks.insert(
                    np,
                    receivers.iter().filter_map(|rank| rank.instance.coordinates.first().copied()).collect(),
                );
            }
            let Some((&first, _)) = ranks.first_key_value() else { continue };
            let from_first = format!("[{NP}] -> {{ : {first} <= {NP} }}");
            let from_first = Set::parse(&self.section_context(), &from_first).ok()?;
            let is_from_first = from_first.is_subset(&pairs.domain().ok()?.parameter_domain().ok()?).ok()?;
            let bytes_of = |of: &Relation, instance: &Point| {
                let pairs = at(of, first)?.pairs(MESSAGES).ok()?;
                pairs.iter().find(|pair| pair.from == *instance)?.to.coordinates.first().copied()
            };
            let worst = at(&pairs, first)?.pairs(MESSAGES).ok()?.into_iter().next()?;
            let [Some(sent), Some(room_for)] = [&found.lengths[room.send], &found.lengths[room.receive]]
            else {
                continue;
            };
            let bytes = (bytes_of(sent, &worst.from)?, bytes_of(room_for, &worst.to)?);
            all.push(TooLong {
                receive: self.range(&found.sites[room.receive]),
                send: self.range(&found.sites[room.send]),
                ranks,
                is_from_first,
                bytes,
            });
        }
        Some(all)
    }

    fn section_context(&self) -> presburger::Context {
        self.section.found.program.known().context().clone()
    }
}

fn at(relation: &Relation, np: i64) -> Option<Relation> {
    relation.fix_parameters(&BTreeMap::from([(NP.to_owned(), np)])).ok()
}
