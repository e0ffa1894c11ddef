//! Tests that no text from a client causes a server error or a growing line in the log: sends invalid values for every
//! parameter and every member of every body of every operation in the OpenAPI document, without a token, with a good one and
//! with a bad one.
//!
//! New operations and parameters are included automatically.

pub mod operations;
pub mod values;
mod world;

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::sync::{LazyLock, Mutex};

use reqwest::Method;
use reqwest::header::CONTENT_TYPE;

use self::operations::{Operation, around, sample};
use self::world::{Actor, next_peer, server};
use support::client::Answer;
use support::process::Server;
use support::raw::{RawClient, request};
use support::samples::samples;
use support::{INBOUND_SECRET, contract};

/// More than any answer to such a request needs.
const MAX_ANSWER_BYTES: usize = 256 * 1024;

/// The program's guarantees: the longest line of its log, and the most lines of a kind in a minute.
const MAX_LINE_BYTES: usize = 4096;
const MAX_LINES_A_MINUTE: usize = 120;

/// Headers that every operation may get, beside the documented ones.
const HEADERS: [&str; 12] = [
    "Accept",
    "Accept-Encoding",
    "Accept-Language",
    "Content-Encoding",
    "Content-Type",
    "Cookie",
    "Forwarded",
    "If-None-Match",
    "Range",
    "User-Agent",
    "X-Forwarded-For",
    "X-Inbound-Secret",
];

/// One operation in this many gets all values for these headers, because each is read in only one place.
const HEADERS_EVERY: usize = 6;

/// The token of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    None,
    Good,
    Bad,
}

/// A value that is tried is sent with a good token. Requests with a bad token or none mostly fail before the value is read, so each place
/// gets one value in this many, different from the place before; with `PIPPOST_SWEEP=all` every one.
const OTHER_TOKENS_EVERY: usize = 4;

/// Each place gets one value in this many, the next place the others; with `PIPPOST_SWEEP=all` every place gets every value.
fn values_every() -> usize {
    samples(16, 2)
}

/// Whether everything is tried.
fn all() -> bool {
    static ALL: LazyLock<bool> =
        LazyLock::new(|| std::env::var("PIPPOST_SWEEP").is_ok_and(|what| what == "all"));
    *ALL
}

/// The values for a place, with their numbers.
fn tried<T>(place: usize, values: Vec<T>) -> impl Iterator<Item = (usize, T)> {
    let numbered = values.into_iter().enumerate();
    numbered.filter(move |(number, _)| all() || (place + number).is_multiple_of(values_every()))
}

/// The tokens with which a value is sent.
fn tokens(place: usize, value: usize) -> &'static [Token] {
    const TOKENS: [Token; 3] = [Token::Good, Token::None, Token::Bad];
    if all() || (place + value).is_multiple_of(OTHER_TOKENS_EVERY) { &TOKENS } else { &TOKENS[..1] }
}

/// A request with one invalid value.
struct Try<'a> {
    what: String,
    target: Vec<u8>,
    headers: Vec<(&'a str, Vec<u8>)>,
    body: Option<Vec<u8>>,
    breaks_http: bool,
}

/// Tests operations one after the other, each over a connection of its own.
struct Sweeper {
    client: RawClient,
    actor: Actor,
    requests: usize,
    bad_tokens: Vec<Vec<u8>>,
    /// The faults found, in words.
    faults: Vec<String>,
}

impl Sweeper {
    fn new(address: SocketAddr) -> Self {
        let mut client = RawClient::new(address);
        let actor = Actor::new(&mut client);
        Self { client, actor, requests: 0, bad_tokens: values::bad_tokens(), faults: Vec::new() }
    }

