//! Keeps a panic in one program from costing the others their answer.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// On a guarded thread, what the panic in progress said.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
    static GUARDED: RefCell<bool> = const { RefCell::new(false) };
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
