//! Honest players, who keep moving, looking and logging in during attacks.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::rc::Rc;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use serde_json::json;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::error::Elapsed;
use tokio::time::{sleep, timeout};

use super::peers::HONEST_PROXY;
use super::request::Request;
use crate::client::{Connection, get};
use crate::load::histogram;
use crate::script::{Script, handle};
use crate::seeding::Seeder;

/// The address of honest players: limits count each peer by itself.
pub const PLAYERS_ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// The number of players, each on a keep-alive connection of its own.
pub const PLAYERS: usize = 8;

/// How long each player thinks between the answer to a move and the next move.
pub const THINK_TIME: Duration = Duration::from_millis(30);

/// How many moves a player makes between two views of the game, in turn by the API and at its page.
const MOVES_OF_A_VIEW: usize = 5;

/// How often a player who was here before logs in, in turn from each known network: each may all the time, by its own rate.
const LOG_IN_INTERVAL: Duration = Duration::from_secs(2);

/// The number of players who log in, in turn: attackers guess their passwords, too.
const NAMES: usize = 100;

/// Their password.
pub const PASSWORD: &str = "correct horse battery staple";

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

/// What players do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    Move,
    View,
    LogIn,
}

impl Action {
    pub const ALL: [Self; 3] = [Self::Move, Self::View, Self::LogIn];

    /// In words, of several.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Move => "moves",
            Self::View => "views",
            Self::LogIn => "log-ins",
        }
    }
}

/// The actions of one kind in one phase.
#[derive(Clone)]
pub struct Measured {
    /// Of those that succeeded, in microseconds.
    pub latencies: Histogram<u64>,
    pub failed: u64,
}

impl Default for Measured {
    fn default() -> Self {
        Self { latencies: histogram(), failed: 0 }
    }
}

impl Measured {
    /// In milliseconds.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn quantile_ms(&self, quantile: f64) -> f64 {
        self.latencies.value_at_quantile(quantile) as f64 / 1000.0
    }

    /// How many there were, with those that failed.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.latencies.len() + self.failed
    }
}

/// What players did in one phase.
#[derive(Clone, Default)]
pub struct PhaseResults {
    actions: BTreeMap<Action, Measured>,
    /// The errors of the first failures.
    pub shown: Vec<String>,
}

impl PhaseResults {
    #[must_use]
    pub fn of(&self, action: Action) -> Measured {
        self.actions.get(&action).cloned().unwrap_or_default()
    }

    /// Adds another part of the run.
    pub fn add(&mut self, other: &Self) {
        for (action, more) in &other.actions {
            let measured = self.actions.entry(*action).or_default();
            measured.latencies.add(&more.latencies).expect("histograms of one kind");
            measured.failed += more.failed;
        }
        for why in &other.shown {
            self.show(why);
        }
    }

    fn note(&mut self, action: Action, took: Duration, failure: Option<&str>) {
        let measured = self.actions.entry(action).or_default();
        let Some(failure) = failure else {
            let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
            return measured.latencies.saturating_record(microseconds);
        };
        measured.failed += 1;
        self.show(&format!("{}: {failure}", action.plural()));
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
    found: RefCell<BTreeMap<Phase, PhaseResults>>,
    /// Whether a player had no game left to play.
    has_run_out: Cell<bool>,
}

/// Running players.
pub struct Honest {
    shared: Rc<Shared>,
    players: JoinSet<()>,
}

impl Honest {
    /// Starts the players, who come also from networks beside attackers; must be called within a [`LocalSet`].
    ///
    /// # Errors
    /// The server accepts no connections.
    pub async fn start(server: SocketAddr, neighbours: &[Ipv6Addr]) -> anyhow::Result<Self> {
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
        let homes: Vec<_> = std::iter::once(None).chain(neighbours.iter().copied().map(Some)).collect();
        let mut proxy = Connection::open_from(HONEST_PROXY, server).await?;
        for (number, home) in homes.iter().enumerate() {
            log_in(server, &mut proxy, number, *home).await?;
        }
        players.spawn_local(keep_logging_in(server, proxy, homes, Rc::clone(&shared)));
        Ok(Self { shared, players })
    }

    /// Adds games to play.
    pub fn bring(&self, games: Vec<Script>) {
        self.shared.games.borrow_mut().extend(games);
    }

    /// Counts what players do from now on in `phase`.
    pub fn enter(&self, phase: Phase) {
        self.shared.phase.set(phase);
    }

