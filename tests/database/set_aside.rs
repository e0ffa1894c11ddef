//! Games that cannot be read delay nothing but themselves: deadlines, starts, reminders and mails of all other games are on
//! time.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pippost::games::audit::{self, Finding, Subject};
use pippost::store::set_aside::{DELAYS, Task};
use serde_json::json;
use std::sync::Arc;

use pippost::games::{lobby, playing};
use pippost::mail::Mailer;
use pippost::notices::{Links, Outbox};
use pippost::worker::OutboxWorker;
use time::Duration;

use support::TestApp;
use support::beacon::{Behavior, Endpoint, chain};
use support::cluster;
use support::games::{pip_pip, pip_pip_again};

/// More than a worker examines in one statement.
const BROKEN: i64 = 130;

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

async fn db_number(connection: &mut AsyncPgConnection, query: &str) -> i64 {
    diesel::sql_query(query).get_result::<Number>(connection).await.expect("a number").number
}

/// Copies the game `id` 130 times, with everything due a day earlier. No copy's master can be opened, because it is sealed for
/// the game's id; a third also has a broken position, and a third a rule set of an unknown version.
async fn db_broken_copies(connection: &mut AsyncPgConnection, id: &str) {
    let copies = format!(
        "create temporary table copies as select gen_random_uuid() as id, i from generate_series(1, {BROKEN}) i; \
         insert into games select (jsonb_populate_record(g, jsonb_build_object('id', c.id, \
         'header', replace(g.header, g.id::text, c.id::text)))).* from games g, copies c where g.id = '{id}'; \
         insert into game_players select c.id, p.player_id, p.joined, p.entropy, p.seat from game_players p, copies c where game_id = '{id}'; \
         insert into game_states select (jsonb_populate_record(s, jsonb_build_object('game_id', c.id, \
         'deadline_at', s.deadline_at - interval '1 day'))).* from game_states s, copies c where game_id = '{id}'; \
         insert into events select c.id, e.seq, e.line from events e, copies c where game_id = '{id}'; \
         insert into notices (id, kind, player_id, game_id, seq, created_at, state, ready, next_attempt_at) \
         select gen_random_uuid(), n.kind, n.player_id, c.id, n.seq, n.created_at - interval '1 day', n.state, n.ready, \
         n.next_attempt_at - interval '1 day' from notices n, copies c where game_id = '{id}'; \
         update game_states s set snapshot = '{{}}' from copies c where c.id = s.game_id and i % 3 = 0; \
         update games g set header = replace(header, '\"rules_version\":1', '\"rules_version\":99') from copies c where c.id = g.id and i % 3 = 1"
    );
    connection.batch_execute(&copies).await.expect("copies");
}

