//! The values of expressions.

use frontend::ir::{
    BinaryOp, Expr, ExprKind, PlaceBase, Projection, Record, RecordKind, Span, Type, TypeId, UnaryOp,
};

use crate::assemble::special;
use crate::assumption::Assumption;
use crate::error::Result;
use crate::extract::{Extractor, Frame};
use crate::form::{Atom, Bound, Form};
use crate::memory::{Object, Place, Step, Value};
use crate::region::{Condition, Region, Said};
use crate::state::State;

/// Quotients that a division by something that is no number may have.
const QUOTIENTS: std::ops::RangeInclusive<i64> = -1..=3;

/// A quotient, its remainder, and where they are those.
type Case = (i64, Form, Vec<Bound>);

/// Whether a member has bytes of its own, and all of them.
fn is_plain(record: &Record, field: u32) -> bool {
    let fields = record.fields.as_deref().unwrap_or_default();
    record.kind == RecordKind::Struct && fields.get(field as usize).is_some_and(|field| field.bits.is_none())
}

/// The same for all, if both are.
fn worst(a: &Value, b: &Value, rank: impl Fn(&Value) -> bool) -> Value {
    if rank(a) && rank(b) { Value::Same(0) } else { Value::Open }
}

impl Extractor<'_> {
    /// Whether a value is the same for all processes that are in the same round.
    pub(crate) fn is_same(&self, value: &Value) -> bool {
        match value {
            Value::Same(_) | Value::Communicator { .. } | Value::NoCommunicator | Value::World => true,
            Value::Open
            | Value::Datatype(_)
            | Value::Probed(_)
            | Value::Matched(_)
            | Value::Sender(_)
            | Value::Group(_)
            | Value::Elements(_) => false,
            Value::Number(_) | Value::Address(_) | Value::Real(_) => {
                value.coordinates().iter().all(|at| self.counts(*at))
            }
        }
    }

    pub(crate) fn evaluate(&mut self, frame: &Frame, state: &mut State, expr: &Expr) -> Result<Value> {
        let value = match &expr.kind {
            ExprKind::Int(value) => match self.program.units[frame.unit()].types.get(expr.ty) {
                Type::Array(..) | Type::Record(_) => Value::Same(0),
                _ => i64::try_from(*value).map_or(Value::Same(0), |value| Value::Number(Form::number(value))),
            },
            ExprKind::Constant { name, .. } if name.as_ref() == "MPI_UNDEFINED" => {
                self.names_undefined = true;
                Value::Number(Form::number(special("MPI_UNDEFINED")))
            }
            ExprKind::Constant { name, value } => match name.as_ref() {
                "MPI_COMM_NULL" => Value::NoCommunicator,
                "MPI_COMM_WORLD" if self.part.is_some() => Value::World,
                "MPI_COMM_WORLD" => Value::Communicator { number: 0, colour: None, grid: None },
                _ => match value.and_then(|value| i64::try_from(value).ok()) {
                    Some(value) => Value::Number(Form::number(value)),
                    None => Value::Same(0),
                },
            },
            ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::FunctionAddress(_) => {
                self.new_value(true, false)
            }
            ExprKind::Sizeof(_) => self.new_value(true, false),
            ExprKind::SizeofVla(_) => Value::Same(0),
            ExprKind::Unknown(_) => Value::Open,
            ExprKind::Load(place) => match self.place(frame, state, place)? {
                Ok(of) => self.load(frame, state, &of, place.ty)?,
                Err(Value::Number(_)) => return self.nothing_there(frame, place.span, Value::Open),
                Err(pointer) => {
                    if matches!(pointer, Value::Same(_)) {
                        pointer
                    } else {
                        Value::Open
                    }
                }
            },
            ExprKind::AddressOf(place) => match self.place(frame, state, place)? {
                Ok(of) => Value::Address(of),
                Err(Value::Number(_)) => Value::Open,
                Err(pointer) => pointer,
            },
            ExprKind::Cast(inner) => {
                let value = self.evaluate(frame, state, inner)?;
                return self.converted(frame, state, value, inner.ty, expr.ty);
            }
            ExprKind::Unary(op, inner) => {
                let value = self.evaluate(frame, state, inner)?;
                match (op, &value) {
                    (UnaryOp::Neg | UnaryOp::BitNot, Value::Number(form)) => {
                        let less = Form::number(i64::from(*op == UnaryOp::BitNot));
                        match form.times(-1).and_then(|form| form.plus(&less, -1)) {
                            Some(form) => return self.fitted(frame, state, form, expr.ty),
                            None => Value::Open,
                        }
                    }
                    (UnaryOp::Not, _) => return self.truth(frame, state, expr),
                    _ => self.unknown(&[&value]),
                }
            }
            ExprKind::Binary(op, ..) if op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or) => {
                return self.truth(frame, state, expr);
            }
            ExprKind::Binary(op, left, right) => {
                if *op == BinaryOp::Rem
                    && let Some(remainder) = self.remainder_of_product(frame, state, (left, right))?
                {
                    return Ok(Value::Number(remainder));
                }
                if self.is_unsigned(frame, expr.ty)
                    && let Some(form) = self.before_wrapping(frame, state, expr)?
                {
                    return self.fitted(frame, state, form, expr.ty);
                }
                let (a, mut b) = (self.evaluate(frame, state, left)?, self.evaluate(frame, state, right)?);
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                    let types = &self.program.units[frame.unit()].types;
                    if matches!(types.get(right.ty), Type::Int(_))
                        && let Some(parameter) = self.as_parameter(state, &b, right.span)
                    {
                        b = parameter;
                    }
                    self.check_divisor(frame, state, &b, right)?;
                }
                if matches!(self.program.units[frame.unit()].types.get(expr.ty), Type::Float(_)) {
                    let real = self.real_binary(*op, (&a, &b), (left, right));
                    return Ok(real.unwrap_or_else(|| self.unknown(&[&a, &b])));
                }
                let value = self.binary(frame, state, *op, (&a, &b), expr.ty)?;
                self.name_derived(frame, expr, &value);
                return Ok(value);
            }
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.condition(frame, state, condition)?;
                let yes = self.guarded(state, &condition, |this, state| this.evaluate(frame, state, yes))?;
                let no =
                    self.guarded(state, &condition.negated(), |this, state| this.evaluate(frame, state, no))?;
                if let (None, Value::Number(a), Value::Number(b), false) =
                    (condition.unknown(), &yes, &no, yes == no)
                {
                    let mut ways = Vec::new();
                    for (condition, form) in [(condition.clone(), a), (condition.negated(), b)] {
                        ways.push((state.region.meet(&condition, &self.parameters)?, form.clone()));
                    }
                    let are_possible = !ways[0].0.is_empty()? && !ways[1].0.is_empty()?;
                    if are_possible && let Some(chosen) = self.one_of_at(expr.span, &ways)? {
                        return Ok(Value::Number(chosen));
                    }
                }
                return self.either(state, &condition, &yes, &no);
            }
        };
        Ok(value)
    }

    /// Evaluates something where a condition holds, and nowhere else.
    fn guarded<T>(
        &mut self,
        state: &mut State,
        condition: &Condition,
        evaluate: impl Fn(&mut Self, &mut State) -> Result<T>,
    ) -> Result<T> {
        let (whole, missed) = (state.region.clone(), self.missed);
        self.guards.push(condition.clone());
        let value = evaluate(self, state);
        self.guards.pop();
        if self.missed == missed || value.is_err() {
            return value;
        }
        // What is divided by is positive where the condition holds: so only that is looked at.
        let inside = whole.meet(condition, &self.parameters)?;
        let mut outside = whole.within(whole.set.subtract(&inside.set)?);
        if outside.is_empty()? {
            return value;
        }
        state.region = inside;
        let value = evaluate(self, state)?;
        let known = &whole.coordinates;
        let more = state.region.coordinates.iter().copied().filter(|at| !known.contains(at));
        let more: Vec<u32> = more.collect();
        if more.is_empty() {
            state.region = whole;
            return Ok(value);
        }
        for &at in &more {
            let zero = Bound::zero(Form::atom(Atom::Coordinate(at)));
            outside = outside.extended(at, &[vec![zero]], &self.parameters)?;
        }
        state.region = state.region.projected(&outside.coordinates)?.union(&outside)?;
        Ok(value)
    }

    /// Gives up where a number may be divided by zero: that ends the process. Of a divisor that is not known it is assumed that it is not
    /// zero.
    fn check_divisor(&mut self, frame: &Frame, state: &State, divisor: &Value, expr: &Expr) -> Result<()> {
        let types = &self.program.units[frame.unit()].types;
        if !self.is_recording || !matches!(types.get(expr.ty), Type::Int(_) | Type::Enum(..)) {
            return Ok(());
        }
        if let Value::Number(form) = divisor {
            let zero = state.region.linear(&Bound::zero(form.clone()), &self.parameters)?;
            let mut region = state.region.meet(&zero.unwrap_or(Condition::Open), &self.parameters)?;
            for guard in &self.guards {
                region = region.meet(guard, &self.parameters)?;
            }
            if region.is_empty()? {
                return Ok(());
            }
            if form.coordinates().next().is_some() || form.as_number().is_some() {
                return self.give_up(frame, expr.span, "something may be divided by zero here");
            }
        }
        self.assume(Assumption::NotZero(frame.function, expr.span));
        Ok(())
    }

    /// What is behind a pointer that is a number. `instead` where a loop is only tried.
    pub(crate) fn nothing_there<T>(&self, frame: &Frame, span: Span, instead: T) -> Result<T> {
        if self.is_recording {
            self.give_up(frame, span, "a pointer to nothing is followed here")
        } else {
            Ok(instead)
        }
    }

    /// One value or the other one.
    pub(crate) fn either(
        &mut self,
        state: &mut State,
        condition: &Condition,
        yes: &Value,
        no: &Value,
    ) -> Result<Value> {
        match (condition, yes, no) {
            (Condition::Holds(true), ..) => return Ok(yes.clone()),
            (Condition::Holds(false), ..) => return Ok(no.clone()),
            _ if yes == no => return Ok(yes.clone()),
            _ => {}
        }
        match (condition.unknown(), yes, no) {
            (None, Value::Number(yes), Value::Number(no)) => {
                let cases = [(condition.clone(), yes), (condition.negated(), no)].map(|(condition, form)| {
                    let part = state.region.meet(&condition, &self.parameters)?;
                    Ok((part, form.clone()))
                });
                let cases = cases.into_iter().collect::<Result<Vec<_>>>()?;
                Ok(match self.in_cases(&state.region.coordinates, &cases)? {
                    Some((region, value)) => {
                        state.region = region;
                        Value::Number(value)
                    }
                    None => Value::Open,
                })
            }
            (Some(false), ..) => Ok(worst(yes, no, |value| self.is_same(value))),
            _ => Ok(Value::Open),
        }
    }

    /// 1 where a condition holds, else 0.
    fn truth(&mut self, frame: &Frame, state: &mut State, expr: &Expr) -> Result<Value> {
        let condition = self.condition(frame, state, expr)?;
        match condition.unknown() {
            Some(true) => Ok(Value::Open),
            Some(false) => Ok(Value::Same(0)),
            None => {
                let [yes, no] = [1, 0].map(|number| Value::Number(Form::number(number)));
                self.either(state, &condition, &yes, &no)
            }
        }
    }

    /// What an expression says as a condition.
    pub(crate) fn condition(&mut self, frame: &Frame, state: &mut State, expr: &Expr) -> Result<Condition> {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => Ok(self.condition(frame, state, inner)?.negated()),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let left = self.condition(frame, state, left)?;
                let right = self.guarded(state, &left, |this, state| this.condition(frame, state, right))?;
                Ok(Condition::All(vec![left, right]))
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                let left = self.condition(frame, state, left)?;
                let right =
                    self.guarded(state, &left.negated(), |this, state| this.condition(frame, state, right))?;
                Ok(Condition::Any(vec![left, right]))
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                if let Some(condition) = self.compared_unsigned(frame, state, *op, (left, right))? {
                    return Ok(condition);
                }
                let (a, b) = (self.evaluate(frame, state, left)?, self.evaluate(frame, state, right)?);
                let (Value::Number(a), Value::Number(b)) = (&a, &b) else {
                    let is_equal = match (&a, &b) {
                        (Value::Communicator { number: x, .. }, Value::Communicator { number: y, .. }) => {
                            Some(Condition::Holds(x == y))
                        }
                        (Value::Communicator { colour, .. }, Value::NoCommunicator)
                        | (Value::NoCommunicator, Value::Communicator { colour, .. }) => {
                            Some(self.is_nobody(colour.as_ref()))
                        }
                        (Value::NoCommunicator, Value::NoCommunicator) => Some(Condition::Holds(true)),
                        (Value::World, Value::NoCommunicator) | (Value::NoCommunicator, Value::World) => {
                            Some(Condition::Holds(false))
                        }
                        _ => None,
                    };
                    match (op, is_equal) {
                        (BinaryOp::Eq, Some(is_equal)) => return Ok(is_equal),
                        (BinaryOp::Ne, Some(is_equal)) => return Ok(is_equal.negated()),
                        _ => {}
                    }
                    return Ok(self.not_known(&[&a, &b]));
                };
                let powers = self.compared_as_powers(a, b);
                for form in powers.iter().flat_map(|(a, b)| [a, b]) {
                    state.region = self.with_facts_of(&state.region, form)?;
                }
                let (a, b) = powers.as_ref().map_or((a, b), |(a, b)| (a, b));
                let bound = match op {
                    BinaryOp::Lt => Bound::below(a, b),
                    BinaryOp::Le => Bound::at_most(a, b),
                    BinaryOp::Gt => Bound::below(b, a),
                    BinaryOp::Ge => Bound::at_most(b, a),
                    _ => Bound::equal(a, b),
                };
                let linear = match &bound {
                    Some(bound) => match state.region.linear(bound, &self.parameters)? {
                        None => self.linear_with_digits(state, bound)?,
                        linear => linear,
                    },
                    None => None,
                };
                let Some(holds) = linear else {
                    self.note_counters(a, b);
                    let numbers = [a, b].map(|form| Value::Number(form.clone()));
                    return Ok(match self.not_known(&numbers.each_ref()) {
                        Condition::Same(said) if *op != BinaryOp::Ne => {
                            Condition::Same(Said { bound, ..said })
                        }
                        open => open,
                    });
                };
                Ok(if *op == BinaryOp::Ne { holds.negated() } else { holds })
            }
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.condition(frame, state, condition)?;
                let yes = self.guarded(state, &condition, |this, state| this.condition(frame, state, yes))?;
                let no = self
                    .guarded(state, &condition.negated(), |this, state| this.condition(frame, state, no))?;
                Ok(Condition::Any(vec![
                    Condition::All(vec![condition.clone(), yes]),
                    Condition::All(vec![condition.negated(), no]),
                ]))
            }
            _ => match self.evaluate(frame, state, expr)? {
                Value::Number(form) => {
                    let zero = state.region.linear(&Bound::zero(form.clone()), &self.parameters)?;
                    Ok(zero.map_or_else(|| self.not_known(&[&Value::Number(form)]), |zero| zero.negated()))
                }
                Value::Address(_) => Ok(Condition::Holds(true)),
                value => Ok(self.not_known(&[&value])),
            },
        }
    }

    /// Where a communicator is `MPI_COMM_NULL`.
    fn is_nobody(&self, colour: Option<&Form>) -> Condition {
        let undefined = frontend::mpi::constant("MPI_UNDEFINED").and_then(|constant| constant.value);
        match colour {
            Some(colour) => Condition::is(Bound::equal(colour, &Form::number(undefined.unwrap_or(i64::MIN)))),
            None => Condition::Holds(false),
        }
    }

    fn not_known(&mut self, of: &[&Value]) -> Condition {
        match self.unknown(of) {
            Value::Same(number) => {
                let is_repeated = self.repeated.contains(&(number, self.counters.last().copied()));
                Condition::Same(Said { bound: None, is_repeated })
            }
            _ => Condition::Open,
        }
    }

    fn binary(
        &mut self,
        frame: &Frame,
        state: &mut State,
        op: BinaryOp,
        (a, b): (&Value, &Value),
        ty: TypeId,
    ) -> Result<Value> {
        let open = self.unknown(&[a, b]);
        let result = match (a, b) {
            (Value::Address(place), Value::Number(by)) => {
                let by = if op == BinaryOp::Sub { by.times(-1) } else { Some(by.clone()) };
                return Ok(by.and_then(|by| place.moved(&by)).map_or(Value::Open, Value::Address));
            }
            // Memory of a process, at a place that is not known.
            (Value::Address(_), _) | (_, Value::Address(_)) => return Ok(Value::Open),
            (Value::Number(a), Value::Number(b)) => match op {
                BinaryOp::Add => a.plus(b, 1),
                BinaryOp::Sub => a.plus(b, -1),
                BinaryOp::Mul => match self.product(a, b) {
                    Some(product) => Some(product),
                    None => self.derived_product(state, a, b)?,
                },
                BinaryOp::Div | BinaryOp::Rem => {
                    let (quotient, remainder) = self.divided(state, a, b)?;
                    if op == BinaryOp::Div { quotient } else { remainder }
                }
                BinaryOp::Shl => match b.as_number() {
                    Some(by @ 0..=40) => a.times(1 << by),
                    Some(_) => None,
                    None => self.power_of_two(b).and_then(|power| a.product(&power)),
                },
                BinaryOp::Shr => match b.as_number() {
                    None => match self.power_of_two(b) {
                        Some(power)
                            if state
                                .region
                                .implies(Some(Bound::not_negative(a.clone())), &self.parameters)? =>
                        {
                            self.divided(state, a, &power)?.0
                        }
                        _ => None,
                    },
                    Some(by @ 0..=40)
                        if state
                            .region
                            .implies(Some(Bound::not_negative(a.clone())), &self.parameters)? =>
                    {
                        self.divided(state, a, &Form::number(1 << by))?.0
                    }
                    _ => None,
                },
                BinaryOp::BitAnd => match (a.as_number(), b.as_number()) {
                    (Some(a), Some(b)) => Some(Form::number(a & b)),
                    // The lowest bits.
                    (_, Some(mask)) if mask > 0 && mask < i64::from(i32::MAX) && (mask & (mask + 1)) == 0 => {
                        let is_positive = Some(Bound::not_negative(a.clone()));
                        if state.region.implies(is_positive, &self.parameters)? {
                            self.divided(state, a, &Form::number(mask + 1))?.1
                        } else {
                            self.wrapped(state, a, (0, mask + 1))?
                        }
                    }
                    _ => self.with_bit(state, op, (a, b))?,
                },
                BinaryOp::BitOr | BinaryOp::BitXor => match (a.as_number(), b.as_number()) {
                    (Some(a), Some(b)) => {
                        Some(Form::number(if op == BinaryOp::BitOr { a | b } else { a ^ b }))
                    }
                    _ => self.with_bit(state, op, (a, b))?,
                },
                _ => None,
            },
            _ => None,
        };
        match result {
            Some(form) => self.fitted(frame, state, form, ty),
            None => Ok(open),
        }
    }

    /// The quotient and the remainder, as C has them.
    pub(crate) fn divided(
        &mut self,
        state: &mut State,
        a: &Form,
        b: &Form,
    ) -> Result<(Option<Form>, Option<Form>)> {
        let first = self.next_coordinate;
        let divided = self.quotient(state, a, b)?;
        // What is the same for all is so divided by what is.
        if a.coordinates().chain(b.coordinates()).all(|at| self.counts(at)) {
            self.uniform.extend(first..self.next_coordinate);
        }
        Ok(divided)
    }

    fn quotient(&mut self, state: &mut State, a: &Form, b: &Form) -> Result<(Option<Form>, Option<Form>)> {
        let (zero, one) = (Form::default(), Form::number(1));
        if let (Some(a), Some(b)) = (a.as_number(), b.as_number()) {
            let numbers = [a.checked_div(b), a.checked_rem(b)];
            let [quotient, remainder] = numbers.map(|number| number.map(Form::number));
            return Ok((quotient, remainder));
        }
        if !state.region.implies(Bound::at_most(&one, b), &self.parameters)? {
            self.missed += 1;
            self.want(b);
            return Ok((None, None));
        }
        if let Some(number) = b.as_number() {
            if !a.is_linear() {
                let is_positive =
                    state.region.implies(Some(Bound::not_negative(a.clone())), &self.parameters)?;
                let divided = match is_positive {
                    true => self.divided_by_number(&state.region, a, number)?,
                    false => None,
                };
                return Ok(match divided {
                    Some((region, quotient, rest)) => {
                        state.region = region;
                        (Some(quotient), Some(rest))
                    }
                    None => (None, None),
                });
            }
            if !state.region.implies(Some(Bound::not_negative(a.clone())), &self.parameters)? {
                return Ok((None, None));
            }
            let at = self.new_coordinate();
            let quotient = Form::atom(Atom::Coordinate(at));
            let Some(rest) = a.plus(&quotient, -number) else { return Ok((None, None)) };
            let bounds: Vec<Bound> = [Some(Bound::not_negative(rest.clone())), Bound::below(&rest, b)]
                .into_iter()
                .flatten()
                .collect();
            state.region = state.region.extended(at, &[bounds], &self.parameters)?;
            return Ok((Some(quotient), Some(rest)));
        }
        // So often a width of digits.
        if let Some((times, width)) = b.multiple_of_atom().filter(|(times, _)| *times > 1) {
            let width = Form::atom(width);
            if width.is_product_of(&self.parameters.widths) {
                let (Some(above), Some(below)) = self.quotient(state, a, &width)? else {
                    return Ok((None, None));
                };
                let (quotient, Some(times)) = self.quotient(state, &above, &Form::number(times))? else {
                    return Ok((None, None));
                };
                let rest = times.multiplied(&width).and_then(|part| part.plus(&below, 1));
                return Ok((quotient, rest));
            }
        }
        // A part of it is a multiple.
        let whole_of = a.clone();
        let (multiple, a) = match self.multiple(a, b) {
            Some((multiple, rest))
                if state.region.implies(Some(Bound::not_negative(a.clone())), &self.parameters)? =>
            {
                (multiple, rest)
            }
            _ => (Form::default(), a.clone()),
        };
        let whole = |quotient: &Form| multiple.plus(quotient, 1);
        // One of a few quotients.
        let mut cases: Vec<Case> = Vec::new();
        for quotient in QUOTIENTS {
            let Some(rest) = a.plus(b, -quotient) else { return Ok((None, None)) };
            let bounds: Vec<Option<Bound>> = if quotient >= 0 || multiple != zero {
                vec![Some(Bound::not_negative(rest.clone())), Bound::below(&rest, b)]
            } else {
                let negative = b.times(-1);
                vec![
                    Bound::at_most(&rest, &zero),
                    negative.and_then(|least| Bound::below(&least, &rest)),
                    Bound::below(&a, &zero),
                ]
            };
            cases.push((quotient, rest, bounds.into_iter().flatten().collect()));
        }
        if multiple == zero {
            let negative = b.times(-1);
            let small = [Bound::below(&a, &zero), negative.and_then(|least| Bound::below(&least, &a))];
            cases.push((0, a.clone(), small.into_iter().flatten().collect()));
        }
        let mut left = state.region.clone();
        let mut used: Vec<(Case, Region)> = Vec::new();
        for case in cases {
            let Some(part) = state.region.where_linear(&case.2, &self.parameters)? else { break };
            if !part.is_empty()? {
                left.set = left.set.subtract(&part.set)?;
                used.push((case, part));
            }
        }
        if !left.is_empty()? {
            self.want(b);
            // Rounds are counted with digits where they are divided by a width.
            if b.is_product_of(&self.parameters.widths) {
                let counters = self.counters.iter().filter(|at| whole_of.factor(Atom::Coordinate(**at)) != 0);
                self.unclear.extend(counters);
            }
            let derived = self.derived_quotient(state, &whole_of, b)?;
            return Ok(derived.map_or((None, None), |(quotient, rest)| (Some(quotient), Some(rest))));
        }
        if let [((quotient, rest, _), _)] = used.as_slice() {
            return Ok((whole(&Form::number(*quotient)), Some(rest.clone())));
        }
        if used.is_empty() {
            return Ok((None, None));
        }
        let quotient_at = self.new_coordinate();
        let mut cases = Vec::new();
        for ((quotient, rest, _), part) in used {
            let part = part.defined(&[quotient_at], &Form::number(quotient), &self.parameters)?;
            let Some(part) = part else { return Ok((None, None)) };
            cases.push((part, rest));
        }
        let coordinates = [&state.region.coordinates[..], &[quotient_at]].concat();
        let Some((region, rest)) = self.in_cases(&coordinates, &cases)? else { return Ok((None, None)) };
        state.region = region;
        Ok((whole(&Form::atom(Atom::Coordinate(quotient_at))), Some(rest)))
    }

    /// The object that a place is a part of, or the value of the pointer that it goes through.
    pub(crate) fn place(
        &mut self,
        frame: &Frame,
        state: &mut State,
        place: &frontend::ir::Place,
    ) -> Result<std::result::Result<Place, Value>> {
        let mut found = match &place.base {
            PlaceBase::Local(local) => Place::of(self.local(frame, *local)),
            PlaceBase::Global(global) => {
                let (unit, global) = self.program.resolve_global(frame.unit(), *global);
                Place::of(Object::Global(unit, global))
            }
            PlaceBase::Deref(pointer) => match self.evaluate(frame, state, pointer)? {
                Value::Address(place) => place,
                pointer => {
                    // Wherever it points to; what it was read from is something else.
                    self.last_object = None;
                    return Ok(Err(match pointer {
                        Value::Same(_) => self.behind(frame, state, &pointer, &place.projections)?,
                        Value::Number(_) => pointer,
                        _ => Value::Open,
                    }));
                }
            },
        };
        let types = &self.program.units[frame.unit()].types;
        // Memory on the heap that is seen as other structures, too.
        if let (Object::Heap(heap), Some(Projection::Field(record, _)), 1) =
            (found.object, place.projections.first(), found.steps.len())
            && !self.is_element(heap, types.record(*record).size)
        {
            self.last_object = Some(found.object);
            return Ok(Err(Value::Open));
        }
        for step in &place.projections {
            match step {
                Projection::Field(record, field) if !is_plain(types.record(*record), *field) => {
                    self.last_object = Some(found.object);
                    return Ok(Err(Value::Open));
                }
                Projection::Field(_, field) => found = found.with(Step::Field(*field)),
                Projection::Index(index) => match self.evaluate(frame, state, index)? {
                    Value::Number(form) => found = found.with(Step::At(form)),
                    _ => {
                        // What is there may differ, even if all look at the same place.
                        self.last_object = Some(found.object);
                        return Ok(Err(Value::Open));
                    }
                },
            }
        }
        Ok(Ok(found))
    }

    /// Whether a region has one value of a form, which depends on parameters alone.
    pub(crate) fn constant_of(&self, state: &State, form: &Form) -> Result<Option<i64>> {
        if !form.is_linear() || !form.coordinates().all(|at| state.region.coordinates.contains(&at)) {
            return Ok(None);
        }
        let Some(point) = state.region.set.sample()? else { return Ok(None) };
        let value: i64 = form
            .terms()
            .map(|(atom, factor)| {
                let value = match atom {
                    Atom::Parameter(at) => {
                        point.parameters.get(&self.parameters.names[at]).copied().unwrap_or(0)
                    }
                    Atom::Coordinate(at) => {
                        let place = state.region.coordinates.iter().position(|&c| c == at);
                        place.and_then(|place| point.instance.coordinates.get(place).copied()).unwrap_or(0)
                    }
                };
                value.saturating_mul(factor)
            })
            .fold(form.constant, i64::saturating_add);
        let is_it = state.region.implies(Bound::equal(form, &Form::number(value)), &self.parameters)?;
        Ok(is_it.then_some(value))
    }
}
