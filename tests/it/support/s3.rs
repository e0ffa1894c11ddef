//! A real S3-compatible server, on a folder of its own. It checks signatures.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pippost::archive::Access;
use tempfile::TempDir;

/// The bucket that it begins with.
const BUCKET: &str = "pippost-games";

/// The one access key that the server knows.
const KEY: &str = "S3RVER";

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
        let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
        let child = Command::new(program)
            .args(["--address", "127.0.0.1", "--port", &port.to_string(), "--silent", "--no-vhost-buckets"])
            .arg("--directory")
            .arg(folder.path())
            .args(["--configure-bucket", BUCKET])
            .stdin(Stdio::null())
            .spawn()
            .expect("the server runs");
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < TIME_LIMIT, "the S3 server does not start");
        }
        Self { child, port, folder }
    }

    pub fn bucket(&self) -> &'static str {
        BUCKET
    }

    pub fn access(&self) -> Access {
        Access {
            endpoint: Some(format!("http://127.0.0.1:{}", self.port)),
            region: "us-east-1".to_owned(),
            key: Some((KEY.to_owned(), KEY.to_owned())),
        }
    }

    /// The files of an object; the server keeps what it knows of it beside it.
    fn files(&self, name: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.file_name().is_some_and(|file| file.to_string_lossy().contains(name)) {
                    found.push(path);
                }
            }
        }
        assert!(!found.is_empty(), "{name} is there");
        found
    }

    /// Changes the last byte of an object.
    pub fn change(&self, name: &str) {
        let object = self.files(name).into_iter().find(|path| path.to_string_lossy().ends_with("_object"));
        let object = object.expect("an object's file");
        let mut bytes = fs::read(&object).expect("an object");
        *bytes.last_mut().expect("a byte") ^= 1;
        fs::write(object, bytes).expect("a changed object");
    }

    pub fn remove(&self, name: &str) {
        for file in self.files(name) {
            fs::remove_file(file).expect("a file");
        }
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
