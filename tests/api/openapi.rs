//! The OpenAPI document: committed, complete, and served.

use std::collections::BTreeSet;
use std::path::Path;

use pippost::api::Code;
use pippost::api::declared::{REFUSED, codes_of};
use pippost::api::openapi::Part;

use support::{TestApp, contract};

#[test]
fn the_committed_document_is_the_one_that_the_code_makes() {
    for part in Part::ALL {
        let file = format!("openapi/{}.json", part.name());
        let committed = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file));
        assert!(
            committed.expect("a document") == pippost::http::committed_document(part),
            "the API has changed: refresh {file} (CONTRIBUTING.md says how) and commit it"
        );
    }
}

/// A client's author reads it, and tools show it, in one go.
const MAX_DOCUMENT_BYTES: usize = 300_000;

#[test]
fn each_part_of_the_document_stays_small() {
    for part in Part::ALL {
        let committed: serde_json::Value =
            serde_json::from_str(&pippost::http::committed_document(part)).expect("JSON");
        let bytes = committed.to_string().len();
        assert!(bytes <= MAX_DOCUMENT_BYTES, "{}: {bytes} bytes", part.name());
    }
}

/// Method and path of every handler of the API, as its attribute says.
fn handlers() -> BTreeSet<(String, String)> {
    fn walk(folder: &Path, found: &mut BTreeSet<(String, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
                continue;
            }
            for line in std::fs::read_to_string(&path).expect("a file").lines() {
                let attribute = line.trim().strip_prefix("#[").and_then(|line| line.strip_suffix(")]"));
                let Some((method, path)) = attribute.and_then(|attribute| attribute.split_once("(\"")) else {
                    continue;
                };
                let Some((path, _)) = path.split_once('"') else { continue };
                if matches!(method, "get" | "post" | "put" | "patch" | "delete") {
                    found.insert((method.to_owned(), path.to_owned()));
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    for folder in ["crates/api/src", "src/http"] {
        walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    }
    // The document itself.
    found.remove(&("get".to_owned(), "/openapi.json".to_owned()));
    found
}

#[test]
fn the_routes_and_the_documented_paths_are_the_same_set() {
    let mut documented = BTreeSet::new();
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("operations").keys() {
            documented.insert((method.clone(), path.trim_start_matches("/api/v1").to_owned()));
        }
    }
    assert_eq!(handlers(), documented);
    assert!(documented.len() > 30);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_documented_operation_is_answered_by_a_handler() {
    let app = TestApp::start().await;
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        let path = path.replace("{id}", "01a1fe2a-89df-7515-9c5d-9fde96828ff2").replace("{handle}", "nobody");
        let path = path.replace("{name}", "pip-pip");
        for method in item.as_object().expect("operations").keys() {
            let method = method.to_uppercase().parse().expect("a method");
            let answer = app.stranger().send(method, &path, Some("{}".into()), &[]).await;
            assert_ne!(answer.status, 405, "{path}");
            if answer.status == 404 {
                assert_ne!(
                    answer.json()["detail"],
                    "there is nothing at this address",
                    "{path} has no handler"
                );
            }
        }
    }
}

#[test]
fn every_reference_leads_to_a_part_of_the_document() {
    fn references<'a>(value: &'a serde_json::Value, found: &mut BTreeSet<&'a str>) {
        match value {
            serde_json::Value::Object(members) => {
                found.extend(members.get("$ref").and_then(serde_json::Value::as_str));
                members.values().for_each(|value| references(value, found));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    references(contract::document(), &mut found);
    assert!(found.len() > 30);
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("a part of this document");
        assert!(contract::document().pointer(pointer).is_some(), "{reference}");
    }
}

#[test]
fn the_document_names_its_server_and_the_tokens_that_each_operation_takes() {
    let document = contract::document();
    assert_eq!(document["servers"][0]["url"], "/");
    let schemes = document["components"]["securitySchemes"].as_object().expect("schemes");
    let mut public = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let security = operation["security"].as_array();
            let security = security.unwrap_or_else(|| panic!("{method} {path} does not say who may ask"));
            let named = security.iter().flat_map(|one| one.as_object().expect("schemes").keys());
            assert!(named.into_iter().all(|name| schemes.contains_key(name)), "{method} {path}");
            public += usize::from(security.is_empty());
        }
    }
    assert!(public > 10, "{public}");
}

#[test]
fn every_parameter_of_a_path_is_declared_and_every_operation_says_how_it_fails() {
    let document = contract::document();
    assert_eq!(document["openapi"], "3.1.0");
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let declared: BTreeSet<_> = contract::parameters(operation)
                .filter(|parameter| parameter["in"] == "path")
                .map(|parameter| parameter["name"].as_str().expect("a name").to_owned())
                .collect();
            let named: BTreeSet<_> = path
                .split('/')
                .filter_map(|part| Some(part.strip_prefix('{')?.strip_suffix('}')?.to_owned()))
                .collect();
            assert_eq!(declared, named, "{method} {path}");
            assert!(operation["summary"].is_string(), "{method} {path} has no summary");
        }
    }
}

