//! Webhooks: addresses of programs that are told of the events of a player's games. `webhook_claims` has what delivers.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::numbers::{FeedPosition, Seq};
use super::schema::{
    game_players, game_states, games, players, webhook_messages, webhook_tournament_events, webhooks,
};
use super::stored_responses::{self, NewStoredResponse, Once};
use super::text_enum::text_enum;
use super::webhook_managers::{Holder, Manager, forget_grants, is_in_force, managed_by};

text_enum! {
    "state of a webhook",
    /// Whether anything is delivered.
    pub enum WebhookState {
        /// Nothing but challenges until one is met.
        Unverified = "unverified",
        Active = "active",
        /// It failed for three days, ten times at least, or its address is gone; or its player disabled it, and `failing_since` is null.
        /// A challenge that is met makes it active again.
        Disabled = "disabled",
    }
}

text_enum! {
    "format of a webhook",
    /// What the body of a delivery looks like.
    #[derive(Default)]
    pub enum WebhookFormat {
        /// JSON with the event, signed.
        #[default]
        Standard = "standard",
        /// A message for a channel of Discord.
        Discord = "discord",
        /// A message for a channel of Slack.
        Slack = "slack",
    }
}

text_enum! {
    "kind of a webhook's events",
    /// Which events a webhook is told of. An event of several kinds is told once, as the first of these that the webhook wants.
    pub enum WebhookKind {
        /// The last event of a game.
        GameOver = "game_over",
        /// The first event of a game.
        GameStarted = "game_started",
        /// An event of others after which the player is to act.
        Turn = "turn",
        /// Every event.
        Event = "event",
        /// No event: others have written at the table.
        Message = "message",
        /// No event of a game: something has happened in a tournament that the player is in, or organises.
        Tournament = "tournament",
    }
}

/// A webhook as its player sees it.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = webhooks)]
pub struct WebhookRow {
    pub id: Uuid,
    pub player_id: Uuid,
    pub url_sealed: Vec<u8>,
    pub format: WebhookFormat,
    pub kinds: Vec<WebhookKind>,
    pub game_id: Option<Uuid>,
    pub state: WebhookState,
    pub created_at: OffsetDateTime,
    pub secret_sealed: Vec<u8>,
    pub previous_secret_sealed: Option<Vec<u8>>,
    pub previous_until: Option<OffsetDateTime>,
    pub cursor: FeedPosition,
    pub failing_since: Option<OffsetDateTime>,
    pub look_at: OffsetDateTime,
}

/// A webhook to write.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = webhooks)]
pub struct NewWebhook {
    pub id: Uuid,
    pub player_id: Uuid,
    pub grant_id: Option<Uuid>,
    pub token_id: Option<Uuid>,
    pub url_sealed: Vec<u8>,
    pub format: WebhookFormat,
    pub kinds: Vec<WebhookKind>,
    pub game_id: Option<Uuid>,
    pub state: WebhookState,
    pub created_at: OffsetDateTime,
    pub secret_sealed: Vec<u8>,
    pub cursor: FeedPosition,
    pub look_at: OffsetDateTime,
}

/// What is to be changed; `None` stays as it is.
#[derive(Clone, Debug, Default, AsChangeset)]
#[diesel(table_name = webhooks)]
#[allow(clippy::option_option, reason = "null and unchanged are two things")]
pub struct WebhookChange {
    pub url_sealed: Option<Vec<u8>>,
    pub format: Option<WebhookFormat>,
    pub kinds: Option<Vec<WebhookKind>>,
    pub game_id: Option<Option<Uuid>>,
    pub cursor: Option<FeedPosition>,
}

/// The outcome of registering a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisteredWebhook {
    Done,
    /// The player has as many webhooks as a player may have.
    TooMany,
    /// The player's e-mail address is not confirmed.
    AddressNotConfirmed,
    /// What the request was sent with has been revoked in the meantime.
    Ended,
}

