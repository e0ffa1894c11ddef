//! How the public games of a player went: against whom, the best victories, and when the player moves.

use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use time::{Date, OffsetDateTime, UtcOffset};
use uuid::Uuid;

use super::{firsts, places};
use crate::Games;
use crate::error::GameError;
use crate::lobby::listing::Balance;
use crate::memory::live::control_of;
use pippost_ratings::{Pace, Pool, SETTLED_DEVIATION};
use pippost_record::record::Timestamp;
use pippost_store::events::{self, Span};
use pippost_store::lists::{self, Filter, GamesOf, ListedMember, ListedRow, Whose};
use pippost_store::ratings::{self, Wanted};

/// Of how many of a player's newest public games the figures are.
pub const MAX_GAMES: i64 = 200;

/// The most opponents that are told, and the most victories.
pub const MAX_TOLD: usize = 10;

/// Of how many of the newest games events are read.
pub const MAX_GAMES_READ: usize = 10;

/// How many of each.
const MAX_EVENTS_READ: u64 = 50;

/// Whom a player has met most often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opponent {
    pub handle: String,
    /// By who had the better place.
    pub balance: Balance,
}

/// A victory over somebody who was highly rated then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    pub game_id: Uuid,
    pub rules: String,
    pub handle: String,
    /// The opponent's before the day on which the game ended, in thousandths.
    pub rating: i32,
    pub deviation: i32,
    pub ended_at: OffsetDateTime,
}

/// The figures of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerFigures {
    /// Finished games that were not aborted.
    pub games: usize,
    /// The most frequent first.
    pub opponents: Vec<Opponent>,
    /// The highest rated first.
    pub best: Vec<Best>,
    /// When the player has moved of late.
    pub moved_at: Vec<OffsetDateTime>,
}

/// The figures of a player's newest public games.
///
/// # Errors
/// The database failed.
pub async fn of_player(games: &Games, player_id: Uuid) -> Result<PlayerFigures, GameError> {
    let filter = Filter::all(Whose::Of(GamesOf { public_only: true, ..GamesOf::player(player_id, None) }));
    let rows = lists::games(&games.database, &filter, None, MAX_GAMES).await?.rows;
    let ended: Vec<EndedGame<'_>> = rows.iter().filter_map(|row| EndedGame::of(row, player_id)).collect();
    Ok(PlayerFigures {
        games: ended.len(),
        opponents: opponents(&ended),
        best: best(games, &ended).await?,
        moved_at: moved_at(games, &rows, player_id).await?,
    })
}

/// The seat of a player, if nobody else has sat in it: a substitute's result is not the player's alone.
fn own_seat(row: &ListedRow, player_id: Uuid) -> Option<usize> {
    let seat = row.players.iter().find(|player| player.id == player_id)?.seat?;
    let alone = row.players.iter().filter(|player| player.seat == Some(seat)).count() == 1;
    usize::try_from(seat).ok().filter(|_| alone)
}

/// A finished game of a player.
struct EndedGame<'a> {
    row: &'a ListedRow,
    ended_at: OffsetDateTime,
    /// Each other player, and the own place compared with theirs.
    others: Vec<(&'a ListedMember, Ordering)>,
    /// Whether the player has the first place alone.
    is_won: bool,
}

impl<'a> EndedGame<'a> {
    /// `None` of a game that runs, was aborted, or was for one player.
    fn of(row: &'a ListedRow, player_id: Uuid) -> Option<Self> {
        let (own, places) = (own_seat(row, player_id)?, places(row)?);
        let place = *places.get(own)?;
        let other = |player: &'a ListedMember| {
            let seat = own_seat(row, player.id).filter(|seat| *seat != own)?;
            Some((player, place.cmp(places.get(seat)?)))
        };
        let others: Vec<_> = row.players.iter().filter_map(other).collect();
        let is_won = place == 1 && firsts(&places) == 1;
        let ended_at = row.game.finished_at.filter(|_| !others.is_empty())?;
        Some(Self { row, ended_at, others, is_won })
    }
}

