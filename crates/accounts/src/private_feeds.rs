//! The private address of a player's feeds: a token in it is the only key, so it can be made anew. It is derived under the secret key;
//! stored is only how often it was made.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use super::{AccountError, Accounts, SecretToken};
use pippost_keys::Purpose;
use pippost_keys::secret::FEED_PREFIX;
use pippost_store::players;

/// What a token is derived from.
fn content(player_id: Uuid, version: i32) -> Vec<u8> {
    [player_id.as_bytes().as_slice(), &version.to_be_bytes()].concat()
}

impl Accounts {
    /// The token of a player's feeds; `None` if the account was deleted.
    ///
    /// # Errors
    /// The database failed.
    pub async fn feed_token(&self, player_id: Uuid) -> Result<Option<SecretToken>, AccountError> {
        let version = players::feed_version(&self.0.database, player_id).await?;
        Ok(version.map(|version| self.feed_token_of(player_id, version)))
    }

    /// Makes the token anew: the old one is void.
    ///
    /// # Errors
    /// The database failed.
    pub async fn renew_feed_token(&self, player_id: Uuid) -> Result<(), AccountError> {
        Ok(players::raise_feed_version(&self.0.database, player_id).await?)
    }

    /// The player whose feeds the token opens; `None` if it opens none.
    ///
    /// # Errors
    /// The database failed.
    pub async fn player_of_feed(&self, token: &str) -> Result<Option<Uuid>, AccountError> {
        let Some((player_id, tag)) = read(token) else { return Ok(None) };
        let version = players::feed_version(&self.0.database, player_id).await?;
        Ok(version.and_then(|version| {
            let content = content(player_id, version);
            self.0.secret.is_fingerprint_of(Purpose::Feed, &content, &tag).then_some(player_id)
        }))
    }

    fn feed_token_of(&self, player_id: Uuid, version: i32) -> SecretToken {
        let tag = self.0.secret.fingerprint_of(Purpose::Feed, &content(player_id, version));
        let written = URL_SAFE_NO_PAD.encode([player_id.as_bytes().as_slice(), &tag].concat());
        SecretToken::made(format!("{FEED_PREFIX}{written}"))
    }
}

/// The player and the tag in a token.
fn read(token: &str) -> Option<(Uuid, Vec<u8>)> {
    let bytes = URL_SAFE_NO_PAD.decode(token.strip_prefix(FEED_PREFIX)?).ok()?;
    let (id, tag) = bytes.split_first_chunk::<16>()?;
    Some((Uuid::from_bytes(*id), tag.to_vec()))
}
