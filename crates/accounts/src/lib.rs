//! Players, their tokens and their preferences.
//!
//! A player registers and logs in to a *session*: a family of refresh tokens, of which only the newest is valid, or a browser's cookie. Each request of a program
//! carries a short-lived access token; bots use a *personal token* with fewer scopes, and programs of others are *apps*, which act by
//! a *grant* of the player (OAuth 2.1). Every mail is a row of the outbox, written
//! together with the link that it carries.
#![forbid(unsafe_code)]

mod administration;
pub mod apps;
mod authenticate;
mod blocked_inviters;
mod browser_sessions;
pub mod automatic_holidays;
pub mod calendars;
mod chosen_password;
mod deletion;
mod email;
mod error;
pub mod guests;
mod handle;
mod keyring;
mod limiter;
mod limits;
pub mod mails;
mod muted_players;
mod sealed_responses;
mod password;
mod passwords;
mod personal_tokens;
mod private_feeds;
mod presence;
mod profile;
mod identified_by_link;
mod mail_server;
mod own_addresses;
mod registration;
mod scopes;
mod secret_token;
mod server_invitations;
mod sessions;
pub mod preferences;

use std::net::IpAddr;
use std::sync::Arc;

pub use authenticate::{Account, MAX_TOKEN_BYTES};
pub use browser_sessions::{BROWSER_SESSION_LIFETIME, FormKey, OpenSession};
pub use chosen_password::{ChosenPassword, PasswordTooCommon};
pub use email::{
    EmailAddress, EmailError, MAX_EMAIL_BYTES, ascii_domain, ascii_key, email_key, email_keys, mailbox_key,
};
pub use error::AccountError;
pub use handle::{Handle, HandleError, MAX_HANDLE_CHARS, MIN_HANDLE_CHARS};
pub use identified_by_link::IdentifiedByLink;
pub use keyring::{ACCESS_TOKEN_LIFETIME, RETIRED_KEY_GRACE};
pub use limiter::{Left, Limiter, Rate, Reached};
pub use limits::{
    AccountLimits, FACTOR_OF_PROGRAMS, GameQuotas, Limit, LogInLimit, MAX_OPEN_GAMES, PlayerLimit,
    PlayerLimits, PlayerRequest, RequestLimit, names,
};
pub use mail_server::{MailServer, Said};
pub use password::{MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, Password, PasswordError};
pub use passwords::RESET_LIFETIME;
pub use personal_tokens::{
    MAX_PERSONAL_TOKEN_DAYS, MAX_PERSONAL_TOKENS, MAX_TOKEN_NAME_CHARS, PersonalToken, TokenRequest,
};
pub use preferences::{GamePreferences, NotificationPreferences, PreferencesChange, SwitchOff, TurnMails};
pub use presence::Presence;
pub use profile::{Profile, ProfileChange};
pub use registration::NewAccount;
pub use scopes::{Scope, Scopes};
pub use secret_token::SecretToken;
pub use server_invitations::{
    MAX_OPEN_INVITATIONS, NotAdmitted, RegistrationPolicy, SERVER_INVITATION_LIFETIME,
};
pub use sessions::{LogIn, LoggedIn, REFRESH_TOKEN_LIFETIME};

use uuid::Uuid;

use pippost_clock::Clock;
use pippost_keys::signing::PublicKey;
use pippost_keys::{SecretKey, SigningKeys};
use pippost_store::{self as store, Database, OutboxSignal};
use pippost_traffic::KnownNetworks;

use authenticate::KnownTokens;
use keyring::Keyring;
use limits::{Gate, LogInGate, PlayerGates, RequestGates};
use mail_server::KnownMailServer;
use own_addresses::OwnAddresses;
use password::Hasher;

/// The most rows of a kind that one call of [`Accounts::clean_up`] removes.
const CLEAN_UP_BATCH: i64 = 500;

/// How long an invitation by address is remembered: longer than games wait for players, unless set otherwise.
const INVITATION_MEMORY: time::Duration = time::Duration::days(60);

