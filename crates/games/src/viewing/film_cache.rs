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

/// The films of a process.
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
        let (pictures, kept) = (boards.await?, Arc::clone(&self.kept));
        let made = compute(Work::Other, move || {
            let _held = (permit, place);
            let film = Bytes::from(board::film(&pictures, width_px, theme)?);
            kept.insert(key, film.clone());
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use pippost_record::rules::picture::{Area, Role, fill};

    fn boards(count: u8) -> Vec<Picture> {
        let board = |number: u8| {
            let mut picture = Picture::new("a".into(), "b".into(), 40.0);
            picture.rect(Area::new(f32::from(number), 10.0, 20.0, 20.0), 3.0, fill(Role::Ink));
            picture
        };
        (0..count).map(board).collect()
    }

    #[tokio::test]
    async fn those_who_ask_for_a_film_at_once_get_one_that_is_made_once() {
        let (cache, made) = (FilmCache::new(), AtomicUsize::new(0));
        let asked = (0..20).map(|_| {
            let boards = async {
                made.fetch_add(1, Ordering::Relaxed);
                Ok::<_, NotDrawn>(boards(3))
            };
            cache.make("a".to_owned(), boards, 64, Theme::Light, ())
        });
        let films = futures_util::future::try_join_all(asked).await.expect("films");
        assert!(films.iter().all(|film| film.as_ptr() == films[0].as_ptr()));
        assert_eq!(made.load(Ordering::Relaxed), 1);
        assert_eq!(cache.kept(&"a".to_owned()).expect("it is kept").as_ptr(), films[0].as_ptr());
        assert!(cache.kept(&"b".to_owned()).is_none());
    }

    #[tokio::test]
    async fn whoever_waits_too_long_for_other_films_is_told_to_come_again() {
        let cache = FilmCache { max_wait: Duration::ZERO, ..FilmCache::new() };
        let held = cache.permit().await.expect("nobody else is there");
        let boards_of = |count| async move { Ok::<_, NotDrawn>(boards(count)) };
        let late = cache.make("a".to_owned(), boards_of(2), 64, Theme::Light, ()).await;
        assert!(matches!(late, Err(NotDrawn::Busy)), "{late:?}");
        drop(held);
        cache.make("a".to_owned(), boards_of(2), 64, Theme::Light, ()).await.expect("a film");
    }

    #[test]
    fn what_is_kept_is_bounded_and_a_large_film_is_kept_too() {
        let cache = FilmCache::new();
        for number in 0..100 {
            cache.kept.insert(number.to_string(), Bytes::from(vec![0; 6 << 20]));
        }
        assert!((1..=4).contains(&cache.kept.len()), "{}", cache.kept.len());
    }
}
