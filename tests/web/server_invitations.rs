//! The pages of a server that is by invitation, and of one where the operator makes all accounts.

use pippost::accounts::{AccountLimits, Handle, MAX_OPEN_INVITATIONS, RegistrationPolicy};
use pippost::app::App;
use serde_json::json;

use support::browsing::Browsing;
use support::{HOUSE_BOT, PASSWORD, TestApp};

const BOB: [(&str, &str); 3] = [("handle", "bob"), ("email", "bob@example.org"), ("password", PASSWORD)];

/// A server with ann, who has made her account while it was open.
async fn with_policy(registration_policy: RegistrationPolicy) -> TestApp {
    let limits = AccountLimits { registration_policy, ..AccountLimits::generous() };
    let app = TestApp::with_limits(limits).await;
    app.second().await.player("ann").await;
    app
}

/// What stands in an element of the page.
fn code(html: &str, id: &str) -> String {
    let after = html.split(&format!("<code id=\"{id}\">")).nth(1).unwrap_or_else(|| panic!("{html}"));
    after.split('<').next().expect("its end").replace("&#x2f;", "/").replace("&#x3D;", "=")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_makes_a_link_that_somebody_signs_up_by_and_withdraws_another() {
    let app = with_policy(RegistrationPolicy::Invited).await;
    let anns = Browsing::log_in(&app, "ann").await;
    assert!(anns.get("/preferences").await.expect(200).html.contains("href=\"/preferences/invitations\""));
    let html = anns.get("/preferences/invitations").await.expect(200).html;
    assert!(html.contains("No link of yours is open."), "{html}");
    let html = anns.post("/preferences/invite", &[]).await.expect(200).html;
    let link = code(&html, "new-link");
    let path = link.strip_prefix(&app.url).unwrap_or_else(|| panic!("{link}"));
    assert!(path.starts_with("/sign-up?invitation=ppi_"), "{link}");
    let html = anns.get("/preferences/invitations").await.expect(200).html;
    assert!(!html.contains("ppi_") && html.contains("Withdraw"), "it is shown once: {html}");

    let bobs = Browsing::of(&app);
    let html = bobs.get(path).await.expect(200).html;
    assert!(html.contains("name=\"password\""), "{html}");
    let token = path.split('=').nth(1).expect("a token");
    let taken = [("handle", "ann"), BOB[1], BOB[2], ("invitation", token)];
    let html = bobs.post("/sign-up", &taken).await.expect(422).html;
    assert!(html.contains(&format!("name=\"invitation\" value=\"{token}\"")), "it is kept: {html}");
    assert_eq!(
        bobs.post("/sign-up", &[&BOB[..], &[("invitation", token)]].concat()).await.location(),
        "/my-games"
    );
    let html = anns.get("/preferences/invitations").await.expect(200).html;
    assert!(html.contains("No link of yours is open."), "it is used: {html}");

    let eves = Browsing::of(&app);
    eves.get(path).await.expect(200);
    let again = [("handle", "eve"), ("email", "eve@example.org"), BOB[2], ("invitation", token)];
    let html = eves.post("/sign-up", &again).await.expect(403).html;
    assert!(html.contains("This invitation was used, has expired, or never was one."), "{html}");

    for _ in 0..MAX_OPEN_INVITATIONS {
        anns.get("/preferences/invitations").await.expect(200);
        anns.post("/preferences/invite", &[]).await.expect(200);
    }
    let html = anns.post("/preferences/invite", &[]).await.expect(409).html;
    assert!(html.contains("You have as many open links as a player may have."), "{html}");
    let id =
        html.split("name=\"id\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id");
    let withdrawn = anns.post("/preferences/withdraw-invitation", &[("id", id)]).await.location();
    assert!(withdrawn.starts_with("/preferences/invitations?done=ended"), "{withdrawn}");
    let html = anns.get("/preferences/invitations").await.expect(200).html;
    assert!(!html.contains(id), "{html}");
    anns.post("/preferences/invite", &[]).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_no_invitation_reads_how_one_gets_one_and_nobody_plays_as_a_guest() {
    let app = with_policy(RegistrationPolicy::Invited).await;
    app.app
        .accounts
        .create_house_bot(&Handle::parse(HOUSE_BOT).expect("a handle"), PASSWORD)
        .await
        .expect("a bot");
    let house_bot = Handle::parse(HOUSE_BOT).ok();
    let serving = App { house_bot, ..app.app.clone() };
    let app = app.serving(serving);
    let stranger = Browsing::of(&app);
    let home = stranger.get("/").await.expect(200).html;
    assert!(!home.contains("action=\"/play\""), "{home}");
    let html = stranger.get("/sign-up").await.expect(200).html;
    assert!(html.contains("This server is by invitation.") && !html.contains("name=\"password\""), "{html}");
    let german = Browsing::of(&app).reading("de");
    let html = german.get("/sign-up").await.expect(200).html;
    assert!(html.contains("Auf diesen Server kommt man mit einer Einladung."), "{html}");
    let html = stranger.get("/sign-up?invitation=ppi_made-up").await.expect(200).html;
    assert!(html.contains("name=\"password\""), "whether it is one shows only when it is used: {html}");
    let html = stranger.post("/sign-up", &BOB).await.expect(403).html;
    assert!(html.contains("This server is by invitation."), "{html}");
    stranger.get("/sign-up?invitation=ppi_made-up").await.expect(200);
    let to_play = stranger.post("/play", &[("rules", "pip-pip")]).await.location();
    assert!(to_play.starts_with("/sign-up?next="), "{to_play}");
    assert_eq!(app.db_count("select count(*) as number from players where guest").await, 0);

    // The link in a mail to a game is an invitation.
    let ann = app.log_in("ann").await;
    let new = json!({"rules": "pip-pip", "private": true});
    let created = ann.post("/api/v1/games", &new).await.expect_status(201).json();
    let page = format!("/games/{}", created["id"].as_str().expect("an id"));
    ann.post(&format!("/api/v1{page}/invitations"), &json!({"email": BOB[1].1})).await.expect_status(202);
    let token = ann.get(&format!("/api/v1{page}")).await.ok()["invitation"].as_str().expect("one").to_owned();
    let next = format!("{page}?token={token}");
    let html = stranger.get(&next).await.expect(200).html.replace("&#x2f;", "/");
    let sign_up = html.split("href=\"/sign-up?next=").nth(1).and_then(|rest| rest.split('"').next());
    let html = stranger.get(&format!("/sign-up?next={}", sign_up.expect("a link"))).await.expect(200).html;
    assert!(html.contains("name=\"password\""), "{html}");
    let signed_up = stranger.post("/sign-up", &[&BOB[..], &[("next", next.as_str())]].concat()).await;
    assert_eq!(signed_up.location(), next);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_operator_makes_the_accounts_no_page_offers_one() {
    let app = with_policy(RegistrationPolicy::Closed).await;
    let stranger = Browsing::of(&app);
    let html = stranger.get("/").await.expect(200).html;
    assert!(!html.contains("href=\"/sign-up"), "{html}");
    let html = stranger.get("/sign-up?invitation=ppi_x").await.expect(200).html;
    assert!(
        html.contains("the operator makes all accounts") && !html.contains("name=\"password\""),
        "{html}"
    );
    let open = app.second().await;
    for app in [&app, &open] {
        let anns = Browsing::log_in(app, "ann").await;
        assert!(!anns.get("/preferences").await.expect(200).html.contains("/preferences/invitations"));
        anns.get("/preferences/invitations").await.expect(404);
    }
}
