//! Sequences of calls that the document describes, chosen at random by a seed: several players, with what earlier answers gave (ids,
//! cursors, tags, tokens, legal actions), by the document's links, with steps of the worker between. No answer is the server's fault,
//! no request that is as the document says is refused for its form, and the audit finds nothing afterwards.
//!
//! `PIPPOST_SEQUENCE_CALLS` and `PIPPOST_SEQUENCE_SEED` say how many and which.

mod memory;
mod values;

use std::collections::{BTreeMap, VecDeque};

use pippost::games::audit;
use reqwest::Method;
use serde_json::{Value, json};

use self::memory::{Memory, collection};
use self::values::Maker;
use support::client::Answer;
use support::sample::Sampler;
use support::samples::samples;
use support::{Client, PASSWORD, TestApp, contract};

/// Players, and one who has no account.
const PLAYERS: usize = 4;

/// So many calls lie between two steps of the worker.
const STEP_EVERY: usize = 60;

/// The last calls that a failure shows.
const SHOWN: usize = 40;

/// Operations that are called more or less often than others, which have 10.
const WEIGHTS: [(&str, usize); 17] = [
    ("create_game", 50),
    ("join_game", 160),
    ("legal_actions", 160),
    ("make_move", 60),
    ("view_game", 60),
    ("say_message", 20),
    ("give_standing_orders", 30),
    ("invite", 20),
    ("resign_game", 3),
    ("abort_game", 3),
    ("move_sandbox_clock", 4),
    ("delete_account", 1),
    ("log_out", 1),
    ("change_password", 1),
    ("reset_password", 1),
    ("export_my_data", 2),
    ("export_my_records", 2),
];

/// Operations of which the document does not say all that a value must be.
const HALF_DESCRIBED: [&str; 1] = ["subscribe_to_push"];

/// An operation of the document.
struct Operation {
    id: &'static str,
    method: Method,
    template: &'static str,
    parameters: Vec<&'static Value>,
    /// Media type, schema and its place in the document.
    body: Option<(&'static str, &'static Value, String)>,
    /// By status: the operation that may follow, and whether its `id` is in the answer.
    links: BTreeMap<&'static str, Vec<(&'static str, bool)>>,
    weight: usize,
}

fn operations() -> Vec<Operation> {
    let paths = contract::document()["paths"].as_object().expect("paths");
    let all = paths.iter().flat_map(|(template, item)| {
        let operations = item.as_object().expect("operations");
        operations.iter().map(move |(method, operation)| Operation::read(template, method, operation))
    });
    // What an operator's programs ask, and what is sent to it, is swept elsewhere.
    all.filter(|operation| operation.template.starts_with("/api/v1/")).collect()
}

impl Operation {
    fn read(template: &'static str, method: &'static str, operation: &'static Value) -> Self {
        let id = operation["operationId"].as_str().expect("a name");
        let content =
            operation["requestBody"]["content"].as_object().and_then(|content| content.iter().next());
        let body = content.map(|(media_type, body)| {
            let (path, kind) = (template.replace('/', "~1"), media_type.replace('/', "~1"));
            let place = format!("/paths/{path}/{method}/requestBody/content/{kind}/schema");
            (media_type.as_str(), &body["schema"], place)
        });
        let responses = operation["responses"].as_object().expect("responses");
        let links = responses.iter().map(|(status, response)| {
            let links = response["links"].as_object().into_iter().flat_map(|links| links.values());
            let links = links.filter_map(|link| {
                let source = link["parameters"]["id"].as_str()?;
                Some((link["operationId"].as_str()?, source.starts_with("$response.body#/id")))
            });
            (status.as_str(), links.collect())
        });
        let weight = WEIGHTS.iter().find(|(name, _)| *name == id).map_or(10, |(_, weight)| *weight);
        Self {
            id,
            method: method.to_uppercase().parse().expect("a method"),
            template,
            parameters: contract::parameters(operation).collect(),
            body,
            links: links.collect(),
            weight,
        }
    }
}

