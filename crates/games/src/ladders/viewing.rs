//! What readers see of ladders: who stands where, what is not over, and what has happened.

use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::working::answer_by;
use super::{is_for_two, load, read, rules_of};
use crate::Games;
use crate::error::GameError;
use pippost_record::record::Timestamp;
use pippost_record::rules::{self, RuleSet};
use pippost_store::ladders::{self as store, HappeningKind, HappeningRow};
use pippost_store::players;
use pippost_tournaments::ladder::{Challenge, Happening, Ladder};

/// The most happenings of a ladder that are shown, the newest.
pub const MAX_SHOWN: i64 = 50;

/// A ladder in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ListedLadder {
    pub rules: &'static str,
    pub title: &'static str,
    pub players: usize,
    /// Your place, from 1.
    pub place: Option<usize>,
}

/// A player of a ladder.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = LadderPlayer)]
pub struct Placed {
    pub place: usize,
    #[serde(skip)]
    pub player_id: Uuid,
    pub handle: String,
    pub bot: bool,
    /// Whether you may now.
    pub may_challenge: bool,
}

/// A challenge that is not over.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = LadderChallenge)]
pub struct Challenged {
    #[serde(skip)]
    pub number: u32,
    pub challenger: String,
    pub challenged: String,
    /// Null until it is accepted.
    pub game: Option<Uuid>,
    /// Until when it may be accepted; for both of its players.
    #[serde(rename = "answer_by")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    #[serde(skip)]
    pub is_asked: bool,
}

/// What has happened on a ladder.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = LadderEvent)]
pub struct Told {
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    pub kind: HappeningKind,
    pub player: String,
    /// Who is challenged.
    pub other: Option<String>,
    pub game: Option<Uuid>,
    /// How a game ended, or why the player left.
    pub how: Option<String>,
}

/// A ladder as a reader sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Ladder)]
pub struct ShownLadder {
    pub rules: &'static str,
    pub title: &'static str,
    /// From the first place on.
    pub players: Vec<Placed>,
    pub challenges: Vec<Challenged>,
    /// The newest 50, the newest first.
    #[serde(rename = "events")]
    pub told: Vec<Told>,
    #[serde(skip)]
    pub is_in: bool,
}

/// Handles of players, and which of them are programs.
struct Names(HashMap<Uuid, (String, bool)>);

impl Names {
    async fn of(games: &Games, mut ids: Vec<Uuid>) -> Result<Self, GameError> {
        ids.sort_unstable();
        ids.dedup();
        let rows = players::players_by_ids(&games.database, &ids).await?;
        Ok(Self(rows.into_iter().map(|row| (row.id, (row.handle, row.bot))).collect()))
    }

    fn handle(&self, id: Uuid) -> String {
        self.0.get(&id).map(|(handle, _)| handle.clone()).unwrap_or_default()
    }

    fn is_bot(&self, id: Uuid) -> bool {
        self.0.get(&id).is_some_and(|(_, bot)| *bot)
    }
}

/// The ladders of all rule sets with games for two.
///
/// # Errors
/// The database failed.
pub async fn list(games: &Games, reader: Option<Uuid>) -> Result<Vec<ListedLadder>, GameError> {
    let states: HashMap<String, String> = store::all(&games.database).await?.into_iter().collect();
    let mut listed: Vec<ListedLadder> = Vec::new();
    for rules in rules::all() {
        let (name, title) = (rules.name(), rules.title());
        if !is_for_two(rules) || listed.iter().any(|known| known.rules == name) {
            continue;
        }
        let ladder = read(name, states.get(name).map_or("", String::as_str))?;
        let place = reader.and_then(|reader| ladder.place(reader)).map(|place| place + 1);
        listed.push(ListedLadder { rules: name, title, players: ladder.rungs().len(), place });
    }
    Ok(listed)
}

/// A ladder.
///
/// # Errors
/// There is none of these rules, or the database failed.
pub async fn show(games: &Games, rules: &str, reader: Option<Uuid>) -> Result<ShownLadder, GameError> {
    let rules = rules_of(rules)?;
    let ladder = load(games, rules.name()).await?;
    let rows = store::happenings(&games.database, rules.name(), MAX_SHOWN).await?;
    let mut ids: Vec<Uuid> = ladder.rungs().iter().map(|rung| rung.player).collect();
    ids.extend(ladder.challenges().iter().flat_map(|one| [one.challenger, one.challenged]));
    ids.extend(rows.iter().flat_map(|row| [Some(row.player_id), row.other_id]).flatten());
    let names = Names::of(games, ids).await?;
    let mut challenges = Vec::new();
    for challenge in ladder.challenges() {
        challenges.push(shown(games, challenge, &names, reader).await?);
    }
    Ok(ShownLadder {
        rules: rules.name(),
        title: rules.title(),
        players: placed(&ladder, &names, reader),
        challenges,
        told: rows.into_iter().map(|row| told(row, &names)).collect(),
        is_in: reader.is_some_and(|reader| ladder.place(reader).is_some()),
    })
}

fn placed(ladder: &Ladder, names: &Names, reader: Option<Uuid>) -> Vec<Placed> {
    let is_possible = |challenged: Uuid| {
        reader
            .is_some_and(|challenger| ladder.check(Happening::Challenged { challenger, challenged }).is_ok())
    };
    let one = |(place, player_id): (usize, Uuid)| Placed {
        place,
        player_id,
        handle: names.handle(player_id),
        bot: names.is_bot(player_id),
        may_challenge: is_possible(player_id),
    };
    (1..).zip(ladder.rungs().iter().map(|rung| rung.player)).map(one).collect()
}

async fn shown(
    games: &Games,
    challenge: &Challenge,
    names: &Names,
    reader: Option<Uuid>,
) -> Result<Challenged, GameError> {
    let waits = challenge.game.is_none();
    let is_own = reader.is_some_and(|reader| challenge.is_of(reader));
    let until = if waits && is_own { Some(Timestamp::new(answer_by(games, challenge).await?)) } else { None };
    Ok(Challenged {
        number: challenge.number,
        challenger: names.handle(challenge.challenger),
        challenged: names.handle(challenge.challenged),
        game: challenge.game,
        until,
        is_asked: waits && reader == Some(challenge.challenged),
    })
}

fn told(row: HappeningRow, names: &Names) -> Told {
    Told {
        at: Timestamp::new(row.at),
        kind: row.kind,
        player: names.handle(row.player_id),
        other: row.other_id.map(|other| names.handle(other)),
        game: row.game_id,
        how: row.how,
    }
}

/// The rules of each ladder on which a challenge waits for the player's answer.
///
/// # Errors
/// The database failed.
pub async fn waiting_for(games: &Games, player: Uuid) -> Result<Vec<&'static dyn RuleSet>, GameError> {
    let mut waiting = Vec::new();
    for (rules, state) in store::with_player(&games.database, player).await? {
        let ladder = read(&rules, &state)?;
        let is_asked = ladder.challenges().iter().any(|one| one.challenged == player && one.game.is_none());
        waiting.extend(rules::find(&rules, None).filter(|_| is_asked));
    }
    Ok(waiting)
}
