//! What a failure of SMTP means for the mail. Replies often repeat the address, so only their codes are kept.

use std::error::Error as _;

use lettre::transport::smtp::Error;

use crate::mail::mailer::SendError;

/// Codes that concern us and not the mail: the server wants a log-in, or another one (RFC 4954).
const LOG_IN_CODES: [&str; 4] = ["530", "534", "535", "538"];

/// The server closes the connection (RFC 5321, 3.8).
const CLOSING_CODE: &str = "421";

/// Why a mail did not go through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The connection is of no more use; another one may do.
    Connection(String),
    Timeout,
    /// Mail may go through later.
    PutOff(String),
    /// This mail will never go through.
    Refused(String),
}

impl Failure {
    /// A failure while a mail was being sent.
    pub fn of_mail(error: &Error) -> Self {
        let Some(code) = code(error) else {
            return if error.is_client() {
                Self::Refused("the mail server cannot take mail to such an address".to_owned())
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

    /// A failure before any mail was named: never the mail's fault.
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
            Failure::Connection(reason) | Failure::PutOff(reason) => Self::Temporary(reason),
            Failure::Timeout => Self::Temporary("the mail server did not answer in time".to_owned()),
        }
    }
}

/// `550`, or with the enhanced code (RFC 3463) `550 5.1.1`.
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
