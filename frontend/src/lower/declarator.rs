//! Declarators: from a base type outwards-in to the declared name.

use crate::ir::{Expr, FunctionType, Span, Type, TypeId};

use super::syntax::{FieldName, Kind, NodeId};
use super::types::Storage;
use super::unit::UnitLowerer;

/// A type with more pointers, arrays and functions in one declarator than this is not C that anyone wrote.
const MAX_LEVELS: u32 = 100;

/// What a declarator declares.
#[derive(Clone, Debug)]
pub(super) struct Declared<'t> {
    /// The name and where it stands; abstract declarators have none.
    pub(super) name: Option<(&'t str, Span)>,
    pub(super) ty: TypeId,
    /// The parameter list that belongs to the name itself, if it is a function.
    pub(super) parameters: Option<NodeId>,
    /// Lengths of the arrays met, outermost first; empty where all are constants.
    pub(super) lengths: Vec<Expr>,
    /// A `volatile` on the outermost pointer.
    pub(super) unstable: bool,
}

impl<'t> UnitLowerer<'t> {
    /// The declarators of a declaration, in order.
    pub(super) fn declarators(&self, node: NodeId) -> Vec<NodeId> {
        self.syntax.children(node).filter(|&n| self.syntax.get(n).field == FieldName::Declarator).collect()
    }

    /// Reads a declarator, applied to `base`.
    pub(super) fn declarator(&mut self, node: NodeId, base: TypeId) -> Declared<'t> {
        let mut out =
            Declared { name: None, ty: base, parameters: None, lengths: Vec::new(), unstable: false };
        let mut variable = false;
        let mut lengths = Vec::new();
        let mut at = Some(node);
        let mut levels = 0;
        while let Some(n) = at {
            levels += 1;
            if levels > MAX_LEVELS {
                out.ty = self.basic.unknown;
            }
            let info = self.syntax.get(n);
            let inner = self.syntax.field(n, FieldName::Declarator);
            match info.kind {
                Kind::PointerDeclarator => {
                    out.ty = self.pointer(out.ty);
                    out.parameters = None;
                    out.unstable = self.syntax.children(n).any(|c| {
                        self.syntax.kind(c) == Kind::TypeQualifier && self.node_text(c) == "volatile"
                    });
                    at = inner;
                }
                Kind::ArrayDeclarator => {
                    let (length, expression) = self.array_length(n);
                    out.ty = self.types.intern(Type::Array(out.ty, length));
                    out.parameters = None;
                    variable |= length.is_none() && expression.is_some();
                    lengths.extend(expression);
                    at = inner;
                }
                Kind::FunctionDeclarator => {
                    let parameters = self.syntax.field(n, FieldName::Parameters);
                    out.ty = self.function_type(out.ty, parameters);
                    out.parameters = parameters;
                    lengths.clear();
                    variable = false;
                    at = inner;
                }
                Kind::ParenthesizedDeclarator | Kind::AttributedDeclarator => {
                    at = self.syntax.children(n).find(|&c| {
                        matches!(
                            self.syntax.kind(c),
                            Kind::PointerDeclarator
                                | Kind::ArrayDeclarator
                                | Kind::FunctionDeclarator
                                | Kind::ParenthesizedDeclarator
                                | Kind::AttributedDeclarator
                                | Kind::Identifier
                                | Kind::FieldIdentifier
                                | Kind::TypeIdentifier
                                | Kind::PrimitiveType
                        )
                    });
                }
                Kind::InitDeclarator => at = inner,
                _ => {
                    out.name = Some((self.source(info.span), info.span));
                    break;
                }
            }
        }
        if variable {
            lengths.reverse();
            out.lengths = lengths;
        }
        out
    }

    /// Length of an array declarator: the constant, and the expression of any length.
    fn array_length(&mut self, node: NodeId) -> (Option<u64>, Option<Expr>) {
        let Some(size) = self.syntax.field(node, FieldName::Size) else { return (None, None) };
        if self.syntax.kind(size) == Kind::Star {
            return (None, None);
        }
        let (value, expression) = self.length(size);
        (value.and_then(|v| u64::try_from(v).ok()), Some(expression))
    }

    /// `result (parameters)` with parameter types adjusted.
    fn function_type(&mut self, result: TypeId, parameters: Option<NodeId>) -> TypeId {
        let mut params = Vec::new();
        let mut variadic = false;
        let mut old_style = false;
        let nodes: Vec<NodeId> = parameters.map(|p| self.syntax.children(p).collect()).unwrap_or_default();
        if nodes.is_empty() {
            old_style = true;
        }
        // Tags and parameters used in later array lengths are local to the list.
        self.scopes.open();
        for node in nodes {
            match self.syntax.kind(node) {
                Kind::ParameterDeclaration => {
                    let declared = self.deeper(|this| this.parameter(node, true).1);
                    params.push(declared.map_or(self.basic.unknown, |d| d.ty));
                }
                Kind::VariadicParameter => variadic = true,
                Kind::Identifier => old_style = true,
                _ => {}
            }
        }
        self.scopes.close();
        if params.len() == 1 && params[0] == self.basic.void {
            params.clear();
        }
        let params = if old_style && params.is_empty() { None } else { Some(params) };
        self.types.intern(Type::Function(FunctionType { result, params, variadic }))
    }

    /// A parameter with its adjusted type. `prototype`: lengths of arrays are not evaluated.
    pub(super) fn parameter(&mut self, node: NodeId, prototype: bool) -> (Storage, Declared<'t>) {
        let (storage, base) = self.specifiers(node);
        let (quiet, outer) = (self.body.quiet, self.body.prototype);
        self.body.quiet = quiet || prototype;
        self.body.prototype = outer || prototype;
        let mut declared = match self.syntax.field(node, FieldName::Declarator) {
            Some(declarator) => self.declarator(declarator, base),
            None => Declared { name: None, ty: base, parameters: None, lengths: Vec::new(), unstable: false },
        };
        self.body.quiet = quiet;
        self.body.prototype = outer;
        let outer_array = matches!(self.types.get(declared.ty), Type::Array(..));
        declared.ty = self.adjusted(declared.ty);
        if outer_array && !declared.lengths.is_empty() {
            declared.lengths.remove(0);
        }
        (storage, declared)
    }

    /// The type of a parameter declared with this type: arrays and functions become pointers.
    pub(super) fn adjusted(&mut self, ty: TypeId) -> TypeId {
        match *self.types.get(ty) {
            Type::Array(element, _) => self.pointer(element),
            Type::Function(_) => self.pointer(ty),
            _ => ty,
        }
    }
}
