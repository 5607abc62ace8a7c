//! Processes and who of them goes on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::ast::Operator;
use crate::code::{Code, Executable, Instruction, Pointer, Value};
use crate::collectives::Communicator;
use crate::datatypes::Datatype;
use crate::outcome::{Ended, Failure, FailureKind, Joint, Order, Outcome, Place, Sent, Setting};
use crate::random::Random;
use crate::requests::{Pending, Request};
use crate::transport::{Message, Posted};

/// Instructions of a run after which it is stopped.
const MOST_STEPS: u64 = 3_000_000;
/// Cells of one allocation.
const MOST_CELLS: i64 = 1 << 20;
/// Calls within calls.
const MOST_FRAMES: usize = 200;
/// Questions in a row, by each process, that are answered with no while nothing else happens, after which nothing will.
const MOST_QUESTIONS: usize = 2000;

/// What comes of executing something.
pub(crate) type Result<T = ()> = std::result::Result<T, (FailureKind, String)>;

pub(crate) fn undefined<T>(text: &str) -> Result<T> {
    Err((FailureKind::Undefined, text.to_owned()))
}

pub(crate) fn argument<T>(text: &str) -> Result<T> {
    Err((FailureKind::Argument, text.to_owned()))
}

struct Frame {
    routine: usize,
    at: usize,
    /// Objects of the variables.
    slots: Vec<usize>,
    result: Option<Pointer>,
}

pub(crate) struct Process {
    frames: Vec<Frame>,
    /// `None` where the object's life has ended.
    memory: Vec<Option<Vec<Value>>>,
    /// Objects that can be used again.
    unused: Vec<usize>,
    /// Objects that the program asked for, and has not freed.
    allocated: BTreeSet<usize>,
    globals: Vec<usize>,
    pub(crate) requests: Vec<Request>,
    pub(crate) datatypes: Vec<Datatype>,
    /// Messages that a matched probe took out.
    pub(crate) probed: Vec<Option<Message>>,
    /// The call that it waits in.
    pub(crate) pending: Option<Pending>,
    /// Of the last call.
    pub(crate) line: u32,
    is_done: bool,
}

/// How far a process got.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It made a call and can go on.
    Call,
    /// It asked whether something has happened, and it has not.
    Question,
    Blocked,
    Done,
    Abort,
}

/// All processes and what is between them.
pub(crate) struct World<'e> {
    executable: &'e Executable,
    pub(crate) setting: Setting,
    pub(crate) random: Random,
    pub(crate) processes: Vec<Process>,
    pub(crate) communicators: Vec<Communicator>,
    /// Messages on their ways, by sender and receiver.
    pub(crate) ways: BTreeMap<(usize, usize), VecDeque<Message>>,
    /// Messages that have arrived before their receives, by receiver.
    pub(crate) arrived: Vec<Vec<Message>>,
    /// Receives that wait, by receiver.
    pub(crate) posted: Vec<Vec<Posted>>,
    pub(crate) messages: Vec<Sent>,
    pub(crate) collectives: Vec<Joint>,
    steps: u64,
}

/// Runs a program.
#[must_use]
pub fn run(executable: &Executable, setting: Setting) -> Outcome {
    let seed = match setting.order {
        Order::InTurn => 0,
        Order::Random(seed) => seed,
    };
    let mut world = World {
        executable,
        setting,
        random: Random::new(seed),
        processes: (0..setting.np).map(|_| Process::new(executable)).collect(),
        communicators: vec![Communicator::new((0..setting.np).collect())],
        ways: BTreeMap::new(),
        arrived: vec![Vec::new(); setting.np],
        posted: vec![Vec::new(); setting.np],
        messages: Vec::new(),
        collectives: Vec::new(),
        steps: 0,
    };
    let ended = match setting.order {
        Order::InTurn => world.in_turn(),
        Order::Random(_) => world.at_random(),
    };
    world.outcome(ended)
}

impl Process {
    fn new(executable: &Executable) -> Self {
        let mut process = Self {
            frames: Vec::new(),
            memory: Vec::new(),
            unused: Vec::new(),
            allocated: BTreeSet::new(),
            globals: Vec::new(),
            requests: Vec::new(),
            datatypes: Datatype::predefined(),
            probed: Vec::new(),
            pending: None,
            line: 0,
            is_done: false,
        };
        process.globals = executable.globals.iter().map(|cells| process.object(cells.clone())).collect();
        process.enter(executable, executable.main, &[], None);
        process
    }

