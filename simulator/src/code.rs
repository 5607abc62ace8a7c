//! Programs made ready to be executed step by step: names are resolved to cells, statements to instructions and jumps.
//!
//! Memory consists of objects, and objects of cells: an `int`, a `double`, a handle or a pointer is one cell, a status three, a struct
//! and an array what they consist of. Numbers are whole ones; generated programs use no others.

use std::collections::BTreeMap;

use crate::ast::{Call, Expr, Function, Operator, Program, Start, Stmt, Type, Variable};

/// Cells of a status: source, tag, bytes.
pub(crate) const STATUS_CELLS: usize = 3;

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Nothing was written.
    Open,
    Int(i64),
    Pointer(Pointer),
    Null,
    /// `MPI_IN_PLACE`
    InPlace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    pub(crate) object: usize,
    pub(crate) cell: usize,
}

/// An expression with names resolved.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Value(Value),
    Load(Box<Code>),
    /// The variable in this slot of the frame.
    Local(usize),
    Global(usize),
    /// An address, so many cells further.
    Offset(Box<Code>, usize),
    /// An address, so many times the stride further.
    Index(Box<Code>, Box<Code>, usize),
    Not(Box<Code>),
    Negative(Box<Code>),
    Binary(Operator, Box<Code>, Box<Code>),
    Choice(Box<Code>, Box<Code>, Box<Code>),
}

/// An instruction. Addresses are expressions that yield pointers.
#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    Store {
        to: Code,
        value: Code,
    },
    /// What a variable held is forgotten.
    Forget {
        slot: usize,
    },
    Jump(usize),
    JumpUnless(Code, usize),
    Call {
        function: usize,
        arguments: Vec<Code>,
        result: Option<Code>,
    },
    Return(Option<Code>),
    /// Memory for so many cells, with zeros or not.
    Allocate {
        to: Code,
        cells: Code,
        zeros: bool,
    },
    Free(Code),
    Mpi {
        name: String,
        arguments: Vec<Code>,
        line: u32,
    },
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Routine {
    /// Cells of each variable; parameters come first.
    pub(crate) slots: Vec<usize>,
    pub(crate) code: Vec<Instruction>,
}

/// A program that can be run.
#[derive(Clone, Debug)]
pub struct Executable {
    pub(crate) routines: Vec<Routine>,
    pub(crate) main: usize,
    /// What the variables of the file hold at first.
    pub(crate) globals: Vec<Vec<Value>>,
}

/// Makes a program ready. The error says what is not understood.
pub fn compile(program: &Program) -> Result<Executable, String> {
    let structs: BTreeMap<&str, &[(String, Type)]> =
        program.structs.iter().map(|(name, fields)| (name.as_str(), fields.as_slice())).collect();
    let types = Types { structs };
    let numbers: BTreeMap<&str, usize> =
        program.functions.iter().enumerate().map(|(i, f)| (f.name.as_str(), i)).collect();
    let globals: BTreeMap<&str, (usize, &Type)> =
        program.globals.iter().enumerate().map(|(i, v)| (v.name.as_str(), (i, &v.ty))).collect();
    let mut routines = Vec::new();
    for function in &program.functions {
        let mut compiler = Compiler {
            types: &types,
            functions: &numbers,
            globals: &globals,
            scopes: vec![BTreeMap::new()],
            routine: Routine::default(),
            labels: BTreeMap::new(),
            jumps: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
        };
        compiler.function(function).map_err(|error| format!("{}: {error}", function.name))?;
        routines.push(compiler.routine);
    }
    let main = *numbers.get("main").ok_or("there is no `main`")?;
    let mut held = Vec::new();
    for variable in &program.globals {
        let mut cells = vec![Value::Int(0); types.cells(&variable.ty)?];
        let list = match &variable.start {
            None => Vec::new(),
            Some(Start::Value(value)) => vec![value.clone()],
            Some(Start::List(list)) => list.clone(),
        };
        for (cell, value) in cells.iter_mut().zip(list) {
            *cell = match value {
                Expr::Int(number) => Value::Int(number),
                Expr::Negative(number) if let Expr::Int(number) = *number => Value::Int(-number),
                Expr::Name(name) => constant(&name).ok_or(format!("`{name}` is no constant"))?,
                _ => return Err("a variable of the file starts with numbers".to_owned()),
            };
        }
        held.push(cells);
    }
    Ok(Executable { routines, main, globals: held })
}

