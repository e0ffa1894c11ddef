//! The log of attempts, and what games are called in it.

use std::collections::HashMap;

use minijinja::{Value, context};
use uuid::Uuid;

use super::Owner;
use crate::visitor::Visitor;
use pippost_games::{lobby, tournaments};
use pippost_http::Problem;
use pippost_language::{Language, words};
use pippost_store::lists::{Filter, GamesOf, Whose};
use pippost_store::webhook_deliveries::DeliveryRow;
use pippost_store::{DeliveryOutcome, EventId, GameStatus};

/// How many of a player's games of each status have a name on the pages: the newest.
const NAMED_GAMES: u16 = 50;

/// Names of a player's games.
pub struct Names {
    games: HashMap<Uuid, String>,
    /// Those that are not over, newest first: a webhook may be told of one of them alone.
    going: Vec<Uuid>,
    /// Titles of tournaments.
    tournaments: HashMap<Uuid, String>,
}

impl Names {
    pub async fn of(owner: &Owner) -> Result<Self, Problem> {
        let (player_id, own) = (owner.signed_in.account.player_id, &owner.signed_in.account.handle);
        let (mut games, mut going) = (HashMap::new(), Vec::new());
        for status in [GameStatus::Running, GameStatus::Open, GameStatus::Finished] {
            let filter = Filter::all(Whose::Of(GamesOf::player(player_id, Some(status))));
            for game in lobby::list(&owner.games, &filter, Some(player_id), NAMED_GAMES).await?.games {
                let handles = game.players.into_iter().map(|player| player.handle);
                let others: Vec<_> = handles.filter(|handle| !handle.eq_ignore_ascii_case(own)).collect();
                games.insert(game.id, words::game_name(&game.title, &others, owner.visitor().language));
                if status != GameStatus::Finished {
                    going.push(game.id);
                }
            }
        }
        Ok(Self { games, going, tournaments: HashMap::new() })
    }

    /// With the tournaments that a log tells of.
    pub async fn with_tournaments(self, owner: &Owner, rows: &[DeliveryRow]) -> Result<Self, Problem> {
        let unknown = rows.iter().filter_map(|row| row.game_id).filter(|id| !self.games.contains_key(id));
        let tournaments = tournaments::titles(&owner.games, &unknown.collect::<Vec<_>>()).await?;
        Ok(Self { tournaments, ..self })
    }

    pub fn name(&self, game_id: Uuid, language: Language) -> String {
        self.games.get(&game_id).cloned().unwrap_or_else(|| language.say("webhooks-other-game"))
    }

    /// The games to choose from, with the one that is chosen.
    pub fn choices(&self, chosen: Option<Uuid>, language: Language) -> Vec<Value> {
        let other = chosen.filter(|id| !self.going.contains(id));
        let all = self.going.iter().copied().chain(other);
        let choice = |id: Uuid| {
            context! { id => id.to_string(), name => self.name(id, language), is_chosen => Some(id) == chosen }
        };
        all.map(choice).collect()
    }

    /// An event, with the page that shows it.
    pub fn event(&self, event: EventId, language: Language) -> Value {
        let EventId { game_id, seq } = event;
        let title = self.tournaments.get(&game_id);
        context! {
            id => event.to_string(),
            seq => seq.get(),
            is_in_feed => title.is_none(),
            game => title.cloned().unwrap_or_else(|| self.name(game_id, language)),
            page => match title {
                Some(_) => format!("/tournaments/{game_id}"),
                None => format!("/games/{game_id}/replay?seq={seq}"),
            },
        }
    }
}

/// The attempts, newest first as they come.
pub fn entries(rows: &[DeliveryRow], names: &Names, visitor: &Visitor) -> Vec<Value> {
    let mut tries: HashMap<(Uuid, u64), u32> = HashMap::new();
    let mut entries: Vec<_> = rows.iter().rev().map(|row| entry(row, &mut tries, names, visitor)).collect();
    entries.reverse();
    entries
}

fn entry(
    row: &DeliveryRow,
    tries: &mut HashMap<(Uuid, u64), u32>,
    names: &Names,
    visitor: &Visitor,
) -> Value {
    let event = row.game_id.zip(row.seq).map(|(game_id, seq)| EventId { game_id, seq });
    let nth = event.map(|event| {
        let tries = tries.entry((event.game_id, event.seq.get())).or_default();
        *tries += 1;
        *tries
    });
    context! {
        is_message => row.game_id.is_some() && event.is_none(),
        event => event.map(|event| names.event(event, visitor.language)),
        nth => nth.filter(|nth| *nth > 1),
        at => words::date_time(row.at, &visitor.zone, visitor.language),
        outcome => row.outcome.as_str(),
        is_delivered => row.outcome == DeliveryOutcome::Delivered,
        status => row.status,
        milliseconds => row.milliseconds,
    }
}
