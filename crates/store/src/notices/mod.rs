//! The outbox: notices are written with the facts they tell, claimed, sent and settled.

pub(crate) mod claiming;
mod kinds;
mod low_water;
mod rotation;
mod settling;
mod waiting;

use diesel::prelude::*;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::numbers::Seq;
use super::schema::notices;
use super::text_enum::text_enum;
use super::{Database, StoreError, Topology, citus};

pub use claiming::{AddressHolder, CLAIM, ClaimRequest, ClaimedNotice, RecipientPreferences, WAKE, claim};
pub use kinds::{MailKind, NoticeClass, NoticeKind};
pub use low_water::{LowWaterMarks, Slots};
pub use rotation::AccountRotation;
pub use settling::{SETTLE, SettledNotice, settle};
pub use waiting::{
    ADDRESSES, NoticeDetails, RELEASE, SERVER_FAULT, WAITING_BY_CLASS, WaitingClass, WaitingDomain,
    WaitingNotice, WaitsFor, by_class, by_domain, details, listed, release, release_one, release_to,
    server_fault,
};

text_enum! {
    "state of a notice",
    /// The state of a notice.
    pub enum NoticeState {
        Waiting = "waiting",
        Sent = "sent",
        /// Given up; the row says why.
        Failed = "failed",
        /// Not sent on purpose; the row says why.
        Skipped = "skipped",
    }
}

/// A notice to write. Exactly one of `player_id` and `address` is given.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = notices)]
pub struct NewNotice {
    pub id: Uuid,
    pub kind: NoticeKind,
    pub player_id: Option<Uuid>,
    pub address: Option<String>,
    pub game_id: Option<Uuid>,
    pub seq: Option<Seq>,
    pub link_id: Option<Uuid>,
    pub from_player_id: Option<Uuid>,
    pub created_at: OffsetDateTime,
    pub state: NoticeState,
    /// Whether it may be sent at once.
    pub ready: bool,
    pub next_attempt_at: OffsetDateTime,
}

impl NewNotice {
    /// A notice to a player, due at once.
    #[must_use]
    pub fn to_player(kind: NoticeKind, player_id: Uuid, now: OffsetDateTime) -> Self {
        Self {
            id: Uuid::now_v7(),
            kind,
            player_id: Some(player_id),
            address: None,
            game_id: None,
            seq: None,
            link_id: None,
            from_player_id: None,
            created_at: now,
            state: NoticeState::Waiting,
            ready: true,
            next_attempt_at: now,
        }
    }

    /// The same notice, carrying a mail link.
    #[must_use]
    pub fn with_link(mut self, link_id: Uuid) -> Self {
        self.link_id = Some(link_id);
        self
    }

    /// The same notice about event `seq` of a game.
    #[must_use]
    pub fn with_event(mut self, game_id: Uuid, seq: Seq) -> Self {
        (self.game_id, self.seq) = (Some(game_id), Some(seq));
        self
    }

    /// Tells a player that a game has expired.
    #[must_use]
    pub fn game_expired(player_id: Uuid, game_id: Uuid, now: OffsetDateTime) -> Self {
        Self { game_id: Some(game_id), ..Self::to_player(NoticeKind::GameExpired, player_id, now) }
    }

    /// Invites a player to a game.
    #[must_use]
    pub fn invitation(player_id: Uuid, game_id: Uuid, from_player_id: Uuid, now: OffsetDateTime) -> Self {
        let (game_id, from_player_id) = (Some(game_id), Some(from_player_id));
        Self { game_id, from_player_id, ..Self::to_player(NoticeKind::Invitation, player_id, now) }
    }

    /// Tells a player of somebody's wish that belongs to no game.
    #[must_use]
    pub fn of_wish(kind: NoticeKind, player_id: Uuid, from_player_id: Uuid, now: OffsetDateTime) -> Self {
        Self { from_player_id: Some(from_player_id), ..Self::to_player(kind, player_id, now) }
    }

    /// Invites somebody without an account to a game.
    #[must_use]
    pub fn invitation_to_address(
        address: String,
        game_id: Uuid,
        from_player_id: Uuid,
        now: OffsetDateTime,
    ) -> Self {
        let mut notice = Self::invitation(from_player_id, game_id, from_player_id, now);
        (notice.player_id, notice.address) = (None, Some(address));
        notice
    }
}

/// Takes the notices that moves have written where their games live, on a cluster. What was not taken is taken the next time.
///
/// # Errors
/// The database failed.
pub async fn collect(database: &Database) -> Result<usize, StoreError> {
    match database.topology() {
        Topology::Plain => Ok(0),
        Topology::Citus => citus::collecting::collect(database).await,
    }
}

/// Writes notices inside the transaction of the fact they tell.
pub async fn insert(connection: &mut AsyncPgConnection, new: &[NewNotice]) -> QueryResult<()> {
    diesel::insert_into(notices::table).values(new).execute(connection).await?;
    Ok(())
}

/// Lets the waiting notices of a player about a game be told no more: a substitute has taken the player's seat.
pub async fn skip_of_game(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<usize> {
    let waiting = notices::table
        .filter(notices::player_id.eq(player_id).and(notices::game_id.eq(game_id)))
        .filter(notices::state.eq(NoticeState::Waiting));
    let told = (
        notices::state.eq(NoticeState::Skipped),
        notices::finished_at.eq(now),
        notices::reason.eq("a substitute has taken the seat"),
    );
    diesel::update(waiting).set(told).execute(connection).await
}

/// Writes one notice.
pub async fn add(database: &Database, new: &NewNotice) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    Ok(insert(&mut connection, std::slice::from_ref(new)).await?)
}

/// The number of notices of a kind to a player since `since`.
pub async fn count_since(
    database: &Database,
    player_id: Uuid,
    kind: NoticeKind,
    about: Option<Uuid>,
    since: OffsetDateTime,
) -> Result<i64, StoreError> {
    let mut connection = database.get().await?;
    let mut recent = notices::table
        .filter(notices::player_id.eq(player_id))
        .filter(notices::kind.eq(kind))
        .filter(notices::created_at.gt(since))
        .into_boxed();
    if let Some(game_id) = about {
        recent = recent.filter(notices::game_id.eq(game_id));
    }
    Ok(recent.count().get_result(&mut connection).await?)
}

/// What a notice was about, possibly long after it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct NoticeAbout {
    pub kind: NoticeKind,
    /// `None` if it went to an address that has no player.
    pub player_id: Option<Uuid>,
    pub address: Option<String>,
    /// Who invites.
    pub from_player_id: Option<Uuid>,
}

/// The notice with this id.
pub async fn about(database: &Database, id: Uuid) -> Result<Option<NoticeAbout>, StoreError> {
    let mut connection = database.get().await?;
    let found = notices::table.find(id).select((
        notices::kind,
        notices::player_id,
        notices::address,
        notices::from_player_id,
    ));
    Ok(found.first(&mut connection).await.optional()?)
}
