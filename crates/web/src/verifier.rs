//! Assembles the second verifier: a page that checks records in the browser by the protocol alone. It shares no code with the
//! server.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, ContentType};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, get};
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use minijinja::HtmlEscape;
use serde_json::Value;

use pippost_http::conditional::EntityTag;
use pippost_record::rules::{self, Verifier};

/// The modules that the rules of the games may import, each after its own imports.
const BEFORE_RULES: &[(&str, &str)] = &[
    ("refused.js", include_str!("../../../templates/verifier/refused.js")),
    ("bytes.js", include_str!("../../../templates/verifier/bytes.js")),
    ("json.js", include_str!("../../../templates/verifier/json.js")),
    ("secrets.js", include_str!("../../../templates/verifier/secrets.js")),
    ("chance.js", include_str!("../../../templates/verifier/chance.js")),
    ("cards.js", include_str!("../../../templates/verifier/cards.js")),
];

/// The modules that import the rules of the games.
const AFTER_RULES: &[(&str, &str)] = &[
    ("form.js", include_str!("../../../templates/verifier/form.js")),
    ("chain.js", include_str!("../../../templates/verifier/chain.js")),
    ("replay.js", include_str!("../../../templates/verifier/replay.js")),
    ("clock_time.js", include_str!("../../../templates/verifier/clock_time.js")),
    ("clock_form.js", include_str!("../../../templates/verifier/clock_form.js")),
    ("clock_zone.js", include_str!("../../../templates/verifier/clock_zone.js")),
    ("clock_openings.js", include_str!("../../../templates/verifier/clock_openings.js")),
    ("clock.js", include_str!("../../../templates/verifier/clock.js")),
    ("proof.js", include_str!("../../../templates/verifier/proof.js")),
    ("verify.js", include_str!("../../../templates/verifier/verify.js")),
    ("words.js", include_str!("../../../templates/verifier/words.js")),
    ("notes.js", include_str!("../../../templates/verifier/notes.js")),
    ("tree.js", include_str!("../../../templates/verifier/tree.js")),
    ("log.js", include_str!("../../../templates/verifier/log.js")),
    ("page_log.js", include_str!("../../../templates/verifier/page_log.js")),
    ("page.js", include_str!("../../../templates/verifier/page.js")),
];

/// The module that lists the rules of the games.
const RULES_MODULE: &str = "rules.js";

const PAGE: &str = include_str!("../../../templates/verifier/index.html");
const STYLE: &str = include_str!("../../../templates/verifier/verifier.css");

/// Allows the page's own script and style only, so it can send nothing anywhere.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let source = |text: &str| format!("'sha256-{}'", STANDARD.encode(digest(&SHA256, text.as_bytes())));
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        source(&SCRIPT),
        source(STYLE)
    )
});

/// All modules joined into one script, because browsers import no modules into a page opened from a file.
static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let mut script = String::from("\n");
    for (name, module) in modules() {
        let _ = writeln!(script, "// ---- {name}\n\n{}", without_imports(&module));
    }
    script
});

static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    let page = PAGE.replace("{{ policy }}", &POLICY).replace("{{ style }}", STYLE);
    page.replace("{{ rules }}", &titles()).replace("{{ script }}", &SCRIPT)
});

/// The names and sources of the page's modules, each after its imports. The rules' modules come from the registry.
pub fn modules() -> Vec<(&'static str, Cow<'static, str>)> {
    let given = |(name, source): &(&'static str, &'static str)| (*name, Cow::Borrowed(*source));
    let mut modules: Vec<_> = BEFORE_RULES.iter().map(given).collect();
    for script in rules::all().flat_map(|rules| rules.verifier().modules) {
        let module = (script.file, Cow::Borrowed(script.source));
        // Versions of a rule set may share modules.
        if !modules.contains(&module) {
            modules.push(module);
        }
    }
    modules.push((RULES_MODULE, Cow::Owned(rules_module())));
    modules.extend(AFTER_RULES.iter().map(given));
    modules
}

