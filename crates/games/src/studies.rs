//! Studies: lines of an analysis that players keep, with a title and a text to each position. They are of games that are over, so nothing
//! in them is hidden any more, and a study shows its game to nobody who may not see it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::error::GameError;
use crate::lobby::idempotency;
use crate::moderation::{cleaned, expect_not_muted};
use crate::viewing::analysis::{Analysed, LineEntry, MAX_LINE, PlayedAction, Sent, analyse};
use crate::viewing::analysis_board::{AnalysisBoard, board_within};
use crate::viewing::view::{self, Requester};
use crate::viewing::visibility::expect_visible;
use crate::{At, GameView, Games};
use pippost_accounts::names;
use pippost_language::Language;
use pippost_store::stored_responses::{Once, RequestKey};
use pippost_store::studies::{self as stored, Among, NewStudy, StudyRow};
use pippost_store::{GameStatus, Seq, StoreError};

pub use pippost_store::studies::{ListedStudy, MAX_STUDIES};

/// The most actions of a study.
pub const MAX_STUDY_ACTIONS: usize = MAX_LINE;

/// The longest title, in characters.
pub const MAX_TITLE_CHARS: usize = 80;

/// The longest text to a position, in characters.
pub const MAX_COMMENT_CHARS: usize = 1000;

/// The most bytes of all texts to the positions of a study.
pub const MAX_COMMENT_BYTES: usize = 16 * 1024;

/// The most bytes of the actions of a study, as they are stored.
pub const MAX_LINE_BYTES: usize = 32 * 1024;

/// The most studies of a page.
pub const MAX_LISTED: u16 = 30;

/// The most studies that the page of their game shows.
const MAX_OF_GAME: i64 = 10;

/// Why a study is not kept.
#[derive(Debug, thiserror::Error)]
pub enum StudyRefused {
    #[error("the game is not over")]
    NotOver,
    #[error("a study has a title of at most {MAX_TITLE_CHARS} characters")]
    Title,
    #[error(
        "a text has at most {MAX_COMMENT_CHARS} characters, and all of a study {MAX_COMMENT_BYTES} bytes"
    )]
    TooLong,
    #[error("the study has been changed meanwhile")]
    Changed,
    #[error("the study has no such position")]
    NoPosition,
    #[error(transparent)]
    Game(#[from] GameError),
}

impl From<StoreError> for StudyRefused {
    fn from(error: StoreError) -> Self {
        Self::Game(error.into())
    }
}

/// An action of a study, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Step {
    action: Value,
    chance: Vec<String>,
}

/// A study that a reader may see.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    pub head: ListedStudy,
    pub player_id: Uuid,
    /// The event after which the line begins.
    pub seq: Seq,
    line: Vec<Step>,
    /// The texts to the position before the line and after each action.
    pub comments: Vec<String>,
    row: StudyRow,
}

/// A position of a study.
#[derive(Debug)]
pub struct ShownStudy {
    pub study: Study,
    /// After how many actions.
    pub at: usize,
    pub board: AnalysisBoard,
    /// The game as the reader sees it.
    pub game: GameView,
    /// Whether it is the reader's.
    pub is_own: bool,
}

/// What a player keeps of an analysis.
#[derive(Clone, Debug)]
pub struct ToKeep {
    pub seq: Option<Seq>,
    pub line: Vec<LineEntry>,
    pub title: String,
    /// To the position after the line.
    pub comment: String,
    /// Whether lists show it.
    pub listed: bool,
}

/// What its author changes about a study.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub title: Option<String>,
    /// After how many actions the text is changed, and to what.
    pub comment: Option<(usize, String)>,
    pub listed: Option<bool>,
}

impl Study {
    fn read(row: StudyRow) -> Result<Self, GameError> {
        let corrupt = || GameError::Corrupt(row.head.game_id, "study".to_owned());
        let line: Vec<Step> = serde_json::from_str(&row.line).map_err(|_| corrupt())?;
        let comments: Vec<String> = serde_json::from_str(&row.comments).map_err(|_| corrupt())?;
        if comments.len() != line.len() + 1 {
            return Err(corrupt());
        }
        let (head, player_id, seq) = (row.head.clone(), row.player_id, row.seq);
        Ok(Self { head, player_id, seq, line, comments, row })
    }

