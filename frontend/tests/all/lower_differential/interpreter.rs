//! Runs the intermediate representation: flat memory, integers and doubles, a few library functions.
//!
//! Only for tests. It knows nothing of C, so that a program that prints the same here and when compiled was lowered with
//! the right order of evaluation, conversions and layout.

use std::collections::HashMap;

use frontend::ir::visit::{Part, walk_expr};
use frontend::ir::{
    BinaryOp, Callee, Expr, ExprKind, Function, GlobalId, Initializer, InstKind, IntKind, LocalId, Place,
    PlaceBase, Projection, Terminator, Type, TypeId, UnaryOp, Unit,
};

/// A value in a register.
#[derive(Clone, Copy, Debug)]
enum Value {
    Int(i128),
    Float(f64),
}

impl Value {
    fn int(self) -> i128 {
        match self {
            Value::Int(v) => v,
            Value::Float(v) => v as i128,
        }
    }

    fn float(self) -> f64 {
        match self {
            Value::Int(v) => v as f64,
            Value::Float(v) => v,
        }
    }

    fn truth(self) -> bool {
        match self {
            Value::Int(v) => v != 0,
            Value::Float(v) => v != 0.0,
        }
    }
}

/// Where an object or a part of one is.
struct Address {
    at: usize,
    bits: Option<(u32, u32)>,
    ty: TypeId,
}

struct Frame {
    locals: Vec<usize>,
    extra: Vec<Value>,
    next_extra: usize,
}

/// How a program ended.
pub(crate) struct Outcome {
    pub(crate) output: String,
    pub(crate) status: i32,
}

/// A program being run. A step that it cannot take is a panic: the tests only use what is supported.
pub(crate) struct Machine<'u> {
    unit: &'u Unit,
    memory: Vec<u8>,
    top: usize,
    globals: Vec<usize>,
    statics: HashMap<(usize, usize), usize>,
    statics_top: usize,
    strings: HashMap<Vec<u8>, usize>,
    strings_top: usize,
    heap_top: usize,
    output: String,
    exit: Option<i32>,
    fuel: u64,
}

const FUNCTIONS: i128 = 1 << 40;
// The regions of the memory, in megabytes: globals, stack, heap, static locals, strings.
const STACK: usize = 1 << 20;
const HEAP: usize = 4 << 20;
const STATICS: usize = 6 << 20;
const STRINGS: usize = 7 << 20;

/// Runs `main`.
pub(crate) fn run(unit: &Unit) -> Outcome {
    let mut machine = Machine {
        unit,
        memory: vec![0xcd; 1 << 23],
        top: STACK,
        globals: Vec::new(),
        statics: HashMap::new(),
        statics_top: STATICS,
        strings: HashMap::new(),
        strings_top: STRINGS,
        heap_top: HEAP,
        output: String::new(),
        exit: None,
        fuel: 20_000_000,
    };
    let mut at = 64_usize;
    for global in &unit.globals {
        let (size, align) = unit.types.size_align(global.ty).unwrap_or((64, 16));
        at = at.next_multiple_of(align as usize);
        machine.globals.push(at);
        machine.memory[at..at + size as usize].fill(0);
        at += size as usize;
    }
    assert!(at < STACK, "too many globals");
    for (index, global) in unit.globals.iter().enumerate() {
        if let Some(init) = &global.init {
            machine.initialise(machine.globals[index], global.ty, init);
        }
    }
    let main = unit.by_name["main"];
    // One argument: an empty name.
    let name = machine.string(b"");
    let argv = machine.allocate(16);
    machine.memory[argv..argv + 16].fill(0);
    machine.memory[argv..argv + 8].copy_from_slice(&name.to_le_bytes());
    let status = machine
        .call(main.0 as usize, &[Value::Int(1), Value::Int(argv as i128)])
        .map_or(0, |v| v.int() as i32);
    let status = machine.exit.unwrap_or(status) & 0xff;
    Outcome { output: machine.output, status }
}

impl<'u> Machine<'u> {
    fn size(&self, ty: TypeId) -> usize {
        self.unit.types.size(ty).unwrap_or_else(|| panic!("size of {:?}", self.unit.types.get(ty))) as usize
    }

