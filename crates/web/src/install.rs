//! What lets a browser install the pages, and open the last known positions without a connection: the manifest, the service worker, and
//! the page that it shows where it knows nothing.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use actix_web::{HttpResponse, get, web};
use minijinja::context;
use serde_json::json;

use super::assets;
use super::colours::Colours;
use super::page::{THEME_COLOUR, page};
use super::site::Site;
use super::visitor::Visitor;
use pippost_http::Problem;

const WORKER: &str = include_str!("../../../templates/site/service-worker.js");

/// The worker asks this server only, and nothing else of the browser.
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'; img-src 'self'";

/// Says what the installed program is called and looks like.
#[get("/manifest.webmanifest")]
pub async fn manifest(visitor: Visitor) -> HttpResponse {
    let icon = |name: &str, sizes: &str, purpose: &str| json!({"src": assets::address(name), "sizes": sizes, "purpose": purpose});
    let shortcut = |key: &str, url: &str| json!({"name": visitor.language.say(key), "url": url});
    let branding = visitor.site.branding();
    let manifest = json!({
        "name": branding.name(),
        "short_name": branding.name(),
        "description": visitor.language.say("home-title"),
        "lang": visitor.language.tag(),
        "dir": visitor.language.direction(),
        "id": "/",
        "start_url": "/my-games",
        "scope": "/",
        "display": "standalone",
        "background_color": "#fbfaf7",
        "theme_color": branding.colours().map_or(THEME_COLOUR, Colours::light),
        "icons": [
            icon("icon.svg", "any", "any"),
            icon("icon-192.png", "192x192", "any maskable"),
            icon("icon-512.png", "512x512", "any maskable"),
        ],
        "shortcuts": [shortcut("layout-my-games", "/my-games"), shortcut("layout-lobby", "/games")],
    });
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/manifest+json"))
        .insert_header((CACHE_CONTROL, "private, max-age=3600"))
        .body(manifest.to_string())
}

/// The service worker. Its text names the server and the files of this release, so that a new release has a new one.
#[get("/service-worker.js")]
pub async fn service_worker(site: web::Data<Site>) -> HttpResponse {
    let (site, files) = (json!(site.branding().name()), json!(assets::addresses()));
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/javascript; charset=utf-8"))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_SECURITY_POLICY, WORKER_POLICY))
        .body(format!("const SITE = {site};\nconst FILES = {files};\n{WORKER}"))
}

/// What is shown without a connection instead of a page that was never opened.
#[get("/offline")]
pub async fn offline(visitor: Visitor) -> Result<HttpResponse, Problem> {
    page(StatusCode::OK, "offline.html", visitor, context! {})
}
