//! Bytes of any kind, and records changed in any way: the verifier never panics and accepts no changed record. What the bytes mean is
//! said in `tests/it/support/tampering.rs`, which the integration tests share.
#![no_main]

#[path = "../../tests/it/support/tampering.rs"]
mod tampering;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tampering::run(input);
});
