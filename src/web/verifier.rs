//! The second verifier: one page that checks records by itself, in the browser, from the protocol alone. This only puts
//! its sources together; no code of ours runs in it.

use std::fmt::Write as _;
use std::sync::LazyLock;

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, ContentType};
use actix_web::{HttpResponse, get};
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The modules of the page, each after those that it imports.
const MODULES: &[(&str, &str)] = &[
    ("refused.js", include_str!("../../templates/verifier/refused.js")),
    ("bytes.js", include_str!("../../templates/verifier/bytes.js")),
    ("json.js", include_str!("../../templates/verifier/json.js")),
    ("secrets.js", include_str!("../../templates/verifier/secrets.js")),
    ("chance.js", include_str!("../../templates/verifier/chance.js")),
    ("cards.js", include_str!("../../templates/verifier/cards.js")),
    ("dominion_field.js", include_str!("../../templates/verifier/dominion_field.js")),
    ("dominion.js", include_str!("../../templates/verifier/dominion.js")),
    ("pip_pip.js", include_str!("../../templates/verifier/pip_pip.js")),
    ("pippinzip.js", include_str!("../../templates/verifier/pippinzip.js")),
    ("serpent.js", include_str!("../../templates/verifier/serpent.js")),
    ("rules.js", include_str!("../../templates/verifier/rules.js")),
    ("form.js", include_str!("../../templates/verifier/form.js")),
    ("chain.js", include_str!("../../templates/verifier/chain.js")),
    ("replay.js", include_str!("../../templates/verifier/replay.js")),
    ("proof.js", include_str!("../../templates/verifier/proof.js")),
    ("verify.js", include_str!("../../templates/verifier/verify.js")),
    ("words.js", include_str!("../../templates/verifier/words.js")),
    ("page.js", include_str!("../../templates/verifier/page.js")),
];

const PAGE: &str = include_str!("../../templates/verifier/index.html");
const STYLE: &str = include_str!("../../templates/verifier/verifier.css");

/// What the page may do: run its own script and style, and nothing else; so nothing can leave it.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let source = |text: &str| format!("'sha256-{}'", STANDARD.encode(digest(&SHA256, text.as_bytes())));
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        source(&SCRIPT),
        source(STYLE)
    )
});

/// All modules as one, because browsers import none into a page that was opened from a file.
static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let mut script = String::from("\n");
    for (name, module) in MODULES {
        let _ = writeln!(script, "// ---- {name}\n\n{}", without_imports(module));
    }
    script
});

static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    PAGE.replace("{{ policy }}", &POLICY).replace("{{ style }}", STYLE).replace("{{ script }}", &SCRIPT)
});

/// The whole page: one HTML file that needs nothing beside it. Always the same bytes from the same program.
#[must_use]
pub fn document() -> &'static str {
    &DOCUMENT
}

/// The text of a module without its import statements and its `export` marks: every import begins a line, and its last
/// line ends with `";`.
fn without_imports(module: &str) -> String {
    let mut importing = false;
    let mut text = String::new();
    for line in module.lines() {
        importing |= line.starts_with("import ");
        if importing {
            importing = !line.ends_with("\";");
        } else {
            text.push_str(line.strip_prefix("export ").unwrap_or(line));
            text.push('\n');
        }
    }
    text
}

fn served() -> actix_web::HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .content_type(ContentType::html())
        .insert_header((CONTENT_SECURITY_POLICY, format!("{}; frame-ancestors 'none'", *POLICY)));
    response
}

/// The page, to use.
#[get("/verifier")]
pub async fn verifier() -> HttpResponse {
    served().body(document())
}

/// The same page, to keep.
#[get("/verifier/pippost-verifier.html")]
pub async fn verifier_file() -> HttpResponse {
    served()
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"pippost-verifier.html\""))
        .body(document())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_stands_after_those_that_it_imports() {
        for (index, (name, module)) in MODULES.iter().enumerate() {
            let imported = module.split(" from \"./").skip(1).filter_map(|rest| rest.split('"').next());
            for import in imported {
                let before = MODULES[..index].iter().any(|(earlier, _)| *earlier == import);
                assert!(before, "{name} imports {import}, which does not stand before it");
            }
        }
    }

    #[test]
    fn every_module_of_the_folder_is_in_the_page() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/verifier");
        for entry in std::fs::read_dir(folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
            let is_module = path.extension().is_some_and(|extension| extension == "js");
            let known = MODULES.iter().any(|(module, _)| *module == name);
            assert!(known || !is_module, "{name} is not in the page");
        }
    }

    #[test]
    fn the_page_is_whole_and_cannot_be_ended_early_by_its_own_script() {
        assert!(!document().contains("{{ "), "every place is filled");
        assert!(!SCRIPT.contains("\nimport ") && !SCRIPT.contains("\nexport "), "it stands alone");
        for ending in ["</script", "<script", "<!--"] {
            assert!(!SCRIPT.to_lowercase().contains(ending), "{ending}");
        }
    }
}
