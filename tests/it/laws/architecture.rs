//! The order of the modules: a module uses only earlier ones, and pure modules stay pure.

use std::fs;
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The modules in the order of `lib.rs`: each may use those before it.
fn rooms() -> Vec<String> {
    let lib = fs::read_to_string(source().join("lib.rs")).expect("lib.rs");
    let module =
        |line: &str| line.strip_prefix("pub mod ").and_then(|line| line.strip_suffix(';')).map(str::to_owned);
    lib.lines().filter_map(module).collect()
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

/// All Rust files of a module.
fn files(room: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    rust_files(&source().join(room), &mut found);
    let single = source().join(format!("{room}.rs"));
    if single.exists() {
        found.push(single);
    }
    assert!(!found.is_empty(), "the room {room} has files");
    found
}

/// The modules that a text names after `crate::`, also inside braces.
fn used_rooms(text: &str) -> Vec<String> {
    let mut used = Vec::new();
    for (start, _) in text.match_indices("crate::") {
        let before = text[..start].chars().next_back();
        if before.is_some_and(|character| character.is_alphanumeric() || matches!(character, ':' | '$' | '_'))
        {
            continue;
        }
        let rest = &text[start + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let list = list.split('}').next().unwrap_or_default();
            used.extend(list.split(',').map(|part| first_name(part.trim())));
        } else {
            used.push(first_name(rest));
        }
    }
    used
}

fn first_name(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
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

/// Descriptions of uses against the order.
fn wrong_arrows(room: &str, allowed: &[String], text: &str) -> Vec<String> {
    let used = used_rooms(program(text)).into_iter();
    used.filter(|used| used != room && !allowed.contains(used)).collect()
}

#[test]
fn every_room_uses_only_rooms_before_it() {
    let rooms = rooms();
    assert!(rooms.len() > 10, "{rooms:?}");
    for (index, room) in rooms.iter().enumerate() {
        for file in files(room) {
            let text = fs::read_to_string(&file).expect("a file");
            let wrong = wrong_arrows(room, &rooms[..index], &text);
            assert!(wrong.is_empty(), "{} uses {wrong:?}, which is not before {room}", file.display());
        }
    }
}

#[test]
fn rules_and_record_use_no_other_room() {
    for (room, allowed) in [("rules", vec![]), ("record", vec!["rules".to_owned()])] {
        for file in files(room) {
            let text = fs::read_to_string(&file).expect("a file");
            let wrong = wrong_arrows(room, &allowed, &text);
            assert!(wrong.is_empty(), "{} uses {wrong:?}", file.display());
        }
    }
}

/// What a pure module may not contain: clocks, randomness of its own, input and output, async, and maps whose order varies.
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
    "tokio::",
    "diesel",
    "actix",
];

fn impurities(text: &str) -> Vec<&'static str> {
    let code: String =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    IMPURE.iter().filter(|word| code.contains(**word)).copied().collect()
}

#[test]
fn the_pure_rooms_have_no_clock_chance_async_or_unordered_map() {
    for room in ["rules", "record", "board"].into_iter().filter(|room| source().join(room).exists()) {
        for file in files(room) {
            let found = impurities(&fs::read_to_string(&file).expect("a file"));
            assert!(found.is_empty(), "{} holds {found:?}", file.display());
        }
    }
}

#[test]
fn unsafe_code_stays_in_the_launchers_file_and_the_allocators() {
    let allowed = ["store/embedded/spawn.rs", "allocator.rs"].map(|name| source().join(name));
    for room in rooms() {
        for file in files(&room).into_iter().filter(|file| !allowed.contains(file)) {
            let text = fs::read_to_string(&file).expect("a file");
            assert!(!text.contains("unsafe {") && !text.contains("allow(unsafe_code)"), "{}", file.display());
        }
    }
    assert!(allowed.iter().all(|file| fs::read_to_string(file).expect("the file").contains("unsafe {")));
    assert!(fs::read_to_string(source().join("lib.rs")).expect("lib.rs").contains("#![deny(unsafe_code)]"));
}

#[test]
fn sql_stays_in_store_and_commit() {
    for room in rooms().into_iter().filter(|room| !["store", "commit"].contains(&room.as_str())) {
        for file in files(&room) {
            let text = fs::read_to_string(&file).expect("a file");
            assert!(!text.contains("diesel"), "{} speaks to the database", file.display());
        }
    }
}

/// The modules that answer over HTTP: the API's types, and the application that serves its document.
const KNOW_THE_DOCUMENT: [&str; 2] = ["api", "http"];

/// The pure rooms whose types are sent as they are. They may derive a schema, and no more.
const DERIVE_SCHEMAS: [&str; 2] = ["rules", "record"];

/// The file that makes schemas of what rule sets derive.
const MAKES_SCHEMAS: &str = "rules/schema.rs";

/// The lines that speak of the document: all that name it, or for rooms that may derive schemas those that do more.
fn lines_about_the_document(text: &str, may_derive: bool) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let about = code.filter(|line| line.contains("utoipa") || line.contains("ToSchema"));
    about.filter(|line| !may_derive || line.replace("utoipa::ToSchema", "").contains("utoipa")).collect()
}

