//! The content of digests: games that wait for the player, games that wait for others, news that the player wants told so, and the
//! problem of the day.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use time::{Time, UtcOffset};
use uuid::Uuid;

use super::mail_content::{expired_content, fill, game_content, invitation_content, png};
use crate::Games;
use crate::clubs;
use crate::error::GameError;
use crate::ladders::challenge_content;
use crate::learning::{self, Problem};
use crate::memory::live::LiveGame;
use crate::memory::version_check;
use pippost_language::{Language, words};
use pippost_notices::{AskedGame, Detail, DigestContent, DigestGame, DigestNews, DigestProblem};
use pippost_record::rules::{self, Seat};
use pippost_store::digests::{self, DigestParts, NewsRow};
use pippost_store::lists::{self, Filter, GamesOf, Whose};
use pippost_store::notices::NoticeKind;
use pippost_store::{GameStatus, StoreError};

/// The most games that a digest reads.
const MAX_GAMES: i64 = 50;

/// The most news that a digest tells, and the most that it counts.
const MAX_NEWS: usize = 50;
const MAX_NEWS_COUNTED: i64 = 1000;

/// What a digest tells; the digest `None` has no news and lists the games alone.
pub(super) async fn content(
    games: &Games,
    player_id: Uuid,
    digest_id: Option<Uuid>,
    language: Language,
) -> Result<Option<DigestContent>, GameError> {
    let mut content = DigestContent::default();
    let mut parts = DigestParts { turns: true, problem: false };
    if let Some(digest_id) = digest_id {
        let day = games.now().to_offset(UtcOffset::UTC).replace_time(Time::MIDNIGHT);
        let (rows, wanted) =
            digests::contents(&games.database, player_id, digest_id, day, MAX_NEWS_COUNTED).await?;
        parts = wanted;
        content.more_news = rows.len().saturating_sub(MAX_NEWS);
        for row in rows.iter().take(MAX_NEWS) {
            let news = readable(news(games, player_id, row, language).await)?;
            content.news.extend(news.flatten());
        }
    }
    if parts.turns {
        list(games, player_id, language, &mut content).await?;
    }
    if parts.problem {
        content.problem = readable(problem_of_day(games, language).await)?.flatten();
    }
    let is_something = !content.mine.is_empty() || !content.news.is_empty() || content.problem.is_some();
    Ok(is_something.then_some(content))
}

/// The problem that the front page shows today; `None` while there is none.
async fn problem_of_day(games: &Games, language: Language) -> Result<Option<DigestProblem>, GameError> {
    let Some((problem, before)) = learning::problem_of_day_and_before(games).await? else { return Ok(None) };
    let shown = match learning::show(games, &problem, language).await {
        Ok(shown) => shown,
        Err(GameError::NotFound) => return Ok(None),
        Err(error) => return Err(error),
    };
    let title = rules::find(&problem.rules, None).map_or(problem.rules.as_str(), |rules| rules.title());
    Ok(Some(DigestProblem {
        rules_title: title.to_owned(),
        mover: shown.mover,
        to_do: shown.to_do,
        board: shown.board_text,
        picture: png(games, problem.game_id, shown.picture).await,
        link: games.problem_url(problem.id),
        answer_before: before.and_then(|before| answer_url(games, &before)),
    }))
}

/// The address at which the page of a problem shows its answer.
fn answer_url(games: &Games, problem: &Problem) -> Option<String> {
    let best = problem.answers.first()?;
    let answer = utf8_percent_encode(&best.notation, NON_ALPHANUMERIC);
    Some(format!("{}?answer={answer}", games.problem_url(problem.id)))
}

