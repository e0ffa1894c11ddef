//! The scopes and deprecations that the document names are those of the server: every operation is asked with every kind of token.

use std::collections::{BTreeMap, BTreeSet};

use pippost::accounts::Scope;
use pippost::api::Code;
use pippost::api::declared::codes_of;
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;

use support::client::Answer;
use support::games::{pip_pip, pip_pip_again};
use support::post::Post;
use support::{Client, PASSWORD, TestApp, apps, contract};

/// The scopes that tokens may have.
fn scopes() -> Vec<&'static str> {
    Scope::of_tokens().map(Scope::as_str).collect()
}

/// The scopes of tokens for one game.
fn of_a_game() -> Vec<&'static str> {
    Scope::of_a_game().map(Scope::as_str).collect()
}

/// What the document says about an operation.
struct Operation {
    name: String,
    method: Method,
    path: String,
    /// Media type and text of the example in the document, so that nothing but the token can be wrong.
    body: Option<(String, String)>,
    /// The scope that a token needs; `None`: it takes no player's token.
    scope: Option<String>,
    /// Whether strangers may ask.
    is_open: bool,
    /// Whether a token for another game is refused.
    refuses_limited: bool,
    /// Whether it takes a secret of the operator.
    is_operators: bool,
}

fn body(operation: &Value) -> Option<(String, String)> {
    let content = operation["requestBody"]["content"].as_object()?;
    let (kind, content) =
        content.iter().find(|(_, content)| contract::example(content).is_some()).expect("an example");
    let example = contract::example(content).expect("found");
    let text = match (kind.as_str(), example.as_object()) {
        ("application/x-www-form-urlencoded", Some(members)) => {
            let pairs: Vec<_> =
                members.iter().map(|(name, value)| (name.as_str(), value.as_str().expect("text"))).collect();
            apps::encoded(&pairs)
        }
        _ => example.as_str().map_or_else(|| example.to_string(), str::to_owned),
    };
    Some((kind.clone(), text))
}

fn operations() -> Vec<Operation> {
    let mut found = Vec::new();
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let security = operation["security"].as_array().expect("requirements");
            // Apps may do whatever personal tokens may, and what only sessions may is no scope of theirs.
            let of_apps = security.iter().find_map(|one| one["oauth"][0].as_str());
            let takes_token = security.iter().any(|one| one.get("token") == Some(&json!([])));
            assert!(takes_token || of_apps.is_none(), "{method} {path}");
            let scope = takes_token.then(|| of_apps.unwrap_or("account").to_owned());
            found.push(Operation {
                name: operation["operationId"].as_str().expect("a name").to_owned(),
                method: method.to_uppercase().parse().expect("a method"),
                path: path.clone(),
                body: body(operation),
                is_operators: scope.is_none() && !security.is_empty(),
                is_open: security.is_empty() || security.contains(&json!({})),
                refuses_limited: codes_of(operation).contains(&Code::TokenLimited),
                scope,
            });
        }
    }
    found
}

/// A kind of token.
struct Holder {
    what: String,
    client: Client,
    token: Token,
}

