//! Clubs: which there are, and one with its members and their public games.

use actix_web::http::StatusCode;
use actix_web::web::ServiceConfig;
use actix_web::{HttpResponse, get, post, web};
use minijinja::{Value, context};
use serde::Deserialize;
use uuid::Uuid;

use super::form::{Posted, see_other};
use super::lists::entry;
use super::page::{message, page};
use super::ratings::figure;
use super::visitor::{SignedIn, Visitor};
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::clubs::{
    self, Act, Club, ClubMember, ClubOf, ClubRefused, ListedClub, MAX_ABOUT_CHARS, MAX_CLUBS, MAX_MEMBERS,
    MAX_NAME_CHARS, MAX_OWNED, Member, NEWLY_FINISHED, Order, Role, Wanted,
};
use pippost_games::lobby::listing::GamePage;
use pippost_games::{GameError, Games};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_language::{Language, words};
use pippost_ratings::Rating;
use pippost_record::rules::{self, RuleSet};
use pippost_store::GameStatus;

/// The page of all clubs.
const CLUBS: &str = "/clubs";

/// Registers the pages and their forms.
pub fn configure(service: &mut ServiceConfig) {
    service
        .service(clubs_page)
        .service(make_club)
        .service(club_page)
        .service(change_club)
        .service(join_club)
        .service(leave_club)
        .service(act_on_member)
        .service(close_club);
}

/// The address of a club's page, which stays when its name changes.
pub(super) fn path(id: Uuid) -> String {
    format!("{CLUBS}/{id}")
}

#[derive(Debug, Default, Deserialize)]
pub struct ClubsQuery {
    #[serde(default)]
    order: String,
    /// After which place to go on.
    #[serde(default)]
    after: String,
}

/// The clubs, the newest or the largest first, and those of the reader.
#[get("/clubs")]
pub async fn clubs_page(
    visitor: Visitor,
    games: web::Data<Games>,
    query: web::Query<ClubsQuery>,
) -> Result<HttpResponse, Problem> {
    list_page(visitor, &games, &query, (StatusCode::OK, fields(&ClubForm::default(), None))).await
}

/// The page of all clubs, with the form for a new one.
async fn list_page(
    visitor: Visitor,
    games: &Games,
    query: &ClubsQuery,
    (status, form): (StatusCode, Value),
) -> Result<HttpResponse, Problem> {
    let is_by_size = query.order == "largest";
    let order = if is_by_size { Order::Largest } else { Order::Newest };
    let (listed, last) = clubs::list(games, order, query.after.parse().ok(), visitor.player_id()).await?;
    let own = match visitor.registered() {
        Some(reader) => Some(clubs::of_player(games, reader.player_id).await?),
        None => None,
    };
    let values = context! {
        clubs => listed.iter().map(told).collect::<Vec<_>>(),
        order => if is_by_size { "largest" } else { "newest" },
        next => last.map(|place| place.to_string()),
        own => own.map(|own| own.iter().map(of_reader).collect::<Vec<_>>()),
        most => MAX_CLUBS,
        most_owned => MAX_OWNED,
        ..form
    };
    page(status, "clubs.html", visitor, values)
}

/// The fields of a club's form with what they hold, and what is wrong.
fn fields(form: &ClubForm, problem: Option<Value>) -> Value {
    context! {
        form => context! { name => &form.name, about => &form.about, open => form.open == OPEN },
        problem,
        longest_name => MAX_NAME_CHARS,
        longest_about => MAX_ABOUT_CHARS,
    }
}

/// A club in a list.
fn told(club: &ListedClub) -> Value {
    context! {
        id => club.id.to_string(),
        name => &club.name,
        about => &club.about,
        open => club.open,
        members => club.members,
    }
}

fn of_reader(club: &ClubOf) -> Value {
    let asking = club.asking > 0 && club.role == Role::Owner;
    context! { role => club.role.as_str(), asking => asking.then_some(club.asking), ..told(&club.head) }
}

/// What a form says of an open club, and of one that players ask to join.
const OPEN: &str = "yes";
const BY_ASKING: &str = "no";

/// What an owner wants a club to be.
#[derive(Debug, Deserialize)]
pub struct ClubForm {
    #[serde(default)]
    name: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    open: String,
}

impl Default for ClubForm {
    /// Of a new club.
    fn default() -> Self {
        Self { name: String::new(), about: String::new(), open: OPEN.to_owned() }
    }
}

impl ClubForm {
    fn of(club: &ListedClub) -> Self {
        let open = if club.open { OPEN } else { BY_ASKING };
        Self { name: club.name.clone(), about: club.about.clone(), open: open.to_owned() }
    }

