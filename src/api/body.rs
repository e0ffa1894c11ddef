//! Bodies that are not JSON: read to their end, up to a limit.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, web};
use bytes::Bytes;
use futures_util::StreamExt;

use super::problem::{Code, Problem};

/// The size of a part of a body that is still being read, in bytes.
const PART_BYTES: usize = 64 * 1024;

/// The whole body.
///
/// # Errors
/// It is longer than `limit_bytes`, which `too_large` puts into words, came too slowly, or not to its end.
pub async fn read(
    mut payload: web::Payload,
    limit_bytes: usize,
    too_large: impl Fn() -> Problem,
) -> Result<Bytes, Problem> {
    let mut body = Parts::default();
    while let Some(piece) = payload.next().await {
        let piece = piece.map_err(|error| Problem::from(&error))?;
        if body.bytes + piece.len() > limit_bytes {
            return Err(too_large());
        }
        body.push(&piece);
    }
    Ok(body.whole())
}

/// A body in parts of one size, which takes hardly more memory than its bytes; one buffer that doubles takes up to three times as much.
#[derive(Default)]
struct Parts {
    parts: Vec<Vec<u8>>,
    bytes: usize,
}

impl Parts {
    fn push(&mut self, mut piece: &[u8]) {
        self.bytes += piece.len();
        while !piece.is_empty() {
            match self.parts.last_mut() {
                Some(last) if last.len() < PART_BYTES => {
                    let (now, later) = piece.split_at(piece.len().min(PART_BYTES - last.len()));
                    last.extend_from_slice(now);
                    piece = later;
                }
                _ => self.parts.push(Vec::with_capacity(PART_BYTES)),
            }
        }
    }

    /// The parts in one; each is given back once it has been copied.
    fn whole(self) -> Bytes {
        let mut whole = Vec::with_capacity(self.bytes);
        for part in self.parts {
            whole.extend_from_slice(&part);
        }
        whole.into()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_body_again() {
        let body: Vec<u8> = (0..=u8::MAX).cycle().take(3 * PART_BYTES + 17).collect();
        for piece_bytes in [1, 1000, PART_BYTES, body.len()] {
            let mut parts = Parts::default();
            body.chunks(piece_bytes).for_each(|piece| parts.push(piece));
            assert!(parts.parts.iter().all(|part| part.capacity() == PART_BYTES));
            assert_eq!(parts.whole(), body);
        }
    }
}
