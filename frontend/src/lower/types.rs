//! Declaration specifiers and type names.

use crate::ir::types::{FLOAT128, MODEL_SIZE, MODEL_STATUS_SIZE};
use crate::ir::{IntKind, Record, RecordKind, Span, Type, TypeId};

use super::alignment::Alignment;
use super::lexer::Key;
use super::library;
use super::rewrite::{Attribute, Special};
use super::scope::{Symbol, Tag};
use super::syntax::{FieldName, Kind, NodeId};
use super::unit::{UnitLowerer, is_mpi_type};

/// What stands before the declarators of a declaration.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Storage {
    pub(super) is_static: bool,
    pub(super) is_extern: bool,
    /// `volatile`, `_Atomic` or `_Thread_local`.
    pub(super) unstable: bool,
}

impl<'t> UnitLowerer<'t> {
    /// Storage class and type of a declaration, parameter, field or type name.
    pub(super) fn specifiers(&mut self, node: NodeId) -> (Storage, TypeId) {
        let mut storage = Storage::default();
        let mut ty = None;
        let mut child = self.syntax.first(node);
        while let Some(n) = child {
            match self.syntax.kind(n) {
                Kind::StorageClass => match self.node_text(n) {
                    "static" => storage.is_static = true,
                    "extern" => storage.is_extern = true,
                    "auto" | "register" => {}
                    _ => storage.unstable = true,
                },
                Kind::TypeQualifier => {
                    // `_Atomic` was rewritten to `volatile`; its own text is still in the source.
                    if matches!(self.node_text(n), "volatile" | "_Atomic" | "__volatile__" | "__volatile") {
                        storage.unstable = true;
                    }
                }
                _ if self.syntax.get(n).field == FieldName::Type => {
                    ty = Some(self.type_specifier(n));
                }
                _ => {}
            }
            child = self.syntax.next(n);
        }
        let ty = ty.unwrap_or(self.basic.int);
        let span = self.syntax.span(node);
        // Vector types and the like: the base type is not the type.
        if self.has_attribute(Attribute::OtherType, span.start, span.end.saturating_add(1)) {
            return (storage, self.basic.unknown);
        }
        (storage, ty)
    }

    /// The type of a specifier node.
    pub(super) fn type_specifier(&mut self, node: NodeId) -> TypeId {
        let n = self.syntax.get(node);
        match n.kind {
            Kind::PrimitiveType | Kind::TypeIdentifier | Kind::Identifier => match n.special {
                Some(special) => self.special_type(special),
                None => self.type_name(self.source(n.span)),
            },
            Kind::SizedType => {
                let words: Vec<Key> = super::lexer::tokens(self.source(n.span))
                    .iter()
                    .filter_map(|t| match t.kind {
                        super::lexer::Tok::Key(key) if key.is_arithmetic_type() => Some(key),
                        _ => None,
                    })
                    .collect();
                self.arithmetic(&words)
            }
            Kind::StructSpecifier | Kind::UnionSpecifier => {
                self.deeper(|this| this.record_specifier(node)).unwrap_or(self.basic.unknown)
            }
            Kind::EnumSpecifier => self.enum_specifier(node),
            // `T (x)` in a place where only an unknown macro makes sense.
            _ => self.basic.unknown,
        }
    }

    fn special_type(&mut self, special: Special) -> TypeId {
        match special {
            Special::Complex(size) => self.types.intern(Type::Complex(size)),
            Special::Int128(signed) => {
                self.types.intern(Type::Int(if signed { IntKind::Int128 } else { IntKind::UInt128 }))
            }
            Special::Typeof(from, to) => self.type_of_operand(from as usize, to as usize),
            Special::ImplicitInt => self.basic.int,
            // `__auto_type` takes its type from the initialiser, see `local`.
            _ => self.basic.unknown,
        }
    }

    /// `typeof (operand)`: the operand is parsed on its own.
    fn type_of_operand(&mut self, from: usize, to: usize) -> TypeId {
        let operand = self.operand(from, to);
        operand.map_or(self.basic.unknown, |n| self.sizeof_operand_type(n))
    }

    /// The first node of a kind below `node`, in source order.
    pub(super) fn find(&self, node: NodeId, kind: Kind) -> Option<NodeId> {
        let mut stack = vec![node];
        while let Some(n) = stack.pop() {
            if self.syntax.kind(n) == kind {
                return Some(n);
            }
            let children: Vec<NodeId> = self.syntax.children(n).collect();
            stack.extend(children.into_iter().rev());
        }
        None
    }

    /// The type that a single word names.
    fn type_name(&mut self, name: &'t str) -> TypeId {
        match name {
            "int" => return self.basic.int,
            "char" => return self.basic.char,
            "void" => return self.basic.void,
            "double" => return self.basic.double,
            "float" => return self.basic.float,
            "_Bool" => return self.basic.bool,
            _ => {}
        }
        if let Some(Symbol::Type(ty, _)) = self.scopes.symbol(name) {
            return ty;
        }
        if let Some(ty) = self.library_type(name) {
            return ty;
        }
        let name = self.name(name);
        self.types.intern(Type::Named(name))
    }

