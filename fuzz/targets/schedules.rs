//! Any redistribution, and its schedules.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_checks::schedules::check(data));
