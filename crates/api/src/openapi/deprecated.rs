//! Operations that will go away, each declared once: its answers say so (RFC 9745, RFC 8594), and so does the document.

use actix_web::http::header::LINK;
use actix_web::middleware::DefaultHeaders;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;
use time::macros::datetime;
use utoipa::openapi::{Deprecated, OpenApi, RefOr};

use super::headers::{add_to, plain, text};
use crate::declared::{self, REFUSED};

/// A deprecated operation.
#[derive(Clone, Copy, Debug)]
pub struct Deprecation {
    /// The operation's name in the document.
    pub operation: &'static str,
    /// Since when it should not be used.
    pub since: OffsetDateTime,
    /// From when it may be gone.
    pub sunset: OffsetDateTime,
    /// The address of what to use instead.
    pub successor: &'static str,
}

/// The former address of notification preferences.
pub const WISHES: Deprecation = Deprecation {
    operation: "show_wishes",
    since: datetime!(2026-11-23 0:00 UTC),
    sunset: datetime!(2027-06-01 0:00 UTC),
    successor: "/api/v1/me/notification-preferences",
};

/// All deprecated operations.
pub const ALL: [Deprecation; 1] = [WISHES];

impl Deprecation {
    /// The headers of every answer of the operation, for `wrap` in its handler's attribute.
    pub fn headers(self) -> DefaultHeaders {
        let [(deprecation, since), (sunset, end), (_, link)] = self.values();
        DefaultHeaders::new().add((deprecation, since)).add((sunset, end)).add((LINK, link))
    }

    /// Those headers, each with its name.
    #[must_use]
    pub fn values(self) -> [(&'static str, String); 3] {
        [
            ("Deprecation", format!("@{}", self.since.unix_timestamp())),
            ("Sunset", http_date(self.sunset)),
            ("Link", format!("<{}>; rel=\"successor-version\"", self.successor)),
        ]
    }
}

/// As in `Tue, 01 Jun 2027 00:00:00 GMT` (RFC 9110, section 5.6.7).
fn http_date(at: OffsetDateTime) -> String {
    at.format(&Rfc2822).expect("a year of four digits").replace("+0000", "GMT")
}

/// Marks the operations in the document.
///
/// # Panics
/// If one is not in the document.
pub fn mark(document: &mut OpenApi) {
    let any_refusal = document.components.as_ref().and_then(|all| all.responses.get("Problem")).cloned();
    for deprecation in ALL {
        let mut operations = document.paths.paths.values_mut().flat_map(declared::operations);
        let named = |id: &Option<String>| id.as_deref() == Some(deprecation.operation);
        let operation = operations.find(|operation| named(&operation.operation_id));
        let operation = operation.unwrap_or_else(|| panic!("there is no {}", deprecation.operation));
        operation.deprecated = Some(Deprecated::True);
        // Its refusals have these headers too, so that they are not those of every operation.
        let refused = operation.responses.responses.get_mut(REFUSED);
        if let (Some(refused), Some(RefOr::T(any))) = (refused, &any_refusal) {
            let RefOr::Ref(named) = &*refused else { continue };
            let mut own = any.clone();
            // One without codes of its own is told by the general words.
            if !named.description.is_empty() {
                own.description.clone_from(&named.description);
            }
            *refused = own.into();
        }
        let statuses: Vec<String> = operation.responses.responses.keys().cloned().collect();
        for status in statuses {
            for (name, value) in deprecation.values() {
                let says = match name {
                    "Deprecation" => "Since when this operation should not be used (RFC 9745).",
                    "Sunset" => "From when it may be gone (RFC 8594).",
                    _ => "What to use instead.",
                };
                // Described once.
                let header = if status == REFUSED { plain() } else { text(says, &value) };
                add_to(operation, &status, name, header);
            }
        }
    }
}
