//! Clubs: players under a name, with the public games of their members. A club shows nothing that could not be found otherwise.

use time::Duration;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::lobby::listing::{GamePage, MAX_PAGE};
use crate::lobby::{self, idempotency, title};
use crate::moderation::{cleaned, expect_not_muted};
use crate::ratings;
use pippost_language::words;
use pippost_notices::ClubContent;
use pippost_ratings::Rating;
use pippost_store::StoreError;
use pippost_store::clubs::{self as stored, Change, ClubNotice, NewClub, Outcome, Told, Which};
use pippost_store::following::games_of_members;
use pippost_store::lists::{Filter, Whose};
use pippost_store::stored_responses::{Once, RequestKey};

pub use pippost_store::clubs::{
    Act, ClubMember, ClubOf, ClubRow, ListedClub, MAX_ASKING, MAX_CLUBS, MAX_MEMBERS, MAX_OWNED, Order,
    Place, Role, TOLD_FOR,
};

/// The longest name of a club, in characters.
pub const MAX_NAME_CHARS: usize = title::MAX_TITLE_CHARS;

/// The longest text about a club, in characters.
pub const MAX_ABOUT_CHARS: usize = 500;

/// The most clubs of a page.
pub const MAX_LISTED: u16 = 30;

/// How long the finished games of members are shown.
pub const NEWLY_FINISHED: Duration = Duration::days(14);

/// Why a wish about a club is not fulfilled.
#[derive(Debug, thiserror::Error)]
pub enum ClubRefused {
    #[error("a club has a name of at most {MAX_NAME_CHARS} characters")]
    Name,
    #[error("the text about a club has at most {MAX_ABOUT_CHARS} characters")]
    TooLong,
    #[error("another club has this name")]
    Taken,
    #[error("a player is in at most {MAX_CLUBS} clubs")]
    TooMany,
    #[error("a player owns at most {MAX_OWNED} clubs")]
    TooManyOwned,
    #[error("the club takes nobody else in now")]
    Full,
    #[error("nobody else owns the club")]
    LastOwner,
    #[error(transparent)]
    Game(#[from] GameError),
}

impl From<StoreError> for ClubRefused {
    fn from(error: StoreError) -> Self {
        Self::Game(error.into())
    }
}

/// What an owner wants a club to be.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub name: String,
    pub about: String,
    /// Whether players join without being let in.
    pub open: bool,
}

/// A club that may be made.
#[derive(Clone, Debug)]
pub struct Prepared(NewClub);

/// A member, and the rating of the most games.
#[derive(Clone, Debug)]
pub struct Member {
    pub member: ClubMember,
    pub rating: Option<Rating>,
}

/// A club as a reader sees it.
#[derive(Clone, Debug)]
pub struct Club {
    pub row: ClubRow,
    /// Owners first.
    pub members: Vec<Member>,
    /// Who asks to be let in; only owners see them.
    pub asking: Vec<ClubMember>,
    /// What the reader is in it.
    pub role: Option<Role>,
}

/// The name in the form in which names are compared.
fn key_of(name: &str) -> String {
    name.to_lowercase()
}

/// The name with single blanks, and its key.
fn name_of(games: &Games, text: &str) -> Result<(String, String), ClubRefused> {
    let checked = title::checked(games, "name", text).map_err(|error| match error {
        GameError::InvalidValue { .. } => ClubRefused::Name,
        other => other.into(),
    })?;
    let name = checked.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(ClubRefused::Name);
    }
    let key = key_of(&name);
    Ok((name, key))
}

fn about_of(text: &str) -> Result<String, ClubRefused> {
    cleaned(&text.replace("\r\n", "\n"), MAX_ABOUT_CHARS).map_err(|_| ClubRefused::TooLong)
}

fn said(outcome: Outcome) -> Result<(), ClubRefused> {
    Err(match outcome {
        Outcome::Done => return Ok(()),
        Outcome::Unknown | Outcome::NotOwner => GameError::NotFound.into(),
        Outcome::Taken => ClubRefused::Taken,
        Outcome::LastOwner => ClubRefused::LastOwner,
        Outcome::Full => ClubRefused::Full,
        Outcome::TooMany => ClubRefused::TooMany,
        Outcome::TooManyOwned => ClubRefused::TooManyOwned,
    })
}