#[test]
fn every_operation_names_each_code_that_it_can_give() {
    let mut codes_read = 0;
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let responses = operation["responses"].as_object().expect("responses");
            let others = responses.keys().filter(|status| status.as_str() != REFUSED);
            for status in others {
                let number: u16 =
                    status.parse().unwrap_or_else(|_| panic!("{method} {path} documents {status}"));
                assert!(number < 400, "{method} {path} documents {status} apart from its refusals");
            }
            let codes = codes_of(operation);
            assert!(codes.contains(&Code::Internal) && codes.contains(&Code::Unavailable), "{method} {path}");
            let own = responses[REFUSED]["description"].as_str().unwrap_or_default();
            for code in &codes {
                let quoted = format!("`{code}`");
                let once = contract::document()["info"]["description"].as_str().expect("a description");
                assert!(own.contains(&quoted) || once.contains(&quoted), "{method} {path}: {code}");
            }
            codes_read += codes.len();
        }
    }
    assert!(codes_read > 500, "{codes_read}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_and_its_page_are_served_without_the_network() {
    let app = TestApp::start().await;
    for part in Part::ALL {
        let served = app.stranger().get(part.path()).await.ok();
        let committed: serde_json::Value =
            serde_json::from_str(&pippost::http::committed_document(part)).expect("JSON");
        assert!(served == committed, "{}", part.path());
    }
    let yaml = app.stranger().get("/openapi.yaml").await;
    assert!(yaml.headers["content-type"] == "application/yaml" && yaml.status == 200);
    let page = app.stranger().get("/docs/").await;
    page.expect_status(200);
    for asset in ["swagger-ui-bundle.js", "swagger-ui.css"] {
        assert!(page.text().contains(asset));
        let asset = app.stranger().get(&format!("/docs/{asset}")).await;
        asset.expect_status(200);
        assert!(asset.body.len() > 10_000);
    }
    assert!(!page.text().contains("https://"), "the page loads nothing from elsewhere");
}

/// Addresses that end with a plural and show one thing: settings, orders, or a position's actions with what belongs to them.
const NO_LISTS: [&str; 6] =
    ["actions", "choices", "news", "notification_preferences", "standing_orders", "wishes"];

#[test]
fn a_list_stands_under_the_name_of_its_address_and_no_address_names_a_method() {
    let mut lists = 0;
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        let words = || path.split(['/', '-', '.']);
        for method in ["get", "head", "post", "put", "patch", "delete", "options"] {
            assert!(words().all(|word| word != method), "{path}");
        }
        let last = path.rsplit('/').next().unwrap_or_default().replace('-', "_");
        let answer = &item["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        let answer = contract::meant(answer);
        assert_ne!(answer["type"], "array", "{path}");
        if last.ends_with('s') && answer.is_object() && !NO_LISTS.contains(&last.as_str()) {
            assert_eq!(answer["properties"][&last]["type"], "array", "{path}");
            lists += 1;
        }
    }
    assert!(lists > 15, "{lists}");
}

/// Linters say that a scope is unknown unless a flow of its scheme lists it.
#[test]
fn scopes_stand_where_a_scheme_lists_them() {
    let document = contract::document();
    let mut scopes = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        let required = item.as_object().expect("operations").values();
        let required = required.flat_map(|operation| operation["security"].as_array().expect("a list"));
        for (scheme, named) in required.flat_map(|one| one.as_object().expect("schemes")) {
            let flows = &document["components"]["securitySchemes"][scheme]["flows"];
            for scope in named.as_array().expect("scopes").iter().filter_map(serde_json::Value::as_str) {
                assert!(flows["authorizationCode"]["scopes"].get(scope).is_some(), "{path}: {scope}");
                scopes += 1;
            }
        }
    }
    assert!(scopes > 50, "{scopes}");
}
