//! Compresses whole answers with Brotli or Zstandard, for clients that prefer one of them. [`super::compress`] does the rest with gzip.
//!
//! A whole body is compressed at once: an encoder that waited for a slow reader would hold a megabyte meanwhile. Streams, such as
//! records, are gzipped.

use std::io::Write;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    self, AcceptEncoding, CONTENT_ENCODING, CONTENT_TYPE, ContentEncoding, Encoding, HeaderMap, HeaderValue,
};
use actix_web::{Error, HttpMessage, web};
use bytes::Bytes;

/// Smaller bodies do not gain enough.
const LEAST_BYTES: usize = 512;

/// Larger bodies are compressed on another thread.
const MAX_BYTES_ON_THIS_THREAD: usize = 16 * 1024;

/// Compresses a third better than gzip as it is set here, and about as fast.
const BROTLI_QUALITY: u32 = 4;

/// The base-2 logarithm of the window, in bytes: 256 KiB, more than nearly every answer.
const BROTLI_WINDOW: u32 = 18;

const ZSTD_LEVEL: i32 = 3;

/// What is negotiated; earlier ones are preferred where the client likes several equally.
const OFFERED: [Encoding; 4] = [Encoding::brotli(), Encoding::zstd(), Encoding::gzip(), Encoding::identity()];

/// A compression of this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preferred {
    Brotli,
    Zstd,
}

/// What the client prefers, if it is one of these.
pub fn preferred(request: &ServiceRequest) -> Option<Preferred> {
    match request.get_header::<AcceptEncoding>()?.negotiate(OFFERED.iter())? {
        Encoding::Known(ContentEncoding::Brotli) => Some(Preferred::Brotli),
        Encoding::Known(ContentEncoding::Zstd) => Some(Preferred::Zstd),
        _ => None,
    }
}

/// Whether the body is whole, and compressing it gains something.
pub fn is_compressible(answer: &ServiceResponse<BoxBody>) -> bool {
    let headers = answer.headers();
    let whole =
        matches!(answer.response().body().size(), BodySize::Sized(bytes) if bytes >= LEAST_BYTES as u64);
    whole && !headers.contains_key(CONTENT_ENCODING) && !is_packed(headers)
}

/// Whether the body is of a kind that is compressed in itself.
fn is_packed(headers: &HeaderMap) -> bool {
    let media_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let is_svg = media_type.starts_with(b"image/svg");
    media_type.starts_with(b"application/zip") || (media_type.starts_with(b"image/") && !is_svg)
}

/// The answer with a compressed body.
pub async fn compressed(
    answer: ServiceResponse<BoxBody>,
    preferred: Preferred,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let (request, response) = answer.into_parts();
    let (response, body) = response.into_parts();
    let body = match body.try_into_bytes() {
        Ok(body) => body,
        Err(body) => return Ok(ServiceResponse::new(request, response.set_body(body))),
    };
    let packed = if body.len() <= MAX_BYTES_ON_THIS_THREAD {
        pack(&body, preferred)
    } else {
        let body = body.clone();
        web::block(move || pack(&body, preferred)).await.ok().flatten()
    };
    let mut answer = ServiceResponse::new(request, response.set_body(BoxBody::new(body)));
    let Some(packed) = packed else { return Ok(answer) };
    let encoding = match preferred {
        Preferred::Brotli => HeaderValue::from_static("br"),
        Preferred::Zstd => HeaderValue::from_static("zstd"),
    };
    let headers = answer.headers_mut();
    headers.insert(CONTENT_ENCODING, encoding);
    headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    Ok(answer.map_body(|_, _| BoxBody::new(packed)))
}

/// The compressed body; `None` if that failed, which memory's end alone can cause.
fn pack(body: &[u8], preferred: Preferred) -> Option<Bytes> {
    match preferred {
        Preferred::Brotli => {
            let mut writer = brotli::CompressorWriter::new(
                Vec::new(),
                body.len().min(32 * 1024),
                BROTLI_QUALITY,
                BROTLI_WINDOW,
            );
            writer.write_all(body).ok()?;
            Some(writer.into_inner().into())
        }
        Preferred::Zstd => zstd::bulk::compress(body, ZSTD_LEVEL).ok().map(Bytes::from),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use actix_web::test::TestRequest;

    use super::*;

    fn preferred_by(accepted: &str) -> Option<Preferred> {
        preferred(&TestRequest::default().insert_header((header::ACCEPT_ENCODING, accepted)).to_srv_request())
    }

    #[test]
    fn the_client_s_preference_decides_and_brotli_is_first_among_equals() {
        for (accepted, expected) in [
            ("gzip, deflate, br, zstd", Some(Preferred::Brotli)),
            ("zstd", Some(Preferred::Zstd)),
            ("br;q=0.5, zstd;q=0.9, gzip;q=0.8", Some(Preferred::Zstd)),
            ("gzip, br;q=0.1", None),
            ("gzip", None),
            ("br;q=0", None),
            ("identity", None),
            ("", None),
            ("rubbish", None),
        ] {
            assert_eq!(preferred_by(accepted), expected, "{accepted}");
        }
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let body = br#"{"status":"running","seats":2}"#.repeat(3000);
        let brotli = pack(&body, Preferred::Brotli).expect("packed");
        let mut unpacked = Vec::new();
        brotli::Decompressor::new(brotli.as_ref(), 4096).read_to_end(&mut unpacked).expect("Brotli");
        assert_eq!(unpacked, body);
        let zstd = pack(&body, Preferred::Zstd).expect("packed");
        assert_eq!(zstd::bulk::decompress(&zstd, body.len()).expect("Zstandard"), body);
        assert!(brotli.len() < body.len() / 50 && zstd.len() < body.len() / 50);
    }
}
