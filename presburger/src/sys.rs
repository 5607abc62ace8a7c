//! The functions of isl that this crate calls, as `isl/*.h` of version 0.25 declares them.
//!
//! In the comments of isl an argument is *taken* (`__isl_take`: the call owns it, also if it fails) or *kept* (`__isl_keep`: it is
//! borrowed for the call), and a result is *given* (`__isl_give`: the caller owns it; null says that the call has failed).

#![allow(non_camel_case_types, reason = "the names are isl's")]

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

/// A type of which only isl knows what is in it.
macro_rules! opaque {
    ($($name:ident),* $(,)?) => { $(
        #[repr(C)]
        pub(crate) struct $name {
            hidden: [u8; 0],
            // It lives at one address, in one thread.
            pinned: std::marker::PhantomData<(*mut u8, std::marker::PhantomPinned)>,
        }
    )* };
}

opaque!(
    isl_aff,
    isl_ast_build,
    isl_ast_expr,
    isl_basic_map,
    isl_basic_set,
    isl_basic_set_list,
    isl_constraint,
    isl_ctx,
    isl_local_space,
    isl_map,
    isl_map_list,
    isl_mat,
    isl_multi_aff,
    isl_point,
    isl_pw_aff,
    isl_pw_multi_aff,
    isl_schedule,
    isl_schedule_constraints,
    isl_set,
    isl_set_list,
    isl_space,
    isl_union_map,
    isl_union_set,
    isl_val,
);

/// -1 where the call has failed, 0 for false, 1 for true.
pub(crate) type isl_bool = c_int;
/// -1 where the call has failed.
pub(crate) type isl_size = c_int;
/// -1 where the call has failed, 0 otherwise.
pub(crate) type isl_stat = c_int;

/// `enum isl_error`.
pub(crate) type isl_error = c_int;
pub(crate) const ERROR_NONE: isl_error = 0;
pub(crate) const ERROR_ALLOC: isl_error = 2;
pub(crate) const ERROR_QUOTA: isl_error = 6;

/// `ISL_ON_ERROR_CONTINUE`: nothing is printed, and the call returns null.
pub(crate) const ON_ERROR_CONTINUE: c_int = 1;

/// `enum isl_dim_type`.
pub(crate) type isl_dim_type = c_int;
pub(crate) const PARAMETER: isl_dim_type = 1;
pub(crate) const IN: isl_dim_type = 2;
pub(crate) const OUT: isl_dim_type = 3;
pub(crate) const SET: isl_dim_type = 3;
pub(crate) const DIV: isl_dim_type = 4;
pub(crate) const CONSTANT: isl_dim_type = 0;

/// What is called for each constraint; it takes the constraint.
pub(crate) type ConstraintFn = unsafe extern "C" fn(*mut isl_constraint, *mut c_void) -> isl_stat;

/// What is called for each point of a set; it takes the point.
pub(crate) type PointFn = unsafe extern "C" fn(*mut isl_point, *mut c_void) -> isl_stat;

/// What is called for each piece of a function; it takes where the piece is, and what it is there.
pub(crate) type PieceFn = unsafe extern "C" fn(*mut isl_set, *mut isl_multi_aff, *mut c_void) -> isl_stat;

unsafe extern "C" {
    // Contexts.
    pub(crate) fn isl_ctx_alloc() -> *mut isl_ctx;
    pub(crate) fn isl_ctx_free(ctx: *mut isl_ctx);
    pub(crate) fn isl_ctx_set_max_operations(ctx: *mut isl_ctx, max: c_ulong);
    pub(crate) fn isl_ctx_reset_operations(ctx: *mut isl_ctx);
    pub(crate) fn isl_ctx_last_error(ctx: *mut isl_ctx) -> isl_error;
    pub(crate) fn isl_ctx_last_error_msg(ctx: *mut isl_ctx) -> *const c_char;
    pub(crate) fn isl_ctx_reset_error(ctx: *mut isl_ctx);
    pub(crate) fn isl_options_set_on_error(ctx: *mut isl_ctx, value: c_int) -> isl_stat;
    pub(crate) fn isl_malloc_or_die(ctx: *mut isl_ctx, size: usize) -> *mut c_void;
    pub(crate) fn free(memory: *mut c_void);
}

