//! Handles reports of mail servers: on mails that could not be delivered (RFC 3464), and of recipients who complained (RFC 5965).

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};
use uuid::Uuid;

use super::ReplyError;
use super::receiving::{ReceiveOutcome, Replies};
use pippost_games::letters::steps;
use pippost_notices::bounces;

/// The header with the link that switches a kind of mails off (RFC 2369, RFC 8058).
const UNSUBSCRIBE: &str = "List-Unsubscribe";

/// The length of the longest status code, such as `5.123.456`.
const MAX_CODE_BYTES: usize = 9;

/// The part `message/<subtype>` of a report.
fn part_of<'a>(message: &'a Message<'_>, subtype: &str) -> Option<&'a MessagePart<'a>> {
    message.parts.iter().find(|part| {
        part.content_type().is_some_and(|kind| {
            kind.ctype().eq_ignore_ascii_case("message")
                && kind.subtype().is_some_and(|given| given.eq_ignore_ascii_case(subtype))
        })
    })
}

/// The token of the unsubscribe link in the mail that a recipient complained about. `None` if this is no complaint about a mail of
/// ours that can be switched off.
fn complaint(message: &Message<'_>) -> Option<String> {
    let report = part_of(message, "feedback-report")?;
    let fields = MessageParser::default().parse_headers(report.contents())?;
    let kind = fields.header_raw("Feedback-Type")?.trim().to_ascii_lowercase();
    if kind == "not-spam" {
        return None;
    }
    let links = message.parts.iter().find_map(|part| match &part.body {
        PartType::Message(original) => original.header_raw(UNSUBSCRIBE).map(str::to_owned),
        // Only the headers are attached: `text/rfc822-headers`.
        PartType::Text(headers) => MessageParser::default()
            .parse_headers(headers.as_bytes())?
            .header_raw(UNSUBSCRIBE)
            .map(str::to_owned),
        _ => None,
    })?;
    let (_, rest) = links.split_once("token=")?;
    let is_of_token = |next: &char| next.is_ascii_alphanumeric() || matches!(next, '-' | '_');
    Some(rest.chars().take_while(is_of_token).collect())
}

/// Returns the status code (RFC 3463) of a failed delivery. `None` if the mail holds no report, or one on a mail that was
/// delivered or is only delayed.
fn failure(message: &Message<'_>) -> Option<String> {
    let status = part_of(message, "delivery-status")?;
    steps::count(status.contents().len());
    let text = String::from_utf8_lossy(status.contents()).replace("\r\n", "\n");
    text.split("\n\n").find_map(failed_recipient)
}

/// The status code in a group of fields about one recipient, if the delivery failed.
fn failed_recipient(group: &str) -> Option<String> {
    steps::count(group.len());
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
    /// Takes a report: that the mail of the notice bounced whose address for that it came to, or that a recipient complained.
    pub(super) async fn reported(
        &self,
        bounced: Option<Uuid>,
        raw: &[u8],
    ) -> Result<Option<ReceiveOutcome>, ReplyError> {
        let Some(message) = MessageParser::default().parse(raw) else { return Ok(None) };
        if let Some(token) = complaint(&message) {
            return Ok(self.complained(&token).await?.then_some(ReceiveOutcome::Taken));
        }
        let Some((notice_id, code)) = bounced.zip(failure(&message)) else { return Ok(None) };
        let new = bounces::record(self.database(), notice_id, &code, self.now()).await?;
        if !new {
            return Ok(Some(ReceiveOutcome::Repeated));
        }
        self.figures().came_back();
        Ok(Some(ReceiveOutcome::Taken))
    }

    /// Switches the kind of mail off, as the link in it does. False if the link is none of ours.
    async fn complained(&self, token: &str) -> Result<bool, ReplyError> {
        let Some(about) = self.accounts().switch_off_link(token).await? else { return Ok(false) };
        self.accounts().switch_off(about).await?;
        self.figures().complained();
        tracing::warn!(notice = %about.notice_id, kind = about.kind.as_str(), "a recipient complained about a mail");
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The steps of reading a report about `times` times what `unit` says.
    fn steps_of(unit: &str, times: usize) -> usize {
        let raw = format!(
            "From: a@example.org\r\nContent-Type: multipart/report; boundary=b\r\n\r\n--b\r\n\
             Content-Type: message/delivery-status\r\n\r\n{}\r\n--b--\r\n",
            unit.repeat(times)
        );
        let message = MessageParser::default().parse(raw.as_bytes()).expect("a mail");
        let before = steps::taken();
        assert_eq!(failure(&message), None);
        steps::taken() - before
    }

    proptest! {
        #[test]
        fn a_report_of_twice_the_length_takes_at_most_twice_the_steps(
            unit in "(Status: 4.1.1|Action: delayed|Final-Recipient: rfc822; a|[a-z:. ]{1,12}|\r\n|\r\n\r\n){1,9}",
        ) {
            let (once, twice) = (steps_of(&unit, 200), steps_of(&unit, 400));
            prop_assert!(once > 0 && twice <= 2 * once + unit.len() + 16, "{once} and {twice} steps of {unit:?}");
        }
    }
}
