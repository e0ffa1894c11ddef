//! Clubs: list, look at, make, change, close, join, leave, and what owners do about others.

use actix_web::{HttpResponse, delete, get, post, put, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::access::{Manager, MaybeReader, Participant, Reader};
use super::declared::problems;
use super::declared_headers::KeyHeader;
use super::idempotency::CreationKey;
use super::routes::Routes;
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::Games;
use pippost_games::clubs::{
    self, Act, Club, ClubMember, ClubOf, ClubRefused, ListedClub, MAX_ABOUT_CHARS, MAX_NAME_CHARS, Member,
    Order, Place, Role, Wanted,
};
use pippost_games::lobby::listing::ListedGame;
use pippost_games::lobby::title;
use pippost_http::json::Body;
use pippost_http::peer::Peer;
use pippost_http::text::TitleText;
use pippost_http::{Code, Problem};
use pippost_ratings::Rating;
use pippost_record::record::Timestamp;

problems! {
    WriteProblems: Muted, ClubRefused;
    ClubProblems: ClubRefused;
}

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(list_clubs)
        .service(list_own_clubs)
        .service(make_club)
        .service(show_club)
        .service(list_games_of_club)
        .service(change_club)
        .service(close_club)
        .service(join_club)
        .service(leave_club)
        .service(act_on_member);
}

/// Which clubs to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ClubsQuery {
    /// The newest or the largest first.
    #[serde(default)]
    #[param(value_type = Option<Order>, default = "newest")]
    order: Order,
    /// `next_cursor` of the page before.
    #[param(
        pattern = "^(0|[1-9][0-9]{0,8})\\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
    )]
    cursor: Option<String>,
    /// Only the club of this name, whatever its capitals.
    #[param(value_type = Option<TitleText>)]
    name: Option<TitleText>,
}

/// The most digits of the number of members in a cursor.
const MAX_DIGITS: usize = 9;

impl ClubsQuery {
    /// The place after which the page begins, written as a page writes it.
    fn after(&self) -> Result<Option<Place>, Problem> {
        let Some(text) = &self.cursor else { return Ok(None) };
        let place = text.parse().ok().filter(|place: &Place| {
            let digits = place.members.to_string().len();
            place.members >= 0 && digits <= MAX_DIGITS && place.to_string() == *text
        });
        place.map(Some).ok_or_else(|| invalid("cursor", "the `next_cursor` of a page"))
    }
}

fn invalid(field: &str, why: &str) -> Problem {
    Problem::new(Code::InvalidValue).detail(format!("{field}: {why}")).with("field", field)
}

/// A name of the form that the document gives.
fn checked_name(name: &TitleText) -> Result<String, Problem> {
    let why = || invalid("name", &format!("one line of at most {MAX_NAME_CHARS} characters"));
    title::fits(name).then(|| name.to_string()).ok_or_else(why)
}

/// A page of clubs.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClubPage {
    clubs: Vec<ListedClub>,
    next_cursor: Option<String>,
}

/// Lists clubs, 30 on a page.
#[utoipa::path(tag = "community", security((), ("token" = [MaybeReader::SCOPE])), params(ClubsQuery), responses(
    (status = 200, description = "A page of clubs.", body = ClubPage),
))]
#[get("/clubs")]
pub async fn list_clubs(
    reader: MaybeReader,
    games: web::Data<Games>,
    query: web::Query<ClubsQuery>,
) -> Result<web::Json<ClubPage>, Problem> {
    let after = query.after()?;
    if let Some(name) = &query.name {
        let found = clubs::named(&games, &checked_name(name)?, reader.player_id()).await?;
        return Ok(web::Json(ClubPage { clubs: found.into_iter().collect(), next_cursor: None }));
    }
    let (clubs, last) = clubs::list(&games, query.order, after, reader.player_id()).await?;
    Ok(web::Json(ClubPage { clubs, next_cursor: last.map(|place| place.to_string()) }))
}

