//! Builtins of GNU C that are not functions, and what the rewriting turned into calls.

use crate::ir::{Callee, Expr, ExprKind, InstKind, Place, Span, Terminator, Type, TypeId};

use super::rewrite::Special;
use super::syntax::{FieldName, Kind, NodeId};
use super::unit::UnitLowerer;

impl<'t> UnitLowerer<'t> {
    /// Whether a call of this name is no call.
    pub(super) fn is_builtin(&self, name: &str) -> bool {
        let Some(word) = name.strip_prefix("__builtin_") else { return name == "__assume" };
        matches!(
            word,
            "expect"
                | "expect_with_probability"
                | "assume_aligned"
                | "constant_p"
                | "choose_expr"
                | "va_start"
                | "va_end"
                | "va_copy"
                | "unreachable"
                | "prefetch"
                | "object_size"
                | "dynamic_object_size"
                | "return_address"
                | "frame_address"
                | "extract_return_addr"
                | "inf"
                | "inff"
                | "infl"
                | "huge_val"
                | "huge_valf"
                | "huge_vall"
                | "nan"
                | "nanf"
                | "nanl"
                | "assume"
                | "complex"
        )
    }

    /// For `__builtin_expect(x, c)`: `x`.
    pub(super) fn transparent_call(&self, node: NodeId) -> Option<NodeId> {
        let (name, None) = self.called_name(node)? else { return None };
        matches!(name, "__builtin_expect" | "__builtin_expect_with_probability" | "__builtin_assume_aligned")
            .then(|| self.arguments(node).first().copied())
            .flatten()
    }

    /// The value of a builtin.
    pub(super) fn builtin(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        let args = self.arguments(node);
        let Some((name, special)) = self.called_name(node) else {
            return self.unknown("malformed call", self.basic.unknown, span);
        };
        if let Some(special) = special {
            return self.special_call(special, &args, span);
        }
        if let Some(inner) = self.transparent_call(node) {
            return self.expr(inner);
        }
        match (name.strip_prefix("__builtin_").unwrap_or(name), args.as_slice()) {
            ("constant_p", [value]) => {
                let known = self.constant_value(*value).is_some();
                self.int(i128::from(known), span)
            }
            ("choose_expr", [choice, yes, no]) => {
                let chosen = if self.constant_value(*choice).unwrap_or(0) != 0 { *yes } else { *no };
                self.expr(chosen)
            }
            ("va_start" | "va_end" | "va_copy", [list, rest @ ..]) => {
                let place = self.place(*list);
                let list = self.address_of(place, span);
                let mut args = vec![list];
                // The last named parameter is no argument, the list that `va_copy` reads is one.
                if let (true, Some(source)) = (name.ends_with("copy"), rest.first()) {
                    args.push(self.expr(*source));
                }
                let word = name.strip_prefix("__builtin_").unwrap_or(name);
                self.library_call(word, None, args, span);
                Expr { kind: ExprKind::Int(0), ty: self.basic.void, span }
            }
            ("unreachable", _) => {
                self.terminate(Terminator::Unreachable);
                Expr { kind: ExprKind::Int(0), ty: self.basic.void, span }
            }
            ("prefetch" | "assume", _) | ("__assume", _) => {
                Expr { kind: ExprKind::Int(0), ty: self.basic.void, span }
            }
            ("inf" | "huge_val", _) => {
                Expr { kind: ExprKind::Float(f64::INFINITY), ty: self.basic.double, span }
            }
            ("inff" | "huge_valf", _) => {
                Expr { kind: ExprKind::Float(f64::INFINITY), ty: self.basic.float, span }
            }
            ("infl" | "huge_vall", _) => {
                let ty = self.types.intern(Type::Float(16));
                Expr { kind: ExprKind::Float(f64::INFINITY), ty, span }
            }
            ("nan", _) => Expr { kind: ExprKind::Float(f64::NAN), ty: self.basic.double, span },
            ("nanf", _) => Expr { kind: ExprKind::Float(f64::NAN), ty: self.basic.float, span },
            ("object_size" | "dynamic_object_size", _) => {
                // What the compiler answers where it does not know.
                Expr { kind: ExprKind::Int(i128::from(u64::MAX)), ty: self.basic.ulong, span }
            }
            ("complex", _) => {
                let ty = self.types.intern(Type::Complex(16));
                self.unknown("complex value", ty, span)
            }
            _ => self.unknown("builtin not modelled", self.basic.void_pointer, span),
        }
    }

    /// A call of a function of the C library that is written as a macro. It writes through the pointers it is given.
    fn library_call(&mut self, name: &'t str, dest: Option<Place>, args: Vec<Expr>, span: Span) {
        let callee = Callee::Direct { name: self.name(name), mpi: None };
        self.emit(InstKind::Call { dest, callee, args }, span);
    }

