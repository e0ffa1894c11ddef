//! What follows from the secret of a tournament, whose commitment is public before anybody registers: the draw, which is told when the
//! tournament begins, and the chance of each of its games, which can be recomputed when it is over.

use pippost_record::record::{Hash, Master};
use uuid::Uuid;

/// The secret of the draw.
#[must_use]
pub fn draw_secret(secret: &Master) -> Master {
    Master::from_bytes(*Hash::of(&[b"pippost/tournament/draw/1", secret.expose()]).as_bytes())
}

/// The master of the game of a round at a board, both from 1.
#[must_use]
pub fn game_secret(secret: &Master, round: u16, board: u16) -> Master {
    let place = [round.to_be_bytes(), board.to_be_bytes()].concat();
    Master::from_bytes(*Hash::of(&[b"pippost/tournament/game/1", secret.expose(), &place]).as_bytes())
}

/// Draws the numbers of players: their places in the order of a hash of the draw's secret and the handle.
#[must_use]
pub fn draw(secret: &Master, tournament: Uuid, handles: &[&str]) -> Vec<usize> {
    let lot = |handle: &str| {
        let parts: [&[u8]; 4] =
            [b"pippost/tournament/lot/1", tournament.as_bytes(), secret.expose(), handle.as_bytes()];
        *Hash::of(&parts).as_bytes()
    };
    let mut order: Vec<usize> = (0..handles.len()).collect();
    order.sort_by_cached_key(|one| (lot(handles[*one]), handles[*one]));
    let mut numbers = vec![0; handles.len()];
    for (number, one) in order.into_iter().enumerate() {
        numbers[one] = number;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: [u8; 32] = [7; 32];

    #[test]
    fn the_draw_follows_from_secret_and_handles_whatever_their_order() {
        let secret = draw_secret(&Master::from_bytes(SECRET));
        let handles: Vec<String> = (0..20).map(|number| format!("player{number}")).collect();
        let handles: Vec<&str> = handles.iter().map(String::as_str).collect();
        let drawn = draw(&secret, Uuid::nil(), &handles);
        let mut sorted = drawn.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>(), "each number once");
        assert_ne!(drawn, sorted);
        let reversed: Vec<&str> = handles.iter().rev().copied().collect();
        let mut again = draw(&secret, Uuid::nil(), &reversed);
        again.reverse();
        assert_eq!(again, drawn);
        assert_ne!(draw(&secret, Uuid::from_u128(1), &handles), drawn);
    }

    #[test]
    fn every_game_has_a_secret_of_its_own_and_none_is_that_of_the_draw() {
        let secret = Master::from_bytes(SECRET);
        let mut all: Vec<[u8; 32]> = (1..=15)
            .flat_map(|round| (1..=250).map(move |board| (round, board)))
            .map(|(round, board)| *game_secret(&secret, round, board).expose())
            .collect();
        all.extend([*draw_secret(&secret).expose(), SECRET]);
        let number = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), number);
    }
}
