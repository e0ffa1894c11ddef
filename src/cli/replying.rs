//! What the settings say of mails coming in.

use anyhow::Context;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::keys::SharedSecret;
use crate::notices::ReplyAddress;
use crate::replies::{AuthenticationPolicy, LmtpAddress, LmtpListener};
use crate::settings::ReplySettings;

/// Lets mails be answered, as the settings say.
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

/// A listener for LMTP, running.
pub struct Lmtp {
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

impl Lmtp {
    /// Starts listening, if the settings say so.
    pub fn start(app: &App, settings: &ReplySettings) -> anyhow::Result<Option<Self>> {
        let Some(address) = &settings.lmtp_listen else { return Ok(None) };
        anyhow::ensure!(app.reply_addresses.is_some(), "LMTP needs PIPPOST_REPLY_ADDRESS");
        let address: LmtpAddress = address.parse().context("PIPPOST_LMTP_LISTEN")?;
        let listener = LmtpListener::bind(&address).context("PIPPOST_LMTP_LISTEN")?;
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async move {
            // A sender that is gone stops it too.
            let _told_or_gone = stopped.await;
        };
        Ok(Some(Self { stop, running: tokio::spawn(listener.serve(app.replies.clone(), stopped)) }))
    }

    /// Stops taking mail, once what is being said has been said.
    pub async fn stop(self) {
        // It has ended already if nobody listens.
        let _ended = self.stop.send(());
        if let Err(error) = self.running.await {
            tracing::error!(%error, "LMTP has failed");
        }
    }
}