    fn wanted(&self) -> Wanted {
        Wanted { name: self.name.clone(), about: self.about.clone(), open: self.open == OPEN }
    }
}

/// Makes a club.
#[post("/clubs")]
pub async fn make_club(
    signed_in: SignedIn,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    form: Posted<ClubForm>,
) -> Result<HttpResponse, Problem> {
    let (SignedIn { visitor, account }, form) = (signed_in, form.into_inner());
    let made = match clubs::prepare(&games, account.player_id, &form.wanted()).await {
        Ok(prepared) => {
            accounts.count_request(PlayerRequest::MakeClub, account.player_id, peer.0)?;
            clubs::make(&games, &prepared, None).await
        }
        Err(refused) => Err(refused),
    };
    match made {
        Ok(id) => Ok(see_other(&path(id))),
        Err(refused) => match form_again(&form, refused, visitor.language) {
            Ok(again) => list_page(visitor, &games, &ClubsQuery::default(), again).await,
            Err(error) => failed(visitor, error),
        },
    }
}

/// The status of a refusal, the field of the form that it is about if it is one, and its text.
fn told_of(refused: ClubRefused) -> Result<(StatusCode, Option<&'static str>, &'static str), GameError> {
    Ok(match refused {
        ClubRefused::Name => (StatusCode::UNPROCESSABLE_ENTITY, Some("name"), "club-no-name"),
        ClubRefused::TooLong => (StatusCode::UNPROCESSABLE_ENTITY, Some("about"), "club-too-long"),
        ClubRefused::Taken => (StatusCode::CONFLICT, Some("name"), "club-taken"),
        ClubRefused::TooMany => (StatusCode::CONFLICT, None, "club-too-many"),
        ClubRefused::TooManyOwned => (StatusCode::CONFLICT, None, "club-too-many-owned"),
        ClubRefused::Full => (StatusCode::CONFLICT, None, "club-full"),
        ClubRefused::LastOwner => (StatusCode::CONFLICT, None, "club-last-owner"),
        ClubRefused::Game(error) => return Err(error),
    })
}

/// The form with what was written, and why it was refused.
fn form_again(
    form: &ClubForm,
    refused: ClubRefused,
    language: Language,
) -> Result<(StatusCode, Value), GameError> {
    let (status, field, text) = told_of(refused)?;
    Ok((status, fields(form, Some(context! { field, text => language.say(text) }))))
}

/// A page that says why a wish is not fulfilled.
fn refuse(visitor: Visitor, refused: ClubRefused) -> Result<HttpResponse, Problem> {
    match told_of(refused) {
        Ok((status, _, text)) => message(status, visitor, "club-refused", text),
        Err(error) => failed(visitor, error),
    }
}

fn failed(visitor: Visitor, error: GameError) -> Result<HttpResponse, Problem> {
    match error {
        GameError::NotFound => none(visitor),
        error => Err(error.into()),
    }
}

/// The page where there is no club that the reader sees or owns.
fn none(visitor: Visitor) -> Result<HttpResponse, Problem> {
    message(StatusCode::NOT_FOUND, visitor, "club-none-title", "club-none-text")
}

/// A club by its id or its name, with its members and their public games.
#[get("/clubs/{key}")]
pub async fn club_page(
    visitor: Visitor,
    games: web::Data<Games>,
    key: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    shown_club(visitor, &games, &key, None).await
}

/// The page of a club; its form as it was sent, if that was refused.
async fn shown_club(
    visitor: Visitor,
    games: &Games,
    key: &str,
    again: Option<(StatusCode, Value)>,
) -> Result<HttpResponse, Problem> {
    let club = match clubs::show(games, key, visitor.player_id()).await {
        Ok(club) => club,
        Err(error) => return failed(visitor, error),
    };
    let list = clubs::games_of(games, &club, visitor.player_id()).await?;
    let usual = || (StatusCode::OK, fields(&ClubForm::of(&club.row.head), None));
    let (status, form) = again.unwrap_or_else(usual);
    let values = context! { ..form, ..context! { ..values(&club, &visitor), ..of_members(&list, &visitor) } };
    page(status, "club.html", visitor, values)
}

fn values(club: &Club, visitor: &Visitor) -> Value {
    let Club { row, members, asking, role } = club;
    let is_registered = visitor.registered().is_some();
    let is_full = row.head.members >= MAX_MEMBERS;
    let head = context! {
        club => told(&row.head),
        since => words::date(visitor.zone.day(row.created_at), visitor.language),
        members => members.iter().map(|one| rated(one, visitor)).collect::<Vec<_>>(),
        asking => asking.iter().map(|one| named(one, visitor)).collect::<Vec<_>>(),
        most => MAX_MEMBERS,
    };
    let may = context! {
        role => role.map(Role::as_str),
        is_owner => *role == Some(Role::Owner),
        is_readable => row.readable,
        is_full,
        // An open club lets in who has asked before it was opened.
        joins_club => is_registered && !(is_full && row.head.open)
            && (role.is_none() || row.head.open && *role == Some(Role::Asking)),
        report => is_registered && visitor.player_id() != Some(row.written_by),
    };
    context! { ..head, ..may }
}

