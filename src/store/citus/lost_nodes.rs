//! The nodes that a cluster has lost just now. Their games are refused without asking the database, so that many requests for them do
//! not hold up those for other games.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use diesel::QueryableByName;
use diesel::sql_types::{Array, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use crate::store::{Connection, StoreError};

/// How long a node that failed is left alone.
const BACK_OFF: Duration = Duration::from_secs(1);

/// Where each of the games `$1` lives, as the coordinator knows by itself.
const PLACES: &str = "
select g.id, p.nodename || ':' || p.nodeport as node
from unnest($1) as g (id)
join pg_dist_shard_placement p on p.shardid = get_shard_id_for_distribution_column('games', g.id)";

#[derive(QueryableByName)]
struct Place {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    node: String,
}

/// The nodes that failed within the last second, as `host:port`. Cheap to clone; clones share what they know.
#[derive(Clone, Default)]
pub struct LostNodes(Arc<Mutex<HashMap<String, Instant>>>);

impl LostNodes {
    /// Takes note of the node by which a statement failed; false if it failed otherwise.
    pub fn note(&self, error: &StoreError) -> bool {
        let Some(node) = error.lost_node() else { return false };
        let mut lost = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lost.insert(node.to_owned(), Instant::now() + BACK_OFF);
        true
    }

    fn current(&self) -> HashSet<String> {
        let mut lost = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        lost.retain(|_, until| *until > now);
        lost.keys().cloned().collect()
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
        let places: Vec<Place> = places.load(&mut &**connection).await?;
        Ok(places.into_iter().filter(|place| lost.contains(&place.node)).map(|place| place.id).collect())
    }
}

#[cfg(test)]
mod tests {
    use diesel::result::{DatabaseErrorKind, Error};

    use super::*;

    #[test]
    fn a_node_is_left_alone_once_a_statement_has_failed_by_it_and_by_nothing_else() {
        let failed = |said: &str| {
            StoreError::Query(Error::DatabaseError(DatabaseErrorKind::Unknown, Box::new(said.to_owned())))
        };
        let lost = LostNodes::default();
        assert!(!lost.note(&failed("invalid page in block 3")) && lost.current().is_empty());
        assert!(lost.note(&failed(
            "connection to the remote node postgres@127.0.0.1:6401 failed with the following error: gone"
        )));
        assert!(lost.note(&failed("failure on connection marked as essential: 10.0.0.22:5432")));
        let both = ["10.0.0.22:5432", "127.0.0.1:6401"].map(str::to_owned);
        assert_eq!(lost.current(), HashSet::from(both));
    }
}
