//! Nodes of a cluster that are left alone.

use std::collections::HashSet;
use std::sync::Arc;

use pippost::store::citus::LostNodes;
use pippost::store::{Address, StoreError};

use diesel::result::{DatabaseErrorKind, Error};

#[test]
fn a_node_is_left_alone_once_a_statement_has_failed_by_it_and_by_nothing_else() {
    let failed = |said: &str| {
        StoreError::Query(Error::DatabaseError(DatabaseErrorKind::Unknown, Box::new(said.to_owned())))
    };
    let address = Address::parse("postgres://postgres@127.0.0.1/any?sslmode=disable", None);
    let lost = LostNodes::of(Arc::new(address.expect("an address")));
    assert!(!lost.note(&failed("invalid page in block 3")) && lost.current().is_empty());
    assert!(lost.note(&failed(
        "connection to the remote node postgres@127.0.0.1:6401 failed with the following error: gone"
    )));
    assert!(lost.note(&failed("failure on connection marked as essential: 10.0.0.22:5432")));
    assert!(!lost.has_silent(), "one that fails is not silent");
    lost.note_silent("10.0.0.23:5432");
    assert!(lost.has_silent());
    let all = ["10.0.0.22:5432", "127.0.0.1:6401", "10.0.0.23:5432"].map(str::to_owned);
    assert_eq!(lost.current(), HashSet::from(all));
}
