//! Requests that cost a server much: large, compressed, deeply nested, many, or slow to process.

use bytes::Bytes;
use serde_json::json;

use super::attack_data::AttackData;
use super::random::Random;
use super::request::Request;

/// The stated length of a body that will not come, in bytes.
const PROMISED_BYTES: usize = 16_000;

/// A little less than the largest JSON body that the server accepts, in bytes.
const LARGE_JSON_BYTES: usize = pippost::api::json::MAX_JSON_BYTES - 200;

/// Levels of nested JSON: more than a stack could hold if a parser recursed into them.
const LEVELS: usize = LARGE_JSON_BYTES / 5;

/// The most bytes of a record that ends in the middle.
const SHORT_RECORD_BYTES: usize = 4_000;

/// The range of requested positions in games; some are beyond the end.
const MAX_SEQ: usize = 80;

/// The paths to which compressed bodies are sent.
const PACKED: [&str; 4] = ["/api/v1/accounts", "/api/v1/sessions", "/api/v1/receipts", "/api/v1/verify"];

pub fn bomb(data: &AttackData, random: &mut Random) -> Request {
    let request = Request::new("POST", random.one_of(&PACKED)).header("Content-Encoding", "gzip");
    request.json(data.bomb.clone())
}

/// Long lists of numbers or deep nesting, for every operation that reads JSON.
pub fn large_json(data: &AttackData, random: &mut Random) -> Request {
    let (game, token) = random.one_of(&data.running);
    let zeros = || format!("[{}0]", "0,".repeat(LARGE_JSON_BYTES / 2));
    let body = match random.below(4) {
        0 => format!("{{\"actions\":{}}}", zeros()),
        1 => format!("{{\"actions\":[{{\"type\":\"x\",\"a\":{}}}]}}", zeros()),
        2 => format!("{{\"rules\":\"{}\",\"options\":{{\"a\":{}}}}}", random.one_of(&data.rules), zeros()),
        _ => "{\"a\":".repeat(LEVELS),
    };
    let targets = ["moves", "preview", "messages", "invitations", "resign"];
    let target = match random.below(4) {
        0 => "/api/v1/games".to_owned(),
        1 => "/api/v1/sessions".to_owned(),
        _ => format!("/api/v1/games/{game}/{}", random.one_of(&targets)),
    };
    let request = Request::new("POST", target).token(token).header("Idempotency-Key", random.word(20));
    request.json(body)
}

pub fn stalled(data: &AttackData, random: &mut Random) -> Request {
    let (game, token) = random.one_of(&data.running);
    let target = match random.below(4) {
        0 => "/api/v1/accounts".to_owned(),
        1 => "/api/v1/sessions".to_owned(),
        2 => "/api/v1/me/password".to_owned(),
        _ => format!("/api/v1/games/{game}/moves"),
    };
    let request = Request::new("POST", target).token(token).header("Idempotency-Key", random.word(20));
    request.json(vec![b' '; PROMISED_BYTES])
}

pub fn stalled_record(data: &AttackData, _: &mut Random) -> Request {
    Request::new("POST", "/api/v1/verify").body("application/x-ndjson", data.junk.clone())
}

/// Records, archives, pages of events and replays, boards: answers many times as long as the request.
pub fn large_answer(data: &AttackData, random: &mut Random) -> Request {
    let token = random.one_of(&data.tokens);
    let long = data.long;
    let target = match random.below(6) {
        0 | 1 => format!("/api/v1/games/{long}/record"),
        2 => "/api/v1/me/records.zip".to_owned(),
        3 => format!("/api/v1/games/{long}/events?limit=500"),
        4 => "/openapi.json".to_owned(),
        _ => format!("/api/v1/games/{}/board.svg?width=2048", random.one_of(&data.played)),
    };
    Request::get(target).token(token)
}

/// 8 MiB that are not a record, or one that is slow to read.
pub fn junk_record(data: &AttackData, random: &mut Random) -> Request {
    let body = random.one_of(&data.records).clone();
    Request::new("POST", "/api/v1/verify").body("application/x-ndjson", body)
}

