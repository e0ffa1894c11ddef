//! The archive of finished games: what it serves is what the database served, nothing is lost wherever a move is cut off, and the
//! guards of history let nothing else go.

mod damage;
mod guards;
mod moving;
mod programs;
mod serving;

use std::path::{Path, PathBuf};

use pippost::archive::{Access, Listed};
use pippost::games::archiving;
use pippost::games::audit::Subject;
use serde_json::{Value, json};
use tempfile::TempDir;
use time::Duration;
use uuid::Uuid;

use crate::audit::{audit, play};
use support::sample::Sampler;
use support::{Client, TestApp};

/// A day after which games are archived here.
const AFTER_DAYS: u16 = 1;

/// How long a process may take to move games.
const TIME_LIMIT: std::time::Duration = std::time::Duration::from_mins(1);

/// Two servers on one database: one whose processes know no archive, and one with an archive in a folder.
struct Site {
    plain: TestApp,
    app: TestApp,
    folder: TempDir,
    /// Where commands of the program run.
    folder_beside: TempDir,
    players: Vec<Client>,
}

impl Site {
    async fn start() -> Self {
        let plain = TestApp::start().await;
        let mut players = Vec::new();
        for handle in ["ann", "bob", "cat"] {
            players.push(plain.player(handle).await);
        }
        let folder = tempfile::tempdir().expect("a folder");
        let app = plain.archiving(&place(folder.path()), Access::default()).await;
        let players = players.iter().map(|player| player.at(&app.url)).collect();
        let folder_beside = tempfile::tempdir().expect("a folder");
        Self { plain, app, folder, folder_beside, players }
    }

    /// Another process with the same archive, and empty caches.
    async fn again(&self) -> TestApp {
        self.plain.archiving(&place(self.folder.path()), Access::default()).await
    }

    /// Lets the games that are over be due. Sessions end meanwhile.
    fn wait(&self) {
        self.app.app.clock.advance(Duration::days(AFTER_DAYS.into()));
    }

    async fn archive_due(&self) -> usize {
        archiving::archive_due(&self.app.app.games, AFTER_DAYS).await.expect("a step")
    }

    /// A game of two that is over.
    async fn finished(&self, seed: u64) -> Uuid {
        play(&self.players[..2], "pip-pip", &json!({}), 1000, seed).await
    }

    /// Another finished game, by players who have logged in again, due at once.
    async fn finished_later(&self, seed: u64) -> Uuid {
        let players = [self.app.log_in("ann").await, self.app.log_in("bob").await];
        let game = play(&players, "pip-pip", &json!({}), 1000, seed).await;
        self.wait();
        game
    }

    /// Rows of history of a game in the database, and entries of it in the archive.
    async fn db_rows(&self, game: Uuid) -> [i64; 3] {
        let mut counts = [0; 3];
        for (count, table) in counts.iter_mut().zip(["events", "clock_lines", "archived_games"]) {
            let query = format!("select count(*) as number from {table} where game_id = '{game}'");
            *count = self.app.db_count(&query).await;
        }
        counts
    }

    /// The file of an archived game.
    async fn db_file(&self, game: Uuid) -> PathBuf {
        let mut connection = self.app.app.database.get().await.expect("a connection");
        let entry = pippost::store::archived_games::find(&mut connection, game).await.expect("an answer");
        let name = entry.expect("an archived game").name().expect("a name").to_string();
        self.folder.path().join(&name[..2]).join(format!("{name}.game"))
    }

    async fn unreferenced(&self) -> Vec<Listed> {
        let mut found = Vec::new();
        let mut note = |listed: &Listed| found.push(listed.clone());
        archiving::unreferenced(&self.app.app.games, &mut note).await.expect("a list");
        found
    }

    async fn findings(&self) -> Vec<(Subject, String)> {
        let found = audit(&self.app, None, false).await.1;
        found.into_iter().map(|finding| (finding.part, finding.what)).collect()
    }
}

fn place(folder: &Path) -> String {
    format!("file:{}", folder.display())
}

fn path_of(game: Uuid) -> String {
    format!("/api/v1/games/{game}")
}

/// A move in a game of ann and bob, by whoever is to act, at that server.
async fn act(app: &TestApp, server: &TestApp, game: Uuid) -> Value {
    let path = path_of(game);
    let seat = app.stranger().get(&path).await.ok()["to_act"].as_u64().expect("a seat");
    let player = app.log_in(["ann", "bob"][usize::try_from(seat).expect("a seat")]).await.at(&server.url);
    let legal = player.get(&format!("{path}/actions")).await.ok();
    let action = Sampler::new(7).action(legal["actions"].as_array().expect("a list"));
    player.post(&format!("{path}/moves"), &json!({"actions": [action]})).await.ok()
}
