//! Templates to answers.

use std::sync::LazyLock;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ContentType};
use minijinja::{Environment, Value};

use crate::api::{Code, Problem};

/// Nothing but the page itself, its styles, and forms to this server.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    for (name, text) in [
        ("layout.html", include_str!("../../templates/web/layout.html")),
        ("home.html", include_str!("../../templates/web/home.html")),
        ("confirm.html", include_str!("../../templates/web/confirm.html")),
        ("reset.html", include_str!("../../templates/web/reset.html")),
        ("message.html", include_str!("../../templates/web/message.html")),
        ("game.html", include_str!("../../templates/web/game.html")),
    ] {
        templates.add_template(name, text).expect("the templates are part of the program");
    }
    templates
});

/// A page from a template.
pub fn page(status: StatusCode, template: &str, values: Value) -> Result<HttpResponse, Problem> {
    let broken = |error: minijinja::Error| Problem::new(Code::Internal).cause(error);
    let html =
        TEMPLATES.get_template(template).and_then(|template| template.render(values)).map_err(broken)?;
    Ok(HttpResponse::build(status)
        .content_type(ContentType::html())
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(html))
}

/// A page that says one thing.
pub fn message(status: StatusCode, title: &str, text: &str) -> Result<HttpResponse, Problem> {
    page(status, "message.html", minijinja::context! { title, text })
}
