//! Declarations: at file scope and in blocks.

use crate::ir::{Global, GlobalId, InstKind, Local, LocalId, Place, PlaceBase, Span, Type, TypeId};

use super::declarator::Declared;
use super::rewrite::{Attribute, Special};
use super::scope::Symbol;
use super::syntax::{FieldName, Kind, NodeId};
use super::types::Storage;
use super::unit::UnitLowerer;

impl<'t> UnitLowerer<'t> {
    pub(super) fn initial_value(&self, declarator: NodeId) -> Option<NodeId> {
        match self.syntax.kind(declarator) {
            Kind::InitDeclarator => self.part(declarator, FieldName::Value),
            _ => None,
        }
    }

    /// Whether the type of a declaration is to be that of its initialiser.
    fn is_auto_type(&self, node: NodeId) -> bool {
        self.part(node, FieldName::Type)
            .is_some_and(|ty| self.syntax.get(ty).special == Some(Special::AutoType))
    }

    /// A declaration at file scope.
    pub(super) fn file_declaration(&mut self, node: NodeId) {
        let (storage, base) = self.specifiers(node);
        let whole = self.span(node);
        for declarator in self.declarators(node) {
            let declared = self.declarator(declarator, base);
            let Some((name, span)) = declared.name else { continue };
            if matches!(self.types.get(declared.ty), Type::Function(_)) {
                self.declare_function(name, declared.ty, storage, whole);
                continue;
            }
            let value = self.initial_value(declarator);
            let defined = value.is_some() || !storage.is_extern;
            let unstable = storage.unstable || declared.unstable;
            let id = self.declare_global(name, declared.ty, span, storage.is_static, defined, unstable);
            self.scopes.declare(name, Symbol::Global(id));
            if let Some(value) = value {
                self.define_global(id, value);
            }
        }
    }

    fn define_global(&mut self, id: GlobalId, value: NodeId) {
        let ty = self.globals[id.0 as usize].ty;
        let ty = self.completed(ty, value);
        let init = self.static_initialiser(ty, value);
        let global = &mut self.globals[id.0 as usize];
        global.ty = ty;
        global.init = Some(init);
    }

    /// A function declared without a body.
    pub(super) fn declare_function(&mut self, name: &'t str, ty: TypeId, storage: Storage, whole: Span) {
        if self.has_attribute(Attribute::NoReturn, whole.start, whole.end.saturating_add(1)) {
            self.no_return.insert(name);
        }
        let start = if self.body.name.is_none() { 0 } else { whole.start };
        self.startup(name, start, whole.end.saturating_add(1));
        if storage.is_static {
            self.static_functions.insert(name);
        }
        // `int f();` after a prototype adds nothing.
        let says_less = matches!(self.types.get(ty), Type::Function(f) if f.params.is_none());
        let ty = match self.scopes.symbol(name) {
            Some(Symbol::Function(old)) if says_less => old,
            _ => ty,
        };
        self.scopes.declare(name, Symbol::Function(ty));
        let shared = self.name(name);
        self.prototypes.insert(shared, ty);
    }

    /// A variable of file scope, declared (again).
    fn declare_global(
        &mut self,
        name: &'t str,
        ty: TypeId,
        span: Span,
        is_static: bool,
        defined: bool,
        unstable: bool,
    ) -> GlobalId {
        if let Some(&id) = self.global_by_name.get(name) {
            let incomplete = matches!(
                *self.types.get(self.globals[id.0 as usize].ty),
                Type::Array(_, None) | Type::Unknown
            );
            let global = &mut self.globals[id.0 as usize];
            if incomplete {
                global.ty = ty;
            }
            if defined && !global.defined {
                global.span = span;
            }
            global.defined |= defined;
            global.is_static |= is_static;
            global.unstable |= unstable;
            return id;
        }
        let id = GlobalId(u32::try_from(self.globals.len()).unwrap_or(u32::MAX));
        let shared = self.name(name);
        self.globals.push(Global { name: shared, ty, is_static, defined, unstable, init: None, span });
        self.global_by_name.insert(name, id);
        id
    }

    /// A variable that is defined elsewhere.
    pub(super) fn declare_external(&mut self, name: &'t str, ty: TypeId, span: Span) -> GlobalId {
        self.declare_global(name, ty, span, false, false, false)
    }

    /// A declaration in a block.
    pub(super) fn block_declaration(&mut self, node: NodeId) {
        let (storage, base) = self.specifiers(node);
        let whole = self.span(node);
        let auto = self.is_auto_type(node);
        // `a * b;` with a variable `a` is an expression without effect, whatever the grammar makes of it.
        if let Some(ty) = self.part(node, FieldName::Type)
            && self.syntax.kind(ty) == Kind::TypeIdentifier
            && matches!(self.scopes.symbol(self.node_text(ty)), Some(Symbol::Local(_) | Symbol::Global(_)))
        {
            return;
        }
        let declarators = self.declarators(node);
        let cleanups = self.cleanups_of(node, &declarators);
        for (declarator, cleanup) in declarators.into_iter().zip(cleanups) {
            let value = self.initial_value(declarator);
            if auto && let Some(value) = value {
                self.declare_auto(declarator, value);
                continue;
            }
            let declared = self.declarator(declarator, base);
            let Some((name, span)) = declared.name else { continue };
            if matches!(self.types.get(declared.ty), Type::Function(_)) {
                self.declare_function(name, declared.ty, storage, whole);
            } else if storage.is_extern {
                let id = self.declare_external(name, declared.ty, span);
                self.scopes.declare(name, Symbol::Global(id));
            } else {
                let local = self.declare_local(name, span, declared, storage, value);
                if let Some(function) = cleanup
                    && !storage.is_static
                {
                    self.clean_up_later(local, function, span);
                }
            }
        }
    }

    /// `__auto_type x = value;`
    fn declare_auto(&mut self, declarator: NodeId, value: NodeId) {
        let value = self.expr(value);
        let declared = self.declarator(declarator, value.ty);
        let Some((name, span)) = declared.name else { return };
        let place = self.temporary(value.ty, span);
        if let Some(id) = place.as_local() {
            let shared = self.name(name);
            if let Some(local) = self.body.locals.get_mut(id.0 as usize) {
                local.name = Some(shared);
            }
            self.scopes.declare(name, Symbol::Local(id));
        }
        self.emit_assign(place, value, span);
    }

    fn declare_local(
        &mut self,
        name: &'t str,
        span: Span,
        declared: Declared<'t>,
        storage: Storage,
        value: Option<NodeId>,
    ) -> LocalId {
        let ty = match value {
            Some(value) => self.completed(declared.ty, value),
            None => declared.ty,
        };
        let shared = self.name(name);
        let id = self.add_local(Local {
            name: Some(shared),
            ty,
            static_init: None,
            address_taken: false,
            unstable: storage.unstable || declared.unstable,
            vla: declared.lengths,
            span,
        });
        // The name is in scope in its own initialiser.
        self.scopes.declare(name, Symbol::Local(id));
        if storage.is_static {
            let init = value.map(|value| self.static_initialiser(ty, value));
            if let Some(local) = self.body.locals.get_mut(id.0 as usize) {
                local.static_init = Some(init);
            }
            return id;
        }
        let place = Place { base: PlaceBase::Local(id), projections: Vec::new(), ty, span };
        match value {
            Some(value) => self.initialise(&place, value),
            None => self.emit(InstKind::Declare(id), span),
        }
        id
    }
}
