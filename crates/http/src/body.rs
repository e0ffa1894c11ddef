//! Reads bodies that are not JSON, up to a limit.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, web};
use bytes::Bytes;
use futures_util::StreamExt;

use super::problem::{Code, Problem};

/// The whole body.
///
/// # Errors
/// It is longer than `limit_bytes` (`too_large` makes the problem), arrives too slowly, or is incomplete.
pub async fn read(
    payload: web::Payload,
    limit_bytes: usize,
    too_large: impl Fn() -> Problem,
) -> Result<Bytes, Problem> {
    let mut body = Vec::new();
    let keep = |piece: &[u8]| {
        body.extend_from_slice(piece);
        Ok(())
    };
    read_pieces(payload, limit_bytes, too_large, keep).await?;
    Ok(body.into())
}

/// Passes the chunks of a body to `keep` as they arrive.
///
/// # Errors
/// Those of [`read`] and of `keep`.
pub async fn read_pieces(
    mut payload: web::Payload,
    limit_bytes: usize,
    too_large: impl Fn() -> Problem,
    mut keep: impl FnMut(&[u8]) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut bytes = 0;
    while let Some(piece) = payload.next().await {
        let piece = piece.map_err(|error| Problem::from(&error))?;
        bytes += piece.len();
        if bytes > limit_bytes {
            return Err(too_large());
        }
        keep(&piece)?;
    }
    Ok(())
}

/// Refuses a body of another media type than `media_types`.
///
/// # Errors
/// [`Code::UnsupportedMediaType`].
pub fn expect_media_type(request: &HttpRequest, media_types: &[&str], why: &str) -> Result<(), Problem> {
    let given = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    if media_types.iter().any(|media_type| given.eq_ignore_ascii_case(media_type)) {
        return Ok(());
    }
    Err(Problem::new(Code::UnsupportedMediaType).detail(why))
}
