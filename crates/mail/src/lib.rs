//! Outgoing mail: renders contents with templates, builds messages with lettre, and sends them with one of three backends.
#![forbid(unsafe_code)]

pub mod replies;
mod checkpoint;
pub mod content;
mod figures;
mod files;
pub mod outgoing;
mod limits;
pub mod mailer;
pub(crate) mod render;
mod settings;
mod smtp;
#[cfg(test)]
pub(crate) mod samples;

pub use checkpoint::{CHECKPOINT_HEADER, MailCheckpoint, checkpoint_notes};
pub use content::Content;
pub use figures::{Counts, MAX_DOMAINS, MailFigures, OTHER_DOMAINS, SendResult};
pub use limits::MailLimits;
pub use mailer::{Mailer, MailerError, SendError, SendErrorKind};
pub use outgoing::{BuiltMail, MailHeaders, MailRefused, OutgoingMail, Writer};
pub use settings::MailSettings;
