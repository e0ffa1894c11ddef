//! The words of commands, each delivered in a mail, in both languages.

use mail_parser::MessageParser;
use reqwest::Url;
use serde_json::json;

use super::refusing::Table;
use super::requests::{answer, first_mail, said};
use super::{Got, Post, Sent, deliver, deliver_raw};
use crate::outbox::preferences::move_on;
use support::games::{open_game, pip_pip_again};

#[tokio::test(flavor = "multi_thread")]
async fn every_word_of_a_command_does_what_the_help_says() {
    let table = Table::set().await;
    let (app, post) = (&table.app, Post::of(&table.app));
    let (turn, hello) = (post.last("ann").await, first_mail(&table.app, &post, "ann").await);
    for _ in 0..3 {
        open_game(&table.bob).await;
    }
    open_game(&table.ann).await;
    let legal = table.ann.get(&format!("{}/actions", table.game)).await.ok();
    let listed = legal["notation"].as_array().expect("a list").iter().filter_map(|action| action.as_str());
    // Whether `c6 n2` is legal depends on the die.
    let action =
        listed.max_by_key(|action| (*action == "c6 n2", action.starts_with("c6 n"))).expect("an action");
    for (to, text, expected) in [
        (&turn, format!("preview {action}"), format!("This is how the game stands after \"{action}\".")),
        (&turn, format!("Vorschau {action}"), format!("This is how the game stands after \"{action}\".")),
        (&turn, "who".to_owned(), "ann is to move and has".to_owned()),
        (&turn, "wer".to_owned(), "ann is to move and has".to_owned()),
        (&turn, "Notiz Erst c6".to_owned(), "Your note is kept.".to_owned()),
        (&turn, "Notiz".to_owned(), "Your note: Erst c6".to_owned()),
        (&hello, "Hilfe serpent".to_owned(), "Serpent: ".to_owned()),
        (&hello, "invite bob".to_owned(), "Invited to game #2: bob.".to_owned()),
        (
            &hello,
            "holiday 12.\u{2013}20.12.".to_owned(),
            "on holiday from 2026-12-12 to 2026-12-20".to_owned(),
        ),
        (&hello, "join pip-pip".to_owned(), "You have joined game #3: Pip•Pip.".to_owned()),
        (&hello, "mitspielen pip-pip".to_owned(), "You have joined game #4: Pip•Pip.".to_owned()),
        (&hello, "Beitreten Pip Pip".to_owned(), "You have joined game #5: Pip•Pip.".to_owned()),
    ] {
        let answer = answer(app, &post, "ann", to, &text).await;
        assert!(said(&answer).contains(&expected), "{text}: {}", answer.text);
    }
    assert_eq!(table.seq().await, 0);
    let invited = post.all("bob").await.into_iter().rfind(|mail| mail.kind == "invitation");
    assert!(invited.is_some_and(|mail| mail.subject.contains("ann invites you")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_is_ended_by_mail_once_all_agree() {
    for (pause, end, yes) in [("pause 3 days", "pause off", "yes"), ("Pause 3 Tage", "Pause aus", "ja")] {
        let table = Table::set().await;
        let (app, post) = (&table.app, Post::of(&table.app));
        let turn = post.last("ann").await;
        for (text, expected, after) in [
            (pause, "You have proposed that all clocks stand still until", json!("pause")),
            (end, "You have proposed that the clocks go on.", json!(null)),
        ] {
            app.app.clock.advance(time::Duration::minutes(1));
            let proposed = answer(app, &post, "ann", &turn, text).await;
            assert!(said(&proposed).contains(expected), "{text}: {}", proposed.text);
            let asked = post.all("bob").await.into_iter().rfind(|mail| mail.kind == "pause_proposed");
            let agreed = answer(app, &post, "bob", &asked.expect("a proposal"), yes).await;
            assert!(said(&agreed).contains("You have agreed."), "{text}: {}", agreed.text);
            let clock = table.ann.get(&format!("{}/clock", table.game)).await.ok();
            assert_eq!(clock["stands_still"]["why"], after, "{text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_a_digest_moves_in_the_games_that_it_numbers() {
    let table = Table::set().await;
    let (app, post) = (&table.app, Post::of(&table.app));
    let second = pip_pip_again(&table.ann, &table.bob).await;
    let wanted = json!({"turns": "digest"});
    table.ann.patch("/api/v1/me/notification-preferences", &wanted).await.ok();
    post.send().await;
    app.app.clock.advance(time::Duration::hours(21));
    let digests = pippost::notices::Digests::new(app.app.database.clone());
    assert_eq!(digests.queue(app.app.clock.now()).await.expect("digests"), 1);
    let digest = post.last("ann").await;
    assert_eq!(digest.kind, "digest");
    let sent = Sent::answer("ann", &digest, "#1 store; #2 store");
    assert_eq!(deliver(app, &sent).await, "taken");
    for game in [&table.game, &second] {
        assert_eq!(app.stranger().get(game).await.ok()["seq"], 1, "{game}");
    }
    let plain = answer(app, &post, "ann", &digest, "store").await;
    assert!(said(&plain).contains("Your mail is about no single game"), "{}", plain.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_in_a_game_that_has_changed_since_the_mail_is_asked_about() {
    let table = Table::set().await;
    let (app, post) = (&table.app, Post::of(&table.app));
    let hello = first_mail(app, &post, "ann").await;
    app.app.clock.advance(time::Duration::minutes(1));
    move_on(&table.game, &table.ann).await;
    move_on(&table.game, &table.bob).await;
    let legal = table.ann.get(&format!("{}/actions", table.game)).await.ok();
    let action = legal["notation"][0].as_str().expect("an action");
    let before = table.seq().await;
    let asked = answer(app, &post, "ann", &hello, &format!("#1 {action}")).await;
    assert!(said(&asked).contains(&format!("Did you mean \"{action}\"?")), "{}", asked.text);
    assert_eq!(table.seq().await, before);
    answer(app, &post, "ann", &asked, "yes").await;
    assert_ne!(table.seq().await, before);
}

/// The addresses and texts of the links in a mail that write an answer.
fn written_by_links(mail: &Got) -> Vec<Url> {
    let read = MessageParser::default().parse(mail.raw.as_bytes()).expect("a mail");
    let html = read.body_html(0).expect("an HTML part").into_owned();
    let links = html.split("href=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    let links = links.filter(|(link, _)| link.starts_with("mailto:"));
    links.map(|(link, _)| Url::parse(&link.replace("&amp;", "&")).expect("a link")).collect()
}

fn part_of(link: &Url, name: &str) -> String {
    link.query_pairs().find(|(known, _)| known == name).expect("a part").1.into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_listed_move_is_a_link_that_writes_the_answer_which_plays_it() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let links = written_by_links(&turn);
    let mut moves: Vec<String> = links.iter().map(|link| part_of(link, "body")).collect();
    let legal = table.ann.get(&format!("{}/actions", table.game)).await.ok();
    let legal = legal["notation"].as_array().expect("a list");
    assert!(moves.len() > 1 && moves.iter().all(|action| legal.contains(&json!(action))), "{moves:?}");
    moves.sort();
    let all = moves.len();
    moves.dedup();
    assert_eq!(moves.len(), all, "each once");
    for action in &moves {
        assert_eq!(
            turn.text.lines().filter(|line| line.trim() == action).count(),
            1,
            "{action}: {}",
            turn.text
        );
    }
    let link = links.last().expect("a link");
    let (to, subject) = (link.path().replace("%2B", "+"), part_of(link, "subject"));
    assert_eq!((Some(&to), subject), (turn.reply_to.as_ref(), format!("Re: {}", turn.subject)));
    let raw = Sent { to, ..Sent::answer("ann", &turn, &part_of(link, "body")) }.raw();
    let raw = raw.replace("Re: your turn", &part_of(link, "subject"));
    assert_eq!(deliver_raw(&table.app, "", raw).await.ok()["outcome"], "taken");
    assert_eq!(table.seq().await, 1);
    let done = post.last("ann").await;
    assert!(done.text.contains(&format!("Done: {}.", part_of(link, "body"))), "{}", done.text);
}
