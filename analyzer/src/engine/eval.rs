//! Evaluation of pure expressions and places for one process set.

use std::cmp::Ordering;

use effort::spend;
use frontend::ir::dump::operator;
use frontend::ir::{
    BinaryOp, Expr, ExprKind, IntKind, Place, PlaceBase, Projection, Type, TypeId, UnaryOp, Unit,
};
use frontend::program::FunctionRef;
use lattice::{Constraints, Linear, Ranks, SymbolKind};

use super::Engine;
use super::memory::{ContextId, Memory, ObjectId, ObjectKind};
use super::need::Need;
use super::series;
use super::value::Value;

/// Where an expression is evaluated: by which processes, in which activation, with what memory.
pub(crate) struct Scope<'e, 'p> {
    pub(crate) engine: &'e mut Engine<'p>,
    pub(crate) facts: &'e mut Constraints,
    pub(crate) ranks: &'e Ranks,
    pub(crate) memory: &'e mut Memory,
    pub(crate) function: FunctionRef,
    pub(crate) context: ContextId,
}

/// A scalar or aggregate in memory.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) object: ObjectId,
    /// Byte offset; `None` when not known.
    pub(crate) offset: Option<Linear>,
}

impl<'p> Scope<'_, 'p> {
    pub(crate) fn unit(&self) -> &'p Unit {
        &self.engine.program.units[self.function.unit]
    }

    /// The value of an expression, settled for a single rank.
    pub(crate) fn eval(&mut self, expr: &Expr) -> Result<Value, Need> {
        spend(2);
        let value = match &expr.kind {
            ExprKind::Int(value) => i64::try_from(*value).map_or(Value::Unknown, Value::int),
            ExprKind::Float(value) => Value::Same(self.engine.symbols.apply(&format!("{value}"), Vec::new())),
            ExprKind::Str(text) => {
                let name = String::from_utf8_lossy(text).as_ref().into();
                Value::Address(self.engine.objects.object(ObjectKind::Literal(name)), Linear::zero())
            }
            ExprKind::Constant { name, .. } if &**name == OVERHEAD => {
                let overhead = self.engine.symbols.named(OVERHEAD);
                self.bound(overhead, 1);
                Value::Int(overhead.into())
            }
            ExprKind::Constant { name, value } => constant(name, *value),
            ExprKind::Load(place) => self.load(place)?,
            ExprKind::AddressOf(place) => match self.locate(place)? {
                Some(Location { object, offset: Some(offset) }) => Value::Address(object, offset),
                Some(Location { object, offset: None }) => Value::Within(object),
                None => Value::Unknown,
            },
            ExprKind::FunctionAddress(name) => Value::Function(self.function.unit, name.clone()),
            ExprKind::Unary(op, operand) => {
                let operand = self.eval(operand)?;
                self.unary(*op, operand)?
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.logical(*op, left, right)?
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.eval(left)?, self.eval(right)?);
                self.binary(*op, a, b, left.ty, right.ty, expr.ty)?
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let truth = self.eval(condition).and_then(|condition| self.truth(&condition));
                if let Err(Need::Decide(_)) = &truth
                    && let Some(either) = self.either(condition, then, otherwise, expr.ty)?
                {
                    return Ok(either);
                }
                match truth? {
                    Some(true) => self.eval(then)?,
                    Some(false) => self.eval(otherwise)?,
                    None => {
                        let (a, b) = (self.eval(then)?, self.eval(otherwise)?);
                        if a == b { a } else { Value::Unknown }
                    }
                }
            }
            ExprKind::Cast(inner) => {
                let value = self.eval(inner)?;
                self.cast(value, inner.ty, expr.ty)?
            }
            ExprKind::Sizeof(of) => {
                let name = format!("{SIZE_OF} {of:?} of unit {}", self.function.unit);
                let symbol = self.engine.symbols.apply(&name, Vec::new());
                let size = self.engine.program.units[self.function.unit].types.model_size(*of);
                if let Some(size) = size.and_then(|size| i64::try_from(size).ok()) {
                    self.engine.model_sizes.insert(symbol, size);
                }
                self.bound(symbol, 1);
                Value::Int(symbol.into())
            }
            ExprKind::SizeofVla(_) | ExprKind::Unknown(_) => Value::Unknown,
        };
        Ok(self.settle(value))
    }

    /// One of two floating-point values, by the outcome of a comparison of data: as a function of all of these it is equal where
    /// they are, and no case distinction is needed.
    fn either(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        ty: TypeId,
    ) -> Result<Option<Value>, Need> {
        let ExprKind::Binary(op, left, right) = &condition.kind else { return Ok(None) };
        if !op.is_comparison() || !matches!(self.unit().types.get(ty), Type::Float(_)) {
            return Ok(None);
        }
        let operands = [left, right, then, otherwise];
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            values.push(self.eval(operand)?);
        }
        if let [Value::Int(_), Value::Int(_), ..] = values[..] {
            return Ok(None);
        }
        let arguments: Option<Vec<Linear>> = values.iter().map(Value::as_argument).collect();
        Ok(Some(match arguments {
            Some(arguments) => {
                Value::Same(self.engine.symbols.apply(&format!("?{}:", operator(*op)), arguments))
            }
            None => Value::Unknown,
        }))
    }

    /// A value without what is the same on all members of the rank.
    pub(crate) fn settle(&self, value: Value) -> Value {
        match value {
            Value::Int(linear) if !linear.is_uniform() => Value::Int(self.ranks.settle(&linear, self.facts)),
            value => value,
        }
    }

    fn logical(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Value, Need> {
        let deciding = op == BinaryOp::Or;
        let left = self.eval(left)?;
        let left = self.truth(&left)?;
        if left == Some(deciding) {
            return Ok(Value::int(i64::from(deciding)));
        }
        let right = self.eval(right)?;
        let right = self.truth(&right)?;
        Ok(match (left, right) {
            (_, Some(value)) if value == deciding => Value::int(i64::from(deciding)),
            (Some(_), Some(value)) => Value::int(i64::from(value)),
            _ => Value::Unknown,
        })
    }

    fn unary(&mut self, op: UnaryOp, operand: Value) -> Result<Value, Need> {
        Ok(match (op, operand) {
            (UnaryOp::Not, value) => {
                self.truth(&value)?.map_or(Value::Unknown, |t| Value::int(i64::from(!t)))
            }
            (UnaryOp::Neg, Value::Int(value)) => value.scale(-1).map_or(Value::Unknown, Value::Int),
            (UnaryOp::Neg, operand @ Value::Mixed(_)) => {
                self.mixed(BinaryOp::Sub, &Value::int(0), &operand).unwrap_or(Value::Unknown)
            }
            (UnaryOp::BitNot, Value::Int(value)) => {
                value.scale(-1).and_then(|v| v.offset(-1)).map_or(Value::Unknown, Value::Int)
            }
            (op, Value::Same(symbol)) => {
                Value::Same(self.engine.symbols.apply(&format!("{op:?}"), vec![symbol.into()]))
            }
            _ => Value::Unknown,
        })
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: Value,
        b: Value,
        left: TypeId,
        right: TypeId,
        ty: TypeId,
    ) -> Result<Value, Need> {
        use BinaryOp::{Add, Sub};
        if let (Value::Int(x), Value::Int(y)) = (&a, &b)
            && let Some(value) = self.wide(op, x, y, left)
        {
            return Ok(value);
        }
        if op.is_comparison() {
            if let (Value::Same(x), Value::Same(y)) = (&a, &b)
                && matches!(self.unit().types.get(left), Type::Float(8))
                && let Some(order) = self.order_of(*x, *y)
            {
                return Ok(Value::int(i64::from(holds(op, order))));
            }
            return Ok(self.compare(op, &a, &b)?.map_or(Value::Unknown, |t| Value::int(i64::from(t))));
        }
        let unit = self.unit();
        let (a, b) = (self.resolved(&a), self.resolved(&b));
        match (&a, &b) {
            (Value::Address(object, offset), Value::Int(steps)) if matches!(op, Add | Sub) => {
                let size = unit.types.pointee(left).and_then(|to| self.size_of(to));
                let moved = size.and_then(|size| {
                    let size = i64::try_from(size).ok()?;
                    offset.add_scaled(steps, if op == Add { size } else { size.checked_neg()? })
                });
                return Ok(moved.map_or(Value::Within(*object), |offset| Value::Address(*object, offset)));
            }
            (Value::Address(object, _) | Value::Within(object), Value::Int(_) | Value::Unknown)
                if matches!(op, Add | Sub) && is_pointer(unit, ty) =>
            {
                return Ok(Value::Within(*object));
            }
            (Value::Int(_) | Value::Unknown, Value::Address(..) | Value::Within(_)) if op == Add => {
                return self.binary(op, b, a, right, left, ty);
            }
            (Value::Same(base), Value::Int(steps))
                if matches!(op, Add | Sub) && self.engine.is_text(*base) =>
            {
                let steps = if op == Add { Some(steps.clone()) } else { steps.scale(-1) };
                let moved = steps
                    .filter(|steps| steps.is_uniform())
                    .and_then(|steps| self.engine.inside_text(*base, &steps));
                return Ok(moved.map_or(Value::Unknown, Value::Same));
            }
            (Value::Address(x, i), Value::Address(y, j)) if op == Sub && x == y => {
                let size = unit.types.pointee(left).and_then(|to| self.size_of(to));
                let count = size.and_then(|size| i.sub(j)?.divide_exactly(i64::try_from(size).ok()?));
                return Ok(count.map_or(Value::Unknown, Value::Int));
            }
            (Value::Int(x), Value::Int(y)) if is_integer(unit, ty) => {
                let (x, y) = (x.clone(), y.clone());
                let value = match self.integer(op, &x, &y)? {
                    Value::Unknown => self.mixed(op, &a, &b).unwrap_or(Value::Unknown),
                    value => value,
                };
                return self.representable(value, ty);
            }
            (Value::Mixed(_), Value::Int(_) | Value::Mixed(_)) | (Value::Int(_), Value::Mixed(_))
                if is_integer(unit, ty) =>
            {
                let value = self.mixed(op, &a, &b).unwrap_or(Value::Unknown);
                return self.representable(value, ty);
            }
            _ => {}
        }
        // Floating-point and other values: equal on all members when the operands are.
        Ok(match (a.as_argument(), b.as_argument()) {
            (Some(x), Some(y)) => {
                // What a step of a pointer is depends on the type.
                let step = unit.types.pointee(left).and_then(|to| self.size_of(to));
                let suffix = match step {
                    Some(step) => format!(" steps of {step}"),
                    None if is_integer(unit, ty) => String::new(),
                    None if *unit.types.get(ty) == Type::Float(8) => ".".to_owned(),
                    None => format!(". {:?}", unit.types.get(ty)),
                };
                let symbol = self.engine.symbols.apply(&format!("{}{suffix}", operator(op)), vec![x, y]);
                if is_integer(unit, ty) { Value::Int(symbol.into()) } else { Value::Same(symbol) }
            }
            _ => Value::Unknown,
        })
    }

    /// The value as its type holds it: of an unsigned or short result that may have wrapped around only is known what it is a function
    /// of.
    fn representable(&mut self, value: Value, ty: TypeId) -> Result<Value, Need> {
        let ends = match &value {
            Value::Int(linear) => Some((linear.clone(), linear.clone())),
            Value::Mixed(mixed) => mixed.bounds(self.ranks, self.facts),
            _ => return Ok(value),
        };
        let (Type::Int(kind) | Type::Enum(_, kind)) = *self.unit().types.get(ty) else { return Ok(value) };
        if let Some(constant) = value.as_int().and_then(|number| self.constant(number)) {
            let wrapped = wrap(constant, kind);
            return Ok(match kind.is_signed() {
                _ if wrapped == constant && (kind.is_signed() || 0 <= constant) => value,
                false => self.number(wrapped, kind),
                // A signed number that does not fit has no meaning in C.
                true => Value::Int(
                    self.engine.symbols.apply(&format!("({kind:?})"), vec![constant.into()]).into(),
                ),
            });
        }
        // Those members are told apart on which it is negative.
        if let (Value::Int(number), IntKind::UInt) = (&value, kind)
            && !number.is_uniform()
            && let Some(above) = number.offset(1)
        {
            match self.is_nonpositive(&above) {
                Ok(Some(true)) => return Ok(number.offset(1 << 32).map_or(Value::Unknown, Value::Int)),
                Err(need) if need.is_case() => return Err(need),
                _ => {}
            }
        }
        // Numbers that are counted and sent are taken to fit in an `int`.
        let greatest = (kind.size() < 4).then(|| wrap(-1, kind)).filter(|_| !kind.is_signed());
        let greatest = greatest.or_else(|| (kind.size() < 4).then(|| (1 << (8 * kind.size() - 1)) - 1));
        let least = if kind.is_signed() { greatest.map(|greatest| -greatest - 1) } else { Some(0) };
        let above = least.is_none_or(|least| {
            let distance = ends.as_ref().and_then(|(lowest, _)| lowest.offset(-least));
            distance.is_some_and(|distance| self.known_nonnegative(&distance))
        });
        let below = greatest.is_none_or(|greatest| {
            let distance = ends.as_ref().and_then(|(_, highest)| Linear::from(greatest).sub(highest));
            distance.is_some_and(|distance| self.known_nonnegative(&distance))
        });
        if above && below {
            return Ok(value);
        }
        let Some(argument) = value.as_argument() else { return Ok(Value::Unknown) };
        let wrapped = self.engine.symbols.apply(&format!("({kind:?})"), vec![argument]);
        if let Some(least) = least {
            self.bound(wrapped, least);
        }
        Ok(Value::Int(wrapped.into()))
    }

    /// The number that some bits are in a type. Of an unsigned one that exceeds 63 bits only is known which one it is, and that it is
    /// great.
    fn number(&mut self, bits: i64, kind: IntKind) -> Value {
        if 0 <= bits || kind.is_signed() {
            return Value::int(bits);
        }
        let name = if kind.size() == 8 { WIDE.to_owned() } else { format!("({kind:?})") };
        let great = self.engine.symbols.apply(&name, vec![bits.into()]);
        self.bound(great, GREAT);
        Value::Int(great.into())
    }

    /// The bits of a number that is known, also of one that exceeds 63 bits.
    fn bits(&self, number: &Linear) -> Option<i64> {
        self.constant(number).or_else(|| self.wide_bits(number))
    }

    /// The bits of a known number that exceeds 63 bits.
    fn wide_bits(&self, number: &Linear) -> Option<i64> {
        let (symbol, 0) = number.as_offset()? else { return None };
        match self.engine.symbols.kind(symbol) {
            SymbolKind::Apply(name, bits) if &**name == WIDE => bits.first()?.as_constant(),
            _ => None,
        }
    }

    /// The result of an operator on unsigned numbers of 64 bits, if one of them exceeds 63 bits.
    fn wide(&mut self, op: BinaryOp, x: &Linear, y: &Linear, ty: TypeId) -> Option<Value> {
        let (Type::Int(kind) | Type::Enum(_, kind)) = *self.unit().types.get(ty) else { return None };
        if kind.is_signed()
            || kind.size() != 8
            || (self.wide_bits(x).is_none() && self.wide_bits(y).is_none())
        {
            return None;
        }
        let (a, b) = (self.bits(x)?.cast_unsigned(), self.bits(y)?.cast_unsigned());
        let by = || u32::try_from(b).ok();
        let bits = match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div => a.checked_div(b)?,
            BinaryOp::Rem => a.checked_rem(b)?,
            BinaryOp::Shl => a.checked_shl(by()?)?,
            BinaryOp::Shr => a.checked_shr(by()?)?,
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            comparison if comparison.is_comparison() => {
                return Some(Value::int(i64::from(holds(comparison, a.cmp(&b)))));
            }
            _ => return None,
        };
        Some(self.number(bits.cast_signed(), kind))
    }

    fn cast(&mut self, value: Value, from: TypeId, to: TypeId) -> Result<Value, Need> {
        let unit = self.unit();
        let real = |ty: TypeId| matches!(unit.types.get(ty), Type::Float(_) | Type::Complex(_));
        Ok(match (&value, unit.types.get(to)) {
            (_, Type::Int(IntKind::Bool)) => {
                self.truth(&value)?.map_or(Value::Unknown, |t| Value::int(i64::from(t)))
            }
            (Value::Int(linear), _) if real(to) && !real(from) => match value.as_argument() {
                Some(_) => {
                    let name = match unit.types.get(to) {
                        Type::Float(8) => "double",
                        Type::Float(4) => "float",
                        _ => "long double",
                    };
                    Value::Same(self.engine.symbols.apply(name, vec![linear.clone()]))
                }
                None => Value::Unknown,
            },
            // Digits are lost.
            (Value::Same(symbol), Type::Float(4)) if *unit.types.get(from) != Type::Float(4) => {
                Value::Same(self.engine.symbols.apply("(float)", vec![(*symbol).into()]))
            }
            (Value::Same(symbol), Type::Int(_) | Type::Enum(..)) if real(from) => {
                let integer = self.truncated(*symbol).filter(|_| *unit.types.get(from) == Type::Float(8));
                let integer = integer.map(Value::int).or_else(|| self.integer_root(*symbol));
                integer.unwrap_or_else(|| {
                    Value::Int(self.engine.symbols.apply("int", vec![(*symbol).into()]).into())
                })
            }
            (Value::Mixed(_), Type::Int(_) | Type::Enum(..)) => self.representable(value, to)?,
            (Value::Mixed(_), _) => Value::Unknown,
            (Value::Int(linear), Type::Int(kind) | Type::Enum(_, kind)) => match self.bits(linear) {
                // What fits keeps the form that it has.
                Some(bits) if wrap(bits, *kind) == bits && 0 <= bits => value,
                Some(bits) => self.number(wrap(bits, *kind), *kind),
                None => self.representable(value, to)?,
            },
            _ => value,
        })
    }

    /// Where a place is; `None` when it could be anywhere.
    pub(crate) fn locate(&mut self, place: &Place) -> Result<Option<Location>, Need> {
        let unit = self.unit();
        let (object, mut offset) = match &place.base {
            PlaceBase::Local(local) => {
                (self.engine.local_object(self.function, self.context, *local), Some(Linear::zero()))
            }
            PlaceBase::Global(global) => {
                (self.engine.global_object(self.function.unit, *global), Some(Linear::zero()))
            }
            PlaceBase::Deref(pointer) => {
                let pointer = self.eval(pointer)?;
                match self.resolved(&pointer) {
                    Value::Address(object, offset) => (object, Some(offset)),
                    Value::Within(object) => (object, None),
                    _ => return Ok(None),
                }
            }
        };
        let mut ty = match &place.base {
            PlaceBase::Local(local) => self.engine.program.function(self.function).local(*local).ty,
            PlaceBase::Global(global) => unit.global(*global).ty,
            PlaceBase::Deref(pointer) => unit.types.pointee(pointer.ty).unwrap_or(place.ty),
        };
        for projection in &place.projections {
            match projection {
                Projection::Field(record, index) => {
                    let step = unit.types.model_offset(*record, *index).and_then(|o| i64::try_from(o).ok());
                    let record = unit.types.record(*record);
                    let field = record.fields.as_ref().and_then(|fields| fields.get(*index as usize));
                    offset = offset.zip(step).and_then(|(offset, step)| offset.offset(step));
                    ty = field.map_or(place.ty, |f| f.ty);
                }
                Projection::Index(index) => {
                    let element = unit.types.pointee(ty).unwrap_or(place.ty);
                    let index = self.eval(index)?;
                    let size = self.size_of(element).and_then(|s| i64::try_from(s).ok());
                    offset = match (offset, index.as_int(), size) {
                        (Some(offset), Some(index), Some(size)) => offset.add_scaled(index, size),
                        _ => None,
                    };
                    ty = element;
                }
            }
        }
        Ok(Some(Location { object, offset }))
    }

    /// Size in bytes in the engine's memory: types of unknown size, such as handles, have the size of the model.
    pub(crate) fn size_of(&self, ty: TypeId) -> Option<u64> {
        self.unit().types.model_size(ty)
    }

    fn load(&mut self, place: &Place) -> Result<Value, Need> {
        if let Some(field) = self.bit_field(place) {
            return self.load_bits(place, field);
        }
        match self.locate(place)? {
            Some(location) => {
                self.know_element(&location, place.ty)?;
                Ok(self.read(&location, place.ty))
            }
            None => {
                self.refuse_null(place)?;
                self.load_text(place)
            }
        }
    }

    /// Gives up where a place is behind a null pointer: the process dies when it gets there.
    pub(crate) fn refuse_null(&mut self, place: &Place) -> Result<(), Need> {
        let PlaceBase::Deref(pointer) = &place.base else { return Ok(()) };
        let mut pointer: &Expr = pointer.strip_casts();
        while let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, base, _) = &pointer.kind
            && is_pointer(self.unit(), pointer.ty)
        {
            pointer = base.strip_casts();
        }
        if is_pointer(self.unit(), pointer.ty) && self.eval(pointer)?.as_constant() == Some(0) {
            return Err(Need::give_up("a null pointer is followed, which ends the process"));
        }
        Ok(())
    }

    /// Asks whether what is read is an element of a series or lies behind its end; where each process is followed by itself, what each
    /// reads.
    fn know_element(&mut self, location: &Location, ty: TypeId) -> Result<(), Need> {
        let (Some(content), Some(offset)) = (self.memory.get(location.object), &location.offset) else {
            return Ok(());
        };
        if self.engine.fixed.is_some() && !offset.is_uniform() && !content.cells.is_empty() {
            let place = self.ranks.settle(offset, self.facts);
            let digits = self.ranks.digits().iter().enumerate();
            let mut varying = digits.filter(|(position, _)| place.has(self.ranks.symbol(*position)));
            if let Some((position, digit)) = varying.next() {
                return Err(Need::Split(position, digit.lo.clone()));
            }
        }
        if content.series.is_empty() {
            return Ok(());
        }
        let Some(size) = self.size_of(ty).and_then(|size| i64::try_from(size).ok()) else { return Ok(()) };
        let open = |series: &&series::Series| {
            series.place(offset, size, self.ranks, self.facts) == series::Place::Open
        };
        let questions = content.series.iter().filter(open);
        let questions = questions.filter_map(|series| series.excess(offset, size, self.ranks, self.facts));
        for excess in questions.collect::<Vec<_>>() {
            if !excess.is_uniform() || self.facts.can_express(&excess) {
                self.is_nonpositive(&excess)?;
            }
        }
        Ok(())
    }

    /// What so many bytes at a location are known to be by themselves.
    pub(crate) fn read_sized(&mut self, location: &Location, size: u64) -> Value {
        self.engine.ensure(self.memory, location.object);
        let Some(content) = self.memory.get(location.object) else { return Value::Unknown };
        for series in &content.series {
            let place = location.offset.as_ref().zip(i64::try_from(size).ok());
            match place.map(|(offset, size)| series.place(offset, size, self.ranks, self.facts)) {
                Some(series::Place::Apart) => {}
                Some(series::Place::Element(index)) => {
                    return series.value(&index).map_or(Value::Unknown, Value::Int);
                }
                _ => return Value::Unknown,
            }
        }
        match location.offset.as_ref().and_then(|offset| self.facts.constant(offset)) {
            Some(offset) => content.read_below(offset, size),
            None if content.cells.is_empty() => content.read_below(0, 1),
            None => Value::Unknown,
        }
    }

    /// Stores a value of any type in a place; an unknown place may be any object whose address has been taken.
    pub(crate) fn assign(&mut self, place: &Place, value: Value) -> Result<(), Need> {
        if let Some(field) = self.bit_field(place) {
            return self.store_bits(place, field, &value);
        }
        let size = self.size_of(place.ty);
        match self.locate(place)? {
            Some(location) => {
                self.write(&location, size, value);
                Ok(())
            }
            None => self.assign_unknown(place, &value),
        }
    }
}

