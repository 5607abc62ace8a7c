//! Values of expressions and addresses of places, in a given state.

use frontend::ir::{
    BinaryOp, Expr, ExprKind, Function, Inst, InstKind, LocalId, Place, PlaceBase, Projection, Type, TypeId,
    UnaryOp, Unit,
};

use frontend::mpi::{Constant, ConstantKind, Plain};

use super::domain::{Atom, Interval, Object, Value};
use super::layout::Layout;
use super::state::State;

/// Expressions nested deeper than this are anything.
const MAX_DEPTH: u32 = 200;

/// Evaluates the expressions of one function.
pub struct Evaluator<'a> {
    /// The unit it stands in.
    pub unit: &'a Unit,
    /// The function.
    pub function: &'a Function,
    /// Sizes and offsets.
    pub layout: Layout<'a>,
}

impl<'a> Evaluator<'a> {
    /// For one function of a unit.
    #[must_use]
    pub fn new(unit: &'a Unit, function: &'a Function) -> Self {
        Self { unit, function, layout: Layout::new(&unit.types) }
    }

    /// What an expression may yield.
    #[must_use]
    pub fn value(&self, state: &State, expr: &Expr) -> Value {
        self.value_at(state, expr, 0)
    }

    /// Where a place may be: objects with offsets in bytes. `None` where it may be anywhere.
    #[must_use]
    pub fn address(&self, state: &State, place: &Place) -> Option<Vec<(Object, Interval)>> {
        self.address_at(state, place, 0)
    }

    /// The address of what an argument points to, also where nothing but the way from a parameter is known.
    #[must_use]
    pub fn location(&self, state: &State, expr: &Expr) -> Value {
        let value = self.value(state, expr);
        match self.behind_parameter(state, expr, 0) {
            Some((object, offset)) if value.is_any() => Value::of(Atom::Address(object, offset)),
            _ => value,
        }
    }

    /// A place that is reached from a parameter of the function without looking into memory.
    fn behind_parameter(&self, state: &State, expr: &Expr, depth: u32) -> Option<(Object, Interval)> {
        if MAX_DEPTH < depth {
            return None;
        }
        let expr = expr.strip_casts();
        match &expr.kind {
            ExprKind::Load(place) => {
                let local = place.as_local().filter(|&local| self.keeps_value(local))?;
                Some((Object::Target(local), Interval::exactly(0)))
            }
            ExprKind::Binary(BinaryOp::Add, pointer, index) => {
                let (object, offset) = self.behind_parameter(state, pointer, depth + 1)?;
                let size = self.layout.exact_size(self.layout.types().pointee(pointer.ty)?)?;
                let index = self.value_at(state, index, depth + 1).range_or_all();
                Some((object, offset.plus(index.times(Interval::exactly(i128::from(size))))))
            }
            ExprKind::AddressOf(place) => {
                let PlaceBase::Deref(pointer) = &place.base else { return None };
                let (object, mut offset) = self.behind_parameter(state, pointer, depth + 1)?;
                let mut ty = self.layout.types().pointee(pointer.ty)?;
                for projection in &place.projections {
                    let (inner, step) = self.step(state, ty, projection, depth)?;
                    ty = inner;
                    offset = offset.plus(step);
                }
                Some((object, offset))
            }
            _ => None,
        }
    }

    /// Whether a local is a parameter that has the value everywhere with which the function is called.
    fn keeps_value(&self, local: LocalId) -> bool {
        let declared = self.function.local(local);
        if self.function.params <= local.0 || declared.address_taken || declared.unstable {
            return false;
        }
        let stores = |inst: &Inst| match &inst.kind {
            InstKind::Assign(place, _) | InstKind::Call { dest: Some(place), .. } => {
                place.as_local() == Some(local)
            }
            InstKind::Opaque { writes, .. } => writes
                .as_ref()
                .is_none_or(|places| places.iter().any(|place| place.as_local() == Some(local))),
            _ => false,
        };
        self.function
            .body
            .as_ref()
            .is_some_and(|cfg| !cfg.graph.node_weights().flat_map(|block| &block.insts).any(stores))
    }

