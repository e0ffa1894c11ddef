//! The OpenAPI document: generated from the handlers, served as JSON and as a page.

pub mod deprecated;
pub mod examples;
mod headers;
mod links;
mod parts;
pub mod scopes;
mod shared;

pub use self::parts::Part;

use std::collections::BTreeMap;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::by_rule_set::{self, description, leave_undescribed};
use super::games::{LanguageName, ListName, WithName};
use super::routes::Routes;
use super::{declared, declared_headers, oauth};
use pippost_http::problem::{Code, ProblemBody};
use pippost_http::text::{RulesName, TokenText};
use pippost_record::board::Theme;
use pippost_record::rules::schema::{with_named_variants, written_whole};
use pippost_store::clubs::Order as ClubOrder;
use pippost_store::lists::{Order, Outcome};

/// The parts of the document that no handler declares.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "pippost",
        description = "A play-by-e-mail, asynchronous turn server. Errors are RFC 9457 problems with a stable `code`. \
            422: a request is not as this document says; 409: it is, but the game, the account or the server does not allow it as \
            things are. \
            Answers under `/api/v1/` say in `RateLimit` and `RateLimit-Policy` what is left of your quotas. \
            No text that is sent may hold U+0000: `malformed_body`, or `malformed_query` in a query.",
        contact(name = "The operator of this server"),
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    components(schemas(ProblemBody, ClubOrder, Code, LanguageName, ListName, Order, Outcome, RulesName, Theme, TokenText, WithName)),
    modifiers(&TokenSecurity),
    servers((url = "/", description = "The server that this document comes from.")),
    tags(
        (name = "rules", description = "What can be played: rule sets with options, actions and rules for people."),
        (name = "games", description = "Games from their creation to their end."),
        (name = "history", description = "What has happened in a game: events, positions, and its record, which anybody can verify."),
        (name = "accounts", description = "Players: logging in, passwords, tokens, mails and how to be told of turns."),
        (name = "apps", description = "Programs of others that players let act for them, by OAuth 2.1 (authorization code with PKCE)."),
        (name = "push", description = "Web push: who is told of your games through push services."),
        (name = "webhooks", description = "Addresses of programs that are told of your games as they happen."),
        (name = "sandbox", description = "For those who write clients: only on a server started with `--sandbox`, where nothing counts. Its players move the clock, \
            choose the chance of their games (`seed`), read and answer their mails here, because none is sent, and read what is sent to their \
            webhooks. Other servers answer with `not_a_sandbox`."),
        (name = "community", description = "What players do together beside games: clubs, and studies of finished games."),
        (name = "operations", description = "For those who run the server: health, numbers, and mail that comes in."),
    ),
)]
pub struct Base;

struct TokenSecurity;

impl Modify for TokenSecurity {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("An access token of a session, which alone has the scope `account`, or of an app, or a personal access token."))
            .build();
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        components.add_security_scheme("oauth", SecurityScheme::OAuth2(oauth::security_scheme()));
        let metrics = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The token that the operator has set for the numbers."))
            .build();
        components.add_security_scheme("metrics", SecurityScheme::Http(metrics));
        let inbound =
            ApiKeyValue::with_description("X-Inbound-Secret", "The secret shared with the mail system.");
        components.add_security_scheme("inbound", SecurityScheme::ApiKey(ApiKey::Header(inbound)));
    }
}

/// The document of all routes that `configure` registers.
#[must_use]
pub fn openapi(configure: fn(&mut Routes<'_>)) -> utoipa::openapi::OpenApi {
    let mut document = Base::openapi();
    configure(&mut Routes::described(&mut document));
    declared::complete(&mut document);
    declared_headers::complete(&mut document);
    complete_schemas(&mut document);
    by_rule_set::split(&mut document);
    describe_once(&mut document.components.get_or_insert_default().schemas);
    headers::add(&mut document);
    scopes::add(&mut document);
    describe_public(&mut document);
    examples::add(&mut document);
    links::add(&mut document);
    deprecated::mark(&mut document);
    super::webhooks::messages::add(&mut document);
    for operation in document.paths.paths.values_mut().flat_map(declared::operations) {
        // Said, so that a missing line is a mistake and not a public operation.
        operation.security.get_or_insert_default();
    }
    let described = document.info.description.take().unwrap_or_default();
    document.info.description = Some(format!("{described} {}", declared::said_once()));
    shared::flatten_unions(&mut document);
    shared::leave_out_usual_formats(&mut document);
    shared::share_parameters(&mut document);
    document
}

/// Says of every other operation who may ask.
fn describe_public(document: &mut utoipa::openapi::OpenApi) {
    for operation in document.paths.paths.values_mut().flat_map(declared::operations) {
        let is_public = operation.security.as_ref().is_none_or(Vec::is_empty);
        if is_public || operation.description.is_none() {
            let says = if is_public { "No token." } else { "Needs a secret of the operator." };
            let described = operation.description.take().into_iter().chain([says.to_owned()]);
            operation.description = Some(described.collect::<Vec<_>>().join("\n\n"));
        }
    }
}

/// Enums that `type` discriminates, except the rule sets' own.
const WITH_VARIANTS: [&str; 3] = ["AlsoAction", "CommonAction", "CommonEffect"];

/// Schemas of answers about games, which have all their members always, null ones included.
const WRITTEN_WHOLE: [&str; 23] = [
    "Choices",
    "CommonFinishedEffect",
    "Event",
    "EventPage",
    "GamePage",
    "GameResult",
    "GameView",
    "Invitations",
    "LegalActions",
    "ListedGame",
    "ListedPlayer",
    "News",
    "NextGame",
    "PlayerView",
    "PreviewView",
    "PreviewedAction",
    "ReceivedInvitation",
    "RecordBeacon",
    "RecordFooter",
    "RecordHeader",
    "RecordPlayer",
    "ReplayPage",
    "ReplayStep",
];

/// Leaves what an answer shares with the body that sets it undescribed in the answer.
fn describe_once(schemas: &mut BTreeMap<String, RefOr<Schema>>) {
    let sent: Vec<String> =
        schemas.keys().filter_map(|name| name.strip_suffix("Body")).map(str::to_owned).collect();
    for name in sent {
        let Some(RefOr::T(Schema::Object(body))) = schemas.get(&format!("{name}Body")).cloned() else {
            continue;
        };
        let Some(RefOr::T(Schema::Object(answer))) = schemas.get_mut(&format!("{name}Answer")) else {
            continue;
        };
        for (member, schema) in &mut answer.properties {
            if body.properties.get(member).and_then(description) == description(schema) {
                leave_undescribed(schema);
            }
        }
    }
}

/// Adds to the schemas what the derive cannot know.
fn complete_schemas(document: &mut utoipa::openapi::OpenApi) {
    let components = document.components.get_or_insert_default();
    for name in WITH_VARIANTS {
        components.schemas = with_named_variants(name, std::mem::take(&mut components.schemas));
    }
    for name in WRITTEN_WHOLE {
        let schema =
            components.schemas.remove(name).unwrap_or_else(|| panic!("{name} is not in the document"));
        components.schemas.insert(name.to_owned(), written_whole(schema));
    }
}

/// Says in the document of a sandbox that it is one's.
pub fn mark_sandbox(document: &mut utoipa::openapi::OpenApi) {
    let described = document.info.description.take().unwrap_or_default();
    document.info.title.push_str(" (sandbox)");
    document.info.description = Some(format!("**A sandbox: nothing here counts.** {described}"));
}
