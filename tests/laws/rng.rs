//! Compares chance with known answers of an independent implementation.

use pippost::record::{Disclosed, Hash, Header, Master, canonical};
use pippost::rules::{Words, chance::uniform};
use serde_json::{Value, json};

fn known() -> Value {
    serde_json::from_str(include_str!("../vectors/rng.json")).expect("JSON")
}

fn hex<T: serde::Serialize>(bytes: T) -> Value {
    serde_json::to_value(bytes).expect("hex")
}

fn master_of(known: &Value) -> Master {
    serde_json::from_value(known["master"].clone()).expect("32 bytes in hex")
}

/// The chance of a game with this header, once its master is public.
fn disclosed(known: &Value, header: &Header) -> Disclosed {
    Disclosed::new(header, &master_of(known))
}

fn header_of(value: &Value) -> Header {
    serde_json::from_value(value.clone()).expect("a header")
}

#[test]
fn commitment_salt_and_key_are_the_known_ones() {
    let known = known();
    let master = master_of(&known);
    let first = header_of(&known["header"]);
    assert_eq!(hex(master.commitment(first.id)), known["commitment"]);
    let others = known["other_headers"].as_array().expect("a list");
    assert_eq!(others.len(), 3);
    for case in std::iter::once(&known).chain(others) {
        let header = header_of(&case["header"]);
        assert_eq!(canonical::of(&header), case["salt_input"].as_str().expect("text").as_bytes());
        assert_eq!(hex(header.salt()), case["salt"]);
        let key = disclosed(&known, &header);
        assert_eq!(hex(Hash::from_bytes(*key.key())), case["key"]);
    }
}

#[test]
fn seeds_and_next_are_the_known_ones_also_far_out() {
    let known = known();
    let header = header_of(&known["header"]);
    let key = disclosed(&known, &header);
    let seeds = known["seeds"].as_array().expect("a list");
    assert!(seeds.len() > 3);
    for (seq, seed) in (0..).zip(seeds) {
        assert_eq!(&hex(key.seed(seq)), seed);
    }
    for (seq, next) in (0..).zip(known["next"].as_array().expect("a list")) {
        assert_eq!(&hex(key.next(seq)), next);
    }
    let far = known["big"]["n"].as_u64().expect("a number");
    assert_eq!(hex(key.seed(far)), known["big"]["seed"]);
}

#[test]
fn words_uniform_dice_and_draws_are_the_known_ones() {
    let known = known();
    let header = header_of(&known["header"]);
    let key = disclosed(&known, &header);
    let streams = known["streams"].as_array().expect("a list");
    let rejected = streams.iter().filter(|stream| {
        stream["steps"].as_array().map(Vec::len)
            < stream["words_used"].as_u64().map(|used| usize::try_from(used).expect("few"))
    });
    assert!(rejected.count() > 0, "some stream holds rejected words or draws of several");
    for stream in streams {
        let mut words = key.words(stream["event"].as_u64().expect("a number"));
        let mut used = 0;
        let mut counted = || {
            used += 1;
            words.next_word()
        };
        let steps = stream["steps"].as_array().expect("a list");
        let results: Vec<Value> = steps.iter().map(|step| result_of(step, &mut counted)).collect();
        assert_eq!(json!(results), stream["results"]);
        assert_eq!(json!(used), stream["words_used"]);
    }
}

fn result_of(step: &Value, words: &mut dyn Words) -> Value {
    match step["op"].as_str().expect("an operation") {
        "word" => json!(format!("{:08x}", words.next_word())),
        "uniform" => json!(uniform(words, u32::try_from(step["k"].as_u64().expect("k")).expect("32 bits"))),
        "die" => json!(1 + uniform(words, 6)),
        "draw" => {
            let mut list = step["list"].as_array().expect("a list").clone();
            let count = step["times"].as_u64().expect("how many");
            let mut draw = || {
                let length = u32::try_from(list.len()).expect("short");
                list.remove(uniform(words, length) as usize)
            };
            (0..count).map(|_| draw()).collect()
        }
        other => panic!("unknown operation {other}"),
    }
}