    /// The type of an object, if it was declared.
    #[must_use]
    pub fn declared_type(&self, object: &Object) -> Option<TypeId> {
        match object {
            Object::Local(id) => Some(self.function.local(*id).ty),
            Object::Global(id) => Some(self.unit.global(*id).ty),
            Object::Heap(_) | Object::Target(_) | Object::Literal(..) => None,
        }
    }

    /// Whether the object may change behind our back.
    #[must_use]
    pub fn is_unstable(&self, object: &Object) -> bool {
        match object {
            Object::Local(id) => self.function.local(*id).unstable,
            Object::Global(id) => self.unit.global(*id).unstable,
            Object::Heap(_) | Object::Literal(..) => false,
            Object::Target(_) => true,
        }
    }

    /// Whether the object outlives the call of the function: other functions may change it.
    #[must_use]
    pub fn is_shared(&self, object: &Object) -> bool {
        match object {
            Object::Local(id) => self.function.local(*id).static_init.is_some(),
            Object::Global(_) | Object::Target(_) => true,
            Object::Heap(_) | Object::Literal(..) => false,
        }
    }

    fn value_at(&self, state: &State, expr: &Expr, depth: u32) -> Value {
        if MAX_DEPTH < depth {
            return Value::ANY;
        }
        match &expr.kind {
            ExprKind::Int(n) => Value::int(*n),
            ExprKind::Float(_) | ExprKind::Sizeof(_) | ExprKind::Unknown(_) => Value::ANY,
            ExprKind::Str(bytes) => {
                let literal = Object::Literal(expr.span, bytes.len() as u64 + 1);
                Value::of(Atom::Address(literal, Interval::exactly(0)))
            }
            ExprKind::Constant { name, value } => constant(name, *value),
            ExprKind::Load(place) => self.load(state, place, depth),
            // The offset of a member, as programs wrote it before there was `offsetof`.
            ExprKind::AddressOf(place) if begins_at_null(place) => {
                self.null_offset(state, place, depth).map_or(Value::ANY, Value::range)
            }
            ExprKind::AddressOf(place) => match self.address_at(state, place, depth + 1) {
                Some(targets) => {
                    let atoms = targets.into_iter().map(|(object, offset)| Atom::Address(object, offset));
                    Value::from_atoms(atoms).unwrap_or(Value::ANY)
                }
                None => Value::ANY,
            },
            ExprKind::FunctionAddress(name) => Value::of(Atom::Function(name.clone())),
            ExprKind::Unary(op, operand) => self.unary(state, *op, operand, expr.ty, depth),
            ExprKind::Binary(op, left, right) => self.binary(state, *op, left, right, expr.ty, depth),
            ExprKind::Conditional(condition, then, otherwise) => {
                match self.truth(&self.value_at(state, condition, depth + 1)) {
                    Some(true) => self.value_at(state, then, depth + 1),
                    Some(false) => self.value_at(state, otherwise, depth + 1),
                    None => self.value_at(state, then, depth + 1).join(&self.value_at(
                        state,
                        otherwise,
                        depth + 1,
                    )),
                }
            }
            ExprKind::Cast(inner) => self.cast(self.value_at(state, inner, depth + 1), inner.ty, expr.ty),
            ExprKind::SizeofVla(factors) => {
                let product = factors.iter().fold(Interval::exactly(1), |product, factor| {
                    product.times(self.value_at(state, factor, depth + 1).range_or_all())
                });
                Value::range(product)
            }
        }
    }

    /// How far a place is from address 0, from which it begins.
    fn null_offset(&self, state: &State, place: &Place, depth: u32) -> Option<Interval> {
        let PlaceBase::Deref(pointer) = &place.base else { return None };
        let mut ty = self.layout.types().pointee(pointer.ty)?;
        self.layout.exact_size(ty)?;
        let mut offset = Interval::exactly(0);
        for projection in &place.projections {
            let (inner, step) = self.step(state, ty, projection, depth)?;
            ty = inner;
            offset = offset.plus(step);
        }
        Some(offset)
    }

