//! Where a game was lost, on its page; problems, and the one of the day.

use pippost::games::learning::{self, GAMES_A_DAY};
use serde_json::json;
use time::Duration;

use support::TestApp;
use support::browsing::Browsing;
use support::games::missed_win;

async fn search(app: &TestApp) {
    while learning::search_next(&app.app.games, GAMES_A_DAY).await.expect("a step") > 0 {}
}

/// A page with plain slashes in addresses.
async fn shown(browser: &Browsing, page: &str) -> String {
    browser.get(page).await.expect(200).html.replace("&#x2f;", "/")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_finished_game_tells_where_it_was_lost_to_who_may_see_it() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let public = missed_win([&ann, &bob], &json!({})).await.replace("/api/v1", "");
    let private = missed_win([&ann, &bob], &json!({"private": true})).await.replace("/api/v1", "");
    let visitor = Browsing::of(&app);
    assert!(!shown(&visitor, &public).await.contains("Where it was lost"), "not searched yet");
    search(&app).await;
    let html = shown(&visitor, &public).await;
    assert!(html.contains("bob had a chance of 100% with c3; after the move that was played"), "{html}");
    assert!(html.contains(&format!("href=\"{public}/replay?seq=10\">See this move")), "{html}");
    visitor.get(&format!("{public}/replay?seq=10")).await.expect(200);
    let german = shown(&Browsing::of(&app).reading("de"), &public).await;
    assert!(german.contains("bob hätte mit c3 zu 100 % gewonnen"), "{german}");

    visitor.get(&private).await.expect(404);
    let html = shown(&Browsing::log_in(&app, "bob").await, &private).await;
    assert!(html.contains("bob had a chance of 100% with c3"), "{html}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_problem_is_solved_by_a_choice_of_the_legal_moves() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let visitor = Browsing::of(&app);
    assert!(shown(&visitor, "/problems").await.contains("No problem has been found yet."));
    let game = missed_win([&ann, &bob], &json!({})).await.replace("/api/v1", "");
    search(&app).await;
    let (problems, _) = learning::list(&app.app.games, None, None).await.expect("problems");
    let problem = problems.first().expect("a problem");
    let page = format!("/problems/{}", problem.id);
    let list = shown(&visitor, "/problems?rules=pippinzip").await;
    assert!(list.contains(&format!("href=\"{page}\">Pippinzip: ann – bob")), "{list}");
    assert!(shown(&visitor, "/problems?rules=serpent").await.contains("No problem has been found yet."));

    let mover = ["ann", "bob"][problem.seat.index()];
    let question = format!("It is the turn of {mover}. What is best?");
    let html = shown(&visitor, &page).await;
    for told in ["From the game ann – bob", &question, "<option>c3</option>", "id=\"board\""] {
        assert!(html.contains(told), "{told}: {html}");
    }
    assert_eq!(html.matches("<option>").count(), problem.answers.len(), "all free cells: {html}");
    assert!(!html.contains("<td>") && !html.contains("replay"), "nothing is told before the answer: {html}");
    let sorted = html.find("<option>b1<").zip(html.find("<option>c3<"));
    assert!(sorted.is_some_and(|(one, other)| one < other), "by notation: {html}");

    let html = shown(&visitor, &format!("{page}?answer=C3")).await;
    assert!(html.contains("Right: with this move the chance of winning is"), "{html}");
    let played = format!("{mover} played {}.", problem.played);
    assert!(html.contains(&played) && html.contains(&format!("{game}/replay?seq={}", problem.seq)), "{html}");
    let chances = html.split("<tbody>").nth(1).expect("a table").matches("<tr>").count();
    assert_eq!(chances, problem.answers.len(), "{html}");
    let html = shown(&visitor, &format!("{page}?answer=b1")).await;
    assert!(html.contains("There is a better one: c3 wins with a chance of"), "{html}");
    let html = shown(&visitor, &format!("{page}?answer=a1")).await;
    assert!(html.contains("no move that the rules allow") && !html.contains("<td>"), "{html}");
    let german = shown(&Browsing::of(&app).reading("de"), &format!("{page}?answer=c3")).await;
    assert!(german.contains("Richtig: Mit diesem Zug gewinnt man zu"), "{german}");
    visitor.get("/problems/00000000-0000-4000-8000-000000000000").await.expect(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_front_page_has_a_problem_each_day() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    missed_win([&ann, &bob], &json!({})).await;
    search(&app).await;
    let visitor = Browsing::of(&app);
    assert!(!shown(&visitor, "/").await.contains("The problem of the day"), "found today");
    app.app.clock.advance(Duration::DAY);
    let html = shown(&visitor, "/").await;
    let path = html.split("href=\"/problems/").nth(1).and_then(|rest| rest.split('"').next());
    let path = format!("/problems/{}", path.unwrap_or_else(|| panic!("{html}")));
    assert!(html.contains("Pippinzip: one move is clearly the best."), "{html}");
    visitor.get(&path).await.expect(200);
}
