use crate::samples;

use super::*;

use pippost_clock::Zone;
use pippost_language::words::game_name;
use pippost_notices::{BoardPicture, DigestProblem};
use pippost_store::NoticeKind;

mod answer;
mod catalogue;
mod looks;

fn rendered(content: Content) -> Rendered {
    rendered_for(content, &Reader::default())
}

fn rendered_for(content: Content, reader: &Reader) -> Rendered {
    let links = Links::new("https://play.example.org").expect("a URL");
    let account = matches!(content, Content::Account(_) | Content::AddressInUse(_));
    let unsubscribe = (!account).then_some("https://play.example.org/unsubscribe?token=not-a-real-token");
    let reply_to = content.answerable_seq().map(|_| "play+token@example.org");
    let checkpoint = samples::checkpoint();
    let reading = Reading { reader, reply_to, unsubscribe, checkpoint: Some(&checkpoint) };
    render(content, Some("alice".to_owned()), &reading, &links)
}

fn german() -> Reader {
    Reader { language: Language::GERMAN, zone: Zone::named("Europe/Berlin").expect("a zone") }
}

#[test]
fn subjects_name_the_game_and_the_opponents_and_stay_the_same_from_turn_to_turn() {
    let subjects: Vec<_> = samples::all().into_iter().map(|content| rendered(content).subject).collect();
    assert_eq!(
        subjects,
        [
            "Six•Six against bob: your turn (#12)",
            "Six•Six against bob: your time is running out (#12)",
            "Six•Six against bob: your time is running out (#12)",
            "Six•Six against bob: a pause? (#12)",
            "Six•Six against bob: a seat is offered (#12)",
            "Six•Six against bob: a substitute plays (#12)",
            "Six•Six against bob: a message at the table (#12)",
            "Six•Six against bob and carol: the game has started (#12)",
            "Six•Six against bob and carol: the game is over (#12)",
            "2 games wait for you",
            "2 games wait for you",
            "News about your games",
            "The problem of the day: Six•Six",
            "2 games wait for you",
            "bob invites you to a game of Six•Six",
            "Your game of Six•Six: one step more",
            "bob challenges you on the ladder of Six•Six",
            "bob challenges you on the ladder of Six•Six",
            "bob asks to join your club",
            "You are in the club",
            "The club has not let you in",
            "Six•Six against carol: the game has expired (#13)",
            "Six•Six against bob and carol: the game has expired (#13)",
            "Confirm your e-mail address",
            "How to confirm your e-mail address",
            "Set a new password",
            "Somebody gave your address for an account",
            "Your account has a new e-mail address",
            "What the operator has decided about you",
            "What the operator has decided about you",
            "What the operator has decided about you",
            "What the operator has decided about you",
            "A webhook of yours was switched off",
            "Six•Six against bob: store, d4 n2 done (#12)",
            "Six•Six against bob: store, d4 n2 done, the rest not (#12)",
            "Six•Six against bob: store, d4 n2 done (#12)",
            "Your games: what you asked for",
            "Six•Six against bob: how it stands (#12)",
            "Your e-mail address is confirmed",
            "Six•Six against bob: did you mean store? (#12)",
            "How to move by mail",
            "Six•Six against bob: not possible (#12)",
            "Six•Six against bob: do you want to resign? (#12)",
        ]
    );
}

#[test]
fn where_pictures_are_blocked_the_text_board_stands_in_their_place() {
    let picture = BoardPicture { png: bytes::Bytes::new(), width_px: 480, alt: "Six•Six.".to_owned() };
    let turn = samples::turn();
    let board = turn.board.trim_end().to_owned();
    let mail = rendered(Content::Game(GameContent { picture: Some(picture), ..turn }));
    let (_, rest) = mail.html.split_once(" alt=\"").expect("a picture");
    let (alt, _) = rest.split_once('"').expect("its end");
    assert_eq!(alt, format!("Six•Six.\n\n{board}"));
    assert!(mail.html.contains("cid:") && !mail.html.contains("<pre"), "{}", mail.html);
}

