//! `DATABASE_URL`: an external PostgreSQL, reached over TCP and TLS with a private certificate authority.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::{OpenOptionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel_async::RunQueryDsl;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, User, geteuid};
use pippost::accounts::AccountLimits;
use pippost::app::{App, Parts};
use pippost::clock::Clock;
use pippost::keys::{SecretKey, SigningKeys};
use pippost::store::{Address, Database, database};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
};
use tempfile::TempDir;

use support::port::free_port;
use support::{Client, START};

const ROLE: &str = "shopkeeper";

/// With characters that a URL must escape.
const PASSWORD: &str = "tr@de/wind 7";

/// [`PASSWORD`] as a URL writes it.
const PASSWORD_IN_URL: &str = "tr%40de%2Fwind%207";

/// A database for each test that writes.
const DATABASES: [&str; 4] = ["by_url", "by_setting", "by_program", "copied"];

/// The PostgreSQL that all tests share while any of them runs.
static SHARED: Mutex<Weak<ExternalPostgres>> = Mutex::new(Weak::new());

/// A PostgreSQL that accepts TCP and TLS only; stopped with the last test that uses it, even if that test fails.
struct ExternalPostgres {
    folder: TempDir,
    port: u16,
    postgres: Child,
}

impl ExternalPostgres {
    fn shared() -> Arc<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let started = Arc::new(Self::start());
            *shared = Arc::downgrade(&started);
            started
        })
    }

    fn start() -> Self {
        // In a folder that a user other than root can reach.
        let folder = tempfile::Builder::new().prefix("pippost-tls").tempdir_in("/var/tmp").expect("a folder");
        let owner = owner();
        give(folder.path(), owner.as_ref());
        write_certificates(folder.path(), owner.as_ref());
        let programs = Programs { folder: programs_folder(), owner, work: folder.path().to_owned() };
        make_cluster(&programs);
        let port = free_port();
        let settings = [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "ssl=on",
            "ssl_cert_file=../server.pem",
            "ssl_key_file=../server.key",
        ];
        let postgres = run_postgres(&programs, "data", port, &settings);
        Self { folder, port, postgres }
    }

    /// The certificate authority's file.
    fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    fn url(&self, host: &str, name: &str, options: &str) -> String {
        format!("postgres://{ROLE}:{PASSWORD_IN_URL}@{host}:{}/{name}?{options}", self.port)
    }

    /// The error of a connection that must not succeed; it must contain no secret.
    async fn refusal(&self, url: &str, authority: Option<PathBuf>) -> String {
        let address = Address::parse(url, authority).expect("an address");
        let opened = database::open(&address).await.err().expect("a refusal").to_string();
        let migrated = database::migrate(&address).await.expect_err("a refusal").to_string();
        let asked = Database::new(Arc::new(address), 1).expect("a pool").ping().await;
        let asked = asked.expect_err("a refusal").to_string();
        for said in [&opened, &migrated, &asked] {
            assert_no_secret(said);
            assert!(said.contains(&opened), "{said}");
        }
        opened
    }
}

impl Drop for ExternalPostgres {
    fn drop(&mut self) {
        // Immediately, without a checkpoint; PostgreSQL ends its own processes first.
        if let Ok(id) = i32::try_from(self.postgres.id()) {
            let _ = kill(Pid::from_raw(id), Signal::SIGQUIT);
        }
        let _ = self.postgres.wait();
    }
}

#[track_caller]
fn assert_no_secret(said: &str) {
    for secret in [PASSWORD, PASSWORD_IN_URL, "postgres://"] {
        assert!(!said.contains(secret), "{said}");
    }
}

/// The user that runs PostgreSQL, which refuses to run as root.
pub fn owner() -> Option<User> {
    if !geteuid().is_root() {
        return None;
    }
    let known = |name| User::from_name(name).expect("the list of users");
    Some(known("postgres").or_else(|| known("nobody")).expect("a user to run PostgreSQL"))
}

