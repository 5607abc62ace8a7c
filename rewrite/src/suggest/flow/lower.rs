//! From the tree of a text to [`Code`]: whatever is not understood makes that there is none.

use std::collections::BTreeMap;

use frontend::mpi::{self, Class, Query};
use tree_sitter::Node;

use super::super::scope::{Scope, Shape, Variable, decimal};
use super::code::{Amount, Block, Code, Expr, Kind, Object, Operator, Stmt};
use super::identity::Origins;
use super::term::Op;
use crate::text::{descendants, statements};

/// Numbers of the text that mean themselves; others stand for any number. What is made of few of these is less than the numbers of
/// processes that are looked at, so that ranks that are compared with it show.
pub(super) const SMALL: i64 = 3;
/// How MPI's constants in place of ranks and tags are told from ranks and tags.
pub(super) const PROC_NULL: i64 = -1_000_001;
pub(super) const ANY_SOURCE: i64 = -1_000_002;
pub(super) const ANY_TAG: i64 = -1_000_003;

/// Reads statements of one function.
pub(super) struct Lowering<'s, 't> {
    pub(super) scope: &'s Scope<'t>,
    pub(super) code: Code<'t>,
    pub(super) origins: Origins<'s, 't>,
    known: BTreeMap<usize, usize>,
    /// Whether statements may print, ask for memory, or end the program.
    is_before: bool,
}

/// An address, with the lengths of the array there.
struct Place<'t> {
    address: Expr,
    lengths: Vec<Option<Node<'t>>>,
}

impl<'s, 't> Lowering<'s, 't> {
    pub(super) fn new(scope: &'s Scope<'t>, origins: Origins<'s, 't>) -> Self {
        Self { scope, code: Code::default(), origins, known: BTreeMap::new(), is_before: false }
    }

    /// A statement; `None` where it does anything that is not followed.
    pub(super) fn statement(&mut self, node: Node<'t>) -> Option<Stmt> {
        let field = |name| node.child_by_field_name(name);
        Some(match node.kind() {
            "expression_statement" => match node.named_child(0) {
                None => Stmt::Block(Vec::new()),
                Some(inner) if self.is_remark(inner) => Stmt::Block(Vec::new()),
                Some(inner) => Stmt::Do(self.expression(inner)?),
            },
            "declaration" => Stmt::Block(self.declaration(node)?),
            "compound_statement" => {
                Stmt::Block(statements(node)?.into_iter().map(|s| self.statement(s)).collect::<Option<_>>()?)
            }
            "if_statement" => self.branch(node)?,
            "for_statement" => {
                let mut all = Vec::new();
                match field("initializer") {
                    None => {}
                    Some(first) if first.kind() == "declaration" => all.extend(self.declaration(first)?),
                    Some(first) => all.push(Stmt::Do(self.expression(first)?)),
                }
                let condition = match field("condition") {
                    None => None,
                    Some(condition) => Some(self.expression(condition)?),
                };
                let body = vec![self.statement(field("body")?)?];
                let update = match field("update") {
                    None => None,
                    Some(update) => Some(self.expression(update)?),
                };
                all.push(Stmt::Loop { condition, update, body, first: true });
                Stmt::Block(all)
            }
            "while_statement" | "do_statement" => Stmt::Loop {
                condition: Some(self.expression(field("condition")?)?),
                update: None,
                body: vec![self.statement(field("body")?)?],
                first: node.kind() == "while_statement",
            },
            "break_statement" => Stmt::Break,
            "continue_statement" => Stmt::Continue,
            _ => return None,
        })
    }

