//! Ladders, one for each rule set with games for two: joining, leaving, challenging and accepting. A worker carries on what is due
//! ([`step`]). Who stands where is decided by the pure module `pippost_tournaments::ladder`.

mod telling;
mod viewing;
mod working;

use serde_json::json;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::error::GameError;
use crate::lobby::at_once::is_for_two;
use crate::tournaments::expect_confirmed;
use crate::{Games, NewGame};
use pippost_clock::TimeControl;
use pippost_record::record::{Seating, Timestamp};
use pippost_record::rules::{self, RuleSet};
use pippost_store::StoreError;
use pippost_store::ladders::{self as store, HappeningKind, HappeningRow, LadderChange};
use pippost_tournaments::ladder::{Challenge, Ending, MAX_UNANSWERED, Rung};

pub use pippost_tournaments::ladder::{Happening, Ladder, Leaving, Refused};
pub(crate) use telling::challenge_content;
pub use viewing::{Challenged, ListedLadder, MAX_SHOWN, Placed, ShownLadder, Told, list, show, waiting_for};
pub use working::{after_holidays, step};

/// How long a challenge may wait for its answer. Holidays of the challenged do not count.
pub const ANSWER_TIME: Duration = Duration::days(7);

/// Whoever has not played on a ladder for so long leaves it.
pub const MAX_IDLE: Duration = Duration::days(60);

/// Hours for each turn of its games.
pub const LIMIT_HOURS: i32 = 72;

/// Why a wish about a ladder is not fulfilled.
#[derive(Debug, thiserror::Error)]
pub enum LadderRefused {
    #[error(transparent)]
    Refused(Refused),
    #[error(transparent)]
    Game(#[from] GameError),
}

impl From<StoreError> for LadderRefused {
    fn from(error: StoreError) -> Self {
        Self::Game(error.into())
    }
}

/// The time control of the games of all ladders.
#[must_use]
pub fn control() -> TimeControl {
    TimeControl::limited(LIMIT_HOURS)
}

/// The newest version of the rules of a ladder.
fn rules_of(name: &str) -> Result<&'static dyn RuleSet, GameError> {
    rules::find(name, None).filter(|rules| is_for_two(*rules)).ok_or(GameError::NotFound)
}

/// A ladder from its stored state, which is empty before anything has happened.
fn read(rules: &str, state: &str) -> Result<Ladder, StoreError> {
    if state.is_empty() {
        return Ok(Ladder::default());
    }
    serde_json::from_str(state).map_err(|_| StoreError::Corrupt(format!("the ladder of {rules}")))
}

async fn load(games: &Games, rules: &str) -> Result<Ladder, GameError> {
    let state = store::load(&games.database, rules).await?;
    Ok(read(rules, state.as_deref().unwrap_or_default())?)
}

/// Whether a player has not played for [`MAX_IDLE`], and has no challenge.
fn is_idle(ladder: &Ladder, rung: &Rung, now: OffsetDateTime) -> bool {
    let has_challenge = ladder.challenges().iter().any(|challenge| challenge.is_of(rung.player));
    rung.played.get() + MAX_IDLE <= now && !has_challenge
}

