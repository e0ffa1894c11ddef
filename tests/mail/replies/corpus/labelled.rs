//! Answers with what a referee would do with them, in many languages, as every program sends them: nothing is played that was not
//! surely meant, and little is asked about that was.

use pippost::games::letters::notation::{self, LineReading, ReadLines};
use pippost::replies::OurMail;
use pippost::replies::orders::{Orders, Writer};
use pippost::rules::Position;

use super::programs::PROGRAMS;
use super::{filled, position, turn_mails};

/// What a referee does with an answer.
#[derive(Clone, Copy, Debug)]
enum Label {
    Play(&'static [&'static str]),
    /// Asks whether the orders in it are meant.
    Ask,
    /// Says that nothing in it is an order.
    Refuse,
}

use Label::{Ask, Play, Refuse};

const STORE: Label = Play(&["store"]);

/// Answers by language.
const ANSWERS: &[(&str, &str, Label)] = &[
    ("en", "store", STORE),
    ("en", "Hi Bob,\n\nstore\n\nThanks,\nAnn", STORE),
    ("en", "store\n\nSee you soon!\nAnn", STORE),
    ("en", "My move:\nstore", STORE),
    ("en", "[EXTERNAL]\n\nstore", STORE),
    (
        "en",
        "CAUTION: This email originated from outside of the organization. Do not click\nlinks or open attachments.\n\nstore",
        STORE,
    ),
    ("en", "store\n---\nNo wait, was that not well played?", STORE),
    ("en", "Hello!\nc6 n1\n\nBest regards\nAnn Example", Play(&["c6 n1"])),
    ("en", "store; c6 n1", Play(&["store", "c6 n1"])),
    ("en", "What a game so far!\n\nstore", STORE),
    ("en", "~~store~~\nc6 n1", Play(&["c6 n1"])),
    ("de", "lagern", STORE),
    ("de", "Hallo Bob,\n\nstore\n\nViele Grüße\nAnn", STORE),
    ("de", "Moin!\nstore", STORE),
    ("de", "Lieber Bob,\nc6 n1", Play(&["c6 n1"])),
    ("de", "Mein Zug:\nstore", STORE),
    ("de", "Guten Morgen,\nstore\n\nBis morgen!", STORE),
    ("en", "store\nthanks and have a nice evening\n\nSee you tomorrow!", STORE),
    ("nl", "Hoi Bob,\n\nstore\n\nGroetjes,\nAnn", STORE),
    ("nl", "Hallo!\nstore\nveel plezier", STORE),
    ("fr", "Bonjour,\n\nstore\n\nCordialement,\nAnn", STORE),
    ("es", "Hola Bob:\n\nstore\n\nSaludos,\nAnn", STORE),
    ("it", "Ciao Bob,\nstore\n\nA presto,\nAnn", STORE),
    ("pt", "Olá,\n\nstore\n\nAbraços,\nAnn", STORE),
    ("sv", "Hej!\n\nstore\n\nHälsningar\nAnn", STORE),
    ("da", "Hej Bob\n\nstore\n\nVenlig hilsen\nAnn", STORE),
    ("pl", "Cześć,\nstore\n\nPozdrawiam,\nAnn", STORE),
    ("cs", "Ahoj,\n\nstore", STORE),
    ("fi", "Hei,\n\nstore\n\nTerveisin\nAnn", STORE),
    ("hu", "Szia Bob,\n\nstore\n\nÜdvözlettel\nAnn", STORE),
    ("tr", "Merhaba,\nstore", STORE),
    ("ru", "Привет,\n\nstore\n\nС уважением,\nAnn", STORE),
    ("ru", "Добрый день,\nstore", STORE),
    ("ja", "こんにちは、\n\nstore", STORE),
    ("zh", "你好，\nstore", STORE),
    ("ko", "안녕하세요,\n\nstore", STORE),
    ("en", "Do not\nstore", Ask),
    (
        "en",
        "I was wondering whether it would be a good idea in this position to\nstore\nor to place it next to the six. What do you think?",
        Ask,
    ),
    ("en", "cancel\n\nstore", Ask),
    ("en", "not:\nstore\nbut:\nc6 n1", Ask),
    ("en", "Options:\n- store\n- c6 n1\nWhich one is better?", Ask),
    ("en", "I was going to\nstore", Ask),
    ("en", "store\n\nNo wait, I meant c6 n1", Ask),
    ("en", "store\n\nsorry, no:\n\nc6 n1", Ask),
    ("en", "Should I\nstore\nor not?", Ask),
    ("en", "I'd like to store the die please, thanks.", Ask),
    ("en", "My move: store", Ask),
    ("en", "Store it", Ask),
    ("en", "c6 – n2", Ask),
    ("en", "Maybe:\nstore", Ask),
    ("en", "no\nstore", Ask),
    ("en", "store\n\nI take that back.", Ask),
    ("en", "store\n\nMake that c6 n1", Ask),
    ("en", "store\n\nMake that c6 n9", Ask),
    ("en", "store\n\nSo c6 n9 it is.", Ask),
    ("en", "store\n\nLet us play pull 3 c6 n1", Ask),
    ("en", "store\n\nc6 n9 instead", Ask),
    ("en", "store\n\nc6 n9 please, Bob", Ask),
    ("en", "store\nc6 n1 then", Ask),
    ("en", "store\n\nNo, c6 n9", Ask),
    ("en", "c6 n1\n\nHm, roll", Ask),
    ("en", "c6 n1\n\nThat c6 n1 will annoy you.", Play(&["c6 n1"])),
    ("en", "store\n\nYour c6 was a good one.", STORE),
    ("en", "store\n\n10 minutes left, I have to run.", STORE),
    ("de", "store\n\nIch nehme pull 2 d4 n1", Ask),
    ("de", "store\n\nSo, jetzt d4 n8", Ask),
    ("en", "store\n\nI prefer c6 n2, all in all.", Ask),
    ("en", "store\nwhen he has moved", Ask),
    ("en", "Once he has moved,\nstore", Ask),
    ("en", "Store\nis what I did last time, and it went badly.", Ask),
    ("en", "Next turn then,\nstore", Ask),
    ("en", "Options:\n\u{2013} store\n\u{2013} c6 n1", Ask),
    ("de", "Bitte nicht\nstore", Ask),
    ("de", "store\nsobald er gezogen hat", Ask),
    ("de", "store\n\nDas nehme ich zurück.", Ask),
    ("de", "Morgen:\nlagern", Ask),
    ("de", "Ich weiß nicht, ob ich\nstore\nspielen soll.", Ask),
    ("de", "store\n\nNein, doch lieber c6 n1", Ask),
    ("de", "Ich möchte lagern", Ask),
    ("de", "Soll ich\nlagern\noder setzen?", Ask),
    ("nl", "Niet\nstore", Ask),
    ("nl", "Ik denk dat ik nu\nstore\nspeel.", Ask),
    ("fr", "Ne pas\nstore", Ask),
    ("fr", "store\n\nNon, plutôt c6 n1", Ask),
    ("es", "store\n\nPerdón, mejor c6 n1", Ask),
    ("it", "Non\nstore", Ask),
    ("pt", "Não\nstore", Ask),
    ("sv", "Inte\nstore", Ask),
    ("da", "Ikke\nstore", Ask),
    ("pl", "Nie\nstore", Ask),
    ("cs", "Ne\nstore", Ask),
    ("fi", "Älä\nstore", Ask),
    ("hu", "Ne\nstore", Ask),
    ("tr", "store\n\nHayır, c6 n1", Ask),
    ("ru", "Не надо\nstore", Ask),
    ("ja", "store\n\nやっぱりやめます。", Ask),
    ("zh", "不要\nstore", Ask),
    ("ko", "아니,\nstore", Ask),
    ("en", "Thank you!", Refuse),
    ("en", "", Refuse),
    ("en", "I am on holiday until Monday.", Refuse),
    ("en", "Options: store or c6 n2", Refuse),
    ("en", "Options: \u{2013} store \u{2013} c6 n1", Ask),
    ("de", "Was für ein schönes Spiel!", Refuse),
];

