//! The examples of the OpenAPI document are what a server answers: a test asks for every operation, with everything fixed that is
//! random elsewhere, and compares with `openapi/examples.json`. `PIPPOST_WRITE_EXAMPLES=1` writes the file anew.

mod book;
mod document;

use diesel_async::SimpleAsyncConnection;
use pippost::record::Master;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use self::book::Book;
use support::client::Client;
use support::hooks::{deliver, worker};
use support::post::Post;
use support::receiver::{Behavior, Receiver, sender};
use support::{INBOUND_SECRET, METRICS_TOKEN, PASSWORD, TestApp, apps, cluster};

/// The games of the examples, and their secret.
const GAME: Uuid = Uuid::from_u128(0x01a1_fe2a_89df_7515_9c5d_9fde_9682_8ff2);
const RESIGNED: Uuid = Uuid::from_u128(0x01a1_fe2a_89df_7515_9c5d_9fde_9682_8ff3);
const HANDED_OVER: Uuid = Uuid::from_u128(0x01a1_fe2a_89df_7515_9c5d_9fde_9682_8ff4);
const MASTER: [u8; 32] = [7; 32];

/// Gives an open game the id and the secret of the examples.
async fn db_fix(app: &TestApp, id: &str, game: Uuid) {
    let master = Master::from_bytes(MASTER);
    let sealed = hex::encode(app.app.secret.seal(game, &MASTER));
    let commitment = hex::encode(master.commitment(game).as_bytes());
    let mut superuser = app.db_superuser().await;
    // Copied, because a cluster moves no row from one shard to another.
    let script = format!(
        "create temporary table game as select * from games where id = '{id}';
         create temporary table players_of as select * from game_players where game_id = '{id}';
         delete from game_players where game_id = '{id}';
         delete from games where id = '{id}';
         update game set id = '{game}', commitment = '\\x{commitment}', master_sealed = '\\x{sealed}';
         update players_of set game_id = '{game}';
         insert into games select * from game;
         insert into game_players select * from players_of;
         drop table game, players_of;"
    );
    cluster::run_each(&mut superuser, &script).await.expect("a game with a fixed secret");
}

/// A rating of ann.
async fn db_rate(app: &TestApp) {
    let row = "insert into player_ratings select id, 'people', 'pip-pip', 'slow', '2026-11-20', 1612345, 89012, 59998765, 12, true \
         from players where handle = 'ann'";
    app.db_superuser().await.batch_execute(row).await.expect("a row");
}