/// Writes a webhook, unless its player has `limit` of them already or has not confirmed an e-mail address, or its holder has ended.
///
/// # Errors
/// The database failed.
pub async fn insert(
    database: &Database,
    new: &NewWebhook,
    holder: Holder,
    limit: i64,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<RegisteredWebhook>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let inserted = connection.transaction::<Once<RegisteredWebhook>, StoreError, _>(async |connection| {
        // Whoever holds the player's row counts alone.
        let player = players::table.find(new.player_id).select(players::email_confirmed_at).for_update();
        let confirmed_at = player.first::<Option<OffsetDateTime>>(connection).await?;
        if let Some(before) = stored_responses::take(connection, stored, new.created_at).await? {
            return Ok(Once::Before(before));
        }
        let ours = webhooks::table.filter(webhooks::player_id.eq(new.player_id));
        let refused = if !is_in_force(connection, holder).await? {
            Some(RegisteredWebhook::Ended)
        } else if confirmed_at.is_none() {
            Some(RegisteredWebhook::AddressNotConfirmed)
        } else if ours.count().get_result::<i64>(connection).await? >= limit {
            Some(RegisteredWebhook::TooMany)
        } else {
            None
        };
        if let Some(refused) = refused {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(refused));
        }
        diesel::insert_into(webhooks::table).values(new).execute(connection).await?;
        Ok(Once::Now(RegisteredWebhook::Done))
    });
    inserted.await
}

/// The webhooks that a manager manages, oldest first.
///
/// # Errors
/// The database failed.
pub async fn list(database: &Database, manager: &Manager) -> Result<Vec<WebhookRow>, StoreError> {
    let ours = webhooks::table.filter(managed_by!(manager)).order(webhooks::id);
    Ok(ours.select(WebhookRow::as_select()).load(&mut database.get().await?).await?)
}

/// One webhook of a manager.
///
/// # Errors
/// The database failed.
pub async fn find(
    database: &Database,
    manager: &Manager,
    id: Uuid,
) -> Result<Option<WebhookRow>, StoreError> {
    let ours = webhooks::table.find(id).filter(managed_by!(manager));
    Ok(ours.select(WebhookRow::as_select()).first(&mut database.get().await?).await.optional()?)
}

/// Changes a webhook of a manager; `None` if there is no such webhook. With another address or format it has to be verified anew. What
/// the claim's holder still writes does not count, but others claim it no sooner than otherwise: a failure that is under way is tried
/// again after the lease, so changes cannot be used to send without end.
///
/// # Errors
/// The database failed.
pub async fn change(
    database: &Database,
    manager: &Manager,
    id: Uuid,
    change: &WebhookChange,
    is_enabled: Option<bool>,
    now: OffsetDateTime,
) -> Result<Option<WebhookRow>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let changed = connection.transaction::<Option<WebhookRow>, StoreError, _>(async |connection| {
        let ours = || webhooks::table.find(id).filter(managed_by!(manager));
        // A failing webhook waits on, or changes could be used to send without end.
        let soon = ours().filter(webhooks::failing_since.is_null());
        diesel::update(soon).set(webhooks::look_at.eq(now)).execute(connection).await?;
        let set = (change, webhooks::lease.eq(None::<Uuid>));
        let changed = diesel::update(ours()).set(set).execute(connection).await?;
        if changed == 0 {
            return Ok(None);
        }
        if let Some(is_enabled) = is_enabled {
            switch(connection, id, is_enabled).await?;
        }
        if change.kinds.as_ref().is_some_and(|kinds| !kinds.contains(&WebhookKind::Message)) {
            let of_webhook = webhook_messages::table.filter(webhook_messages::webhook_id.eq(id));
            diesel::delete(of_webhook).execute(connection).await?;
        }
        if change.kinds.as_ref().is_some_and(|kinds| !kinds.contains(&WebhookKind::Tournament)) {
            let of_webhook =
                webhook_tournament_events::table.filter(webhook_tournament_events::webhook_id.eq(id));
            diesel::delete(of_webhook).execute(connection).await?;
        }
        if change.url_sealed.is_some() || change.format.is_some() {
            unverify(connection, id).await?;
        }
        Ok(Some(webhooks::table.find(id).select(WebhookRow::as_select()).first(connection).await?))
    });
    changed.await
}

