//! The home page.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get};

use super::page::page;
use super::visitor::Visitor;
use crate::api::Problem;
use crate::rules;

/// Explains the server and links to the other pages.
#[get("/")]
pub async fn home(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let titles: Vec<&str> = rules::all().map(crate::rules::RuleSet::title).collect();
    page(StatusCode::OK, "home.html", visitor, minijinja::context! { titles })
}
