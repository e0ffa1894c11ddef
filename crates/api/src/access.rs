//! Extractors for the requester. They check the token of the `Authorization` header, so that no handler can act without one.

use std::future::{Ready, ready};
use std::ops::Deref;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderValue};
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::FutureExt;
use futures_util::future::{Either, LocalBoxFuture};
use uuid::Uuid;

use crate::seat::{KnowsPlayer, game_id};
use pippost_accounts::{Account, Accounts, MAX_TOKEN_BYTES, Scope, each_scope};
use pippost_http::limits;
use pippost_http::problem::{Code, Problem};

/// The addresses of single games.
const GAMES: &str = "/api/v1/games/";

/// Makes the extractor of each scope: a requester whose token has it.
macro_rules! extractors {
    ($(
        #[doc = $says:literal] $(#[$serde:meta])? $scope:ident = $text:literal, $holders:ident, $name:ident;
    )+) => {$(
        #[doc = $says]
        #[derive(Clone, Debug)]
        pub struct $name(Arc<Account>);

        impl $name {
            /// The scope that a token needs; for the document, too.
            pub const SCOPE: Scope = Scope::$scope;
        }

        impl Deref for $name {
            type Target = Account;

            fn deref(&self) -> &Account {
                &self.0
            }
        }

        impl FromRequest for $name {
            type Error = actix_web::Error;
            type Future = Admission<Self>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                admit(request, |request, account| {
                    let account = account.ok_or_else(|| Problem::new(Code::Unauthenticated))?;
                    Ok(Self(allowed(request, account, Self::SCOPE)?))
                })
            }
        }

        impl KnowsPlayer for $name {
            fn player_id(&self) -> Uuid {
                self.0.player_id
            }
        }
    )+};
}

each_scope!(extractors);

/// A player who may read, or a spectator. An invalid token is refused, so that its owner is not treated as a spectator.
#[derive(Clone, Debug)]
pub struct MaybeReader(Option<Arc<Account>>);

impl MaybeReader {
    /// The scope that a token needs.
    pub const SCOPE: Scope = Scope::Read;

    /// The player; `None` for a spectator without an account.
    #[must_use]
    pub fn account(&self) -> Option<&Account> {
        self.0.as_deref()
    }

    #[must_use]
    pub fn player_id(&self) -> Option<Uuid> {
        self.account().map(|account| account.player_id)
    }
}

impl FromRequest for MaybeReader {
    type Error = actix_web::Error;
    type Future = Admission<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        admit(request, |request, account| {
            Ok(Self(account.map(|account| allowed(request, account, Self::SCOPE)).transpose()?))
        })
    }
}

/// As [`MaybeReader`], for lists of games: with a token for one game they show that game alone.
#[derive(Clone, Debug)]
pub struct MaybeLister(Option<Arc<Account>>);

impl MaybeLister {
    /// The scope that a token needs.
    pub const SCOPE: Scope = Scope::Read;

    #[must_use]
    pub fn player_id(&self) -> Option<Uuid> {
        self.0.as_ref().map(|account| account.player_id)
    }

    /// The only game that may be shown.
    #[must_use]
    pub fn only_game(&self) -> Option<Uuid> {
        self.0.as_ref().and_then(|account| account.game_id)
    }
}

impl FromRequest for MaybeLister {
    type Error = actix_web::Error;
    type Future = Admission<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        admit(request, |_, account| {
            Ok(Self(account.map(|account| with_scope(account, Self::SCOPE)).transpose()?))
        })
    }
}

fn allowed(request: &HttpRequest, account: Arc<Account>, scope: Scope) -> Result<Arc<Account>, Problem> {
    within_its_game(request, with_scope(account, scope)?)
}

fn with_scope(account: Arc<Account>, scope: Scope) -> Result<Arc<Account>, Problem> {
    if account.may(scope) {
        return Ok(account);
    }
    let detail = match scope {
        Scope::Account => "the account is managed in a session; no other token does".to_owned(),
        _ => format!("the token lacks the scope `{}`", scope.as_str()),
    };
    Err(Problem::new(Code::MissingScope).detail(detail).with("scope", scope.as_str()))
}

/// Refuses a token for one game everywhere but below that game's address.
fn within_its_game(request: &HttpRequest, account: Arc<Account>) -> Result<Arc<Account>, Problem> {
    let Some(its_game) = account.game_id else { return Ok(account) };
    if request.path().starts_with(GAMES) && game_id(request) == Some(its_game) {
        return Ok(account);
    }
    let detail = format!("the token is for the game {its_game} only");
    Err(Problem::new(Code::TokenLimited).detail(detail))
}

/// Ready immediately without a token or with a recently checked one, which is nearly always the case.
type Admission<T> =
    Either<Ready<Result<T, actix_web::Error>>, LocalBoxFuture<'static, Result<T, actix_web::Error>>>;

/// Checks the token of a request; `to` converts its account, or the absence of a token.
fn admit<T: 'static>(
    request: &HttpRequest,
    to: impl FnOnce(&HttpRequest, Option<Arc<Account>>) -> Result<T, Problem> + 'static,
) -> Admission<T> {
    let at_once = |admitted: Result<T, Problem>| Either::Left(ready(admitted.map_err(Into::into)));
    let Some(accounts) = request.app_data::<web::Data<Accounts>>() else {
        return at_once(Err(Problem::new(Code::Internal).cause("no accounts in the application")));
    };
    let token = match bearer_token(request) {
        Err(refused) => return at_once(Err(refused)),
        Ok(None) => return at_once(to(request, None)),
        Ok(Some(token)) => token,
    };
    if let Some(account) = accounts.remembered(token) {
        let counted = limits::count_token(request, accounts, &account);
        return at_once(counted.and_then(|()| to(request, Some(account))));
    }
    let (accounts, token, request) = (accounts.clone(), token.to_owned(), request.clone());
    Either::Right(
        async move {
            let account = accounts.authenticate(&token).await.map_err(Problem::from)?;
            limits::count_token(&request, &accounts, &account)?;
            Ok(to(&request, Some(account))?)
        }
        .boxed_local(),
    )
}

/// The token of the one `Authorization: Bearer` header (RFC 6750, section 2.1).
pub fn bearer_token(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let mut headers = request.headers().get_all(AUTHORIZATION);
    let Some(header) = headers.next() else { return Ok(None) };
    if headers.next().is_some() {
        return Err(refused("more than one Authorization header"));
    }
    read_bearer(header).map(Some)
}

fn read_bearer(header: &HeaderValue) -> Result<&str, Problem> {
    let text = std::str::from_utf8(header.as_bytes()).ok().filter(|text| text.is_ascii());
    let (scheme, token) =
        text.and_then(|text| text.split_once(' ')).ok_or_else(|| refused("not a bearer token"))?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(refused("not a bearer token"));
    }
    let token = token.trim_start_matches(' ');
    if token.is_empty() || token.len() > MAX_TOKEN_BYTES {
        return Err(refused("no token of this server"));
    }
    Ok(token)
}

fn refused(why: &str) -> Problem {
    Problem::new(Code::Unauthenticated).detail(why)
}