/// A club of yours.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnClub {
    club: ListedClub,
    role: Role,
    /// How many ask to be let in; null unless you are an owner.
    asking_count: Option<i64>,
}

impl From<ClubOf> for OwnClub {
    fn from(own: ClubOf) -> Self {
        let asking_count = (own.role == Role::Owner).then_some(own.asking);
        Self { club: own.head, role: own.role, asking_count }
    }
}

/// Your clubs.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnClubs {
    clubs: Vec<OwnClub>,
}

/// Lists the clubs that you are in or ask to be in, by name.
#[utoipa::path(tag = "community", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "All.", body = OwnClubs),
))]
#[get("/me/clubs")]
pub async fn list_own_clubs(reader: Reader, games: web::Data<Games>) -> Result<web::Json<OwnClubs>, Problem> {
    let own = clubs::of_player(&games, reader.player_id).await?;
    Ok(web::Json(OwnClubs { clubs: own.into_iter().map(OwnClub::from).collect() }))
}

/// What a club is to be.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClubBody {
    /// Not blank; no other club has it, whatever its capitals.
    name: TitleText,
    #[serde(default)]
    #[schema(max_length = 500, pattern = "^[^\\u0000]*$")]
    about: String,
    /// Whether players join without being let in.
    open: bool,
}

impl ClubBody {
    fn wanted(self) -> Result<Wanted, Problem> {
        let name = checked_name(&self.name)?;
        if self.about.chars().count() > MAX_ABOUT_CHARS {
            return Err(invalid("about", &format!("at most {MAX_ABOUT_CHARS} characters")));
        }
        Ok(Wanted { name, about: self.about, open: self.open })
    }
}

/// A club that was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct MadeClub {
    id: Uuid,
}

/// Makes a club, which you own; three a day.
#[utoipa::path(tag = "community", security(("token" = [Manager::SCOPE])), params(KeyHeader), request_body = ClubBody, responses(
    (status = 201, description = "The club.", body = MadeClub),
    WriteProblems,
))]
#[post("/clubs")]
pub async fn make_club(
    account: Manager,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    key: CreationKey,
    body: Body<ClubBody>,
) -> Result<HttpResponse, Problem> {
    let (key, owner) = (key.with_body(&*body), account.player_id);
    let wanted = body.into_inner().wanted()?;
    let prepared = clubs::prepare(&games, owner, &wanted).await;
    // Asked after that, because the same request may just have taken the name.
    let before = clubs::made_before(&games, owner, key.as_ref()).await?;
    let id = if let Some(id) = before {
        id
    } else {
        let prepared = prepared?;
        accounts.count_request(PlayerRequest::MakeClub, owner, peer.0)?;
        clubs::make(&games, &prepared, key.as_ref()).await?
    };
    let answer = serde_json::to_string(&MadeClub { id }).expect("plain data");
    Ok(crate::created::below("/api/v1/clubs", answer))
}

/// A player of a club.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClubPlayer {
    handle: String,
    bot: bool,
    role: Role,
    /// Since when the player is in it, or asks.
    #[schema(value_type = String, format = DateTime)]
    since: Timestamp,
    /// That of the most games; null without one, and of those who ask.
    rating: Option<Rating>,
}

impl From<ClubMember> for ClubPlayer {
    fn from(one: ClubMember) -> Self {
        let since = Timestamp::new(one.since);
        Self { handle: one.handle, bot: one.bot, role: one.role, since, rating: None }
    }
}

impl From<Member> for ClubPlayer {
    fn from(Member { member, rating }: Member) -> Self {
        Self { rating, ..member.into() }
    }
}

/// A club as you see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClubView {
    club: ListedClub,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Yours; null if you are not in it.
    role: Option<Role>,
    /// For owners: whether the operator hides its name and text from others.
    hidden: bool,
    /// Owners first, then who has been in it longest.
    members: Vec<ClubPlayer>,
    /// Who asks to be let in; only owners see them.
    asking: Vec<ClubPlayer>,
}

