//! Kept films of games.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::poll;
use pippost::board::Theme;
use pippost::games::viewing::film_cache::FilmCache;
use pippost::games::viewing::png_cache::NotDrawn;
use pippost::rules::picture::{Area, Picture, Role, fill};

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
    let cache = FilmCache::new().with_max_wait(Duration::ZERO);
    let mut held =
        Box::pin(cache.make("b".to_owned(), pending::<Result<_, NotDrawn>>(), 64, Theme::Light, ()));
    assert!(poll!(held.as_mut()).is_pending(), "nobody else is there");
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
        cache.keep(number.to_string(), Bytes::from(vec![0; 6 << 20]));
    }
    let kept = (0..100).filter(|number| cache.kept(&number.to_string()).is_some()).count();
    assert!((1..=4).contains(&kept), "{kept}");
}
