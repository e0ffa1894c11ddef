//! The first mail of a server, to whoever sets it up.

use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::dns::Finding;
use crate::mail::{Mailer, OutgoingMail};
use lettre::message::Mailbox;

/// Sends it, and says in words how that went.
pub fn send(mailer: &Mailer, public_url: &Url, to: Mailbox) -> anyhow::Result<Finding> {
    let (address, id) = (to.email.to_string(), Uuid::new_v4());
    let host = public_url.host_str().unwrap_or("localhost");
    let text = format!("Mails of the pippost server at {host} arrive here.\n");
    let mail = OutgoingMail {
        notice_id: id,
        player_id: None,
        kind: "trial",
        from: mailer.from().clone(),
        to,
        subject: format!("A test mail of {host}"),
        html: format!("<p>{}</p>", text.trim_end()),
        text,
        picture: None,
        message_id: format!("<{id}@{host}>"),
        thread_id: None,
        unsubscribe: None,
        list: None,
        shown_event: None,
        date: OffsetDateTime::now_utc(),
        reply_to: None,
        bounce_to: None,
        checkpoint: None,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(match runtime.block_on(mailer.send(&mail)) {
        Ok(()) => {
            Finding::Well(format!("the mail server took a test mail to {address}: look whether it arrives"))
        }
        Err(error) => {
            let said = error.said.map(|said| format!(" ({said})")).unwrap_or_default();
            Finding::Wrong(format!("the test mail to {address} was not sent: {}{said}", error.reason))
        }
    })
}
