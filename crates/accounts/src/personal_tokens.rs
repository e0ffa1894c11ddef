//! Personal access tokens, for bots and scripts.

use std::collections::BTreeSet;

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::secret_token::{PERSONAL_PREFIX, SecretToken};
use super::{AccountError, Accounts, Scope, Scopes};
use pippost_store::games;
use pippost_store::personal_tokens::{self as store, NewPersonalToken, PersonalTokenRow};
use pippost_store::stored_responses::{Once, RequestKey};

/// The most personal tokens of one player.
pub const MAX_PERSONAL_TOKENS: i64 = 50;

/// The most characters of a token's name.
pub const MAX_TOKEN_NAME_CHARS: usize = 64;

/// The longest life of a token that expires.
pub const MAX_PERSONAL_TOKEN_DAYS: u16 = 3650;

/// A personal token to be created.
#[derive(Clone, Debug)]
pub struct TokenRequest {
    /// Helps the player to tell tokens apart.
    pub name: String,
    pub scopes: Vec<Scope>,
    /// `None`: the token does not expire.
    pub expires_in_days: Option<u16>,
    /// The only game that the token shall be for.
    pub game_id: Option<Uuid>,
}

impl TokenRequest {
    fn check(&self) -> Result<(), AccountError> {
        let invalid = |field, why: String| Err(AccountError::Invalid { field, why });
        let chars = self.name.chars().count();
        if chars > MAX_TOKEN_NAME_CHARS || self.name.trim().is_empty() || self.name.contains(char::is_control)
        {
            return invalid("name", format!("1 to {MAX_TOKEN_NAME_CHARS} characters, not all blank"));
        }
        if self.scopes.is_empty() || self.scopes.contains(&Scope::Account) {
            return invalid(
                "scopes",
                "some of read, play, manage, mail and webhooks; accounts are managed in a session".into(),
            );
        }
        if self.game_id.is_some() && !self.scopes.iter().all(|scope| scope.is_of_a_game()) {
            return Err(AccountError::ScopesNotPossible);
        }
        if self.expires_in_days.is_some_and(|days| !(1..=MAX_PERSONAL_TOKEN_DAYS).contains(&days)) {
            return invalid("expires_in_days", format!("1 to {MAX_PERSONAL_TOKEN_DAYS}, or none"));
        }
        Ok(())
    }
}

/// A personal token as its player sees it after its creation: without the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalToken {
    pub id: Uuid,
    pub name: String,
    pub scopes: Scopes,
    pub created_at: OffsetDateTime,
    pub expires_at: Option<OffsetDateTime>,
    /// The only game that the token is for.
    pub game_id: Option<Uuid>,
}

impl From<PersonalTokenRow> for PersonalToken {
    fn from(row: PersonalTokenRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            scopes: Scopes::from_names(row.scopes.iter().map(String::as_str)),
            created_at: row.created_at,
            expires_at: row.expires_at,
            game_id: row.game_id,
        }
    }
}

impl From<&NewPersonalToken<'_>> for PersonalToken {
    fn from(new: &NewPersonalToken<'_>) -> Self {
        Self {
            id: new.id,
            name: new.name.to_owned(),
            scopes: Scopes::from_names(new.scopes.iter().copied()),
            created_at: new.created_at,
            expires_at: new.expires_at,
            game_id: new.game_id,
        }
    }
}

