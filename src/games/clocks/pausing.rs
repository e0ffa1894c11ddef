//! Pauses by agreement: a player proposes one, or the end of the one that lasts, and it holds once everybody who plays has agreed.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::by_players::{Change as ByPlayers, change_by_player};
use super::changing::{Changed, Decision};
use crate::clock::Rest;
use crate::clock::log::{Change, Opened};
use crate::clock::microseconds;
use crate::games::Games;
use crate::games::error::GameError;
use crate::games::memory::live::LiveGame;
use crate::games::viewing::view::{self, SeatClaim};
use crate::record::Timestamp;
use crate::rules::Seat;
use crate::store::NoticeKind;
use crate::store::notices::{self, NewNotice};
use crate::store::pause_proposals::{self, PauseProposal};

/// The longest pause: 60 days.
pub const MAX_PAUSE: Duration = Duration::days(60);

/// The most proposals a day of which a player is told by mail; the page of the game shows all.
const MAX_TOLD_A_DAY: i64 = 10;

/// Proposes a pause until `until`, or without one the end of the pause that lasts. If nobody else has to agree, it holds at once.
///
/// # Errors
/// It cannot be, or another proposal waits.
pub async fn propose_pause(
    games: &Games,
    claim: &SeatClaim,
    until: Option<OffsetDateTime>,
) -> Result<(), GameError> {
    let live = view::load_live(games, claim.game_id).await?;
    let now = games.inner.clock.now();
    let until = until.map(|until| Timestamp::new(until).get());
    check(&live, claim.seat, until, now)?;
    let proposal = PauseProposal {
        game_id: claim.game_id,
        by_player: claim.player_id,
        until_at: until,
        created_at: now,
        agreed: vec![claim.player_id],
    };
    let others = missing(&live, &proposal);
    let mut asked = Vec::new();
    for player in &others {
        let kind = NoticeKind::PauseProposed;
        let told = notices::count_since(&games.database, *player, kind, now - Duration::DAY).await?;
        if told < MAX_TOLD_A_DAY {
            asked.push(NewNotice::to_player(kind, *player, now).with_event(claim.game_id, live.seq()));
        }
    }
    if !pause_proposals::propose(&games.database, &proposal, &asked, now).await? {
        return Err(GameError::ClockRefused("another proposal waits; agree with it or decline it first"));
    }
    if others.is_empty() {
        return carry_out(games, claim, &proposal).await;
    }
    games.inner.outbox_signal.notify();
    Ok(())
}

/// Agrees with the proposal that says `until`. It holds once everybody has agreed.
///
/// # Errors
/// There is no such proposal, or it cannot be any more.
pub async fn agree_to_pause(
    games: &Games,
    claim: &SeatClaim,
    until: Option<OffsetDateTime>,
) -> Result<(), GameError> {
    let live = view::load_live(games, claim.game_id).await?;
    let until = until.map(|until| Timestamp::new(until).get());
    check(&live, claim.seat, until, games.inner.clock.now())?;
    let agreed = pause_proposals::agree(&games.database, claim.game_id, until, claim.player_id).await?;
    let proposal = agreed.ok_or(GameError::ClockRefused("nobody proposes this"))?;
    // Whoever leaves meanwhile need not agree; nobody joins a started game.
    if missing(&live, &proposal).is_empty() { carry_out(games, claim, &proposal).await } else { Ok(()) }
}

/// Declines the proposal that waits, or takes the own one back. Without one, nothing happens.
///
/// # Errors
/// The player has left the game.
pub async fn decline_pause(games: &Games, claim: &SeatClaim) -> Result<(), GameError> {
    let live = view::load_live(games, claim.game_id).await?;
    plays(&live, claim.seat)?;
    pause_proposals::remove(&games.database, claim.game_id).await?;
    Ok(())
}

