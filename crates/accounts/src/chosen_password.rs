//! Passwords that players choose: none of the most common, and not the account's own handle or address.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::{EmailAddress, Handle, Password};

/// The most common passwords, in lower case, one per line. Their source: `common_passwords/README.md`.
static COMMON: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("common_passwords/list.txt").lines().collect());

/// A password that may be set. Only chosen passwords are hashed and stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenPassword(Password);

/// The password is too easy to guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this password is among the commonest, or the account's own handle or address; choose another")]
pub struct PasswordTooCommon;

impl ChosenPassword {
    /// Accepts `password` for the account with this handle and address; upper and lower case count as the same.
    ///
    /// # Errors
    /// [`PasswordTooCommon`].
    pub fn new(password: Password, handle: &Handle, email: &EmailAddress) -> Result<Self, PasswordTooCommon> {
        let folded = password.expose().trim().to_lowercase();
        let address = email.key();
        let mailbox = address.split('@').next().unwrap_or_default();
        let one_character = folded.chars().all(|character| folded.starts_with(character));
        let own = [handle.key(), &address, mailbox].contains(&folded.as_str());
        if own || one_character || COMMON.contains(folded.as_str()) {
            return Err(PasswordTooCommon);
        }
        Ok(Self(password))
    }

    /// The password.
    #[must_use]
    pub fn password(&self) -> &Password {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS};

    fn chosen(text: &str) -> Result<ChosenPassword, PasswordTooCommon> {
        let handle = Handle::parse("ann-of-example").expect("a handle");
        let email = EmailAddress::parse("Ann.Example@example.org").expect("an address");
        let password = Password::try_from(text.to_owned()).expect("a possible password");
        ChosenPassword::new(password, &handle, &email)
    }

    #[test]
    fn the_commonest_passwords_and_the_accounts_own_names_are_refused_whatever_their_case() {
        for common in [
            "qwertyuiop",
            "QwertyUIOP",
            " password123 ",
            "1234567890",
            "aaaaaaaaaaaaaaaaa",
            "ann-of-example",
            "ANN.EXAMPLE@example.org",
            "ann.example",
        ] {
            assert_eq!(chosen(common), Err(PasswordTooCommon), "{common}");
        }
        for good in ["correct horse battery staple", "ann-of-example is my name", "qwertyuiop qwertyuiop"] {
            assert!(chosen(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn the_list_holds_what_a_password_could_be_once_each_in_lower_case() {
        let listed = include_str!("common_passwords/list.txt");
        assert!(listed.lines().count() > 2_000);
        assert_eq!(listed.lines().count(), COMMON.len());
        for line in listed.lines() {
            assert!((MIN_PASSWORD_CHARS..=MAX_PASSWORD_CHARS).contains(&line.chars().count()), "{line}");
            assert_eq!(line, line.trim().to_lowercase());
        }
    }
}
