//! Small numbers for the ranks that occur, so that tables are no larger than lists of messages.

/// Numbers from 0 on, in ascending order of ranks.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    /// The ranks that have numbers, in ascending order; `None` if all have, each its own.
    occurring: Option<Vec<u32>>,
    count: u32,
}

impl Numbering {
    /// Numbers for `ranks`, all below `all`; where those are not many more, each rank is its own number.
    pub(crate) fn of(ranks: impl ExactSizeIterator<Item = u32>, all: u32) -> Self {
        if all as usize <= 2 * ranks.len() {
            return Self { occurring: None, count: all };
        }
        let mut occurring: Vec<u32> = ranks.collect();
        occurring.sort_unstable();
        occurring.dedup();
        Self { count: occurring.len() as u32, occurring: Some(occurring) }
    }

    /// How many numbers there are.
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// The number of a rank that occurs.
    pub(crate) fn number(&self, rank: u32) -> u32 {
        match &self.occurring {
            None => rank,
            // A rank that does not occur has no number, and nobody asks for it.
            Some(occurring) => occurring.partition_point(|other| *other < rank) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_occur_have_numbers_in_order() {
        let few = Numbering::of([7, 2, 900, 7].into_iter(), 1000);
        assert_eq!(few.count(), 3);
        assert_eq!([2, 7, 900].map(|rank| few.number(rank)), [0, 1, 2]);
        let many = Numbering::of([0, 3, 2, 3].into_iter(), 5);
        assert_eq!((many.count(), many.number(3)), (5, 3));
    }
}
