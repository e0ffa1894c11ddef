//! The films of games: each is made once, one at a time, and kept.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::png_cache::NotDrawn;
use pippost_record::board::{self, Theme};
use pippost_record::rules::picture::Picture;
use pippost_traffic::{Work, compute};

/// The most bytes of kept films: a few of the largest, or hundreds of usual ones.
const MAX_KEPT_BYTES: u64 = 24 * 1024 * 1024;

/// The size of a usual film, in bytes.
const USUAL_BYTES: u64 = 128 * 1024;

/// How many films are made at once. Each takes a processor for up to a second.
const MADE_AT_ONCE: usize = 1;

/// How long a request waits for others' films.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// What determines a film: game, event, viewer, colours and language.
pub type FilmKey = String;

/// The films of a process. Cheap to clone.
#[derive(Clone)]
pub struct FilmCache {
    kept: Arc<Cache<FilmKey, Bytes, Weight>>,
    making: Arc<Semaphore>,
    max_wait: Duration,
}

#[derive(Clone)]
struct Weight;

impl Weighter<FilmKey, Bytes> for Weight {
    fn weight(&self, key: &FilmKey, film: &Bytes) -> u64 {
        (key.len() + film.len()) as u64
    }
}

impl FilmCache {
    /// # Panics
    /// Never: the options are complete.
    #[must_use]
    pub fn new() -> Self {
        // One shard, because a film may be larger than a part of the whole.
        let options = OptionsBuilder::new()
            .shards(1)
            .estimated_items_capacity(usize::try_from(MAX_KEPT_BYTES / USUAL_BYTES).unwrap_or(usize::MAX))
            .weight_capacity(MAX_KEPT_BYTES)
            .build()
            .expect("both capacities are given");
        let kept =
            Cache::with_options(options, Weight, DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self { kept: Arc::new(kept), making: Arc::new(Semaphore::new(MADE_AT_ONCE)), max_wait: MAX_WAIT }
    }

    /// The same films, where a request waits for others' at most so long.
    #[must_use]
    pub fn with_max_wait(self, max_wait: Duration) -> Self {
        Self { max_wait, ..self }
    }

    /// Keeps a film that was made.
    pub fn keep(&self, key: FilmKey, film: Bytes) {
        self.kept.insert(key, film);
    }

    /// The film, if it was made before.
    #[must_use]
    pub fn kept(&self, key: &FilmKey) -> Option<Bytes> {
        self.kept.get(key)
    }

    /// The film, made of `boards` unless somebody else made it meanwhile. `place` is held until it is made, also if the client has gone;
    /// it is then kept all the same.
    ///
    /// # Errors
    /// Others' films take too long ([`NotDrawn::Busy`]), or those of `boards` and of the drawing.
    pub async fn make<E: From<NotDrawn>>(
        &self,
        key: FilmKey,
        boards: impl Future<Output = Result<Vec<Picture>, E>>,
        width_px: u32,
        theme: Theme,
        place: impl Send + 'static,
    ) -> Result<Bytes, E> {
        let permit = self.permit().await?;
        if let Some(film) = self.kept(&key) {
            return Ok(film);
        }
        let (pictures, films) = (boards.await?, self.clone());
        let made = compute(Work::Other, move || {
            let _held = (permit, place);
            let film = Bytes::from(board::film(&pictures, width_px, theme)?);
            films.keep(key, film.clone());
            Ok::<_, NotDrawn>(film)
        });
        Ok(made.await.map_err(|_| NotDrawn::Failed)??)
    }

    async fn permit(&self) -> Result<OwnedSemaphorePermit, NotDrawn> {
        let permit = timeout(self.max_wait, Arc::clone(&self.making).acquire_owned()).await;
        permit.map_err(|_late| NotDrawn::Busy)?.map_err(|_| NotDrawn::Failed)
    }
}

impl Default for FilmCache {
    fn default() -> Self {
        Self::new()
    }
}
