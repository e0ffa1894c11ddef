//! The configuration: every setting is a flag and an environment variable, listed by `--help`.

mod mail;

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::accounts::RegistrationPolicy;
use crate::archive::{Access, ArchiveLocation};
use crate::endpoint::Endpoint;
use crate::games::learning::GAMES_A_DAY;
use crate::games::transparency::DEFAULT_LOG_WITHIN_SECONDS;
use crate::traffic::{MAX_CONNECTIONS, MAX_CONNECTIONS_OF_A_PEER, REQUESTS_OF_A_PEER, REQUESTS_OF_A_TOKEN};
pub use mail::MailFlags;
pub use pippost_games::DEFAULT_OPEN_DAYS;
pub use pippost_http::peer::{ProxyHeader, TrustedProxy};
pub use pippost_mail::MailSettings;
pub use pippost_mail::replies::ForgedSenders;

/// Settings of every command that needs the database.
#[derive(Args, Clone, Debug)]
pub struct DatabaseSettings {
    /// Folder for the server's data: its own database, keys, and mails while no SMTP server is named.
    #[arg(long, env = "PIPPOST_DATA_DIR", default_value = "data")]
    pub data_dir: PathBuf,
    /// PostgreSQL to use instead of the server's own, as a URL or in key=value form.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// A replica of that PostgreSQL, for reading the history of games: records, replays, events. It may lag behind; what it
    /// does not have yet is read from DATABASE_URL.
    #[arg(long, env = "PIPPOST_REPLICA_URL", hide_env_values = true, requires = "database_url")]
    pub replica_url: Option<String>,
    /// PEM file with the certificate authority of that PostgreSQL, if it is not a public one.
    #[arg(long, env = "DATABASE_CA")]
    pub database_ca: Option<PathBuf>,
    /// Folder with PostgreSQL's programs (initdb, postgres), for the server's own database.
    #[arg(long, env = "PG_BINDIR")]
    pub pg_bindir: Option<PathBuf>,
    /// User who runs and owns the server's own database when root starts the server; used for a new database only. [default:
    /// postgres]
    #[arg(long, env = "PIPPOST_DATABASE_USER")]
    pub database_user: Option<String>,
    /// How many connections to keep to the database.
    #[arg(long, env = "PIPPOST_DATABASE_CONNECTIONS", default_value_t = 16, value_parser = clap::value_parser!(u16).range(4..=500))]
    pub database_connections: u16,
    /// Memory for the cache of games, in MiB.
    #[arg(long, env = "PIPPOST_CACHE_MIB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    pub cache_mib: u16,
    /// Threads that write moves to the database, two connections each. [default: one for two processors]
    #[arg(long, env = "PIPPOST_WRITERS", default_value_t = default_writers(), hide_default_value = true, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub writers: u16,
    #[command(flatten)]
    pub archive: ArchiveSettings,
}

/// After how many days a finished game is archived, unless the settings say otherwise.
pub const DEFAULT_ARCHIVE_AFTER_DAYS: u16 = 90;

/// Settings of the archive of finished games.
#[derive(Args, Clone, Debug)]
pub struct ArchiveSettings {
    /// Where the events of finished games are moved, out of the database: `file:` and an existing folder, or a bucket as in
    /// `s3://bucket/prefix`. All processes of a site need the same. [default: they stay in the database]
    #[arg(long = "archive", env = "PIPPOST_ARCHIVE")]
    pub place: Option<ArchiveLocation>,
    /// How many days after its end a game is moved.
    #[arg(long = "archive-after-days", env = "PIPPOST_ARCHIVE_AFTER_DAYS", default_value_t = DEFAULT_ARCHIVE_AFTER_DAYS, value_parser = clap::value_parser!(u16).range(1..))]
    pub after_days: u16,
    /// Address of the S3-compatible store. [default: Amazon's in the region]
    #[arg(long = "archive-endpoint", env = "PIPPOST_ARCHIVE_ENDPOINT")]
    pub endpoint: Option<String>,
    /// Region of the bucket.
    #[arg(long = "archive-region", env = "PIPPOST_ARCHIVE_REGION", default_value = "us-east-1")]
    pub region: String,
    /// Id of the access key of the bucket.
    #[arg(long = "archive-key-id", env = "PIPPOST_ARCHIVE_KEY_ID", requires = "key")]
    pub key_id: Option<String>,
    /// The access key itself.
    #[arg(long = "archive-key", env = "PIPPOST_ARCHIVE_KEY", hide_env_values = true, requires = "key_id")]
    pub key: Option<String>,
}

