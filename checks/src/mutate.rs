//! Changed examples, the same in every run.

/// A small generator of numbers (Marsaglia's xorshift).
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// A generator that begins somewhere; 0 is like 1, for which it would stand still.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.max(1))
    }

    /// A number below `limit`, or 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    fn place(&mut self, data: &[u8], longest: usize) -> std::ops::Range<usize> {
        let begin = self.below(data.len() + 1);
        begin..(begin + self.below(longest)).min(data.len())
    }

    /// Bytes that have no form.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }

    /// An example with a few changes: parts that are gone, double, elsewhere, out of another example, or one of `words`.
    pub fn mutate(&mut self, example: &[u8], other: &[u8], words: &[&str]) -> Vec<u8> {
        let mut data = example.to_vec();
        for _ in 0..=self.below(6) {
            let range = self.place(&data, 40);
            let to = self.below(data.len() + 1);
            match self.below(8) {
                0 => drop(data.drain(range)),
                1 => {
                    let copy = data[range].to_vec();
                    data.splice(to..to, copy);
                }
                2 => {
                    let part = other[self.place(other, 60)].to_vec();
                    data.splice(range, part);
                }
                3 if to < data.len() => data[to] ^= 1 << self.below(8),
                4 if to < data.len() => data[to] = self.below(256) as u8,
                5 => {
                    // Much of the same, as deep nesting is.
                    let copy = data[self.place(&data, 8)].repeat(self.below(60));
                    data.splice(to..to, copy);
                }
                _ if words.is_empty() => data.truncate(to),
                _ => {
                    let word = words[self.below(words.len())];
                    data.splice(to..to, word.bytes());
                }
            }
        }
        data
    }
}