struct Types<'p> {
    structs: BTreeMap<&'p str, &'p [(String, Type)]>,
}

impl Types<'_> {
    fn cells(&self, ty: &Type) -> Result<usize, String> {
        Ok(match ty {
            Type::Void => 0,
            Type::Int | Type::Double | Type::Handle(_) | Type::Pointer(_) => 1,
            Type::Status => STATUS_CELLS,
            Type::Array(element, length) => self.cells(element)? * length,
            Type::Struct(name) => {
                let fields = self.structs.get(name.as_str()).ok_or(format!("no struct `{name}`"))?;
                fields.iter().try_fold(0, |sum, (_, ty)| Ok::<_, String>(sum + self.cells(ty)?))?
            }
        })
    }

    /// Place and type of a field.
    fn field(&self, ty: &Type, field: &str) -> Result<(usize, Type), String> {
        match (ty, field) {
            (Type::Status, "MPI_SOURCE") => return Ok((0, Type::Int)),
            (Type::Status, "MPI_TAG") => return Ok((1, Type::Int)),
            _ => {}
        }
        let Type::Struct(name) = ty else { return Err(format!("`{field}` of what is no struct")) };
        let fields = self.structs.get(name.as_str()).ok_or(format!("no struct `{name}`"))?;
        let mut offset = 0;
        for (other, ty) in *fields {
            if other == field {
                return Ok((offset, ty.clone()));
            }
            offset += self.cells(ty)?;
        }
        Err(format!("no field `{field}`"))
    }
}

/// The values of MPI's constants. They are those of this simulator and mean nothing outside of it, but for those that programs may
/// compare or store: all of them differ.
pub(crate) fn constant(name: &str) -> Option<Value> {
    Some(match name {
        "NULL" | "MPI_STATUS_IGNORE" | "MPI_STATUSES_IGNORE" => Value::Null,
        "MPI_IN_PLACE" => Value::InPlace,
        _ => Value::Int(match name {
            "MPI_COMM_WORLD" | "MPI_REQUEST_NULL" | "MPI_MESSAGE_NULL" | "MPI_INFO_NULL" | "MPI_SUCCESS" => 0,
            "MPI_COMM_NULL" | "MPI_DATATYPE_NULL" => -1,
            "MPI_ANY_SOURCE" => ANY_SOURCE,
            "MPI_ANY_TAG" => ANY_TAG,
            "MPI_PROC_NULL" => PROC_NULL,
            "MPI_UNDEFINED" => UNDEFINED,
            "MPI_INT" => 0,
            "MPI_DOUBLE" => 1,
            "MPI_SUM" => 0,
            "MPI_MAX" => 1,
            "MPI_MIN" => 2,
            _ => return None,
        }),
    })
}

pub(crate) const ANY_SOURCE: i64 = -101;
pub(crate) const ANY_TAG: i64 = -102;
pub(crate) const PROC_NULL: i64 = -103;
pub(crate) const UNDEFINED: i64 = -104;

struct Compiler<'p> {
    types: &'p Types<'p>,
    functions: &'p BTreeMap<&'p str, usize>,
    globals: &'p BTreeMap<&'p str, (usize, &'p Type)>,
    scopes: Vec<BTreeMap<String, (usize, Type)>>,
    routine: Routine,
    labels: BTreeMap<String, usize>,
    /// Jumps to labels, to be filled in.
    jumps: Vec<(usize, String)>,
    breaks: Vec<Vec<usize>>,
    continues: Vec<Vec<usize>>,
}

type Done<T = ()> = Result<T, String>;

