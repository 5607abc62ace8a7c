//! Datatypes: which cells they consist of.

use crate::code::{Pointer, Value};
use crate::world::{Process, Result, argument};

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Basic {
    Int,
    Double,
}

/// A datatype of elements of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Datatype {
    pub(crate) basic: Basic,
    /// Where its elements lie, in cells.
    pub(crate) cells: Vec<i64>,
    /// From one to the next, in cells.
    pub(crate) extent: i64,
    /// `None` of one that the program made.
    pub(crate) name: Option<&'static str>,
    pub(crate) is_committed: bool,
    pub(crate) is_freed: bool,
}

impl Datatype {
    pub(crate) fn predefined() -> Vec<Self> {
        let one = |basic, name| Self {
            basic,
            cells: vec![0],
            extent: 1,
            name: Some(name),
            is_committed: true,
            is_freed: false,
        };
        vec![one(Basic::Int, "MPI_INT"), one(Basic::Double, "MPI_DOUBLE")]
    }

    pub(crate) fn contiguous(of: &Self, count: i64) -> Self {
        Self::vector(of, 1, count, count)
    }

    pub(crate) fn vector(of: &Self, count: i64, length: i64, stride: i64) -> Self {
        let mut cells = Vec::new();
        for block in 0..count {
            for index in 0..length {
                let at = (block * stride + index) * of.extent;
                cells.extend(of.cells.iter().map(|cell| at + cell));
            }
        }
        let end = cells.iter().max().map_or(0, |last| last + 1);
        Self { basic: of.basic, cells, extent: end, name: None, is_committed: false, is_freed: false }
    }

    /// Bytes of its elements.
    pub(crate) fn bytes(&self) -> i64 {
        let one = match self.basic {
            Basic::Int => 4,
            Basic::Double => 8,
        };
        one * i64::try_from(self.cells.len()).unwrap_or(i64::MAX)
    }
}

impl Process {
    pub(crate) fn datatype(&self, handle: i64) -> Result<&Datatype> {
        let known = usize::try_from(handle).ok().and_then(|index| self.datatypes.get(index));
        match known.filter(|datatype| !datatype.is_freed) {
            Some(datatype) => Ok(datatype),
            None => argument("no datatype"),
        }
    }

    /// A datatype that messages may be described with.
    pub(crate) fn usable(&self, handle: i64) -> Result<&Datatype> {
        let datatype = self.datatype(handle)?;
        if datatype.is_committed { Ok(datatype) } else { argument("a datatype that is not committed") }
    }

    /// Pointers to the cells of so many elements.
    fn cells(&self, buffer: Value, count: i64, datatype: &Datatype) -> Result<Vec<Pointer>> {
        if count < 0 {
            return argument("a negative count");
        }
        if count == 0 || datatype.cells.is_empty() {
            return Ok(Vec::new());
        }
        let Value::Pointer(start) = buffer else { return argument("no buffer") };
        let mut cells = Vec::new();
        for element in 0..count {
            for cell in &datatype.cells {
                cells.push(Self::further(start, element * datatype.extent + cell)?);
            }
        }
        Ok(cells)
    }

    /// What a buffer holds.
    pub(crate) fn read(&self, buffer: Value, count: i64, datatype: &Datatype) -> Result<Vec<Value>> {
        self.cells(buffer, count, datatype)?.into_iter().map(|cell| self.load(cell)).collect()
    }

    /// Fills the first elements of a buffer.
    pub(crate) fn write(&mut self, buffer: Value, count: i64, datatype: &Datatype, data: &[Value]) -> Result {
        let cells = self.cells(buffer, count, datatype)?;
        cells.into_iter().zip(data).try_for_each(|(cell, value)| self.store(cell, *value))
    }
}
