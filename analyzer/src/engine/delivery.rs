//! What operations leave in memory when they are complete: buffers and statuses.

use lattice::Symbol;

use super::aliasing::Stored;
use super::contents::is_integral;
use super::eval::{Location, Scope};
use super::memory::{Background, Content, LARGEST_CELL, LARGEST_SCALAR};
use super::mpi::type_size;
use super::state::{address, target};
use super::value::Value;

/// Elements of a broadcast of which is told one by one what is known.
const LISTED: u64 = 64;

/// Offset and size of what the engine keeps in an `MPI_Status`: `MPI_SOURCE` and `MPI_TAG`, as our own `mpi.h` declares them, and
/// behind `MPI_ERROR` the number of elements and their datatype.
const STATUS_FIELDS: [(i64, u64); 4] = [(0, 4), (4, 4), (16, 8), (24, 8)];

impl Scope<'_, '_> {
    /// Stores what a receive or broadcast delivers.
    pub(crate) fn deliver(&mut self, buffer: &Value, count: &Value, datatype: &Value, payload: Value) {
        let Some(location) = target(buffer) else {
            if *buffer != Value::int(0) {
                self.engine.forget_exposed(self.memory, Stored::of_datatype(datatype));
            }
            return;
        };
        let object = location.object;
        self.engine.ensure(self.memory, object);
        let Some(offset) = location.offset.clone() else {
            self.memory.content(object).forget();
            return;
        };
        let element = type_size(datatype);
        let elements =
            count.as_int().and_then(|c| self.facts.constant(c)).and_then(|c| u64::try_from(c).ok());
        match (elements, element) {
            (Some(0), _) => {}
            (Some(1), Some(size)) => self.write(&location, Some(size), payload),
            (Some(elements @ 2..=64), Some(size @ 1..=32)) => {
                for index in 0..elements {
                    let step = i64::try_from(index * size).ok();
                    let offset = step.and_then(|step| offset.offset(step));
                    self.write(&Location { object, offset }, Some(size), Value::Unknown);
                }
            }
            _ => self.memory.content(object).forget(),
        }
    }

    /// Stores what a broadcast of several elements delivers: bytes of which only is known that all ranks have the same.
    pub(crate) fn deliver_alike(&mut self, buffer: &Value, count: &Value, datatype: &Value, symbol: Symbol) {
        let size = type_size(datatype);
        let number = count.as_int().and_then(|c| self.facts.constant(c)).and_then(|c| u64::try_from(c).ok());
        let place = address(buffer).and_then(|(object, offset)| Some((object, self.facts.constant(offset)?)));
        let (Some(size @ 1..), Some(number @ 1..), Some((object, start))) = (size, number, place) else {
            return self.deliver(buffer, count, datatype, Value::Unknown);
        };
        self.engine.ensure(self.memory, object);
        let whole = number.checked_mul(size);
        if start == 0 && whole.is_some() && whole == self.engine.extent(object) {
            self.replace(object, Some(symbol));
        } else if number <= 64 && size <= LARGEST_SCALAR {
            for index in (0..number).filter_map(|index| i64::try_from(index).ok()) {
                let element = self.engine.symbols.apply("element", vec![symbol.into(), index.into()]);
                let value =
                    if is_integral(datatype) { Value::Int(element.into()) } else { Value::Same(element) };
                let step =
                    i64::try_from(size).ok().and_then(|size| start.checked_add(index.checked_mul(size)?));
                if let Some(offset) = step {
                    self.write(&Location { object, offset: Some(offset.into()) }, Some(size), value);
                }
            }
        } else if let Some(whole) = whole.filter(|whole| *whole <= LARGEST_CELL) {
            self.make_way(object, Some((start, whole)));
            self.memory.write_below(object, start, whole, Value::Same(symbol));
        } else {
            self.deliver(buffer, count, datatype, Value::Unknown);
        }
    }

    /// What is known of the elements of a buffer, the first one at 0: of each by itself, and of scalars in them.
    pub(crate) fn known_elements(&mut self, buffer: &Value, count: &Value, datatype: &Value) -> Content {
        let mut known = Content::new(Background::Unknown);
        let size = type_size(datatype);
        let number = count.as_int().and_then(|c| self.facts.constant(c)).and_then(|c| u64::try_from(c).ok());
        let place = address(buffer).and_then(|(object, offset)| Some((object, self.facts.constant(offset)?)));
        let (Some(size @ 1..), Some(number @ 1..), Some((object, start))) = (size, number, place) else {
            return known;
        };
        let Some(whole) = number.checked_mul(size).filter(|_| i64::try_from(size).is_ok()) else {
            return known;
        };
        self.engine.ensure(self.memory, object);
        let limit = usize::try_from(LISTED).unwrap_or(usize::MAX);
        if self.memory.get(object).is_some_and(|content| content.cells.len() <= limit) {
            let section = self.section(object, start, whole);
            if section.series.is_empty() {
                known.cells = section.cells;
            }
        }
        if number <= LISTED && 1 < size && size <= LARGEST_SCALAR {
            for index in 0..number {
                let Ok(step) = i64::try_from(index * size) else { break };
                let Some(offset) = start.checked_add(step) else { break };
                let location = Location { object, offset: Some(offset.into()) };
                let value = self.read_sized(&location, size);
                if value != Value::Unknown && !known.cells.contains_key(&step) {
                    known.cells.insert(step, (size, value));
                }
            }
        }
        known
    }

    /// Stores what is known of elements that a broadcast delivers.
    pub(crate) fn deliver_known(&mut self, buffer: &Value, known: &Content) {
        let Some((object, start)) = address(buffer).map(|(object, start)| (object, start.clone())) else {
            return;
        };
        for (&step, (size, value)) in &known.cells {
            if let Some(offset) = start.offset(step) {
                self.write(&Location { object, offset: Some(offset) }, Some(*size), value.clone());
            }
        }
    }

    /// Stores source, tag and number of elements (of a datatype) in a status.
    pub(crate) fn deliver_status(
        &mut self,
        status: &Value,
        source: &Value,
        tag: &Value,
        count: &(Value, Value),
    ) {
        let Some((object, offset)) = address(status) else {
            match target(status) {
                Some(somewhere) => self.write(&somewhere, None, Value::Unknown),
                None if *status == Value::Unknown => {
                    self.engine.forget_exposed(self.memory, Stored::ANYTHING)
                }
                None => {}
            }
            return;
        };
        let offset = offset.clone();
        self.engine.ensure(self.memory, object);
        let values = [source.clone(), tag.clone(), count.0.clone(), count.1.clone()];
        for ((step, size), value) in STATUS_FIELDS.into_iter().zip(values) {
            self.write(&Location { object, offset: offset.offset(step) }, Some(size), value);
        }
    }

    /// Number of elements that a status tells of, with their datatype.
    pub(crate) fn counted(&mut self, status: &Value) -> Option<(Value, Value)> {
        let (object, offset) = address(status)?;
        let offset = offset.clone();
        let mut field = |index: usize| {
            let (step, size) = STATUS_FIELDS[index];
            self.read_sized(&Location { object, offset: offset.offset(step) }, size)
        };
        Some((field(2), field(3)))
    }
}
