//! Passwords, and their hashing off the threads that serve requests.

use std::fmt;
use std::sync::Arc;

use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::Semaphore;

use super::{AccountError, ChosenPassword};
use pippost_traffic::{Work, compute};

/// The fewest characters of a password.
pub const MIN_PASSWORD_CHARS: usize = 10;

/// The most characters of a password; this also limits the work of hashing.
pub const MAX_PASSWORD_CHARS: usize = 256;

/// OWASP's first recommendation for argon2id on servers: memory in KiB, passes, lanes.
pub(super) const HASH_MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// How many passwords of known askers are hashed at once, and how many of strangers. Each takes 19 MiB and one processor, which gives
/// about fifty a second.
const HASHES_AT_ONCE: usize = 1;

/// How many more of each may wait; further requests are refused.
const HASHES_WAITING: usize = 64;

/// A password that somebody typed. Never shown in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// The text cannot be a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a password has 10 to 256 characters")]
pub struct PasswordError;

impl TryFrom<String> for Password {
    type Error = PasswordError;

    fn try_from(text: String) -> Result<Self, PasswordError> {
        // A character has at most four bytes, so longer texts need not be counted.
        let countable = text.len() <= MAX_PASSWORD_CHARS * 4;
        let fits = (MIN_PASSWORD_CHARS..=MAX_PASSWORD_CHARS).contains(&text.chars().count());
        if countable && fits { Ok(Self(text)) } else { Err(PasswordError) }
    }
}

impl Password {
    /// The text, for comparisons and hashing.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Password(hidden)")
    }
}

/// Who wants a hash. Strangers have a thread of their own, which yields more, so that a crowd of them delays nobody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asker {
    /// A session, or somebody of a known network.
    Known,
    Stranger,
}

/// Hashes passwords, a limited number at a time.
pub(super) struct Hasher {
    known: Places,
    strangers: Places,
    params: Params,
}

/// The places of one kind of askers.
struct Places {
    /// Of all who wait or are at work.
    admitted: Arc<Semaphore>,
    at_work: Arc<Semaphore>,
}

impl Default for Places {
    fn default() -> Self {
        Self {
            admitted: Arc::new(Semaphore::new(HASHES_AT_ONCE + HASHES_WAITING)),
            at_work: Arc::new(Semaphore::new(HASHES_AT_ONCE)),
        }
    }
}

impl Hasher {
    /// # Panics
    /// The memory is outside of argon2's bounds.
    pub(super) fn new(memory_kib: u32) -> Self {
        Self {
            params: Params::new(memory_kib, PASSES, LANES, None).expect("within argon2's bounds"),
            known: Places::default(),
            strangers: Places::default(),
        }
    }

    /// The PHC string of a password, with a random salt.
    pub(super) async fn hash(&self, password: &ChosenPassword, asker: Asker) -> Result<String, AccountError> {
        let (password, params) = (password.password().clone(), self.params.clone());
        self.run(asker, move || hash(&password, params)).await?
    }

    /// Whether `known` was made from the password. Without a `known` it does the same work, so that the time taken does not
    /// reveal which players exist.
    pub(super) async fn verify(
        &self,
        password: &Password,
        known: Option<&str>,
        asker: Asker,
    ) -> Result<bool, AccountError> {
        let (password, known, params) = (password.clone(), known.map(str::to_owned), self.params.clone());
        self.run(asker, move || match known {
            Some(known) => {
                Ok(argon2id(params).verify_password(password.0.as_bytes(), known.as_str()).is_ok())
            }
            None => hash(&password, params).map(|_| false),
        })
        .await?
    }

    async fn run<T: Send + 'static>(
        &self,
        asker: Asker,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AccountError> {
        let (places, kind) = match asker {
            Asker::Known => (&self.known, Work::HashingForKnown),
            Asker::Stranger => (&self.strangers, Work::HashingForStrangers),
        };
        let admitted = Arc::clone(&places.admitted).try_acquire_owned().map_err(|_| AccountError::Busy)?;
        let running = Arc::clone(&places.at_work).acquire_owned().await.expect("never closed");
        let work = move || {
            // Held until the work ends, even if the request was dropped.
            let _held = (admitted, running);
            work()
        };
        compute(kind, work).await.map_err(|error| AccountError::Hash(error.to_string()))
    }
}

