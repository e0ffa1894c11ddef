//! Extracts the player's seat, which handlers that act in a game need, or whether the game exists for a requester.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::marker::PhantomData;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::access::MaybeReader;
use crate::games::bodies::RecordQuery;
use pippost_games::viewing::view::Requester;
use pippost_games::{Games, SeatClaim, viewing};
use pippost_http::json::Body;
use pippost_http::problem::{Code, Problem};

/// The game in the path of a request; an invalid id belongs to none.
pub(crate) fn game_id(request: &HttpRequest) -> Option<Uuid> {
    request.match_info().get("id").and_then(|id| Uuid::try_parse(id).ok())
}

/// A player with a seat in the game of the path. `A` is the extractor that checks the token's scope.
#[derive(Debug)]
pub struct Seated<A> {
    pub account: A,
    pub claim: SeatClaim,
}

/// The body of a request. It is read by the handler, so for those alone whom another extractor has let in.
pub struct UnreadBody<T> {
    request: HttpRequest,
    payload: Payload,
    body: PhantomData<T>,
}

impl<T: DeserializeOwned + 'static> UnreadBody<T> {
    /// What was sent.
    pub async fn read(mut self) -> actix_web::Result<T> {
        Ok(Body::<T>::from_request(&self.request, &mut self.payload).await?.into_inner())
    }
}

impl<T> FromRequest for UnreadBody<T> {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(Ok(Self { request: request.clone(), payload: payload.take(), body: PhantomData }))
    }
}

/// A requester for whom the game of the path exists. `A` is the extractor that checks the token's scope.
#[derive(Debug)]
pub struct Visible<A> {
    pub account: A,
    pub game_id: Uuid,
}

/// An extractor that says who looks at a game.
pub trait Looks: FromRequest<Error = actix_web::Error> + 'static {
    fn requester(&self, request: &HttpRequest) -> Requester;
}

impl<A: KnowsPlayer> Looks for A {
    fn requester(&self, _: &HttpRequest) -> Requester {
        Requester::player(self.player_id())
    }
}

impl Looks for MaybeReader {
    fn requester(&self, request: &HttpRequest) -> Requester {
        let query = web::Query::<RecordQuery>::from_query(request.query_string());
        let token = query.ok().and_then(|query| query.into_inner().token);
        Requester { player_id: self.player_id(), token: token.map(Into::into) }
    }
}

impl<A: Looks> FromRequest for Visible<A> {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let account = A::from_request(request, payload);
        let request = request.clone();
        async move {
            let account = account.await?;
            let (games, game_id) = game_of(&request)?;
            let visible = viewing::expect_visible(&games, game_id, &account.requester(&request)).await;
            visible.map_err(Problem::from)?;
            Ok(Self { account, game_id })
        }
        .boxed_local()
    }
}

/// The games, and the one of the path.
fn game_of(request: &HttpRequest) -> Result<(web::Data<Games>, Uuid), Problem> {
    let games = request.app_data::<web::Data<Games>>().cloned();
    let game_id =
        game_id(request).ok_or_else(|| Problem::new(Code::NotFound).detail("there is no such game"))?;
    Ok((games.ok_or_else(|| Problem::new(Code::Internal).cause("no games in the application"))?, game_id))
}

/// An extractor with a known player.
pub trait KnowsPlayer: FromRequest<Error = actix_web::Error> + 'static {
    fn player_id(&self) -> Uuid;
}

impl<A: KnowsPlayer> FromRequest for Seated<A> {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let account = A::from_request(request, payload);
        let found = game_of(request);
        async move {
            let account = account.await?;
            let (games, game_id) = found?;
            let claim = viewing::claim_seat(&games, game_id, account.player_id()).await;
            Ok(Self { account, claim: claim.map_err(Problem::from)? })
        }
        .boxed_local()
    }
}