#[test]
fn only_the_api_has_types_of_the_document_and_pure_rooms_derive_their_schemas() {
    for room in rooms().into_iter().filter(|room| !KNOW_THE_DOCUMENT.contains(&room.as_str())) {
        let makes_schemas = source().join(MAKES_SCHEMAS);
        for file in files(&room).into_iter().filter(|file| *file != makes_schemas) {
            let text = fs::read_to_string(&file).expect("a file");
            let found = lines_about_the_document(&text, DERIVE_SCHEMAS.contains(&room.as_str()));
            assert!(found.is_empty(), "{} has types of the OpenAPI document: {found:?}", file.display());
        }
    }
    let api = files("api").into_iter().map(|file| fs::read_to_string(file).expect("a file"));
    assert!(api.filter(|text| text.contains("ToSchema")).count() > 10, "the API does not describe its types");
}

#[test]
fn the_handle_to_all_games_has_methods_in_one_file() {
    let games = files("games").into_iter();
    let with_methods =
        games.filter(|file| fs::read_to_string(file).expect("a file").contains("impl Games {"));
    assert_eq!(with_methods.collect::<Vec<_>>(), [source().join("games/mod.rs")]);
}

/// Chance without an accepted act: for verifiers and tests, which have a footer.
const DISCLOSED: &str = "Disclosed";

#[test]
fn in_a_running_server_only_accepted_acts_and_events_have_seeds() {
    for room in rooms() {
        for file in files(&room) {
            let text = fs::read_to_string(&file).expect("a file");
            let code = program(&text);
            let name = file.strip_prefix(source()).expect("a source").display().to_string();
            let verifies = name.starts_with("record/verify/");
            let defines = ["record/mod.rs", "record/chance.rs"].contains(&name.as_str());
            assert!(verifies || defines || !code.contains(DISCLOSED), "{name} recomputes chance");
            // A permit for an act is created only where acts are accepted.
            let accepts = ["record/draft.rs", "record/chance.rs"].contains(&name.as_str());
            assert!(accepts || !code.contains("Permit::accepted"), "{name} draws what was not accepted");
        }
    }
}

/// The files that write `game_states`: moves, and single rows.
const STATE_WRITERS: [&str; 2] = ["commit/statement.rs", "commit/states.rs"];

/// The files whose functions send such statements to the database.
const STATEMENT_SENDERS: [&str; 2] = ["commit/sending.rs", "commit/states.rs"];

/// The files that start such a write, and so get the right to it: moves, starts of games, lost answers, repairs,
/// reminders, changes of clocks.
const STATEMENT_OWNERS: [&str; 6] = [
    "commit/writer.rs",
    "commit/lobby.rs",
    "commit/settle.rs",
    "commit/repair.rs",
    "commit/reminders.rs",
    "commit/clocks.rs",
];

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
fn the_states_of_games_are_written_in_one_room_with_a_right_that_six_files_take() {
    for room in rooms() {
        for file in files(&room) {
            let text = fs::read_to_string(&file).expect("a file");
            let name = file.strip_prefix(source()).expect("in src").display().to_string();
            let code = program(&text);
            let may = STATE_WRITERS.contains(&name.as_str());
            assert!(may || !writes_states(code), "{name} writes game_states");
            let takes = code.contains("StateWrite::of(");
            assert_eq!(
                takes,
                STATEMENT_OWNERS.contains(&name.as_str()),
                "{name} takes the right to write states"
            );
            let makes = code.contains("StateWrite {") && !code.contains("impl StateWrite {");
            assert!(!makes, "{name} makes that right by itself");
        }
    }
    for name in STATE_WRITERS {
        let text = fs::read_to_string(source().join(name)).expect("a file");
        assert!(writes_states(&text), "{name} does not write them any more");
    }
    for name in STATEMENT_SENDERS {
        let text = fs::read_to_string(source().join(name)).expect("a file");
        for function in program(&text).split("async fn ").skip(1) {
            let (name_of, rest) = function.split_once('(').expect("parameters");
            let parameters = rest.split(')').next().unwrap_or_default();
            let locks = name_of == "lock";
            assert!(locks || parameters.contains("right: &StateWrite"), "{name}: {name_of} needs no right");
        }
    }
}

#[test]
fn the_checks_see_what_they_should() {
    assert_eq!(
        used_rooms("use crate::store::Database;\nuse crate::{games::Games, api};\n"),
        ["store", "games", "api"]
    );
    assert_eq!(wrong_arrows("rules", &[], "use crate::rules::Seat; crate::games::x()"), ["games"]);
    let tests =
        "#[cfg(test)]\nmod tests;\nuse crate::api::A;\n#[cfg(test)]\nmod more {\nuse crate::games::B;\n}";
    assert_eq!(wrong_arrows("rules", &[], tests), ["api"]);
    let deriving = "use utoipa::ToSchema;\n#[derive(Debug, ToSchema)]\n#[schema(as = RaceView)]\n// utoipa";
    assert!(lines_about_the_document(deriving, true).is_empty());
    assert_eq!(lines_about_the_document(deriving, false).len(), 2);
    assert_eq!(lines_about_the_document("use utoipa::{OpenApi, ToSchema};", true).len(), 1);
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
