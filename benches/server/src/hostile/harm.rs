//! What attackers have done to others: mails to people who asked for none, and games beyond the quota.

use std::time::Duration;

use uuid::Uuid;

use super::attack_data::PLAYERS;
use crate::script::handle;
use crate::seeding::Seeder;
use pippost::accounts::{AccountLimits, GameQuotas, Rate};
use pippost::games::lobby::inviting::{MAX_INVITATIONS_OF_STRANGERS, MAX_INVITATIONS_TO_A_STRANGER};

/// A kind of mails, to the person who got most of it.
#[derive(Clone, Debug)]
pub struct Mails {
    pub kind: String,
    pub to_one: i64,
    /// The most that one person may get in the time of the attack.
    pub bound: i64,
}

/// What was done to others.
#[derive(Clone, Debug, Default)]
pub struct Harm {
    pub mails: Vec<Mails>,
    /// The most games of one attacker, and the most that one may have.
    pub games: i64,
    pub most_games: i64,
}

impl Harm {
    /// Counts it once the attacks are over.
    ///
    /// # Errors
    /// The database refused.
    pub async fn count(seeder: &Seeder, hoarders: &[Uuid]) -> anyhow::Result<Self> {
        let honest: Vec<_> = (0..PLAYERS).map(handle).collect();
        let mails = seeder.mails_to_one(&honest).await?;
        let elapsed = seeder.age().await?;
        let mails =
            mails.into_iter().map(|(kind, to_one)| Mails { bound: bound(&kind, elapsed), kind, to_one });
        let most_games = i64::try_from(GameQuotas::default().games_at_once)?;
        Ok(Self { mails: mails.collect(), games: seeder.unfinished_games(hoarders).await?, most_games })
    }

    /// Whether nobody got more mails of a kind than the bound.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.mails.iter().all(|mails| mails.to_one <= mails.bound)
    }
}

/// The most mails of a kind to one person within `elapsed`.
fn bound(kind: &str, elapsed: Duration) -> i64 {
    let limits = AccountLimits::default();
    let within = |rate: Rate| {
        let more = elapsed.as_nanos().div_ceil(rate.then_every.as_nanos());
        i64::from(rate.burst.get()) + i64::try_from(more).unwrap_or(i64::MAX)
    };
    match kind {
        "invitation to a stranger" => MAX_INVITATIONS_TO_A_STRANGER,
        "invitation to a player" => MAX_INVITATIONS_OF_STRANGERS,
        "confirm_email" => within(limits.registration.per_address),
        "reset_password" => within(limits.reset.per_address),
        // Of nothing else do strangers cause mails.
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_gets_few_mails_and_none_of_other_kinds() {
        let minutes = Duration::from_mins(5);
        for (kind, most) in [
            ("invitation to a stranger", 3),
            ("invitation to a player", 10),
            ("confirm_email", 6),
            ("reset_password", 4),
            ("message", 0),
        ] {
            assert_eq!(bound(kind, minutes), most, "{kind}");
        }
        let mails = |to_one| Harm {
            mails: vec![Mails { kind: "invitation to a stranger".to_owned(), to_one, bound: 3 }],
            ..Harm::default()
        };
        assert!(mails(3).is_bounded() && !mails(4).is_bounded());
    }
}
