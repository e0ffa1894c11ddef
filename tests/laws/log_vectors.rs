//! Trees, proofs, paths and notes of the log against those that Go's own libraries made (tests/vectors/log/make.go).

use std::collections::BTreeMap;

use pippost::log::checkpoint::{cosign, cosignatures};
use pippost::log::note::{KeyKind, Note, SignerKey, VerifierKey};
use pippost::log::tiles::{Growing, Tile, Tiles};
use pippost::log::tree::{self, Hash, leaf_hash, verify_consistency, verify_inclusion};
use pippost::log::{Checkpoint, Entry};
use serde::Deserialize;
use serde_json::from_str;

const VECTORS: &str = include_str!("../vectors/log/vectors.json");

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Vectors {
    leaves: u64,
    roots: BTreeMap<u64, String>,
    inclusion: Vec<Inclusion>,
    consistency: Vec<Consistency>,
    paths: BTreeMap<String, String>,
    key: String,
    note: String,
    witness_key: String,
    cosignature: String,
    time: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Inclusion {
    index: u64,
    size: u64,
    proof: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Consistency {
    old: u64,
    new: u64,
    proof: Vec<String>,
}

fn vectors() -> Vectors {
    from_str(VECTORS).expect("vectors")
}

fn hash(text: &str) -> Hash {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text).expect("base64");
    bytes.try_into().expect("32 bytes")
}

fn hashes(texts: &[String]) -> Vec<Hash> {
    texts.iter().map(|text| hash(text)).collect()
}

#[test]
fn a_tree_of_100_000_leaves_and_its_proofs_are_those_of_another_implementation() {
    let vectors = vectors();
    let mut tiles = Tiles::default();
    let leaf = |number: u64| leaf_hash(&number.to_be_bytes());
    for (level, index, hashes) in Growing::default().add((0..vectors.leaves).map(leaf)).iter() {
        tiles.insert(level, index, hashes.to_vec());
    }
    let root = |size: u64| hash(&vectors.roots[&size]);
    for size in vectors.roots.keys() {
        assert_eq!(tree::root(&tiles, *size), Some(root(*size)), "{size}");
    }
    for Inclusion { index, size, proof } in &vectors.inclusion {
        let proof = hashes(proof);
        assert_eq!(tree::prove_inclusion(&tiles, *index, *size).as_ref(), Some(&proof), "{index} of {size}");
        assert!(verify_inclusion(leaf(*index), *index, *size, root(*size), &proof));
    }
    for Consistency { old, new, proof } in &vectors.consistency {
        let proof = hashes(proof);
        assert_eq!(tree::prove_consistency(&tiles, *old, *new).as_ref(), Some(&proof), "{old} to {new}");
        assert!(verify_consistency(*old, root(*old), *new, root(*new), &proof));
    }
    assert!(vectors.inclusion.len() > 40 && vectors.consistency.len() > 80);
}

#[test]
fn paths_of_tiles_are_those_of_another_implementation() {
    for (path, named) in vectors().paths {
        let numbers: Vec<u64> = named.split(' ').map(|number| number.parse().expect("a number")).collect();
        let tile = Tile { level: u8::try_from(numbers[0]).ok(), index: numbers[1], width: numbers[2] };
        assert_eq!((Tile::read(&path), tile.path()), (Some(tile), path));
    }
}

#[test]
fn notes_and_cosignatures_are_to_the_letter_those_of_another_implementation() {
    let vectors = vectors();
    let signer = |name: &str, kind, seed| SignerKey::from_seed(name, kind, &[seed; 32]).expect("a key");
    let (log, witness) =
        (signer("example.org/log", KeyKind::Log, 7), signer("witness.example/w1", KeyKind::Witness, 9));
    assert_eq!(log.verifier().to_string(), vectors.key);
    assert_eq!(witness.verifier().to_string(), vectors.witness_key);
    let key = VerifierKey::read(&vectors.key).expect("a key");
    let mut note = Note::read(&vectors.note).expect("a note");
    let checkpoint = Checkpoint::open(&note, &key).expect("signed");
    assert_eq!(checkpoint.root, hash(&vectors.roots[&vectors.leaves]));
    assert_eq!(checkpoint.sign(&log).to_string(), vectors.note);
    assert_eq!(cosign(&witness, &note.text, vectors.time).to_string(), vectors.cosignature);
    note.signatures.push(cosign(&witness, &note.text, vectors.time));
    let keys = [VerifierKey::read(&vectors.witness_key).expect("a key")];
    assert_eq!(cosignatures(&note, &keys), Ok(vec![(&keys[0], vectors.time)]));
}

#[test]
fn the_example_of_the_specification_of_notes_verifies() {
    let key = VerifierKey::read("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k");
    let signed = "This is an example message.\n\n\u{2014} example.com/foo \
                  Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
    let note = Note::read(signed).expect("a note");
    assert_eq!(note.verify(&key.expect("a key")), Ok(()));
}

#[test]
fn an_entry_is_as_the_protocol_says() {
    let id = uuid::Uuid::from_u128(0x0195_0000_0000_7000_8000_0000_0000_0001);
    let entry = Entry::of(id, 7, [0xab; 32]);
    let told = [b"pippost/log/1".as_slice(), id.as_bytes()].concat();
    let digest = pippost::record::Hash::of(&[&told]);
    let expected = [digest.as_bytes().as_slice(), &[0, 0, 0, 7], &[0xab; 32]].concat();
    assert_eq!(entry.to_bytes().to_vec(), expected);
    assert_eq!(entry.leaf(), *pippost::record::Hash::of(&[&[0], &expected]).as_bytes());
}
