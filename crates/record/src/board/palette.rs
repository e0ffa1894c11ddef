//! The colours. Seats have those of Okabe and Ito, which colour-blind people can distinguish; where two pieces meet, lightness
//! differs as well as hue.

use crate::rules::Seat;
use crate::rules::picture::Role;

/// A colour in the light theme and in the dark one, as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    pub light: &'static str,
    pub dark: &'static str,
}

const fn both(light: &'static str, dark: &'static str) -> Colour {
    Colour { light, dark }
}

const fn same(colour: &'static str) -> Colour {
    Colour { light: colour, dark: colour }
}

/// Okabe and Ito's colours in the order of seats; a grey replaces their black, to be visible on a dark ground.
const SEATS: [Colour; 8] = [
    same("#0072b2"),
    same("#d55e00"),
    same("#009e73"),
    same("#cc79a7"),
    same("#56b4e9"),
    same("#f0e442"),
    same("#e69f00"),
    both("#4d4d4d", "#8c8c8c"),
];

/// Black or white, whichever is easier to read on the seat's colour.
const ON_SEATS: [Colour; 8] = [
    same("#ffffff"),
    same("#ffffff"),
    same("#ffffff"),
    same("#000000"),
    same("#000000"),
    same("#000000"),
    same("#000000"),
    both("#ffffff", "#000000"),
];

/// The colour of a role.
pub fn colour(role: Role) -> Colour {
    match role {
        Role::Ground => both("#fbfaf7", "#16181d"),
        Role::Panel => both("#efece4", "#23262e"),
        Role::Ink => both("#1c1b19", "#f2f0ea"),
        Role::Muted => both("#5d5a53", "#b3b0a8"),
        Role::Faint => both("#b9b4a7", "#555a66"),
        Role::Highlight => both("#c2185b", "#ff6fae"),
        Role::LightCell => both("#f3e6c9", "#a89f8b"),
        Role::DarkCell => both("#b98d5c", "#5f5346"),
        Role::Grid => both("#6e5a3c", "#2b2620"),
        Role::LightPiece => both("#fffdf6", "#f7f4ea"),
        Role::LightPieceSide => both("#e4dfd0", "#d6d1c2"),
        Role::LightPieceInk | Role::BlackSuit => same("#1c1b19"),
        Role::DarkPiece => both("#2a2d34", "#15171b"),
        Role::DarkPieceSide => both("#464b56", "#2f333b"),
        Role::DarkPieceInk => both("#f5f3ec", "#e8e5db"),
        Role::Card => both("#ffffff", "#f4f1e8"),
        Role::CardEdge => both("#8d8878", "#0d0e11"),
        Role::CardBack => same("#35608f"),
        Role::CardBackInk => both("#c9dcf0", "#b4cbe3"),
        Role::RedSuit => both("#c8371b", "#bf3014"),
        Role::Seat(seat) => SEATS[seat.index() % SEATS.len()],
        Role::OnSeat(seat) => ON_SEATS[seat.index() % ON_SEATS.len()],
    }
}

/// Every role, with those of as many seats as there are colours.
pub fn roles() -> impl Iterator<Item = Role> {
    let common = [
        Role::Ground,
        Role::Panel,
        Role::Ink,
        Role::Muted,
        Role::Faint,
        Role::Highlight,
        Role::LightCell,
        Role::DarkCell,
        Role::Grid,
        Role::LightPiece,
        Role::LightPieceSide,
        Role::LightPieceInk,
        Role::DarkPiece,
        Role::DarkPieceSide,
        Role::DarkPieceInk,
        Role::Card,
        Role::CardEdge,
        Role::CardBack,
        Role::CardBackInk,
        Role::RedSuit,
        Role::BlackSuit,
    ];
    let seats = (0u8..).take(SEATS.len()).map(Seat);
    common.into_iter().chain(seats.flat_map(|seat| [Role::Seat(seat), Role::OnSeat(seat)]))
}

/// The name of a role in the classes of an SVG.
pub fn name(role: Role) -> String {
    match role {
        Role::Seat(seat) => format!("seat{seat}"),
        Role::OnSeat(seat) => format!("on-seat{seat}"),
        plain => format!("{plain:?}").to_ascii_lowercase(),
    }
}
