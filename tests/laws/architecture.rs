//! What the compiler does not hold: that pure code stays pure, the order of modules inside of a crate, which crates speak to the
//! database and know the API's document, and which files have a right of their own.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Finds the Rust files below a path.
pub(super) fn rust_files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder") {
            rust_files(&entry.expect("an entry").path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.to_owned());
    }
}

/// The Rust files of a crate or of a module, each by its path from the root of the repository, and its text.
fn sources(place: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for path in [root().join(place), root().join(format!("{place}.rs"))] {
        if path.exists() {
            rust_files(&path, &mut found);
        }
    }
    assert!(!found.is_empty(), "{place} has files");
    let named = |file: PathBuf| {
        let name = file.strip_prefix(root()).expect("a file of ours").display().to_string();
        (name, fs::read_to_string(&file).expect("a file"))
    };
    found.into_iter().map(named).collect()
}

/// The names of the crates beside the program.
fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).expect("the crates");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
        .collect();
    names.sort();
    assert!(names.len() > 10, "{names:?}");
    names
}

/// All sources of the crates and of the program.
fn all_sources() -> Vec<(String, String)> {
    let places = crates().into_iter().map(|name| format!("crates/{name}/src")).chain(["src".to_owned()]);
    places.flat_map(|place| sources(&place)).collect()
}

/// A file's text without its tests, which come last and may use more modules.
fn program(text: &str) -> &str {
    let is_module = |from: &str| {
        let line = from.lines().nth(1).unwrap_or_default();
        line.strip_prefix("pub ").unwrap_or(line).starts_with("mod ") && line.ends_with('{')
    };
    let tests = text.match_indices("#[cfg(test)]").find(|(at, _)| is_module(&text[*at..]));
    &text[..tests.map_or(text.len(), |(at, _)| at)]
}

/// Modules that share a crate, and those of it that each may not use: arrows inside of a crate point one way, too.
const ABOVE: [(&str, &[&str]); 13] = [
    ("crates/record/src/rules", &["record", "board", "voice"]),
    ("crates/record/src/record", &["board", "voice"]),
    ("crates/record/src/voice", &["record", "board"]),
    ("crates/record/src/board", &["voice"]),
    ("crates/keys/src", &["beacon"]),
    ("crates/traffic/src", &["endpoint"]),
    ("crates/store/src", &["commit"]),
    ("crates/mail/src", &["replies"]),
    ("crates/webhooks/src", &["push"]),
    ("crates/worker/src", &["sandbox"]),
    ("src/settings", &["app", "http", "cli"]),
    ("src/app", &["http", "cli"]),
    ("src/http", &["cli"]),
];

/// Whether code uses a module at the root of its crate, which files beside that module also reach by `super`.
fn uses(code: &str, module: &str, beside: bool) -> bool {
    let paths = [Some(format!("crate::{module}")), beside.then(|| format!("super::{module}"))];
    paths.into_iter().flatten().any(|path| {
        code.match_indices(&path).any(|(at, _)| {
            let next = code[at + path.len()..].chars().next();
            !next.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
        })
    })
}

#[test]
fn modules_of_a_crate_use_only_those_below_them() {
    for (place, above) in ABOVE {
        for module in above {
            let own = format!("{place}/{module}");
            for (name, text) in sources(place).into_iter().filter(|(name, _)| !name.starts_with(&own)) {
                let beside = name.matches('/').count() == 3;
                assert!(!uses(program(&text), module, beside), "{name} uses {module}");
            }
        }
    }
}

/// What pure code may not contain: clocks, randomness of its own, input and output, async, and maps whose order varies.
const IMPURE: &[&str] = &[
    "SystemTime",
    "Instant::now",
    "now_utc",
    "now_local",
    "OsRng",
    "thread_rng",
    "rand::rng",
    "getrandom",
    "from_os_rng",
    "async fn",
    "async move",
    ".await",
    "HashMap",
    "HashSet",
    "std::fs",
    "std::net",
    "std::process",
    "std::env",
    "println!",
];

fn impurities(text: &str) -> Vec<&'static str> {
    let code: String =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    IMPURE.iter().filter(|word| code.contains(**word)).copied().collect()
}

