//! Handles bounces: reports of mail servers (RFC 3464) on mails that could not be delivered.

use mail_parser::{Message, MessageParser, MimeHeaders};
use uuid::Uuid;

use super::ReplyError;
use super::receiving::{ReceiveOutcome, Replies};
use pippost_notices::bounces;

/// The length of the longest status code, such as `5.123.456`.
const MAX_CODE_BYTES: usize = 9;

/// Returns the status code (RFC 3463) of a failed delivery. `None` if the mail holds no report, or one on a mail that was
/// delivered or is only delayed.
fn failure(message: &Message<'_>) -> Option<String> {
    let is_status = |part: &&mail_parser::MessagePart<'_>| {
        part.content_type().is_some_and(|kind| {
            kind.ctype().eq_ignore_ascii_case("message")
                && kind.subtype().is_some_and(|subtype| subtype.eq_ignore_ascii_case("delivery-status"))
        })
    };
    let status = message.parts.iter().find(is_status)?;
    let text = String::from_utf8_lossy(status.contents()).replace("\r\n", "\n");
    text.split("\n\n").find_map(failed_recipient)
}

/// The status code in a group of fields about one recipient, if the delivery failed.
fn failed_recipient(group: &str) -> Option<String> {
    let fields = format!("{}\n\n", group.trim_start());
    let fields = MessageParser::default().parse_headers(fields.as_bytes())?;
    let field = |name: &'static str| fields.header_raw(name).map(|value| value.trim().to_ascii_lowercase());
    if !field("Action")?.starts_with("failed") {
        return None;
    }
    let status = field("Status")?;
    let code = status.split_whitespace().next()?;
    let is_code = code.len() <= MAX_CODE_BYTES
        && code.split('.').count() == 3
        && code.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    is_code.then(|| code.to_owned())
}

impl Replies {
    /// Records that the mail of a notice bounced, if `raw` reports a failed delivery.
    pub(super) async fn bounced(&self, notice_id: Uuid, raw: &[u8]) -> Result<ReceiveOutcome, ReplyError> {
        let code = MessageParser::default().parse(raw).and_then(|message| failure(&message));
        let Some(code) = code else { return Ok(ReceiveOutcome::Ignored("no report of a failure")) };
        let new = bounces::record(self.database(), notice_id, &code, self.now()).await?;
        Ok(if new { ReceiveOutcome::Taken } else { ReceiveOutcome::Repeated })
    }
}