/// Checks what a player wants a new club to be, before it is counted.
///
/// # Errors
/// Another club has the name, a text is empty or too long, the player is muted, or the database failed.
pub async fn prepare(games: &Games, player_id: Uuid, wanted: &Wanted) -> Result<Prepared, ClubRefused> {
    let now = games.inner.clock.now();
    expect_not_muted(games, player_id, now).await?;
    let (name, name_key) = name_of(games, &wanted.name)?;
    let about = about_of(&wanted.about)?;
    if stored::find(&games.database, Which::Named(&name_key), now).await?.is_some() {
        return Err(ClubRefused::Taken);
    }
    let (id, open) = (Uuid::now_v7(), wanted.open);
    Ok(Prepared(NewClub { id, name, name_key, about, open, written_by: player_id, created_at: now }))
}

/// The club that a player has made with this key before.
///
/// # Errors
/// The key was used for another request, or the database failed.
pub async fn made_before(
    games: &Games,
    player_id: Uuid,
    key: Option<&RequestKey>,
) -> Result<Option<Uuid>, ClubRefused> {
    Ok(idempotency::done_before(games, key, player_id).await?)
}

/// Makes a club, which the player owns, once for each key; returns its id.
///
/// # Errors
/// Another club has the name by now, the player is in [`MAX_CLUBS`] or owns [`MAX_OWNED`], the key was used for another request, or the
/// database failed.
pub async fn make(
    games: &Games,
    Prepared(new): &Prepared,
    key: Option<&RequestKey>,
) -> Result<Uuid, ClubRefused> {
    let to_store = idempotency::to_store(key, new.written_by, new.id);
    match stored::make(&games.database, new, to_store.as_ref()).await? {
        Once::Now(outcome) => said(outcome).map(|()| new.id),
        Once::Before(before) => Ok(idempotency::stored_id(before, key)?),
    }
}

/// Lets a player join an open club, or ask to be let into another one.
///
/// # Errors
/// There is no such club for the player, it is full, the player is in [`MAX_CLUBS`], or the database failed.
pub async fn join(games: &Games, id: Uuid, player_id: Uuid) -> Result<(), ClubRefused> {
    find(games, id, player_id).await?;
    said(stored::join(&games.database, id, player_id, games.inner.clock.now()).await?)?;
    games.inner.outbox_signal.notify();
    Ok(())
}

/// Takes a player out of a club, or takes back that they ask.
///
/// # Errors
/// There is no such club, nobody else owns it although others are in it, or the database failed.
pub async fn leave(games: &Games, id: Uuid, player_id: Uuid) -> Result<(), ClubRefused> {
    said(stored::leave(&games.database, id, player_id).await?)
}

/// Does what an owner wishes about another player.
///
/// # Errors
/// There is no such club of this owner, it is full, the player owns [`MAX_OWNED`], or the database failed.
pub async fn act(
    games: &Games,
    id: Uuid,
    owner_id: Uuid,
    player_id: Uuid,
    act: Act,
) -> Result<(), ClubRefused> {
    let now = games.inner.clock.now();
    said(stored::act(&games.database, id, owner_id, player_id, act, now).await?)?;
    games.inner.outbox_signal.notify();
    Ok(())
}

/// What a notice to a player tells about a club; `None` if it holds no more. Whoever is not let in is told no name that others do not see.
pub(crate) async fn content(
    games: &Games,
    notice_id: Uuid,
    player_id: Uuid,
) -> Result<Option<ClubContent>, GameError> {
    let now = games.inner.clock.now();
    let found = stored::told_by(&games.database, notice_id, player_id, now).await?;
    let holds = |notice: &ClubNotice| match (notice.told, notice.role) {
        (Told::Asked, Some(Role::Asking)) => notice.to_owner,
        (Told::Admitted, Some(Role::Member | Role::Owner)) => true,
        (Told::Refused, None) => notice.readable,
        _ => false,
    };
    Ok(found.filter(holds).map(|notice| ClubContent {
        told: notice.told,
        club: notice.name,
        player: words::player(&notice.handle, notice.bot),
        link: games.address(&format!("/clubs/{}", notice.club_id)),
    }))
}

/// Changes name and text of a club, and whether it is open.
///
/// # Errors
/// There is no such club of this owner, another one has the name, a text is empty or too long, the owner is muted, or the database failed.
pub async fn change(games: &Games, id: Uuid, owner_id: Uuid, wanted: &Wanted) -> Result<(), ClubRefused> {
    expect_not_muted(games, owner_id, games.inner.clock.now()).await?;
    let (name, name_key) = name_of(games, &wanted.name)?;
    let about = about_of(&wanted.about)?;
    let new = Change { name: &name, name_key: &name_key, about: &about, open: wanted.open };
    said(stored::change(&games.database, id, owner_id, new).await?)
}

