//! Lists of games by index, newest first: ids of games grow with time.

pub mod on_shards;

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::games::{GameStatus, expiry_of, members_of};
use super::numbers::Seq;
use super::schema::{game_players, game_states, games};

/// The filter of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub whose: Whose,
    pub rules: Option<String>,
    /// Only games after this one in the list.
    pub cursor: Option<Uuid>,
    /// Only this game.
    pub only: Option<Uuid>,
}

/// The kinds of lists; each has an index of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Games that the player is in, with that status if one is given.
    Mine { player_id: Uuid, status: Option<GameStatus> },
    /// Games in which the player is to act.
    MyTurn { player_id: Uuid },
    /// Public games that the player is in.
    PublicOf { player_id: Uuid },
    /// Public games with that status.
    Public { status: GameStatus },
    /// Public running games with a seat for a substitute.
    SeatsOffered,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPage {
    pub rows: Vec<ListedRow>,
    /// Where the next page begins; none on the last.
    pub next_cursor: Option<Uuid>,
}

/// Declares the columns of games that lists show, for both kinds of databases.
macro_rules! listed_columns {
    ($($(#[doc = $doc:literal])* $column:ident: $type:ty,)+) => {
        /// What a list shows of a game, as `games` holds it.
        #[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, QueryableByName)]
        #[diesel(table_name = games)]
        pub struct ListedColumns {
            $($(#[doc = $doc])* pub $column: $type,)+
        }

        /// The columns in a statement that names `games` `g`.
        const COLUMNS: &str = concat!($("g.", stringify!($column), ", "),+);
    };
}

listed_columns! {
    id: Uuid,
    rules: String,
    status: GameStatus,
    private: bool,
    seats: i16,
    limit_hours: Option<i32>,
    time_control: Option<String>,
    /// Whether a seat that is given up may be taken by a substitute.
    substitutes: bool,
    created_at: OffsetDateTime,
    expires_at: Option<OffsetDateTime>,
    awaits_until: Option<OffsetDateTime>,
}

/// Whose turn it is in a started game of a list.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct ListedState {
    pub seq: Seq,
    pub to_act_seat: Option<i16>,
    pub to_act_player: Option<Uuid>,
    pub deadline_at: Option<OffsetDateTime>,
}

/// A game of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRow {
    pub game: ListedColumns,
    /// `None` before the start.
    pub state: Option<ListedState>,
    /// Handles in joining order.
    pub players: Vec<String>,
    /// The handles of those that are programs.
    pub bots: Vec<String>,
}

impl ListedRow {
    /// When it is cancelled if it has not started by then.
    #[must_use]
    pub fn expires_at(&self) -> Option<OffsetDateTime> {
        expiry_of(self.game.status, self.game.expires_at, self.game.awaits_until)
    }
}

/// A page of the games that match `filter`, at most `limit`.
///
/// # Errors
/// The database failed.
pub async fn games(database: &Database, filter: &Filter, limit: i64) -> Result<ListedPage, StoreError> {
    if database.topology().is_citus() {
        return on_shards::games(database, filter, limit).await;
    }
    in_one_place(database, filter, limit).await
}

/// The same where all tables are in one place.
///
/// # Errors
/// As [`games`].
pub async fn in_one_place(
    database: &Database,
    filter: &Filter,
    limit: i64,
) -> Result<ListedPage, StoreError> {
    let mut connection = database.get().await?;
    let state =
        (game_states::seq, game_states::to_act_seat, game_states::to_act_player, game_states::deadline_at);
    let mut query = games::table
        .left_join(game_states::table.on(game_states::game_id.eq(games::id)))
        .order(games::id.desc())
        .limit(limit + 1)
        .select((ListedColumns::as_select(), state.nullable()))
        .into_boxed();
    query = match &filter.whose {
        Whose::Mine { player_id, status } => {
            let membership = game_players::table
                .filter(game_players::game_id.eq(games::id))
                .filter(game_players::player_id.eq(*player_id));
            let mine = query.filter(exists(membership));
            match status {
                Some(status) => mine.filter(games::status.eq(*status)),
                None => mine,
            }
        }
        Whose::PublicOf { player_id } => {
            let membership = game_players::table
                .filter(game_players::game_id.eq(games::id))
                .filter(game_players::player_id.eq(*player_id));
            query.filter(exists(membership)).filter(diesel::dsl::not(games::private))
        }
        Whose::MyTurn { player_id } => query.filter(game_states::to_act_player.eq(*player_id)),
        Whose::SeatsOffered => query
            .filter(games::seats_offered)
            .filter(games::status.eq(GameStatus::Running))
            .filter(diesel::dsl::not(games::private)),
        Whose::Public { status } => {
            query.filter(games::status.eq(*status)).filter(diesel::dsl::not(games::private))
        }
    };
    if let Some(rules) = &filter.rules {
        query = query.filter(games::rules.eq(rules));
    }
    if let Some(cursor) = filter.cursor {
        query = query.filter(games::id.lt(cursor));
    }
    if let Some(only) = filter.only {
        query = query.filter(games::id.eq(only));
    }
    let mut found: Vec<(ListedColumns, Option<ListedState>)> = query.load(&mut connection).await?;
    let next_cursor = cut(&mut found, limit, |(game, _)| game.id);
    let ids: Vec<Uuid> = found.iter().map(|(game, _)| game.id).collect();
    let members = members_of(&mut connection, &ids).await?;
    let of_game = |id: Uuid| members.iter().filter(move |member| member.game_id == id);
    let rows = found.into_iter().map(|(game, state)| {
        let players = of_game(game.id).map(|member| member.handle.clone()).collect();
        let bots = of_game(game.id).filter(|member| member.bot).map(|member| member.handle.clone()).collect();
        ListedRow { game, state, players, bots }
    });
    Ok(ListedPage { rows: rows.collect(), next_cursor })
}

/// Leaves out what is more than `limit`; where the next page begins then.
fn cut<T>(found: &mut Vec<T>, limit: i64, id: impl Fn(&T) -> Uuid) -> Option<Uuid> {
    let limit = usize::try_from(limit).unwrap_or_default();
    let more = found.len() > limit;
    found.truncate(limit);
    found.last().map(id).filter(|_| more)
}

/// Ids and rules of the started games that the player is in, newest first, after `cursor`.
pub async fn started_of(
    database: &Database,
    player_id: Uuid,
    cursor: Option<Uuid>,
    limit: i64,
) -> Result<Vec<(Uuid, String)>, StoreError> {
    let mut connection = database.get().await?;
    let mut query = game_players::table
        .inner_join(games::table.on(games::id.eq(game_players::game_id)))
        .filter(game_players::player_id.eq(player_id))
        .filter(games::header.is_not_null())
        .order(game_players::game_id.desc())
        .limit(limit)
        .select((games::id, games::rules))
        .into_boxed();
    if let Some(cursor) = cursor {
        query = query.filter(game_players::game_id.lt(cursor));
    }
    Ok(query.load(&mut connection).await?)
}