    fn load(&self, state: &State, place: &Place, depth: u32) -> Value {
        let Some(targets) = self.address_at(state, place, depth + 1) else { return Value::ANY };
        let Some(size) = self.layout.cell_size(place.ty) else { return Value::ANY };
        let mut result: Option<Value> = None;
        for (object, offset) in targets {
            if self.is_unstable(&object) {
                return Value::ANY;
            }
            let value = state.read(&object, offset, size);
            result = Some(result.map_or(value.clone(), |so_far| so_far.join(&value)));
        }
        result.unwrap_or(Value::ANY)
    }

    fn address_at(&self, state: &State, place: &Place, depth: u32) -> Option<Vec<(Object, Interval)>> {
        if MAX_DEPTH < depth {
            return None;
        }
        let (mut targets, mut ty) = match &place.base {
            PlaceBase::Local(id) => {
                (vec![(Object::Local(*id), Interval::exactly(0))], self.function.local(*id).ty)
            }
            PlaceBase::Global(id) => {
                (vec![(Object::Global(*id), Interval::exactly(0))], self.unit.global(*id).ty)
            }
            PlaceBase::Deref(pointer) => {
                let value = self.value_at(state, pointer, depth + 1);
                let mut targets = Vec::new();
                for atom in value.atoms()? {
                    match atom {
                        Atom::Address(object, offset) => targets.push((object.clone(), *offset)),
                        // Following a null or unset pointer is undefined, so the others are meant.
                        Atom::Uninitialized => {}
                        Atom::Int(range) if range.single() == Some(0) => {}
                        _ => return None,
                    }
                }
                if targets.is_empty() {
                    return None;
                }
                (targets, self.layout.types().pointee(pointer.ty)?)
            }
        };
        for projection in &place.projections {
            let (inner, step) = self.step(state, ty, projection, depth)?;
            ty = inner;
            targets.iter_mut().for_each(|(_, offset)| *offset = offset.plus(step));
        }
        Some(targets)
    }

    /// What a projection leads to in a value of a type, and how many bytes from its start that is.
    fn step(
        &self,
        state: &State,
        ty: TypeId,
        projection: &Projection,
        depth: u32,
    ) -> Option<(TypeId, Interval)> {
        match projection {
            Projection::Field(record, field) => {
                let offset = i128::from(self.layout.field_offset(*record, *field)?);
                let fields = self.layout.types().record(*record).fields.as_ref()?;
                let field = fields.get(*field as usize)?;
                // Others share a bit-field's bytes: nothing may be known to be the only thing there.
                let hi = offset + i128::from(field.bits.is_some());
                Some((field.ty, Interval { lo: Some(offset), hi: Some(hi) }))
            }
            Projection::Index(index) => {
                let Type::Array(element, _) = self.layout.types().get(ty) else { return None };
                let Some(size) = self.layout.cell_size(*element) else {
                    return Some((*element, Interval::ALL));
                };
                let index = self.value_at(state, index, depth + 1).range_or_all();
                Some((*element, index.times(Interval::exactly(i128::from(size)))))
            }
        }
    }

    fn unary(&self, state: &State, op: UnaryOp, operand: &Expr, ty: TypeId, depth: u32) -> Value {
        let value = self.value_at(state, operand, depth + 1);
        match op {
            UnaryOp::Not => match self.truth(&value) {
                Some(truth) => Value::int(i128::from(!truth)),
                None => Value::range(Interval { lo: Some(0), hi: Some(1) }),
            },
            UnaryOp::Neg => self.integer(value.range_or_all().negated(), ty),
            // ~n is -n - 1.
            UnaryOp::BitNot => self.integer(value.range_or_all().negated().plus(Interval::exactly(-1)), ty),
            UnaryOp::Real | UnaryOp::Imag => Value::ANY,
        }
    }

