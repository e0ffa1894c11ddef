//! The `Idempotency-Key` header.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use super::problem::{Code, Problem};
use crate::games::IdempotencyKey;
use crate::games::request::MAX_KEY_LENGTH;

const HEADER: &str = "Idempotency-Key";

/// The request's key, if it has one.
#[derive(Debug)]
pub struct MaybeKey(pub Option<IdempotencyKey>);

impl FromRequest for MaybeKey {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(match request.headers().get(HEADER) {
            None => Ok(Self(None)),
            Some(value) => match value.to_str().ok().and_then(IdempotencyKey::parse) {
                Some(key) => Ok(Self(Some(key))),
                None => {
                    let why = format!("{HEADER}: 1 to {MAX_KEY_LENGTH} visible ASCII characters");
                    Err(Problem::new(Code::InvalidHeader).detail(why).with("field", HEADER))
                }
            },
        })
    }
}
