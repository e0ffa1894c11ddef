//! The clock of a game at this moment: what is left, what is used, and why it stands still.

use time::OffsetDateTime;
use uuid::Uuid;

use super::view::{self, Requester, seconds_left};
use crate::Games;
use crate::clocks;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use pippost_clock::game_clock::{Left, Uses};
use pippost_clock::{MICROSECONDS, Rest, microseconds, time_of};
use pippost_record::record::Timestamp;
use pippost_record::rules::{Seat, Viewer};
use pippost_store::pause_proposals::PauseProposal;

/// A clock at one moment, for one viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockNow {
    pub at: Timestamp,
    /// The seat whose turn it is; `None` if no clock runs.
    pub turn: Option<Seat>,
    /// The seat whose clock it is.
    pub to_act: Option<Seat>,
    pub deadline_at: Option<Timestamp>,
    pub time_left_seconds: Option<i64>,
    /// `None` if it would show others the nights, rest days or holidays of the player.
    pub own: Option<Own>,
    /// Why the clock stands still, and until when; of a calendar, only its player is told.
    pub stands_still: Option<(Rest, Timestamp)>,
    /// The last line of the clock log; `None` in a game from before there were clock logs.
    pub line: Option<u32>,
    /// What waits for the agreement of players; shown to players only.
    pub pause_proposal: Option<ProposedPause>,
}

/// A proposal to pause all clocks, or to end the pause that lasts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedPause {
    pub by: Seat,
    /// None: the pause shall end.
    pub until: Option<Timestamp>,
    /// Who agrees, in the order of agreement.
    pub agreed: Vec<Seat>,
}

/// What only counted time tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Own {
    pub uses: Uses,
    pub limit_seconds: Option<i64>,
    pub bank_seconds: Option<i64>,
    pub wait_seconds: Option<i64>,
}

/// The clock of a game, as `requester` may see it.
///
/// # Errors
/// No such game for this requester, or not started.
pub async fn clock_now(games: &Games, game_id: Uuid, requester: &Requester) -> Result<ClockNow, GameError> {
    let (live, viewer) = view::started_for(games, game_id, requester).await?;
    let clock = clock_at(&live, viewer, games.inner.clock.now());
    let pause_proposal = match viewer {
        Viewer::Seat(_) => proposed(&live, clocks::waiting_proposal(games, &live).await?),
        Viewer::Spectator => None,
    };
    Ok(ClockNow { pause_proposal, ..clock })
}

fn proposed(live: &LiveGame, waiting: Option<(PauseProposal, Vec<Seat>)>) -> Option<ProposedPause> {
    let (proposal, agreed) = waiting?;
    let by = live.fixed.seat_of(proposal.by_player)?;
    Some(ProposedPause { by, until: proposal.until_at.map(Timestamp::new), agreed })
}

fn clock_at(live: &LiveGame, viewer: Viewer, now: OffsetDateTime) -> ClockNow {
    let now = now.max(live.chronicle.at().get());
    let at = microseconds(now);
    let (running, clock_rules) = (live.running.as_ref(), &live.clock_rules);
    let seat = running.map(|running| running.asked().to_act);
    let is_private = running.is_some_and(|running| running.has_own_rests(clock_rules));
    let sees_all = !is_private || seat.is_some_and(|seat| viewer.is(seat));
    let deadline = live.turn.and_then(|turn| turn.deadline_at);
    let standing = running.and_then(|running| running.standing(clock_rules, at));
    let common = |why: Rest| matches!(why, Rest::Pause | Rest::DownTime | Rest::Vacancy);
    let common_end = running.and_then(|_| {
        clock_rules
            .conditions
            .stills
            .iter()
            .find(|still| common(still.why) && (still.from..still.until).contains(&at))
    });
    let shown = if sees_all { standing } else { common_end.map(|still| (still.why, still.until)) };
    ClockNow {
        at: Timestamp::new(now),
        turn: running.map(|running| running.asked().turn),
        to_act: seat,
        deadline_at: deadline.map(Timestamp::new),
        time_left_seconds: deadline.map(|deadline| seconds_left(deadline, now)),
        own: running
            .filter(|_| sees_all && !clock_rules.control.is_unlimited())
            .map(|running| own(running.left(clock_rules, at))),
        stands_still: shown.map(|(why, until)| (why, Timestamp::new(time_of(until)))),
        line: clock_rules.conditions.head.map(|head| head.number),
        pause_proposal: None,
    }
}

fn own(left: Left) -> Own {
    let seconds = |part: Option<i64>| part.map(|part| part / MICROSECONDS);
    Own {
        uses: left.uses(),
        limit_seconds: seconds(left.limit),
        bank_seconds: seconds(left.bank),
        wait_seconds: seconds(left.wait),
    }
}
