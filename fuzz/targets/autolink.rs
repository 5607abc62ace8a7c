//! Any bytes for AutoLink's receiver; `build.rs` compiles it.
#![no_main]

unsafe extern "C" {
    fn al_receive_anything(bytes: *const u8, length: usize);
}

// SAFETY: the bytes are those of the slice, and nothing of them is kept.
libfuzzer_sys::fuzz_target!(|data: &[u8]| unsafe { al_receive_anything(data.as_ptr(), data.len()) });
