//! `buffer-type`: the C type of a buffer against the datatype of the call.
//!
//! MPI-4.1 section 3.3.1. What is compared is layout: the first elements that the C type flattens to, by kind and size,
//! with the elements of the predefined datatype. Raw bytes fit everything in either direction. Two C types are known of
//! a buffer: that of the object it points into, and that of the pointer as written; if one of them fits, nothing is
//! said.

use frontend::ir::{Expr, ExprKind, FLOAT128, Projection, RecordKind, Type, TypeId};
use frontend::mpi::PredefinedDatatype;

use super::Rule;
use super::call::{BufferArgument, Call, predefined, range};
use super::values::Layout;
use crate::results::{Edit, Finding, Fix, Severity};

/// An element of a flattened type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basic {
    /// Integer or truth value of so many bytes.
    Int(u64),
    Float(u64),
    /// Complex number of so many bytes in all.
    Complex(u64),
    Pointer,
}

impl Basic {
    /// In bytes.
    pub(super) fn size(self) -> u64 {
        match self {
            Self::Int(size) | Self::Float(size) | Self::Complex(size) => size,
            Self::Pointer => 8,
        }
    }

    /// As a C type, one of those with this layout.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Int(1) => "char",
            Self::Int(2) => "short",
            Self::Int(4) => "int",
            Self::Int(8) => "long",
            Self::Int(_) => "__int128",
            Self::Float(2) => "_Float16",
            Self::Float(4) => "float",
            Self::Float(8) => "double",
            Self::Float(_) => "long double",
            Self::Complex(4) => "_Float16 _Complex",
            Self::Complex(8) => "float _Complex",
            Self::Complex(16) => "double _Complex",
            Self::Complex(_) => "long double _Complex",
            Self::Pointer => "pointer",
        }
    }
}

/// Whether a C type fits a datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Yes,
    No,
    /// Nothing is known of the C type, or it may hold anything.
    Open,
}

/// More nested types than this are not flattened.
const MAX_DEPTH: u32 = 16;

pub(super) fn check(call: &Call<'_>, findings: &mut Vec<Finding>) {
    for buffer in call.buffers() {
        if buffer.count.single() == Some(0) || call.is_untouched(buffer.buffer) {
            continue;
        }
        let Some((name, datatype)) = buffer.datatype.and_then(predefined).map(|(c, d)| (c.name, d)) else {
            continue;
        };
        let Some(wanted) = basic_elements(datatype) else { continue };
        if let Some(finding) = judge(call, &buffer, name, &wanted) {
            findings.push(finding);
        }
    }
}