    /// A typedef of the C library's or MPI's headers.
    pub(super) fn library_type(&mut self, name: &'t str) -> Option<TypeId> {
        if matches!(name, "_Float128" | "__float128") {
            return Some(self.types.intern(Type::Float(FLOAT128)));
        }
        if let Some(text) = library::typedef(name) {
            if text.is_empty() {
                let name = self.name(name);
                return Some(self.types.intern(Type::Named(name)));
            }
            return Some(self.spelled_type(text));
        }
        if !is_mpi_type(name) {
            return None;
        }
        Some(match name {
            "MPI_Aint" | "MPI_Offset" | "MPI_Count" => self.basic.long,
            "MPI_Fint" => self.basic.int,
            "MPI_Status" => self.mpi_status(),
            _ => {
                let name = self.name(name);
                self.types.intern(Type::Named(name))
            }
        })
    }

    /// `MPI_Status`: the three members that MPI-4.1 section 3.2.5 names. Its size differs between implementations.
    fn mpi_status(&mut self) -> TypeId {
        if let Some(&ty) = self.spelled.get("MPI_Status") {
            return ty;
        }
        let int = self.basic.int;
        let ty = self.plain_record(
            Some("MPI_Status"),
            vec![("MPI_SOURCE", int), ("MPI_TAG", int), ("MPI_ERROR", int)],
        );
        if let Type::Record(id) = *self.types.get(ty) {
            let record = self.types.record_mut(id);
            record.layout_known = false;
            record.size = MODEL_STATUS_SIZE;
            record.align = MODEL_SIZE;
        }
        self.spelled.insert("MPI_Status", ty);
        ty
    }

    /// The type of a run of arithmetic type words.
    pub(super) fn arithmetic(&mut self, words: &[Key]) -> TypeId {
        let has = |key: Key| words.contains(&key);
        let longs = words.iter().filter(|&&w| w == Key::Long).count();
        let unsigned = has(Key::Unsigned);
        let ty = if has(Key::Complex) {
            Type::Complex(if has(Key::Float) {
                8
            } else if longs > 0 {
                32
            } else {
                16
            })
        } else if has(Key::Void) {
            Type::Void
        } else if has(Key::Float) {
            Type::Float(4)
        } else if has(Key::Double) {
            Type::Float(if longs > 0 { 16 } else { 8 })
        } else if has(Key::Bool) {
            Type::Int(IntKind::Bool)
        } else {
            Type::Int(if has(Key::Char) {
                if unsigned {
                    IntKind::UChar
                } else if has(Key::Signed) {
                    IntKind::SChar
                } else {
                    IntKind::Char
                }
            } else if has(Key::Short) {
                if unsigned { IntKind::UShort } else { IntKind::Short }
            } else if longs >= 2 {
                if unsigned { IntKind::ULongLong } else { IntKind::LongLong }
            } else if longs == 1 {
                if unsigned { IntKind::ULong } else { IntKind::Long }
            } else if has(Key::Int128) || has(Key::UInt128) {
                if unsigned || has(Key::UInt128) { IntKind::UInt128 } else { IntKind::Int128 }
            } else if unsigned {
                IntKind::UInt
            } else {
                IntKind::Int
            })
        };
        self.types.intern(ty)
    }

    fn record_specifier(&mut self, node: NodeId) -> TypeId {
        let kind = if self.syntax.kind(node) == Kind::UnionSpecifier {
            RecordKind::Union
        } else {
            RecordKind::Struct
        };
        let tag = self.syntax.field(node, FieldName::Name).map(|n| self.node_text(n));
        let body = self.syntax.field(node, FieldName::Body);
        let known =
            tag.and_then(|t| if body.is_some() { self.scopes.tag_here(t) } else { self.scopes.tag(t) });
        let is_late = |id| body.is_some() && self.containment.is_member(id);
        let late = matches!(known, Some(Tag::Record(id)) if is_late(id));
        if let (true, Some(tag)) = (late, tag) {
            let message = format!("`{tag}` is a member of another struct or union before it is defined");
            self.problem(self.span(node), message);
        }
        let id = match known {
            // A definition completes an incomplete record; a second definition in the same scope is an error in C.
            Some(Tag::Record(id)) if !late && (body.is_none() || self.types.record(id).fields.is_none()) => {
                id
            }
            _ => {
                if body.is_none()
                    && let Some((tag, _)) = tag.and_then(library::structure)
                {
                    return self.library_structure(tag);
                }
                let name = tag.map(|t| self.name(t));
                let id = self.types.add_record(Record::incomplete(kind, name));
                if let Some(tag) = tag {
                    self.scopes.declare_tag(tag, Tag::Record(id));
                }
                id
            }
        };
        if let Some(body) = body {
            self.record_body(id, node, body);
        }
        self.types.intern(Type::Record(id))
    }