    fn allocate(&mut self, size: usize) -> usize {
        let at = self.top.next_multiple_of(16);
        self.top = at + size.max(1);
        assert!(self.top < HEAP, "out of memory");
        at
    }

    fn initialise(&mut self, at: usize, ty: TypeId, init: &Initializer) {
        match init {
            Initializer::Scalar(e) => {
                let mut frame = Frame { locals: Vec::new(), extra: Vec::new(), next_extra: 0 };
                self.assign(&mut frame, None, Address { at, bits: None, ty }, e);
            }
            Initializer::Aggregate(items) => {
                for (index, item) in items {
                    match self.unit.types.get(ty).clone() {
                        Type::Array(element, _) => {
                            let size = self.size(element);
                            self.initialise(at + *index as usize * size, element, item);
                        }
                        Type::Record(id) => {
                            let field =
                                self.unit.types.record(id).fields.as_ref().unwrap()[*index as usize].clone();
                            match (field.bits, item) {
                                (Some(bits), Initializer::Scalar(e)) => {
                                    let mut frame =
                                        Frame { locals: Vec::new(), extra: Vec::new(), next_extra: 0 };
                                    let value = self.eval(&mut frame, None, e);
                                    let at = at + field.offset as usize;
                                    self.store(&Address { at, bits: Some(bits), ty: field.ty }, value);
                                }
                                _ => self.initialise(at + field.offset as usize, field.ty, item),
                            }
                        }
                        other => panic!("aggregate of {other:?}"),
                    }
                }
            }
            Initializer::Unknown => panic!("unknown initialiser"),
        }
    }

    fn string(&mut self, bytes: &[u8]) -> usize {
        if let Some(&at) = self.strings.get(bytes) {
            return at;
        }
        let at = self.strings_top;
        self.strings_top += bytes.len() + 1;
        self.memory[at..at + bytes.len()].copy_from_slice(bytes);
        self.memory[at + bytes.len()] = 0;
        self.strings.insert(bytes.to_vec(), at);
        at
    }

    fn call(&mut self, index: usize, args: &[Value]) -> Option<Value> {
        let function: &'u Function = &self.unit.functions[index];
        let saved_top = self.top;
        let mut frame = Frame { locals: Vec::new(), extra: Vec::new(), next_extra: 0 };
        for (number, local) in function.locals.iter().enumerate() {
            let at = if let Some(init) = &local.static_init {
                match self.statics.get(&(index, number)) {
                    Some(&at) => at,
                    None => {
                        let size = self.size(local.ty);
                        let at = self.statics_top.next_multiple_of(16);
                        self.statics_top = at + size;
                        self.memory[at..at + size].fill(0);
                        self.statics.insert((index, number), at);
                        if let Some(init) = init {
                            self.initialise(at, local.ty, init);
                        }
                        at
                    }
                }
            } else {
                let size = self.unit.types.size(local.ty).unwrap_or(64) as usize;
                self.allocate(size)
            };
            frame.locals.push(at);
        }
        for (number, value) in args.iter().enumerate() {
            if number < function.params as usize {
                let ty = function.locals[number].ty;
                if matches!(self.unit.types.get(ty), Type::Record(_)) {
                    let size = self.size(ty);
                    let from = value.int() as usize;
                    self.memory.copy_within(from..from + size, frame.locals[number]);
                } else {
                    self.store(&Address { at: frame.locals[number], bits: None, ty }, *value);
                }
            } else {
                frame.extra.push(*value);
            }
        }
        let result = self.body(function, &mut frame);
        self.top = saved_top;
        result
    }

