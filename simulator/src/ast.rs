//! Programs: what is parsed, changed by faults, shrunk, printed, and executed.

/// A type of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// No value.
    Void,
    /// `int`, and `char` in the parameters of `main`.
    Int,
    /// `double`.
    Double,
    /// A handle of MPI: `MPI_Comm`, `MPI_Request`, ...
    Handle(&'static str),
    /// `MPI_Status`.
    Status,
    /// A struct by its name.
    Struct(String),
    /// An array of so many elements.
    Array(Box<Type>, usize),
    /// A pointer.
    Pointer(Box<Type>),
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

/// Expressions. Those that are places can be assigned to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Int(i64),
    /// A variable, or a constant of MPI.
    Name(String),
    /// `a[i]`
    Element(Box<Expr>, Box<Expr>),
    /// `s.field`
    Field(Box<Expr>, String),
    /// `p->field`
    Member(Box<Expr>, String),
    /// `*p`
    Target(Box<Expr>),
    /// `&x`
    Address(Box<Expr>),
    /// `!x`
    Not(Box<Expr>),
    /// `-x`
    Negative(Box<Expr>),
    /// `a + b`, ...
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `a ? b : c`
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `sizeof(type)`
    SizeOf(Type),
    /// A call. Functions of the program and of MPI are called as statements, or with their result assigned.
    Call(Call),
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What is called.
    pub function: String,
    /// With what.
    pub arguments: Vec<Expr>,
    /// Where it stands in the text that was parsed.
    pub line: u32,
}

/// What a variable starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// One value.
    Value(Expr),
    /// A list; what is not listed is zero.
    List(Vec<Expr>),
}

/// A variable where it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What it starts with.
    pub start: Option<Start>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// Variables.
    Declare(Vec<Variable>),
    /// `place = value;`
    Assign(Expr, Expr),
    /// A call whose result is not used.
    Call(Call),
    /// `if`; the second part may be empty.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `while`
    While(Expr, Vec<Stmt>),
    /// `do ... while`
    DoWhile(Vec<Stmt>, Expr),
    /// `for`: start, condition, step, body.
    For(Option<Box<Stmt>>, Expr, Option<Box<Stmt>>, Vec<Stmt>),
    /// `switch`: each arm has its labels (`None` is `default`) and statements, and falls through unless these end otherwise.
    Switch(Expr, Vec<(Vec<Option<i64>>, Vec<Stmt>)>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `goto label;`
    Goto(String),
    /// `label:`
    Label(String),
    /// `return value;`
    Return(Option<Expr>),
    /// `{ ... }`
    Block(Vec<Stmt>),
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its result.
    pub result: Type,
    /// Its parameters.
    pub parameters: Vec<(String, Type)>,
    /// Its body.
    pub body: Vec<Stmt>,
}

/// A program of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Structs and their fields.
    pub structs: Vec<(String, Vec<(String, Type)>)>,
    /// Variables of the file.
    pub globals: Vec<Variable>,
    /// Functions, `main` among them.
    pub functions: Vec<Function>,
}

impl Stmt {
    /// The lists of statements in it.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Self>> {
        match self {
            Self::If(_, a, b) => vec![a, b],
            Self::While(_, body) | Self::DoWhile(body, _) | Self::For(.., body) | Self::Block(body) => {
                vec![body]
            }
            Self::Switch(_, arms) => arms.iter_mut().map(|(_, body)| body).collect(),
            _ => Vec::new(),
        }
    }

    /// The lists of statements in it.
    #[must_use]
    pub fn bodies(&self) -> Vec<&Vec<Self>> {
        match self {
            Self::If(_, a, b) => vec![a, b],
            Self::While(_, body) | Self::DoWhile(body, _) | Self::For(.., body) | Self::Block(body) => {
                vec![body]
            }
            Self::Switch(_, arms) => arms.iter().map(|(_, body)| body).collect(),
            _ => Vec::new(),
        }
    }
}
