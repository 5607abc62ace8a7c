//! What each thread used last: it is found again without a lock, so that short calls are short.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};
use std::thread::LocalKey;

use layout::dataloop::Segment;

use crate::handles::{Recent, Table};
use crate::segments::anyrank_segment;
use crate::status::Failure;
use crate::types::{TYPES, Type, anyrank_type};

pub(crate) static SEGMENTS: Table<Mutex<Segment>> = Table::new();

/// What is kept for a thread.
type Last<T> = RefCell<Option<T>>;

/// All copies of a type.
struct Whole {
    of: Recent<Type>,
    count: u64,
    segment: Segment,
}

thread_local! {
    static SEGMENT: Last<Recent<Mutex<Segment>>> = const { RefCell::new(None) };
    static WHOLE: Last<Whole> = const { RefCell::new(None) };
}

/// Works with what this thread used last, or with nothing.
#[inline(always)]
fn with_last<T, R>(key: &'static LocalKey<Last<T>>, work: impl FnOnce(&mut Option<T>) -> R) -> R {
    let mut work = Some(work);
    let done = key.try_with(|last| work.take().map(|work| work(&mut last.borrow_mut())));
    match (done, work) {
        (Ok(Some(done)), _) => done,
        // A thread that ends has no place for it any more.
        (_, Some(work)) => work(&mut None),
        (_, None) => unreachable!("what was taken was run"),
    }
}

/// Does something with a segment.
#[inline(always)]
pub(crate) fn with_segment<R>(
    segment: anyrank_segment,
    work: impl FnOnce(&mut Segment) -> Result<R, Failure>,
) -> Result<R, Failure> {
    with_last(&SEGMENT, |last| {
        let segment = match last {
            Some(last) if SEGMENTS.is_still(last, segment.number) => last,
            _ => last.insert(SEGMENTS.find(segment.number)?),
        };
        // A segment is its position: whatever a panic left is one.
        work(&mut segment.lock().unwrap_or_else(PoisonError::into_inner))
    })
}

/// Does something with a segment of so many copies of a type, from the start.
#[inline(always)]
pub(crate) fn with_all<R>(
    of: anyrank_type,
    count: u64,
    work: impl FnOnce(&mut Segment) -> Result<R, Failure>,
) -> Result<R, Failure> {
    with_last(&WHOLE, |last| {
        let whole = match last {
            Some(last) if last.count == count && TYPES.is_still(&last.of, of.number) => last,
            _ => {
                let of = TYPES.find(of.number)?;
                let segment = of.segment(count)?;
                last.insert(Whole { of, count, segment })
            }
        };
        whole.segment.seek(0)?;
        work(&mut whole.segment)
    })
}

/// Gives back the memory of what this thread used last.
pub(crate) fn forget() {
    let _ = SEGMENT.try_with(RefCell::take);
    let _ = WHOLE.try_with(RefCell::take);
}
