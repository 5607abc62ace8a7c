//! Where the lines of a text are after it was edited, as far as they did not change.

/// From the lines of an old text to those of a new one: what is before and after everything that was edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drift {
    /// So many lines at the beginning are the same.
    prefix: u32,
    /// From this line of the old text on, lines are the same as at the end of the new one.
    suffix: u32,
    /// By how much those have moved.
    by: i64,
}

impl Drift {
    /// Compares two texts.
    pub(crate) fn new(old: &str, new: &str) -> Self {
        let (old, new): (Vec<_>, Vec<_>) = (old.split('\n').collect(), new.split('\n').collect());
        let prefix = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - prefix;
        let same = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            prefix: number(prefix),
            suffix: number(old.len() - same),
            by: i64::from(number(new.len())) - i64::from(number(old.len())),
        }
    }

    /// The line of the new text that was this one of the old; both count from 1.
    pub(crate) fn line(self, old: u32) -> Option<u32> {
        if old <= self.prefix {
            Some(old)
        } else if self.suffix < old {
            u32::try_from(i64::from(old) + self.by).ok()
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_around_an_edit_are_found_again() {
        let drift = Drift::new("a\nb\nc\nd", "a\nx\ny\nc\nd");
        assert_eq!([1, 2, 3, 4].map(|line| drift.line(line)), [Some(1), None, Some(4), Some(5)]);
        let drift = Drift::new("a\na\na", "a\na");
        assert_eq!([1, 2, 3].map(|line| drift.line(line)), [Some(1), Some(2), None]);
        let drift = Drift::new("a\nb", "a\nb");
        assert_eq!([1, 2].map(|line| drift.line(line)), [Some(1), Some(2)]);
    }
}
