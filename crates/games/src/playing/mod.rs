//! Playing a started game: moves, resignations, previews and the turns whose time is up.

mod aborting;
pub mod act;
mod deciding;
pub mod length;
pub mod move_response;
pub mod preview;
mod reminding;
pub mod request;
pub(crate) mod set_aside;
pub mod timing;

pub use act::act;
pub use preview::{legal_actions, preview};
pub use reminding::remind;
pub use set_aside::count_set_aside;
pub use timing::{RESPONSE_LIFETIME, forget_stored_responses, let_flags_fall};
