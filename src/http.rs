//! The HTTP application: every route of the API and every page, the limits on what comes in, and one form for every refusal.

use std::collections::BTreeSet;

use actix_web::dev::{Server, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::error::{JsonPayloadError, PathError, QueryPayloadError};
use actix_web::{App as ActixApp, HttpRequest, HttpResponse, HttpServer, web};
use utoipa_actix_web::AppExt;
use utoipa_swagger_ui::SwaggerUi;

use crate::api::compress::CompressIfAsked;
use crate::api::inbound::Inbound;
use crate::api::verify::Verifying;
use crate::api::{Code, Problem, games, observe, openapi};
use crate::app::App;
use crate::endpoint::Listener;
use crate::web as pages;

/// The largest body of a request, in bytes.
pub const MAX_BODY_BYTES: usize = 64 * 1024;

/// How long a client may take for a request's head, in seconds.
const HEAD_SECONDS: u64 = 10;

/// How long an idle connection is kept, in seconds.
const KEEP_ALIVE_SECONDS: u64 = 75;

/// With fewer connections of its own one that reads would wait for one that writes.
const LEAST_OF_A_THREAD: usize = 2;

/// How long requests under way have to finish once the server stops, in seconds.
const DRAIN_SECONDS: u64 = 8;

/// Serves `app` on `listeners`.
///
/// # Errors
/// A socket cannot be used.
pub fn serve(app: &App, listeners: Vec<Listener>, threads: usize) -> std::io::Result<Server> {
    let app = app.clone();
    let document = openapi::openapi();
    let routes = web::Data::new(Routes::of(&document));
    let verifying = web::Data::new(Verifying::default());
    let connections = connections_of_a_thread(&app, threads);
    let make = move || {
        let apart = connections.and_then(|connections| app.games.apart(connections).ok());
        let games = apart.unwrap_or_else(|| app.games.clone());
        application(App { games, ..app.clone() }, document.clone(), routes.clone(), verifying.clone())
    };
    let mut server = HttpServer::new(make)
        .workers(threads)
        .client_request_timeout(std::time::Duration::from_secs(HEAD_SECONDS))
        .keep_alive(std::time::Duration::from_secs(KEEP_ALIVE_SECONDS))
        .shutdown_timeout(DRAIN_SECONDS);
    for listener in listeners {
        server = match listener {
            Listener::Tcp(listener) => server.listen(listener)?,
            Listener::Unix(listener) => server.listen_uds(listener)?,
        };
    }
    Ok(server.run())
}

/// Every thread has a runtime of its own, and there its own connections: half of all, if that is enough for each. The other half
/// is everybody's.
fn connections_of_a_thread(app: &App, threads: usize) -> Option<usize> {
    let each = app.connections / 2 / threads.max(1);
    (each >= LEAST_OF_A_THREAD).then(|| {
        app.database.resize(app.connections - each * threads);
        each
    })
}

fn application(
    app: App,
    document: utoipa::openapi::OpenApi,
    routes: web::Data<Routes>,
    verifying: web::Data<Verifying>,
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
        .app_data(web::Data::new(app.games))
        .app_data(web::Data::new(app.accounts))
        .app_data(web::Data::from(app.signing))
        .app_data(web::Data::new(app.metrics))
        .app_data(routes)
        .app_data(verifying)
        .app_data(web::Data::new(app.replies))
        .app_data(web::Data::new(Inbound(app.inbound_secret)))
        .app_data(web::Data::new(app.trusted_proxies))
        .app_data(web::PayloadConfig::new(MAX_BODY_BYTES))
        .app_data(
            web::JsonConfig::default()
                .limit(MAX_BODY_BYTES)
                .error_handler(|error, _| body_problem(&error).into()),
        )
        .app_data(web::QueryConfig::default().error_handler(|error, _| query_problem(&error).into()))
        .app_data(web::PathConfig::default().error_handler(|error, _| path_problem(&error).into()))
        .wrap(CompressIfAsked)
        .wrap_fn(observe::observe)
        .configure(games::configure_short_ways)
        .into_utoipa_app()
        .configure(crate::api::configure)
        .into_app()
        .configure(pages::configure)
        .service(SwaggerUi::new("/docs/{_:.*}").url("/openapi.json", document))
        .default_service(web::to(no_such_route))
}

fn body_problem(error: &JsonPayloadError) -> Problem {
    match error {
        JsonPayloadError::ContentType => Problem::new(Code::UnsupportedMediaType),
        JsonPayloadError::Overflow { .. } | JsonPayloadError::OverflowKnownLength { .. } => {
            Problem::new(Code::BodyTooLarge).detail(format!("at most {MAX_BODY_BYTES} bytes"))
        }
        JsonPayloadError::Deserialize(error) => Problem::new(Code::MalformedBody).detail(error.to_string()),
        _ => Problem::new(Code::MalformedBody),
    }
}

fn query_problem(error: &QueryPayloadError) -> Problem {
    match error {
        QueryPayloadError::Deserialize(error) => Problem::new(Code::MalformedQuery).detail(error.to_string()),
        _ => Problem::new(Code::MalformedQuery),
    }
}

/// What cannot be an id names nothing.
fn path_problem(_error: &PathError) -> Problem {
    Problem::new(Code::NotFound)
}

/// The documented paths, to tell a wrong address from a wrong method.
struct Routes(Vec<(Vec<String>, BTreeSet<String>)>);

impl Routes {
    fn of(document: &utoipa::openapi::OpenApi) -> Self {
        let operations = serde_json::to_value(&document.paths).expect("plain data");
        let paths = operations.as_object().into_iter().flatten();
        let route = |(path, item): (&String, &serde_json::Value)| {
            let methods = item.as_object().into_iter().flatten().map(|(method, _)| method.to_uppercase());
            (segments(path).map(str::to_owned).collect(), methods.collect())
        };
        Self(paths.map(route).collect())
    }

    /// The methods of the route that `path` belongs to.
    fn methods(&self, path: &str) -> Option<&BTreeSet<String>> {
        let given: Vec<&str> = segments(path).collect();
        let fits = |route: &[String]| {
            let same = |(part, given): (&String, &&str)| part.starts_with('{') || part == given;
            route.len() == given.len() && route.iter().zip(&given).all(same)
        };
        self.0.iter().find(|(route, _)| fits(route)).map(|(_, methods)| methods)
    }
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.trim_matches('/').split('/')
}

async fn no_such_route(request: HttpRequest, routes: web::Data<Routes>) -> Result<HttpResponse, Problem> {
    match routes.methods(request.path()) {
        None => Err(Problem::new(Code::NotFound).detail("there is nothing at this address")),
        Some(methods) => {
            let allowed: Vec<&str> = methods.iter().map(String::as_str).collect();
            let detail = format!("this address takes {}", allowed.join(", "));
            Err(Problem::new(Code::MethodNotAllowed).detail(detail).allow(&allowed))
        }
    }
}