    fn body(&mut self, function: &'u Function, frame: &mut Frame) -> Option<Value> {
        let cfg = function.body.as_ref().expect("a body");
        let mut block = cfg.entry;
        loop {
            for inst in &cfg.graph[block].insts {
                self.fuel = self.fuel.checked_sub(1).expect("endless program");
                match &inst.kind {
                    InstKind::Assign(place, value) => {
                        let to = self.address(frame, Some(function), place);
                        self.assign(frame, Some(function), to, value);
                    }
                    InstKind::Declare(id) => self.declare(frame, function, *id),
                    InstKind::Call { dest, callee, args } => {
                        let result = self.call_inst(frame, function, callee, args);
                        if self.exit.is_some() {
                            return None;
                        }
                        if let Some(dest) = dest {
                            let to = self.address(frame, Some(function), dest);
                            let value = result.expect("a result");
                            if matches!(self.unit.types.get(to.ty), Type::Record(_)) {
                                let from = value.int() as usize;
                                let size = self.size(to.ty);
                                self.memory.copy_within(from..from + size, to.at);
                            } else {
                                self.store(&to, value);
                            }
                        }
                    }
                    InstKind::Opaque { reason, .. } => panic!("opaque: {reason}"),
                }
            }
            self.fuel = self.fuel.checked_sub(1).expect("endless program");
            block = match &cfg.graph[block].terminator {
                Terminator::Goto(target) => *target,
                Terminator::Branch { condition, then, otherwise } => {
                    if self.eval(frame, Some(function), condition).truth() { *then } else { *otherwise }
                }
                Terminator::Switch { value, cases, default } => {
                    let value = self.eval(frame, Some(function), value).int();
                    cases
                        .iter()
                        .find(|(low, high, _)| (*low..=*high).contains(&value))
                        .map_or(*default, |c| c.2)
                }
                Terminator::Return(value, _) => {
                    return value.as_ref().map(|v| self.value_or_address(frame, Some(function), v));
                }
                other => panic!("{other:?}"),
            };
        }
    }

    /// A record as its address, anything else as its value.
    fn value_or_address(&mut self, frame: &mut Frame, function: Option<&Function>, e: &Expr) -> Value {
        match (&e.kind, self.unit.types.get(e.ty)) {
            (ExprKind::Load(place), Type::Record(_)) => {
                Value::Int(self.address(frame, function, place).at as i128)
            }
            _ => self.eval(frame, function, e),
        }
    }

    fn declare(&mut self, frame: &mut Frame, function: &Function, id: LocalId) {
        let local = function.local(id);
        if !local.vla.is_empty() {
            let size = self.vla_size(frame, function, id, 0);
            frame.locals[id.0 as usize] = self.allocate(size);
        }
    }

    /// Size of a variable-length array below its first `skip` dimensions.
    fn vla_size(&mut self, frame: &mut Frame, function: &Function, id: LocalId, skip: usize) -> usize {
        let local = function.local(id);
        let mut element = local.ty;
        while let Type::Array(inner, _) | Type::Pointer(inner) = self.unit.types.get(element) {
            element = *inner;
        }
        let mut size = self.size(element);
        for length in local.vla.iter().skip(skip) {
            size *= self.eval(frame, Some(function), length).int() as usize;
        }
        size
    }

    fn assign(&mut self, frame: &mut Frame, function: Option<&Function>, to: Address, value: &Expr) {
        match (&value.kind, self.unit.types.get(value.ty)) {
            (ExprKind::Int(0), Type::Array(..) | Type::Record(_)) => {
                let size = self.size(value.ty);
                self.memory[to.at..to.at + size].fill(0);
            }
            (ExprKind::Str(bytes), Type::Array(..)) => {
                let size = self.size(value.ty);
                self.memory[to.at..to.at + size].fill(0);
                let length = bytes.len().min(size);
                self.memory[to.at..to.at + length].copy_from_slice(&bytes[..length]);
            }
            (ExprKind::Load(from), Type::Record(_)) => {
                let from = self.address(frame, function, from).at;
                let size = self.size(value.ty);
                self.memory.copy_within(from..from + size, to.at);
            }
            _ => {
                let value = self.eval(frame, function, value);
                self.store(&to, value);
            }
        }
    }

