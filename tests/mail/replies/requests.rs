//! What is asked for by mail besides moves: games from invitation to rematch, numbers of games, pauses, holidays and notes.

use std::time::Duration;

use pippost::accounts::{AccountLimits, Rate};
use serde_json::{Value, json};

use super::refusing::Table;
use super::{Got, Post, Sent, deliver};
use support::{Client, TestApp};

/// The text of a mail in one line.
pub fn said(got: &Got) -> String {
    got.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Delivers an answer and returns the mail that comes of it.
pub async fn answer(app: &TestApp, post: &Post, handle: &str, to: &Got, text: &str) -> Got {
    let before = post.all(handle).await.len();
    assert_eq!(deliver(app, &Sent::answer(handle, to, text)).await, "taken", "{text}");
    let all = post.all(handle).await;
    let answers: Vec<_> = all[before..].iter().filter(|mail| mail.kind == "answer").collect();
    assert_eq!(answers.len(), 1, "{text}: {answers:#?}");
    answers[0].clone()
}

/// The mail that a player gets who writes to the common address: from there all else can be done.
pub async fn first_mail(app: &TestApp, post: &Post, handle: &str) -> Got {
    let hello = Sent {
        from: format!("{handle}@example.org"),
        to: "play@example.org".to_owned(),
        id: format!("{}@mail.example.org", uuid::Uuid::now_v7()),
        headers: String::new(),
        text: "Hello?".to_owned(),
    };
    assert_eq!(deliver(app, &hello).await, "taken");
    post.last(handle).await
}

async fn mine(player: &Client) -> Vec<Value> {
    player.get("/api/v1/games?list=mine").await.ok()["games"].as_array().expect("games").clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_opened_joined_played_and_played_again_by_mail_alone() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let post = Post::of(&app);
    let hello = first_mail(&app, &post, "ann").await;
    let opened = answer(&app, &post, "ann", &hello, "new pip-pip\ninvite bob@example.org").await;
    assert!(said(&opened).contains("You have opened game #1: Pip•Pip, for 2 players."), "{}", opened.text);
    assert!(said(&opened).contains("Invited to game #1: bob@example.org."), "{}", opened.text);
    let invitation = post.last("bob").await;
    assert_eq!(invitation.kind, "invitation");
    assert!(
        said(&invitation).contains("Or answer this mail: yes to join, no to decline."),
        "{}",
        invitation.text
    );
    for no in ["No thanks", "No, I do not have the time, sorry."] {
        let declined = answer(&app, &post, "bob", &invitation, no).await;
        assert!(said(&declined).contains("You have declined."), "{}", declined.text);
    }
    let unsure =
        answer(&app, &post, "bob", &invitation, "Yes, but not before Friday, or should we wait?").await;
    assert!(said(&unsure).contains("Do you want to join?"), "{}", unsure.text);
    assert_eq!(mine(&bob).await.len(), 0);
    let joined = answer(&app, &post, "bob", &invitation, "Yes, gladly!\n\nBob").await;
    assert!(said(&joined).contains("You have joined game #1: Pip•Pip."), "{}", joined.text);
    let game = mine(&ann).await.pop().expect("a game");
    assert_eq!((&game["status"], &game["players"][1]["handle"]), (&json!("running"), &json!("bob")));
    let again = answer(&app, &post, "bob", &invitation, "yes").await;
    assert!(said(&again).contains("in this game already"), "{}", again.text);

    let resigning = post.all("ann").await.into_iter().rfind(|mail| mail.subject.contains("(#1)"));
    let resigning = answer(&app, &post, "ann", &resigning.expect("a mail of the game"), "resign").await;
    answer(&app, &post, "ann", &resigning, "yes").await;
    let over = post.last("bob").await;
    assert_eq!(over.kind, "game_over");
    let rematch = answer(&app, &post, "bob", &over, "rematch").await;
    assert!(
        said(&rematch).contains("You have opened game #2, Pip•Pip once more, and invited ann."),
        "{}",
        rematch.text
    );
    let invitation = post.last("ann").await;
    answer(&app, &post, "ann", &invitation, "yes").await;
    let games = mine(&bob).await;
    assert_eq!(games.iter().filter(|game| game["status"] == "running").count(), 1);
    assert_eq!(games.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_is_delivered_twice_opens_one_game() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let post = Post::of(&app);
    let hello = first_mail(&app, &post, "ann").await;
    let sent = Sent::answer("ann", &hello, "new serpent");
    assert_eq!(deliver(&app, &sent).await, "taken");
    assert_eq!(deliver(&app, &sent).await, "repeated");
    assert_eq!(mine(&ann).await.len(), 1);
    let stranger = Sent { from: "eve@example.org".to_owned(), ..Sent::answer("ann", &hello, "new serpent") };
    deliver(&app, &stranger).await;
    let doubtful = answer(&app, &post, "ann", &hello, "Please do not open a\nnew serpent").await;
    assert!(said(&doubtful).contains("your mail did not say it clearly"), "{}", doubtful.text);
    assert_eq!(mine(&ann).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_may_name_the_options_of_a_new_game() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let post = Post::of(&app);
    let hello = first_mail(&app, &post, "ann").await;
    let opened = answer(&app, &post, "ann", &hello, "new dominion 2 size=3, round_limit=6").await;
    assert!(said(&opened).contains("You have opened game #1: Dominion, for 2 players."), "{}", opened.text);
    assert_eq!(mine(&ann).await[0]["options"], json!({"size": 3, "round_limit": 6}));
    for (line, why) in [
        ("new dominion size=9", "Behind its name may stand: round_limit=1-500; size=3, 4, 5."),
        ("new dominion colour=red", "Dominion has no such options."),
        ("new serpent size=3", "Serpent has no options, so its name stands alone."),
    ] {
        let refused = answer(&app, &post, "ann", &hello, line).await;
        let said = said(&refused);
        assert!(said.contains("Nothing was opened:") && said.contains(why), "{said}");
    }
    assert_eq!(mine(&ann).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_mail_moves_in_several_games_by_their_numbers() {
    let table = Table::set().await;
    let app = &table.app;
    let second = support::games::pip_pip_again(&table.ann, &table.bob).await;
    let post = Post::of(app);
    let listed = answer(app, &post, "ann", &post.last("ann").await, "games").await;
    assert!(listed.text.contains("- #1 Pip•Pip against bob"), "{}", listed.text);
    assert!(listed.text.contains("- #2 Pip•Pip against bob"), "{}", listed.text);
    let text = "#1 store; #2 store\n#9 store";
    let before = post.all("ann").await.len();
    assert_eq!(deliver(app, &Sent::answer("ann", &listed, text)).await, "taken");
    let answers = post.all("ann").await.split_off(before);
    let answers: Vec<_> = answers.iter().filter(|mail| mail.kind == "answer").collect();
    // What has no number of a game is answered with the game of the mail.
    assert_eq!(answers.len(), 2, "{answers:#?}");
    assert!(answers.iter().any(|mail| said(mail).contains("None of your games has the number 9.")));
    for game in [&table.game, &second] {
        assert_eq!(app.stranger().get(game).await.ok()["seq"], 1, "{answers:#?}");
    }
    // What this mail had to do there is done.
    let again = answer(app, &post, "ann", &listed, "#2 store").await;
    assert_eq!(app.stranger().get(&second).await.ok()["seq"], 1, "{}", again.text);
    assert!(said(&again).contains("had done its work already"), "{}", again.text);
    let other = answer(app, &post, "bob", &post.last("bob").await, "#9 store").await;
    assert!(said(&other).contains("None of your games has the number 9."), "{}", other.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_leads_to_no_order_says_nothing_of_the_line_below_it() {
    let table = Table::set().await;
    let (app, post) = (&table.app, Post::of(&table.app));
    let second = support::games::pip_pip_again(&table.ann, &table.bob).await;
    let own = post.last("ann").await;
    let (game, other) = if own.subject.contains("(#1)") { (&table.game, "#2") } else { (&second, "#1") };
    answer(app, &post, "ann", &own, &format!("{other} is great fun!\nstore")).await;
    assert_eq!(app.stranger().get(game).await.ok()["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_for_no_single_game_is_told_so() {
    let table = Table::set().await;
    let (app, post) = (&table.app, Post::of(&table.app));
    let hello = first_mail(app, &post, "ann").await;
    for (text, expected) in [
        ("store", "Your mail is about no single game"),
        ("resign", "Your mail is about no single game"),
        ("pause 3 days", "It is not clear for which of your games"),
        ("note try c6", "It is not clear for which of your games"),
        ("rematch", "It is not clear for which of your games"),
        ("join", "Which game would you like to join?"),
        ("join serpent", "No game of Serpent waits for players now."),
        ("new chess", "There is no game called \"chess\" here."),
        ("new serpent 9", "That game is for 2 to 2 players."),
        ("invite bob", "None of your games waits for players"),
        ("help serpent", "Serpent: "),
        ("games", "Pip•Pip against bob"),
        ("#1 who", "ann is to move and has"),
        ("#1 status", "This is how Pip•Pip against bob stands."),
    ] {
        let answer = answer(app, &post, "ann", &hello, text).await;
        assert!(said(&answer).contains(expected), "{text}: {}", answer.text);
    }
    assert_eq!(table.seq().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_shows_the_game_and_yes_plays_it() {
    let table = Table::set().await;
    let (app, post) = (&table.app, Post::of(&table.app));
    let turn = post.last("ann").await;
    let shown = table.refused(&post, &Sent::answer("ann", &turn, "preview store")).await;
    assert!(said(&shown).contains("This is how the game stands after \"store\"."), "{}", shown.text);
    assert_eq!(deliver(app, &Sent::answer("ann", &shown, "yes")).await, "taken");
    assert_eq!(table.seq().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn pauses_holidays_and_notes_are_asked_for_by_mail() {
    let table = Table::set().await;
    let (app, post) = (&table.app, Post::of(&table.app));
    let turn = post.last("ann").await;
    let proposed = answer(app, &post, "ann", &turn, "pause 3 days").await;
    assert!(
        said(&proposed).contains("You have proposed that all clocks stand still until"),
        "{}",
        proposed.text
    );
    let asked = post.last("bob").await;
    assert_eq!(asked.kind, "pause_proposed");
    let agreed = answer(app, &post, "bob", &asked, "Yes, fine with me").await;
    assert!(said(&agreed).contains("You have agreed."), "{}", agreed.text);
    let clock = table.ann.get(&format!("{}/clock", table.game)).await.ok();
    assert_eq!(clock["stands_still"]["why"], "pause", "{clock}");

    let booked = answer(app, &post, "ann", &turn, "holiday 28.12.-3.1.").await;
    assert!(said(&booked).contains("You are on holiday from"), "{}", booked.text);
    let twice = answer(app, &post, "ann", &turn, "holiday 30.12.").await;
    assert!(said(&twice).contains("holiday on some of these days already"), "{}", twice.text);

    answer(app, &post, "ann", &turn, "note Try c6 next").await;
    answer(app, &post, "ann", &turn, "note and then d4").await;
    let note = answer(app, &post, "ann", &turn, "note").await;
    assert!(said(&note).contains("Your note: Try c6 next and then d4"), "{}", note.text);
    let gone = answer(app, &post, "ann", &turn, "note off").await;
    assert!(said(&gone).contains("Your note is gone."), "{}", gone.text);
    assert_eq!(table.seq().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_answers_an_invitation_without_an_account_is_told_once_how_to_join() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let post = Post::of(&app);
    for (stranger, text, mails) in [
        ("carol", "Yes!", vec!["invitation", "invitation_answered"]),
        ("dora", "No, sorry", vec!["invitation"]),
        ("emil", "STOP", vec!["invitation"]),
    ] {
        let game = support::games::open_game(&ann).await;
        let address = format!("{stranger}@example.org");
        let invite = json!({"email": address});
        ann.post(&format!("{game}/invitations"), &invite).await.expect_status(202);
        let invitation = post.last(stranger).await;
        let eve = Sent { from: "eve@example.org".to_owned(), ..Sent::answer(stranger, &invitation, "Yes!") };
        assert_eq!(deliver(&app, &eve).await, "ignored");
        assert_eq!(deliver(&app, &Sent::answer(stranger, &invitation, text)).await, "taken");
        assert_eq!(deliver(&app, &Sent::answer(stranger, &invitation, "yes")).await, "ignored");
        let got = post.all(stranger).await;
        assert_eq!(got.iter().map(|mail| mail.kind).collect::<Vec<_>>(), mails, "{stranger}");
        if let [_, told] = got.as_slice() {
            let link = game.replace("/api/v1", "");
            assert!(told.text.contains(&link) && told.text.contains("?token="), "{}", told.text);
            assert!(said(told).contains("To play you need a name here"), "{}", told.text);
        }
    }
    let game = support::games::open_game(&ann).await;
    ann.post(&format!("{game}/invitations"), &json!({"email": "emil@example.org"})).await.expect_status(202);
    assert_eq!(post.all("emil").await.len(), 1, "no more invitations");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_holiday_that_begins_by_itself_is_told_with_the_days_that_are_left() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    ann.put("/api/v1/me/automatic-holiday", &json!({"days": 5})).await.ok();
    support::games::timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    let post = Post::of(&app);
    app.app.clock.set(app.app.clock.now() + time::Duration::hours(24));
    assert_eq!(pippost::games::playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
    let told = post.last("ann").await;
    assert_eq!(told.kind, "reminder");
    let expected = "so your holiday counts: it has 5 days and lasts until 2026-11-26 has passed. Of this year's days 23 are left.";
    assert!(said(&told).contains(expected), "{}", told.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_costs_others_something_is_counted_as_a_request_is() {
    let once = Rate::new(1, Duration::from_hours(1));
    let mut limits = AccountLimits::generous();
    limits.players.create_game.per_player = once;
    let app = TestApp::with_limits(limits).await;
    let ann = app.player("ann").await;
    let post = Post::of(&app);
    let hello = first_mail(&app, &post, "ann").await;
    let told = answer(&app, &post, "ann", &hello, "new serpent\nnew serpent").await;
    assert!(said(&told).contains("You have opened game #1"), "{}", told.text);
    assert!(said(&told).contains("You have asked for that often lately"), "{}", told.text);
    assert_eq!(mine(&ann).await.len(), 1);
}
