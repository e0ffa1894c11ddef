//! The problems that several handlers document.

use utoipa::IntoResponses;

use pippost_http::problem::ProblemBody;

/// Problems of any request.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only the document is made from it")]
pub enum Failed {
    /// The server cannot do this right now: `unavailable`.
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemBody),
    /// The server failed: `internal`.
    #[response(status = 500, content_type = "application/problem+json")]
    Internal(ProblemBody),
}

/// Problems of a body.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only the document is made from it")]
pub enum BadBody {
    /// The body is no JSON: `malformed_body`.
    #[response(status = 400, content_type = "application/problem+json")]
    Malformed(ProblemBody),
    /// The body is too large: `body_too_large`.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(ProblemBody),
    /// The body is not `application/json`: `unsupported_media_type`.
    #[response(status = 415, content_type = "application/problem+json")]
    OtherType(ProblemBody),
}

/// The token is missing or no longer valid (`unauthenticated`), or its session has ended (`session_revoked`).
#[derive(IntoResponses)]
#[response(status = 401, content_type = "application/problem+json")]
#[allow(dead_code, reason = "only the document is made from it")]
pub struct Unauthenticated(ProblemBody);

/// The token does not allow this: `missing_scope`.
#[derive(IntoResponses)]
#[response(status = 403, content_type = "application/problem+json")]
#[allow(dead_code, reason = "only the document is made from it")]
pub struct MissingScope(ProblemBody);

/// The request is not as the document says: `invalid_value`.
#[derive(IntoResponses)]
#[response(status = 422, content_type = "application/problem+json")]
#[allow(dead_code, reason = "only the document is made from it")]
pub struct InvalidValue(ProblemBody);

/// The password is among the most common, or equals the handle or the address: `password_too_common`, with the member's name in
/// `field`.
#[derive(IntoResponses)]
#[response(status = 409, content_type = "application/problem+json")]
#[allow(dead_code, reason = "only the document is made from it")]
pub struct UnacceptablePassword(ProblemBody);

/// The address is one of this server, or names a machine by its number: `email_refused`.
#[derive(IntoResponses)]
#[response(status = 409, content_type = "application/problem+json")]
#[allow(dead_code, reason = "only the document is made from it")]
pub struct RefusedAddress(ProblemBody);

/// Too many tries: `too_many_requests`. `Retry-After` says when to try again.
#[derive(IntoResponses)]
#[response(status = 429, content_type = "application/problem+json", headers(("Retry-After" = u64, description = "Seconds.")))]
#[allow(dead_code, reason = "only the document is made from it")]
pub struct TooManyTries(ProblemBody);
