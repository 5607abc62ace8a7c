//! The program as the processes of one communicator see it.
//!
//! What is done on a communicator depends on the rank in it, on its size, and on what is the same for all of its processes. If it is exact for
//! any number of processes, it is so on each communicator that a call makes, whichever processes these have: messages of different
//! communicators never meet (MPI-4.1 section 3.5). So a section of a program may be followed with the processes of one communicator in the
//! place of all. They are numbered by their ranks in it; what depends on other ranks, such as those in `MPI_COMM_WORLD`, is not known, and
//! what is done on other communicators is left out.
//!
//! Which processes the communicator has is not asked: only that all of them have made it by the same call, and that those that have got
//! `MPI_COMM_NULL` communicate nothing in the section. These are followed by themselves.

use frontend::ir::{Expr, ExprKind, Span, Type};
use frontend::mpi::{
    Class, CollectiveOp, CommConstructor, Completion as Way, Object as HandleOf, Query, Role,
};
use frontend::program::Program;
use presburger::{Context, Relation};

use crate::assumption::Assumption;
use crate::calls::{After, bytes};
use crate::error::Result;
use crate::event::CallSite;
use crate::extract::{Extractor, Frame};
use crate::form::{Bound, Form};
use crate::memory::Value;
use crate::state::State;

/// Elements of a buffer that are the same for all after a call, at most.
const ELEMENTS: i64 = 16;

/// A call, outside of loops, that makes a communicator of all or some of the processes.
#[derive(Clone, Debug)]
pub(crate) struct Creation {
    pub(crate) calls: Vec<Span>,
    pub(crate) site: CallSite,
    /// Whether some processes may get `MPI_COMM_NULL`.
    pub(crate) may_be_null: bool,
    /// Whether it is known that the colour is not negative, where there is one.
    pub(crate) is_colour: bool,
}

/// Which processes are followed in place of all.
#[derive(Clone, Debug)]
pub(crate) struct PartOf {
    /// The call that makes their communicator.
    pub(crate) creation: Creation,
    /// Whether they are in it, and not those that have got `MPI_COMM_NULL`.
    pub(crate) are_members: bool,
}

/// Whether a communicator that is made in this way may have a part of the processes.
pub(crate) fn is_part(constructor: CommConstructor) -> bool {
    use CommConstructor::{CartCreate, CartSub, Create, Split, SplitType};
    matches!(constructor, Split | SplitType | Create | CartCreate | CartSub)
}

impl<'p> Extractor<'p> {
    /// A program that is followed by a part of the processes; what is not known to them is left out.
    pub(crate) fn of_part(program: &'p Program, context: &Context, part: PartOf) -> Result<Self> {
        let mut new = Self::new(program, context.clone())?;
        new.part = Some(part);
        new.may_leave_out = true;
        Ok(new)
    }

    /// Whether the same processes are followed in place of all.
    pub(crate) fn is_of_same_part(&self, other: &Self) -> bool {
        self.is_of_part(other.part.as_ref())
    }

    /// Whether these processes are followed in place of all; all of them for `None`.
    pub(crate) fn is_of_part(&self, part: Option<&PartOf>) -> bool {
        match (&self.part, part) {
            (None, None) => true,
            (Some(one), Some(other)) => {
                let (a, b) = (&one.creation, &other.creation);
                (&a.calls, a.site.span, one.are_members) == (&b.calls, b.site.span, other.are_members)
            }
            _ => false,
        }
    }
}

