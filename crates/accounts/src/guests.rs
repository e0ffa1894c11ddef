//! Guests: who plays against the house bot before signing up. They have a browser's session and nothing else: no address, no password,
//! no token of the API.

use std::net::IpAddr;

use time::Duration;
use uuid::Uuid;

use super::handle::GUEST_PREFIX;
use super::registration::{Ids, registration};
use super::secret_token::{COOKIE_PREFIX, SecretToken};
use super::{Account, AccountError, Accounts, NewAccount};
use pippost_keys::random_bytes;
use pippost_store::{deletion, guests};

/// The most guests at once.
pub const MAX_GUESTS: i64 = 40;

/// How long a guest is kept after the last move …
pub const GUEST_LIFETIME: Duration = Duration::days(3);

/// … and how long without any.
const LIFETIME_WITHOUT_MOVE: Duration = Duration::hours(1);

/// The most guests that are looked at in one step.
const MAX_LOOKED_AT: i64 = 2 * MAX_GUESTS;

/// How many signs the name of a guest has after its prefix.
const NAME_CHARS: usize = 7;

/// Signs that are not taken for one another; 32 of them, so that each byte gives one.
const SIGNS: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";

/// A new guest.
#[derive(Clone, Debug)]
pub struct NewGuest {
    pub player_id: Uuid,
    pub handle: String,
    /// The session's token.
    pub cookie: SecretToken,
}

/// A name that nobody has by all odds.
fn drawn_handle() -> Result<String, AccountError> {
    let drawn = random_bytes::<NAME_CHARS>()?;
    let signs = drawn.iter().map(|byte| char::from(SIGNS[usize::from(byte % 32)]));
    Ok(GUEST_PREFIX.chars().chain(signs).collect())
}

impl Accounts {
    /// Makes a guest with a session; `None` if there are as many as there may be.
    ///
    /// # Errors
    /// [`AccountError::TooManyTries`], or a failure.
    pub async fn welcome_guest(&self, peer: IpAddr, device: &str) -> Result<Option<NewGuest>, AccountError> {
        self.0.guests.pass_peer(peer)?;
        let guest = NewGuest {
            player_id: Uuid::now_v7(),
            handle: drawn_handle()?,
            cookie: SecretToken::draw(COOKIE_PREFIX)?,
        };
        let token_hash = guest.cookie.hash();
        // Without the network: guests make none known.
        let session = self.browser_session(Uuid::now_v7(), guest.player_id, device, &token_hash, &[]);
        let created = guests::create(&self.0.database, &guest.handle, &session, MAX_GUESTS).await?;
        Ok(created.then_some(guest))
    }

    /// Makes a guest a registered player, with all their games; returns the cookie of a new session.
    ///
    /// # Errors
    /// [`AccountError::HandleTaken`], [`AccountError::EmailRefused`], [`AccountError::TooManyTries`], [`AccountError::SessionEnded`] if the
    /// guest is gone, or a failure.
    pub async fn register_guest(
        &self,
        guest: &Account,
        new: &NewAccount,
        peer: IpAddr,
        device: &str,
    ) -> Result<SecretToken, AccountError> {
        let password_hash = self.admit_registration(new, peer).await?;
        let ids = Ids { player: guest.player_id, ..Ids::new() };
        let cookie = SecretToken::draw(COOKIE_PREFIX)?;
        let (token_hash, peer_key) = (cookie.hash(), self.peer_key(peer));
        let session = self.browser_session(ids.session, ids.player, device, &token_hash, &peer_key);
        let email_key = new.email.key();
        let registration = registration(new, &email_key, &password_hash, &ids, session);
        if !guests::register(&self.0.database, &registration).await? {
            return Err(AccountError::SessionEnded);
        }
        self.forget_tokens_of(ids.player);
        self.0.outbox_signal.notify();
        tracing::info!(player_id = %ids.player, "a guest registered");
        Ok(cookie)
    }

    /// Removes guests who have not moved for long; `games::departing` leaves their games. Returns how many.
    pub(super) async fn remove_idle_guests(&self) -> Result<usize, AccountError> {
        let (now, database) = (self.0.clock.now(), &self.0.database);
        let idle =
            guests::idle(database, now - LIFETIME_WITHOUT_MOVE, now - GUEST_LIFETIME, MAX_LOOKED_AT).await?;
        let mut removed = 0;
        for guest in idle {
            if deletion::delete_guest(database, guest, now).await? {
                self.forget_tokens_of(guest);
                removed += 1;
            }
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Handle;

    #[test]
    fn the_names_of_guests_are_handles_that_nobody_else_can_have() {
        let (one, other) = (drawn_handle().expect("random"), drawn_handle().expect("random"));
        assert_ne!(one, other);
        let handle = Handle::parse(&one).expect("a handle");
        assert!(handle.is_of_guest() && one.len() == GUEST_PREFIX.len() + NAME_CHARS, "{one}");
        assert!(!Handle::parse("guest").expect("a handle").is_of_guest());
    }
}