fn opponents(ended: &[EndedGame<'_>]) -> Vec<Opponent> {
    let mut met: HashMap<Uuid, Opponent> = HashMap::new();
    for (player, compared) in ended.iter().flat_map(|game| &game.others) {
        let new = || Opponent { handle: player.handle.clone(), balance: Balance::default() };
        let Balance { won, drawn, lost } = &mut met.entry(player.id).or_insert_with(new).balance;
        *match compared {
            Ordering::Less => won,
            Ordering::Equal => drawn,
            Ordering::Greater => lost,
        } += 1;
    }
    let count = |balance: Balance| balance.won + balance.drawn + balance.lost;
    let mut met: Vec<Opponent> = met.into_values().collect();
    met.sort_by_cached_key(|one| (Reverse(count(one.balance)), one.handle.to_ascii_lowercase()));
    met.truncate(MAX_TOLD);
    met
}

/// The victories over those who were rated highest, each opponent's best one. Provisional ratings say too little.
async fn best(games: &Games, ended: &[EndedGame<'_>]) -> Result<Vec<Best>, GameError> {
    let won = ended.iter().filter(|game| game.is_won);
    let beaten = won.flat_map(|game| game.others.iter().map(move |(player, _)| (game, *player)));
    let (beaten, wanted): (Vec<(&EndedGame<'_>, &ListedMember)>, Vec<Wanted>) =
        beaten.filter_map(|(game, player)| Some(((game, player), wanted(game, player)?))).unzip();
    let found = ratings::before(&games.database, &wanted).await?;
    let settled = found.into_iter().filter(|found| found.deviation <= SETTLED_DEVIATION);
    let told = settled.filter_map(|found| {
        let (game, player) = beaten.get(usize::try_from(found.number - 1).ok()?)?;
        Some(Best {
            game_id: game.row.game.id,
            rules: game.row.game.rules.clone(),
            handle: player.handle.clone(),
            rating: found.rating,
            deviation: found.deviation,
            ended_at: game.ended_at,
        })
    });
    let mut told: Vec<Best> = told.collect();
    told.sort_by_key(|one| (Reverse(one.rating), Reverse(one.ended_at)));
    let mut told_of = HashSet::new();
    told.retain(|one| told_of.insert(one.handle.clone()));
    told.truncate(MAX_TOLD);
    Ok(told)
}

/// The rating that an opponent had before the day of a game; `None` if the game's time control cannot be read.
fn wanted(game: &EndedGame<'_>, player: &ListedMember) -> Option<Wanted> {
    let columns = &game.row.game;
    let pace = Pace::of(&control_of(columns.time_control.as_deref(), columns.limit_hours)?);
    let pool = if game.row.players.iter().any(|player| player.bot) { Pool::Bots } else { Pool::People };
    let before: Date = game.ended_at.to_offset(UtcOffset::UTC).date();
    let (pool, pace) = (pool.as_str(), pace.as_str());
    Some(Wanted { player_id: player.id, pool, rules: columns.rules.clone(), pace, before })
}

/// What of an event says who acted, and when.
#[derive(Deserialize)]
struct Acted {
    at: Timestamp,
    seat: Option<u8>,
}

/// When the player has acted in the newest events of the newest games, without those in the archive.
async fn moved_at(
    games: &Games,
    rows: &[ListedRow],
    player_id: Uuid,
) -> Result<Vec<OffsetDateTime>, GameError> {
    let started = rows.iter().filter_map(|row| {
        let (seat, last) = (own_seat(row, player_id)?, row.state.as_ref()?.seq);
        Some((seat, Span { game_id: row.game.id, first: last.back(MAX_EVENTS_READ - 1), last }))
    });
    let (seats, spans): (Vec<usize>, Vec<Span>) = started.take(MAX_GAMES_READ).unzip();
    let of_each = events::rows_of_each(&games.database, &spans).await?;
    let mut moved_at = Vec::new();
    for (seat, rows) in seats.into_iter().zip(of_each) {
        let acted = rows.iter().filter_map(|(_, line)| serde_json::from_str::<Acted>(line).ok());
        let own = acted.filter(|acted| acted.seat.map(usize::from) == Some(seat));
        moved_at.extend(own.map(|acted| acted.at.get()));
    }
    Ok(moved_at)
}
