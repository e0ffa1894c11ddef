//! Cached pictures of boards.

use std::task::Poll;

use futures_util::poll;
use pippost::board::{self, Theme};
use pippost::games::viewing::png_cache::{MAX_QUEUED, NotDrawn, PngCache, WhenBusy};
use pippost::rules::picture::{Area, Picture, Role, fill};

fn picture(x: f32) -> Picture {
    let mut picture = Picture::new("a".into(), "b".into(), 40.0);
    picture.rect(Area::new(x, 10.0, 20.0, 20.0), 3.0, fill(Role::Ink));
    picture
}

#[tokio::test]
async fn the_same_picture_is_drawn_once_and_another_is_another() {
    let cache = PngCache::new();
    let drawn = async |x| cache.png(picture(x), 64, Theme::Light, WhenBusy::Wait).await.expect("a picture");
    let (first, again, other) = (drawn(1.0).await, drawn(1.0).await, drawn(30.0).await);
    assert_eq!(first.as_ptr(), again.as_ptr());
    assert_ne!(first, other);
    assert_eq!(cache.len(), 2);
    assert_eq!(first, board::png(&picture(1.0), 64, Theme::Light).expect("a picture"));
}

#[tokio::test]
async fn those_who_ask_at_once_wait_for_one_drawing() {
    let cache = PngCache::new();
    let asked = (0..20).map(|_| cache.png(picture(1.0), 64, Theme::Light, WhenBusy::Wait));
    let drawn = futures_util::future::try_join_all(asked).await.expect("pictures");
    assert!(drawn.iter().all(|png| png.as_ptr() == drawn[0].as_ptr()));
}

#[tokio::test]
async fn while_too_many_are_queued_some_wait_and_some_are_refused() {
    let cache = PngCache::new();
    let drawn = |x, when_busy| cache.png(picture(x), 64, Theme::Light, when_busy);
    let mut queued = Vec::new();
    for number in 3..u16::MAX {
        let mut next = Box::pin(drawn(f32::from(number), WhenBusy::Refuse));
        match poll!(next.as_mut()) {
            Poll::Pending => queued.push(next),
            Poll::Ready(Err(NotDrawn::Busy)) => break,
            Poll::Ready(drawn_at_once) => drop(drawn_at_once.expect("a picture")),
        }
    }
    assert_eq!(queued.len(), MAX_QUEUED);
    let mut waits = std::pin::pin!(drawn(2.0, WhenBusy::Wait));
    assert!(poll!(waits.as_mut()).is_pending());
    drop(queued);
    waits.await.expect("a picture");
    drawn(1.0, WhenBusy::Refuse).await.expect("a picture");
}

#[tokio::test]
async fn what_cannot_be_drawn_is_not_kept() {
    let cache = PngCache::new();
    assert!(matches!(cache.png(picture(1.0), 3, Theme::Light, WhenBusy::Wait).await, Err(NotDrawn::Png(_))));
    assert_eq!(cache.len(), 0);
}
