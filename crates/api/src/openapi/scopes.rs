//! Says in the document what the scopes at the handlers mean. A test asks every operation with tokens of each scope.

use serde_json::{Value, to_value};
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::SecurityRequirement;

use crate::declared;
use pippost_accounts::Scope;

/// The scope of an operation that takes a player's token: as its handler says it, or the finished document.
#[must_use]
pub fn of(operation: &Value) -> Option<Scope> {
    let requirements = || operation["security"].as_array().into_iter().flatten();
    let named =
        |scheme: &str| requirements().find_map(|requirement| Scope::named(requirement[scheme][0].as_str()?));
    let takes_token = requirements().any(|requirement| requirement.get("token").is_some());
    named("token").or_else(|| named("oauth")).or(takes_token.then_some(Scope::Account))
}

/// Names the scope in the security requirements for apps of every operation that takes a player's token, and in the descriptions that need it.
pub fn add(document: &mut OpenApi) {
    for operation in document.paths.paths.values_mut().flat_map(declared::operations) {
        if let Some(scope) = of(&to_value(&*operation).expect("plain data")) {
            describe(operation, scope);
        }
    }
}

fn describe(operation: &mut Operation, scope: Scope) {
    let security = operation.security.get_or_insert_default();
    let is_open = security.len() > 1;
    let says = match scope {
        _ if is_open => format!("Scope `{scope}`, or no token."),
        _ => format!("Scope `{scope}`."),
    };
    // Only a scheme of OAuth lists scopes; what only sessions may is no scope of apps.
    let of_apps = (scope != Scope::Account).then(|| SecurityRequirement::new("oauth", [scope.as_str()]));
    security.clear();
    security.extend(is_open.then(SecurityRequirement::default));
    security.push(SecurityRequirement::new("token", [""; 0]));
    security.extend(of_apps);
    // The requirements say what apps need; words do where they cannot, or where there would be none.
    let said = (scope == Scope::Account || operation.description.is_none()).then_some(says);
    let described = operation.description.take().into_iter().chain(said);
    operation.description = Some(described.collect::<Vec<_>>().join("\n\n"));
}