/// Switches an active webhook off, or on again. One that its player has switched off has not failed, which tells it from others.
/// Failures stay counted, so the next one is not tried again sooner for it.
async fn switch(connection: &mut AsyncPgConnection, id: Uuid, is_enabled: bool) -> QueryResult<()> {
    use WebhookState::{Active, Disabled};
    let (from, to) = if is_enabled { (Disabled, Active) } else { (Active, Disabled) };
    let switched = webhooks::table
        .find(id)
        .filter(webhooks::state.eq(from))
        .filter(webhooks::failing_since.is_null().or(webhooks::state.eq(Active)));
    let set = (webhooks::state.eq(to), webhooks::failing_since.eq(None::<OffsetDateTime>));
    diesel::update(switched).set(set).execute(connection).await?;
    Ok(())
}

async fn unverify(connection: &mut AsyncPgConnection, id: Uuid) -> QueryResult<()> {
    let set = (
        webhooks::state.eq(WebhookState::Unverified),
        webhooks::challenge_hash.eq(None::<Vec<u8>>),
        webhooks::challenge_until.eq(None::<OffsetDateTime>),
        webhooks::failures.eq(0_i16),
        webhooks::failing_since.eq(None::<OffsetDateTime>),
    );
    diesel::update(webhooks::table.find(id)).set(set).execute(connection).await?;
    Ok(())
}

/// Removes a webhook of a manager; false if there is none.
///
/// # Errors
/// The database failed.
pub async fn remove(database: &Database, manager: &Manager, id: Uuid) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let removed = connection.transaction::<bool, StoreError, _>(async |connection| {
        let ours = webhooks::table.find(id).filter(managed_by!(manager));
        let removed = diesel::delete(ours).returning(webhooks::grant_id);
        let Some(grant_id) = removed.get_result::<Option<Uuid>>(connection).await.optional()? else {
            return Ok(false);
        };
        forget_grants(connection, grant_id.as_slice()).await?;
        Ok(true)
    });
    removed.await
}

/// Gives a webhook another secret; the one that it had signs as well until `until`. The outcome is `None` if there is no such webhook.
///
/// # Errors
/// The database failed.
pub async fn rotate(
    database: &Database,
    (manager, id): (&Manager, Uuid),
    secret_sealed: &[u8],
    until: OffsetDateTime,
    stored: Option<&NewStoredResponse>,
    now: OffsetDateTime,
) -> Result<Once<Option<()>>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let rotated = connection.transaction::<Once<Option<()>>, StoreError, _>(async |connection| {
        let ours = || webhooks::table.find(id).filter(managed_by!(manager));
        let current = ours().select(webhooks::secret_sealed).for_update();
        let current: Option<Vec<u8>> = current.first(connection).await.optional()?;
        let Some(current) = current else { return Ok(Once::Now(None)) };
        if let Some(before) = stored_responses::take(connection, stored, now).await? {
            return Ok(Once::Before(before));
        }
        let set = (
            webhooks::secret_sealed.eq(secret_sealed),
            webhooks::previous_secret_sealed.eq(Some(current)),
            webhooks::previous_until.eq(Some(until)),
        );
        diesel::update(ours()).set(set).execute(connection).await?;
        Ok(Once::Now(Some(())))
    });
    rotated.await
}

