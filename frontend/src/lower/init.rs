//! Initialisers: braces, designators, strings, and the braces that C lets one leave out.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ir::{Expr, ExprKind, Initializer, Place, Projection, RecordId, RecordKind, Span, Type, TypeId};

use super::syntax::{FieldName, Kind, NodeId};
use super::unit::UnitLowerer;

/// Elements kept of one initialiser; a larger one is a table that no analysis reads.
const MAX_ELEMENTS: usize = 4096;

/// Subobjects nested deeper than this are not C that anyone wrote.
const MAX_NESTING: usize = 64;

/// One step from an object to a subobject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Field(RecordId, u32),
    Element(u64),
}

/// One scalar (or string, or whole record) of an initialiser.
#[derive(Clone, Debug)]
struct Item {
    path: Vec<Step>,
    ty: TypeId,
    value: NodeId,
}

/// The values of one pair of braces, read from left to right.
struct Braces {
    values: Vec<NodeId>,
    next: usize,
}

#[derive(Default)]
struct Reading {
    items: Vec<Item>,
    /// One past the largest index used of the outermost array.
    length: u64,
    /// There were too many elements, or a designator that we could not follow.
    incomplete: bool,
    /// A range designator or the like needs more than one copy of a value.
    overflow: bool,
}

impl<'t> UnitLowerer<'t> {
    /// Initialises a local object; the type has its length by now.
    pub(super) fn initialise(&mut self, place: &Place, node: NodeId) {
        let span = self.span(node);
        if self.syntax.kind(node) != Kind::InitializerList && !self.is_string_for(place.ty, node) {
            if self.initialise_with_call(place, node) {
                return;
            }
            let value = self.expr(node);
            self.store(place.clone(), None, value, span);
            return;
        }
        if self.is_string_for(place.ty, node) {
            let value = self.string_contents(place.ty, node);
            self.emit_assign(place.clone(), value, span);
            return;
        }
        let reading = self.read_braces(place.ty, node);
        if reading.overflow {
            self.opaque("large initialiser", Some(vec![place.clone()]), span);
            return;
        }
        let aggregate = matches!(self.types.get(place.ty), Type::Array(..) | Type::Record(_))
            || self.is_undefined(place.ty);
        if aggregate && self.leaves(place.ty, &mut 5000) != Some(reading.items.len() as u64) {
            let zero = Expr { kind: ExprKind::Int(0), ty: place.ty, span };
            self.emit_assign(place.clone(), zero, span);
        }
        if reading.incomplete {
            self.opaque("initialiser not modelled", Some(vec![place.clone()]), span);
        }
        for item in reading.items {
            let mut target = place.clone();
            let at = self.span(item.value);
            for step in item.path {
                target.projections.push(match step {
                    Step::Field(record, index) => Projection::Field(record, index),
                    Step::Element(index) => Projection::Index(Expr {
                        kind: ExprKind::Int(i128::from(index)),
                        ty: self.basic.long,
                        span: at,
                    }),
                });
            }
            target.ty = item.ty;
            target.span = at;
            let value = if self.is_string_for(item.ty, item.value) {
                self.string_contents(item.ty, item.value)
            } else {
                self.expr(item.value)
            };
            self.store(target, None, value, at);
        }
    }

    /// The declared result type of the function that a call names.
    fn result_of_call(&mut self, node: NodeId) -> Option<TypeId> {
        let (name, _) = self.called_name(node)?;
        let ty = match self.scopes.symbol(name) {
            Some(super::scope::Symbol::Function(ty)) => ty,
            Some(_) => return Some(self.basic.unknown),
            None => self.known_function(name)?,
        };
        match self.types.get(ty) {
            Type::Function(function) => Some(function.result),
            _ => None,
        }
    }

    /// The initial value of an object that lives from the start.
    pub(super) fn static_initialiser(&mut self, ty: TypeId, node: NodeId) -> Initializer {
        if self.is_string_for(ty, node) {
            return Initializer::Scalar(self.string_contents(ty, node));
        }
        if self.syntax.kind(node) != Kind::InitializerList {
            return self.static_scalar(ty, node);
        }
        let reading = self.read_braces(ty, node);
        if reading.overflow || reading.incomplete {
            return Initializer::Unknown;
        }
        if !matches!(self.types.get(ty), Type::Array(..) | Type::Record(_)) {
            return match reading.items.first() {
                Some(item) => self.static_scalar(ty, item.value),
                None => Initializer::Scalar(Expr { kind: ExprKind::Int(0), ty, span: self.span(node) }),
            };
        }
        let mut root = Tree::default();
        for item in reading.items {
            let value = if self.is_string_for(item.ty, item.value) {
                Initializer::Scalar(self.string_contents(item.ty, item.value))
            } else {
                self.static_scalar(item.ty, item.value)
            };
            root.insert(&item.path, value);
        }
        root.finish()
    }

