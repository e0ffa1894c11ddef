//! Describes the game in answers to players' mails: its current state as the player sees it.

use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::letters::mail_content::{self, ended, tell};
use crate::letters::{digest, messages, who};
use crate::memory::live::LiveGame;
use crate::memory::version_check;
use crate::playing::preview::written;
use pippost_keys::secret::Purpose;
use pippost_language::Language;
use pippost_notices::{Answer, AnswerContent, GameContent, Verdict};
use pippost_record::record::{Event, Preview};
use pippost_record::rules::Seat;
use pippost_store::replies::{self, ReplyRow};
use pippost_store::{NoticeKind, Seq};

/// The most legal actions that an answer lists.
const MAX_LISTED: usize = 24;

/// The most rows that they fill on a telephone, which shows no more at once; and the letters of a row, in which each action has
/// some for its frame.
const MAX_LISTED_ROWS: usize = 10;
const ROW_CHARS: usize = 32;
const FRAME_CHARS: usize = 4;

/// The most other mails that one answer lists; it counts the others.
const MAX_ALSO: i64 = 20;

/// The length of the word that confirms a resignation, in characters.
const WORD_LENGTH: usize = 6;

pub(super) async fn answer_content(
    games: &Games,
    reply_id: Uuid,
    language: Language,
) -> Result<Option<AnswerContent>, GameError> {
    let Some(reply) = replies::find(&games.database, reply_id).await? else { return Ok(None) };
    let corrupt = |_| GameError::Corrupt(reply.game_id.unwrap_or_default(), "answer to a mail".into());
    let mut answer: Answer = serde_json::from_str(&reply.answer).map_err(corrupt)?;
    let live = match reply.game_id {
        Some(game_id) => version_check::current(games, game_id).await?,
        None => None,
    };
    let seated = live.and_then(|live| live.fixed.seat_of(reply.player_id).map(|seat| (live, seat)));
    let (rows, all) = replies::told_with(&games.database, reply.id, MAX_ALSO).await?;
    let also: Vec<Answer> = rows.iter().filter_map(|row| serde_json::from_str(&row.answer).ok()).collect();
    let more_also = usize::try_from(all).unwrap_or_default().saturating_sub(also.len());
    let mut content = AnswerContent {
        game: None,
        games: None,
        who: Vec::new(),
        notation_help: String::new(),
        legal: Vec::new(),
        more_legal: 0,
        also,
        more_also,
        answer: Answer::new(Verdict::Told),
    };
    if answer.games || also_asks(&content.also, |also| also.games) {
        content.games = Some(digest::games_of(games, reply.player_id, language).await?);
    }
    if let Some((live, seat)) = seated {
        let nothing_to_resign = gone(&live, seat);
        if let (Verdict::ConfirmResign { .. }, Some(nothing)) = (&answer.verdict, nothing_to_resign) {
            answer.verdict = nothing;
        }
        if answer.who || also_asks(&content.also, |also| also.who) {
            content.who = who::plays(games, &live, language);
        }
        if answer.verdict.wants_list() || answer.help {
            (content.legal, content.more_legal) = list(&live, seat);
        }
        content.notation_help = language.say(&format!("{}-notation", live.fixed.rules.name()));
        let game = game_of(games, &live, seat, &reply, &answer, language).await?;
        // Each action is listed once.
        let examples = if content.legal.is_empty() { game.legal_notation } else { Vec::new() };
        content.game = Some(GameContent { legal_notation: examples, ..game });
    }
    Ok(Some(AnswerContent { answer, ..content }))
}

fn also_asks(also: &[Answer], asks: impl Fn(&Answer) -> bool) -> bool {
    also.iter().any(asks)
}