async fn audit(app: &TestApp, repair: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    audit::audit_all(&app.app.games, repair, &mut |finding| found.push(finding.clone()))
        .await
        .expect("an audit");
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn flags_and_reminders_come_though_more_games_than_a_batch_are_broken_before_them() {
    if cluster::plain_only("multiplies games by a statement that joins tables of several nodes") {
        return;
    }
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    let mut superuser = app.db_superuser().await;
    let id = game.rsplit('/').next().expect("an id");
    db_broken_copies(&mut superuser, id).await;
    app.app.clock.advance(Duration::days(3));
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    let later = pip_pip_again(&ann, &bob).await;
    app.app.clock.advance(Duration::days(4));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1, "of the one that is sound");
    let ann = app.log_in("ann").await;
    assert_eq!(ann.get(&game).await.ok()["result"]["reason"], "timeout");
    let counted = playing::count_set_aside(&app.app.games).await.expect("numbers");
    assert_eq!(
        counted,
        [
            (Task::Flag, BROKEN),
            (Task::Start, 0),
            (Task::Clock, 0),
            (Task::Reliability, 0),
            (Task::Archive, 0),
            (Task::Search, 0)
        ]
    );
    // The reminder of the later game comes after all of them, and is sent.
    app.app.clock.advance(Duration::days(2));
    while playing::remind(&app.app.games).await.expect("a step") > 0 {}
    let later_id = later.rsplit('/').next().expect("an id");
    let reminded =
        format!("select count(*) as number from notices where kind = 'reminder' and game_id = '{later_id}'");
    assert_eq!(db_number(&mut superuser, &reminded).await, 1);
    app.app.clock.advance(Duration::days(1));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_was_set_aside_is_tried_less_and_less_often_and_at_once_after_a_repair() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    let mut superuser = app.db_superuser().await;
    let spoil = "update game_states set snapshot = '{}'";
    superuser.batch_execute(spoil).await.expect("damage");
    app.app.clock.advance(Duration::days(7));
    let failures = "select coalesce(sum(failures), 0)::bigint as number from set_aside_games";
    let delays = DELAYS.into_iter().chain([Duration::DAY, Duration::DAY]);
    for (tries, delay) in (1i64..).zip(delays) {
        for _ in 0..3 {
            assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
            assert_eq!(db_number(&mut superuser, failures).await, tries);
        }
        app.app.clock.advance(delay - Duration::SECOND);
        playing::let_flags_fall(&app.app.games).await.expect("a step");
        assert_eq!(db_number(&mut superuser, failures).await, tries, "not before {delay}");
        app.app.clock.advance(Duration::seconds(1));
    }
    playing::let_flags_fall(&app.app.games).await.expect("a step");
    let found = audit(&app, false).await;
    let aside: Vec<_> = found.iter().filter(|finding| finding.part == Subject::SetAside).collect();
    assert!(
        matches!(aside.as_slice(), [one] if one.what.contains("`flag`") && one.what.contains("snapshot")),
        "{found:?}"
    );
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
    let repaired = audit(&app, true).await;
    assert!(repaired.iter().all(|finding| finding.rebuilt), "{repaired:?}");
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1);
    assert_eq!(app.stranger().get(&game).await.ok()["result"]["reason"], "timeout");
    assert_eq!(audit(&app, false).await, []);
    assert_eq!(
        playing::count_set_aside(&app.app.games).await.expect("numbers"),
        [
            (Task::Flag, 0),
            (Task::Start, 0),
            (Task::Clock, 0),
            (Task::Reliability, 0),
            (Task::Archive, 0),
            (Task::Search, 0)
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_go_out_though_the_games_of_earlier_ones_cannot_be_read() {
    if cluster::plain_only("multiplies games by a statement that joins tables of several nodes") {
        return;
    }
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let mut superuser = app.db_superuser().await;
    let id = game.rsplit('/').next().expect("an id");
    db_broken_copies(&mut superuser, id).await;
    pip_pip_again(&ann, &bob).await;
    let mailer = Arc::new(Mailer::memory());
    let worker = OutboxWorker::new(
        Outbox::new(app.app.database.clone()),
        mailer.clone(),
        Arc::new(app.app.games.clone()),
        app.app.secret.clone(),
        Links::new("https://play.example.org").expect("a URL"),
        app.app.clock.clone(),
        4,
    );
    let mut dealt_with = 0;
    loop {
        match worker.step().await.expect("a step") {
            0 => break,
            more => dealt_with += more,
        }
    }
    assert!(dealt_with >= 2 * usize::try_from(BROKEN).expect("a number"));
    for player in ["ann@example.org", "bob@example.org"] {
        let sent = mailer.sent().iter().filter(|sent| sent.mail.to.email.to_string() == player).count();
        assert_eq!(sent, 3, "{player}: two games, and the link that confirms the address");
    }
    let later = "select count(*) as number from notices n join copies c on c.id = n.game_id where state = 'waiting' and attempts = 1";
    assert_eq!(db_number(&mut superuser, later).await, 2 * BROKEN, "these are tried again");
}

/// A game whose state says that a seat's time is up and that no seat is to act, and one that has an event too many.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_contradicts_itself_or_the_events_stops_no_flag_of_others() {
    let app = TestApp::start().await;
    let (nobody_asked, [ann, bob]) = pip_pip(&app).await;
    let event_too_many = pip_pip_again(&ann, &bob).await;
    let sound = pip_pip_again(&ann, &bob).await;
    let id = |game: &str| game.rsplit('/').next().expect("an id").to_owned();
    let spoil = format!(
        "update game_states set to_act_seat = null, to_act_player = null where game_id = '{}'; \
         insert into events (game_id, seq, line) values ('{}', 1, '{{}}'); \
         update game_states set deadline_at = '2026-11-21 13:00:00+00' where game_id <> '{}'",
        id(&nobody_asked),
        id(&event_too_many),
        id(&sound)
    );
    let mut superuser = app.db_superuser().await;
    cluster::run_each(&mut superuser, &spoil).await.expect("damage");
    app.app.clock.advance(Duration::days(7));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1);
    assert_eq!(app.stranger().get(&sound).await.ok()["status"], "finished");
    let aside = playing::count_set_aside(&app.app.games).await.expect("numbers");
    assert_eq!(
        aside,
        [
            (Task::Flag, 2),
            (Task::Start, 0),
            (Task::Clock, 0),
            (Task::Reliability, 0),
            (Task::Archive, 0),
            (Task::Search, 0)
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_digest_leaves_out_the_game_that_cannot_be_read_and_tells_of_the_others() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    pip_pip_again(&ann, &bob).await;
    let id = game.rsplit('/').next().expect("an id");
    let spoil = format!("update game_states set snapshot = '{{}}' where game_id = '{id}'");
    app.db_superuser().await.batch_execute(&spoil).await.expect("damage");
    // A process without it in memory has no earlier state of it.
    let second = app.second().await;
    let me = diesel::sql_query("select id::text as line from players where handle = 'ann'");
    let me: Line = me.get_result(&mut app.db_superuser().await).await.expect("ann");
    let ann_id = me.line.parse().expect("an id");
    let contents: &dyn pippost::notices::MailContents = &second.app.games;
    let content =
        contents.digest(ann_id, None, pippost::language::Language::default()).await.expect("the content");
    assert_eq!(content.expect("one game waits for ann").mine.len(), 1);
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn full_games_start_though_more_than_a_batch_before_them_cannot() {
    if cluster::plain_only("multiplies games by a statement that joins tables of several nodes") {
        return;
    }
    let endpoint = Endpoint::start();
    let beacon = pippost::beacon::Drand::new(chain(), std::slice::from_ref(&endpoint.url)).expect("a beacon");
    let app = TestApp::with_beacon(beacon).await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let id = created["id"].as_str().expect("an id");
    let game = format!("/api/v1/games/{id}");
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    let mut superuser = app.db_superuser().await;
    let copies = format!(
        "create temporary table copies as select gen_random_uuid() as id, i from generate_series(1, {BROKEN}) i; \
         insert into games select (jsonb_populate_record(g, jsonb_build_object('id', c.id))).* from games g, copies c where g.id = '{id}'; \
         insert into game_players select c.id, p.player_id, p.joined, p.entropy, p.seat from game_players p, copies c where game_id = '{id}'; \
         update games g set beacon_round = beacon_round - 1 from copies c where c.id = g.id"
    );
    superuser.batch_execute(&copies).await.expect("copies whose masters cannot be opened");
    app.app.clock.advance(Duration::seconds(6));
    let mut started = 0;
    for _ in 0..3 {
        started += lobby::start_awaited(&app.app.games).await.expect("a step");
    }
    assert_eq!(started, 1);
    assert_eq!(ann.get(&game).await.ok()["status"], "running");
    let counted = playing::count_set_aside(&app.app.games).await.expect("numbers");
    assert_eq!(
        counted,
        [
            (Task::Flag, 0),
            (Task::Start, BROKEN),
            (Task::Clock, 0),
            (Task::Reliability, 0),
            (Task::Archive, 0),
            (Task::Search, 0)
        ]
    );
    assert!(endpoint.asked().len() <= 6, "{:?}", endpoint.asked());
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_that_cannot_be_had_do_not_keep_the_games_of_later_ones_from_starting() {
    let endpoint = Endpoint::start();
    let beacon = pippost::beacon::Drand::new(chain(), std::slice::from_ref(&endpoint.url)).expect("a beacon");
    let app = TestApp::with_beacon(beacon).await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let mut games = Vec::new();
    for _ in 0..8 {
        let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
        let id = created["id"].as_str().expect("an id").to_owned();
        bob.post(&format!("/api/v1/games/{id}/join"), &json!({})).await.ok();
        games.push(id);
    }
    // All but the last wait for different old rounds that nobody keeps any more.
    let mut superuser = app.db_superuser().await;
    for (round, id) in (1..).zip(&games[..7]) {
        let old = format!("update games set beacon_round = {round} where id = '{id}'");
        superuser.batch_execute(&old).await.expect("an old round");
    }
    endpoint.behave(Behavior::Recent);
    app.app.clock.advance(Duration::seconds(6));
    // Each step reports that some rounds are not available.
    for _ in 0..4 {
        let step = lobby::start_awaited(&app.app.games).await;
        assert!(matches!(step, Err(pippost::games::GameError::Beacon(_))), "{step:?}");
    }
    let last = format!("/api/v1/games/{}", games[7]);
    assert_eq!(ann.get(&last).await.ok()["status"], "running");
}