/// How many connections to the database are kept for log-ins from known networks.
const CONNECTIONS_OF_KNOWN: usize = 1;

/// Account operations. Cheap to clone.
#[derive(Clone)]
pub struct Accounts(Arc<Inner>);

struct Inner {
    database: Database,
    /// For log-ins from known networks: attacks do not use up its connections.
    for_known: Database,
    clock: Clock,
    secret: Arc<SecretKey>,
    keyring: Keyring,
    hasher: Hasher,
    tokens: KnownTokens,
    cookies: KnownTokens,
    presence: Presence,
    known_networks: KnownNetworks,
    own_addresses: OwnAddresses,
    mail_server: KnownMailServer,
    /// Notified when notices are queued.
    outbox_signal: OutboxSignal,
    requests: RequestGates,
    log_in: LogInGate,
    registration: Gate,
    registration_policy: RegistrationPolicy,
    guests: Gate,
    reset: Gate,
    confirmation: Gate,
    confirmation_players: Limiter<Uuid>,
    player_requests: PlayerGates,
    verification: Gate,
    receipts: Gate,
    device_codes: Gate,
    user_codes: Gate,
}

impl Accounts {
    /// The accounts in `database`; needs a runtime. Queued mails notify `outbox_signal`.
    #[must_use]
    pub fn with_limits(
        database: Database,
        clock: Clock,
        secret: Arc<SecretKey>,
        signing: Arc<SigningKeys>,
        limits: AccountLimits,
        outbox_signal: OutboxSignal,
    ) -> Self {
        let known = KnownNetworks::default();
        Self(Arc::new(Inner {
            keyring: Keyring::new(signing, clock.clone()),
            hasher: Hasher::new(limits.hash_memory_kib),
            tokens: KnownTokens::new(),
            cookies: KnownTokens::new(),
            presence: Presence::start(database.clone(), clock.clone()),
            outbox_signal,
            requests: RequestGates::new(limits.requests, &clock, &known),
            log_in: LogInGate::new(limits.log_in, &clock, &known),
            registration: Gate::new(names::REGISTRATION, limits.registration, &clock, &known),
            registration_policy: limits.registration_policy,
            guests: Gate::of_peers(names::GUESTS, limits.guests, &clock, &known),
            reset: Gate::new(names::RESET, limits.reset, &clock, &known),
            confirmation: Gate::new(names::CONFIRMATION, limits.confirmation, &clock, &known),
            confirmation_players: Limiter::new(
                names::CONFIRMATION_PLAYER,
                limits.confirmation_per_player,
                &clock,
            ),
            player_requests: PlayerGates::new(&limits.players, &clock, &known),
            verification: Gate::of_peers(names::VERIFICATION, limits.verification, &clock, &known),
            receipts: Gate::of_peers(names::RECEIPTS, limits.receipts, &clock, &known),
            device_codes: Gate::of_peers(names::DEVICE_CODES, limits.device_codes, &clock, &known),
            user_codes: Gate::new(names::USER_CODES, limits.user_codes, &clock, &known),
            known_networks: known,
            own_addresses: OwnAddresses::default(),
            mail_server: KnownMailServer::default(),
            for_known: database.part(CONNECTIONS_OF_KNOWN).unwrap_or_else(|_| database.clone()),
            database,
            clock,
            secret,
        }))
    }

    /// The networks from which players come.
    #[must_use]
    pub fn known_networks(&self) -> &KnownNetworks {
        &self.0.known_networks
    }

    /// Refuses this server's own `address` to accounts and invitations from now on.
    pub fn own_address(&self, address: &str) {
        self.0.own_addresses.add(address);
    }

    /// Refuses an address that cannot be a person's: this server's own, or one without a domain's name.
    ///
    /// # Errors
    /// [`AccountError::EmailRefused`]
    pub fn check_address(&self, email: &EmailAddress) -> Result<(), AccountError> {
        let refused = email.is_literal() || self.0.own_addresses.contains(email);
        if refused { Err(AccountError::EmailRefused) } else { Ok(()) }
    }

