//! What the examples' test has seen, with everything fixed that differs from run to run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pippost::record::Master;
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{GAME, HANDED_OVER, MASTER, RESIGNED};
use support::client::{Answer, Client};
use support::feed::{NDJSON, SSE};
use support::{TestApp, apps, contract};

/// What stands for secrets and for what differs between servers, by the member that holds it.
const FIXED: [(&str, &str); 17] = [
    ("challenge", "K5TEMVXQ2BLEYQJZ4HWVDB2T6A"),
    ("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
    ("secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
    ("code", "ppc_an-authorization-code"),
    ("access_token", "eyJhbGciOiJFZERTQSJ9.eyJleGFtcGxlIjp0cnVlfQ.c2lnbmF0dXJl"),
    ("device_code", "ppd_a-device-code"),
    ("user_code", "BCDF-GHJK"),
    ("verification_uri_complete", "http://127.0.0.1:8080/device?user_code=BCDF-GHJK"),
    ("receipt", "eyJhbGciOiJFZERTQSJ9.eyJleGFtcGxlIjp0cnVlfQ.c2lnbmF0dXJl"),
    ("receipts", "eyJhbGciOiJFZERTQSJ9.eyJleGFtcGxlIjp0cnVlfQ.c2lnbmF0dXJl"),
    ("refresh_token", "ppr_a-refresh-token"),
    ("token", "a-token"),
    ("invitation", "an-invitation"),
    ("kid", "a-key"),
    ("reply_to", "play+a-token@example.org"),
    ("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
    ("public_key", "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"),
];

/// What stands within texts for what differs, by what it follows: in links, addresses for answers, and the headers of mails.
const SECRETS: [(&str, &str); 4] =
    [("token=", "a-token"), ("play+", "a-token"), ("boundary=\"", "a-boundary"), ("\r\n--", "a-boundary")];

/// The longest text of an example; the rest of a longer one is left out.
const MAX_TEXT_CHARS: usize = 100;

/// The most entries of a list in an example, and the most that are objects.
const MAX_ENTRIES: usize = 2;
const MAX_OBJECTS: usize = 1;

/// What was asked and answered, by operation.
pub struct Book {
    /// The address of the examples' receiver of webhooks.
    receiver: String,
    /// Of the server, as it is reached and as it is known, and of the sandbox.
    urls: [String; 3],
    pub seen: BTreeMap<String, Value>,
    /// The ids met so far, in order.
    ids: Vec<String>,
}

impl Book {
    pub fn new(receiver: String, urls: [String; 3]) -> Self {
        Self { receiver, urls, seen: BTreeMap::new(), ids: Vec::new() }
    }

    /// Sends a request and keeps it and its answer as the operation's examples.
    pub async fn ask(&mut self, who: &Client, operation: &str, path: &str, body: Option<Value>) -> Answer {
        let (method, _) = found(operation);
        let text = body.as_ref().map(ToString::to_string);
        let answer = who.send(method, path, text, &[]).await;
        assert!(answer.status.is_success(), "{operation}: {}", answer.text());
        self.keep(operation, body, &answer);
        answer
    }

    /// The same for an operation that takes a form; its example is the form's members.
    pub async fn ask_by_form(&mut self, app: &TestApp, operation: &str, form: &[(&str, &str)]) -> Answer {
        let (_, path) = found(operation);
        let answer = apps::send_form(app, &path, form).await;
        assert!(answer.status.is_success(), "{operation}: {}", answer.text());
        let members = form.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value)));
        self.keep(operation, Some(Value::Object(members.collect())), &answer);
        answer
    }

    pub fn keep(&mut self, operation: &str, body: Option<Value>, answer: &Answer) {
        let mut example = Map::new();
        if let Some(body) = body {
            example.insert("request".to_owned(), self.fixed("", body));
        }
        let kind = answer.headers.get(CONTENT_TYPE).map(|kind| kind.to_str().expect("ASCII").to_owned());
        let shown = match kind.as_deref() {
            Some("application/json") => Some(answer.json()),
            Some(kind) if is_text(kind) => Some(answer.text().into()),
            _ => None,
        };
        if let Some(shown) = shown {
            let shown = self.fixed("", shown);
            example.insert("answers".to_owned(), json!({answer.status.as_str(): shown}));
        }
        self.seen.insert(operation.to_owned(), example.into());
    }

    /// Keeps what an operation sends as a stream, beside its page: the beginning with the first event.
    pub async fn keep_streams(&mut self, who: &Client, operation: &str, path: &str) {
        let mut streams = Map::new();
        for media_type in [NDJSON, SSE] {
            let first = first_of_stream(who, path, media_type).await;
            // Readers are told different times, by how many streams this process has begun.
            let first = match first.split_once('\n') {
                Some((line, rest)) if line.starts_with("retry: ") => format!("retry: 1000\n{rest}"),
                _ => first,
            };
            streams.insert(media_type.to_owned(), self.with_fixed_ids(&first).into());
        }
        self.seen.get_mut(operation).expect("its page")["streams"] = streams.into();
    }

    /// Keeps what a webhook was sent.
    pub fn keep_sent(&mut self, operation: &str, body: Value) {
        let example = json!({"request": self.fixed("", body)});
        self.seen.insert(operation.to_owned(), example);
    }

    /// A value with everything replaced that differs from run to run.
    pub fn fixed(&mut self, member: &str, value: Value) -> Value {
        match value {
            Value::Object(members) => {
                let fix = |(name, value): (String, Value)| {
                    let value = self.fixed(&name, value);
                    (name, value)
                };
                Value::Object(members.into_iter().map(fix).collect())
            }
            Value::Array(items) => {
                let most = if items.iter().any(Value::is_object) { MAX_OBJECTS } else { MAX_ENTRIES };
                items.into_iter().take(most).map(|item| self.fixed(member, item)).collect()
            }
            Value::String(text) => self.fixed_text(member, &text).into(),
            Value::Number(_) if member == "milliseconds" => 120.into(),
            other => other,
        }
    }

    fn fixed_text(&mut self, member: &str, text: &str) -> String {
        if let Some((_, fixed)) = FIXED.iter().find(|(name, _)| *name == member) {
            return (*fixed).to_owned();
        }
        if ["commitment", "draw_commitment"].contains(&member) {
            let of = |game| hex::encode(Master::from_bytes(MASTER).commitment(game).as_bytes());
            let own = [RESIGNED, HANDED_OVER].iter().any(|game| text == of(*game));
            return if own { text.to_owned() } else { of(GAME) };
        }
        let text = text.replace(&self.receiver, "https://hooks.example.org/pippost");
        let text =
            self.urls.iter().fold(text.clone(), |text, url| text.replace(url, "http://127.0.0.1:8080"));
        let marks = SECRETS.iter().chain([&("\"challenge\":\"", FIXED[0].1)]);
        let text = marks.fold(text, |text, (mark, fixed)| without(&text, mark, fixed));
        self.with_fixed_ids(&text).chars().take(MAX_TEXT_CHARS).collect()
    }

    fn with_fixed_ids(&mut self, text: &str) -> String {
        let mut fixed = String::new();
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            if let Some(id) = rest.get(..36).filter(|id| Uuid::try_parse(id).is_ok()) {
                fixed.push_str(&self.fixed_id(id));
                rest = &rest[36..];
            } else {
                fixed.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        fixed
    }

    fn fixed_id(&mut self, id: &str) -> String {
        if [GAME, RESIGNED, HANDED_OVER].iter().any(|game| game.to_string() == id) {
            return id.to_owned();
        }
        let known = self.ids.iter().position(|known| known == id);
        let number = known.unwrap_or_else(|| {
            self.ids.push(id.to_owned());
            self.ids.len() - 1
        });
        format!("01a209f0-0000-7000-8000-{number:012}")
    }

    /// Compares it with what is committed, or writes that anew.
    pub fn compare(&self) {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("openapi/examples.json");
        let seen = serde_json::to_string_pretty(&self.seen).expect("plain data") + "\n";
        if std::env::var_os("PIPPOST_WRITE_EXAMPLES").is_some() {
            std::fs::write(&path, seen).expect("a file");
            return;
        }
        let kept = std::fs::read_to_string(&path).expect("openapi/examples.json");
        assert!(
            kept == seen,
            "answers have changed: run this test with PIPPOST_WRITE_EXAMPLES=1, read the difference, and commit it\n{seen}"
        );
        for (path, item) in contract::document()["paths"].as_object().expect("paths") {
            for (method, operation) in item.as_object().expect("operations") {
                let name = operation["operationId"].as_str().expect("a name");
                assert!(self.seen.contains_key(name), "{method} {path} has no example");
            }
        }
    }
}

fn is_text(media_type: &str) -> bool {
    media_type.starts_with("text/")
        || media_type == "message/rfc822"
        || media_type.ends_with("ndjson")
        || media_type.ends_with("xml")
}

/// A stream up to the end of its first event.
async fn first_of_stream(who: &Client, path: &str, media_type: &str) -> String {
    let request = who.request(Method::GET, path).header(ACCEPT, media_type);
    let mut answer = request.send().await.and_then(reqwest::Response::error_for_status).expect("a stream");
    let end = if media_type == SSE { "\n\n" } else { "\n" };
    let mut text = String::new();
    loop {
        let event = text.find("\"type\":\"event\"").and_then(|at| Some(at + text[at..].find(end)?));
        if let Some(at) = event {
            text.truncate(at + end.len());
            return text;
        }
        let chunk = answer.chunk().await.expect("a stream").expect("an event");
        text.push_str(std::str::from_utf8(&chunk).expect("UTF-8"));
    }
}

/// A text with what stands after each `mark` replaced by `fixed`.
fn without(text: &str, mark: &str, fixed: &str) -> String {
    let mut parts = text.split(mark);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let after =
            part.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter));
        kept.push_str(mark);
        kept.push_str(fixed);
        kept.push_str(after);
    }
    kept
}

/// Method and path of an operation.
fn found(operation: &str) -> (Method, String) {
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for (method, described) in item.as_object().expect("operations") {
            if described["operationId"] == operation {
                return (method.to_uppercase().parse().expect("a method"), path.clone());
            }
        }
    }
    panic!("there is no operation {operation}");
}
