//! Mail going out: what a letter says is rendered from templates, built by lettre and handed to one of three backends.

pub mod content;
mod files;
pub mod letter;
pub mod mailer;
mod render;
mod smtp;
#[cfg(test)]
mod samples;
pub mod words;

pub use content::Content;
pub use letter::{Letter, Writer};
pub use mailer::{Mailer, MailerError, SendError};
