//! Games that are followed by another one of the same kind, in their creator's name, once they are finished. They go on until one of them
//! expires, is left, or is lost by the clock, its creator says so, or the account ends.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::lobby::joining::{NewGame, PlayerIdentity, new_row};
use crate::lobby::listing::outcome;
use crate::lobby::quotas;
use crate::memory::live::control_of;
use crate::viewing::view::seating_of;
use pippost_keys::random_bytes;
use pippost_record::record::{GameResult, Master, Reason};
use pippost_store::games::{self, GameRow, WholeGame};
use pippost_store::lists::Outcome;
use pippost_store::renewals::{self, Renewed};
use pippost_store::{GameStatus, calendars};

/// The most games that one step looks at.
const BATCH: i64 = 20;

/// A game that a limit or a failure keeps from being opened is tried again after so long.
pub const RETRY_DELAY: Duration = Duration::hours(1);

/// What the worker does about a finished game.
enum Next {
    Open,
    /// The creator is on holiday until then.
    After(OffsetDateTime),
    /// Nothing, for good.
    End,
}

/// Opens the games that follow on finished ones; returns how many this call opened.
///
/// # Errors
/// The database failed; games that were opened stay so.
pub async fn renew(games: &Games) -> Result<usize, GameError> {
    let mut opened = 0;
    for game_id in renewals::due(&games.database, games.inner.clock.now(), BATCH).await? {
        match renew_one(games, game_id).await {
            Ok(is_opened) => {
                opened += usize::from(is_opened);
                continue;
            }
            Err(GameError::Store(error)) if error.is_of_the_connection() => return Err(error.into()),
            // Such limits come and go with the player's other games.
            Err(GameError::TooManyOpenGames | GameError::QuotaReached { .. }) => {}
            Err(error) => tracing::error!(game = %game_id, %error, "no game can be opened after this one"),
        }
        let until = games.inner.clock.now() + RETRY_DELAY;
        renewals::postpone(&games.database, game_id, Some(until)).await?;
    }
    Ok(opened)
}

/// False if no game is opened, or another process was faster.
async fn renew_one(games: &Games, game_id: Uuid) -> Result<bool, GameError> {
    let whole = games::load(&games.database, game_id).await?.ok_or(GameError::NotFound)?;
    match next(games, &whole).await? {
        Next::Open => {}
        Next::After(until) => {
            renewals::postpone(&games.database, game_id, Some(until)).await?;
            return Ok(false);
        }
        Next::End => {
            renewals::postpone(&games.database, game_id, None).await?;
            return Ok(false);
        }
    }
    match open(games, &whole).await? {
        Renewed::Opened => Ok(true),
        Renewed::Not => Ok(false),
        Renewed::TooManyOpen => Err(GameError::TooManyOpenGames),
        Renewed::Gone => {
            renewals::postpone(&games.database, game_id, None).await?;
            Ok(false)
        }
    }
}

async fn next(games: &Games, whole: &WholeGame) -> Result<Next, GameError> {
    let game = &whole.game;
    let result: Option<GameResult> =
        game.result.as_deref().and_then(|result| serde_json::from_str(result).ok());
    let Some(result) = result.filter(|result| result.places.is_some()) else { return Ok(Next::End) };
    let creator = whole.members.iter().find(|member| member.player_id == game.creator_id);
    let Some(seat) = creator.and_then(|creator| u8::try_from(creator.seat?).ok()) else {
        return Ok(Next::End);
    };
    // Who has lost by the clock may be gone, and no others shall wait for such a player.
    let may_be_gone = result.reason == Reason::Timeout && outcome(&result, seat) == Some(Outcome::Lost);
    if game.status != GameStatus::Finished || may_be_gone {
        return Ok(Next::End);
    }
    let now = games.inner.clock.now();
    let holidays = calendars::holidays(&games.database, game.creator_id, now).await?;
    let running = holidays.iter().filter(|holiday| holiday.from_at <= now);
    Ok(running.map(|holiday| holiday.until_at).max().map_or(Next::Open, Next::After))
}

async fn open(games: &Games, whole: &WholeGame) -> Result<Renewed, GameError> {
    let game = &whole.game;
    let member = whole.members.iter().find(|member| member.player_id == game.creator_id);
    let member = member.ok_or(GameError::NotJoined)?;
    let creator =
        PlayerIdentity { player_id: member.player_id, handle: member.handle.clone(), bot: member.bot };
    let wanted = NewGame { renews: true, ..like(game)? };
    let master = Master::from_bytes(random_bytes()?);
    let row = new_row(games, creator.player_id, &wanted, (Uuid::now_v7(), master))?;
    let most_open = i64::try_from(games.quotas.open_games).unwrap_or(i64::MAX);
    let limits = quotas::limits(games, &creator);
    let renewed = renewals::renew(&games.database, game.id, &row, most_open, &limits).await;
    renewed.map_err(|error| quotas::refused(games, &creator, error))
}

/// A game of the same kind as this one.
pub(super) fn like(game: &GameRow) -> Result<NewGame, GameError> {
    let corrupt = |what: &str| GameError::Corrupt(game.id, what.to_owned());
    Ok(NewGame {
        rules: game.rules.clone(),
        options: serde_json::from_str(&game.options).map_err(|_| corrupt("options"))?,
        seats: Some(u8::try_from(game.seats).map_err(|_| corrupt("seats"))?),
        private: game.private,
        seating: seating_of(game),
        time_control: control_of(game.time_control.as_deref(), game.limit_hours)
            .ok_or_else(|| corrupt("time control"))?,
        substitutes: game.substitutes,
        title: game.title.clone(),
        renews: false,
        seed: None,
    })
}

/// Lets no other game follow on one of this creator's games.
///
/// # Errors
/// The database failed.
pub async fn end(games: &Games, game_id: Uuid, creator_id: Uuid) -> Result<(), GameError> {
    Ok(renewals::end(&games.database, game_id, creator_id).await?)
}

/// Whether another game follows on this one, which the player has created.
///
/// # Errors
/// The database failed.
pub async fn is_on(games: &Games, game_id: Uuid, creator_id: Uuid) -> Result<bool, GameError> {
    Ok(renewals::is_on(&games.database, game_id, creator_id).await?)
}
