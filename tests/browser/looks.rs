//! What all pages look like: they fit every window, load nothing from elsewhere, are light, and axe-core finds nothing.

use std::path::Path;
use std::sync::Arc;

use pippost::app::App;
use pippost::games::clubs::{self, Act, MAX_ABOUT_CHARS, MAX_NAME_CHARS, Wanted};
use pippost::games::learning::{self, GAMES_A_DAY};
use pippost::games::studies::{self, MAX_TITLE_CHARS, ToKeep};
use pippost::games::viewing::analysis::{LineEntry, Sent};
use pippost::games::{dumps, ladders, tournaments};
use pippost::store::moderation::{self, ActKind, Decision};
use pippost::web::Branding;
use serde_json::{Value, json};
use time::Duration;

use support::apps;
use support::db::db_ratings;
use support::game_page::{is_first_players_turn, play_on, start_of};
use support::games::{missed_win, pip_pip};
use support::hooks as webhooks;
use support::open_page::OpenPage;
use support::post::Post;
use support::receiver::{Behavior, Receiver, sender};
use support::sample::Sampler;
use support::tab;
use support::{PASSWORD, TestApp};

use super::journey::{click, fill, path, text, tick};

/// The narrowest window, in pixels, that must show everything without horizontal scrolling.
const NARROWEST: u32 = 320;

/// A phone, a tablet and a computer: what is looked at in both themes, and by axe-core.
const WIDTHS: [u32; 3] = [360, 768, 1280];
const WIDEST: u32 = 3840;

/// The header has one row, in pixels.
const MAX_HEADER_HEIGHT: f64 = 80.0;

/// The paths of pages that need what a server holds.
pub(super) struct Places {
    pub(super) running: String,
    pub(super) problem: String,
    pub(super) study: String,
    pub(super) club: String,
    pub(super) waiting: String,
    pub(super) hook: String,
    pub(super) tournament: String,
    pub(super) league: String,
    pub(super) consent: String,
    pub(super) unsubscribe: String,
    pub(super) closed: String,
}

/// A table that waits, one that is played, a webhook that is told of it and fails, players with long names, an app, a mail, and a day
/// that was dumped to a folder.
async fn furnished(app: &TestApp, dumped: &Path) -> Places {
    let long = "a-name-as-long-as-a-name-may-be1";
    let (over, [ann, _]) = pip_pip(app).await;
    ann.post(&format!("{over}/resign"), &json!({})).await.ok();
    app.app.clock.advance(Duration::hours(13));
    assert!(dumps::write_next(&app.app.games, dumped).await.expect("a dump"));
    // Their tokens ended with the day.
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    let problem = problem(app, [&ann, &bob]).await;
    let study = study(app).await;
    let longest = app.player(long).await;
    let club = club(app, ["bob", long]).await;
    ladder(app, ["ann", long]).await;
    let create = async |client: &support::Client, body: &serde_json::Value| {
        let game = client.post("/api/v1/games", body).await.expect_status(201).json();
        game["id"].as_str().expect("an id").to_owned()
    };
    let receiver = Receiver::start();
    let hook = webhooks::verified(&ann, &receiver, &["event"]).await.path;
    let running = create(&ann, &json!({"rules": "pip-pip", "seating": "joined"})).await;
    bob.post(&format!("/api/v1/games/{running}/join"), &json!({})).await.ok();
    let big = json!({"rules": "dominion", "options": {"size": 5}, "seats": 8});
    let waiting = create(&longest, &big).await;
    ann.post(&format!("/api/v1/games/{waiting}/join"), &json!({})).await.ok();
    let mut others = Vec::new();
    for handle in ["carol", "dave", "eve", "frank", "grace"] {
        let player = app.player(handle).await;
        player.post(&format!("/api/v1/games/{waiting}/join"), &json!({})).await.ok();
        others.push(player);
    }
    let all: Vec<_> = [&ann, &bob, &longest].into_iter().chain(&others).collect();
    let league = tournament(&longest, &all, "league", None).await;
    let tournament = tournament(&longest, &all[..3], "swiss", Some(&club)).await;
    while tournaments::step(&app.app.games).await.expect("a step") > 0 {}
    db_ratings(&mut app.app.database.get().await.expect("a connection")).await;
    receiver.behave(Behavior::Refusing(503));
    webhooks::deliver(&webhooks::worker(app)).await;
    let id = apps::register(&ann).await;
    let consent = apps::encoded(&apps::request(&id, "read play manage mail", &[]));
    let mail = Post::of(app).last("bob").await.text;
    let token = mail.split("/unsubscribe?token=").nth(1).and_then(|rest| rest.split_whitespace().next());
    Places {
        running: format!("/games/{running}"),
        problem,
        study,
        club,
        waiting: format!("/games/{waiting}"),
        hook: hook.replace("/api/v1/me", "/preferences"),
        tournament,
        league,
        consent: format!("{}?{consent}", apps::AUTHORIZE),
        unsubscribe: format!("/unsubscribe?token={}", token.expect("a link that switches mails off")),
        closed: closed_account(app, &ann).await,
    }
}

