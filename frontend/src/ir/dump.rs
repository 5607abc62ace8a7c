//! The representation as text, for tests and for people who look into the analysis.
//!
//! ```text
//! fn f(n: int) -> int
//! b0:
//!   i = 0
//!   goto b1
//! b1: loop i+1
//!   if i < n then b2 else b3
//! ```
//!
//! Locals are shown by name, a second one of the same name as `name.2`, temporaries as `%3`. Implicit conversions are
//! casts like written ones.

use std::fmt::{self, Write as _};

use super::cfg::{Callee, Cfg, Inst, InstKind, Terminator};
use super::expr::{BinaryOp, Expr, ExprKind, Place, PlaceBase, Projection, UnaryOp};
use super::types::{FLOAT128, IntKind, RecordKind, Type, TypeId};
use super::unit::{Function, Initializer, LocalId, Startup, Unit};

/// Shows a unit: globals, then functions.
#[must_use]
pub fn unit(unit: &Unit) -> String {
    let mut out = String::new();
    for global in &unit.globals {
        let mut words = Vec::new();
        if global.is_static {
            words.push("static");
        }
        if !global.defined {
            words.push("extern");
        }
        if global.unstable {
            words.push("volatile");
        }
        words.push("var");
        let _ = write!(out, "{} {}: {}", words.join(" "), global.name, ty(unit, global.ty));
        if let Some(init) = &global.init {
            let _ = write!(out, " = {}", initializer(unit, init));
        }
        out.push('\n');
    }
    for f in &unit.functions {
        out.push_str(&function(unit, f));
    }
    for problem in &unit.problems {
        let _ = writeln!(out, "problem at {}..{}: {}", problem.span.start, problem.span.end, problem.message);
    }
    out
}

/// Shows a function: its head, special locals, blocks and loops.
#[must_use]
pub fn function(unit: &Unit, function: &Function) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = Printer { unit, function }.function(&mut out);
    out
}

/// Shows an expression of a function.
#[must_use]
pub fn expr(unit: &Unit, function: &Function, expr: &Expr) -> String {
    Printer { unit, function }.expr(expr)
}

/// Shows a place of a function.
#[must_use]
pub fn place(unit: &Unit, function: &Function, place: &Place) -> String {
    Printer { unit, function }.place(place)
}

/// Shows a type in the manner of C, with the name in front: `*int` is a pointer to int.
#[must_use]
pub fn ty(unit: &Unit, id: TypeId) -> String {
    match unit.types.get(id) {
        Type::Void => "void".to_owned(),
        Type::Int(kind) => int_kind(*kind).to_owned(),
        Type::Float(4) => "float".to_owned(),
        Type::Float(8) => "double".to_owned(),
        Type::Float(FLOAT128) => "_Float128".to_owned(),
        Type::Float(_) => "long double".to_owned(),
        Type::Complex(size) => format!("complex{}", u32::from(*size) * 8),
        Type::Pointer(to) => format!("*{}", ty(unit, *to)),
        Type::Array(element, Some(length)) => format!("[{length}]{}", ty(unit, *element)),
        Type::Array(element, None) => format!("[]{}", ty(unit, *element)),
        Type::Function(f) => {
            let mut params: Vec<String> = match &f.params {
                Some(params) => params.iter().map(|p| ty(unit, *p)).collect(),
                None => vec!["?".to_owned()],
            };
            if f.variadic {
                params.push("...".to_owned());
            }
            format!("fn({}) -> {}", params.join(", "), ty(unit, f.result))
        }
        Type::Record(id) => {
            let record = unit.types.record(*id);
            let kind = if record.kind == RecordKind::Union { "union" } else { "struct" };
            format!("{kind} {}", record.name.as_deref().unwrap_or("{}"))
        }
        Type::Enum(name, _) => format!("enum {}", name.as_deref().unwrap_or("{}")),
        Type::Named(name) => name.to_string(),
        Type::Unknown => "?".to_owned(),
    }
}

fn int_kind(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "bool",
        IntKind::Char => "char",
        IntKind::SChar => "schar",
        IntKind::UChar => "uchar",
        IntKind::Short => "short",
        IntKind::UShort => "ushort",
        IntKind::Int => "int",
        IntKind::UInt => "uint",
        IntKind::Long => "long",
        IntKind::ULong => "ulong",
        IntKind::LongLong => "llong",
        IntKind::ULongLong => "ullong",
        IntKind::Int128 => "int128",
        IntKind::UInt128 => "uint128",
    }
}

/// The sign of an operator in C.
#[must_use]
pub fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}

