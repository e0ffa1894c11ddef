//! The end of an account, and all that is stored of a player before it.

use std::io::{Cursor, Read};

use diesel::QueryableByName;
use diesel_async::RunQueryDsl;
use pippost::games::clubs::{self, Wanted};
use pippost::games::studies::{self, ToKeep};
use pippost::games::{audit, departing};
use pippost::record::verify;
use pippost::store::moderation::{self, ActKind, Decision};
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use super::{ACCOUNTS, ME, MY_TOKENS, Session, email, log_in, registration};
use support::post::Post;
use support::{Client, PASSWORD, TestApp};

const DELETE: &str = "/api/v1/me/deletion";
const DATA: &str = "/api/v1/me/data.zip";
const REPORTS: &str = "/api/v1/me/reports";

/// Tables in which a text stands in any column; bytes are searched for it, too.
async fn tables_with(app: &TestApp, wanted: &str) -> Vec<String> {
    #[derive(QueryableByName)]
    struct Named {
        #[diesel(sql_type = diesel::sql_types::Text)]
        table_name: String,
    }
    let query = format!(
        "select table_name::text as table_name from information_schema.tables
         where table_schema = 'public' and table_type = 'BASE TABLE' and query_to_xml(format(
            'select 1 as found from %1$I t where to_jsonb(t)::text ilike %2$L or to_jsonb(t)::text ilike %3$L limit 1',
            table_name, '%{wanted}%', '%{}%'), false, true, '')::text like '%found%' order by table_name",
        hex::encode(wanted)
    );
    let found: Vec<Named> =
        diesel::sql_query(query).load(&mut app.db_superuser().await).await.expect("tables");
    found.into_iter().map(|named| named.table_name).collect()
}

async fn new_game(players: &[&Client], seats: usize) -> String {
    let wanted =
        json!({"rules": if seats > 2 { "dominion" } else { "pip-pip" }, "seating": "joined", "seats": seats});
    let created = players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    for player in &players[1..] {
        player.post(&format!("{game}/join"), &json!({})).await.ok();
    }
    game
}

async fn verified(app: &TestApp, game: &str) {
    let record = app.stranger().get(&format!("{game}/record")).await;
    verify(&record.expect_status(200).body).expect("a good record");
}

async fn expect_sound(app: &TestApp) {
    let mut found = Vec::new();
    let mut report = |finding: &audit::Finding| found.push(finding.to_string());
    audit::audit_all(&app.app.games, false, &mut report).await.expect("an audit");
    assert_eq!(found, [""; 0]);
}

