//! The OpenAPI document: made from the handlers, served as JSON and as a page.

use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_actix_web::AppExt;

use super::problem::{Code, ProblemBody};

/// What no handler says.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "pippost",
        description = "A play-by-e-mail, asynchronous turn server. Every move is an event, every die and card can be audited and \
            replayed. Errors are RFC 9457 problems with a stable `code`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    components(schemas(ProblemBody, Code)),
    modifiers(&TokenSecurity),
    tags(
        (name = "rules", description = "What can be played."),
        (name = "games", description = "Creating, joining, looking and moving."),
        (name = "history", description = "Events and records."),
        (name = "accounts", description = "People and their tokens."),
        (name = "operations", description = "For those who run the server."),
    ),
)]
pub struct Base;

struct TokenSecurity;

impl Modify for TokenSecurity {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("An access token of a session, or a personal access token."))
            .build();
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        let inbound =
            ApiKeyValue::with_description("X-Inbound-Secret", "The secret shared with the mail system.");
        components.add_security_scheme("inbound", SecurityScheme::ApiKey(ApiKey::Header(inbound)));
    }
}

/// The document of all routes.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    let app = actix_web::App::new().into_utoipa_app().openapi(Base::openapi());
    let (_, document) = app.configure(super::configure).split_for_parts();
    document
}

/// The document as it is committed in `openapi/openapi.json`.
///
/// # Panics
/// Never: the document is plain data.
#[must_use]
pub fn document() -> String {
    let mut text = openapi().to_pretty_json().expect("plain data");
    text.push('\n');
    text
}
