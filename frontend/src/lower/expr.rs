//! Expressions as values.

use std::sync::Arc;

use crate::ir::{BinaryOp, Expr, ExprKind, Place, Span, Type, TypeId, UnaryOp};
use crate::mpi;

use super::library;
use super::rewrite::Special;
use super::scope::Symbol;
use super::syntax::{FieldName, Kind, NodeId};
use super::unit::UnitLowerer;

/// Expressions nested deeper than this have no model, so that no later stage needs a deep stack.
const MAX_DEPTH: u32 = 400;

/// Operands of one chain `a + b + c + ...`, likewise.
const MAX_CHAIN: usize = 800;

/// The operator a token stands for.
fn operator(kind: Kind) -> Option<BinaryOp> {
    Some(match kind {
        Kind::Plus => BinaryOp::Add,
        Kind::Minus => BinaryOp::Sub,
        Kind::Star => BinaryOp::Mul,
        Kind::Slash => BinaryOp::Div,
        Kind::Percent => BinaryOp::Rem,
        Kind::Shl => BinaryOp::Shl,
        Kind::Shr => BinaryOp::Shr,
        Kind::Ampersand => BinaryOp::BitAnd,
        Kind::Bar => BinaryOp::BitOr,
        Kind::Caret => BinaryOp::BitXor,
        Kind::Less => BinaryOp::Lt,
        Kind::LessEqual => BinaryOp::Le,
        Kind::Greater => BinaryOp::Gt,
        Kind::GreaterEqual => BinaryOp::Ge,
        Kind::EqualEqual => BinaryOp::Eq,
        Kind::NotEqual => BinaryOp::Ne,
        Kind::AndAnd => BinaryOp::And,
        Kind::OrOr => BinaryOp::Or,
        _ => return None,
    })
}

