//! Inviting players by mail to a game that has not started.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use time::Duration;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::lobby::idempotency;
use crate::lobby::leaving::expect_open;
use crate::lobby::listing::{self, ListedGame};
use crate::viewing::view::{self, Requester};
use crate::viewing::visibility;
use pippost_accounts::{EmailAddress, Handle, email_keys};
use pippost_record::record::Timestamp;
use pippost_store::invitations::Queued;
use pippost_store::lists::{Filter, Whose};
use pippost_store::notices::NewNotice;
use pippost_store::stored_responses::{Once, RequestKey};
use pippost_store::{games, invitations, players};

/// The most invitations for one game.
pub const MAX_INVITATIONS: i64 = 16;

/// The most invitations of one player to games that have not started …
pub const MAX_INVITATIONS_WAITING: i64 = 100;

/// The most invitations to one mailbox by its address within the same time, of all players. Whoever has no account never agreed to any.
pub const MAX_INVITATIONS_TO_A_STRANGER: i64 = 3;

/// The most to one player within the same time; beyond it go out those of whoever has met the player in a game.
pub const MAX_INVITATIONS_OF_STRANGERS: i64 = 10;

/// … counted for so long.
const INVITATION_WINDOW: Duration = Duration::WEEK;

/// The invited player or address.
#[derive(Clone, Debug)]
pub enum Invitee {
    Player(Handle),
    Address(EmailAddress),
}

/// Queues an invitation. The response does not show whether an address has an account; its owner is invited as a player if
/// so. Nor does it show whether the invitation goes out: a person gets one for a game, few in a week of people never met, and none of an
/// inviter whom they blocked.
///
/// # Errors
/// No such game for this player, it has started, no such player, already in it, the inviting player's address is not
/// confirmed, or too many invitations.
pub async fn invite(
    games: &Games,
    game_id: Uuid,
    from_player_id: Uuid,
    invitee: Invitee,
    key: Option<&RequestKey>,
) -> Result<(), GameError> {
    if idempotency::done_before(games, key, from_player_id).await?.is_some() {
        return Ok(());
    }
    visibility::expect_visible(games, game_id, &Requester::player(from_player_id)).await?;
    let database = &games.database;
    let whole = games::load(database, game_id).await?.ok_or(GameError::NotFound)?;
    let member = |player_id: Uuid| whole.members.iter().any(|member| member.player_id == player_id);
    if !member(from_player_id) {
        return Err(if whole.game.private { GameError::NotFound } else { GameError::NotJoined });
    }
    expect_open(whole.game.status)?;
    let from = players::player_by_id(database, from_player_id).await?.ok_or(GameError::NotFound)?;
    if from.email_confirmed_at.is_none() {
        return Err(GameError::AddressNotConfirmed);
    }
    let now = games.inner.clock.now();
    let mailbox_key = match &invitee {
        Invitee::Player(_) => None,
        Invitee::Address(address) => Some(address.mailbox_key()),
    };
    let notice = match invitee {
        Invitee::Player(handle) => {
            let player = players::player_by_handle(database, handle.key()).await?;
            let player = player.ok_or_else(|| GameError::UnknownPlayer(handle.as_typed().to_owned()))?;
            if member(player.id) {
                return Err(GameError::AlreadyJoined);
            }
            NewNotice::invitation(player.id, game_id, from_player_id, now)
        }
        Invitee::Address(address) => match players::email_holder(database, &email_keys(address.as_str()))
            .await?
        {
            Some(player_id) => NewNotice::invitation(player_id, game_id, from_player_id, now),
            None => {
                NewNotice::invitation_to_address(address.as_str().to_owned(), game_id, from_player_id, now)
            }
        },
    };
    let bounds = invitations::Bounds {
        of_game: MAX_INVITATIONS,
        of_player: MAX_INVITATIONS_WAITING,
        since: now - INVITATION_WINDOW,
        of_mailbox: MAX_INVITATIONS_TO_A_STRANGER,
        of_invited: MAX_INVITATIONS_OF_STRANGERS,
    };
    let new = invitations::NewInvitation {
        notice: &notice,
        game_id,
        from_player_id,
        mailbox_key: mailbox_key.as_deref(),
    };
    let stored = idempotency::to_store(key, from_player_id, game_id);
    match invitations::queue(database, &new, &bounds, stored.as_ref()).await? {
        Once::Now(Queued::Done) => {}
        Once::Now(Queued::GameHasEnough) => return Err(GameError::TooManyInvitations),
        Once::Now(Queued::PlayerHasEnough) => return Err(GameError::TooManyInvitationsWait),
        Once::Before(before) => return idempotency::stored_id(before, key).map(drop),
    }
    games.inner.outbox_signal.notify();
    Ok(())
}

/// The newest invitations that a list looks at.
const MAX_LISTED: i64 = 100;

/// An invitation to a game that waits for players.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReceivedInvitation {
    /// The handle of who invites you.
    pub from: String,
    #[schema(value_type = String, format = DateTime)]
    pub invited_at: Timestamp,
    /// What `POST /games/{id}/join` takes for a private game.
    pub invitation: String,
    pub game: ListedGame,
}

/// The invitations of a player that wait for an answer, newest first: the games are open, and the player has neither joined nor
/// declined.
///
/// # Errors
/// The database failed.
pub async fn received(games: &Games, player_id: Uuid) -> Result<Vec<ReceivedInvitation>, GameError> {
    let mut received = invitations::received(&games.database, player_id, MAX_LISTED).await?;
    let mut seen = HashSet::new();
    received.retain(|row| seen.insert(row.game_id));
    let game_ids = received.iter().map(|row| row.game_id).collect();
    let filter = Filter::all(Whose::OpenAmong { game_ids });
    let page = listing::list(games, &filter, Some(player_id), listing::MAX_PAGE).await?;
    let open = page.games.into_iter().filter(|game| game.number.is_none());
    let mut open: HashMap<Uuid, ListedGame> = open.map(|game| (game.id, game)).collect();
    let told = received.into_iter().filter_map(|row| {
        let game = open.remove(&row.game_id)?;
        let invitation = view::invitation(games, row.game_id);
        Some(ReceivedInvitation { from: row.from, invited_at: Timestamp::new(row.at), invitation, game })
    });
    Ok(told.collect())
}

/// Declines an invitation: it is not listed any more. The inviter is not told.
///
/// # Errors
/// There is none, or the database failed.
pub async fn decline(games: &Games, game_id: Uuid, player_id: Uuid) -> Result<(), GameError> {
    let now = games.inner.clock.now();
    let declined = invitations::decline(&games.database, player_id, game_id, now).await?;
    if declined { Ok(()) } else { Err(GameError::NotFound) }
}
