//! Accounts: registration, sessions, passwords, personal tokens, players.

mod bodies;
pub mod leaving;
mod mails;
mod passwords;
mod profile;
pub mod refusals;
mod registration;
mod sessions;
mod tokens;
mod well_known;

use crate::routes::Routes;

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(registration::register)
        .service(registration::confirm_email)
        .service(registration::resend_confirmation)
        .service(sessions::log_in)
        .service(sessions::refresh_session)
        .service(sessions::log_out)
        .service(passwords::change_password)
        .service(passwords::request_password_reset)
        .service(passwords::reset_password)
        .service(profile::show_me)
        .service(profile::change_me)
        .service(mails::list_mails)
        .service(leaving::export_my_data)
        .service(leaving::delete_account)
        .service(profile::show_player)
        .service(tokens::list_tokens)
        .service(tokens::create_token)
        .service(tokens::revoke_token);
}

/// Registers the handlers outside the API; paths are relative to the root.
pub fn configure_well_known(service: &mut Routes<'_>) {
    service.service(well_known::show_keys);
}
