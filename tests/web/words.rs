//! The words of the pages: cards by name, previews as what will happen, nothing that only programs read, problems at their fields.

use serde_json::json;

use support::browsing::Browsing;
use support::game_page::start;
use support::games::open_game;
use support::sample::Sampler;
use support::{Client, TestApp};

/// What stands on a page outside of details, of the fields for orders and of the rules beside the game, without tags.
fn text(html: &str) -> String {
    let mut left = html.split("<section id=\"rules\"").next().expect("a page").to_owned();
    for (opening, closing) in [("<head", "</head>"), ("<details", "</details>"), ("<datalist", "</datalist>")]
    {
        while let Some((before, rest)) = left.split_once(opening) {
            let after = rest.split_once(closing).map_or("", |(_, after)| after);
            left = format!("{before} {after}");
        }
    }
    let parts = left.split('<').filter_map(|part| part.split_once('>'));
    parts.map(|(_, text)| text.trim()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric())
}

/// Whether the word is a card in notation.
fn is_card(word: &str) -> bool {
    let mut letters = word.chars();
    let rank = letters.next().is_some_and(|letter| "A23456789TJQK".contains(letter));
    rank && letters.next().is_some_and(|letter| "cdhs".contains(letter)) && letters.next().is_none()
}

async fn move_at_random(game: &str, players: &[Client; 2], sampler: &mut Sampler) -> Option<()> {
    let now = players[0].get(game).await.ok();
    let player = &players[usize::try_from(now["to_act"].as_u64()?).expect("small")];
    let listed = player.get(&format!("{game}/actions")).await.ok();
    let action = sampler.action(listed["actions"].as_array().expect("a list"));
    player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    Some(())
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_have_names_and_neither_events_nor_seats_nor_hashes_are_shown() {
    let mut sampler = Sampler::new(5);
    for rules in ["serpent", "dominion", "pip-pip", "pippinzip"] {
        let app = TestApp::start().await;
        let (game, page, players) = start(&app, rules, json!({})).await;
        let browsers = [Browsing::log_in(&app, "ann").await, Browsing::of(&app)];
        for played in 0..20 {
            for browser in browsers.iter().filter(|_| played % 4 == 0) {
                for path in ["", "/moves", "/replay"] {
                    let shown = text(&browser.get(&format!("{page}{path}")).await.expect(200).html);
                    let card = words(&shown).find(|word| is_card(word));
                    assert_eq!(card, None, "{rules}{path}: {shown}");
                    let hash = words(&shown).find(|word| {
                        word.len() >= 40 && word.bytes().all(|letter| letter.is_ascii_hexdigit())
                    });
                    assert_eq!(hash, None, "{rules}{path}: {shown}");
                    for program in ["Event ", "event ", "seat 0", "seat 1", "Seat "] {
                        assert!(!shown.contains(program), "{program} {rules}{path}: {shown}");
                    }
                }
            }
            if move_at_random(&game, &players, &mut sampler).await.is_none() {
                break;
            }
        }
    }
    let app = TestApp::start().await;
    for rules in ["serpent", "dominion", "pip-pip", "pippinzip"] {
        let shown = text(&Browsing::of(&app).get(&format!("/rules/{rules}")).await.expect(200).html);
        let seat = shown
            .to_lowercase()
            .match_indices("seat ")
            .any(|(at, _)| shown[at + 5..].starts_with(char::is_numeric));
        assert!(!seat, "{shown}");
    }
    let open = open_game(&app.player("cat").await).await.replace("/api/v1", "");
    let html = Browsing::of(&app).get(&open).await.expect(200).html;
    assert!(words(&html).any(|word| word.len() == 64), "in the details");
    assert!(words(&text(&html)).all(|word| word.len() < 40), "{}", text(&html));
}

/// The legal moves that the page of a game lists in notation.
fn listed(html: &str) -> Vec<String> {
    let options = html.split("<option>").skip(1).filter_map(|part| part.split("</option>").next());
    options.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_is_not_sent_is_told_as_what_will_happen_and_warned_of_once_a_game() {
    let mut sampler = Sampler::new(9);
    let warning = "Once it is sent, a move cannot be taken back.";
    // Two stones can be placed in so many ways that Pippinzip lists few moves.
    for (rules, past, least) in [
        ("serpent", &[" gave ", " turned up ", " played "][..], 4),
        ("dominion", &[" deployed ", " passed", " advanced ", " moved ", "now has"], 4),
        ("pip-pip", &[" placed ", " took ", " changed "], 4),
        ("pippinzip", &[" placed "], 1),
    ] {
        let app = TestApp::start().await;
        let (game, page, players) = start(&app, rules, json!({})).await;
        let ann = Browsing::log_in(&app, "ann").await;
        let (mut previews, mut has_moved) = (0, false);
        for _ in 0..40 {
            let now = players[0].get(&game).await.ok();
            if now["to_act"] == json!(0) {
                let html = ann.get(&page).await.expect(200).html;
                for chosen in listed(&html).into_iter().take(2) {
                    let query = serde_urlencoded::to_string([("say", &chosen)]).expect("a query");
                    let html = ann.get(&format!("{page}?{query}")).await.expect(200).html;
                    let told = html
                        .split("id=\"move\"")
                        .nth(1)
                        .expect("a move")
                        .split("<form")
                        .next()
                        .expect("a form");
                    let told = text(&format!("<div {told}"));
                    assert!(past.iter().all(|word| !told.contains(word)), "{rules} {chosen}: {told}");
                    assert_eq!(told.contains(warning), !has_moved, "{rules} {chosen}: {told}");
                    previews += usize::from(told.contains(" will "));
                }
                has_moved = true;
            }
            if move_at_random(&game, &players, &mut sampler).await.is_none() {
                break;
            }
        }
        assert!(previews >= least, "{rules}: {previews}");
    }
}

/// The tag of the field with that name, which must be the one that is focused.
fn focused<'a>(html: &'a str, name: &str) -> &'a str {
    let tags: Vec<&str> = html.split('<').filter(|tag| tag.contains(" autofocus")).collect();
    assert_eq!(tags.len(), 1, "{name}: {tags:?}");
    assert!(tags[0].contains(&format!("name=\"{name}\"")), "{name}: {tags:?}");
    assert!(tags[0].contains("aria-invalid=\"true\"") && tags[0].contains("-problem"), "{tags:?}");
    tags[0]
}

