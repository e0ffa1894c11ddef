//! Games against the house bot, which begin at once: nobody has to wait for it to sit down.

use serde_json::json;
use uuid::Uuid;

use crate::error::GameError;
use crate::lobby::idempotency::done_before;
use crate::lobby::joining::join_within;
use crate::lobby::{create, leave};
use crate::viewing::view;
use crate::{Games, NewGame, PlayerIdentity};
use pippost_clock::TimeControl;
use pippost_record::record::Seating;
use pippost_record::rules::RuleSet;
pub use pippost_search::Strength;
use pippost_store::stored_responses::RequestKey;
use pippost_store::usage::BotLimits;
use pippost_store::{StoreError, learning};

/// The most games of the house bot at once. It counts no more of them.
pub const MAX_GAMES: usize = 100;

/// The most games of the house bot with one player at once …
pub const MAX_GAMES_WITH_ONE: usize = 4;

/// … and with a guest, so that all guests leave some of its games to players.
pub const MAX_GAMES_WITH_GUEST: usize = 2;

/// Hours for each move in its games.
pub const LIMIT_HOURS: u16 = 168;

/// The limit in [`GameError::QuotaReached`] where it is the bot that begins no other game.
pub const LIMIT: &str = "games-of-bot";

/// Whether two can play by these rules without choosing options.
#[must_use]
pub fn is_for_two(rules: &dyn RuleSet) -> bool {
    rules.seats(&json!({})).is_ok_and(|seats| seats.contains(&2))
}

/// A private game of two by these rules.
#[must_use]
pub fn new_game(rules: &dyn RuleSet) -> NewGame {
    NewGame {
        rules: rules.name().to_owned(),
        options: json!({}),
        seats: Some(2),
        private: true,
        seating: Seating::Joined,
        time_control: TimeControl::limited(LIMIT_HOURS.into()),
        substitutes: false,
        title: None,
        renews: false,
        seed: None,
    }
}

/// Who wants to play against the house bot.
#[derive(Clone, Debug)]
pub struct Challenger {
    pub player: PlayerIdentity,
    pub guest: bool,
}

/// The game that they want.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub new: NewGame,
    /// Whether they have the first seat.
    pub sits_first: bool,
    /// The same key begins no second game.
    pub key: Option<RequestKey>,
    /// How strongly the bot plays; `None` as it usually does.
    pub strength: Option<Strength>,
}

/// Begins a game of a player against the house bot.
///
/// # Errors
/// [`GameError::QuotaReached`] if the player or the bot has enough games, or a failure.
pub async fn begin(
    games: &Games,
    challenger: &Challenger,
    bot: &PlayerIdentity,
    wanted: Wanted,
) -> Result<Uuid, GameError> {
    let Wanted { new, sits_first, key, strength } = wanted;
    let both = [&challenger.player, bot];
    let [first, second] = if sits_first { both } else { [both[1], both[0]] };
    let refused =
        |by: &PlayerIdentity, error| if by.player_id == bot.player_id { of_bot(error) } else { error };
    if done_before(games, key.as_ref(), first.player_id).await?.is_none() {
        expect_room(games, bot, Some(challenger)).await?;
    }
    let new = NewGame { seats: Some(2), seating: Seating::Joined, ..new };
    let open = create(games, first, new, key.as_ref()).await.map_err(|error| refused(first, error))?.id;
    let invitation = view::invitation(games, open);
    // Asked once more under a lock: several requests may have found room at once.
    let limits = Some(limits(bot, Some(challenger)));
    let seated = async {
        // Before the game has begun, so that the bot knows it at its first choice.
        if let Some(strength) = strength {
            learning::choose_bot_strength(&games.database, open, strength.as_str()).await?;
        }
        join_within(games, open, second, String::new(), Some(&invitation), limits).await
    };
    match seated.await {
        Ok(_) | Err(GameError::AlreadyJoined) => Ok(open),
        Err(error) => match leave(games, open, first.player_id).await {
            // The answer to the join was lost.
            Err(GameError::Started) => Ok(open),
            _ => Err(refused(second, too_many(error))),
        },
    }
}

/// How strongly the house bot plays a game; `None` where nobody has chosen.
///
/// # Errors
/// The database failed.
pub async fn strength(games: &Games, game_id: Uuid) -> Result<Option<Strength>, GameError> {
    let chosen = learning::bot_strength(&games.database, game_id).await?;
    Ok(chosen.and_then(|name| name.parse().ok()))
}

/// Refuses a game beyond those that the bot plays with one player, and in all.
///
/// # Errors
/// [`GameError::QuotaReached`], or the database failed.
pub async fn expect_room(
    games: &Games,
    bot: &PlayerIdentity,
    challenger: Option<&Challenger>,
) -> Result<(), GameError> {
    limits(bot, challenger).check(&games.database).await.map_err(|error| too_many(error.into()))
}

fn limits(bot: &PlayerIdentity, challenger: Option<&Challenger>) -> BotLimits {
    let count = |most: usize| i64::try_from(most).unwrap_or(i64::MAX);
    let with_one = |challenger: &Challenger| {
        let most = if challenger.guest { MAX_GAMES_WITH_GUEST } else { MAX_GAMES_WITH_ONE };
        (challenger.player.player_id, count(most))
    };
    BotLimits { bot: bot.player_id, most: count(MAX_GAMES), challenger: challenger.map(with_one) }
}

fn too_many(error: GameError) -> GameError {
    match error {
        GameError::Store(StoreError::TooMany(most)) => {
            GameError::QuotaReached { limit: LIMIT, most: most.unsigned_abs() }
        }
        other => other,
    }
}

/// A refusal of the bot, which is not the player's.
fn of_bot(error: GameError) -> GameError {
    match error {
        GameError::QuotaReached { most, .. } => GameError::QuotaReached { limit: LIMIT, most },
        other => other,
    }
}
