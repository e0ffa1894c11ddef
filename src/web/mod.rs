//! The pages that links in mails lead to: plain HTML and forms, no scripts.

mod account;
mod game;
mod home;
mod page;

use actix_web::web::ServiceConfig;

/// Registers the pages, at the root. They are for people, so the OpenAPI document does not list them.
pub fn configure(service: &mut ServiceConfig) {
    service
        .service(home::home)
        .service(account::confirm_form)
        .service(account::confirm)
        .service(account::reset_form)
        .service(account::reset)
        .service(game::game);
}