fn api(path: &str) -> String {
    format!("/api/v1{path}")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_examples_of_the_document_are_what_a_server_answers() {
    let app = TestApp::with_sender(sender()).await;
    let played_in = TestApp::sandbox().await;
    let urls = [app.url.clone(), app.app.public_url.clone(), played_in.url.clone()];
    let hook = Receiver::start();
    let receiver = hook.url.clone();
    let mut book = Book::new(receiver, urls);
    let ann = accounts(&app, &mut book).await;
    let bob = app.player("bob").await;
    lobby(&app, &mut book, &ann, &bob).await;
    play(&app, &mut book, &ann, &bob).await;
    history(&mut book, &ann, &bob).await;
    of_webhooks(&app, &mut book, [&ann, &bob], &hook).await;
    operations(&app, &mut book).await;
    endings(&app, &mut book, &ann, &bob).await;
    ladder(&mut book, &ann, &bob).await;
    study(&mut book, &ann).await;
    resets(&app, &mut book, &ann).await;
    sandbox(&played_in, &mut book).await;
    book.compare();
}

async fn accounts(app: &TestApp, book: &mut Book) -> Client {
    let stranger = app.stranger();
    let new = json!({"handle": "ann", "email": "ann@example.org", "password": PASSWORD});
    book.ask(&stranger, "register", &api("/accounts"), Some(new)).await;
    let logged_in = book
        .ask(&stranger, "log_in", &api("/sessions"), Some(json!({"login": "ann", "password": PASSWORD})))
        .await;
    let logged_in = logged_in.json();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let refresh = json!({"refresh_token": logged_in["refresh_token"]});
    let fresh = book.ask(&stranger, "refresh_session", &api("/sessions/refresh"), Some(refresh)).await.json();
    let ann = Client::new(&app.url, Some(text(&fresh["access_token"])));
    book.ask(&ann, "resend_confirmation", &api("/email/resend"), None).await;
    let mails = Post::of(app).all("ann").await;
    let link =
        mails.iter().find_map(|mail| mail.text.lines().find(|line| line.contains("token="))).expect("a link");
    let token = link.trim().split("token=").nth(1).expect("a token").to_owned();
    book.ask(&stranger, "confirm_email", &api("/email/confirm"), Some(json!({"token": token}))).await;
    book.ask(&ann, "show_me", &api("/me"), None).await;
    book.ask(&ann, "change_me", &api("/me"), Some(json!({"mail_enabled": true}))).await;
    book.ask(&stranger, "show_player", &api("/players/ann"), None).await;
    let wanted = json!({"name": "my bot", "scopes": ["read", "play"], "expires_in_days": 30});
    let made = book.ask(&ann, "create_token", &api("/me/tokens"), Some(wanted)).await.json();
    book.ask(&ann, "list_tokens", &api("/me/tokens"), None).await;
    book.ask(&ann, "revoke_token", &api(&format!("/me/tokens/{}", text(&made["id"]))), None).await;
    of_apps(app, book, &ann).await;
    let preferences = api("/me/notification-preferences");
    book.ask(&ann, "show_notification_preferences", &preferences, None).await;
    let quiet = json!({"zone": "Europe/Berlin", "quiet_hours": {"from": "22:00", "until": "07:30"}});
    book.ask(&ann, "change_notification_preferences", &preferences, Some(quiet)).await;
    book.ask(&ann, "list_push_subscriptions", &api("/me/push-subscriptions"), None).await;
    // The keys are those of RFC 8291.
    let browser = json!({
        "endpoint": "https://push.example.net/send/3f1c",
        "keys": {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
        "label": "Firefox, Linux",
    });
    let told =
        book.ask(&ann, "subscribe_to_push", &api("/me/push-subscriptions"), Some(browser)).await.json();
    let told = api(&format!("/me/push-subscriptions/{}", text(&told["id"])));
    book.ask(&ann, "unsubscribe_from_push", &told, None).await;
    book.ask(&ann, "show_wishes", &api("/me/wishes"), None).await;
    let gone = app.player("zoe").await;
    book.ask(&gone, "delete_account", &api("/me/deletion"), Some(json!({"password": PASSWORD}))).await;
    let changed = json!({"current_password": PASSWORD, "new_password": "another long password"});
    book.ask(&ann, "change_password", &api("/me/password"), Some(changed)).await;
    ann
}

async fn of_apps(app: &TestApp, book: &mut Book, ann: &Client) {
    let wanted = json!({"name": "Board at hand", "homepage": "https://app.example.org/",
        "redirect_uris": ["https://app.example.org/done", "http://127.0.0.1/done"]});
    let made = book.ask(ann, "register_app", &api("/me/apps"), Some(wanted)).await.json();
    let id = made["id"].as_str().expect("an id").to_owned();
    book.ask(ann, "list_registered_apps", &api("/me/apps"), None).await;
    book.ask_by_form(app, "give_device_codes", &[("client_id", &id), ("scope", "read play")]).await;
    let code = apps::code(app, &id, "read play", "ann").await;
    let form = apps::exchange(&id, &code);
    let tokens = book.ask_by_form(app, "give_app_tokens", &form).await.json();
    apps::client(app, &tokens).get(&api("/me")).await.ok();
    let listed = book.ask(ann, "list_app_grants", &api("/me/grants"), None).await.json();
    let token = tokens["access_token"].as_str().expect("a token");
    book.ask_by_form(app, "revoke_app_token", &[("client_id", &id), ("token", token)]).await;
    apps::tokens(app, &id, "read", "ann").await;
    let again = ann.get(&api("/me/grants")).await.ok();
    assert_ne!(listed["grants"][0]["id"], again["grants"][0]["id"]);
    let grant = again["grants"][0]["id"].as_str().expect("an id").to_owned();
    book.ask(ann, "revoke_app_grant", &api(&format!("/me/grants/{grant}")), None).await;
    book.ask(ann, "remove_app", &api(&format!("/me/apps/{id}")), None).await;
}

async fn lobby(app: &TestApp, book: &mut Book, ann: &Client, bob: &Client) {
    let rules = book.ask(&app.stranger(), "list_rules", &api("/rules"), None).await.json();
    let name = rules["rules"][0]["name"].as_str().expect("a name").to_owned();
    book.ask(&app.stranger(), "show_rules", &api(&format!("/rules/{name}")), None).await;
    book.ask(&app.stranger(), "list_time_controls", &api("/time-controls"), None).await;
    let wanted = json!({"rules": name, "seating": "joined", "limit_hours": 72});
    let other = ann.post(&api("/games"), &wanted).await.expect_status(201).json();
    let other = other["id"].as_str().expect("an id").to_owned();
    let to_bob = json!({"handle": "bob"});
    ann.post(&api(&format!("/games/{other}/invitations")), &to_bob).await.expect_status(202);
    book.ask(bob, "decline_invitation", &api(&format!("/me/invitations/{other}")), None).await;
    book.ask(ann, "leave_game", &api(&format!("/games/{other}/leave")), None).await;
    let created = book.ask(ann, "create_game", &api("/games"), Some(wanted)).await.json();
    db_fix(app, created["id"].as_str().expect("an id"), GAME).await;
    let game = api(&format!("/games/{GAME}"));
    book.ask(ann, "set_entropy", &format!("{game}/entropy"), Some(json!({"entropy": "six dice on my desk"})))
        .await;
    book.ask(ann, "invite", &format!("{game}/invitations"), Some(to_bob)).await;
    book.ask(bob, "list_invitations", &api("/me/invitations"), None).await;
    book.ask(bob, "show_chances", &format!("{game}/chances"), None).await;
    book.ask(bob, "join_game", &format!("{game}/join"), Some(json!({"entropy": "a window"}))).await;
    book.ask(&app.stranger(), "list_games", &api("/games?list=running"), None).await;
    club(app, book, ann, bob).await;
    db_rate(app).await;
    let asked = "rules=pip-pip&pace=slow";
    book.ask(ann, "list_ratings", &api(&format!("/ratings?{asked}")), None).await;
    book.ask(ann, "list_ratings_of_player", &api(&format!("/players/ann/ratings?{asked}")), None).await;
    tournament(book, ann, bob).await;
    book.ask(&app.stranger(), "list_games_of_player", &api("/players/ann/games?status=running"), None).await;
    book.ask(bob, "next_game", &api("/me/next"), None).await;
}

async fn tournament(book: &mut Book, ann: &Client, bob: &Client) {
    let wanted = json!({
        "title": "Winter 2026", "rules": "pip-pip", "kind": "swiss", "most_players": 16, "time_control": {"limit_hours": 72},
    });
    let created = book.ask(ann, "create_tournament", &api("/tournaments"), Some(wanted)).await.json();
    let path = api(&format!("/tournaments/{}", created["id"].as_str().expect("an id")));
    book.ask(bob, "enter_tournament", &format!("{path}/enter"), Some(json!({"club": null}))).await;
    book.ask(bob, "show_tournament", &path, None).await;
    book.ask(bob, "withdraw_from_tournament", &format!("{path}/withdraw"), None).await;
    book.ask(ann, "cancel_tournament", &format!("{path}/cancel"), None).await;
    book.ask(bob, "follow_tournament", &format!("{path}/feed"), None).await;
    book.keep_streams(bob, "follow_tournament", &format!("{path}/feed")).await;
    book.ask(bob, "list_tournaments", &api("/tournaments?status=running"), None).await;
}

async fn ladder(book: &mut Book, ann: &Client, bob: &Client) {
    let path = api("/ladders/pip-pip");
    ann.post(&format!("{path}/join"), &json!({})).await.expect_status(204);
    book.ask(bob, "join_ladder", &format!("{path}/join"), None).await;
    book.ask(bob, "challenge_on_ladder", &format!("{path}/challenges/ann"), None).await;
    book.ask(ann, "list_ladders", &api("/ladders"), None).await;
    book.ask(ann, "show_ladder", &path, None).await;
    let game = book.ask(ann, "accept_challenge", &format!("{path}/challenges/bob/accept"), None).await.json();
    let game = api(&format!("/games/{}", game["id"].as_str().expect("an id")));
    ann.post(&format!("{game}/abort"), &json!({"expected_seq": 0})).await.ok();
    book.ask(bob, "leave_ladder", &format!("{path}/leave"), None).await;
}

async fn club(app: &TestApp, book: &mut Book, ann: &Client, bob: &Client) {
    let wanted = json!({"name": "Evening dice", "about": "One turn a day, after supper.", "open": true});
    let made = book.ask(ann, "make_club", &api("/clubs"), Some(wanted.clone())).await.json();
    let path = api(&format!("/clubs/{}", made["id"].as_str().expect("an id")));
    book.ask(bob, "join_club", &format!("{path}/join"), None).await;
    book.ask(ann, "list_own_clubs", &api("/me/clubs"), None).await;
    book.ask(ann, "show_club", &path, None).await;
    let second = Some(json!({"act": "name_owner"}));
    book.ask(ann, "act_on_member", &format!("{path}/members/bob"), second).await;
    book.ask(bob, "list_clubs", &api("/clubs"), None).await;
    book.ask(&app.stranger(), "list_games_of_club", &format!("{path}/games"), None).await;
    book.ask(bob, "leave_club", &format!("{path}/leave"), None).await;
    book.ask(ann, "change_club", &path, Some(wanted)).await;
    book.ask(ann, "close_club", &path, None).await;
}

async fn study(book: &mut Book, ann: &Client) {
    let of_game = api(&format!("/games/{RESIGNED}/studies"));
    let legal = ann.post(&api(&format!("/games/{RESIGNED}/analysis")), &json!({"seq": 0})).await.ok();
    let line = json!([{"notation": legal["notation"][0]}]);
    let wanted = json!({"seq": 0, "line": line, "title": "Another beginning", "comment": "I would play on.", "listed": true});
    let kept = book.ask(ann, "keep_study", &of_game, Some(wanted)).await.json();
    let path = api(&format!("/studies/{}", kept["id"].as_str().expect("an id")));
    book.ask(ann, "list_studies", &api("/studies"), None).await;
    book.ask(ann, "list_studies_of_game", &of_game, None).await;
    book.ask(ann, "list_own_studies", &api("/me/studies"), None).await;
    book.ask(ann, "show_study", &path, None).await;
    let changed = json!({"comment": "This is where it went wrong.", "at": 0});
    book.ask(ann, "change_study", &path, Some(changed)).await;
    book.ask(ann, "delete_study", &path, None).await;
}

async fn play(app: &TestApp, book: &mut Book, ann: &Client, bob: &Client) {
    let game = api(&format!("/games/{GAME}"));
    book.ask(ann, "view_game", &game, None).await;
    let legal = book.ask(ann, "legal_actions", &format!("{game}/actions"), None).await.json();
    let action =
        legal["actions"].as_array().into_iter().flatten().find(|action| action.get("choose").is_none());
    let body = json!({"actions": [action.expect("an action")], "expected_seq": legal["seq"]});
    book.ask(ann, "preview_move", &format!("{game}/preview"), Some(body.clone())).await;
    let moved = book.ask(ann, "make_move", &format!("{game}/moves"), Some(body)).await.json();
    let receipt = json!({"receipt": moved["receipts"][0]});
    book.ask(&app.stranger(), "check_receipt", &api("/receipts"), Some(receipt)).await;
    for (operation, end) in [("board_text", "txt"), ("board_svg", "svg"), ("board_png", "png")] {
        book.ask(ann, operation, &format!("{game}/board.{end}"), None).await;
    }
    let said = Some(json!({"text": "Good luck!"}));
    book.ask(ann, "say_message", &format!("{game}/messages"), said).await;
    book.ask(bob, "list_messages", &format!("{game}/messages"), None).await;
    let own = format!("{game}/notification-preferences");
    book.ask(ann, "show_game_notification_preferences", &own, None).await;
    let set = Some(json!({"turns": "each", "reminders": true}));
    book.ask(ann, "set_game_notification_preferences", &own, set).await;
    book.ask(ann, "show_clock", &format!("{game}/clock"), None).await;
    standing_orders(book, bob).await;
    calendar(book, ann).await;
    agreements(book, ann, bob).await;
}

async fn standing_orders(book: &mut Book, bob: &Client) {
    let path = api(&format!("/games/{GAME}/standing-orders"));
    let branches = json!([{"if": ["pass"], "then": ["turn"], "next": [{"then": ["pass"]}]}]);
    let wanted = json!({"only_legal": true, "branches": branches});
    book.ask(bob, "give_standing_orders", &path, Some(wanted)).await;
    book.ask(bob, "show_standing_orders", &path, None).await;
    book.ask(bob, "cancel_standing_orders", &path, None).await;
}

async fn agreements(book: &mut Book, ann: &Client, bob: &Client) {
    let game = api(&format!("/games/{GAME}"));
    let view = ann.get(&game).await.ok();
    // Time is given to the turn of the seat to act.
    let giver = if view["to_act"] == view["my_seat"] { bob } else { ann };
    let gift = json!({"to": view["to_act"], "hours": 24, "line": 0});
    book.ask(giver, "give_time", &format!("{game}/gifts"), Some(gift)).await;
    let pause = Some(json!({"until": "2026-11-27T18:00:00Z"}));
    book.ask(ann, "propose_pause", &format!("{game}/pause"), pause.clone()).await;
    book.ask(bob, "decline_pause", &format!("{game}/pause/decline"), pause.clone()).await;
    ann.post(&format!("{game}/pause"), pause.as_ref().expect("a body")).await.ok();
    book.ask(bob, "agree_to_pause", &format!("{game}/pause/agree"), pause).await;
}

/// A seat is offered and taken in a game of three.
async fn substitutes(app: &TestApp, book: &mut Book, ann: &Client, bob: &Client) {
    let wanted = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined", "limit_hours": 72, "substitutes": true});
    let created = ann.post(&api("/games"), &wanted).await.expect_status(201).json();
    db_fix(app, created["id"].as_str().expect("an id"), HANDED_OVER).await;
    let game = api(&format!("/games/{HANDED_OVER}"));
    let (carol, dave) = (app.player("carol").await, app.player("dave").await);
    for player in [bob, &carol] {
        player.post(&format!("{game}/join"), &json!({})).await.ok();
    }
    book.ask(ann, "offer_seat", &format!("{game}/offer"), None).await;
    book.ask(&dave, "take_seat", &format!("{game}/substitute"), Some(json!({"seat": 0}))).await;
}

async fn calendar(book: &mut Book, ann: &Client) {
    book.ask(ann, "show_calendar", &api("/me/calendar"), None).await;
    let night = json!({"from": "22:00", "until": "07:00"});
    let wanted = json!({"zone": "Europe/Berlin", "night": night, "rest_days": [6, 7]});
    book.ask(ann, "set_calendar", &api("/me/calendar"), Some(wanted)).await;
    let holiday = json!({"first_day": "2026-12-24", "last_day": "2026-12-31"});
    book.ask(ann, "book_holiday", &api("/me/holidays"), Some(holiday)).await;
    book.ask(ann, "list_holidays", &api("/me/holidays"), None).await;
    book.ask(ann, "set_automatic_holiday", &api("/me/automatic-holiday"), Some(json!({"days": 3}))).await;
    book.ask(ann, "show_automatic_holiday", &api("/me/automatic-holiday"), None).await;
}

async fn history(book: &mut Book, ann: &Client, bob: &Client) {
    let game = api(&format!("/games/{GAME}"));
    book.ask(ann, "list_events", &format!("{game}/events?limit=1"), None).await;
    book.ask(ann, "follow_game", &format!("{game}/feed?after={GAME}:0"), None).await;
    // A linter takes null for no game of any rule set.
    let page = &mut book.seen.get_mut("follow_game").expect("kept")["answers"]["200"];
    assert_eq!(page.as_object_mut().expect("a page").remove("game"), Some(json!(null)));
    book.keep_streams(ann, "follow_game", &format!("{game}/feed?after={GAME}:0")).await;
    let mine = api(&format!("/me/feed?after={GAME}:1&limit=1"));
    book.ask(ann, "follow_my_games", &mine, None).await;
    book.keep_streams(ann, "follow_my_games", &api(&format!("/me/feed?after={GAME}:0"))).await;
    book.ask(ann, "replay_game", &format!("{game}/replay?limit=1"), None).await;
    book.ask(ann, "list_choices", &format!("{game}/choices?seq=0"), None).await;
    let line = json!({"seq": 0, "line": []});
    book.ask(ann, "analyse_game", &format!("{game}/analysis"), Some(line)).await;
    book.ask(bob, "show_news", &format!("{game}/news"), None).await;
    book.ask(ann, "list_mails", &api("/me/mails"), None).await;
    let report =
        json!({"handle": "bob", "reason": "stalling", "text": "Waits until the last hour of each turn."});
    let followed = api("/me/following/bob");
    book.ask(ann, "follow_player", &followed, None).await;
    let favourite = api(&format!("/me/favourites/{GAME}"));
    book.ask(ann, "mark_favourite", &favourite, None).await;
    book.ask(ann, "show_following", &api("/me/following"), None).await;
    book.ask(ann, "unfollow_player", &followed, None).await;
    book.ask(ann, "unmark_favourite", &favourite, None).await;
    book.ask(ann, "report_player", &api("/me/reports"), Some(report)).await;
}

async fn of_webhooks(app: &TestApp, book: &mut Book, [ann, bob]: [&Client; 2], receiver: &Receiver) {
    let wanted = json!({"url": receiver.url, "kinds": ["turn", "game_over"]});
    let made = book.ask(ann, "register_webhook", &api("/me/webhooks"), Some(wanted)).await.json();
    let path = api(&format!("/me/webhooks/{}", made["id"].as_str().expect("an id")));
    book.ask(ann, "challenge_webhook", &format!("{path}/challenge"), None).await;
    book.ask(ann, "list_webhooks", &api("/me/webhooks"), None).await;
    book.ask(ann, "list_webhook_deliveries", &format!("{path}/deliveries"), None).await;
    receiver.behave(Behavior::IgnoringChallenges);
    receiver.got();
    ann.post(&format!("{path}/challenge"), &json!({})).await.ok();
    let challenge = receiver.got()[0].json();
    book.keep_sent("receive_challenge", challenge.clone());
    let met = json!({"challenge": challenge["data"]["challenge"]});
    book.seen.get_mut("receive_challenge").expect("kept")["answers"] =
        json!({"200": book.fixed("", met.clone())});
    book.ask(ann, "verify_webhook", &format!("{path}/verify"), Some(met)).await;
    book.ask(ann, "change_webhook", &path, Some(json!({"game": GAME}))).await;
    book.ask(ann, "show_webhook", &path, None).await;
    book.ask(ann, "rotate_webhook_secret", &format!("{path}/secret"), None).await;
    let event = Some(json!({"event": format!("{GAME}:1")}));
    book.ask(ann, "redeliver_webhook_event", &format!("{path}/redeliver"), event).await;
    ann.patch(&path, &json!({"kinds": ["event"]})).await.ok();
    receiver.got();
    ann.post(&format!("{path}/redeliver"), &json!({"event": format!("{GAME}:1")})).await.ok();
    book.keep_sent("receive_message", receiver.got()[0].json());
    ann.patch(&path, &json!({"kinds": ["message"]})).await.ok();
    bob.post(&api(&format!("/games/{GAME}/messages")), &json!({"text": "Well played!"}))
        .await
        .expect_status(201);
    deliver(&worker(app)).await;
    book.keep_sent("receive_said", receiver.got()[0].json());
    book.ask(ann, "remove_webhook", &path, None).await;
}

async fn operations(app: &TestApp, book: &mut Book) {
    let stranger = app.stranger();
    book.ask(&stranger, "alive", "/healthz", None).await;
    book.ask(&stranger, "ready", "/readyz", None).await;
    book.ask(&stranger, "show_keys", "/.well-known/jwks.json", None).await;
    let metadata = "/.well-known/oauth-authorization-server";
    book.ask(&stranger, "show_oauth_metadata", metadata, None).await;
    book.ask(&stranger, "show_resource_metadata", "/.well-known/oauth-protected-resource", None).await;
    let operator = Client::new(&app.url, Some(METRICS_TOKEN.to_owned()));
    operator.get("/metrics").await.expect_status(200);
    let lines = "# HELP pippost_http_requests_in_flight Requests that are being answered.\n\
                 # TYPE pippost_http_requests_in_flight gauge\npippost_http_requests_in_flight 1\n";
    assert!(operator.get("/metrics").await.text().contains("# TYPE pippost_http_requests_in_flight gauge"));
    book.seen.insert("numbers".to_owned(), json!({"answers": {"200": lines}}));
    let mail = "From: Ann <ann@example.org>\r\nTo: play@example.org\r\nSubject: help\r\nMessage-ID: <1@example.org>\r\n\r\nhelp\r\n";
    let headers = [("Content-Type", "message/rfc822"), ("X-Inbound-Secret", INBOUND_SECRET)];
    let answer = stranger.send(Method::POST, &api("/inbound/mail"), Some(mail.to_owned()), &headers).await;
    answer.expect_status(200);
    book.keep("receive_mail", Some(mail.into()), &answer);
}

async fn sandbox(app: &TestApp, book: &mut Book) {
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": pippost::rules::sample_name(), "seating": "joined"});
    let game = ann.post(&api("/games"), &wanted).await.expect_status(201).json();
    let join = api(&format!("/games/{}/join", game["id"].as_str().expect("an id")));
    bob.post(&join, &json!({})).await.expect_status(200);
    let carol = app.unconfirmed_player("carol").await;
    book.ask(&carol, "list_sandbox_mails", &api("/sandbox/mails"), None).await;
    book.ask(&app.stranger(), "show_sandbox_clock", &api("/sandbox/clock"), None).await;
    // Several are sent at once, so which is the newest is not certain.
    let mails = ann.get(&api("/sandbox/mails")).await.ok();
    let mail = mails["mails"].as_array().expect("a list").iter().find(|mail| mail["kind"] == "turn");
    let mail = api(&format!("/sandbox/mails/{}", mail.expect("a turn")["id"].as_str().expect("an id")));
    book.ask(&ann, "show_sandbox_message", &format!("{mail}/message"), None).await;
    book.ask(&ann, "answer_sandbox_mail", &format!("{mail}/answer"), Some(json!({"text": "help"}))).await;
    let wanted = json!({"url": "https://receiver.invalid/hook", "kinds": ["turn"]});
    let made = ann.post(&api("/me/webhooks"), &wanted).await.expect_status(201).json();
    let hook = api(&format!("/me/webhooks/{}", made["id"].as_str().expect("an id")));
    ann.post(&format!("{hook}/challenge"), &json!({})).await.ok();
    book.ask(&ann, "list_sandbox_deliveries", &api("/sandbox/deliveries"), None).await;
    let later = Some(json!({"advance_seconds": 86_400}));
    book.ask(&ann, "move_sandbox_clock", &api("/sandbox/clock"), later).await;
}

async fn endings(app: &TestApp, book: &mut Book, ann: &Client, bob: &Client) {
    let game = api(&format!("/games/{GAME}"));
    let record = ann.get(&format!("{game}/record")).await.expect_status(200).text();
    let end = record.match_indices('\n').nth(1).map_or(record.len(), |(at, _)| at + 1);
    let head = record[..end].to_owned();
    let headers = [("Content-Type", "application/x-ndjson")];
    let verified = app.stranger().send(Method::POST, &api("/verify"), Some(head.clone()), &headers).await;
    verified.expect_status(200);
    book.seen.insert("export_record".to_owned(), json!({"answers": {"200": head}}));
    let verdict = book.fixed("", verified.json());
    book.seen.insert("verify_record".to_owned(), json!({"request": head, "answers": {"200": verdict}}));
    book.ask(ann, "export_my_records", &api("/me/records.zip"), None).await;
    book.ask(ann, "export_my_data", &api("/me/data.zip"), None).await;
    book.ask(bob, "abort_game", &format!("{game}/abort"), Some(json!({"expected_seq": 1}))).await;
    let wanted = json!({"rules": pippost::rules::sample_name(), "seating": "joined"});
    let second = ann.post(&api("/games"), &wanted).await.expect_status(201).json();
    db_fix(app, second["id"].as_str().expect("an id"), RESIGNED).await;
    let second = api(&format!("/games/{RESIGNED}"));
    bob.post(&format!("{second}/join"), &json!({})).await.expect_status(200);
    book.ask(bob, "resign_game", &format!("{second}/resign"), Some(json!({"expected_seq": 0}))).await;
    substitutes(app, book, ann, bob).await;
}

async fn resets(app: &TestApp, book: &mut Book, ann: &Client) {
    let reset = json!({"email": "bob@example.org"});
    book.ask(&app.stranger(), "request_password_reset", &api("/password-resets"), Some(reset)).await;
    let mail = Post::of(app).last("bob").await;
    let link = mail.text.lines().find(|line| line.contains("token=")).expect("a link").trim().to_owned();
    let token = link.split("token=").nth(1).expect("a token");
    let body = json!({"token": token, "new_password": "another long password"});
    book.ask(&app.stranger(), "reset_password", &api("/password-resets/confirm"), Some(body)).await;
    book.ask(ann, "log_out", &api("/sessions/current"), None).await;
}
