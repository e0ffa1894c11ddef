//! The audit: it finds and names every kind of damage that is planted in the database, repairs what follows from the events,
//! and never changes the events.

use diesel::QueryableByName;
use diesel::sql_types::Text;
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pippost::games::audit::{self, AuditSummary, Finding, Subject};
use serde_json::{Value, json};
use uuid::Uuid;

use pippost::games::playing;
use support::process::Server;
use support::sample::Sampler;
use support::{Client, TestApp, cluster};

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

async fn db_events(connection: &mut AsyncPgConnection) -> Vec<String> {
    let query = diesel::sql_query("select line from events order by game_id, seq");
    let lines: Vec<Line> = query.load(connection).await.expect("events");
    lines.into_iter().map(|row| row.line).collect()
}

/// Runs statements; `GAME` in them stands for the game's id, `ANOTHER_HASH` for a hash that no line holds.
pub async fn db_plant(connection: &mut AsyncPgConnection, game: Uuid, statements: &str) {
    let another_hash = "md5(line) || md5(line)";
    let statements = statements.replace("GAME", &format!("'{game}'")).replace("ANOTHER_HASH", another_hash);
    let done = cluster::run_each(connection, &statements).await;
    done.unwrap_or_else(|error| panic!("{statements}: {error}"));
}

/// The same with the triggers that protect history disabled.
async fn db_plant_in_history(connection: &mut AsyncPgConnection, game: Uuid, statements: &str) {
    let unguarded = format!(
        "alter table events disable trigger user; {statements}; alter table events enable always trigger events_are_final; \
         alter table events enable always trigger events_are_kept"
    );
    db_plant(connection, game, &unguarded).await;
}

/// A game of `rules` after at most `moves` random moves.
pub async fn play(players: &[Client], rules: &str, options: &Value, moves: usize, seed: u64) -> Uuid {
    let wanted = json!({"rules": rules, "options": options, "seats": players.len(), "seating": "joined"});
    let created = players[0].post("/api/v1/games", &wanted).await;
    let id: Uuid = created.expect_status(201).json()["id"].as_str().expect("an id").parse().expect("an id");
    let game = format!("/api/v1/games/{id}");
    let mut view = Value::Null;
    for player in &players[1..] {
        view = player.post(&format!("{game}/join"), &json!({})).await.ok();
    }
    let mut sampler = Sampler::new(seed);
    for _ in 0..moves {
        let Some(seat) = view["to_act"].as_u64() else { break };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action = sampler.action(legal["actions"].as_array().expect("a list"));
        view = player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok()["game"].take();
    }
    id
}

