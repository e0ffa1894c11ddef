//! What a webhook is told of tournaments that its player is in, or organises.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::delivering::Told;
use super::message::{Envelope, Message};
use super::schedule::GIVE_UP_AFTER;
use super::{Webhooks, chat};
use pippost_language::{Arguments, Language};
use pippost_record::record::Timestamp;
use pippost_store::players;
use pippost_store::tournaments::events::{self, ToldEvent, TournamentEventKind};
use pippost_store::webhooks::WebhookRow;
use pippost_store::{EventId, StoreError, WebhookFormat, WebhookKind};

/// The most events of tournaments that are read together: those of large rounds are long.
const MAX_EVENTS: i64 = 16;

/// The members of an event that decide what is said of it.
#[derive(Deserialize)]
struct EventHead {
    round: Option<u16>,
    player: Option<String>,
    pairings: Option<Vec<PairingHead>>,
}

#[derive(Deserialize)]
struct PairingHead {
    first: String,
    second: Option<String>,
    game: Option<Uuid>,
}

impl EventHead {
    /// The game of that player in the round.
    fn game_of(&self, handle: &str) -> Option<Uuid> {
        let mut pairings = self.pairings.iter().flatten();
        pairings.find(|pairing| pairing.first == handle || pairing.second.as_deref() == Some(handle))?.game
    }
}

#[derive(Serialize)]
struct TournamentEventData<'a> {
    id: String,
    tournament: TournamentData<'a>,
    my_game: Option<Uuid>,
    event: &'a RawValue,
}

#[derive(Serialize)]
struct TournamentData<'a> {
    id: Uuid,
    title: &'a str,
    page: &'a str,
}

impl Webhooks {
    /// The events of tournaments that a webhook has to be told, those of each in order, a bounded number; and whether there may be more.
    /// Those that are too old are forgotten.
    ///
    /// # Errors
    /// The database failed.
    pub async fn tournament_events(
        &self,
        row: &WebhookRow,
        language: Language,
    ) -> Result<(Vec<(Told, Message)>, bool), StoreError> {
        if !row.kinds.contains(&WebhookKind::Tournament) {
            return Ok((Vec::new(), false));
        }
        let waiting = events::waiting(&self.0.database, row.id, MAX_EVENTS).await?;
        if waiting.is_empty() {
            return Ok((Vec::new(), false));
        }
        let has_more = i64::try_from(waiting.len()).is_ok_and(|count| count >= MAX_EVENTS);
        let handle = self.handle(row.player_id).await?;
        let (mut told, mut gone) = (Vec::new(), Vec::new());
        for event in waiting {
            let id = event.0.id();
            // A webhook of one game is told of no tournament.
            if row.game_id.is_some() || self.now() - event.0.at >= GIVE_UP_AFTER {
                gone.push(id);
                continue;
            }
            told.push((Told::Tournament(id), self.happened(row.format, &event, &handle, language)?));
        }
        events::forget(&self.0.database, row.id, &gone).await?;
        Ok((told, has_more))
    }

    /// The message about one event; `None` if there is none of a tournament that the webhook's player is in, or organises.
    pub(super) async fn tournament_event(
        &self,
        row: &WebhookRow,
        event: EventId,
        language: Language,
    ) -> Result<Option<Message>, StoreError> {
        let Some(event) = events::event_for(&self.0.database, row.player_id, event).await? else {
            return Ok(None);
        };
        let handle = self.handle(row.player_id).await?;
        Ok(Some(self.happened(row.format, &event, &handle, language)?))
    }

    async fn handle(&self, player_id: Uuid) -> Result<String, StoreError> {
        let player = players::player_by_id(&self.0.database, player_id).await?;
        Ok(player.map(|player| player.handle).unwrap_or_default())
    }

    fn happened(
        &self,
        format: WebhookFormat,
        (event, title): &ToldEvent,
        handle: &str,
        language: Language,
    ) -> Result<Message, StoreError> {
        let corrupt = || StoreError::Corrupt(format!("event {} of a tournament", event.id()));
        let head: EventHead = serde_json::from_str(&event.line).map_err(|_| corrupt())?;
        let (id, my_game) = (event.id().to_string(), head.game_of(handle));
        let page = self.0.links.to(&format!("/tournaments/{}", event.tournament_id));
        if format != WebhookFormat::Standard {
            let game = my_game.filter(|_| event.kind == TournamentEventKind::RoundBegan);
            let link = game.map_or(page, |game| self.0.links.to(&format!("/games/{game}")));
            let text = said(event.kind, title, &head, language);
            return Ok(Message { id, body: chat::body(format, &(text, link)) });
        }
        let data = TournamentEventData {
            id: id.clone(),
            tournament: TournamentData { id: event.tournament_id, title, page: &page },
            my_game,
            event: serde_json::from_str(&event.line).map_err(|_| corrupt())?,
        };
        let timestamp = Timestamp::new(event.at).to_string();
        let envelope = Envelope { kind: WebhookKind::Tournament.as_str(), timestamp: &timestamp, data };
        Ok(Message { id, body: serde_json::to_string(&envelope).map_err(|_| corrupt())? })
    }
}

/// The sentence for a channel.
fn said(kind: TournamentEventKind, title: &str, head: &EventHead, language: Language) -> String {
    let arguments = Arguments::default().text("tournament", title);
    let round = head.round.unwrap_or_default().to_string();
    match kind {
        TournamentEventKind::Started => language.say_with("webhook-tournament-started", &arguments),
        TournamentEventKind::RoundBegan => {
            language.say_with("webhook-tournament-round-began", &arguments.text("round", round))
        }
        TournamentEventKind::RoundEnded => {
            language.say_with("webhook-tournament-round-ended", &arguments.text("round", round))
        }
        TournamentEventKind::Withdrew | TournamentEventKind::TimedOut => {
            let player = head.player.as_deref().unwrap_or_default();
            language.say_with("webhook-tournament-left", &arguments.text("player", player))
        }
        TournamentEventKind::Finished => language.say_with("webhook-tournament-finished", &arguments),
        TournamentEventKind::Cancelled => language.say_with("webhook-tournament-cancelled", &arguments),
    }
}
