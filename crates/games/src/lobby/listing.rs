//! Lists of games, newest first, page by page.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::GameError;
use crate::memory::live::control_of;
use crate::memory::version_check;
use crate::viewing::view::{SeatClaim, seconds_left};
use crate::{Games, reliability};
use pippost_clock::TimeControl;
use pippost_clock::log::reliability::Reliability;
use pippost_record::record::{GameResult, Timestamp};
use pippost_record::rules;
use pippost_record::rules::schema::RuleSetOptions;
use pippost_store::lists::{self, Filter, ListedMember, ListedPage, ListedRow, Outcome, Whose};
use pippost_store::titles;
use pippost_store::{GameStatus, Seq};

/// The most games on a page.
pub const MAX_PAGE: u16 = 100;

/// A player of a game in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ListedPlayer {
    pub handle: String,
    /// Null before the start.
    pub seat: Option<u8>,
    /// True if a program plays on this account.
    pub bot: bool,
    /// Null once the game has started.
    pub reliability: Option<Reliability>,
}

/// A game in a list. Members that it shares with [`GameView`](crate::GameView) mean the same.
#[allow(clippy::struct_excessive_bools, reason = "what a list tells of a game")]
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ListedGame {
    pub id: Uuid,
    /// By which you name the game in mails; null if you are not in it.
    pub number: Option<i32>,
    pub rules: String,
    pub title: String,
    pub game_title: Option<String>,
    #[schema(value_type = RuleSetOptions)]
    pub options: Box<RawValue>,
    pub status: GameStatus,
    pub private: bool,
    pub seats: u8,
    /// In joining order.
    pub players: Vec<ListedPlayer>,
    pub my_seat: Option<u8>,
    pub limit_hours: Option<i32>,
    pub time_control: TimeControl,
    pub substitutes: bool,
    /// Whether another one opens for you, its creator, once it is finished.
    pub renews: bool,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    #[schema(value_type = Option<i64>)]
    pub seq: Option<Seq>,
    /// When event `seq` happened.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_event_at: Option<Timestamp>,
    /// The seat to act.
    pub to_act: Option<u8>,
    /// The handle of who is to act.
    pub to_act_player: Option<String>,
    pub my_turn: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub turn_since: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub deadline_at: Option<Timestamp>,
    /// Seconds until the deadline, when the response was made.
    pub time_left_seconds: Option<i64>,
    pub result: Option<GameResult>,
    /// A picture of the board; of a private game it asks for your token. Null before the start.
    pub board: Option<String>,
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
    let ListedPage { rows, next_cursor } =
        lists::games(&games.database, filter, player_id, limit.into()).await?;
    let waiting = rows.iter().filter(|row| waits(row)).flat_map(|row| &row.players);
    let waiting: BTreeSet<String> = waiting.map(|player| player.handle.clone()).collect();
    let known = reliability::of_players(games, &waiting).await?;
    let listed = rows.into_iter().map(|row| listed(games, row, player_id, &known));
    Ok(GamePage { games: listed.collect::<Result<_, GameError>>()?, next_cursor })
}

/// The game in which the player has to act first, if any waits for them.
///
/// # Errors
/// The database failed.
pub async fn next(games: &Games, player_id: Uuid) -> Result<Option<Uuid>, GameError> {
    Ok(lists::most_urgent(&games.database, player_id).await?)
}

/// The most waiting games that are counted.
pub const MAX_TURNS_COUNTED: u16 = 100;

/// In how many games the player has to act, [`MAX_TURNS_COUNTED`] at most.
///
/// # Errors
/// The database failed.
pub async fn count_turns(games: &Games, player_id: Uuid) -> Result<usize, GameError> {
    Ok(lists::count_turns(&games.database, player_id, MAX_TURNS_COUNTED.into()).await?)
}

/// The public games, and those that the player is in, whose titles begin with `beginning`, whatever its capitals; newest first.
///
/// # Errors
/// The database failed.
pub async fn titled(
    games: &Games,
    player_id: Option<Uuid>,
    beginning: &str,
) -> Result<Vec<ListedGame>, GameError> {
    let beginning = beginning.to_ascii_lowercase();
    let game_ids = titles::beginning_with(&games.database, player_id, &beginning).await?;
    if game_ids.is_empty() {
        return Ok(Vec::new());
    }
    let filter = Filter::all(Whose::Among { game_ids });
    Ok(list(games, &filter, player_id, MAX_PAGE).await?.games)
}

/// The game that the player has given this number.
///
/// # Errors
/// The database failed.
pub async fn numbered(games: &Games, player_id: Uuid, number: i32) -> Result<Option<Uuid>, GameError> {
    let found = pippost_store::games::numbered(&games.database, player_id, &[number]).await?;
    Ok(found.first().map(|(_, game_id)| *game_id))
}

/// Of how many of a player's newest games the results are counted.
const MAX_COUNTED: i64 = 500;

/// How a player's finished public games of one rule set went, among the newest 500 of all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RuleSetResults {
    pub rules: String,
    /// Games with the first place alone.
    pub won: u32,
    /// Games with a shared first place.
    pub drawn: u32,
    pub lost: u32,
}

