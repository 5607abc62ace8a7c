//! Programs as C text, one statement a line.

use std::fmt::Write as _;

use crate::ast::{Call, Expr, Operator, Program, Start, Stmt, Type, Variable};
use crate::parse::{OPERATORS, precedence};

/// The text of a program. Parsed again it is the same program, with the lines of this text.
#[must_use]
pub fn print(program: &Program) -> String {
    let mut p = Printer { text: "#include <mpi.h>\n#include <stdlib.h>\n".to_owned(), depth: 0 };
    for (name, fields) in &program.structs {
        p.line("");
        p.line(&format!("struct {name} {{"));
        p.depth += 1;
        for (field, ty) in fields {
            p.line(&format!("{};", declared(field, ty)));
        }
        p.depth -= 1;
        p.line("};");
    }
    if !program.globals.is_empty() {
        p.line("");
    }
    for variable in &program.globals {
        p.line(&format!("static {};", declaration(std::slice::from_ref(variable))));
    }
    for function in &program.functions {
        p.line("");
        let parameters: Vec<String> = function
            .parameters
            .iter()
            // The one use of `char`.
            .map(|(name, ty)| if name == "argv" { "char **argv".to_owned() } else { declared(name, ty) })
            .collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let is_static = if function.name == "main" { "" } else { "static " };
        p.line(&format!("{is_static}{}({parameters})", declared(&function.name, &function.result)));
        p.line("{");
        p.body(&function.body);
        p.line("}");
    }
    p.text
}

struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        if !text.is_empty() {
            let _ = write!(self.text, "{:width$}{text}", "", width = self.depth * 4);
        }
        self.text.push('\n');
    }

    fn body(&mut self, body: &[Stmt]) {
        self.depth += 1;
        for (index, statement) in body.iter().enumerate() {
            // A declaration cannot follow a label in C11, nor can the end of a block.
            if let Stmt::Label(label) = statement {
                let follows_statement = body.get(index + 1).is_some_and(|s| !matches!(s, Stmt::Declare(_)));
                self.line(&format!("{label}:{}", if follows_statement { "" } else { ";" }));
            } else {
                self.statement(statement);
            }
        }
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Declare(_) | Stmt::Assign(..) | Stmt::Call(_) => {
                self.line(&format!("{};", simple(statement)));
            }
            Stmt::If(condition, then, other) => {
                self.line(&format!("if ({}) {{", expr(condition)));
                self.body(then);
                if !other.is_empty() {
                    self.line("} else {");
                    self.body(other);
                }
                self.line("}");
            }
            Stmt::While(condition, body) => {
                self.line(&format!("while ({}) {{", expr(condition)));
                self.body(body);
                self.line("}");
            }
            Stmt::DoWhile(body, condition) => {
                self.line("do {");
                self.body(body);
                self.line(&format!("}} while ({});", expr(condition)));
            }
            Stmt::For(start, condition, step, body) => {
                let part = |s: &Option<Box<Stmt>>| s.as_ref().map_or(String::new(), |s| simple(s));
                self.line(&format!("for ({}; {}; {}) {{", part(start), expr(condition), part(step)));
                self.body(body);
                self.line("}");
            }
            Stmt::Switch(value, arms) => {
                self.line(&format!("switch ({}) {{", expr(value)));
                for (labels, body) in arms {
                    for label in labels {
                        match label {
                            Some(number) => self.line(&format!("case {number}:")),
                            None => self.line("default:"),
                        }
                    }
                    if body.first().is_none_or(|s| matches!(s, Stmt::Declare(_))) {
                        self.line("    ;");
                    }
                    self.body(body);
                }
                self.line("}");
            }
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Goto(label) => self.line(&format!("goto {label};")),
            Stmt::Label(label) => self.line(&format!("{label}:;")),
            Stmt::Return(None) => self.line("return;"),
            Stmt::Return(Some(value)) => self.line(&format!("return {};", expr(value))),
            Stmt::Block(body) => {
                self.line("{");
                self.body(body);
                self.line("}");
            }
        }
    }
}

/// A type and a name as C writes them together.
fn declared(name: &str, ty: &Type) -> String {
    match ty {
        Type::Void => format!("void {name}"),
        Type::Int => format!("int {name}"),
        Type::Double => format!("double {name}"),
        Type::Handle(handle) => format!("{handle} {name}"),
        Type::Status => format!("MPI_Status {name}"),
        Type::Struct(of) => format!("struct {of} {name}"),
        Type::Array(element, length) => declared(&format!("{name}[{length}]"), element),
        Type::Pointer(target) => declared(&format!("*{name}"), target),
    }
}

