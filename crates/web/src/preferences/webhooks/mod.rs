//! Webhooks among the preferences: a page with all of a player's, and one for each. Forms do what the API does, by the same functions,
//! and its refusals are said in words.

mod forms;
mod log;
mod managing;
mod pages;
mod refusals;

use actix_web::dev::Payload;
use actix_web::web::ServiceConfig;
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use uuid::Uuid;

use crate::form::see_other;
use crate::visitor::{SignedIn, Visitor};
use pippost_accounts::Accounts;
use pippost_games::Games;
use pippost_http::peer::Peer;
use pippost_http::webhook_requests::by_hand::ByHand;
use pippost_http::{Code, Problem};
use pippost_webhooks::{Manager, Webhooks};

const ADDRESS: &str = "/preferences/webhooks";

/// Registers the pages and their forms.
pub fn configure(service: &mut ServiceConfig) {
    service
        .service(pages::list)
        .service(managing::register)
        .service(pages::show)
        .service(managing::change)
        .service(managing::challenge)
        .service(managing::verify)
        .service(managing::rotate)
        .service(managing::switch)
        .service(managing::redeliver)
        .service(managing::go_back)
        .service(managing::remove);
}

/// The path of a webhook's page.
fn path(id: Uuid) -> String {
    format!("{ADDRESS}/{id}")
}

/// Leads back to a webhook's page, which says what was done.
fn back(id: Uuid, done: &str) -> HttpResponse {
    see_other(&format!("{}?done={done}", path(id)))
}

/// A player who is logged in, with what the pages need. A session manages all webhooks of its player.
pub struct Owner {
    signed_in: SignedIn,
    peer: Peer,
    manager: Manager,
    accounts: web::Data<Accounts>,
    webhooks: web::Data<Webhooks>,
    games: web::Data<Games>,
}

impl Owner {
    fn visitor(&self) -> &Visitor {
        &self.signed_in.visitor
    }

    fn by_hand(&self) -> ByHand<'_> {
        let Self { signed_in, peer, accounts, webhooks, .. } = self;
        ByHand { webhooks, accounts, account: &signed_in.account, peer: *peer }
    }

    async fn of(request: HttpRequest, signed_in: SignedIn) -> Result<Self, Problem> {
        fn part<T: 'static>(request: &HttpRequest) -> Result<web::Data<T>, Problem> {
            let missing = || Problem::new(Code::Internal).cause("a part of the application is missing");
            request.app_data::<web::Data<T>>().cloned().ok_or_else(missing)
        }
        let webhooks = part::<Webhooks>(&request)?;
        let manager = webhooks.manager(&signed_in.account).await?;
        let (accounts, games) = (part(&request)?, part(&request)?);
        Ok(Self { signed_in, peer: Peer::of(&request), manager, accounts, webhooks, games })
    }
}

impl FromRequest for Owner {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let signed_in = SignedIn::from_request(request, payload);
        let request = request.clone();
        async move { Self::of(request, signed_in.await?).await }.boxed_local()
    }
}
