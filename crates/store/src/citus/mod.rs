//! Distributes the tables of a database by game with Citus, and has what the program then does otherwise. Plain code hands over here where
//! it asks for [`Topology`](super::Topology).
//!
//! | what differs | where |
//! |---|---|
//! | where a game lies, and nodes that are gone | `lost_nodes`, `silence`; `Database::get_for_game` |
//! | statements that read both places | `statements` |
//! | locks on rows of several shards | `taking`, `statements::LOCK_PLAYER` |
//! | claims of notices, and where moves leave them | `claiming`, `collecting` |
//! | how a move, a reminder or a change of a clock is sent | `commit/delegated.rs`, `functions.sql` |
//! | keys of moves | `keys` |
//! | what an audit asks | `auditing` |
//! | migrations | `one_by_one` |

pub(crate) mod auditing;
pub(crate) mod claiming;
pub(crate) mod collecting;
pub(crate) mod keys;
mod lost_nodes;
mod one_by_one;
pub(super) mod silence;
pub(crate) mod statements;
pub(crate) mod taking;

use std::num::NonZeroU16;
use std::time::{Duration, Instant};

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};

use super::address::Address;
use super::database::{self, MIGRATION_LOCK};
use super::{StoreError, Topology};

pub use lost_nodes::LostNodes;
pub(super) use one_by_one::OneByOne;
pub use one_by_one::{Text as MigrationText, statements};
pub use silence::{Examined, SLOW, Waiting};

const PREPARE: &str = include_str!("prepare.sql");
const RESTORE: &str = include_str!("restore.sql");

/// What is written where a game lives.
pub const FUNCTIONS: &str = include_str!("functions.sql");

/// The functions that are sent to the node of their game, named by the first parameter.
const DELEGATED: [&str; 3] = ["append_move", "remind_game", "change_clock"];

/// The table that the others lie beside: the shards of one game are on one node.
const FIRST: (&str, &str) = ("games", "id");

/// The tables that are distributed by `game_id`, `games` aside.
pub const BY_GAME: [&str; 14] = [
    "archived_games",
    "checkpoints",
    "clock_lines",
    "events",
    "game_players",
    "game_states",
    "move_keys",
    "move_notices",
    "pause_proposals",
    "private_notes",
    "set_aside_games",
    "standing_orders",
    "table_messages",
    "turn_reminders",
];

/// The tables of which every node has a copy, because distributed ones refer to them.
pub const ON_EVERY_NODE: [&str; 1] = ["players"];

/// The tables that stay on the coordinator: people, mails and programs, and what is one row.
pub const ON_THE_COORDINATOR: [&str; 68] = [
    "__diesel_schema_migrations",
    "address_invitations",
    "app_codes",
    "app_device_codes",
    "app_grants",
    "app_tokens",
    "apps",
    "audits",
    "automatic_holidays",
    "blocked_inviters",
    "captured_deliveries",
    "captured_mails",
    "clock_updates",
    "closed_clubs",
    "club_members",
    "club_notices",
    "clubs",
    "declined_addresses",
    "departing_players",
    "digest_news",
    "favourite_games",
    "feed_heads",
    "feed_ranges",
    "followed_players",
    "game_preferences",
    "heartbeat",
    "idempotency_keys",
    "ladder_happenings",
    "ladders",
    "mail_holds",
    "mail_links",
    "moderation_acts",
    "muted_players",
    "notices",
    "outages",
    "personal_tokens",
    "player_calendars",
    "player_holidays",
    "player_outcomes",
    "player_ratings",
    "player_reliability",
    "player_preferences",
    "problems",
    "push_messages",
    "push_subscriptions",
    "rated_games",
    "rating_progress",
    "refresh_tokens",
    "replies",
    "reports",
    "search_days",
    "server",
    "server_invitations",
    "sessions",
    "studies",
    "tournament_events",
    "tournament_pairings",
    "tournament_players",
    "tournaments",
    "transparency_entries",
    "transparency_gaps",
    "transparency_log",
    "transparency_tiles",
    "turning_points",
    "webhook_deliveries",
    "webhook_messages",
    "webhook_tournament_events",
    "webhooks",
];