    fn object(&mut self, cells: Vec<Value>) -> usize {
        match self.unused.pop() {
            Some(object) => {
                self.memory[object] = Some(cells);
                object
            }
            None => {
                self.memory.push(Some(cells));
                self.memory.len() - 1
            }
        }
    }

    fn enter(
        &mut self,
        executable: &Executable,
        routine: usize,
        arguments: &[Value],
        result: Option<Pointer>,
    ) {
        let cells = executable.routines[routine].slots.clone();
        let slots: Vec<usize> =
            cells.into_iter().map(|cells| self.object(vec![Value::Open; cells])).collect();
        for (slot, argument) in slots.iter().zip(arguments) {
            if let Some([first, ..]) = self.memory[*slot].as_deref_mut() {
                *first = *argument;
            }
        }
        self.frames.push(Frame { routine, at: 0, slots, result });
    }

    pub(crate) fn load(&self, pointer: Pointer) -> Result<Value> {
        match self.memory.get(pointer.object).and_then(Option::as_ref).and_then(|o| o.get(pointer.cell)) {
            Some(value) => Ok(*value),
            None => undefined("a read out of bounds"),
        }
    }

    pub(crate) fn store(&mut self, pointer: Pointer, value: Value) -> Result {
        let object = self.memory.get_mut(pointer.object).and_then(Option::as_mut);
        match object.and_then(|o| o.get_mut(pointer.cell)) {
            Some(cell) => {
                *cell = value;
                Ok(())
            }
            None => undefined("a write out of bounds"),
        }
    }

    /// A pointer so many cells further.
    pub(crate) fn further(pointer: Pointer, cells: i64) -> Result<Pointer> {
        let cell = i64::try_from(pointer.cell).unwrap_or(i64::MAX).saturating_add(cells);
        match usize::try_from(cell) {
            Ok(cell) => Ok(Pointer { cell, ..pointer }),
            Err(_) => undefined("a pointer before its object"),
        }
    }

    fn pointer(&self, code: &Code) -> Result<Pointer> {
        match self.value(code)? {
            Value::Pointer(pointer) => Ok(pointer),
            _ => undefined("an access through what is no pointer"),
        }
    }

    fn number(&self, code: &Code) -> Result<i64> {
        match self.value(code)? {
            Value::Int(number) => Ok(number),
            _ => undefined("a number that was not written"),
        }
    }

    fn value(&self, code: &Code) -> Result<Value> {
        let whole = |object: usize| Value::Pointer(Pointer { object, cell: 0 });
        Ok(match code {
            Code::Value(value) => *value,
            Code::Load(from) => self.load(self.pointer(from)?)?,
            Code::Local(slot) => {
                whole(self.frames.last().expect("a running process is in a function").slots[*slot])
            }
            Code::Global(index) => whole(self.globals[*index]),
            Code::Offset(base, cells) => {
                let base = self.pointer(base)?;
                Value::Pointer(Pointer { cell: base.cell + cells, ..base })
            }
            Code::Index(base, index, stride) => {
                let stride = i64::try_from(*stride).unwrap_or(i64::MAX);
                let cells = self.number(index)?.saturating_mul(stride);
                match self.value(base)? {
                    Value::Pointer(base) => Value::Pointer(Self::further(base, cells)?),
                    Value::Null if cells == 0 => Value::Null,
                    _ => return undefined("an element of what is no array"),
                }
            }
            Code::Not(of) => Value::Int(i64::from(!self.truth(of)?)),
            Code::Negative(of) => Value::Int(-self.number(of)?),
            Code::Choice(condition, then, other) => {
                self.value(if self.truth(condition)? { then } else { other })?
            }
            Code::Binary(operator, left, right) => self.binary(*operator, left, right)?,
        })
    }

    fn truth(&self, code: &Code) -> Result<bool> {
        match self.value(code)? {
            Value::Int(number) => Ok(number != 0),
            Value::Pointer(_) => Ok(true),
            Value::Null => Ok(false),
            _ => undefined("a condition on what was not written"),
        }
    }