/// The game as it is now, or as it would be after what the answer asks about.
async fn game_of(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    reply: &ReplyRow,
    answer: &Answer,
    language: Language,
) -> Result<GameContent, GameError> {
    let recent = mail_content::recent_events(games, live).await?;
    let from = first_told(&recent, seat, answer, reply.seq);
    let last = recent.last().map(|event| event.effects.clone()).unwrap_or_default();
    let mut happened = tell(live, &recent[from..], language);
    let seen =
        from.checked_sub(1).and_then(|last| recent.get(last)).map_or(Seq::START, |event| event.seq.into());
    happened.extend(messages::said_since(games, live, seat, seen, language).await?);
    let mut content = mail_content::fill(games, live, seat, reply.player_id, NoticeKind::Turn, language);
    let preview = match &answer.verdict {
        Verdict::Asked { actions, .. } => preview_of(live, seat, actions),
        _ => None,
    };
    let mut table = live.chronicle.table();
    if let Some(preview) = &preview {
        table = preview.table();
        content.board = mail_content::board_of(live, table.position(), seat, language);
        (content.to_do, content.legal_notation) = (None, Vec::new());
    }
    let last = if preview.is_some() { Vec::new() } else { last };
    let picture = mail_content::draw(games, live, table, seat, &last, language).await;
    Ok(GameContent { happened, result: ended(live, language), has_moved: from > 0, picture, ..content })
}

/// The game after `actions`, up to the first chance; `None` if they are not legal any more.
fn preview_of(live: &LiveGame, seat: Seat, actions: &[String]) -> Option<Preview> {
    let mut preview = live.chronicle.preview(seat);
    for action in actions {
        if preview.has_stopped() {
            break;
        }
        let action = preview.table().position().read(action).ok()?;
        preview.act(&action).ok()?;
    }
    Some(preview)
}

/// The word with which a player confirms that he resigns a game.
#[must_use]
pub fn resign_word(games: &Games, game_id: Uuid, player_id: Uuid) -> String {
    let both = [game_id.as_bytes().as_slice(), player_id.as_bytes()].concat();
    let token = games.inner.secret.address_token(Purpose::Resign, &both);
    // Takes the end of the id: its beginning is a timestamp, and close together for games of one time.
    token[token.len() - WORD_LENGTH..].to_owned()
}

/// Why the player has nothing to resign any more: the game may have ended since the mail was read.
fn gone(live: &LiveGame, seat: Seat) -> Option<Verdict> {
    let table = live.chronicle.table();
    match table.result() {
        Some(_) => Some(Verdict::GameOver),
        None => table.has_left(seat).then_some(Verdict::Left),
    }
}

/// The first event that the answer describes: after what the answered mail showed, after the player's last move, or as far back
/// as mails go.
fn first_told(recent: &[Event], seat: Seat, answer: &Answer, shown: Seq) -> usize {
    if answer.history {
        return 0;
    }
    if answer.verdict.acted() {
        return recent.iter().position(|event| Seq::from(event.seq) > shown).unwrap_or(recent.len());
    }
    recent.iter().rposition(|event| event.seat == Some(seat)).map_or(0, |mine| mine + 1)
}

/// The player's legal actions in notation, and how many more there are.
fn list(live: &LiveGame, seat: Seat) -> (Vec<String>, usize) {
    let table = live.chronicle.table();
    if table.to_act() != Some(seat) {
        return (Vec::new(), 0);
    }
    let mut legal = written(table.position());
    let listed = listed(&legal);
    let more = legal.len() - listed;
    legal.truncate(listed);
    (legal, more)
}

/// How many of these actions a telephone shows at once.
#[must_use]
pub fn listed(legal: &[String]) -> usize {
    let mut room = MAX_LISTED_ROWS * ROW_CHARS;
    let fits = |action: &&String| {
        let in_a_row = (ROW_CHARS / (action.chars().count() + FRAME_CHARS)).max(1);
        let taken = ROW_CHARS / in_a_row;
        let fits = taken <= room;
        room = room.saturating_sub(taken);
        fits
    };
    legal.iter().take(MAX_LISTED).take_while(fits).count()
}