/// How many shards a table has if nobody says otherwise. Lists ask every shard, so few are better.
pub const SHARDS: NonZeroU16 = NonZeroU16::new(8).expect("more than none");

/// Why a database is not distributed.
#[derive(Debug, thiserror::Error)]
pub enum DistributeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "this database has no extension citus: run 'create extension citus' in it, on the coordinator and on every worker"
    )]
    NoExtension,
    #[error("the coordinator does not know itself: run 'select citus_set_coordinator_host(…)' on it")]
    NoCoordinator,
    #[error("the coordinator knows no worker: run 'select citus_add_node(…)' on it for each")]
    NoWorker,
    #[error("this database is distributed already")]
    Already,
    #[error("this database is of another version of pippost: run 'pippost migrate' first")]
    OtherVersion,
    #[error("other programs are connected to this database: stop all servers and workers first")]
    InUse,
}

impl From<diesel::result::Error> for DistributeError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

/// What distributing a database would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub workers: i64,
    pub games: i64,
    pub events: i64,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

async fn number(connection: &mut AsyncPgConnection, statement: &str) -> Result<i64, DistributeError> {
    let found: Number = diesel::sql_query(statement).get_result(connection).await?;
    Ok(found.number)
}

/// Checks that the database can be distributed, and says what there is to move.
///
/// # Errors
/// It cannot.
pub async fn plan(address: &Address) -> Result<Plan, DistributeError> {
    if !database::is_current(address).await? {
        return Err(DistributeError::OtherVersion);
    }
    let mut connection = open(address).await?;
    check(&mut connection).await
}

/// Distributes the tables in one transaction, in which nobody else can read or write them.
///
/// # Errors
/// As [`plan`]; nothing was changed.
pub async fn distribute(address: &Address, shards: NonZeroU16) -> Result<(), DistributeError> {
    plan(address).await?;
    let mut connection = open(address).await?;
    let done = connection.transaction::<(), DistributeError, _>(async |connection| {
        let lock = format!("select pg_advisory_xact_lock({MIGRATION_LOCK}) is null as found");
        diesel::sql_query(lock).execute(connection).await?;
        check(connection).await?;
        connection.batch_execute(&format!("set local citus.shard_count = {shards}")).await?;
        run_each(connection, PREPARE).await?;
        for table in ON_EVERY_NODE {
            run(connection, &format!("select create_reference_table('{table}')")).await?;
        }
        let (first, column) = FIRST;
        run(connection, &format!("select create_distributed_table('{first}', '{column}')")).await?;
        for table in BY_GAME {
            let place =
                format!("select create_distributed_table('{table}', 'game_id', colocate_with => '{first}')");
            run(connection, &place).await?;
        }
        run_each(connection, RESTORE).await?;
        replace_functions(connection).await?;
        // What a migration does on the coordinator: compiling a plan costs more than any of our statements.
        run(connection, NO_COMPILING_ON_WORKERS).await?;
        Ok(())
    });
    done.await
}

/// Workers have databases of their own. One whose database is not the program's stays as it is.
const NO_COMPILING_ON_WORKERS: &str =
    "select run_command_on_workers(format('alter database %I set jit = off', current_database()))";

/// Writes the functions as this program calls them, on every node.
///
/// # Errors
/// The database failed.
pub(super) async fn replace_functions(connection: &mut AsyncPgConnection) -> diesel::QueryResult<()> {
    connection.batch_execute(FUNCTIONS).await?;
    for function in DELEGATED {
        let (first, _) = FIRST;
        let statement = format!(
            "select create_distributed_function('{function}'::regproc::oid::regprocedure, 'of_game', colocate_with => '{first}')"
        );
        run(connection, &statement).await?;
    }
    let comment = format!("comment on function {} is '{}'", DELEGATED[0], text_hash());
    connection.batch_execute(&comment).await
}

