//! The codes of problems: a closed list, each with a status, a title and a log level.

use std::fmt;

use actix_web::http::StatusCode;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use pippost_language::{Arguments, Language};

/// The log level of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Log {
    /// Caused by the client.
    Debug,
    /// Caused by the client, but important if frequent.
    Info,
    /// A failure of the server.
    Error,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $status:ident, $log:ident;)*) => {
        /// The stable code of a problem, in its `code` member.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        pub enum Code {
            $($(#[$doc])* #[serde(rename = $code)] $name,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            #[must_use]
            pub fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status,)* }
            }

            pub(super) fn log(self) -> Log {
                match self { $(Self::$name => Log::$log,)* }
            }
        }
    };
}

codes! {
    // Malformed requests.
    MalformedBody = "malformed_body", BAD_REQUEST, Debug;
    MalformedQuery = "malformed_query", BAD_REQUEST, Debug;
    InvalidHeader = "invalid_header", BAD_REQUEST, Debug;
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, Debug;
    UnsupportedEncoding = "unsupported_encoding", UNSUPPORTED_MEDIA_TYPE, Debug;
    BodyTooSlow = "body_too_slow", REQUEST_TIMEOUT, Debug;
    BodyTooLarge = "body_too_large", PAYLOAD_TOO_LARGE, Debug;
    NotFound = "not_found", NOT_FOUND, Debug;
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, Debug;
    InvalidValue = "invalid_value", UNPROCESSABLE_ENTITY, Debug;
    TooManyRequests = "too_many_requests", TOO_MANY_REQUESTS, Info;
    // Authentication and accounts.
    Unauthenticated = "unauthenticated", UNAUTHORIZED, Debug;
    WrongCredentials = "wrong_credentials", FORBIDDEN, Info;
    AccountClosed = "account_closed", FORBIDDEN, Info;
    InvitationNeeded = "invitation_needed", FORBIDDEN, Info;
    SessionRevoked = "session_revoked", UNAUTHORIZED, Info;
    RefreshRefused = "refresh_refused", FORBIDDEN, Info;
    MissingScope = "missing_scope", FORBIDDEN, Debug;
    TokenLimited = "token_limited", FORBIDDEN, Debug;
    HandleTaken = "handle_taken", CONFLICT, Debug;
    EmailTaken = "email_taken", CONFLICT, Debug;
    EmailRefused = "email_refused", CONFLICT, Debug;
    EmailNotConfirmed = "email_not_confirmed", FORBIDDEN, Debug;
    PasswordTooCommon = "password_too_common", CONFLICT, Debug;
    LinkInvalid = "link_invalid", CONFLICT, Info;
    TooManyTokens = "too_many_tokens", CONFLICT, Info;
    ScopesNotPossible = "scopes_not_possible", CONFLICT, Debug;
    TooManyApps = "too_many_apps", CONFLICT, Info;
    // Webhooks.
    WebhookUrlRefused = "webhook_url_refused", CONFLICT, Debug;
    TooManyWebhooks = "too_many_webhooks", CONFLICT, Info;
    WebhookNotVerified = "webhook_not_verified", CONFLICT, Debug;
    WrongChallenge = "wrong_challenge", CONFLICT, Info;
    // Web push.
    PushOff = "push_off", CONFLICT, Debug;
    PushEndpointRefused = "push_endpoint_refused", CONFLICT, Debug;
    TooManyPushSubscriptions = "too_many_push_subscriptions", CONFLICT, Info;
    // Of the endpoints of OAuth, as RFC 6749 names them.
    InvalidRequest = "invalid_request", BAD_REQUEST, Debug;
    InvalidClient = "invalid_client", BAD_REQUEST, Debug;
    InvalidGrant = "invalid_grant", BAD_REQUEST, Info;
    InvalidScope = "invalid_scope", BAD_REQUEST, Debug;
    UnsupportedGrantType = "unsupported_grant_type", BAD_REQUEST, Debug;
    // Of the device flow, as RFC 8628 names them.
    AuthorizationPending = "authorization_pending", BAD_REQUEST, Debug;
    SlowDown = "slow_down", BAD_REQUEST, Debug;
    AccessDenied = "access_denied", BAD_REQUEST, Debug;
    ExpiredToken = "expired_token", BAD_REQUEST, Debug;
    // Of the pages.
    ForeignForm = "foreign_form", FORBIDDEN, Info;
    UnknownLanguage = "unknown_language", CONFLICT, Debug;
    UnknownZone = "unknown_zone", CONFLICT, Debug;
    // Games.
    UnknownRules = "unknown_rules", UNPROCESSABLE_ENTITY, Debug;
    InvalidOptions = "invalid_options", UNPROCESSABLE_ENTITY, Debug;
    SubstitutesNotPossible = "substitutes_not_possible", CONFLICT, Debug;
    OrdersNotPossible = "orders_not_possible", CONFLICT, Debug;
    ControlNotPossible = "time_control_not_possible", CONFLICT, Debug;
    SeatsNotPossible = "seats_not_possible", CONFLICT, Debug;
    MessageRefused = "message_refused", CONFLICT, Debug;
    Muted = "muted", FORBIDDEN, Debug;
    ReportRefused = "report_refused", CONFLICT, Info;
    ForeignReceipt = "foreign_receipt", CONFLICT, Debug;
    UnreadableMail = "unreadable_mail", CONFLICT, Debug;
    TooManyInvitations = "too_many_invitations", CONFLICT, Info;
    TooManyOpenGames = "too_many_open_games", CONFLICT, Info;
    QuotaReached = "quota_reached", CONFLICT, Info;
    TournamentRefused = "tournament_refused", CONFLICT, Debug;
    LadderRefused = "ladder_refused", CONFLICT, Debug;
    ClubRefused = "club_refused", CONFLICT, Debug;
    StudyRefused = "study_refused", CONFLICT, Debug;
    GameFull = "game_full", CONFLICT, Debug;
    AlreadyJoined = "already_joined", CONFLICT, Debug;
    GameStarted = "game_started", CONFLICT, Debug;
    GameCancelled = "game_cancelled", CONFLICT, Debug;
    GameNotStarted = "game_not_started", CONFLICT, Debug;
    GameOver = "game_over", CONFLICT, Debug;
    NotInGame = "not_in_game", FORBIDDEN, Debug;
    SeatLeft = "seat_left", CONFLICT, Debug;
    NotYourTurn = "not_your_turn", CONFLICT, Debug;
    StaleSeq = "stale_seq", CONFLICT, Debug;
    PreconditionFailed = "precondition_failed", PRECONDITION_FAILED, Debug;
    PreconditionsDisagree = "preconditions_disagree", CONFLICT, Debug;
    UnreadableAction = "unreadable_action", UNPROCESSABLE_ENTITY, Debug;
    IncompleteAction = "incomplete_action", CONFLICT, Debug;
    IllegalAction = "illegal_action", CONFLICT, Debug;
    GameTooLong = "game_too_long", CONFLICT, Info;
    DrawsBeforeLast = "draws_before_last", CONFLICT, Debug;
    AnalysisHidden = "analysis_hidden", CONFLICT, Debug;
    ChanceNotPossible = "chance_not_possible", CONFLICT, Debug;
    TooLateToAbort = "too_late_to_abort", CONFLICT, Debug;
    ClockRefused = "clock_refused", CONFLICT, Debug;
    CalendarRefused = "calendar_refused", CONFLICT, Debug;
    IdempotencyKeyReused = "idempotency_key_reused", CONFLICT, Info;
    // Sandboxes.
    NotASandbox = "not_a_sandbox", NOT_FOUND, Debug;
    SeedNotTaken = "seed_not_taken", CONFLICT, Debug;
    ClockNotPossible = "clock_not_possible", CONFLICT, Debug;
    MailNotAnswerable = "mail_not_answerable", CONFLICT, Debug;
    // Server failures.
    Unavailable = "unavailable", SERVICE_UNAVAILABLE, Error;
    Internal = "internal", INTERNAL_SERVER_ERROR, Error;
}

