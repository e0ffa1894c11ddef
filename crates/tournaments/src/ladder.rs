//! Ladders: who stands where follows from what has happened on a ladder, in order (docs/TOURNAMENTS.md).

use pippost_record::record::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How many places above the own one a challenge reaches.
pub const MAX_REACH: usize = 3;

/// The most challenges of a player on one ladder, made or taken, that are not over.
pub const MAX_CHALLENGES: usize = 2;

/// Whoever leaves so many challenges in a row unanswered leaves the ladder.
pub const MAX_UNANSWERED: u8 = 2;

/// The most players of a ladder.
pub const MAX_ON_LADDER: usize = 500;

/// How a game on a ladder ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    ChallengerWon,
    ChallengedWon,
    Draw,
    /// It never began, or ended with nobody to blame.
    Void,
}

impl Ending {
    pub const ALL: [Self; 4] = [Self::ChallengerWon, Self::ChallengedWon, Self::Draw, Self::Void];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ChallengerWon => "challenger",
            Self::ChallengedWon => "challenged",
            Self::Draw => "draw",
            Self::Void => "void",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ending| ending.as_str() == name)
    }
}

/// Why a player has left a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    Wish,
    /// [`MAX_UNANSWERED`] challenges in a row were not answered.
    Unanswered,
    /// The player has not played for long.
    Idle,
    /// The account is closed or deleted.
    Account,
}

impl Leaving {
    pub const ALL: [Self; 4] = [Self::Wish, Self::Unanswered, Self::Idle, Self::Account];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wish => "wish",
            Self::Unanswered => "unanswered",
            Self::Idle => "idle",
            Self::Account => "account",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|leaving| leaving.as_str() == name)
    }
}

/// What happens on a ladder. A challenge is named by the number of the happening that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    Joined {
        player: Uuid,
    },
    Challenged {
        challenger: Uuid,
        challenged: Uuid,
    },
    Accepted {
        challenge: u32,
        by: Uuid,
        game: Uuid,
    },
    Ended {
        challenge: u32,
        ending: Ending,
    },
    /// The challenged has not answered in time.
    Expired {
        challenge: u32,
    },
    Left {
        player: Uuid,
        leaving: Leaving,
    },
}

/// Why something cannot happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the player is on the ladder already")]
    AlreadyIn,
    #[error("the player is not on the ladder")]
    NotIn,
    #[error("the ladder is full")]
    Full,
    #[error("the other stands more than {MAX_REACH} places above, or below")]
    OutOfReach,
    #[error("one of both has {MAX_CHALLENGES} challenges, or there is one between both")]
    TooManyChallenges,
    #[error("there is no such challenge that waits for an answer")]
    NoChallenge,
}

/// A player's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    pub player: Uuid,
    /// When the player has joined, or begun or ended a game here.
    pub played: Timestamp,
    /// How many challenges in a row were not answered.
    pub unanswered: u8,
}

/// A challenge that is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    pub number: u32,
    pub challenger: Uuid,
    pub challenged: Uuid,
    pub since: Timestamp,
    /// `None` until it is accepted.
    pub game: Option<Uuid>,
}

impl Challenge {
    /// Whether a player is one of both.
    #[must_use]
    pub fn is_of(&self, player: Uuid) -> bool {
        self.challenger == player || self.challenged == player
    }
}

/// A ladder after all that has happened on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ladder {
    /// How much has happened.
    happened: u32,
    /// From the first place on.
    rungs: Vec<Rung>,
    challenges: Vec<Challenge>,
}

impl Ladder {
    /// The ladder after these happenings, which all were possible.
    ///
    /// # Errors
    /// The first that was not, with its number.
    pub fn after(
        happenings: impl IntoIterator<Item = (Timestamp, Happening)>,
    ) -> Result<Self, (u32, Refused)> {
        let mut ladder = Self::default();
        for (at, happening) in happenings {
            ladder.apply(at, happening).map_err(|refused| (ladder.happened + 1, refused))?;
        }
        Ok(ladder)
    }

    /// How much has happened: the number of the last happening.
    #[must_use]
    pub fn happened(&self) -> u32 {
        self.happened
    }

    /// The players from the first place on.
    #[must_use]
    pub fn rungs(&self) -> &[Rung] {
        &self.rungs
    }

    /// What is not over, the oldest first.
    #[must_use]
    pub fn challenges(&self) -> &[Challenge] {
        &self.challenges
    }

