//! Seats that are given up and offered to substitutes, where the table allows it. A seat is handed over before the rules take it out: a
//! record knows no way back into a game.

use time::Duration;
use uuid::Uuid;

use super::changing::{Changed, Decision, Reminders, SeatChange, change, is_seat_offered};
use super::player_changes::{Change as PlayerChange, change_by_player};
use crate::error::GameError;
use crate::lobby::quotas;
use crate::memory::live::LiveGame;
use crate::viewing::view::{self, Requester, SeatClaim};
use crate::viewing::visibility;
use crate::{Games, PlayerIdentity};
use pippost_clock::log::{Change, MAX_LINES, Opened};
use pippost_clock::offers::Offer;
use pippost_clock::{microseconds, time_of};
use pippost_record::record::Timestamp;
use pippost_record::rules::Seat;
use pippost_store::NoticeKind;
use pippost_store::commit::SeatTaken;
use pippost_store::games;
use pippost_store::notices::NewNotice;
use pippost_store::usage::UsageLimits;

/// How long a seat whose flag fell is offered before it is timed out.
pub const MAX_VACANCY: Duration = Duration::hours(72);

/// The fewest who play while a seat is offered: of two, the other would only wait for a win.
const MIN_PLAYING: usize = 3;

/// Whether the seat to act is offered, and not timed out, when its flag falls.
pub(crate) fn is_offered_at_fall(live: &LiveGame) -> bool {
    let is_new = |seat| matches!(live.clock_rules.offer(seat), None | Some(Offer::Open));
    may_be_handed_over(live) && live.turn.is_some_and(|turn| is_new(turn.seat))
}

fn may_be_handed_over(live: &LiveGame) -> bool {
    live.fixed.substitutes
        && live.clock_rules.conditions.head.is_some()
        && playing(live).count() >= MIN_PLAYING
}

/// The seats whose players have not left.
fn playing(live: &LiveGame) -> impl Iterator<Item = Seat> {
    let table = live.chronicle.table();
    (0..table.seats()).map(Seat).filter(|seat| !table.has_left(*seat))
}

/// Offers the seat to act, whose flag is down, for [`MAX_VACANCY`]; false if it is to be timed out.
///
/// # Errors
/// The database failed.
pub(crate) async fn vacate(games: &Games, game_id: Uuid) -> Result<bool, GameError> {
    let vacated = change(games, game_id, |live, changed| {
        let Some(running) = &changed.running else { return Ok(Decision::Leave(false)) };
        let seat = running.asked().to_act;
        let fall = running.fall(&changed.clock_rules).filter(|fall| *fall <= microseconds(changed.at.get()));
        let has_room = changed.writer.number() < MAX_LINES;
        let Some(fall) = fall.filter(|_| has_room && is_offered_at_fall(live)) else {
            return Ok(Decision::Leave(false));
        };
        let from = Timestamp::new(time_of(fall));
        let until = Timestamp::new(changed.at.get() + MAX_VACANCY);
        let (opened, change) = (Opened::Vacancy { seat, from, until }, Change::Vacancy { from, seat, until });
        // A clock that can take no more spans takes none, and the seat is timed out.
        if (PlayerChange { opened, change }).apply(changed).is_err() {
            return Ok(Decision::Leave(false));
        }
        changed.reminders = Reminders::Anew;
        tell(live, changed, NoticeKind::SeatOffered, |_| true);
        Ok(Decision::Write(true))
    })
    .await?;
    if vacated {
        games.inner.outbox_signal.notify();
    }
    Ok(vacated)
}

/// Offers the player's own seat. The player plays on until somebody takes it; an offer is not taken back.
///
/// # Errors
/// The table takes no substitutes, or the seat was offered before.
pub async fn offer_seat(games: &Games, claim: &SeatClaim) -> Result<(), GameError> {
    let seat = claim.seat;
    change_by_player(games, claim.game_id, |live, changed| {
        claim.check(live)?;
        if live.chronicle.table().has_left(seat) {
            return Err(GameError::ClockRefused("you have left this game"));
        }
        if !may_be_handed_over(live) {
            let why = "seats are offered only where the table allows substitutes and three or more play";
            return Err(GameError::ClockRefused(why));
        }
        PlayerChange { opened: Opened::Offer { seat }, change: Change::Offer { seat } }.apply(changed)?;
        tell(live, changed, NoticeKind::SeatOffered, |told| told != seat);
        Ok(Decision::Write(()))
    })
    .await?;
    games.inner.outbox_signal.notify();
    Ok(())
}

