//! The addresses from which this server sends and at which it takes mail. Nobody has them as their own: mails to them would come back
//! to the server.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use super::{EmailAddress, mailbox_key};

/// This server's own addresses, by their mailboxes.
#[derive(Debug, Default)]
pub(super) struct OwnAddresses(RwLock<HashSet<String>>);

impl OwnAddresses {
    pub(super) fn add(&self, address: &str) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(mailbox_key(address));
    }

    /// Whether the address leads to this server, with any tag.
    pub(super) fn contains(&self, email: &EmailAddress) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains(&email.mailbox_key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_own_address_is_recognised_in_any_case_and_with_any_tag() {
        let own = OwnAddresses::default();
        own.add("Play@play.example.org");
        for (address, is_own) in [
            ("play@play.example.org", true),
            ("PLAY+r7x@Play.Example.org", true),
            ("player@play.example.org", false),
            ("play@example.org", false),
        ] {
            assert_eq!(own.contains(&EmailAddress::parse(address).expect("an address")), is_own, "{address}");
        }
    }
}
