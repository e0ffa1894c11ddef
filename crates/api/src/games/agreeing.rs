//! Pauses by agreement, and gifts of time.

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, post, web};
use serde::{Deserialize, Deserializer, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::access::Participant;
use crate::declared_headers::KeyHeader;
use crate::games::refusals::ClockProblems;
use crate::idempotency::CreationKey;
use crate::seat::{Seated, UnreadBody};
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::clocks::{self, Gift};
use pippost_games::viewing::clock_now::{self, ClockNow};
use pippost_games::viewing::look;
use pippost_games::viewing::view::{Requester, SeatClaim};
use pippost_games::{GameError, Games};
use pippost_http::json::whole_number;
use pippost_http::peer::Peer;
use pippost_http::{Code, Problem};
use pippost_record::record::Timestamp;
use pippost_record::rules::Seat;
use pippost_store::stored_responses::RequestKey;

/// A pause.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PauseBody {
    /// Until when all clocks stand still, at most 60 days from now; null: the pause that lasts ends.
    #[serde(deserialize_with = "given")]
    #[schema(format = DateTime, required = true, example = "2026-12-27T18:00:00Z")]
    until: Option<String>,
}

/// Null, but not missing.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(from)
}

impl PauseBody {
    fn until(&self) -> Result<Option<OffsetDateTime>, Problem> {
        let read = |text: &String| {
            Timestamp::read(text).map(Timestamp::get).ok_or_else(|| {
                let why = "until: a time as in 2026-12-27T18:00:00Z";
                Problem::new(Code::InvalidValue).detail(why).with("field", "until")
            })
        };
        self.until.as_ref().map(read).transpose()
    }
}

/// A gift of time.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GiftBody {
    /// The seat that gets it.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 0, maximum = 255)]
    to: u8,
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 1, maximum = 240, example = 24)]
    hours: u32,
    /// The last line of the clock log that you know: a repeated request gives nothing more.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 0, example = 0)]
    line: u32,
}

/// Proposes a pause to all others, or the end of the one that lasts.
///
/// It holds once everybody who plays has agreed; programs agree with everything. One proposal waits at a time, for 72 hours; your own is replaced.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path), KeyHeader), request_body = PauseBody, responses(
    (status = 200, description = "The clock, with the proposal, or with the pause if nobody else had to agree.", body = ClockNow),
    ClockProblems,
))]
#[post("/games/{id}/pause")]
pub async fn propose_pause(
    seated: Seated<Participant>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    key: CreationKey,
    body: UnreadBody<PauseBody>,
) -> actix_web::Result<HttpResponse> {
    let body = body.read().await?;
    let until = body.until()?;
    count(&accounts, &seated, &peer)?;
    let key = key.with_body(&body);
    once(&games, &seated.claim, key.as_ref(), clocks::propose_pause(&games, &seated.claim, until)).await
}

/// Agrees with the proposed pause, or with the proposed end of one.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), request_body = PauseBody, responses(
    (status = 200, description = "The clock: with the pause, if all have agreed.", body = ClockNow),
    ClockProblems,
))]
#[post("/games/{id}/pause/agree")]
pub async fn agree_to_pause(
    seated: Seated<Participant>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    body: UnreadBody<PauseBody>,
) -> actix_web::Result<web::Json<ClockNow>> {
    let until = body.read().await?.until()?;
    count(&accounts, &seated, &peer)?;
    clock(&games, &seated.claim, clocks::agree_to_pause(&games, &seated.claim, until).await).await
}

/// Declines a proposed pause or end of one, or takes your own proposal back.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), request_body = PauseBody, responses(
    (status = 200, description = "The clock, without a proposal.", body = ClockNow),
    ClockProblems,
))]
#[post("/games/{id}/pause/decline")]
pub async fn decline_pause(
    seated: Seated<Participant>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    body: UnreadBody<PauseBody>,
) -> actix_web::Result<web::Json<ClockNow>> {
    let until = body.read().await?.until()?;
    count(&accounts, &seated, &peer)?;
    clock(&games, &seated.claim, clocks::decline_pause(&games, &seated.claim, until).await).await
}

/// Gives another seat time: to its bank, or without banks to the turn or answer that it has begun.
///
/// At most 240 hours at once, and until the seat has 60 days. While three players or more are in
/// the game, all together give a seat at most 24 hours for one turn. A gift cannot be taken back.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path), KeyHeader), request_body = GiftBody, responses(
    (status = 200, description = "The clock after the gift.", body = ClockNow),
    ClockProblems,
))]
#[post("/games/{id}/gifts")]
pub async fn give_time(
    seated: Seated<Participant>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    key: CreationKey,
    body: UnreadBody<GiftBody>,
) -> actix_web::Result<HttpResponse> {
    let body = body.read().await?;
    count(&accounts, &seated, &peer)?;
    let key = key.with_body(&body);
    let GiftBody { to, hours, line } = body;
    let gift = Gift { to: Seat(to), hours, after_line: line };
    once(&games, &seated.claim, key.as_ref(), clocks::give_time(&games, &seated.claim, gift)).await
}

/// Proposals send mails, and all of this makes lines, so it counts like messages.
fn count(accounts: &Accounts, seated: &Seated<Participant>, peer: &Peer) -> Result<(), Problem> {
    accounts.count_request(PlayerRequest::Say, seated.account.player_id, peer.0).map_err(Problem::from)
}

/// Does it and answers with the clock, or gives a repeated request the answer that it got.
async fn once(
    games: &Games,
    claim: &SeatClaim,
    key: Option<&RequestKey>,
    doing: impl Future<Output = Result<(), GameError>>,
) -> actix_web::Result<HttpResponse> {
    let answered = |answer| HttpResponse::Ok().content_type(ContentType::json()).body(answer);
    let player_id = claim.player_id();
    let before = clocks::answer_before(games, key, player_id).await.map_err(Problem::from)?;
    if let Some(answer) = before {
        return Ok(answered(answer));
    }
    let clock = clock(games, claim, doing.await).await?;
    let answer = serde_json::to_string(&*clock).expect("plain data");
    clocks::keep_answer(games, key, player_id, &answer).await;
    Ok(answered(answer))
}

async fn clock(
    games: &Games,
    claim: &SeatClaim,
    done: Result<(), GameError>,
) -> actix_web::Result<web::Json<ClockNow>> {
    done.map_err(Problem::from)?;
    let requester = Requester { player_id: Some(claim.player_id()), token: None };
    let look = look(games, claim.game_id(), &requester).await.map_err(Problem::from)?;
    let clock = clock_now::clock_now(games, &look).await.map_err(Problem::from)?;
    Ok(web::Json(clock))
}
