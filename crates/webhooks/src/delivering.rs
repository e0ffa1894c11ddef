//! What a webhook has to be told: the events of its player's feed after its cursor, as messages.

use std::collections::HashMap;

use uuid::Uuid;

use super::capturing::Answer;
use super::message::{EventHead, Message, Table};
use super::schedule::GIVE_UP_AFTER;
use super::{Attempt, PlaceToSend, WebhookError, Webhooks, message};
use pippost_language::Language;
use pippost_store::events::{self, Span};
use pippost_store::player_feeds;
use pippost_store::webhook_deliveries::{self, DeliveryRow};
use pippost_store::webhook_managers::Manager;
use pippost_store::webhook_messages::{self, WaitingMessage};
use pippost_store::webhooks::{SeatedPlayer, WebhookRow};
use pippost_store::{
    EventId, FeedPosition, Seq, StoreError, WebhookFormat, WebhookKind, WebhookState, webhooks as store,
};

/// The most ranges of a feed that are looked at together.
const MAX_RANGES: i64 = 64;

/// The most events that are read together.
const MAX_EVENTS: u64 = 32;

/// The most messages at tables that are read together.
const MAX_MESSAGES: i64 = 32;

/// An event that may have to be told.
#[derive(Clone, Debug)]
pub struct FeedEvent {
    pub position: FeedPosition,
    pub id: EventId,
    line: String,
}

/// What is told to a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Event(EventId),
    /// A message at the table of that game.
    Message {
        id: Uuid,
        game_id: Uuid,
    },
    /// An event of a tournament.
    Tournament(EventId),
}

impl std::fmt::Display for Told {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Event(id) | Self::Tournament(id) => id.fmt(out),
            Self::Message { id, .. } => id.fmt(out),
        }
    }
}

/// A part of a feed.
#[derive(Debug, Default)]
pub struct FeedPage {
    /// In their order.
    pub events: Vec<FeedEvent>,
    /// Up to here all events are in `events`, or of other games than the webhook's.
    pub until: FeedPosition,
    /// Whether there are events after it.
    pub has_more: bool,
    /// The first event of the part if the record lacks some of them: nothing can be told then.
    pub missing: Option<EventId>,
    seats: HashMap<Uuid, Vec<SeatedPlayer>>,
    /// The newest events of the games, if calls to a turn that has passed are not to be told.
    newest: HashMap<Uuid, Seq>,
}

impl Webhooks {
    /// The events after a webhook's cursor that may have to be told, a bounded number.
    ///
    /// # Errors
    /// The database failed.
    pub async fn news(&self, row: &WebhookRow) -> Result<FeedPage, StoreError> {
        let database = &self.0.database;
        let newest = player_feeds::place(database, row.player_id).await?;
        let mut part = FeedPage { until: row.cursor, ..FeedPage::default() };
        if newest <= row.cursor {
            return Ok(part);
        }
        let ranges = player_feeds::ranges_after(database, row.player_id, row.cursor, MAX_RANGES).await?;
        let (mut spans, mut positions, mut left) = (Vec::new(), HashMap::new(), MAX_EVENTS);
        for range in ranges {
            if row.game_id.is_none_or(|only| only == range.game_id) {
                if left == 0 {
                    break;
                }
                let count = (range.last_seq - range.first_seq + 1).min(left);
                let last = range.first_seq + (count - 1);
                spans.push(Span { game_id: range.game_id, first: range.first_seq, last });
                for number in 0..count {
                    let seq = range.first_seq + number;
                    positions.insert((range.game_id, seq), range.position_of(seq));
                }
                left -= count;
                part.until = range.position_of(last);
                if last < range.last_seq {
                    break;
                }
            } else {
                part.until = range.position;
            }
        }
        part.has_more = part.until < newest;
        let lines = events::lines_of(database, &spans).await?;
        if lines.len() != positions.len() {
            tracing::error!(webhook_id = %row.id, "a feed without its events: nothing is delivered");
            let missing = spans.first().map(|span| EventId { game_id: span.game_id, seq: span.first });
            return Ok(FeedPage { until: row.cursor, missing, ..FeedPage::default() });
        }
        part.events = lines
            .into_iter()
            .filter_map(|(id, line)| {
                let position = *positions.get(&(id.game_id, id.seq))?;
                Some(FeedEvent { position, id, line })
            })
            .collect();
        part.seats = self.seats(part.events.iter().map(|told| told.id.game_id)).await?;
        if row.format != WebhookFormat::Standard {
            // A program knows what an event was; a person who reads that it is their turn believes it.
            let games: Vec<Uuid> = part.seats.keys().copied().collect();
            part.newest = store::newest_events(database, &games).await?.into_iter().collect();
        }
        Ok(part)
    }

    async fn seats(
        &self,
        game_ids: impl Iterator<Item = Uuid>,
    ) -> Result<HashMap<Uuid, Vec<SeatedPlayer>>, StoreError> {
        let mut wanted: Vec<Uuid> = game_ids.collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut found: HashMap<Uuid, Vec<SeatedPlayer>> = HashMap::new();
        if wanted.is_empty() {
            return Ok(found);
        }
        for seat in store::seats_of(&self.0.database, &wanted).await? {
            found.entry(seat.game_id).or_default().push(seat);
        }
        Ok(found)
    }

    /// The message about an event for a webhook; `None` if it is of no kind that the webhook is told of.
    #[must_use]
    pub fn message(
        &self,
        row: &WebhookRow,
        part: &FeedPage,
        told: &FeedEvent,
        language: Language,
    ) -> Option<Message> {
        let kind = |kinds: Vec<WebhookKind>| kinds.into_iter().find(|kind| row.kinds.contains(kind));
        self.written(row, part, told, language, kind)
    }

