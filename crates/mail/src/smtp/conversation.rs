//! Sends one mail command by command, so that a refusal of the recipient can be distinguished from others.

use lettre::address::{Address, Envelope};
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{Extension, MailBodyParameter, MailParameter};

use super::refusal::Failure;

/// Sends one message. If that fails, closes the connection, because its state is unknown.
pub async fn deliver(
    connection: &mut AsyncSmtpConnection,
    envelope: &Envelope,
    raw: &[u8],
) -> Result<(), Failure> {
    let delivered = converse(connection, envelope, raw).await;
    if delivered.is_err() {
        connection.abort().await;
    }
    delivered
}

async fn converse(
    connection: &mut AsyncSmtpConnection,
    envelope: &Envelope,
    raw: &[u8],
) -> Result<(), Failure> {
    let options = options(connection, envelope, raw)?;
    let mail = Mail::new(envelope.from().cloned(), options);
    connection.command(mail).await.map_err(|error| Failure::of_mail(&error))?;
    for recipient in envelope.to() {
        let recipient = Rcpt::new(recipient.clone(), Vec::new());
        connection.command(recipient).await.map_err(|error| Failure::of_recipient(&error))?;
    }
    connection.command(Data).await.map_err(|error| Failure::of_mail(&error))?;
    connection.message(raw).await.map_err(|error| Failure::of_mail(&error))?;
    Ok(())
}

/// The options that the server needs before it gets non-ASCII characters in addresses (RFC 6531) or in the message (RFC 6152).
fn options(
    connection: &AsyncSmtpConnection,
    envelope: &Envelope,
    raw: &[u8],
) -> Result<Vec<MailParameter>, Failure> {
    let is_plain = |address: &Address| AsRef::<str>::as_ref(address).is_ascii();
    let plain = envelope.to().iter().chain(envelope.from()).all(is_plain);
    let mut options = Vec::new();
    for (needed, extension, parameter) in [
        (!plain, Extension::SmtpUtfEight, MailParameter::SmtpUtfEight),
        (!raw.is_ascii(), Extension::EightBitMime, MailParameter::Body(MailBodyParameter::EightBitMime)),
    ] {
        if needed && !connection.server_info().supports_feature(extension) {
            return Err(Failure::not_taken());
        }
        options.extend(needed.then_some(parameter));
    }
    Ok(options)
}
