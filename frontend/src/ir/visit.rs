//! Walks over everything an expression, place or instruction is made of.

use super::cfg::{Callee, Inst, InstKind, Terminator};
use super::expr::{Expr, ExprKind, Place, PlaceBase, Projection};

/// Something met on a walk.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// An expression, before its operands.
    Expr(&'a Expr),
    /// A place, before its parts.
    Place(&'a Place),
}

/// Visits an expression and all it is made of, outside in.
pub fn walk_expr<'a>(expr: &'a Expr, visit: &mut impl FnMut(Part<'a>)) {
    visit(Part::Expr(expr));
    match &expr.kind {
        ExprKind::Load(place) | ExprKind::AddressOf(place) => walk_place(place, visit),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => walk_expr(a, visit),
        ExprKind::Binary(_, a, b) => {
            walk_expr(a, visit);
            walk_expr(b, visit);
        }
        ExprKind::Conditional(a, b, c) => {
            walk_expr(a, visit);
            walk_expr(b, visit);
            walk_expr(c, visit);
        }
        ExprKind::SizeofVla(lengths) => lengths.iter().for_each(|e| walk_expr(e, visit)),
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::Constant { .. }
        | ExprKind::FunctionAddress(_)
        | ExprKind::Sizeof(_)
        | ExprKind::Unknown(_) => {}
    }
}

/// Visits a place and all it is made of, outside in.
pub fn walk_place<'a>(place: &'a Place, visit: &mut impl FnMut(Part<'a>)) {
    visit(Part::Place(place));
    if let PlaceBase::Deref(pointer) = &place.base {
        walk_expr(pointer, visit);
    }
    for projection in &place.projections {
        if let Projection::Index(index) = projection {
            walk_expr(index, visit);
        }
    }
}

/// Visits all expressions and places of an instruction, those it writes included.
pub fn walk_inst<'a>(inst: &'a Inst, visit: &mut impl FnMut(Part<'a>)) {
    match &inst.kind {
        InstKind::Assign(place, value) => {
            walk_place(place, visit);
            walk_expr(value, visit);
        }
        InstKind::Call { dest, callee, args } => {
            if let Some(dest) = dest {
                walk_place(dest, visit);
            }
            if let Callee::Indirect(callee) = callee {
                walk_expr(callee, visit);
            }
            args.iter().for_each(|a| walk_expr(a, visit));
        }
        InstKind::Declare(_) => {}
        InstKind::Opaque { writes, .. } => writes.iter().flatten().for_each(|p| walk_place(p, visit)),
    }
}

/// Visits the expression that a terminator reads, if any.
pub fn walk_terminator<'a>(terminator: &'a Terminator, visit: &mut impl FnMut(Part<'a>)) {
    match terminator {
        Terminator::Branch { condition, .. } => walk_expr(condition, visit),
        Terminator::Switch { value, .. } => walk_expr(value, visit),
        Terminator::Return(Some(value), _) => walk_expr(value, visit),
        Terminator::Goto(_)
        | Terminator::IndirectGoto(_)
        | Terminator::Return(None, _)
        | Terminator::Unreachable => {}
    }
}