    fn address(&mut self, frame: &mut Frame, function: Option<&Function>, place: &Place) -> Address {
        let types = &self.unit.types;
        let (mut at, mut ty, mut vla) = match &place.base {
            PlaceBase::Local(id) => {
                let local = function.unwrap().local(*id);
                (frame.locals[id.0 as usize], local.ty, (!local.vla.is_empty()).then_some((*id, 0)))
            }
            PlaceBase::Global(GlobalId(id)) => {
                (self.globals[*id as usize], self.unit.globals[*id as usize].ty, None)
            }
            PlaceBase::Deref(pointer) => {
                let at = self.eval(frame, function, pointer).int() as usize;
                let ty = types.pointee(pointer.ty).unwrap_or(place.ty);
                // A row of a variable-length array.
                let mut row = None;
                walk_expr(pointer, &mut |part| {
                    if let Part::Place(p) = part
                        && let Some(id) = p.as_local()
                        && !function.unwrap().local(id).vla.is_empty()
                    {
                        row = Some((id, 0));
                    }
                });
                (at, ty, row.filter(|_| matches!(types.get(ty), Type::Array(_, None))))
            }
        };
        let mut bits = None;
        for projection in &place.projections {
            match projection {
                Projection::Field(record, index) => {
                    let field = &types.record(*record).fields.as_ref().unwrap()[*index as usize];
                    at += field.offset as usize;
                    bits = field.bits;
                    ty = field.ty;
                }
                Projection::Index(index) => {
                    let Type::Array(element, _) = *types.get(ty) else {
                        panic!("index into {:?}", types.get(ty))
                    };
                    let size = match &mut vla {
                        Some((id, level)) => {
                            *level += 1;
                            let (id, level) = (*id, *level);
                            self.vla_size(frame, function.unwrap(), id, level)
                        }
                        None => self.size(element),
                    };
                    let index = self.eval(frame, function, index).int();
                    at = (at as i128 + index * size as i128) as usize;
                    ty = element;
                }
            }
        }
        Address { at, bits, ty }
    }

    fn load(&self, from: &Address) -> Value {
        match self.unit.types.get(from.ty) {
            Type::Float(4) => Value::Float(f64::from(f32::from_le_bytes(self.bytes(from.at)))),
            Type::Float(8) => Value::Float(f64::from_le_bytes(self.bytes(from.at))),
            ty => {
                let kind = scalar(ty);
                let size = kind.size() as usize;
                let mut raw = [0; 16];
                raw[..size].copy_from_slice(&self.memory[from.at..from.at + size]);
                let raw = u128::from_le_bytes(raw) as i128;
                match from.bits {
                    None => Value::Int(wrap(raw, kind)),
                    Some((first, width)) => {
                        let value = raw >> first & ((1 << width) - 1);
                        let negative = kind.is_signed() && value >> (width - 1) & 1 == 1;
                        Value::Int(if negative { value - (1 << width) } else { value })
                    }
                }
            }
        }
    }

    fn bytes<const N: usize>(&self, at: usize) -> [u8; N] {
        self.memory[at..at + N].try_into().unwrap()
    }

    fn store(&mut self, to: &Address, value: Value) {
        match self.unit.types.get(to.ty) {
            Type::Float(4) => {
                self.memory[to.at..to.at + 4].copy_from_slice(&(value.float() as f32).to_le_bytes())
            }
            Type::Float(8) => self.memory[to.at..to.at + 8].copy_from_slice(&value.float().to_le_bytes()),
            ty => {
                let kind = scalar(ty);
                let size = kind.size() as usize;
                let mut raw = value.int();
                if let Some((first, width)) = to.bits {
                    let mut old = [0; 16];
                    old[..size].copy_from_slice(&self.memory[to.at..to.at + size]);
                    let mask = ((1_i128 << width) - 1) << first;
                    raw = (u128::from_le_bytes(old) as i128 & !mask) | (raw << first & mask);
                }
                self.memory[to.at..to.at + size].copy_from_slice(&raw.to_le_bytes()[..size]);
            }
        }
    }

