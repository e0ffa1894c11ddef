//! Whom to tell of a weakness (RFC 9116).

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, get, web};
use time::Duration;
use time::format_description::well_known::Rfc3339;

use pippost_clock::Clock;
use pippost_http::issuer::Issuer;
use pippost_http::{Code, Problem};
use pippost_webhooks::push::Pushes;

/// Where the text is.
const PATH: &str = "/.well-known/security.txt";

/// How long the text may be believed; it changes only with the settings.
const LIFETIME: Duration = Duration::days(30);

/// Shows how to reach those who run the server: as push services learn it.
#[get("/.well-known/security.txt")]
pub async fn security(
    pushes: web::Data<Pushes>,
    issuer: web::Data<Issuer>,
    clock: web::Data<Clock>,
) -> Result<HttpResponse, Problem> {
    let expires_at = (clock.now() + LIFETIME).date().midnight().assume_utc();
    let expires_at =
        expires_at.format(&Rfc3339).map_err(|error| Problem::new(Code::Internal).cause(error))?;
    let text = format!(
        "Contact: {}\nExpires: {expires_at}\nPreferred-Languages: en, de\nCanonical: {}{PATH}\n",
        pushes.contact(),
        issuer.as_str()
    );
    Ok(HttpResponse::Ok().content_type(ContentType::plaintext()).body(text))
}