impl utoipa::PartialSchema for Code {
    fn schema() -> RefOr<Schema> {
        let codes = Self::ALL.iter().map(|code| code.as_str());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("The stable code of a problem."))
            .enum_values(Some(codes))
            .into()
    }
}

impl utoipa::ToSchema for Code {}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// The `Retry-After` of refusals for lack of room, and while the database is unreachable, in seconds.
const RETRY_SECONDS: u32 = 1;

impl Code {
    /// The meaning of the code.
    #[must_use]
    pub fn title(self, language: Language) -> String {
        language.say(&self.key())
    }

    /// What to do, where nothing more is known; `taken` are the media types that the address takes.
    pub(super) fn advice(self, language: Language, taken: &str) -> Option<String> {
        let key = format!("{}-detail", self.key());
        let said = language.say_with(&key, &Arguments::default().text("taken", taken));
        // A text that no language has is said by its key.
        (said != key).then_some(said)
    }

    /// The key of its title in the catalogue.
    fn key(self) -> String {
        format!("problem-{}", self.as_str().replace('_', "-"))
    }

    /// The `Retry-After` unless another is set; never missing where the same request may succeed later.
    pub(super) fn retry_after_seconds(self) -> Option<u32> {
        matches!(self, Self::Unavailable | Self::TooManyRequests).then_some(RETRY_SECONDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_title_in_each_language_and_its_advice_says_something_else() {
        for (code, language) in
            Code::ALL.iter().flat_map(|code| Language::SHIPPED.map(|tongue| (code, tongue)))
        {
            let title = code.title(language);
            assert!(!title.starts_with("problem-"), "{code}");
            assert_ne!(code.advice(language, ""), Some(title), "{code}");
        }
    }
}
