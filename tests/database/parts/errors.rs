//! What an error of the database means.

use pippost::store::StoreError;

use diesel::result::{DatabaseErrorKind, Error};

fn refused(kind: DatabaseErrorKind, said: &str) -> StoreError {
    StoreError::Query(Error::DatabaseError(kind, Box::new(said.to_owned())))
}

#[test]
fn a_constraint_of_a_shard_is_called_as_that_of_the_table() {
    for (called, name) in [
        ("players_handle_key_102040", "players_handle_key"),
        ("players_handle_key", "players_handle_key"),
        ("draws_2026", "draws_2026"),
    ] {
        let said = format!("duplicate key value violates unique constraint \"{called}\"");
        let refused = refused(DatabaseErrorKind::UniqueViolation, &said);
        assert_eq!(refused.violated_unique(), Some(name));
    }
}

#[test]
fn a_node_that_is_gone_leaves_doubt() {
    let said = "connection to the remote node postgres@127.0.0.1:6401 failed with the following error: server closed";
    let gone = refused(DatabaseErrorKind::Unknown, said);
    assert!(gone.is_outage() && gone.leaves_doubt() && !gone.is_of_a_row());
}

#[test]
fn a_full_disk_is_an_outage_that_leaves_no_doubt() {
    for said in [
        "could not extend file \"base/16384/16402\": No space left on device",
        "could not write to file \"pg_wal/xlogtemp.42\": No space left on device",
    ] {
        let error = refused(DatabaseErrorKind::Unknown, said);
        assert!(error.is_outage() && !error.leaves_doubt() && !error.is_of_a_row(), "{said}");
    }
}

#[test]
fn a_failing_disk_is_an_outage_that_leaves_doubt() {
    for said in [
        "could not fdatasync file \"000000010000000000000004\": Input/output error",
        "could not read block 7 in file \"base/16384/16402\": Input/output error",
    ] {
        let error = refused(DatabaseErrorKind::Unknown, said);
        assert!(error.is_outage() && error.leaves_doubt() && !error.is_of_a_row(), "{said}");
    }
}

#[test]
fn a_database_that_only_reads_is_an_outage_that_leaves_no_doubt() {
    let said = "cannot execute INSERT in a read-only transaction";
    let error = refused(DatabaseErrorKind::ReadOnlyTransaction, said);
    assert!(error.is_outage() && !error.leaves_doubt() && !error.is_of_a_row());
}

#[test]
fn what_the_database_refuses_for_its_own_reasons_is_no_outage() {
    let taken = refused(DatabaseErrorKind::UniqueViolation, "duplicate key value");
    assert!(!taken.is_outage() && taken.is_of_a_row());
    let broken = refused(DatabaseErrorKind::Unknown, "invalid page in block 3");
    assert!(!broken.is_outage());
    let lost = refused(DatabaseErrorKind::ClosedConnection, "");
    assert!(lost.is_outage() && lost.leaves_doubt());
    let unsent = StoreError::Query(Error::QueryBuilderError("another game".into()));
    assert!(!unsent.is_outage() && !unsent.leaves_doubt() && !unsent.is_of_the_connection());
}
