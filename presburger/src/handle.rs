//! What isl gives, owned: it is freed exactly once, and before its context.

use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};

use crate::context::Context;
use crate::sys;

/// A type of isl.
pub(crate) trait Object {
    /// Gives a reference back.
    ///
    /// # Safety
    ///
    /// The object is alive, and the caller owns a reference, which is gone afterwards.
    unsafe fn free(object: *mut Self);
}

/// A type whose copies are the object itself with one more reference.
pub(crate) trait Counted: Object {
    /// Another reference to the object.
    ///
    /// # Safety
    ///
    /// The object is alive.
    unsafe fn copy(object: *mut Self) -> *mut Self;
}

macro_rules! objects {
    ($($name:ident $free:ident;)*) => { $(
        impl Object for sys::$name {
            unsafe fn free(object: *mut Self) {
                // SAFETY: the caller owns the reference that is taken here.
                unsafe { sys::$free(object) };
            }
        }
    )* };
}

macro_rules! counted {
    ($($name:ident $copy:ident;)*) => { $(
        impl Counted for sys::$name {
            unsafe fn copy(object: *mut Self) -> *mut Self {
                // SAFETY: the object is alive, as the caller says; it is kept, and a reference is given.
                unsafe { sys::$copy(object) }
            }
        }
    )* };
}

objects! {
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

counted! {
    isl_basic_set isl_basic_set_copy;
    isl_map isl_map_copy;
    isl_set isl_set_copy;
    isl_space isl_space_copy;
    isl_union_map isl_union_map_copy;
    isl_union_set isl_union_set_copy;
    isl_val isl_val_copy;
}

/// One reference to an object, and its context, which lives at least as long.
pub(crate) struct Owned<T: Object> {
    object: NonNull<T>,
    context: Context,
}

impl<T: Object> Owned<T> {
    /// # Safety
    ///
    /// The object belongs to the context, and the caller owns the reference, which is the result's from now on.
    pub(crate) unsafe fn new(object: NonNull<T>, context: &Context) -> Self {
        Self { object, context: context.clone() }
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// For an argument that isl keeps: alive as long as `self`.
    pub(crate) fn keep(&self) -> *mut T {
        self.object.as_ptr()
    }

    /// For an argument that isl takes, where `self` is not needed any more.
    pub(crate) fn give_away(self) -> *mut T {
        // The context is dropped, the object is not: its reference goes with the pointer.
        let this = ManuallyDrop::new(self);
        // SAFETY: the field is read once, and `this` is not used as a whole again.
        drop(unsafe { ptr::read(&this.context) });
        this.object.as_ptr()
    }
}

impl<T: Counted> Owned<T> {
    /// For an argument that isl takes: a reference of its own, which is lost unless isl gets it.
    pub(crate) fn take(&self) -> *mut T {
        // SAFETY: the object is alive, since `self` owns a reference.
        unsafe { T::copy(self.object.as_ptr()) }
    }
}

impl<T: Counted> Clone for Owned<T> {
    fn clone(&self) -> Self {
        // A copy is the same object, counted once more.
        self.take();
        Self { object: self.object, context: self.context.clone() }
    }
}

impl<T: Object> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: `self` owns this reference, and nothing uses it afterwards; the context is dropped later, being a field.
        unsafe { T::free(self.object.as_ptr()) };
    }
}
