//! Contexts: what owns the memory of isl, and counts what is done in it.

use std::cell::Cell;
use std::ffi::{CStr, c_long, c_ulong};
use std::fmt;
use std::ptr::NonNull;
use std::rc::Rc;

use crate::error::{Error, Result};
use crate::handle::{Object, Owned};
use crate::sys;

/// Where sets and relations live, with a budget of operations.
///
/// Objects of different contexts know nothing of each other: an operation on both ends in [`Error::Contexts`].
/// A clone is the same context.
///
/// # Budget
///
/// isl counts what it does: an *operation* is a pivot of a simplex tableau or an allocation. Where the number of a budget is reached,
/// the operation ends with [`Error::Budget`], and so does every later one that asks isl for something, until [`Context::set_budget`]
/// is called. What was computed before stays as it is, and can be printed, copied and dropped.
///
/// The count depends on what was done in the context before, since isl keeps memory for later use; not on the machine, nor on the time.
/// So the same calls in a new context need the same number of operations.
///
/// # Threads
///
/// isl's contexts have no locks: a context and its objects stay in the thread that has made them. The types say so:
///
/// ```compile_fail,E0277
/// let context = presburger::Context::new().unwrap();
/// std::thread::spawn(move || context.operations());
/// ```
#[derive(Clone)]
pub struct Context(Rc<Inner>);

struct Inner {
    isl: NonNull<sys::isl_ctx>,
    /// Operations before isl's own counter was last set to zero.
    done: Cell<u64>,
    /// How many operations there may be in all.
    end: Cell<Option<u64>>,
    spent: Cell<bool>,
}

impl Context {
    /// A context without a limit.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`] where isl has no memory for it.
    pub fn new() -> Result<Self> {
        // SAFETY: it has no arguments, and what it gives is freed once, when the last of its holders is dropped.
        let isl = NonNull::new(unsafe { sys::isl_ctx_alloc() }).ok_or(Error::Memory)?;
        // SAFETY: the context is alive. From here on isl neither prints errors nor aborts.
        unsafe { sys::isl_options_set_on_error(isl.as_ptr(), sys::ON_ERROR_CONTINUE) };
        let inner = Inner { isl, done: Cell::new(0), end: Cell::new(None), spent: Cell::new(false) };
        Ok(Self(Rc::new(inner)))
    }

    /// A context that ends after so many operations.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`] where isl has no memory for it.
    pub fn with_budget(operations: u64) -> Result<Self> {
        let context = Self::new()?;
        context.set_budget(Some(operations));
        Ok(context)
    }

    /// From now on there may be so many operations more; without a number there is no limit. A spent context goes on.
    pub fn set_budget(&self, operations: Option<u64>) {
        let done = self.operations();
        self.0.end.set(operations.map(|operations| done.saturating_add(operations)));
        self.0.spent.set(operations == Some(0));
        self.limit();
    }

    /// How many operations there may still be, where there is a limit.
    #[must_use]
    pub fn left(&self) -> Option<u64> {
        let done = self.operations();
        if self.0.spent.get() { Some(0) } else { self.0.end.get().map(|end| end.saturating_sub(done)) }
    }