#[test]
fn the_libraries_of_records_and_logs_have_no_clock_chance_async_or_unordered_map() {
    for (name, text) in
        ["crates/record/src", "crates/log/src", "crates/ratings/src", "crates/tournaments/src"]
            .into_iter()
            .flat_map(sources)
    {
        let found = impurities(&text);
        assert!(found.is_empty(), "{name} holds {found:?}");
    }
}

/// The files with `unsafe` code: the launcher of the database, and the allocator.
const UNSAFE: [&str; 2] = ["crates/embedded/src/spawn.rs", "src/allocator.rs"];

#[test]
fn unsafe_code_stays_in_the_launchers_file_and_the_allocators() {
    for name in crates().into_iter().filter(|name| name != "embedded") {
        let lib = fs::read_to_string(root().join(format!("crates/{name}/src/lib.rs"))).expect("lib.rs");
        assert!(lib.contains("\n#![forbid(unsafe_code)]\n"), "{name}");
    }
    for (name, text) in all_sources() {
        let has = text.contains("unsafe {") || text.contains("allow(unsafe_code)");
        assert_eq!(has, UNSAFE.contains(&name.as_str()), "{name}");
    }
}

/// The crates whose manifest names a library; the program is `.`.
fn with_dependency(library: &str) -> Vec<String> {
    let manifest = |name: &str| {
        let file = root().join(if name == "." { ".".to_owned() } else { format!("crates/{name}") });
        let text = fs::read_to_string(file.join("Cargo.toml")).expect("a manifest");
        let package = text.split("\n[package]").last().unwrap_or_default();
        let dependencies = package.split("\n[dependencies]").nth(1).unwrap_or_default().to_owned();
        dependencies.split("\n[").next().unwrap_or_default().to_owned()
    };
    let names = crates().into_iter().chain([".".to_owned()]);
    let has = |name: &String| manifest(name).lines().any(|line| line.starts_with(library));
    names.filter(has).collect()
}

#[test]
fn only_the_store_speaks_sql_and_only_the_api_knows_its_document() {
    assert_eq!(with_dependency("diesel"), ["schema", "store"]);
    // The HTTP application serves the document.
    let knowing: Vec<String> =
        ["api", "http"].into_iter().chain(SENT_AS_THEY_ARE).chain(["."]).map(str::to_owned).collect();
    let (mut found, mut expected) = (with_dependency("utoipa"), knowing);
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    for (name, text) in SENT_AS_THEY_ARE.iter().flat_map(|name| sources(&format!("crates/{name}/src"))) {
        let makes_schemas = name == "crates/record/src/rules/schema.rs";
        let found = lines_about_the_document(&text);
        assert!(makes_schemas || found.is_empty(), "{name} does more than to derive schemas: {found:?}");
    }
}

/// The crates whose types are sent as they are: they derive their schemas, and do nothing else about the document.
const SENT_AS_THEY_ARE: [&str; 7] =
    ["accounts", "clock", "games", "ratings", "record", "store", "tournaments"];

/// The lines that name the library of schemas, except to derive them.
fn lines_about_the_document(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.filter(|line| line.replace("utoipa::ToSchema", "").contains("utoipa")).collect()
}

#[test]
fn the_handle_to_all_games_has_methods_in_one_file() {
    let with_methods =
        sources("crates/games/src").into_iter().filter(|(_, text)| text.contains("impl Games {"));
    assert_eq!(with_methods.map(|(name, _)| name).collect::<Vec<_>>(), ["crates/games/src/lib.rs"]);
}

/// Chance without an accepted act: for verifiers and tests, which have a footer.
const DISCLOSED: &str = "Disclosed";

#[test]
fn in_a_running_server_only_accepted_acts_and_events_have_seeds() {
    for (name, text) in all_sources() {
        let code = program(&text);
        let place = name.strip_prefix("crates/record/src/record/").unwrap_or_default();
        let verifies = place.starts_with("verify/");
        let defines = ["mod.rs", "chance.rs"].contains(&place);
        assert!(verifies || defines || !code.contains(DISCLOSED), "{name} recomputes chance");
        // A permit for an act is created only where acts are accepted.
        let accepts = ["draft.rs", "chance.rs"].contains(&place);
        assert!(accepts || !code.contains("Permit::accepted"), "{name} draws what was not accepted");
    }
}

