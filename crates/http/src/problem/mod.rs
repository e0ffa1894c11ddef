//! Maps errors to problem responses (RFC 9457), each with a code of a closed list. Only this file makes error responses. Causes
//! are logged and never sent to a client.

mod community;
mod context;
mod response;

use actix_web::error::PayloadError;
use serde_json::Value;

pub use self::context::{RESOURCE_METADATA, complete};
use self::response::EXPIRED;
pub use self::response::{MEDIA_TYPE, OAUTH_MEDIA_TYPE, Problem, ProblemBody};
pub use super::code::Code;
use super::limits::Limit;
use super::nul::{NulInText, is_nul};
use pippost_accounts::apps::OAuthCode;
use pippost_accounts::{AccountError, Reached};
use pippost_archive::ArchiveError;
use pippost_games::viewing::png_cache::NotDrawn;
use pippost_games::{self as games, GameError, ReplyError, SandboxError};
use pippost_keys::KeyError;
use pippost_record::record::ActRefused;
use pippost_store::StoreError;
use pippost_traffic::{BodyStopped, Full};
use pippost_webhooks::WebhookError;
use pippost_webhooks::push::PushError;

impl From<Full> for Problem {
    fn from(full: Full) -> Self {
        let problem = |code: Code| Self::new(code).detail(full.to_string());
        match full {
            Full::Peer(quantity, most) => {
                problem(Code::TooManyRequests).reached(Limit::at_once(quantity, most))
            }
            Full::All(quantity) => problem(Code::Unavailable).with("limit", quantity.name),
        }
    }
}

impl From<Reached> for Problem {
    fn from(reached: Reached) -> Self {
        let seconds = reached.retry_after_seconds;
        let detail = format!("the limit `{}` is reached; try again in {seconds} s", reached.limit);
        Self::new(Code::TooManyRequests).detail(detail).retry_after(seconds).reached(reached.into())
    }
}