    /// Whether the budget is spent, so that nothing more is computed.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.0.spent.get()
    }

    /// The operations that were done in this context since it was made.
    ///
    /// isl does not tell its counter, only whether it has reached a limit; so the number is found by bisection.
    #[must_use]
    pub fn operations(&self) -> u64 {
        let isl = self.isl();
        // Allocations that succeed count, too, and are not part of what is asked for.
        let mut own = 0_u64;
        let mut is_below = |most: u64| {
            let limit = c_ulong::try_from(most.saturating_add(own)).unwrap_or(c_ulong::MAX);
            // SAFETY: the context is alive; the memory is freed at once, and null may be freed.
            let memory = unsafe {
                sys::isl_ctx_set_max_operations(isl, limit);
                let memory = sys::isl_malloc_or_die(isl, 1);
                sys::free(memory);
                memory
            };
            own += u64::from(!memory.is_null());
            !memory.is_null()
        };
        let mut high = 1_u64;
        while high < u64::MAX / 2 && !is_below(high) {
            high *= 2;
        }
        // The number is at least `low` and less than `high`.
        let mut low = high / 2;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if is_below(middle) { high = middle } else { low = middle }
        }
        // SAFETY: the context is alive.
        unsafe {
            sys::isl_ctx_reset_operations(isl);
            sys::isl_ctx_reset_error(isl);
        }
        let done = self.0.done.get().saturating_add(low);
        self.0.done.set(done);
        self.limit();
        done
    }

    /// Tells isl how many operations are left. Its counter is at zero.
    fn limit(&self) {
        let left = self.0.end.get().map_or(0, |end| end.saturating_sub(self.0.done.get()).max(1));
        // Zero is no limit for isl; a context of which nothing is left is not asked.
        let left = c_ulong::try_from(left).unwrap_or(c_ulong::MAX);
        // SAFETY: the context is alive.
        unsafe { sys::isl_ctx_set_max_operations(self.isl(), left) };
    }

    pub(crate) fn isl(&self) -> *mut sys::isl_ctx {
        self.0.isl.as_ptr()
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Whether isl may be asked.
    fn begin(&self) -> Result<()> {
        if self.0.spent.get() {
            return Err(Error::Budget);
        }
        // SAFETY: the context is alive.
        unsafe { sys::isl_ctx_reset_error(self.isl()) };
        Ok(())
    }

    /// What has become of a call. An error counts also where there is a result: it may have been computed without what failed.
    fn end(&self, has_failed: bool) -> Result<()> {
        // SAFETY: the context is alive.
        let code = unsafe { sys::isl_ctx_last_error(self.isl()) };
        if code == sys::ERROR_NONE && !has_failed {
            return Ok(());
        }
        let message = self.message();
        // isl may say something else on its way out, such as that a text has no right syntax: at the limit nothing but the limit counts.
        if code == sys::ERROR_QUOTA || self.left() == Some(0) {
            self.0.spent.set(true);
            return Err(Error::Budget);
        }
        Err(if code == sys::ERROR_ALLOC { Error::Memory } else { Error::Refused(message) })
    }

    fn message(&self) -> String {
        // SAFETY: the context is alive; the message is null or a constant text of isl.
        let message = unsafe {
            let message = sys::isl_ctx_last_error_msg(self.isl());
            if message.is_null() { None } else { Some(CStr::from_ptr(message)) }
        };
        message.map_or_else(|| "no reason is given".to_owned(), |text| text.to_string_lossy().into_owned())
    }

    /// Calls isl for an object.
    ///
    /// # Safety
    ///
    /// What the call gives is null, or a reference that the caller owns to an object of this context.
    pub(crate) unsafe fn give<T: Object>(&self, call: impl FnOnce() -> *mut T) -> Result<Owned<T>> {
        self.begin()?;
        // SAFETY: as the caller says.
        let object = NonNull::new(call()).map(|object| unsafe { Owned::new(object, self) });
        self.end(object.is_none())?;
        object.ok_or(Error::Memory)
    }

    /// Calls isl for a number, of which a negative one says that the call has failed.
    pub(crate) fn number(&self, call: impl FnOnce() -> i32) -> Result<usize> {
        self.begin()?;
        let number = usize::try_from(call());
        self.end(number.is_err())?;
        number.map_err(|_| Error::Memory)
    }

    /// Calls isl for a number that it refuses to give where it is too large.
    #[allow(clippy::unnecessary_cast, reason = "a long has 32 bits on some machines")]
    pub(crate) fn integer(&self, call: impl FnOnce() -> c_long) -> Result<i64> {
        self.begin()?;
        let number = call();
        self.end(false)
            .map_err(|error| if let Error::Refused(_) = error { Error::Overflow } else { error })?;
        Ok(number as i64)
    }

    /// Calls isl for yes or no.
    pub(crate) fn truth(&self, call: impl FnOnce() -> sys::isl_bool) -> Result<bool> {
        Ok(self.number(call)? != 0)
    }

    /// Runs something that the budget does not pay for, as printing, and that goes on where it is spent.
    pub(crate) fn uncounted<T>(&self, run: impl FnOnce() -> T) -> T {
        let done = self.operations();
        let (end, spent) = (self.0.end.replace(None), self.0.spent.replace(false));
        self.limit();
        let result = run();
        // SAFETY: the context is alive.
        unsafe { sys::isl_ctx_reset_operations(self.isl()) };
        self.0.done.set(done);
        self.0.end.set(end);
        self.0.spent.set(spent);
        self.limit();
        result
    }

    /// Calls isl for an object that may be missing, which isl says by refusing.
    ///
    /// # Safety
    ///
    /// As for [`Context::give`].
    pub(crate) unsafe fn give_if_there<T: Object>(
        &self,
        call: impl FnOnce() -> *mut T,
    ) -> Result<Option<Owned<T>>> {
        // SAFETY: as the caller says.
        match unsafe { self.give(call) } {
            Err(Error::Refused(_)) => Ok(None),
            other => other.map(Some),
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: whoever owns an object holds the context, so no object is left, and nobody else has the pointer.
        unsafe { sys::isl_ctx_free(self.isl.as_ptr()) };
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("spent", &self.0.spent.get()).finish_non_exhaustive()
    }
}