fn judge(call: &Call<'_>, buffer: &BufferArgument<'_>, name: &str, wanted: &[Basic]) -> Option<Finding> {
    let layout = &call.eval.layout;
    let expr = buffer.argument.expr;
    // Two members side by side may be a pair.
    let is_first = |(_, ty)| fit(layout, ty, &wanted[..1]) == Fit::Yes;
    if 1 < wanted.len() && member(layout, expr).is_some_and(is_first) {
        return None;
    }
    let object = buffer.argument.value.as_address();
    let declared = object.and_then(|(object, offset)| {
        let ty = call.eval.declared_type(object)?;
        match offset.single() {
            Some(offset) => at_offset(layout, ty, u64::try_from(offset).ok()?, 0),
            None => {
                // From its first member on, a record may be meant as a whole.
                let member = member(layout, expr).filter(|&(index, _)| 0 < index);
                Some(member.map_or_else(|| innermost_element(layout, ty), |(_, ty)| ty))
            }
        }
    });
    let written = layout.types().pointee(expr.strip_casts().ty);
    let declared_fit = declared.map_or(Fit::Open, |ty| fit(layout, ty, wanted));
    let written_fit = written.map_or(Fit::Open, |ty| fit(layout, ty, wanted));
    if declared_fit == Fit::Yes || written_fit == Fit::Yes {
        return None;
    }
    let (ty, is_object) = match (declared_fit, written_fit) {
        (Fit::No, _) => (declared?, true),
        // The object may hold anything, as raw bytes do.
        (_, Fit::No) if declared.is_none() => (written?, false),
        _ => return None,
    };
    let cast_fits = cast_types(expr)
        .any(|cast| layout.types().pointee(cast).is_some_and(|ty| fit(layout, ty, wanted) == Fit::Yes));
    if cast_fits && !is_object {
        return None;
    }
    let is_bytes = wanted == [Basic::Int(1)];
    let datatype = buffer.buffer.datatype.and_then(|index| call.argument(index));
    // `#define MY_TYPE MPI_INT`, chosen by a configuration that may not be the one that was analysed.
    let is_chosen = datatype.is_some_and(|datatype| {
        // Our `mpi.h` defines each constant as itself.
        call.unit.locate(datatype.expr.span).expansion.iter().any(|used| used.name != name)
    });
    let severity = match (is_bytes, cast_fits || is_chosen) {
        (true, _) => Severity::Note,
        (false, true) => Severity::Warning,
        (false, false) => Severity::Error,
    };
    let holds = spell(layout, ty);
    let what = match object {
        Some((object, _)) if is_object => call.object_name(object),
        _ => "the buffer".to_owned(),
    };
    let message = if is_bytes {
        format!("{what} holds {holds}, sent as {name}; MPI_BYTE is for raw bytes")
    } else {
        format!("{what} holds {holds}, which is not what {name} describes")
    };
    let mut finding = call.finding_as(Rule::BufferType, severity, expr, message);
    finding.related = object.and_then(|(object, _)| call.declaration(object)).into_iter().collect();
    finding.fix = datatype.filter(|_| !is_chosen).and_then(|datatype| {
        let is_spelled_out = matches!(datatype.expr.strip_casts().kind, ExprKind::Constant { .. });
        let right = frontend::mpi::constants()
            .find(|c| c.datatype().is_some_and(|d| d.c_types.first() == Some(&holds.as_str())))?;
        is_spelled_out.then(|| Fix {
            description: format!("{holds} is {} to MPI", right.name),
            edits: vec![Edit { range: range(call.unit, datatype.expr.span), text: right.name.to_owned() }],
        })
    });
    Some(finding)
}

/// The pointer types that an argument is explicitly or implicitly converted to, on its way to `void *`.
fn cast_types(expr: &Expr) -> impl Iterator<Item = TypeId> {
    let mut next = Some(expr);
    std::iter::from_fn(move || match &next?.kind {
        ExprKind::Cast(inner) => {
            let ty = next?.ty;
            next = Some(inner);
            Some(ty)
        }
        _ => None,
    })
}

fn fit(layout: &Layout<'_>, ty: TypeId, wanted: &[Basic]) -> Fit {
    if is_raw_bytes(layout, ty) {
        return Fit::Open;
    }
    let mut held = Vec::new();
    // A buffer repeats its element: `int *` holds pairs of int.
    while held.len() < wanted.len() {
        let before = held.len();
        if flatten(layout, ty, wanted.len(), &mut held, 0).is_none() {
            return Fit::Open;
        }
        if held.len() == before {
            return Fit::Open;
        }
    }
    if wanted.iter().zip(&held).all(|(want, have)| agree(*want, *have)) { Fit::Yes } else { Fit::No }
}

/// Whether a C element may hold an element of a datatype.
pub(super) fn agree(want: Basic, have: Basic) -> bool {
    match (want, have) {
        (Basic::Int(a), Basic::Int(b))
        | (Basic::Float(a), Basic::Float(b))
        | (Basic::Complex(a), Basic::Complex(b)) => a == b,
        // A complex number is a pair of its parts.
        (Basic::Complex(a), Basic::Float(b)) | (Basic::Float(b), Basic::Complex(a)) => a == 2 * b,
        // Addresses travel as integers of their size.
        (Basic::Int(8), Basic::Pointer) => true,
        _ => false,
    }
}

