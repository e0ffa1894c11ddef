//! Guests: who plays against the house bot before signing up, what they may not do, and what becomes of them.

use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;
use pippost::accounts::AccountLimits;
use pippost::accounts::guests::{GUEST_LIFETIME, MAX_GUESTS};
use pippost::games::departing;
use pippost::games::lobby::at_once::{self, MAX_GAMES, MAX_GAMES_WITH_GUEST, Strength};
use reqwest::Method;
use reqwest::header::COOKIE;
use serde_json::json;
use time::Duration;

use support::browsing::{Browsing, Shown};
use support::db::db_games;
use support::game_page::start_of;
use support::{Client, HOUSE_BOT, PASSWORD, TestApp};

const ANN: [(&str, &str); 3] = [("handle", "ann"), ("email", "ann@example.org"), ("password", PASSWORD)];

/// How many guests there are.
const GUESTS: &str = "select count(*) as number from players where guest and deleted_at is null";

/// Chooses rules for a game against the bot; returns where that leads.
async fn choose(browser: &Browsing, rules: &str) -> String {
    browser.get("/games/new").await.expect(200);
    browser.post("/play", &[("rules", rules)]).await.location()
}

/// A browser of a new guest, and the page of the game.
async fn guest(app: &TestApp) -> (Browsing, String) {
    let browser = Browsing::of(app);
    let page = choose(&browser, "pip-pip").await;
    assert!(page.starts_with("/games/0"), "{page}");
    (browser, page)
}

/// A value of a form of the page.
fn value(html: &str, name: &str) -> String {
    let after = html.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap_or_else(|| panic!("{html}"));
    after.split('"').next().expect("its end").replace("&quot;", "\"").replace("&#x2f;", "/")
}

