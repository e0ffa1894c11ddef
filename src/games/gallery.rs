//! Boards as PNG: drawn once and kept for a while, and no more drawn at once than there are processors.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::{Semaphore, oneshot};

use super::Games;
use crate::board::{self, PngError, Theme};
use crate::rules::picture::Picture;
use crate::traffic::yield_to_requests;

/// Pictures that are kept take at most so many bytes.
const MAX_KEPT_BYTES: u64 = 8 * 1024 * 1024;

/// What a usual picture takes, in bytes.
const USUAL_BYTES: u64 = 24 * 1024;

/// The digest of what is drawn. Two who see the same share a picture; nobody gets one that shows more than the view it was asked for.
type Key = [u8; 32];

/// The most pictures that are ordered and not drawn yet: half a second's work for two processors.
const MAX_ORDERS: usize = 256;

/// What a picture takes besides itself, in bytes.
const ENTRY_BYTES: u64 = 128;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum NotDrawn {
    #[error(transparent)]
    Png(#[from] PngError),
    #[error("too many pictures are being drawn")]
    Busy,
    #[error("the drawing was given up")]
    GivenUp,
}

/// What to do while too many pictures are ordered.
#[derive(Clone, Copy, Debug)]
pub enum WhenBusy {
    /// Say so: somebody is waiting, and can ask again.
    Refuse,
    Wait,
}

/// The pictures of a process.
pub struct Gallery {
    kept: Cache<Key, Bytes, Weight>,
    /// Room for orders.
    room: Semaphore,
}

/// A picture to be drawn.
struct Order {
    picture: Picture,
    width_px: u32,
    theme: Theme,
    drawn: oneshot::Sender<Result<Vec<u8>, PngError>>,
}

/// Takes orders to the threads that draw: one for each processor, in the whole process and always the same, because what a drawing
/// needs is many times as large as what it makes, and each thread keeps some of it.
static DESKS: LazyLock<Sender<Order>> = LazyLock::new(|| {
    let (orders, queue) = mpsc::channel();
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
        let queue = Arc::clone(&queue);
        let desk = thread::Builder::new().name("drawing".into());
        desk.spawn(move || {
            yield_to_requests();
            draw_all(&queue);
        })
        .expect("the system has a thread left");
    }
    orders
});

fn draw_all(queue: &Mutex<Receiver<Order>>) {
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(Order { picture, width_px, theme, drawn }) = next() {
        // Nobody waits any more if the client has hung up.
        if !drawn.is_closed() {
            // A drawing that panics is said to be given up; the thread goes on.
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

impl Gallery {
    #[must_use]
    pub fn new() -> Self {
        let usual = usize::try_from(MAX_KEPT_BYTES / USUAL_BYTES).unwrap_or(usize::MAX);
        let kept = Cache::with_weighter(usual, MAX_KEPT_BYTES, Weight);
        Self { kept, room: Semaphore::new(MAX_ORDERS) }
    }

    /// The picture, `width_px` pixels wide, as a PNG; drawn, unless the very same was drawn lately.
    ///
    /// # Errors
    /// [`PngError`], a drawing that was given up, or too many that were ordered before.
    pub async fn png(
        &self,
        picture: Picture,
        width_px: u32,
        theme: Theme,
        when_busy: WhenBusy,
    ) -> Result<Bytes, NotDrawn> {
        let key = *board::fingerprint(&picture, width_px, theme).as_bytes();
        let draw = async {
            let _room = match when_busy {
                WhenBusy::Refuse => self.room.try_acquire().map_err(|_| NotDrawn::Busy)?,
                WhenBusy::Wait => self.room.acquire().await.map_err(|_| NotDrawn::GivenUp)?,
            };
            draw(picture, width_px, theme).await
        };
        // Whoever asks for it meanwhile waits for the same drawing.
        self.kept.get_or_insert_async(&key, draw).await
    }
}

/// Away from the threads that serve requests: drawing takes a millisecond or two of computing.
async fn draw(picture: Picture, width_px: u32, theme: Theme) -> Result<Bytes, NotDrawn> {
    let (drawn, png) = oneshot::channel();
    DESKS.send(Order { picture, width_px, theme, drawn }).map_err(|_| NotDrawn::GivenUp)?;
    Ok(png.await.map_err(|_| NotDrawn::GivenUp)??.into())
}

impl Default for Gallery {
    fn default() -> Self {
        Self::new()
    }
}

impl Games {
    /// Boards as PNG.
    #[must_use]
    pub fn gallery(&self) -> &Gallery {
        &self.inner.gallery
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::picture::{Area, Role, fill};

    fn picture(x: f32) -> Picture {
        let mut picture = Picture::new("a".into(), "b".into(), 40.0);
        picture.rect(Area::new(x, 10.0, 20.0, 20.0), 3.0, fill(Role::Ink));
        picture
    }

    #[tokio::test]
    async fn the_same_picture_is_drawn_once_and_another_is_another() {
        let gallery = Gallery::new();
        let drawn =
            async |x| gallery.png(picture(x), 64, Theme::Light, WhenBusy::Wait).await.expect("a picture");
        let (first, again, other) = (drawn(1.0).await, drawn(1.0).await, drawn(30.0).await);
        assert_eq!(first.as_ptr(), again.as_ptr());
        assert_ne!(first, other);
        assert_eq!(gallery.kept.len(), 2);
        assert_eq!(first, board::png(&picture(1.0), 64, Theme::Light).expect("a picture"));
    }

    #[tokio::test]
    async fn those_who_ask_at_once_wait_for_one_drawing() {
        let gallery = Gallery::new();
        let asked = (0..20).map(|_| gallery.png(picture(1.0), 64, Theme::Light, WhenBusy::Wait));
        let drawn = futures_util::future::try_join_all(asked).await.expect("pictures");
        assert!(drawn.iter().all(|png| png.as_ptr() == drawn[0].as_ptr()));
    }

    #[tokio::test]
    async fn while_too_many_are_ordered_some_wait_and_some_are_refused() {
        let gallery = Gallery::new();
        let all = gallery.room.acquire_many(u32::try_from(MAX_ORDERS).expect("few")).await.expect("open");
        let drawn = |x, when_busy| gallery.png(picture(x), 64, Theme::Light, when_busy);
        assert!(matches!(drawn(1.0, WhenBusy::Refuse).await, Err(NotDrawn::Busy)));
        let mut waits = std::pin::pin!(drawn(2.0, WhenBusy::Wait));
        assert!(futures_util::poll!(&mut waits).is_pending());
        drop(all);
        waits.await.expect("a picture");
        drawn(1.0, WhenBusy::Refuse).await.expect("a picture");
    }

    #[tokio::test]
    async fn what_cannot_be_drawn_is_not_kept() {
        let gallery = Gallery::new();
        assert!(matches!(
            gallery.png(picture(1.0), 3, Theme::Light, WhenBusy::Wait).await,
            Err(NotDrawn::Png(_))
        ));
        assert_eq!(gallery.kept.len(), 0);
    }
}
