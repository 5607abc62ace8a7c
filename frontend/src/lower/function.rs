//! Function definitions.

use crate::ir::{Expr, ExprKind, Function, FunctionType, Local, LocalId, Span, Terminator, Type, TypeId};

use super::declarator::Declared;
use super::flow::{Body, finish};
use super::rewrite::Attribute;
use super::scope::Symbol;
use super::syntax::{FieldName, Kind, NodeId};
use super::unit::UnitLowerer;

impl<'t> UnitLowerer<'t> {
    /// A function definition at file scope.
    pub(super) fn function_definition(&mut self, node: NodeId) {
        let whole = self.span(node);
        let (storage, base) = self.specifiers(node);
        let (Some(declarator), Some(body)) =
            (self.part(node, FieldName::Declarator), self.part(node, FieldName::Body))
        else {
            self.problem(whole, "a function definition without declarator or body");
            return;
        };
        let declared = self.declarator(declarator, base);
        let (Some((name, name_span)), Some(parameters)) = (declared.name, declared.parameters) else {
            self.problem(whole, "not a function definition");
            return;
        };
        let body_start = self.span(body).start;
        let no_return =
            self.no_return.contains(name) || self.has_attribute(Attribute::NoReturn, whole.start, body_start);
        if no_return {
            self.no_return.insert(name);
        }
        let startup = self.startup(name, 0, body_start);
        let is_static = storage.is_static || self.static_functions.contains(name);
        let old = self.scopes.symbol(name);
        let ty = match (old, self.types.get(declared.ty)) {
            // A prototype says more than a K&R definition.
            (Some(Symbol::Function(old)), Type::Function(f)) if f.params.is_none() => old,
            _ => declared.ty,
        };
        self.scopes.declare(name, Symbol::Function(ty));
        let result = match self.types.get(declared.ty) {
            Type::Function(FunctionType { result, .. }) => *result,
            _ => self.basic.unknown,
        };
        let saved = std::mem::take(&mut self.body);
        self.body.name = Some(name);
        self.body.result = Some(result);
        let entry = self.new_block();
        self.enter(entry);
        self.scopes.open();
        self.parameters(node, parameters);
        // Lengths in parameter types are not evaluated yet, so no temporary is among the locals.
        let params = u32::try_from(self.body.locals.len()).unwrap_or(u32::MAX);
        self.lengths_of_parameters(parameters);
        self.statements_in(body);
        self.end_scope(0);
        self.scopes.close();
        self.close_body(name == "main", result, whole);
        let threaded = self.threaded(body);
        let constructs = self.constructs(body);
        let name_shared = self.name(name);
        let Body { blocks, addressed, mut locals, .. } = std::mem::replace(&mut self.body, saved);
        let cfg = finish(blocks, &addressed, &mut locals);
        self.add_function(Function {
            name: name_shared,
            ty,
            is_static,
            no_return,
            startup,
            params,
            locals,
            body: Some(cfg),
            threaded,
            constructs,
            span: whole,
            name_span,
        });
    }

    /// The end of the body: an implicit `return`; labels that never came.
    fn close_body(&mut self, main: bool, result: TypeId, whole: Span) {
        let end = Span { start: whole.end.saturating_sub(1), end: whole.end };
        // Reaching the end of `main` returns 0 (C11 5.1.2.2.3).
        let value = (main && self.int_kind(result).is_some()).then_some(Expr {
            kind: ExprKind::Int(0),
            ty: result,
            span: end,
        });
        self.terminate(Terminator::Return(value, end));
        self.finish_leaps();
        let wanted = std::mem::take(&mut self.body.wanted);
        let mut missing: Vec<&str> = Vec::new();
        for (name, span) in wanted {
            if !self.body.placed.contains(&name) && !missing.contains(&name) {
                missing.push(name);
                self.problem(span, format!("label `{name}` is not in the function"));
            }
        }
    }

