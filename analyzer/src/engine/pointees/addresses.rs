//! Where an expression has the addresses from that its value is made of.
//!
//! A sum has those of its operands, except that what is added to a pointer says only where in the object it points to (C11 6.5.6
//! paragraph 8): a pointer does not get out of its object, not even by the distance to another one. A number that has not been made of
//! an address leads to no object (the provenance of DR 260), and a comparison makes no address.

use frontend::ir::{
    BinaryOp, Expr, ExprKind, Place, PlaceBase, Projection, Type, TypeId, TypeTable, UnaryOp,
};
use frontend::program::{FunctionRef, Program};

/// Part of what an expression may point to.
pub(super) enum AddressPart<'a> {
    /// A variable.
    Variable(&'a PlaceBase),
    /// What is held in a place.
    Held(&'a Place),
    Function(&'a str),
    Anywhere,
}

/// Where an expression that may hold an address has it from.
pub(super) fn addresses_in<'a>(
    program: &Program,
    function: FunctionRef,
    expr: &'a Expr,
    found: &mut dyn FnMut(AddressPart<'a>),
) {
    let types = &program.units[function.unit].types;
    match &expr.kind {
        ExprKind::AddressOf(place) | ExprKind::Load(place) if is_number(place) => {
            found(AddressPart::Anywhere)
        }
        ExprKind::AddressOf(place) => match &place.base {
            PlaceBase::Deref(pointer) => addresses_in(program, function, pointer, found),
            base => found(AddressPart::Variable(base)),
        },
        ExprKind::Load(place) => found(AddressPart::Held(place)),
        ExprKind::Cast(inner) => addresses_in(program, function, inner, found),
        ExprKind::Unary(UnaryOp::Not, _) => {}
        ExprKind::Unary(_, inner) => addresses_in(program, function, inner, found),
        ExprKind::Binary(op, left, right) => {
            if op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or) {
                return;
            }
            let is_pointer = |e: &Expr| types.pointee(e.ty).is_some();
            match (is_pointer(left), is_pointer(right)) {
                // How far apart they are.
                (true, true) => {}
                (true, false) if !is_constant(left) => addresses_in(program, function, left, found),
                (false, true) if !is_constant(right) => addresses_in(program, function, right, found),
                _ => {
                    addresses_in(program, function, left, found);
                    addresses_in(program, function, right, found);
                }
            }
        }
        ExprKind::Conditional(_, then, otherwise) => {
            addresses_in(program, function, then, found);
            addresses_in(program, function, otherwise, found);
        }
        ExprKind::Constant { name, .. } if name.starts_with("MPI_") && types.pointee(expr.ty).is_some() => {
            found(AddressPart::Anywhere);
        }
        ExprKind::Unknown(_) if may_be_address(types, expr.ty) => found(AddressPart::Anywhere),
        ExprKind::Unknown(_) => {}
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::Constant { .. }
        | ExprKind::Sizeof(_)
        | ExprKind::SizeofVla(_) => {}
        ExprKind::FunctionAddress(name) => found(AddressPart::Function(name)),
    }
}

/// Whether a value of a type that comes from nobody knows where may be an address, or have one in it, or be a piece of one.
pub(super) fn may_be_address(types: &TypeTable, ty: TypeId) -> bool {
    !matches!(types.get(ty), Type::Float(_) | Type::Complex(_))
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.strip_casts().kind, ExprKind::Int(_))
}

/// Whether an object is denoted by its distance from a number, as in `((char *)0)[address]`.
pub(super) fn is_number(place: &Place) -> bool {
    let is_index =
        |projection: &Projection| matches!(projection, Projection::Index(index) if !is_constant(index));
    matches!(&place.base, PlaceBase::Deref(pointer) if is_constant(pointer))
        && place.projections.iter().any(is_index)
}