    fn enum_specifier(&mut self, node: NodeId) -> TypeId {
        let tag = self.syntax.field(node, FieldName::Name).map(|n| self.node_text(n));
        let Some(body) = self.syntax.field(node, FieldName::Body) else {
            if let Some(Tag::Enum(ty)) = tag.and_then(|t| self.scopes.tag(t)) {
                return ty;
            }
            let name = tag.map(|t| self.name(t));
            return self.types.intern(Type::Enum(name, IntKind::UInt));
        };
        let mut next = 0_i128;
        let mut values = Vec::new();
        let enumerators: Vec<NodeId> =
            self.syntax.children(body).filter(|&n| self.syntax.kind(n) == Kind::Enumerator).collect();
        for enumerator in enumerators {
            let Some(name) = self.syntax.field(enumerator, FieldName::Name) else { continue };
            if let Some(value) = self.syntax.field(enumerator, FieldName::Value) {
                match self.constant_value(value) {
                    Some(value) => next = value,
                    None => self.problem(
                        self.syntax.span(value),
                        "the value of an enumerator is not a known constant",
                    ),
                }
            }
            let name = self.node_text(name);
            // Within the list an enumerator has the type of its value; afterwards, `int` where that fits.
            self.scopes.declare(name, Symbol::Enumerator(next, self.basic.int));
            values.push((name, next));
            next = next.wrapping_add(1);
        }
        let (low, high) = values.iter().fold((0, 0), |(l, h): (i128, i128), &(_, v)| (l.min(v), h.max(v)));
        let kind = match (low < 0, low.max(high)) {
            (false, h) if h <= i128::from(u32::MAX) => IntKind::UInt,
            (false, _) => IntKind::ULong,
            (true, h) if low >= i128::from(i32::MIN) && h <= i128::from(i32::MAX) => IntKind::Int,
            _ => IntKind::Long,
        };
        let kind = if self.attributes_of(node, body).any(|attribute| attribute == Attribute::Packed) {
            smallest(low, high).unwrap_or(kind)
        } else {
            kind
        };
        if high > i128::from(i32::MAX) || low < i128::from(i32::MIN) {
            let wide = self.types.intern(Type::Int(kind));
            for (name, value) in values {
                self.scopes.declare(name, Symbol::Enumerator(value, wide));
            }
        }
        let name = tag.map(|t| self.name(t));
        let ty = self.types.intern(Type::Enum(name, kind));
        if let Some(tag) = tag {
            self.scopes.declare_tag(tag, Tag::Enum(ty));
        }
        ty
    }

    /// `typedef ...;`
    pub(super) fn type_definition(&mut self, node: NodeId) {
        let (_, base) = self.specifiers(node);
        let declarators = self.declarators(node);
        let carried = self.specifier_alignment(node);
        let placements = self.placements(node, self.span(node).start, &declarators);
        for (declarator, placement) in declarators.into_iter().zip(placements) {
            let declared = self.declarator(declarator, base);
            let Some((name, _)) = declared.name else { continue };
            let alignment = match placement.aligned {
                Alignment::OfType => self.declared_alignment(Some(declarator), carried),
                // More or less than the type has.
                asked => asked,
            };
            // An anonymous record takes the typedef's name for messages.
            if declared.ty == base
                && let Type::Record(id) = *self.types.get(base)
                && self.types.record(id).name.is_none()
            {
                let shared = self.name(name);
                self.types.record_mut(id).name = Some(shared);
            }
            self.scopes.declare(name, Symbol::Type(declared.ty, alignment));
        }
    }

    /// The type of a `type_descriptor`.
    pub(super) fn type_descriptor(&mut self, node: NodeId) -> TypeId {
        let (_, base) = self.specifiers(node);
        match self.syntax.field(node, FieldName::Declarator) {
            Some(declarator) => self.declarator(declarator, base).ty,
            None => base,
        }
    }

    /// Where a node stands.
    pub(super) fn span(&self, node: NodeId) -> Span {
        self.syntax.span(node)
    }
}

/// Names in scope at the point of a `typeof`.
pub(super) struct ScopeNames<'a, 't> {
    pub(super) unit: &'a UnitLowerer<'t>,
}

impl super::rewrite::Names for ScopeNames<'_, '_> {
    fn is_type(&self, name: &str) -> bool {
        match self.unit.scopes.symbol(name) {
            Some(symbol) => matches!(symbol, Symbol::Type(..)),
            None => library::typedef(name).is_some() || is_mpi_type(name),
        }
    }

    fn is_value(&self, name: &str) -> bool {
        self.unit.scopes.symbol(name).is_some_and(|s| !matches!(s, Symbol::Type(..)))
    }
}

/// The smallest type that holds all values, as a packed enumeration has it; `None` for what needs more than 32 bits.
fn smallest(low: i128, high: i128) -> Option<IntKind> {
    let kinds = [
        (IntKind::UChar, 0, i128::from(u8::MAX)),
        (IntKind::SChar, i8::MIN.into(), i8::MAX.into()),
        (IntKind::UShort, 0, u16::MAX.into()),
        (IntKind::Short, i16::MIN.into(), i16::MAX.into()),
    ];
    kinds.into_iter().find(|&(_, least, most)| least <= low && high <= most).map(|(kind, ..)| kind)
}
