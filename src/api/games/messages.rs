//! Messages between the players of a game.

use actix_web::{HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::accounts::{Accounts, PlayerRequest};
use crate::api::Problem;
use crate::api::access::{Participant, Reader};
use crate::api::games::refusals::SeatedProblems;
use crate::api::peer::Peer;
use crate::api::seat::{Seated, SeatedBody};
use crate::games::{Games, letters};
use crate::record::Timestamp;
use crate::store::table_messages::MessageRow;

/// Which messages to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MessagesQuery {
    /// Only messages before the one with this id.
    pub before: Option<Uuid>,
    /// Messages on a page, 1 to 100.
    #[serde(default = "default_page")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: u16,
}

fn default_page() -> u16 {
    50
}

/// A message to send.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageBody {
    /// 1 to 1000 characters; control characters are removed.
    #[schema(min_length = 1, max_length = 1000)]
    pub text: String,
}

/// A message.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageAnswer {
    pub id: Uuid,
    pub handle: String,
    /// The game's last event when the message was sent.
    #[schema(value_type = i64)]
    pub seq: u64,
    pub text: String,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// A page of messages.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessagesAnswer {
    /// Oldest first.
    pub messages: Vec<MessageAnswer>,
}

/// The new message.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaidAnswer {
    pub id: Uuid,
}

impl From<MessageRow> for MessageAnswer {
    fn from(row: MessageRow) -> Self {
        let MessageRow { id, handle, seq, text, created_at, .. } = row;
        Self { id, handle, seq: seq.get(), text, at: Timestamp::new(created_at) }
    }
}

/// Lists the messages of a game. Only its players can read them.
#[utoipa::path(tag = "games", security(("token" = [])), params(("id" = Uuid, Path), MessagesQuery), responses(
    (status = 200, description = "The newest messages.", body = MessagesAnswer),
    SeatedProblems,
))]
#[get("/games/{id}/messages")]
pub async fn list_messages(
    seated: Seated<Reader>,
    games: web::Data<Games>,
    query: web::Query<MessagesQuery>,
) -> Result<web::Json<MessagesAnswer>, Problem> {
    let messages = letters::messages(&games, &seated.claim, query.before, query.limit).await?;
    Ok(web::Json(MessagesAnswer { messages: messages.into_iter().map(MessageAnswer::from).collect() }))
}

/// Sends a message to the other players of a game; their next mails include it.
///
/// Limits: sixty messages an hour in a game; sixty at once in all games, then one a minute (120 per network, then two a minute).
#[utoipa::path(tag = "games", security(("token" = [])), params(("id" = Uuid, Path)), request_body = MessageBody, responses(
    (status = 201, description = "It is said.", body = SaidAnswer),
    SeatedProblems,
))]
#[post("/games/{id}/messages")]
pub async fn say_message(
    seated: Seated<Participant>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    body: SeatedBody<MessageBody>,
) -> actix_web::Result<HttpResponse> {
    let body = body?;
    accounts.count_request(PlayerRequest::Say, seated.account.player_id, peer.0).map_err(Problem::from)?;
    let id = letters::say(&games, &seated.claim, &body.text).await.map_err(Problem::from)?;
    Ok(HttpResponse::Created().json(SaidAnswer { id }))
}
