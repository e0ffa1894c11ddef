//! Pauses by agreement: a player proposes one, or the end of the one that lasts, and it holds once everybody who plays has agreed.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::changing::{Changed, Decision};
use super::player_changes::{Change as PlayerChange, change_by_player};
use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::viewing::view::{self, SeatClaim};
use pippost_clock::Rest;
use pippost_clock::log::{Change, MAX_STILLS, Opened};
use pippost_clock::microseconds;
use pippost_record::record::Timestamp;
use pippost_record::rules::Seat;
use pippost_store::NoticeKind;
use pippost_store::notices::{self, NewNotice};
use pippost_store::pause_proposals::{self, PauseProposal};

/// The longest pause: 60 days.
pub const MAX_PAUSE: Duration = Duration::days(60);

/// How long a proposal waits: who agrees weeks later agrees with something else.
pub const PROPOSAL_LIFETIME: Duration = Duration::hours(72);

/// The most pauses within one turn; the rest of the spans that a clock can keep is for holidays and down time.
const MAX_PAUSES_A_TURN: usize = MAX_STILLS / 2;

/// The most proposals a day and game of which a player is told by mail; the page of the game shows all.
const MAX_TOLD_A_DAY: i64 = 3;

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
    check(&live, claim, until, now)?;
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
        let since = now - Duration::DAY;
        let about = Some(claim.game_id);
        let told = notices::count_since(&games.database, *player, kind, about, since).await?;
        if told < MAX_TOLD_A_DAY {
            asked.push(NewNotice::to_player(kind, *player, now).with_event(claim.game_id, live.seq()));
        }
    }
    let waits = |other: &PauseProposal| is_open(&live, other, now);
    if !pause_proposals::propose(&games.database, &proposal, &asked, waits).await? {
        return Err(GameError::ClockRefused("another proposal waits; agree with it or decline it first"));
    }
    if others.is_empty() {
        return carry_out(games, claim.game_id, &proposal).await;
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
    let now = games.inner.clock.now();
    check(&live, claim, until, now)?;
    let oldest = now - PROPOSAL_LIFETIME;
    let agreed =
        pause_proposals::agree(&games.database, claim.game_id, until, claim.player_id, oldest).await?;
    let proposal = agreed.ok_or(NOBODY_PROPOSES)?;
    // Whoever leaves meanwhile need not agree; nobody joins a started game.
    if missing(&live, &proposal).is_empty() {
        carry_out(games, claim.game_id, &proposal).await
    } else {
        Ok(())
    }
}

/// Carries out the proposal that waits if everybody has agreed who is still in the game: to be called when somebody has left it.
///
/// # Errors
/// The database failed.
pub(crate) async fn agree_without_who_left(games: &Games, game_id: Uuid) -> Result<(), GameError> {
    let Some(proposal) = pause_proposals::of_game(&games.database, game_id).await? else { return Ok(()) };
    let live = view::load_live(games, game_id).await?;
    let open = is_open(&live, &proposal, games.inner.clock.now());
    if open && missing(&live, &proposal).is_empty() {
        return carry_out(games, game_id, &proposal).await;
    }
    Ok(())
}

/// Declines the proposal that says `until`, or takes the own one back.
///
/// # Errors
/// There is no such proposal: everybody has agreed, or it was replaced. Or the player has left the game.
pub async fn decline_pause(
    games: &Games,
    claim: &SeatClaim,
    until: Option<OffsetDateTime>,
) -> Result<(), GameError> {
    let live = view::load_live(games, claim.game_id).await?;
    plays(&live, claim)?;
    let until = until.map(|until| Timestamp::new(until).get());
    if !pause_proposals::decline(&games.database, claim.game_id, until).await? {
        return Err(NOBODY_PROPOSES);
    }
    Ok(())
}

/// Answers the proposal that a mail of `told_at` asked about. False if it does not wait for this player, or is a newer one.
///
/// # Errors
/// It cannot be any more, or the database failed.
pub async fn answer_proposal(
    games: &Games,
    claim: &SeatClaim,
    told_at: OffsetDateTime,
    agrees: bool,
) -> Result<bool, GameError> {
    let live = view::load_live(games, claim.game_id).await?;
    let asked = asks(games, &live, claim.player_id).await?;
    let Some(proposal) = asked.filter(|proposal| proposal.created_at <= told_at) else { return Ok(false) };
    if agrees {
        agree_to_pause(games, claim, proposal.until_at).await?;
    } else {
        decline_pause(games, claim, proposal.until_at).await?;
    }
    Ok(true)
}