impl ArchiveSettings {
    /// How the bucket is reached.
    #[must_use]
    pub fn access(&self) -> Access {
        let key = self.key_id.clone().zip(self.key.clone());
        Access { endpoint: self.endpoint.clone(), region: self.region.clone(), key }
    }
}

/// One PostgreSQL process and the thread that feeds it are busy with the moves that two processors' worth of HTTP requests
/// bring.
fn default_writers() -> u16 {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    u16::try_from(processors / 2).unwrap_or(u16::MAX).clamp(1, 64)
}

/// Settings of the keys.
#[derive(Args, Clone, Debug)]
pub struct KeySettings {
    /// Folder of the keys; they are created there on the first start. [default: `keys` in the data folder]
    #[arg(long, env = "PIPPOST_KEYS_DIR")]
    pub keys_dir: Option<PathBuf>,
    /// The secret key that seals what the database holds, as 64 hex digits, instead of a file in the folder.
    #[arg(long, env = "PIPPOST_SECRET_KEY", hide_env_values = true)]
    pub secret_key: Option<String>,
    /// PEM files of Ed25519 signing keys, the one that signs first, instead of those in the folder.
    #[arg(long, env = "PIPPOST_SIGNING_KEYS", value_delimiter = ',')]
    pub signing_keys: Vec<PathBuf>,
}

impl KeySettings {
    /// The folder of the keys.
    #[must_use]
    pub fn folder(&self, data_dir: &Path) -> PathBuf {
        self.keys_dir.clone().unwrap_or_else(|| data_dir.join("keys"))
    }
}

/// Settings of incoming mail.
#[derive(Args, Clone, Debug)]
pub struct ReplySettings {
    /// Address that players answer mails to, as in `play@example.org`. Mail to it with anything after a `+` must reach this
    /// server. Without it, mails cannot be answered.
    #[arg(long, env = "PIPPOST_REPLY_ADDRESS")]
    pub reply_address: Option<String>,
    /// Secret that lets a mail system deliver to `/api/v1/inbound/mail`, in the header `X-Inbound-Secret`: at least 16
    /// characters.
    #[arg(long, env = "PIPPOST_INBOUND_SECRET", hide_env_values = true)]
    pub inbound_secret: Option<String>,
    /// Where to take mail by LMTP from a mail server on this machine: `unix:` and a path, or a loopback address and port as in
    /// 127.0.0.1:2424. Only for `serve`.
    #[arg(long, env = "PIPPOST_LMTP_LISTEN")]
    pub lmtp_listen: Option<String>,
    /// The name with which your mail server marks its findings about senders (`Authentication-Results`, RFC 8601), often its
    /// own host name. It must remove fields of that name from incoming mails. Without it no findings about senders are trusted.
    #[arg(long, env = "PIPPOST_AUTHSERV_ID")]
    pub authserv_id: Option<String>,
    /// What to do with an answer whose sender is forged according to your mail server: `off` checks nothing, `warn` takes it
    /// and warns the player, `refuse` does nothing and tells the player.
    #[arg(long, env = "PIPPOST_FORGED_SENDERS", value_parser = forged_senders(), default_value = "warn")]
    pub forged_senders: ForgedSenders,
}

