//! The most used generator takes the document: it makes clients in eight languages, of which that in TypeScript is compiled and that
//! in Python plays a game.

use std::fs;

use super::clients::ClientFolder;
use super::tools::{node_program, own_file, python_program, succeeds};

/// The generator's names of the languages of which no compiler is at hand.
const LANGUAGES: [&str; 6] = ["csharp", "go", "java", "kotlin", "rust", "typescript-axios"];

/// What the generator warns of in every document of OpenAPI 3.1.
const ALWAYS: [&str; 2] = ["OpenAPI 3.1 support is still in beta", "Failed to get the schema name: null"];

/// Makes a client in a folder of that name, and returns what the generator warns of, without the names that it replaces because a
/// language has them.
fn generate(client: &ClientFolder, language: &str) -> Vec<String> {
    let mut generate = python_program("openapi-generator-cli");
    generate.args(["generate", "-i", "openapi.json", "-g", language, "-o", language]);
    let output = succeeds(generate.current_dir(client.folder.path()));
    let said =
        [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    let warnings = said.lines().filter(|line| line.contains(" WARN ") || line.contains(" ERROR "));
    let known = |line: &str| ALWAYS.iter().any(|known| line.contains(known)) || line.contains("Renamed to");
    warnings.filter(|line| !known(line)).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_most_used_generator_makes_clients_in_many_languages() {
    let client = ClientFolder::open().await;
    for language in LANGUAGES {
        let warnings = generate(&client, language);
        let left_out = warnings.iter().filter(|line| !line.contains("Ignoring complex example"));
        assert_eq!(left_out.count(), 0, "{language}: {warnings:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn its_typescript_compiles_strictly() {
    let client = ClientFolder::open().await;
    assert_eq!(generate(&client, "typescript-fetch"), [""; 0]);
    let mut compile = node_program("tsc");
    compile.args([
        "--strict",
        "--noEmit",
        "--target",
        "es2022",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
    ]);
    compile.args(["--lib", "es2022,dom", "typescript-fetch/index.ts"]);
    succeeds(compile.current_dir(client.folder.path()));
}

#[tokio::test(flavor = "multi_thread")]
async fn its_python_plays_a_game() {
    let client = ClientFolder::open().await;
    let warnings = generate(&client, "python");
    let without_type = warnings.iter().filter(|line| !line.contains("Default to typing.Any"));
    assert_eq!(without_type.count(), 0, "{warnings:#?}");
    let mut play = python_program("python");
    play.env("PYTHONPATH", client.path("python")).arg(own_file("openapi_generator/play.py"));
    let output = succeeds(play.arg(client.server.url()));
    let said = String::from_utf8(output.stdout).expect("text");
    let game = said.strip_prefix("game ").and_then(|said| said.split(':').next()).expect("a game");
    client.check("pip-pip", game, &said).await;
    // What is sent to webhooks takes the place of none of their operations.
    let webhooks = fs::read_to_string(client.path("python/openapi_client/api/webhooks_api.py"));
    let webhooks = webhooks.expect("a file");
    for operation in ["register_webhook", "list_webhooks", "remove_webhook", "rotate_webhook_secret"] {
        assert!(webhooks.contains(&format!("    def {operation}(")), "{operation} is missing");
    }
}
