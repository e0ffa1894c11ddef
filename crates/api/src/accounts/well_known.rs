//! Publishes the keys for checking the server's signatures.

use actix_web::http::header::{CACHE_CONTROL, ContentType};
use actix_web::{HttpResponse, get, web};

use super::bodies::KeySet;
use pippost_accounts::Accounts;
use pippost_http::problem::Problem;

/// How long clients may cache the keys, and so the longest time until a new key is known everywhere.
const CACHE_KEYS: &str = "public, max-age=60";

/// Shows the public keys of access tokens and receipts (RFC 7517).
#[utoipa::path(tag = "accounts", responses((status = 200, description = "The keys, the one that signs first.", body = KeySet)))]
#[get("/.well-known/jwks.json")]
pub async fn show_keys(accounts: web::Data<Accounts>) -> Result<HttpResponse, Problem> {
    let keys = KeySet::new(accounts.public_keys().await);
    Ok(HttpResponse::Ok()
        .content_type(ContentType::json())
        .insert_header((CACHE_CONTROL, CACHE_KEYS))
        .json(keys))
}