/// Characters and `void`: storage for anything.
fn is_raw_bytes(layout: &Layout<'_>, ty: TypeId) -> bool {
    match layout.types().get(ty) {
        Type::Void => true,
        Type::Int(kind) => kind.size() == 1 && *kind != frontend::ir::IntKind::Bool,
        Type::Array(element, _) => is_raw_bytes(layout, *element),
        _ => false,
    }
}

/// Appends up to `enough` elements that a value of the type begins with; `None` if they cannot be told.
fn flatten(layout: &Layout<'_>, ty: TypeId, enough: usize, held: &mut Vec<Basic>, depth: u32) -> Option<()> {
    if enough <= held.len() {
        return Some(());
    }
    if MAX_DEPTH < depth || layout.handle(ty).is_some() {
        return None;
    }
    if let Some(basic) = basic_of(layout, ty) {
        held.push(basic);
        return Some(());
    }
    match layout.types().get(ty) {
        Type::Array(element, length) => {
            // The element of a variable-length array is one all the same.
            for _ in 0..length.unwrap_or(1).min(enough as u64) {
                flatten(layout, *element, enough, held, depth + 1)?;
            }
        }
        Type::Record(record) => {
            let record = layout.types().record(*record);
            if record.kind == RecordKind::Union {
                return None;
            }
            for field in record.fields.as_ref()? {
                if field.bits.is_some() {
                    return None;
                }
                flatten(layout, field.ty, enough, held, depth + 1)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// The element that a scalar type is; `None` for others and for handles.
pub(super) fn basic_of(layout: &Layout<'_>, ty: TypeId) -> Option<Basic> {
    if layout.handle(ty).is_some() {
        return None;
    }
    Some(match layout.types().get(ty) {
        Type::Int(kind) | Type::Enum(_, kind) => Basic::Int(kind.size()),
        Type::Float(_) => Basic::Float(layout.types().size(ty)?),
        Type::Complex(_) => Basic::Complex(layout.types().size(ty)?),
        Type::Pointer(_) => Basic::Pointer,
        _ => return None,
    })
}

/// The scalar member of a record that a pointer is written as the address of, whichever record that is (`&cells[i].flag`): its number
/// and its type.
fn member(layout: &Layout<'_>, pointer: &Expr) -> Option<(u32, TypeId)> {
    let ExprKind::AddressOf(place) = &pointer.strip_casts().kind else { return None };
    let Some(Projection::Field(record, index)) = place.projections.last() else { return None };
    let is_union = layout.types().record(*record).kind == RecordKind::Union;
    let is_scalar = !matches!(layout.types().get(place.ty), Type::Record(_) | Type::Array(..));
    (!is_union && is_scalar).then_some((*index, place.ty))
}

/// The element that begins at an offset into a type.
pub(super) fn at_offset(layout: &Layout<'_>, ty: TypeId, offset: u64, depth: u32) -> Option<TypeId> {
    if offset == 0 {
        return Some(ty);
    }
    if MAX_DEPTH < depth {
        return None;
    }
    match layout.types().get(ty) {
        Type::Array(element, _) => {
            let size = layout.cell_size(*element).filter(|&size| 0 < size)?;
            at_offset(layout, *element, offset % size, depth + 1)
        }
        Type::Record(id) => {
            let record = layout.types().record(*id);
            if record.kind == RecordKind::Union {
                return None;
            }
            let fields = record.fields.as_ref()?;
            (0..fields.len()).rev().find_map(|index| {
                let start = layout.field_offset(*id, u32::try_from(index).ok()?)?;
                let size = layout.cell_size(fields[index].ty)?;
                (start <= offset && offset < start + size)
                    .then(|| at_offset(layout, fields[index].ty, offset - start, depth + 1))?
            })
        }
        _ => None,
    }
}

/// What an array of arrays is made of.
pub(super) fn innermost_element(layout: &Layout<'_>, ty: TypeId) -> TypeId {
    let mut ty = ty;
    while let Type::Array(element, _) = layout.types().get(ty) {
        ty = *element;
    }
    ty
}

/// The elements of a predefined datatype; `None` if it describes bytes, or no C type is known for it.
pub(super) fn basic_elements(datatype: &PredefinedDatatype) -> Option<Vec<Basic>> {
    if datatype.any_c_type {
        return None;
    }
    let c_type = datatype.c_types.first()?;
    match c_type.strip_prefix("struct{").and_then(|rest| rest.strip_suffix('}')) {
        Some(members) => members.split(',').map(basic).collect(),
        None => basic(c_type).map(|basic| vec![basic]),
    }
}

/// A C type as the table of constants spells it.
fn basic(c_type: &str) -> Option<Basic> {
    Some(match c_type.trim() {
        "char" | "signed char" | "unsigned char" | "_Bool" | "int8_t" | "uint8_t" => Basic::Int(1),
        "short" | "unsigned short" | "int16_t" | "uint16_t" => Basic::Int(2),
        "int" | "unsigned int" | "unsigned" | "int32_t" | "uint32_t" | "wchar_t" => Basic::Int(4),
        "long" | "unsigned long" | "long long" | "unsigned long long" | "int64_t" | "uint64_t"
        | "MPI_Aint" | "MPI_Offset" | "MPI_Count" => Basic::Int(8),
        "__int128" => Basic::Int(16),
        "_Float16" => Basic::Float(2),
        "float" => Basic::Float(4),
        "double" => Basic::Float(8),
        "long double" | "_Float128" => Basic::Float(16),
        "_Float16 _Complex" => Basic::Complex(4),
        "float _Complex" => Basic::Complex(8),
        "double _Complex" => Basic::Complex(16),
        "long double _Complex" | "_Float128 _Complex" => Basic::Complex(32),
        _ => return None,
    })
}

/// A C type for a message.
pub(super) fn spell(layout: &Layout<'_>, ty: TypeId) -> String {
    let types = layout.types();
    let ty = innermost_element(layout, ty);
    match types.get(ty) {
        Type::Int(kind) => {
            use frontend::ir::IntKind;
            match kind {
                IntKind::Bool => "_Bool",
                IntKind::Char => "char",
                IntKind::SChar => "signed char",
                IntKind::UChar => "unsigned char",
                IntKind::Short => "short",
                IntKind::UShort => "unsigned short",
                IntKind::Int => "int",
                IntKind::UInt => "unsigned int",
                IntKind::Long => "long",
                IntKind::ULong => "unsigned long",
                IntKind::LongLong => "long long",
                IntKind::ULongLong => "unsigned long long",
                IntKind::Int128 => "__int128",
                IntKind::UInt128 => "unsigned __int128",
            }
            .to_owned()
        }
        Type::Float(4) => "float".to_owned(),
        Type::Float(8) => "double".to_owned(),
        Type::Float(FLOAT128) => "_Float128".to_owned(),
        Type::Float(_) => "long double".to_owned(),
        Type::Complex(8) => "float _Complex".to_owned(),
        Type::Complex(16) => "double _Complex".to_owned(),
        Type::Complex(_) => "long double _Complex".to_owned(),
        Type::Pointer(_) => "pointers".to_owned(),
        Type::Enum(Some(name), _) => format!("enum {name}"),
        Type::Record(record) => match &types.record(*record).name {
            Some(name) => format!("struct {name}"),
            None => "a struct".to_owned(),
        },
        _ => "something else".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_c_type_of_the_table_is_understood_and_has_the_size_of_its_datatype() {
        let mut understood = 0;
        for constant in frontend::mpi::constants() {
            let Some(datatype) = constant.datatype() else { continue };
            if datatype.any_c_type || datatype.c_types.is_empty() {
                continue;
            }
            let elements = basic_elements(datatype)
                .unwrap_or_else(|| panic!("{}: {:?}", constant.name, datatype.c_types));
            let size: u64 = elements.iter().map(|element| element.size()).sum();
            assert_eq!(size, datatype.size, "{}", constant.name);
            understood += 1;
        }
        assert!(50 < understood, "{understood}");
    }
}
