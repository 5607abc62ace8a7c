//! Keeps a panic in one program from costing the others their answer.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use rayon::prelude::*;

use crate::journal::Task;

thread_local! {
    /// On a guarded thread, what the panic in progress said.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
    static GUARDED: RefCell<bool> = const { RefCell::new(false) };
}

/// Does one of several tasks in parallel with the others, but what has been under way when a process was killed alone and before all
/// others. The results are in the order of the items.
pub(crate) fn each<T: Sync, R: Send>(
    items: &[T],
    task: impl Fn(&T) -> Task,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let alone = |item: &T| task(item).is_suspect().then(|| work(item));
    let mut results: Vec<Option<R>> = items.iter().map(alone).collect();
    results.par_iter_mut().zip(items).for_each(|(result, item)| {
        if result.is_none() {
            *result = Some(work(item));
        }
    });
    results.into_iter().flatten().collect()
}

/// Runs `work` as [`guard`] does, and has it known by the process that supervises this one.
pub(crate) fn watch<T>(task: &Task, work: impl FnOnce() -> T) -> Result<T, String> {
    task.watch(|| guard(work))?
}

/// Runs `work`. A panic inside becomes an error of one line, with its place in our source; nothing is printed.
///
/// What `work` changed before it panicked may be half done: callers drop it.
pub(crate) fn guard<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    install();
    let outer = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.map_err(|_| {
        let said = SAID.take().unwrap_or_else(|| "an unknown place".to_owned());
        format!("internal error, please report: {said}")
    })
}

fn install() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.with_borrow(|guarded| *guarded) {
                previous(info);
                return;
            }
            let place = info.location().map_or_else(String::new, |location| format!(" at {location}"));
            let message = info.payload_as_str().unwrap_or("no message");
            let line = message.lines().next().unwrap_or_default();
            SAID.set(Some(format!("{line}{place}")));
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_one_line_that_names_its_place() {
        assert_eq!(guard(|| 3), Ok(3));
        let error = guard(|| panic!("first line\nsecond line")).expect_err("it panicked");
        assert!(error.starts_with("internal error, please report: first line at src/guard.rs:"), "{error}");
        assert_eq!(error.lines().count(), 1);
        let outer = guard(|| guard(|| panic!("inner")).is_err());
        assert_eq!(outer, Ok(true));
    }
}
