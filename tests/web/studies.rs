//! Studies: kept from an analysis, read board by board, changed and deleted by their authors, and hidden where a game or an author is.

use pippost::games::GameError;
use pippost::games::studies::{self, MAX_STUDIES, StudyRefused, ToKeep};
use pippost::store::Seq;
use pippost::store::commit;
use pippost::store::moderation::{self, ActKind, Decision, Verdict};
use serde_json::json;
use support::browsing::Browsing;
use support::games::{missed_win, pip_pip};
use support::{Client, TestApp};
use time::Duration;
use uuid::Uuid;

/// A line of two actions from the page of an analysis, as its form sends it.
const LINE: [(&str, &str); 3] = [("seq", "9"), ("step", "b1"), ("step", "c3")];

/// A page with plain slashes in addresses.
async fn shown(browser: &Browsing, page: &str) -> String {
    browser.get(page).await.expect(200).html.replace("&#x2f;", "/").replace("&amp;", "&")
}

/// Keeps the line with these fields besides; returns the path of the study.
async fn keep(browser: &Browsing, game: &str, more: &[(&str, &str)]) -> String {
    browser.get(&format!("{game}/analysis?seq=9&step=b1&step=c3")).await.expect(200);
    let fields = [&LINE[..], more].concat();
    let position = browser.post(&format!("{game}/studies"), &fields).await.location();
    let (study, at) = position.split_once('?').expect("a position");
    assert_eq!(at, "at=2", "the position that was seen");
    study.to_owned()
}

/// The page of a finished game of these two.
async fn over(players: [&Client; 2], private: bool) -> String {
    missed_win(players, &json!({"private": private})).await.replace("/api/v1", "")
}