    fn static_scalar(&mut self, ty: TypeId, node: NodeId) -> Initializer {
        let (value, pure) = self.scratch(|this| {
            let value = this.expr(node);
            this.convert(value, ty)
        });
        if pure { Initializer::Scalar(value) } else { Initializer::Unknown }
    }

    /// An array type without length gets that of its initialiser.
    pub(super) fn completed(&mut self, ty: TypeId, node: NodeId) -> TypeId {
        let Type::Array(element, None) = *self.types.get(ty) else { return ty };
        let length = if self.is_string_for(ty, node) {
            let string = self.string_node(node);
            let literal = self.string_literal(string);
            literal.bytes.len() as u64 / literal.element.size() + 1
        } else if self.syntax.kind(node) == Kind::InitializerList {
            self.read_braces(ty, node).length
        } else if self.syntax.kind(node) == Kind::CompoundLiteral {
            // GNU: the array takes the literal's length.
            let literal = self.unevaluated(|this| this.type_of(node).0);
            return if matches!(self.types.get(literal), Type::Array(..)) { literal } else { ty };
        } else {
            return ty;
        };
        self.types.intern(Type::Array(element, Some(length)))
    }

    /// Looks through `{ "text" }` and parentheses.
    fn string_node(&self, node: NodeId) -> NodeId {
        let mut at = node;
        while matches!(self.syntax.kind(at), Kind::InitializerList | Kind::Parenthesized) {
            match self.syntax.first(at) {
                Some(inner) if self.syntax.next(inner).is_none() => at = inner,
                _ => return at,
            }
        }
        at
    }

    /// Whether `node` is a string that fills an array of type `ty`.
    fn is_string_for(&self, ty: TypeId, node: NodeId) -> bool {
        let Type::Array(element, _) = *self.types.get(ty) else { return false };
        matches!(self.syntax.kind(self.string_node(node)), Kind::Str | Kind::ConcatenatedString)
            && self.int_kind(element).is_some()
    }

    /// A string as the contents of an array: its type is the array's.
    fn string_contents(&mut self, ty: TypeId, node: NodeId) -> Expr {
        let literal = self.string_literal(self.string_node(node));
        Expr { kind: ExprKind::Str(Arc::from(literal.bytes)), ty, span: self.span(node) }
    }

    /// How many scalars (strings count as their array) an object has, as far as an initialiser counts them. `None` for
    /// unions, and where it is too much to count.
    fn leaves(&self, ty: TypeId, fuel: &mut u32) -> Option<u64> {
        *fuel = fuel.checked_sub(1)?;
        match *self.types.get(ty) {
            Type::Array(element, length) => self.leaves(element, fuel)?.checked_mul(length?),
            Type::Record(id) => {
                let record = self.types.record(id);
                let fields = record.fields.as_ref()?;
                if record.kind == RecordKind::Union {
                    return None;
                }
                let mut sum = 0_u64;
                for field in fields {
                    sum = sum.checked_add(self.leaves(field.ty, fuel)?)?;
                }
                Some(sum)
            }
            _ => Some(1),
        }
    }

    fn read_braces(&mut self, ty: TypeId, node: NodeId) -> Reading {
        let mut reading = Reading::default();
        self.read_list(ty, node, &mut Vec::new(), &mut reading);
        reading
    }

    /// Reads `{ ... }` for an object of type `ty` at `path`.
    fn read_list(&mut self, ty: TypeId, node: NodeId, path: &mut Vec<Step>, out: &mut Reading) {
        let mut braces = Braces { values: self.syntax.children(node).collect(), next: 0 };
        let designated = braces.values.first().is_some_and(|&v| self.syntax.kind(v) == Kind::InitializerPair);
        if matches!(self.types.get(ty), Type::Array(..) | Type::Record(_))
            || designated
            || braces.values.len() > 1
        {
            self.read_aggregate(ty, &mut braces, true, path, out);
        } else if let Some(&first) = braces.values.first() {
            self.read_value(ty, first, path, out);
        }
    }

