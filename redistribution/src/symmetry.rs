//! Which processes can change places: the classes of section 4.2 as a group.
//!
//! In one dimension and over whole periods, what p sends to q depends on `p r - q s` modulo g only (Definition 2). So moving p by x and q by y
//! changes no length if `x r = y s` modulo g. These moves are a cyclic group in which no move but the trivial one leaves a sender or a receiver
//! where it is: each class consists of whole orbits, and an orbit has each of its senders and receivers once. A schedule of one message of each
//! orbit, in which the senders of an orbit count as one and its receivers as one, is a schedule of all messages, as many times as large. No
//! number of messages that a process sends changes thereby, nor does a bound.

use crate::dimension::{Dimension, gcd};
use crate::grid::inverse;
use crate::problem::Redistribution;

/// Moves of senders and receivers that change no message; they commute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Symmetry {
    moves: Vec<Move>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Move {
    /// How many times it must be made until all are back.
    order: u32,
    senders: Vec<u32>,
    receivers: Vec<u32>,
}

impl Symmetry {
    /// The moves of each dimension; none if the array does not end with a period, or is empty.
    pub(crate) fn of(redistribution: &Redistribution) -> Self {
        let dimensions = redistribution.dimensions();
        let is_whole = |dimension: &Dimension| {
            dimension.length() > 0 && dimension.length().is_multiple_of(dimension.period())
        };
        if !dimensions.iter().all(is_whole) {
            return Self::default();
        }
        let moves = dimensions.iter().enumerate().filter_map(|(axis, dimension)| {
            let shift = Shift::of(dimension);
            (shift.order > 1).then(|| Move {
                order: shift.order,
                senders: (0..redistribution.senders())
                    .map(|rank| {
                        let mut coordinates = redistribution.sender_coordinates(rank);
                        let position = dimension.from().position(coordinates[axis]);
                        coordinates[axis] = dimension.from().process_at(shift.sender(position));
                        redistribution.sender_rank(&coordinates)
                    })
                    .collect(),
                receivers: (0..redistribution.receivers())
                    .map(|rank| {
                        let mut coordinates = redistribution.receiver_coordinates(rank);
                        let position = dimension.to().position(coordinates[axis]);
                        coordinates[axis] = dimension.to().process_at(shift.receiver(position));
                        redistribution.receiver_rank(&coordinates)
                    })
                    .collect(),
            })
        });
        Self { moves: moves.collect() }
    }

    /// Where some messages are missing because they are local copies, only moves remain that move both sides alike.
    pub(crate) fn keep_if(&mut self, complete: bool) {
        self.moves.retain(|one| complete || one.senders == one.receivers);
    }

    /// Whether there is no move.
    pub(crate) const fn is_trivial(&self) -> bool {
        self.moves.is_empty()
    }

    /// For each sender and each receiver the number of its orbit, and how many there are.
    pub(crate) fn orbits(&self, senders: u32, receivers: u32) -> [(Vec<u32>, u32); 2] {
        let number = |count: u32, side: fn(&Move) -> &[u32]| {
            let mut orbit_of = vec![u32::MAX; count as usize];
            let mut orbits = 0;
            for start in 0..count {
                if orbit_of[start as usize] == u32::MAX {
                    for member in self.orbit(start, |one, rank| side(one)[rank as usize]) {
                        orbit_of[member as usize] = orbits;
                    }
                    orbits += 1;
                }
            }
            (orbit_of, orbits)
        };
        [number(senders, |one| &one.senders), number(receivers, |one| &one.receivers)]
    }

    /// The orbit of a pair, beginning with the pair itself.
    pub(crate) fn pairs(&self, from: u32, to: u32) -> Vec<(u32, u32)> {
        self.orbit((from, to), |one, (from, to)| (one.senders[from as usize], one.receivers[to as usize]))
    }

    fn orbit<T: Copy>(&self, start: T, step: impl Fn(&Move, T) -> T) -> Vec<T> {
        let mut orbit = vec![start];
        for one in &self.moves {
            let size = orbit.len();
            for _ in 1..one.order {
                for index in orbit.len() - size..orbit.len() {
                    orbit.push(step(one, orbit[index]));
                }
            }
        }
        orbit
    }
}

/// The move that generates all of one dimension, in terms of positions in a round.
struct Shift {
    order: u32,
    /// Lengths depend on the sender's position modulo this.
    senders: u64,
    receivers: u64,
    by_sender: u64,
    by_receiver: u64,
}

impl Shift {
    fn of(dimension: &Dimension) -> Self {
        let (r, s, g) = (dimension.from().block(), dimension.to().block(), dimension.gcd());
        let (of_r, of_s) = (gcd(r, g), gcd(s, g));
        let (senders, receivers) = (g / of_r, g / of_s);
        // The least x > 0 for which there is a y at all.
        let x = of_s / gcd(of_s, r);
        let multiple = (u128::from(x) * u128::from(r) / u128::from(of_s) % u128::from(receivers)) as u64;
        let y = u128::from(multiple) * u128::from(inverse(s / of_s % receivers, receivers))
            % u128::from(receivers);
        Self {
            order: u32::try_from(senders / x).expect("at most as many as there are senders"),
            senders,
            receivers,
            by_sender: x,
            by_receiver: y as u64,
        }
    }

    fn sender(&self, position: u64) -> u64 {
        position - position % self.senders + (position % self.senders + self.by_sender) % self.senders
    }

    fn receiver(&self, position: u64) -> u64 {
        position - position % self.receivers + (position % self.receivers + self.by_receiver) % self.receivers
    }
}
