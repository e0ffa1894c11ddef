//! Honest players, who keep moving during attacks.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use serde_json::{Value, json};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::sleep;

use super::request::Request;
use crate::client::Connection;
use crate::load::histogram;
use crate::script::Script;
use crate::seeding::Seeder;

/// The address of honest players: limits count each peer by itself.
pub const PLAYERS_ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// The number of players, each on a keep-alive connection of its own.
pub const PLAYERS: usize = 8;

/// How long each player thinks between the answer to a move and the next move.
pub const THINK_TIME: Duration = Duration::from_millis(30);

/// How often a player who was here before logs in: as a network that is known may do all the time.
const LOG_IN_INTERVAL: Duration = Duration::from_secs(6);

/// The number of players who log in, in turn: attackers guess their passwords, too.
const NAMES: usize = 100;

/// Their password.
const PASSWORD: &str = "correct horse battery staple";

/// How long a player waits for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// The most failures that are shown.
const MAX_SHOWN: usize = 10;

/// What happens while the players move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Not counted: attackers are starting or have just stopped.
    Between,
    Quiet,
    Attacked,
}

/// The moves of one phase.
#[derive(Clone)]
pub struct Moves {
    /// In microseconds.
    pub latencies: Histogram<u64>,
    pub failed: u64,
    /// The log-ins that succeeded and that failed.
    pub log_ins: [u64; 2],
    /// The errors of the first failures.
    pub shown: Vec<String>,
}

impl Default for Moves {
    fn default() -> Self {
        Self { latencies: histogram(), failed: 0, log_ins: [0, 0], shown: Vec::new() }
    }
}

impl Moves {
    /// In milliseconds.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn quantile_ms(&self, quantile: f64) -> f64 {
        self.latencies.value_at_quantile(quantile) as f64 / 1000.0
    }

    /// Adds the moves of another part of the run.
    pub fn add(&mut self, other: &Self) {
        self.latencies.add(&other.latencies).expect("histograms of one kind");
        self.failed += other.failed;
        for (sum, more) in self.log_ins.iter_mut().zip(other.log_ins) {
            *sum += more;
        }
        for why in &other.shown {
            self.show(why);
        }
    }

    fn show(&mut self, why: &str) {
        if self.shown.len() < MAX_SHOWN {
            self.shown.push(why.to_owned());
        }
    }
}

/// The state that players share.
struct Shared {
    games: RefCell<VecDeque<Script>>,
    phase: Cell<Phase>,
    found: RefCell<BTreeMap<Phase, Moves>>,
    /// Whether a player had no game left to play.
    has_run_out: Cell<bool>,
}

/// Running players.
pub struct Honest {
    shared: Rc<Shared>,
    players: JoinSet<()>,
}

impl Honest {
    /// Starts the players; must be called within a [`LocalSet`].
    ///
    /// # Errors
    /// The server accepts no connections.
    pub async fn start(server: SocketAddr) -> anyhow::Result<Self> {
        let shared = Rc::new(Shared {
            games: RefCell::default(),
            phase: Cell::new(Phase::Between),
            found: RefCell::default(),
            has_run_out: Cell::new(false),
        });
        let mut players = JoinSet::new();
        for _ in 0..PLAYERS {
            let connection = Connection::open_from(PLAYERS_ADDRESS, server).await?;
            players.spawn_local(play(server, connection, Rc::clone(&shared)));
        }
        // Whoever has come from there makes the network known.
        log_in(server, 0).await?;
        players.spawn_local(keep_logging_in(server, Rc::clone(&shared)));
        Ok(Self { shared, players })
    }

    /// Adds games to play.
    pub fn bring(&self, games: Vec<Script>) {
        self.shared.games.borrow_mut().extend(games);
    }

    /// Counts further moves in `phase`.
    pub fn enter(&self, phase: Phase) {
        self.shared.phase.set(phase);
    }

    /// The moves in `phase` since the last call.
    #[must_use]
    pub fn take(&self, phase: Phase) -> Moves {
        self.shared.found.borrow_mut().remove(&phase).unwrap_or_default()
    }

