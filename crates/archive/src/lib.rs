//! Where finished games lie outside the database: one object a game, named by the SHA-256 of its bytes, in a folder or a bucket of an
//! S3-compatible store. Knows neither the database nor any rules; who may be archived and when is decided elsewhere.
#![forbid(unsafe_code)]

mod files;
pub mod object;
pub mod place;
mod s3;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use tokio::sync::Semaphore;

pub use object::{ClockLine, GameObject, ObjectWriter, PackedGame};
pub use place::{Access, ArchiveLocation};

use files::Files;
use pippost_record::record::Hash;
use s3::Bucket;

/// The largest object, in bytes. A game of as many events as are allowed takes about ten MiB; a larger game stays in the database.
pub const MAX_OBJECT_BYTES: usize = 32 << 20;

/// The bytes of objects that a process keeps in memory.
const CACHE_BYTES: u64 = 64 << 20;

/// The expected size of an object, in bytes; the number of the cache's entries is derived from it.
const USUAL_BYTES: u64 = 16 << 10;

/// The most objects that requests read at once, so that memory is bounded.
const READS_AT_ONCE: usize = 4;

/// How long a request waits for an object, with all that wait before it.
const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// How long one request to the store may take.
const STORE_TIMEOUT: Duration = Duration::from_secs(30);

/// Why the archive could not serve. The texts are for logs and operators.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("this process was given no archive (PIPPOST_ARCHIVE), and the game is in one")]
    None,
    #[error("the archive does not answer: {0}")]
    Unreachable(String),
    #[error("the object {0} is not in the archive")]
    Missing(Hash),
    #[error("the object {0} is not what was archived: {1}")]
    Altered(Hash, &'static str),
    #[error("the game cannot be packed: {0}")]
    NotPacked(&'static str),
    #[error("the archive cannot be used: {0}")]
    Settings(String),
}

impl ArchiveError {
    /// Whether all other games would fail, too.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        matches!(self, Self::None | Self::Unreachable(_) | Self::Settings(_))
    }
}

/// An object that the store lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its place in the store.
    pub path: String,
    /// `None` if it is not named as objects are: left behind by a crash, or somebody else's.
    pub name: Option<Hash>,
    pub bytes: u64,
}

/// Where a listing goes on; `None` at its end.
pub type Cursor = Option<String>;

enum Backend {
    Files(Files),
    Bucket(Box<Bucket>),
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<[u8; 32], Arc<GameObject>> for ByBytes {
    fn weight(&self, _name: &[u8; 32], object: &Arc<GameObject>) -> u64 {
        object.held_bytes()
    }
}

/// The archive of finished games.
pub struct Archive {
    backend: Backend,
    cache: Cache<[u8; 32], Arc<GameObject>, ByBytes>,
    reads: Semaphore,
}

impl Archive {
    /// The archive at that place; opens nothing yet. `access` is for buckets.
    ///
    /// # Errors
    /// It cannot be reached so.
    pub fn open(place: &ArchiveLocation, access: Access) -> Result<Self, ArchiveError> {
        let backend = match place {
            ArchiveLocation::Folder(folder) => Backend::Files(Files::new(folder.clone())),
            ArchiveLocation::Bucket { name, prefix } => {
                Backend::Bucket(Box::new(Bucket::new(name, prefix, access)?))
            }
        };
        let entries = usize::try_from(CACHE_BYTES / USUAL_BYTES).unwrap_or(usize::MAX);
        // Undivided: a part of the cache would hold no large object.
        let options = OptionsBuilder::new()
            .estimated_items_capacity(entries)
            .weight_capacity(CACHE_BYTES)
            .shards(1)
            .build()
            .expect("both capacities are given");
        let cache =
            Cache::with_options(options, ByBytes, DefaultHashBuilder::default(), DefaultLifecycle::default());
        Ok(Self { backend, cache, reads: Semaphore::new(READS_AT_ONCE) })
    }

    /// Writes an object so that a crash afterwards does not lose it. Writing the same object again changes nothing.
    ///
    /// # Errors
    /// The store does not take it.
    pub async fn put(&self, object: &PackedGame) -> Result<(), ArchiveError> {
        match &self.backend {
            Backend::Files(files) => files.put(object.name, object.bytes.clone()).await,
            Backend::Bucket(bucket) => bucket.put(object.name, object.bytes.clone()).await,
        }
    }