impl From<&PayloadError> for Problem {
    fn from(error: &PayloadError) -> Self {
        match BodyStopped::of(error) {
            Some(BodyStopped::TooSlow) => Self::new(Code::BodyTooSlow),
            Some(BodyStopped::Full(full)) => full.into(),
            None if is_nul(error) => Self::new(Code::MalformedBody).detail(NulInText.to_string()),
            None => Self::new(Code::MalformedBody).cause(error),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        if let StoreError::InDoubt(_) = error {
            let detail = "whether this was done is not known; look, or repeat the request with the same Idempotency-Key";
            return Self::new(Code::Unavailable).detail(detail).cause(error);
        }
        if let StoreError::Archive(why) = &error {
            let is_altered = matches!(why, ArchiveError::Altered(..) | ArchiveError::NotPacked(_));
            let code = if is_altered { Code::Internal } else { Code::Unavailable };
            let problem = Self::new(code).cause(why);
            let detail = "the archive of finished games does not answer; running games go on";
            return if is_altered { problem } else { problem.detail(detail) };
        }
        if error.is_outage() {
            return Self::new(Code::Unavailable).cause(error);
        }
        Self::new(Code::Internal).cause(error)
    }
}

impl From<KeyError> for Problem {
    fn from(error: KeyError) -> Self {
        Self::new(Code::Internal).cause(error)
    }
}

impl From<NotDrawn> for Problem {
    fn from(error: NotDrawn) -> Self {
        match error {
            NotDrawn::Busy => Self::new(Code::Unavailable).detail(error.to_string()),
            NotDrawn::Png(_) | NotDrawn::Failed => Self::new(Code::Internal).cause(error),
        }
    }
}

impl From<GameError> for Problem {
    fn from(error: GameError) -> Self {
        let said = error.to_string();
        let told = |code: Code| Self::new(code).detail(said.clone());
        match error {
            GameError::NotFound | GameError::UnknownPlayer(_) | GameError::NoSuchTournament => {
                told(Code::NotFound)
            }
            GameError::TournamentRefused(_) => told(Code::TournamentRefused),
            GameError::UnknownRules(_) => told(Code::UnknownRules),
            GameError::Options(_) => told(Code::InvalidOptions).with("field", "options"),
            GameError::InvalidValue { field, .. } => told(Code::InvalidValue).with("field", field),
            GameError::SubstitutesNotPossible(_) => {
                told(Code::SubstitutesNotPossible).with("field", "substitutes")
            }
            GameError::OrdersNotPossible(_) => told(Code::OrdersNotPossible),
            GameError::ControlNotPossible(_) => told(Code::ControlNotPossible).with("field", "time_control"),
            GameError::SeatsNotPossible(_) => told(Code::SeatsNotPossible).with("field", "seats"),
            GameError::NoSuchPosition { field, .. } => told(Code::NotFound).with("field", field),
            GameError::MessageRefused(_) => told(Code::MessageRefused).with("field", "text"),
            GameError::Muted { .. } => told(Code::Muted),
            GameError::ForeignReceipt => told(Code::ForeignReceipt).with("field", "receipt"),
            GameError::Full => told(Code::GameFull),
            GameError::AlreadyJoined => told(Code::AlreadyJoined),
            GameError::SeatVacant => told(Code::SeatLeft),
            GameError::NotJoined => told(Code::NotInGame),
            GameError::Started => told(Code::GameStarted),
            GameError::Cancelled => told(Code::GameCancelled),
            GameError::NotStarted => told(Code::GameNotStarted),
            GameError::AddressNotConfirmed => told(Code::EmailNotConfirmed),
            GameError::TooManyMessages { retry_after_seconds } => told(Code::TooManyRequests)
                .retry_after(retry_after_seconds)
                .reached(Limit::messages_in_game()),
            GameError::TooManyAborts(reached) => Self::from(reached).detail(said),
            GameError::TooManyInvitations | GameError::TooManyInvitationsWait => {
                told(Code::TooManyInvitations)
            }
            GameError::TooManyOpenGames => told(Code::TooManyOpenGames),
            GameError::QuotaReached { limit, most } | GameError::TooManyMarked { limit, most } => {
                told(Code::QuotaReached).with("limit", limit).with("most", most)
            }
            GameError::SeedRefused => told(Code::SeedNotTaken).with("field", "seed"),
            GameError::Stale(game) => told(Code::StaleSeq).with("game", &game),
            GameError::PreconditionFailed(game) => told(Code::PreconditionFailed).with("game", &game),
            GameError::Unreadable { index, unreadable } => {
                let problem = told(Code::UnreadableAction).with("index", index);
                unreadable.at.into_iter().fold(problem, |problem, at| problem.with("at", at))
            }
            GameError::UnreadableOrder { unreadable, .. } => {
                let problem = told(Code::UnreadableAction).with("field", "branches");
                unreadable.at.into_iter().fold(problem, |problem, at| problem.with("at", at))
            }
            GameError::Incomplete { index, mut incomplete } => {
                incomplete.candidates.truncate(MAX_LEGAL_LISTED);
                told(Code::IncompleteAction).with("index", index).with("candidates", incomplete.candidates)
            }
            GameError::Refused { index, refused, legal, game } => {
                refused_act(said, index, &refused, legal, &game)
            }
            GameError::DrawsBeforeLast { index, action, mut legal, game } => {
                legal.truncate(MAX_LEGAL_LISTED);
                let problem = told(Code::DrawsBeforeLast).with("index", index).with("action", action);
                problem.with("legal", legal).with("game", &game)
            }
            GameError::AnalysisHidden => told(Code::AnalysisHidden),
            GameError::ChanceNotPossible { index, possible, .. } => {
                told(Code::ChanceNotPossible).with("index", index).with("candidates", possible)
            }
            GameError::ChanceOpen { index, possible } => {
                told(Code::IncompleteAction).with("index", index).with("candidates", possible)
            }
            GameError::TooLong { left } => told(Code::GameTooLong).with("actions_left", left),
            GameError::ClockLogFull | GameError::ClockRefused(_) => told(Code::ClockRefused),
            GameError::KeyReused => told(Code::IdempotencyKeyReused),
            GameError::Contended | GameError::NoWorker | GameError::NotReady => told(Code::Unavailable),
            GameError::Beacon(_) => Self::new(Code::Unavailable).cause(said),
            GameError::Corrupt(..) | GameError::Packing(_) => Self::new(Code::Internal).cause(said),
            GameError::Store(error) => error.into(),
            GameError::Keys(error) => error.into(),
        }
    }
}

/// The most legal actions listed with a refusal; `/actions` lists all.
const MAX_LEGAL_LISTED: usize = 100;

fn refused_act(
    said: String,
    index: usize,
    refused: &ActRefused,
    mut legal: Vec<Value>,
    game: &games::GameView,
) -> Problem {
    let code = match refused {
        ActRefused::Over => Code::GameOver,
        ActRefused::Left => Code::SeatLeft,
        ActRefused::NotToAct => Code::NotYourTurn,
        ActRefused::TooLateToAbort => Code::TooLateToAbort,
        ActRefused::Refused(_) => Code::IllegalAction,
    };
    let problem = Problem::new(code).detail(said).with("game", game);
    if code != Code::IllegalAction {
        return problem;
    }
    legal.truncate(MAX_LEGAL_LISTED);
    problem.with("index", index).with("legal", legal)
}

impl From<ReplyError> for Problem {
    fn from(error: ReplyError) -> Self {
        match error {
            ReplyError::Store(error) => error.into(),
            ReplyError::Game(error) => error.into(),
            ReplyError::Account(error) => error.into(),
            ReplyError::Answer(error) => Self::new(Code::Internal).cause(error),
        }
    }
}

impl From<SandboxError> for Problem {
    fn from(error: SandboxError) -> Self {
        let told = |code: Code| Self::new(code).detail(error.to_string());
        match error {
            SandboxError::Back(_) => told(Code::ClockNotPossible).with("field", "to"),
            SandboxError::TooFar { .. } => told(Code::ClockNotPossible),
            SandboxError::NotAnswerable => told(Code::MailNotAnswerable),
            SandboxError::NotFound => told(Code::NotFound),
            SandboxError::Busy => told(Code::Unavailable),
            SandboxError::Answer(why) => Self::new(Code::Internal).cause(why),
            SandboxError::Store(error) => error.into(),
            SandboxError::Game(error) => error.into(),
            SandboxError::Reply(error) => error.into(),
        }
    }
}

impl From<WebhookError> for Problem {
    fn from(error: WebhookError) -> Self {
        let told = |code: Code| Self::new(code).detail(error.to_string());
        match error {
            WebhookError::NotFound => told(Code::NotFound),
            WebhookError::Target(_) => told(Code::WebhookUrlRefused).with("field", "url"),
            WebhookError::NoSuchGame => told(Code::NotFound).with("field", "game"),
            WebhookError::NoSuchEvent { field } => told(Code::NotFound).with("field", field),
            WebhookError::TooMany { .. } => told(Code::TooManyWebhooks),
            WebhookError::AddressNotConfirmed => told(Code::EmailNotConfirmed),
            WebhookError::NotVerified => told(Code::WebhookNotVerified),
            WebhookError::WrongChallenge => told(Code::WrongChallenge).with("field", "challenge"),
            WebhookError::SendsAlready => told(Code::TooManyRequests).reached(Limit::one_by_hand()),
            WebhookError::Busy => told(Code::Unavailable),
            WebhookError::Corrupt(..) => Self::new(Code::Internal).cause(error),
            WebhookError::Account(error) => error.into(),
            WebhookError::Key(error) => error.into(),
            WebhookError::Store(error) => error.into(),
        }
    }
}

impl From<PushError> for Problem {
    fn from(error: PushError) -> Self {
        let told = |code: Code| Self::new(code).detail(error.to_string());
        match error {
            PushError::NotFound => told(Code::NotFound),
            PushError::Off => told(Code::PushOff),
            PushError::Target(_) => told(Code::PushEndpointRefused).with("field", "endpoint"),
            PushError::Key { field, .. } => told(Code::InvalidValue).with("field", field),
            PushError::TooMany { .. } => told(Code::TooManyPushSubscriptions),
            PushError::AddressNotConfirmed => told(Code::EmailNotConfirmed),
            PushError::Account(error) => error.into(),
            PushError::Store(error) => error.into(),
        }
    }
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Unauthenticated => Self::new(Code::Unauthenticated),
            AccountError::TokenExpired => Self::new(Code::Unauthenticated).detail_of(EXPIRED),
            AccountError::RefreshRefused => Self::new(Code::RefreshRefused),
            AccountError::SessionEnded => Self::new(Code::SessionRevoked),
            AccountError::WrongCredentials => Self::new(Code::WrongCredentials),
            AccountError::Closed => Self::new(Code::AccountClosed).detail(error.to_string()),
            AccountError::NotAdmitted(why) => Self::new(Code::InvitationNeeded).detail(why.to_string()),
            AccountError::TooManyInvitations { .. } => {
                Self::new(Code::TooManyInvitations).detail(error.to_string())
            }
            AccountError::HandleTaken => Self::new(Code::HandleTaken).with("field", "handle"),
            AccountError::EmailTaken => Self::new(Code::EmailTaken).with("field", "email"),
            AccountError::EmailRefused | AccountError::EmailNotCarried => {
                Self::new(Code::EmailRefused).detail(error.to_string()).with("field", "email")
            }
            AccountError::LinkInvalid => Self::new(Code::LinkInvalid),
            AccountError::PasswordTooCommon { field } => {
                Self::new(Code::PasswordTooCommon).detail(error.to_string()).with("field", field)
            }
            AccountError::Invalid { field, why } => {
                Self::new(Code::InvalidValue).detail(why).with("field", field)
            }
            AccountError::TooManyTokens { .. } => Self::new(Code::TooManyTokens).detail(error.to_string()),
            AccountError::TooManyApps { .. } => Self::new(Code::TooManyApps).detail(error.to_string()),
            AccountError::AddressNotConfirmed => Self::new(Code::EmailNotConfirmed),
            AccountError::ScopesNotPossible => {
                Self::new(Code::ScopesNotPossible).detail(error.to_string()).with("field", "scopes")
            }
            AccountError::NoSuchGame => {
                Self::new(Code::NotFound).detail(error.to_string()).with("field", "game")
            }
            AccountError::OAuth(error) => Self::new(code_of(error.code)).detail(error.why).of_oauth(),
            AccountError::CalendarRefused(why) => Self::new(Code::CalendarRefused).detail(why.to_string()),
            AccountError::NotFound => Self::new(Code::NotFound),
            AccountError::TooManyTries(reached) => reached.into(),
            AccountError::KeyReused => Self::new(Code::IdempotencyKeyReused),
            AccountError::Busy => Self::new(Code::Unavailable).detail(error.to_string()),
            AccountError::Corrupt(..) | AccountError::Hash(_) => Self::new(Code::Internal).cause(error),
            AccountError::Key(error) => error.into(),
            AccountError::Store(error) => error.into(),
        }
    }
}

