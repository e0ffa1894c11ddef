use proptest::prelude::*;

use super::*;
use crate::language::Language;
use crate::mail::render::{self, Reading};
use crate::mail::samples;
use crate::notices::Links;
use crate::notices::delivery::Reader;

fn ours() -> OurMail {
    OurMail::new("play.example.org", None)
}

fn own(text: &str) -> Vec<&str> {
    own_lines(text, &ours()).into_iter().filter(|line| !line.is_empty()).collect()
}

#[test]
fn what_stands_above_or_below_a_quote_is_the_writers_own() {
    for text in [
        "store\n\nOn Sat, 21 Nov 2026 at 13:00, pippost <play+abc@example.org>\nwrote:\n\n> Hello ann,\n> pass\n",
        "On Sat, 21 Nov 2026, pippost wrote:\n> Hello ann,\n>> pass\n\nstore\n",
        "store\nAm 21.11.26 um 13:00 schrieb pippost:\n> Hallo\n",
        "store\n\nAm Sa., 21. Nov. 2026 um 13:00 Uhr schrieb pippost <\nplay+abc@example.org>:\n\n> Hallo\n",
        "store\n\n-----Original Message-----\nFrom: pippost\nSent: Saturday\npass\n",
        "store\n\nFrom: pippost <play@example.org>\nSent: Saturday, November 21, 2026\nTo: ann\nSubject: x\n\npass\n",
        "store\n\nVon: pippost\nGesendet: Samstag, 21. November 2026\nAn: ann\n\npass\n",
        "store\n________________________________\nFrom: pippost\npass",
        "store\n-- \nann\nroll",
        "store\n--\nann\nroll",
        "store\n\nSent from my iPhone\n\nroll",
        "store\n\nGesendet von Outlook für Android\nroll",
        "store\n\nLe sam. 21 nov. 2026 à 13:00, pippost <play@example.org> a écrit :\n\npass",
        "\u{feff}store\u{a0}\n> quoted",
    ] {
        assert_eq!(own(text), ["store"], "{text}");
    }
}

#[test]
fn quotes_are_known_in_languages_that_no_list_names() {
    for text in [
        "store\n\n2026年11月21日(土) 13:00 pippost <play@example.org>:\n\npass\n",
        "store\n\n差出人: pippost <play@example.org>\n送信日時: 2026年11月21日 13:00\n宛先: ann\n件名: x\n\npass\n",
        "store\n\nOp za 21 nov 2026 om 13:00 schreef pippost <play@example.org>:\npass\n",
        "store\n\nDen lör 21 nov. 2026 kl 13:00 skrev pippost <play@example.org>:\n> pass\n",
        "store\n\nsob., 21 lis 2026 o 13:00 pippost <play@example.org> napisał(a):\n> pass\n",
        "store\n\n----- Ursprungligt meddelande -----\nFrån: pippost\npass\n",
        "store\n\nFrån: pippost <play@example.org>\nSkickat: den 21 november 2026 13:00\n\npass\n",
        "store\n\n\"pippost\" ---21.11.2026 13:00:05---Hello ann, it is your turn in Six•Six against bob.\npass",
        "store\n\nSkickat från min iPhone\n\nroll",
        "store\n\niPhoneから送信\n\nroll",
    ] {
        assert_eq!(own(text), ["store"], "{text}");
    }
}

#[test]
fn no_mail_of_ours_is_taken_for_the_writers_words_in_any_language_and_width() {
    let links = Links::new("https://play.example.org").expect("a URL");
    for language in Language::ALL {
        for (name, content) in
            samples::named().into_iter().filter(|(_, content)| content.answerable_seq().is_some())
        {
            let reader = Reader { language, ..Reader::default() };
            let reading = Reading { reader: &reader, answerable: true, unsubscribe: None };
            let text = render::render(content, Some("ann".to_owned()), &reading, &links).text;
            for width in [50, 65, 72, 78, 200] {
                let quoted = textwrap::fill(&text, width);
                for above in ["store\n\n", "store\n", "---\nWell played!\n\n"] {
                    let whole = format!("{above}{quoted}");
                    let found: Vec<_> =
                        own_lines(&whole, &ours()).into_iter().filter(|line| !line.is_empty()).collect();
                    let written: Vec<_> = above.lines().filter(|line| !line.is_empty()).collect();
                    assert_eq!(found, written, "{name} {} {width}\n{quoted}", language.tag());
                }
            }
        }
    }
}

#[test]
fn what_is_only_quoted_is_nobodys() {
    assert!(own("> store\n> roll\n").is_empty());
    assert!(own("On Sat, 21 Nov 2026, pippost wrote:\n\nstore\n").is_empty());
    assert!(own("").is_empty());
}

#[test]
fn the_text_of_a_signed_mail_stands_inside_its_armour() {
    let signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nstore\n-----BEGIN PGP SIGNATURE-----\n\niQIz\n-----END PGP SIGNATURE-----\n";
    assert_eq!(own(signed), ["store"]);
}

#[test]
fn a_move_that_looks_like_the_beginning_of_something_is_a_move() {
    assert_eq!(own("on\nstore"), ["on", "store"]);
    assert_eq!(own("am a3:\nstore"), ["am a3:", "store"]);
    assert_eq!(own("to: b3"), ["to: b3"]);
    assert_eq!(own("attack b3 > b4"), ["attack b3 > b4"]);
}

#[test]
fn a_quoted_line_is_never_the_writers_also_below_a_mark() {
    assert_eq!(own("store\n---\n> Well played!\n> Ann"), ["store", "---"]);
    assert_eq!(own("store\n---\nWell played!\n> Hello ann,"), ["store", "---", "Well played!"]);
    assert_eq!(own("---\nI like my iPhone"), ["---", "I like my iPhone"]);
}

proptest! {
    #[test]
    fn nothing_makes_it_panic_and_every_line_is_one_of_the_mails(
        text in "((On |Am |From: |To: |> |-- |---|wrote:|schrieb|It is your turn in |[a-z0-9@:äé\u{2014}]{0,5}| )*\n){0,20}"
    ) {
        for line in own_lines(&text, &ours()) {
            prop_assert!(text.lines().any(|whole| whole.trim_matches(is_blank) == line));
        }
    }
}
