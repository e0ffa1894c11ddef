//! Waits for conditions that no descriptor or future reports: a lock, another process, a line in a file.

use std::thread;
use std::time::{Duration, Instant};

/// The interval between checks: short compared with the start of PostgreSQL, long compared with a check.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Calls `look` at least once until it finds something; gives up with `None` after `timeout`.
pub(super) fn wait_for<T, E>(
    timeout: Duration,
    mut look: impl FnMut() -> Result<Option<T>, E>,
) -> Result<Option<T>, E> {
    let deadline = Instant::now() + timeout;
    loop {
        if let Some(found) = look()? {
            return Ok(Some(found));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        // Neither flock(2) with a deadline nor postmaster.pid can be waited for without polling. This runs before the async
        // runtime starts or after it has ended.
        thread::sleep(POLL_INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn what_is_there_is_found_without_waiting() {
        let found = wait_for(Duration::ZERO, || Ok::<_, Infallible>(Some(7)));
        assert_eq!(found, Ok(Some(7)));
    }

    #[test]
    fn what_comes_later_is_found_and_an_error_ends_the_wait() {
        let mut looks = 0;
        let result = wait_for(Duration::from_mins(1), || {
            looks += 1;
            if looks < 3 { Ok(None::<()>) } else { Err("broken") }
        });
        assert_eq!((result, looks), (Err("broken"), 3));
    }

    #[test]
    fn waiting_ends() {
        assert_eq!(wait_for(Duration::ZERO, || Ok::<_, Infallible>(None::<()>)), Ok(None));
    }
}
