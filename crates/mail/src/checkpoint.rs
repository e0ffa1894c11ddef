//! The newest checkpoint of the server's log, as mails carry it: in small print for people, and signed in a header, so that a mail proves
//! by itself what the server said of its log.

use mail_parser::{Message, MessageParser, PartType};
use minijinja::context;
use minijinja::value::Value;
use pippost_log::Checkpoint;
use pippost_log::note::Note;

/// The header with the signed checkpoint, in base64. A mail has none where the server has no log.
pub const CHECKPOINT_HEADER: &str = "Pippost-Checkpoint";

/// How deep mails in mails are looked into.
const MAX_FORWARDED: u8 = 4;

/// A checkpoint, prepared once for many mails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailCheckpoint {
    checkpoint: Checkpoint,
    words: String,
}

impl MailCheckpoint {
    /// The checkpoint of a signed note; `None` if there is none, or nothing is in the log yet.
    #[must_use]
    pub fn of_note(note: &str) -> Option<Self> {
        let note = Note::read(note).ok()?;
        let checkpoint = Checkpoint::of_text(&note.text).ok().filter(|checkpoint| checkpoint.size > 0)?;
        Some(Self { checkpoint, words: note.in_words() })
    }

    /// What the header holds.
    #[must_use]
    pub fn header(&self) -> &str {
        &self.words
    }

    /// What templates show. The size is a text, because people compare it digit by digit.
    pub(crate) fn shown(&self) -> Value {
        let Checkpoint { origin, size, .. } = &self.checkpoint;
        context! { origin, size => size.to_string(), root => self.checkpoint.root_text() }
    }
}

/// The notes in the headers of a mail, and of mails that it forwards. Anybody can have written them: their signatures count.
#[must_use]
pub fn checkpoint_notes(mail: &[u8]) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(mail) = MessageParser::default().parse(mail) {
        collect(&mail, MAX_FORWARDED, &mut notes);
    }
    notes
}

fn collect(mail: &Message<'_>, deep: u8, notes: &mut Vec<Note>) {
    notes.extend(mail.header_raw(CHECKPOINT_HEADER).and_then(|words| Note::of_words(words).ok()));
    let Some(deeper) = deep.checked_sub(1) else { return };
    for part in &mail.parts {
        if let PartType::Message(forwarded) = &part.body {
            collect(forwarded, deeper, notes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pippost_log::note::{KeyKind, SignerKey};
    use pippost_log::tree::{empty_root, leaf_hash};

    #[test]
    fn the_header_holds_the_note_with_all_its_signatures_and_an_empty_log_none() {
        let key = SignerKey::from_seed("play.example.org/log", KeyKind::Log, &[1; 32]).expect("a key");
        let of = |size, root| Checkpoint { origin: "play.example.org/log".to_owned(), size, root };
        let mut note = of(81_234, leaf_hash(b"")).sign(&key);
        note.signatures.push(note.signatures[0].clone());
        let mail = MailCheckpoint::of_note(&note.to_string()).expect("a checkpoint");
        assert_eq!(Note::of_words(mail.header()), Ok(note));
        assert_eq!(
            Note::of_words(&mail.header().replace(' ', "\r\n\t")).map(|note| note.signatures.len()),
            Ok(2)
        );
        assert_eq!(MailCheckpoint::of_note(&of(0, empty_root()).sign(&key).to_string()), None);
        assert_eq!(MailCheckpoint::of_note(""), None);
    }
}
