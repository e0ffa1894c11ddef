//! Extracts a page's visitor: language, time zone, whether mails bounced, and whether the server is a sandbox.

use actix_web::dev::Payload;
use actix_web::http::header::ACCEPT_LANGUAGE;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::future::{Ready, ready};
use uuid::Uuid;

use crate::accounts::{AccountError, Accounts};
use crate::api::sandbox::MaybeSandbox;
use crate::clock::Zone;
use crate::language::Language;

/// A visitor of a page. Pages need no login: they use the browser's language and UTC until a link identifies the player.
#[derive(Clone, Debug)]
pub struct Visitor {
    pub language: Language,
    pub zone: Zone,
    /// Mails to the visitor bounced, so no more are sent. Known only if a link identifies the player.
    pub bounced: bool,
    /// Nothing counts here, which every page says.
    pub sandbox: bool,
}

impl Visitor {
    /// The visitor as the player whom a link identifies.
    ///
    /// # Errors
    /// The database failed.
    pub async fn recognised(
        self,
        accounts: &Accounts,
        player_id: Option<Uuid>,
    ) -> Result<Self, AccountError> {
        let Some(player_id) = player_id else { return Ok(self) };
        let player = accounts.recognised(player_id).await?;
        let language = player.language.unwrap_or(self.language);
        Ok(Self { language, zone: player.zone, bounced: player.bounced, ..self })
    }
}

impl FromRequest for Visitor {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let asked = request.headers().get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let language = asked.map(Language::accepted).unwrap_or_default();
        let sandbox =
            request.app_data::<web::Data<MaybeSandbox>>().is_some_and(|sandbox| sandbox.0.is_some());
        ready(Ok(Self { language, zone: Zone::UTC, bounced: false, sandbox }))
    }
}