/// What each buffered send needs besides its data: a number above zero, but not the same one in every implementation.
pub(crate) const OVERHEAD: &str = "MPI_BSEND_OVERHEAD";

/// An unsigned number that exceeds 63 bits, as a function of its bits, and what it is at least.
const WIDE: &str = "(ULong)";
const GREAT: i64 = 1 << 40;

/// The size of a type that the program cannot know, as it has handles in it; what follows says which type.
pub(crate) const SIZE_OF: &str = "sizeof type";

/// A named constant. Only `MPI_SUCCESS` has the same integer value in every implementation.
fn constant(name: &std::sync::Arc<str>, value: Option<i128>) -> Value {
    match value {
        Some(value) if !name.starts_with("MPI_") || &**name == "MPI_SUCCESS" => {
            i64::try_from(value).map_or(Value::Unknown, Value::int)
        }
        _ => Value::Name(name.clone()),
    }
}

fn is_pointer(unit: &Unit, ty: TypeId) -> bool {
    matches!(unit.types.get(ty), Type::Pointer(_))
}

fn is_integer(unit: &Unit, ty: TypeId) -> bool {
    matches!(unit.types.get(ty), Type::Int(_) | Type::Enum(..) | Type::Unknown)
}

/// Whether a comparison holds of operands in this order.
fn holds(op: BinaryOp, order: Ordering) -> bool {
    match op {
        BinaryOp::Lt => order.is_lt(),
        BinaryOp::Le => order.is_le(),
        BinaryOp::Gt => order.is_gt(),
        BinaryOp::Ge => order.is_ge(),
        BinaryOp::Eq => order.is_eq(),
        _ => order.is_ne(),
    }
}

fn wrap(value: i64, kind: IntKind) -> i64 {
    let bits = kind.size() * 8;
    if bits >= 64 {
        return value;
    }
    let shift = 64 - u32::try_from(bits).expect("an integer has at most 128 bits");
    if kind.is_signed() {
        (value << shift) >> shift
    } else {
        ((value.cast_unsigned() << shift) >> shift).cast_signed()
    }
}
