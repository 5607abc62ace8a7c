//! One process that goes through statements, with names for whatever it does not know.

use std::collections::BTreeMap;

use super::code::{Code, Expr, Identity, Kind, Operator, Stmt};
use super::messages::{Mail, Message, Request};
use super::term::{Cell, Op, Term, TermId, Terms};

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A value with its name, and the number that it is, where that is known.
    Data { number: Option<i64>, term: TermId },
    /// An address: a block and an element of it.
    Pointer(usize, i64),
    /// No address, or no request.
    Null,
    /// A request that is not complete.
    Request(usize),
}

/// Why a process does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// A message has not come yet.
    Waits,
    /// It is not known what would happen.
    Lost,
}

/// Where a statement leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    On,
    Out,
    Again,
}

/// Memory that is not as it was at the start.
pub(super) type Memory = BTreeMap<(usize, i64), Value>;

/// What all processes have in common.
pub(super) struct World<'c, 't> {
    pub(super) code: &'c Code<'t>,
    pub(super) np: i64,
    /// A number for each amount.
    pub(super) amounts: Vec<i64>,
    pub(super) terms: Terms,
    /// Steps that are left before all of it takes too long.
    pub(super) budget: usize,
}

/// A process at work.
pub(super) struct Process<'m> {
    pub(super) rank: usize,
    pub(super) memory: Memory,
    pub(super) mail: &'m mut Mail,
    /// Messages for this process, in the order in which each sender sent them.
    pub(super) inbox: &'m [Message],
    pub(super) taken: Vec<bool>,
    pub(super) requests: Vec<Request>,
    /// How many waits for any of several requests there have been.
    pub(super) waits: usize,
    pub(super) sent: Vec<Message>,
    /// Who is known to have come so far, a bit each.
    pub(super) heard: u64,
    /// Messages on the longest chain so far, and elements on the longest one.
    pub(super) time: [i64; 2],
}

impl World<'_, '_> {
    fn spend(&mut self) -> Result<(), Halt> {
        self.budget = self.budget.checked_sub(1).ok_or(Halt::Lost)?;
        Ok(())
    }

    pub(super) fn number(&mut self, number: i64) -> Value {
        Value::Data { number: Some(number), term: self.terms.of(Term::Number(number)) }
    }
}

/// The number that a value is.
pub(super) fn known(value: Value) -> Result<i64, Halt> {
    match value {
        Value::Data { number: Some(number), .. } => Ok(number),
        _ => Err(Halt::Lost),
    }
}

