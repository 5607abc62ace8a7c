//! Typemaps of datatypes (MPI-4.1 section 5.1): which basic types lie at which displacements, and the bounds.

use std::fmt::Write as _;

use frontend::mpi::{PredefinedDatatype, TypeGroup, constant};

use super::super::buffer_type::{Basic, basic_elements};

/// What a datatype says about some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Basic(Basic),
    /// `MPI_BYTE`, `MPI_PACKED`: whatever is there.
    Bytes,
}

impl Kind {
    pub(super) fn size(self) -> u64 {
        match self {
            Self::Basic(basic) => basic.size(),
            Self::Bytes => 1,
        }
    }

    /// Bytes, or characters, with which programs describe bytes.
    pub(super) fn is_raw(self) -> bool {
        matches!(self, Self::Bytes | Self::Basic(Basic::Int(1)))
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Basic(basic) => basic.text(),
            Self::Bytes => "byte",
        }
    }
}

/// Equal basic types, one right after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Displacement of the first, in bytes.
    pub(super) at: i64,
    pub(super) kind: Kind,
    pub(super) number: u64,
}

impl Run {
    fn end(self) -> Option<i64> {
        self.at.checked_add_unsigned(self.number.checked_mul(self.kind.size())?)
    }
}

/// A datatype with more runs than this is not looked at.
const RUNS: usize = 512;

/// What one element of a datatype consists of. Bounds are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Typemap {
    pub(super) runs: Vec<Run>,
    /// From the first byte of data to the end of the last.
    data: Option<(i64, i64)>,
    /// Bounds that the program sets, by a resized type or a marker of MPI-1: they are the bounds of whatever is built of the
    /// datatype, too (section 5.1.7).
    set_lower: Option<i64>,
    set_upper: Option<i64>,
    /// Strictest alignment of a basic type in it.
    align: u64,
}

impl Default for Typemap {
    fn default() -> Self {
        Self { runs: Vec::new(), data: None, set_lower: None, set_upper: None, align: 1 }
    }
}

impl Typemap {
    /// That of a predefined datatype; `None` where its C type is not known.
    pub(super) fn predefined(name: &str) -> Option<Self> {
        let datatype = constant(name)?.datatype()?;
        let mut result = Self::default();
        match datatype.group {
            TypeGroup::Marker if datatype.signature == ["lb"] => result.set_lower = Some(0),
            TypeGroup::Marker => result.set_upper = Some(0),
            _ if datatype.any_c_type => result.push(Run { at: 0, kind: Kind::Bytes, number: 1 })?,
            _ => result.push_pair(datatype)?,
        }
        Some(result)
    }

    /// A predefined datatype of one element, or of a pair that is laid out as a struct.
    fn push_pair(&mut self, datatype: &PredefinedDatatype) -> Option<()> {
        let mut at = 0_u64;
        for basic in basic_elements(datatype)? {
            // A complex number is a pair of its parts.
            let (basic, number) = match basic {
                Basic::Complex(size) => (Basic::Float(size / 2), 2),
                basic => (basic, 1),
            };
            let kind = Kind::Basic(basic);
            at = at.next_multiple_of(kind.size());
            self.push(Run { at: i64::try_from(at).ok()?, kind, number })?;
            at += number * kind.size();
        }
        Some(())
    }

    fn push(&mut self, run: Run) -> Option<()> {
        if run.number == 0 {
            return Some(());
        }
        let end = run.end()?;
        self.data = Some(self.data.map_or((run.at, end), |(low, high)| (low.min(run.at), high.max(end))));
        self.align = self.align.max(run.kind.size());
        match self.runs.last_mut() {
            Some(last) if last.kind == run.kind && last.end() == Some(run.at) => last.number += run.number,
            _ => self.runs.push(run),
        }
        (self.runs.len() <= RUNS).then_some(())
    }

    /// Adds `number` elements of another datatype, the first of them at `at`. `None` if it gets too large.
    pub(super) fn append(&mut self, old: &Self, at: i64, number: u64) -> Option<()> {
        if number == 0 {
            return Some(());
        }
        let step = old.extent();
        let last = at.checked_add(step.checked_mul(i64::try_from(number - 1).ok()?)?)?;
        let (first, last) = (at.min(last), at.max(last));
        if let Some(lower) = old.set_lower {
            let lower = first.checked_add(lower)?;
            self.set_lower = Some(self.set_lower.map_or(lower, |so_far| so_far.min(lower)));
        }
        if let Some(upper) = old.set_upper {
            let upper = last.checked_add(upper)?;
            self.set_upper = Some(self.set_upper.map_or(upper, |so_far| so_far.max(upper)));
        }
        self.align = self.align.max(old.align);
        if let [run] = old.runs[..]
            && i64::try_from(run.number.checked_mul(run.kind.size())?).ok()? == step
        {
            let start = at.checked_add(run.at)?;
            return self.push(Run { at: start, number: run.number.checked_mul(number)?, ..run });
        }
        for index in 0..number {
            let shift = at.checked_add(step.checked_mul(i64::try_from(index).ok()?)?)?;
            for run in &old.runs {
                self.push(Run { at: run.at.checked_add(shift)?, ..*run })?;
            }
            if old.runs.is_empty() {
                break;
            }
        }
        Some(())
    }

