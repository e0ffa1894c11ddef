//! Renders pages from templates.

use std::sync::LazyLock;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, ContentType, X_FRAME_OPTIONS,
};
use minijinja::{Environment, Value};

use super::visitor::Visitor;
use crate::api::{Code, Problem};
use crate::language::functions;

/// Allows only the page itself, its styles, its images, and forms to this server.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    functions::add(&mut templates, None);
    for (name, text) in [
        ("layout.html", include_str!("../../templates/web/layout.html")),
        ("home.html", include_str!("../../templates/web/home.html")),
        ("confirm.html", include_str!("../../templates/web/confirm.html")),
        ("reset.html", include_str!("../../templates/web/reset.html")),
        ("message.html", include_str!("../../templates/web/message.html")),
        ("game.html", include_str!("../../templates/web/game.html")),
        ("authorize.html", include_str!("../../templates/web/authorize.html")),
        ("authorize_refused.html", include_str!("../../templates/web/authorize_refused.html")),
        ("authorized.html", include_str!("../../templates/web/authorized.html")),
        ("unsubscribe.html", include_str!("../../templates/web/unsubscribe.html")),
    ] {
        templates.add_template(name, text).expect("the templates are part of the program");
    }
    templates
});

/// Renders a template in the visitor's language.
pub fn page(
    status: StatusCode,
    template: &str,
    visitor: Visitor,
    values: Value,
) -> Result<HttpResponse, Problem> {
    let Visitor { language, bounced, sandbox, .. } = visitor;
    let values = minijinja::context! { language => language.tag(), bounced, sandbox, ..values };
    let broken = |error: minijinja::Error| Problem::new(Code::Internal).cause(error);
    let html =
        TEMPLATES.get_template(template).and_then(|template| template.render(values)).map_err(broken)?;
    Ok(HttpResponse::build(status)
        .content_type(ContentType::html())
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        // For browsers that do not know `frame-ancestors`.
        .insert_header((X_FRAME_OPTIONS, "DENY"))
        .insert_header((CONTENT_LANGUAGE, language.tag()))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(html))
}

/// A page with one message; `title` and `text` are keys of the catalogue.
pub fn message(
    status: StatusCode,
    visitor: Visitor,
    title: &str,
    text: &str,
) -> Result<HttpResponse, Problem> {
    let language = visitor.language;
    page(
        status,
        "message.html",
        visitor,
        minijinja::context! { title => language.say(title), text => language.say(text) },
    )
}
