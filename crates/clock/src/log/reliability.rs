//! How reliable players are, from finished games and their clock logs. Pure: the server and `pippost stats` calculate with it.

use std::cmp::Reverse;

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::events::{Did, PlayedGame, played};
use super::openings::OtherOffsets;
use super::verify::{ClockFailure, check};
use crate::MICROSECONDS;
use crate::control::TimeControl;
use crate::offers::{Offer, SeatOffer};
use pippost_record::record::{self, Timestamp, Verified};
use pippost_record::rules::Seat;

/// The most games of a player that count: the newest.
pub const MAX_GAMES: usize = 100;

/// A game of more events does not count, so that a figure costs a bounded time.
pub const MAX_EVENTS: u64 = 10_000;

/// How a game went for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The player was in it when it ended, or ended it by resigning.
    Finished,
    /// The player resigned while others played on.
    Left,
    /// The player's flag fell.
    TimedOut,
    /// The player ended it for everybody, without a result.
    Aborted,
}

/// What a finished game says of a player in one of its seats: first of those who began it, then of the substitutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatFigures {
    pub seat: Seat,
    /// As the record's header or, of a substitute, the clock log says.
    pub name: String,
    pub is_substitute: bool,
    /// `None`: another seat aborted the game, which counts for nobody else who was in it to the end.
    pub outcome: Option<Outcome>,
    /// The times to answer in seconds, cut to whole ones, ascending.
    pub answers_seconds: Vec<i32>,
}

/// What a finished game says of its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFigures {
    pub game: Uuid,
    /// The time of its last event.
    pub ended_at: Timestamp,
    /// A player chose the master, so the record proves nothing.
    pub sandbox: bool,
    pub rules: String,
    pub control: TimeControl,
    pub seats: Vec<SeatFigures>,
    /// By seat; `None` if the game was aborted.
    pub places: Option<Vec<u8>>,
    /// The clock log's offsets of time zones that are not those of this program's database.
    pub warning: Option<OtherOffsets>,
}

/// Why a game does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCounted {
    #[error("the record is refused: {0}")]
    Record(record::Failure),
    #[error("the clock log is refused: {0}")]
    Clock(ClockFailure),
    #[error("there is no clock log")]
    NoClock,
    #[error("the game is not over")]
    Running,
    #[error("it has more than {MAX_EVENTS} events")]
    TooLong,
}

/// Verifies a record with its clock log, and says what it tells of its players.
///
/// # Errors
/// Why it does not count.
///
/// # Panics
/// Never: a verified record has an event 0.
pub fn figures(record: &[u8], log: Option<&[u8]>) -> Result<GameFigures, NotCounted> {
    let (verified, game) = played(record).map_err(NotCounted::Record)?;
    let log = log.ok_or(NotCounted::NoClock)?;
    let clock = check(&verified, &game, log).map_err(NotCounted::Clock)?;
    let Some(result) = &verified.result else { return Err(NotCounted::Running) };
    let places = result.places.clone();
    if verified.events > MAX_EVENTS {
        return Err(NotCounted::TooLong);
    }
    let mut seats = seats(&verified, &game, &clock.offers);
    for answer in clock.answers {
        let seconds = i32::try_from(answer.taken / MICROSECONDS).unwrap_or(i32::MAX);
        let is_of =
            |seat: &&mut SeatFigures| seat.seat == answer.seat && seat.is_substitute == answer.by_substitute;
        if let Some(seat) = seats.iter_mut().find(is_of) {
            seat.answers_seconds.push(seconds);
        }
    }
    for seat in &mut seats {
        seat.answers_seconds.sort_unstable();
    }
    let ended_at = game.events.last().expect("event 0").at;
    let Verified { game, sandbox, rules, .. } = verified;
    let (control, warning) = (clock.control, clock.warning);
    Ok(GameFigures { game, ended_at, sandbox, rules, control, seats, places, warning })
}

/// Those who began the game, by seat, and then the substitutes; without times to answer. The outcome of the seat is the substitute's; who
/// was there before has left it, or has timed out.
fn seats(verified: &Verified, game: &PlayedGame, offers: &[SeatOffer]) -> Vec<SeatFigures> {
    let figures = |seat, name: &str, is_substitute, outcome| SeatFigures {
        seat,
        name: name.to_owned(),
        is_substitute,
        outcome,
        answers_seconds: Vec::new(),
    };
    let (mut seats, mut substitutes) = (Vec::new(), Vec::new());
    for ((seat, player), outcome) in (0..).map(Seat).zip(&game.order).zip(outcomes(game)) {
        let name = &verified.players[usize::from(*player)];
        let offer = offers.iter().find(|offer| offer.seat == seat).map(|offer| &offer.offer);
        let before = match offer {
            Some(Offer::Taken { after_fall: true, .. } | Offer::Vacant) => Some(Outcome::TimedOut),
            Some(Offer::Taken { after_fall: false, .. }) => Some(Outcome::Left),
            Some(Offer::Open) | None => outcome,
        };
        seats.push(figures(seat, name, false, before));
        if let Some(Offer::Taken { name, .. }) = offer {
            substitutes.push(figures(seat, name, true, outcome));
        }
    }
    seats.append(&mut substitutes);
    seats
}

