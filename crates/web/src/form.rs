//! Takes forms from this server's own pages alone: the browser must say that the form is from here, and the form must hold the token
//! that was made for the browser's cookie. Either would do; together an error in one harms nobody.

use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_TYPE, HeaderName, LOCATION};
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::site::{CookieName, Site, is_from_this_site};
use pippost_accounts::{Accounts, FormKey};
use pippost_http::{Code, Problem};

/// The header with which scripts of the pages send the token.
const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-csrf-token");

/// The media type of forms.
const FORM: &str = "application/x-www-form-urlencoded";

/// The field of every form that holds the token.
#[derive(Deserialize)]
struct TokenField {
    #[serde(default)]
    csrf: String,
}

/// A form that a page of this server made for this browser.
#[derive(Debug)]
pub struct Posted<T>(T);

impl<T> Posted<T> {
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Posted<T> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = own_form(request.clone(), web::Bytes::from_request(request, payload));
        async move { serde_urlencoded::from_bytes(&body.await?).map(Self).map_err(unreadable) }.boxed_local()
    }
}

/// The body of a form that a page of this server made for this browser.
async fn own_form(
    request: HttpRequest,
    body: <web::Bytes as FromRequest>::Future,
) -> Result<web::Bytes, Problem> {
    if !is_from_this_site(&request) {
        return Err(foreign());
    }
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.and_then(|kind| kind.split(';').next()).is_none_or(|kind| kind.trim() != FORM) {
        return Err(Problem::new(Code::UnsupportedMediaType));
    }
    let body = body.await.map_err(|_| Problem::new(Code::BodyTooLarge))?;
    let field: TokenField = serde_urlencoded::from_bytes(&body).map_err(unreadable)?;
    check(&request, &field.csrf)?;
    Ok(body)
}

#[allow(clippy::needless_pass_by_value, reason = "what `map_err` takes")]
fn unreadable(error: serde_urlencoded::de::Error) -> Problem {
    Problem::new(Code::MalformedBody).detail(error.to_string())
}

/// A form that proves by itself who may send it, by a password or a token from a mail, so it needs no cookie; but other sites may not
/// send it.
#[derive(Debug)]
pub struct FromHere<T>(T);

impl<T> FromHere<T> {
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for FromHere<T> {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if !is_from_this_site(request) {
            return std::future::ready(Err(foreign().into())).boxed_local();
        }
        let form = web::Form::<T>::from_request(request, payload);
        async move { Ok(Self(form.await?.into_inner())) }.boxed_local()
    }
}

/// A request of a script of this server's pages, with the token in the header `X-CSRF-Token`.
#[derive(Clone, Copy, Debug)]
pub struct OfOurScript;

impl FromRequest for OfOurScript {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let token = request.headers().get(TOKEN_HEADER).and_then(|token| token.to_str().ok());
        let checked = match token {
            Some(token) if is_from_this_site(request) => check(request, token),
            _ => Err(foreign()),
        };
        std::future::ready(checked.map(|()| Self))
    }
}

/// A form is one of this browser's if its token fits one of the cookies that only this server sets.
fn check(request: &HttpRequest, token: &str) -> Result<(), Problem> {
    let parts = (request.app_data::<web::Data<Accounts>>(), request.app_data::<web::Data<Site>>());
    let (Some(accounts), Some(site)) = parts else {
        return Err(Problem::new(Code::Internal).cause("no accounts in the application"));
    };
    let cookies = [CookieName::Session, CookieName::Form];
    let mut keys = cookies.into_iter().filter_map(|name| site.read(request, name));
    if keys.any(|key| accounts.is_form_token(&FormKey::of(&key), token)) { Ok(()) } else { Err(foreign()) }
}

fn foreign() -> Problem {
    Problem::new(Code::ForeignForm)
}

/// Leads the browser from a form to a page of this server.
#[must_use]
pub fn see_other(path: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((LOCATION, path)).finish()
}

/// The path to go on to after logging in: a page of this server, never another site.
#[must_use]
pub fn own_path(wanted: &str) -> Option<&str> {
    let is_path = wanted.starts_with('/') && !wanted.starts_with("//");
    let is_plain = wanted.chars().all(|sign| sign.is_ascii_graphic() && sign != '\\');
    (is_path && is_plain).then_some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_server_are_gone_to() {
        for own in ["/", "/games/new?rules=x", "/games/1#board"] {
            assert_eq!(own_path(own), Some(own));
        }
        for other in [
            "",
            "games",
            "//evil.example.org",
            "https://evil.example.org",
            "/\\evil.example.org",
            "/\n/x",
            "/\t/x",
            "/ä",
        ] {
            assert_eq!(own_path(other), None, "{other:?}");
        }
    }
}
