//! Any messages for the language server.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_checks::server::check(data));
