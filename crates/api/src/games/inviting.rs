//! Invitations.

use actix_web::{HttpResponse, post, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::Manager;
use crate::declared_headers::KeyHeader;
use crate::games::refusals::InviteProblems;
use crate::idempotency::CreationKey;
use crate::seat::{UnreadBody, Visible};
use pippost_accounts::{Accounts, EmailAddress, Handle, PlayerRequest};
use pippost_games::lobby::inviting::Invitee;
use pippost_games::{Games, lobby};
use pippost_http::json::not_null;
use pippost_http::peer::Peer;
use pippost_http::{Code, Problem};
use pippost_record::rules::schema::{self, named_schema};

/// An invitation by handle.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the document's only")]
pub struct InvitedHandleBody {
    /// The player's handle.
    #[schema(
        pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,30}[A-Za-z0-9]$",
        min_length = 2,
        max_length = 32,
        example = "bob"
    )]
    handle: String,
}

/// An invitation by address.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the document's only")]
pub struct InvitedAddressBody {
    /// An address, with or without an account.
    #[schema(max_length = 254, format = Email, example = "bob@example.org")]
    email: String,
}

/// The invited person: either `handle` or `email`.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct InvitationBody {
    #[serde(default, deserialize_with = "not_null")]
    pub handle: Option<String>,
    #[serde(default, deserialize_with = "not_null")]
    pub email: Option<String>,
}

named_schema!(
    InvitationBody,
    "InvitationBody",
    schema::one_of(
        [schema::name_of::<InvitedHandleBody>(), schema::name_of::<InvitedAddressBody>()],
        "The invited person: either `handle` or `email`.",
    ),
    with InvitedHandleBody, InvitedAddressBody
);

/// Invites somebody by mail to a game that waits for players.
///
/// Limits: 16 invitations to a game; a hundred of yours in a week to games that still wait.
#[utoipa::path(tag = "games", security(("token" = [Manager::SCOPE])), params(KeyHeader, ("id" = Uuid, Path)), request_body = InvitationBody, responses(
    (status = 202, description = "The invitation is on its way."),
    InviteProblems,
))]
#[post("/games/{id}/invitations")]
pub async fn invite(
    inviter: Visible<Manager>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    key: CreationKey,
    body: UnreadBody<InvitationBody>,
) -> actix_web::Result<HttpResponse> {
    let (game_id, player_id) = (inviter.game_id, inviter.account.player_id);
    accounts.count_request(PlayerRequest::Invite, player_id, peer.0).map_err(Problem::from)?;
    let body = body.read().await?;
    let key = key.with_body(&body);
    let invitee = invitee(body)?;
    if let Invitee::Address(address) = &invitee {
        accounts.check_address(address).map_err(Problem::from)?;
    }
    lobby::invite(&games, game_id, player_id, invitee, key.as_ref()).await.map_err(Problem::from)?;
    Ok(HttpResponse::Accepted().finish())
}

fn invitee(body: InvitationBody) -> Result<Invitee, Problem> {
    let invalid = |field: &str, why: String| {
        Problem::new(Code::InvalidValue).detail(format!("{field}: {why}")).with("field", field)
    };
    match (body.handle, body.email) {
        (Some(handle), None) => {
            let handle = Handle::parse(&handle).map_err(|error| invalid("handle", error.to_string()))?;
            Ok(Invitee::Player(handle))
        }
        (None, Some(email)) => {
            let email = EmailAddress::parse(&email).map_err(|error| invalid("email", error.to_string()))?;
            Ok(Invitee::Address(email))
        }
        _ => Err(Problem::new(Code::InvalidValue).detail("give either `handle` or `email`")),
    }
}
