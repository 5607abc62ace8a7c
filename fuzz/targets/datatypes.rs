//! Any constructors of MPI datatypes.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_checks::datatypes::check(data));