/// Ann, who has used whatever there is to use, with her games: finished, running by two and by three, and open.
async fn busy(app: &TestApp, bob: &Client, cat: &Client) -> (Client, [String; 4]) {
    let ann = Session::register(app, "ann").await.client;
    app.db_confirm("ann").await;
    // Invited by her address before, and refused by nobody.
    let finished = new_game(&[&ann, bob], 2).await;
    bob.post(&format!("{finished}/resign"), &json!({})).await.ok();
    let (running, of_three) = (new_game(&[&ann, bob], 2).await, new_game(&[&ann, bob, cat], 3).await);
    let open = new_game(&[&ann, bob], 3).await;
    let address = email("ann");
    for text in [format!("write to {address}"), "hello".to_owned()] {
        ann.post(&format!("{running}/messages"), &json!({"text": text})).await;
    }
    // She reports and is reported, and both reports and what an operator says hold the address.
    let first = bob.get(&format!("{running}/messages")).await.ok()["messages"][0]["id"].clone();
    let id = running.rsplit('/').next();
    let of_her = json!({"game": id, "message": first, "reason": "other", "text": address});
    bob.post(REPORTS, &of_her).await.expect_status(204);
    let reported = moderation::open_reports(&app.app.database, 1).await.expect("reports")[0].id;
    let decision = Decision { kind: ActKind::Warning, words: &address, ends_at: None };
    let now = app.app.clock.now();
    let act = moderation::decide(&app.app.database, reported, &decision, now).await.expect("a decision");
    let player = app.app.accounts.player_named("ann").await.expect("herself").id;
    let appealed = moderation::appeal(&app.app.database, act.expect("an act"), player, &address).await;
    assert!(appealed.expect("an answer"));
    ann.post(REPORTS, &json!({"handle": "bob", "reason": "other", "text": address})).await.expect_status(204);
    app.app.accounts.mute_player(player, "cat").await.expect("muted");
    ann.put("/api/v1/me/following/cat", &json!({})).await.expect_status(204);
    let favourite = finished.replace("/games/", "/me/favourites/");
    ann.put(&favourite, &json!({})).await.expect_status(204);
    let study = ToKeep {
        seq: None,
        line: Vec::new(),
        title: address.clone(),
        comment: format!("from {address}"),
        listed: true,
    };
    let studied = finished.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id");
    studies::keep(&app.app.games, player, studied, study, None).await.expect("a study");
    clubs_of(app, player).await;
    ann.post(MY_TOKENS, &json!({"name": address, "scopes": ["read"]})).await.expect_status(201);
    let app_of_hers = json!({"name": address, "homepage": "https://example.org/", "redirect_uris": ["https://example.org/done"]});
    ann.post("/api/v1/me/apps", &app_of_hers).await.expect_status(201);
    ann.patch("/api/v1/me/notification-preferences", &json!({"language": "de"})).await.ok();
    let days = json!({"first_day": "2026-12-01", "last_day": "2026-12-03"});
    ann.post("/api/v1/me/holidays", &days).await;
    ann.patch(ME, &json!({"email": "ann.new@example.org", "password": PASSWORD})).await.ok();
    (ann, [finished, running, of_three, open])
}