impl Compiler<'_> {
    fn function(&mut self, function: &Function) -> Done {
        for (name, ty) in &function.parameters {
            // Arrays as parameters are pointers.
            let ty = match ty {
                Type::Array(element, _) => Type::Pointer(element.clone()),
                ty => ty.clone(),
            };
            self.declare(name, ty)?;
        }
        self.block(&function.body)?;
        self.emit(Instruction::Return(None));
        for (at, label) in std::mem::take(&mut self.jumps) {
            let target = *self.labels.get(&label).ok_or(format!("no label `{label}`"))?;
            self.routine.code[at] = Instruction::Jump(target);
        }
        Ok(())
    }

    fn declare(&mut self, name: &str, ty: Type) -> Done<usize> {
        let slot = self.routine.slots.len();
        self.routine.slots.push(self.types.cells(&ty)?);
        self.scopes.last_mut().expect("there is always one").insert(name.to_owned(), (slot, ty));
        Ok(slot)
    }

    fn emit(&mut self, instruction: Instruction) -> usize {
        self.routine.code.push(instruction);
        self.routine.code.len() - 1
    }

    fn here(&self) -> usize {
        self.routine.code.len()
    }

    /// A jump whose target is filled in later.
    fn jump(&mut self) -> usize {
        self.emit(Instruction::Jump(usize::MAX))
    }

    fn land(&mut self, jumps: Vec<usize>, target: usize) {
        for at in jumps {
            match &mut self.routine.code[at] {
                Instruction::Jump(to) | Instruction::JumpUnless(_, to) => *to = target,
                _ => {}
            }
        }
    }

    fn block(&mut self, body: &[Stmt]) -> Done {
        self.scopes.push(BTreeMap::new());
        body.iter().try_for_each(|statement| self.statement(statement))?;
        self.scopes.pop();
        Ok(())
    }

    fn variable(&mut self, variable: &Variable) -> Done {
        let slot = self.declare(&variable.name, variable.ty.clone())?;
        self.emit(Instruction::Forget { slot });
        match &variable.start {
            None => {}
            Some(Start::Value(value)) => {
                let place = Expr::Name(variable.name.clone());
                self.assign(&place, value)?;
            }
            Some(Start::List(list)) => {
                for cell in 0..self.routine.slots[slot] {
                    let value = match list.get(cell) {
                        Some(value) => self.value(value)?.0,
                        None => Code::Value(Value::Int(0)),
                    };
                    let to = Code::Offset(Box::new(Code::Local(slot)), cell);
                    self.emit(Instruction::Store { to, value });
                }
            }
        }
        Ok(())
    }

    fn assign(&mut self, place: &Expr, value: &Expr) -> Done {
        let (to, ty) = self.place(place)?;
        if let Expr::Call(call) = value {
            match call.function.as_str() {
                "malloc" | "calloc" => {
                    let Type::Pointer(element) = ty else {
                        return Err("memory for what is no pointer".to_owned());
                    };
                    let zeros = call.function == "calloc";
                    let mut cells = match call.arguments.as_slice() {
                        [bytes] => self.value(bytes)?.0,
                        [count, size] => Code::Binary(
                            Operator::Multiply,
                            Box::new(self.value(count)?.0),
                            Box::new(self.value(size)?.0),
                        ),
                        _ => return Err("arguments of malloc".to_owned()),
                    };
                    let size = i64::try_from(self.types.cells(&element)?).map_err(|e| e.to_string())?;
                    let bytes = bytes_of(&element).unwrap_or(size * 8);
                    cells = Code::Binary(
                        Operator::Divide,
                        Box::new(Code::Binary(
                            Operator::Multiply,
                            Box::new(cells),
                            Box::new(Code::Value(Value::Int(size))),
                        )),
                        Box::new(Code::Value(Value::Int(bytes))),
                    );
                    self.emit(Instruction::Allocate { to, cells, zeros });
                }
                _ => self.call(call, Some(to))?,
            }
            return Ok(());
        }
        let cells = self.types.cells(&ty)?;
        if matches!(ty, Type::Struct(_) | Type::Status) {
            let (from, _) = self.place(value)?;
            for cell in 0..cells {
                let value = Code::Load(Box::new(Code::Offset(Box::new(from.clone()), cell)));
                self.emit(Instruction::Store { to: Code::Offset(Box::new(to.clone()), cell), value });
            }
            return Ok(());
        }
        let value = self.value(value)?.0;
        self.emit(Instruction::Store { to, value });
        Ok(())
    }

    fn call(&mut self, call: &Call, result: Option<Code>) -> Done {
        let name = call.function.as_str();
        if name == "free" {
            let pointer = call.arguments.first().ok_or("free of nothing")?;
            let pointer = self.value(pointer)?.0;
            self.emit(Instruction::Free(pointer));
            return Ok(());
        }
        let arguments = call.arguments.iter().map(|a| Ok(self.value(a)?.0)).collect::<Done<Vec<_>>>()?;
        if let Some(&function) = self.functions.get(name) {
            self.emit(Instruction::Call { function, arguments, result });
        } else if name.starts_with("MPI_") {
            if result.is_some() {
                return Err(format!("the result of {name} is used"));
            }
            self.emit(Instruction::Mpi { name: name.to_owned(), arguments, line: call.line });
        } else {
            return Err(format!("no function `{name}`"));
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Stmt) -> Done {
        match statement {
            Stmt::Declare(variables) => variables.iter().try_for_each(|v| self.variable(v))?,
            Stmt::Assign(place, value) => self.assign(place, value)?,
            Stmt::Call(call) => self.call(call, None)?,
            Stmt::If(condition, then, other) => {
                let condition = self.value(condition)?.0;
                let over = self.emit(Instruction::JumpUnless(condition, usize::MAX));
                self.block(then)?;
                if other.is_empty() {
                    self.land(vec![over], self.here());
                } else {
                    let end = self.jump();
                    self.land(vec![over], self.here());
                    self.block(other)?;
                    self.land(vec![end], self.here());
                }
            }
            Stmt::While(condition, body) => {
                let start = self.here();
                let condition = self.value(condition)?.0;
                let out = self.emit(Instruction::JumpUnless(condition, usize::MAX));
                self.loop_body(body)?;
                let continues = self.continues.pop().unwrap_or_default();
                self.land(continues, start);
                self.emit(Instruction::Jump(start));
                self.leave(vec![out]);
            }
            Stmt::DoWhile(body, condition) => {
                let start = self.here();
                self.loop_body(body)?;
                let continues = self.continues.pop().unwrap_or_default();
                self.land(continues, self.here());
                let condition = self.value(condition)?.0;
                let out = self.emit(Instruction::JumpUnless(condition, usize::MAX));
                self.emit(Instruction::Jump(start));
                self.leave(vec![out]);
            }
            Stmt::For(begin, condition, step, body) => {
                self.scopes.push(BTreeMap::new());
                if let Some(begin) = begin {
                    self.statement(begin)?;
                }
                let start = self.here();
                let condition = self.value(condition)?.0;
                let out = self.emit(Instruction::JumpUnless(condition, usize::MAX));
                self.loop_body(body)?;
                let continues = self.continues.pop().unwrap_or_default();
                self.land(continues, self.here());
                if let Some(step) = step {
                    self.statement(step)?;
                }
                self.emit(Instruction::Jump(start));
                self.leave(vec![out]);
                self.scopes.pop();
            }
            Stmt::Switch(value, arms) => self.switch(value, arms)?,
            Stmt::Break => {
                let at = self.jump();
                self.breaks.last_mut().ok_or("`break` outside of a loop")?.push(at);
            }
            Stmt::Continue => {
                let at = self.jump();
                self.continues.last_mut().ok_or("`continue` outside of a loop")?.push(at);
            }
            Stmt::Goto(label) => {
                let at = self.jump();
                self.jumps.push((at, label.clone()));
            }
            Stmt::Label(label) => {
                self.labels.insert(label.clone(), self.here());
            }
            Stmt::Return(value) => {
                let value = value.as_ref().map(|v| self.value(v)).transpose()?.map(|(code, _)| code);
                self.emit(Instruction::Return(value));
            }
            Stmt::Block(body) => self.block(body)?,
        }
        Ok(())
    }

    fn loop_body(&mut self, body: &[Stmt]) -> Done {
        self.breaks.push(Vec::new());
        self.continues.push(Vec::new());
        self.block(body)
    }

    fn leave(&mut self, mut out: Vec<usize>) {
        out.extend(self.breaks.pop().unwrap_or_default());
        self.land(out, self.here());
    }

    fn switch(&mut self, value: &Expr, arms: &[(Vec<Option<i64>>, Vec<Stmt>)]) -> Done {
        let value = self.value(value)?.0;
        // Tests first, then the arms one behind the other.
        let mut tests: Vec<(usize, usize)> = Vec::new();
        for (index, (labels, _)) in arms.iter().enumerate() {
            for number in labels.iter().flatten() {
                let number = Box::new(Code::Value(Value::Int(*number)));
                let differs = Code::Binary(Operator::NotEqual, Box::new(value.clone()), number);
                tests.push((index, self.emit(Instruction::JumpUnless(differs, usize::MAX))));
            }
        }
        let rest = self.jump();
        self.breaks.push(Vec::new());
        let mut starts = Vec::new();
        self.scopes.push(BTreeMap::new());
        for (_, body) in arms {
            starts.push(self.here());
            body.iter().try_for_each(|statement| self.statement(statement))?;
        }
        self.scopes.pop();
        for (index, at) in tests {
            self.land(vec![at], starts[index]);
        }
        match arms.iter().position(|(labels, _)| labels.contains(&None)) {
            Some(index) => {
                self.land(vec![rest], starts[index]);
                self.leave(Vec::new());
            }
            None => self.leave(vec![rest]),
        }
        Ok(())
    }

    /// Address and type of a place.
    fn place(&mut self, expr: &Expr) -> Done<(Code, Type)> {
        match expr {
            Expr::Name(name) => {
                if let Some((slot, ty)) = self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
                    return Ok((Code::Local(*slot), ty.clone()));
                }
                let (index, ty) = self.globals.get(name.as_str()).ok_or(format!("no variable `{name}`"))?;
                Ok((Code::Global(*index), (*ty).clone()))
            }
            Expr::Element(array, index) => {
                let (base, ty) = self.value(array)?;
                let Type::Pointer(element) = ty else { return Err("an element of no array".to_owned()) };
                let index = self.value(index)?.0;
                let stride = self.types.cells(&element)?;
                Ok((Code::Index(Box::new(base), Box::new(index), stride), *element))
            }
            Expr::Field(of, field) => {
                let (base, ty) = self.place(of)?;
                let (offset, ty) = self.types.field(&ty, field)?;
                Ok((Code::Offset(Box::new(base), offset), ty))
            }
            Expr::Member(of, field) => {
                let (base, ty) = self.value(of)?;
                let Type::Pointer(ty) = ty else { return Err("a member through no pointer".to_owned()) };
                let (offset, ty) = self.types.field(&ty, field)?;
                Ok((Code::Offset(Box::new(base), offset), ty))
            }
            Expr::Target(of) => {
                let (base, ty) = self.value(of)?;
                let Type::Pointer(ty) = ty else { return Err("the target of no pointer".to_owned()) };
                Ok((base, *ty))
            }
            _ => Err("no place".to_owned()),
        }
    }

    /// Value and type of an expression; an array is the address of its first element.
    fn value(&mut self, expr: &Expr) -> Done<(Code, Type)> {
        Ok(match expr {
            Expr::Int(number) => (Code::Value(Value::Int(*number)), Type::Int),
            Expr::Name(name) if let Some(value) = constant(name) => (Code::Value(value), Type::Int),
            Expr::Name(_) | Expr::Element(..) | Expr::Field(..) | Expr::Member(..) | Expr::Target(_) => {
                let (address, ty) = self.place(expr)?;
                match ty {
                    Type::Array(element, _) => (address, Type::Pointer(element)),
                    ty => (Code::Load(Box::new(address)), ty),
                }
            }
            Expr::Address(of) => {
                // The arguments of `main` are looked at by nobody.
                if matches!(&**of, Expr::Name(name) if name == "argc" || name == "argv") {
                    return Ok((Code::Value(Value::Null), Type::Pointer(Box::new(Type::Int))));
                }
                let (address, ty) = self.place(of)?;
                (address, Type::Pointer(Box::new(ty)))
            }
            Expr::Not(of) => (Code::Not(Box::new(self.value(of)?.0)), Type::Int),
            Expr::Negative(of) => (Code::Negative(Box::new(self.value(of)?.0)), Type::Int),
            Expr::Binary(operator, left, right) => {
                let ((left, ty), (right, _)) = (self.value(left)?, self.value(right)?);
                if let (Type::Pointer(element), Operator::Add) = (&ty, operator) {
                    let stride = self.types.cells(element)?;
                    return Ok((Code::Index(Box::new(left), Box::new(right), stride), ty));
                }
                (Code::Binary(*operator, Box::new(left), Box::new(right)), Type::Int)
            }
            Expr::Choice(condition, then, other) => {
                let condition = self.value(condition)?.0;
                let (then, ty) = self.value(then)?;
                let other = self.value(other)?.0;
                (Code::Choice(Box::new(condition), Box::new(then), Box::new(other)), ty)
            }
            Expr::SizeOf(ty) => {
                let cells = i64::try_from(self.types.cells(ty)?).map_err(|e| e.to_string())?;
                (Code::Value(Value::Int(bytes_of(ty).unwrap_or(cells * 8))), Type::Int)
            }
            Expr::Call(call) => return Err(format!("the result of {} within an expression", call.function)),
        })
    }
}

/// As on the machines that programs are run on; `None` for structs, whose size is only ever divided by itself.
fn bytes_of(ty: &Type) -> Option<i64> {
    match ty {
        Type::Int => Some(4),
        Type::Double | Type::Handle(_) | Type::Pointer(_) => Some(8),
        _ => None,
    }
}
