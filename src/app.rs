//! Assembles the parts of a running server, for `serve`, `work` and the tests.

use std::path::PathBuf;
use std::sync::Arc;

use crate::accounts::{AccountLimits, Accounts, Handle};
use crate::api::metrics::Metrics;
use crate::api::peer::TrustedProxies;
use crate::archive::Archive;
use crate::beacon::Drand;
use crate::clock::Clock;
use crate::commit::CONNECTIONS;
use crate::games::{Games, Tuning};
use crate::keys::{SecretKey, SharedSecret, SigningKeys};
use crate::mail::{MailFigures, Mailer, MailerError};
use crate::mail_metrics::MailCollector;
use crate::notices::{Links, Outbox, PublicUrlError, ReplyAddress, ReplyAddresses};
use crate::push::{PushParts, Pushes};
use crate::replies::{AuthenticationPolicy, Replies};
use crate::sandbox::{Sandbox, SandboxParts};
use crate::store::{Address, Database, OutboxSignal, StoreError};
use crate::traffic::{Limits, Traffic};
use crate::web::Branding;
use crate::webhooks::sender::SenderError;
use crate::webhooks::{Reach, Sender, Webhooks};
use crate::worker::{OutboxWorker, PushWorker, WebhookWorker};

/// What a server is assembled from.
pub struct Parts {
    pub address: Arc<Address>,
    /// A replica for reading history.
    pub replica: Option<Arc<Address>>,
    /// Where finished games lie outside the database.
    pub archive: Option<Arc<Archive>>,
    pub connections: usize,
    pub tuning: Tuning,
    pub clock: Clock,
    pub secret: Arc<SecretKey>,
    pub signing: Arc<SigningKeys>,
    /// The server's public address.
    pub public_url: String,
    pub account_limits: AccountLimits,
    /// The public beacon for new games; `None`: they start without one.
    pub beacon: Option<Arc<Drand>>,
}

/// A running server's parts. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub clock: Clock,
    pub database: Database,
    /// The most database connections, without those of the writers.
    pub connections: usize,
    pub secret: Arc<SecretKey>,
    pub signing: Arc<SigningKeys>,
    pub accounts: Accounts,
    pub games: Games,
    pub metrics: Metrics,
    /// Counts mails.
    pub mail_figures: MailFigures,
    pub public_url: String,
    pub replies: Replies,
    /// `None`: mails of this server cannot be answered.
    pub reply_addresses: Option<ReplyAddresses>,
    /// The secret for delivering mail over HTTP; `None`: not accepted.
    pub inbound_secret: Option<SharedSecret>,
    pub webhooks: Webhooks,
    pub pushes: Pushes,
    /// Notified when notices wait.
    pub outbox_signal: OutboxSignal,
    /// The trusted proxies.
    pub trusted_proxies: TrustedProxies,
    /// The limits on clients, and what they hold now.
    pub traffic: Traffic,
    /// The token for `/metrics` on the public address; `None`: not available there.
    pub metrics_token: Option<SharedSecret>,
    /// The bot of the server's own, against which guests play.
    pub house_bot: Option<Handle>,
    /// The folder with dumps of public games.
    pub dumps: Option<PathBuf>,
    /// What its operator gives its pages.
    pub branding: Arc<Branding>,
    /// What only a sandbox has.
    pub sandbox: Option<Sandbox>,
}