#[derive(QueryableByName)]
struct Comment {
    #[diesel(sql_type = Nullable<Text>)]
    comment: Option<String>,
}

/// Writes the functions if the database has those of another program.
///
/// # Errors
/// The database failed.
pub(super) async fn bring_functions_up_to_date(
    connection: &mut AsyncPgConnection,
) -> diesel::QueryResult<()> {
    if !Topology::of(connection).await?.is_citus() {
        return Ok(());
    }
    let query = format!("select obj_description(to_regproc('{}'), 'pg_proc') as comment", DELEGATED[0]);
    let found: Comment = diesel::sql_query(query).get_result(connection).await?;
    if found.comment == Some(text_hash()) {
        return Ok(());
    }
    replace_functions(connection).await
}

/// What tells the text of the functions from others.
fn text_hash() -> String {
    use aws_lc_rs::digest::{SHA256, digest};
    hex::encode(digest(&SHA256, FUNCTIONS.as_bytes()))
}

async fn run(connection: &mut AsyncPgConnection, statement: &str) -> diesel::QueryResult<()> {
    connection.batch_execute(statement).await
}

/// Runs statements one by one: Citus sends the text of what it was given to the workers, which take one statement.
async fn run_each(connection: &mut AsyncPgConnection, script: &str) -> diesel::QueryResult<()> {
    for statement in script.split_inclusive(";\n") {
        run(connection, statement).await?;
    }
    Ok(())
}

async fn open(address: &Address) -> Result<AsyncPgConnection, StoreError> {
    database::open(address).await.map_err(|error| StoreError::Unreachable(error.to_string()))
}

async fn check(connection: &mut AsyncPgConnection) -> Result<Plan, DistributeError> {
    let extension = "select count(*) as number from pg_extension where extname = 'citus'";
    if number(connection, extension).await? == 0 {
        return Err(DistributeError::NoExtension);
    }
    if Topology::of(connection).await?.is_citus() {
        return Err(DistributeError::Already);
    }
    let nodes =
        |which: &str| format!("select count(*) as number from pg_dist_node where isactive and {which}");
    if number(connection, &nodes("groupid = 0")).await? == 0 {
        return Err(DistributeError::NoCoordinator);
    }
    let workers = number(connection, &nodes("groupid <> 0 and noderole = 'primary'")).await?;
    if workers == 0 {
        return Err(DistributeError::NoWorker);
    }
    refuse_others(connection).await?;
    let games = number(connection, "select count(*) as number from games").await?;
    let events = number(connection, "select count(*) as number from events").await?;
    Ok(Plan { workers, games, events })
}

/// How long others have to go: connections that were closed just now are still listed, on a busy machine for some seconds.
const OTHERS_GONE_WITHIN: Duration = Duration::from_secs(10);

/// PostgreSQL tells nobody when a connection has gone, so it is asked again.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The connections of other programs. Of those of other roles it is hidden what they are; PostgreSQL's own work is no role's, or names Citus.
const OTHERS: &str = "select count(*) as number from pg_stat_activity where datname = current_database() \
    and pid <> pg_backend_pid() and usesysid is not null and coalesce(backend_type, 'client backend') = 'client backend' \
    and application_name not ilike 'citus%'";

async fn refuse_others(connection: &mut AsyncPgConnection) -> Result<(), DistributeError> {
    let until = Instant::now() + OTHERS_GONE_WITHIN;
    loop {
        // Within a transaction the view would stay what it was when it was first asked.
        run(connection, "select pg_stat_clear_snapshot()").await?;
        if number(connection, OTHERS).await? == 0 {
            return Ok(());
        }
        if Instant::now() >= until {
            return Err(DistributeError::InUse);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