impl<'t> UnitLowerer<'t> {
    /// Runs `f` one level deeper; `None` where that is too deep.
    pub(super) fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 << 10, 4 << 20, || f(self));
        self.depth -= 1;
        Some(result)
    }

    /// The value of an expression; its side effects become instructions.
    pub(super) fn expr(&mut self, node: NodeId) -> Expr {
        let value = self.deeper(|this| this.expr_inner(node));
        value.unwrap_or_else(|| self.too_deep(node))
    }

    fn too_deep(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        if self.syntax.get(node).effects {
            self.opaque("expression nested too deeply", None, span);
        }
        self.unknown("expression nested too deeply", self.basic.unknown, span)
    }

    /// An instruction without a model.
    pub(super) fn opaque(&mut self, reason: &'static str, writes: Option<Vec<Place>>, span: Span) {
        self.emit(crate::ir::InstKind::Opaque { reason, writes }, span);
    }

    /// A child by field.
    pub(super) fn part(&self, node: NodeId, field: FieldName) -> Option<NodeId> {
        self.syntax.field(node, field)
    }

    fn expr_inner(&mut self, node: NodeId) -> Expr {
        let n = self.syntax.get(node);
        let span = n.span;
        match n.kind {
            Kind::Number => self.number_expr(self.source(span), span),
            Kind::CharLiteral => self.char_expr(self.source(span), span),
            Kind::Str | Kind::ConcatenatedString => self.string_expr(node),
            Kind::Identifier
            | Kind::TypeIdentifier
            | Kind::True
            | Kind::False
            | Kind::Null
            | Kind::PrimitiveType => self.identifier(node),
            Kind::Parenthesized => self.parenthesized(node),
            Kind::Binary => self.binary_expr(node),
            Kind::Unary => self.unary_expr(node),
            Kind::Pointer => self.pointer_expr(node),
            Kind::Subscript | Kind::Field | Kind::CompoundLiteral => {
                let place = self.place(node);
                self.load(place)
            }
            Kind::Assignment => {
                let place = self.assignment(node);
                self.load(place)
            }
            Kind::Update => self.update(node),
            Kind::Call => self.call_value(node),
            Kind::Cast => self.cast_expr(node),
            Kind::Sizeof => self.sizeof_expr(node),
            Kind::Conditional => self.conditional_expr(node),
            Kind::Comma => {
                if let Some(left) = self.part(node, FieldName::Left) {
                    self.effects(left);
                }
                match self.part(node, FieldName::Right) {
                    Some(right) => self.expr(right),
                    None => self.unknown("malformed expression", self.basic.int, span),
                }
            }
            Kind::Generic => self.generic(node),
            Kind::Extension => match self.syntax.children(node).last() {
                Some(inner) => self.expr(inner),
                None => self.unknown("malformed expression", self.basic.int, span),
            },
            Kind::Compound => self.statement_expression(node),
            Kind::Asm => {
                self.opaque("inline assembly", None, span);
                self.unknown("inline assembly", self.basic.unknown, span)
            }
            Kind::InitializerList => {
                self.unknown("initialiser list in an expression", self.basic.unknown, span)
            }
            _ => {
                if n.effects {
                    self.opaque("construct not modelled", None, span);
                }
                self.unknown("construct not modelled", self.basic.unknown, span)
            }
        }
    }

    /// Evaluates an expression for its side effects.
    pub(super) fn effects(&mut self, node: NodeId) {
        let n = self.syntax.get(node);
        if !n.effects {
            // Undeclared names in it are still worth nothing.
            return;
        }
        let done = self.deeper(|this| match n.kind {
            Kind::Parenthesized => match this.syntax.first(node) {
                Some(inner) if this.syntax.kind(inner) == Kind::Compound => {
                    this.statement_expression(inner);
                }
                Some(inner) => this.effects(inner),
                None => {}
            },
            Kind::Cast => {
                if let Some(value) = this.part(node, FieldName::Value) {
                    this.effects(value);
                }
            }
            Kind::Comma => {
                for side in [FieldName::Left, FieldName::Right] {
                    if let Some(side) = this.part(node, side) {
                        this.effects(side);
                    }
                }
            }
            Kind::Assignment => {
                this.assignment(node);
            }
            Kind::Update => this.update_effect(node),
            Kind::Call => this.call_effect(node),
            Kind::Conditional => this.conditional_effect(node),
            Kind::Binary if this.logical_operator(node).is_some() => this.logical_effect(node),
            _ => {
                this.expr(node);
            }
        });
        if done.is_none() {
            self.too_deep(node);
        }
    }

    fn parenthesized(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        match self.syntax.first(node) {
            Some(inner) if self.syntax.kind(inner) == Kind::Compound => self.statement_expression(inner),
            Some(inner) => self.expr(inner),
            None => self.unknown("malformed expression", self.basic.int, span),
        }
    }

    fn identifier(&mut self, node: NodeId) -> Expr {
        let n = self.syntax.get(node);
        let span = n.span;
        let name = self.source(span);
        if n.special == Some(Special::ImaginaryNumber) {
            let ty = self.types.intern(Type::Complex(16));
            return self.unknown("imaginary constant", ty, span);
        }
        match self.scopes.symbol(name) {
            Some(Symbol::Enumerator(value, ty)) => {
                return Expr {
                    kind: ExprKind::Constant { name: self.name(name), value: Some(value) },
                    ty,
                    span,
                };
            }
            Some(Symbol::Function(ty)) => return self.function_address(name, ty, span),
            Some(Symbol::Local(_)) => {}
            Some(Symbol::Global(_)) => {
                if let Some(constant) = self.mpi_constant(name, span) {
                    return constant;
                }
            }
            Some(Symbol::Type(ty, _)) => return self.unknown("type name in an expression", ty, span),
            None => return self.undeclared(name, span),
        }
        match self.variable(node) {
            Some(place) => self.load(place),
            None => self.unknown("variable not modelled", self.basic.unknown, span),
        }
    }

    pub(super) fn function_address(&mut self, name: &'t str, ty: TypeId, span: Span) -> Expr {
        let ty = self.pointer(ty);
        Expr { kind: ExprKind::FunctionAddress(self.name(name)), ty, span }
    }

    /// A predefined constant of MPI.
    fn mpi_constant(&mut self, name: &'t str, span: Span) -> Option<Expr> {
        if !name.starts_with("MPI") {
            return None;
        }
        let constant = mpi::constant(name)?;
        let ty = self.spelled_type(constant.ctype);
        let kind = ExprKind::Constant { name: self.name(name), value: constant.value.map(i128::from) };
        Some(Expr { kind, ty, span })
    }

    /// A name that the unit does not declare: of a dropped system header, of C itself, or forgotten.
    fn undeclared(&mut self, name: &'t str, span: Span) -> Expr {
        if let Some(constant) = self.mpi_constant(name, span) {
            return constant;
        }
        match name {
            "true" | "TRUE" => return self.int(1, span),
            "false" | "FALSE" => return self.int(0, span),
            "NULL" | "nullptr" => {
                let ty = self.basic.void_pointer;
                return Expr { kind: ExprKind::Int(0), ty, span };
            }
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                let text = self.body.name.unwrap_or("");
                let ty = self.basic.char_pointer;
                return Expr { kind: ExprKind::Str(Arc::from(text.as_bytes())), ty, span };
            }
            _ => {}
        }
        if let Some(value) = library::constant(name) {
            return self.int(value.into(), span);
        }
        if let Some(ty) = self.known_function(name) {
            return self.function_address(name, ty, span);
        }
        let ty = match library::variable(name) {
            Some(text) => self.spelled_type(text),
            None => self.basic.unknown,
        };
        if self.body.prototype {
            // A parameter of the same list, or nothing.
            return self.unknown("name in a prototype", ty, span);
        }
        // It keeps its identity: two uses of it are the same variable.
        let id = self.declare_external(name, ty, span);
        let place = Place { base: crate::ir::PlaceBase::Global(id), projections: Vec::new(), ty, span };
        self.load(place)
    }

    /// The binary operator of a node and, if it is `&&` or `||`, which.
    pub(super) fn logical_operator(&self, node: NodeId) -> Option<BinaryOp> {
        let operator = self.part(node, FieldName::Operator)?;
        match self.syntax.kind(operator) {
            Kind::AndAnd => Some(BinaryOp::And),
            Kind::OrOr => Some(BinaryOp::Or),
            _ => None,
        }
    }

    fn binary_expr(&mut self, node: NodeId) -> Expr {
        if self.logical_operator(node).is_some() {
            return self.logical_expr(node);
        }
        // `a + b + c` leans to the left; walk down without recursion.
        let mut chain = Vec::new();
        let mut at = node;
        while self.syntax.kind(at) == Kind::Binary && self.logical_operator(at).is_none() {
            let (Some(op), Some(left), Some(right)) = (
                self.part(at, FieldName::Operator).and_then(|o| operator(self.syntax.kind(o))),
                self.part(at, FieldName::Left),
                self.part(at, FieldName::Right),
            ) else {
                return self.unknown("operator not modelled", self.basic.unknown, self.span(at));
            };
            chain.push((op, right, self.span(at)));
            at = left;
        }
        if chain.len() > MAX_CHAIN {
            return self.too_deep(node);
        }
        let mut value = self.expr(at);
        for (op, right, span) in chain.into_iter().rev() {
            let right = self.expr(right);
            value = self.binary(op, value, right, span);
        }
        value
    }

    fn unary_operator(&self, node: NodeId) -> Option<UnaryOp> {
        let operator = self.syntax.get(self.part(node, FieldName::Operator)?);
        match (operator.kind, operator.special) {
            (_, Some(Special::Real)) => Some(UnaryOp::Real),
            (_, Some(Special::Imag)) => Some(UnaryOp::Imag),
            (Kind::Minus, _) => Some(UnaryOp::Neg),
            (Kind::Bang, _) => Some(UnaryOp::Not),
            (Kind::Tilde, _) => Some(UnaryOp::BitNot),
            _ => None,
        }
    }

    fn unary_expr(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        let Some(argument) = self.part(node, FieldName::Argument) else {
            return self.unknown("malformed expression", self.basic.int, span);
        };
        let value = self.expr(argument);
        self.apply_unary(node, value)
    }

    /// The operator of a unary node, applied to a value.
    pub(super) fn apply_unary(&mut self, node: NodeId, value: Expr) -> Expr {
        let span = self.span(node);
        match self.unary_operator(node) {
            Some(op) => self.unary(op, value, span),
            // Unary plus promotes.
            None => {
                let value = self.promote(value);
                Expr { span, ..value }
            }
        }
    }

    /// `*p` and `&x`
    fn pointer_expr(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        let operator = self.part(node, FieldName::Operator).map(|o| self.syntax.get(o));
        let (Some(operator), Some(argument)) = (operator, self.part(node, FieldName::Argument)) else {
            return self.unknown("malformed expression", self.basic.int, span);
        };
        if operator.kind == Kind::Star {
            let place = self.place(node);
            return self.load(place);
        }
        if operator.special == Some(Special::LabelAddress) {
            let label = self.node_text(argument);
            let block = self.label(label, span);
            if !self.body.addressed.contains(&block) {
                self.body.addressed.push(block);
            }
            return self.unknown("address of a label", self.basic.void_pointer, span);
        }
        // `&f` is `f` for a function; `&"text"` and `&(constant)` of macros have no place.
        let mut inner = argument;
        while self.syntax.kind(inner) == Kind::Parenthesized {
            match self.syntax.first(inner) {
                Some(next) => inner = next,
                None => break,
            }
        }
        if self.syntax.kind(inner) == Kind::Identifier && self.variable(inner).is_none() {
            let value = self.expr(inner);
            return match value.kind {
                ExprKind::Load(place) => self.address_of(*place, span),
                _ => Expr { span, ..value },
            };
        }
        if matches!(self.syntax.kind(inner), Kind::Str | Kind::ConcatenatedString) {
            let literal = self.string_literal(inner);
            let array = self.string_type(&literal);
            let ty = self.pointer(array);
            return Expr { kind: ExprKind::Str(Arc::from(literal.bytes)), ty, span };
        }
        let place = self.place(argument);
        self.address_of(place, span)
    }

    fn cast_expr(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        let (Some(ty), Some(value)) = (self.part(node, FieldName::Type), self.part(node, FieldName::Value))
        else {
            return self.unknown("malformed expression", self.basic.int, span);
        };
        let ty = self.type_descriptor(ty);
        if ty == self.basic.void {
            self.effects(value);
            return Expr { kind: ExprKind::Int(0), ty, span };
        }
        let value = self.expr(value);
        // GNU: a cast to a union type, and vector types, keep the value.
        self.explicit_cast(value, ty, span)
    }

    /// The type that `sizeof` is applied to: a type name or an expression.
    pub(super) fn sizeof_operand_type(&mut self, node: NodeId) -> TypeId {
        if let Some(ty) = self.part(node, FieldName::Type) {
            return self.type_descriptor(ty);
        }
        match self.part(node, FieldName::Value) {
            Some(value) => self.unevaluated(|this| this.type_of(value).0),
            None => self.basic.unknown,
        }
    }

    fn sizeof_expr(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        let (ty, lengths) = if let Some(name) = self.part(node, FieldName::Type) {
            let (_, base) = self.specifiers(name);
            match self.part(name, FieldName::Declarator) {
                Some(declarator) => {
                    let declared = self.declarator(declarator, base);
                    (declared.ty, declared.lengths)
                }
                None => (base, Vec::new()),
            }
        } else if let Some(value) = self.part(node, FieldName::Value) {
            self.unevaluated(|this| this.type_of(value))
        } else {
            (self.basic.unknown, Vec::new())
        };
        self.size_of_type(ty, lengths, span)
    }

    /// `sizeof` of a type; `lengths` are those of its outer dimensions if it is variable.
    pub(super) fn size_of_type(&mut self, ty: TypeId, lengths: Vec<Expr>, span: Span) -> Expr {
        let result = self.basic.ulong;
        if let Some(size) = self.types.size(ty) {
            return Expr { kind: ExprKind::Int(i128::from(size)), ty: result, span };
        }
        // Peel the dimensions that the lengths are of.
        let mut element = ty;
        for _ in 0..lengths.len() {
            if let Type::Array(inner, _) = *self.types.get(element) {
                element = inner;
            }
        }
        let Some(size) = self.element_size(element, span) else {
            return self.unknown("size of an incomplete type", result, span);
        };
        if lengths.is_empty() {
            return size;
        }
        let factors = std::iter::once(size).chain(lengths).collect();
        Expr { kind: ExprKind::SizeofVla(factors), ty: result, span }
    }

    /// `sizeof` of a type of constant length: a number, or a multiple of the size of a type of unknown size.
    fn element_size(&mut self, ty: TypeId, span: Span) -> Option<Expr> {
        let result = self.basic.ulong;
        let number = |value: u64| Expr { kind: ExprKind::Int(i128::from(value)), ty: result, span };
        if let Some(size) = self.types.size(ty) {
            return Some(number(size));
        }
        // A type without a size even in the model is incomplete, or its very name is not known.
        self.types.model_size(ty)?;
        let (mut element, mut count) = (ty, 1_u64);
        while let Type::Array(inner, length) = *self.types.get(element) {
            count = count.checked_mul(length?)?;
            element = inner;
        }
        if *self.types.get(element) == Type::Unknown {
            return None;
        }
        let one = Expr { kind: ExprKind::Sizeof(element), ty: result, span };
        Some(if element == ty { one } else { self.binary(BinaryOp::Mul, one, number(count), span) })
    }

    /// `_Generic`: the association whose type is that of the controlling expression.
    fn generic(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        let parts: Vec<NodeId> =
            self.syntax.children(node).filter(|&n| !matches!(self.syntax.kind(n), Kind::Other)).collect();
        let Some((&control, associations)) = parts.split_first() else {
            return self.unknown("malformed expression", self.basic.int, span);
        };
        let control = self.unevaluated(|this| this.expr(control).ty);
        let mut default = None;
        let mut chosen = None;
        for pair in associations.chunks_exact(2) {
            let [ty, value] = *pair else { continue };
            let word = self
                .syntax
                .children(ty)
                .find(|&n| self.syntax.get(n).special == Some(Special::GenericDefault));
            if word.is_some() {
                default = Some(value);
            } else if chosen.is_none() && self.type_descriptor(ty) == control {
                chosen = Some(value);
            }
        }
        match chosen.or(default) {
            Some(value) => self.expr(value),
            None => self.unknown("no association of _Generic fits", self.basic.unknown, span),
        }
    }
}