/// Keeps the hash of the challenge that is about to be sent to the address and in the format of `row`; false, and nothing is kept, if it
/// has another address or format now, or was removed. An address is sealed differently each time.
///
/// # Errors
/// The database failed.
pub async fn set_challenge(
    database: &Database,
    row: &WebhookRow,
    hash: &[u8],
    until: OffsetDateTime,
) -> Result<bool, StoreError> {
    let same = webhooks::table
        .find(row.id)
        .filter(webhooks::url_sealed.eq(&row.url_sealed))
        .filter(webhooks::format.eq(row.format));
    let set = (webhooks::challenge_hash.eq(Some(hash)), webhooks::challenge_until.eq(Some(until)));
    Ok(diesel::update(same).set(set).execute(&mut database.get().await?).await? > 0)
}

/// Makes a webhook active if that is the challenge that was sent to it last; false otherwise. Delivery goes on where it stopped.
///
/// # Errors
/// The database failed.
pub async fn verify(
    database: &Database,
    id: Uuid,
    challenge_hash: &[u8],
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let challenged = webhooks::table
        .find(id)
        .filter(webhooks::challenge_hash.eq(challenge_hash))
        .filter(webhooks::challenge_until.gt(now));
    let set = (
        webhooks::state.eq(WebhookState::Active),
        webhooks::challenge_hash.eq(None::<Vec<u8>>),
        webhooks::challenge_until.eq(None::<OffsetDateTime>),
        webhooks::failures.eq(0_i16),
        webhooks::failing_since.eq(None::<OffsetDateTime>),
        webhooks::look_at.eq(now),
    );
    Ok(diesel::update(challenged).set(set).execute(&mut database.get().await?).await? > 0)
}

/// A seat of a started game.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct SeatedPlayer {
    pub game_id: Uuid,
    pub rules: String,
    pub rules_version: i32,
    pub player_id: Uuid,
    pub seat: i16,
    pub handle: String,
}

/// The seats of some games, in order.
///
/// # Errors
/// The database failed.
pub async fn seats_of(database: &Database, game_ids: &[Uuid]) -> Result<Vec<SeatedPlayer>, StoreError> {
    let seats = game_players::table
        .inner_join(games::table.on(games::id.eq(game_players::game_id)))
        .inner_join(players::table.on(players::id.eq(game_players::player_id)))
        .filter(game_players::game_id.eq_any(game_ids).and(game_players::seat.is_not_null()))
        .order((game_players::game_id, game_players::seat))
        .select((
            game_players::game_id,
            games::rules,
            games::rules_version,
            game_players::player_id,
            game_players::seat.assume_not_null(),
            players::handle,
        ));
    Ok(seats.load(&mut database.get_for_all_nodes().await?).await?)
}

/// The newest event of each of these games.
///
/// # Errors
/// The database failed.
pub async fn newest_events(database: &Database, game_ids: &[Uuid]) -> Result<Vec<(Uuid, Seq)>, StoreError> {
    let newest = game_states::table
        .filter(game_states::game_id.eq_any(game_ids))
        .select((game_states::game_id, game_states::seq));
    Ok(newest.load(&mut database.get_for_all_nodes().await?).await?)
}

/// Whether a player is in a game.
///
/// # Errors
/// The database failed.
pub async fn is_in_game(database: &Database, player_id: Uuid, game_id: Uuid) -> Result<bool, StoreError> {
    let place = game_players::table.find((game_id, player_id)).select(game_players::game_id);
    Ok(place.first::<Uuid>(&mut database.get().await?).await.optional()?.is_some())
}

/// The sealed address of the webhook that a notice tells of, with its id and since when it failed.
///
/// # Errors
/// The database failed.
pub async fn disabled_by(
    database: &Database,
    notice_id: Uuid,
) -> Result<Option<(Uuid, Vec<u8>, Option<OffsetDateTime>)>, StoreError> {
    let told = webhooks::table
        .filter(webhooks::notice_id.eq(notice_id))
        .filter(webhooks::state.eq(WebhookState::Disabled))
        .select((webhooks::id, webhooks::url_sealed, webhooks::failing_since));
    Ok(told.first(&mut database.get().await?).await.optional()?)
}
