//! Which pages are looked at: all.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use support::apps;

use super::looks::{Places, pages};

/// The routes of pages that have no picture, and why.
const NOT_PICTURED: &[(&str, &str)] = &[
    ("/.well-known/security.txt", "a file"),
    ("/dumps/{name}", "a file"),
    ("/favicon.ico", "a file"),
    ("/feeds/deadlines.ics", "a file"),
    ("/feeds/turns.rss", "a file"),
    ("/games/{id}/analysis/board", "a part of /games/{id}/analysis"),
    ("/games/{id}/board.png", "a picture"),
    ("/games/{id}/board.svg", "a picture"),
    ("/games/{id}/film.png", "a picture"),
    ("/games/{id}/news", "JSON for the page of a game"),
    ("/games/{id}/record.ndjson", "a file"),
    ("/games/{id}/replay/moment", "a part of /games/{id}/replay"),
    ("/games/{id}/table", "a part of /games/{id}"),
    ("/manifest.webmanifest", "a file"),
    ("/my-games/waiting", "JSON for every page"),
    ("/next", "a redirect"),
    ("/play", "a redirect"),
    ("/preferences/data.zip", "a file"),
    ("/moderation/act/data.zip", "a file"),
    ("/rules/{name}/board.svg", "a picture"),
    ("/service-worker.js", "a script"),
    ("/static/{hash}/{name}", "a file"),
    ("/verifier/pippost-verifier.html", "/verifier as a file"),
];

/// The routes of the pages, as their handlers name them.
fn routes() -> BTreeSet<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/web/src")];
    let mut routes = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let (inner, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
        folders.extend(inner);
        for text in files.iter().map(|file| fs::read_to_string(file).expect("a file")) {
            let named = text.split("#[get(\"").skip(1).filter_map(|rest| rest.split('"').next());
            routes.extend(named.map(str::to_owned));
        }
    }
    routes
}

/// The route that answers a path: of those that fit the one with the fewest parameters.
fn route_of<'a>(routes: &'a BTreeSet<String>, path: &str) -> Option<&'a String> {
    let path = path.split('?').next().unwrap_or_default();
    let fits = |route: &&String| {
        route.split('/').count() == path.split('/').count()
            && route.split('/').zip(path.split('/')).all(|(one, part)| one == part || one.starts_with('{'))
    };
    routes.iter().filter(fits).min_by_key(|route| route.matches('{').count())
}

#[test]
fn every_route_of_a_page_is_pictured_or_is_no_page() {
    let places = Places {
        running: "/games/1".to_owned(),
        problem: "/problems/1".to_owned(),
        study: "/studies/1".to_owned(),
        club: "/clubs/1".to_owned(),
        waiting: "/games/2".to_owned(),
        hook: "/preferences/webhooks/1".to_owned(),
        tournament: "/tournaments/1".to_owned(),
        league: "/tournaments/2".to_owned(),
        consent: apps::AUTHORIZE.to_owned(),
        unsubscribe: "/unsubscribe".to_owned(),
        closed: "/moderation/act".to_owned(),
    };
    let routes = routes();
    let pages = pages(&places).concat();
    let mut held: Vec<&str> =
        pages.iter().filter_map(|(_, path)| route_of(&routes, path)).map(String::as_str).collect();
    held.sort_unstable();
    held.dedup();
    held.extend(NOT_PICTURED.iter().map(|(route, _)| *route));
    held.sort_unstable();
    let all: Vec<&str> = routes.iter().map(String::as_str).collect();
    assert_eq!(held, all, "left: pictured or excepted, right: the routes");
}