    fn sweep(&mut self, number: usize, operation: &Operation) {
        self.sweep_parameters(number, operation);
        self.sweep_body(number, operation);
        let named = operation.parameters.iter().filter(|parameter| parameter.place == "header");
        let mut headers: Vec<&str> = named.map(|parameter| parameter.name.as_str()).collect();
        headers.push("Authorization");
        if number.is_multiple_of(HEADERS_EVERY) {
            headers.extend(HEADERS);
        }
        for header in headers {
            for (_, value) in tried(number, values::in_header()) {
                let mut one = self.good(operation);
                one.what = format!("{header}: {}", shown(&value.bytes));
                one.headers.retain(|(name, _)| !name.eq_ignore_ascii_case(header));
                one.headers.push((header, value.bytes));
                one.breaks_http = value.breaks_http;
                let token = if header == "Authorization" { Token::None } else { Token::Good };
                self.send(operation, &one, token);
            }
        }
    }

    fn sweep_parameters(&mut self, first: usize, operation: &Operation) {
        let parameters = operation.parameters.iter().filter(|parameter| parameter.place != "header");
        for (place, parameter) in (first..).zip(parameters) {
            for (number, value) in tried(place, values::in_address()) {
                for &token in tokens(place, number) {
                    let mut one = self.good(operation);
                    one.what = format!("{} = {}", parameter.name, shown(&value.bytes));
                    one.target = self.target(operation, Some((&parameter.name, &value.bytes)));
                    one.breaks_http = value.breaks_http;
                    self.send(operation, &one, token);
                }
            }
        }
    }

    fn sweep_body(&mut self, first: usize, operation: &Operation) {
        let Some((kind, schema)) = &operation.body else { return };
        if !kind.contains("json") || kind.contains("ndjson") {
            self.sweep_whole_bodies(operation);
            return;
        }
        let members = operation.members();
        for (place, path) in (first..).zip(&members) {
            for (number, value) in tried(place, values::in_json()) {
                let good = sample("", schema, &|name| self.actor.known(name));
                let (before, after) = around(&good, path);
                let what = format!("body /{} = {}", path.join("/"), shown(&value));
                self.send_body(operation, &what, [before, value, after].concat(), tokens(place, number));
            }
        }
        self.sweep_whole_bodies(operation);
    }

    fn sweep_whole_bodies(&mut self, operation: &Operation) {
        for (number, body) in values::whole_bodies().into_iter().enumerate() {
            self.send_body(operation, "body", body, tokens(0, number));
        }
    }

    fn send_body(&mut self, operation: &Operation, what: &str, body: Vec<u8>, tokens: &[Token]) {
        for token in tokens {
            let mut one = self.good(operation);
            what.clone_into(&mut one.what);
            one.body = Some(body.clone());
            self.send(operation, &one, *token);
        }
    }