    /// With another lower bound and extent.
    pub(super) fn resized(&self, lower: i64, extent: i64) -> Option<Self> {
        let upper = lower.checked_add(extent)?;
        Some(Self { set_lower: Some(lower), set_upper: Some(upper), ..self.clone() })
    }

    pub(super) fn lower_bound(&self) -> i64 {
        self.set_lower.or(self.data.map(|(low, _)| low)).unwrap_or(0)
    }

    fn upper_bound(&self) -> i64 {
        self.set_upper.or(self.data.map(|(_, high)| high)).unwrap_or(0)
    }

    /// Bytes from one element to the next, rounded up to the strictest alignment as the standard says, unless the program
    /// sets the upper bound.
    pub(super) fn extent(&self) -> i64 {
        let tight = self.tight_extent();
        if self.set_upper.is_some() {
            return tight;
        }
        let align = i64::try_from(self.align).unwrap_or(1).max(1);
        tight.checked_add(tight.wrapping_neg().rem_euclid(align)).unwrap_or(tight)
    }

    /// The extent without what is rounded up, which is left to the library.
    pub(super) fn tight_extent(&self) -> i64 {
        self.upper_bound().saturating_sub(self.lower_bound())
    }

    /// Whether the program sets the extent.
    pub(super) fn has_set_bounds(&self) -> bool {
        self.set_lower.is_some() || self.set_upper.is_some()
    }

    /// `at 0: int, at 8: 3 double; extent 32`
    pub(super) fn text(&self) -> String {
        const TOLD: usize = 24;
        let mut text = String::new();
        for run in self.runs.iter().take(TOLD) {
            let comma = if text.is_empty() { "" } else { ", " };
            let number = if run.number == 1 { String::new() } else { format!("{} ", run.number) };
            let _ = write!(text, "{comma}at {}: {number}{}", run.at, run.kind.text());
        }
        if TOLD < self.runs.len() {
            let _ = write!(text, ", ... ({} more)", self.runs.len() - TOLD);
        }
        if text.is_empty() {
            text.push_str("nothing");
        }
        if self.lower_bound() != 0 {
            let _ = write!(text, "; lower bound {}", self.lower_bound());
        }
        let _ = write!(text, "; extent {}", self.extent());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typemap(blocks: &[(&str, i64, u64)]) -> Typemap {
        let mut result = Typemap::default();
        for &(name, at, number) in blocks {
            result.append(&Typemap::predefined(name).expect(name), at, number).expect("small");
        }
        result
    }

    #[test]
    fn the_extent_is_rounded_up_to_the_strictest_alignment() {
        let map = typemap(&[("MPI_DOUBLE", 0, 1), ("MPI_INT", 8, 1)]);
        assert_eq!((map.tight_extent(), map.extent()), (12, 16));
        assert_eq!(map.text(), "at 0: double, at 8: int; extent 16");
        let bytes = typemap(&[("MPI_BYTE", 0, 8), ("MPI_INT", 8, 1)]);
        assert_eq!(bytes.extent(), 12);
    }

    #[test]
    fn adjacent_blocks_of_one_type_are_one_run() {
        let map = typemap(&[("MPI_INT", 0, 1), ("MPI_INT", 4, 3), ("MPI_INT", 20, 1)]);
        assert_eq!(map.text(), "at 0: 4 int, at 20: int; extent 24");
    }

    #[test]
    fn set_bounds_win_also_in_what_is_built_of_it() {
        let inner = typemap(&[("MPI_INT", 0, 1)]).resized(0, 8).expect("small");
        assert_eq!(inner.extent(), 8);
        let mut outer = Typemap::default();
        outer.append(&inner, 0, 2).expect("small");
        outer.append(&Typemap::predefined("MPI_DOUBLE").expect("known"), 16, 1).expect("small");
        // MPI-4.1 section 5.1.7: the double at 16 does not count.
        assert_eq!(outer.extent(), 16);
        let marked = typemap(&[("MPI_LB", 0, 1), ("MPI_INT", 4, 1), ("MPI_UB", 16, 1)]);
        assert_eq!((marked.lower_bound(), marked.extent()), (0, 16));
    }

    #[test]
    fn pairs_are_laid_out_as_structs() {
        let pair = Typemap::predefined("MPI_DOUBLE_INT").expect("known");
        assert_eq!(pair.text(), "at 0: double, at 8: int; extent 16");
        let short = Typemap::predefined("MPI_SHORT_INT").expect("known");
        assert_eq!(short.text(), "at 0: short, at 4: int; extent 8");
    }
}
