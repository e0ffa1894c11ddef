//! Extracts the `Idempotency-Key` header.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use super::problem::{Code, Problem};
use crate::games::IdempotencyKey;
use crate::games::playing::request::MAX_KEY_LENGTH;

const HEADER: &str = "Idempotency-Key";

/// The request's key, if it has one.
#[derive(Debug)]
pub struct MaybeKey(pub Option<IdempotencyKey>);

impl FromRequest for MaybeKey {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let Some(value) = request.headers().get(HEADER) else { return ready(Ok(Self(None))) };
        let key = value.to_str().ok().and_then(IdempotencyKey::parse);
        ready(key.map(|key| Self(Some(key))).ok_or_else(|| {
            let why = format!("{HEADER}: 1 to {MAX_KEY_LENGTH} visible ASCII characters");
            Problem::new(Code::InvalidHeader).detail(why).with("field", HEADER)
        }))
    }
}
