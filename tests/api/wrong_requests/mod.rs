//! Wrong requests: each gets the status and code of the one rule, the place that is wrong, and words that say what to do.
//!
//! 400: no JSON, or not the form of its media type. 422: JSON, but not as the document says. 409: as it says, but not now.

mod table;

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use self::table::{BODIES, QUERIES, Wrong};
use crate::sweep::operations::{Operation, around, sample};
use crate::sweep::values::in_json;
use pippost::api::contract::{Contract, FaultCode};
use support::client::{Answer, Client};
use support::games::pip_pip;
use support::{TestApp, contract};

/// The least number of requests that are wrong in different ways.
const MIN_KINDS: usize = 100;

/// What no answer may say: the words of a library.
const FOREIGN: [&str; 9] = [
    "at line",
    "unknown variant",
    "unknown field",
    "missing field",
    "invalid type",
    "expected one of",
    "parsing failed",
    "did not match any variant",
    "invalid value:",
];

/// What is not as the table says.
fn difference(answer: &Answer, wrong: &Wrong) -> Option<String> {
    let said = answer.text();
    let Ok(problem) = serde_json::from_str::<Value>(&said) else { return Some(said) };
    if (answer.status.as_u16(), &problem["code"]) != (wrong.status, &json!(wrong.code)) {
        return Some(said);
    }
    if let Some(foreign) = FOREIGN.iter().find(|foreign| said.contains(**foreign)) {
        return Some(format!("`{foreign}` in {said}"));
    }
    let places = problem["errors"].as_array().cloned().unwrap_or_default();
    let found: BTreeSet<&str> = places.iter().filter_map(|fault| fault["pointer"].as_str()).collect();
    let wanted: BTreeSet<&str> = wrong.places.iter().copied().collect();
    if found != wanted {
        return Some(format!("{found:?} for {wanted:?}: {said}"));
    }
    let details = places.iter().filter_map(|fault| fault["detail"].as_str());
    let words = details.chain(problem["detail"].as_str()).collect::<Vec<_>>().join("\n");
    (!words.contains(wrong.words)).then(|| format!("no `{}` in {words}", wrong.words))
}

async fn send(client: &Client, wrong: &Wrong, game: &str) -> Answer {
    let (method, path) = wrong.request.split_once(' ').expect("a method and a path");
    let path = path.replace("{game}", game);
    let body = (!wrong.body.is_empty()).then(|| wrong.body.to_owned());
    client.send(method.parse().expect("a method"), &path, body, &[]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_wrong_request_is_answered_by_what_to_do() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let kinds: BTreeSet<_> = BODIES
        .iter()
        .chain(QUERIES)
        .map(|wrong| (wrong.request, wrong.code, wrong.places, wrong.words))
        .collect();
    assert!(kinds.len() >= MIN_KINDS, "{} kinds of requests", kinds.len());
    let mut differences = Vec::new();
    for wrong in BODIES.iter().chain(QUERIES) {
        let answer = send(&ann, wrong, &game).await;
        let difference = difference(&answer, wrong);
        differences.extend(difference.map(|what| format!("{} {}: {what}", wrong.request, wrong.body)));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_no_json_is_400_and_whatever_does_not_fit_is_422_at_every_operation() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let id = game.rsplit('/').next().expect("an id");
    let mut asked = 0;
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let json = &operation["requestBody"]["content"]["application/json"];
            let is_elsewhere =
                path.contains("sandbox") || (path.contains("{id}") && !path.contains("/games/{id}"));
            if !json.is_object() || is_elsewhere {
                continue;
            }
            let path = path.replace("{id}", id);
            let method: Method = method.to_uppercase().parse().expect("a method");
            let client = if operation["security"].as_array().is_some_and(Vec::is_empty) {
                app.stranger()
            } else {
                ann.clone()
            };
            for (body, status) in [("{\"a\": ", 400), ("nothing", 400), ("[]", 422), ("{\"xyzzy\": 1}", 422)]
            {
                let answer = client.send(method.clone(), &path, Some(body.to_owned()), &[]).await;
                assert_eq!(answer.status.as_u16(), status, "{method} {path} {body}: {}", answer.text());
            }
            let plain = client
                .send(method.clone(), &path, Some("{}".into()), &[("Content-Type", "text/plain")])
                .await;
            plain.problem(415, "unsupported_media_type");
            assert_eq!(plain.headers["accept"], "application/json");
            assert_eq!(plain.headers.contains_key("accept-post"), method == Method::POST);
            asked += 1;
        }
    }
    assert!(asked > 30, "{asked} operations");
}

