//! Games: `/games` and everything below.

mod acting;
mod agreeing;
pub(crate) mod analysing;
mod answers;
pub(crate) mod bodies;
pub mod feeds;
pub mod history;
mod inviting;
mod listing;
mod lobby;
mod viewing;
pub(crate) mod messages;
mod ordering;
mod pictures;
pub mod refusals;
mod substitutes;
mod timing;

pub use bodies::{JoinBody, MoveBody, NewGameBody, WithName};
pub use listing::ListName;
pub use pictures::{LanguageName, is_tag};

use crate::routes::Routes;

/// Registers the handlers; paths are relative to `/api/v1`. Routes are tried in this order, so the most frequent come first.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(acting::make_move)
        .service(viewing::view_game)
        .service(lobby::create_game)
        .service(listing::list_games)
        .service(lobby::join_game)
        .service(lobby::set_entropy)
        .service(lobby::leave_game)
        .service(inviting::invite)
        .service(timing::list_time_controls)
        .service(timing::show_clock)
        .service(agreeing::propose_pause)
        .service(agreeing::agree_to_pause)
        .service(agreeing::decline_pause)
        .service(agreeing::give_time)
        .service(substitutes::offer_seat)
        .service(substitutes::take_seat)
        .service(viewing::legal_actions)
        .service(viewing::board_text)
        .service(pictures::board_svg)
        .service(pictures::board_png)
        .service(acting::preview_move)
        .service(acting::resign_game)
        .service(acting::abort_game)
        .service(ordering::show_standing_orders)
        .service(ordering::give_standing_orders)
        .service(ordering::cancel_standing_orders)
        .service(messages::list_messages)
        .service(messages::say_message)
        .service(history::list_events)
        .service(feeds::follow_game)
        .service(feeds::follow_my_games)
        .service(history::replay_game)
        .service(history::list_choices)
        .service(analysing::analyse_game)
        .service(listing::list_games_of_player)
        .service(listing::next_game)
        .service(listing::list_invitations)
        .service(listing::decline_invitation)
        .service(history::show_news)
        .service(history::export_my_records)
        .service(history::export_record);
}
