//! Checkpoints: loading a position of a long game costs as much as in a short game, with checkpoints made in any way, missing
//! or damaged.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use pippost::games::audit::{self, Finding, Subject};
use pippost::games::history::checkpoints::{CHECKPOINT_EVENTS, MAX_REPLAYED_EVENTS};
use pippost::games::{ActRequest, At, Command, ListMode, SeatClaim, history, playing, viewing};
use pippost::record::verify::walk;
use pippost::rules::Viewer;
use pippost::store::checkpoints::{self, Checkpoint};
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use support::db::plan;
use support::sample::Sampler;
use support::{Client, TestApp, cluster};

/// A little more than three intervals.
const EVENTS: u64 = 800;

/// The most games that are begun to get a long one: the dice may end a game early.
const MAX_TRIES: u32 = 10;

/// The checkpoints of that game, whose events come one by one.
const MARKED: [u64; 3] = [256, 512, 768];

/// A game of Dominion in which every second action is a pass, so that it rarely ends.
struct Long {
    id: Uuid,
    path: String,
    players: Vec<Client>,
    claims: Vec<SeatClaim>,
}

impl Long {
    /// Begins the game.
    async fn begin(app: &TestApp, seats: usize) -> Self {
        let mut players = Vec::new();
        for handle in ["ann", "bob", "cat"].into_iter().take(seats) {
            players.push(app.player(handle).await);
        }
        Self::between(app, players).await
    }

    async fn between(app: &TestApp, players: Vec<Client>) -> Self {
        let wanted = json!({"rules": "dominion", "seats": players.len(), "seating": "joined"});
        let created = players[0].post("/api/v1/games", &wanted).await;
        let id: Uuid =
            created.expect_status(201).json()["id"].as_str().expect("an id").parse().expect("an id");
        let path = format!("/api/v1/games/{id}");
        for player in &players[1..] {
            player.post(&format!("{path}/join"), &json!({})).await.ok();
        }
        let mut claims = Vec::new();
        for player in &players {
            let me =
                player.get("/api/v1/me").await.ok()["id"].as_str().expect("an id").parse().expect("an id");
            claims.push(viewing::claim_seat(&app.app.games, id, me).await.expect("a seat"));
        }
        Self { id, path, players, claims }
    }

    /// A game of two after `events` events.
    async fn played(app: &TestApp, events: u64) -> Self {
        let first = Self::begin(app, 2).await;
        if first.play_to(app, events).await { first } else { Self::lasting(app, first.players, events).await }
    }

    /// A game between `players` after `events` events; a game that ends before is replaced by another.
    async fn lasting(app: &TestApp, players: Vec<Client>, events: u64) -> Self {
        for _ in 0..MAX_TRIES {
            let long = Self::between(app, players.clone()).await;
            if long.play_to(app, events).await {
                return long;
            }
        }
        panic!("{MAX_TRIES} games ended before event {events}");
    }

    /// The seat to act and its next action; `None` once the game is over.
    async fn next(&self, app: &TestApp, sampler: &mut Sampler) -> Option<(usize, u64, Value)> {
        let legal = playing::legal_actions(&app.app.games, &self.claims[0]).await.expect("a list");
        let seat = usize::from(legal.to_act?);
        let legal = playing::legal_actions(&app.app.games, &self.claims[seat]).await.expect("a list");
        let pass = legal.actions.iter().find(|action| action["type"] == "pass").cloned();
        let pass = pass.filter(|_| sampler.below(2) == 0);
        Some((seat, legal.seq.get(), pass.unwrap_or_else(|| sampler.action(&legal.actions))))
    }

    async fn act(&self, app: &TestApp, seat: usize, command: Command) {
        let request =
            ActRequest { command, mode: ListMode::Each, expected_seq: None, if_match: None, key: None };
        playing::act(&app.app.games, &self.claims[seat], &request).await.expect("a move");
    }

    /// Plays until the newest event is `last`; false if the game ends before.
    async fn play_to(&self, app: &TestApp, last: u64) -> bool {
        let mut sampler = Sampler::new(11);
        while let Some((seat, seq, action)) = self.next(app, &mut sampler).await {
            if seq >= last {
                return true;
            }
            self.act(app, seat, Command::Actions(vec![action])).await;
        }
        false
    }

