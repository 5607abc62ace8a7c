//! A progress bar on standard error, if somebody looks at it.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over `total` steps; hidden in a pipe, for short work, and where `quiet` says so.
pub(crate) fn bar(total: usize, what: &'static str, quiet: bool) -> ProgressBar {
    if quiet || total < 2 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:32} {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