impl Process<'_> {
    pub(super) fn run(&mut self, world: &mut World<'_, '_>, statements: &[Stmt]) -> Result<Way, Halt> {
        for statement in statements {
            match self.step(world, statement)? {
                Way::On => {}
                way => return Ok(way),
            }
        }
        Ok(Way::On)
    }

    fn step(&mut self, world: &mut World<'_, '_>, statement: &Stmt) -> Result<Way, Halt> {
        world.spend()?;
        match statement {
            Stmt::Do(expression) => {
                self.value(world, expression)?;
            }
            Stmt::Declare(object) => {
                let own = world.code.objects[*object].own;
                self.memory.retain(|&(block, _), _| block != own);
            }
            Stmt::If { condition, then, otherwise } => {
                let holds = self.holds(world, condition)?;
                return self.run(world, if holds { then } else { otherwise });
            }
            Stmt::Loop { condition, update, body, first } => {
                let mut ask = *first;
                loop {
                    world.spend()?;
                    if ask
                        && let Some(condition) = condition
                        && !self.holds(world, condition)?
                    {
                        break;
                    }
                    ask = true;
                    if self.run(world, body)? == Way::Out {
                        break;
                    }
                    if let Some(update) = update {
                        self.value(world, update)?;
                    }
                }
            }
            Stmt::Block(all) => return self.run(world, all),
            Stmt::Break => return Ok(Way::Out),
            Stmt::Continue => return Ok(Way::Again),
        }
        Ok(Way::On)
    }

    fn holds(&mut self, world: &mut World<'_, '_>, condition: &Expr) -> Result<bool, Halt> {
        Ok(known(self.value(world, condition)?)? != 0)
    }

    /// The block and element that an address is.
    pub(super) fn address(
        &mut self,
        world: &mut World<'_, '_>,
        expression: &Expr,
    ) -> Result<(usize, i64), Halt> {
        match self.value(world, expression)? {
            Value::Pointer(block, index) => Ok((block, index)),
            _ => Err(Halt::Lost),
        }
    }

    pub(super) fn count(&mut self, world: &mut World<'_, '_>, expression: &Expr) -> Result<i64, Halt> {
        known(self.value(world, expression)?)
    }

    /// What a cell holds.
    pub(super) fn load(&mut self, world: &mut World<'_, '_>, place: (usize, i64)) -> Result<Value, Halt> {
        if let Some(&value) = self.memory.get(&place) {
            return Ok(value);
        }
        let (block, index) = place;
        let cell = Term::Initial(Cell { process: self.rank, block, index });
        let code = world.code;
        let block = code.blocks[block];
        let object = &code.objects[block.object];
        let unknown =
            |world: &mut World<'_, '_>| Value::Data { number: None, term: world.terms.of(cell.clone()) };
        if !block.is_variable {
            return Ok(unknown(world));
        }
        Ok(match object.kind {
            Kind::Pointer => Value::Pointer(object.behind.ok_or(Halt::Lost)?, 0),
            Kind::Request => Value::Null,
            Kind::Array | Kind::Status => unknown(world),
            Kind::Plain => {
                let rank = i64::try_from(self.rank).map_err(|_| Halt::Lost)?;
                let (number, term) = match (&object.identity, object.amount) {
                    (Some(Identity::Rank), _) => (rank, Term::Rank(self.rank)),
                    (Some(Identity::Size), _) => (world.np, Term::Size(self.rank)),
                    (Some(Identity::Number(number)), _) => (*number, cell),
                    (None, Some(amount)) => (world.amounts[amount], cell),
                    (None, None) => match &object.initial {
                        Some(initial) => return self.value(world, initial),
                        None => return Ok(unknown(world)),
                    },
                };
                Value::Data { number: Some(number), term: world.terms.of(term) }
            }
        })
    }

    pub(super) fn store(&mut self, place: (usize, i64), value: Value) {
        self.memory.insert(place, value);
    }

    pub(super) fn value(&mut self, world: &mut World<'_, '_>, expression: &Expr) -> Result<Value, Halt> {
        world.spend()?;
        Ok(match expression {
            Expr::Number(number) => world.number(*number),
            Expr::Amount(amount) => world.number(world.amounts[*amount]),
            Expr::Null => Value::Null,
            Expr::Address(block) | Expr::Allocate(block) => Value::Pointer(*block, 0),
            Expr::Offset { address, by, scale, forward } => {
                let (block, index) = self.address(world, address)?;
                let mut by = self.count(world, by)?;
                for length in scale {
                    by = by.checked_mul(self.count(world, length)?).ok_or(Halt::Lost)?;
                }
                let index = if *forward { index.checked_add(by) } else { index.checked_sub(by) };
                Value::Pointer(block, index.ok_or(Halt::Lost)?)
            }
            Expr::Load(address) => {
                let place = self.address(world, address)?;
                self.load(world, place)?
            }
            Expr::Binary(Operator::Any(op @ (Op::And | Op::Or)), a, b) => self.either(world, *op, a, b)?,
            Expr::Binary(operator, a, b) => {
                let (a, b) = (self.value(world, a)?, self.value(world, b)?);
                operate(world, *operator, a, b)?
            }
            Expr::Unary(operator, value) => {
                let value = self.value(world, value)?;
                let Value::Data { number, term } = value else { return Err(Halt::Lost) };
                match (operator, number) {
                    ('+', _) => value,
                    ('-', Some(number)) => number_of(world, number.checked_neg(), '-', term)?,
                    ('!', Some(number)) => number_of(world, Some(i64::from(number == 0)), '!', term)?,
                    ('~', Some(number)) => number_of(world, Some(!number), '~', term)?,
                    ('-', None) => {
                        Value::Data { number: None, term: world.terms.of(Term::Other("-", vec![term])) }
                    }
                    ('!', None) => {
                        Value::Data { number: None, term: world.terms.of(Term::Other("!", vec![term])) }
                    }
                    _ => return Err(Halt::Lost),
                }
            }
            Expr::Choice(parts) => {
                let [condition, a, b] = parts.as_ref();
                let chosen = if self.holds(world, condition)? { a } else { b };
                self.value(world, chosen)?
            }
            Expr::Store { address, operator, value } => {
                let place = self.address(world, address)?;
                let mut value = self.value(world, value)?;
                if let Some(operator) = operator {
                    let old = self.load(world, place)?;
                    value = operate(world, *operator, old, value)?;
                }
                self.store(place, value);
                value
            }
            Expr::Step { address, by, before } => {
                let place = self.address(world, address)?;
                let old = self.load(world, place)?;
                let one = world.number(*by);
                let new = operate(world, Operator::Any(Op::Sum), old, one)?;
                self.store(place, new);
                if *before { new } else { old }
            }
            Expr::Converted(value) => match self.value(world, value)? {
                // Another type may have another value.
                Value::Data { number: None, term } => {
                    Value::Data { number: None, term: world.terms.of(Term::Other("cast", vec![term])) }
                }
                value => value,
            },
            Expr::Copy { to, from, length } => {
                let (to, from) = (self.address(world, to)?, self.address(world, from)?);
                let length = self.count(world, length)?;
                let mut values = Vec::new();
                for k in 0..length {
                    world.spend()?;
                    values.push(self.load(world, (from.0, from.1 + k))?);
                }
                for (k, value) in (0..).zip(values) {
                    self.store((to.0, to.1 + k), value);
                }
                Value::Pointer(to.0, to.1)
            }
            Expr::Call(call) => {
                self.call(world, call)?;
                world.number(0)
            }
        })
    }

    /// `a && b`, `a || b`.
    fn either(&mut self, world: &mut World<'_, '_>, op: Op, a: &Expr, b: &Expr) -> Result<Value, Halt> {
        let first = self.value(world, a)?;
        let Value::Data { number, .. } = first else { return Err(Halt::Lost) };
        let decided = i64::from(op == Op::Or);
        if number.is_some_and(|number| i64::from(number != 0) == decided) {
            return Ok(world.number(decided));
        }
        let second = self.value(world, b)?;
        operate(world, Operator::Any(op), first, second)
    }
}