    /// A valid request.
    fn good<'a>(&self, operation: &'a Operation) -> Try<'a> {
        let known = |name: &str| self.actor.known(name);
        let mut headers: Vec<(&str, Vec<u8>)> =
            operation.key_headers.iter().map(|name| (name.as_str(), INBOUND_SECRET.into())).collect();
        let body = operation.body.as_ref().map(|(kind, schema)| {
            headers.push(("Content-Type", kind.clone().into_bytes()));
            sample("", schema, &known).to_string().into_bytes()
        });
        let target = self.target(operation, None);
        Try { what: String::new(), target, headers, body, breaks_http: false }
    }

    /// The path of a valid request, with one parameter replaced.
    fn target(&self, operation: &Operation, but: Option<(&str, &[u8])>) -> Vec<u8> {
        let (mut path, mut query) = (operation.path.clone().into_bytes(), Vec::new());
        for parameter in &operation.parameters {
            let given = but.filter(|(name, _)| *name == parameter.name).map(|(_, value)| value.to_vec());
            let good = || {
                let value = sample(&parameter.name, &parameter.schema, &|name| self.actor.known(name));
                value.as_str().map_or_else(|| value.to_string(), str::to_owned).into_bytes()
            };
            match parameter.place.as_str() {
                "path" => {
                    path = replaced(&path, &format!("{{{}}}", parameter.name), &given.unwrap_or_else(good));
                }
                "query" if given.is_some() || parameter.is_required => {
                    query.push(if query.is_empty() { b'?' } else { b'&' });
                    query.extend_from_slice(parameter.name.as_bytes());
                    query.push(b'=');
                    query.extend(given.unwrap_or_else(good));
                }
                _ => {}
            }
        }
        [path, query].concat()
    }

    fn send(&mut self, operation: &Operation, one: &Try<'_>, token: Token) {
        let mut answer = self.answer(operation, one, token);
        if token == Token::Good && answer.as_ref().is_some_and(|answer| answer.status == 401) {
            // The session has ended, as after a valid new password.
            self.actor = Actor::new(&mut self.client);
            answer = self.answer(operation, one, token);
        }
        let changed =
            answer.as_ref().is_some_and(|answer| answer.status.is_success()) && operation.method != "GET";
        if let Err(fault) = judge(operation, one, answer) {
            let Operation { method, path, .. } = operation;
            self.faults.push(format!("{method} {path}, {}, token {token:?}: {fault}", one.what));
        }
        if changed && operation.path.contains("/games/") && !self.actor.begin_game(&mut self.client) {
            self.actor = Actor::new(&mut self.client);
        }
    }

    fn answer(&mut self, operation: &Operation, one: &Try<'_>, token: Token) -> Option<Answer> {
        self.requests += 1;
        let (peer, good) = (next_peer(), format!("Bearer {}", self.actor.token));
        let mut headers: Vec<(&str, &[u8])> = Vec::new();
        match token {
            Token::None => {}
            Token::Good => headers.push(("Authorization", good.as_bytes())),
            Token::Bad => {
                headers.push(("Authorization", &self.bad_tokens[self.requests % self.bad_tokens.len()]));
            }
        }
        if !one.headers.iter().any(|(name, _)| *name == "X-Forwarded-For") {
            headers.push(("X-Forwarded-For", peer.as_bytes()));
        }
        headers.extend(one.headers.iter().map(|(name, value)| (*name, value.as_slice())));
        let bytes = request(&operation.method, &one.target, &headers, one.body.as_deref());
        self.client.send(&bytes)
    }
}

/// What is wrong with an answer.
fn judge(operation: &Operation, one: &Try<'_>, answer: Option<Answer>) -> Result<(), String> {
    let Some(answer) = answer else {
        return if one.breaks_http { Ok(()) } else { Err("no answer".to_owned()) };
    };
    let status = answer.status.as_u16();
    if status >= 500 {
        return Err(format!("{status} {}", shown(&answer.body)));
    }
    if answer.body.len() > MAX_ANSWER_BYTES {
        return Err(format!("{status} with {} bytes", answer.body.len()));
    }
    if answer.headers.contains_key("x-injected") {
        return Err("a header that the client made up".to_owned());
    }
    if one.breaks_http && answer.body.is_empty() {
        // The HTTP library answers, before there is a request.
        return Ok(());
    }
    let kind = answer.headers.get(CONTENT_TYPE).map(|kind| kind.as_bytes().to_vec()).unwrap_or_default();
    let is_of_oauth = status == 400 && operation.path.starts_with("/api/v1/oauth/");
    let expected: &[u8] = if is_of_oauth { b"application/json" } else { b"application/problem+json" };
    if status >= 400 && kind != expected && kind != b"application/problem+json" {
        return Err(format!("{status} as {}: {}", shown(&kind), shown(&answer.body)));
    }
    let method: Method = operation.method.parse().expect("a method");
    let path = String::from_utf8_lossy(&one.target).into_owned();
    // This panics if the answer is wrong.
    let checked =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| contract::check(&method, &path, &answer)));
    checked.map_err(|_| format!("{status} is not as the document says: {}", shown(&answer.body)))
}

fn shown(bytes: &[u8]) -> String {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).escape_debug().to_string();
    if bytes.len() > 80 { format!("{start}… ({} bytes)", bytes.len()) } else { start }
}

