//! Pages for people: the targets of links in mails and the consent page of OAuth, in plain HTML and forms without scripts, and the
//! second verifier.

mod account;
mod authorize;
mod game;
mod home;
mod page;
mod unsubscribe;
pub mod verifier;
mod visitor;

use actix_web::web::ServiceConfig;

/// Registers the pages, at the root. The OpenAPI document does not list them.
pub fn configure(service: &mut ServiceConfig) {
    service
        .service(home::home)
        .service(account::confirm_form)
        .service(account::confirm)
        .service(account::reset_form)
        .service(account::reset)
        .service(authorize::ask)
        .service(authorize::decide)
        .service(unsubscribe::form)
        .service(unsubscribe::switch_off)
        .service(game::game)
        .service(verifier::verifier)
        .service(verifier::verifier_file);
}
