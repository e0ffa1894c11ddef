//! What a request for a feed says: form, cursor and snapshots.

use actix_web::HttpRequest;
use actix_web::http::header::{ACCEPT, HeaderName, HeaderValue};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::foreign_cursor;
use crate::text::TokenText;
use crate::{Code, Problem};
use pippost_store::EventId;
use pippost_store::events::MAX_PAGE;

/// The header in which clients of server-sent events send the last id when they connect again.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The longest wait for a page, in seconds.
pub const MAX_WAIT_SECONDS: u8 = 60;

/// What to tell of a game, and from where on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FeedQuery {
    /// The `id` of the last event that you have, or the `cursor` of the last page; without it the feed begins with event 0, or
    /// after the snapshot.
    #[param(pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:(0|[1-9][0-9]{0,17})$")]
    pub after: Option<String>,
    /// Whether to show the game as you may see it: not at all; first, unless the request has a cursor; or first and after each burst of events.
    #[serde(default)]
    #[param(inline)]
    pub snapshot: SnapshotName,
    /// For pages: how many seconds to wait if there is no event yet.
    #[serde(default)]
    #[param(maximum = 60, default = 0)]
    pub wait: u8,
    /// For pages: the most events.
    #[serde(default = "default_limit")]
    #[param(minimum = 1, maximum = 500, default = 100)]
    pub limit: u16,
    /// An invitation to a private game, or the token from a mail's link.
    pub token: Option<TokenText>,
}

pub(super) fn default_limit() -> u16 {
    100
}

/// What to tell of all games of a player, and from where on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MyFeedQuery {
    /// The `id` of the last event that you have, or the `cursor` of the last page; without it the feed begins with the first, or
    /// after the snapshot.
    #[param(pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:(0|[1-9][0-9]{0,17})$")]
    pub after: Option<String>,
    /// Whether to name your running games first, each with its newest event, unless the request has a cursor.
    #[serde(default)]
    #[param(inline)]
    pub snapshot: MySnapshotName,
    /// For pages: how many seconds to wait if there is no event yet.
    #[serde(default)]
    #[param(maximum = 60, default = 0)]
    pub wait: u8,
    /// For pages: the most events.
    #[serde(default = "default_limit")]
    #[param(minimum = 1, maximum = 500, default = 100)]
    pub limit: u16,
}

/// Checks the numbers of a query.
///
/// # Errors
/// [`Code::InvalidValue`].
pub fn check(wait: u8, limit: u16) -> Result<(), Problem> {
    let refuse = |field, why: String| Err(Problem::new(Code::InvalidValue).detail(why).with("field", field));
    if wait > MAX_WAIT_SECONDS {
        return refuse("wait", format!("wait: 0 to {MAX_WAIT_SECONDS}"));
    }
    if !(1..=MAX_PAGE).contains(&limit) {
        return refuse("limit", format!("limit: 1 to {MAX_PAGE}"));
    }
    Ok(())
}

/// Whether to name the games first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MySnapshotName {
    #[default]
    None,
    First,
}

/// When to show the game itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotName {
    #[default]
    None,
    First,
    Each,
}

/// The last event that a reader has: that of the header, or `after`.
///
/// # Errors
/// It is no id of an event, or one of another game or tournament than `only`.
pub fn cursor(
    request: &HttpRequest,
    after: Option<&str>,
    only: Option<Uuid>,
) -> Result<Option<EventId>, Problem> {
    // A client of server-sent events that has got no id yet may send an empty one.
    let header = request.headers().get(LAST_EVENT_ID).filter(|value| !value.is_empty());
    let text = match header {
        Some(value) => Some(value.to_str().map_err(|_| foreign_cursor(true))?),
        None => after,
    };
    let Some(text) = text else { return Ok(None) };
    let id = text.parse::<EventId>().map_err(|_| foreign_cursor(header.is_some()))?;
    if only.is_some_and(|game_id| id.game_id != game_id) {
        return Err(Problem::new(Code::NotFound)
            .detail("there is no such event here")
            .with("field", "after"));
    }
    Ok(Some(id))
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A page of JSON.
    Page,
    Ndjson,
    /// Server-sent events.
    Sse,
}

impl Form {
    /// The first form that `Accept` names; a page if it names none.
    #[must_use]
    pub fn accepted_by(request: &HttpRequest) -> Self {
        let values = request.headers().get_all(ACCEPT).filter_map(|value| value.to_str().ok());
        let mut types = values
            .flat_map(|value| value.split(','))
            .map(|range| range.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
        let form = types.find_map(|media_type| match media_type.as_str() {
            "text/event-stream" => Some(Self::Sse),
            "application/x-ndjson" => Some(Self::Ndjson),
            "application/json" => Some(Self::Page),
            _ => None,
        });
        form.unwrap_or(Self::Page)
    }

    /// The media type.
    #[must_use]
    pub fn media_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Page => "application/json",
            Self::Ndjson => "application/x-ndjson",
            Self::Sse => "text/event-stream",
        })
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_first_known_media_type_is_the_form() {
        let form = |accept: &str| {
            Form::accepted_by(&TestRequest::default().insert_header((ACCEPT, accept)).to_http_request())
        };
        assert_eq!(form("text/event-stream"), Form::Sse);
        assert_eq!(form("text/html, Application/X-NDJSON;q=0.5, application/json"), Form::Ndjson);
        assert_eq!((form("*/*"), form("application/json, text/event-stream")), (Form::Page, Form::Page));
    }
}
