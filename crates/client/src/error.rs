//! Why a request was not answered as hoped.

use std::error::Error;
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// The longest wait that a server can ask for; a later request asks again.
const MAX_WAIT: Duration = Duration::from_hours(1);

/// Why a request was not answered as hoped.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The server said no, with a code of the API; `problem` is all that it said.
    #[error("{status} {code}: {detail}")]
    Refused {
        status: StatusCode,
        code: String,
        detail: String,
        retry_after: Option<Duration>,
        problem: Value,
    },
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    #[error("the server's answer is not the API's: {0}")]
    Unexpected(String),
    #[error("this account may not see the game any more")]
    NotAllowed,
}

impl ApiError {
    /// How long the server wants to be left alone.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// The code of a refusal.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused { code, .. } => Some(code),
            _ => None,
        }
    }

    /// Whether a later attempt can succeed without anything else being changed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Refused { status, .. } => {
                *status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()
            }
            Self::Unreachable(_) => true,
            Self::Unexpected(_) | Self::NotAllowed => false,
        }
    }

    pub(crate) fn is_unauthenticated(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if *status == StatusCode::UNAUTHORIZED)
    }

    /// Handle or password is wrong.
    pub(crate) fn is_log_in(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if *status == StatusCode::FORBIDDEN)
    }

    /// With its causes: the library's own text does not have them.
    pub(crate) fn unreachable(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let (mut text, mut cause) = (error.to_string(), error.source());
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        Self::Unreachable(text)
    }

    /// The error of a problem (RFC 9457).
    pub(crate) fn refused(status: StatusCode, headers: &HeaderMap, problem: Value) -> Self {
        let text = |member: &str| problem[member].as_str().unwrap_or_default().to_owned();
        let seconds = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let retry_after = seconds.map(|seconds| Duration::from_secs(seconds).min(MAX_WAIT));
        Self::Refused { status, code: text("code"), detail: text("detail"), retry_after, problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_wait_that_a_server_asks_for_is_read_and_bounded() {
        let asked = |value: &str| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, value.parse().expect("a header"))]);
            let problem = json!({"code": "too_many"});
            ApiError::refused(StatusCode::TOO_MANY_REQUESTS, &headers, problem).retry_after()
        };
        assert_eq!(asked("7"), Some(Duration::from_secs(7)));
        assert_eq!(asked("999999999"), Some(MAX_WAIT));
        assert_eq!(asked("soon"), None);
    }

    #[test]
    fn only_what_may_pass_by_itself_is_tried_again() {
        let refused = |status| ApiError::refused(status, &HeaderMap::new(), Value::Null).is_temporary();
        assert!(refused(StatusCode::TOO_MANY_REQUESTS) && refused(StatusCode::SERVICE_UNAVAILABLE));
        assert!(!refused(StatusCode::CONFLICT) && !refused(StatusCode::FORBIDDEN));
        assert!(
            ApiError::Unreachable("refused".into()).is_temporary() && !ApiError::NotAllowed.is_temporary()
        );
    }
}