/// What tells of an account that was closed, as the page's path.
async fn closed_account(app: &TestApp, reporter: &support::Client) -> String {
    app.player("heidi").await;
    let report = json!({"handle": "heidi", "reason": "insult"});
    reporter.post("/api/v1/me/reports", &report).await.expect_status(204);
    let (database, now) = (&app.app.database, app.app.clock.now());
    let open = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
    let decision = Decision { kind: ActKind::Close, words: "Be kind.", ends_at: None };
    moderation::decide(database, open.id, &decision, now).await.expect("a decision");
    let mail = Post::of(app).last("heidi").await.text;
    let link = mail.split_whitespace().find_map(|word| word.split_once("/moderation/act?"));
    format!("/moderation/act?{}", link.expect("a link").1)
}

/// A problem from a game of these two, with an answer, as the page's path.
async fn problem(app: &TestApp, players: [&support::Client; 2]) -> String {
    missed_win(players, &json!({})).await;
    while learning::search_next(&app.app.games, GAMES_A_DAY).await.expect("a step") > 0 {}
    let (problems, _) = learning::list(&app.app.games, None, None).await.expect("problems");
    format!("/problems/{}?answer=b1", problems.first().expect("a problem").id)
}

/// A study of ann's of the same game with texts as long as they may be, as the page's path.
async fn study(app: &TestApp) -> String {
    let (problems, _) = learning::list(&app.app.games, None, None).await.expect("problems");
    let problem = problems.first().expect("a problem");
    let author = app.app.accounts.player_named("ann").await.expect("herself").id;
    let step = |notation: &str| LineEntry { action: Sent::Notation(notation.to_owned()), chance: Vec::new() };
    let new = ToKeep {
        seq: Some(problem.seq),
        line: vec![step("b1"), step("c3")],
        title: "W".repeat(MAX_TITLE_CHARS),
        comment: "One line,\nand a word: ".to_owned() + &"w".repeat(200),
        listed: true,
    };
    let id = studies::keep(&app.app.games, author, problem.game_id, new, None).await.expect("a study");
    format!("/studies/{id}?at=2")
}

/// A club of ann's with texts as long as they may be, which the first of these is in and the other asks to be, as the page's path.
async fn club(app: &TestApp, others: [&str; 2]) -> String {
    let (games, accounts) = (&app.app.games, &app.app.accounts);
    let owner = accounts.player_named("ann").await.expect("herself").id;
    let about = "One line,\nand a word: ".to_owned() + &"w".repeat(MAX_ABOUT_CHARS - 22);
    let wanted = Wanted { name: "W".repeat(MAX_NAME_CHARS), about, open: false };
    let prepared = clubs::prepare(games, owner, &wanted).await.expect("a possible club");
    let id = clubs::make(games, &prepared, None).await.expect("a club");
    for handle in others {
        let player = accounts.player_named(handle).await.expect("a player").id;
        clubs::join(games, id, player).await.expect("asked");
    }
    let first = accounts.player_named(others[0]).await.expect("a player").id;
    clubs::act(games, id, owner, first, Act::Admit).await.expect("let in");
    format!("/clubs/{id}")
}

/// The ladder of Pip•Pip with these players, the second of whom challenges the first.
async fn ladder(app: &TestApp, players: [&str; 2]) {
    let mut ids = Vec::new();
    for handle in players {
        let player = app.app.accounts.player_named(handle).await.expect("a player").id;
        ladders::join(&app.app.games, "pip-pip", player).await.expect("joined");
        ids.push(player);
    }
    ladders::challenge(&app.app.games, "pip-pip", ids[1], ids[0]).await.expect("within reach");
}

