//! Lists of games by index, newest first: ids of games grow with time. A list is one statement with as few tables as tell it, and the names
//! of its players. On a cluster it is planned on the coordinator and on each shard, which costs most.

mod filter;

use std::collections::HashMap;

use diesel::dsl::{AsSelect, SqlTypeOf};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment};
use diesel::sql_types::{Array, BigInt, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Topology;
use crate::database::Database;
use crate::error::StoreError;
use crate::games::{GameStatus, expiry_of};
use crate::named::fill;
use crate::numbers::Seq;
use crate::schema::{game_players, game_states, games, players};

pub use filter::{Filter, GamesOf, Hours, Order, Outcome, Whose};

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPage {
    pub rows: Vec<ListedRow>,
    /// Where the next page begins; none on the last.
    pub next_cursor: Option<Uuid>,
}

/// Declares what lists show of a game: columns of `games` (`g`), and of `game_states` (`s`) once it has started.
macro_rules! listed_columns {
    (games { $($(#[doc = $doc:literal])* $column:ident: $type:ty,)+ } states { $($state:ident: $state_type:ty,)+ }) => {
        /// What a list shows of a game, as `games` holds it.
        #[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
        #[diesel(table_name = games)]
        pub struct ListedColumns {
            $($(#[doc = $doc])* pub $column: $type,)+
        }

        /// How far a started game of a list is.
        #[derive(Clone, Debug, PartialEq, Eq, Queryable)]
        pub struct ListedState {
            $(pub $state: $state_type,)+
        }

        type StateColumns = ($(game_states::$state,)+);

        const COLUMNS: &str = concat!($("g.", stringify!($column), ", "),+, $("s.", stringify!($state), ", "),+);
    };
}

listed_columns! {
    games {
        id: Uuid,
        rules: String,
        options: String,
        status: GameStatus,
        private: bool,
        seats: i16,
        limit_hours: Option<i32>,
        time_control: Option<String>,
        /// Whether a seat that is given up may be taken by a substitute.
        substitutes: bool,
        created_at: OffsetDateTime,
        started_at: Option<OffsetDateTime>,
        finished_at: Option<OffsetDateTime>,
        expires_at: Option<OffsetDateTime>,
        awaits_until: Option<OffsetDateTime>,
        /// How it ended, as JSON.
        result: Option<String>,
        /// The title that its creator has given it.
        title: Option<String>,
        creator_id: Uuid,
        /// Present if another game of the same kind is opened for its creator, once it is finished.
        renews_at: Option<OffsetDateTime>,
    }
    states {
        seq: Seq,
        at: OffsetDateTime,
        to_act_seat: Option<i16>,
        to_act_player: Option<Uuid>,
        turn_since: Option<OffsetDateTime>,
        deadline_at: Option<OffsetDateTime>,
    }
}

/// A game of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRow {
    pub game: ListedColumns,
    /// `None` before the start.
    pub state: Option<ListedState>,
    /// In joining order.
    pub players: Vec<ListedMember>,
    /// By which the viewer names the game in mails.
    pub number: Option<i32>,
}

/// A player of a game of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedMember {
    pub id: Uuid,
    pub handle: String,
    pub bot: bool,
    pub seat: Option<i16>,
}

impl ListedRow {
    /// When it is cancelled if it has not started by then.
    #[must_use]
    pub fn expires_at(&self) -> Option<OffsetDateTime> {
        expiry_of(self.game.status, self.game.expires_at, self.game.awaits_until)
    }
}

const MEMBERS: &str = "
array(select m.player_id from game_players m where m.game_id = g.id order by m.joined),
array(select m.seat from game_players m where m.game_id = g.id order by m.joined),
(select m.number from game_players m where m.game_id = g.id and m.player_id = {viewer})";

const MEMBER: &str = "
from game_players l join games g on g.id = l.game_id left join game_states s on s.game_id = l.game_id where l.player_id = {player}";

const TO_ACT: &str = "
from game_states s join games g on g.id = s.game_id where s.to_act_player = {player}";

const AMONG: &str = "
from games g left join game_states s on s.game_id = g.id where g.id = any({games})";

const PUBLIC: &str = "
from games g left join game_states s on s.game_id = g.id where not g.private";

/// The statement of a list; its values by name. Its first table has an index in the order of the list, on each shard.
#[must_use]
pub fn statement(filter: &Filter) -> String {
    let (from, id, of_list) = match &filter.whose {
        Whose::Of(of) => (MEMBER, "l.game_id", of.conditions()),
        Whose::MyTurn { .. } => (TO_ACT, "s.game_id", String::new()),
        Whose::Among { .. } => (AMONG, "g.id", String::new()),
        Whose::OpenAmong { .. } => (AMONG, "g.id", " and g.status = {status}".to_owned()),
        Whose::Public { .. } => (PUBLIC, "g.id", " and g.status = {status}".to_owned()),
        Whose::SeatsOffered => (PUBLIC, "g.id", " and g.status = {status} and g.seats_offered".to_owned()),
    };
    let of_rules = filter.rules.as_ref().map_or("", |_| " and g.rules = {rules}");
    let of_hours = filter.hours.conditions();
    let only = filter.only.map_or(String::new(), |_| format!(" and {id} = {{only}}"));
    let (beyond, order) = match filter.order {
        Order::Newest => ("<", "desc"),
        Order::Oldest => (">", "asc"),
    };
    format!(
        "select {COLUMNS}{MEMBERS}{from}{of_list}{of_rules}{of_hours}{only} and {id} {beyond} {{cursor}} \
         order by {id} {order} limit {{limit}}"
    )
}

/// The statement with its values.
struct List<'a> {
    statement: String,
    filter: &'a Filter,
    player: Option<Uuid>,
    /// Nobody has the id nil. Citus plans no statement in which a null makes a join impossible.
    viewer: Uuid,
    of: Option<&'a GamesOf>,
    status: Option<GameStatus>,
    cursor: Uuid,
    limit: i64,
    /// A statement over all shards is planned by the values in it.
    is_prepared: bool,
}

type Row = (ListedColumns, Option<ListedState>, Vec<Uuid>, Vec<Option<i16>>, Option<i32>);

impl Query for List<'_> {
    type SqlType = (
        SqlTypeOf<AsSelect<ListedColumns, Pg>>,
        Nullable<SqlTypeOf<StateColumns>>,
        Array<SqlUuid>,
        Array<Nullable<SmallInt>>,
        Nullable<Integer>,
    );
}

impl diesel::query_builder::QueryId for List<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl QueryFragment<Pg> for List<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        if !self.is_prepared {
            out.unsafe_to_cache_prepared();
        }
        let times = |value: fn(&GamesOf) -> &Option<OffsetDateTime>| self.of.map_or(&None, value);
        fill(&self.statement, &mut out, |name, out| match name {
            "player" => out.push_bind_param::<Nullable<SqlUuid>, _>(&self.player),
            "viewer" => out.push_bind_param::<SqlUuid, _>(&self.viewer),
            "opponent" => {
                out.push_bind_param::<Nullable<SqlUuid>, _>(self.of.map_or(&None, |of| &of.opponent))
            }
            "most_hours" => out.push_bind_param::<Nullable<Integer>, _>(&self.filter.hours.most),
            "fewest_hours" => out.push_bind_param::<Nullable<Integer>, _>(&self.filter.hours.fewest),
            "games" => match &self.filter.whose {
                Whose::Among { game_ids } | Whose::OpenAmong { game_ids } => {
                    out.push_bind_param::<Array<SqlUuid>, _>(game_ids)
                }
                _ => unreachable!("no other list names games"),
            },
            "since" => out.push_bind_param::<Nullable<Timestamptz>, _>(times(|of| &of.since)),
            "until" => out.push_bind_param::<Nullable<Timestamptz>, _>(times(|of| &of.until)),
            "status" => out.push_bind_param::<Nullable<Text>, _>(&self.status),
            "rules" => out.push_bind_param::<Nullable<Text>, _>(&self.filter.rules),
            "only" => out.push_bind_param::<Nullable<SqlUuid>, _>(&self.filter.only),
            "cursor" => out.push_bind_param::<SqlUuid, _>(&self.cursor),
            "limit" => out.push_bind_param::<BigInt, _>(&self.limit),
            _ => unreachable!("the statement names no other value"),
        })
    }
}

