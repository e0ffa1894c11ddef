//! Reads tournaments, for everybody.

use std::collections::HashMap;

use diesel::dsl::case_when;
use diesel::prelude::*;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use super::{TournamentRow, TournamentStatus};
use crate::clubs::Role;
use crate::database::Database;
use crate::error::StoreError;
use crate::schema::{club_members, players, tournament_players, tournaments};

/// A player of a tournament.
#[derive(Clone, Debug, Queryable)]
pub struct MemberOf {
    pub player_id: Uuid,
    pub handle: String,
    pub bot: bool,
    pub number: Option<i16>,
    pub left_round: Option<i16>,
    /// The place on the ladder from the season before, from 0.
    pub ladder: Option<i16>,
    /// The club that the player plays for; before the start, if the player is in it.
    pub club_id: Option<Uuid>,
}

/// A tournament, with the handle of its organiser.
///
/// # Errors
/// The database failed.
pub async fn load(database: &Database, id: Uuid) -> Result<Option<(TournamentRow, String)>, StoreError> {
    let row = tournaments::table
        .inner_join(players::table.on(players::id.eq(tournaments::organiser_id)))
        .filter(tournaments::id.eq(id))
        .select((TournamentRow::as_select(), players::handle));
    Ok(row.first(&mut database.get().await?).await.optional()?)
}

/// The players of a tournament in the order of registration.
///
/// # Errors
/// The database failed.
pub async fn members(database: &Database, id: Uuid) -> Result<Vec<MemberOf>, StoreError> {
    Ok(members_of(&mut *database.get().await?, id).await?)
}

pub(super) async fn members_of(connection: &mut AsyncPgConnection, id: Uuid) -> QueryResult<Vec<MemberOf>> {
    let in_club = club_members::club_id
        .nullable()
        .eq(tournament_players::club_id)
        .and(club_members::player_id.eq(tournament_players::player_id))
        .and(club_members::role.ne(Role::Asking));
    let club = case_when(tournament_players::number.is_null(), club_members::club_id.nullable())
        .otherwise(tournament_players::club_id);
    let members = tournament_players::table
        .inner_join(players::table.on(players::id.eq(tournament_players::player_id)))
        .left_join(club_members::table.on(in_club))
        .filter(tournament_players::tournament_id.eq(id))
        .order(tournament_players::entered)
        .select((
            players::id,
            players::handle,
            players::bot,
            tournament_players::number,
            tournament_players::left_round,
            tournament_players::ladder,
            club,
        ));
    members.load(connection).await
}

/// Which tournaments to list.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    pub status: Option<TournamentStatus>,
    pub rules: Option<String>,
    /// Those that were created before this one.
    pub before: Option<Uuid>,
    pub limit: i64,
}

/// Tournaments with the handles of their organisers, the newest first.
///
/// # Errors
/// The database failed.
pub async fn list(database: &Database, wanted: &Listing) -> Result<Vec<(TournamentRow, String)>, StoreError> {
    let mut listed = tournaments::table
        .inner_join(players::table.on(players::id.eq(tournaments::organiser_id)))
        .filter(tournaments::id.lt(wanted.before.unwrap_or(Uuid::max())))
        .order(tournaments::id.desc())
        .limit(wanted.limit)
        .select((TournamentRow::as_select(), players::handle))
        .into_boxed();
    if let Some(status) = wanted.status {
        listed = listed.filter(tournaments::status.eq(status));
    }
    if let Some(rules) = &wanted.rules {
        listed = listed.filter(tournaments::rules.eq(rules));
    }
    Ok(listed.load(&mut database.get().await?).await?)
}

/// How many are registered, and how many of them play.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entered {
    pub all: i64,
    pub drawn: i64,
}

/// How many are registered in each of these tournaments, those who wait, too.
///
/// # Errors
/// The database failed.
pub async fn entered(database: &Database, ids: &[Uuid]) -> Result<HashMap<Uuid, Entered>, StoreError> {
    let counts = tournament_players::table
        .filter(tournament_players::tournament_id.eq_any(ids))
        .group_by(tournament_players::tournament_id)
        .select((
            tournament_players::tournament_id,
            diesel::dsl::count_star(),
            diesel::dsl::count(tournament_players::number),
        ));
    let counts: Vec<(Uuid, i64, i64)> = counts.load(&mut database.get().await?).await?;
    Ok(counts.into_iter().map(|(id, all, drawn)| (id, Entered { all, drawn })).collect())
}

/// The titles of those of these that are tournaments.
///
/// # Errors
/// The database failed.
pub async fn titles(database: &Database, ids: &[Uuid]) -> Result<HashMap<Uuid, String>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let titles =
        tournaments::table.filter(tournaments::id.eq_any(ids)).select((tournaments::id, tournaments::title));
    let titles: Vec<(Uuid, String)> = titles.load(&mut database.get().await?).await?;
    Ok(titles.into_iter().collect())
}

/// The seasons that follow on these.
///
/// # Errors
/// The database failed.
pub async fn seasons_after(database: &Database, ids: &[Uuid]) -> Result<HashMap<Uuid, Uuid>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let after = tournaments::table
        .filter(tournaments::previous_id.eq_any(ids))
        .select((tournaments::previous_id.assume_not_null(), tournaments::id));
    let after: Vec<(Uuid, Uuid)> = after.load(&mut database.get().await?).await?;
    Ok(after.into_iter().collect())
}
