//! Statements around messages, as far as they can be followed: what is computed, stored, sent and received.

use tree_sitter::Node;

use super::super::scope::Variable;
use super::term::Op;

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    /// A small number of the text.
    Number(i64),
    /// A number that stands for any other: one of [`Code::amounts`].
    Amount(usize),
    /// No address, or one of MPI's constants in place of one.
    Null,
    /// The address of a block.
    Address(usize),
    /// An address so many elements further on, or backwards.
    Offset { address: Box<Expr>, by: Box<Expr>, scale: Vec<Expr>, forward: bool },
    /// What is at an address.
    Load(Box<Expr>),
    /// An operation on two values.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// An operation on one.
    Unary(char, Box<Expr>),
    /// `a ? b : c`.
    Choice(Box<[Expr; 3]>),
    /// An assignment, with the operation of `+=`.
    Store { address: Box<Expr>, operator: Option<Operator>, value: Box<Expr> },
    /// `i++` and its kin.
    Step { address: Box<Expr>, by: i64, before: bool },
    /// Memory that nothing else refers to.
    Allocate(usize),
    /// A value of another type.
    Converted(Box<Expr>),
    /// Elements copied from one place to another.
    Copy { to: Box<Expr>, from: Box<Expr>, length: Box<Expr> },
    /// A call of MPI.
    Call(Box<Call>),
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// In any order.
    Any(Op),
    Minus,
    Divide,
    Remainder,
    Left,
    Right,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
}

impl Operator {
    /// As it is written.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Any(op) => op.name(),
            Self::Minus => "-",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Left => "<<",
            Self::Right => ">>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    /// An expression.
    Do(Expr),
    /// A variable begins to live.
    Declare(usize),
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Loop {
        condition: Option<Expr>,
        update: Option<Expr>,
        body: Vec<Stmt>,
        first: bool,
    },
    Block(Vec<Stmt>),
    Break,
    Continue,
}

/// One side of a message.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) buffer: Expr,
    pub(super) count: Expr,
    pub(super) peer: Expr,
    pub(super) tag: Expr,
}

/// A call of MPI.
#[derive(Clone, Debug)]
pub(super) enum Call {
    Send { side: Side, request: Option<Expr> },
    Receive { side: Side, status: Expr, request: Option<Expr> },
    Exchange { send: Side, receive: Side, status: Expr },
    Replace { send: Side, source: Expr, receive_tag: Expr, status: Expr },
    Wait { request: Expr, status: Expr },
    WaitAll { count: Expr, requests: Expr },
    WaitAny { count: Expr, requests: Expr, index: Expr, status: Expr },
    Rank(Expr),
    Size(Expr),
}

/// What a variable holds to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    Rank,
    Size,
    Number(i64),
}

/// A variable that the statements use.
#[derive(Clone, Debug)]
pub(super) struct Object<'t> {
    pub(super) variable: Variable<'t>,
    pub(super) kind: Kind,
    /// What it always is, where that is known.
    pub(super) identity: Option<Identity>,
    /// What it always is, as an expression.
    pub(super) initial: Option<Expr>,
    /// One of [`Code::amounts`], where it never changes and nothing more is known.
    pub(super) amount: Option<usize>,
    /// The block that it is.
    pub(super) own: usize,
    /// The block that it points to at the start.
    pub(super) behind: Option<usize>,
}

/// How a variable is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Array,
    Pointer,
    Request,
    Status,
}

/// A piece of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The variable that it is, or by whose name it is known.
    pub(super) object: usize,
    /// Whether it is the variable itself.
    pub(super) is_variable: bool,
}

/// A number that stands for any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    /// It is the same in every build, or a macro.
    Fixed(String),
    /// A variable.
    Variable(String),
}

/// What some statements are about.
#[derive(Debug, Default)]
pub(super) struct Code<'t> {
    pub(super) objects: Vec<Object<'t>>,
    pub(super) blocks: Vec<Block>,
    pub(super) amounts: Vec<Amount>,
    /// How many of these the statements with the messages use.
    pub(super) within: usize,
    /// What messages consist of; all the same.
    pub(super) datatype: Option<&'t str>,
    /// Where they are sent; all the same.
    pub(super) communicator: Option<&'t str>,
    /// Numbers of elements as they are written.
    pub(super) counts: Vec<(Node<'t>, Expr)>,
    /// The types whose sizes are elements to the statements, or in which they compute.
    pub(super) measured: Vec<String>,
    /// Whether a receive takes what comes.
    pub(super) takes_any: bool,
    /// Whether a wait goes on with whatever is complete.
    pub(super) waits_any: bool,
}
