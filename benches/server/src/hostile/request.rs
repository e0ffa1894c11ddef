//! Requests as bytes, without any validation.

use bytes::Bytes;

/// A request. Clones share long bodies.
#[derive(Clone, Debug)]
pub struct Request {
    pub head: Vec<u8>,
    pub body: Bytes,
}

impl Request {
    /// A request with no header except `Host`.
    #[must_use]
    pub fn new(method: &str, target: impl AsRef<[u8]>) -> Self {
        let head = [method.as_bytes(), b" ", target.as_ref(), b" HTTP/1.1\r\nHost: localhost\r\n"].concat();
        Self { head, body: Bytes::new() }
    }

    #[must_use]
    pub fn get(target: impl AsRef<[u8]>) -> Self {
        Self::new("GET", target)
    }

    #[must_use]
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.head.extend_from_slice(&[name.as_bytes(), b": ", value.as_ref(), b"\r\n"].concat());
        self
    }

    #[must_use]
    pub fn token(self, token: &str) -> Self {
        self.header("Authorization", format!("Bearer {token}"))
    }

    #[must_use]
    pub fn body(self, media_type: &str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let typed = self.header("Content-Type", media_type).header("Content-Length", body.len().to_string());
        Self { body, ..typed }
    }

    #[must_use]
    pub fn json(self, body: impl Into<Bytes>) -> Self {
        self.body("application/json", body)
    }

    /// All bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        [&self.whole_head(), self.body.as_ref()].concat()
    }

    /// The head's bytes.
    #[must_use]
    pub fn whole_head(&self) -> Vec<u8> {
        [self.head.as_slice(), b"\r\n"].concat()
    }
}