    /// Declares the parameters of a definition, of either style.
    fn parameters(&mut self, definition: NodeId, list: NodeId) {
        let nodes: Vec<NodeId> = self.syntax.children(list).collect();
        let old_style: Vec<NodeId> =
            nodes.iter().copied().filter(|&n| self.syntax.kind(n) == Kind::Identifier).collect();
        if !old_style.is_empty() {
            self.old_style_parameters(definition, &old_style);
            return;
        }
        let single = nodes.len() == 1;
        for node in nodes {
            if self.syntax.kind(node) != Kind::ParameterDeclaration {
                continue;
            }
            let (storage, declared) = self.parameter(node, true);
            let span = self.span(node);
            match declared.name {
                Some((name, at)) => {
                    let unstable = storage.unstable || declared.unstable;
                    self.add_parameter(name, declared.ty, at, unstable);
                }
                None if single && declared.ty == self.basic.void => {}
                // `f(a) { }` of old C: a name without a type is an int.
                None => {
                    let word = self.node_text(node);
                    let known = self.scopes.symbol(word).is_some() || self.library_type(word).is_some();
                    let old = matches!(*self.types.get(declared.ty), Type::Named(_)) && !known;
                    let ty = if old { self.basic.int } else { declared.ty };
                    self.add_parameter(if old { word } else { "" }, ty, span, false);
                }
            }
        }
    }

    fn add_parameter(&mut self, name: &'t str, ty: TypeId, span: Span, unstable: bool) {
        let shared = self.name(name);
        let id = self.add_local(Local {
            name: Some(shared),
            ty,
            static_init: None,
            address_taken: false,
            unstable,
            vla: Vec::new(),
            span,
        });
        if !name.is_empty() {
            self.scopes.declare(name, Symbol::Local(id));
        }
    }

    /// `f(a, b) int a; char *b;`: parameters in the order of the list, `int` where nothing is declared.
    fn old_style_parameters(&mut self, definition: NodeId, names: &[NodeId]) {
        let mut declared: Vec<(Declared<'t>, bool)> = Vec::new();
        let declarations: Vec<NodeId> =
            self.syntax.children(definition).filter(|&n| self.syntax.kind(n) == Kind::Declaration).collect();
        for declaration in declarations {
            let (storage, base) = self.specifiers(declaration);
            let declarators: Vec<NodeId> = self
                .syntax
                .children(declaration)
                .filter(|&n| self.syntax.get(n).field == FieldName::Declarator)
                .collect();
            for declarator in declarators {
                let one = self.declarator(declarator, base);
                declared.push((one, storage.unstable));
            }
        }
        for &node in names {
            let name = self.node_text(node);
            let found = declared.iter().find(|(d, _)| d.name.is_some_and(|(n, _)| n == name));
            let (ty, span, unstable) = match found {
                Some((d, unstable)) => {
                    (d.ty, d.name.map_or(self.span(node), |(_, s)| s), *unstable || d.unstable)
                }
                None => (self.basic.int, self.span(node), false),
            };
            let ty = self.adjusted(ty);
            self.add_parameter(name, ty, span, unstable);
        }
    }

    /// `double a[n][m]`: the lengths of the inner dimensions, once all parameters are declared.
    fn lengths_of_parameters(&mut self, list: NodeId) {
        let nodes: Vec<NodeId> = self
            .syntax
            .children(list)
            .filter(|&n| self.syntax.kind(n) == Kind::ParameterDeclaration)
            .collect();
        for (index, node) in nodes.into_iter().enumerate() {
            // Only an array of arrays has lengths that its own type does not tell.
            let id = LocalId(u32::try_from(index).unwrap_or(u32::MAX));
            let Some(local) = self.body.locals.get(index) else { return };
            let variable = match *self.types.get(local.ty) {
                Type::Pointer(inner) => matches!(self.types.get(inner), Type::Array(_, None)),
                _ => false,
            };
            if variable {
                let (_, declared) = self.parameter(node, false);
                if let Some(local) = self.body.locals.get_mut(id.0 as usize) {
                    local.vla = declared.lengths;
                }
            }
        }
    }

    /// A function defined within a function (GNU) is known by name only: it may use the variables around it.
    pub(super) fn nested_function(&mut self, node: NodeId) {
        let Some(declarator) = self.part(node, FieldName::Declarator) else { return };
        let (_, base) = self.specifiers(node);
        let declared = self.declarator(declarator, base);
        if let Some((name, _)) = declared.name {
            self.scopes.declare(name, Symbol::Function(declared.ty));
        }
    }
}