/// A record that ends in the middle: as small as one may be whose check is a try.
pub fn short_record(data: &AttackData, random: &mut Random) -> Request {
    let record = random.one_of(&data.records);
    let end = record.len().min(1 + random.below(SHORT_RECORD_BYTES));
    Request::new("POST", "/api/v1/verify").body("application/x-ndjson", record.slice(..end))
}

/// A film of a finished game.
pub fn film(data: &AttackData, random: &mut Random) -> Request {
    let game = random.one_of(&data.played);
    Request::get(format!("/games/{game}/film.png")).header("Accept-Language", random.one_of(&["en", "de"]))
}

/// Records and archives, with an account and without.
pub fn export(data: &AttackData, random: &mut Random) -> Request {
    let game = random.one_of(&data.played);
    match random.below(5) {
        0 => Request::get("/api/v1/me/records.zip").token(random.one_of::<String>(&data.tokens)),
        1 => data.member.get("/preferences/data.zip"),
        2 => Request::get(format!("/games/{game}/record.ndjson")),
        3 => Request::get(format!("/api/v1/games/{}/record", data.long)),
        _ => Request::get(format!("/api/v1/games/{game}/events?limit=500")),
    }
}

pub fn past(data: &AttackData, random: &mut Random) -> Request {
    let (game, seq) = (random.one_of(&data.played), random.below(MAX_SEQ));
    let target = match random.below(6) {
        0 => format!("/api/v1/games/{game}?seq={seq}"),
        1 => format!("/api/v1/games/{game}?turn={seq}"),
        2 => format!("/api/v1/games/{game}/replay?first={seq}&limit=200"),
        3 => format!("/api/v1/games/{game}/choices?seq={seq}"),
        4 => format!("/api/v1/games/{game}/news"),
        _ => format!("/api/v1/games/{game}/board.txt?seq={seq}"),
    };
    Request::get(target).token(random.one_of::<String>(&data.tokens))
}

pub fn list(data: &AttackData, random: &mut Random) -> Request {
    let lists = ["mine", "my_turn", "open", "running", "finished", "all", "nothing"];
    let mut target = format!("/api/v1/games?list={}&limit={}", random.one_of(&lists), random.below(120));
    if random.below(2) == 0 {
        target.extend(["&rules=", *random.one_of::<&str>(&data.rules)]);
    }
    if random.below(3) == 0 {
        target.extend(["&cursor=", &random.word(40)]);
    }
    if random.below(3) == 0 {
        target.extend(["&status=", *random.one_of::<&str>(&["running", "open", "finished", "x"])]);
    }
    Request::get(target).token(random.one_of::<String>(&data.tokens))
}

/// Moves, legal or not, with unused idempotency keys.
pub fn keyed(data: &AttackData, random: &mut Random) -> Request {
    let (game, token) = random.one_of(&data.running);
    let body = json!({"actions": [{"type": random.word(6)}], "expected_seq": random.below(20)});
    let length = 1 + random.below(140);
    let request = Request::new("POST", format!("/api/v1/games/{game}/moves")).token(token);
    request.header("Idempotency-Key", random.word(length)).json(body.to_string())
}

pub fn board(data: &AttackData, random: &mut Random) -> Request {
    let game = random.one_of(&data.played);
    let kind = random.one_of(&["png", "png", "png", "svg", "txt"]);
    let mut target = format!("/api/v1/games/{game}/board.{kind}?width={}", 100 + random.below(2000));
    if random.below(2) == 0 {
        target.extend(["&seq=", &random.below(MAX_SEQ).to_string()]);
    }
    let (theme, language) =
        (random.one_of(&["light", "dark", "light", "x"]), random.one_of(&["en", "de", "de", "x"]));
    target.extend(["&theme=", theme, "&language=", language]);
    Request::get(target).token(random.one_of::<String>(&data.tokens))
}

/// Nothing, or the beginning of a request's head.
pub fn beginning(_: &AttackData, random: &mut Random) -> Request {
    let head = match random.below(3) {
        0 => Vec::new(),
        1 => b"GET /api/v1/games HTTP/1.1\r\n".to_vec(),
        _ => format!("POST /api/v1/{} HTTP/1.1\r\nX-{}: ", random.word(5), random.word(200)).into_bytes(),
    };
    Request { head, body: Bytes::new() }
}
