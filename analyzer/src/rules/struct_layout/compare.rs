//! A typemap against a struct.

use super::super::buffer_type::{Basic, agree};
use super::members::{Holds, Member, Struct};
use super::typemap::{Kind, Run, Typemap};

/// How a datatype describes the objects of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// At least one of its basic types is not what is there.
    Wrong(String),
    /// All of its basic types are what is there, as far as they lie within one object.
    Right {
        /// By member of the struct: whether all of it is described, some of it, or nothing.
        described: Vec<Share>,
    },
    /// Right, but it goes beyond one object: it describes several of an array.
    Several,
    /// It begins before the object.
    Elsewhere,
}

/// How much of a member is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    All,
    Some,
    Nothing,
}

/// Compares each basic type with the member at its place, in an array of the struct.
pub(super) fn fit(map: &Typemap, record: &Struct) -> Fit {
    let Ok(size) = i64::try_from(record.size) else { return Fit::Elsewhere };
    if map.runs.iter().any(|run| run.at < 0) {
        return Fit::Elsewhere;
    }
    let mut covered = vec![0_u64; record.members.len()];
    let mut goes_beyond = false;
    for run in &map.runs {
        let Some(bytes) = run.number.checked_mul(run.kind.size()) else { return Fit::Elsewhere };
        let element = run.at.div_euclid(size);
        let Ok(start) = u64::try_from(run.at.rem_euclid(size)) else { return Fit::Elsewhere };
        goes_beyond |= element != 0 || record.size < start + bytes;
        if let Err(problem) = place(*run, start, bytes.min(record.size), record, &mut covered) {
            return Fit::Wrong(problem);
        }
    }
    if goes_beyond {
        return Fit::Several;
    }
    let fields = record.members.iter().map(|member| member.field).max().map_or(0, |last| last + 1);
    let described = (0..fields).map(|field| share(record, &covered, field)).collect();
    Fit::Right { described }
}

/// How much of a member of the outermost struct is described; one without bytes of its own is.
fn share(record: &Struct, covered: &[u64], field: usize) -> Share {
    let parts = || record.members.iter().zip(covered).filter(move |(member, _)| member.field == field);
    if parts().all(|(member, &bytes)| member.size <= bytes) {
        Share::All
    } else if parts().all(|(_, &bytes)| bytes == 0) {
        Share::Nothing
    } else {
        Share::Some
    }
}

/// Goes through the bytes of a run and the members that they lie in, from the first to the next struct of an array.
fn place(run: Run, start: u64, bytes: u64, record: &Struct, covered: &mut [u64]) -> Result<(), String> {
    let unit = run.kind.size();
    let mut done = 0;
    while done < bytes {
        let at = (start + done) % record.size;
        let Some(index) = record.members.iter().position(|member| member.at <= at && at < member.end())
        else {
            if run.kind.is_raw() {
                done += 1;
                continue;
            }
            return Err(astray(run, at, done, record));
        };
        let member = &record.members[index];
        let left = (member.end() - at).min(bytes - done);
        let length = if member.holds == Holds::Anything {
            left
        } else if run.kind.is_raw() {
            let width = match member.holds {
                Holds::Basic(basic) => basic.size(),
                Holds::Anything => 1,
            };
            // A character or two of a number is no description of it.
            if !(at - member.at).is_multiple_of(width) || !left.is_multiple_of(width) {
                return Err(astray(run, at, done, record));
            }
            left
        } else {
            let (Kind::Basic(want), Holds::Basic(have)) = (run.kind, member.holds) else { return Ok(()) };
            let is_aligned = (at - member.at).is_multiple_of(unit.min(have.size()));
            if !agree(want, have) || !is_aligned || left < unit {
                return Err(astray(run, at, done, record));
            }
            left - left % unit
        };
        // A union may be met by an element that is larger than what is left of it.
        let length = if member.holds == Holds::Anything { length.max(unit) } else { length };
        covered[index] += length;
        done += length;
    }
    Ok(())
}

/// What is wrong with an element of a run that is not what lies there.
fn astray(run: Run, at: u64, done: u64, record: &Struct) -> String {
    let kind = run.kind.text();
    let from = run.at.saturating_add_unsigned(done);
    let which = match (run.number, done / run.kind.size()) {
        (1, _) => format!("the {kind} at {from}"),
        (number, 0) => format!("the block of {number} {kind} at {from}"),
        (number, index) => {
            format!("element {index} of the block of {number} {kind} at {}, which is at {from},", run.at)
        }
    };
    let place = match record.member_at(at) {
        None => format!("lies in padding: {}", near(at, record)),
        Some(member) if begins(member, at) => format!("is where `{}` has `{}`", record.name, member.text()),
        Some(member) => format!("lies inside of `{}`, which is at {}", member.text(), member.at),
    };
    format!("{which} {place}")
}