/// The row of what is about to happen on a ladder.
fn row(ladder: &Ladder, rules: &str, at: Timestamp, happening: Happening) -> HappeningRow {
    let signed = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let row = |kind, player_id| HappeningRow {
        rules: rules.to_owned(),
        number: signed(ladder.happened()).saturating_add(1),
        at: at.get(),
        kind,
        player_id,
        other_id: None,
        challenge: None,
        game_id: None,
        how: None,
        notice_id: None,
    };
    let of_challenge = |kind, number: u32| {
        let challenge = ladder.challenge(number);
        HappeningRow {
            other_id: challenge.map(|challenge| challenge.challenged),
            challenge: Some(signed(number)),
            game_id: challenge.and_then(|challenge| challenge.game),
            ..row(kind, challenge.map(|challenge| challenge.challenger).unwrap_or_default())
        }
    };
    match happening {
        Happening::Joined { player } => row(HappeningKind::Joined, player),
        Happening::Challenged { challenger, challenged } => {
            HappeningRow { other_id: Some(challenged), ..row(HappeningKind::Challenged, challenger) }
        }
        Happening::Accepted { challenge, game, .. } => {
            HappeningRow { game_id: Some(game), ..of_challenge(HappeningKind::Accepted, challenge) }
        }
        Happening::Ended { challenge, ending } => HappeningRow {
            how: Some(ending.as_str().to_owned()),
            ..of_challenge(HappeningKind::Ended, challenge)
        },
        Happening::Expired { challenge } => of_challenge(HappeningKind::Expired, challenge),
        Happening::Left { player, leaving } => {
            HappeningRow { how: Some(leaving.as_str().to_owned()), ..row(HappeningKind::Left, player) }
        }
    }
}

/// Lets happen what is possible of this, and what follows from it: the rows of all that has happened, and what was refused first.
fn happen(
    ladder: &mut Ladder,
    rules: &str,
    now: OffsetDateTime,
    happenings: Vec<Happening>,
) -> (Vec<HappeningRow>, Option<Refused>) {
    let (at, mut rows, mut refused) = (Timestamp::new(now), Vec::new(), None);
    let mut apply = |ladder: &mut Ladder, happening| {
        let new = row(ladder, rules, at, happening);
        match ladder.apply(at, happening) {
            Ok(()) => rows.push(new),
            Err(why) => refused = refused.or(Some(why)),
        }
    };
    for happening in happenings {
        // Who was idle may have begun to play since the worker looked.
        let plays =
            |player| ladder.rungs().iter().any(|rung| rung.player == player && !is_idle(ladder, rung, now));
        if !matches!(happening, Happening::Left { player, leaving: Leaving::Idle } if plays(player)) {
            apply(ladder, happening);
        }
    }
    let silent = |rung: &&Rung| rung.unanswered >= MAX_UNANSWERED;
    let silent: Vec<Uuid> = ladder.rungs().iter().filter(silent).map(|rung| rung.player).collect();
    for player in silent {
        apply(ladder, Happening::Left { player, leaving: Leaving::Unanswered });
    }
    (rows, refused)
}

/// A ladder after a change.
struct Changed {
    ladder: Ladder,
    /// How much has happened.
    happened: usize,
    /// What was refused first.
    refused: Option<Refused>,
}

/// Lets something happen on a ladder under its lock.
async fn change(games: &Games, rules: &str, happenings: Vec<Happening>) -> Result<Changed, GameError> {
    let now = games.inner.clock.now();
    let changed = store::change(&games.database, rules, |state| {
        let mut ladder = read(rules, state)?;
        let (rows, refused) = happen(&mut ladder, rules, now, happenings);
        let happened = rows.len();
        let state = serde_json::to_string(&ladder).expect("plain data");
        let change = (happened > 0).then_some(LadderChange { state, happenings: rows });
        Ok((change, Changed { ladder, happened, refused }))
    });
    Ok(changed.await?)
}

async fn wish(games: &Games, rules: &str, happening: Happening) -> Result<Ladder, LadderRefused> {
    let Changed { ladder, refused, .. } = change(games, rules, vec![happening]).await?;
    refused.map_or(Ok(ladder), |refused| Err(LadderRefused::Refused(refused)))
}

/// What a row says has happened; `None` if it says nothing that can.
fn happening(row: &HappeningRow) -> Option<Happening> {
    let challenge = row.challenge.and_then(|number| u32::try_from(number).ok());
    let how = row.how.as_deref();
    Some(match row.kind {
        HappeningKind::Joined => Happening::Joined { player: row.player_id },
        HappeningKind::Challenged => {
            Happening::Challenged { challenger: row.player_id, challenged: row.other_id? }
        }
        HappeningKind::Accepted => {
            Happening::Accepted { challenge: challenge?, by: row.other_id?, game: row.game_id? }
        }
        HappeningKind::Ended => Happening::Ended { challenge: challenge?, ending: Ending::named(how?)? },
        HappeningKind::Expired => Happening::Expired { challenge: challenge? },
        HappeningKind::Left => Happening::Left { player: row.player_id, leaving: Leaving::named(how?)? },
    })
}