/// Generates the module that lists the rules: classes by name and version, titles by name.
fn rules_module() -> String {
    let mut text = String::from("// The rules of the games, by the name and the version in the header.\n\n");
    let (mut classes, mut titles) = (BTreeMap::<_, BTreeMap<_, _>>::new(), BTreeMap::new());
    for rules in rules::all() {
        let Verifier { class, modules } = rules.verifier();
        if let Some(script) =
            modules.iter().find(|script| script.source.contains(&format!("export class {class} ")))
        {
            let _ = writeln!(text, "import {{ {class} }} from \"./{}\";", script.file);
        }
        classes.entry(rules.name()).or_default().insert(rules.version(), class);
        titles.insert(rules.name(), rules.title());
    }
    let classes = classes.iter().map(|(name, versions)| {
        let versions: Vec<_> =
            versions.iter().map(|(version, class)| format!("{version}: {class}")).collect();
        format!("  \"{name}\": {{ {} }},\n", versions.join(", "))
    });
    let titles = titles.iter().map(|(name, title)| format!("  \"{name}\": {},\n", Value::from(*title)));
    let (classes, titles) = (classes.collect::<String>(), titles.collect::<String>());
    let _ =
        write!(text, "\nexport const RULES = {{\n{classes}}};\n\nexport const TITLES = {{\n{titles}}};\n");
    text
}

/// The titles of all games in HTML, as in `A, B or C`.
fn titles() -> String {
    let titles: BTreeMap<_, _> = rules::all().map(|rules| (rules.name(), rules.title())).collect();
    let titles: Vec<_> = titles.into_values().collect();
    let sentence = match titles.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        titles => titles.concat(),
    };
    HtmlEscape(&sentence).to_string()
}

/// The whole page: one HTML file without external resources. The same program always generates the same bytes.
#[must_use]
pub fn document() -> &'static str {
    &DOCUMENT
}

/// The text of a module without its import statements and `export` keywords. Every import must begin a line, and its last line
/// must end with `";`.
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

fn served() -> HttpResponseBuilder {
    with_policy(HttpResponse::Ok())
}

fn with_policy(mut response: HttpResponseBuilder) -> HttpResponseBuilder {
    response
        .content_type(ContentType::html())
        .insert_header((CONTENT_SECURITY_POLICY, format!("{}; frame-ancestors 'none'", *POLICY)));
    response
}

/// The page is large and changes with releases only.
static TAG: LazyLock<EntityTag> = LazyLock::new(|| EntityTag::of(&[document().as_bytes()]));

/// Shows the page.
#[get("/verifier")]
pub async fn verifier(request: HttpRequest) -> HttpResponse {
    TAG.respond(&request, |answer| with_policy(answer).body(document()))
}

/// The page with a record in it, escaped for HTML, which it checks as soon as it is open.
#[must_use]
pub fn served_with(record: &str, name: &str) -> HttpResponse {
    let given = format!(
        "<textarea id=\"given\" data-name=\"{name}\" hidden readonly>\n{record}</textarea>\n<noscript>"
    );
    served().body(document().replacen("<noscript>", &given, 1))
}

/// Sends the page as a file to save.
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
    fn every_module_has_its_own_name_and_stands_after_those_that_it_imports() {
        let modules = modules();
        for (index, (name, module)) in modules.iter().enumerate() {
            let earlier = |wanted: &str| modules[..index].iter().any(|(earlier, _)| *earlier == wanted);
            assert!(!earlier(name), "{name} is there twice");
            let imported = module.split(" from \"./").skip(1).filter_map(|rest| rest.split('"').next());
            for import in imported {
                assert!(earlier(import), "{name} imports {import}, which does not stand before it");
            }
        }
    }

    #[test]
    fn the_rules_module_has_the_class_of_every_rule_set() {
        let module = rules_module();
        for rules in rules::all() {
            let Verifier { class, .. } = rules.verifier();
            assert_eq!(
                module.matches(&format!("import {{ {class} }} from")).count(),
                1,
                "{class}:\n{module}"
            );
            let listed = format!("\"{}\": {{ {}: {class} }}", rules.name(), rules.version());
            assert!(module.contains(&listed), "{listed}:\n{module}");
        }
    }

    #[test]
    fn every_module_of_the_folder_is_in_the_page() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates/verifier");
        for entry in std::fs::read_dir(folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
            let is_module = path.extension().is_some_and(|extension| extension == "js");
            let known = modules().iter().any(|(module, _)| *module == name);
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
