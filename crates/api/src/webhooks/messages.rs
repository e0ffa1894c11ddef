//! What receivers of webhooks get, for the document: the callbacks of the operation that registers a webhook. (Generators take those;
//! of a section `webhooks` they make methods of a client that cannot be compiled.)

use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::path::Callback;
use utoipa::openapi::{Components, OpenApi, RefOr};
use uuid::Uuid;

use crate::declared;
use crate::games::messages::MessageAnswer;
use crate::openapi::examples;
use pippost_games::tournaments::TournamentEvent;
use pippost_http::webhook_requests::bodies::EventIdText;
use pippost_record::record::Event;
use pippost_record::rules::schema::{add_with_parts, name_of};
use pippost_store::WebhookKind;
use pippost_webhooks::signing::{ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER};

/// An event of one of your games.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only: the body is put together in the room of webhooks")]
pub struct WebhookMessage {
    /// The first in the order of `WebhookKind` that the webhook wants.
    #[schema(rename = "type")]
    kind: WebhookKind,
    #[schema(value_type = String, format = DateTime)]
    timestamp: String,
    data: WebhookData,
}

/// The event, and what you need to know of its game.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookData {
    /// Also in the header `webhook-id`, in feeds and mails.
    #[schema(value_type = EventIdText)]
    id: String,
    /// Whether you were to act right after it.
    my_turn: bool,
    game: WebhookGame,
    event: Event,
}

/// The game of a webhook's event.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookGame {
    id: Uuid,
    rules: String,
    players: Vec<WebhookPlayer>,
    my_seat: u8,
    page: String,
}

/// A player of the game of a webhook's event.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookPlayer {
    seat: u8,
    handle: String,
}

/// What another player has written.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookSaid {
    #[schema(rename = "type", pattern = "^message$")]
    kind: String,
    #[schema(value_type = String, format = DateTime)]
    timestamp: String,
    data: WebhookSaidData,
}

/// The message and its game.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookSaidData {
    /// That of the message, as in the header `webhook-id`.
    id: Uuid,
    game: WebhookGame,
    message: MessageAnswer,
}

/// What has happened in a tournament of yours.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookHappened {
    #[schema(rename = "type", pattern = "^tournament$")]
    kind: String,
    #[schema(value_type = String, format = DateTime)]
    timestamp: String,
    data: WebhookHappenedData,
}

/// An event of a tournament.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookHappenedData {
    /// As in the header `webhook-id` and in the tournament's feed.
    #[schema(value_type = EventIdText)]
    id: String,
    tournament: WebhookTournament,
    /// Yours of the round.
    my_game: Option<Uuid>,
    event: TournamentEvent,
}

/// The tournament of an event.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookTournament {
    id: Uuid,
    title: String,
    page: String,
}

/// Asks whether deliveries are wanted.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookChallenge {
    #[schema(rename = "type", pattern = "^challenge$")]
    kind: String,
    #[schema(value_type = String, format = DateTime)]
    timestamp: String,
    data: WebhookChallengeData,
}

/// What the answer has to carry.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookChallengeData {
    challenge: String,
}

/// The answer to a challenge.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct WebhookChallengeMet {
    /// As it came.
    challenge: String,
}

/// The operation whose body names the address.
const REGISTERING: &str = "register_webhook";

/// The address of the request that registers it.
const ADDRESS: &str = "{$request.body#/url}";

/// Adds the callbacks and their schemas.
///
/// # Panics
/// If the operation is not in the document.
pub fn add(document: &mut OpenApi) {
    let mut found = Vec::new();
    add_with_parts::<WebhookMessage>(&mut found);
    add_with_parts::<WebhookSaid>(&mut found);
    add_with_parts::<WebhookHappened>(&mut found);
    add_with_parts::<WebhookChallenge>(&mut found);
    add_with_parts::<WebhookChallengeMet>(&mut found);
    let components = document.components.get_or_insert_with(Components::new);
    for (name, schema) in found {
        components.schemas.entry(name).or_insert(schema);
    }
    for header in headers() {
        let name = header["name"].as_str().expect("a name").to_owned();
        let parameter = serde_json::from_value(header).expect("a parameter");
        components.parameters.insert(name, RefOr::T(parameter));
    }
    let mut operations = document.paths.paths.values_mut().flat_map(declared::operations);
    let registering = operations.find(|operation| operation.operation_id.as_deref() == Some(REGISTERING));
    let callbacks = &mut registering.expect("webhooks can be registered").callbacks;
    callbacks.insert("message".to_owned(), called_back(message()));
    callbacks.insert("said".to_owned(), called_back(said()));
    callbacks.insert("happened".to_owned(), called_back(happened()));
    callbacks.insert("challenge".to_owned(), called_back(challenge()));
}