impl Extractor<'_> {
    /// Notes a call that makes a communicator of another one: this value, as far as it is known.
    pub(crate) fn note_creation(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        (of, value): (usize, &Value),
    ) -> Result<()> {
        let Class::CommConstructor(constructor) = site.mpi.class else { return Ok(()) };
        let is_known = |known: &Creation| known.calls == self.calls && known.site.span == site.span;
        // All processes take part in the call.
        if !is_part(constructor)
            || !self.of_number(of).has_all
            || self.part.is_some()
            || !self.is_recording
            || !self.counters.is_empty()
            || self.creations.iter().any(is_known)
        {
            return Ok(());
        }
        // What is no group of these processes, or no grid, is an error.
        let is_right = match (constructor, args.first()) {
            (CommConstructor::Create, _) => matches!(value, Value::Communicator { .. }),
            (CommConstructor::CartSub, Some(grid)) => {
                matches!(self.handle(frame, state, grid)?, Value::Communicator { grid: Some(_), .. })
            }
            _ => true,
        };
        if !is_right {
            return Ok(());
        }
        let mut is_colour = true;
        let may_be_null = match constructor {
            CommConstructor::CartSub => false,
            CommConstructor::Split | CommConstructor::SplitType => {
                if let Some(argument) = args.get(1)
                    && let Value::Number(colour) = self.evaluate(frame, state, argument)?
                {
                    let is_one = Some(Bound::not_negative(colour));
                    is_colour = state.region.implies(is_one, &self.parameters)?;
                } else {
                    is_colour = false;
                }
                self.names_undefined && !is_colour
            }
            _ => true,
        };
        let is_colour = is_colour || constructor != CommConstructor::Split;
        self.creations.push(Creation {
            calls: self.calls.clone(),
            site: site.clone(),
            may_be_null,
            is_colour,
        });
        Ok(())
    }

    /// From each process to its communicator and its rank in that, of those that a call makes, where that is known of all processes.
    pub(crate) fn places_of(&self, creation: &Creation) -> Option<Relation> {
        let key = (creation.calls.clone(), creation.site.span);
        let made = &self.made[*self.known_communicators.get(&key)?];
        let is_plain = made.length == 1 && !self.has_digits() && !creation.may_be_null;
        is_plain.then(|| made.places.clone())
    }

    /// The rank or the size on a communicator of which it is not known to the part that is followed.
    pub(crate) fn rank_unknown_to_part(
        &mut self,
        frame: &Frame,
        state: &mut State,
        args: &[Expr],
        query: Query,
    ) -> Result<Option<Value>> {
        let (Some(_), Some(of)) = (&self.part, args.first()) else { return Ok(None) };
        Ok(match self.handle(frame, state, of)? {
            Value::Communicator { .. } | Value::NoCommunicator => None,
            Value::World if query == Query::CommSize => Some(Value::Same(0)),
            _ => Some(Value::Open),
        })
    }

    /// An expression before it is converted to an integer of another type, if different numbers stay different.
    fn as_it_is<'e>(&self, frame: &Frame, expr: &'e Expr) -> Option<&'e Expr> {
        let ExprKind::Cast(inner) = &expr.kind else { return Some(expr) };
        let types = &self.program.units[frame.unit()].types;
        let is_wide_enough = types.size(inner.ty)? <= types.size(expr.ty)?;
        (is_wide_enough && matches!(types.get(inner.ty), Type::Int(_))).then_some(inner)
    }

    /// What is known after a call that the part of the processes that is followed leaves out: where it is the one that makes their
    /// communicator, this has all of them. What all processes are told is the same for a part.
    pub(crate) fn after_call_of_part(
        &mut self,
        frame: &Frame,
        after: After,
        (site, args): (&CallSite, &[Expr]),
    ) -> Result<After> {
        let (Some(part), Some((mut state, result))) = (self.part.clone(), after) else { return Ok(None) };
        let of = site.mpi.param_with_role(Role::Communicator).and_then(|at| args.get(at));
        let is_of_world = match of {
            Some(of) => matches!(self.handle(frame, &mut state, of)?, Value::World),
            None => false,
        };
        match site.mpi.class {
            Class::CommConstructor(constructor) => {
                let Some((made, HandleOf::Communicator)) = site.mpi.created() else {
                    return Ok(Some((state, result)));
                };
                let is_it = part.creation.calls == self.calls && part.creation.site.span == site.span;
                let is_duplicate = matches!(constructor, CommConstructor::Dup | CommConstructor::DupWithInfo);
                if is_it && self.counters.is_empty() {
                    if !part.creation.is_colour {
                        self.assume(Assumption::Colour(site.function, site.span));
                    }
                    let grid = match constructor {
                        CommConstructor::CartCreate if part.are_members => {
                            self.grid_of_part(frame, &mut state, (site, args))?
                        }
                        _ => None,
                    };
                    let value = match part.are_members {
                        true => Value::Communicator { number: 0, colour: None, grid },
                        false => Value::NoCommunicator,
                    };
                    self.set(frame, &mut state, args.get(made), value)?;
                    // They have got it by the same colour.
                    let colour = site.mpi.param_with_role(Role::Color).and_then(|at| args.get(at));
                    if let (CommConstructor::Split, Some(colour)) = (constructor, colour)
                        && part.are_members
                        && let Some(ExprKind::Load(place)) =
                            self.as_it_is(frame, colour).map(|expr| &expr.kind)
                        && let Ok(place) = self.place(frame, &mut state, place)?
                        && place.cell().is_some()
                    {
                        self.write(&mut state, &place, Value::Same(0));
                    }
                } else if is_duplicate && is_of_world {
                    self.set(frame, &mut state, args.get(made), Value::World)?;
                }
            }
            Class::Collective {
                operation: CollectiveOp::Bcast | CollectiveOp::Allreduce,
                completion: Way::Blocking,
                ..
            } if is_of_world => {
                for buffer in site.mpi.buffers().filter(|buffer| buffer.direction.writes()) {
                    let count = match buffer.count.and_then(|at| args.get(at)) {
                        Some(count) => self.evaluate(frame, &mut state, count)?,
                        None => Value::Open,
                    };
                    let Some(pointer) = args.get(buffer.param) else { continue };
                    let (Value::Number(count), Value::Address(place)) =
                        (count, self.evaluate(frame, &mut state, pointer)?)
                    else {
                        continue;
                    };
                    let datatype = buffer.datatype.and_then(|at| args.get(at)).and_then(Expr::constant_name);
                    let is_whole = match datatype.and_then(bytes) {
                        Some(size) => self.has_bytes(&place, size),
                        None => false,
                    };
                    let count = count.as_number().filter(|count| is_whole && *count <= ELEMENTS).unwrap_or(0);
                    for at in 0..count {
                        let Some(place) = place.moved(&Form::number(at)) else { break };
                        self.write(&mut state, &place, Value::Same(0));
                    }
                }
            }
            _ => {}
        }
        Ok(Some((state, result)))
    }
}