    fn written(
        &self,
        row: &WebhookRow,
        part: &FeedPage,
        told: &FeedEvent,
        language: Language,
        kind: impl FnOnce(Vec<WebhookKind>) -> Option<WebhookKind>,
    ) -> Option<Message> {
        let seats = part.seats.get(&told.id.game_id)?;
        let own_seat = seats.iter().find(|player| player.player_id == row.player_id)?.seat;
        let head = EventHead::read(&told.line)?;
        let mut kinds = head.kinds(own_seat);
        if part.newest.get(&told.id.game_id).is_some_and(|newest| told.id.seq < *newest) {
            kinds.retain(|kind| *kind != WebhookKind::Turn);
        }
        let kind = kind(kinds)?;
        let link = self.0.links.to(&format!("/games/{}", told.id.game_id));
        let table = Table { id: told.id.game_id, seats, own_seat, link: &link };
        Some(message::event(row.format, kind, &table, &head, &told.line, language))
    }

    /// The messages at the table that a webhook has to be told, oldest first, a bounded number; and whether there may be more. Those that
    /// it does not want any more, and those that are too old, are forgotten.
    ///
    /// # Errors
    /// The database failed.
    pub async fn said(
        &self,
        row: &WebhookRow,
        language: Language,
    ) -> Result<(Vec<(Told, Message)>, bool), StoreError> {
        if !row.kinds.contains(&WebhookKind::Message) {
            return Ok((Vec::new(), false));
        }
        let waiting = webhook_messages::waiting(&self.0.database, row.id, MAX_MESSAGES).await?;
        let has_more = i64::try_from(waiting.len()).is_ok_and(|count| count >= MAX_MESSAGES);
        let seats = self.seats(waiting.iter().map(|waiting| waiting.game_id)).await?;
        let (mut said, mut gone) = (Vec::new(), Vec::new());
        for WaitingMessage { id, game_id, message } in waiting {
            let is_wanted = row.game_id.is_none_or(|only| only == game_id);
            let message =
                message.filter(|message| is_wanted && self.now() - message.created_at < GIVE_UP_AFTER);
            let own_seat = |seats: &Vec<SeatedPlayer>| {
                seats.iter().find(|player| player.player_id == row.player_id).map(|player| player.seat)
            };
            let seats = seats.get(&game_id);
            match (message, seats.and_then(own_seat), seats) {
                (Some(message), Some(own_seat), Some(seats)) => {
                    let link = self.0.links.to(&format!("/games/{game_id}"));
                    let table = Table { id: game_id, seats, own_seat, link: &link };
                    said.push((
                        Told::Message { id, game_id },
                        message::said(row.format, &table, &message, language),
                    ));
                }
                _ => gone.push(id),
            }
        }
        if !gone.is_empty() {
            webhook_messages::forget(&self.0.database, row.id, &gone).await?;
        }
        Ok((said, has_more))
    }

    /// Sends a message to a webhook once.
    pub async fn attempt(&self, row: &WebhookRow, message: Message) -> Attempt {
        match (self.target(row), self.secrets(row)) {
            (Ok(target), Ok(secrets)) => self.send(row, &target, message, &secrets, Answer::Ignored).await,
            (Err(WebhookError::Target(_)), _) => Attempt::not_reached(),
            (Err(error), _) | (_, Err(error)) => {
                tracing::error!(webhook_id = %row.id, %error, "nothing can be sent to a webhook");
                Attempt::not_readable()
            }
        }
    }

    /// Sends one event once more, whatever kinds the webhook is told of. Its cursor stays.
    ///
    /// # Errors
    /// [`WebhookError`]
    pub async fn redeliver(
        &self,
        _place: PlaceToSend,
        manager: &Manager,
        id: Uuid,
        event: EventId,
    ) -> Result<DeliveryRow, WebhookError> {
        let (player_id, row) = (manager.player_id, self.find(manager, id).await?);
        if row.state != WebhookState::Active {
            return Err(WebhookError::NotVerified);
        }
        let database = &self.0.database;
        let language = self.0.accounts.preferences(player_id).await?.language;
        player_feeds::place(database, player_id).await?;
        let Some(position) = player_feeds::position_of(database, player_id, event).await? else {
            let message = self.tournament_event(&row, event, language).await?;
            let message = message.ok_or(WebhookError::NoSuchEvent { field: "event" })?;
            return self.send_again(&row, Told::Tournament(event), message).await;
        };
        let span = Span { game_id: event.game_id, first: event.seq, last: event.seq };
        let mut part =
            FeedPage { seats: self.seats([event.game_id].into_iter()).await?, ..FeedPage::default() };
        let lines = events::lines_of(database, &[span]).await?;
        part.events.extend(lines.into_iter().map(|(id, line)| FeedEvent { position, id, line }));
        let best = |kinds: Vec<WebhookKind>| {
            let wanted = kinds.iter().copied().find(|kind| row.kinds.contains(kind));
            wanted.or_else(|| kinds.first().copied())
        };
        let told = part.events.first();
        let message = told.and_then(|told| self.written(&row, &part, told, language, best));
        let message = message.ok_or(WebhookError::Corrupt(id, "event"))?;
        self.send_again(&row, Told::Event(event), message).await
    }

    async fn send_again(
        &self,
        row: &WebhookRow,
        told: Told,
        message: Message,
    ) -> Result<DeliveryRow, WebhookError> {
        let attempt = self.attempt(row, message).await;
        let delivery = self.logged(row, Some(told), &attempt);
        if !webhook_deliveries::keep(&self.0.database, &delivery).await? {
            return Err(WebhookError::NotFound);
        }
        Ok(delivery)
    }
}