fn declaration(variables: &[Variable]) -> String {
    let one = |variable: &Variable| {
        let Variable { name, ty, start } = variable;
        let start = match start {
            None => String::new(),
            Some(Start::Value(value)) => format!(" = {}", expr(value)),
            Some(Start::List(list)) => format!(" = {{{}}}", list_of(list)),
        };
        format!("{}{start}", declared(name, ty))
    };
    let all: Vec<String> = variables.iter().map(one).collect();
    // Further ones leave out the type, which is the same.
    let base = |text: &str| {
        let words = if text.starts_with("struct ") { 2 } else { 1 };
        text.split_inclusive(' ').take(words).map(str::len).sum::<usize>()
    };
    let rest = all.iter().skip(1).map(|text| &text[base(text)..]);
    all.first().map_or(String::new(), |first| {
        std::iter::once(first.as_str()).chain(rest).collect::<Vec<_>>().join(", ")
    })
}

fn simple(statement: &Stmt) -> String {
    match statement {
        Stmt::Declare(variables) => declaration(variables),
        Stmt::Assign(place, value) => match value {
            Expr::Binary(operator, left, right) if **left == *place && precedence(*operator) > 7 => {
                match (&**right, operator) {
                    (Expr::Int(1), Operator::Add) => format!("{}++", expr(place)),
                    (Expr::Int(1), Operator::Subtract) => format!("{}--", expr(place)),
                    _ => format!("{} {}= {}", expr(place), sign(*operator), expr(right)),
                }
            }
            _ => format!("{} = {}", expr(place), expr(value)),
        },
        Stmt::Call(call) => called(call),
        _ => String::new(),
    }
}

fn sign(operator: Operator) -> &'static str {
    OPERATORS.iter().find(|(_, o)| *o == operator).map_or("", |(sign, _)| sign)
}

fn list_of(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn called(call: &Call) -> String {
    format!("{}({})", call.function, list_of(&call.arguments))
}

fn expr(e: &Expr) -> String {
    match e {
        Expr::Int(number) => number.to_string(),
        Expr::Name(name) => name.clone(),
        Expr::Element(array, index) => format!("{}[{}]", tight(array), expr(index)),
        Expr::Field(of, field) => format!("{}.{field}", tight(of)),
        Expr::Member(of, field) => format!("{}->{field}", tight(of)),
        Expr::Target(of) => format!("*{}", tight(of)),
        Expr::Address(of) => format!("&{}", tight(of)),
        Expr::Not(of) => format!("!{}", tight(of)),
        Expr::Negative(of) => format!("-{}", tight(of)),
        Expr::Binary(operator, left, right) => {
            format!(
                "{} {} {}",
                operand(left, *operator, false),
                sign(*operator),
                operand(right, *operator, true)
            )
        }
        Expr::Choice(condition, then, other) => {
            format!("{} ? {} : {}", loose(condition), loose(then), loose(other))
        }
        Expr::SizeOf(ty) => format!("sizeof({})", declared("", ty).trim_end()),
        Expr::Call(call) => called(call),
    }
}

/// In parentheses unless it is one unit.
fn tight(e: &Expr) -> String {
    match e {
        Expr::Binary(..) | Expr::Choice(..) | Expr::Negative(_) | Expr::Target(_) => format!("({})", expr(e)),
        Expr::Int(number) if *number < 0 => format!("({number})"),
        _ => expr(e),
    }
}

fn loose(e: &Expr) -> String {
    if matches!(e, Expr::Choice(..)) { format!("({})", expr(e)) } else { expr(e) }
}

/// An operand with the parentheses that it needs, and those that compilers ask for where operators are mixed.
fn operand(e: &Expr, of: Operator, is_right: bool) -> String {
    let needs = match e {
        Expr::Binary(operator, ..) => {
            let (inner, outer) = (precedence(*operator), precedence(of));
            let is_arithmetic = |level: u8| level >= 9;
            inner < outer + u8::from(is_right)
                || (inner != outer
                    && !(is_arithmetic(inner) && (is_arithmetic(outer) || matches!(outer, 6 | 7)))
                    && !(matches!(inner, 6 | 7) && matches!(outer, 1 | 2)))
                || (inner == outer && matches!(outer, 6 | 7))
        }
        Expr::Choice(..) => true,
        Expr::Int(number) => *number < 0,
        _ => false,
    };
    if needs { format!("({})", expr(e)) } else { expr(e) }
}
