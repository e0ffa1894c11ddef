//! Who plays a game, for a mail: whose turn it is, how long is left, and who has left.

use crate::Games;
use crate::memory::live::LiveGame;
use pippost_language::{Arguments, Language, words};
use pippost_record::rules::Seat;

/// A line for each player, in the order of the seats.
pub(super) fn plays(games: &Games, live: &LiveGame, language: Language) -> Vec<String> {
    let now = games.inner.clock.now();
    let table = live.chronicle.table();
    let line = |(index, name): (usize, &String)| {
        let seat = Seat(u8::try_from(index).unwrap_or(u8::MAX));
        let arguments = Arguments::default().text("player", words::player(name, live.fixed.is_bot(seat)));
        let turn = live.turn.filter(|turn| turn.seat == seat);
        let deadline = turn.and_then(|turn| turn.deadline_at);
        match (turn, deadline) {
            _ if table.has_left(seat) => language.say_with("who-left", &arguments),
            (Some(_), Some(deadline)) => language
                .say_with("who-acts-until", &arguments.text("left", words::span(deadline - now, language))),
            (Some(_), None) => language.say_with("who-acts", &arguments),
            (None, _) => language.say_with("who-waits", &arguments),
        }
    };
    live.fixed.names.iter().enumerate().map(line).collect()
}
