//! What is told of tournaments: feeds, and the webhooks of those who are in one or organise it.

use diesel_async::SimpleAsyncConnection;
use pippost::games::{playing, tournaments};
use serde_json::{Value, json};
use time::Duration;

use super::{Season, step, text, wish};
use support::browsing::Browsing;
use support::feed::{FeedReader, NDJSON, SSE};
use support::hooks::{WEBHOOKS, deliver, registered, verified, worker};
use support::receiver::{Behavior, Receiver, sender};
use support::waiting::until;
use support::{Client, PASSWORD, TestApp, contract};

fn kinds<'a>(lines: impl IntoIterator<Item = &'a Value>) -> Vec<&'a str> {
    lines.into_iter().map(|line| text(&line["event"]["type"])).collect()
}

/// All entries of a feed, by pages of that many.
async fn pages(client: &Client, feed: &str, limit: u16) -> Vec<Value> {
    let (mut all, mut after): (Vec<Value>, _) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("{feed}?limit={limit}{after}")).await.ok();
        let entries = page["entries"].as_array().expect("entries");
        if entries.is_empty() {
            return all;
        }
        all.extend(entries.iter().cloned());
        assert_eq!(page["cursor"], all.last().expect("an event")["id"]);
        after = format!("&after={}", text(&page["cursor"]));
    }
}