/// Whether a ladder stands as it follows from all that has happened on it.
///
/// # Errors
/// There is no such ladder, or the database failed.
pub async fn is_recomputed(games: &Games, rules: &str) -> Result<bool, GameError> {
    let rules = rules_of(rules)?.name();
    let stored = load(games, rules).await?;
    let rows = store::happenings(&games.database, rules, i64::MAX).await?;
    // More may have happened since the state was read.
    let then = rows.iter().rev().take(usize::try_from(stored.happened()).unwrap_or(usize::MAX));
    let happened = then.map(|row| happening(row).map(|one| (Timestamp::new(row.at), one)));
    let happened: Option<Vec<_>> = happened.collect();
    Ok(happened.is_some_and(|happened| Ladder::after(happened) == Ok(stored)))
}

/// Lets a player join a ladder, at its bottom.
///
/// # Errors
/// There is no such ladder, the player is on it, it is full, the player's address is not confirmed, or the database failed.
pub async fn join(games: &Games, rules: &str, player: Uuid) -> Result<(), LadderRefused> {
    let rules = rules_of(rules)?.name();
    expect_confirmed(games, player).await?;
    wish(games, rules, Happening::Joined { player }).await?;
    Ok(())
}

/// Takes a player off a ladder; a game that runs goes on.
///
/// # Errors
/// There is no such ladder, the player is not on it, or the database failed.
pub async fn leave(games: &Games, rules: &str, player: Uuid) -> Result<(), LadderRefused> {
    wish(games, rules_of(rules)?.name(), Happening::Left { player, leaving: Leaving::Wish }).await?;
    Ok(())
}

/// Lets a player challenge another, whom a mail tells.
///
/// # Errors
/// There is no such ladder, the other is out of reach, one of both has as many challenges as one may, or the database failed.
pub async fn challenge(
    games: &Games,
    rules: &str,
    challenger: Uuid,
    challenged: Uuid,
) -> Result<(), LadderRefused> {
    wish(games, rules_of(rules)?.name(), Happening::Challenged { challenger, challenged }).await?;
    games.inner.outbox_signal.notify();
    Ok(())
}

/// Accepts a challenge, whose game begins; its id.
///
/// # Errors
/// There is no such challenge to answer, or the database failed. If only the game could not be begun, the worker does that.
pub async fn accept(games: &Games, rules: &str, challenge: u32, by: Uuid) -> Result<Uuid, LadderRefused> {
    let (rules, game) = (rules_of(rules)?.name(), Uuid::now_v7());
    let ladder = wish(games, rules, Happening::Accepted { challenge, by, game }).await?;
    if let Some(accepted) = ladder.challenge(challenge) {
        working::begin(games, rules, accepted).await?;
    }
    Ok(game)
}

/// The same, of the challenge by a player.
///
/// # Errors
/// As of [`accept`].
pub async fn accept_of(
    games: &Games,
    rules: &str,
    challenger: Uuid,
    by: Uuid,
) -> Result<Uuid, LadderRefused> {
    let ladder = load(games, rules_of(rules)?.name()).await?;
    let is_asked =
        |one: &&Challenge| one.challenger == challenger && one.challenged == by && one.game.is_none();
    let challenge =
        ladder.challenges().iter().find(is_asked).ok_or(LadderRefused::Refused(Refused::NoChallenge))?;
    accept(games, rules, challenge.number, by).await
}

/// A game of a ladder.
fn new_game(rules: &str) -> NewGame {
    NewGame {
        rules: rules.to_owned(),
        options: json!({}),
        seats: Some(2),
        private: false,
        seating: Seating::Random,
        time_control: control(),
        substitutes: false,
        title: None,
        renews: false,
        seed: None,
    }
}
