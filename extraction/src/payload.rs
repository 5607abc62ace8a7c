//! What messages carry, and how the program names it.

use frontend::ir::{BinaryOp, Expr, ExprKind, PlaceBase, Projection, Type, UnaryOp, Unit};
use frontend::mpi::{Buffer, CollectiveOp, Direction, TypeConstructor, constant};
use frontend::program::FunctionRef;
use presburger::Relation;

use crate::error::Result;
use crate::event::{Amount, CallSite};
use crate::extract::{Extractor, Frame};
use crate::form::{Bound, Form};
use crate::memory::Value;
use crate::state::State;

/// What a call carries, as the program says it.
#[derive(Clone, Debug)]
pub struct Payload {
    /// The number of elements; `None` for what carries nothing.
    pub count: Count,
    /// The datatype of an element, `unknown` where the program has no name for it.
    pub datatype: String,
    /// Bytes of an element, where the datatype is one of MPI's own.
    pub bytes: Option<u64>,
}

/// A number of elements.
#[derive(Clone, Debug)]
pub enum Count {
    /// From each instance of the call to its number.
    Of(Relation),
    /// The same for all processes, and only known by this expression.
    Named(String),
    /// Not known.
    Unknown,
}

/// What a call carries, before its instances are known.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    pub(crate) count: Option<Form>,
    pub(crate) named: Option<String>,
    pub(crate) datatype: String,
    pub(crate) bytes: Option<u64>,
    /// Bytes of all of it.
    pub(crate) length: Option<Form>,
    /// Whether it is shown that its buffer is as long as the call says.
    pub(crate) is_in_buffer: bool,
}

impl Extractor<'_> {
    /// What a call sends or receives.
    pub(crate) fn carried(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        direction: Direction,
    ) -> Result<Carried> {
        let is_it = |buffer: &&Buffer| [direction, Direction::InOut].contains(&buffer.direction);
        let buffer = site.mpi.buffers().find(is_it);
        let argument = |at: Option<usize>| at.and_then(|at| args.get(at));
        let (mut count, mut named) = (None, None);
        if let Some(expr) = argument(buffer.and_then(|buffer| buffer.count)) {
            match self.evaluate(frame, state, expr)? {
                Value::Number(form) => count = Some(form),
                Value::Same(_) => named = self.written_as(frame.function, expr),
                _ => {}
            }
        }
        let datatype = argument(buffer.and_then(|buffer| buffer.datatype));
        let bytes = match datatype {
            Some(datatype) => self.bytes_of(frame, state, datatype)?,
            None => None,
        };
        let length = match (&count, &bytes) {
            (Some(count), Some(bytes)) => self.times(state, count, bytes)?.filter(Form::is_linear),
            _ => None,
        };
        let is_in_buffer = match (buffer, &length) {
            (Some(buffer), Some(length)) => {
                self.is_long_enough(frame, state, (*buffer, args), (length, None))?
            }
            _ => false,
        };
        let datatype = datatype.and_then(|datatype| self.written_as(frame.function, datatype));
        Ok(Carried {
            count: count.filter(Form::is_linear),
            named,
            datatype: datatype.unwrap_or_else(|| "unknown".to_owned()),
            bytes: bytes.and_then(|bytes| u64::try_from(bytes.as_number()?).ok()),
            length,
            is_in_buffer,
        })
    }

    /// The amounts that a collective operation names, `None` where one of them is not known; and whether it is shown that its buffers are
    /// as long as it says.
    pub(crate) fn amounts(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        (operation, communicator, root): (CollectiveOp, usize, Option<&Form>),
    ) -> Result<(Option<Vec<Amount>>, bool)> {
        use CollectiveOp as Op;
        // Who alone names an amount that has a meaning: the root, where it receives or sends everything.
        let of_root = match operation {
            Op::Barrier => return Ok((Some(Vec::new()), true)),
            Op::Gather => Some(Direction::Out),
            Op::Scatter => Some(Direction::In),
            Op::Bcast | Op::Allgather | Op::Alltoall | Op::Reduce | Op::Allreduce => None,
            Op::ReduceScatterBlock | Op::Scan | Op::Exscan => None,
            Op::Gatherv
            | Op::Scatterv
            | Op::Allgatherv
            | Op::Alltoallv
            | Op::Alltoallw
            | Op::ReduceScatter => {
                return Ok((None, false));
            }
        };
        // No digits are asked for on account of them.
        let wanted = self.wanted.len();
        let mut amounts = Some(Vec::new());
        let mut is_in_buffers = true;
        for buffer in site.mpi.buffers() {
            let is_in_place = |expr: &Expr| expr.constant_name() == Some("MPI_IN_PLACE");
            if args.get(buffer.param).is_some_and(is_in_place) {
                continue;
            }
            let [count, datatype] = [buffer.count, buffer.datatype].map(|at| at.and_then(|at| args.get(at)));
            let count = match count {
                Some(count) => self.evaluate(frame, state, count)?,
                None => Value::Open,
            };
            let size = match datatype {
                Some(datatype) => self.bytes_of(frame, state, datatype)?,
                None => None,
            };
            let bytes = match (count, size) {
                (Value::Number(count), Some(size)) => self.times(state, &count, &size)?,
                _ => None,
            };
            let Some(bytes) = bytes.filter(Form::is_linear) else {
                (amounts, is_in_buffers) = (None, false);
                continue;
            };
            let is_of_root = of_root == Some(buffer.direction);
            // What only the root has is looked at where the root is.
            let mut there = state.clone();
            let root_writes = operation == Op::Reduce && buffer.direction == Direction::Out;
            if let Some(root) = root.filter(|_| is_of_root || root_writes)
                && self.of_number(communicator).is_all
            {
                let bounds: Vec<Bound> = Bound::equal(&self.rank(), root).into_iter().collect();
                there.region = there.region.bounded(&bounds, &self.parameters)?;
            }
            let of = (&bytes, Some(communicator));
            is_in_buffers = is_in_buffers && self.is_long_enough(frame, &mut there, (*buffer, args), of)?;
            if let Some(amounts) = &mut amounts {
                amounts.push(Amount { bytes, is_of_root });
            }
        }
        self.wanted.truncate(wanted);
        Ok((amounts, is_in_buffers))
    }

    /// A product, as a number of its own where it is no sum.
    pub(crate) fn times(&mut self, state: &mut State, a: &Form, b: &Form) -> Result<Option<Form>> {
        match a.multiplied(b) {
            Some(product) if !product.is_linear() => self.derived_product(state, a, b),
            product => Ok(product),
        }
    }

    /// The bytes of data of a datatype, where they are known.
    fn bytes_of(&mut self, frame: &Frame, state: &mut State, datatype: &Expr) -> Result<Option<Form>> {
        if let Some(name) = datatype.constant_name() {
            let size = constant(name).and_then(|constant| constant.datatype()).map(|datatype| datatype.size);
            return Ok(size.and_then(|size| i64::try_from(size).ok()).map(Form::number));
        }
        Ok(match self.evaluate(frame, state, datatype)? {
            Value::Datatype(bytes) => Some(bytes),
            _ => None,
        })
    }

    /// The bytes of data of a datatype that a call makes out of another one (MPI-4.1 section 5.1.2), where they are known.
    pub(crate) fn datatype_bytes(
        &mut self,
        frame: &Frame,
        state: &mut State,
        args: &[Expr],
        constructor: TypeConstructor,
    ) -> Result<Option<Form>> {
        // How many arguments, from the first one on, are multiplied, and which one is the old type.
        let (counts, old) = match constructor {
            TypeConstructor::Contiguous => (1, 1),
            TypeConstructor::Vector | TypeConstructor::Hvector => (2, 3),
            TypeConstructor::Dup | TypeConstructor::Resized => (0, 0),
            _ => return Ok(None),
        };
        let Some(old) = args.get(old) else { return Ok(None) };
        let mut bytes = self.bytes_of(frame, state, old)?;
        for count in args.iter().take(counts) {
            let (Some(known), Value::Number(count)) = (&bytes, self.evaluate(frame, state, count)?) else {
                return Ok(None);
            };
            bytes = self.times(state, known, &count)?;
        }
        // The same for all, and in all rounds.
        Ok(bytes.filter(|bytes| bytes.is_linear() && bytes.coordinates().next().is_none()))
    }

    /// An expression as the program has it, where it is short.
    pub(crate) fn written_as(&self, function: FunctionRef, expr: &Expr) -> Option<String> {
        /// Bytes of a name that is readable among others.
        const LONGEST: usize = 40;
        text(&self.program.units[function.unit], function, expr).filter(|text| text.len() <= LONGEST)
    }
}

