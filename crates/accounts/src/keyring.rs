//! Access tokens: JWTs (RFC 9068) that identify a player for ten minutes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use tokio::sync::Mutex;
use uuid::Uuid;

use pippost_clock::Clock;
use pippost_keys::signing::PublicKey;
use pippost_keys::{SigningKeys, TokenError};

/// How long an access token is valid.
pub const ACCESS_TOKEN_LIFETIME: Duration = Duration::minutes(10);

/// The largest assumed difference between the clocks of two servers.
const MAX_CLOCK_SKEW: Duration = Duration::minutes(1);

/// How long access tokens signed with a replaced key stay valid. A server may sign with it until it reloads the keys, and its
/// last token lives for [`ACCESS_TOKEN_LIFETIME`].
pub const RETIRED_KEY_GRACE: Duration = Duration::seconds(
    ACCESS_TOKEN_LIFETIME.whole_seconds() + RELOAD_INTERVAL.whole_seconds() + MAX_CLOCK_SKEW.whole_seconds(),
);

const KIND: &str = "at+jwt";
const ISSUER: &str = "pippost";
const AUDIENCE: &str = "pippost-api";

/// A token signed with an unknown key makes the server reload the keys, but not more often than this.
const MIN_RELOAD_INTERVAL: Duration = Duration::seconds(5);

/// The server reloads the keys before it signs or publishes them, if it has not done so for this long. A rotation thereby takes
/// effect in a running server.
const RELOAD_INTERVAL: Duration = Duration::minutes(1);

/// The claims of an access token.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Claims {
    iss: String,
    aud: String,
    /// The player.
    pub(super) sub: Uuid,
    pub(super) handle: String,
    /// The session.
    pub(super) sid: Uuid,
    iat: i64,
    exp: i64,
}

impl Claims {
    pub(super) fn new(player_id: Uuid, handle: String, session_id: Uuid, now: OffsetDateTime) -> Self {
        Self {
            iss: ISSUER.into(),
            aud: AUDIENCE.into(),
            sub: player_id,
            handle,
            sid: session_id,
            iat: now.unix_timestamp(),
            exp: (now + ACCESS_TOKEN_LIFETIME).unix_timestamp(),
        }
    }

    /// When the token expires.
    pub(super) fn expires_at(&self) -> Option<OffsetDateTime> {
        OffsetDateTime::from_unix_timestamp(self.exp).ok()
    }
}

/// The signing keys, reloaded when there may be new ones.
pub(super) struct Keyring {
    keys: Arc<SigningKeys>,
    clock: Clock,
    reloaded_at: Mutex<Option<OffsetDateTime>>,
}

impl Keyring {
    pub(super) fn new(keys: Arc<SigningKeys>, clock: Clock) -> Self {
        Self { keys, clock, reloaded_at: Mutex::default() }
    }

    pub(super) async fn sign(&self, claims: &Claims) -> String {
        self.reload(RELOAD_INTERVAL).await;
        self.keys.sign(KIND, claims)
    }

    /// The claims of a token, if this server signed it and it has not expired.
    pub(super) async fn verify(&self, token: &str) -> Result<Claims, TokenError> {
        let verify =
            || self.keys.verify_short_lived::<Claims>(KIND, token, self.clock.now(), RETIRED_KEY_GRACE);
        let mut verified = verify();
        if matches!(verified, Err(TokenError::UnknownKey)) {
            self.reload(MIN_RELOAD_INTERVAL).await;
            verified = verify();
        }
        let claims = verified?;
        if claims.iss != ISSUER || claims.aud != AUDIENCE {
            return Err(TokenError::Unreadable);
        }
        let now = self.clock.now();
        match claims.expires_at() {
            // No server signs tokens with a longer life.
            Some(at) if at > now + ACCESS_TOKEN_LIFETIME + MAX_CLOCK_SKEW => Err(TokenError::Unreadable),
            Some(at) if now < at => Ok(claims),
            _ => Err(TokenError::Expired),
        }
    }

    pub(super) async fn public(&self) -> Vec<PublicKey> {
        self.reload(RELOAD_INTERVAL).await;
        self.keys.public()
    }

