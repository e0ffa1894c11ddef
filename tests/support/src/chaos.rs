//! A proxy for HTTP that treats connections badly, by a seed: it cuts, stalls and delays answers and sends requests twice.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The longest delay of a piece, in milliseconds.
const MAX_DELAY_MS: u32 = 4;

/// What happens to a connection.
#[derive(Clone, Copy, Debug)]
struct Fate {
    /// Nothing passes after so many bytes of answers.
    after_bytes: usize,
    /// The connection stays open then, and is silent.
    stalls: bool,
    /// Each piece is held back for so long.
    delay: Duration,
    /// The request goes to two servers, and the answer of the first counts.
    is_doubled: bool,
}

struct Shared {
    servers: Vec<SocketAddr>,
    /// The most bytes of a connection's answers that pass before something happens.
    most_bytes: u32,
    random: Mutex<ChaCha20Rng>,
    cuts: watch::Sender<usize>,
    is_calm: AtomicBool,
}

/// The proxy, stopped on drop.
pub struct Chaos {
    pub url: String,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

impl Chaos {
    /// A proxy in front of these servers, each connection to one of them, of which at most so many bytes pass.
    pub async fn before(servers: Vec<SocketAddr>, most_bytes: u32, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let shared = Arc::new(Shared {
            servers,
            most_bytes,
            random: Mutex::new(ChaCha20Rng::seed_from_u64(seed)),
            cuts: watch::Sender::new(0),
            is_calm: AtomicBool::new(false),
        });
        let listening = tokio::spawn(listen(listener, Arc::clone(&shared)));
        Self { url, shared, listening }
    }

    /// How many connections were cut or stalled while their answers came.
    pub fn cuts(&self) -> usize {
        *self.shared.cuts.borrow()
    }

    /// Waits until there were so many.
    pub async fn wait_for_cuts(&self, wanted: usize) {
        let mut cuts = self.shared.cuts.subscribe();
        cuts.wait_for(|cuts| *cuts >= wanted).await.expect("the proxy runs");
    }

    /// From now on connections are treated well.
    pub fn calm_down(&self) {
        self.shared.is_calm.store(true, Ordering::Relaxed);
    }
}

impl Drop for Chaos {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Shared {
    fn draw(&self) -> (SocketAddr, SocketAddr, Fate) {
        let mut random = self.random.lock().expect("no panic");
        let mut below = |most: u32| random.next_u32() % most;
        let first = below(2) as usize % self.servers.len();
        let fate = Fate {
            after_bytes: below(self.most_bytes) as usize,
            stalls: below(8) == 0,
            delay: Duration::from_millis(if below(3) == 0 { below(MAX_DELAY_MS).into() } else { 0 }),
            is_doubled: below(4) == 0,
        };
        (self.servers[first], self.servers[(first + 1) % self.servers.len()], fate)
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((client, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            // Either side may hang up at any time, and a server may be gone.
            let _hung_up = carry(client, &shared).await;
        });
    }
}

async fn carry(mut client: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let (first, second, mut fate) = shared.draw();
    if shared.is_calm.load(Ordering::Relaxed) {
        fate = Fate { after_bytes: usize::MAX, stalls: false, delay: Duration::ZERO, is_doubled: false };
    }
    let mut server = match TcpStream::connect(first).await {
        Ok(server) => server,
        Err(_) => TcpStream::connect(second).await?,
    };
    let mut double = if fate.is_doubled { TcpStream::connect(second).await.ok() } else { None };
    let (mut up, mut down, mut passed) = (vec![0; 1 << 14], vec![0; 1 << 14], 0);
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let asked = &up[..read?];
                if asked.is_empty() {
                    return Ok(());
                }
                server.write_all(asked).await?;
                if let Some(twice) = &mut double
                    && twice.write_all(asked).await.is_err()
                {
                    double = None;
                }
            }
            read = server.read(&mut down) => {
                let mut said = &down[..read?];
                if said.is_empty() {
                    return Ok(());
                }
                if !fate.delay.is_zero() {
                    tokio::time::sleep(fate.delay).await;
                }
                let ends = passed + said.len() > fate.after_bytes;
                if ends {
                    said = &said[..fate.after_bytes - passed];
                }
                client.write_all(said).await?;
                passed += said.len();
                if ends {
                    shared.cuts.send_modify(|cuts| *cuts += 1);
                    if fate.stalls {
                        // Until the client gives up.
                        while client.read(&mut up).await? > 0 {}
                    }
                    return Ok(());
                }
            }
        }
    }
}