#[tokio::test(flavor = "multi_thread")]
async fn problems_of_forms_stand_at_their_fields_which_are_focused_with_what_was_typed() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let open = open_game(&ann).await.replace("/api/v1", "");
    let (anns, stranger) = (Browsing::log_in(&app, "ann").await, Browsing::of(&app));
    anns.get("/games/new?rules=dominion").await.expect(200);
    let form =
        [("rules", "dominion"), ("option.size", "3"), ("seats", "8"), ("pace", "7d"), ("seating", "joined")];
    let html = anns.post("/games/new", &form).await.expect(422).html;
    assert!(focused(&html, "seats").contains("value=\"8\""), "{html}");
    assert!(html.contains("value=\"3\" checked") && html.contains("value=\"joined\" checked"), "{html}");
    let form = [("rules", "pip-pip"), ("pace", "own"), ("limit", "99999"), ("unit", "hours")];
    let html = anns.post("/games/new", &form).await.expect(422).html;
    assert!(focused(&html, "limit").contains("value=\"99999\""), "{html}");
    anns.get(&open).await.expect(200);
    for wrong in ["nobody", "not@an address", "x y"] {
        let html = anns.post(&format!("{open}/invitations"), &[("invitee", wrong)]).await.expect(422).html;
        assert!(focused(&html, "invitee").contains(&format!("value=\"{wrong}\"")), "{html}");
    }
    stranger.get("/log-in").await.expect(200);
    let html = stranger.post("/log-in", &[("login", "ann"), ("password", "not hers at all")]).await.html;
    focused(&html, "password");
    assert!(html.contains("value=\"ann\"") && !html.contains("not hers"), "{html}");
    stranger.get("/sign-up").await.expect(200);
    let form = [("handle", "bob"), ("email", "no address"), ("password", "long enough for this")];
    let html = stranger.post("/sign-up", &form).await.expect(422).html;
    assert!(focused(&html, "email").contains("value=\"no address\""), "{html}");
    let html = anns.get("/my-games?opponent=nobody").await.expect(200).html;
    assert!(focused(&html, "opponent").contains("value=\"nobody\""), "{html}");
}