    /// Whether there was always a game to play.
    #[must_use]
    pub fn always_played(&self) -> bool {
        !self.shared.has_run_out.get()
    }

    /// Stops the players.
    pub async fn stop(mut self) {
        self.players.shutdown().await;
    }
}

/// How often a player without a game looks for one.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

async fn play(server: SocketAddr, mut connection: Connection, shared: Rc<Shared>) {
    loop {
        let next = shared.games.borrow_mut().pop_front();
        let Some(game) = next else {
            shared.has_run_out.set(shared.has_run_out.get() || shared.phase.get() != Phase::Between);
            sleep(POLL_INTERVAL).await;
            continue;
        };
        for request in &game.moves {
            // A move counts in the phase in which it began.
            let (phase, sent) = (shared.phase.get(), Instant::now());
            let answered = tokio::time::timeout(ANSWER_TIMEOUT, connection.expect(request)).await;
            let failure = match answered {
                Ok(Ok(_)) => None,
                Ok(Err(error)) => Some(format!("{error:#}")),
                Err(_) => Some("no answer".to_owned()),
            };
            shared.note(phase, sent.elapsed(), failure.as_deref());
            if failure.is_some() {
                match Connection::open_from(PLAYERS_ADDRESS, server).await {
                    Ok(new) => connection = new,
                    Err(error) => shared.note(phase, sent.elapsed(), Some(&format!("{error:#}"))),
                }
                break;
            }
            sleep(THINK_TIME).await;
        }
    }
}

/// Gives all seeded players the password of one who registers.
///
/// # Errors
/// The server or the database refused.
pub async fn give_passwords(server: SocketAddr, seeder: &Seeder) -> anyhow::Result<()> {
    let body = json!({"handle": "registered", "email": "registered@example.org", "password": PASSWORD});
    post(server, "/api/v1/accounts", &body).await?;
    let same = "update players set password_hash = registered.password_hash from players registered \
                where registered.handle = 'registered' and players.handle like 'player-%';\n";
    Ok(seeder.run(same).await?)
}

async fn log_in(server: SocketAddr, number: usize) -> anyhow::Result<()> {
    let body = json!({"login": format!("player-{}", number % NAMES), "password": PASSWORD});
    post(server, "/api/v1/sessions", &body).await
}

/// Sends a request of somebody without a token, over a connection of its own.
async fn post(server: SocketAddr, path: &str, body: &Value) -> anyhow::Result<()> {
    let request = Request::new("POST", path).json(body.to_string());
    let mut connection = Connection::open_from(PLAYERS_ADDRESS, server).await?;
    connection.expect(&[request.whole_head(), request.body.to_vec()].concat()).await?;
    Ok(())
}

async fn keep_logging_in(server: SocketAddr, shared: Rc<Shared>) {
    for number in 1.. {
        sleep(LOG_IN_INTERVAL).await;
        let phase = shared.phase.get();
        let answered = tokio::time::timeout(ANSWER_TIMEOUT, log_in(server, number)).await;
        let failure = match answered {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(format!("log-in: {error:#}")),
            Err(_) => Some("log-in: no answer".to_owned()),
        };
        let mut found = shared.found.borrow_mut();
        let moves = found.entry(phase).or_default();
        moves.log_ins[usize::from(failure.is_some())] += 1;
        if let Some(failure) = failure {
            moves.show(&failure);
        }
    }
}

impl Shared {
    fn note(&self, phase: Phase, took: Duration, failure: Option<&str>) {
        let mut found = self.found.borrow_mut();
        let moves = found.entry(phase).or_default();
        if let Some(failure) = failure {
            moves.failed += 1;
            moves.show(failure);
        } else {
            moves.latencies.saturating_record(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        }
    }
}

/// Runs `work` where players can be started.
///
/// # Errors
/// Those of `work`.
pub async fn with_room_for_players<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    LocalSet::new().run_until(work).await
}
