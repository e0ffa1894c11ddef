//! Places of clubs in tournaments, and the names of clubs, which may be closed since.

use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use pippost_store::clubs::{ClubName, names};
use pippost_store::tournaments::MemberOf;
use pippost_tournaments::{Standing, TeamStanding, teams};

/// A club's place, by `points`, `buchholz` and its best player's place.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TournamentTeam)]
pub struct Team {
    /// Equals share a place.
    pub place: u16,
    pub club: Uuid,
    /// Null if it must not be shown.
    pub name: Option<String>,
    pub points: f64,
    pub buchholz: f64,
    /// Who is counted, the best first.
    pub players: Vec<String>,
    /// Whether others may open the club's page.
    #[serde(skip)]
    pub has_page: bool,
}

/// The places of clubs, equals by name; `players` are ordered by the draw's numbers, or before the draw as they registered.
pub(super) async fn of(
    games: &Games,
    size: u16,
    players: &[MemberOf],
    table: &[Standing],
) -> Result<Vec<Team>, GameError> {
    let clubs: Vec<Option<Uuid>> = players.iter().map(|player| player.club_id).collect();
    let places = teams(size.into(), table, &clubs);
    let ids: Vec<Uuid> = places.iter().map(|one| one.club).collect();
    let named = names(&games.database, &ids, games.inner.clock.now()).await?;
    let mut named: HashMap<Uuid, ClubName> = named.into_iter().map(|one| (one.id, one)).collect();
    let team = |one: TeamStanding| {
        let named = named.remove(&one.club);
        Team {
            place: u16::try_from(one.place).unwrap_or(u16::MAX),
            club: one.club,
            has_page: named.as_ref().is_some_and(|club| club.exists),
            name: named.map(|club| club.name),
            points: one.points,
            buchholz: one.buchholz,
            players: one.players.iter().map(|number| players[*number].handle.clone()).collect(),
        }
    };
    let mut all: Vec<Team> = places.into_iter().map(team).collect();
    all.sort_by(|one, other| (one.place, &one.name, one.club).cmp(&(other.place, &other.name, other.club)));
    Ok(all)
}
