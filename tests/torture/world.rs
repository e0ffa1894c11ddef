//! What is tortured: a database, two servers, a worker, the ends of mails, webhooks and web push, a beacon, and the wires between them.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use support::beacon::{self, Endpoint};
use support::port::free_port;
use support::program::program;
use support::push_service::PushService;
use support::receiver::Receiver;
use support::skipped::skipped;
use support::smtp_sink::{SmtpSink, Treatment};
use tempfile::TempDir;

use super::arguments::{Arguments, Planted};
use super::disk::{Database, Preload};
use super::process::{Process, Recipe, database_url};
use super::wire::{End, Manner, Wire};

/// How the mail server treats mails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum MailMood {
    Taking = 0,
    /// It takes each mail and hangs up.
    HangingUp = 1,
    /// It takes none now.
    PuttingOff = 2,
}

pub const SERVERS: usize = 2;

/// The wires by their places: of the servers and the worker to the database, of clients to the servers, of the worker to others.
pub const WIRES: [&str; 8] = [
    "server 1 to database",
    "server 2 to database",
    "worker to database",
    "clients to server 1",
    "clients to server 2",
    "worker to mail server",
    "worker to push service",
    "worker to beacon",
];
const TO_CLIENTS: usize = 3;
const TO_MAIL: usize = 5;
const TO_PUSHES: usize = 6;
const TO_BEACON: usize = 7;

/// Messages by web push about the end of a game that are not sent yet: of notices nobody has claimed, and of the queue.
const WAITING_PUSHES: &str = "select p.handle, n.game_id::text from notices n join players p on p.id = n.player_id
    where n.kind = 'game_over' and (not n.fanned_out or exists (select from push_messages m where m.notice_id = n.id))";

pub struct World {
    /// Dropped in this order: the processes before what they need.
    pub processes: Vec<Process>,
    pub wires: Vec<Wire>,
    pub database: Database,
    pub mails: SmtpSink,
    pub mail_mood: Arc<AtomicU8>,
    pub hooks: Receiver,
    /// The newest event of each game that a webhook was told.
    pub told: BTreeMap<String, u64>,
    pub pushes: PushService,
    pub beacon: Endpoint,
    pub has_preload: bool,
    ports: [u16; SERVERS],
    http: reqwest::Client,
    pub folder: TempDir,
}