/// The proposal that waits in a running game, and who has agreed by seat; `None` if its time is over.
///
/// # Errors
/// The database failed.
pub async fn waiting_proposal(
    games: &Games,
    live: &LiveGame,
) -> Result<Option<(PauseProposal, Vec<Seat>)>, GameError> {
    if live.running.is_none() {
        return Ok(None);
    }
    let now = games.inner.clock.now();
    let proposal = pause_proposals::of_game(&games.database, live.fixed.id).await?;
    let proposal = proposal.filter(|proposal| possible(live, proposal.until_at, now).is_ok());
    Ok(proposal.map(|proposal| {
        let agreed = proposal.agreed.iter().filter_map(|player| live.fixed.seat_of(*player)).collect();
        (proposal, agreed)
    }))
}

/// Whether a player has not agreed yet with the proposal that waits.
///
/// # Errors
/// The database failed.
pub(in crate::games) async fn asks(
    games: &Games,
    live: &LiveGame,
    player_id: Uuid,
) -> Result<Option<PauseProposal>, GameError> {
    let waiting = waiting_proposal(games, live).await?.map(|(proposal, _)| proposal);
    Ok(waiting.filter(|proposal| missing(live, proposal).contains(&player_id)))
}

/// Those who must still agree: programs agree with everything.
fn missing(live: &LiveGame, proposal: &PauseProposal) -> Vec<Uuid> {
    let seats = (0..).map(Seat).zip(&live.fixed.players);
    let plays =
        seats.filter(|(seat, _)| !live.chronicle.table().has_left(*seat) && !live.fixed.is_bot(*seat));
    plays.map(|(_, player)| *player).filter(|player| !proposal.agreed.contains(player)).collect()
}

fn plays(live: &LiveGame, seat: Seat) -> Result<(), GameError> {
    if live.chronicle.table().has_left(seat) {
        return Err(GameError::ClockRefused("you have left this game"));
    }
    Ok(())
}

fn check(
    live: &LiveGame,
    seat: Seat,
    until: Option<OffsetDateTime>,
    now: OffsetDateTime,
) -> Result<(), GameError> {
    plays(live, seat)?;
    possible(live, until, now).map_err(GameError::ClockRefused)
}

fn possible(live: &LiveGame, until: Option<OffsetDateTime>, now: OffsetDateTime) -> Result<(), &'static str> {
    if live.running.is_none() {
        return Err("no clock runs in this game");
    }
    if live.control().is_unlimited() {
        return Err("the clocks of this game never run out");
    }
    let paused = is_paused(live, now);
    match until {
        None if !paused => Err("the game is not paused"),
        Some(_) if paused => Err("the game is paused already"),
        Some(until) if until <= now => Err("the pause ends before it begins"),
        Some(until) if until - now > MAX_PAUSE => Err("a pause has at most 60 days"),
        _ => Ok(()),
    }
}

fn is_paused(live: &LiveGame, now: OffsetDateTime) -> bool {
    let now = microseconds(now);
    live.frame.now.stills.iter().any(|still| still.why == Rest::Pause && still.until > now)
}

/// Writes the pause, or its end, that everybody has agreed to.
async fn carry_out(games: &Games, claim: &SeatClaim, proposal: &PauseProposal) -> Result<(), GameError> {
    let until = proposal.until_at;
    let changed = change_by_player(games, claim, |live, changed: &mut Changed| {
        // Two who agree at once both come here.
        let at = changed.at.get();
        let agreed = until.map(microseconds);
        let stills = &live.frame.now.stills;
        if agreed
            .is_some_and(|until| stills.iter().any(|still| still.why == Rest::Pause && still.until == until))
        {
            return Ok(Decision::Leave(()));
        }
        possible(live, until, at).map_err(GameError::ClockRefused)?;
        let (opened, change) = match until.map(Timestamp::new) {
            Some(until) => (Opened::Pause { until }, Change::Pause { until }),
            None => (Opened::Resume, Change::Resume {}),
        };
        ByPlayers { opened, change }.apply(changed)?;
        Ok(Decision::Write(()))
    });
    let changed = changed.await;
    // Also if it can no longer be: nobody needs it any more.
    pause_proposals::remove(&games.database, claim.game_id).await?;
    changed
}