/// Makes the first move of Pip•Pip.
async fn move_first(browser: &Browsing, page: &str) {
    let html = browser.get(&format!("{page}?say=c3+n1")).await.expect(200).html;
    let html = if html.contains("id=\"send\"") {
        html
    } else {
        browser.get(&format!("{page}?pick=store")).await.expect(200).html
    };
    let fields = ["action", "seq", "key"].map(|name| (name, value(&html, name)));
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(browser.post(&format!("{page}/moves"), &fields).await.location(), page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_at_once_and_signs_up_with_the_games_kept() {
    let (app, bot) = TestApp::start().await.with_house_bot().await;
    app.player("bob").await;
    let (browser, page) = guest(&app).await;
    let html = browser.get(&page).await.expect(200).html;
    assert!(
        html.contains("It is your turn") && html.contains("guest-") && html.contains("Keep my games"),
        "{html}"
    );
    move_first(&browser, &page).await;
    let game = bot.get(&format!("/api/v1{page}")).await.ok();
    assert_eq!((&game["seq"], &game["private"]), (&json!(1), &json!(true)));
    assert!(browser.get("/my-games").await.expect(200).html.contains(HOUSE_BOT));

    // What is wrong is said, and the page that was left stays the aim.
    browser.get(&page).await.expect(200);
    let taken = [("handle", "bob"), ANN[1], ANN[2], ("next", &page)];
    let html = browser.post("/sign-up", &taken).await.expect(422).html;
    assert!(html.contains("has this name already") && value(&html, "next") == page, "{html}");
    for name in ["guest-ann", "Guest-7f3k2"] {
        let html = browser.post("/sign-up", &[("handle", name), ANN[1], ANN[2]]).await.expect(422).html;
        assert!(html.contains("has this name already"), "{html}");
    }
    let before = browser.cookies()["pippost"].clone();
    browser.get(&page).await.expect(200);
    let signed_up = browser.post("/sign-up", &[ANN[0], ANN[1], ANN[2], ("next", &page)]).await;
    assert_eq!(signed_up.location(), page);
    assert_ne!(browser.cookies()["pippost"], before, "a session of its own");
    let html = browser.get(&page).await.expect(200).html;
    assert!(html.contains("Logged in as") && !html.contains("Keep my games"), "{html}");
    let ann = app.log_in("ann").await;
    assert_eq!(ann.get("/api/v1/games?list=mine").await.ok()["games"][0]["id"], game["id"]);
    assert_eq!(ann.get("/api/v1/me").await.ok()["email"], "ann@example.org");
    assert_eq!(app.db_count("select count(*) as number from notices where kind = 'confirm_email'").await, 2);
    // The guest's session is over.
    let stranger = Browsing::of(&app);
    stranger.set_cookie("pippost", &before);
    stranger.get(&page).await.expect(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_over_is_played_again_with_one_click() {
    let (app, bot) = TestApp::start().await.with_house_bot().await;
    let (browser, page) = guest(&app).await;
    let html = browser.get(&page).await.expect(200).html;
    let own = [("seq", "0".to_owned()), ("key", format!("{}-resign", value(&html, "key")))];
    let own: Vec<_> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(browser.post(&format!("{page}/resign"), &own).await.location(), page);
    let html = browser.get(&page).await.expect(200).html.replace("&#x2f;", "/");
    assert!(html.contains("Play again") && html.contains("href=\"/next\""), "{html}");
    // A form that is sent twice begins one game.
    let key = format!("{}-again", value(&html, "key"));
    let token = browser.token();
    let fields = [("key", key.as_str()), ("csrf", token.as_str())];
    let path = format!("{page}/again");
    let send = || browser.send(Method::POST, &path, Some(&fields), &[("sec-fetch-site", "same-origin")]);
    let again = send().await.location();
    assert_eq!(send().await.location(), again);
    // The sides are changed: the bot has the first seat.
    let game = bot.get(&format!("/api/v1{again}")).await.ok();
    assert_eq!(
        (&game["my_seat"], &game["rules"], &game["status"]),
        (&json!(0), &json!("pip-pip"), &json!("running"))
    );

    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let (game, page) = start_of(&[&ann, &bob], "pip-pip", json!({}), false).await;
    let browser = Browsing::log_in(&app, "ann").await;
    browser.get(&page).await.expect(200);
    browser.post(&format!("{page}/again"), &[]).await.expect(409);
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    browser.get(&page).await.expect(200);
    let again = browser.post(&format!("{page}/again"), &[]).await.location();
    let html = browser.get(&again).await.expect(200).html;
    assert!(html.contains("Waiting for one more player"), "{html}");
    let invited = "select count(*) as number from notices where kind = 'invitation'";
    assert_eq!(app.db_count(invited).await, 1);

    // Against the bot, too, the game is the same one.
    let wanted = json!({"rules": "pip-pip", "time_control": {"limit_hours": 24}});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/games/{}", created["id"].as_str().expect("an id"));
    bot.post(&format!("/api/v1{game}/join"), &json!({})).await.ok();
    bot.post(&format!("/api/v1{game}/resign"), &json!({})).await.ok();
    browser.get(&game).await.expect(200);
    let again = browser.post(&format!("{game}/again"), &[]).await.location();
    let game = ann.get(&format!("/api/v1{again}")).await.ok();
    assert_eq!((&game["status"], &game["private"]), (&json!("running"), &json!(false)));
    assert_eq!(game["time_control"]["limit_hours"], 24);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_plays_the_bot_chooses_how_well_it_plays() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let browser = Browsing::of(&app);
    for page in ["/", "/games/new"] {
        let html = browser.get(page).await.expect(200).html;
        assert!(html.contains("<option value=\"easy\">an easy bot</option>"), "{page}: {html}");
    }
    let strength = async |page: &str| {
        let id = page.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id");
        at_once::strength(&app.app.games, id).await.expect("an answer")
    };
    let chosen = [("rules", "pip-pip"), ("strength", "easy")];
    let page = browser.post("/play", &chosen).await.location();
    assert_eq!(strength(&page).await, Some(Strength::Easy));
    browser.get("/games/new").await.expect(200);
    let unknown = [("rules", "pip-pip"), ("strength", "weak")];
    let usual = browser.post("/play", &unknown).await.location();
    assert_eq!(strength(&usual).await, None);

    // The same game again is against the same opponent.
    let html = browser.get(&page).await.expect(200).html;
    let key = format!("{}-resign", value(&html, "key"));
    let own = [("seq", "0"), ("key", key.as_str())];
    browser.post(&format!("{page}/resign"), &own).await.location();
    browser.get(&page).await.expect(200);
    let again = browser.post(&format!("{page}/again"), &[]).await.location();
    assert!(again != page && strength(&again).await == Some(Strength::Easy), "{again}");
}

/// Gives the bot `games` that others play with it.
async fn occupy(app: &TestApp, games: u32) {
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, games).await;
    let bot = format!(
        "update game_players set player_id = (select id from players where handle = '{HOUSE_BOT}') \
         where joined = 1 and number is null"
    );
    connection.batch_execute(&bot).await.expect("games of the bot");
}

#[tokio::test(flavor = "multi_thread")]
async fn clicks_at_once_begin_no_more_games_than_there_may_be() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let (browser, _) = guest(&app).await;
    browser.get("/games/new").await.expect(200);
    let token = browser.token();
    let fields = [("rules", "pip-pip"), ("csrf", token.as_str())];
    let clicks = (0..8)
        .map(|_| browser.send(Method::POST, "/play", Some(&fields), &[("sec-fetch-site", "same-origin")]));
    let answers = join_all(clicks).await;
    let (begun, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 303);
    assert_eq!(begun.len() + 1, MAX_GAMES_WITH_GUEST);
    for answer in refused {
        assert!(answer.status == 409 && answer.html.contains("games against our bot"), "{}", answer.html);
    }
    let running = "select count(*) as number from games where status in ('open', 'running')";
    assert_eq!(app.db_count(running).await, i64::try_from(MAX_GAMES_WITH_GUEST).expect("few"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_without_room_makes_nobody_a_guest() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let (browser, _) = guest(&app).await;
    occupy(&app, u32::try_from(MAX_GAMES).expect("few") - 2).await;
    // There is room for one more, and several come at once.
    let strangers: Vec<_> = (0..4).map(|_| Browsing::of(&app)).collect();
    join_all(strangers.iter().map(|stranger| stranger.get("/games/new"))).await;
    let fields = [("rules", "pip-pip")];
    let answers = join_all(strangers.iter().map(|stranger| stranger.post("/play", &fields))).await;
    let begun = |answer: &Shown| answer.status == 303 && answer.location().starts_with("/games/0");
    assert_eq!(answers.iter().filter(|answer| begun(answer)).count(), 1);
    // Whoever has become a guest keeps the session.
    for (stranger, answer) in strangers.iter().zip(&answers) {
        assert_eq!(stranger.cookies().contains_key("pippost"), begun(answer) || answer.status == 409);
    }
    let running = "select count(*) as number from games where status in ('open', 'running')";
    assert_eq!(app.db_count(running).await, i64::try_from(MAX_GAMES).expect("few"));

    let guests = app.db_count(GUESTS).await;
    assert!(choose(&Browsing::of(&app), "pip-pip").await.starts_with("/sign-up?next="));
    assert_eq!(app.db_count(GUESTS).await, guests);
    browser.get("/games/new").await.expect(200);
    let html = browser.post("/play", &fields).await.expect(409).html;
    assert!(html.contains("no room for another"), "{html}");
    assert!(html.contains("<a class=\"button quiet\" href=\"&#x2f;my-games\">"), "a way on: {html}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_reaches_nobody_else_and_no_program() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let bob = app.player("bob").await;
    let open = bob.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let id = open["id"].as_str().expect("an id");
    let (browser, page) = guest(&app).await;
    browser.get(&page).await.expect(200);
    for (path, fields) in [
        (format!("/games/{id}/join"), vec![]),
        ("/games/new".to_owned(), vec![("rules", "pip-pip")]),
        (format!("{page}/invitations"), vec![("invitee", "bob")]),
        (format!("{page}/messages"), vec![("text", "hello")]),
        (format!("{page}/note"), vec![("text", "hello")]),
        (format!("{page}/standing-orders"), vec![("seq", "0"), ("lines", "store")]),
        (format!("{page}/pause"), vec![("days", "1")]),
        ("/preferences/tokens".to_owned(), vec![("name", "t"), ("scope", "play")]),
        ("/preferences/password".to_owned(), vec![("current", ""), ("password", PASSWORD)]),
        ("/preferences/address".to_owned(), vec![("email", "ann@example.org"), ("password", "")]),
        ("/preferences/delete".to_owned(), vec![("password", "")]),
    ] {
        let refused = browser.post(&path, &fields).await;
        assert!([401, 404].contains(&refused.status.as_u16()), "{path}: {} {}", refused.status, refused.html);
        // The form of the page that was left, for its token.
        browser.get(&page).await.expect(200);
    }
    for path in ["/preferences", "/preferences/webhooks", "/games/new?rules=pip-pip"] {
        let away = browser.get(path).await.location();
        assert!(away.starts_with("/log-in?next=") || away.starts_with("/sign-up?next="), "{path}: {away}");
    }
    let game = bob.get(&format!("/api/v1/games/{id}")).await.ok();
    assert_eq!(game["players"].as_array().map(Vec::len), Some(1), "{game}");
    // The cookie is no token, and there is no password to guess.
    let cookie = browser.cookies()["pippost"].clone();
    for token in [Some(cookie.clone()), None] {
        let client = Client::new(&app.url, token).unchecked();
        let headers = [(COOKIE.as_str(), format!("pippost={cookie}"))];
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        client.send(Method::GET, "/api/v1/me", None, &headers).await.expect_status(401);
    }
    let html = browser.get("/my-games").await.expect(200).html;
    let handle = html.split("guest-").nth(1).and_then(|rest| rest.get(..7)).expect("a handle");
    let login = format!("guest-{handle}");
    for password in [PASSWORD, "          "] {
        let body = json!({"login": login, "password": password});
        app.stranger().post("/api/v1/sessions", &body).await.problem(403, "wrong_credentials");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_are_few_and_those_of_one_network_fewer() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let (browser, page) = guest(&app).await;
    for _ in 1..MAX_GAMES_WITH_GUEST {
        assert!(choose(&browser, "serpent").await.starts_with("/games/0"));
    }
    browser.get("/games/new").await.expect(200);
    let html = browser.post("/play", &[("rules", "dominion")]).await.expect(409).html;
    assert!(html.contains("games against our bot"), "{html}");
    for _ in 1..MAX_GUESTS {
        guest(&app).await;
    }
    let late = Browsing::of(&app);
    let aim = "/sign-up?next=%2Fgames%2Fnew%3Frules%3Dpip-pip";
    assert_eq!(choose(&late, "pip-pip").await, aim);
    assert_eq!(app.db_count(GUESTS).await, MAX_GUESTS);
    // Who is longest without a move makes room after an hour.
    app.app.clock.advance(Duration::minutes(61));
    move_first(&browser, &page).await;
    for _ in 1..MAX_GUESTS {
        guest(&app).await;
    }
    assert_eq!(app.db_count(GUESTS).await, MAX_GUESTS);
    assert_eq!(choose(&late, "pip-pip").await, aim);
    browser.get(&page).await.expect(200);

    let limits = AccountLimits { guests: AccountLimits::default().guests, ..AccountLimits::generous() };
    let (app, _) = TestApp::with_limits(limits).await.with_house_bot().await;
    for _ in 0..limits.guests.burst.get() {
        guest(&app).await;
    }
    assert_eq!(choose(&Browsing::of(&app), "pip-pip").await, aim);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_moves_no_more_is_removed_and_the_game_is_the_bots() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let (browser, page) = guest(&app).await;
    move_first(&browser, &page).await;
    app.app.clock.advance(GUEST_LIFETIME - Duration::minutes(1));
    app.app.accounts.clean_up().await.expect("a database");
    browser.get(&page).await.expect(200);
    app.app.clock.advance(Duration::minutes(2));
    app.app.accounts.clean_up().await.expect("a database");
    browser.get(&page).await.expect(404);
    app.app.clock.advance(Duration::minutes(2));
    assert_eq!(departing::finish(&app.app.games).await.expect("a database"), 1);
    let game = app.log_in(HOUSE_BOT).await.get(&format!("/api/v1{page}")).await.ok();
    assert_eq!((&game["status"], &game["result"]["places"]), (&json!("finished"), &json!([2, 1])));
    assert_eq!(app.db_count("select count(*) as number from sessions").await, 2, "those of the bot");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_lives_by_own_moves_and_ends_with_the_session() {
    let (app, bot) = TestApp::start().await.with_house_bot().await;
    let (browser, page) = guest(&app).await;
    let html = browser.get(&page).await.expect(200).html;
    let key = format!("{}-resign", value(&html, "key"));
    browser.post(&format!("{page}/resign"), &[("seq", "0"), ("key", &key)]).await.expect(303);
    browser.get(&page).await.expect(200);
    let again = browser.post(&format!("{page}/again"), &[]).await.location();
    // The bot has moved, and the guest has only resigned.
    bot.post(&format!("/api/v1{again}/moves"), &json!({"notation": "store"})).await.ok();
    app.app.clock.advance(Duration::minutes(61));
    app.app.accounts.clean_up().await.expect("a database");
    browser.get(&again).await.expect(404);
    assert_eq!(app.db_count(GUESTS).await, 0);

    let (browser, page) = guest(&app).await;
    move_first(&browser, &page).await;
    browser.get(&page).await.expect(200);
    assert_eq!(browser.post("/log-out", &[]).await.location(), "/");
    assert_eq!(app.db_count(GUESTS).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_signs_up_twice_at_once_has_one_account() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let (browser, page) = guest(&app).await;
    browser.get(&page).await.expect(200);
    let token = browser.token();
    let fields = [ANN[0], ANN[1], ANN[2], ("next", page.as_str()), ("csrf", token.as_str())];
    let send = || browser.send(Method::POST, "/sign-up", Some(&fields), &[("sec-fetch-site", "same-origin")]);
    let (one, other) = tokio::join!(send(), send());
    let (done, late): (Vec<_>, Vec<_>) =
        [one, other].into_iter().partition(|answer| answer.status == 303 && answer.location() == page);
    assert_eq!(done.len(), 1);
    // If the first had ended before, the name is taken.
    let log_in = format!("/log-in?next={}", page.replace('/', "%2F"));
    assert!(late[0].status == 422 || late[0].location() == log_in, "{}", late[0].html);
    assert_eq!(app.db_count("select count(*) as number from players where not bot").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_house_bot_the_choice_is_made_after_signing_up() {
    let app = TestApp::start().await;
    let browser = Browsing::of(&app);
    assert!(!browser.get("/").await.expect(200).html.contains("action=\"/play\""));
    let choice = "/games/new?rules=pip-pip";
    let sign_up = browser.get(choice).await.location();
    let html = browser.get(&sign_up).await.expect(200).html;
    // Whoever has an account keeps the choice, too.
    let plain = html.replace("&#x2f;", "/");
    assert!(plain.contains("href=\"/log-in?next=%2Fgames%2Fnew%3Frules%3Dpip-pip\""), "{html}");
    assert_eq!(browser.post("/play", &[("rules", "pip-pip")]).await.location(), sign_up);
    let next = value(&html, "next");
    assert_eq!(next, choice);
    let entered = browser.post("/sign-up", &[ANN[0], ANN[1], ANN[2], ("next", &next)]).await;
    assert_eq!(entered.location(), choice);
    assert!(browser.get(choice).await.expect(200).html.contains("Create the game"));
    for evil in ["https://evil.example.org", "//evil.example.org", "/\\evil"] {
        let html = browser.get(&format!("/log-in?next={evil}")).await.expect(200).html;
        assert!(!html.contains("evil"), "{html}");
    }
}
