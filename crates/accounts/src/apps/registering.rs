//! Registers apps. Any player with a confirmed address may, and no app has a secret.

use time::OffsetDateTime;
use uuid::Uuid;

use super::RedirectUri;
use super::redirect_uri::plain_url;
use crate::{AccountError, Accounts};
use pippost_store::apps::{self, AppRow, Registered};
use pippost_store::stored_responses::{Once, RequestKey};

/// The most apps that a player registers.
pub const MAX_APPS: i64 = 10;

/// The most characters of an app's name.
pub const MAX_APP_NAME_CHARS: usize = 64;

/// The most redirect URIs of an app.
pub const MAX_REDIRECT_URIS: usize = 10;

/// An app to be registered.
#[derive(Clone, Debug)]
pub struct AppRequest {
    /// What players read on the consent page.
    pub name: String,
    pub homepage: String,
    pub redirect_uris: Vec<String>,
}

/// A registered app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct App {
    /// The `client_id` of OAuth.
    pub id: Uuid,
    pub name: String,
    pub homepage: String,
    pub redirect_uris: Vec<String>,
    pub created_at: OffsetDateTime,
}

impl From<AppRow> for App {
    fn from(row: AppRow) -> Self {
        let AppRow { id, name, homepage, redirect_uris, created_at, .. } = row;
        Self { id, name, homepage, redirect_uris, created_at }
    }
}

impl AppRequest {
    fn check(&self) -> Result<(), AccountError> {
        let invalid = |field, why: &str| Err(AccountError::Invalid { field, why: why.to_owned() });
        let chars = self.name.chars().count();
        if !(1..=MAX_APP_NAME_CHARS).contains(&chars)
            || self.name.starts_with([' ', '\u{a0}'])
            || self.name.contains(is_unseen)
        {
            return invalid("name", "1 to 64 characters, the first of which shows, and none without a shape");
        }
        if !plain_url(&self.homepage).is_ok_and(|url| url.scheme() == "https") {
            return invalid("homepage", "https, in the form of a redirect URI");
        }
        if !(1..=MAX_REDIRECT_URIS).contains(&self.redirect_uris.len()) {
            return invalid("redirect_uris", "1 to 10");
        }
        for (index, text) in self.redirect_uris.iter().enumerate() {
            if let Err(why) = RedirectUri::read(text) {
                return invalid("redirect_uris", why);
            }
            if self.redirect_uris[..index].contains(text) {
                return invalid("redirect_uris", "each once");
            }
        }
        Ok(())
    }
}

/// Characters that show nothing or turn the direction of a text, so that a name could look like another.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

impl Accounts {
    /// Registers an app; returns the response that `respond` makes of it.
    ///
    /// # Errors
    /// [`AccountError::Invalid`], [`AccountError::AddressNotConfirmed`], [`AccountError::TooManyApps`], [`AccountError::KeyReused`],
    /// or a failure.
    pub async fn register_app(
        &self,
        player_id: Uuid,
        request: AppRequest,
        key: Option<RequestKey>,
        respond: impl FnOnce(App) -> String,
    ) -> Result<String, AccountError> {
        let key = self.sealed_key(key);
        if let Some(response) = self.response_before(key.as_ref(), player_id).await? {
            return Ok(response);
        }
        request.check()?;
        let AppRequest { name, homepage, redirect_uris } = request;
        let created_at = self.0.clock.now();
        let new = AppRow { id: Uuid::now_v7(), player_id, name, homepage, redirect_uris, created_at };
        let response = respond(App::from(new.clone()));
        let stored = self.sealed_response(key.as_ref(), player_id, &response);
        match apps::insert(&self.0.database, &new, MAX_APPS, stored.as_ref()).await? {
            Once::Now(Registered::Done) => {
                tracing::info!(%player_id, app_id = %new.id, "app registered");
                Ok(response)
            }
            Once::Now(Registered::TooMany) => Err(AccountError::TooManyApps { most: MAX_APPS }),
            Once::Now(Registered::AddressNotConfirmed) => Err(AccountError::AddressNotConfirmed),
            Once::Before(before) => self.opened_response(before, key.as_ref(), player_id),
        }
    }

    /// The apps that a player has registered, newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn registered_apps(&self, player_id: Uuid) -> Result<Vec<App>, AccountError> {
        let rows = apps::list(&self.0.database, player_id).await?;
        Ok(rows.into_iter().map(App::from).collect())
    }

    /// Removes an app that a player has registered, with all that players have allowed it.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failure.
    pub async fn remove_app(&self, player_id: Uuid, id: Uuid) -> Result<(), AccountError> {
        let ended = apps::remove(&self.0.database, player_id, id).await?;
        for grant_id in ended.ok_or(AccountError::NotFound)? {
            self.forget_token(grant_id);
        }
        tracing::info!(%player_id, app_id = %id, "app removed");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> AppRequest {
        AppRequest {
            name: "Board at hand".into(),
            homepage: "https://app.example.org/".into(),
            redirect_uris: vec!["https://app.example.org/done".into()],
        }
    }

    fn wrong_field(request: &AppRequest) -> Option<&'static str> {
        match request.check() {
            Ok(()) => None,
            Err(AccountError::Invalid { field, .. }) => Some(field),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_request_is_checked_field_by_field() {
        assert_eq!(wrong_field(&request()), None);
        for name in ["", " x", "a\nb", "evil\u{202e}txt", "\u{200b}", "a\u{ad}b", &"x".repeat(65)] {
            assert_eq!(wrong_field(&AppRequest { name: name.into(), ..request() }), Some("name"), "{name:?}");
        }
        for homepage in
            ["", "http://app.example.org/", "https://app.example.org", "https://a@b.example/", "x:y"]
        {
            let request = AppRequest { homepage: homepage.into(), ..request() };
            assert_eq!(wrong_field(&request), Some("homepage"), "{homepage}");
        }
        let uri = |number: usize| format!("https://app.example.org/{number}");
        for uris in
            [vec![], (0..11).map(uri).collect(), vec![uri(1), uri(1)], vec!["http://a.example/".into()]]
        {
            let request = AppRequest { redirect_uris: uris, ..request() };
            assert_eq!(wrong_field(&request), Some("redirect_uris"));
        }
    }
}