/// A page of the games that match `filter`, at most `limit`, with the numbers by which `viewer` names them.
///
/// # Errors
/// The database failed.
pub async fn games(
    database: &Database,
    filter: &Filter,
    viewer: Option<Uuid>,
    limit: i64,
) -> Result<ListedPage, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let (player, of, status) = match &filter.whose {
        Whose::Of(of) => (Some(of.player_id), Some(of), of.status),
        Whose::MyTurn { player_id } => (Some(*player_id), None, None),
        Whose::Public { status } => (None, None, Some(*status)),
        Whose::SeatsOffered => (None, None, Some(GameStatus::Running)),
        Whose::Among { .. } => (None, None, None),
        Whose::OpenAmong { .. } => (None, None, Some(GameStatus::Open)),
    };
    let beginning = match filter.order {
        Order::Newest => Uuid::max(),
        Order::Oldest => Uuid::nil(),
    };
    let list = List {
        statement: statement(filter),
        filter,
        player,
        viewer: viewer.unwrap_or_default(),
        of,
        status,
        cursor: filter.cursor.unwrap_or(beginning),
        limit: limit + 1,
        is_prepared: database.topology() == Topology::Plain,
    };
    let mut rows: Vec<Row> = list.load(&mut connection).await?;
    let next_cursor = cut(&mut rows, limit, |(game, ..)| game.id);
    let mut members: Vec<Uuid> =
        rows.iter().flat_map(|(_, _, members, ..)| members.iter().copied()).collect();
    members.sort_unstable();
    members.dedup();
    let known = names(&mut connection, &members).await?;
    Ok(ListedPage { rows: rows.into_iter().map(|row| listed(row, &known)).collect(), next_cursor })
}