/// The names of what is done with forged senders.
fn forged_senders() -> impl TypedValueParser<Value = ForgedSenders> {
    let named = [
        PossibleValue::new("off").help("Nothing is checked"),
        PossibleValue::new("warn").help("The mail is taken, and the answer warns the player"),
        PossibleValue::new("refuse").help("The mail is not carried out, and the player is told"),
    ];
    PossibleValuesParser::new(named).map(|name| match name.as_str() {
        "off" => ForgedSenders::Off,
        "refuse" => ForgedSenders::Refuse,
        _ => ForgedSenders::Warn,
    })
}

/// Settings of the HTTP server.
#[derive(Args, Clone, Debug)]
pub struct HttpSettings {
    /// Where to listen: address and port, or `unix:` and the path of a socket for a proxy on this machine. Several with commas.
    #[arg(long, env = "PIPPOST_LISTEN", default_value = "127.0.0.1:8080", value_delimiter = ',')]
    pub listen: Vec<Endpoint>,
    /// How players reach the server, for links in mails; required if it listens on Unix sockets only. [default: http:// and the
    /// address listened on]
    #[arg(long, env = "PIPPOST_PUBLIC_URL")]
    pub public_url: Option<String>,
    /// Threads that serve requests. [default: one for each processor, or for every two if the database is on this machine]
    #[arg(long, env = "PIPPOST_THREADS", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Trusted proxies, as networks: `10.0.0.0/8,2001:db8::/32`; `unix:` for every client of a Unix socket. The server believes
    /// them about whom they forward. Limits on attempts then count the nearest address that is not a trusted proxy. [default:
    /// none]
    #[arg(long, env = "PIPPOST_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<TrustedProxy>,
    /// The header to which each trusted proxy appends its client's address. The other header is not read.
    #[arg(long, env = "PIPPOST_PROXY_HEADER", value_parser = proxy_header(), default_value = "x-forwarded-for")]
    pub proxy_header: ProxyHeader,
    /// The most connections at once, of all clients.
    #[arg(long, env = "PIPPOST_CONNECTIONS", default_value_t = MAX_CONNECTIONS, value_parser = clap::value_parser!(u32).range(1..))]
    pub connections: u32,
    /// The most connections at once of one address, or of one IPv6 network of 64 bits; trusted proxies have no such limit.
    #[arg(long, env = "PIPPOST_CONNECTIONS_OF_A_PEER", default_value_t = MAX_CONNECTIONS_OF_A_PEER, value_parser = clap::value_parser!(u32).range(1..))]
    pub connections_of_a_peer: u32,
    /// The most requests to the API in a minute with one token. Moves are never counted.
    #[arg(long, env = "PIPPOST_REQUESTS_OF_A_TOKEN", default_value_t = REQUESTS_OF_A_TOKEN, value_parser = clap::value_parser!(u32).range(1..))]
    pub requests_of_a_token: u32,
    /// The most requests to the API in a minute from one address, or one IPv6 network of 64 bits. Moves are never counted.
    #[arg(long, env = "PIPPOST_REQUESTS_OF_A_PEER", default_value_t = REQUESTS_OF_A_PEER, value_parser = clap::value_parser!(u32).range(1..))]
    pub requests_of_a_peer: u32,
}

/// The listener of the metrics for Prometheus.
#[derive(Args, Clone, Debug)]
pub struct MetricsListener {
    /// Where to serve `/metrics`, and nothing else: address and port, or `unix:` and the path of a socket. Everybody who can
    /// connect may read.
    #[arg(long, env = "PIPPOST_METRICS_LISTEN")]
    pub metrics_listen: Option<Endpoint>,
}

/// Settings of the metrics for Prometheus. Without any of them the metrics are not served.
#[derive(Args, Clone, Debug)]
pub struct MetricsSettings {
    #[command(flatten)]
    pub listener: MetricsListener,
    /// Token for reading `/metrics` on the public address, as `Authorization: Bearer`: at least 16 characters.
    #[arg(long, env = "PIPPOST_METRICS_TOKEN", hide_env_values = true)]
    pub metrics_token: Option<String>,
}

