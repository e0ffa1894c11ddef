//! Messages between the players of a game.

use actix_web::{HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::access::{Participant, Reader};
use crate::created;
use crate::declared_headers::KeyHeader;
use crate::games::refusals::{SayProblems, SeatedProblems};
use crate::idempotency::CreationKey;
use crate::seat::{Seated, UnreadBody};
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::letters::messages::MAX_MESSAGE_CHARS;
use pippost_games::{Games, letters};
use pippost_http::peer::Peer;
use pippost_http::text::is_blank;
use pippost_http::{Code, Problem};
use pippost_record::record::Timestamp;
use pippost_store::table_messages::MessageRow;

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
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageBody {
    /// 1 to 1000 characters, one of which shows; control characters are removed. Links and addresses of this server are refused
    /// with `message_refused`.
    #[schema(
        min_length = 1,
        max_length = 1000,
        pattern = "^[^\\u0000]*[^\\u0000-\\u0020\\u007f-\\u00a0][^\\u0000]*$"
    )]
    pub text: String,
}

/// What stands in the place of a message that an operator has removed.
const REMOVED: &str = "[removed by the operator]";

/// A message.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageAnswer {
    pub id: Uuid,
    pub handle: String,
    /// The game's last event when the message was sent.
    #[schema(value_type = i64)]
    pub seq: u64,
    /// What an operator has removed is `[removed by the operator]`.
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

impl From<MessageRow> for MessageAnswer {
    fn from(row: MessageRow) -> Self {
        let MessageRow { id, handle, seq, text, created_at, .. } = row;
        let text = text.unwrap_or_else(|| REMOVED.to_owned());
        Self { id, handle, seq: seq.get(), text, at: Timestamp::new(created_at) }
    }
}

/// Checks what the document says about the text of a message.
fn check_form(text: &str) -> Result<(), Problem> {
    if text.chars().all(is_blank) || text.chars().count() > MAX_MESSAGE_CHARS {
        let why = format!("text: 1 to {MAX_MESSAGE_CHARS} characters, one of which shows");
        return Err(Problem::new(Code::InvalidValue).detail(why).with("field", "text"));
    }
    Ok(())
}

/// Lists the messages of a game. Only its players can read them.
#[utoipa::path(tag = "games", security(("token" = [Reader::SCOPE])), params(("id" = Uuid, Path), MessagesQuery), responses(
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

/// Sends a message to the other players; their next mails include it.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path), KeyHeader), request_body = MessageBody, responses(
    (status = 201, description = "It is said.", body = MessageAnswer),
    SayProblems,
))]
#[post("/games/{id}/messages")]
pub async fn say_message(
    seated: Seated<Participant>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    key: CreationKey,
    body: UnreadBody<MessageBody>,
) -> actix_web::Result<HttpResponse> {
    let body = body.read().await?;
    check_form(&body.text)?;
    accounts.count_request(PlayerRequest::Say, seated.account.player_id, peer.0).map_err(Problem::from)?;
    let key = key.with_body(&body);
    let said = letters::say(&games, &seated.claim, &body.text, key.as_ref()).await.map_err(Problem::from)?;
    let answer = serde_json::to_string(&MessageAnswer::from(said)).expect("plain data");
    Ok(created::at(&format!("/api/v1/games/{}/messages", seated.claim.game_id()), answer))
}