    /// All that its author has written.
    #[must_use]
    pub fn written(&self) -> String {
        let texts = std::iter::once(&self.head.title).chain(&self.comments);
        texts.filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join("\n\n")
    }

    fn entries(&self) -> Vec<LineEntry> {
        let entry =
            |step: &Step| LineEntry { action: Sent::Json(step.action.clone()), chance: step.chance.clone() };
        self.line.iter().map(entry).collect()
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

fn title_of(text: &str) -> Result<String, StudyRefused> {
    let title = cleaned(&text.replace(['\r', '\n'], " "), MAX_TITLE_CHARS).ok();
    title.filter(|title| !title.is_empty()).ok_or(StudyRefused::Title)
}

fn comment_of(text: &str) -> Result<String, StudyRefused> {
    cleaned(&text.replace("\r\n", "\n"), MAX_COMMENT_CHARS).map_err(|_| StudyRefused::TooLong)
}

/// The texts of a study as they are stored.
fn stored_comments(comments: &[String]) -> Result<String, StudyRefused> {
    let bytes: usize = comments.iter().map(String::len).sum();
    if bytes > MAX_COMMENT_BYTES { Err(StudyRefused::TooLong) } else { Ok(json(&comments)) }
}

/// Keeps a line of a game that is over, once for each key; returns the study's id. One of a private game is never listed.
///
/// # Errors
/// There is no such game for this player, it is not over, the line is not possible in it, a text is too long, the player is muted or
/// has [`MAX_STUDIES`], or the key was used for another request.
pub async fn keep(
    games: &Games,
    player_id: Uuid,
    game_id: Uuid,
    new: ToKeep,
    key: Option<&RequestKey>,
) -> Result<Uuid, StudyRefused> {
    if let Some(id) = idempotency::done_before(games, key, player_id).await? {
        return Ok(id);
    }
    let new = checked(games, player_id, game_id, new).await?;
    let to_store = idempotency::to_store(key, player_id, new.id);
    match stored::add(&games.database, &new, to_store.as_ref()).await? {
        Once::Now(true) => Ok(new.id),
        Once::Now(false) => {
            let most = MAX_STUDIES.unsigned_abs();
            Err(GameError::TooManyMarked { limit: names::STUDIES, most }.into())
        }
        Once::Before(before) => Ok(idempotency::stored_id(before, key)?),
    }
}

/// What is written of a line that may be kept.
async fn checked(
    games: &Games,
    player_id: Uuid,
    game_id: Uuid,
    new: ToKeep,
) -> Result<NewStudy, StudyRefused> {
    let requester = Requester::player(player_id);
    let game = view::view(games, game_id, &requester).await?;
    if game.status != GameStatus::Finished || game.seq.is_none() {
        return Err(StudyRefused::NotOver);
    }
    let now = games.inner.clock.now();
    expect_not_muted(games, player_id, now).await?;
    let (title, comment) = (title_of(&new.title)?, comment_of(&new.comment)?);
    let analysed = analyse(games, game_id, &requester, At::from(new.seq), new.line).await?;
    let mut comments = vec![String::new(); analysed.line.len()];
    comments.push(comment);
    let step = |PlayedAction { action, chance, .. }| Step { action, chance };
    let line = json(&analysed.line.into_iter().map(step).collect::<Vec<_>>());
    if line.len() > MAX_LINE_BYTES {
        return Err(StudyRefused::TooLong);
    }
    Ok(NewStudy {
        id: Uuid::now_v7(),
        player_id,
        game_id,
        seq: analysed.seq,
        rules: analysed.rules.to_owned(),
        title,
        line,
        comments: stored_comments(&comments)?,
        listed: new.listed && !game.private,
        created_at: now,
    })
}

/// A study that the reader may see.
///
/// # Errors
/// There is none, or the database failed.
pub async fn find(games: &Games, id: Uuid, reader: Option<Uuid>) -> Result<Study, GameError> {
    let row = stored::find(&games.database, id, games.inner.clock.now()).await?;
    let row = row.filter(|row| row.readable || reader == Some(row.player_id)).ok_or(GameError::NotFound)?;
    expect_visible(games, row.head.game_id, &reader_of(reader)).await?;
    Study::read(row)
}

fn reader_of(player_id: Option<Uuid>) -> Requester {
    Requester { player_id, token: None }
}

/// A study on its board, after so many of its actions, or after all.
///
/// # Errors
/// As [`find`]; the game cannot be read.
pub async fn show(
    games: &Games,
    id: Uuid,
    reader: Option<Uuid>,
    at: usize,
    language: Language,
) -> Result<ShownStudy, GameError> {
    let study = find(games, id, reader).await?;
    let (requester, at) = (reader_of(reader), at.min(study.line.len()));
    let game = view::view(games, study.head.game_id, &requester).await?;
    let begin = At::Event(study.seq);
    let board = board_within(games, game.id, &requester, begin, study.entries(), at, language).await?;
    let is_own = reader == Some(study.player_id);
    Ok(ShownStudy { study, at, board, game, is_own })
}

/// A study with its whole line, and the position after it.
///
/// # Errors
/// As [`find`]; the game cannot be read.
pub async fn read(games: &Games, id: Uuid, reader: Option<Uuid>) -> Result<(Study, Analysed), GameError> {
    let study = find(games, id, reader).await?;
    let begin = At::Event(study.seq);
    let analysed = analyse(games, study.head.game_id, &reader_of(reader), begin, study.entries()).await?;
    Ok((study, analysed))
}

/// Changes what its author has written to a study.
///
/// # Errors
/// There is no such study of this player, a text is too long, the study has been changed meanwhile, or the player is muted.
pub async fn change(games: &Games, id: Uuid, player_id: Uuid, new: &Changes) -> Result<(), StudyRefused> {
    let mut study = find(games, id, Some(player_id)).await?;
    if study.player_id != player_id {
        return Err(GameError::NotFound.into());
    }
    if let Some((at, text)) = &new.comment {
        let comment = study.comments.get_mut(*at).ok_or(StudyRefused::NoPosition)?;
        *comment = comment_of(text)?;
    }
    let title = title_of(new.title.as_ref().unwrap_or(&study.head.title))?;
    expect_not_muted(games, player_id, games.inner.clock.now()).await?;
    let is_private = view::view(games, study.head.game_id, &Requester::player(player_id)).await?.private;
    let listed = new.listed.unwrap_or(study.head.listed) && !is_private;
    let comments = stored_comments(&study.comments)?;
    let written = stored::change(&games.database, &study.row, &title, &comments, listed).await?;
    if written { Ok(()) } else { Err(StudyRefused::Changed) }
}

/// Deletes a study of a player.
///
/// # Errors
/// There is no such study of this player, or the database failed.
pub async fn delete(games: &Games, id: Uuid, player_id: Uuid) -> Result<(), GameError> {
    let deleted = stored::delete(&games.database, id, player_id).await?;
    if deleted { Ok(()) } else { Err(GameError::NotFound) }
}

/// The newest listed studies before the study `before`, and whether there are more.
///
/// # Errors
/// The database failed.
pub async fn list(
    games: &Games,
    reader: Option<Uuid>,
    before: Option<Uuid>,
) -> Result<(Vec<ListedStudy>, bool), GameError> {
    let (now, limit) = (games.inner.clock.now(), i64::from(MAX_LISTED) + 1);
    let mut rows = stored::listed(&games.database, Among::Before(before), reader, now, limit).await?;
    let is_more = rows.len() > usize::from(MAX_LISTED);
    rows.truncate(MAX_LISTED.into());
    Ok((rows, is_more))
}

/// The newest listed studies of a game. Whoever calls this has shown that the reader may see the game.
///
/// # Errors
/// The database failed.
pub async fn of_game(
    games: &Games,
    game_id: Uuid,
    reader: Option<Uuid>,
) -> Result<Vec<ListedStudy>, GameError> {
    let now = games.inner.clock.now();
    Ok(stored::listed(&games.database, Among::Game(game_id), reader, now, MAX_OF_GAME).await?)
}

/// All studies of a player, also those that lists do not show, or that an operator has removed.
///
/// # Errors
/// The database failed.
pub async fn of_player(games: &Games, player_id: Uuid) -> Result<Vec<ListedStudy>, GameError> {
    Ok(stored::of_player(&games.database, player_id).await?)
}
