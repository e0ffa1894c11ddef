//! Refuses U+0000 in requests, before any handler or query runs. PostgreSQL text cannot contain it.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::HttpMessage;
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::http::Uri;
use actix_web::http::header::CONTENT_TYPE;
use bytes::Bytes;
use futures_util::Stream;

use super::problem::{Code, Problem};

/// Why a body is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no text may hold U+0000")]
pub struct NulInText;

/// Makes reading a body with U+0000 fail.
pub fn search(request: &mut ServiceRequest) {
    if let Some(notation) = notation_of(request) {
        let payload = request.take_payload();
        let read = WithoutNul { payload, search: Search::new(notation) };
        request.set_payload(Payload::Stream { payload: Box::pin(read) });
    }
}

/// The problem of an address that contains U+0000: no resource has such an address.
pub fn in_address(uri: &Uri) -> Option<Problem> {
    let has = |text: &str| text.contains("%00");
    if has(uri.path()) {
        return Some(Problem::new(Code::NotFound).detail(NulInText.to_string()));
    }
    uri.query().is_some_and(has).then(|| Problem::new(Code::MalformedQuery).detail(NulInText.to_string()))
}

/// The encodings of U+0000 in a body. A raw zero byte is refused in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    /// `\u0000`
    Json,
    /// `%00`
    Form,
}

fn notation_of(request: &ServiceRequest) -> Option<Notation> {
    let kind = request.headers().get(CONTENT_TYPE)?.as_bytes();
    let begins = |with: &[u8]| kind.get(..with.len()).is_some_and(|kind| kind.eq_ignore_ascii_case(with));
    if begins(b"application/x-www-form-urlencoded") {
        return Some(Notation::Form);
    }
    // This includes `application/problem+json` and similar types, which are parsed as JSON.
    let is_json = kind.windows(4).any(|part| part.eq_ignore_ascii_case(b"json"));
    // Records may contain anything, because they are verified but not stored.
    (is_json && !begins(b"application/x-ndjson")).then_some(Notation::Json)
}

/// A body that fails with [`NulInText`] at U+0000.
struct WithoutNul {
    payload: Payload,
    search: Search,
}

impl Stream for WithoutNul {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        Pin::new(&mut this.payload).poll_next(context).map(|next| {
            next.map(|chunk| match chunk {
                Ok(chunk) if this.search.finds_in(&chunk) => {
                    Err(PayloadError::Io(std::io::Error::new(std::io::ErrorKind::InvalidData, NulInText)))
                }
                chunk => chunk,
            })
        })
    }
}

/// Whether reading a body failed because of U+0000.
#[must_use]
pub fn is_nul(error: &PayloadError) -> bool {
    let PayloadError::Io(error) = error else { return false };
    let Some(inner) = error.get_ref() else { return false };
    inner.is::<NulInText>()
}

/// Searches the chunks of a body for U+0000.
#[derive(Clone, Copy, Debug)]
struct Search {
    notation: Notation,
    /// How many bytes of the encoding the last bytes have matched.
    matched: usize,
}

impl Search {
    const fn new(notation: Notation) -> Self {
        Self { notation, matched: 0 }
    }

    fn finds_in(&mut self, piece: &[u8]) -> bool {
        let wanted: &[u8] = match self.notation {
            Notation::Json => b"\\u0000",
            Notation::Form => b"%00",
        };
        // Fast path: nearly all bodies contain none of these bytes.
        if piece.contains(&0) {
            return true;
        }
        if self.matched == 0 && !piece.contains(&wanted[0]) {
            return false;
        }
        for &byte in piece {
            self.matched = match (self.notation, self.matched) {
                // The second backslash is an escaped character and begins no escape.
                (Notation::Json, 1) if byte == b'\\' => 0,
                (_, matched) if byte == wanted[matched] => matched + 1,
                _ => usize::from(byte == wanted[0]),
            };
            if self.matched == wanted.len() {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(notation: Notation, text: &[u8]) -> bool {
        let whole = Search::new(notation).finds_in(text);
        let mut search = Search::new(notation);
        let in_pieces = text.chunks(1).any(|piece| search.finds_in(piece));
        assert_eq!(whole, in_pieces, "{text:?}");
        whole
    }

    #[test]
    fn nul_is_found_in_json_however_it_is_written_and_cut() {
        for text in [
            r#""\u0000""#,
            r#""\\\u0000""#,
            r#""\u0001\u0000""#,
            r#""\u00\u0000""#,
            "\"a\0b\"",
            r#"{"\u0000":1}"#,
        ] {
            assert!(found(Notation::Json, text.as_bytes()), "{text}");
        }
        for text in [
            r#""\\u0000""#,
            r#""\\\\u0000""#,
            r#""\u0001""#,
            r#""\u00010000""#,
            r#""\n0000""#,
            "\"u0000\"",
            "{}",
            "",
        ] {
            assert!(!found(Notation::Json, text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn every_escape_that_json_reads_as_nul_is_found_and_no_other() {
        // Compares all short texts of the relevant characters with what the JSON parser reads.
        let characters = [b'\\', b'u', b'0', b'1', b'n'];
        for length in 0..=8_u32 {
            for mut number in 0..5_usize.pow(length) {
                let mut text = vec![b'"'];
                for _ in 0..length {
                    text.push(characters[number % 5]);
                    number /= 5;
                }
                text.push(b'"');
                if let Ok(read) = serde_json::from_slice::<String>(&text) {
                    assert_eq!(Search::new(Notation::Json).finds_in(&text), read.contains('\0'), "{read:?}");
                }
            }
        }
    }

    #[test]
    fn nul_is_found_in_forms() {
        for text in ["a=%00", "a=%%00", "a=%0%00b", "a=\0"] {
            assert!(found(Notation::Form, text.as_bytes()), "{text}");
        }
        for text in ["a=%01", "a=%0", "a=00", "a=\\u0000", ""] {
            assert!(!found(Notation::Form, text.as_bytes()), "{text}");
        }
    }
}
