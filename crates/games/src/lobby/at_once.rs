//! Games against the house bot, which begin at once: nobody has to wait for it to sit down.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::GameError;
use crate::lobby::quotas;
use crate::lobby::{create, join, leave};
use crate::viewing::view::{self, GameView};
use crate::{Games, NewGame, PlayerIdentity};
use pippost_accounts::names;
use pippost_clock::TimeControl;
use pippost_record::record::Seating;
use pippost_record::rules::RuleSet;
use pippost_store::GameStatus;
use pippost_store::lists::{self, Filter, GamesOf, Whose};

/// The most games of the house bot at once. It counts no more of them.
pub const MAX_GAMES: usize = 100;

/// The most games of the house bot with one player at once …
pub const MAX_GAMES_WITH_ONE: usize = 4;

/// … and with a guest, so that all guests leave some of its games to players.
pub const MAX_GAMES_WITH_GUEST: usize = 2;

/// Hours for each move in its games.
pub const LIMIT_HOURS: u16 = 168;

/// Whether two can play by these rules without choosing options.
#[must_use]
pub fn is_played(rules: &dyn RuleSet) -> bool {
    rules.seats(&json!({})).is_ok_and(|seats| seats.contains(&2))
}

/// Who wants to play against the house bot.
#[derive(Clone, Debug)]
pub struct Challenger {
    pub player: PlayerIdentity,
    pub guest: bool,
}

impl Challenger {
    fn most_games(&self) -> usize {
        if self.guest { MAX_GAMES_WITH_GUEST } else { MAX_GAMES_WITH_ONE }
    }
}

/// The game that they want.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub rules: String,
    pub options: Value,
    /// Whether they have the first seat.
    pub sits_first: bool,
}

/// Begins a private game of a player against the house bot.
///
/// # Errors
/// [`GameError::QuotaReached`] if the player or the bot has enough games, or a failure.
pub async fn begin(
    games: &Games,
    challenger: &Challenger,
    bot: &PlayerIdentity,
    wanted: Wanted,
) -> Result<GameView, GameError> {
    expect_room(games, challenger, bot).await?;
    let Wanted { rules, options, sits_first } = wanted;
    let both = [&challenger.player, bot];
    let [first, second] = if sits_first { both } else { [both[1], both[0]] };
    let wanted = NewGame {
        rules,
        options,
        seats: Some(2),
        private: true,
        seating: Seating::Joined,
        time_control: TimeControl::limited(LIMIT_HOURS.into()),
        substitutes: false,
        seed: None,
    };
    let open = create(games, first, wanted, None).await?;
    let invitation = view::invitation(games, open.id);
    if let Err(error) = join(games, open.id, second, String::new(), Some(&invitation)).await {
        leave(games, open.id, first.player_id).await?;
        return Err(error);
    }
    Ok(open)
}

/// Refuses a game beyond those that the bot plays with one player, and in all.
async fn expect_room(games: &Games, challenger: &Challenger, bot: &PlayerIdentity) -> Result<(), GameError> {
    let reached = |most: usize| GameError::QuotaReached {
        limit: names::GAMES_AT_ONCE,
        most: most.try_into().unwrap_or(u64::MAX),
    };
    let most = challenger.most_games();
    if with_bot(games, challenger.player.player_id, bot).await? >= most {
        return Err(reached(most));
    }
    let taken = quotas::of_player(games, bot.player_id, true).await?.games_at_once.used;
    if taken >= u64::try_from(MAX_GAMES).unwrap_or(u64::MAX) { Err(reached(MAX_GAMES)) } else { Ok(()) }
}

/// How many of a player's newest games that are not over are against the bot.
async fn with_bot(games: &Games, player_id: Uuid, bot: &PlayerIdentity) -> Result<usize, GameError> {
    let mut count = 0;
    for status in [GameStatus::Starting, GameStatus::Running] {
        let of = GamesOf { opponent: Some(bot.player_id), ..GamesOf::player(player_id, Some(status)) };
        let most = i64::try_from(MAX_GAMES).unwrap_or(i64::MAX);
        count += lists::games(&games.database, &Filter::all(Whose::Of(of)), None, most).await?.rows.len();
    }
    Ok(count)
}