/// The folder of the files that write `game_states`.
const COMMIT: &str = "crates/store/src/commit/";

/// The files that write `game_states`: moves, and single rows.
const STATE_WRITERS: [&str; 2] = ["statement.rs", "states.rs"];

/// The files whose functions send such statements to the database.
const STATEMENT_SENDERS: [&str; 3] = ["delegated.rs", "sending.rs", "states.rs"];

/// The files that start such a write, and so get the right to it: moves, starts of games, lost answers, repairs,
/// reminders, changes of clocks, removed titles.
const STATEMENT_OWNERS: [&str; 7] =
    ["writer.rs", "lobby.rs", "settle.rs", "repair.rs", "reminders.rs", "clocks.rs", "titles.rs"];

/// Whether code writes `game_states`, in SQL or with Diesel.
fn writes_states(code: &str) -> bool {
    let code = code.replace("\\\n", " ");
    let words = code.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let sql = ["update ", "insert into ", "delete from ", "truncate ", "merge into ", "copy "];
    let plain = sql.iter().any(|verb| words.contains(&format!("{verb}game_states")));
    let without_spaces = words.replace(' ', "");
    let built =
        ["diesel::update(", "diesel::insert_into(", "diesel::delete(", "update(", "insert_into(", "delete("];
    plain || built.iter().any(|call| without_spaces.contains(&format!("{call}game_states::")))
}

#[test]
fn the_states_of_games_are_written_in_one_module_with_a_right_that_seven_files_take() {
    for (name, text) in all_sources() {
        let code = program(&text);
        let place = name.strip_prefix(COMMIT).unwrap_or_default();
        assert!(STATE_WRITERS.contains(&place) || !writes_states(code), "{name} writes game_states");
        let takes = code.contains("StateWrite::of(");
        assert_eq!(takes, STATEMENT_OWNERS.contains(&place), "{name} takes the right to write states");
    }
    let read = |name: &str| fs::read_to_string(root().join(COMMIT).join(name)).expect("a file");
    for name in STATE_WRITERS {
        assert!(writes_states(&read(name)), "{name} does not write them any more");
    }
    for name in STATEMENT_SENDERS {
        for function in program(&read(name)).split("async fn ").skip(1) {
            let (name_of, rest) = function.split_once('(').expect("parameters");
            let parameters = rest.split(')').next().unwrap_or_default();
            let locks = name_of == "lock";
            assert!(locks || parameters.contains("right: &StateWrite"), "{name}: {name_of} needs no right");
        }
    }
}

#[test]
fn the_checks_see_what_they_should() {
    for line in ["use crate::commit::Append;", "use crate::commit;"] {
        assert!(uses(line, "commit", false), "{line}");
    }
    let others = "use crate::commits::Append; use super::commit;";
    assert!(!uses(others, "commit", false) && uses(others, "commit", true));
    let tests =
        "#[cfg(test)]\nmod tests;\nuse crate::api::A;\n#[cfg(test)]\nmod more {\nuse crate::games::B;\n}";
    assert!(uses(program(tests), "api", false) && !uses(program(tests), "games", false));
    let deriving = "use utoipa::ToSchema;\n#[derive(Debug, ToSchema)]\n#[schema(as = RaceView)]\n// utoipa";
    assert!(lines_about_the_document(deriving).is_empty());
    assert_eq!(lines_about_the_document("use utoipa::{OpenApi, ToSchema};").len(), 1);
    assert_eq!(impurities("// HashMap in words\nlet x = HashMap::new();"), ["HashMap"]);
    assert_eq!(impurities("// only words about a HashMap"), [""; 0]);
    for writing in [
        "\"with moved as (update \\\n   game_states set seq = 1\"",
        "diesel::update(game_states::table.find(1))",
        "diesel::insert_into(\n    game_states::table)",
        "DELETE FROM game_states",
    ] {
        assert!(writes_states(writing), "{writing}");
    }
    assert!(!writes_states(
        "select seq from game_states for update; game_states::table.find(1).for_update()"
    ));
}
