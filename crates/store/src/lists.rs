//! Lists of games by index, newest first: ids of games grow with time. A list is one statement with as few tables as tell it, and the names
//! of its players. On a cluster it is planned on the coordinator and on each shard, which costs most.

use std::collections::HashMap;

use diesel::dsl::{AsSelect, SqlTypeOf};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment};
use diesel::sql_types::{Array, BigInt, Nullable, Text, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::Topology;
use super::database::Database;
use super::error::StoreError;
use super::games::{GameStatus, expiry_of};
use super::named::fill;
use super::numbers::Seq;
use super::schema::{game_players, game_states, games, players};

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

/// Declares what lists show of a game: columns of `games` (`g`), and of `game_states` (`s`) once it has started.
macro_rules! listed_columns {
    (games { $($(#[doc = $doc:literal])* $column:ident: $type:ty,)+ } states { $($state:ident: $state_type:ty,)+ }) => {
        /// What a list shows of a game, as `games` holds it.
        #[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
        #[diesel(table_name = games)]
        pub struct ListedColumns {
            $($(#[doc = $doc])* pub $column: $type,)+
        }

        /// Whose turn it is in a started game of a list.
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
    states {
        seq: Seq,
        to_act_seat: Option<i16>,
        to_act_player: Option<Uuid>,
        deadline_at: Option<OffsetDateTime>,
    }
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

const MEMBERS: &str =
    "array(select m.player_id from game_players m where m.game_id = g.id order by m.joined)";

const MEMBER: &str = "
from game_players l join games g on g.id = l.game_id left join game_states s on s.game_id = l.game_id where l.player_id = {player}";

const TO_ACT: &str = "
from game_states s join games g on g.id = s.game_id where s.to_act_player = {player}";

const PUBLIC: &str = "
from games g left join game_states s on s.game_id = g.id where not g.private";

/// The statement of a list; its values by name. Its first table has an index in the order of the list, on each shard.
#[must_use]
pub fn statement(filter: &Filter) -> String {
    let (from, id, of_list) = match &filter.whose {
        Whose::Mine { status: None, .. } => (MEMBER, "l.game_id", ""),
        Whose::Mine { status: Some(_), .. } => (MEMBER, "l.game_id", " and g.status = {status}"),
        Whose::PublicOf { .. } => (MEMBER, "l.game_id", " and not g.private"),
        Whose::MyTurn { .. } => (TO_ACT, "s.game_id", ""),
        Whose::Public { .. } => (PUBLIC, "g.id", " and g.status = {status}"),
        Whose::SeatsOffered => (PUBLIC, "g.id", " and g.status = {status} and g.seats_offered"),
    };
    let of_rules = filter.rules.as_ref().map_or("", |_| " and g.rules = {rules}");
    let only = filter.only.map_or(String::new(), |_| format!(" and {id} = {{only}}"));
    format!(
        "select {COLUMNS}{MEMBERS}{from}{of_list}{of_rules}{only} and {id} < {{before}} order by {id} desc limit {{limit}}"
    )
}

/// The statement with its values.
struct List<'a> {
    statement: String,
    filter: &'a Filter,
    player: Option<Uuid>,
    status: Option<GameStatus>,
    before: Uuid,
    limit: i64,
    /// A statement over all shards is planned by the values in it.
    is_prepared: bool,
}

type Row = (ListedColumns, Option<ListedState>, Vec<Uuid>);

impl Query for List<'_> {
    type SqlType =
        (SqlTypeOf<AsSelect<ListedColumns, Pg>>, Nullable<SqlTypeOf<StateColumns>>, Array<SqlUuid>);
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
        fill(&self.statement, &mut out, |name, out| match name {
            "player" => out.push_bind_param::<Nullable<SqlUuid>, _>(&self.player),
            "status" => out.push_bind_param::<Nullable<Text>, _>(&self.status),
            "rules" => out.push_bind_param::<Nullable<Text>, _>(&self.filter.rules),
            "only" => out.push_bind_param::<Nullable<SqlUuid>, _>(&self.filter.only),
            "before" => out.push_bind_param::<SqlUuid, _>(&self.before),
            "limit" => out.push_bind_param::<BigInt, _>(&self.limit),
            _ => unreachable!("the statement names no other value"),
        })
    }
}

/// A page of the games that match `filter`, at most `limit`.
///
/// # Errors
/// The database failed.
pub async fn games(database: &Database, filter: &Filter, limit: i64) -> Result<ListedPage, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let (player, status) = match &filter.whose {
        Whose::Mine { player_id, status } => (Some(*player_id), *status),
        Whose::MyTurn { player_id } | Whose::PublicOf { player_id } => (Some(*player_id), None),
        Whose::Public { status } => (None, Some(*status)),
        Whose::SeatsOffered => (None, Some(GameStatus::Running)),
    };
    let list = List {
        statement: statement(filter),
        filter,
        player,
        status,
        before: filter.cursor.unwrap_or(Uuid::max()),
        limit: limit + 1,
        is_prepared: database.topology() == Topology::Plain,
    };
    let mut rows: Vec<Row> = list.load(&mut connection).await?;
    let next_cursor = cut(&mut rows, limit, |(game, ..)| game.id);
    let mut members: Vec<Uuid> = rows.iter().flat_map(|(.., members)| members.iter().copied()).collect();
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

fn listed((game, state, members): Row, known: &Names) -> ListedRow {
    let members = || members.iter().filter_map(|id| known.get(id));
    ListedRow {
        game,
        state,
        players: members().map(|(handle, _)| handle.clone()).collect(),
        bots: members().filter(|(_, bot)| *bot).map(|(handle, _)| handle.clone()).collect(),
    }
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