    fn binary(
        &self,
        state: &State,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        ty: TypeId,
        depth: u32,
    ) -> Value {
        let a = self.value_at(state, left, depth + 1);
        let b = self.value_at(state, right, depth + 1);
        if let Some(truth) = self.compare(op, &a, &b, left.ty) {
            return truth
                .map_or(Value::range(Interval { lo: Some(0), hi: Some(1) }), |t| Value::int(i128::from(t)));
        }
        if let Some(pointee) = self.layout.types().pointee(left.ty) {
            if op == BinaryOp::Sub
                && let Some(bytes) = distance(&a, &b)
            {
                let size = self.layout.exact_size(pointee).map(i128::from);
                return match (bytes.single(), size) {
                    (Some(bytes), Some(size)) if 0 < size && bytes % size == 0 => Value::int(bytes / size),
                    _ => Value::ANY,
                };
            }
            let sign = match op {
                BinaryOp::Add => 1,
                BinaryOp::Sub if self.layout.types().pointee(right.ty).is_none() => -1,
                _ => return Value::ANY,
            };
            let step = self.layout.cell_size(pointee).map_or(Interval::ALL, |size| {
                b.range_or_all().times(Interval::exactly(sign * i128::from(size)))
            });
            return moved(&a, step);
        }
        if !matches!(self.layout.types().get(ty), Type::Int(_) | Type::Enum(..)) {
            return Value::ANY;
        }
        if let Some(value) = address_sum(op, &a, &b) {
            return value;
        }
        let (x, y) = (a.range_or_all(), b.range_or_all());
        let both = x.single().zip(y.single());
        let bits = |f: fn(i128, i128) -> i128| match both {
            Some((x, y)) => Interval::exactly(f(x, y)),
            // Bits of non-negative numbers: the result is not negative, and no greater than the greater's next power.
            None if x.lo.is_some_and(|n| 0 <= n) && y.lo.is_some_and(|n| 0 <= n) => Interval::at_least(0),
            None => Interval::ALL,
        };
        let result = match op {
            BinaryOp::Add => x.plus(y),
            BinaryOp::Sub => x.plus(y.negated()),
            BinaryOp::Mul => x.times(y),
            BinaryOp::Div => x.over(y),
            BinaryOp::Rem => x.modulo(y),
            BinaryOp::Shl => match y.single() {
                Some(by @ 0..=62) => x.times(Interval::exactly(1 << by)),
                _ => Interval::ALL,
            },
            BinaryOp::Shr => match (x.lo, y.single()) {
                (Some(lo), Some(by @ 0..=62)) if 0 <= lo => x.over(Interval::exactly(1 << by)),
                _ => Interval::ALL,
            },
            BinaryOp::BitAnd => bits(|x, y| x & y),
            BinaryOp::BitOr => bits(|x, y| x | y),
            BinaryOp::BitXor => bits(|x, y| x ^ y),
            _ => Interval::ALL,
        };
        self.integer(result, ty)
    }

