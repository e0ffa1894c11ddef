//! The clock of a game at this moment: what is left, what is used, and why it stands still.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::view::{Look, seconds_left};
use crate::Games;
use crate::clocks;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use pippost_clock::game_clock::{Left, Uses};
use pippost_clock::{MICROSECONDS, Rest, microseconds, time_of};
use pippost_record::record::Timestamp;
use pippost_record::rules::{Seat, Viewer};
use pippost_store::pause_proposals::PauseProposal;

/// The clock of a game at this moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockNow {
    /// The moment.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The seat whose turn it is; null if no clock runs.
    #[schema(value_type = Option<u8>)]
    pub turn: Option<Seat>,
    /// The seat whose clock it is; null if no clock runs.
    #[schema(value_type = Option<u8>)]
    pub to_act: Option<Seat>,
    /// When the flag falls; null without a limit and a bank.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub deadline_at: Option<Timestamp>,
    /// Seconds until then, with all time that does not count.
    pub time_left_seconds: Option<i64>,
    /// The time that counts; null without a limit and a bank, and to others than the player if it would show a calendar.
    pub left: Option<CountedLeft>,
    /// Null while the clock runs. Others than the player are told of pauses and down time only, if the player has a calendar.
    pub stands_still: Option<StandsStill>,
    /// The number of the last line of the clock log; null in a game from before there were clock logs.
    #[schema(minimum = 0)]
    pub line: Option<u32>,
    /// What waits for the agreement of players; null to others.
    pub pause_proposal: Option<ProposedPause>,
}

/// A proposal to pause all clocks, or to end the pause that lasts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PauseProposal)]
pub struct ProposedPause {
    /// The seat that proposes it.
    #[schema(value_type = u8)]
    pub by: Seat,
    /// Null: the pause that lasts shall end.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// The seats that agree. It holds once everybody does who plays and is no program.
    #[schema(value_type = Vec<u8>)]
    pub agreed: Vec<Seat>,
}

/// The counted time that the seat to act has left, in whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CountedLeft {
    /// What is used now, or will be when the clock goes on.
    pub uses: Uses,
    /// Of the limit for the turn; null without a limit.
    pub limit_seconds: Option<i64>,
    /// Of the bank; null without banks.
    pub bank_seconds: Option<i64>,
    /// What the table still waits; null if it does not.
    pub wait_seconds: Option<i64>,
}

/// A clock that stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StandsStill {
    pub why: Rest,
    /// When it goes on.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
}

/// The clock of a game that was looked at.
///
/// # Errors
/// The database failed.
pub async fn clock_now(games: &Games, Look { live, viewer }: &Look) -> Result<ClockNow, GameError> {
    let clock = clock_at(live, *viewer, games.inner.clock.now());
    let pause_proposal = match viewer {
        Viewer::Seat(_) => proposed(live, clocks::waiting_proposal(games, live).await?),
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
        left: running
            .filter(|_| sees_all && !clock_rules.control.is_unlimited())
            .map(|running| counted(running.left(clock_rules, at))),
        stands_still: shown.map(|(why, until)| StandsStill { why, until: Timestamp::new(time_of(until)) }),
        line: clock_rules.conditions.head.map(|head| head.number),
        pause_proposal: None,
    }
}

fn counted(left: Left) -> CountedLeft {
    let seconds = |part: Option<i64>| part.map(|part| part / MICROSECONDS);
    CountedLeft {
        uses: left.uses(),
        limit_seconds: seconds(left.limit),
        bank_seconds: seconds(left.bank),
        wait_seconds: seconds(left.wait),
    }
}
