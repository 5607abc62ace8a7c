//! Any text as C.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_checks::c::check(data));
