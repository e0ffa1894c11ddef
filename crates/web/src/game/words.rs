//! The headline of a game, its players, and the time left.

use serde::Serialize;

use crate::visitor::Visitor;
use pippost_games::lobby::listing;
use pippost_games::{GameView, letters};
use pippost_language::{Arguments, Language, words};
use pippost_record::record::{GameResult, Reason};
use pippost_store::GameStatus;
use pippost_store::lists::Outcome;

/// A player as the page lists him.
#[derive(Debug, Serialize)]
pub struct Player {
    pub handle: String,
    pub seat: Option<u8>,
    pub in_turn: bool,
    pub me: bool,
    pub left: bool,
}

/// By seat, or in joining order before the start.
pub fn players(view: &GameView) -> Vec<Player> {
    let mut players: Vec<_> = view.players.iter().collect();
    players.sort_by_key(|player| player.seat);
    let shown = |player: &pippost_games::viewing::view::PlayerView| Player {
        handle: words::player(&player.handle, player.bot),
        seat: player.seat,
        in_turn: player.seat.is_some() && player.seat == view.to_act,
        me: player.seat.is_some() && player.seat == view.my_seat,
        left: player.left,
    };
    players.into_iter().map(shown).collect()
}

/// What a link to the game is called elsewhere.
#[must_use]
pub fn heading(view: &GameView, names: &str) -> String {
    match &view.game_title {
        Some(own) => format!("{own} · {}: {names}", view.title),
        None => format!("{}: {names}", view.title),
    }
}

/// All players in one line.
pub fn names(players: &[Player]) -> String {
    let names: Vec<&str> = players.iter().map(|player| player.handle.as_str()).collect();
    names.join(" – ")
}

/// The state of the game in a few words.
pub fn headline(view: &GameView, my_turn: bool, players: &[Player], language: Language) -> String {
    let handles: Vec<String> = players.iter().map(|player| player.handle.clone()).collect();
    let name = |seat: u8| handles.get(usize::from(seat)).cloned().unwrap_or_else(|| language.say("somebody"));
    match (view.status, view.to_act, &view.result) {
        (GameStatus::Running, Some(_), _) if my_turn => language.say("page-your-turn"),
        (GameStatus::Running, Some(seat), _) => {
            language.say_with("page-turn-of", &Arguments::default().text("player", name(seat)))
        }
        (_, _, Some(result)) => {
            let places = result.places.as_deref();
            let sentence = || letters::outcome::sentence(result.reason, places, &handles, language);
            own_result(result, view.my_seat, language).unwrap_or_else(sentence)
        }
        _ => language.say("page-running"),
    }
}

/// How a game that was played to its end ended for one of two players.
pub fn own_result(result: &GameResult, seat: Option<u8>, language: Language) -> Option<String> {
    let (Reason::Play | Reason::RoundLimit, Some([_, _])) = (result.reason, result.places.as_deref()) else {
        return None;
    };
    let seat = seat?;
    let key = match listing::outcome(result, seat)? {
        Outcome::Won => "ended-you-won",
        Outcome::Drawn => "ended-you-drawn",
        Outcome::Lost => "ended-you-lost",
    };
    let Some([one, other]) = result.scores.as_deref() else { return Some(language.say(key)) };
    let score = if seat == 0 { format!("{one}–{other}") } else { format!("{other}–{one}") };
    Some(language.say_with(&format!("{key}-by"), &Arguments::default().text("score", score)))
}

/// The time left of the player to act.
pub fn time_left(view: &GameView, visitor: &Visitor) -> Option<String> {
    let seconds = view.time_left_seconds?;
    let deadline = words::date_time(view.deadline_at?.get(), &visitor.zone, visitor.language);
    let left = words::span(time::Duration::seconds(seconds), visitor.language);
    let arguments = Arguments::default().text("left", left).text("deadline", deadline);
    Some(visitor.language.say_with("page-time-left", &arguments))
}
