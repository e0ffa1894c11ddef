//! A cache of boards as PNG, and the threads that draw them: one for each processor.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::{Semaphore, oneshot};

use pippost_record::board::{self, PngError, Theme};
use pippost_record::rules::picture::Picture;
use pippost_traffic::yield_to_requests;

/// The most bytes of cached pictures.
const MAX_CACHED_BYTES: u64 = 8 * 1024 * 1024;

/// The size of a typical picture, in bytes.
const TYPICAL_BYTES: u64 = 24 * 1024;

/// The digest of what is drawn. Viewers of equal views share a picture; nobody gets one that shows more than the requested view.
type Key = [u8; 32];

/// The most pictures that wait to be drawn: half a second's work for two processors.
pub const MAX_QUEUED: usize = 256;

/// The overhead of an entry, in bytes.
const ENTRY_BYTES: u64 = 128;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum NotDrawn {
    #[error(transparent)]
    Png(#[from] PngError),
    #[error("too many pictures are being drawn")]
    Busy,
    #[error("the drawing failed")]
    Failed,
}

/// What to do while too many pictures are queued.
#[derive(Clone, Copy, Debug)]
pub enum WhenBusy {
    /// Refuse at once: the client can repeat the request.
    Refuse,
    Wait,
}

/// The cached pictures of a process.
pub struct PngCache {
    cached: Cache<Key, Bytes, Weight>,
    /// Limits the queue.
    permits: Semaphore,
}

/// A picture to be drawn.
struct Drawing {
    picture: Picture,
    width_px: u32,
    theme: Theme,
    drawn: oneshot::Sender<Result<Vec<u8>, PngError>>,
}

/// The queue of the threads that draw: one for each processor in the whole process. Drawing needs many times the memory of its
/// result, and each thread keeps some of it.
static DRAWING_THREADS: LazyLock<Sender<Drawing>> = LazyLock::new(|| {
    let (drawings, queue) = mpsc::channel();
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
        let queue = Arc::clone(&queue);
        let thread = thread::Builder::new().name("drawing".into());
        thread
            .spawn(move || {
                yield_to_requests();
                draw_all(&queue);
            })
            .expect("the system has a thread left");
    }
    drawings
});

fn draw_all(queue: &Mutex<Receiver<Drawing>>) {
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(Drawing { picture, width_px, theme, drawn }) = next() {
        // Skip it if the client has disconnected.
        if !drawn.is_closed() {
            // A panic fails this drawing; the thread goes on.
            let png = catch_unwind(AssertUnwindSafe(|| board::png(&picture, width_px, theme)));
            let _ = png.map(|png| drawn.send(png));
        }
    }
}

#[derive(Clone)]
struct Weight;

impl Weighter<Key, Bytes> for Weight {
    fn weight(&self, _: &Key, png: &Bytes) -> u64 {
        ENTRY_BYTES + png.len() as u64
    }
}

impl PngCache {
    #[must_use]
    pub fn new() -> Self {
        let capacity = usize::try_from(MAX_CACHED_BYTES / TYPICAL_BYTES).unwrap_or(usize::MAX);
        let cached = Cache::with_weighter(capacity, MAX_CACHED_BYTES, Weight);
        Self { cached, permits: Semaphore::new(MAX_QUEUED) }
    }

    /// The picture as a PNG, `width_px` pixels wide, from the cache or drawn.
    ///
    /// # Errors
    /// [`PngError`], a drawing that failed, or a full queue.
    pub async fn png(
        &self,
        picture: Picture,
        width_px: u32,
        theme: Theme,
        when_busy: WhenBusy,
    ) -> Result<Bytes, NotDrawn> {
        let key = *board::fingerprint(&picture, width_px, theme).as_bytes();
        let draw = async {
            let _permit = match when_busy {
                WhenBusy::Refuse => self.permits.try_acquire().map_err(|_| NotDrawn::Busy)?,
                WhenBusy::Wait => self.permits.acquire().await.map_err(|_| NotDrawn::Failed)?,
            };
            draw(picture, width_px, theme).await
        };
        // Concurrent requests for it wait for the same drawing.
        self.cached.get_or_insert_async(&key, draw).await
    }

    /// The number of cached pictures.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cached.len()
    }

    /// Whether no picture is cached.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Draws outside the threads that serve requests: it takes one to two milliseconds.
async fn draw(picture: Picture, width_px: u32, theme: Theme) -> Result<Bytes, NotDrawn> {
    let (drawn, png) = oneshot::channel();
    DRAWING_THREADS.send(Drawing { picture, width_px, theme, drawn }).map_err(|_| NotDrawn::Failed)?;
    Ok(png.await.map_err(|_| NotDrawn::Failed)??.into())
}

impl Default for PngCache {
    fn default() -> Self {
        Self::new()
    }
}
