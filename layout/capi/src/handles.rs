//! Handles: numbers that stand for types and segments, and are never used again.

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::status::Failure;
use crate::status::anyrank_status::ANYRANK_ERR_HANDLE;

/// What the numbers of one kind of handle stand for.
pub struct Table<T> {
    entries: LazyLock<Mutex<Entries<T>>>,
    /// How many numbers have been given up.
    removed: AtomicU64,
}

/// What a number stood for when somebody looked, as long as no number is given up.
pub struct Recent<T> {
    number: u64,
    removed: u64,
    value: Arc<T>,
}

struct Entries<T> {
    /// The last number that was given out; 0 stands for nothing.
    last: u64,
    known: FxHashMap<u64, Arc<T>>,
}

impl<T> Table<T> {
    /// A table of nothing.
    pub const fn new() -> Self {
        Self {
            entries: LazyLock::new(|| Mutex::new(Entries { last: 0, known: FxHashMap::default() })),
            removed: AtomicU64::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Entries<T>> {
        // Each change is one call, so that a panic leaves no half of one.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new number for this.
    pub fn add(&self, value: T) -> u64 {
        let mut entries = self.lock();
        entries.last += 1;
        let number = entries.last;
        entries.known.insert(number, Arc::new(value));
        number
    }

    /// What a number stands for; it stays alive while it is used, even if it is freed meanwhile.
    pub fn get(&self, number: u64) -> Result<Arc<T>, Failure> {
        self.lock().known.get(&number).cloned().ok_or_else(|| Failure::plain(ANYRANK_ERR_HANDLE))
    }

    /// What a number stands for, to be remembered.
    pub fn find(&self, number: u64) -> Result<Recent<T>, Failure> {
        let removed = self.removed.load(Ordering::Acquire);
        Ok(Recent { number, removed, value: self.get(number)? })
    }

    /// Whether that is what the number still stands for, as far as one sees without a lock: `false` if any number was given up since.
    #[inline(always)]
    pub fn is_still(&self, recent: &Recent<T>, number: u64) -> bool {
        recent.number == number && recent.removed == self.removed.load(Ordering::Acquire)
    }

    /// The number stands for nothing from now on.
    pub fn remove(&self, number: u64) -> Result<(), Failure> {
        // What it stood for is dropped after the table is unlocked.
        let removed = {
            let mut entries = self.lock();
            self.removed.fetch_add(1, Ordering::Release);
            entries.known.remove(&number)
        };
        removed.map(drop).ok_or_else(|| Failure::plain(ANYRANK_ERR_HANDLE))
    }
}

impl<T> Deref for Recent<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self::new()
    }
}
