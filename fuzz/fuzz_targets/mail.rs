//! Gives a reader mails. `tests/support/src/readers.rs`, which the tests share, says what must hold.
#![no_main]

#[path = "../../tests/support/src/readers.rs"]
mod readers;
#[path = "../../tests/support/src/tampering.rs"]
mod tampering;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    readers::mail(input);
});
