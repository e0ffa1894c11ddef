//! Refuses a line of a request's head that ends in LF alone: servers and proxies that read it differently see different requests. The
//! HTTP parser takes such lines, so this finds where heads begin and end, and spoils the LF: what is left is no head to any parser.

/// What stands in place of a bare LF; no head may hold it.
const SPOILED: u8 = 0;

/// The most bytes of a line that are kept: enough for the headers that say how long a body is.
const KEPT_BYTES: usize = 48;

/// How far the requests of a connection have been read.
#[derive(Debug)]
pub(super) enum HeadLines {
    /// In a head: the beginning of the line, its length, and what earlier lines say of the body.
    Head { line: [u8; KEPT_BYTES], length: usize, last: u8, body: Body },
    /// In a body of so many more bytes.
    Body(u64),
    /// In the line that tells a chunk's size, or in a line after the last chunk.
    ChunkLine { size: u64, digits: bool, length: usize, is_after_last: bool },
    /// In a chunk of so many more bytes, the CRLF after it included.
    Chunk(u64),
    /// Something was spoiled; the connection ends with its refusal.
    Refused,
}

/// How long a body is, as far as the head has told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    Bytes(u64),
    Chunks,
}

impl Default for HeadLines {
    fn default() -> Self {
        Self::Head { line: [0; KEPT_BYTES], length: 0, last: 0, body: Body::Bytes(0) }
    }
}

impl HeadLines {
    /// Reads on, and spoils the first LF of a head that has no CR before it.
    pub fn read(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let read = match self {
                Self::Refused => return,
                Self::Body(left) | Self::Chunk(left) => {
                    let read = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
                    *left -= read as u64;
                    read
                }
                Self::Head { .. } | Self::ChunkLine { .. } => {
                    self.byte(&mut bytes[0]);
                    1
                }
            };
            bytes = &mut bytes[read..];
            match self {
                Self::Body(0) => *self = Self::default(),
                Self::Chunk(0) => *self = Self::chunk_line(false),
                _ => {}
            }
        }
    }

    fn chunk_line(is_after_last: bool) -> Self {
        Self::ChunkLine { size: 0, digits: true, length: 0, is_after_last }
    }

    fn byte(&mut self, byte: &mut u8) {
        match self {
            Self::Head { line, length, last, body } => {
                if *byte != b'\n' {
                    if let Some(place) = line.get_mut(*length) {
                        *place = *byte;
                    }
                    (*length, *last) = (*length + 1, *byte);
                } else if *last != b'\r' || is_cut_off(line, *length) {
                    *byte = SPOILED;
                    *self = Self::Refused;
                } else {
                    let (kept, is_empty) = (&line[..(*length - 1).min(KEPT_BYTES)], *length == 1);
                    let body = told(kept).unwrap_or(*body);
                    *self = if is_empty { Self::after_head(body) } else { Self::line_after(body) };
                }
            }
            Self::ChunkLine { size, digits, length, is_after_last } => match (*byte, *is_after_last) {
                (b'\n', false) if *size == 0 => *self = Self::chunk_line(true),
                (b'\n', false) => *self = Self::Chunk(size.saturating_add(2)),
                (b'\n', true) if *length == 0 => *self = Self::default(),
                (b'\n', true) => *length = 0,
                (b'\r', _) => {}
                (other, after) => {
                    *length += 1;
                    let digit = char::from(other).to_digit(16).filter(|_| *digits && !after);
                    match digit {
                        Some(digit) => *size = size.saturating_mul(16).saturating_add(digit.into()),
                        None => *digits = false,
                    }
                }
            },
            Self::Body(_) | Self::Chunk(_) | Self::Refused => {}
        }
    }

    fn line_after(body: Body) -> Self {
        Self::Head { line: [0; KEPT_BYTES], length: 0, last: 0, body }
    }

    /// An empty line before a request belongs to no head, and says the same: no body.
    fn after_head(body: Body) -> Self {
        match body {
            Body::Bytes(0) => Self::default(),
            Body::Bytes(length) => Self::Body(length),
            Body::Chunks => Self::chunk_line(false),
        }
    }
}

/// Whether a header that says how long the body is was not kept whole: nobody writes it so long who means well.
fn is_cut_off(line: &[u8], length: usize) -> bool {
    length > KEPT_BYTES && told(line).is_some()
}

/// What a header says of the body. Heads that contradict themselves are refused by the HTTP parser.
fn told(line: &[u8]) -> Option<Body> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
    if name.eq_ignore_ascii_case(b"content-length") {
        let value = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
        return Some(Body::Bytes(value.unwrap_or_default()));
    }
    name.eq_ignore_ascii_case(b"transfer-encoding").then_some(Body::Chunks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the bytes are left as they are, read whole and byte by byte.
    fn passes(text: &str) -> bool {
        let spoiled = |piece: usize| {
            let (mut lines, mut bytes) = (HeadLines::default(), text.as_bytes().to_vec());
            bytes.chunks_mut(piece).for_each(|piece| lines.read(piece));
            bytes != text.as_bytes()
        };
        assert_eq!(spoiled(1), spoiled(text.len()), "{text:?}");
        !spoiled(1)
    }

    const BODY: &str = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n\n\n\n\n";
    const CHUNKS: &str = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\n\n\n\n\r\nA\r\n\n\n\n\n\n\n\n\n\n\n\r\n0\r\nt: 1\r\n\r\n";

    #[test]
    fn bodies_may_hold_any_line_and_the_next_head_is_read_again() {
        for text in [BODY, CHUNKS] {
            assert!(passes(text));
            assert!(passes(&format!("{text}{BODY}{CHUNKS}GET / HTTP/1.1\r\n\r\n")));
            assert!(!passes(&format!("{text}{CHUNKS}GET / HTTP/1.1\nHost: x\r\n\r\n")), "{text:?}");
        }
    }

    #[test]
    fn a_bare_lf_anywhere_in_a_head_is_spoiled() {
        for text in [
            "GET / HTTP/1.1\n\n",
            "GET / HTTP/1.1\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n\n",
            "\nGET / HTTP/1.1\r\n\r\n",
            "\r\n\nGET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 000000000000000000000000000000000004\r\n\r\nbody",
        ] {
            assert!(!passes(text), "{text:?}");
        }
        assert!(passes("\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    }
}
