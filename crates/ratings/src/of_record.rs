//! What a finished game says for ratings.

use std::fmt;

use pippost_clock::log::reliability::GameFigures;

use super::Pace;

/// What the name of a guest begins with, as the record's header has it.
const GUEST: &str = "guest-";

/// Whether a name is that of a guest.
#[must_use]
pub fn is_guest(name: &str) -> bool {
    name.starts_with(GUEST)
}

/// A game that counts, without the pool: who is a program, no record says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated {
    pub rules: String,
    pub pace: Pace,
    /// By seat, the names of those who began it, who bear its result whoever plays on for them.
    pub names: Vec<String>,
    /// By seat.
    pub places: Vec<u8>,
}

/// Why a valid game of this server is not rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRated {
    Sandbox,
    Aborted,
    Guest,
    /// Nobody else played.
    Alone,
}

impl fmt::Display for NotRated {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Sandbox => "it is a sandbox's, which proves nothing",
            Self::Aborted => "it was aborted",
            Self::Guest => "a guest began it",
            Self::Alone => "it has one player",
        })
    }
}

/// What a verified game says.
///
/// # Errors
/// Why it does not count.
pub fn rated(game: &GameFigures) -> Result<Rated, NotRated> {
    if game.sandbox {
        return Err(NotRated::Sandbox);
    }
    let places = game.places.clone().ok_or(NotRated::Aborted)?;
    let began = game.seats.iter().filter(|seat| !seat.is_substitute);
    let names: Vec<String> = began.map(|seat| seat.name.clone()).collect();
    if names.iter().any(|name| is_guest(name)) {
        return Err(NotRated::Guest);
    }
    if names.len() < 2 || names.len() != places.len() {
        return Err(NotRated::Alone);
    }
    Ok(Rated { rules: game.rules.clone(), pace: Pace::of(&game.control), names, places })
}

#[cfg(test)]
mod tests {
    use pippost_clock::TimeControl;
    use pippost_clock::log::reliability::SeatFigures;
    use pippost_record::record::Timestamp;
    use pippost_record::rules::Seat;
    use uuid::Uuid;

    use super::*;

    /// A game of these players, the last of whom is a substitute in seat 0.
    fn game(names: &[&str], substitute: Option<&str>) -> GameFigures {
        let seat = |(number, name): (u8, &&str), is_substitute| SeatFigures {
            seat: Seat(number),
            name: (*name).to_owned(),
            is_substitute,
            outcome: None,
            answers_seconds: Vec::new(),
        };
        let mut seats: Vec<_> = (0..).zip(names).map(|one| seat(one, false)).collect();
        seats.extend(substitute.map(|name| seat((0, &name), true)));
        GameFigures {
            game: Uuid::nil(),
            ended_at: Timestamp::parse("2026-11-24T12:00:00.000000Z").expect("a time"),
            sandbox: false,
            rules: "a-game".to_owned(),
            control: TimeControl::without_calendars(Some(72)),
            places: Some((1..).take(names.len()).collect()),
            seats,
            warning: None,
        }
    }

    #[test]
    fn whoever_began_a_game_bears_its_result() {
        let rated = rated(&game(&["ann", "bob", "carol"], Some("guest-dora"))).expect("it counts");
        assert_eq!(rated.names, ["ann", "bob", "carol"]);
        assert_eq!((rated.places, rated.pace), (vec![1, 2, 3], Pace::Slow));
    }

    #[test]
    fn games_with_guests_of_one_player_without_places_and_of_sandboxes_do_not_count() {
        assert_eq!(rated(&game(&["ann", "guest-2a"], None)), Err(NotRated::Guest));
        assert_eq!(rated(&game(&["ann"], None)), Err(NotRated::Alone));
        let aborted = GameFigures { places: None, ..game(&["ann", "bob"], None) };
        assert_eq!(rated(&aborted), Err(NotRated::Aborted));
        let sandbox = GameFigures { sandbox: true, ..aborted };
        assert_eq!(rated(&sandbox), Err(NotRated::Sandbox));
    }
}
