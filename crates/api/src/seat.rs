//! Extracts the player's seat. Handlers that act in a game need it.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::marker::PhantomData;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;
use uuid::Uuid;

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

/// The body of a request that needs a seat. It is read by the handler, so for players with a seat only.
pub struct SeatedBody<T> {
    request: HttpRequest,
    payload: Payload,
    body: PhantomData<T>,
}

impl<T: DeserializeOwned + 'static> SeatedBody<T> {
    /// What was sent.
    pub async fn read(mut self) -> actix_web::Result<T> {
        Ok(Body::<T>::from_request(&self.request, &mut self.payload).await?.into_inner())
    }
}

impl<T> FromRequest for SeatedBody<T> {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(Ok(Self { request: request.clone(), payload: payload.take(), body: PhantomData }))
    }
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
        let game_id = game_id(request);
        let games = request.app_data::<web::Data<Games>>().cloned();
        async move {
            let account = account.await?;
            let game_id =
                game_id.ok_or_else(|| Problem::new(Code::NotFound).detail("there is no such game"))?;
            let games =
                games.ok_or_else(|| Problem::new(Code::Internal).cause("no games in the application"))?;
            let claim = viewing::claim_seat(&games, game_id, account.player_id()).await;
            Ok(Self { account, claim: claim.map_err(Problem::from)? })
        }
        .boxed_local()
    }
}
