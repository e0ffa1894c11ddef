//! Mails, going out and coming in.

pub mod outbox;
pub mod replies;
pub mod smtp;
pub mod smtp_tls;