/// Takes an offered seat. Of several who try at once, one gets it.
///
/// # Errors
/// No such game (also: a private one without its invitation), not started, the seat is not offered, or the player sits or has sat in it.
pub async fn take_seat(
    games: &Games,
    game_id: Uuid,
    player: &PlayerIdentity,
    seat: Seat,
    invitation: Option<&str>,
) -> Result<(), GameError> {
    let joins = Requester { player_id: Some(player.player_id), token: invitation.map(str::to_owned) };
    visibility::expect_visible(games, game_id, &joins).await?;
    let whole = games::load(&games.database, game_id).await?.ok_or(GameError::NotFound)?;
    let invited = invitation.is_some_and(|token| view::is_invitation(games, game_id, token));
    let is_member = whole.members.iter().any(|member| member.player_id == player.player_id);
    if whole.game.private && !invited && !is_member {
        return Err(GameError::NotFound);
    }
    if whole.state.is_none() {
        return Err(GameError::NotStarted);
    }
    let limits = quotas::limits(games, player);
    let taken = change_by_player(games, game_id, |live, changed| {
        if live.fixed.has_sat(player.player_id) {
            return Err(GameError::AlreadyJoined);
        }
        let is_offered = changed.clock_rules.offered_seats().any(|offered| offered == seat);
        if !is_offered || live.chronicle.table().has_left(seat) {
            return Err(GameError::ClockRefused("this seat is not offered"));
        }
        let name = player.handle.clone();
        let (opened, change) =
            (Opened::Substitute { seat, name: name.clone() }, Change::Substitute { name, seat });
        PlayerChange { opened, change }.apply(changed)?;
        changed.reminders = Reminders::Anew;
        hand_over(live, changed, limits, seat);
        Ok(Decision::Write(()))
    });
    taken.await.map_err(|error| quotas::refused(games, player, error))?;
    games.inner.outbox_signal.notify_of(&[game_id, player.player_id]);
    Ok(())
}

fn hand_over(live: &LiveGame, changed: &mut Changed, to: UsageLimits, seat: Seat) {
    let now = changed.at.get();
    let is_to_act = live.turn.is_some_and(|turn| turn.seat == seat);
    tell(live, changed, NoticeKind::SeatTaken, |told| told != seat);
    let Some(seats) = &mut changed.seats else { return };
    seats.taken = Some(SeatTaken { from: live.fixed.players[seat.index()], to, now });
    if is_to_act {
        let turn = NewNotice::to_player(NoticeKind::Turn, to.player_id, now);
        seats.notices.push(turn.with_event(live.fixed.id, live.seq()));
    }
}

/// Tells those who play, but for programs, in seats of which `told` is true.
fn tell(live: &LiveGame, changed: &mut Changed, kind: NoticeKind, told: impl Fn(Seat) -> bool) {
    let now = changed.at.get();
    let seats = playing(live).filter(|seat| told(*seat) && !live.fixed.is_bot(*seat));
    let notice = |seat: Seat| {
        let player_id = live.fixed.players[seat.index()];
        NewNotice::to_player(kind, player_id, now).with_event(live.fixed.id, live.seq())
    };
    changed.seats = Some(SeatChange { taken: None, notices: seats.map(notice).collect() });
}

/// Takes a game out of the list of those with offered seats if nobody can take one any more: to be called when somebody has left it, or it
/// is over.
///
/// # Errors
/// The database failed.
pub(crate) async fn forget_offers(games: &Games, game_id: Uuid) -> Result<(), GameError> {
    let live = view::load_live(games, game_id).await?;
    if live.clock_rules.offered_seats().next().is_some() && !is_seat_offered(&live, &live.clock_rules) {
        games::offer_no_seat(&games.database, game_id).await?;
    }
    Ok(())
}
