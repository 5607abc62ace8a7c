//! The communication grid: who sends how much to whom (Definition 4).

use serde::Serialize;

use crate::dimension::{Cyclic, Dimension, gcd};
use crate::error::Error;
use crate::overlaps::Side;
use crate::problem::{Order, Processes, Redistribution, coordinates};
use crate::symmetry::Symmetry;

/// What one process sends to one other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "(u32, u32, u64)")]
pub struct Message {
    /// Rank of the sender, in the source's process grid.
    pub from: u32,
    /// Rank of the receiver, in the target's process grid.
    pub to: u32,
    /// How many elements; at least 1.
    pub length: u64,
}

impl From<Message> for (u32, u32, u64) {
    fn from(message: Message) -> Self {
        (message.from, message.to, message.length)
    }
}

/// All messages, each pair of processes at most once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    senders: u32,
    receivers: u32,
    messages: Vec<Message>,
    local: Vec<Message>,
    symmetry: Symmetry,
}

impl Grid {
    /// A grid of any messages. Those without elements are left out; all others count as messages, none as a local copy.
    ///
    /// # Panics
    ///
    /// If a rank is not below the number of processes, or a pair occurs twice.
    pub fn new(senders: u32, receivers: u32, messages: impl IntoIterator<Item = Message>) -> Self {
        let mut messages: Vec<Message> = messages.into_iter().filter(|message| message.length > 0).collect();
        messages.sort_unstable();
        assert!(
            messages.iter().all(|message| message.from < senders && message.to < receivers),
            "ranks exist"
        );
        assert!(
            messages.windows(2).all(|pair| (pair[0].from, pair[0].to) < (pair[1].from, pair[1].to)),
            "pairs are unique"
        );
        Self { senders, receivers, messages, local: Vec::new(), symmetry: Symmetry::default() }
    }

    /// How many processes may send.
    pub const fn senders(&self) -> u32 {
        self.senders
    }

    /// How many processes may receive.
    pub const fn receivers(&self) -> u32 {
        self.receivers
    }

    /// What is to be sent, by sender, then receiver.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Which processes can change places without a change of the messages.
    pub(crate) const fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// The same messages, none of which is known to be like another.
    pub(crate) fn without_symmetry(&self) -> Self {
        Self { symmetry: Symmetry::default(), ..self.clone() }
    }

    /// What stays where it is, where senders and receivers are the same processes.
    pub fn local(&self) -> &[Message] {
        &self.local
    }
}

/// The grid of a redistribution.
pub(crate) fn of(redistribution: &Redistribution, limit: u64) -> Result<Grid, Error> {
    let dimensions = redistribution.dimensions();
    let most =
        dimensions.iter().fold(1_u128, |product, dimension| product.saturating_mul(most_messages(dimension)));
    if most > u128::from(limit) {
        return Err(Error::TooManyMessages { messages: most, limit });
    }
    // One dimension may have more messages than that if another one is empty.
    let rows: Vec<Rows> = if most == 0 { Vec::new() } else { dimensions.iter().map(Rows::of).collect() };
    let weights =
        weights(dimensions.iter().map(|dimension| dimension.to().processes()), redistribution.to_order());
    let mut grid = Grid {
        senders: redistribution.senders(),
        receivers: redistribution.receivers(),
        messages: Vec::new(),
        local: Vec::new(),
        symmetry: Symmetry::of(redistribution),
    };
    // Only processes that send anything are looked at: there may be many more than messages.
    let sending: Vec<u32> = rows.iter().map(|rows| rows.senders.len() as u32).collect();
    let mut row: Vec<(u32, u64)> = Vec::new();
    let mut product = Vec::new();
    for number in 0..if most == 0 { 0 } else { sending.iter().product() } {
        row.clear();
        row.push((0, 1));
        let places = coordinates(number, &sending, redistribution.from_order());
        let ends: Vec<u32> =
            rows.iter().zip(&places).map(|(rows, place)| rows.senders[*place as usize]).collect();
        let from = redistribution.sender_rank(&ends);
        for ((rows, weight), place) in rows.iter().zip(&weights).zip(places) {
            product.clear();
            for (rank, length) in &row {
                product.extend(rows.row(place).iter().map(|(q, part)| (rank + q * weight, length * part)));
            }
            std::mem::swap(&mut row, &mut product);
        }
        row.sort_unstable();
        for (to, length) in row.iter().copied() {
            let message = Message { from, to, length };
            if redistribution.processes() == Processes::Same && from == to {
                grid.local.push(message);
            } else {
                grid.messages.push(message);
            }
        }
    }
    grid.symmetry.keep_if(grid.local.is_empty());
    Ok(grid)
}

