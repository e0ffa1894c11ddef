//! The guided start: the first turns of each game, explained on its board.

use support::TestApp;
use support::browsing::Browsing;

#[tokio::test(flavor = "multi_thread")]
async fn every_game_has_its_first_turns_from_the_front_page_to_a_game_of_ones_own() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let stranger = Browsing::of(&app);
    let front = stranger.get("/").await.expect(200).html.replace("&#x2f;", "/");
    for rules in ["pip-pip", "serpent", "pippinzip", "dominion"] {
        let guide = format!("/rules/{rules}/first-turns");
        assert!(front.contains(&guide), "{rules}: {front}");
        let of_rules = stranger.get(&format!("/rules/{rules}")).await.expect(200).html;
        assert!(of_rules.replace("&#x2f;", "/").contains(&guide), "{of_rules}");
        let (mut step, mut boards) = (0, Vec::new());
        loop {
            let html = stranger.get(&format!("{guide}?step={step}")).await.expect(200).html;
            assert!(!html.contains("-guide-"), "a text is missing: {html}");
            let picture = format!("/rules/{rules}/board.svg?guide={step}");
            assert!(html.replace("&#x2f;", "/").contains(&picture), "{html}");
            boards.push(app.stranger().unchecked().get(&picture).await.expect_status(200).text());
            if !html.contains("rel=\"next\"") {
                assert!(html.contains("Now it is your turn"), "{html}");
                let can_begin = html.contains("action=\"/play\"");
                assert!(can_begin, "{html}");
                break;
            }
            step += 1;
        }
        assert!(step >= 3, "{rules}: {step} moves");
        assert!(boards.windows(2).all(|pair| pair[0] != pair[1]), "{rules}: each move changes the board");
    }
    stranger.get("/rules/pip-pip/first-turns?step=999").await.expect(200);
    stranger.get("/rules/none/first-turns").await.expect(404);
}