/// Why a server cannot be assembled.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("this database was made with another secret key: give the server the key that it had")]
    OtherSecret,
    #[error("this database is a sandbox's, in which nothing counts: start it with --sandbox")]
    IsSandbox,
    #[error("this database is no sandbox's: a sandbox begins with an empty one, in a data folder of its own")]
    NoSandbox,
    #[error("{0}")]
    PublicUrl(#[from] PublicUrlError),
    #[error("{0}")]
    Mailer(#[from] MailerError),
    #[error("{0}")]
    Sender(#[from] SenderError),
}

/// Whether a server may use a database, by the database's mark.
fn fits(is_sandbox: bool, as_sandbox: bool) -> Result<(), AppError> {
    match (is_sandbox, as_sandbox) {
        (true, false) => Err(AppError::IsSandbox),
        (false, true) => Err(AppError::NoSandbox),
        _ => Ok(()),
    }
}

/// Migrates the database of a server, unless it is that of a server of the other kind, sandbox or not.
///
/// # Errors
/// It is such a database, or the migration failed.
pub async fn migrate(address: &Address, as_sandbox: bool) -> Result<(), AppError> {
    if let Some(is_sandbox) = crate::store::server::is_sandbox(address).await? {
        fits(is_sandbox, as_sandbox)?;
    }
    crate::store::database::migrate(address).await?;
    Ok(())
}

/// Opens the database, which has to be this server's, and sets a sandbox's clock by it.
async fn open(parts: &Parts, connections: usize) -> Result<Database, AppError> {
    let database = Database::new(parts.address.clone(), connections)?.with_its_topology().await?;
    let mut database = database.with_archive(parts.archive.clone());
    if let Some(replica) = parts.replica.clone() {
        database = database.with_replica(replica, parts.connections)?;
    }
    let fingerprint = parts.secret.fingerprint();
    let as_sandbox = parts.clock.is_sandbox();
    let owner = crate::store::server::belongs_to(&database, &fingerprint, as_sandbox).await?;
    if owner.fingerprint != fingerprint {
        return Err(AppError::OtherSecret);
    }
    fits(owner.sandbox, as_sandbox)?;
    if let Clock::Ahead(clock) = &parts.clock {
        clock.move_to(owner.clock_ahead);
    }
    Ok(database)
}

impl App {
    /// Assembles the parts on a migrated database; needs a runtime.
    ///
    /// # Errors
    /// The database cannot be reached, or belongs to a server with another secret key.
    pub async fn build(parts: Parts) -> Result<Self, AppError> {
        let (writers, connections) = share(parts.tuning.writers, parts.connections);
        let database = open(&parts, connections).await?;
        let outbox_signal = OutboxSignal::start(database.clone());
        let (secret, signing, clock) = (parts.secret, parts.signing, parts.clock);
        let games = Games::new(
            database.clone(),
            clock.clone(),
            secret.clone(),
            signing.clone(),
            &parts.public_url,
            outbox_signal.clone(),
            parts.beacon,
            &Tuning { writers, ..parts.tuning },
        );
        let games = games.with_limits(&parts.account_limits);
        let accounts = Accounts::with_limits(
            database.clone(),
            clock.clone(),
            secret.clone(),
            signing.clone(),
            parts.account_limits,
            outbox_signal.clone(),
        );
        accounts.remember_networks().await?;
        let traffic = Traffic::new(Limits::default(), accounts.known_networks());
        let metrics = Metrics::new();
        metrics.watch(database.clone());
        metrics.watch_games(games.clone());
        let mail_figures = MailFigures::default();
        metrics.watch_collector(Box::new(MailCollector::new(mail_figures.clone())));
        let public_url = parts.public_url;
        let (links, sender) = (Links::new(&public_url)?, Sender::new(Reach::Public)?);
        let webhooks = Webhooks::new(
            database.clone(),
            clock.clone(),
            secret.clone(),
            accounts.clone(),
            links.clone(),
            sender.clone(),
        );
        let pushes = Pushes::new(PushParts {
            database: database.clone(),
            clock: clock.clone(),
            secret: secret.clone(),
            contents: Arc::new(games.clone()),
            links,
            sender,
            contact: public_url.clone(),
            is_on: true,
        });
        let replies = Replies::new(
            database.clone(),
            clock.clone(),
            games.clone(),
            None,
            outbox_signal.clone(),
            accounts.clone(),
            AuthenticationPolicy::default(),
        )
        .with_figures(mail_figures.clone());
        let (reply_addresses, inbound_secret) = (None, None);
        Ok(Self {
            clock,
            connections: database.connections(),
            database,
            secret,
            signing,
            accounts,
            games,
            metrics,
            mail_figures,
            public_url,
            replies,
            reply_addresses,
            inbound_secret,
            webhooks,
            pushes,
            outbox_signal,
            trusted_proxies: TrustedProxies::default(),
            traffic,
            metrics_token: None,
            house_bot: None,
            dumps: None,
            branding: Arc::default(),
            sandbox: None,
        })
    }

    /// The same server with mails that can be answered at `address`; `policy` decides about forged senders.
    #[must_use]
    pub fn with_replies(
        self,
        address: Option<ReplyAddress>,
        inbound_secret: Option<SharedSecret>,
        policy: AuthenticationPolicy,
    ) -> Self {
        if let Some(address) = &address {
            self.accounts.own_address(&address.to_string());
        }
        let reply_addresses = address.map(|address| ReplyAddresses::new(address, self.secret.clone()));
        let replies = Replies::new(
            self.database.clone(),
            self.clock.clone(),
            self.games.clone(),
            reply_addresses.clone(),
            self.outbox_signal.clone(),
            self.accounts.clone(),
            policy,
        )
        .with_figures(self.mail_figures.clone());
        Self { replies, reply_addresses, inbound_secret, ..self }
    }
}

impl App {
    /// The same server, whose new games wait for players for so many days. Games are created with [`App::games`] alone.
    #[must_use]
    pub fn with_open_days(self, open_days: u16) -> Self {
        Self { games: self.games.with_open_days(open_days), ..self }
    }

    /// The same server with webhooks and subscriptions to web push that may lead there.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn with_webhooks_to(self, reach: Reach) -> Result<Self, SenderError> {
        Ok(self.with_sender(&Sender::new(reach)?))
    }

    /// The same server, which sends to webhooks and push services so.
    #[must_use]
    pub fn with_sender(self, sender: &Sender) -> Self {
        let webhooks = self.webhooks.with_sender(sender.clone());
        let pushes = self.pushes.with(|parts| PushParts { sender: sender.clone(), ..parts });
        Self { webhooks, pushes, ..self }
    }

    /// The same server, which names this contact to push services, or sends nothing by web push.
    #[must_use]
    pub fn with_pushes(self, contact: String, is_on: bool) -> Self {
        let pushes = self.pushes.with(|parts| PushParts { contact, is_on, ..parts });
        Self { pushes, ..self }
    }

    /// The notices that wait.
    #[must_use]
    pub fn outbox(&self) -> Outbox {
        let pushes = self.pushes.is_on().then(|| Arc::clone(self.outbox_signal.pushes()));
        Outbox::new(self.database.clone()).with_pushes(pushes)
    }

    /// The same server with what a sandbox has, if it is one. Call it last: mails are written as the server is then.
    ///
    /// # Errors
    /// The public URL or the sender of mails cannot be used.
    pub fn with_sandbox(self, mail_from: &str) -> Result<Self, AppError> {
        if !self.clock.is_sandbox() {
            return Ok(self);
        }
        let mailer = Mailer::captured(mail_from, self.database.clone())?;
        let outbox = OutboxWorker::new(
            self.outbox(),
            Arc::new(mailer),
            Arc::new(self.games.clone()),
            self.secret.clone(),
            Links::new(&self.public_url)?,
            self.clock.clone(),
            CAPTURED_AT_ONCE,
        );
        let outbox =
            outbox.with_replies(self.reply_addresses.clone()).with_presence(self.accounts.presence().clone());
        let outbox = outbox.with_figures(self.mail_figures.clone());
        let sandbox = Sandbox::new(SandboxParts {
            database: self.database.clone(),
            clock: self.clock.clone(),
            games: self.games.clone(),
            replies: self.replies.clone(),
            outbox,
            webhooks: WebhookWorker::new(self.webhooks.clone(), self.outbox_signal.clone()),
            pushes: PushWorker::new(self.pushes.clone(), self.outbox_signal.clone()),
            outbox_signal: self.outbox_signal.clone(),
        });
        Ok(Self { sandbox, ..self })
    }
}

/// How many mails a sandbox writes at once.
const CAPTURED_AT_ONCE: usize = 4;

/// Divides the connections: writers get at most half, two each, and there is at least one writer. Returns the number of writers,
/// and the remaining connections.
fn share(writers: u16, connections: usize) -> (u16, usize) {
    let most = u16::try_from(connections / 2 / CONNECTIONS).unwrap_or(u16::MAX);
    let writers = writers.min(most).max(1);
    (writers, connections.saturating_sub(usize::from(writers) * CONNECTIONS).max(1))
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn writers_take_at_most_half_of_the_connections() {
        assert_eq!(share(1, 16), (1, 14));
        assert_eq!(share(9, 16), (4, 8));
        assert_eq!(share(0, 4), (1, 2));
        assert_eq!(share(1, 2), (1, 1));
    }
}