/// A player of a club.
fn named(one: &ClubMember, visitor: &Visitor) -> Value {
    context! {
        handle => &one.handle,
        name => words::player(&one.handle, one.bot),
        is_owner => one.role == Role::Owner,
        is_me => visitor.player_id() == Some(one.player_id),
        since => words::date(visitor.zone.day(one.since), visitor.language),
    }
}

fn rated(one: &Member, visitor: &Visitor) -> Value {
    let shown = |rating: &Rating| {
        let title = rules::find(&rating.rules, None).map(RuleSet::title);
        context! {
            title => title.unwrap_or(&rating.rules),
            pace => rating.pace.as_str(),
            figure => figure(rating, visitor.language),
            provisional => rating.provisional,
        }
    };
    context! { rating => one.rating.as_ref().map(shown), ..named(&one.member, visitor) }
}

/// The public games of the members: those that wait for players, that run, and that have ended lately.
fn of_members(list: &GamePage, visitor: &Visitor) -> Value {
    let with = |status| {
        let games = list.games.iter().filter(|game| game.status == status);
        games.map(|game| entry(game, visitor)).collect::<Vec<_>>()
    };
    context! {
        waiting => with(GameStatus::Open),
        running => with(GameStatus::Running),
        finished => with(GameStatus::Finished),
        days => NEWLY_FINISHED.whole_days(),
    }
}

/// Changes name and text, and whether the club is open.
#[post("/clubs/{id}")]
pub async fn change_club(
    by: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<ClubForm>,
) -> Result<HttpResponse, Problem> {
    let (SignedIn { visitor, account }, form) = (by, form.into_inner());
    match clubs::change(&games, *id, account.player_id, &form.wanted()).await {
        Ok(()) => Ok(see_other(&path(*id))),
        Err(refused) => match form_again(&form, refused, visitor.language) {
            Ok(again) => shown_club(visitor, &games, &id.to_string(), Some(again)).await,
            Err(error) => failed(visitor, error),
        },
    }
}

fn answer(by: SignedIn, done: Result<(), ClubRefused>, onward: &str) -> Result<HttpResponse, Problem> {
    match done {
        Ok(()) => Ok(see_other(onward)),
        Err(refused) => refuse(by.visitor, refused),
    }
}

#[derive(Debug, Default, Deserialize)]
pub struct EmptyForm {}

/// Joins an open club, or asks to be let in.
#[post("/clubs/{id}/join")]
pub async fn join_club(
    by: SignedIn,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    _form: Posted<EmptyForm>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::Join, by.account.player_id, peer.0)?;
    let done = clubs::join(&games, *id, by.account.player_id).await;
    answer(by, done, &path(*id))
}

/// Leaves a club, or asks no more.
#[post("/clubs/{id}/leave")]
pub async fn leave_club(
    by: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    _form: Posted<EmptyForm>,
) -> Result<HttpResponse, Problem> {
    let done = clubs::leave(&games, *id, by.account.player_id).await;
    answer(by, done, CLUBS)
}

/// What an owner does about another player.
#[derive(Debug, Default, Deserialize)]
pub struct ActForm {
    #[serde(default)]
    player: String,
    #[serde(default)]
    act: String,
}

impl ActForm {
    fn act(&self) -> Option<Act> {
        match self.act.as_str() {
            "admit" => Some(Act::Admit),
            "remove" => Some(Act::Remove),
            "owner" => Some(Act::NameOwner),
            "hand-on" => Some(Act::HandOn),
            _ => None,
        }
    }
}

/// Lets in or removes a player, or makes them an owner.
#[post("/clubs/{id}/members")]
pub async fn act_on_member(
    by: SignedIn,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<ActForm>,
) -> Result<HttpResponse, Problem> {
    let form = form.into_inner();
    let act = form.act().ok_or(GameError::NotFound)?;
    let player = accounts.player_named(&form.player).await?;
    let done = clubs::act(&games, *id, by.account.player_id, player.id, act).await;
    answer(by, done, &path(*id))
}

/// Closes a club for good.
#[post("/clubs/{id}/close")]
pub async fn close_club(
    by: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    _form: Posted<EmptyForm>,
) -> Result<HttpResponse, Problem> {
    let done = clubs::close(&games, *id, by.account.player_id).await;
    answer(by, done, CLUBS)
}
