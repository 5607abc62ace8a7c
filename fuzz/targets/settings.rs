//! Any text as `anyrank.toml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_checks::settings::check(data));