    /// Reads as many values as the aggregate takes. `braced`: it has the braces to itself, so designators are its own.
    fn read_aggregate(
        &mut self,
        ty: TypeId,
        braces: &mut Braces,
        braced: bool,
        path: &mut Vec<Step>,
        out: &mut Reading,
    ) {
        if path.len() > MAX_NESTING {
            out.incomplete = true;
            braces.next = braces.values.len();
            return;
        }
        let mut position = 0_u64;
        while let Some(&node) = braces.values.get(braces.next) {
            if out.items.len() > MAX_ELEMENTS {
                out.overflow = true;
                // The length is still wanted; the rest of a flat table counts one each.
                if path.is_empty() {
                    let rest = (braces.values.len() - braces.next) as u64;
                    out.length = out.length.max(position + rest);
                }
                return;
            }
            if self.syntax.kind(node) == Kind::InitializerPair {
                if !braced {
                    return;
                }
                braces.next += 1;
                match self.designated(ty, node, path, out) {
                    Some(next) => position = next,
                    None => out.incomplete = true,
                }
                if path.is_empty() {
                    out.length = out.length.max(position);
                }
                continue;
            }
            let Some((step, member)) = self.subobject(ty, position) else {
                if braced {
                    // Excess elements: the compiler warns and drops them. Of an unknown type nothing is excess.
                    out.incomplete |= self.is_undefined(ty);
                    braces.next += 1;
                    continue;
                }
                return;
            };
            path.push(step);
            self.read_subobject(member, braces, path, out);
            path.pop();
            position += 1;
            if path.is_empty() {
                out.length = out.length.max(position);
            }
            if matches!(*self.types.get(ty), Type::Record(id) if self.types.record(id).kind == RecordKind::Union)
            {
                position = u64::MAX;
            }
        }
    }

    /// The n-th element or member that takes part in initialisation.
    fn subobject(&self, ty: TypeId, position: u64) -> Option<(Step, TypeId)> {
        match *self.types.get(ty) {
            Type::Array(element, length) => {
                length.is_none_or(|l| position < l).then_some((Step::Element(position), element))
            }
            Type::Record(id) => {
                // Unnamed bit-fields take no value; anonymous records do.
                let fields = self.types.record(id).fields.as_ref()?;
                let (index, field) = fields
                    .iter()
                    .enumerate()
                    .filter(|(_, f)| f.name.is_some() || f.bits.is_none())
                    .nth(usize::try_from(position).ok()?)?;
                Some((Step::Field(id, u32::try_from(index).ok()?), field.ty))
            }
            _ => None,
        }
    }

    /// Reads the value or values of one member from the braces around it.
    fn read_subobject(&mut self, ty: TypeId, braces: &mut Braces, path: &mut Vec<Step>, out: &mut Reading) {
        let Some(&node) = braces.values.get(braces.next) else { return };
        let aggregate = matches!(self.types.get(ty), Type::Array(..) | Type::Record(_));
        let whole = self.syntax.kind(node) == Kind::InitializerList
            || !aggregate
            || self.is_string_for(ty, node)
            || (matches!(self.types.get(ty), Type::Record(_)) && self.has_record_type(node));
        if whole {
            braces.next += 1;
            self.read_value(ty, node, path, out);
        } else {
            let before = braces.next;
            self.read_aggregate(ty, braces, false, path, out);
            // An empty record takes nothing; the value goes on to the next member. Never stand still at the end.
            if braces.next == before && self.leaves(ty, &mut 5000) != Some(0) {
                braces.next += 1;
                out.incomplete = true;
            }
        }
    }

    fn read_value(&mut self, ty: TypeId, node: NodeId, path: &mut Vec<Step>, out: &mut Reading) {
        if self.syntax.kind(node) == Kind::InitializerList && !self.is_string_for(ty, node) {
            self.read_list(ty, node, path, out);
            return;
        }
        out.items.push(Item { path: path.clone(), ty, value: node });
    }

    /// Whether a type is one of which only the name is known.
    fn is_undefined(&self, ty: TypeId) -> bool {
        match *self.types.get(ty) {
            Type::Named(_) | Type::Unknown => true,
            Type::Record(id) => self.types.record(id).fields.is_none(),
            _ => false,
        }
    }

    /// Whether an expression is a whole record.
    fn has_record_type(&mut self, node: NodeId) -> bool {
        match self.syntax.kind(node) {
            Kind::Number
            | Kind::CharLiteral
            | Kind::Str
            | Kind::ConcatenatedString
            | Kind::Binary
            | Kind::Unary => false,
            Kind::Call => {
                let result = self.result_of_call(node);
                result.is_some_and(|ty| matches!(self.types.get(ty), Type::Record(_)))
            }
            Kind::CompoundLiteral | Kind::Cast => match self.part(node, FieldName::Type) {
                Some(ty) => {
                    let ty = self.unevaluated(|this| this.type_descriptor(ty));
                    matches!(self.types.get(ty), Type::Record(_))
                }
                None => false,
            },
            _ if self.syntax.get(node).effects => false,
            _ => {
                let ty = self.unevaluated(|this| this.type_of(node).0);
                matches!(self.types.get(ty), Type::Record(_))
            }
        }
    }

