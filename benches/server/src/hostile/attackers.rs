//! The attackers: one thread with all connections of all attacks. It has the priority of everything else: at a lower one its requests
//! wait for a processor, and come in bursts.

use std::net::{IpAddr, SocketAddr};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context;
use nix::sys::socket::{setsockopt, sockopt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::answer::{self, Answer};
use super::attack_data::AttackData;
use super::attacks::{Attack, MakeRequest, Manner};
use super::costly_mails::Letter;
use super::lmtp::Session;
use super::random::Random;
use super::request::Request;
use super::tally::{Outcome, Tally};
use crate::client::connect_from;

/// How long an attacker waits for an answer, or for its connection.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// The number of requests over one connection before another is opened, from a new random address.
const REQUESTS_OF_A_CONNECTION: usize = 16;

/// The bytes and the interval of a slow reader: a little faster than the server requires.
const SLOW_READ_BYTES: usize = 8 * 1024;
const SLOW_READ_INTERVAL: Duration = Duration::from_secs(10);

/// The receive buffer of a slow reader, in bytes.
const SLOW_READ_BUFFER_BYTES: usize = 4 * 1024;

/// The bytes and the interval of a slow writer: a little faster than the server requires.
const SLOW_WRITE_BYTES: usize = 1100;
const SLOW_WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// Running attackers.
pub struct Attackers {
    tally: Arc<Mutex<Tally>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Attackers {
    /// Starts all `attacks` on the server of `data`.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(attacks: Vec<Attack>, data: AttackData) -> anyhow::Result<Self> {
        let tally = Arc::new(Mutex::new(Tally::default()));
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let counted = Arc::clone(&tally);
        let attack = move || {
            let room = LocalSet::new();
            let data = Rc::new(data);
            for attack in attacks {
                for number in 0..attack.connections {
                    let attacker = Attacker::new(attack, number, &data, &counted);
                    room.spawn_local(attacker.attack());
                }
            }
            runtime.block_on(room.run_until(async {
                let _ = stopped.await;
            }));
        };
        let thread = std::thread::Builder::new().name("attackers".to_owned()).spawn(attack)?;
        Ok(Self { tally, stop: Some(stop), thread: Some(thread) })
    }

    /// Makes all of them hang up, and returns the outcomes.
    ///
    /// # Errors
    /// An attacker panicked.
    pub fn stop(mut self) -> anyhow::Result<Tally> {
        self.hang_up().context("an attacker panicked")?;
        Ok(tally(&self.tally).clone())
    }

    fn hang_up(&mut self) -> Option<()> {
        drop(self.stop.take());
        self.thread.take().map_or(Some(()), |thread| thread.join().ok())
    }
}

impl Drop for Attackers {
    fn drop(&mut self) {
        let _ = self.hang_up();
    }
}

fn tally(tally: &Mutex<Tally>) -> MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens an attack's connections one after the other.
struct Attacker {
    plan: Attack,
    random: Random,
    data: Rc<AttackData>,
    tally: Arc<Mutex<Tally>>,
    number: usize,
}

impl Attacker {
    fn new(plan: Attack, number: usize, data: &Rc<AttackData>, tally: &Arc<Mutex<Tally>>) -> Self {
        let random = Random::new(plan.name, number);
        Self { plan, random, data: Rc::clone(data), tally: Arc::clone(tally), number }
    }

    async fn attack(mut self) {
        let pause = self.plan.pause();
        // Spreads the attackers over time.
        let mut next = Instant::now() + pause.mul_f64(self.part());
        loop {
            let connection = self.connect(&mut next, pause).await;
            match self.plan.manner {
                Manner::Ask(make) => self.ask(connection, make, &mut next, pause).await,
                Manner::ReadSlowly(make) => self.read_slowly(connection, make).await,
                Manner::WriteSlowly(make) => self.write_slowly(connection, make).await,
                Manner::Hold(make) => self.hold(connection, make).await,
                Manner::HangUp(make) => self.hang_up(connection, make).await,
                Manner::Glance(make) => self.glance(connection, make).await,
                Manner::Deliver(write) => self.deliver(connection, write, &mut next, pause).await,
            }
        }
    }

    /// What to connect to.
    fn server(&self) -> SocketAddr {
        match self.plan.manner {
            Manner::Deliver(_) => self.data.lmtp,
            _ => self.data.server,
        }
    }

    /// The next request, as its proxy passes it on if it comes by one.
    fn request(&mut self, make: MakeRequest) -> Request {
        let request = make(&self.data, &mut self.random);
        match self.plan.behind_proxy(&mut self.random) {
            Some(client) => request.header("X-Forwarded-For", client.to_string()),
            None => request,
        }
    }

    /// This attacker's place among all, from 0 to 1.
    #[allow(clippy::cast_precision_loss)]
    fn part(&self) -> f64 {
        self.number as f64 / self.plan.connections.max(1) as f64
    }

    fn count(&self, outcome: Outcome) {
        tally(&self.tally).count(self.plan.name, outcome);
    }

    async fn connect(&mut self, next: &mut Instant, pause: Duration) -> TcpStream {
        loop {
            sleep_until(*next).await;
            *next = (*next + pause).max(Instant::now());
            let from = self.plan.address(&mut self.random);
            match timeout(ANSWER_TIMEOUT, connect_from(IpAddr::V4(from), self.server())).await {
                Ok(Ok(connection)) => return connection,
                Ok(Err(_)) => self.count(Outcome::NotTaken),
                Err(_) => self.count(Outcome::Silence),
            }
        }
    }

    /// Sends requests and reads the answers at once.
    async fn ask(
        &mut self,
        mut connection: TcpStream,
        make: MakeRequest,
        next: &mut Instant,
        pause: Duration,
    ) {
        for _ in 0..REQUESTS_OF_A_CONNECTION {
            let request = self.request(make);
            let outcome = match timeout(ANSWER_TIMEOUT, answer::ask(&mut connection, &request)).await {
                Ok(Some(answer)) => self.judge(&request, &answer),
                Ok(None) => Outcome::CutOff,
                Err(_) => Outcome::Silence,
            };
            self.count(outcome);
            if !matches!(outcome, Outcome::Status(_)) {
                return;
            }
            sleep_until(*next).await;
            *next = (*next + pause).max(Instant::now());
        }
    }

    /// Records an answer that no attack may get.
    fn judge(&self, request: &Request, answer: &Answer) -> Outcome {
        let is_fault = answer.status >= 500 && !(answer.status == 503 && answer.says_when);
        if is_fault {
            let asked = String::from_utf8_lossy(&request.head[..request.head.len().min(200)]).into_owned();
            let answered = format!("{} {}", answer.status, String::from_utf8_lossy(&answer.beginning));
            let asked = asked.lines().next().unwrap_or_default().escape_debug().to_string();
            tally(&self.tally).fault(self.plan.name, &asked, &answered);
        }
        Outcome::Status(answer.status)
    }

    async fn read_slowly(&mut self, mut connection: TcpStream, make: MakeRequest) {
        let request = self.request(make);
        keep_little(&connection);
        if connection.write_all(&request.whole_head()).await.is_err() {
            return self.count(Outcome::CutOff);
        }
        let mut piece = vec![0; SLOW_READ_BYTES];
        loop {
            match connection.read(&mut piece).await {
                Ok(0) | Err(_) => return self.count(Outcome::CutOff),
                Ok(_) => self.count(Outcome::Held),
            }
            sleep(SLOW_READ_INTERVAL).await;
        }
    }

    async fn write_slowly(&mut self, mut connection: TcpStream, make: MakeRequest) {
        let request = self.request(make);
        let bytes = [request.whole_head(), request.body.to_vec()].concat();
        // The whole head comes first, because otherwise the server would not wait for the body.
        let (first, rest) = bytes.split_at(bytes.len() - request.body.len());
        let mut pieces = std::iter::once(first).chain(rest.chunks(SLOW_WRITE_BYTES));
        let stalls = self.random.below(2) == 0;
        loop {
            let wrote = match pieces.next() {
                Some(piece) => connection.write_all(piece).await.is_ok(),
                None => true,
            };
            let mut said = [0; 512];
            let pause = if stalls { ANSWER_TIMEOUT } else { SLOW_WRITE_INTERVAL };
            match timeout(pause, connection.read(&mut said)).await {
                Err(_) if wrote => {}
                Ok(Ok(length)) if length > 0 => {
                    let status = answer::status(&said[..length]);
                    return self.count(status.map_or(Outcome::CutOff, Outcome::Status));
                }
                _ => return self.count(Outcome::CutOff),
            }
        }
    }

    /// Holds a connection, silently or with the beginning of a request.
    async fn hold(&mut self, mut connection: TcpStream, make: MakeRequest) {
        let request = self.request(make);
        let _ = connection.write_all(&request.head).await;
        let mut said = [0; 512];
        match connection.read(&mut said).await {
            Ok(length) if length > 0 => {
                let status = answer::status(&said[..length]);
                self.count(status.map_or(Outcome::CutOff, Outcome::Status));
            }
            _ => self.count(Outcome::CutOff),
        }
    }

    /// Sends a request and does not wait for the answer.
    async fn hang_up(&mut self, mut connection: TcpStream, make: MakeRequest) {
        let request = self.request(make);
        let _ = connection.write_all(&request.whole_head()).await;
        self.count(Outcome::Held);
    }

    /// Sends a request, reads the beginning of the answer and hangs up.
    async fn glance(&mut self, mut connection: TcpStream, make: MakeRequest) {
        let request = self.request(make);
        let _ = connection.write_all(&request.whole_head()).await;
        let mut said = [0; 512];
        self.count(match timeout(ANSWER_TIMEOUT, connection.read(&mut said)).await {
            Ok(Ok(length)) => answer::status(&said[..length]).map_or(Outcome::CutOff, Outcome::Status),
            Ok(Err(_)) => Outcome::CutOff,
            Err(_) => Outcome::Silence,
        });
    }

    /// Hands in mails in one session.
    async fn deliver(
        &mut self,
        connection: TcpStream,
        write: fn(&AttackData, &mut Random) -> Letter,
        next: &mut Instant,
        pause: Duration,
    ) {
        let Ok(Some(mut session)) = timeout(ANSWER_TIMEOUT, Session::open(connection)).await else {
            return self.count(Outcome::CutOff);
        };
        for _ in 0..REQUESTS_OF_A_CONNECTION {
            let letter = write(&self.data, &mut self.random);
            let outcome = match timeout(ANSWER_TIMEOUT, session.deliver(&letter)).await {
                Ok(Some(code)) => Outcome::Reply(code),
                Ok(None) => Outcome::CutOff,
                Err(_) => Outcome::Silence,
            };
            self.count(outcome);
            if !matches!(outcome, Outcome::Reply(_)) {
                return;
            }
            // The attack's rate is a setting.
            sleep_until(*next).await;
            *next = (*next + pause).max(Instant::now());
        }
    }
}

/// Sets small windows, so that unread data stays with the server.
fn keep_little(connection: &TcpStream) {
    // A larger buffer only weakens the attack.
    let _ = setsockopt(connection, sockopt::RcvBuf, &SLOW_READ_BUFFER_BYTES);
}
