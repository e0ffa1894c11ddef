//! Who looks at a page.

use actix_web::dev::Payload;
use actix_web::http::header::ACCEPT_LANGUAGE;
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::{Ready, ready};

use crate::language::Language;

/// Somebody who has not logged in: pages speak the language that the browser asks for.
#[derive(Clone, Copy, Debug)]
pub struct Visitor {
    pub language: Language,
}

impl FromRequest for Visitor {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let asked = request.headers().get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        ready(Ok(Self { language: asked.map(Language::accepted).unwrap_or_default() }))
    }
}
