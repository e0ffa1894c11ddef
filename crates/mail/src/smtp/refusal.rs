//! Classifies SMTP failures. Replies often repeat the address, so only their codes are kept.

use std::error::Error as _;

use lettre::transport::smtp::Error;

use crate::mailer::SendError;
use pippost_store::bounces;

/// Codes about the log-in, not about the mail: the server wants one, or another one (RFC 4954).
const LOG_IN_CODES: [&str; 4] = ["530", "534", "535", "538"];

/// The server closes the connection (RFC 5321, 3.8).
const CLOSING_CODE: &str = "421";

/// Why a mail was not delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The connection is unusable; a new one may work.
    Connection(String),
    Timeout,
    /// The mail may be accepted later.
    PutOff(String),
    /// This mail will never be accepted.
    Refused(String),
    /// No mail will be accepted for this address.
    NoSuchAddress {
        reason: String,
        /// The enhanced code (RFC 3463).
        code: String,
    },
}

impl Failure {
    /// Classifies a failure while a mail was being sent.
    pub fn of_mail(error: &Error) -> Self {
        let Some(code) = code(error) else {
            return if error.is_client() {
                Self::not_taken()
            } else {
                Self::Connection("the connection to the mail server broke".to_owned())
            };
        };
        if code.starts_with(CLOSING_CODE) {
            Self::Connection(format!("the mail server closed the connection: {code}"))
        } else if error.is_permanent() && !LOG_IN_CODES.iter().any(|known| code.starts_with(known)) {
            Self::Refused(format!("the mail server refused it: {code}"))
        } else {
            Self::PutOff(format!("the mail server put it off: {code}"))
        }
    }

    /// Classifies a failure of the RCPT command. If it says that there is no such recipient, it counts as a bounce.
    pub fn of_recipient(error: &Error) -> Self {
        match (Self::of_mail(error), code(error).as_deref().and_then(code_of_recipient)) {
            (Self::Refused(reason), Some(code)) => Self::NoSuchAddress { reason, code: code.to_owned() },
            (other, _) => other,
        }
    }

    /// The server does not support such an address or such characters.
    pub fn not_taken() -> Self {
        Self::Refused("the mail server cannot take mail to such an address".to_owned())
    }

    /// Classifies a failure before a mail was sent, which is never about the mail.
    pub fn of_connection(error: &Error) -> Self {
        match code(error) {
            Some(code) => Self::PutOff(format!("the mail server does not let us in: {code}")),
            None if error.is_tls() => Self::PutOff("no TLS with the mail server".to_owned()),
            None if error.is_client() => {
                Self::PutOff("the mail server offers no TLS, or no log-in that we know".to_owned())
            }
            None => Self::unreachable(),
        }
    }

    pub fn unreachable() -> Self {
        Self::PutOff("the mail server cannot be reached".to_owned())
    }
}

impl From<Failure> for SendError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(reason) => Self::Permanent(reason),
            Failure::NoSuchAddress { reason, code } => Self::NoSuchAddress { reason, code },
            Failure::Connection(reason) | Failure::PutOff(reason) => Self::Temporary(reason),
            Failure::Timeout => Self::Temporary("the mail server did not answer in time".to_owned()),
        }
    }
}

/// The enhanced code in `code`, as [`code`] returns it, if it counts against the recipient's address.
fn code_of_recipient(code: &str) -> Option<&str> {
    let (_, enhanced) = code.split_once(' ')?;
    bounces::is_of_address(enhanced).then_some(enhanced)
}

/// The code of a reply, such as `550`, or with the enhanced code (RFC 3463) `550 5.1.1`.
fn code(error: &Error) -> Option<String> {
    let code = error.status()?.to_string();
    let text = error.source().map(ToString::to_string).unwrap_or_default();
    match text.split_whitespace().next() {
        Some(first) if is_enhanced(first) => Some(format!("{code} {first}")),
        _ => Some(code),
    }
}

fn is_enhanced(word: &str) -> bool {
    let parts: Vec<_> = word.split('.').collect();
    parts.len() == 3
        && matches!(parts[0], "4" | "5")
        && parts
            .iter()
            .all(|part| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_refusals_that_are_about_the_recipients_address_count_against_it() {
        for (code, counts) in [
            ("550 5.1.1", Some("5.1.1")),
            ("550", None),
            ("551", None),
            ("551 5.1.6", Some("5.1.6")),
            ("553 5.1.3", Some("5.1.3")),
            ("550 5.2.1", Some("5.2.1")),
            ("550 5.4.1", None),
            ("552 5.2.2", None),
            ("552", None),
            ("550 5.2.2", None),
            ("550 5.7.1", None),
            ("550 5.7.26", None),
            ("553 5.1.8", None),
            ("550 5.1.7", None),
            ("554 5.7.1", None),
            ("554", None),
            ("550 4.2.1", None),
            ("501 5.5.4", None),
        ] {
            assert_eq!(code_of_recipient(code), counts, "{code}");
        }
    }
}
