//! The preferences of a player, on short pages: notices, time, look, account, access, data. Every form leads back to its page, which says
//! what was done.

mod account;
mod access;
mod blocks;
mod browsers;
mod calendar;
mod feeds;
mod invitations;
mod leaving;
mod mails;
mod webhooks;

use std::future::{Ready, ready};
use std::ops::Deref;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::web::ServiceConfig;
use actix_web::{FromRequest, HttpRequest, HttpResponse, get, web};
use minijinja::{Value, context};
use serde::Deserialize;

use super::form::see_other;
use super::page::page;
use super::visitor::{SignedIn, Theme, Visitor};
use pippost_accounts::{Account, Accounts, RegistrationPolicy, Scope};
use pippost_http::{Code, Problem};
use pippost_language::{Language, words};
use pippost_webhooks::push::Pushes;

const ADDRESS: &str = "/preferences";

/// What a page says that was done, by its word in the address. Anything else is not said.
const DONE: [&str; 13] = [
    "muted", "mails", "browser", "look", "name", "password", "email", "resent", "token", "ended", "time",
    "feeds", "data",
];

/// The pages of the preferences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Notices,
    Time,
    Look,
    Account,
    Access,
    /// Where one registers by invitation.
    Invitations,
    Data,
}

impl Section {
    const ALL: [Self; 7] =
        [Self::Notices, Self::Time, Self::Look, Self::Account, Self::Access, Self::Invitations, Self::Data];

    /// The name in addresses, and in the keys of texts.
    fn name(self) -> &'static str {
        match self {
            Self::Notices => "notices",
            Self::Time => "time",
            Self::Look => "look",
            Self::Account => "account",
            Self::Access => "access",
            Self::Invitations => "invitations",
            Self::Data => "data",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.name() == name)
    }

    fn template(self) -> &'static str {
        match self {
            Self::Notices => "preferences_notices.html",
            Self::Time => "preferences_time.html",
            Self::Look => "preferences_look.html",
            Self::Account => "preferences_account.html",
            Self::Access => "preferences_access.html",
            Self::Invitations => "preferences_invitations.html",
            Self::Data => "preferences_data.html",
        }
    }
}

/// Registers the pages and their forms.
pub fn configure(service: &mut ServiceConfig) {
    service
        .service(preferences)
        .service(mails::change_mails)
        .service(leaving::change_data)
        .service(mails::look)
        .service(mails::change_look)
        .service(calendar::change_time)
        .service(calendar::book_holiday)
        .service(calendar::change_automatic_holiday)
        .service(feeds::renew_feeds)
        .service(account::change_name)
        .service(account::change_password)
        .service(account::change_email)
        .service(account::resend)
        .service(access::end_session)
        .service(access::create_token)
        .service(access::revoke_token)
        .service(access::revoke_app)
        .service(invitations::invite_to_server)
        .service(invitations::withdraw_invitation)
        .service(blocks::unblock_inviter)
        .service(blocks::unmute_player)
        .service(browsers::tell_browser)
        .service(browsers::forget_browser)
        .service(browsers::end_browser)
        .configure(webhooks::configure)
        .service(leaving::export_data)
        .service(leaving::delete_account)
        // After those whose names are no sections.
        .service(show_section);
}

/// The accounts, and what else the page shows of a player.
pub struct PreferencesPage {
    accounts: web::Data<Accounts>,
    pushes: web::Data<Pushes>,
}

impl Deref for PreferencesPage {
    type Target = Accounts;

    fn deref(&self) -> &Accounts {
        &self.accounts
    }
}

impl FromRequest for PreferencesPage {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let accounts = request.app_data::<web::Data<Accounts>>().cloned();
        let pushes = request.app_data::<web::Data<Pushes>>().cloned();
        let both = accounts.zip(pushes).map(|(accounts, pushes)| Self { accounts, pushes });
        ready(both.ok_or_else(|| Problem::new(Code::Internal).cause("a part of the application is missing")))
    }
}

#[derive(Debug, Default, Deserialize)]
pub struct DoneQuery {
    #[serde(default)]
    done: String,
}

/// The list of the pages.
#[get("/preferences")]
pub async fn preferences(signed_in: SignedIn) -> Result<HttpResponse, Problem> {
    let by_invitation = signed_in.visitor.registration() == RegistrationPolicy::Invited;
    let sections = Section::ALL.into_iter().filter(|one| *one != Section::Invitations || by_invitation);
    let sections: Vec<_> = sections.map(Section::name).collect();
    page(StatusCode::OK, "preferences.html", signed_in.visitor, context! { sections })
}