    /// `.a[3] = value`, `[1 ... 4] = value`, `a: value`. The result is the position after the designated one.
    fn designated(
        &mut self,
        ty: TypeId,
        node: NodeId,
        path: &mut Vec<Step>,
        out: &mut Reading,
    ) -> Option<u64> {
        let value = self.part(node, FieldName::Value)?;
        let designators: Vec<NodeId> = self
            .syntax
            .children(node)
            .filter(|&n| self.syntax.get(n).field == FieldName::Designator)
            .collect();
        let depth = path.len();
        let mut at = ty;
        let mut next = None;
        let mut copies = 1_u64;
        for (index, designator) in designators.into_iter().enumerate() {
            let reached = self.designate(at, designator, path);
            let Some((after, member, range)) = reached else {
                path.truncate(depth);
                return None;
            };
            at = member;
            if index == 0 {
                next = Some(after);
                copies = range;
            }
        }
        let before = out.items.len();
        self.read_value(at, value, path, out);
        // The further elements of a range hold copies.
        let added: Vec<Item> = out.items[before..].to_vec();
        if copies > 1 {
            if copies.saturating_mul(added.len() as u64) > MAX_ELEMENTS as u64
                || !added.iter().all(|i| i.path.len() > depth)
            {
                out.overflow = true;
            } else {
                for copy in 1..copies {
                    for item in &added {
                        let mut item = item.clone();
                        if let Step::Element(index) = &mut item.path[depth] {
                            *index += copy;
                        }
                        out.items.push(item);
                    }
                }
            }
        }
        path.truncate(depth);
        next
    }

    /// Follows one designator; the result is the position after it, the type reached and the length of a range.
    fn designate(&mut self, ty: TypeId, node: NodeId, path: &mut Vec<Step>) -> Option<(u64, TypeId, u64)> {
        match self.syntax.kind(node) {
            Kind::FieldDesignator | Kind::FieldIdentifier => {
                let name = match self.syntax.child(node, Kind::FieldIdentifier) {
                    Some(name) => self.node_text(name),
                    None => self.node_text(node),
                };
                if self.is_undefined(ty) {
                    let (record, index) = self.opaque_member(ty, name);
                    path.push(Step::Field(record, index));
                    return Some((u64::MAX, self.basic.unknown, 1));
                }
                let Type::Record(id) = *self.types.get(ty) else { return None };
                let steps = self.find_field(id, name)?;
                let (_, first, _) = *steps.first()?;
                let fields = self.types.record(id).fields.as_ref()?;
                let skipped = fields
                    .iter()
                    .take(first as usize)
                    .filter(|f| f.name.is_none() && f.bits.is_some())
                    .count() as u64;
                let union = self.types.record(id).kind == RecordKind::Union;
                let (_, _, reached) = *steps.last()?;
                path.extend(steps.iter().map(|&(record, index, _)| Step::Field(record, index)));
                let next = if union { u64::MAX } else { u64::from(first) - skipped + 1 };
                Some((next, reached, 1))
            }
            Kind::SubscriptDesignator => {
                let index = self.syntax.first(node)?;
                let index = u64::try_from(self.constant_value(index)?).ok()?;
                let element = self.types.pointee(ty)?;
                path.push(Step::Element(index));
                Some((index.checked_add(1)?, element, 1))
            }
            Kind::SubscriptRangeDesignator => {
                let start = self.part(node, FieldName::Start)?;
                let end = self.part(node, FieldName::End)?;
                let start = u64::try_from(self.constant_value(start)?).ok()?;
                let end = u64::try_from(self.constant_value(end)?).ok()?;
                let element = self.types.pointee(ty)?;
                path.push(Step::Element(start));
                Some((end.checked_add(1)?, element, end.checked_sub(start)?.checked_add(1)?))
            }
            _ => None,
        }
    }

    /// `(T) { ... }`: a new object each time it is reached.
    pub(super) fn compound_literal(&mut self, node: NodeId) -> Place {
        let span: Span = self.span(node);
        let (Some(ty), Some(value)) = (self.part(node, FieldName::Type), self.part(node, FieldName::Value))
        else {
            return self.unknown_place(span);
        };
        let ty = self.type_descriptor(ty);
        let ty = self.completed(ty, value);
        let place = self.temporary(ty, span);
        self.initialise(&place, value);
        place
    }
}

/// A static initialiser while it is put together; a later value replaces an earlier one.
#[derive(Default)]
struct Tree {
    value: Option<Initializer>,
    children: BTreeMap<u64, Tree>,
}

impl Tree {
    fn insert(&mut self, path: &[Step], value: Initializer) {
        match path.split_first() {
            None => {
                self.children.clear();
                self.value = Some(value);
            }
            Some((step, rest)) => {
                let index = match *step {
                    Step::Field(_, index) => u64::from(index),
                    Step::Element(index) => index,
                };
                self.children.entry(index).or_default().insert(rest, value);
            }
        }
    }

    fn finish(self) -> Initializer {
        if let (Some(value), true) = (self.value, self.children.is_empty()) {
            return value;
        }
        Initializer::Aggregate(
            self.children.into_iter().map(|(index, child)| (index, child.finish())).collect(),
        )
    }
}
