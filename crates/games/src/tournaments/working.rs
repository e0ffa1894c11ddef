//! The worker's step: begins tournaments that are due, begins the games of their rounds, notes how they ended, and pairs the next round.
//! Everything is done once, and goes on where it was cut off: a pairing names its game before that exists.

use std::collections::HashMap;

use serde_json::Value;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::viewing::{Read, format_of, read};
use super::{NewTournament, events, seasons};
use crate::Games;
use crate::error::GameError;
use crate::lobby::joining::{new_row, when_full};
use crate::viewing::view;
use pippost_record::record::{GameResult, Master, Reason};
use pippost_store::commit::lobby::{AfterJoin, begin_full};
use pippost_store::games::GameRow;
use pippost_store::tournaments::events::NewTournamentEvent;
use pippost_store::tournaments::{
    self as store, GameEnd, MemberOf, PairedRound, PairingRow, TournamentRow, TournamentStatus,
};
use pippost_store::{GameStatus, StoreError, events as game_events};
use pippost_tournaments::{Format, Kind, Outcome, Pairing, draw, draw_secret, game_secret, league, pair};
use pippost_traffic as traffic;

/// The most tournaments that one step looks at.
const BATCH: i64 = 20;

/// The most games of a tournament that one step begins.
const MAX_BEGUN: usize = 50;

/// A tournament that cannot be carried on is looked at again after so long.
const RETRY_DELAY: Duration = Duration::minutes(10);

/// Carries on the tournaments that are due; returns how much was done.
///
/// # Errors
/// The database failed; what was done stays done.
pub async fn step(games: &Games) -> Result<usize, GameError> {
    let now = games.inner.clock.now();
    let mut done = 0;
    for row in store::due(&games.database, now, BATCH).await? {
        let id = row.id;
        match carry_on(games, row, now).await {
            Ok(0) => {}
            Ok(more) => {
                done += more;
                events::wake(games, id).await;
            }
            Err(GameError::Store(error)) if error.is_of_the_connection() => return Err(error.into()),
            Err(error) => {
                tracing::error!(tournament = %id, %error, "a tournament cannot be carried on");
                store::postpone(&games.database, id, now + RETRY_DELAY).await?;
            }
        }
    }
    Ok(done)
}

async fn carry_on(games: &Games, row: TournamentRow, now: OffsetDateTime) -> Result<usize, GameError> {
    let mut done = 0;
    if row.status == TournamentStatus::Running {
        let open: Vec<PairingRow> = store::pairings(&games.database, row.id, Some(row.round))
            .await?
            .into_iter()
            .filter(|pairing| pairing.game_id.is_some() && pairing.outcome.is_none())
            .collect();
        let (settled, is_over) = look(games, &row, &open, now).await?;
        done += settled;
        if !is_over {
            return Ok(done);
        }
    }
    let (secret, its_games) = (secret_of(games, &row)?, games.clone());
    let advanced = store::advance(&games.database, row.id, now, |row, members, played| {
        // On a thread that yields to requests.
        let id = row.id;
        let locked = Locked { row, members, played, now, secret };
        let next = traffic::compute(traffic::Work::Other, move || locked.decide(&its_games));
        async move { next.await.map_err(|_panic| StoreError::Corrupt(format!("the rounds of tournament {id}")))? }
    });
    Ok(done + usize::from(advanced.await?))
}

/// Begins the games that are missing, and notes how others ended: how many, and whether all are over.
async fn look(
    games: &Games,
    row: &TournamentRow,
    open: &[PairingRow],
    now: OffsetDateTime,
) -> Result<(usize, bool), GameError> {
    if open.is_empty() {
        return Ok((0, true));
    }
    let game_ids: Vec<Uuid> = open.iter().filter_map(|pairing| pairing.game_id).collect();
    let ends = store::game_ends(&games.database, &game_ids).await?;
    let ends: HashMap<Uuid, GameEnd> = ends.into_iter().map(|end| (end.game_id, end)).collect();
    let (mut missing, mut done, mut waiting) = (Vec::new(), 0, 0);
    for pairing in open {
        let end = pairing.game_id.and_then(|game_id| ends.get(&game_id));
        match end {
            None => missing.push(pairing),
            Some(end) => match settled(games, end).await? {
                None => waiting += 1,
                Some((outcome, late)) => {
                    let gone = late.and_then(|seat| number_of(pairing, seat));
                    let settled = store::settle(&games.database, pairing, outcome.as_str(), gone, now);
                    let is_new = settled.await?;
                    done += usize::from(is_new);
                }
            },
        }
    }
    let is_over = missing.is_empty() && waiting == 0;
    Ok((done + begin(games, row, &missing).await?, is_over))
}