    fn binary(&self, operator: Operator, left: &Code, right: &Code) -> Result<Value> {
        match operator {
            Operator::And => {
                return Ok(Value::Int(i64::from(self.truth(left)? && self.truth(right)?)));
            }
            Operator::Or => {
                return Ok(Value::Int(i64::from(self.truth(left)? || self.truth(right)?)));
            }
            _ => {}
        }
        let (a, b) = (self.number(left)?, self.number(right)?);
        let truth = |is: bool| Ok(Value::Int(i64::from(is)));
        let number = match operator {
            Operator::Add => a.checked_add(b),
            Operator::Subtract => a.checked_sub(b),
            Operator::Multiply => a.checked_mul(b),
            Operator::Divide => a.checked_div(b),
            Operator::Remainder => a.checked_rem(b),
            Operator::BitAnd => Some(a & b),
            Operator::BitOr => Some(a | b),
            Operator::BitXor => Some(a ^ b),
            Operator::ShiftLeft => u32::try_from(b).ok().filter(|b| *b < 31).and_then(|b| a.checked_shl(b)),
            Operator::ShiftRight => u32::try_from(b).ok().filter(|b| *b < 31).and_then(|b| a.checked_shr(b)),
            Operator::Less => return truth(a < b),
            Operator::LessEqual => return truth(a <= b),
            Operator::Greater => return truth(a > b),
            Operator::GreaterEqual => return truth(a >= b),
            Operator::Equal => return truth(a == b),
            Operator::NotEqual => return truth(a != b),
            Operator::And | Operator::Or => None,
        };
        match number.filter(|n| i32::try_from(*n).is_ok()) {
            Some(number) => Ok(Value::Int(number)),
            None => undefined("a number that an int cannot hold"),
        }
    }
}