    fn eval(&mut self, frame: &mut Frame, function: Option<&Function>, e: &Expr) -> Value {
        let types = &self.unit.types;
        match &e.kind {
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::Str(bytes) => Value::Int(self.string(bytes) as i128),
            ExprKind::Constant { value, .. } => Value::Int(value.expect("an enumerator")),
            ExprKind::Load(place) => {
                let from = self.address(frame, function, place);
                self.load(&from)
            }
            ExprKind::AddressOf(place) => Value::Int(self.address(frame, function, place).at as i128),
            ExprKind::FunctionAddress(name) => Value::Int(FUNCTIONS + i128::from(self.unit.by_name[name].0)),
            ExprKind::Unary(op, a) => {
                let a = self.eval(frame, function, a);
                match (op, a) {
                    (UnaryOp::Not, a) => Value::Int(i128::from(!a.truth())),
                    (UnaryOp::Neg, Value::Float(v)) => Value::Float(-v),
                    (UnaryOp::Neg, Value::Int(v)) => Value::Int(wrap(-v, scalar(types.get(e.ty)))),
                    (UnaryOp::BitNot, a) => Value::Int(wrap(!a.int(), scalar(types.get(e.ty)))),
                    other => panic!("{other:?}"),
                }
            }
            ExprKind::Cast(a) => {
                let value = self.eval(frame, function, a);
                match types.get(e.ty) {
                    Type::Float(4) => Value::Float(f64::from(value.float() as f32)),
                    Type::Float(_) => Value::Float(value.float()),
                    Type::Int(IntKind::Bool) => Value::Int(i128::from(value.truth())),
                    Type::Void => value,
                    ty => Value::Int(wrap(value.int(), scalar(ty))),
                }
            }
            ExprKind::Conditional(c, t, f) => {
                if self.eval(frame, function, c).truth() {
                    self.eval(frame, function, t)
                } else {
                    self.eval(frame, function, f)
                }
            }
            ExprKind::Sizeof(_) => panic!("a size that no compiler knows"),
            ExprKind::SizeofVla(lengths) => {
                Value::Int(lengths.iter().map(|l| self.eval(frame, function, l).int()).product())
            }
            ExprKind::Binary(op, a, b) => self.binary(frame, function, e, *op, a, b),
            ExprKind::Unknown(reason) => panic!("unknown: {reason}"),
        }
    }

    fn binary(
        &mut self,
        frame: &mut Frame,
        function: Option<&Function>,
        e: &Expr,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
    ) -> Value {
        use BinaryOp::{
            Add, And, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub,
        };
        let types = &self.unit.types;
        let x = self.eval(frame, function, a);
        match op {
            And if !x.truth() => return Value::Int(0),
            Or if x.truth() => return Value::Int(1),
            _ => {}
        }
        let y = self.eval(frame, function, b);
        let truth = |t: bool| Value::Int(i128::from(t));
        if matches!(op, And | Or) {
            return truth(y.truth());
        }
        if let (Type::Pointer(to), Add | Sub) = (types.get(a.ty), op) {
            let size = match types.size(*to) {
                Some(size) => i128::from(size),
                None => {
                    let ExprKind::Load(place) = &a.kind else { panic!("step over a row") };
                    let id = place.as_local().expect("a parameter");
                    self.vla_size(frame, function.unwrap(), id, 0) as i128
                }
            };
            if matches!(types.get(b.ty), Type::Pointer(_)) {
                return Value::Int((x.int() - y.int()) / size);
            }
            let by = y.int() * size;
            return Value::Int(if op == Add { x.int() + by } else { x.int() - by });
        }
        if matches!(x, Value::Float(_)) || matches!(y, Value::Float(_)) {
            let (x, y) = (x.float(), y.float());
            return match op {
                Add => Value::Float(x + y),
                Sub => Value::Float(x - y),
                Mul => Value::Float(x * y),
                Div => Value::Float(x / y),
                Lt => truth(x < y),
                Le => truth(x <= y),
                Gt => truth(x > y),
                Ge => truth(x >= y),
                Eq => truth(x == y),
                Ne => truth(x != y),
                other => panic!("{other:?} of doubles"),
            };
        }
        let (x, y) = (x.int(), y.int());
        let value = match op {
            Lt => return truth(x < y),
            Le => return truth(x <= y),
            Gt => return truth(x > y),
            Ge => return truth(x >= y),
            Eq => return truth(x == y),
            Ne => return truth(x != y),
            Add => x + y,
            Sub => x - y,
            Mul => x.wrapping_mul(y),
            Div => x / y,
            Rem => x % y,
            Shl => x << y,
            Shr => x >> y,
            BitAnd => x & y,
            BitOr => x | y,
            BitXor => x ^ y,
            And | Or => unreachable!("handled above"),
        };
        Value::Int(wrap(value, scalar(types.get(e.ty))))
    }

