//! Messages of one number of processes, added up for each pair of ranks.

use std::collections::BTreeMap;

use analyzer::results::Instance;

/// A number of messages or bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    Known(i64),
    DependsOnInput,
}

impl Amount {
    /// Nothing.
    pub(crate) const ZERO: Self = Self::Known(0);

    fn of(number: Option<i64>) -> Self {
        number.map_or(Self::DependsOnInput, Self::Known)
    }

    /// The sum. One that is beyond 64 bits is as good as unknown.
    fn plus(self, more: Self) -> Self {
        match (self, more) {
            (Self::Known(a), Self::Known(b)) => Self::of(a.checked_add(b)),
            _ => Self::DependsOnInput,
        }
    }

    /// `1 message`, `20 messages`, `a number of messages that depends on input`.
    pub(crate) fn phrase(self, noun: &str) -> String {
        match self {
            Self::Known(1) => format!("1 {noun}"),
            Self::Known(number) => format!("{number} {noun}s"),
            Self::DependsOnInput => format!("a number of {noun}s that depends on input"),
        }
    }
}

/// What one rank sends to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) messages: Amount,
    pub(crate) bytes: Amount,
}

impl Cell {
    const EMPTY: Self = Self { messages: Amount::ZERO, bytes: Amount::ZERO };

    fn plus(self, more: Self) -> Self {
        Self { messages: self.messages.plus(more.messages), bytes: self.bytes.plus(more.bytes) }
    }
}

/// What each sender sends to each receiver; pairs that exchange nothing are not there.
pub(crate) fn cells(instance: &Instance) -> BTreeMap<(u64, u64), Cell> {
    let mut cells = BTreeMap::new();
    for message in &instance.messages {
        let bytes = message.bytes.zip(message.repeat).and_then(|(bytes, repeat)| bytes.checked_mul(repeat));
        let more = Cell { messages: Amount::of(message.repeat), bytes: Amount::of(bytes) };
        let cell = cells.entry((message.from, message.to)).or_insert(Cell::EMPTY);
        *cell = cell.plus(more);
    }
    cells
}

/// Everything that is sent.
pub(crate) fn total(cells: &BTreeMap<(u64, u64), Cell>) -> Cell {
    cells.values().fold(Cell::EMPTY, |sum, cell| sum.plus(*cell))
}