    /// Records when players are present.
    #[must_use]
    pub fn presence(&self) -> &Presence {
        &self.0.presence
    }

    /// The current time.
    #[must_use]
    pub fn now(&self) -> time::OffsetDateTime {
        self.0.clock.now()
    }

    /// The public keys of access tokens and receipts, the current one first.
    pub async fn public_keys(&self) -> Vec<PublicKey> {
        self.0.keyring.public().await
    }

    /// Counts a request of a peer, with or without a token.
    ///
    /// # Errors
    /// The peer's quota is used up.
    pub fn count_request_of_peer(&self, peer: IpAddr) -> Result<Left, Reached> {
        self.0.requests.peers.pass(peer)
    }

    /// Counts a request with a token.
    ///
    /// # Errors
    /// The token's quota is used up.
    pub fn count_request_of_token(&self, token_id: Uuid) -> Result<Left, Reached> {
        self.0.requests.tokens.pass(token_id)
    }

    /// Gives back what a request has cost.
    pub fn give_back_request(&self, peer: IpAddr, token_id: Option<Uuid>) {
        self.0.requests.peers.give_back(peer);
        if let Some(token_id) = token_id {
            self.0.requests.tokens.give_back(&token_id);
        }
    }

    /// The limits of all requests, by name: for tokens, and for peers.
    #[must_use]
    pub fn request_policies(&self) -> [(&'static str, Rate); 2] {
        [self.0.requests.tokens.policy(), self.0.requests.peers.policy()]
    }

    /// Counts a player's request that costs others something. Each process counts separately.
    ///
    /// # Errors
    /// [`AccountError::TooManyTries`]
    pub fn count_request(
        &self,
        request: PlayerRequest,
        player_id: Uuid,
        peer: IpAddr,
    ) -> Result<(), AccountError> {
        self.0.player_requests.pass(request, player_id, Some(peer))
    }

    /// The same for a request that came by mail, from no address of a peer.
    ///
    /// # Errors
    /// [`AccountError::TooManyTries`]
    pub fn count_request_by_mail(&self, request: PlayerRequest, player_id: Uuid) -> Result<(), AccountError> {
        self.0.player_requests.pass(request, player_id, None)
    }

    /// Counts one record that a peer has verified.
    ///
    /// # Errors
    /// Too many in a short time.
    pub fn count_verification(&self, peer: IpAddr) -> Result<(), AccountError> {
        self.0.verification.pass_peer(peer)
    }

    /// Counts the check of a receipt by a peer without an account.
    ///
    /// # Errors
    /// [`AccountError::TooManyTries`]
    pub fn count_receipt(&self, peer: IpAddr) -> Result<(), AccountError> {
        self.0.receipts.pass_peer(peer)
    }

    /// Removes idle guests, and expired tokens, sessions, grants, codes and links, one batch of each; returns the number of rows. Call
    /// it again until it returns 0.
    ///
    /// # Errors
    /// The database failed.
    pub async fn clean_up(&self) -> Result<usize, AccountError> {
        let now = self.0.clock.now();
        let tokens = store::sessions::remove_expired(&self.0.database, now, CLEAN_UP_BATCH).await?;
        let links = store::mail_links::remove_expired(&self.0.database, now, CLEAN_UP_BATCH).await?;
        let codes_before = now - apps::CODE_MEMORY;
        let database = &self.0.database;
        let of_apps = store::app_tokens::remove_expired(database, now, codes_before, CLEAN_UP_BATCH).await?;
        let of_devices = self.remove_device_codes().await?;
        let before = now - INVITATION_MEMORY;
        let invitations = store::invitations::remove_old(database, before, CLEAN_UP_BATCH).await?;
        let to_server = store::server_invitations::remove_expired(database, now, CLEAN_UP_BATCH).await?;
        let links = links + invitations + to_server;
        Ok(tokens + links + of_apps + of_devices + self.remove_idle_guests().await?)
    }
}
