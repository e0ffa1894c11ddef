//! The pages with the texts of the operator: the terms, and who runs the server.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get};
use minijinja::context;

use super::branding::TextKind;
use super::page::page;
use super::visitor::Visitor;
use pippost_http::{Code, Problem};

#[get("/terms")]
pub async fn terms(visitor: Visitor) -> Result<HttpResponse, Problem> {
    show(TextKind::Terms, visitor)
}

#[get("/imprint")]
pub async fn imprint(visitor: Visitor) -> Result<HttpResponse, Problem> {
    show(TextKind::Imprint, visitor)
}

fn show(kind: TextKind, visitor: Visitor) -> Result<HttpResponse, Problem> {
    let text = visitor.site.branding().text(kind, visitor.language);
    let text = text.ok_or_else(|| Problem::new(Code::NotFound))?;
    let title = visitor.language.say(&format!("own-{}", kind.name()));
    let title = text.title().map_or(title, str::to_owned);
    let values = context! { title, html => text.html() };
    page(StatusCode::OK, "own_text.html", visitor, values)
}
