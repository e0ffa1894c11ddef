//! The topics of a process: for each watched game its newest events, read once for all who wait for them, and the heartbeats.
//!
//! An idle reader is two receivers of watch channels: it has no task and no timer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use super::entry::Entry;
use super::players::{Players, Wakes};
use super::recent::{MAX_RECENT, Recent};
use pippost_store::games::version_stamps;
use pippost_store::outbox_signal::CountedReader;
use pippost_store::{Changes, Database, OutboxSignal, Seq, StoreError, events};

/// Heartbeats go out to one shard of the readers after another.
const SHARDS: usize = 16;

/// The time between the heartbeats of two shards. A reader gets one in [`SHARDS`] times as much.
const BEAT_INTERVAL: Duration = Duration::from_secs(1);

/// The watched games are polled once in so many beats, because wake-ups may be lost.
const BEATS_BETWEEN_POLLS: usize = 5;

/// The most games asked for with one statement.
const MAX_BATCH: usize = 256;

/// The most topics that read events at once.
const MAX_READING: usize = 4;

/// Tells readers that the server is there, or stops.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beat {
    pub is_closing: bool,
}

type Topics = HashMap<Uuid, watch::Sender<Arc<Recent>>>;

/// The topics and heartbeats of a process.
pub struct Hub {
    /// Has an entry for each watched game, and none else.
    topics: Mutex<Topics>,
    players: Mutex<Players>,
    beats: [watch::Sender<Beat>; SHARDS],
    next_shard: AtomicUsize,
    signal: OutboxSignal,
}

impl Hub {
    /// Starts the task that reads for all readers; needs a runtime. It ends when the hub is dropped.
    #[must_use]
    pub fn start(database: Database, signal: OutboxSignal) -> Arc<Self> {
        let beats = std::array::from_fn(|_| watch::Sender::new(Beat::default()));
        let (topics, players) = (Mutex::default(), Mutex::default());
        let hub = Arc::new(Self { topics, players, beats, next_shard: AtomicUsize::new(0), signal });
        tokio::spawn(run(Arc::downgrade(&hub), database));
        hub
    }

    /// Ends all streams, because the server stops; the next ones end at once.
    pub fn close(&self) {
        for beat in &self.beats {
            beat.send_modify(|beat| beat.is_closing = true);
        }
    }

    /// The number of games, and of players and tournaments, whose feeds are read.
    #[must_use]
    pub fn watched(&self) -> (usize, usize) {
        (self.topics().len(), self.players().len().0)
    }

    /// Watches a game. What is committed after this call wakes the subscription.
    pub(super) fn subscribe(self: &Arc<Self>, game_id: Uuid) -> Subscription {
        let counted = self.signal.count_reader();
        let news = self.topics().entry(game_id).or_default().subscribe();
        Subscription {
            hub: Arc::clone(self),
            game_id,
            news: Some(news),
            beats: self.beats(),
            _counted: counted,
        }
    }

    /// Watches the feed of a player, or of a tournament; a player's games are named with [`PlayerSubscription::watch`].
    pub(super) fn subscribe_player(self: &Arc<Self>, player_id: Uuid) -> PlayerSubscription {
        let counted = self.signal.count_reader();
        let wakes = self.players().subscribe(player_id);
        let (hub, beats) = (Arc::clone(self), self.beats());
        PlayerSubscription { hub, player_id, wakes: Some(wakes), beats, _counted: counted }
    }

    /// The heartbeats of the next shard.
    fn beats(&self) -> watch::Receiver<Beat> {
        let shard = self.next_shard.fetch_add(1, Ordering::Relaxed) % SHARDS;
        self.beats[shard].subscribe()
    }

