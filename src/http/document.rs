//! The routes of the API, and the OpenAPI document as this process serves it: made once, as text, for all threads and servers.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use actix_web::http::header::ContentType;
use actix_web::{HttpRequest, HttpResponse, get};
use bytes::Bytes;

use super::{inbound, sandbox};
use crate::api::conditional::EntityTag;
use crate::api::routes::Routes;
use crate::api::{self, Code, Problem, openapi};

/// Where the document is.
pub const PATH: &str = "/openapi.json";

/// Registers every route of the API.
pub fn configure(service: &mut Routes<'_>) {
    api::configure(service, |further| {
        further.configure(inbound::configure).configure(sandbox::configure);
    });
}

/// The document as it is committed in `openapi/openapi.json`.
///
/// # Panics
/// Never: the document is plain data.
#[must_use]
pub fn committed() -> String {
    let mut text = openapi::openapi(configure).to_pretty_json().expect("plain data");
    text.push('\n');
    text
}

/// The document, and what it says of routes.
pub struct Document {
    json: Bytes,
    tag: EntityTag,
    /// The methods of each documented path, to distinguish a wrong address from a wrong method.
    routes: actix_router::Router<BTreeSet<String>>,
}

impl Document {
    /// The document of a server, or of a sandbox.
    pub fn of(is_sandbox: bool) -> &'static Self {
        static OF_SERVERS: LazyLock<Document> = LazyLock::new(|| Document::new(&openapi::openapi(configure)));
        static OF_SANDBOXES: LazyLock<Document> = LazyLock::new(|| {
            let mut document = openapi::openapi(configure);
            openapi::mark_sandbox(&mut document);
            Document::new(&document)
        });
        if is_sandbox { &OF_SANDBOXES } else { &OF_SERVERS }
    }

    fn new(document: &utoipa::openapi::OpenApi) -> Self {
        let operations = serde_json::to_value(&document.paths).expect("plain data");
        let mut routes = actix_router::Router::build();
        for (path, item) in operations.as_object().into_iter().flatten() {
            let methods = item.as_object().into_iter().flatten().map(|(method, _)| method.to_uppercase());
            routes.path(path.as_str(), methods.collect());
        }
        let json = Bytes::from(document.to_json().expect("plain data"));
        Self { tag: EntityTag::of(&[&json]), json, routes: routes.finish() }
    }

    /// The methods of the route that `path` belongs to.
    pub fn methods(&self, path: &str) -> Option<&BTreeSet<String>> {
        self.routes.recognize(&mut actix_router::Path::new(path)).map(|(methods, _)| methods)
    }
}

/// The document of the server that answers.
///
/// # Errors
/// The application has none.
pub fn shown_by(request: &HttpRequest) -> Result<&'static Document, Problem> {
    let missing = || Problem::new(Code::Internal).cause("no document in the application");
    request.app_data::<&'static Document>().copied().ok_or_else(missing)
}

#[get("/openapi.json")]
pub async fn show(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let document = shown_by(&request)?;
    Ok(document
        .tag
        .respond(&request, |mut answer| answer.content_type(ContentType::json()).body(document.json.clone())))
}
