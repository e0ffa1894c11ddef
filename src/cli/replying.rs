//! Applies the settings for incoming mail.

use anyhow::Context;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::keys::SharedSecret;
use crate::notices::ReplyAddress;
use crate::replies::{AuthenticationPolicy, LmtpAddress, LmtpListener};
use crate::settings::ReplySettings;

/// Enables answers by mail, if the settings have an address.
pub fn add_replies(app: App, settings: &ReplySettings) -> anyhow::Result<App> {
    let address = settings.reply_address.as_deref().map(str::parse::<ReplyAddress>).transpose();
    let address = address.context("PIPPOST_REPLY_ADDRESS")?;
    let secret = settings.inbound_secret.as_deref().map(|text| {
        SharedSecret::new(text).with_context(|| {
            format!("PIPPOST_INBOUND_SECRET must have at least {} characters", SharedSecret::MIN_BYTES)
        })
    });
    let policy =
        AuthenticationPolicy { authserv_id: settings.authserv_id.clone(), forged: settings.forged_senders };
    Ok(app.with_replies(address, secret.transpose()?, policy))
}

/// A running LMTP listener.
pub struct Lmtp {
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

impl Lmtp {
    /// Starts the listener, if the settings have an address.
    pub fn start(app: &App, settings: &ReplySettings) -> anyhow::Result<Option<Self>> {
        let Some(address) = &settings.lmtp_listen else { return Ok(None) };
        anyhow::ensure!(app.reply_addresses.is_some(), "LMTP needs PIPPOST_REPLY_ADDRESS");
        let address: LmtpAddress = address.parse().context("PIPPOST_LMTP_LISTEN")?;
        let listener = LmtpListener::bind(&address).context("PIPPOST_LMTP_LISTEN")?;
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async move {
            // A dropped sender stops the listener too.
            let _told_or_gone = stopped.await;
        };
        Ok(Some(Self { stop, running: tokio::spawn(listener.serve(app.replies.clone(), stopped)) }))
    }

    /// Stops accepting mail and waits until open sessions have ended.
    pub async fn stop(self) {
        // An error means that the listener has already ended.
        let _ended = self.stop.send(());
        if let Err(error) = self.running.await {
            tracing::error!(%error, "LMTP has failed");
        }
    }
}
