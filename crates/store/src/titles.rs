//! Games by the first letters of their titles.

use diesel::sql_types::{BigInt, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::queue::GameId;

/// The most games that a search finds.
pub const MAX_FOUND: i64 = 20;

/// By the index `games_titled`.
pub const FOUND: &str = "
select id from games
where title is not null and not private and lower(title collate \"C\") >= $1 and lower(title collate \"C\") < $2
order by lower(title collate \"C\") limit $3";

/// The private ones of a player, by the index of the player's games.
pub const FOUND_PRIVATE: &str = "
select g.id from game_players p join games g on g.id = p.game_id
where p.player_id = $4 and g.title is not null and g.private
    and lower(g.title collate \"C\") >= $1 and lower(g.title collate \"C\") < $2
order by lower(g.title collate \"C\") limit $3";

/// Public games, and those that the player is in, whose titles begin with `beginning`, in which a to z are lower case.
///
/// # Errors
/// The database failed.
pub async fn beginning_with(
    database: &Database,
    player_id: Option<Uuid>,
    beginning: &str,
) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    // No title holds this character, and all others are before it.
    let after = format!("{beginning}\u{10ffff}");
    let of = |statement: &str| {
        let asked = diesel::sql_query(statement);
        asked
            .bind::<Text, _>(beginning.to_owned())
            .bind::<Text, _>(after.clone())
            .bind::<BigInt, _>(MAX_FOUND)
    };
    let mut found = GameId::all(of(FOUND).load(&mut connection).await?);
    if let Some(player_id) = player_id {
        let own = of(FOUND_PRIVATE).bind::<SqlUuid, _>(player_id);
        found.extend(GameId::all(own.load(&mut connection).await?));
    }
    Ok(found)
}