    /// Reloads the keys, unless that was done within `interval`. Concurrent callers wait for one reload.
    async fn reload(&self, interval: Duration) {
        let mut reloaded_at = self.reloaded_at.lock().await;
        let now = self.clock.now();
        if reloaded_at.is_some_and(|at| (now - at).abs() < interval) {
            return;
        }
        *reloaded_at = Some(now);
        let keys = Arc::clone(&self.keys);
        match tokio::task::spawn_blocking(move || keys.reload()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the signing keys cannot be read again"),
            Err(error) => tracing::error!(%error, "the signing keys cannot be read again"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use time::macros::datetime;

    struct Fixture {
        folder: tempfile::TempDir,
        clock: Clock,
        keyring: Keyring,
    }

    impl Fixture {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let clock = Clock::standing_at(datetime!(2026-11-21 12:00 UTC));
            let keyring = Self::server(&folder, &clock);
            Self { folder, clock, keyring }
        }

        /// A server with the keys that are in the folder at this time.
        fn server(folder: &tempfile::TempDir, clock: &Clock) -> Keyring {
            let keys = SigningKeys::in_folder(folder.path()).expect("keys");
            Keyring::new(Arc::new(keys), clock.clone())
        }

        fn claims(&self) -> Claims {
            Claims::new(Uuid::now_v7(), "ann".into(), Uuid::now_v7(), self.clock.now())
        }
    }

    #[tokio::test]
    async fn an_access_token_is_good_for_ten_minutes() {
        let fixture = Fixture::new();
        let token = fixture.keyring.sign(&fixture.claims()).await;
        fixture.clock.advance(ACCESS_TOKEN_LIFETIME - Duration::microseconds(1));
        assert!(fixture.keyring.verify(&token).await.is_ok());
        fixture.clock.advance(Duration::microseconds(1));
        assert_eq!(fixture.keyring.verify(&token).await.err(), Some(TokenError::Expired));
    }

    #[tokio::test]
    async fn a_token_signed_by_another_servers_new_key_is_accepted_but_keys_are_not_read_for_every_forgery() {
        let fixture = Fixture::new();
        let old = fixture.keyring.sign(&fixture.claims()).await;
        SigningKeys::rotate(fixture.folder.path(), fixture.clock.now()).expect("a second key");
        let other = Fixture::server(&fixture.folder, &fixture.clock);
        let new = other.sign(&fixture.claims()).await;
        let read_a_moment_ago = fixture.keyring.verify(&new).await.err();
        assert_eq!(read_a_moment_ago, Some(TokenError::UnknownKey));
        fixture.clock.advance(MIN_RELOAD_INTERVAL);
        assert!(fixture.keyring.verify(&new).await.is_ok());
        assert!(fixture.keyring.verify(&old).await.is_ok());
    }

    #[tokio::test]
    async fn a_key_that_was_replaced_signs_nobody_in_after_the_longest_life_of_a_token() {
        let fixture = Fixture::new();
        let forged_later = |keys: &SigningKeys, now| {
            keys.sign(KIND, &Claims::new(Uuid::now_v7(), "ann".into(), Uuid::now_v7(), now))
        };
        // An attacker has a copy of the first key.
        let stolen = SigningKeys::in_folder(fixture.folder.path()).expect("keys");
        SigningKeys::rotate(fixture.folder.path(), fixture.clock.now()).expect("a second key");
        fixture.clock.advance(RELOAD_INTERVAL);
        assert_eq!(fixture.keyring.public().await.len(), 2);
        fixture.clock.advance(RETIRED_KEY_GRACE - RELOAD_INTERVAL - Duration::SECOND);
        let last = forged_later(&stolen, fixture.clock.now());
        assert!(fixture.keyring.verify(&last).await.is_ok());
        fixture.clock.advance(Duration::SECOND);
        assert_eq!(fixture.keyring.verify(&last).await.err(), Some(TokenError::RetiredKey));
        assert_eq!(fixture.keyring.public().await.len(), 2, "published for receipts");
    }

    #[tokio::test]
    async fn a_token_that_would_live_longer_than_ours_do_is_refused() {
        let fixture = Fixture::new();
        let mut claims = fixture.claims();
        claims.exp += 3600;
        let token = fixture.keyring.sign(&claims).await;
        assert_eq!(fixture.keyring.verify(&token).await.err(), Some(TokenError::Unreadable));
    }

    #[tokio::test]
    async fn a_running_server_soon_signs_with_a_new_key() {
        let fixture = Fixture::new();
        fixture.keyring.sign(&fixture.claims()).await;
        SigningKeys::rotate(fixture.folder.path(), fixture.clock.now()).expect("a second key");
        fixture.clock.advance(RELOAD_INTERVAL);
        let token = fixture.keyring.sign(&fixture.claims()).await;
        let kid = jsonwebtoken::decode_header(&token).expect("a JWS").kid;
        let published = fixture.keyring.public().await;
        assert_eq!(published.len(), 2);
        assert_eq!(kid.as_ref(), Some(&published[0].kid));
    }

    #[tokio::test]
    async fn tokens_for_another_audience_or_of_another_kind_are_refused() {
        let fixture = Fixture::new();
        let mut claims = fixture.claims();
        claims.aud = "elsewhere".into();
        let elsewhere = fixture.keyring.sign(&claims).await;
        let receipt = fixture.keyring.keys.sign("receipt", &json!({}));
        let half = fixture.keyring.keys.sign(KIND, &json!({"iss": ISSUER, "aud": AUDIENCE}));
        for token in [elsewhere, receipt, half] {
            assert_eq!(fixture.keyring.verify(&token).await.err(), Some(TokenError::Unreadable));
        }
    }
}