fn number_of(
    world: &mut World<'_, '_>,
    number: Option<i64>,
    what: char,
    term: TermId,
) -> Result<Value, Halt> {
    let number = number.ok_or(Halt::Lost)?;
    if matches!(world.terms.get(term), Term::Number(_)) {
        return Ok(world.number(number));
    }
    let name = match what {
        '-' => "-",
        '!' => "!",
        _ => "~",
    };
    Ok(Value::Data { number: Some(number), term: world.terms.of(Term::Other(name, vec![term])) })
}

/// An operation on two values.
fn operate(world: &mut World<'_, '_>, operator: Operator, a: Value, b: Value) -> Result<Value, Halt> {
    let (Value::Data { number: x, term: s }, Value::Data { number: y, term: t }) = (a, b) else {
        return on_addresses(world, operator, a, b);
    };
    let number = match x.zip(y) {
        Some((x, y)) => Some(calculate(operator, x, y).ok_or(Halt::Lost)?),
        None => None,
    };
    let is_written = |world: &World<'_, '_>, term| matches!(world.terms.get(term), Term::Number(_));
    if let Some(number) = number
        && is_written(world, s)
        && is_written(world, t)
    {
        return Ok(world.number(number));
    }
    let term = match operator {
        Operator::Any(op) => world.terms.combined(op, &[s, t]),
        _ => world.terms.of(Term::Other(operator.name(), vec![s, t])),
    };
    Ok(Value::Data { number, term })
}

fn on_addresses(world: &mut World<'_, '_>, operator: Operator, a: Value, b: Value) -> Result<Value, Halt> {
    Ok(match (operator, a, b) {
        (Operator::Any(Op::Sum), Value::Pointer(block, index), by)
        | (Operator::Any(Op::Sum), by, Value::Pointer(block, index)) => {
            Value::Pointer(block, index.checked_add(known(by)?).ok_or(Halt::Lost)?)
        }
        (Operator::Minus, Value::Pointer(block, index), Value::Data { .. }) => {
            Value::Pointer(block, index.checked_sub(known(b)?).ok_or(Halt::Lost)?)
        }
        (Operator::Equal | Operator::NotEqual, Value::Pointer(..), Value::Null)
        | (Operator::Equal | Operator::NotEqual, Value::Null, Value::Pointer(..)) => {
            world.number(i64::from(operator == Operator::NotEqual))
        }
        _ => return Err(Halt::Lost),
    })
}

fn calculate(operator: Operator, x: i64, y: i64) -> Option<i64> {
    let shift = || u32::try_from(y).ok().filter(|&y| y < 31);
    match operator {
        Operator::Any(op) => match op {
            Op::Sum => x.checked_add(y),
            Op::Product => x.checked_mul(y),
            Op::Largest => Some(x.max(y)),
            Op::Smallest => Some(x.min(y)),
            Op::BitAnd => Some(x & y),
            Op::BitOr => Some(x | y),
            Op::BitXor => Some(x ^ y),
            Op::And => Some(i64::from(x != 0 && y != 0)),
            Op::Or => Some(i64::from(x != 0 || y != 0)),
        },
        Operator::Minus => x.checked_sub(y),
        Operator::Divide => x.checked_div(y),
        Operator::Remainder => x.checked_rem(y),
        Operator::Left => x.checked_mul(1_i64.checked_shl(shift()?)?),
        Operator::Right => Some(x >> shift()?),
        Operator::Less => Some(i64::from(x < y)),
        Operator::LessOrEqual => Some(i64::from(x <= y)),
        Operator::Equal => Some(i64::from(x == y)),
        Operator::NotEqual => Some(i64::from(x != y)),
    }
}
