//! The rooms with readers, under the names that the program gives them.

#[cfg(feature = "rooms")]
pub use pippost_clock as clock;
#[cfg(feature = "rooms")]
pub use pippost_keys::{self as keys, beacon};
#[cfg(feature = "rooms")]
pub use pippost_language as language;
#[cfg(feature = "rooms")]
pub use pippost_mail::replies;
pub use pippost_record::{record, rules};
#[cfg(feature = "rooms")]
pub use pippost_store as store;
