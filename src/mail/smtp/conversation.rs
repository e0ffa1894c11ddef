//! One mail on a connection, command by command, so that it is known whether a refusal is about the recipient.

use lettre::address::{Address, Envelope};
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{Extension, MailBodyParameter, MailParameter};

use super::refusal::Failure;

/// Sends one message, and ends the connection if that fails: what was left in its middle is not used again.
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

/// What the server must know beforehand of letters outside ASCII, in addresses (RFC 6531) and in the message (RFC 6152).
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
