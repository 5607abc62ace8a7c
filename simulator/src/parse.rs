//! C text to programs: the part of C that generated programs are written in. It shares nothing with the frontend of anyrank.

use crate::ast::{Call, Expr, Function, Operator, Program, Start, Stmt, Type, Variable};

/// Why a text is not a program of the small C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line.
    pub line: u32,
    /// What was expected there.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

type Parsed<T> = Result<T, ParseError>;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Number(i64),
    Sign(&'static str),
}

/// Longer ones first.
const SIGNS: [&str; 45] = [
    "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "{", "}", "(", ")", "[", "]", ";", ",", ":", "?", "=", "<", ">", "+", "-", "*",
    "/", "%", "!", "&", "|", "^", "~", ".",
];

const HANDLES: [&str; 6] =
    ["MPI_Comm", "MPI_Request", "MPI_Datatype", "MPI_Message", "MPI_Info", "MPI_Group"];

fn tokens(text: &str) -> Parsed<Vec<(Token, u32)>> {
    let mut tokens = Vec::new();
    let mut in_comment = false;
    for (line, content) in (1..).zip(text.lines()) {
        if content.trim_start().starts_with('#') {
            continue;
        }
        let mut rest = content;
        loop {
            if in_comment {
                let Some(end) = rest.find("*/") else { break };
                rest = &rest[end + 2..];
                in_comment = false;
            }
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { break };
            if rest.starts_with("//") {
                break;
            }
            if rest.starts_with("/*") {
                in_comment = true;
                rest = &rest[2..];
                continue;
            }
            if first.is_ascii_alphanumeric() || first == '_' {
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
                let word = &rest[..end];
                let token = if first.is_ascii_digit() {
                    let number = word.parse().map_err(|_| ParseError {
                        line,
                        message: format!("`{word}` is no decimal number"),
                    })?;
                    Token::Number(number)
                } else {
                    Token::Word(word.to_owned())
                };
                tokens.push((token, line));
                rest = &rest[end..];
                continue;
            }
            let sign = SIGNS
                .iter()
                .find(|sign| rest.starts_with(**sign))
                .ok_or_else(|| ParseError { line, message: format!("`{first}` is not known here") })?;
            tokens.push((Token::Sign(sign), line));
            rest = &rest[sign.len()..];
        }
    }
    Ok(tokens)
}

/// Reads a program.
pub fn parse(text: &str) -> Parsed<Program> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    parser.program()
}

struct Parser {
    tokens: Vec<(Token, u32)>,
    at: usize,
}

