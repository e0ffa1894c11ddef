//! Outgoing and incoming mails.

pub mod other_scripts;
pub mod outbox;
pub mod replies;
pub mod smtp;
pub mod smtp_tls;