/// Another reference: `fn copy(kept) -> given`.
macro_rules! copying {
    ($($name:ident $copy:ident;)*) => {
        unsafe extern "C" { $( pub(crate) fn $copy(object: *mut $name) -> *mut $name; )* }
    };
}

copying! {
    isl_basic_set isl_basic_set_copy;
    isl_map isl_map_copy;
    isl_set isl_set_copy;
    isl_space isl_space_copy;
    isl_union_map isl_union_map_copy;
    isl_union_set isl_union_set_copy;
    isl_val isl_val_copy;
}

/// A reference given back: `fn free(taken) -> null`.
macro_rules! freeing {
    ($($name:ident $free:ident;)*) => {
        unsafe extern "C" { $( pub(crate) fn $free(object: *mut $name) -> *mut $name; )* }
    };
}

freeing! {
    isl_aff isl_aff_free;
    isl_ast_build isl_ast_build_free;
    isl_ast_expr isl_ast_expr_free;
    isl_basic_map isl_basic_map_free;
    isl_basic_set isl_basic_set_free;
    isl_basic_set_list isl_basic_set_list_free;
    isl_constraint isl_constraint_free;
    isl_local_space isl_local_space_free;
    isl_map isl_map_free;
    isl_map_list isl_map_list_free;
    isl_mat isl_mat_free;
    isl_multi_aff isl_multi_aff_free;
    isl_point isl_point_free;
    isl_pw_aff isl_pw_aff_free;
    isl_pw_multi_aff isl_pw_multi_aff_free;
    isl_schedule isl_schedule_free;
    isl_schedule_constraints isl_schedule_constraints_free;
    isl_set isl_set_free;
    isl_set_list isl_set_list_free;
    isl_space isl_space_free;
    isl_union_map isl_union_map_free;
    isl_union_set isl_union_set_free;
    isl_val isl_val_free;
}

/// Functions that take their arguments and give a result, one line each.
macro_rules! taking {
    ($($function:ident($($argument:ident),*) -> $result:ident;)*) => {
        unsafe extern "C" { $( pub(crate) fn $function($(_: *mut $argument),*) -> *mut $result; )* }
    };
}

