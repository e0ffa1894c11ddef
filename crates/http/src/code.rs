//! The codes of problems: a closed list, each with a status, a title and a log level.

use std::fmt;

use actix_web::http::StatusCode;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

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
    ($($(#[$doc:meta])* $name:ident = $code:literal, $status:ident, $log:ident, $title:literal;)*) => {
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

            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            pub(super) fn log(self) -> Log {
                match self { $(Self::$name => Log::$log,)* }
            }
        }
    };
}

codes! {
    // Malformed requests.
    MalformedBody = "malformed_body", BAD_REQUEST, Debug, "The body cannot be read";
    MalformedQuery = "malformed_query", BAD_REQUEST, Debug, "The query or path cannot be read";
    InvalidHeader = "invalid_header", BAD_REQUEST, Debug, "A header cannot be read";
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, Debug, "The body has another media type than this address takes";
    UnsupportedEncoding = "unsupported_encoding", UNSUPPORTED_MEDIA_TYPE, Debug, "The body must not be packed";
    BodyTooSlow = "body_too_slow", REQUEST_TIMEOUT, Debug, "The body came too slowly";
    BodyTooLarge = "body_too_large", PAYLOAD_TOO_LARGE, Debug, "The body is too large";
    NotFound = "not_found", NOT_FOUND, Debug, "There is no such thing";
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, Debug, "This method is not for this address";
    InvalidValue = "invalid_value", UNPROCESSABLE_ENTITY, Debug, "A value is not acceptable";
    TooManyRequests = "too_many_requests", TOO_MANY_REQUESTS, Info, "Too many requests";
    // Authentication and accounts.
    Unauthenticated = "unauthenticated", UNAUTHORIZED, Debug, "A valid token is needed";
    WrongCredentials = "wrong_credentials", UNAUTHORIZED, Info, "Handle or password is wrong";
    SessionRevoked = "session_revoked", UNAUTHORIZED, Info, "This session has ended";
    MissingScope = "missing_scope", FORBIDDEN, Debug, "The token does not allow this";
    TokenLimited = "token_limited", FORBIDDEN, Debug, "The token is for one game only";
    HandleTaken = "handle_taken", CONFLICT, Debug, "The handle is taken";
    EmailTaken = "email_taken", CONFLICT, Debug, "The e-mail address has an account";
    EmailRefused = "email_refused", CONFLICT, Debug, "This e-mail address cannot be a person's";
    EmailNotConfirmed = "email_not_confirmed", FORBIDDEN, Debug, "The e-mail address is not confirmed";
    PasswordTooCommon = "password_too_common", CONFLICT, Debug, "The password is among the commonest";
    LinkInvalid = "link_invalid", CONFLICT, Info, "The link is not valid any more";
    TooManyTokens = "too_many_tokens", CONFLICT, Info, "You have as many tokens as a player may have";
    ScopesNotPossible = "scopes_not_possible", CONFLICT, Debug, "A token for one game cannot have these scopes";
    TooManyApps = "too_many_apps", CONFLICT, Info, "You have registered as many apps as a player may";
    // Webhooks.
    WebhookUrlRefused = "webhook_url_refused", CONFLICT, Debug, "A webhook cannot lead there";
    TooManyWebhooks = "too_many_webhooks", CONFLICT, Info, "You have as many webhooks as a player may have";
    WebhookNotVerified = "webhook_not_verified", CONFLICT, Debug, "The webhook has to be verified first";
    WrongChallenge = "wrong_challenge", CONFLICT, Info, "This is not the challenge that was sent last, or it is too old";
    // Web push.
    PushOff = "push_off", CONFLICT, Debug, "This server sends nothing by web push";
    PushEndpointRefused = "push_endpoint_refused", CONFLICT, Debug, "A subscription cannot lead there";
    TooManyPushSubscriptions = "too_many_push_subscriptions", CONFLICT, Info, "You have as many subscriptions to web push as a player may have";
    // Of the endpoints of OAuth, as RFC 6749 names them.
    InvalidRequest = "invalid_request", BAD_REQUEST, Debug, "The request lacks something, or cannot be read";
    InvalidClient = "invalid_client", BAD_REQUEST, Debug, "There is no such app";
    InvalidGrant = "invalid_grant", BAD_REQUEST, Info, "The code or token is not valid here";
    InvalidScope = "invalid_scope", BAD_REQUEST, Debug, "These scopes cannot be had";
    UnsupportedGrantType = "unsupported_grant_type", BAD_REQUEST, Debug, "There is no such kind of grant";
    // Of the pages.
    ForeignForm = "foreign_form", FORBIDDEN, Info, "This form was not made for this browser, or by another site";
    UnknownLanguage = "unknown_language", CONFLICT, Debug, "This server does not speak this language";
    UnknownZone = "unknown_zone", CONFLICT, Debug, "This server knows no such time zone";
    // Games.
    UnknownRules = "unknown_rules", UNPROCESSABLE_ENTITY, Debug, "There is no such rule set";
    InvalidOptions = "invalid_options", UNPROCESSABLE_ENTITY, Debug, "The options are not possible";
    SubstitutesNotPossible = "substitutes_not_possible", CONFLICT, Debug, "A game of so few players has no substitutes";
    OrdersNotPossible = "orders_not_possible", CONFLICT, Debug, "These standing orders are not possible in this game";
    ControlNotPossible = "time_control_not_possible", CONFLICT, Debug, "The members of this time control contradict each other";
    SeatsNotPossible = "seats_not_possible", CONFLICT, Debug, "These options are for another number of players";
    MessageRefused = "message_refused", CONFLICT, Debug, "This cannot be said at a table";
    ForeignReceipt = "foreign_receipt", CONFLICT, Debug, "No key of this server signed this";
    UnreadableMail = "unreadable_mail", CONFLICT, Debug, "This is no mail";
    TooManyInvitations = "too_many_invitations", CONFLICT, Info, "No more invitations go out";
    TooManyOpenGames = "too_many_open_games", CONFLICT, Info, "Too many of your games wait for players";
    QuotaReached = "quota_reached", CONFLICT, Info, "Your games take as much as a player's may";
    GameFull = "game_full", CONFLICT, Debug, "The game has no seat left";
    AlreadyJoined = "already_joined", CONFLICT, Debug, "You are in this game already";
    GameStarted = "game_started", CONFLICT, Debug, "The game has started";
    GameCancelled = "game_cancelled", CONFLICT, Debug, "The game was cancelled before it started";
    GameNotStarted = "game_not_started", CONFLICT, Debug, "The game has not started";
    GameOver = "game_over", CONFLICT, Debug, "The game is over";
    NotInGame = "not_in_game", FORBIDDEN, Debug, "You have no seat in this game";
    SeatLeft = "seat_left", CONFLICT, Debug, "You have left this game";
    NotYourTurn = "not_your_turn", CONFLICT, Debug, "It is not your turn";
    StaleSeq = "stale_seq", CONFLICT, Debug, "The game has moved on";
    PreconditionFailed = "precondition_failed", PRECONDITION_FAILED, Debug, "The game is not where If-Match expects it";
    PreconditionsDisagree = "preconditions_disagree", CONFLICT, Debug, "If-Match and expected_seq name different events";
    UnreadableAction = "unreadable_action", CONFLICT, Debug, "The action cannot be read";
    IncompleteAction = "incomplete_action", CONFLICT, Debug, "The action is not complete";
    IllegalAction = "illegal_action", CONFLICT, Debug, "The action is not legal here";
    GameTooLong = "game_too_long", CONFLICT, Info, "The game has as many events as a game may have";
    DrawsBeforeLast = "draws_before_last", CONFLICT, Debug, "Only the last action of the list may draw or reveal";
    AnalysisHidden = "analysis_hidden", CONFLICT, Debug, "Something is hidden at this position still";
    ChanceNotPossible = "chance_not_possible", CONFLICT, Debug, "Chance cannot bring this";
    TooLateToAbort = "too_late_to_abort", CONFLICT, Debug, "You have acted, or the game is too long";
    ClockRefused = "clock_refused", CONFLICT, Debug, "The clock of this game cannot be changed so";
    CalendarRefused = "calendar_refused", CONFLICT, Debug, "The calendar cannot be changed so now";
    IdempotencyKeyReused = "idempotency_key_reused", CONFLICT, Info, "The key was used for another request";
    // Sandboxes.
    NotASandbox = "not_a_sandbox", NOT_FOUND, Debug, "This server is no sandbox";
    SeedNotTaken = "seed_not_taken", CONFLICT, Debug, "Only in a sandbox players choose the chance";
    ClockNotPossible = "clock_not_possible", CONFLICT, Debug, "The clock cannot be moved there";
    MailNotAnswerable = "mail_not_answerable", CONFLICT, Debug, "This mail cannot be answered";
    // Server failures.
    Unavailable = "unavailable", SERVICE_UNAVAILABLE, Error, "The server cannot do this right now";
    Internal = "internal", INTERNAL_SERVER_ERROR, Error, "Something went wrong here";
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
    /// The `Retry-After` unless another is set; never missing where the same request may succeed later.
    pub(super) fn retry_after_seconds(self) -> Option<u32> {
        matches!(self, Self::Unavailable | Self::TooManyRequests).then_some(RETRY_SECONDS)
    }
}
