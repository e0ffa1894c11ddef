//! A player who sends a form of a game's page, and the page that answers it.

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use uuid::Uuid;

use super::choice::Query;
use super::table::{Shown, Trouble, show};
use super::{FRAGMENT, path};
use crate::form::see_other;
use crate::visitor::WithSession;
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::error::words_of;
use pippost_games::viewing::picking::Choice;
use pippost_games::{GameError, Games, SeatClaim, viewing};
use pippost_http::peer::Peer;
use pippost_http::{Code, Problem};
use pippost_language::Language;

/// Who sends a form of a game's page, and what the answer shows. If `GUESTS`, it may be a guest.
pub struct AtGame<const GUESTS: bool> {
    pub games: web::Data<Games>,
    accounts: web::Data<Accounts>,
    by: WithSession<GUESTS>,
    id: Uuid,
    peer: Peer,
    shown: Shown,
}

/// A registered player who sends a form.
pub type AtTable = AtGame<false>;

/// A player, or a guest, who sends what guests may, too: a move.
pub type AtBoard = AtGame<true>;

impl<const GUESTS: bool> AtGame<GUESTS> {
    /// The player's seat in the game.
    ///
    /// # Errors
    /// The player has none, or the database failed.
    pub async fn claim(&self) -> Result<SeatClaim, GameError> {
        viewing::claim_seat(&self.games, self.id, self.by.account.player_id).await
    }

    /// Counts a form that sends mails or makes lines of a clock log, as its operation of the API is counted.
    ///
    /// # Errors
    /// The player, or the peer, has sent many.
    pub fn count(&self) -> Result<(), Problem> {
        let player_id = self.by.account.player_id;
        Ok(self.accounts.count_request(PlayerRequest::Say, player_id, self.peer.0)?)
    }

    /// Leads back to the game if the form was carried out; shows the page again, with why, if it was refused.
    ///
    /// # Errors
    /// What no player can mend.
    pub async fn answer(self, done: Result<(), GameError>) -> Result<HttpResponse, Problem> {
        let Err(error) = done else {
            let path = path(self.id);
            return Ok(match self.shown {
                Shown::Page => see_other(&path),
                Shown::Fragment => see_other(&format!("{path}/table")),
            });
        };
        let trouble = trouble(error, self.language())?;
        self.refuse(trouble).await
    }

    /// The language of the player.
    pub fn language(&self) -> Language {
        self.by.visitor.language
    }

    /// Shows the page again, with why the form was refused.
    ///
    /// # Errors
    /// The database failed.
    pub async fn refuse(self, trouble: Trouble) -> Result<HttpResponse, Problem> {
        let visitor = self.by.visitor;
        let query = Query { token: None, choice: Choice::Picks(Vec::new()) };
        show(&self.games, &self.accounts, visitor, self.id, query, self.shown, Some(trouble)).await
    }

    async fn of(request: HttpRequest, by: WithSession<GUESTS>) -> Result<Self, Problem> {
        let missing =
            |what: &str| Problem::new(Code::Internal).cause(format!("no {what} in the application"));
        let id = web::Path::<Uuid>::extract(&request).await;
        let is_fragment = request.headers().contains_key(FRAGMENT);
        Ok(Self {
            games: request.app_data::<web::Data<Games>>().ok_or_else(|| missing("games"))?.clone(),
            accounts: request.app_data::<web::Data<Accounts>>().ok_or_else(|| missing("accounts"))?.clone(),
            by,
            peer: Peer::of(&request),
            id: *id.map_err(|_| Problem::new(Code::NotFound))?,
            shown: if is_fragment { Shown::Fragment } else { Shown::Page },
        })
    }
}

impl<const GUESTS: bool> FromRequest for AtGame<GUESTS> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let by = WithSession::from_request(request, payload);
        let request = request.clone();
        async move { Self::of(request, by.await?).await }.boxed_local()
    }
}

/// A refusal in words for the player; other errors are problems.
fn trouble(error: GameError, language: Language) -> Result<Trouble, Problem> {
    let say = |status, key: &str| Ok(Trouble { status, text: language.say(key) });
    match error {
        GameError::Stale(_) | GameError::PreconditionFailed(_) => say(StatusCode::CONFLICT, "play-stale"),
        GameError::Contended | GameError::NoWorker => say(StatusCode::SERVICE_UNAVAILABLE, "play-busy"),
        GameError::NotJoined => say(StatusCode::FORBIDDEN, "play-not-joined"),
        GameError::Refused { refused, .. } => {
            Ok(Trouble { status: StatusCode::UNPROCESSABLE_ENTITY, text: words_of(&refused, language) })
        }
        GameError::Unreadable { unreadable, .. } => {
            let text = language.tell(&unreadable.why, &[]);
            Ok(Trouble { status: StatusCode::UNPROCESSABLE_ENTITY, text })
        }
        GameError::SeatVacant => say(StatusCode::CONFLICT, "seat-is-vacant"),
        GameError::Incomplete { incomplete, .. } => {
            let text = language.tell(&incomplete.why(), &[]);
            Ok(Trouble { status: StatusCode::UNPROCESSABLE_ENTITY, text })
        }
        GameError::ClockRefused(_) | GameError::ClockLogFull => say(StatusCode::CONFLICT, "clock-refused"),
        GameError::TooManyAborts(_) => say(StatusCode::TOO_MANY_REQUESTS, "play-too-many-aborts"),
        GameError::Muted { .. } => say(StatusCode::FORBIDDEN, "play-muted"),
        GameError::TooManyMessages { .. } => say(StatusCode::TOO_MANY_REQUESTS, "play-too-many-messages"),
        GameError::MessageRefused(_) | GameError::InvalidValue { .. } => {
            say(StatusCode::UNPROCESSABLE_ENTITY, "play-text-refused")
        }
        other => Err(other.into()),
    }
}
