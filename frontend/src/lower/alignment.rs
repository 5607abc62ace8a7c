//! Alignments that the program chooses: `_Alignas`, `aligned` and `packed` on declarations, and typedefs that carry them.

use crate::ir::{Span, TypeId};

use super::rewrite::{Attribute, Mark, Rewriter, Special};
use super::scope::Symbol;
use super::syntax::{FieldName, Kind, NodeId};
use super::types::ScopeNames;
use super::unit::UnitLowerer;

/// No compiler takes greater alignments, in bytes.
const GREATEST: u64 = 1 << 28;

/// The alignment of a type as it is named somewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Alignment {
    /// That which all objects of the type have.
    #[default]
    OfType,
    /// That of a typedef, in bytes: more or less than the type has by itself.
    Chosen(u64),
    /// Another one than the type has by itself, but which is not known.
    Unknown,
}

/// What attributes say about one declarator.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placement {
    /// The largest alignment that is asked for.
    pub(super) aligned: Alignment,
    /// No padding before it.
    pub(super) packed: bool,
}

impl<'t> UnitLowerer<'t> {
    /// What attributes say about each declarator of a declaration; what stands in front of the first one is about all of them.
    /// `from` is where the text of the declaration begins, specifiers of alignment included. Without declarators, the one
    /// placement is that of an anonymous record.
    pub(super) fn placements(&mut self, node: NodeId, from: u32, declarators: &[NodeId]) -> Vec<Placement> {
        let end = self.span(node).end;
        let defined = self.defined_record(node);
        let marks: Vec<Mark> = self
            .marks
            .iter()
            .filter(|mark| {
                (from..end).contains(&mark.at) && !defined.is_some_and(|record| is_of(mark, record))
            })
            .copied()
            .collect();
        let mut placements = vec![Placement::default(); declarators.len().max(1)];
        let spans: Vec<Span> = declarators.iter().map(|&n| self.whole_declarator(n)).collect();
        for mark in marks {
            let aligned = self.asked_alignment(mark.attribute);
            // After a comma it belongs to the next one.
            let one = spans.iter().position(|span| mark.at < span.end || mark.after <= span.end);
            let about = match one {
                Some(0) if mark.at < spans[0].start => 0..placements.len(),
                Some(at) => at..at + 1,
                None => 0..placements.len(),
            };
            for placement in &mut placements[about] {
                placement.aligned = placement.aligned.greater(aligned);
                placement.packed |= mark.attribute == Attribute::Packed;
            }
        }
        placements
    }

    /// Where the record stands that a declaration defines.
    fn defined_record(&self, node: NodeId) -> Option<Span> {
        let specifier = self.syntax.field(node, FieldName::Type)?;
        self.syntax.field(specifier, FieldName::Body)?;
        Some(self.span(specifier))
    }

    /// A declarator with the width of the bit-field that it declares.
    fn whole_declarator(&self, declarator: NodeId) -> Span {
        let span = self.span(declarator);
        match self.syntax.next(declarator).filter(|&next| self.syntax.kind(next) == Kind::Bitfield) {
            Some(width) => Span { end: self.span(width).end, ..span },
            None => span,
        }
    }

    /// The alignment that an attribute asks for.
    pub(super) fn asked_alignment(&mut self, attribute: Attribute) -> Alignment {
        let value = match attribute {
            Attribute::Aligned(value) => Some(value),
            Attribute::AlignedAs(from, to) => self.alignment_in_parentheses(from as usize, to as usize),
            Attribute::NoReturn
            | Attribute::Packed
            | Attribute::OtherType
            | Attribute::Constructor(_)
            | Attribute::Destructor
            | Attribute::Cleanup(_) => return Alignment::OfType,
        };
        match value {
            // `_Alignas(0)` says nothing.
            Some(0) => Alignment::OfType,
            Some(value) if value.is_power_of_two() && value <= GREATEST => Alignment::Chosen(value),
            _ => Alignment::Unknown,
        }
    }