    /// As [`Hub::topics`].
    fn players(&self) -> MutexGuard<'_, Players> {
        self.players.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// No panic inside leaves the topics inconsistent, so poisoning is ignored.
    fn topics(&self) -> MutexGuard<'_, Topics> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The games among `changes` whose feeds are read, with their newest known events.
    fn watched_among(&self, changes: &Changes) -> HashMap<Uuid, Option<Seq>> {
        let topics = self.topics();
        let known = |(id, news): (&Uuid, &watch::Sender<Arc<Recent>>)| (*id, news.borrow().newest);
        match changes {
            Changes::All => topics.iter().map(known).collect(),
            Changes::Some(ids) => ids.iter().filter_map(|id| topics.get_key_value(id)).map(known).collect(),
        }
    }

    /// All games that wake anybody, with their newest known events.
    fn all_watched(&self) -> HashMap<Uuid, Option<Seq>> {
        let mut watched = self.watched_among(&Changes::All);
        for (game_id, newest) in self.players().watched() {
            watched.entry(game_id).and_modify(|known| *known = (*known).min(newest)).or_insert(newest);
        }
        watched
    }

    /// Wakes the readers of games in which something has changed that is no event: their newest event is still the known one, or none was
    /// known.
    fn count_other_changes(&self, changes: &Changes, known: &HashMap<Uuid, Option<Seq>>) {
        let Changes::Some(ids) = changes else { return };
        let topics = self.topics();
        for (id, news) in ids.iter().filter_map(|id| topics.get_key_value(id)) {
            news.send_if_modified(|recent| {
                let is_same =
                    known.get(id).is_some_and(|newest| newest.is_none() || *newest == recent.newest);
                if is_same {
                    Arc::make_mut(recent).other_changes += 1;
                }
                is_same
            });
        }
    }

    fn publish(&self, game_id: Uuid, newest: Seq, entries: Vec<Entry>) {
        self.players().hear(game_id, newest);
        let Some(news) = self.topics().get(&game_id).cloned() else { return };
        news.send_if_modified(|recent| {
            if recent.newest.is_some_and(|known| known >= newest) {
                return false;
            }
            let recent = Arc::make_mut(recent);
            recent.add(entries);
            recent.newest = Some(newest);
            true
        });
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.signal.feeds().notify_one();
    }
}

/// A watched game. Dropping the last subscription of a game forgets its topic.
pub(super) struct Subscription {
    hub: Arc<Hub>,
    game_id: Uuid,
    /// Taken only by `drop`.
    news: Option<watch::Receiver<Arc<Recent>>>,
    beats: watch::Receiver<Beat>,
    _counted: CountedReader,
}

/// What has woken a reader.
pub(super) enum Woken {
    News,
    Beat(Beat),
}

impl Subscription {
    /// What is known of the game's newest events.
    pub fn recent(&mut self) -> Arc<Recent> {
        self.news.as_mut().map(|news| Arc::clone(&news.borrow_and_update())).unwrap_or_default()
    }

    /// Whether the server stops.
    pub fn is_closing(&self) -> bool {
        self.beats.borrow().is_closing
    }

    /// Waits for news, or for a heartbeat.
    pub async fn woken(&mut self) -> Woken {
        let Some(news) = &mut self.news else { return Woken::Beat(Beat { is_closing: true }) };
        woken(news, &mut self.beats).await
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut topics = self.hub.topics();
        // Under the lock, so that nobody subscribes between the count and the removal.
        drop(self.news.take());
        if topics.get(&self.game_id).is_some_and(|news| news.receiver_count() == 0) {
            topics.remove(&self.game_id);
        }
    }
}

/// A player whose feed is read. Dropping the last subscription of a player forgets the topic.
pub(super) struct PlayerSubscription {
    hub: Arc<Hub>,
    player_id: Uuid,
    /// Taken only by `drop`.
    wakes: Option<watch::Receiver<Wakes>>,
    beats: watch::Receiver<Beat>,
    _counted: CountedReader,
}

impl PlayerSubscription {
    /// Replaces the games that wake the player's readers, each with its newest known event.
    pub fn watch(&self, games: Vec<(Uuid, Seq)>) {
        self.hub.players().watch(self.player_id, games);
    }

    /// Whether the server stops.
    pub fn is_closing(&self) -> bool {
        self.beats.borrow().is_closing
    }

