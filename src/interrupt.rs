//! Ctrl-C and SIGTERM: what is done by then is printed, and the exit code says that something is missing.

use std::sync::atomic::{AtomicI32, Ordering};

/// The signal that came first; 0 if none did.
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// The signal by which this process was asked to end, if it was.
pub(crate) fn caught() -> Option<i32> {
    Some(CAUGHT.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
}

/// Whether this process was asked to end: no new work is begun then.
pub(crate) fn is_due() -> bool {
    caught().is_some()
}

/// From now on such a signal is noted, and `each` called for every one, on a thread of its own.
#[cfg(unix)]
pub(crate) fn listen(mut each: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let _ = CAUGHT.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
            each(signal);
        }
    })?;
    Ok(())
}

/// What a signal is called.
#[cfg(unix)]
pub(crate) fn name(signal: i32) -> String {
    signal_hook::low_level::signal_name(signal).map_or_else(|| format!("signal {signal}"), str::to_owned)
}

/// What a signal is called.
#[cfg(not(unix))]
pub(crate) fn name(signal: i32) -> String {
    format!("signal {signal}")
}