taking! {
    isl_union_set_union(isl_union_set, isl_union_set) -> isl_union_set;
    isl_union_set_intersect(isl_union_set, isl_union_set) -> isl_union_set;
    isl_union_set_subtract(isl_union_set, isl_union_set) -> isl_union_set;
    isl_union_set_gist(isl_union_set, isl_union_set) -> isl_union_set;
    isl_union_set_gist_params(isl_union_set, isl_set) -> isl_union_set;
    isl_union_set_intersect_params(isl_union_set, isl_set) -> isl_union_set;
    isl_union_set_apply(isl_union_set, isl_union_map) -> isl_union_set;
    isl_union_set_coalesce(isl_union_set) -> isl_union_set;
    isl_union_set_simple_hull(isl_union_set) -> isl_union_set;
    isl_union_set_lexmin(isl_union_set) -> isl_union_set;
    isl_union_set_lexmax(isl_union_set) -> isl_union_set;
    isl_union_set_params(isl_union_set) -> isl_set;
    isl_union_set_from_set(isl_set) -> isl_union_set;
    isl_union_set_from_basic_set(isl_basic_set) -> isl_union_set;
    isl_union_set_identity(isl_union_set) -> isl_union_map;
    isl_union_set_lex_lt_union_set(isl_union_set, isl_union_set) -> isl_union_map;
    isl_union_set_lex_le_union_set(isl_union_set, isl_union_set) -> isl_union_map;
    isl_union_set_unwrap(isl_union_set) -> isl_union_map;

    isl_union_map_union(isl_union_map, isl_union_map) -> isl_union_map;
    isl_union_map_intersect(isl_union_map, isl_union_map) -> isl_union_map;
    isl_union_map_subtract(isl_union_map, isl_union_map) -> isl_union_map;
    isl_union_map_gist(isl_union_map, isl_union_map) -> isl_union_map;
    isl_union_map_gist_params(isl_union_map, isl_set) -> isl_union_map;
    isl_union_map_intersect_params(isl_union_map, isl_set) -> isl_union_map;
    isl_union_map_intersect_domain(isl_union_map, isl_union_set) -> isl_union_map;
    isl_union_map_intersect_range(isl_union_map, isl_union_set) -> isl_union_map;
    isl_union_map_subtract_domain(isl_union_map, isl_union_set) -> isl_union_map;
    isl_union_map_subtract_range(isl_union_map, isl_union_set) -> isl_union_map;
    isl_union_map_apply_range(isl_union_map, isl_union_map) -> isl_union_map;
    isl_union_map_apply_domain(isl_union_map, isl_union_map) -> isl_union_map;
    isl_union_map_flat_range_product(isl_union_map, isl_union_map) -> isl_union_map;
    isl_union_map_from_domain_and_range(isl_union_set, isl_union_set) -> isl_union_map;
    isl_union_map_reverse(isl_union_map) -> isl_union_map;
    isl_union_map_domain(isl_union_map) -> isl_union_set;
    isl_union_map_range(isl_union_map) -> isl_union_set;
    isl_union_map_deltas(isl_union_map) -> isl_union_set;
    isl_union_map_wrap(isl_union_map) -> isl_union_set;
    isl_union_map_domain_map(isl_union_map) -> isl_union_map;
    isl_union_map_range_map(isl_union_map) -> isl_union_map;
    isl_union_map_coalesce(isl_union_map) -> isl_union_map;
    isl_union_map_compute_divs(isl_union_map) -> isl_union_map;
    isl_union_map_detect_equalities(isl_union_map) -> isl_union_map;
    isl_union_map_simple_hull(isl_union_map) -> isl_union_map;
    isl_union_map_affine_hull(isl_union_map) -> isl_union_map;
    isl_union_map_lexmin(isl_union_map) -> isl_union_map;
    isl_union_map_lexmax(isl_union_map) -> isl_union_map;
    isl_union_map_params(isl_union_map) -> isl_set;
    isl_union_map_from_map(isl_map) -> isl_union_map;
    isl_union_map_from_basic_map(isl_basic_map) -> isl_union_map;
    isl_union_map_lex_lt_union_map(isl_union_map, isl_union_map) -> isl_union_map;
    isl_union_map_lex_le_union_map(isl_union_map, isl_union_map) -> isl_union_map;

    isl_pw_multi_aff_from_map(isl_map) -> isl_pw_multi_aff;
    isl_pw_multi_aff_coalesce(isl_pw_multi_aff) -> isl_pw_multi_aff;
    isl_pw_multi_aff_gist_params(isl_pw_multi_aff, isl_set) -> isl_pw_multi_aff;
    isl_pw_aff_from_aff(isl_aff) -> isl_pw_aff;
    isl_pw_aff_project_domain_on_params(isl_pw_aff) -> isl_pw_aff;
    isl_ast_build_from_context(isl_set) -> isl_ast_build;

    isl_schedule_constraints_on_domain(isl_union_set) -> isl_schedule_constraints;
    isl_schedule_constraints_compute_schedule(isl_schedule_constraints) -> isl_schedule;

    isl_set_params(isl_set) -> isl_set;
    isl_set_intersect_params(isl_set, isl_set) -> isl_set;
    isl_set_coalesce(isl_set) -> isl_set;
    isl_set_make_disjoint(isl_set) -> isl_set;
    isl_basic_set_detect_equalities(isl_basic_set) -> isl_basic_set;
    isl_basic_set_remove_redundancies(isl_basic_set) -> isl_basic_set;
    isl_set_from_params(isl_set) -> isl_set;
    isl_set_from_basic_set(isl_basic_set) -> isl_set;
    isl_set_sample_point(isl_set) -> isl_point;

    isl_space_unwrap(isl_space) -> isl_space;
    isl_space_domain(isl_space) -> isl_space;
    isl_space_range(isl_space) -> isl_space;

    isl_val_mul(isl_val, isl_val) -> isl_val;

}