const NOBODY_PROPOSES: GameError = GameError::ClockRefused("nobody proposes this");

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
    let proposal = proposal.filter(|proposal| is_open(live, proposal, now));
    Ok(proposal.map(|proposal| {
        let agreed = proposal.agreed.iter().filter_map(|player| live.fixed.seat_of(*player)).collect();
        (proposal, agreed)
    }))
}

/// Whether a player has not agreed yet with the proposal that waits.
///
/// # Errors
/// The database failed.
pub(crate) async fn asks(
    games: &Games,
    live: &LiveGame,
    player_id: Uuid,
) -> Result<Option<PauseProposal>, GameError> {
    let waiting = waiting_proposal(games, live).await?.map(|(proposal, _)| proposal);
    Ok(waiting.filter(|proposal| missing(live, proposal).contains(&player_id)))
}

/// Whether a proposal still waits.
fn is_open(live: &LiveGame, proposal: &PauseProposal, now: OffsetDateTime) -> bool {
    now - proposal.created_at < PROPOSAL_LIFETIME && possible(live, proposal.until_at, now).is_ok()
}

/// Those who must still agree: programs agree with everything.
fn missing(live: &LiveGame, proposal: &PauseProposal) -> Vec<Uuid> {
    let seats = (0..).map(Seat).zip(&live.fixed.players);
    let asks = |seat: Seat| {
        let is_there = !live.chronicle.table().has_left(seat) && !live.clock_rules.is_vacant(seat);
        is_there && !live.fixed.is_bot(seat)
    };
    let plays = seats.filter(|(seat, _)| asks(*seat));
    plays.map(|(_, player)| *player).filter(|player| !proposal.agreed.contains(player)).collect()
}

fn plays(live: &LiveGame, claim: &SeatClaim) -> Result<(), GameError> {
    claim.check(live)?;
    if live.chronicle.table().has_left(claim.seat) {
        return Err(GameError::ClockRefused("you have left this game"));
    }
    if live.clock_rules.is_vacant(claim.seat) {
        return Err(GameError::SeatVacant);
    }
    Ok(())
}

fn check(
    live: &LiveGame,
    claim: &SeatClaim,
    until: Option<OffsetDateTime>,
    now: OffsetDateTime,
) -> Result<(), GameError> {
    plays(live, claim)?;
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
    let pauses = live.clock_rules.kept_stills(live.running.as_ref()).filter(|still| still.why == Rest::Pause);
    match until {
        Some(_) if !paused && pauses.count() >= MAX_PAUSES_A_TURN => {
            Err("the clocks have been paused often during this turn; it must end first")
        }
        None if !paused => Err("the game is not paused"),
        Some(_) if paused => Err("the game is paused already"),
        Some(until) if until <= now => Err("the pause ends before it begins"),
        Some(until) if until - now > MAX_PAUSE => Err("a pause has at most 60 days"),
        _ => Ok(()),
    }
}

fn is_paused(live: &LiveGame, now: OffsetDateTime) -> bool {
    let now = microseconds(now);
    live.clock_rules.conditions.stills.iter().any(|still| still.why == Rest::Pause && still.until > now)
}

/// Writes the pause, or its end, that everybody has agreed to. The proposal is taken away first: whoever declines from then on is told
/// that nobody proposes it, and of two who agree at once one comes here.
async fn carry_out(games: &Games, game_id: Uuid, proposal: &PauseProposal) -> Result<(), GameError> {
    if !pause_proposals::take(&games.database, proposal).await? {
        return Ok(());
    }
    let changed = change_by_player(games, game_id, |live, changed: &mut Changed| {
        possible(live, proposal.until_at, changed.at.get()).map_err(GameError::ClockRefused)?;
        let (opened, change) = match proposal.until_at.map(Timestamp::new) {
            Some(until) => (Opened::Pause { until }, Change::Pause { until }),
            None => (Opened::Resume, Change::Resume {}),
        };
        PlayerChange { opened, change }.apply(changed)?;
        Ok(Decision::Write(()))
    });
    let changed = changed.await;
    // What was agreed waits on if only moves or the database were in the way.
    if let Err(GameError::Contended | GameError::Store(_)) = &changed {
        pause_proposals::put_back(&games.database, proposal).await?;
    }
    changed
}
