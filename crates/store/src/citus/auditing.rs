//! What an audit asks of all shards.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Text, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::audit::{ABOUT_EVENTS, MAX_STRAY_ROWS, OrphanNotice};
use crate::schema::notices;
use crate::{NoticeState, StoreError};

/// The waiting notices of `$1` kinds, and which of them refer to something: on a cluster the notices are on the coordinator, and what they
/// refer to is not.
const TOLD: &str = "
with waiting as materialized (
    select id, game_id, seq, player_id from notices where state = 'waiting' and kind = any($1) and game_id is not null
)
select w.id from waiting w
join events e on e.game_id = w.game_id and e.seq = w.seq
join game_players p on p.game_id = w.game_id and p.player_id = w.player_id
union all
select w.id from waiting w
join archived_games a on a.game_id = w.game_id and a.events > w.seq
join game_players p on p.game_id = w.game_id and p.player_id = w.player_id";

#[derive(QueryableByName)]
struct NoticeId {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// As `audit::orphan_notices`.
pub(crate) async fn orphan_notices(
    connection: &mut AsyncPgConnection,
) -> Result<Vec<OrphanNotice>, StoreError> {
    let kinds: Vec<&str> = ABOUT_EVENTS.iter().map(|kind| kind.as_str()).collect();
    // The notices first: one that is written in between is told of, and not looked for.
    let waiting: Vec<OrphanNotice> = notices::table
        .filter(notices::state.eq(NoticeState::Waiting))
        .filter(notices::kind.eq_any(ABOUT_EVENTS))
        .select((notices::id, notices::kind, notices::game_id, notices::seq))
        .load(connection)
        .await?;
    let told: Vec<NoticeId> = diesel::sql_query(TOLD).bind::<Array<Text>, _>(kinds).load(connection).await?;
    let told: HashSet<Uuid> = told.into_iter().map(|row| row.id).collect();
    let most = usize::try_from(MAX_STRAY_ROWS).unwrap_or(usize::MAX);
    Ok(waiting.into_iter().filter(|notice| !told.contains(&notice.id)).take(most).collect())
}

/// Whether every shard of history refuses changes, always. Citus puts no trigger for `truncate` on shards.
const SHARDS_ARE_GUARDED: &str = "
select coalesce(bool_and(success and result = '1'), false) as found
from (values ('events', 27), ('clock_lines', 27), ('archived_games', 31)) as guarded (name, row_type),
    run_command_on_shards(name, format(
        $$select count(*) from pg_trigger where tgrelid = '%%s'::regclass and tgtype = %s and tgenabled = 'A'$$, row_type))";

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    found: bool,
}

pub(crate) async fn shards_are_guarded(connection: &mut AsyncPgConnection) -> Result<bool, StoreError> {
    let shards: Found = diesel::sql_query(SHARDS_ARE_GUARDED).get_result(connection).await?;
    Ok(shards.found)
}
