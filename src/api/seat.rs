//! The seat as an extractor: no handler acts in a game without one.

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use uuid::Uuid;

use super::access::{Participant, Reader};
use super::fast_routes;
use super::problem::{Code, Problem};
use crate::games::{Games, SeatClaim};

/// A player in his seat of the game in the path. `A` says what his token must allow.
#[derive(Debug)]
pub struct Seated<A> {
    pub account: A,
    pub claim: SeatClaim,
}

/// The body of a request that needs a seat: what is wrong with it is told to those who have the seat.
pub type SeatedBody<T> = Result<web::Json<T>, actix_web::Error>;

/// An extractor that knows the player.
pub trait KnowsPlayer: FromRequest<Error = actix_web::Error> + 'static {
    fn player_id(&self) -> Uuid;
}

impl KnowsPlayer for Participant {
    fn player_id(&self) -> Uuid {
        self.player_id
    }
}

impl KnowsPlayer for Reader {
    fn player_id(&self) -> Uuid {
        self.player_id
    }
}

impl<A: KnowsPlayer> FromRequest for Seated<A> {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let account = A::from_request(request, payload);
        let game_id = fast_routes::game_id(request);
        let games = request.app_data::<web::Data<Games>>().cloned();
        async move {
            let account = account.await?;
            let game_id =
                game_id.ok_or_else(|| Problem::new(Code::NotFound).detail("there is no such game"))?;
            let games =
                games.ok_or_else(|| Problem::new(Code::Internal).cause("no games in the application"))?;
            match games.claim_seat(game_id, account.player_id()).await {
                Ok(claim) => Ok(Self { account, claim }),
                Err(refused) => {
                    // Whether the game was at hand must not show in which of several things that are wrong is told: what can be read
                    // at once comes before the seat, and a body after it (`SeatedBody`).
                    tokio::task::yield_now().await;
                    Err(Problem::from(refused).into())
                }
            }
        }
        .boxed_local()
    }
}
