//! What the settings say of mails coming in.

use anyhow::Context;

use crate::app::App;
use crate::keys::SharedSecret;
use crate::notices::ReplyAddress;
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
    Ok(app.with_replies(address, secret.transpose()?))
}