impl World<'_> {
    fn in_turn(&mut self) -> Ended {
        let mut questions = 0;
        loop {
            let mut has_moved = false;
            let mut asks = false;
            for rank in 0..self.setting.np {
                loop {
                    match self.step(rank) {
                        Ok(Step::Call) => has_moved = true,
                        Ok(Step::Question) => {
                            asks = true;
                            break;
                        }
                        Ok(Step::Blocked | Step::Done) => break,
                        Ok(Step::Abort) => return Ended::Aborted,
                        Err(ended) => return ended,
                    }
                }
            }
            questions = if has_moved { 0 } else { questions + 1 };
            if !has_moved && (!asks || questions > MOST_QUESTIONS) {
                return self.end();
            }
        }
    }

    fn at_random(&mut self) -> Ended {
        let mut questions = 0;
        loop {
            let mut able: Vec<usize> = Vec::new();
            for rank in 0..self.setting.np {
                if !self.processes[rank].is_done && self.can_go_on(rank) {
                    able.push(rank);
                }
            }
            let ways: Vec<(usize, usize)> =
                self.ways.iter().filter(|(_, way)| !way.is_empty()).map(|(key, _)| *key).collect();
            let all = able.len() + ways.len();
            if all == 0 || questions > MOST_QUESTIONS * self.setting.np {
                return self.end();
            }
            let chosen = self.random.below(all);
            let result = match able.get(chosen) {
                Some(&rank) => self.step(rank),
                None => {
                    let (from, to) = ways[chosen - able.len()];
                    self.arrive(from, to).map(|()| Step::Call)
                }
            };
            match result {
                Ok(Step::Question) if ways.is_empty() => questions += 1,
                Ok(Step::Abort) => return Ended::Aborted,
                Ok(_) => questions = 0,
                Err(ended) => return ended,
            }
        }
    }

    fn end(&self) -> Ended {
        let waiting: Vec<Place> = self
            .processes
            .iter()
            .enumerate()
            .filter(|(_, process)| !process.is_done)
            .map(|(rank, process)| Place { rank, line: process.line })
            .collect();
        if waiting.is_empty() { Ended::Finished } else { Ended::Hang(waiting) }
    }

    /// The next message from one to the other arrives.
    fn arrive(&mut self, from: usize, to: usize) -> std::result::Result<(), Ended> {
        let message = self.ways.get_mut(&(from, to)).and_then(VecDeque::pop_front);
        match message {
            Some(message) => self.deliver(to, message).map_err(|error| self.failed(to, error)),
            None => Ok(()),
        }
    }

    fn failed(&self, rank: usize, (kind, text): (FailureKind, String)) -> Ended {
        let line = self.processes[rank].line;
        Ended::Failed(Failure { kind, at: Place { rank, line }, text })
    }

    /// Executes a process up to its next call of MPI, and that.
    fn step(&mut self, rank: usize) -> std::result::Result<Step, Ended> {
        if self.processes[rank].is_done {
            return Ok(Step::Done);
        }
        if self.processes[rank].pending.is_some() {
            if !self.can_go_on(rank) {
                return Ok(Step::Blocked);
            }
            return self.go_on(rank).map(|()| Step::Call).map_err(|error| self.failed(rank, error));
        }
        loop {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(Ended::TooLong);
            }
            match self.instruction(rank) {
                Ok(None) => {}
                Ok(Some(step)) => return Ok(step),
                Err(error) => return Err(self.failed(rank, error)),
            }
        }
    }

    fn instruction(&mut self, rank: usize) -> Result<Option<Step>> {
        let executable = self.executable;
        let process = &mut self.processes[rank];
        let frame = process.frames.last_mut().expect("a running process is in a function");
        let instruction = &executable.routines[frame.routine].code[frame.at];
        frame.at += 1;
        match instruction {
            Instruction::Store { to, value } => {
                let (to, value) = (process.pointer(to)?, process.value(value)?);
                process.store(to, value)?;
            }
            Instruction::Forget { slot } => {
                let object = frame.slots[*slot];
                if let Some(cells) = &mut process.memory[object] {
                    cells.fill(Value::Open);
                }
            }
            Instruction::Jump(to) => frame.at = *to,
            Instruction::JumpUnless(condition, to) => {
                if !process.truth(condition)? {
                    process.frames.last_mut().expect("it is in a function").at = *to;
                }
            }
            Instruction::Call { function, arguments, result } => {
                let arguments = arguments.iter().map(|a| process.value(a)).collect::<Result<Vec<_>>>()?;
                let result = result.as_ref().map(|r| process.pointer(r)).transpose()?;
                if process.frames.len() >= MOST_FRAMES {
                    return undefined("calls without end");
                }
                process.enter(executable, *function, &arguments, result);
            }
            Instruction::Return(value) => {
                let value = value.as_ref().map(|v| process.value(v)).transpose()?;
                let frame = process.frames.pop().expect("it is in a function");
                for object in frame.slots {
                    process.memory[object] = None;
                    process.unused.push(object);
                }
                if process.frames.is_empty() {
                    process.is_done = true;
                    return Ok(Some(Step::Done));
                }
                if let (Some(result), Some(value)) = (frame.result, value) {
                    process.store(result, value)?;
                }
            }
            Instruction::Allocate { to, cells, zeros } => {
                let (to, cells) = (process.pointer(to)?, process.number(cells)?);
                let Some(cells) = usize::try_from(cells).ok().filter(|_| cells < MOST_CELLS) else {
                    return undefined("an allocation of such a size");
                };
                let value = if *zeros { Value::Int(0) } else { Value::Open };
                let object = process.object(vec![value; cells]);
                process.allocated.insert(object);
                process.store(to, Value::Pointer(Pointer { object, cell: 0 }))?;
            }
            Instruction::Free(pointer) => match process.value(pointer)? {
                Value::Null => {}
                Value::Pointer(Pointer { object, cell: 0 }) if process.allocated.remove(&object) => {
                    process.memory[object] = None;
                }
                _ => return undefined("a free of what is not there"),
            },
            Instruction::Mpi { name, arguments, line } => {
                let arguments = arguments.iter().map(|a| process.value(a)).collect::<Result<Vec<_>>>()?;
                process.line = *line;
                return self.mpi(rank, name, &arguments, *line).map(Some);
            }
        }
        Ok(None)
    }

    fn outcome(self, ended: Ended) -> Outcome {
        let Self { mut messages, mut collectives, .. } = self;
        messages.sort();
        collectives.sort();
        let on_ways = self.ways.values().flatten();
        let mut unreceived: Vec<Place> = on_ways
            .chain(self.arrived.iter().flatten())
            .chain(self.processes.iter().flat_map(|p| p.probed.iter().flatten()))
            .map(|message| Place { rank: message.from, line: message.line })
            .collect();
        let mut unserved: Vec<Place> = Vec::new();
        for (rank, posted) in self.posted.iter().enumerate() {
            unserved.extend(posted.iter().map(|posted| Place { rank, line: posted.line }));
        }
        let mut unwaited: Vec<Place> = Vec::new();
        for (rank, process) in self.processes.iter().enumerate() {
            let open = process.requests.iter().filter(|request| request.is_unwaited());
            unwaited.extend(open.map(|request| Place { rank, line: request.line }));
        }
        unreceived.sort();
        unserved.sort();
        unwaited.sort();
        Outcome { ended, messages, collectives, unreceived, unserved, unwaited }
    }
}
