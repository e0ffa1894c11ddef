//! Notices that a node of a cluster is silent rather than gone: PostgreSQL waits for such a node without end. Only connections to a
//! coordinator are watched.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use diesel::connection::InstrumentationEvent;
use diesel::sql_types::{Bool, Integer, Text};
use diesel::{ConnectionResult, QueryableByName};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::{join_all, select};
use tokio_postgres::tls::TlsStream;
use tokio_postgres::{Client, Socket};

use super::LostNodes;
use crate::address::Address;
use crate::{StoreError, database};

/// How long a connection may get no answer before the nodes are examined. A slow statement costs no more than that.
pub const SLOW: Duration = Duration::from_secs(1);

/// How often a connection is looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// How long the coordinator tries to connect to a node that is examined.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// A coordinator that takes longer to examine its nodes is busy or gone itself, which says nothing of them.
const EXAMINATION_TIMEOUT: Duration = Duration::from_secs(4);

const NODES: &str = "select nodename as host, nodeport as port from pg_dist_node \
                     where isactive and noderole = 'primary' and groupid <> 0";

const ANSWERS: &str = "select citus_check_connection_to_node($1, $2) as found";

/// How many statements are under way on a connection, and since when it has got no answer. A statement that nobody waits for any more
/// counts on, which can only make an idle connection look slow.
pub struct Waiting(Mutex<(usize, Instant)>);

impl Default for Waiting {
    fn default() -> Self {
        Self(Mutex::new((0, Instant::now())))
    }
}

impl Waiting {
    fn record(&self, event: &InstrumentationEvent<'_>, now: Instant) {
        match event {
            InstrumentationEvent::StartQuery { .. } => self.begin(now),
            InstrumentationEvent::FinishQuery { .. } => self.end(now),
            _ => {}
        }
    }

    pub fn begin(&self, now: Instant) {
        let mut progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (under_way, since) = &mut *progress;
        if *under_way == 0 {
            *since = now;
        }
        *under_way += 1;
    }

    pub fn end(&self, now: Instant) {
        let mut progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (under_way, since) = &mut *progress;
        *under_way = under_way.saturating_sub(1);
        *since = now;
    }

    /// Since when there has been no answer, if that is too long.
    pub fn slow_since(&self, now: Instant) -> Option<Instant> {
        let (under_way, since) = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (under_way > 0 && now.saturating_duration_since(since) >= SLOW).then_some(since)
    }
}

/// When the nodes were examined for a connection, and since when that had got no answer.
pub struct Examined {
    pub at: Instant,
    pub slow_since: Instant,
}

impl Examined {
    /// Whether to examine them again: if the connection got an answer meanwhile, or after as long as it had waited before. One that is
    /// idle and only looks slow must not ask for ever.
    #[must_use]
    pub fn is_over(&self, slow_since: Instant, now: Instant) -> bool {
        let waited = self.at.saturating_duration_since(self.slow_since);
        slow_since != self.slow_since || now.saturating_duration_since(self.at) >= waited
    }
}

/// A connection that is given up when it gets no answer and a node is silent: its statements fail then as on any lost connection.
/// `count` sees its statements, too.
pub(crate) async fn watched<S>(
    client: Client,
    connection: tokio_postgres::Connection<Socket, S>,
    nodes: LostNodes,
    count: impl Fn(&InstrumentationEvent<'_>) + Send + 'static,
) -> ConnectionResult<AsyncPgConnection>
where
    S: TlsStream + Unpin + Send + 'static,
{
    let progress = Arc::new(Waiting::default());
    let watching = Arc::clone(&progress);
    tokio::spawn(async move {
        // An error of the connection is told to whoever uses it.
        let _ended = select(connection, Box::pin(until_given_up(watching, nodes))).await;
    });
    let mut connection = AsyncPgConnection::try_from(client).await?;
    diesel_async::AsyncConnection::set_instrumentation(
        &mut connection,
        move |event: InstrumentationEvent<'_>| {
            progress.record(&event, Instant::now());
            count(&event);
        },
    );
    Ok(connection)
}

async fn until_given_up(progress: Arc<Waiting>, nodes: LostNodes) {
    let mut examined: Option<Examined> = None;
    loop {
        // No event tells that an answer does not come.
        tokio::time::sleep(LOOK_INTERVAL).await;
        let now = Instant::now();
        let Some(slow_since) = progress.slow_since(now) else { continue };
        let is_due = examined.as_ref().is_none_or(|examined| examined.is_over(slow_since, now));
        if !is_due && !nodes.has_silent() {
            continue;
        }
        if nodes.finds_silent_ones().await && progress.slow_since(Instant::now()).is_some() {
            tracing::warn!("a connection to the database is given up: a node of the cluster is silent");
            return;
        }
        examined = Some(Examined { at: Instant::now(), slow_since });
    }
}

/// A node, as the coordinator names it.
#[derive(Clone, QueryableByName)]
pub(super) struct Node {
    #[diesel(sql_type = Text)]
    host: String,
    #[diesel(sql_type = Integer)]
    port: i32,
}

impl Node {
    pub fn name(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

/// The nodes to which the coordinator cannot connect now.
///
/// # Errors
/// The coordinator failed, or took too long.
pub(super) async fn silent_nodes(address: &Address) -> Result<Vec<Node>, StoreError> {
    let nodes = async {
        let mut connection = open(address).await?;
        let nodes: Vec<Node> = diesel::sql_query(NODES).load(&mut connection).await?;
        let answering = join_all(nodes.iter().map(|node| answers(address, node))).await;
        let mut silent = Vec::new();
        for (node, answers) in nodes.into_iter().zip(answering) {
            if !answers? {
                silent.push(node);
            }
        }
        Ok(silent)
    };
    let late = |_| Err(StoreError::Unreachable("the coordinator took too long".to_owned()));
    tokio::time::timeout(EXAMINATION_TIMEOUT, nodes).await.unwrap_or_else(late)
}

/// Whether the coordinator can connect to a node. It asks by a connection of its own, which has used no node before, so that the time to
/// connect bounds its answer.
///
/// # Errors
/// The coordinator failed.
pub(super) async fn answers(address: &Address, node: &Node) -> Result<bool, StoreError> {
    #[derive(QueryableByName)]
    struct Found {
        #[diesel(sql_type = Bool)]
        found: bool,
    }
    let mut connection = open(address).await?;
    let limit = format!("set citus.node_connection_timeout = '{}ms'", CONNECT_TIMEOUT.as_millis());
    connection.batch_execute(&limit).await?;
    let asked = diesel::sql_query(ANSWERS).bind::<Text, _>(&node.host).bind::<Integer, _>(node.port);
    let found: Found = asked.get_result(&mut connection).await?;
    Ok(found.found)
}

async fn open(address: &Address) -> Result<AsyncPgConnection, StoreError> {
    database::open(address).await.map_err(|error| StoreError::Unreachable(error.to_string()))
}
