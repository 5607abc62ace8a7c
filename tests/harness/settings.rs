//! What the environment asks for.

use std::ops::RangeInclusive;

/// The numbers of processes that a variable names.
pub fn wanted(variable: &str) -> Option<RangeInclusive<u64>> {
    let wanted = std::env::var(variable).ok()?;
    let ends = wanted.split_once("..");
    let range = ends.and_then(|(first, last)| Some(first.parse().ok()?..=last.parse().ok()?));
    assert!(range.is_some(), "{variable} is to be FIRST..LAST, {wanted:?} is not");
    range
}