    /// Plays on after `left` has left early; false if the game ends before it is long.
    async fn lasts_without(&self, app: &TestApp, left: usize) -> bool {
        assert!(self.play_to(app, 3).await, "nobody wins with three events");
        self.act(app, left, Command::Resign).await;
        self.play_to(app, EVENTS).await
    }

    /// A spectator's view after each event, computed from the record alone.
    async fn views(&self, app: &TestApp) -> Vec<Value> {
        let record = app.stranger().get(&format!("{}/record", self.path)).await;
        let mut views = Vec::new();
        walk(&record.body, |played| {
            let view = played.table.position().view_text(Viewer::Spectator);
            views.push(serde_json::from_str(view.get()).expect("JSON"));
        })
        .expect("a good record");
        views
    }
}

async fn db_marked(app: &TestApp, game: Uuid) -> Vec<u64> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        seq: i64,
    }
    let mut connection = app.app.database.get().await.expect("a connection");
    let query = format!("select seq from checkpoints where game_id = '{game}' order by seq");
    let rows: Vec<Row> = diesel::sql_query(query).load(&mut connection).await.expect("checkpoints");
    rows.into_iter().map(|row| u64::try_from(row.seq).expect("a number")).collect()
}

async fn db_all(app: &TestApp, game: Uuid) -> Vec<Checkpoint> {
    let mut found = Vec::new();
    for seq in db_marked(app, game).await {
        found.extend(
            checkpoints::at_or_before(&app.app.database, game, seq.into()).await.expect("a checkpoint"),
        );
    }
    found
}

/// Runs statements; `GAME` in them stands for the game's id.
async fn db_plant(app: &TestApp, game: Uuid, statements: &str) {
    let statements = statements.replace("GAME", &format!("'{game}'"));
    let mut connection = app.app.database.get().await.expect("a connection");
    let done = cluster::run_each(&mut connection, &statements).await;
    done.unwrap_or_else(|error| panic!("{statements}: {error}"));
}

/// The answer at `path` of the game, and how many events were replayed for it on HTTP threads.
async fn costs(app: &TestApp, long: &Long, path: &str) -> (Value, u64) {
    let before = app.app.games.replayed().for_requests();
    let answer = app.stranger().get(&format!("{}{path}", long.path)).await;
    let answer = answer.expect_status(200).text();
    let played = app.app.games.replayed().for_requests() - before;
    (serde_json::from_str(&answer).unwrap_or(Value::Null), played)
}

/// Positions around the checkpoint intervals, and some in between.
fn positions() -> impl Iterator<Item = u64> {
    (0..EVENTS).filter(|seq| seq % CHECKPOINT_EVENTS <= 1 || seq % CHECKPOINT_EVENTS == 255 || seq % 97 == 0)
}

#[tokio::test(flavor = "multi_thread")]
async fn any_moment_of_a_long_game_is_shown_after_few_events() {
    let app = TestApp::start().await;
    let long = Long::played(&app, EVENTS).await;
    assert_eq!(db_marked(&app, long.id).await, MARKED);
    assert_eq!(app.app.games.replayed().for_requests(), 0, "moves play nothing again");
    let views = long.views(&app).await;
    let events = db_events(&app, long.id).await;
    for seq in positions() {
        let index = usize::try_from(seq).expect("a number");
        let (then, played) = costs(&app, &long, &format!("?seq={seq}")).await;
        assert_eq!(then["view"], views[index], "event {seq}");
        assert_eq!((&then["seq"], &then["head"]), (&json!(seq), &events[index]["hash"]));
        assert_eq!(
            played,
            if seq < CHECKPOINT_EVENTS { seq + 1 } else { seq % CHECKPOINT_EVENTS },
            "event {seq}"
        );
        for path in ["/choices", "/board.txt", "/board.svg"] {
            let (_, played) = costs(&app, &long, &format!("{path}?seq={seq}")).await;
            assert!(played <= CHECKPOINT_EVENTS, "{path} of event {seq}: {played}");
        }
    }
    let again = app.second().await;
    let (then, played) = costs(&again, &long, "?seq=700").await;
    assert_eq!((&then["view"], played), (&views[700], 700 % CHECKPOINT_EVENTS), "another server");
    let counted = app.metrics().await;
    let line = format!(
        "pippost_events_replayed_total{{for=\"request\"}} {}",
        app.app.games.replayed().for_requests()
    );
    assert!(counted.contains(&line), "{counted}");
    assert!(counted.contains("pippost_events_replayed_total{for=\"checkpoints\"} 0"), "{counted}");
}