fn replaced(text: &[u8], part: &str, with: &[u8]) -> Vec<u8> {
    let at = text.windows(part.len()).position(|window| window == part.as_bytes()).expect("the part");
    [&text[..at], with, &text[at + part.len()..]].concat()
}

#[test]
fn nothing_that_a_client_sends_is_an_error_of_the_server_or_a_line_of_a_log_that_grows() {
    let server = server();
    let address: SocketAddr = server.address.parse().expect("an address");
    let postgres_log = server.folder.path().join("data/pg.log");
    let before = fs::read_to_string(&postgres_log).expect("PostgreSQL's log");
    let only = std::env::var("PIPPOST_SWEEP_ONLY").unwrap_or_default();
    let mut operations = Operation::all();
    operations.retain(|operation| format!("{} {}", operation.method, operation.path).contains(&only));
    let waiting = Mutex::new(operations.into_iter().enumerate());
    let threads = std::thread::available_parallelism().map_or(1, usize::from) * 2;
    let (requests, faults) = std::thread::scope(|scope| {
        let sweep = || {
            let mut sweeper = Sweeper::new(address);
            loop {
                let next = waiting.lock().expect("nobody panics here").next();
                let Some((number, operation)) = next else { break };
                sweeper.sweep(number, &operation);
            }
            (sweeper.requests, sweeper.faults)
        };
        let sweepers: Vec<_> = (0..threads).map(|_| scope.spawn(sweep)).collect();
        let done = sweepers.into_iter().map(|sweeper| sweeper.join().expect("a sweep"));
        done.fold((0, Vec::new()), |(all, mut faults), (requests, more)| {
            faults.extend(more);
            (all + requests, faults)
        })
    });
    assert!(faults.is_empty(), "{} of {requests} requests:\n{}", faults.len(), faults.join("\n"));
    assert!(requests > 1_000 || !only.is_empty(), "{requests} requests are no sweep");
    let after = fs::read_to_string(&postgres_log).expect("PostgreSQL's log");
    let told = after.strip_prefix(&before).expect("a log grows at its end");
    let told: Vec<&str> = told.lines().filter(|line| is_of_a_connection(line)).collect();
    assert!(told.is_empty(), "what clients send is no error of PostgreSQL:\n{}", told.join("\n"));
    check_log(&server);
}

/// Whether one of the server's connections caused the line: it names a user, as `[17938] pippost ERROR:`. Lines of PostgreSQL's own
/// processes, as of a vacuum that starts late, name none.
fn is_of_a_connection(line: &str) -> bool {
    !line.split_once("] ").is_some_and(|(_, rest)| rest.starts_with(' '))
}

#[test]
fn lines_of_connections_and_of_postgres_itself_are_told_apart() {
    let of = |user: &str| format!("2026-11-30 12:01:33.822 UTC [17938] {user} ERROR:  division by zero");
    assert!(is_of_a_connection(&of("pippost")) && !is_of_a_connection(&of("")));
    assert!(is_of_a_connection("\tsome line that goes on"), "what is not understood counts");
}

/// Checks that the log has no error, no long line, and not too many lines of a kind.
fn check_log(server: &Server) {
    let log = fs::read_to_string(server.log()).expect("the program's log");
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for line in log.lines() {
        assert!(line.len() <= MAX_LINE_BYTES, "{} bytes: {line}", line.len());
        assert!(!line.chars().any(char::is_control), "{line:?}");
        assert!(!line.contains(" ERROR "), "{line}");
        // Without the time, the request's id and all numbers.
        let kind = line
            .split_once("request{")
            .map_or(line, |(_, rest)| rest.split_once("}: ").map_or(rest, |(_, rest)| rest));
        let kind: String = kind.chars().filter(|character| !character.is_ascii_digit()).take(60).collect();
        *kinds.entry(kind).or_default() += 1;
    }
    // A sweep takes a few minutes at most, and a window starts with its first line.
    for (kind, lines) in kinds {
        assert!(lines <= 15 * MAX_LINES_A_MINUTE, "{lines} lines: {kind}");
    }
}
