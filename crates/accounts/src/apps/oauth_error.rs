//! The errors that OAuth names (RFC 6749, sections 4.1.2.1 and 5.2).

/// An error by its name in OAuth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OAuthCode {
    InvalidRequest,
    InvalidClient,
    InvalidGrant,
    InvalidScope,
    UnsupportedGrantType,
    UnsupportedResponseType,
    AccessDenied,
    // Of the device flow (RFC 8628, section 3.5).
    AuthorizationPending,
    SlowDown,
    ExpiredToken,
}

impl OAuthCode {
    /// The value of `error`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::InvalidScope => "invalid_scope",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::AccessDenied => "access_denied",
            Self::AuthorizationPending => "authorization_pending",
            Self::SlowDown => "slow_down",
            Self::ExpiredToken => "expired_token",
        }
    }
}

/// Why an app's request is refused. Never holds anything that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct OAuthError {
    pub code: OAuthCode,
    pub why: &'static str,
}

impl OAuthError {
    pub(super) const fn new(code: OAuthCode, why: &'static str) -> Self {
        Self { code, why }
    }

    /// The request cannot be read, or lacks something.
    #[must_use]
    pub const fn request(why: &'static str) -> Self {
        Self::new(OAuthCode::InvalidRequest, why)
    }
}
