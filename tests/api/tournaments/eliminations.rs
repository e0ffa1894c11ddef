//! Double elimination through the API: who has lost twice is out, and places are by the round of the second loss.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use support::TestApp;

use super::{Season, check_chance, text, wish};

/// How often each has lost, and the round of the second loss.
async fn losses(season: &Season<'_>) -> BTreeMap<String, (u64, Option<u64>)> {
    let mut lost: BTreeMap<String, (u64, Option<u64>)> = BTreeMap::new();
    let rounds = season.table().await["tournament"]["round"].as_u64().expect("a number");
    for round in 1..=rounds {
        for pairing in season.round(round).await {
            let loser = match pairing["outcome"].as_str() {
                Some("first") => &pairing["second"],
                Some("second") => &pairing["first"],
                // A bye, or a game that runs.
                None => continue,
                other => panic!("{other:?} where somebody resigned"),
            };
            let (count, out) = lost.entry(text(loser).to_owned()).or_default();
            *count += 1;
            *out = (*count == 2).then_some(round);
        }
    }
    lost
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_double_elimination_of_six_all_but_one_lose_twice() {
    let app = TestApp::start().await;
    let season = Season::new(&app, &wish("double_elimination", 6), 6).await;
    let most = season.table().await["tournament"]["rounds"].as_u64().expect("a number");
    // The higher name loses, but the first final goes to whoever has lost before, so that there is a second one.
    while season.table().await["tournament"]["status"] == "running" {
        let lost = losses(&season).await;
        let of = |handle: &str| lost.get(handle).map_or(0, |(count, _)| *count);
        let is_first_final =
            lost.values().filter(|(count, _)| *count == 2).count() == 4 && of("player0") == 0;
        season.play(|first, second| if is_first_final { first == "player0" } else { first > second }).await;
    }
    let table = season.table().await;
    let (tournament, lost) = (&table["tournament"], losses(&season).await);
    assert_eq!((&tournament["status"], &tournament["round"]), (&json!("finished"), &json!(most)));
    assert_eq!(lost["player0"].0, 1, "{lost:?}");
    let standings = table["standings"].as_array().expect("a list");
    assert_eq!(standings[0]["handle"], "player0");
    assert_eq!(standings[0]["points"].to_string(), format!("{most}.0"));
    for row in &standings[1..] {
        let (count, out) = lost[text(&row["handle"])];
        assert_eq!(count, 2, "{row}");
        let survived = out.expect("a round") - 1;
        assert_eq!(row["points"].to_string(), format!("{survived}.0"), "{row}");
    }
    let places: Vec<&Value> = standings.iter().map(|row| &row["place"]).collect();
    assert_eq!(places[..3], [1, 2, 3]);
    let last = season.round(most).await;
    assert_eq!(last.len(), 1, "the second final");
    check_chance(&season).await;
}
