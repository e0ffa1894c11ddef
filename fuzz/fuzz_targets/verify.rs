//! Gives the verifier arbitrary bytes and arbitrarily changed records: it must never panic and never accept a changed record.
//! `tests/support/src/tampering.rs`, which the integration tests share, defines the meaning of the bytes.
#![no_main]

#[path = "../../tests/support/src/tampering.rs"]
mod tampering;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tampering::run(input);
});
