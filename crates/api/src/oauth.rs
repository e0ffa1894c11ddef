//! The endpoints of OAuth that apps ask: tokens (RFC 6749), revocation (RFC 7009) and metadata (RFC 8414). The consent page is in
//! the room `web`.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, ContentType, PRAGMA};
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::security::{AuthorizationCode, Flow, OAuth2, Scopes as FlowScopes};

use super::declared::FORM;
use super::routes::Routes;
use pippost_accounts::apps::{
    APP_ACCESS_LIFETIME, AppTokens, DEVICE_CODE_LIFETIME, DEVICE_GRANT, OAuthError, POLL_SECONDS, Parameters,
};
use pippost_accounts::{AccountError, Accounts, Scope};
use pippost_http::body::{self, expect_media_type};
use pippost_http::issuer::Issuer;
use pippost_http::peer::Peer;
use pippost_http::problem::{Code, Problem, ProblemBody};
use pippost_record::rules::schema::{self, named_schema};

/// The consent page.
pub const AUTHORIZE: &str = "/oauth/authorize";

/// The page where players type the codes of devices.
pub const DEVICE: &str = "/device";

const DEVICE_AUTHORIZATION: &str = "/api/v1/oauth/device_authorization";
const TOKEN: &str = "/api/v1/oauth/token";
const REVOKE: &str = "/api/v1/oauth/revoke";

/// The largest form of an app, in bytes.
pub const MAX_FORM_BYTES: usize = 8 * 1024;

/// How long clients may cache the metadata.
const CACHE_METADATA: &str = "public, max-age=3600";

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service.service(give_app_tokens).service(revoke_app_token).service(give_device_codes);
}

/// Registers the handlers outside the API; paths are relative to the root.
pub fn configure_well_known(service: &mut Routes<'_>) {
    service.service(show_oauth_metadata).service(show_resource_metadata);
}

/// The security scheme of the OpenAPI document.
#[must_use]
pub fn security_scheme() -> OAuth2 {
    let scopes: FlowScopes = Scope::of_tokens().map(|scope| (scope.as_str(), scope.says())).collect();
    let flow = AuthorizationCode::with_refresh_url(AUTHORIZE, TOKEN, scopes, TOKEN);
    let says = "An app that the player has allowed: OAuth 2.1, authorization code with PKCE (S256), public clients. With `game:<id>` among the \
                scopes the tokens are for that game only.";
    OAuth2::with_description([Flow::AuthorizationCode(flow)], says)
}

/// What an app asks the token endpoint.
#[derive(ToSchema)]
#[allow(
    dead_code,
    reason = "the document's only: parameters are read one by one, and unknown ones are ignored"
)]
pub struct CodeForm {
    #[schema(pattern = "^authorization_code$", example = "authorization_code")]
    grant_type: String,
    /// The app's id.
    client_id: uuid::Uuid,
    #[schema(
        min_length = 1,
        max_length = 128,
        pattern = "^[A-Za-z0-9_-]+$",
        example = "ppc_an-authorization-code"
    )]
    code: String,
    /// The same as in the request for the code.
    #[schema(min_length = 1, max_length = 512, pattern = "^[!-~]+$", example = "http://127.0.0.1/done")]
    redirect_uri: String,
    /// The text whose SHA-256 was the `code_challenge`.
    #[schema(
        min_length = 43,
        max_length = 128,
        pattern = "^[A-Za-z0-9._~-]+$",
        example = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    )]
    code_verifier: String,
}

/// What an app asks the token endpoint later.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct RefreshForm {
    #[schema(pattern = "^refresh_token$", example = "refresh_token")]
    grant_type: String,
    /// The app's id.
    client_id: uuid::Uuid,
    #[schema(
        min_length = 1,
        max_length = 128,
        pattern = "^[A-Za-z0-9_-]+$",
        example = "ppg_a-refresh-token"
    )]
    refresh_token: String,
    /// Fewer scopes for the next access token.
    #[schema(max_length = 128, pattern = "^[a-z0-9: -]*$", example = "read")]
    scope: Option<String>,
}

/// What an app on a device without a browser asks the token endpoint.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct DeviceForm {
    #[schema(
        pattern = "^urn:ietf:params:oauth:grant-type:device_code$",
        example = "urn:ietf:params:oauth:grant-type:device_code"
    )]
    grant_type: String,
    client_id: uuid::Uuid,
    #[schema(min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9_-]+$", example = "ppd_a-device-code")]
    device_code: String,
}

/// A request for tokens, for the document.
pub enum TokenForm {}

