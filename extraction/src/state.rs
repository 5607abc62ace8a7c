//! A path of one symbolic process: where it is taken, and what is known on it.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::special;
use crate::error::Result;
use crate::event::Envelope;
use crate::extract::Branched;
use crate::form::{Atom, Bound, Form};
use crate::memory::{Cell, Memory, Step, Value};
use crate::region::{Parameters, Region};

/// A branch that may go either way: by its number.
pub(crate) type Doubt = u32;

/// A message that a probe has found and that is not received yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Probed {
    #[default]
    Nothing,
    Message(Envelope),
    /// It is not known which one, or whether there is one.
    Unclear,
}

/// A path.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) region: Region,
    pub(crate) memory: Memory,
    /// Branches that the path depends on, of which it is not known which way they go.
    pub(crate) doubts: BTreeSet<Doubt>,
    pub(crate) probed: Probed,
}

impl Value {
    pub(crate) fn coordinates(&self) -> Vec<u32> {
        match self {
            Self::Number(form) => form.coordinates().collect(),
            Self::Address(place) => {
                let forms = place.steps.iter().filter_map(|step| match step {
                    Step::At(form) => Some(form),
                    Step::Field(_) => None,
                });
                forms.flat_map(Form::coordinates).collect()
            }
            Self::Elements(elements) => elements.at.clone(),
            Self::Real(real) => real.coordinates(),
            Self::Communicator { colour, grid, .. } => {
                let sizes = grid.iter().flat_map(|grid| &grid.sizes);
                colour.iter().chain(sizes).flat_map(Form::coordinates).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl State {
    /// The coordinates that a value needs.
    fn needed(&self) -> BTreeSet<u32> {
        let probed = match &self.probed {
            Probed::Message(Envelope { partner, tag, .. }) => Some([partner, tag]),
            Probed::Nothing | Probed::Unclear => None,
        };
        let probed = probed.into_iter().flatten().flat_map(Form::coordinates);
        self.memory.cells().flat_map(|(_, value)| value.coordinates()).chain(probed).collect()
    }

    /// The state without the coordinates that no value needs, but for these.
    pub(crate) fn tidied(&mut self, kept: &[u32]) -> Result<()> {
        let needed = self.needed();
        let coordinates = self.region.coordinates.iter().copied();
        let left: Vec<u32> = coordinates.filter(|at| kept.contains(at) || needed.contains(at)).collect();
        self.region = self.region.projected(&left)?;
        Ok(())
    }

    /// Both paths in one: where values differ, a new coordinate has them.
    pub(crate) fn joined(
        &self,
        other: &Self,
        kept: &[u32],
        parameters: &Parameters,
        mut new: impl FnMut() -> u32,
        chosen: &BTreeMap<Cell, Form>,
    ) -> Result<Self> {
        let (mut a, mut b) = (self.clone(), other.clone());
        a.tidied(kept)?;
        b.tidied(kept)?;
        let shared: Vec<u32> =
            (a.region.coordinates.iter().copied()).filter(|at| b.region.coordinates.contains(at)).collect();
        // Where it is not known which way a branch goes, a point can be on both paths, and has no one value then.
        let is_apart = (a.doubts.is_empty() && b.doubts.is_empty())
            || a.region.projected(&shared)?.set.is_disjoint(&b.region.projected(&shared)?.set)?;
        let is_shared = |value: &Value| value.coordinates().iter().all(|at| shared.contains(at));
        let mut memory = Memory::default();
        let mut coordinates = shared.clone();
        // Values of the two that are one number then.
        let mut made: Vec<((Form, Form), Form)> = Vec::new();
        for (cell, value) in a.memory.cells() {
            let Some(other) = b.memory.read(cell) else { continue };
            let joined = match (value, other) {
                _ if value == other && is_shared(value) => value.clone(),
                _ if chosen.contains_key(cell) => Value::Number(chosen[cell].clone()),
                (Value::Number(x), Value::Number(y)) if is_apart => {
                    let pair = (x.clone(), y.clone());
                    let known = made.iter().find(|(of, _)| *of == pair).map(|(_, number)| number.clone());
                    let number = match known {
                        Some(number) => number,
                        None => {
                            let at: Vec<u32> = if x.is_linear() && y.is_linear() {
                                vec![new()]
                            } else {
                                (0..=parameters.widths.len()).map(|_| new()).collect()
                            };
                            let defined =
                                [(&a, x), (&b, y)].map(|(of, form)| of.region.defined(&at, form, parameters));
                            let [first, second] = defined;
                            let (Some(first), Some(second)) = (first?, second?) else { continue };
                            (a.region, b.region) = (first, second);
                            let number = parameters.number_with(&at);
                            made.push((pair, number.clone()));
                            coordinates.extend(at);
                            number
                        }
                    };
                    Value::Number(number)
                }
                // Who has not come there has none.
                (Value::Communicator { number, colour: None, grid }, Value::NoCommunicator)
                | (Value::NoCommunicator, Value::Communicator { number, colour: None, grid })
                    if is_apart =>
                {
                    let at = new();
                    let colour = Form::atom(Atom::Coordinate(at));
                    let is_first = matches!(value, Value::Communicator { .. });
                    let [first, second] =
                        [(&a.region, is_first), (&b.region, !is_first)].map(|(region, is_member)| {
                            let own = Form::number(if is_member { 0 } else { special("MPI_UNDEFINED") });
                            let equal = Bound::equal(&colour, &own).into_iter().collect();
                            region.extended(at, &[equal], parameters)
                        });
                    (a.region, b.region) = (first?, second?);
                    coordinates.push(at);
                    Value::Communicator { number: *number, colour: Some(colour), grid: grid.clone() }
                }
                _ => continue,
            };
            memory.write(cell.clone(), joined);
        }
        let region = a.region.projected(&coordinates)?.union(&b.region.projected(&coordinates)?)?;
        let region = region.simple()?;
        let probed = if a.probed == b.probed { a.probed } else { Probed::Unclear };
        Ok(Self { region, memory, doubts: &self.doubts | &other.doubts, probed })
    }

    /// Both paths in one where all come together that came to a branch, and nothing is asked about what happens between: what is the same on
    /// both, and was there before.
    pub(crate) fn joined_before(&self, other: &Self, branched: &Branched, kept: &[u32]) -> Result<Self> {
        let mut memory = Memory::default();
        let [_, region] = &branched.regions;
        let was_there = |value: &Value| value.coordinates().iter().all(|at| region.coordinates.contains(at));
        for (cell, value) in self.memory.cells() {
            if other.memory.read(cell) == Some(value) && was_there(value) {
                memory.write(cell.clone(), value.clone());
            }
        }
        let probed = if self.probed == other.probed { self.probed.clone() } else { Probed::Unclear };
        let doubts = branched.doubts.clone();
        let mut joined = Self { region: region.clone(), memory, doubts, probed };
        let mut needed: Vec<u32> = joined.needed().into_iter().collect();
        needed.extend(kept.iter().filter(|at| region.coordinates.contains(at)));
        joined.region = branched.with_all(&needed).clone();
        joined.tidied(kept)?;
        joined.region = joined.region.simple()?;
        Ok(joined)
    }
}