    /// What players did in `phase` since the last call.
    #[must_use]
    pub fn take(&self, phase: Phase) -> PhaseResults {
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
        let views = [game.view.clone(), get(&format!("/games/{}", game.id), None)];
        for (number, request) in game.moves.iter().enumerate() {
            let mut goes_on = ask(&mut connection, Action::Move, request, &shared).await;
            if goes_on && number % MOVES_OF_A_VIEW == 0 {
                let view = &views[number / MOVES_OF_A_VIEW % views.len()];
                goes_on = ask(&mut connection, Action::View, view, &shared).await;
            }
            if !goes_on {
                if let Ok(new) = Connection::open_from(PLAYERS_ADDRESS, server).await {
                    connection = new;
                }
                break;
            }
            sleep(THINK_TIME).await;
        }
    }
}

/// Sends a player's request and notes what became of it; false if it failed. It counts in the phase in which it began.
async fn ask(connection: &mut Connection, action: Action, request: &[u8], shared: &Shared) -> bool {
    let (phase, sent) = (shared.phase.get(), Instant::now());
    let answered = timeout(ANSWER_TIMEOUT, connection.expect(request)).await;
    let failure = failure_of(answered.map(|answered| answered.map(|_| ())));
    shared.note(phase, action, sent.elapsed(), failure.as_deref());
    failure.is_none()
}

fn failure_of(answered: Result<anyhow::Result<()>, Elapsed>) -> Option<String> {
    match answered {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("{error:#}")),
        Err(_) => Some("no answer".to_owned()),
    }
}

/// Gives all seeded players the password of one who registers.
///
/// # Errors
/// The server or the database refused.
pub async fn give_passwords(server: SocketAddr, seeder: &Seeder) -> anyhow::Result<()> {
    let body = json!({"handle": "registered", "email": "registered@example.org", "password": PASSWORD});
    let request = Request::new("POST", "/api/v1/accounts").json(body.to_string());
    send(server, request).await?;
    let same = "update players set password_hash = registered.password_hash from players registered \
                where registered.handle = 'registered' and players.handle like 'player-%';\n";
    Ok(seeder.run(same).await?)
}

/// Logs in from this machine, by a new connection, or from a network behind the proxy, which keeps one.
async fn log_in(
    server: SocketAddr,
    proxy: &mut Connection,
    number: usize,
    home: Option<Ipv6Addr>,
) -> anyhow::Result<()> {
    let body = json!({"login": handle(number % NAMES), "password": PASSWORD}).to_string();
    let request = Request::new("POST", "/api/v1/sessions");
    let Some(home) = home else { return send(server, request.json(body)).await };
    if proxy.closes {
        *proxy = Connection::open_from(HONEST_PROXY, server).await?;
    }
    proxy.expect(&request.header("X-Forwarded-For", home.to_string()).json(body).bytes()).await?;
    Ok(())
}

/// Sends a request over a connection of its own.
async fn send(server: SocketAddr, request: Request) -> anyhow::Result<()> {
    let mut connection = Connection::open_from(PLAYERS_ADDRESS, server).await?;
    connection.expect(&request.bytes()).await?;
    Ok(())
}

async fn keep_logging_in(
    server: SocketAddr,
    mut proxy: Connection,
    homes: Vec<Option<Ipv6Addr>>,
    shared: Rc<Shared>,
) {
    for (number, home) in (1..).zip(homes.into_iter().cycle()) {
        sleep(LOG_IN_INTERVAL).await;
        let (phase, sent) = (shared.phase.get(), Instant::now());
        let answered = timeout(ANSWER_TIMEOUT, log_in(server, &mut proxy, number, home)).await;
        let failure = failure_of(answered);
        if failure.is_some()
            && let Ok(new) = Connection::open_from(HONEST_PROXY, server).await
        {
            proxy = new;
        }
        let failure = failure.map(|why| format!("{why} ({})", home.map_or("apart", |_| "beside attackers")));
        shared.note(phase, Action::LogIn, sent.elapsed(), failure.as_deref());
    }
}

impl Shared {
    fn note(&self, phase: Phase, action: Action, took: Duration, failure: Option<&str>) {
        self.found.borrow_mut().entry(phase).or_default().note(action, took, failure);
    }
}

/// Runs `work` where players can be started.
///
/// # Errors
/// Those of `work`.
pub async fn with_room_for_players<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    LocalSet::new().run_until(work).await
}