#[test]
fn the_board_of_a_problem_is_shown_as_that_of_a_game() {
    let picture = BoardPicture { png: bytes::Bytes::new(), width_px: 480, alt: "Six•Six.".to_owned() };
    let of = |picture: Option<BoardPicture>| {
        let mut digest = samples::digest_of_problem();
        digest.problem = digest.problem.map(|problem| DigestProblem { picture, ..problem });
        let content = Content::Digest(digest);
        (content.picture().cloned(), rendered(content).html)
    };
    let (attached, html) = of(Some(picture.clone()));
    assert_eq!(attached, Some(picture));
    assert!(html.contains("src=\"cid:board\"") && !html.contains("<pre"), "{html}");
    let (attached, html) = of(None);
    assert_eq!(attached, None);
    assert!(!html.contains("cid:") && html.contains("<pre class=\"block-1\""), "{html}");
}

#[test]
fn a_game_of_many_names_the_first_and_counts_the_others() {
    let opponents = ["bob", "carol", "dave", "erin"].map(str::to_owned);
    let name = |title, opponents| game_name(title, opponents, Language::ENGLISH);
    assert_eq!(name("Draughts", &opponents[..3]), "Draughts against bob, carol and dave");
    assert_eq!(name("Draughts", &opponents), "Draughts against bob and 3 others");
    assert_eq!(name("Mancala", &[]), "Mancala");
}

#[test]
fn no_line_of_a_text_part_is_too_long_but_for_links() {
    let mut all = samples::all();
    let long = |start: &str| format!("{start} {}", "of many words ".repeat(20));
    all.push(Content::Game(GameContent {
        opponents: ["a", "b", "c"].map(|name| name.repeat(32)).to_vec(),
        happened: vec![long("A sentence")],
        to_do: Some(long("A task")),
        ..samples::turn()
    }));
    let german = german();
    for (content, reader) in
        all.iter().flat_map(|content| [(content, Reader::default()), (content, german.clone())])
    {
        let text = rendered_for(content.clone(), &reader).text;
        for line in text.lines().filter(|line| !line.trim_start().starts_with("https://")) {
            assert!(line.chars().count() <= COLUMNS, "{line}");
            assert!(line == "-- " || line.trim_end() == line, "spaces at the end: {line:?}");
        }
        assert!(!text.contains("\n\n\n"), "{text}");
    }
}

#[test]
fn texts_of_others_are_shown_as_text() {
    let evil = "<script>alert(1)</script> {{ home }} & \"x\"";
    let content = GameContent {
        rules_title: evil.to_owned(),
        game_title: Some(evil.to_owned()),
        opponents: vec![evil.to_owned()],
        happened: vec![evil.to_owned()],
        board: evil.to_owned(),
        to_do: Some(evil.to_owned()),
        legal_notation: vec![evil.to_owned()],
        result: Some(evil.to_owned()),
        link: "https://play.example.org/\"><script>".to_owned(),
        ..samples::turn()
    };
    for kind in [NoticeKind::Turn, NoticeKind::Reminder, NoticeKind::GameStarted, NoticeKind::GameOver] {
        let mail = rendered(Content::Game(GameContent { kind, ..content.clone() }));
        assert!(!mail.html.contains("<script"), "{}", mail.html);
        assert!(mail.html.contains("&lt;script&gt;alert(1)&lt;/script&gt; {{ home }} &amp; &quot;x&quot;"));
        assert!(mail.text.contains(evil), "{}", mail.text);
    }
}

#[test]
fn an_answer_begins_with_its_first_sentence_and_no_abbreviation_ends_one() {
    for (text, first, rest) in [
        (
            "You have opened game #17. To invite somebody, answer.",
            "You have opened game #17.",
            "To invite somebody, answer.",
        ),
        ("Did you mean \"store\"? Then answer.", "Did you mean \"store\"?", "Then answer."),
        ("Schreib z. B. Stein. Danke.", "Schreib z. B. Stein.", "Danke."),
        ("1. e4 was played", "1. e4 was played", ""),
        ("Done: store.", "Done: store.", ""),
    ] {
        assert_eq!(first_sentence(text), (first, rest));
    }
}

#[test]
fn a_long_line_of_code_breaks_so_that_it_fits_a_narrow_screen() {
    let mail = rendered(Content::Answer(
        samples::named()
            .into_iter()
            .find_map(|(name, content)| match content {
                Content::Answer(content) if name == "ordered" => Some(content),
                _ => None,
            })
            .expect("a sample"),
    ));
    assert!(mail.html.contains("if c6 n1 then d4 n2 if pass then store"));
    assert!(!mail.html.contains("white-space:nowrap"), "{}", mail.html);
}
