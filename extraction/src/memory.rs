//! What variables hold on a path.

use std::collections::BTreeMap;
use std::rc::Rc;

use frontend::ir::{GlobalId, LocalId};
use presburger::Relation;

use crate::form::{Atom, Form};
use crate::grids::Grid;
use crate::groups::Group;
use crate::reals::Real;

/// An object of the program: a variable, or memory that a call has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Object {
    /// A variable of a call, by the number of the call.
    Local(u32, LocalId),
    /// A static variable of a function, by unit and function, or one of file scope.
    Static(usize, u32, LocalId),
    Global(usize, GlobalId),
    /// Memory on the heap, by the number of the call that made it.
    Heap(u32),
    /// How many bytes that memory has; no pointer points here.
    Size(u32),
}

/// A step into an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    Field(u32),
    At(Form),
}

/// A part of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(crate) object: Object,
    pub(crate) steps: Vec<Step>,
}

/// A part of an object all of whose steps are numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cell {
    pub(crate) object: Object,
    pub(crate) path: Vec<i64>,
}

impl Place {
    pub(crate) fn of(object: Object) -> Self {
        Self { object, steps: Vec::new() }
    }

    pub(crate) fn with(&self, step: Step) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self { object: self.object, steps }
    }

    /// Where so many elements further is.
    pub(crate) fn moved(&self, by: &Form) -> Option<Self> {
        let mut moved = self.clone();
        match moved.steps.last_mut() {
            Some(Step::At(index)) => *index = index.plus(by, 1)?,
            _ if by.as_number() == Some(0) => {}
            _ => return None,
        }
        Some(moved)
    }

    /// The cell of the array that it is an element of, and its index.
    pub(crate) fn element(&self) -> Option<(Cell, &Form)> {
        let (Step::At(index), before) = self.steps.split_last()? else { return None };
        let array = Self { object: self.object, steps: before.to_vec() };
        Some((array.cell()?, index))
    }

    pub(crate) fn cell(&self) -> Option<Cell> {
        let path = self.steps.iter().map(|step| match step {
            Step::Field(field) => Some(i64::from(*field)),
            Step::At(index) => index.as_number(),
        });
        Some(Cell { object: self.object, path: path.collect::<Option<_>>()? })
    }
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(Form),
    /// A pointer to a part of an object.
    Address(Place),
    /// A communicator, by the number of the call that made it. Where a colour chose its processes, those that have `MPI_UNDEFINED` are not
    /// among them: theirs is `MPI_COMM_NULL`.
    Communicator {
        number: usize,
        colour: Option<Form>,
        /// The grid that the processes are in.
        grid: Option<Rc<Grid>>,
    },
    /// `MPI_COMM_NULL`.
    NoCommunicator,
    /// `MPI_COMM_WORLD`, where only a part of the processes is followed.
    World,
    /// It is not known, but the same for all processes that come here in the same round. What is written has a number: two of different
    /// numbers may differ; 0 has whatever was not written yet.
    Same(u32),
    /// Elements of an array. They are in the cell of the array, which has no other value.
    Elements(Rc<Elements>),
    /// A group of processes.
    Group(Rc<Group>),
    /// A datatype with so many bytes of data, which is the same for all.
    Datatype(Form),
    /// The source or the tag of a message that a probe for any (this number) has found.
    Probed(i64),
    /// Who has sent what a receive from any source got, by the number of the event.
    Sender(usize),
    /// A message that a probe has matched, by the number of the event that receives it.
    Matched(usize),
    /// A real number.
    Real(Real),
    /// It is not known.
    Open,
}

/// What is known of the elements of an array.
#[derive(Clone, Debug)]
pub(crate) struct Elements {
    /// Coordinates on which they depend.
    pub(crate) at: Vec<u32>,
    /// From these and an index to the element, where it is known: a number, or the numbers that are multiplied with widths of digits in it.
    pub(crate) values: Relation,
}

impl PartialEq for Elements {
    /// Only what is the same is known to be equal.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// What is known of the memory of a process: what is not in it is not known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    cells: BTreeMap<Cell, Value>,
}

impl Memory {
    pub(crate) fn read(&self, cell: &Cell) -> Option<&Value> {
        self.cells.get(cell)
    }

    pub(crate) fn write(&mut self, cell: Cell, value: Value) {
        self.forget_below(&cell);
        for length in 0..cell.path.len() {
            self.cells.remove(&Cell { object: cell.object, path: cell.path[..length].to_vec() });
        }
        if value != Value::Open {
            self.cells.insert(cell, value);
        }
    }

    /// Nothing is known any more of a cell, what is in it, and what it is in.
    pub(crate) fn forget_below(&mut self, cell: &Cell) {
        let inside: Vec<Cell> = self.below(cell).map(|(inner, _)| inner.clone()).collect();
        for inner in inside {
            self.cells.remove(&inner);
        }
    }

    /// The cells in a cell, itself included, with what they hold.
    pub(crate) fn below<'a>(&'a self, cell: &'a Cell) -> impl Iterator<Item = (&'a Cell, &'a Value)> {
        let of_object = self.cells.range(cell.clone()..);
        of_object.take_while(|(inner, _)| inner.object == cell.object && inner.path.starts_with(&cell.path))
    }

    pub(crate) fn forget(&mut self, object: Object) {
        self.forget_below(&Cell { object, path: Vec::new() });
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(Object) -> bool) {
        self.cells.retain(|cell, _| keep(cell.object));
    }

    /// Puts a form in place of an atom in all numbers.
    pub(crate) fn replace(&mut self, atom: Atom, by: &Form) {
        for value in self.cells.values_mut() {
            if let Value::Number(form) = value
                && let Some(replaced) = form.replaced(atom, by)
            {
                *form = replaced;
            }
        }
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = (&Cell, &Value)> {
        self.cells.iter()
    }
}
