//! What clocks need of the events of a record.

use serde::Deserialize;

use crate::game_clock::ToAct;
use pippost_record::record::verify::{self, Played};
use pippost_record::record::{CommonAction, Failure, Hash, Timestamp, Verified};
use pippost_record::rules::Seat;

/// A record that was checked, as far as clocks need it.
pub(super) struct PlayedGame {
    /// By seat, the player's index in joining order.
    pub order: Vec<u8>,
    /// From event 0 on.
    pub events: Vec<EventTime>,
}

/// An event of the record, as far as clocks need it.
pub(super) struct EventTime {
    pub at: Timestamp,
    pub asked: Option<ToAct>,
    pub hash: Hash,
    pub did: Did,
}

/// What an event did that bears on clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Did {
    /// An action of the rules by a seat, or the start.
    Play(Option<Seat>),
    Resign(Seat),
    Timeout(Seat),
    /// By a seat, which a checked record always names.
    Abort(Option<Seat>),
}

impl Did {
    /// The seat that acted or resigned.
    pub fn by(self) -> Option<Seat> {
        match self {
            Self::Play(seat) => seat,
            Self::Resign(seat) => Some(seat),
            Self::Timeout(_) | Self::Abort(_) => None,
        }
    }

    /// The seat that left the game with it.
    pub fn leaves(self) -> Option<Seat> {
        match self {
            Self::Resign(seat) | Self::Timeout(seat) => Some(seat),
            Self::Play(_) | Self::Abort(_) => None,
        }
    }

    fn of(played: &Played<'_>) -> Self {
        match (CommonAction::deserialize(played.action), played.seat) {
            (Ok(CommonAction::Resign {}), Some(seat)) => Self::Resign(seat),
            (Ok(CommonAction::Timeout { seat }), _) => Self::Timeout(seat),
            (Ok(CommonAction::Abort {}), seat) => Self::Abort(seat),
            (_, seat) => Self::Play(seat),
        }
    }
}

/// Verifies a record, and keeps of it what clocks need.
pub(super) fn played(record: &[u8]) -> Result<(Verified, PlayedGame), Failure> {
    let mut game = PlayedGame { order: Vec::new(), events: Vec::new() };
    let verified = verify::walk(record, |played| {
        if game.events.is_empty() {
            game.order = played.table.order().to_vec();
        }
        game.events.push(EventTime {
            at: played.at,
            asked: ToAct::at(played.table),
            hash: Hash::of(&[]),
            did: Did::of(played),
        });
    })?;
    for (event, line) in game.events.iter_mut().zip(record.split(|byte| *byte == b'\n').skip(1)) {
        event.hash = hash_in(line);
    }
    Ok((verified, game))
}

/// The hash of an event of a record that was verified.
fn hash_in(line: &[u8]) -> Hash {
    #[derive(Deserialize)]
    struct Hashed {
        hash: Hash,
    }
    serde_json::from_slice(line).map_or_else(|_| Hash::of(&[]), |Hashed { hash }| hash)
}
