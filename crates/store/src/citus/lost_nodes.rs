//! The nodes that a cluster has lost just now. Their games are refused without asking the database, so that many requests for them do
//! not hold up those for other games.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use diesel::QueryableByName;
use diesel::sql_types::{Array, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::silence::{self, CONNECT_TIMEOUT, Node};
use crate::address::Address;
use crate::{Connection, Database, StoreError};

/// How long a node that failed is left alone.
const BACK_OFF: Duration = Duration::from_secs(1);

/// How long a node that was found silent is left alone. Until then it has been examined again, unless whoever does so has ended.
const SILENT_FOR: Duration = Duration::from_secs(10);

/// How long nodes that were found to answer are not examined again.
const EXAMINED_FOR: Duration = Duration::from_millis(500);

/// Where each of the games `$1` lives, as the coordinator knows by itself.
const PLACES: &str = "
select g.id, p.nodename || ':' || p.nodeport as node
from unnest($1) as g (id)
join pg_dist_shard_placement p on p.shardid = get_shard_id_for_distribution_column('games', g.id)";

#[derive(QueryableByName)]
struct ShardPlacement {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    node: String,
}

/// The nodes that failed within the last second or are silent, as `host:port`. Cheap to clone; clones share what they know.
#[derive(Clone, Default)]
pub struct LostNodes(Arc<Known>);

#[derive(Default)]
struct Known {
    /// The coordinator; none of a database that is not distributed.
    address: Option<Arc<Address>>,
    failed: Mutex<HashMap<String, Instant>>,
    silent: Mutex<HashMap<String, Instant>>,
    /// When the nodes were last found to answer. Held while they are examined, so that one examination serves all.
    examined: tokio::sync::Mutex<Option<Instant>>,
}

/// Those of `nodes` that are still to be left alone.
fn current(nodes: &Mutex<HashMap<String, Instant>>) -> HashSet<String> {
    let mut nodes = nodes.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    nodes.retain(|_, until| *until > now);
    nodes.keys().cloned().collect()
}

impl LostNodes {
    /// Knows no lost node yet of the cluster with this coordinator.
    #[must_use]
    pub fn of(address: Arc<Address>) -> Self {
        Self(Arc::new(Known { address: Some(address), ..Known::default() }))
    }

    /// Takes note of the node by which a statement failed; false if it failed otherwise.
    pub fn note(&self, error: &StoreError) -> bool {
        let Some(node) = error.lost_node() else { return false };
        let mut failed = self.0.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.insert(node.to_owned(), Instant::now() + BACK_OFF);
        true
    }

    /// All that are left alone now.
    #[must_use]
    pub fn current(&self) -> HashSet<String> {
        let mut lost = current(&self.0.failed);
        lost.extend(current(&self.0.silent));
        lost
    }

    /// Whether a node is known to be silent: what asks all nodes would wait for it.
    #[must_use]
    pub fn has_silent(&self) -> bool {
        !current(&self.0.silent).is_empty()
    }

    /// Whether a node is silent, which the coordinator is asked unless it is known.
    pub(super) async fn finds_silent_ones(&self) -> bool {
        let Some(address) = &self.0.address else { return false };
        let mut examined = self.0.examined.lock().await;
        if self.has_silent() {
            return true;
        }
        if examined.is_some_and(|at| at.elapsed() < EXAMINED_FOR) {
            return false;
        }
        match silence::silent_nodes(address).await {
            Ok(silent) => silent.into_iter().for_each(|node| self.leave_alone(node)),
            Err(error) => tracing::warn!(%error, "whether a node is silent could not be found out"),
        }
        *examined = Some(Instant::now());
        self.has_silent()
    }

    /// Takes note of a silent node.
    pub fn note_silent(&self, name: &str) {
        let mut silent = self.0.silent.lock().unwrap_or_else(PoisonError::into_inner);
        silent.insert(name.to_owned(), Instant::now() + SILENT_FOR);
    }

    /// Leaves a node alone until the coordinator can connect to it again.
    fn leave_alone(&self, node: Node) {
        let (nodes, name) = (self.clone(), node.name());
        tracing::warn!(node = name, "a node of the cluster is silent, and is left alone until it answers");
        nodes.note_silent(&name);
        tokio::spawn(async move {
            let Some(address) = &nodes.0.address else { return };
            while !tokio::time::timeout(2 * CONNECT_TIMEOUT, silence::answers(address, &node))
                .await
                .is_ok_and(|answer| answer.unwrap_or(false))
            {
                nodes.note_silent(&name);
                // Nothing tells when it answers again, and a node that refuses does so at once: so it is asked after a pause.
                tokio::time::sleep(BACK_OFF).await;
            }
            nodes.0.silent.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
            tracing::warn!(node = name, "a node of the cluster answers again");
        });
    }

    /// Those of the games that live on a lost node. The database is not asked while no node is lost.
    ///
    /// # Errors
    /// The coordinator failed.
    pub async fn games_among(
        &self,
        connection: &Connection,
        ids: &[Uuid],
    ) -> Result<HashSet<Uuid>, StoreError> {
        let lost = self.current();
        if lost.is_empty() {
            return Ok(HashSet::new());
        }
        let places = diesel::sql_query(PLACES).bind::<Array<SqlUuid>, _>(ids);
        let places: Vec<ShardPlacement> = places.load(&mut &**connection).await?;
        Ok(places.into_iter().filter(|place| lost.contains(&place.node)).map(|place| place.id).collect())
    }
}

impl Database {
    /// A connection for statements that ask every node of a cluster.
    ///
    /// # Errors
    /// As [`Database::get`], or a node is silent, for which they would wait.
    pub async fn get_for_all_nodes(&self) -> Result<Connection, StoreError> {
        self.unless_one_is_silent(self.get()).await
    }

    /// The same for a transaction.
    ///
    /// # Errors
    /// As [`Database::get_for_all_nodes`].
    pub async fn get_for_writing_to_all_nodes(&self) -> Result<Connection, StoreError> {
        self.unless_one_is_silent(self.get_for_writing()).await
    }

    async fn unless_one_is_silent(
        &self,
        connection: impl Future<Output = Result<Connection, StoreError>>,
    ) -> Result<Connection, StoreError> {
        let is_refused = || self.topology().is_citus() && self.lost_nodes().has_silent();
        if is_refused() {
            return Err(StoreError::LostNode);
        }
        let connection = connection.await?;
        // It may have become known while all connections were in use.
        if is_refused() { Err(StoreError::LostNode) } else { Ok(connection) }
    }

    /// A connection for statements about one game.
    ///
    /// # Errors
    /// As [`Database::get`], or the game lives on a node of a cluster that failed just now or is silent.
    pub async fn get_for_game(&self, game_id: Uuid) -> Result<Connection, StoreError> {
        let connection = self.get().await?;
        let is_lost = self.topology().is_citus()
            && !self.lost_nodes().games_among(&connection, &[game_id]).await?.is_empty();
        if is_lost { Err(StoreError::LostNode) } else { Ok(connection) }
    }
}
