//! Invalid or unexpected text in every place where a client may write.

use serde_json::json;

use super::attack_data::AttackData;
use super::random::Random;
use super::request::Request;

/// A megabyte.
const MEGABYTE: usize = 1 << 20;

/// As written in an address.
const IN_ADDRESS: [&str; 20] = [
    "%00",
    "a%00b",
    "%",
    "%zz",
    "%ff%fe",
    "%c0%80",
    "%ed%a0%80",
    "%f4%90%80%80",
    "%0d%0aX-Injected:%201",
    "%1b%5b31m",
    "%e2%80%ae",
    "..%2f..%2fetc%2fpasswd",
    "'%3b%20drop%20table%20events%3b--",
    "a&seq=1&seq=2",
    "-1",
    "1e400",
    "NaN",
    "18446744073709551616",
    "00000000-0000-0000-0000-000000000000",
    "%f0%9f%8e%b2%f0%9f%8e%b2%f0%9f%8e%b2",
];

/// As written in JSON.
const IN_JSON: [&[u8]; 16] = [
    b"\"\\u0000\"",
    b"\"a\\u0000b\"",
    b"\"\0\"",
    b"\"\\u0001\\u001b[31m\"",
    b"\"\\ud800\"",
    b"\"\\udc00\\ud800\"",
    b"\"\\u202e\\ufeff\\uffff\"",
    b"\"\xff\xfe\"",
    b"\"\xed\xa0\x80\"",
    b"\"",
    b"1e400",
    b"-9223372036854775809",
    b"340282366920938463463374607431768211456",
    b"{\"a\":0,\"a\":1}",
    b"[[[[[[[[]]]]]]]]",
    b"\"'; drop table events; --\"",
];

/// As a header's value.
const IN_HEADER: [&[u8]; 12] = [
    b"",
    b"\t",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"%00",
    b"\0",
    b"a\0b",
    b"\x1b[31m",
    b"a\rb",
    b";;;,,,",
    b"18446744073709551616",
    b"Bearer \xff",
];

const METHODS: [&str; 8] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

/// Made-up names, each of which would be a time series of its own if it were a metric's label.
pub fn made_up(_: &AttackData, random: &mut Random) -> Request {
    let made_up = random.word(12).to_uppercase();
    let method = if random.below(2) == 0 { made_up.as_str() } else { random.one_of(&METHODS) };
    let target = format!("/{}/{}", random.one_of(&["api/v1", "api/v1/games", "docs", "x"]), random.uuid());
    let mut request = Request::new(method, target);
    request.head = String::from_utf8_lossy(&request.head).replace("localhost", &random.word(30)).into_bytes();
    request.header("X-Request-Id", random.word(20))
}

fn in_an_address(random: &mut Random) -> String {
    match random.below(6) {
        0 => "9".repeat(400),
        1 => "x".repeat(8_000),
        2 => "%f0%9f%8e%b2".repeat(400),
        _ => (*random.one_of(&IN_ADDRESS)).to_owned(),
    }
}

/// Paths, parameters and cursors.
pub fn in_address(data: &AttackData, random: &mut Random) -> Request {
    let (game, value) = (random.one_of(&data.played), in_an_address(random));
    let target = match random.below(8) {
        0 => format!("/api/v1/games/{value}"),
        1 => format!("/api/v1/games/{game}?seq={value}"),
        2 => format!("/api/v1/games?cursor={value}"),
        3 => format!("/api/v1/games?list={value}&limit={value}"),
        4 => format!("/api/v1/players/{value}"),
        5 => format!("/api/v1/games/{game}/board.png?theme={value}&width={value}&language={value}"),
        6 => format!("/api/v1/games/{game}/events?token={value}&first={value}"),
        _ => format!("/api/v1/rules/{value}"),
    };
    Request::get(target).token(random.one_of::<String>(&data.tokens))
}

/// Headers, tokens and keys.
pub fn in_headers(data: &AttackData, random: &mut Random) -> Request {
    let value = match random.below(4) {
        0 => vec![b'x'; 5_000],
        1 => random.bytes(60).into_iter().filter(|byte| *byte != b'\n').collect(),
        _ => random.one_of(&IN_HEADER).to_vec(),
    };
    let names = [
        "Authorization",
        "Idempotency-Key",
        "If-None-Match",
        "Accept-Language",
        "Forwarded",
        "Accept-Encoding",
    ];
    let (game, token) = random.one_of(&data.running);
    match random.below(2) {
        0 => Request::get("/api/v1/me").header(random.one_of::<&str>(&names), value),
        _ => Request::new("POST", format!("/api/v1/games/{game}/moves"))
            .token(token)
            .header(random.one_of::<&str>(&names[1..]), value)
            .json(json!({"actions": [{"type": "roll"}]}).to_string()),
    }
}

/// Names, texts and other members of bodies.
pub fn in_bodies(data: &AttackData, random: &mut Random) -> Request {
    let value: Vec<u8> = match random.below(6) {
        0 => format!("\"{}\"", "x".repeat(30_000)).into_bytes(),
        1 => format!("\"{}\"", "\\u0007".repeat(2_000)).into_bytes(),
        2 => [b"\"", random.bytes(40).as_slice(), b"\""].concat(),
        _ => random.one_of(&IN_JSON).to_vec(),
    };
    let (game, token) = random.one_of(&data.running);
    let (target, members) = match random.below(5) {
        0 => ("/api/v1/accounts".to_owned(), vec!["handle", "email", "password"]),
        1 => ("/api/v1/sessions".to_owned(), vec!["login", "password"]),
        2 => (format!("/api/v1/games/{game}/messages"), vec!["text"]),
        3 => (format!("/api/v1/games/{game}/moves"), vec!["actions", "notation"]),
        _ => ("/api/v1/games".to_owned(), vec!["rules", "options", "seats"]),
    };
    let member = |name: &&str| [b"\"", name.as_bytes(), b"\":", &value].concat();
    let body =
        [b"{".to_vec(), members.iter().map(member).collect::<Vec<_>>().join(&b','), b"}".to_vec()].concat();
    Request::new("POST", target).token(token).header("Idempotency-Key", random.word(12)).json(body)
}

/// A megabyte in places for short values.
pub fn megabyte(data: &AttackData, random: &mut Random) -> Request {
    let long = || "x".repeat(MEGABYTE);
    match random.below(5) {
        0 => Request::get(format!("/api/v1/games?cursor={}", long())),
        1 => Request::get("/api/v1/me").token(&long()),
        2 => Request::get("/api/v1/rules").header("Accept-Language", long()),
        3 => Request::new(&long(), "/"),
        _ => {
            let (game, token) = random.one_of(&data.running);
            let body = json!({"text": long()}).to_string();
            Request::new("POST", format!("/api/v1/games/{game}/messages")).token(token).json(body)
        }
    }
}