pub fn give(path: &Path, owner: Option<&User>) {
    if let Some(user) = owner {
        chown(path, Some(user.uid.as_raw()), Some(user.gid.as_raw())).expect("a new owner");
    }
}

/// An authority, and a certificate that it signed for this machine: rustls refuses a certificate that is both.
fn write_certificates(folder: &Path, owner: Option<&User>) {
    let mut params = CertificateParams::new(Vec::new()).expect("parameters");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.distinguished_name.push(DnType::CommonName, "a private authority");
    let key = KeyPair::generate().expect("a key");
    let authority = CertifiedIssuer::self_signed(params, key).expect("an authority");

    let mut params = CertificateParams::new(["localhost".into(), "127.0.0.1".into()]).expect("parameters");
    params.extended_key_usages.push(ExtendedKeyUsagePurpose::ServerAuth);
    let key = KeyPair::generate().expect("a key");
    let certificate = params.signed_by(&key, &authority).expect("a certificate");

    let files = [
        ("authority.pem", authority.pem()),
        ("server.pem", certificate.pem()),
        ("server.key", key.serialize_pem()),
        ("password", PASSWORD.to_owned()),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        file.and_then(|mut file| file.write_all(text.as_bytes())).expect("a file");
        give(&path, owner);
    }
}

/// The folder of `initdb` and `postgres`: as configured for the server, in Debian's folders (the newest), or on the path.
pub fn programs_folder() -> PathBuf {
    let given = std::env::var_os("PG_BINDIR").map(PathBuf::from);
    let installed = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut installed: Vec<_> = installed.map(|entry| entry.path().join("bin")).collect();
    let major = |folder: &PathBuf| -> Option<u32> { folder.parent()?.file_name()?.to_str()?.parse().ok() };
    installed.sort_by_key(|folder| std::cmp::Reverse(major(folder)));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = given.into_iter().chain(installed).chain(std::env::split_paths(&path));
    places.find(|folder| folder.join("initdb").is_file()).expect("initdb is installed")
}

/// PostgreSQL's programs, their user and their working folder.
pub struct Programs {
    pub folder: PathBuf,
    pub owner: Option<User>,
    pub work: PathBuf,
}

impl Programs {
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.folder.join(program));
        command.env_clear().env("LC_ALL", "C").env("TZ", "UTC").current_dir(&self.work).stdin(Stdio::null());
        // A Ctrl-C in the terminal is for the tests, which stop PostgreSQL themselves.
        command.process_group(0);
        if let Some(user) = &self.owner {
            command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
        }
        command
    }
}

