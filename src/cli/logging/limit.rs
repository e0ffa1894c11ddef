//! Limits how many log lines of a kind are written in a minute. A kind is a place in the code, so many lines of one kind do not
//! suppress others.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tracing::callsite::Identifier;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Filter};

/// The most lines of one kind in a minute, for the levels that are logged by default.
pub const MAX_LINES_A_MINUTE: u32 = 120;

/// The target and the beginning of an error that actix reports when a client sends invalid HTTP or disconnects. It is caused by
/// the client and useless to operators.
const HTTP_MACHINE: &str = "actix_http::h1::dispatcher";
const BROKEN_BY_CLIENT: &str = "stream error: ";

const MINUTE: Duration = Duration::from_mins(1);

/// Drops lines beyond [`MAX_LINES_A_MINUTE`], and counts them.
#[derive(Default)]
pub struct LineLimit {
    written: Mutex<HashMap<Identifier, Window>>,
    left_out: Arc<AtomicU64>,
}

struct Window {
    began: Instant,
    lines: u32,
}

impl Window {
    /// Whether one more line may be written.
    fn admits(&mut self, now: Instant) -> bool {
        if now.saturating_duration_since(self.began) >= MINUTE {
            (self.began, self.lines) = (now, 0);
        }
        self.lines = self.lines.saturating_add(1);
        self.lines <= MAX_LINES_A_MINUTE
    }
}

impl LineLimit {
    /// The number of lines dropped since this was last reset.
    pub fn left_out(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.left_out)
    }

    fn admits(&self, kind: Identifier, now: Instant) -> bool {
        let mut written = self.written.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let admitted = written.entry(kind).or_insert(Window { began: now, lines: 0 }).admits(now);
        if !admitted {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
        admitted
    }
}

impl<S: Subscriber> Filter<S> for LineLimit {
    fn enabled(&self, _: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        true
    }

    fn event_enabled(&self, event: &Event<'_>, _: &Context<'_, S>) -> bool {
        if event.metadata().target() == HTTP_MACHINE && Message::begins(event, BROKEN_BY_CLIENT) {
            return false;
        }
        // Levels below INFO are logged only on request, and then completely.
        let bounded = *event.metadata().level() <= Level::INFO;
        !bounded || self.admits(event.metadata().callsite(), Instant::now())
    }
}

/// Checks the beginning of an event's message.
struct Message<'a> {
    wanted: &'a str,
    found: bool,
}

impl<'a> Message<'a> {
    fn begins(event: &Event<'_>, wanted: &'a str) -> bool {
        let mut message = Self { wanted, found: false };
        event.record(&mut message);
        message.found
    }
}

impl Visit for Message<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.found |= field.name() == "message" && format!("{value:?}").starts_with(self.wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_of_line_is_bounded_by_the_minute_and_what_is_left_out_is_counted() {
        let began = Instant::now();
        let mut window = Window { began, lines: 0 };
        let admitted = (0..1000).filter(|_| window.admits(began)).count();
        assert_eq!(admitted, MAX_LINES_A_MINUTE as usize);
        assert!(!window.admits(began + MINUTE / 2));
        assert!(window.admits(began + MINUTE));
    }

    #[test]
    fn whoever_makes_one_kind_of_line_too_often_leaves_the_others_as_they_are() {
        use tracing_subscriber::layer::SubscriberExt;
        let limit = LineLimit::default();
        let (left_out, written) = (limit.left_out(), Arc::new(Mutex::new(Vec::new())));
        let sink = Arc::clone(&written);
        let log = tracing_subscriber::fmt::layer().with_writer(move || Shared(Arc::clone(&sink)));
        let log = tracing_subscriber::Layer::with_filter(log, limit);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(log), || {
            for _ in 0..1000 {
                tracing::warn!("again and again");
            }
            tracing::warn!("something else");
            tracing::error!(target: HTTP_MACHINE, "stream error: {}", "request parse error");
            tracing::error!(target: HTTP_MACHINE, "Response payload stream error: {}", "ours");
            for _ in 0..1000 {
                tracing::debug!("asked for");
            }
        });
        let text = String::from_utf8(written.lock().expect("text").clone()).expect("text");
        let lines = |of: &str| text.lines().filter(|line| line.contains(of)).count();
        assert_eq!(lines("again and again"), MAX_LINES_A_MINUTE as usize);
        assert_eq!((lines("request parse error"), lines("Response payload")), (0, 1));
        assert_eq!((lines("something else"), lines("asked for")), (1, 1000));
        assert_eq!(left_out.load(Ordering::Relaxed), 1000 - u64::from(MAX_LINES_A_MINUTE));
    }

    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("a buffer").write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
}