    /// A statement before the messages; what it prints, and what it has begun, is nothing to us.
    pub(super) fn before(&mut self, node: Node<'t>) -> Option<Stmt> {
        let is_odd = |node: &Node<'t>| {
            let class = called(self.scope, *node).and_then(mpi::lookup).map(|function| function.class);
            class.is_some_and(|class| {
                !matches!(
                    class,
                    Class::Init { .. } | Class::Abort | Class::Query(Query::CommRank | Query::CommSize)
                )
            })
        };
        if descendants(node).iter().any(is_odd) {
            return None;
        }
        self.is_before = true;
        self.statement(node)
    }

    fn is_remark(&self, node: Node<'t>) -> bool {
        let Some(name) = called(self.scope, node).filter(|_| self.is_before) else { return false };
        let begins = mpi::lookup(name).is_some_and(|f| matches!(f.class, Class::Init { .. }));
        let changes = |inner: &Node<'t>| match inner.kind() {
            "assignment_expression" | "update_expression" => true,
            "call_expression" => *inner != node,
            "pointer_expression" => self.scope.text(*inner).starts_with('&'),
            _ => false,
        };
        begins
            || matches!(name, "printf" | "fprintf" | "puts" | "assert" | "srand" | "free")
                && !descendants(node).iter().any(changes)
    }

    /// A branch; one that ends the program is not taken where there are messages afterwards.
    fn branch(&mut self, node: Node<'t>) -> Option<Stmt> {
        let condition = node.child_by_field_name("condition")?;
        let then = node.child_by_field_name("consequence")?;
        let otherwise = node.child_by_field_name("alternative");
        if self.is_before && otherwise.is_none() && self.ends(then) && self.scope.is_pure(condition) {
            return Some(Stmt::Block(Vec::new()));
        }
        if otherwise.is_none()
            && let Some(kept) = self.kept(condition, then)
        {
            return Some(Stmt::Do(kept));
        }
        let otherwise = match otherwise {
            None => Vec::new(),
            Some(clause) => {
                let mut cursor = clause.walk();
                let inner = clause.named_children(&mut cursor).find(|n| n.kind() != "comment")?;
                vec![self.statement(inner)?]
            }
        };
        Some(Stmt::If {
            condition: self.expression(condition)?,
            then: vec![self.statement(then)?],
            otherwise,
        })
    }

    /// Whether a statement ends with the end of the function or of the program.
    fn ends(&self, node: Node<'t>) -> bool {
        match node.kind() {
            "compound_statement" => {
                statements(node).is_some_and(|all| all.last().is_some_and(|&last| self.ends(last)))
            }
            "return_statement" => true,
            "expression_statement" => {
                let name = node.named_child(0).and_then(|inner| called(self.scope, inner));
                let aborts = name.and_then(mpi::lookup).is_some_and(|f| matches!(f.class, Class::Abort));
                aborts || name.is_some_and(|name| matches!(name, "exit" | "abort"))
            }
            _ => false,
        }
    }

    /// `if (a > b) b = a`, the larger of two.
    fn kept(&mut self, condition: Node<'t>, then: Node<'t>) -> Option<Expr> {
        let mut then = then;
        if then.kind() == "compound_statement" {
            let all = statements(then)?;
            then = *all.first().filter(|_| all.len() == 1)?;
        }
        let assignment = (then.kind() == "expression_statement").then(|| then.named_child(0))??;
        if assignment.kind() != "assignment_expression"
            || self.scope.text(assignment.child_by_field_name("operator")?) != "="
        {
            return None;
        }
        let (left, right) =
            (assignment.child_by_field_name("left")?, assignment.child_by_field_name("right")?);
        let op = self.larger(condition, right, left)?;
        let place = self.place(left)?;
        let value = Expr::Binary(
            op,
            Box::new(Expr::Load(Box::new(place.address.clone()))),
            Box::new(self.expression(right)?),
        );
        Some(Expr::Store { address: Box::new(place.address), operator: None, value: Box::new(value) })
    }

    /// The operation that picks `a` where a comparison of two expressions holds, and `b` where it does not.
    fn larger(&self, condition: Node<'t>, a: Node<'t>, b: Node<'t>) -> Option<Operator> {
        let condition = inside(condition);
        if condition.kind() != "binary_expression" {
            return None;
        }
        let words = |node: Node<'t>| self.scope.text(node).split_whitespace().collect::<String>();
        let sides =
            [condition.child_by_field_name("left")?, condition.child_by_field_name("right")?].map(words);
        let operator = self.scope.text(condition.child_by_field_name("operator")?);
        let (a, b) = (words(a), words(b));
        let straight = sides[0] == a && sides[1] == b;
        let turned = sides[0] == b && sides[1] == a;
        match (operator, straight, turned) {
            (">" | ">=", true, _) | ("<" | "<=", _, true) => Some(Operator::Any(Op::Largest)),
            ("<" | "<=", true, _) | (">" | ">=", _, true) => Some(Operator::Any(Op::Smallest)),
            _ => None,
        }
    }

    fn declaration(&mut self, node: Node<'t>) -> Option<Vec<Stmt>> {
        let mut cursor = node.walk();
        let declarators: Vec<_> = node.children_by_field_name("declarator", &mut cursor).collect();
        let mut all = Vec::new();
        for declarator in declarators {
            let mut name = declarator;
            while name.kind() != "identifier" {
                name = name.child_by_field_name("declarator").or_else(|| name.named_child(0))?;
            }
            let is_plain = declarator.kind() == "init_declarator";
            let value = if is_plain { declarator.child_by_field_name("value") } else { None };
            let object = self.object(name)?;
            all.push(Stmt::Declare(object));
            let Some(value) = value else { continue };
            if value.kind() == "initializer_list" {
                // What is listed is as good as anything.
                self.scope.is_pure(value).then_some(())?;
                continue;
            }
            let address = Box::new(Expr::Address(self.code.objects[object].own));
            let value = match self.scope.is_new_memory(value) {
                true => self.allocated(object)?,
                false => self.expression(value)?,
            };
            all.push(Stmt::Do(Expr::Store { address, operator: None, value: Box::new(value) }));
        }
        Some(all)
    }

    pub(super) fn expression(&mut self, node: Node<'t>) -> Option<Expr> {
        let field = |name| node.child_by_field_name(name);
        Some(match node.kind() {
            "parenthesized_expression" => self.expression(inside(node)).filter(|_| inside(node) != node)?,
            "number_literal" => self.number(decimal(self.scope.text(node))?),
            "null" => Expr::Null,
            "true" => Expr::Number(1),
            "false" => Expr::Number(0),
            "identifier" => match self.constant(self.scope.text(node)) {
                Some(constant) => constant,
                None => self.value(node)?,
            },
            "subscript_expression" => self.value(node)?,
            "field_expression" => self.value(node)?,
            "pointer_expression" if self.scope.text(node).starts_with('&') => {
                self.place(field("argument")?)?.address
            }
            "pointer_expression" => self.value(node)?,
            "unary_expression" => {
                let operator = self.scope.text(field("operator")?).chars().next()?;
                Expr::Unary(operator, Box::new(self.expression(field("argument")?)?))
            }
            "binary_expression" => self.binary(node)?,
            "conditional_expression" => {
                let (condition, a, b) = (field("condition")?, field("consequence")?, field("alternative")?);
                match self.larger(condition, a, b) {
                    Some(op) => {
                        Expr::Binary(op, Box::new(self.expression(a)?), Box::new(self.expression(b)?))
                    }
                    None => Expr::Choice(Box::new([
                        self.expression(condition)?,
                        self.expression(a)?,
                        self.expression(b)?,
                    ])),
                }
            }
            "cast_expression" => {
                let value = field("value")?;
                if self.scope.is_new_memory(value) {
                    return None;
                }
                Expr::Converted(Box::new(self.expression(value)?))
            }
            "assignment_expression" => {
                let (left, right) = (field("left")?, field("right")?);
                let operator = self.scope.text(field("operator")?).strip_suffix('=')?;
                let operator = if operator.is_empty() { None } else { Some(operator_of(operator)?) };
                let place = self.place(left).filter(|place| place.lengths.is_empty())?;
                let value = match self.scope.is_new_memory(right) {
                    true => {
                        let object = (left.kind() == "identifier").then(|| self.object(left))??;
                        self.allocated(object)?
                    }
                    false => self.expression(right)?,
                };
                Expr::Store { address: Box::new(place.address), operator, value: Box::new(value) }
            }
            "update_expression" => {
                let text = self.scope.text(node);
                let place = self.place(field("argument")?).filter(|place| place.lengths.is_empty())?;
                Expr::Step {
                    address: Box::new(place.address),
                    by: if text.contains("++") { 1 } else { -1 },
                    before: text.starts_with('+') || text.starts_with('-'),
                }
            }
            "sizeof_expression" => self.size(node)?,
            "comma_expression" => return None,
            "call_expression" => self.call(node)?,
            _ => return None,
        })
    }

    fn binary(&mut self, node: Node<'t>) -> Option<Expr> {
        let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
        let text = self.scope.text(node.child_by_field_name("operator")?);
        if matches!(text, "+" | "-")
            && let Some(place) = self.array(left)
        {
            let by = Box::new(self.expression(right)?);
            let scale = self.lengths(place.lengths.get(1..).unwrap_or_default())?;
            return Some(Expr::Offset { address: Box::new(place.address), by, scale, forward: text == "+" });
        }
        let (a, b) = (Box::new(self.expression(left)?), Box::new(self.expression(right)?));
        Some(match text {
            ">" => Expr::Binary(Operator::Less, b, a),
            ">=" => Expr::Binary(Operator::LessOrEqual, b, a),
            _ => Expr::Binary(operator_of(text)?, a, b),
        })
    }

    /// An array by its name or its rows, where it stands for the address of its first element.
    fn array(&mut self, node: Node<'t>) -> Option<Place<'t>> {
        let node = inside(node);
        matches!(node.kind(), "identifier" | "subscript_expression").then_some(())?;
        if self.constant(self.scope.text(node)).is_some() {
            return None;
        }
        self.place(node).filter(|place| !place.lengths.is_empty())
    }

    /// What is at a place, or its address where an array is.
    fn value(&mut self, node: Node<'t>) -> Option<Expr> {
        let place = self.place(node)?;
        Some(match place.lengths.is_empty() {
            true => Expr::Load(Box::new(place.address)),
            false => place.address,
        })
    }

    /// The place that an expression names.
    fn place(&mut self, node: Node<'t>) -> Option<Place<'t>> {
        let node = inside(node);
        match node.kind() {
            "identifier" => {
                let object = self.object(node)?;
                let known = &self.code.objects[object];
                let lengths = match &known.variable.shape {
                    Shape::Array(lengths) => lengths.clone(),
                    _ => Vec::new(),
                };
                Some(Place { address: Expr::Address(known.own), lengths })
            }
            "subscript_expression" => {
                let (argument, index) =
                    (node.child_by_field_name("argument")?, node.child_by_field_name("index")?);
                let by = Box::new(self.expression(index)?);
                if let Some(place) = self.array(argument) {
                    let rest = place.lengths.get(1..).unwrap_or_default().to_vec();
                    let scale = self.lengths(&rest)?;
                    let address = Expr::Offset { address: Box::new(place.address), by, scale, forward: true };
                    return Some(Place { address, lengths: rest });
                }
                let address = Box::new(self.expression(argument)?);
                let address = Expr::Offset { address, by, scale: Vec::new(), forward: true };
                Some(Place { address, lengths: Vec::new() })
            }
            "pointer_expression" if self.scope.text(node).starts_with('*') => {
                let address = self.expression(node.child_by_field_name("argument")?)?;
                Some(Place { address, lengths: Vec::new() })
            }
            "field_expression" => {
                let argument = node.child_by_field_name("argument")?;
                let object = (argument.kind() == "identifier").then(|| self.object(argument))??;
                (self.code.objects[object].kind == Kind::Status).then_some(())?;
                let at = match self.scope.text(node.child_by_field_name("field")?) {
                    "MPI_SOURCE" => 0,
                    "MPI_TAG" => 1,
                    _ => return None,
                };
                let address = Box::new(Expr::Address(self.code.objects[object].own));
                let by = Box::new(Expr::Number(at));
                let address = Expr::Offset { address, by, scale: Vec::new(), forward: true };
                Some(Place { address, lengths: Vec::new() })
            }
            _ => None,
        }
    }

    fn lengths(&mut self, lengths: &[Option<Node<'t>>]) -> Option<Vec<Expr>> {
        lengths.iter().map(|length| self.expression((*length)?)).collect()
    }

    /// A size in elements, whatever they are.
    fn size(&mut self, node: Node<'t>) -> Option<Expr> {
        if let Some(named) = node.child_by_field_name("type") {
            self.code.measured.push(self.scope.text(named).to_owned());
            return Some(Expr::Number(1));
        }
        let value = inside(node.child_by_field_name("value")?);
        if !matches!(value.kind(), "identifier" | "subscript_expression" | "pointer_expression") {
            return None;
        }
        let place = self.place(value)?;
        let base = descendants(value).into_iter().find(|node| node.kind() == "identifier")?;
        let variable = self.scope.variable(base, self.scope.text(base))?;
        if variable.shape == Shape::Pointer && value == base {
            return None;
        }
        self.code.measured.push(self.scope.type_of(&variable)?);
        let lengths = self.lengths(&place.lengths)?;
        lengths
            .into_iter()
            .reduce(|a, b| Expr::Binary(Operator::Any(Op::Product), Box::new(a), Box::new(b)))
            .or(Some(Expr::Number(1)))
    }

    fn number(&mut self, number: i64) -> Expr {
        if number < SMALL {
            return Expr::Number(number);
        }
        Expr::Amount(self.amount(Amount::Fixed(number.to_string())))
    }

    fn amount(&mut self, amount: Amount) -> usize {
        let known = self.code.amounts.iter().position(|other| *other == amount);
        known.unwrap_or_else(|| {
            self.code.amounts.push(amount);
            self.code.amounts.len() - 1
        })
    }

    fn constant(&mut self, name: &str) -> Option<Expr> {
        match name {
            "MPI_PROC_NULL" => return Some(Expr::Number(PROC_NULL)),
            "MPI_ANY_SOURCE" => {
                self.code.takes_any = true;
                return Some(Expr::Number(ANY_SOURCE));
            }
            "MPI_ANY_TAG" => return Some(Expr::Number(ANY_TAG)),
            "NULL" | "MPI_STATUS_IGNORE" | "MPI_STATUSES_IGNORE" | "MPI_REQUEST_NULL" => {
                return Some(Expr::Null);
            }
            _ => {}
        }
        if !self.scope.is_macro(name) {
            return None;
        }
        let number = self.scope.number(name);
        Some(match number {
            Some(number) => self.number(number),
            None => Expr::Amount(self.amount(Amount::Fixed(name.to_owned()))),
        })
    }

    /// The variable of a name.
    fn object(&mut self, name: Node<'t>) -> Option<usize> {
        let variable = self.scope.variable(name, self.scope.text(name))?;
        let key = variable.name.start_byte();
        if let Some(&object) = self.known.get(&key) {
            return Some(object);
        }
        if self.scope.text(variable.declaration).contains("volatile") {
            return None;
        }
        let named = self.scope.type_of(&variable)?;
        let kind = match (named.as_str(), &variable.shape) {
            (_, Shape::Other) => return None,
            ("MPI_Status", Shape::Plain) => Kind::Status,
            ("MPI_Request", Shape::Plain) => Kind::Request,
            (_, Shape::Plain) => Kind::Plain,
            (_, Shape::Array(_)) => Kind::Array,
            (_, Shape::Pointer) => Kind::Pointer,
        };
        let object = self.code.objects.len();
        self.known.insert(key, object);
        let own = self.block(object, true);
        let behind = (kind == Kind::Pointer).then(|| self.block(object, false));
        let blank = Object {
            variable: variable.clone(),
            kind,
            identity: None,
            initial: None,
            amount: None,
            own,
            behind,
        };
        self.code.objects.push(blank);
        if kind == Kind::Plain {
            self.look_up(object, &variable);
        }
        Some(object)
    }

    /// What a variable always is.
    fn look_up(&mut self, object: usize, variable: &Variable<'t>) {
        if !self.origins.is_settled(variable) {
            return;
        }
        let identity = self.origins.identity(variable);
        if identity.is_none() {
            // One that is asked for is another one on each process.
            if self.origins.is_asked_for(variable) {
                return;
            }
            if let Some(value) = variable.declarator.child_by_field_name("value") {
                let own_function = crate::text::function_of(value).is_some();
                let pure = own_function && self.scope.is_pure(value) && !self.scope.text(value).contains('[');
                self.code.objects[object].initial = if pure { self.expression(value) } else { None };
            }
            if self.code.objects[object].initial.is_none() {
                let name = self.scope.text(variable.name).to_owned();
                let amount = self.amount(Amount::Variable(name));
                self.code.objects[object].amount = Some(amount);
            }
        }
        self.code.objects[object].identity = identity;
    }

    fn allocated(&mut self, object: usize) -> Option<Expr> {
        self.is_before.then(|| Expr::Allocate(self.block(object, false)))
    }

    fn block(&mut self, object: usize, is_variable: bool) -> usize {
        self.code.blocks.push(Block { object, is_variable });
        self.code.blocks.len() - 1
    }
}

/// The name of the function that an expression calls.
pub(super) fn called<'t>(scope: &Scope<'t>, node: Node<'t>) -> Option<&'t str> {
    let function = (node.kind() == "call_expression").then(|| node.child_by_field_name("function"))??;
    (function.kind() == "identifier").then(|| scope.text(function))
}

fn operator_of(text: &str) -> Option<Operator> {
    Some(match text {
        "+" => Operator::Any(Op::Sum),
        "*" => Operator::Any(Op::Product),
        "&" => Operator::Any(Op::BitAnd),
        "|" => Operator::Any(Op::BitOr),
        "^" => Operator::Any(Op::BitXor),
        "&&" => Operator::Any(Op::And),
        "||" => Operator::Any(Op::Or),
        "-" => Operator::Minus,
        "/" => Operator::Divide,
        "%" => Operator::Remainder,
        "<<" => Operator::Left,
        ">>" => Operator::Right,
        "<" => Operator::Less,
        "<=" => Operator::LessOrEqual,
        "==" => Operator::Equal,
        "!=" => Operator::NotEqual,
        _ => return None,
    })
}

/// An expression without parentheses around it.
pub(super) fn inside(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "parenthesized_expression"
        && let Some(inner) = node.named_child(0)
    {
        node = inner;
    }
    node
}