fn code_of(code: OAuthCode) -> Code {
    match code {
        OAuthCode::InvalidClient => Code::InvalidClient,
        OAuthCode::InvalidGrant => Code::InvalidGrant,
        OAuthCode::InvalidScope => Code::InvalidScope,
        OAuthCode::UnsupportedGrantType => Code::UnsupportedGrantType,
        OAuthCode::AuthorizationPending => Code::AuthorizationPending,
        OAuthCode::SlowDown => Code::SlowDown,
        OAuthCode::AccessDenied => Code::AccessDenied,
        OAuthCode::ExpiredToken => Code::ExpiredToken,
        // The other is told to apps in redirects only.
        OAuthCode::InvalidRequest | OAuthCode::UnsupportedResponseType => Code::InvalidRequest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Log;
    use pippost_traffic::Quantity;

    #[test]
    fn what_the_server_cannot_do_is_an_error_and_a_taken_place_is_none() {
        let full = Problem::from(Full::All(Quantity::requests("drawings")));
        assert_eq!((full.code(), full.level()), (Code::Unavailable, Log::Debug));
        let busy = Problem::from(AccountError::Busy);
        assert_eq!((busy.code(), busy.level()), (Code::Unavailable, Log::Debug));
        let outage = Problem::from(StoreError::Unreachable("gone".into()));
        assert_eq!((outage.code(), outage.level()), (Code::Unavailable, Log::Error));
    }
}
