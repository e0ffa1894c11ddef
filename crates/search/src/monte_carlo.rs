//! Chooses an action: at random, or by Monte-Carlo search, which deals what is hidden at random, plays random games after each
//! candidate, and gives more games to the better ones (UCB1). It is pure: equal questions and words give equal choices as long as
//! `go_on` answers alike.

use serde::Deserialize;
use serde_json::Value;

use pippost_record::rules::offer::below;
use pippost_record::rules::{Choose, NoSuchPosition, Position, RuleSet, Situation, Words};

/// The most actions that are compared; of a choice among many, a random sample.
pub const MAX_CANDIDATES: usize = 160;

/// The most deals of what is hidden in one search.
pub const MAX_WORLDS: usize = 200;

/// The most actions of one random game; then it is estimated how it stands.
const MAX_PLAYOUT_ACTIONS: u32 = 600;

/// How much a candidate with few games is favoured, in standard deviations of the values of all games: where no game is ever
/// nearly won or lost, small differences count.
const EXPLORATION: f64 = 1.0;

/// What a player is asked: what its account sees of the game, and the listed actions.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub rules: &'static dyn RuleSet,
    /// Complete options.
    pub options: &'a Value,
    pub situation: &'a Situation,
    pub view: &'a Value,
    /// The legal actions in the API's form, not empty.
    pub offers: &'a [Value],
}

/// Why nothing was chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoChoice {
    #[error("no action is listed")]
    NothingListed,
    #[error(transparent)]
    NoSuchPosition(#[from] NoSuchPosition),
}

/// Any listed action.
///
/// # Errors
/// [`NoChoice::NothingListed`].
pub fn random(offers: &[Value], words: &mut impl Words) -> Result<Value, NoChoice> {
    if offers.is_empty() {
        return Err(NoChoice::NothingListed);
    }
    let offer = &offers[below(words, offers.len())];
    Ok(match Choose::deserialize(offer) {
        Ok(choice) => choice.action(|limit| below(words, limit)),
        Err(_) => offer.clone(),
    })
}

/// The listed action after which the player does best in random games: at most `playouts`, while `go_on` says so.
///
/// # Errors
/// [`NoChoice`].
pub fn monte_carlo(
    question: &Question<'_>,
    playouts: u32,
    words: &mut impl Words,
    go_on: impl FnMut() -> bool,
) -> Result<Value, NoChoice> {
    let candidates = candidates(question.offers, words);
    let judged =
        if candidates.len() < 2 { candidates } else { search(question, candidates, playouts, words, go_on)? };
    let best = judged.into_iter().max_by(|one, other| one.final_order().total_cmp(&other.final_order()));
    best.map(|candidate| candidate.action).ok_or(NoChoice::NothingListed)
}

/// The candidates with the random games that were played after each, more after the better ones.
pub(crate) fn search(
    question: &Question<'_>,
    mut candidates: Vec<Candidate>,
    playouts: u32,
    words: &mut impl Words,
    mut go_on: impl FnMut() -> bool,
) -> Result<Vec<Candidate>, NoChoice> {
    let mut worlds = Vec::new();
    let mut all = Values::default();
    for played in 0..playouts {
        // Every candidate gets a game first, so that each has been judged.
        if played as usize >= candidates.len() && !go_on() {
            break;
        }
        let world = world(question, &mut worlds, played as usize, words)?;
        let candidate = next(&mut candidates, played, all.deviation());
        let value = value_of(question, world, &candidate.action, words);
        all.add(value);
        candidate.values.add(value);
    }
    Ok(candidates)
}

/// How a random game after an action ends for the player who is asked.
pub(crate) fn value_of(
    question: &Question<'_>,
    world: &dyn Position,
    action: &Value,
    words: &mut impl Words,
) -> f64 {
    let values = world.playout(action, &mut *words, MAX_PLAYOUT_ACTIONS);
    // A listed action is legal, so this is 0 only for actions that the listing server knows better.
    let value = values.ok().and_then(|values| values.get(question.situation.to_act.index()).copied());
    value.unwrap_or(0.0)
}

