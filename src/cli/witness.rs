//! `pippost witness`: signs the checkpoints of logs of others (c2sp.org/tlog-witness), and never two that contradict each other.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use actix_web::http::StatusCode;
use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::{Context, bail};
use clap::Args;
use nix::fcntl::{Flock, FlockArg};

use super::known_checkpoint::write;
use super::record_log::read_key;
use crate::keys::random_bytes;
use crate::log::Checkpoint;
use crate::log::checkpoint::cosign;
use crate::log::entry::footer_hash;
use crate::log::note::{KeyKind, Note, SignerKey, VerifierKey, is_name};
use crate::log::witness::{MAX_REQUEST_BYTES, Refusal, Request};

/// The files of the state folder, beside one for each log.
const KEY_FILE: &str = "witness.key";
const LOCK_FILE: &str = "lock";

/// The most connections at once.
const MAX_CONNECTIONS: usize = 256;

#[derive(Args)]
pub struct WitnessArgs {
    /// The name of the witness, as in `witness.example.org/w1`.
    #[arg(long, env = "PIPPOST_WITNESS_NAME")]
    name: String,
    /// Where to listen: address and port. A proxy adds TLS.
    #[arg(long, env = "PIPPOST_WITNESS_LISTEN", default_value = "127.0.0.1:8090")]
    listen: SocketAddr,
    /// Folder of the key, which is created there, and of what was signed. Never go back to an older copy of it: the witness could then
    /// sign what contradicts what it has signed.
    #[arg(long, env = "PIPPOST_WITNESS_STATE")]
    state: PathBuf,
    /// Public keys of the logs whose checkpoints are signed, as `/log/key` of their servers says.
    #[arg(long = "log-key", env = "PIPPOST_WITNESS_LOGS", required = true, value_delimiter = ',', value_parser = read_key)]
    logs: Vec<VerifierKey>,
}

/// A witness with its state folder, which no other process uses.
struct Witness {
    key: SignerKey,
    logs: HashMap<String, VerifierKey>,
    folder: PathBuf,
    /// One checkpoint is decided on and kept at a time.
    deciding: Mutex<()>,
    _lock: Flock<File>,
}

/// Serves until it is stopped.
pub fn run(args: &WitnessArgs) -> anyhow::Result<()> {
    let witness = web::Data::new(Witness::open(args)?);
    let listener = TcpListener::bind(args.listen).with_context(|| args.listen.to_string())?;
    println!("pippost is ready to witness.");
    println!("  address        http://{}", listener.local_addr()?);
    println!("  key            {}", witness.key.verifier());
    let served = async move {
        let make = move || {
            App::new()
                .app_data(witness.clone())
                .app_data(web::PayloadConfig::new(MAX_REQUEST_BYTES))
                .route("/add-checkpoint", web::post().to(add_checkpoint))
                .route("/key", web::get().to(key))
                .route("/{log}/checkpoint", web::get().to(newest))
        };
        HttpServer::new(make).workers(1).max_connections(MAX_CONNECTIONS).listen(listener)?.run().await
    };
    Ok(actix_web::rt::System::new().block_on(served)?)
}

impl Witness {
    fn open(args: &WitnessArgs) -> anyhow::Result<Self> {
        if !is_name(&args.name) {
            bail!("a witness has a name without blanks and +, like witness.example.org/w1");
        }
        super::building::make_private_folder(&args.state)?;
        let lock = File::create(args.state.join(LOCK_FILE))?;
        let lock = Flock::lock(lock, FlockArg::LockExclusiveNonblock);
        let lock = lock.map_err(|_| anyhow::anyhow!("another witness uses {}", args.state.display()))?;
        let key = SignerKey::from_seed(&args.name, KeyKind::Witness, &seed(&args.state.join(KEY_FILE))?);
        let key = key.context("the key cannot be used")?;
        let logs = args.logs.iter().map(|key| (key.name.clone(), key.clone())).collect();
        Ok(Self { key, logs, folder: args.state.clone(), deciding: Mutex::new(()), _lock: lock })
    }

