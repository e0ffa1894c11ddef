//! Tests that the second verifier's page, as the server serves it, has the added game.

use std::borrow::Cow;

use pippost::record::verify;
use serde_json::json;

use crate::add_the_game;
use crate::playing::{Game, finish};
use support::TestApp;
use support::javascript::{Verdict, with_modules};

/// The part of a browser's document that the page's script needs at its start.
const DOCUMENT: &str = r#"
globalThis.document = {
  getElementById: () => ({ addEventListener() {} }),
  querySelectorAll: () => [],
  addEventListener() {},
};
globalThis.location = { protocol: "file:" };
"#;

/// The page's script, as a module that exports its verifier.
fn script_of(page: &str) -> String {
    let (_, script) = page.split_once("<script type=\"module\">").expect("a script");
    let (script, _) = script.split_once("</script>").expect("its end");
    format!("{DOCUMENT}{script}\nexport {{ verify }};\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_served_page_accepts_the_record_of_the_game_and_refuses_a_changed_one() {
    add_the_game();
    let app = TestApp::start().await;
    let Game { path, .. } = finish(&app, json!({"target": 30})).await;
    let page = app.stranger().unchecked().get("/verifier").await.expect_status(200).text();
    let rules = page.split("under the full rules of ").nth(1).and_then(|rest| rest.split(':').next());
    assert!(rules.expect("a list of games").contains("Race"), "{rules:?}");
    let record = app.stranger().get(&format!("{path}/record")).await.expect_status(200).body.clone();
    assert!(verify(&record).expect("a good record").proved);
    let text = String::from_utf8(record.clone()).expect("JSON");
    let running: String = text.split_inclusive('\n').take(4).collect();
    let other_die =
        if text.contains("\"die\":6") { ("\"die\":6", "\"die\":5") } else { ("\"die\":1", "\"die\":2") };
    let changed = text.replacen(other_die.0, other_die.1, 1);
    assert_ne!(changed, text, "the die is there");
    let unknown = text.replacen("\"rules_version\":1", "\"rules_version\":2", 1);
    let modules = vec![("verify.js", Cow::Owned(script_of(&page)))];
    let verdicts = with_modules(modules, |engine| {
        [record.as_slice(), running.as_bytes(), changed.as_bytes(), unknown.as_bytes()]
            .map(|record| engine.judge(record))
    });
    let [whole, running, changed, unknown] = verdicts;
    assert_eq!((whole, running), (Verdict::Accepted { proved: true }, Verdict::Accepted { proved: false }));
    assert!(matches!(changed, Verdict::Refused { check: 2, .. }), "{changed:?}");
    assert_eq!(unknown, Verdict::Refused { check: 1, place: "header".to_owned() });
}
