//! Messages for the channels of Discord and Slack.

use serde_json::json;

use super::message::{EventHead, Table};
use pippost_language::{Arguments, Language, words};
use pippost_store::table_messages::MessageRow;
use pippost_store::{WebhookFormat, WebhookKind};

/// The most of what was written: Discord takes 2,000 characters, and each may need another before it.
const MAX_SAID_CHARS: usize = 800;

/// What Discord reads as more than a letter.
const MARKUP_OF_DISCORD: [char; 9] = ['\\', '*', '_', '~', '`', '|', '>', '#', '['];

/// The sentence about an event, with the link to the game.
pub(super) fn event_text(
    kind: WebhookKind,
    table: &Table<'_>,
    head: &EventHead<'_>,
    language: Language,
) -> (String, String) {
    let game = words::game_name(table.title(), &table.opponents(), language);
    let arguments = || Arguments::default().text("game", game.clone());
    let said = match (kind, head.seat.and_then(|seat| table.handle_of(seat))) {
        (WebhookKind::GameOver, _) => language.say_with("webhook-over", &arguments()),
        (WebhookKind::GameStarted, _) => language.say_with("webhook-started", &arguments()),
        (WebhookKind::Turn, _) => language.say_with("webhook-turn", &arguments()),
        (WebhookKind::Event | WebhookKind::Message | WebhookKind::Tournament, Some(handle)) => {
            language.say_with("webhook-moved", &arguments().text("player", handle))
        }
        (WebhookKind::Event | WebhookKind::Message | WebhookKind::Tournament, None) => {
            language.say_with("webhook-went-on", &arguments())
        }
    };
    (said, table.link.to_owned())
}

/// What another player has written, as much of it as a channel takes.
pub(super) fn said_text(table: &Table<'_>, row: &MessageRow, language: Language) -> (String, String) {
    let game = words::game_name(table.title(), &table.opponents(), language);
    let said = row.text.as_deref().unwrap_or_default();
    let mut text: String = said.chars().take(MAX_SAID_CHARS).collect();
    if text.len() < said.len() {
        text.push('…');
    }
    let arguments = Arguments::default().text("game", game).text("player", &row.handle).text("text", text);
    (language.say_with("webhook-said", &arguments), table.link.to_owned())
}

/// The sentence that shows a challenge.
pub(super) fn challenge_text(challenge: &str, language: Language) -> (String, String) {
    (language.say("webhook-challenge"), challenge.to_owned())
}

/// The body with a sentence and what follows it as it is. Nobody is called by name, whatever is in it.
pub(super) fn body(format: WebhookFormat, (said, then): &(String, String)) -> String {
    match format {
        WebhookFormat::Slack => {
            let said = said.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            json!({"text": format!("{said} {then}")}).to_string()
        }
        WebhookFormat::Discord | WebhookFormat::Standard => {
            let mut plain = String::with_capacity(said.len());
            for sign in said.chars() {
                if MARKUP_OF_DISCORD.contains(&sign) {
                    plain.push('\\');
                }
                plain.push(sign);
            }
            json!({"content": format!("{plain} {then}"), "allowed_mentions": {"parse": []}}).to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_chat_would_read_as_markup_is_shown_as_it_is() {
        let said = ("a_b_ <&> *c*".to_owned(), "https://play.example.org/games/1".to_owned());
        assert_eq!(
            body(WebhookFormat::Slack, &said),
            r#"{"text":"a_b_ &lt;&amp;&gt; *c* https://play.example.org/games/1"}"#
        );
        assert_eq!(
            body(WebhookFormat::Discord, &said),
            r#"{"allowed_mentions":{"parse":[]},"content":"a\\_b\\_ <&\\> \\*c\\* https://play.example.org/games/1"}"#
        );
    }
}