/// The names of the headers.
fn proxy_header() -> impl TypedValueParser<Value = ProxyHeader> {
    let named = [PossibleValue::new("x-forwarded-for"), PossibleValue::new("forwarded").help("RFC 7239")];
    PossibleValuesParser::new(named).map(|name| match name.as_str() {
        "forwarded" => ProxyHeader::Forwarded,
        _ => ProxyHeader::XForwardedFor,
    })
}

/// Settings of the public beacon.
#[derive(Args, Clone, Debug)]
pub struct BeaconSettings {
    /// drand endpoints, as in `https://api.drand.sh,https://drand.cloudflare.com`: new games then mix in a public random value
    /// that is published after the last player joined. Without one they start without such a value.
    #[arg(long, env = "PIPPOST_BEACON_URL", value_delimiter = ',')]
    pub beacon_url: Vec<String>,
    /// File with the chain's description, as its endpoint gives it at `/<chain hash>/info`. [default: quicknet's]
    #[arg(long, env = "PIPPOST_BEACON_CHAIN", requires = "beacon_url")]
    pub beacon_chain: Option<PathBuf>,
}

/// Settings of accounts.
#[derive(Args, Clone, Debug)]
pub struct AccountSettings {
    /// Who may register: `open` everybody; `invited` who has a link that a player (five at a time) or `pippost admin invite` has made,
    /// or was invited to a game by mail; `closed` nobody, so that `pippost admin create-user` makes all accounts. Without `open` nobody
    /// plays as a guest.
    #[arg(long, env = "PIPPOST_REGISTRATION", value_parser = registration_policy(), default_value = "open")]
    pub registration: RegistrationPolicy,
}

/// The names of who may register.
fn registration_policy() -> impl TypedValueParser<Value = RegistrationPolicy> {
    let policies = [RegistrationPolicy::Open, RegistrationPolicy::Invited, RegistrationPolicy::Closed];
    PossibleValuesParser::new(policies.map(RegistrationPolicy::as_str))
        .map(move |name| policies.into_iter().find(|policy| policy.as_str() == name).unwrap_or_default())
}

/// Settings of games that have not started.
#[derive(Args, Clone, Debug)]
pub struct LobbySettings {
    /// After how many days a new game expires that still waits for players; a full one that waits for the public beacon then has as
    /// many days again. Games that wait already keep their time.
    #[arg(long, env = "PIPPOST_OPEN_DAYS", default_value_t = DEFAULT_OPEN_DAYS, value_parser = clap::value_parser!(u16).range(1..=365))]
    pub open_days: u16,
}

/// Settings of the log over all records.
#[derive(Args, Clone, Debug)]
pub struct RecordLogSettings {
    /// How many seconds after an event the log has it at the latest, as receipts promise.
    #[arg(long, env = "PIPPOST_LOG_WITHIN", default_value_t = DEFAULT_LOG_WITHIN_SECONDS, value_parser = clap::value_parser!(u32).range(10..=86400))]
    pub log_within: u32,
    /// Witnesses that sign the log's checkpoints, each as URL#KEY.
    #[arg(long, env = "PIPPOST_LOG_WITNESSES", value_delimiter = ',')]
    pub log_witnesses: Vec<String>,
    /// How many of them have to sign a checkpoint before it is shown as witnessed.
    #[arg(long, env = "PIPPOST_LOG_WITNESSES_NEEDED", default_value_t = 1)]
    pub log_witnesses_needed: u8,
}

