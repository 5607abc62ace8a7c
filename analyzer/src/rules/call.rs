//! One reached MPI call as the rules see it: its entry in the MPI table, and what is known of its arguments.

use frontend::ir::{BlockId, Expr, ExprKind, Function, Place, PlaceBase, Projection, Span, Unit};
use frontend::mpi::{self, Buffer, Length, Param, PredefinedDatatype, Scale};

use super::Rule;
use super::values::{Atom, Evaluator, Interval, Object, State, Value};
use crate::results::{Finding, Related, Severity, SourceRange};

/// No more elements of an array are looked at.
const MAX_ELEMENTS: i128 = 64;

/// An MPI call that some execution may reach.
pub(super) struct Call<'a> {
    pub(super) unit: &'a Unit,
    pub(super) function: &'a Function,
    /// What the standard says about the function called.
    pub(super) mpi: &'static mpi::Function,
    pub(super) args: &'a [Expr],
    /// The program calls a wrapper of its own (`[mpi.wrappers]`), which may have its own numbers for ranks and handles.
    pub(super) is_wrapper: bool,
    /// Values of the arguments, in order.
    pub(super) values: Vec<Value>,
    pub(super) state: &'a State,
    pub(super) eval: &'a Evaluator<'a>,
    pub(super) block: BlockId,
}

/// A parameter with its argument.
#[derive(Clone, Copy)]
pub(super) struct Argument<'c> {
    pub(super) param: &'static Param,
    pub(super) expr: &'c Expr,
    pub(super) value: &'c Value,
}

/// A typed buffer of a call with what describes its contents.
pub(super) struct BufferArgument<'c> {
    pub(super) buffer: &'static Buffer,
    pub(super) argument: Argument<'c>,
    /// How many elements, as far as known, at least and at most. One block of those that there are per process.
    pub(super) count: Interval,
    /// The datatype's value, where there is one datatype.
    pub(super) datatype: Option<&'c Value>,
}