    fn call_inst(
        &mut self,
        frame: &mut Frame,
        function: &'u Function,
        callee: &Callee,
        args: &[Expr],
    ) -> Option<Value> {
        let values: Vec<Value> =
            args.iter().map(|a| self.value_or_address(frame, Some(function), a)).collect();
        let name = match callee {
            Callee::Direct { name, .. } => name.to_string(),
            Callee::Indirect(pointer) => {
                let at = self.eval(frame, Some(function), pointer).int() - FUNCTIONS;
                return self.call(at as usize, &values);
            }
        };
        if let Some(id) = self.unit.by_name.get(name.as_str()) {
            return self.call(id.0 as usize, &values);
        }
        match name.as_str() {
            "printf" => {
                let text = self.format(&values);
                self.output.push_str(&text);
                Some(Value::Int(text.len() as i128))
            }
            "putchar" => {
                self.output.push(values[0].int() as u8 as char);
                Some(values[0])
            }
            "puts" => {
                let text = self.text(values[0].int() as usize);
                self.output.push_str(&text);
                self.output.push('\n');
                Some(Value::Int(1))
            }
            "exit" => {
                self.exit = Some(values[0].int() as i32);
                None
            }
            "abs" => Some(Value::Int(values[0].int().abs())),
            "strlen" => Some(Value::Int(self.text(values[0].int() as usize).len() as i128)),
            "strcmp" => {
                let (a, b) = (self.text(values[0].int() as usize), self.text(values[1].int() as usize));
                Some(Value::Int(a.cmp(&b) as i128))
            }
            "malloc" | "calloc" => {
                let size = values.iter().map(|v| v.int()).product::<i128>() as usize;
                let at = self.heap_top.next_multiple_of(16);
                self.heap_top = at + size;
                self.memory[at..at + size].fill(0);
                Some(Value::Int(at as i128))
            }
            "free" | "va_start" | "va_end" => None,
            "va_arg" => {
                let value = frame.extra[frame.next_extra];
                frame.next_extra += 1;
                Some(value)
            }
            "memset" => {
                let (at, size) = (values[0].int() as usize, values[2].int() as usize);
                self.memory[at..at + size].fill(values[1].int() as u8);
                Some(values[0])
            }
            "memcpy" => {
                let (to, from, size) =
                    (values[0].int() as usize, values[1].int() as usize, values[2].int() as usize);
                self.memory.copy_within(from..from + size, to);
                Some(values[0])
            }
            other => panic!("call of {other}"),
        }
    }

    fn text(&self, at: usize) -> String {
        self.memory[at..].iter().take_while(|&&b| b != 0).map(|&b| b as char).collect()
    }

    fn format(&self, values: &[Value]) -> String {
        let format = self.text(values[0].int() as usize);
        let mut args = values[1..].iter();
        let mut out = String::new();
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let mut long = false;
            loop {
                match chars.next().expect("a conversion") {
                    '%' => out.push('%'),
                    'l' | 'z' => {
                        long = true;
                        continue;
                    }
                    'd' => {
                        let kind = if long { IntKind::Long } else { IntKind::Int };
                        out.push_str(&wrap(args.next().unwrap().int(), kind).to_string());
                    }
                    'u' => {
                        let kind = if long { IntKind::ULong } else { IntKind::UInt };
                        out.push_str(&wrap(args.next().unwrap().int(), kind).to_string());
                    }
                    'x' => {
                        let kind = if long { IntKind::ULong } else { IntKind::UInt };
                        out.push_str(&format!("{:x}", wrap(args.next().unwrap().int(), kind)));
                    }
                    'c' => out.push(args.next().unwrap().int() as u8 as char),
                    's' => out.push_str(&self.text(args.next().unwrap().int() as usize)),
                    'f' => out.push_str(&format!("{:.6}", args.next().unwrap().float())),
                    other => panic!("%{other}"),
                }
                break;
            }
        }
        out
    }
}

/// The integer type that a scalar is held as.
fn scalar(ty: &Type) -> IntKind {
    match ty {
        Type::Int(kind) | Type::Enum(_, kind) => *kind,
        Type::Pointer(_) | Type::Named(_) | Type::Unknown => IntKind::ULong,
        other => panic!("{other:?} is no scalar"),
    }
}

fn wrap(value: i128, kind: IntKind) -> i128 {
    if kind == IntKind::Bool {
        return i128::from(value != 0);
    }
    let bits = kind.size() * 8;
    if bits == 128 {
        return value;
    }
    let low = value & ((1 << bits) - 1);
    if kind.is_signed() && low >> (bits - 1) & 1 == 1 { low - (1 << bits) } else { low }
}
