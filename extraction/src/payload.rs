//! What messages carry, and how the program names it.

use frontend::ir::{BinaryOp, Expr, ExprKind, PlaceBase, Projection, Type, UnaryOp, Unit};
use frontend::mpi::{Direction, TypeConstructor, constant};
use frontend::program::FunctionRef;
use presburger::Relation;

use crate::error::Result;
use crate::event::CallSite;
use crate::extract::{Extractor, Frame};
use crate::form::Form;
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
        let buffer = site.mpi.buffers().find(|buffer| buffer.direction == direction);
        let argument = |at: Option<usize>| at.and_then(|at| args.get(at));
        let (mut count, mut named) = (None, None);
        if let Some(expr) = argument(buffer.and_then(|buffer| buffer.count)) {
            match self.evaluate(frame, state, expr)? {
                Value::Number(form) if form.is_linear() => count = Some(form),
                Value::Same(_) => named = self.written_as(frame.function, expr),
                _ => {}
            }
        }
        let datatype = argument(buffer.and_then(|buffer| buffer.datatype));
        let bytes = match datatype {
            Some(datatype) => self.bytes_of(frame, state, datatype)?,
            None => None,
        };
        let datatype = datatype.and_then(|datatype| self.written_as(frame.function, datatype));
        Ok(Carried { count, named, datatype: datatype.unwrap_or_else(|| "unknown".to_owned()), bytes })
    }

    /// The bytes of data of a datatype, where they are known.
    fn bytes_of(&mut self, frame: &Frame, state: &mut State, datatype: &Expr) -> Result<Option<u64>> {
        if let Some(name) = datatype.constant_name() {
            return Ok(constant(name).and_then(|constant| constant.datatype()).map(|datatype| datatype.size));
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
    ) -> Result<Option<u64>> {
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
            let count = match self.evaluate(frame, state, count)? {
                Value::Number(form) => form.as_number().and_then(|count| u64::try_from(count).ok()),
                _ => None,
            };
            bytes = bytes.zip(count).and_then(|(bytes, count)| bytes.checked_mul(count));
        }
        Ok(bytes)
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