named_schema!(
    TokenForm,
    "TokenForm",
    schema::one_of(
        [schema::name_of::<CodeForm>(), schema::name_of::<RefreshForm>(), schema::name_of::<DeviceForm>()],
        "A code to exchange, or a refresh token.",
    ),
    with CodeForm, RefreshForm, DeviceForm
);

/// A request for codes.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct DeviceCodesForm {
    client_id: uuid::Uuid,
    #[schema(max_length = 128, pattern = "^[a-z0-9: -]*$", example = "read play")]
    scope: String,
}

/// The codes of an app on a device without a browser.
#[derive(Serialize, ToSchema)]
pub struct DeviceCodesAnswer {
    /// For the token endpoint.
    device_code: String,
    /// For the player, who types it at `verification_uri`.
    user_code: String,
    verification_uri: String,
    /// The same page with the code filled in.
    verification_uri_complete: String,
    /// Seconds until the codes expire.
    expires_in: i64,
    /// Seconds to wait between two requests for tokens.
    interval: i16,
}

/// Gives an app on a device without a browser a code to show, which its player types at `verification_uri` (RFC 8628).
///
/// Then ask the token endpoint with the `device_code`, every `interval` seconds: `authorization_pending` until the player has decided;
/// after `slow_down` wait five seconds longer each time.
#[utoipa::path(tag = "apps",
    request_body(content = DeviceCodesForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "The codes.", body = DeviceCodesAnswer),
        (status = 400, description = "`invalid_request`, `invalid_client` or `invalid_scope`.", body = ProblemBody, content_type = "application/json"),
    ))]
#[post("/oauth/device_authorization")]
pub async fn give_device_codes(
    accounts: web::Data<Accounts>,
    issuer: web::Data<Issuer>,
    peer: Peer,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let parameters = read_form(&request, payload).await?;
    let codes = accounts.device_codes(&parameters, peer.0).await?;
    let (user_code, verification_uri) = (codes.user_code.to_string(), format!("{}{DEVICE}", issuer.as_str()));
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(DeviceCodesAnswer {
        device_code: codes.device_code.reveal(),
        verification_uri_complete: format!("{verification_uri}?user_code={user_code}"),
        verification_uri,
        user_code,
        expires_in: DEVICE_CODE_LIFETIME.whole_seconds(),
        interval: POLL_SECONDS,
    }))
}

/// A token to revoke.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct RevocationForm {
    /// The app's id.
    client_id: uuid::Uuid,
    /// An access token or a refresh token.
    #[schema(
        min_length = 1,
        max_length = 128,
        pattern = "^[A-Za-z0-9_-]+$",
        example = "ppg_a-refresh-token"
    )]
    token: String,
    /// Not needed: the server knows its tokens.
    #[schema(max_length = 64, pattern = "^[a-z_]*$", example = "refresh_token")]
    token_type_hint: Option<String>,
}

/// The tokens of an app.
#[derive(Serialize, ToSchema)]
pub struct AppTokensAnswer {
    /// For the header `Authorization: Bearer …` of each request.
    access_token: String,
    /// Always `Bearer`.
    token_type: &'static str,
    /// Seconds until the access token expires.
    expires_in: i64,
    /// For the next access token: valid once, within 60 days.
    refresh_token: String,
    /// What it allows, and `game:` with the id of the only game that it is for.
    scope: String,
}

impl From<AppTokens> for AppTokensAnswer {
    fn from(tokens: AppTokens) -> Self {
        Self {
            access_token: tokens.access_token.reveal(),
            token_type: "Bearer",
            expires_in: APP_ACCESS_LIFETIME.whole_seconds(),
            refresh_token: tokens.refresh_token.reveal(),
            scope: tokens.scopes.to_string(),
        }
    }
}

/// What clients of OAuth learn of this server (RFC 8414).
#[derive(Serialize, ToSchema)]
pub struct OAuthMetadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    device_authorization_endpoint: String,
    revocation_endpoint: String,
    jwks_uri: String,
    service_documentation: String,
    /// `game:<id>` may stand beside them.
    scopes_supported: Vec<&'static str>,
    response_types_supported: Vec<&'static str>,
    response_modes_supported: Vec<&'static str>,
    grant_types_supported: Vec<&'static str>,
    code_challenge_methods_supported: Vec<&'static str>,
    token_endpoint_auth_methods_supported: Vec<&'static str>,
    revocation_endpoint_auth_methods_supported: Vec<&'static str>,
    ui_locales_supported: Vec<&'static str>,
    authorization_response_iss_parameter_supported: bool,
}

