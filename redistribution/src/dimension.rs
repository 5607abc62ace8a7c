//! One dimension: `Y[a..a+n] = X[b..b+n]`, where X and Y are distributed block-cyclically (section 4.1).

use crate::error::Error;

/// The largest number of elements, and the largest index.
pub(crate) const MOST: u64 = i64::MAX as u64;

/// The distribution `CYCLIC(block)` of a vector over a number of processes.
///
/// Element `i` is on process `(i / block + source) % processes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cyclic {
    processes: u32,
    block: u64,
    source: u32,
}

impl Cyclic {
    /// `CYCLIC(block)` over `processes` processes; the first block is on process 0.
    ///
    /// # Errors
    ///
    /// If one of them is 0, or a round of blocks has more than 2^63 - 1 elements.
    pub fn new(processes: u64, block: u64) -> Result<Self, Error> {
        if processes == 0 {
            return Err(Error::Zero("the number of processes"));
        }
        if block == 0 {
            return Err(Error::Zero("the block size"));
        }
        let fits = processes.checked_mul(block).is_some_and(|round| round <= MOST);
        match u32::try_from(processes) {
            Ok(few) if few <= i32::MAX as u32 && fits => Ok(Self { processes: few, block, source: 0 }),
            Ok(few) if few <= i32::MAX as u32 => Err(Error::RoundTooLong { processes, block }),
            _ => Err(Error::TooManyProcesses(processes)),
        }
    }

    /// The same with the first block on process `source` (ScaLAPACK's RSRC and CSRC).
    ///
    /// # Errors
    ///
    /// If there is no such process.
    pub fn starting_at(self, source: u64) -> Result<Self, Error> {
        match u32::try_from(source) {
            Ok(source) if source < self.processes => Ok(Self { source, ..self }),
            _ => Err(Error::SourceOutOfRange { source_process: source, processes: self.processes.into() }),
        }
    }

    /// How many processes share the vector: P or Q.
    pub const fn processes(self) -> u32 {
        self.processes
    }

    /// Elements of a block: r or s.
    pub const fn block(self) -> u64 {
        self.block
    }

    /// The process that has the first block.
    pub const fn source(self) -> u32 {
        self.source
    }

    /// Elements until the first process is served again: `processes * block`.
    pub const fn round(self) -> u64 {
        self.processes as u64 * self.block
    }

    /// The process that has element `index` of the vector (equation 1).
    pub const fn owner(self, index: u64) -> u32 {
        ((index / self.block % self.processes as u64 + self.source as u64) % self.processes as u64) as u32
    }

    /// Where element `index` is among those that its process has (equation 1: `l * block + x`).
    pub const fn local_index(self, index: u64) -> u64 {
        index / self.round() * self.block + index % self.block
    }

    /// How many of the first `length` elements of the vector `process` has (ScaLAPACK's NUMROC).
    pub fn local_length(self, length: u64, process: u32) -> u64 {
        let position = self.position(process);
        let rest = length % self.round();
        length / self.round() * self.block + rest.saturating_sub(position * self.block).min(self.block)
    }

    /// Which block of a round is the one of `process`.
    pub(crate) const fn position(self, process: u32) -> u64 {
        (process as u64 + self.processes as u64 - self.source as u64) % self.processes as u64
    }

    /// Which process has this block of a round.
    pub(crate) const fn process_at(self, position: u64) -> u32 {
        ((position + self.source as u64) % self.processes as u64) as u32
    }
}

/// `Y[to_start..] = X[from_start..]` for a number of elements, where X is distributed as `from` and Y as `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dimension {
    from: Cyclic,
    to: Cyclic,
    from_start: u64,
    to_start: u64,
    length: Option<u64>,
}

impl Dimension {
    /// One period of `Y = X`: `lcm(P * r, Q * s)` elements, after which the pattern of messages repeats.
    ///
    /// # Errors
    ///
    /// If the period is longer than 2^63 - 1 elements.
    pub fn new(from: Cyclic, to: Cyclic) -> Result<Self, Error> {
        let dimension = Self { from, to, from_start: 0, to_start: 0, length: None };
        let period = u128::from(from.round()) / u128::from(dimension.gcd()) * u128::from(to.round());
        if period > u128::from(MOST) {
            return Err(Error::PeriodTooLong { from: from.round(), to: to.round() });
        }
        Ok(dimension)
    }

    /// One period from `CYCLIC(r)` on `p` processes to `CYCLIC(s)` on `q` processes, as in the paper.
    ///
    /// # Errors
    ///
    /// As [`Cyclic::new`] and [`Dimension::new`].
    pub fn cyclic(p: u64, r: u64, q: u64, s: u64) -> Result<Self, Error> {
        Self::new(Cyclic::new(p, r)?, Cyclic::new(q, s)?)
    }