#[tokio::test(flavor = "multi_thread")]
async fn problems_are_told_in_the_language_of_their_reader() {
    let app = TestApp::start().await;
    let german = [("Accept-Language", "de-AT,de;q=0.9")];
    let body = Some(json!({"handle": 7, "email": "ann@example.org", "colour": "red"}).to_string());
    let answer = app.stranger().send(Method::POST, "/api/v1/accounts", body, &german).await;
    let problem = answer.problem(422, "invalid_value");
    assert_eq!((&answer.headers["content-language"], varies(&answer)), (&"de".parse().expect("text"), 1));
    assert_eq!(problem["title"], "Die Anfrage ist nicht so, wie das Dokument es sagt");
    let details: Vec<&str> = problem["errors"]
        .as_array()
        .expect("faults")
        .iter()
        .filter_map(|fault| fault["detail"].as_str())
        .collect();
    assert_eq!(
        details,
        [
            "`password` fehlt",
            "`colour` gibt es nicht; es gibt `bot`, `email`, `handle`, `invitation`, `password`",
            "Erwartet wird: Text. Gekommen ist: eine ganze Zahl",
        ]
    );
    let english = app.stranger().get("/api/v1/me").await;
    assert_eq!(english.problem(401, "unauthenticated")["title"], "A valid token is needed");
    assert_eq!((&english.headers["content-language"], varies(&english)), (&"en".parse().expect("text"), 1));
    // What is cached of an answer without a problem is the same in every language.
    assert_eq!(varies(&app.stranger().get("/api/v1/rules").await), 0);
}

/// How often an answer says that it depends on the language of the request.
fn varies(answer: &Answer) -> usize {
    let values = answer.headers.get_all("vary").iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).filter(|name| name.trim() == "accept-language").count()
}

