//! What functions return, and what is said about it.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use layout::LayoutError;
use layout::dataloop::LoopError;

/// What a function returns. Unless it is ANYRANK_OK, nothing was written through any pointer.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum anyrank_status {
    /// All is done.
    ANYRANK_OK = 0,
    /// A pointer is null or misaligned, a count is negative, or a number is not what MPI allows there.
    ANYRANK_ERR_ARGUMENT = 1,
    /// There is no such type or segment: it was freed, or never built.
    ANYRANK_ERR_HANDLE = 2,
    /// The type is not committed.
    ANYRANK_ERR_NOT_COMMITTED = 3,
    /// There are more than 2^61 bytes or elements, or they are further apart.
    ANYRANK_ERR_TOO_LARGE = 4,
    /// Types are nested too deep.
    ANYRANK_ERR_TOO_DEEP = 5,
    /// The data of the type is not all within the memory.
    ANYRANK_ERR_BOUNDS = 6,
    /// The memory and the packed bytes overlap.
    ANYRANK_ERR_OVERLAP = 7,
    /// There is no room for all packed bytes, or fewer of them than the type has.
    ANYRANK_ERR_TRUNCATE = 8,
    /// There is no such position in the segment.
    ANYRANK_ERR_POSITION = 9,
    /// A bug of this library.
    ANYRANK_ERR_INTERNAL = 10,
}

use anyrank_status::{
    ANYRANK_ERR_ARGUMENT, ANYRANK_ERR_BOUNDS, ANYRANK_ERR_HANDLE, ANYRANK_ERR_INTERNAL,
    ANYRANK_ERR_NOT_COMMITTED, ANYRANK_ERR_OVERLAP, ANYRANK_ERR_POSITION, ANYRANK_ERR_TOO_DEEP,
    ANYRANK_ERR_TOO_LARGE, ANYRANK_ERR_TRUNCATE, ANYRANK_OK,
};

/// Why a function did nothing.
#[derive(Debug)]
pub struct Failure {
    status: anyrank_status,
    detail: String,
}

impl Failure {
    /// With a sentence about this very call.
    pub fn new(status: anyrank_status, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into() }
    }

    /// With what is always said.
    pub fn plain(status: anyrank_status) -> Self {
        Self::new(status, text(status).to_string_lossy())
    }
}

impl From<LayoutError> for Failure {
    fn from(error: LayoutError) -> Self {
        let status = match error {
            LayoutError::TooFar(_) | LayoutError::TooMany => ANYRANK_ERR_TOO_LARGE,
            LayoutError::TooDeep => ANYRANK_ERR_TOO_DEEP,
            _ => ANYRANK_ERR_ARGUMENT,
        };
        Self::new(status, error.to_string())
    }
}

impl From<LoopError> for Failure {
    fn from(error: LoopError) -> Self {
        let status = match error {
            LoopError::TooLarge => ANYRANK_ERR_TOO_LARGE,
            LoopError::TooDeep => ANYRANK_ERR_TOO_DEEP,
            LoopError::OutOfBounds { .. } => ANYRANK_ERR_BOUNDS,
            LoopError::BeyondEnd { .. } => ANYRANK_ERR_POSITION,
            _ => ANYRANK_ERR_ARGUMENT,
        };
        Self::new(status, error.to_string())
    }
}

thread_local! {
    /// What the last function of this thread that failed has to say.
    static DETAIL: RefCell<CString> = RefCell::default();
}

/// Runs what a function does, and makes a status of how it went.
pub fn guarded(run: impl FnOnce() -> Result<(), Failure>) -> anyrank_status {
    // Nothing is left half done for others to see: tables change in one step, and a segment that panics is not put back.
    let outcome = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        Err(Failure::new(ANYRANK_ERR_INTERNAL, "the library has a bug, and has panicked"))
    });
    match outcome {
        Ok(()) => ANYRANK_OK,
        Err(Failure { status, detail }) => {
            // A thread that ends has no place for it any more.
            let _ = DETAIL.try_with(|last| *last.borrow_mut() = CString::new(detail).unwrap_or_default());
            status
        }
    }
}

const fn text(status: anyrank_status) -> &'static CStr {
    match status {
        ANYRANK_OK => c"success",
        ANYRANK_ERR_ARGUMENT => c"an argument is not what it has to be",
        ANYRANK_ERR_HANDLE => c"there is no such type or segment",
        ANYRANK_ERR_NOT_COMMITTED => c"the type is not committed",
        ANYRANK_ERR_TOO_LARGE => c"the layout is too large",
        ANYRANK_ERR_TOO_DEEP => c"the layout is nested too deep",
        ANYRANK_ERR_BOUNDS => c"the data is not all within the memory",
        ANYRANK_ERR_OVERLAP => c"the memory and the packed bytes overlap",
        ANYRANK_ERR_TRUNCATE => c"there are not as many packed bytes as the data has",
        ANYRANK_ERR_POSITION => c"there is no such position in the segment",
        ANYRANK_ERR_INTERNAL => c"the library has a bug",
    }
}

/// What a status means, for any number; never null, and valid for ever.
#[unsafe(no_mangle)]
pub extern "C" fn anyrank_status_text(status: c_int) -> *const c_char {
    let all = [
        ANYRANK_OK,
        ANYRANK_ERR_ARGUMENT,
        ANYRANK_ERR_HANDLE,
        ANYRANK_ERR_NOT_COMMITTED,
        ANYRANK_ERR_TOO_LARGE,
        ANYRANK_ERR_TOO_DEEP,
        ANYRANK_ERR_BOUNDS,
        ANYRANK_ERR_OVERLAP,
        ANYRANK_ERR_TRUNCATE,
        ANYRANK_ERR_POSITION,
        ANYRANK_ERR_INTERNAL,
    ];
    let known = all.into_iter().find(|known| *known as c_int == status);
    known.map_or(c"there is no such status", text).as_ptr()
}

/// A sentence about the last call of this thread that failed; never null, and valid until another one fails.
#[unsafe(no_mangle)]
pub extern "C" fn anyrank_last_error() -> *const c_char {
    DETAIL.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