    /// The outcome of a comparison or logical operator: `None` if the operator is none, `Some(None)` if it is open.
    fn compare(&self, op: BinaryOp, a: &Value, b: &Value, ty: TypeId) -> Option<Option<bool>> {
        let (x, y) = (a.range_or_all(), b.range_or_all());
        let is_float = matches!(self.layout.types().get(ty), Type::Float(_) | Type::Complex(_));
        let decided = |yes: bool, no: bool| if is_float || yes == no { None } else { Some(yes) };
        Some(match op {
            BinaryOp::Lt => decided(x.below(y), y.at_most(x)),
            BinaryOp::Le => decided(x.at_most(y), y.below(x)),
            BinaryOp::Gt => decided(y.below(x), x.at_most(y)),
            BinaryOp::Ge => decided(y.at_most(x), x.below(y)),
            BinaryOp::Eq => equal(a, b).filter(|_| !is_float),
            BinaryOp::Ne => equal(a, b).filter(|_| !is_float).map(|same| !same),
            BinaryOp::And => match (self.truth(a), self.truth(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            BinaryOp::Or => match (self.truth(a), self.truth(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            _ => return None,
        })
    }

    /// Whether a value counts as true, if that is decided.
    #[must_use]
    pub fn truth(&self, value: &Value) -> Option<bool> {
        equal(value, &Value::int(0)).map(|zero| !zero)
    }

    /// An integer of a type: a result that the type cannot hold is anything.
    fn integer(&self, range: Interval, ty: TypeId) -> Value {
        match self.bounds(ty) {
            Some(bounds) if range.lo.is_none() && range.hi.is_none() && bounds.lo == Some(0) => {
                Value::range(bounds)
            }
            Some(bounds) => {
                let outside = |end: Option<i128>| end.is_some_and(|n| !Interval::exactly(n).within(bounds));
                let wraps = bounds.lo == Some(0) && range.lo.is_none_or(|lo| lo < 0);
                if outside(range.lo) || outside(range.hi) || wraps { Value::ANY } else { Value::range(range) }
            }
            None => Value::ANY,
        }
    }

    /// The values an integer type holds.
    fn bounds(&self, ty: TypeId) -> Option<Interval> {
        let kind = match self.layout.types().get(ty) {
            Type::Int(kind) | Type::Enum(_, kind) => *kind,
            _ => return None,
        };
        let bits = u32::try_from(kind.size() * 8).ok().filter(|&bits| bits <= 64)?;
        Some(match (kind, kind.is_signed()) {
            (frontend::ir::IntKind::Bool, _) => Interval { lo: Some(0), hi: Some(1) },
            (_, true) => Interval { lo: Some(-(1 << (bits - 1))), hi: Some((1 << (bits - 1)) - 1) },
            (_, false) => Interval { lo: Some(0), hi: Some((1 << bits) - 1) },
        })
    }

    fn cast(&self, value: Value, from: TypeId, to: TypeId) -> Value {
        let types = self.layout.types();
        match (types.get(from), types.get(to)) {
            (_, Type::Int(frontend::ir::IntKind::Bool)) => match self.truth(&value) {
                Some(truth) => Value::int(i128::from(truth)),
                None => Value::range(Interval { lo: Some(0), hi: Some(1) }),
            },
            (Type::Int(_) | Type::Enum(..), Type::Int(_) | Type::Enum(..)) => {
                let Some(bounds) = self.bounds(to) else { return Value::ANY };
                match value.as_range() {
                    // A named constant keeps its name through every integer type.
                    None => value,
                    Some(range) if range.within(bounds) => value,
                    Some(range) => match (range.single(), bounds.lo, bounds.hi) {
                        (Some(n), Some(lo), Some(hi)) => {
                            let width = hi - lo + 1;
                            Value::int((n - lo).rem_euclid(width) + lo)
                        }
                        // Half-bounded ranges come from widening and stay within the type that they were counted in.
                        _ if self.widens(from, to) => value,
                        _ => Value::ANY,
                    },
                }
            }
            (_, Type::Float(_) | Type::Complex(_)) | (Type::Float(_) | Type::Complex(_), _) => Value::ANY,
            _ => value,
        }
    }

    fn widens(&self, from: TypeId, to: TypeId) -> bool {
        self.bounds(from).zip(self.bounds(to)).is_some_and(|(from, to)| from.within(to))
    }
}

/// Whether a place is inside of `*(T *)0`.
fn begins_at_null(place: &Place) -> bool {
    match &place.base {
        PlaceBase::Deref(pointer) => {
            !place.projections.is_empty() && matches!(pointer.strip_casts().kind, ExprKind::Int(0))
        }
        _ => false,
    }
}

/// The value of a named constant: an enumerator of the program is its number, a constant of MPI stays a name unless it is a bit of a mode.
fn constant(name: &str, value: Option<i128>) -> Value {
    match frontend::mpi::constant(name) {
        // The one error class whose number the standard fixes (MPI-4.1 section 9.4).
        Some(known) if known.is(Plain::ErrorClass) && known.value == Some(0) => Value::int(0),
        // Modes of files are put together by bits, which are distinct.
        Some(known) if known.is(Plain::AccessMode) => {
            known.value.map_or(Value::ANY, |bit| Value::int(bit.into()))
        }
        Some(_) => Value::constant(name),
        None => value.map_or(Value::ANY, Value::int),
    }
}

/// Bytes from the second address to the first, which is one in the same object.
fn distance(a: &Value, b: &Value) -> Option<Interval> {
    let ((object, x), (other, y)) = (a.as_address()?, b.as_address()?);
    (object == other).then(|| x.plus(y.negated()))
}

/// Sum or difference of addresses that are held in integers (`MPI_Aint`), with numbers or with each other.
pub(super) fn address_sum(op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
    match (op, a.as_address().is_some(), b.as_address().is_some()) {
        (BinaryOp::Sub, true, true) => Some(distance(a, b).map_or(Value::ANY, Value::range)),
        (BinaryOp::Add, true, false) => Some(moved(a, b.as_range()?)),
        (BinaryOp::Add, false, true) => Some(moved(b, a.as_range()?)),
        (BinaryOp::Sub, true, false) => Some(moved(a, b.as_range()?.negated())),
        _ => None,
    }
}

/// A pointer moved by a number of bytes.
fn moved(pointer: &Value, step: Interval) -> Value {
    let Some(atoms) = pointer.atoms() else { return Value::ANY };
    let moved = atoms.iter().map(|atom| match atom {
        Atom::Address(object, offset) => Some(Atom::Address(object.clone(), offset.plus(step))),
        _ if step == Interval::exactly(0) => Some(atom.clone()),
        _ => None,
    });
    moved.collect::<Option<Vec<_>>>().and_then(Value::from_atoms).unwrap_or(Value::ANY)
}

/// Whether two values are equal, if that is decided on every path.
fn equal(a: &Value, b: &Value) -> Option<bool> {
    let (Some(xs), Some(ys)) = (a.atoms(), b.atoms()) else { return None };
    let mut verdict = None;
    for x in xs {
        for y in ys {
            let here = equal_atoms(x, y)?;
            if verdict.is_some_and(|so_far| so_far != here) {
                return None;
            }
            verdict = Some(here);
        }
    }
    verdict
}

/// Whether two alternatives are equal, if that is decided.
pub(super) fn equal_atoms(a: &Atom, b: &Atom) -> Option<bool> {
    let is_zero = |range: &Interval| range.single() == Some(0);
    match (a, b) {
        (Atom::Int(x), Atom::Int(y)) => match (x.single(), y.single()) {
            (Some(m), Some(n)) => Some(m == n),
            _ => x.meet(*y).is_none().then_some(false),
        },
        (Atom::Constant(x), Atom::Constant(y)) => {
            if x == y {
                return Some(true);
            }
            let (x, y) = (frontend::mpi::constant(x)?, frontend::mpi::constant(y)?);
            let is_null = |c: &Constant| matches!(c.kind, ConstantKind::Null(_));
            let is_special_rank = |c: &Constant| {
                [Plain::AnySource, Plain::ProcNull, Plain::Root].iter().any(|&kind| c.is(kind))
            };
            // Two names of one datatype may be equal (MPI_LONG_LONG and MPI_LONG_LONG_INT), these may not.
            let differ = (is_null(x) || is_null(y)) && x.object() == y.object()
                || x.is(Plain::Communicator) && y.is(Plain::Communicator)
                || is_special_rank(x) && is_special_rank(y);
            differ.then_some(false)
        }
        (Atom::Address(o, x), Atom::Address(p, y)) if o == p => match (x.single(), y.single()) {
            (Some(m), Some(n)) => Some(m == n),
            _ => None,
        },
        (Atom::Address(..) | Atom::Function(_), Atom::Int(n))
        | (Atom::Int(n), Atom::Address(..) | Atom::Function(_)) => is_zero(n).then_some(false),
        (Atom::Made(..), Atom::Constant(name)) | (Atom::Constant(name), Atom::Made(..)) => {
            let is_null =
                frontend::mpi::constant(name).is_some_and(|c| matches!(c.kind, ConstantKind::Null(_)));
            is_null.then_some(false)
        }
        _ => None,
    }
}
