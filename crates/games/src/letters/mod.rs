//! A game in mails: their contents, the players' messages, and the reading of orders.

mod answering;
mod digest;
pub mod mail_content;
pub mod meaning;
pub mod messages;
pub mod notation;
pub mod notes;
pub mod outcome;
pub mod reads;
pub mod recap;
pub mod since;
pub mod steps;
mod who;

pub use answering::{listed, resign_word};
pub use messages::{clean_message, mark_read, messages, removed, say, unread};
pub use notation::line_reader;
pub use notes::{note, write_note};
pub use recap::{Recap, recap};
pub use since::since_own_move;
