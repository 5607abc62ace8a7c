//! Calls.

use crate::ir::{Callee, Expr, ExprKind, FunctionType, InstKind, Place, Span, Terminator, Type, TypeId};
use crate::mpi;

use super::library;
use super::rewrite::Special;
use super::scope::Symbol;
use super::syntax::{FieldName, Kind, NodeId};
use super::unit::UnitLowerer;

/// A call whose arguments have been evaluated.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) callee: Callee,
    pub(super) args: Vec<Expr>,
    pub(super) result: TypeId,
    pub(super) span: Span,
    pub(super) returns: bool,
}

impl<'t> UnitLowerer<'t> {
    /// The arguments of a call node.
    pub(super) fn arguments(&self, call: NodeId) -> Vec<NodeId> {
        self.part(call, FieldName::Arguments)
            .map(|list| self.syntax.children(list).collect())
            .unwrap_or_default()
    }

    /// The name called and what the rewriting made of it, where the callee is a plain name.
    pub(super) fn called_name(&self, call: NodeId) -> Option<(&'t str, Option<Special>)> {
        let mut callee = self.part(call, FieldName::Function)?;
        while self.syntax.kind(callee) == Kind::Parenthesized {
            callee = self.syntax.first(callee)?;
        }
        let n = self.syntax.get(callee);
        matches!(n.kind, Kind::Identifier).then(|| (self.source(n.span), n.special))
    }

    /// The type of a function that no declaration in the text names: of MPI, of the C library, or a builtin.
    pub(super) fn known_function(&mut self, name: &str) -> Option<TypeId> {
        if let Some(function) = mpi::lookup(name) {
            return Some(self.mpi_function_type(function));
        }
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let result = self.spelled_type(library::result(plain)?);
        // What functions of numbers take is of the type of their result.
        let params = library::real_parameters(plain).map(|count| vec![result; count]);
        Some(self.types.intern(Type::Function(FunctionType { result, params, variadic: false })))
    }

    fn mpi_function_type(&mut self, function: &'static mpi::Function) -> TypeId {
        let result = self.spelled_type(function.ret);
        let mut params = Vec::new();
        let mut variadic = false;
        for param in &function.params {
            if param.ctype == "..." {
                variadic = true;
            } else {
                params.push(self.spelled_type(param.ctype));
            }
        }
        self.types.intern(Type::Function(FunctionType { result, params: Some(params), variadic }))
    }

    /// Evaluates callee and arguments; `None` for builtins that are not calls.
    pub(super) fn prepare_call(&mut self, node: NodeId) -> Option<Prepared> {
        let span = self.span(node);
        let named = self.called_name(node);
        if let Some((name, special)) = named
            && (special.is_some() || self.is_builtin(name))
        {
            return None;
        }
        let mut returns = true;
        let (callee, ty) = match named {
            Some((name, _)) => match self.scopes.symbol(name) {
                Some(Symbol::Local(_) | Symbol::Global(_)) => self.indirect_callee(node),
                Some(Symbol::Function(ty)) => {
                    returns = !(self.no_return.contains(name) || library::never_returns(name));
                    (self.direct(name), Some(ty))
                }
                _ => {
                    returns = !library::never_returns(name);
                    let ty = self.known_function(name);
                    (self.direct(name.strip_prefix("__builtin_").unwrap_or(name)), ty)
                }
            },
            None => self.indirect_callee(node),
        };
        let signature = ty.and_then(|ty| match self.types.get(ty) {
            Type::Function(function) => Some(function.clone()),
            _ => None,
        });
        let nodes = self.arguments(node);
        let mut args = Vec::with_capacity(nodes.len());
        for (index, argument) in nodes.into_iter().enumerate() {
            let value = self.expr(argument);
            let parameter =
                signature.as_ref().and_then(|s| s.params.as_ref()).and_then(|p| p.get(index).copied());
            args.push(match parameter {
                Some(ty) => self.convert(value, ty),
                None => self.default_promotion(value),
            });
        }
        let result = match signature {
            Some(signature) => signature.result,
            None => {
                named.and_then(|(name, _)| self.generic_result(name, &args)).unwrap_or(self.basic.unknown)
            }
        };
        Some(Prepared { callee, args, result, span, returns })
    }

    /// A call by name.
    fn direct(&mut self, name: &'t str) -> Callee {
        let mpi = mpi::lookup(name)
            .or_else(|| self.options.wrappers.get(name).and_then(|target| mpi::lookup(target)));
        Callee::Direct { name: self.name(name), mpi }
    }

    /// A call through an expression; `f`, `*f` and `&f` of a function are calls by name.
    fn indirect_callee(&mut self, node: NodeId) -> (Callee, Option<TypeId>) {
        let Some(function) = self.part(node, FieldName::Function) else {
            let span = self.span(node);
            return (Callee::Indirect(self.unknown("malformed call", self.basic.unknown, span)), None);
        };
        let value = self.expr(function);
        let ty = self.types.pointee(value.ty);
        match &value.kind {
            ExprKind::FunctionAddress(name) => {
                let mpi = mpi::lookup(name)
                    .or_else(|| self.options.wrappers.get(&**name).and_then(|target| mpi::lookup(target)));
                (Callee::Direct { name: name.clone(), mpi }, ty)
            }
            _ => (Callee::Indirect(value), ty),
        }
    }

    /// Emits a prepared call; control does not come back from one that never returns.
    pub(super) fn emit_call(&mut self, call: Prepared, dest: Option<Place>) {
        let Prepared { callee, args, span, returns, .. } = call;
        self.emit(InstKind::Call { dest, callee, args }, span);
        if !returns && !self.body.quiet {
            self.terminate(Terminator::Unreachable);
        }
    }

    /// A call as a value.
    pub(super) fn call_value(&mut self, node: NodeId) -> Expr {
        let Some(prepared) = self.prepare_call(node) else { return self.builtin(node) };
        let (ty, span) = (prepared.result, prepared.span);
        if ty == self.basic.void {
            self.emit_call(prepared, None);
            return Expr { kind: ExprKind::Int(0), ty, span };
        }
        let result = self.temporary(ty, span);
        self.emit_call(prepared, Some(result.clone()));
        self.load(result)
    }

    /// A call whose value is not used.
    pub(super) fn call_effect(&mut self, node: NodeId) {
        match self.prepare_call(node) {
            Some(prepared) => self.emit_call(prepared, None),
            None => {
                self.builtin(node);
            }
        }
    }
}