#[get("/preferences/{section}")]
pub async fn show_section(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    section: web::Path<String>,
    query: web::Query<DoneQuery>,
) -> Result<HttpResponse, Problem> {
    let section = Section::named(&section).ok_or_else(|| Problem::new(Code::NotFound))?;
    let done = DONE.iter().find(|word| **word == query.done).map(|word| format!("preferences-done-{word}"));
    show(StatusCode::OK, section, signed_in, &accounts, context! { done }).await
}

/// Leads back to the page that a form belongs to, at its part.
fn back(done: &str, section: Section, part: &str) -> HttpResponse {
    see_other(&format!("{ADDRESS}/{}?done={done}#{part}", section.name()))
}

/// A page, with what `more` says about a form that was sent.
async fn show(
    status: StatusCode,
    section: Section,
    signed_in: SignedIn,
    accounts: &PreferencesPage,
    more: Value,
) -> Result<HttpResponse, Problem> {
    let SignedIn { visitor, account } = signed_in;
    let shown = match section {
        Section::Notices => {
            let profile = accounts.profile(account.player_id).await?;
            let wanted = accounts.preferences(account.player_id).await?;
            let browsers = browsers::browsers(accounts, &account, &visitor).await?;
            let blocks = blocks::blocks(accounts, &account, &visitor).await?;
            let mail_enabled = profile.player.mail_enabled;
            context! { ..context! { mail_enabled }, ..mails::shown(&wanted, visitor.language), ..browsers, ..blocks }
        }
        Section::Time => calendar::shown(accounts, &account, &visitor).await?,
        Section::Look => looks(&visitor),
        Section::Account => {
            let profile = accounts.profile(account.player_id).await?;
            context! {
                email => &profile.player.email,
                confirmed => profile.player.email_confirmed_at.is_some(),
                pending_email => &profile.pending_email,
            }
        }
        Section::Access => {
            let feeds = feeds::shown(accounts, &account, &visitor).await?;
            context! { ..feeds, ..access(accounts, &account, &visitor).await? }
        }
        Section::Invitations => invitations::shown(accounts, &account, &visitor).await?,
        Section::Data => context! { in_dumps => accounts.preferences(account.player_id).await?.in_dumps },
    };
    let values = context! { ..context! { section => section.name() }, ..more, ..shown };
    page(status, section.template(), visitor, values)
}

/// The languages and themes to choose from.
fn looks(visitor: &Visitor) -> Value {
    let languages = Language::all().map(|language| {
        context! { tag => language.tag(), name => language.say("language-name"), is_shown => language == visitor.language }
    });
    let themes =
        Theme::ALL.map(|theme| context! { name => theme.as_str(), is_chosen => theme == visitor.theme });
    context! { languages => languages.collect::<Vec<_>>(), themes => themes.to_vec() }
}

/// Sessions, tokens and apps.
async fn access(accounts: &Accounts, account: &Account, visitor: &Visitor) -> Result<Value, Problem> {
    let language = visitor.language;
    let time = |at| words::date_time(at, &visitor.zone, language);
    let sessions = accounts.open_sessions(account.player_id).await?;
    let sessions: Vec<_> = sessions
        .into_iter()
        .map(|session| {
            context! {
                id => session.id.to_string(),
                device => session.device,
                since => time(session.created_at),
                used_on => session.last_used_on.to_string(),
                is_this => Some(session.id) == account.session_id,
            }
        })
        .collect();
    let tokens = accounts.personal_tokens(account.player_id).await?;
    let tokens: Vec<_> = tokens
        .into_iter()
        .map(|token| {
            context! {
                id => token.id.to_string(),
                name => token.name,
                scopes => token.scopes.names(),
                game => token.game_id.map(|id| id.to_string()),
                since => time(token.created_at),
                until => token.expires_at.map(time),
            }
        })
        .collect();
    let apps = accounts.grants(account.player_id).await?;
    let apps: Vec<_> = apps
        .into_iter()
        .map(|grant| {
            context! {
                id => grant.id.to_string(),
                name => grant.name,
                homepage => grant.homepage,
                scopes => grant.scopes.scopes.names(),
                game => grant.scopes.game_id.map(|id| id.to_string()),
                since => time(grant.since),
                used_on => grant.last_used_on.map(|date| date.to_string()),
            }
        })
        .collect();
    let token_scopes: Vec<_> = Scope::of_tokens().map(Scope::as_str).collect();
    Ok(context! { sessions, tokens, apps, token_scopes })
}