/// Handles of players, and which of them are programs.
type Names = HashMap<Uuid, (String, bool)>;

async fn names(connection: &mut AsyncPgConnection, ids: &[Uuid]) -> QueryResult<Names> {
    if ids.is_empty() {
        return Ok(Names::new());
    }
    let named = players::table.filter(players::id.eq_any(ids));
    let named: Vec<(Uuid, String, bool)> =
        named.select((players::id, players::handle, players::bot)).load(connection).await?;
    Ok(named.into_iter().map(|(id, handle, bot)| (id, (handle, bot))).collect())
}

fn listed((game, state, members, seats, number): Row, known: &Names) -> ListedRow {
    let member = |(id, seat): (Uuid, Option<i16>)| {
        let (handle, bot) = known.get(&id)?.clone();
        Some(ListedMember { id, handle, bot, seat })
    };
    let players = members.into_iter().zip(seats).filter_map(member).collect();
    ListedRow { game, state, players, number }
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

/// The game in which the player has to act first: the one with the earliest deadline; of those without one that which has waited
/// longest.
pub async fn most_urgent(database: &Database, player_id: Uuid) -> Result<Option<Uuid>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let first = game_states::table
        .filter(game_states::to_act_player.eq(player_id))
        .order((game_states::deadline_at.asc().nulls_last(), game_states::turn_since, game_states::game_id))
        .select(game_states::game_id);
    Ok(first.first(&mut connection).await.optional()?)
}

/// In how many games a player has to act, `limit` at most.
pub async fn count_turns(database: &Database, player_id: Uuid, limit: i64) -> Result<usize, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let turns = game_states::table
        .filter(game_states::to_act_player.eq(player_id))
        .select(game_states::game_id)
        .order(game_states::game_id.desc())
        .limit(limit);
    Ok(turns.load::<Uuid>(&mut connection).await?.len())
}

/// A finished game: its rules, how it ended as JSON, and the player's seat.
pub type Ended = (String, String, i16);

/// The newest finished public games that the player was in, at most `limit`.
pub async fn ended_of(database: &Database, player_id: Uuid, limit: i64) -> Result<Vec<Ended>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let ended = game_players::table
        .inner_join(games::table.on(games::id.eq(game_players::game_id)))
        .filter(game_players::player_id.eq(player_id))
        .filter(games::status.eq(GameStatus::Finished))
        .filter(games::private.eq(false))
        .filter(games::result.is_not_null())
        .filter(game_players::seat.is_not_null())
        .order(game_players::game_id.desc())
        .limit(limit)
        .select((games::rules, games::result.assume_not_null(), game_players::seat.assume_not_null()));
    Ok(ended.load(&mut connection).await?)
}

/// The two players' newest finished games for two, at most `limit`: how each ended as JSON, and the seat of the first. Both were in them,
/// so private ones are among them.
pub async fn ended_between(
    database: &Database,
    player_id: Uuid,
    other_id: Uuid,
    limit: i64,
) -> Result<Vec<(String, i16)>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let others = diesel::alias!(game_players as others);
    let of_other = others.field(game_players::game_id).eq(game_players::game_id);
    let ended = game_players::table
        .inner_join(games::table.on(games::id.eq(game_players::game_id)))
        .inner_join(others.on(of_other.and(others.field(game_players::player_id).eq(other_id))))
        .filter(game_players::player_id.eq(player_id))
        .filter(games::status.eq(GameStatus::Finished))
        .filter(games::seats.eq(2))
        .filter(games::result.is_not_null())
        .filter(game_players::seat.is_not_null())
        .order(game_players::game_id.desc())
        .limit(limit)
        .select((games::result.assume_not_null(), game_players::seat.assume_not_null()));
    Ok(ended.load(&mut connection).await?)
}
