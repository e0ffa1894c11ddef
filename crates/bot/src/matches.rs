//! Games of two strategies in process, to measure how they compare.

use std::time::{Duration, Instant};

use serde_json::Value;

use pippost_record::rules::erased::StartRefused;
use pippost_record::rules::{Chance, Position, Refused, RuleSet, Seat, Situation, Step, Viewer};
use pippost_search::{NoChoice, Question, Seeded, Strategy};

/// A game that takes more actions counts as drawn: no rule set promises an end.
pub const MAX_ACTIONS: u32 = 20_000;

/// What a match is about.
#[derive(Clone, Debug)]
pub struct Match {
    pub rules: &'static dyn RuleSet,
    /// Complete options that allow two players.
    pub options: Value,
    pub games: u32,
    /// Equal seeds give equal matches, if the strategies have no time limit.
    pub seed: u64,
    /// The strategy that is measured, and its opponent; they take turns in beginning.
    pub strategies: [Strategy; 2],
}

/// What the first strategy reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub moves: u32,
    /// The time of all its choices, and that of the longest.
    pub thought: Duration,
    pub longest: Duration,
}

impl Score {
    /// The mean time of a choice.
    #[must_use]
    pub fn mean(&self) -> Duration {
        self.thought / self.moves.max(1)
    }
}

/// Why a match could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error(transparent)]
    Start(#[from] StartRefused),
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// A chosen action is not legal, which the laws of rule sets exclude.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// Plays all games of a match.
///
/// # Errors
/// [`MatchError`].
pub fn play(of: &Match) -> Result<Score, MatchError> {
    let mut score = Score::default();
    for game in 0..of.games {
        play_one(of, game, &mut score)?;
    }
    Ok(score)
}

fn play_one(of: &Match, game: u32, score: &mut Score) -> Result<(), MatchError> {
    let first = Seat(u8::from(game % 2 == 1));
    let seed = of.seed.wrapping_add(u64::from(game));
    // Chance and choices have words of their own.
    let (mut chance, mut words) = (Seeded::new(seed), Seeded::new(!seed));
    let mut position = of.rules.start(&of.options, 2, &mut Step::silent(Chance::Drawn(&mut chance)))?;
    for _ in 0..MAX_ACTIONS {
        let Some(seat) = position.to_act() else { break };
        let began = Instant::now();
        let strategy = of.strategies[usize::from(seat != first)];
        let action = choose(of, position.as_ref(), seat, strategy, &mut words)?;
        if seat == first {
            let took = began.elapsed();
            score.moves += 1;
            score.thought += took;
            score.longest = score.longest.max(took);
        }
        position.act(seat, &action, &mut Step::silent(Chance::Drawn(&mut chance)))?;
    }
    let standing = position.ending().map(|ending| ending.standing);
    match standing.as_ref().and_then(|groups| groups.first()).map(Vec::as_slice) {
        Some([winner]) if *winner == first => score.won += 1,
        Some([_]) => score.lost += 1,
        _ => score.drawn += 1,
    }
    Ok(())
}

/// A choice from nothing but the seat's view.
fn choose(
    of: &Match,
    position: &dyn Position,
    seat: Seat,
    strategy: Strategy,
    words: &mut Seeded,
) -> Result<Value, NoChoice> {
    let situation = Situation { seats: 2, to_act: seat, left: Vec::new() };
    let (view, offers) = (position.view(Viewer::Seat(seat)), position.legal());
    let question = Question {
        rules: of.rules,
        options: &of.options,
        situation: &situation,
        view: &view,
        offers: &offers,
    };
    strategy.choose(&question, words)
}
