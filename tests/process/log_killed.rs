//! The process that puts events into the log is killed again and again, as in a crash, while games are played: the log has every event
//! once and in order, and every checkpoint that was ever signed is continued.

use std::collections::BTreeMap;
use std::process::{Child, Stdio};

use pippost::log::note::{Note, VerifierKey};
use pippost::log::tiles::{TILE_WIDTH, Tile, read_bundle};
use pippost::log::tree::{self, Leaves};
use pippost::log::{Checkpoint, Entry};

use support::Client;
use support::games::{pip_pip_again, play_to_the_end};
use support::process::Server;
use support::waiting::until;

const ROUNDS: u64 = 12;

/// A running `pippost work`.
struct Worker(Child);

impl Worker {
    fn start(server: &Server) -> Self {
        let mut command = server.command(&["work", "--log", "error"]);
        Self(command.stdout(Stdio::null()).spawn().expect("the program"))
    }

    /// SIGKILL: it can do nothing more.
    fn kill(&mut self) {
        self.0.kill().expect("a running worker");
        self.0.wait().expect("an exit");
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn get(url: &str) -> Vec<u8> {
    let answer = reqwest::get(url).await.expect("an answer").error_for_status().expect("a file");
    answer.bytes().await.expect("a body").to_vec()
}

/// The log as a stranger sees it, with every checkpoint that was seen.
struct Seen {
    url: String,
    key: VerifierKey,
    roots: BTreeMap<u64, tree::Hash>,
}

impl Seen {
    async fn of(url: String) -> Self {
        let key = String::from_utf8(get(&format!("{url}/log/key")).await).expect("text");
        Self { key: VerifierKey::read(key.trim()).expect("a key"), url, roots: BTreeMap::new() }
    }

    /// Looks at the newest checkpoint; returns its size. Two of one size have one root, and none goes back.
    async fn look(&mut self) -> u64 {
        let text = get(&format!("{}/log/checkpoint", self.url)).await;
        let note = Note::read(std::str::from_utf8(&text).expect("text")).expect("a note");
        let Checkpoint { size, root, .. } = Checkpoint::open(&note, &self.key).expect("signed by the log");
        assert!(self.roots.last_key_value().is_none_or(|(largest, _)| *largest <= size), "it went back");
        assert_eq!(*self.roots.entry(size).or_insert(root), root, "two histories of {size} entries");
        size
    }

    /// All entries, read and checked against every checkpoint that was seen.
    async fn entries(&mut self) -> Vec<Entry> {
        let (size, mut all) = (self.look().await, Vec::new());
        while (all.len() as u64) < size {
            let tile = Tile::holding(None, all.len() as u64, size).expect("a bundle");
            let bytes = get(&format!("{}/log/tile/{}", self.url, tile.path())).await;
            assert!(tile.width <= TILE_WIDTH);
            all.extend(read_bundle(&bytes, tile.width).expect("entries"));
        }
        let leaves = Leaves(all.iter().map(Entry::leaf).collect());
        for (size, root) in &self.roots {
            assert_eq!(tree::root(&leaves, *size), Some(*root), "the checkpoint of {size} is not continued");
        }
        all
    }
}

/// The entries that the log should have of a game: its events, and the footer.
async fn expected(game: &str, player: &Client) -> Vec<Entry> {
    let record = player.get(&format!("{game}/record")).await.text();
    let id = game.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id");
    let entry = |(seq, line): (u32, &str)| {
        let hash = match serde_json::from_str::<pippost::record::Event>(line) {
            Ok(event) => *event.hash.as_bytes(),
            Err(_) => pippost::log::entry::footer_hash(line.as_bytes()),
        };
        Entry::of(id, seq, hash)
    };
    (0..).zip(record.lines().skip(1)).map(entry).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_whose_process_is_killed_again_and_again_has_everything_once_and_takes_nothing_back() {
    let server =
        tokio::task::spawn_blocking(|| Server::start_with(&["--no-worker"])).await.expect("a server");
    let players = [server.register("ann").await, server.register("bob").await];
    let (mut seen, mut games) = (Seen::of(server.url()).await, Vec::new());
    for round in 0..ROUNDS {
        let game = pip_pip_again(&players[0], &players[1]).await;
        games.push(game.clone());
        let of_game = players.clone();
        let playing = tokio::spawn(async move { play_to_the_end(&game, &of_game).await });
        let mut worker = Worker::start(&server);
        let before = seen.look().await;
        until("the log grows", async || seen.look().await > before).await;
        // Each round it is killed at another moment of a step, or between two.
        for _ in 0..round * round {
            seen.look().await;
        }
        worker.kill();
        playing.await.expect("no panic");
    }
    let mut wanted = Vec::new();
    for game in &games {
        wanted.push(expected(game, &players[0]).await);
    }
    let count: usize = wanted.iter().map(Vec::len).sum();
    let _last = Worker::start(&server);
    until("everything is in the log", async || seen.look().await == count as u64).await;
    let all = seen.entries().await;
    assert!(seen.roots.len() as u64 > ROUNDS, "{:?}", seen.roots.keys());
    for of_game in wanted {
        let found = all.iter().filter(|entry| entry.game == of_game[0].game).copied().collect::<Vec<_>>();
        assert_eq!(found, of_game, "without gap or double");
    }
}