/// The player's games that are not over, with those that wait for players.
pub(super) async fn games_of(
    games: &Games,
    player_id: Uuid,
    language: Language,
) -> Result<DigestContent, GameError> {
    let mut content = DigestContent::default();
    list(games, player_id, language, &mut content).await?;
    let filter = Filter::all(Whose::Of(GamesOf::player(player_id, Some(GameStatus::Open))));
    let rows = lists::games(&games.database, &filter, Some(player_id), MAX_GAMES).await?.rows;
    for row in rows {
        let others = row.players.iter().filter(|player| player.id != player_id);
        let title = rules::find(&row.game.rules, None).map_or(row.game.rules.as_str(), |rules| rules.title());
        content.open.push(DigestGame {
            number: row.number,
            rules_title: title.to_owned(),
            opponents: others.map(|player| words::player(&player.handle, player.bot)).collect(),
            to_do: None,
            waits_for: None,
            deadline: None,
            time_left: None,
            link: games.page_url(row.game.id),
        });
    }
    Ok(content)
}

/// Lists the games that wait for the player, and those that wait for others.
async fn list(
    games: &Games,
    player_id: Uuid,
    language: Language,
    content: &mut DigestContent,
) -> Result<(), GameError> {
    let filter = Filter::all(Whose::Of(GamesOf::player(player_id, Some(GameStatus::Running))));
    let running = lists::games(&games.database, &filter, Some(player_id), MAX_GAMES).await?.rows;
    let game = |live: &LiveGame, seat| digest_game(games, live, seat, player_id, language);
    for row in running {
        let Some(Some(live)) = readable(version_check::current(games, row.game.id).await)? else { continue };
        let Some(seat) = live.fixed.seat_of(player_id) else { continue };
        match live.turn {
            Some(turn) if turn.seat == seat => content.mine.push(game(&live, seat)),
            Some(_) => content.others.push(game(&live, seat)),
            None => {}
        }
    }
    content.mine.sort_by_key(|game| (game.deadline.is_none(), game.deadline));
    Ok(())
}

/// A game that cannot be read is left to the audit; the digest tells the others.
fn readable<T>(read: Result<T, GameError>) -> Result<Option<T>, GameError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error @ (GameError::Corrupt(..) | GameError::Store(StoreError::Corrupt(_)))) => {
            tracing::error!(%error, "a game is left out of a digest");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// What a notice tells now; `None` if there is nothing to tell any more.
async fn news(
    games: &Games,
    player_id: Uuid,
    row: &NewsRow,
    language: Language,
) -> Result<Option<DigestNews>, GameError> {
    match row.kind {
        NoticeKind::Challenge => {
            return Ok(challenge_content(games, row.id).await?.map(DigestNews::Challenge));
        }
        NoticeKind::Club => return Ok(clubs::content(games, row.id, player_id).await?.map(DigestNews::Club)),
        _ => {}
    }
    let Some(game_id) = row.game_id else { return Ok(None) };
    match (row.kind, row.from_player_id) {
        (NoticeKind::Invitation, Some(from)) => {
            Ok(invitation_content(games, game_id, from).await?.map(DigestNews::Invitation))
        }
        (NoticeKind::GameExpired, _) => {
            Ok(expired_content(games, game_id, player_id).await?.map(DigestNews::Expired))
        }
        (kind, _) => {
            let Some(seq) = row.seq.filter(|_| kind.is_of_game()) else { return Ok(None) };
            let (told_since, detail) = (games.inner.clock.now(), Detail::Brief);
            let asked = AskedGame { game_id, player_id, seq, kind, told_since, language, detail };
            Ok(game_content(games, asked).await?.map(Box::new).map(DigestNews::Game))
        }
    }
}

fn digest_game(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    player_id: Uuid,
    language: Language,
) -> DigestGame {
    let content = fill(games, live, seat, player_id, NoticeKind::Turn, language);
    let other = live.turn.filter(|turn| turn.seat != seat);
    DigestGame {
        number: content.number,
        rules_title: content.rules_title,
        opponents: content.opponents,
        to_do: content.to_do,
        waits_for: other.map(|turn| live.fixed.names[turn.seat.index()].clone()),
        deadline: content.deadline,
        time_left: content.time_left,
        link: content.link,
    }
}
