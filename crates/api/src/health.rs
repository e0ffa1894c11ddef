//! Endpoints for operators: liveness, readiness and metrics.

use std::future::{self, Ready};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::access::bearer_token;
use super::metrics::Metrics;
use super::routes::Routes;
use pippost_clock::Clock;
use pippost_embedded::{EmbeddedState, EmbeddedStatus};
use pippost_http::problem::{Code, Problem, ProblemBody};
use pippost_http::sandbox::IsSandbox;
use pippost_keys::SharedSecret;
use pippost_store::{Database, notices};

/// The state of the server.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`
    pub status: String,
    pub version: String,
    /// Whether this is a sandbox, in which nothing counts.
    pub sandbox: bool,
}

impl Health {
    fn ok(IsSandbox(sandbox): IsSandbox) -> Self {
        Self { status: "ok".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), sandbox }
    }
}

/// The state of a server that can work.
#[derive(Debug, Serialize, ToSchema)]
pub struct Readiness {
    /// `ok`
    pub status: String,
    pub version: String,
    /// Whether this is a sandbox, in which nothing counts.
    pub sandbox: bool,
    pub mail: MailReadiness,
}

/// Whether mails can be sent. The server works without.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailReadiness {
    /// `ok`, or `down` while mails wait because the mail server could not be reached
    pub status: &'static str,
    /// Why it was not reached last.
    pub detail: Option<String>,
}

impl MailReadiness {
    fn of(fault: Option<String>) -> Self {
        Self { status: if fault.is_some() { "down" } else { "ok" }, detail: fault }
    }
}

/// Registers the handlers, at the root.
pub fn configure(service: &mut Routes<'_>) {
    service.service(alive).service(ready).service(numbers);
}

/// Reports that the server is running.
#[utoipa::path(tag = "operations", responses((status = 200, description = "It runs.", body = Health)))]
#[get("/healthz")]
pub async fn alive(sandbox: web::Data<IsSandbox>) -> web::Json<Health> {
    web::Json(Health::ok(**sandbox))
}

/// Reports whether the server can work, that is, whether the database answers; and whether it can send mails.
#[utoipa::path(tag = "operations", responses(
    (status = 200, description = "It can.", body = Readiness),
    (status = 503, description = "It cannot: the database does not answer, or is being started again.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[get("/readyz")]
pub async fn ready(
    database: web::Data<Database>,
    sandbox: web::Data<IsSandbox>,
) -> Result<web::Json<Readiness>, Problem> {
    if let Some(EmbeddedState::Restarting { attempts }) = database.embedded().map(EmbeddedStatus::state) {
        let detail = format!(
            "the server's own PostgreSQL has ended and is being started again ({attempts} tries so far)"
        );
        return Err(Problem::new(Code::Unavailable).detail(detail).retry_after(1));
    }
    let answered = tokio::time::timeout(PING_TIMEOUT, async {
        database.ping().await?;
        notices::server_fault(&database).await
    });
    let answered = answered.await;
    let late = |_| Problem::new(Code::Unavailable).detail("the database does not answer");
    let mail = MailReadiness::of(answered.map_err(late)??);
    let Health { status, version, sandbox } = Health::ok(**sandbox);
    Ok(web::Json(Readiness { status, version, sandbox, mail }))
}

/// The time limit for the database's answer.
const PING_TIMEOUT: Duration = Duration::from_secs(5);

/// The token for metrics on the public address; `None`: not available there.
#[derive(Clone, Debug)]
pub struct MetricsToken(pub Option<SharedSecret>);

/// A requester with that token.
#[derive(Debug)]
pub struct Collector(());

impl FromRequest for Collector {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let token = request.app_data::<web::Data<MetricsToken>>().and_then(|token| token.0.as_ref());
        let Some(token) = token else {
            return future::ready(Err(
                Problem::new(Code::NotFound).detail("the numbers are not to be had here")
            ));
        };
        future::ready(match bearer_token(request) {
            Ok(Some(given)) if token.is(given.as_bytes()) => Ok(Self(())),
            _ => Err(Problem::new(Code::Unauthenticated).detail("the token for the numbers is needed")),
        })
    }
}

/// Metrics for Prometheus, with the token in `PIPPOST_METRICS_TOKEN`. Without that setting they are not available here.
#[utoipa::path(tag = "operations", security(("metrics" = [])), responses(
    (status = 200, description = "The numbers, in Prometheus' text form.", body = String, content_type = "text/plain"),
    (status = 401, description = "The token is missing or wrong: `unauthenticated`.", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "The server shows no numbers here: `not_found`.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[get("/metrics")]
pub async fn numbers(
    _collector: Collector,
    metrics: web::Data<Metrics>,
    database: web::Data<Database>,
    clock: web::Data<Clock>,
) -> HttpResponse {
    numbers_unasked(metrics, database, clock).await
}

/// The same on a separate listener, without a token.
pub async fn numbers_unasked(
    metrics: web::Data<Metrics>,
    database: web::Data<Database>,
    clock: web::Data<Clock>,
) -> HttpResponse {
    if let Err(error) = metrics.look_at_mails(&database, clock.now()).await {
        tracing::warn!(%error, "which mails wait cannot be asked");
    }
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(metrics.text())
}