/// The deal of that number, made when it is first needed; if nothing is hidden there is only one.
pub(crate) fn world<'a>(
    question: &Question<'_>,
    worlds: &'a mut Vec<Box<dyn Position>>,
    number: usize,
    words: &mut impl Words,
) -> Result<&'a dyn Position, NoChoice> {
    let most = if question.rules.hides() { MAX_WORLDS } else { 1 };
    let index = number % most;
    if worlds.len() <= index {
        let mut words = || words.next_word();
        let Question { rules, options, situation, view, .. } = question;
        worlds.push(rules.determinise(options, situation, view, &mut words)?);
    }
    Ok(worlds[index].as_ref())
}

/// How games ended for the player.
#[derive(Default)]
pub(crate) struct Values {
    pub games: f64,
    total: f64,
    /// Of the squares.
    total_squares: f64,
}

impl Values {
    pub fn add(&mut self, value: f64) {
        self.games += 1.0;
        self.total += value;
        self.total_squares += value * value;
    }

    pub fn mean(&self) -> f64 {
        if self.games > 0.0 { self.total / self.games } else { 0.0 }
    }

    /// The standard deviation.
    fn deviation(&self) -> f64 {
        let mean_square = if self.games > 0.0 { self.total_squares / self.games } else { 0.0 };
        (mean_square - self.mean().powi(2)).max(0.0).sqrt()
    }
}

/// An action and the games that were played after it.
pub(crate) struct Candidate {
    pub action: Value,
    pub values: Values,
}

impl Candidate {
    pub fn new(action: Value) -> Self {
        Self { action, values: Values::default() }
    }

    /// UCB1: the mean, and the more the fewer games there were.
    fn promise(&self, log_played: f64, deviation: f64) -> f64 {
        self.values.mean() + EXPLORATION * deviation * (log_played / self.values.games).sqrt()
    }

    /// The candidate with the most games is the best; of equals the one with the higher mean.
    pub fn final_order(&self) -> f64 {
        self.values.games + self.values.mean()
    }
}

/// The candidate whose turn it is: each once, then the most promising one, given the standard deviation of all values.
fn next(candidates: &mut [Candidate], played: u32, deviation: f64) -> &mut Candidate {
    let index = played as usize;
    if index < candidates.len() {
        return &mut candidates[index];
    }
    let log_played = f64::from(played).ln();
    let promises = candidates.iter().map(|candidate| candidate.promise(log_played, deviation));
    let best = promises.enumerate().max_by(|one, other| one.1.total_cmp(&other.1));
    &mut candidates[best.map_or(0, |(index, _)| index)]
}

/// The listed actions, and of each choice among many a sample; at most [`MAX_CANDIDATES`], in random order if there are more.
pub(crate) fn candidates(offers: &[Value], words: &mut impl Words) -> Vec<Candidate> {
    let mut actions: Vec<Value> = Vec::new();
    let choices: Vec<Choose> = offers.iter().filter_map(|offer| Choose::deserialize(offer).ok()).collect();
    for offer in offers.iter().filter(|offer| Choose::deserialize(*offer).is_err()) {
        actions.push(offer.clone());
    }
    while actions.len() > MAX_CANDIDATES {
        actions.swap_remove(below(words, actions.len()));
    }
    let room = MAX_CANDIDATES.saturating_sub(actions.len());
    for choice in &choices {
        sample(choice, room / choices.len(), &mut actions, words);
    }
    actions.into_iter().map(Candidate::new).collect()
}

/// Adds up to `room` different actions of a choice: one for each entry, then others at random.
fn sample(choice: &Choose, room: usize, actions: &mut Vec<Value>, words: &mut impl Words) {
    let mut examples = choice.examples();
    while examples.len() > room {
        examples.swap_remove(below(words, examples.len()));
    }
    let most = actions.len() + room;
    actions.append(&mut examples);
    if choice.choose.most == 1 {
        return;
    }
    // As many tries as there is room: repeated ones are left out.
    for _ in 0..room {
        let action = choice.action(|limit| below(words, limit));
        if actions.len() < most && !actions.contains(&action) {
            actions.push(action);
        }
    }
}