fn argon2id(params: Params) -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &Password, params: Params) -> Result<String, AccountError> {
    let hashed = argon2id(params).hash_password(password.0.as_bytes());
    hashed.map(|hash| hash.to_string()).map_err(|error| AccountError::Hash(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EmailAddress, Handle};

    fn password(text: &str) -> Password {
        Password::try_from(text.to_owned()).expect("a possible password")
    }

    #[test]
    fn length_is_counted_in_characters() {
        let possible = |text: String| Password::try_from(text).is_ok();
        assert!(possible("äöüäöüäöüä".into()));
        assert!(!possible("äöüäöüäöü".into()));
        assert!(possible("🎲".repeat(256)));
        assert!(!possible("🎲".repeat(257)));
        assert!(!possible("a".repeat(257)));
        assert!(!possible("a".repeat(1_000_000)));
    }

    #[test]
    fn a_password_does_not_show_in_debug_output() {
        assert_eq!(format!("{:?}", password("correct horse")), "Password(hidden)");
    }

    #[tokio::test]
    async fn a_hash_fits_its_password_alone_and_names_the_parameters() {
        let hasher = Hasher::new(HASH_MEMORY_KIB);
        let handle = Handle::parse("ann").expect("a handle");
        let email = EmailAddress::parse("ann@example.org").expect("an address");
        let chosen = ChosenPassword::new(password("correct horse"), &handle, &email).expect("not common");
        let known = hasher.hash(&chosen, Asker::Known).await.expect("a hash");
        assert!(known.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{known}");
        assert_ne!(known, hasher.hash(&chosen, Asker::Known).await.expect("a hash"), "salted");
        assert!(
            hasher.verify(&password("correct horse"), Some(&known), Asker::Known).await.expect("checked")
        );
        assert!(
            !hasher.verify(&password("Correct horse"), Some(&known), Asker::Known).await.expect("checked")
        );
        assert!(!hasher.verify(&password("correct horse"), None, Asker::Known).await.expect("checked"));
        assert!(
            !hasher.verify(&password("correct horse"), Some("no hash"), Asker::Known).await.expect("checked")
        );
    }

    #[tokio::test]
    async fn a_crowd_beyond_the_limit_is_refused() {
        let hasher = Hasher::new(HASH_MEMORY_KIB);
        let all = u32::try_from(HASHES_AT_ONCE + HASHES_WAITING).expect("a small number");
        let crowd = hasher.strangers.admitted.try_acquire_many(all).expect("nobody else is there");
        let refused = hasher.verify(&password("correct horse"), None, Asker::Stranger).await;
        assert!(matches!(refused, Err(AccountError::Busy)));
        // A crowd of strangers takes no place of those who are known.
        assert!(hasher.verify(&password("correct horse"), None, Asker::Known).await.is_ok());
        drop(crowd);
        assert!(hasher.verify(&password("correct horse"), None, Asker::Stranger).await.is_ok());
    }

    #[tokio::test]
    async fn a_crowd_of_strangers_delays_no_known_one() {
        let hasher = Arc::new(Hasher::new(Params::MIN_M_COST));
        let at_work = Arc::clone(&hasher.strangers.at_work).acquire_owned().await.expect("open");
        let ask = |asker: Asker| {
            let hasher = Arc::clone(&hasher);
            tokio::spawn(async move { hasher.run(asker, || ()).await })
        };
        let crowd: Vec<_> = (0..20).map(|_| ask(Asker::Stranger)).collect();
        while hasher.strangers.admitted.available_permits() > HASHES_AT_ONCE + HASHES_WAITING - 20 {
            tokio::task::yield_now().await;
        }
        ask(Asker::Known).await.expect("no panic").expect("a place");
        assert!(crowd.iter().all(|asked| !asked.is_finished()), "they wait for the one at work");
        drop(at_work);
        for asked in crowd {
            asked.await.expect("no panic").expect("a place");
        }
    }
}
