//! Classifies SMTP failures. Replies often repeat the address, so players are told only their codes.

use std::error::Error as StdError;
use std::io;

use lettre::transport::smtp::Error;
use rustls::CertificateError;

use crate::mailer::{SendError, SendErrorKind};
use pippost_store::bounces;

/// Codes about the log-in, not about the mail: the server wants one, or another one (RFC 4954).
const LOG_IN_CODES: [&str; 4] = ["530", "534", "535", "538"];

/// The server closes the connection (RFC 5321, 3.8).
const CLOSING_CODE: &str = "421";

/// Why a mail was not delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The connection is unusable; a new one may work.
    pub is_of_connection: bool,
    /// What the server said is in it as it came.
    pub error: SendError,
}

impl Failure {
    fn new(kind: SendErrorKind, reason: impl Into<String>) -> Self {
        let error = SendError { kind, reason: reason.into(), said: None };
        Self { is_of_connection: false, error }
    }

    fn with_words_of(mut self, error: &Error) -> Self {
        self.error.said = error.status().and_then(|_| error.source()).map(ToString::to_string);
        self
    }

    /// Classifies a failure while a mail was being sent.
    pub fn of_mail(error: &Error) -> Self {
        let Some(code) = code(error) else {
            return if error.is_client() { Self::not_taken() } else { Self::broken() };
        };
        let failure = if code.starts_with(CLOSING_CODE) {
            let reason = format!("the mail server closed the connection: {code}");
            Self { is_of_connection: true, ..Self::new(SendErrorKind::Temporary, reason) }
        } else if error.is_permanent() && !LOG_IN_CODES.iter().any(|known| code.starts_with(known)) {
            Self::new(SendErrorKind::Permanent, format!("the mail server refused it: {code}"))
        } else {
            Self::new(SendErrorKind::Temporary, format!("the mail server put it off: {code}"))
        };
        failure.with_words_of(error)
    }

    /// Classifies a failure of the RCPT command. If it says that there is no such recipient, it counts as a bounce.
    pub fn of_recipient(error: &Error) -> Self {
        let mut failure = Self::of_mail(error);
        let code = code(error);
        if let (SendErrorKind::Permanent, Some(code)) =
            (&failure.error.kind, code.as_deref().and_then(code_of_recipient))
        {
            failure.error.kind = SendErrorKind::NoSuchAddress { code: code.to_owned() };
        }
        failure
    }

    /// The server does not support such an address or such characters.
    pub fn not_taken() -> Self {
        Self::new(SendErrorKind::Permanent, "the mail server cannot take mail to such an address")
    }

    fn broken() -> Self {
        let failure = Self::new(SendErrorKind::Temporary, "the connection to the mail server broke");
        Self { is_of_connection: true, ..failure }
    }

    /// The server did not answer in time while a mail was being sent.
    pub fn late() -> Self {
        Self::new(SendErrorKind::Temporary, "the mail server did not answer in time")
    }

    /// Classifies a failure before a mail was sent, which is never about the mail.
    pub fn of_connection(error: &Error) -> Self {
        match code(error) {
            Some(code) => {
                Self::unreached(format!("the mail server does not let us in: {code}")).with_words_of(error)
            }
            None if certificate_fault(error).is_some() || error.is_tls() => Self::of_tls(error),
            None if error.is_client() => {
                Self::unreached("the mail server offers no TLS, or no log-in that we know")
            }
            None => Self::unreachable(),
        }
    }

    /// A failure to encrypt the connection.
    pub fn of_tls(error: &(dyn StdError + 'static)) -> Self {
        Self::unreached(certificate_fault(error).unwrap_or_else(|| "no TLS with the mail server".to_owned()))
    }

    pub fn unreachable() -> Self {
        Self::unreached("the mail server cannot be reached")
    }

    /// The server did not answer in time before a mail was sent.
    pub fn not_answered() -> Self {
        Self::unreached("the mail server did not answer in time")
    }

    fn unreached(reason: impl Into<String>) -> Self {
        Self::new(SendErrorKind::Unreached, reason)
    }
}

/// What is wrong with the server's certificate, if that was the cause.
fn certificate_fault(error: &(dyn StdError + 'static)) -> Option<String> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(rustls::Error::InvalidCertificate(fault)) = error.downcast_ref() {
            return Some(format!("the certificate of the mail server {}", fault_of(fault)));
        }
        // An error that another one wraps is not among its sources.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        cause = wrapped.map(|wrapped| wrapped as &(dyn StdError + 'static)).or_else(|| error.source());
    }
    None
}

fn fault_of(fault: &CertificateError) -> &'static str {
    match fault {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "has expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => "is not valid yet",
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "is for another name"
        }
        CertificateError::Revoked => "was revoked",
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "is signed by no authority that this server trusts (SMTP_CA names one)"
        }
        _ => "cannot be used",
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
