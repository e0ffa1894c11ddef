//! Counts what reading a text costs, so that tests can hold it against the length of the text. Only debug builds count.

#[cfg(debug_assertions)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts bytes or lines that are looked at.
#[inline]
pub fn count(steps: usize) {
    #[cfg(debug_assertions)]
    STEPS.set(STEPS.get() + steps);
    #[cfg(not(debug_assertions))]
    let _ = steps;
}

/// The steps that this thread has taken.
#[must_use]
pub fn taken() -> usize {
    #[cfg(debug_assertions)]
    return STEPS.get();
    #[cfg(not(debug_assertions))]
    0
}
