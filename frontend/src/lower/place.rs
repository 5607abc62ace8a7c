//! Lvalues: where an expression's value lives.

use std::sync::Arc;

use crate::ir::{
    BinaryOp, Expr, ExprKind, Field, IntKind, Place, PlaceBase, Projection, Record, RecordId, RecordKind,
    Span, Type, TypeId,
};

use super::scope::Symbol;
use super::syntax::{FieldName, Kind, NodeId};
use super::unit::UnitLowerer;

impl<'t> UnitLowerer<'t> {
    /// The value at a place: arrays decay to a pointer to their first element.
    pub(super) fn load(&mut self, place: Place) -> Expr {
        let span = place.span;
        match *self.types.get(place.ty) {
            Type::Array(element, _) => {
                let zero = self.int(0, span);
                let mut first = place;
                first.projections.push(Projection::Index(zero));
                first.ty = element;
                let ty = self.pointer(element);
                Expr { kind: ExprKind::AddressOf(Box::new(first)), ty, span }
            }
            Type::Function(_) => self.address_of(place, span),
            _ => Expr { ty: self.loaded_type(&place), kind: ExprKind::Load(Box::new(place)), span },
        }
    }

    /// The type of a place's value. An unsigned bit-field whose values all fit `int` is an `int` (C11 6.3.1.1).
    fn loaded_type(&self, place: &Place) -> TypeId {
        if let Some(Projection::Field(record, index)) = place.projections.last()
            && let Some(fields) = &self.types.record(*record).fields
            && let Some(Field { bits: Some((_, width)), .. }) = fields.get(*index as usize)
            && *width < 32
            && self.int_kind(place.ty) == Some(IntKind::UInt)
        {
            return self.basic.int;
        }
        place.ty
    }

