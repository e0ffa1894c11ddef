//! Extracts a page's visitor: who is logged in, language, time zone, theme, whether mails bounced, and whether the server is a sandbox.

use std::fmt;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::ACCEPT_LANGUAGE;
use actix_web::http::{Method, StatusCode};
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use uuid::Uuid;

use super::site::{CookieName, Site};
use pippost_accounts::{Account, AccountError, Accounts, FormKey, RegistrationPolicy};
use pippost_clock::Zone;
use pippost_http::peer::Peer;
use pippost_http::sandbox::IsSandbox;
use pippost_http::{Code, Problem};
use pippost_language::Language;

/// The endings of the addresses of moves, which are never counted.
const MOVES: [&str; 3] = ["/moves", "/resign", "/abort"];

/// The colours of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the browser asks.
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    /// All themes.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The theme of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.as_str() == name)
    }
}

/// A visitor of a page. Without a session, pages use the browser's language and UTC until a link identifies the player.
#[derive(Clone)]
pub struct Visitor {
    pub language: Language,
    pub zone: Zone,
    pub theme: Theme,
    /// Mails to the visitor bounced, so no more are sent. Known only of a player.
    pub bounced: bool,
    /// Nothing counts here, which every page says.
    pub sandbox: bool,
    /// Who is logged in.
    pub account: Option<Arc<Account>>,
    /// The path and query of the page.
    pub address: String,
    pub(super) site: web::Data<Site>,
    pub(super) forms: Forms,
    accounts: web::Data<Accounts>,
}

/// What the forms of a page hold.
#[derive(Clone)]
pub(super) struct Forms {
    /// `None`: the page of a visitor without a session has no forms.
    pub token: Option<String>,
    /// A cookie to set with the page.
    pub new_key: Option<FormKey>,
    /// The cookie that the browser has.
    key: Option<FormKey>,
}

impl fmt::Debug for Visitor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Visitor")
            .field("language", &self.language)
            .field("player_id", &self.player_id())
            .finish_non_exhaustive()
    }
}

impl Visitor {
    /// The player who is logged in.
    #[must_use]
    pub fn player_id(&self) -> Option<Uuid> {
        self.account.as_ref().map(|account| account.player_id)
    }

    /// Who may register here.
    #[must_use]
    pub fn registration(&self) -> RegistrationPolicy {
        self.accounts.registration_policy()
    }

    /// The player who is logged in and has registered.
    #[must_use]
    pub fn registered(&self) -> Option<&Arc<Account>> {
        self.account.as_ref().filter(|account| !account.guest)
    }

    /// Whether the visitor plays as a guest.
    #[must_use]
    pub fn is_guest(&self) -> bool {
        self.account.as_ref().is_some_and(|account| account.guest)
    }

    /// The visitor as the player whom a link identifies. Who is logged in stays who he is.
    ///
    /// # Errors
    /// The database failed.
    pub async fn recognised(
        self,
        accounts: &Accounts,
        player_id: Option<Uuid>,
    ) -> Result<Self, AccountError> {
        let Some(player_id) = player_id.filter(|_| self.account.is_none()) else { return Ok(self) };
        let player = accounts.recognised(player_id).await?;
        let language = player.language.unwrap_or(self.language);
        Ok(Self { language, zone: player.zone, bounced: player.bounced, ..self })
    }

    /// The visitor after the end of the session.
    #[must_use]
    pub fn logged_out(self) -> Self {
        let forms = Forms { token: None, new_key: None, key: None };
        Self { account: None, bounced: false, forms, address: "/".to_owned(), ..self }
    }

    /// Lets the page have forms, also without a session: they are recognised by a cookie.
    #[must_use]
    pub fn with_form(mut self) -> Self {
        if self.forms.token.is_none() {
            let drawn = || FormKey::draw().ok();
            if let Some(key) = self.forms.key.clone().or_else(|| {
                self.forms.new_key = drawn();
                self.forms.new_key.clone()
            }) {
                self.forms.token = Some(self.accounts.form_token(&key));
            }
        }
        self
    }

    /// The same, if the page has a form that begins a game against the house bot.
    #[must_use]
    pub fn with_form_to_play(self) -> Self {
        if self.site.house_bot().is_some() { self.with_form() } else { self }
    }