impl From<Club> for ClubView {
    fn from(Club { row, members, asking, role }: Club) -> Self {
        Self {
            club: row.head,
            created_at: Timestamp::new(row.created_at),
            role,
            hidden: role == Some(Role::Owner) && !row.readable,
            members: members.into_iter().map(ClubPlayer::from).collect(),
            asking: asking.into_iter().map(ClubPlayer::from).collect(),
        }
    }
}

async fn shown(games: &Games, id: Uuid, reader: &MaybeReader) -> Result<Club, Problem> {
    let shown = clubs::show(games, &id.to_string(), reader.player_id()).await;
    Ok(shown.map_err(ClubRefused::from)?)
}

/// Shows a club with its members.
#[utoipa::path(tag = "community", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "The club.", body = ClubView),
))]
#[get("/clubs/{id}")]
pub async fn show_club(
    reader: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<web::Json<ClubView>, Problem> {
    Ok(web::Json(shown(&games, *id, &reader).await?.into()))
}

/// Public games of a club's members.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClubGames {
    games: Vec<ListedGame>,
}

/// Lists public games of a club's members: those that wait, run, or have ended within 14 days, the newest first.
#[utoipa::path(tag = "community", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "At most a hundred.", body = ClubGames),
))]
#[get("/clubs/{id}/games")]
pub async fn list_games_of_club(
    reader: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<web::Json<ClubGames>, Problem> {
    let club = shown(&games, *id, &reader).await?;
    let page = clubs::games_of(&games, &club, reader.player_id()).await?;
    Ok(web::Json(ClubGames { games: page.games }))
}

/// Changes what your club is.
#[utoipa::path(tag = "community", security(("token" = [Manager::SCOPE])), params(("id" = Uuid, Path)), request_body = ClubBody, responses(
    (status = 204, description = "It is changed."),
    WriteProblems,
))]
#[put("/clubs/{id}")]
pub async fn change_club(
    account: Manager,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    body: Body<ClubBody>,
) -> Result<HttpResponse, Problem> {
    let wanted = body.into_inner().wanted()?;
    clubs::change(&games, *id, account.player_id, &wanted).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Closes your club for good.
#[utoipa::path(tag = "community", security(("token" = [Manager::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "It is closed."),
))]
#[delete("/clubs/{id}")]
pub async fn close_club(
    account: Manager,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    clubs::close(&games, *id, account.player_id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Joins an open club; asks the owners of another one to let you in.
#[utoipa::path(tag = "community", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "You are in it, or ask."),
    ClubProblems,
))]
#[post("/clubs/{id}/join")]
pub async fn join_club(
    player: Participant,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::Join, player.player_id, peer.0)?;
    clubs::join(&games, *id, player.player_id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Leaves a club, or asks no more. A club without other members closes.
#[utoipa::path(tag = "community", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "You are not in it."),
    ClubProblems,
))]
#[post("/clubs/{id}/leave")]
pub async fn leave_club(
    player: Participant,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    clubs::leave(&games, *id, player.player_id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// What to do about a player.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClubActBody {
    act: Act,
}

/// Does something about a player of your club. What is done already, or not possible any more, changes nothing.
#[utoipa::path(tag = "community", security(("token" = [Manager::SCOPE])),
    params(("id" = Uuid, Path), ("handle" = String, Path, max_length = 32, example = "ann")), request_body = ClubActBody, responses(
    (status = 204, description = "It is done."),
    ClubProblems,
))]
#[post("/clubs/{id}/members/{handle}")]
pub async fn act_on_member(
    account: Manager,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    path: web::Path<(Uuid, String)>,
    body: Body<ClubActBody>,
) -> Result<HttpResponse, Problem> {
    let (id, handle) = path.into_inner();
    let player = accounts.player_named(&handle).await?;
    clubs::act(&games, id, account.player_id, player.id, body.act).await?;
    Ok(HttpResponse::NoContent().finish())
}
