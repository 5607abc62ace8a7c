//! Whether a function may be what a pointer of some type points to. Errs on the side of "yes".

use crate::ir::{Type, TypeId, Unit};

/// Whether a call through a pointer of type `pointer` (of `caller`) with `args` arguments may reach a function of type
/// `function` (of `callee`).
pub(super) fn may_call(caller: &Unit, pointer: TypeId, args: usize, callee: &Unit, function: TypeId) -> bool {
    let Type::Function(target) = callee.types.get(function) else { return true };
    if let Some(params) = &target.params
        && (params.len() > args || (params.len() < args && !target.variadic))
    {
        return false;
    }
    let mut called = pointer;
    while let Type::Pointer(inner) = caller.types.get(called) {
        called = *inner;
    }
    let Type::Function(signature) = caller.types.get(called) else { return true };
    if let (Some(a), Some(b)) = (&signature.params, &target.params)
        && (a.len() != b.len() || !a.iter().zip(b).all(|(&a, &b)| alike(caller, a, callee, b)))
    {
        return false;
    }
    alike(caller, signature.result, callee, target.result)
}

/// Whether two types of two units may be the same as far as a call is concerned. Pointers are all alike: code casts
/// them freely.
fn alike(a_unit: &Unit, a: TypeId, b_unit: &Unit, b: TypeId) -> bool {
    match (a_unit.types.get(a), b_unit.types.get(b)) {
        (Type::Unknown | Type::Named(_), _) | (_, Type::Unknown | Type::Named(_)) => true,
        (Type::Int(a) | Type::Enum(_, a), Type::Int(b) | Type::Enum(_, b)) => a.size() == b.size(),
        (Type::Float(a), Type::Float(b)) | (Type::Complex(a), Type::Complex(b)) => a == b,
        (Type::Pointer(_) | Type::Array(..), Type::Pointer(_) | Type::Array(..)) => true,
        (Type::Record(a), Type::Record(b)) => {
            let (a, b) = (a_unit.types.record(*a), b_unit.types.record(*b));
            a.kind == b.kind && (a.name == b.name || a.name.is_none() || b.name.is_none())
        }
        (Type::Void, Type::Void) | (Type::Function(_), Type::Function(_)) => true,
        _ => false,
    }
}
