//! Apps on devices without a browser (RFC 8628): the app shows a code, and its player types it on a page of this server.

use std::fmt;
use std::net::IpAddr;

use time::Duration;
use uuid::Uuid;

use super::{App, OAuthCode, OAuthError, Parameters, ScopeList};
use crate::limits::names;
use crate::secret_token::{DEVICE_PREFIX, SecretToken};
use crate::{Account, AccountError, Accounts, Password, Reached, Scopes};
use pippost_keys::{KeyError, Purpose, random_bytes};
use pippost_store::app_device_codes::{self, DeviceCodeRow, WaitingLimits};

/// How long a player has to type the code and to decide.
pub const DEVICE_CODE_LIFETIME: Duration = Duration::minutes(10);

/// How long an app has to wait between two questions at first, in seconds, and how much longer whenever it asks too soon.
pub const POLL_SECONDS: i16 = 5;

/// The most requests of an app that may wait for their players at once.
pub const MAX_WAITING_OF_AN_APP: i64 = 500;

/// Of those, the most from one network.
pub const MAX_WAITING_OF_A_NETWORK: i64 = 10;

/// When a refused app may try again, in seconds.
const RETRY_SECONDS: u64 = 60;

/// The letters of user codes: no vowels, so that no words arise.
const LETTERS: &[u8] = b"BCDFGHJKLMNPQRSTVWXZ";

/// The letters of a user code: 34 bits, which nobody guesses within the limits and the minutes that it lives.
const CODE_LETTERS: usize = 8;

/// The random bytes from which a code is taken; nearly all of them can be used.
const RANDOM_BYTES: usize = 32;

/// What a player types.
#[derive(Clone, PartialEq, Eq)]
pub struct UserCode(String);

impl UserCode {
    fn draw() -> Result<Self, KeyError> {
        loop {
            let fair = 256 / LETTERS.len() * LETTERS.len();
            let random = random_bytes::<RANDOM_BYTES>()?;
            let usable = random.iter().map(|byte| usize::from(*byte)).filter(|byte| *byte < fair);
            let code: String =
                usable.take(CODE_LETTERS).map(|byte| char::from(LETTERS[byte % LETTERS.len()])).collect();
            if code.len() == CODE_LETTERS {
                return Ok(Self(code));
            }
        }
    }

    /// The code that was typed, in upper or lower case, with or without signs between its letters.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let code: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        let code = code.to_ascii_uppercase();
        let is_one = code.len() == CODE_LETTERS && code.bytes().all(|letter| LETTERS.contains(&letter));
        (is_one && text.len() <= 2 * CODE_LETTERS).then_some(Self(code))
    }
}

/// As it is shown: in two groups.
impl fmt::Display for UserCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.0.split_at(CODE_LETTERS / 2);
        write!(out, "{first}-{second}")
    }
}

impl fmt::Debug for UserCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("UserCode(hidden)")
    }
}

/// The codes of a request: one for the app, one for its player.
#[derive(Debug)]
pub struct DeviceCodes {
    pub device_code: SecretToken,
    pub user_code: UserCode,
}

/// What the app asks for whose code a player has typed.
#[derive(Clone, Debug)]
pub struct DeviceConsent {
    pub app: App,
    /// The handle of who registered the app.
    pub registered_by: String,
    pub scopes: ScopeList,
    user_hash: Vec<u8>,
}

/// What a player answers.
#[derive(Clone, Copy, Debug)]
pub enum DeviceAnswer<'a> {
    /// With the account's password: a browser's session alone opens no API.
    Allow(&'a Password),
    Refuse,
}

impl Accounts {
    /// Makes codes for an app on a device without a browser.
    ///
    /// # Errors
    /// [`AccountError::OAuth`]; [`AccountError::TooManyTries`] if as many requests wait as may; or a failure.
    pub async fn device_codes(
        &self,
        parameters: &Parameters,
        peer: IpAddr,
    ) -> Result<DeviceCodes, AccountError> {
        self.0.device_codes.pass_peer(peer)?;
        let (app, _) = self.app(parameters.need("client_id", "client_id is missing")?).await?;
        let scopes = ScopeList::read(parameters.get("scope").unwrap_or_default())?;
        let codes =
            DeviceCodes { device_code: SecretToken::draw(DEVICE_PREFIX)?, user_code: UserCode::draw()? };
        let now = self.0.clock.now();
        let row = DeviceCodeRow {
            device_hash: codes.device_code.hash().to_vec(),
            user_hash: self.hash_of(&codes.user_code),
            app_id: app.id,
            scopes: scopes.scopes.names(),
            game_id: scopes.game_id,
            peer_key: self.peer_key(peer).to_vec(),
            created_at: now,
            expires_at: now + DEVICE_CODE_LIFETIME,
            interval_seconds: POLL_SECONDS,
            asked_at: None,
            player_id: None,
            allowed: None,
        };
        let limits = WaitingLimits { of_app: MAX_WAITING_OF_AN_APP, of_network: MAX_WAITING_OF_A_NETWORK };
        if app_device_codes::insert(&self.0.database, &row, limits).await? {
            return Ok(codes);
        }
        Err(AccountError::TooManyTries(Reached {
            limit: names::DEVICES_WAITING,
            quota: MAX_WAITING_OF_A_NETWORK.unsigned_abs(),
            window_seconds: DEVICE_CODE_LIFETIME.whole_seconds().unsigned_abs(),
            retry_after_seconds: RETRY_SECONDS,
        }))
    }