/// A request.
struct Call {
    path: String,
    headers: Vec<(&'static str, String)>,
    body: Option<String>,
    /// Whether the body is as the document says.
    is_described: bool,
}

struct Sequence {
    app: TestApp,
    operations: Vec<Operation>,
    sampler: Sampler,
    memory: Memory,
    /// Each with a handle; the last one is a stranger.
    actors: Vec<(String, Client)>,
    registered: usize,
    /// The games that players have entered.
    seats: Vec<(Value, usize)>,
    /// The operation that a link of the last answer names, who follows it, and the id it gives.
    next: Option<(&'static str, usize, Value)>,
    recent: VecDeque<String>,
    /// Operations that were called as the document says, and answered by 422 all the same.
    refused: BTreeMap<&'static str, String>,
    /// Answers by operation and class of their status.
    answers: BTreeMap<(&'static str, u16), usize>,
}

impl Drop for Sequence {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the last calls:\n{}", self.recent.make_contiguous().join("\n"));
        }
    }
}

impl Sequence {
    async fn begin(seed: u64) -> Self {
        let app = TestApp::sandbox().await;
        let stranger = ("nobody".to_owned(), app.stranger());
        let mut sequence = Self {
            app,
            operations: operations(),
            sampler: Sampler::new(seed),
            memory: Memory::default(),
            actors: vec![stranger; PLAYERS + 1],
            registered: 0,
            seats: Vec::new(),
            next: None,
            recent: VecDeque::new(),
            refused: BTreeMap::new(),
            answers: BTreeMap::new(),
        };
        for actor in 0..PLAYERS {
            sequence.register(actor).await;
        }
        for rules in ["pip-pip", "serpent", "dominion", "pippinzip"] {
            sequence.memory.keep("rules", rules.into());
        }
        sequence
    }

    async fn register(&mut self, actor: usize) {
        self.registered += 1;
        let handle = format!("player{}", self.registered);
        let client = self.app.player(&handle).await;
        self.memory.keep("handle", handle.clone().into());
        self.actors[actor] = (handle, client);
    }

    /// The session has ended, and perhaps the account.
    async fn come_back(&mut self, actor: usize) {
        let log_in = json!({"login": self.actors[actor].0, "password": PASSWORD});
        let answer = self.app.stranger().post("/api/v1/sessions", &log_in).await;
        if answer.status == 201 {
            let token = answer.json()["access_token"].as_str().expect("a token").to_owned();
            self.actors[actor].1.token = Some(token);
        } else {
            self.register(actor).await;
        }
    }

    /// The operation of the next call, and who makes it; a link to a move is followed always, another as often as not.
    fn choose(&mut self) -> (usize, usize) {
        if let Some((name, actor, id)) = self.next.take()
            && (name == "make_move" || self.sampler.below(2) == 0)
            && let Some(at) = self.operations.iter().position(|operation| operation.id == name)
        {
            self.memory.keep(collection(self.operations[at].template), id);
            return (at, actor);
        }
        let whole: usize = self.operations.iter().map(|operation| operation.weight).sum();
        let mut rest = self.sampler.below(whole);
        let at = self.operations.iter().position(|operation| {
            let is_it = rest < operation.weight;
            rest = rest.saturating_sub(operation.weight);
            is_it
        });
        let at = at.expect("within all");
        // Who asks what he may do is mostly in the game.
        if self.operations[at].id == "legal_actions" && !self.seats.is_empty() && self.sampler.below(4) > 0 {
            let (game, actor) = self.seats[self.sampler.below(self.seats.len())].clone();
            self.memory.keep("games", game);
            return (at, actor);
        }
        // The stranger asks seldom.
        (at, self.sampler.below(PLAYERS * 4 + 1) / 4)
    }