impl World {
    pub async fn begin(arguments: &Arguments) -> Self {
        let folder = tempfile::Builder::new().prefix("torture").tempdir_in("/var/tmp").expect("a folder");
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(), open).expect("an open folder");
        let preload = Preload::build(folder.path());
        let durable = arguments.planted != Some(Planted::SkippedSync);
        let path = folder.path().to_owned();
        let (database, preload) =
            tokio::task::spawn_blocking(move || (Database::start(&path, &preload, durable), preload))
                .await
                .expect("a database");
        let mail_mood = Arc::new(AtomicU8::new(MailMood::Taking as u8));
        let mails = SmtpSink::start(treatment(Arc::clone(&mail_mood))).await;
        let (hooks, pushes, endpoint) = (Receiver::start(), PushService::start(), Endpoint::start());
        let ports = [free_port(), free_port()];
        let mut wires = Vec::new();
        for _ in 0..TO_CLIENTS {
            wires.push(Wire::to(End::Unix(database.socket())).await);
        }
        for port in [ports[0], ports[1], mails.address().port(), pushes.port, endpoint.port] {
            wires.push(Wire::to(End::Tcp(([127, 0, 0, 1], port).into())).await);
        }
        let awaits = awaiting(folder.path(), wires[TO_BEACON].port);
        let recipe = |name, wire: usize, words: Vec<String>| {
            let orders = preload.orders(folder.path(), name);
            let planted = arguments.planted;
            let database = wires[wire].port;
            Process::of(Recipe { name, folder: folder.path(), database, arguments: words, orders, planted })
        };
        let processes = vec![
            recipe("server-1", 0, serve(ports[0])),
            // The games that its last joins make full wait for the beacon.
            recipe("server-2", 1, [serve(ports[1]), awaits.clone()].concat()),
            recipe("worker", 2, [work(wires[TO_MAIL].port), awaits].concat()),
        ];
        let (http, told) = (super::caller::http(Duration::from_secs(5)), BTreeMap::new());
        let has_preload = preload.is_there();
        if !has_preload {
            skipped("failing disks and stepped clocks", "they need a C compiler");
        }
        if !database.can_lose_power() {
            if nix::unistd::geteuid().is_root() {
                println!("no power cuts: this machine mounts no disk images");
            } else {
                skipped("power cuts of the database's disk", "they need root");
            }
        }
        endpoint.behave(beacon::Behavior::Punctual);
        let mut world = Self {
            processes,
            wires,
            database,
            mails,
            mail_mood,
            hooks,
            told,
            pushes,
            beacon: endpoint,
            has_preload,
            ports,
            http,
            folder,
        };
        // One after another: the first makes the tables and the keys.
        for server in 0..SERVERS {
            world.processes[server].keep_running();
            while !world.is_ready(server).await {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        world.processes[SERVERS].keep_running();
        world
    }

    /// Where clients reach the servers.
    pub fn urls(&self) -> [String; SERVERS] {
        [TO_CLIENTS, TO_CLIENTS + 1].map(|wire| format!("http://127.0.0.1:{}", self.wires[wire].port))
    }

    /// Whether a server says that it can serve, asked past its wire.
    pub async fn is_ready(&self, server: usize) -> bool {
        let asked = self.http.get(format!("http://127.0.0.1:{}/readyz", self.ports[server])).send().await;
        asked.is_ok_and(|answer| answer.status().is_success())
    }

    /// Starts again what has ended.
    pub fn keep_running(&mut self) {
        tokio::task::block_in_place(|| self.database.keep_running());
        self.processes.iter_mut().for_each(Process::keep_running);
    }

    /// Ends every fault that lasts.
    pub fn mend(&self) {
        self.database.orders.work_again();
        self.database.signal_all(nix::sys::signal::Signal::SIGCONT);
        for process in &self.processes {
            process.signal(nix::sys::signal::Signal::SIGCONT);
            process.orders.step_clock(0);
        }
        self.wires.iter().for_each(|wire| wire.behave(Manner::Passing));
        self.mail_mood.store(MailMood::Taking as u8, Ordering::Relaxed);
        self.hooks.behave(support::receiver::Behavior::Accepting);
        self.pushes.answer(201, None);
        self.beacon.behave(beacon::Behavior::Punctual);
    }

    /// Where a player's browser takes messages by web push.
    pub fn push_endpoint(&self, handle: &str) -> String {
        format!("http://127.0.0.1:{}/send/{handle}", self.wires[TO_PUSHES].port)
    }

    /// Whom the end of which game is still to be told by web push: handles and games.
    pub async fn db_waiting_pushes(&self) -> BTreeSet<(String, String)> {
        let url = database_url(self.wires[0].port);
        let (client, connection) =
            tokio_postgres::connect(&url, tokio_postgres::NoTls).await.expect("a connection");
        tokio::spawn(connection);
        let rows = client.query(WAITING_PUSHES, &[]).await.expect("rows");
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    }

    /// What `pippost audit` says, and whether it finds nothing.
    pub fn audit(&self) -> (bool, String) {
        let url = database_url(self.wires[0].port);
        let mut command: Command = program(self.folder.path(), "audit", &url, &["audit", "--log", "warn"]);
        let done = command.output().expect("the program");
        (done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned())
    }

    /// Keeps the folder with logs and data, for a look at them.
    pub fn keep(self) -> PathBuf {
        let Self { folder, .. } = self;
        folder.keep()
    }
}

fn treatment(mood: Arc<AtomicU8>) -> impl Fn(usize) -> Treatment + Send + Sync {
    move |_| match mood.load(Ordering::Relaxed) {
        mood if mood == MailMood::HangingUp as u8 => Treatment::AcceptAndClose,
        mood if mood == MailMood::PuttingOff as u8 => Treatment::RefuseMessage("451 4.3.0 not now"),
        _ => Treatment::Accept,
    }
}

/// What servers and worker have in common.
fn common() -> Vec<String> {
    let url = ["--public-url", "http://play.example.org", "--log", "info"];
    let ends = ["--reply-address", support::REPLY_ADDRESS, "--webhooks-anywhere"];
    url.iter().chain(&ends).map(|word| (*word).to_owned()).collect()
}

/// What whoever starts games with the beacon's rounds is told of it.
fn awaiting(folder: &Path, port: u16) -> Vec<String> {
    let chain = folder.join("chain.json");
    std::fs::write(&chain, beacon::info()).expect("a file");
    let words = ["--beacon-url".to_owned(), format!("http://127.0.0.1:{port}"), "--beacon-chain".to_owned()];
    words.into_iter().chain([chain.display().to_string()]).collect()
}

fn serve(port: u16) -> Vec<String> {
    let listen = format!("127.0.0.1:{port}");
    let words = ["serve", "--no-worker", "--listen", &listen];
    let limits = ["--requests-of-a-token", "1000000", "--requests-of-a-peer", "1000000"];
    let trusted = ["--trusted-proxies", "127.0.0.0/8"];
    let own = words.iter().chain(&limits).chain(&trusted).map(|word| (*word).to_owned());
    own.chain(common()).collect()
}

fn work(mail: u16) -> Vec<String> {
    let smtp = format!("smtp://127.0.0.1:{mail}");
    let words = ["work", "--smtp-url", &smtp, "--mails-per-hour-to-address", "0"];
    words.iter().map(|word| (*word).to_owned()).chain(common()).collect()
}