    /// The file of a log: the newest checkpoint that was signed.
    fn file(&self, origin: &str) -> PathBuf {
        self.folder.join(format!("{}.checkpoint", hex::encode(footer_hash(origin.as_bytes()))))
    }

    /// What was signed last; an error if nobody can know.
    fn last(&self, origin: &str) -> anyhow::Result<Option<Checkpoint>> {
        let text = match std::fs::read_to_string(self.file(origin)) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Ok(Some(Checkpoint::of_text(&Note::read(&text)?.text)?))
    }

    /// Signs a checkpoint, after it has been kept on the disk.
    fn add(&self, text: &str) -> anyhow::Result<Result<String, Refusal>> {
        let asked = Request::read(text).and_then(|request| Ok((request.origin()?, request)));
        let (origin, request) = match asked {
            Ok(asked) => asked,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let Some(key) = self.logs.get(&origin) else { return Ok(Err(Refusal::UnknownLog)) };
        let _deciding = self.deciding.lock().map_err(|_| anyhow::anyhow!("a decision ended in a panic"))?;
        if let Err(refusal) = request.decide(key, self.last(&origin)?.as_ref()) {
            return Ok(Err(refusal));
        }
        let mut note = request.checkpoint;
        // Only what the log's key and this witness have signed is handed on.
        note.signatures.retain(|signature| key.is_of(signature));
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let signature = cosign(&self.key, &note.text, now);
        note.signatures.push(signature.clone());
        write(&self.file(&origin), &note.to_string())?;
        Ok(Ok(signature.to_string()))
    }
}

/// The seed of the witness's key, from its file, which is created once.
fn seed(file: &Path) -> anyhow::Result<[u8; 32]> {
    let named = || file.display().to_string();
    if !file.exists() {
        let made = hex::encode(random_bytes::<32>()?);
        let new = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
        let mut new = new.with_context(named)?;
        new.write_all(made.as_bytes())?;
        new.sync_all()?;
    }
    let text = std::fs::read_to_string(file).with_context(named)?;
    let mut seed = [0; 32];
    // The error would show what was read.
    hex::decode_to_slice(text.trim(), &mut seed).map_err(|_| anyhow::anyhow!("{} holds no key", named()))?;
    Ok(seed)
}

async fn add_checkpoint(witness: web::Data<Witness>, body: String) -> HttpResponse {
    match web::block(move || witness.add(&body)).await {
        Ok(Ok(Ok(signature))) => HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(signature),
        Ok(Ok(Err(refusal))) => refused(&refusal),
        Ok(Err(error)) => failed(&error),
        Err(error) => failed(&error.into()),
    }
}

fn failed(error: &anyhow::Error) -> HttpResponse {
    eprintln!("pippost: {error:#}");
    HttpResponse::InternalServerError().finish()
}

fn refused(refusal: &Refusal) -> HttpResponse {
    let status = match refusal {
        Refusal::OtherSize(size) => {
            return HttpResponse::Conflict().content_type("text/x.tlog.size").body(format!("{size}\n"));
        }
        Refusal::Unreadable => StatusCode::BAD_REQUEST,
        Refusal::UnknownLog => StatusCode::NOT_FOUND,
        Refusal::Unsigned(_) => StatusCode::FORBIDDEN,
        Refusal::Unproved => StatusCode::UNPROCESSABLE_ENTITY,
    };
    HttpResponse::build(status).content_type("text/plain; charset=utf-8").body(format!("{refusal}\n"))
}

#[allow(clippy::unused_async, reason = "handlers are asynchronous")]
async fn key(witness: web::Data<Witness>) -> String {
    format!("{}\n", witness.key.verifier())
}

/// The newest checkpoint that was signed of the log with this hash of its origin.
#[allow(clippy::unused_async, reason = "handlers are asynchronous")]
async fn newest(witness: web::Data<Witness>, log: web::Path<String>) -> HttpResponse {
    let known = witness.logs.keys().find(|origin| hex::encode(footer_hash(origin.as_bytes())) == *log);
    let text = known.and_then(|origin| std::fs::read_to_string(witness.file(origin)).ok());
    match text {
        Some(text) => HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(text),
        None => HttpResponse::NotFound().finish(),
    }
}