fn challenge(answer: &Answer) -> &str {
    answer.headers["www-authenticate"].to_str().expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_says_what_is_wrong_with_the_token_and_where_to_get_one() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let url = &app.app.public_url;
    let place = format!("resource_metadata=\"{url}/.well-known/oauth-protected-resource\"");
    assert_eq!(challenge(&app.stranger().get("/api/v1/me").await), format!("Bearer {place}"));
    let reading = json!({"name": "reader", "scopes": ["read"], "expires_in_days": 1});
    let made = ann.post("/api/v1/me/tokens", &reading).await.expect_status(201).json();
    let reader = Client::new(&app.url, made["token"].as_str().map(str::to_owned));
    let refused = reader.post("/api/v1/games", &json!({"rules": "pip-pip"})).await;
    refused.problem(403, "missing_scope");
    assert_eq!(
        challenge(&refused),
        format!("Bearer error=\"insufficient_scope\", scope=\"manage\", {place}")
    );
    app.app.clock.advance(time::Duration::days(2));
    for client in [&reader, &ann] {
        let late = client.get("/api/v1/me/holidays").await;
        late.problem(401, "unauthenticated");
        let said = "error=\"invalid_token\", error_description=\"the token has expired\"";
        assert_eq!(challenge(&late), format!("Bearer {said}, {place}"));
    }
    let none = Client::new(&app.url, Some("ppt_nothing".to_owned())).get("/api/v1/me").await;
    assert!(challenge(&none).contains("the token is not valid here"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_asks_again_after_each_401_with_a_new_token_ends() {
    let app = TestApp::start().await;
    let stranger = app.stranger();
    let wrong = json!({"login": "ann", "password": "not her password"});
    stranger.post("/api/v1/sessions", &wrong).await.problem(403, "wrong_credentials");
    let used = json!({"refresh_token": "ppr_used"});
    stranger.post("/api/v1/sessions/refresh", &used).await.problem(403, "refresh_refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_resource_says_which_server_gives_tokens_for_it() {
    let app = TestApp::start().await;
    let about = app.stranger().get("/.well-known/oauth-protected-resource").await.ok();
    let server = app.stranger().get("/.well-known/oauth-authorization-server").await.ok();
    assert_eq!(about["authorization_servers"], Value::from(vec![server["issuer"].clone()]));
    assert_eq!(about["resource"], server["issuer"]);
    assert_eq!(about["scopes_supported"], server["scopes_supported"]);
    assert_eq!(about["bearer_methods_supported"], json!(["header"]));
}

/// An answer to a small request is small: it names so many faults and no more, and repeats no long name.
#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_body_gets_a_short_answer() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let many = (0..1_500).map(|number| format!("\"m{number}\":0")).collect::<Vec<_>>().join(",");
    let long = "x".repeat(15_000);
    let zeros = vec!["0"; 7_000].join(",");
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let bodies = [
        format!("{{{many}}}"),
        format!("{{\"{long}\":0}}"),
        format!("{{\"{}\":0}}", "~".repeat(15_000)),
        format!("{{\"rest_days\":[{zeros}]}}"),
        format!("{{\"actions\":[{zeros}]}}"),
        format!("{{\"actions\":{deep}}}"),
    ];
    for path in ["/api/v1/me/calendar".to_owned(), format!("{game}/standing-orders"), format!("{game}/moves")]
    {
        let method = if path.ends_with("moves") { Method::POST } else { Method::PUT };
        for body in &bodies {
            let answer = ann.send(method.clone(), &path, Some(body.clone()), &[]).await;
            let problem = answer.expect_status(422).json();
            let faults = problem["errors"].as_array().map_or(0, Vec::len);
            assert!((1..=20).contains(&faults), "{faults} faults");
            assert!(answer.text().len() < 8_000, "{}", answer.text());
        }
    }
    let query = (0..4_000).map(|number| format!("q{number}")).collect::<Vec<_>>().join("&");
    let asked = ann.get(&format!("/api/v1/games?{query}")).await;
    assert_eq!(asked.problem(422, "invalid_value")["errors"].as_array().map(Vec::len), Some(20));
}

/// Holds what the server says against a foreign validator, for every body of the document with one wrong value somewhere.
#[test]
fn the_faults_of_a_body_are_those_that_a_validator_finds() {
    let known = |_: &str| None;
    let asked = Contract::of(contract::document());
    let (mut wrong, mut right) = (0, 0);
    for operation in Operation::all() {
        let place = operation.path.replace('~', "~0").replace('/', "~1");
        let method = operation.method.to_lowercase();
        let pointer = format!("/paths/{place}/{method}/requestBody/content/application~1json/schema");
        let Some(schema) = contract::document().pointer(&pointer) else { continue };
        let Some((_, resolved)) = &operation.body else { continue };
        for path in operation.members() {
            for value in in_json() {
                let (before, after) = around(&sample("", resolved, &known), &path);
                let Ok(body) = serde_json::from_slice::<Value>(&[before, value, after].concat()) else {
                    continue;
                };
                let faults = asked.faults(schema, &body);
                let errors = contract::errors(&pointer, &body);
                let is_form = faults.iter().all(|fault| fault.code == FaultCode::Form);
                assert!(!faults.is_empty() || errors.is_empty(), "{pointer}: {errors:?}\n{body}");
                assert!(!errors.is_empty() || is_form, "{pointer}: {faults:?}\n{body}");
                wrong += usize::from(!faults.is_empty());
                right += usize::from(faults.is_empty());
            }
        }
    }
    assert!(wrong > 5_000 && right > 300, "{wrong} wrong, {right} right");
}
