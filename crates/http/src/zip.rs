//! Files that are packed while they are sent.

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, ContentEncoding};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt};

use super::admission::{Admitted, Archiving};
use super::problem::Problem;
use pippost_games::GameError;

/// The name of the file with all data of a player.
pub const DATA_FILE: &str = "pippost-data.zip";

/// A ZIP that is made while it is sent.
pub fn zip(
    admitted: Admitted<Archiving>,
    name: &str,
    bytes: impl Stream<Item = Result<Bytes, GameError>> + 'static,
) -> HttpResponse {
    let place = admitted.into_permit();
    let bytes = bytes.inspect(move |_| {
        // Held until all bytes are sent, or the client has disconnected.
        let _ = &place;
    });
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/zip"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        // A ZIP is already compressed.
        .insert_header(ContentEncoding::Identity)
        .streaming(Box::pin(bytes.map_err(Problem::from)))
}