enum Token {
    None,
    /// Refused with that code wherever a token is looked at.
    Ended(&'static str),
    Session,
    /// With these scopes; perhaps for one game only.
    Limited(Vec<&'static str>, bool),
}

/// What the document promises to a holder: a code, or to be let in. `None`: what anybody gets, since no token is looked at.
fn expected(operation: &Operation, token: &Token, in_own_game: bool) -> Option<&'static str> {
    let scope = operation.scope.as_ref()?;
    Some(match token {
        Token::None if operation.is_open => "let in",
        Token::None => "unauthenticated",
        Token::Ended(code) => code,
        Token::Limited(scopes, _) if !scopes.contains(&scope.as_str()) => "missing_scope",
        Token::Limited(_, true) if operation.refuses_limited && !in_own_game => "token_limited",
        Token::Session | Token::Limited(..) => "let in",
    })
}

fn given(answer: &Answer) -> String {
    let refusals = ["unauthenticated", "session_revoked", "missing_scope", "token_limited"];
    let code = match answer.status.as_u16() {
        401 | 403 => answer.json()["code"].as_str().expect("a code").to_owned(),
        _ => String::new(),
    };
    if refusals.contains(&code.as_str()) { code } else { "let in".to_owned() }
}

async fn personal(app: &TestApp, ann: &Client, scopes: &[&str], further: Value) -> (Client, String) {
    let mut wanted = json!({"name": "matrix", "scopes": scopes});
    wanted.as_object_mut().expect("an object").extend(further.as_object().cloned().unwrap_or_default());
    let made = ann.post("/api/v1/me/tokens", &wanted).await.expect_status(201).json();
    let client = Client::new(&app.url, made["token"].as_str().map(str::to_owned));
    (client, made["id"].as_str().expect("an id").to_owned())
}

/// Tokens that were good once.
async fn ended(app: &TestApp, client_id: &str) -> Vec<Holder> {
    let session = app.log_in("ann").await;
    let (short, _) = personal(app, &session, &scopes(), json!({"expires_in_days": 1})).await;
    let access = apps::client(app, &apps::tokens(app, client_id, &scopes().join(" "), "ann").await);
    for client in [&session, &short, &access] {
        client.get("/api/v1/me").await.ok();
    }
    app.app.clock.advance(Duration::days(1));
    let ann = app.log_in("ann").await;
    let (revoked, id) = personal(app, &ann, &scopes(), json!({})).await;
    ann.delete(&format!("/api/v1/me/tokens/{id}")).await.expect_status(204);
    let ended_app = apps::client(app, &apps::tokens(app, client_id, &scopes().join(" "), "ann").await);
    let grant = ann.get(apps::MY_GRANTS).await.ok()["grants"][0]["id"].as_str().expect("an id").to_owned();
    ann.delete(&format!("{}/{grant}", apps::MY_GRANTS)).await.expect_status(204);
    let logged_out = app.log_in("ann").await;
    logged_out.delete("/api/v1/sessions/current").await.expect_status(204);
    let holder =
        |what: &str, client, code| Holder { what: what.to_owned(), client, token: Token::Ended(code) };
    vec![
        holder("expired session", session, "unauthenticated"),
        holder("expired personal token", short, "unauthenticated"),
        holder("expired token of an app", access, "unauthenticated"),
        holder("revoked personal token", revoked, "unauthenticated"),
        holder("revoked app", ended_app, "unauthenticated"),
        holder("ended session", logged_out, "session_revoked"),
    ]
}

/// The tokens in the links of ann's mails, each kind once: they are good for what the link says, and for nothing else.
async fn mailed(app: &TestApp) -> Vec<Holder> {
    let asked = json!({"email": "ann@example.org"});
    app.stranger().post("/api/v1/password-resets", &asked).await.expect_status(202);
    let mut found = BTreeMap::new();
    for got in Post::of(app).all("ann").await {
        let in_links = got.raw.replace("=\r\n", "");
        let links = in_links.split("token=3D").chain(in_links.split("token=")).skip(1);
        let mut tokens: Vec<String> = links
            .map(|rest| {
                rest.chars()
                    .take_while(|next| next.is_ascii_alphanumeric() || "-_.".contains(*next))
                    .collect()
            })
            .collect();
        let address = got.reply_to.as_deref().and_then(|address| address.split(['+', '@']).nth(1));
        tokens.extend(address.map(str::to_owned));
        for (number, token) in tokens.into_iter().filter(|token| token.len() > 15).enumerate() {
            found.entry(token).or_insert_with(|| format!("token {number} of a mail {}", got.kind));
        }
    }
    let kinds: BTreeSet<_> = found.values().map(|what| what.rsplit(' ').next().expect("a kind")).collect();
    for kind in ["confirm_email", "reset_password", "turn"] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
    let holder = |(token, what): (String, String)| Holder {
        what,
        client: Client::new(&app.url, Some(token)),
        token: Token::Ended("unauthenticated"),
    };
    found.into_iter().map(holder).collect()
}

/// Every kind of token that ann may have; those for one game are for `game`.
async fn holders(app: &TestApp, client_id: &str, game: &str) -> Vec<Holder> {
    let mut found = vec![Holder { what: "nobody".into(), client: app.stranger(), token: Token::None }];
    found.extend(ended(app, client_id).await);
    let ann = app.log_in("ann").await;
    for scope in scopes() {
        let (client, _) = personal(app, &ann, &[scope], json!({})).await;
        let token = || Token::Limited(vec![scope], false);
        found.push(Holder { what: format!("personal {scope}"), client, token: token() });
        let client = apps::client(app, &apps::tokens(app, client_id, scope, "ann").await);
        found.push(Holder { what: format!("app {scope}"), client, token: token() });
    }
    for scope in of_a_game() {
        let (client, _) = personal(app, &ann, &[scope], json!({"game": game})).await;
        let token = || Token::Limited(vec![scope], true);
        found.push(Holder { what: format!("personal {scope} of a game"), client, token: token() });
        // An app has five grants of a player, so these are of another app.
        let other = apps::register(&ann).await;
        let scopes = format!("{scope} game:{game}");
        let client = apps::client(app, &apps::tokens(app, &other, &scopes, "ann").await);
        found.push(Holder { what: format!("app {scope} of a game"), client, token: token() });
    }
    found.push(Holder { what: "session".into(), client: ann, token: Token::Session });
    found
}

/// The paths of an operation: below a game that of the tokens, and another. In place of another thing's id the tokens' game opens nothing.
fn paths(operation: &Operation, games: [&str; 2]) -> Vec<(String, bool)> {
    let path = operation.path.replace("{handle}", "ann").replace("{name}", "pip-pip");
    if path.starts_with("/api/v1/games/{id}") {
        return games.iter().map(|game| (path.replace("{id}", game), *game == games[0])).collect();
    }
    let mut ids = vec!["01a1fe2a-89df-7515-9c5d-9fde96828ff2"];
    ids.extend(path.contains("{id}").then_some(games[0]));
    ids.into_iter().map(|id| (path.replace("{id}", id), false)).collect()
}

/// Another session of ann, whose password may have been changed by an operation.
async fn session_again(app: &TestApp) -> Client {
    for password in [PASSWORD, "another long password"] {
        let body = json!({"login": "ann", "password": password});
        let answer = app.stranger().post("/api/v1/sessions", &body).await;
        if answer.status == 201 {
            return Client::new(&app.url, answer.json()["access_token"].as_str().map(str::to_owned));
        }
    }
    panic!("ann has another password")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_lets_in_the_tokens_that_the_document_names_and_no_others() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let other = pip_pip_again(&ann, &bob).await;
    let id = |game: &str| game.rsplit('/').next().expect("an id").to_owned();
    let (game, other) = (id(&game), id(&other));
    let client_id = apps::register(&ann).await;
    let mut holders = holders(&app, &client_id, &game).await;
    assert_eq!(holders.len(), 8 + 2 * (scopes().len() + of_a_game().len()));
    holders.extend(mailed(&app).await);
    let operations = operations();
    assert!(operations.len() > 50, "{}", operations.len());
    let mut wrong = Vec::new();
    for operation in &operations {
        for (path, in_own_game) in paths(operation, [&game, &other]) {
            let mut anybody = None;
            for holder in &mut holders {
                if matches!(holder.token, Token::Session)
                    && holder.client.get("/api/v1/me").await.status == 401
                {
                    holder.client = session_again(&app).await;
                }
                let (body, headers) = match &operation.body {
                    // Not with her password: ann is needed for the operations that follow.
                    Some((kind, body)) if path.ends_with("/me/deletion") => (
                        Some(body.replace(PASSWORD, "not the password")),
                        vec![("Content-Type", kind.as_str())],
                    ),
                    Some((kind, body)) => (Some(body.clone()), vec![("Content-Type", kind.as_str())]),
                    None => (None, Vec::new()),
                };
                let answer = holder.client.send(operation.method.clone(), &path, body, &headers).await;
                if operation.is_operators {
                    assert!(matches!(answer.status.as_u16(), 401 | 404), "{path}: {}", answer.text());
                    continue;
                }
                let given = given(&answer);
                let anybody = anybody.get_or_insert_with(|| given.clone());
                let expected = expected(operation, &holder.token, in_own_game).unwrap_or(anybody);
                if given != expected {
                    wrong.push(format!(
                        "{} {path} with {}: {given}, not {expected}",
                        operation.method, holder.what
                    ));
                }
                if given == "missing_scope" {
                    assert_eq!(answer.json()["scope"], json!(operation.scope), "{path}");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn each_scope_allows_something_and_only_sessions_manage_accounts() {
    let operations = operations();
    let of = |scope: &str| -> Vec<&str> {
        let with = operations.iter().filter(|operation| operation.scope.as_deref() == Some(scope));
        with.map(|operation| operation.name.as_str()).collect()
    };
    let names = contract::document()["components"]["securitySchemes"]["oauth"]["flows"]["authorizationCode"]
        ["scopes"]
        .as_object()
        .expect("scopes");
    let known: BTreeSet<&str> = names.keys().map(String::as_str).collect();
    assert_eq!(known, scopes().into_iter().collect());
    assert!(known.is_superset(&BTreeSet::from(["read", "play", "manage", "mail", "webhooks"])));
    for scope in scopes() {
        assert!(!of(scope).is_empty(), "{scope} allows nothing");
    }
    assert!(of("account").contains(&"change_password") && of("account").contains(&"register_app"));
    let in_a_game = |scope: &str| {
        let with = |operation: &&Operation| {
            operation.scope.as_deref() == Some(scope) && operation.path.starts_with("/api/v1/games/{id}")
        };
        operations.iter().any(|operation| with(&operation))
    };
    for scope in scopes() {
        assert_eq!(in_a_game(scope), of_a_game().contains(&scope), "{scope} for one game");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deprecated_operation_says_so_in_every_answer_and_in_the_document() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let old = "/api/v1/me/wishes";
    let answers = [ann.get(old).await, app.stranger().get(old).await];
    assert_eq!(answers[0].ok(), ann.get("/api/v1/me/notification-preferences").await.ok());
    answers[1].problem(401, "unauthenticated");
    for answer in &answers {
        assert_eq!(answer.headers["deprecation"], "@1795392000");
        assert_eq!(answer.headers["sunset"], "Tue, 01 Jun 2027 00:00:00 GMT");
        assert_eq!(
            answer.headers["link"],
            "</api/v1/me/notification-preferences>; rel=\"successor-version\""
        );
    }
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("operations").values() {
            let is_old = path == old;
            assert_eq!(operation["deprecated"] == true, is_old, "{path}");
            for answer in operation["responses"].as_object().expect("answers").values() {
                let headers = ["Deprecation", "Sunset", "Link"];
                let all = headers.iter().all(|name| answer["headers"].get(name).is_some());
                assert!(all || !is_old, "{path}");
            }
        }
    }
}
