//! The game shows up typed in a client that a foreign tool generates from the document.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use pippost::api::openapi::Part;
use tempfile::TempDir;

use super::tools::{node_modules, node_program, succeeds};
use super::{add_the_game, rules};

/// A folder with the types of this document and these programs, and the compiler's answer.
fn compiled(document: &str, program: &str) -> Output {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = typed(document);
    let program = repository.join(program);
    let name = program.file_name().expect("a name");
    fs::copy(&program, folder.path().join(name)).expect("a copy");
    let mut compile: Command = node_program("tsc");
    compile.args([
        "--strict",
        "--noEmit",
        "--skipLibCheck",
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--types",
        "node",
    ]);
    compile.arg(name).current_dir(folder.path()).output().expect("the compiler")
}

fn typed(document: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("openapi.json"), document).expect("a file");
    fs::write(folder.path().join("package.json"), r#"{"type": "module"}"#).expect("a file");
    symlink(node_modules(), folder.path().join("node_modules")).expect("a link");
    let mut generate = node_program("openapi-typescript");
    generate.args(["openapi.json", "--default-non-nullable=false", "--root-types"]);
    generate.args(["--root-types-no-schema-prefix", "--output", "schema.d.ts"]);
    succeeds(generate.current_dir(folder.path()));
    folder
}

#[test]
#[ignore = "it needs the tools of tests/contract; ./test runs it"]
fn a_regenerated_client_knows_the_types_of_the_game() {
    add_the_game();
    assert!(rules::find("race", None).is_some());
    let with_the_game = pippost::http::committed_document(Part::Players);
    let accepted = compiled(&with_the_game, "tests/fifth_game/race.ts");
    assert!(accepted.status.success(), "{}", String::from_utf8_lossy(&accepted.stdout));
    let without = include_str!("../../openapi/openapi.json");
    let refused = compiled(without, "tests/fifth_game/race.ts");
    let errors = String::from_utf8(refused.stdout).expect("text");
    assert!(!refused.status.success() && errors.contains("RaceRolledEffect"), "{errors}");
}

#[test]
#[ignore = "it needs the tools of tests/contract; ./test runs it"]
fn the_compiler_names_the_game_to_a_client_that_does_not_know_it() {
    add_the_game();
    let refused = compiled(&pippost::http::committed_document(Part::Players), "examples/typescript/play.ts");
    let errors = String::from_utf8(refused.stdout).expect("text");
    let tells = "Property 'race' is missing in type";
    assert!(!refused.status.success() && errors.contains(tells), "{errors}");
}
