use proptest::prelude::*;

use super::super::orders::{Orders, Writer};
use super::super::table_message::Written;
use super::*;
use crate::Content;
use crate::render::{self, Reading};
use crate::samples;
use pippost_games::letters::notation::LineReading;
use pippost_language::Language;
use pippost_notices::delivery::Reader;
use pippost_notices::{Answer, GameContent, Links, NoticeKind, Verdict};

fn ours() -> OurMail {
    OurMail::new("play.example.org", None)
}

fn own(text: &str) -> Vec<&str> {
    own_lines(text, &ours(), "ann").lines.into_iter().filter(|line| !line.is_empty()).collect()
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
    let checkpoint = samples::checkpoint();
    for language in Language::SHIPPED {
        for (name, content) in
            samples::named().into_iter().filter(|(_, content)| content.answerable_seq().is_some())
        {
            let reader = Reader { language, ..Reader::default() };
            let reading = Reading {
                reader: &reader,
                reply_to: Some("play+token@example.org"),
                unsubscribe: None,
                checkpoint: Some(&checkpoint),
            };
            let text = render::render(content, Some("ann".to_owned()), &reading, &links).text;
            for width in [50, 65, 72, 78, 200] {
                let quoted = textwrap::fill(&text, width);
                for above in ["store\n\n", "store\n", "---\nWell played!\n\n"] {
                    let whole = format!("{above}{quoted}");
                    let found: Vec<_> = own_lines(&whole, &ours(), "ann")
                        .lines
                        .into_iter()
                        .filter(|line| !line.is_empty())
                        .collect();
                    let written: Vec<_> = above.lines().filter(|line| !line.is_empty()).collect();
                    assert_eq!(found, written, "{name} {} {width}\n{quoted}", language.tag());
                }
            }
        }
    }
}

