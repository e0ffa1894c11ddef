//! How much of what could be tried is tried.

/// The number of samples: `few`, or `many` where `PIPPOST_SAMPLES` is `large`, as `./test --all` sets it.
pub fn samples<T>(few: T, many: T) -> T {
    if std::env::var("PIPPOST_SAMPLES").is_ok_and(|size| size == "large") { many } else { few }
}
