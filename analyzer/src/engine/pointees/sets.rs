//! Sets of objects.

/// What a pointer may point to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pointees(Vec<u64>);

/// An object in a set of [`Pointees`].
pub(super) type Bit = u32;

impl Pointees {
    /// Any object: the address comes from anywhere.
    pub(super) const ANYTHING: Bit = 0;

    pub(super) fn insert(&mut self, bit: Bit) {
        let word = bit as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (bit % 64);
    }

    pub(super) fn contains(&self, bit: Bit) -> bool {
        self.0.get(bit as usize / 64).is_some_and(|word| word & 1 << (bit % 64) != 0)
    }

    /// Adds what another has, and says what of that is new.
    pub(crate) fn extend(&mut self, other: &Self) -> Self {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let add = |(own, more): (&mut u64, &u64)| {
            let fresh = more & !*own;
            *own |= more;
            fresh
        };
        Self(self.0.iter_mut().zip(&other.0).map(add).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Bit> + '_ {
        self.0.iter().zip(0..).filter(|&(&word, _)| word != 0).flat_map(|(&word, index): (_, Bit)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * index + bit)
        })
    }

    /// How much there is to look at.
    pub(super) fn words(&self) -> usize {
        self.0.len()
    }
}
