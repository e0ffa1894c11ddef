//! The migrations: up, down, and up again, by several servers at once.

use pippost::store::database::{migrate, revert};

use crate::support::cluster;

/// The number of migrations.
fn count() -> usize {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let entries = std::fs::read_dir(folder).expect("migrations");
    entries.filter(|entry| entry.as_ref().expect("an entry").path().is_dir()).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_servers_that_start_on_an_empty_database_each_migration_is_run_by_one() {
    let name = cluster::bare_database().await;
    let starting = (0..4).map(|_| {
        let name = name.clone();
        tokio::spawn(async move { migrate(&cluster::address(&name)).await.expect("migrations") })
    });
    let done = futures_util::future::join_all(starting).await;
    assert_eq!(done.into_iter().map(|done| done.expect("a server")).sum::<usize>(), count());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_migration_can_be_taken_back_and_run_again() {
    let name = cluster::new_database().await;
    let address = cluster::address(&name);
    assert_eq!(migrate(&address).await.expect("nothing to do"), 0);
    for _ in 0..count() {
        revert(&address).await.expect("a way back");
    }
    assert_eq!(migrate(&address).await.expect("migrations"), count());
}
