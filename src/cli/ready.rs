//! Tells systemd that the server is ready (sd_notify(3)), so that what comes after it finds it working.

use std::ffi::OsString;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// Names the socket, where the program is started by systemd.
const SOCKET: &str = "NOTIFY_SOCKET";

/// Tells whoever started the program and waits for that; a failure is logged and costs nothing but the wait.
pub fn tell() {
    if let Some(socket) = std::env::var_os(SOCKET)
        && let Err(error) = tell_at(&socket)
    {
        tracing::warn!(%error, "systemd cannot be told that the server is ready");
    }
}

fn tell_at(socket: &OsString) -> io::Result<()> {
    let address = match socket.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(socket)?,
    };
    UnixDatagram::unbound()?.send_to_addr(b"READY=1", &address)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_with_a_path_and_one_without_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let name = format!("pippost-test-{}", std::process::id());
        let listeners = [
            (UnixDatagram::bind(&path).expect("a socket"), path.clone().into_os_string()),
            (
                UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).expect("a name"))
                    .expect("a socket"),
                format!("@{name}").into(),
            ),
        ];
        for (listener, socket) in listeners {
            tell_at(&socket).expect("told");
            let mut told = [0; 16];
            let length = listener.recv(&mut told).expect("a message");
            assert_eq!(&told[..length], b"READY=1");
        }
        tell_at(&folder.path().join("nobody").into_os_string()).expect_err("nobody listens");
    }
}