/// A mail as a program quotes it that breaks quoted lines anew and does not repeat the sign. Links stay whole.
fn broken_anew(mail: &str, width: usize) -> String {
    let options =
        textwrap::Options::new(width).break_words(false).word_splitter(textwrap::WordSplitter::NoHyphenation);
    let lines = mail.lines().map(|line| format!("> {line}")).map(|line| match &line[2..] {
        text if text.contains(' ') => textwrap::wrap(&line, &options).join("\n"),
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn rests_of_quoted_lines_are_not_the_writers_words() {
    let links = Links::new("https://play.example.org").expect("a URL");
    let checkpoint = samples::checkpoint();
    let mut rests = 0;
    for language in Language::SHIPPED {
        for (name, content) in
            samples::named().into_iter().filter(|(_, content)| content.answerable_seq().is_some())
        {
            let reader = Reader { language, ..Reader::default() };
            let reading = Reading {
                reader: &reader,
                reply_to: Some("play+token@example.org"),
                unsubscribe: Some("https://play.example.org/unsubscribe?token=none"),
                checkpoint: Some(&checkpoint),
            };
            let text = render::render(content, Some("ann".to_owned()), &reading, &links).text;
            for width in 58..=76 {
                let quoted = broken_anew(&text, width);
                rests += quoted.lines().filter(|line| !line.starts_with('>')).count();
                for above in ["Thank you!\n\n", "---\nWell played!\n\n"] {
                    let whole = format!("{above}{quoted}");
                    let written: Vec<_> = above.lines().filter(|line| !line.is_empty()).collect();
                    assert_eq!(own(&whole), written, "{name} {} {width}\n{quoted}", language.tag());
                }
            }
        }
    }
    assert!(rests > 1000, "{rests}");
}

/// Alternative texts of the rule sets' pictures behind their titles, in the order of the rule sets.
const PICTURES: [&[&str]; 4] = [
    &[", round 2: bob is to attack. The ace of clubs is turned."],
    &[": ann (light) 4, bob (dark) 0. ann, 4 points, light dice: none on the board. Store: empty."],
    &[", Zipline 9 by 9: auction for white. Stones that are black: a1."],
    &[
        ", hand 1: ann (director) 3 points, bob (defender) 0 points. On the table, in order: 5h. ann, director, 3 points. Face up: 6c. Hidden: ten of clubs, nine of diamonds.",
        ", Hand 1: ann 3, bob 0. Auf dem Tisch, der Reihe nach: 5h. ann, gibt, 3 Punkte. Offen: 6c. Verdeckt: Tc 9d.",
    ],
];

fn pictures() -> Vec<String> {
    let of_each = pippost_record::rules::all().map(pippost_record::rules::RuleSet::title).zip(PICTURES);
    of_each.flat_map(|(title, texts)| texts.iter().map(move |text| format!("{title}{text}"))).collect()
}

/// Answers of every verdict, with what a rule set tells and without a sentence on a message, which would give them away.
fn answers() -> Vec<Content> {
    let happened =
        ["bob rolled a 4.", "bob passed.", "bob says: “gg; store; gg”", "bob sagt: „gg; turns off; gg“"];
    let content = |(index, verdict): (usize, Verdict)| {
        let mut content = samples::answer(verdict.clone());
        content.answer = Answer { preferences: index % 2 == 1, ..Answer::new(verdict) };
        let game = content.game.as_mut().expect("a game");
        game.happened = happened.map(str::to_owned).to_vec();
        game.board = "hidden:  Tc 9d\n 1 store . 1\n".to_owned();
        game.to_do = (index % 3 == 0).then(|| "Lead any card at c3.".to_owned());
        Content::Answer(content)
    };
    samples::verdicts("roll", "d4 is taken").into_iter().enumerate().map(content).collect()
}

/// What a reader of the game takes for an action.
fn action(line: &str) -> LineReading {
    match line {
        "store" | "take" | "roll" => LineReading::Action(line.to_owned()),
        _ => LineReading::Other,
    }
}

#[test]
fn the_title_of_a_game_orders_nothing_however_the_mail_is_quoted() {
    let links = Links::new("https://play.example.org").expect("a URL");
    let kinds = [NoticeKind::Turn, NoticeKind::Reminder, NoticeKind::GameStarted, NoticeKind::GameOver];
    let titles = ["store", "take; store", "a long title whose last word stands in the next line, so store"];
    for language in Language::SHIPPED {
        let reader = Reader { language, ..Reader::default() };
        let reply_to = Some("play+token@example.org");
        let reading = Reading { reader: &reader, reply_to, unsubscribe: None, checkpoint: None };
        for (kind, title) in kinds.into_iter().flat_map(|kind| titles.map(|title| (kind, title))) {
            let content = GameContent { kind, game_title: Some(title.to_owned()), ..samples::turn() };
            let rendered = render::render(Content::Game(content), Some("ann".to_owned()), &reading, &links);
            assert!(
                rendered.text.contains(title.split(' ').next_back().expect("a word"))
                    && !rendered.subject.contains(title)
            );
            let html = super::super::html::lines_of(&rendered.html);
            for (quoted, width) in
                [&rendered.text, &html].into_iter().flat_map(|text| [40, 72, 300].map(|width| (text, width)))
            {
                for (above, actions) in [("take\n\n", 1), ("Thank you!\n\n", 0)] {
                    let whole = format!("{above}{}", textwrap::fill(quoted, width));
                    let ours = ours();
                    let writer =
                        Writer { ours: &ours, name: None, address: Some("x1@example.org"), handle: "ann" };
                    let orders = Orders::read(&whole, writer, &action);
                    assert_eq!((orders.actions.len(), orders.asks()), (actions, false), "{width}\n{whole}");
                }
            }
        }
    }
}

#[test]
fn no_answer_of_ours_reaches_the_table_or_acts_however_it_is_quoted() {
    let pictures = pictures();
    let links = Links::new("https://play.example.org").expect("a URL");
    let checkpoint = samples::checkpoint();
    let mut wrong = Vec::new();
    for language in Language::SHIPPED {
        for (number, content) in answers().into_iter().enumerate() {
            let reader = Reader { language, ..Reader::default() };
            let reading = Reading {
                reader: &reader,
                reply_to: Some("play+token@example.org"),
                unsubscribe: None,
                checkpoint: Some(&checkpoint),
            };
            let rendered = render::render(content, Some("ann".to_owned()), &reading, &links);
            let html = super::super::html::lines_of(&rendered.html);
            let picture = format!("[image: {}]", pictures[number % pictures.len()]);
            let (head, tail) = rendered.text.split_at(rendered.text.find("\n\n").unwrap_or_default());
            let with_picture = format!("{head}\n\n{picture}\n{tail}");
            let only_picture = format!("{picture}\n{}", rendered.text);
            // The greeting was deleted, and the rest was left.
            let headless = tail.trim_start().to_owned();
            for quoted in [&rendered.text, &html, &with_picture, &only_picture, &headless] {
                for width in [40, 72, 300] {
                    let quoted = textwrap::fill(quoted, width);
                    for (above, actions) in [
                        ("take\n---\nWell played!\n\n", 1),
                        ("take\n---\nWell played!\n", 1),
                        ("Thank you!\n\n", 0),
                    ] {
                        let whole = format!("{above}{quoted}");
                        let ours = ours();
                        let writer = Writer {
                            ours: &ours,
                            name: None,
                            address: Some("x1@example.org"),
                            handle: "ann",
                        };
                        let orders = Orders::read(&whole, writer, &action);
                        let said = match &orders.message {
                            Written::Message { text, .. } => Some(text.as_str()),
                            _ => None,
                        };
                        if orders.actions.len() != actions
                            || orders.asks()
                            || said != (actions == 1).then_some("Well played!")
                        {
                            wrong.push(format!(
                                "{} {width} {said:?} {:?}\n{whole}",
                                language.tag(),
                                orders.actions
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong: {}", wrong.len(), wrong[..wrong.len().min(3)].join("\n=====\n"));
}

#[test]
fn a_greeting_that_a_person_may_write_is_ours_only_above_a_line_of_ours() {
    assert_eq!(own("Hello bob,\nstore"), ["Hello bob,", "store"]);
    let all = |text| own_lines(text, &ours(), "all").lines;
    assert_eq!(all("Hello all,\nstore"), ["Hello all,", "store"]);
    assert_eq!(all("store\nHello all,\n\nDone: take.\n"), ["store"]);
    assert_eq!(own("store\n\nroll\nHello ann,\n\nDone: take.\n"), ["store", "roll"]);
    assert_eq!(own("store\n\n\"pippost\" ---21.11.2026 13:00:05---Hello ann, Done: take."), ["store"]);
}

#[test]
fn escaped_dashes_of_a_signed_mail_are_not_marks_of_messages() {
    let signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nstore\n\n- -- \nAnn Example\nACME Ltd, Leeds\n-----BEGIN PGP SIGNATURE-----\n\niQIz\n-----END PGP SIGNATURE-----\n";
    assert_eq!(own(signed), ["store"]);
    let marked = signed.replace("- -- \nAnn", "- ---\nWell");
    assert_eq!(own(&marked), ["store", "---", "Well Example", "ACME Ltd, Leeds"]);
}

#[test]
fn a_date_and_a_place_are_no_headers() {
    let above_a_quote = own_lines(
        "---\nTime: 12:30\nPlace: Berlin\n\nOn Sat, 21 Nov 2026, pippost wrote:\n> Hello ann,",
        &OurMail::new("", None),
        "ann",
    );
    assert_eq!(above_a_quote.lines, ["---", "Time: 12:30", "Place: Berlin", ""]);
    for text in ["Time: 12:30 tomorrow?\nPlace: the usual", "Time: 21.11.2026 12:30\nPlace: Berlin"] {
        assert_eq!(own(&format!("---\n{text}")).join("\n"), format!("---\n{text}"));
    }
    let cut = own_lines("---\nDate: 21.11.2026\nFrom: here\n\nSee you!", &OurMail::new("", None), "ann");
    assert!(cut.doubtful && cut.lines == ["---"]);
}

#[test]
fn what_people_write_below_the_mark_is_told_or_known_to_be_cut() {
    let mail = {
        let links = Links::new("https://play.example.org").expect("a URL");
        let reader = Reader::default();
        let reading = Reading {
            reader: &reader,
            reply_to: Some("play+token@example.org"),
            unsubscribe: None,
            checkpoint: Some(&samples::checkpoint()),
        };
        render::render(Content::Game(samples::turn()), Some("ann".to_owned()), &reading, &links).text
    };
    for message in [
        "It is your turn in the other game too, I think.\nAnd I wait.",
        "You have 6 days left, until Friday, don't worry.\nHurry.",
        "From: Monday\nTo: Friday 2026\nI am away.",
        "On Monday I wrote:\nsee you soon.\nDid you get that?",
        "My board has\n+---+---+\n| x | o |\n+---+---+\nnice?",
        "Time: 21.11.2026 12:30",
        "Sent from my heart to yours.\nReally.",
        "Nice!\n\nMy gmail address has changed.",
        "===== gg =====\nsee you",
    ] {
        for below in
            [String::new(), format!("\n\n{mail}"), format!("\n\nOn 21/11/2026, pippost wrote:\n> {mail}")]
        {
            let text = format!("---\n{message}{below}");
            let own = own_lines(&text, &ours(), "ann");
            let told = own.lines.iter().filter(|line| !line.is_empty()).count() - 1;
            let written = message.lines().filter(|line| !line.is_empty()).count();
            assert!(own.doubtful || told == written, "{text}\n{own:?}");
        }
    }
}

#[test]
fn what_a_mail_of_ours_follows_is_surely_no_message() {
    let quote = "Hello ann,\n\nIt is your turn in Six•Six against bob.\nYou rolled a 4: place it or store it.\nYou have 7 days.";
    for head in [
        "",
        "Hveraf: pippost\nHvenar: 21-11-2026 13:00\n\n",
        "-----Ursprungligt meddelande-----\nFrån: pippost\n\n",
        "________________________________\nFrom: pippost <play@example.org>\nSent: today 21.11.2026\n\n",
        "[image: board]\n",
        "On Sat, 21 Nov 2026 at 13:00, pippost wrote:\n\n",
    ] {
        let text = format!("store\n---\nWell played!\n\n{head}{quote}");
        let own = own_lines(&text, &ours(), "ann");
        assert!(!own.doubtful, "{text}\n{own:?}");
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

#[test]
fn a_line_of_a_program_below_an_empty_message_is_no_message() {
    for line in ["Skickat från min iPhone", "iPhoneから送信", "Sent with Proton Mail secure email."] {
        assert_eq!(own(&format!("store\n---\n\n{line}")), ["store", "---"], "{line}");
        assert_eq!(own(&format!("---\n\n{line}\n\n> Hello ann,")), ["---"], "{line}");
    }
}

proptest! {
    #[test]
    fn nothing_makes_it_panic_and_every_line_is_one_of_the_mails(
        text in "((On |Am |From: |To: |> |-- |---|wrote:|schrieb|It is your turn in |[a-z0-9@:äé\u{2014}]{0,5}| )*\n){0,20}"
    ) {
        for line in own_lines(&text, &ours(), "ann").lines {
            prop_assert!(text.lines().any(|whole| whole.trim_matches(is_blank) == line));
        }
    }
}
