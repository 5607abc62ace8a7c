//! Parameters: numbers that are the same for all, and what the program calls them.

use frontend::ir::{FunctionId, Span};

use crate::extract::{Extractor, Named};
use crate::form::{Atom, Form};
use crate::memory::{Cell, Object, Place, Value};
use crate::state::State;

/// What a parameter stands for at a place of the program, or, where it is the same everywhere, in the whole program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// How many arguments the program has.
    Arguments,
    /// The answer to a condition that nobody knows: the number of the case of a `switch`.
    Answer(usize),
    /// What a function of the C library reads out of an argument.
    Read,
    /// An argument of a call that is the same for all.
    Passed,
    /// A number that is the same for all and has no form.
    Unknown,
    /// One of two numbers, in an expression.
    OneOf,
    /// The same for a variable where ways come together, by its number there.
    OneOfIn(usize),
    /// What a variable holds after a loop and in one of its rounds, by its number there.
    After(usize),
    InRound(usize),
    /// What a call writes to the argument with this index.
    Written(usize),
    /// The size of a grid in a direction: of this grid, and of the one that the number of processes decides about, in so many directions.
    Dimension(usize),
    DimensionOfAll(i64, usize),
    /// Of a loop that multiplies a number: the number in any round, which round it is, the number after it, how many rounds it has gone, what it
    /// divides, and which way it is left.
    Power,
    Round,
    LastPower,
    Exponent,
    Divided,
    Way,
    /// How many processes a communicator has that is made here, by which of several numbers that is: some of them may have another one.
    Size(usize),
    /// A digit of another parameter.
    Digit(usize, usize),
    /// What comes from others, by the number of where it comes from.
    Quotient(usize),
    Remainder(usize),
    Product(usize),
    Root(usize),
}

/// Where in the program a parameter is found for the first time: the calls on the way, the place, and what it is there.
pub(crate) type Path = (Vec<Span>, Span, Kind);

/// The path of what is the same everywhere.
pub(crate) fn everywhere(kind: Kind) -> Path {
    (Vec::new(), Span::default(), kind)
}

impl Extractor<'_> {
    /// The parameter that stands for what is found at a place of the program, outside of loops or out of these.
    pub(crate) fn parameter(&mut self, span: Span, kind: Kind, named: Named, of: &[&Value]) -> Option<Value> {
        let is_constant =
            self.counters.is_empty() || (!of.is_empty() && of.iter().all(|value| self.is_constant(value)));
        is_constant.then(|| Value::Number(self.parameter_of(span, kind, named)))
    }

    pub(crate) fn parameter_of(&mut self, span: Span, kind: Kind, named: Named) -> Form {
        self.parameter_on((self.calls.clone(), span, kind), named)
    }

    /// The parameter of this path through the program.
    pub(crate) fn parameter_on(&mut self, path: Path, named: Named) -> Form {
        let count = self.parameters.names.len();
        let at = *self.known_parameters.entry(path).or_insert(count);
        if at == count {
            self.parameters.names.push(format!("x{count}"));
            self.parameter_names.push(named);
        }
        let less = self.less.get(&at).copied().unwrap_or(0);
        Form::atom(Atom::Parameter(at)).plus(&Form::number(1), -less).unwrap_or_default()
    }

    /// A parameter has the name of the first variable that holds it.
    pub(crate) fn name_parameter(&mut self, place: &Place, value: &Value) {
        if let Value::Number(form) = value
            && let Some(Atom::Parameter(at)) = form.as_atom()
            && !matches!(self.parameter_names[at], Named::Variable(_))
            && let Some(name) = self.variable_name(place)
        {
            self.parameter_names[at] = Named::Variable(name);
        }
    }

    /// The name of a variable.
    pub(crate) fn variable_name(&self, place: &Place) -> Option<String> {
        let name = match place.object {
            Object::Local(number, local) => {
                let function = *self.frames.get(number as usize)?;
                self.program.function(function).locals.get(local.0 as usize)?.name.as_ref()?
            }
            Object::Static(unit, function, local) => {
                let function = self.program.units[unit].function(FunctionId(function));
                function.local(local).name.as_ref()?
            }
            Object::Global(unit, global) => &self.program.units[unit].global(global).name,
            Object::Heap(_) | Object::Size(_) => return None,
        };
        place.steps.is_empty().then(|| name.to_string())
    }

    /// A number that is the same for all and has no form, as a parameter: from now on, wherever it is. `None` where it may differ by round.
    pub(crate) fn as_parameter(&mut self, state: &mut State, value: &Value, span: Span) -> Option<Value> {
        let Value::Same(_) = *value else { return None };
        if !self.is_constant(value) && (*value == Value::Same(0) || !self.counters.is_empty()) {
            return None;
        }
        let cells: Vec<Cell> = (state.memory.cells())
            .filter(|(_, known)| *known == value)
            .map(|(cell, _)| cell.clone())
            .collect();
        let named = cells.iter().find_map(|cell| {
            let place = Place::of(cell.object);
            self.variable_name(&place).filter(|_| cell.path.is_empty())
        });
        let named = named.map_or_else(|| Named::Expression("number".to_owned()), Named::Variable);
        let parameter = Value::Number(self.parameter_of(span, Kind::Unknown, named));
        for cell in cells {
            state.memory.write(cell, parameter.clone());
        }
        Some(parameter)
    }
}