fn called_back(operation: Value) -> RefOr<Callback> {
    let callback = json!({ADDRESS: {"post": operation}});
    RefOr::T(serde_json::from_value(callback).expect("a callback"))
}

fn message() -> Value {
    json!({
        "tags": ["webhooks"],
        "operationId": "receive_message",
        "summary": "Something has happened in a game of yours.",
        "description": "Sent to webhooks of the format `standard`; `type` is the first fitting kind that the webhook wants. Check the \
            signature (Standard Webhooks) first. The events of a game come in order, each at least once; the header \
            `webhook-id` tells a repetition.",
        "security": [],
        "parameters": named_headers(),
        "requestBody": body(&name_of::<WebhookMessage>(), "receive_message"),
        "responses": {
            "204": {"description": "Received."},
            "410": {"description": "Nothing is wanted here any more: the webhook is disabled."},
        },
    })
}

fn said() -> Value {
    json!({
        "tags": ["webhooks"],
        "description": "Sent as the others are.",
        "operationId": "receive_said",
        "summary": "Somebody has written at the table of a game of yours: the kind `message`.",
        "security": [],
        "parameters": named_headers(),
        "requestBody": body(&name_of::<WebhookSaid>(), "receive_said"),
        "responses": {"204": {"description": "Received."}},
    })
}

fn happened() -> Value {
    json!({
        "tags": ["webhooks"],
        "description": "Sent as the others are.",
        "operationId": "receive_happened",
        "summary": "Something has happened in a tournament that you are in or organise: the kind `tournament`.",
        "security": [],
        "parameters": named_headers(),
        "requestBody": body(&name_of::<WebhookHappened>(), "receive_happened"),
        "responses": {"204": {"description": "Received."}},
    })
}

fn challenge() -> Value {
    let met = name_of::<WebhookChallengeMet>();
    json!({
        "tags": ["webhooks"],
        "operationId": "receive_challenge",
        "summary": "This server asks whether deliveries are wanted here.",
        "description": "Sent when the owner asks for it. Answer with the challenge if you know the owner.",
        "security": [],
        "parameters": named_headers(),
        "requestBody": body(&name_of::<WebhookChallenge>(), "receive_challenge"),
        "responses": {
            "200": {
                "description": "Deliveries are wanted.",
                "content": {"application/json": with_example(&met, "receive_challenge", "/answers/200")},
            },
            "403": {"description": "Deliveries are not wanted, as by any answer without the challenge."},
        },
    })
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn body(schema: &str, operation: &str) -> Value {
    json!({"required": true, "content": {"application/json": with_example(schema, operation, "/request")}})
}

/// A schema with the part of what was seen of the operation.
fn with_example(schema: &str, operation: &str, part: &str) -> Value {
    let mut content = json!({"schema": reference(schema)});
    if let Some(example) = examples::of_receivers(operation).and_then(|seen| seen.pointer(part).cloned()) {
        content["example"] = example;
    }
    content
}

/// References to them among the components.
fn named_headers() -> Value {
    json!(headers().map(|header| json!({"$ref": format!("#/components/parameters/{}", header["name"].as_str().expect("a name"))})))
}

fn headers() -> [Value; 3] {
    let header = |name: &str, description: &str, schema: Value| json!({"name": name, "in": "header", "required": true, "description": description, "schema": schema});
    [
        header(ID_HEADER, "The same with every attempt: the event's id.", json!({"type": "string"})),
        header(
            TIMESTAMP_HEADER,
            "When this attempt was made, in seconds since 1970.",
            json!({"type": "integer", "format": "int64"}),
        ),
        header(
            SIGNATURE_HEADER,
            "`v1,` and a signature (HMAC-SHA256) over id, time and body; during a rotation two of them, with a space between.",
            json!({"type": "string"}),
        ),
    ]
}
