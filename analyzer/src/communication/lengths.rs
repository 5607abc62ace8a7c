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
/// Numbers that are looked at from the first one on that has some, where that is greater.
const FURTHER: i64 = 8;
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
        let Section { found, matching, part_of, .. } = self.section;
        let operations = found.program.operations();
        let mut all = Vec::new();
        'rooms: for room in matching.rooms(&found.program, &found.lengths).ok()? {
            let Fit::TooLong(pairs) = room.fit else { continue };
            let pairs = pairs.intersect(&matching.meets).ok()?;
            let [Some(sent), Some(room_for)] = [room.send, room.receive].map(|at| found.lengths[at].as_ref())
            else {
                continue;
            };
            if !operations[room.send].options.is_empty() {
                continue;
            }
            let mut ranks: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
            let mut bytes = None;
            for np in 1..=FURTHEST {
                if SAMPLED < np && ranks.first_key_value().is_some_and(|(first, _)| first + FURTHER <= np) {
                    break;
                }
                // Where input decides, too, nothing is claimed.
                let Some(choices) = self.choices(u64::try_from(np).ok()?) else { continue 'rooms };
                for choice in choices {
                    let at = |relation: &Relation| relation.fix_parameters(&choice.values).ok();
                    let there = at(&pairs)?.pairs(MESSAGES).ok()?;
                    let number_of = |relation: &Relation, instance: &Point| {
                        let pairs = at(relation)?.pairs(MESSAGES).ok()?;
                        pairs.into_iter().find(|pair| pair.from == *instance).map(|pair| pair.to)
                    };
                    for pair in &there {
                        let process = number_of(&operations[room.receive].process, &pair.to)?;
                        ranks
                            .entry(np)
                            .or_default()
                            .insert(i64::try_from(self.rank(&process, &choice)?).ok()?);
                    }
                    if let (None, Some(pair)) = (bytes, there.first()) {
                        let one = |of: &Relation, instance: &Point| {
                            number_of(of, instance)?.coordinates.first().copied()
                        };
                        bytes = Some((one(sent, &pair.from)?, one(room_for, &pair.to)?));
                    }
                }
            }
            let (Some((&first, _)), Some(bytes)) = (ranks.first_key_value(), bytes) else { continue };
            let is_of_np = part_of.is_none() && pairs.parameters().ok()?.iter().all(|name| name == NP);
            let from_first = format!("[{NP}] -> {{ : {first} <= {NP} }}");
            let from_first = Set::parse(found.program.known().context(), &from_first).ok()?;
            let where_it_is = pairs.domain().ok()?.parameter_domain().ok()?;
            all.push(TooLong {
                receive: self.range(&found.sites[room.receive]),
                send: self.range(&found.sites[room.send]),
                ranks,
                is_from_first: is_of_np && from_first.is_subset(&where_it_is).ok()?,
                bytes,
            });
        }
        Some(all)
    }
}
