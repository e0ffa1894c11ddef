//! How the games of a rule set go: who wins, and how long they take. Counted at most once in a while for each rule set.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use time::{Duration, OffsetDateTime};
use tokio::sync::Mutex;

use super::{firsts, places};
use crate::Games;
use crate::error::GameError;
use pippost_store::GameStatus;
use pippost_store::lists::{self, Filter, ListedRow, Whose};

/// Of how many of the newest finished public games of a rule set the figures are.
pub const MAX_GAMES: i64 = 1000;

/// How long counted figures are shown.
const KEPT: Duration = Duration::minutes(10);

/// A quarter is below the lower one, half below the median, and a quarter above the upper one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quartiles<T> {
    pub lower: T,
    pub median: T,
    pub upper: T,
}

impl<T: Ord + Copy> Quartiles<T> {
    /// Each is one of the values: the first that as large a part of them does not exceed. `None` without values.
    #[must_use]
    pub fn of(values: &mut [T]) -> Option<Self> {
        values.sort_unstable();
        let at = |quarters: usize| values.get((values.len() * quarters).div_ceil(4).checked_sub(1)?).copied();
        Some(Self { lower: at(1)?, median: at(2)?, upper: at(3)? })
    }
}

/// The games for a number of players, with programs or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFigures {
    /// Whether programs played.
    pub bots: bool,
    pub seats: usize,
    pub games: usize,
    /// Games in which the first seat has the first place alone.
    pub first_seat_won: usize,
    /// Games with a shared first place.
    pub drawn: usize,
    /// Events after the start.
    pub events: Quartiles<u64>,
    /// From the start to the end.
    pub spans: Quartiles<Duration>,
}

/// The figures of a rule set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSetFigures {
    /// Of people first, then by the number of players.
    pub tables: Vec<TableFigures>,
}

/// The figures of each rule set that were counted last.
#[derive(Debug, Default)]
pub struct KnownRuleSets(Mutex<HashMap<&'static str, (OffsetDateTime, Arc<RuleSetFigures>)>>);

impl KnownRuleSets {
    /// The figures of a rule set, which are counted anew if they are old. Whoever asks meanwhile waits for the one count.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of(&self, games: &Games, rules: &'static str) -> Result<Arc<RuleSetFigures>, GameError> {
        let mut known = self.0.lock().await;
        let now = games.now();
        if let Some((counted_at, figures)) = known.get(rules)
            && now - *counted_at < KEPT
        {
            return Ok(Arc::clone(figures));
        }
        let public = Filter::all(Whose::Public { status: GameStatus::Finished });
        let filter = Filter { rules: Some(rules.to_owned()), ..public };
        let rows = lists::games(&games.database, &filter, None, MAX_GAMES).await?.rows;
        let figures = Arc::new(figures(&rows));
        known.insert(rules, (now, Arc::clone(&figures)));
        Ok(figures)
    }
}

/// A finished game.
struct Ended {
    places: Vec<u8>,
    events: u64,
    span: Duration,
}

/// Aborted games, and those of one player, do not count.
fn figures(rows: &[ListedRow]) -> RuleSetFigures {
    let mut tables: BTreeMap<(bool, usize), Vec<Ended>> = BTreeMap::new();
    for row in rows {
        let Some(ended) = ended(row).filter(|ended| ended.places.len() > 1) else { continue };
        let bots = row.players.iter().any(|player| player.bot);
        tables.entry((bots, ended.places.len())).or_default().push(ended);
    }
    let tables = tables.into_iter().filter_map(|((bots, seats), games)| table(bots, seats, &games));
    RuleSetFigures { tables: tables.collect() }
}

fn ended(row: &ListedRow) -> Option<Ended> {
    let span = row.game.finished_at? - row.game.started_at?;
    Some(Ended { places: places(row)?, events: row.state.as_ref()?.seq.get(), span })
}

fn table(bots: bool, seats: usize, games: &[Ended]) -> Option<TableFigures> {
    let drawn = games.iter().filter(|game| firsts(&game.places) > 1).count();
    let first_seat_won = games.iter().filter(|game| firsts(&game.places) == 1 && game.places[0] == 1).count();
    Some(TableFigures {
        bots,
        seats,
        games: games.len(),
        first_seat_won,
        drawn,
        events: Quartiles::of(&mut games.iter().map(|game| game.events).collect::<Vec<_>>())?,
        spans: Quartiles::of(&mut games.iter().map(|game| game.span).collect::<Vec<_>>())?,
    })
}
