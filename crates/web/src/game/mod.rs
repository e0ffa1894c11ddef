//! The page of a game: the board on which a move is composed and sent, what has happened, messages and notes; and the pages of its past.
//! Turn mails link here; the token of such a link opens a private game, and shows and allows nothing that only the player may.

mod acting;
mod again;
mod analysis;
mod at_table;
mod check;
mod choice;
mod clock;
mod embed;
mod ended;
mod film;
mod moves;
mod news;
mod pictures;
mod replay;
mod standing;
mod substitutes;
mod table;
mod words;
mod writing;

use actix_web::web::ServiceConfig;
use uuid::Uuid;

pub(crate) use analysis::{Query as AnalysisQuery, of_line};
pub(crate) use ended::{card, percent};
pub(crate) use table::drawn;
pub(crate) use words::{names, own_result, players};

/// Registers the pages of games.
pub fn configure(service: &mut ServiceConfig) {
    service
        .service(table::show_game)
        .service(table::show_table)
        .service(news::tell_news)
        .service(embed::show_embed)
        .service(moves::show_moves)
        .service(acting::make_move)
        .service(acting::resign)
        .service(acting::abort)
        .service(again::again)
        .service(clock::propose)
        .service(clock::agree)
        .service(clock::decline)
        .service(clock::give)
        .service(substitutes::offer)
        .service(substitutes::take)
        .service(standing::order)
        .service(writing::say)
        .service(writing::write_note)
        .service(pictures::board_svg)
        .service(pictures::board_png)
        .service(pictures::download_record)
        .service(film::show_film)
        .service(analysis::show_analysis)
        .service(analysis::show_board)
        .service(replay::show_replay)
        .service(replay::show_moment)
        .service(check::show_check);
}

/// The header with which the page's script asks for the part of the page that changes.
const FRAGMENT: &str = "x-fragment";

/// The page of a game.
pub(crate) fn path(id: Uuid) -> String {
    format!("/games/{id}")
}