fn number_of(pairing: &PairingRow, seat: u8) -> Option<i16> {
    if seat == 0 { Some(pairing.first_number) } else { pairing.second_number }
}

/// How a game ended, and the seat whose time ran out; `None` while it is not over.
pub(crate) async fn settled(
    games: &Games,
    end: &GameEnd,
) -> Result<Option<(Outcome, Option<u8>)>, GameError> {
    match end.status {
        GameStatus::Open | GameStatus::Starting | GameStatus::Running => return Ok(None),
        GameStatus::Cancelled => return Ok(Some((Outcome::Void, None))),
        GameStatus::Finished => {}
    }
    let corrupt = || GameError::Corrupt(end.game_id, "result".to_owned());
    let result = end.result.as_deref().ok_or_else(corrupt)?;
    let result: GameResult = serde_json::from_str(result).map_err(|_| corrupt())?;
    let won_by = |seat: u8| if seat == 0 { Outcome::First } else { Outcome::Second };
    let Some(places) = result.places else {
        // Whoever aborts a game has lost it here, so that nobody gets out of a pairing by it.
        let by = aborted_by(games, end.game_id).await?;
        return Ok(Some((by.map_or(Outcome::Void, |seat| won_by(1 - seat.min(1))), None)));
    };
    let [first, second] = places[..] else { return Err(corrupt()) };
    Ok(Some(match first.cmp(&second) {
        std::cmp::Ordering::Equal => (Outcome::Draw, None),
        order => {
            let winner = u8::from(order.is_gt());
            (won_by(winner), (result.reason == Reason::Timeout).then_some(1 - winner))
        }
    }))
}

/// The seat that aborted a game; `None` if nobody at the table did.
async fn aborted_by(games: &Games, game_id: Uuid) -> Result<Option<u8>, GameError> {
    let live = view::load_live(games, game_id).await?;
    let last = live.seq();
    let lines = game_events::lines(&games.database, game_id, last, last).await?;
    let event: Value = lines.first().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    Ok(event["seat"].as_u64().and_then(|seat| u8::try_from(seat).ok()))
}

/// Begins games as they are paired; returns how many.
async fn begin(games: &Games, row: &TournamentRow, missing: &[&PairingRow]) -> Result<usize, GameError> {
    if missing.is_empty() {
        return Ok(0);
    }
    let secret = secret_of(games, row)?;
    let Read { options, time_control, format } = read(row)?;
    let wanted = NewTournament {
        title: row.title.clone(),
        rules: row.rules.clone(),
        options,
        time_control,
        kind: format.kind,
        rounds: None,
        most_players: 0,
        starts_at: None,
        league: None,
        team_size: None,
    };
    let members = store::members(&games.database, row.id).await?;
    let player = |number: i16| {
        let player = members.iter().find(|member| member.number == Some(number));
        player.map(|member| member.player_id).ok_or_else(|| corrupt(row.id, "players"))
    };
    for pairing in missing.iter().take(MAX_BEGUN) {
        let (Some(game_id), Some(second)) = (pairing.game_id, pairing.second_number) else {
            return Err(corrupt(row.id, "pairings"));
        };
        let players = [player(pairing.first_number)?, player(second)?];
        let place = |number: i16| u16::try_from(number).unwrap_or_default();
        let master = game_secret(&secret, place(pairing.round), place(pairing.board));
        let game = new_row(games, players[0], &wanted.game(), (game_id, master))?;
        begin_game(games, game, &players).await?;
    }
    Ok(missing.len().min(MAX_BEGUN))
}

/// Begins a game of these players, in joining order, unless it exists already.
pub(crate) async fn begin_game(games: &Games, game: GameRow, players: &[Uuid]) -> Result<(), GameError> {
    let (game_id, now) = (game.id, games.inner.clock.now());
    let begun = begin_full(&games.database, game, players, now, |whole| {
        let then = when_full(games, &whole).map_err(|error| match error {
            GameError::Store(error) => error,
            other => StoreError::Corrupt(other.to_string()),
        })?;
        let seated = match &then {
            AfterJoin::Start(start) => start.seated.clone(),
            AfterJoin::Wait | AfterJoin::AwaitRound { .. } => Vec::new(),
        };
        Ok((then, seated))
    });
    if let Some(mut changed) = begun.await? {
        changed.push(game_id);
        games.inner.outbox_signal.notify_of(&changed);
    }
    Ok(())
}

fn corrupt(id: Uuid, what: &str) -> GameError {
    GameError::Store(StoreError::Corrupt(format!("{what} of tournament {id}")))
}

/// The secret of a tournament.
pub(super) fn secret_of(games: &Games, row: &TournamentRow) -> Result<Master, GameError> {
    let opened = games.inner.secret.open(row.id, &row.secret_sealed);
    let bytes = opened.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    bytes.map(Master::from_bytes).ok_or_else(|| corrupt(row.id, "sealed secret"))
}

