//! Assembles the parts of a running server, for `serve`, `work` and the tests.

use std::sync::Arc;

use crate::accounts::{AccountLimits, Accounts};
use crate::api::metrics::Metrics;
use crate::api::peer::TrustedProxies;
use crate::beacon::Drand;
use crate::clock::Clock;
use crate::commit::CONNECTIONS;
use crate::games::{Games, Tuning};
use crate::keys::{SecretKey, SharedSecret, SigningKeys};
use crate::notices::{ReplyAddress, ReplyAddresses};
use crate::replies::{AuthenticationPolicy, Replies};
use crate::store::{Address, Database, OutboxSignal, StoreError};
use crate::traffic::Traffic;

/// What a server is assembled from.
pub struct Parts {
    pub address: Arc<Address>,
    /// A replica for reading history.
    pub replica: Option<Arc<Address>>,
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
    pub public_url: String,
    pub replies: Replies,
    /// `None`: mails of this server cannot be answered.
    pub reply_addresses: Option<ReplyAddresses>,
    /// The secret for delivering mail over HTTP; `None`: not accepted.
    pub inbound_secret: Option<SharedSecret>,
    /// Notified when notices wait.
    pub outbox_signal: OutboxSignal,
    /// The trusted proxies.
    pub trusted_proxies: TrustedProxies,
    /// The limits on clients, and what they hold now.
    pub traffic: Traffic,
    /// The token for `/metrics` on the public address; `None`: not available there.
    pub metrics_token: Option<SharedSecret>,
}

/// Why a server cannot be assembled.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("this database was made with another secret key: give the server the key that it had")]
    OtherSecret,
}

impl App {
    /// Assembles the parts on a migrated database; needs a runtime.
    ///
    /// # Errors
    /// The database cannot be reached, or belongs to a server with another secret key.
    pub async fn build(parts: Parts) -> Result<Self, AppError> {
        let (writers, connections) = share(parts.tuning.writers, parts.connections);
        let mut database = Database::new(parts.address, connections)?;
        if let Some(replica) = parts.replica {
            database = database.with_replica(replica, parts.connections)?;
        }
        let fingerprint = parts.secret.fingerprint();
        if crate::store::server::belongs_to(&database, &fingerprint).await? != fingerprint {
            return Err(AppError::OtherSecret);
        }
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
            crate::api::games::views::write_view,
        );
        let accounts = Accounts::with_limits(
            database.clone(),
            clock.clone(),
            secret.clone(),
            signing.clone(),
            parts.account_limits,
            outbox_signal.clone(),
        );
        let metrics = Metrics::new();
        metrics.watch(database.clone());
        metrics.watch_games(games.clone());
        let public_url = parts.public_url;
        let replies = Replies::new(
            database.clone(),
            clock.clone(),
            games.clone(),
            None,
            outbox_signal.clone(),
            accounts.clone(),
            AuthenticationPolicy::default(),
        );
        let (reply_addresses, inbound_secret) = (None, None);
        Ok(Self {
            clock,
            database,
            connections,
            secret,
            signing,
            accounts,
            games,
            metrics,
            public_url,
            replies,
            reply_addresses,
            inbound_secret,
            outbox_signal,
            trusted_proxies: TrustedProxies::default(),
            traffic: Traffic::default(),
            metrics_token: None,
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
        let reply_addresses = address.map(|address| ReplyAddresses::new(address, self.secret.clone()));
        let replies = Replies::new(
            self.database.clone(),
            self.clock.clone(),
            self.games.clone(),
            reply_addresses.clone(),
            self.outbox_signal.clone(),
            self.accounts.clone(),
            policy,
        );
        Self { replies, reply_addresses, inbound_secret, ..self }
    }
}

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
