//! What players report of players, and what they see of what an operator did: the public log, the acts about themselves, and appeals.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::letters::messages::steers;
use crate::viewing::view::{self, Requester};
use crate::{clubs, studies};
use pippost_accounts::Handle;
use pippost_keys::Purpose;
use pippost_store::moderation::{self as stored, Act, NewReport, Report, ReportReason};
use pippost_store::{Seq, StoreError, players, table_messages};

/// The longest text of a report, in characters.
pub const MAX_REPORT_CHARS: usize = 500;

/// The longest appeal, in characters.
pub const MAX_APPEAL_CHARS: usize = 1000;

/// The most reports that a player writes in 24 hours.
pub const MAX_REPORTS_A_DAY: i64 = 10;

/// The acts on a page of the public log.
pub const MAX_ACTS: i64 = 50;

/// The most acts and reports that a player is shown of themselves.
const MAX_OWN: i64 = 50;

/// Why a report or an appeal is not taken.
#[derive(Debug, thiserror::Error)]
pub enum ReportRefused {
    #[error("this is you")]
    Oneself,
    #[error("you have reported this player, and nobody has decided it yet")]
    Waits,
    #[error("a player writes at most {MAX_REPORTS_A_DAY} reports in 24 hours")]
    TooMany { retry_after_seconds: u64 },
    #[error("the text is too long")]
    TooLong,
    #[error(transparent)]
    Game(#[from] GameError),
}

impl From<StoreError> for ReportRefused {
    fn from(error: StoreError) -> Self {
        Self::Game(error.into())
    }
}

/// What a report is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A player, by the handle.
    Profile(String),
    /// A message at the table of a game.
    Message { game_id: Uuid, message_id: Uuid },
    /// What the author of a study has written to it.
    Study(Uuid),
    /// The name of a club, and what is written about it.
    Club(Uuid),
    /// What a player did in a game, up to an event.
    Event { game_id: Uuid, seq: u64, player: String },
}

/// Whom a report is about, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    pub player_id: Uuid,
    pub handle: String,
    pub game_id: Option<Uuid>,
    pub seq: Option<Seq>,
    pub rules: Option<String>,
    /// The message as it stands.
    pub evidence: Option<String>,
}

/// Whom a report would be about. Nobody learns of a game or a message that they may not see.
///
/// # Errors
/// There is no such player, game or message for the reporter; or it is the reporter.
pub async fn reported(
    games: &Games,
    reporter_id: Uuid,
    subject: &Subject,
) -> Result<Reported, ReportRefused> {
    let reported = match subject {
        Subject::Profile(handle) => profile(games, handle).await?,
        Subject::Message { game_id, message_id } => {
            message(games, reporter_id, *game_id, *message_id).await?
        }
        Subject::Study(id) => study(games, reporter_id, *id).await?,
        Subject::Club(id) => club(games, reporter_id, *id).await?,
        Subject::Event { game_id, seq, player } => event(games, reporter_id, *game_id, *seq, player).await?,
    };
    if reported.player_id == reporter_id { Err(ReportRefused::Oneself) } else { Ok(reported) }
}

async fn profile(games: &Games, handle: &str) -> Result<Reported, GameError> {
    let unknown = || GameError::UnknownPlayer(handle.to_owned());
    let parsed = Handle::parse(handle).map_err(|_| unknown())?;
    let player = players::player_by_handle(&games.database, parsed.key()).await?.ok_or_else(unknown)?;
    let (player_id, handle) = (player.id, player.handle);
    Ok(Reported { player_id, handle, game_id: None, seq: None, rules: None, evidence: None })
}

async fn message(
    games: &Games,
    reporter_id: Uuid,
    game_id: Uuid,
    message_id: Uuid,
) -> Result<Reported, GameError> {
    let claim = view::claim_seat(games, game_id, reporter_id).await?;
    let found = table_messages::find(&games.database, claim.game_id, message_id).await?;
    let message = found.ok_or(GameError::NotFound)?;
    let rules = view::view(games, game_id, &Requester::player(reporter_id)).await?.rules;
    Ok(Reported {
        player_id: message.player_id,
        handle: message.handle,
        game_id: Some(game_id),
        seq: Some(message.seq),
        rules: Some(rules.to_owned()),
        evidence: Some(message.text.ok_or(GameError::NotFound)?),
    })
}

async fn study(games: &Games, reporter_id: Uuid, id: Uuid) -> Result<Reported, GameError> {
    let study = studies::find(games, id, Some(reporter_id)).await?;
    Ok(Reported {
        player_id: study.player_id,
        handle: study.head.handle.clone(),
        game_id: Some(study.head.game_id),
        seq: Some(study.seq),
        rules: Some(study.head.rules.clone()),
        evidence: Some(study.written()),
    })
}

async fn club(games: &Games, reporter_id: Uuid, id: Uuid) -> Result<Reported, GameError> {
    let club = clubs::find(games, id, reporter_id).await?;
    let evidence = [club.head.name, club.head.about].join("\n\n").trim_end().to_owned();
    let (player_id, handle) = (club.written_by, club.writer);
    Ok(Reported { player_id, handle, game_id: None, seq: None, rules: None, evidence: Some(evidence) })
}

async fn event(
    games: &Games,
    reporter_id: Uuid,
    game_id: Uuid,
    seq: u64,
    player: &str,
) -> Result<Reported, GameError> {
    let view = view::view(games, game_id, &Requester::player(reporter_id)).await?;
    let happened = view.seq.is_some_and(|newest| seq <= newest.get());
    let plays = view.players.iter().any(|one| one.handle.eq_ignore_ascii_case(player));
    if !happened || !plays {
        return Err(GameError::NotFound);
    }
    let (game_id, seq, rules) = (Some(game_id), Some(Seq::from(seq)), Some(view.rules.to_owned()));
    Ok(Reported { game_id, seq, rules, ..profile(games, player).await? })
}

