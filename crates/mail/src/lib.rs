//! Outgoing mail: renders contents with templates, builds messages with lettre, and sends them with one of three backends.
#![forbid(unsafe_code)]

pub mod replies;
pub mod content;
mod files;
pub mod outgoing;
mod limits;
pub mod mailer;
pub(crate) mod render;
mod settings;
mod smtp;
#[cfg(test)]
pub(crate) mod samples;

pub use content::Content;
pub use limits::MailLimits;
pub use mailer::{Mailer, MailerError, SendError};
pub use outgoing::{BuiltMail, MailHeaders, MailRefused, OutgoingMail, Writer};
pub use settings::MailSettings;
