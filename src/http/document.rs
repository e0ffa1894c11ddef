//! The routes of the API, and the OpenAPI document as this process serves it: made once for all threads and servers.

use std::collections::BTreeSet;
use std::future::ready;
use std::sync::{LazyLock, OnceLock};

use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;

use super::{inbound, sandbox};
use crate::api::conditional::EntityTag;
use crate::api::contract::Contract;
use crate::api::openapi::Part;
use crate::api::routes::Routes;
use crate::api::{self, Code, Problem, openapi};

/// Registers every route of the API.
pub fn configure(service: &mut Routes<'_>) {
    api::configure(service, |further| {
        further.configure(inbound::configure).configure(sandbox::configure);
    });
}

/// The whole document, of which servers show parts.
///
/// # Panics
/// Never: the document is plain data.
#[must_use]
pub fn whole() -> String {
    openapi::openapi(configure).to_json().expect("plain data")
}

/// A part as it is committed in the folder `openapi`.
///
/// # Panics
/// Never: the document is plain data.
#[must_use]
pub fn committed(part: Part) -> String {
    let mut text = part.of(&openapi::openapi(configure)).to_pretty_json().expect("plain data");
    text.push('\n');
    text
}

/// The document, and what it says of routes.
pub struct Document {
    whole: utoipa::openapi::OpenApi,
    /// The text of each part, made when somebody first asks for it, so that a server starts without.
    texts: [OnceLock<(Bytes, EntityTag)>; Part::ALL.len()],
    /// The methods of each documented path, to distinguish a wrong address from a wrong method.
    routes: actix_router::Router<BTreeSet<String>>,
}

impl Document {
    /// The document of a server, or of a sandbox.
    pub fn of(is_sandbox: bool) -> &'static Self {
        static OF_SERVERS: LazyLock<Document> = LazyLock::new(|| Document::new(openapi::openapi(configure)));
        static OF_SANDBOXES: LazyLock<Document> = LazyLock::new(|| {
            let mut document = openapi::openapi(configure);
            openapi::mark_sandbox(&mut document);
            Document::new(document)
        });
        if is_sandbox { &OF_SANDBOXES } else { &OF_SERVERS }
    }

    fn new(whole: utoipa::openapi::OpenApi) -> Self {
        let operations = serde_json::to_value(&whole.paths).expect("plain data");
        let mut routes = actix_router::Router::build();
        for (path, item) in operations.as_object().into_iter().flatten() {
            let methods = item.as_object().into_iter().flatten().map(|(method, _)| method.to_uppercase());
            routes.path(path.as_str(), methods.collect());
        }
        Self { whole, texts: Default::default(), routes: routes.finish() }
    }

    fn text(&self, part: Part) -> &(Bytes, EntityTag) {
        self.texts[part as usize].get_or_init(|| {
            let json = Bytes::from(part.of(&self.whole).to_json().expect("plain data"));
            let tag = EntityTag::of(&[&json]);
            (json, tag)
        })
    }

    /// The methods of the route that `path` belongs to.
    pub fn methods(&self, path: &str) -> Option<&BTreeSet<String>> {
        self.routes.recognize(&mut actix_router::Path::new(path)).map(|(methods, _)| methods)
    }
}

/// What requests are held against: made once somebody is refused.
pub fn contract() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
        Contract::of(&serde_json::to_value(&Document::of(false).whole).expect("plain data"))
    });
    &CONTRACT
}

/// The document of the server that answers.
///
/// # Errors
/// The application has none.
pub fn shown_by(request: &HttpRequest) -> Result<&'static Document, Problem> {
    let missing = || Problem::new(Code::Internal).cause("no document in the application");
    request.app_data::<&'static Document>().copied().ok_or_else(missing)
}

/// The same text serves for YAML, which JSON is.
const YAML: (&str, &str) = ("/openapi.yaml", "application/yaml");

/// Registers the addresses of the parts.
pub fn configure_parts(service: &mut ServiceConfig) {
    let shown = Part::ALL.map(|part| (part.path(), part, "application/json"));
    for (path, part, media_type) in shown.into_iter().chain([(YAML.0, Part::Players, YAML.1)]) {
        service
            .route(path, web::get().to(move |request: HttpRequest| ready(show(&request, part, media_type))));
    }
}

fn show(request: &HttpRequest, part: Part, media_type: &'static str) -> Result<HttpResponse, Problem> {
    let (json, tag) = shown_by(request)?.text(part);
    Ok(tag.respond(request, |mut answer| answer.content_type(media_type).body(json.clone())))
}
