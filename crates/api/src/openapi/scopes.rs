//! The scope that each operation needs, for the document. A test asks every operation with tokens of each scope.

use utoipa::openapi::OpenApi;
use utoipa::openapi::security::SecurityRequirement;

use crate::declared;

/// Operations of the scope `play`.
const PLAY: [&str; 19] = [
    "agree_to_pause",
    "book_holiday",
    "cancel_standing_orders",
    "decline_pause",
    "give_standing_orders",
    "give_time",
    "join_game",
    "leave_game",
    "make_move",
    "move_sandbox_clock",
    "offer_seat",
    "propose_pause",
    "resign_game",
    "say_message",
    "set_automatic_holiday",
    "set_calendar",
    "set_entropy",
    "set_game_notification_preferences",
    "take_seat",
];

/// Operations that make and steer games.
const MANAGE: [&str; 3] = ["abort_game", "create_game", "invite"];

/// Operations that change how the player is told by mail.
const MAIL: [&str; 1] = ["change_notification_preferences"];

/// Operations about webhooks and web push.
const WEBHOOKS: [&str; 13] = [
    "challenge_webhook",
    "change_webhook",
    "list_webhook_deliveries",
    "list_push_subscriptions",
    "list_webhooks",
    "redeliver_webhook_event",
    "register_webhook",
    "remove_webhook",
    "rotate_webhook_secret",
    "show_webhook",
    "subscribe_to_push",
    "unsubscribe_from_push",
    "verify_webhook",
];

/// Operations that manage the account, which only a session may.
const ACCOUNT: [&str; 18] = [
    "answer_sandbox_mail",
    "change_me",
    "change_password",
    "create_token",
    "delete_account",
    "export_my_data",
    "list_app_grants",
    "list_registered_apps",
    "list_sandbox_deliveries",
    "list_sandbox_mails",
    "list_tokens",
    "log_out",
    "register_app",
    "remove_app",
    "resend_confirmation",
    "revoke_app_grant",
    "revoke_token",
    "show_sandbox_message",
];

/// The scope that only sessions have.
const OF_SESSIONS: &str = "account";

/// The scope of an operation that takes a player's token.
#[must_use]
pub fn of(operation: &str) -> &'static str {
    let lists: [(&[&str], &str); 5] = [
        (&PLAY, "play"),
        (&MANAGE, "manage"),
        (&MAIL, "mail"),
        (&WEBHOOKS, "webhooks"),
        (&ACCOUNT, OF_SESSIONS),
    ];
    let found = lists.into_iter().find(|(operations, _)| operations.contains(&operation));
    found.map_or("read", |(_, scope)| scope)
}

/// Whether a token for one game may be refused here for being that: sessions are for all games, and the list shows that game alone.
#[must_use]
pub fn refuses_limited_tokens(operation: &str) -> bool {
    of(operation) != OF_SESSIONS && operation != "list_games"
}

/// Names the scope in the security requirement and in the description of every operation that takes a player's token.
pub fn add(document: &mut OpenApi) {
    for operation in document.paths.paths.values_mut().flat_map(declared::operations) {
        let name = operation.operation_id.clone().unwrap_or_default();
        let scope = of(&name);
        let needs = SecurityRequirement::new::<_, [&str; 0], _>("token", []);
        let Some(security) = &mut operation.security else { continue };
        if !security.contains(&needs) {
            continue;
        }
        let is_optional = security.len() > 1;
        for requirement in security.iter_mut().filter(|requirement| **requirement == needs) {
            *requirement = SecurityRequirement::new("token", [scope]);
        }
        if scope != OF_SESSIONS {
            security.push(SecurityRequirement::new("oauth", [scope]));
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
