//! Responses that hold a token, stored for a repeated request: sealed with the secret key, so that a copy of the database holds no token.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use uuid::Uuid;

use super::{AccountError, Accounts};
use pippost_keys::Purpose;
use pippost_store::stored_responses::{self, NewStoredResponse, RequestKey, StoredResponseRow};

impl Accounts {
    /// The key with a fingerprint that only this server can compute: requests may hold passwords.
    pub fn sealed_key(&self, key: Option<RequestKey>) -> Option<RequestKey> {
        key.map(|RequestKey { key, fingerprint, repeated }| {
            let fingerprint = self.0.secret.fingerprint_of(Purpose::Request, &fingerprint).to_vec();
            RequestKey { key, fingerprint, repeated }
        })
    }

    /// What to store of a response with a token.
    pub fn sealed_response(
        &self,
        key: Option<&RequestKey>,
        player_id: Uuid,
        response: &str,
    ) -> Option<NewStoredResponse> {
        let sealed = || STANDARD_NO_PAD.encode(self.0.secret.seal(player_id, response.as_bytes()));
        key.map(|key| key.with_response(player_id, sealed()))
    }

    /// The response that the same request got before, if it came before.
    pub async fn response_before(
        &self,
        key: Option<&RequestKey>,
        player_id: Uuid,
    ) -> Result<Option<String>, AccountError> {
        let Some(key) = key else { return Ok(None) };
        match stored_responses::find(&self.0.database, player_id, &key.key).await? {
            Some(row) => self.opened_response(row, Some(key), player_id).map(Some),
            None => Ok(None),
        }
    }

    /// The response in a row.
    pub fn opened_response(
        &self,
        row: StoredResponseRow,
        key: Option<&RequestKey>,
        player_id: Uuid,
    ) -> Result<String, AccountError> {
        let sealed = row.of(key.ok_or(AccountError::KeyReused)?)?;
        let opened = STANDARD_NO_PAD.decode(sealed).ok();
        let opened = opened.and_then(|sealed| self.0.secret.open(player_id, &sealed));
        let response = opened.and_then(|opened| String::from_utf8(opened).ok());
        response.ok_or(AccountError::Corrupt(player_id, "stored response"))
    }
}