/// A text without control characters, trimmed.
pub(crate) fn cleaned(text: &str, most: usize) -> Result<String, ReportRefused> {
    let kept: String = text.chars().filter(|sign| *sign == '\n' || !steers(*sign)).collect();
    let kept = kept.trim();
    if kept.chars().count() > most { Err(ReportRefused::TooLong) } else { Ok(kept.to_owned()) }
}

/// Reports a player to the operator.
///
/// # Errors
/// As [`reported`]; the text is too long, or the reporter has reported much, or this player already.
pub async fn report(
    games: &Games,
    reporter_id: Uuid,
    subject: &Subject,
    reason: ReportReason,
    text: &str,
) -> Result<Reported, ReportRefused> {
    let reported = reported(games, reporter_id, subject).await?;
    let text = cleaned(text, MAX_REPORT_CHARS)?;
    let now = games.inner.clock.now();
    let since = now - Duration::DAY;
    let (written, first) = stored::written_since(&games.database, reporter_id, since).await?;
    if written >= MAX_REPORTS_A_DAY {
        let wait = first.map_or(Duration::DAY, |first| first - since);
        let retry_after_seconds = u64::try_from(wait.whole_seconds()).unwrap_or_default() + 1;
        return Err(ReportRefused::TooMany { retry_after_seconds });
    }
    let Reported { player_id: subject_id, game_id, seq, rules, evidence, .. } = reported.clone();
    let (message_id, study_id) = match *subject {
        Subject::Message { message_id, .. } => (Some(message_id), None),
        Subject::Study(study_id) => (None, Some(study_id)),
        Subject::Profile(_) | Subject::Event { .. } | Subject::Club(_) => (None, None),
    };
    let id = Uuid::now_v7();
    let new = NewReport {
        id,
        reporter_id,
        subject_id,
        game_id,
        seq,
        rules,
        evidence,
        reason,
        text,
        created_at: now,
        message_id,
        study_id,
    };
    if !stored::report(&games.database, &new).await? {
        return Err(ReportRefused::Waits);
    }
    tracing::info!(report_id = %id, %reason, "a player is reported");
    Ok(reported)
}

/// Refuses a player whom an operator has muted.
///
/// # Errors
/// [`GameError::Muted`], or the database failed.
pub(crate) async fn expect_not_muted(
    games: &Games,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<(), GameError> {
    let mute = stored::mute_of(&games.database, player_id, now).await?;
    mute.map_or(Ok(()), |mute| Err(GameError::Muted { until: mute.ends_at }))
}

/// Acts for everybody to read, the newest first, those before the act `before` if it is given.
///
/// # Errors
/// The database failed.
pub async fn log(games: &Games, before: Option<Uuid>) -> Result<Vec<Act>, GameError> {
    Ok(stored::acts(&games.database, before, MAX_ACTS).await?)
}

/// The acts about a player, which the player has read with this, and the player's own reports; the newest first.
///
/// # Errors
/// The database failed.
pub async fn own(games: &Games, player_id: Uuid) -> Result<(Vec<Act>, Vec<Report>), GameError> {
    let acts = stored::acts_about(&games.database, player_id, MAX_OWN).await?;
    if acts.iter().any(|act| act.read_at.is_none()) {
        stored::mark_read(&games.database, player_id, games.inner.clock.now()).await?;
    }
    Ok((acts, stored::reports_by(&games.database, player_id, MAX_OWN).await?))
}

/// Whether there is an act about the player, or a verdict on one, that the player has not read.
///
/// # Errors
/// The database failed.
pub async fn has_unread(games: &Games, player_id: Uuid) -> Result<bool, GameError> {
    Ok(stored::has_unread(&games.database, player_id).await?)
}

/// The act that a link in a mail is about, while it stands about somebody; `None` if there is no such link.
///
/// # Errors
/// The database failed.
pub async fn act_of_link(games: &Games, token: &str) -> Result<Option<Act>, GameError> {
    let Some(id) = games.inner.secret.read_link_token(Purpose::Appeal, token) else { return Ok(None) };
    let found = stored::find_act(&games.database, id).await?;
    Ok(found.filter(|act| act.subject_id.is_some()))
}

/// Appeals by the link in a mail, once.
///
/// # Errors
/// As [`appeal`]; there is no such link.
pub async fn appeal_by_link(games: &Games, token: &str, text: &str) -> Result<(), ReportRefused> {
    let act = act_of_link(games, token).await?;
    let about = act.and_then(|act| act.subject_id.map(|player_id| (player_id, act.id)));
    let (player_id, act_id) = about.ok_or(GameError::NotFound)?;
    appeal(games, player_id, act_id, text).await
}

/// Appeals against an act about the player, once.
///
/// # Errors
/// The text is empty or too long, or there is no such act that can be appealed against.
pub async fn appeal(games: &Games, player_id: Uuid, act_id: Uuid, text: &str) -> Result<(), ReportRefused> {
    let text = cleaned(text, MAX_APPEAL_CHARS)?;
    if text.is_empty() || !stored::appeal(&games.database, act_id, player_id, &text).await? {
        return Err(GameError::NotFound.into());
    }
    tracing::info!(%act_id, "a player appeals against an act");
    Ok(())
}