/// How the finished public games of a player went, by rule set. Aborted games do not count.
///
/// # Errors
/// The database failed.
pub async fn results(games: &Games, player_id: Uuid) -> Result<Vec<RuleSetResults>, GameError> {
    let mut counted: BTreeMap<String, RuleSetResults> = BTreeMap::new();
    for (rules, result, stored) in lists::ended_of(&games.database, player_id, MAX_COUNTED).await? {
        let result: Option<GameResult> = serde_json::from_str(&result).ok();
        let outcome = result.zip(seat(Some(stored))).and_then(|(result, seat)| outcome(&result, seat));
        let Some(outcome) = outcome else { continue };
        let none = || RuleSetResults { rules: rules.clone(), won: 0, drawn: 0, lost: 0 };
        let of_rules = counted.entry(rules.clone()).or_insert_with(none);
        match outcome {
            Outcome::Won => of_rules.won += 1,
            Outcome::Drawn => of_rules.drawn += 1,
            Outcome::Lost => of_rules.lost += 1,
        }
    }
    Ok(counted.into_values().collect())
}

/// How finished games of two players went for one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

/// How the games for two of the player who has claimed a seat against the other player of this game went, the newest 500 of them;
/// `None` if the game is for more.
///
/// # Errors
/// The database failed.
pub async fn balance(games: &Games, claim: &SeatClaim) -> Result<Option<Balance>, GameError> {
    let live = version_check::current(games, claim.game_id).await?.ok_or(GameError::NotStarted)?;
    let [one, other] = live.fixed.players[..] else { return Ok(None) };
    let other = if one == claim.player_id { other } else { one };
    let mut balance = Balance::default();
    for (result, stored) in lists::ended_between(&games.database, claim.player_id, other, MAX_COUNTED).await?
    {
        let result: Option<GameResult> = serde_json::from_str(&result).ok();
        match result.zip(seat(Some(stored))).and_then(|(result, seat)| outcome(&result, seat)) {
            Some(Outcome::Won) => balance.won += 1,
            Some(Outcome::Drawn) => balance.drawn += 1,
            Some(Outcome::Lost) => balance.lost += 1,
            None => {}
        }
    }
    Ok(Some(balance))
}

/// How a game went for a seat; `None` after an abort.
#[must_use]
pub fn outcome(result: &GameResult, seat: u8) -> Option<Outcome> {
    let places = result.places.as_ref()?;
    let firsts = places.iter().filter(|place| u32::from(**place) == 1).count();
    Some(match places.get(usize::from(seat))? {
        1 if firsts == 1 => Outcome::Won,
        1 => Outcome::Drawn,
        _ => Outcome::Lost,
    })
}

/// Whether somebody may still sit down, or the start is awaited.
fn waits(row: &ListedRow) -> bool {
    matches!(row.game.status, GameStatus::Open | GameStatus::Starting)
}

fn listed(
    games: &Games,
    row: ListedRow,
    player_id: Option<Uuid>,
    known: &HashMap<String, Reliability>,
) -> Result<ListedGame, GameError> {
    let (now, expires_at, waits) = (games.inner.clock.now(), row.expires_at(), waits(&row));
    let ListedRow { game, state, players, number } = row;
    let corrupt = |what: &str| GameError::Corrupt(game.id, what.to_owned());
    let title =
        rules::find(&game.rules, None).map_or_else(|| game.rules.clone(), |rules| rules.title().to_owned());
    let deadline_at = state.as_ref().and_then(|state| state.deadline_at);
    let to_act_player = state.as_ref().and_then(|state| state.to_act_player);
    let member = |wanted: Option<Uuid>| players.iter().find(|player| Some(player.id) == wanted);
    let result = game.result.as_deref().map(serde_json::from_str).transpose();
    Ok(ListedGame {
        id: game.id,
        number,
        title,
        game_title: game.title,
        options: RawValue::from_string(game.options).map_err(|_| corrupt("options"))?,
        status: game.status,
        private: game.private,
        seats: u8::try_from(game.seats).map_err(|_| corrupt("seats"))?,
        my_seat: member(player_id).and_then(|player| seat(player.seat)),
        to_act_player: member(to_act_player).map(|player| player.handle.clone()),
        limit_hours: game.limit_hours,
        time_control: control_of(game.time_control.as_deref(), game.limit_hours)
            .ok_or_else(|| corrupt("time control"))?,
        substitutes: game.substitutes,
        renews: game.renews_at.is_some()
            && game.status != GameStatus::Cancelled
            && player_id == Some(game.creator_id),
        created_at: Timestamp::new(game.created_at),
        started_at: game.started_at.map(Timestamp::new),
        finished_at: game.finished_at.map(Timestamp::new),
        expires_at: expires_at.map(Timestamp::new),
        seq: state.as_ref().map(|state| state.seq),
        last_event_at: state.as_ref().map(|state| Timestamp::new(state.at)),
        to_act: state.as_ref().and_then(|state| seat(state.to_act_seat)),
        my_turn: to_act_player.is_some() && to_act_player == player_id,
        turn_since: state.as_ref().and_then(|state| state.turn_since).map(Timestamp::new),
        deadline_at: deadline_at.map(Timestamp::new),
        time_left_seconds: deadline_at.map(|deadline| seconds_left(deadline, now)),
        result: result.map_err(|_| corrupt("result"))?,
        board: state.is_some().then(|| games.board_url(game.id)),
        page: games.page_url(game.id),
        rules: game.rules,
        players: players.into_iter().map(|player| listed_player(player, waits.then_some(known))).collect(),
    })
}

/// `known` has figures of those whom others would sit down with.
fn listed_player(player: ListedMember, known: Option<&HashMap<String, Reliability>>) -> ListedPlayer {
    let ListedMember { id: _, handle, bot, seat: stored } = player;
    let reliability = known.map(|known| known.get(&handle).copied().unwrap_or_default());
    ListedPlayer { handle, seat: seat(stored), bot, reliability }
}

fn seat(stored: Option<i16>) -> Option<u8> {
    stored.and_then(|seat| u8::try_from(seat).ok())
}