fn initializer(unit: &Unit, init: &Initializer) -> String {
    match init {
        Initializer::Scalar(e) => {
            // A static initialiser names no local.
            let nobody = Function {
                name: "".into(),
                ty: e.ty,
                is_static: false,
                no_return: false,
                startup: Startup::default(),
                params: 0,
                locals: Vec::new(),
                body: None,
                threaded: Vec::new(),
                constructs: Vec::new(),
                span: e.span,
                name_span: e.span,
            };
            expr(unit, &nobody, e)
        }
        Initializer::Aggregate(items) => {
            let items: Vec<String> =
                items.iter().map(|(index, value)| format!("{index}: {}", initializer(unit, value))).collect();
            format!("{{{}}}", items.join(", "))
        }
        Initializer::Unknown => "?".to_owned(),
    }
}

struct Printer<'a> {
    unit: &'a Unit,
    function: &'a Function,
}

impl Printer<'_> {
    fn local(&self, id: LocalId) -> String {
        let Some(local) = self.function.locals.get(id.0 as usize) else { return format!("%{}", id.0) };
        let Some(name) = &local.name else { return format!("%{}", id.0) };
        let before =
            self.function.locals[..id.0 as usize].iter().filter(|l| l.name.as_ref() == Some(name)).count();
        if before == 0 { name.to_string() } else { format!("{name}.{}", before + 1) }
    }

    fn function(&self, out: &mut String) -> fmt::Result {
        let f = self.function;
        let result = match self.unit.types.get(f.ty) {
            Type::Function(signature) => ty(self.unit, signature.result),
            _ => "?".to_owned(),
        };
        let params: Vec<String> = f
            .locals
            .iter()
            .take(f.params as usize)
            .map(|l| format!("{}: {}", l.name.as_deref().unwrap_or("_"), ty(self.unit, l.ty)))
            .collect();
        let mut words = String::new();
        if f.is_static {
            words.push_str("static ");
        }
        if f.no_return {
            words.push_str("noreturn ");
        }
        if f.startup.before_main.is_some() {
            words.push_str("before-main ");
        }
        if f.startup.after_main {
            words.push_str("after-main ");
        }
        writeln!(out, "{words}fn {}({}) -> {result}", f.name, params.join(", "))?;
        for (index, local) in f.locals.iter().enumerate() {
            let name = self.local(LocalId(u32::try_from(index).unwrap_or(u32::MAX)));
            let mut notes = Vec::new();
            if index >= f.params as usize && local.name.is_some() {
                notes.push(ty(self.unit, local.ty));
            }
            if let Some(init) = &local.static_init {
                let value = init.as_ref().map_or_else(|| "0".to_owned(), |i| initializer(self.unit, i));
                notes.push(format!("static = {value}"));
            }
            if local.address_taken {
                notes.push("addressed".to_owned());
            }
            if local.unstable {
                notes.push("volatile".to_owned());
            }
            if !local.vla.is_empty() {
                let lengths: Vec<String> = local.vla.iter().map(|e| self.expr(e)).collect();
                notes.push(format!("lengths {}", lengths.join(", ")));
            }
            if !notes.is_empty() {
                writeln!(out, "  let {name}: {}", notes.join("; "))?;
            }
        }
        match &f.body {
            Some(cfg) => self.cfg(out, cfg),
            None => writeln!(out, "  lost"),
        }
    }

    fn cfg(&self, out: &mut String, cfg: &Cfg) -> fmt::Result {
        for id in cfg.graph.node_indices() {
            write!(out, "b{}:", id.index())?;
            if let Some(natural) = cfg.loops.iter().find(|l| l.header == id) {
                write!(out, " loop")?;
                for induction in &natural.inductions {
                    write!(out, " {}{:+}", self.local(induction.variable), induction.step)?;
                }
            }
            out.push('\n');
            let block = &cfg.graph[id];
            for inst in &block.insts {
                writeln!(out, "  {}", self.inst(inst))?;
            }
            writeln!(out, "  {}", self.terminator(&block.terminator))?;
        }
        if !cfg.unreachable_calls.is_empty() {
            writeln!(out, "unreachable calls: {}", cfg.unreachable_calls.len())?;
        }
        Ok(())
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Goto(target) => format!("goto b{}", target.index()),
            Terminator::Branch { condition, then, otherwise } => {
                format!("if {} then b{} else b{}", self.expr(condition), then.index(), otherwise.index())
            }
            Terminator::Switch { value, cases, default } => {
                let mut out = format!("switch {}", self.expr(value));
                for (low, high, target) in cases {
                    let _ = match low == high {
                        true => write!(out, " {low}: b{}", target.index()),
                        false => write!(out, " {low}..{high}: b{}", target.index()),
                    };
                }
                let _ = write!(out, " else b{}", default.index());
                out
            }
            Terminator::IndirectGoto(targets) => {
                let targets: Vec<String> = targets.iter().map(|t| format!("b{}", t.index())).collect();
                format!("goto any of {}", targets.join(", "))
            }
            Terminator::Return(Some(value), _) => format!("return {}", self.expr(value)),
            Terminator::Return(None, _) => "return".to_owned(),
            Terminator::Unreachable => "unreachable".to_owned(),
        }
    }

    fn inst(&self, inst: &Inst) -> String {
        match &inst.kind {
            InstKind::Assign(place, value) => format!("{} = {}", self.place(place), self.expr(value)),
            InstKind::Call { dest, callee, args } => {
                let args: Vec<String> = args.iter().map(|a| self.expr(a)).collect();
                let callee = match callee {
                    Callee::Direct { name, mpi: Some(function) } if function.name != &**name => {
                        format!("{name}[{}]", function.name)
                    }
                    Callee::Direct { name, .. } => name.to_string(),
                    Callee::Indirect(e) => format!("(*{})", self.expr(e)),
                };
                let dest = dest.as_ref().map(|d| format!("{} = ", self.place(d))).unwrap_or_default();
                let threads = match self.function.executed_by_several_threads(inst.span) {
                    true => " by several threads",
                    false => "",
                };
                format!("{dest}call {callee}({}){threads}", args.join(", "))
            }
            InstKind::Declare(id) => format!("declare {}", self.local(*id)),
            InstKind::Opaque { reason, writes } => match writes {
                None => format!("opaque \"{reason}\" writes anything"),
                Some(places) => {
                    let places: Vec<String> = places.iter().map(|p| self.place(p)).collect();
                    format!("opaque \"{reason}\" writes [{}]", places.join(", "))
                }
            },
        }
    }

    fn place(&self, place: &Place) -> String {
        let mut out = match &place.base {
            PlaceBase::Local(id) => self.local(*id),
            PlaceBase::Global(id) => self.unit.global(*id).name.to_string(),
            PlaceBase::Deref(pointer) => format!("*{}", self.operand(pointer)),
        };
        if matches!(place.base, PlaceBase::Deref(_)) && !place.projections.is_empty() {
            out = format!("({out})");
        }
        for projection in &place.projections {
            match projection {
                Projection::Field(record, index) => {
                    let field = self
                        .unit
                        .types
                        .record(*record)
                        .fields
                        .as_ref()
                        .and_then(|fields| fields.get(*index as usize));
                    match field.and_then(|f| f.name.as_deref()) {
                        Some(name) => {
                            let _ = write!(out, ".{name}");
                        }
                        None => {
                            let _ = write!(out, ".#{index}");
                        }
                    }
                }
                Projection::Index(index) => {
                    let _ = write!(out, "[{}]", self.expr(index));
                }
            }
        }
        out
    }

    /// An expression, in parentheses where it is an operator.
    fn operand(&self, e: &Expr) -> String {
        match e.kind {
            ExprKind::Binary(..) | ExprKind::Conditional(..) | ExprKind::Cast(_) => {
                format!("({})", self.expr(e))
            }
            _ => self.expr(e),
        }
    }

    fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Int(value) => {
                let suffix = match self.unit.types.get(e.ty) {
                    Type::Int(IntKind::UInt) => "u",
                    Type::Int(IntKind::Long | IntKind::LongLong) => "l",
                    Type::Int(IntKind::ULong | IntKind::ULongLong) => "ul",
                    Type::Pointer(_) => "p",
                    Type::Array(..) | Type::Record(_) => return "zeros".to_owned(),
                    _ => "",
                };
                format!("{value}{suffix}")
            }
            ExprKind::Float(value) => format!("{value:?}"),
            ExprKind::Str(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
            ExprKind::Constant { name, .. } => name.to_string(),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::FunctionAddress(name) => format!("&fn {name}"),
            ExprKind::Unary(op, a) => {
                let sign = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Real => "real ",
                    UnaryOp::Imag => "imag ",
                };
                format!("{sign}{}", self.operand(a))
            }
            ExprKind::Binary(op, a, b) => {
                format!("{} {} {}", self.operand(a), operator(*op), self.operand(b))
            }
            ExprKind::Conditional(c, t, f) => {
                format!("{} ? {} : {}", self.operand(c), self.operand(t), self.operand(f))
            }
            ExprKind::Cast(a) => format!("{} as {}", self.operand(a), ty(self.unit, e.ty)),
            ExprKind::Sizeof(of) => format!("sizeof {}", ty(self.unit, *of)),
            ExprKind::SizeofVla(lengths) => {
                let lengths: Vec<String> = lengths.iter().map(|l| self.operand(l)).collect();
                format!("sizeof({})", lengths.join(" * "))
            }
            ExprKind::Unknown(reason) => format!("<{reason}>"),
        }
    }
}