    /// What the app asks for whose code a player has typed. Tries are counted, whatever was typed.
    ///
    /// # Errors
    /// [`AccountError::NotFound`] if no request waits for this code; [`AccountError::TooManyTries`]; or a failure.
    pub async fn device_consent(
        &self,
        code: Option<&UserCode>,
        player_id: Uuid,
        peer: IpAddr,
    ) -> Result<DeviceConsent, AccountError> {
        self.0.user_codes.pass(peer, &player_id.to_string())?;
        let hash = code.map(|code| self.hash_of(code)).ok_or(AccountError::NotFound)?;
        let now = self.0.clock.now();
        let row = app_device_codes::find_waiting(&self.0.database, &hash, now).await?;
        let row = row.ok_or(AccountError::NotFound)?;
        let (app, registered_by) = self.app(&row.app_id.to_string()).await?;
        let scopes = ScopeList {
            scopes: Scopes::from_names(row.scopes.iter().map(String::as_str)),
            game_id: row.game_id,
        };
        Ok(DeviceConsent { app, registered_by, scopes, user_hash: hash })
    }

    /// Allows or refuses what the app asks for whose code a player has typed.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`]; [`AccountError::TooManyTries`] of passwords; [`AccountError::NoSuchGame`] if the player is not
    /// in the only game that it is for; [`AccountError::NotFound`] if the request does not wait any more; or a failure.
    pub async fn decide_device(
        &self,
        consent: &DeviceConsent,
        account: &Account,
        answer: DeviceAnswer<'_>,
        peer: IpAddr,
    ) -> Result<(), AccountError> {
        let (player_id, now) = (account.player_id, self.0.clock.now());
        let allowed = match answer {
            DeviceAnswer::Refuse => false,
            DeviceAnswer::Allow(password) => {
                self.check_own_password(account, password, peer).await?;
                if let Some(game_id) = consent.scopes.game_id {
                    self.expect_member(game_id, player_id).await?;
                }
                true
            }
        };
        let database = &self.0.database;
        if !app_device_codes::decide(database, &consent.user_hash, player_id, allowed, now).await? {
            return Err(AccountError::NotFound);
        }
        tracing::info!(%player_id, app_id = %consent.app.id, allowed, "app on a device decided on");
        Ok(())
    }

    /// Removes requests whose apps have had time to hear that they expired; returns how many.
    pub(crate) async fn remove_device_codes(&self) -> Result<usize, AccountError> {
        let before = self.0.clock.now() - DEVICE_CODE_LIFETIME;
        Ok(app_device_codes::remove_expired(&self.0.database, before).await?)
    }

    fn hash_of(&self, code: &UserCode) -> Vec<u8> {
        self.0.secret.fingerprint_of(Purpose::UserCode, code.0.as_bytes()).to_vec()
    }
}

/// The errors of an app that asks for its player's decision.
pub(super) mod refusals {
    use super::{OAuthCode, OAuthError};

    pub const WAITING: OAuthError = OAuthError::new(
        OAuthCode::AuthorizationPending,
        "the player has not decided; ask again after the interval",
    );
    pub const TOO_SOON: OAuthError =
        OAuthError::new(OAuthCode::SlowDown, "wait five seconds longer between two requests from now on");
    pub const DENIED: OAuthError = OAuthError::new(OAuthCode::AccessDenied, "the player has refused");
    pub const EXPIRED: OAuthError =
        OAuthError::new(OAuthCode::ExpiredToken, "nobody has typed the code in time; ask for another one");
    pub const UNKNOWN: OAuthError =
        OAuthError::new(OAuthCode::InvalidGrant, "the device code is none of this app, or was used");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_people_type_them() {
        let code = UserCode::draw().expect("random");
        let shown = code.to_string();
        assert_eq!((shown.len(), shown.find('-')), (9, Some(4)));
        let lower = shown.to_lowercase();
        for typed in [shown.clone(), lower.clone(), lower.replace('-', " "), lower.replace('-', "")] {
            assert_eq!(UserCode::read(&typed).as_ref(), Some(&code), "{typed}");
        }
        for other in ["", "BCDF-GHJ", "BCDF-GHJKL", "BCDF-GHJA", "BCDF-GHJ1", &"-".repeat(40)] {
            assert_eq!(UserCode::read(other), None, "{other}");
        }
        assert_eq!(format!("{code:?}"), "UserCode(hidden)");
    }

    #[test]
    fn codes_differ_and_have_all_letters() {
        let codes: Vec<_> = (0..200).map(|_| UserCode::draw().expect("random").0).collect();
        assert!((1..codes.len()).all(|index| codes[index] != codes[index - 1]));
        assert!(LETTERS.iter().all(|letter| codes.iter().any(|code| code.as_bytes().contains(letter))));
    }
}