/// Closes a club for good.
///
/// # Errors
/// There is no such club of this owner, or the database failed.
pub async fn close(games: &Games, id: Uuid, owner_id: Uuid) -> Result<(), ClubRefused> {
    said(stored::close(&games.database, id, owner_id).await?)
}

/// A club that a reader sees, who is in it or asks, and what the reader is in it. Where an operator keeps out or mutes who has written
/// name and text, its members alone see the club, and its owners alone the text, which they may change.
async fn seen(
    games: &Games,
    which: Which<'_>,
    reader: Option<Uuid>,
) -> Result<(ClubRow, Vec<ClubMember>, Option<Role>), GameError> {
    let now = games.inner.clock.now();
    let mut row = stored::find(&games.database, which, now).await?.ok_or(GameError::NotFound)?;
    let all = stored::members(&games.database, row.head.id).await?;
    let role = all.iter().find(|one| Some(one.player_id) == reader).map(|one| one.role);
    if !row.readable {
        match role {
            Some(Role::Owner) => {}
            Some(Role::Member) => row.head.about.clear(),
            Some(Role::Asking) | None => return Err(GameError::NotFound),
        }
    }
    Ok((row, all, role))
}

/// A club that a player sees.
///
/// # Errors
/// There is none, or the database failed.
pub async fn find(games: &Games, id: Uuid, reader: Uuid) -> Result<ClubRow, GameError> {
    let (row, ..) = seen(games, Which::Id(id), Some(reader)).await?;
    Ok(row)
}

/// A club by its id or its name, whatever its capitals.
///
/// # Errors
/// There is none that the reader sees, or the database failed.
pub async fn show(games: &Games, key: &str, reader: Option<Uuid>) -> Result<Club, GameError> {
    let name_key = key_of(key);
    let which = Uuid::try_parse(key).map_or(Which::Named(&name_key), Which::Id);
    let (row, all, role) = seen(games, which, reader).await?;
    let (mut asking, members): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.role == Role::Asking);
    if role != Some(Role::Owner) {
        asking.clear();
    }
    let named: Vec<_> = members.iter().map(|one| (one.player_id, one.handle.as_str())).collect();
    let mut rated = ratings::most_played(games, &named).await?;
    let with_rating = |member: ClubMember| {
        let rating = rated.remove(&member.player_id);
        Member { member, rating }
    };
    Ok(Club { row, members: members.into_iter().map(with_rating).collect(), asking, role })
}

/// The club of this name, whatever its capitals, as lists show it.
///
/// # Errors
/// The database failed.
pub async fn named(games: &Games, name: &str, reader: Option<Uuid>) -> Result<Option<ListedClub>, GameError> {
    match seen(games, Which::Named(&key_of(name)), reader).await {
        Ok((row, ..)) => Ok(Some(row.head)),
        Err(GameError::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The public games of a club's members that wait for players, run, or have ended within [`NEWLY_FINISHED`], the newest first.
///
/// # Errors
/// The database failed.
pub async fn games_of(games: &Games, club: &Club, reader: Option<Uuid>) -> Result<GamePage, GameError> {
    let since = games.inner.clock.now() - NEWLY_FINISHED;
    let players = club.members.iter().map(|one| one.member.player_id).collect();
    let game_ids = games_of_members(&games.database, players, since).await?;
    lobby::list(games, &Filter::all(Whose::Among { game_ids }), reader, MAX_PAGE).await
}

/// Clubs in an order after a place, and after which place there are more.
///
/// # Errors
/// The database failed.
pub async fn list(
    games: &Games,
    order: Order,
    after: Option<Place>,
    reader: Option<Uuid>,
) -> Result<(Vec<ListedClub>, Option<Place>), GameError> {
    let (now, limit) = (games.inner.clock.now(), i64::from(MAX_LISTED) + 1);
    let mut rows = stored::list(&games.database, order, after, reader, now, limit).await?;
    let is_more = rows.len() > usize::from(MAX_LISTED);
    rows.truncate(MAX_LISTED.into());
    let last = rows.last().filter(|_| is_more);
    let last = last.map(|club| Place { members: club.members, id: club.id });
    Ok((rows, last))
}

/// The clubs that a player is in or asks to be in, by name.
///
/// # Errors
/// The database failed.
pub async fn of_player(games: &Games, player_id: Uuid) -> Result<Vec<ClubOf>, GameError> {
    Ok(stored::of_player(&games.database, player_id).await?)
}
