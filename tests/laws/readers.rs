//! Every reader of what strangers send, given the inputs of `fuzz/seeds` and changes of them by a seed. `PIPPOST_FUZZ_SECONDS` lets each
//! go on for so long, with other seeds. cargo-fuzz gives the same functions inputs of its own (docs/TESTING.md).

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use support::readers::{READERS, Reader};
use support::sample::Sampler;
use support::samples::samples;
use support::tampering;

/// The most changes of an input.
const MAX_CHANGES: usize = 4;

/// Texts that readers take apart at, or that end badly.
const SIGNS: [&[u8]; 24] = [
    b"\0",
    b"\n",
    b"\r\n",
    b"\r\n.\r\n",
    b"\r\n\r\n",
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b":",
    b";",
    b",",
    b"=",
    b"%",
    b"-1",
    b"1e400",
    b"18446744073709551616",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xe2\x80\xae",
    b"=?utf-8?b?AA==?=",
    b"multipart/mixed; boundary=\"\"",
    b"<div>",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

/// The inputs of a reader that are kept, and those of other tests that are as good.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let others: &[(&str, &str)] = match name {
        "verify" => &[("tests/vectors", "ndjson"), ("tests/corpus/pip_pip", "ndjson")],
        "clock_log" => &[("tests/clock_vectors", "ndjson")],
        "mail" => &[("tests/fixtures/mail", "eml")],
        _ => &[],
    };
    let mut found = files(&format!("fuzz/seeds/{name}"));
    for (folder, extension) in others {
        let of_kind = files(folder).into_iter();
        found.extend(of_kind.filter(|path| path.extension().is_some_and(|found| found == *extension)));
    }
    found.iter().map(|path| fs::read(path).expect("a file")).collect()
}

/// An input made of one or two of the corpus.
fn mutation(corpus: &[Vec<u8>], sampler: &mut Sampler) -> Vec<u8> {
    let mut input = corpus[sampler.below(corpus.len())].clone();
    for _ in 0..=sampler.below(MAX_CHANGES) {
        let at = sampler.below(input.len() + 1);
        match sampler.below(8) {
            0 => {
                let other = &corpus[sampler.below(corpus.len())];
                let from = sampler.below(other.len() + 1);
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            1 | 2 => drop(input.splice(at..at, SIGNS[sampler.below(SIGNS.len())].iter().copied())),
            3 => drop(input.splice(at..at, sampler.bytes()[..sampler.below(32)].iter().copied())),
            _ => {
                let change = sampler.bytes();
                input = tampering::apply(&input, change[..6].try_into().expect("six"));
            }
        }
    }
    input
}

/// Gives one input to a reader; a failure keeps it and says how to repeat it.
fn give(name: &str, reader: Reader, input: &[u8]) {
    if let Err(why) = catch_unwind(AssertUnwindSafe(|| reader(input))) {
        let kept = support::program::tests_folder().join(format!("fault-{name}"));
        fs::write(&kept, input).expect("a file");
        eprintln!(
            "{name}: {:?}\nthe input is kept; put it beside the others:\ncp {} fuzz/seeds/{name}/",
            String::from_utf8_lossy(input),
            kept.display()
        );
        std::panic::resume_unwind(why);
    }
}

fn run(name: &str, reader: Reader) -> usize {
    let corpus = corpus(name);
    assert!(corpus.len() >= 3, "{name} has {} inputs", corpus.len());
    for input in &corpus {
        give(name, reader, input);
    }
    let seconds =
        std::env::var("PIPPOST_FUZZ_SECONDS").map_or(0, |seconds| seconds.parse().expect("a number"));
    // Records, their clock logs and whole mails take longest.
    let least = match name {
        "verify" | "clock_log" | "mail" => samples(1_500, 6_000),
        _ => samples(3_000, 12_000),
    };
    let (begun, mut given) = (Instant::now(), 0);
    for seed in 0.. {
        if given >= least && begun.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
        let mut sampler = Sampler::new(seed);
        for _ in 0..100 {
            give(name, reader, &mutation(&corpus, &mut sampler));
            given += 1;
        }
    }
    println!("{name}: {given} inputs in {:?}", begun.elapsed());
    given
}

#[test]
fn no_reader_panics_or_takes_what_was_changed() {
    let given: usize = std::thread::scope(|scope| {
        let running = READERS.map(|(name, reader)| scope.spawn(move || run(name, reader)));
        running.into_iter().map(|running| running.join().expect("every input is read")).sum()
    });
    assert!(given >= 1_500 * READERS.len(), "{given}");
}

#[test]
fn every_reader_is_a_fuzz_target_and_every_target_a_reader() {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).expect("a file");
    let bins = manifest.split("[[bin]]").skip(1).map(|bin| bin.split('"').nth(1).expect("a name"));
    let mut targets: Vec<&str> = bins.collect();
    let mut readers = READERS.map(|(name, _)| name).to_vec();
    targets.sort_unstable();
    readers.sort_unstable();
    assert_eq!(targets, readers);
    for name in readers.into_iter().filter(|name| *name != "verify") {
        let target = fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{name}.rs"))).expect("a file");
        assert!(target.contains("tests/support/src/readers.rs"), "{name}");
        assert!(target.contains(&format!("readers::{name}(input)")), "{name}");
    }
}
