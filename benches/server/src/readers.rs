//! Measures idle readers of server-sent events: what each costs the server in memory, how soon all of them have an event, and what
//! moves lose beside them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::client::Connection;
use super::cpu;
use super::measure::Measure;
use super::report::{line, median};
use super::rounds::{Setup, seed};
use super::script::Script;

/// Readers at once.
const READERS: usize = 10_000;

/// The same in a smoke test.
const READERS_WHEN_QUICK: usize = 40;

/// The most rounds: each opens all readers anew.
const MAX_ROUNDS: u16 = 3;

/// Events told to all readers in a round.
const EVENTS: usize = 5;

/// The measure of moves beside readers and without.
const MOVES: Measure = Measure::Moves { connections: 64 };

/// Readers that connect at once.
const CONNECTING: usize = 64;

/// The longest wait for all readers to connect, and to have an event.
const TIMEOUT: Duration = Duration::from_mins(1);

/// After how long the server has noticed, by the second heartbeat, that readers are gone.
const GONE_AFTER: Duration = Duration::from_secs(36);

/// What a reader's connection reads at once, in bytes: an event is smaller.
const READ_BYTES: usize = 4096;

/// The results of one round.
struct Round {
    /// The server's memory for each reader, in bytes.
    bytes: f64,
    /// From before each move was sent until the last reader had its event, in seconds.
    told: Vec<f64>,
    /// Moves a second without readers, and beside them.
    moves: [f64; 2],
}

/// Measures all three.
///
/// # Errors
/// The server failed, or a reader was not told of an event.
pub async fn run(setup: &mut Setup) -> anyhow::Result<()> {
    let readers = if setup.args.quick { READERS_WHEN_QUICK } else { READERS };
    println!("\n{readers} readers of server-sent events on one process, all of one game\n");
    println!(
        "{:>12} {:>12} {:>12} {:>14} {:>14}",
        "bytes each", "told, s", "at most, s", "moves/s", "beside"
    );
    let mut rounds = Vec::new();
    for number in 0..setup.args.rounds.min(MAX_ROUNDS) {
        if number > 0 {
            tokio::time::sleep(GONE_AFTER).await;
        }
        let done = round(setup, readers).await?;
        let [without, beside] = done.moves;
        let most = done.told.iter().copied().fold(0.0, f64::max);
        let told = median(done.told.iter().copied());
        println!("{:>12.0} {told:>12.3} {most:>12.3} {without:>14.0} {beside:>14.0}", done.bytes);
        rounds.push(done);
    }
    println!();
    let bytes = median(rounds.iter().map(|round| round.bytes));
    line("bytes of the server's memory a reader", bytes, "at most 16,384");
    let most = rounds.iter().flat_map(|round| &round.told).copied().fold(0.0, f64::max);
    line("s until all readers have an event, at most", most, "at most 1");
    let ratio = median(rounds.iter().map(|round| round.moves[1] / round.moves[0]));
    line("moves beside readers / without", ratio, "at least 0.9");
    Ok(())
}

async fn round(setup: &mut Setup, count: usize) -> anyhow::Result<Round> {
    let without = moves(setup).await?;
    let script = seed(&setup.seeder, &mut setup.author, 1, 0).await?.pop().context("a game was made")?;
    let before = cpu::memory(setup.server.pid()).0;
    let readers = Readers::open(setup, &script, count).await?;
    let beside = moves(setup).await?;
    let told = tell(setup, &script, &readers).await?;
    // After heartbeats, moves and events, so that whatever they leave behind counts.
    let after = cpu::memory(setup.server.pid()).0;
    readers.all_there()?;
    #[allow(clippy::cast_precision_loss)]
    let bytes = after.saturating_sub(before) as f64 / count as f64;
    Ok(Round { bytes, told, moves: [without, beside] })
}

/// Moves a second now.
async fn moves(setup: &mut Setup) -> anyhow::Result<f64> {
    let mut found = setup.measure(&[MOVES], 1).await?;
    let rounds = found.remove(&MOVES).context("moves were measured")?;
    Ok(rounds.first().context("one round")?.rate())
}