    /// An object as the store has it now, past the cache; its bytes are those of its name.
    ///
    /// # Errors
    /// It is missing or altered, or the store does not answer.
    pub async fn read(&self, name: Hash) -> Result<GameObject, ArchiveError> {
        let bytes = match &self.backend {
            Backend::Files(files) => files.get(name).await?,
            Backend::Bucket(bucket) => bucket.get(name).await?,
        };
        // Hashing ten MiB would hold up the requests of this thread.
        let parsing = tokio::task::spawn_blocking(move || GameObject::parse(name, Bytes::from(bytes)));
        parsing.await.map_err(|_panic| ArchiveError::Altered(name, "the program stumbled over it"))?
    }

    /// An object for a request; those that wait for the same one read it once.
    ///
    /// # Errors
    /// As [`Archive::read`], or too many are read already.
    pub async fn get(&self, name: Hash) -> Result<Arc<GameObject>, ArchiveError> {
        let reading = self.cache.get_or_insert_async(name.as_bytes(), async {
            let closed = |_| ArchiveError::Unreachable("it is closed".to_owned());
            let _place = self.reads.acquire().await.map_err(closed)?;
            self.read(name).await.map(Arc::new)
        });
        let late = |_| ArchiveError::Unreachable("it takes too long".to_owned());
        tokio::time::timeout(READ_TIMEOUT, reading).await.map_err(late)?
    }

    /// A page of what lies in the store, from its beginning or from where the last page ended.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn list(&self, cursor: Cursor) -> Result<(Vec<Listed>, Cursor), ArchiveError> {
        match &self.backend {
            Backend::Files(files) => files.list(cursor).await,
            Backend::Bucket(bucket) => bucket.list(cursor).await,
        }
    }
}

/// The end of an object's name in the store.
const SUFFIX: &str = ".game";

/// The first two digits of an object's name are its folder: no folder holds more than a 256th of all.
fn path_of(name: Hash) -> String {
    let name = name.to_string();
    format!("{}/{name}{SUFFIX}", &name[..2])
}

/// The name of the object at a path, if it is one's.
fn name_at(path: &str) -> Option<Hash> {
    let file = path.rsplit('/').next()?;
    let bytes = hex::decode(file.strip_suffix(SUFFIX)?).ok()?;
    let name = Hash::from_bytes(bytes.try_into().ok()?);
    (path_of(name) == path).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[tokio::test]
    async fn the_largest_object_is_read_once_and_the_store_s_own_copy_when_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let archive = Archive::open(&ArchiveLocation::Folder(folder.path().into()), Access::default())
            .expect("an archive");
        let mut writer = ObjectWriter::new(uuid::Uuid::nil());
        // Digests do not pack to less than half.
        for number in 0..400_000_u32 {
            writer.event(&Hash::of(&[&number.to_be_bytes()]).to_string()).expect("an event");
        }
        let packed = writer.finish().expect("an object");
        assert!(packed.bytes.len() > 12 << 20, "{}", packed.bytes.len());
        archive.put(&packed).await.expect("written");
        archive.put(&packed).await.expect("written again");
        let object = archive.get(packed.name).await.expect("an object");
        let last = object.event_lines(399_999, 399_999, 1).expect("a line");
        assert_eq!(last, [Hash::of(&[&399_999_u32.to_be_bytes()]).to_string()]);
        fs::remove_file(folder.path().join(path_of(packed.name))).expect("removed");
        archive.get(packed.name).await.expect("it is in memory");
        let gone = archive.read(packed.name).await;
        assert!(matches!(gone, Err(ArchiveError::Missing(name)) if name == packed.name));
        drop(folder);
        let gone = archive.read(packed.name).await;
        assert!(matches!(gone, Err(ArchiveError::Unreachable(_))));
    }

    #[test]
    fn a_path_is_an_object_s_only_if_it_would_be_written_so() {
        let name = Hash::from_bytes([0xab; 32]);
        assert_eq!(name_at(&path_of(name)), Some(name));
        let text = name.to_string();
        for path in [
            format!("{text}.game"),
            format!("ac/{text}.game"),
            format!("ab/{}.game", text.to_uppercase()),
            format!("ab/.{text}.game.1.part"),
            "ab/.game".to_owned(),
            String::new(),
        ] {
            assert_eq!(name_at(&path), None, "{path}");
        }
    }
}