impl<'a> Call<'a> {
    /// An argument by parameter index; `None` where the call does not have it.
    pub(super) fn argument(&self, index: usize) -> Option<Argument<'_>> {
        Some(Argument {
            param: self.mpi.params.get(index)?,
            expr: self.args.get(index)?,
            value: self.values.get(index)?,
        })
    }

    /// All arguments that this process is known to pass to a parameter that matters.
    ///
    /// Left out is what only the root looks at, and what belongs to a buffer that `MPI_IN_PLACE` stands for.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (usize, Argument<'_>)> {
        (0..self.mpi.params.len())
            .filter(|&index| !self.mpi.params[index].root_only && !self.is_ignored(index))
            .filter_map(|index| Some((index, self.argument(index)?)))
    }

    /// How many elements an array argument has, at least.
    pub(super) fn array_length(&self, argument: Argument<'_>) -> Option<i128> {
        match argument.param.length? {
            Length::Param(index) => self.argument(index)?.value.range_or_all().lo,
            // One for each process, of which there is at least one.
            Length::CommSize => Some(1),
            _ => None,
        }
    }

    /// The first elements of an array argument, `size` bytes each, with their numbers.
    pub(super) fn elements(&self, argument: Argument<'_>, length: i128, size: u64) -> Vec<(i128, Value)> {
        let Some((object, offset)) = argument.value.as_address() else { return Vec::new() };
        let read = |index: i128| {
            let at = offset.plus(Interval::exactly(index * i128::from(size)));
            (index, self.state.read(object, at, size))
        };
        (0..length.min(MAX_ELEMENTS)).map(read).collect()
    }

    /// The typed buffers with their descriptions.
    pub(super) fn buffers(&self) -> impl Iterator<Item = BufferArgument<'_>> {
        self.mpi.buffers().filter_map(|buffer| {
            let single = |index: Option<usize>| {
                let argument = self.argument(index?)?;
                (!argument.param.is_array()).then_some(argument.value)
            };
            let count = match buffer.scale {
                Scale::One => Interval::exactly(1),
                // One block for each of at least one process, or for each of an unknown number of neighbours.
                Scale::Count | Scale::PerProcess => {
                    single(buffer.count).map_or(Interval::ALL, Value::range_or_all)
                }
                Scale::PerPartition => {
                    let partitions = single(buffer.partitions).map_or(Interval::ALL, Value::range_or_all);
                    single(buffer.count).map_or(Interval::ALL, Value::range_or_all).times(partitions)
                }
                Scale::Sum
                | Scale::OwnEntry
                | Scale::PerInNeighbor
                | Scale::PerOutNeighbor
                | Scale::SumInNeighbors
                | Scale::SumOutNeighbors => Interval::ALL,
            };
            let argument = self.argument(buffer.param)?;
            Some(BufferArgument { buffer, argument, count, datatype: single(buffer.datatype) })
        })
    }

    /// Whether a parameter describes a buffer for which `MPI_IN_PLACE` stands, or which the operation does not touch
    /// (`MPI_NO_OP` needs no origin buffer, MPI-4.1 section 12.3.4).
    fn is_ignored(&self, index: usize) -> bool {
        let describes =
            |buffer: &Buffer| [buffer.count, buffer.datatype, buffer.displacements].contains(&Some(index));
        let mut described = self.mpi.buffers().filter(|buffer| describes(buffer)).peekable();
        described.peek().is_some()
            && described.all(|buffer| {
                let may_be_in_place = buffer.in_place.is_some()
                    && self.argument(buffer.param).is_some_and(|arg| {
                        arg.value.may(|atom| constant_of(atom).is_some_and(|c| c.is(mpi::Plain::InPlace)))
                    });
                may_be_in_place || self.is_untouched(buffer)
            })
    }

    /// Whether the operation may leave a buffer alone: the origin buffer of an accumulate with `MPI_NO_OP`.
    pub(super) fn is_untouched(&self, buffer: &Buffer) -> bool {
        let is_origin =
            buffer.direction == mpi::Direction::In && matches!(self.mpi.class, mpi::Class::Rma { .. });
        let op = self.mpi.param_with_role(mpi::Role::Op).and_then(|index| self.argument(index));
        is_origin
            && op.is_some_and(|op| {
                op.value.may(|atom| match atom {
                    // The one predefined operation that applies to everything and only in one-sided calls, besides
                    // MPI_REPLACE: both are left out.
                    Atom::Constant(_) => constant_of(atom).and_then(|c| c.op()).is_some_and(|op| op.rma_only),
                    _ => true,
                })
            })
    }

    /// Whether the rank that a buffer goes to or comes from may be `MPI_PROC_NULL` for all that is known of it.
    pub(super) fn partner_is_null(&self, buffer: &Buffer) -> bool {
        [buffer.dest, buffer.source].into_iter().flatten().any(|index| {
            self.argument(index).is_some_and(|arg| {
                arg.value.all(|a| constant_of(a).is_some_and(|c| c.is(mpi::Plain::ProcNull)))
            })
        })
    }

    /// A finding at an argument, with the rule's severity.
    pub(super) fn finding(&self, rule: Rule, at: &Expr, message: String) -> Finding {
        self.finding_as(rule, rule.default_severity(), at, message)
    }

    /// A finding at an argument.
    pub(super) fn finding_as(&self, rule: Rule, severity: Severity, at: &Expr, message: String) -> Finding {
        finding(rule, severity, message, range(self.unit, at.span))
    }

    /// Says where the value of an argument was stored, unless it stands in the call itself.
    pub(super) fn origin(&self, at: &Expr, message: &str) -> Vec<Related> {
        let ExprKind::Load(place) = &at.strip_casts().kind else { return Vec::new() };
        let Some(targets) = self.eval.address(self.state, place) else { return Vec::new() };
        let [(object, offset)] = targets.as_slice() else { return Vec::new() };
        let span = offset.single().and_then(|offset| self.state.origin(object, offset));
        span.map(|span| Related { range: range(self.unit, span), message: message.to_owned() })
            .into_iter()
            .collect()
    }

    /// Says where an object was declared or allocated.
    pub(super) fn declaration(&self, object: &Object) -> Option<Related> {
        let (span, message) = match object {
            Object::Local(id) => {
                let local = self.function.local(*id);
                (local.span, format!("`{}` is declared here", local.name.as_ref()?))
            }
            Object::Global(id) => {
                let global = self.unit.global(*id);
                (global.span, format!("`{}` is declared here", global.name))
            }
            Object::Heap(span) => (*span, "allocated here".to_owned()),
            Object::Target(_) | Object::Literal(..) => return None,
        };
        Some(Related { range: range(self.unit, span), message })
    }

    /// What to call an object in a message.
    pub(super) fn object_name(&self, object: &Object) -> String {
        match object {
            Object::Local(id) => match &self.function.local(*id).name {
                Some(name) => format!("`{name}`"),
                None => "a temporary".to_owned(),
            },
            Object::Global(id) => format!("`{}`", self.unit.global(*id).name),
            Object::Heap(_) => "the allocated block".to_owned(),
            Object::Target(id) => match &self.function.local(*id).name {
                Some(name) => format!("what `{name}` points to"),
                None => "memory of the caller".to_owned(),
            },
            Object::Literal(..) => "a string literal".to_owned(),
        }
    }

    /// Bytes of an object, at least and at most; `None` where not known.
    pub(super) fn object_size(&self, object: &Object) -> Option<Interval> {
        if let Some(size) = self.state.size(object) {
            return Some(size);
        }
        if let Object::Literal(_, bytes) = object {
            return Some(Interval::exactly(i128::from(*bytes)));
        }
        let ty = self.eval.declared_type(object)?;
        // An `extern` array may be larger where it is defined; one that ends in a flexible member always is.
        if let Object::Global(id) = object
            && !self.unit.global(*id).defined
        {
            return None;
        }
        self.eval.layout.exact_size(ty).map(|size| Interval::exactly(i128::from(size)))
    }
}