async fn db_events(app: &TestApp, game: Uuid) -> Vec<Value> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Text)]
        line: String,
    }
    let mut connection = app.app.database.get().await.expect("a connection");
    let query = format!("select line from events where game_id = '{game}' order by seq");
    let rows: Vec<Row> = diesel::sql_query(query).load(&mut connection).await.expect("events");
    rows.into_iter().map(|row| serde_json::from_str(&row.line).expect("JSON")).collect()
}

/// The turn of each event, counted from the first.
fn turns(events: &[Value]) -> Vec<u64> {
    let mut turn = 0;
    let mut ended = false;
    let mut before = &Value::Null;
    let mut turns = Vec::new();
    for event in events {
        turn += u64::from(ended);
        turns.push(turn);
        ended = turns.len() == 1 || event["to_act"] != *before;
        before = &event["to_act"];
    }
    turns
}

#[tokio::test(flavor = "multi_thread")]
async fn any_turn_and_any_page_of_a_long_game_is_shown_after_few_events() {
    let app = TestApp::start().await;
    let long = Long::played(&app, EVENTS).await;
    let events = db_events(&app, long.id).await;
    let turns = turns(&events);
    let last = *turns.last().expect("an event");
    assert!(last > 200 && last < EVENTS - 100, "some turns have several events: {last}");
    for turn in (0..=last).filter(|turn| turn % 13 == 0 || *turn > last - 2) {
        let seq = turns.iter().rposition(|of_event| *of_event == turn).expect("no turn is empty");
        let (then, played) = costs(&app, &long, &format!("?turn={turn}")).await;
        assert_eq!(then["seq"], json!(seq), "turn {turn}");
        assert!(played <= MAX_REPLAYED_EVENTS, "turn {turn}: {played}");
    }
    for turn in [last + 1, u64::MAX] {
        let before = app.app.games.replayed().for_requests();
        app.stranger().get(&format!("{}?turn={turn}", long.path)).await.problem(404, "not_found");
        assert!(app.app.games.replayed().for_requests() - before <= MAX_REPLAYED_EVENTS);
    }
    let views = long.views(&app).await;
    let mut first = json!(0);
    let mut steps = Vec::new();
    while !first.is_null() {
        let (mut page, played) = costs(&app, &long, &format!("/replay?first={first}&limit=120")).await;
        assert!(played <= MAX_REPLAYED_EVENTS + 120, "from {first}: {played}");
        steps.append(page["steps"].as_array_mut().expect("steps"));
        first = page["next"].take();
    }
    assert_eq!(steps.len(), events.len());
    for (index, step) in steps.iter().enumerate() {
        assert_eq!((&step["event"], &step["view"]), (&events[index], &views[index]), "event {index}");
        assert_eq!(step["turn"], json!(turns[index]), "event {index}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_without_checkpoints_gets_them_when_somebody_asks_for_its_past() {
    let app = TestApp::start().await;
    let long = Long::played(&app, EVENTS).await;
    let (made, views) = (db_all(&app, long.id).await, long.views(&app).await);
    let turns = turns(&db_events(&app, long.id).await);
    let paths =
        ["?seq=700", &format!("?turn={}", turns[690]), "/replay?first=700&limit=5", "/choices?seq=650"];
    for path in paths {
        db_plant(&app, long.id, "delete from checkpoints where game_id = GAME").await;
        let server = app.second().await;
        let (then, played) = costs(&server, &long, path).await;
        assert!(played <= MAX_REPLAYED_EVENTS + 5, "{path}: {played}");
        if path == "?seq=700" {
            assert_eq!(then["view"], views[700]);
        }
        let for_checkpoints = server.app.games.replayed().for_checkpoints();
        assert!((600..=EVENTS + 1).contains(&for_checkpoints), "{path}: {for_checkpoints}");
        let again = db_all(&app, long.id).await;
        assert!(again.len() >= 2, "{path}");
        assert_eq!(again, made[..again.len()], "{path}: those that moves had made");
        costs(&server, &long, path).await;
        assert_eq!(server.app.games.replayed().for_checkpoints(), for_checkpoints, "{path}: made once");
    }
    // Many requests at once: the checkpoints are made once, and all requests are answered.
    db_plant(&app, long.id, "delete from checkpoints where game_id = GAME").await;
    let server = app.second().await;
    let requester = pippost::games::viewing::view::Requester::default();
    let looks =
        (600..612).map(|seq| history::view_at(&server.app.games, long.id, &requester, At::Event(seq.into())));
    for view in futures_util::future::join_all(looks).await {
        view.expect("a view");
    }
    assert!(server.app.games.replayed().for_checkpoints() <= EVENTS + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_for_a_past_that_cannot_be_made_ready_in_time_is_told_to_come_again() {
    let app = TestApp::start().await;
    let long = Long::played(&app, EVENTS).await;
    db_plant(&app, long.id, "delete from checkpoints where game_id = GAME").await;
    // Checkpoints can be read, but not written.
    let mut superuser = app.db_superuser().await;
    superuser.batch_execute("begin; lock table checkpoints in share mode").await.expect("a lock");
    let answer = app.stranger().get(&format!("{}?seq=700", long.path)).await;
    answer.problem(503, "unavailable");
    assert_eq!(answer.headers["retry-after"], "1");
    assert_eq!(app.app.games.replayed().for_requests(), 0);
    // A position that needs no checkpoint is shown meanwhile.
    app.stranger().get(&format!("{}?seq=7", long.path)).await.ok();
    superuser.batch_execute("commit").await.expect("the lock is free");
    app.stranger().get(&format!("{}?seq=700", long.path)).await.ok();
    assert!(app.app.games.replayed().for_checkpoints() <= EVENTS, "what had begun was gone on with");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_and_a_fallen_flag_that_end_an_interval_make_a_checkpoint_too() {
    let app = TestApp::start().await;
    let long = Long::played(&app, CHECKPOINT_EVENTS - 2).await;
    let mut sampler = Sampler::new(12);
    let newest = loop {
        let (seat, seq, action) = long.next(&app, &mut sampler).await.expect("a running game");
        if seq >= CHECKPOINT_EVENTS {
            break seq;
        }
        let pass = json!({"type": "pass"});
        long.act(&app, seat, Command::Actions(vec![action, pass.clone(), pass])).await;
    };
    assert_eq!(db_marked(&app, long.id).await, [newest], "at the end of the list");
    // Its state is the game's state.
    let stored = db_all(&app, long.id).await;
    db_plant(
        &app,
        long.id,
        &format!(
            "do $$ begin assert (select snapshot from game_states where game_id = GAME) = \
        (select snapshot from checkpoints where game_id = GAME and seq = {newest}); end $$"
        ),
    )
    .await;
    assert_eq!(stored.len(), 1);

    let timed = Long::lasting(&app, long.players.clone(), CHECKPOINT_EVENTS - 1).await;
    app.app.clock.advance(Duration::days(30));
    assert!(playing::let_flags_fall(&app.app.games).await.expect("a step") >= 1);
    assert_eq!(db_marked(&app, timed.id).await, [CHECKPOINT_EVENTS]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_checkpoint_is_named_by_the_audit_and_mended_and_changes_no_record() {
    let app = TestApp::start().await;
    let long = Long::played(&app, EVENTS).await;
    let (made, record) =
        (db_all(&app, long.id).await, app.stranger().get(&format!("{}/record", long.path)).await.body);
    assert_eq!(audit(&app, long.id, false).await, []);
    for damage in [
        "update checkpoints c set snapshot = s.snapshot from game_states s where s.game_id = c.game_id and c.game_id = GAME and c.seq = 512",
        "update checkpoints set snapshot = 'no JSON' where seq = 256 and game_id = GAME",
        "update checkpoints set turn = turn + 1 where seq = 512 and game_id = GAME",
        "update checkpoints set ends_turn = not ends_turn where seq = 768 and game_id = GAME",
        "update checkpoints set last_events = '[1]' where seq = 768 and game_id = GAME",
        "update checkpoints set seq = seq + 1 where seq = 512 and game_id = GAME",
        "update checkpoints set seq = 5000 where seq = 768 and game_id = GAME",
    ] {
        db_plant(&app, long.id, damage).await;
        let found = audit(&app, long.id, false).await;
        let [Finding { part: Subject::Checkpoints, derived: true, rebuilt: false, .. }] = found.as_slice()
        else {
            panic!("{damage}: {found:?}")
        };
        assert_eq!(app.stranger().get(&format!("{}/record", long.path)).await.body, record, "{damage}");
        let found = audit(&app, long.id, true).await;
        assert!(found.len() == 1 && found[0].rebuilt, "{damage}: {found:?}");
        assert_eq!(db_all(&app, long.id).await, made, "{damage}");
        assert_eq!(audit(&app, long.id, false).await, [], "{damage}");
    }
    // Missing checkpoints are not damage, but a rebuild makes them.
    db_plant(&app, long.id, "delete from checkpoints where game_id = GAME").await;
    assert_eq!(audit(&app, long.id, false).await, []);
    assert_eq!(audit(&app, long.id, true).await, []);
    assert_eq!(db_all(&app, long.id).await, made);
    // Checkpoints without a game are reported and removed.
    db_plant(
        &app,
        long.id,
        "insert into checkpoints select gen_random_uuid(), seq, turn, ends_turn, snapshot, last_events \
        from checkpoints where seq = 512 and game_id = GAME",
    )
    .await;
    let mut found = Vec::new();
    audit::audit_all(&app.app.games, true, &mut |finding: &Finding| found.push(finding.clone()))
        .await
        .expect("an audit");
    assert!(found.len() == 1 && found[0].part == Subject::Orphan && found[0].rebuilt, "{found:?}");
    assert_eq!(db_all(&app, long.id).await, made);
}

async fn audit(app: &TestApp, game: Uuid, repair: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut report = |finding: &Finding| found.push(finding.clone());
    audit::audit_one(&app.app.games, game, repair, &mut report).await.expect("an audit");
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checkpoint_that_cannot_be_read_is_made_anew_while_the_game_is_looked_at() {
    let app = TestApp::start().await;
    let long = Long::played(&app, EVENTS).await;
    let (made, views) = (db_all(&app, long.id).await, long.views(&app).await);
    db_plant(&app, long.id, "update checkpoints set snapshot = '{}' where game_id = GAME").await;
    let (then, _) = costs(&app, &long, "?seq=790").await;
    assert_eq!(then["view"], views[790]);
    assert_eq!(db_all(&app, long.id).await, made);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_news_of_a_seat_that_left_early_are_found_without_reading_the_whole_game() {
    let app = TestApp::start().await;
    let left = 2;
    let mut long = Long::begin(&app, 3).await;
    let mut tries = 1;
    while !long.lasts_without(&app, left).await {
        assert!(tries < MAX_TRIES, "each game ended before event {EVENTS}");
        long = Long::between(&app, long.players).await;
        tries += 1;
    }
    for planted in ["select 1", "delete from checkpoints where game_id = GAME"] {
        db_plant(&app, long.id, planted).await;
        let before = (app.app.database.statements(), app.app.games.replayed().for_requests());
        let news = long.players[left].get(&format!("{}/news", long.path)).await.ok();
        assert_eq!((&news["my_last"], &news["newest"]), (&json!(4), &json!(EVENTS)));
        assert_eq!(app.app.games.replayed().for_requests(), before.1);
        let statements = app.app.database.statements() - before.0;
        assert!(planted != "select 1" || statements <= 6, "{statements} statements");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn checkpoints_are_found_by_index() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    connection
        .batch_execute(
            "insert into checkpoints (game_id, seq, turn, ends_turn, snapshot, last_events) \
             select lpad(to_hex(i), 32, '0')::uuid, n * 256, n * 100, true, repeat(md5(i::text), 12), '[]' \
             from generate_series(1, 2000) i, generate_series(1, 5) n; analyze checkpoints",
        )
        .await
        .expect("checkpoints");
    let id = format!("'{}'::uuid", Uuid::from_u128(77));
    for (statement, index) in [
        (
            format!(
                "select * from checkpoints where game_id = {id} and seq <= 700 order by seq desc limit 1"
            ),
            "checkpoints_pkey",
        ),
        (
            format!("select seq from checkpoints where game_id = {id} and seq > 700 order by seq limit 1"),
            "checkpoints_pkey",
        ),
        (
            format!(
                "select * from checkpoints where game_id = {id} and turn <= 250 order by turn desc, seq desc limit 1"
            ),
            "checkpoints_turns",
        ),
    ] {
        let plan = plan(&mut connection, &statement).await;
        assert!(plan.contains(index), "{index} is not used:\n{plan}");
        assert!(!plan.contains("Seq Scan") && !plan.contains("Sort"), "{plan}");
    }
}
