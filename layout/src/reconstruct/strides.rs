//! The least sums of the parts of a struct whose last one is a `vecbuc`.
//!
//! As in `chains.rs`, with a running minimum for each stride, step and length of block. A block costs a size more where it begins a bucket,
//! which it can a stride behind the start of a bucket that reaches up to there; so the minimum over those that begin a bucket with their
//! last block is known apart. Of two buckets the stride is another one for each place where the first may start, and never matters.

use super::chains::{Buckets, Repetition};
use super::sequence::Sequence;
use super::table::IMPOSSIBLE;

/// A last part of a struct that ends at a given place: one or more blocks of length `q`, of which it takes two to be a part.
struct Chain {
    q: u32,
    /// What `strc` pays for the part, but for the sizes of the buckets.
    base: u32,
    /// Where [`Strides::sums`] has what is known of this one.
    slot: u32,
    /// The slot of what ends one block earlier.
    shorter: Option<u32>,
    /// Where the blocks begin that are a step apart from each other up to the last one.
    run: u32,
    /// The bucket before, if the last block may begin one.
    before: Before,
}

/// Which bucket is before one that begins.
#[derive(Clone, Copy)]
enum Before {
    /// None: the distance is wrong.
    Nothing,
    /// That which begins with the block at this place, which has this slot.
    Begun { place: u32, slot: u32 },
    /// Any that the block before may belong to, since all its blocks are at the same place.
    Any,
    /// The first of two.
    First,
}

/// In the row that is being filled, the least sums up to the starts of parts, with the sizes of their buckets.
#[derive(Clone, Copy)]
struct Sums {
    /// Over all parts; where there are two buckets at most, over those of one.
    all: u32,
    /// Over those whose last bucket begins with the last block; where there are two buckets at most, over those of two.
    begun: u32,
}

const NO_SUMS: Sums = Sums { all: IMPOSSIBLE, begun: IMPOSSIBLE };

/// The chains of buckets that may be last parts of structs.
pub(super) struct Strides {
    lookup: u32,
    /// For each end of a part its chains.
    ending_at: Vec<Vec<Chain>>,
    /// For each chain its buckets, and a place: parts that start there or further to the right are among those whose minimum is known.
    known: Vec<(Buckets, usize)>,
    /// For each chain.
    sums: Vec<Sums>,
}

impl Strides {
    /// None, for a sequence of `n` elements.
    pub(super) fn new(n: usize, lookup: u32) -> Self {
        Self {
            lookup,
            ending_at: std::iter::repeat_with(Vec::new).take(n + 1).collect(),
            known: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// How many chains there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.sums.len()
    }

    /// As [`super::chains::Chains::last_part`].
    pub(super) fn last_part(&mut self, i: usize, j: usize, sums: &[u32]) -> u32 {
        let mut least = IMPOSSIBLE;
        for chain in &self.ending_at[j] {
            let q = chain.q as usize;
            // The block that ends here begins a part, if that does not start at i.
            let alone = if j > i + q { sums[j - q - i] + self.lookup } else { IMPOSSIBLE };
            let shorter = (chain.shorter.filter(|_| j > i + 2 * q))
                .map_or(NO_SUMS, |shorter| self.sums[shorter as usize]);
            let same_bucket = (chain.run as usize) < j - q;
            let all = if same_bucket { shorter.all } else { IMPOSSIBLE };
            let begun = match chain.before {
                Before::Begun { place, slot } if place as usize > i => {
                    self.sums[slot as usize].begun + self.lookup
                }
                Before::Begun { .. } | Before::Nothing => IMPOSSIBLE,
                Before::First if same_bucket => shorter.begun,
                Before::Any | Before::First => shorter.all + self.lookup,
            };
            let begun = begun.min(IMPOSSIBLE);
            least = least.min(all.min(begun) + chain.base);
            self.sums[chain.slot as usize] = match chain.before {
                Before::First => Sums { all: all.min(alone), begun },
                _ => Sums { all: all.min(begun).min(alone), begun: begun.min(alone) },
            };
        }
        least
    }

    /// As [`super::chains::Chains::admit`]; `base` is what `strc` pays for the part, but for the sizes of the buckets.
    pub(super) fn extend(
        &mut self,
        sequence: &Sequence<'_>,
        buckets: Buckets,
        blocks: Repetition,
        base: u32,
    ) {
        let Repetition { q, i, j } = blocks;
        let incomplete = |end: &usize| match self.find(buckets, q, *end) {
            Some(at) => self.known[self.ending_at[*end][at].slot as usize].1 > i,
            None => true,
        };
        let ends: Vec<usize> = (i + q..=j).rev().step_by(q).take_while(incomplete).collect();
        for end in ends.into_iter().rev() {
            let place = end - q;
            let at = self.find(buckets, q, end).unwrap_or_else(|| {
                let slot = self.sums.len() as u32;
                let before = if buckets.stride.is_none() { Before::First } else { Before::Nothing };
                self.known.push((buckets, end));
                self.sums.push(NO_SUMS);
                self.ending_at[end].push(Chain {
                    q: q as u32,
                    base,
                    slot,
                    shorter: None,
                    run: place as u32,
                    before,
                });
                self.ending_at[end].len() - 1
            });
            let slot = self.ending_at[end][at].slot;
            self.known[slot as usize].1 = i;
            let Some(shorter) = self.find(buckets, q, place).map(|at| &self.ending_at[place][at]) else {
                continue;
            };
            let distance = sequence.distance(place - q, place);
            let (slot, run) = (shorter.slot, shorter.run);
            let before = self.before(buckets, q, place, run as usize, distance);
            let chain = &mut self.ending_at[end][at];
            chain.shorter = Some(slot);
            chain.run = if distance == buckets.step { run } else { place as u32 };
            chain.before = before;
        }
    }

    /// Where the chain of these buckets of blocks of length `q` is among those that end there.
    fn find(&self, buckets: Buckets, q: usize, end: usize) -> Option<usize> {
        (self.ending_at[end].iter())
            .position(|chain| chain.q as usize == q && self.known[chain.slot as usize].0 == buckets)
    }

    /// The bucket before one that begins with the block at `place`, at that distance from the block before, the run of which begins at `run`.
    fn before(&self, buckets: Buckets, q: usize, place: usize, run: usize, distance: i64) -> Before {
        let Some(stride) = buckets.stride else { return Before::First };
        // From the start of the bucket before to its last block.
        let Some(back) = stride.checked_sub(distance) else { return Before::Nothing };
        if buckets.step == 0 {
            return if back == 0 { Before::Any } else { Before::Nothing };
        }
        let steps = back / buckets.step;
        if back % buckets.step != 0 || steps < 0 || steps >= ((place - run) / q) as i64 {
            return Before::Nothing;
        }
        let start = place - (1 + steps as usize) * q;
        self.find(buckets, q, start + q).map_or(Before::Nothing, |at| Before::Begun {
            place: start as u32,
            slot: self.ending_at[start + q][at].slot,
        })
    }
}
