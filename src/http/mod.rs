//! The HTTP application: all routes of the API and the pages, the limits on requests, and one format for all problems.

mod acceptor;
mod document;
mod inbound;
mod log;
mod sandbox;

use actix_server::ServerBuilder;
use actix_web::dev::{Server, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::error::{PathError, UrlencodedError};
use actix_web::http::Method;
use actix_web::http::header::ALLOW;
use actix_web::middleware::Compress;
use actix_web::{App as ActixApp, HttpRequest, HttpResponse, web};
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::api::contract::Described;
use crate::api::health::{self, MetricsToken};
use crate::api::issuer::Issuer;
use crate::api::limits::Policies;
use crate::api::metrics::Metrics;
use crate::api::middleware::surround;
use crate::api::openapi::Part;
use crate::api::routes::Routes;
use crate::api::sandbox::IsSandbox;
use crate::api::verify::Processors;
use crate::api::{Code, Problem, observe, slow};
use crate::app::App;
use crate::clock::Clock;
use crate::endpoint::Listener;
use crate::games::figures::KnownFigures;
use crate::games::statistics::KnownRuleSets;
use crate::games::week::KnownWeek;
use crate::store::Database;
use crate::web as pages;
pub use acceptor::make_room_for_connections;
use acceptor::{Acceptor, listen};
use document::Document;
pub use document::{committed as committed_document, whole as whole_document};
use inbound::Inbound;
use sandbox::MaybeSandbox;

/// The largest body of a request, in bytes.
pub const MAX_BODY_BYTES: usize = 64 * 1024;

/// With fewer connections of its own, a thread's read would wait for its write.
const LEAST_OF_A_THREAD: usize = 2;

/// How long in-flight requests have to finish once the server stops, in seconds.
pub const DRAIN_SECONDS: u64 = 8;

/// How long a closing connection has for its last bytes, in seconds.
const CLOSE_SECONDS: u64 = 5;

/// Serves `app` on `listeners` until its handle stops it.
///
/// # Errors
/// A socket cannot be used.
pub fn serve(app: &App, listeners: Vec<Listener>, threads: usize) -> std::io::Result<Server> {
    serve_with_metrics(app, listeners, None, threads)
}

/// As [`serve`], with `/metrics` on a listener of its own.
///
/// # Errors
/// A socket cannot be used.
pub fn serve_with_metrics(
    app: &App,
    listeners: Vec<Listener>,
    metrics: Option<Listener>,
    threads: usize,
) -> std::io::Result<Server> {
    let app = app.clone();
    let document = Document::of(app.sandbox.is_some());
    let processors = web::Data::new(Processors::default());
    let connections = connections_of_a_thread(&app, threads);
    let acceptor = Acceptor { traffic: app.traffic.clone(), trusted: app.trusted_proxies.clone() };
    let numbers = Numbers::of(&app);
    let make = move || {
        let with_own_connections =
            connections.and_then(|connections| app.games.with_own_connections(connections).ok());
        let games = with_own_connections.unwrap_or_else(|| app.games.clone());
        application(App { games, ..app.clone() }, document, processors.clone())
    };
    let mut server = builder(threads);
    for listener in listeners {
        server = listen(server, listener, acceptor.clone(), make.clone())?;
    }
    if let Some(listener) = metrics {
        server = listen(server, listener, acceptor, move || metrics_application(numbers.clone()))?;
    }
    Ok(server.run())
}

/// Serves `/metrics` and nothing else, for a process that only works.
///
/// # Errors
/// The socket cannot be used.
pub fn serve_metrics(app: &App, listener: Listener) -> std::io::Result<Server> {
    let numbers = Numbers::of(app);
    let acceptor = Acceptor { traffic: app.traffic.clone(), trusted: app.trusted_proxies.clone() };
    Ok(listen(builder(1), listener, acceptor, move || metrics_application(numbers.clone()))?.run())
}

/// Signals are handled by the process, which stops more than a server.
fn builder(threads: usize) -> ServerBuilder {
    ServerBuilder::new().workers(threads).shutdown_timeout(DRAIN_SECONDS).disable_signals()
}

/// What `/metrics` is made from.
#[derive(Clone)]
struct Numbers {
    metrics: web::Data<Metrics>,
    database: web::Data<Database>,
    clock: web::Data<Clock>,
}

impl Numbers {
    fn of(app: &App) -> Self {
        Self {
            metrics: web::Data::new(app.metrics.clone()),
            database: web::Data::new(app.database.clone()),
            clock: web::Data::new(app.clock.clone()),
        }
    }
}

/// Each thread has a runtime and its own connections: together half of all, if that is enough for each. The rest is shared.
fn connections_of_a_thread(app: &App, threads: usize) -> Option<usize> {
    let each = app.connections.div_ceil(2) / threads.max(1);
    (each >= LEAST_OF_A_THREAD).then(|| {
        app.database.shrink(app.connections - each * threads);
        each
    })
}

/// The response of the metrics listener.
fn metrics_application(
    numbers: Numbers,
) -> ActixApp<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl actix_web::body::MessageBody>,
        Error = actix_web::Error,
        InitError = (),
    >,
> {
    ActixApp::new()
        .app_data(numbers.metrics)
        .app_data(numbers.database)
        .app_data(numbers.clock)
        .wrap_fn(surround)
        .wrap_fn(slow::mark_busy)
        .route("/metrics", web::get().to(health::numbers_unasked))
}

fn application(
    app: App,
    document: &'static Document,
    processors: web::Data<Processors>,
) -> ActixApp<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl actix_web::body::MessageBody>,
        Error = actix_web::Error,
        InitError = (),
    >,
> {
    ActixApp::new()
        .app_data(web::Data::new(app.database))
        .app_data(web::Data::new(app.clock))
        .app_data(web::Data::new(app.pushes))
        .app_data(web::Data::new(app.games))
        .app_data(web::Data::new(Policies::of(&app.accounts)))
        .app_data(web::Data::new(app.accounts))
        .app_data(web::Data::from(app.signing))
        .app_data(web::Data::new(app.metrics))
        .app_data(document)
        .app_data(Described(document::contract))
        .app_data(processors)
        .app_data(web::Data::new(app.traffic))
        .app_data(web::Data::new(Issuer::at(&app.public_url)))
        .app_data(web::Data::new(
            pages::Site::at(&app.public_url).with(app.house_bot, app.dumps).with_branding(app.branding),
        ))
        .app_data(web::Data::new(KnownFigures::default()))
        .app_data(web::Data::new(KnownWeek::default()))
        .app_data(web::Data::new(KnownRuleSets::default()))
        .app_data(web::Data::new(MetricsToken(app.metrics_token)))
        .app_data(web::Data::new(app.replies))
        .app_data(web::Data::new(app.webhooks))
        .app_data(web::Data::new(IsSandbox(app.sandbox.is_some())))
        .app_data(web::Data::new(MaybeSandbox(app.sandbox)))
        .app_data(web::Data::new(Inbound(app.inbound_secret)))
        .app_data(web::Data::new(app.trusted_proxies))
        .app_data(web::PayloadConfig::new(MAX_BODY_BYTES))
        .app_data(
            web::FormConfig::default()
                .limit(MAX_BODY_BYTES)
                .error_handler(|error, _| form_problem(&error).into()),
        )
        .app_data(
            // The error's words may hold what was sent, such as a token in the wrong parameter.
            web::QueryConfig::default().error_handler(|_, _| Problem::new(Code::InvalidValue).into()),
        )
        .app_data(web::PathConfig::default().error_handler(|error, _| path_problem(&error).into()))
        // The last is the outermost.
        .wrap_fn(surround)
        .wrap(Compress::default())
        .wrap_fn(observe::observe)
        .wrap_fn(slow::mark_busy)
        .configure(|service| document::configure(&mut Routes::served(service)))
        .configure(document::configure_parts)
        .configure(log::configure)
        .service(SwaggerUi::new("/docs/{_:.*}").config(Config::new(Part::ALL.map(Part::path))))
        // Takes all that is left, so that a browser gets a page wherever it goes.
        .service(
            web::scope("")
                .wrap_fn(pages::shown)
                .configure(pages::configure)
                .default_service(web::to(no_such_route)),
        )
        // What the API's scope has no route for.
        .default_service(web::to(no_such_route))
}

fn form_problem(error: &UrlencodedError) -> Problem {
    match error {
        UrlencodedError::ContentType => Problem::new(Code::UnsupportedMediaType),
        UrlencodedError::Overflow { .. } => {
            Problem::new(Code::BodyTooLarge).detail(format!("at most {MAX_BODY_BYTES} bytes"))
        }
        UrlencodedError::Payload(error) => error.into(),
        _ => Problem::new(Code::MalformedBody),
    }
}

/// An invalid id names nothing.
fn path_problem(_error: &PathError) -> Problem {
    Problem::new(Code::NotFound)
}

async fn no_such_route(request: HttpRequest) -> Result<HttpResponse, Problem> {
    match document::shown_by(&request)?.methods(request.path()) {
        None => Err(Problem::new(Code::NotFound).detail("there is nothing at this address")),
        Some(methods) => {
            // HEAD is answered where GET is (`api/middleware.rs`).
            let head = methods.contains("GET").then_some("HEAD");
            let allowed: Vec<&str> =
                methods.iter().map(String::as_str).chain(head).chain(["OPTIONS"]).collect();
            other_method(&request, &allowed)
        }
    }
}

/// Answers what an address takes: OPTIONS, or a method that it does not take.
fn other_method(request: &HttpRequest, allowed: &[&str]) -> Result<HttpResponse, Problem> {
    if request.method() == Method::OPTIONS {
        return Ok(HttpResponse::NoContent().insert_header((ALLOW, allowed.join(", "))).finish());
    }
    let detail = format!("this address takes {}", allowed.join(", "));
    Err(Problem::new(Code::MethodNotAllowed).detail(detail).allow(allowed))
}
