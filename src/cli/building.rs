//! Builds the program's parts from its settings, for the commands that serve, work or look after a server.

use std::sync::Arc;

use anyhow::Context;
use lettre::message::Mailbox;
use url::Url;

use super::storage::Storage;
use crate::accounts::AccountLimits;
use crate::app::{App, Parts};
use crate::beacon::{Chain, Drand};
use crate::clock::Clock;
use crate::games::Tuning;
use crate::keys::{SecretKey, SigningKeys};
use crate::settings::{
    BeaconSettings, DatabaseSettings, KeySettings, MailSettings, PushSettings, WebhookSettings,
};
use crate::webhooks::Reach;

/// The public URL of commands that send nothing, so that no link is ever made of it.
pub const NO_LINKS: &str = "http://localhost";

/// The clock of a sandbox, or the system's.
pub fn clock(sandbox: bool) -> Clock {
    if sandbox { Clock::ahead_of(Clock::System) } else { Clock::System }
}

/// Builds the parts of a server that is no sandbox; also used by `work`.
pub async fn build_app(
    storage: &Storage,
    database: &DatabaseSettings,
    keys: &KeySettings,
    beacon: Option<Drand>,
    public_url: String,
) -> anyhow::Result<App> {
    let limits = AccountLimits::default();
    build_app_with(Clock::System, &limits, storage, database, keys, beacon, public_url).await
}

/// The same with a clock, which is a sandbox's or the system's, and limits.
pub async fn build_app_with(
    clock: Clock,
    account_limits: &AccountLimits,
    storage: &Storage,
    database: &DatabaseSettings,
    keys: &KeySettings,
    beacon: Option<Drand>,
    public_url: String,
) -> anyhow::Result<App> {
    let (secret, signing) = open_keys(keys, database)?;
    let parts = Parts {
        address: storage.address.clone(),
        replica: storage.replica.clone(),
        archive: storage.archive.clone(),
        connections: database.database_connections.into(),
        tuning: Tuning { cache_bytes: u64::from(database.cache_mib) << 20, writers: database.writers },
        clock,
        secret: Arc::new(secret),
        signing: Arc::new(signing),
        public_url,
        account_limits: *account_limits,
        beacon: beacon.map(Arc::new),
    };
    Ok(App::build(parts).await?)
}

/// Where webhooks may lead.
pub fn reach(settings: &WebhookSettings) -> Reach {
    if settings.webhooks_anywhere { Reach::Anywhere } else { Reach::Public }
}

/// Sets web push up as the settings say.
pub fn add_push(app: App, push: &PushSettings, mail: &MailSettings) -> anyhow::Result<App> {
    let contact = if let Some(contact) = &push.push_contact {
        contact.clone()
    } else {
        let from: Mailbox = mail.mail_from.parse().context("PIPPOST_MAIL_FROM")?;
        let is_local = from.email.domain() == "localhost";
        if is_local { app.public_url.clone() } else { format!("mailto:{}", from.email) }
    };
    let is_readable =
        Url::parse(&contact).is_ok_and(|url| matches!(url.scheme(), "mailto" | "https" | "http"));
    anyhow::ensure!(
        is_readable,
        "PIPPOST_PUSH_CONTACT is like mailto:ops@example.org or https://example.org"
    );
    Ok(app.with_pushes(contact, !push.no_push))
}

/// Opens the beacon, if the settings name endpoints.
pub fn open_beacon(settings: &BeaconSettings) -> anyhow::Result<Option<Drand>> {
    if settings.beacon_url.is_empty() {
        return Ok(None);
    }
    let chain = match &settings.beacon_chain {
        None => Chain::quicknet(),
        Some(path) => {
            let info = std::fs::read_to_string(path)
                .with_context(|| format!("description of the beacon's chain {}", path.display()))?;
            Chain::parse(&info)?
        }
    };
    Ok(Some(Drand::new(chain, &settings.beacon_url)?))
}

fn open_keys(keys: &KeySettings, database: &DatabaseSettings) -> anyhow::Result<(SecretKey, SigningKeys)> {
    let folder = keys.folder(&database.data_dir);
    make_private_folder(&folder)?;
    let secret = match &keys.secret_key {
        Some(text) => SecretKey::from_hex(text)?,
        None => SecretKey::in_folder(&folder)?,
    };
    let signing = if keys.signing_keys.is_empty() {
        SigningKeys::in_folder(&folder)?
    } else {
        let read = |path: &std::path::PathBuf| {
            std::fs::read_to_string(path).with_context(|| format!("signing key {}", path.display()))
        };
        let texts: Vec<String> = keys.signing_keys.iter().map(read).collect::<Result<_, _>>()?;
        SigningKeys::from_pems(&texts, Clock::System.now())?
    };
    Ok((secret, signing))
}

/// Makes a folder that nobody else may read, with those above it.
pub fn make_private_folder(folder: &std::path::Path) -> anyhow::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.with_context(|| format!("cannot make the folder {}", folder.display()))
}