/// Two clubs of ann's with the address in their texts; of one cat is a member, too.
async fn clubs_of(app: &TestApp, ann: Uuid) {
    let (games, cat) = (&app.app.games, app.app.accounts.player_named("cat").await.expect("a player").id);
    for name in ["Ann and cat", "Ann alone"] {
        let wanted = Wanted { name: name.to_owned(), about: email("ann"), open: true };
        let prepared = clubs::prepare(games, ann, &wanted).await.expect("a possible club");
        let club = clubs::make(games, &prepared, None).await.expect("a club");
        if name == "Ann and cat" {
            clubs::join(games, club, cat).await.expect("a member");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_deleted_account_nothing_is_left_but_the_handle_in_games_that_stay_whole() {
    let app = TestApp::start().await;
    let post = Post::of(&app);
    let (bob, cat) = (app.player("bob").await, app.player("cat").await);
    // An invitation to her address, from before she had an account.
    let invited = new_game(&[&bob], 2).await;
    bob.post(&format!("{invited}/invitations"), &json!({"email": "Ann@example.org"})).await;
    let (ann, games) = busy(&app, &bob, &cat).await;
    let other = Session::log_in(&app, "ann", PASSWORD).await;
    post.send().await;
    assert!(tables_with(&app, "ann@example.org").await.len() > 3, "the search finds what is there");

    ann.post(DELETE, &json!({"password": "not her password"})).await.problem(403, "wrong_credentials");
    ann.get(ME).await.ok();
    ann.post(DELETE, &json!({"password": PASSWORD})).await.expect_status(204);

    let kept = "select count(*) as number from moderation_acts where kind = 'warning' and reason = 'other' and subject_id is null";
    assert_eq!(app.db_count(kept).await, 1, "the public log keeps that somebody was warned");
    assert_eq!(app.db_count("select count(*) as number from muted_players").await, 0);
    let cats_club = clubs::show(&app.app.games, "ann and cat", None).await.expect("it goes on").row;
    assert_eq!((cats_club.writer.as_str(), cats_club.head.members), ("cat", 1));
    assert_eq!(app.db_count("select count(*) as number from club_members where role = 'owner'").await, 1);
    assert_eq!(app.db_count("select count(*) as number from clubs").await, 1, "nobody else was in the other");
    let waiting = moderation::open_reports(&app.app.database, 9).await.expect("reports");
    assert_eq!(waiting.len(), 1, "what waits for a decision about bob");
    assert_eq!((waiting[0].reporter_id, waiting[0].text.as_str()), (None, ""));
    assert_eq!(app.db_count("select count(*) as number from reports").await, 1, "and no other");
    for trace in ["ann@example.org", "ann.new@example.org"] {
        assert_eq!(tables_with(&app, trace).await, [""; 0], "{trace}");
    }
    ann.get(ME).await.problem(401, "session_revoked");
    other.client.get(ME).await.problem(401, "session_revoked");
    other.refresh(&app).await.problem(403, "refresh_refused");
    for login in ["ann", "ann@example.org"] {
        log_in(&app, login, PASSWORD).await.problem(403, "wrong_credentials");
    }
    app.stranger().get("/api/v1/players/ann").await.problem(404, "not_found");
    app.stranger().post(ACCOUNTS, &registration("ann")).await.problem(409, "handle_taken");

    // Her opponents have won or play on, and every record is whole.
    let [finished, running, of_three, open] = &games;
    let end = app.stranger().get(running).await.ok();
    assert_eq!((&end["status"], &end["result"]["places"]), (&json!("finished"), &json!([2, 1])));
    let goes_on = app.stranger().get(of_three).await.ok();
    assert_eq!((&goes_on["status"], &goes_on["players"][0]["left"]), (&json!("running"), &json!(true)));
    assert_eq!(app.stranger().get(open).await.ok()["players"].as_array().map(Vec::len), Some(1));
    for game in [finished, running, of_three] {
        verified(&app, game).await;
        assert_eq!(app.stranger().get(game).await.ok()["players"][0]["handle"], "ann");
    }
    let said = bob.get(&format!("{running}/messages")).await.ok();
    assert_eq!(said["messages"], json!([]));

    // The worker comes when no process trusts a token of hers any more, and finds nothing more to do.
    assert_eq!(departing::finish(&app.app.games).await.expect("a step"), 0);
    app.app.clock.advance(Duration::minutes(2));
    assert_eq!(departing::finish(&app.app.games).await.expect("a step"), 1);
    assert_eq!(departing::finish(&app.app.games).await.expect("a step"), 0);
    let before = post.all("ann").await.len();
    let legal = bob.get(&format!("{of_three}/actions")).await.ok();
    if legal["my_turn"] == true {
        bob.post(&format!("{of_three}/moves"), &json!({"actions": [legal["actions"][0]]})).await;
    }
    bob.post(&format!("{of_three}/resign"), &json!({})).await.ok();
    assert_eq!(post.all("ann").await.len(), before, "no mail goes to her any more");
    expect_sound(&app).await;

    // The address is free, the handle is not.
    let again = json!({"handle": "ann-again", "email": "ann@example.org", "password": PASSWORD});
    app.stranger().post(ACCOUNTS, &again).await.expect_status(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_session_deletes_an_account_and_more_games_than_one_request_leaves_are_left_by_the_worker() {
    let app = TestApp::start().await;
    let (ann, bob) = (Session::register(&app, "ann").await.client, app.player("bob").await);
    app.db_confirm("ann").await;
    let token = super::personal_token(&ann, &["read", "play", "manage"]).await;
    token.post(DELETE, &json!({"password": PASSWORD})).await.problem(403, "missing_scope");
    token.get(DATA).await.problem(403, "missing_scope");
    app.stranger().post(DELETE, &json!({"password": PASSWORD})).await.problem(401, "unauthenticated");
    let game = new_game(&[&ann, &bob], 2).await;
    ann.post(DELETE, &json!({"password": PASSWORD})).await.expect_status(204);
    assert_eq!(app.stranger().get(&game).await.ok()["status"], "finished");
    // What a request that was under way has written meanwhile goes, too.
    let late = "insert into private_notes (game_id, player_id, text, updated_at)
                select game_id, player_id, 'late', now() from game_players join players p on p.id = player_id where p.handle = 'ann'";
    diesel::sql_query(late).execute(&mut app.db_superuser().await).await.expect("a row");
    app.app.clock.advance(Duration::minutes(2));
    assert_eq!(departing::finish(&app.app.games).await.expect("a step"), 1);
    assert_eq!(app.db_count("select count(*) as number from private_notes").await, 0);
}

/// The lines of a file of the archive.
fn lines(archive: &mut zip::ZipArchive<Cursor<&[u8]>>, name: &str) -> Vec<Value> {
    let mut text = String::new();
    archive.by_name(name).expect("an entry").read_to_string(&mut text).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_gets_all_that_is_stored_in_one_file_and_no_secret() {
    let app = TestApp::start().await;
    let (bob, cat) = (app.player("bob").await, app.player("cat").await);
    let (ann, games) = busy(&app, &bob, &cat).await;
    bob.post(&format!("{}/messages", games[1]), &json!({"text": "his own words"})).await;
    let answer = ann.get(DATA).await;
    assert_eq!(answer.expect_status(200).headers["content-type"], "application/zip");
    let mut archive = zip::ZipArchive::new(Cursor::new(answer.body.as_slice())).expect("an archive");
    let account = lines(&mut archive, "account.ndjson");
    assert_eq!((&account[0]["handle"], &account[0]["email"]), (&json!("ann"), &json!("ann@example.org")));
    assert_eq!(lines(&mut archive, "preferences.ndjson")[0]["language"], "de");
    assert_eq!(lines(&mut archive, "games.ndjson").len(), 4);
    let said: Vec<_> = lines(&mut archive, "messages.ndjson");
    assert_eq!(
        said.iter().map(|one| &one["text"]).collect::<Vec<_>>(),
        ["write to ann@example.org", "hello"]
    );
    assert_eq!(lines(&mut archive, "reports.ndjson")[0]["text"], "ann@example.org");
    let about = &lines(&mut archive, "moderation.ndjson")[0];
    assert_eq!((&about["kind"], &about["evidence"]), (&json!("warning"), &json!("write to ann@example.org")));
    for part in ["muted-players", "followed-players", "favourite-games"] {
        assert_eq!(lines(&mut archive, &format!("{part}.ndjson")).len(), 1, "{part}");
    }
    let study = &lines(&mut archive, "studies.ndjson")[0];
    let written = (&study["title"], &study["comments"][0]);
    assert_eq!(written, (&json!("ann@example.org"), &json!("from ann@example.org")));
    let clubs = lines(&mut archive, "clubs.ndjson");
    assert_eq!(clubs.iter().filter(|club| club["role"] == "owner").count(), 2, "{clubs:?}");
    assert_eq!(lines(&mut archive, "clubs-written.ndjson")[1]["about"], "ann@example.org");
    assert_eq!(lines(&mut archive, "tokens.ndjson").len(), 1);
    assert_eq!(lines(&mut archive, "holidays.ndjson")[0]["first_day"], "2026-12-01");
    let mut everything = String::new();
    let names: Vec<_> = archive.file_names().map(|name| name.expect("a name").into_owned()).collect();
    for name in &names {
        let mut text = String::new();
        archive.by_name(name).expect("an entry").read_to_string(&mut text).expect("text");
        if name.starts_with("pip-pip-") || name.starts_with("dominion-") {
            verify(text.as_bytes()).expect("a good record");
        } else {
            everything.push_str(&text);
        }
    }
    assert_eq!(names.iter().filter(|name| name.ends_with(".ndjson") && name.len() > 40).count(), 3);
    for secret in ["password_hash", "token_hash", "sealed", "$argon2id", "his own words"] {
        assert!(!everything.contains(secret), "{secret}: {everything}");
    }
    app.stranger().get(DATA).await.problem(401, "unauthenticated");
}
