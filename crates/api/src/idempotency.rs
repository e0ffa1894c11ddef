//! Extracts the `Idempotency-Key` header.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::HeaderName;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use serde::Serialize;

use pippost_games::IdempotencyKey;
use pippost_games::playing::request::MAX_KEY_LENGTH;
use pippost_http::problem::{Code, Problem};
use pippost_keys::secret::sha256;
use pippost_store::stored_responses::{Repeated, RequestKey};

const HEADER: &str = "Idempotency-Key";

/// The header of an answer that was given before.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Whether a request was answered with a stored response.
pub fn is_repeated(request: &HttpRequest) -> bool {
    request.extensions().get::<Repeated>().is_some_and(Repeated::is_noted)
}

/// The request's key, if it has one.
#[derive(Debug)]
pub struct MaybeKey(pub Option<IdempotencyKey>);

/// The key of a request that creates something, if it has one, with its method and path.
#[derive(Debug)]
pub struct CreationKey(Option<(IdempotencyKey, String)>);

impl CreationKey {
    /// The key with a digest that tells the request from others: by its method and path, and what its body means.
    ///
    /// # Panics
    /// If the body cannot be serialised.
    #[must_use]
    pub fn with_body(self, body: &impl Serialize) -> Option<RequestKey> {
        self.0.map(|(key, address)| {
            let asked = serde_json::to_vec(&(address, body)).expect("plain data");
            key.with_fingerprint(sha256(&asked).to_vec())
        })
    }
}

impl FromRequest for CreationKey {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let key = MaybeKey::from_request(request, payload).into_inner();
        let address = || format!("{} {}", request.method(), request.path());
        ready(key.map(|MaybeKey(key)| Self(key.map(|key| (key, address())))))
    }
}

impl FromRequest for MaybeKey {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let mut lines = request.headers().get_all(HEADER);
        let Some(value) = lines.next() else { return ready(Ok(Self(None))) };
        let key = value.to_str().ok().and_then(IdempotencyKey::parse).filter(|_| lines.next().is_none());
        if let Some(key) = &key {
            request.extensions_mut().insert(key.repeated().clone());
        }
        ready(key.map(|key| Self(Some(key))).ok_or_else(|| {
            let why = format!("{HEADER}: one line of 1 to {MAX_KEY_LENGTH} visible ASCII characters");
            Problem::new(Code::InvalidHeader).detail(why).with("field", HEADER)
        }))
    }
}
