//! What is told of a tournament: the events that follow from what a worker does with it, and whom they wake.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::viewing::{Paired, Placed, format_of, paired, placed};
use super::working::rounds_of;
use crate::Games;
use pippost_store::StoreError;
use pippost_store::tournaments::events::{self as store, NewTournamentEvent, TournamentEventKind};
use pippost_store::tournaments::{MemberOf, PairedRound, PairingRow, TournamentRow};
use pippost_tournaments::standings;

/// Something that has happened in a tournament.
#[derive(Serialize, ToSchema)]
#[allow(dead_code, reason = "the document's only: a line is put together where it is written")]
pub struct TournamentEvent {
    /// From 0 on, without gaps.
    seq: u64,
    #[schema(value_type = String, format = DateTime)]
    at: String,
    #[serde(rename = "type")]
    kind: TournamentEventKind,
    round: Option<u16>,
    /// Who is paired no more.
    player: Option<String>,
    /// Of a round that began or ended.
    pairings: Option<Vec<Paired>>,
    /// The final ones.
    standings: Option<Vec<Placed>>,
}

/// The events of what follows for a tournament, which are written with it.
pub(super) fn of(
    row: &TournamentRow,
    members: &[MemberOf],
    played: &[PairingRow],
    then: &PairedRound,
) -> Result<Vec<NewTournamentEvent>, StoreError> {
    let plain = NewTournamentEvent::plain;
    Ok(match then {
        PairedRound::Nothing => Vec::new(),
        PairedRound::Cancel => vec![plain(TournamentEventKind::Cancelled)],
        PairedRound::Start { numbers, pairings, .. } => {
            let players = numbered(members, &numbers.iter().copied().collect());
            vec![plain(TournamentEventKind::Started), began(row, &players, pairings)?]
        }
        PairedRound::Next(pairings) => {
            let players = drawn(members);
            vec![ended(row, &players, played)?, began(row, &players, pairings)?]
        }
        PairedRound::Finish | PairedRound::NextSeason(_) => {
            let players = drawn(members);
            let format = format_of(row)?;
            let places = standings(format, players.len(), &rounds_of(row.round, played));
            let standings = placed(format, &players, places);
            let finished = plain(TournamentEventKind::Finished);
            let finished = NewTournamentEvent { standings: Some(json(&standings)?), ..finished };
            vec![ended(row, &players, played)?, finished]
        }
    })
}

/// Those who play, by the numbers that the draw gives them.
fn numbered(members: &[MemberOf], numbers: &HashMap<Uuid, i16>) -> Vec<MemberOf> {
    let with_number = |member: &MemberOf| {
        let number = numbers.get(&member.player_id).copied()?;
        Some(MemberOf { number: Some(number), ..member.clone() })
    };
    let mut players: Vec<MemberOf> = members.iter().filter_map(with_number).collect();
    players.sort_by_key(|player| player.number);
    players
}

fn drawn(members: &[MemberOf]) -> Vec<MemberOf> {
    let numbers = members.iter().filter_map(|member| Some((member.player_id, member.number?)));
    numbered(members, &numbers.collect())
}

fn began(
    row: &TournamentRow,
    players: &[MemberOf],
    pairings: &[PairingRow],
) -> Result<NewTournamentEvent, StoreError> {
    of_round(TournamentEventKind::RoundBegan, row.round + 1, &paired(players, pairings.iter()))
}

fn ended(
    row: &TournamentRow,
    players: &[MemberOf],
    played: &[PairingRow],
) -> Result<NewTournamentEvent, StoreError> {
    let newest = played.iter().filter(|pairing| pairing.round == row.round);
    of_round(TournamentEventKind::RoundEnded, row.round, &paired(players, newest))
}

fn of_round(
    kind: TournamentEventKind,
    round: i16,
    pairings: &[Paired],
) -> Result<NewTournamentEvent, StoreError> {
    let pairings = Some(json(pairings)?);
    Ok(NewTournamentEvent { round: Some(round), pairings, ..NewTournamentEvent::plain(kind) })
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<Box<RawValue>, StoreError> {
    to_raw_value(value).map_err(|error| StoreError::Corrupt(error.to_string()))
}

/// Wakes the readers of a tournament's feed and the webhooks that have to be told of it. What is lost here delays them alone.
pub(super) async fn wake(games: &Games, id: Uuid) {
    match store::awaited_by(&games.database, id).await {
        Ok(mut changed) => {
            changed.push(id);
            games.inner.outbox_signal.notify_of(&changed);
        }
        Err(error) => tracing::warn!(tournament = %id, %error, "nobody was woken"),
    }
}
