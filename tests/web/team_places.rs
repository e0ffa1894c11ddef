//! Places of clubs in tournaments: the forms that create and enter one, and its page.

use pippost::games::clubs::{self, Wanted};
use pippost::games::tournaments;
use support::TestApp;
use support::browsing::Browsing;
use uuid::Uuid;

/// A page with plain slashes in addresses.
async fn shown(browser: &Browsing, page: &str) -> String {
    browser.get(page).await.expect(200).html.replace("&#x2f;", "/")
}

/// A club of the first of these, which the others have joined.
async fn club(app: &TestApp, name: &str, handles: &[&str]) -> Uuid {
    let mut ids = Vec::new();
    for handle in handles {
        ids.push(app.app.accounts.player_named(handle).await.expect("a player").id);
    }
    let wanted = Wanted { name: name.to_owned(), about: String::new(), open: true };
    let prepared = clubs::prepare(&app.app.games, ids[0], &wanted).await.expect("a possible club");
    let club = clubs::make(&app.app.games, &prepared, None).await.expect("a club");
    for id in &ids[1..] {
        clubs::join(&app.app.games, club, *id).await.expect("a member");
    }
    club
}

#[tokio::test(flavor = "multi_thread")]
async fn an_organiser_lets_clubs_play_for_places_and_the_form_says_what_is_not_possible() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let ann = Browsing::log_in(&app, "ann").await;
    let fields = [
        ("rules", "pip-pip"),
        ("title", "Clubs"),
        ("kind", "swiss"),
        ("rounds", "3"),
        ("most_players", "4"),
        ("starts", "full"),
        ("pace", "3-days"),
        ("division_size", "8"),
        ("promoted", "2"),
    ];
    let form = shown(&ann, "/tournaments/new?rules=pip-pip").await;
    assert!(form.contains("name=\"team_size\" min=\"2\" max=\"20\" value=\"\""), "{form}");
    for (kind, size) in [("swiss", "1"), ("swiss", "21"), ("swiss", "x"), ("league", "2")] {
        let mut wrong = fields;
        wrong[2].1 = kind;
        let refused = ann.post("/tournaments/new", &[&wrong[..], &[("team_size", size)]].concat()).await;
        let refused = refused.expect(422).html;
        assert!(refused.contains("2 to 20 players of a club count."), "{kind}, {size}: {refused}");
        assert!(
            refused.contains(&format!("name=\"team_size\" min=\"2\" max=\"20\" value=\"{size}\"")),
            "{refused}"
        );
        ann.get("/tournaments/new?rules=pip-pip").await.expect(200);
    }
    for (size, told) in [("3", true), (" ", false)] {
        let path =
            ann.post("/tournaments/new", &[&fields[..], &[("team_size", size)]].concat()).await.location();
        let page = shown(&ann, &path).await;
        assert_eq!(page.contains("The best 3 of each count"), told, "{page}");
        assert!(!page.contains("name=\"club\""), "she is in no club: {page}");
        ann.get("/tournaments/new?rules=pip-pip").await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn players_choose_one_of_their_clubs_and_the_page_shows_places_and_who_is_counted() {
    let app = TestApp::start().await;
    for handle in ["ann", "bob", "cat"] {
        app.player(handle).await;
    }
    let (dice, aces) =
        (club(&app, "Dice <b>", &["ann", "bob"]).await, club(&app, "Aces", &["bob", "cat"]).await);
    let others = club(&app, "Others", &["cat"]).await;
    let ann = Browsing::log_in(&app, "ann").await;
    ann.get("/tournaments/new?rules=pip-pip").await.expect(200);
    let fields = [
        ("rules", "pip-pip"),
        ("title", "Clubs"),
        ("kind", "swiss"),
        ("rounds", "3"),
        ("most_players", "3"),
        ("starts", "full"),
        ("pace", "3-days"),
        ("team_size", "2"),
    ];
    let path = ann.post("/tournaments/new", &fields).await.location();
    let enter = format!("{path}/enter");
    let (dice_id, others_id) = (dice.to_string(), others.to_string());
    let page = shown(&ann, &path).await;
    assert!(page.contains(&format!("<option value=\"{dice}\">Dice &lt;b&gt;</option>")), "{page}");
    assert!(!page.contains(&others_id) && page.contains("No club"), "{page}");
    for wrong in [others_id.as_str(), "nonsense"] {
        let refused = ann.post(&enter, &[("club", wrong)]).await.expect(409).html;
        assert!(refused.contains("You are not in this club."), "{refused}");
        ann.get(&path).await.expect(200);
    }
    assert_eq!(ann.post(&enter, &[("club", "")]).await.location(), path);
    let page = shown(&ann, &path).await;
    assert!(page.contains("You take part.") && page.contains("Play for this club"), "{page}");
    assert_eq!(ann.post(&enter, &[("club", &dice_id)]).await.location(), path);
    let page = shown(&ann, &path).await;
    assert!(page.contains(&format!("<option value=\"{dice}\" selected>")), "{page}");
    assert!(page.contains("<bdi>Dice &lt;b&gt;</bdi>") && !page.contains("id=\"teams\""), "{page}");

    for (handle, club) in [("bob", dice), ("cat", aces)] {
        let browser = Browsing::log_in(&app, handle).await;
        browser.get(&path).await.expect(200);
        browser.post(&enter, &[("club", &club.to_string())]).await.location();
    }
    while tournaments::step(&app.app.games).await.expect("a step") > 0 {}
    let page = shown(&ann, &path).await;
    assert!(!page.contains("name=\"club\""), "it has begun: {page}");
    let teams =
        page.split("id=\"teams\"").nth(1).and_then(|rest| rest.split("</table>").next()).expect("a table");
    for told in
        [&format!("<a href=\"/clubs/{dice}\"><bdi>Dice &lt;b&gt;</bdi></a>"), "<bdi>Aces</bdi>", "cat"]
    {
        assert!(teams.contains(told), "{told}: {teams}");
    }
    assert!(page.contains("Two of one club meet only if not all can be paired otherwise."), "{page}");
    let owner = app.app.accounts.player_named("ann").await.expect("herself").id;
    clubs::close(&app.app.games, dice, owner).await.expect("closed");
    let page = shown(&Browsing::of(&app).reading("de"), &path).await;
    assert!(
        page.contains("<bdi>Dice &lt;b&gt;</bdi>") && !page.contains(&format!("/clubs/{dice}")),
        "{page}"
    );
    assert!(page.contains("Die Punkte der besten 2 jedes Clubs werden addiert."), "{page}");
}
