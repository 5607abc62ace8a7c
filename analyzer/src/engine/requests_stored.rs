//! Whether a program stores handles of requests itself: what is known of an array of handles from the calls that filled it then need not
//! be so any more.

use frontend::ir::visit::{Part, walk_expr};
use frontend::ir::{
    Callee, Expr, ExprKind, InstKind, LocalId, Place, Projection, RecordId, RecordKind, Terminator, Type,
    TypeId, TypeTable,
};
use frontend::program::{FunctionRef, Program, Resolution};

/// Whether some function stores a handle of a request other than by a call of MPI, or may do so through a pointer of another type.
pub(crate) fn stores_requests(program: &Program, functions: &[FunctionRef]) -> bool {
    functions.iter().any(|&function| {
        let types = &program.units[function.unit].types;
        let Some(cfg) = &program.function(function).body else { return false };
        let holds = |ty: TypeId| holds_request(types, ty);
        // What a union holds may be stored as something else.
        let may_be = |place: &Place| {
            let in_union = |p: &Projection| matches!(p, Projection::Field(record, _)
                if types.record(*record).kind == RecordKind::Union && has_request(types, *record));
            holds(place.ty) || place.projections.iter().any(in_union)
        };
        let points_to = |ty: TypeId| matches!(types.get(ty), Type::Pointer(to) if holds(*to));
        let points = |expr: &Expr| points_to(expr.ty);
        let is_cast = |expr: &Expr| {
            let mut found = false;
            walk_expr(expr, &mut |part| {
                if let Part::Expr(Expr { kind: ExprKind::Cast(from), ty, .. }) = part {
                    found |= points(from) && !points_to(*ty);
                }
            });
            found
        };
        let stores = |inst: &InstKind| match inst {
            InstKind::Assign(place, value) => {
                may_be(place) || is_cast(value) || (points(value) && !points_to(place.ty))
            }
            InstKind::Declare(_) => false,
            InstKind::Opaque { writes, .. } => {
                writes.as_ref().is_none_or(|places| places.iter().any(may_be))
            }
            InstKind::Call { dest, callee, args } => {
                let given = match callee {
                    Callee::Direct { mpi: Some(_), .. } => false,
                    Callee::Direct { name, .. } if &**name == "free" => false,
                    Callee::Direct { name, mpi: None } => match program.resolve(function.unit, name) {
                        Resolution::Defined(target) => {
                            let (code, types) = (program.function(target), &program.units[target.unit].types);
                            let takes = |index: u32| {
                                matches!(types.get(code.local(LocalId(index)).ty), Type::Pointer(to) if holds_request(types, *to))
                            };
                            let is_other = |(index, arg): (u32, &Expr)| {
                                points(arg) && !(index < code.params && takes(index))
                            };
                            args.iter().any(is_cast) || (0..).zip(args).any(is_other)
                        }
                        Resolution::External => args.iter().any(|arg| points(arg.strip_casts())),
                    },
                    Callee::Indirect(_) => args.iter().any(|arg| points(arg.strip_casts())),
                };
                given || dest.as_ref().is_some_and(may_be)
            }
        };
        // As what the caller takes it is not looked into.
        let returns = |end: &Terminator| matches!(end, Terminator::Return(Some(value), _) if points(value.strip_casts()));
        cfg.graph.node_weights().any(|block| {
            block.insts.iter().any(|inst| stores(&inst.kind)) || returns(&block.terminator)
        })
    })
}

/// Whether a type is that of a handle of a request, or has members of it.
pub(crate) fn holds_request(types: &TypeTable, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Named(name) => &**name == "MPI_Request",
        Type::Array(element, _) => holds_request(types, *element),
        Type::Record(record) => has_request(types, *record),
        _ => false,
    }
}

fn has_request(types: &TypeTable, record: RecordId) -> bool {
    types.record(record).fields.iter().flatten().any(|field| holds_request(types, field.ty))
}