fn id_of(path: &str) -> Uuid {
    path.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_is_kept_on_the_page_of_the_analysis_and_read_board_by_board() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = over([&ann, &bob], false).await;
    app.player("eve").await;
    let (eves, visitor) = (Browsing::log_in(&app, "eve").await, Browsing::of(&app));
    let analysis = format!("{game}/analysis?seq=9&step=b1&step=c3");
    assert!(!shown(&visitor, &analysis).await.contains("keep-study"), "only who has registered keeps one");
    let form = shown(&eves, &analysis).await;
    let form = form.split("id=\"keep-study\"").nth(1).expect("a form");
    for (name, value) in LINE {
        assert!(form.contains(&format!("name=\"{name}\" value=\"{value}\"")), "{name} {value}: {form}");
    }
    let texts = [("title", "The <win>\r\n"), ("comment", "This\r\nwins."), ("listed", "yes")];
    let study = keep(&eves, &game, &texts).await;

    let last = shown(&visitor, &format!("{study}?at=2")).await;
    for told in
        ["<bdi>The &lt;win&gt;</bdi>", "This\nwins.", "Position 2 of 2", "<code>c3</code>", "id=\"board\""]
    {
        assert!(last.contains(told), "{told}: {last}");
    }
    assert!(last.contains(&format!("{game}/analysis?seq=9&step=b1&step=c3\"")), "{last}");
    assert!(last.contains("rel=\"prev\"") && !last.contains("rel=\"next\""), "{last}");
    let first = shown(&visitor, &study).await;
    assert!(
        first.contains("Position 0 of 2") && first.contains("It begins after step 9 of the game."),
        "{first}"
    );
    assert!(
        first.contains(&format!("rel=\"next\" href=\"{study}?at=1\"")) && !first.contains("rel=\"prev\""),
        "{first}"
    );
    assert!(!first.contains("id=\"comment\""), "the text is to another position: {first}");
    let middle = shown(&visitor, &format!("{study}?at=1")).await;
    let board = |html: &str| {
        html.split("id=\"board-text\">")
            .nth(1)
            .and_then(|rest| rest.split("</pre>").next())
            .expect("a board")
            .to_owned()
    };
    assert!(board(&first) != board(&middle) && board(&middle) != board(&last));
    let replayed = shown(&visitor, &format!("{game}/replay?seq=9")).await;
    assert_eq!(board(&first), board(&replayed), "the line begins in the game");
    assert_eq!(shown(&visitor, &format!("{study}?at=99")).await.matches("Position 2 of 2").count(), 1);

    for page in ["/studies", game.as_str()] {
        let html = shown(&visitor, page).await;
        assert!(html.contains(&format!("href=\"{study}\"><bdi>The &lt;win&gt;</bdi>")), "{page}: {html}");
    }
    let german = shown(&Browsing::of(&app).reading("de"), &study).await;
    assert!(german.contains("Stellung 0 von 2"), "{german}");
    visitor.get("/studies/00000000-0000-4000-8000-000000000000").await.expect(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_chance_brings_is_kept_with_the_line() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let page = game.replace("/api/v1", "");
    let anns = Browsing::log_in(&app, "ann").await;
    let line = [("seq", "0"), ("step", "store"), ("chance", "4"), ("title", "A four")];
    let running = shown(&anns, &format!("{page}/analysis?seq=0&step=store&chance=4")).await;
    assert!(!running.contains("keep-study"), "the game runs: {running}");
    let refused = anns.post(&format!("{page}/studies"), &line).await.expect(409).html;
    assert!(refused.contains("A game can be studied once it is over."), "{refused}");
    ann.post(&format!("{game}/resign"), &json!({})).await.ok();
    anns.get(&page).await.expect(200);
    let study = anns.post(&format!("{page}/studies"), &line).await.location();
    let html = shown(&anns, &study).await;
    assert!(html.contains("<code>store</code> <span class=\"soft\">4</span>"), "{html}");
    let impossible = [("seq", "0"), ("step", "store"), ("chance", "9"), ("title", "A nine")];
    anns.get(&page).await.expect(200);
    let refused = anns.post(&format!("{page}/studies"), &impossible).await.expect(409).html;
    assert!(refused.contains("an outcome that chance cannot bring"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_its_author_changes_and_deletes_a_study_within_limits() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = over([&ann, &bob], false).await;
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let study = keep(&anns, &game, &[("title", "Mine"), ("comment", "the end")]).await;
    let list = shown(&bobs, "/studies").await;
    assert!(
        list.contains("There is no study yet.") && list.contains("You have kept no study yet."),
        "{list}"
    );
    assert!(shown(&anns, "/studies").await.contains("by link only"));
    assert!(!shown(&anns, &game).await.contains(&study));

    let his = shown(&bobs, &study).await;
    assert!(!his.contains("id=\"edit\"") && his.contains("/report?study="), "{his}");
    let change = [("at", "1"), ("title", "Ours"), ("comment", "in between"), ("listed", "yes")];
    bobs.post(&study, &change).await.expect(404);
    bobs.get(&study).await.expect(200);
    bobs.post(&format!("{study}/delete"), &[]).await.expect(404);

    let edit = shown(&anns, &format!("{study}?at=1")).await;
    assert!(edit.contains("id=\"edit\"") && !edit.contains("/report?study="), "{edit}");
    assert_eq!(anns.post(&study, &change).await.location(), format!("{study}?at=1"));
    let html = shown(&bobs, &format!("{study}?at=1")).await;
    for told in ["Ours", "in between", "the end"] {
        assert!(html.contains(told), "{told}: {html}");
    }
    assert!(shown(&bobs, "/studies").await.contains(&study));
    let long = "x".repeat(1001);
    for (fields, status, told) in [
        ([("at", "0"), ("title", " "), ("comment", "")], 422, "at most 80 characters"),
        ([("at", "0"), ("title", "Ours"), ("comment", long.as_str())], 422, "at most 1000 characters"),
        ([("at", "3"), ("title", "Ours"), ("comment", "")], 404, ""),
    ] {
        anns.get(&study).await.expect(200);
        let refused = anns.post(&study, &fields).await.expect(status).html;
        assert!(refused.contains(told), "{told}: {refused}");
    }
    anns.get(&study).await.expect(200);
    assert_eq!(anns.post(&format!("{study}/delete"), &[]).await.location(), "/studies");
    bobs.get(&study).await.expect(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_study_shows_a_private_game_to_its_players_alone_and_no_list_has_it() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    app.player("eve").await;
    let game = over([&ann, &bob], true).await;
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let eves = Browsing::log_in(&app, "eve").await;
    eves.get("/studies").await.expect(200);
    let fields = [&LINE[..], &[("title", "Not hers")]].concat();
    eves.post(&format!("{game}/studies"), &fields).await.expect(404);
    let study = keep(&anns, &game, &[("title", "Ours"), ("listed", "yes")]).await;
    assert!(shown(&bobs, &study).await.contains("Ours"));
    for other in [&eves, &Browsing::of(&app)] {
        other.get(&study).await.expect(404);
        assert!(!shown(other, "/studies").await.contains(&study));
    }
    eves.get(&format!("/report?study={}", id_of(&study))).await.expect(404);
    anns.get(&study).await.expect(200);
    anns.post(&study, &[("at", "0"), ("title", "Ours"), ("listed", "yes")]).await.expect(303);
    assert!(shown(&anns, "/studies").await.contains("by link only"));
    assert!(!shown(&bobs, "/studies").await.contains(&study));
}

/// An operator decides about a report of bob's about ann.
async fn act_on(app: &TestApp, kind: ActKind, ends_in: Option<Duration>) -> Uuid {
    let (database, now) = (&app.app.database, app.app.clock.now());
    let open = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
    assert!(open.evidence.as_deref().is_some_and(|words| words == "Fools\n\nbob is a fool"), "{open:?}");
    let decision = Decision { kind, words: "Be kind.", ends_at: ends_in.map(|span| now + span) };
    moderation::decide(database, open.id, &decision, now).await.expect("a decision").expect("an act")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_study_is_shown_to_nobody_and_its_author_reads_only_that_it_is_removed() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    app.player("eve").await;
    let game = over([&ann, &bob], false).await;
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let texts = [("title", "Fools"), ("comment", "bob is a fool"), ("listed", "yes")];
    let study = keep(&anns, &game, &texts).await;
    let id = id_of(&study).to_string();
    for browser in [&bobs, &Browsing::log_in(&app, "eve").await] {
        browser.get(&format!("/report?study={id}")).await.expect(200);
        browser.post("/report", &[("study", id.as_str()), ("reason", "insult")]).await.expect(200);
    }
    let (database, now) = (&app.app.database, app.app.clock.now());
    let reports = moderation::open_reports(database, 9).await.expect("reports");
    let removal = Decision { kind: ActKind::Removal, words: "Be kind.", ends_at: None };
    let remove =
        async |report: Uuid| moderation::decide(database, report, &removal, now).await.expect("an answer");
    let act = remove(reports[0].id).await.expect("an act");
    assert_eq!(remove(reports[1].id).await, None, "it is removed already");
    for browser in [&anns, &bobs] {
        browser.get(&study).await.expect(404);
        for page in ["/studies", game.as_str()] {
            let html = shown(browser, page).await;
            assert!(
                !html.contains("Fools") && !html.contains(&format!("href=\"{study}\"")),
                "{page}: {html}"
            );
        }
    }
    let own = shown(&anns, "/studies").await;
    assert!(own.contains("Removed by the operator") && own.contains(&format!("{study}/delete")), "{own}");
    anns.post(&study, &[("at", "0"), ("title", "Friends"), ("comment", "")]).await.expect(404);
    bobs.get("/studies").await.expect(200);
    bobs.post(&format!("{study}/delete"), &[]).await.expect(404);

    assert!(commit::judge(database, act, Verdict::Lifted, now).await.expect("a verdict"));
    assert!(shown(&bobs, &format!("{study}?at=2")).await.contains("bob is a fool"));
    assert!(shown(&bobs, "/studies").await.contains("Fools"));
    assert!(remove(reports[1].id).await.is_some(), "the other report still waited");
    anns.get("/studies").await.expect(200);
    assert_eq!(anns.post(&format!("{study}/delete"), &[]).await.location(), "/studies");
    assert!(shown(&anns, "/studies").await.contains("You have kept no study yet."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_study_is_reported_and_nobody_else_reads_those_of_a_muted_or_closed_author() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = over([&ann, &bob], false).await;
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let texts = [("title", "Fools"), ("comment", "bob is a fool"), ("listed", "yes")];
    let study = keep(&anns, &game, &texts).await;
    let id = id_of(&study).to_string();
    let report = async || {
        let form = shown(&bobs, &format!("/report?study={id}")).await;
        assert!(form.contains("bob is a fool") && form.contains(&game), "{form}");
        bobs.post("/report", &[("study", id.as_str()), ("reason", "insult")]).await.expect(200);
    };
    let hidden = async || {
        let in_lists =
            shown(&bobs, "/studies").await.contains(&study) || shown(&bobs, &game).await.contains(&study);
        (bobs.get(&study).await.status == 404, !in_lists)
    };
    anns.get(&format!("/report?study={id}")).await.expect(409);
    report().await;
    assert_eq!(hidden().await, (false, false));

    let mute = act_on(&app, ActKind::Mute, Some(Duration::hours(2))).await;
    assert_eq!(hidden().await, (true, true));
    assert!(shown(&anns, &study).await.contains("bob is a fool"), "she still reads it");
    anns.post(&study, &[("at", "0"), ("title", "More"), ("comment", "")]).await.expect(403);
    anns.get(&game).await.expect(200);
    anns.post(&format!("{game}/studies"), &[&LINE[..], &[("title", "More")]].concat()).await.expect(403);
    app.app.clock.advance(Duration::hours(3));
    assert_eq!(hidden().await, (false, false), "the mute has ended");
    let now = app.app.clock.now();
    assert!(commit::judge(&app.app.database, mute, Verdict::Lifted, now).await.expect("a verdict"));

    report().await;
    let close = act_on(&app, ActKind::Close, None).await;
    assert_eq!(hidden().await, (true, true));
    assert!(commit::judge(&app.app.database, close, Verdict::Lifted, now).await.expect("a verdict"));
    assert_eq!(hidden().await, (false, false));
    bobs.get("/report?player=ann").await.expect(200);
    bobs.post("/mute", &[("player", "ann")]).await.expect(303);
    assert_eq!(hidden().await, (false, true), "whom the reader mutes stands in no list of the reader's");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_no_more_studies_than_the_limit_however_many_come_at_once() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = id_of(&over([&ann, &bob], false).await);
    let author = app.app.accounts.player_named("ann").await.expect("herself").id;
    let new = |number: i64| ToKeep {
        seq: Some(Seq::from(9)),
        line: Vec::new(),
        title: number.to_string(),
        comment: String::new(),
        listed: true,
    };
    let games = &app.app.games;
    for number in 0..MAX_STUDIES - 1 {
        studies::keep(games, author, game, new(number), None).await.expect("a study");
    }
    let at_once = (0..20).map(|number| studies::keep(games, author, game, new(number), None));
    let kept = futures_util::future::join_all(at_once).await;
    for refused in kept.iter().filter_map(|kept| kept.as_ref().err()) {
        assert!(
            matches!(refused, StudyRefused::Game(GameError::TooManyMarked { most: 100, .. })),
            "{refused}"
        );
    }
    assert_eq!(kept.iter().filter(|kept| kept.is_ok()).count(), 1);
    assert_eq!(studies::of_player(games, author).await.expect("studies").len(), 100);
    let anns = Browsing::log_in(&app, "ann").await;
    let page = format!("/games/{game}");
    anns.get(&page).await.expect(200);
    let refused =
        anns.post(&format!("{page}/studies"), &[&LINE[..], &[("title", "One more")]].concat()).await;
    assert!(refused.expect(409).html.contains("Delete one first."));
    let visitor = Browsing::of(&app);
    let mut seen = Vec::new();
    let mut next = Some("/studies".to_owned());
    while let Some(page) = next {
        let html = shown(&visitor, &page).await;
        let listed = html.split("href=\"/studies/").skip(1).filter_map(|rest| rest.split('"').next());
        seen.extend(listed.map(str::to_owned));
        let older = html.split("href=\"/studies?before=").nth(1).and_then(|rest| rest.split('"').next());
        next = older.map(|id| format!("/studies?before={id}"));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 100, "each on one page");
}