/// What each coordinate counts in a rank.
fn weights(extents: impl Iterator<Item = u32>, order: Order) -> Vec<u32> {
    let extents: Vec<u32> = extents.collect();
    let mut weights = vec![1; extents.len()];
    match order {
        Order::RowMajor => {
            (0..extents.len() - 1).rev().for_each(|i| weights[i] = weights[i + 1] * extents[i + 1])
        }
        Order::ColumnMajor => (1..extents.len()).for_each(|i| weights[i] = weights[i - 1] * extents[i - 1]),
    }
    weights
}

/// At most so many messages are there in one dimension.
fn most_messages(dimension: &Dimension) -> u128 {
    let (from, to) = (dimension.from(), dimension.to());
    let length = u128::from(dimension.length());
    // Each message of an array that is shorter than a period needs a place where two blocks overlap.
    let overlaps = length / u128::from(from.block()) + length / u128::from(to.block()) + 2;
    in_a_period(dimension).min(overlaps).min(length)
}

/// How many messages there are in one period: all classes are equally large (Proposition 1).
fn in_a_period(dimension: &Dimension) -> u128 {
    let (from, to, g) = (dimension.from(), dimension.to(), dimension.gcd());
    let unit = gcd(from.block(), to.block());
    let pairs = u128::from(from.processes()) * u128::from(to.processes());
    // Without a shift, only classes that are multiples of the greatest common divisor of the blocks occur; with one, it may be one more.
    let classes = u128::from(g / unit).min(u128::from(from.block() / unit) + u128::from(to.block() / unit));
    pairs / u128::from(g / unit) * classes
}

/// For each sender of one dimension that sends anything, the receivers and lengths, in one piece.
struct Rows {
    /// In ascending order.
    senders: Vec<u32>,
    starts: Vec<usize>,
    entries: Vec<(u32, u64)>,
}

impl Rows {
    /// The row of the sender at this place among `senders`.
    fn row(&self, place: u32) -> &[(u32, u64)] {
        &self.entries[self.starts[place as usize]..self.starts[place as usize + 1]]
    }

    fn of(dimension: &Dimension) -> Self {
        let mut rows = Self { senders: Vec::new(), starts: vec![0], entries: Vec::new() };
        let (period, length) = (dimension.period(), dimension.length());
        let (whole, rest) = (length / period, length % period);
        let (sender, receiver) = (Side::of_sender(dimension), Side::of_receiver(dimension));
        let mut begun = Accumulator::new(receiver, length);
        // Looking at the blocks of what is left of a period is cheaper than a formula for each pair, unless blocks are many.
        let from = dimension.from();
        let per_row = in_a_period(dimension) / u128::from(from.processes());
        let blocks = u128::from(rest / from.round() + 1)
            * u128::from(from.block().min(rest) / dimension.to().block() + 2);
        let by_blocks = blocks <= 64 + 16 * per_row;
        let classes = ClassRows::new(dimension);
        for p in touched(sender, length) {
            if rest > 0 && by_blocks {
                sender.for_each_piece(p, rest, |piece| begun.add(piece.other, piece.length));
            }
            if whole > 0 || (rest > 0 && !by_blocks) {
                classes.for_each(p, |q| {
                    let in_whole = if whole > 0 { whole * dimension.period_length(p, q) } else { 0 };
                    let in_rest = if by_blocks { 0 } else { dimension.begun_length(p, q) };
                    begun.add(q, in_whole + in_rest);
                });
            }
            begun.drain_into(&mut rows.entries);
            rows.senders.push(p);
            rows.starts.push(rows.entries.len());
        }
        rows
    }
}