    fn make(&mut self, at: usize, actor: usize, is_linked: bool) -> Call {
        let operation = &self.operations[at];
        let mut maker =
            Maker { memory: &self.memory, sampler: &mut self.sampler, handle: &self.actors[actor].0 };
        let (mut path, mut query, mut headers) = (operation.template.to_owned(), Vec::new(), Vec::new());
        for parameter in &operation.parameters {
            let name = parameter["name"].as_str().expect("a name");
            let is_needed = parameter["required"] == true || maker.sampler.below(4) == 0;
            let kept_as = match name {
                "id" => collection(operation.template),
                "If-None-Match" | "If-Match" => "ETag",
                name => name,
            };
            if !is_needed {
                continue;
            }
            let value = maker.value(kept_as, &parameter["schema"], 0);
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match parameter["in"].as_str() {
                Some("path") => {
                    let escaped: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
                    path = path.replace(&format!("{{{name}}}"), &escaped.replace('+', "%20"));
                }
                Some("query") => query.push((name, text)),
                _ if text.is_ascii() => headers.push((name, text)),
                _ => {}
            }
        }
        if !query.is_empty() {
            path = format!("{path}?{}", serde_urlencoded::to_string(&query).expect("pairs"));
        }
        let (mut body, mut is_described) = (None, true);
        if let Some((media_type, schema, place)) = &operation.body {
            headers.push(("Content-Type", (*media_type).to_owned()));
            let listed = self
                .memory
                .pick("action", maker.sampler)
                .filter(|_| is_linked && operation.id == "make_move");
            let text = if let Some(action) = listed {
                json!({"actions": [action]}).to_string()
            } else if media_type.ends_with("json") && !media_type.contains("ndjson") {
                let value = maker.value("", schema, 0);
                is_described = contract::errors(place, &value).is_empty();
                value.to_string()
            } else if media_type.ends_with("urlencoded") {
                is_described = false;
                serde_urlencoded::to_string(maker.value("", schema, 0)).unwrap_or_default()
            } else {
                is_described = false;
                self.memory.text(media_type, &mut self.sampler).unwrap_or_else(|| "none".to_owned())
            };
            body = Some(text);
        }
        Call { path, headers, body, is_described }
    }

    async fn call(&mut self) {
        let is_linked = self.next.is_some();
        let (at, actor) = self.choose();
        let call = self.make(at, actor, is_linked);
        let operation = &self.operations[at];
        let headers: Vec<(&str, &str)> =
            call.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let (handle, client) = self.actors[actor].clone();
        let said =
            format!("{handle}: {} {} {}", operation.method, call.path, call.body.as_deref().unwrap_or(""));
        self.recent.push_back(said);
        if self.recent.len() > SHOWN {
            self.recent.pop_front();
        }
        // The client holds the answer against the document.
        let answer = client.send(operation.method.clone(), &call.path, call.body.clone(), &headers).await;
        self.judge(at, &call, &answer);
        let operation = &self.operations[at];
        let (id, status) = (operation.id, answer.status.as_u16());
        *self.answers.entry((id, status / 100)).or_default() += 1;
        self.memory.learn(operation.template, &call.path, &answer, &mut self.sampler);
        if matches!(id, "create_game" | "join_game") && status / 100 == 2 {
            self.seats.push((answer.json()["id"].clone(), actor));
        }
        self.note_link(at, actor, &call, &answer);
        if status == 401 && actor < PLAYERS {
            self.come_back(actor).await;
        }
    }

    fn judge(&mut self, at: usize, call: &Call, answer: &Answer) {
        let (operation, status) = (&self.operations[at], answer.status.as_u16());
        assert!(status < 500, "{}: {status} {}", operation.id, answer.text());
        // Of a query this test does not know whether it is as the document says.
        // Which actions are those of a game, the document cannot say.
        let is_described = call.is_described && !call.path.contains('?');
        if status == 422 && is_described && answer.json()["code"] != "unreadable_action" {
            let body = call.body.as_deref().unwrap_or_default();
            self.refused.insert(operation.id, format!("{}\n{body}", answer.text()));
        }
    }

