//! Makes the client of the OpenAPI document that `PIPPOST_OPENAPI` names (of a server: `curl $URL/openapi.json`).

use std::path::PathBuf;

use openapi_to_rust::{CodeGenerator, DerivesConfig, GeneratorConfig, SchemaAnalyzer};
use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-env-changed=PIPPOST_OPENAPI");
    let path = std::env::var("PIPPOST_OPENAPI").unwrap_or_else(|_| "../../openapi/openapi.json".to_owned());
    println!("cargo:rerun-if-changed={path}");
    let document: Value = serde_json::from_slice(&std::fs::read(path)?)?;
    // Everything about a new game but its rules may be left out.
    let new_games =
        document["components"]["schemas"]["NewGameBody"]["oneOf"].as_array().into_iter().flatten();
    let names = new_games.filter_map(|game| game["$ref"].as_str()?.rsplit('/').next().map(str::to_owned));
    let types = names.map(|name| (name, vec!["Default".to_owned()])).collect();
    let config = GeneratorConfig {
        enable_sse_client: false,
        tracing_enabled: false,
        derives: DerivesConfig { types, ..DerivesConfig::default() },
        ..GeneratorConfig::default()
    };
    let mut analysis = SchemaAnalyzer::new(document)?.analyze()?;
    let folder = PathBuf::from(std::env::var("OUT_DIR")?);
    for file in CodeGenerator::new(config).generate_all(&mut analysis)?.files {
        // An included file must not begin with attributes of its module; src/main.rs has them.
        let lines = file.content.lines().filter(|line| !line.starts_with("#![") && !line.starts_with("//!"));
        std::fs::write(folder.join(file.path), lines.map(|line| format!("{line}\n")).collect::<String>())?;
    }
    Ok(())
}