/// A tournament that these enter, the first two for a club if there is one, as the page's path.
async fn tournament(
    organiser: &support::Client,
    players: &[&support::Client],
    kind: &str,
    club: Option<&str>,
) -> String {
    let mut wanted = json!({
        "title": "W".repeat(60), "rules": "pip-pip", "kind": kind, "most_players": players.len(),
        "time_control": {"limit_hours": 72},
    });
    if kind == "league" {
        wanted["league"] = json!({"division_size": 4, "promoted": 1});
    }
    wanted["team_size"] = json!(club.map(|_| 2));
    let created = organiser.post("/api/v1/tournaments", &wanted).await.expect_status(201).json();
    let path = format!("/tournaments/{}", created["id"].as_str().expect("an id"));
    let club = club.and_then(|page| page.rsplit('/').next());
    for (at, player) in players.iter().enumerate() {
        let entry = json!({ "club": club.filter(|_| at < 2) });
        player.post(&format!("/api/v1{path}/enter"), &entry).await.expect_status(204);
    }
    path
}

/// Games of ann of every rule set, in the middle and over: their pages by a name for their pictures.
async fn played(app: &TestApp) -> Vec<(String, String)> {
    let mut players = Vec::new();
    for handle in ["ann", "bob", "carol", "dave", "eve", "frank", "grace"] {
        players.push(app.log_in(handle).await.unchecked());
    }
    let mut pages = Vec::new();
    for (rules, options, seats) in [
        ("pip-pip", json!({}), 2),
        ("serpent", json!({}), 2),
        ("pippinzip", json!({"size": 7}), 2),
        ("dominion", json!({"size": 5, "round_limit": 3}), 7),
    ] {
        for (state, least) in [("middle", 9), ("end", u64::MAX)] {
            let seated: Vec<_> = players[..seats].iter().collect();
            let (game, page) = start_of(&seated, rules, options.clone(), false).await;
            let enough = |now: &Value| is_first_players_turn(now, least);
            play_on(&game, &players[..seats], &mut Sampler::new(11), enough).await;
            pages.push((format!("{rules}-{state}"), page));
        }
    }
    pages
}

/// The pages by a name for their pictures; the second list is for those who are logged in.
pub(super) fn pages(places: &Places) -> [Vec<(String, String)>; 2] {
    let Places { running, problem, study, club, waiting, hook, tournament, league, .. } = places;
    let Places { consent, unsubscribe, closed, .. } = places;
    let named = |pages: &[(&str, &str)]| {
        pages.iter().map(|(name, path)| ((*name).to_owned(), (*path).to_owned())).collect::<Vec<_>>()
    };
    let for_all = named(&[
        ("home", "/"),
        ("sign-up", "/sign-up"),
        ("log-in", "/log-in"),
        ("forgot", "/forgot-password"),
        ("lobby", "/games"),
        ("lobby-empty", "/games?status=finished&rules=serpent"),
        ("rules", "/rules"),
        ("rules-pip-pip", "/rules/pip-pip?step=9"),
        ("rules-dominion", "/rules/dominion?step=14"),
        ("rules-serpent", "/rules/serpent?step=9"),
        ("rules-pippinzip", "/rules/pippinzip?step=9"),
        ("player", "/players/ann"),
        ("player-statistics", "/players/ann/statistics"),
        ("ratings", "/ratings?rules=pip-pip"),
        ("problems", "/problems"),
        ("problems-empty", "/problems?rules=serpent"),
        ("problem", problem),
        ("studies", "/studies"),
        ("study", study),
        ("clubs", "/clubs"),
        ("club", club),
        ("ladders", "/ladders"),
        ("ladder", "/ladders/pip-pip"),
        ("tournaments", "/tournaments?status=running"),
        ("tournaments-empty", "/tournaments"),
        ("tournament", tournament),
        ("league", league),
        ("first-turns", "/rules/pip-pip/first-turns?step=2"),
        ("search", "/search?q=a"),
        ("about", "/about"),
        ("api", "/api"),
        ("look", "/look"),
        ("offline", "/offline"),
        ("dumps", "/dumps"),
        ("moderation", "/moderation"),
        ("terms", "/terms"),
        ("imprint", "/imprint"),
        ("moderation-act", closed),
        ("verifier", "/verifier"),
        ("confirm-email", "/confirm-email?token=x"),
        ("reset-password", "/reset-password?token=x"),
        ("unsubscribe", unsubscribe),
        ("consent", consent),
        ("waiting-stranger", waiting),
        ("game-stranger", running),
        ("analysis", &format!("{running}/analysis?seq=0&step=store&chance=4")),
        ("analysis-chance", &format!("{running}/analysis?seq=0&step=store")),
        ("replay-stranger", &format!("{running}/replay?seq=0")),
        ("moves", &format!("{running}/moves")),
        ("embed", &format!("{running}/embed")),
        ("check", &format!("{running}/check")),
        ("not-found", "/nothing/here"),
    ]);
    let for_players = named(&[
        ("my-games", "/my-games"),
        ("following", "/following"),
        ("studies-own", "/studies"),
        ("study-own", study),
        ("clubs-own", "/clubs"),
        ("club-own", club),
        ("ladder-own", "/ladders/pip-pip"),
        ("moderation-mine", "/moderation/mine"),
        ("report", "/report?player=bob"),
        ("device", "/device?user_code=BCDF-GHJK"),
        ("lobby-player", "/games"),
        ("new-game", "/games/new"),
        ("new-game-dominion", "/games/new?rules=dominion"),
        ("new-game-pippinzip", "/games/new?rules=pippinzip"),
        ("new-tournament", "/tournaments/new?rules=dominion"),
        ("tournament-player", tournament),
        ("waiting", waiting),
        ("preferences", "/preferences"),
        ("preferences-notices", "/preferences/notices"),
        ("preferences-time", "/preferences/time"),
        ("preferences-account", "/preferences/account"),
        ("preferences-access", "/preferences/access"),
        ("preferences-data", "/preferences/data"),
        ("my-games-filtered", "/my-games?opponent=nobody&pace=fast"),
        ("webhooks", "/preferences/webhooks"),
        ("webhook", hook),
        ("game", running),
        ("game-picked", &format!("{running}?pick=c3")),
        ("replay", &format!("{running}/replay")),
    ]);
    [for_all, for_players]
}

