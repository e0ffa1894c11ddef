//! How often a request is sent, and how long a client waits between.

use std::time::Duration;

use reqwest::StatusCode;

use super::ApiError;

/// The most doublings of a wait.
const MAX_DOUBLINGS: u32 = 16;

/// Bounds of waiting.
#[derive(Clone, Copy, Debug)]
pub struct Retries {
    /// How often a request is sent at most.
    pub attempts: u32,
    /// The wait after the first failure; it doubles.
    pub first_wait: Duration,
    /// A longer `Retry-After` is not waited for: the refusal is returned, with it.
    pub longest_wait: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { attempts: 6, ..Self::NONE }
    }
}

impl Retries {
    /// Every request is sent once. Feeds still wait before they ask again.
    pub const NONE: Self =
        Self { attempts: 1, first_wait: Duration::from_secs(1), longest_wait: Duration::from_mins(2) };

    /// Twice as long each time, and not all clients at once.
    pub(crate) fn back_off(&self, failures: u32) -> Duration {
        let doubled = self.first_wait.saturating_mul(1 << failures.saturating_sub(1).min(MAX_DOUBLINGS));
        let part = f64::from(uuid::Uuid::new_v4().as_bytes()[0]) / f64::from(u8::MAX);
        doubled.min(self.longest_wait).mul_f64(0.5 + part / 2.0)
    }

    /// The wait before the request is sent again after that error; `None` if it is not.
    pub(crate) fn wait_after(&self, error: &ApiError, attempt: u32) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        let back_off = self.back_off(attempt);
        match error {
            ApiError::Unreachable(_) => Some(back_off),
            // What a proxy says that got no answer.
            ApiError::Refused { status: StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT, .. } => {
                Some(back_off)
            }
            ApiError::Refused {
                status: StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE,
                retry_after,
                ..
            } => Some(retry_after.unwrap_or(back_off)).filter(|wait| *wait <= self.longest_wait),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderMap, RETRY_AFTER};
    use serde_json::Value;

    fn refused(status: StatusCode, retry_after: Option<&str>) -> ApiError {
        let headers = retry_after.map(|seconds| (RETRY_AFTER, seconds.parse().expect("a header")));
        ApiError::refused(status, &HeaderMap::from_iter(headers), Value::Null)
    }

    #[test]
    fn it_waits_as_long_as_the_server_says_and_no_longer_than_wanted() {
        let retries = Retries::default();
        let wait = |status, seconds| retries.wait_after(&refused(status, seconds), 1);
        assert_eq!(wait(StatusCode::SERVICE_UNAVAILABLE, Some("7")), Some(Duration::from_secs(7)));
        assert_eq!(wait(StatusCode::TOO_MANY_REQUESTS, Some("3600")), None);
        assert!(wait(StatusCode::BAD_GATEWAY, None).is_some_and(|wait| wait <= retries.first_wait));
        assert_eq!(wait(StatusCode::INTERNAL_SERVER_ERROR, None), None);
        assert_eq!(retries.wait_after(&refused(StatusCode::SERVICE_UNAVAILABLE, Some("1")), 6), None);
        assert_eq!(Retries::NONE.wait_after(&ApiError::Unreachable(String::new()), 1), None);
    }

    #[test]
    fn waits_double_up_to_a_bound() {
        let retries = Retries::default();
        for failures in 1..100 {
            let wait = retries.back_off(failures);
            assert!(wait >= retries.first_wait / 2 && wait <= retries.longest_wait, "{failures}: {wait:?}");
        }
        assert!(retries.back_off(8) >= Duration::from_mins(1));
    }
}
