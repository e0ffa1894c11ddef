//! Finds the signed checkpoint in what people keep: a file of the log, a mail of its server, or a text around either.

use crate::log::Checkpoint;
use crate::log::note::{MAX_NOTE_BYTES, Note, VerifierKey};
use crate::mail::checkpoint_notes;

/// The signed checkpoint in a text: in a header of a mail, also of one that was forwarded in another, or as it is.
pub fn find_checkpoint(text: &str, key: &VerifierKey) -> Option<(Checkpoint, Note)> {
    let in_mail = checkpoint_notes(text.as_bytes()).into_iter().find_map(|note| opened(note, key));
    in_mail.or_else(|| in_text(text, key))
}

fn opened(note: Note, key: &VerifierKey) -> Option<(Checkpoint, Note)> {
    Checkpoint::open(&note, key).ok().map(|checkpoint| (checkpoint, note))
}

fn in_text(text: &str, key: &VerifierKey) -> Option<(Checkpoint, Note)> {
    let first_line = format!("{}\n", key.name);
    let starts = text.match_indices(&first_line).map(|(at, _)| at);
    let starts = starts.filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n');
    starts.map(|at| &text[at..]).find_map(|text| {
        let (head, after) = text.split_once("\n\n").filter(|(head, _)| head.len() <= MAX_NOTE_BYTES)?;
        let lines: String =
            after.split_inclusive('\n').take_while(|line| line.starts_with('\u{2014}')).collect();
        opened(Note::read(&format!("{head}\n\n{lines}")).ok()?, key)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::note::{KeyKind, SignerKey};

    fn key(seed: u8) -> SignerKey {
        SignerKey::from_seed("example.org/log", KeyKind::Log, &[seed; 32]).expect("a key")
    }

    fn checkpoint(size: u64) -> Checkpoint {
        let root = crate::log::tree::leaf_hash(&size.to_be_bytes());
        Checkpoint { origin: "example.org/log".into(), size, root }
    }

    fn found(text: &str, key: &SignerKey) -> Option<Checkpoint> {
        find_checkpoint(text, key.verifier()).map(|(found, _)| found)
    }

    #[test]
    fn a_checkpoint_is_found_in_a_text_and_only_if_the_log_has_signed_it() {
        let note = checkpoint(1).sign(&key(1)).to_string();
        let text =
            format!("Subject: example.org/log\n\nexample.org/log\nnot one\n\nText.\n\n{note}\nMore.\n");
        assert_eq!(found(&text, &key(1)), Some(checkpoint(1)));
        assert_eq!(found(&text, &key(2)), None);
        assert_eq!(found(&text.replace("\n1\n", "\n2\n"), &key(1)), None);
    }

    #[test]
    fn a_checkpoint_is_found_in_the_header_of_a_mail_however_folded_and_forwarded() {
        let words = checkpoint(7).sign(&key(1)).in_words();
        let mail = format!(
            "From: a@example.org\nPippost-Checkpoint: {}\nSubject: your turn\n\nexample.org/log has 9 entries\n",
            words.replace(' ', "\n\t")
        );
        let forwarded = |mail: &str| {
            format!(
                "Subject: Fwd\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nLook.\n--b\nContent-Type: \
                 message/rfc822\n\n{mail}\n--b--\n"
            )
        };
        for mail in [mail.clone(), mail.replace('\n', "\r\n"), forwarded(&mail)] {
            assert_eq!(found(&mail, &key(1)), Some(checkpoint(7)), "{mail}");
            assert_eq!(found(&mail, &key(2)), None, "{mail}");
        }
        // What somebody writes into a mail counts for no more than what the log has signed.
        let forged = mail.replace(&words[..8], "AAAAAAAA");
        assert_eq!(found(&forged, &key(1)), None);
        let deep = (0..9).fold(mail, |mail, _| forwarded(&mail));
        assert_eq!(found(&deep, &key(1)), None);
    }
}