    /// `&place`, where `&*p` is `p`.
    pub(super) fn address_of(&mut self, place: Place, span: Span) -> Expr {
        let ty = self.pointer(place.ty);
        if place.projections.is_empty()
            && let PlaceBase::Deref(pointer) = place.base
        {
            return Expr { span, ty, ..*pointer };
        }
        Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span }
    }

    /// `*pointer`, where `*&x` is `x` and `*(&a[i] + j)` is `a[i + j]`.
    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Place {
        let ty = self.types.pointee(pointer.ty).unwrap_or(self.basic.unknown);
        match pointer.kind {
            ExprKind::AddressOf(place) if place.ty == ty => Place { span, ..*place },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), base, offset)
                if matches!(&base.kind, ExprKind::AddressOf(place)
                    if place.ty == ty && matches!(place.projections.last(), Some(Projection::Index(_)))) =>
            {
                let ExprKind::AddressOf(mut place) = base.kind else {
                    return Place { base: PlaceBase::Deref(base), projections: Vec::new(), ty, span };
                };
                if let Some(Projection::Index(index)) = place.projections.pop() {
                    let at = offset.span;
                    let index = if index.kind == ExprKind::Int(0) && op == BinaryOp::Add {
                        *offset
                    } else {
                        self.binary(op, index, *offset, at)
                    };
                    place.projections.push(Projection::Index(index));
                }
                Place { span, ..*place }
            }
            kind => {
                let pointer = Expr { kind, ..pointer };
                Place { base: PlaceBase::Deref(Box::new(pointer)), projections: Vec::new(), ty, span }
            }
        }
    }

    /// The place that a node denotes; a value that has none gets a temporary.
    pub(super) fn place(&mut self, node: NodeId) -> Place {
        self.deeper(|this| this.place_inner(node)).unwrap_or_else(|| self.unknown_place(self.span(node)))
    }

    /// A place about which nothing is known.
    pub(super) fn unknown_place(&mut self, span: Span) -> Place {
        let ty = self.basic.void_pointer;
        let pointer = self.unknown("address not modelled", ty, span);
        Place {
            base: PlaceBase::Deref(Box::new(pointer)),
            projections: Vec::new(),
            ty: self.basic.unknown,
            span,
        }
    }

    fn place_inner(&mut self, node: NodeId) -> Place {
        let n = self.syntax.get(node);
        match n.kind {
            Kind::Identifier | Kind::True | Kind::False | Kind::Null => {
                if let Some(place) = self.variable(node) {
                    return place;
                }
            }
            Kind::Parenthesized => {
                let inner = self.syntax.first(node).filter(|&i| self.syntax.kind(i) != Kind::Compound);
                if let Some(inner) = inner
                    && self.syntax.kind(inner) != Kind::Comma
                {
                    return self.place(inner);
                }
            }
            Kind::Subscript => return self.subscript(node),
            Kind::Field => return self.field_place(node),
            Kind::Pointer => {
                let star = self
                    .syntax
                    .field(node, FieldName::Operator)
                    .is_some_and(|o| self.syntax.kind(o) == Kind::Star);
                if star && let Some(argument) = self.syntax.field(node, FieldName::Argument) {
                    let pointer = self.expr(argument);
                    return self.deref(pointer, n.span);
                }
            }
            Kind::CompoundLiteral => return self.compound_literal(node),
            Kind::Assignment => return self.assignment(node),
            Kind::Comma => {
                if let (Some(left), Some(right)) =
                    (self.syntax.field(node, FieldName::Left), self.syntax.field(node, FieldName::Right))
                {
                    self.effects(left);
                    return self.place(right);
                }
            }
            _ => {}
        }
        // A value: a structure returned by a call, say.
        let value = self.expr(node);
        match value.kind {
            ExprKind::Load(place) => *place,
            _ => {
                let place = self.temporary(value.ty, n.span);
                self.emit_assign(place.clone(), value, n.span);
                place
            }
        }
    }

    /// The variable that an identifier names, if it is one.
    pub(super) fn variable(&mut self, node: NodeId) -> Option<Place> {
        let n = self.syntax.get(node);
        let name = self.source(n.span);
        let (base, ty) = match self.scopes.symbol(name) {
            Some(Symbol::Local(id)) => (PlaceBase::Local(id), self.body.locals.get(id.0 as usize)?.ty),
            Some(Symbol::Global(id)) => (PlaceBase::Global(id), self.globals[id.0 as usize].ty),
            _ => return None,
        };
        Some(Place { base, projections: Vec::new(), ty, span: n.span })
    }

    /// `a[i]`
    fn subscript(&mut self, node: NodeId) -> Place {
        let span = self.span(node);
        let (Some(argument), Some(index)) =
            (self.syntax.field(node, FieldName::Argument), self.syntax.field(node, FieldName::Index))
        else {
            return self.unknown_place(span);
        };
        if self.is_place(argument) {
            let place = self.place(argument);
            if let Type::Array(element, _) = *self.types.get(place.ty) {
                let index = self.expr(index);
                let mut projections = place.projections;
                projections.push(Projection::Index(index));
                return Place { base: place.base, projections, ty: element, span };
            }
            let pointer = self.load(place);
            let index = self.expr(index);
            return self.indexed(pointer, index, span);
        }
        let pointer = self.expr(argument);
        let index = self.expr(index);
        self.indexed(pointer, index, span)
    }

    fn indexed(&mut self, pointer: Expr, index: Expr, span: Span) -> Place {
        // `3[a]`, and undeclared arrays, of which nothing is known.
        let (pointer, index) = if !self.is_pointer(pointer.ty) && self.is_pointer(index.ty) {
            (index, pointer)
        } else {
            (pointer, index)
        };
        if !self.is_pointer(pointer.ty) {
            let at = pointer.span.cover(index.span);
            let zero = index.kind == ExprKind::Int(0);
            let ty = pointer.ty;
            let sum = if zero {
                pointer
            } else {
                Expr {
                    kind: ExprKind::Binary(BinaryOp::Add, Box::new(pointer), Box::new(index)),
                    ty,
                    span: at,
                }
            };
            return Place {
                base: PlaceBase::Deref(Box::new(sum)),
                projections: Vec::new(),
                ty: self.basic.unknown,
                span,
            };
        }
        let sum = self.binary(BinaryOp::Add, pointer, index, span);
        self.deref(sum, span)
    }

    /// Whether a node denotes a place by its form.
    fn is_place(&self, node: NodeId) -> bool {
        match self.syntax.kind(node) {
            Kind::Identifier => {
                matches!(self.scopes.symbol(self.node_text(node)), Some(Symbol::Local(_) | Symbol::Global(_)))
            }
            Kind::Subscript | Kind::Field | Kind::CompoundLiteral => true,
            Kind::Pointer => self
                .syntax
                .field(node, FieldName::Operator)
                .is_some_and(|o| self.syntax.kind(o) == Kind::Star),
            Kind::Parenthesized => self.syntax.first(node).is_some_and(|inner| self.is_place(inner)),
            _ => false,
        }
    }

    /// `a.b` and `p->b`
    fn field_place(&mut self, node: NodeId) -> Place {
        let span = self.span(node);
        let (Some(argument), Some(field)) =
            (self.syntax.field(node, FieldName::Argument), self.syntax.field(node, FieldName::Field))
        else {
            return self.unknown_place(span);
        };
        let arrow =
            self.syntax.field(node, FieldName::Operator).is_some_and(|o| self.syntax.kind(o) == Kind::Arrow);
        let mut place = if arrow {
            let pointer = self.expr(argument);
            self.deref(pointer, span)
        } else {
            self.place(argument)
        };
        place.span = span;
        let name = self.node_text(field);
        let path = match *self.types.get(place.ty) {
            Type::Record(id) => self.find_field(id, name),
            _ => None,
        };
        match path {
            Some(path) => {
                for (record, index, ty) in path {
                    place.projections.push(Projection::Field(record, index));
                    place.ty = ty;
                }
                place
            }
            None => self.opaque_field(place, name),
        }
    }

    /// A member of a record whose definition we have not seen. The record gets the members that are used, of unknown
    /// type, so that two uses of one are known to be the same.
    fn opaque_field(&mut self, mut place: Place, name: &'t str) -> Place {
        let (record, index) = self.opaque_member(place.ty, name);
        place.projections.push(Projection::Field(record, index));
        place.ty = self.basic.unknown;
        place
    }

    /// The stand-in for a type that is not defined, and the number of its member of this name.
    pub(super) fn opaque_member(&mut self, ty: TypeId, name: &'t str) -> (RecordId, u32) {
        let known = self.opaque_records.get(&ty).copied();
        let record = known.unwrap_or_else(|| {
            let tag = match self.types.get(ty) {
                Type::Named(name) => Some(Arc::clone(name)),
                Type::Record(id) => self.types.record(*id).name.clone(),
                _ => None,
            };
            // Its members get no offsets: there may be more of them.
            let record = self.types.add_record(Record {
                fields: Some(Vec::new()),
                ..Record::incomplete(RecordKind::Struct, tag)
            });
            self.opaque_records.insert(ty, record);
            record
        });
        let field_name = self.name(name);
        let ty = self.basic.unknown;
        let fields = self.types.record_mut(record).fields.get_or_insert_default();
        let index = fields.iter().position(|f| f.name.as_ref() == Some(&field_name)).unwrap_or_else(|| {
            fields.push(Field { name: Some(field_name), ty, offset: 0, bits: None });
            fields.len() - 1
        });
        (record, u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The type of a place or value as `sizeof` and `typeof` see it: arrays do not decay.
    pub(super) fn type_of(&mut self, node: NodeId) -> (TypeId, Vec<Expr>) {
        if matches!(self.syntax.kind(node), Kind::Str | Kind::ConcatenatedString) {
            let literal = self.string_literal(node);
            return (self.string_type(&literal), Vec::new());
        }
        if let Kind::Parenthesized = self.syntax.kind(node)
            && let Some(inner) = self.syntax.first(node)
            && !matches!(self.syntax.kind(inner), Kind::Compound | Kind::Comma)
        {
            return self.type_of(inner);
        }
        if self.is_place(node) {
            let place = self.place(node);
            // Of a variable-length array, or of a row of it.
            let rows = place.projections.len();
            let lengths = match place.base {
                PlaceBase::Local(id)
                    if place.projections.iter().all(|p| matches!(p, Projection::Index(_))) =>
                {
                    let lengths =
                        self.body.locals.get(id.0 as usize).map(|l| l.vla.as_slice()).unwrap_or_default();
                    lengths.get(rows..).unwrap_or_default().to_vec()
                }
                _ => Vec::new(),
            };
            let is_array = matches!(self.types.get(place.ty), Type::Array(..));
            return (place.ty, if is_array { lengths } else { Vec::new() });
        }
        (self.expr(node).ty, Vec::new())
    }
}