/// By seat.
fn outcomes(game: &PlayedGame) -> Vec<Option<Outcome>> {
    let last = game.events.last().map(|event| event.did);
    let to_the_end = if matches!(last, Some(Did::Abort(_))) { None } else { Some(Outcome::Finished) };
    let mut outcomes = vec![to_the_end; game.order.len()];
    for event in &game.events {
        match event.did {
            Did::Timeout(seat) => outcomes[seat.index()] = Some(Outcome::TimedOut),
            // A resignation that ends the game leaves nobody alone.
            Did::Resign(seat) if event.asked.is_some() => outcomes[seat.index()] = Some(Outcome::Left),
            Did::Abort(Some(seat)) => outcomes[seat.index()] = Some(Outcome::Aborted),
            Did::Resign(_) | Did::Play(_) | Did::Abort(None) => {}
        }
    }
    outcomes
}

/// A game that counts for a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedGame {
    pub game: Uuid,
    pub ended_at: Timestamp,
    pub outcome: Outcome,
    /// Ascending.
    pub answers_seconds: Vec<i32>,
}

/// How reliable a player is, from the player's newest public games that are over (at most 100). Without games all numbers are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Reliability {
    /// Games that the player was in to the end, or ended by resigning.
    pub games_finished: i32,
    /// Games from which the player resigned while others played on.
    pub games_left: i32,
    pub games_timed_out: i32,
    pub games_aborted: i32,
    /// How often the player was asked in games with a limit or bank, and acted.
    pub answers: i32,
    /// Half of the answers took no longer, in seconds that the clock counted: nights, rest days, holidays, pauses and down time do not
    /// count. Null without answers.
    #[schema(required)]
    pub median_seconds: Option<i32>,
    /// Nine of ten answers took no longer. Null without answers.
    #[schema(required)]
    pub percentile_90_seconds: Option<i32>,
}

impl Reliability {
    /// The figures of these games, which are cut to the newest [`MAX_GAMES`].
    #[must_use]
    pub fn of(games: &mut Vec<CountedGame>) -> Self {
        keep_newest(games);
        let count = |outcome| i32::try_from(games.iter().filter(|game| game.outcome == outcome).count());
        let count = |outcome| count(outcome).unwrap_or(i32::MAX);
        let mut answers: Vec<i32> =
            games.iter().flat_map(|game| game.answers_seconds.iter().copied()).collect();
        answers.sort_unstable();
        Self {
            games_finished: count(Outcome::Finished),
            games_left: count(Outcome::Left),
            games_timed_out: count(Outcome::TimedOut),
            games_aborted: count(Outcome::Aborted),
            answers: i32::try_from(answers.len()).unwrap_or(i32::MAX),
            median_seconds: quantile(&answers, 5),
            percentile_90_seconds: quantile(&answers, 9),
        }
    }

    /// Whether no game counts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games_finished + self.games_left + self.games_timed_out + self.games_aborted == 0
    }
}

/// Cuts the games of a player to the newest [`MAX_GAMES`].
pub fn keep_newest(games: &mut Vec<CountedGame>) {
    games.sort_unstable_by_key(|game| Reverse((game.ended_at, game.game)));
    games.truncate(MAX_GAMES);
}

/// The least of `sorted` that so many tenths of all do not exceed.
fn quantile(sorted: &[i32], tenths: usize) -> Option<i32> {
    sorted.get((sorted.len() * tenths).div_ceil(10).checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u128, outcome: Outcome, answers_seconds: &[i32]) -> CountedGame {
        let ended_at = Timestamp::parse(&format!("2026-11-24T12:00:00.{number:06}Z")).expect("a time");
        CountedGame {
            game: Uuid::from_u128(number),
            ended_at,
            outcome,
            answers_seconds: answers_seconds.to_vec(),
        }
    }

    #[test]
    fn quantiles_are_answers_that_were_given() {
        let of = |answers: &[i32]| (quantile(answers, 5), quantile(answers, 9));
        assert_eq!(of(&[]), (None, None));
        assert_eq!(of(&[7]), (Some(7), Some(7)));
        assert_eq!(of(&[1, 2]), (Some(1), Some(2)));
        let ten: Vec<i32> = (1..=10).collect();
        assert_eq!(of(&ten), (Some(5), Some(9)));
        let eleven: Vec<i32> = (1..=11).collect();
        assert_eq!(of(&eleven), (Some(6), Some(10)));
    }

    #[test]
    fn only_the_newest_games_count() {
        let mut games: Vec<_> = (0..100).map(|number| game(number, Outcome::Finished, &[5])).collect();
        games.push(game(100, Outcome::TimedOut, &[7, 9]));
        games.reverse();
        let counted = Reliability::of(&mut games);
        assert_eq!(games.len(), MAX_GAMES);
        assert_eq!((counted.games_finished, counted.games_left, counted.games_timed_out), (99, 0, 1));
        assert_eq!((counted.answers, counted.median_seconds), (101, Some(5)));
    }

    #[test]
    fn without_games_there_are_no_figures() {
        assert_eq!(Reliability::of(&mut Vec::new()), Reliability::default());
        assert!(Reliability::default().is_empty());
    }
}