/// Every so many combinations of a program and an answer are read.
const STRIDE: usize = 4;

/// Reads lines at one position of Pip•Pip, for the seat to act.
pub struct At<'p>(pub &'p dyn Position);

impl ReadLines for At<'_> {
    fn read(&self, line: &str) -> LineReading {
        notation::read(self.0, "pip-pip", line, true)
    }

    fn meant(&self, line: &str) -> Option<String> {
        notation::meant(self.0, "pip-pip", line)
    }

    fn named(&self, line: &str) -> Vec<String> {
        notation::named(self.0, line)
    }

    fn has_other_words(&self, line: &str) -> bool {
        notation::has_other_words(self.0, "pip-pip", line)
    }
}

#[test]
fn what_a_line_names_is_found_in_the_notation_of_every_rule_set_and_prose_names_nothing() {
    for (rules, line, named) in [
        ("pip-pip", "So c6 n9 it is", &["c6 n"][..]),
        ("pip-pip", "Let us play pull 3 c6 n1, and c5 n2 later", &["pull 3 c6 n1", "c5 n2"]),
        ("pip-pip", "Make that store.", &["store"]),
        ("pip-pip", "Your c6 was good, and I am back in 10 minutes", &[]),
        ("pip-pip", "The store is full, see you on the M6", &[]),
        ("dominion", "I take attack a1 a2 then", &["attack a1 a2"]),
        ("dominion", "deploy a1 99, maybe", &["deploy a1 99"]),
        ("dominion", "Nice attack on a1, with 4 of 5", &[]),
        ("serpent", "So 5h it is", &["5h"]),
        ("serpent", "As you like, on 2nd thought or in 10 minutes", &[]),
        ("pippinzip", "Let us say c3 d5", &["c3 d5"]),
        ("pippinzip", "A 6 pack for you", &[]),
    ] {
        assert_eq!(notation::named(&*super::start_of(rules), line), named, "{rules}: {line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_played_that_was_not_surely_meant_and_little_is_asked_about_that_was() {
    let position = position();
    let ours = OurMail::new("play.example.org", None);
    let (mail, address) = turn_mails().await.swap_remove(0);
    let quoted = mail.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n");
    let writer =
        Writer { ours: &ours, name: Some("Ann Example"), address: Some("ann@example.org"), handle: "ann" };
    let (mut all, mut certain, mut not_played, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for (number, (program, form)) in PROGRAMS.iter().enumerate() {
        for (language, text, label) in ANSWERS.iter().skip(number % STRIDE).step_by(STRIDE) {
            let orders = Orders::read(&filled(form, text, &address, &quoted, &mail), writer, &At(&*position));
            let is_asked = orders.doubted || orders.guess.is_some();
            let plays = !is_asked && !orders.actions.is_empty();
            let is_right = match label {
                Play(_) if !plays => {
                    not_played.push(format!("{program}, {language}: {text}"));
                    true
                }
                Play(actions) => orders.actions == **actions && orders.broken.is_none(),
                Ask => is_asked,
                Refuse => !plays && !is_asked,
            };
            all += 1;
            certain += usize::from(matches!(label, Play(_)));
            if !is_right {
                wrong.push(format!("{program}, {language}, {label:?}: {text:?} {orders:?}"));
            }
        }
    }
    let languages: std::collections::BTreeSet<&str> =
        ANSWERS.iter().map(|(language, ..)| *language).collect();
    assert!(all >= 400 && PROGRAMS.len() >= 40 && languages.len() >= 14, "{all} answers");
    assert!(wrong.is_empty(), "{} of {all} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    let count = not_played.len();
    assert!(count * 10 <= certain, "{count} of {certain} not played:\n{}", not_played.join("\n"));
    assert!(count <= 1, "of all these, one greets like a mail of ours:\n{}", not_played.join("\n"));
}