impl Parser {
    fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(_, line)| *line)
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError { line: self.line(), message: message.into() })
    }

    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead).map(|(token, _)| token)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(0), Some(Token::Sign(s)) if *s == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.take(sign) { Ok(()) } else { self.error(format!("`{sign}` expected")) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(0), Some(Token::Word(w)) if w == word)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    fn name(&mut self) -> Parsed<String> {
        match self.peek(0) {
            Some(Token::Word(word)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => self.error("a name expected"),
        }
    }

    fn starts_type(&self) -> bool {
        let Some(Token::Word(word)) = self.peek(0) else { return false };
        matches!(
            word.as_str(),
            "static" | "const" | "int" | "double" | "char" | "void" | "struct" | "MPI_Status"
        ) || HANDLES.contains(&word.as_str())
    }

    /// A type without its pointers and arrays.
    fn base_type(&mut self) -> Parsed<Type> {
        while self.take_word("static") || self.take_word("const") {}
        let word = self.name()?;
        Ok(match word.as_str() {
            "int" | "char" => Type::Int,
            "double" => Type::Double,
            "void" => Type::Void,
            "MPI_Status" => Type::Status,
            "struct" => Type::Struct(self.name()?),
            _ => match HANDLES.iter().find(|handle| **handle == word) {
                Some(handle) => Type::Handle(handle),
                None => return self.error(format!("`{word}` is no type")),
            },
        })
    }

    fn pointers(&mut self, mut ty: Type) -> Type {
        while self.take("*") {
            ty = Type::Pointer(Box::new(ty));
            while self.take_word("const") {}
        }
        ty
    }

    /// `*name[2]` behind a type.
    fn declarator(&mut self, base: &Type) -> Parsed<(String, Type)> {
        let mut ty = self.pointers(base.clone());
        let name = self.name()?;
        let mut lengths = Vec::new();
        while self.take("[") {
            match self.peek(0) {
                Some(Token::Number(number)) => {
                    lengths.push(usize::try_from(*number).unwrap_or_default());
                    self.at += 1;
                }
                _ => return self.error("a length expected"),
            }
            self.expect("]")?;
        }
        for length in lengths.into_iter().rev() {
            ty = Type::Array(Box::new(ty), length);
        }
        Ok((name, ty))
    }

    fn program(&mut self) -> Parsed<Program> {
        let mut program = Program::default();
        while self.at < self.tokens.len() {
            let is_definition = self.is_word("struct") && matches!(self.peek(2), Some(Token::Sign("{")));
            if is_definition {
                self.at += 1;
                let name = self.name()?;
                self.expect("{")?;
                let mut fields = Vec::new();
                while !self.take("}") {
                    let base = self.base_type()?;
                    loop {
                        fields.push(self.declarator(&base)?);
                        if !self.take(",") {
                            break;
                        }
                    }
                    self.expect(";")?;
                }
                self.expect(";")?;
                program.structs.push((name, fields));
                continue;
            }
            let start = self.at;
            let base = self.base_type()?;
            let result = self.pointers(base);
            let name = self.name()?;
            if self.take("(") {
                let parameters = self.parameters()?;
                let body = self.block()?;
                program.functions.push(Function { name, result, parameters, body });
            } else {
                self.at = start;
                program.globals.extend(self.declaration()?);
            }
        }
        Ok(program)
    }

    fn parameters(&mut self) -> Parsed<Vec<(String, Type)>> {
        let mut parameters = Vec::new();
        if self.is_word("void") && matches!(self.peek(1), Some(Token::Sign(")"))) {
            self.at += 1;
        }
        while !self.take(")") {
            let base = self.base_type()?;
            parameters.push(self.declarator(&base)?);
            if !self.take(",") && !self.is_sign(")") {
                return self.error("`,` or `)` expected");
            }
        }
        Ok(parameters)
    }

    fn declaration(&mut self) -> Parsed<Vec<Variable>> {
        let base = self.base_type()?;
        let mut variables = Vec::new();
        loop {
            let (name, ty) = self.declarator(&base)?;
            let start = if !self.take("=") {
                None
            } else if self.take("{") {
                let mut list = Vec::new();
                while !self.take("}") {
                    list.push(self.expression()?);
                    if !self.take(",") && !self.is_sign("}") {
                        return self.error("`,` or `}` expected");
                    }
                }
                Some(Start::List(list))
            } else {
                Some(Start::Value(self.expression()?))
            };
            variables.push(Variable { name, ty, start });
            if !self.take(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(variables)
    }

    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{")?;
        let mut body = Vec::new();
        while !self.take("}") {
            if self.at >= self.tokens.len() {
                return self.error("`}` expected");
            }
            self.statement(&mut body)?;
        }
        Ok(body)
    }

    /// The body of a loop or branch: a block, or one statement.
    fn body(&mut self) -> Parsed<Vec<Stmt>> {
        if self.is_sign("{") {
            return self.block();
        }
        let mut body = Vec::new();
        self.statement(&mut body)?;
        Ok(body)
    }

    fn condition(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(condition)
    }

    fn statement(&mut self, into: &mut Vec<Stmt>) -> Parsed<()> {
        if self.take(";") {
            return Ok(());
        }
        if self.is_sign("{") {
            into.push(Stmt::Block(self.block()?));
            return Ok(());
        }
        if self.starts_type() {
            into.push(Stmt::Declare(self.declaration()?));
            return Ok(());
        }
        if matches!((self.peek(0), self.peek(1)), (Some(Token::Word(w)), Some(Token::Sign(":"))) if w != "default")
        {
            into.push(Stmt::Label(self.name()?));
            self.at += 1;
            return Ok(());
        }
        let statement = if self.take_word("if") {
            let condition = self.condition()?;
            let then = self.body()?;
            let other = if self.take_word("else") { self.body()? } else { Vec::new() };
            Stmt::If(condition, then, other)
        } else if self.take_word("while") {
            Stmt::While(self.condition()?, self.body()?)
        } else if self.take_word("do") {
            let body = self.body()?;
            if !self.take_word("while") {
                return self.error("`while` expected");
            }
            let condition = self.condition()?;
            self.expect(";")?;
            Stmt::DoWhile(body, condition)
        } else if self.take_word("for") {
            self.for_loop()?
        } else if self.take_word("switch") {
            self.switch()?
        } else if self.take_word("break") {
            self.expect(";")?;
            Stmt::Break
        } else if self.take_word("continue") {
            self.expect(";")?;
            Stmt::Continue
        } else if self.take_word("goto") {
            let label = self.name()?;
            self.expect(";")?;
            Stmt::Goto(label)
        } else if self.take_word("return") {
            let value = if self.is_sign(";") { None } else { Some(self.expression()?) };
            self.expect(";")?;
            Stmt::Return(value)
        } else {
            let simple = self.simple()?;
            self.expect(";")?;
            simple
        };
        into.push(statement);
        Ok(())
    }

    fn for_loop(&mut self) -> Parsed<Stmt> {
        self.expect("(")?;
        let start = if self.starts_type() {
            Some(Stmt::Declare(self.declaration()?))
        } else {
            let start = if self.is_sign(";") { None } else { Some(self.simple()?) };
            self.expect(";")?;
            start
        };
        let condition = if self.is_sign(";") { Expr::Int(1) } else { self.expression()? };
        self.expect(";")?;
        let step = if self.is_sign(")") { None } else { Some(self.simple()?) };
        self.expect(")")?;
        Ok(Stmt::For(start.map(Box::new), condition, step.map(Box::new), self.body()?))
    }

    fn switch(&mut self) -> Parsed<Stmt> {
        let value = self.condition()?;
        self.expect("{")?;
        let mut arms: Vec<(Vec<Option<i64>>, Vec<Stmt>)> = Vec::new();
        while !self.take("}") {
            let label = if self.take_word("default") {
                None
            } else if self.take_word("case") {
                let is_negative = self.take("-");
                match self.peek(0) {
                    Some(Token::Number(number)) => {
                        let number = if is_negative { -*number } else { *number };
                        self.at += 1;
                        Some(number)
                    }
                    _ => return self.error("a number expected"),
                }
            } else {
                let Some((_, body)) = arms.last_mut() else { return self.error("`case` expected") };
                let mut statements = std::mem::take(body);
                self.statement(&mut statements)?;
                arms.last_mut().expect("looked at above").1 = statements;
                continue;
            };
            self.expect(":")?;
            match arms.last_mut() {
                Some((labels, body)) if body.is_empty() => labels.push(label),
                _ => arms.push((vec![label], Vec::new())),
            }
        }
        Ok(Stmt::Switch(value, arms))
    }

    /// An assignment, a step, or a call.
    fn simple(&mut self) -> Parsed<Stmt> {
        for (sign, operator) in [("++", Operator::Add), ("--", Operator::Subtract)] {
            if self.take(sign) {
                let place = self.unary()?;
                return Ok(step(place, operator, Expr::Int(1)));
            }
        }
        let place = self.unary()?;
        if let Expr::Call(call) = place {
            return Ok(Stmt::Call(call));
        }
        if self.take("=") {
            return Ok(Stmt::Assign(place, self.expression()?));
        }
        for (sign, operator) in [("++", Operator::Add), ("--", Operator::Subtract)] {
            if self.take(sign) {
                return Ok(step(place, operator, Expr::Int(1)));
            }
        }
        for (sign, operator) in STEPS {
            if self.take(sign) {
                return Ok(step(place, operator, self.expression()?));
            }
        }
        self.error("an assignment or a call expected")
    }

    fn expression(&mut self) -> Parsed<Expr> {
        let condition = self.binary(0)?;
        if !self.take("?") {
            return Ok(condition);
        }
        let then = self.expression()?;
        self.expect(":")?;
        let other = self.expression()?;
        Ok(Expr::Choice(Box::new(condition), Box::new(then), Box::new(other)))
    }

    fn binary(&mut self, level: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some(Token::Sign(sign)) = self.peek(0)
            && let Some((_, operator)) = OPERATORS.iter().find(|(s, _)| s == sign)
            && precedence(*operator) >= level
        {
            self.at += 1;
            let right = self.binary(precedence(*operator) + 1)?;
            left = Expr::Binary(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        type Make = fn(Box<Expr>) -> Expr;
        let prefixes: [(&str, Make); 4] =
            [("!", Expr::Not), ("-", Expr::Negative), ("*", Expr::Target), ("&", Expr::Address)];
        for (sign, make) in prefixes {
            if self.take(sign) {
                return Ok(make(Box::new(self.unary()?)));
            }
        }
        let mut expr = self.primary()?;
        loop {
            if self.take("[") {
                let index = self.expression()?;
                self.expect("]")?;
                expr = Expr::Element(Box::new(expr), Box::new(index));
            } else if self.take(".") {
                expr = Expr::Field(Box::new(expr), self.name()?);
            } else if self.take("->") {
                expr = Expr::Member(Box::new(expr), self.name()?);
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        if self.take("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Some(Token::Number(number)) = self.peek(0) {
            let number = *number;
            self.at += 1;
            return Ok(Expr::Int(number));
        }
        let line = self.line();
        let name = self.name()?;
        if name == "sizeof" {
            self.expect("(")?;
            let base = self.base_type()?;
            let ty = self.pointers(base);
            self.expect(")")?;
            return Ok(Expr::SizeOf(ty));
        }
        if !self.take("(") {
            return Ok(Expr::Name(name));
        }
        let mut arguments = Vec::new();
        while !self.take(")") {
            arguments.push(self.expression()?);
            if !self.take(",") && !self.is_sign(")") {
                return self.error("`,` or `)` expected");
            }
        }
        Ok(Expr::Call(Call { function: name, arguments, line }))
    }
}

fn step(place: Expr, operator: Operator, by: Expr) -> Stmt {
    Stmt::Assign(place.clone(), Expr::Binary(operator, Box::new(place), Box::new(by)))
}

const STEPS: [(&str, Operator); 10] = [
    ("+=", Operator::Add),
    ("-=", Operator::Subtract),
    ("*=", Operator::Multiply),
    ("/=", Operator::Divide),
    ("%=", Operator::Remainder),
    ("&=", Operator::BitAnd),
    ("|=", Operator::BitOr),
    ("^=", Operator::BitXor),
    ("<<=", Operator::ShiftLeft),
    (">>=", Operator::ShiftRight),
];

/// The operators as they are written.
pub(crate) const OPERATORS: [(&str, Operator); 18] = [
    ("+", Operator::Add),
    ("-", Operator::Subtract),
    ("*", Operator::Multiply),
    ("/", Operator::Divide),
    ("%", Operator::Remainder),
    ("<", Operator::Less),
    ("<=", Operator::LessEqual),
    (">", Operator::Greater),
    (">=", Operator::GreaterEqual),
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("&&", Operator::And),
    ("||", Operator::Or),
    ("&", Operator::BitAnd),
    ("|", Operator::BitOr),
    ("^", Operator::BitXor),
    ("<<", Operator::ShiftLeft),
    (">>", Operator::ShiftRight),
];

/// How tight an operator binds, as C has it.
pub(crate) fn precedence(operator: Operator) -> u8 {
    use Operator::{
        Add, And, BitAnd, BitOr, BitXor, Divide, Equal, Greater, GreaterEqual, Less, LessEqual, Multiply,
        NotEqual, Or, Remainder, ShiftLeft, ShiftRight, Subtract,
    };
    match operator {
        Or => 1,
        And => 2,
        BitOr => 3,
        BitXor => 4,
        BitAnd => 5,
        Equal | NotEqual => 6,
        Less | LessEqual | Greater | GreaterEqual => 7,
        ShiftLeft | ShiftRight => 8,
        Add | Subtract => 9,
        Multiply | Divide | Remainder => 10,
    }
}