    /// The same for `length` elements instead of one period; none is possible, too.
    ///
    /// # Errors
    ///
    /// If the last index is beyond 2^63 - 1.
    pub fn with_length(self, length: u64) -> Result<Self, Error> {
        Self { length: Some(length), ..self }.checked()
    }

    /// The same for `Y[to_start..] = X[from_start..]`.
    ///
    /// # Errors
    ///
    /// If the last index is beyond 2^63 - 1.
    pub fn with_starts(self, from_start: u64, to_start: u64) -> Result<Self, Error> {
        Self { from_start, to_start, ..self }.checked()
    }

    fn checked(self) -> Result<Self, Error> {
        let length = self.length();
        for start in [self.from_start, self.to_start] {
            if start.checked_add(length).is_none_or(|end| end > MOST) {
                return Err(Error::EndTooFar { start, length });
            }
        }
        Ok(self)
    }

    /// How X is distributed.
    pub const fn from(&self) -> Cyclic {
        self.from
    }

    /// How Y is distributed.
    pub const fn to(&self) -> Cyclic {
        self.to
    }

    /// Index in X of the first element that is moved.
    pub const fn from_start(&self) -> u64 {
        self.from_start
    }

    /// Index in Y of the first element that is moved.
    pub const fn to_start(&self) -> u64 {
        self.to_start
    }

    /// How many elements are moved: one period unless another length was given.
    pub fn length(&self) -> u64 {
        self.length.unwrap_or_else(|| self.period())
    }

    /// Elements after which the pattern of messages repeats: L = lcm(P r, Q s).
    pub fn period(&self) -> u64 {
        self.from.round() / self.gcd() * self.to.round()
    }

    /// g = gcd(P r, Q s), for block sizes as they are (the paper divides them by their greatest common divisor first).
    pub fn gcd(&self) -> u64 {
        gcd(self.from.round(), self.to.round())
    }

    /// Where element 0 of what is moved lies in a round of the source, counted from the block of process 0's position.
    pub(crate) fn source_phase(&self) -> u64 {
        self.from_start % self.from.round()
    }

    /// The same in a round of the target.
    pub(crate) fn target_phase(&self) -> u64 {
        self.to_start % self.to.round()
    }
}

/// Greatest common divisor.
pub(crate) const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_and_local_indices_are_those_of_dealing_out_blocks() {
        for (processes, block, source) in [(1, 1, 0), (3, 2, 0), (4, 3, 2), (5, 1, 4), (2, 7, 1)] {
            let distribution = Cyclic::new(processes, block).unwrap().starting_at(source).unwrap();
            let mut local = vec![0; processes as usize];
            for index in 0..100 {
                for process in 0..processes as u32 {
                    assert_eq!(distribution.local_length(index, process), local[process as usize]);
                }
                let owner = distribution.owner(index);
                assert_eq!(u64::from(owner), (index / block + source) % processes);
                assert_eq!(distribution.process_at(distribution.position(owner)), owner);
                assert_eq!(distribution.local_index(index), local[owner as usize]);
                local[owner as usize] += 1;
            }
        }
    }

    #[test]
    fn parameters_that_make_no_sense_are_named() {
        assert_eq!(Cyclic::new(0, 1), Err(Error::Zero("the number of processes")));
        assert_eq!(Cyclic::new(1, 0), Err(Error::Zero("the block size")));
        assert!(matches!(Cyclic::new(1 << 31, 1), Err(Error::TooManyProcesses(_))));
        assert!(matches!(Cyclic::new(1 << 30, 1 << 33), Err(Error::RoundTooLong { .. })));
        assert!(matches!(Cyclic::new(2, u64::MAX), Err(Error::RoundTooLong { .. })));
        assert!(matches!(Cyclic::new(4, 1).unwrap().starting_at(4), Err(Error::SourceOutOfRange { .. })));
        let long = Dimension::cyclic(3, 1 << 60, 5, (1 << 60) + 1);
        assert!(matches!(long, Err(Error::PeriodTooLong { .. })), "{long:?}");
        let dimension = Dimension::cyclic(2, 3, 4, 5).unwrap();
        assert!(matches!(dimension.with_length(MOST + 1), Err(Error::EndTooFar { .. })));
        assert!(matches!(dimension.with_starts(MOST, 0), Err(Error::EndTooFar { .. })));
        assert_eq!(dimension.period(), 60);
    }
}
