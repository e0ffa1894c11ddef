//! The address a process listens on: an address and port of TCP, or a Unix socket.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The prefix of a Unix socket's path.
const UNIX: &str = "unix:";

/// The error for a text that is no endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither an address and port, as 127.0.0.1:8080, nor `unix:` and the path of a socket")]
pub struct EndpointError;

/// An address to listen on or connect to, written as `127.0.0.1:8080` or `unix:/run/pippost/http.sock`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl FromStr for Endpoint {
    type Err = EndpointError;

    fn from_str(text: &str) -> Result<Self, EndpointError> {
        let text = text.trim();
        match text.strip_prefix(UNIX) {
            Some("") => Err(EndpointError),
            Some(path) => Ok(Self::Unix(path.into())),
            None => text.parse().map(Self::Tcp).map_err(|_| EndpointError),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(out),
            Self::Unix(path) => write!(out, "{UNIX}{}", path.display()),
        }
    }
}

impl From<SocketAddr> for Endpoint {
    fn from(address: SocketAddr) -> Self {
        Self::Tcp(address)
    }
}

/// A listening socket.
#[derive(Debug)]
pub enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Self {
        Self::Tcp(listener)
    }
}

impl Listener {
    /// The address of a TCP listener.
    #[must_use]
    pub fn tcp_address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok(),
            Self::Unix(_) => None,
        }
    }
}

/// The file of a Unix socket; removed on drop.
#[derive(Debug)]
pub struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_file(&self.0);
    }
}

impl Endpoint {
    /// Opens the socket. Replaces the file of a Unix socket that an earlier process left, but not one on which a process
    /// listens. Its folder and the process's umask decide who may use it. The returned [`SocketFile`] removes the file.
    ///
    /// # Errors
    /// The socket cannot be opened.
    pub fn bind(&self) -> io::Result<(Listener, Option<SocketFile>)> {
        match self {
            Self::Tcp(address) => Ok((Listener::Tcp(TcpListener::bind(address)?), None)),
            Self::Unix(path) => {
                remove_if_left(path)?;
                Ok((Listener::Unix(UnixListener::bind(path)?), Some(SocketFile(path.clone()))))
            }
        }
    }
}

/// Removes a socket on which no process listens. Any other file stays, and binding fails.
fn remove_if_left(path: &Path) -> io::Result<()> {
    let is_socket = std::fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
    let left =
        || UnixStream::connect(path).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
    if is_socket && left() { std::fs::remove_file(path) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_written_as_it_is_read() {
        for text in ["127.0.0.1:8080", "[::1]:24", "0.0.0.0:1", "unix:/run/pippost/http.sock", "unix:here"] {
            assert_eq!(text.parse::<Endpoint>().expect(text).to_string(), text);
        }
        for bad in ["", "unix:", "/run/x", "localhost:8080", "127.0.0.1", "8080"] {
            assert_eq!(bad.parse::<Endpoint>(), Err(EndpointError), "{bad}");
        }
    }

    #[test]
    fn a_socket_is_replaced_once_nobody_listens_and_removed_in_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("socket");
        let endpoint = Endpoint::Unix(path.clone());
        let (listener, file) = endpoint.bind().expect("a new socket");
        assert_eq!(listener.tcp_address(), None);
        assert_eq!(endpoint.bind().expect_err("in use").kind(), io::ErrorKind::AddrInUse);
        assert!(path.exists(), "who is refused removes nothing");
        drop(listener);
        std::mem::forget(file);
        let (_listener, file) = endpoint.bind().expect("one that was left");
        drop(file);
        assert!(!path.exists());
    }

    #[test]
    fn what_is_no_socket_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("letter");
        std::fs::write(&path, "dear ann").expect("a file");
        assert_eq!(Endpoint::Unix(path.clone()).bind().expect_err("a file").kind(), io::ErrorKind::AddrInUse);
        assert_eq!(std::fs::read_to_string(&path).expect("still there"), "dear ann");
    }
}