/// The rounds as the pure crate knows them.
pub(super) fn rounds_of(round: i16, rows: &[PairingRow]) -> Vec<Vec<Pairing>> {
    let number = |number: i16| usize::try_from(number).unwrap_or_default();
    let pairing = |row: &PairingRow| Pairing {
        first: number(row.first_number),
        second: row.second_number.map(number),
        outcome: row.outcome.as_deref().and_then(Outcome::named),
    };
    let of_round = |round: i16| rows.iter().filter(|row| row.round == round).map(pairing).collect();
    (1..=round).map(of_round).collect()
}

/// A tournament whose row is locked, and what its next round follows from.
struct Locked {
    row: TournamentRow,
    members: Vec<MemberOf>,
    played: Vec<PairingRow>,
    now: OffsetDateTime,
    secret: Master,
}

impl Locked {
    /// What follows, and its events.
    fn decide(&self, games: &Games) -> Result<(PairedRound, Vec<NewTournamentEvent>), StoreError> {
        let then = self.next(games)?;
        let told = events::of(&self.row, &self.members, &self.played, &then)?;
        Ok((then, told))
    }

    fn next(&self, games: &Games) -> Result<PairedRound, StoreError> {
        let Self { row, members, .. } = self;
        let format = format_of(row)?;
        match row.status {
            TournamentStatus::Open => Ok(self.start(format)),
            TournamentStatus::Running => {
                let played = rounds_of(row.round, &self.played);
                if !played.last().is_none_or(|round| round.iter().all(Pairing::is_over)) {
                    return Ok(PairedRound::Nothing);
                }
                let mut players: Vec<&MemberOf> = members.iter().filter(|one| one.number.is_some()).collect();
                players.sort_by_key(|player| player.number);
                let is_in: Vec<bool> = players.iter().map(|player| player.left_round.is_none()).collect();
                let clubs: Vec<Option<Uuid>> = players.iter().map(|player| player.club_id).collect();
                let rounds = usize::try_from(row.rounds).unwrap_or_default();
                let paired = pair(format, rounds, &is_in, &clubs, &played);
                match paired {
                    Some(paired) => Ok(PairedRound::Next(rows(row, &paired))),
                    None if row.goes_on() => {
                        let season = seasons::after(games, row, members, &played, self.now)?;
                        Ok(PairedRound::NextSeason(Box::new(season)))
                    }
                    None => Ok(PairedRound::Finish),
                }
            }
            TournamentStatus::Finished | TournamentStatus::Cancelled => Ok(PairedRound::Nothing),
        }
    }

    fn start(&self, format: Format) -> PairedRound {
        let Self { row, members, now, secret, .. } = self;
        let most = usize::try_from(row.most_players).unwrap_or_default();
        let players = &members[..members.len().min(most)];
        let is_full = players.len() == most;
        let is_time = if row.starts_when_full { is_full } else { row.closes_at <= *now };
        let small = |number: usize| i16::try_from(number).unwrap_or(i16::MAX);
        if !is_time || players.len() < usize::from(super::MIN_PLAYERS) {
            return if row.closes_at <= *now { PairedRound::Cancel } else { PairedRound::Nothing };
        }
        let handles: Vec<&str> = players.iter().map(|player| player.handle.as_str()).collect();
        let mut numbers = draw(&draw_secret(secret), row.id, &handles);
        if format.kind == Kind::League {
            numbers = league::numbers(format.division_size, &numbers, &seasons::places(players));
        }
        let rounds = format.rounds(players.len(), usize::try_from(row.rounds).unwrap_or_default());
        let mut clubs = vec![None; players.len()];
        for (player, number) in players.iter().zip(&numbers) {
            clubs[*number] = player.club_id;
        }
        let Some(first) = pair(format, rounds, &vec![true; players.len()], &clubs, &[]) else {
            return PairedRound::Cancel;
        };
        let numbers = players.iter().zip(numbers).map(|(player, number)| (player.player_id, small(number)));
        PairedRound::Start { rounds: small(rounds), numbers: numbers.collect(), pairings: rows(row, &first) }
    }
}

/// The rows of the round after the newest one.
fn rows(row: &TournamentRow, paired: &[Pairing]) -> Vec<PairingRow> {
    let small = |number: usize| i16::try_from(number).unwrap_or(i16::MAX);
    let pairing = |(board, pairing): (i16, &Pairing)| PairingRow {
        tournament_id: row.id,
        round: row.round + 1,
        board,
        first_number: small(pairing.first),
        second_number: pairing.second.map(small),
        game_id: pairing.second.map(|_| Uuid::now_v7()),
        outcome: None,
    };
    (1..).zip(paired).map(pairing).collect()
}