    fn alignment_in_parentheses(&mut self, from: usize, to: usize) -> Option<u64> {
        let operand = self.operand(from, to)?;
        if self.part(operand, FieldName::Type).is_some() {
            return self.alignment_of_operand(operand);
        }
        let value = self.part(operand, FieldName::Value)?;
        u64::try_from(self.constant_value(value)?).ok()
    }

    /// Some tokens as the operand of a `sizeof`: the node of that.
    pub(super) fn operand(&mut self, from: usize, to: usize) -> Option<NodeId> {
        let names = ScopeNames { unit: self };
        let buffer = Rewriter::new(names.unit.text, names.unit.tokens, &names).operand(from, to);
        let saved = std::mem::take(&mut self.marks);
        let root = self.parse(&buffer);
        self.marks = saved;
        self.find(root.ok()?, Kind::Sizeof)
    }

    /// `_Alignof` of what stands in a `sizeof`.
    pub(super) fn alignment_of_operand(&mut self, operand: NodeId) -> Option<u64> {
        let ty = self.sizeof_operand_type(operand);
        let alignment = self.operand_alignment(operand);
        self.alignment_of(ty, alignment)
    }

    /// The alignment of a type as it is named, in bytes.
    fn alignment_of(&self, ty: TypeId, alignment: Alignment) -> Option<u64> {
        match alignment {
            Alignment::OfType => self.types.size_align(ty).map(|(_, align)| align),
            Alignment::Chosen(value) => Some(value),
            Alignment::Unknown => None,
        }
    }

    fn operand_alignment(&mut self, operand: NodeId) -> Alignment {
        match self.part(operand, FieldName::Type) {
            Some(name) => {
                let alignment = self.specifier_alignment(name);
                self.declared_alignment(self.part(name, FieldName::Declarator), alignment)
            }
            // Which objects have the alignment of a typedef is not kept.
            None if self.scopes.has_alignments() => Alignment::Unknown,
            None => Alignment::OfType,
        }
    }

    /// The alignment of the type that a declaration or a type name begins with.
    pub(super) fn specifier_alignment(&mut self, node: NodeId) -> Alignment {
        let Some(specifier) = self.syntax.field(node, FieldName::Type) else { return Alignment::OfType };
        let n = self.syntax.get(specifier);
        match n.special {
            Some(Special::Typeof(from, to)) => match self.operand(from as usize, to as usize) {
                Some(operand) => {
                    self.deeper(|this| this.operand_alignment(operand)).unwrap_or(Alignment::Unknown)
                }
                None => Alignment::Unknown,
            },
            Some(_) => Alignment::OfType,
            None => match self.scopes.symbol(self.source(n.span)) {
                Some(Symbol::Type(_, alignment)) => alignment,
                _ => Alignment::OfType,
            },
        }
    }

    /// The alignment of what is declared with a type of this one: that of an array is that of its elements.
    pub(super) fn declared_alignment(&self, declarator: Option<NodeId>, base: Alignment) -> Alignment {
        let mut at = declarator;
        while let Some(n) = at {
            match self.syntax.kind(n) {
                Kind::PointerDeclarator | Kind::FunctionDeclarator => return Alignment::OfType,
                Kind::ArrayDeclarator => at = self.syntax.field(n, FieldName::Declarator),
                Kind::Identifier | Kind::FieldIdentifier | Kind::TypeIdentifier | Kind::PrimitiveType => {
                    break;
                }
                // In parentheses.
                _ => at = self.syntax.children(n).next(),
            }
        }
        base
    }
}

impl Alignment {
    /// The greater of two that are asked for.
    pub(super) fn greater(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::OfType, chosen) | (chosen, Self::OfType) => chosen,
            (Self::Chosen(a), Self::Chosen(b)) => Self::Chosen(a.max(b)),
        }
    }
}

/// Whether an attribute is about the record that stands there, or about something in it.
fn is_of(mark: &Mark, record: Span) -> bool {
    (record.start..record.end).contains(&mark.at) || mark.after == record.end
}
