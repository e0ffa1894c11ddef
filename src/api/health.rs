//! For those who run the server: alive, ready, and numbers.

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use super::metrics::Metrics;
use super::problem::{Problem, ProblemBody};
use crate::store::Database;

/// The state of the server.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`
    pub status: String,
    pub version: String,
}

impl Health {
    fn ok() -> Self {
        Self { status: "ok".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// Registers the handlers, at the root.
pub fn configure(service: &mut ServiceConfig<'_>) {
    service.service(alive).service(ready).service(numbers);
}

/// Says that the server runs.
#[utoipa::path(tag = "operations", responses((status = 200, description = "It runs.", body = Health)))]
#[get("/healthz")]
pub async fn alive() -> web::Json<Health> {
    web::Json(Health::ok())
}

/// Says that the server can do its work: the database answers.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "It can.", body = Health),
    (status = 503, description = "The database does not answer.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[get("/readyz")]
pub async fn ready(database: web::Data<Database>) -> Result<web::Json<Health>, Problem> {
    database.ping().await?;
    Ok(web::Json(Health::ok()))
}

/// Numbers for Prometheus.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "The numbers, in Prometheus' text form.", body = String, content_type = "text/plain"),
))]
#[get("/metrics")]
pub async fn numbers(metrics: web::Data<Metrics>, database: web::Data<Database>) -> HttpResponse {
    metrics.show_sole(database.sole().is_now());
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(metrics.text())
}