    fn special_call(&mut self, special: Special, args: &[NodeId], span: Span) -> Expr {
        match (special, args) {
            (Special::VaArg, [list, ty]) => {
                let ty = self.type_argument(*ty);
                let place = self.place(*list);
                let result = self.temporary(ty, span);
                let list = self.address_of(place, span);
                self.library_call("va_arg", Some(result.clone()), vec![list], span);
                self.load(result)
            }
            (Special::Offsetof, [ty, member]) => {
                let ty = self.type_argument(*ty);
                self.offset_of(ty, *member, span)
            }
            (Special::TypesCompatible, [a, b]) => {
                let (a, b) = (self.type_argument(*a), self.type_argument(*b));
                self.int(i128::from(a == b), span)
            }
            (Special::Alignof, [operand]) => {
                let align = match self.syntax.kind(*operand) {
                    Kind::Sizeof => self.alignment_of_operand(*operand),
                    _ => None,
                };
                match align {
                    Some(align) => {
                        Expr { kind: ExprKind::Int(i128::from(align)), ty: self.basic.ulong, span }
                    }
                    None => self.unknown("alignment that is not known", self.basic.ulong, span),
                }
            }
            (Special::GotoPointer, [target]) => {
                self.effects(*target);
                self.terminate(Terminator::IndirectGoto(Vec::new()));
                Expr { kind: ExprKind::Int(0), ty: self.basic.void, span }
            }
            (Special::Asm(memory), outputs) => {
                let outputs: Vec<_> = outputs.iter().map(|o| self.place(*o)).collect();
                self.opaque("inline assembly", if memory { None } else { Some(outputs) }, span);
                Expr { kind: ExprKind::Int(0), ty: self.basic.void, span }
            }
            _ => self.unknown("construct not modelled", self.basic.unknown, span),
        }
    }

    /// A type that the rewriting passed as `sizeof (type)`.
    fn type_argument(&mut self, node: NodeId) -> TypeId {
        if self.syntax.kind(node) == Kind::Sizeof {
            return self.sizeof_operand_type(node);
        }
        self.basic.unknown
    }

    /// `offsetof (type, a.b[3])`
    fn offset_of(&mut self, ty: TypeId, member: NodeId, span: Span) -> Expr {
        let result = self.basic.ulong;
        match self.deeper(|this| this.member_offset(ty, member)).flatten() {
            Some((offset, _)) => {
                self.offsets.push((span, ty));
                Expr { kind: ExprKind::Int(i128::from(offset)), ty: result, span }
            }
            None => self.unknown("offset in an incomplete type", result, span),
        }
    }

    /// Offset and type of a member designator within a type.
    fn member_offset(&mut self, ty: TypeId, node: NodeId) -> Option<(u64, TypeId)> {
        let n = self.syntax.get(node);
        let (base, outer, name) = match n.kind {
            Kind::Identifier | Kind::TypeIdentifier | Kind::PrimitiveType => (0, ty, self.source(n.span)),
            Kind::Field => {
                let argument = self.part(node, FieldName::Argument)?;
                let (offset, inner) = self.deeper(|this| this.member_offset(ty, argument))??;
                (offset, inner, self.node_text(self.part(node, FieldName::Field)?))
            }
            Kind::Subscript => {
                let argument = self.part(node, FieldName::Argument)?;
                let (offset, inner) = self.deeper(|this| this.member_offset(ty, argument))??;
                let index = self.constant_value(self.part(node, FieldName::Index)?)?;
                let element = self.types.pointee(inner)?;
                let step = self.types.size(element)?.checked_mul(u64::try_from(index).ok()?)?;
                return Some((offset.checked_add(step)?, element));
            }
            _ => return None,
        };
        let Type::Record(id) = *self.types.get(outer) else { return None };
        if !self.types.record(id).layout_known {
            return None;
        }
        let mut offset = base;
        let mut reached = outer;
        for (record, index, ty) in self.find_field(id, name)? {
            offset += self.types.record(record).fields.as_ref()?.get(index as usize)?.offset;
            reached = ty;
        }
        Some((offset, reached))
    }

    /// The result of builtins whose type is that of an argument: atomics on a pointer.
    pub(super) fn generic_result(&self, name: &str, args: &[Expr]) -> Option<TypeId> {
        let atomic = ["__sync_", "__atomic_", "atomic_"].iter().any(|p| name.starts_with(p));
        if !atomic {
            return None;
        }
        if ["compare_and_swap", "compare_exchange", "test_and_set", "is_lock_free"]
            .iter()
            .any(|w| name.contains(w))
            && !name.contains("val_")
        {
            return Some(self.basic.bool);
        }
        if ["store", "clear", "init", "release", "synchronize", "fence"].iter().any(|w| name.contains(w)) {
            return Some(self.basic.void);
        }
        args.first().and_then(|a| self.types.pointee(a.ty))
    }
}