/// Makes moves in the game that all read; returns how long the last reader waited for each.
async fn tell(setup: &Setup, script: &Script, readers: &Readers) -> anyhow::Result<Vec<f64>> {
    let mut connection = Connection::open(setup.server.address).await?;
    let mut told = Vec::with_capacity(EVENTS);
    for (index, request) in script.moves.iter().take(EVENTS).enumerate() {
        let sent = Instant::now();
        connection.expect(request).await?;
        readers.heard(index + 1).await?;
        told.push(sent.elapsed().as_secs_f64());
    }
    if told.is_empty() {
        bail!("a game without moves");
    }
    Ok(told)
}

/// What all readers have heard.
#[derive(Default)]
struct Heard {
    events: AtomicUsize,
    changed: Notify,
}

/// Open streams. Dropping this closes them.
struct Readers {
    heard: Arc<Heard>,
    tasks: JoinSet<anyhow::Result<()>>,
    count: usize,
}

impl Readers {
    /// Opens `count` streams of the events of a game after its first, with the tokens of all players in turn.
    async fn open(setup: &Setup, script: &Script, count: usize) -> anyhow::Result<Self> {
        let heard = Arc::new(Heard::default());
        let (mut tasks, mut connecting) = (JoinSet::new(), JoinSet::new());
        let requests = setup.players.iter().map(|player| request(script, &player.token)).cycle().take(count);
        let mut requests = requests.peekable();
        while requests.peek().is_some() || !connecting.is_empty() {
            while connecting.len() < CONNECTING
                && let Some(request) = requests.next()
            {
                connecting.spawn(connect(setup.server.address, request));
            }
            let connected = timeout(TIMEOUT, connecting.join_next()).await?.context("some connect")?;
            tasks.spawn(listen(connected??, Arc::clone(&heard)));
        }
        Ok(Self { heard, tasks, count })
    }

    /// Waits until every reader has had `events` events.
    async fn heard(&self, events: usize) -> anyhow::Result<()> {
        let wanted = events * self.count;
        let all = async {
            while self.heard.events.load(Ordering::Relaxed) < wanted {
                self.heard.changed.notified().await;
            }
        };
        timeout(TIMEOUT, all).await.context("not every reader was told")
    }

    /// Fails if a stream has ended, or if an event was told twice.
    fn all_there(&self) -> anyhow::Result<()> {
        let heard = self.heard.events.load(Ordering::Relaxed);
        if self.tasks.len() != self.count || !heard.is_multiple_of(self.count) {
            bail!("{} of {} readers are there, with {heard} events", self.tasks.len(), self.count);
        }
        Ok(())
    }
}

fn request(script: &Script, token: &str) -> Vec<u8> {
    let id = script.id;
    format!(
        "GET /api/v1/games/{id}/feed?after={id}:0 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\
         Authorization: Bearer {token}\r\n\r\n"
    )
    .into_bytes()
}

/// Opens a stream, and waits until it has begun.
async fn connect(address: std::net::SocketAddr, request: Vec<u8>) -> anyhow::Result<TcpStream> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(&request).await?;
    let mut head = Vec::with_capacity(READ_BYTES);
    while !contains(&head, b"retry: ") {
        if stream.read_buf(&mut head).await? == 0 {
            bail!("no stream: {}", String::from_utf8_lossy(&head));
        }
    }
    Ok(stream)
}

/// Counts the events of a stream until it ends.
async fn listen(stream: TcpStream, heard: Arc<Heard>) -> anyhow::Result<()> {
    loop {
        // Room is needed only while there is something to read.
        stream.readable().await?;
        let mut buffer = [0; READ_BYTES];
        let length = match stream.try_read(&mut buffer) {
            Ok(0) => bail!("the server closed a stream"),
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => continue,
            Err(error) => return Err(error.into()),
        };
        if contains(&buffer[..length], b"id: ") {
            heard.events.fetch_add(1, Ordering::Relaxed);
            heard.changed.notify_one();
        }
    }
}

fn contains(text: &[u8], what: &[u8]) -> bool {
    text.windows(what.len()).any(|window| window == what)
}
