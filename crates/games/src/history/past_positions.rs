//! Earlier positions of a game, by event or by turn, and the choices at each.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::history::checkpoints::{self, Goal};
use crate::history::replay::PastPosition;
use crate::memory::live::{LiveGame, raw};
use crate::viewing::analysis;
use crate::viewing::view::{self, Requester, SeatClaim};
use pippost_record::record::Event;
use pippost_record::rules::Seat;
use pippost_record::rules::schema::RuleSetOffer;
use pippost_store::{Seq, TurnNumber, events};

/// The player's last event is usually among the last few, so so many are read first, and then whole pages.
const RECENT: u64 = 16;

/// A position of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum At {
    /// After the newest event.
    #[default]
    Now,
    /// After that event.
    Event(Seq),
    /// After the last event of that turn; of the last turn, after the newest event. Turn 0 is event 0, the start; after it, a turn is a
    /// longest run of events up to one that changes `to_act`.
    Turn(TurnNumber),
}

impl From<Option<Seq>> for At {
    fn from(seq: Option<Seq>) -> Self {
        seq.map_or(Self::Now, Self::Event)
    }
}

/// The legal actions at a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Choices {
    /// The rule set, which tells the types of the actions.
    pub rules: &'static str,
    /// The last event before the choice.
    #[schema(value_type = u64)]
    pub seq: Seq,
    /// The seat to act; null if the game was over.
    pub to_act: Option<u8>,
    /// True if the choices would reveal hidden things to you.
    pub hidden: bool,
    /// All legal actions of the rules, in the form of `/actions`.
    #[schema(value_type = Vec<RuleSetOffer>)]
    pub actions: Vec<Value>,
    /// In notation, those that are a single action.
    pub notation: Vec<String>,
}

/// The events since a player last acted.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct News {
    /// Your own newest event; null if you have not acted yet.
    #[schema(value_type = Option<u64>)]
    pub my_last: Option<Seq>,
    /// The events after `my_last`, or all events if it is null: oldest first, at most 500.
    #[schema(value_type = Vec<Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The `first` for `/events` to get the rest; null if there is none.
    #[schema(value_type = Option<u64>)]
    pub next: Option<Seq>,
    /// The number of the game's newest event.
    #[schema(value_type = u64)]
    pub newest: Seq,
}

/// The game at an earlier position; `None` for the current one.
pub(crate) async fn past_position(
    games: &Games,
    live: &LiveGame,
    at: At,
) -> Result<Option<PastPosition>, GameError> {
    let now = live.seq();
    let too_late = |field, why: String| Err(GameError::NoSuchPosition { field, why });
    match at {
        At::Now => Ok(None),
        At::Event(seq) if seq > now => too_late("seq", format!("the game is at event {now}")),
        At::Event(seq) if seq == now => Ok(None),
        At::Event(seq) => {
            let replay = checkpoints::replay_towards(games, live, Goal::Event(seq)).await?;
            Ok(Some(replay.until(|then| then.seq() == seq).await?))
        }
        At::Turn(turn) => {
            let ends = |then: &PastPosition| then.progress.turn == turn && then.progress.ends_turn;
            let then = checkpoints::replay_towards(games, live, Goal::Turn(turn)).await?.until(ends).await?;
            if then.progress.turn < turn {
                return too_late("turn", format!("the game is in turn {}", then.progress.turn));
            }
            Ok(Some(then).filter(|then| then.seq() < now))
        }
    }
}

/// The choices at a position, as far as `requester` may see them. The choices of a seat reveal its hand, so others see them
/// only once the seeds of everything that was hidden then are published.
///
/// # Errors
/// No such game or position for this requester, or not started.
pub async fn choices(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    at: At,
) -> Result<Choices, GameError> {
    let (live, viewer) = view::started_for(games, game_id, requester).await?;
    let then = past_position(games, &live, at).await?;
    let now = (live.seq(), live.chronicle.table());
    let (seq, table) = then.as_ref().map_or(now, |then| (then.seq(), &then.table));
    let asked = table.to_act();
    let may_see = analysis::is_public(&live, table) || asked.is_none_or(|seat| viewer.is(seat));
    let position = table.position();
    let actions = if may_see && asked.is_some() { position.legal() } else { Vec::new() };
    let notation = actions.iter().filter_map(|action| position.write(action)).collect();
    let rules = live.fixed.rules.name();
    Ok(Choices { rules, seq, to_act: asked.map(|Seat(seat)| seat), hidden: !may_see, actions, notation })
}

/// What happened since the player last acted.
///
/// # Errors
/// The database failed.
pub async fn news(games: &Games, claim: &SeatClaim) -> Result<News, GameError> {
    let (live, _) = view::started_for(games, claim.game_id, &Requester::player(claim.player_id)).await?;
    claim.check(&live)?;
    let newest = live.seq();
    let begin = newest.back(RECENT - 1);
    let mut recent = events::lines(&games.database, claim.game_id, begin, newest).await?;
    let own = newest_of(&live, &recent, claim.seat)?;
    let my_last = match own {
        Some((_, seq)) => Some(seq),
        None => last_event_of(games, &live, claim.seat, begin.previous()).await?,
    };
    let first = my_last.map_or(Seq::START, Seq::next);
    let lines = match own {
        Some((index, _)) => recent.split_off(index + 1),
        None if first == begin => recent,
        None => events::lines(&games.database, claim.game_id, first, newest).await?,
    };
    let next = first + lines.len() as u64;
    Ok(News {
        my_last,
        events: lines.into_iter().map(raw).collect(),
        next: Some(next).filter(|next| *next <= newest),
        newest,
    })
}

/// The newest event up to `last` that `seat` made, found in the events since the last checkpoint or in that checkpoint.
async fn last_event_of(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    last: Option<Seq>,
) -> Result<Option<Seq>, GameError> {
    let Some(last) = last else { return Ok(None) };
    let (start, counted) = checkpoints::counted_before(games, live, last).await?;
    let lines = events::lines(&games.database, live.fixed.id, start.next(), last).await?;
    Ok(newest_of(live, &lines, seat)?.map(|(_, seq)| seq).or_else(|| counted.last_event_of(seat)))
}

/// The newest of these events that `seat` made: its line and its number.
fn newest_of(live: &LiveGame, lines: &[String], seat: Seat) -> Result<Option<(usize, Seq)>, GameError> {
    #[derive(serde::Deserialize)]
    struct Actor {
        seat: Option<Seat>,
        seq: u64,
    }
    for (index, line) in lines.iter().enumerate().rev() {
        let actor: Actor =
            serde_json::from_str(line).map_err(|_| GameError::Corrupt(live.fixed.id, "event".into()))?;
        if actor.seat == Some(seat) {
            return Ok(Some((index, actor.seq.into())));
        }
    }
    Ok(None)
}
