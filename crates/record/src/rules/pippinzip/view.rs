//! The view, the same for everybody, because nothing is hidden.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::options::{Size, Surface, Variant};
use super::position::Position;
use crate::rules::Seat;

/// What everybody sees of a game of Pippinzip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = PippinzipView)]
pub struct View {
    pub phase: Phase,
    pub variant: Variant,
    pub size: Size,
    /// The seat that plays black; null during the auction.
    pub pip: Option<Seat>,
    /// The seat that plays white; null during the auction.
    pub zip: Option<Seat>,
    /// From north to south: `.` empty, `b` black, `w` white.
    pub rows: Vec<String>,
    /// For the picture; omitted from the JSON, because the options have it.
    #[serde(skip)]
    pub surface: Surface,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PippinzipPhase)]
pub enum Phase {
    Auction,
    Play,
    Finished,
}

/// The view of a position.
pub fn of(position: &Position) -> View {
    let phase = match position.pip {
        _ if position.over => Phase::Finished,
        None => Phase::Auction,
        Some(_) => Phase::Play,
    };
    View {
        phase,
        variant: position.variant,
        size: position.board.size(),
        pip: position.pip,
        zip: position.pip.map(Seat::other),
        rows: position.board.rows(),
        surface: position.surface,
    }
}
