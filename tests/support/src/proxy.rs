//! A proxy for PostgreSQL that loses answers or requests when a test says so.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pippost::store::Address;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_postgres::config::Host;

/// What happens to the next connection that sends the planned bytes, and to all its later data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The connection is closed before PostgreSQL has received the bytes.
    Request,
    /// PostgreSQL receives them and answers, but no answer arrives; the connection stays open until [`Proxy::cut`].
    Answer,
}

struct Shared {
    upstream: PathBuf,
    /// The bytes to look for.
    planned: Mutex<Option<(Loss, &'static [u8])>>,
}

/// The proxy, stopped on drop.
pub struct Proxy {
    port: u16,
    shared: Arc<Shared>,
    cuts: watch::Sender<u32>,
    listening: JoinHandle<()>,
}

/// The Unix socket of a server on this machine that is known by its port.
async fn socket_of(address: &Address) -> PathBuf {
    use diesel::QueryableByName;
    use diesel_async::RunQueryDsl;

    #[derive(QueryableByName)]
    struct Folder {
        #[diesel(sql_type = diesel::sql_types::Text)]
        folder: String,
    }
    let mut connection = pippost::store::database::open(address).await.expect("a connection");
    let asked = diesel::sql_query("select current_setting('unix_socket_directories') as folder");
    let found: Folder = asked.get_result(&mut connection).await.expect("a folder");
    let port = address.config().get_ports().first().copied().unwrap_or(5432);
    PathBuf::from(found.folder).join(format!(".s.PGSQL.{port}"))
}

impl Proxy {
    /// A proxy for the PostgreSQL at `address`.
    pub async fn to(address: &Address) -> Self {
        let upstream = match address.config().get_hosts().first() {
            Some(Host::Unix(folder)) => folder.join(".s.PGSQL.5432"),
            _ => socket_of(address).await,
        };
        let shared = Arc::new(Shared { upstream, planned: Mutex::default() });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let cuts = watch::Sender::new(0);
        let listening = tokio::spawn(listen(listener, shared.clone(), cuts.clone()));
        Self { port, shared, cuts, listening }
    }

    /// The same database through the proxy.
    pub fn address(&self, address: &Address) -> Address {
        let (user, name) = (address.config().get_user(), address.config().get_dbname());
        let (user, name) = (user.expect("a role"), name.expect("a database"));
        let text = format!("host=127.0.0.1 port={} user={user} dbname={name} sslmode=disable", self.port);
        Address::parse(&text, None).expect("an address")
    }

    /// Plans a loss on the next connection that sends `bytes`.
    pub fn lose(&self, loss: Loss, bytes: &'static [u8]) {
        *self.shared.planned.lock().expect("no panic") = Some((loss, bytes));
    }

    /// Whether the planned loss has happened.
    pub fn has_struck(&self) -> bool {
        self.shared.planned.lock().expect("no panic").is_none()
    }

    /// Closes the connections whose answers are lost.
    pub fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>, cuts: watch::Sender<u32>) {
    while let Ok((client, _)) = listener.accept().await {
        let (shared, cut) = (shared.clone(), cuts.subscribe());
        tokio::spawn(async move {
            // Either side may hang up at any time.
            let _hung_up = carry(client, &shared, cut).await;
        });
    }
}

async fn carry(mut client: TcpStream, shared: &Shared, mut cut: watch::Receiver<u32>) -> std::io::Result<()> {
    let mut server = UnixStream::connect(&shared.upstream).await?;
    let (mut up, mut down) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let mut lost = false;
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let said = &up[..read?];
                if said.is_empty() {
                    return Ok(());
                }
                match struck(shared, said) {
                    Some(Loss::Request) => return Ok(()),
                    Some(Loss::Answer) => lost = true,
                    None => {}
                }
                server.write_all(said).await?;
            }
            read = server.read(&mut down) => {
                let heard = &down[..read?];
                if heard.is_empty() && !lost {
                    return Ok(());
                }
                if !lost {
                    client.write_all(heard).await?;
                }
            }
            _ = cut.changed(), if lost => return Ok(()),
        }
    }
}

fn struck(shared: &Shared, said: &[u8]) -> Option<Loss> {
    let mut planned = shared.planned.lock().expect("no panic");
    let (loss, bytes) = (*planned)?;
    said.windows(bytes.len()).any(|window| window == bytes).then(|| {
        *planned = None;
        loss
    })
}
