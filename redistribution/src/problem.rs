//! A redistribution of an array of any number of dimensions: the tensor product of its dimensions (section 1).

use crate::dimension::{Dimension, MOST};
use crate::error::Error;
use crate::grid::{self, Grid};

/// In which order the processes of a multi-dimensional process grid are numbered (order R and C of the BLACS).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// The last coordinate counts fastest.
    #[default]
    RowMajor,
    /// The first coordinate counts fastest.
    ColumnMajor,
}

/// Whether senders and receivers are the same processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Processes {
    /// They are different ones, so everything is a message. The paper counts in this way even where they are the same.
    #[default]
    Disjoint,
    /// Sender p and receiver p are one process: what it keeps is a local copy and no message.
    Same,
}

/// From one block-cyclic distribution of an array to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Redistribution {
    dimensions: Vec<Dimension>,
    from_order: Order,
    to_order: Order,
    processes: Processes,
}

impl Redistribution {
    /// Messages that are allowed unless [`grid_within`](Self::grid_within) says otherwise: their schedule takes a few GiB.
    pub const MESSAGE_LIMIT: u64 = 1 << 25;

    /// The tensor product of these dimensions, process grids in row-major order, senders and receivers disjoint.
    ///
    /// # Errors
    ///
    /// If there is no dimension, or there are more processes or elements than can be counted.
    pub fn new(dimensions: Vec<Dimension>) -> Result<Self, Error> {
        if dimensions.is_empty() {
            return Err(Error::NoDimension);
        }
        for side in [Dimension::from, Dimension::to] {
            let processes = dimensions.iter().try_fold(1_u64, |product, dimension| {
                product.checked_mul(side(dimension).processes().into()).filter(|all| *all <= i32::MAX as u64)
            });
            if processes.is_none() {
                let product = dimensions.iter().map(|dimension| u64::from(side(dimension).processes()));
                return Err(Error::TooManyProcesses(product.fold(1, u64::saturating_mul)));
            }
        }
        let elements = dimensions.iter().try_fold(1_u64, |product, dimension| {
            // An empty dimension makes the array empty, but the others must fit all the same.
            product.checked_mul(dimension.length().max(1)).filter(|all| *all <= MOST)
        });
        match elements {
            Some(_) => Ok(Self {
                dimensions,
                from_order: Order::RowMajor,
                to_order: Order::RowMajor,
                processes: Processes::Disjoint,
            }),
            None => Err(Error::ArrayTooLarge),
        }
    }

    /// One dimension, one period, as in the paper: `CYCLIC(r)` on `p` processes to `CYCLIC(s)` on `q` processes.
    ///
    /// # Errors
    ///
    /// As [`Dimension::cyclic`].
    pub fn cyclic(p: u64, r: u64, q: u64, s: u64) -> Result<Self, Error> {
        Self::new(vec![Dimension::cyclic(p, r, q, s)?])
    }

    /// The same with process grids in these orders.
    #[must_use]
    pub fn with_orders(self, from_order: Order, to_order: Order) -> Self {
        Self { from_order, to_order, ..self }
    }

    /// The same with senders and receivers that are the same processes, or not.
    #[must_use]
    pub fn with_processes(self, processes: Processes) -> Self {
        Self { processes, ..self }
    }

    /// The dimensions, in the order of the array's indices.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// In which order the senders are numbered.
    pub const fn from_order(&self) -> Order {
        self.from_order
    }

    /// In which order the receivers are numbered.
    pub const fn to_order(&self) -> Order {
        self.to_order
    }

    /// Whether senders and receivers are the same processes.
    pub const fn processes(&self) -> Processes {
        self.processes
    }

    /// How many processes have a part of X.
    pub fn senders(&self) -> u32 {
        self.dimensions.iter().map(|dimension| dimension.from().processes()).product()
    }

    /// How many processes have a part of Y.
    pub fn receivers(&self) -> u32 {
        self.dimensions.iter().map(|dimension| dimension.to().processes()).product()
    }

    /// The coordinates of a sender in its process grid.
    pub fn sender_coordinates(&self, rank: u32) -> Vec<u32> {
        let extents: Vec<u32> =
            self.dimensions.iter().map(|dimension| dimension.from().processes()).collect();
        coordinates(rank, &extents, self.from_order)
    }

    /// The coordinates of a receiver in its process grid.
    pub fn receiver_coordinates(&self, rank: u32) -> Vec<u32> {
        let extents: Vec<u32> = self.dimensions.iter().map(|dimension| dimension.to().processes()).collect();
        coordinates(rank, &extents, self.to_order)
    }

    /// The rank of the sender at these coordinates.
    pub fn sender_rank(&self, coordinates: &[u32]) -> u32 {
        let extents = self.dimensions.iter().map(|dimension| dimension.from().processes());
        rank(coordinates, extents, self.from_order)
    }

    /// The rank of the receiver at these coordinates.
    pub fn receiver_rank(&self, coordinates: &[u32]) -> u32 {
        let extents = self.dimensions.iter().map(|dimension| dimension.to().processes());
        rank(coordinates, extents, self.to_order)
    }

    /// How many elements go from sender `from` to receiver `to`, found in closed form.
    ///
    /// # Panics
    ///
    /// If there is no such sender or receiver.
    pub fn length(&self, from: u32, to: u32) -> u64 {
        assert!(from < self.senders() && to < self.receivers(), "ranks are below the numbers of processes");
        let (from, to) = (self.sender_coordinates(from), self.receiver_coordinates(to));
        self.dimensions
            .iter()
            .zip(from.iter().zip(&to))
            .map(|(dimension, (p, q))| dimension.message_length(*p, *q))
            .product()
    }

    /// All messages and local copies.
    ///
    /// # Errors
    ///
    /// If there may be more than [`MESSAGE_LIMIT`](Self::MESSAGE_LIMIT) messages.
    pub fn grid(&self) -> Result<Grid, Error> {
        grid::of(self, Self::MESSAGE_LIMIT)
    }

    /// All messages and local copies, if there are at most `limit`.
    ///
    /// # Errors
    ///
    /// If there may be more messages than that.
    pub fn grid_within(&self, limit: u64) -> Result<Grid, Error> {
        grid::of(self, limit)
    }
}

/// The coordinates of the process with this rank in a grid of these extents.
pub(crate) fn coordinates(mut rank: u32, extents: &[u32], order: Order) -> Vec<u32> {
    let mut coordinates = vec![0; extents.len()];
    let mut next = |axis: usize| {
        coordinates[axis] = rank % extents[axis];
        rank /= extents[axis];
    };
    match order {
        Order::RowMajor => (0..extents.len()).rev().for_each(&mut next),
        Order::ColumnMajor => (0..extents.len()).for_each(&mut next),
    }
    coordinates
}

fn rank(coordinates: &[u32], extents: impl DoubleEndedIterator<Item = u32>, order: Order) -> u32 {
    let pairs = coordinates.iter().zip(extents.collect::<Vec<_>>());
    let step = |rank: u32, (coordinate, extent): (&u32, u32)| rank * extent + coordinate;
    match order {
        Order::RowMajor => pairs.fold(0, step),
        Order::ColumnMajor => pairs.rev().fold(0, step),
    }
}