/// Functions that keep their arguments: questions, parts that are given, and what belongs to the argument.
macro_rules! keeping {
    ($($function:ident($($argument:ident),*) -> $result:ty;)*) => {
        unsafe extern "C" { $( pub(crate) fn $function($(_: *mut $argument),*) -> $result; )* }
    };
}

keeping! {
    isl_union_set_is_empty(isl_union_set) -> isl_bool;
    isl_union_set_is_params(isl_union_set) -> isl_bool;
    isl_union_set_is_subset(isl_union_set, isl_union_set) -> isl_bool;
    isl_union_set_is_equal(isl_union_set, isl_union_set) -> isl_bool;
    isl_union_set_is_disjoint(isl_union_set, isl_union_set) -> isl_bool;
    isl_union_set_get_space(isl_union_set) -> *mut isl_space;
    isl_union_set_get_set_list(isl_union_set) -> *mut isl_set_list;

    isl_union_map_is_empty(isl_union_map) -> isl_bool;
    isl_union_map_is_subset(isl_union_map, isl_union_map) -> isl_bool;
    isl_union_map_is_equal(isl_union_map, isl_union_map) -> isl_bool;
    isl_union_map_is_disjoint(isl_union_map, isl_union_map) -> isl_bool;
    isl_union_map_is_single_valued(isl_union_map) -> isl_bool;
    isl_union_map_is_injective(isl_union_map) -> isl_bool;
    isl_union_map_is_bijective(isl_union_map) -> isl_bool;
    isl_union_map_get_space(isl_union_map) -> *mut isl_space;
    isl_union_map_get_map_list(isl_union_map) -> *mut isl_map_list;

    isl_schedule_get_map(isl_schedule) -> *mut isl_union_map;

    isl_set_list_n_set(isl_set_list) -> isl_size;
    isl_map_list_n_map(isl_map_list) -> isl_size;
    isl_basic_set_list_n_basic_set(isl_basic_set_list) -> isl_size;

    isl_set_is_empty(isl_set) -> isl_bool;
    isl_set_is_bounded(isl_set) -> isl_bool;
    isl_set_get_space(isl_set) -> *mut isl_space;
    isl_set_get_basic_set_list(isl_set) -> *mut isl_basic_set_list;
    isl_map_get_space(isl_map) -> *mut isl_space;
    isl_basic_set_is_empty(isl_basic_set) -> isl_bool;
    isl_basic_set_get_space(isl_basic_set) -> *mut isl_space;
    isl_basic_set_get_local_space(isl_basic_set) -> *mut isl_local_space;
    isl_constraint_is_equality(isl_constraint) -> isl_bool;
    isl_constraint_is_div_constraint(isl_constraint) -> isl_bool;
    isl_constraint_get_constant_val(isl_constraint) -> *mut isl_val;
    isl_aff_get_constant_val(isl_aff) -> *mut isl_val;
    isl_aff_get_denominator_val(isl_aff) -> *mut isl_val;

    isl_space_is_params(isl_space) -> isl_bool;
    isl_space_is_wrapping(isl_space) -> isl_bool;
    isl_point_is_void(isl_point) -> isl_bool;
    isl_val_is_int(isl_val) -> isl_bool;
    isl_val_is_infty(isl_val) -> isl_bool;
    isl_val_is_neginfty(isl_val) -> isl_bool;
    isl_val_get_num_si(isl_val) -> c_long;
    isl_ast_expr_to_C_str(isl_ast_expr) -> *mut c_char;
    isl_union_set_to_str(isl_union_set) -> *mut c_char;
    isl_union_map_to_str(isl_union_map) -> *mut c_char;

}