/// An expression as text.
fn text(unit: &Unit, function: FunctionRef, expr: &Expr) -> Option<String> {
    let of = |expr: &Expr| text(unit, function, expr);
    // Within another expression.
    let part = |expr: &Expr| {
        let is_sum = matches!(&expr.strip_casts().kind, ExprKind::Binary(..) | ExprKind::Conditional(..));
        of(expr).map(|text| if is_sum { format!("({text})") } else { text })
    };
    match &expr.kind {
        ExprKind::Int(value) => Some(value.to_string()),
        ExprKind::Constant { name, .. } => Some(name.to_string()),
        ExprKind::Cast(inner) => of(inner),
        ExprKind::Unary(UnaryOp::Neg, inner) => part(inner).map(|text| format!("-{text}")),
        ExprKind::Binary(op, left, right) => {
            let symbol = match op {
                BinaryOp::Add => " + ",
                BinaryOp::Sub => " - ",
                BinaryOp::Mul => "*",
                BinaryOp::Div => " / ",
                BinaryOp::Rem => " % ",
                _ => return None,
            };
            Some(part(left)? + symbol + &part(right)?)
        }
        ExprKind::Load(place) => {
            let mut name = match &place.base {
                PlaceBase::Local(local) => {
                    unit.function(function.function).local(*local).name.as_ref()?.to_string()
                }
                PlaceBase::Global(global) => unit.global(*global).name.to_string(),
                PlaceBase::Deref(pointer) => match &pointer.strip_casts().kind {
                    ExprKind::Binary(BinaryOp::Add, base, index) => format!("{}[{}]", of(base)?, of(index)?),
                    _ if place.projections.is_empty() => format!("*{}", part(pointer)?),
                    _ => part(pointer)?,
                },
            };
            let mut is_pointed = matches!(&place.base, PlaceBase::Deref(_)) && !name.ends_with(']');
            for projection in &place.projections {
                match projection {
                    Projection::Field(record, field) => {
                        let fields = unit.types.record(*record).fields.as_ref()?;
                        let arrow = if std::mem::take(&mut is_pointed) { "->" } else { "." };
                        name += arrow;
                        name += fields.get(*field as usize)?.name.as_ref()?;
                    }
                    Projection::Index(index) => {
                        is_pointed = false;
                        name = format!("{name}[{}]", of(index)?);
                    }
                }
            }
            Some(name)
        }
        ExprKind::Sizeof(ty) => match unit.types.get(*ty) {
            Type::Record(_) => None,
            _ => unit.types.model_size(*ty).map(|size| size.to_string()),
        },
        _ => None,
    }
}