/// The place in the user's file.
pub(super) fn range(unit: &Unit, span: Span) -> SourceRange {
    SourceRange::from(unit.locate(span))
}

/// A finding that holds for any number of processes.
pub(super) fn finding(rule: Rule, severity: Severity, message: String, range: SourceRange) -> Finding {
    Finding {
        rule,
        severity,
        message,
        range,
        np: "any np >= 1".to_owned(),
        ranks: String::new(),
        related: Vec::new(),
        fix: None,
        rebuild: None,
    }
}

/// The MPI constant an alternative is.
pub(super) fn constant_of(atom: &Atom) -> Option<&'static mpi::Constant> {
    match atom {
        Atom::Constant(name) => mpi::constant(name),
        _ => None,
    }
}

/// The predefined datatype that a value is on every path.
pub(super) fn predefined(value: &Value) -> Option<(&'static mpi::Constant, &'static PredefinedDatatype)> {
    let constant = mpi::constant(value.as_constant()?)?;
    Some((constant, constant.datatype()?))
}

/// Expressions nested deeper than this count as different.
const MAX_DEPTH: u32 = 100;

/// Whether two pure expressions are the same, wherever they stand.
pub(crate) fn same_expr(a: &Expr, b: &Expr) -> bool {
    same_expr_at(a, b, 0)
}

fn same_expr_at(a: &Expr, b: &Expr, depth: u32) -> bool {
    let (a, b) = (a.strip_casts(), b.strip_casts());
    let next = depth + 1;
    depth < MAX_DEPTH
        && match (&a.kind, &b.kind) {
            (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
            (ExprKind::Constant { name: x, .. }, ExprKind::Constant { name: y, .. }) => x == y,
            (ExprKind::Load(x), ExprKind::Load(y)) | (ExprKind::AddressOf(x), ExprKind::AddressOf(y)) => {
                same_place(x, y, next)
            }
            (ExprKind::Unary(op, x), ExprKind::Unary(other, y)) => op == other && same_expr_at(x, y, next),
            (ExprKind::Binary(op, w, x), ExprKind::Binary(other, y, z)) => {
                // The left operand's type scales pointer arithmetic.
                op == other && w.ty == y.ty && same_expr_at(w, y, next) && same_expr_at(x, z, next)
            }
            _ => false,
        }
}

fn same_place(a: &Place, b: &Place, depth: u32) -> bool {
    let base = match (&a.base, &b.base) {
        (PlaceBase::Local(x), PlaceBase::Local(y)) => x == y,
        (PlaceBase::Global(x), PlaceBase::Global(y)) => x == y,
        (PlaceBase::Deref(x), PlaceBase::Deref(y)) => same_expr_at(x, y, depth),
        _ => false,
    };
    base && a.projections.len() == b.projections.len()
        && a.projections.iter().zip(&b.projections).all(|pair| match pair {
            (Projection::Field(r, f), Projection::Field(s, g)) => r == s && f == g,
            (Projection::Index(x), Projection::Index(y)) => same_expr_at(x, y, depth),
            _ => false,
        })
}