#[track_caller]
pub fn assert_success(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn make_cluster(programs: &Programs) {
    let arguments = ["-D", "data", "-U", "owner", "--pwfile=password", "--auth=scram-sha-256", "--no-sync"];
    let made = programs.command("initdb").args(arguments).args(["--locale=C", "--encoding=UTF8"]).output();
    assert_success(&made.expect("initdb runs"));
    // Only TLS, and only with passwords.
    let allowed = "hostssl all,replication all 127.0.0.1/32 scram-sha-256\n";
    std::fs::write(programs.work.join("data/pg_hba.conf"), allowed).expect("the list of who may connect");
    let databases = DATABASES.map(|name| format!("create database {name} owner {ROLE}\n"));
    // The superuser has the name that it has in Debian.
    let role = format!("create role {ROLE} login replication password '{PASSWORD}'\n");
    let statements = format!("create role postgres superuser login\n{role}{}", databases.concat());
    // Without `-j` every line is a statement.
    let mut alone = programs.command("postgres");
    alone.args(["--single", "-D", "data", "-c", "fsync=off", "-c", "exit_on_error=on", "postgres"]);
    let mut alone =
        alone.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("postgres");
    alone.stdin.take().expect("a pipe").write_all(statements.as_bytes()).expect("statements are read");
    assert_success(&alone.wait_with_output().expect("an exit"));
}

/// Starts a server on a folder and waits until it reports that it is ready.
pub fn run_postgres(programs: &Programs, data: &str, port: u16, settings: &[&str]) -> Child {
    let mut command = programs.command("postgres");
    command.args(["-D", data, "-c", "fsync=off", "-c", &format!("port={port}")]);
    for setting in settings {
        command.args(["-c", setting]);
    }
    let mut postgres = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("postgres");
    let mut log = BufReader::new(postgres.stderr.take().expect("a pipe")).lines();
    let mut said = String::new();
    loop {
        let Some(Ok(line)) = log.next() else { panic!("PostgreSQL does not start: {said}") };
        if line.contains("ready to accept ") {
            break;
        }
        said += &line;
        said.push('\n');
    }
    // Reads until the end, so that the server never blocks on a full pipe.
    std::thread::spawn(move || log.count());
    postgres
}

#[derive(QueryableByName)]
struct Session {
    #[diesel(sql_type = Bool)]
    ssl: bool,
    #[diesel(sql_type = Text)]
    role: String,
    #[diesel(sql_type = Text)]
    database: String,
}

/// What PostgreSQL reports about a pooled connection: whether it is encrypted, and its user.
async fn session(database: &Database) -> Session {
    let mut connection = database.get().await.expect("a connection");
    let question = "select ssl, current_user::text as role, current_database()::text as database \
                    from pg_stat_ssl where pid = pg_backend_pid()";
    diesel::sql_query(question).get_result(&mut connection).await.expect("a row")
}

async fn started() -> Arc<ExternalPostgres> {
    tokio::task::spawn_blocking(ExternalPostgres::shared).await.expect("PostgreSQL")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_works_on_the_database_that_a_url_names_with_its_certificate_authority() {
    let external = started().await;
    let options = format!("sslmode=verify-full&sslrootcert={}", external.authority().display());
    let address =
        Arc::new(Address::parse(&external.url("localhost", "by_url", &options), None).expect("a URL"));
    assert!(database::migrate(&address).await.expect("migrations") > 0);
    assert_eq!(database::migrate(&address).await.expect("migrations"), 0);

    let keys = tempfile::tempdir().expect("a folder for the keys");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let parts = Parts {
        address,
        replica: None,
        archive: None,
        connections: 4,
        tuning: pippost::games::Tuning { cache_bytes: 1 << 20, writers: 1 },
        clock: Clock::standing_at(START),
        secret: Arc::new(SecretKey::in_folder(keys.path()).expect("a secret key")),
        signing: Arc::new(SigningKeys::in_folder(keys.path()).expect("a signing key")),
        public_url: url.clone(),
        account_limits: AccountLimits::generous(),
        beacon: None,
    };
    let app = App::build(parts).await.expect("a server");
    let server = pippost::http::serve(&app, vec![listener.into()], 1).expect("a server");
    let handle = server.handle();
    let serving = tokio::spawn(server);
    let stranger = Client::new(&url, None);
    assert_eq!(stranger.get("/readyz").await.ok()["status"], "ok");
    let account =
        serde_json::json!({"handle": "ann", "email": "ann@example.org", "password": support::PASSWORD});
    stranger.post("/api/v1/accounts", &account).await.expect_status(201);
    handle.stop(true).await;
    serving.await.expect("it runs").expect("a clean stop");

    let session = session(&app.database).await;
    assert!(session.ssl);
    assert_eq!((session.role.as_str(), session.database.as_str()), (ROLE, "by_url"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_setting_names_the_certificate_authority_as_well_as_the_url_does() {
    let external = started().await;
    let escaped = external.authority().display().to_string().replace('/', "%2F");
    let key_values = format!(
        "host=127.0.0.1 port={} user={ROLE} password='{PASSWORD}' dbname=by_setting sslmode=verify-full sslrootcert={}",
        external.port,
        external.authority().display()
    );
    for (text, authority) in [
        (external.url("localhost", "by_setting", "sslmode=require"), Some(external.authority())),
        (external.url("127.0.0.1", "by_setting", "sslmode=require"), Some(external.authority())),
        (external.url("localhost", "by_setting", "channel_binding=require"), Some(external.authority())),
        (external.url("localhost", "by_setting", &format!("sslmode=verify-ca&sslrootcert={escaped}")), None),
        (key_values, None),
    ] {
        let address =
            Arc::new(Address::parse(&text, authority).unwrap_or_else(|error| panic!("{text}: {error}")));
        database::migrate(&address).await.unwrap_or_else(|error| panic!("{text}: {error}"));
        let database = Database::new(address, 1).expect("a pool");
        database.ping().await.expect("a sign of life");
        assert!(session(&database).await.ssl, "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_not_proved_or_not_encrypted_is_refused_without_a_secret_in_the_error() {
    let external = started().await;
    let unknown = external.refusal(&external.url("localhost", "by_url", "sslmode=require"), None).await;
    assert!(unknown.contains("invalid peer certificate: UnknownIssuer"), "{unknown}");

    let elsewhere = external.url("db.example.org", "by_url", "sslmode=verify-full&hostaddr=127.0.0.1");
    let misnamed = external.refusal(&elsewhere, Some(external.authority())).await;
    assert!(
        misnamed.contains("invalid peer certificate") && misnamed.contains("db.example.org"),
        "{misnamed}"
    );

    let plain = external.refusal(&external.url("localhost", "by_url", "sslmode=disable"), None).await;
    assert!(plain.contains("no encryption"), "{plain}");

    let stranger = external.url("localhost", "by_url", "sslmode=require").replace(PASSWORD_IN_URL, "guessed");
    let refused = external.refusal(&stranger, Some(external.authority())).await;
    assert!(refused.contains("password authentication failed"), "{refused}");
}

#[test]
fn the_program_uses_the_database_it_is_given_and_starts_none() {
    let external = ExternalPostgres::shared();
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let migrate = |authority: Option<PathBuf>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pippost"));
        command.arg("migrate").env_clear().current_dir(folder.path()).stdin(Stdio::null());
        command.env("PIPPOST_DATA_DIR", &data);
        command.env("DATABASE_URL", external.url("localhost", "by_program", "sslmode=verify-full"));
        command.envs(authority.map(|file| ("DATABASE_CA", file)));
        command.output().expect("an exit")
    };
    let refused = migrate(None);
    let said = String::from_utf8(refused.stderr).expect("text");
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("UnknownIssuer"), "{said}");
    assert_no_secret(&said);

    let migrated = migrate(Some(external.authority()));
    assert_success(&migrated);
    let said = String::from_utf8(migrated.stdout).expect("text");
    let run = said.strip_prefix("migrations run: ").and_then(|count| count.trim_end().parse::<usize>().ok());
    assert!(run.is_some_and(|count| count > 0), "{said}");
    let again = migrate(Some(external.authority()));
    assert_eq!(String::from_utf8_lossy(&again.stdout), "migrations run: 0\n");
    assert!(!data.join("pg").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_elsewhere_is_backed_up_by_its_url_and_restored_as_the_servers_own() {
    let external = started().await;
    let folder = tempfile::tempdir_in("/var/tmp").expect("a folder");
    let run = |arguments: &[&str], elsewhere: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pippost"));
        command.args(arguments).env_clear().current_dir(folder.path()).stdin(Stdio::null());
        command.env("PIPPOST_DATA_DIR", folder.path().join("data"));
        if elsewhere {
            command.env("DATABASE_URL", external.url("localhost", "copied", "sslmode=verify-full"));
            command.env("DATABASE_CA", external.authority());
        }
        let output = command.output().expect("an exit");
        let said = String::from_utf8(output.stderr.clone()).expect("text");
        assert_no_secret(&said);
        assert_success(&output);
        String::from_utf8(output.stdout).expect("text")
    };
    run(&["migrate"], true);
    let made = run(&["backup", "backups"], true);
    assert!(made.contains("0 games, newest move none"), "{made}");
    let restored = run(&["restore", "backups"], false);
    assert!(restored.contains("0 games, newest move none"), "{restored}");
    assert_eq!(run(&["migrate"], false), "migrations run: 0\n");
}