/// Whether an element of a member begins at a byte.
fn begins(member: &Member, at: u64) -> bool {
    match member.holds {
        Holds::Basic(basic) => (at - member.at).is_multiple_of(basic.size()),
        Holds::Anything => member.at == at,
    }
}

fn near(at: u64, record: &Struct) -> String {
    match record.members.iter().find(|member| at < member.at) {
        Some(next) => format!("`{}` of `{}` is at {}", next.name, record.name, next.at),
        None => format!("`{}` ends with padding", record.name),
    }
}

/// How much a datatype, or a struct, consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Amount {
    elements: u64,
    bytes: u64,
}

impl Amount {
    pub(super) fn of(map: &Typemap) -> Self {
        map.runs.iter().fold(Self::default(), |sum, run| sum.and(run.number, run.kind.size()))
    }

    pub(super) fn times(self, number: u64) -> Self {
        Self { elements: self.elements.saturating_mul(number), bytes: self.bytes.saturating_mul(number) }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            elements: self.elements.saturating_add(other.elements),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    fn and(self, number: u64, size: u64) -> Self {
        self.plus(Self { elements: number, bytes: number.saturating_mul(size) })
    }
}

/// Whether a datatype seems to be meant for all of a struct: it has a block for each member, or as many elements or bytes as
/// the struct, where one of several members may be forgotten. Pointers do not count.
pub(super) fn is_meant_for_all(blocks: Option<usize>, amount: Amount, record: &Struct) -> bool {
    let fields = record.members.iter().map(|member| member.field).max().map_or(0, |last| last + 1);
    let mut by_field = vec![Amount::default(); fields];
    for member in record.members.iter().filter(|member| member.holds != Holds::Basic(Basic::Pointer)) {
        let size = match member.holds {
            Holds::Basic(basic) => basic.size(),
            Holds::Anything => 1,
        };
        by_field[member.field] = by_field[member.field].and(member.size / size, size);
    }
    by_field.retain(|amount| *amount != Amount::default());
    let all = by_field.iter().fold(Amount::default(), |sum, field| sum.plus(*field));
    let is_like = |sum: Amount| sum.elements == all.elements || sum.bytes == all.bytes;
    blocks == Some(by_field.len())
        || is_like(amount)
        || 2 < by_field.len() && by_field.iter().any(|field| is_like(amount.plus(*field)))
}

/// Whether a datatype describes all members of a struct, or all but one of three or more. Pointers do not count, which mean nothing
/// elsewhere.
pub(super) fn is_nearly_all(record: &Struct, described: &[Share]) -> bool {
    let is_pointer = |field: usize| {
        let mut parts = record.members.iter().filter(|member| member.field == field);
        parts.any(|member| member.holds == Holds::Basic(Basic::Pointer))
    };
    let (mut whole, mut left_out) = (0, 0);
    for field in (0..described.len()).filter(|&field| !is_pointer(field)) {
        match described[field] {
            Share::All => whole += 1,
            _ => left_out += 1,
        }
    }
    left_out == 0 || left_out == 1 && 2 <= whole
}

/// The one member that a datatype leaves out although it describes all the others: an oversight, as happens when a member is
/// added. Pointers mean nothing elsewhere, and who leaves out several members means to.
pub(super) fn forgotten(record: &Struct, described: &[Share]) -> Option<(String, Share)> {
    let mut missing = (0..described.len()).filter(|&field| described[field] != Share::All);
    let (field, None) = (missing.next()?, missing.next()) else { return None };
    let is_whole = |&&share: &&Share| share == Share::All;
    if described.iter().filter(is_whole).count() < 2 {
        return None;
    }
    let mut parts = record.members.iter().filter(|member| member.field == field);
    let first = parts.clone().next()?;
    let name = first.name.split(['.', '[']).next().unwrap_or_default().to_ascii_lowercase();
    let is_filler = name.is_empty()
        || ["pad", "reserved", "unused", "dummy", "fill", "align"].iter().any(|word| name.contains(word));
    if is_filler || parts.any(|member| member.holds == Holds::Basic(Basic::Pointer)) {
        return None;
    }
    Some((first.text(), described[field]))
}

/// Whether elements of an array of the struct are where an array of the datatype has them. Where the library chooses how far
/// to round up, one of its choices is enough; extents that the program sets may go over several objects, or over parts that
/// are alike.
pub(super) fn steps_right(map: &Typemap, record: &Struct) -> bool {
    let Ok(size) = i64::try_from(record.size) else { return true };
    let extent = map.extent();
    if extent == size || map.tight_extent() == size {
        return true;
    }
    if !map.has_set_bounds() {
        return false;
    }
    if extent % size == 0 {
        return true;
    }
    // The second element.
    let mut next = Typemap::default();
    next.append(map, extent, 1).is_none() || !matches!(fit(&next, record), Fit::Wrong(_))
}
