//! Bodies that are not JSON: read to their end, up to a limit.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, web};
use bytes::Bytes;
use futures_util::StreamExt;

use super::problem::{Code, Problem};

/// The whole body. `count` is told of the bytes of each piece before it is kept.
///
/// # Errors
/// It is longer than `limit_bytes`, which `too_large` puts into words, came too slowly, or not to its end; or what `count` says.
pub async fn read(
    mut payload: web::Payload,
    limit_bytes: usize,
    too_large: impl Fn() -> Problem,
    mut count: impl FnMut(u64) -> Result<(), Problem>,
) -> Result<Bytes, Problem> {
    // Room that nothing was written to takes no memory; a buffer that grows would be copied, and leave its smaller ones behind.
    let mut body = Vec::with_capacity(limit_bytes);
    while let Some(piece) = payload.next().await {
        let piece = piece.map_err(|error| Problem::from(&error))?;
        if body.len() + piece.len() > limit_bytes {
            return Err(too_large());
        }
        count(piece.len() as u64)?;
        body.extend_from_slice(&piece);
    }
    Ok(body.into())
}

/// Refuses a body of another media type than `media_type`.
///
/// # Errors
/// [`Code::UnsupportedMediaType`].
pub fn expect_media_type(request: &HttpRequest, media_type: &str, why: &str) -> Result<(), Problem> {
    let given = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    if given.eq_ignore_ascii_case(media_type) {
        return Ok(());
    }
    Err(Problem::new(Code::UnsupportedMediaType).detail(why))
}
