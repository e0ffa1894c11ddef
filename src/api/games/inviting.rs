//! Invitations.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::{Accounts, EmailAddress, Handle, PlayerRequest};
use crate::api::access::Participant;
use crate::api::games::refusals::InviteProblems;
use crate::api::peer::Peer;
use crate::api::{Code, Problem};
use crate::games::lobby::inviting::Invitee;
use crate::games::{Games, lobby};

/// The invited person: either `handle` or `email`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationBody {
    /// The player's handle.
    #[schema(max_length = 32)]
    pub handle: Option<String>,
    /// An address, with or without an account.
    #[schema(max_length = 254)]
    pub email: Option<String>,
}

/// Invites somebody by mail to a game that waits for players.
///
/// Limits: 16 invitations to a game; a hundred of yours in a week to games that still wait; thirty at once, then one every two
/// minutes (sixty per network, then one a minute).
#[utoipa::path(tag = "games", security(("token" = [])), request_body = InvitationBody, responses(
    (status = 202, description = "The invitation is on its way."),
    InviteProblems,
))]
#[post("/games/{id}/invitations")]
pub async fn invite(
    account: Participant,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    body: web::Json<InvitationBody>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::Invite, account.player_id, peer.0)?;
    lobby::invite(&games, *id, account.player_id, invitee(body.into_inner())?).await?;
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
