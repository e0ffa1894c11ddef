//! Guests: who plays against the house bot before signing up. They have a browser's session and nothing else: no address, no password,
//! no token of the API.

use std::net::IpAddr;

use time::Duration;
use uuid::Uuid;

use super::handle::GUEST_PREFIX;
use super::secret_token::{COOKIE_PREFIX, SecretToken};
use super::{Account, AccountError, Accounts, RegistrationPolicy, mailbox_key};
use pippost_keys::random_bytes;
use pippost_store::deletion;
use pippost_store::guests::{self, NO_PASSWORD};

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
    /// Makes a guest with a session; `None` if not everybody may register, or if there are as many as there may be, and all have moved
    /// lately.
    ///
    /// # Errors
    /// [`AccountError::TooManyTries`], or a failure.
    pub async fn welcome_guest(&self, peer: IpAddr, device: &str) -> Result<Option<NewGuest>, AccountError> {
        if self.registration_policy() != RegistrationPolicy::Open {
            return Ok(None);
        }
        self.0.guests.pass_peer(peer)?;
        let guest = NewGuest {
            player_id: Uuid::now_v7(),
            handle: drawn_handle()?,
            cookie: SecretToken::draw(COOKIE_PREFIX)?,
        };
        let token_hash = guest.cookie.hash();
        // Without the network: guests make none known.
        let session = self.browser_session(Uuid::now_v7(), guest.player_id, device, &token_hash, &[]);
        let create = || guests::create(&self.0.database, &guest.handle, &session, MAX_GUESTS);
        let created = create().await? || (self.make_room().await? && create().await?);
        Ok(created.then_some(guest))
    }

    /// Removes the guest who is longest without a move; false if all have moved lately.
    async fn make_room(&self) -> Result<bool, AccountError> {
        let now = self.0.clock.now();
        let before = now - LIFETIME_WITHOUT_MOVE;
        let guests = guests::all(&self.0.database, now - GUEST_LIFETIME, MAX_LOOKED_AT).await?;
        let longest = guests.iter().min_by_key(|guest| guest.last_at());
        match longest.filter(|guest| guest.last_at() < before) {
            Some(guest) => self.erase_guest(guest.id).await,
            None => Ok(false),
        }
    }

    /// Removes guests who have not moved for long; `games::departing` leaves their games. Returns how many.
    pub(super) async fn remove_idle_guests(&self) -> Result<usize, AccountError> {
        let now = self.0.clock.now();
        let mut removed = 0;
        for guest in guests::all(&self.0.database, now - GUEST_LIFETIME, MAX_LOOKED_AT).await? {
            let lifetime = if guest.moved_at.is_some() { GUEST_LIFETIME } else { LIFETIME_WITHOUT_MOVE };
            if guest.last_at() + lifetime < now && self.erase_guest(guest.id).await? {
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Erases a guest; false if the guest has registered, or is gone.
    async fn erase_guest(&self, id: Uuid) -> Result<bool, AccountError> {
        let now = self.0.clock.now();
        let erased = deletion::delete_account(&self.0.database, id, NO_PASSWORD, mailbox_key, now).await?;
        if erased {
            self.forget_tokens_of(id);
        }
        Ok(erased)
    }

    /// Ends the session of a browser. A guest, who cannot come back, is erased.
    ///
    /// # Errors
    /// The database failed.
    pub async fn log_out_browser(&self, account: &Account) -> Result<(), AccountError> {
        if account.guest && self.erase_guest(account.player_id).await? {
            return Ok(());
        }
        match account.session_id {
            Some(session_id) => self.log_out(session_id).await,
            None => Ok(()),
        }
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
