//! Pages for people, made by the server: they work without scripts, in the language and theme of their visitor, who is known by the
//! cookie of a session. Links in mails lead here, too; they log nobody in. And the second verifier.
#![forbid(unsafe_code)]

mod account;
mod against_bot;
mod assets;
mod authorize;
mod branding;
mod clubs;
mod colours;
mod creating;
mod device;
mod device_codes;
mod dumps;
mod feeds;
mod following;
mod form;
mod game;
mod home;
mod install;
mod ladders;
mod lists;
mod moderation;
mod my_games;
mod narrowing;
mod options;
mod own_pages;
mod own_text;
mod page;
mod preferences;
mod problems;
mod refusals;
mod ratings;
mod reliability;
mod renewal;
mod rules;
mod search;
mod security;
mod session;
mod site;
mod statistics;
mod studies;
mod time_control;
mod tournament_form;
mod tournaments;
mod unsubscribe;
pub mod verifier;
mod visitor;
mod waiting;

use actix_web::web::ServiceConfig;

pub use branding::{Branding, BrandingRefused, TextKind};
pub use form::{OfOurScript, Posted};
pub use refusals::shown;
pub use site::Site;

/// Registers the pages, at the root. The OpenAPI document does not list them.
pub fn configure(service: &mut ServiceConfig) {
    service
        .service(home::home)
        .service(home::about)
        .service(home::api)
        .service(own_pages::terms)
        .service(own_pages::imprint)
        .service(lists::lobby_page)
        .service(dumps::dumps_page)
        .service(dumps::dump_file)
        .service(my_games::my_games)
        .service(my_games::count_waiting)
        .service(my_games::next_game)
        .service(following::show_following)
        .service(following::follow)
        .service(following::mark)
        .service(search::search)
        .service(lists::player_page)
        .service(statistics::player_statistics)
        .service(ratings::ratings_page)
        .service(problems::problems_page)
        .service(problems::problem_page)
        .configure(studies::configure)
        .configure(clubs::configure)
        .configure(ladders::configure)
        .service(tournaments::tournaments_page)
        .service(tournament_form::new_tournament)
        .service(tournament_form::create_tournament)
        .service(tournaments::tournament_page)
        .service(tournaments::enter)
        .service(tournaments::withdraw)
        .service(tournaments::cancel)
        .service(creating::new_game_form)
        .service(creating::create_game)
        .service(against_bot::choose)
        .service(against_bot::play)
        .service(renewal::end)
        .service(waiting::join)
        .service(waiting::leave)
        .service(waiting::decline)
        .service(waiting::invite)
        .service(feeds::turns)
        .service(feeds::deadlines)
        .service(rules::all_rules)
        .service(rules::one_rules)
        .service(rules::first_turns)
        .service(rules::example_board)
        .service(assets::asset)
        .service(assets::icon)
        .service(install::manifest)
        .service(install::service_worker)
        .service(install::offline)
        .service(session::log_in_form)
        .service(session::log_in)
        .service(session::log_out)
        .service(session::sign_up_form)
        .service(session::sign_up)
        .service(session::forgot_form)
        .service(session::forgot)
        .configure(moderation::configure)
        .configure(preferences::configure)
        .service(account::confirm_form)
        .service(account::confirm)
        .service(account::reset_form)
        .service(account::reset)
        .service(authorize::ask)
        .service(authorize::decide)
        .service(device_codes::ask)
        .service(device_codes::decide)
        .service(unsubscribe::form)
        .service(unsubscribe::switch_off)
        .service(unsubscribe::block_inviter)
        .configure(game::configure)
        .service(security::security)
        .service(verifier::verifier)
        .service(verifier::verifier_file);
}