    fn note_link(&mut self, at: usize, actor: usize, call: &Call, answer: &Answer) {
        let operation = &self.operations[at];
        let Some(links) = operation.links.get(answer.status.as_str()) else { return };
        if links.is_empty() {
            return;
        }
        let (name, is_in_answer) = links[self.sampler.below(links.len())];
        if answer.json()["actions"].as_array().is_some_and(Vec::is_empty) {
            return;
        }
        let id = if is_in_answer {
            answer.json()["id"].clone()
        } else {
            // The path of the request has it, or the first item of the list.
            let in_path =
                call.path.split('/').find(|part| part.len() == 36 && part.matches('-').count() == 4);
            in_path.map_or_else(|| answer.json()["games"][0]["id"].clone(), |id| json!(id))
        };
        if id.is_string() {
            self.next = Some((name, actor, id));
        }
    }

    /// Addresses that answers named, such as the next page of a list.
    async fn follow_address(&mut self) {
        let Some(Value::String(path)) = self.memory.pick("address", &mut self.sampler) else { return };
        let actor = self.sampler.below(PLAYERS + 1);
        let answer = self.actors[actor].1.get(&path).await;
        assert!(answer.status.as_u16() < 500, "{path}: {}", answer.text());
        *self.answers.entry(("an address", answer.status.as_u16() / 100)).or_default() += 1;
    }

    /// Moves the clock a little, which carries out all steps of the worker that are due.
    async fn step(&mut self) {
        let moved = self.actors[0].1.post("/api/v1/sandbox/clock", &json!({"advance_seconds": 600})).await;
        if moved.status == 401 {
            return self.come_back(0).await;
        }
        assert_eq!(moved.ok()["due"], 0, "the worker does all that is due");
    }

    fn successes(&self, id: &str) -> usize {
        self.answers
            .iter()
            .filter(|((name, class), _)| *name == id && *class == 2)
            .map(|(_, count)| count)
            .sum()
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |number| number.parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_sequence_of_described_calls_is_a_fault_of_the_server_or_leaves_something_for_the_audit() {
    let calls = number("PIPPOST_SEQUENCE_CALLS", samples(1_200, 7_000));
    let seed = number("PIPPOST_SEQUENCE_SEED", 48);
    let mut sequence = Sequence::begin(seed).await;
    for call in 0..usize::try_from(calls).expect("a number") {
        sequence.call().await;
        if call % STEP_EVERY == 0 {
            sequence.follow_address().await;
            sequence.step().await;
        }
    }
    let mut found = Vec::new();
    let games = &sequence.app.app.games;
    let audited = audit::audit_all(games, false, &mut |finding| found.push(finding.to_string())).await;
    let audited = audited.expect("an audit");
    let called = sequence.answers.keys().map(|(id, _)| *id).collect::<std::collections::BTreeSet<_>>().len();
    let succeeded = sequence.answers.keys().filter(|(_, class)| *class == 2).count();
    println!("{calls} calls by seed {seed}: {called} operations, {succeeded} with success, {audited:?}");
    assert!(found.is_empty(), "seed {seed}: {found:#?}");
    sequence.refused.retain(|id, _| !HALF_DESCRIBED.contains(id));
    assert!(sequence.refused.is_empty(), "seed {seed}, refused as not described: {:#?}", sequence.refused);
    // So that it does not pass because nothing happens.
    for id in ["create_game", "join_game", "make_move", "view_game", "legal_actions"] {
        assert!(sequence.successes(id) >= 3, "seed {seed}: {id} succeeded {} times", sequence.successes(id));
    }
    assert!(audited.games > 5 && succeeded > 40, "{audited:?}, {succeeded} operations succeeded");
}
