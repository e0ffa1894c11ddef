//! Says in the document what the scopes at the handlers mean. A test asks every operation with tokens of each scope.

use serde_json::{Value, to_value};
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::SecurityRequirement;

use crate::declared;
use pippost_accounts::Scope;

/// The scope of an operation that takes a player's token.
#[must_use]
pub fn of(operation: &Value) -> Option<Scope> {
    let mut requirements = operation["security"].as_array().into_iter().flatten();
    requirements.find_map(|requirement| Scope::named(requirement["token"][0].as_str()?))
}

/// Names the scope in the security requirements for apps and in the description of every operation that takes a player's token.
pub fn add(document: &mut OpenApi) {
    for operation in document.paths.paths.values_mut().flat_map(declared::operations) {
        if let Some(scope) = of(&to_value(&*operation).expect("plain data")) {
            describe(operation, scope);
        }
    }
}

fn describe(operation: &mut Operation, scope: Scope) {
    let security = operation.security.get_or_insert_default();
    let says = match scope {
        Scope::Account => "Needs a session (scope `account`).".to_owned(),
        _ if security.len() > 1 => {
            format!("Scope `{scope}`, or no token.")
        }
        _ => format!("Scope `{scope}`."),
    };
    if scope != Scope::Account {
        security.push(SecurityRequirement::new("oauth", [scope.as_str()]));
    }
    let described = operation.description.take().into_iter().chain([says]);
    operation.description = Some(described.collect::<Vec<_>>().join("\n\n"));
}
