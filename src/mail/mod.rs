//! Mail going out: what a letter says is rendered from templates, built by lettre and handed to one of three backends.

pub mod content;
mod files;
pub mod letter;
mod limits;
pub mod mailer;
pub(crate) mod render;
mod smtp;
#[cfg(test)]
pub(crate) mod samples;

pub use content::Content;
pub use letter::{Letter, LetterRefused, Posting, SealedLetter, Writer};
pub use limits::MailLimits;
pub use mailer::{Mailer, MailerError, SendError};