    /// Waits for news, or for a heartbeat.
    pub async fn woken(&mut self) -> Woken {
        let Some(wakes) = &mut self.wakes else { return Woken::Beat(Beat { is_closing: true }) };
        woken(wakes, &mut self.beats).await
    }
}

impl Drop for PlayerSubscription {
    fn drop(&mut self) {
        if let Some(wakes) = self.wakes.take() {
            self.hub.players().unsubscribe(self.player_id, wakes);
        }
    }
}

async fn woken<T>(news: &mut watch::Receiver<T>, beats: &mut watch::Receiver<Beat>) -> Woken {
    tokio::select! {
        biased;
        changed = news.changed() => match changed {
            Ok(()) => Woken::News,
            Err(_gone) => Woken::Beat(Beat { is_closing: true }),
        },
        changed = beats.changed() => {
            let is_closing = changed.is_err() || beats.borrow_and_update().is_closing;
            Woken::Beat(Beat { is_closing })
        }
    }
}

async fn run(hub: Weak<Hub>, database: Database) {
    let Some(changed) = hub.upgrade().map(|hub| Arc::clone(hub.signal.feeds())) else { return };
    let mut ticks = interval(BEAT_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut beat = 0;
    loop {
        let is_tick = tokio::select! {
            () = changed.notified() => false,
            _ = ticks.tick() => true,
        };
        let Some(hub) = hub.upgrade() else { return };
        let changes = hub.signal.take_changes();
        hub.players().wake(&changes);
        let mut watched = hub.watched_among(&changes);
        let known = watched.clone();
        if is_tick {
            beat += 1;
            // The value stays the same; sending it is the heartbeat.
            hub.beats[beat % SHARDS].send_modify(|_| {});
            if beat % BEATS_BETWEEN_POLLS == 0 {
                watched = hub.all_watched();
            }
        }
        let watched: Vec<(Uuid, Option<Seq>)> = watched.into_iter().collect();
        for games in watched.chunks(MAX_BATCH) {
            if let Err(error) = refresh(&hub, &database, games).await {
                // They are polled again.
                tracing::warn!(%error, "the events of watched games were not read");
            }
        }
        hub.count_other_changes(&changes, &known);
    }
}

/// Reads what is new in these games, whose newest known events are given.
async fn refresh(hub: &Hub, database: &Database, games: &[(Uuid, Option<Seq>)]) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = games.iter().map(|(id, _)| *id).collect();
    let stamps = version_stamps(&mut database.get_for_all_nodes().await?, &ids).await?;
    let known: HashMap<Uuid, Option<Seq>> = games.iter().copied().collect();
    let behind = stamps.into_iter().filter_map(|(id, stamp)| {
        let known = known.get(&id).copied().flatten();
        known.is_none_or(|known| known < stamp.seq).then_some((id, known, stamp.seq))
    });
    let reading = futures_util::stream::iter(behind).map(|(id, known, newest)| async move {
        // Without readers of its own the game only wakes players.
        let known = known.filter(|_| hub.topics().contains_key(&id));
        let entries = read_recent(database, id, known, newest).await?;
        hub.publish(id, newest, entries);
        Ok::<_, StoreError>(())
    });
    let mut reading = reading.buffer_unordered(MAX_READING);
    while let Some(read) = reading.next().await {
        read?;
    }
    Ok(())
}

/// The newest events of a game after `known`. Without `known` nobody has got any from here, so its readers know what they lack.
async fn read_recent(
    database: &Database,
    game_id: Uuid,
    known: Option<Seq>,
    newest: Seq,
) -> Result<Vec<Entry>, StoreError> {
    let Some(known) = known else { return Ok(Vec::new()) };
    let first = known.next().max(newest.back(MAX_RECENT as u64 - 1));
    let lines = events::lines(database, game_id, first, newest).await?;
    let numbered = lines.into_iter().enumerate();
    Ok(numbered.map(|(index, line)| Entry::new(game_id, first + index as u64, line)).collect())
}
