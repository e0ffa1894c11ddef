//! A real S3-compatible server, on a folder of its own. It checks signatures.

use std::fs;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pippost::archive::Access;
use tempfile::TempDir;

use crate::port::free_port;

/// The bucket that it begins with.
pub const BUCKET: &str = "pippost-games";

/// The one access key that the server knows.
const KEY_ID: &str = "pippost";
const KEY: &str = "a-secret-key-of-a-test";

/// How long it may take to start.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A running server, stopped on drop.
pub struct S3Server {
    child: Child,
    port: u16,
    folder: TempDir,
}

impl S3Server {
    /// Starts the program that `PIPPOST_S3_SERVER` names.
    pub fn start() -> Self {
        let program =
            std::env::var_os("PIPPOST_S3_SERVER").expect("PIPPOST_S3_SERVER (.ci/install-s3 prints it)");
        let folder = tempfile::tempdir().expect("a folder");
        let port = free_port();
        fs::create_dir(folder.path().join(BUCKET)).expect("a bucket");
        let child = Command::new(program)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .args(["--access-key", KEY_ID, "--secret-key", KEY])
            .arg(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the server runs");
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < TIME_LIMIT, "the S3 server does not start");
        }
        Self { child, port, folder }
    }

    pub fn access(&self) -> Access {
        Access {
            endpoint: Some(format!("http://127.0.0.1:{}", self.port)),
            region: "us-east-1".to_owned(),
            key: Some((KEY_ID.to_owned(), KEY.to_owned())),
        }
    }

    /// The file of an object.
    fn file(&self, prefix: &str, name: &str) -> PathBuf {
        self.folder.path().join(BUCKET).join(prefix).join(&name[..2]).join(format!("{name}.game"))
    }

    /// Changes the last byte of an object.
    pub fn change(&self, prefix: &str, name: &str) {
        let object = self.file(prefix, name);
        let mut bytes = fs::read(&object).expect("an object");
        *bytes.last_mut().expect("a byte") ^= 1;
        fs::write(object, bytes).expect("a changed object");
    }

    pub fn remove(&self, prefix: &str, name: &str) {
        fs::remove_file(self.file(prefix, name)).expect("an object");
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
