//! Who asks: extractors that check the token of the `Authorization` header, so that no handler can act without one.

use std::ops::Deref;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use uuid::Uuid;

use super::problem::{Code, Problem};
use crate::accounts::{Account, Accounts, MAX_TOKEN_BYTES, Scope};

macro_rules! extractor {
    ($(#[$doc:meta])* $name:ident needs $scope:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(Account);

        impl Deref for $name {
            type Target = Account;

            fn deref(&self) -> &Account {
                &self.0
            }
        }

        impl FromRequest for $name {
            type Error = actix_web::Error;
            type Future = LocalBoxFuture<'static, Result<Self, Self::Error>>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                let asked = Asked::of(request);
                async move {
                    let account = asked?.account().await?;
                    let account = account.ok_or_else(|| Problem::new(Code::Unauthenticated))?;
                    Ok(Self(allowed(account, Scope::$scope)?))
                }
                .boxed_local()
            }
        }
    };
}

extractor! {
    /// Somebody who may see what the player may see.
    Reader needs Read
}

extractor! {
    /// Somebody who may create, join and move.
    Participant needs Play
}

extractor! {
    /// The player in person, by a session: may manage the account.
    Owner needs Account
}

/// A player who may look, or anybody. A bad token is refused all the same: its owner should not be taken for a stranger.
#[derive(Clone, Debug)]
pub struct MaybeReader(Option<Account>);

impl MaybeReader {
    /// Who looks; `None` for a spectator without an account.
    #[must_use]
    pub fn account(&self) -> Option<&Account> {
        self.0.as_ref()
    }

    #[must_use]
    pub fn player_id(&self) -> Option<Uuid> {
        self.account().map(|account| account.player_id)
    }
}

impl FromRequest for MaybeReader {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let asked = Asked::of(request);
        async move {
            let account = asked?.account().await?;
            Ok(Self(account.map(|account| allowed(account, Scope::Read)).transpose()?))
        }
        .boxed_local()
    }
}

fn allowed(account: Account, scope: Scope) -> Result<Account, Problem> {
    if account.may(scope) {
        return Ok(account);
    }
    let detail = match scope {
        Scope::Account => "the account is managed in a session; a personal token does not do".to_owned(),
        _ => format!("the token lacks the scope `{}`", scope.as_str()),
    };
    Err(Problem::new(Code::MissingScope).detail(detail).with("scope", scope))
}

/// A request's token, not checked yet, and who can check it.
struct Asked {
    accounts: web::Data<Accounts>,
    token: Option<String>,
}

impl Asked {
    fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let accounts = request.app_data::<web::Data<Accounts>>().cloned();
        let accounts =
            accounts.ok_or_else(|| Problem::new(Code::Internal).cause("no accounts in the application"))?;
        Ok(Self { accounts, token: bearer_token(request)? })
    }

    async fn account(self) -> Result<Option<Account>, Problem> {
        match self.token {
            None => Ok(None),
            Some(token) => Ok(Some(self.accounts.authenticate(&token).await?)),
        }
    }
}

/// The token of the one `Authorization: Bearer` header (RFC 6750, section 2.1).
fn bearer_token(request: &HttpRequest) -> Result<Option<String>, Problem> {
    let mut headers = request.headers().get_all(AUTHORIZATION);
    let Some(header) = headers.next() else { return Ok(None) };
    let refused = |why: &str| Problem::new(Code::Unauthenticated).detail(why);
    if headers.next().is_some() {
        return Err(refused("more than one Authorization header"));
    }
    let (scheme, token) = header
        .to_str()
        .ok()
        .and_then(|text| text.split_once(' '))
        .ok_or_else(|| refused("not a bearer token"))?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(refused("not a bearer token"));
    }
    let token = token.trim_start_matches(' ');
    if token.is_empty() || token.len() > MAX_TOKEN_BYTES {
        return Err(refused("no token of this server"));
    }
    Ok(Some(token.to_owned()))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn token(headers: &[&str]) -> Result<Option<String>, Code> {
        let with = |request: TestRequest, header: &&str| request.append_header((AUTHORIZATION, *header));
        let request = headers.iter().fold(TestRequest::default(), with).to_http_request();
        bearer_token(&request).map_err(|problem| problem.code())
    }

    #[test]
    fn a_bearer_token_is_read_whatever_the_case_of_the_scheme() {
        for header in ["Bearer abc", "bearer abc", "BEARER  abc"] {
            assert_eq!(token(&[header]), Ok(Some("abc".into())), "{header}");
        }
        assert_eq!(token(&[]), Ok(None));
    }

    #[test]
    fn anything_else_in_the_header_is_refused() {
        let long = format!("Bearer {}", "x".repeat(MAX_TOKEN_BYTES + 1));
        for header in ["", "Bearer", "Bearer ", "abc", "Basic YTpi", "Bearer \u{e4}", &long] {
            assert_eq!(token(&[header]), Err(Code::Unauthenticated), "{header:?}");
        }
        assert_eq!(token(&["Bearer abc", "Bearer def"]), Err(Code::Unauthenticated));
    }
}