/// The processes of a side that have any of the first `length` elements, in ascending order.
fn touched(side: Side, length: u64) -> Vec<u32> {
    let (first, blocks) = side.blocks(length);
    let processes = u64::from(side.mine.processes());
    let mut all: Vec<u32> =
        (0..blocks.min(processes)).map(|block| side.mine.process_at((first + block) % processes)).collect();
    all.sort_unstable();
    all
}

/// Lengths of one row under way.
struct Accumulator {
    /// The target, where receivers are counted from the one that has the first element on.
    to: Cyclic,
    first: u64,
    lengths: Vec<u64>,
    touched: Vec<u32>,
}

impl Accumulator {
    fn new(receiver: Side, length: u64) -> Self {
        let (first, blocks) = receiver.blocks(length);
        let receivers = blocks.min(receiver.mine.processes().into());
        Self { to: receiver.mine, first, lengths: vec![0; receivers as usize], touched: Vec::new() }
    }

    fn entry(&mut self, q: u32) -> &mut u64 {
        let processes = u64::from(self.to.processes());
        &mut self.lengths[((self.to.position(q) + processes - self.first) % processes) as usize]
    }

    fn add(&mut self, q: u32, length: u64) {
        if length == 0 {
            return;
        }
        let entry = self.entry(q);
        let is_new = *entry == 0;
        *entry += length;
        if is_new {
            self.touched.push(q);
        }
    }

    fn drain_into(&mut self, entries: &mut Vec<(u32, u64)>) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        entries.extend(touched.drain(..).map(|q| (q, std::mem::take(self.entry(q)))));
        self.touched = touched;
    }
}

/// Finds the receivers of a sender through the classes, without looking at those that get nothing.
struct ClassRows<'a> {
    dimension: &'a Dimension,
    /// gcd(s, g): only differences that are multiples of it (and of the shift) are reached by going from receiver to receiver.
    unit: u64,
    /// Receivers of one class are so far apart.
    apart: u64,
    /// Inverse of s / unit modulo `apart`.
    inverse: u64,
}

impl<'a> ClassRows<'a> {
    fn new(dimension: &'a Dimension) -> Self {
        let (g, s) = (dimension.gcd(), dimension.to().block());
        let unit = gcd(s, g);
        let apart = g / unit;
        Self { dimension, unit, apart, inverse: inverse(s / unit % apart, apart) }
    }

    fn for_each(&self, p: u32, mut act: impl FnMut(u32)) {
        let (from, to) = (self.dimension.from(), self.dimension.to());
        let (r, s, g) = (from.block(), to.block(), self.dimension.gcd());
        // The block at position 0 of the target, seen from p, is of this class; that at position q of the class `base - q s`.
        let base = self.dimension.class(p, to.process_at(0));
        // Classes 1 - r, ..., s - 1, those only that leave the same as `base` when divided by `unit`.
        let (low, high) = (1 - i128::from(r), i128::from(s) - 1);
        let first = low + (i128::from(base) - low).rem_euclid(i128::from(self.unit));
        let mut class = first;
        for _ in 0..g / self.unit {
            if class > high {
                break;
            }
            let difference = (i128::from(base) - class).rem_euclid(i128::from(g)) as u64 / self.unit;
            let mut position =
                (u128::from(difference) * u128::from(self.inverse) % u128::from(self.apart)) as u64;
            while position < u64::from(to.processes()) {
                act(to.process_at(position));
                position += self.apart;
            }
            class += i128::from(self.unit);
        }
    }
}

/// The inverse of `a` modulo `m`, which have no common factor; 0 where m is 1.
pub(crate) fn inverse(a: u64, m: u64) -> u64 {
    let (mut r0, mut r1) = (i128::from(m), i128::from(a));
    let (mut t0, mut t1) = (0_i128, 1_i128);
    while r1 != 0 {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (t0, t1) = (t1, t0 - quotient * t1);
    }
    t0.rem_euclid(i128::from(m)) as u64
}
