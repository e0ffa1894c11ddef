//! Objects as files of a folder. A file is complete and on disk before it has its name.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::{ArchiveError, Cursor, Listed, MAX_OBJECT_BYTES, name_at, path_of};
use pippost_record::record::Hash;

/// A folder of objects. The operator makes it: one that is missing is a disk that is not mounted.
pub(super) struct Files {
    root: PathBuf,
}

fn unreachable(error: &io::Error) -> ArchiveError {
    ArchiveError::Unreachable(error.to_string())
}

/// File systems block, so they are asked on other threads.
async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ArchiveError> + Send + 'static,
) -> Result<T, ArchiveError> {
    let stumbled = |_panic| ArchiveError::Unreachable("the program stumbled".to_owned());
    tokio::task::spawn_blocking(work).await.map_err(stumbled)?
}

impl Files {
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    pub async fn put(&self, name: Hash, object: Bytes) -> Result<(), ArchiveError> {
        let root = self.root.clone();
        off_thread(move || write(&root, name, &object).map_err(|error| unreachable(&error))).await
    }

    pub async fn get(&self, name: Hash) -> Result<Vec<u8>, ArchiveError> {
        let root = self.root.clone();
        off_thread(move || read(&root, name)).await
    }

    /// A page is one of the 256 folders.
    pub async fn list(&self, cursor: Cursor) -> Result<(Vec<Listed>, Cursor), ArchiveError> {
        let root = self.root.clone();
        off_thread(move || list(&root, cursor).map_err(|error| unreachable(&error))).await
    }
}

fn write(root: &Path, name: Hash, object: &[u8]) -> io::Result<()> {
    let path = root.join(path_of(name));
    let folder = path.parent().unwrap_or(root);
    if !folder.is_dir() {
        match fs::create_dir(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => File::open(root)?.sync_all()?,
        }
    }
    // Several processes may write the same object.
    let part = folder.join(format!(".{name}.{}.part", uuid::Uuid::new_v4()));
    let written = (|| {
        let mut file = File::options().write(true).create_new(true).open(&part)?;
        file.write_all(object)?;
        file.sync_all()?;
        fs::rename(&part, &path)?;
        File::open(folder)?.sync_all()
    })();
    if written.is_err() {
        // What stays is listed as unreferenced.
        let _ = fs::remove_file(&part);
    }
    written
}

fn read(root: &Path, name: Hash) -> Result<Vec<u8>, ArchiveError> {
    let file = match File::open(root.join(path_of(name))) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound && root.is_dir() => {
            return Err(ArchiveError::Missing(name));
        }
        Err(error) => return Err(unreachable(&error)),
    };
    let mut bytes = Vec::new();
    let most = u64::try_from(MAX_OBJECT_BYTES).unwrap_or(u64::MAX);
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| unreachable(&error))?;
    if bytes.len() > MAX_OBJECT_BYTES {
        return Err(ArchiveError::Altered(name, "it is too large"));
    }
    Ok(bytes)
}

/// The folders in order; after the last one what else lies in the root is not looked at.
fn list(root: &Path, cursor: Cursor) -> io::Result<(Vec<Listed>, Cursor)> {
    let number = cursor.and_then(|number| number.parse::<u8>().ok()).unwrap_or(0);
    let next = number.checked_add(1).map(|next| next.to_string());
    let folder = format!("{number:02x}");
    let entries = match fs::read_dir(root.join(&folder)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound && root.is_dir() => {
            return Ok((Vec::new(), next));
        }
        Err(error) => return Err(error),
    };
    let mut listed = Vec::new();
    for entry in entries {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        listed.push(Listed { name: name_at(&path), bytes: entry.metadata()?.len(), path });
    }
    Ok((listed, next))
}
