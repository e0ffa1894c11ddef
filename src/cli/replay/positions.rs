//! Renders a game after each of its events, as text.

use crate::api::verdict::{FailureView, PROVES_NOTHING};
use crate::games::letters::mail_content::common_sentence;
use crate::language::Language;
use crate::record::verify::{Played, walk};
use crate::record::{GameResult, Timestamp};
use crate::rules::{Captions, Viewer};

/// The most events of a replayed game; the text of all positions is held in memory.
const MAX_EVENTS: usize = 50_000;

/// The width at which sentences are wrapped; boards are no wider.
const COLUMNS: usize = 78;

/// All positions of a game.
#[derive(Debug)]
pub struct Positions(Vec<Shown>);

/// The game after one event.
#[derive(Debug)]
struct Shown {
    at: Timestamp,
    text: String,
}

/// Why a game cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum NotReplayed {
    /// The record is invalid.
    #[error("{}", .0.why)]
    Refused(FailureView),
    #[error("the game has {0} seats, numbered from 0")]
    NoSuchSeat(u8),
    #[error("games of more than {MAX_EVENTS} events are not shown")]
    TooLong,
}

impl Positions {
    /// The positions of a record. The record is verified first, so that only valid games are shown.
    pub fn of(record: &[u8], viewer: Viewer) -> Result<Self, NotReplayed> {
        let (mut shown, mut seats, mut too_long) = (Vec::new(), 0, false);
        let verified = walk(record, |played| {
            seats = played.table.seats();
            let seated = match viewer {
                Viewer::Seat(seat) => seat.0 < seats,
                Viewer::Spectator => true,
            };
            too_long |= shown.len() == MAX_EVENTS;
            if seated && !too_long {
                shown.push(Shown { at: played.at, text: describe(played, viewer) });
            }
        });
        if let Err(failure) = verified {
            return Err(NotReplayed::Refused(failure.into()));
        }
        if too_long {
            return Err(NotReplayed::TooLong);
        }
        if shown.is_empty() {
            return Err(NotReplayed::NoSuchSeat(seats));
        }
        Ok(Self(shown))
    }

    /// The number of positions: one per event, from event 0 on.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// The lines of the position after event `seq`, beginning with its heading; empty if there is no such event.
    pub fn lines(&self, seq: u64) -> impl Iterator<Item = String> {
        let shown = usize::try_from(seq).ok().and_then(|index| self.0.get(index));
        let last = self.count() - 1;
        shown.into_iter().flat_map(move |shown| {
            let heading = format!("Event {seq} of {last}, {}", shown.at);
            std::iter::once(heading).chain(shown.text.lines().map(str::to_owned))
        })
    }
}

/// The events, the board, and whose turn it is or how the game ended.
fn describe(played: &Played<'_>, viewer: Viewer) -> String {
    let names: Vec<String> = played.names().iter().map(|name| plain(name)).collect();
    let position = played.table.position();
    let mut sentences: Vec<String> =
        common_sentence(played.seat, played.action, &names, Language::ENGLISH).into_iter().collect();
    let told = position.tell(played.seat, played.action, played.effects);
    sentences.extend(told.iter().map(|sentence| Language::ENGLISH.tell(sentence, &names)));
    let next = match (played.table.result(), played.table.to_act()) {
        (Some(result), _) => ending(result, &names),
        (None, Some(seat)) => format!("It is the turn of {} (seat {seat}).", names[seat.index()]),
        (None, None) => String::new(),
    };
    let board = position.board_text(viewer, &Captions::new(&names, &Language::ENGLISH));
    if played.header.is_sandbox() {
        sentences.insert(0, PROVES_NOTHING.to_owned());
    }
    let told = textwrap::fill(&sentences.join("\n"), COLUMNS);
    format!("{told}\n\n{}\n\n{}\n", board.trim_end(), textwrap::fill(&next, COLUMNS))
}

fn ending(result: &GameResult, names: &[String]) -> String {
    let Some(places) = &result.places else { return "The game is over: it was aborted.".to_owned() };
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|seat| places[*seat]);
    let line = |seat: usize| {
        let score = result.scores.as_ref().map_or(String::new(), |scores| format!(" ({})", scores[seat]));
        format!("{}. {}{score}", places[seat], names[seat])
    };
    let standing: Vec<String> = order.into_iter().map(line).collect();
    format!("The game is over: {}.", standing.join(", "))
}

/// Replaces control characters in a name, because a record may come from anybody.
pub fn plain(name: &str) -> String {
    name.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}