    async fn of(request: HttpRequest) -> Result<Self, Problem> {
        let missing =
            |what: &str| Problem::new(Code::Internal).cause(format!("no {what} in the application"));
        let accounts = request.app_data::<web::Data<Accounts>>().ok_or_else(|| missing("accounts"))?.clone();
        let site = request.app_data::<web::Data<Site>>().ok_or_else(|| missing("site"))?.clone();
        let is_counted = !is_move(&request);
        if is_counted {
            accounts.count_request_of_peer(Peer::of(&request).0)?;
        }
        let cookie = site.read(&request, CookieName::Session);
        let account = match &cookie {
            None => None,
            Some(cookie) => match accounts.authenticate_browser(cookie).await {
                Ok(account) => Some(account),
                Err(AccountError::Unauthenticated) => None,
                Err(error) => return Err(error.into()),
            },
        };
        if let Some(account) = account.as_ref().filter(|_| is_counted) {
            accounts.count_request_of_token(account.token_id)?;
            if !account.guest {
                accounts.known_networks().learn(Peer::of(&request).0);
            }
        }
        let key = cookie.filter(|_| account.is_some()).or_else(|| site.read(&request, CookieName::Form));
        let key = key.map(|key| FormKey::of(&key));
        let token = account.as_ref().and(key.as_ref()).map(|key| accounts.form_token(key));
        let sandbox = IsSandbox::says(&request);
        let mut visitor = Self {
            language: chosen_language(&request, &site),
            zone: Zone::UTC,
            theme: chosen_theme(&request, &site),
            bounced: false,
            sandbox,
            account,
            address: request.uri().path_and_query().map(ToString::to_string).unwrap_or_default(),
            forms: Forms { token, new_key: None, key },
            site,
            accounts: accounts.clone(),
        };
        if let Some(player_id) = visitor.player_id() {
            let player = accounts.recognised(player_id).await?;
            visitor.language = player.language.unwrap_or(visitor.language);
            (visitor.zone, visitor.bounced) = (player.zone, player.bounced);
        }
        Ok(visitor)
    }

    /// A visitor for a page that has to do without the database.
    pub(super) fn stranger(request: &HttpRequest) -> Option<Self> {
        let accounts = request.app_data::<web::Data<Accounts>>()?.clone();
        let site = request.app_data::<web::Data<Site>>()?.clone();
        Some(Self {
            language: chosen_language(request, &site),
            zone: Zone::UTC,
            theme: chosen_theme(request, &site),
            bounced: false,
            sandbox: false,
            account: None,
            address: request.path().to_owned(),
            forms: Forms { token: None, new_key: None, key: None },
            site,
            accounts,
        })
    }
}

fn is_move(request: &HttpRequest) -> bool {
    request.method() == Method::POST && MOVES.iter().any(|end| request.path().ends_with(end))
}

/// The chosen language, or the one that the browser asks for.
fn chosen_language(request: &HttpRequest, site: &Site) -> Language {
    let chosen = site.read(request, CookieName::Language).and_then(|tag| Language::of_tag(&tag));
    chosen.unwrap_or_else(|| asked_language(request))
}

/// The language that the browser asks for.
pub(super) fn asked_language(request: &HttpRequest) -> Language {
    let asked = request.headers().get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    asked.map(Language::accepted).unwrap_or_default()
}

fn chosen_theme(request: &HttpRequest, site: &Site) -> Theme {
    site.read(request, CookieName::Theme).and_then(|name| Theme::named(&name)).unwrap_or_default()
}

impl FromRequest for Visitor {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        Self::of(request.clone()).boxed_local()
    }
}

/// A visitor with a session, who may be a guest if `GUESTS`.
#[derive(Clone, Debug)]
pub struct WithSession<const GUESTS: bool> {
    pub visitor: Visitor,
    pub account: Arc<Account>,
}

/// A visitor who may play: a registered player who is logged in, or a guest.
pub type Playing = WithSession<true>;

/// A visitor who has registered and is logged in. Others are sent to the page where they log in.
pub type SignedIn = WithSession<false>;

impl<const GUESTS: bool> FromRequest for WithSession<GUESTS> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let visitor = Visitor::of(request.clone());
        async move {
            let visitor = visitor.await?;
            let account = visitor.account.clone().filter(|account| GUESTS || !account.guest);
            let account = account.ok_or_else(|| Problem::new(Code::Unauthenticated))?;
            Ok(Self { visitor, account })
        }
        .boxed_local()
    }
}

/// The status of a refusal that a visitor without a session can mend by logging in.
pub(super) const LOG_IN_FIRST: StatusCode = StatusCode::UNAUTHORIZED;
