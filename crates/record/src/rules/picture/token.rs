//! Tokens that distinguish seats by shape as well as by colour.

use super::{Picture, Point, Role, fill, text};
use crate::rules::Seat;

/// The corners of a token around 0, 0 that looks as large as a circle of radius 1; none for the circle itself.
fn corners(seat: Seat) -> &'static [(f32, f32)] {
    match seat.0 {
        0 => &[],
        1 => &[(-0.92, -0.92), (0.92, -0.92), (0.92, 0.92), (-0.92, 0.92)],
        2 => &[(0.0, -1.32), (1.2, 0.0), (0.0, 1.32), (-1.2, 0.0)],
        3 => &[(-0.62, -1.05), (0.62, -1.05), (1.22, 0.0), (0.62, 1.05), (-0.62, 1.05), (-1.22, 0.0)],
        4 => &[(0.0, -1.4), (1.3, 0.95), (-1.3, 0.95)],
        5 => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 0.2), (0.0, 1.3), (-1.0, 0.2)],
        6 => &[(-0.75, -0.95), (1.25, -0.95), (0.75, 0.95), (-1.25, 0.95)],
        _ => &[
            (-0.6, -1.15),
            (0.6, -1.15),
            (0.6, -0.6),
            (1.15, -0.6),
            (1.15, 0.6),
            (0.6, 0.6),
            (0.6, 1.15),
            (-0.6, 1.15),
            (-0.6, 0.6),
            (-1.15, 0.6),
            (-1.15, -0.6),
            (-0.6, -0.6),
        ],
    }
}

/// How far below the token's middle its number looks centred, for radius 1.
fn drop(seat: Seat) -> f32 {
    match seat.0 {
        4 => 0.28,
        5 => -0.1,
        _ => 0.0,
    }
}

/// The token of a seat, with a number or a letter on it.
pub fn token(picture: &mut Picture, seat: Seat, centre: Point, radius: f32, label: &str) {
    let paint = fill(Role::Seat(seat)).with_edge(Role::CardEdge, 1.0);
    match corners(seat) {
        [] => picture.circle(centre, radius, paint),
        corners => {
            let place = |(right, down): (f32, f32)| centre.moved(right * radius, down * radius);
            picture.polygon(corners.iter().copied().map(place).collect::<Vec<_>>(), paint);
        }
    }
    if !label.is_empty() {
        let style = text(radius * 1.2).bold().middle().role(Role::OnSeat(seat));
        picture.label(centre.moved(0.0, drop(seat) * radius), style, label);
    }
}