pub async fn audit(app: &TestApp, game: Option<Uuid>, repair: bool) -> (AuditSummary, Vec<Finding>) {
    let mut found = Vec::new();
    let mut report = |finding: &Finding| found.push(finding.clone());
    let games = &app.app.games;
    let summary = match game {
        Some(game) => audit::audit_one(games, game, repair, &mut report).await,
        None => audit::audit_all(games, repair, &mut report).await,
    };
    (summary.expect("an audit"), found)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_with_an_unknown_status_or_number_is_reported_and_stops_no_other_game() {
    for damage in [
        "alter table games drop constraint games_status_check; update games set status = 'paused' where id = GAME",
        "update game_states set seq = -1 where game_id = GAME",
    ] {
        let app = TestApp::start().await;
        let players = [app.player("ann").await, app.player("bob").await];
        let broken = play(&players, "pip-pip", &json!({}), 2, 1).await;
        let sound = play(&players, "pip-pip", &json!({}), 2, 2).await;
        db_plant(&mut app.db_superuser().await, broken, damage).await;
        let server = app.second().await;
        let path = |id: Uuid| format!("/api/v1/games/{id}");
        let refused = server.stranger().get(&path(broken)).await;
        assert_eq!(refused.expect_status(500).json()["code"], "internal", "{damage}");
        assert_eq!(server.stranger().get(&path(sound)).await.ok()["seq"], 2, "{damage}");
        let (summary, found) = audit(&app, None, true).await;
        assert_eq!(summary.games, 2, "{damage}");
        let [Finding { game: Some(game), part: Subject::Game, what, derived: false, rebuilt: false }] =
            found.as_slice()
        else {
            panic!("{damage}: {found:?}");
        };
        assert_eq!(*game, broken);
        assert!(what.contains("a row of it cannot be read"), "{damage}: {what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_healthy_database_with_games_of_all_rules_yields_nothing() {
    let app = TestApp::start().await;
    let mut players = Vec::new();
    for handle in ["ann", "bob", "cat"] {
        players.push(app.player(handle).await);
    }
    for (seed, moves) in [(1, 3), (2, 1000)] {
        play(&players[..2], "pip-pip", &json!({}), moves, seed).await;
        play(&players[..2], "serpent", &json!({}), moves, seed).await;
        play(&players[..2], "pippinzip", &json!({"variant": "zipline", "size": 5}), moves, seed).await;
        play(&players, "dominion", &json!({"size": 4, "round_limit": 3}), moves, seed).await;
    }
    // Games that wait, were cancelled, aborted, resigned out of turn, and lost on time.
    players[0].post("/api/v1/games", &json!({"rules": "serpent"})).await.expect_status(201);
    let cancelled = players[0].post("/api/v1/games", &json!({"rules": "serpent"})).await.json();
    let leave = format!("/api/v1/games/{}/leave", cancelled["id"].as_str().expect("an id"));
    players[0].post(&leave, &json!({})).await.expect_status(204);
    let aborted = play(&players[..2], "serpent", &json!({}), 1, 3).await;
    players[1].post(&format!("/api/v1/games/{aborted}/abort"), &json!({})).await.expect_status(200);
    let left = play(&players, "dominion", &json!({"size": 4}), 5, 4).await;
    players[2].post(&format!("/api/v1/games/{left}/resign"), &json!({})).await.expect_status(200);
    app.app.clock.advance(time::Duration::hours(7));
    let players = [app.log_in("ann").await, app.log_in("bob").await];
    play(&players, "pip-pip", &json!({}), 4, 5).await;
    let (summary, found) = audit(&app, None, false).await;
    assert_eq!(found, []);
    assert_eq!(summary.games, 13);
    app.app.clock.advance(time::Duration::days(6) + time::Duration::hours(12));
    assert!(playing::remind(&app.app.games).await.expect("reminders") > 0);
    assert_eq!(audit(&app, None, false).await.1, []);
    app.app.clock.advance(time::Duration::days(1));
    assert!(playing::let_flags_fall(&app.app.games).await.expect("flags") > 0);
    let (_, found) = audit(&app, None, true).await;
    assert_eq!(found, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_players_left_before_it_started_is_sound() {
    let app = TestApp::start().await;
    let mut players = Vec::new();
    for handle in ["ann", "bob", "cat", "dan"] {
        players.push(app.player(handle).await);
    }
    let [ann, bob, cat, dan] = &players[..] else { unreachable!() };
    let wanted = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let id: Uuid = created["id"].as_str().expect("an id").parse().expect("an id");
    let game = format!("/api/v1/games/{id}");
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    ann.post(&format!("{game}/leave"), &json!({})).await.expect_status(204);
    cat.post(&format!("{game}/join"), &json!({})).await.ok();
    bob.post(&format!("{game}/leave"), &json!({})).await.expect_status(204);
    ann.post(&format!("{game}/join"), &json!({"entropy": "ann's"})).await.ok();
    let started = dan.post(&format!("{game}/join"), &json!({})).await.ok();
    assert_eq!(started["status"], "running");
    let names: Vec<_> =
        started["players"].as_array().expect("players").iter().map(|row| &row["handle"]).collect();
    assert_eq!(names, ["cat", "ann", "dan"], "in the order in which they joined");
    let by_seat = [cat, ann, dan];
    let mut sampler = Sampler::new(3);
    for _ in 0..6 {
        let view = ann.get(&game).await.ok();
        let Some(seat) = view["to_act"].as_u64() else { break };
        let player = by_seat[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action = sampler.action(legal["actions"].as_array().expect("a list"));
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    }
    assert_eq!(audit(&app, None, false).await.1, []);
    let mut superuser = app.db_superuser().await;
    let joined = "select string_agg(joined::text, ' ' order by joined) as line from game_players";
    let rows: Vec<Line> = diesel::sql_query(joined).load(&mut superuser).await.expect("places");
    assert_eq!(rows[0].line, "0 1 2", "without a gap");
    // Games created before gaps were closed look like this.
    let gaps = "update game_players set joined = joined + 5 where game_id = GAME and joined = 2; \
                update game_players set joined = joined + 2 where game_id = GAME and joined = 1";
    db_plant(&mut superuser, id, gaps).await;
    assert_eq!(audit(&app, None, true).await.1, []);
    // A different order is damage.
    let swapped = "update game_players set joined = 9 where game_id = GAME and joined = 0";
    db_plant(&mut superuser, id, swapped).await;
    let (_, found) = audit(&app, None, false).await;
    assert!(found.iter().any(|finding| finding.part == Subject::Seats), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn players_who_come_and_go_use_up_no_places() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    for _ in 0..5 {
        for player in [&ann, &bob] {
            player.post(&format!("{game}/leave"), &json!({})).await.expect_status(204);
            player.post(&format!("{game}/join"), &json!({})).await.ok();
        }
    }
    let mut superuser = app.db_superuser().await;
    let joined = "select string_agg(joined::text, ' ' order by joined) as line from game_players";
    let rows: Vec<Line> = diesel::sql_query(joined).load(&mut superuser).await.expect("places");
    assert_eq!(rows[0].line, "0 1");
}

/// Damage to what follows from the events: statements, the named part, and words of the finding.
const DERIVED: &[(&str, Subject, &str)] = &[
    ("update game_states set seq = seq - 1 where game_id = GAME", Subject::State, "its state is at event 3"),
    ("update game_states set head = sha256(head) where game_id = GAME", Subject::State, "another hash"),
    (
        "update game_states set at = '2026-01-01 00:00:00+00' where game_id = GAME",
        Subject::State,
        "another time",
    ),
    ("update game_states set snapshot = '{}' where game_id = GAME", Subject::Snapshot, "stored position"),
    (
        "update game_states set snapshot = replace(snapshot, '\"acted\":[true', '\"acted\":[false') where game_id = GAME",
        Subject::Snapshot,
        "stored position",
    ),
    (
        "update game_states set to_act_seat = 1 - to_act_seat where game_id = GAME",
        Subject::Turn,
        "turn and is seat",
    ),
    ("update game_states set to_act_player = null where game_id = GAME", Subject::Turn, "the wrong list"),
    (
        "update game_states set turn_since = '2026-01-01 00:00:00+00' where game_id = GAME",
        Subject::Deadline,
        "did not begin when",
    ),
    ("update game_states set deadline_at = null where game_id = GAME", Subject::Deadline, "its deadline"),
    (
        "update game_states set remind_at = '2026-01-01 00:00:00+00' where game_id = GAME",
        Subject::Deadline,
        "its reminder",
    ),
    ("delete from game_states where game_id = GAME", Subject::State, "its state is missing"),
    (
        "update games set status = 'finished', finished_at = now() where id = GAME",
        Subject::Status,
        "listed as finished and is running",
    ),
    ("update games set result = '{}' where id = GAME", Subject::Status, "did not end as lists say"),
    (
        "update games set started_at = '2026-01-01 00:00:00+00' where id = GAME",
        Subject::Status,
        "did not start",
    ),
    ("update game_players set seat = 1 - seat where game_id = GAME", Subject::Seats, "do not sit where"),
    ("delete from notices where game_id = GAME and kind = 'turn'", Subject::Outbox, "has no notice of it"),
];

/// Damage to what cannot be rebuilt.
const HISTORY: &[(&str, Subject, &str)] = &[
    (
        "update events set line = replace(line, '\"effects\":[{', '\"effects\":[{\"more\":1,') where game_id = GAME and seq = 2",
        Subject::Events,
        "event 2: its effects are not what the action does",
    ),
    (
        "update events set line = line || ' ' where game_id = GAME and seq = 2",
        Subject::Events,
        "event 2: it is not in canonical form",
    ),
    (
        "update events set line = 'nonsense' where game_id = GAME and seq = 1",
        Subject::Events,
        "event 1: it cannot be read",
    ),
    (
        "update events set line = regexp_replace(line, '\"hash\":\"[0-9a-f]+', '\"hash\":\"' || ANOTHER_HASH) where game_id = GAME and seq = 4",
        Subject::Events,
        "event 4: `hash` is not the hash",
    ),
    (
        "update events set line = regexp_replace(line, '\"next\":\"[0-9a-f]+', '\"next\":\"' || ANOTHER_HASH) where game_id = GAME and seq = 3",
        Subject::Events,
        "event 3: `next` does not follow",
    ),
    (
        "update events set line = regexp_replace(line, '\"at\":\"2026', '\"at\":\"2025') where game_id = GAME and seq = 3",
        Subject::Events,
        "event 3: its time is earlier",
    ),
    ("delete from events where game_id = GAME and seq = 2", Subject::Events, "event 2 is missing"),
    (
        "delete from events where game_id = GAME and seq = 4",
        Subject::Events,
        "events are missing: its state is at event 4",
    ),
    (
        "insert into events select game_id, 5, line from events where game_id = GAME and seq = 4",
        Subject::Events,
        "event 5",
    ),
    ("delete from events where game_id = GAME", Subject::Events, "it has no event"),
    (
        "update games set header = replace(header, '\"entropy\":\"\"', '\"entropy\":\"x\"') where id = GAME",
        Subject::Events,
        "event 0: `prev` is not",
    ),
    ("update games set header = '{}' where id = GAME", Subject::Game, "its header cannot be read"),
    ("update games set header = null where id = GAME", Subject::Game, "no header"),
    ("update games set seating = 'random' where id = GAME", Subject::Game, "differ in `seating`"),
    (
        "update games set commitment = sha256(commitment) where id = GAME",
        Subject::Master,
        "its commitment is not",
    ),
    (
        "update games set master_sealed = sha256(master_sealed) where id = GAME",
        Subject::Master,
        "cannot be opened",
    ),
    (
        "delete from game_players where game_id = GAME and joined = 1",
        Subject::Seats,
        "1 player rows for the 2 players",
    ),
    (
        "update game_players set entropy = 'x' where game_id = GAME and joined = 0",
        Subject::Seats,
        "not the players of its header",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn damage_to_what_follows_from_the_events_is_named_and_repaired_and_events_stay_as_they_are() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    let mut superuser = app.db_superuser().await;
    for (statements, part, words) in DERIVED {
        let game = play(&players, "pip-pip", &json!({}), 4, 1).await;
        let view = players[0].get(&format!("/api/v1/games/{game}")).await.ok();
        let events = db_events(&mut superuser).await;
        pippost::store::notices::collect(&app.app.database).await.expect("notices");
        db_plant(&mut superuser, game, statements).await;
        let (_, found) = audit(&app, Some(game), false).await;
        let named = found.iter().find(|finding| finding.part == *part && finding.what.contains(words));
        assert!(named.is_some_and(|finding| finding.derived && !finding.rebuilt), "{statements}: {found:?}");
        assert!(named.is_some_and(|finding| finding.to_string().ends_with("(can be rebuilt)")));
        let (summary, found) = audit(&app, Some(game), true).await;
        assert_eq!(summary.rebuilt, found.len() as u64, "{statements}: {found:?}");
        assert_eq!(audit(&app, None, false).await.1, [], "{statements}");
        assert_eq!(db_events(&mut superuser).await, events);
        let again = players[0].get(&format!("/api/v1/games/{game}")).await.ok();
        assert_eq!(again, view, "{statements}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_to_history_is_named_and_never_repaired() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    let mut superuser = app.db_superuser().await;
    for (statements, part, words) in HISTORY {
        let game = play(&players, "pip-pip", &json!({}), 4, 1).await;
        db_plant_in_history(&mut superuser, game, statements).await;
        let damaged = db_events(&mut superuser).await;
        for repair in [false, true, false] {
            let (summary, found) = audit(&app, Some(game), repair).await;
            let named = found.iter().any(|finding| finding.part == *part && finding.what.contains(words));
            assert!(named, "{statements}: {found:?}");
            assert_eq!(summary.rebuilt, 0, "{statements}: {found:?}");
        }
        assert_eq!(db_events(&mut superuser).await, damaged);
    }
    assert_eq!(audit(&app, None, false).await.0.games, HISTORY.len() as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_game_that_is_listed_as_running_is_ended_again_and_everybody_hears_of_it() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    let mut superuser = app.db_superuser().await;
    let game = play(&players, "pip-pip", &json!({}), 1000, 1).await;
    let damage = "update games set status = 'running', finished_at = null where id = GAME; \
                  delete from notices where game_id = GAME and kind = 'game_over'";
    // On a cluster notices wait with their game until a worker takes them.
    pippost::store::notices::collect(&app.app.database).await.expect("notices");
    db_plant(&mut superuser, game, damage).await;
    let (_, found) = audit(&app, None, true).await;
    assert_eq!(found.iter().filter(|finding| finding.part == Subject::Outbox).count(), 2, "{found:?}");
    assert!(
        found.iter().any(|finding| finding.what.contains("listed as running and is finished")),
        "{found:?}"
    );
    assert!(found.iter().all(|finding| finding.rebuilt), "{found:?}");
    assert_eq!(audit(&app, None, false).await.1, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_belongs_to_no_game_is_found_and_only_events_are_left_where_they_are() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    let mut superuser = app.db_superuser().await;
    let game = play(&players, "pip-pip", &json!({}), 2, 1).await;
    let damage = "insert into events select gen_random_uuid(), 0, line from events where game_id = GAME and seq = 0; \
        insert into game_states (game_id, seq, head, at, snapshot) values (gen_random_uuid(), 0, '', now(), '{}'); \
        insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at) \
        select gen_random_uuid(), 'turn', id, GAME, 99, now(), 'waiting', now() from players limit 1";
    db_plant(&mut superuser, game, damage).await;
    let (_, found) = audit(&app, None, true).await;
    let parts: Vec<_> = found.iter().map(|finding| (finding.part, finding.rebuilt)).collect();
    assert_eq!(
        parts,
        [(Subject::Orphan, false), (Subject::Orphan, true), (Subject::Outbox, true)],
        "{found:?}"
    );
    let (_, found) = audit(&app, None, false).await;
    assert!(
        matches!(found.as_slice(), [orphan] if orphan.what.contains("there are events of it")),
        "{found:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn guards_of_history_that_are_off_or_changed_are_found() {
    let app = TestApp::start().await;
    let mut own = app.app.database.get().await.expect("the server's own connection");
    assert_eq!(audit(&app, None, false).await.1, []);
    for (damage, mending) in [
        (
            "alter table events disable trigger events_are_final",
            "alter table events enable always trigger events_are_final",
        ),
        (
            "alter table events enable replica trigger events_are_kept",
            "alter table events enable always trigger events_are_kept",
        ),
        (
            "create function nothing() returns trigger language plpgsql as 'begin return null; end'; \
             create or replace trigger events_are_final before update or delete on events for each row execute function nothing()",
            "create or replace trigger events_are_final before update or delete on events for each row \
             execute function refuse_change_of_history(); alter table events enable always trigger events_are_final",
        ),
        (
            "create or replace function refuse_change_of_history() returns trigger language plpgsql as 'begin return new; end'",
            concat!(
                "create or replace function refuse_change_of_history() returns trigger language plpgsql as $$",
                include_str!("../../crates/store/src/guards/refuse_change_of_history.sql"),
                "$$"
            ),
        ),
        (
            "create or replace function guard_archived_games() returns trigger language plpgsql as 'begin return new; end'",
            concat!(
                "create or replace function guard_archived_games() returns trigger language plpgsql as $$",
                include_str!("../../crates/store/src/guards/guard_archived_games.sql"),
                "$$"
            ),
        ),
    ] {
        cluster::run_each(&mut own, damage).await.expect(damage);
        let (_, found) = audit(&app, None, true).await;
        assert!(
            matches!(found.as_slice(), [one] if one.part == Subject::Guard && !one.rebuilt),
            "{damage}: {found:?}"
        );
        cluster::run_each(&mut own, mending).await.expect(mending);
        assert_eq!(audit(&app, None, false).await.1, [], "{mending}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guards_hold_also_in_a_session_that_switches_triggers_off() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    play(&players, "pip-pip", &json!({}), 1, 1).await;
    let mut superuser = app.db_superuser().await;
    for statement in ["update events set line = line", "delete from events", "truncate events"] {
        let unguarded = format!("set session_replication_role = replica; {statement}");
        let refused = superuser.batch_execute(&unguarded).await.expect_err(statement);
        assert!(refused.to_string().contains("events are never changed or removed"), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_know_a_damaged_game_notice_that_it_was_rebuilt() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    let mut superuser = app.db_superuser().await;
    let game = play(&players, "pip-pip", &json!({}), 0, 1).await;
    let path = format!("/api/v1/games/{game}");
    let stale = "create table stale as select snapshot, to_act_seat, to_act_player from game_states where game_id = GAME";
    db_plant(&mut superuser, game, stale).await;
    let view =
        players[0].post(&format!("{path}/moves"), &json!({"notation": "store"})).await.ok()["game"].take();
    let damage = "update game_states set snapshot = stale.snapshot, to_act_seat = stale.to_act_seat, \
                  to_act_player = stale.to_act_player from stale where game_id = GAME";
    db_plant(&mut superuser, game, damage).await;
    // Two servers load the game in its present state: without its last move.
    let (reading, moving) = (app.second().await, app.second().await);
    for server in [&reading, &moving] {
        let wrong = players[0].at(&server.url).get(&path).await.ok();
        assert_ne!(wrong["view"], view["view"]);
        assert_eq!(wrong["seq"], view["seq"]);
    }
    let (summary, _) = audit(&app, Some(game), true).await;
    assert!(summary.rebuilt > 0);
    let right = players[0].at(&reading.url).get(&path).await.ok();
    assert_eq!((&right["view"], &right["to_act"]), (&view["view"], &view["to_act"]));
    // The other server is not asked for a view first: the move itself must find out.
    let seat = usize::try_from(view["to_act"].as_u64().expect("a seat")).expect("a seat");
    let moved =
        players[seat].at(&moving.url).post(&format!("{path}/moves"), &json!({"notation": "store"})).await;
    moved.expect_status(200);
    assert_eq!(audit(&app, None, false).await.1, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_nightly_audit_runs_once_a_day_from_its_hour_on_whatever_the_number_of_processes() {
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    play(&players, "pip-pip", &json!({}), 2, 1).await;
    let other = app.second().await;
    let run = |hour| {
        let games = [app.app.games.clone(), other.app.games.clone(), app.app.games.clone()];
        let run = move |games: pippost::games::Games| async move {
            audit::nightly_audit(&games, hour).await.expect("an audit")
        };
        async move {
            let all = futures_util::future::join_all(games.map(run)).await;
            all.into_iter().flatten().collect::<Vec<_>>()
        }
    };
    assert_eq!(run(13).await, [], "it is noon");
    let audited = run(12).await;
    assert!(matches!(audited.as_slice(), [one] if one.games == 1 && one.findings == 0), "{audited:?}");
    assert_eq!(run(12).await, [], "it is done for today");
    app.app.clock.advance(time::Duration::hours(12));
    assert_eq!(run(3).await, [], "it is midnight");
    app.app.clock.advance(time::Duration::hours(3));
    assert_eq!(run(3).await.len(), 1);
    let newest = audit::newest_audit(&other.app.games).await.expect("a row").expect("an audit");
    other.app.metrics.show_audit(&newest);
    let metrics = other.app.metrics.text();
    for line in ["pippost_audit_games 1", "pippost_audit_findings 0", "pippost_audit_finished_at_seconds 1"] {
        assert!(metrics.contains(line), "{metrics}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_audits_beside_a_running_server_and_its_exit_code_tells() {
    use pippost::store::embedded::EmbeddedSettings;
    let mut server = tokio::task::spawn_blocking(Server::start).await.expect("a server");
    let command = |arguments: &[&str]| {
        let output = server.command(arguments).output().expect("an exit");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    let (code, text) = command(&["audit"]);
    assert_eq!(
        (code, text.as_str()),
        (Some(0), "0 games with 0 events audited: 0 findings, 0 of them rebuilt.\n")
    );
    let settings = EmbeddedSettings::in_folder(server.folder.path().join("data"));
    let url = settings.url_of_running().expect("an address");
    let address = pippost::store::Address::parse(&url, None).expect("an address");
    let mut own = pippost::store::database::open(&address).await.expect("a connection");
    let orphan = "insert into game_states (game_id, seq, head, at, snapshot) values (gen_random_uuid(), 0, '', now(), '{}')";
    own.batch_execute(orphan).await.expect("a orphan row");
    let (code, text) = command(&["audit", "--json"]);
    assert_eq!(code, Some(1), "{text}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&lines[0]["part"], &lines[1]["summary"]["findings"]), (&json!("orphan"), &json!(1)));
    let (code, text) = command(&["audit", "--rebuild"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("no such game (rebuilt)"), "{text}");
    let (code, text) = command(&["audit", "00000000-0000-7000-8000-000000000000"]);
    assert_eq!((code, text.as_str()), (Some(2), ""));
    drop(own);
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
}