/// Settings of the worker's tasks.
#[derive(Args, Clone, Debug)]
pub struct WorkerSettings {
    /// PostgreSQL for the one connection on which the worker listens for notices written by other processes. Needed if
    /// DATABASE_URL leads to a pooler in transaction mode: LISTEN does not work there, and notices of others wait until the
    /// worker polls the outbox. [default: DATABASE_URL]
    #[arg(long, env = "PIPPOST_LISTEN_URL", hide_env_values = true)]
    pub listen_url: Option<String>,
    /// The hour, in UTC, from which the nightly audit of all games runs.
    #[arg(long, env = "PIPPOST_AUDIT_HOUR", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..24))]
    pub audit_hour: u8,
    /// How many finished games a day are searched for where they were lost, and for problems; 0: none. A game takes some seconds of a
    /// processor that nobody else wants.
    #[arg(long, env = "PIPPOST_GAMES_SEARCHED_A_DAY", default_value_t = GAMES_A_DAY)]
    pub games_searched_a_day: u16,
    /// Folder for daily dumps of the public games that have ended, which everybody may have at /dumps. Without one there are none.
    #[arg(long, env = "PIPPOST_DUMPS", value_name = "FOLDER")]
    pub dumps: Option<PathBuf>,
}

/// Settings of webhooks.
#[derive(Args, Clone, Debug)]
pub struct WebhookSettings {
    /// Lets webhooks lead anywhere, also into this server's own networks and by plain HTTP. For sandboxes and tests on one's own
    /// machine: whoever has an account can send requests to all that this server reaches.
    #[arg(long, env = "PIPPOST_WEBHOOKS_ANYWHERE")]
    pub webhooks_anywhere: bool,
}

/// Settings of web push.
#[derive(Args, Clone, Debug, Default)]
pub struct PushSettings {
    /// Sends nothing by web push, and offers no browser to subscribe.
    #[arg(long, env = "PIPPOST_NO_PUSH")]
    pub no_push: bool,
    /// Where operators of push services reach you: `mailto:` and an address, or an address of HTTPS. [default: the sender of mails, or
    /// the public URL if that is at localhost]
    #[arg(long, env = "PIPPOST_PUSH_CONTACT")]
    pub push_contact: Option<String>,
}

/// Settings of the languages of pages and mails.
#[derive(Args, Clone, Debug)]
pub struct LanguageSettings {
    /// Folder with more languages than English and German: for each a folder named by its tag, as in `fr`, with Fluent files (`*.ftl`).
    /// What a language lacks is said in English.
    #[arg(long, env = "PIPPOST_LANGUAGES", value_name = "FOLDER")]
    pub languages: Option<PathBuf>,
}

/// The name of a server.
#[derive(Args, Clone, Debug)]
pub struct NameSettings {
    /// The server's name on its pages, in feeds and calendars, and of the sender of mails if PIPPOST_MAIL_FROM has none: at most 24
    /// characters. [default: pippost]
    #[arg(long, env = "PIPPOST_SITE_NAME")]
    pub site_name: Option<String>,
}

/// What an operator gives the pages of a server.
#[derive(Args, Clone, Debug)]
pub struct BrandingSettings {
    #[command(flatten)]
    pub name: NameSettings,
    /// Folder with texts of your own in Markdown, read at the start: `terms.md` and `imprint.md`, which every page then leads to, and
    /// `welcome.md` for the front page; `terms.de.md` is one for another language.
    #[arg(long, env = "PIPPOST_TEXTS", value_name = "FOLDER")]
    pub texts: Option<PathBuf>,
    /// The colours of links and buttons on light pages and on dark ones, as in `#0a6c74,#5cc4cc`. Each needs a contrast of 4.5 to the
    /// pages.
    #[arg(long, env = "PIPPOST_COLOURS", value_name = "LIGHT,DARK")]
    pub colours: Option<String>,
}

/// Settings of the log.
#[derive(Args, Clone, Debug)]
pub struct LogSettings {
    /// What to log: a level, or levels by module, as in `info,pippost=debug`.
    #[arg(long, env = "PIPPOST_LOG", default_value = "info")]
    pub log: String,
    /// Format of the log lines.
    #[arg(long, env = "PIPPOST_LOG_FORMAT", default_value = "text")]
    pub log_format: LogFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One line for people.
    Text,
    /// One JSON object per line.
    Json,
}
