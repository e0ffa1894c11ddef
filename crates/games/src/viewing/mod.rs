//! Seeing a game as one viewer may: who that is, the view, its text, and the board.

pub mod analysis;
pub mod analysis_board;
pub mod board;
pub mod picking;
pub mod film_cache;
pub mod png_cache;
pub mod clock_now;
pub mod clock_view;
pub(crate) mod visibility;
pub mod offered;
pub mod view;
pub mod view_text;

pub use analysis::analyse;
pub use analysis_board::analysis_board;
pub use board::{board_text, drawing};
pub use picking::pick;
pub use view::{Look, claim_seat, look, look_token, view};
pub use view_text::view_text;
pub use visibility::expect_visible;
