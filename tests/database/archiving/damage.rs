//! Objects that are missing or changed, and games that cannot be moved.

use pippost::games::archiving;
use pippost::games::audit::Subject;

use super::{Site, path_of};
use crate::audit::{audit, db_plant};

#[tokio::test(flavor = "multi_thread")]
async fn objects_that_are_missing_or_changed_are_refused_and_named_by_the_audit() {
    let site = Site::start().await;
    let (first, second, sound) = (site.finished(1).await, site.finished(2).await, site.finished(3).await);
    site.wait();
    assert_eq!(site.archive_due().await, 3);
    let (first_file, second_file) = (site.db_file(first).await, site.db_file(second).await);
    let bytes = std::fs::read(&first_file).expect("an object");
    let damage: [(&str, u16, &dyn Fn()); 4] = [
        ("is not in the archive", 503, &|| std::fs::remove_file(&first_file).expect("removed")),
        ("its bytes have another hash", 500, &|| {
            let mut other = bytes.clone();
            other[bytes.len() / 2] ^= 1;
            std::fs::write(&first_file, other).expect("written");
        }),
        ("its bytes have another hash", 500, &|| {
            std::fs::write(&first_file, &bytes[..bytes.len() - 1]).expect("written");
        }),
        // The sound object of another game.
        ("its bytes have another hash", 500, &|| {
            std::fs::copy(&second_file, &first_file).expect("a copy");
        }),
    ];
    for (words, status, plant) in damage {
        plant();
        let server = site.again().await;
        let record = server.stranger().get(&format!("{}/record", path_of(first))).await;
        let code = if status == 503 { "unavailable" } else { "internal" };
        record.problem(status, code);
        server.stranger().get(&format!("{}/record", path_of(sound))).await.expect_status(200);
        for repair in [false, true] {
            let (_, found) = audit(&site.app, None, repair).await;
            let [finding] = found.as_slice() else { panic!("{words}: {found:?}") };
            assert_eq!((finding.game, finding.part, finding.rebuilt), (Some(first), Subject::Archive, false));
            assert!(finding.what.contains(words), "{}", finding.what);
        }
        archiving::restore(&site.app.app.games, first).await.expect_err(words);
        assert_eq!(site.db_rows(first).await, [0, 0, 1]);
    }
    std::fs::write(&first_file, &bytes).expect("written");
    assert_eq!(site.findings().await, []);
    // An entry that names the sound object of another game.
    let mut superuser = site.app.db_superuser().await;
    let exchanged = format!(
        "alter table archived_games disable trigger user; create temporary table other as \
         select object from archived_games where game_id = '{second}'; \
         do $$ begin execute format('update archived_games set object = %L where game_id = %L', (select object from other), GAME); end $$; \
         alter table archived_games enable always trigger archived_games_are_true; \
         alter table archived_games enable always trigger archived_games_are_kept"
    );
    db_plant(&mut superuser, first, &exchanged).await;
    let found = site.findings().await;
    assert!(
        matches!(found.as_slice(), [(Subject::Archive, what)] if what.contains("not the object of its game")),
        "{found:?}"
    );
    site.again().await.stranger().get(&format!("{}/record", path_of(first))).await.problem(500, "internal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_game_is_set_aside_and_stays_in_the_database() {
    let site = Site::start().await;
    let (damaged, sound) = (site.finished(1).await, site.finished(2).await);
    let mut superuser = site.app.db_superuser().await;
    let damage = "update game_states set snapshot = replace(snapshot, '1', '2') where game_id = GAME";
    db_plant(&mut superuser, damaged, damage).await;
    site.wait();
    assert_eq!(site.archive_due().await, 1);
    assert_eq!(site.db_rows(sound).await, [0, 0, 1]);
    assert_eq!(site.db_rows(damaged).await[2], 0);
    let found = site.findings().await;
    assert!(
        found.iter().any(|(part, what)| *part == Subject::SetAside && what.contains("archive")),
        "{found:?}"
    );
    assert_eq!(site.archive_due().await, 0, "it waits");
    audit(&site.app, None, true).await;
    assert_eq!(site.archive_due().await, 1, "the repair lets it be tried at once");
    assert_eq!(site.findings().await, []);
}
