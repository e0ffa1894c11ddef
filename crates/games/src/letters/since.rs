//! What the others have done in several games since the player's own last move, in few words.

use futures_util::future::try_join_all;
use serde::Deserialize;

use super::mail_content::common_sentence;
use crate::Games;
use crate::error::GameError;
use crate::lobby::listing::ListedGame;
use pippost_language::{Arguments, Language, words};
use pippost_record::record::Event;
use pippost_record::rules::{self, Seat};
use pippost_store::GameStatus;
use pippost_store::events::Span;

/// The most events that are read of a game.
pub const MAX_EVENTS_COUNTED: u64 = 24;

/// Who acted: all that is read of most events.
#[derive(Deserialize)]
struct Acted {
    seat: Option<Seat>,
}

/// For each of these games one sentence with what the others have done since the last move of the player whose list it is, and the
/// newest of it. That is what a return to the game is about, and the events tell it: no look has to be written down.
///
/// # Errors
/// The database failed.
pub async fn since_own_move(
    games: &Games,
    listed: &[ListedGame],
    language: Language,
) -> Result<Vec<Option<String>>, GameError> {
    try_join_all(listed.iter().map(|game| of_game(games, game, language))).await
}

async fn of_game(games: &Games, game: &ListedGame, language: Language) -> Result<Option<String>, GameError> {
    let (Some(seat), Some(last), GameStatus::Running) = (game.my_seat, game.seq, game.status) else {
        return Ok(None);
    };
    let first = last.back(MAX_EVENTS_COUNTED - 1);
    let lines = games.letter_reads.lines(Span { game_id: game.id, first, last }).await?;
    Ok(told(game, &lines, Seat(seat), first.get() == 0, language))
}

/// `None` if nobody else has moved since, or an event cannot be read, which the audit tells of.
fn told(
    game: &ListedGame,
    lines: &[String],
    own: Seat,
    is_whole: bool,
    language: Language,
) -> Option<String> {
    let seats = lines.iter().map(|line| serde_json::from_str(line).map(|Acted { seat }| seat));
    let seats: Vec<Option<Seat>> = seats.collect::<Result<_, _>>().ok()?;
    let mine = seats.iter().rposition(|seat| *seat == Some(own));
    // Event 0 is the start, and nobody's move.
    let before = mine.map_or(usize::from(is_whole), |index| index + 1);
    let newest = lines.get(before..)?.last()?;
    let from = match mine {
        Some(_) => "own",
        None if is_whole => "start",
        None => "long",
    };
    let counted = Arguments::default()
        .text("from", from)
        .number("count", i64::try_from(lines.len() - before).unwrap_or(i64::MAX))
        .text("newest", newest_of(game, newest, language)?);
    Some(language.say_with("list-since", &counted))
}

/// The event in one sentence.
fn newest_of(game: &ListedGame, line: &str, language: Language) -> Option<String> {
    let event: Event = serde_json::from_str(line).ok()?;
    let mut seated: Vec<_> = game.players.iter().filter(|player| player.seat.is_some()).collect();
    seated.sort_by_key(|player| player.seat);
    let names: Vec<String> = seated.iter().map(|player| words::player(&player.handle, player.bot)).collect();
    let common = common_sentence(event.seat, &event.action, &names, language);
    common.or_else(|| {
        let told = rules::find(&game.rules, None)?.tell(event.seat, &event.action, &event.effects);
        Some(language.tell(told.first()?, &names))
    })
}
