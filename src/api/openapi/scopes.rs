//! The scope that each operation needs, for the document. A test asks every operation with tokens of each scope.

use utoipa::openapi::OpenApi;
use utoipa::openapi::security::SecurityRequirement;

use crate::api::declared;

/// Operations that create, join and play games.
const PLAY: [&str; 11] = [
    "abort_game",
    "create_game",
    "invite",
    "join_game",
    "leave_game",
    "make_move",
    "move_sandbox_clock",
    "resign_game",
    "say_message",
    "set_entropy",
    "set_game_notification_preferences",
];

/// Operations that manage the account, which only a session may.
const ACCOUNT: [&str; 11] = [
    "answer_sandbox_mail",
    "change_me",
    "change_notification_preferences",
    "change_password",
    "create_token",
    "list_sandbox_mails",
    "list_tokens",
    "log_out",
    "resend_confirmation",
    "revoke_token",
    "show_sandbox_message",
];

/// Names the scope in the security requirement and in the description of every operation that takes a player's token.
pub fn add(document: &mut OpenApi) {
    for operation in document.paths.paths.values_mut().flat_map(declared::operations) {
        let name = operation.operation_id.clone().unwrap_or_default();
        let scope = match name.as_str() {
            name if PLAY.contains(&name) => "play",
            name if ACCOUNT.contains(&name) => "account",
            _ => "read",
        };
        let needs = SecurityRequirement::new::<_, [&str; 0], _>("token", []);
        let Some(security) = &mut operation.security else { continue };
        if !security.contains(&needs) {
            continue;
        }
        let is_optional = security.len() > 1;
        for requirement in security.iter_mut().filter(|requirement| **requirement == needs) {
            *requirement = SecurityRequirement::new("token", [scope]);
        }
        let says = match (scope, is_optional) {
            ("account", _) => "Needs the token of a session (scope `account`).".to_owned(),
            (_, true) => format!("Asked with a token, which then needs the scope `{scope}`, or without one."),
            (_, false) => format!("Needs the scope `{scope}`."),
        };
        let described = operation.description.take().into_iter().chain([says]);
        operation.description = Some(described.collect::<Vec<_>>().join("\n\n"));
    }
}
