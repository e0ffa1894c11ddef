//! Leagues: when a season is over, the next one opens by itself. Each is a tournament with a secret of its own, so that its chance is
//! committed to before it is paired, and told when it is over.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::viewing::format_of;
use crate::Games;
use crate::error::GameError;
use pippost_keys::random_bytes;
use pippost_record::record::Master;
use pippost_store::StoreError;
use pippost_store::tournaments::{MemberOf, NextSeason, TournamentRow, TournamentStatus};
use pippost_tournaments::league::{
    self, DEFAULT_DIVISION, DEFAULT_PROMOTED, MAX_DIVISION, MAX_PROMOTED, MAX_SEASONS, MIN_DIVISION,
};
use pippost_tournaments::{Pairing, draw_secret, standings};

/// The time between two seasons, in which players enter and withdraw.
pub const BREAK: Duration = Duration::days(3);

/// Why a league is refused whose divisions would change altogether.
pub const MORE_THAN_HALF: &str = "more than half of a division would rise and fall";

/// How a league is played.
#[derive(Clone, Copy, Debug)]
pub struct LeagueRules {
    pub division_size: u16,
    /// How many of a division rise, and how many fall.
    pub promoted: u16,
    /// `None`: until it is cancelled.
    pub seasons: Option<u16>,
}

impl Default for LeagueRules {
    fn default() -> Self {
        Self { division_size: DEFAULT_DIVISION, promoted: DEFAULT_PROMOTED, seasons: None }
    }
}

impl LeagueRules {
    pub(super) fn check(self) -> Result<(), GameError> {
        for (field, number, least, most) in [
            ("division_size", self.division_size, MIN_DIVISION, MAX_DIVISION),
            ("promoted", self.promoted, 1, MAX_PROMOTED),
            ("seasons", self.seasons.unwrap_or(1), 1, MAX_SEASONS),
        ] {
            if !(least..=most).contains(&number) {
                return Err(GameError::InvalidValue { field, why: format!("{least} to {most}") });
            }
        }
        if self.promoted * 2 > self.division_size {
            return Err(GameError::TournamentRefused(MORE_THAN_HALF));
        }
        Ok(())
    }
}

/// The places of players on the ladder that the season before has left.
pub(super) fn places(players: &[MemberOf]) -> Vec<Option<usize>> {
    players.iter().map(|player| player.ladder.and_then(|place| usize::try_from(place).ok())).collect()
}

/// The season after one that is over: with those who have not left, then those who have waited.
pub(super) fn after(
    games: &Games,
    row: &TournamentRow,
    members: &[MemberOf],
    played: &[Vec<Pairing>],
    now: OffsetDateTime,
) -> Result<NextSeason, StoreError> {
    let mut players: Vec<&MemberOf> = members.iter().filter(|one| one.number.is_some()).collect();
    players.sort_by_key(|player| player.number);
    let table = standings(format_of(row)?, players.len(), played);
    let promoted = usize::try_from(row.promoted.unwrap_or_default()).unwrap_or_default();
    let ladder = league::ladder(promoted, &table, |number| players[number].left_round.is_none());
    let waiting = members.iter().filter(|one| one.number.is_none());
    Ok(NextSeason {
        row: opened(games, row, now)?,
        ladder: ladder.into_iter().map(|number| players[number].player_id).collect(),
        waiting: waiting.map(|one| one.player_id).collect(),
    })
}

fn opened(games: &Games, row: &TournamentRow, now: OffsetDateTime) -> Result<TournamentRow, StoreError> {
    let bytes = random_bytes().map_err(|error| StoreError::Corrupt(error.to_string()))?;
    let (id, secret) = (Uuid::now_v7(), Master::from_bytes(bytes));
    let closes_at = now + BREAK;
    Ok(TournamentRow {
        id,
        starts_when_full: false,
        closes_at,
        status: TournamentStatus::Open,
        round: 0,
        commitment: secret.commitment(id).as_bytes().to_vec(),
        draw_commitment: draw_secret(&secret).commitment(id).as_bytes().to_vec(),
        secret_sealed: games.inner.secret.seal(id, secret.expose()),
        created_at: now,
        ended_at: None,
        due_at: Some(closes_at),
        season: row.season.map(|season| season + 1),
        previous_id: Some(row.id),
        ..row.clone()
    })
}