    /// The place of a player, from 0.
    #[must_use]
    pub fn place(&self, player: Uuid) -> Option<usize> {
        self.rungs.iter().position(|rung| rung.player == player)
    }

    /// A challenge that is not over.
    #[must_use]
    pub fn challenge(&self, number: u32) -> Option<&Challenge> {
        self.challenges.iter().find(|challenge| challenge.number == number)
    }

    /// Whether this can happen now.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn check(&self, happening: Happening) -> Result<(), Refused> {
        let is_allowed = |is_allowed: bool, refused| if is_allowed { Ok(()) } else { Err(refused) };
        let is_in = |player| self.place(player).is_some();
        let has = |number, is_played: bool| {
            self.challenge(number).filter(|challenge| challenge.game.is_some() == is_played)
        };
        match happening {
            Happening::Joined { player } if is_in(player) => Err(Refused::AlreadyIn),
            Happening::Joined { .. } => is_allowed(self.rungs.len() < MAX_ON_LADDER, Refused::Full),
            Happening::Challenged { challenger, challenged } => self.check_challenge(challenger, challenged),
            Happening::Accepted { challenge, by, .. } => {
                let own = has(challenge, false).filter(|challenge| challenge.challenged == by);
                is_allowed(own.is_some(), Refused::NoChallenge)
            }
            Happening::Ended { challenge, .. } => {
                is_allowed(has(challenge, true).is_some(), Refused::NoChallenge)
            }
            Happening::Expired { challenge } => {
                is_allowed(has(challenge, false).is_some(), Refused::NoChallenge)
            }
            Happening::Left { player, .. } => is_allowed(is_in(player), Refused::NotIn),
        }
    }

    fn check_challenge(&self, challenger: Uuid, challenged: Uuid) -> Result<(), Refused> {
        let from = self.place(challenger).ok_or(Refused::NotIn)?;
        let above = self.place(challenged).and_then(|to| from.checked_sub(to));
        if !above.is_some_and(|above| (1..=MAX_REACH).contains(&above)) {
            return Err(Refused::OutOfReach);
        }
        let open = |player| self.challenges.iter().filter(|challenge| challenge.is_of(player)).count();
        let is_between_both =
            self.challenges.iter().any(|one| one.is_of(challenger) && one.is_of(challenged));
        if is_between_both || open(challenger) >= MAX_CHALLENGES || open(challenged) >= MAX_CHALLENGES {
            return Err(Refused::TooManyChallenges);
        }
        Ok(())
    }

    /// Lets something happen.
    ///
    /// # Errors
    /// It cannot, and nothing has changed.
    pub fn apply(&mut self, at: Timestamp, happening: Happening) -> Result<(), Refused> {
        self.check(happening)?;
        self.happened += 1;
        match happening {
            Happening::Joined { player } => self.rungs.push(Rung { player, played: at, unanswered: 0 }),
            Happening::Challenged { challenger, challenged } => {
                let number = self.happened;
                self.challenges.push(Challenge { number, challenger, challenged, since: at, game: None });
            }
            Happening::Accepted { challenge, by, game } => {
                for one in self.challenges.iter_mut().filter(|one| one.number == challenge) {
                    one.game = Some(game);
                }
                for rung in self.rungs.iter_mut().filter(|rung| rung.player == by) {
                    rung.unanswered = 0;
                }
            }
            Happening::Ended { challenge, ending } => {
                if let Some(over) = self.take(challenge) {
                    self.end(over, ending, at);
                }
            }
            Happening::Expired { challenge } => {
                if let Some(over) = self.take(challenge) {
                    self.rise(over.challenger, over.challenged);
                    for rung in self.rungs.iter_mut().filter(|rung| rung.player == over.challenged) {
                        rung.unanswered += 1;
                    }
                }
            }
            Happening::Left { player, .. } => {
                self.rungs.retain(|rung| rung.player != player);
                // A game that runs goes on, and counts for who of both stays.
                self.challenges.retain(|one| one.game.is_some() || !one.is_of(player));
            }
        }
        Ok(())
    }

    fn take(&mut self, challenge: u32) -> Option<Challenge> {
        let at = self.challenges.iter().position(|one| one.number == challenge)?;
        Some(self.challenges.remove(at))
    }

    fn end(&mut self, over: Challenge, ending: Ending, at: Timestamp) {
        match ending {
            Ending::ChallengerWon => self.rise(over.challenger, over.challenged),
            Ending::ChallengedWon => self.rise(over.challenged, over.challenger),
            Ending::Draw | Ending::Void => {}
        }
        for rung in self.rungs.iter_mut().filter(|rung| over.is_of(rung.player)) {
            rung.played = at;
        }
    }

    /// A winner from below takes the place of the beaten, who and everybody between move down by one.
    fn rise(&mut self, winner: Uuid, beaten: Uuid) {
        if let (Some(from), Some(to)) = (self.place(winner), self.place(beaten))
            && from > to
        {
            self.rungs[to..=from].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn player(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn at(minute: u32) -> Timestamp {
        let text = format!("2026-11-30T{:02}:{:02}:00.000000Z", minute / 60 % 24, minute % 60);
        Timestamp::parse(&text).expect("a time")
    }

    /// A ladder of so many players, in the order of their numbers.
    fn of(players: u128) -> Ladder {
        let joined = (1..=players).map(|number| (at(0), Happening::Joined { player: player(number) }));
        Ladder::after(joined).expect("possible")
    }

    fn order(ladder: &Ladder) -> Vec<u128> {
        ladder.rungs().iter().map(|rung| rung.player.as_u128()).collect()
    }

    fn challenge(ladder: &mut Ladder, challenger: u128, challenged: u128) -> Result<u32, Refused> {
        let (challenger, challenged) = (player(challenger), player(challenged));
        ladder.apply(at(1), Happening::Challenged { challenger, challenged })?;
        Ok(ladder.happened())
    }

    fn play(ladder: &mut Ladder, number: u32, ending: Ending) {
        let by = ladder.challenge(number).expect("it waits").challenged;
        let game = Uuid::from_u128(number.into());
        ladder.apply(at(2), Happening::Accepted { challenge: number, by, game }).expect("possible");
        ladder.apply(at(3), Happening::Ended { challenge: number, ending }).expect("possible");
    }

    #[test]
    fn a_winner_from_below_takes_the_place_of_the_beaten_and_who_is_between_moves_down() {
        let mut ladder = of(5);
        let number = challenge(&mut ladder, 4, 1).expect("within reach");
        play(&mut ladder, number, Ending::ChallengerWon);
        assert_eq!(order(&ladder), [4, 1, 2, 3, 5]);
        for ending in [Ending::ChallengedWon, Ending::Draw, Ending::Void] {
            let number = challenge(&mut ladder, 3, 1).expect("within reach");
            play(&mut ladder, number, ending);
            assert_eq!(order(&ladder), [4, 1, 2, 3, 5], "{ending:?}");
        }
        let (first, second) = (challenge(&mut ladder, 2, 1), challenge(&mut ladder, 3, 4));
        let (first, second) = (first.expect("within reach"), second.expect("within reach"));
        play(&mut ladder, second, Ending::ChallengerWon);
        assert_eq!(order(&ladder), [3, 4, 1, 2, 5]);
        play(&mut ladder, first, Ending::ChallengerWon);
        assert_eq!(order(&ladder), [3, 4, 2, 1, 5]);
        let number = challenge(&mut ladder, 5, 1).expect("within reach");
        ladder.apply(at(9), Happening::Expired { challenge: number }).expect("possible");
        assert_eq!((order(&ladder), ladder.rungs()[4].unanswered), (vec![3, 4, 2, 5, 1], 1));
    }

    #[test]
    fn who_was_challenged_and_overtaken_meanwhile_wins_from_below_too() {
        let mut ladder = of(3);
        let (near, far) = (challenge(&mut ladder, 3, 2), challenge(&mut ladder, 3, 1));
        play(&mut ladder, far.expect("within reach"), Ending::ChallengerWon);
        assert_eq!(order(&ladder), [3, 1, 2]);
        play(&mut ladder, near.expect("within reach"), Ending::ChallengedWon);
        assert_eq!(order(&ladder), [2, 3, 1]);
    }

    #[test]
    fn a_challenge_reaches_three_places_above_and_each_has_two_at_most() {
        let mut ladder = of(8);
        for (challenger, challenged) in [(5, 1), (1, 2), (3, 3), (3, 9)] {
            assert_eq!(challenge(&mut ladder, challenger, challenged), Err(Refused::OutOfReach));
        }
        assert_eq!(challenge(&mut ladder, 9, 1), Err(Refused::NotIn));
        let number = challenge(&mut ladder, 4, 2).expect("within reach");
        assert_eq!(challenge(&mut ladder, 4, 2), Err(Refused::TooManyChallenges), "between both");
        challenge(&mut ladder, 5, 4).expect("a second one");
        assert_eq!(challenge(&mut ladder, 4, 3), Err(Refused::TooManyChallenges));
        assert_eq!(challenge(&mut ladder, 6, 4), Err(Refused::TooManyChallenges));
        play(&mut ladder, number, Ending::Draw);
        challenge(&mut ladder, 6, 4).expect("one is over");
        let foreign = Happening::Accepted { challenge: number + 1, by: player(5), game: Uuid::nil() };
        assert_eq!(ladder.check(foreign), Err(Refused::NoChallenge));
    }

    #[test]
    fn who_leaves_takes_challenges_along_and_a_running_game_is_played_out() {
        let mut ladder = of(4);
        let (waits, runs) = (challenge(&mut ladder, 3, 2), challenge(&mut ladder, 2, 1));
        let runs = runs.expect("within reach");
        let accepted = Happening::Accepted { challenge: runs, by: player(1), game: Uuid::nil() };
        ladder.apply(at(2), accepted).expect("possible");
        let left = Happening::Left { player: player(2), leaving: Leaving::Wish };
        ladder.apply(at(3), left).expect("possible");
        assert_eq!((order(&ladder), ladder.check(left)), (vec![1, 3, 4], Err(Refused::NotIn)));
        assert!(ladder.challenge(waits.expect("within reach")).is_none());
        let won = Happening::Ended { challenge: runs, ending: Ending::ChallengerWon };
        ladder.apply(at(4), won).expect("possible");
        assert_eq!((order(&ladder), ladder.rungs()[0].played), (vec![1, 3, 4], at(4)));
    }

    #[test]
    fn words_of_endings_and_leavings_are_read_again() {
        assert!(Ending::ALL.into_iter().all(|one| Ending::named(one.as_str()) == Some(one)));
        assert!(Leaving::ALL.into_iter().all(|one| Leaving::named(one.as_str()) == Some(one)));
    }

    /// Something that may be possible on a ladder of a few players.
    fn happening() -> impl Strategy<Value = Happening> {
        let any = || (1..9u128).prop_map(player);
        let number = || 1..60u32;
        prop_oneof![
            2 => any().prop_map(|player| Happening::Joined { player }),
            6 => (any(), any())
                .prop_map(|(challenger, challenged)| Happening::Challenged { challenger, challenged }),
            6 => (number(), any())
                .prop_map(|(challenge, by)| Happening::Accepted { challenge, by, game: Uuid::nil() }),
            4 => (number(), 0..4usize)
                .prop_map(|(challenge, ending)| Happening::Ended { challenge, ending: Ending::ALL[ending] }),
            2 => number().prop_map(|challenge| Happening::Expired { challenge }),
            1 => any().prop_map(|player| Happening::Left { player, leaving: Leaving::Wish }),
        ]
    }

    proptest! {
        #[test]
        fn whatever_happens_everybody_stands_once_and_all_follows_from_what_happened(
            tried in prop::collection::vec(happening(), 0..400)
        ) {
            let (mut ladder, mut happened, mut is_in) = (Ladder::default(), Vec::new(), Vec::new());
            for (minute, one) in (0..).zip(tried) {
                let before = ladder.clone();
                if ladder.apply(at(minute), one).is_err() {
                    prop_assert_eq!(&ladder, &before, "what cannot happen changes nothing");
                    continue;
                }
                happened.push((at(minute), one));
                match one {
                    Happening::Joined { player } => is_in.push(player),
                    Happening::Left { player, .. } => is_in.retain(|other| *other != player),
                    _ => {}
                }
                let mut stand: Vec<Uuid> = ladder.rungs().iter().map(|rung| rung.player).collect();
                stand.sort_unstable();
                is_in.sort_unstable();
                prop_assert_eq!(&stand, &is_in, "each player once");
                for player in &is_in {
                    let open = ladder.challenges().iter().filter(|one| one.is_of(*player) && one.game.is_none());
                    prop_assert!(open.count() <= MAX_CHALLENGES);
                }
            }
            prop_assert_eq!(usize::try_from(ladder.happened()).expect("few"), happened.len());
            prop_assert_eq!(Ladder::after(happened), Ok(ladder));
        }
    }
}
