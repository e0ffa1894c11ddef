//! Says the API's refusals in words, at the field that they are about.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use minijinja::Value;

use crate::session::too_many;
use pippost_http::{Code, Problem};
use pippost_language::{Arguments, Language};
use pippost_webhooks::MAX_WEBHOOKS;

/// What a page says of a refusal, and its status.
///
/// # Errors
/// The problem, if it is not about what a form holds: the page of errors has words for it.
pub fn told(problem: Problem, language: Language) -> Result<(StatusCode, Value), Problem> {
    let more = problem.body().more;
    let field = more.get("field").and_then(|field| field.as_str()).unwrap_or_default();
    let (name, text) = match (problem.code(), field) {
        (Code::WebhookUrlRefused, _) | (Code::InvalidValue, "url") => {
            ("url_problem", language.say("webhooks-url-bad"))
        }
        (Code::InvalidValue, "kinds") => ("kinds_problem", language.say("webhooks-kinds-bad")),
        (Code::NotFound, "game") => ("game_problem", language.say("webhooks-game-bad")),
        (Code::WrongChallenge, _) | (Code::InvalidValue, "challenge") => {
            ("code_problem", language.say("webhooks-code-bad"))
        }
        (Code::NotFound | Code::InvalidValue, "event" | "after") => {
            ("problem", language.say("webhooks-event-bad"))
        }
        (Code::TooManyWebhooks, _) => {
            let most = Arguments::default().number("most", MAX_WEBHOOKS);
            ("problem", language.say_with("webhooks-many", &most))
        }
        (Code::EmailNotConfirmed, _) => ("problem", language.say("invite-not-confirmed")),
        (Code::WebhookNotVerified, _) => ("problem", language.say("webhooks-not-verified")),
        (Code::TooManyRequests, _) => {
            match more.get("retry_after_seconds").and_then(serde_json::Value::as_u64) {
                Some(seconds) if more.get("limit").is_none_or(|limit| limit != "webhook-by-hand") => {
                    ("problem", too_many(language, seconds))
                }
                _ => ("problem", language.say("webhooks-sends-already")),
            }
        }
        _ => return Err(problem),
    };
    let said = BTreeMap::from([(name, Value::from(text)), ("refused", Value::from(true))]);
    Ok((problem.code().status(), Value::from(said)))
}