// The rest, with numbers and texts among the arguments. Objects are kept where a number is asked for or a part is got, and taken where
// the same kind of object is given.
unsafe extern "C" {
    pub(crate) fn isl_union_set_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_union_set;
    pub(crate) fn isl_union_map_read_from_str(ctx: *mut isl_ctx, text: *const c_char) -> *mut isl_union_map;
    pub(crate) fn isl_union_set_project_out(
        set: *mut isl_union_set,
        kind: isl_dim_type,
        first: c_uint,
        count: c_uint,
    ) -> *mut isl_union_set;
    pub(crate) fn isl_union_map_project_out(
        map: *mut isl_union_map,
        kind: isl_dim_type,
        first: c_uint,
        count: c_uint,
    ) -> *mut isl_union_map;
    pub(crate) fn isl_set_list_get_set(list: *mut isl_set_list, index: c_int) -> *mut isl_set;
    pub(crate) fn isl_map_list_get_map(list: *mut isl_map_list, index: c_int) -> *mut isl_map;
    pub(crate) fn isl_basic_set_list_get_basic_set(
        list: *mut isl_basic_set_list,
        index: c_int,
    ) -> *mut isl_basic_set;
    pub(crate) fn isl_basic_set_foreach_constraint(
        set: *mut isl_basic_set,
        each: ConstraintFn,
        user: *mut c_void,
    ) -> isl_stat;
    pub(crate) fn isl_set_foreach_point(set: *mut isl_set, each: PointFn, user: *mut c_void) -> isl_stat;
    pub(crate) fn isl_pw_multi_aff_foreach_piece(
        function: *mut isl_pw_multi_aff,
        each: PieceFn,
        user: *mut c_void,
    ) -> isl_stat;
    pub(crate) fn isl_multi_aff_get_aff(function: *mut isl_multi_aff, at: c_int) -> *mut isl_aff;
    pub(crate) fn isl_ast_build_expr_from_pw_aff(
        build: *mut isl_ast_build,
        value: *mut isl_pw_aff,
    ) -> *mut isl_ast_expr;
    pub(crate) fn isl_ast_build_expr_from_set(
        build: *mut isl_ast_build,
        set: *mut isl_set,
    ) -> *mut isl_ast_expr;
    pub(crate) fn isl_map_move_dims(
        map: *mut isl_map,
        to: isl_dim_type,
        at: c_uint,
        from: isl_dim_type,
        first: c_uint,
        count: c_uint,
    ) -> *mut isl_map;
    pub(crate) fn isl_map_set_dim_name(
        map: *mut isl_map,
        kind: isl_dim_type,
        at: c_uint,
        name: *const c_char,
    ) -> *mut isl_map;
    pub(crate) fn isl_map_dim(map: *mut isl_map, kind: isl_dim_type) -> isl_size;
    pub(crate) fn isl_multi_aff_dim(function: *mut isl_multi_aff, kind: isl_dim_type) -> isl_size;
    pub(crate) fn isl_schedule_constraints_set_validity(
        constraints: *mut isl_schedule_constraints,
        validity: *mut isl_union_map,
    ) -> *mut isl_schedule_constraints;
    pub(crate) fn isl_set_move_dims(
        set: *mut isl_set,
        to: isl_dim_type,
        at: c_uint,
        from: isl_dim_type,
        first: c_uint,
        count: c_uint,
    ) -> *mut isl_set;
    pub(crate) fn isl_set_project_out(
        set: *mut isl_set,
        kind: isl_dim_type,
        first: c_uint,
        count: c_uint,
    ) -> *mut isl_set;
    pub(crate) fn isl_set_set_tuple_name(set: *mut isl_set, name: *const c_char) -> *mut isl_set;
    pub(crate) fn isl_map_project_out(
        map: *mut isl_map,
        kind: isl_dim_type,
        first: c_uint,
        count: c_uint,
    ) -> *mut isl_map;
    pub(crate) fn isl_map_set_tuple_name(
        map: *mut isl_map,
        kind: isl_dim_type,
        name: *const c_char,
    ) -> *mut isl_map;
    pub(crate) fn isl_set_fix_val(
        set: *mut isl_set,
        kind: isl_dim_type,
        at: c_uint,
        value: *mut isl_val,
    ) -> *mut isl_set;
    pub(crate) fn isl_set_lower_bound_val(
        set: *mut isl_set,
        kind: isl_dim_type,
        at: c_uint,
        value: *mut isl_val,
    ) -> *mut isl_set;
    pub(crate) fn isl_set_dim_min_val(set: *mut isl_set, at: c_int) -> *mut isl_val;
    pub(crate) fn isl_set_dim_max_val(set: *mut isl_set, at: c_int) -> *mut isl_val;
    pub(crate) fn isl_basic_set_dim(set: *mut isl_basic_set, kind: isl_dim_type) -> isl_size;
    pub(crate) fn isl_basic_set_project_out(
        set: *mut isl_basic_set,
        kind: isl_dim_type,
        first: c_uint,
        count: c_uint,
    ) -> *mut isl_basic_set;
    pub(crate) fn isl_constraint_get_coefficient_val(
        constraint: *mut isl_constraint,
        kind: isl_dim_type,
        at: c_int,
    ) -> *mut isl_val;
    pub(crate) fn isl_local_space_get_div(space: *mut isl_local_space, at: c_int) -> *mut isl_aff;
    pub(crate) fn isl_aff_dim(aff: *mut isl_aff, kind: isl_dim_type) -> isl_size;
    pub(crate) fn isl_aff_get_coefficient_val(
        aff: *mut isl_aff,
        kind: isl_dim_type,
        at: c_int,
    ) -> *mut isl_val;
    pub(crate) fn isl_space_dim(space: *mut isl_space, kind: isl_dim_type) -> isl_size;
    pub(crate) fn isl_space_has_tuple_name(space: *mut isl_space, kind: isl_dim_type) -> isl_bool;
    pub(crate) fn isl_space_get_tuple_name(space: *mut isl_space, kind: isl_dim_type) -> *const c_char;
    pub(crate) fn isl_space_has_dim_name(space: *mut isl_space, kind: isl_dim_type, at: c_uint) -> isl_bool;
    pub(crate) fn isl_space_get_dim_name(
        space: *mut isl_space,
        kind: isl_dim_type,
        at: c_uint,
    ) -> *const c_char;
    pub(crate) fn isl_point_get_coordinate_val(
        point: *mut isl_point,
        kind: isl_dim_type,
        at: c_int,
    ) -> *mut isl_val;
    pub(crate) fn isl_space_alloc(
        ctx: *mut isl_ctx,
        parameters: c_uint,
        from: c_uint,
        to: c_uint,
    ) -> *mut isl_space;
    pub(crate) fn isl_space_set_alloc(
        ctx: *mut isl_ctx,
        parameters: c_uint,
        length: c_uint,
    ) -> *mut isl_space;
    pub(crate) fn isl_space_set_tuple_name(
        space: *mut isl_space,
        kind: isl_dim_type,
        name: *const c_char,
    ) -> *mut isl_space;
    pub(crate) fn isl_space_set_dim_name(
        space: *mut isl_space,
        kind: isl_dim_type,
        at: c_uint,
        name: *const c_char,
    ) -> *mut isl_space;
    pub(crate) fn isl_mat_alloc(ctx: *mut isl_ctx, rows: c_uint, columns: c_uint) -> *mut isl_mat;
    pub(crate) fn isl_mat_set_element_val(
        matrix: *mut isl_mat,
        row: c_int,
        column: c_int,
        value: *mut isl_val,
    ) -> *mut isl_mat;
    pub(crate) fn isl_basic_set_from_constraint_matrices(
        space: *mut isl_space,
        equations: *mut isl_mat,
        inequalities: *mut isl_mat,
        first: isl_dim_type,
        second: isl_dim_type,
        third: isl_dim_type,
        fourth: isl_dim_type,
    ) -> *mut isl_basic_set;
    pub(crate) fn isl_basic_map_from_constraint_matrices(
        space: *mut isl_space,
        equations: *mut isl_mat,
        inequalities: *mut isl_mat,
        first: isl_dim_type,
        second: isl_dim_type,
        third: isl_dim_type,
        fourth: isl_dim_type,
        fifth: isl_dim_type,
    ) -> *mut isl_basic_map;
    pub(crate) fn isl_val_int_from_si(ctx: *mut isl_ctx, value: c_long) -> *mut isl_val;
}
