//! Apps as their authors would write them: registering, the consent page in a browser without scripts, and the token endpoint.

use reqwest::Method;
use serde_json::{Value, json};
use url::Url;

use super::client::{Answer, Client};
use super::{PASSWORD, TestApp};

/// The redirect URI of apps.
pub const REDIRECT: &str = "https://app.example.org/done";

/// The verifier and its challenge of RFC 7636, appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub const AUTHORIZE: &str = "/oauth/authorize";
pub const TOKEN: &str = "/api/v1/oauth/token";
pub const REVOKE: &str = "/api/v1/oauth/revoke";
pub const APPS: &str = "/api/v1/me/apps";
pub const MY_GRANTS: &str = "/api/v1/me/grants";

const FORM: [(&str, &str); 1] = [("Content-Type", "application/x-www-form-urlencoded")];

/// Registers an app; its `client_id`.
pub async fn register(owner: &Client) -> String {
    let wanted =
        json!({"name": "Board at hand", "homepage": "https://app.example.org/", "redirect_uris": [REDIRECT]});
    let made = owner.post(APPS, &wanted).await.expect_status(201).json();
    made["id"].as_str().expect("an id").to_owned()
}

/// Parameters, as in a query or a form.
pub fn encoded(pairs: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// A good request for a code, with some parameters replaced; an empty one is left out.
pub fn request<'a>(
    client_id: &'a str,
    scope: &'a str,
    but: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    let good = [
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", REDIRECT),
        ("scope", scope),
        ("state", "a state & more"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    let replaced = |(name, value): (&'a str, &'a str)| {
        let other = but.iter().find(|(other, _)| *other == name);
        (name, other.map_or(value, |(_, other)| *other))
    };
    good.into_iter().map(replaced).filter(|(_, value)| !value.is_empty()).collect()
}

/// Opens the consent page.
pub async fn open(app: &TestApp, pairs: &[(&str, &str)]) -> Answer {
    app.stranger().unchecked().get(&format!("{AUTHORIZE}?{}", encoded(pairs))).await
}

/// The hidden fields of a consent page.
pub fn hidden(page: &Answer) -> Vec<(String, String)> {
    let text = page.text();
    let fields = text.split("<input type=\"hidden\" name=\"").skip(1);
    let field = |part: &str| {
        let (name, rest) = part.split_once("\" value=\"").expect("a value");
        (name.to_owned(), rest.split('"').next().expect("its end").to_owned())
    };
    fields.map(field).collect()
}

/// Sends the form of a consent page.
pub async fn answer(app: &TestApp, page: &Answer, further: &[(&str, &str)]) -> Answer {
    let hidden = hidden(page);
    let mut pairs: Vec<(&str, &str)> =
        hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    pairs.extend(further);
    send_form(app, AUTHORIZE, &pairs).await
}

/// Allows what a consent page asks for.
pub async fn allow(app: &TestApp, page: &Answer, login: &str) -> Answer {
    answer(app, page, &[("login", login), ("password", PASSWORD), ("answer", "allow")]).await
}

/// Sends a form. Answers of the API are checked against its document.
pub async fn send_form(app: &TestApp, path: &str, pairs: &[(&str, &str)]) -> Answer {
    let client = if path == AUTHORIZE { app.stranger().unchecked() } else { app.stranger() };
    client.send(Method::POST, path, Some(encoded(pairs)), &FORM).await
}

/// A text without the escapes of HTML.
fn plain(html: &str) -> String {
    let escapes =
        [("&#x2f;", "/"), ("&#x27;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    escapes.iter().fold(html.to_owned(), |text, (escape, sign)| text.replace(escape, sign))
}

/// Where a page sends the browser by itself.
pub fn sent_to(page: &Answer) -> Option<Url> {
    let text = page.text();
    let (_, rest) = text.split_once("http-equiv=\"refresh\" content=\"0;url=")?;
    Some(plain(rest.split('"').next().expect("its end")).parse().expect("a URL"))
}

/// The link back to the app on a page that refuses.
pub fn link_back(page: &Answer) -> Option<Url> {
    let text = page.text();
    let (_, rest) = text.split_once("<main").expect("a page").1.split_once("href=\"")?;
    plain(rest.split('"').next().expect("its end")).parse().ok()
}

/// A parameter of an address.
pub fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

/// The code that a player gives an app.
pub async fn code(app: &TestApp, client_id: &str, scope: &str, login: &str) -> String {
    let page = open(app, &request(client_id, scope, &[])).await;
    page.expect_status(200);
    let back = sent_to(allow(app, &page, login).await.expect_status(200)).expect("a way back");
    parameter(&back, "code").expect("a code")
}

/// A good request for tokens in exchange for a code.
pub fn exchange<'a>(client_id: &'a str, code: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("grant_type", "authorization_code"),
        ("client_id", client_id),
        ("code", code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ]
}

/// The tokens that an app gets after a player has allowed a scope.
pub async fn tokens(app: &TestApp, client_id: &str, scope: &str, login: &str) -> Value {
    let code = code(app, client_id, scope, login).await;
    send_form(app, TOKEN, &exchange(client_id, &code)).await.ok()
}

/// An app's request with a refresh token.
pub async fn refresh(app: &TestApp, client_id: &str, token: &Value, further: &[(&str, &str)]) -> Answer {
    let token = token.as_str().expect("a token");
    let mut pairs = vec![("grant_type", "refresh_token"), ("client_id", client_id), ("refresh_token", token)];
    pairs.extend(further);
    send_form(app, TOKEN, &pairs).await
}

/// A client with the access token of an answer.
pub fn client(app: &TestApp, tokens: &Value) -> Client {
    Client::new(&app.url, Some(tokens["access_token"].as_str().expect("a token").to_owned()))
}

/// Checks that an answer is an error of OAuth by that name.
#[track_caller]
pub fn refused(answer: &Answer, error: &str) {
    answer.expect_status(400);
    let body = answer.json();
    assert_eq!((&body["error"], &body["code"]), (&json!(error), &json!(error)));
    assert!(body["error_description"].is_string());
    assert_eq!(answer.headers["content-type"], "application/json");
    assert_eq!(answer.headers["cache-control"], "no-store");
}
