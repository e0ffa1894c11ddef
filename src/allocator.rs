//! Settings of mimalloc, the allocator of the programs.
#![allow(unsafe_code)]

use libmimalloc_sys::{mi_option_get, mi_option_set, mi_option_t};

/// The option `purge_delay` of mimalloc 2: for how many milliseconds free memory is kept before the system gets it back.
const PURGE_DELAY: mi_option_t = 15;

/// What that option is unless somebody sets `MIMALLOC_PURGE_DELAY`.
const DEFAULT_DELAY_MS: i64 = 10;

/// Has free memory given back at once. Later does not suffice: a thread that rests gives nothing back. Under attack the server takes
/// half as much so, and moves are as fast.
pub fn give_memory_back_at_once() {
    if delay_ms() == DEFAULT_DELAY_MS {
        // SAFETY: only writes a number into the allocator's table of options.
        unsafe { mi_option_set(PURGE_DELAY, 0) }
    }
}

fn delay_ms() -> i64 {
    // SAFETY: only reads a number from the allocator's table of options.
    unsafe { mi_option_get(PURGE_DELAY) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_is_the_one_that_is_meant() {
        // Another version of the allocator may number its options otherwise.
        assert_eq!(delay_ms(), DEFAULT_DELAY_MS, "is MIMALLOC_PURGE_DELAY set?");
        give_memory_back_at_once();
        assert_eq!(delay_ms(), 0);
    }
}
