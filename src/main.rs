//! The command line; what it does is in `pippost::cli`.

use libmimalloc_sys::{mi_option_get, mi_option_set, mi_option_t};

/// Requests make and free many small texts: this allocator does that in a third of the system's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The option `purge_delay` of mimalloc 2: for how many milliseconds free memory is kept before the system gets it back.
const PURGE_DELAY: mi_option_t = 15;

/// What that option is unless somebody sets `MIMALLOC_PURGE_DELAY`.
const DEFAULT_DELAY_MS: i64 = 10;

fn main() -> std::process::ExitCode {
    give_memory_back_at_once();
    pippost::cli::main()
}

/// A thread that rests gives nothing back later. Under attack the server takes half as much so, and moves are as fast.
#[allow(unsafe_code)]
fn give_memory_back_at_once() {
    // SAFETY: both calls only read or write a number in the allocator's table of options.
    unsafe {
        if mi_option_get(PURGE_DELAY) == DEFAULT_DELAY_MS {
            mi_option_set(PURGE_DELAY, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SAFETY: as above.
    #[allow(unsafe_code)]
    fn delay_ms() -> i64 {
        unsafe { mi_option_get(PURGE_DELAY) }
    }

    #[test]
    fn the_option_is_the_one_that_is_meant() {
        // Another version of the allocator may number its options otherwise.
        assert_eq!(delay_ms(), DEFAULT_DELAY_MS, "is MIMALLOC_PURGE_DELAY set?");
        give_memory_back_at_once();
        assert_eq!(delay_ms(), 0);
    }
}
