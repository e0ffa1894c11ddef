//! What players say to each other at the table.

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

/// Something to say.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageBody {
    /// 1 to 1000 characters; control characters are left out.
    #[schema(min_length = 1, max_length = 1000)]
    pub text: String,
}

/// Something that was said.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageAnswer {
    pub id: Uuid,
    pub handle: String,
    /// The game's last event when it was said.
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

/// A message that was said.
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

/// Lists what was said at the table. For the players of the game only.
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

/// Says something to the others at the table; their next mails repeat it. Sixty messages an hour at one table; sixty at once at all, then one
/// a minute (120 from a network, then two a minute).
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