/// A Swiss tournament of four with two rounds: one withdraws in the first, and in the second one loses on time.
async fn play_a_swiss(season: &Season<'_>) -> [String; 2] {
    let first = season.round(1).await;
    let withdrawn = text(&first[0]["first"]).to_owned();
    let asked = format!("{}/withdraw", season.path);
    season.players[&withdrawn].post(&asked, &json!({})).await.expect_status(204);
    season.play(|first, second| first > second).await;
    let second = season.round(2).await;
    let late = second.iter().find(|pairing| pairing["game"].is_string()).expect("a game");
    let late = text(&late["first"]).to_owned();
    season.app.app.clock.advance(Duration::days(30));
    assert_eq!(playing::let_flags_fall(&season.app.app.games).await.expect("a step"), 1);
    step(season.app).await;
    [withdrawn, late]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_of_a_tournament_tells_each_event_once_and_in_order_as_pages_and_streams() {
    let app = TestApp::start().await;
    let mut wanted = wish("swiss", 4);
    wanted["rounds"] = json!(2);
    let season = Season::new(&app, &wanted, 4).await;
    let (feed, stranger) = (format!("{}/feed", season.path), app.stranger());
    let mut stream = FeedReader::open(&stranger, &feed, SSE, None).await;
    let mut told = Vec::new();
    for expected in ["started", "round_began"] {
        let (id, line) = stream.line().await;
        assert_eq!((json!(id), kinds([&line])), (line["id"].clone(), vec![expected]));
        told.push(line);
    }
    let [withdrawn, late] = play_a_swiss(&season).await;
    let rest = stream.rest().await;
    let (end, rest) = rest.split_last().expect("an end");
    assert_eq!(end, &json!({"type": "end", "reason": "tournament_over"}));
    told.extend(rest.iter().cloned());
    assert_eq!(
        kinds(&told),
        [
            "started",
            "round_began",
            "withdrew",
            "round_ended",
            "round_began",
            "timed_out",
            "round_ended",
            "finished"
        ]
    );
    let id = season.path.rsplit('/').next().expect("an id");
    for (seq, line) in told.iter().enumerate() {
        assert_eq!((&line["id"], &line["event"]["seq"]), (&json!(format!("{id}:{seq}")), &json!(seq)));
        let errors = contract::errors("/components/schemas/TournamentFeedEvent", line);
        assert!(errors.is_empty(), "{errors:?}");
    }

    // What they tell is what the tournament shows.
    for (round, began, ended) in [(1, 1, 3), (2, 4, 6)] {
        let shown = season.round(round).await;
        let mut unplayed = shown.clone();
        for pairing in &mut unplayed {
            pairing["outcome"] = Value::Null;
        }
        assert_eq!(told[began]["event"]["pairings"], json!(unplayed));
        assert_eq!(told[ended]["event"]["pairings"], json!(shown));
        assert_eq!(
            (&told[began]["event"]["round"], &told[ended]["event"]["round"]),
            (&json!(round), &json!(round))
        );
    }
    for (at, round, player) in [(2, 1, &withdrawn), (5, 2, &late)] {
        let event = &told[at]["event"];
        assert_eq!((&event["round"], &event["player"]), (&json!(round), &json!(player)));
    }
    assert_eq!(told[7]["event"]["standings"], season.table().await["standings"]);

    for limit in [1, 3, 500] {
        assert_eq!(pages(&stranger, &feed, limit).await, told, "by pages of {limit}");
    }
    let mut lines = FeedReader::open(&stranger, &feed, NDJSON, Some(text(&told[4]["id"]))).await;
    assert_eq!(lines.rest().await, [&told[5..], std::slice::from_ref(end)].concat());
    let last = text(&told[7]["id"]);
    assert!(FeedReader::open(&stranger, &feed, SSE, Some(last)).await.has_no_more());
    let page = stranger.get(&format!("{feed}?wait=60&after={last}")).await.ok();
    assert_eq!(page, json!({"entries": [], "cursor": last, "is_over": true}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_waits_for_a_tournament_that_has_not_begun_and_knows_its_own_events_alone() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &wish("knock_out", 4), 2).await;
    let (feed, stranger) = (format!("{}/feed", season.path), app.stranger());
    let empty = stranger.get(&feed).await.ok();
    assert_eq!(
        empty,
        json!({"entries": [], "cursor": null, "is_over": false}),
        "registrations are no events"
    );
    let id = season.path.rsplit('/').next().expect("an id");
    let other = "01a1fe2a-89df-7515-9c5d-9fde96828ff2";
    for after in [format!("{id}:0"), format!("{other}:0")] {
        stranger.get(&format!("{feed}?after={after}")).await.problem(404, "not_found");
    }
    stranger.get(&format!("/api/v1/tournaments/{other}/feed")).await.problem(404, "not_found");
    let waiting = {
        let (stranger, asked) = (app.stranger(), format!("{feed}?wait=60"));
        tokio::spawn(async move { stranger.get(&asked).await.ok() })
    };
    season.players["player0"].post(&format!("{}/cancel", season.path), &json!({})).await.expect_status(204);
    let page = waiting.await.expect("a page");
    assert_eq!(
        (kinds(page["entries"].as_array().expect("entries")), &page["is_over"]),
        (vec!["cancelled"], &json!(true))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_event_is_told_before_one_whose_transaction_is_committed_late() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &wish("round_robin", 4), 4).await;
    let (feed, stranger) = (format!("{}/feed", season.path), app.stranger());
    let id = season.path.rsplit('/').next().expect("an id");
    // A process elsewhere has written an event as all do, and its transaction stays open.
    let mut open = app.db_superuser().await;
    let write = format!(
        "begin; select from tournaments where id = '{id}' for no key update;
         insert into tournament_events select tournament_id, 2, at, kind, replace(line, '\"seq\":1', '\"seq\":2')
         from tournament_events where tournament_id = '{id}' and seq = 1"
    );
    open.batch_execute(&write).await.expect("a transaction");
    let withdrawing = {
        let (player, asked) = (season.players["player1"].clone(), format!("{}/withdraw", season.path));
        tokio::spawn(async move { player.post(&asked, &json!({})).await })
    };
    let waiting = "select count(*) as number from pg_stat_activity \
        where datname = current_database() and wait_event_type = 'Lock'";
    until("the withdrawal to wait", async || app.db_count(waiting).await > 0).await;
    assert_eq!(pages(&stranger, &feed, 9).await.len(), 2);
    open.batch_execute("commit").await.expect("the end");
    withdrawing.await.expect("an answer").expect_status(204);
    let told = pages(&stranger, &feed, 9).await;
    assert_eq!(kinds(&told), ["started", "round_began", "round_began", "withdrew"]);
    assert!(told.iter().map(|line| line["event"]["seq"].as_u64()).eq((0..4).map(Some)), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_accounts_withdraw_and_cancel_as_their_players_would() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &wish("round_robin", 4), 4).await;
    let (one, waiting) = (app.player("organiser").await, wish("swiss", 8));
    let open = one.post("/api/v1/tournaments", &waiting).await.expect_status(201).json();
    let open = format!("/api/v1/tournaments/{}/feed", text(&open["id"]));
    let gone = json!({"password": PASSWORD});
    one.post("/api/v1/me/deletion", &gone).await.expect_status(204);
    assert_eq!(kinds(&pages(&app.stranger(), &open, 9).await), ["cancelled"]);
    season.players["player3"].post("/api/v1/me/deletion", &gone).await.expect_status(204);
    let told = pages(&app.stranger(), &format!("{}/feed", season.path), 9).await;
    assert_eq!(kinds(&told), ["started", "round_began", "withdrew"]);
    assert_eq!(told[2]["event"]["player"], "player3");
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_are_told_of_tournaments_in_order_and_again_until_they_have_received_it() {
    let app = TestApp::with_sender(sender()).await;
    let worker = worker(&app);
    let season = Season::new(&app, &wish("swiss", 4), 3).await;
    let (of_one, of_two, of_stranger) = (Receiver::start(), Receiver::start(), Receiver::start());
    let hook = verified(&season.players["player1"], &of_one, &["tournament"]).await;
    verified(&season.players["player2"], &of_two, &["turn", "game_over"]).await;
    verified(&app.player("carol").await, &of_stranger, &["tournament"]).await;
    let last = app.player("player3").await;
    last.post(&format!("{}/enter", season.path), &json!({})).await.expect_status(204);
    step(&app).await;
    deliver(&worker).await;
    let feed = pages(&app.stranger(), &format!("{}/feed", season.path), 9).await;
    let got = of_one.got();
    assert_eq!(
        got.iter().map(|got| json!(got.id)).collect::<Vec<_>>(),
        [feed[0]["id"].clone(), feed[1]["id"].clone()]
    );
    let own = |pairing: &&Value| pairing["first"] == "player1" || pairing["second"] == "player1";
    let round = season.round(1).await;
    let games = [&Value::Null, &round.iter().find(own).expect("a game")["game"]];
    let id = season.path.rsplit('/').next().expect("an id");
    for ((got, told), game) in got.iter().zip(&feed).zip(games) {
        assert!(got.is_signed_by(&hook.secret));
        let body = got.json();
        assert!(contract::errors("/components/schemas/WebhookHappened", &body).is_empty(), "{body}");
        let page = format!("{}/tournaments/{id}", app.app.public_url);
        let expected = json!({
            "type": "tournament", "timestamp": told["event"]["at"],
            "data": {
                "id": told["id"], "my_game": game, "event": told["event"],
                "tournament": {"id": id, "title": "A swiss", "page": page},
            },
        });
        assert_eq!(body, expected);
    }
    assert!(of_two.got().iter().all(|got| got.json()["type"] != "tournament"));

    // The round's end fails, so its successor waits.
    of_one.behave(Behavior::Refusing(500));
    season.play(|first, second| first > second).await;
    deliver(&worker).await;
    assert_eq!(of_one.got().len(), 1);
    of_one.behave(Behavior::Accepting);
    app.app.clock.advance(Duration::seconds(6));
    deliver(&worker).await;
    let feed = pages(&app.stranger(), &format!("{}/feed", season.path), 9).await;
    assert_eq!(kinds(&feed), ["started", "round_began", "round_ended", "round_began"]);
    let ids: Vec<Value> = of_one.got().iter().map(|got| json!(got.id)).collect();
    assert_eq!(ids, [feed[2]["id"].clone(), feed[3]["id"].clone()]);
    assert!(of_stranger.got().is_empty(), "not in it");
    let one = app.log_in("player1").await;
    let log = hook.deliveries(&one).await;
    assert_eq!((&log[0]["outcome"], &log[0]["event"]), (&json!("delivered"), &feed[3]["id"]));

    // Once more by hand; and what is not wanted any more is forgotten.
    let again = json!({"event": feed[2]["id"]});
    one.post(&format!("{}/redeliver", hook.path), &again).await.ok();
    assert_eq!(of_one.got().iter().map(|got| json!(got.id)).collect::<Vec<_>>(), [feed[2]["id"].clone()]);
    one.patch(&hook.path, &json!({"kinds": ["turn", "tournament"]})).await.ok();
    season.play(|first, second| first > second).await;
    let waiting = "select count(*) as number from webhook_tournament_events";
    assert!(app.db_count(waiting).await > 0);
    one.patch(&hook.path, &json!({"kinds": ["turn"]})).await.ok();
    assert_eq!(app.db_count(waiting).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_reads_what_happens_in_the_tournaments_of_an_organiser_who_does_not_play() {
    let app = TestApp::with_sender(sender()).await;
    let (chat, worker) = (Receiver::start(), worker(&app));
    let organiser = app.player("olga").await;
    let hook =
        registered(&organiser, &json!({"url": chat.url, "kinds": ["tournament"], "format": "discord"})).await;
    hook.challenge(&organiser).await;
    let said = |got: &support::receiver::Got| text(&got.json()["content"]).to_owned();
    let code = said(&chat.got()[0]).split_whitespace().next_back().expect("a code").to_owned();
    organiser.post(&format!("{}/verify", hook.path), &json!({"challenge": code})).await.ok();
    let made = organiser.post("/api/v1/tournaments", &wish("knock_out", 2)).await.expect_status(201).json();
    let path = format!("/tournaments/{}", text(&made["id"]));
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    for player in [&ann, &bob] {
        player.post(&format!("/api/v1{path}/enter"), &json!({})).await.expect_status(204);
    }
    step(&app).await;
    let pairing = app.stranger().get(&format!("/api/v1{path}")).await.ok()["pairings"][0].clone();
    let resign = format!("/api/v1/games/{}/resign", text(&pairing["game"]));
    ann.post(&resign, &json!({})).await.ok();
    step(&app).await;
    deliver(&worker).await;
    let page = format!("{}{path}", app.app.public_url);
    let told = [
        "Begun: A knock\\_out",
        "Round 1 begins: A knock\\_out",
        "Round 1 is over: A knock\\_out",
        "Over: A knock\\_out",
    ];
    let got: Vec<String> = chat.got().iter().map(said).collect();
    assert_eq!(got, told.map(|told| format!("{told} {page}")));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_webhook_names_tournaments_and_sends_their_events_again() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let organiser = app.player("olga").await;
    let page = Browsing::log_in(&app, "olga").await;
    page.get("/preferences/webhooks").await.expect(200);
    let wanted = [("url", receiver.url.as_str()), ("tournament", "on")];
    page.post("/preferences/webhooks", &wanted).await.expect(200);
    let listed = organiser.get(WEBHOOKS).await.ok()["webhooks"][0].clone();
    assert_eq!(listed["kinds"], json!(["tournament"]));
    let hook = format!("/preferences/webhooks/{}", text(&listed["id"]));
    page.get(&hook).await.expect(200);
    assert!(page.post(&format!("{hook}/challenge"), &[]).await.location().ends_with("done=active"));
    receiver.got();
    let made = organiser.post("/api/v1/tournaments", &wish("swiss", 8)).await.expect_status(201).json();
    let path = format!("/tournaments/{}", text(&made["id"]));
    organiser.post(&format!("/api/v1{path}/cancel"), &json!({})).await.expect_status(204);
    deliver(&worker).await;
    let got = receiver.got();
    assert_eq!(got.len(), 1);
    let shown = page.get(&hook).await.expect(200).html;
    for words in ["my tournaments", "Event 0 of A swiss", "Send again", &path.replace('/', "&#x2f;")] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(!shown.contains("All after it"), "it has no place in the player's feed: {shown}");
    let again = page.post(&format!("{hook}/redeliver"), &[("event", &got[0].id)]).await.location();
    assert!(again.ends_with("done=delivered"), "{again}");
    assert_eq!(receiver.got()[0].text, got[0].text);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_told_before_is_found_by_index_and_a_process_that_heard_nothing_tells_it_all_the_same() {
    let app = TestApp::with_sender(sender()).await;
    let receiver = Receiver::start();
    let season = Season::new(&app, &wish("swiss", 3), 2).await;
    verified(&season.players["player1"], &receiver, &["tournament"]).await;
    let last = app.player("player2").await;
    last.post(&format!("{}/enter", season.path), &json!({})).await.expect_status(204);
    assert!(tournaments::step(&app.app.games).await.expect("a step") > 0);
    // The worker begins afterwards, so no signal reaches it.
    let worker = worker(&app);
    app.app.clock.advance(Duration::seconds(31));
    deliver(&worker).await;
    assert_eq!(receiver.got().len(), 2);
    let mut connection = app.app.database.get().await.expect("a connection");
    let rows = "insert into tournament_events select t.id, i, now(), 'withdrew', '{}' \
        from tournaments t, generate_series(10, 9000) i; analyze tournament_events";
    connection.batch_execute(rows).await.expect("rows");
    let asked = "select line from tournament_events where tournament_id = '00000000-0000-0000-0000-000000000007' \
        and seq >= 5 order by seq limit 16";
    let plan = support::db::plan(&mut connection, asked).await;
    assert!(plan.contains("tournament_events_pkey") && !plan.contains("Seq Scan"), "{plan}");
}
