//! Lists of games, newest first, page by page.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::GameError;
use crate::memory::live::control_of;
use crate::{Games, reliability};
use pippost_clock::TimeControl;
use pippost_clock::log::reliability::Reliability;
use pippost_record::record::Timestamp;
use pippost_record::rules;
use pippost_store::lists::{self, Filter, ListedPage, ListedRow};
use pippost_store::{GameStatus, Seq};

/// The most games on a page.
pub const MAX_PAGE: u16 = 100;

/// A game in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ListedGame {
    pub id: Uuid,
    pub rules: String,
    pub title: String,
    pub status: GameStatus,
    pub private: bool,
    pub seats: u8,
    /// Handles in joining order.
    pub players: Vec<String>,
    /// The handles among them on which programs play.
    pub bots: Vec<String>,
    pub limit_hours: Option<i32>,
    pub time_control: TimeControl,
    /// Whether a seat that is given up may be taken by a substitute.
    pub substitutes: bool,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When a game that has not started by then is cancelled; null once it has started.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    #[schema(value_type = Option<i64>)]
    pub seq: Option<Seq>,
    pub to_act: Option<i16>,
    /// True if it is your turn.
    pub my_turn: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub deadline_at: Option<Timestamp>,
    /// Seconds until the deadline, when the response was made.
    pub time_left_seconds: Option<i64>,
    /// Before the start, of each of the players; empty from then on.
    pub reliability: Vec<Reliability>,
    pub page: String,
}

/// A page of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GamePage {
    pub games: Vec<ListedGame>,
    /// The `cursor` of the next page; null on the last.
    pub next_cursor: Option<Uuid>,
}

impl GamePage {
    /// The page as JSON without the seconds left, which change while nothing happens.
    ///
    /// # Panics
    /// Never: a page is plain data.
    pub fn without_seconds(&mut self) -> Vec<u8> {
        let taken: Vec<_> = self.games.iter_mut().map(|game| game.time_left_seconds.take()).collect();
        let json = serde_json::to_vec(self).expect("plain data");
        for (game, seconds) in self.games.iter_mut().zip(taken) {
            game.time_left_seconds = seconds;
        }
        json
    }
}

/// A page of the games that match `filter`, as `player_id` may see them.
///
/// # Errors
/// The database failed.
pub async fn list(
    games: &Games,
    filter: &Filter,
    player_id: Option<Uuid>,
    limit: u16,
) -> Result<GamePage, GameError> {
    let limit = limit.clamp(1, MAX_PAGE);
    let ListedPage { rows, next_cursor } = lists::games(&games.database, filter, limit.into()).await?;
    let waiting = rows.iter().filter(|row| waits(row)).flat_map(|row| &row.players).cloned();
    let known = reliability::of_players(games, &waiting.collect::<BTreeSet<_>>()).await?;
    let games = rows.into_iter().map(|row| {
        let reliability = if waits(&row) { of_row(&row, &known) } else { Vec::new() };
        Ok(ListedGame { reliability, ..listed(games, row, player_id)? })
    });
    Ok(GamePage { games: games.collect::<Result<_, GameError>>()?, next_cursor })
}

/// Whether somebody may still sit down, or the start is awaited.
fn waits(row: &ListedRow) -> bool {
    matches!(row.game.status, GameStatus::Open | GameStatus::Starting)
}

fn of_row(row: &ListedRow, known: &HashMap<String, Reliability>) -> Vec<Reliability> {
    row.players.iter().map(|handle| known.get(handle).copied().unwrap_or_default()).collect()
}

fn listed(games: &Games, row: ListedRow, player_id: Option<Uuid>) -> Result<ListedGame, GameError> {
    let (now, expires_at) = (games.inner.clock.now(), row.expires_at());
    let ListedRow { game, state, players, bots } = row;
    let corrupt = |what: &str| GameError::Corrupt(game.id, what.to_owned());
    let title =
        rules::find(&game.rules, None).map_or_else(|| game.rules.clone(), |rules| rules.title().to_owned());
    let deadline_at = state.as_ref().and_then(|state| state.deadline_at);
    let to_act_player = state.as_ref().and_then(|state| state.to_act_player);
    Ok(ListedGame {
        id: game.id,
        title,
        status: game.status,
        private: game.private,
        seats: u8::try_from(game.seats).map_err(|_| corrupt("seats"))?,
        players,
        bots,
        limit_hours: game.limit_hours,
        time_control: control_of(game.time_control.as_deref(), game.limit_hours)
            .ok_or_else(|| corrupt("time control"))?,
        substitutes: game.substitutes,
        created_at: Timestamp::new(game.created_at),
        expires_at: expires_at.map(Timestamp::new),
        seq: state.as_ref().map(|state| state.seq),
        to_act: state.as_ref().and_then(|state| state.to_act_seat),
        my_turn: to_act_player.is_some() && to_act_player == player_id,
        deadline_at: deadline_at.map(Timestamp::new),
        time_left_seconds: deadline_at.map(|deadline| (deadline - now).whole_seconds().max(0)),
        reliability: Vec::new(),
        page: games.page_url(game.id),
        rules: game.rules,
    })
}
