//! The pages as a site, made by mdBook: all are in it once, the search knows them, and no link is dead. A suite of its own, see
//! .ci/suites.

mod links;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use support::skipped::skipped;

/// Pages beside the folder `docs`, which the summary names as well.
const BESIDE: [&str; 4] = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The pages of the summary with the names that it gives them.
fn summary() -> Vec<(String, String)> {
    let text = read("packaging/site/SUMMARY.md");
    let links = text.lines().filter_map(|line| line.split_once('[')?.1.strip_suffix(')')?.rsplit_once("]("));
    links.map(|(name, path)| (name.to_owned(), path.to_owned())).collect()
}

/// The pages below a folder, as paths in the repository.
fn pages(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).expect("a folder").map(|entry| entry.expect("an entry")) {
        let path = format!("{folder}/{}", entry.file_name().display());
        if entry.path().is_dir() {
            found.extend(pages(&path));
        } else if entry.path().extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
    found
}

/// The site, built by the script that builds it for a release; nothing where there is no mdBook.
fn site() -> Option<(TempDir, PathBuf)> {
    if std::env::var_os("MDBOOK").is_none() {
        skipped("the pages as a site", "MDBOOK does not name mdBook (.ci/install-mdbook builds it)");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let site = folder.path().join("site");
    let built = Command::new(root().join("packaging/build-site")).arg(&site).output().expect("the script");
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success() && !said.contains("WARN") && !said.contains("ERROR"), "{said}");
    Some((folder, site))
}

#[test]
fn the_summary_names_every_page_once_and_by_its_title() {
    let summary = summary();
    let named: BTreeSet<&str> = summary.iter().map(|(_, path)| path.as_str()).collect();
    assert_eq!(named.len(), summary.len(), "a page is named twice");
    let all = pages("docs").into_iter().chain(BESIDE.map(str::to_owned)).collect::<Vec<_>>();
    assert!(all.len() > 50, "{all:?}");
    let missing: Vec<&String> = all.iter().filter(|path| !named.contains(path.as_str())).collect();
    assert!(missing.is_empty(), "packaging/site/SUMMARY.md does not name {missing:?}");
    for (name, path) in &summary {
        let page = read(path);
        let title = page.lines().find_map(|line| line.strip_prefix("# "));
        assert_eq!(title, Some(name.as_str()), "{path}");
    }
}

#[test]
fn no_link_of_the_site_is_dead() {
    let Some((_folder, site)) = site() else { return };
    let followed = links::follow(&site);
    for (_, path) in summary() {
        let page = path.replace(".md", ".html");
        assert!(followed.pages.contains(&page), "the site has no {page}");
    }
    assert!(followed.good > 1_000 && followed.outside.len() > 3, "{} {:?}", followed.good, followed.outside);
    assert!(followed.dead.is_empty(), "{:#?}", followed.dead);
}

#[test]
fn the_search_finds_every_page() {
    let Some((_folder, site)) = site() else { return };
    let mut files = fs::read_dir(&site).expect("a folder").map(|entry| entry.expect("an entry").path());
    let is_index = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("searchindex"))
    };
    let index = fs::read_to_string(files.find(is_index).expect("an index")).expect("text");
    for (_, path) in summary() {
        let place = format!("\"{}#", path.replace(".md", ".html"));
        assert!(index.contains(&place), "the search does not know {path}");
    }
}
