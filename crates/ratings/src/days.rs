//! Days of games. A period is a day (UTC); everybody's ratings before it are those against which its games count.

use std::collections::BTreeMap;

use pippost_record::record::Timestamp;
use time::Date;
use uuid::Uuid;

use super::Class;
use super::glicko::{Meeting, NEWCOMER, Strength};

/// A game that counts. `P` is how players are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedGame<P> {
    pub game: Uuid,
    pub ended_at: Timestamp,
    pub class: Class,
    /// By seat, who began the game.
    pub players: Vec<P>,
    /// By seat.
    pub places: Vec<u8>,
}

impl<P> RatedGame<P> {
    /// The period in which it counts.
    #[must_use]
    pub fn day(&self) -> Date {
        self.ended_at.get().date()
    }
}

/// A player's rating after a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub strength: Strength,
    /// Rated games so far.
    pub games: i32,
    /// The last day with games.
    pub day: Date,
}

/// The ratings of players.
pub type Standings<P> = BTreeMap<(Class, P), Standing>;

/// What a day's games make of the ratings before it: those of everybody who played. The order of `games` does not matter.
#[must_use]
pub fn rate_day<P: Ord + Clone>(
    before: &Standings<P>,
    day: Date,
    games: &mut [RatedGame<P>],
) -> Standings<P> {
    games.sort_unstable_by_key(|game| (game.ended_at, game.game));
    let mut played: BTreeMap<(Class, P), (i32, Vec<Meeting>)> = BTreeMap::new();
    for game in games.iter() {
        let keys: Vec<(Class, P)> =
            game.players.iter().map(|player| (game.class.clone(), player.clone())).collect();
        let strengths: Vec<Strength> =
            keys.iter().map(|key| before.get(key).map_or(NEWCOMER, |standing| standing.strength)).collect();
        for (seat, key) in keys.into_iter().enumerate() {
            let (count, meetings) = played.entry(key).or_default();
            *count += 1;
            meetings.extend(met(seat, &strengths, &game.places));
        }
    }
    let after = played.into_iter().map(|(key, (count, meetings))| {
        let old = before.get(&key);
        let idle_days = old.map_or(0, |old| (day - old.day).whole_days() - 1);
        let strength = old.map_or(NEWCOMER, |old| old.strength);
        let strength = strength.after(u32::try_from(idle_days).unwrap_or_default(), &meetings);
        (key, Standing { strength, games: old.map_or(0, |old| old.games) + count, day })
    });
    after.collect()
}

/// What a game is for the player of a seat: a game with each other one, all of which weigh as much as one.
fn met<'a>(seat: usize, strengths: &'a [Strength], places: &'a [u8]) -> impl Iterator<Item = Meeting> + 'a {
    let others = strengths.iter().zip(places).enumerate().filter(move |(other, _)| *other != seat);
    let weight = 1.0 / f64::from(u8::try_from(strengths.len().saturating_sub(1)).unwrap_or(u8::MAX));
    let own = places[seat];
    others.map(move |(_, (opponent, place))| {
        let score = match own.cmp(place) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        };
        Meeting { opponent: *opponent, weight, score }
    })
}

/// The ratings after all these games. `told` hears of every day's.
pub fn rate<P: Ord + Clone>(
    mut games: Vec<RatedGame<P>>,
    mut told: impl FnMut(&Standings<P>),
) -> Standings<P> {
    games.sort_unstable_by_key(|game| (game.ended_at, game.game));
    let mut standings = Standings::new();
    for games in games.chunk_by_mut(|one, other| one.day() == other.day()) {
        let day = games[0].day();
        let after = rate_day(&standings, day, games);
        told(&after);
        standings.extend(after);
    }
    standings
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::{Duration, OffsetDateTime};

    use super::*;
    use crate::{Pace, Pool};

    fn class() -> Class {
        Class { pool: Pool::People, rules: "a-game".to_owned(), pace: Pace::Slow }
    }

    /// An hour, and by seat the number of a player and the place.
    type Played = (i64, Vec<(u8, u8)>);

    fn games(of: &[Played]) -> Vec<RatedGame<u8>> {
        let numbered = (0_u128..).zip(of);
        let game = |(number, (hour, seats)): (u128, &Played)| RatedGame {
            game: Uuid::from_u128(number),
            ended_at: Timestamp::new(OffsetDateTime::UNIX_EPOCH + Duration::hours(*hour)),
            class: class(),
            players: seats.iter().map(|(player, _)| *player).collect(),
            places: seats.iter().map(|(_, place)| *place).collect(),
        };
        numbered.map(game).collect()
    }

    fn strength(standings: &Standings<u8>, player: u8) -> Strength {
        standings[&(class(), player)].strength
    }

    #[test]
    fn a_game_of_three_weighs_as_much_as_one_of_two() {
        let three = rate(games(&[(1, vec![(0, 1), (1, 2), (2, 2)])]), |_| ());
        let two = rate(games(&[(1, vec![(0, 1), (1, 2)])]), |_| ());
        assert_eq!(strength(&three, 0), strength(&two, 0));
        assert!(strength(&three, 1).rating > strength(&two, 1).rating, "a draw with the other one counts");
        let all_alike = rate(games(&[(1, vec![(0, 1), (1, 1), (2, 1)])]), |_| ());
        assert_eq!(strength(&all_alike, 2).rating, NEWCOMER.rating);
    }

    #[test]
    fn games_of_a_day_count_against_the_ratings_before_it_and_those_of_the_next_against_those_after() {
        let first = (1, vec![(0, 1), (1, 2)]);
        let alone = rate(games(&[(2, vec![(1, 1), (2, 2)])]), |_| ());
        let same_day = rate(games(&[first.clone(), (2, vec![(1, 1), (2, 2)])]), |_| ());
        assert_eq!(strength(&same_day, 2), strength(&alone, 2));
        let mut days = 0;
        let next_day = rate(games(&[first, (24, vec![(1, 1), (2, 2)])]), |_| days += 1);
        assert_eq!(days, 2);
        assert!(
            strength(&next_day, 2).rating < strength(&alone, 2).rating,
            "to lose against somebody weaker costs more"
        );
        assert_eq!(next_day[&(class(), 1)].games, 2);
    }

    proptest! {
        #[test]
        fn the_order_in_which_games_are_given_does_not_matter(
            played in prop::collection::vec((0_i64..200, 0_u8..6, 0_u8..6, 1_u8..3, 1_u8..3), 1..40),
            rotated in 0_usize..40,
        ) {
            let played: Vec<Played> = played
                .into_iter()
                .map(|(hour, one, other, place, its)| (hour, vec![(one, place), (other + 6, its)]))
                .collect();
            let in_order = games(&played);
            let mut otherwise = in_order.clone();
            otherwise.reverse();
            let middle = rotated % otherwise.len();
            otherwise.rotate_left(middle);
            prop_assert_eq!(rate(in_order, |_| ()), rate(otherwise, |_| ()));
        }

        #[test]
        fn day_by_day_and_all_at_once_are_the_same(
            played in prop::collection::vec((0_i64..200, 0_u8..4, 0_u8..4, 1_u8..3), 1..40),
        ) {
            let played: Vec<Played> =
                played.into_iter().map(|(hour, a, b, place)| (hour, vec![(a, place), (b + 4, 2)])).collect();
            let all = games(&played);
            let mut kept = Standings::new();
            let whole = rate(all, |after| kept.extend(after.iter().map(|(key, one)| (key.clone(), *one))));
            prop_assert_eq!(kept, whole);
        }
    }
}