impl Accounts {
    /// Creates a personal token; returns the response that `respond` makes of it. Only a repeated request with the same key is shown
    /// the token once more.
    ///
    /// # Errors
    /// [`AccountError::Invalid`]; [`AccountError::ScopesNotPossible`]; [`AccountError::NoSuchGame`]; [`AccountError::TooManyTokens`]; [`AccountError::KeyReused`]; or a failure.
    pub async fn create_personal_token(
        &self,
        player_id: Uuid,
        request: &TokenRequest,
        key: Option<RequestKey>,
        respond: impl FnOnce(PersonalToken, SecretToken) -> String,
    ) -> Result<String, AccountError> {
        let key = self.sealed_key(key);
        if let Some(response) = self.response_before(key.as_ref(), player_id).await? {
            return Ok(response);
        }
        request.check()?;
        if let Some(game_id) = request.game_id {
            self.expect_member(game_id, player_id).await?;
        }
        let token = SecretToken::draw(PERSONAL_PREFIX)?;
        let hash = token.hash();
        let scopes: BTreeSet<_> = request.scopes.iter().map(|scope| scope.as_str()).collect();
        let scopes: Vec<_> = scopes.into_iter().collect();
        let now = self.0.clock.now();
        let new = NewPersonalToken {
            id: Uuid::now_v7(),
            player_id,
            name: &request.name,
            token_hash: &hash,
            scopes: &scopes,
            created_at: now,
            expires_at: request.expires_in_days.map(|days| now + Duration::days(days.into())),
            game_id: request.game_id,
        };
        let response = respond(PersonalToken::from(&new), token);
        let stored = self.sealed_response(key.as_ref(), player_id, &response);
        match store::insert(&self.0.database, &new, MAX_PERSONAL_TOKENS, stored.as_ref()).await? {
            Once::Now(true) => {
                tracing::info!(%player_id, token_id = %new.id, "personal token made");
                Ok(response)
            }
            Once::Now(false) => Err(AccountError::TooManyTokens { most: MAX_PERSONAL_TOKENS }),
            Once::Before(before) => self.opened_response(before, key.as_ref(), player_id),
        }
    }

    /// Refuses a game that the player is not in, like one that does not exist.
    pub(super) async fn expect_member(&self, game_id: Uuid, player_id: Uuid) -> Result<(), AccountError> {
        let is_member = games::has_member(&self.0.database, game_id, player_id).await?;
        if is_member { Ok(()) } else { Err(AccountError::NoSuchGame) }
    }

    /// A player's personal tokens, newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn personal_tokens(&self, player_id: Uuid) -> Result<Vec<PersonalToken>, AccountError> {
        let rows = store::list(&self.0.database, player_id).await?;
        Ok(rows.into_iter().map(PersonalToken::from).collect())
    }

    /// Revokes a player's token.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failure.
    pub async fn revoke_personal_token(&self, player_id: Uuid, id: Uuid) -> Result<(), AccountError> {
        if !store::revoke(&self.0.database, player_id, id, self.0.clock.now()).await? {
            return Err(AccountError::NotFound);
        }
        self.forget_token(id);
        tracing::info!(%player_id, token_id = %id, "personal token revoked");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> TokenRequest {
        TokenRequest {
            name: "bot".into(),
            scopes: vec![Scope::Play],
            expires_in_days: Some(30),
            game_id: None,
        }
    }

    fn wrong_field(request: &TokenRequest) -> Option<&'static str> {
        match request.check() {
            Ok(()) => None,
            Err(AccountError::Invalid { field, .. }) => Some(field),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_request_is_checked_field_by_field() {
        assert_eq!(wrong_field(&request()), None);
        assert_eq!(wrong_field(&TokenRequest { expires_in_days: None, ..request() }), None);
        for name in [String::new(), "  ".into(), "a\0b".into(), "a\nb".into(), "x".repeat(65)] {
            assert_eq!(wrong_field(&TokenRequest { name, ..request() }), Some("name"));
        }
        for scopes in [vec![], vec![Scope::Account], vec![Scope::Read, Scope::Account]] {
            assert_eq!(wrong_field(&TokenRequest { scopes, ..request() }), Some("scopes"));
        }
        let game_id = Some(Uuid::now_v7());
        for scopes in [vec![Scope::Mail], vec![Scope::Play, Scope::Mail]] {
            let refused = TokenRequest { scopes, game_id, ..request() }.check();
            assert!(matches!(refused, Err(AccountError::ScopesNotPossible)));
        }
        let scopes = vec![Scope::Read, Scope::Play, Scope::Manage];
        assert_eq!(wrong_field(&TokenRequest { scopes, game_id, ..request() }), None);
        for days in [0, MAX_PERSONAL_TOKEN_DAYS + 1] {
            let request = TokenRequest { expires_in_days: Some(days), ..request() };
            assert_eq!(wrong_field(&request), Some("expires_in_days"));
        }
    }
}
