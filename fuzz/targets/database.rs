//! Any bytes as `compile_commands.json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_checks::database::check(data));