/// Gives the browser the session of a player.
fn log_in(page: &OpenPage, url: &str, handle: &str) {
    page.go_to(&format!("{url}/log-in"));
    fill(page, "login", handle);
    fill(page, "password", PASSWORD);
    click(page, "main form button");
    assert_eq!(path(page), "/my-games", "{}", text(page));
}

/// axe-core as a script.
fn axe() -> String {
    let tools = std::env::var_os("PIPPOST_CONTRACT_TOOLS").expect("the folder of the contract's tools");
    let file = Path::new(&tools).join("node/node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(file).expect("axe-core among the tools of the contract")
}

/// The colours that pages take from their style sheets: of the page, and of what can be picked on a board.
fn colours(page: &OpenPage) -> Value {
    page.evaluate(
        "(() => { const style = getComputedStyle(document.documentElement); return [style.colorScheme,
            getComputedStyle(document.body).backgroundColor, style.getPropertyValue('--spot')]; })()",
    )
}

/// Only `site.css` and `game.css` have colours, both as properties of the root: the page of a game, which has both, stands for all. The
/// verifier is a file of its own, which follows the system.
#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_theme_wins_over_that_of_the_system() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    let (url, game) = (app.url.clone(), game.replace("/api/v1", ""));
    let looked = tokio::task::spawn_blocking(move || {
        let page = OpenPage::blank();
        let looks = |theme: &str| {
            page.go_to(&format!("{url}/look"));
            tick(&page, &format!("input[name=theme][value={theme}]"));
            click(&page, "main form button");
            page.go_to(&format!("{url}{game}"));
            [false, true].map(|system_is_dark| {
                page.look(1280, system_is_dark);
                let mut colours = colours(&page);
                // Of both schemes the browser uses the one of the system.
                if colours[0] == "light dark" {
                    colours[0] = json!(if system_is_dark { "dark" } else { "light" });
                }
                colours
            })
        };
        let [light, dark] = looks("auto");
        for (of_light, of_dark) in
            light.as_array().into_iter().flatten().zip(dark.as_array().into_iter().flatten())
        {
            assert_ne!(of_light, of_dark);
        }
        assert_eq!(looks("light"), [light.clone(), light]);
        assert_eq!(looks("dark"), [dark.clone(), dark]);
    });
    looked.await.expect("a browser");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_fits_a_narrow_window_loads_nothing_from_elsewhere_and_can_be_pictured() {
    inspect_all(None).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs axe-core: ./test installs it with the tools of the contract"]
async fn axe_core_finds_nothing_on_any_page() {
    inspect_all(Some(axe())).await;
}

/// A text of an operator, with all that Markdown has.
const OWN_TEXT: &str = "# What we agree on\n\n## Play fair\nSee [the rules](/rules).\n\n- one\n- two\n\n> quoted\n\n| a | b |\n|---|---|\n| c | d |\n";

/// Looks at every page, in one browser as a stranger and in another as a player.
async fn inspect_all(axe: Option<String>) {
    let app = TestApp::with_sender(sender()).await;
    let dumped = tempfile::tempdir().expect("a folder");
    let texts = tempfile::tempdir().expect("a folder");
    for name in ["terms.md", "imprint.md"] {
        std::fs::write(texts.path().join(name), OWN_TEXT).expect("a text");
    }
    let branding = Branding::read(Some("Club of Nine"), Some(texts.path()), None).expect("a name and texts");
    let (dumps, branding) = (Some(dumped.path().to_owned()), Arc::new(branding));
    let serving = App { dumps, branding, ..app.app.clone() };
    let app = app.serving(serving);
    let [for_all, mut for_players] = pages(&furnished(&app, dumped.path()).await);
    for_players.extend(played(&app).await);
    let as_stranger = inspect_each(&app.url, None, for_all, axe.clone());
    let as_player = inspect_each(&app.url, Some("ann"), for_players, axe);
    let (mut found, of_players) = tokio::join!(as_stranger, as_player);
    found.extend(of_players);
    assert!(found.is_empty(), "axe-core found:\n{}", found.join("\n"));
}

/// Looks at pages in a browser of their own, in which this player has logged in; returns what axe-core found.
async fn inspect_each(
    url: &str,
    player: Option<&'static str>,
    pages: Vec<(String, String)>,
    axe: Option<String>,
) -> Vec<String> {
    let url = url.to_owned();
    let inspected = tokio::task::spawn_blocking(move || {
        let page = OpenPage::blank();
        if let Ok(language) = std::env::var("PIPPOST_LANGUAGE") {
            page.go_to(&format!("{url}/look"));
            tick(&page, &format!("input[name=language][value={language}]"));
            click(&page, "main form button");
        }
        if let Some(player) = player {
            log_in(&page, &url, player);
        }
        let inspect =
            |(name, path): &(String, String)| inspect(&page, name, &format!("{url}{path}"), axe.as_deref());
        pages.iter().flat_map(inspect).collect()
    });
    inspected.await.expect("a browser")
}

/// Looks at one page; returns what axe-core found.
fn inspect(page: &OpenPage, name: &str, address: &str, axe: Option<&str>) -> Vec<String> {
    let mut violations = Vec::new();
    page.go_to(address);
    let status = page.evaluate("performance.getEntriesByType('navigation')[0].responseStatus");
    assert_eq!(status, if name == "not-found" { 404 } else { 200 }, "{name}");
    let pictures = std::env::var("PIPPOST_PICTURES").ok();
    let looks = WIDTHS.into_iter().flat_map(|width| [(width, false), (width, true)]);
    for (width, dark) in [(NARROWEST, false), (WIDEST, false)].into_iter().chain(looks) {
        page.look(width, dark);
        assert!(page.has_no_sideways_scroll(), "{name} at {width}");
        let header = page.evaluate("document.querySelector('.site-header')?.offsetHeight ?? 0");
        assert!(header.as_f64() < Some(MAX_HEADER_HEIGHT), "{name} at {width}: {header}");
        if let Some(folder) = pictures.as_ref().filter(|_| width != WIDEST) {
            let shade = if dark { "dark" } else { "light" };
            page.keep_picture(&Path::new(folder).join(format!("page-{name}-{width}-{shade}.png")));
        }
        if let Some(axe) = axe.filter(|_| WIDTHS.contains(&width)) {
            tab::ask(&page.tab, "Runtime.evaluate", json!({"expression": axe}));
            let found = page.evaluate(
                "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
                    .then((result) => result.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | ')))",
            );
            let found = found.as_array().expect("a list of violations");
            violations.extend(found.iter().map(|one| format!("{name} at {width}, dark: {dark}: {one}")));
        }
    }
    page.look(1280, false);
    let elsewhere = page.evaluate(
        "performance.getEntriesByType('resource').map((one) => one.name).filter((name) => !name.startsWith(location.origin))",
    );
    assert_eq!(elsewhere, json!([]), "{name}");
    // Chromium counts what came over the wire, headers included.
    let bytes = page.evaluate(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).reduce((sum, one) => sum + one.transferSize, 0)",
    );
    assert!(bytes.as_f64().expect("a number") < 100_000.0, "{name}: {bytes} bytes");
    violations
}