impl OAuthMetadata {
    fn of(issuer: &Issuer) -> Self {
        let at = |path: &str| format!("{}{path}", issuer.as_str());
        Self {
            issuer: issuer.as_str().to_owned(),
            authorization_endpoint: at(AUTHORIZE),
            token_endpoint: at(TOKEN),
            device_authorization_endpoint: at(DEVICE_AUTHORIZATION),
            revocation_endpoint: at(REVOKE),
            jwks_uri: at("/.well-known/jwks.json"),
            service_documentation: at("/docs/"),
            scopes_supported: Scope::of_tokens().map(Scope::as_str).collect(),
            response_types_supported: vec!["code"],
            response_modes_supported: vec!["query"],
            grant_types_supported: vec!["authorization_code", "refresh_token", DEVICE_GRANT],
            code_challenge_methods_supported: vec!["S256"],
            token_endpoint_auth_methods_supported: vec!["none"],
            revocation_endpoint_auth_methods_supported: vec!["none"],
            ui_locales_supported: vec!["en", "de"],
            authorization_response_iss_parameter_supported: true,
        }
    }
}

/// Gives an app tokens for an authorization code, device code or refresh token.
///
/// A code, for a minute, and a refresh token are valid once; a second use revokes what the
/// player has allowed. Errors have the members of OAuth, too.
#[utoipa::path(tag = "apps",
    request_body(content = TokenForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "The tokens.", body = AppTokensAnswer),
        (status = 400, description = "`invalid_request`, `invalid_client`, `invalid_grant`, `invalid_scope` or `unsupported_grant_type`; of \
            device codes also `authorization_pending`, `slow_down`, `access_denied` or `expired_token`.",
            body = ProblemBody, content_type = "application/json"),
    ))]
#[post("/oauth/token")]
pub async fn give_app_tokens(
    accounts: web::Data<Accounts>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let parameters = read_form(&request, payload).await?;
    let tokens = accounts.app_tokens(&parameters).await?;
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((PRAGMA, "no-cache"))
        .json(AppTokensAnswer::from(tokens)))
}

/// Ends the consent that a token of an app came from (RFC 7009).
///
/// What is no token is answered alike.
#[utoipa::path(tag = "apps",
    request_body(content = RevocationForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "The app has no such token now."),
        (status = 400, description = "`invalid_request` or `invalid_client`.", body = ProblemBody, content_type = "application/json"),
    ))]
#[post("/oauth/revoke")]
pub async fn revoke_app_token(
    accounts: web::Data<Accounts>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let parameters = read_form(&request, payload).await?;
    accounts.revoke_app_token(&parameters).await?;
    Ok(HttpResponse::Ok().finish())
}

/// Shows the endpoints of OAuth (RFC 8414).
#[utoipa::path(tag = "apps", responses((status = 200, description = "The metadata.", body = OAuthMetadata)))]
#[get("/.well-known/oauth-authorization-server")]
pub async fn show_oauth_metadata(issuer: web::Data<Issuer>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(ContentType::json())
        .insert_header((CACHE_CONTROL, CACHE_METADATA))
        .json(OAuthMetadata::of(&issuer))
}

/// What clients learn of this server as a resource (RFC 9728).
#[derive(Serialize, ToSchema)]
pub struct ResourceMetadata {
    resource: String,
    authorization_servers: Vec<String>,
    scopes_supported: Vec<&'static str>,
    bearer_methods_supported: Vec<&'static str>,
    resource_documentation: String,
}

/// Shows which server gives tokens for this API (RFC 9728).
#[utoipa::path(tag = "apps", responses((status = 200, description = "The metadata.", body = ResourceMetadata)))]
#[get("/.well-known/oauth-protected-resource")]
pub async fn show_resource_metadata(issuer: web::Data<Issuer>) -> HttpResponse {
    let url = issuer.as_str().to_owned();
    HttpResponse::Ok().content_type(ContentType::json()).insert_header((CACHE_CONTROL, CACHE_METADATA)).json(
        ResourceMetadata {
            resource_documentation: format!("{url}/docs/"),
            authorization_servers: vec![url.clone()],
            resource: url,
            scopes_supported: Scope::of_tokens().map(Scope::as_str).collect(),
            bearer_methods_supported: vec!["header"],
        },
    )
}

/// The parameters of a form.
async fn read_form(request: &HttpRequest, payload: web::Payload) -> Result<Parameters, Problem> {
    expect_media_type(request, &[FORM], "the body must be application/x-www-form-urlencoded")?;
    let too_large = || Problem::new(Code::BodyTooLarge).detail(format!("at most {MAX_FORM_BYTES} bytes"));
    let read = body::read(payload, MAX_FORM_BYTES, too_large).await;
    let body = read.map_err(|problem| match problem.code().status() {
        StatusCode::BAD_REQUEST => AccountError::from(OAuthError::request("the form cannot be read")).into(),
        _ => problem,
    })?;
    Ok(Parameters::read(&body).map_err(AccountError::from)?)
}
